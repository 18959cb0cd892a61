"""The best cut of one continuous feature at one node, from its presorted entries.

An entry is one case of one feature in one word: (rank code << code_shift) | (case << class_bits) |
class. A node's entries are in order of their codes, so position p is a cut, p entries below it,
where the codes of entries p - 1 and p differ. Gains are compared on the quality grid from the low
end: ties go to the lowest cut.

`floor` is a gain on the grid that a cut must beat: a feature that cannot win at a node need not be
known exactly.

What is compared is the mass gain less the impurity mass of the node: minus the impurity mass on
both sides. For whole cases it is read from tables of the node: `sizes[p]` of p cases below the cut,
`steps` of class weights. With two classes a whole block of positions is passed over when none of
the four corners of its rectangle (of class 0 below, of class 1 below) beats the best cut: minus an
impurity mass is convex, so no point of the rectangle beats the corners. Rounding may bend it by a
few units, for which there is `slack`.
"""

from typing import NamedTuple

import numpy as np

from pinetum.constants import INFO_UNIT, QUALITY_GRID
from pinetum.induction.kernels.quality import (
    class_term,
    is_in_terms,
    mass_by_terms,
    mass_of_terms,
    on_grid,
)
from pinetum.jit import kernel

BLOCK = 32  # positions that are bounded together
GRID_STEP = INFO_UNIT // QUALITY_GRID  # mass per case of one step of the quality grid
LOWEST = -(1 << 62)
UNIT_BITS = 20  # of WEIGHT_UNIT
index = (
    np.uintp
)  # numba looks whether a signed index is negative, which takes a third of the time here


class Segment(NamedTuple):
    """The entries of one feature at one node: `count` of them in `entries[row]` from `first` on."""

    entries: np.ndarray  # int64 (rows, columns)
    row: int
    first: int
    count: int
    code_shift: int
    class_bits: int
    case_mask: int  # for weights, by case; entries of whole cases need not name theirs


class Goal(NamedTuple):
    """What a cut of a segment is worth, and what it must reach."""

    criterion: int
    mass: int  # impurity mass of the segment's cases
    weight: int  # of all cases of the node, those with a missing value included
    known: int  # weight of the segment's cases
    least: int  # weight on each side
    floor: int  # gain on the grid that must be exceeded


class Gaps(NamedTuple):
    """Neighbouring values that differ too little for a cut between them."""

    close: bool  # whether the feature has any
    values: np.ndarray  # float64: the distinct values of all features, by code
    first_value: int  # where those of the feature begin
    least: float  # what values must differ by more than


class Scan(NamedTuple):
    """Room for scanning the features of one node, and what they have in common."""

    counts: np.ndarray  # int64 (classes,): weights of the node
    known: np.ndarray  # int64 (classes,): of the cases whose value is known
    left: np.ndarray  # int64 (classes,)
    right: np.ndarray  # int64 (classes,)
    chords: np.ndarray  # int64 (classes,)
    sizes: np.ndarray  # int64 (cases + 1,): see `fill_tables`
    steps: np.ndarray  # int64 (cases + classes,)
    weight_of: np.ndarray  # int64 (cases of the table,): not set where all cases weigh the same
    nlogn: np.ndarray  # int64 (cases + 1,): see `quality.nlogn_table`


@kernel
def slack(n):
    """More than rounding changes an impurity mass of n cases: table entries have 53 bits, and six
    are added up.
    """
    return 16 + (n >> 7)


@kernel
def mass_of_two(criterion, zeros, ones):
    """`mass_by_terms` of two classes of whole cases."""
    if zeros + ones == 0:
        return np.int64(0)
    terms = class_term(criterion, np.float64(zeros)) + class_term(criterion, np.float64(ones))
    return mass_of_terms(criterion, terms, np.float64(zeros + ones))


