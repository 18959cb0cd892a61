"""Growing a tree, or a subtree from the cases that reach it, in preorder.

Every presorted feature has a row of entries (see `cuts`) with a segment for each node that is waiting, and so
have the cases themselves where something must walk through them (discrete features, weights). A row is a stack: the
leftmost waiting branch lies uppermost, and a split writes the segments of its branches over its own, the last branch
first. So the rows hold what is still to be done and no more, and only a case with a missing value, which goes down
several branches, makes them longer.

A case weighs `rules.unit`. Where some cases may weigh something else `weights` has an entry per case and `rules.unit`
is WEIGHT_UNIT; nodes whose cases all weigh one case are still compared in whole cases, under `whole_rules`. Nodes are
written from `at` on; what comes back is the index after the last one, or FULL when the node arrays are too small.
`parent_label` and `depth` are those of the place where the subtree hangs (-1 and 0 for a whole tree).
"""

from typing import NamedTuple

import numpy as np

from pinetum.constants import WEIGHT_UNIT
from pinetum.induction.kernels.cuts import (
    LOWEST,
    count_cuts,
    cut_gini,
    cut_many,
    cut_two,
    cut_weighted,
    fill_tables,
    index,
)
from pinetum.induction.kernels.nodes import FULL, choose, new_found, place_cut, record
from pinetum.induction.kernels.presort import fill_rows
from pinetum.induction.kernels.quality import (
    GAIN_RATIO,
    GINI,
    branch_share,
    continuous_split,
    discrete_split,
    impurity_mass,
    least_side,
    majority,
    on_grid,
    worth,
)
from pinetum.induction.kernels.scan import CONSTANT
from pinetum.jit import kernel
from pinetum.kernels.arrays import longer, longer_columns, longer_rows

FILTER_BELOW = 16  # a presorted order is filtered for some cases unless the table has this many times as many
SHIFT = 20  # of WEIGHT_UNIT
LEFT, RIGHT = 1, 2  # marks of a case: where it goes; both for a missing value


class Scratch(NamedTuple):
    """Room of one grower; what depends on the number of cases is long enough for all of them at every node."""

    entries: np.ndarray  # int64 (presorted features, cases): the rows
    sizes: np.ndarray  # int64 (cases + 1,): see `fill_tables`
    steps: np.ndarray  # int64 (cases + classes,)
    buffer: np.ndarray  # int64 (cases,)
    mark: np.ndarray  # uint8 (cases of the table,): LEFT, RIGHT
    branch: np.ndarray  # int32 (cases of the table,): the branch a case takes, -1: several
    weight_of: np.ndarray  # int64 (cases of the table,): at the node at hand; empty where every case weighs the same
    histogram: np.ndarray  # int64 (largest arity of a discrete feature + 1, classes)
    close: np.ndarray  # uint8 (features,): 1: some neighbouring values differ by no more than `rules.min_gap`


@kernel
def is_leaf(counts, depth, rules):
    """Whether a node is a leaf whatever features are offered."""
    weight, most = np.int64(0), np.int64(0)
    for c in range(len(counts)):
        weight += counts[c]
        most = max(most, counts[c])
    return weight < rules.stop_weight or most == weight or depth == rules.max_depth


@kernel
def write_leaf(nodes, node, counts, weight, label, scale):
    nodes.feature[node] = -1
    nodes.threshold[node] = np.nan
    nodes.cut[node] = -1
    nodes.label[node] = label
    for c in range(len(counts)):
        nodes.counts[node, c] = counts[c] * scale
    nodes.error[node] = (weight - counts[label]) * scale if weight else 0
    nodes.child_start[node + 1] = nodes.child_start[node]


@kernel
def write_split(nodes, node, f, table, found, present):
    """Turn the last node into an internal one; gives its number of branches."""
    nodes.feature[node] = f
    branches = table.arity[f]
    if table.continuous[f]:
        first, last = table.value_start[f], table.value_start[f + 1]
        seen = present[first:last] if len(present) else present
        nodes.threshold[node], nodes.cut[node] = place_cut(found.cut[f], found.upper[f], table.values[first:last], seen)
        branches = 2
    nodes.child_start[node + 1] = nodes.child_start[node] + branches
    return branches


