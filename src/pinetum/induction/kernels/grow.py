"""Growing a tree from the cases that reach it, in preorder; `bundles` draws what it works on.

A case weighs `rules.unit`. Where some cases may weigh something else `Sample.weights` has an entry
per case and `rules.unit` is WEIGHT_UNIT; nodes whose cases all weigh one case are still compared in
whole cases, under `whole_rules`.
"""

import numpy as np

from pinetum.constants import GAIN_RATIO, WEIGHT_UNIT
from pinetum.induction.kernels.best_cut import Node
from pinetum.induction.kernels.bundles import Desk, Features, Sample, Table
from pinetum.induction.kernels.candidates import (
    average_gain,
    choose,
    drop_constant,
    evaluate_columns,
    evaluate_discrete,
)
from pinetum.induction.kernels.cuts import UNIT_BITS, Segment
from pinetum.induction.kernels.nodes import (
    FULL,
    Nodes,
    add_errors,
    collapse,
    place_cut,
    write_leaf,
)
from pinetum.induction.kernels.parting import (
    count_branches,
    mark_by_row,
    part_cases,
    part_rows,
    part_rows_in_many,
    weigh_cases,
)
from pinetum.induction.kernels.presort import fill_rows
from pinetum.induction.kernels.quality import impurity_mass, majority
from pinetum.jit import kernel
from pinetum.kernels.bundles import borrower

NO_ROOM_TO_WAIT, NO_ROOM_FOR_ENTRIES = -2, -3  # statuses beside FULL: the desk is too small
PAUSED = -4  # status: call it again to go on
GROWING = -5  # no status that is returned: `grow` goes on

borrow_table, borrow_sample = borrower(Table), borrower(Sample)
borrow_nodes, borrow_desk = borrower(Nodes), borrower(Desk)


@kernel
def is_leaf(counts, k, depth, min_cases, max_depth):
    """Whether a node with the class weights counts[k] is a leaf whatever features are offered."""
    weight, most = np.int64(0), np.int64(0)
    for c in range(counts.shape[1]):
        weight += counts[k, c]
        most = max(most, counts[k, c])
    return weight < min_cases or most == weight or depth == max_depth


@kernel(inline=True)
def begin_tree(table, rules, sample, desk, now):
    """Let the root wait with all cases and all features."""
    rows, listed, waiting, parting = desk.rows, desk.listed, desk.waiting, desk.parting
    fill_rows(table, sample.offered, sample.cases, rows, parting.mark, parting.buffer)
    counts, labels = waiting.counts, table.labels
    for c in range(counts.shape[1]):
        counts[0, c] = 0
    for i in range(len(sample.cases)):
        case = np.int64(sample.cases[i])
        listed.cases[i] = (case << table.class_bits) | labels[case]
        weight = np.int64(1)
        if now.weighted:
            weight = listed.weights[i] = sample.weights[i]
        counts[0, labels[case]] += weight
    rows.begins[0] = 0
    root = np.int64(0)
    waiting.branch[0].begin = 0
    waiting.branch[0].inner = not is_leaf(counts, root, root, rules.min_cases, rules.max_depth)
    for i in range(len(sample.offered)):
        desk.active[i] = sample.offered[i]
    now.node, now.label, now.top = 0, -1, -1
    now.waiting, now.active, now.listed_end = 1, len(sample.offered), len(sample.cases)


