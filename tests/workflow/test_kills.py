"""Runs that are killed, run out of space or are started twice: nothing is corrupted and the next
run goes on.
"""

import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time

import pytest

pytestmark = pytest.mark.slow  # whole runs

SMOKE = ("--configfile", "config/smoke.yaml")
KILLS = int(os.environ.get("PINETUM_KILLS", "3"))
KILLED = os.environ.get(
    "PINETUM_KILLED", ""
).split()  # targets of the run that is killed; nothing: the whole run
CHEAP = "results/greedy_dp/random_tables.csv"  # a few seconds, sharded, without data
MOST = (
    900 if KILLS < 10 else 7200
)  # seconds for a run that is let alone; many kills run behind other work


def start(folder, *arguments, cores=2, **more):
    """Snakemake and its jobs as a process group of their own."""
    command = [
        sys.executable,
        "-m",
        "snakemake",
        "--cores",
        str(cores),
        "--rerun-incomplete",
        *arguments,
    ]
    log = open(folder / "run.log", "ab")  # noqa: SIM115
    with log:
        return subprocess.Popen(
            command, cwd=folder, stdout=log, stderr=log, start_new_session=True, **more
        )


def kill_group(process, number):
    os.killpg(process.pid, number)
    process.wait(timeout=60)


def unlock(folder):
    subprocess.run(
        [sys.executable, "-m", "snakemake", "--unlock", *SMOKE],
        cwd=folder,
        check=True,
        capture_output=True,
    )


def finish(folder, *arguments):
    process = start(folder, *arguments)
    assert process.wait(timeout=MOST) == 0, (folder / "run.log").read_text()[-6000:]


def half_written(folder):
    return [path for path in (folder / "results").rglob(".*") if path.is_file()]


def test_random_kills_then_completion_with_the_same_bytes(request, make_checkout, fingerprint):
    """Killed after a random number of finished jobs: the whole run, Snakemake without its jobs, or
    one job of it.
    """
    seed = int(os.environ.get("PINETUM_TORTURE_SEED", KILLS))
    rng = random.Random(seed)
    folder, alone = (
        make_checkout("killed"),
        make_checkout("alone") if KILLED else request.getfixturevalue("smoke"),
    )
    if KILLED:
        finish(alone, *KILLED, *SMOKE)
    most = finished_jobs(alone) or (30 if KILLS < 10 else 16)
    theirs = fingerprint(alone)
    killed, compared = {"run": 0, "snakemake": 0, "job": 0}, 0
    while sum(killed.values()) < KILLS or not compared:
        victim, count = rng.choice(list(killed)), rng.randrange(most)
        before = finished_jobs(folder)
        process = start(folder, *KILLED, *SMOKE)
        if sum(killed.values()) < KILLS:
            wait_for(
                lambda: finished_jobs(folder) >= before + count or process.poll() is not None,  # noqa: B023
                MOST,
            )
            if victim == "job":
                wait_for(lambda: running_scripts(folder) or process.poll() is not None, MOST)  # noqa: B023
            time.sleep(rng.uniform(0, 2))
        else:
            process.wait(timeout=MOST)
        scripts = running_scripts(folder) if victim == "job" else []
        if sum(killed.values()) < KILLS and process.poll() is None and (victim != "job" or scripts):
            killed[victim] += 1
            print(
                f"seed {seed}: {victim} killed after {finished_jobs(folder)} jobs in all",
                flush=True,
            )
            if victim == "job":
                os.kill(rng.choice(scripts), signal.SIGKILL)
                assert process.wait(timeout=MOST) != 0
            elif victim == "run":
                kill_group(process, signal.SIGKILL)
            else:
                process.kill()
                process.wait(timeout=60)
            unlock(folder)
        elif process.wait(timeout=MOST) == 0:  # done before the kill came
            ours = fingerprint(folder)
            assert sorted(ours) == sorted(theirs), f"seed {seed}"
            assert not [name for name in ours if ours[name] != theirs[name]], f"seed {seed}"
            compared += 1
            print(
                f"seed {seed}: {killed} so far; run {compared}: the same bytes,"
                f" {len(half_written(folder))} temporary files left",
                flush=True,
            )
            shutil.rmtree(folder / "results")
        else:
            raise AssertionError(f"seed {seed}: {(folder / 'run.log').read_text()[-6000:]}")


def finished_jobs(folder):
    log = folder / "run.log"
    return log.read_text(errors="replace").count("Finished jobid") if log.exists() else 0


