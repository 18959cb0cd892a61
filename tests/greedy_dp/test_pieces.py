"""Pieces of the searches for minimal trees, each against its definition: what they get wrong may
only show rarely.
"""

import time

import numpy as np
import pytest

from pinetum.greedy_dp.branch_and_bound import Searcher
from pinetum.greedy_dp.building import counts_per_row, midpoint
from pinetum.greedy_dp.costs import COSTS, cost_of
from pinetum.greedy_dp.encoding import NEAREST, Encoded, row_words
from pinetum.greedy_dp.kernels import bounds, branch
from pinetum.greedy_dp.kernels.batch import compare_rows, unpack
from pinetum.greedy_dp.kernels.branch import PROBES, Store, look_up, put
from pinetum.greedy_dp.kernels.constants import TERMINALS
from pinetum.greedy_dp.kernels.minima_64 import Frames, Memory, Table64, minima_one_word
from pinetum.greedy_dp.kernels.problem import overlap, weight_of
from pinetum.greedy_dp.optimum import Limits, build, bytes_per_node
from pinetum.greedy_dp.tables import decision_table


def bits_of(words, n):
    return {row for row in range(n) if int(words[row >> 6]) >> (row & 63) & 1}


def random_table(rng, rows=(2, 90), **options):
    n, m = int(rng.integers(*rows)), int(rng.integers(1, 7))
    codes = rng.integers(0, 3, (m, n))
    codes[:, 0] = 2
    return decision_table(codes, rng.integers(0, 3, n), n_decisions=3, **options)


@pytest.mark.parametrize("meaning", ["most_common", "any"])
def test_rivals_clashes_and_cliques_are_what_they_are_called(meaning):
    rng = np.random.default_rng([8, len(meaning)])
    for _ in range(12):
        table = random_table(rng, (2, 26) if meaning == "any" else (2, 40), inconsistent=meaning)
        encoded = Encoded.of(table, pairs=True)
        problem, n, order = encoded.problem, table.n_rows, encoded.order
        answers, codes = table.answers[:, order], table.codes[:, order]
        rivals = [
            {k for k in range(n) if not (answers[:, i] & answers[:, k]).any()} for i in range(n)
        ]
        apart = [
            [frozenset(np.flatnonzero(codes[:, i] != codes[:, k])) for k in range(n)]
            for i in range(n)
        ]
        clash = {(i, k) for i in range(n) for k in rivals[i]}
        for i in range(n):
            least = {apart[i][k] for k in rivals[i]}
            clash |= {
                pair
                for k in range(n)
                if k != i and any(one <= apart[i][k] for one in least)
                for pair in ((i, k), (k, i))
            }
        for i in range(n):
            assert bits_of(problem.rivals[problem.kind[i]], n) == rivals[i]
            assert bits_of(problem.clash[i], n) == {k for k in range(n) if (i, k) in clash}
            near = problem.near[i][problem.near[i] >= 0].tolist()
            assert (problem.near[i][len(near) :] == -1).all() and set(near) <= rivals[i]
            distances = sorted(len(apart[i][k]) for k in rivals[i])[:NEAREST]
            assert [len(apart[i][k]) for k in near] == distances and len(set(near)) == len(near)
        for block, (low, high) in enumerate(
            zip(problem.clique_first, problem.clique_first[1:], strict=False)
        ):
            held = np.zeros(n, dtype=int)
            inside = bits_of(problem.blocks[block], n)
            for words in problem.cliques[low:high]:
                clique = bits_of(words, n)
                assert clique <= inside and all(
                    (i, k) in clash for i in clique for k in clique if i != k
                )
                held[list(clique)] += 1
            assert all(
                held[list(inside)] > 0
            )  # there are more cliques than rows here, and each begins with a new row


def test_more_least_differences_than_are_kept():
    """One row with 270 rivals, no difference inside another."""
    n = 271
    flags = np.zeros((n, n - 1), dtype=bool)
    flags[np.arange(1, n), np.arange(n - 1)] = True
    planes, kind = np.stack([row_words(flags)], axis=2), (np.arange(n) > 0).astype(np.int64)
    rivals = row_words(np.stack([kind == 1, kind == 0]))
    clash = np.zeros((n, rivals.shape[1]), dtype=np.uint64)
    bounds.find_clashes(planes, kind, rivals, n - 1, clash, 0, 2**62)
    everyone = set(
        range(n)
    )  # row 0 lies between any two others, and differs from each in what they differ in
    assert all(bits_of(clash[i], n) == everyone - {i} for i in range(n))


