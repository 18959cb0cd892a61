"""Many small tables in one call: equal rows merged, five minima, all greedy trees."""

import numpy as np

from pinetum.greedy_dp.kernels.bits import ONE, ZERO
from pinetum.greedy_dp.kernels.constants import N_HEURISTICS, N_MEASURES
from pinetum.greedy_dp.kernels.greedy_64 import greedy_one_word
from pinetum.greedy_dp.kernels.minima_64 import (
    LANE,
    NODES,
    NONTERMINALS,
    PATH,
    TERMINALS,
    minima_one_word,
)
from pinetum.jit import kernel

MOST_ROWS = 64  # of a table, and its most attributes: a bit each in a word


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
def run_tables(tables, first, n_decisions, n_log_n, rows_left, minima, greedy, kept_subtables):
    """For each table of (tables, rows, attributes + 1): rows after merging, minima, greedy costs.

    Costs are in the order total path length, depth, nodes, nonterminal nodes, terminal nodes.
    """
    n_tables, most_rows, width = tables.shape
    m = width - 1
    widest = 0
    for a in range(m):
        widest = max(widest, first[a + 1] - first[a])
    kept = np.empty(most_rows, np.int64)
    votes = np.empty((most_rows, n_decisions), np.int64)
    columns = np.empty((m, MOST_ROWS), np.int64)
    alike = np.empty((MOST_ROWS, MOST_ROWS), np.uint64)
    label = np.empty(MOST_ROWS, np.int64)
    masks = np.empty(first[m], np.uint64)
    decisions = np.empty(n_decisions, np.uint64)
    same = np.empty(MOST_ROWS + 1, np.uint64)
    seen = np.empty(max(n_decisions, 8), np.int64)
    # The exact search: memory, which says when it is full, and one frame per level, which has a row
    # less than the one above. Behind the last part of a frame stands one that is not kept.
    keys = np.empty(4096, np.uint64)
    costs = np.empty(4096, np.uint64)
    levels = MOST_ROWS + 1
    stack = np.empty(levels, np.uint64)
    resume = np.empty(levels, np.int64)
    best = np.empty(levels, np.uint64)
    parts = np.empty((levels, first[m] + 1), np.uint64)
    begins = np.empty((levels, m + 1), np.int64)
    ends = np.empty((levels, m + 1), np.int64)
    bounds = np.empty((levels, m + 1), np.uint64)
    # The greedy trees: subtables that wait, per level at most one for each heuristic and value.
    room = levels * N_HEURISTICS * widest
    sets = np.empty(room, np.uint64)
    depth_of = np.empty(room, np.int64)
    groups = np.empty(room, np.uint64)
    sums = np.empty(N_HEURISTICS, np.uint64)
    depths = np.empty(N_HEURISTICS, np.int64)
    counts = np.empty(n_decisions, np.int64)
    measured = np.empty(N_MEASURES, np.float64)
    impurity = np.empty(N_HEURISTICS, np.float64)
    least = np.empty(N_HEURISTICS, np.float64)
    choice = np.empty(N_HEURISTICS, np.int64)
    for t in range(n_tables):
        table = tables[t]
        n = most_rows
        for a in range(m):
            for r in range(n):
                columns[a, r] = table[r, a]
        if compare_rows(columns, n, alike):
            n = merge_equal_rows(table, n_decisions, kept, votes)
            for a in range(m):
                for r in range(n):
                    columns[a, r] = table[r, a]
            compare_rows(columns, n, alike)
        masks[:] = ZERO
        decisions[:] = ZERO
        root = ZERO
        for r in range(n):
            bit = ONE << np.uint64(r)
            root |= bit
            label[r] = table[r, m]
            decisions[label[r]] |= bit
            for a in range(m):
                masks[first[a] + columns[a, r]] |= bit
        same[:] = ~ZERO
        for r in range(n):
            same[r] = decisions[label[r]]
        rows_left[t] = n
        used = -1
        while used < 0:
            cost, used = minima_one_word(
                root,
                masks,
                first,
                same,
                decisions,
                alike,
                label,
                seen,
                keys,
                costs,
                stack,
                resume,
                best,
                parts,
                begins,
                ends,
                bounds,
            )
            if used < 0:
                keys = np.empty(2 * len(keys), np.uint64)
                costs = np.empty(len(keys), np.uint64)
        kept_subtables[t] = used
        unpack(cost, minima[t])
        greedy_one_word(
            root,
            masks,
            first,
            same,
            decisions,
            alike,
            label,
            n_log_n,
            sets,
            depth_of,
            groups,
            sums,
            depths,
            counts,
            measured,
            impurity,
            least,
            choice,
        )
        for h in range(N_HEURISTICS):
            unpack(sums[h], greedy[t, h])
            greedy[t, h, 1] = depths[h]
