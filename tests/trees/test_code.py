"""Generated Python and SQL predict as the models do, whatever columns and cells are called."""

import dataclasses
import datetime
import importlib.util
import json
import runpy
import sqlite3
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import pinetum
from pinetum import (
    BestSubset,
    MinimalTree,
    NBDTClassifier,
    OptimalTreeClassifier,
    SeparatorClassifier,
    TreeClassifier,
)
from pinetum.data.cells import Texts
from pinetum.data.encoding import codes_among
from pinetum.trees.code import Cell, exact_number, python_reading, sql_cells

TESTS = Path(__file__).parent.parent


def compare(model, frame, dtypes=None, table="cases"):
    """Python, and SQL over the frame as a table, against `predict`."""
    expected, module = model.predict(frame).tolist(), {}
    exec(model.to_code(), module)
    rows = [
        {name: None if pd.isna(cell) else cell for name, cell in row.items()}
        for row in frame.astype(object).to_dict("records")
    ]
    assert [module["predict"](row) for row in rows] == expected
    base = sqlite3.connect(":memory:")
    plain = {name: object for name in frame if frame[name].dtype == "category"}
    frame.astype(plain).to_sql(table, base, index=False, dtype=dtypes)
    found = base.execute(model.to_code("sql", table=table)).fetchall()
    assert [row[-1] for row in found] == expected
    return expected


@pytest.mark.parametrize(
    "names",
    [
        ["w0", "s0"],
        ["reached", "z"],
        ["vote0", "best0"],
        ["spread1", "S1"],
        [" x", "z "],
        ["v0", "c0"],
        ["id", "walk"],
        ["rowid", "Class"],
        ['a "b"', "it's\nnew"],
    ],
)
def test_columns_may_be_called_as_anything(names):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.integers(-2, 3, (200, 2)).astype(float), columns=names)
    y = np.where(X[names[0]] > 0, np.where(X[names[1]] > 0, "a", "b"), "c")
    model = TreeClassifier().fit(X, y)
    compare(model, X.mask(rng.random(X.shape) < 0.2))
    for table in ("walk", "Read", "given"):
        compare(model, X, table=table)
    compare(SeparatorClassifier(max_depth=2).fit(X, y), X.mask(rng.random(X.shape) < 0.2))


def test_names_that_sql_cannot_tell_apart_are_refused():
    X = pd.DataFrame({"age": [1.0, 2, 3, 4], "Age": [2.0, 1, 4, 3]})
    for model in (TreeClassifier(), SeparatorClassifier(min_cases=2)):
        model.fit(X, [0, 0, 1, 1])
        assert model.to_code()
        with pytest.raises(ValueError, match="'age' and 'Age' differ only in capital letters"):
            model.to_code("sql")
        model.fit(X.set_axis(["x", "Predicted"], axis=1), [0, 0, 1, 1])
        with pytest.raises(ValueError, match="a column is called 'predicted' as the answer is"):
            model.to_code("sql")
    with pytest.raises(KeyError, match="x0"):
        module = {}
        exec(TreeClassifier().fit([[0.0], [1.0]] * 3, [0, 1] * 3).to_code(), module)
        module["predict"]({"X0": 1.0})


def test_names_beside_those_that_a_model_reads_count_too():
    """What a table keeps of a date is not what was given."""
    X = pd.DataFrame({"age": [1.0, 2, 3, 4] * 6, "Age": pd.date_range("2020-01-01", periods=24)})
    for model in (TreeClassifier(), SeparatorClassifier(min_cases=2)):
        with pytest.warns(UserWarning, match="Age"):
            model.fit(X, [0, 0, 1, 1] * 6)
        with pytest.raises(ValueError, match="'age' and 'Age' differ only in capital letters"):
            model.to_code("sql")


def test_a_case_on_the_plane_itself_is_on_its_left():
    """Also one that rounding puts a little above."""
    X = pd.DataFrame({"x": [0.0, 1, 2, 3, 4, 5]})
    model = SeparatorClassifier(min_cases=2).fit(X, [0, 0, 0, 1, 1, 1])
    planes = model.tree_
    at = 3 * planes.weights[0, 0]
    for above, label in ((1e-10, 0), (1e-8, 1)):
        offset = np.where(planes.left >= 0, at - above, 0.0)
        model.tree_ = dataclasses.replace(planes, offset=offset)
        assert compare(model, X) == [0, 0, 0, label, 1, 1]
        assert model.decision_path(X).toarray()[3].tolist() == [1, 1 - label, label]