def test_weights_of_row_sets_of_several_words():
    rng = np.random.default_rng(9)
    for n in (1, 63, 64, 65, 130, 200):
        weight = rng.integers(1, 9, n)
        chosen, mask = rng.random((2, n)) < 0.5
        rows, other = row_words(np.stack([chosen, mask]))
        assert (
            weight_of(rows, weight) == weight[chosen].sum()
            and weight_of(rows, weight[:0]) == chosen.sum()
        )
        assert overlap(rows, other, weight) == weight[chosen & mask].sum()


def test_a_full_store_knows_what_it_was_told_or_nothing():
    rng = np.random.default_rng(10)
    for places in (1, 5, PROBES, 40):
        store = Store(
            np.zeros((places, 2), np.uint64),
            np.zeros(places, np.int32),
            np.zeros(places, np.int64),
            np.zeros(places, np.uint8),
        )
        told = {}
        for turn in range(400):
            rows = rng.integers(1, 60, 2).astype(np.uint64)
            place = look_up(store, rows)
            if place >= 0:
                assert (store.value[place], bool(store.strong[place])) == told[tuple(rows)]
            else:
                assert place == -1
                told.pop(tuple(rows), None)
            value, strong = turn, bool(rng.random() < 0.5)
            put(store, rows, int(rng.integers(1, 20)), value, strong)
            known = told.get(tuple(rows), (0, False))
            told[tuple(rows)] = value, known[1] or strong
            place = look_up(store, rows)
            assert (store.value[place], bool(store.strong[place])) == told[tuple(rows)]


def minima_of(table, places):
    """The kernel for tables of one word, called with room for so many subtables: (minima, kept,
    keys).
    """
    n, m = table.n_rows, table.n_attributes
    columns, alike = table.codes.astype(np.int64), np.empty((n, n), np.uint64)
    compare_rows(columns, n, alike)
    answers = row_words(table.answers.astype(bool))[:, 0]
    first, label = table.first, table.decisions.astype(np.int64)
    masks = row_words(
        np.concatenate([columns[a] == np.arange(table.arity[a])[:, None] for a in range(m)])
    )[:, 0]
    same = np.full(65, ~np.uint64(0))
    same[:n] = answers[label]
    table = Table64(masks, first, answers, same, alike, label)
    memory = Memory(np.empty(places, np.uint64), np.empty(places, np.uint64))
    words, numbers = np.empty((2, n + 2), np.uint64), np.empty((2, n + 2, m + 1), np.int64)
    frames = Frames(
        rows=words[0],
        resume=np.empty(n + 2, np.int64),
        best=words[1],
        parts=np.empty((n + 2, int(first[m]) + 1), np.uint64),
        begins=numbers[0],
        ends=numbers[1],
        bounds=np.empty((n + 2, m + 1), np.uint64),
        seen=np.empty(64, np.int64),
    )
    root = row_words(np.ones((1, n), bool))[0, 0]
    cost, kept = minima_one_word(root, table, memory, frames)
    minima = np.empty(len(COSTS), np.int64)
    unpack(cost, minima)
    return minima.tolist(), kept, memory.keys


