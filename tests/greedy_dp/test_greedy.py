"""Greedy trees against the paper's definitions, with fractions instead of floats."""

import pytest

from pinetum.greedy_dp.costs import HEURISTICS
from pinetum.greedy_dp.encoding import Encoded
from pinetum.greedy_dp.optimum import greedy_costs
from pinetum.greedy_dp.study.random_tables import costs_of

SHAPES = [(150, 8, 4, 2, 2), (100, 12, 4, 3, 2), (60, 20, 5, 2, 3), (30, 50, 10, 3, 3), (30, 40, 4, 5, 6)]


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
        for heuristic, mine in zip(HEURISTICS.values(), greedy_costs(Encoded.of(table)), strict=True):
            wanted = twin.greedy(twin.rows_of(table), heuristic.kind, heuristic.measure)
            assert tuple(mine) == wanted, heuristic
