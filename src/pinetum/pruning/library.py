"""Pruning of any decision tree by any registered pruner, as one function."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from pinetum.constants import MISSING
from pinetum.data.dataset import Dataset
from pinetum.induction.pruning import error_based
from pinetum.parameters import check
from pinetum.pruning.forest import Forest, Trees
from pinetum.pruning.kernels.id3 import Nodes
from pinetum.pruning.methods import prune_trees
from pinetum.pruning.pruners import FOUND, NEEDS, find_pruner
from pinetum.pruning.readings import Reading
from pinetum.randomness import stream
from pinetum.trees.scikit_learn import from_sklearn, places_of
from pinetum.trees.tree import Tree

FOLDS = 10


def prune(
    tree,
    method: object = "EBP",
    X=None,
    y=None,
    *,
    grow: Callable | None = None,
    sample_weight=None,
    random_state: int = 0,
    **options,
) -> Tree:
    """Prune a decision tree.

    Parameters
    ----------
    tree : Tree, or fitted scikit-learn DecisionTreeClassifier
        The tree to prune; it is not changed.
    method : str or object, default "EBP"
        A name of `pinetum.pruning.PRUNERS`, "found:<name>" for a function that the program search
        found, or any object whose `prune(tree)` gives a tree. NOP, NEBP, WEBP, SYNTH, SYNTH+, PEP,
        MEP and found functions read nothing but the tree; EBP, TWEBP, REP, CCP, CCP-0SE and FRONT
        take cases.
    X : Dataset, or array of shape (cases, features), optional
        For EBP the cases that the tree was grown from. For the others cases that it was
        *not* grown from; with `grow`, the cases that it was grown from. Discrete features as codes
        of the tree's domains.
    y : array of shape (cases,), optional
        Their classes, by the names in `tree.class_names`; a Dataset brings its own.
    grow : callable, optional
        `grow(rows)` gives a tree of these rows of X and y: TWEBP, CCP and FRONT choose by ten-fold
        cross-validation, and REP prunes a tree of two thirds of the rows with the last third.
    sample_weight : array of shape (cases,), optional
        Weights of the training cases, for EBP.
    random_state : int, default 0
        Draws the folds and the third of `grow`.
    **options
        Choices of the method (`PRUNERS[method].reads`), such as confidence=0.1 for EBP, WEBP and
        TWEBP, charge for SYNTH+, m_estimate for MEP, max_leaves for FRONT.

    Returns
    -------
    Tree

    Notes
    -----
    A leaf without cases counts no errors. Where X lacks the value that a node tests, TWEBP, REP and
    CCP send the case down the branch of most training cases. NEBP to SYNTH+ are those of Hansen and
    Olsson (2007), the others of the papers that `PRUNERS` names.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = DecisionTreeClassifier(random_state=0).fit(X, y)
    >>> prune(model, "NOP").sizes.leaves
    9
    >>> prune(model, "WEBP").sizes.leaves, prune(model, "EBP", X, y, confidence=0.05).sizes.leaves
    (7, 4)
    >>> print(prune(model, "PEP").to_text())
    x3 <= 0.8: 0 (50)
    x3 > 0.8:
    |   x3 <= 1.75:
    |   |   x2 <= 4.95: 1 (48/1)
    |   |   x2 > 4.95: 2 (6/2)
    |   x3 > 1.75: 2 (46/1)
    """
    check(random_state=random_state)
    grown = as_tree(tree)
    if not isinstance(method, str):
        if not hasattr(method, "prune"):
            raise ValueError(
                f"method {method!r}: expected a pruner's name or an object with `prune(tree)`"
            )
        return method.prune(grown)
    if method.startswith(FOUND):
        from pinetum.pruning.evolution.found import load_found

        return load_found(method.removeprefix(FOUND)).prune(grown)
    entry = find_pruner(method)
    reading = reading_of(method, entry.reads, options)
    if not entry.needs:
        return applied(grown, prune_trees(method, Trees(forest_of([grown])), reading))
    if X is None:
        raise ValueError(f"{method} needs {', '.join(NEEDS[need] for need in entry.needs)}")
    if "cases" in entry.needs:
        mine, data = coded(grown, X, y)
        return error_based(mine, data, weights=sample_weight, cf=reading.confidence).tree
    if grow is None:  # the cases were kept apart: they judge the tree itself
        judged = forest_of([grown], [counts_of(grown, X, y)])
        trees = Trees(judged, folds=judged, holdout=replace(judged, probes=judged.tests), n_folds=1)
        return applied(grown, prune_trees(method, trees, reading))
    rng = stream(random_state, "prune", method)
    cases = n_cases(X)
    if "holdout" in entry.needs:
        order = rng.permutation(cases)
        first, last = np.sort(order[: 2 * cases // 3]), np.sort(order[2 * cases // 3 :])
        grown = as_tree(grow(first))
        judged = forest_of([grown], [counts_of(grown, X, y, last)])
        return applied(
            grown,
            prune_trees(
                method, Trees(judged, holdout=replace(judged, probes=judged.tests)), reading
            ),
        )
    folds = min(FOLDS, cases)
    number = rng.permutation(cases) % folds
    parts = [as_tree(grow(np.flatnonzero(number != k))) for k in range(folds)]
    judged = forest_of(
        parts, [counts_of(part, X, y, np.flatnonzero(number == k)) for k, part in enumerate(parts)]
    )
    return applied(
        grown, prune_trees(method, Trees(forest_of([grown]), folds=judged, n_folds=folds), reading)
    )


def as_tree(tree) -> Tree:
    """A `Tree` as it is, a fitted scikit-learn tree converted."""
    return tree if isinstance(tree, Tree) else from_sklearn(tree)


def reading_of(method, reads, options) -> Reading:
    """The options of a method; one that it does not have is refused with those that it has."""
    for name in options:
        if name not in reads:
            known = ", ".join(reads) or "none"
            raise ValueError(f"{name} is not an option of {method}; its options: {known}")
    return Reading(**options)


def applied(tree: Tree, made) -> Tree:
    """The tree with the marked nodes as leaves, and the classes that the pruner gives."""
    if made.label is not None:
        tree = replace(tree, label=made.label)
    return tree.cut_back((made.cut > 0) & (tree.feature >= 0))


def forest_of(trees, tests=None) -> Forest:
    """Trees of any grower as a forest.

    `tests` are the judging cases at each node by class, tree by tree.
    """
    sizes = [tree.n_nodes for tree in trees]
    start = np.concatenate([[0], np.cumsum(sizes)])
    edges = np.concatenate([[0], np.cumsum([len(tree.children) for tree in trees])])
    train = np.concatenate([tree.counts for tree in trees])
    label = np.concatenate([tree.label for tree in trees]).astype(np.int32)
    if (train == np.rint(train)).all() and train.max(initial=0) < np.iinfo(np.int32).max:
        train = train.astype(np.int32)
    children = np.concatenate(
        [tree.children + first for tree, first in zip(trees, start, strict=False)]
    )
    first = np.concatenate(
        [
            *(tree.child_start[:-1] + edge for tree, edge in zip(trees, edges, strict=False)),
            edges[-1:],
        ]
    )
    parent = np.full(start[-1], -1, np.int32)
    parent[children] = np.repeat(np.arange(start[-1]), np.diff(first))
    nodes = Nodes(
        feature=np.concatenate([tree.feature for tree in trees]).astype(np.int32),
        parent=parent,
        label=label,
        n=train.sum(axis=1, dtype=train.dtype),
        c=np.ascontiguousarray(np.take_along_axis(train, label[:, None], axis=1)[:, 0]),
        first=first.astype(np.int32),
        children=children.astype(np.int32),
        train=train,
    )
    judged = np.zeros(train.shape, np.int32) if tests is None else np.concatenate(tests)
    return Forest(start.astype(np.int64), nodes, judged)


# ---------------------------------------------------------------- cases


def n_cases(X) -> int:
    return X.n_cases if isinstance(X, Dataset) else len(np.asarray(X))


def coded(tree: Tree, X, y) -> tuple[Tree, Dataset]:
    """The tree and the cases in common codes: a Dataset's own, or the tree's thresholds as
    limits.
    """
    if isinstance(X, Dataset):
        if X.n_features != len(tree.feature_names):
            raise ValueError(
                f"the tree has {len(tree.feature_names)} features, X has {X.n_features}"
            )
        data = X if y is None else replace(X, labels=labels_of(tree, y, X.n_cases))
        check_codes(tree, data)
        return tree, data
    table = np.asarray(X, dtype=np.float64)
    if table.ndim != 2 or table.shape[1] != len(tree.feature_names):
        raise ValueError(
            f"the tree has {len(tree.feature_names)} features, X has the shape {table.shape}"
        )
    codes = np.full(table.shape[::-1], MISSING, np.int32)
    values = []
    for f in range(table.shape[1]):
        known = ~np.isnan(table[:, f])
        if tree.values[f] is None:
            values.append(np.unique(tree.threshold[tree.feature == f]))
            codes[f, known] = np.searchsorted(values[f], table[known, f], side="left")
        else:
            values.append(tree.values[f])
            codes[f, known] = table[known, f]
            wrong = (codes[f] >= len(tree.values[f])) | (known & (codes[f] < 0))
            codes[f, wrong] = MISSING  # a value that the tree does not know
    data = Dataset(
        name="cases",
        codes=codes,
        labels=labels_of(tree, y, len(table)),
        continuous=np.array([domain is None for domain in tree.values], dtype=bool),
        values=tuple(values),
        feature_names=tree.feature_names,
        class_names=tree.class_names,
    )
    return replace(tree, cut=places_of(tree.feature, tree.threshold)), data


def check_codes(tree: Tree, data: Dataset) -> None:
    """Refuse codes that are not those of the tree: they would be looked up beyond its branches."""
    if data.labels.max(initial=-1) >= tree.n_classes:
        raise ValueError(f"the tree has {tree.n_classes} classes, X has {data.n_classes}")
    for feature, domain in enumerate(tree.values):
        known = 0 if domain is None else len(domain)
        if data.continuous[feature] != (domain is None) or (
            known and data.codes[feature].max(initial=-1) >= known
        ):
            raise ValueError(
                f"{data.feature_names[feature]}: X has other values than the tree; give the table"
                " that it was grown on"
            )


def labels_of(tree: Tree, y, cases) -> np.ndarray:
    if y is None:
        raise ValueError("X needs its classes y")
    names = [str(label) for label in np.asarray(y).tolist()]
    places = {name: place for place, name in enumerate(tree.class_names)}
    unknown = sorted(set(names) - set(places))
    if unknown:
        raise ValueError(
            f"y holds the class {unknown[0]!r}; the tree's classes are"
            f" {', '.join(tree.class_names)}"
        )
    if len(names) != cases:
        raise ValueError(f"{len(names):,} classes for {cases:,} cases")
    return np.array([places[name] for name in names], np.int32)


def counts_of(tree: Tree, X, y, rows=None, weights=None) -> np.ndarray:
    """Cases of each class at every node, int32 (nodes, classes), once dropped down the tree; with
    weights what they weigh.
    """
    tree, data = coded(tree, X, y)
    codes, labels = (
        (data.codes, data.labels) if rows is None else (data.codes[:, rows], data.labels[rows])
    )
    totals, branches = tree.totals, np.diff(tree.child_start)
    largest = np.zeros(tree.n_nodes, np.int64)
    for place in map(int, np.flatnonzero(branches)):
        largest[place] = np.argmax(totals[tree.branches(place)])
    node, cases = np.zeros(len(labels), np.int64), np.arange(len(labels))
    weights = np.ones(len(labels), np.int32) if weights is None else np.asarray(weights, float)
    if len(weights) != len(labels):
        raise ValueError(f"{len(weights):,} weights for {len(labels):,} cases")
    counts = np.zeros((tree.n_nodes, tree.n_classes), weights.dtype)
    while len(cases):
        np.add.at(counts, (node, labels[cases]), weights[cases])
        feature = tree.feature[node]
        going = feature >= 0
        node, cases, feature = node[going], cases[going], feature[going]
        code, cut = codes[feature, cases], tree.cut[node]
        branch = np.where(np.isnan(tree.threshold[node]), code, (code > cut).astype(np.int32))
        branch = np.where((code == MISSING) | (branch >= branches[node]), largest[node], branch)
        node = tree.children[tree.child_start[node] + branch]
    return counts


def branch_of(tree: Tree, data: Dataset, node, cases) -> np.ndarray:
    """The branch of a node that each of some cases goes down; where the value is missing or unknown
    the branch of most training cases.
    """
    code, below = data.codes[tree.feature[node], cases], tree.branches(node)
    if not np.isnan(tree.threshold[node]):
        return np.where(code == MISSING, np.argmax(tree.totals[below]), code > tree.cut[node])
    known = (code != MISSING) & (code < len(below))
    return np.where(known, code, np.argmax(tree.totals[below]))
