"""Data sets to files, and the table that says where each one came from."""

import hashlib

from pinetum.data.dataset import Dataset
from pinetum.data.errors import DataError, NoData
from pinetum.data.sources import Setting, mirror_of, serve
from pinetum.files import csv_lines, results_folder
from pinetum.workflow.job import Plain
from pinetum.workflow.jobs import tell
from pinetum.workflow.warned import WARNING

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


def fetch_dataset(name, entry, archives, downloads, require_all, config, outputs) -> dict:
    """Serve one data set from the first source that can: the encoded table, or a marker with the
    reason when none can, and a line on where it came from.
    """
    setting = Setting(mirror_of(config["mirror"]), results_folder() / downloads, archives)
    try:
        served = serve(name, entry, setting)
    except NoData as fault:
        if require_all:
            raise DataError(
                str(fault), cure="set a mirror, reach the network, or set `require_all: false`"
            ) from None
        print(fault, flush=True)
        Dataset.save_reason(outputs.dataset, name, fault.reason)
        line = {"dataset": name, "status": "no_data", "note": fault.reason}
    else:
        served.dataset.save(outputs.dataset)
        line = _line(served.dataset, served.source, served.sha256, served.note)
        line["part"] = "yes" if served.dataset.n_cases < entry["shape"]["cases"] else ""
    return {"record": Plain([line], COLUMNS)}


def encode_table(name, options, outputs) -> dict:
    """Encode one of the user's own tables."""
    from pinetum.data.table import read_table

    table = read_table(name, options)
    print(table, flush=True)
    tell(*(f"{WARNING}{name}: {line}" for line in table.warnings))
    table.save(outputs.dataset)
    with open(options["path"], "rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return {"record": Plain([_line(table, "own table", digest, options["path"])], COLUMNS)}


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


def report_availability(catalogue, inputs) -> dict:
    """One line per data set of the catalogue: which source served it, or why none did;
    `not_asked` for what no study of this run uses.
    """
    found = {}
    for path in inputs.files.records:
        found.update({line["dataset"]: line for line in csv_lines(path)})
    lines = [found.get(name, {"dataset": name, "status": "not_asked"}) for name in catalogue]
    return {"table": Plain(lines, COLUMNS)}
