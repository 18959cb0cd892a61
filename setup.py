"""Puts the workflow (Snakefile, rules, configuration, scripts) into the wheel.

All else stands in pyproject.toml.
"""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

PARTS = ("Snakefile", "rules", "config", "profiles", "src/scripts", "workflow")


class BuildWithWorkflow(build_py):
    """The package, and below `pinetum/workflow/home` what `pinetum reproduce` runs."""

    def run(self):
        super().run()
        if self.editable_mode:  # the checkout itself is the home
            return
        here, home = Path(__file__).parent, Path(self.build_lib) / "pinetum/workflow/home"
        for part in PARTS:
            target = home / part
            if (here / part).is_dir():
                shutil.copytree(
                    here / part,
                    target,
                    dirs_exist_ok=True,
                    ignore=shutil.ignore_patterns("__pycache__", ".snakemake"),
                )
            else:
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(here / part, target)


setup(cmdclass={"build_py": BuildWithWorkflow})
