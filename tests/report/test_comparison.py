"""Verdicts, tables and the page."""

import re
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from pinetum.report import agreement, comparison, figures, tables
from pinetum.report.names import slug
from pinetum.report.page import write_page
from pinetum.report.readings import held_out, judge_readings, overview
from pinetum.report.rows import ReproducedRows, tail_share
from pinetum.report.verdicts import EVIDENCE, VERDICTS

ROW = {
    "item": "Table 1",
    "row": "Adult",
    "column": "top",
    "published": "15.74",
    "unit": "%",
    "source": "p. 7",
    "basis": "error",
    "evidence": "prediction",
    "explanation": "",
    "note": "",
}
KEY = ("Table 1", "Adult", "top")


def published(**changes):
    return pd.DataFrame([ROW | changes])


def verdict(way, *arguments, basis="error", printed="15.74", **options):
    theirs = published(basis=basis, published=printed)
    rows = ReproducedRows(theirs)
    getattr(rows, way)(KEY, *arguments, **options)
    [row] = comparison.compare("elimination", theirs, rows.frame()).to_dict("records")
    assert list(row) == comparison.COMPARISON_COLUMNS
    return row


@pytest.mark.parametrize(
    ("way", "arguments", "options", "wanted"),
    [
        ("measured", (15.8,), {"se": 0.06, "published_se": 0.06}, "within"),
        ("measured", (16.5,), {"se": 0.06, "published_se": 0.06}, "outside"),
        (
            "measured",
            (15.74 + 2.9 * 0.1,),
            {"se": 0.06, "published_se": 0.08},
            "within",
        ),  # three standard errors
        ("measured", (15.74 + 3.2 * 0.1,), {"se": 0.06, "published_se": 0.08}, "outside"),
        ("measured", (15.75,), {"se": 0.0}, "outside"),  # beyond what rounding explains
        ("measured", (15.744,), {"se": 0.0}, "within"),
        ("measured", (15.74,), {"se": None, "published_se": None}, "not_run"),
        ("repeated", ([15.5, 15.9, 15.7],), {}, "within"),
        ("repeated", ([19.5, 19.9, 19.7],), {}, "within"),  # of three repeats t reaches far
        ("repeated", ([29.5, 29.9, 29.7],), {}, "outside"),
        ("repeated", ([15.0, 17.0, 13.0, 25.0, 30.0],), {}, "undecided"),  # 0 would do too
        ("repeated", ([15.74],), {}, "not_run"),  # one repeat says nothing of its error
        ("repeated", ([],), {}, "not_run"),
        ("exact", (15.744,), {"basis": "digits"}, "within"),
        ("exact", (15.75,), {"basis": "digits"}, "outside"),
        ("exact", ("w_sum ent",), {"basis": "digits", "printed": "w_sum ent"}, "within"),
        ("exact", ("sum ent",), {"basis": "statement", "printed": "w_sum ent"}, "outside"),
        ("statement", (True,), {"basis": "statement", "printed": "yes", "margin": 2.0}, "within"),
        ("statement", (False,), {"basis": "statement", "printed": "yes"}, "outside"),
        (
            "statement",
            (True,),
            {"basis": "statement", "printed": "yes", "margin": 1.9},
            "undecided",
        ),
        (
            "statement",
            (False,),
            {"basis": "statement", "printed": "yes", "margin": -1},
            "undecided",
        ),
        ("statement", (None,), {"basis": "statement", "printed": "yes"}, "not_run"),
        ("exact", (0.04,), {"basis": "bound", "printed": "<0.05"}, "within"),
        ("exact", (0.05,), {"basis": "bound", "printed": "<0.05"}, "outside"),
        ("exact", (0.05,), {"basis": "bound", "printed": ">=0.05"}, "within"),
        ("exact", (1.2,), {"basis": "bound", "printed": "1..1.35"}, "within"),
        ("exact", (1.4,), {"basis": "bound", "printed": "1..1.35"}, "outside"),
        ("bounded", (0.2, 0.17, 0.26), {"basis": "bound", "printed": "0.25"}, "within"),
        ("bounded", (0.2, 0.17, 0.26), {"basis": "bound", "printed": "0.281"}, "outside"),
        ("repeated", ([1.0] * 98 + [3.0] * 2,), {"basis": "quantile", "printed": "3"}, "within"),
        ("repeated", ([1.0] * 99 + [3.0],), {"basis": "quantile", "printed": "3"}, "outside"),
        ("repeated", ([1.0] * 200,), {"basis": "quantile", "printed": "3"}, "outside"),
        (
            "repeated",
            ([1.0] * 50,),
            {"basis": "quantile", "printed": "3"},
            "not_run",
        ),  # too few to refuse it
        ("timing", (0.4,), {"basis": "timing", "printed": "3.3"}, "timing"),
        ("timing", (None,), {"basis": "timing", "printed": "3.3"}, "not_run"),
        ("absent", ("no_data",), {}, "no_data"),
        ("absent", (), {}, "not_run"),
    ],
)
def test_verdicts(way, arguments, options, wanted):
    assert verdict(way, *arguments, **options)["verdict"] == wanted


