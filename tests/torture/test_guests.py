"""Programs that use numba for themselves work as ever beside Pinetum."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.torture

PROGRAM = """
import numba, numpy as np
import pinetum.induction.grower, pinetum.distinct.search, pinetum.nbdt.solver, pinetum.separators.tree
from numba.extending import overload

numbers = numba.typed.List()
numbers.append(1); numbers.append(2)
numbers.sort(key=numba.njit(lambda x: -x))
numbers.append(3)
product = numba.njit(lambda a: np.linalg.norm(a @ a) + np.dot(a, a)[0, 0])

def said(x): pass

@overload(said)
def said_compiled(x):
    def body(x):
        with numba.objmode(y="int64"):
            y = int(x) + 1
        return y
    return body

print(list(numbers), product(np.eye(2)), numba.njit(lambda x: said(x))(4))
"""


def test_typed_lists_products_and_overloads_work_beside_it():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)
    assert done.stdout == "[2, 1, 3] 2.414213562373095 5\n", done.stderr


MODULES = ["typedlist", "withlifting", "extending", "dispatcher", "jitclasses"]


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
        done = subprocess.run([sys.executable, "-c", program, module, how], capture_output=True, text=True, check=False)
        lines = [line for line in done.stdout.splitlines() if line.startswith("tests ")]
        assert lines, done.stderr[-2000:]
        told.append(lines[-1])
    assert told[0] == told[1]
