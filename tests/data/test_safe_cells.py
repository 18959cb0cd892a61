"""Cells that a spreadsheet would run are written so that it does not, and read back as they
were.
"""

import csv

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pinetum.data import Table
from pinetum.data.delimited import write_csv
from pinetum.files import plain_cell, safe_cell
from pinetum.report.tables import markdown
from pinetum.workflow.jobs import read_records, read_text, write_records

HARM = [
    "=1+1",
    "@SUM(A1)",
    "+cmd|' /C calc'!A0",
    "-2+3",
    "\t=1",
    "'=1",
    "''=1",
    "'x",
    "-",
    "+",
    "-1.5",
    "+3e4",
    "it's",
    "",
]


@pytest.mark.parametrize("cell", HARM)
def test_no_cell_begins_as_a_formula(cell):
    safe = safe_cell(cell)
    assert plain_cell(safe) == cell
    assert safe[:1] not in "=@\t" or not safe


@settings(max_examples=300, deadline=None, derandomize=True, database=None)
@given(st.text(st.sampled_from("'=+-@1.a\t\r\n "), max_size=6))
def test_every_text_comes_back(cell):
    safe = safe_cell(cell)
    assert plain_cell(safe) == cell
    if len(cell) > 1 and safe[0] in "=@+-\t\r":
        float(safe)


def test_text_that_is_read_and_written_again_stays(tmp_path):
    write_records([{"note": cell or "x"} for cell in HARM], tmp_path / "one.csv")
    write_records(read_text(tmp_path / "one.csv"), tmp_path / "two.csv")
    assert (tmp_path / "one.csv").read_bytes() == (tmp_path / "two.csv").read_bytes()


@pytest.mark.parametrize("kind", [list, pd.DataFrame])
def test_records_are_safe_and_come_back(tmp_path, kind):
    records = [
        {"=name": cell or "x", "number": -number, "other": None} for number, cell in enumerate(HARM)
    ]
    write_records(kind(records) if kind is pd.DataFrame else records, tmp_path / "r.csv")
    with open(tmp_path / "r.csv", newline="") as file:
        header, *rows = csv.reader(file)
    assert header[0] == "'=name" and all(row[0][:1] not in ("=", "@", "\t") for row in rows)
    assert rows[3][1] in ("-3", "-3.0")
    assert read_records(tmp_path / "r.csv")["=name"].tolist() == [
        record["=name"] for record in records
    ]


def test_tables_are_safe_and_come_back(tmp_path):
    frame = pd.DataFrame(
        {"=x": ["=1+1", "-a", "@b", "'=c"] * 3, "y": [-1, 2, -3, 4] * 3, "kind": ["+p", "-q"] * 6}
    )
    table = Table.from_frame(frame, "kind")
    options = write_csv(table, tmp_path / "t.csv")
    assert "\n'=1+1" in (tmp_path / "t.csv").read_text()
    again = Table.from_file(options.pop("path"), options.pop("class"), **options)
    table = Table.from_frame(frame.rename(columns={"kind": "class"}), "class")
    assert again == table and again.values[0] == ("'=c", "-a", "=1+1", "@b")


def test_markdown_cells_stay_in_their_cell():
    text = markdown(["a", "b"], [["x|y", "<script>alert(1)</script>"], ["line\nbreak", "R&D"]])
    assert text.splitlines()[2:] == [
        "| x\\|y | &lt;script>alert(1)&lt;/script> |",
        "| line break | R&amp;D |",
    ]