def test_subtables_in_one_word_are_counted_and_never_more_than_fit(twin):
    rng = np.random.default_rng(11)
    most = 0
    for _ in range(6):
        table = decision_table(rng.integers(0, 2, (5, 20)), rng.integers(0, 2, 20), n_decisions=2)
        wanted = list(twin.minima(twin.rows_of(table)))
        minima, kept, keys = minima_of(table, 256)
        assert minima == wanted and kept == max(1, np.count_nonzero(keys))
        for places in (8, 16, 32, 64):
            minima, there, _ = minima_of(table, places)
            assert there == (kept if kept <= places * 5 // 8 else -1), "the caller takes more room"
            assert there < 0 or minima == wanted
        most = max(most, kept)
    assert most > 20


def test_what_is_said_of_a_table():
    codes = [[0, 0, 0, 1, 1], [0, 0, 0, 0, 0]]
    common = decision_table(codes, [1, 0, 1, 2, 0])
    either = decision_table(codes, [1, 0, 1, 2, 0], inconsistent="any")
    assert common.single and not either.single and common.plain and not either.plain
    together = decision_table(codes, [1, 0, 1, 2, 0], inconsistent="all")
    assert counts_per_row(together, "rows").tolist() == np.eye(2, dtype=int).tolist()
    assert counts_per_row(together, "cases").tolist() == [[3, 0], [0, 2]]
    assert counts_per_row(common, "cases").tolist() == common.votes.tolist()
    with pytest.raises(ValueError, match="counts is 'all'"):
        counts_per_row(common, "all")


def test_a_cut_lies_between_two_neighbouring_values():
    values = [-1.7e308, 1.0, 2.0, 6.0, np.nextafter(6.0, 7.0), 1.7e308]
    assert [midpoint(values, rank) for rank in range(1, 4)] == [
        1.5,
        4.0,
        6.0,
    ]  # never the upper one
    assert midpoint([-1.7e308, 1.7e308], 0) == 0.0 and midpoint(values, 4) < values[5]


def test_the_memory_of_a_graph_is_foreseen():
    table = random_table(np.random.default_rng(12), (60, 90))
    graph = build(table, Limits())
    sets, arrays = graph.subtables.sets, [*graph.subtables, graph.costs]
    assert graph.peak_mb == sum(array.nbytes for array in arrays) / 1e6
    most, head = len(sets), graph.subtables.head
    assert graph.peak_mb * 1e6 <= most * bytes_per_node(sets.shape[1]) + head.nbytes
    assert bytes_per_node(3) == bytes_per_node(1) + 16 and bytes_per_node(1) == 8 + 9 + 20 + 16


def test_the_own_cost_of_a_node():
    """Of a test of price 3 above five rows of weight 2, in each cost."""
    table = decision_table(
        [[0, 0, 1, 1, 1]], [0, 0, 1, 1, 0], weights=[2] * 5, prices=[3], inconsistent="any"
    )
    encoded = Encoded.of(table, pairs=True)
    weight = int(table.weight.sum())
    for cost in COSTS.values():
        wanted = 3 * weight if cost.path else 0 if cost.place == TERMINALS else 3
        assert Searcher(encoded, cost).own(encoded.everything, 0) == wanted, cost


def opened(table, budget):
    """(searcher whose first subtable is expanded, CPU seconds that it took)."""
    searcher = Searcher(Encoded.of(table), cost_of("nodes"))
    problem, frames, controls = searcher.encoded.problem, searcher.frames, searcher.controls
    rows, scratch = searcher.encoded.everything, searcher.scratch
    branch.start_frame(0, rows, table.n_rows, 1, budget, problem, frames, scratch)
    place, room, begun = searcher.cost.place, searcher.room, time.process_time()
    given = place, problem, searcher.cheapest, searcher.store, frames, room, scratch, controls
    branch.search(*given, 1)
    return searcher, time.process_time() - begun


def thresholds(rng, rows, columns):
    X = rng.normal(size=(rows, columns))
    codes = np.concatenate([X[:, f] > np.sort(X[:, f])[:-1, None] for f in range(columns)])
    return decision_table(codes, rng.integers(0, 2, rows))


@pytest.mark.parametrize("columns", [1, 2, 3, 5, 16])
def test_attributes_are_tried_by_bound_disorder_and_place(columns):
    searcher, _ = opened(thresholds(np.random.default_rng(columns), 50, columns), 50)
    n = searcher.frames.state[0]["waiting"]
    order, bound = searcher.frames.order[0, :n], searcher.frames.bound[0]
    disorder, kept = searcher.room.disorder, np.sort(order)
    assert (order == kept[np.lexsort((disorder[kept], bound[kept]))]).all()
    assert n > 40 * columns and len(np.unique(bound[kept])) > 1


def test_many_attributes_are_put_into_order_quickly():
    table = thresholds(np.random.default_rng(0), 60, 1000)
    assert opened(table, 60)[0].frames.state[0]["waiting"] > 50_000
    assert min(opened(table, 60)[1] for _ in range(2)) < 0.5
