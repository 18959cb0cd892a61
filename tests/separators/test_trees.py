"""Trees of planes, tables turned into points, and the classifier."""

import numpy as np
import pandas as pd
import pytest

from pinetum.data import DataError, Dataset
from pinetum.separators.estimators import SeparatorClassifier
from pinetum.separators.names import METHODS
from pinetum.separators.planes import Bench, Settings
from pinetum.separators.tables import Coding, complete_cases, points_of, restored_coding
from pinetum.separators.tree import PlaneTree, grow_tree, information_gain, majority, plane_text


def blobs(seed=0, classes=3, cases=90, n=4):
    rng = np.random.default_rng(seed)
    labels = np.arange(cases) % classes
    centres = 2.0 * rng.normal(size=(classes, n))
    return centres[labels] + rng.normal(size=(cases, n)), labels


def table():
    """One number with a missing cell, one feature of two values, one of three with a missing
    cell.
    """
    return Dataset(
        name="small",
        codes=np.array([[0, 1, 2, -1], [0, 1, 1, 0], [0, 2, -1, 2]], dtype=np.int32),
        labels=np.array([0, 1, 1, 0], dtype=np.int32),
        continuous=np.array([True, False, False]),
        values=(np.array([1.0, 2.0, 6.0]), ("no", "yes"), ("a", "b", "c")),
        feature_names=("size", "old", "kind"),
        class_names=("n", "p"),
    )


@pytest.mark.parametrize("multiclass", ["rest", "pairs"])
@pytest.mark.parametrize("classes", [2, 3, 4])
@pytest.mark.parametrize("method", METHODS)
def test_trees_keep_their_rules(method, classes, multiclass):
    points, labels = blobs(classes, classes)
    tree = grow_tree(
        points, labels, classes, method, max_depth=3, min_cases=8, multiclass=multiclass
    )
    assert tree.depth <= 3
    assert tree.n_leaves == tree.n_decisions + 1
    assert tree.counts[0].tolist() == np.bincount(labels).tolist()
    inner = np.flatnonzero(tree.left >= 0)
    for node in inner:
        assert tree.counts[node].sum() >= 8 and np.count_nonzero(tree.counts[node]) > 1
        children = tree.counts[[tree.left[node], tree.right[node]]]
        assert np.array_equal(children.sum(axis=0), tree.counts[node])
        assert (children.sum(axis=1) > 0).all()
    leaves = tree.leaves_of(points)
    for leaf in np.unique(leaves):
        assert np.array_equal(
            np.bincount(labels[leaves == leaf], minlength=classes), tree.counts[leaf]
        )
    assert np.mean(tree.predict(points) == labels) > 1 / classes
    again = PlaneTree.from_json(tree.to_json())
    assert np.array_equal(again.predict(points), tree.predict(points))
    assert len(tree.to_text().splitlines()) == len(tree.left)


def test_a_tree_grown_out_is_pure():
    points, labels = blobs(1, 2, 60)
    tree = grow_tree(points, labels, 2, "RLP", min_cases=2)
    assert (tree.predict(points) == labels).all()


def test_one_decision_is_the_plane_of_the_method():
    points, labels = blobs(2, 2)
    for method in METHODS:
        tree = grow_tree(points, labels, 2, method, max_depth=1, min_cases=2)
        fit = Bench(points, labels == 1).fit(method)
        assert np.array_equal(tree.weights[0], fit.weights) and tree.offset[0] == fit.offset


def test_trees_do_not_depend_on_the_order_of_the_rows():
    points, labels = blobs(3)
    order = np.random.default_rng(0).permutation(len(labels))
    one = grow_tree(points, labels, 3, "FM_RLP-P")
    two = grow_tree(points[order], labels[order], 3, "FM_RLP-P")
    assert np.array_equal(one.left, two.left)
    assert np.allclose(one.weights, two.weights, atol=1e-9) and np.allclose(one.counts, two.counts)


def test_classes_that_are_hard_to_tell_make_a_leaf():
    points = np.zeros((10, 2))
    tree = grow_tree(points, np.arange(10) % 2, 2)
    assert tree.n_leaves == 1 and tree.depth == 0
    again = PlaneTree.from_json(tree.to_json())
    assert again.predict(points).tolist() == tree.predict(
        points
    ).tolist() and again.counts.tolist() == [[5, 5]]
    one_class = PlaneTree.from_json(grow_tree(points, np.zeros(10, dtype=int), 1).to_json())
    assert one_class.counts.tolist() == [[10]]
    for leaf in (tree, one_class):
        assert leaf.offset.tolist() == [0.0] and not leaf.weights.any()


