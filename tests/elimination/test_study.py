"""Records, summaries, the selector, and a user's own table."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.pipeline import make_pipeline

from pinetum import TreeClassifier
from pinetum.data.dataset import Dataset
from pinetum.elimination.backward import select, tree_errors
from pinetum.elimination.estimators import BackwardElimination
from pinetum.elimination.explore import explore, explored, rows_by_size
from pinetum.elimination.replication import measure, optima, readings, results
from pinetum.elimination.replication.folds import FoldedTable, Item, share_of
from pinetum.elimination.replication.protocol import BUILDING, MIN_CASES, RULES
from pinetum.induction import yadt
from pinetum.report.comparison import judged, read_published
from pinetum.report.readings import judge_readings
from pinetum.report.rows import ReproducedRows

SETTINGS = {
    "datasets": ["toy"],
    "repeats": 2,
    "folds": 3,
    "black_box": {"toy": 4},
    "optimal": {"toy": {"folds": 1, "work": 1}},
    "curve": {
        "rows": ["toy"],
        "min_cases": [2, 8],
        "repeats": 1,
        "optimal_folds": 0,
        "optimal_work": 1,
    },
    "cache_mb": 10,
}
READINGS = {"datasets": ["toy"], "top": [], "repeats": 2}


@pytest.fixture
def save(tmp_path, monkeypatch):
    """Makes a table one of the encoded data sets that jobs read."""
    (tmp_path / "data").mkdir()
    monkeypatch.setenv("PINETUM_RESULTS", str(tmp_path))
    return lambda data: data.save(tmp_path / f"data/{data.name}.npz")


@pytest.fixture
def toy(tools, save):
    data = tools.random_table(
        np.random.default_rng(5), cases=90, features=6, classes=3, missing=0.1
    )
    data = replace(data, name="toy")
    save(data)
    return data


def folded(data, rules=RULES):
    return FoldedTable("toy", data, folds=3, cache_mb=5, seed=1, rules=rules)


def eliminated(shard="1-of-1"):
    """(records, paths) of the eliminations of a shard."""
    settings = {name: value for name, value in SETTINGS.items() if name != "optimal"}
    made = measure.eliminate_features(**settings, shard=shard, seed=1)
    return made["folds"], made["paths"]


def searched():
    settings = {
        name: value for name, value in SETTINGS.items() if name not in ("black_box", "repeats")
    }
    return optima.search_optima(**settings, shard="1-of-1", seed=1)["optimal"]


def not_timing(records):
    kept = [name for name in records if not name.startswith("seconds")]
    return records[kept].astype(object)


def test_shards_join_to_the_whole(toy):
    whole, paths = eliminated()
    parts = pd.concat([eliminated(f"{shard}-of-2")[0] for shard in (1, 2)])
    parts = parts.sort_values("turn", ignore_index=True)
    pd.testing.assert_frame_equal(not_timing(parts), not_timing(whole))
    assert whole["turn"].tolist() == list(range(9)) and whole["same_selection"].sum() == 4
    first = paths[paths["turn"] == 0]
    assert first["search_errors"].iloc[0] == whole["top_search_errors"][0]
    assert first["search_errors"].iloc[-1] == whole["search_errors"][0]


def test_shards_share_the_folds_of_every_data_set_and_the_black_box():
    rows = {"one": "one", "two": "view of two"}
    items = [Item(row, m, 0, fold, m == 2) for m in (2, 8) for row in rows for fold in range(4)]
    shares = [share_of(items, rows, f"{shard}-of-2") for shard in (1, 2)]
    turns = {}
    for share in shares:
        assert list(share) == ["one", "two"]
        for mine in share.values():
            assert sum(item.black_box for _key, item in mine) == 2 and len(mine) == 4
            turns |= {key["turn"]: (item.row, item.m, item.fold) for key, item in mine}
    in_order = [(row, m, fold) for row in rows for m in (2, 8) for fold in range(4)]
    assert [turns[turn] for turn in range(16)] == in_order
    assert shares[0]["two"][0][0]["dataset"] == "view of two"


def test_folds_and_splits_part_the_cases(toy):
    seen = []
    for fold in range(3):
        building, search, training, held_out = folded(toy).split(0, fold)
        assert sorted([*building, *search]) == training.tolist()
        assert not set(training) & set(held_out)
        assert abs(len(building) - BUILDING * len(training)) <= 1
        seen += held_out.tolist()
    assert sorted(seen) == list(range(90))


def test_a_data_set_without_a_source_is_its_rows(save, tmp_path):
    Dataset.save_reason(tmp_path / "data/toy.npz", "toy", "unreachable")
    folds, paths = eliminated()
    assert folds["status"].tolist() == ["no_data"] * 3  # of both repeats, and of the other m
    assert not len(paths) and "search_errors" in paths
    assert searched()["status"].tolist() == ["no_data"]
    large = measure.eliminate_large(["toy"], folds=3, cache_mb=5, seed=1)["large"]
    assert large[["dataset", "status"]].values.tolist() == [["toy", "no_data"]]
    made = readings.compare_elimination_readings(READINGS, folds=3, cache_mb=5, seed=1)
    assert not len(made["reading_folds"]) and "errors_kept" in made["reading_folds"]


def test_summary_gives_every_published_key_a_row(toy):
    folds, _ = eliminated()
    keys = pd.read_csv("config/published/elimination.csv", dtype=str)[
        ["item", "row", "column", "published"]
    ]
    keys.loc[(keys["row"] == "anneal") & (keys["item"] == "Table 1"), "row"] = "toy"
    optimal = pd.DataFrame(columns=optima.OPTIMAL_COLUMNS)
    ours = results.reproduced(folds, optimal, SETTINGS, keys)
    assert sorted(map(tuple, ours[["item", "row", "column"]].to_numpy())) == sorted(
        map(tuple, keys.to_numpy()[:, :3])
    )
    row = ours[(ours["row"] == "toy") & (ours["column"] == "top error")].iloc[0]
    main = folds[folds["m"] == 2]
    assert row["reproduced"] == pytest.approx(
        100 * (main["top_errors"] / main["held_out"]).mean(), rel=1e-4
    )
    assert row["n"] == 6
    assert (ours.loc[ours["row"] == "adult", "status"] == "not_run").all()
    assert len(results.curves(folds, optimal, SETTINGS)) == 4
    assert len(results.ways(folds, SETTINGS)) == 1


def test_readings_change_what_they_name(toy):
    made = readings.compare_elimination_readings(READINGS, folds=3, cache_mb=10, seed=1)
    records, (whole, _) = made["reading_folds"], eliminated()
    main = whole[whole["m"] == MIN_CASES]
    default = records[records["rules"] == "default"]
    for column in ("top_errors", "errors", "errors_kept", "used", "selected"):
        assert default[column].tolist() == main[column].tolist()
    whole_trees = records[~records["rules"].isin(readings.OF_TOP_TREES)]
    assert (whole_trees["used"] <= whole_trees["selected"]).all()
    # The grower, which knows more rules, gives what the elimination gives under those of both.
    grown = [readings.top_record(folded(toy), Item("toy", MIN_CASES, 0, fold)) for fold in range(3)]
    assert [record["top_errors"] for record in grown] == default["top_errors"].tolist()[:3]
    plain = folded(toy, RULES | {"min_branch": 0.0})
    grown = [readings.whole_record(plain, Item("toy", MIN_CASES, 0, fold)) for fold in range(3)]
    any_branch = records.loc[records["rules"] == "any branch", "top_errors"].tolist()
    assert [record["top_errors"] for record in grown] == any_branch[:3]
    published = read_published("config/published/elimination.csv").replace(
        {"row": {"anneal": "toy"}}
    )
    found = judge_readings(published, results.readings(records, published))
    assert set(found["reading"]) == set(results.READINGS) and set(found["row"]) == {"toy"}
    assert set(found.loc[found["column"] == "top error", "n"]) == {"2"}
    assert {rules for rules, _errors in results.READINGS.values()} == set(readings.CHANGES)
    assert not len(results.readings_held_out(records, published))  # a row has no other half


@pytest.mark.parametrize(
    ("wrong", "verdict"),
    [({}, "within"), ({"min_cases": 80}, "outside"), ({"min_branch": 40}, "outside")],
    ids=str,
)
def test_wrong_rules_are_refused_by_the_error_that_the_right_ones_would_have_printed(
    wrong, verdict
):
    """On a table with a fifth of its classes drawn anew, trees that may grow out err more than
    trees that may not.
    """
    rng = np.random.default_rng(1)
    numbers = rng.normal(size=(5, 240))
    labels = np.where(rng.random(240) < 0.2, rng.integers(0, 2, 240), numbers[0] > 0).astype(
        np.int32
    )
    codes = numbers.argsort(axis=1).argsort(axis=1).astype(np.int32)
    names = tuple("abcde"), ("no", "yes")
    data = Dataset("toy", codes, labels, np.ones(5, bool), tuple(np.sort(numbers, axis=1)), *names)
    right = {"min_cases": 2, "min_branch": 0, "penalty": False, "lowest_class": True}

    def top_errors(changes, repeats):
        rules = right | changes
        m = rules.pop("min_cases")
        table = FoldedTable("toy", data, folds=5, cache_mb=5, seed=1, rules=rules)
        made = [
            readings.top_record(table, Item("toy", m, repeat, fold))
            for repeat in repeats
            for fold in range(5)
        ]
        frame = pd.DataFrame(made)
        return results.repeats_of(frame, results.percent(frame, "top_errors"))["mean"]

    published = read_published("config/published/elimination.csv").replace(
        {"row": {"anneal": "toy"}}
    )
    key = ("Table 1", "toy", "top error")
    at = (published[["item", "row", "column"]] == list(key)).all(axis=1)
    published.loc[at, "published"] = f"{top_errors({}, range(5)).mean():.2f}"
    rows = ReproducedRows(published)
    rows.repeated(key, top_errors(wrong, range(5, 10)), published_repeats=5)
    assert judged(published, rows.frame())[at.to_numpy()]["verdict"].item() == verdict


def test_the_final_tree_stands_on_the_features_that_the_selected_tree_uses(toy):
    table_of_folds = folded(toy)
    building, search, _, _ = table_of_folds.split(0, 0)
    found = table_of_folds.select(building, search, "bounded", 2)
    used = table_of_folds.used(building, 2, found.selected)
    assert used.any() and not (used & ~found.selected).any()
    table = table_of_folds.workspace.table(toy, building, search)
    options = table_of_folds.options(2)
    errors = [
        tree_errors(table, table_of_folds.workspace, options=options, offered=of)
        for of in (used, found.selected)
    ]
    assert errors[0] == errors[1] == found.errors[-1]  # what a tree does not use changes nothing
    for feature in np.flatnonzero(
        used
    ):  # and what it uses it needs: without it the tree is another one
        fewer = used.copy()
        fewer[feature] = False
        assert not table_of_folds.used(building, 2, fewer)[feature]


def test_a_speed_up_of_a_hundred_can_fail():
    published = pd.read_csv("config/published/elimination.csv", dtype=str)
    rows = ReproducedRows(published)
    timed = pd.DataFrame({"row": ["clean1", "adult"], "trees_black_box": [680, 10]})
    timed = timed.assign(trees_incremental=[100, 10], seconds_black_box=[300.0, 2.0])
    results.hundredfold(rows, timed.assign(seconds_incremental=[10.0, 1.0], seconds=[2.0, 1.0]))
    found = {key[2]: (row["reproduced"], row["note"]) for key, row in rows.found.items()}
    assert found == {
        "100 times fewer trees by section 5": ("no", "6.8 times on clean1"),
        "100 times faster by rebuilding subtrees": ("no", "30 times on clean1"),
        "100 times faster with our bound and memory": ("yes", "150 times on clean1"),
    }


def test_published_ratios_are_the_printed_seconds():
    table = pd.read_csv("config/published/elimination.csv")
    value = table[table["item"] == "Table 1"].set_index(["row", "column"])["published"]
    rows = [row for row, column in value.index if column == "ratio"]
    assert len(rows) == 10
    for row in rows:  # seconds are printed to the millisecond
        low, high = float(value[row, "PSBE seconds"]), float(value[row, "SBE seconds"])
        assert (
            abs(low / high - float(value[row, "ratio"]))
            <= 0.0005 / high + 0.0005 * low / high**2 + 0.0005
        )


def test_selector_follows_the_conventions(tools):
    rng = np.random.default_rng(7)
    X, y = rng.normal(size=(120, 6)), rng.integers(0, 2, 120)
    X[:, 2] += 2 * y
    X[3, 0] = np.nan
    selector = BackwardElimination(stop="gain", folds=None, drop_unused=False, random_state=3).fit(
        X, y
    )
    mask = selector.get_support()
    assert mask.dtype == bool and mask.shape == (6,)
    assert np.array_equal(selector.get_support(indices=True), np.flatnonzero(mask))
    assert np.array_equal(selector.transform(X), X[:, mask], equal_nan=True)
    assert np.all(np.diff(selector.path_["errors"]) < 0)
    assert selector.path_["selected"].tolist()[-1]
    fewer = BackwardElimination(n_features_to_select=2).fit(X, y)
    assert fewer.get_support().sum() == 2
    best, careful = (
        BackwardElimination().fit(X, y),
        BackwardElimination(stop="one_standard_error").fit(X, y),
    )
    assert careful.get_support().sum() <= best.get_support().sum()
    assert best.search_error_ <= careful.search_error_
    for search in ("floating", "beam", "forward"):
        assert BackwardElimination(search).fit(X, y).search_error_ < 0.4


def test_selector_clones_and_works_in_a_pipeline():
    base = pytest.importorskip("sklearn.base")
    from sklearn.tree import DecisionTreeClassifier

    rng = np.random.default_rng(8)
    frame = pd.DataFrame(rng.normal(size=(80, 4)), columns=list("wxyz"))
    y = np.where(frame["x"] > 0, "yes", "no")
    selector = base.clone(BackwardElimination(min_cases=3))
    assert selector.get_params()["min_cases"] == 3
    pipeline = make_pipeline(selector, DecisionTreeClassifier(random_state=0)).fit(frame, y)
    assert pipeline.score(frame, y) == 1.0
    assert "x" in pipeline[0].get_feature_names_out()


@pytest.mark.filterwarnings("ignore")
def test_selector_passes_scikit_learn_s_estimator_checks():
    checks = pytest.importorskip("sklearn.utils.estimator_checks")
    results = checks.check_estimator(BackwardElimination(), on_fail=None)
    assert len(results) > 30
    assert [(r["check_name"], r["exception"]) for r in results if r["status"] == "failed"] == []


def test_selector_takes_text_and_codes():
    rng = np.random.default_rng(9)
    frame = pd.DataFrame(
        {"colour": rng.choice(["red", "green", "blue"], 90), "size": rng.normal(size=90)}
    )
    y = frame["colour"] == "green"
    frame.loc[::10, "colour"] = None
    assert BackwardElimination().fit(frame, y).get_feature_names_out().tolist() == ["colour"]
    codes = rng.integers(0, 4, (90, 1)).astype(float)
    odd = codes[:, 0] % 2 == 1  # at most one of three cuts can be right, unless codes have no order
    unordered = pd.DataFrame({"code": codes[:, 0]}, dtype="category")
    assert BackwardElimination(min_cases=40).fit(unordered, odd).search_error_ == 0
    assert BackwardElimination(min_cases=40).fit(codes, odd).search_error_ > 0


def test_a_frame_comes_out_as_a_frame_with_its_dtypes():
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(
        {
            "colour": pd.Categorical(rng.choice(["red", "green", "blue"], 120)),
            "size": rng.normal(size=120),
            "one": "same",
            "count": pd.array(rng.integers(0, 9, 120), dtype="Int64"),
        }
    )
    y = (frame["colour"] == "red") ^ (frame["size"] > 0)
    selector = BackwardElimination().fit(frame, y)
    chosen = selector.transform(frame)
    assert "one" not in chosen.columns
    assert (chosen.dtypes == frame.dtypes[chosen.columns]).all()
    assert list(chosen.columns) == selector.get_feature_names_out().tolist()
    tree = make_pipeline(BackwardElimination(), TreeClassifier())
    assert tree.fit(frame, y).score(frame, y) > 0.9


def test_own_table(tools):
    data = tools.random_table(
        np.random.default_rng(11), cases=80, features=5, classes=2, missing=0.1
    )
    settings = {
        "min_cases": 2,
        "folds": 3,
        "fraction": 0.7,
        "cells": 10**6,
        "work": 100,
        "memory_mb": 1000,
    }
    records, sizes = explored(data, settings, 1)
    assert [record["what"] for record in records] == ["table"] + ["feature"] * 5
    assert [row["features"] for row in sizes] == list(range(6)) and sizes[0]["error"] > 0
    assert (
        sum("least" in row["mark"] for row in sizes)
        == sum("one standard" in row["mark"] for row in sizes)
        == 1
    )
    assert records[0]["kept"] == sum(record["kept"] for record in records[1:])
    made = explore(data, settings, 1)["elimination.csv"]
    assert set(made) >= {key for record in records for key in record}
    few = explore(data.take_cases(np.arange(4)), settings, 1)
    assert few["elimination.csv"]["status"].tolist() == ["unsuitable"]
    assert few["elimination_path.csv"].records.empty
    assert "too few" in few["elimination.png"]().texts[0].get_text()


def test_the_smallest_number_of_features_within_a_standard_error_is_marked():
    judged = [{0: 0.5, 1: 0.2, 3: 0.1}, {0: 0.5, 1: 0.1, 2: 0.1}, {0: 0.5, 1: 0.2, 3: 0.3}]
    rows = rows_by_size(judged)
    assert [row["features"] for row in rows] == [0, 1, 2, 3]
    assert [row["error"] for row in rows] == pytest.approx([50, 50 / 3, 50 / 3, 50 / 3])
    assert [row["mark"] for row in rows] == ["", "least, one standard error", "", ""]
    assert rows[1]["error_se"] == pytest.approx(100 * np.std([0.2, 0.1, 0.2], ddof=1) / np.sqrt(3))


def test_optimal_is_never_worse_than_elimination(toy):
    [record] = searched().to_dict("records")
    assert record["bound"] <= record["search_errors"] <= record["start_errors"]
    building, search, _, _ = folded(toy).split(0, 0)
    options = yadt(MIN_CASES).but(**RULES)
    assert select(toy, building, search, options=options).errors[-1] == record["start_errors"]


def test_sentences_on_figure_5_stand_on_folds_that_were_searched_at_every_m():
    """Folds that were searched at one m alone do not outvote the others.

    Fewer than eight folds judge nothing.
    """
    key = {"row": "ionosphere", "repeat": 0, "held_out": 100}
    folds = pd.DataFrame(
        [
            key
            | {
                "m": m,
                "fold": fold,
                "status": "ok",
                "top_errors": 10,
                "errors": 12 - (m == 2) * 9,
            }
            for m in (2, 8, 32)
            for fold in range(10)
        ]
    )
    optimal = folds[["row", "m", "repeat", "fold", "held_out"]].assign(errors=20)
    few = optimal[(optimal["m"] == 2) | (optimal["fold"] < 2)]
    keys = [("Figure 5 text", *names) for names in results.FIGURE_5]
    published = pd.DataFrame(keys, columns=["item", "row", "column"]).assign(published="yes")
    rows = ReproducedRows(published)
    results.statements(rows, folds, few)
    assert set(rows.frame()["status"]) == {"not_run"}
    results.statements(rows, folds, optimal)
    found = rows.frame().set_index(["row", "column"])
    assert found.loc[("ionosphere", "optimal is the worst"), "reproduced"] == "yes"
    assert found.loc[("ionosphere", "(P)SBE is the best at small m"), "reproduced"] == "yes"
    assert found.loc[("ionosphere", "top is the best"), "reproduced"] == "no"
