"""A data set from the first of its sources that can serve it, read, encoded and compared with its
shape.
"""

import os
from dataclasses import dataclass
from pathlib import Path

from pinetum.data import arff, download, exact, index, rdata, standins
from pinetum.data.dataset import Dataset
from pinetum.data.encode import check_shape, encode, read_piece
from pinetum.data.errors import DataError, NoData
from pinetum.data.unpack import MOST_BYTES, checked, unpacked

UCI = "https://archive.ics.uci.edu/ml/machine-learning-databases/"


@dataclass(frozen=True)
class Setting:
    """Where sources look: the mirror's folder (or none), the folder of downloads, the archives of
    the catalogue.
    """

    mirror: str
    downloads: Path
    archives: dict
    uci: str = UCI


@dataclass(frozen=True)
class Served:
    dataset: Dataset
    source: str
    sha256: str
    note: str


def mirror_of(config_value) -> str:
    """The mirror's folder: the configuration's, else that of the environment, else none."""
    return os.path.expanduser(config_value or os.environ.get("PINETUM_MIRROR", ""))


def serve(name, entry, setting: Setting) -> Served:
    """Try the sources in order; `NoData` with every source's reason when none has the files.

    Files that are there and are the right ones, but do not give the table that the entry states,
    are a fault of the entry: a `DataError`.
    """
    reasons = []
    for source in entry["sources"]:
        [(kind, options)] = source.items()
        if kind == "standin":
            dataset = standins.make(name, options)
            check_shape(dataset, entry["shape"], "generator")
            note = "generated: never compared with published numbers"
            return Served(dataset, "standin", "", note)
        plan = {**entry, **options}
        try:
            files, sums = _fetch(kind, plan, setting)
        except (DataError, OSError) as fault:
            print(f"{name}: {kind}: {fault}", flush=True)
            reasons.append(f"{kind}: {fault}")
            continue
        pieces = [read_piece(*file) for file in files]
        dataset = encode(name, pieces, list(plan["shape"]["classes"]))
        check_shape(dataset, plan["shape"], pieces[0].file)
        note = options.get("differs", {}).get("note", "")
        return Served(dataset, _label(kind, options, setting), " ".join(sums), note)
    raise NoData(name, " | ".join(reasons))


def _fetch(kind, plan, setting):
    """What `read_piece` takes of every file of a source, and the files' sums."""
    get = _READERS[kind](plan, setting, most_bytes(plan["shape"]))
    files, sums = [], []
    for file in plan["files"]:
        data, origin = get(file)
        sums.append(checked(data, file, origin))
        labels = get(file["labels"]) if "labels" in file else None
        if labels:
            sums.append(checked(labels[0], file["labels"], labels[1]))
        files.append((data, {**plan["read"], **file.get("read", {})}, origin, labels))
    return files, sums


def most_bytes(shape) -> int:
    """Size beyond which a file cannot be that of a data set of this shape.

    The largest known has 10 bytes a cell.
    """
    if shape["cases"] is None or shape["features"] is None:
        return MOST_BYTES
    return (1 << 20) + 40 * shape["cases"] * (shape["features"] + 1)


def _label(kind, options, setting):
    if kind == "package":
        archive = setting.archives[options["archive"]]
        kind = "debian" if archive["file"].endswith(".deb") else kind
        return f"{kind} {archive['project']} {archive['version']}"
    return kind


def _from_mirror(options, setting, most):
    if not setting.mirror:
        raise DataError(
            "no mirror folder is set", cure="set `mirror` or the variable PINETUM_MIRROR to use one"
        )

    def get(file):
        for ending in ("", ".xz", ".gz", ".Z"):
            path = Path(setting.mirror, file["path"] + ending)
            if path.is_file():
                return unpacked(path.read_bytes(), path, most), path
        raise DataError(
            "not in the mirror",
            file=Path(setting.mirror, file["path"]),
            cure="add it, or use another source",
        )

    return get


def _from_uci(options, setting, most):
    def get(file):
        path = file.get("uci_path", file["path"])
        target = setting.downloads / "uci" / path
        download.fetch(
            setting.uci + path,
            target,
            lambda data: checked(unpacked(data, target, most), file, target),
            setting.downloads,
            most=most,
        )
        return unpacked(target.read_bytes(), target, most), target

    return get


def _from_program(options, setting, most):
    def get(file):
        return exact.file_content(file["path"]), f"{file['path']} (generated)"

    return get


def _from_package(options, setting, most):
    archive = setting.archives[options["archive"]]
    path = index.fetch_archive(archive, setting.downloads)

    def get(file):
        origin = f"{path.name}:{file['path']}"
        data = unpacked(index.member(path, file["path"], most), file["path"], most)
        if "coded" in file:
            first, end = file["coded"]
            if file["path"].endswith(".rda"):
                text = rdata.coded(data, origin, first, end, file.get("joined", ()))
            else:
                text = arff.coded(data.decode(), origin, first, end)
            data = text.encode()
        return data, origin

    return get


_READERS = {
    "mirror": _from_mirror,
    "uci": _from_uci,
    "exact": _from_program,
    "package": _from_package,
}
