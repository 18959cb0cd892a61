"""What a script stands on is found without importing it."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from pinetum.sources import PACKAGE, script_digest, sources_of

SCRIPTS = PACKAGE.parent / "scripts"
LOADED = "import sys; print(*(m.__file__ for n, m in sys.modules.items() if n.split('.')[0] == 'pinetum'), sep='\\n')"


@pytest.mark.parametrize(
    "script", ["distinct/explore_dataset", "pruning/prune_networks", "report/write_page", "separators/separate_own"]
)
def test_everything_that_is_loaded_is_among_the_sources(script):
    text = (SCRIPTS / f"{script}.py").read_text()
    imports = re.findall(r"^\s*((?:import|from) pinetum[^\n(]*(?:\([^)]*\))?)", text, re.MULTILINE)
    done = subprocess.run([sys.executable, "-c", "\n".join([*imports, LOADED])], capture_output=True, text=True)
    loaded = {Path(line) for line in done.stdout.split()}
    assert len(loaded) > 3, done.stderr
    assert loaded <= set(sources_of(SCRIPTS / f"{script}.py"))


def test_figures_and_templates_belong_to_the_scripts_that_draw_and_write():
    def names(script):
        return {file.relative_to(PACKAGE.parent).as_posix() for file in sources_of(SCRIPTS / script)}

    assert "pinetum/distinct/study/figures.py" in names("distinct/draw_distinct.py")
    assert "pinetum/distinct/study/figures.py" not in names("distinct/explore_dataset.py")
    assert "pinetum/pruning/kernels/bits.py" in names("pruning/prune_networks.py")
    assert "pinetum/report/page.html.jinja" in names("report/write_page.py")


@pytest.mark.parametrize(
    "kind",
    ["draw_", "summarise_", "gather_", "tabulate_", "rank_", "write_page", "compare_numbers", "sum_cost", "plan_scale"],
)
def test_tables_and_figures_load_no_compiler(kind):
    scripts = [path for path in SCRIPTS.glob("*/*.py") if kind in path.stem]
    # These two grow or evaluate something for their pictures.
    scripts = [path for path in scripts if path.stem not in {"draw_induction", "draw_found"}]
    assert scripts
    for script in scripts:
        assert PACKAGE / "jit.py" not in sources_of(script), script.name


def test_the_digest_tells_scripts_apart():
    digests = {script_digest(script) for script in SCRIPTS.glob("*/*.py")}
    assert len(digests) == len(list(SCRIPTS.glob("*/*.py")))
