"""Compiled ID3 on integer codes: grow a tree, drop cases down it, add up what arrived.

Many trees share flat arrays (`Nodes`), each tree in preorder, children after their parent in the
order of the values. Indices in `parent` and `children` count from the start of the arrays, not of
the tree.

The cases of a node lie together, those of its children in the order of the values:

    rows   | ............. node ............. |     stack[waiting]: a node that is to be made,
           | child 0 | child 1 | ... | last   |         its rows, and where its number goes
    path   | attribute at depth 0 | 1 | ... |       free[j]: attribute j is not tested above
"""

from typing import NamedTuple

import numpy as np

from pinetum.jit import kernel


class Nodes(NamedTuple):
    """Trees, one after the other."""

    feature: np.ndarray  # int32 (nodes,): attribute tested, -1 at a leaf
    parent: np.ndarray  # int32 (nodes,): -1 at a root
    label: np.ndarray  # int32 (nodes,): majority class of the training cases
    n: np.ndarray  # int32 (nodes,): training cases
    c: np.ndarray  # int32 (nodes,): those of the class `label`
    first: np.ndarray  # int32 (nodes + 1,): children[first[i] : first[i + 1]] are those of node i
    children: np.ndarray  # int32 (places,)
    train: np.ndarray  # int32 (nodes, classes): training cases by class


class Rules(NamedTuple):
    """How ties are broken."""

    ties_last: bool  # equal gain: the last attribute, not the first
    skip_constant: bool  # an attribute with one value at the node is never chosen
    ties_to_parent: bool  # a leaf's equal classes: the parent's majority, not the lowest class


class Cases(NamedTuple):
    """What trees are grown on and judged by."""

    codes: np.ndarray  # int16 (attributes, cases)
    labels: np.ndarray  # int32 (cases,)
    arity: np.ndarray  # int32 (attributes,): values of each


WAITING = np.dtype(
    (
        np.record,
        [
            ("low", np.int32),  # its rows, from here
            ("high", np.int32),  # up to here
            ("above", np.int32),  # parent, -1 at the root
            ("slot", np.int32),  # of `children` that is to hold its number
            ("depth", np.int32),
        ],
    )
)


class Room(NamedTuple):
    """Where one tree is grown."""

    stack: np.ndarray  # WAITING (nodes,)
    path: np.ndarray  # int32 (attributes + 1,): place in `features` of what is tested above
    free: np.ndarray  # uint8 (attributes,)
    table: np.ndarray  # int32 (most values * classes,): cases of an attribute by value and class
    place: np.ndarray  # int32 (most values + 1,): where the rows of a value go
    buffer: np.ndarray  # int32 (rows,)
    classes: np.ndarray  # int32 (rows,): of the rows in their order


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
def widest_of(arity):
    """The most values of an attribute, at least one."""
    widest = 1
    for values in arity:
        widest = max(widest, values)
    return widest


@kernel
def new_room(size, features, widest, classes):
    """Room for a tree of so many rows.

    An attribute splits once on a path, whose nodes leave all branches but one waiting.
    """
    return Room(
        stack=np.empty(features * widest + 2, WAITING),
        path=np.empty(features + 1, np.int32),
        free=np.ones(features, np.uint8),
        table=np.empty(widest * classes, np.int32),
        place=np.empty(widest + 1, np.int32),
        buffer=np.empty(size, np.int32),
        classes=np.empty(size, np.int32),
    )


@kernel(inline=True)
def make_node(node, here, rows, labels, classes, rules, nodes):
    """Write a node as if it were a leaf."""
    nodes.parent[node] = here.above
    if here.slot >= 0:
        nodes.children[here.slot] = node
    counts, size = nodes.train[node], here.high - here.low
    counts[:] = 0
    for i in range(here.low, here.high):
        classes[i] = labels[rows[i]]
        counts[classes[i]] += 1
    above = nodes.label[here.above] if here.above >= 0 else -1
    label = majority(counts, above, rules.ties_to_parent)
    nodes.label[node] = label
    nodes.n[node] = size
    nodes.c[node] = counts[label]
    nodes.feature[node] = -1
    nodes.first[node + 1] = nodes.first[node]


@kernel
def disorder(rows, classes, column, values, logs, table):
    """What an attribute leaves of the entropy, times the cases, and whether it has one value.

    `table` has places for values x classes.
    """
    n_classes = len(table) // values
    table[:] = 0
    for i in range(rows.size):
        table[column[rows[i]] * n_classes + classes[i]] += 1
    left, constant = 0.0, False
    for v in range(values):
        total = 0
        for k in range(v * n_classes, (v + 1) * n_classes):
            total += table[k]
            left -= logs[table[k]]
        left += logs[total]
        constant |= total == rows.size
    return left, constant


