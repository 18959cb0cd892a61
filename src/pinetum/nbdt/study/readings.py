"""What the paper leaves open of 3-ID3: each choice changed alone, on the same folds, judged on the
paper's numbers.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pandas as pd

from pinetum.report.readings import DEFAULT, judge_readings


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


def judged(reproduce, folds, published) -> pd.DataFrame:
    """`readings.csv`; `reproduce` makes the rows of the study from records of the folds."""
    found = {DEFAULT: reproduce(folds)}
    touched = published["item"].isin(
        ["Average error", "Order of the averages", "Paired t-tests", "Figure 4"]
    )
    for reading in READINGS:
        if (folds["method"] == reading).any():
            changed = folds[folds["method"] != "3-ID3"].replace({"method": {reading: "3-ID3"}})
            found[reading] = reproduce(changed)[touched.to_numpy()]
    return judge_readings(published, found)
