"""Tables of one's own: CSV, ARFF and Parquet, types inferred or stated, nothing lost on the way."""

from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import parquet

from pinetum.data.dataset import Dataset
from pinetum.data.delimited import write_csv
from pinetum.data.errors import DataError
from pinetum.data.table import read_table
from pinetum.workflow.serving import encode_table

CSV = """id,colour,size,code,class
1,red,2.5,1,yes
2,"blue, dark",?,2,no

3, red ,4,NA,yes
4,,1e3,2,no
"""


def read(tmp_path, text, name="t.csv", **options):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_table("t", {"path": str(path), "class": "class", **options})


def test_types_are_inferred(tmp_path):
    table = read(tmp_path, CSV, drop=["id"])
    assert table.feature_names == ("colour", "size", "code") and table.continuous.tolist() == [
        False,
        True,
        True,
    ]
    assert table.values[0] == ("blue, dark", "red") and table.codes[0].tolist() == [1, 0, 1, -1]
    np.testing.assert_array_equal(table.numbers()[:, 1], [2.5, np.nan, 4, 1000])
    np.testing.assert_array_equal(table.numbers()[:, 2], [1, 2, np.nan, 2])
    assert table.class_names == ("no", "yes") and table.labels.tolist() == [1, 0, 1, 0]


def test_types_markers_and_orders_can_be_stated(tmp_path):
    table = read(
        tmp_path,
        CSV,
        types={"code": "discrete"},
        missing_only=[""],
        classes=["yes", "no", "never"],
        values={"colour": ["red", "green", "blue, dark"]},
        drop=["id", "size"],
    )
    assert table.values == (("red", "green", "blue, dark"), ("1", "2", "NA"))
    assert table.codes[0].tolist() == [0, 2, 0, -1] and table.labels.tolist() == [0, 1, 0, 1]
    assert table.n_classes == 3


def test_encoded_for_the_workflow(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(CSV)
    options = {"path": str(path), "class": "class"}
    record = encode_table("mine", options, SimpleNamespace(dataset=tmp_path / "t.npz"))["record"]
    [line] = record.records
    assert (line["source"], line["cases"], line["missing"], line["status"]) == (
        "own table",
        4,
        3,
        "ok",
    )
    assert Dataset.load(tmp_path / "t.npz").name == "mine" and len(line["sha256"]) == 64


def test_other_delimiters_and_no_header(tmp_path):
    text = "1;a;yes\n2;b;no\n"
    table = read_table(
        "t",
        {
            "path": _written(tmp_path, text),
            "class": "c3",
            "delimiter": "semicolon",
            "header": False,
        },
    )
    assert table.feature_names == ("c1", "c2") and table.n_cases == 2
    assert read(tmp_path, "a\tclass\n1\tx\n2\ty\n", "t.tsv").n_cases == 2


def _written(tmp_path, text):
    path = tmp_path / "t.csv"
    path.write_text(text)
    return str(path)


def test_a_word_far_down_among_numbers_is_refused_unless_stated(tmp_path):
    text = (
        "x,class\n"
        + "".join(f"{number % 50},{number % 2}\n" for number in range(300_000))
        + "many,1\n"
    )
    with pytest.raises(
        DataError,
        match=r"1 cell of 300,001 hold no number, the first is 'many' in line 300002; corr",
    ):
        read(tmp_path, text)  # beyond the first megabyte
    assert read(tmp_path, text, types={"x": "discrete"}).arity[0] == 51
    assert read(tmp_path, text, missing=["many"]).n_missing == 1


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("", {}, r"t\.csv, line 1: the file is empty"),
        ("\n1,2\n", {}, r"t\.csv, line 1: the file is empty|the first line is blank"),
        ("a,class\n", {}, r"not a CSV table|no line of data"),
        (
            "a,b\n1,2\n2,3\n",
            {},
            r"t\.csv, line 1: no column 'class', which `class` names; the columns are a, b",
        ),
        ("a,class\n1,x\n2,y\n", {"types": {"z": "number"}}, r"no column 'z', which `types` names"),
        (
            "a,class,class\n1,1,x\n2,1,y\n",
            {},
            r"line 1: the name 'class' of the class is given 2 times",
        ),
        (
            "a,class\n1,x\n2,y\n",
            {"drop": ["b"]},
            r"no column 'b', which `drop` names; the columns are a, class",
        ),
        (
            "a,class\n1,x\n2,y\n",
            {"drop": ["class"]},
            r"`drop` names the class, 'class'; take it from `drop`",
        ),
        (
            "a,class\n1,x\n\n2\n3,y\n",
            {},
            r"line 4, column 1: 1 cells where 2 are expected; complete the line",
        ),
        ("a,class\n1,x\n1,2,y\n", {}, r"line 3, column 3: 3 cells where 2"),
        ("a;class\n1;x\n2;y\n", {"delimiter": ","}, r"no column 'class'.*the columns are a;class"),
        ("a,class\n1,\n2,?\n", {}, r"column class: every class is missing"),
        ("a,class\n1,x\n2,x\n", {}, r"column class: only one class, 'x'"),
        ("class\nx\ny\n", {}, r"no column but the class"),
        (
            "a,class\n1,x\nb,y\n",
            {"types": {"a": "number"}},
            r"line 3, column 1 \(a\): 'b' is not a number",
        ),
        (
            "a,class\n1,x\n\nmany,y\n",
            {"types": {"a": "number"}},
            r"line 4, column 1 \(a\): 'many' is not a number",
        ),
        (
            "a,class\n1,x\n2,y\n",
            {"classes": ["x", "z"]},
            r"line 3, column 2 \(class\): 'y' is not among `classes`",
        ),
        (
            "a,class\nr,x\ng,y\n",
            {"values": {"a": ["r"]}},
            r"line 3, column 1 \(a\): 'g' is not a declared value",
        ),
        (b"a,class\nr,x\n\xe9\x01,y\n", {}, r"line 3, column 1: byte 0xe9 is not UTF-8"),
        (
            b"a,class\nr,x\n\xe9,y\n",
            {"encoding": "ascii"},
            r"line 3: byte 0xe9 is not ascii text; set `encoding`",
        ),
        (b"a,class\nr,x\ns,y\n", {"encoding": "utf-9"}, r"'utf-9' is no encoding"),
        ("<html><body>404</body></html>", {}, r"line 1: an HTML page, not data"),
        (
            "a,class\n1,x\n2,y\n",
            {"colour": 1},
            r"t.csv: 'colour' is not an option; the options are",
        ),
        (
            "a,class\n" + "".join(f"1,c{n}\n" for n in range(2000)),
            {},
            r"2,000 different classes; choose a class",
        ),
        (
            "a,class\n" + "".join(f"i{n},{n % 2}\n" for n in range(10**5)),
            {"types": {"a": "discrete"}},
            r"column a: 100,000 different",
        ),
    ],
)
def test_faults_are_told_with_place_and_cure(tmp_path, text, options, message):
    with pytest.raises(DataError, match=message):
        read(tmp_path, text, **options)


