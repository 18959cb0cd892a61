"""The best cut between cases of any weight, for any criterion.

See `cuts` for what an entry is. n log n of a fraction of a case costs a logarithm, so a cut is
first bounded by chords of the table of whole cases, straight between two of its entries.
"""

import numpy as np

from pinetum.constants import INFO_UNIT, WEIGHT_UNIT
from pinetum.induction.kernels.cuts import (
    BLOCK,
    GRID_STEP,
    LOWEST,
    UNIT_BITS,
    are_apart,
    index,
    slack,
)
from pinetum.induction.kernels.quality import (
    is_in_terms,
    mass_by_terms,
    nlogn,
    nlogn_mass,
    on_grid,
)
from pinetum.jit import kernel

MOST_EXCESS = int(0.5308 * INFO_UNIT)  # of `chord_excess`
BEND = 0.72135 * INFO_UNIT / WEIGHT_UNIT**2  # half of 1 / ln 2, for parts of a case in units


@kernel
def chord(weight, nlogn_of):
    """Not less than `nlogn` less one, and the same for whole cases: straight between two entries of
    the table.
    """
    whole = weight >> UNIT_BITS
    mass = np.int64(0)  # one way out: else numba counts references of the table in every call
    if whole + 1 < len(nlogn_of):
        low = nlogn_of[index(whole)]
        mass = low + (
            ((nlogn_of[index(whole + 1)] - low) * (weight & (WEIGHT_UNIT - 1))) >> UNIT_BITS
        )
    else:
        mass = nlogn_mass(weight, WEIGHT_UNIT)
    return mass


@kernel
def chord_excess(weight):
    """Not less than `chord` less `nlogn`: from the second derivative of n log n, 1 / (n ln 2).

    0 for whole cases.
    """
    whole, part = weight >> UNIT_BITS, weight & (WEIGHT_UNIT - 1)
    curve = np.float64(part) * np.float64(WEIGHT_UNIT - part) * BEND
    return (
        (np.int64(MOST_EXCESS) if part else np.int64(0))
        if whole == 0
        else np.int64(np.ceil(curve / whole))
    )


@kernel
def bound_of_two(zeros, ones, known, total, nlogn_of):
    """Not less than minus the mass on both sides of a cut with these weights of class 0 and of
    class 1 below it.
    """
    below = zeros + ones
    above = total - below
    top = chord(zeros, nlogn_of) + chord(known[0] - zeros, nlogn_of)
    top += chord(ones, nlogn_of) + chord(known[1] - ones, nlogn_of)
    top -= chord(below, nlogn_of) - chord_excess(below)
    return top - chord(above, nlogn_of) + chord_excess(above)


@kernel
def renew_chords(segment, first, last, scan):
    """Set `right` and `chords` after `left` has got the entries from `first` to before `last`: how
    much is added.
    """
    entries, r, label = segment.entries, segment.row, (np.int64(1) << segment.class_bits) - 1
    known, left, right, chords = scan.known, scan.left, scan.right, scan.chords
    nlogn_of = scan.nlogn
    added = np.int64(0)
    n_classes = len(known)
    by_entry = last - first < n_classes
    for i in range(last - first if by_entry else n_classes):
        c = index(i)
        if by_entry:
            c = index(entries[index(r), index(segment.first + first + i)] & label)
        if left[c] + right[c] != known[c]:
            right[c] = known[c] - left[c]
            new = chord(left[c], nlogn_of) + chord(right[c], nlogn_of)
            added += new - chords[c]
            chords[c] = new
    return added


@kernel(inline=True)
def sum_block(segment, weight_of, p, stop):
    """Of the entries from p - 1 to before stop - 1: their weight, that of class 1, and the cuts."""
    entries, r, a, bits = segment.entries, segment.row, segment.first, segment.class_bits
    low = (np.int64(1) << segment.code_shift) - 1
    more, ones, changes = np.int64(0), np.int64(0), np.int64(0)
    before = entries[index(r), index(a + p - 1)]
    for q in range(p, stop):
        w = weight_of[index((before >> bits) & segment.case_mask)]
        here = entries[index(r), index(a + q)]
        more += w
        ones += w & -(before & 1)
        changes += (before ^ here) > low
        before = here
    return more, ones, changes


