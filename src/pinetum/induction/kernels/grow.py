"""Growing a tree, or a subtree from the cases that reach it, in preorder.

Both growers write nodes from index `at` on and give back the index after the last node, or FULL when
the node arrays are too small. `parent_label` and `depth` are those of the place where the subtree hangs
(-1 and 0 for a whole tree). They never call themselves: open nodes are kept on an explicit stack, the
sizes of a node's branches wait in `children` as -1 - size until the branch is visited.
"""

import numpy as np

from pinetum.constants import CASE_BITS, WEIGHT_UNIT
from pinetum.induction.kernels.nodes import (
    FILTER_BELOW,
    FULL,
    choose,
    evaluate_weighted,
    evaluate_whole,
    new_found,
    pack,
    place_cut,
)
from pinetum.induction.kernels.quality import branch_share, majority
from pinetum.induction.kernels.scan import sort_keys
from pinetum.jit import kernel
from pinetum.kernels.arrays import longer

ANY_CASE = (1 << CASE_BITS) - 1  # the case of a packed entry; a bare case is its own


@kernel
def is_leaf(counts, weight, depth, rules):
    """Whether a node is a leaf whatever features are offered."""
    return weight < rules.stop_weight or counts.max() == weight or depth == rules.max_depth


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
def drop_constant(active, n_active, found):
    """Move constant features behind the others; gives the number of the others."""
    i = 0
    while i < n_active:
        f = active[i]
        if found.constant[f]:
            n_active -= 1
            active[i] = active[n_active]
            active[n_active] = f
        else:
            i += 1
    return n_active


@kernel
def start_orders(table, offered, cases, order, member, spare):
    """Fill `order` with a subset's entries by rank code, for the offered features that are presorted.

    A large subset is filtered from the order of the whole table, a small one sorted.
    """
    n_cases = len(cases)
    bits, labels = table.class_bits, table.labels
    few = n_cases * FILTER_BELOW < table.codes.shape[1]
    if not few:
        member[:] = 0
        for case in cases:
            member[case] = 1
    for f in offered:
        row = table.order_row[f]
        if row < 0:
            continue
        codes = table.codes[f]
        if few:
            for i in range(n_cases):
                order[row, i] = pack(codes[cases[i]], labels[cases[i]], cases[i], bits)
            sort_keys(order[row], spare, n_cases)
            continue
        to = 0
        for i in range(table.order_size[row]):
            case = table.order[row, i]
            if member[case]:
                order[row, to] = pack(codes[case], labels[case], case, bits)
                to += 1


@kernel
def part_in_two(row, a, b, side, wanted_left, wanted_right, buffer):
    """Stable partition of row[a:b] by side 0 or 1 of the entries' cases; a side that nobody wants may be lost."""
    if wanted_left and wanted_right:
        left, right = a, 0
        for i in range(a, b):
            entry = row[i]
            goes = np.int64(side[entry & ANY_CASE])
            row[left] = entry
            buffer[right] = entry
            left += 1 - goes
            right += goes
        for i in range(right):
            row[left + i] = buffer[i]
    elif wanted_left:
        left = a
        for i in range(a, b):
            entry = row[i]
            row[left] = entry
            left += 1 - np.int64(side[entry & ANY_CASE])
    elif wanted_right:
        right = b - 1
        for i in range(b - 1, a - 1, -1):
            entry = row[i]
            row[right] = entry
            right -= np.int64(side[entry & ANY_CASE])


@kernel
def part_in_many(row, a, b, branch, start, buffer):
    """Stable partition of row[a:b] by branch; start[k] is where branch k begins, counted from a."""
    for i in range(a, b):
        entry = row[i]
        k = branch[entry & ANY_CASE]
        buffer[start[k]] = entry
        start[k] += 1
    for i in range(a, b):
        row[i] = buffer[i - a]


@kernel
def branch_starts(children, first, branches, start):
    """Where each branch begins, from the sizes that wait in `children`."""
    start[0] = 0
    for k in range(branches - 1):
        start[k + 1] = start[k] - 1 - children[first + k]


