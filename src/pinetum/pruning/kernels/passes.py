"""Compiled passes over forests: a pruning is one pass from the leaves up."""

import numpy as np

from pinetum.jit import kernel
from pinetum.kernels.arrays import rising_values


@kernel
def bottom_up(
    start,
    parent,
    feature,
    leaf_errors,
    hits,
    slack,
    charge,
    tree_hits,
    tree_nodes,
    tree_errors,
    cut,
):
    """Prune every tree bottom-up: a node becomes a leaf if its errors as a leaf are not above those
    of its subtree.

    Errors of a subtree: the sum over the children after their own pruning, plus `charge`; `slack`
    is added in the comparison only. cut[i] = 1 where an inner node is made a leaf (nodes below one
    keep their own mark).
    """
    largest = 0
    for t in range(start.size - 1):
        largest = max(largest, start[t + 1] - start[t])
    errors = np.zeros(largest, np.float64)
    right = np.zeros(largest, np.int32)
    nodes = np.zeros(largest, np.int32)
    for t in range(start.size - 1):
        root = start[t]
        for node in range(start[t + 1] - 1, root - 1, -1):
            i = node - root
            own = leaf_errors[node]
            inner = feature[node] >= 0
            if inner and not own <= errors[i] + charge + slack:
                own = errors[i] + charge
                good, count = right[i], nodes[i] + 1
                cut[node] = 0
            else:
                good, count = hits[node], 1
                cut[node] = inner
            errors[i] = 0.0
            right[i] = 0
            nodes[i] = 0
            if node > root:
                above = parent[node] - root
                errors[above] += own
                right[above] += good
                nodes[above] += count
            else:
                tree_errors[t] = own
                tree_hits[t] = good
                tree_nodes[t] = count


@kernel
def number_pairs(n, c, number, seen, pairs):
    """Number the distinct (n, c) of all nodes; `seen` is a triangle of -1, one place per pair."""
    count = 0
    for i in range(n.size):
        place = n[i] * (n[i] + 1) // 2 + c[i]
        if seen[place] < 0:
            seen[place] = count
            pairs[count, 0] = n[i]
            pairs[count, 1] = c[i]
            count += 1
        number[i] = seen[place]
    return count


@kernel
def tally(start, parent, feature, cut, hits, tree_hits, tree_nodes):
    """Judging cases right and nodes of every tree whose marked nodes are leaves.

    The topmost mark counts.
    """
    largest = 0
    for t in range(start.size - 1):
        largest = max(largest, start[t + 1] - start[t])
    right = np.zeros(largest, np.int32)
    nodes = np.zeros(largest, np.int32)
    for t in range(start.size - 1):
        root = start[t]
        for node in range(start[t + 1] - 1, root - 1, -1):
            i = node - root
            if feature[node] < 0 or cut[node]:
                right[i], nodes[i] = hits[node], 0
            good, count = right[i], nodes[i] + 1
            right[i] = 0
            nodes[i] = 0
            if node > root:
                right[parent[node] - root] += good
                nodes[parent[node] - root] += count
            else:
                tree_hits[t] = good
                tree_nodes[t] = count


@kernel
def leaf_sums(start, parent, feature, wrong, below, leaves):
    """For every node the errors and the number of the leaves below it (of a leaf: its own)."""
    for t in range(start.size - 1):
        below[start[t] : start[t + 1]] = 0
        leaves[start[t] : start[t + 1]] = 0
        for node in range(start[t + 1] - 1, start[t] - 1, -1):
            if feature[node] < 0:
                below[node] = wrong[node]
                leaves[node] = 1
            if parent[node] >= 0:
                below[parent[node]] += below[node]
                leaves[parent[node]] += leaves[node]


