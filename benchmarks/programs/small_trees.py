"""CPU seconds to the tree with the fewest training errors over 0/1 columns, beside pystreed's, at
depth 3 and 4.

    python benchmarks/programs/small_trees.py [DEPTH...]

Both are given the same matrix, a column per value of the table's features, and work in turn in one
process, warm; the figures are medians of CPU milliseconds. `search` is our solver with the cases
laid out already, `solver` all that it does from the matrix to the tree, `estimator` a fit of
`NBDTClassifier`, `pystreed` a fit of `STreeDClassifier`. The errors must be the same. Data come
from where `pinetum.fetch_dataset` finds them, such as $PINETUM_MIRROR.
"""

import sys
import time
from statistics import geometric_mean, median

import numpy as np
import pandas as pd
from pystreed import STreeDClassifier

from pinetum import NBDTClassifier, fetch_dataset
from pinetum.nbdt.between import BlendSolver
from pinetum.nbdt.splits import make_questions
from pinetum.tiers import compile_at_once

SETS = (
    "vote-value",
    "tic-tac-toe",
    "kr-vs-kp",
    "promoters",
    "crx-mdl",
    "hepatitis-binary",
    "solar-flare-binary",
    "lymphography-binary",
    "connect-4-sample",
)
LARGE = ("promoters", "connect-4-sample")
ROUNDS, LEAST, PATIENCE = (
    7,
    0.02,
    10.0,
)  # turns; CPU seconds of one measurement; after which there are fewer turns
WAYS = ("search", "solver", "estimator", "pystreed")


def load(name):
    """0/1 columns of all values, but for those that do not vary, and classes from 0."""
    X, y = fetch_dataset(name)
    columns = pd.get_dummies(X).to_numpy(dtype=np.int32)
    return np.ascontiguousarray(columns[:, np.ptp(columns, axis=0) > 0]), pd.factorize(
        y, sort=True
    )[0].astype(np.int64)


def make_solver(X, y):
    questions = make_questions(np.full(X.shape[1], 2), np.zeros(X.shape[1], dtype=bool))
    return BlendSolver(X.T, y, None, questions, classes=2)


def make_ways(X, y, depth):
    """Each gives the errors of its tree, or a function that does."""
    ready = make_solver(X, y)
    return {
        "search": lambda: ready.fit(depth).value,
        "solver": lambda: make_solver(X, y).fit(depth).value,
        "estimator": lambda: NBDTClassifier(depth, n0=0).fit(X, y).value_,
        "pystreed": lambda: STreeDClassifier(max_depth=depth).fit(X, y).fit_result.score() * len(y),
    }


def seconds_of(run, times):
    begun = time.process_time()
    for _ in range(times):
        run()
    return (time.process_time() - begun) / times


def measure(ways):
    """Medians of CPU seconds, by way."""
    times, found, spent = {}, {way: [] for way in ways}, 0.0
    for way, run in ways.items():
        times[way] = max(1, int(LEAST / seconds_of(run, 1)))
    while len(found[WAYS[0]]) < ROUNDS and (spent < PATIENCE or len(found[WAYS[0]]) < 3):
        for way, run in ways.items():
            found[way].append(seconds_of(run, times[way]))
            spent += found[way][-1] * times[way]
    return {way: median(each) for way, each in found.items()}


def main(depths):
    for depth in depths:
        print(
            f"depth {depth}   "
            + "".join(f"{way:>12}" for way in WAYS)
            + "".join(f"{w:>12}" for w in WAYS[:-1])
        )
        ratios = {}
        for name in SETS:
            X, y = load(name)
            ways = make_ways(X, y, depth)
            values = {way: run() for way, run in ways.items()}  # compiles
            if len({round(value) for value in values.values()}) > 1:
                raise SystemExit(f"{name}: {values}")
            found = measure(ways)
            ratios[name] = [found["pystreed"] / found[way] for way in WAYS[:-1]]
            line = "".join(f"{1000 * found[way]:12.4f}" for way in WAYS) + "".join(
                f"{r:12.2f}" for r in ratios[name]
            )
            print(f"{name[:9]:10}{line}  {X.shape[0]} x {X.shape[1]}", flush=True)
        for sets, what in (
            (SETS, "nine sets"),
            ([name for name in SETS if name not in LARGE], "without the largest"),
        ):
            means = [
                geometric_mean(each) for each in zip(*(ratios[name] for name in sets), strict=True)
            ]
            print(
                f"times faster by geometric mean, {what}: "
                + "".join(f"{mean:10.2f}" for mean in means)
            )


if __name__ == "__main__":
    compile_at_once()
    main([int(depth) for depth in sys.argv[1:]] or [3, 4])
