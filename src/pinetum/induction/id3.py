"""ID3, as the pruning study needs it."""

import numpy as np

from pinetum.constants import MISSING
from pinetum.data.dataset import Dataset
from pinetum.induction.grower import Grower
from pinetum.induction.kernels.id3 import grow_id3
from pinetum.induction.options import Options
from pinetum.trees.tree import Tree

_RULES = Options(lowest_class=True, stop_weight=0)


def id3(data: Dataset, *, cases=None, features=None, ties="last") -> Tree:
    """Multiway tree by information gain with one branch per domain value, empty leaves included.

    Stops only where a node is pure or every feature was asked on its path; features that gain nothing
    may be chosen. Discrete features without missing values only. Majority ties go to the lowest class;
    an empty leaf has its parent's class.
    """
    if ties not in ("last", "first"):
        raise ValueError(f"ties {ties!r}: expected 'last' or 'first'")
    grower = Grower(data, _RULES, cases=cases)
    offered = grower._offered(features)
    if data.continuous[offered].any() or (data.codes[offered][:, grower.cases] == MISSING).any():
        raise ValueError(f"{data.name}: ID3 takes discrete features without missing values")
    rules = _RULES.rules(1)
    return grower.tree(
        grower._with_room(
            lambda nodes: grow_id3(grower.table, rules, offered, grower.cases, ties == "last", nodes, grower.work)
        )
    )


def without_missing(data: Dataset, cases=None) -> Dataset:
    """Missing codes of discrete features replaced by the most frequent one (of `cases`; ties: the lowest)."""
    from dataclasses import replace

    codes = data.codes.copy()
    for feature in np.flatnonzero(~data.continuous):
        column = codes[feature]
        known = column if cases is None else column[cases]
        known = known[known != MISSING]
        column[column == MISSING] = np.bincount(known).argmax() if len(known) else 0
    return replace(data, codes=codes)
