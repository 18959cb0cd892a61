"""FRONT: of all prunings the one with the fewest training errors for its number of leaves, which is
chosen by cross-validation.
"""

from dataclasses import replace

import numpy as np

from pinetum.pruning.front import ALL, fronts_of
from pinetum.pruning.kernels.front import mark_pruning


def best_of_size(trees, reading):
    """The smallest of the sizes with the fewest cross-validated errors, `max_leaves` at most."""
    full, folds, n_folds = trees.full, trees.folds, trees.n_folds
    most = reading.max_leaves or ALL
    fronts = fronts_of(full, full.wrong, most=most)
    judged = fronts_of(folds, folds.wrong, folds.hits, most)
    cut, leaves = np.zeros(len(full.nodes.n), np.uint8), np.zeros(len(full), np.int64)
    for tree in range(len(full)):
        right = [
            judged.right[judged.first[fold] + best_within(judged, fold, most)]
            for fold in range(tree * n_folds, (tree + 1) * n_folds)
        ]
        wide = max(map(len, right))
        score = sum(np.pad(hits, (0, wide - len(hits)), mode="edge") for hits in right)
        best = best_within(fronts, tree, most)
        leaves[tree] = 1 + best[min(int(np.argmax(score)), len(best) - 1)]
        mark_pruning(tree, int(leaves[tree]), full.links, fronts, cut)
    return replace(full.marked(cut), level=leaves)


def best_within(fronts, tree, most):
    """By the most leaves allowed, less one, those of the best pruning, less one."""
    begin = fronts.first[tree]
    errors = fronts.errors[begin : min(fronts.first[tree + 1], begin + most)]
    before = np.minimum.accumulate(np.concatenate([[np.inf], errors[:-1]]))
    return np.maximum.accumulate(np.where(errors < before, np.arange(len(errors)), 0))
