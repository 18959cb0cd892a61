"""Algorithms 4.1 and 4.2, limited feature minimization, the exact minimum against enumeration."""

import dataclasses
import itertools

import numpy as np
import pulp
import pytest

from pinetum.separators.exact import exact_minimum
from pinetum.separators.lp import (
    SEPARABLE,
    Cases,
    Effort,
    Plane,
    SolverFailure,
    SolverOptions,
    within,
)
from pinetum.separators.minimize import (
    STARTS,
    frank_wolfe,
    largest,
    limited_features,
    minimize,
    nearest,
    search,
)
from pinetum.separators.program import make_program

EPSILON = 0.02


def random_program(seed, features=(2, 8), overlap=1.0, options=None):
    rng = np.random.default_rng(seed)
    m, n = int(rng.integers(10, 50)), int(rng.integers(*features))
    points = rng.normal(size=(m, n)).round(1)
    positive = rng.random(m) < 0.5
    positive[:2] = [True, False]
    points[positive] += overlap * rng.normal(size=n) * (rng.random(n) < 0.5)
    return make_program(points, positive, options)


def enumerated(program, delta, epsilon):
    """The fewest features within delta, by trying every subset from the smallest on."""
    n = program.cases.n
    for count in range(n + 1):
        for subset in itertools.combinations(range(n), count):
            if within(program.best(epsilon, np.array(subset, dtype=int)).value, delta):
                return count
    raise AssertionError("all features together must do")


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("epsilon", [0.0, EPSILON])
@pytest.mark.parametrize("seed", range(12))
def test_feature_sets_stay_within_delta(seed, epsilon, start):
    program = random_program(seed, overlap=seed % 4)
    found = minimize(program, epsilon, start=start)
    chosen = found.features
    assert found.verified
    assert within(program.best(epsilon, chosen).value, found.delta)
    assert len(chosen) <= found.nu or found.nu == program.cases.n
    assert len(chosen) <= len(found.full.features) or start != "previous" or found.full.value < 1e-9
    assert program.effort.worst_gap < 1e-9


@pytest.mark.parametrize("method", ["cuts", "weights"])
@pytest.mark.parametrize("seed", range(14))
def test_the_exact_minimum_is_that_of_enumeration(seed, method):
    program = random_program(seed, overlap=0.5 + seed % 4)
    for epsilon in (0.0, EPSILON):
        heuristic = minimize(program, epsilon)
        found = exact_minimum(
            program.cases, heuristic.delta, epsilon, known=heuristic.features, method=method
        )
        assert found.status == "optimal" and found.bound == found.count and found.gap == 0
        assert within(program.best(epsilon, found.features).value, heuristic.delta)
        assert found.count == enumerated(program, heuristic.delta, epsilon)


@pytest.mark.parametrize("seed", [101, 102])
def test_the_exact_minimum_with_thirteen_features(seed):
    program = random_program(seed, features=(13, 14), overlap=0.8)
    heuristic = minimize(program)
    found = exact_minimum(program.cases, heuristic.delta, known=heuristic.features)
    assert found.status == "optimal"
    assert found.count == enumerated(program, heuristic.delta, 0.0) <= len(heuristic.features)


def test_the_exact_minimum_with_collinear_features_and_without_a_known_set():
    rng = np.random.default_rng(5)
    points = rng.normal(size=(40, 3))
    points = np.column_stack(
        [points, points[:, 0] + points[:, 1], np.ones(40)]
    )  # no weight of these has a bound
    positive = points[:, 3] + 0.3 * rng.normal(size=40) > 0
    program = make_program(points, positive)
    delta = 1.1 * program.best().value
    for method in ("cuts", "weights"):
        found = exact_minimum(program.cases, delta, method=method)
        assert found.status == "optimal" and found.count == enumerated(program, delta, 0.0)


def test_the_exact_minimum_stops_with_a_bound():
    program = random_program(7, features=(12, 13), overlap=0.3)
    delta = 1.02 * program.best().value
    full = exact_minimum(program.cases, delta)
    one = exact_minimum(program.cases, delta, rounds=1)
    assert one.status == "round_limit" and one.bound <= full.count <= one.count
    none = exact_minimum(program.cases, delta, time_limit=0)
    assert none.status == "time_limit" and none.bound == 1 and none.gap > 0
    with pytest.raises(SolverFailure, match="infeasible"):
        exact_minimum(program.cases, 0.5 * program.best().value)


