"""All greedy trees of a table at once, for at most 64 rows.

The trees share their top: a subtable is visited once for all heuristics that reach it by the same
path, and splits them into groups by the attribute they choose. Costs are added up on the way down.
"""

import numpy as np

from pinetum.greedy_dp.kernels.bits import ONE, ZERO, lowest, ones
from pinetum.greedy_dp.kernels.constants import N_HEURISTICS
from pinetum.greedy_dp.kernels.impurity import fold, less, uncertainties
from pinetum.greedy_dp.kernels.minima_64 import LEAF, PATH, SPLIT
from pinetum.jit import kernel

ALL = np.uint64((1 << N_HEURISTICS) - 1)


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


@kernel
def greedy_one_word(
    root,
    masks,
    first,
    same,
    decisions,
    alike,
    label,
    n_log_n,
    sets,
    levels,
    groups,
    sums,
    depths,
    counts,
    measured,
    impurity,
    least,
    choice,
):
    """Costs of every heuristic's tree: `sums` packed as in the exact kernel without depth, and
    `depths`.
    """
    sums[:] = ZERO
    depths[:] = 0
    n_attributes = len(first) - 1
    n_decisions = len(decisions)
    sets[0] = root
    levels[0] = 0
    groups[0] = ALL
    waiting = 1
    while waiting > 0:
        waiting -= 1
        rows = sets[waiting]
        level = levels[waiting]
        group = groups[waiting]
        if not rows & ~same[lowest(rows)]:
            while group != ZERO:
                h = lowest(group)
                group &= group - ONE
                sums[h] += LEAF
                depths[h] = max(depths[h], level)
            continue
        n = ones(rows)
        node = SPLIT + (np.uint64(n) << PATH)
        if n <= 6:  # most subtables: an attribute with pure branches has impurity 0 in any measure
            good = ~ZERO
            if n > 2:
                good = pure_splits(rows, alike, label)
            leaves = 2
            if good != ZERO:
                if n > 2:
                    a = lowest(good)
                    leaves = 0
                    for slot in range(first[a], first[a + 1]):
                        leaves += (rows & masks[slot]) != ZERO
                node += LEAF * np.uint64(leaves)
                while group != ZERO:
                    h = lowest(group)
                    group &= group - ONE
                    sums[h] += node
                    depths[h] = max(depths[h], level + 1)
                continue
        fresh = True
        for a in range(n_attributes):
            impurity[:] = 0.0
            filled = 0
            for slot in range(first[a], first[a + 1]):
                part = rows & masks[slot]
                if part == ZERO:
                    continue
                filled += 1
                size = np.int64(0)
                for c in range(n_decisions):
                    counts[c] = ones(part & decisions[c])
                    size += counts[c]
                uncertainties(counts, size, n_log_n, measured)
                fold(measured, size, impurity)
            if filled < 2:
                continue
            if fresh:
                for h in range(N_HEURISTICS):
                    least[h] = impurity[h]
                    choice[h] = a
                fresh = False
            else:
                for h in range(N_HEURISTICS):
                    if less(impurity[h], least[h]):
                        least[h] = impurity[h]
                        choice[h] = a
        while group != ZERO:
            a = choice[lowest(group)]
            chosen = ZERO
            rest = group
            while rest != ZERO:
                h = lowest(rest)
                rest &= rest - ONE
                if choice[h] == a:
                    chosen |= ONE << np.uint64(h)
                    sums[h] += node
            group &= ~chosen
            for slot in range(first[a], first[a + 1]):
                part = rows & masks[slot]
                if part != ZERO:
                    sets[waiting] = part
                    levels[waiting] = level + 1
                    groups[waiting] = chosen
                    waiting += 1
