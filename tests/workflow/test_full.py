"""The run for a cluster can be planned quickly, and every job says what it needs."""

import os
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROFILE = ROOT / "config/profiles/slurm/config.yaml"


def dry_run(run_snakemake, folder, *arguments):
    """(jobs, seconds of the processor, all that was said)."""
    before = os.times()
    done = run_snakemake(folder, "--dry-run", *arguments)
    after = os.times()
    assert done.returncode == 0, done.stderr[-3000:]
    seconds = (
        after.children_user + after.children_system - before.children_user - before.children_system
    )
    return int(re.search(r"^total\s+(\d+)", done.stdout, re.M)[1]), seconds, done.stdout


def test_the_full_run_is_planned_in_seconds_and_has_fewer_than_2000_jobs(
    make_checkout, run_snakemake
):
    import yaml

    shards = yaml.safe_load(PROFILE.read_text())["set-scatter"]
    more = ("--configfile", "config/full.yaml", "--set-scatter", *shards)
    jobs, seconds, said = dry_run(run_snakemake, make_checkout("full"), *more)
    assert jobs < 2000
    assert seconds < 20  # of the processor
    assert all(int(number) >= 500 for number in re.findall(r"mem_mb=(\d+)", said))


def test_the_default_run_has_at_most_150_jobs(make_checkout, run_snakemake):
    assert dry_run(run_snakemake, make_checkout("default"))[0] <= 150


def test_profiles_name_rules_and_scatters_that_exist():
    import yaml

    rules = "\n".join(path.read_text() for path in (ROOT / "rules").glob("*.smk"))
    profile = yaml.safe_load(PROFILE.read_text())
    for name in profile.get("groups", {}):
        assert re.search(rf"^rule {name}:", rules, re.M), name
    shards = yaml.safe_load((ROOT / "config/config.yaml").read_text())["shards"]
    assert {entry.split("=")[0] for entry in profile["set-scatter"]} == set(shards)


@pytest.mark.parametrize("profile, plugin", [("slurm", "slurm"), ("generic", "cluster_generic")])
def test_snakemake_accepts_every_setting_of_the_profiles(profile, plugin, run_snakemake):
    pytest.importorskip(f"snakemake_executor_plugin_{plugin}")
    target = "results/greedy_dp/relative_differences.csv"
    done = run_snakemake(
        ROOT, target, "--workflow-profile", f"config/profiles/{profile}", "--dry-run", "--forceall"
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert f"config/profiles/{profile}" in done.stdout + done.stderr
