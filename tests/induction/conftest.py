"""A slow, obvious grower that says what a tree is, written without looking at the kernels."""

import math
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest

from pinetum.data.dataset import Dataset

UNIT = 1 << 20  # integer weight of one case
MASS = 1 << 36
GRID = 1 << 30
NOT = None


def nlogn(weight):
    n = weight / UNIT
    return round(n * math.log2(n) * MASS) if weight else 0


def impurity(counts, criterion):
    """Impurity times cases of class weights, in integer units."""
    total = sum(counts)
    if total == 0:
        return 0
    if criterion == "gini":
        n = total / UNIT
        return round((n - sum((c / UNIT) * (c / UNIT) for c in counts) / n) * MASS)
    return nlogn(total) - sum(nlogn(c) for c in counts)


def counts_of(cases, data):
    counts = [0] * data.n_classes
    for case, weight in cases:
        counts[data.labels[case]] += weight
    return counts


def split_cases(cases, codes, branch_of, n_branches):
    """Known cases go where their value sends them, the others everywhere in proportion."""
    known = [0] * n_branches
    for case, weight in cases:
        if codes[case] >= 0:
            known[branch_of(codes[case])] += weight
    total = sum(known)
    parts = [[] for _ in range(n_branches)]
    for case, weight in cases:
        if codes[case] >= 0:
            parts[branch_of(codes[case])].append((case, weight))
        else:
            for k in range(n_branches):
                share = (weight * known[k] + total // 2) // total
                if known[k] and share:
                    parts[k].append((case, share))
    return parts


def evaluate(cases, feature, data, options):
    """(mass gain, split mass, gain on the grid, codes on both sides of the cut), or NOT."""
    codes = data.codes[feature]
    known = [(case, weight) for case, weight in cases if codes[case] >= 0]
    node = sum(weight for _, weight in cases)
    known_weight = sum(weight for _, weight in known)
    criterion = options.criterion

    def judge(parts):
        sizes = [sum(weight for _, weight in part) for part in parts]
        mass = impurity(counts_of(known, data), criterion)
        mass -= sum(impurity(counts_of(part, data), criterion) for part in parts)
        split = nlogn(node) - nlogn(node - known_weight) - sum(nlogn(size) for size in sizes)
        return mass, split, sizes

    if not data.continuous[feature]:
        parts = [
            [pair for pair in known if codes[pair[0]] == v]
            for v in range(len(data.values[feature]))
        ]
        mass, split, sizes = judge(parts)
        second = sorted(sizes, reverse=True)[1] if len(sizes) > 1 else 0
        if second == 0 or second < options.min_branch * UNIT:
            return NOT
        return mass, split, round(mass / node * GRID / MASS * UNIT), -1, -1

    values = data.values[feature]
    seen = sorted({int(codes[case]) for case, _ in known})
    least = max(1, options.min_branch * UNIT)
    if options.side_share:
        least = max(least, min(-(-known_weight // (10 * data.n_classes)), 25 * UNIT))
    tried = []
    for below, above in pairwise(seen):
        left = [pair for pair in known if codes[pair[0]] <= below]
        right = [pair for pair in known if codes[pair[0]] > below]
        mass, split, sizes = judge([left, right])
        near = options.min_gap and not values[below] < values[above] - options.min_gap
        if min(sizes) >= least and not near:
            tried.append((round(mass / node * GRID / MASS * UNIT), -below, above, mass, split))
    if not tried:
        return NOT
    _, below, above, mass, split = max(tried)
    if options.penalty and len(tried) > 1:
        mass -= round(math.log2(len(tried)) * MASS)
    if mass <= 0:
        return NOT
    return mass, split, round(mass / node * GRID / MASS * UNIT), -below, above


def choose(cases, features, data, options, n_training):
    node = sum(weight for _, weight in cases)
    found = {f: evaluate(cases, f, data, options) for f in features}
    found = {f: result for f, result in found.items() if result is not NOT}
    average = -1e9
    if options.average_gain:

        def many(f):
            return not data.continuous[f] and len(data.values[f]) >= 0.3 * n_training

        fair = [f for f in found if all(map(many, features)) or not many(f)]
        average = sum(found[f][2] for f in fair) / len(fair) - 0.001 * GRID if fair else 1e6 * GRID
    best, best_worth = None, None
    for f in sorted(found):
        mass, split, gain, *_ = found[f]
        if gain < (0 if options.zero_gain else 1) or gain < round(options.min_gain * GRID):
            continue
        worth = gain
        if options.criterion == "gain_ratio":
            if gain < average or split * UNIT <= 0.001 * MASS * node:
                continue
            worth = round(mass / split * GRID)
        if best is None or worth > best_worth:
            best, best_worth = f, worth
    return best, found.get(best)


def grow(cases, features, data, options, n_training, parent_label=-1, depth=0):
    """Nested tree: feature (-1: leaf), threshold, label, counts, errors, branches."""
    counts = counts_of(cases, data)
    weight = sum(counts)
    if not cases:
        return SimpleNamespace(
            feature=-1, threshold=None, label=parent_label, counts=counts, errors=0, branches=[]
        )
    winners = [c for c in range(data.n_classes) if counts[c] == max(counts)]
    label = parent_label if parent_label in winners and not options.lowest_class else winners[0]
    leaf = SimpleNamespace(
        feature=-1,
        threshold=None,
        label=label,
        counts=counts,
        errors=weight - max(counts),
        branches=[],
    )
    if max(counts) == weight or weight < options.min_cases * UNIT or depth == options.max_depth:
        return leaf
    feature, found = choose(cases, features, data, options, n_training)
    if feature is None:
        return leaf
    codes, threshold = data.codes[feature], None
    if data.continuous[feature]:
        below, above = found[3:]
        a, b = data.values[feature][below], data.values[feature][above]
        threshold = (a + b) / 2 if a <= (a + b) / 2 < b else a
        parts = split_cases(cases, codes, lambda code: int(code > below), 2)
    else:
        parts = split_cases(cases, codes, lambda code: code, len(data.values[feature]))
    branches = [grow(part, features, data, options, n_training, label, depth + 1) for part in parts]
    errors = sum(branch.errors for branch in branches)
    if options.collapse and errors >= leaf.errors - 0.001 * UNIT:
        leaf.errors = errors
        return leaf
    return SimpleNamespace(
        feature=feature,
        threshold=threshold,
        label=label,
        counts=counts,
        errors=errors,
        branches=branches,
    )


def grow_tree(data, options, cases=None, weights=None, features=None):
    chosen = range(data.n_cases) if cases is None else cases
    given = [UNIT] * len(chosen) if weights is None else [round(w * UNIT) for w in weights]
    pairs = sorted((int(c), w) for c, w in zip(chosen, given, strict=True) if w)
    offered = range(data.n_features) if features is None else sorted(features)
    nested = grow(pairs, list(offered), data, options, len(pairs))
    if options.training_thresholds:
        lower_thresholds(nested, data, [case for case, _ in pairs])
    return nested


def lower_thresholds(node, data, cases):
    if node.threshold is not None:
        values = data.values[node.feature]
        known = [values[code] for code in data.codes[node.feature][cases] if code >= 0]
        node.threshold = max(v for v in known if v <= node.threshold)
    for branch in node.branches:
        lower_thresholds(branch, data, cases)


def nested(tree, node=0):
    """A flat tree in the shape of the twin's trees, errors left out."""
    branches = [nested(tree, child) for child in tree.branches(node)]
    threshold = None if np.isnan(tree.threshold[node]) else float(tree.threshold[node])
    counts = [round(c * UNIT) for c in tree.counts[node]]
    return int(tree.feature[node]), threshold, int(tree.label[node]), counts, branches


def plain(node):
    threshold = None if node.threshold is None else float(node.threshold)
    return (
        int(node.feature),
        threshold,
        int(node.label),
        node.counts,
        [plain(b) for b in node.branches],
    )


def random_table(rng, *, cases=None, missing=None, n_classes=None):
    """A small table with ties, constant and all-missing columns, duplicate rows, sometimes one
    class.
    """
    n = int(rng.integers(1, 25)) if cases is None else cases
    n_features = int(rng.integers(1, 6))
    classes = int(rng.integers(1, 4)) if n_classes is None else n_classes
    holes = rng.choice([0.0, 0.1, 0.4]) if missing is None else missing
    codes, values, continuous = [], [], []
    for _ in range(n_features):
        kind = rng.choice(
            ["discrete", "few", "many", "constant", "empty"], p=[0.35, 0.3, 0.25, 0.05, 0.05]
        )
        if kind == "discrete":
            arity = int(rng.integers(1, 5))
            column, domain = (
                rng.integers(0, arity, n),
                tuple("abcdef"[: arity + int(rng.integers(0, 2))]),
            )
        else:
            many = rng.normal(size=n)  # unrounded, in more than 64 cases, it is presorted
            many = many if rng.random() < 0.5 else many.round(1)
            raw = {"few": rng.integers(0, 4, n) / 2, "many": many}.get(kind, np.ones(n))
            domain, column = np.unique(raw, return_inverse=True)
        hidden = rng.random(n) < (1.0 if kind == "empty" and holes else holes)
        codes.append(np.where(hidden, -1, column))
        values.append(domain)
        continuous.append(kind != "discrete")
    labels = rng.integers(0, classes, n)
    codes = np.array(codes, dtype=np.int32)
    if rng.random() < 0.3:  # duplicate rows, labels as they fall
        copies = rng.integers(0, n, n)
        codes = codes[:, copies]
    return Dataset(
        name="random",
        codes=np.ascontiguousarray(codes),
        labels=labels.astype(np.int32),
        continuous=np.array(continuous),
        values=tuple(values),
        feature_names=tuple(f"f{i}" for i in range(n_features)),
        class_names=tuple(f"c{i}" for i in range(classes)),
    )


@pytest.fixture(scope="session")
def twin():
    return SimpleNamespace(
        grow=grow_tree,
        plain=plain,
        nested=nested,
        random_table=random_table,
        evaluate=evaluate,
        unit=UNIT,
        grid=GRID,
    )


@pytest.fixture(scope="session")
def encoded(tmp_path_factory):
    """Data sets from the local mirror; a test is skipped where there is none."""
    import os
    from functools import cache

    from pinetum.data.loading import load_catalogue
    from pinetum.data.sources import Setting, serve

    downloads = tmp_path_factory.mktemp("downloads")
    mirror = os.environ.get("PINETUM_MIRROR", "")

    @cache
    def load(name):
        entry = load_catalogue()["datasets"][name]
        local = {**entry, "sources": [source for source in entry["sources"] if "mirror" in source]}
        if not mirror or not local["sources"]:
            pytest.skip("no local mirror of the data sets")
        try:
            return serve(name, local, Setting(mirror, downloads, {})).dataset
        except LookupError as fault:
            pytest.skip(str(fault))

    return load
