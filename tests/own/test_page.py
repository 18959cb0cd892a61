"""What the page of one's own table says of the studies: sentences, marks and bars, from records
made by hand.
"""

import json
import re
from types import SimpleNamespace

import pandas as pd
import pytest

from pinetum.own import page
from pinetum.own.compare import COLUMNS, METHODS
from pinetum.own.summary import summary_of
from pinetum.workflow.jobs import read_records, write_records

RECORD = {
    "table": "mine",
    "status": "ok",
    "cases": 300,
    "distinct": 1234,
    "search_error": 4.25,
    "search_cases": 80,
    "proved": True,
    "bound": 4.25,
    "gap": 0.0,
    "near_optimal": 17,
    "near_optimal_error": 5.04,
    "near_optimal_status": "ok",
    "indispensable": '["income"]',
    "exchangeable": '[["age", "<town>", 3]]',
    "estimated_distinct": None,
    "subset": '["income", "age"]',
    "seconds": 1.0,
    "note": "",
}
PATH = pd.DataFrame(
    {
        "features": [4, 3, 2, 1],
        "error": [5.5, 5.0, 5.2, 30.0],
        "error_se": [0.5, 0.4, 0.4, 1.0],
        "mark": ["", "least", "one standard error", ""],
    }
)


def plain(html):
    return re.sub(r"<[^>]+>", "", html)


def test_columns_that_matter_are_told_with_bars():
    uses = pd.DataFrame({"feature": ["age", "income", "<town>", "never"], "uses": [5, 17, 2, 0]})
    html = page.matter(pd.Series(RECORD), uses.assign(share=uses["uses"] / 17))
    said = plain(html)
    assert (
        "17 trees err on at most 5.0 % of the 80 cases that judge them (the best: 4.2 %)." in said
    )
    assert "All of them use income: indispensable." in said
    assert "Exchangeable, most often first: age and &lt;town&gt;." in said
    assert re.findall(r"width:(\d+)%", html) == ["100", "29", "12"] and "never" not in html


def test_one_near_optimal_tree_a_search_that_ended_early_and_nothing_to_tell():
    uses = pd.DataFrame({"feature": [f"c{n}" for n in range(40)], "uses": 1, "share": 1.0})
    one = pd.Series(RECORD | {"near_optimal": 1, "exchangeable": "[]"})
    assert "One tree errs on at most" in page.matter(one, uses) and "It uses income" in page.matter(
        one, uses
    )
    assert "and 10 more columns." in page.matter(one, uses)
    cut = pd.Series(RECORD | {"near_optimal": 3, "near_optimal_status": "work_limit"})
    said = plain(page.matter(cut, uses))
    assert (
        "3 trees (those that the search met within its limit) err" in said
        and "indispensable" not in said
    )
    assert "whether trees that were not met can do without is open" in said
    none = pd.Series(RECORD | {"indispensable": "[]"})
    assert "No column is in all of them." in page.matter(none, uses)
    assert page.matter(None, uses) == "" and page.matter(one, uses.iloc[:0]) == ""


def test_how_many_columns_are_enough_is_a_sentence_and_a_curve():
    html = page.enough(PATH)
    assert "is 5.0 % (± 0.4) with 3 columns; 2 are enough to be within one standard error" in html
    assert "least: 3 columns" in html and "one standard error: 2 columns" in html and "<svg" in html
    assert page.enough(PATH.iloc[:0]) == ""
    assert page.enough(pd.DataFrame([{"table": "mine", "status": "no_data"}])) == ""


def test_a_picture_that_cannot_be_drawn_costs_a_sentence_and_not_the_page():
    def draw(what):
        raise ValueError(f"no <{what}>")

    assert page.guarded(draw, "tree") == "<p>This could not be drawn: no &lt;tree&gt;</p>"


