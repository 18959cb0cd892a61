"""MinimalTree as a scikit-learn estimator."""

import itertools
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.utils import estimator_checks

from pinetum.greedy_dp import MinimalTree, Minimizer
from pinetum.models import load, save


@pytest.mark.filterwarnings("ignore")
def test_scikit_learn_s_estimator_checks():
    results = estimator_checks.check_estimator(
        MinimalTree(work=200_000, thresholds=20), on_fail=None
    )
    assert len(results) > 40
    assert [r["check_name"] + str(r["exception"]) for r in results if r["status"] == "failed"] == []


def cases(n=60, seed=0):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "colour": rng.choice(["red", "green", "blue"], n),
            "size": rng.integers(0, 6, n) / 2,
            "shape": rng.choice(["round", "square"], n),
        }
    )
    y = np.where((frame["colour"] == "red") ^ (frame["size"] > 1.2), "yes", "no")
    return frame, y


def test_every_training_case_is_answered_rightly():
    X, y = cases()
    model = MinimalTree("leaves", then=["depth"]).fit(X, y)
    assert model.status_ == "optimal" and (model.predict(X) == y).all()
    assert model.cost_ == model.costs_["terminal nodes"] == 6
    assert {round(float(t), 2) for t in model.tree_.threshold if np.isfinite(t)} == {1.25}
    front = model.pareto_front("depth", "leaves")
    assert [point for point, _ in front] == sorted(point for point, _ in front)
    assert len({tree.signature() for tree in model.sample(5)}) <= model.count()


def test_missing_cells_are_a_value_and_less_than_all_numbers():
    X, y = cases()
    X.loc[::5, "colour"] = None
    X.loc[::4, "size"] = np.nan
    y = np.where(X["colour"].isna() | (X["size"].isna() & (X["shape"] == "round")), "odd", "even")
    model = MinimalTree(inconsistent="most_common").fit(X, y)
    assert (model.predict(X) == y).mean() > 0.9
    assert "colour = ?" in model.to_text()


def test_prices_lead_around_a_dear_test():
    X = pd.DataFrame({"dear": list("0011"), "cheap": list("0011"), "other": list("0101")})
    y = ["a", "a", "b", "b"]
    assert MinimalTree("depth").fit(X, y).tree_.feature[0] == 0
    model = MinimalTree("depth", prices={"dear": 5}).fit(X, y)
    assert model.tree_.feature[0] == 1 and model.cost_ == 1
    with pytest.raises(ValueError, match="'chaep' is not a column"):
        MinimalTree(prices={"chaep": 5}).fit(X, y)
    with pytest.raises(ValueError, match="whole numbers"):
        MinimalTree(prices={"cheap": 0.5}).fit(X, y)


def test_equal_cases_of_different_classes():
    X, y = (
        pd.DataFrame({"a": list("00011"), "b": list("01100")}),
        np.array(["u", "v", "w", "w", "w"]),
    )
    assert MinimalTree(inconsistent="any").fit(X, y).predict(X)[1] in ("v", "w")
    model = MinimalTree(inconsistent="all").fit(X, y)
    assert model.tree_.class_names == ("u", "v and w", "w")
    assert model.predict_proba(X)[1].tolist() == [0, 0.5, 0.5]
    with pytest.raises(ValueError, match="equal rows"):
        MinimalTree(inconsistent="refuse").fit(X, y)


def test_a_leaf_may_be_wrong_for_alpha():
    X, y = pd.DataFrame({"a": list("0011"), "b": list("0101")}), ["u", "u", "u", "v"]
    assert MinimalTree("leaves").fit(X, y).cost_ == 3
    assert MinimalTree("leaves", alpha_rows=1).fit(X, y).cost_ == 1
    assert MinimalTree("leaves", alpha_share=0.25).fit(X, y).cost_ == 1


def test_what_is_not_proved_is_said():
    rng = np.random.default_rng(0)
    X, y = pd.DataFrame(rng.integers(0, 2, size=(150, 14))).astype(str), rng.integers(0, 2, 150)
    with pytest.warns(UserWarning, match="not proved; raise work"):
        model = MinimalTree(work=200_000).fit(X, y)
    assert model.status_ == "work_limit" and model.bound_ < model.cost_


