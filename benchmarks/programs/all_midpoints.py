"""CPU seconds to the tree with the fewest training errors over all midpoints of columns of numbers,
beside pycontree's.

    python benchmarks/programs/all_midpoints.py 2 3 [--sets iris heart] [--seconds 60]

Both take the numbers of a table, cases with missing ones left out, and work in turn in one process,
warm: medians of five turns, of one where a fit takes long, each of as many fits as take 20 ms.
pycontree gets ranks, since it takes values nearer than 1e-7 for equal. Errors must be the same
where both are proved. Data come from where `pinetum.fetch_dataset` finds them and scikit-learn.
"""

import argparse
import time
import warnings
from statistics import geometric_mean, median

import numpy as np
import pandas as pd
from pycontree import ConTree
from sklearn import datasets

from pinetum import OptimalTreeClassifier, fetch_dataset
from pinetum.tiers import compile_at_once

OWN = {
    "iris": datasets.load_iris,
    "wine": datasets.load_wine,
    "breast cancer": datasets.load_breast_cancer,
    "digits": datasets.load_digits,
}
SETS = (
    *OWN, "heart", "crx", "cancer", "ionosphere", "sonar", "hypothyroid", "letter", "hepatitis",
    "adult", "coil2000", "clean1", "dim_standin", "bright_standin",
)  # fmt: skip
ROUNDS, PATIENCE = 5, 5.0  # turns of each, and CPU seconds above which there are no more
LEAST = 0.02  # CPU seconds of one turn


def load(name):
    """Numbers of complete cases, their ranks, classes from 0."""
    if name in OWN:
        X, y = OWN[name](return_X_y=True)
    else:
        frame, y = fetch_dataset(name)
        frame = frame.select_dtypes("number").dropna(axis=1, how="all")
        known = frame.notna().all(axis=1).to_numpy()
        X, y = frame.to_numpy(dtype=np.float64)[known], np.asarray(y)[known]
    X = np.ascontiguousarray(X[:, np.ptp(X, axis=0) > 0], dtype=np.float64)
    ranks = [np.unique(column, return_inverse=True)[1] for column in X.T]
    frame = pd.DataFrame(np.column_stack(ranks).astype(np.float64))
    return X, frame.rename(columns=str), np.unique(y, return_inverse=True)[1]


def compare(name, depth, seconds):
    """One line of the table, and the ratio where both are proved."""
    X, ranks, y = load(name)

    def ours():
        model = OptimalTreeClassifier(depth, time_limit=seconds).fit(X, y)
        return model.value_, model.status_ == "optimal"

    def theirs():
        begun = time.process_time()
        model = ConTree(max_depth=depth, time_limit=seconds)
        model.fit(ranks, pd.Series(y))
        proved = time.process_time() - begun < 0.98 * seconds
        return np.count_nonzero(np.asarray(model.predict(ranks)) != y), proved

    spent, found, times = {ours: [], theirs: []}, {}, {}
    for way in spent:
        begun = time.process_time()
        found[way] = way()
        times[way] = max(1, int(LEAST / (time.process_time() - begun)))
    for _ in range(ROUNDS):
        for way, seconds_of in spent.items():
            if sum(seconds_of) > PATIENCE:
                continue
            begun = time.process_time()
            for _ in range(times[way]):
                way()
            seconds_of.append((time.process_time() - begun) / times[way])
    (errors, proved), (others, also) = found[ours], found[theirs]
    if proved and also and errors != others:
        raise SystemExit(f"{name}, depth {depth}: {errors} and {others} errors")
    mine, rival = (median(each) for each in spent.values())
    said = [f"{errors:.0f}" + "" if proved else f"{errors:.0f} (stopped)", f"{1000 * mine:.3g}"]
    said += [f"{others}" if also else f"{others} (stopped)", f"{1000 * rival:.3g}"]
    print(
        f"| {name} | {len(y):,} x {X.shape[1]}, {y.max() + 1} | {depth} | {' | '.join(said)} |"
        f" {rival / mine:.3g} |",
        flush=True,
    )
    return rival / mine if proved and also else None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("depths", nargs="+", type=int)
    parser.add_argument("--sets", nargs="+", default=SETS)
    parser.add_argument("--seconds", type=float, default=60)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    compile_at_once()
    rng = np.random.default_rng(0)
    for classes in (2, 3):
        OptimalTreeClassifier(3).fit(rng.random((60, 3)), rng.integers(0, classes, 60))
    print(
        "| set | cases x columns, classes | depth | errors | ms | pycontree: errors | ms | times |"
    )
    print("|---|---|---:|---:|---:|---:|---:|---:|")
    for depth in options.depths:
        ratios = []
        for name in options.sets:
            try:
                ratios.append(compare(name, depth, options.seconds))
            except (OSError, LookupError, ValueError) as fault:
                print(f"{name}: {fault}")
        proved = [ratio for ratio in ratios if ratio]
        if proved:
            print(f"depth {depth}: {geometric_mean(proved):.3g} times faster on {len(proved)} sets")


if __name__ == "__main__":
    main()
