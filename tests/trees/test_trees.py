"""Prediction, sizes, texts, drawings and the JSON round trip of flat trees."""

import json

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
import pytest

from pinetum.data.dataset import Dataset
from pinetum.induction import Grower, c45, yadt
from pinetum.trees import Tree
from pinetum.trees.kernels.dropping import predict_codes

NAN = np.nan


@pytest.fixture
def tree():
    """colour: red -> class a (3); green -> size <= 1.5: b (2, 1 wrong of 3), else a (1).

    Blue -> empty, class a.
    """
    return Tree(
        feature=np.array([0, -1, 1, -1, -1, -1], dtype=np.int32),
        threshold=np.array([NAN, NAN, 1.5, NAN, NAN, NAN]),
        cut=np.array([-1, -1, 1, -1, -1, -1], dtype=np.int32),
        child_start=np.array([0, 3, 3, 5, 5, 5, 5], dtype=np.int32),
        children=np.array([1, 2, 5, 3, 4], dtype=np.int32),
        counts=np.array([[5.0, 2], [3, 0], [2, 2], [1, 2], [1, 0], [0, 0]]),
        label=np.array([0, 0, 0, 1, 0, 0], dtype=np.int32),
        feature_names=("colour", "size"),
        class_names=("a", "b"),
        values=(("red", "green", "blue"), None),
    )


def test_known_unseen_and_missing_values(tree):
    table = np.array([[0, 9], [1, 1.5], [1, 1.6], [2, 0], [1, NAN], [NAN, 1], [7, 2], [NAN, NAN]])
    shares = tree.predict_proba(table)
    third = np.array([1 / 3, 2 / 3])
    spread = 3 / 4 * third + 1 / 4 * np.array([1, 0])
    expected = [
        [1, 0],
        third,
        [1, 0],
        [1, 0],
        spread,
        3 / 7 * np.array([1, 0]) + 4 / 7 * third,
        [1, 0],
        3 / 7 * np.array([1, 0]) + 4 / 7 * spread,
    ]
    np.testing.assert_allclose(shares, expected)
    # A tie of the shares (one half each) goes to the lowest class.
    assert tree.predict(table).tolist() == [0, 1, 0, 0, 0, 0, 0, 0]


def test_codes_and_numbers_give_the_same(tree):
    rng = np.random.default_rng(0)
    n = 300
    values = np.array([0.5, 1.0, 2.0, 3.0])
    data = Dataset(
        name="x",
        codes=np.array([rng.integers(-1, 3, n), rng.integers(-1, 4, n)], dtype=np.int32),
        labels=rng.integers(0, 2, n).astype(np.int32),
        continuous=np.array([False, True]),
        values=(("red", "green", "blue"), values),
        feature_names=("colour", "size"),
        class_names=("a", "b"),
    )
    np.testing.assert_array_equal(tree.predict(data), tree.predict(data.numbers()))
    np.testing.assert_allclose(tree.predict_proba(data), tree.predict_proba(data.numbers()))
    some = np.array([5, 3, 3])
    np.testing.assert_array_equal(tree.predict(data, some), tree.predict(data)[some])
    assert tree.errors(data) == (tree.predict(data) != data.labels).sum()
    with pytest.raises(ValueError, match="2 features, the data have 3"):
        tree.predict(np.zeros((4, 3)))


def test_sizes(tree):
    assert tree.sizes == (6, 2, 4, 1, 2)
    assert tree.sizes.nodes - tree.sizes.empty_leaves == 5
    assert tree.node_depth.tolist() == [0, 1, 1, 2, 2, 1]
    assert tree.used_features.tolist() == [0, 1]
    assert tree.frontier().tolist() == [7, 4]
    lone = tree.cut_back(0)
    assert lone.sizes == (1, 0, 1, 0, 0)
    assert tree.cut_back([2]).feature.tolist() == [0, -1, -1, -1]
    assert tree.cut_back(np.zeros(6, dtype=bool)) == tree


def test_json_round_trip(tree):
    again = Tree.from_json(tree.to_json())
    assert again == tree and hash(again) == hash(tree)
    json.loads(tree.to_json(), parse_constant=pytest.fail)  # plain JSON: no NaN
    with pytest.raises(ValueError, match="not a tree"):
        Tree.from_json("{}")


def test_json_of_grown_trees(tmp_path):
    rng = np.random.default_rng(2)
    values = np.unique(rng.normal(size=60))
    data = Dataset(
        name="x",
        codes=rng.permutation(60)[None].astype(np.int32),
        labels=rng.integers(0, 3, 60).astype(np.int32),
        continuous=np.array([True]),
        values=(values,),
        feature_names=("x",),
        class_names=("a", "b", "c"),
    )
    for options in (yadt(2), c45()):
        grown = Grower(data, options).grow()
        grown.to_json(tmp_path / "tree.json")
        assert Tree.from_json((tmp_path / "tree.json").read_text()) == grown


