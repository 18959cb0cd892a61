"""The quality of every feature for one set of cases, as `induction.quality` defines it.

Columns of numbers are scanned in order by `induction.kernels.best_cut`. Most sets are small, so
they are not sorted: every building case has a place in the order of each column, its place becomes
a bit, and bits are read off in order. Whole cases are counted by the classes that are there,
renumbered: few of many, and two of them are cut fastest.

    table.order[f]    | code, case, class | ...     entries of all building cases by code
    table.cells[f]    place of a case in it         scratch.bits     places of this set's cases
    scratch.entries   those of this set             code, case, class; of whole cases: code, number
"""

from typing import NamedTuple

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

MANY = 200  # features that are not sorted by mere insertion
WORDS_PER_CASE = 16  # a set of fewer cases than one in so many words of bits is sorted instead
# The number of a word's lowest bit from a product: de Bruijn's sequence has every six bits once.
ONE, SIX_BITS, DE_BRUIJN = np.uint64(1), np.uint64(58), np.uint64(0x03F79D71B4CB0A89)
LOWEST_BIT = np.zeros(64, dtype=np.int64)
for _bit in range(64):
    LOWEST_BIT[((1 << _bit) * 0x03F79D71B4CB0A89 >> 58) & 63] = _bit


class Spelling(NamedTuple):
    """How the entries of a set are written."""

    from_code: int  # bits below the code in the table's entries
    class_bits: int  # of the class there,
    label_bits: int  # and here
    shift: int  # bits below the code here


@kernel
def bits_for(n):
    """Bits that hold 0, ..., n - 1, at least one."""
    bits = np.int64(1)
    while (n - 1) >> bits:
        bits += 1
    return bits


@kernel(inline=True)
def evaluate_features(table, scratch, rules, n, weight, fractional, before):
    """Rank the wanted features at n cases of this weight among the ones ranked `before`.

    How many there are then. Features that do not vary here are taken out of the live ones. Where no
    case is here in part (`fractional`) each weighs 1.
    """
    settings, sets = table.settings[0], scratch.sets
    class_bits, from_code = settings.class_bits, settings.class_bits + settings.case_bits
    if fractional:
        n_classes = weigh_cases(table.labels, scratch, n)
        spelling = Spelling(from_code, class_bits, class_bits, from_code)
    else:
        n_classes = number_classes(table.labels, scratch, n)
        label_bits = bits_for(n_classes)
        spelling = Spelling(from_code, class_bits, label_bits, label_bits)
    scan = scan_of(scratch, n_classes, table.nlogn)
    mass = impurity_mass(scan.counts, weight, rules.criterion, rules.unit, table.nlogn)
    node = Node(np.int64(0), n, weight, mass, fractional, scratch.by_class.shape[1])
    filled, ranked = False, before
    for f in range(len(table.kind)):
        if (sets[WANTED, f >> 6] >> np.int64(f & 63)) & 1 == 0:
            continue
        if table.kind[f] == DISCRETE:
            cut = np.int64(-1)
            varies, gained, split = split_by_value(table, scratch, scan.known, f, node, rules)
        else:
            varies, gained, split, cut, filled = split_by_cut(
                table, scratch, scan, f, node, spelling, rules, filled
            )
        if not varies:
            sets[LIVE_HERE, f >> 6] &= ~(np.int64(1) << np.int64(f & 63))
        elif split != 0:
            gain = on_grid(gained, weight, rules.unit)
            value = np.int64(worth(gain, gained, split, weight, rules, rules.min_gain))
            if value != INELIGIBLE:
                found = scratch.found[f]
                found.cut, found.children = cut, NOT_MADE
                scratch.ranked[ranked], scratch.quality[ranked] = f, value
                ranked += 1
    sort_ranked(scratch.ranked, scratch.quality, before, ranked)
    return ranked


@kernel(inline=True)
def number_classes(labels, scratch, n):
    """Number the classes of n whole cases in order, and count them: how many there are, two at
    least.
    """
    by_class, label, n_all = scratch.by_class, scratch.label, scratch.by_class.shape[1]
    for c in range(n_all):
        by_class[COUNTS, c] = 0
    for i in range(n):
        label[i] = labels[scratch.case[i]]
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


@kernel(inline=True)
def weigh_cases(labels, scratch, n):
    """Weights per class of n cases, some of them in part, and their own by case: the number of
    classes.
    """
    by_class, label, n_all = scratch.by_class, scratch.label, scratch.by_class.shape[1]
    for c in range(n_all):
        by_class[COUNTS, c], by_class[NUMBER, c] = 0, c
    for i in range(n):
        label[i] = labels[scratch.case[i]]
        by_class[COUNTS, label[i]] += scratch.weight[i]
        scratch.weight_of[scratch.case[i]] = scratch.weight[i]
    return np.int64(n_all)


@kernel(inline=True)
def scan_of(scratch, n_classes, nlogn):
    """Room for scanning columns at a set of so many classes."""
    by_class = scratch.by_class
    return Scan(
        by_class[COUNTS, :n_classes],
        by_class[KNOWN, :n_classes],
        by_class[LEFT, :n_classes],
        by_class[RIGHT, :n_classes],
        by_class[CHORDS, :n_classes],
        scratch.sizes,
        scratch.steps,
        scratch.weight_of,
        nlogn,
    )


