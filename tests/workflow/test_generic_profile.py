"""The profile for any scheduler, with a stand-in for PBS: `qsub` starts the job script and prints
an id.
"""

import os
import stat

import pytest

from pinetum.workflow.config import load_yaml

pytestmark = pytest.mark.slow  # whole runs

QSUB = """#!/bin/sh
echo "$@" >> "$JOBS"
for script in "$@"; do :; done
nohup sh "$script" > /dev/null 2>&1 &
echo "$!.server"
"""


def test_jobs_go_through_the_submit_command_with_what_they_ask_for(
    make_checkout, run_snakemake, tmp_path, monkeypatch
):
    pytest.importorskip("snakemake_executor_plugin_cluster_generic")
    tools, target = tmp_path / "bin", "results/kernels/nbdt.json"
    tools.mkdir()
    for name, text in (("qsub", QSUB), ("qdel", '#!/bin/sh\nkill "${1%%.*}"\n')):
        (tools / name).write_text(text)
        (tools / name).chmod((tools / name).stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{tools}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("JOBS", str(tmp_path / "jobs"))
    folder = make_checkout("generic")
    profile = (
        "--workflow-profile",
        "config/profiles/generic",
        "--jobs",
        "2",
        "--latency-wait",
        "5",
    )
    done = run_snakemake(folder, target, *profile)
    assert done.returncode == 0, done.stderr[-3000:]
    assert load_yaml(str(folder / target))["study"] == "nbdt"
    (submitted,) = (tmp_path / "jobs").read_text().splitlines()
    assert "-l select=1:ncpus=1:mem=2000mb -l walltime=30:00" in submitted
