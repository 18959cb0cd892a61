"""The container file and the conda environment, as far as they can be checked without an engine."""

import re
import runpy
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
INSTRUCTIONS = {"FROM", "RUN", "WORKDIR", "COPY", "USER", "ENTRYPOINT", "CMD"}


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


def test_the_container_is_an_exact_one_of_a_plain_user_and_has_no_shared_cache():
    steps = instructions()
    assert re.search(r":3\.11\.\d+-\S+@sha256:[0-9a-f]{64}$", steps[0][1])
    assert [rest for step, rest in steps if step == "USER"] == ["pinetum"]
    assert steps.index(["USER", "pinetum"]) < min(
        i for i, (step, _) in enumerate(steps) if step in ("ENTRYPOINT", "CMD")
    )
    assert not any("KERNEL_CACHE" in rest or "/tmp" in rest for _, rest in steps)


def test_public_checks_run_nothing_that_can_be_changed_behind_a_name():
    files = [*(ROOT / ".github/workflows").glob("*.yml"), *(ROOT / ".ci").iterdir()]
    text = "\n".join(path.read_text(encoding="utf-8") for path in files)
    used = re.findall(r"uses: (\S+)", text)
    assert used and all(re.fullmatch(r"\S+@[0-9a-f]{40}", one) for one in used)
    images = re.findall(r"docker run (?:-\S+ |\"\S+ |/repo )*(\S+/\S+:\S+)", text)
    assert len(images) == 2 and all("@sha256:" in image for image in images)
    for line in text.splitlines():
        assert "pipx run" not in line or re.search(r"pipx run --spec \S+==\S+ ", line), line
        if '/pip" install' in line:
            assert re.search("==|--constraint|dist/", line), line


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


def test_every_pin_has_the_sums_of_its_files():
    pinned = runpy.run_path(str(ROOT / "envs/pin.py"))["hashed"]()
    summed = (ROOT / "envs/hashes.txt").read_text(encoding="utf-8")
    parts = re.findall(r"^(\S+==\S+)((?: \\\n    --hash=sha256:[0-9a-f]{64})+)$", summed, re.M)
    assert sorted(name for name, _ in parts) == pinned, "run: python envs/pin.py --hashes"
    assert len(summed.splitlines()) == 1 + sum(1 + sums.count("--hash") for _, sums in parts)


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
