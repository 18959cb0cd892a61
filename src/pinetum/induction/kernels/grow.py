"""Growing a tree, or a subtree from the cases that reach it, in preorder.

Every presorted feature has a row of entries (see `cuts`) with a segment for each node that is
waiting, and so have the cases themselves where something must walk through them (discrete features,
weights). A row is a stack: the leftmost waiting branch lies uppermost, and a split writes the
segments of its branches over its own, the last branch first. So the rows hold what is still to be
done and no more, and only a case with a missing value, which goes down several branches, makes them
longer.

A case weighs `rules.unit`. Where some cases may weigh something else `case_weights` has an entry
per case and `rules.unit` is WEIGHT_UNIT; nodes whose cases all weigh one case are still compared in
whole cases, under `whole_rules`.

What is called for every node takes plain arrays and no tuples, slices or rows of arrays: each of
those counts references, which takes longer than to scan a few entries.
"""

from typing import NamedTuple

import numpy as np

from pinetum.constants import GAIN_RATIO, WEIGHT_UNIT
from pinetum.induction.kernels.cuts import (
    LOWEST,
    UNIT_BITS,
    count_cuts,
    cut_by_terms,
    cut_many,
    cut_two,
    cut_weighted,
    fill_tables,
    index,
)
from pinetum.induction.kernels.nodes import FULL, average_gain, choose, place_cut
from pinetum.induction.kernels.presort import fill_rows
from pinetum.induction.kernels.quality import (
    branch_share,
    continuous_split,
    discrete_split,
    impurity_mass,
    is_in_terms,
    least_side,
    majority,
    on_grid,
    worth,
)
from pinetum.jit import kernel

LEFT, RIGHT = 1, 2  # marks of a case: where it goes; both for a missing value
NO_ROOM_TO_WAIT, NO_ROOM_FOR_ENTRIES = -2, -3  # statuses beside FULL: `Scratch` is too small
PAUSED = -4  # status: call it again to go on
GROWING = -5  # no status that is returned: `grow` goes on
GOING = np.dtype(
    (
        np.record,  # fields by name without the compiler too
        [
            ("node", np.int64),  # the next one,
            ("label", np.int64),  # and the majority of the one above it
            ("waiting", np.int64),  # branches
            ("top", np.int64),  # the innermost open node's place
            ("active", np.int64),  # features that are not constant there
            ("listed_end", np.int64),  # of `cases`
        ],
    )
)


class Scratch(NamedTuple):
    """Room of one grower; what depends on the number of cases is long enough for all of them at
    every node.
    """

    entries: np.ndarray  # int64 (presorted features, entries): the rows
    cases: (
        np.ndarray
    )  # int64 (entries,): the same of the cases themselves, case << class_bits | class
    weights: np.ndarray  # int64 (entries,): their weights
    buffer: np.ndarray  # int64 (entries + 1,)
    weight_buffer: np.ndarray  # int64 (entries + 1,)
    sizes: np.ndarray  # int64 (cases + 1,): see `fill_tables`
    steps: np.ndarray  # int64 (cases + classes,)
    mark: np.ndarray  # uint8 (cases of the table,): LEFT, RIGHT
    branch: np.ndarray  # int32 (cases of the table,): the branch a case takes, -1: several
    weight_of: (
        np.ndarray
    )  # int64 (cases of the table,): at the node at hand; not set where all cases weigh the same
    histogram: np.ndarray  # int64 (largest arity of a discrete feature + 1, classes)
    close: (
        np.ndarray
    )  # uint8 (features,): 1: some neighbouring values differ by no more than `rules.min_gap`
    # where a tree goes on; `waiting` branches may wait at a time, and as many nodes be open
    going: np.ndarray  # GOING (1,)
    active: np.ndarray  # int64 (features,): those offered, the constant ones last
    ends: np.ndarray  # int64 (presorted features,): of the rows
    waiting_rows: np.ndarray  # int64 (waiting, presorted features): where a branch's segments begin
    waiting_cases: np.ndarray  # int64 (waiting,): the same in `cases`
    waiting_counts: np.ndarray  # int64 (waiting, classes): its class weights
    waiting_inner: np.ndarray  # bool (waiting,): whether it has segments, because it may be split
    open_node: np.ndarray  # int64 (waiting,)
    open_branch: np.ndarray  # int64 (waiting,): the next of it
    open_active: np.ndarray  # int64 (waiting,): number of its features that are not constant


