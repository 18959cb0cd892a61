"""MinimalTree as a scikit-learn estimator."""

import numpy as np
import pandas as pd
import pytest
from sklearn.utils import estimator_checks

from pinetum.greedy_dp import MinimalTree


@pytest.mark.filterwarnings("ignore")
def test_scikit_learn_s_estimator_checks():
    results = estimator_checks.check_estimator(MinimalTree(work=200_000, thresholds=20), on_fail=None)
    assert len(results) > 40
    assert [r["check_name"] + str(r["exception"]) for r in results if r["status"] == "failed"] == []


def cases(n=60, seed=0):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "colour": rng.choice(["red", "green", "blue"], n),
            "size": rng.integers(0, 6, n) / 2,
            "shape": rng.choice(["round", "square"], n),
        }
    )
    y = np.where((frame["colour"] == "red") ^ (frame["size"] > 1.2), "yes", "no")
    return frame, y


def test_every_training_case_is_answered_rightly():
    X, y = cases()
    model = MinimalTree("leaves", then=["depth"]).fit(X, y)
    assert model.status_ == "optimal" and (model.predict(X) == y).all()
    assert model.cost_ == model.costs_["terminal nodes"] == 6
    assert {round(float(t), 2) for t in model.tree_.threshold if np.isfinite(t)} == {1.25}
    front = model.pareto_front("depth", "leaves")
    assert [point for point, _ in front] == sorted(point for point, _ in front)
    assert len({tree.signature() for tree in model.sample(5)}) <= model.count()


def test_missing_cells_are_a_value_and_less_than_all_numbers():
    X, y = cases()
    X.loc[::5, "colour"] = None
    X.loc[::4, "size"] = np.nan
    y = np.where(X["colour"].isna() | (X["size"].isna() & (X["shape"] == "round")), "odd", "even")
    model = MinimalTree(inconsistent="most_common").fit(X, y)
    assert (model.predict(X) == y).mean() > 0.9
    assert "colour = ?" in model.to_text()


def test_prices_lead_around_a_dear_test():
    X = pd.DataFrame({"dear": list("0011"), "cheap": list("0011"), "other": list("0101")})
    y = ["a", "a", "b", "b"]
    assert MinimalTree("depth").fit(X, y).tree_.feature[0] == 0
    model = MinimalTree("depth", prices={"dear": 5}).fit(X, y)
    assert model.tree_.feature[0] == 1 and model.cost_ == 1
    with pytest.raises(ValueError, match="'chaep' is not a column"):
        MinimalTree(prices={"chaep": 5}).fit(X, y)
    with pytest.raises(ValueError, match="whole numbers"):
        MinimalTree(prices={"cheap": 0.5}).fit(X, y)


def test_equal_cases_of_different_classes():
    X, y = pd.DataFrame({"a": list("00011"), "b": list("01100")}), np.array(["u", "v", "w", "w", "w"])
    assert MinimalTree(inconsistent="any").fit(X, y).predict(X)[1] in ("v", "w")
    model = MinimalTree(inconsistent="all").fit(X, y)
    assert model.tree_.class_names == ("u", "v and w", "w")
    assert model.predict_proba(X)[1].tolist() == [0, 0.5, 0.5]
    with pytest.raises(ValueError, match="equal rows"):
        MinimalTree(inconsistent="refuse").fit(X, y)


def test_a_leaf_may_be_wrong_for_alpha():
    X, y = pd.DataFrame({"a": list("0011"), "b": list("0101")}), ["u", "u", "u", "v"]
    assert MinimalTree("leaves").fit(X, y).cost_ == 3
    assert MinimalTree("leaves", alpha_rows=1).fit(X, y).cost_ == 1
    assert MinimalTree("leaves", alpha_share=0.25).fit(X, y).cost_ == 1


def test_what_is_not_proved_is_said():
    rng = np.random.default_rng(0)
    X, y = pd.DataFrame(rng.integers(0, 2, size=(150, 14))).astype(str), rng.integers(0, 2, 150)
    with pytest.warns(UserWarning, match="not proved; raise work"):
        model = MinimalTree(work=200_000).fit(X, y)
    assert model.status_ == "work_limit" and model.bound_ < model.cost_
