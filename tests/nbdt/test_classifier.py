"""NBDTClassifier as a scikit-learn estimator: weights of the prior, costs, missing cells, cuts,
limits.
"""

import time

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.estimator_checks import check_estimator

import pinetum
from pinetum.nbdt.estimators import NBDTClassifier
from pinetum.nbdt.splits import between


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("model", [NBDTClassifier(), NBDTClassifier(max_depth=2, n0=30)])
def test_scikit_learn_s_estimator_checks(model):
    results = check_estimator(model, on_fail=None)
    assert len(results) > 40
    assert [r["check_name"] for r in results if r["status"] == "failed"] == []


def mixed_table(n=300):
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(
        {
            "colour": rng.choice(["red", "green", "blue"], n).astype(object),
            "size": rng.normal(size=n),
            "heavy": rng.random(n) < 0.5,
        }
    )
    y = np.where((frame["colour"] == "red") ^ (frame["size"] > 0.3), "yes", "no")
    return frame, y


def with_gaps(frame):
    frame = frame.copy()
    frame.loc[::9, "colour"] = None
    frame.loc[1::7, "size"] = np.nan
    return frame


def test_mixed_columns_and_missing_cells():
    frame, y = mixed_table()
    gaps = with_gaps(frame)
    model = NBDTClassifier(max_depth=2).fit(gaps, y)
    assert model.score(gaps, y) > 0.8
    assert model.score(frame, y) > 0.95
    shares = model.predict_proba(gaps)
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    moved = gaps.sample(frac=1, random_state=1)
    again = NBDTClassifier(max_depth=2).fit(moved, y[moved.index])
    assert again.tree_.signature() == model.tree_.signature() and again.n0_ == model.n0_


def test_the_ends_are_the_fewest_errors_and_naive_bayes():
    frame, y = mixed_table()
    fewest = NBDTClassifier(max_depth=2, n0=0).fit(frame, y)
    assert fewest.value_ == (fewest.predict(frame) == y).sum() == 300
    prior = NBDTClassifier(max_depth=2, n0=np.inf).fit(frame, y)
    assert 0 < prior.value_ < 1 and prior.status_ == "best_of_cuts" and prior.gap_ == 0
    uniform = NBDTClassifier(max_depth=2, n0=10, prior="uniform").fit(frame, y)
    assert (uniform.predict(frame) == fewest.predict(frame)).all()
    with pytest.raises(ValueError, match="did you mean 'naive_bayes'"):
        NBDTClassifier(prior="naive_baye").fit(frame, y)


def test_path_over_the_weight_of_the_prior_and_the_penalty():
    frame, y = mixed_table()
    model = NBDTClassifier(max_depth=2).fit(frame, y)
    path = model.path_
    assert set(path["n0"]) == {0, 30, 100, 300, 1000, np.inf}
    chosen = path.drop_duplicates("n0").set_index("n0")["loss"]
    assert chosen[model.n0_] == chosen.min()
    for _, part in path.groupby("n0"):
        assert (np.diff(part["penalty"]) > 0).all() and (np.diff(part["leaves"]) < 0).all()
        assert part["leaves"].iloc[-1] == 1
    pruned = NBDTClassifier(
        max_depth=2, n0=0, penalty=path.loc[path["n0"] == 0, "penalty"].max() + 1
    ).fit(frame, y)
    assert pruned.get_n_leaves() == 1


def test_weights_count_as_repeated_cases_and_a_cost_matrix_moves_labels():
    frame, y = mixed_table(60)
    times = np.arange(60) % 3
    weighted = NBDTClassifier(max_depth=2, n0=20).fit(frame, y, sample_weight=times)
    rows = np.repeat(np.arange(60), times)
    repeated = NBDTClassifier(max_depth=2, n0=20).fit(frame.iloc[rows], y[rows])
    assert weighted.value_ == pytest.approx(repeated.value_)
    assert (weighted.predict(frame) == repeated.predict(frame)).all()
    careful = NBDTClassifier(max_depth=1, cost_matrix=[[0, 1], [1000, 0]]).fit(frame, y)
    assert (careful.predict(frame)[y == "yes"] == "yes").all()
    with pytest.raises(ValueError, match="cost_matrix"):
        NBDTClassifier(cost_matrix=[[0, 1]]).fit(frame, y)


