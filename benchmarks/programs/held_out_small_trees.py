"""Errors on held-out cases of the best tree of small depth beside greedy ones.

    python benchmarks/programs/held_out_small_trees.py [FILE.csv]

Five folds, the same for all; missing cells as each method has them, scikit-learn is given the most
frequent values. Data come from where `pinetum.fetch_dataset` finds them, and from scikit-learn.
"""

import sys
import time
import warnings

import numpy as np
import pandas as pd
from sklearn import datasets
from sklearn.model_selection import StratifiedKFold
from sklearn.tree import DecisionTreeClassifier

from pinetum import OptimalTreeClassifier, TreeClassifier, fetch_dataset
from pinetum.tiers import compile_at_once

OWN = {
    "iris": datasets.load_iris,
    "wine": datasets.load_wine,
    "breast cancer": datasets.load_breast_cancer,
}
SETS = (
    *OWN, "heart", "crx", "cancer", "ionosphere", "sonar", "hypothyroid", "hepatitis", "vote",
    "tic-tac-toe", "lymphography", "promoters", "monks-1", "monks-2", "monks-3", "hayes-roth",
    "car", "kr-vs-kp", "anneal", "nursery-sample", "solar-flare", "bright_standin",
)  # fmt: skip
WORK = 3e8  # cells that a search looks at, a second or two


def numbers(X):
    """A 0/1 column per value, as scikit-learn takes them."""
    return pd.get_dummies(X.fillna(X.mode().iloc[0])).astype(np.float64)


def methods():
    yield "greedy, depth 3", lambda: TreeClassifier(max_depth=3), False
    yield "C4.5 pruned, depth 3", lambda: TreeClassifier("c45", max_depth=3, prune=True), False
    yield "CART, depth 3", lambda: DecisionTreeClassifier(max_depth=3, random_state=0), True
    yield "best, depth 2", lambda: OptimalTreeClassifier(2, work=WORK), False
    yield "best, depth 3", lambda: OptimalTreeClassifier(3, work=WORK), False
    yield "best, leaf 1", lambda: OptimalTreeClassifier(3, leaf_penalty=1, work=WORK), False
    yield "best, depth chosen", lambda: OptimalTreeClassifier("cv", work=WORK), False


def main(file="held_out_small_trees.csv"):
    warnings.simplefilter("ignore")
    compile_at_once()
    lines = []
    for name in SETS:
        if name in OWN:
            X, y = OWN[name](return_X_y=True, as_frame=True)
        else:
            X, y = fetch_dataset(name)
        y, coded = np.asarray(y).astype(str), numbers(X)
        folds = StratifiedKFold(5, shuffle=True, random_state=0)
        for method, make, plain in methods():
            wrong, begun = 0, time.process_time()
            cases = coded if plain else X
            for train, test in folds.split(X, y):
                model = make().fit(cases.iloc[train], y[train])
                wrong += np.count_nonzero(model.predict(cases.iloc[test]) != y[test])
            error = round(100 * wrong / len(y), 3)
            seconds = round(time.process_time() - begun, 3)
            lines.append({"set": name, "method": method, "error": error, "seconds": seconds})
            print(*lines[-1].values(), flush=True)
        pd.DataFrame(lines).to_csv(file, index=False)
    table = pd.DataFrame(lines).pivot(index="set", columns="method", values="error")
    print(table.to_string())
    print(table.mean())


if __name__ == "__main__":
    main(*sys.argv[1:])