def test_weighed_numbers_are_added_in_one_order():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(40, 3)) * 1e10, columns=list("abc"))
    model = SeparatorClassifier("RLP", max_depth=1).fit(X, (X.sum(axis=1) > 0).astype(int))
    planes = model.tree_
    planes.weights[0] = [0.1, 0.2, 0.3]
    for cells in X.to_numpy():
        parts = cells * planes.weights[0]
        ways = parts[0] + parts[1] + parts[2], parts[2] + parts[1] + parts[0]
        model.tree_ = dataclasses.replace(planes, offset=np.array([min(ways), 0, 0]))
        compare(model, X)


def test_a_plane_weighs_single_values_and_leaves_tell_shares():
    X = pd.DataFrame({"x": list("abcd") * 6})
    y = np.where(X["x"] == "b", 1, 0)
    y[0] = 1
    model = SeparatorClassifier(min_cases=2).fit(X, y)
    compare(model, X)
    module = {}
    exec(model.to_code(), module)
    shares = [module["predict_proba"]({"x": value}) for value in "abcd"]
    assert shares == model.predict_proba(X[:4]).tolist()


def cells(name, n=120):
    rng = np.random.default_rng(0)
    if name == "grades":
        return pd.Series(rng.choice([1.0, 2.0, 3.5], n)).astype("category")
    if name == "ranks":
        return pd.Series(rng.choice([1, 2, 3], n)).astype("category")
    if name == "truth":
        return pd.Series(rng.random(n) < 0.5)
    words = {"missing words": ["x", "y", "NA", "", "?"], "case": ["Red", "RED", "green", "Äpfel"]}
    return pd.Series(rng.choice(words[name], n), dtype=object)


MODELS = [
    TreeClassifier(),
    MinimalTree(),
    MinimalTree("depth", alpha_rows=3),
    NBDTClassifier(1, n0=3),
    OptimalTreeClassifier(2),
    BestSubset(2),
    SeparatorClassifier(max_depth=2),
]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
@pytest.mark.parametrize("name", ["grades", "ranks", "truth", "missing words", "case"])
def test_categories_are_the_words_that_predict_reads(model, name):
    column = cells(name)
    rng = np.random.default_rng(1)
    X = pd.DataFrame({"column": column, "noise": rng.normal(size=len(column))})
    first = column.astype(str) == str(column.astype(object).iloc[0])
    y = np.where(first ^ (rng.random(len(column)) < 0.1), "a", "b")
    model.fit(X, y)
    X.loc[::7, "noise"] = np.nan
    compare(model, X, {"column": "BOOLEAN"} if name == "truth" else None)
    if name in ("missing words", "case"):
        new = ["red", "RED ", "\u00a0Green", "äpfel", "ÄPFEL", "z", None, "na", "X", "x\t", "1"]
        compare(model, pd.DataFrame({"column": new, "noise": np.arange(11) / 5 - 1}))
    else:
        new = ["1", "1.0", " 2.00", "02", "3.5", "3.50", "4", "", None, "True", "false", "0"]
        compare(model, pd.DataFrame({"column": new, "noise": np.arange(12) / 5 - 1}))


MARKERS = ("", "NA", "00", "XX")
DOMAINS = [
    ("0", "1", "1.5", "100000000000000000000", "1.50e10", "-0.25", "0.5"),
    ("Straße", "xx", "red", "RED", "it's", "2020-01-05", "e1.0"),
    ("False", "True"),
]
GIVEN = ["0", "-0", "00", "1", " 1.0", "01", "1.50", "1e+20", "01.50e10", "1.50E10", "-0.250"]
GIVEN += [
    ".5",
    "STRASSE",
    "strasse",
    "STRAßE",
    "XX",
    "Xx",
    "Red",
    "red",
    "RED",
    "\u00a0it's\t",
    "na",
    "NA",
]
GIVEN += ["E1.0", "e1", "TRUE", "false", "1.00", "0.", "nothing", ""]