def test_no_such_file_and_unknown_endings(tmp_path):
    with pytest.raises(DataError, match=r"none\.csv: no such file; correct `path` of table t"):
        read_table("t", {"path": str(tmp_path / "none.csv"), "class": "class"})
    with pytest.raises(DataError, match=r"t\.ods: cannot tell what \.ods means; set `format`"):
        read(tmp_path, CSV, "t.ods")
    with pytest.raises(DataError, match=r"a folder, not a file"):
        read_table("t", {"path": str(tmp_path), "class": "class"})


ARFF = """% remark
@RELATION r
@ATTRIBUTE 'a b' {x, 'y, z', w}
@attribute n REAL
@attribute level integer [0, 3]
@attribute class {p,q}

@DATA
x,1.5,1,p
'y, z',?,2,q
% another
?,3,3,p
"""


def test_arff(tmp_path):
    table = read(tmp_path, ARFF, "t.arff")
    assert table.values[0] == ("x", "y, z", "w"), "declared values stay, in their order"
    assert table.codes[0].tolist() == [0, 1, -1] and table.continuous.tolist() == [
        False,
        True,
        True,
    ]
    assert table.class_names == ("p", "q") and table.n_missing == 2


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("REAL", "date", r"line 4: type 'date' of n; numeric, real"),
        ("@DATA\n", "", r"line 8: 'x,1.5,1,p' before @data"),
        ("x,1.5,1,p", "x,1.5,p", r"line 9, column 3: 3 cells where 4 are expected"),
        ("x,1.5,1,p", "{0 x}", r"line 9: a sparse line; write"),
        ("'y, z',?", "'y, z,?", r"line 10, column 1: a quote is not closed"),
        ("x,1.5,1,p", "u,1.5,1,p", r"of case 1.*'u' is not a declared value"),
        ("attribute n", "attribute level", r"line 5: the name 'level' is given twice"),
    ],
)
def test_damaged_arff(tmp_path, old, new, message):
    with pytest.raises(DataError, match=message):
        read(tmp_path, ARFF.replace(old, new), "t.arff")


