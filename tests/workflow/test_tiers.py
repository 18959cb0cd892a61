"""Small work is interpreted and long work compiled, even in the middle of a call, and nobody can
tell from the answers.
"""

import importlib
import inspect
import logging
import os
import pickle
import pkgutil
import subprocess
import sys
import textwrap
import threading
from typing import NamedTuple

import numba
import numpy as np
import pytest

import pinetum
from pinetum import tiers
from pinetum.pruning.evolution.kernels import postfix
from pinetum.tiers import MADE, Tiered
from pinetum.trees.kernels.dropping import totals_of

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")


class Sums(NamedTuple):
    rows: np.ndarray
    total: np.ndarray


def add_up(values, sums):
    for i in range(values.shape[0]):
        sums.rows[i] += row_sum(values, i)
        sums.total[0] += sums.rows[i]
    return sums.total[0], values.shape[0]


def sum_of_row(values, i):
    total = values.dtype.type(0)
    for j in range(values.shape[1]):
        total += values[i, j]
    return total


def break_off(values, at):
    for i in range(values.size):
        values[i] += 1
        if i == at:
            raise KeyboardInterrupt
    return values[0]


row_sum = Tiered(sum_of_row, numba.njit(error_model="numpy")(sum_of_row))


@pytest.fixture(autouse=True)
def auto(monkeypatch):
    monkeypatch.setenv("PINETUM_JIT", "auto")


def tiered(function, folder=None, **more):
    return Tiered(function, numba.njit(error_model="numpy")(function), folder, **more)


def arguments(rows=50):
    values = np.random.default_rng(rows).integers(0, 9, (rows, 40))
    return values, Sums(np.zeros(rows, np.int64), np.zeros(1, np.int64))


def wanted(rows=50):
    values, sums = arguments(rows)
    sums.rows[:] = values.sum(axis=1)
    sums.total[0] = values.sum()
    return sums


def same(found, expected):
    return all(np.array_equal(a, b) for a, b in zip(found, expected, strict=True))


def test_a_small_call_is_interpreted_and_a_kernel_calls_it_compiled():
    kernel, (values, sums) = tiered(add_up), arguments()
    assert kernel(values, sums) == (wanted().total[0], 50)
    assert type(kernel(*arguments())[0]) is int
    assert same(sums, wanted()) and not kernel.is_compiled and not kernel.compiled.signatures
    assert not row_sum.is_compiled
    assert numba.njit(lambda values: row_sum(values, 0))(values) == values[0].sum()


def test_an_empty_purse_takes_the_call_back_and_compiles(monkeypatch):
    """In the middle of a call: what it had written is undone before the compiled kernel runs."""
    monkeypatch.setattr(tiers, "SECONDS_A_BYTE", 1e-7)
    monkeypatch.setattr(tiers, "LOOK", 200)
    kernel, (values, sums) = tiered(add_up), arguments(30_000)
    assert kernel(values, sums) == (wanted(30_000).total[0], 30_000)
    assert same(sums, wanted(30_000)) and kernel.is_compiled


@pytest.mark.parametrize("way", ["always", "never", "often"])
def test_the_way_can_be_chosen(monkeypatch, way):
    monkeypatch.setenv("PINETUM_JIT", way)
    monkeypatch.setattr(tiers, "SECONDS_A_BYTE", 0.0 if way == "never" else 1.0)
    kernel, (values, sums) = tiered(add_up), arguments()
    if way == "often":
        with pytest.raises(ValueError, match="PINETUM_JIT is 'often'; it may be auto, always, ne"):
            kernel(values, sums)
        return
    kernel(values, sums)
    assert same(sums, wanted()) and kernel.is_compiled == (way == "always")


def test_what_was_interpreted_is_kept_and_machine_code_used_at_once(monkeypatch, tmp_path):
    monkeypatch.setattr(tiers, "KEPT", 0.0)
    first = tiered(add_up, tmp_path)
    first(*arguments())
    assert 0 < first.spent() < first.purse
    monkeypatch.setattr(tiers, "SHARE", 0.9 * first.spent() / first.seconds())
    second = tiered(add_up, tmp_path)
    second(*arguments())
    assert second.is_compiled and second.spent() == MADE
    monkeypatch.setattr(tiers, "SHARE", 1e9)
    third = tiered(add_up, tmp_path)
    third(*arguments())
    assert third.is_compiled
    third.record.write_text("spoilt")
    assert tiered(add_up, tmp_path).is_interpreted()


def test_large_arguments_are_compiled_at_once_but_for_a_kernel_that_pauses(monkeypatch):
    monkeypatch.setattr(tiers, "LARGEST", 1000)
    kernel, pausing = tiered(add_up), tiered(add_up, pauses=True)
    kernel(*arguments())
    assert kernel.is_compiled
    values, sums = arguments()
    pausing(values, sums)
    assert same(sums, wanted()) and not pausing.is_compiled
    pausing.purse = 0.0
    pausing(*arguments())
    assert pausing.is_compiled


