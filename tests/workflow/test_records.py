"""Records, written without pandas, have the bytes that pandas writes."""

import subprocess
import sys

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from pinetum.workflow.jobs import NUMBER, write_records

KINDS = [
    st.sampled_from(["a", "b,c", 'q"x', "", "line\nbreak", "1.0", "nan"]),
    st.integers(-(2**53), 2**53),
    st.floats(),
    st.booleans(),
    st.none(),
    st.integers(0, 99).map(np.int64),
    st.floats(width=32).map(np.float32),
    st.floats().map(np.float64),
    st.booleans().map(np.bool_),
]
NAMES = ["first", "second", "third"]


@st.composite
def some_records(draw):
    """Columns of one to three kinds of values; not every record has every key."""
    kinds = [
        st.one_of(draw(st.lists(st.sampled_from(KINDS), min_size=1, max_size=3))) for _ in NAMES
    ]
    values = st.fixed_dictionaries({}, optional=dict(zip(NAMES, kinds, strict=True)))
    return draw(st.lists(values.filter(bool), min_size=1, max_size=6))


def ours(records, path, columns=None):
    write_records(records, path, columns)
    return path.read_text(encoding="utf-8")


@given(some_records(), st.sampled_from([None, NAMES, [*NAMES[::-1], "other"]]))
def test_the_bytes_of_pandas(tmp_path_factory, records, columns):
    path = tmp_path_factory.getbasetemp() / "records.csv"
    frame = pd.DataFrame.from_records(records, columns=columns)
    theirs = frame.to_csv(index=False, float_format=NUMBER, lineterminator="\n")
    assert ours(records, path, columns) == theirs
    assert ours(frame, path) == theirs


def test_records_without_rows_have_their_header(tmp_path):
    assert ours([], tmp_path / "none.csv", ["one", "two"]) == "one,two\n"
    assert ours(pd.DataFrame(columns=["one", "two"]), tmp_path / "none.csv") == "one,two\n"
    assert ours([], tmp_path / "none.csv") == pd.DataFrame().to_csv(
        index=False, lineterminator="\n"
    )


JOB = """
import sys, warnings
from pinetum.data.errors import DataWarning
from pinetum.workflow.jobs import job_log
with job_log(sys.argv[1]):
    warnings.warn("column a: 1 cell\\nread as missing", DataWarning)
    warnings.warn("column a: 1 cell\\nread as missing", DataWarning)
    warnings.warn("of another package", RuntimeWarning)
"""


def test_warnings_reach_log_terminal_and_the_end_of_the_run(tmp_path):
    from pinetum.workflow.warned import list_warnings

    assert list_warnings(tmp_path / "results/logs") == ""
    log = tmp_path / "results/logs/own/t.log"
    done = subprocess.run(
        [sys.executable, "-c", JOB, log], capture_output=True, text=True, check=True
    )
    assert done.stderr.splitlines()[0] == "Warning: column a: 1 cell read as missing"
    assert "another package" in log.read_text() and "another package" not in done.stderr
    (log.parent / "u.log").write_text(log.read_text())
    assert (
        list_warnings(tmp_path / "results/logs")
        == f"1 warning:\n  column a: 1 cell read as missing ({log})"
    )