@kernel
def grow_whole(table, rules, offered, cases, present, n_training, parent_label, depth, nodes, at, work):
    """Grow from cases that lack no value of an offered feature and count once (rules.unit is 1)."""
    n_cases, n_classes = len(cases), table.n_classes
    active = offered.copy()
    n_active = np.int64(len(active))
    found = new_found(table.codes.shape[0])
    lists, order, branch, side, start = work.lists, work.order, work.branch, work.side, work.start
    buffer, wide_buffer = work.buffer, work.spare
    for i in range(n_cases):
        lists[i] = cases[i]
    start_orders(table, offered, cases, order, side, wide_buffer)
    counts = np.zeros(n_classes, np.int64)
    open_node = np.empty(n_cases + 1, np.int64)  # the stack: open node, its next branch,
    open_branch = np.empty(n_cases + 1, np.int64)
    open_at = np.empty(n_cases + 1, np.int64)  # where that branch's cases begin,
    open_active = np.empty(n_cases + 1, np.int64)  # and the features that are not constant
    top = -1
    a, b = np.int64(0), np.int64(n_cases)
    node = np.int64(at)
    label = np.int64(parent_label)
    while True:
        # Visit a node with the cases lists[a:b].
        if node >= len(nodes.feature):
            return FULL
        counts[:] = 0
        for i in range(a, b):
            counts[table.labels[lists[i]]] += 1
        n = b - a
        if n > 0:
            label = majority(counts, label, rules)
        write_leaf(nodes, node, counts, n, label, WEIGHT_UNIT)
        here = node
        node += 1
        f = -1
        if n > 0 and not is_leaf(counts, n, depth + top + 1, rules):
            evaluate_whole(table, rules, lists[a:b], n, counts, a, order, active, n_active, found, work)
            n_active = drop_constant(active, n_active, found)
            f, _ = choose(found, active, n_active, table, n, n_training, rules)
        if f >= 0:
            branches = write_split(nodes, here, f, table, found, present)
            first = nodes.child_start[here]
            if first + branches > len(nodes.children):
                return FULL
            codes = table.codes[f]
            if table.continuous[f]:
                cut = found.cut[f]
                size, classes = 0, work.table[:2]
                classes[:] = 0
                for i in range(a, b):
                    case = lists[i]
                    goes = 1 if codes[case] > cut else 0
                    side[case] = goes
                    size += goes
                    classes[goes, table.labels[case]] += 1
                wanted_left = not is_leaf(classes[0], n - size, depth + top + 2, rules)
                wanted_right = not is_leaf(classes[1], size, depth + top + 2, rules)
                nodes.children[first] = -1 - (n - size)
                nodes.children[first + 1] = -1 - size
                part_in_two(lists, a, b, side, True, True, buffer)
                if wanted_left or wanted_right:
                    for i in range(n_active):
                        row = table.order_row[active[i]]
                        if row >= 0:
                            part_in_two(order[row], a, b, side, wanted_left, wanted_right, wide_buffer)
            else:
                for k in range(branches):
                    nodes.children[first + k] = -1
                for i in range(a, b):
                    branch[lists[i]] = codes[lists[i]]
                    nodes.children[first + codes[lists[i]]] -= 1
                branch_starts(nodes.children, first, branches, start)
                part_in_many(lists, a, b, branch, start, buffer)
                for i in range(n_active):
                    row = table.order_row[active[i]]
                    if row >= 0:
                        branch_starts(nodes.children, first, branches, start)
                        part_in_many(order[row], a, b, branch, start, wide_buffer)
            top += 1
            open_node[top] = here
            open_branch[top] = 0
            open_at[top] = a
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
        a = open_at[top]
        b = a - 1 - nodes.children[k]
        open_at[top] = b
        open_branch[top] += 1
        n_active = open_active[top]
        nodes.children[k] = node
        label = np.int64(nodes.label[parent])


@kernel
def split_sizes(codes, cut, cases, weights, n, known, sizes):
    """Known weight and number of cases of each branch, cases with a missing value in all that they reach."""
    known[:] = 0
    sizes[:] = 0
    for i in range(n):
        code = codes[cases[i]]
        if code >= 0:
            k = code if cut < 0 else (1 if code > cut else 0)
            known[k] += weights[i]
            sizes[k] += 1
    known_total = known.sum()
    for i in range(n):
        if codes[cases[i]] < 0:
            for k in range(len(known)):
                if known[k] > 0 and branch_share(weights[i], known[k], known_total) > 0:
                    sizes[k] += 1
    return known_total