@kernel(inline=True)
def bound_block(left, more, ones, known, total, nlogn_of):
    """`bound_of_two` of the best corner of a block's rectangle, as in `cuts.cut_two`."""
    top = np.int64(LOWEST)
    for corner in range(4):
        at_zeros = left[0] + (more - ones if corner & 1 else np.int64(0))
        at_ones = left[1] + (ones if corner & 2 else np.int64(0))
        top = max(top, bound_of_two(at_zeros, at_ones, known, total, nlogn_of))
    return top


@kernel(inline=True)
def exact_score(left, right, left_total, right_total, nlogn_of):
    """Minus the mass in bits on both sides of a cut."""
    score = -nlogn(left_total, WEIGHT_UNIT, nlogn_of) - nlogn(right_total, WEIGHT_UNIT, nlogn_of)
    for c in range(len(left)):
        score += nlogn(left[c], WEIGHT_UNIT, nlogn_of) + nlogn(right[c], WEIGHT_UNIT, nlogn_of)
    return score


@kernel
def cut_weighted(segment, goal, gaps, scan):
    """(mass gain, position, weight below, cuts tried) of the best cut between cases of any weight.

    With two classes a block of positions is passed over as in `cuts.cut_two`.
    """
    entries, r, a, n = segment.entries, segment.row, segment.first, segment.count
    bits, case_mask = segment.class_bits, segment.case_mask
    low, label = (np.int64(1) << segment.code_shift) - 1, (np.int64(1) << bits) - 1
    criterion, mass, weight = goal.criterion, goal.mass, goal.weight
    total, least, floor = goal.known, goal.least, goal.floor
    known, left, right, weight_of = scan.known, scan.left, scan.right, scan.weight_of
    nlogn_of = scan.nlogn
    best_gain = floor
    best = floor * GRID_STEP * (weight >> UNIT_BITS) - mass if floor > LOWEST else np.int64(LOWEST)
    best_at, best_left = np.int64(0), np.int64(0)
    n_classes, in_terms = len(known), is_in_terms(criterion)
    bounded = n_classes == 2 and not in_terms and not gaps.close and n > 2 * BLOCK
    bend = slack(weight >> UNIT_BITS) + 2 * n_classes
    sums = np.int64(0)
    for c in range(n_classes):
        left[c] = 0
        right[c] = known[c]
        scan.chords[c] = chord(known[c], nlogn_of)
        sums += scan.chords[c]
    left_total, tries, p = np.int64(0), np.int64(0), np.int64(1)
    renewed = np.int64(0)  # `right` and `chords` are those of this position
    while p < n:
        stop = min(p + BLOCK, n) if bounded else n
        passed = False
        if bounded:
            more, ones, changes = sum_block(segment, weight_of, p, stop)
            after = left_total + more
            inside = left_total >= least and total - after >= least
            passed = changes == 0 or after < least or total - left_total < least
            if inside and not passed:
                passed = bound_block(left, more, ones, known, total, nlogn_of) + bend <= best
            if passed:
                left[0] += more - ones
                left[1] += ones
                left_total = after
                tries += changes if inside else np.int64(0)
        if not passed:
            before = entries[index(r), index(a + p - 1)]
            for q in range(p, stop):
                w = weight_of[index((before >> bits) & case_mask)]
                left_total += w
                left[index(before & label)] += w
                here = entries[index(r), index(a + q)]
                right_total = total - left_total
                in_window = ((before ^ here) > low) & (left_total >= least) & (right_total >= least)
                before = here
                if not in_window or (gaps.close and not are_apart(segment, gaps, q)):
                    continue
                tries += 1
                sums += renew_chords(segment, renewed, q, scan)
                renewed = q
                score = np.int64(LOWEST)
                if in_terms:
                    score = -mass_by_terms(criterion, left, left_total, WEIGHT_UNIT)
                    score -= mass_by_terms(criterion, right, right_total, WEIGHT_UNIT)
                else:
                    top = sums - chord(left_total, nlogn_of) - chord(right_total, nlogn_of) + bend
                    if top + 2 * MOST_EXCESS > best:  # spares the divisions
                        top += chord_excess(left_total) + chord_excess(right_total)
                        if top > best:
                            score = exact_score(left, right, left_total, right_total, nlogn_of)
                if score > best:
                    gain = on_grid(mass + score, weight, WEIGHT_UNIT)
                    if gain > best_gain:
                        best, best_gain, best_at, best_left = score, gain, np.int64(q), left_total
        p = stop
    return mass + best, best_at, best_left, tries