def test_of_single_planes_the_sparsest_within_a_standard_error_is_shown():
    rows = [  # method, depth, error, its error, features, plane
        ("RLP-P", 1, 10.0, 1.0, 9.0, "2 income > 3: yes, else no"),
        ("FM_RLP-P", 1, 10.8, 1.0, 2.0, "income < 5 > 3: yes, else no"),
        ("FM_RLP", 1, 12.0, 1.0, 1.0, "age > 3: yes, else no"),
        ("RLP-P", 2, 1.0, 1.0, 1.0, "town > 1: yes, else no"),
    ]
    names = ["method", "depth_limit", "test_error", "test_error_se", "features", "first_plane"]
    records = pd.DataFrame(rows, columns=names).assign(status="ok")
    html = page.decision(records)
    assert (
        "FM_RLP-P, in the units of the table; wrong on 10.8 %" in html
        and "2.0 columns on average" in html
    )
    assert "<pre>income &lt; 5 &gt; 3: yes, else no</pre>" in html
    assert page.decision(records.assign(first_plane="no decision")) == ""
    assert page.decision(records.drop(columns="first_plane")) == ""


GREEDY = pd.DataFrame(
    {
        "heuristic": ["m"] * 2 + ["e"] * 2,
        "cost": ["L", "h"] * 2,
        "status": ["optimal", "work_limit"] * 2,
        "least": [31, 4] * 2,
        "most": [31, 7] * 2,
        "gap": [0.0, 0.4] * 2,
    }
)


def test_what_is_proved_and_what_is_open():
    said = plain(page.certainty(pd.Series(RECORD), GREEDY))
    assert "errs on 4.25 % of the cases that judged it; no other subset of the columns" in said
    assert "All subsets of the columns give 1,234 different trees: counted." in said
    assert "Nodes of the smallest tree that answers every case of the table: 31; proved." in said
    assert "Questions that such a tree asks at most: 7; no tree has fewer than 4." in said
    cut = {
        "proved": False,
        "bound": 3.5,
        "gap": 0.75,
        "status": "work_limit",
        "estimated_distinct": 5.2e7,
    }
    said = plain(page.certainty(pd.Series(RECORD | cut), pd.DataFrame()))
    assert "no subset errs less than 3.50 %: what lies between, 0.75 points, is open" in said
    assert "There are more than 1,234 different trees, by random probes about 5.2e+07." in said
    assert "counted" not in plain(
        page.certainty(pd.Series(RECORD | cut | {"estimated_distinct": None}), pd.DataFrame())
    )
    assert page.certainty(None, pd.DataFrame({"status": ["unsuitable"]})) == ""


def compared(*rows):
    frame = pd.DataFrame(rows, columns=["method", "test_error", "leaves", "used"])
    return frame.assign(status="ok", test_error_se=1.0)


def test_the_answer_says_when_a_tree_is_no_better_than_guessing_and_what_is_better_than_a_tree():
    majority = ("majority", 31.0, 1, "[]")
    rows = compared(majority, ("tree", 30.0, 12, '["a"]'), ("planes", 20.0, 3, "[]"))
    said = plain(page.answer(rows, page.chosen(rows)))
    assert (
        "A tree of 12 leaves" in said
        and "always the most frequent class is wrong on 31.0 %" in said
    )
    assert f"Less readable, but better: {METHODS['planes'].about}, wrong on 20.0 %" in said
    assert "no better than guessing" in said and "It looks at 1 column: a." in said
    rows = compared(majority, ("tree", 5.0, 1, "[]"))
    said = plain(page.answer(rows, page.chosen(rows)))
    assert "It asks nothing." in said and "guessing" not in said and "Less readable" not in said
    rows = pd.concat(
        [
            compared(majority),
            pd.DataFrame([{"method": "tree", "status": "unsuitable", "note": "2 < 3"}]),
        ]
    )
    assert page.answer(rows, page.chosen(rows)) == "<p>No tree could be learnt: tree: 2 &lt; 3</p>"


def test_long_lists_name_the_file_that_has_the_rest():
    assert page.listed([f"c{n}" for n in range(25)]).endswith("c19 and 5 more")
    assert page.rest_of(range(1300), 30, "columns.csv") == "<p>and 1,270 more, in columns.csv.</p>"
    assert page.rest_of(range(30), 30, "columns.csv") == ""


def test_a_tree_of_many_nodes_is_drawn_in_part():
    import numpy as np

    from pinetum import TreeClassifier

    rng = np.random.default_rng(0)
    model = TreeClassifier().fit(rng.random((200, 4)), rng.integers(0, 2, 200))
    assert f"The upper {page.DRAWN_DEPTH} levels of {model.tree_.n_nodes} nodes." in page.drawing(
        model
    )
    assert "The upper" not in page.drawing(
        TreeClassifier(max_depth=2).fit(rng.random((200, 4)), rng.integers(0, 2, 200))
    )


