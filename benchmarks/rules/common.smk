# Settings and helpers of the benchmarks; those of the main workflow's rules, on whose data and kernels they stand.

import os
import sys
from pathlib import Path

BENCHMARKS = Path(workflow.basedir)
# Behind all others, as in rules/common.smk.
sys.path.append(str(BENCHMARKS.parent / "src"))

import pinetum.sources
from pinetum.workflow.config import ConfigError, check, load_schema, load_yaml, merged, with_types

PACKAGE_OF_BENCHMARKS = BENCHMARKS / "pinetum_benchmarks"

# For this file, and for the scripts and processes that jobs start.
sys.path.insert(0, str(BENCHMARKS))
os.environ |= {
    "PYTHONPATH": os.pathsep.join([str(BENCHMARKS), *filter(None, [os.getenv("PYTHONPATH")])])
}

from pinetum_benchmarks.peers.questions import QUESTIONS
from pinetum_benchmarks.peers.rivals import GROUPS, RIVALS

# Their sections lie beside those of the main workflow in a configuration, which knows none of them.
SCHEMA = load_schema(BENCHMARKS / "config/schema.yaml")
MEASURED = merged(
    load_yaml(str(BENCHMARKS / "config/config.yaml")),
    {name: config.pop(name) for name in SCHEMA["properties"] if name in config},
)


include: "../../rules/common.smk"


try:
    MEASURED = with_types(MEASURED, SCHEMA)
    check(MEASURED, SCHEMA, workflow.configfiles, known)
except ConfigError as fault:
    raise WorkflowError(f"\n{fault}") from None


def code_of_part(part):
    """Digest of a part of the benchmarks and of all it imports, for `params`: an edit measures again."""
    files = sorted((PACKAGE_OF_BENCHMARKS / part).rglob("*.py"))
    return pinetum.sources.digest(
        sorted({one for file in files for one in pinetum.sources.sources_of(file)})
    )


def groups_of(question):
    """Environments of the contestants of a question of `peers`."""
    asked = [RIVALS[contestant.rival].group for contestant in QUESTIONS[question].contestants]
    return [group for group in GROUPS if group in asked]


def frontier_work():
    """Millions of work that the largest size of each line of the frontier may take, for every cost and table."""
    grid = MEASURED["frontier"]
    return 5 * len(grid["attributes"]) * grid["tables"] * grid["work_millions"]


def selecting():
    """Million steps that the complete searches inside the outer folds may take."""
    plan = MEASURED["oversearching"]
    return 4 * len(plan["datasets"]) * plan["repeats"] * plan["folds"] * plan["work"]
