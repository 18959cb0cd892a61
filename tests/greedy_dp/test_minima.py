"""Exact minima against every tree there is."""

import numpy as np
import pytest

from pinetum.greedy_dp.analysis import Analysis, all_pairs, undominated
from pinetum.greedy_dp.costs import COSTS, GREEDY_COLUMNS, MINIMUM_COLUMNS
from pinetum.greedy_dp.greedy import greedy_costs
from pinetum.greedy_dp.optimum import Limits, build, minima
from pinetum.greedy_dp.replication.random_tables import costs_of, run

# (tables, rows, attributes, values, decisions): few values and rows, so ties are everywhere.
SHAPES = [
    (900, 6, 3, 2, 2),
    (700, 7, 3, 3, 2),
    (600, 8, 3, 2, 3),
    (300, 9, 4, 2, 2),
    (150, 6, 4, 3, 3),
    (60, 12, 4, 2, 3),
]


@pytest.mark.parametrize("shape", SHAPES)
def test_minima_are_the_least_of_all_trees(shape, twin, small_tables, as_decision_table):
    count, rows, attributes, values, decisions = shape
    tables = small_tables(count, rows, attributes, values, decisions)
    rows_left, batch, _ = costs_of(tables.copy(), values, decisions)
    for drawn, n, ours in zip(tables, rows_left, batch, strict=True):
        table = as_decision_table(drawn, values, decisions)
        trees = twin.all_trees(twin.rows_of(table))
        least = [min(column) for column in zip(*trees, strict=True)]
        assert n == table.n_rows
        assert ours.tolist() == least
        assert minima(build(table, Limits())).tolist() == least


@pytest.mark.parametrize(
    "shape",
    [(60, 7, 3, 3, 2), (60, 9, 4, 2, 2), (40, 8, 4, 2, 3), (20, 3, 3, 2, 3), (20, 2, 3, 2, 2)],
)
def test_counts_second_costs_and_fronts_are_those_of_all_trees(
    shape, twin, small_tables, as_decision_table
):
    count, rows, attributes, values, decisions = shape
    for drawn in small_tables(count, rows, attributes, values, decisions, seed=1):
        table = as_decision_table(drawn, values, decisions)
        trees = twin.all_trees(twin.rows_of(table))
        analysis = Analysis.of(table, Limits())
        for symbol, cost in COSTS.items():
            least = min(costs[cost.place] for costs in trees)
            wanted = sum(number for costs, number in trees.items() if costs[cost.place] == least)
            assert analysis.count(symbol) == wanted
        for first, second in all_pairs():
            one, two = COSTS[first].place, COSTS[second].place
            assert analysis.in_sequence([first, second]) == min((c[one], c[two]) for c in trees)
            assert analysis.pareto(first, second) == undominated({(c[one], c[two]) for c in trees})


@pytest.mark.parametrize("rows", [40, 64, 65, 100, 150])
def test_wide_tables_agree_with_a_plain_memo(rows, twin, small_tables, as_decision_table):
    for drawn in small_tables(6, rows, 5, 3, 3):
        table = as_decision_table(drawn, 3, 3)
        assert tuple(minima(build(table, Limits()))) == twin.minima(twin.rows_of(table))
        assert tuple(minima(build(table, Limits(), settle=False))) == twin.minima(
            twin.rows_of(table)
        )


def test_one_word_and_many_words_agree_at_the_papers_size():
    records, _ = run(3, 0, 40, rows=50, attributes=10, values=3, decisions=3)
    from pinetum.greedy_dp.tables import decision_table, random_table

    for index in range(40):
        drawn = random_table(3, index, rows=50, attributes=10, values=3, decisions=3)
        graph = build(
            decision_table(drawn[:, :-1].T, drawn[:, -1], arity=[3] * 10, n_decisions=3), Limits()
        )
        assert minima(graph).tolist() == records.loc[index, MINIMUM_COLUMNS].tolist()
        assert (
            greedy_costs(graph.encoded).ravel().tolist()
            == records.loc[index, GREEDY_COLUMNS].tolist()
        )


@pytest.mark.parametrize("seed", range(4))
def test_order_of_rows_attributes_and_decisions_does_not_matter(seed, small_tables):
    rng = np.random.default_rng(seed)
    drawn = small_tables(1, 30, 6, 3, 3, seed=seed)[0]
    drawn = drawn[
        np.unique(drawn[:, :-1], axis=0, return_index=True)[1]
    ]  # which of equal rows wins may depend on names
    changed = drawn[rng.permutation(len(drawn))][:, [*rng.permutation(6), 6]]
    changed[:, -1] = rng.permutation(3)[changed[:, -1]]
    tables = np.stack([drawn, changed])
    assert np.ptp(costs_of(tables, 3, 3)[1], axis=0).tolist() == [0] * 5


def test_a_chain_of_thresholds_fills_the_words():
    """64 rows and 63 attributes that each cut the rows in two at another place, a decision for each
    row.
    """
    from pinetum.greedy_dp.tables import decision_table

    chain = np.array(
        [[row >= cut for cut in range(1, 64)] + [row] for row in range(64)], dtype=np.int8
    )
    _, ours, greedy = costs_of(chain[None].copy(), 2, 64)
    assert ours[0].tolist() == [64 * 6, 6, 127, 63, 64]
    table = decision_table(chain[:, :-1].T, chain[:, -1], arity=[2] * 63, n_decisions=64)
    assert (greedy_costs(build(table, Limits()).encoded) == greedy[0]).all()


def test_trivial_tables():
    one = np.zeros((1, 4, 3), dtype=np.int8)
    assert costs_of(one, 2, 2)[1][0].tolist() == [0, 0, 1, 0, 1]
    assert (costs_of(one, 2, 2)[2][0] == [0, 0, 1, 0, 1]).all()


@pytest.mark.parametrize("limits", [Limits(memory_mb=0.02), Limits(time_limit=0.0)])
def test_a_bound_ends_with_a_proven_interval(limits, small_tables, as_decision_table, monkeypatch):
    from pinetum.greedy_dp import optimum

    monkeypatch.setattr(optimum, "CHUNK", 40)
    for drawn in small_tables(5, 60, 8, 3, 3):
        table = as_decision_table(drawn, 3, 3)
        graph = build(table, limits)
        assert graph.status == ("memory_limit" if limits.time_limit else "time_limit")
        exact = minima(build(table, Limits()))
        assert (minima(graph) <= exact).all()
        assert (exact <= greedy_costs(graph.encoded).min(axis=0)).all()
        if not limits.time_limit:
            continue
        assert graph.peak_mb <= limits.memory_mb + 0.01
        assert (minima(graph) >= [60, 1, 4, 1, 3]).all()
