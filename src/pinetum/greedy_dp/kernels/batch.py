"""Many small tables in one call: equal rows merged, five minima, all greedy trees."""

import numpy as np

from pinetum.greedy_dp.kernels.constants import N_HEURISTICS, N_MEASURES
from pinetum.greedy_dp.kernels.greedy_64 import Sums64, Waiting64, greedy_one_word
from pinetum.greedy_dp.kernels.impurity import Choice
from pinetum.greedy_dp.kernels.minima_64 import (
    LANE,
    NODES,
    NONTERMINALS,
    PATH,
    TERMINALS,
    Frames,
    Memory,
    Table64,
    minima_one_word,
)
from pinetum.jit import kernel
from pinetum.kernels.words import ONE, ZERO

MOST_ROWS = 64  # of a table, and its most attributes: a bit each in a word
LEVELS = MOST_ROWS + 1


@kernel
def merge_equal_rows(table, n_decisions, kept, votes):
    """Replace equal rows by one with the most common decision (the smallest of several); rows left.

    table    (rows, attributes + 1), the decision last; overwritten.
    """
    n, columns = table.shape
    m = columns - 1
    left = 0
    for i in range(n):
        match = -1
        for j in range(left):
            same = True
            for a in range(m):
                if table[kept[j], a] != table[i, a]:
                    same = False
                    break
            if same:
                match = j
                break
        if match < 0:
            match = left
            kept[left] = i
            votes[left, :] = 0
            left += 1
        votes[match, table[i, m]] += 1
    for j in range(left):
        decision = 0
        for c in range(1, n_decisions):
            if votes[j, c] > votes[j, decision]:
                decision = c
        for a in range(m):
            table[j, a] = table[kept[j], a]
        table[j, m] = decision
    return left


@kernel
def compare_rows(columns, n, alike):
    """For every two rows the attributes, a bit each, where they agree.

    True when two rows agree in all.
    """
    m = len(columns)
    unused = ZERO if m == 64 else ~ZERO << np.uint64(m)
    equal = False
    for i in range(n):
        alike[i, :n] = unused
        for a in range(m):
            value = columns[a, i]
            bit = ONE << np.uint64(a)
            for j in range(n):
                alike[i, j] |= bit if columns[a, j] == value else ZERO
        for j in range(i):
            equal |= alike[i, j] == ~ZERO
    return equal


@kernel
def unpack(cost, out):
    """depth, average-depth path, nodes, nonterminal and terminal nodes in the order of the
    records.
    """
    out[0] = (cost >> PATH) & np.uint64(0x7FFF)
    out[1] = cost & LANE
    out[2] = (cost >> NODES) & LANE
    out[3] = (cost >> NONTERMINALS) & LANE
    out[4] = (cost >> TERMINALS) & LANE


@kernel
def merge_and_compare(table, n_decisions, kept, votes, columns, alike):
    """Columns of a table whose equal rows are merged, and where they agree; the rows left."""
    n, m = len(table), len(columns)
    for a in range(m):
        for r in range(n):
            columns[a, r] = table[r, a]
    if compare_rows(columns, n, alike):
        n = merge_equal_rows(table, n_decisions, kept, votes)
        for a in range(m):
            for r in range(n):
                columns[a, r] = table[r, a]
        compare_rows(columns, n, alike)
    return n


@kernel
def fill_table(table, n, columns, filled):
    """The row sets of a table's first n rows; that of them all."""
    filled.masks[:] = ZERO
    filled.decisions[:] = ZERO
    filled.same[:] = ~ZERO
    root, m = ZERO, len(columns)
    for r in range(n):
        bit = ONE << np.uint64(r)
        root |= bit
        filled.label[r] = table[r, m]
        filled.decisions[filled.label[r]] |= bit
        for a in range(m):
            filled.masks[filled.first[a] + columns[a, r]] |= bit
    for r in range(n):
        filled.same[r] = filled.decisions[filled.label[r]]
    return root