@pytest.fixture
def folder(tmp_path):
    write_records([{"column": "age", "verdict": "used"}], tmp_path / "columns.csv")
    (tmp_path / "warnings.txt").write_text("one <warning>\n")
    return tmp_path


def test_all_parts_of_a_page_come_from_the_files_beside_it(folder):
    write_records([RECORD], folder / "distinct.csv")
    write_records([{"feature": "age", "uses": 3, "share": 0.5}], folder / "distinct_features.csv")
    write_records(PATH.to_dict("records"), folder / "elimination_path.csv")
    write_records(GREEDY.to_dict("records"), folder / "greedy_dp.csv")
    rows = [
        {
            "method": "majority",
            "status": "ok",
            "test_error": 31.0,
            "recall": json.dumps({"no": 100, "yes": 0}),
        },
        {"method": "tree", "status": "memory_limit", "note": "raise memory_mb"},
    ]
    write_records(rows, folder / "methods.csv", columns=COLUMNS)
    studies = {"distinct": read_records(folder / "distinct.csv")}
    summary = summary_of(read_records(folder / "methods.csv"), studies)
    html = page.page_of("mine & yours", summary, folder)
    titles = [
        "Which columns matter",
        "How many columns are enough",
        "How sure this is",
        "The studies",
        "Using the models",
    ]
    places = [html.index(f"<h2>{title}</h2>") for title in titles]
    assert places == sorted(places) and "One linear decision" not in html
    assert "<title>mine &amp; yours</title>" in html and "one &lt;warning&gt;" in html
    assert "No tree could be learnt: tree: raise memory_mb" in html
    assert "4.25 % of the search cases; proved to be the least" in html


READINGS = SimpleNamespace(
    induction={
        "method": "c45 pruned",
        "status": "ok",
        "error": 5.0,
        "error_se": 1.0,
        "leaves": 7,
        "features_used": 3,
        "cases": 50,
        "seconds_tree": 0.1,
    },
    elimination={"what": "table", "status": "ok", "error": 6.0, "kept": 1, "seconds": 2.0},
    nbdt={
        "method": "OPTNBDT",
        "status": "ok",
        "error": 7.0,
        "se": 1.0,
        "leaves": 4,
        "cases": 50,
        "seconds": 1.0,
    },
    separators={
        "method": "RLP-P",
        "status": "ok",
        "depth_limit": 2,
        "test_error": 8.0,
        "test_error_se": 1.0,
        "features": 2.5,
        "seconds": 1.0,
    },
)


def test_every_study_that_answers_has_its_best_row_in_the_summary():
    feature = {"what": "feature", "status": "ok", "feature": "=a", "kept": 1}
    worse = READINGS.separators | {"test_error": 9.0, "depth_limit": 0}
    frames = {
        "induction": pd.DataFrame([READINGS.induction]),
        "elimination": pd.DataFrame(
            [READINGS.elimination, feature, feature | {"feature": "b", "kept": 0}]
        ),
        "nbdt": pd.DataFrame([READINGS.nbdt, READINGS.nbdt | {"method": "3-ID3", "error": 1.0}]),
        "separators": pd.DataFrame([worse, READINGS.separators]),
        "distinct": pd.DataFrame([RECORD | {"proved": False, "bound": 3.0, "note": "a sample"}]),
    }
    empty = pd.DataFrame(columns=COLUMNS)
    rows = summary_of(empty, frames).set_index("study")
    assert rows["test_error"].dropna().to_dict() == {
        "induction": 5.0,
        "elimination": 6.0,
        "nbdt": 7.0,
        "separators": 8.0,
    }
    assert rows.loc["separators", "method"] == "RLP-P, depth 2" and json.loads(
        rows.loc["elimination", "used"]
    ) == ["=a"]
    assert (
        rows.loc["distinct", "note"] == "4.25 % of the search cases; none is below 3.00 %; a sample"
    )
    assert (
        summary_of(empty, {"separators": pd.DataFrame([worse])})["method"][0] == "RLP-P, grown out"
    )
