"""CPU seconds and training errors of the best tree over all midpoints of columns of numbers, beside
pycontree's.

    python benchmarks/programs/all_midpoints.py 2,3 heart cancer sonar  # depths, data sets

Both sides run in turn in one process, warm, three times: medians. A fit may take 120 seconds, then
its best tree so far counts. Missing cells become the most frequent value. Data come from
`results/data`; needs pycontree.
"""

import sys
import time
import warnings
from statistics import median

import numpy as np
import pandas as pd
from pinetum.peers.tables import prepared
from pycontree import ConTree

from pinetum import NBDTClassifier
from pinetum.tiers import compile_at_once

SECONDS = 120


def ours(depth):
    return NBDTClassifier(depth, n0=0, max_cuts=1_000_000, time_limit=SECONDS)


def rival(depth):
    return ConTree(max_depth=depth, time_limit=SECONDS)


def measure(make, depth, X, y):
    """CPU seconds of a fit, its training errors, and what became of it."""
    model = make(depth)
    begun = time.process_time()
    try:
        model.fit(X, y)
    except MemoryError:
        return float("nan"), "-", "refused"
    seconds = time.process_time() - begun
    stopped = getattr(model, "status_", "optimal") != "optimal" or seconds > SECONDS
    return (
        seconds,
        int(np.count_nonzero(np.asarray(model.predict(X)) != y)),
        "stopped" if stopped else "proved",
    )


def compare(name, depths):
    X, y, _ = prepared(name, "numbers", 100_000, 0)
    X = pd.DataFrame(X, columns=[f"x{i}" for i in range(X.shape[1])])
    middles = sum(column.nunique() - 1 for _, column in X.items())
    for make in (ours, rival):
        make(2).fit(X.iloc[:50, :2], y[:50])  # compiles
    for depth in depths:
        found = {make: [measure(make, depth, X, y)] for make in (ours, rival)}
        if all(not (each[0][0] > 20) for each in found.values()):
            for _ in range(2):
                for make in found:
                    found[make].append(measure(make, depth, X, y))
        (a, wrong, became), (b, others, turned) = (
            (median(seconds for seconds, *_ in each), *each[0][1:]) for each in found.values()
        )
        print(
            f"| {name} | {len(y):,} x {X.shape[1]} | {middles:,} | {depth} | {wrong} | {became} |"
            f" {a:.3g} | {others} | {turned} | {b:.3g} | {b / a:.2g} |",
            flush=True,
        )


if __name__ == "__main__":
    compile_at_once()
    warnings.simplefilter("ignore")
    for dataset in sys.argv[2:]:
        compare(dataset, [int(depth) for depth in sys.argv[1].split(",")])
