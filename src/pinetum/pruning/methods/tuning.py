"""TWEBP: error-based pruning whose confidence level is chosen by cross-validation inside the
training part.
"""

from dataclasses import replace

import numpy as np

from pinetum.pruning.estimates import tuned_pruners
from pinetum.pruning.forest import Pruned


def tuned_error_based(trees, reading):
    """`Pruned`, with the confidence level chosen per tree."""
    candidates = tuned_pruners(reading)
    levels = np.array(list(candidates))
    score = np.array(
        [
            trees.folds.pruned(pruner).hits.reshape(-1, trees.n_folds).sum(axis=1)
            for pruner in candidates.values()
        ]
    )
    chosen = levels[preferred(score, levels, reading.tuning_ties, reading.confidence)]
    full = trees.full
    made = Pruned.empty(len(full), len(full.nodes.n))
    per_node = np.repeat(chosen, np.diff(full.start))
    for level in np.unique(chosen):
        pruned = full.pruned(candidates[level])
        mine = chosen == level
        for ours, theirs in (
            (made.hits, pruned.hits),
            (made.nodes, pruned.nodes),
            (made.errors, pruned.errors),
        ):
            ours[mine] = theirs[mine]
        made.cut[per_node == level] = pruned.cut[per_node == level]
    return replace(made, level=chosen)


def preferred(score, levels, ties, default):
    """Index of the best level per column of `score`.

    Equal scores by the rule `ties`, then the lower level.
    """
    order = {
        "nearest_default": np.argsort(np.abs(np.round((levels - default) * 1000)), kind="stable"),
        "lowest": np.argsort(levels, kind="stable"),
        "highest": np.argsort(-levels, kind="stable"),
    }[ties]
    return order[np.argmax(score[order], axis=0)]