def test_costs():
    frame, y = mixed_table()
    cheap = NBDTClassifier(max_depth=1, costs={"size": 5, "colour": 5}).fit(frame, y)
    assert set(cheap.tree_.used_features) <= {2}
    assert NBDTClassifier(max_depth=0.5, costs=[1, 1, 1]).fit(frame, y).tree_.depth == 0
    with pytest.raises(ValueError, match="weight"):
        NBDTClassifier(costs={"weight": 2}).fit(frame, y)
    with pytest.raises(ValueError, match="positive"):
        NBDTClassifier(costs=[1, 0, 1]).fit(frame, y)
    with pytest.raises(ValueError, match="whole number"):
        NBDTClassifier(max_depth=1.5).fit(frame, y)


def test_cuts_are_all_midpoints_or_so_many_quantiles():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 2)).round(3)
    y = (X[:, 0] > 0.2).astype(int)
    few = NBDTClassifier(max_depth=1, max_cuts=4).fit(X, y)
    assert few.n_cuts_ == {"x0": 4, "x1": 4} and not few.all_cuts_
    assert few.status_ == "best_of_cuts"
    every = NBDTClassifier(max_depth=1, max_cuts=500, n0=0).fit(X, y)
    assert every.all_cuts_ and every.score(X, y) == 1 and every.status_ == "optimal"
    assert repr(every) == "NBDTClassifier(max_cuts=500, max_depth=1, n0=0)"
    said = f"# best over 8 of the {every.n_midpoints_} cuts of its numbers, not over all"
    again = NBDTClassifier.from_dict(few.to_dict())
    for model in (few, again):
        assert model.status_ == "best_of_cuts" and model.to_text().startswith(said)
        assert repr(model) == f"NBDTClassifier(max_cuts=4, max_depth=1)  {said}"
    older = few.to_dict()
    del older["state"]["n_cuts_"], older["state"]["n_midpoints_"]
    older["state"]["status_"] = "optimal"
    assert NBDTClassifier.from_dict(older).status_ == "best_of_cuts"
    middle = between(
        np.array([1.7e308, 1.0, -1.7e308]), np.array([1.79e308, np.nextafter(1.0, 2), 1.7e308])
    )
    assert middle.tolist() == [1.745e308, 1.0, 0.0]
    huge = np.array([[-1.7e308], [-1.6e308], [1.6e308], [1.7e308]] * 5)
    assert (
        NBDTClassifier(max_depth=1, n0=0).fit(huge, [0, 0, 1, 1] * 5).score(huge, [0, 0, 1, 1] * 5)
        == 1
    )


def test_columns_like_identifiers_stay_small():
    rng = np.random.default_rng(0)
    n = 3000
    y = rng.integers(0, 2, n)
    numbers = pd.DataFrame({f"id{k}": rng.permutation(n) for k in range(5)})
    codes = pd.DataFrame(
        {f"place{k}": rng.integers(0, 40, n).astype(str) for k in range(5)}
    ).astype("category")
    began = time.process_time()
    model = NBDTClassifier(max_depth=3, n0=30).fit(numbers, y)
    assert model.get_n_leaves() <= 8
    with pytest.warns(pinetum.data.errors.DataWarning, match=r"place0 \(40\)"):
        assert NBDTClassifier(max_depth=3, n0=30).fit(codes, y).get_n_leaves() == 1
    assert time.process_time() - began < 60


def test_a_saved_model_predicts_the_same(tmp_path):
    frame, y = mixed_table()
    gaps = with_gaps(frame)
    model = NBDTClassifier(max_depth=2, n0=30).fit(gaps, y)
    pinetum.save(model, tmp_path / "model.json")
    again = pinetum.load(tmp_path / "model.json")
    assert (again.predict(gaps) == model.predict(gaps)).all()
    np.testing.assert_array_equal(again.predict_proba(gaps), model.predict_proba(gaps))


@pytest.mark.parametrize("n0", ["cv", 0, 30.5, np.inf])
def test_a_saved_model_keeps_its_parameters(tmp_path, n0):
    X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 5)
    model = NBDTClassifier(max_depth=1, n0=n0).fit(X, X[:, 0])
    pinetum.save(model, tmp_path / "model.json")
    assert pinetum.load(tmp_path / "model.json").get_params() == model.get_params()


def test_a_limit_is_said():
    rng = np.random.default_rng(1)
    X = rng.integers(0, 2, (120, 12)).astype(float)
    y = rng.integers(0, 2, 120)
    with pytest.warns(ConvergenceWarning, match="not proved \\(work_limit\\)"):
        model = NBDTClassifier(max_depth=5, n0=0, work=50).fit(X, y)
    assert model.status_ == "work_limit" and 0 < model.gap_ < 0.5 and model.value_ <= model.bound_