@kernel
def fill_tables(counts, n, nlogn_of, sizes, steps):
    """The node's tables from its whole cases per class: what one look-up gives of both sides of a
    cut.

    With two classes `steps` holds n log n of both sides for 0, 1, ... cases of class 0, then of
    class 1; with more its differences, class after class.
    """
    for p in range(n + 1):
        sizes[p] = nlogn_of[index(p)] + nlogn_of[index(n - p)]
    at = 0
    for c in range(len(counts)):
        n_c = counts[c]
        before = nlogn_of[n_c]
        if len(counts) == 2:
            for i in range(n_c + 1):
                steps[index(at + i)] = nlogn_of[index(i)] + nlogn_of[index(n_c - i)]
            at += n_c + 1
        else:
            for i in range(n_c):
                after = nlogn_of[index(i + 1)] + nlogn_of[index(n_c - i - 1)]
                steps[index(at + i)] = after - before
                before = after
            at += n_c


@kernel
def score_of_two(criterion, zeros, ones, n_zeros, n_ones):
    """Minus the mass on both sides of a cut with so many cases of class 0 and of class 1 below it,
    by terms.
    """
    return -(
        mass_of_two(criterion, zeros, ones) + mass_of_two(criterion, n_zeros - zeros, n_ones - ones)
    )


@kernel
def are_apart(segment, gaps, p):
    """Whether the values on both sides of position p differ by more than the gap."""
    at = segment.first + p
    below = segment.entries[segment.row, at - 1] >> segment.code_shift
    above = segment.entries[segment.row, at] >> segment.code_shift
    return (
        gaps.values[gaps.first_value + below] < gaps.values[gaps.first_value + above] - gaps.least
    )


@kernel
def cut_two(segment, goal, gaps, counts, sizes, steps):
    """(mass gain, position) of the best cut of whole cases of two classes.

    Position 0: none beats the floor.
    """
    entries, r, a = segment.entries, segment.row, segment.first
    first, last = goal.least, goal.known - goal.least
    mass, weight, floor = goal.mass, goal.weight, goal.floor
    criterion = goal.criterion
    low = (np.int64(1) << segment.code_shift) - 1
    best_gain = floor
    best = floor * GRID_STEP * weight - mass if floor > LOWEST else np.int64(LOWEST)
    best_at = np.int64(0)
    bend = slack(weight)
    in_terms, n_zeros, n_ones = is_in_terms(criterion), counts[0], counts[1]
    from_one = n_zeros + 1  # where class 1 begins in `steps`
    ones = np.int64(0)
    for p in range(first):
        ones += entries[index(r), index(a + p)] & 1
    p = first
    while p <= last:
        stop = min(p + BLOCK, last + 1)
        more = np.int64(0)
        for q in range(p, stop - 1):
            more += entries[index(r), index(a + q)] & 1
        zeros, zeros_after, ones_after = p - ones, stop - 1 - ones - more, ones + more
        if in_terms:
            top = np.int64(LOWEST)
            for corner in range(4):
                at_zeros, at_ones = (
                    zeros_after if corner & 1 else zeros,
                    ones_after if corner & 2 else ones,
                )
                top = max(top, score_of_two(criterion, at_zeros, at_ones, n_zeros, n_ones))
        else:
            low_0, high_0 = steps[index(zeros)], steps[index(zeros_after)]
            low_1, high_1 = steps[index(from_one + ones)], steps[index(from_one + ones_after)]
            top = max(
                max(low_0 + low_1 - sizes[index(p)], high_0 + high_1 - sizes[index(stop - 1)]),
                max(
                    low_0 + high_1 - sizes[index(zeros + ones_after)],
                    high_0 + low_1 - sizes[index(zeros_after + ones)],
                ),
            )
        if (
            top + bend > best
            and entries[index(r), index(a + p - 1)] ^ entries[index(r), index(a + stop - 1)] > low
        ):
            for q in range(p, stop):
                if in_terms:
                    score = score_of_two(criterion, q - ones, ones, n_zeros, n_ones)
                else:
                    score = steps[index(q - ones)] + steps[index(from_one + ones)] - sizes[index(q)]
                here = entries[index(r), index(a + q)]
                if (score > best) & ((entries[index(r), index(a + q - 1)] ^ here) > low):
                    gain = on_grid(mass + score, weight, 1)
                    if gain > best_gain and (not gaps.close or are_apart(segment, gaps, q)):
                        best, best_gain, best_at = score, gain, np.int64(q)
                ones += here & 1
        else:
            ones = ones_after + (entries[index(r), index(a + stop - 1)] & 1)
        p = stop
    return mass + best, best_at


