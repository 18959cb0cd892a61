"""The data sets that a job measures on, and the rows of those that no source has."""

from collections.abc import Iterator

from pinetum.data import Dataset, NoData, load_dataset
from pinetum.progress import Progress


def each_table(names, folder=None) -> Iterator[tuple]:
    """(name, table) of data sets, with progress; `names` may map names to what the catalogue calls
    them.

    Where no source has a table, there stands its row for the records instead: see `absent`.
    """
    sources = names if isinstance(names, dict) else dict.fromkeys(names)
    progress = Progress(len(sources), "data sets")
    for name, source in sources.items():
        yield name, table_or_row(name, source or name, folder)  # kept by none but who takes it
        progress.step()


def table_or_row(name, source, folder) -> Dataset | dict:
    try:
        return load_dataset(source, folder)
    except NoData as missing:
        return {"dataset": name, "status": "no_data", "note": missing.reason}


def absent(table) -> bool:
    """Whether a table of `each_table` is the row of one that no source has."""
    return isinstance(table, dict)