def test_ctrl_c_leaves_nothing_half_written():
    values = np.zeros(10)
    with pytest.raises(KeyboardInterrupt):
        tiered(break_off)(values, 5)
    assert not values.any()


def test_a_long_compile_is_announced_once(monkeypatch, caplog, tmp_path):
    monkeypatch.setenv("PINETUM_JIT", "always")
    monkeypatch.setattr(tiers, "SECONDS_A_BYTE", 1.0)
    with caplog.at_level(logging.WARNING, "pinetum"):
        kernel = tiered(add_up, tmp_path)
        kernel(*arguments())
        kernel(*arguments())
        tiered(add_up, tmp_path)(*arguments())
    [line] = caplog.messages
    assert line.startswith(f"compiling {__name__}.add_up: about ") and " s, once, kept in " in line


def test_threads_have_their_own_clocks(monkeypatch):
    monkeypatch.setattr(tiers, "SECONDS_A_BYTE", 1e-5)
    kernel, found = tiered(add_up), []

    def work():
        for _ in range(20):
            values, sums = arguments()
            kernel(values, sums)
            found.append(same(sums, wanted()))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 80 and kernel.is_compiled


def test_a_kernel_is_pickled_by_its_name():
    assert pickle.loads(pickle.dumps(totals_of)) is totals_of


PROGRAM = """
    import hashlib, json, os, sys, tempfile
    import numpy as np
    import pinetum
    rng = np.random.default_rng(3)
    X, y = np.round(rng.normal(size=(40, 3))), rng.integers(0, 2, 40)
    def fit():
        model = pinetum.TreeClassifier(prune="EBP").fit(X, y)
        return [model.to_text(), model.predict_proba(X).tolist()]
    pid = os.fork()
    if pid == 0:
        fit()
        os._exit(0)
    assert os.waitpid(pid, 0)[1] == 0
    try:
        pinetum.TreeClassifier(criterion="roots").fit(X, y)
    except ValueError as fault:
        print(fault)
    print(json.dumps(fit()))
    from pinetum.induction.kernels.grow import grow
    print(getattr(grow, "is_compiled", False), file=sys.stderr)
"""


def test_a_process_answers_alike_in_all_ways(tmp_path):
    told = {}
    for way, disabled in (("auto", ""), ("never", ""), ("auto", "1")):
        environment = {
            **os.environ,
            "PINETUM_JIT": way,
            "NUMBA_DISABLE_JIT": disabled or "0",
            "PINETUM_KERNEL_CACHE": str(tmp_path / "kernels"),
        }
        program = [sys.executable, "-c", textwrap.dedent(PROGRAM)]
        done = subprocess.run(program, env=environment, capture_output=True, text=True, check=True)
        told[way, disabled] = done.stdout
        assert done.stderr.strip() == "False"
    assert len(set(told.values())) == 1
    assert not list(tmp_path.rglob("*.nb[ci]"))


def test_what_the_interpreter_cannot_run_has_a_twin():
    """All that kernels name is plain Python, numpy, or a kernel."""
    kernels = 0
    for found in pkgutil.walk_packages(pinetum.__path__, "pinetum."):
        if ".kernels." not in found.name:
            continue
        for value in vars(importlib.import_module(found.name)).values():
            if not is_kernel(value) or value.__module__ != found.name:
                continue
            kernels += 1
            if getattr(value, "twin", None) is None:
                names = tiers.used_names(value.py_func.__code__) & value.py_func.__globals__.keys()
                used = [value.py_func.__globals__[name] for name in names]
                foreign = [one for one in used if is_foreign(one)]
                assert not foreign, f"{found.name}.{value.__name__} needs a twin: {foreign}"
    assert kernels > 300


def is_kernel(value):
    return hasattr(value, "py_func")


def is_foreign(value):
    """Whether it is numba's, or of one of numba's types, but no kernel."""
    of = value.__name__ if inspect.ismodule(value) else getattr(value, "__module__", None) or ""
    return not is_kernel(value) and "numba" in (of.split(".")[0], type(value).__module__[:5])


def test_a_kernel_called_like_a_function_of_numpy_does_not_call_itself():
    for kernel in (postfix.exp, postfix.log, postfix.tanh):
        assert tiers.callees(kernel.py_func) == {} and tiers.reach(kernel.py_func)
    assert set(tiers.callees(postfix.leaf_errors.py_func)) == {"exp", "log", "tanh"}


def test_functions_of_the_c_library_are_the_same_in_the_interpreter():
    rng = np.random.default_rng(2)
    edges = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 709.78, 709.79, -746.0, 1e-320]
    values = np.array([*edges, *rng.normal(size=3000), *rng.normal(size=3000) * 100])
    for function in (postfix.tanh, postfix.exp, postfix.log):
        assert tiers.reach(function.py_func) == {function.py_func}  # and not np's of that name
        compiled = np.array([function.compiled(x) for x in values])
        assert np.array([function.twin(x) for x in values]).tobytes() == compiled.tobytes()