@kernel
def is_leaf(counts, k, depth, min_cases, max_depth):
    """Whether a node with the class weights counts[k] is a leaf whatever features are offered."""
    weight, most = np.int64(0), np.int64(0)
    for c in range(counts.shape[1]):
        weight += counts[k, c]
        most = max(most, counts[k, c])
    return weight < min_cases or most == weight or depth == max_depth


@kernel
def write_leaf(
    node,
    counts,
    weight,
    label,
    scale,
    feature,
    threshold,
    cut,
    labels,
    node_counts,
    child_start,
    error,
):
    feature[node] = -1
    threshold[node] = np.nan
    cut[node] = -1
    labels[node] = label
    for c in range(len(counts)):
        node_counts[node, c] = counts[c] * scale
    error[node] = (weight - counts[label]) * scale if weight else np.int64(0)
    child_start[node + 1] = child_start[node]


@kernel
def add_errors(node, child_start, children, error):
    """The errors below a finished node."""
    below = np.int64(0)
    for k in range(child_start[node], child_start[node + 1]):
        below += error[children[k]]
    error[node] = below


@kernel
def collapse(node, end, feature, threshold, cut, labels, node_counts, child_start, error):
    """Make a finished node a leaf when one errs no more than the subtree, as C4.5 does.

    The index after it.
    """
    weight = np.int64(0)
    for c in range(node_counts.shape[1]):
        weight += node_counts[node, c]
    if error[node] >= weight - node_counts[node, labels[node]] - 0.001 * WEIGHT_UNIT:
        feature[node] = -1
        threshold[node] = np.nan
        cut[node] = -1
        child_start[node + 1] = child_start[node]
        end = np.int64(node + 1)
    return end


@kernel
def drop_constant(active, n_active, constant):
    """Move constant features behind the others; gives the number of the others."""
    i = 0
    while i < n_active:
        f = active[i]
        if constant[f]:
            n_active -= 1
            active[i] = active[n_active]
            active[n_active] = f
        else:
            i += 1
    return n_active