@kernel
def close_node(nodes, node, end, rules):
    """Add up the errors below a finished node; C4.5 makes it a leaf when they are no fewer than its own."""
    below = np.int64(0)
    for k in range(nodes.child_start[node], nodes.child_start[node + 1]):
        below += nodes.error[nodes.children[k]]
    nodes.error[node] = below
    if not rules.collapse:
        return end
    weight = np.int64(0)
    for c in range(nodes.counts.shape[1]):
        weight += nodes.counts[node, c]
    if below >= weight - nodes.counts[node, nodes.label[node]] - 0.001 * WEIGHT_UNIT:
        nodes.feature[node] = -1
        nodes.threshold[node] = np.nan
        nodes.cut[node] = -1
        nodes.child_start[node + 1] = nodes.child_start[node]
        return node + 1
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
    table, rules, scratch, entries, from_row, ends, active, n_active, counts, n, fractional, weight, room, found,
):  # fmt: skip
    """Best cut of every active presorted feature at a node with n cases of these class weights, `weight` in all.

    `room`: int64 (4, classes). Arrays are taken out of their tuples once a node, since each such access counts
    references, which takes longer than to scan a few entries.
    """
    bits, shift = table.class_bits, table.class_bits + table.case_bits
    case_mask = (np.int64(1) << table.case_bits) - 1
    label = (np.int64(1) << bits) - 1
    order_row, value_start, values, nlogn_of = table.order_row, table.value_start, table.values, table.nlogn
    weight_of, sizes, steps, close_features = scratch.weight_of, scratch.sizes, scratch.steps, scratch.close
    masses, splits, gains, cuts, uppers, constants = found
    known, left, right, chords = room[0], room[1], room[2], room[3]
    criterion, gap, n_classes = rules.criterion, rules.min_gap, len(counts)
    ratio, gini = criterion == GAIN_RATIO, criterion == GINI
    lowest = np.int64(LOWEST) if rules.zero_gain or rules.average_gain else max(np.int64(0), rules.min_gain - 1)
    best = np.int64(0)
    filled = False  # whether `sizes` and `steps` are those of the node
    whole_mass = impurity_mass(counts, weight, criterion, rules.unit, nlogn_of)
    for i in range(n_active):
        f = active[i]
        r = np.int64(order_row[f])
        if r < 0:
            continue
        a, m = from_row[r], ends[r] - from_row[r]
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
            known[:] = 0
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
                entries, r, a, m, weight_of, least, shift, bits, case_mask, known, total, left, right, chords, nlogn_of,
                criterion, mass, weight, floor, close, values, first_value, gap,
            )  # fmt: skip
        else:
            last = total - least
            if not gini and not (filled and m == n):
                fill_tables(known, total, nlogn_of, sizes, steps)
                filled = m == n
            if n_classes == 2:
                gain_mass, at = cut_two(
                    entries, r, a, least, last, shift, known, sizes, steps, criterion, mass, weight, floor, close,
                    values, first_value, gap,
                )  # fmt: skip
            elif gini:
                gain_mass, at = cut_gini(
                    entries, r, a, least, last, shift, bits, known, left, mass, weight, floor, close, values,
                    first_value, gap,
                )  # fmt: skip
            else:
                gain_mass, at = cut_many(
                    entries, r, a, least, last, shift, bits, known, sizes, steps, nlogn_of, left, mass, weight, floor,
                    close, values, first_value, gap,
                )  # fmt: skip
            below = at
            if at > 0 and rules.penalty:
                tries = count_cuts(entries, r, a, least, last, shift, close, values, first_value, gap)
        if at > 0:
            mass, split = continuous_split(gain_mass, below, total, weight, tries, rules, nlogn_of)
            masses[f], splits[f], gains[f] = mass, split, on_grid(mass, weight, rules.unit)
            cuts[f], uppers[f] = entries[r, a + at - 1] >> shift, entries[r, a + at] >> shift
            if not ratio and split > 0:
                best = max(best, np.int64(worth(gains[f], mass, split, weight, rules, 0.0)))


