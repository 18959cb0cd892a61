"""ID3 against a plain recursion, and the sizes of known trees."""

import math

import numpy as np
import pytest

from pinetum.data.dataset import Dataset
from pinetum.induction.id3 import id3, without_missing


def discrete_table(rng):
    n, n_features, classes = int(rng.integers(1, 40)), int(rng.integers(1, 6)), int(rng.integers(1, 4))
    arity = rng.integers(1, 5, n_features)
    codes = np.array([rng.integers(0, max(1, a - int(rng.integers(0, 2))), n) for a in arity], dtype=np.int32)
    return Dataset(
        name="random",
        codes=codes,
        labels=rng.integers(0, classes, n).astype(np.int32),
        continuous=np.zeros(n_features, dtype=bool),
        values=tuple(tuple("abcd"[:a]) for a in arity),
        feature_names=tuple(f"f{i}" for i in range(n_features)),
        class_names=tuple(f"c{i}" for i in range(classes)),
    )


def info(counts):
    total = sum(counts)
    return -sum(c / total * math.log2(c / total) for c in counts if c) if total else 0.0


def by_recursion(data, cases, left, ties, parent=-1):
    counts = np.bincount(data.labels[cases], minlength=data.n_classes) if len(cases) else np.zeros(data.n_classes)
    if not len(cases):
        return (-1, parent, [])
    label = int(np.argmax(counts))
    if counts.max() == len(cases) or not left:
        return (-1, label, [])
    gains = []
    for f in left:
        parts = [cases[data.codes[f][cases] == v] for v in range(len(data.values[f]))]
        after = [len(p) / len(cases) * info(np.bincount(data.labels[p], minlength=data.n_classes)) for p in parts]
        gains.append(round(info(counts) - sum(after), 9))
    best = max(gains)
    tied = [f for f, gain in zip(left, gains, strict=True) if gain == best]
    f = tied[-1] if ties == "last" else tied[0]
    rest = [g for g in left if g != f]
    branches = [
        by_recursion(data, cases[data.codes[f][cases] == v], rest, ties, label) for v in range(len(data.values[f]))
    ]
    return (f, label, branches)


def shape(tree, node=0):
    return (int(tree.feature[node]), int(tree.label[node]), [shape(tree, child) for child in tree.branches(node)])


@pytest.mark.parametrize("ties", ["last", "first"])
def test_id3_agrees_with_a_plain_recursion(ties):
    for seed in range(300):
        data = discrete_table(np.random.default_rng([seed, 21]))
        tree = id3(data, ties=ties)
        expected = by_recursion(data, np.arange(data.n_cases), list(range(data.n_features)), ties)
        assert shape(tree) == expected, seed


def test_sizes_of_whole_file_trees(encoded):
    assert id3(encoded("car")).n_nodes == 408
    assert id3(encoded("monks-3")).n_nodes == 65


def test_only_complete_discrete_features(twin):
    data = twin.random_table(np.random.default_rng(3), cases=20, missing=0.4)
    with pytest.raises(ValueError, match="discrete features without missing"):
        id3(data)
    table = discrete_table(np.random.default_rng(5))
    table.codes[0, 0] = -1
    assert without_missing(table).codes.min() >= 0
