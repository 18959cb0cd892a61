"""Pruners that compare an estimate for a node as a leaf with that of its subtree, in one pass from
the leaves up.
"""

from pinetum.pruning.estimates import bottom_up_pruners


def unpruned(trees, reading):
    """NOP: the trees as they were grown."""
    return trees.full.unpruned()


def naive(trees, reading):
    """NEBP: the naive error-based estimate."""
    return trees.full.pruned(bottom_up_pruners(reading)["NEBP"])


def error_based(trees, reading):
    """WEBP: C4.5's estimate without raising of branches."""
    return trees.full.pruned(bottom_up_pruners(reading)["WEBP"])


def synth(trees, reading):
    """SYNTH: Figure 1 as printed."""
    return trees.full.pruned(bottom_up_pruners(reading)["SYNTH"])


def charged_synth(trees, reading):
    """SYNTH+: Figure 1 with our charge per kept split."""
    return trees.full.pruned(bottom_up_pruners(reading)["SYNTH+"])
