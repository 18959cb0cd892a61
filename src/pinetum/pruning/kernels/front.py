"""Compiled fronts: for every number of leaves the pruning with the fewest errors, in one pass.

What a node of k leaves costs at least follows from its children, which share the k leaves: a
knapsack, child by child. The leaves of a subtree lie together, and it has as many numbers of leaves
as leaves; so the tables of all subtrees that are done, and of no use elsewhere, share one array:

    leaves below the root   | 0 | 1 | 2 | 3 | 4 | 5 | 6 |
    errors, right           |  child 0  | 1 |  child 2  |     nodes come from the last to the first
                            |  child 0  |  1 and 2      |     1 joined what came after it
                            |  the root with 1 .. 7     |

At the end the table of a tree begins at its first leaf.
"""

from typing import NamedTuple

import numpy as np

from pinetum.jit import kernel


class Fronts(NamedTuple):
    """What is known of all prunings of a forest; arrays by leaf are by the leaves of all trees."""

    first: np.ndarray  # int64 (trees + 1,): where the leaves of a tree begin
    errors: np.ndarray  # float64 (leaves,): of a tree with k leaves at first[t] + k - 1
    right: np.ndarray  # int64 (leaves,): judging cases that this pruning gets right
    chain: np.ndarray  # uint8 (nodes,): with one leaf it keeps its only branch
    at: np.ndarray  # int64 (nodes,): where a child's part of `given` begins
    given: np.ndarray  # int32: of k leaves for a child and those after it, how many it gets


@kernel
def count_leaves(links, most, first, at):
    """Fill `first` and `at`; the entries of `given`. Tables have `most` entries or fewer."""
    start, parent, feature = links.start, links.parent, links.feature
    below = np.zeros(feature.size, np.int64)
    entries = 0
    for node in range(feature.size - 1, -1, -1):
        if feature[node] < 0:
            below[node] = 1
        at[node] = entries
        if parent[node] >= 0:
            below[parent[node]] += below[node]
            entries += min(below[parent[node]], most)
    first[0] = 0
    for t in range(start.size - 1):
        first[t + 1] = first[t] + below[start[t]]
    return entries


@kernel
def join(mine, my_right, rest, rest_right, errors, right, given):
    """The table of a child and those after it: of equal prunings that with fewest leaves in the
    child.
    """
    for k in range(errors.size):
        errors[k], right[k], given[k] = np.inf, 0, 0
    for j in range(mine.size):
        for i in range(min(rest.size, errors.size - j - 1)):
            together, k = mine[j] + rest[i], j + i + 1
            if together < errors[k]:
                errors[k], right[k], given[k] = together, my_right[j] + rest_right[i], j + 1


@kernel
def fill_fronts(links, wrong, hits, most, fronts):
    """For every tree and number of leaves, `most` at most, the fewest errors.

    wrong    errors of each node as a leaf, whatever they are: numbers that add up
    hits     judging cases that each node gets right as a leaf
    """
    parent, feature = links.parent, links.feature
    errors, right, at, given = fronts.errors, fronts.right, fronts.at, fronts.given
    below, joined = np.zeros(feature.size, np.int64), np.zeros(feature.size, np.int64)
    wide = min(most, errors.size)
    sums, sums_right = np.empty(wide, np.float64), np.empty(wide, np.int64)
    begin = errors.size  # of the leaves of the nodes that are done
    for node in range(feature.size - 1, -1, -1):
        if feature[node] < 0:
            below[node] = 1
            begin -= 1
            errors[begin] = np.inf
        fronts.chain[node] = errors[begin] < wrong[node]
        if not fronts.chain[node]:
            errors[begin], right[begin] = wrong[node], hits[node]
        above = parent[node]
        if above >= 0:
            low, middle = begin, begin + below[node]
            mine, rest = min(below[node], most), min(joined[above], most)
            size = min(below[node] + joined[above], most)
            if rest == 0:
                for k in range(mine):
                    given[at[node] + k] = k + 1
            else:
                join(
                    errors[low : low + mine],
                    right[low : low + mine],
                    errors[middle : middle + rest],
                    right[middle : middle + rest],
                    sums[:size],
                    sums_right[:size],
                    given[at[node] : at[node] + size],
                )
                errors[low : low + size] = sums[:size]
                right[low : low + size] = sums_right[:size]
            below[above] += below[node]
            joined[above] += below[node]


@kernel
def mark_pruning(tree, leaves, links, fronts, cut):
    """Mark the nodes that become leaves in a tree's best pruning with so many leaves."""
    parent, feature, chain = links.parent, links.feature, fronts.chain
    root, end = links.start[tree], links.start[tree + 1]
    left = np.zeros(end - root, np.int64)  # leaves for the children that follow; 0 below a leaf
    for node in range(root, end):
        mine = leaves
        if node > root:
            above = parent[node] - root
            mine = 0
            if left[above] > 0:
                mine = np.int64(fronts.given[fronts.at[node] + left[above] - 1])
                left[above] -= mine
        is_split = feature[node] >= 0 and (mine > 1 or (mine == 1 and chain[node] > 0))
        cut[node] = feature[node] >= 0 and mine > 0 and not is_split
        left[node - root] = mine if is_split else 0


@kernel
def size_up(links, cut, right, leaves, hits):
    """Leaves of every tree whose marked nodes are leaves, and the sum of `right` over them."""
    start, parent, feature = links.start, links.parent, links.feature
    is_kept = np.zeros(feature.size, np.uint8)  # a split that remains
    for t in range(start.size - 1):
        leaves[t] = hits[t] = 0
        for node in range(start[t], start[t + 1]):
            if node == start[t] or is_kept[parent[node]]:
                is_kept[node] = feature[node] >= 0 and cut[node] == 0
                if not is_kept[node]:
                    leaves[t] += 1
                    hits[t] += right[node]
