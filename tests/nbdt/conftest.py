"""A slow, obvious twin in exact arithmetic, and random problems for it."""

from fractions import Fraction
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest

from pinetum.nbdt.naive_bayes import NaiveBayes


def exact_best(prior, tables, budget, costs=None, joint=None, used=()):
    """Expected accuracy of the best tree: at every node try every affordable feature."""
    costs = costs or [1] * len(tables)
    joint = prior if joint is None else joint
    best = max(joint)
    if best == 0:
        return best
    for feature, table in enumerate(tables):
        if feature in used or costs[feature] > budget:
            continue
        total = 0
        for value in range(len(table[0])):
            child = [y * table[c][value] for c, y in enumerate(joint)]
            total += exact_best(
                prior, tables, budget - costs[feature], costs, child, (*used, feature)
            )
        best = max(best, total)
    return best


def all_trees(n_features, arity, depth, used=()):
    """Every tree of at most this depth, as nested tuples: () is a leaf, (feature, branches) a
    test.
    """
    yield ()
    if depth == 0:
        return
    for feature in range(n_features):
        if feature not in used:
            below = list(all_trees(n_features, arity, depth - 1, (*used, feature)))
            for branches in product(below, repeat=arity[feature]):
                yield feature, branches


def exact_accuracy(tree, joint, tables):
    """Expected accuracy of a nested tree: the sum over its leaves of max P(path, class)."""
    if tree == ():
        return max(joint)
    feature, branches = tree
    table = tables[feature]
    return sum(
        exact_accuracy(branch, [y * table[c][value] for c, y in enumerate(joint)], tables)
        for value, branch in enumerate(branches)
    )


def nested(policy, node=0):
    """A policy as nested tuples."""
    if policy.feature[node] < 0:
        return ()
    children = np.flatnonzero(policy.parent == node)
    return int(policy.feature[node]), tuple(nested(policy, child) for child in children)


def random_problem(rng, classes=2):
    """Small tables of Fractions: coarse weights make ties and zeros, and some features are
    constant.
    """
    n = int(rng.integers(1, 6))
    arity = rng.choice([1, 2, 2, 2, 3, 3, 4, 8], n) if rng.random() < 0.8 else np.full(n, 2)
    unit = int(rng.choice([2, 4, 6, 12, 30]))
    tables = []
    for r in arity:
        if tables and tables[-1][0] and rng.random() < 0.1:
            tables.append(tables[-1])  # a tie everywhere
            continue
        rows = rng.multinomial(unit, np.ones(r) / r, classes)
        tables.append([[Fraction(int(w), unit) for w in row] for row in rows])
    weights = rng.integers(0, 5, classes)
    if rng.random() < 0.1:
        weights[:-1] = 0  # one class only
    if weights.sum() == 0:
        weights[0] = 1
    total = int(weights.sum())
    prior = [Fraction(int(w), total) for w in weights]
    model = NaiveBayes.from_tables(
        [float(p) for p in prior], [[[float(w) for w in row] for row in table] for table in tables]
    )
    return prior, tables, model


def problem_from_cases(rng, alpha, classes=2):
    """Tables as estimated from a few random cases, in Fractions and by the program."""
    n, cases = int(rng.integers(1, 5)), int(rng.integers(1, 8))
    arity = rng.integers(1, 5, n)
    codes = np.array([rng.integers(0, r, cases) for r in arity], dtype=np.int32)
    labels = rng.integers(0, classes, cases)
    prior, tables = exact_estimate(codes, labels, arity, classes, alpha)
    return prior, tables, NaiveBayes.estimate(codes, labels, arity, classes, alpha)


def exact_estimate(codes, labels, arity, classes, alpha):
    def share(count, total):
        return Fraction(int(count)) / total if total else Fraction(0)

    prior = [
        share((labels == c).sum() + alpha, len(labels) + alpha * classes) for c in range(classes)
    ]
    tables = [
        [
            [
                share(
                    ((labels == c) & (column == v)).sum() + alpha,
                    int((labels == c).sum()) + alpha * int(r),
                )
                for v in range(r)
            ]
            for c in range(classes)
        ]
        for column, r in zip(codes, arity, strict=True)
    ]
    return prior, tables


@pytest.fixture(scope="session")
def twin():
    return SimpleNamespace(
        best=exact_best,
        trees=all_trees,
        accuracy=exact_accuracy,
        nested=nested,
        random_problem=random_problem,
        problem_from_cases=problem_from_cases,
        estimate=exact_estimate,
    )
