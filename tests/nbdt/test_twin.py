"""All algorithms against exact arithmetic: the same value, and a tree that is worth exactly
that.
"""

import numpy as np
import pytest

from pinetum.nbdt.fixed_depth import BudgetSolver, TwoClassSolver
from pinetum.nbdt.methods import SEARCHES

BATCHES, BATCH = 12, 430  # 5,160 problems


def check(twin, policy, want, prior, tables, first):
    """Value and leaf terms to rounding, the tree's own value exactly, and the same tree as of the
    other methods.
    """
    assert abs(policy.expected_accuracy - float(want)) < 1e-12
    assert abs(policy.leaf_terms().sum() - float(want)) < 1e-12
    tree = twin.nested(policy)
    assert twin.accuracy(tree, prior, tables) == want
    assert first is None or tree == first
    return tree


@pytest.mark.parametrize("batch", range(BATCHES))
def test_every_method_finds_the_optimum(twin, batch):
    for number in range(batch * BATCH, (batch + 1) * BATCH):
        rng = np.random.default_rng(number)
        classes = 2 if number % 5 else int(rng.choice([1, 3, 3, 4]))
        costs, cells = None, int(rng.integers(1, 6))
        if number % 7 == 0:
            prior, tables, model = twin.problem_from_cases(rng, number % 3, classes)
        else:
            prior, tables, model = twin.random_problem(rng, classes)
        budget = int(rng.integers(0, 4))
        if number % 4 == 0:
            costs = [int(c) for c in rng.choice([1, 2, 3, 5], len(tables))]
            budget = int(rng.integers(0, 7))
        want, tree = twin.best(prior, tables, budget, costs), None
        if classes == 2 and costs is None:
            two = TwoClassSolver(model, budget, cells=cells)
            for method in SEARCHES:
                tree = check(twin, two.fit(method=method), want, prior, tables, tree)
        if classes != 2 or costs is not None or number % 10 == 1:
            check(twin, BudgetSolver(model, budget, costs).fit(), want, prior, tables, None)


@pytest.mark.parametrize("seed", range(40))
def test_brute_force_over_whole_trees(twin, seed):
    """The recursion of the twin itself against every tree there is."""
    rng = np.random.default_rng(seed)
    prior, tables, _ = twin.random_problem(rng, 2 + seed % 2)
    tables = [table for table in tables if len(table[0]) <= 3][:3]
    arity = [len(table[0]) for table in tables]
    depth = 2
    want = max(twin.accuracy(tree, prior, tables) for tree in twin.trees(len(tables), arity, depth))
    assert twin.best(prior, tables, depth) == want


def test_costs_in_fractions(twin):
    """Sums of costs such as 0.1 + 0.2 do not overrun a budget of 0.3."""
    rng = np.random.default_rng(5)
    for _ in range(30):
        prior, tables, model = twin.random_problem(rng)
        costs = [int(c) for c in rng.integers(1, 5, len(tables))]
        want = float(twin.best(prior, tables, 6, costs))
        found = BudgetSolver(model, 0.6, np.array(costs) / 10).fit()
        assert found.expected_accuracy == pytest.approx(want, abs=1e-12)


def test_deeper_is_never_worse_and_a_long_path_is_no_error(twin):
    rng = np.random.default_rng(6)
    for _ in range(50):
        _, tables, model = twin.random_problem(rng)
        values = [TwoClassSolver(model, depth).fit().expected_accuracy for depth in range(7)]
        assert all(np.diff(values) >= -1e-13)
        assert values[0] == model.prior.max()
        assert values[-1] == pytest.approx(values[len(tables)], abs=1e-13)


def test_no_path_asks_a_feature_twice(twin):
    """A test whose answer is known is worth as much as none: among equals it could be taken."""
    rng = np.random.default_rng(2)
    for _ in range(200):
        _, _, model = twin.random_problem(rng, 3)
        policy = BudgetSolver(model, 4).fit()
        for node in np.flatnonzero(policy.feature >= 0):
            up = policy.parent[node]
            while up >= 0:
                assert policy.feature[up] != policy.feature[node]
                up = policy.parent[up]


def test_budgets_are_not_negative(twin):
    _, _, model = twin.random_problem(np.random.default_rng(3), 3)
    for budget in (-1, np.nan):
        with pytest.raises(ValueError, match="must not be negative"):
            BudgetSolver(model, budget)
