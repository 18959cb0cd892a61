"""OptimalTreeClassifier for users: mixed columns, weights, costs, limits, files."""

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.estimator_checks import check_estimator

import pinetum
from pinetum import OptimalTreeClassifier


@pytest.mark.filterwarnings("ignore")
def test_scikit_learn_s_estimator_checks():
    results = check_estimator(OptimalTreeClassifier(2), on_fail=None)
    assert len(results) > 40
    assert [r["check_name"] for r in results if r["status"] == "failed"] == []


def mixed_table(n=120):
    rng = np.random.default_rng(3)
    colour = rng.choice(["red", "green", "blue"], n).astype(object)
    frame = pd.DataFrame({"colour": colour, "size": rng.normal(size=n), "old": rng.random(n) < 0.5})
    return frame, np.where((colour == "green") ^ (frame["size"] > 0.3), "yes", "no")


def test_discrete_columns_are_asked_one_value_against_the_rest(tmp_path):
    frame, y = mixed_table()
    model = OptimalTreeClassifier(2).fit(frame, y)
    assert model.status_ == "optimal" and model.value_ == 0 and model.score(frame, y) == 1
    assert "colour = green" in model.to_text() and "colour = not green" in model.to_text()
    assert model.feature_importances_[2] == 0 and model.feature_importances_.sum() == 1
    gaps = frame.copy()
    gaps.loc[::5, "colour"] = None
    assert (model.predict(gaps) == model.predict(gaps.fillna({"colour": "blue"}))).all()
    pinetum.save(model, tmp_path / "model.json")
    again = pinetum.load(tmp_path / "model.json")
    assert (again.predict(gaps) == model.predict(gaps)).all() and again.status_ == "optimal"
    learnt = OptimalTreeClassifier(2).fit(gaps, y)
    assert learnt.value_ == (learnt.predict(gaps) != y).sum() > 0
    gaps.loc[::7, "size"] = np.nan
    assert OptimalTreeClassifier(2).fit(gaps, y).score(frame, y) > 0.8
    gaps["size"], gaps["weight"] = np.nan, frame["size"]
    assert OptimalTreeClassifier(1).fit(gaps, y).feature_importances_[1] == 0
    with pytest.warns(pinetum.data.errors.DataWarning, match=r"colour \(3\)"):
        OptimalTreeClassifier(1, max_values=2).fit(frame, y)


def test_weights_count_as_repeated_cases_and_costs_move_labels():
    frame, y = mixed_table(60)
    times = np.arange(60) % 3
    weighted = OptimalTreeClassifier(1).fit(frame, y, sample_weight=times)
    rows = np.repeat(np.arange(60), times)
    repeated = OptimalTreeClassifier(1).fit(frame.iloc[rows], y[rows])
    assert weighted.value_ == repeated.value_ > 0
    assert (weighted.predict(frame) == repeated.predict(frame)).all()
    careful = OptimalTreeClassifier(1, cost_matrix=[[0, 1], [1000, 0]]).fit(frame, y)
    assert (careful.predict(frame)[y == "yes"] == "yes").all()
    balanced = OptimalTreeClassifier(1, class_weight={"no": 1, "yes": 1000}).fit(frame, y)
    assert (balanced.predict(frame)[y == "yes"] == "yes").all()
    dear = OptimalTreeClassifier(1, costs={"size": 100}).fit(frame, y)
    assert dear.feature_importances_[1] == 0
    assert OptimalTreeClassifier(2, leaf_penalty=60).fit(frame, y).get_n_leaves() == 1
    large = OptimalTreeClassifier(2, min_cases=20).fit(frame, y)
    leaf = large.tree_.feature < 0
    assert large.tree_.totals[leaf].min() >= 20
    for wrong in ({"costs": [1, -1, 0]}, {"cost_matrix": [[0, 1]]}, {"max_depth": 7}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            OptimalTreeClassifier(**wrong).fit(frame, y)


def test_a_stopped_search_has_a_tree_and_a_bound_and_stops_at_the_same_place():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(150, 6)), rng.integers(0, 2, 150)
    models = []
    for work in (1e4, 1e4, 1e5, None):
        with pytest.warns(ConvergenceWarning, match="work limit") if work else no_warning():
            models.append(OptimalTreeClassifier(3, work=work).fit(X, y))
    one, two, later, whole = models
    assert one.to_text() == two.to_text() and one.status_ == "work_limit"
    assert one.bound_ <= later.bound_ <= whole.bound_ == whole.value_ <= later.value_ <= one.value_
    assert later.bound_ > 0 and 0 < one.gap_ <= 1 and whole.gap_ == 0
    assert one.to_text().startswith(f"# not proved (work limit): costs {one.value_:g}, none less")
    assert one.value_ == (one.predict(X) != y).sum()


def no_warning():
    import contextlib

    return contextlib.nullcontext()


def test_depth_by_cross_validation():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 4))
    step, xor = (X[:, 0] > 0).astype(int), ((X[:, 0] > 0) ^ (X[:, 1] > 0)).astype(int)
    assert OptimalTreeClassifier("cv").fit(X, step).depth_ == 1
    model = OptimalTreeClassifier("cv").fit(X, xor)
    assert model.depth_ == 2 and model.losses_.argmin() == 1
