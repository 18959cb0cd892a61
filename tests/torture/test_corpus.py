"""Cases that once failed, and a few of every study that are always the same.

Part of the ordinary tests. Calls are made with bounds checks: see `test_bounds.py`.
"""

import importlib.util
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
spec = importlib.util.spec_from_file_location("torture_cases", HERE / "cases.py")
cases = importlib.util.module_from_spec(spec)
sys.modules["torture_cases"] = cases
spec.loader.exec_module(cases)
KEPT = sorted(cases.CORPUS.glob("*.json"))


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_what_once_failed(path):
    case = cases.read(path)
    cases.STUDIES[case["study"]].check(case)


def test_there_is_a_corpus():
    assert KEPT


@pytest.mark.parametrize("study", [study for study in cases.STUDIES if study != "calls"])
def test_the_same_few_cases(study):
    assert len(cases.run(study, 0, count=15, keep_in=None)) == 15


def test_a_failure_is_shrunk_and_kept(monkeypatch, tmp_path):
    """A planted fault: three rows of class 1, one of which has a 2 in some column."""

    def check(case):
        rows = [row for row in case["rows"] if row[-1] == 1]
        assert len(rows) < 3 or not any(2 in row[:-1] for row in rows)

    monkeypatch.setitem(cases.STUDIES, "induction", cases.Study(cases.draw_induction, check))
    with pytest.raises(
        AssertionError, match=r"(?s)seed 1, case \d+: AssertionError: .*kept in .*induction-"
    ):
        cases.run("induction", 1, count=500, keep_in=tmp_path)
    [path] = tmp_path.iterdir()
    case = cases.read(path)
    assert case["study"] == "induction" and case["seed"][0] == 1 and case["options"] == {}
    assert sorted(case["rows"]) == [[0, 1], [0, 1], [2, 1]]
    with pytest.raises(AssertionError):
        check(case)
