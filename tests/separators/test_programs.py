"""The linear programs against the paper's formulations solved by scipy, and against hand-made
examples.
"""

import numpy as np
import pytest
from scipy.optimize import linprog

from pinetum.separators.dual import DualProgram
from pinetum.separators.lp import Cases, SolverFailure, SolverOptions
from pinetum.separators.primal import PrimalProgram
from pinetum.separators.program import make_program
from pinetum.separators.scaling import Scaling

FORMS = {"dual": DualProgram, "primal": PrimalProgram}
GAP = 1e-9
EPSILON = 0.02
#            A (positive), B (negative), RLP, RLP-P with epsilon = 0.02
EXAMPLES = [
    ([[0], [2]], [[-1], [1]], 4 / 3, 33 / 25),
    ([[1, 0], [2, 1], [0, 1]], [[-1, 0], [0, -1], [1, 1]], 1, 51 / 50),
    ([[3, 1], [2, 2], [4, 0]], [[1, 1], [0, 2], [2, 0]], 0, 1 / 25),
    ([[0, 0], [2, 2]], [[0, 2], [2, 0]], 2, 49 / 25),
]


def sets(a, b):
    points = np.array(a + b, dtype=float)
    return points, np.arange(len(points)) < len(a)


def random_sets(seed, overlap=1.0):
    rng = np.random.default_rng(seed)
    m, n = int(rng.integers(8, 40)), int(rng.integers(1, 7))
    points = rng.normal(size=(m, n)).round(1)
    positive = rng.random(m) < 0.5
    positive[:2] = [True, False]
    points[positive] += overlap * rng.normal(size=n)
    return points, positive


def twin(points, positive, epsilon=0.0, prices=None, delta=None, alpha=0.0):
    """(4), (10), Step 1 of Algorithm 4.1 (delta given) or the LP of (9) (alpha given), written out
    row by row.
    """
    m, n = points.shape
    counts = [np.count_nonzero(~positive), np.count_nonzero(positive)]
    share = np.array([(1 - epsilon) / counts[int(p)] for p in positive])
    error = np.concatenate(
        [np.full(2 * n, epsilon), [0.0], share]
    )  # columns w+, w-, gamma, u and v
    weight = np.concatenate(
        [np.tile(np.zeros(n) if prices is None else prices, 2), np.zeros(m + 1)]
    )
    rows, right = [], []
    for i in range(m):
        sign = 1.0 if positive[i] else -1.0
        unit = np.zeros(m)
        unit[i] = 1.0
        rows.append(-np.concatenate([sign * points[i], -sign * points[i], [-sign], unit]))
        right.append(-1.0)
    cost = weight if delta is not None else error + alpha * weight
    if delta is not None:
        rows.append(error)
        right.append(delta)
    bounds = [(0, None)] * (2 * n) + [(None, None)] + [(0, None)] * m
    return linprog(cost, A_ub=np.array(rows), b_ub=np.array(right), bounds=bounds, method="highs")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("a, b, robust, perturbed", EXAMPLES)
def test_worked_examples(form, a, b, robust, perturbed):
    program = FORMS[form](Cases(*sets(a, b)), SolverOptions())
    assert program.best().value == pytest.approx(robust, abs=1e-12)
    assert program.best(EPSILON).value == pytest.approx(perturbed, abs=1e-12)
    assert program.effort.worst_gap < GAP


@pytest.mark.parametrize("form", FORMS)
def test_planes_of_the_worked_examples(form):
    plane = FORMS[form](Cases(*sets(*EXAMPLES[0][:2])), SolverOptions()).best()
    assert plane.weights == pytest.approx([2 / 3]) and plane.offset == pytest.approx(1 / 3)
    plane = FORMS[form](Cases(*sets(*EXAMPLES[2][:2])), SolverOptions()).best(EPSILON)
    assert plane.weights == pytest.approx([1, 1]) and plane.offset == pytest.approx(3)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("seed", range(25))
def test_every_program_agrees_with_its_formulation(form, seed):
    points, positive = random_sets(seed, overlap=1.0 + seed % 3)
    program = FORMS[form](Cases(points, positive), SolverOptions())
    rng = np.random.default_rng(seed)
    for epsilon in (0.0, EPSILON):
        best = program.best(epsilon)
        assert best.value == pytest.approx(twin(points, positive, epsilon).fun, abs=1e-7)
        prices = (rng.random(points.shape[1]) < 0.6).astype(float)
        delta = 1.1 * best.value if best.value > 1e-9 else 0.0
        light = program.lightest(prices, delta, epsilon)
        assert light.value == pytest.approx(
            twin(points, positive, epsilon, prices, delta + 1e-12).fun, abs=1e-6
        )
        assert program.objective(light.weights, light.offset, epsilon) <= delta + 1e-9
        alpha = float(rng.uniform(0.01, 1))
        paid = program.penalised(alpha * prices, epsilon)
        assert paid.value == pytest.approx(
            twin(points, positive, epsilon, prices, alpha=alpha).fun, abs=1e-7
        )
        chosen = np.flatnonzero(prices)
        if len(chosen):
            some = program.best(epsilon, chosen)
            assert some.value == pytest.approx(
                twin(points[:, chosen], positive, epsilon).fun, abs=1e-7
            )
            assert set(some.features) <= set(chosen)
    assert program.effort.worst_gap < GAP


