"""Greedy trees against the paper's definitions, with fractions instead of floats."""

import numpy as np
import pytest

from pinetum.greedy_dp import encoding, greedy, minimal
from pinetum.greedy_dp.building import costs_of_tree
from pinetum.greedy_dp.costs import HEURISTICS
from pinetum.greedy_dp.encoding import Encoded
from pinetum.greedy_dp.greedy import greedy_costs
from pinetum.greedy_dp.minimal import Minimizer
from pinetum.greedy_dp.study.random_tables import costs_of
from pinetum.greedy_dp.tables import decision_table

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
