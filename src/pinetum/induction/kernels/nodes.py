"""Choosing the split of one node, and the arrays a growing tree is written to."""

from typing import NamedTuple

import numpy as np

from pinetum.constants import QUALITY_GRID, SPLIT_INFO_TOLERANCE
from pinetum.induction.kernels.quality import GAIN_RATIO, INELIGIBLE, on_grid, worth
from pinetum.induction.kernels.scan import CONSTANT
from pinetum.jit import kernel

FULL = -1  # status of a grower: the node arrays are too small


class Nodes(NamedTuple):
    """A tree being written, in preorder; `child_start` has one entry more than there is room for nodes."""

    feature: np.ndarray  # int32
    threshold: np.ndarray  # float64
    cut: np.ndarray  # int32
    label: np.ndarray  # int32
    counts: np.ndarray  # int64 (nodes, classes), in WEIGHT_UNITs
    child_start: np.ndarray  # int32 (nodes + 1,)
    children: np.ndarray  # int32
    error: np.ndarray  # int64: training errors of the subtree, in WEIGHT_UNITs


class Found(NamedTuple):
    """Per feature what its best split at the node at hand is worth."""

    mass: np.ndarray  # int64, mass gain
    split: np.ndarray  # int64, split information mass; 0: not usable here
    gain: np.ndarray  # int64, gain on the quality grid
    cut: np.ndarray  # int32, rank code below the cut
    upper: np.ndarray  # int32, rank code above the cut
    constant: np.ndarray  # uint8, 1: no two known cases differ, here and in every node below


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
def new_found(n_features):
    return Found(
        np.zeros(n_features, np.int64),
        np.zeros(n_features, np.int64),
        np.zeros(n_features, np.int64),
        np.full(n_features, -1, np.int32),
        np.full(n_features, -1, np.int32),
        np.zeros(n_features, np.uint8),
    )


@kernel
def record(found, f, mass, split, cut, upper, weight, unit):
    found.mass[f] = mass
    found.split[f] = split
    found.gain[f] = on_grid(mass, weight, unit)
    found.cut[f] = cut
    found.upper[f] = upper
    found.constant[f] = upper == CONSTANT


@kernel
def average_gain(gains, splits, active, n_active, continuous, arity, n_training):
    """C4.5's average gain of the usable features, without discrete features of very many values."""
    all_many = True
    for f in active:  # the constant ones included
        if continuous[f] or arity[f] < 0.3 * n_training:
            all_many = False
    total, number = 0.0, 0
    for i in range(n_active):
        f = active[i]
        if splits[f] > 0 and (all_many or continuous[f] or arity[f] < 0.3 * n_training):
            total += gains[f]
            number += 1
    if number == 0:
        return 1e6 * QUALITY_GRID
    return total / number - SPLIT_INFO_TOLERANCE * QUALITY_GRID


@kernel
def choose(found, active, n_active, table, weight, n_training, rules):
    """Best of the first `n_active` features: (feature or -1, quality). Ties: lowest index."""
    masses, splits, gains = found.mass, found.split, found.gain  # once, as each access counts references
    least_gain = 0.0
    if rules.average_gain and rules.criterion == GAIN_RATIO:
        least_gain = average_gain(gains, splits, active, n_active, table.continuous, table.arity, n_training)
    best, best_quality = -1, np.int64(INELIGIBLE)
    for i in range(n_active):
        f = active[i]
        if splits[f] <= 0:
            continue
        quality = worth(gains[f], masses[f], splits[f], weight, rules, least_gain)
        if quality > best_quality or (quality == best_quality and best >= 0 and f < best):
            best, best_quality = f, quality
    return best, best_quality


@kernel
def place_cut(below, above, values, present):
    """Threshold and rank code of the cut between two neighbouring values of a node.

    The threshold is their midpoint; the code is the largest whose value is not above it. Where `present`
    is given (per code the largest code not above it that a training case has), the threshold is moved
    down to that value, as C4.5 does.
    """
    a, b = values[below], values[above]
    threshold = (a + b) / 2
    if np.isinf(threshold):
        threshold = a / 2 + b / 2
    if not (a <= threshold < b):
        threshold = a
    low, high = below, above
    while high - low > 1:
        middle = (low + high) // 2
        if values[middle] <= threshold:
            low = middle
        else:
            high = middle
    if len(present):
        low = present[low]
        threshold = values[low]
    return threshold, low
