"""Fresh random cases of every study, and the same cases run in five ways: compiled, with bounds
checks, interpreted, interpreted without the compiler, and by both in turn.

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

COUNT = os.environ.get("PINETUM_TORTURE_COUNT", "40")
WAYS = {
    "compiled": {"PINETUM_JIT": "always"},
    "bounds": {"PINETUM_JIT": "always", "NUMBA_BOUNDSCHECK": "1"},
    "interpreted": {"PINETUM_JIT": "never"},
    "no compiler": {"NUMBA_DISABLE_JIT": "1"},
    "in turn": {"PINETUM_JIT": "auto"},
}
# As on a new machine, with purses that are empty in the middle of a first or a later call.
IN_TURN = """
import runpy, sys
from pinetum import tiers
tiers.SHARE, tiers.LOOK = 2e-3, 300
tiers.Tiered.spent, tiers.Tiered.note = lambda kernel: 0.0, lambda kernel, text: None
sys.argv[:] = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""

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
    for way, environment in WAYS.items():
        start = ["-c", IN_TURN] if way == "in turn" else []
        command = [sys.executable, "-W", "ignore", *start, str(CASES), study]
        command += ["--seed", str(SEED), "--count", COUNT, "--answers"]
        environment = os.environ | environment
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
