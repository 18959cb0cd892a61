"""TreeClassifier as a scikit-learn estimator, on mixed columns."""

import numpy as np
import pandas as pd
import pytest

from pinetum import PRUNERS, TreeClassifier

sklearn_checks = pytest.importorskip("sklearn.utils.estimator_checks")


@pytest.mark.parametrize(
    "model", [TreeClassifier(), TreeClassifier("c45", prune=True)], ids=["yadt", "c45 pruned"]
)
@pytest.mark.filterwarnings("ignore")
def test_scikit_learn_s_estimator_checks(model):
    results = sklearn_checks.check_estimator(model, on_fail=None)
    assert len(results) > 40
    assert [r["check_name"] for r in results if r["status"] == "failed"] == []


def mixed_table():
    rng = np.random.default_rng(8)
    n = 400
    frame = pd.DataFrame(
        {
            "colour": pd.Categorical(
                rng.choice(["red", "green", "blue"], n), categories=["red", "green", "blue", "grey"]
            ),
            "size": rng.normal(size=n),
            "shape": rng.choice(["round", "square"], n).astype(object),
            "heavy": rng.random(n) < 0.5,
        }
    )
    y = np.where((frame["colour"] == "red") ^ (frame["size"] > 0.3), "yes", "no")
    frame.loc[::7, "size"] = np.nan
    frame.loc[3::11, "colour"] = None
    return frame, y


def test_discrete_columns_by_dtype_and_missing_values():
    frame, y = mixed_table()
    model = TreeClassifier(min_cases=5).fit(frame[:300], y[:300])
    assert model.score(frame[300:], y[300:]) > 0.8
    assert model.tree_.values == (
        ("red", "green", "blue", "grey"),
        None,
        ("round", "square"),
        ("False", "True"),
    )
    shares = model.predict_proba(frame[300:])
    np.testing.assert_allclose(shares.sum(1), 1)
    strange = frame[300:].assign(colour="purple")
    np.testing.assert_allclose(model.predict_proba(strange).sum(1), 1)


def test_weights_count_as_repeated_cases():
    frame, y = mixed_table()
    repeats = np.random.default_rng(1).integers(0, 3, len(y))
    weighted = TreeClassifier().fit(frame, y, sample_weight=repeats)
    repeated = TreeClassifier().fit(
        frame.loc[np.repeat(frame.index, repeats)], np.repeat(y, repeats)
    )
    assert weighted.tree_.sizes == repeated.tree_.sizes
    assert (weighted.predict(frame) == repeated.predict(frame)).all()


def test_pruning_makes_smaller_trees():
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(300, 4)), rng.integers(0, 2, 300)
    full = TreeClassifier("yadt").fit(X, y)
    pruned = TreeClassifier("yadt", prune=True).fit(X, y)
    assert pruned.tree_.n_nodes < full.tree_.n_nodes


class Stump:
    """A pruning function: nothing but the root."""

    def prune(self, tree):
        return tree.cut_back(np.arange(tree.n_nodes) == 0)


def test_any_object_may_prune():
    frame, y = mixed_table()
    assert TreeClassifier(prune=Stump()).fit(frame, y).tree_.n_nodes == 1
    with pytest.raises(ValueError, match="name or a"):
        TreeClassifier(prune=7).fit(frame, y)


def test_columns_are_told_by_place_where_their_names_are_no_text():
    frame, y = mixed_table()
    named = TreeClassifier(min_cases=5).fit(frame, y)
    numbered = TreeClassifier(min_cases=5).fit(frame.set_axis(range(4), axis=1), y)
    assert numbered.tree_.values == named.tree_.values
    with pytest.raises(ValueError, match="expected one again"):
        named.predict(np.zeros((3, 4)))


@pytest.mark.parametrize("name", PRUNERS)
def test_every_pruner_by_name(name):
    frame, y = mixed_table()
    rng = np.random.default_rng(2)
    y = np.where(rng.random(len(y)) < 0.2, "no", y)
    full = TreeClassifier().fit(frame, y)
    pruned = TreeClassifier(prune=name).fit(frame, y)
    assert pruned.get_n_leaves() <= full.get_n_leaves()
    assert name == "NOP" or pruned.get_n_leaves() < full.get_n_leaves()
    again = TreeClassifier(prune=name).fit(frame, y)
    assert again.tree_ == pruned.tree_


def test_leaves_are_limited_by_the_weakest_links():
    frame, y = mixed_table()
    sizes = [
        TreeClassifier(max_leaves=most).fit(frame, y).get_n_leaves()
        for most in (1, 2, 5, 12, 10**6)
    ]
    assert sizes[0] == 1 and all(
        size <= most for size, most in zip(sizes, (1, 2, 5, 12, 10**6), strict=True)
    )
    assert sizes == sorted(sizes) and sizes[-1] == TreeClassifier().fit(frame, y).get_n_leaves()
    with pytest.raises(ValueError, match="max_leaves = 0"):
        TreeClassifier(max_leaves=0).fit(frame, y)


def test_class_weights_move_the_errors():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(400, 3))
    y = (X[:, 0] + rng.normal(size=400) > 1.8).astype(int)
    plain = TreeClassifier(max_leaves=6).fit(X, y)
    balanced = TreeClassifier(max_leaves=6, class_weight="balanced").fit(X, y)
    assert balanced.predict(X).sum() > plain.predict(X).sum()
    assert balanced.tree_.totals[0] == pytest.approx(400, rel=1e-3)


@pytest.mark.parametrize("names", [("NA", "EU"), ("?", "1.0"), ("", "x ")])
def test_classes_may_be_called_what_files_use_for_missing(names):
    frame, y = mixed_table()
    plain = TreeClassifier().fit(frame, y)
    y = np.where(y == "yes", 1, 0)
    named = TreeClassifier().fit(frame, np.array(names)[y])
    assert named.tree_.totals[0] == len(frame) and sorted(named.classes_) == sorted(names)
    assert named.get_n_leaves() == plain.get_n_leaves()


@pytest.mark.parametrize("weights", [[1.0] * 3, [-1.0] * 400, [np.nan] * 400, np.ones((400, 1))])
def test_doubtful_weights_are_refused(weights):
    frame, y = mixed_table()
    with pytest.raises(ValueError, match="sample_weight: "):
        TreeClassifier().fit(frame, y, sample_weight=weights)