def test_a_number_that_is_not_judged_says_why_and_no_other_does():
    assert verdict("repeated", [15.74])["note"] == comparison.TOO_FEW["error"]
    assert (
        verdict("repeated", [1.0] * 50, basis="quantile", printed="3")["note"]
        == comparison.TOO_FEW["quantile"]
    )
    assert verdict("repeated", [15.5, 15.9, 15.7])["note"] == ""
    assert "not judged" not in verdict("repeated", [])["note"]


def test_z_is_the_difference_in_combined_standard_errors():
    row = verdict("measured", 16.04, se=0.06, published_se=0.08)
    rounding = 0.01 / np.sqrt(12)
    assert float(row["se"]) == pytest.approx(np.sqrt(0.06**2 + 0.08**2 + rounding**2), rel=1e-3)
    assert float(row["z"]) == pytest.approx(0.3 / float(row["se"]), rel=1e-2)
    assert verdict("statement", True, basis="statement", printed="yes", margin=2.5)["z"] == "2.5"


@pytest.mark.parametrize("seed", range(5))
def test_single_experiments_are_judged_by_the_spread_of_whole_experiments(seed):
    """A number of one experiment lies within three standard errors of ten others.

    Shifted by six it does not.
    """
    rng = np.random.default_rng(seed)
    right = wrong = 0
    for _ in range(200):
        theirs, ours = rng.normal(20, 1), rng.normal(20, 1, 10)
        right += verdict("repeated", ours, printed=f"{theirs:.2f}")["verdict"] == "within"
        wrong += verdict("repeated", ours, printed=f"{theirs + 8:.2f}")["verdict"] == "within"
    assert right >= 198 and wrong <= 10


def test_power_is_the_smallest_difference_that_would_have_been_outside():
    row = verdict("repeated", [15.5, 15.9, 15.7, 15.6])
    power = float(row["power"])
    assert power == pytest.approx(9.2187 * float(row["se"]), rel=0.01)  # t with three degrees
    for share, wanted in ((0.99, "within"), (1.01, "outside")):
        printed = f"{15.675 + share * power:.2f}"
        assert verdict("repeated", [15.5, 15.9, 15.7, 15.6], printed=printed)["verdict"] == wanted


def ranks_of(rng, spread, repeats=100):
    """Ranks of five methods that differ by one, in as many experiments of this noise."""
    return (np.arange(5) + rng.normal(0, spread, (repeats, 5))).argsort(1).argsort(1) + 1.0


@pytest.mark.parametrize("seed", range(3))
def test_shuffled_ranks_do_not_pass(seed):
    """A hundred cross-validations, as the study has: wrong orders are outside or undecided."""
    rng = np.random.default_rng(seed)
    wrong = right = 0
    for spread in np.linspace(0.2, 3, 30):
        table, order = ranks_of(rng, spread), ranks_of(rng, spread, 1)[0]
        for printed, honest in ((rng.permutation(order), False), (order, True)):
            theirs = pd.DataFrame(
                [
                    ROW | {"column": str(k), "published": f"{rank:.0f}", "basis": "quantile"}
                    for k, rank in enumerate(printed)
                ]
            )
            rows = ReproducedRows(theirs)
            rows.ranked([("Table 1", "Adult", str(k)) for k in range(5)], table)
            found = comparison.compare("elimination", theirs, rows.frame())["verdict"]
            assert found.nunique() == 1
            wrong += not honest and found[0] == "within"
            right += honest and found[0] != "outside"
    assert right >= 27 and wrong <= 6