@kernel(inline=True)
def split_by_cut(table, scratch, scan, f, node, spelling, rules, filled):
    """(whether a feature of numbers varies, gain, split mass, best cut, `filled` of `best_cut`)."""
    entries, shift, none = scratch.entries, spelling.shift, np.int64(0)
    m = read_entries(table, scratch, f, node.cases)
    gained, split, cut = np.int64(0), np.int64(0), np.int64(-1)
    from_code = spelling.from_code
    varies = m > 0 and entries[0, 0] >> from_code != entries[0, m - 1] >> from_code
    if varies:
        if not node.fractional:
            spell_anew(entries, scratch.by_class, m, spelling)
        case_mask = (np.int64(1) << table.settings[0].case_bits) - 1
        segment = Segment(entries, none, none, m, shift, spelling.label_bits, case_mask)
        first_value = table.value_start[f]
        gaps = Gaps(table.kind[f] == CLOSE, table.values, first_value, rules.min_gap)
        floor = max(np.int64(0), np.int64(rules.min_gain - 1))
        floor = np.int64(LOWEST) if rules.zero_gain else floor
        gained, split, at, filled = best_cut(segment, node, gaps, scan, rules, floor, filled)
        if at > 0:
            low, high = entries[0, at - 1] >> shift, entries[0, at] >> shift
            cut = np.int64(place_cut(low, high, table.values, table.present, first_value)[1])
    return varies, gained, split, cut, filled


@kernel(inline=True)
def read_entries(table, scratch, f, n):
    """Read the entries of a set of n cases from the order of a column; how many there are."""
    if len(scratch.bits) <= WORDS_PER_CASE * n:
        m = entries_by_bits(table.order, table.cells, f, n, scratch)
    else:
        m = entries_by_sort(table.order, table.cells, f, n, scratch)
    return m


@kernel(inline=True)
def entries_by_bits(order, place, f, n, scratch):
    """By the bits of their places."""
    case, bits, entries = scratch.case, scratch.bits, scratch.entries
    for i in range(n):
        p = np.int64(place[index(f), index(case[index(i)])])
        if p >= 0:
            bits[index(p >> 6)] |= ONE << np.uint64(p & 63)
    m = np.int64(0)
    for w in range(len(bits)):
        rest = bits[index(w)]
        bits[index(w)] = 0
        while rest != 0:
            low = rest & (~rest + ONE)
            rest ^= low
            p = (w << 6) + LOWEST_BIT[index((low * DE_BRUIJN) >> SIX_BITS)]
            entries[index(0), index(m)] = order[index(f), index(p)]
            m += 1
    return m


@kernel(inline=True)
def entries_by_sort(order, place, f, n, scratch):
    """By sorting."""
    row, m = scratch.entries[0], np.int64(0)
    for i in range(n):
        p = np.int64(place[f, scratch.case[i]])
        if p >= 0:
            row[m] = order[f, p]
            m += 1
    sort_keys(row, scratch.entries[1], m)
    return m


@kernel(inline=True)
def spell_anew(entries, by_class, m, spelling):
    """Write entries of whole cases without the case, and with the number of the class."""
    class_mask = (np.int64(1) << spelling.class_bits) - 1
    for i in range(m):
        entry = entries[index(0), index(i)]
        number = by_class[NUMBER, index(entry & class_mask)]
        entries[index(0), index(i)] = (
            (entry >> spelling.from_code) << spelling.label_bits
        ) | number


@kernel(inline=True)
def split_by_value(table, scratch, known, f, node, rules):
    """(whether a discrete feature varies, gain, split mass)."""
    histogram, n_classes, branches = scratch.histogram, len(known), np.int64(table.arity[f])
    for v in range(branches):
        for c in range(n_classes):
            histogram[v, c] = 0
    for i in range(node.cases):
        v = np.int64(table.cells[index(f), index(scratch.case[index(i)])])
        if v >= 0:
            w = scratch.weight[index(i)] if node.fractional else np.int64(1)
            histogram[index(v), index(scratch.label[index(i)])] += w
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
    gained, split = np.int64(0), np.int64(0)
    if here > 1:
        gained, split = discrete_split(
            histogram, branches, known, total, node.weight, rules, table.nlogn
        )
    return here > 1, gained, split


@kernel(inline=True)
def sort_ranked(ranked, quality, before, n):
    """Sort features by falling quality, equal ones by number; those `before` are in order.

    By insertion, of many over falling distances (Shell, 1959).
    """
    distance, first = 1, max(before, 1)
    if n > MANY:
        while 3 * distance < n:
            distance = 3 * distance + 1
        first = distance
    while distance > 0:
        for i in range(first, n):
            f, value, at = ranked[i], quality[i], i
            while at >= distance and (
                quality[at - distance] < value
                or (quality[at - distance] == value and ranked[at - distance] > f)
            ):
                ranked[at], quality[at] = ranked[at - distance], quality[at - distance]
                at -= distance
            ranked[at], quality[at] = f, value
        distance //= 3
        first = distance
