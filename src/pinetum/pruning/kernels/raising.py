"""Compiled error-based pruning in full, as C4.5 does it: a node may be replaced by its largest
branch.

A raised branch gets all cases of the node and is pruned again with them, so the training cases have
to be at hand; everything is done on copies of the tree's arrays, with a stack of frames instead of
recursion.

    rows    | ......... cases of the node ......... |     low, high of its frame
            | branch 0 | branch 1 | ... | last      |     ^ begin: the next child, number `turn`

A frame turns from UNSEEN (its cases are to be counted and parted) to its children, one after the
other, and then is judged: a leaf, the raised branch (UNSEEN again), or as it is. What it comes to
goes to the frame above.

The core's `prune` does the same for cases with weights and unknown values. On whole cases it takes
1.6 to 2.2 times as long and 5 seconds more to compile, so it is not used here.
"""

from typing import NamedTuple

import numpy as np

from pinetum.induction.kernels.prune import extra_errors
from pinetum.jit import kernel
from pinetum.pruning.kernels.id3 import Cases, part_rows, rows_with, widest_of
from pinetum.pruning.kernels.networks import draw_network

SLACK = 0.1
UNSEEN = -1  # the turn of a frame whose cases are not yet parted


class Estimate(NamedTuple):
    """C4.5's errors."""

    confidence: float
    z2: float  # squared deviate of the confidence


class Tree(NamedTuple):
    """One tree, numbered from 0, whose links change."""

    feature: np.ndarray  # int32 (nodes,): -1 at a leaf
    first: np.ndarray  # int32 (nodes + 1,): where its children begin
    children: np.ndarray  # int32 (places,)
    label: np.ndarray  # int32 (nodes,)


FRAME = np.dtype(
    (
        np.record,
        [
            ("node", np.int64),
            ("low", np.int64),  # its rows, from here
            ("high", np.int64),  # up to here
            ("turn", np.int64),  # of the child that comes next
            ("begin", np.int64),  # of its rows
            ("slot", np.int64),  # of `children` that points to the node
            ("subtree", np.float64),  # errors of the children done
            ("leaf", np.float64),  # errors as a leaf
        ],
    )
)


class Room(NamedTuple):
    """Where one tree is pruned."""

    counts: np.ndarray  # int32 (nodes, classes): all zero between two uses
    touched: np.ndarray  # int32 (rows + 1,): where counts are not zero
    place: np.ndarray  # int32 (most values + 1,)
    here: np.ndarray  # int32 (classes,): of the node at hand
    buffer: np.ndarray  # int32 (rows,)
    frames: np.ndarray  # FRAME (depth + 2,)


@kernel
def c45_errors(n, c, confidence, z2):
    """Errors seen among n cases, c of them right, plus C4.5's extra errors."""
    wrong = n - c
    return wrong + extra_errors(n, wrong, confidence, z2, True)


@kernel
def c45_errors_of(n, c, confidence, z2, errors):
    for i in range(n.size):
        errors[i] = c45_errors(n[i], c[i], confidence, z2)


@kernel
def branch_errors(rows, cases, tree, branch, estimate, counts, touched):
    """Errors if all `rows` went down the subtree `branch` as it stands.

    `counts` is all zero before and after.
    """
    codes, labels = cases.codes, cases.labels
    feature, first, children = tree.feature, tree.first, tree.children
    reached = 0
    n_classes = counts.shape[1]
    for row in rows:
        node = branch
        while feature[node] >= 0:
            node = children[first[node] + codes[feature[node], row]]
        fresh = True
        for k in range(n_classes):
            if counts[node, k] > 0:
                fresh = False
                break
        if fresh:
            touched[reached] = node
            reached += 1
        counts[node, labels[row]] += 1
    total = 0.0
    for i in range(reached):
        n, best = 0, 0
        for k in range(n_classes):
            n += counts[touched[i], k]
            best = max(best, counts[touched[i], k])
            counts[touched[i], k] = 0
        total += c45_errors(float(n), float(best), estimate.confidence, estimate.z2)
    return total


@kernel
def end_of(value, column, rows, begin, high):
    """Where the rows with a value end, which lie together from `begin` on."""
    end = begin
    while end < high and column[rows[end]] == value:
        end += 1
    return end


@kernel(inline=True)
def judge_leaf(now, rows, labels, label, estimate, here):
    """Label the node by its cases, of equal classes as before; its errors as a leaf."""
    here[:] = 0
    for i in range(now.low, now.high):
        here[labels[rows[i]]] += 1
    best = label[now.node]
    for k in range(here.size):
        if here[k] > here[best]:
            best = k
    label[now.node] = best
    size = float(now.high - now.low)
    now.leaf = c45_errors(size, float(here[best]), estimate.confidence, estimate.z2)


@kernel(inline=True)
def open_child(now, below, column, rows, slot, child):
    """The next child's frame below; whether it has cases."""
    begin, value = now.begin, now.turn
    end = end_of(value, column, rows, begin, now.high)
    now.turn, now.begin = value + 1, end
    if end > begin:
        below.node, below.slot, below.turn = child, slot, UNSEEN
        below.low, below.high = begin, end
    return end > begin


@kernel
def largest_branch(now, column, rows, values):
    """The value of most of the node's cases, of equal ones the last."""
    largest, most, begin = 0, 0, now.low
    for v in range(values):
        end = end_of(v, column, rows, begin, now.high)
        if end - begin >= most:
            largest, most = v, end - begin
        begin = end
    return largest


