"""PEP: pessimistic pruning (Quinlan 1987)."""

import numpy as np

from pinetum.pruning.kernels.passes import pessimistic_marks


def pessimistic(trees, reading):
    """A node becomes a leaf where its errors and half an error are within a standard error of its
    subtree's.
    """
    forest = trees.full
    nodes = forest.nodes
    cut = np.empty(len(nodes.n), np.uint8)
    pessimistic_marks(forest.links, forest.wrong, nodes.n.astype(float), cut)
    return forest.marked(cut)
