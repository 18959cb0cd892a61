"""Random forests, and plain recursive twins of every compiled pruner: nested trees, no arrays, no
cleverness.
"""

import math
from types import SimpleNamespace

import numpy as np
import pytest

from pinetum.pruning.forest import dropped, grow_forest
from pinetum.pruning.table import Table

SLACK = 0.1


def nested(forest, t, probes=None):
    """Tree t as nested objects."""
    nodes = forest.nodes

    def build(i):
        return SimpleNamespace(
            feature=int(nodes.feature[i]),
            label=int(nodes.label[i]),
            n=int(nodes.n[i]),
            c=int(nodes.c[i]),
            train=nodes.train[i].astype(float),
            tests=forest.tests[i],
            probes=None if probes is None else probes[i],
            children=[build(int(j)) for j in nodes.children[nodes.first[i] : nodes.first[i + 1]]],
        )

    return build(int(forest.start[t]))


def size(tree):
    return 1 + sum(size(child) for child in tree.children)


def leaves(tree):
    return sum(map(leaves, tree.children)) if tree.children else 1


def wrong(tree):
    return sum(map(wrong, tree.children)) if tree.children else tree.n - tree.c


def hits(tree, what="tests"):
    if tree.children:
        return sum(hits(child, what) for child in tree.children)
    return int(getattr(tree, what)[tree.label])


def leaf_of(tree, label=None):
    return SimpleNamespace(
        **{
            **vars(tree),
            "children": [],
            "feature": -1,
            "label": tree.label if label is None else label,
        }
    )


def with_children(tree, children):
    return SimpleNamespace(**{**vars(tree), "children": children})


def bottom_up(tree, errors, slack=0.0, charge=0.0):
    """(pruned tree, its errors); `errors(node)` are the errors of a node as a leaf."""
    if not tree.children:
        return tree, errors(tree)
    done = [bottom_up(child, errors, slack, charge) for child in tree.children]
    total = sum(error for _, error in done)
    if errors(tree) <= total + charge + slack:
        return leaf_of(tree), errors(tree)
    return with_children(tree, [child for child, _ in done]), total + charge


def pessimistic(tree):
    """Quinlan 1987, top down."""
    if not tree.children:
        return tree
    below = min(wrong(tree) + leaves(tree) / 2, tree.n)
    error = math.sqrt(below * (tree.n - below) / tree.n)
    if tree.n - tree.c + 0.5 <= below + error:
        return leaf_of(tree)
    return with_children(tree, [pessimistic(child) for child in tree.children])


def minimum_error(tree, prior, m):
    def guess(node):
        if node.n == 0:
            return node.label, 0.0
        rate = [1 - (node.train[k] + m * prior[k]) / (node.n + m) for k in range(len(prior))]
        label = int(np.argmin(np.round(rate, 12)))
        return label, rate[label]

    def go(node):
        label, rate = guess(node)
        if not node.children:
            return leaf_of(node, label), rate
        done = [go(child) for child in node.children]
        below = sum(
            child.n / node.n * rate for child, (_, rate) in zip(node.children, done, strict=True)
        )
        if rate <= below + 1e-12:
            return leaf_of(node, label), rate
        return with_children(node, [child for child, _ in done]), below

    return go(tree)[0]


def cost_complexity(tree, alpha):
    """Smallest subtree that minimises errors + alpha * leaves, by choosing at each node."""

    def go(node):
        if not node.children:
            return node, node.n - node.c + alpha
        done = [go(child) for child in node.children]
        total = sum(cost for _, cost in done)
        if node.n - node.c + alpha <= total + 1e-9:
            return leaf_of(node), node.n - node.c + alpha
        return with_children(node, [child for child, _ in done]), total

    return go(tree)[0]


def classify(tree, case):
    while tree.children:
        tree = tree.children[case[tree.feature]]
    return tree.label


