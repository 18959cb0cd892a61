"""Tables of one's own: what real files hold is read, judged and told.

Nothing is silently something else.
"""

import datetime
import gzip
import lzma
import time
import warnings
import zipfile
from dataclasses import fields
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from pinetum import TreeClassifier
from pinetum.data import DataError, Dataset, DataWarning, Encoding, Table
from pinetum.data.encoding import content_of


def frame_of(cases=60, seed=0):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "size": rng.integers(0, 40, cases) / 4,
            "count": rng.integers(0, 30, cases),
            "colour": rng.choice(["red", "green", "blue"], cases),
            "kind": rng.choice(["a", "b"], cases),
        }
    )


def quietly(frame, outcome="kind", **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        return Table.from_frame(frame, outcome, **options)


def from_text(tmp_path, text, outcome="kind", name="t.csv", **options):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        return Table.from_file(path, outcome, **options)


def lines_of(frame, **options):
    return frame.to_csv(index=False, **options)


def verdict(table, column):
    return table.describe().set_index("column").loc[column]


# ------------------------------------------------------------------------------------------------
# cells


@pytest.mark.parametrize(
    "word",
    ["NaN", "nan", "NULL", "null", "N/A", "NA", "", "?", "-", "None", "inf", "-inf", "1e400", "."],
)
def test_one_word_never_makes_categories_of_numbers(tmp_path, word):
    frame = frame_of(300)
    plain = from_text(tmp_path, lines_of(frame))
    cells = frame.astype({"size": object})
    cells.loc[7, "size"] = word
    table = from_text(tmp_path, lines_of(cells))
    assert table.continuous.tolist() == plain.continuous.tolist() == [True, True, False]
    assert table.n_missing == 1 and np.isnan(table.numbers()[7, 0])
    assert bool(table.warnings) == (word not in ("", "?", "NA")), table.warnings
    assert all("line 9, read as missing" in text for text in table.warnings)
    assert quietly(cells) == table, "a frame is read as the file"


def test_infinite_numbers_of_frames_are_missing_and_told():
    frame = frame_of()
    frame.loc[3, "size"] = np.inf
    for dtype in ("float64", "float32"):
        with pytest.warns(
            DataWarning, match="column size: 1 infinite value, the first in case 4, read as missing"
        ):
            table = Table.from_frame(frame.astype({"size": dtype}), "kind")
        assert table.continuous[0] and table.n_missing == 1


def test_words_of_categories_stay_categories(tmp_path):
    frame = frame_of()
    frame["colour"] = frame["colour"].replace({"red": "none", "blue": "-"})
    assert from_text(tmp_path, lines_of(frame)).values[2] == ("-", "green", "none")
    frame["doors"] = np.resize(["2", "3", "4", "5more"], len(frame))
    assert not from_text(tmp_path, lines_of(frame)).continuous[-1]


@pytest.mark.parametrize(
    ("cells", "numbers", "says"),
    [
        (["19,570", "1,200,300", "7"], [19570, 1200300, 7], "comma between thousands"),
        (["1,5", "2", "12,25"], [1.5, 2, 12.25], "decimal comma"),
        (["1.234,5", "17", "2.000"], [1234.5, 17, 2000], "decimal comma"),
        (["1 234", "12 345.5", "3"], [1234, 12345.5, 3], "blank between thousands"),
        (["1\u202f234", "3", "4"], [1234, 3, 4], "blank"),
        (["1'234", "3", "4"], [1234, 3, 4], "apostrophe"),
        (["\u22123", "+4.5", "1e3"], [-3, 4.5, 1000], "numbers"),
    ],
)
def test_numbers_as_people_write_them(cells, numbers, says):
    frame = frame_of(len(cells) * 10).assign(x=np.repeat(cells, 10))
    table = quietly(frame)
    np.testing.assert_array_equal(table.numbers()[:, 3], np.repeat(numbers, 10))
    assert says in verdict(table, "x").why
    np.testing.assert_array_equal(table.encode(frame), table.numbers())


def test_a_decimal_comma_in_one_column_settles_the_others(tmp_path):
    text = "a;b;kind\n" + "".join(
        f"{n},{n % 10};{n % 7}.{n * 37 % 1000:03};{'xy'[n % 2]}\n" for n in range(40)
    )
    table = from_text(tmp_path, text)
    assert table.values[1].max() > 1000 and table.values[0].max() == 39.9
    assert "written with a point between thousands" in verdict(table, "b").why
    with pytest.raises(
        DataError,
        match=r"column a: refused, '1,234' may be a thousand or a decimal; set `decimal: ','`",
    ):
        from_text(tmp_path, "a;b;kind\n1,234;1;x\n2,345;2;y\n")
    assert from_text(tmp_path, "a;b;kind\n1,234;1;x\n2,345;2;y\n", decimal=",").values[
        0
    ].tolist() == [1.234, 2.345]
    assert from_text(tmp_path, "a;b;kind\n1,234;1;x\n2,345;2;y\n", thousands=",").values[
        0
    ].tolist() == [1234, 2345]


@pytest.mark.parametrize(
    "delimiter, cells, doubtful",
    [
        (";", ["1.234", "2.500", "980", "12.000"], True),
        (";", ["1.234", "2.505"], True),
        (";", ["0.234", "2.505"], False),
        (";", ["1.234", "2.5"], False),
        (";", ["1.234", "2345"], False),
        (",", ["1.234", "2.500"], False),
    ],
)
def test_a_point_that_may_stand_between_thousands(tmp_path, delimiter, cells, doubtful):
    lines = [delimiter.join([cells[n % len(cells)], "b", "xy"[n % 2]]) for n in range(24)]
    text = "\n".join([delimiter.join(["a", "b", "kind"]), *lines])
    if not doubtful:
        assert from_text(tmp_path, text).numbers()[0, 0] == float(cells[0])
        return
    what = r"column a: refused, '1\.234' may be a thousand or a decimal; set `decimal: '\.'`, or"
    with pytest.raises(DataError, match=what):
        from_text(tmp_path, text)
    assert from_text(tmp_path, text, decimal=".").numbers()[0, 0] == 1.234
    assert from_text(tmp_path, text, thousands=".").numbers()[0, 0] == 1234


def test_missing_adds_to_the_usual_words_and_missing_only_replaces_them(tmp_path):
    cells = ["1", "2", "n/a", "gone", "", "5"]
    text = "a,kind\n" + "".join(f"{cells[n % 6]},{'xy'[n % 2]}\n" for n in range(36))
    table = from_text(tmp_path, text, missing=["gone"])
    assert table.continuous[0] and np.isnan(table.numbers()[:6, 0]).tolist() == [0, 0, 1, 1, 1, 0]
    again = from_text(tmp_path, text, missing_only=["", "gone"], types={"a": "discrete"})
    assert again.values[0] == ("1", "2", "5", "n/a")


# ------------------------------------------------------------------------------------------------
# files


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "latin-1"]
)
@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_delimiters_encodings_and_line_ends_are_recognised(tmp_path, delimiter, encoding, ends):
    frame = frame_of()
    frame["colour"] = frame["colour"].replace({"red": "röt"})
    plain = quietly(frame)
    text = lines_of(frame, sep=delimiter, lineterminator=ends).encode(encoding)
    table = from_text(tmp_path, text)
    assert table == plain
    assert bool(table.warnings) == (encoding == "latin-1")


