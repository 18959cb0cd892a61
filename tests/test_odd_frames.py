"""Frames and classes as strangers have them: read rightly, or refused with what is wrong."""

import numpy as np
import pandas as pd
import pytest

import pinetum
from pinetum.induction.cases import cases_of

KINDS = [pinetum.TreeClassifier, pinetum.NBDTClassifier, pinetum.BestSubset]
CASES = 24
TRUTH = np.arange(CASES) % 2
LABELS = np.where(
    (TRUTH == 1) ^ np.isin(np.arange(CASES), [3, 8]), "yes", "no"
)  # the first column errs twice
NOISE = np.arange(CASES) // 2 % 3


def frame(names=("a", "b")):
    """A discrete column that nearly tells the class, and a column of numbers that does not."""
    made = pd.DataFrame({"a": np.array(["u", "v"], dtype=object)[TRUTH], "b": NOISE.astype(float)})
    made.columns = names
    return made


@pytest.mark.parametrize(
    "names",
    [
        (0, 5),
        (2.0, 1.0),
        (True, False),
        [("a", 1), ("b", 2)],
        (" a", "b"),
        ("", "b"),
        ("a\nb", "b"),
    ],
    ids=str,
)
def test_columns_of_any_name_are_selected_and_kept(names, tmp_path):
    X = frame()
    X.columns = names
    found = pinetum.BestSubset().fit(X, LABELS)
    assert found.support_.tolist() == [True, False]
    tree = pinetum.TreeClassifier(max_depth=1).fit(X, LABELS)
    assert tree.feature_importances_.tolist() == [1.0, 0.0]
    pinetum.save(tree, tmp_path / "model.json")
    again = pinetum.load(tmp_path / "model.json")
    assert again.feature_importances_.tolist() == [1.0, 0.0]
    assert (again.predict(X) == np.where(TRUTH == 1, "yes", "no")).all()


def test_columns_without_a_name_of_text_are_found_in_files_of_before(tmp_path):
    import json

    model = pinetum.TreeClassifier(max_depth=1).fit(frame().to_numpy(), LABELS)
    pinetum.save(model, tmp_path / "model.json")
    content = json.loads((tmp_path / "model.json").read_text())
    assert content["model"]["columns"] == ["0", "1"]
    content["model"]["columns"] = ["x0", "x1"]
    (tmp_path / "model.json").write_text(json.dumps(content))
    assert pinetum.load(tmp_path / "model.json").feature_importances_.tolist() == [1.0, 0.0]
    content["model"].update(columns=["x0", "x1"], named=True)
    (tmp_path / "model.json").write_text(json.dumps(content))
    with pytest.raises(ValueError, match="does not fit the columns"):
        pinetum.load(tmp_path / "model.json")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("names", [("a", "a"), ("a", " a"), (None, np.nan)], ids=str)
def test_columns_of_one_name_are_refused(kind, names):
    X = frame()
    X.columns = names
    with pytest.raises(ValueError, match=r"two columns are called '.*'; rename one"):
        kind().fit(X, LABELS)