@kernel
def evaluate_discrete(table, rules, scratch, f, cases, weights, known, fractional, weight, found):
    """Multiway split of a discrete feature at a node with these entries of cases."""
    bits = table.class_bits
    label = (np.int64(1) << bits) - 1
    codes, arity, n_classes = table.codes[f], np.int64(table.arity[f]), len(known)
    histogram = scratch.histogram[: arity + 1]  # row 0 takes the missing values
    histogram[:] = 0
    for i in range(len(cases)):
        entry = cases[index(i)]
        v = index(codes[index(entry >> bits)] + 1)
        histogram[v, index(entry & label)] += weights[index(i)] if fractional else np.int64(1)
    known[:] = 0
    total, present = np.int64(0), 0
    for v in range(1, arity + 1):
        here = np.int64(0)
        for c in range(n_classes):
            here += histogram[v, c]
            known[c] += histogram[v, c]
        present += here > 0
        total += here
    if present < 2:
        record(found, f, np.int64(0), np.int64(0), -1, CONSTANT, weight, rules.unit)
        return
    mass, split = discrete_split(histogram[1:], arity, known, total, weight, rules, table.nlogn)
    record(found, f, mass, split, -1, -1, weight, rules.unit)


@kernel
def part_rows(table, entries, active, n_active, mark, wants_left, wants_right, from_row, ends, from_left, buffer):
    """Stable partition of every active row's segment: what goes right stays, what goes left follows.

    `from_left` gets where the left begins; a side that nobody wants is left out.
    """
    bits, case_mask, order_row = table.class_bits, (np.int64(1) << table.case_bits) - 1, table.order_row
    for i in range(n_active):
        r = np.int64(order_row[active[i]])
        if r < 0:
            continue
        a, b = from_row[r], ends[r]
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
            from_left[r], ends[r] = right, right + left
        else:
            to, side = a, 1 if wants_right else 0
            for p in range(a, b):
                entry = entries[index(r), index(p)]
                entries[index(r), index(to)] = entry
                to += (np.int64(mark[index((entry >> bits) & case_mask)]) >> side) & 1
            from_left[r], ends[r] = to if wants_right else a, to


@kernel
def reaches(weight, k, known, known_total):
    """Whether a case of this weight with a missing value has a share in branch k."""
    return known[k] > 0 and branch_share(weight, known[k], known_total) > 0


@kernel
def part_row_in_many(row, a, b, scratch, bits, case_mask, known, known_total, wanted, room, start, buffer, begins):
    """The same by branch, the last wanted one first; `begins` gets where each begins. `room`: entries at most."""
    branches = len(wanted)
    to = np.int64(0)
    for k in range(branches):
        start[k] = to
        to += room[k] if wanted[k] else 0
    for i in range(a, b):
        entry = row[index(i)]
        case = index((entry >> bits) & case_mask)
        goes = np.int64(scratch.branch[case])
        if goes >= 0:
            if wanted[goes]:
                buffer[index(start[goes])] = entry
                start[goes] += 1
            continue
        for k in range(branches):
            if wanted[k] and reaches(scratch.weight_of[case], k, known, known_total):
                buffer[index(start[k])] = entry
                start[k] += 1
    end = a
    for k in range(branches - 1, -1, -1):
        to -= room[k] if wanted[k] else 0
        begins[k] = end
        if wanted[k]:
            for i in range(to, start[k]):
                row[index(end)] = buffer[index(i)]
                end += 1
    return end