@pytest.mark.parametrize("pack", ["gz", "xz", "zip"])
def test_packed_files(tmp_path, pack):
    text = lines_of(frame_of()).encode()
    path = tmp_path / f"t.csv.{pack}"
    if pack == "zip":
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("inner/t.csv", text)
    else:
        path.write_bytes({"gz": gzip, "xz": lzma}[pack].compress(text))
    assert Table.from_file(path, "kind") == quietly(frame_of())
    assert Table.from_file(path, "kind").name == "t"


@pytest.mark.parametrize("pack", [gzip, lzma])
def test_what_is_unpacked_takes_no_more_memory_than_it_needs(pack):
    """A stream that is asked for 4 GiB at once reserves them, whatever it holds."""
    import resource

    from pinetum.data.unpack import unpacked

    before = resource.getrlimit(resource.RLIMIT_AS)
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    used = pages * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + 500_000_000, before[1]))
    try:
        assert unpacked(pack.compress(b"a;b\n" * 1000), "small") == b"a;b\n" * 1000
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def test_a_zip_of_two_files_and_a_bomb_are_refused(tmp_path, monkeypatch):
    with zipfile.ZipFile(tmp_path / "t.csv.zip", "w") as archive:
        archive.writestr("a.csv", "a")
        archive.writestr("b.csv", "b")
    with pytest.raises(DataError, match=r"2 files in the archive: a\.csv, b\.csv; pack one file"):
        Table.from_file(tmp_path / "t.csv.zip", "kind")
    from pinetum.data.unpack import unpacked

    for packed in (gzip.compress(bytes(10**6)), lzma.compress(bytes(10**6))):
        with pytest.raises(DataError, match="unpacks to more than 1,000 bytes"):
            unpacked(packed, "bomb", 1000)