@kernel(inline=True)
def choose(rows, classes, features, cases, n_classes, logs, rules, room):
    """Place in `features` of the attribute that a node's rows are split by, or -1."""
    size = rows.size
    best, chosen = np.inf, -1
    for j in range(features.size):
        if room.free[j]:
            f = features[j]
            values = cases.arity[f]
            table = room.table[: values * n_classes]
            left, constant = disorder(rows, classes, cases.codes[f], values, logs, table)
            if not (constant and rules.skip_constant) and (
                left < best - SAME_GAIN * size
                or (rules.ties_last and left <= best + SAME_GAIN * size)
            ):
                best, chosen = left, j
    return chosen


@kernel
def part_rows(rows, column, values, place, buffer):
    """Order rows by their value; those of value v then end at place[v]."""
    place[: values + 1] = 0
    for row in rows:
        place[column[row] + 1] += 1
    for v in range(values):
        place[v + 1] += place[v]
    for i in range(rows.size):
        v = column[rows[i]]
        buffer[place[v]] = rows[i]
        place[v] += 1
    for i in range(rows.size):
        rows[i] = buffer[i]


@kernel(inline=True)
def push_children(node, low, depth, values, waiting, nodes, room):
    """Let the children of a node wait, the lowest value on top; how many wait then."""
    for v in range(values - 1, -1, -1):
        child = room.stack[waiting]
        child.low = low + (room.place[v - 1] if v > 0 else 0)
        child.high = low + room.place[v]
        child.above, child.slot, child.depth = node, nodes.first[node] + v, depth + 1
        waiting += 1
    return waiting


@kernel
def grow(rows, cases, features, logs, rules, nodes, used):
    """Append the ID3 tree of `rows` (which are reordered) after `used` nodes.

    The new number of nodes or OVERFLOW. `logs` has k ln k.
    """
    capacity, n_classes = nodes.feature.size, nodes.train.shape[1]
    room = new_room(rows.size, features.size, widest_of(cases.arity), n_classes)
    stack, path, free = room.stack, room.path, room.free
    stack[0].low, stack[0].high, stack[0].depth = 0, rows.size, 0
    stack[0].above = stack[0].slot = -1
    waiting, on_path = 1, 0
    while waiting > 0:
        waiting -= 1
        if used >= capacity:
            used, waiting = OVERFLOW, 0
            continue
        node, here = used, stack[waiting]
        used += 1
        low, high, depth = here.low, here.high, here.depth
        while on_path > depth:
            on_path -= 1
            free[path[on_path]] = 1
        make_node(node, here, rows, cases.labels, room.classes, rules, nodes)
        if nodes.c[node] == high - low or depth == features.size:
            continue
        classes = room.classes[low:high]
        chosen = choose(rows[low:high], classes, features, cases, n_classes, logs, rules, room)
        if chosen < 0:
            continue
        f = features[chosen]
        values = cases.arity[f]
        if nodes.first[node] + values > capacity:
            used, waiting = OVERFLOW, 0
            continue
        part_rows(rows[low:high], cases.codes[f], values, room.place, room.buffer)
        waiting = push_children(node, low, depth, values, waiting, nodes, room)
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
def rows_with(role, roles, rows):
    """Write the cases with a role; their number."""
    size = 0
    for row in range(roles.size):
        if roles[row] == role:
            rows[size] = row
            size += 1
    return size


@kernel
def grow_designs(roles, cases, features, logs, rules, nodes, start, tests):
    """One tree per row of `roles` (0: grow on the case, 1: count it, else leave it out).

    OVERFLOW or nodes used.
    """
    used, t = np.int64(0), 0
    rows = np.empty(cases.labels.size, np.int32)
    while t < roles.shape[0] and used != OVERFLOW:
        root, size = used, rows_with(np.int64(0), roles[t], rows)
        used = grow(rows[:size], cases, features, logs, rules, nodes, used)
        if used != OVERFLOW:
            start[t + 1] = used
            size = rows_with(np.int64(1), roles[t], rows)
            drop(cases.codes, cases.labels, rows[:size], nodes, root, used, tests)
        t += 1
    return used


@kernel
def drop_designs(cases, roles, role, nodes, start, counts):
    """Count the cases with `role` at every node of every tree."""
    rows = np.empty(cases.labels.size, np.int32)
    for t in range(roles.shape[0]):
        size = rows_with(role, roles[t], rows)
        drop(cases.codes, cases.labels, rows[:size], nodes, start[t], start[t + 1], counts)
