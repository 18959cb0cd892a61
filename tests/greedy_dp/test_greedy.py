"""Greedy trees against the paper's definitions, with fractions instead of floats."""

import numpy as np
import pytest

from pinetum.greedy_dp import encoding, greedy, minimal
from pinetum.greedy_dp.building import costs_of_tree, tree_of
from pinetum.greedy_dp.costs import HEURISTICS
from pinetum.greedy_dp.encoding import Encoded
from pinetum.greedy_dp.greedy import GreedyTrees, greedy_costs, halves
from pinetum.greedy_dp.minimal import Minimizer
from pinetum.greedy_dp.replication.random_tables import costs_of
from pinetum.greedy_dp.tables import decision_table
from pinetum.progress import watched

SHAPES = [
    (150, 8, 4, 2, 2),
    (100, 12, 4, 3, 2),
    (60, 20, 5, 2, 3),
    (30, 50, 10, 3, 3),
    (30, 40, 4, 5, 6),
]


@pytest.mark.parametrize("shape", SHAPES)
def test_greedy_trees_are_the_plain_ones(shape, twin, small_tables, as_decision_table):
    count, rows, attributes, values, decisions = shape
    tables = small_tables(count, rows, attributes, values, decisions)
    _, _, ours = costs_of(tables.copy(), values, decisions)
    for drawn, costs in zip(tables, ours, strict=True):
        table = as_decision_table(drawn, values, decisions)
        plain = twin.rows_of(table)
        for heuristic, mine in zip(HEURISTICS.values(), costs, strict=True):
            assert tuple(mine) == twin.greedy(plain, heuristic.kind, heuristic.measure), heuristic
        assert (greedy_costs(Encoded.of(table)) == costs).all()


def test_greedy_trees_of_wide_tables(twin, small_tables, as_decision_table):
    for drawn in small_tables(5, 120, 7, 3, 3):
        table = as_decision_table(drawn, 3, 3)
        for heuristic, mine in zip(
            HEURISTICS.values(), greedy_costs(Encoded.of(table)), strict=True
        ):
            wanted = twin.greedy(twin.rows_of(table), heuristic.kind, heuristic.measure)
            assert tuple(mine) == wanted, heuristic


@pytest.mark.parametrize("block", range(15))
def test_rows_counted_in_words_give_the_trees_of_row_sets(block, monkeypatch):
    rng = np.random.default_rng([4, block])
    for _ in range(4):
        m, n = int(rng.integers(1, 9)), int(rng.integers(2, 300))
        arity = rng.integers(1, 6, size=m)
        codes = np.stack([rng.integers(0, a, size=n) for a in arity])
        options = {"prices": rng.integers(0, 3, size=m), "alpha_rows": int(rng.integers(0, 2))}
        table = decision_table(
            codes,
            rng.integers(0, rng.integers(1, 6), size=n),
            arity=arity,
            n_decisions=6,
            **options,
        )
        by_sets = greedy_costs(table)
        with monkeypatch.context() as change:
            change.setattr(greedy, "MANY", 0)
            assert (greedy_costs(table) == by_sets).all()
            some = greedy_costs(table, ["w_sum gini", "max rt"])
        places = [HEURISTICS[name].place for name in ("w_sum gini", "max rt")]
        assert (some[places] == by_sets[places]).all() and some.sum() == by_sets[places].sum()


@pytest.mark.parametrize("name", ["sum ent", "w_max rt", "max me"])
def test_greedy_trees_have_the_costs(name):
    rng = np.random.default_rng(5)
    for _ in range(10):
        codes = rng.integers(0, 3, size=(5, 60))
        table = decision_table(
            codes, rng.integers(0, 3, size=60), prices=rng.integers(1, 4, size=5)
        )
        tree = greedy.greedy_tree(table, name)
        assert (costs_of_tree(table, tree) == greedy_costs(table)[HEURISTICS[name].place]).all()


