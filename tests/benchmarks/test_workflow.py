"""The benchmarks' own workflow: it is planned, its settings are known, its parts lie together."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from pinetum.workflow.config import load_schema, load_yaml, merged
from pinetum_benchmarks.peers.questions import QUESTIONS

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
SCHEMA = load_schema(BENCHMARKS / "config/schema.yaml")
RULES = {path: path.read_text(encoding="utf-8") for path in BENCHMARKS.glob("rules/*.smk")}


def plan(folder, *arguments):
    command = [sys.executable, "-m", "snakemake", "--snakefile", str(BENCHMARKS / "Snakefile")]
    command += ["--dry-run", "--directory", str(folder), *arguments]
    environment = os.environ | {"PYTHONPATH": ""}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("configuration", ["config", "smoke", "full"])
def test_all_is_planned_and_so_are_the_rivals(tmp_path, configuration):
    code, said = plan(
        tmp_path, "all", "peers", "--configfile", str(BENCHMARKS / f"config/{configuration}.yaml")
    )
    assert code == 0, said[-3000:]
    for rule in ("measure_growing", "measure_frontier", "compare_rival", "measure_peers"):
        assert f"\nrule {rule}:" in said
    assert not list(tmp_path.glob("results"))


def test_keys_of_both_workflows_may_be_set_and_a_wrong_one_is_named(tmp_path):
    code, said = plan(tmp_path, "growing", "--config", "seed=7", "growing={folds: 3}")
    assert code == 0, said[-3000:]
    code, said = plan(tmp_path, "growing", "--config", "growing={fold: 3}")
    assert code != 0 and "growing.fold: unknown key" in said
    code, said = plan(tmp_path, "growing", "--config", "growin={folds: 3}")
    assert code != 0 and "growin: unknown key" in said


def test_questions_of_the_schema_are_those_that_there_are():
    asked = SCHEMA["properties"]["peers"]["properties"]["asked"]
    assert asked["items"]["enum"] == list(QUESTIONS)


def test_larger_and_smaller_sizes_set_known_keys():
    base = load_yaml(str(BENCHMARKS / "config/config.yaml"))
    assert set(base) == set(SCHEMA["properties"])
    for name in ("smoke", "full"):
        assert set(merged(base, load_yaml(str(BENCHMARKS / f"config/{name}.yaml")))) == set(base)


def test_every_rule_has_its_script_and_every_script_its_rule():
    named = {
        (path.stem, rule, script)
        for path, text in RULES.items()
        for rule, script in re.findall(
            r'^rule (\w+):\n(?:(?!^rule ).*\n)*?    script:\n\s+"\.\./(\S+)"', text, re.M
        )
    }
    assert {script for *_, script in named} == {
        path.relative_to(BENCHMARKS).as_posix() for path in BENCHMARKS.glob("scripts/*/*.py")
    }
    for part, rule, script in named:
        assert Path(script).parent.name == part
        assert Path(script).stem == rule