def slow_tail_share(values, theirs, half):
    lower = sum(value <= theirs + half for value in values)
    upper = sum(value >= theirs - half for value in values)
    return min(lower, upper) / len(values)


@pytest.mark.parametrize("seed", range(50))
def test_tail_shares(seed):
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 6, rng.integers(1, 30)) / 2
    for theirs in (-1, 0, 1.5, 2.0, 9):
        assert tail_share(values, theirs, 0.25) == pytest.approx(
            slow_tail_share(values.tolist(), theirs, 0.25)
        )


def test_a_published_number_without_ours_is_not_run_and_says_why():
    rows = ReproducedRows(published()).frame()
    assert rows["note"].tolist() == ["left out by the configuration"]
    assert comparison.compare("elimination", published(), rows)["verdict"].tolist() == ["not_run"]
    rows = ReproducedRows(published())
    rows.absent(KEY, "no_data")
    assert rows.frame()["note"].tolist() == ["no source could serve the data"]


def test_a_number_of_ours_that_nobody_published_is_refused():
    with pytest.raises(ValueError, match="Table 1, Adullt, top: no such number"):
        ReproducedRows(published()).exact(("Table 1", "Adullt", "top"), 1)
    rows = ReproducedRows(published(row="Adullt")).frame()
    with pytest.raises(ValueError, match="not in config/published"):
        comparison.compare("elimination", published(), rows)


def test_numbers_of_data_that_came_in_part_have_no_data():
    rows = ReproducedRows(published())
    rows.measured(KEY, 15.74, se=0.1)
    found = comparison.compare("elimination", published(), rows.frame(), parts=["adult"])
    assert found["verdict"].tolist() == ["no_data"] and found["reproduced"].tolist() == [""]


def test_what_lies_outside_names_a_reading_or_says_open(tmp_path):
    def frame(value):
        rows = ReproducedRows(published())
        rows.measured(KEY, value, se=0.1)
        return rows.frame()

    readings = judge_readings(
        published(), {"default": frame(17), "lowest": frame(15.9), "used": frame(15.8)}
    )
    assert readings["verdict"].tolist() == ["outside", "within", "within"]
    moved = comparison.compare("elimination", published(), frame(17), readings=readings)
    assert moved["explanation"].tolist() == ["readings.csv: used gives 15.8"]
    assert (
        comparison.compare("elimination", published(), frame(17))["explanation"]
        .item()
        .startswith("open: nothing")
    )
    known = comparison.compare("elimination", published(explanation="a misprint"), frame(17))
    assert known["explanation"].item() == "a misprint"
    inside = comparison.compare("elimination", published(explanation="a misprint"), frame(15.74))
    assert inside["explanation"].item() == ""
    figures.draw_readings({"elimination": overview(readings)}, tmp_path / "readings.png")
    table = overview(readings).set_index("reading")
    assert table["came in"].tolist() == [0, 1, 1] and table["went out"].tolist() == [0, 0, 0]


def test_an_explanation_is_one_reading_for_a_whole_table():
    theirs = pd.DataFrame([ROW | {"row": name} for name in ("a", "b", "c")])

    def frame(*values, se=0.1):
        rows = ReproducedRows(theirs)
        for name, value in zip("abc", values, strict=True):
            rows.measured(("Table 1", name, "top"), value, se=se)
        return rows.frame()

    default = frame(17, 17, 15.74)
    readings = {"default": default, "spoils c": frame(15.74, 15.74, 17)}
    readings |= {"mends a": frame(15.74, 17, 15.74), "mends b": frame(17, 15.75, 15.74)}
    readings |= {"wide": frame(16.5, 16.5, 15.74, se=1.0)}
    found = comparison.compare(
        "elimination", theirs, default, readings=judge_readings(theirs, readings)
    )
    assert found["explanation"].tolist() == [
        "readings.csv: mends a gives 15.74",
        comparison.UNTRIED,
        "",
    ]


