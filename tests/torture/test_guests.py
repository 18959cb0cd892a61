"""Programs that use numba for themselves work as ever beside Pinetum."""

import subprocess
import sys

import pytest

PROGRAM = """
import importlib, pkgutil
import numba, numpy as np
from numba.extending import overload

def use():
    numbers = numba.typed.List()
    numbers.append(1); numbers.append(2)
    numbers.sort(key=numba.njit(lambda x: -x))
    numbers.append(3)
    product = numba.njit(lambda a, b: np.linalg.norm(a @ b) + np.dot(a, b)[0, 0])
    solved = numba.njit(lambda a, b: np.linalg.solve(a, b))

    def plain(x): pass

    @numba.njit
    def caller(x): return plain(x)

    @overload(plain)  # after the function that calls it
    def compiled(x):
        def body(x):
            with numba.objmode(y="int64"):
                y = int(x) + 1
            return y
        return body

    @numba.njit(parallel=True)
    def total(values):
        sum = 0.0
        for i in numba.prange(len(values)):
            sum += values[i]
        return sum

    one = np.eye(2)
    print(list(numbers), product(one, one), solved(2 * one, np.ones(2)), caller(4), total(np.arange(5.0)))

use()
import pinetum
for found in pkgutil.walk_packages(pinetum.__path__, "pinetum."):
    importlib.import_module(found.name)
from pinetum.induction import Grower, yadt
from pinetum.data.sample import sample
Grower(sample(), yadt(2)).grow()
use()
"""  # noqa: E501


def test_what_users_compile_works_before_and_after_it():
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False
    )
    assert done.stdout == 2 * "[2, 1, 3] 2.414213562373095 [0.5 0.5] 5 10.0\n", done.stderr


MODULES = ["typedlist", "withlifting", "extending", "dispatcher", "jitclasses"]


@pytest.mark.torture
@pytest.mark.parametrize("module", MODULES)
def test_numbas_own_tests_fail_as_without_it(module):
    """The same failures with and without the import of every module of the package."""
    program = """
import sys, unittest, pkgutil, importlib
if sys.argv[2] == "with":
    import pinetum
    for found in pkgutil.walk_packages(pinetum.__path__, "pinetum."):
        importlib.import_module(found.name)
suite = unittest.defaultTestLoader.loadTestsFromName("numba.tests.test_" + sys.argv[1])
result = unittest.TestResult()
suite.run(result)
print("tests", result.testsRun, sorted(test.id() for test, _ in result.failures + result.errors))
"""
    told = []
    for how in ("without", "with"):
        done = subprocess.run(
            [sys.executable, "-c", program, module, how],
            capture_output=True,
            text=True,
            check=False,
        )
        lines = [line for line in done.stdout.splitlines() if line.startswith("tests ")]
        assert lines, done.stderr[-2000:]
        told.append(lines[-1])
    print(module, *told, sep="\n")
    assert told[0] == told[1]
