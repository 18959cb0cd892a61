"""What the page of one's own table says, from records made by hand: sentences, drawings, marks."""

import re

import numpy as np
import pandas as pd
import pytest

from pinetum import TreeClassifier
from pinetum.data.options import as_command
from pinetum.own import drawing, page
from pinetum.own.compare import COLUMNS
from pinetum.own.summary import summary_of
from pinetum.workflow.jobs import read_records, write_records


def plain(html):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ("set `types: {a b: discrete}`", "set `--type 'a b=discrete'`"),
        ("set `dates: {when: [year, month]}`", "set `--dates when=year,month`"),
        ("leave it out with `skip: [2]`", "leave it out with `--skip 2`"),
        ("with `bins: 3` or `bins: [limits]`", "with `--bins 3` or `--bins limits`"),
        ("set `decimal: ','`, or `thousands: ','`", "set `--decimal ','`, or `--thousands ','`"),
        ("list it under `missing`", "give it by `--missing`"),
        ("state its type under `types`", "state its type under `--type`"),
        ("see `other: 3` and `words`", "see `other: 3` and `words`"),
    ],
)
def test_messages_speak_the_language_of_the_command(said, wanted):
    assert as_command(said) == wanted


def test_intervals_are_wilsons():
    assert page.interval(151, 2000) == pytest.approx((7.55, 6.47, 8.79), abs=0.01)
    assert page.interval(0, 10)[:2] == (0, 0) and page.interval(10, 10)[2] == pytest.approx(100)


def tree_of(frame, labels, **options):
    return TreeClassifier(**options).fit(frame, labels).tree_


def test_leaves_of_one_answer_are_one_group_and_many_values_are_counted():
    town = np.array(list("abcdefgh") * 10)
    tree = tree_of(pd.DataFrame({"town": town}), np.where(np.isin(town, list("ah")), "yes", "no"))
    root = drawing.shape_of(tree)
    assert [text for text, _ in root.branches] == ["a or h", "b, c, d or 3 other values"]
    assert root.groups == 2 and [child.cases for _, child in root.branches] == [20, 60]
    html = plain(drawing.tree_as_html(tree, [60, 20]))
    assert "town a or h yes 20 cases, 100 % yes" in html


def test_a_tree_of_many_groups_is_listed_in_part_and_not_drawn():
    rng = np.random.default_rng(0)
    frame = rng.random((900, 4))
    tree = tree_of(frame, rng.integers(0, 2, 900))
    html = drawing.tree_as_html(tree, [450, 450])
    assert "<svg" not in html and "groups below" in html
    assert f"The upper 3 levels of a tree of {drawing.shape_of(tree).groups:,} groups." in html
    small = drawing.tree_as_html(tree_of(frame, frame[:, 0] > 0.5), [450, 450])
    assert "<svg" in small and "x0" in small


def test_a_command_repeats_how_the_file_was_read():
    options = {"path": "/a b.csv", "class": "y", "missing": ["<10", "?"], "decimal": ","}
    options |= {"dates": {"when": ["year", "month"]}, "bins": 3, "skip": [1]}
    wanted = "pinetum run 'a b.csv' --outcome y --missing '<10' --missing '?' --decimal ,"
    assert page.command_of(options) == f"{wanted} --dates when=year,month --bins 3 --skip 1"


RECORD = {"status": "ok", "cases": 40, "features": 1, "leaves": 2, "seconds": 0.1, "chosen": 0}


def page_with(folder, tree, trivial, truth, answers):
    """The page of two methods of which one is recommended."""
    both = (("majority", trivial, "[]", 0), ("tree", tree, '["age"]', 1))
    model = TreeClassifier(max_depth=0 if trivial else None)
    frame = pd.DataFrame({"age": np.where(np.array(truth) == "yes", 1, 0)})
    (folder / "models").mkdir()
    from pinetum import save

    save(model.fit(frame, truth), folder / "models/recommended.json")
    rows = [
        RECORD
        | {"method": name, "recommended": int(best), "test_error": 45.0 - 40 * questions}
        | {"test_error_se": 1.0, "questions": questions, "used": used, "note": ""}
        | {"model": f"models/{name}.json", "chosen": 4 * int(best)}
        for name, best, used, questions in both
    ]
    write_records(rows, folder / "methods.csv", columns=COLUMNS)
    said = [
        {"case": n + 1, "fold": n % 4, "class": a, "recommended": b}
        for n, (a, b) in enumerate(zip(truth, answers, strict=True))
    ]
    write_records(said, folder / "predictions.csv")
    needed = {"column": "age", "verdict": "replaceable", "models": 4, "folds": 4, "without": 9.0}
    needed |= {"others": 45.0, "stand_in": "<height>", "stand_in_error": 5.2}
    write_records([needed] * tree, folder / "needed.csv", columns=list(needed))
    write_records([{"column": "age", "type": "number", "verdict": "used"}], folder / "columns.csv")
    (folder / "warnings.txt").write_text("one <warning>; list it under `missing`\n")
    studies = {"distinct": pd.DataFrame([{"status": "unsuitable", "note": "too few <cases>"}])}
    summary = summary_of(read_records(folder / "methods.csv"), studies)
    return page.page_of("mine", summary, folder, {"path": "a&b.csv", "class": "buys"})


TRUTH = ["yes"] * 18 + ["no"] * 20 + ["<rare>"] * 2


def test_the_page_says_what_to_take_what_it_misses_and_which_columns_it_needs(tmp_path):
    answers = ["yes"] * 17 + ["no"] * 23
    html = page_with(tmp_path, True, False, TRUTH, answers)
    said = plain(html)
    wanted = "A pruned tree with 1 questions about 1 column is wrong on 7.5 % of cases it has"
    assert wanted in said and "between 2.6 % and 19.9 %" in said
    assert "recognises none of the 2 “&lt;rare&gt;”, 94 % of the 18 “yes”" in said
    assert "“&lt;rare&gt;” is never recognised. 2 cases are few to learn from." in said
    assert said.index("&lt;rare&gt; 0 %") < said.index("yes 94 %") < said.index("no 100 %")
    assert "can be replaced by &lt;height&gt;: 5.2 %" in said and "4 of 4 models" in said
    assert "one &lt;warning&gt;; give it by --missing" in said and "<rare>" not in html
    assert "Is there a better subset of the columns?" in said and "too few &lt;cases&gt;" in said
    assert "has 5.0 % here and 7.5 % above" in said and "a&amp;b.csv: predicting buys" in said


def test_where_nothing_beats_the_most_frequent_class_the_page_says_so_and_names_no_column(tmp_path):
    said = plain(page_with(tmp_path, False, True, TRUTH, ["no"] * 40))
    assert "No method was shown to beat always answering “no”, which is wrong on 50.0 %" in said
    assert "nothing is said here about single columns" in said and "Known to matter" not in said


def test_without_a_model_the_page_gives_the_reasons(tmp_path):
    (tmp_path / "models").mkdir()
    rows = [{"method": "tree", "status": "unsuitable", "note": "4 cases are too few"}]
    write_records([rows[0] | {"recommended": 0}], tmp_path / "methods.csv", columns=COLUMNS)
    write_records([{"column": "age", "type": "number"}], tmp_path / "columns.csv")
    (tmp_path / "warnings.txt").write_text("")
    summary = summary_of(read_records(tmp_path / "methods.csv"), {})
    said = plain(page.page_of("tiny", summary, tmp_path, {"path": "t.csv", "class": "y"}))
    assert "No model could be learnt. pruned tree: 4 cases are too few" in said
