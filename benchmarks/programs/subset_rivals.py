"""CPU seconds and answers of searches over subsets of features beside mlxtend's, with our tree as
its estimator.

    python benchmarks/programs/subset_rivals.py exhaustive heart               # all subsets of the columns, one by one
    python benchmarks/programs/subset_rivals.py backward sonar ionosphere      # the path of elimination to one column

Errors are those of a stratified five-fold cross-validation, on the same folds; columns are numbers.
Both sides of a data set run in turn in one process, warm; ours is the median of three. Data come
from `results/data`; needs mlxtend.
"""  # noqa: E501

import sys
import time
from statistics import median

from pinetum.peers.adapters.ours import Subsets
from pinetum.peers.adapters.selection import Mlxtend
from pinetum.peers.tables import prepared

from pinetum.randomness import stream
from pinetum.tiers import compile_at_once
from pinetum.validation.folds import stratified_folds


def timed(learner, X, y):
    begun = time.process_time()
    learner.fit(X, y)
    return time.process_time() - begun


def compare(search, name):
    """One line: CPU seconds of both, their ratio, least errors of both, and whether the answers are
    the same.
    """
    X, y, _ = prepared(name, "numbers", 100_000, 0)
    data = {"fold": stratified_folds(y, 5, stream(0, "subset rivals", name))}
    ours, rival = (make(data, search, X.shape[1]) for make in (Subsets, Mlxtend))
    for learner in (ours, rival):
        timed(learner, X[:, :2], y)  # compiles
    mine = [timed(ours, X, y)]
    theirs = timed(rival, X, y)
    mine += [timed(ours, X, y) for _ in range(2)]
    a, b = ours.facts(), rival.facts()
    subsets = 2 ** X.shape[1] - 1 if search == "exhaustive" else X.shape[1] * (X.shape[1] + 1) // 2
    same = "same answer" if a["answer"] == b["answer"] else "OTHER ANSWER"
    print(
        f"{name:12} {len(y):6} cases {subsets:7,} subsets  ours {median(mine):8.3f} s  mlxtend"
        f" {theirs:8.2f} s  x {theirs / median(mine):6.0f}  errors {a['search_errors']:g} and"
        f" {b['search_errors']:g}: {same}",
        flush=True,
    )


if __name__ == "__main__":
    compile_at_once()
    for dataset in sys.argv[2:]:
        compare(sys.argv[1], dataset)
