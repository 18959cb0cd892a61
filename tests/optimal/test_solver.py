"""The best small tree against trying every tree over every cut."""

import numpy as np
import pytest

from pinetum.optimal import solver
from pinetum.optimal.solver import Problem

MOST = {0: 24, 1: 24, 2: 24, 3: 14, 4: 10}  # cases, so that trying all trees takes no longer
WORK = (None, None, 0, 50, 300, 1000, 3000)


def check(twin, seed, depth):
    rng = np.random.default_rng([depth, seed])
    problem = twin.random_problem(rng, int(rng.integers(1, MOST[depth])))
    work = WORK[int(rng.integers(len(WORK)))]
    found = Problem.of(**problem).solve(depth, work=work)
    least = twin.cheapest(**problem, depth=depth)
    case = f"seed {seed}, depth {depth}, work {work}"
    assert found.value == pytest.approx(twin.cost_of(found, problem), abs=1e-9), case
    assert found.bound - 1e-9 <= least <= found.value + 1e-9, case
    if found.status == "optimal":
        assert found.value == pytest.approx(least, abs=1e-9), case
        assert found.bound == found.value, case
    else:
        assert found.status == "work_limit" and work is not None, case


@pytest.mark.parametrize("depth", MOST)
def test_the_best_tree_costs_what_trying_all_of_them_gives(twin, depth):
    for seed in range(10 if depth > 3 else 40):
        check(twin, seed, depth)


@pytest.mark.torture
def test_many_more_of_them(twin):
    for seed in range(5000):
        check(twin, seed + 1000, (2, 3, 2, 3, 4, 1, 2, 3)[seed % 8])


def test_the_newest_intervals_go_first_where_the_queue_is_full(monkeypatch):
    rng = np.random.default_rng(5)
    codes, labels = np.stack([rng.permutation(400) for _ in range(200)]), rng.integers(0, 2, 400)
    whole = Problem.of(codes, labels).solve(2)
    monkeypatch.setattr(solver, "QUEUE", 0)
    some = Problem.of(codes, labels).solve(2)
    assert whole.status == some.status == "optimal" and whole.value == some.value
    assert whole.work != some.work


def test_codes_below_zero_and_classes_without_losses_are_refused():
    for codes, labels in (([[0, -1]], [0, 1]), ([[0, 1]], [-1, 1]), ([[0, 1]], [0, 2])):
        with pytest.raises(ValueError, match="below 0"):
            Problem.of(codes, np.array(labels), losses=np.zeros((2, 2)))