@kernel
def cut_many(segment, goal, gaps, counts, sizes, steps, nlogn_of, place):
    """The same for any number of classes, for the gain."""
    entries, r, a = segment.entries, segment.row, segment.first
    first, last = goal.least, goal.known - goal.least
    mass, weight, floor = goal.mass, goal.weight, goal.floor
    low = (np.int64(1) << segment.code_shift) - 1
    label = (np.int64(1) << segment.class_bits) - 1
    best_gain = floor
    best = floor * GRID_STEP * weight - mass if floor > LOWEST else np.int64(LOWEST)
    best_at = np.int64(0)
    score = np.int64(0)
    at = np.int64(0)
    for c in range(len(counts)):
        place[c] = at
        at += counts[c]
        score += nlogn_of[counts[c]]
    for p in range(first - 1):
        c = index(entries[index(r), index(a + p)] & label)
        score += steps[index(place[c])]
        place[c] += 1
    before = entries[index(r), index(a + first - 1)]
    for p in range(first, last + 1):
        c = index(before & label)
        at = place[c]
        score += steps[index(at)]
        place[c] = at + 1
        here = entries[index(r), index(a + p)]
        if (score - sizes[index(p)] > best) & ((before ^ here) > low):
            gain = on_grid(mass + score - sizes[index(p)], weight, 1)
            apart = not gaps.close or are_apart(segment, gaps, p)
            if apart and gain > best_gain:
                best, best_gain, best_at = score - sizes[index(p)], gain, np.int64(p)
        before = here
    return mass + best, best_at


@kernel
def cut_by_terms(segment, goal, gaps, counts, left, right):
    """The same for any number of classes, for a criterion of class terms.

    These are added up anew at every cut.
    """
    entries, r, a = segment.entries, segment.row, segment.first
    first, last = goal.least, goal.known - goal.least
    mass, weight, floor = goal.mass, goal.weight, goal.floor
    criterion = goal.criterion
    low = (np.int64(1) << segment.code_shift) - 1
    label = (np.int64(1) << segment.class_bits) - 1
    best_gain = floor
    best = floor * GRID_STEP * weight - mass if floor > LOWEST else np.int64(LOWEST)
    best_at = np.int64(0)
    n = np.int64(0)
    for c in range(len(counts)):
        left[c] = 0
        right[c] = counts[c]
        n += counts[c]
    for p in range(1, last + 1):
        before = entries[index(r), index(a + p - 1)]
        left[index(before & label)] += 1
        right[index(before & label)] -= 1
        if p >= first and (before ^ entries[index(r), index(a + p)]) > low:
            score = -(
                mass_by_terms(criterion, left, p, 1) + mass_by_terms(criterion, right, n - p, 1)
            )
            if score > best:
                gain = on_grid(mass + score, weight, 1)
                if gain > best_gain and (not gaps.close or are_apart(segment, gaps, p)):
                    best, best_gain, best_at = score, gain, np.int64(p)
    return mass + best, best_at


@kernel
def count_cuts(segment, goal, gaps):
    """How many positions from `first` to `last` are cuts."""
    entries, r, a = segment.entries, segment.row, segment.first
    first, last = goal.least, goal.known - goal.least
    low = (np.int64(1) << segment.code_shift) - 1
    tries = np.int64(0)
    for p in range(first, last + 1):
        tries += (entries[index(r), index(a + p - 1)] ^ entries[index(r), index(a + p)]) > low
    if gaps.close:
        for p in range(first, last + 1):
            if (entries[r, a + p - 1] ^ entries[r, a + p]) > low and not are_apart(
                segment, gaps, p
            ):
                tries -= 1
    return tries