def test_a_table_too_large_for_pairs_is_bounded_by_some_of_its_rows(monkeypatch):
    rng = np.random.default_rng(6)
    codes = rng.integers(0, 2, size=(12, 400))
    table = decision_table(codes, codes[0] & codes[1] | codes[2])
    for cost in ("leaves", "depth", "average_depth"):
        exact = Minimizer(table).minimum(cost)
        with monkeypatch.context() as change:
            for module in (encoding, minimal):
                change.setattr(module, "MOST_PAIRED", 100)
            change.setattr(minimal, "SOME_ROWS", 100)
            part = Minimizer(table, way="branch", work=1).minimum(cost)
        assert 0 < part.low <= exact.low <= part.high


@pytest.mark.parametrize("many", [0, 4096])
def test_trees_that_pause_are_the_trees_that_do_not(many, monkeypatch):
    """Whatever the work of a call, they go on where they were, and are logged as they are."""
    monkeypatch.setattr(greedy, "MANY", many)
    monkeypatch.setattr(greedy, "FIRST_ENTRIES", 16)
    for seed in range(12):
        rng = np.random.default_rng([6, seed])
        codes = rng.integers(0, 3, size=(5, 60))
        options = {"prices": rng.integers(1, 4, size=5), "alpha_rows": int(rng.integers(0, 2))}
        table = decision_table(codes, rng.integers(0, 4, size=60), **options)
        trees, calls = GreedyTrees(table, keeps=True), 1
        while trees.grow(int(rng.integers(1, 300))) != "grown":
            calls += 1
        assert calls > 3 and (trees.costs == greedy_costs(table)).all()
        for name, heuristic in HEURISTICS.items():
            tree = tree_of(table, *trees.tree(heuristic.place))
            assert (costs_of_tree(table, tree) == trees.costs[heuristic.place]).all(), name


def test_the_quickly_found_tree_is_a_tree():
    for seed in range(20):
        rng = np.random.default_rng([7, seed])
        arity = rng.integers(1, 6, size=200)
        codes = np.stack([rng.integers(0, a, size=500) for a in arity])
        table = decision_table(codes, rng.integers(0, 4, size=500), arity=arity)
        tree = tree_of(table, *halves(table))
        assert costs_of_tree(table, tree)[1] < 20  # answers every row, or this raises


@pytest.fixture
def wide():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 4))
    codes = np.concatenate([X[:, f] > np.sort(X[:, f])[:-1, None] for f in range(4)])
    return decision_table(codes, rng.integers(0, 100, 400))


def test_a_start_that_takes_more_than_the_work_ends_there(wide):
    one, other = (Minimizer(wide, work=1000).minimum("nodes") for _ in range(2))
    assert one.status == "work_limit" and one.way == "halves"
    assert (one.low, one.high) == (other.low, other.high) and 1 < one.low < one.high
    assert one.tree().n_nodes == one.high  # all thresholds split in two


def test_a_start_ends_with_its_time(wide):
    found = Minimizer(wide, work=10**12, time_limit=0).minimum("depth")
    assert found.status == "time_limit" and found.way == "halves" and found.low <= found.high


def test_nothing_is_searched_after_ctrl_c(wide, monkeypatch):
    made = []
    encode = Encoded._of.__func__
    monkeypatch.setattr(
        Encoded, "_of", classmethod(lambda *given: made.append(1) or encode(*given))
    )
    with watched("a call") as watch:
        watch.stopped = True
        found = Minimizer(wide, work=10**12).minimum("nodes")
    assert found.status == "interrupted" and found.expansions == 0 and len(made) == 1
    assert found.low < found.high == found.tree().n_nodes


def test_pairs_of_rows_are_compared_as_far_as_the_work_goes(wide):
    whole = Encoded.of(wide, pairs=True)
    without = Encoded.of(wide, pairs=True, effort=encoding.Effort(1000))
    assert len(whole.problem.clash) == wide.n_rows and len(without.problem.clash) == 0


def test_a_tree_as_deep_as_the_table_has_rows():
    n = 1500
    codes = np.arange(n)[None, :] > np.arange(n - 1)[:, None]
    table = decision_table(codes, np.arange(n) % 2)

    def first_of_all(rows, key):
        return int(rows[0]), {}

    tree = tree_of(table, first_of_all, None)
    assert tree.depth == n - 1 and costs_of_tree(table, tree)[1] == n - 1
