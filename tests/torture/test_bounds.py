"""No engine writes beyond an array: what bounds checks see, by the interpreter, which has them and
needs no compiler.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

LEAVES = """
import warnings
import numpy as np, pandas as pd
from pinetum import best_subset, cross_validation, hold_out, near_optimal_trees

warnings.simplefilter("ignore")
rng = np.random.default_rng(0)
numbers = rng.normal(size=(30, 4))
numbers[rng.random(numbers.shape) < {missing}] = np.nan
words = pd.DataFrame({{f"c{{j}}": pd.Categorical(rng.integers(0, 8, 30), categories=range({values}))
                      for j in range(4)}})
words["x"] = numbers[:, 0]
X, y = {table}, rng.integers(0, 4, 30)
for make in (hold_out, cross_validation):
    objective = lambda data: make(data, leaf_penalty=0.5)
    for function in (best_subset, near_optimal_trees):
        found = function(X, y, objective, min_cases={least}, work=30_000, cache_mb=20)
        print(found.status)
"""


@pytest.mark.parametrize(
    ("table", "least"), [("numbers", 0), ("numbers", 0.5), ("numbers", 2), ("words", 2)]
)
def test_trees_of_more_leaves_than_cases_fit(table, least):
    """Missing cells go down every branch: penalties make search errors in each of its leaves."""
    program = LEAVES.format(table=table, least=least, values=300, missing=0.5)
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert set(done.stdout.split()) <= {"ok", "optimal", "work_limit"}


def test_calls_of_everything_public():
    """A few calls that are always the same; the gate and long runs make fresh ones."""
    program = str(Path(__file__).parent / "cases.py")
    done = subprocess.run(
        [sys.executable, "-W", "ignore", program, "calls", "--seed", "0", "--count", "60"],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
