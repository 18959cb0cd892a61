"""Walking cases side by side gives what dropping them one by one gives."""

import numpy as np
import pytest

from pinetum import TreeClassifier
from pinetum.induction import Grower, yadt
from pinetum.induction.cases import dataset_of_numbers
from pinetum.trees import Tree
from pinetum.trees.kernels.walking import TOGETHER


def as_they_lie(table):
    """The same kind of numbers in other places, orders and words."""
    wide = np.full((2 * len(table), 9), np.nan)
    wide[::2, 1:5] = table
    yield from (wide[::2, 1:5], wide[:, 1:5].T[:, ::2].T, table[::-1], table[:, ::-1])
    yield np.broadcast_to(table[:1], table.shape)
    yield table.astype(">f8")
    yield np.nan_to_num(table * 10).astype(np.int16)
    packed = np.zeros(len(table), np.dtype([("odd", np.int8), ("cells", np.float64, 4)]))
    packed["cells"] = table
    yield packed["cells"]
    table.flags.writeable = False
    yield table


def test_walking_agrees_with_dropping():
    for seed in range(60):
        rng = np.random.default_rng(seed)
        n, classes = int(rng.integers(2, 80)), int(rng.integers(1, 4))
        table = rng.normal(size=(n, 4)).round(1)
        table[rng.random(table.shape) < [0.0, 0.15][seed % 2]] = np.nan
        labels = rng.integers(0, classes, n).astype(np.int32)
        data = dataset_of_numbers("random", table, labels, tuple("abc"[:classes]), tuple("wxyz"))
        tree = Grower(data, yadt(int(rng.integers(2, 9)))).grow()
        for cases in (
            table,
            np.asfortranarray(table),
            table.astype(np.float32),
            table[:1],
            table[:2],
            table[:3],
            table[:0],
            *as_they_lie(table),
        ):
            expected, shares = np.empty(len(cases), dtype=np.int32), np.empty((len(cases), classes))
            tree._spread(np.ascontiguousarray(cases, dtype=np.float64), expected, shares)
            assert np.array_equal(tree.predict(cases), expected), seed
            assert np.array_equal(tree.predict_proba(cases), shares), seed
        assert (tree._links is None) == (tree.n_nodes == 1)


@pytest.mark.parametrize("depth", [TOGETHER - 1, TOGETHER, TOGETHER + 1, 3 * TOGETHER])
def test_a_deep_tree_is_walked_to_its_end(depth):
    """A value above all thresholds but the last few goes as deep as there are."""
    table = np.arange(depth + 1.0)[:, None]
    labels = (np.arange(depth + 1) % 2).astype(np.int32)
    data = dataset_of_numbers("chain", table, labels, ("a", "b"), ("x",))
    assert np.array_equal(Grower(data, yadt(2)).grow().predict(table), labels)
    nodes = 2 * depth + 1  # a chain: every left branch is a leaf
    inner = np.arange(0, nodes - 1, 2)
    feature, threshold = np.full(nodes, -1, np.int32), np.full(nodes, np.nan)
    feature[inner], threshold[inner] = 0, np.arange(depth) + 0.5
    start = np.zeros(nodes + 1, np.int32)
    start[1:] = np.cumsum(np.where(feature >= 0, 2, 0))
    children = np.stack([inner + 1, inner + 2], 1).ravel().astype(np.int32)
    label = np.arange(nodes, dtype=np.int32) % 7
    chain = Tree(
        feature, threshold, np.where(feature >= 0, 0, -1).astype(np.int32), start, children,
        np.ones((nodes, 7)), label, ("x",), tuple("abcdefg"), (None,),
    )  # fmt: skip
    ends = np.append(inner + 1, nodes - 1)
    assert np.array_equal(chain.predict(table), label[ends])


def test_a_long_table_is_read_as_it_lies():
    rng = np.random.default_rng(3)
    table = rng.normal(size=(40_001, 4)).astype(np.float32)
    table[rng.random(table.shape) < 0.001] = np.nan
    labels = rng.integers(0, 3, len(table)).astype(np.int32)
    model = TreeClassifier(min_cases=5000).fit(table, labels)
    whole = table.astype(np.float64)
    for cases in (table, np.asfortranarray(table), np.asfortranarray(whole)):
        assert np.array_equal(model.predict(cases), model.predict(whole))
        assert np.array_equal(model.predict_proba(cases), model.predict_proba(whole))