@pytest.mark.parametrize("kind", KINDS)
def test_a_fit_on_numbers_after_one_on_text_names_its_columns_anew(kind):
    model = kind().fit(frame(), LABELS)
    assert kind().fit(frame(), LABELS)._names() == ["a", "b"]
    model.fit(np.column_stack([TRUTH, NOISE]), LABELS)
    assert model._names() == ["x0", "x1"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("mixed", [True, False])
@pytest.mark.parametrize(
    ("y", "says"),
    [
        (
            np.where(TRUTH, 1.0, np.nan),
            "class of case 1 is missing; leave out the cases that have none, 12 of 24",
        ),
        (np.where(TRUTH, "x", None), "case 1 is missing"),
        (pd.Series(pd.Categorical(np.where(TRUTH, None, "x"))), "case 2 is missing"),
        (pd.array([1, None] * 12, dtype="Int64"), "case 2 is missing"),
        (pd.Series(["x", None] * 12, dtype="string"), "case 2 is missing"),
        (np.ma.array(TRUTH, mask=TRUTH == 1), "case 2 is missing"),
        (
            np.array([1, "1"] * 12, dtype=object),
            "several types, int, str; write all of them as text",
        ),
        (np.column_stack([LABELS, LABELS]), r"shape is \(24, 2\); give one class per case"),
        ("yes", r"shape is \(\); give one"),
        ((label for label in LABELS), r"shape is \(\); give one"),
    ],
    ids=[
        "nan",
        "None",
        "category",
        "Int64",
        "string",
        "masked",
        "two types",
        "two columns",
        "text",
        "generator",
    ],
)
def test_classes_that_are_none_are_refused(kind, mixed, y, says):
    X = frame() if mixed else np.column_stack([TRUTH, NOISE])
    with pytest.raises(ValueError, match=says):
        kind().fit(X, y)
    if not hasattr(y, "send"):
        with pytest.raises(ValueError, match=says):
            cases_of(X, y)


def test_masked_cells_are_missing():
    X = np.ma.array(np.column_stack([TRUTH, NOISE]).astype(float), mask=False)
    X.mask[:, 0] = True
    hidden = np.column_stack([np.full(CASES, np.nan), NOISE])
    for kind in (pinetum.TreeClassifier, pinetum.NBDTClassifier):
        blind, told = kind().fit(X, LABELS), kind().fit(hidden, LABELS)
        assert (blind.predict_proba(X) == told.predict_proba(hidden)).all()
        seeing = kind().fit(X.data, LABELS)
        assert (seeing.predict_proba(X) == seeing.predict_proba(hidden)).all()
    assert (cases_of(X, LABELS).codes[0] == -1).all()


def test_lists_of_text_are_read_like_arrays():
    rows = frame().to_numpy().tolist()
    listed, array = (pinetum.TreeClassifier().fit(X, LABELS) for X in (rows, frame().to_numpy()))
    assert listed.to_text() == array.to_text()
    assert (listed.predict(rows) == array.predict(frame().to_numpy())).all()


@pytest.mark.parametrize(
    ("kind", "given", "says"),
    [
        (
            "TreeClassifier",
            {"max_depth": "x"},
            "max_depth = 'x': expected None or a whole number from 0",
        ),
        ("TreeClassifier", {"max_depth": 1.5}, "max_depth = 1.5"),
        ("TreeClassifier", {"max_depth": np.inf}, "max_depth = inf"),
        ("TreeClassifier", {"max_depth": True}, "max_depth = True"),
        ("TreeClassifier", {"min_cases": "nan"}, "min_cases = 'nan': expected a number from 0"),
        ("TreeClassifier", {"min_cases": np.inf}, "min_cases = inf"),
        ("TreeClassifier", {"min_weight_fraction_leaf": 7}, "expected a number from 0 to 0.5"),
        ("NBDTClassifier", {"max_depth": "x"}, "max_depth = 'x': expected a number from 0"),
        ("NBDTClassifier", {"max_depth": None}, "max_depth = None"),
        ("SeparatorClassifier", {"max_depth": -1}, "max_depth = -1: expected None or a whole"),
        (
            "MinimalTree",
            {"prices": [1]},
            r"prices: the shape is \(1,\); give one for each of 2 columns",
        ),
    ],
    ids=str,
)
def test_parameters_of_a_wrong_kind_are_refused_by_name(kind, given, says):
    with pytest.raises(ValueError, match=says):
        getattr(pinetum, kind)(**given).fit(frame(), LABELS)


def test_limits_beyond_every_table_are_none():
    deep = pinetum.TreeClassifier(max_depth=10**20).fit(frame(), LABELS)
    assert deep.to_text() == pinetum.TreeClassifier().fit(frame(), LABELS).to_text()
    assert pinetum.TreeClassifier(min_cases=1e300).fit(frame(), LABELS).get_n_leaves() == 1


def test_devices_and_pipes_are_written_and_stay(tmp_path):
    import os
    import threading

    from pinetum.files import whole_file

    pipe, read = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    with whole_file(pipe) as file:
        file.write("a model\n")
    reader.join()
    assert read == ["a model\n"] and pipe.is_fifo() and os.listdir(tmp_path) == ["pipe"]
    with (
        pytest.raises(OSError, match=r"Is a directory\); write to another place"),
        whole_file(tmp_path) as file,
    ):
        file.write("a model\n")


NAMES = 2**53 + np.arange(CASES)  # as float64, every other one of them is the one before it
ONE_NUMBER = "9007199254740992 and 9007199254740993 are one number in double precision"


@pytest.mark.parametrize(
    "column",
    [
        NAMES,
        NAMES.astype(np.uint64),
        pd.array(NAMES, dtype="Int64"),
        pd.array([*NAMES[:-1], None], dtype="Int64"),
        pd.array(NAMES.tolist(), dtype="int64[pyarrow]"),
        np.array(NAMES.tolist(), dtype=object),
    ],
    ids=["int64", "uint64", "Int64", "Int64 and NA", "pyarrow", "object"],
)
def test_whole_numbers_that_would_become_one_are_refused(column):
    for beside in ({}, {"b": NOISE}, {"b": np.where(NOISE == 1, "p", "q")}):
        X = pd.DataFrame({"a": column, **beside})
        with pytest.raises(ValueError, match=rf"column a:.* {ONE_NUMBER}; .*text"):
            pinetum.TreeClassifier().fit(X, LABELS)
        with pytest.raises(ValueError, match=rf"column a:.* {ONE_NUMBER}; .*text"):
            cases_of(X, LABELS)
        with pytest.raises(ValueError, match=f"column a: refused, {ONE_NUMBER}"):
            pinetum.Table.from_frame(X, LABELS)


@pytest.mark.parametrize(
    "make",
    [list, np.asarray, lambda rows: np.array(rows, dtype=object)],
    ids=["list", "array", "objects"],
)
def test_arrays_and_lists_of_such_numbers_are_refused(make):
    rows = make([[int(name), int(noise)] for name, noise in zip(NAMES, NOISE, strict=True)])
    with pytest.raises(ValueError, match=f"column x?0: {ONE_NUMBER}; give it as text"):
        pinetum.TreeClassifier().fit(rows, LABELS)
    with pytest.raises(ValueError, match=f"column x?0: {ONE_NUMBER}"):
        cases_of(rows, LABELS)


@pytest.mark.parametrize(
    "names", [NAMES % 3 * 2 + 2**60 + 1, [10**30 + place % 2 for place in range(CASES)]], ids=str
)
def test_names_of_many_digits_stay_apart_as_text(names):
    X = pd.DataFrame({"a": np.array(names, dtype=object), "b": NOISE.astype(float)})
    table = pinetum.Table.from_frame(X, LABELS, types={"a": "discrete"})
    assert table.values[0] == tuple(map(str, sorted(set(map(int, names)))))
    assert (table.encode(X)[:, 0] == table.codes[0]).all()
    texts = X.assign(a=X["a"].map(str).astype("category"))
    model = pinetum.TreeClassifier().fit(texts, LABELS)
    assert (model.predict_proba(X) == model.predict_proba(texts)).all()


@pytest.mark.parametrize("plain", [True, False])
def test_large_whole_numbers_that_stay_apart_are_numbers(plain):
    X = pd.DataFrame(
        {"a": TRUTH * 4096 + 2**60, "b": NOISE if plain else np.where(NOISE == 1, "p", "q")}
    )
    found = pinetum.TreeClassifier(max_depth=1).fit(X, LABELS)
    assert found.tree_.feature[0] == 0 and (found.predict(X) == np.where(TRUTH, "yes", "no")).all()


def test_files_with_names_of_many_digits(tmp_path):
    frame = pd.DataFrame({"a": NAMES, "b": NOISE, "y": LABELS})
    for ending, write in ((".csv", pd.DataFrame.to_csv), (".parquet", pd.DataFrame.to_parquet)):
        path, named = tmp_path / f"table{ending}", tmp_path / f"named{ending}"
        write(frame, path, index=False)
        write(frame.rename(columns={"a": "id"}), named, index=False)
        with pytest.raises(ValueError, match=f"column a: refused, {ONE_NUMBER}"):
            pinetum.Table.from_file(path, "y")
        with pytest.raises(ValueError, match=f"column a: refused, {ONE_NUMBER}"):
            pinetum.Table.from_file(path, "y", types={"a": "number"})
        told = pinetum.Table.from_file(path, "y", types={"a": "discrete"})
        assert told.values[0] == tuple(map(str, NAMES))
        with pytest.warns(UserWarning, match="column id: dropped, named as an identifier"):
            pinetum.Table.from_file(named, "y")


@pytest.mark.parametrize(
    ("weights", "says"),
    [
        (np.full(CASES, 1e15), "weights: too large"),
        (np.full(CASES, 1e-9), "weights: too small, .* multiply"),
        (np.full(CASES, 1e308), "sample_weight: together inf; scale"),
        (np.full(CASES, 1e-320), "sample_weight: together .*; scale"),
    ],
    ids=["large", "small", "infinite together", "smallest"],
)
def test_weights_that_cannot_be_added_up_are_refused(weights, says):
    with pytest.raises(ValueError, match=says):
        pinetum.TreeClassifier().fit(frame(), LABELS, sample_weight=weights)
    if "sample_weight" in says:
        with pytest.raises(ValueError, match=says):
            pinetum.NBDTClassifier(n0=0).fit(frame(), LABELS, sample_weight=weights)


def test_weights_of_a_millionth_beside_others_are_taken():
    weights = np.where(np.arange(CASES) == 5, 1e-9, 1.0)
    without = pinetum.TreeClassifier().fit(
        frame(), LABELS, sample_weight=np.where(np.arange(CASES) == 5, 0, 1.0)
    )
    assert (
        pinetum.TreeClassifier().fit(frame(), LABELS, sample_weight=weights).to_text()
        == without.to_text()
    )


@pytest.mark.parametrize(
    "given",
    [{"yes": -3, "no": -3}, {"yes": -1, "no": 1}, {"yes": np.nan, "no": 1}, {"yes": 0, "no": 0}],
    ids=str,
)
def test_weights_of_classes_are_numbers_from_0(given):
    with pytest.raises(ValueError, match=r"class_weight = .*: expected numbers from 0"):
        pinetum.TreeClassifier(class_weight=given).fit(frame(), LABELS)


def test_infinite_numbers_are_missing_in_new_cases_as_in_training():
    X = frame().assign(b=np.where(NOISE == 2, np.inf, NOISE))
    with pytest.warns(UserWarning, match="infinite"):
        model = pinetum.TreeClassifier().fit(X, LABELS)
    with pytest.warns(
        UserWarning, match=r"column b: 8 infinite, the first in case 5, read as missing"
    ):
        shares = model.predict_proba(X)
    assert (shares == model.predict_proba(X.replace(np.inf, np.nan))).all()


@pytest.mark.parametrize("kind", KINDS)
def test_no_cases_are_refused(kind):
    for X in (frame(), frame()[["b"]]):
        with pytest.raises(ValueError, match=r"0 sample\(s\) .* minimum of 1 is required"):
            kind().fit(X.iloc[:0], LABELS[:0])


@pytest.mark.parametrize("place", [-1, 99, 0.5, "w", True])
def test_positions_that_are_not_there_are_refused(place):
    """A negative one would count from the end, a truth value as 0 or 1."""
    from pinetum.data.sample import sample
    from pinetum.distinct.objective import Objective

    data = sample(missing=False)
    for call, name, given in (
        (pinetum.best_subset, "features", {"features": [0, place]}),
        (pinetum.best_subset, "start", {"start": [place]}),
        (pinetum.count_trees, "optional", {"optional": [place]}),
        (pinetum.count_trees, "required", {"required": [place]}),
    ):
        with pytest.raises(ValueError, match=rf"^{name}: {place!r} is none of 0 to 3"):
            call(data, **given)
    if not isinstance(place, (bool, str, float)):
        for parts in ([([0, 1, place * 100], [2])], [([0, 1], [place * 100])]):
            with pytest.raises(ValueError, match=rf"^cases: {place * 100} is none of 0 to 59"):
                pinetum.best_subset(data, objective=Objective(parts))
    with pytest.raises(ValueError, match="objective = 'x': expected an Objective, or a function"):
        pinetum.best_subset(data, objective="x")


def test_a_case_that_is_given_twice_to_grow_from_is_refused_and_one_that_judges_counts_twice():
    """Records of nodes have room for each case once: more were written beyond their end, and errors
    came out wrong.
    """
    from pinetum.data.sample import sample
    from pinetum.distinct.engine import Engine
    from pinetum.distinct.objective import Objective
    from pinetum.induction import Grower, yadt

    data, rng = sample(), np.random.default_rng(0)
    for call in (
        lambda: pinetum.count_trees(data, cases=[0, 0, 1]),
        lambda: pinetum.best_subset(data, objective=Objective([([0, 1, 1], [2])])),
        lambda: pinetum.best_subset(data, objective=Objective([([0, 1], [2]), ([3, 4, 3], [2])])),
    ):
        with pytest.raises(ValueError, match="cases: one is given twice"):
            call()
    for _ in range(20):
        parts = [
            (rng.permutation(60)[:30], rng.integers(0, 60, 20))
            for _ in range(int(rng.integers(1, 3)))
        ]
        subset = tuple(np.flatnonzero(rng.random(data.n_features) < 0.6))
        engine = Engine(data, yadt(2), objective=Objective(parts))
        trees = [Grower(data, yadt(2), cases=building).grow(subset) for building, _ in parts]
        wrong = sum(
            tree.errors(data, search) for tree, (_, search) in zip(trees, parts, strict=True)
        )
        assert engine.errors_of(subset)[0] == wrong


@pytest.mark.parametrize(
    ("y", "classes"),
    [
        (pd.array([True, False] * 12, dtype="boolean"), [False, True]),
        (pd.Series([2, 1] * 12, dtype="Int64"), [1, 2]),
        (pd.Series([2**53, 2**53 + 1] * 12, dtype="Int64"), [2**53, 2**53 + 1]),
        (pd.Series([2**53, 2**53 + 1] * 12, dtype="int64[pyarrow]"), [2**53, 2**53 + 1]),
        (np.array([2**63, 2**63 + 5] * 12, dtype=np.uint64), [2**63, 2**63 + 5]),
        (np.array([2**53, 2**53 + 1] * 12), [2**53, 2**53 + 1]),
    ],
    ids=["boolean", "Int64", "many digits", "pyarrow", "uint64", "int64"],
)
@pytest.mark.parametrize("mixed", [True, False])
def test_classes_stay_what_they_are_and_apart(y, classes, mixed, tmp_path):
    X, y = (
        (frame() if mixed else frame()[["b"]].assign(c=TRUTH)).iloc[:18],
        y[:18],
    )  # few: no column is dropped
    model = pinetum.TreeClassifier().fit(X, y)
    pinetum.save(model, tmp_path / "model.json")
    for known in (model, pinetum.load(tmp_path / "model.json")):
        assert known.classes_.tolist() == classes and type(known.classes_.tolist()[0]) is type(
            classes[0]
        )
        assert known.predict(X).tolist() == list(y)


def test_classes_that_a_file_cannot_hold_are_named(tmp_path):
    model = pinetum.TreeClassifier().fit(frame(), pd.date_range("2020-01-01", periods=2).repeat(12))
    with pytest.raises(
        ValueError,
        match=r"the classes are datetime64.*, which a file cannot hold; fit with classes",
    ):
        pinetum.save(model, tmp_path / "model.json")
    assert not (tmp_path / "model.json").exists()


@pytest.mark.parametrize("wrong", [[999], [-1], [0.5], np.arange(60) < 3], ids=str)
def test_cases_and_features_that_are_not_there_are_refused_below_the_estimators(wrong):
    """A tree read beyond its table; a mask was read as the cases 0 and 1."""
    from pinetum.data.sample import sample
    from pinetum.induction import Grower, yadt
    from pinetum.induction.pruning import error_based

    data = sample()
    grower = Grower(data, yadt(2))
    tree = grower.grow()
    for call, name in (
        (lambda: tree.predict(data, wrong), "cases"),
        (lambda: tree.predict_proba(data, wrong), "cases"),
        (lambda: error_based(tree, data, cases=wrong), "cases"),
        (lambda: grower.grow(wrong), "features"),
    ):
        with pytest.raises(ValueError, match=rf"^{name}: "):
            call()
    for weights in (-np.ones(60), np.ones(6), np.full(60, np.nan)):
        with pytest.raises(ValueError, match="weights: expected one finite number >= 0 per case"):
            pinetum.prune(tree, "EBP", data, sample_weight=weights)


@pytest.mark.parametrize("kind", ["?", "i1", "u2", "i4", "i8", "u8", "f4", "f8", "f2", "g", "O"])
def test_arrays_of_every_kind_of_number_give_the_same_model(kind):
    rng = np.random.default_rng(5)
    X = rng.integers(0, 2 if kind == "?" else 100, (60, 3))
    y = X[:, 0] + rng.integers(0, 2, 60) > X[:, 1]
    frame = pd.DataFrame(X.astype(float), columns=list("abc"))
    model = pinetum.TreeClassifier()
    model.fit(frame, y)
    wanted = pinetum.TreeClassifier().fit(X.astype(float), y)
    model.fit(X.astype(kind), y)
    assert model.to_text() == wanted.to_text() and model.n_features_in_ == 3
    assert not hasattr(model, "feature_names_in_")
    assert (model.predict(X) == wanted.predict(X)).all()
    with pytest.raises(ValueError, match="2 features"):
        model.predict(X[:, :2])
    for wrong, says in (
        (X.astype(kind)[:, 0], "1D array"),
        (X.astype(kind)[:0], "0 sample"),
        (X[:7], "inconsistent"),
    ):
        with pytest.raises(ValueError, match=says):
            model.fit(wrong, y[: len(wrong)] if len(wrong) != 7 else y)
    if kind in ("f4", "f8"):
        with pytest.raises(ValueError, match="infinity"):
            model.fit(np.where(X > 50, np.inf, X).astype(kind), y)


def columns():
    rng = np.random.default_rng(0)
    return {"age": rng.normal(size=60), "town": rng.choice(["Bonn", "Ulm", "Köln"], 60)}


def arrow(table):
    return pytest.importorskip("pyarrow").table(table)


def polars(table):
    return pytest.importorskip("polars").DataFrame(table)


def lazy(table):
    return polars(table).lazy()


def narwhals(table):
    return pytest.importorskip("narwhals").from_native(arrow(table))


def duckdb(table):
    database = pytest.importorskip("duckdb")
    return database.from_arrow(arrow(table))


@pytest.mark.parametrize("make", [arrow, polars, lazy, narwhals, duckdb])
def test_frames_of_other_libraries_are_read_alike(make):
    table = columns()
    y = np.where(table["town"] == "Ulm", "a", np.where(table["age"] > 0, "b", "c"))
    want = pinetum.TreeClassifier().fit(pd.DataFrame(table), y)
    for names in (["age", "town"], ["age"]):
        part = {name: table[name] for name in names}
        want = pinetum.TreeClassifier().fit(pd.DataFrame(part), y)
        model = pinetum.TreeClassifier().fit(make(part), y)
        assert model.tree_ == want.tree_ and list(model.feature_names_in_) == names
        assert (model.predict(make(part)) == want.predict(pd.DataFrame(part))).all()


def test_sparse_matrices_are_read_or_refused():
    from scipy.sparse import csr_array, csr_matrix

    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (60, 4)).astype(float)
    y = (X[:, 1] + X[:, 2] > 1).astype(int)
    want = pinetum.TreeClassifier().fit(X, y)
    for make in (csr_matrix, csr_array):
        model = pinetum.TreeClassifier().fit(make(X), y)
        assert model.tree_ == want.tree_ and (model.predict(make(X)) == y).all()
    with pytest.raises(MemoryError, match="need every cell"):
        pinetum.TreeClassifier().fit(csr_matrix((100_000, 100_000)), np.zeros(100_000, dtype=int))