def test_signature_ignores_counts_but_not_what_the_tree_does(tree):
    from dataclasses import replace

    assert replace(tree, counts=tree.counts * 2).signature() == tree.signature()
    assert replace(tree, counts=tree.counts * 2) != tree
    assert replace(tree, threshold=tree.threshold + 1).signature() != tree.signature()
    assert replace(tree, label=1 - tree.label).signature() != tree.signature()


def test_text(tree):
    assert (
        tree.to_text()
        == "colour = red: a (3)\ncolour = green:\n|   size <= 1.5: b (3/1)\n|   size > 1.5: a"
        " (1)\ncolour = blue: a (0)\n"
    )
    assert tree.to_text(max_depth=1).count("...") == 1
    assert tree.cut_back(0).to_text() == "a (7/2)\n"


def test_dot_quotes_names(tree):
    from dataclasses import replace

    dot = replace(tree, feature_names=('the "colour"', "size")).to_dot()
    assert dot.startswith("digraph tree {") and dot.count("->") == 5
    assert r"the \"colour\"" in dot


def test_drawing_keeps_boxes_apart(tree):
    rng = np.random.default_rng(5)
    X, y = rng.normal(size=(120, 4)), rng.integers(0, 2, 120)
    columns = [np.unique(column, return_inverse=True) for column in X.T]
    data = Dataset(
        name="x",
        codes=np.array([codes for _, codes in columns], dtype=np.int32),
        labels=y.astype(np.int32),
        continuous=np.ones(4, dtype=bool),
        values=tuple(values for values, _ in columns),
        feature_names=tuple("abcd"),
        class_names=("no", "yes"),
    )
    large = Grower(data, yadt(10)).grow()
    for drawn, depth in (
        (tree, None),
        (tree.cut_back(0), None),
        (large, None),
        (large, 1),
        (large, 3),
    ):
        ax = drawn.plot(max_depth=depth)
        ax.figure.canvas.draw()
        boxes = [patch.get_window_extent() for patch in ax.patches]
        assert len(boxes) == (
            drawn.n_nodes if depth is None else np.count_nonzero(drawn.node_depth <= depth)
        )
        room = ax.figure.bbox
        assert all(room.y0 <= box.y0 and box.y1 <= room.y1 for box in boxes), "a box is cut off"
        assert all(room.x0 <= box.x0 and box.x1 <= room.x1 for box in boxes)
        overlaps = sum(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[:i])
        assert overlaps == 0
        plt.close(ax.figure)


def dropped(tree, codes, node=0, weight=1.0):
    """(label where the case ends in one leaf, shares of the classes), by recursion."""
    counts, f = tree.counts[node], tree.feature[node]
    if f < 0:
        shares = counts / counts.sum() if counts.sum() else np.eye(len(counts))[tree.label[node]]
        return int(tree.label[node]), weight * shares
    below = tree.children[tree.child_start[node] : tree.child_start[node + 1]]
    code = codes[f]
    branch = code if tree.cut[node] < 0 else int(code > tree.cut[node])
    if code >= 0 and branch < len(below):
        return dropped(tree, codes, below[branch], weight)
    totals = tree.counts[below].sum(axis=1)
    parts = [
        dropped(tree, codes, b, weight * t / totals.sum())[1]
        for b, t in zip(below, totals, strict=True)
        if t
    ]
    return None, sum(parts)


def test_codes_are_dropped_as_by_recursion():
    """Deep trees, ties in leaves that the parent's class breaks, values that no branch is for,
    missing ones.
    """
    for seed in range(40):
        rng = np.random.default_rng(seed)
        n, arity, classes = int(rng.integers(2, 40)), rng.integers(2, 5, 4), int(rng.integers(2, 4))
        codes = np.array([rng.integers(0, a, n) for a in arity], dtype=np.int32)
        labels = rng.integers(0, classes, n).astype(np.int32)
        continuous = rng.random(4) < 0.3
        values = [
            np.arange(a, dtype=float) if c else tuple("abcd"[:a])
            for a, c in zip(arity, continuous, strict=True)
        ]
        data = Dataset(
            "t", codes, labels, continuous, tuple(values), tuple("wxyz"), tuple("klm"[:classes])
        )
        tree = Grower(data, yadt(int(rng.integers(1, 6)))).grow()
        new = np.array([rng.integers(-1, a + 2, 60) for a in arity], dtype=np.int32)
        found, shares = np.empty(60, np.int32), np.empty((60, classes))
        totals = tree.counts.sum(axis=1)
        predict_codes(
            tree.feature,
            tree.cut,
            tree.child_start,
            tree.children,
            tree.counts,
            totals,
            tree.label,
            new,
            np.arange(60),
            found,
            shares,
        )
        for case in range(60):
            label, wanted = dropped(tree, new[:, case])
            assert shares[case] == pytest.approx(wanted, abs=1e-12), (seed, case)
            best = int(np.argmax(wanted >= wanted.max() - 1e-9))
            assert found[case] == (best if label is None else label), (seed, case)
