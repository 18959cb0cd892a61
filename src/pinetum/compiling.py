"""Compile what an estimator calls before it is wanted, and tell what is kept."""

import time
from itertools import product

import numpy as np
import pandas as pd

import pinetum
from pinetum.kernel_cache import folders
from pinetum.tiers import compile_at_once

# Estimators by their names on the command line, with the parameters that call further kernels.
ESTIMATORS: dict[str, tuple[str, tuple[dict, ...]]] = {
    "tree": ("TreeClassifier", ({}, {"preset": "c45", "prune": "EBP"})),
    "nbdt": ("NBDTClassifier", ({},)),
    "separator": ("SeparatorClassifier", ({"max_depth": 1},)),
    "minimal": ("MinimalTree", ({}, {"cost": "depth"}, {"way": "branch"})),
    "best-subset": ("BestSubset", ({},)),
    "near-optimal": ("NearOptimalTrees", ({},)),
    "backward": ("BackwardElimination", ({},)),
}


def small_table(kind, classes):
    """Numbers, words, or both with missing cells."""
    rng = np.random.default_rng(0)
    numbers, words = rng.integers(0, 3, (60, 2)), rng.choice(["a", "b", "c"], (60, 2))
    y = (numbers[:, 0] + (words[:, 0] == "a")) % classes
    if kind == "numbers":
        return numbers.astype(float), y
    X = pd.DataFrame(
        {"v": numbers[:, 0] / 2, "w": numbers[:, 1], "x": words[:, 0], "y": words[:, 1]}
    )
    X.loc[:4, ["v", "x"]] = None
    return X, y


def compile_estimator(name) -> float:
    """CPU seconds that it took to have all kernels of an estimator's usual calls on disk."""
    compile_at_once()
    begun = time.process_time()
    public, settings = ESTIMATORS[name]
    for chosen, kind, classes in product(settings, ("numbers", "mixed"), (2, 3)):
        X, y = small_table(kind, classes)
        model = getattr(pinetum, public)(**chosen).fit(X, y)
        model.transform(X) if hasattr(model, "transform") else model.predict(X)
    return time.process_time() - begun


def kept() -> pd.DataFrame:
    """Kernels and megabytes of machine code by package."""
    rows = [
        (folder.name.split("-")[0], len(list(folder.rglob("*.nbi"))), size_of(folder))
        for folder in folders()
    ]
    found = pd.DataFrame(rows, columns=["package", "kernels", "MB"])
    return found.groupby("package").sum()


def size_of(folder) -> float:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / 1e6