@kernel
def evaluate_rows(
    rules,
    bits,
    case_bits,
    order_row,
    value_start,
    values,
    nlogn_of,
    weight_of,
    sizes,
    steps,
    close_features,
    entries,
    from_rows,
    at_waiting,
    ends,
    active,
    n_active,
    counts,
    n,
    fractional,
    weight,
    known,
    left,
    right,
    chords,
    masses,
    splits,
    gains,
    cuts,
    uppers,
    constants,
    tops,
):
    """Best cut of every active presorted feature at a node with n cases of these class weights,
    `weight` in all.

    `tops` has the best gains so far, best first: a feature that gains less than the last of them
    need not be known.
    """
    shift, case_mask, label = (
        bits + case_bits,
        (np.int64(1) << case_bits) - 1,
        (np.int64(1) << bits) - 1,
    )
    criterion, gap, n_classes = rules.criterion, rules.min_gap, len(counts)
    ratio, in_terms = criterion == GAIN_RATIO, is_in_terms(criterion)
    lowest = (
        np.int64(LOWEST)
        if rules.zero_gain or rules.average_gain
        else max(np.int64(0), rules.min_gain - 1)
    )
    best = tops[-1]
    filled = False  # whether `sizes` and `steps` are those of the node
    whole_mass = impurity_mass(counts, weight, criterion, rules.unit, nlogn_of)
    for i in range(n_active):
        f = active[i]
        r = np.int64(order_row[f])
        if r < 0:
            continue
        a = from_rows[at_waiting, r]
        m = ends[r] - a
        masses[f], splits[f], gains[f], cuts[f], uppers[f], constants[f] = 0, 0, 0, -1, -1, 0
        if m == 0 or entries[r, a] >> shift == entries[r, a + m - 1] >> shift:
            constants[f] = 1
            ends[r] = a  # nothing below will want it
            continue
        total, mass = weight, whole_mass
        if m == n:
            for c in range(n_classes):
                known[c] = counts[c]
        else:
            for c in range(n_classes):
                known[c] = 0
            total = np.int64(0)
            for p in range(m):
                entry = entries[index(r), index(a + p)]
                w = weight_of[index((entry >> bits) & case_mask)] if fractional else np.int64(1)
                known[index(entry & label)] += w
                total += w
            mass = impurity_mass(known, total, criterion, rules.unit, nlogn_of)
        least = least_side(total, n_classes, rules)
        if 2 * least > total:
            continue
        floor = lowest if ratio or best < 2 else max(lowest, best - 1)
        close, first_value = close_features[f] > 0, value_start[f]
        at, below, tries, gain_mass = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
        if fractional:
            gain_mass, at, below, tries = cut_weighted(
                entries,
                r,
                a,
                m,
                weight_of,
                least,
                shift,
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
            )
        else:
            last = total - least
            if not in_terms and not (filled and m == n):
                fill_tables(known, total, nlogn_of, sizes, steps)
                filled = m == n
            if n_classes == 2:
                gain_mass, at = cut_two(
                    entries,
                    r,
                    a,
                    least,
                    last,
                    shift,
                    known,
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
                )
            elif in_terms:
                gain_mass, at = cut_by_terms(
                    entries,
                    r,
                    a,
                    least,
                    last,
                    shift,
                    bits,
                    known,
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
                )
            else:
                gain_mass, at = cut_many(
                    entries,
                    r,
                    a,
                    least,
                    last,
                    shift,
                    bits,
                    known,
                    sizes,
                    steps,
                    nlogn_of,
                    left,
                    mass,
                    weight,
                    floor,
                    close,
                    values,
                    first_value,
                    gap,
                )
            below = at
            if at > 0 and rules.penalty:
                tries = count_cuts(
                    entries, r, a, least, last, shift, close, values, first_value, gap
                )
        if at > 0:
            mass, split = continuous_split(gain_mass, below, total, weight, tries, rules, nlogn_of)
            masses[f], splits[f], gains[f] = mass, split, on_grid(mass, weight, rules.unit)
            cuts[f], uppers[f] = entries[r, a + at - 1] >> shift, entries[r, a + at] >> shift
            if not ratio and split > 0:
                best = note_gain(tops, np.int64(worth(gains[f], mass, split, weight, rules, 0.0)))


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


@kernel
def count_all_values(
    codes, f, values, bits, cases, weights, a, b, fractional, histogram, n_classes
):
    """Class weights of cases[a:b] per value of a discrete feature.

    The last row takes the missing values.
    """
    label = (np.int64(1) << bits) - 1
    for v in range(values + 1):
        for c in range(n_classes):
            histogram[index(v), index(c)] = 0
    for p in range(a, b):
        entry = cases[index(p)]
        v = np.int64(codes[index(f), index(entry >> bits)])
        v = values if v < 0 else v
        histogram[index(v), index(entry & label)] += (
            weights[index(p)] if fractional else np.int64(1)
        )


@kernel
def count_few_values(
    codes, f, bits, cases, weights, a, b, fractional, histogram, n_classes, number, value_of
):
    """The same for the values that are there, numbered as they come, without missing ones: how many
    there are.

    `number` and `value_of` need not be set: a value has a number where each of them names the
    other.
    """
    label = (np.int64(1) << bits) - 1
    present = np.int64(0)
    for p in range(a, b):
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
            histogram[index(at), index(entry & label)] += (
                weights[index(p)] if fractional else np.int64(1)
            )
    return present


