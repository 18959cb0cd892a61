"""Every study against its slow twin, readers and model loaders against damaged files, on new random
cases every time.

    pytest -m torture                               a round of each on a fresh seed, which is
                                                    printed
    PINETUM_TORTURE_ROUNDS=50 pytest -m torture     more rounds
    PINETUM_TORTURE_SEED=123 pytest -m torture      one seed again

A seed on which something failed belongs into `corpus.txt`; it is run again every time.
"""

import os
import secrets
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.torture
HERE = Path(__file__).parent
TESTS = HERE.parent

TWINS = {  # tests whose expectations hold for every seed
    "induction": ("induction/test_grower.py", "twin or row_order or fold_is or twice"),
    "induction pruning": ("induction/test_pruning.py", "recursion"),
    "distinct": ("distinct", "subsets or twin or objective"),
    "elimination": ("elimination/test_backward.py", "slow or agrees or same"),
    "greedy_dp": ("greedy_dp", "all_trees or plain_memo or twin"),
    "nbdt": ("nbdt", "optimum or brute_force or estimates or best_features or candidates"),
    "pruning": ("pruning", "recursion or recursive or trying_every or weakest_links"),
    "separators": ("separators/test_programs.py", "formulation"),
    "readers": ("data/test_fuzz.py", "mutated"),
    "models": ("trees/test_model_files.py", "mutated"),
}


def seeds():
    given = os.environ.get("PINETUM_TORTURE_SEED")
    if given:
        return [int(given)]
    known = [
        int(line.split()[0])
        for line in (HERE / "corpus.txt").read_text().splitlines()
        if line[:1].isdigit()
    ]
    return known + [
        secrets.randbelow(1 << 31)
        for _ in range(int(os.environ.get("PINETUM_TORTURE_ROUNDS", "1")))
    ]


@pytest.mark.parametrize("study", TWINS)
def test_fresh_cases(study):
    place, which = TWINS[study]
    for seed in seeds():
        environment = {
            **os.environ,
            "PINETUM_TORTURE_SEED": str(seed),
            "PYTHONPATH": os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")]),
        }
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-x",
            "-p",
            "no:cacheprovider",
            "-p",
            "fresh_seeds",
            "-k",
            which,
            str(TESTS / place),
        ]
        done = subprocess.run(
            command, env=environment, cwd=TESTS.parent, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, (
            f"PINETUM_TORTURE_SEED={seed}\n{done.stdout[-6000:]}{done.stderr[-2000:]}"
        )
        print(f"{study}: PINETUM_TORTURE_SEED={seed}: {done.stdout.strip().splitlines()[-1]}")
