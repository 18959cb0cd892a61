"""Choosing the split of one node, and the arrays a growing tree is written to."""

from typing import NamedTuple

import numpy as np

from pinetum.constants import QUALITY_GRID, SPLIT_INFO_TOLERANCE
from pinetum.induction.kernels.quality import INELIGIBLE, worth
from pinetum.jit import kernel

FULL = -1  # status of a grower: the node arrays are too small


class Nodes(NamedTuple):
    """A tree being written, in preorder.

    `child_start` has one entry more than there is room for nodes.
    """

    feature: np.ndarray  # int32
    threshold: np.ndarray  # float64
    cut: np.ndarray  # int32
    label: np.ndarray  # int32
    counts: np.ndarray  # int64 (nodes, classes), in WEIGHT_UNITs
    child_start: np.ndarray  # int32 (nodes + 1,)
    children: np.ndarray  # int32
    error: np.ndarray  # int64: training errors of the subtree, in WEIGHT_UNITs


def new_nodes(capacity: int, n_classes: int, branches: int) -> Nodes:
    """Room for `capacity` nodes and `branches` branches; untouched pages cost no memory."""
    return Nodes(
        feature=np.empty(capacity, dtype=np.int32),
        threshold=np.empty(capacity),
        cut=np.empty(capacity, dtype=np.int32),
        label=np.empty(capacity, dtype=np.int32),
        counts=np.empty((capacity, n_classes), dtype=np.int64),
        child_start=np.zeros(capacity + 1, dtype=np.int32),
        children=np.empty(branches, dtype=np.int32),
        error=np.empty(capacity, dtype=np.int64),
    )


@kernel
def average_gain(gains, splits, active, n_active, continuous, arity, n_training):
    """C4.5's average gain of the usable features, without discrete features of very many values."""
    all_many = True
    for i in range(len(active)):  # the constant ones included
        f = active[i]
        all_many &= (not continuous[f]) & (arity[f] >= 0.3 * n_training)
    total, number = 0.0, 0
    for i in range(n_active):
        f = active[i]
        if (splits[f] > 0) & (all_many | continuous[f] | (arity[f] < 0.3 * n_training)):
            total += gains[f]
            number += 1
    return total / number - SPLIT_INFO_TOLERANCE * QUALITY_GRID if number else 1e6 * QUALITY_GRID


@kernel
def choose(masses, splits, gains, active, n_active, weight, least_gain, rules):
    """Best of the first `n_active` features, or -1. Ties: lowest index."""
    best, best_quality = np.int64(-1), np.int64(INELIGIBLE)
    for i in range(n_active):
        f = np.int64(active[i])
        if splits[f] > 0:
            quality = worth(gains[f], masses[f], splits[f], weight, rules, least_gain)
            if quality > best_quality or (quality == best_quality and best >= 0 and f < best):
                best, best_quality = f, quality
    return best


@kernel
def place_cut(below, above, values, present, first=0):
    """Threshold and rank code of the cut between two neighbouring values of a node.

    The threshold is their midpoint; the code is the largest whose value is not above it. Where
    `present` is given (per code the largest code not above it that a training case has), the
    threshold is moved down to that value, as C4.5 does. The feature's entries in both begin at
    `first`.
    """
    a, b = values[first + below], values[first + above]
    threshold = (a + b) / 2
    if np.isinf(threshold):
        threshold = a / 2 + b / 2
    if not (a <= threshold < b):
        threshold = a
    low, high = below, above
    while high - low > 1:
        middle = (low + high) // 2
        if values[first + middle] <= threshold:
            low = middle
        else:
            high = middle
    # Both arrays are read last on every path: else numba counts references of them in every call.
    low = np.int64(present[first + low]) if len(present) else low
    at_case = values[first + low]
    if len(present):
        threshold = at_case
    return threshold, low
