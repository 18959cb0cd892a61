"""The container file and the conda environment, as far as they can be checked without an engine."""

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml

from pinetum_benchmarks.peers.rivals import GROUPS

ROOT = Path(__file__).parents[2]
# Packages whose conda name differs from the one on the package index; so far none of ours does.
BIOCONDA = {"snakefmt", "snakemake"}
INSTRUCTIONS = {"FROM", "RUN", "WORKDIR", "COPY", "ENV", "ENTRYPOINT", "CMD"}


def instructions():
    text = (ROOT / "envs/Containerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [
        line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")
    ]
    return [line.split(None, 1) for line in lines]


def test_the_container_file_is_well_formed_and_what_it_names_exists():
    steps = instructions()
    assert steps[0][0] == "FROM" and {step for step, _ in steps} <= INSTRUCTIONS
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    said = " ".join(rest for _, rest in steps)
    for path in re.findall(r"--constraint (\S+)", said):
        assert (ROOT / path).is_file()
    for extras in re.findall(r"--editable '\.\[([^]]*)\]'", said):
        assert set(extras.split(",")) <= set(project["optional-dependencies"])
    version = re.search(r"python:(\d+)\.(\d+)", said)
    assert tuple(map(int, version.groups())) >= (3, 11)
    for step, rest in steps:
        if step in ("ENTRYPOINT", "CMD"):
            assert isinstance(yaml.safe_load(rest), list)  # the exec form


@pytest.mark.skipif(shutil.which("hadolint") is None, reason="needs hadolint")
def test_hadolint_finds_nothing_in_the_container_file():
    said = subprocess.run(
        ["hadolint", "envs/Containerfile"], cwd=ROOT, capture_output=True, text=True
    )
    assert said.returncode == 0, said.stdout


def test_results_and_environments_stay_out_of_the_container():
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    assert {"results", ".venv", ".snakemake"} <= set(ignored)


def test_the_conda_environment_has_exact_versions_and_the_channel_of_snakemake():
    made = yaml.safe_load((ROOT / "envs/pinetum.yaml").read_text(encoding="utf-8"))
    packages = [entry for entry in made["dependencies"] if isinstance(entry, str)]
    names = {entry.split("=")[0] for entry in packages}
    assert all(re.fullmatch(r"[a-z0-9_.-]+(=[0-9][0-9a-z.]*)?", entry) for entry in packages)
    assert {entry for entry in packages if "=" not in entry} <= {"pip"}
    assert names >= BIOCONDA and "bioconda" in made["channels"]
    assert made["channels"].index("conda-forge") < made["channels"].index("bioconda")


@pytest.mark.parametrize("group", GROUPS)
def test_conda_environments_of_other_libraries_have_the_pins_of_the_index(group):
    pinned = (ROOT / f"benchmarks/envs/{group}.txt").read_text(encoding="utf-8").splitlines()
    made = yaml.safe_load((ROOT / f"benchmarks/envs/{group}.yaml").read_text(encoding="utf-8"))[
        "dependencies"
    ]
    assert (
        made[-1] == {"pip": [line for line in pinned if not line.startswith("#")]} and "pip" in made
    )
    ours = yaml.safe_load((ROOT / "envs/pinetum.yaml").read_text(encoding="utf-8"))["dependencies"]
    assert made[0] == ours[0] and made[0].startswith("python=")
