"""Pinetum: methods of five papers on decision trees, for anyone's table, and the workflow that
replicates the papers.

Everything that is public is loaded when it is first asked for, so that importing the package is
quick.
"""

import importlib

__version__ = "0.2.0"

# Public name -> module that defines it.
PUBLIC = {
    "BackwardElimination": "pinetum.elimination.estimators",
    "BestSubset": "pinetum.distinct.estimators",
    "MinimalTree": "pinetum.greedy_dp.estimators",
    "NBDTClassifier": "pinetum.nbdt.estimators",
    "NearOptimalTrees": "pinetum.distinct.estimators",
    "OptimalTreeClassifier": "pinetum.optimal.estimators",
    "PRUNERS": "pinetum.pruning.pruners",
    "SeparatorClassifier": "pinetum.separators.estimators",
    "Table": "pinetum.data",
    "Tree": "pinetum.trees",
    "TreeClassifier": "pinetum.estimators",
    "best_subset": "pinetum.distinct.search",
    "count_trees": "pinetum.distinct.enumeration",
    "cross_validation": "pinetum.distinct.objective",
    "estimate_trees": "pinetum.distinct.probing",
    "fetch_dataset": "pinetum.data.fetching",
    "hold_out": "pinetum.distinct.objective",
    "iterate_trees": "pinetum.distinct.near_optimal",
    "load": "pinetum.models",
    "minimize_features": "pinetum.separators.features",
    "near_optimal_trees": "pinetum.distinct.near_optimal",
    "opt_feature_list": "pinetum.nbdt.fixed_depth",
    "prune": "pinetum.pruning",
    "save": "pinetum.models",
    "search_pruner": "pinetum.pruning",
}

__all__ = ["__version__", *PUBLIC]


def __getattr__(name):
    if name in PUBLIC:
        return getattr(importlib.import_module(PUBLIC[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__():
    return sorted(__all__)
