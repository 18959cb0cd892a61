"""Keep the pins in step: everything in envs/ is made from constraints.txt and pyproject.toml.

python envs/pin.py            rewrite pinetum.yaml and Containerfile from the pins
python envs/pin.py --refresh  first take the versions installed in this environment as the new pins
"""

import re
import sys
import tomllib
from importlib import metadata
from pathlib import Path

ENVS = Path(__file__).parent
PYTHON = "3.11"


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
            "# Made by envs/pin.py from constraints.txt; the same versions for those who prefer conda.",
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
            f"FROM docker.io/library/python:{PYTHON}-slim",
            "RUN apt-get update && apt-get install --yes --no-install-recommends git \\",
            "    && rm -rf /var/lib/apt/lists/*",
            "WORKDIR /pinetum",
            "COPY . .",
            "RUN pip install --no-cache-dir --constraint envs/constraints.txt --editable '.[test]'",
            "ENV PINETUM_KERNEL_CACHE=/tmp/pinetum-kernels",
            'ENTRYPOINT ["snakemake"]',
            'CMD ["--cores", "all"]',
            "",
        ]
    )


MADE = {"pinetum.yaml": conda_environment, "Containerfile": containerfile}


def refresh() -> None:
    """Pin what is installed here; run it in an environment that holds nothing else."""
    skip = {"pinetum", "pip", "setuptools", "wheel"}
    installed = {normal(found.name): found.version for found in metadata.distributions()}
    lines = [f"{name}=={version}" for name, version in sorted(installed.items()) if name not in skip]
    head = "# Exact versions of everything the workflow and its tests install; the one place they are chosen."
    (ENVS / "constraints.txt").write_text("\n".join([head, *lines, ""]), encoding="utf-8")


if __name__ == "__main__":
    if "--refresh" in sys.argv:
        refresh()
    for name, make in MADE.items():
        (ENVS / name).write_text(make(), encoding="utf-8")