def test_parquet(tmp_path):
    table = pa.table(
        {
            "n": pa.array([1, 2, None, 4], pa.int64()),
            "f": pa.array([0.5, float("nan"), 1.5, 2.5]),
            "s": pa.array(["a", None, "b", "?"]),
            "d": pa.array(["u", "v", "u", "u"]).dictionary_encode(),
            "b": pa.array([True, False, True, True]),
            "class": pa.array([0, 1, 1, 0]),
        }
    )
    parquet.write_table(table, tmp_path / "t.parquet")
    options = {"path": str(tmp_path / "t.parquet"), "class": "class"}
    read = read_table("t", options)
    assert read.continuous.tolist() == [True, True, False, False, False]
    assert (
        read.n_missing == 4
        and read.class_names == ("0", "1")
        and read.values[4] == ("False", "True")
    )
    assert read_table("t", {**options, "types": {"n": "discrete"}}).values[0] == ("1", "2", "4")
    parquet.write_table(
        table.append_column("t", pa.array([0] * 4, pa.timestamp("s"))), tmp_path / "t.parquet"
    )
    assert (
        "column t: dropped, a date; set `dates: {t: [year, month, weekday, days]}`"
        in read_table("t", options).warnings[0]
    )
    (tmp_path / "t.parquet").write_bytes(b"PAR1 not really")
    with pytest.raises(DataError, match=r"t\.parquet: not a Parquet table"):
        read_table("t", options)


WORDS = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1, max_size=6)
FLOATS = st.floats(allow_nan=False, allow_infinity=False).map(lambda value: value + 0.0)


@st.composite
def datasets(draw):
    cases = draw(st.integers(1, 8))
    features = draw(st.integers(1, 4))
    codes, values, continuous = [], [], []
    for _ in range(features):
        is_number = draw(st.booleans())
        domain = draw(st.lists(FLOATS if is_number else WORDS, min_size=1, max_size=4, unique=True))
        column = np.array(
            draw(st.lists(st.integers(-1, len(domain) - 1), min_size=cases, max_size=cases)),
            dtype=np.int32,
        )
        if is_number:  # distinct values are those that cases have
            seen = np.unique(column[column >= 0])
            domain = np.sort(np.array(domain))[seen]
            column = np.where(column < 0, -1, np.searchsorted(seen, column)).astype(np.int32)
        codes.append(column)
        values.append(domain if is_number else tuple(domain))
        continuous.append(is_number)
    names = draw(st.lists(WORDS, min_size=features, max_size=features, unique=True))
    classes = draw(st.lists(WORDS, min_size=2, max_size=3, unique=True))
    labels = [
        0,
        1,
        *draw(st.lists(st.integers(0, len(classes) - 1), min_size=cases, max_size=cases)),
    ][-max(cases, 2) :]
    labels = [*labels, 0, 1][:cases] if cases > 1 else labels[:1]
    return Dataset(
        "t",
        np.array(codes),
        np.array(labels, dtype=np.int32),
        np.array(continuous),
        tuple(values),
        tuple(names),
        tuple(classes),
    )


@settings(max_examples=100, deadline=None, derandomize=True, database=None)
@given(dataset=datasets())
def test_round_trip_through_npz(dataset, tmp_path_factory):
    path = tmp_path_factory.getbasetemp() / "round.npz"
    dataset.save(path)
    first = path.read_bytes()
    loaded = Dataset.load(path)
    assert loaded == dataset and loaded.name == dataset.name and hash(loaded) == hash(dataset)
    assert loaded.codes.dtype == np.int32 and loaded.codes.flags.c_contiguous
    loaded.save(path)
    assert path.read_bytes() == first


@settings(max_examples=200, deadline=None, derandomize=True, database=None)
@given(dataset=datasets())
def test_round_trip_through_csv(dataset, tmp_path_factory):
    if len(set(dataset.labels.tolist())) < 2:
        return  # a table of one class is refused
    path = tmp_path_factory.getbasetemp() / "round.csv"
    assert read_table("t", write_csv(dataset, path)) == dataset


def test_round_trip_of_a_data_set(from_mirror, tmp_path):
    for name in ("anneal", "hepatitis", "promoters"):
        dataset = from_mirror(name)
        assert read_table(name, write_csv(dataset, tmp_path / "t.csv")) == dataset
