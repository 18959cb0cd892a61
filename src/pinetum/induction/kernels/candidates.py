"""What every feature gains at a node, and which one splits it."""

import numpy as np

from pinetum.constants import GAIN_RATIO, QUALITY_GRID, SPLIT_INFO_TOLERANCE
from pinetum.induction.kernels.best_cut import best_cut, varies
from pinetum.induction.kernels.bundles import Features, Listed, Rows, Tally
from pinetum.induction.kernels.cuts import LOWEST, Gaps, Scan, Segment, index
from pinetum.induction.kernels.quality import INELIGIBLE, discrete_split, on_grid, worth
from pinetum.jit import kernel
from pinetum.kernels.arrays import borrow
from pinetum.kernels.bundles import borrower

borrow_features, borrow_rows, borrow_listed = borrower(Features), borrower(Rows), borrower(Listed)
borrow_scan, borrow_tally = borrower(Scan), borrower(Tally)


@kernel
def evaluate_columns(features, rows, line, active, n_active, node, scan, found, tops, rules):
    """Best cut of every active presorted feature, whose segments begin at `rows.begins[line]`.

    `tops` has the best gains so far, best first: a feature that gains less than the last of them
    need not be known.
    """
    features, rows, scan = borrow_features(features), borrow_rows(rows), borrow_scan(scan)
    found, active, tops = borrow(found), borrow(active), borrow(tops)
    bits, shift = features.class_bits, features.class_bits + features.case_bits
    case_mask = (np.int64(1) << features.case_bits) - 1
    row, values, value_start, close = (
        features.row,
        features.values,
        features.value_start,
        features.close,
    )
    entries, begins, ends = rows.entries, rows.begins, rows.ends
    ratio = rules.criterion == GAIN_RATIO
    lowest = (
        np.int64(LOWEST)
        if rules.zero_gain or rules.average_gain
        else max(np.int64(0), rules.min_gain - 1)
    )
    best, filled = tops[-1], False
    for i in range(n_active):
        f = active[i]
        r = np.int64(row[f])
        if r < 0:
            continue
        a = begins[line, r]
        segment = Segment(entries, r, a, ends[r] - a, shift, bits, case_mask)
        one = found[f]
        one.mass, one.split, one.gain, one.cut, one.upper, one.constant = 0, 0, 0, -1, -1, 0
        if not varies(segment):
            one.constant = 1
            ends[r] = a  # nothing below will want it
            continue
        floor = lowest if ratio or best < 2 else max(lowest, best - 1)
        gaps = Gaps(close[f] > 0, values, value_start[f], rules.min_gap)
        mass, split, at, filled = best_cut(segment, node, gaps, scan, rules, floor, filled)
        if at > 0:
            one.mass, one.split, one.gain = mass, split, on_grid(mass, node.weight, rules.unit)
            one.cut, one.upper = entries[r, a + at - 1] >> shift, entries[r, a + at] >> shift
            if not ratio and split > 0:
                value = worth(one.gain, mass, split, node.weight, rules, 0.0)
                best = note_gain(tops, np.int64(value))


@kernel
def note_gain(tops, value):
    """Put a gain among the best so far, best first: the last of them."""
    place = len(tops) - 1
    if value > tops[place]:
        while place > 0 and tops[place - 1] < value:
            tops[place] = tops[place - 1]
            place -= 1
        tops[place] = value
    return tops[-1]


@kernel(inline=True)
def count_all_values(codes, f, values, listed, node, bits, histogram, n_classes):
    """Class weights of the node's cases per value of a discrete feature.

    The last row takes the missing values.
    """
    cases, weights, label = listed.cases, listed.weights, (np.int64(1) << bits) - 1
    for v in range(values + 1):
        for c in range(n_classes):
            histogram[index(v), index(c)] = 0
    for p in range(node.first, node.first + node.cases):
        entry = cases[index(p)]
        v = np.int64(codes[index(f), index(entry >> bits)])
        v = values if v < 0 else v
        w = weights[index(p)] if node.fractional else np.int64(1)
        histogram[index(v), index(entry & label)] += w


