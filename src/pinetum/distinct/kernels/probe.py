"""A random path down the search, and what the trees met on it stand for.

The i-th sub-space below a frame has i optional features more than the first, so it is drawn in
proportion to the i-th power of a ratio. A tree met with probability p stands for 1 / p trees.
"""

import numpy as np

from pinetum.distinct.kernels.order import OPTIONAL
from pinetum.jit import kernel


@kernel(inline=True)
def count_for(probe, is_distinct, work):
    """Add a tree to the numbers of all trees that the path estimates."""
    probe.built += probe.stands_for
    probe.work += probe.stands_for * work
    if is_distinct:
        probe.distinct += probe.stands_for


@kernel(inline=True)
def go_down(probe, draw, here, role, order):
    """Draw one of the sub-spaces below a frame and leave the frame as if those before it had been
    searched.
    """
    ratio, n = probe.ratio, here.ordered
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
    probe.stands_for *= total / share
    for i in range(chosen):
        role[order[i]] = OPTIONAL
    here.required -= chosen
    here.position = chosen
