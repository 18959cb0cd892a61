"""The quality of every feature for one set of cases, as `induction.quality` defines it.

Columns of numbers are scanned in order by `induction.kernels.best_cut`. Most sets are small, so
they are not sorted: every building case has a place in the order of each column, its place becomes
a bit, and bits are read off in order. Whole cases are counted by the classes that are there,
renumbered: few of many, and two of them are cut fastest.

A kernel that calls others counts references of each of its arrays, which takes longer than to rank
a feature of a few cases. So what is called in one place is inlined there, and arrays go one by one,
no tuples or rows of them.
"""

import numpy as np

from pinetum.distinct.kernels.records import (
    CHORDS,
    CLOSE,
    COUNTS,
    DISCRETE,
    KNOWN,
    LEFT,
    LIVE_HERE,
    NOT_MADE,
    NUMBER,
    RIGHT,
    WANTED,
)
from pinetum.induction.kernels.best_cut import Node, best_cut
from pinetum.induction.kernels.cuts import LOWEST, Gaps, Scan, Segment, index
from pinetum.induction.kernels.nodes import place_cut
from pinetum.induction.kernels.quality import (
    INELIGIBLE,
    discrete_split,
    impurity_mass,
    on_grid,
    worth,
)
from pinetum.induction.kernels.sorting import sort_keys
from pinetum.jit import kernel

WORDS_PER_CASE = 16  # a set of fewer cases than one in so many words of bits is sorted instead
# The number of a word's lowest bit from a product: de Bruijn's sequence has every six bits once.
ONE, SIX_BITS, DE_BRUIJN = np.uint64(1), np.uint64(58), np.uint64(0x03F79D71B4CB0A89)
LOWEST_BIT = np.zeros(64, dtype=np.int64)
for _bit in range(64):
    LOWEST_BIT[((1 << _bit) * 0x03F79D71B4CB0A89 >> 58) & 63] = _bit


@kernel
def bits_for(n):
    """Bits that hold 0, ..., n - 1, at least one."""
    bits = np.int64(1)
    while (n - 1) >> bits:
        bits += 1
    return bits


@kernel(inline=True)
def entries_by_bits(order, place, f, case, n, words, bits, entries):
    """Read the entries of a set of cases from the order of a column into entries[0]; how many there
    are.
    """
    for i in range(n):
        p = np.int64(place[index(f), index(case[index(i)])])
        if p >= 0:
            bits[index(p >> 6)] |= ONE << np.uint64(p & 63)
    m = np.int64(0)
    for w in range(words):
        rest = bits[index(w)]
        bits[index(w)] = 0
        while rest != 0:
            low = rest & (~rest + ONE)
            rest ^= low
            p = (w << 6) + LOWEST_BIT[index((low * DE_BRUIJN) >> SIX_BITS)]
            entries[index(0), index(m)] = order[index(f), index(p)]
            m += 1
    return m


@kernel
def entries_by_sort(order, place, f, case, n, entries):
    """The same by sorting."""
    row, m = entries[0], np.int64(0)
    for i in range(n):
        p = np.int64(place[f, case[i]])
        if p >= 0:
            row[m] = order[f, p]
            m += 1
    sort_keys(row, entries[1], m)
    return m


@kernel
def number_classes(labels, case, n, by_class, label):
    """Number the classes of n whole cases in order, and count them: how many there are, two at
    least.
    """
    n_all = by_class.shape[1]
    for c in range(n_all):
        by_class[COUNTS, c] = 0
    for i in range(n):
        label[i] = labels[case[i]]
        by_class[COUNTS, label[i]] += 1
    found = np.int64(0)
    for c in range(n_all):
        here = by_class[COUNTS, c]
        by_class[COUNTS, c] = 0
        if here > 0:
            by_class[NUMBER, c] = found
            by_class[COUNTS, found] = here
            found += 1
    for i in range(n):
        label[i] = by_class[NUMBER, label[i]]
    return max(found, min(np.int64(2), n_all))


@kernel
def weigh_cases(labels, case, weights, n, by_class, label, weight_of):
    """Weights per class of n cases, some of them in part, and their own by case: the number of
    classes.
    """
    n_all = by_class.shape[1]
    for c in range(n_all):
        by_class[COUNTS, c], by_class[NUMBER, c] = 0, c
    for i in range(n):
        label[i] = labels[case[i]]
        by_class[COUNTS, label[i]] += weights[i]
        weight_of[case[i]] = weights[i]
    return np.int64(n_all)


@kernel(inline=True)
def goes_before(found, f, g):
    """Whether a feature ranks before another: the better, of equals the first."""
    return found[f].quality > found[g].quality or (found[f].quality == found[g].quality and f < g)


@kernel(inline=True)
def sort_ranked(ranked, found, n):
    """Sort features by falling quality: by insertion over falling distances (Shell, 1959)."""
    distance = 1
    while 3 * distance < n:
        distance = 3 * distance + 1
    while distance > 0:
        for i in range(distance, n):
            f, at = ranked[i], i
            while at >= distance and goes_before(found, f, ranked[at - distance]):
                ranked[at] = ranked[at - distance]
                at -= distance
            ranked[at] = f
        distance //= 3


