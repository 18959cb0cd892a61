"""Compiled ID3 on integer codes: grow a tree, drop cases down it, add up what arrived.

Many trees share flat arrays (`Nodes`), each tree in preorder, children after their parent in the
order of the values. Indices in `parent` and `children` count from the start of the arrays, not of
the tree.
"""

from collections import namedtuple

import numpy as np

from pinetum.jit import kernel

# feature   attribute tested, -1 at a leaf          parent  -1 at a root
# label     majority class of the training cases    n, c    training cases, those of the class
# `label`
# first     children[first[i]:first[i + 1]] are the children of node i
# train     training cases by class
Nodes = namedtuple("Nodes", ["feature", "parent", "label", "n", "c", "first", "children", "train"])

# ties_last         equal gain: the last attribute, not the first
# skip_constant     an attribute with one value at the node is never chosen
# ties_to_parent    a leaf's equal classes: the parent's majority, not the lowest class
Rules = namedtuple("Rules", ["ties_last", "skip_constant", "ties_to_parent"])

SAME_GAIN = 1e-9  # nats per case: gains closer than this are equal
OVERFLOW = -1


@kernel
def majority(counts, above, ties_to_parent):
    """Most frequent class; no cases: the parent's; equal classes: as the rule says."""
    best = 0
    for k in range(1, counts.size):
        if counts[k] > counts[best]:
            best = k
    if above >= 0 and (counts[best] == 0 or (ties_to_parent and counts[above] == counts[best])):
        best = above
    return best


@kernel
def grow(codes, labels, features, rows, arity, nlogn, rules, nodes, used):
    """Append the ID3 tree of `rows` (which are reordered) after `used` nodes.

    The new number of nodes or OVERFLOW.
    """
    n_classes = nodes.train.shape[1]
    capacity = nodes.feature.size
    widest = 1
    for f in features:
        widest = max(widest, arity[f])
    # An attribute splits once on a path, whose nodes leave all branches but one waiting.
    stack = np.empty(
        (features.size * widest + 2, 5), np.int32
    )  # from, to, parent, slot in children, depth
    path = np.empty(features.size + 1, np.int32)
    free = np.ones(features.size, np.uint8)
    table = np.empty(widest * n_classes, np.int32)
    place = np.empty(widest + 1, np.int32)
    buffer = np.empty(rows.size, np.int32)
    y = np.empty(rows.size, np.int32)

    stack[0, 0] = 0
    stack[0, 1] = rows.size
    stack[0, 2] = -1
    stack[0, 3] = -1
    stack[0, 4] = 0
    waiting = 1
    on_path = 0
    while waiting > 0:
        waiting -= 1
        low, high = stack[waiting, 0], stack[waiting, 1]
        above, slot, depth = stack[waiting, 2], stack[waiting, 3], stack[waiting, 4]
        if used >= capacity:
            return OVERFLOW
        node = used
        used += 1
        nodes.parent[node] = above
        if slot >= 0:
            nodes.children[slot] = node
        while on_path > depth:
            on_path -= 1
            free[path[on_path]] = 1

        size = high - low
        counts = nodes.train[node]
        counts[:] = 0
        for i in range(low, high):
            y[i] = labels[rows[i]]
            counts[y[i]] += 1
        label = majority(counts, nodes.label[above] if above >= 0 else -1, rules.ties_to_parent)
        nodes.label[node] = label
        nodes.n[node] = size
        nodes.c[node] = counts[label]
        nodes.feature[node] = -1
        nodes.first[node + 1] = nodes.first[node]
        if counts[label] == size or depth == features.size:
            continue

        best, chosen = np.inf, -1
        for j in range(features.size):
            if not free[j]:
                continue
            f = features[j]
            column = codes[f]
            values = arity[f]
            for k in range(values * n_classes):
                table[k] = 0
            for i in range(low, high):
                table[column[rows[i]] * n_classes + y[i]] += 1
            mess = 0.0  # what is left of the entropy, times the cases
            constant = False
            for v in range(values):
                total = 0
                for k in range(v * n_classes, (v + 1) * n_classes):
                    total += table[k]
                    mess -= nlogn[table[k]]
                mess += nlogn[total]
                constant |= total == size
            if constant and rules.skip_constant:
                continue
            if mess < best - SAME_GAIN * size or (
                rules.ties_last and mess <= best + SAME_GAIN * size
            ):
                best, chosen = mess, j
        if chosen < 0:
            continue

        f = features[chosen]
        column = codes[f]
        values = arity[f]
        if nodes.first[node] + values > capacity:
            return OVERFLOW
        place[: values + 1] = 0
        for i in range(low, high):
            place[column[rows[i]] + 1] += 1
        for v in range(values):
            place[v + 1] += place[v]
        for v in range(values - 1, -1, -1):  # the lowest value comes off the stack first
            stack[waiting, 0] = low + place[v]
            stack[waiting, 1] = low + place[v + 1]
            stack[waiting, 2] = node
            stack[waiting, 3] = nodes.first[node] + v
            stack[waiting, 4] = depth + 1
            waiting += 1
        for i in range(low, high):
            v = column[rows[i]]
            buffer[low + place[v]] = rows[i]
            place[v] += 1
        for i in range(low, high):
            rows[i] = buffer[i]
        nodes.feature[node] = f
        nodes.first[node + 1] = nodes.first[node] + values
        path[depth] = chosen
        on_path = depth + 1
        free[chosen] = 0
    return used


@kernel
def drop(codes, labels, rows, nodes, root, end, counts):
    """Count cases by class at every node of one tree: once down to the leaves, then one pass up."""
    counts[root:end] = 0
    for row in rows:
        node = root
        while nodes.feature[node] >= 0:
            node = nodes.children[nodes.first[node] + codes[nodes.feature[node], row]]
        counts[node, labels[row]] += 1
    for node in range(end - 1, root, -1):
        above = nodes.parent[node]
        for k in range(counts.shape[1]):
            counts[above, k] += counts[node, k]


@kernel
def grow_designs(codes, labels, features, roles, arity, nlogn, rules, nodes, start, tests):
    """One tree per row of `roles` (0: grow on the case, 1: count it, else leave it out).

    OVERFLOW or nodes used.
    """
    used = np.int64(0)
    rows = np.empty(labels.size, np.int32)
    for t in range(roles.shape[0]):
        size = 0
        for row in range(labels.size):
            if roles[t, row] == 0:
                rows[size] = row
                size += 1
        root = used
        used = grow(codes, labels, features, rows[:size], arity, nlogn, rules, nodes, used)
        if used == OVERFLOW:
            return OVERFLOW
        start[t + 1] = used
        size = 0
        for row in range(labels.size):
            if roles[t, row] == 1:
                rows[size] = row
                size += 1
        drop(codes, labels, rows[:size], nodes, root, used, tests)
    return used


@kernel
def drop_designs(codes, labels, roles, role, nodes, start, counts):
    """Count the cases with `role` at every node of every tree."""
    rows = np.empty(labels.size, np.int32)
    for t in range(roles.shape[0]):
        size = 0
        for row in range(labels.size):
            if roles[t, row] == role:
                rows[size] = row
                size += 1
        drop(codes, labels, rows[:size], nodes, start[t], start[t + 1], counts)
