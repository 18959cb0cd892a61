"""Checkouts to run the real workflow in, and what it means for two of them to agree."""

import fcntl
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

ROOT = Path(__file__).parents[2]
SMOKE = ("--configfile", "config/smoke.yaml")
# Columns that hold a time, a rate or a memory size; all others must be the same bytes on every run.
CLOCKS = ("greedy_dp/random_seconds.csv", "pruning/synthetic_speed.csv")  # a row for each shard
TIMING = re.compile(r"seconds|rate|peak_mb|speed|time_ratio|per_path|date|machine", re.I)


@pytest.fixture(scope="session")
def run_snakemake():
    def run(folder, *arguments, cores=1):
        command = [sys.executable, "-m", "snakemake", "--cores", str(cores), *arguments]
        return subprocess.run(command, cwd=folder, capture_output=True, text=True)

    return run


@pytest.fixture(scope="session")
def make_checkout(tmp_path_factory):
    """Copies of what git would commit, without results."""

    def make(name):
        folder = tmp_path_factory.mktemp(name) / "pinetum"
        listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
        for file in subprocess.run(
            listed, cwd=ROOT, capture_output=True, text=True, check=True
        ).stdout.split("\n"):
            if file and (ROOT / file).is_file():
                (folder / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / file, folder / file)
        return folder

    return make


@pytest.fixture(scope="session")
def smoke(tmp_path_factory, make_checkout, run_snakemake):
    """A checkout with a finished smoke run, made once for all files and all workers of pytest.

    PINETUM_SMOKE_RUN names one that is there already.
    """
    if "PINETUM_SMOKE_RUN" in os.environ:
        return Path(os.environ["PINETUM_SMOKE_RUN"])
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    with open(shared / "smoke.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        place = shared / "smoke.json"
        if place.exists():
            kept = json.loads(place.read_text())
        else:
            folder = make_checkout("smoke")
            done = run_snakemake(folder, *SMOKE, cores=2)
            said = (
                ""
                if done.returncode == 0
                else done.stdout[-3000:] + done.stderr[-6000:] or "failed"
            )
            kept = {"folder": str(folder), "said": said}
            place.write_text(json.dumps(kept))
    assert not kept["said"], kept["said"]
    return Path(kept["folder"])


@pytest.fixture(scope="session")
def fingerprint():
    """All result CSVs of a checkout but the clocks of shards, without their timing cells: name
    -> text.
    """

    def of(folder):
        results = Path(folder) / "results"
        timed = timed_numbers(Path(folder) / "config" / "published")
        texts = {}
        for path in sorted(results.rglob("*.csv")):
            name = path.relative_to(results).as_posix()
            if name.startswith(("logs/", "benchmarks/")) or name in CLOCKS:
                continue
            frame = pd.read_csv(path, dtype=str, keep_default_na=False)
            frame = frame[[column for column in frame if not TIMING.search(column)]]
            if {"item", "row", "column"} <= set(frame):
                keys = list(map(tuple, frame[["item", "row", "column"]].values))
                frame = frame[[key not in timed for key in keys]]
            for column in [column for column in frame if column.endswith(" verdict")]:
                ours = column.removesuffix(" verdict")
                frame.loc[
                    [(row, ours) in {key[1:] for key in timed} for row in frame["row"]],
                    [ours, column],
                ] = ""
            texts[name] = frame.to_csv(index=False)
        return texts

    return of


def timed_numbers(folder):
    """Published numbers that are times, ratios of times, or sentences on them."""
    keys = set()
    for path in folder.glob("*.csv"):
        frame = pd.read_csv(path, dtype=str, keep_default_na=False)
        said = frame[["unit", "row", "column"]].agg(" ".join, axis=1)
        timed = (frame["basis"] == "timing") | said.str.contains(r"\btimes?\b|seconds|faster")
        keys |= set(map(tuple, frame.loc[timed, ["item", "row", "column"]].values))
    return keys
