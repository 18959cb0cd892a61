"""TreeClassifier as a scikit-learn estimator, on mixed columns."""

import numpy as np
import pandas as pd
import pytest

from pinetum import TreeClassifier

sklearn_checks = pytest.importorskip("sklearn.utils.estimator_checks")


@pytest.mark.parametrize("model", [TreeClassifier(), TreeClassifier("c45", prune=True)], ids=["yadt", "c45 pruned"])
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
    assert model.tree_.values == (("red", "green", "blue", "grey"), None, ("round", "square"), ("False", "True"))
    shares = model.predict_proba(frame[300:])
    np.testing.assert_allclose(shares.sum(1), 1)
    strange = frame[300:].assign(colour="purple")
    np.testing.assert_allclose(model.predict_proba(strange).sum(1), 1)


def test_weights_count_as_repeated_cases():
    frame, y = mixed_table()
    repeats = np.random.default_rng(1).integers(0, 3, len(y))
    weighted = TreeClassifier().fit(frame, y, sample_weight=repeats)
    repeated = TreeClassifier().fit(frame.loc[np.repeat(frame.index, repeats)], np.repeat(y, repeats))
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
    with pytest.raises(ValueError, match="an object with"):
        TreeClassifier(prune=7).fit(frame, y)


def test_columns_are_told_by_place_where_their_names_are_no_text():
    frame, y = mixed_table()
    named = TreeClassifier(min_cases=5).fit(frame, y)
    numbered = TreeClassifier(min_cases=5).fit(frame.set_axis(range(4), axis=1), y)
    assert numbered.tree_.values == named.tree_.values
    with pytest.raises(ValueError, match="expected one again"):
        named.predict(np.zeros((3, 4)))