@kernel(inline=True)
def evaluate_features(table, scratch, rules, n, weight, fractional, n_ranked):
    """Rank the wanted features at n cases of this weight among the `n_ranked` ones.

    How many there are then. Features that do not vary here are taken out of the live ones. Where no
    case is here in part (`fractional`) each weighs 1.
    """
    kind, labels, arity = table.kind, table.labels, table.arity
    cells, order, values = table.cells, table.order, table.values
    value_start, present, nlogn_of = table.value_start, table.present, table.nlogn
    settings = table.settings[0]
    case, weights, label = scratch.case, scratch.weight, scratch.label
    by_class, histogram, entries = scratch.by_class, scratch.histogram, scratch.entries
    sizes, steps, weight_of = scratch.sizes, scratch.steps, scratch.weight_of
    bits, ranked, sets = scratch.bits, scratch.ranked, scratch.sets
    class_bits, case_bits = settings.class_bits, settings.case_bits
    n_all = by_class.shape[1]
    if fractional:
        n_classes = weigh_cases(labels, case, weights, n, by_class, label, weight_of)
        label_bits, shift = class_bits, class_bits + case_bits
    else:
        n_classes = number_classes(labels, case, n, by_class, label)
        label_bits = bits_for(n_classes)
        shift = label_bits
    counts, known = by_class[COUNTS, :n_classes], by_class[KNOWN, :n_classes]
    scan = Scan(
        counts,
        known,
        by_class[LEFT, :n_classes],
        by_class[RIGHT, :n_classes],
        by_class[CHORDS, :n_classes],
        sizes,
        steps,
        weight_of,
        nlogn_of,
    )
    case_mask, class_mask = (np.int64(1) << case_bits) - 1, (np.int64(1) << class_bits) - 1
    from_code = class_bits + case_bits
    gap, zero = rules.min_gap, np.int64(0)
    floor = np.int64(LOWEST) if rules.zero_gain else max(np.int64(0), np.int64(rules.min_gain - 1))
    whole_mass = impurity_mass(counts, weight, rules.criterion, rules.unit, nlogn_of)
    node = Node(zero, n, weight, whole_mass, fractional, n_all)
    words = len(bits)
    by_bits = words <= WORDS_PER_CASE * n
    filled = False
    for f in range(len(kind)):
        if (sets[WANTED, f >> 6] >> np.int64(f & 63)) & 1 == 0:
            continue
        mass, split, cut, varies = np.int64(0), np.int64(0), np.int64(-1), True
        if kind[f] != DISCRETE:
            if by_bits:
                m = entries_by_bits(order, cells, f, case, n, words, bits, entries)
            else:
                m = entries_by_sort(order, cells, f, case, n, entries)
            varies = m > 0 and entries[0, 0] >> from_code != entries[0, m - 1] >> from_code
            if varies:
                if not fractional:
                    for i in range(m):
                        e = entries[index(0), index(i)]
                        entries[index(0), index(i)] = ((e >> from_code) << label_bits) | by_class[
                            NUMBER, index(e & class_mask)
                        ]
                segment = Segment(entries, zero, zero, m, shift, label_bits, case_mask)
                gaps = Gaps(kind[f] == CLOSE, values, value_start[f], gap)
                mass, split, at, filled = best_cut(segment, node, gaps, scan, rules, floor, filled)
                if at > 0:
                    low, high = entries[0, at - 1] >> shift, entries[0, at] >> shift
                    cut = np.int64(place_cut(low, high, values, present, value_start[f])[1])
        else:
            branches = np.int64(arity[f])
            for v in range(branches):
                for c in range(n_classes):
                    histogram[v, c] = 0
            for i in range(n):
                v = np.int64(cells[index(f), index(case[index(i)])])
                if v >= 0:
                    w = weights[index(i)] if fractional else np.int64(1)
                    histogram[index(v), index(label[index(i)])] += w
            for c in range(n_classes):
                known[c] = 0
            total, here = np.int64(0), 0
            for v in range(branches):
                in_branch = np.int64(0)
                for c in range(n_classes):
                    in_branch += histogram[v, c]
                    known[c] += histogram[v, c]
                total += in_branch
                here += in_branch > 0
            varies = here > 1
            if varies:
                mass, split = discrete_split(
                    histogram, branches, known, total, weight, rules, nlogn_of
                )
        if not varies:
            sets[LIVE_HERE, f >> 6] &= ~(np.int64(1) << np.int64(f & 63))
            continue
        if split == 0:
            continue
        value = np.int64(
            worth(on_grid(mass, weight, rules.unit), mass, split, weight, rules, rules.min_gain)
        )
        if value == INELIGIBLE:
            continue
        ranked[n_ranked] = f
        found = scratch.found[f]
        found.quality, found.cut, found.children = value, cut, NOT_MADE
        n_ranked += 1
    sort_ranked(ranked, scratch.found, n_ranked)
    return n_ranked