@pytest.mark.parametrize("seed", range(5))
def test_cbc_finds_the_same(seed):
    points, positive = random_sets(seed)
    ours, theirs = (
        make_program(points, positive),
        make_program(points, positive, SolverOptions(name="CBC")),
    )
    for epsilon in (0.0, EPSILON):
        best = ours.best(epsilon)
        assert theirs.best(epsilon).value == pytest.approx(best.value, abs=1e-6)
        delta = 1.1 * best.value
        prices = np.ones(points.shape[1])
        if delta > 1e-6:
            light = ours.lightest(prices, delta, epsilon).value
            assert theirs.lightest(prices, delta, epsilon).value == pytest.approx(light, abs=1e-5)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("seed", range(10))
def test_the_order_of_the_rows_and_copies_of_all_cases_change_nothing(form, seed):
    points, positive = random_sets(seed)
    order = np.random.default_rng(seed).permutation(len(points))
    one = FORMS[form](Cases(points, positive), SolverOptions()).best(EPSILON)
    two = FORMS[form](Cases(points[order], positive[order]), SolverOptions()).best(EPSILON)
    assert np.array_equal(one.weights, two.weights) and one.offset == two.offset
    copies = np.repeat(np.arange(len(points)), 3)
    three = FORMS[form](Cases(points[copies], positive[copies]), SolverOptions()).best(EPSILON)
    assert three.value == pytest.approx(one.value, abs=1e-12)


@pytest.mark.parametrize("form", FORMS)
def test_too_small_a_delta_is_infeasible(form):
    program = FORMS[form](Cases(*sets(*EXAMPLES[0][:2])), SolverOptions())
    program.best()
    with pytest.raises(SolverFailure) as failure:
        program.lightest(np.ones(1), 1.0)
    assert failure.value.status == "infeasible"


def test_cbc_says_infeasible():
    program = make_program(*sets(*EXAMPLES[0][:2]), SolverOptions(name="CBC"))
    with pytest.raises(SolverFailure) as failure:
        program.lightest(np.ones(1), 1.0)
    assert failure.value.status == "infeasible"


def test_a_weight_that_nothing_holds_is_unbounded():
    separable = Cases(*sets(*EXAMPLES[2][:2]))
    assert PrimalProgram(separable, SolverOptions()).largest(0, 1, 0.5) == np.inf
    held = PrimalProgram(Cases(*sets(*EXAMPLES[0][:2])), SolverOptions())
    assert held.largest(0, 1, 4 / 3) == pytest.approx(2 / 3)
    with pytest.raises(SolverFailure) as failure:
        DualProgram(separable, SolverOptions()).penalised(np.array([-5.0, 0.0]))  # paid for weight
    assert failure.value.status in ("unbounded", "error")


@pytest.mark.parametrize("form", FORMS)
def test_no_time_is_a_status(form):
    rng = np.random.default_rng(1)
    points, positive = rng.normal(size=(400, 30)), rng.random(400) < 0.5
    program = make_program(points, positive, SolverOptions(form=form, time_limit=1e-9))
    with pytest.raises(SolverFailure) as failure:
        program.best()
    assert failure.value.status == "time_limit"


def test_the_time_limit_is_that_of_one_program():
    points, positive = random_sets(4)
    program = make_program(points, positive, SolverOptions(time_limit=1.0))
    program.best()
    while program.model.solverModel.getRunTime() < 1.1:  # all together take longer
        program.best(EPSILON)
        program.best()


@pytest.mark.parametrize(
    "points, positive, says",
    [
        ([[1.0], [2.0]], [True, True], "empty"),
        ([[np.nan], [2.0]], [True, False], "missing"),
        ([1.0, 2.0], [True, False], "one row per case"),
    ],
)
def test_wrong_input_is_named(points, positive, says):
    with pytest.raises(ValueError, match=says):
        Cases(points, positive)


def test_wrong_options_are_named():
    for options in (
        {"name": "CPLEX"},
        {"form": "both"},
        {"log": "some"},
        {"name": "CBC", "form": "dual"},
    ):
        with pytest.raises(ValueError, match=r"solver|dual form"):
            SolverOptions(**options)


@pytest.mark.parametrize("kind", ["z", "unit", "raw"])
def test_planes_are_told_in_the_original_units(kind):
    rng = np.random.default_rng(3)
    points = rng.normal(size=(30, 4)) * [1, 10, 0, 1000] + [5, -3, 7, 0]  # one column is constant
    scaling = Scaling.fit(points, kind)
    weights, offset = rng.normal(size=4), 0.3
    told, moved = scaling.original(weights, offset)
    assert points @ told - moved == pytest.approx(scaling.apply(points) @ weights - offset)
    assert np.isfinite(scaling.apply(points)).all()


def test_robust_programs_do_not_feel_the_scaling():
    points, positive = random_sets(8)
    values = [
        make_program(Scaling.fit(points, kind).apply(points), positive).best().value
        for kind in ("z", "unit", "raw")
    ]
    assert values == pytest.approx([values[0]] * 3)
