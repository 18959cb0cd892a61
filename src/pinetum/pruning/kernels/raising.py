"""Compiled error-based pruning in full, as C4.5 does it: a node may be replaced by its largest
branch.

A raised branch gets all cases of the node and is pruned again with them, so the training cases have
to be at hand; everything is done on copies of the tree's arrays, with a stack of frames instead of
recursion.

The core's `prune` does the same for cases with weights and unknown values. On whole cases it takes
1.6 to 2.2 times as long and 5 seconds more to compile, so it is not used here.
"""

import numpy as np

from pinetum.induction.kernels.prune import extra_errors
from pinetum.jit import kernel
from pinetum.pruning.kernels.networks import draw_network

SLACK = 0.1


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
def branch_errors(
    codes, labels, rows, feature, first, children, branch, confidence, z2, counts, touched
):
    """Errors if all `rows` went down the subtree `branch` as it stands.

    `counts` is all zero before and after.
    """
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
        total += c45_errors(float(n), float(best), confidence, z2)
    return total


@kernel
def raise_branches(
    codes, labels, rows, arity, depth, feature, first, children, label, n_classes, confidence, z2
):
    """Prune one tree (indices from 0, arrays are changed) by its training rows.

    The new root and its errors.
    """
    nodes = feature.size
    counts = np.zeros((nodes, n_classes), np.int32)
    touched = np.empty(min(nodes, rows.size) + 1, np.int32)
    widest = 1
    for f in range(arity.size):
        widest = max(widest, arity[f])
    place = np.empty(widest + 1, np.int32)
    here = np.empty(n_classes, np.int32)
    buffer = np.empty(rows.size, np.int32)
    # An attribute splits once on a path, and raising makes paths shorter: `depth` nodes and a leaf.
    # node, from, to, next child (-1: not begun), position of its cases, slot of the parent that
    # points here
    frame = np.empty((depth + 2, 6), np.int32)
    subtree = np.empty(depth + 2, np.float64)
    leaf = np.empty(depth + 2, np.float64)
    top = 0
    frame[0, 0], frame[0, 1], frame[0, 2], frame[0, 3], frame[0, 5] = 0, 0, rows.size, -1, -1
    while True:
        node, low, high = frame[top, 0], frame[top, 1], frame[top, 2]
        result = -1.0
        if frame[top, 3] < 0:
            here[:] = 0
            for i in range(low, high):
                here[labels[rows[i]]] += 1
            best = label[node]
            for k in range(n_classes):
                if here[k] > here[best]:
                    best = k
            label[node] = best
            leaf[top] = c45_errors(float(high - low), float(here[best]), confidence, z2)
            if feature[node] < 0:
                result = leaf[top]
            else:
                f = feature[node]
                place[: arity[f] + 1] = 0
                for i in range(low, high):
                    place[codes[f, rows[i]] + 1] += 1
                for v in range(arity[f]):
                    place[v + 1] += place[v]
                for i in range(low, high):
                    v = codes[f, rows[i]]
                    buffer[low + place[v]] = rows[i]
                    place[v] += 1
                for i in range(low, high):
                    rows[i] = buffer[i]
                frame[top, 3], frame[top, 4] = 0, low
                subtree[top] = 0.0
        elif frame[top, 3] < arity[feature[node]]:
            f, v, begin = feature[node], frame[top, 3], frame[top, 4]
            end = begin
            while end < high and codes[f, rows[end]] == v:
                end += 1
            frame[top, 3], frame[top, 4] = v + 1, end
            if end > begin:
                slot = first[node] + v
                top += 1
                frame[top, 0], frame[top, 1], frame[top, 2], frame[top, 3] = (
                    children[slot],
                    begin,
                    end,
                    -1,
                )
                frame[top, 5] = slot
        else:
            f = feature[node]
            largest, most, begin = 0, 0, low
            for v in range(arity[f]):
                end = begin
                while end < high and codes[f, rows[end]] == v:
                    end += 1
                if end - begin >= most:  # of equal branches the last
                    largest, most = v, end - begin
                begin = end
            branch = children[first[node] + largest]
            raised = branch_errors(
                codes,
                labels,
                rows[low:high],
                feature,
                first,
                children,
                branch,
                confidence,
                z2,
                counts,
                touched,
            )
            if leaf[top] <= raised + SLACK and leaf[top] <= subtree[top] + SLACK:
                feature[node] = -1
                result = leaf[top]
            elif raised <= subtree[top] + SLACK:
                frame[top, 0], frame[top, 3] = branch, -1
            else:
                result = subtree[top]
        if result >= 0.0:
            if top == 0:
                return frame[0, 0], result
            children[frame[top, 5]] = frame[top, 0]
            top -= 1
            subtree[top] += result