@kernel
def evaluate_discrete(
    rules,
    bits,
    order_row,
    codes,
    arity,
    nlogn_of,
    histogram,
    active,
    n_active,
    cases,
    weights,
    a,
    b,
    fractional,
    weight,
    known,
    masses,
    splits,
    gains,
    cuts,
    uppers,
    constants,
    number,
    value_of,
):
    """Multiway split of every active discrete feature at a node with the cases cases[a:b]."""
    n_classes = len(known)
    for i in range(n_active):
        f = active[i]
        if order_row[f] >= 0:
            continue
        values = np.int64(arity[f])
        if values > b - a:
            values = count_few_values(
                codes,
                f,
                bits,
                cases,
                weights,
                a,
                b,
                fractional,
                histogram,
                n_classes,
                number,
                value_of,
            )
        else:
            count_all_values(
                codes, f, values, bits, cases, weights, a, b, fractional, histogram, n_classes
            )
        total, present = np.int64(0), 0
        for c in range(n_classes):
            known[c] = 0
        for v in range(values):
            here = np.int64(0)
            for c in range(n_classes):
                here += histogram[v, c]
                known[c] += histogram[v, c]
            present += here > 0
            total += here
        masses[f], splits[f], gains[f], cuts[f], uppers[f] = 0, 0, 0, -1, -1
        constants[f] = present < 2
        if present >= 2:
            mass, split = discrete_split(histogram, values, known, total, weight, rules, nlogn_of)
            masses[f], splits[f], gains[f] = mass, split, on_grid(mass, weight, rules.unit)


@kernel
def part_rows(
    order_row,
    bits,
    case_mask,
    entries,
    active,
    n_active,
    mark,
    wants_left,
    wants_right,
    waiting_rows,
    slot,
    ends,
    buffer,
):
    """Stable partition of every active row's segment: what goes right stays, what goes left
    follows.

    A side that nobody wants is left out. The segments of the right and of the left belong to the
    waiting branches `slot` and `slot` + 1.
    """
    for i in range(n_active):
        r = np.int64(order_row[active[i]])
        if r < 0:
            continue
        a, b = waiting_rows[slot, r], ends[r]
        if wants_left and wants_right:
            right, left = a, np.int64(0)
            for p in range(a, b):
                entry = entries[index(r), index(p)]
                goes = np.int64(mark[index((entry >> bits) & case_mask)])
                entries[index(r), index(right)] = entry
                buffer[index(left)] = entry
                right += goes >> 1
                left += goes & 1
            for p in range(left):
                entries[index(r), index(right + p)] = buffer[index(p)]
            waiting_rows[slot + 1, r], ends[r] = right, right + left
        else:
            to, side = a, 1 if wants_right else 0
            for p in range(a, b):
                entry = entries[index(r), index(p)]
                entries[index(r), index(to)] = entry
                to += (np.int64(mark[index((entry >> bits) & case_mask)]) >> side) & 1
            waiting_rows[slot + 1, r], ends[r] = to if wants_right else a, to


@kernel
def reaches(weight, known, known_total):
    """Whether `branch_share` is above 0, without a division."""
    return known > 0 and weight * known >= known_total - known_total // 2


