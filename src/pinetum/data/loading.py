"""What studies call: a data set, or a view on one, by name."""

from functools import cache
from pathlib import Path

import yaml

from pinetum.data.dataset import Dataset
from pinetum.data.errors import DataError
from pinetum.data.views import apply_view
from pinetum.files import HOME, results_folder


@cache
def _parsed(path, stamp):
    with open(path, encoding="utf-8") as file:
        return yaml.load(file, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def load_catalogue(path=None) -> dict:
    path = Path(path or HOME / "config/catalogue.yaml")
    return _parsed(str(path), path.stat().st_mtime_ns)


def load_dataset(name, folder=None, catalogue=None) -> Dataset:
    """The encoded data set or view called `name`; `NoData` when no source could serve it."""
    folder = folder or results_folder() / "data"
    view = load_catalogue(catalogue).get("views", {}).get(name)
    base = view["of"] if view else name
    path = Path(folder) / f"{base}.npz"
    if not path.exists():
        raise DataError("not encoded yet", file=path, cure=f"run `snakemake --cores 1 {path}`")
    dataset = Dataset.load(path)
    return apply_view(name, dataset, view) if view else dataset
