"""Columns as few people have them: read like their plain form, or refused by name, in training and
in new cases.
"""

import warnings
import zipfile

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from pinetum.data import DataError, DataWarning, Table
from pinetum.data.formats import read_frame

SIZES = [n % 7 / 2 for n in range(60)]
KIND = ["ab"[n % 5 % 2] for n in range(60)]


def table_of(columns, outcome="kind", **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        return Table.from_frame(pd.DataFrame(columns), outcome, **options)


def why_not(table, column):
    line = table.describe().set_index("column").loc[column]
    return f"{line.verdict}: {line.reason}"


def test_sparse_columns_are_read_as_dense_ones():
    dense = pd.DataFrame({"size": SIZES, "kind": KIND})
    sparse = dense.assign(size=pd.arrays.SparseArray(SIZES, fill_value=0.0))
    assert table_of(sparse) == table_of(dense)
    assert np.array_equal(table_of(dense).encode(sparse), table_of(dense).encode(dense))


def test_periods_are_dates():
    months = pd.period_range("2019-11", periods=60, freq="M")
    table = table_of(
        {"month": months, "size": SIZES, "kind": KIND}, dates={"month": ["year", "month"]}
    )
    assert table.numbers()[:3, :2].tolist() == [[2019, 11], [2019, 12], [2020, 1]]
    assert np.array_equal(
        table.encode(pd.DataFrame({"month": months, "size": SIZES})), table.numbers()
    )


def test_what_is_no_cell_is_left_out_by_name_and_refused_in_new_cases():
    odd = {"phase": np.arange(60) * 1j, "pair": [{1: 2}] * 60}
    table = table_of({"size": SIZES, **odd, "kind": KIND})
    assert table.feature_names == ("size",)
    for name in odd:
        assert why_not(table, name).startswith("dropped: ")
        with pytest.raises(DataError, match="size: its values are no cells; give numbers or text"):
            table.encode(pd.DataFrame({"size": odd[name]}))
        with pytest.raises(DataError, match=f"column {name}: the class has type"):
            table_of({"size": SIZES, **odd}, name)


def test_categories_that_look_alike_are_refused():
    shade = pd.Categorical([" red", "red", "blue"] * 20)
    with pytest.raises(
        DataError, match="column shade: two categories have the same text; rename one of them"
    ):
        table_of({"shade": shade, "kind": KIND})


def test_new_cases_of_a_wrong_kind_are_refused_by_column():
    days = pd.date_range("2020-01-01", periods=60, freq="40D")
    known = {"size": SIZES, "day": days, "kind": KIND}
    table = table_of(known, dates={"day": ["month"]})
    new = pd.DataFrame(known).drop(columns="kind")
    for column, says in (
        (new.assign(size=days), "column size: dates where numbers are expected; give numbers"),
        (
            new.assign(day=SIZES),
            "column day: no dates; give dates as datetime or as text like 2011-03-27",
        ),
        (new.assign(day="soon"), "column day: no dates"),
        (
            new.assign(size="large"),
            "column size: 'large' of case 1 is not a number; correct the cell",
        ),
        (new.assign(size=[[1]] * 60), "column size: its "),
        (
            pd.concat([new, new[["size"]]], axis=1),
            "the column 'size' is there twice; keep one of them",
        ),
        (new[["day"]], "no column 'size'; the columns are day"),
    ):
        with pytest.raises(DataError, match=says):
            table.encode(column)
    assert np.isnan(table.encode(new.assign(day=None))[:, 1]).all()


def test_dates_can_stand_where_a_discrete_column_was():
    days = pd.to_datetime(["2020-01-05", "2020-02-06", "2020-03-07"] * 20)
    took = pd.to_timedelta([1, 2, 3] * 20, "D")
    known = pd.DataFrame({"day": days, "took": took, "kind": KIND})
    table = table_of(known, types={"day": "discrete", "took": "discrete"})
    assert table.values[0] == ("2020-01-05", "2020-02-06", "2020-03-07")
    assert np.array_equal(table.encode(known), table.numbers())
    texts = known.assign(day=days.strftime("%Y-%m-%d"))
    assert np.array_equal(table.encode(texts), table.numbers())


def test_arrow_tables_of_any_text_type_are_one_table():
    plain = {"colour": ["red", "blue", None] * 20, "code": [1, 2, 3] * 20, "kind": KIND}
    wanted = table_of(plain, types={"code": "discrete"})
    for text in (pa.string(), pa.large_string(), pa.dictionary(pa.int8(), pa.string())):
        columns = {
            "colour": pa.array(plain["colour"]).cast(text),
            "kind": pa.array(KIND).cast(text),
        }
        columns["code"] = pa.array(plain["code"]).dictionary_encode()
        arrow = pa.table(columns).select(["colour", "code", "kind"])
        assert (
            table_of(arrow.to_pandas(types_mapper=pd.ArrowDtype), types={"code": "discrete"})
            == wanted
        ), text


def test_classes_given_beside_a_frame_that_has_their_name():
    frame = pd.DataFrame({"class": SIZES, "size": SIZES[::-1]})
    table = Table.from_frame(frame, np.array(KIND))
    assert table.feature_names == ("class", "size") and table.outcome == "class*"
    with pytest.raises(DataError, match="59 classes for 60 cases; give one class per case"):
        Table.from_frame(frame, KIND[1:])


@pytest.mark.parametrize(
    "columns, options, says",
    [
        (
            {"price": KIND},
            {"bins": 3},
            "column price: `bins` needs a class of numbers; leave `bins` out",
        ),
        ({"price": [5.0] * 60}, {"bins": 3}, "`bins: 3` leaves one class; give other limits"),
        ({"price": SIZES}, {"bins": [99.0]}, "leaves one class"),
        ({"price": [None] * 60}, {"bins": 3}, "leaves one class"),
    ],
)
def test_a_class_that_cannot_be_cut_is_refused(columns, options, says):
    with pytest.raises(DataError, match=says):
        table_of({"size": SIZES, **columns}, "price", **options)


def test_limits_that_six_digits_do_not_tell_apart_are_written_in_full():
    price = np.repeat([1.0000001, 1.0000002, 1.0000003], 20)
    table = table_of({"size": SIZES, "price": price}, "price", bins=[1.0000001, 1.0000002])
    assert table.class_names == ("<= 1.0000001", "(1.0000001, 1.0000002]", "> 1.0000002")


def test_words_among_the_numbers_of_a_class_make_it_one_of_texts():
    table = table_of({"size": SIZES, "grade": ["1", "2", "passed"] * 20}, "grade")
    assert table.class_names == ("1", "2", "passed")


# ------------------------------------------------------------------------------------------------
# files


def test_a_decimal_comma_elsewhere_settles_what_may_be_thousands(tmp_path):
    rows = [f"{n % 9},5;{n % 7 + 1},{n % 10}00;{kind}" for n, kind in enumerate(KIND)]
    (tmp_path / "t.csv").write_text("size;price;kind\n" + "\n".join(rows) + "\n")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        table = Table.from_file(tmp_path / "t.csv", "kind")
    prices = table.numbers()[:, table.feature_names.index("price")]
    assert prices.tolist() == [n % 7 + 1 + n % 10 / 10 for n in range(60)]


def test_an_index_that_a_frame_left_in_parquet_is_no_column(tmp_path):
    frame = pd.DataFrame({"size": SIZES, "kind": KIND}, index=np.arange(60) * 2 + 1)
    frame.to_parquet(tmp_path / "t.parquet")
    with pytest.warns(
        DataWarning, match="column __index_level_0__: the index of the frame; left out"
    ):
        table = Table.from_file(tmp_path / "t.parquet", "kind")
    assert table.feature_names == ("size",)


def test_sheets(tmp_path):
    pytest.importorskip("openpyxl")
    frame = pd.DataFrame({"size": SIZES, "kind": KIND})
    with pd.ExcelWriter(tmp_path / "t.xlsx") as file:
        pd.DataFrame().to_excel(file, sheet_name="nothing", index=False)
        frame.to_excel(file, sheet_name="cases", index=False)
        frame.to_excel(file, sheet_name="more", index=False)
    with pytest.warns(DataWarning, match="sheet 'cases' is read, not 'more'"):
        assert Table.from_file(tmp_path / "t.xlsx", "kind").n_cases == 60
    pd.DataFrame().to_excel(tmp_path / "empty.xlsx", index=False)
    with pytest.raises(DataError, match="no sheet with cells; check the file"):
        Table.from_file(tmp_path / "empty.xlsx", "kind")
    (tmp_path / "other.xlsx").write_bytes(b"no archive")
    with pytest.raises(DataError, match=r"not an Excel file .*; save it again"):
        Table.from_file(tmp_path / "other.xlsx", "kind")
    with zipfile.ZipFile(tmp_path / "half.xlsx", "w") as archive:
        archive.writestr("xl/workbook.xml", "<workbook/>")
    with pytest.raises(DataError, match="not an Excel file"):
        Table.from_file(tmp_path / "half.xlsx", "kind")


def test_files_of_new_cases_that_are_not_there(tmp_path):
    with pytest.raises(DataError, match="a folder, not a file; correct the path"):
        read_frame(tmp_path)
    with pytest.raises(DataError, match="no such file; correct the path"):
        read_frame(tmp_path / "gone.csv")


@pytest.mark.parametrize("delimiter", [";;", '"', "\n"])
def test_a_delimiter_is_one_character_that_can_part_cells(delimiter, tmp_path):
    (tmp_path / "t.csv").write_text("size;kind\n1;a\n")
    with pytest.raises(DataError, match=r"`delimiter` is .*; give one character, such as ';'"):
        Table.from_file(tmp_path / "t.csv", "kind", delimiter=delimiter)