@kernel
def part_rows_in_many(
    order_row,
    bits,
    case_mask,
    entries,
    active,
    n_active,
    branch,
    weight_of,
    branches,
    known,
    known_total,
    wanted,
    room,
    start,
    waiting_rows,
    slot,
    ends,
    buffer,
):
    """The same by branch, the last first.

    Branch k waits at `slot` + branches - 1 - k, with room[k] entries at most.
    """
    for i in range(n_active):
        r = np.int64(order_row[active[i]])
        if r < 0:
            continue
        to = np.int64(0)
        for k in range(branches):
            start[k] = to
            to += room[k] * wanted[k]
        for k in range(branches):
            start[k] = (
                start[k] if wanted[k] else to
            )  # one entry behind all others takes what nobody wants
        end = waiting_rows[slot, r]
        for p in range(end, ends[r]):
            entry = entries[index(r), index(p)]
            case = index((entry >> bits) & case_mask)
            goes = np.int64(branch[case])
            if goes >= 0:
                buffer[index(start[index(goes)])] = entry
                start[index(goes)] += wanted[index(goes)]
                continue
            for k in range(branches):
                if wanted[k] and reaches(weight_of[case], known[k], known_total):
                    buffer[index(start[k])] = entry
                    start[k] += 1
        for k in range(branches - 1, -1, -1):
            to -= room[k] * wanted[k]
            waiting_rows[slot + branches - 1 - k, r] = end
            if wanted[k]:
                for p in range(to, start[k]):
                    entries[index(r), index(end)] = buffer[index(p)]
                    end += 1
        ends[r] = end


@kernel
def count_branches(
    f, cut, branches, codes, cases, weights, a, b, bits, weighted, branch_classes, sizes, known
):
    """Class weights and number of cases[a:b] in each branch.

    `known` gets the weight there whose value is known.
    """
    label = (np.int64(1) << bits) - 1
    n_classes = branch_classes.shape[1]
    for k in range(branches):
        sizes[k] = 0
        for c in range(n_classes):
            branch_classes[k, c] = 0
    lacking = False
    for i in range(a, b):
        entry = cases[index(i)]
        code = np.int64(codes[index(f), index(entry >> bits)])
        if code < 0:
            lacking = True
            continue
        k = code if cut < 0 else np.int64(code > cut)
        branch_classes[index(k), index(entry & label)] += (
            weights[index(i)] if weighted else np.int64(1)
        )
        sizes[index(k)] += 1
    known_total = np.int64(0)
    for k in range(branches):
        known[k] = 0
        for c in range(n_classes):
            known[k] += branch_classes[k, c]
        known_total += known[k]
    if lacking:
        for i in range(a, b):
            entry = cases[i]
            if codes[f, entry >> bits] < 0:
                for k in range(branches):
                    share = (
                        branch_share(weights[i], known[k], known_total)
                        if known[k] > 0
                        else np.int64(0)
                    )
                    branch_classes[index(k), index(entry & label)] += share
                    sizes[index(k)] += share > 0
    return known_total


@kernel
def part_cases(
    f,
    cut,
    branches,
    codes,
    cases,
    weights,
    a,
    b,
    bits,
    weighted,
    known,
    known_total,
    wanted,
    sizes,
    start,
    buffer,
    weight_buffer,
    waiting_cases,
    slot,
    mark,
    branch,
):
    """Replace cases[a:b] by the cases of the wanted branches, the last one first, and mark where
    each case goes.
    """
    to = np.int64(0)
    for k in range(branches - 1, -1, -1):
        waiting_cases[slot + branches - 1 - k] = a + to
        start[k] = to
        to += sizes[k] * wanted[k]
    for k in range(branches):
        start[k] = (
            start[k] if wanted[k] else to
        )  # one entry behind all others takes what nobody wants
    for i in range(a, b):
        entry = cases[index(i)]
        case = index(entry >> bits)
        code = np.int64(codes[index(f), case])
        if code >= 0:
            k = code if cut < 0 else np.int64(code > cut)
            branch[case] = k
            mark[case] = RIGHT if k else LEFT
            at = index(start[index(k)])
            buffer[at] = entry
            if weighted:
                weight_buffer[at] = weights[index(i)]
            start[index(k)] += wanted[index(k)]
            continue
        branch[case] = -1
        goes = 0
        for k in range(branches):
            if reaches(weights[i], known[k], known_total):
                goes |= RIGHT if k else LEFT
                if wanted[k]:
                    buffer[start[k]] = entry
                    weight_buffer[start[k]] = branch_share(weights[i], known[k], known_total)
                    start[k] += 1
        mark[case] = goes
    for i in range(to):
        cases[index(a + i)] = buffer[index(i)]
        if weighted:
            weights[index(a + i)] = weight_buffer[index(i)]
    return a + to


