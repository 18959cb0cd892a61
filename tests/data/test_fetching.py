"""The papers' data sets by name, as a frame and classes."""

from dataclasses import replace

import numpy as np
import pytest

from pinetum.constants import MISSING
from pinetum.data import DataError, NoData, Table
from pinetum.data.dataset import Dataset
from pinetum.data.download import fetch
from pinetum.data.fetching import fetch_dataset, frame_of
from pinetum.data.sample import sample


@pytest.mark.parametrize(
    "name, shape, classes",
    [
        ("car", (1728, 6), 4),
        ("nursery", (12960, 8), 5),
        ("monks-2", (601, 6), 2),
        ("tic-tac-toe", (958, 9), 2),
    ],
)
def test_defined_data_sets_need_no_source(name, shape, classes, monkeypatch, tmp_path):
    monkeypatch.delenv("PINETUM_MIRROR", raising=False)
    monkeypatch.setattr("pinetum.data.download.fetch", None)
    X, y = fetch_dataset(name, tmp_path)
    assert X.shape == shape and y.nunique() == classes and not list(tmp_path.iterdir())
    assert fetch.__name__ == "fetch"


def test_an_unknown_name_is_an_error_that_lists_the_known():
    with pytest.raises(
        DataError, match=r"'hart' is not in the catalogue; take one of .*heart, heart-binary"
    ):
        fetch_dataset("hart")


def test_no_source_tells_every_reason(monkeypatch, tmp_path):
    monkeypatch.delenv("PINETUM_MIRROR", raising=False)
    monkeypatch.setattr("pinetum.data.sources.UCI", "file:///nowhere/")
    lost = {
        "sources": [{"mirror": {}}],
        "files": [{"path": "x"}],
        "shape": {"cases": 1, "features": 1, "classes": {}},
    }
    catalogue = {"archives": {}, "datasets": {"lost": lost}}
    monkeypatch.setattr("pinetum.data.fetching.load_catalogue", lambda: catalogue)
    with pytest.raises(NoData, match="mirror: no mirror folder is set"):
        fetch_dataset("lost", tmp_path)


@pytest.mark.parametrize("missing", [False, True])
def test_the_frame_is_the_table_again(missing):
    dataset: Dataset = sample(missing=missing)
    X, y = frame_of(dataset)
    again = Table.from_frame(X.assign(outcome=y), "outcome")
    assert again.feature_names == dataset.feature_names and again.class_names == tuple(
        sorted(dataset.class_names)
    )
    for column, continuous in enumerate(dataset.continuous):
        if continuous:
            np.testing.assert_array_equal(again.values[column], dataset.values[column])
            np.testing.assert_array_equal(again.codes[column], dataset.codes[column])
    assert X.isna().to_numpy().sum() == dataset.n_missing


def test_a_column_without_any_value_is_missing_throughout():
    dataset = sample(missing=True)
    column = int(np.flatnonzero(dataset.continuous)[0])
    codes, values = dataset.codes.copy(), list(dataset.values)
    codes[column], values[column] = MISSING, values[column][:0]
    X, _ = frame_of(replace(dataset, codes=codes, values=tuple(values)))
    assert X.iloc[:, column].isna().all() and X.notna().any(axis=1).all()
