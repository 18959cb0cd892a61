"""Puts the workflow (Snakefile, rules, configuration, scripts) into the wheel, and the README with
whole addresses into its metadata.

All else stands in pyproject.toml.
"""

import re
import shutil
import tomllib
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


def readme_of_the_index() -> str:
    """README.md as the package index shows it, where no other file lies beside it: links and
    pictures lead to the tag of this version.
    """
    here = Path(__file__).parent
    project = tomllib.loads((here / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    package = (here / "src/pinetum/__init__.py").read_text(encoding="utf-8")
    tag = "v" + re.search(r'^__version__ = "(.+)"', package, flags=re.MULTILINE)[1]

    def whole(link):
        kind = "raw" if link["picture"] else "blob"
        place = "README.md" + link["target"] if link["target"][0] == "#" else link["target"]
        return (
            f"{link['picture']}[{link['text']}]({project['urls']['Source']}/{kind}/{tag}/{place})"
        )

    return re.sub(
        r"(?P<picture>!?)\[(?P<text>[^]]*)\]\((?!https?:)(?P<target>[^)\s]+)\)",
        whole,
        (here / "README.md").read_text(encoding="utf-8"),
    )


setup(
    cmdclass={"build_py": BuildWithWorkflow},
    long_description=readme_of_the_index(),
    long_description_content_type="text/markdown",
)