def test_line_ends_quotes_and_odd_headers(tmp_path):
    text = 'size,note,kind\r\n1,"two\nlines",a\n2,one,b\r3,"a ""quote""",a\n\n4,x,b\n'
    assert from_text(tmp_path, text).values[1] == ('a "quote"', "one", "two\nlines", "x")
    with pytest.raises(DataError, match="line 4, column 1"):  # the place counts lines, not rows
        from_text(tmp_path, 'size,kind\n"1\n",a\nx,b\n', types={"size": "number"})
    twice = from_text(tmp_path, "a,a,kind\n1,2,x\n2,5,y\n")
    assert twice.feature_names == ("a", "a_2") and "now 'a_2'" in twice.warnings[0]
    assert from_text(tmp_path, "a,kind,,\n1,x,,\n2,y,,\n").feature_names == ("a",)
    assert from_text(tmp_path, "a,kind\n1,x,\n2,y,\n").feature_names == ("a",)
    assert from_text(tmp_path, ",a,kind\n0,5,x\n1,4,y\n").feature_names == ("a",)
    assert from_text(tmp_path, "a,kind\n1,5,x\n2,4,y\n").feature_names == ("a",), (
        "names of rows, as R writes them"
    )
    frame = frame_of()
    assert from_text(tmp_path, lines_of(frame.reset_index())).feature_names == (
        "size",
        "count",
        "colour",
    )


def test_a_second_line_of_names_is_named_and_left_out_when_told(tmp_path):
    header, *rest = lines_of(frame_of()).splitlines(keepends=True)
    text = "".join([header, "mm,pieces,name,name\n", *rest])
    with pytest.raises(
        DataError,
        match=r"column size: refused.*'mm' in line 2; if it is a second line.*`skip: \[2\]`",
    ):
        from_text(tmp_path, text)
    assert from_text(tmp_path, text, skip=[2]) == quietly(frame_of())