@kernel
def mark_by_row(entries, r, a, b, cut, bits, shift, case_mask, mark, branch_classes):
    """Mark the cases of a row's segment with the side that they take at a cut, and count their
    classes.
    """
    label = (np.int64(1) << bits) - 1
    for k in range(2):
        for c in range(branch_classes.shape[1]):
            branch_classes[k, c] = 0
    for p in range(a, b):
        entry = entries[index(r), index(p)]
        goes = np.int64((entry >> shift) > cut)
        mark[index((entry >> bits) & case_mask)] = 1 + goes
        branch_classes[index(goes), index(entry & label)] += 1


@kernel
def weigh_cases(cases, weights, a, b, bits, weight_of):
    """Set the weights of a node's cases; whether any differs from that of one case."""
    fractional = False
    for i in range(a, b):
        weight_of[index(cases[index(i)] >> bits)] = weights[index(i)]
        fractional |= weights[index(i)] != WEIGHT_UNIT
    return fractional


@kernel
def release(order_row, active, n_active, waiting_rows, slot, ends):
    """Give up the segments of a node that nothing below will want."""
    for i in range(n_active):
        r = order_row[active[i]]
        if r >= 0:
            ends[r] = waiting_rows[slot, r]


@kernel
def furthest_segment(order_row, active, n_active, waiting_rows, slot, a):
    """Where the segments of a node begin at most, those of its cases at `a`."""
    for i in range(n_active):
        r = order_row[active[i]]
        if r >= 0:
            a = max(a, waiting_rows[slot, r])
    return a


@kernel
def list_cases(chosen, case_weights, labels, bits, weighted, cases, weights, counts):
    """The entries of the chosen cases and their weights, and the class weights of all."""
    for i in range(len(chosen)):
        case = np.int64(chosen[i])
        cases[i] = (case << bits) | labels[case]
        if weighted:
            weights[i] = case_weights[i]
        counts[0, labels[case]] += case_weights[i] if weighted else np.int64(1)


