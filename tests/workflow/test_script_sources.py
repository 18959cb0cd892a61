"""What a script stands on is found without importing it."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from arboretum.script_sources import PACKAGE, script_digest, script_sources

SCRIPTS = PACKAGE.parent / "scripts"
LOADED = "import sys; print(*(m.__file__ for n, m in sys.modules.items() if n.split('.')[0] == 'arboretum'), sep='\\n')"


@pytest.mark.parametrize("script", ["distinct_explore", "pruning_networks", "report_page", "separators_own"])
def test_everything_that_is_loaded_is_among_the_sources(script):
    text = (SCRIPTS / f"{script}.py").read_text()
    imports = re.findall(r"^\s*((?:import|from) arboretum[^\n(]*(?:\([^)]*\))?)", text, re.MULTILINE)
    done = subprocess.run([sys.executable, "-c", "\n".join([*imports, LOADED])], capture_output=True, text=True)
    loaded = {Path(line) for line in done.stdout.split()}
    assert len(loaded) > 3, done.stderr
    assert loaded <= set(script_sources(SCRIPTS / f"{script}.py"))


def test_figures_and_templates_belong_to_the_scripts_that_draw_and_write():
    def names(script):
        return {file.relative_to(PACKAGE.parent).as_posix() for file in script_sources(SCRIPTS / script)}

    assert "arboretum/distinct/figures.py" in names("distinct_figures.py")
    assert "arboretum/distinct/figures.py" not in names("distinct_explore.py")
    assert "arboretum/pruning/bit_kernels.py" in names("pruning_networks.py")
    assert "arboretum/report/page.html.jinja" in names("report_page.py")


@pytest.mark.parametrize("kind", ["figures", "summar", "gather", "layout", "draw", "ranks", "report_"])
def test_tables_and_figures_load_no_compiler(kind):
    scripts = [path for path in SCRIPTS.glob("*.py") if kind in path.stem]
    # These two grow or evaluate something for their pictures.
    scripts = [path for path in scripts if path.stem not in {"induction_report", "pruning_found_figures"}]
    assert scripts
    for script in scripts:
        assert PACKAGE / "kernel.py" not in script_sources(script), script.name


def test_the_digest_tells_scripts_apart():
    digests = {script_digest(script) for script in SCRIPTS.glob("*.py")}
    assert len(digests) == len(list(SCRIPTS.glob("*.py")))