def test_domains_of_a_kept_model_are_restored_or_refused():
    data, coding = restored_coding(
        ("size", "old", "kind"), [None, ["no", "yes"], ["a", "b", "c"]], [2.5, 1, 0]
    )
    assert data.continuous.tolist() == [True, False, False] and coding.fills == (2.5, 1, 0)
    assert data.values[1:] == (("no", "yes"), ("a", "b", "c"))
    table = np.array([[1.0, 1, 2], [np.nan, np.nan, np.nan]])
    assert points_of(coding, data, table).tolist() == [[1.0, 1, 0, 0, 1], [2.5, 1, 1, 0, 0]]
    for domains, fills in (
        ([["no", "yes"]], [2]),
        ([["no", 1]], [0]),
        ([["a"]], [True]),
        ([None], [np.inf]),
        ([], [0]),
    ):
        with pytest.raises(DataError, match="domains and fills"):
            restored_coding(("old",), domains, fills)


def test_the_gain_of_a_side_is_the_textbook_one():
    def bits(*counts):
        shares = np.array([count for count in counts if count]) / sum(counts)
        return -(shares * np.log2(shares)).sum()

    labels = np.array([0] * 6 + [1] * 4)
    right = np.array([False] * 5 + [True] * 5)
    assert information_gain(labels, right, 2) == pytest.approx(
        bits(6, 4) - 0.5 * bits(5, 0) - 0.5 * bits(1, 4)
    )
    assert majority(np.array([3, 3, 1]), 1) == 1 and majority(np.array([3, 3, 1]), None) == 0


def test_planes_are_readable():
    assert plane_text(np.array([-2.0, 0.0, 0.5]), 1.0, ["a", "b", "c"]) == "-2 a + 0.5 c > 1"
    assert plane_text(np.zeros(1), -1.0, ["a"]) == "0 > -1"


def test_cases_on_the_plane_are_negative_whatever_the_rounding():
    fit = Bench(np.array([[-2.0], [2.0], [0.0]]), np.array([False, True, False])).fit("RLP")
    shifted = np.array([[fit.offset / fit.weights[0] * (1 + 1e-15)]])
    assert not fit.predict(shifted)[0]


def test_discrete_features_become_indicators_or_ranks_and_gaps_are_filled():
    code = Coding.fit(table())
    assert code.names == ("size", "old = yes", "kind = a", "kind = b", "kind = c")
    assert code.points(table()).tolist() == [
        [1, 0, 1, 0, 0],
        [2, 1, 0, 0, 1],
        [6, 1, 0, 0, 1],  # the most frequent value is c
        [3, 0, 0, 0, 1],  # the mean is 3
    ]
    ranks = Coding.fit(table(), "ordinal")
    assert ranks.names == ("size", "old", "kind")
    assert ranks.points(table())[:, 2].tolist() == [0, 2, 2, 2]
    assert complete_cases(table()).n_cases == 2
    with pytest.raises(ValueError, match="coding = 'other'"):
        Coding.fit(table(), "other")


def test_fills_come_from_the_training_cases():
    code = Coding.fit(table().take_cases([0, 1]))
    assert code.points(table())[3, 0] == 1.5


def test_the_classifier_tells_its_plane():
    points, labels = blobs(4, 2)
    names = np.array(["bad", "good"])
    model = SeparatorClassifier("FM_RLP-P", max_depth=1).fit(points, names[labels])
    side = points @ model.coef_[0] + model.intercept_[0] > 0
    assert np.array_equal(model.predict(points), names[side.astype(int)])
    assert model.features_ == [f"x{j}" for j in np.flatnonzero(model.coef_[0])]
    assert model.score(points, names[labels]) > 0.8
    assert model.features_[0] in model.plane()
    assert np.array_equal(model.feature_importances_ > 0, model.coef_[0] != 0)
    assert "good" in model.to_text()
    with pytest.raises(ValueError, match="expected one of 'RLP'"):
        SeparatorClassifier("SVM").fit(points, labels)


def test_the_classifier_takes_categories_and_missing_values():
    rng = np.random.default_rng(5)
    frame = pd.DataFrame(
        {"colour": rng.choice(["red", "green", "blue"], 80), "size": rng.normal(size=80)}
    )
    y = np.where((frame["colour"] == "red") | (frame["size"] > 1), "yes", "no")
    frame.loc[::9, "size"] = np.nan
    frame.loc[1::9, "colour"] = None
    model = SeparatorClassifier().fit(frame, y)
    assert model.score(frame, y) > 0.9
    assert "colour = red" in model.to_text()
    strange = frame.assign(colour="purple")
    assert set(model.predict(strange)) <= {"yes", "no"}
    assert model.feature_importances_.shape == (2,)


def test_the_classifier_keeps_scikit_learns_conventions():
    checks = pytest.importorskip("sklearn.utils.estimator_checks")
    results = checks.check_estimator(SeparatorClassifier(), on_fail=None)
    failed = [
        (result["check_name"], result["exception"])
        for result in results
        if result["status"] == "failed"
    ]
    assert not failed


def test_wrong_choices_are_named():
    points, labels = blobs()
    with pytest.raises(ValueError, match="method = 'SVM'"):
        Bench(points, labels == 1).fit("SVM")
    with pytest.raises(ValueError, match="multiclass = 'all'"):
        grow_tree(points, labels, 3, multiclass="all")
    with pytest.raises(ValueError, match="scaling = 'log'"):
        Bench(points, labels == 1, Settings(scaling="log"))
