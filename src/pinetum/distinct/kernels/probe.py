"""A random path down the search, and what the trees met on it stand for.

The i-th sub-space below a frame has i optional features more than the first, so it is drawn in
proportion to the i-th power of a ratio. A tree met with probability p stands for 1 / p trees.
"""

import numpy as np

from pinetum.distinct.kernels.order import OPTIONAL
from pinetum.jit import kernel

ALL_BUILT, ALL_DISTINCT, ALL_WORK, STANDS_FOR, RATIO, PROBING = range(6)
PROBE_VALUES = 6


@kernel(inline=True)
def count_for(probe, is_distinct, work):
    """Add a tree to the numbers of all trees that the path estimates."""
    probe[ALL_BUILT] += probe[STANDS_FOR]
    probe[ALL_WORK] += probe[STANDS_FOR] * work
    if is_distinct:
        probe[ALL_DISTINCT] += probe[STANDS_FOR]


@kernel(inline=True)
def go_down(probe, draw, role, order, required, position, level, n):
    """Draw one of the n sub-spaces below a frame and leave the frame as if those before it had been
    searched.
    """
    ratio = probe[RATIO]
    total, share = 0.0, 1.0
    for _ in range(n):
        total += share
        share *= ratio
    chosen, share = np.int64(0), 1.0
    rest = draw * total
    while chosen < n - 1 and rest >= share:
        rest -= share
        share *= ratio
        chosen += 1
    probe[STANDS_FOR] *= total / share
    for i in range(chosen):
        role[level, order[level, i]] = OPTIONAL
    required[level] -= chosen
    position[level] = chosen
