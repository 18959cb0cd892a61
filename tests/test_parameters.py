"""Parameters of estimators and functions: what is no such value is refused by name, before anything
is computed.
"""

import inspect
from functools import partial

import numpy as np
import pytest

import pinetum
from pinetum.distinct.search import best_subsets
from pinetum.elimination.paths import eliminate
from pinetum.greedy_dp.minimal import Minimizer
from pinetum.greedy_dp.tables import decision_table
from pinetum.induction.base import checked_weights, seed_of
from pinetum.induction.cases import cases_of
from pinetum.parameters import LATER, RANGES, Number, check

ESTIMATORS = [kind for kind in vars(pinetum)["PUBLIC"] if inspect.isclass(getattr(pinetum, kind))]
ESTIMATORS = [kind for kind in ESTIMATORS if hasattr(getattr(pinetum, kind), "get_params")]
NEVER = [
    object(),
    b"1",
    [],
    [1],
    {},
    "",
    "no such word",
    np.nan,
    -np.inf,
    -1.5,
    complex(1, 1),
    np.array([1, 2]),
]
X, Y = np.arange(24.0).reshape(12, 2) % 5, np.arange(12) % 2


def ranges_of(kind):
    return {**RANGES, **getattr(pinetum, kind)._ranges}


def test_all_estimators_are_looked_at():
    assert len(ESTIMATORS) == 8, ESTIMATORS


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_every_parameter_has_a_range_that_takes_its_default(kind):
    ranges = ranges_of(kind)
    for name, value in getattr(pinetum, kind)().get_params(deep=False).items():
        assert name in ranges, f"{kind}: no range of {name}"
        assert ranges[name].takes(value), (kind, name, value)
    unknown = set(getattr(pinetum, kind)._ranges) - set(
        getattr(pinetum, kind)().get_params(deep=False)
    )
    assert not unknown, unknown


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_what_is_no_value_is_refused_by_name_before_the_cases_are_read(kind):
    for name, known in ranges_of(kind).items():
        if known is LATER or name not in getattr(pinetum, kind)().get_params(deep=False):
            continue
        for value in NEVER:
            with pytest.raises(ValueError, match=rf"^{name} = .*: expected "):
                getattr(pinetum, kind)(**{name: value}).fit(None, None)


@pytest.mark.parametrize(
    ("kind", "given"),
    [
        ("NBDTClassifier", {"alpha": np.nan}),
        ("NBDTClassifier", {"alpha": np.inf}),
        ("NBDTClassifier", {"min_cases": -5}),
        ("NBDTClassifier", {"min_cases": "3"}),
        ("NBDTClassifier", {"max_values": -5}),
        ("NBDTClassifier", {"max_depth": True}),
        ("NBDTClassifier", {"n_jobs": 0}),
        ("NBDTClassifier", {"n_jobs": 1.5}),
        ("NBDTClassifier", {"n_jobs": "3"}),
        ("NBDTClassifier", {"work": -1}),
        ("NBDTClassifier", {"work": np.inf}),
        ("NBDTClassifier", {"work": "3"}),
        ("NBDTClassifier", {"time_limit": -1}),
        ("NBDTClassifier", {"random_state": 0.5}),
        ("SeparatorClassifier", {"epsilon": -5}),
        ("SeparatorClassifier", {"epsilon": 1}),
        ("SeparatorClassifier", {"tolerance": 0.5}),
        ("SeparatorClassifier", {"min_cases": np.nan}),
        ("SeparatorClassifier", {"time_limit": np.nan}),
        ("MinimalTree", {"thresholds": -5}),
        ("MinimalTree", {"thresholds": 1.5}),
        ("MinimalTree", {"work": -5}),
        ("MinimalTree", {"memory_mb": -5}),
        ("MinimalTree", {"alpha_rows": 0.5}),
        ("MinimalTree", {"alpha_share": 1}),
        ("BestSubset", {"work": -1}),
        ("BestSubset", {"cache_mb": -1}),
        ("BestSubset", {"folds": 1}),
        ("BestSubset", {"folds": 2.5}),
        ("BestSubset", {"repeats": 0}),
        ("BestSubset", {"smallest": "no"}),
        ("BestSubset", {"outer_folds": 1}),
        ("BestSubset", {"delta": -1}),
        ("BestSubset", {"building": 1.5}),
        ("NearOptimalTrees", {"extra": -0.1}),
        ("NearOptimalTrees", {"keep": -1}),
        ("BackwardElimination", {"penalty": "no"}),
        ("BackwardElimination", {"drop_unused": 0.5}),
        ("BackwardElimination", {"n_features_to_select": -1}),
        ("BackwardElimination", {"width": 0}),
        ("TreeClassifier", {"raising": "no"}),
        ("TreeClassifier", {"cf": 1}),
        ("TreeClassifier", {"cf": -5}),
        ("TreeClassifier", {"preset": ["yadt"]}),
        ("TreeClassifier", {"max_leaves": True}),
    ],
    ids=str,
)
def test_values_that_were_once_taken_in_silence(kind, given):
    (name,) = given
    with pytest.raises(ValueError, match=rf"^{name} = .*: expected "):
        getattr(pinetum, kind)(**given).fit(X, Y)


