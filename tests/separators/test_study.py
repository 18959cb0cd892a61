"""Records: the same on every run, one row per failure, a row for every published number."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from pinetum.data import Dataset
from pinetum.report.comparison import judged, read_published
from pinetum.report.rows import ReproducedRows
from pinetum.separators.explore import SOLVING, explore
from pinetum.separators.lp import SolverOptions
from pinetum.separators.names import LIMITED, METHODS, MINIMIZED, PRINTED
from pinetum.separators.planes import Bench, Settings
from pinetum.separators.replication import measure, readings, results, rivals

ROOT = Path(__file__).parents[2]
COMMON = {"folds": 5, "seed": 3, "folds_run": 2}
SETTINGS = Settings()
SECTION = {name: getattr(SETTINGS, name) for name in SOLVING} | {
    "solver": {"name": "HiGHS", "form": "auto", "time_limit": 60, "log": "first"}
}


@pytest.fixture(scope="module", autouse=True)
def folder(tmp_path_factory):
    """Results with the encoded data sets `two` (two classes), `three` and `one`, without `gone`."""
    results = tmp_path_factory.mktemp("results")
    folder = results / "data"
    folder.mkdir()
    Dataset.save_reason(folder / "gone.npz", "gone", "unreachable")
    rng = np.random.default_rng(0)
    for name, classes in (("two", 2), ("three", 3), ("one", 1)):
        labels = (np.arange(60) % classes).astype(np.int32)
        points = rng.normal(size=(60, 5)) + 1.2 * labels[:, None] * (np.arange(5) < 2)
        columns = [np.unique(column.round(2), return_inverse=True) for column in points.T]
        Dataset(
            name=name,
            codes=np.array([codes for _values, codes in columns], dtype=np.int32),
            labels=labels,
            continuous=np.ones(5, dtype=bool),
            values=tuple(values for values, _codes in columns),
            feature_names=tuple("abcde"),
            class_names=tuple("xyz"[:classes]),
        ).save(folder / f"{name}.npz")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PINETUM_RESULTS", str(results))
        yield folder


def stable(records):
    frame = pd.DataFrame(records)
    return frame[[column for column in frame.columns if "seconds" not in column]]


def test_single_decisions_are_the_same_on_every_run():
    runs = [
        stable(measure.single_decisions({"two": "two"}, repeats=2, settings=Settings(), **COMMON))
        for _ in range(2)
    ]
    pd.testing.assert_frame_equal(*runs)
    assert len(runs[0]) == 2 * 2 * len(METHODS)
    assert runs[0]["gap_below_1e-9"].all() and (runs[0]["status"] == "ok").all()
    assert runs[0].loc[runs[0]["method"].isin(MINIMIZED), "verified"].all()


def test_all_methods_see_the_same_folds_and_c45_too():
    rows = pd.DataFrame(
        measure.single_decisions(
            {"two": "two"}, repeats=1, settings=Settings(), univariate=True, **COMMON
        )
    )
    assert rows.groupby(["repeat", "fold"])["method"].nunique().eq(len(METHODS) + 1).all()
    assert (rows["test_error"].between(0, 100)).all()


def test_a_solver_without_time_is_a_row():
    settings = Settings(solver=SolverOptions(time_limit=1e-9))
    rows = pd.DataFrame(
        measure.single_decisions({"two": "two"}, repeats=1, settings=settings, **COMMON)
    )
    assert set(rows["status"]) <= {"time_limit", "ok"} and (rows["status"] == "time_limit").any()


def test_a_single_decision_separates_two_classes():
    with pytest.raises(ValueError, match="3 classes"):
        measure.single_decisions({"three": "three"}, repeats=1, settings=Settings(), **COMMON)


def test_exact_minima_are_never_above_the_heuristic():
    rows = pd.DataFrame(
        measure.prove_minima(
            {"two": "two"},
            {"repeats": 1, "method": "cuts", "effort": 1000, "time_limit": 60},
            **COMMON,
            **SECTION,
        )["exact"]
    )
    assert (rows["status"] == "optimal").all() and rows["verified"].all()
    assert (rows["minimum"] <= rows["heuristic"]).all() and (rows["bound"] == rows["minimum"]).all()
    assert results.exact_minimum(rows)["folds proven"].tolist() == [2, 2]


def test_paths_and_planes():
    rows = pd.DataFrame(
        measure.feature_path(
            {"two": "two"}, repeats=1, settings=Settings(), counts=[1, 3, 5, 9], **COMMON
        )
    )
    ours = rows[rows["method"] == LIMITED]
    assert (
        ours["allowed"].unique().tolist() == [1, 3, 5]
        and (ours["features"] <= ours["allowed"]).all()
    )
    if rivals.available():
        assert (rows["features"] <= rows["allowed"]).all() and {"L1 SVM", "RFE"} <= set(
            rows["method"]
        )
    planes, cases = measure.few_features({"two": "two"}, Settings())
    assert {row["allowed"] for row in planes} == {2, 3} and len(cases) == 60 * len(planes)


def test_trees_of_several_classes():
    rows = pd.DataFrame(
        measure.grow_plane_trees(
            {"two": "two"},
            {
                "several_classes": {"three": "three"},
                "methods": ("FM_RLP",),
                "kinds": ("rest", "pairs"),
                "depths": (1, 0),
                "repeats": 1,
                "min_cases": 5,
            },
            **COMMON,
            **SECTION,
        )["trees"]
    )
    assert set(rows["classes"]) == {"two classes", "rest", "pairs"}
    assert (rows.loc[rows["depth_limit"] == 1, "depth"] <= 1).all()
    assert len(results.trees(rows, None)) == 2 + 4


@pytest.fixture(scope="module")
def alternatives():
    options = {"repeats": 2, "settings": Settings(), **COMMON}
    return pd.DataFrame(readings.reading_records({"heart": "two"}, **options))


def test_readings_change_what_they_name_and_nothing_else(alternatives):
    runs = sum(len(reading.methods) for reading in readings.READINGS.values()) + len(
        readings.C45_READINGS
    )
    assert len(alternatives) == 2 * runs
    table = results.alternatives(alternatives).set_index("reading")
    assert list(table.index) == list(readings.READINGS)
    same = table.loc[["default", "primal form"], "heart RLP-P features"]
    assert same.nunique() == 1
    assert (
        table.loc["delta = 1.2 x LP error", "heart FM_RLP features"]
        <= table.loc["default", "heart FM_RLP features"]
    )


def test_readings_of_the_column_c45(alternatives):
    published = read_published(ROOT / "config" / "published" / "separators.csv")
    table = results.c45_readings(alternatives, published)
    assert (
        list(table["C4.5"]) == ["printed", *readings.C45_READINGS]
        and float(table["Heart inner nodes"].iloc[0]) == 12
    )
    numbers = table.iloc[1:].set_index("C4.5").astype(float)
    assert (numbers["Heart different features"] <= numbers["Heart inner nodes"]).all()
    column = pd.DataFrame(
        measure.single_decisions(
            {"heart": "two"}, repeats=2, settings=Settings(), univariate=True, **COMMON
        )
    )
    same = alternatives[alternatives["reading"] == PRINTED]["test_error"].mean()
    assert column[column["method"] == "C4.5"]["test_error"].mean() == pytest.approx(same)


def test_wrong_readings_are_refused_by_the_numbers_they_would_have_printed():
    """Numbers printed by one reading are within under it and outside under readings that differ."""
    options = {
        "repeats": 6,
        "settings": Settings(),
        "folds": 5,
        "seed": 3,
        "methods": ("FM_RLP",),
    }

    def of(**change):
        settings = Settings(**change)
        return pd.DataFrame(
            measure.single_decisions({"heart": "two"}, **(options | {"settings": settings}))
        )

    truth = results.per_repeat(of(), "heart", "FM_RLP")["features"]
    published = read_published(ROOT / "config" / "published" / "separators.csv")
    key = ("Table 2", "Heart, features", "FM_RLP")
    at = (
        (published["item"] == key[0])
        & (published["row"] == key[1])
        & (published["column"] == key[2])
    )
    published.loc[at, "published"] = f"{truth.iloc[0]:.1f}"
    verdicts = {}
    for name, change in (
        ("right", {}),
        ("delta", {"tolerance": 2.0}),
        ("epsilon", {"tolerance": 1.0001}),
    ):
        rows = ReproducedRows(published)
        rows.repeated(key, results.per_repeat(of(**change), "heart", "FM_RLP")["features"].iloc[1:])
        verdicts[name] = judged(published, rows.frame())[at.to_numpy()]["verdict"].item()
    assert verdicts == {"right": "within", "delta": "outside", "epsilon": "outside"}


def test_cases_on_the_plane_fall_by_the_rule():
    side, positive = np.array([1, -1, 0, 0]), np.array([True, True, True, False])
    chance = np.random.default_rng(0)
    assert measure.errors_on_plane(side, positive, "negative", chance).tolist() == [
        False,
        True,
        True,
        False,
    ]
    assert measure.errors_on_plane(side, positive, "positive", chance).tolist() == [
        False,
        True,
        False,
        True,
    ]
    assert measure.errors_on_plane(side, positive, "wrong", chance).tolist() == [
        False,
        True,
        True,
        True,
    ]
    many = measure.errors_on_plane(np.zeros(4000), np.ones(4000, bool), "chance", chance)
    assert 0.45 < many.mean() < 0.55


def test_a_plane_of_split_weights_separates_what_can_be_separated():
    points = np.random.default_rng(0).normal(size=(40, 30))
    positive = np.arange(40) % 2 == 0
    for _ in range(5):
        plane = readings.SplitBench(points, positive).fit("RLP")
        assert (
            plane.scaled.value == pytest.approx(0, abs=1e-9)
            and ((plane.side(points) > 0) == positive).all()
        )
    overlapping = points[:, :3]
    split, ours = (
        bench(overlapping, positive).fit("RLP").scaled.value
        for bench in (readings.SplitBench, Bench)
    )
    assert split == pytest.approx(ours)


def test_every_published_number_has_a_row():
    published = read_published(ROOT / "config" / "published" / "separators.csv")
    names = {"heart": "two", "cancer": "two", "sonar": "two", "house": "two"}
    folds = pd.DataFrame(
        measure.single_decisions(names, repeats=2, settings=Settings(), univariate=True, **COMMON)
    )
    rows = results.reproduced(folds, folds.iloc[:0], folds.iloc[:0], published)
    keys = ["item", "row", "column"]
    assert rows[keys].values.tolist() == published[keys].values.tolist()
    assert rows["status"].isin(["ok", "no_data", "not_run"]).all()
    cell = rows[
        (rows["item"] == "Table 2") & (rows["row"] == "Heart, features") & (rows["column"] == "RLP")
    ]
    assert cell["status"].item() == "ok" and cell["n"].item() == 2


def test_own_tables(folder):
    options = {
        "methods": ["FM_RLP-P"],
        "depths": [1, 0],
        "min_cases": 5,
        "kind": "rest",
        "coding": "indicator",
        "missing": "fill",
        "repeats": 1,
        "folds": 3,
        "cells": 10**6,
        "work": 1000,
        "memory_mb": 1000,
    }

    def run(name, **changed):
        settings = SECTION | options | changed
        return explore(Dataset.load(folder / f"{name}.npz"), settings, seed=1)["separators.csv"]

    rows = run("three")
    assert (
        [row["status"] for row in rows] == ["ok", "ok"]
        and " > " in rows[0]["first_plane"]
        and ", else " in rows[0]["first_plane"]
    )
    assert run("one")[0]["status"] == "unsuitable"
    rows = run("three", work=1, folds=10)
    assert {row["depth_limit"] for row in rows} == {1} and "left out to stay within" in rows[0][
        "note"
    ]


def test_tables_and_figures_without_any_data():
    from pinetum.separators.replication import figures

    published = read_published(ROOT / "config" / "published" / "separators.csv")
    none = pd.DataFrame(
        [
            {"dataset": name, "status": "no_data", "note": "unreachable"}
            for name in results.PAPER_SETS
        ]
    )
    rows = results.reproduced(none, none, none, published)
    assert set(rows["status"]) <= {"no_data", "not_run"}
    assert (results.single_decisions(none, none)["method"] == "no data").all()
    for table in (
        results.exact_minimum(none),
        results.alternatives(none.assign(reading="default")),
        results.c45_readings(none, published),
        results.rivals(none),
        results.trees(none, none),
    ):
        assert len(table)
    assert figures.error_by_features(none, none)
    assert figures.separating_line(none, pd.DataFrame())
    assert figures.separating_plane(none, pd.DataFrame())
    assert figures.exact_minimum(none)


def test_a_data_set_without_a_source_is_a_row_in_its_place():
    names = {"first": "gone", "two": "two", "last": "gone"}
    rows = measure.single_decisions(names, repeats=1, settings=SETTINGS, **COMMON)
    assert [row["dataset"] for row in rows if row["status"] == "no_data"] == ["first", "last"]
    assert rows[0] == {"dataset": "first", "status": "no_data", "note": "unreachable"}
    assert rows[-1]["dataset"] == "last" and rows[1]["dataset"] == "two"
    found = readings.compare_alternatives({"first": "gone"}, 1, **COMMON, **SECTION)
    assert [row["status"] for row in found["alternatives"]] == ["no_data"]
