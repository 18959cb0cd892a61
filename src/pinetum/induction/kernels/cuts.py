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

import numpy as np

from pinetum.constants import INFO_UNIT, QUALITY_GRID, WEIGHT_UNIT
from pinetum.induction.kernels.quality import (
    class_term,
    is_in_terms,
    mass_by_terms,
    mass_of_terms,
    nlogn,
    nlogn_mass,
    on_grid,
)
from pinetum.jit import kernel

BLOCK = 32  # positions that are bounded together
GRID_STEP = INFO_UNIT // QUALITY_GRID  # mass per case of one step of the quality grid
LOWEST = -(1 << 62)
UNIT_BITS = 20  # of WEIGHT_UNIT
MOST_EXCESS = int(0.5308 * INFO_UNIT)  # of `chord_excess`
BEND = 0.72135 * INFO_UNIT / WEIGHT_UNIT**2  # half of 1 / ln 2, for parts of a case in units
index = (
    np.uintp
)  # numba looks whether a signed index is negative, which takes a third of the time here


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
def are_apart(entries, r, i, code_shift, values, first_value, gap):
    """Whether the values of an entry and of the one before it differ by more than `gap`."""
    below, above = entries[r, i - 1] >> code_shift, entries[r, i] >> code_shift
    return values[first_value + below] < values[first_value + above] - gap


@kernel
def cut_two(
    entries,
    r,
    a,
    first,
    last,
    code_shift,
    counts,
    sizes,
    steps,
    criterion,
    mass,
    weight,
    floor,
    close,
    values,
    first_value,
    gap,
):
    """(mass gain, position) of the best cut of whole cases of two classes.

    Position 0: none beats the floor.
    """
    low = (np.int64(1) << code_shift) - 1
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
                    if gain > best_gain and (
                        not close
                        or are_apart(entries, r, a + q, code_shift, values, first_value, gap)
                    ):
                        best, best_gain, best_at = score, gain, np.int64(q)
                ones += here & 1
        else:
            ones = ones_after + (entries[index(r), index(a + stop - 1)] & 1)
        p = stop
    return mass + best, best_at


@kernel
def cut_many(
    entries,
    r,
    a,
    first,
    last,
    code_shift,
    bits,
    counts,
    sizes,
    steps,
    nlogn_of,
    place,
    mass,
    weight,
    floor,
    close,
    values,
    first_value,
    gap,
):
    """The same for any number of classes, for the gain."""
    low = (np.int64(1) << code_shift) - 1
    label = (np.int64(1) << bits) - 1
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
            apart = not close or are_apart(entries, r, a + p, code_shift, values, first_value, gap)
            if apart and gain > best_gain:
                best, best_gain, best_at = score - sizes[index(p)], gain, np.int64(p)
        before = here
    return mass + best, best_at


@kernel
def cut_by_terms(
    entries,
    r,
    a,
    first,
    last,
    code_shift,
    bits,
    counts,
    left,
    right,
    criterion,
    mass,
    weight,
    floor,
    close,
    values,
    first_value,
    gap,
):
    """The same for any number of classes, for a criterion of class terms.

    These are added up anew at every cut.
    """
    low = (np.int64(1) << code_shift) - 1
    label = (np.int64(1) << bits) - 1
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
                if gain > best_gain and (
                    not close or are_apart(entries, r, a + p, code_shift, values, first_value, gap)
                ):
                    best, best_gain, best_at = score, gain, np.int64(p)
    return mass + best, best_at


@kernel
def count_cuts(entries, r, a, first, last, code_shift, close, values, first_value, gap):
    """How many positions from `first` to `last` are cuts."""
    low = (np.int64(1) << code_shift) - 1
    tries = np.int64(0)
    for p in range(first, last + 1):
        tries += (entries[index(r), index(a + p - 1)] ^ entries[index(r), index(a + p)]) > low
    if close:
        for p in range(first, last + 1):
            if (entries[r, a + p - 1] ^ entries[r, a + p]) > low and not are_apart(
                entries, r, a + p, code_shift, values, first_value, gap
            ):
                tries -= 1
    return tries


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
def renew_chords(entries, r, first, last, label, known, left, right, chords, nlogn_of):
    """Set `right` and `chords` after `left` has got the entries from `first` to before `last`: how
    much is added.
    """
    added = np.int64(0)
    n_classes = len(known)
    by_entry = last - first < n_classes
    for i in range(last - first if by_entry else n_classes):
        c = index(entries[index(r), index(first + i)] & label) if by_entry else index(i)
        if left[c] + right[c] != known[c]:
            right[c] = known[c] - left[c]
            new = chord(left[c], nlogn_of) + chord(right[c], nlogn_of)
            added += new - chords[c]
            chords[c] = new
    return added


