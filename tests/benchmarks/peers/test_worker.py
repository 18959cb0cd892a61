"""The process of a contestant: a line of JSON for each it is asked, whatever its contestant prints,
takes or raises.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from pinetum_benchmarks.peers import worker
from pinetum_benchmarks.peers.process import Contestant, Ended

ROOT = Path(__file__).parents[3]
PATHS = f"{Path(__file__).parent.parent}:{ROOT / 'benchmarks'}"


@pytest.fixture
def data(tmp_path):
    rng = np.random.default_rng(0)
    np.savez(
        tmp_path / "table.npz",
        X=rng.random((60, 3)),
        y=rng.permutation(60) % 3 % 2,
        fold=np.arange(60) % 3,
    )
    return str(tmp_path / "table.npz")


def asked(*requests):
    """The answers of a worker that is asked these one after the other, and what it printed."""
    text = "".join(json.dumps(request) + "\n" for request in requests)
    done = subprocess.run(
        [sys.executable, "-m", worker.__name__],
        input=text,
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONPATH": PATHS},
    )
    return [json.loads(line) for line in done.stdout.splitlines()], done.stderr


def opened(name, data, **options):
    call = name if ":" in name else f"peers.contestants:{name}"
    return {
        "do": "open",
        "call": call,
        "data": data,
        "options": options,
        "kind": "fit",
        "memory_mb": 500,
        "cpu_seconds": 5,
    }


RUN, FACTS = {"do": "run", "cpu_seconds": 5}, {"do": "facts"}


def test_every_request_has_one_answer_and_what_is_printed_goes_to_the_log(data):
    answers, log = asked(
        {"do": "version", "package": "numpy"}, opened("Talkative", data), RUN, RUN, FACTS
    )
    assert [answer["status"] for answer in answers] == ["ok"] * 5
    assert answers[0]["version"] == np.__version__
    assert all(answer["seconds"] >= 0 and answer["memory_mb"] >= 0 for answer in answers[2:4])
    assert answers[4] == {"status": "ok", "leaves": 1, "answer": [60, 3], "errors": 20}
    assert log.count("not an answer") > 100  # a call that is too short for the clock is repeated


def test_what_a_contestant_raises_is_an_answer_and_the_next_one_is_asked_as_before(data):
    faults = ("memory", "time", "c++")
    requests = [
        step for fault in faults for step in (opened("Exhausted", data, fault=fault), RUN, FACTS)
    ]
    answers, _ = asked(
        *requests,
        opened("Nobody", data),
        {"do": "version", "package": "no-such-package"},
        opened("Majority", data),
        RUN,
        FACTS,
    )
    assert [answer["status"] for answer in answers[2:9:3]] == [
        "memory_limit",
        "time_limit",
        "memory_limit",
    ]
    assert (
        answers[2]["message"] == "no room"
        and answers[8]["message"] == "RuntimeError: std::bad_alloc"
    )
    assert answers[9]["status"] == "failed" and "no attribute 'Nobody'" in answers[9]["message"]
    assert answers[10]["status"] == "failed" and answers[10]["message"].startswith(
        "PackageNotFoundError"
    )
    assert answers[-1] == {"status": "ok", "leaves": 1, "features": 0, "errors": 20}


def test_an_environment_of_another_python_sees_the_package_and_nothing_beside_it(tmp_path, data):
    other = tmp_path / "python"
    other.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    other.chmod(0o755)
    process = Contestant(other, sys.stderr)
    request = {
        key: value
        for key, value in opened("trees:ScikitLearn", data).items()
        if key not in ("do", "cpu_seconds")
    }
    process.ask("open", 20, **request)
    folder = Path(process.folder.name)
    assert {path.name for path in folder.iterdir()} == {"pinetum", "pinetum_benchmarks"}
    assert process.ask("run", 20)["seconds"] >= 0
    assert process.ask("facts")["errors"] == 0
    with pytest.raises(Ended, match="No module named 'peers'"):
        process.ask("open", 20, **request | {"call": "peers.contestants:Majority"})
    process.stop()
    assert not folder.exists()


def test_a_process_that_is_gone_says_why(tmp_path):
    process = Contestant(tmp_path / "bin/python", sys.stderr)
    with pytest.raises(Ended, match=r"No such file.*make the environment again") as ended:
        process.ask("version", package="numpy")
    assert (
        ended.value.status == "not_installed" and process.process is None and process.folder is None
    )
    process = Contestant(sys.executable, sys.stderr)
    process.ask("version", package="numpy")
    process.process.kill()
    process.process.wait()
    with pytest.raises(Ended, match="ended by SIGKILL, as when memory runs out") as ended:
        process.ask("version", package="numpy")
    assert ended.value.status == "memory_limit"
    assert (
        process.ask("version", package="numpy")["version"] == np.__version__
    )  # it is started again
    process.stop()
    silent = tmp_path / "python"
    silent.write_text("#!/bin/sh\nexec sleep 60\n")
    silent.chmod(0o755)
    process, short = (
        Contestant(silent, sys.stderr),
        -19.99,
    )  # leaves a third of a second on the wall
    with pytest.raises(Ended, match="no answer in 0 s on the wall") as ended:
        process.ask("version", short, package="numpy")
    assert ended.value.status == "time_limit" and process.process is None and process.folder is None
