"""What a run tells people, one run at a time in a folder, and that it ends when it is told to."""

import io
import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from pinetum.workflow.console import TOLD, Console
from pinetum.workflow.reproduce import LOG, STOPPED, claimed, watched

LINES = f"""Assuming unrestricted shared filesystem usage.
Building DAG of jobs...
Job stats:
job                 count
----------------  -------
all                     1
compile_kernels         2
explore_nbdt            1
total                   4

Select jobs to execute...
[Fri Nov 20 16:01:16 2026]
rule compile_kernels:
    output: results/kernels/nbdt.json
    log: results/logs/kernels/nbdt.log
    jobid: 5
    resources: mem_mb=2000
{TOLD}mine: pruned tree: wrong on 4.0 %
Finished jobid: 5 (Rule: compile_kernels)
1 of 4 steps (25%) done
rule explore_nbdt:
    output: results/own/mine/nbdt.csv
    jobid: 6
Error in rule explore_nbdt:
    jobid: 6
    log: results/logs/nbdt/mine.log (check log file(s) for error details)
Exiting because a job execution failed. Look above for error message"""


def console():
    return Console(io.StringIO(), io.StringIO())


def test_a_run_says_what_will_happen_what_jobs_tell_and_what_failed():
    told = console()
    for line in LINES.split("\n"):
        told.take(line)
    told.close(1)
    plan, tells, failed = told.out.getvalue().splitlines()
    assert plan.startswith("3 jobs: compile (2), explore nbdt. The first run on a machine compiles")
    assert tells == "mine: pruned tree: wrong on 4.0 %"
    assert failed == "failed: explore nbdt; see results/logs/nbdt/mine.log"
    assert told.log.getvalue() == LINES.replace(TOLD, "") + "\n"
    assert (told.done, told.total) == (1, 4) and list(told.running) == ["6"]


def test_a_job_of_a_second_and_more_has_a_line_when_it_ends():
    told = console()
    for line in LINES.split("\n")[:17]:
        told.take(line)
    what, begun = told.running["5"]
    told.running["5"] = what, begun - 3
    told.take("Finished jobid: 5 (Rule: compile_kernels)")
    assert told.out.getvalue().endswith("1 of 4: compile nbdt, 3 s\n")


def test_a_fault_before_any_job_is_shown_as_it_was_said():
    told = console()
    for line in ("Some note", "WorkflowError in file x:", "config.yaml: no such key"):
        told.take(line)
    told.close(1)
    assert told.out.getvalue() == "WorkflowError in file x:\nconfig.yaml: no such key\n"


SLEEPER = "import time; print('ready', flush=True); time.sleep(600)"


def test_a_run_that_is_told_to_end_ends_with_its_jobs_and_the_next_one_goes_on(tmp_path):
    told = console()

    def press():
        while "ready" not in told.log.getvalue():
            time.sleep(0.05)
        os.kill(os.getpid(), signal.SIGTERM)  # a shell may have its jobs ignore Ctrl-C

    threading.Thread(target=press, daemon=True).start()
    with claimed(tmp_path) as claim:
        assert not claim.broken
        assert watched([sys.executable, "-c", SLEEPER], told, claim) == STOPPED
        run = int((tmp_path / ".snakemake/pinetum.lock").read_text().split()[1])
    assert "the same command goes on from here" in told.out.getvalue()
    with pytest.raises(ProcessLookupError):
        os.killpg(run, 0)
    with claimed(tmp_path) as claim:
        assert claim.broken, "Snakemake's own lock is taken off"


HOLDER = """
import sys, time, pathlib
from pinetum.workflow.reproduce import claimed
with claimed(pathlib.Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(600)
"""


def test_a_second_run_is_refused_and_a_killed_one_is_gone_on_with(tmp_path):
    command = [sys.executable, "-c", HOLDER, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout.readline() == "held\n"
        words = rf"another run is at work in .* \(process {holder.pid}\)"
        with pytest.raises(OSError, match=words), claimed(tmp_path):
            pass
        holder.kill()
    with claimed(tmp_path) as claim:
        assert claim.broken, "Snakemake's lock of a killed run is taken off"
    assert LOG.startswith("results/logs/")