@kernel
def weakest_links(start, parent, feature, wrong, critical):
    """Cost-complexity: for each inner node the charge per leaf (in errors) from which on it is a
    leaf.

    Infinite at leaves and where an ancestor is made a leaf first.
    """
    total = start[start.size - 1]
    below = np.empty(total, np.float64)
    leaves = np.empty(total, np.int32)
    leaf_sums(start, parent, feature, wrong, below, leaves)
    alive = np.empty(total, np.uint8)
    critical[:] = np.inf
    for t in range(start.size - 1):
        root, end = start[t], start[t + 1]
        for node in range(root, end):
            alive[node] = feature[node] >= 0
        reached = 0.0
        while alive[root]:
            weakest, least = root, np.inf
            for node in range(root, end):
                if alive[node]:
                    # A chain of splits with one branch each keeps one leaf: to cut it costs
                    # nothing.
                    gain = (
                        (wrong[node] - below[node]) / (leaves[node] - 1.0)
                        if leaves[node] > 1
                        else 0.0
                    )
                    if gain < least:
                        weakest, least = node, gain
            reached = max(reached, least)
            critical[weakest] = reached
            more = wrong[weakest] - below[weakest]
            fewer = leaves[weakest] - 1
            node = weakest
            while node >= 0:
                below[node] += more
                leaves[node] -= fewer
                node = parent[node]
            alive[weakest] = 0
            for node in range(weakest + 1, end):  # descendants follow their ancestor in preorder
                if parent[node] < weakest:
                    break
                alive[node] = 0


@kernel
def cross_validated_charges(
    start,
    critical,
    size,
    fold_start,
    fold_parent,
    fold_feature,
    fold_critical,
    fold_size,
    judged,
    fold_hits,
    folds,
    standard_errors,
    charge,
):
    """charge[s, t]: the charge per leaf (as a share of its training cases) that tree t's
    cross-validation prefers.

    The candidates are the geometric means of neighbouring critical charges; among those whose
    cross-validated errors are within `standard_errors[s]` of the fewest, the largest charge (the
    smallest tree) is taken. `judged` counts the cases that judge a tree's folds.
    """
    largest = 0
    for t in range(fold_start.size - 1):
        largest = max(largest, fold_start[t + 1] - fold_start[t])
    right = np.zeros(largest, np.int32)
    for t in range(start.size - 1):
        alphas = np.empty(start[t + 1] - start[t] + 1, np.float64)
        alphas[0] = 0.0
        count = 1
        for a in rising_values(critical[start[t] : start[t + 1]]):
            if a / size[t] > alphas[count - 1] + 1e-12:
                alphas[count] = a / size[t]
                count += 1
        hits = np.zeros(count, np.int64)
        for q in range(t * folds, (t + 1) * folds):
            root, end = fold_start[q], fold_start[q + 1]
            for a in range(count):
                beta = np.sqrt(alphas[a] * alphas[a + 1]) if a + 1 < count else np.inf
                limit = (beta + 1e-12) * fold_size[q]
                for node in range(end - 1, root - 1, -1):
                    i = node - root
                    good = right[i]
                    if fold_feature[node] < 0 or fold_critical[node] <= limit:
                        good = fold_hits[node]
                    right[i] = 0
                    if node > root:
                        right[fold_parent[node] - root] += good
                    else:
                        hits[a] += good
        best = hits[0]
        for a in range(count):
            best = max(best, hits[a])
        rate = 1.0 - best / judged[t]
        for s in range(standard_errors.size):
            allowed = standard_errors[s] * np.sqrt(rate * (1.0 - rate) * judged[t])
            for a in range(count - 1, -1, -1):
                if hits[a] >= best - allowed - 1e-9:
                    charge[s, t] = (alphas[a] + 1e-12) * size[t]
                    break


@kernel
def pessimistic_marks(start, parent, feature, wrong, n, cut):
    """Quinlan's pessimistic pruning: mark nodes whose errors + 1/2 are within a standard error of
    their subtree's.
    """
    total = start[start.size - 1]
    below = np.empty(total, np.float64)
    leaves = np.empty(total, np.int32)
    leaf_sums(start, parent, feature, wrong, below, leaves)
    for node in range(total):
        cut[node] = 0
        if feature[node] >= 0:
            errors = min(below[node] + 0.5 * leaves[node], n[node])
            error = np.sqrt(errors * (n[node] - errors) / n[node])
            cut[node] = wrong[node] + 0.5 <= errors + error
