"""The public function for one plane with few columns: against the parts that it stands on."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from pinetum import SeparatorClassifier, Table, minimize_features
from pinetum.separators.lp import SolverFailure, within
from pinetum.separators.planes import Bench


def two_groups(seed=0, cases=80):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(rng.normal(size=(cases, 6)), columns=list("abcdef"))
    frame["kind"] = rng.choice(["u", "v", "w"], cases)
    frame.loc[::9, "c"] = np.nan
    return frame, np.where(frame["b"] - 2 * frame["e"] + (frame["kind"] == "u") > 0, "yes", "no")


@pytest.mark.parametrize("method", ["FM_RLP", "FM_RLP-P"])
def test_the_plane_is_that_of_the_algorithm(method):
    X, y = two_groups()
    numbers = X[list("abdef")]
    found = minimize_features(numbers, y, method=method)
    fit = Bench(numbers.to_numpy(), y == "yes").fit(method)
    np.testing.assert_allclose(found.weights, fit.weights)
    assert found.offset == pytest.approx(fit.offset)
    assert (
        found.features == tuple(numbers.columns[fit.features])
        and found.status == "ok"
        and found.bound == 0
    )
    assert ">" in str(found)


def test_mixed_columns_and_tables():
    X, y = two_groups()
    found = minimize_features(X, y)
    assert {"b", "e", "kind"} <= set(found.columns) and "kind = u" in found.features
    table = minimize_features(Table.from_frame(X, y))
    assert table.features == found.features and np.allclose(table.weights, found.weights)


@pytest.mark.parametrize("seed", range(5))
def test_no_smaller_set_is_within_the_error_where_it_is_proved(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(40, 5)), rng.integers(0, 2, 40)
    found = minimize_features(X, y, exact=True)
    assert found.status == "optimal" and found.bound == len(found.features)
    program = Bench(X, y == 1).program
    delta = 1.1 * program.best().value
    assert within(found.error, delta)
    for fewer in combinations(range(5), found.bound - 1):
        assert not within(program.best(0.0, np.array(fewer, dtype=np.int64)).value, delta)


def test_a_number_of_columns_is_kept():
    X, y = two_groups()
    for most in (1, 2, 3):
        assert len(minimize_features(X, y, n_features=most).features) <= most


@pytest.mark.parametrize("status", ["time_limit", "interrupted"])
def test_at_the_limit_the_plane_with_all_columns_is_given(status, monkeypatch):
    def out_of_time(*_):
        raise SolverFailure(status, "minimizing")

    monkeypatch.setattr(Bench, "fit", out_of_time)
    rng = np.random.default_rng(0)
    found = minimize_features(rng.normal(size=(200, 6)), rng.integers(0, 2, 200))
    assert found.status == status and len(found.features) == 6 and found.error == found.full_error


def test_without_time_for_one_plane_the_cure_is_named():
    X, y = two_groups()
    with pytest.raises(SolverFailure, match="best plane: time_limit; raise time_limit"):
        minimize_features(X, y, time_limit=0)


def test_doubtful_calls_are_refused():
    X, y = two_groups()
    for options, says in (
        ({"method": "RLP"}, "allowed are FM_RLP, FM_RLP-P"),
        ({"exact": True, "n_features": 2}, "not both"),
        ({"n_features": 0}, "allowed is 1 to"),
    ):
        with pytest.raises(ValueError, match=says):
            minimize_features(X, y, **options)
    with pytest.raises(ValueError, match="3 classes: a plane separates two"):
        minimize_features(X, X["kind"])
    wide = pd.DataFrame({f"c{j}": np.arange(3000).astype(str).repeat(2) for j in range(5)})
    with pytest.raises(MemoryError, match=r"6,000 cases with 15,000 coded columns .* c0 has 3,000"):
        minimize_features(
            Table.from_frame(
                wide.assign(y=[0, 1] * 3000), "y", types=dict.fromkeys(wide, "discrete")
            )
        )


def test_a_tree_of_planes_is_told_and_drawn_like_others():
    X, y = two_groups()
    model = SeparatorClassifier("RLP", min_cases=2).fit(X, np.where(X["a"] > 1, "maybe", y))
    path, leaf = model.decision_path(X).toarray(), model.apply(X)
    assert (
        path[:, 0].all()
        and path[np.arange(len(X)), leaf].all()
        and path.sum(axis=1).max() == 1 + model.get_depth()
    )
    frame = model.to_frame()
    assert len(frame) == len(model.tree_.left) and frame["cases"][0] == len(X)
    assert (frame["feature"] == "").sum() == model.get_n_leaves() == model.to_rules().count("then")
    assert model.plane() in model.to_dot() and "<svg" in model._repr_html_()