@kernel
def cut_weighted(
    entries,
    r,
    a,
    n,
    weight_of,
    least,
    code_shift,
    bits,
    case_mask,
    known,
    total,
    left,
    right,
    chords,
    nlogn_of,
    criterion,
    mass,
    weight,
    floor,
    close,
    values,
    first_value,
    gap,
):
    """(mass gain, position, weight below, cuts tried) of the best cut between cases of any weight.

    n log n of a fraction costs a logarithm, so a cut is first bounded by chords of the table of
    whole cases; with two classes so is a block of positions, by its corners as in `cut_two`.
    """
    low = (np.int64(1) << code_shift) - 1
    label = (np.int64(1) << bits) - 1
    best_gain = floor
    best = floor * GRID_STEP * (weight >> UNIT_BITS) - mass if floor > LOWEST else np.int64(LOWEST)
    best_at, best_left = np.int64(0), np.int64(0)
    n_classes, in_terms = len(known), is_in_terms(criterion)
    bounded = n_classes == 2 and not in_terms and not close and n > 2 * BLOCK
    bend = slack(weight >> UNIT_BITS) + 2 * n_classes
    sums = np.int64(0)
    for c in range(n_classes):
        left[c] = 0
        right[c] = known[c]
        chords[c] = chord(known[c], nlogn_of)
        sums += chords[c]
    left_total = np.int64(0)
    tries = np.int64(0)
    p, renewed = (
        np.int64(1),
        np.int64(0),
    )  # `right` and `chords` are those of the position `renewed`
    while p < n:
        stop = min(p + BLOCK, n) if bounded else n
        passed = False
        if bounded:
            more, ones, changes = np.int64(0), np.int64(0), np.int64(0)
            before = entries[index(r), index(a + p - 1)]
            for q in range(p, stop):
                w = weight_of[index((before >> bits) & case_mask)]
                here = entries[index(r), index(a + q)]
                more += w
                ones += w & -(before & 1)
                changes += (before ^ here) > low
                before = here
            after = left_total + more
            inside = left_total >= least and total - after >= least
            passed = changes == 0 or after < least or total - left_total < least
            if inside and not passed:
                top = np.int64(LOWEST)
                for corner in range(4):
                    at_zeros, at_ones = left[0], left[1]
                    at_zeros += more - ones if corner & 1 else np.int64(0)
                    at_ones += ones if corner & 2 else np.int64(0)
                    top = max(top, bound_of_two(at_zeros, at_ones, known, total, nlogn_of))
                passed = top + bend <= best
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
                if in_window and (
                    not close or are_apart(entries, r, a + q, code_shift, values, first_value, gap)
                ):
                    tries += 1
                    sums += renew_chords(
                        entries, r, a + renewed, a + q, label, known, left, right, chords, nlogn_of
                    )
                    renewed = q
                    score = np.int64(LOWEST)
                    if in_terms:
                        score = -mass_by_terms(criterion, left, left_total, WEIGHT_UNIT)
                        score -= mass_by_terms(criterion, right, right_total, WEIGHT_UNIT)
                    else:
                        top = (
                            sums - chord(left_total, nlogn_of) - chord(right_total, nlogn_of) + bend
                        )
                        near = top + 2 * MOST_EXCESS > best  # spares the divisions
                        if (
                            near
                            and top + chord_excess(left_total) + chord_excess(right_total) > best
                        ):
                            score = -nlogn(left_total, WEIGHT_UNIT, nlogn_of) - nlogn(
                                right_total, WEIGHT_UNIT, nlogn_of
                            )
                            for c in range(n_classes):
                                score += nlogn(left[c], WEIGHT_UNIT, nlogn_of) + nlogn(
                                    right[c], WEIGHT_UNIT, nlogn_of
                                )
                    if score > best:
                        gain = on_grid(mass + score, weight, WEIGHT_UNIT)
                        if gain > best_gain:
                            best, best_gain, best_at, best_left = (
                                score,
                                gain,
                                np.int64(q),
                                left_total,
                            )
                before = here
        p = stop
    return mass + best, best_at, best_left, tries
