"""Frames and classes as strangers have them: read rightly, or refused with what is wrong."""

import numpy as np
import pandas as pd
import pytest

import pinetum
from pinetum.induction.cases import cases_of

KINDS = [pinetum.TreeClassifier, pinetum.NBDTClassifier, pinetum.BestSubset]
CASES = 24
TRUTH = np.arange(CASES) % 2
LABELS = np.where((TRUTH == 1) ^ np.isin(np.arange(CASES), [3, 8]), "yes", "no")  # the first column errs twice
NOISE = np.arange(CASES) // 2 % 3


def frame(names=("a", "b")):
    """A discrete column that nearly tells the class, and a column of numbers that does not."""
    made = pd.DataFrame({"a": np.array(["u", "v"], dtype=object)[TRUTH], "b": NOISE.astype(float)})
    made.columns = names
    return made


@pytest.mark.parametrize(
    "names", [(0, 5), (2.0, 1.0), (True, False), [("a", 1), ("b", 2)], (" a", "b"), ("", "b"), ("a\nb", "b")], ids=str
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
        (np.where(TRUTH, 1.0, np.nan), "class of case 1 is missing; leave out the cases that have none, 12 of 24"),
        (np.where(TRUTH, "x", None), "case 1 is missing"),
        (pd.Series(pd.Categorical(np.where(TRUTH, None, "x"))), "case 2 is missing"),
        (pd.array([1, None] * 12, dtype="Int64"), "case 2 is missing"),
        (pd.Series(["x", None] * 12, dtype="string"), "case 2 is missing"),
        (np.ma.array(TRUTH, mask=TRUTH == 1), "case 2 is missing"),
        (np.array([1, "1"] * 12, dtype=object), "several types, int, str; write all of them as text"),
        (np.column_stack([LABELS, LABELS]), r"shape is \(24, 2\); give one class per case"),
        ("yes", r"shape is \(\); give one"),
        ((label for label in LABELS), r"shape is \(\); give one"),
    ],
    ids=["nan", "None", "category", "Int64", "string", "masked", "two types", "two columns", "text", "generator"],
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
        ("TreeClassifier", {"max_depth": "x"}, "max_depth 'x': expected None or a whole number"),
        ("TreeClassifier", {"max_depth": 1.5}, "max_depth 1.5"),
        ("TreeClassifier", {"max_depth": np.inf}, "max_depth inf"),
        ("TreeClassifier", {"max_depth": True}, "max_depth True"),
        ("TreeClassifier", {"min_cases": "nan"}, "min_cases 'nan': expected a number"),
        ("TreeClassifier", {"min_cases": np.inf}, "min_cases inf"),
        ("TreeClassifier", {"min_weight_fraction_leaf": 7}, "expected a share from 0 to 0.5"),
        ("NBDTClassifier", {"max_depth": "x"}, "max_depth = 'x': a whole number from 0 to"),
        ("NBDTClassifier", {"max_depth": None}, "max_depth = None"),
        ("SeparatorClassifier", {"max_depth": -1}, "max_depth -1: expected None or a whole"),
        ("MinimalTree", {"prices": [1]}, r"prices: the shape is \(1,\); give one for each of 2 columns"),
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
    with pytest.raises(OSError, match=r"Is a directory\); write to another place"), whole_file(tmp_path) as file:
        file.write("a model\n")