class Plain:
    """Least costs of trees on raw cells, by the definition: thresholds between neighbouring
    numbers, None a value.
    """

    def __init__(self, columns, classes, weights):
        self.columns, self.classes, self.weights, self.memo = columns, classes, weights, {}

    def splits(self, rows):
        for column, numeric in self.columns:
            cells = [column[r] for r in rows]
            if numeric:
                numbers = sorted({c for c in cells if c is not None})
                absent = any(c is None for c in cells)
                # Missing is less than every number, but no threshold stands between it and the
                # least of the column.
                least = (
                    min(c for c in column if c is not None)
                    if any(c is not None for c in column)
                    else None
                )
                cuts = [(a + b) / 2 for a, b in itertools.pairwise(numbers)]
                if absent and numbers and numbers[0] > least:
                    cuts.insert(0, numbers[0] - 1e-9)
                for cut in cuts:
                    yield [
                        [r for r in rows if (column[r] is None or column[r] <= cut) is side]
                        for side in (True, False)
                    ]
            elif len(set(cells)) > 1:
                yield [[r for r in rows if column[r] == value] for value in dict.fromkeys(cells)]

    def least(self, rows):
        rows = tuple(rows)
        if len({self.classes[r] for r in rows}) == 1:
            return (0, 0, 1, 0, 1)
        if rows not in self.memo:
            weight = sum(self.weights[r] for r in rows)
            found = []
            for parts in self.splits(rows):
                path, depth, nodes, inner, leaves = zip(*map(self.least, parts), strict=True)
                found.append(
                    (
                        weight + sum(path),
                        1 + max(depth),
                        1 + sum(nodes),
                        1 + sum(inner),
                        sum(leaves),
                    )
                )
            self.memo[rows] = tuple(map(min, zip(*found, strict=True)))
        return self.memo[rows]


@pytest.mark.parametrize("seed", range(25))
def test_numbers_categories_and_missing_cells_against_all_trees(seed):
    rng = np.random.default_rng([31, seed])
    n = int(rng.integers(3, 15))
    X = pd.DataFrame(
        {
            "number": rng.integers(0, 5, n) / 2,
            "other": rng.integers(0, 3, n).astype(float),
            "word": rng.choice(["a", "b", "c"], n),
        }
    )
    X.loc[rng.random(n) < 0.2, "number"] = np.nan
    X.loc[rng.random(n) < 0.2, "word"] = None
    X.loc[0, ["number", "other", "word"]] = 0.0, 0.0, "a"
    X.loc[1, ["number", "other", "word"]] = (
        2.0,
        2.0,
        "b",
    )  # a column with one known value is dropped
    y = rng.choice(["u", "v", "w"], n)
    y[:2] = "u", "v"
    weights = rng.integers(1, 5, n)
    columns = [([None if pd.isna(c) else c for c in X[name]], name != "word") for name in X]
    cells = list(zip(*(column for column, _ in columns), strict=True))
    parts = Plain(columns, y, weights)
    # Cases that no split tells apart are one row; with the meaning `all` it answers with all of its
    # classes.
    told = [
        tuple(
            c if not numeric or c is not None else min(d for d in column if d is not None)
            for c, (column, numeric) in zip(row, columns, strict=True)
        )
        for row in cells
    ]
    parts.classes = [frozenset(k for k, t in zip(y, told, strict=True) if t == own) for own in told]
    wanted = parts.least(range(n))
    for place, cost in enumerate(("average_depth", "depth", "nodes", "tests", "leaves")):
        model = MinimalTree(cost, inconsistent="all", weights=weights).fit(X, y)
        unit = weights.sum() if cost == "average_depth" else 1
        assert (
            model.status_ == "optimal"
            and model.cost_ == model.bound_ == wanted[place] / unit
            and model.gap_ == 0
        )
        assert len(model.pareto_front("average_depth", cost if place else "nodes")) >= 1


