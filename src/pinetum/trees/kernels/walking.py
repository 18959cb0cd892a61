"""Walking many cases down a tree whose tests are all `value <= threshold`.

A walk waits for memory at every node, so SIDE cases go side by side, a level each in turn. A leaf
leads to itself, so that nobody asks who has arrived:

    links[node, 1]    feature << 32 | right branch; the left branch is the next node
    of a leaf         the feature of the node above << 32 | the leaf itself, and no number is <= NaN

A case has told its value of that feature already, so what a leaf reads tells nothing new.
"""

import numpy as np

from pinetum.jit import kernel

index = np.uintp  # numba looks whether a signed index is negative
RIGHT = (1 << 32) - 1  # where a link holds the right branch
SIDE = 16  # cases that go side by side; 8 to 64 are alike
LEVELS = 4  # that they go down between two looks whether all have arrived
TOGETHER = 48  # levels; whoever goes further down goes alone


@kernel(inline=True)
def step(at, row, column_step, thresholds, links, cells):
    """(next node, whether the value was missing) of a case, without a branch, which would be
    foretold wrongly half of the time.
    """
    link, threshold = links[index(at), index(1)], thresholds[index(at), index(0)]
    cell = cells[index(row + (link >> 32) * column_step)]
    left, right = np.int64(cell <= threshold), link & RIGHT
    return right ^ ((right ^ (at + 1)) & -left), cell != cell


@kernel
def walk_on(at, lost, row, column_step, thresholds, links, cells):
    """Where a case that is at a node arrives, and whether it met a missing value."""
    while links[index(at), index(1)] & RIGHT != at:
        at, missing = step(at, row, column_step, thresholds, links, cells)
        lost |= missing
    return at, lost


@kernel
def walk_numbers(thresholds, links, cells, row_step, column_step, leaves):
    """Leaf of every case, or -1 where it met a missing value.

    `cells`, float32 or float64, holds the value of a case at `row_step` * case + `column_step` *
    feature. `thresholds` and `links` are two views of one array (nodes, 2), so that a node lies in
    one place.
    """
    n = np.int64(len(leaves))
    row, at, lost = np.empty(SIDE, np.int64), np.empty(SIDE, np.int64), np.empty(SIDE, np.uint8)
    for first in range(0, n, SIDE):
        for i in range(SIDE):
            row[i], at[i], lost[i] = min(first + i, n - 1) * row_step, 0, 0
        level, on_the_way = np.int64(0), np.int64(1)
        while on_the_way != 0 and level < TOGETHER:
            for _ in range(LEVELS):
                for i in range(SIDE):
                    at[i], missing = step(at[i], row[i], column_step, thresholds, links, cells)
                    lost[i] |= missing
            on_the_way = np.int64(0)
            for i in range(SIDE):
                on_the_way |= (links[index(at[i]), index(1)] & RIGHT) ^ at[i]
            level += LEVELS
        for i in range(min(SIDE, n - first)):
            end, missing = at[i], lost[i] > 0
            if on_the_way != 0:
                end, missing = walk_on(end, missing, row[i], column_step, thresholds, links, cells)
            leaves[first + i] = np.int64(-1) if missing else end
