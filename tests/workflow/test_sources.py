"""What a script stands on is found without importing it."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from pinetum import sources
from pinetum.sources import PACKAGE, kernel_digest, script_digest, sources_of
from pinetum.workflow.studies import PARTS

SCRIPTS = PACKAGE.parent / "scripts"
LOADED = (
    "import sys; print(*(m.__file__ for n, m in sys.modules.items() if n.split('.')[0] =="
    " 'pinetum'), sep='\\n')"
)


@pytest.mark.parametrize(
    "script",
    [
        "distinct/explore_dataset",
        "pruning/prune_networks",
        "report/write_page",
        "separators/separate_folds",
    ],
)
def test_everything_that_is_loaded_is_among_the_sources(script):
    text = (SCRIPTS / f"{script}.py").read_text()
    imports = re.findall(r"^\s*((?:import|from) pinetum[^\n(]*(?:\([^)]*\))?)", text, re.MULTILINE)
    done = subprocess.run(
        [sys.executable, "-c", "\n".join([*imports, LOADED])], capture_output=True, text=True
    )
    loaded = {Path(line) for line in done.stdout.split()}
    assert len(loaded) > 3, done.stderr
    assert loaded <= set(sources_of(SCRIPTS / f"{script}.py"))


def test_figures_and_templates_belong_to_the_scripts_that_draw_and_write():
    def names(script):
        return {
            file.relative_to(PACKAGE.parent).as_posix() for file in sources_of(SCRIPTS / script)
        }

    assert "pinetum/distinct/replication/figures.py" not in names("distinct/explore_dataset.py")
    assert "pinetum/pruning/kernels/bits.py" in names("pruning/prune_networks.py")
    assert "pinetum/report/page.html.jinja" in names("report/write_page.py")


@pytest.mark.parametrize(
    "kind",
    [
        "draw",
        "gather",
        "tabulate",
        "write_page",
        "compare_numbers",
    ],
)
def test_tables_and_figures_load_no_compiler(kind):
    scripts = [path for path in SCRIPTS.glob("*/*.py") if kind in path.stem]
    assert scripts
    for script in scripts:
        assert PACKAGE / "jit.py" not in sources_of(script), script.name
    for part in ("results", "figures"):
        for module in PACKAGE.glob(f"*/replication/{part}.py"):
            # Pictures of trees need the tree, whose predictions are compiled.
            draws_trees = module.parts[-3:] == ("greedy_dp", "replication", "figures.py")
            assert (PACKAGE / "jit.py" in sources_of(module)) == draws_trees, module


def test_a_job_that_compiles_says_how_before_numba_is_imported():
    modules = "sys, pinetum.workflow.job, pinetum.workflow.compiling"
    text = f"import {modules}; print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True)
    assert done.stdout == "False\n", done.stderr


def test_the_digest_tells_scripts_apart():
    digests = {script_digest(script) for script in SCRIPTS.glob("*/*.py")}
    assert len(digests) == len(list(SCRIPTS.glob("*/*.py")))


KERNELS = sorted(path for path in PACKAGE.rglob("kernels/*.py") if path.name != "__init__.py")
WARM = {name: PACKAGE / name / "warm.py" for name, part in PARTS.items() if part.compiles}


@pytest.fixture(scope="module")
def loaded():
    """Files of kernels that importing each study's warm-up loads, told by Python itself."""
    files = {}
    for name in WARM:
        text = f"import pinetum.{name}.warm\n{LOADED}"
        done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        files[name] = {Path(line) for line in done.stdout.split("\n")} & set(KERNELS)
    return files


@pytest.mark.parametrize("edited", KERNELS, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_an_edited_kernel_changes_the_digests_of_exactly_the_studies_that_reach_it(
    edited, loaded, monkeypatch
):
    before = {name: kernel_digest.__wrapped__(warm) for name, warm in WARM.items()}
    real = sources.read

    def read(file):
        content, imports = real(file)
        return (content + b"\n" if file == edited else content), imports

    monkeypatch.setattr(sources, "read", read)
    changed = {
        name for name, warm in WARM.items() if kernel_digest.__wrapped__(warm) != before[name]
    }
    reached = {name for name, files in loaded.items() if edited in files}
    # What is imported inside a function is reached too, though importing the study does not load
    # it.
    late = {name for name, warm in WARM.items() if edited in sources_of(warm)}
    assert reached <= changed == late
    users = [path for path in PACKAGE.rglob("*.py") if path.parent.name != "kernels"]
    assert any(edited in sources_of(path) for path in users), (
        f"{edited}: nothing calls these kernels"
    )
