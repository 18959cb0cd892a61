"""Two tables of one's own through the whole workflow: one that every study takes, one that suits
hardly any.
"""

import re
import subprocess

import numpy as np
import pandas as pd
import pytest
import yaml

import pinetum
from pinetum.own.methods import METHODS
from pinetum.workflow.jobs import read_records
from pinetum.workflow.reproduce import snakemake_command
from pinetum.workflow.studies import STUDIES

pytestmark = pytest.mark.slow  # whole runs

STUDIES_OF_TABLES = [name for name, study in STUDIES.items() if study.own]
QUICK = {
    "distinct": {"work": 50},
    "elimination": {"folds": 3},
    "pruning": {"repeats": 2},
    "nbdt": {"repeats": 2},
    "separators": {"folds": 3, "depths": [1]},
    "methods": {"folds": 3},
    "greedy_dp": {"work": 5},
}


def cases(number=120):
    rng = np.random.default_rng(7)
    frame = pd.DataFrame(
        {
            "income, net": rng.integers(10, 60, number) * 100,
            "town": rng.choice(["Ulm", "<Köln>", "Bonn"], number),
            "age": rng.integers(18, 80, number),
            "noise": rng.integers(0, 4, number),
        }
    )
    frame["buys"] = np.where((frame["income, net"] > 3500) ^ (frame["town"] == "Ulm"), "yes", "no")
    frame.loc[::11, "age"] = None
    return frame


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole")
    cases().to_csv(folder / "mine.csv", index=False)
    tiny = pd.DataFrame({"a": [1, 2, 3, 4], "b": list("xyxy"), "buys": ["yes", "no", "no", "no"]})
    tiny.to_csv(folder / "tiny.csv", index=False)
    tables = {
        name: {"path": str(folder / f"{name}.csv"), "class": "buys"} | QUICK
        for name in ("mine", "tiny")
    }
    (folder / "own.yaml").write_text(yaml.safe_dump({"paper_studies": False, "tables": tables}))
    command = snakemake_command((), 2, folder, folder / "own.yaml")
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    return folder / "results/own"


def test_every_method_and_study_answers_for_a_table_that_suits_them(run):
    summary = read_records(run / "mine/summary.csv")
    assert (summary["status"] == "ok").all(), summary[
        ["study", "method", "status", "note"]
    ].to_dict("records")
    assert list(summary["method"][: len(METHODS)]) == list(METHODS)
    assert list(summary["study"][len(METHODS) :]) == STUDIES_OF_TABLES
    tree = summary.set_index("method").loc["tree"]
    model = pinetum.load(run / "mine" / tree["model"])
    frame = cases()
    assert (model.predict(frame.drop(columns="buys")) == frame["buys"]).mean() > 0.9 and tree[
        "test_error"
    ] < 15


def test_the_page_answers_and_tells_of_every_study(run):
    html = (run / "mine/index.html").read_text(encoding="utf-8")
    assert "of cases it has not seen" in html and "methods.folds = 3" in html
    for link in re.findall(r"""(?:src|href)=["']([^"'#]+)["']""", html):
        assert (run / "mine" / link).exists(), link
    assert "&lt;Köln&gt;" in html and "<Köln>" not in html


def test_a_table_that_suits_hardly_any_has_a_row_with_the_reason_for_each(run):
    summary = read_records(run / "tiny/summary.csv")
    assert set(STUDIES_OF_TABLES) <= set(summary["study"])
    silent = summary[summary["status"] != "ok"]
    assert len(silent) >= len(STUDIES_OF_TABLES) and silent["note"].notna().all()
    html = (run / "tiny/index.html").read_text(encoding="utf-8")
    assert "4 cases are too few" in html and "What the six studies found" in html


def test_pictures_of_both_tables_are_there(run):
    for name in ("mine", "tiny"):
        pictures = sorted(path.name for path in (run / name).rglob("*.png"))
        assert pictures, name
        assert all(path.stat().st_size > 1000 for path in (run / name).rglob("*.png"))