@pytest.mark.parametrize(
    ("call", "given"),
    [
        (pinetum.best_subset, {"work": -1}),
        (pinetum.best_subset, {"cache_mb": -1}),
        (pinetum.best_subset, {"time_limit": "x"}),
        (pinetum.best_subset, {"delta": -1}),
        (pinetum.best_subset, {"min_cases": np.nan}),
        (pinetum.best_subset, {"smallest": "no"}),
        (best_subsets, {"number": 0}),
        (best_subsets, {"work": np.nan}),
        (pinetum.count_trees, {"work": -1}),
        (pinetum.count_trees, {"trees": 0.5}),
        (pinetum.count_trees, {"cache_mb": -1}),
        (pinetum.count_trees, {"min_cases": -1}),
        (pinetum.estimate_trees, {"probes": 0}),
        (pinetum.estimate_trees, {"random_state": "x"}),
        (pinetum.iterate_trees, {"work": -1}),
        (pinetum.near_optimal_trees, {"extra": -1}),
        (pinetum.near_optimal_trees, {"keep": "x"}),
        (pinetum.near_optimal_trees, {"work": -1}),
        (eliminate, {"work": -1}),
        (eliminate, {"width": 0}),
        (eliminate, {"search": []}),
        (eliminate, {"stop": "x"}),
        (pinetum.minimize_features, {"tolerance": 0.5}),
        (pinetum.minimize_features, {"epsilon": -1}),
        (pinetum.minimize_features, {"epsilon": 1}),
        (pinetum.minimize_features, {"n_features": -1}),
        (pinetum.minimize_features, {"time_limit": -1}),
        (pinetum.opt_feature_list, {"alpha": -1}),
        (pinetum.opt_feature_list, {"width": 1.5}),
        (pinetum.opt_feature_list, {"width": "x"}),
        (pinetum.opt_feature_list, {"alpha": np.nan}),
    ],
    ids=lambda value: getattr(value, "__name__", str(value)),
)
def test_functions_refuse_the_same(call, given):
    name = next(iter(given))
    with pytest.raises(ValueError, match=rf"^{name} = .*: expected "):
        found = call(X, Y, **given)
        list(found)  # what comes one by one is checked at the first


def test_functions_without_cases_refuse_the_same():
    table = pinetum.Table.from_frame(
        {"a": [1.0, 2, 1, 2], "b": ["u", "v", "u", "v"], "y": [0, 1, 1, 0]}, "y"
    )
    minimizer = partial(Minimizer, decision_table([[0, 1]], [0, 1]))
    for call, name, value in (
        (partial(pinetum.hold_out, table), "building", 1.5),
        (partial(pinetum.hold_out, table), "leaf_penalty", np.nan),
        (partial(pinetum.cross_validation, table), "folds", 1),
        (partial(pinetum.cross_validation, table), "random_state", "x"),
        (pinetum.search_pruner, "budget", 0),
        (pinetum.search_pruner, "budget", "x"),
        (partial(pinetum.prune, None), "random_state", -1),
        (minimizer, "memory_mb", -1),
        (minimizer, "work", "x"),
        (minimizer, "way", []),
    ):
        with pytest.raises(ValueError, match=rf"^{name} = .*: expected "):
            call(**{name: value})


def test_what_numpy_and_people_write_is_taken():
    check(
        work=1e9,
        time_limit=np.inf,
        verbose=True,
        folds=np.int64(5),
        min_cases=np.float32(2),
        n_jobs=-1,
    )
    check(smallest=np.True_, drop_unused=1, delta="one_standard_error", max_depth=None)
    found = pinetum.BestSubset(work=1e9).fit(X, Y)
    assert found.status_ == "optimal"
    lamp, light = [["on", "ok"], ["on", "blown"], ["off", "ok"]], ["light", "dark", "dark"]
    assert pinetum.MinimalTree(work=None).fit(lamp, light).status_ == "optimal"


def test_a_range_says_what_it_takes():
    assert str(Number(2, 5, whole=True, also=(None,))) == "None or a whole number from 2 to 5"
    assert str(Number(0, 1, above=True, below=True)) == "a number above 0 and below 1"
    assert str(Number(0, endless=True)) == "a number from 0 to infinity"
    for value in (0, 1, -0.5, 1.5, True, "x", None):
        assert not Number(0, 1, above=True, below=True).takes(value), value


