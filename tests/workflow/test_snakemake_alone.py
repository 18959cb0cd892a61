"""The rules can be checked and planned where only Snakemake is installed, without the package."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# Refuses what Snakemake itself does not need, and the package unless it is that of the checkout.
ALONE = """
import pkgutil
import sys
from importlib.abc import MetaPathFinder

REFUSED = {"joblib", "matplotlib", "numba", "numpy", "pandas", "scipy", "seaborn", "sklearn"}

class Refuse(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in REFUSED:
            raise ModuleNotFoundError(f"refused: {name}", name=name)

sys.meta_path.insert(0, Refuse())
installed = pkgutil.iter_modules  # plugins may need more than Snakemake does
pkgutil.iter_modules = lambda *where, **more: (
    module for module in installed(*where, **more) if "_plugin_" not in module.name
)
sys.meta_path[:] = [one for one in sys.meta_path if "editable" not in repr(one).lower()]
sys.path[:] = [place for place in sys.path if place != SOURCES]
from snakemake.cli import main

main(sys.argv[1:])
""".replace("SOURCES", repr(str(ROOT / "src")))


@pytest.mark.parametrize(
    "arguments",
    [
        ["--lint"],
        ["--dry-run", "--quiet"],
        ["--snakefile", "benchmarks/Snakefile", "--dry-run", "--quiet"],
    ],
    ids=" ".join,
)
def test_rules_are_read_without_the_package_and_what_it_needs(arguments):
    command = [sys.executable, "-c", ALONE, *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]


def test_what_is_refused_is_missed():
    """The other test can fail."""
    text = ALONE.replace("main(sys.argv[1:])", "import numpy")
    done = subprocess.run([sys.executable, "-c", text], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode != 0 and "refused: numpy" in done.stderr