@kernel
def size_and_hits(codes, labels, rows, arity, feature, first, children, label, root):
    """Nodes of a tree given by links, and the rows it gets right."""
    stack = np.empty(feature.size, np.int32)  # a node waits once
    stack[0] = root
    waiting, size, hits = 1, 0, 0
    while waiting > 0:
        waiting -= 1
        node = stack[waiting]
        size += 1
        if feature[node] >= 0:
            for v in range(arity[feature[node]]):
                stack[waiting] = children[first[node] + v]
                waiting += 1
    for row in rows:
        node = root
        while feature[node] >= 0:
            node = children[first[node] + codes[feature[node], row]]
        hits += label[node] == labels[row]
    return size, hits


@kernel
def copy_tree(nodes, root, end):
    """One tree of a forest with indices from 0."""
    feature = nodes.feature[root:end].copy()
    label = nodes.label[root:end].copy()
    base = nodes.first[root]
    first = nodes.first[root : end + 1] - base
    children = nodes.children[base : nodes.first[end]] - root
    return feature, label, first.astype(np.int32), children.astype(np.int32)


@kernel
def raised_designs(
    codes, labels, roles, arity, nodes, start, confidence, z2, tree_hits, tree_nodes, tree_errors
):
    """Prune with raising every tree of a forest grown from `roles`."""
    rows = np.empty(labels.size, np.int32)
    for t in range(roles.shape[0]):
        feature, label, first, children = copy_tree(nodes, start[t], start[t + 1])
        size = 0
        for row in range(labels.size):
            if roles[t, row] == 0:
                rows[size] = row
                size += 1
        root, tree_errors[t] = raise_branches(
            codes,
            labels,
            rows[:size].copy(),
            arity,
            codes.shape[0],
            feature,
            first,
            children,
            label,
            nodes.train.shape[1],
            confidence,
            z2,
        )
        size = 0
        for row in range(labels.size):
            if roles[t, row] == 1:
                rows[size] = row
                size += 1
        tree_nodes[t], tree_hits[t] = size_and_hits(
            codes, labels, rows[:size], arity, feature, first, children, label, root
        )


@kernel
def raised_networks(
    seeds,
    inputs,
    removed,
    portions,
    variant,
    cubes,
    nodes,
    start,
    confidence,
    z2,
    tree_hits,
    tree_nodes,
    tree_errors,
):
    """Prune with raising the tree of every generated data set.

    The data are drawn again from their seeds.
    """
    largest = cubes.shape[1]
    labels = np.empty(largest, np.int32)
    rows = np.empty(largest, np.int32)
    features = np.empty(cubes.shape[0], np.int32)
    arity = np.full(cubes.shape[0], 2, np.int32)
    for d in range(seeds.size):
        training, before, population = draw_network(
            seeds[d], inputs[d], removed[d], portions[d], variant, labels, features, rows
        )
        feature, label, first, children = copy_tree(nodes, start[d], start[d + 1])
        root, tree_errors[d] = raise_branches(
            cubes,
            labels,
            rows[:training].copy(),
            arity,
            cubes.shape[0],
            feature,
            first,
            children,
            label,
            np.int64(2),
            confidence,
            z2,
        )
        tree_nodes[d], tree_hits[d] = size_and_hits(
            cubes, labels, rows[before:population], arity, feature, first, children, label, root
        )
