"""An environment per group of rivals that fit together, by the package index alone or conda.

A failure is a record.

python -m pinetum_benchmarks.peers.environments GROUP REQUIREMENTS FOLDER RECORD
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from pinetum.files import whole_file

SECONDS = 1800  # for an installation over a slow line
HAS_PINS = """
import sys
from importlib.metadata import version
sys.exit(any(version(name) != pinned for name, _, pinned in (pin.partition("==") for pin in sys.argv[1:])))
"""  # noqa: E501


def pins_of(requirements) -> list[str]:
    lines = Path(requirements).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def conda_python(requirements) -> Path | None:
    """The Python of the active conda environment, where every pin is installed in it: Snakemake's
    `--sdm conda`.
    """
    python = Path(os.environ.get("CONDA_PREFIX", "")) / "bin/python"
    if "CONDA_PREFIX" not in os.environ or not python.is_file():
        return None
    step = [str(python), "-I", "-c", HAS_PINS, *pins_of(requirements)]
    return python if subprocess.run(step, capture_output=True).returncode == 0 else None


def make_environment(group, requirements, folder, record) -> None:
    """Make the environment anew, unless conda has.

    Write what became of it: status, its Python, message.
    """
    conda = conda_python(requirements)
    python = conda or Path(folder).absolute() / "bin/python"
    steps = (
        ()
        if conda
        else (
            [sys.executable, "-m", "venv", str(folder)],
            [
                str(python),
                "-m",
                "pip",
                "install",
                "--quiet",
                "--no-deps",
                "--requirement",
                str(requirements),
            ],
        )
    )
    content = {"group": group, "status": "ok", "python": str(python), "message": ""}
    shutil.rmtree(folder, ignore_errors=True)
    for step in steps:
        try:
            done = subprocess.run(step, capture_output=True, text=True, timeout=SECONDS)
            said = done.stdout + done.stderr
            failed = done.returncode != 0
        except (OSError, subprocess.TimeoutExpired) as fault:
            said, failed = str(fault), True
        print(said, flush=True)
        if failed:
            content |= {"status": "not_installed", "message": last_error(said)}
            break
    Path(folder).mkdir(parents=True, exist_ok=True)
    with whole_file(record) as file:
        json.dump(content, file, indent=1)
        file.write("\n")


def last_error(said: str) -> str:
    """The line of pip's output that says what is wrong."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    errors = [line for line in lines if line.lower().startswith("error")]
    return (errors or lines or ["no output"])[-1][:300]


def read_environments(records) -> dict[str, dict]:
    found = {}
    for path in records:
        content = json.loads(Path(path).read_text(encoding="utf-8"))
        found[content["group"]] = content
    return found


if __name__ == "__main__":
    make_environment(*sys.argv[1:])
