"""Imports point downwards; pins are in step; the project keeps to its own names."""

import ast
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "arboretum"
ROOMS = {"distinct", "elimination", "pruning", "nbdt", "greedy_dp", "separators"}
STANDS_ON = {"elimination": {"distinct"}}
ASKS = {("induction/classifier.py", "pruning")}  # when a found pruning function is asked for by its name
ABOVE_STUDIES = {"study", "own", "summary", "figures", "warm", "__init__"}
SOURCES = sorted(PACKAGE.rglob("*.py"))


def imports_of(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("arboretum"):
            yield node.module
            yield from (f"{node.module}.{name.name}" for name in node.names)
        elif isinstance(node, ast.Import):
            yield from (name.name for name in node.names if name.name.startswith("arboretum"))


def package_of(module):
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else ""


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_downwards(path):
    here = path.relative_to(PACKAGE).parts[0]
    allowed = {here} | STANDS_ON.get(here, set())
    for module in imports_of(path):
        there = package_of(module)
        asked = (path.relative_to(PACKAGE).as_posix(), there) in ASKS
        assert there not in ROOMS or there in allowed or asked, f"{path} imports {module}: a room belongs to itself"
        if here in ROOMS and module.split(".")[-1] == "study":
            assert path.stem in ABOVE_STUDIES or path.stem.endswith("_study"), (
                f"{path} imports {module}: records come last"
            )


@pytest.mark.parametrize(
    "path", [path for path in SOURCES if path.stem.endswith("kernels")], ids=lambda path: str(path.relative_to(PACKAGE))
)
def test_kernels_import_only_kernels_and_constants(path):
    for module in imports_of(path):
        file = ROOT / "src" / (module.replace(".", "/") + ".py")
        if file.exists() and file.name not in {"kernel.py", "constants.py"} and not file.stem.endswith("kernels"):
            assert "@kernel" in file.read_text(encoding="utf-8"), f"{path} imports {module}, which has no kernels"


def test_environments_are_in_step_with_the_pins(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "envs"))
    import pin

    for name, make in pin.MADE.items():
        assert (ROOT / "envs" / name).read_text(encoding="utf-8") == make(), f"run: python envs/pin.py ({name})"


def test_every_requirement_is_pinned(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "envs"))
    import pin

    assert set(pin.requirements()) <= set(pin.pins())


def test_each_direct_dependency_is_justified_in_the_readme(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "envs"))
    import tomllib

    import pin

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    section = (ROOT / "README.md").read_text(encoding="utf-8").split("## What it stands on")[1]
    for line in project["dependencies"]:
        name = pin.normal(re.match(r"[A-Za-z0-9_.-]+", line)[0])
        assert name in section, f"README.md does not say why {name} is there"


def test_the_snakefile_is_a_table_of_contents():
    lines = (ROOT / "Snakefile").read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 66
    assert not [line for line in lines if re.match(r"\s*(def|for|if|while|import) ", line)]


def test_every_rule_that_works_has_log_benchmark_and_resources():
    for path in sorted((ROOT / "rules").glob("*.smk")):
        text = path.read_text(encoding="utf-8")
        for block in re.split(r"^\s*(?:rule|checkpoint)(?: \w+)?:$", text, flags=re.M)[1:]:
            if "script:" in block or "shell:" in block:
                for field in ("log:", "benchmark:", "mem_mb=", "runtime="):
                    assert field in block, f"{path.name}: the rule{block[:200]} ... has no {field}"


def test_the_project_speaks_of_itself_alone():
    files = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    wrong = re.compile("/" + "work/|index-" + r"url *=|https?://(?!127|localhost|\{|me:|host/)[^ ]*/" + "simple/")
    for name in files:
        path = ROOT / name
        if path.suffix in {".png", ".xz", ".gz", ".npz"} or name == ".ci/run" or not path.exists():
            continue
        match = wrong.search(path.read_text(encoding="utf-8"))
        assert match is None, f"{name}: {match[0]}"


def test_published_numbers_are_well_formed():
    from arboretum.report.comparison import read_published

    for path in sorted((ROOT / "config" / "published").glob("*.csv")):
        frame = read_published(path)
        assert len(frame), path
        assert (frame["source"] != "").all(), f"{path}: a number without its page or section"


@pytest.mark.parametrize(
    "setting, says",
    [
        ("sed=3", "sed: unknown key; allowed here:"),
        ("seed=-3", "seed = -3: allowed is 0 to"),
        ("require_all=maybe", "require_all = 'maybe': must be boolean"),
        (
            "nbdt={datasets: [monkz-1]}",
            "nbdt.datasets.0 = 'monkz-1': no data set or view of config/catalogue.yaml; near: monks-1",
        ),
        (
            "distinct={enumeration: {m: {adlut: [2]}}}",
            "'adlut': no data set or view of config/catalogue.yaml; near: adult",
        ),
        (
            "separators={datasets: {heart: hart-binary}}",
            "heart = 'hart-binary': no data set or view of config/catalogue.yaml; near: heart-binary",
        ),
        ("tables={mine: {path: gone.csv, class: y}}", "tables.mine.path = 'gone.csv': no such file"),
        ("tables={adult: {path: LICENSE, class: y}}", "tables.adult: a data set of the catalogue has this name"),
        ("nbdt={own: {costs: {his: {}}}}", "nbdt.own.costs.his: no table of this name"),
    ],
)
def test_a_wrong_setting_is_refused_before_any_job(setting, says, run_snakemake):
    done = run_snakemake(ROOT, "--dry-run", "--config", setting)
    assert done.returncode != 0
    assert says in done.stdout + done.stderr


def test_a_wrong_value_is_looked_for_where_it_was_set(tmp_path, run_snakemake):
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text("induction: {folds: 1}\n")
    for files in ([wrong], [wrong, "config/full.yaml"], ["config/smoke.yaml", wrong]):
        done = run_snakemake(ROOT, "--dry-run", "--configfile", *map(str, files))
        assert f"{wrong}: induction.folds = 1: allowed is 2 to" in done.stdout + done.stderr
    done = run_snakemake(ROOT, "--dry-run", "--config", "seed=-3")
    assert "--config: seed = -3: allowed is" in done.stdout + done.stderr
