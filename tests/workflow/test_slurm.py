"""A real three-node Slurm: the smoke run is submitted, a job is cancelled, a node crashes, and the
bytes are the same.

PINETUM_SLURM_LAB names a folder with start-slurm.sh, stop-slurm.sh and snakemake-fastpoll.py, which
start and stop such a cluster on one machine and make Snakemake look every second. A part of the
smoke run keeps the test short.
"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

LAB = os.environ.get("PINETUM_SLURM_LAB", "")
TARGETS = [
    "results/greedy_dp/reproduced.csv",
    "results/pruning/reproduced.csv",
    "results/pruning/readings.csv",
    "results/nbdt/accuracy.csv",
]
FILES = ["config/smoke.yaml", "mine.yaml"]
OWN = [f"results/own/mine/{name}.csv" for name in ("greedy_dp", "distinct", "methods")]
TABLE = (
    "sky,wind,play\n" + "sun,calm,yes\nrain,calm,no\nsun,storm,no\nrain,storm,no\nsun,calm,no\n" * 8
)
MINE = "tables: {mine: {path: mine.csv, class: play}}\n"
# Seconds, more on a busy machine; a Snakemake that waits for a lost job gets SIGINT, which also
# cancels its jobs.
MOST = int(os.environ.get("PINETUM_SLURM_SECONDS", "600"))

pytestmark = [
    pytest.mark.slurm,
    pytest.mark.slow,
    pytest.mark.skipif(not LAB, reason="PINETUM_SLURM_LAB is not set: no Slurm to start"),
    pytest.mark.skipif(os.geteuid() != 0, reason="only root can start the Slurm daemons"),
]


@pytest.fixture
def cluster():
    start = [str(Path(LAB) / "start-slurm.sh"), "--nodes", "3", "--cpus", "2", "--mem", "16000"]
    begun = subprocess.run(start, capture_output=True, text=True, timeout=400)
    if begun.returncode:
        pytest.skip(f"Slurm does not start here: {begun.stderr.strip()[-300:]}")
    yield
    subprocess.run([str(Path(LAB) / "stop-slurm.sh")], capture_output=True, timeout=120)


def running_jobs():
    """(job, node) of what runs."""
    shown = subprocess.run(
        ["squeue", "-h", "-t", "R", "-o", "%i %N"], capture_output=True, text=True
    ).stdout
    return [tuple(line.split()) for line in shown.splitlines() if len(line.split()) == 2]


@pytest.fixture
def checkout(make_checkout):
    """A checkout with a table of one's own."""

    def make(name):
        folder = make_checkout(name)
        (folder / "mine.csv").write_text(TABLE)
        (folder / "mine.yaml").write_text(MINE)
        return folder

    return make


def test_a_cancelled_job_and_a_crashed_node_change_nothing(
    cluster, smoke, checkout, run_snakemake, fingerprint
):
    folder = checkout("slurm")
    command = [
        sys.executable,
        str(Path(LAB) / "snakemake-fastpoll.py"),
        "--workflow-profile",
        "config/profiles/slurm",
        "--configfile",
        *FILES,
        "--jobs",
        "6",
        "--latency-wait",
        "5",
        "--set-scatter",
        "pruning_networks=3",
        "greedy_dp=2",
        "--slurm-init-seconds-before-status-checks",
        "1",
        "--max-status-checks-per-second",
        "1",
        "--",
        *TARGETS,
        *OWN,
    ]
    environment = os.environ | {"SBATCH_ACCOUNT": "lab"}
    done = []
    with open(folder / "run.log", "w") as log:
        process = subprocess.Popen(
            command, cwd=folder, stdout=log, stderr=log, env=environment, start_new_session=True
        )
        end = time.monotonic() + MOST
        try:
            while process.poll() is None and time.monotonic() < end:
                jobs = running_jobs()
                if jobs and not done:
                    subprocess.run(["scancel", jobs[0][0]], check=True)
                    done.append("cancelled")
                elif (
                    jobs
                    and len(done) == 1
                    and len(list((folder / "results/logs").rglob("*.log"))) >= 8
                ):
                    stop = [str(Path(LAB) / "stop-slurm.sh"), "--node", jobs[-1][1], "--down"]
                    subprocess.run(stop, check=True, capture_output=True)
                    done.append("crashed")
                time.sleep(0.5)
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
                try:
                    process.wait(timeout=20)
                except subprocess.TimeoutExpired:
                    os.killpg(process.pid, signal.SIGKILL)
    said = (folder / "run.log").read_text()
    assert process.returncode == 0, said[-8000:]
    assert done == ["cancelled", "crashed"], done
    ours, theirs = fingerprint(smoke), fingerprint(folder)
    compared = [name for name in theirs if name in ours]
    assert set(TARGETS) <= {f"results/{name}" for name in compared}
    assert not [name for name in compared if ours[name] != theirs[name]]
    local = checkout("local")
    done = run_snakemake(local, *OWN, "--configfile", *FILES)
    assert done.returncode == 0, done.stderr[-3000:]
    alone = fingerprint(local)
    assert all(
        alone[name.removeprefix("results/")] == theirs[name.removeprefix("results/")]
        for name in OWN
    )