def test_the_exact_minimum_by_cbc():
    program = random_program(3, overlap=1.0)
    heuristic = minimize(program)
    options = SolverOptions(name="CBC")
    found = exact_minimum(program.cases, heuristic.delta, options=options)
    assert found.count == enumerated(program, heuristic.delta, 0.0)


def test_worked_examples_need_two_features():
    for a, b in (
        ([[1, 0], [2, 1], [0, 1]], [[-1, 0], [0, -1], [1, 1]]),
        ([[3, 1], [2, 2], [4, 0]], [[1, 1], [0, 2], [2, 0]]),
    ):
        points = np.array(a + b, dtype=float)
        assert minimize(make_program(points, np.arange(6) < 3)).nu == 2


def test_one_feature_needs_no_search():
    program = make_program(
        np.array([[0.0], [2.0], [-1.0], [1.0]]), np.array([True, True, False, False])
    )
    assert minimize(program).nu == 1


SHAPES = (
    lambda short: float(short),
    lambda short: 1.0 if short else 0.0,
    lambda short: float(short) ** 3,
)


@pytest.mark.parametrize("n", range(1, 40))
def test_the_search_ends_with_a_nu_that_works(n):
    for least in range(1, n + 1):
        for shape in SHAPES:
            asked = []

            def subproblem(nu, least=least, shape=shape, asked=asked):
                asked.append(nu)
                return shape(max(0, least - nu))

            assert search(n, subproblem) == least
            assert len(asked) == len(set(asked)), "no nu is solved twice"


def test_rounding_is_to_the_nearest_integer():
    assert [nearest(x) for x in (6.5, 6.4, 7.5, 1.0)] == [7, 6, 8, 1]


def test_step_two_takes_the_largest_weights():
    assert largest(np.array([0.1, -3.0, 2.0, 0.1]), 3).tolist() == [1, 1, 1, 0]


@pytest.mark.parametrize("seed", range(8))
def test_frank_wolfe_never_climbs(seed):
    program = random_program(seed, features=(4, 9))
    full = program.best()
    delta = 1.1 * full.value if full.value > 1e-9 else 0.0
    for nu in range(1, program.cases.n + 1):
        r = largest(full.weights, nu)
        first = program.lightest(1.0 - r, delta)
        start = float(np.abs(first.weights) @ (1.0 - largest(first.weights, nu)))
        value, plane, after = frank_wolfe(program, nu, delta, r)
        assert value <= start + 1e-9
        assert program.cases.error(plane.weights, plane.offset) <= delta + 1e-8
        assert after.sum() == nu


@pytest.mark.parametrize("epsilon", [0.0, EPSILON])
@pytest.mark.parametrize("seed", range(8))
def test_limited_features_are_no_more_than_allowed(seed, epsilon):
    program = random_program(seed, features=(3, 9))
    best = program.best(epsilon).value
    for nu in range(1, program.cases.n + 1):
        plane = limited_features(program, nu, epsilon)
        assert len(plane.features) <= nu
        assert plane.value >= best - 1e-9
    assert plane.value == pytest.approx(best, abs=1e-8)
    with pytest.raises(ValueError, match="allowed is 1 to"):
        limited_features(program, 0)


class Asked:
    """A program that notes what it was asked for and answers with planes of two features."""

    def __init__(self, values, weights):
        self.cases = Cases(
            np.array([[1.0, 0], [0, 1], [1, 1], [0, 0]]), np.array([True, True, False, False])
        )
        self.effort, self.prices = Effort(), []
        self.full = Plane(np.array(weights), 0.0, 0.0, values, 0.0)

    def penalised(self, prices, epsilon):
        self.prices.append(prices.tolist())
        return self.full

    def lightest(self, prices, delta, epsilon):
        self.prices.append((prices.tolist(), delta))
        return self.full

    def objective(self, weights, offset, epsilon):
        return 0.0

    def best(self, epsilon, chosen=None):
        return self.full


