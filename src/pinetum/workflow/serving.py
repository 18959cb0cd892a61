"""Data sets to files, and the table that says where each one came from."""

import csv
import hashlib

from pinetum.data.dataset import Dataset
from pinetum.data.errors import DataError, NoData
from pinetum.data.sources import Setting, mirror_of, serve
from pinetum.workflow.jobs import write_records

COLUMNS = (
    "dataset",
    "source",
    "sha256",
    "cases",
    "features",
    "classes",
    "missing",
    "status",
    "part",
    "note",
)


def serve_to_files(
    name, entry, archives, *, dataset, record, mirror, downloads, require_all
) -> None:
    """Write the encoded data set, or a marker with the reason when no source can serve it, and its
    record.
    """
    from pathlib import Path

    setting = Setting(mirror_of(mirror), Path(downloads), archives)
    try:
        served = serve(name, entry, setting)
    except NoData as fault:
        if require_all:
            raise DataError(
                str(fault), cure="set a mirror, reach the network, or set `require_all: false`"
            ) from None
        print(fault, flush=True)
        Dataset.save_reason(dataset, name, fault.reason)
        line = {"dataset": name, "status": "no_data", "note": fault.reason}
    else:
        served.dataset.save(dataset)
        line = _line(served.dataset, served.source, served.sha256, served.note)
        line["part"] = "yes" if served.dataset.n_cases < entry["shape"]["cases"] else ""
    write_records([line], record, columns=COLUMNS)


def encode_to_files(name, options, *, dataset, record) -> None:
    """Write a user's own table encoded, and its record."""
    from pinetum.data.table import read_table

    table = read_table(name, options)
    print(table, *table.warnings, sep="\n", flush=True)
    table.save(dataset)
    with open(options["path"], "rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    write_records([_line(table, "own table", digest, options["path"])], record, columns=COLUMNS)


def _line(dataset, source, sha256, note):
    return {
        "dataset": dataset.name,
        "source": source,
        "sha256": sha256,
        "cases": dataset.n_cases,
        "features": dataset.n_features,
        "classes": dataset.n_classes,
        "missing": dataset.n_missing,
        "status": "ok",
        "note": note,
    }


def availability(records, names) -> list[dict]:
    """The records in the order of the catalogue; `not_asked` for what no study of this run uses."""
    found = {}
    for path in records:
        with open(path, encoding="utf-8", newline="") as file:
            found.update({line["dataset"]: line for line in csv.DictReader(file)})
    return [found.get(name, {"dataset": name, "status": "not_asked"}) for name in names]
