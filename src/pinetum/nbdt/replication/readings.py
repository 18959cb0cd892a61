"""What the paper leaves open of 3-ID3: each choice changed alone, on the same folds."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np


class Reading(NamedTuple):
    options: dict  # what changes in the options of 3-ID3
    default_class: bool = (
        False  # whether leaves without one class alone take the commonest class of all
    )


# its records have the reading's name for their method
READINGS = {
    "3-ID3: three levels of nodes, two tests": Reading({"max_depth": 2}),
    "3-ID3: gain ratio": Reading({"criterion": "gain_ratio"}),
    "3-ID3: splits without gain are refused": Reading({"zero_gain": False}),
    "3-ID3: leaves that are not pure take the commonest class of all": Reading(
        {}, default_class=True
    ),
}


def with_default_class(tree):
    """The tree with the root's commonest class in every leaf that has not the cases of one class
    alone.
    """
    undecided = (tree.feature < 0) & (np.count_nonzero(tree.counts, axis=1) != 1)
    return replace(
        tree, label=np.where(undecided, tree.label[0], tree.label).astype(tree.label.dtype)
    )