@pytest.mark.parametrize("seed", [True, -1, 1.0])
def test_a_seed_is_a_whole_number(seed):
    with pytest.raises(ValueError, match="expected a whole number from 0"):
        seed_of(seed)
    assert seed_of(np.int64(3)) == 3


def test_a_case_may_have_no_weight_but_not_all():
    assert checked_weights([0, 1], 2).tolist() == [0, 1]
    for weights, says in (([0, 0], "all weights are zero"), ([-1e-9, 1], "not negative")):
        with pytest.raises(ValueError, match=says):
            checked_weights(weights, 2)


class Reached(Exception):
    """The call that a fit makes, with what it was given."""


REACH = [
    (
        pinetum.BestSubset,
        "distinct.estimators.best_subset",
        {"delta": 2.0, "smallest": True, "work": 9, "time_limit": 3.0, "cache_mb": 5.0},
    ),
    (
        pinetum.NearOptimalTrees,
        "distinct.estimators.near_optimal_trees",
        {"extra": 0.3, "keep": 4, "work": 9, "time_limit": 3.0, "cache_mb": 5.0},
    ),
    (
        pinetum.BackwardElimination,
        "elimination.estimators.eliminate",
        {"search": "beam", "stop": "ties", "drop_unused": False, "width": 3, "work": 9}
        | {"time_limit": 3.0, "cache_mb": 5.0},
    ),
    (
        pinetum.MinimalTree,
        "greedy_dp.estimators.from_dataset",
        {"thresholds": 3, "inconsistent": "all", "alpha_rows": 2, "alpha_share": 0.1}
        | {"weights": "cases"},
    ),
    (
        pinetum.MinimalTree,
        "greedy_dp.estimators.Minimizer",
        {"way": "branch", "work": 9, "time_limit": 3.0, "memory_mb": 5.0},
    ),
    (
        pinetum.SeparatorClassifier,
        "separators.estimators.Settings",
        {"scaling": "unit", "start": "lp", "tolerance": 1.5, "epsilon": 0.1},
    ),
    (
        pinetum.SeparatorClassifier,
        "separators.estimators.grow_tree",
        {"max_depth": 2, "min_cases": 7, "multiclass": "rest"},
    ),
]


@pytest.mark.parametrize(
    "estimator, call, given", REACH, ids=[call.rpartition(".")[2] for _, call, _ in REACH]
)
def test_every_parameter_reaches_the_search(estimator, call, given, monkeypatch):
    told = {}

    def reached(*_, **options):
        told.update(options)
        raise Reached

    monkeypatch.setattr(f"pinetum.{call}", reached)
    X, y = np.random.default_rng(0).normal(size=(30, 3)), np.arange(30) % 2
    with pytest.raises(Reached):
        estimator(**given).fit(X, y)
    assert {name: told[name] for name in given} == given


@pytest.mark.parametrize(
    "estimator", [pinetum.BestSubset, pinetum.NearOptimalTrees, pinetum.BackwardElimination]
)
def test_subsets_are_judged_as_was_asked(estimator):
    data = cases_of(np.random.default_rng(0).normal(size=(30, 3)), np.arange(30) % 2)
    folds = estimator(folds=4, repeats=3)._objective(data)
    assert len(folds.parts) == 12 and folds.n_search == 90
    other = estimator(folds=4, repeats=3, random_state=1)._objective(data)
    assert any(set(a[1]) != set(b[1]) for a, b in zip(folds.parts, other.parts, strict=True))
    split = estimator(folds=None, building=0.4)._objective(data)
    assert len(split.parts[0][0]) == 12 and split.n_search == 18
    estimator(folds=30)._objective(data)  # a case each
    with pytest.raises(ValueError, match="folds = 31"):
        estimator(folds=31)._objective(data)
    if estimator is not pinetum.BackwardElimination:
        charged = estimator(feature_penalty=0.5, leaf_penalty=0.25, costs=[[0, 2], [1, 0]])
        charged = charged._objective(data)
        assert (charged.feature_penalty, charged.leaf_penalty) == (0.5, 0.25)
        assert charged.costs.tolist() == [[0, 2], [1, 0]]


def test_random_state_is_a_number_none_or_a_generator():
    assert seed_of(7) == 7 and seed_of(None) != seed_of(None)
    for make in (np.random.RandomState, np.random.default_rng):
        assert seed_of(make(3)) == seed_of(make(3)) != seed_of(make(4))
    pinetum.TreeClassifier(random_state=np.random.RandomState(0)).fit([[0.0], [1.0]], [0, 1])
    with pytest.raises(ValueError, match="random_state"):
        pinetum.TreeClassifier(random_state="no").fit([[0.0], [1.0]], [0, 1])
