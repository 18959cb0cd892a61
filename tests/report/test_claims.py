"""Claims: each is decided by rows that exist, and by the printed rule."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from pinetum.report.claim_pages import drawn, picture, shown_claim
from pinetum.report.claims import decide, judge_claim, judge_paper, matching
from pinetum.report.comparison import COMPARISON_COLUMNS, read_published
from pinetum.workflow.studies import STUDIES, load_papers

ROOT = Path(__file__).parents[2]
PAPERS = load_papers(ROOT)
PUBLISHED = pd.concat(
    read_published(ROOT / f"config/published/{study}.csv").assign(paper=study) for study in STUDIES
)


def rows(*verdicts, **cells):
    frame = pd.DataFrame({"verdict": verdicts}, columns=COMPARISON_COLUMNS).fillna("")
    frame = frame.assign(paper="nbdt", item="T", basis="statement", evidence="prediction")
    return frame.assign(row=[str(turn) for turn in range(len(frame))], column="c", **cells)


@pytest.mark.parametrize(
    ("verdicts", "cells", "wanted"),
    [
        (["within"] * 3, {}, "holds"),
        (["within", "outside"], {}, "in part"),
        (["within", "undecided"], {}, "in part"),
        (["outside", "undecided"], {}, "does not hold"),
        (["undecided"], {}, "undecided"),
        (["within", "no_data", "not_run"], {}, "holds"),
        (["no_data"], {}, "not testable"),
        (["timing"], {}, "not testable"),
        (["within"], {"evidence": "fit"}, "not testable"),
        (["within", "undecided"], {"basis": "error"}, "holds"),  # a number that says nothing
        (["undecided"], {"basis": "error"}, "undecided"),
        (["within", "within", "outside"], {"basis": "error"}, "in part"),
        (["within", "outside", "outside"], {"basis": "error"}, "does not hold"),
    ],
)
def test_a_claim_is_decided_by_its_rows(verdicts, cells, wanted):
    assert decide(rows(*verdicts, **cells))[0] == wanted


def test_numbers_that_agree_singly_may_not_agree_together():
    def part(size):  # with five repeats, of which t allows 6.6 standard errors
        z = np.where(np.arange(28) % 2, str(size), str(-size))
        return rows(*["within"] * 28, basis="error", z=z, n="5")

    assert decide(part(1.2))[0] == "holds" and decide(part(2.3))[0] == "in part"


@pytest.mark.parametrize("name", PAPERS)
def test_every_claim_names_rows_that_are_published(name):
    paper = PAPERS[name]
    assert 4 <= sum("tag" in claim for claim in paper["claims"]) <= 7
    for claim in paper["claims"]:
        assert len(claim["says"].split()) <= 25, claim["says"]
        for pattern in claim.get("rows", ()):
            assert len(matching(pattern, paper["studies"], PUBLISHED)), pattern


def test_every_study_has_a_paper():
    assert sorted(study for paper in PAPERS.values() for study in paper["studies"]) == sorted(
        STUDIES
    )


def test_a_run_of_nothing_has_a_page():
    empty = PUBLISHED.assign(verdict="not_run", reproduced="", se="", n="", z="", power="")
    for paper in PAPERS.values():
        judged = judge_paper(paper, empty)
        assert judged["judged"] == 0 and len(judged["claims"]) == len(paper["claims"])
        assert {c["verdict"] for c in judged["claims"] if len(c["rows"])} == {"not testable"}


def test_the_picture_follows_the_verdict():
    shown = shown_claim(
        judge_claim({"says": "s", "rows": ["T | * | c"]}, ["nbdt"], rows("within", z="3.1"))
    )
    assert shown["verdict"] == "holds" and "<circle" in shown["picture"]
    own = rows("within", z="3.1", reproduced="yes", note="5 of 8; [the text: most]")
    own = own.assign(published="yes")
    shown = shown_claim(judge_claim({"says": "s", "rows": ["T | * | c"]}, ["nbdt"], own))
    assert shown["brief"] == "5 of 8"  # ours alone, not what the file says of the paper
    assert picture(rows("within").to_dict("records")) == ""  # a sentence without an error
    assert drawn([1.0, -7.0], 3.0).count('class="out"') == 1
    assert drawn([99.0], None).count("<circle") == 1
