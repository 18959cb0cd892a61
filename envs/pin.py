"""Keep the pins in step: everything in envs/ is made from constraints.txt and pyproject.toml, and
benchmarks/envs/*.yaml from the *.txt beside them.

python envs/pin.py            rewrite pinetum.yaml, Containerfile, recipe/meta.yaml, benchmarks/envs
python envs/pin.py --refresh  first take the versions installed in this environment as the new pins
python envs/pin.py --tools    first take the newest tools that build and check a release
python envs/pin.py --hashes   first look up the sha256 of every file of every pin; needs `uv`
"""

import json
import re
import subprocess
import sys
import tomllib
from functools import partial
from importlib import metadata
from pathlib import Path

ENVS = Path(__file__).parent
RIVALS = ENVS.parent / "benchmarks/envs"
PYTHON = "3.11"
IMAGE = (
    "docker.io/library/python:3.11.14-slim-bookworm"
    "@sha256:65a93d69fa75478d554f4ad27c85c1e69fa184956261b4301ebaf6dbb0a3543d"
)


def pins() -> dict[str, str]:
    lines = (ENVS / "constraints.txt").read_text(encoding="utf-8").splitlines()
    found = (re.fullmatch(r"([A-Za-z0-9_.-]+)==(\S+)", line.strip()) for line in lines)
    return {normal(match[1]): match[2] for match in found if match}


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def requirements() -> list[str]:
    """Direct requirements of the package and of its tests, from pyproject.toml."""
    project = tomllib.loads((ENVS.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = [*project["dependencies"], *project["optional-dependencies"]["test"]]
    return sorted({normal(re.match(r"[A-Za-z0-9_.-]+", line)[0]) for line in named})


def conda_environment() -> str:
    versions = pins()
    lines = [f"  - {name}={versions[name]}" for name in requirements()]
    return "\n".join(
        [
            (
                "# Made by envs/pin.py from constraints.txt; the same versions for those who prefer"
                " conda."
            ),
            "name: pinetum",
            "channels: [conda-forge, bioconda, nodefaults]",
            "dependencies:",
            f"  - python={PYTHON}",
            "  - pip",
            *lines,
            "",
        ]
    )


def containerfile() -> str:
    return "\n".join(
        [
            "# Made by envs/pin.py. Build: podman build -t pinetum -f envs/Containerfile .",
            f"FROM {IMAGE}",
            "# git says the commit of a run; Debian keeps no old versions that could be pinned.",
            "# hadolint ignore=DL3008",
            "RUN apt-get update && apt-get install --yes --no-install-recommends git \\",
            "    && rm -rf /var/lib/apt/lists/*",
            "RUN useradd --create-home --uid 1000 pinetum \\",
            "    && install --directory --owner pinetum /pinetum",
            "WORKDIR /pinetum",
            "COPY --chown=pinetum . .",
            "RUN pip install --no-cache-dir --constraint envs/constraints.txt --editable '.[test]'",
            "# Kernels are kept in the home of whoever runs this, ~/.cache/pinetum.",
            "USER pinetum",
            'ENTRYPOINT ["snakemake"]',
            'CMD ["--cores", "all"]',
            "",
        ]
    )


def conda_recipe() -> str:
    """The recipe for conda-forge; a channel sets the released archive in the place of the
    checkout.
    """
    project = tomllib.loads((ENVS.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    package = (ENVS.parent / "src/pinetum/__init__.py").read_text(encoding="utf-8")
    version = re.search(r'^__version__ = "(.+)"', package, flags=re.MULTILINE)[1]
    renamed = {"matplotlib": "matplotlib-base", "snakemake": "snakemake-minimal"}
    needed = [
        re.sub(r"^[a-z0-9-]+", lambda name: renamed.get(name[0], name[0]), line)
        for line in project["dependencies"]
    ]
    return "\n".join(
        [
            (
                "# Made by envs/pin.py from pyproject.toml: the recipe for bioconda, where"
                " Snakemake is."
            ),
            f'{{% set version = "{version}" %}}',
            "package: {name: pinetum, version: {{ version }}}",
            "source:",
            "  path: ../..  # a channel puts the address and sha256 of the release here",
            (
                "build: {noarch: python, number: 0, script: '{{ PYTHON }} -m pip install . -vv"
                " --no-deps'}"
            ),
            "requirements:",
            '  host: ["python >=3.11", pip, "setuptools >=77"]',
            "  run:",
            '    - "python >=3.11"',
            *[f'    - "{line}"' for line in needed],
            "test:",
            "  imports: [pinetum]",
            "about:",
            f"  summary: {json.dumps(project['description'])}",
            "  license: MIT",
            "  license_file: LICENSE",
            "",
        ]
    )


def peer_environment(group: str) -> str:
    """The pins of a group of rivals for conda: from the package index, as most are on no
    channel.
    """
    lines = (RIVALS / f"{group}.txt").read_text(encoding="utf-8").splitlines()
    return "\n".join(
        [
            (f"# Made by envs/pin.py from {group}.txt; the same versions with `--sdm conda`."),
            "channels: [conda-forge, nodefaults]",
            "dependencies:",
            f"  - python={PYTHON}",
            "  - pip",
            "  - pip:",
            *(f"    - {line}" for line in lines if not line.startswith("#")),
            "",
        ]
    )


MADE = {
    "pinetum.yaml": conda_environment,
    "Containerfile": containerfile,
    "recipe/meta.yaml": conda_recipe,
} | {
    f"../benchmarks/envs/{path.stem}.yaml": partial(peer_environment, path.stem)
    for path in sorted(RIVALS.glob("*.txt"))
}


def refresh() -> None:
    """Pin what is installed here; run it in an environment that holds nothing else."""
    skip = {"pinetum", "pip", "setuptools", "wheel"}
    installed = {normal(found.name): found.version for found in metadata.distributions()}
    lines = [
        f"{name}=={version}" for name, version in sorted(installed.items()) if name not in skip
    ]
    head = (
        "# Exact versions of everything the workflow and its tests install; the one place they are"
        " chosen."
    )
    (ENVS / "constraints.txt").write_text("\n".join([head, *lines, ""]), encoding="utf-8")


TOOLS = ("build", "check-jsonschema", "cyclonedx-bom", "pip-audit", "setuptools", "twine")


def refresh_tools() -> None:
    """Pin the newest versions that go together, with all that they need."""
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--ignore-installed"]
    said = subprocess.run([*command, "--report", "-", *TOOLS], check=True, stdout=subprocess.PIPE)
    found = [part["metadata"] for part in json.loads(said.stdout)["install"]]
    lines = sorted(f"{normal(part['name'])}=={part['version']}" for part in found)
    head = "# Made by envs/pin.py --tools: what builds and checks a release, and all that it needs."
    (ENVS / "tools.txt").write_text("\n".join([head, *lines, ""]), encoding="utf-8")


def hashed() -> list[str]:
    """What stands in hashes.txt: all pins, and setuptools, which osqp needs beside it."""
    constraints = (ENVS / "constraints.txt").read_text(encoding="utf-8").splitlines()[1:]
    tools = (ENVS / "tools.txt").read_text(encoding="utf-8").splitlines()
    return sorted([*constraints, *(line for line in tools if line.startswith("setuptools=="))])


def refresh_hashes() -> None:
    """The pins with the sha256 of all their files, for every system: `--require-hashes`."""
    command = ["uv", "pip", "compile", "--quiet", "--no-deps", "--no-header", "--no-annotate"]
    said = subprocess.run(
        [*command, "--generate-hashes", "-"],
        input="\n".join(hashed()),
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    lines = [line for line in said.stdout.splitlines() if line[:1] != "#"]
    head = (
        "# Made by envs/pin.py --hashes: the pins with the sha256 of every file, for all systems."
    )
    (ENVS / "hashes.txt").write_text("\n".join([head, *lines, ""]), encoding="utf-8")


if __name__ == "__main__":
    if "--refresh" in sys.argv:
        refresh()
    if "--tools" in sys.argv:
        refresh_tools()
    if "--hashes" in sys.argv:
        refresh_hashes()
    for name, make in MADE.items():
        (ENVS / name).parent.mkdir(exist_ok=True)
        (ENVS / name).write_text(make(), encoding="utf-8")