def test_repeated_or_incomplete_published_files_are_refused(tmp_path):
    path = tmp_path / "published.csv"
    pd.DataFrame([ROW, ROW]).to_csv(path, index=False)
    with pytest.raises(ValueError, match="line 3 repeats Table 1, Adult, top"):
        comparison.read_published(path)
    published().drop(columns="unit").to_csv(path, index=False)
    with pytest.raises(ValueError, match="misses the column 'unit'"):
        comparison.read_published(path)
    published(basis="speed").to_csv(path, index=False)
    with pytest.raises(ValueError, match="line 2: basis 'speed'"):
        comparison.read_published(path)
    published(evidence="hope").to_csv(path, index=False)
    with pytest.raises(ValueError, match="line 2: evidence 'hope'"):
        comparison.read_published(path)


def test_every_verdict_and_evidence_has_a_word_and_a_look_of_its_own():
    assert len({verdict.word for verdict in VERDICTS.values()}) == len(VERDICTS)
    assert len({verdict.colour for verdict in VERDICTS.values()}) == len(VERDICTS)
    assert len({evidence.shape for evidence in EVIDENCE.values()}) == len(EVIDENCE)


def test_the_headline_counts_predictions_and_readings_alone():
    rows = [
        {"paper": "nbdt", "evidence": evidence, "verdict": verdict}
        for evidence in EVIDENCE
        for verdict in ("within", "outside")
    ]
    [line, total] = comparison.verdict_counts(pd.DataFrame(rows)).to_dict("records")
    assert line["within"] == line["outside"] == total["within"] == 2
    assert line["fit, within"] == line["echo, within"] == 1 and line["fit, judged"] == 2


def test_numbers_take_the_digits_of_the_paper():
    assert tables.like("15.8012", "15.74") == "15.80"
    assert tables.like("0.0004", "0.01") == "0.0004"
    assert tables.like("123.4", ">1h") == "123.4"
    assert slug("Table 1, marks") == "table_1_marks"


def two_rows():
    theirs = pd.DataFrame([ROW, ROW | {"column": "SBE", "published": "14.64"}])
    rows = ReproducedRows(theirs)
    rows.measured(KEY, 15.80, se=0.06)
    rows.measured(("Table 1", "Adult", "SBE"), 20, se=0.06)
    return comparison.compare("elimination", theirs, rows.frame())


def test_a_published_table_keeps_its_shape(tmp_path):
    tables.write_published_table(
        two_rows(), tmp_path / "table_1.csv", {"adult": "adult: half of it"}
    )
    wide = pd.read_csv(tmp_path / "table_1.csv")
    assert list(wide.columns) == [
        "row",
        "top",
        "top published",
        "top verdict",
        "SBE",
        "SBE published",
        "SBE verdict",
    ]
    text = (tmp_path / "table_1.md").read_text()
    assert "| Adult | 15.80 (15.74) | 20.00 (14.64)! |" in text and "adult: half of it" in text
    latex = (tmp_path / "table_1.tex").read_text()
    assert r"\toprule" in latex and latex.count(r"\\") == 2


def test_latex_escapes_what_latex_reserves():
    assert tables.escape("a_b & 5 %") == r"a\_b \& 5 \%"


@pytest.mark.parametrize("seed", range(3))
def test_z_of_honest_numbers_is_normal_and_of_shifted_ones_is_not(seed, tmp_path):
    rng = np.random.default_rng(seed)
    theirs = pd.DataFrame(
        [ROW | {"row": str(place), "published": f"{rng.normal(20, 1):.3f}"} for place in range(300)]
    )

    def compared(shift):
        rows = ReproducedRows(theirs)
        for place in range(300):
            rows.repeated(("Table 1", str(place), "top"), rng.normal(20 + shift, 1, 20))
        return comparison.compare("elimination", theirs, rows.frame())

    table = agreement.z_table(compared(0)).set_index("paper").loc["total"]
    assert table["expected_rms"] == pytest.approx(np.sqrt(19 / 17))
    assert 0.8 < table["rms_z"] < 1.3 and table["outside"] <= 3 and table["chance"] > 0.001
    table = agreement.z_table(compared(2)).set_index("paper").loc["total"]
    assert table["rms_z"] > 1.5 and table["chance"] < 1e-9


