"""All sources of a data set lead to the same encoded table, or differ exactly as the catalogue
says.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pinetum.data.errors import DataError, NoData
from pinetum.data.loading import load_catalogue
from pinetum.data.sources import Setting, serve
from pinetum.data.views import without_unseen

CATALOGUE = load_catalogue(Path(__file__).parents[2] / "config/catalogue.yaml")
ENTRIES = CATALOGUE["datasets"]
STORED = [
    name
    for name, entry in ENTRIES.items()
    if "standin" not in entry["sources"][0] and name not in ("gisette", "p53")
]
EXACT = [
    name for name, entry in ENTRIES.items() if any("exact" in source for source in entry["sources"])
]
PACKAGED = [
    (name, number)
    for name, entry in ENTRIES.items()
    for number, source in enumerate(entry["sources"])
    if "package" in source
]


@pytest.mark.parametrize("name", STORED)
def test_the_mirror_has_it_with_the_stated_shape(name, from_mirror):
    dataset = from_mirror(name)  # shape and checksums are compared on the way
    assert dataset.name == name


@pytest.mark.parametrize("name", EXACT)
def test_the_generator_gives_the_table_of_the_mirror(name, from_mirror, serve_from):
    source = next(source for source in ENTRIES[name]["sources"] if "exact" in source)
    assert serve_from(name, source).dataset.digest() == from_mirror(name).digest()


def sorted_rows(dataset):
    table = np.vstack([dataset.codes, dataset.labels[None]])
    return table[:, np.lexsort(table)]


@pytest.mark.network
@pytest.mark.parametrize(("name", "number"), PACKAGED)
def test_the_package_gives_the_table_of_the_mirror(name, number, from_mirror, serve_from):
    source = ENTRIES[name]["sources"][number]
    ours, theirs = from_mirror(name), serve_from(name, source).dataset
    differs = source["package"].get("differs", {})
    if "order" in differs:
        assert not np.array_equal(ours.codes, theirs.codes)
        np.testing.assert_array_equal(sorted_rows(ours), sorted_rows(theirs))
        theirs = replace(theirs, codes=ours.codes, labels=ours.labels)
    elif "cells" in differs:
        different = ours.codes != theirs.codes
        assert (
            np.count_nonzero(different)
            == differs["cells"]
            == np.count_nonzero(theirs.codes[different] == -1)
        )
        theirs = replace(theirs, codes=ours.codes)
    elif "cases" in differs:
        ours = without_unseen(ours.take_cases(np.arange(differs["cases"])))
    assert ours.digest() == theirs.digest()


def test_the_first_source_that_can_serve_is_taken_and_all_reasons_are_told(tmp_path, monkeypatch):
    monkeypatch.setattr("pinetum.data.download.CONNECT_SECONDS", 0.2)
    setting = Setting(str(tmp_path / "no mirror"), tmp_path, {}, uci="http://127.0.0.1:9/")
    assert serve("car", ENTRIES["car"], setting).source == "exact"
    with pytest.raises(
        NoData, match=r"mirror: .*not in the mirror.* \| uci: 127\.0\.0\.1:9: not reachable"
    ):
        serve("gisette", ENTRIES["gisette"], setting)


def test_a_damaged_file_of_the_mirror_is_passed_over_and_left_alone(tmp_path):
    file = tmp_path / "car" / "car.data"
    file.parent.mkdir()
    file.write_text("<html>404</html>")
    entry = {**ENTRIES["car"], "sources": [{"mirror": {}}, {"exact": {"generator": "car"}}]}
    served = serve("car", entry, Setting(str(tmp_path), tmp_path, {}))
    assert served.source == "exact" and file.exists()
    with pytest.raises(NoData, match="wrong checksum: an HTML page"):
        serve("car", {**entry, "sources": [{"mirror": {}}]}, Setting(str(tmp_path), tmp_path, {}))


@pytest.mark.parametrize(
    "wrong, says",
    [
        ({"cases": 1729}, "1,729"),
        ({"features": 5}, "5"),
        ({"missing": 3}, "3"),
    ],
)
def test_a_wrong_entry_ends_in_an_error_not_in_a_data_set_without_a_source(tmp_path, wrong, says):
    entry = {**ENTRIES["car"], "sources": [{"exact": {"generator": "car"}}]}
    entry["shape"] = entry["shape"] | wrong
    with pytest.raises(DataError, match=says):
        serve("car", entry, Setting("", tmp_path, {}))