def test_a_wide_header_is_read_in_time_that_grows_with_it(tmp_path):
    seconds = []
    for width in (5_000, 20_000):
        row, other = ",".join("12" * (width // 2)), ",".join("21" * (width // 2))
        header = "@relation r\n" + "".join(f"@attribute c{n} numeric\n" for n in range(width))
        begin = time.process_time()
        table = from_text(
            tmp_path, f"{header}@attribute kind {{x,y}}\n@data\n{row},x\n{other},y\n", name="t.arff"
        )
        seconds.append(time.process_time() - begin)
        assert table.n_features == width
    names = ",".join(f"c{n}" for n in range(width))
    assert from_text(tmp_path, f"{names},kind\n{row},x\n{other},y\n").n_features == width
    assert (
        seconds[1] < 8 * seconds[0] + 1
    )  # four times the columns; with each compared with all it would be sixteen


def test_many_different_texts_are_read_in_time_that_grows_with_them(tmp_path):
    begin = time.process_time()
    text = "note,size,kind\n" + "".join(f"note {n},{n % 9},{'xy'[n % 2]}\n" for n in range(300_000))
    assert from_text(tmp_path, text).feature_names == ("size",)
    assert time.process_time() - begin < 10


def test_excel(tmp_path):
    pytest.importorskip("openpyxl")
    frame = frame_of()
    frame.to_excel(tmp_path / "t.xlsx", index=False)
    assert Table.from_file(tmp_path / "t.xlsx", "kind") == quietly(frame)


def test_excel_without_its_reader_says_what_to_install(tmp_path):
    try:
        import openpyxl  # noqa: F401
    except ImportError:
        with pytest.raises(
            DataError, match=r"need openpyxl; install openpyxl .*, or save the sheet as CSV"
        ):
            from_text(tmp_path, b"PK", name="t.xlsx")


# ------------------------------------------------------------------------------------------------
# the report


def test_the_report_names_every_column_that_is_not_used():
    frame = frame_of(100)
    rng = np.random.default_rng(1)
    frame["customer_id"] = rng.permutation(10_000)[:100]
    frame["row"] = np.arange(100)
    frame["code"] = [f"K{n:05}" for n in range(100)]
    frame["remark"] = [f"said {n} words and then some" for n in range(100)]
    frame["same"] = "always"
    frame["empty"] = None
    frame["day"] = pd.Timestamp("2020-01-01") + pd.to_timedelta(np.arange(100), "D")
    frame["day text"] = frame["day"].dt.strftime("%Y-%m-%d")
    frame["pair"] = [[1, 2]] * 100
    with pytest.warns(DataWarning, match="column same: dropped, constant; state its type"):
        table = Table.from_frame(frame, "kind")
    assert table.feature_names == ("size", "count", "colour")
    said = {
        "customer_id": "named as an identifier",
        "row": "the number of the case",
        "code": "as an identifier",
        "remark": "free text",
        "same": "constant",
        "empty": "holds nothing",
        "day": "a date",
        "day text": "a date",
        "pair": "type list",
    }
    for column, reason in said.items():
        line = verdict(table, column)
        assert line.verdict == "dropped" and reason in line.reason and line.cure, column
        assert reason in str(table)
    assert list(table.describe().column) == list(frame.columns) and len(table.warnings) == len(said)
    stated = dict.fromkeys(["customer_id", "same"], "discrete")
    assert set(stated) < set(quietly(frame, types=stated).feature_names), "what is stated is used"


LEAKS = {
    "answer": "it equals the class",
    "size in mm": "it splits the cases exactly as column size",
}


def frame_with_leaks():
    frame = frame_of(100)
    frame["answer"] = frame["kind"].map({"a": 1, "b": 2})
    frame["size in mm"] = frame["size"] * 1000
    return frame


def test_what_is_too_good_or_there_twice_is_used_and_told():
    frame = frame_with_leaks()
    with pytest.warns(
        DataWarning, match="column answer: used, it equals the class: each .* `drop`"
    ):
        table = Table.from_frame(frame, "kind")
    assert set(LEAKS) < set(table.feature_names) and len(table.warnings) == len(LEAKS)
    for column, reason in LEAKS.items():
        line = verdict(table, column)
        assert line.verdict == "used" and reason in line.reason and "`drop`" in line.cure
    few = quietly(frame, drop=list(LEAKS))
    assert few.feature_names == ("size", "count", "colour") and not few.warnings


def test_runs_and_descriptions_leave_it_out_unless_it_is_stated(tmp_path, capsys):
    """`pinetum describe` tells what `pinetum run` does; `pinetum fit` uses all columns."""
    from pinetum.cli import main
    from pinetum.data.table import read_table

    path, model = str(tmp_path / "t.csv"), str(tmp_path / "model.json")
    frame_with_leaks().to_csv(path, index=False)
    table = read_table("t", {"path": path, "class": "kind"})
    assert table.feature_names == ("size", "count", "colour") and len(table.warnings) == len(LEAKS)
    for column, reason in LEAKS.items():
        line = verdict(table, column)
        assert line.verdict == "dropped" and reason in line.reason and "`types`" in line.cure
    stated = {"path": path, "class": "kind", "types": {"answer": "discrete"}}
    assert read_table("t", stated).feature_names == ("size", "count", "colour", "answer")
    assert main(["describe", path, "--outcome", "kind"]) == 0
    said = capsys.readouterr()
    assert "answer" not in said.err and "it equals the class" in said.out
    assert main(["describe", path, "--outcome", "kind", "--type", "answer=discrete"]) == 0
    assert "answer: dropped" not in capsys.readouterr().err
    assert main(["fit", "tree", path, "--outcome", "kind", "-o", model]) == 0
    said = capsys.readouterr()
    assert "column answer: used, it equals the class" in said.err
    assert "2 leaves, depth 1\n" in said.out and "training cases 0.00 %" in said.out


@pytest.mark.parametrize(
    ("words", "kind"),
    [(1, "an identifier"), (2, "an identifier"), (3, "free text"), (4, "free text")],
)
def test_three_words_a_cell_are_free_text(words, kind):
    frame = frame_of(100).assign(
        note=[" ".join(["word"] * (words - 1) + [f"w{n}"]) for n in range(100)]
    )
    assert kind in verdict(quietly(frame), "note").why + verdict(quietly(frame), "note").reason


def test_whole_numbers_beyond_two_to_the_53_are_the_nearest_numbers_where_these_differ():
    frame = frame_of().assign(big=[2**53 + 1 + 4 * n for n in range(60)])
    for dtype in ("int64", "int64[pyarrow]", "object"):
        table = quietly(frame.astype({"big": dtype}))
        np.testing.assert_array_equal(table.numbers()[:, -1], np.array(frame["big"], dtype=float))
        np.testing.assert_array_equal(table.encode(frame), table.numbers())
    assert content_of(pa.array([2**53 + 1, None])).values == [str(2**53 + 1)]


def test_dates_and_durations_by_their_parts():
    days = pd.date_range("2019-12-28", periods=60)
    frame = frame_of().assign(day=days, took=pd.to_timedelta(np.arange(60) * 6, "h"))
    frame.loc[0, "day"] = pd.NaT
    table = quietly(frame, dates={"day": ["year", "month", "weekday", "days"]})
    assert table.feature_names[3:] == ("day.year", "day.month", "day.weekday", "day.days", "took")
    np.testing.assert_array_equal(
        table.numbers()[1], [*table.numbers()[1][:3], 2019, 12, 7, 18259, 0.25]
    )
    np.testing.assert_array_equal(table.encode(frame), table.numbers())
    for other in (
        days.strftime("%d.%m.%Y"),
        days.strftime("%Y-%m-%dT%H:%M:%S"),
        [day.date() for day in days],
    ):
        again = quietly(frame.assign(day=other), dates={"day": ["weekday"]})
        assert again.numbers()[1, 3] == 7
    with pytest.raises(
        DataError,
        match=(
            r"`dates` is .*'hour'.*; expected {column: some of 'year', 'month', 'weekday', 'days'}"
        ),
    ):
        quietly(frame, dates={"day": ["hour"]})


def test_a_class_of_numbers_is_refused_and_can_be_cut():
    frame = frame_of(200).assign(price=np.random.default_rng(2).normal(size=200).round(3))
    with pytest.raises(
        DataError, match=r"column price: refused, \d+ different numbers are no classes; .*`bins: 3`"
    ):
        quietly(frame, "price")
    table = quietly(frame, "price", bins=4)
    assert table.n_classes == 4 and table.class_counts().min() >= 48
    table = quietly(frame, "price", bins=[0.0])
    assert table.class_names == ("<= 0", "> 0")
    assert quietly(frame, "count", types={"count": "discrete"}).n_classes == 30
    few = frame_of(210).assign(grade=np.arange(210) % 21)
    assert quietly(few, "grade").n_classes == 21  # ten cases of each
    with pytest.raises(DataError, match="21 different numbers are no classes"):
        quietly(few[:-1], "grade")


@pytest.mark.parametrize("count", [20, 21])
def test_many_refused_columns_are_counted(count):
    cells = [*range(100, 159), "oops"]
    with pytest.raises(DataError) as refused:
        quietly(frame_of().assign(**{f"x{n}": cells for n in range(count)}))
    assert str(refused.value).count("column x") == 20
    assert ("and 1 more" in str(refused.value)) == (count == 21) and "and 0 more" not in str(
        refused.value
    )


def test_stated_types_are_read_as_text(tmp_path):
    text = "code,kind\n" + "".join(
        f"{cell},{kind}\n" for cell, kind in zip(["007", "7", "1e1"] * 8, "ab" * 12, strict=True)
    )
    table = from_text(tmp_path, text, types={"code": "discrete"})
    assert table.values[0] == ("007", "1e1", "7")


def test_columns_without_a_name(tmp_path):
    """The numbers of the cases go; what is the class stays, and what is dropped already is not
    looked at.
    """
    text = ",a,kind\n" + "".join(f"{n},{n % 3},{'xy'[n % 2]}\n" for n in range(12))
    assert from_text(tmp_path, text).feature_names == ("a",)
    assert from_text(tmp_path, text, drop=["c1"]).feature_names == ("a",)
    numbered = "Unnamed: 0,a\n" + "".join(f"{n},{'xyz'[n % 3]}\n" for n in range(2)) * 6
    assert from_text(tmp_path, numbered, "Unnamed: 0").n_classes == 2
    only = "Unnamed: 0,a\n" + "".join(f"{n},{'xyz'[n % 3]}\n" for n in range(12))
    assert from_text(tmp_path, only, "Unnamed: 0").n_classes == 12


def test_cases_without_class_and_classes_with_one_case_are_told():
    frame = frame_of()
    frame.loc[5, "kind"] = None
    frame.loc[6, "kind"] = "rare"
    table = quietly(frame)
    assert table.n_cases == 59 and table.class_names == ("a", "b", "rare")
    assert any(
        "the class is missing in 1 case, the first in case 6; left out" in text
        for text in table.warnings
    )
    assert any("class 'rare' has one case" in text for text in table.warnings)


# ------------------------------------------------------------------------------------------------
# new cases


DTYPES = {
    "string": "string", "object": object, "category": "category", "arrow text": "string[pyarrow]",
}  # fmt: skip


@pytest.mark.parametrize("dtype", DTYPES.values(), ids=DTYPES)
@pytest.mark.parametrize(
    "numbers",
    ["float64", "float32", "Int64", "int64", "double[pyarrow]", "int64[pyarrow]", "uint8"],
)
def test_every_dtype_gives_the_same_table(dtype, numbers):
    frame = frame_of()
    plain = quietly(frame)
    other = frame.astype({"colour": dtype, "kind": dtype, "count": numbers})
    table = quietly(other)
    assert table == plain
    np.testing.assert_array_equal(table.encode(other), table.numbers())
    np.testing.assert_array_equal(table.encode(frame), table.numbers())


@pytest.mark.parametrize("absent", [None, np.nan, pd.NA, pd.NaT])
def test_whatever_means_missing_is_missing(absent):
    frame = frame_of().astype({"size": object, "colour": object})
    frame.loc[2, ["size", "colour"]] = absent
    table = quietly(frame)
    assert table.continuous.tolist() == [True, True, False] and table.n_missing == 2
    assert np.isnan(table.encode(frame)[2, [0, 2]]).all()


def test_new_cases_go_through_the_kept_encoding():
    frame = frame_of().assign(yes=lambda f: f["count"] > 10, code=lambda f: f["count"] % 3)
    table = quietly(frame, types={"code": "discrete"})
    new = {
        "code": [1, 2.0, "1", "01", 9],
        "colour": ["red", " red ", "RED", "pink", None],
        "yes": [True, "true", 1, "no", ""],
        "size": ["1.5", 2, None, "NaN", "-"],
        "count": [1, 2, 3, 4, 5],
        "not used": 0,
    }
    coded = pd.DataFrame(table.encode(new), columns=table.feature_names)
    red = table.values[2].index("red")
    np.testing.assert_array_equal(coded["colour"], [red, red, red, np.nan, np.nan])
    np.testing.assert_array_equal(coded["code"], [1, 2, 1, 1, np.nan])
    np.testing.assert_array_equal(coded["yes"][:2], [1, 1])
    np.testing.assert_array_equal(coded["size"], [1.5, 2, np.nan, np.nan, np.nan])
    for numbers in (np.array([1, 2, 9, 0, np.inf]), np.array([1.0, 2.0, 9.0, 0.0, np.nan])):
        coded = table.encode({**new, "code": numbers})
        np.testing.assert_array_equal(
            coded[:, table.feature_names.index("code")], [1, 2, np.nan, 0, np.nan]
        )
    with pytest.raises(DataError, match="no column 'size'; the columns are count"):
        table.encode(frame[["count", "colour", "yes", "code"]])
    with pytest.raises(
        DataError, match="column size: 'big' of case 2 is not a number; correct the cell"
    ):
        table.encode(
            frame.astype({"size": object}).assign(size=lambda f: [1, "big", *f["size"][2:]])
        )


def test_encoding_and_back_and_through_json():
    frame = frame_of().assign(day=datetime.date(2020, 2, 29), tick=pd.Timedelta(hours=5))
    frame.loc[1, ["size", "colour"]] = None
    table = quietly(frame, types={"tick": "number"}, dates={"day": "month"})
    np.testing.assert_array_equal(table.encode(table.decode()), table.numbers())
    np.testing.assert_array_equal(table.encode(table.decode(table.numbers())), table.numbers())
    again = Encoding.from_dict(table.encoding.to_dict())
    np.testing.assert_array_equal(again.encode(frame), table.numbers())
    fewer = table.take_features([2, 0])
    np.testing.assert_array_equal(fewer.encode(frame), fewer.numbers())


def test_a_table_serves_as_a_data_set(tmp_path):
    from pinetum.induction.grower import Grower
    from pinetum.induction.options import PRESETS

    table = quietly(frame_of(200))
    table.save(tmp_path / "t.npz")
    assert type(table).load(tmp_path / "t.npz") == table
    tree = Grower(table, PRESETS["c45"](2)).grow()
    np.testing.assert_array_equal(tree.predict(table), tree.predict(table.encode(frame_of(200))))


def test_a_saved_table_is_learnt_from_as_it_was(tmp_path):
    frame = frame_of(200)
    table = quietly(frame)
    table.save(tmp_path / "t.npz")
    again = Table.load(tmp_path / "t.npz")
    assert str(again) == str(table) and again.outcome == "kind"
    np.testing.assert_array_equal(again.encode(frame), table.numbers())
    model = TreeClassifier().fit(again)
    assert (model.predict(frame) == TreeClassifier().fit(table).predict(frame)).all()
    plain = Dataset(**{part.name: getattr(table, part.name) for part in fields(Dataset)})
    plain.save(tmp_path / "d.npz")  # as data sets of the papers are kept
    assert type(Dataset.load(tmp_path / "d.npz")) is Dataset
    assert TreeClassifier().fit(Table.load(tmp_path / "d.npz")).to_text() == model.to_text()


def test_outcome_as_an_array_and_other_tables():
    frame = frame_of()
    assert quietly(frame.drop(columns="kind"), frame["kind"]) == quietly(frame)
    assert quietly(frame.drop(columns="kind"), frame["kind"].to_numpy()).outcome == "class"
    import pyarrow as pa

    assert quietly(pa.Table.from_pandas(frame)) == quietly(frame)
    assert quietly(np.c_[frame["size"], frame["count"]], frame["kind"].to_list()).feature_names == (
        "x0",
        "x1",
    )
    for wrong, says in ((3, "int is not a table"), (frame, "no column 'price'")):
        with pytest.raises(DataError, match=says):
            quietly(wrong, "price")
    with pytest.raises(DataError, match="59 classes for 60 cases"):
        quietly(frame, frame["kind"][:-1])
    with pytest.raises(DataError, match="'colour' is not an option; the options are bins, classes"):
        quietly(frame, colour=1)