def wait_for(condition, seconds=120):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def running_scripts(folder):
    """Processes that run one of this checkout's scripts."""
    mark = str(folder / ".snakemake" / "scripts")
    found = []
    for place in os.listdir("/proc"):
        try:
            words = (
                open(f"/proc/{place}/cmdline", "rb").read().decode().split("\0")  # noqa: SIM115
                if place.isdigit()
                else []
            )
        except OSError:
            continue
        if any(word.startswith(mark) for word in words):
            found.append(int(place))
    return found


def test_a_job_that_a_scheduler_ends_leaves_nothing_half_written(make_checkout):
    folder = make_checkout("terminated")
    process = start(folder, "results/greedy_dp/random_tables/1-of-4.csv", *SMOKE, cores=1)
    wait_for(lambda: running_scripts(folder))
    for script in running_scripts(folder):
        os.kill(script, signal.SIGTERM)
    assert process.wait(timeout=120) != 0
    assert not half_written(folder)
    assert not list((folder / "results/greedy_dp").rglob("*.csv"))
    finish(folder, "results/greedy_dp/random_tables/1-of-4.csv", *SMOKE)


def test_a_second_run_at_once_stops_and_says_what_to_do(make_checkout):
    folder = make_checkout("twice")
    first = start(folder, CHEAP, *SMOKE, cores=1)
    locks = folder / ".snakemake" / "locks"
    wait_for(lambda: locks.exists() and list(locks.iterdir()))
    command = [
        sys.executable,
        "-m",
        "snakemake",
        "--cores",
        "1",
        "--rerun-incomplete",
        CHEAP,
        *SMOKE,
    ]
    second = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    said = second.stdout + second.stderr
    if (
        first.poll() is None and "Nothing to be done" not in said
    ):  # the first was done, but for its end
        assert second.returncode != 0
        assert "cannot be locked" in said and "--unlock" in said
    assert first.wait(timeout=MOST) == 0


def test_a_full_quota_names_the_file_and_the_cure_and_the_next_run_goes_on(make_checkout):
    folder = make_checkout("quota")
    target = "results/greedy_dp/random_tables.csv"
    options = (
        *SMOKE,
        "--set-scatter",
        "greedy_dp=4",
    )  # the shards fit into the limit, their sum does not

    def small_files_only():
        signal.signal(
            signal.SIGXFSZ, signal.SIG_IGN
        )  # writing beyond the limit is then an error, as on a full disk
        resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, resource.RLIM_INFINITY))

    finish(folder, "results/greedy_dp/random_tables/1-of-4.csv", *options)
    process = start(folder, target, *options, cores=1, preexec_fn=small_files_only)
    assert process.wait(timeout=MOST) != 0
    said = "".join(path.read_text() for path in (folder / "results/logs/greedy_dp").rglob("*.log"))
    assert f"{target}: could not be written" in said and "free some space or quota" in said, said[
        -3000:
    ]
    assert not (folder / target).exists()
    assert not half_written(folder)
    unlocked = subprocess.run(
        [sys.executable, "-m", "snakemake", "--unlock", *options], cwd=folder, capture_output=True
    )
    assert unlocked.returncode == 0
    finish(folder, target, *options)
    assert (folder / target).exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a small file system")
def test_a_full_disk_is_said_and_leaves_no_file(tmp_path):
    place = tmp_path / "small"
    place.mkdir()
    if subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", place], capture_output=True
    ).returncode:
        pytest.skip("mounting is not allowed here")
    try:
        from pinetum.workflow.jobs import write_records

        with pytest.raises(
            OSError,
            match=r"big\.csv: could not be written \(No space left on device\); free some space",
        ):
            write_records(
                [{"number": number, "text": "x" * 100} for number in range(5000)], place / "big.csv"
            )
        assert not list(place.iterdir())
        write_records([{"number": 1}], place / "big.csv")
    finally:
        subprocess.run(["umount", place], check=True)


@pytest.mark.parametrize("days", [2, -2], ids=["ahead", "behind"])
def test_a_clock_that_was_wrong_costs_no_result(make_checkout, fingerprint, days):
    """Files of a run dated as by a clock that was days ahead or behind: the next run ends well with
    the same bytes.
    """
    folder = make_checkout("clock")
    finish(folder, CHEAP, *SMOKE)
    before = fingerprint(folder)
    for path in (folder / "results").rglob("*"):
        if path.is_file():
            moment = path.stat().st_mtime + days * 86_400
            os.utime(path, (moment, moment))
    finish(folder, CHEAP, *SMOKE)
    assert fingerprint(folder) == before