@pytest.mark.parametrize("domain", DOMAINS)
def test_codes_are_those_that_new_cases_get(domain):
    """The code itself, which predictions need not show."""
    module, cell = {}, Cell("x", domain)
    exec(python_reading([cell], MARKERS), module)
    wanted = codes_among(domain, Texts(pa.array(GIVEN), MARKERS))
    wanted = [None if np.isnan(code) else code for code in wanted.tolist()]

    def read(value):
        return module["_cell"]({"x": value}, *module["CELLS"][0])

    assert [read(text) for text in GIVEN] == wanted
    base = sqlite3.connect(":memory:")
    pd.DataFrame({"x": GIVEN}).to_sql("cases", base, index=False)
    assert [row[0] for row in base.execute(sql_cells([cell], "cases", MARKERS, []))] == wanted
    for value, text in (
        (datetime.date(2020, 1, 5), "2020-01-05"),
        (True, "True"),
        (False, "False"),
        (1e20, "1e+20"),
        (np.float64(1.5), "1.5"),
        (np.int8(1), "1"),
        (np.nan, ""),
    ):
        assert read(value) == read(text)


def test_numbers_are_those_that_new_cases_get():
    module, cell, ends = {}, Cell("x"), [-1.7976931348623157e308, 1.7976931348623157e308]
    exec(python_reading([cell], MARKERS), module)
    given = [*ends, -1e305, 0.1, -0.0, 5e-324, np.inf, -np.inf, None]
    wanted = [*given[:-3], None, None, None]
    found = [module["_cell"]({"x": number}, *module["CELLS"][0]) for number in given]
    assert found == wanted
    base = sqlite3.connect(":memory:")
    base.execute("CREATE TABLE cases (x DOUBLE PRECISION)")
    base.executemany("INSERT INTO cases VALUES (?)", [[number] for number in given])
    assert [row[0] for row in base.execute(sql_cells([cell], "cases", MARKERS, []))] == wanted


def test_equal_votes_go_to_the_first_class_whatever_the_rounding():
    """The second class has 1/10 + 2/10, by rounding more than the 3/10 of the first."""
    X = pd.DataFrame({"x": list("pppqrrsstt")})
    y = [0, 0, 0, 1, 1, 1, 2, 2, 3, 3]
    model = TreeClassifier(min_cases=0).fit(X, y)
    assert compare(model, pd.DataFrame({"x": ["q", "other", None]})) == [1, 0, 0]


def test_a_leaf_may_have_a_class_that_none_of_its_cases_has():
    X = pd.DataFrame({"x": [0.0, 1.0] * 5})
    model = TreeClassifier().fit(X, [1, 2] * 5)
    other = 1 - model.tree_.label
    model.tree_ = dataclasses.replace(model.tree_, label=other)
    assert compare(model, X) == [2, 1] * 5


def test_whole_numbers_stand_for_truth_values():
    y, X = ["a", "b", "b", "b"] * 10, pd.DataFrame({"old": [True, False, True, False] * 10})
    model = TreeClassifier().fit(X, y)
    plain = model.predict(X).tolist()
    for given in (X["old"].astype(int), X["old"].astype(float), X["old"].astype(str)):
        assert model.predict(given.to_frame()).tolist() == plain
        assert compare(model, given.to_frame()) == plain


def test_numbers_at_thresholds_and_beyond():
    rng = np.random.default_rng(3)
    X = pd.DataFrame({"x": rng.normal(size=300) * 10.0 ** rng.integers(-300, 300, 300)})
    model = TreeClassifier(min_cases=1).fit(X, rng.integers(0, 2, 300))
    at = model.tree_.threshold[model.tree_.feature >= 0]
    near = np.concatenate([at, np.nextafter(at, np.inf), np.nextafter(at, -np.inf)])
    compare(model, pd.DataFrame({"x": near}))
    single = pd.DataFrame({"x": np.float32(np.arange(60) * 0.1)})
    model = TreeClassifier(min_cases=1).fit(single, rng.integers(0, 2, 60))
    compare(model, single)
    texts = pd.DataFrame({"x": ["0.1", "NA", "", "abc", "10", "9.5", None]})
    base = sqlite3.connect(":memory:")
    texts.to_sql("cases", base, index=False)
    wanted = model.predict(pd.DataFrame({"x": [0.1, np.nan, np.nan, np.nan, 10, 9.5, np.nan]}))
    assert [row[-1] for row in base.execute(model.to_code("sql"))] == wanted.tolist()