@kernel(inline=True)
def new_table(first, n_decisions):
    """A table to be filled."""
    return Table64(
        masks=np.empty(first[len(first) - 1], np.uint64),
        first=first,
        decisions=np.empty(n_decisions, np.uint64),
        same=np.empty(MOST_ROWS + 1, np.uint64),
        alike=np.empty((MOST_ROWS, MOST_ROWS), np.uint64),
        label=np.empty(MOST_ROWS, np.int64),
    )


@kernel(inline=True)
def new_memory(places):
    return Memory(keys=np.empty(places, np.uint64), costs=np.empty(places, np.uint64))


@kernel(inline=True)
def new_frames(values, attributes, n_decisions):
    """Frames: one per level, which has a row less than the one above."""
    return Frames(
        rows=np.empty(LEVELS, np.uint64),
        resume=np.empty(LEVELS, np.int64),
        best=np.empty(LEVELS, np.uint64),
        parts=np.empty((LEVELS, values + 1), np.uint64),
        begins=np.empty((LEVELS, attributes + 1), np.int64),
        ends=np.empty((LEVELS, attributes + 1), np.int64),
        bounds=np.empty((LEVELS, attributes + 1), np.uint64),
        seen=np.empty(max(n_decisions, 8), np.int64),
    )


@kernel(inline=True)
def new_waiting(widest):
    """Subtables that wait: per level at most one for each heuristic and value."""
    room = LEVELS * N_HEURISTICS * widest
    return Waiting64(
        rows=np.empty(room, np.uint64),
        level=np.empty(room, np.int64),
        group=np.empty(room, np.uint64),
    )


@kernel(inline=True)
def new_choice(n_decisions):
    return Choice(
        counts=np.empty(n_decisions, np.int64),
        measured=np.empty(N_MEASURES, np.float64),
        impurity=np.empty(N_HEURISTICS, np.float64),
        least=np.empty(N_HEURISTICS, np.float64),
        attribute=np.empty(N_HEURISTICS, np.int64),
    )


@kernel
def widest_of(first):
    """The most values of an attribute."""
    widest = 0
    for a in range(len(first) - 1):
        widest = max(widest, first[a + 1] - first[a])
    return widest


@kernel
def run_tables(tables, first, n_decisions, n_log_n, rows_left, minima, greedy, kept_subtables):
    """For each table of (tables, rows, attributes + 1): rows after merging, minima, greedy costs.

    Costs are in the order total path length, depth, nodes, nonterminal nodes, terminal nodes.
    """
    n_tables, most_rows, m = len(tables), tables.shape[1], tables.shape[2] - 1
    kept, votes = np.empty(most_rows, np.int64), np.empty((most_rows, n_decisions), np.int64)
    columns = np.empty((m, MOST_ROWS), np.int64)
    table, frames = new_table(first, n_decisions), new_frames(first[m], m, n_decisions)
    memory, waiting = new_memory(np.int64(4096)), new_waiting(widest_of(first))
    choice = new_choice(n_decisions)
    sums = Sums64(np.empty(N_HEURISTICS, np.uint64), np.empty(N_HEURISTICS, np.int64))
    for t in range(n_tables):
        n = merge_and_compare(tables[t], n_decisions, kept, votes, columns, table.alike)
        root = fill_table(tables[t], n, columns, table)
        rows_left[t] = n
        cost, used = minima_one_word(root, table, memory, frames)
        while used < 0:
            memory = new_memory(2 * len(memory.keys))
            cost, used = minima_one_word(root, table, memory, frames)
        kept_subtables[t] = used
        unpack(cost, minima[t])
        greedy_one_word(root, table, n_log_n, waiting, choice, sums)
        for h in range(N_HEURISTICS):
            unpack(sums.packed[h], greedy[t, h])
            greedy[t, h, 1] = sums.depth[h]