@kernel(inline=True)
def count_few_values(codes, f, listed, node, bits, tally, n_classes):
    """The same for the values that are there, numbered as they come, without missing ones: how many
    there are.

    `number` and `value_of` need not be set: a value has a number where each of them names the
    other.
    """
    cases, weights, label = listed.cases, listed.weights, (np.int64(1) << bits) - 1
    histogram, number, value_of = tally.histogram, tally.number, tally.value_of
    present = np.int64(0)
    for p in range(node.first, node.first + node.cases):
        entry = cases[index(p)]
        v = np.int64(codes[index(f), index(entry >> bits)])
        if v >= 0:
            at = number[index(v)]
            if at < 0 or at >= present or value_of[index(at)] != v:
                at = present
                present += 1
                number[index(v)], value_of[index(at)] = at, v
                for c in range(n_classes):
                    histogram[index(at), index(c)] = 0
            w = weights[index(p)] if node.fractional else np.int64(1)
            histogram[index(at), index(entry & label)] += w
    return present


@kernel
def evaluate_discrete(features, listed, active, n_active, node, scan, tally, found, rules):
    """Multiway split of every active discrete feature at a node whose cases are listed."""
    features, listed, scan = borrow_features(features), borrow_listed(listed), borrow_scan(scan)
    tally, found, active = borrow_tally(tally), borrow(found), borrow(active)
    codes, bits = features.codes, features.class_bits
    known, histogram = scan.known, tally.histogram
    for i in range(n_active):
        f = active[i]
        if features.row[f] >= 0:
            continue
        values = np.int64(features.arity[f])
        if values > node.cases:
            values = count_few_values(codes, f, listed, node, bits, tally, len(known))
        else:
            count_all_values(codes, f, values, listed, node, bits, histogram, len(known))
        total, present = np.int64(0), 0
        for c in range(len(known)):
            known[c] = 0
        for v in range(values):
            here = np.int64(0)
            for c in range(len(known)):
                here += histogram[v, c]
                known[c] += histogram[v, c]
            present += here > 0
            total += here
        one = found[f]
        one.mass, one.split, one.gain, one.cut, one.upper = 0, 0, 0, -1, -1
        one.constant = np.int64(present < 2)
        if present >= 2:
            one.mass, one.split = discrete_split(
                histogram, values, known, total, node.weight, rules, scan.nlogn
            )
            one.gain = on_grid(one.mass, node.weight, rules.unit)


@kernel
def drop_constant(active, n_active, found):
    """Move constant features behind the others; gives the number of the others."""
    i = 0
    while i < n_active:
        f = active[i]
        if found[f].constant:
            n_active -= 1
            active[i] = active[n_active]
            active[n_active] = f
        else:
            i += 1
    return n_active


@kernel
def average_gain(found, active, n_active, offered, continuous, arity, n_training):
    """C4.5's average gain of the usable features, without discrete features of very many values."""
    all_many = True
    for f in offered:  # the constant ones included
        all_many &= is_of_many_values(continuous, arity, f, n_training)
    total, number = 0.0, 0
    for i in range(n_active):
        f = active[i]
        if found[f].split > 0 and (
            all_many or not is_of_many_values(continuous, arity, f, n_training)
        ):
            total += found[f].gain
            number += 1
    return total / number - SPLIT_INFO_TOLERANCE * QUALITY_GRID if number else 1e6 * QUALITY_GRID


@kernel
def is_of_many_values(continuous, arity, f, n_training):
    return not continuous[f] and arity[f] >= 0.3 * n_training


@kernel
def choose(found, active, n_active, weight, least_gain, rules):
    """Best of the first `n_active` features, or -1. Ties: lowest index."""
    best, best_quality = np.int64(-1), np.int64(INELIGIBLE)
    for i in range(n_active):
        f = np.int64(active[i])
        one = found[f]
        if one.split > 0:
            quality = worth(one.gain, one.mass, one.split, weight, rules, least_gain)
            if quality > best_quality or (quality == best_quality and best >= 0 and f < best):
                best, best_quality = f, quality
    return best
