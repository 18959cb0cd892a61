"""The workflow away from its checkout: as a module under a prefix, from another folder, with few
keys of one's own.
"""

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from pinetum import __version__

pytestmark = pytest.mark.slow  # whole runs

ROOT = Path(__file__).parents[2]
MODULE = """
module pinetum:
    snakefile: "{snakefile}"
    prefix: "forest"
    config: config["pinetum"]

use rule * from pinetum as pinetum_*
"""
FEW_KEYS = """
  seed: 7
  shards: {greedy_dp: 1}
  greedy_dp:
    tables_per_group: 20
    datasets: [monks-3]
  report: {vector_forms: []}
  tables: {mine: {path: mine.csv, class: play}}
"""


def snakemake(folder, *arguments, **environment):
    command = [sys.executable, "-m", "snakemake", "--cores", "1", *arguments]
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, env=os.environ | environment
    )
    return done.returncode, done.stdout + done.stderr


@pytest.fixture
def folder(tmp_path):
    """A folder with a space and letters beyond ASCII, and a workflow of three lines that uses
    ours.
    """
    folder = tmp_path / "my fôrest ü"
    folder.mkdir()
    (folder / "Snakefile").write_text(MODULE.format(snakefile=ROOT / "workflow/Snakefile"))
    (folder / "config.yaml").write_text(f"pinetum:{FEW_KEYS}")
    (folder / "mine.csv").write_text(
        "sky,wind,play\n" + "sun,calm,yes\nrain,calm,no\nsun,storm,no\nrain,storm,no\n" * 3
    )
    return folder


def test_a_workflow_of_three_lines_uses_ours_under_a_prefix(folder):
    target = "forest/results/tables/greedy_dp/table_1.md"
    own = "forest/results/own/mine/greedy_dp.csv"
    code, said = snakemake(folder, target, own, "--configfile", "config.yaml")
    assert code == 0, said[-3000:]
    assert "compile_kernels" in said  # on the screen
    assert (
        "Computed by pinetum.greedy_dp.replication.random_tables.solve_random_tables"
        in (folder / target).read_text()
    )
    assert (folder / target).read_text().count("|\n") == 18  # sixteen heuristics below the head
    made = {path.name for path in folder.iterdir()} - {
        "Snakefile",
        "config.yaml",
        "mine.csv",
        ".snakemake",
    }
    assert made == {"forest"}
    code, said = snakemake(
        folder, target, own, "--report", "report.zip", "--configfile", "config.yaml"
    )
    assert code == 0, said[-3000:]
    with zipfile.ZipFile(folder / "report.zip") as report:
        inside = {name.split("/")[-1] for name in report.namelist() if "/data/raw/" in name}
        page = report.read("report/report.html").decode()
    assert {"table_1.csv", "greedy_dp.csv"} <= inside
    assert "own tables" in page and "what rule" in page and "Computed by pinetum.greedy" in page
    code, said = snakemake(folder, "pinetum_all", "--dry-run", "--config", "pinetum={seed: 8}")
    assert code == 0 and "pinetum_write_page" in said, said[-3000:]


def test_from_another_folder_with_a_configuration_of_ones_own(folder):
    (folder / "config").mkdir()
    (folder / "config/config.yaml").write_text("seed: 7\nnbdt: {folds: 1}\n")
    code, said = snakemake(folder, "--snakefile", str(ROOT / "Snakefile"), "--dry-run")
    assert code != 0 and "config/config.yaml: nbdt.folds = 1: allowed is 2 to" in said
    (folder / "config/config.yaml").write_text("seed: 7\nnbdt: {datasets: [vote-value]}\n")
    code, said = snakemake(
        folder.parent, "-s", str(ROOT / "Snakefile"), "-d", str(folder), "--dry-run", "nbdt"
    )
    assert code == 0 and "results/data/vote.npz" in said and "lymphography" not in said, said[
        -3000:
    ]


def test_settings_on_the_command_line_have_the_types_they_need(folder):
    """Snakemake hands all that stands in braces, and `false`, over as text."""
    settings = ["paper_studies=false", "nbdt={folds: 3, datasets: [vote-value]}"]
    code, said = snakemake(
        folder, "-s", str(ROOT / "Snakefile"), "--dry-run", "--config", *settings
    )
    assert code == 0 and "tabulate_nbdt" not in said, said[-3000:]


ADDRESS = "https://github.com/someone/pinetum"


@pytest.fixture
def published(make_checkout, tmp_path):
    """A repository with a tag per version, and the variables that make git take an address on the
    net from it.
    """

    def make(*versions):
        repository = make_checkout("repository")
        package = repository / "src/pinetum/__init__.py"
        git = ["git", "-C", str(repository), "-c", "user.name=a", "-c", "user.email=a@b"]
        for version in versions:
            package.write_text(package.read_text().replace(f'"{__version__}"', f'"{version}"'))
            steps = (
                ["init", "--quiet"],
                ["add", "--all"],
                ["commit", "--quiet", "-m", "a"],
                ["tag", f"v{version}"],
            )
            for step in steps:
                subprocess.run([*git, *step], check=True)
        return {
            "XDG_CACHE_HOME": str(tmp_path / "cache"),
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": f"url.file://{repository}.insteadOf",
            "GIT_CONFIG_VALUE_0": ADDRESS,
        }

    return make


def test_a_tag_of_a_repository_serves_as_a_module(folder, published):
    """The page's `github(...)`, with a tag of the installed version and with another."""
    environment = published(__version__, "0.0.1")
    written = re.search(
        r"    snakefile: github.*\n", (ROOT / "docs/module.md").read_text(encoding="utf-8")
    )[0].strip()
    assert (
        written
        == f'snakefile: github("someone/pinetum", path="workflow/Snakefile", tag="v{__version__}")'
    )
    text = MODULE.replace('snakefile: "{snakefile}"', written)
    target = "forest/results/data/monks-3.npz"
    (folder / "Snakefile").write_text(text)
    code, said = snakemake(folder, target, "--configfile", "config.yaml", **environment)
    assert code == 0 and (folder / target).is_file(), said[-3000:]
    (folder / "Snakefile").write_text(text.replace(f"v{__version__}", "v0.0.1"))
    code, said = snakemake(folder, target, "--configfile", "config.yaml", **environment)
    assert code != 0 and f"fetch the tag v{__version__}" in said, said[-3000:]


@pytest.mark.torture
@pytest.mark.network
def test_what_the_workflow_catalog_deploys_runs(published, tmp_path):
    """snakedeploy, the tool that the catalog tells its readers to use, makes a Snakefile, and that
    one is planned.
    """
    environment, tools, place = published(__version__), tmp_path / "tools", tmp_path / "deployed"
    subprocess.run([sys.executable, "-m", "venv", str(tools)], check=True)
    subprocess.run([tools / "bin/pip", "install", "--quiet", "snakedeploy"], check=True)
    place.mkdir()
    command = [
        tools / "bin/snakedeploy",
        "deploy-workflow",
        ADDRESS,
        str(place),
        "--tag",
        f"v{__version__}",
    ]
    subprocess.run(command, check=True, env=os.environ | environment)
    code, said = snakemake(place, "--dry-run", **environment)
    assert code == 0 and "write_page" in said, said[-3000:]