@kernel
def new_room(nodes, size, classes, widest, depth):
    """Room for a tree of so many nodes, rows, classes and branches.

    An attribute splits once on a path, and raising makes paths shorter: `depth` nodes and a leaf.
    """
    return Room(
        counts=np.zeros((nodes, classes), np.int32),
        touched=np.empty(min(nodes, size) + 1, np.int32),
        place=np.empty(widest + 1, np.int32),
        here=np.empty(classes, np.int32),
        buffer=np.empty(size, np.int32),
        frames=np.empty(depth + 2, FRAME),
    )


@kernel
def raise_branches(rows, cases, tree, n_classes, estimate):
    """Prune one tree by its training rows; both are changed.

    The new root and its errors.
    """
    codes, labels, arity = cases.codes, cases.labels, cases.arity
    feature, first, children = tree.feature, tree.first, tree.children
    nodes, depth = feature.size, codes.shape[0]
    room = new_room(nodes, rows.size, n_classes, widest_of(arity), depth)
    frames = room.frames
    root = frames[0]
    root.node, root.slot, root.turn = 0, -1, UNSEEN
    root.low, root.high = 0, rows.size
    top, result = 0, -1.0
    while top >= 0:
        now = frames[top]
        f, result = feature[now.node], -1.0
        if now.turn == UNSEEN:
            judge_leaf(now, rows, labels, tree.label, estimate, room.here)
            if f < 0:
                result = now.leaf
            else:
                part_rows(rows[now.low : now.high], codes[f], arity[f], room.place, room.buffer)
                now.turn, now.begin, now.subtree = 0, now.low, 0.0
        elif now.turn < arity[f]:
            slot = first[now.node] + now.turn
            if open_child(now, frames[top + 1], codes[f], rows, slot, children[slot]):
                top += 1
        else:
            branch = children[first[now.node] + largest_branch(now, codes[f], rows, arity[f])]
            mine = rows[now.low : now.high]
            raised = branch_errors(mine, cases, tree, branch, estimate, room.counts, room.touched)
            if now.leaf <= raised + SLACK and now.leaf <= now.subtree + SLACK:
                feature[now.node] = -1
                result = now.leaf
            elif raised <= now.subtree + SLACK:
                now.node, now.turn = branch, UNSEEN
            else:
                result = now.subtree
        if result >= 0.0:
            top -= 1
            if top >= 0:
                children[now.slot] = now.node
                frames[top].subtree += result
    return root.node, result


@kernel
def size_and_hits(rows, cases, tree, root):
    """Nodes of a tree given by links, and the rows it gets right."""
    codes, labels = cases.codes, cases.labels
    feature, first, children = tree.feature, tree.first, tree.children
    stack = np.empty(feature.size, np.int32)  # a node waits once
    stack[0] = root
    waiting, size, hits = 1, 0, 0
    while waiting > 0:
        waiting -= 1
        node = stack[waiting]
        size += 1
        if feature[node] >= 0:
            for v in range(cases.arity[feature[node]]):
                stack[waiting] = children[first[node] + v]
                waiting += 1
    for row in rows:
        node = root
        while feature[node] >= 0:
            node = children[first[node] + codes[feature[node], row]]
        hits += tree.label[node] == labels[row]
    return size, hits


@kernel
def copy_tree(nodes, root, end):
    """One tree of a forest with indices from 0."""
    base = nodes.first[root]
    first = nodes.first[root : end + 1] - base
    children = nodes.children[base : nodes.first[end]] - root
    return Tree(
        feature=nodes.feature[root:end].copy(),
        first=first.astype(np.int32),
        children=children.astype(np.int32),
        label=nodes.label[root:end].copy(),
    )


@kernel
def raised_designs(cases, roles, nodes, start, estimate, made):
    """Prune with raising every tree of a forest grown from `roles`."""
    rows = np.empty(cases.labels.size, np.int32)
    for t in range(roles.shape[0]):
        tree = copy_tree(nodes, start[t], start[t + 1])
        size = rows_with(np.int64(0), roles[t], rows)
        grown = rows[:size].copy()
        root, made.errors[t] = raise_branches(grown, cases, tree, nodes.train.shape[1], estimate)
        size = rows_with(np.int64(1), roles[t], rows)
        made.nodes[t], made.hits[t] = size_and_hits(rows[:size], cases, tree, root)


@kernel
def raised_networks(draws, variant, cubes, nodes, start, estimate, made):
    """Prune with raising the tree of every generated data set.

    The data are drawn again from their seeds.
    """
    most, largest = cubes.shape
    labels, rows = np.empty(largest, np.int32), np.empty(largest, np.int32)
    features = np.empty(most, np.int32)
    cases = Cases(cubes, labels, np.full(most, 2, np.int32))
    for d in range(draws.seeds.size):
        inputs, removed, portion = draws.inputs[d], draws.removed[d], draws.portions[d]
        training, before, population = draw_network(
            draws.seeds[d], inputs, removed, portion, variant, labels, features, rows
        )
        tree = copy_tree(nodes, start[d], start[d + 1])
        grown = rows[:training].copy()
        root, made.errors[d] = raise_branches(grown, cases, tree, np.int64(2), estimate)
        made.nodes[d], made.hits[d] = size_and_hits(rows[before:population], cases, tree, root)
