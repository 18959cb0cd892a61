"""What a run stood on, so that a figure can be traced years later: results/provenance.json."""

import csv
import json
import os
import platform
import time
from importlib import metadata

from pinetum.files import whole_file
from pinetum.workflow.jobs import provenance


def installed() -> dict[str, str]:
    """Every package of this environment with its version."""
    found = {entry.metadata["Name"].lower(): entry.version for entry in metadata.distributions()}
    return dict(sorted(found.items()))


def read_sources(paths) -> dict[str, dict]:
    """Data set -> source, sha256, shape and what the source could not give."""
    sources = {}
    for path in paths:
        with open(path, encoding="utf-8", newline="") as file:
            for line in csv.DictReader(file):
                sources[line.pop("dataset")] = line
    return sources


def write_provenance(path, *, sources, config, kernels) -> None:
    """Write the record; `kernels` are the digests of each study's compiled code."""
    record = {
        "schema": "pinetum provenance 1",
        **provenance(),
        "date": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "machine": {
            "system": platform.platform(),
            "processor": platform.machine(),
            "cores": os.cpu_count(),
            "python": platform.python_version(),
        },
        "packages": installed(),
        "seed": config["seed"],
        "configuration": config,
        "kernels": kernels,
        "sources": read_sources(sources),
    }
    with whole_file(path) as file:
        json.dump(record, file, indent=1, ensure_ascii=False)
        file.write("\n")