@kernel
def count_branches(codes, cut, cases, weights, bits, branch_classes, sizes, known, weighted):
    """Class weights and number of cases in each branch; `known` gets the weight there whose value is known."""
    label = (np.int64(1) << bits) - 1
    branches = len(sizes)
    branch_classes[:branches] = 0
    sizes[:] = 0
    lacking = False
    for i in range(len(cases)):
        entry = cases[index(i)]
        code = np.int64(codes[index(entry >> bits)])
        if code < 0:
            lacking = True
            continue
        k = code if cut < 0 else np.int64(code > cut)
        branch_classes[index(k), index(entry & label)] += weights[index(i)] if weighted else np.int64(1)
        sizes[index(k)] += 1
    known_total = np.int64(0)
    for k in range(branches):
        known[k] = 0
        for c in range(branch_classes.shape[1]):
            known[k] += branch_classes[k, c]
        known_total += known[k]
    if lacking:
        for i in range(len(cases)):
            if codes[cases[i] >> bits] < 0:
                for k in range(branches):
                    if reaches(weights[i], k, known, known_total):
                        branch_classes[k, cases[i] & label] += branch_share(weights[i], known[k], known_total)
                        sizes[k] += 1
    return known_total


@kernel
def part_cases(
    codes, cut, cases, weights, a, b, bits, known, known_total, wanted, sizes, start, buffer, weight_buffer, begins,
    scratch, weighted,
):  # fmt: skip
    """Replace cases[a:b] by the cases of the wanted branches, the last one first, and mark where each case goes."""
    branches = len(wanted)
    to = np.int64(0)
    for k in range(branches - 1, -1, -1):
        begins[k] = a + to
        start[k] = to
        to += sizes[k] if wanted[k] else 0
    for i in range(a, b):
        entry = cases[index(i)]
        case = index(entry >> bits)
        code = np.int64(codes[case])
        if code >= 0:
            k = code if cut < 0 else np.int64(code > cut)
            scratch.branch[case] = k
            scratch.mark[case] = RIGHT if k else LEFT
            if wanted[k]:
                buffer[index(start[k])] = entry
                if weighted:
                    weight_buffer[index(start[k])] = weights[index(i)]
                start[k] += 1
            continue
        scratch.branch[case] = -1
        goes = 0
        for k in range(branches):
            if reaches(weights[i], k, known, known_total):
                goes |= RIGHT if k else LEFT
                if wanted[k]:
                    buffer[start[k]] = entry
                    weight_buffer[start[k]] = branch_share(weights[i], known[k], known_total)
                    start[k] += 1
        scratch.mark[case] = goes
    for i in range(to):
        cases[index(a + i)] = buffer[index(i)]
        if weighted:
            weights[index(a + i)] = weight_buffer[index(i)]
    return a + to


@kernel
def mark_by_row(row, cut, bits, shift, case_mask, mark, branch_classes):
    """Mark the cases of a row with the branch they take at a cut, and count their classes."""
    label = (np.int64(1) << bits) - 1
    branch_classes[:2] = 0
    for p in range(len(row)):
        entry = row[index(p)]
        goes = np.int64((entry >> shift) > cut)
        mark[index((entry >> bits) & case_mask)] = 1 + goes
        branch_classes[index(goes), index(entry & label)] += 1