def test_numbers_in_sql_are_exact():
    """SQLite itself reads some decimals a bit beside."""
    rng = np.random.default_rng(4)
    base = sqlite3.connect(":memory:")
    drawn = rng.integers(0, 2**64, 3000, dtype=np.uint64).view(np.float64)
    numbers = [*drawn[np.isfinite(drawn)], 0.0, 5e-324, 1.7976931348623157e308, 0.1, -2.5, 2.0**53]
    for number in map(float, numbers):
        assert base.execute(f"SELECT {exact_number(number)}").fetchone()[0] == number


def test_deep_trees_take_no_time_in_sql():
    """A tree of depth 59 and one with more than a thousand leaves, with missing cells."""
    line = pd.DataFrame({"x": np.arange(60.0), "z": np.arange(60.0)[::-1]})
    model = TreeClassifier(min_cases=1).fit(line, np.arange(60) % 2)
    assert model.get_depth() >= 30
    line.loc[::3, "x"] = np.nan
    compare(model, line)
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(3000, 6)), columns=list("abcdef"))
    model = TreeClassifier().fit(X, rng.integers(0, 3, 3000))
    assert model.get_n_leaves() > 1000
    compare(model, X.mask(rng.random(X.shape) < 0.1)[:300])
    many = TreeClassifier().fit(X, rng.integers(0, 60, 3000))
    compare(many, X.mask(rng.random(X.shape) < 0.1)[:300])
    shorter = len(TreeClassifier(max_leaves=500).fit(X, X["a"] > X["b"]).to_code("sql"))
    assert shorter < 250 * TreeClassifier(max_leaves=500).fit(X, X["a"] > X["b"]).tree_.n_nodes


def test_categories_that_sqlite_cannot_tell_apart_are_refused():
    X = pd.DataFrame({"x": pd.Series([0.3, 0.1 + 0.2, 0.4] * 8).astype("category")})
    model = TreeClassifier().fit(X, [0, 1, 1, 0, 1, 0] * 4)
    with pytest.raises(ValueError, match=r"0.3 and 0.30000000000000004 are one in SQLite"):
        model.to_code("sql")


def test_parts_of_dates_are_columns_of_their_own():
    days = pd.date_range("2020-01-01", periods=60, freq="9D")
    frame = pd.DataFrame({"day": days, "kind": np.where(days.month % 3 == 1, "a", "b")})
    table = pinetum.Table.from_frame(frame, "kind", dates={"day": ["month", "year"]})
    model = TreeClassifier().fit(table)
    parts = pd.DataFrame({"day.month": days.month.astype(float), "day.year": days.year})
    assert compare(model, parts) == model.predict(frame[["day"]]).tolist()


OLD = sorted((TESTS / "files").glob("models-*/*.json"))


@pytest.mark.parametrize("path", OLD, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_models_of_earlier_versions(path):
    model = None if path.stem == "answers" else pinetum.load(path)
    if not hasattr(model, "to_code") or not hasattr(model, "classes_"):
        return
    frame = runpy.run_path(str(TESTS / "files/make_models.py"))["cases"]()[0]
    expected = compare(model, frame, {"old": "BOOLEAN"})
    assert expected == json.loads((path.parent / "answers.json").read_text())[path.stem]


def test_random_models():
    """Small models of every kind; `tests/torture/cases.py code` draws others without end."""
    spec = importlib.util.spec_from_file_location("torture_code", TESTS / "torture/cases.py")
    cases = importlib.util.module_from_spec(spec)
    sys.modules["torture_code"] = cases
    spec.loader.exec_module(cases)
    answers = cases.run("code", 20, count=200, keep_in=None)
    assert sum(answer is not None for answer in answers) > 100
    assert sum(answer is not None and answer[1] is not None for answer in answers) > 90


def test_text_where_numbers_are_expected_is_told():
    module = {}
    exec(TreeClassifier().fit([[0.0], [1.0]] * 3, [0, 1] * 3).to_code(), module)
    with pytest.raises(TypeError, match="'1' is text; give a number"):
        module["predict"]({"x0": "1"})
    nothing = [module["predict_proba"]({"x0": cell}) for cell in (None, np.nan, np.inf, -np.inf)]
    assert nothing == [[0.5, 0.5]] * 4
