"""What a run stood on, so that a figure can be traced years later: results/provenance.json."""

import json
import os
import platform
import subprocess
import time
from importlib import metadata
from pathlib import Path

from pinetum.files import CHECKOUT, csv_lines
from pinetum.workflow.jobs import provenance


def installed() -> dict[str, str]:
    """Every package of this environment with its version."""
    found = {entry.metadata["Name"].lower(): entry.version for entry in metadata.distributions()}
    return dict(sorted(found.items()))


def processor() -> str:
    """The processor by its name where the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return f"{platform.machine()} {names[0] if names else ''}".strip()


def uncommitted() -> list[str]:
    """Files of the checkout that differ from the commit; none for an installed package."""
    if not provenance()["commit"]:
        return []
    command = ["git", "-C", str(CHECKOUT), "status", "--porcelain", "--untracked-files=no"]
    said = subprocess.run(command, capture_output=True, text=True, timeout=60).stdout
    return [line[3:] for line in said.splitlines()]


def read_sources(paths) -> dict[str, dict]:
    """Data set -> source, sha256, shape and what the source could not give."""
    sources = {}
    for path in paths:
        for line in csv_lines(path):
            sources[line.pop("dataset")] = line
    return sources


def write_provenance(config, kernels, inputs) -> dict:
    """Versions, commit, machine, seed, configuration, and where every data set came from with its
    checksum; `kernels` are the digests of each study's compiled code.
    """
    record = {
        "schema": "pinetum provenance 1",
        **provenance(),
        "uncommitted": uncommitted(),
        "date": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "machine": {
            "system": platform.platform(),
            "processor": processor(),
            "cores": os.cpu_count(),
            "memory_mb": os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 1_000_000,
            "python": platform.python_version(),
        },
        "packages": installed(),
        "seed": config["seed"],
        "configuration": config,
        "kernels": kernels,
        "sources": read_sources(inputs.files.sources),
    }
    return {"provenance": json.dumps(record, indent=1, ensure_ascii=False) + "\n"}