@kernel(inline=True)
def visit(nodes, rules, desk, now):
    """Write the uppermost waiting branch as a leaf: its weight."""
    now.waiting -= 1
    counts, weight = desk.scan.counts, np.int64(0)
    for c in range(len(counts)):
        counts[c] = desk.waiting.counts[now.waiting, c]
        weight += counts[c]
    if weight > 0:
        now.label = majority(counts, now.label, rules)
    write_leaf(nodes, now.node, counts, weight, now.label, WEIGHT_UNIT // rules.unit)
    now.here, now.feature = now.node, -1
    now.node += 1
    return weight


@kernel(inline=True)
def look_for_split(table, features, sample, rules, whole_rules, desk, weight, now):
    """Let `now.feature` be the feature that splits the node at hand, or -1."""
    scan, found, active = desk.scan, desk.found, desk.active
    first, n, rules_here = desk.waiting.branch[now.waiting].begin, weight, rules
    fractional = False
    if now.weighted:
        n = now.listed_end - first
        fractional = weigh_cases(
            desk.listed, first, now.listed_end, table.class_bits, scan.weight_of
        )
        if not fractional:
            rules_here, weight = whole_rules, n
            for c in range(len(scan.counts)):
                scan.counts[c] >>= UNIT_BITS
    now.left -= n * now.active
    desk.tops[0] = 0
    mass = impurity_mass(scan.counts, weight, rules_here.criterion, rules_here.unit, scan.nlogn)
    node = Node(first, n, weight, mass, fractional, table.n_classes)
    evaluate_columns(
        features,
        desk.rows,
        now.waiting,
        active,
        now.active,
        node,
        scan,
        found,
        desk.tops,
        rules_here,
    )
    if now.discrete:
        evaluate_discrete(
            features, desk.listed, active, now.active, node, scan, desk.tally, found, rules_here
        )
    now.active = drop_constant(active, now.active, found)
    least_gain = 0.0
    if rules_here.average_gain and rules_here.criterion == GAIN_RATIO:
        least_gain = average_gain(
            found,
            active,
            now.active,
            sample.offered,
            table.continuous,
            table.arity,
            len(sample.cases),
        )
    now.feature = choose(found, active, now.active, weight, least_gain, rules_here)


@kernel(inline=True)
def write_split(table, sample, nodes, desk, now):
    """Make the node at hand inner, or set the status that says what there is no room for."""
    f, first = now.feature, np.int64(nodes.child_start[now.here])
    now.cut, now.branches = desk.found[f].cut, np.int64(table.arity[f])
    nodes.feature[now.here] = f
    if table.continuous[f]:
        now.branches = 2
        nodes.threshold[now.here], nodes.cut[now.here] = place_cut(
            now.cut, desk.found[f].upper, table.values, sample.present, table.value_start[f]
        )
    nodes.child_start[now.here + 1] = first + now.branches
    room = len(desk.open)
    if first + now.branches > len(nodes.children):
        now.status = FULL
    elif now.waiting + now.branches > room or now.top + 1 == room:
        now.status = NO_ROOM_TO_WAIT
    else:
        for k in range(now.branches):
            nodes.children[first + k] = -1


@kernel(inline=True)
def make_branches(table, features, rules, desk, now):
    """Count the cases of the branches, and say which may be split: whether any may.

    Or set the status that says that there is no room for their entries.
    """
    rows, parting, waiting = desk.rows, desk.parting, desk.waiting
    first = np.int64(waiting.branch[now.waiting].begin)
    if now.listed:
        now.known = count_branches(table.codes, table.class_bits, desk.listed, first, now, parting)
    else:
        r = np.int64(features.row[now.feature])
        a, shift = rows.begins[now.waiting, r], features.class_bits + features.case_bits
        segment = Segment(
            rows.entries,
            r,
            a,
            rows.ends[r] - a,
            shift,
            features.class_bits,
            (np.int64(1) << features.case_bits) - 1,
        )
        mark_by_row(segment, now.cut, parting.mark, parting.counts)
    inner, needed = False, np.int64(0)
    for k in range(now.branches):
        slot, part = now.waiting + now.branches - 1 - k, parting.part[k]
        leaf = is_leaf(parting.counts, k, now.top + 2, rules.min_cases, rules.max_depth)
        part.wanted = waiting.branch[slot].inner = np.int64(not leaf)
        inner |= not leaf
        needed += part.cases * part.wanted
        for c in range(parting.counts.shape[1]):
            waiting.counts[slot, c] = parting.counts[k, c]
    if now.weighted and inner:
        furthest = first
        for i in range(now.active):
            r = features.row[desk.active[i]]
            if r >= 0:
                furthest = max(furthest, rows.begins[now.waiting, r])
        if furthest + needed > len(desk.listed.cases):
            now.status = NO_ROOM_FOR_ENTRIES
    return inner


@kernel(inline=True)
def part_node(features, desk, now):
    """Send the entries of the node at hand down its branches."""
    rows, parting, active = desk.rows, desk.parting, desk.active
    if now.listed:
        first = np.int64(desk.waiting.branch[now.waiting].begin)
        now.listed_end = part_cases(
            features.codes,
            features.class_bits,
            desk.listed,
            first,
            desk.waiting.branch,
            parting,
            now,
        )
    if now.branches == 2:
        part_rows(features, rows, now.waiting, active, now.active, parting)
    else:
        part_rows_in_many(features, rows, active, now.active, parting, desk.scan.weight_of, now)


@kernel(inline=True)
def give_up(features, desk, first, now):
    """Release the entries of the node at hand, which nothing below will want."""
    rows = desk.rows
    for i in range(now.active):
        r = features.row[desk.active[i]]
        if r >= 0:
            rows.ends[r] = rows.begins[now.waiting, r]
    now.listed_end = first


@kernel(inline=True)
def open_node(desk, now):
    """Let the branches of the node at hand be the next to be visited."""
    now.waiting += now.branches
    now.top += 1
    opened = desk.open[now.top]
    opened.node, opened.next, opened.active = now.here, 0, now.active


@kernel(inline=True)
def go_on(nodes, rules, desk, now):
    """Close the nodes that are finished; the next branch of the innermost other one comes next."""
    going = True
    while going and now.top >= 0:
        opened = desk.open[now.top]
        parent = opened.node
        k = nodes.child_start[parent] + opened.next
        if k < nodes.child_start[parent + 1]:
            going = False
            opened.next += 1
            nodes.children[k] = now.node
            now.active, now.label = opened.active, np.int64(nodes.label[parent])
        else:
            add_errors(nodes, parent)
            if rules.collapse:
                now.node = collapse(nodes, parent, now.node)
            now.top -= 1
    if now.top < 0:
        now.status = now.node


@kernel
def grow(table, rules, whole_rules, sample, nodes, desk, resume, stretch):
    """Grow from a sample into `nodes`, or go on where a call has `PAUSED` (`resume`).

    The number of nodes, or a status below 0. After `stretch` entries or so it pauses.
    """
    table, sample = borrow_table(table), borrow_sample(sample)
    nodes, desk = borrow_nodes(nodes), borrow_desk(desk)
    features = Features(
        table.codes,
        table.arity,
        table.order_row,
        table.values,
        table.value_start,
        sample.close,
        table.class_bits,
        table.case_bits,
    )
    now = desk.now[0]
    now.left, now.status = stretch, GROWING
    if not resume:
        now.weighted, now.discrete = len(sample.weights) > 0, 0
        for f in sample.offered:
            now.discrete |= not table.continuous[f]
        now.listed = now.discrete | now.weighted
        begin_tree(table, rules, sample, desk, now)
    while now.status == GROWING:
        if now.left <= 0:
            now.status = PAUSED
        elif now.node >= len(nodes.feature):
            now.status = FULL
        else:
            now.left -= 1
            weight = visit(nodes, rules, desk, now)
            first = np.int64(desk.waiting.branch[now.waiting].begin)
            if desk.waiting.branch[now.waiting].inner:
                look_for_split(table, features, sample, rules, whole_rules, desk, weight, now)
                if now.feature < 0:
                    give_up(features, desk, first, now)
            if now.feature >= 0:
                write_split(table, sample, nodes, desk, now)
                if now.status == GROWING:
                    inner = make_branches(table, features, rules, desk, now)
                    if inner and now.status == GROWING:
                        part_node(features, desk, now)
                    elif not inner:
                        give_up(features, desk, first, now)
                        for k in range(now.branches):
                            desk.waiting.branch[now.waiting + k].begin = first
                    open_node(desk, now)
            if now.status == GROWING:
                go_on(nodes, rules, desk, now)
    return now.status