@kernel
def grow(
    table, rules, whole_rules, offered, chosen, case_weights, present, n_training, parent_label, depth, nodes, at,
    scratch,
):  # fmt: skip
    """Grow from the cases `chosen`; see above."""
    n_classes, bits = table.n_classes, table.class_bits
    shift, case_mask = bits + table.case_bits, (np.int64(1) << table.case_bits) - 1
    weighted = len(case_weights) > 0
    entries, buffer, mark = scratch.entries, scratch.buffer, scratch.mark
    n_rows, n_chosen = len(entries), np.int64(len(chosen))
    ends = fill_rows(table, offered, chosen, entries, mark, buffer)

    most = np.int64(2)  # branches of a node
    discrete = False
    for f in offered:
        if not table.continuous[f]:
            discrete = True
            most = max(most, np.int64(table.arity[f]))
    listed = discrete or weighted  # whether anything walks through the cases themselves
    cases = np.empty(n_chosen if listed else 0, np.int64)
    weights = np.empty(n_chosen if weighted else 0, np.int64)
    weight_buffer = np.empty(n_chosen if weighted else 0, np.int64)
    counts = np.zeros(n_classes, np.int64)
    for i in range(n_chosen):
        case = np.int64(chosen[i])
        if listed:
            cases[i] = (case << bits) | table.labels[case]
        if weighted:
            weights[i] = case_weights[i]
        counts[table.labels[case]] += case_weights[i] if weighted else np.int64(1)
    listed_end = np.int64(len(cases))

    active = offered.copy()
    found = new_found(table.codes.shape[0])
    whole_counts, classes = np.zeros(n_classes, np.int64), np.zeros((most, n_classes), np.int64)
    known, room_of_classes = np.zeros(n_classes, np.int64), np.zeros((4, n_classes), np.int64)
    sizes, in_branch, start = np.zeros(most, np.int64), np.zeros(most, np.int64), np.zeros(most, np.int64)
    begins, wanted = np.zeros(most, np.int64), np.zeros(most, np.bool_)

    room = 32 + 2 * most
    waiting_rows = np.zeros((room, n_rows), np.int64)  # per waiting branch: where its segments begin,
    waiting_cases = np.zeros(room, np.int64)
    waiting_counts = np.zeros((room, n_classes), np.int64)  # its class weights,
    waiting_inner = np.zeros(room, np.bool_)  # and whether it has segments, because it may be split
    waiting_counts[0] = counts
    waiting_inner[0] = not is_leaf(counts, depth, rules)
    waiting = np.int64(1)

    open_room = np.int64(32)
    open_node, open_branch = np.empty(open_room, np.int64), np.empty(open_room, np.int64)
    open_active = np.empty(open_room, np.int64)  # number of features that are not constant
    top = np.int64(-1)
    n_active = np.int64(len(active))
    node, label = np.int64(at), np.int64(parent_label)
    scale = WEIGHT_UNIT // rules.unit
    while True:
        # Visit the uppermost waiting branch.
        if node >= len(nodes.feature):
            return FULL
        waiting -= 1
        weight = np.int64(0)
        for c in range(n_classes):
            counts[c] = waiting_counts[waiting, c]
            weight += counts[c]
        if weight > 0:
            label = majority(counts, label, rules)
        write_leaf(nodes, node, counts, weight, label, scale)
        here = node
        node += 1
        f = -1
        if waiting_inner[waiting]:
            from_row, from_case = waiting_rows[waiting], waiting_cases[waiting]
            fractional = False
            n = weight
            if weighted:
                n = listed_end - from_case
                for i in range(from_case, listed_end):
                    scratch.weight_of[index(cases[index(i)] >> bits)] = weights[index(i)]
                    fractional |= weights[index(i)] != WEIGHT_UNIT
            for c in range(n_classes):
                whole_counts[c] = counts[c] if fractional or not weighted else counts[c] >> SHIFT
            now = rules if fractional else whole_rules
            here_weight = weight if fractional else n
            evaluate_rows(
                table, now, scratch, entries, from_row, ends, active, n_active, whole_counts, n, fractional,
                here_weight, room_of_classes, found,
            )  # fmt: skip
            if discrete:
                for i in range(n_active):
                    if not table.continuous[active[i]]:
                        evaluate_discrete(
                            table, now, scratch, active[i], cases[from_case:listed_end], weights[from_case:listed_end],
                            known, fractional, here_weight, found,
                        )  # fmt: skip
            n_active = drop_constant(active, n_active, found.constant)
            f, _ = choose(found, active, n_active, table, here_weight, n_training, now)
            if f < 0:
                for i in range(n_active):
                    r = table.order_row[active[i]]
                    if r >= 0:
                        ends[r] = from_row[r]
                listed_end = from_case
        if f >= 0:
            branches = np.int64(write_split(nodes, here, f, table, found, present))
            first = nodes.child_start[here]
            if first + branches > len(nodes.children):
                return FULL
            codes, cut = table.codes[f], np.int64(found.cut[f])
            while waiting + branches > room:
                room *= 2
                waiting_rows, waiting_counts = longer_rows(waiting_rows, room), longer_rows(waiting_counts, room)
                waiting_cases, waiting_inner = longer(waiting_cases, room), longer(waiting_inner, room)
                from_row = waiting_rows[waiting]
            known_total = np.int64(0)
            if listed:
                known_total = count_branches(
                    codes, cut, cases[from_case:listed_end], weights[from_case:listed_end], bits, classes,
                    sizes[:branches], in_branch[:branches], weighted,
                )  # fmt: skip
            else:
                r = table.order_row[f]
                mark_by_row(entries[r, from_row[r] : ends[r]], cut, bits, shift, case_mask, mark, classes)
            inner = False
            for k in range(branches):
                wanted[k] = not is_leaf(classes[k], depth + top + 2, rules)
                inner |= wanted[k]
                nodes.children[first + k] = -1
            needed = np.int64(0)
            if listed:
                for k in range(branches):
                    needed += sizes[k] if wanted[k] else 0
                if weighted and inner:
                    furthest = from_case
                    for i in range(n_active):
                        r = table.order_row[active[i]]
                        if r >= 0:
                            furthest = max(furthest, from_row[r])
                    if furthest + needed > len(cases):
                        more = max(2 * (furthest + needed), entries.shape[1], len(buffer))
                        entries, cases = longer_columns(entries, more), longer(cases, more)
                        weights, weight_buffer = longer(weights, more), longer(weight_buffer, more)
                        buffer = longer(buffer, more)
                listed_end = part_cases(
                    codes, cut, cases, weights, from_case, listed_end, bits, in_branch[:branches], known_total,
                    wanted[:branches], sizes[:branches], start, buffer, weight_buffer, begins, scratch, weighted,
                )  # fmt: skip
            else:
                begins[:branches] = 0
            for k in range(branches):
                slot = waiting + branches - 1 - k
                waiting_cases[slot] = begins[k]
                waiting_inner[slot] = wanted[k]
                for c in range(n_classes):
                    waiting_counts[slot, c] = classes[k, c]
            if not inner:
                for i in range(n_active):
                    r = table.order_row[active[i]]
                    if r >= 0:
                        ends[r] = from_row[r]
            elif branches == 2:
                part_rows(
                    table, entries, active, n_active, mark, wanted[0], wanted[1], from_row, ends,
                    waiting_rows[waiting + 1], buffer,
                )  # fmt: skip
            else:
                for i in range(n_active):
                    r = table.order_row[active[i]]
                    if r < 0:
                        continue
                    ends[r] = part_row_in_many(
                        entries[r], from_row[r], ends[r], scratch, bits, case_mask, in_branch, known_total,
                        wanted[:branches], sizes, start, buffer, begins,
                    )  # fmt: skip
                    for k in range(branches):
                        waiting_rows[waiting + branches - 1 - k, r] = begins[k]
            waiting += branches
            top += 1
            if top == open_room:
                open_room *= 2
                open_node, open_branch = longer(open_node, open_room), longer(open_branch, open_room)
                open_active = longer(open_active, open_room)
            open_node[top] = here
            open_branch[top] = 0
            open_active[top] = n_active
        # Go on with the next branch of the innermost open node that has one.
        while top >= 0:
            parent = open_node[top]
            k = nodes.child_start[parent] + open_branch[top]
            if k < nodes.child_start[parent + 1]:
                break
            node = close_node(nodes, parent, node, rules)
            top -= 1
        if top < 0:
            return node
        open_branch[top] += 1
        n_active = open_active[top]
        nodes.children[k] = node
        label = np.int64(nodes.label[parent])
