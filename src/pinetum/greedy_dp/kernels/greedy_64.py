"""All greedy trees of a table at once, for at most 64 rows.

The trees share their top: a subtable is visited once for all heuristics that reach it by the same
path, and splits them into groups by the attribute they choose. Costs are added up on the way down.

    place     | 0 | 1 | ... | waiting - 1 |     the last one is looked at next; its branches, for
    rows        subtable                        each group of heuristics, take its place and those
    level       tests above                     behind it
    group       heuristics that get there, a bit each
"""

from typing import NamedTuple

import numpy as np

from pinetum.greedy_dp.kernels.constants import N_HEURISTICS
from pinetum.greedy_dp.kernels.impurity import borrow_choice, fold, prefer, uncertainties
from pinetum.greedy_dp.kernels.minima_64 import LEAF, PATH, SPLIT, borrow_table
from pinetum.jit import kernel
from pinetum.kernels.arrays import borrow
from pinetum.kernels.words import ONE, ZERO, lowest, ones

ALL = np.uint64((1 << N_HEURISTICS) - 1)
FEW = 6  # rows up to which an attribute with pure branches is looked for first


class Waiting64(NamedTuple):
    """The subtables that wait."""

    rows: np.ndarray  # uint64 (places,)
    level: np.ndarray  # int64 (places,)
    group: np.ndarray  # uint64 (places,)


class Sums64(NamedTuple):
    """Costs of every heuristic's tree."""

    packed: np.ndarray  # uint64 (heuristics,): as in the exact kernel, without depth
    depth: np.ndarray  # int64 (heuristics,)


@kernel
def pure_splits(rows, alike, label):
    """The attributes, a bit each, that leave every branch with one decision."""
    good = ~ZERO
    while rows != ZERO:
        i = lowest(rows)
        rows &= rows - ONE
        others = rows
        while others != ZERO:
            j = lowest(others)
            others &= others - ONE
            if label[i] != label[j]:
                good &= ~alike[i, j]
        if good == ZERO:
            break
    return good


@kernel(inline=True)
def pure_leaves(rows, n, table):
    """Leaves below the first attribute that leaves every branch with one decision, or 0.

    It has impurity 0 in any measure.
    """
    leaves = 2
    if n > 2:
        leaves = 0
        good = pure_splits(rows, table.alike, table.label)
        if good != ZERO:
            a = lowest(good)
            for slot in range(table.first[a], table.first[a + 1]):
                leaves += (rows & table.masks[slot]) != ZERO
    return leaves


@kernel(inline=True)
def add_costs(group, cost, level, sums):
    """Add a cost to the trees of a group, which reach this level."""
    while group != ZERO:
        h = lowest(group)
        group &= group - ONE
        sums.packed[h] += cost
        sums.depth[h] = max(sums.depth[h], level)


@kernel(inline=True)
def choose(rows, table, n_log_n, choice):
    """Each heuristic's attribute for a subtable that is no leaf."""
    counts, measured, impurity = choice.counts, choice.measured, choice.impurity
    masks, first, decisions = table.masks, table.first, table.decisions
    choice.least[:] = np.inf
    for a in range(len(first) - 1):
        impurity[:] = 0.0
        filled = 0
        for slot in range(first[a], first[a + 1]):
            part = rows & masks[slot]
            if part == ZERO:
                continue
            filled += 1
            size = np.int64(0)
            for c in range(len(decisions)):
                counts[c] = ones(part & decisions[c])
                size += counts[c]
            uncertainties(counts, size, n_log_n, measured)
            fold(measured, size, impurity)
        if filled > 1:
            prefer(a, impurity, choice.least, choice.attribute)


@kernel(inline=True)
def chosen_by(group, a, attribute):
    """The heuristics of a group that choose an attribute."""
    chosen = ZERO
    while group != ZERO:
        h = lowest(group)
        group &= group - ONE
        if attribute[h] == a:
            chosen |= ONE << np.uint64(h)
    return chosen


@kernel(inline=True)
def push_branches(rows, level, group, a, table, waiting, at):
    """Let the branches of an attribute wait, from place `at` on; the place behind them."""
    for slot in range(table.first[a], table.first[a + 1]):
        part = rows & table.masks[slot]
        if part != ZERO:
            waiting.rows[at], waiting.level[at], waiting.group[at] = part, level, group
            at += 1
    return at


@kernel
def greedy_one_word(root, table, n_log_n, waiting, choice, sums):
    """Costs of every heuristic's tree."""
    table, choice, n_log_n = borrow_table(table), borrow_choice(choice), borrow(n_log_n)
    waiting = Waiting64(borrow(waiting.rows), borrow(waiting.level), borrow(waiting.group))
    sums = Sums64(borrow(sums.packed), borrow(sums.depth))
    sums.packed[:] = ZERO
    sums.depth[:] = 0
    waiting.rows[0], waiting.level[0], waiting.group[0] = root, 0, ALL
    count = 1
    while count > 0:
        count -= 1
        rows, level, group = waiting.rows[count], waiting.level[count], waiting.group[count]
        if not rows & ~table.same[lowest(rows)]:
            add_costs(group, LEAF, level, sums)
            continue
        n = ones(rows)
        node = SPLIT + (np.uint64(n) << PATH)
        leaves = pure_leaves(rows, n, table) if n <= FEW else 0
        if leaves > 0:
            add_costs(group, node + LEAF * np.uint64(leaves), level + 1, sums)
            continue
        choose(rows, table, n_log_n, choice)
        while group != ZERO:
            a = choice.attribute[lowest(group)]
            chosen = chosen_by(group, a, choice.attribute)
            group &= ~chosen
            add_costs(chosen, node, level, sums)
            count = push_branches(rows, level + 1, chosen, a, table, waiting, count)
