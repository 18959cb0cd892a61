"""The ways to learn from a table of one's own, and what each of them takes.

What a fit takes is bounded before anything is allocated: cases are sampled by class where there are
too many cells, searches have a limit in steps, and of columns that a method cannot take those are
left out, so that no method is lost for one of them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from pinetum.constants import MISSING
from pinetum.validation.samples import joined, within_cells

LEAST_CASES = 10
MILLION = 1_000_000
CELLS = 10  # that the search for a small tree looks at in the time of a step of other searches
THRESHOLDS = 8  # of a number, in trees that are right on every case
BINS = 8  # that a number is cut into where columns are put in order


@dataclass(frozen=True)
class Method:
    """One way to learn from a table.

    fit        (table, settings) -> fitted model
    words      what the page calls it
    about      one line for the page
    searches   whether it searches, and so learns from fewer cells
    columns    columns that it takes; of `coded` ones, where a discrete column counts as many as it
               has values
    branches   values of a discrete column that it takes, or None
    classes    classes that it takes, or None
    """

    fit: Callable
    words: str
    about: str
    searches: bool = True
    columns: int = 100_000
    coded: bool = False
    branches: int | None = None
    classes: int | None = None


def fit_tree(table, settings, **parameters):
    from pinetum.estimators import TreeClassifier

    return TreeClassifier("c45", prune=True, **parameters).fit(table)


def fit_majority(table, settings):
    from pinetum.estimators import TreeClassifier

    return TreeClassifier(max_depth=0).fit(table)


def fit_depth_three(table, settings):
    from pinetum.optimal.estimators import OptimalTreeClassifier

    return OptimalTreeClassifier(3, work=settings["work"] * CELLS * MILLION).fit(table)


def fit_best_subset(table, settings):
    from pinetum.distinct.estimators import BestSubset

    work, memory = settings["work"] * MILLION, settings["memory_mb"] // 4
    return BestSubset(work=work, cache_mb=memory).fit(table)


def fit_few_columns(table, settings):
    from pinetum.elimination.estimators import BackwardElimination

    work, memory = settings["work"] * MILLION, settings["memory_mb"] // 4
    path = BackwardElimination(stop="one_standard_error", work=work, cache_mb=memory)
    chosen = path.fit(table).get_support(indices=True)
    return fit_tree(table.take_features(chosen if len(chosen) else [0]), settings)


def fit_minimal(table, settings):
    from pinetum.greedy_dp.estimators import MinimalTree

    work, memory = settings["work"] * MILLION // 4, settings["memory_mb"] // 8
    return MinimalTree(thresholds=THRESHOLDS, work=work, memory_mb=memory).fit(table)


def fit_planes(table, settings, max_depth=2):
    from pinetum.separators.estimators import SeparatorClassifier

    return SeparatorClassifier("FM_RLP-P", max_depth=max_depth).fit(table)


METHODS = {
    "majority": Method(
        fit_majority,
        "always the most frequent class",
        "asks nothing: what every other method has to beat",
        searches=False,
    ),
    "tree": Method(fit_tree, "pruned tree", "C4.5's tree, pruned", searches=False),
    "small_tree": Method(
        partial(fit_tree, max_depth=3),
        "pruned tree of at most three questions a case",
        "C4.5's tree, cut off at depth 3, pruned",
        searches=False,
    ),
    "depth_three": Method(
        fit_depth_three,
        "best tree of three questions a case",
        "the tree of depth 3 with the fewest training errors",
        columns=200,
        branches=100,
        classes=20,
    ),
    "best_subset": Method(
        fit_best_subset,
        "tree on the best subset of columns",
        "all subsets are searched for the one that is best in cross-validation",
        columns=1000,
    ),
    "few_columns": Method(
        fit_few_columns,
        "pruned tree on few columns",
        "C4.5's pruned tree on the columns that backward elimination leaves",
        columns=1000,
    ),
    "minimal": Method(
        fit_minimal,
        "smallest tree without training errors",
        "right on every case that it learnt from, chance included",
        columns=200,
        branches=100,
    ),
    "plane": Method(
        partial(fit_planes, max_depth=1),
        "one weighted sum of few columns",
        "says one class where a weighted sum passes a limit",
        columns=150,
        coded=True,
        classes=10,
    ),
    "planes": Method(
        fit_planes,
        "weighted sums of few columns, two levels",
        "a tree whose questions are weighted sums",
        columns=150,
        coded=True,
        classes=10,
    ),
}


def reason_against(method: Method, table) -> str:
    """Why a method does not take a table, or nothing."""
    if np.count_nonzero(table.class_counts()) < 2 or table.n_cases < LEAST_CASES:
        return f"{table.n_cases} cases are too few"
    if method.classes is not None and table.n_classes > method.classes:
        return f"{table.n_classes} classes, more than {method.classes}"
    if not len(taken(method, table)):
        return f"every column has more than {method.branches} values"
    return ""


def fit_within(method: Method, table, settings, rng):
    """(model, note): fitted to the columns that the method takes, and to a sample of the cases
    where there are too many cells.
    """
    kept = taken(method, table)
    left = [name for place, name in enumerate(table.feature_names) if place not in set(kept)]
    if left:
        table = table.take_features(kept)
    cells = settings["search_cells" if method.searches else "cells"]
    part, sampled = within_cells(table, cells, rng, columns=int(widths(method, table).sum()))
    more = f" and {len(left) - 3} more" if len(left) > 3 else ""
    without = f"without {', '.join(left[:3])}{more}, which it cannot take" if left else ""
    return method.fit(part, settings), joined(f"learnt from {sampled}" if sampled else "", without)


def widths(method, table) -> np.ndarray:
    """What every column counts for a method."""
    coded = method.coded & ~table.continuous & (table.arity > 2)
    return np.where(coded, table.arity, 1)


def taken(method, table) -> np.ndarray:
    """Places of the columns that a method takes: none of too many values, and where they are too
    many together those that tell most of the class on their own.
    """
    fits = np.ones(table.n_features, dtype=bool)
    if method.branches is not None:
        fits &= table.continuous | (table.arity <= method.branches)
    width = widths(method, table)
    if width[fits].sum() <= method.columns:
        return np.flatnonzero(fits)
    told = np.array(
        [told_of_class(table, place) if fits[place] else -1.0 for place in range(len(fits))]
    )
    kept, room = [], method.columns
    for place in np.argsort(-told, kind="stable"):
        if fits[place] and width[place] <= room:
            kept.append(place)
            room -= width[place]
    return np.sort(np.array(kept, dtype=np.int64))


def told_of_class(table, place) -> float:
    """Mutual information of a column and the class in nats; numbers in bins of equal size."""
    codes, labels = table.codes[place], table.labels
    known = codes != MISSING
    codes, labels = codes[known], labels[known]
    if not len(codes):
        return 0.0
    if table.continuous[place]:
        edges = np.quantile(codes, np.arange(1, BINS) / BINS)
        codes = np.searchsorted(edges, codes, side="right")
    joint = np.zeros((int(codes.max()) + 1, table.n_classes))
    np.add.at(joint, (codes, labels), 1 / len(codes))
    apart = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0)
    some = joint > 0
    return float((joint[some] * np.log(joint[some] / apart[some])).sum())


def used_columns(model) -> list[str]:
    """Names of the columns that a model looks at, in the order of the table."""
    tree, names = model.tree_, list(model.feature_names_in_)
    if hasattr(tree, "used_features"):
        return [tree.feature_names[feature] for feature in tree.used_features]
    return [str(names[place]) for place in np.flatnonzero(model.feature_importances_)]


def questions_of(model) -> int:
    """How much a reader of a model has to take in: tests of a tree, terms of weighted sums."""
    tree = model.tree_
    inner = tree.feature >= 0 if hasattr(tree, "feature") else tree.weights != 0
    return int(np.count_nonzero(inner))
