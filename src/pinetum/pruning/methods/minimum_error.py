"""MEP: minimum-error pruning with the m-estimate (Cestnik and Bratko 1991)."""

from dataclasses import replace

import numpy as np

# expected errors that agree so far are equal: ties are common among fractions of small numbers
DIGITS = 9


def minimum_error(trees, reading):
    """Expected errors by the m-estimate; a leaf's class is the one the estimate prefers."""
    forest, m = trees.full, reading.m_estimate
    nodes = forest.nodes
    size = np.diff(forest.start)
    roots = forest.start[:-1]
    prior = nodes.train[roots] / np.maximum(nodes.n[roots], 1)[:, None]
    support = nodes.train + m * np.repeat(prior, size, axis=0)
    empty = nodes.n == 0
    label = np.where(empty, nodes.label, np.argmax(np.round(support, DIGITS), axis=1)).astype(
        np.int32
    )
    share = support.max(axis=1) / (nodes.n + m) if m > 0 else nodes.c / np.maximum(nodes.n, 1)
    errors = np.where(empty, 0.0, nodes.n * (1.0 - share))
    made = forest.pruned_by(errors, slack=10.0**-DIGITS, hits=forest.correct(forest.tests, label))
    return replace(made, label=label)
