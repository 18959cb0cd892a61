"""Compiled passes over forests: a pruning is one pass from the leaves up.

Children come after their parent, so a pass from the last node to the first meets every node when
all below it is known; what it comes to is added to its parent's place.
"""

from typing import NamedTuple

import numpy as np

from pinetum.jit import kernel
from pinetum.kernels.arrays import rising_values


class Links(NamedTuple):
    """The trees of a forest, each in preorder."""

    start: np.ndarray  # int64 (trees + 1,): nodes start[t] .. start[t + 1] are those of tree t
    parent: np.ndarray  # int32 (nodes,): -1 at a root
    feature: np.ndarray  # int32 (nodes,): -1 at a leaf


class Outcome(NamedTuple):
    """What a pruning makes of each tree."""

    hits: np.ndarray  # int32 (trees,): judging cases right
    nodes: np.ndarray  # int32 (trees,)
    errors: np.ndarray  # float64 (trees,): estimated


class Charged(NamedTuple):
    """A forest with what cost-complexity pruning knows of it."""

    links: Links
    critical: np.ndarray  # float64 (nodes,): the charge per leaf from which on it is a leaf
    size: np.ndarray  # float64 (trees,): training cases
    hits: np.ndarray  # int32 (nodes,): judging cases right


@kernel
def largest_tree(start):
    """Nodes of the largest tree."""
    largest = 0
    for t in range(start.size - 1):
        largest = max(largest, start[t + 1] - start[t])
    return largest


@kernel
def bottom_up(links, leaf_errors, hits, slack, charge, made, cut):
    """Prune every tree bottom-up: a node becomes a leaf if its errors as a leaf are not above those
    of its subtree.

    Errors of a subtree: the sum over the children after their own pruning, plus `charge`; `slack`
    is added in the comparison only. cut[i] = 1 where an inner node is made a leaf (nodes below one
    keep their own mark).
    """
    start, parent, feature = links.start, links.parent, links.feature
    tree_hits, tree_nodes, tree_errors = made.hits, made.nodes, made.errors
    largest = largest_tree(start)
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
def tally(links, cut, hits, made):
    """Judging cases right and nodes of every tree whose marked nodes are leaves.

    The topmost mark counts.
    """
    start, parent, feature = links.start, links.parent, links.feature
    tree_hits, tree_nodes = made.hits, made.nodes
    largest = largest_tree(start)
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
def leaf_sums(links, wrong, below, leaves):
    """For every node the errors and the number of the leaves below it (of a leaf: its own)."""
    start, parent, feature = links.start, links.parent, links.feature
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
def weakest_links(links, wrong, critical):
    """Cost-complexity: for each inner node the charge per leaf (in errors) from which on it is a
    leaf.

    Infinite at leaves and where an ancestor is made a leaf first.
    """
    start, parent, feature = links.start, links.parent, links.feature
    total = start[start.size - 1]
    below = np.empty(total, np.float64)
    leaves = np.empty(total, np.int32)
    leaf_sums(links, wrong, below, leaves)
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


@kernel(inline=True)
def charges_of(critical, size, alphas):
    """Write 0 and the critical charges of a tree, as shares of its cases, rising; how many."""
    alphas[0] = 0.0
    count = 1
    for charge in rising_values(critical):
        if charge / size > alphas[count - 1] + 1e-12:
            alphas[count] = charge / size
            count += 1
    return count


@kernel
def hits_at(beta, q, folds, right):
    """Judging cases that tree q of the folds gets right where a leaf costs the share `beta`."""
    parent, feature, critical = folds.links.parent, folds.links.feature, folds.critical
    root, end = folds.links.start[q], folds.links.start[q + 1]
    limit = (beta + 1e-12) * folds.size[q]
    good = right[0]
    for node in range(end - 1, root - 1, -1):
        i = node - root
        good = right[i]
        if feature[node] < 0 or critical[node] <= limit:
            good = folds.hits[node]
        right[i] = 0
        if node > root:
            right[parent[node] - root] += good
    return good


@kernel(inline=True)
def largest_within(hits, judged, errors):
    """The last charge whose hits are within so many standard errors of the most, or -1."""
    best = hits[0]
    for good in hits:
        best = max(best, good)
    rate = 1.0 - best / judged
    allowed = errors * np.sqrt(rate * (1.0 - rate) * judged)
    a = hits.size - 1
    while a >= 0 and not hits[a] >= best - allowed - 1e-9:  # no number if no case judges
        a -= 1
    return a


@kernel
def cross_validated_charges(full, folds, judged, n_folds, standard_errors, charge):
    """charge[s, t]: the charge per leaf (as a share of its training cases) that tree t's
    cross-validation prefers.

    The candidates are the geometric means of neighbouring critical charges; among those whose
    cross-validated errors are within `standard_errors[s]` of the fewest, the largest charge (the
    smallest tree) is taken. `judged` counts the cases that judge a tree's folds, trees
    t * n_folds .. (t + 1) * n_folds of `folds`.
    """
    start = full.links.start
    right = np.zeros(largest_tree(folds.links.start), np.int32)
    alphas = np.empty(largest_tree(start) + 1, np.float64)
    hits = np.empty(alphas.size, np.int64)
    for t in range(start.size - 1):
        size = full.size[t]
        count = charges_of(full.critical[start[t] : start[t + 1]], size, alphas)
        hits[:count] = 0
        for q in range(t * n_folds, (t + 1) * n_folds):
            for a in range(count):
                beta = np.sqrt(alphas[a] * alphas[a + 1]) if a + 1 < count else np.inf
                hits[a] += hits_at(beta, q, folds, right)
        for s in range(standard_errors.size):
            a = largest_within(hits[:count], judged[t], standard_errors[s])
            if a >= 0:
                charge[s, t] = (alphas[a] + 1e-12) * size


@kernel
def pessimistic_marks(links, wrong, n, cut):
    """Quinlan's pessimistic pruning: mark nodes whose errors + 1/2 are within a standard error of
    their subtree's.
    """
    feature = links.feature
    total = feature.size
    below = np.empty(total, np.float64)
    leaves = np.empty(total, np.int32)
    leaf_sums(links, wrong, below, leaves)
    for node in range(total):
        cut[node] = 0
        if feature[node] >= 0:
            errors = min(below[node] + 0.5 * leaves[node], n[node])
            error = np.sqrt(errors * (n[node] - errors) / n[node])
            cut[node] = wrong[node] + 0.5 <= errors + error