def raising(tree, cases, labels, errors):
    """C4.5's error-based pruning in full; `errors(n, c)`."""
    counts = np.bincount(labels, minlength=len(tree.train))
    label = tree.label if counts[tree.label] == counts.max() else int(np.argmax(counts))
    leaf = SimpleNamespace(**{**vars(tree), "label": label, "children": []})
    as_leaf = errors(len(labels), counts[label])
    if not tree.children:
        return leaf, as_leaf
    children, total, most, largest = [], 0.0, -1, 0
    for v, child in enumerate(tree.children):
        some = cases[:, tree.feature] == v
        if some.any():
            child, error = raising(child, cases[some], labels[some], errors)
            total += error
        children.append(child)
        if some.sum() >= most:
            most, largest = some.sum(), v
    branch = children[largest]
    reached = {}
    for case, y in zip(cases, labels, strict=True):
        end = branch
        while end.children:
            end = end.children[case[end.feature]]
        reached.setdefault(id(end), []).append(y)
    raised = sum(errors(len(ys), np.bincount(ys).max()) for ys in reached.values())
    if as_leaf <= raised + SLACK and as_leaf <= total + SLACK:
        return leaf, as_leaf
    if raised <= total + SLACK:
        return raising(branch, cases, labels, errors)
    return SimpleNamespace(**{**vars(tree), "label": label, "children": children}), total


def id3(cases, labels, arity, classes, rules, above=0, used=()):
    """Recursive ID3 as the study reads it."""
    counts = np.bincount(labels, minlength=classes)
    label = int(np.argmax(counts))
    if len(labels) == 0 or (
        rules.ties_to_parent and above is not None and counts[above] == counts.max()
    ):
        label = above if above is not None else 0
    tree = SimpleNamespace(
        feature=-1, label=label, n=len(labels), c=int(counts[label]), train=counts, children=[]
    )
    free = [f for f in range(len(arity)) if f not in used]
    if counts.max() == len(labels) or not free:
        return tree

    def entropy(y):
        p = np.bincount(y) / len(y)
        return -sum(q * math.log(q) for q in p if q > 0)

    best, chosen = math.inf, None
    for f in free:
        parts = [labels[cases[:, f] == v] for v in range(arity[f])]
        if rules.skip_constant and max(map(len, parts)) == len(labels):
            continue
        left = sum(len(part) / len(labels) * entropy(part) for part in parts if len(part))
        if left < best - 1e-9 or (rules.ties_last and left <= best + 1e-9):
            best, chosen = left, f
    if chosen is None:
        return tree
    tree.feature = chosen
    tree.children = [
        id3(
            cases[cases[:, chosen] == v],
            labels[cases[:, chosen] == v],
            arity,
            classes,
            rules,
            label,
            (*used, chosen),
        )
        for v in range(arity[chosen])
    ]
    return tree


@pytest.fixture(scope="session")
def twin():
    return SimpleNamespace(**{name: value for name, value in globals().items() if callable(value)})


def random_table(rng, cases=60, features=5, classes=3, widest=4, noise=0.3):
    arity = rng.integers(2, widest + 1, features).astype(np.int32)
    codes = np.stack([rng.integers(0, a, cases) for a in arity]).astype(np.int16)
    labels = (codes[0] + codes[1] * (codes[2] > 0)) % classes
    labels = np.where(rng.random(cases) < noise, rng.integers(0, classes, cases), labels).astype(
        np.int32
    )
    names = tuple(map(str, range(features)))
    domains = tuple(tuple(map(str, range(a))) for a in arity)
    return Table(
        "random",
        codes,
        labels,
        arity,
        np.arange(features, dtype=np.int32),
        classes,
        names,
        domains,
        ("a", "b", "c"),
    )


@pytest.fixture(scope="session")
def forests():
    """Tables with random roles (0 grow, 1 judge, 2 probe), their forests and the probes' counts:
    2,000 trees.
    """
    made = []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        table = random_table(rng, cases=int(rng.integers(12, 90)), classes=int(rng.integers(2, 4)))
        roles = rng.choice(np.array([0, 0, 0, 1, 2], np.int8), (50, len(table.labels)))
        roles[:, 0] = 0
        forest = grow_forest(table, roles)
        made.append((table, roles, forest, dropped(forest, table, roles, 2)))
    return made


@pytest.fixture(scope="session")
def make_table():
    return random_table
