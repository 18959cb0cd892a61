"""Pinetum: methods of five papers on decision trees, for anyone's table, and the workflow that reproduces the papers.

Everything that is public is loaded when it is first asked for, so that importing the package is quick.
"""

import importlib

__version__ = "0.2.0"

# Public name -> module that defines it.
PUBLIC = {
    "BackwardElimination": "pinetum.elimination.estimators",
    "MinimalTree": "pinetum.greedy_dp.estimators",
    "PRUNERS": "pinetum.pruning.pruners",
    "NBDTClassifier": "pinetum.nbdt.estimators",
    "SeparatorClassifier": "pinetum.separators.estimators",
    "Table": "pinetum.data",
    "Tree": "pinetum.trees",
    "TreeClassifier": "pinetum.estimators",
    "load": "pinetum.models",
    "prune": "pinetum.pruning",
    "search_pruner": "pinetum.pruning",
    "save": "pinetum.models",
}

__all__ = ["__version__", *PUBLIC]


def __getattr__(name):
    if name in PUBLIC:
        return getattr(importlib.import_module(PUBLIC[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__():
    return sorted(__all__)
