"""Compile every kernel of the study."""

import numpy as np

from pinetum.data.sample import CASES, sample
from pinetum.distinct.enumeration import enumerate_trees
from pinetum.distinct.objective import Objective
from pinetum.distinct.search import best_subset

ORDERS = ("ascending", "descending", "fixed")  # the one by errors is what best_subset takes


def warm_up():
    building, search = np.arange(2 * CASES // 3), np.arange(2 * CASES // 3, CASES)
    for missing in (False, True):
        data = sample(missing=missing)
        for order in ORDERS:
            enumerate_trees(data, min_cases=2, order=order)
        best_subset(data, objective=Objective([(building, search)]))
