"""The contestants that our own environment can run answer rightly: beside brute force, and beside
each other.
"""

from itertools import combinations

import numpy as np
import pytest

from pinetum_benchmarks.peers.adapters import ours, planes, selection, trees
from pinetum_benchmarks.peers.adapters.common import Indicators, OnNumbers
from pinetum_benchmarks.peers.adapters.optimal import leaves_of
from pinetum_benchmarks.peers.questions import QUESTIONS
from pinetum_benchmarks.peers.worker import KINDS, first_of


def table(rows=80, columns=5, binary=True, easy=False):
    """Data of a question; the class follows three columns, or one, a tenth of the cases the other
    way.
    """
    rng = np.random.default_rng(0)
    X = rng.random((rows, columns))
    X = (X > 0.5).astype(float) if binary else X.round(1)
    y = (
        (X[:, 0] > 0.5).astype(int)
        if easy
        else ((X[:, 0] > 0.5) ^ (X[:, 1] + X[:, 2] > 0.9)).astype(int)
    )
    y[rng.random(rows) < 0.1] ^= 1
    fold = rng.permutation(rows) % 3
    inner = np.array([np.where(fold == part, -1, np.arange(rows) % 2) for part in range(3)])
    shared = {"inner": inner, "inner_folds": np.array(2), "domains": np.zeros(columns, dtype=int)}
    return {"X": X, "y": y, "fold": fold, **shared}


def facts_of(make, data, kind="fit", **options):
    if kind == "folds":  # the second repeat is asked for
        data = data | {
            "fold": np.stack([0 * data["fold"], data["fold"]]),
            "inner": np.stack([data["inner"]] * 2),
        }
    job = KINDS[kind](make, data, options)
    job.start()
    job.run(1)
    return job.facts()


def least_errors(X, y, depth):
    """Of all trees over 0/1 columns, by trying every column at every node."""
    here = min(np.count_nonzero(y == 0), np.count_nonzero(y == 1))
    if depth == 0 or here == 0:
        return here
    return min(
        [here]
        + [
            sum(least_errors(X[side], y[side], depth - 1) for side in (column == 0, column == 1))
            for column in X.T
            if 0 < column.sum() < len(column)
        ]
    )


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_fewest_errors_of_a_depth(depth):
    data = table()
    found = facts_of(ours.DepthBounded, data, n0=0, max_depth=depth)
    greedy = facts_of(trees.ScikitLearn, data, max_depth=depth)
    assert found["errors"] == least_errors(data["X"], data["y"], depth) <= greedy["errors"]
    assert found["proved"] and found["depth"] <= depth >= greedy["depth"]


def test_fewest_leaves_without_an_error():
    data = table()
    rows, first = np.unique(data["X"], axis=0, return_index=True)
    data |= {"X": rows, "y": data["y"][first]}
    found = facts_of(ours.Minimal, data, cost="leaves")
    greedy = facts_of(trees.ScikitLearn, data, criterion="entropy")
    assert (
        found["errors"] == greedy["errors"] == 0
        and found["proved"]
        and found["leaves"] <= greedy["leaves"]
    )


def search_errors(data, columns):
    """Of our tree on the held-out folds, with these columns alone."""
    X, y, fold = data["X"][:, columns], data["y"], data["fold"]
    parts = [(fold != part, fold == part) for part in range(3)]
    return -sum(selection.errors_of(selection.tree().fit(X[a], y[a]), X[b], y[b]) for a, b in parts)


def test_searches_of_subsets_agree_with_trees_grown_one_by_one():
    data = table(columns=4, binary=False)
    errors = {
        subset: search_errors(data, subset)
        for size in range(1, 5)
        for subset in combinations(range(4), size)
    }
    found = facts_of(ours.Subsets, data, search="exhaustive")
    assert found["search_errors"] == min(errors.values()) and found["proved"]
    path = [tuple(range(4))]
    while len(path[-1]) > 1:  # of equal ones the subset without the last column
        path.append(min(combinations(path[-1], len(path[-1]) - 1), key=errors.get))
    found = facts_of(ours.Subsets, data, search="backward")
    assert found["answer"] == str([list(subset) for subset in path])
    assert found["search_errors"] == min(errors[subset] for subset in path)
    assert facts_of(selection.ScikitLearn, data, search="backward") == {"features": 1}
    with pytest.raises(ValueError, match="no exhaustive search"):
        selection.ScikitLearn(data, "exhaustive")