def test_chosen_features_cost_nothing_and_the_start_is_as_said():
    program = Asked(0.5, [3.0, 1.0])
    limited_features(program, 1, steps=1)
    highest = (program.cases.costs @ np.abs(program.cases.points)).max()
    assert program.prices == [[0.0, highest]]
    for start, prices in (("zero", [1.0, 1.0]), ("lp", [0.0, 1.0]), ("previous", [0.0, 1.0])):
        program = Asked(0.5, [3.0, 1.0])
        found = minimize(program, start=start)
        assert program.prices[0] == (prices, 0.55) and found.delta == 0.55
        with pytest.raises(dataclasses.FrozenInstanceError):
            found.nu = 3
    assert minimize(Asked(SEPARABLE, [3.0, 1.0])).delta == 0.0  # counts as separable
    assert minimize(Asked(2 * SEPARABLE, [3.0, 1.0])).delta > 0.0


@pytest.mark.parametrize("name", ["HiGHS", "CBC"])
def test_one_feature_of_several_is_enough(name, monkeypatch):
    """The least number is one; by CBC it is CBC that is asked."""
    asked = []
    plain = pulp.PULP_CBC_CMD
    monkeypatch.setattr(pulp, "PULP_CBC_CMD", lambda **given: asked.append(given) or plain(**given))
    rng = np.random.default_rng(0)
    positive = rng.random(30) < 0.5
    points = rng.normal(size=(30, 5)).round(1)
    points[:, 3] = positive + rng.choice([-0.6, 0.0, 0.6], 30)
    program = make_program(points, positive)
    delta = 1.02 * program.best(0.0, np.array([3])).value
    for method in ("cuts", "weights"):
        found = exact_minimum(program.cases, delta, method=method, options=SolverOptions(name=name))
        assert found.features.tolist() == [3] and found.status == "optimal"
        assert found.count == enumerated(program, delta, 0.0) == 1
    assert bool(asked) == (name == "CBC")


def test_the_exact_minimum_says_how_it_was_found():
    """Cuts are counted as the sets that failed, and method `weights` ties the weights that have
    bounds.
    """
    program = random_program(0, features=(5, 6), overlap=0.3)
    delta = 1.02 * program.best().value
    cuts = exact_minimum(program.cases, delta, method="cuts")
    weights = exact_minimum(program.cases, delta, method="weights")
    assert cuts.cuts > 0 and cuts.bounded_weights == 0 and weights.bounded_weights == 5
    assert exact_minimum(program.cases, delta, method="cuts", rounds=1).cuts == 1


def test_the_gap_is_relative_to_large_values_alone():
    program = random_program(0)
    assert program.plane(np.zeros(program.cases.n), 0.0, 10.0, 9.0).gap == pytest.approx(0.1)
    assert program.plane(np.zeros(program.cases.n), 0.0, 0.5, 0.4).gap == pytest.approx(0.1)


@pytest.mark.parametrize("epsilon", [0.0, 0.02])
def test_the_least_error_itself_is_a_bound_that_can_be_kept(epsilon):
    """Rounding puts every plane but the best one beyond it."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        points = rng.integers(0, 5, (20, 1 + seed % 3)).astype(float)
        program = make_program(points, np.arange(20) % 2 == rng.integers(0, 2, 20))
        found = minimize(program, epsilon, tolerance=1.0)
        assert found.verified and within(found.plane.value, found.full.value)


@pytest.mark.parametrize("status", ["infeasible", "error", "time_limit"])
def test_the_best_plane_is_kept_where_rounding_leaves_no_other(status, monkeypatch):
    points = np.random.default_rng(0).normal(size=(30, 3))
    program = make_program(points, points[:, 0] + points[:, 1] > 0.2)

    def refused(*_):
        raise SolverFailure(status, "lightest plane")

    monkeypatch.setattr(program, "_lightest", refused)
    with pytest.raises(SolverFailure, match=f"lightest plane: {status}"):
        program.lightest(np.ones(3), 1.0)  # no best plane was asked for
    best = program.best()
    if status == "time_limit":
        with pytest.raises(SolverFailure, match="raise time_limit"):
            minimize(program)
        return
    assert np.array_equal(program.lightest(np.ones(3), best.value).weights, best.weights)
    assert minimize(program).verified
    with pytest.raises(SolverFailure):
        program.lightest(np.ones(3), best.value - 1)


def test_wrong_choices_are_named():
    program = random_program(0)
    with pytest.raises(ValueError, match="start = 'cold'"):
        minimize(program, start="cold")
    with pytest.raises(ValueError, match="method = 'guess'"):
        exact_minimum(Cases(program.cases.points, program.cases.positive), 1.0, method="guess")