def test_probabilities_of_cases_move_the_tree():
    X, y = pd.DataFrame({"a": list("0011"), "b": list("0101")}), list("uvwx")
    model = MinimalTree("average_depth", weights=[0.5, 0.25, 0.125, 0.125]).fit(X, y)
    assert model.cost_ == 2 and model.status_ == "optimal"
    X = pd.DataFrame({"first": list("011"), "last": list("001")})
    for weights, root in (([0.8, 0.1, 0.1], 0), ([0.1, 0.1, 0.8], 1)):
        model = MinimalTree("average_depth", weights=weights).fit(X, list("uvw"))
        assert model.tree_.feature[0] == root and model.cost_ == pytest.approx(1.2)
    with pytest.raises(ValueError, match="weights are 3 numbers"):
        MinimalTree(weights=[1, 2]).fit(X, list("uvw"))


def test_rules_and_reducts_with_the_names_of_the_table(tmp_path):
    X, y = cases()
    model = MinimalTree("leaves").fit(X, y)
    rules = model.rules()
    assert list(rules.columns) == ["rule", "class", "length", "covers"]
    assert (
        len(rules)
        <= len(model.rules(greedy=True))
        <= len(model.rules(fewest=False))
        == model.table_.n_rows
    )
    for rule, label in zip(rules["rule"], rules["class"], strict=True):
        covered = np.ones(len(X), dtype=bool)
        for part in rule.split(" and "):
            name, sign, value = part.split(" ")
            column = X[name]
            covered &= (
                column == value
                if sign == "="
                else column <= float(value)
                if sign == "<="
                else column > float(value)
            )
        assert covered.any() and (y[covered] == label).all()
    assert model.rules("wide")["covers"].max() >= rules["covers"].max()
    assert model.reduct() == ["colour", "size <= 1.25"]
    save(model, tmp_path / "model.json")
    loaded = load(tmp_path / "model.json")
    assert loaded.gap_ == 0
    with pytest.raises(ValueError, match="fit it again"):
        loaded.rules()
    with pytest.raises(ValueError, match="fit it again"):
        loaded.count()


def test_the_probe_chooses_a_way_and_the_minimum_stays(monkeypatch):
    """Without subtables to spare `auto` ends in branch and bound, with some in the graph: the same
    minima.
    """
    rng = np.random.default_rng(9)
    X, y = pd.DataFrame(rng.integers(0, 3, size=(60, 8))).astype(str), rng.integers(0, 2, 60)
    monkeypatch.setattr("pinetum.greedy_dp.minimal.FEW_SUBTABLES", 1)
    table = MinimalTree("depth").fit(X, y).table_
    plenty = Minimizer(table).all_minima()
    monkeypatch.setattr("pinetum.greedy_dp.minimal.GLANCE", 100)
    for cost, first in plenty.items():
        alone, shorter = Minimizer(table), Minimizer(table)
        found = alone.minimum(cost)
        assert (found.high, found.status) == (first.high, "optimal") and found.way in (
            "branch",
            "greedy",
        )
        shorter._short = lambda: 1000  # ends at once: dynamic programming follows
        found = shorter.minimum(cost)
        assert (found.high, found.status, found.way) == (first.high, "optimal", "graph")
    monkeypatch.setattr("pinetum.greedy_dp.minimal.PROBE", 100)
    scarce = Minimizer(table).all_minima()
    for cost, first in plenty.items():
        assert (first.high, first.status) == (
            scarce[cost].high,
            scarce[cost].status,
        ) and first.status == "optimal"
        assert first.way == "graph" and scarce[cost].way in ("branch", "greedy")


def test_numbers_whose_classes_alternate():
    """A tree with a test between every two cases: deeper than Python calls itself."""
    n = 1200
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = MinimalTree(work=10**6).fit(np.arange(n)[:, None], np.arange(n) % 2)
    assert model.cost_ == 2 * n - 1
    assert (model.predict(np.arange(n)[:, None]) == np.arange(n) % 2).all()
