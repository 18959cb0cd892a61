"""Imports point downwards; pins are in step; the project keeps to its own names."""

import ast
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest
import yaml

from pinetum.workflow import studies

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "pinetum"
STUDIES = set(studies.STUDIES)
CORE = {"data", "trees", "induction", "validation"}
ROOT_MODULES = {
    "constants",
    "criteria",
    "files",
    "jit",
    "kernel_cache",
    "kernels",
    "parameters",
    "progress",
    "randomness",
    "sources",
    "tiers",
    "visible",
}
COMPILING = [(name,) for name in ("constants", "jit", "kernel_cache", "sources", "tiers")]
PARTS = ("measure", "results", "figures")  # of a study's replication
SOURCES = sorted(PACKAGE.rglob("*.py"))


def module_of(path):
    """Parts of a file's module below the package: `('distinct', 'kernels', 'walk')`."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return parts[:-1] if parts[-1] == "__init__" else parts


MODULES = {module_of(path) for path in SOURCES}


def imports_of(path):
    """Modules of the package that a file imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{name.name}" for name in node.names]
            names = [
                name if tuple(name.split(".")[1:]) in MODULES else node.module for name in names
            ]
        elif isinstance(node, ast.Import):
            names = [name.name for name in node.names]
        yield from {tuple(name.split(".")[1:]) for name in names if name.split(".")[0] == "pinetum"}


def layer_of(module):
    """Where a module stands: higher layers may import lower ones."""
    place = module[0] if module else ""
    if "kernels" in module or module in COMPILING:
        return "kernels"
    if place in ("report", "workflow"):
        return place
    if {"study", "replication", "explore", "warm"} & set(module[1:]):
        return "study"
    if place in STUDIES | CORE:
        return "estimators" if module[-1] in ("estimators", "base") else "algorithms"
    return "root" if place in ROOT_MODULES else "top"


MAY_IMPORT = {
    "kernels": {"kernels"},
    "root": {"root", "kernels"},
    "algorithms": {"algorithms", "root", "kernels"},
    "estimators": {"estimators", "algorithms", "root", "kernels"},
    "study": {"study", "estimators", "algorithms", "root", "kernels", "report", "workflow", "top"},
    "report": {"report", "workflow", "algorithms", "root", "kernels", "top"},
    "workflow": {"workflow", "algorithms", "root", "kernels", "top"},
    "top": {"top", "estimators", "algorithms", "root", "kernels", "workflow", "report"},
}


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_one_way(path):
    here = module_of(path)
    for there in imports_of(path):
        if there == here[: len(there)]:
            continue  # a package on the way
        if path.name == "__init__.py" and there[: len(here)] == here:
            continue  # what a package offers of its own
        low, high = layer_of(there), layer_of(here)
        assert low in MAY_IMPORT[high], (
            f"{path}: {high} may not import {'.'.join(there)}, which is {low}"
        )
        if there[0] in STUDIES and here and here[0] in STUDIES | CORE:
            own = here[0], *(studies.STUDIES[here[0]].stands_on if here[0] in STUDIES else ())
            assert there[0] in own, (
                f"{path} imports {'.'.join(there)}: a study stands on the core alone"
            )


def test_compiled_code_lies_in_folders_of_kernels_and_nothing_else_does():
    for path in SOURCES:
        compiled = re.search(r"^@kernel\b", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
        assert not compiled or path.parent.name == "kernels", (
            f"{path}: kernels live in a folder `kernels`"
        )


def test_fields_of_records_mean_the_same_without_the_compiler():
    """`here.size` of a record that has a field `size` is 1 to the interpreter: numpy answers."""
    for path in sorted(PACKAGE.rglob("kernels/*.py")):
        text = path.read_text(encoding="utf-8")
        fields = re.findall(r'\("(\w+)", np\.\w+\)', text)
        for names in re.findall(r"record_of\(([^)]*)\)", text):
            fields += re.findall(
                r'^[^#\n]*?"(\w+)"', names.replace(", ", ",\n"), flags=re.MULTILINE
            )
        taken = [name for name in fields if hasattr(np.record, name)]
        assert not taken, f"{path}: {taken[0]} is numpy's own name"


def test_nothing_of_numba_or_snakemake_is_reached_through_its_insides():
    private = re.compile(
        r"numba\.core|numba\.np\b|workflow\.scheduler|job_rate_limiter|setswitchinterval|gc\.(freeze|set_threshold|disable)"
    )
    here = Path(__file__).resolve()
    for folder in ("src", "rules", "tests", "benchmarks", "tools"):
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in (".py", ".smk") and path.resolve() != here:
                found = private.search(path.read_text(encoding="utf-8"))
                assert found is None, f"{path}: {found[0]}"


def test_environments_are_in_step_with_the_pins(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "envs"))
    import pin

    for name, make in pin.MADE.items():
        assert (ROOT / "envs" / name).read_text(encoding="utf-8") == make(), (
            f"run: python envs/pin.py ({name})"
        )


