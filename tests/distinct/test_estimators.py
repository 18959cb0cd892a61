"""BestSubset and NearOptimalTrees as scikit-learn estimators."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import check_estimator

from pinetum import BestSubset, NearOptimalTrees, TreeClassifier


@pytest.mark.parametrize(
    "model",
    [BestSubset(2, work=10**6), NearOptimalTrees(folds=2, work=10**6)],
    ids=["best", "near"],
)
@pytest.mark.filterwarnings("ignore")
def test_scikit_learn_s_estimator_checks(model):
    results = check_estimator(model, on_fail=None)
    assert len(results) > 40
    assert [(r["check_name"], r["exception"]) for r in results if r["status"] == "failed"] == []


def mixed(seed=0, cases=160):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "noise": rng.normal(size=cases),
            "colour": pd.Categorical(rng.choice(["red", "green", "blue"], cases)),
            "one": "same",
            "size": rng.normal(size=cases),
        }
    )
    return frame, np.where((frame["colour"] == "red") ^ (frame["size"] > 0), "yes", "no")


@pytest.mark.filterwarnings("ignore:table")
def test_the_best_subset_of_a_mixed_frame():
    frame, y = mixed()
    model = BestSubset(outer_folds=3).fit(frame, y)
    assert model.get_feature_names_out().tolist() == ["colour", "size"]
    assert model.status_ == "optimal" and model.bound_ == model.search_error_ < 0.1
    assert 0 <= model.outer_error_ < 0.2
    assert list(model.transform(frame).columns) == ["colour", "size"]
    assert model.feature_importances_[[0, 2]].tolist() == [0, 0]
    pipeline = make_pipeline(BestSubset(), TreeClassifier())
    assert cross_val_score(pipeline, frame, y, cv=3).mean() > 0.85
    search = GridSearchCV(pipeline, {"treeclassifier__min_cases": [2, 20]}, cv=3).fit(frame, y)
    assert search.best_score_ > 0.85


@pytest.mark.filterwarnings("ignore:table")
def test_near_optimal_trees_of_a_mixed_frame():
    frame, y = mixed()
    near = NearOptimalTrees(0.05).fit(frame, y)
    assert set(near.indispensable_) == {"colour", "size"}
    assert near.shares_[2] == 0 and near.shares_[1] == 1
    assert len(near.to_frame()) == len(list(near)) == near.n_trees_
    assert near.errors_ == sorted(near.errors_)
    assert near.score(frame, y) > 0.9
    votes = near.predict_proba(frame)
    assert np.allclose(votes.sum(axis=1), 1)


@pytest.mark.filterwarnings("ignore:table")
def test_what_a_limit_leaves_open_is_said():
    frame, y = mixed()
    with pytest.warns(ConvergenceWarning, match="not proved"):
        assert BestSubset(work=1).fit(frame, y).status_ == "work_limit"
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        with pytest.raises(
            (ValueError, ConvergenceWarning), match=r"no tree was found|not complete"
        ):
            NearOptimalTrees(work=1).fit(frame, y)
