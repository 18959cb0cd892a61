"""Our linear programs through several solvers: the same answers, a table and a figure."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from pinetum.data import Dataset
from pinetum.separators.lp import Cases
from pinetum_benchmarks.solvers.figures import solver_times
from pinetum_benchmarks.solvers.programs import OURS, WAYS
from pinetum_benchmarks.solvers.timing import solver_table, time_solvers


@pytest.fixture
def results(tmp_path, monkeypatch):
    """Results with the encoded data set `two`, without `gone`."""
    (tmp_path / "data").mkdir()
    Dataset.save_reason(tmp_path / "data/gone.npz", "gone", "unreachable")
    rng = np.random.default_rng(0)
    labels = (np.arange(60) % 2).astype(np.int32)
    points = rng.normal(size=(60, 5)) + 1.2 * labels[:, None] * (np.arange(5) < 2)
    columns = [np.unique(column.round(2), return_inverse=True) for column in points.T]
    Dataset(
        name="two",
        codes=np.array([codes for _values, codes in columns], dtype=np.int32),
        labels=labels,
        continuous=np.ones(5, dtype=bool),
        values=tuple(values for values, _codes in columns),
        feature_names=tuple("abcde"),
        class_names=("x", "y"),
    ).save(tmp_path / "data/two.npz")
    monkeypatch.setenv("PINETUM_RESULTS", str(tmp_path))
    return tmp_path


def test_solvers_agree(results):
    outputs = SimpleNamespace(figure=results / "seconds.png", vector=[])
    made = time_solvers(
        {"two": "two", "gone": "gone"},
        folds=5,
        folds_run=2,
        ways=list(WAYS),
        repeats=2,
        seed=3,
        outputs=outputs,
    )
    rows = pd.DataFrame(made["records"])
    assert set(rows.loc[rows["dataset"] == "two", "status"]) == {"ok"}
    assert (rows["status"] == "no_data").sum() == len(WAYS)
    features = rows[rows["method"] == "RLP-P"].groupby("way")["features"].first()
    assert features.nunique() == 1
    assert made["table"]["way"].tolist() == list(WAYS)
    assert made["table"]["seconds_over_ours"].iloc[0] == 1
    assert outputs.figure.exists()


def test_nothing_to_time_is_an_empty_table_and_figure():
    none = pd.DataFrame([{"dataset": "heart", "status": "no_data", "way": OURS}])
    assert list(solver_table(none)) == ["way", "seconds", "seconds_over_ours"]
    assert solver_times(none)


def test_linprog_rival_solves_the_same_programs():
    rng = np.random.default_rng(0)
    cases = Cases(rng.normal(size=(30, 4)), rng.random(30) < 0.5)
    ours, theirs = (WAYS[way](cases.points, cases.positive) for way in (OURS, "scipy linprog"))
    delta = 1.1 * ours.best(0.02).value
    assert theirs.best(0.02).value == pytest.approx(delta / 1.1)
    assert theirs.lightest(np.ones(4), delta, 0.02).value == pytest.approx(
        ours.lightest(np.ones(4), delta, 0.02).value
    )
