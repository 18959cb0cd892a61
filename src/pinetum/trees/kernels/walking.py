"""Walking many cases down a tree whose tests are all `value <= threshold`.

A walk waits for memory at every node, so two cases go side by side; the one that arrives makes
place for the next.
"""

import numpy as np

from pinetum.jit import kernel

index = np.uintp  # numba looks whether a signed index is negative
RIGHT = (
    (1 << 32) - 1
)  # where a link holds the right branch; the feature lies above it, and the left branch comes next


@kernel
def step(node, link, cell, threshold):
    """The node after `node`; without a branch, which would be foretold wrongly half of the time."""
    left, right = np.int64(cell <= threshold), link & RIGHT
    return right ^ ((right ^ (node + 1)) & -left)


@kernel
def walk_on(at, lost, row, thresholds, links, cells):
    """Where a case that is at a node arrives, or -1."""
    link = links[at, 1]
    while link >= 0:
        cell = cells[row + (link >> 32)]
        lost |= cell != cell
        at = step(at, link, cell, thresholds[at, 0])
        link = links[at, 1]
    return np.int64(-1) if lost else at


@kernel
def walk_numbers(thresholds, links, cells, width, leaves):
    """Leaf of every case, or -1 where it met a missing value.

    `cells` float64: `width` numbers a case. `thresholds` and `links` are two views of one array
    (nodes, 2), so that a node lies in one place: a float64 threshold, and feature << 32 | right
    branch, or -1 in a leaf.
    """
    n = np.int64(len(leaves))
    case, other, following = np.int64(0), np.int64(1), np.int64(2)
    at, at_other = np.int64(0), np.int64(0)
    lost, lost_other = False, False
    while other < n:
        link, link_other = links[index(at), index(1)], links[index(at_other), index(1)]
        if (link | link_other) >= 0:
            cell = cells[index(case * width + (link >> 32))]
            cell_other = cells[index(other * width + (link_other >> 32))]
            lost |= cell != cell
            lost_other |= cell_other != cell_other
            at = step(at, link, cell, thresholds[index(at), index(0)])
            at_other = step(at_other, link_other, cell_other, thresholds[index(at_other), index(0)])
        else:
            if link_other < 0:
                leaves[index(other)] = np.int64(-1) if lost_other else at_other
            else:
                leaves[index(case)] = np.int64(-1) if lost else at
                case, at, lost = other, at_other, lost_other
            other, at_other, lost_other = following, np.int64(0), False
            following += 1
    if case < n:
        leaves[case] = walk_on(at, lost, case * width, thresholds, links, cells)
