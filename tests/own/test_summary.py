"""The summary of a table: a row per method and study; settings of one table.

Jobs that say what is wrong.
"""

import subprocess
import sys

import pandas as pd
import pytest

from pinetum.files import HOME
from pinetum.own.summary import READERS, SUMMARY, summary_of
from pinetum.workflow.config import load_schema, load_yaml
from pinetum.workflow.studies import STUDIES, own_settings, reading_options

COMPARED = pd.DataFrame([{"method": "tree", "status": "ok", "test_error": 5.0}])


def test_every_study_has_a_row_with_its_result_or_its_reason():
    assert set(READERS) == {name for name, study in STUDIES.items() if study.own}
    refused = pd.DataFrame([{"status": "unsuitable", "note": "too few cases"}])
    frames = {
        "distinct": refused,
        "elimination": refused,
        "pruning": refused.assign(pruner="REP"),
        "nbdt": refused.assign(method="OPTNBDT"),
        "greedy_dp": refused,
        "separators": refused,
    }
    summary = summary_of(COMPARED, frames)
    assert list(summary.columns) == list(SUMMARY) and len(summary) == 7
    assert (summary["status"][1:] == "unsuitable").all() and (
        summary["note"][1:] == "too few cases"
    ).all()


def test_results_of_studies():
    frames = {
        "pruning": pd.DataFrame(
            {
                "pruner": ["REP", "CCP"],
                "status": "ok",
                "error": [4.0, 3.0],
                "error_spread": 0.1,
                "note": None,
            }
        ),
        "greedy_dp": pd.DataFrame(
            {
                "status": "work_limit",
                "cost": ["h", "L"],
                "least": [3, 33],
                "most": [4, 49],
                "gap": [0.0, 0.1],
                "cases": 50,
                "seconds": 1.0,
                "note": "numbers cut into intervals",
            }
        ),
    }
    rows = summary_of(COMPARED, frames).set_index("study")
    assert rows.loc["pruning", "method"] == "CCP" and rows.loc["pruning", "test_error"] == 3.0
    said = rows.loc["greedy_dp", "note"]
    assert said == "49 nodes answer all cases, fewer than 33 do not; numbers cut into intervals"


def test_an_entry_changes_single_keys_for_itself_alone():
    config = load_yaml(str(HOME / "config/config.yaml"))
    config = config | {
        "tables": {"mine": {"path": "x.csv", "class": "y", "nbdt": {"depth": 2}}, "his": {}}
    }
    assert own_settings(config, "mine", "nbdt") == config["nbdt"]["own"] | {"depth": 2}
    assert own_settings(config, "his", "nbdt") == config["nbdt"]["own"]
    assert own_settings(config, "mine", "methods") == config["methods"]
    assert reading_options(config["tables"]["mine"]) == {"path": "x.csv", "class": "y"}
    entry = load_schema(HOME / "config/schemas/config.yaml")["properties"]["tables"][
        "additionalProperties"
    ]
    for name in [*(name for name, study in STUDIES.items() if study.own), "methods"]:
        assert "required" not in entry["properties"][name]
        assert {"cells", "memory_mb"} <= set(entry["properties"][name]["properties"]), (
            "every job states its bounds"
        )


JOB = """
import sys
from pinetum.data import DataError
from pinetum.workflow.jobs import job_log, tell
with job_log(sys.argv[1], 400):
    print("to the log")
    tell("to both")
    {body}
"""


def job(tmp_path, body):
    log = tmp_path / "logs/a.log"
    done = subprocess.run(
        [sys.executable, "-c", JOB.format(body=body), str(log)], capture_output=True, text=True
    )
    return done, log.read_text()


def test_a_fault_of_the_data_is_one_sentence(tmp_path):
    done, log = job(tmp_path, 'raise DataError("column a: 3 words", cure="drop it")')
    assert done.returncode == 1 and done.stderr == "to both\ncolumn a: 3 words; drop it\n"
    assert log == "to the log\nto both\ncolumn a: 3 words; drop it\n"
    done, log = job(tmp_path, "1 / 0")
    assert done.returncode == 1 and "ZeroDivisionError" in log


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not bound a process")
def test_a_job_gets_no_more_than_its_stated_memory(tmp_path):
    done, log = job(tmp_path, "import numpy; numpy.zeros(10**9)")
    assert done.returncode == 1 and "MemoryError" in log


def test_a_silent_job_has_lines_in_its_log(tmp_path, monkeypatch):
    import threading

    from pinetum.workflow.jobs import tell_time

    over = threading.Event()
    threading.Timer(0.35, over.set).start()
    with open(tmp_path / "log", "w") as file:
        monkeypatch.setattr(sys, "stderr", file)
        tell_time(over, every=0.1)
    assert len((tmp_path / "log").read_text().splitlines()) in (2, 3)