def test_every_requirement_is_pinned(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "envs"))
    import pin

    assert set(pin.requirements()) <= set(pin.pins())


def test_each_direct_dependency_is_justified(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "envs"))
    import tomllib

    import pin

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    section = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = section.split("## What it stands on")[1]
    for line in project["dependencies"]:
        name = pin.normal(re.match(r"[A-Za-z0-9_.-]+", line)[0])
        assert name in section, f"CONTRIBUTING.md does not say why {name} is there"


def test_the_snakefile_is_a_table_of_contents():
    lines = (ROOT / "Snakefile").read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 50
    assert not [line for line in lines if re.match(r"\s*(def|if|while|import) ", line)]


def test_every_study_of_the_list_has_its_parts_under_its_name():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for name in studies.STUDIES:
        for place in (
            "rules/{}.smk",
            "config/studies/{}.yaml",
            *(["src/pinetum/{}/explore.py"] if studies.STUDIES[name].own else []),
            *(f"src/pinetum/{{}}/replication/{part}.py" for part in ("measure", "results")),
            "src/pinetum/{}",
            "src/scripts/{}",
            "tests/{}",
        ):
            assert (ROOT / place.format(name)).exists(), place.format(name)
        assert f"| `{name}` |" in readme
        assert (ROOT / f"config/published/{name}.csv").exists()
    for folder in ("config/studies/*.yaml", "config/published/*.csv"):
        strangers = {path.stem for path in ROOT.glob(folder)} - set(studies.STUDIES)
        assert not strangers, f"{folder}: {strangers} is not in the list of studies"


def test_every_rule_that_works_has_log_benchmark_and_resources():
    """Resources are those of the profiles where a rule of the main run says nothing else."""
    for path in sorted([*ROOT.glob("rules/*.smk"), *ROOT.glob("benchmarks/rules/*.smk")]):
        text = path.read_text(encoding="utf-8")
        for block in re.split(r"^\s*(?:rule|checkpoint)(?: \w+)?:$", text, flags=re.M)[1:]:
            if "script:" in block or "shell:" in block:
                stated = ("mem_mb=", "runtime=") if "benchmarks" in path.parts else ()
                for field in ("log:", "benchmark:", *stated):
                    assert field in block, f"{path.name}: the rule{block[:200]} ... has no {field}"


def test_the_project_speaks_of_itself_alone():
    files = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    wrong = re.compile(
        "/" + "work/|index-" + r"url *=|https?://(?!127|localhost|\{|me:|host/)[^ ]*/" + "simple/"
    )
    for name in files:
        path = ROOT / name
        if path.suffix in {".png", ".xz", ".gz", ".npz"} or name == ".ci/run" or not path.exists():
            continue
        match = wrong.search(path.read_text(encoding="utf-8"))
        assert match is None, f"{name}: {match[0]}"


def test_published_numbers_are_well_formed():
    from pinetum.report.comparison import read_published

    for path in sorted((ROOT / "config" / "published").glob("*.csv")):
        frame = read_published(path)
        assert len(frame), path
        assert (frame["source"] != "").all(), f"{path}: a number without its page or section"


def test_every_profile_states_the_same_usual_resources():
    stated = [
        yaml.safe_load(path.read_text(encoding="utf-8"))["default-resources"]
        for path in [*ROOT.glob("profiles/*/config*.yaml"), *ROOT.glob("config/profiles/*/*.yaml")]
    ]
    assert len(stated) == 3 and all(resources == stated[0] for resources in stated)


def test_contents_with_an_unknown_key_or_without_a_caption_are_refused(tmp_path):
    from pinetum.workflow.config import ConfigError, check_yaml

    for name, text, says in [
        (
            "one",
            "records: []\ntables: [{name: one}]\nfigures: []\ndeviations: []\n",
            "tables.0 = .*misses from, caption",
        ),
        (
            "two",
            "records: []\ntables: []\nfigures: []\ndeviations: []\nfigure: []\n",
            "figure: unknown key; allowed here:",
        ),
    ]:
        path = tmp_path / f"{name}.yaml"
        path.write_text(text)
        with pytest.raises(ConfigError, match=says):
            check_yaml(path, ROOT / "config/schemas/study.yaml")
