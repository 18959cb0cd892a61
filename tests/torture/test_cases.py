"""Fresh random cases of every study, and the same cases run in three ways: compiled, with bounds
checks, interpreted.

    pytest -m torture tests/torture/test_cases.py                             20 s of each study, on a new seed
    PINETUM_TORTURE_SECONDS=600 PINETUM_TORTURE_SEED=7 pytest -m torture ...   longer, and a seed again

A case that fails is shrunk and kept in `corpus/`, which the ordinary tests check from then on.
"""  # noqa: E501

import importlib.util
import json
import os
import secrets
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.torture
CASES = Path(__file__).parent / "cases.py"
SEED = int(os.environ.get("PINETUM_TORTURE_SEED") or secrets.randbelow(1 << 31))
SECONDS = float(os.environ.get("PINETUM_TORTURE_SECONDS", "20"))

spec = importlib.util.spec_from_file_location("torture_cases", CASES)
cases = importlib.util.module_from_spec(spec)
sys.modules["torture_cases"] = cases
spec.loader.exec_module(cases)


@pytest.mark.parametrize("study", cases.STUDIES)
def test_fresh_cases(study):
    answers = cases.run(study, SEED, seconds=SECONDS)
    print(f"{study}: PINETUM_TORTURE_SEED={SEED}: {len(answers)} cases")
    assert any(answer is not None for answer in answers)


@pytest.mark.parametrize(
    "study", [study for study in cases.STUDIES if study not in ("separators", "readers", "calls")]
)
def test_bounds_checks_and_the_interpreter_give_the_compiled_answers(study, tmp_path):
    told = {}
    for way in ("", "NUMBA_BOUNDSCHECK", "NUMBA_DISABLE_JIT"):
        environment = {**os.environ, **({way: "1"} if way else {})}
        command = [
            sys.executable,
            "-W",
            "ignore",
            str(CASES),
            study,
            "--seed",
            str(SEED),
            "--count",
            "40",
            "--answers",
        ]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        told[way] = done.stdout
        assert done.returncode == 0, (
            f"seed {SEED}, {way}: {done.stdout[-3000:]}{done.stderr[-3000:]}"
        )
    assert len(set(told.values())) == 1, f"seed {SEED}: {json.dumps(told)}"


def test_calls_with_bounds_checks():
    """Compiled, on larger tables than the interpreter is given."""
    command = [sys.executable, "-W", "ignore", str(CASES), "calls", "--seed", str(SEED)]
    done = subprocess.run(
        [*command, "--seconds", str(SECONDS)],
        env={**os.environ, "NUMBA_BOUNDSCHECK": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