@kernel
def send_down(codes, cut, lists, weights, a, b, known, known_total, start):
    """Copy the cases lists[a:b] and their weights to the branches' lists, which begin at start[k]."""
    for i in range(a, b):
        case = lists[i]
        code = codes[case]
        if code >= 0:
            k = code if cut < 0 else (1 if code > cut else 0)
            lists[start[k]] = case
            weights[start[k]] = weights[i]
            start[k] += 1
            continue
        for k in range(len(known)):
            if known[k] > 0:
                share = branch_share(weights[i], known[k], known_total)
                if share > 0:
                    lists[start[k]] = case
                    weights[start[k]] = share
                    start[k] += 1


@kernel
def grow_weighted(
    table, rules, offered, cases, case_weights, present, n_training, parent_label, depth, nodes, at, work
):
    """Grow from cases of any integer weight, missing values included (rules.unit is WEIGHT_UNIT)."""
    n_cases, n_classes = len(cases), table.n_classes
    active = offered.copy()
    n_active = np.int64(len(active))
    found = new_found(table.codes.shape[0])
    lists, weights = np.empty(4 * n_cases + 64, np.int32), np.empty(4 * n_cases + 64, np.int64)
    for i in range(n_cases):
        lists[i], weights[i] = cases[i], case_weights[i]
    counts = np.zeros(n_classes, np.int64)
    most = 2
    for f in offered:
        if not table.continuous[f]:
            most = max(most, table.arity[f])
    known, sizes, start = np.empty(most, np.int64), np.empty(most, np.int64), np.empty(most, np.int64)
    open_node = np.empty(n_cases + 1, np.int64)
    open_branch = np.empty(n_cases + 1, np.int64)
    open_at = np.empty(n_cases + 1, np.int64)
    open_base = np.empty(n_cases + 1, np.int64)  # where the lists of its branches begin
    open_active = np.empty(n_cases + 1, np.int64)
    top = -1
    a, b, used = np.int64(0), np.int64(n_cases), np.int64(n_cases)
    node = np.int64(at)
    label = np.int64(parent_label)
    while True:
        if node >= len(nodes.feature):
            return FULL
        counts[:] = 0
        for i in range(a, b):
            counts[table.labels[lists[i]]] += weights[i]
        weight = counts.sum()
        n = b - a
        if n > 0:
            label = majority(counts, label, rules)
        write_leaf(nodes, node, counts, weight, label, 1)
        here = node
        node += 1
        f = -1
        if n > 0 and not is_leaf(counts, weight, depth + top + 1, rules):
            evaluate_weighted(table, rules, lists[a:b], weights[a:b], n, counts, weight, active, n_active, found, work)
            n_active = drop_constant(active, n_active, found)
            f, _ = choose(found, active, n_active, table, weight, n_training, rules)
        if f >= 0:
            branches = write_split(nodes, here, f, table, found, present)
            first = nodes.child_start[here]
            if first + branches > len(nodes.children):
                return FULL
            codes = table.codes[f]
            cut = found.cut[f]
            known_total = split_sizes(codes, cut, lists[a:b], weights[a:b], n, known[:branches], sizes[:branches])
            base = used
            for k in range(branches):
                nodes.children[first + k] = -1 - sizes[k]
                start[k] = used
                used += sizes[k]
            if used > len(lists):
                more = max(used, 2 * len(lists))
                lists, weights = longer(lists, more), longer(weights, more)
            send_down(codes, cut, lists, weights, a, b, known[:branches], known_total, start)
            top += 1
            open_node[top] = here
            open_branch[top] = 0
            open_at[top] = base
            open_base[top] = base
            open_active[top] = n_active
        while top >= 0:
            parent = open_node[top]
            k = nodes.child_start[parent] + open_branch[top]
            if k < nodes.child_start[parent + 1]:
                break
            node = close_node(nodes, parent, node, rules)
            used = open_base[top]
            top -= 1
        if top < 0:
            return node
        a = open_at[top]
        b = a - 1 - nodes.children[k]
        open_at[top] = b
        open_branch[top] += 1
        n_active = open_active[top]
        nodes.children[k] = node
        label = np.int64(nodes.label[parent])
