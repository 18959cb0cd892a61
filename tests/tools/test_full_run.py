"""The page that sums up a full run."""

import json
import re
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest

from full_run import differences, write_full_run
from pinetum.report.provenance import write_provenance
from pinetum.workflow.config import load_yaml, merged
from scaling import declared_work

ROOT = Path(__file__).parents[2]

CONFIG = {"seed": 7, "nbdt": {"depths": [1, 2], "optimum": {"work": 5}}}


@pytest.fixture
def run(tmp_path):
    """The files of a run, by the names that the page asks for."""
    texts = {
        "counts": "paper,within,outside\nnbdt,2,1\ntotal,2,1\n",
        "cost": (
            "study,jobs,seconds_wall,seconds_core,peak_mb,longest_job,longest_seconds\n"
            "nbdt,3,9000,7200,300,nbdt/a,5400\ntotal,3,9000,7200,300,nbdt/a,5400\n"
        ),
        "shards": "study,rule,shards\nnbdt,a,2\n",
        "availability": "dataset,source,status,part\nvote,mirror,ok,no\n",
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.csv").write_text(text)
    (tmp_path / "nbdt").mkdir()
    (tmp_path / "nbdt/optima.csv").write_text(
        "fold,status,proved\n1,ok,True\n2,limit,False\n3,no_data,\n"
    )
    (tmp_path / "nbdt/sizes.csv").write_text("fold,size\n1,2\n")
    record = write_provenance(CONFIG, {}, SimpleNamespace(files=SimpleNamespace(sources=[])))
    (tmp_path / "provenance.json").write_text(record["provenance"], encoding="utf-8")
    files = {name: tmp_path / f"{name}.csv" for name in texts}
    files |= {name: pd.read_csv(files[name]) for name in ("cost", "shards")}
    return files | {
        "provenance": tmp_path / "provenance.json",
        "records": sorted((tmp_path / "nbdt").iterdir()),
    }


def page(run, tmp_path, full):
    (tmp_path / "full.yaml").write_text(json.dumps(full))
    write_full_run(tmp_path / "page.md", full=tmp_path / "full.yaml", **run)
    return (tmp_path / "page.md").read_text(encoding="utf-8")


def test_the_page_says_what_the_run_gave(run, tmp_path):
    text = page(run, tmp_path, {"nbdt": {"depths": [1, 2]}})
    assert text.startswith("# A run of `config/full.yaml`") and "Nothing: every key" in text
    assert "3 jobs, 2.00 core-hours, at most 300 MB" in text and "mirror 1" in text
    assert (
        "| nbdt/optima.csv | 3 | limit 1, no_data 1, ok 1 | 1 of 2 |" in text
        and "sizes.csv" not in text
    )
    assert "| nbdt | 3 | 2.00 | 300 | nbdt/a | 1.50 |" in text


def test_a_run_of_less_says_so(run, tmp_path):
    text = page(
        run, tmp_path, {"nbdt": {"depths": [1, 2, 3], "optimum": {"work": 50}}, "report": {}}
    )
    assert text.startswith("# A run that differs from `config/full.yaml`")
    assert (
        "| nbdt.depths | [1, 2] | [1, 2, 3] |" in text and "| nbdt.optimum.work | 5 | 50 |" in text
    )


def test_differences_are_found_at_every_depth():
    assert list(differences({"a": {"b": 1}}, {"a": {"b": 1}})) == []
    assert list(differences({}, {"a": {"b": 1}})) == [("a", {"b": 1}, None)]


def test_the_page_on_the_full_run_has_the_limits_of_the_configuration():
    full = merged(
        load_yaml(str(ROOT / "config/config.yaml")), load_yaml(str(ROOT / "config/full.yaml"))
    )
    hours = declared_work(full).set_index("search")["core_hours_at_most"]
    page = (ROOT / "notes/full_run.md").read_text(encoding="utf-8")
    by_study = [
        hours[hours.index.str.startswith(study)].sum() for study in ("elimination", "distinct")
    ]
    told = re.search(r"allow (\d+) core-hours at most, of which (\d+) are .* and (\d+) those", page)
    assert [int(number) for number in told.groups()] == [
        round(number) for number in (hours.sum(), *by_study)
    ]