@kernel
def grow(
    table,
    rules,
    whole_rules,
    offered,
    chosen,
    case_weights,
    present,
    n_training,
    nodes,
    scratch,
    resume,
    stretch,
):
    """Grow from the cases `chosen` into `nodes`, or go on where a call has `PAUSED` (`resume`).

    The number of nodes, or a status below 0. After `stretch` entries or so it pauses.

    `case_weights`: empty where all cases weigh one and none lacks a value.
    """
    codes, labels, arity = table.codes, table.labels, table.arity
    continuous, values, value_start = table.continuous, table.values, table.value_start
    order_row, nlogn_of = table.order_row, table.nlogn
    n_classes, bits = table.n_classes, table.class_bits
    shift, case_mask = bits + table.case_bits, (np.int64(1) << table.case_bits) - 1
    (
        entries,
        cases,
        weights,
        buffer,
        weight_buffer,
        sizes_of,
        steps,
        mark,
        branch,
        weight_of,
        histogram,
        close,
        goings,
        active,
        ends,
        waiting_rows,
        waiting_cases,
        waiting_counts,
        waiting_inner,
        open_node,
        open_branch,
        open_active,
    ) = scratch
    room, going = len(waiting_cases), goings[0]
    feature, threshold, node_cut, node_label, node_counts, child_start, children, error = nodes
    weighted = len(case_weights) > 0
    most = np.int64(2)  # branches of a node
    discrete = False
    for f in offered:
        if not continuous[f]:
            discrete = True
            most = max(most, np.int64(arity[f]))
    listed = discrete or weighted  # whether anything walks through the cases themselves
    if most > room:
        return NO_ROOM_TO_WAIT

    found = np.zeros((6, len(arity)), np.int64)
    masses, splits, gains = found[0], found[1], found[2]
    cuts, uppers, constants = found[3], found[4], found[5]
    tops = np.zeros(1, np.int64)
    by_class = np.zeros((5, n_classes), np.int64)
    counts, known, left = by_class[0], by_class[1], by_class[2]
    right, chords = by_class[3], by_class[4]
    classes = np.zeros((most, n_classes), np.int64)
    by_branch = np.zeros((6, most), np.int64)
    sizes, in_branch, start = by_branch[0], by_branch[1], by_branch[2]
    wanted, number, value_of = by_branch[3], by_branch[4], by_branch[5]

    if not resume:
        fill_rows(table, offered, chosen, entries, mark, buffer, ends)
        waiting_rows[0], waiting_cases[0], waiting_counts[0] = 0, 0, 0
        list_cases(chosen, case_weights, labels, bits, weighted, cases, weights, waiting_counts)
        waiting_inner[0] = not is_leaf(
            waiting_counts, np.int64(0), np.int64(0), rules.min_cases, rules.max_depth
        )
        for i in range(len(offered)):
            active[i] = offered[i]
        going.node, going.label, going.top = 0, -1, -1
        going.waiting, going.active, going.listed_end = 1, len(offered), len(chosen)
    node, label, top = going.node, going.label, going.top
    waiting, n_active, listed_end = going.waiting, going.active, going.listed_end
    scale = WEIGHT_UNIT // rules.unit
    left_over = np.int64(stretch)
    ending = np.int64(GROWING)
    while ending == GROWING:
        if left_over <= 0:
            going.node, going.label, going.top = node, label, top
            going.waiting, going.active, going.listed_end = waiting, n_active, listed_end
            ending = np.int64(PAUSED)
            continue
        # Visit the uppermost waiting branch.
        left_over -= 1
        if node >= len(feature):
            ending = np.int64(FULL)
            continue
        waiting -= 1
        weight = np.int64(0)
        for c in range(n_classes):
            counts[c] = waiting_counts[waiting, c]
            weight += counts[c]
        if weight > 0:
            label = majority(counts, label, rules)
        write_leaf(
            node,
            counts,
            weight,
            label,
            scale,
            feature,
            threshold,
            node_cut,
            node_label,
            node_counts,
            child_start,
            error,
        )
        here = node
        node += 1
        f = np.int64(-1)
        if waiting_inner[waiting]:
            from_case, fractional, n, now = waiting_cases[waiting], False, weight, rules
            if weighted:
                n = listed_end - from_case
                fractional = weigh_cases(cases, weights, from_case, listed_end, bits, weight_of)
                if not fractional:
                    now = whole_rules
                    weight = n
                    for c in range(n_classes):
                        counts[c] >>= UNIT_BITS
            left_over -= n * n_active
            tops[0] = 0
            evaluate_rows(
                now,
                bits,
                table.case_bits,
                order_row,
                value_start,
                values,
                nlogn_of,
                weight_of,
                sizes_of,
                steps,
                close,
                entries,
                waiting_rows,
                waiting,
                ends,
                active,
                n_active,
                counts,
                n,
                fractional,
                weight,
                known,
                left,
                right,
                chords,
                masses,
                splits,
                gains,
                cuts,
                uppers,
                constants,
                tops,
            )
            if discrete:
                evaluate_discrete(
                    now,
                    bits,
                    order_row,
                    codes,
                    arity,
                    nlogn_of,
                    histogram,
                    active,
                    n_active,
                    cases,
                    weights,
                    from_case,
                    listed_end,
                    fractional,
                    weight,
                    known,
                    masses,
                    splits,
                    gains,
                    cuts,
                    uppers,
                    constants,
                    number,
                    value_of,
                )
            n_active = drop_constant(active, n_active, constants)
            least_gain = 0.0
            if now.average_gain and now.criterion == GAIN_RATIO:
                least_gain = average_gain(
                    gains, splits, active, n_active, continuous, arity, n_training
                )
            f = choose(masses, splits, gains, active, n_active, weight, least_gain, now)
            if f < 0:
                release(order_row, active, n_active, waiting_rows, waiting, ends)
                listed_end = from_case
        if f >= 0:
            branches, cut, first = np.int64(arity[f]), cuts[f], np.int64(child_start[here])
            feature[here] = f
            if continuous[f]:
                branches = np.int64(2)
                threshold[here], node_cut[here] = place_cut(
                    cut, uppers[f], values, present, value_start[f]
                )
            child_start[here + 1] = first + branches
            if first + branches > len(children):
                ending = np.int64(FULL)
                continue
            if waiting + branches > room or top + 1 == room:
                ending = np.int64(NO_ROOM_TO_WAIT)
                continue
            known_total = np.int64(0)
            if listed:
                known_total = count_branches(
                    f,
                    cut,
                    branches,
                    codes,
                    cases,
                    weights,
                    from_case,
                    listed_end,
                    bits,
                    weighted,
                    classes,
                    sizes,
                    in_branch,
                )
            else:
                r = np.int64(order_row[f])
                mark_by_row(
                    entries,
                    r,
                    waiting_rows[waiting, r],
                    ends[r],
                    cut,
                    bits,
                    shift,
                    case_mask,
                    mark,
                    classes,
                )
            inner, needed = False, np.int64(0)
            for k in range(branches):
                slot = waiting + branches - 1 - k
                wanted[k] = not is_leaf(classes, k, top + 2, rules.min_cases, rules.max_depth)
                inner |= wanted[k] > 0
                needed += sizes[k] * wanted[k]
                children[first + k] = -1
                waiting_inner[slot] = wanted[k] > 0
                for c in range(n_classes):
                    waiting_counts[slot, c] = classes[k, c]
            if weighted and inner:
                furthest = furthest_segment(
                    order_row, active, n_active, waiting_rows, waiting, from_case
                )
                if furthest + needed > len(cases):
                    ending = np.int64(NO_ROOM_FOR_ENTRIES)
                    continue
            if not inner:
                release(order_row, active, n_active, waiting_rows, waiting, ends)
                listed_end = from_case
                for k in range(branches):
                    waiting_cases[waiting + k] = from_case
            else:
                if listed:
                    listed_end = part_cases(
                        f,
                        cut,
                        branches,
                        codes,
                        cases,
                        weights,
                        from_case,
                        listed_end,
                        bits,
                        weighted,
                        in_branch,
                        known_total,
                        wanted,
                        sizes,
                        start,
                        buffer,
                        weight_buffer,
                        waiting_cases,
                        waiting,
                        mark,
                        branch,
                    )
                if branches == 2:
                    part_rows(
                        order_row,
                        bits,
                        case_mask,
                        entries,
                        active,
                        n_active,
                        mark,
                        wanted[0] > 0,
                        wanted[1] > 0,
                        waiting_rows,
                        waiting,
                        ends,
                        buffer,
                    )
                else:
                    part_rows_in_many(
                        order_row,
                        bits,
                        case_mask,
                        entries,
                        active,
                        n_active,
                        branch,
                        weight_of,
                        branches,
                        in_branch,
                        known_total,
                        wanted,
                        sizes,
                        start,
                        waiting_rows,
                        waiting,
                        ends,
                        buffer,
                    )
            waiting += branches
            top += 1
            open_node[top] = here
            open_branch[top] = 0
            open_active[top] = n_active
        # Go on with the next branch of the innermost open node that has one.
        while top >= 0:
            parent = open_node[top]
            k = child_start[parent] + open_branch[top]
            if k < child_start[parent + 1]:
                break
            add_errors(parent, child_start, children, error)
            if rules.collapse:
                node = collapse(
                    parent,
                    node,
                    feature,
                    threshold,
                    node_cut,
                    node_label,
                    node_counts,
                    child_start,
                    error,
                )
            top -= 1
        if top < 0:
            ending = node
            continue
        open_branch[top] += 1
        n_active = open_active[top]
        children[k] = node
        label = np.int64(node_label[parent])
    return ending
