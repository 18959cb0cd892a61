"""Methods of selection inside an outer cross-validation: nothing leaks, and the summaries are what
they say.
"""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from pinetum.distinct.estimators import BestSubset
from pinetum.induction import Grower, yadt
from pinetum_benchmarks.selection import oversearching as study
from pinetum_benchmarks.selection import selections

SETTINGS = {
    "datasets": ["toy"],
    "min_cases": 2,
    "repeats": 2,
    "folds": 3,
    "inner_folds": 3,
    "building": 0.7,
    "delta": 0.02,
    "work": 5,
    "cache_mb": 20,
}


@pytest.fixture(scope="module")
def toy(request):
    tools = request.getfixturevalue("tools")
    return tools.random_table(
        np.random.default_rng(5), cases=90, features=5, classes=3, missing=0.1
    )


@pytest.fixture
def records(toy, monkeypatch):
    monkeypatch.setattr(study, "load_dataset", lambda name: toy)
    return pd.DataFrame(study.oversearching_records(SETTINGS, 1))


def test_every_method_on_every_outer_fold(records, toy):
    assert tuple(study.METHODS) == selections.METHODS
    assert len(records) == len(study.METHODS) * 6 and set(records.columns) == set(study.COLUMNS)
    wide = records.pivot(index=["repeat", "fold"], columns="method", values="inner_error")
    assert (wide["optimum, folds"] <= wide["best of path, folds"]).all()
    assert (wide["best of path, folds"] <= wide["SBE, folds"]).all()
    assert (wide["optimum, one split"] <= wide["SBE, one split"]).all()
    assert (
        wide["smallest within delta, folds"] <= wide["optimum, folds"] + 100 * SETTINGS["delta"] + 1
    ).all()
    size = records.pivot(index=["repeat", "fold"], columns="method", values="size")
    assert (size["smallest within delta, folds"] <= size["optimum, folds"]).all()
    assert (size["random subset"] == size["optimum, folds"]).all()
    assert (size["one SE, folds"] <= size["best of path, folds"]).all()


def test_test_errors_are_of_trees_on_all_training_cases(records, toy):
    from pinetum.validation.folds import repeated_folds

    fold_of = repeated_folds(toy.labels, 3, 2, 1, "oversearching", "toy")[1]
    for row in records[(records["repeat"] == 1) & (records["fold"] == 2)].itertuples():
        training, held_out = np.flatnonzero(fold_of != 2), np.flatnonzero(fold_of == 2)
        subset = [toy.feature_names.index(name) for name in json.loads(row.selected)]
        assert row.errors == Grower(toy, yadt(2), cases=training).grow(subset).errors(toy, held_out)


def test_labels_of_held_out_cases_change_no_selection(toy):
    """A check that would fail if a method saw the outer fold."""
    fold_of = np.arange(toy.n_cases) % 3
    twisted = toy.labels.copy()
    twisted[fold_of == 0] = (twisted[fold_of == 0] + 1) % 3
    from dataclasses import replace

    one, other = (
        study.fold_records(data, fold_of, 0, 0, SETTINGS, 1)
        for data in (toy, replace(toy, labels=twisted))
    )
    assert [row["selected"] for row in one] == [row["selected"] for row in other]
    assert [row["inner_error"] for row in one] == [row["inner_error"] for row in other]
    assert [row["errors"] for row in one] != [row["errors"] for row in other]


def test_shards_join_to_the_whole(records, toy, monkeypatch):
    parts = pd.concat(
        [pd.DataFrame(study.oversearching_records(SETTINGS, 1, shard, 2)) for shard in (1, 0)]
    )
    joined = selections.in_order(parts, ["toy"])
    kept = [name for name in study.COLUMNS if name not in ("seconds", "version", "commit")]
    pd.testing.assert_frame_equal(joined[kept], selections.in_order(records, ["toy"])[kept])


def test_stability_is_kuncheva_s_for_subsets_of_one_size():
    rng = np.random.default_rng(3)
    for _ in range(20):
        n, k, m = 9, int(rng.integers(1, 9)), 5
        chosen = [set(rng.choice(n, k, replace=False).tolist()) for _ in range(m)]
        pairs = [(a, b) for i, a in enumerate(chosen) for b in chosen[:i]]
        kuncheva = np.mean([(len(a & b) * n - k * k) / (k * (n - k)) for a, b in pairs])
        assert selections.stability(chosen, n) == pytest.approx(kuncheva)
    assert (
        selections.jaccard([{1, 2}, {2, 3}]) == pytest.approx(1 / 3)
        and selections.jaccard([set(), set()]) == 1
    )


def test_summaries(records):
    table = selections.by_dataset(records)
    assert len(table) == len(study.METHODS) and (table["outer_folds"] == 6).all()
    other = table.assign(dataset="other", test_error=table["test_error"] + np.arange(len(table)))
    third = table.assign(
        dataset="third", test_error=table["test_error"] + np.arange(len(table)) / 2
    )
    whole = pd.concat([table, other, third])
    summary = selections.by_method(whole).set_index("method")
    assert summary["rank"].sum() == pytest.approx(sum(range(1, len(study.METHODS) + 1)))
    assert (
        summary.loc[selections.REFERENCE, "difference"] == 0
        and (summary["wins"] + summary["ties"] <= 3).all()
    )
    said = selections.verdict(whole).iloc[0]
    assert said["data_sets"] == 3 and "on 3 data sets" in said["sentence"]
    assert selections.verdict(table).iloc[0]["sentence"] == "too few data sets to say"
    nothing = selections.by_dataset(records.assign(status="no_data"))
    assert len(selections.by_method(nothing)) == 0
    assert selections.page(table) == selections.page(nothing)  # too few to say
    assert said["sentence"] in selections.page(whole)


def test_the_page_of_the_documentation_says_what_its_table_says():
    root = Path(__file__).parents[2]
    table = pd.read_csv(root / "notes/oversearching.csv")
    assert (root / "notes/oversearching.md").read_text(encoding="utf-8") == selections.page(table)
    said = selections.verdict(table).iloc[0]
    assert said["data_sets"] >= 20 and said["sentence"] in (
        root / "docs/ideas/elimination.md"
    ).read_text(encoding="utf-8")
    of = selections.by_method(table).set_index("method")
    told = " ".join(BestSubset.__doc__.split())
    for name in (selections.REFERENCE, "SBE, folds", "optimum, one split"):
        assert f"{of.loc[name, 'test_error']:.1f} %" in told
    assert (
        f"on {said['data_sets']} data sets" in told
        and f"({of.loc[selections.REFERENCE, 'inner_error']:.1f} %" in told
    )
    best = of["rank"].idxmin()
    assert best == selections.REFERENCE, (
        "BestSubset() does what the study found best: say otherwise, or follow it"
    )
