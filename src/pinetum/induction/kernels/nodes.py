"""The arrays that a growing tree is written to."""

from typing import NamedTuple

import numpy as np

from pinetum.constants import WEIGHT_UNIT
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


@kernel(inline=True)
def write_leaf(nodes, node, counts, weight, label, scale):
    """Write a node as a leaf; `scale` WEIGHT_UNITs are one of the weights."""
    nodes.feature[node] = -1
    nodes.threshold[node] = np.nan
    nodes.cut[node] = -1
    nodes.label[node] = label
    for c in range(len(counts)):
        nodes.counts[node, c] = counts[c] * scale
    nodes.error[node] = (weight - counts[label]) * scale if weight else np.int64(0)
    nodes.child_start[node + 1] = nodes.child_start[node]


@kernel(inline=True)
def add_errors(nodes, node):
    """The errors below a finished node."""
    below = np.int64(0)
    for k in range(nodes.child_start[node], nodes.child_start[node + 1]):
        below += nodes.error[nodes.children[k]]
    nodes.error[node] = below


@kernel(inline=True)
def collapse(nodes, node, end):
    """Make a finished node a leaf when one errs no more than the subtree, as C4.5 does.

    The index after it.
    """
    weight = np.int64(0)
    for c in range(nodes.counts.shape[1]):
        weight += nodes.counts[node, c]
    errors = weight - nodes.counts[node, nodes.label[node]]
    if nodes.error[node] >= errors - 0.001 * WEIGHT_UNIT:
        nodes.feature[node] = -1
        nodes.threshold[node] = np.nan
        nodes.cut[node] = -1
        nodes.child_start[node + 1] = nodes.child_start[node]
        end = np.int64(node + 1)
    return end


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