def test_columns_as_indicators_learnt_from_training_cases():
    domains = np.array([0, 2, 3, 0])
    rng = np.random.default_rng(1)
    X = np.column_stack(
        [rng.random(50), rng.integers(0, 2, 50), rng.integers(0, 3, 50), np.zeros(50)]
    )
    for cuts in (2, 1000):
        columns = Indicators({"domains": domains}, cuts)
        made = columns.learn(X)
        values = np.unique(X[:, 0])
        number = (
            made.shape[1] - 1 - 3
        )  # one column of two values, three of three, none of a constant
        assert number == min(cuts, len(values) - 1)
        for column in made[:, :number].T:  # each cuts the numbers at one place
            assert X[column, 0].min() > X[~column, 0].max()
        assert np.array_equal(made[:, number], X[:, 1] == 1)
        assert np.array_equal(made[:, number + 1 :], X[:, [2]] == [0, 1, 2])
        assert np.array_equal(columns(X[:7]), made[:7])


def test_columns_of_numbers_stay_and_discrete_ones_become_indicators():
    class Kept(OnNumbers):
        def make(self):
            return self

    rng = np.random.default_rng(2)
    X = np.column_stack(
        [rng.integers(0, 3, 20), rng.random(20), rng.integers(0, 2, 20), rng.random(20)]
    )
    made = Kept({"domains": np.array([3, 0, 2, 0])}).columns(X)
    assert made.dtype == np.float64
    assert np.array_equal(
        made, np.column_stack([X[:, [0]] == [0, 1, 2], X[:, 1], X[:, 2] == 1, X[:, 3]])
    )


def test_leaves_of_a_tree_as_gosdt_writes_it():
    leaf = {"prediction": 0, "loss": 0.1}
    assert leaves_of(leaf) == 1
    assert (
        leaves_of(
            {"feature": 0, "true": {"feature": 1, "true": leaf, "false": leaf}, "false": leaf}
        )
        == 3
    )


@pytest.mark.parametrize(
    "question", [name for name, asked in QUESTIONS.items() if asked.kind == "folds"]
)
def test_every_contestant_of_ours_and_of_scikit_learn_learns_on_folds(question):
    data = table(rows=90, columns=4, binary=False, easy=True)
    modules = {"ours": ours, "trees": trees, "planes": planes}
    asked = [
        each
        for each in QUESTIONS[question].contestants
        if each.rival in ("pinetum", "scikit-learn")
    ]
    assert asked
    for contestant in asked:
        module, name = contestant.call.split(":")
        options = contestant.options | ({"max_depth": 2} if question == "small" else {})
        grid = {"grid": list(contestant.grid[:2])} if contestant.grid else {}
        found = facts_of(getattr(modules[module], name), data, "folds", **options, **grid)["folds"]
        assert sum(fold["cases"] for fold in found) == 90
        for number, fold in enumerate(found):
            right = data["y"][data["fold"] == number]
            assert fold["wrong"] == np.count_nonzero(np.array(fold["guess"]) != right)
            assert fold["chosen"] in (grid.get("grid") or [{}])
        least = min(np.count_nonzero(data["y"] == label) for label in (0, 1))
        assert sum(fold["wrong"] for fold in found) < least, (
            contestant.label
        )  # better than one class for all


def test_first_of_a_grid():
    assert first_of({"a": 1, "grid": [{"b": 2}, {"b": 3}]}) == {"a": 1, "b": 2}
    assert first_of({"a": 1}) == {"a": 1}


def test_near_optimal_trees_are_counted_with_their_proof():
    found = facts_of(ours.NearOptimal, table(columns=4), extra=0.01, cache_mb=50)
    more = facts_of(ours.NearOptimal, table(columns=4), extra=0.2, cache_mb=50)
    assert found["proved"] and more["proved"] and 1 <= found["trees"] <= more["trees"]