def test_figures_of_a_run_that_judged_nothing(tmp_path):
    rows = two_rows().assign(verdict="not_run")
    figures.draw_numbers(rows, tmp_path / "a.png")
    figures.draw_z(rows, tmp_path / "b.png")
    assert len(agreement.z_table(rows)) == 0


def test_the_page_is_self_contained(tmp_path, monkeypatch):
    monkeypatch.setenv("PINETUM_RESULTS", str(tmp_path))
    two_rows().to_csv(tmp_path / "comparison.csv", index=False)
    served = pd.DataFrame(
        {"dataset": ["adult"], "source": "mirror", "status": ["ok"], "note": ["half of it"]}
    )
    served.to_csv(tmp_path / "availability.csv", index=False)
    contents = {
        "elimination": {"title": "Backward elimination <b>", "deviations": [{"what": "ties"}]}
    }
    rows = pd.read_csv(tmp_path / "comparison.csv", dtype=str, keep_default_na=False)
    figures.draw_numbers(rows, tmp_path / "numbers.png")
    figures.draw_z(rows, tmp_path / "z.png")
    figures.draw_readings({}, tmp_path / "readings.png")
    agreement.z_table(rows).to_csv(tmp_path / "z.csv", index=False)
    names = ("comparison.csv", "availability.csv", "numbers.png", "z.png", "readings.png")
    files = {name.partition(".")[0]: tmp_path / name for name in names}
    files = SimpleNamespace(**files, z_table=tmp_path / "z.csv")
    claim = {"says": "SBE is <b>", "where": "Table 1", "tag": "errors", "rows": ["* | Adult | *"]}
    paper = {"studies": ["elimination"], "title": "Trees", "terms": {}, "claims": [claim]}
    paper |= dict.fromkeys(("authors", "cite", "short", "sentences", "easy", "hard"), "x")
    paper |= {"contradictions": ["one"], "questions": ["two"]}
    inputs = SimpleNamespace(files=files)
    changed = ["nbdt.folds"]
    made = write_page(contents, {"trees": paper}, 1, {"adult": ["adult"]}, changed, inputs)
    assert "Not the usual run: other settings for nbdt.folds." in made["page"]
    assert "| elimination | ties |" in made["deviations"]
    assert (
        "Data sets by source: mirror 1;" in made["page"] and 'href="trees.html#c1"' in made["page"]
    )
    assert "Backward elimination &lt;b&gt;" in made["trees"] and "SBE is &lt;b&gt;" in made["trees"]
    assert "table_1.csv, .md, .tex. adult: half of it" in made["trees"]
    assert "in part" in made["trees"] and "1 of 2 came out" in made["trees"]
    for html in (made["page"], made["trees"]):
        assert not re.findall(r"""(?:src|href)=["'](?!#|data:|trees.html|index.html)""", html)
        assert not re.findall(r"https?://|url\((?!data:)|@import|fetch\(", html)
        anchors = set(re.findall(r'href="#([^"]+)"', html))
        assert anchors <= set(re.findall(r'id="([^"]+)"', html))


def test_a_reading_chosen_on_one_half_is_judged_on_the_other():
    theirs = pd.DataFrame([ROW | {"row": str(place), "published": "20.00"} for place in range(6)])

    def frame(value):
        rows = ReproducedRows(theirs)
        for place in range(6):
            rows.measured(("Table 1", str(place), "top"), value if place % 2 else 20.0, se=0.1)
        return rows.frame()

    readings = judge_readings(theirs, {"default": frame(21), "better": frame(20.1)})
    table = held_out(readings, "row")
    assert table["chosen"].tolist() == [
        "default",
        "better",
    ]  # on rows 0, 2, 4 both are equal: the first stays
    assert table["judged on"].tolist() == ["1, 3, 5", "0, 2, 4"]
    assert table["rms_z held out"].tolist() == pytest.approx([10, 0], rel=0.01)
