"""NBDTClassifier as a scikit-learn estimator, with costs, missing cells and cut numbers."""

import numpy as np
import pandas as pd
import pytest

from pinetum.nbdt.estimators import NBDTClassifier

checks = pytest.importorskip("sklearn.utils.estimator_checks")


@pytest.mark.filterwarnings("ignore")
def test_scikit_learn_s_estimator_checks():
    results = checks.check_estimator(NBDTClassifier(depth=2), on_fail=None)
    assert len(results) > 40
    assert [r["check_name"] for r in results if r["status"] == "failed"] == []


def mixed_table():
    rng = np.random.default_rng(3)
    n = 300
    frame = pd.DataFrame(
        {
            "colour": rng.choice(["red", "green", "blue"], n).astype(object),
            "size": rng.normal(size=n),
            "heavy": rng.random(n) < 0.5,
        }
    )
    y = np.where((frame["colour"] == "red") ^ (frame["size"] > 0.3), "yes", "no")
    frame.loc[::9, "colour"] = None
    frame.loc[1::7, "size"] = np.nan
    return frame, y


def test_mixed_columns_and_missing_cells():
    frame, y = mixed_table()
    model = NBDTClassifier(depth=2).fit(frame, y)
    assert model.score(frame, y) > 0.6
    assert sum(leaf["term"] for leaf in model.leaves()) == pytest.approx(model.expected_accuracy_)
    shares = model.predict_proba(frame)
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    assert (model.classes_[shares.argmax(axis=1)] == model.predict(frame)).mean() > 0.99
    moved = frame.sample(frac=1, random_state=1)
    assert (model.predict(moved) == model.predict(frame)[moved.index]).all()


def test_all_methods_give_the_same_tree():
    frame, y = mixed_table()
    trees = [NBDTClassifier(depth=3, method=method).fit(frame, y).tree_ for method in ("bound", "optnbdt", "nbdt")]
    assert trees[0] == trees[1] == trees[2]


def test_costs():
    frame, y = mixed_table()
    cheap = NBDTClassifier(depth=1, costs={"size": 5, "colour": 5}).fit(frame, y)
    assert set(cheap.tree_.used_features) <= {2}
    assert NBDTClassifier(depth=0.5, costs=[1, 1, 1]).fit(frame, y).tree_.depth == 0
    with pytest.raises(ValueError, match="weight"):
        NBDTClassifier(costs={"weight": 2}).fit(frame, y)
    with pytest.raises(ValueError, match="positive"):
        NBDTClassifier(costs=[1, 0, 1]).fit(frame, y)
    with pytest.raises(ValueError, match="whole number"):
        NBDTClassifier(depth=1.5).fit(frame, y)
