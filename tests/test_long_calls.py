"""Long calls say how they stand, end at a limit or at Ctrl-C with the best known, and share work
among processes.
"""

import os
import signal
import threading
import time

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

import pinetum
from pinetum.nbdt.between import GRID, SOME_WORK, Search
from pinetum.progress import Watch, is_stopped, look, watched

pytestmark = pytest.mark.slow  # calls that somebody waits for


@pytest.fixture(autouse=True)
def keyboard():
    """Ctrl-C as a terminal gives it: a shell that starts the tests in the background has it
    ignored.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def noise(cases=240, columns=40, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(cases, columns)), rng.integers(0, 2, cases)


class Pressed:
    """Ctrl-C some seconds after a call began to be watched."""

    def __init__(self, seconds):
        self.seconds, self.over = seconds, threading.Event()

    def press(self):
        while signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            if self.over.wait(0.01):
                return
        if not self.over.wait(self.seconds):
            os.kill(os.getpid(), signal.SIGINT)

    def __enter__(self):
        threading.Thread(target=self.press, daemon=True).start()

    def __exit__(self, *fault):
        self.over.set()


def best_subset():
    found = pinetum.best_subset(*noise())
    assert 0 <= found.bound < found.errors
    return found.status


def count_trees():
    found = pinetum.count_trees(*noise())
    assert found.distinct > 0
    return found.status


def estimator():
    with pytest.warns(ConvergenceWarning, match="interrupted"):
        model = pinetum.BestSubset(work=None, outer_folds=3).fit(*noise())
    assert model.bound_ < model.search_error_ and model.outer_error_ is None
    assert model.get_n_leaves() > 1
    return model.status_


def path():
    with pytest.warns(ConvergenceWarning, match="interrupted"):
        model = pinetum.BackwardElimination(repeats=20, search="beam").fit(*noise(300, 60))
    assert len(model.path_) > 0 and model.support_.any()
    return model.status_


def deep_tree():
    with pytest.warns(ConvergenceWarning, match="interrupted"):
        model = pinetum.NBDTClassifier(6, n0=0).fit(*noise(400, 12))
    assert model.value_ < model.bound_
    return model.status_


def smallest_tree():
    X, y = noise(300, 30)
    with pytest.warns(ConvergenceWarning, match="not proved"):
        model = pinetum.MinimalTree("nodes", work=10**12).fit(
            np.where(X > 0, "a", "b").astype(object), y
        )
    assert (
        model.bound_ < model.cost_
        and model.score(np.where(X > 0, "a", "b").astype(object), y) > 0.9
    )
    return model.status_


def greedy_start():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(600, 4)), rng.integers(0, 200, 600)
    with pytest.warns(ConvergenceWarning, match="not proved"):
        model = pinetum.MinimalTree(work=10**12).fit(X, y)
    assert model.bound_ < model.cost_ and model.score(X, y) == 1
    return model.status_


def long_round():
    with pytest.warns(ConvergenceWarning, match="interrupted"):
        model = pinetum.BackwardElimination().fit(*noise(1500, 100))
    assert 1 <= len(model.path_) < 100
    return model.status_


def plane_tree():
    with pytest.warns(ConvergenceWarning, match="interrupted"):
        model = pinetum.SeparatorClassifier().fit(*noise(1000, 60))
    assert model.get_n_leaves() >= 1
    return model.status_


def program_search():
    X, y = noise(200, 6)
    found = pinetum.search_pruner([(np.where(X > 0, "a", "b").astype(object), y)], budget=10**7)
    assert (
        found.facts["candidates"] < 10**7
        and found.facts["selection_rank"] <= found.facts["start_rank"]
    )
    return found.facts["status"]


CALLS = [
    best_subset,
    count_trees,
    estimator,
    path,
    deep_tree,
    smallest_tree,
    greedy_start,
    long_round,
    plane_tree,
    program_search,
]


@pytest.mark.parametrize("call", CALLS)
def test_ctrl_c_ends_a_long_call_with_the_best_known(call, capsys):
    before = signal.getsignal(signal.SIGINT)
    with Pressed(0.5):
        assert call() == "interrupted"
    assert signal.getsignal(signal.SIGINT) is before
    assert "best known so far" in capsys.readouterr().err


def test_a_second_ctrl_c_aborts():
    with pytest.raises(KeyboardInterrupt), watched("a call"):
        signal.raise_signal(signal.SIGINT)
        assert is_stopped() and look(str)
        signal.raise_signal(signal.SIGINT)
    assert not is_stopped() and not look(str)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_ctrl_c_is_left_to_who_handles_it():
    def own(*_):
        pass

    before = signal.signal(signal.SIGINT, own)
    try:
        with watched("a call"):
            assert signal.getsignal(signal.SIGINT) is own
    finally:
        signal.signal(signal.SIGINT, before)


def test_no_limit_waits_for_the_first_tree():
    X, y = noise(1000, 60)
    found = pinetum.best_subset(X, y, time_limit=0)
    assert found.status == "time_limit" and found.subset == () and np.isnan(found.top_errors)
    assert 0 <= found.bound < found.errors <= min(y.sum(), len(y) - y.sum()) + 5  # of the folds
    with pytest.raises(ValueError, match="before the first tree was grown"):
        pinetum.BackwardElimination(time_limit=0).fit(X, y)
    with pytest.raises(KeyboardInterrupt), watched("a call"):
        signal.raise_signal(signal.SIGINT)
        pinetum.BackwardElimination().fit(X, y)


def test_nothing_more_is_searched_after_ctrl_c(monkeypatch):
    """Neither for the other folds and weights, nor as long again for the tree that is given."""
    steps, step = [], Search.step

    def counted(self, budget, root, work):
        steps.append(work)
        return step(self, budget, root, work)

    monkeypatch.setattr(Search, "step", counted)
    X, y = noise(60, 4)
    with pytest.warns(ConvergenceWarning, match="interrupted"), watched("a call"):
        signal.raise_signal(signal.SIGINT)
        model = pinetum.NBDTClassifier(4).fit(X, y)
    assert steps == [1, SOME_WORK] and model.n0_ == GRID[len(GRID) // 2]
    steps.clear()
    with pytest.warns(ConvergenceWarning, match="time_limit"):
        pinetum.NBDTClassifier(5, n0=0.5, time_limit=0.8).fit(X, y)
    assert len(steps) > 3 and steps[-1] == SOME_WORK < steps[-2]


def test_time_limits_end_a_call():
    X, y = noise(1000, 60)
    begun = time.process_time()
    found = pinetum.best_subset(X, y, time_limit=0.5)
    assert found.status == "time_limit" and found.bound < found.errors
    with pytest.warns(ConvergenceWarning, match="time_limit"):
        assert (
            pinetum.BackwardElimination(repeats=20, time_limit=0.3).fit(X[:300], y[:300]).status_
            == "time_limit"
        )
    assert pinetum.estimate_trees(X, y, probes=10**6, time_limit=0.5).probes < 10**6
    with pytest.warns(ConvergenceWarning, match="time_limit"):
        assert pinetum.SeparatorClassifier(time_limit=0.5).fit(X, y).status_ == "time_limit"
    with pytest.warns(ConvergenceWarning, match="time_limit"):
        assert (
            pinetum.NBDTClassifier(6, n0=0, time_limit=0.5).fit(X[:300, :9], y[:300]).status_
            == "time_limit"
        )
    with pytest.warns(ConvergenceWarning, match="not proved"):
        model = pinetum.MinimalTree(work=10**12, time_limit=0.5).fit(
            np.where(X > 0, "a", "b").astype(object), y
        )
    assert model.status_ == "time_limit"
    assert time.process_time() - begun < 20


def test_what_a_call_says(capsys):
    watch = Watch("search", 1)
    watch.told -= 60
    assert not watch.look(lambda: "best 3 errors", 0.5)
    assert capsys.readouterr().err == "[##########..........] search: best 3 errors, 0 s\n"
    watch.look(lambda: "at once again")
    watch.close()
    quiet = Watch("search", 0)
    quiet.told -= 60
    quiet.look(lambda: "nothing")
    assert capsys.readouterr().err == ""


def test_processes_share_the_work_and_not_the_answer():
    X, y = noise(120, 5)
    one, two = (pinetum.BestSubset(3, outer_folds=3, n_jobs=n).fit(X, y) for n in (None, 2))
    assert one.outer_error_ == two.outer_error_ and (one.support_ == two.support_).all()
    one, two = (pinetum.NBDTClassifier(2, n_jobs=n).fit(X, y) for n in (None, 2))
    assert one.n0_ == two.n0_ and one.tree_ == two.tree_


@pytest.mark.parametrize("X, y", [([[0, 0], [0, 1], [1, 0], [1, 1]] * 10, [0, 1, 1, 1] * 10)])
def test_functions_take_plain_cases(X, y):
    assert pinetum.count_trees(X, y).distinct == 4
    assert pinetum.best_subset(X, y).features == ("x0", "x1")
    assert pinetum.best_subset(X, y, pinetum.hold_out).cases == 12
    assert pinetum.near_optimal_trees(X, y).indispensable == ("x0", "x1")
    assert next(pinetum.iterate_trees(X, y, pinetum.hold_out)).errors == 0
    assert pinetum.estimate_trees(X, y, probes=50).distinct == pytest.approx(4, abs=2)
    for wrong in (lambda: pinetum.count_trees(X), lambda: pinetum.count_trees(X, y[:3])):
        with pytest.raises(ValueError, match=r"y: X needs its classes|one class per case"):
            wrong()
