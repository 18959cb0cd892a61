"""Verdicts, tables and the page."""

import re
from pathlib import Path

import pandas as pd
import pytest

from pinetum.report import comparison, tables
from pinetum.report.cost import cost_table
from pinetum.report.names import slug
from pinetum.report.page import summary, write_page

ROW = {
    "item": "Table 1", "row": "Adult", "column": "top", "published": "15.74", "published_se": "0.06", "unit": "%",
    "source": "p. 7", "tolerance": "", "kind": "value", "note": "",
}  # fmt: skip
OURS = {"item": "Table 1", "row": "Adult", "column": "top", "reproduced": "15.80", "se": "0.06", "n": "50"}
OURS |= {"status": "ok", "note": ""}


@pytest.mark.parametrize(
    "published, ours, verdict",
    [
        ({}, {}, "within"),
        ({}, {"reproduced": "16.5"}, "outside"),
        ({"tolerance": "1"}, {"reproduced": "16.5"}, "within"),
        ({"tolerance": "5%"}, {"reproduced": "16.5"}, "within"),
        ({"tolerance": "1%"}, {"reproduced": "16.5"}, "outside"),
        ({"tolerance": "<=16"}, {"reproduced": "16.5"}, "outside"),
        ({"tolerance": ">=16"}, {"reproduced": "16.5"}, "within"),
        ({"tolerance": "1..1.35"}, {"reproduced": "1.2"}, "within"),
        ({"published_se": ""}, {"reproduced": "15.744", "se": ""}, "within"),
        ({"published_se": ""}, {"reproduced": "15.75", "se": ""}, "outside"),
        (
            {"kind": "fact", "published": "w_sum ent", "published_se": ""},
            {"reproduced": "w_sum ent", "se": ""},
            "within",
        ),
        (
            {"kind": "fact", "published": "w_sum ent", "published_se": ""},
            {"reproduced": "sum ent", "se": ""},
            "outside",
        ),
        ({"kind": "timing", "published": "3.3"}, {"reproduced": "0.4"}, "timing"),
        ({"kind": "timing"}, {"reproduced": ""}, "not_run"),
        ({}, {"status": "no_data", "reproduced": ""}, "no_data"),
        ({}, {"reproduced": "", "status": "not_run"}, "not_run"),
        ({"published": ">1h", "tolerance": ">=3600"}, {"reproduced": "120"}, "outside"),
    ],
)
def test_verdicts(published, ours, verdict):
    rows = comparison.compare("elimination", pd.DataFrame([ROW | published]), pd.DataFrame([OURS | ours]))
    assert list(rows.columns) == comparison.COMPARISON_COLUMNS
    assert rows["verdict"].tolist() == [verdict]


def test_a_published_number_without_ours_is_not_run():
    rows = comparison.compare("elimination", pd.DataFrame([ROW]), pd.DataFrame([OURS]).head(0))
    assert rows["verdict"].tolist() == ["not_run"]


def test_a_number_of_ours_that_nobody_published_is_refused():
    with pytest.raises(ValueError, match="not in config/published"):
        comparison.compare("elimination", pd.DataFrame([ROW]), pd.DataFrame([OURS | {"row": "Adullt"}]))


def test_repeated_or_incomplete_published_files_are_refused(tmp_path):
    path = tmp_path / "published.csv"
    pd.DataFrame([ROW, ROW]).to_csv(path, index=False)
    with pytest.raises(ValueError, match="line 3 repeats Table 1, Adult, top"):
        comparison.read_published(path)
    pd.DataFrame([ROW]).drop(columns="unit").to_csv(path, index=False)
    with pytest.raises(ValueError, match="misses the column 'unit'"):
        comparison.read_published(path)
    pd.DataFrame([ROW | {"kind": "speed"}]).to_csv(path, index=False)
    with pytest.raises(ValueError, match="line 2: kind 'speed'"):
        comparison.read_published(path)


def test_numbers_take_the_digits_of_the_paper():
    assert tables.like("15.8012", "15.74") == "15.80"
    assert tables.like("0.0004", "0.01") == "0.0004"
    assert tables.like("123.4", ">1h") == "123.4"
    assert slug("Table 1, SYNTH as printed") == "table_1_synth_as_printed"


def two_rows():
    ours = [OURS, OURS | {"column": "SBE", "reproduced": "20"}]
    theirs = [ROW, ROW | {"column": "SBE", "published": "14.64"}]
    return comparison.compare("elimination", pd.DataFrame(theirs), pd.DataFrame(ours))


def test_a_published_table_keeps_its_shape(tmp_path):
    tables.write_published_table(two_rows(), tmp_path / "table_1.csv", {"adult": "adult: half of it"})
    wide = pd.read_csv(tmp_path / "table_1.csv")
    assert list(wide.columns) == ["row", "top", "top published", "top verdict", "SBE", "SBE published", "SBE verdict"]
    text = (tmp_path / "table_1.md").read_text()
    assert "| Adult | 15.80 (15.74) | 20.00 (14.64)! |" in text and "adult: half of it" in text
    latex = (tmp_path / "table_1.tex").read_text()
    assert r"\toprule" in latex and latex.count(r"\\") == 2


def test_latex_escapes_what_latex_reserves():
    assert tables.escape("a_b & 5 %") == r"a\_b \& 5 \%"


def test_the_summary_names_the_widest_gap():
    assert "Of 2 published numbers that can be judged, 1 (50 %) are met." in summary(two_rows())
    assert "SBE in Table 1: 20.00 where 14.64 was published" in summary(two_rows())


def test_the_page_is_self_contained(tmp_path):
    two_rows().to_csv(tmp_path / "comparison.csv", index=False)
    served = pd.DataFrame({"dataset": ["adult"], "status": ["ok"], "note": ["half of it"]})
    served.to_csv(tmp_path / "availability.csv", index=False)
    pd.DataFrame({"study": ["total"], "jobs": [3]}).to_csv(tmp_path / "cost.csv", index=False)
    contents = {"elimination": {"title": "Backward elimination <b>", "deviations": [{"what": "ties"}]}}
    write_page(
        tmp_path / "index.html",
        comparison=tmp_path / "comparison.csv",
        contents=contents,
        availability=tmp_path / "availability.csv",
        cost=tmp_path / "cost.csv",
        results=tmp_path,
        seed=1,
        names={"adult": ["adult"]},
    )
    html = Path(tmp_path / "index.html").read_text()
    assert "Backward elimination &lt;b&gt;" in html and "table_1.csv, .md, .tex. adult: half of it" in html
    assert not re.findall(r"""(?:src|href)=["'](?!#|data:)""", html)
    assert not re.findall(r"https?://|url\((?!data:)|@import|fetch\(", html)
    anchors = set(re.findall(r'href="#([^"]+)"', html))
    assert anchors <= set(re.findall(r'id="([^"]+)"', html))


def test_cost_sums_the_benchmarks_of_a_room(tmp_path):
    for name, seconds in (("nbdt/a", 2.0), ("nbdt/b", 3.0), ("data/c", 1.0)):
        path = tmp_path / f"{name}.tsv"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"s\tmax_rss\tcpu_time\n{seconds}\t100\t{2 * seconds}\n")
    table = cost_table(tmp_path).set_index("study")
    assert table.loc["nbdt", "seconds_core"] == 10 and table.loc["nbdt", "longest_job"] == "nbdt/b"
    assert table.loc["total", "jobs"] == 3
