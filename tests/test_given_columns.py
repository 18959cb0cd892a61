"""Every column that an estimator was given counts: as arrays, frames of text and categories, with
prices and costs.
"""

import warnings

import numpy as np
import pandas as pd
import pytest

import pinetum
from pinetum.data.errors import DataWarning
from pinetum.induction.cases import cases_of

CASES = 60
PLACE = np.arange(CASES)
TRUTH = np.random.default_rng(0).integers(0, 2, CASES)
Y = np.where(TRUTH, "ill", "well")
NOISE = PLACE * 7 % 11 % 2
KINDS = {
    "tree": lambda: pinetum.TreeClassifier(),
    "nbdt": lambda: pinetum.NBDTClassifier(2, n0=0),
    "separator": lambda: pinetum.SeparatorClassifier(),
    "minimal": lambda: pinetum.MinimalTree("depth"),
    "best subset": lambda: pinetum.BestSubset(2),
    "near-optimal trees": lambda: pinetum.NearOptimalTrees(folds=2),
    "elimination": lambda: pinetum.BackwardElimination(folds=2),
}


def words(codes, zero="neg", one="pos"):
    return np.where(codes, one, zero)


def silent(model, X, y):
    """Fitted, and nothing is said of any column."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", DataWarning)
        return model.fit(X, y)


def quiet(model, X, y=None):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        return model.fit(X, y)


SHAPES = {
    "text": lambda *codes: pd.DataFrame({f"x{j}": words(c) for j, c in enumerate(codes)}),
    "objects": lambda *codes: np.column_stack([words(c) for c in codes]).astype(object),
    "truth values": lambda *codes: pd.DataFrame({f"x{j}": c > 0 for j, c in enumerate(codes)}),
    "categories": lambda *codes: SHAPES["text"](*codes).astype("category"),
    "mixed": lambda *codes: SHAPES["text"](*codes).assign(n=PLACE % 3 * 1.5),
    "numbers": lambda *codes: np.column_stack(codes).astype(float),
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", KINDS)
def test_a_column_that_tells_the_classes_apart_is_used(name, shape):
    for codes in ((TRUTH,), (NOISE, TRUTH), (TRUTH, TRUTH, NOISE)):
        X = SHAPES[shape](*codes)
        model = silent(KINDS[name](), X, Y)
        if hasattr(model, "predict"):
            assert (model.predict(X) == Y).all()
        else:
            assert model.support_.tolist()[: len(codes)].count(True) == 1
            assert model.support_[[c is TRUTH for c in codes].index(True) :].any()


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", KINDS)
def test_one_class_is_fitted_whatever_X_is(name, shape):
    X = SHAPES[shape](NOISE, TRUTH)
    model = silent(KINDS[name](), X, np.full(CASES, "well"))
    assert model.classes_.tolist() == ["well"]
    if hasattr(model, "predict"):
        assert set(model.predict(X)) == {"well"}
    else:
        assert not model.support_.any()


def test_more_classes_than_a_file_may_have_are_fitted_from_text_as_from_numbers():
    y = np.repeat(np.arange(1001), 2)
    X = pd.DataFrame({"a": words(y % 2), "n": y * 1.0})
    assert silent(pinetum.TreeClassifier(min_cases=1), X, y).predict(X).tolist() == y.tolist()


ODD = {
    "constant": np.full(CASES, "same"),
    "constant or missing": np.where(TRUTH, "same", None),
    "nothing": np.full(CASES, None),
    "row": PLACE,
    "id": PLACE * 37 % 1009,
    "constant number": np.ones(CASES),
    "no number": np.full(CASES, np.nan),
}


@pytest.mark.parametrize("column", ODD)
@pytest.mark.parametrize("name", KINDS)
def test_columns_of_every_content_are_taken_in_silence(name, column, tmp_path):
    """As from an array; new cases may hold anything where training had nothing."""
    X = pd.DataFrame({column: ODD[column], "b": words(NOISE), "c": (TRUTH + NOISE) % 2 * 1.0})
    model = silent(KINDS[name](), X, Y)
    assert column in [feature.name for feature in model.encoding_.features]
    if not hasattr(model, "predict"):
        return
    pinetum.save(model, tmp_path / "model.json")
    again = pinetum.load(tmp_path / "model.json")
    assert (again.predict(X) == model.predict(X)).all()
    if column in ("constant", "nothing", "no number", "constant number"):
        assert (
            model.predict(X)
            == quiet(KINDS[name](), X.drop(columns=column), Y).predict(X[["b", "c"]])
        ).all()
    if X[column].dtype == object:
        assert len(again.predict(X.assign(**{column: "never seen"}))) == CASES


def test_what_is_missing_tells_cases_apart_in_a_decision_table():
    """A column of one value was dropped as constant, and a worse tree called optimal."""
    X = pd.DataFrame({"mark": ODD["constant or missing"], "b": words(NOISE)})
    model = silent(pinetum.MinimalTree("depth"), X, Y)
    assert model.status_ == "optimal" and model.cost_ == 1 and (model.predict(X) == Y).all()


LEFT_OUT = {
    "when": (pd.date_range("2020-01-01", periods=CASES), "a date; give its parts as columns"),
    "day": ([f"2020-{1 + p % 12:02}-{1 + p // 12:02}" for p in PLACE], "a date; give its parts"),
    "name": ([f"k{p}" for p in PLACE], r"an identifier .* make it a category"),
    "note": ([f"it said {p} and went" for p in PLACE], r"free text .* make it a category"),
    "pair": ([[1, 2]] * CASES, "type list.*; convert it to text or numbers"),
}


@pytest.mark.parametrize("column", LEFT_OUT)
def test_what_is_left_out_is_told_with_a_cure_that_works(column):
    cells, says = LEFT_OUT[column]
    X = pd.DataFrame({column: cells, "b": words(NOISE)})
    with pytest.warns(DataWarning, match=f"column {column}: dropped, .*{says}") as told:
        pinetum.TreeClassifier().fit(X, Y)
    text = str(told[0].message)
    assert "`types`" not in text and "`drop`" not in text and "`dates`" not in text
    cured = {
        "a date": lambda: pd.to_datetime(X[column]).dt.year,
        "category": lambda: X[column].astype("category"),
        "convert": lambda: X[column].map(len),
    }
    [cure] = [cured[word] for word in cured if word in text]
    model = silent(pinetum.TreeClassifier(), X.assign(**{column: cure()}), Y)
    assert [feature.name for feature in model.encoding_.features] == [column, "b"]


def test_refusals_of_a_fit_name_nothing_that_it_does_not_have():
    X = pd.DataFrame({"a": [*(f"{p}" for p in range(CASES - 1)), "large"], "b": words(NOISE)})
    says = r"hold no number, .*; correct it, or make it a category, as by `astype\('category'\)`"
    with pytest.raises(ValueError, match=says) as fault:
        pinetum.TreeClassifier().fit(X, Y)
    assert "`types" not in str(fault.value)
    silent(pinetum.TreeClassifier(), X.astype({"a": "category"}), Y)


def test_functions_take_the_same_columns():
    X = pd.DataFrame({"a": words(TRUTH), "b": words(TRUTH), "one": "same"})
    assert cases_of(X, Y).feature_names == ("a", "b", "one")
    assert pinetum.best_subset(X, Y).features == ("a",)


# -------------------------------------------------------------------------------------------------
# prices and costs

LAMP, FUSE = np.random.default_rng(1).integers(0, 2, (2, CASES))
BOTH = np.where(LAMP & FUSE, "p", "q")


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("dear", [0, 1])
def test_of_equal_columns_the_cheaper_is_taken(shape, dear):
    """Proved over what was asked, in whatever order the columns come."""
    X = SHAPES[shape](LAMP, LAMP, FUSE)
    names = [f"x{j}" for j in range(3)] if shape != "objects" else ["0", "1", "2"]
    more = [1] if shape == "mixed" else []
    prices = [10 if j == dear else 1 for j in range(3)] + more
    for given in (prices, {names[dear]: 10}, {names[dear]: 10, names[1 - dear]: 1}):
        model = silent(pinetum.MinimalTree("depth", prices=given), X, BOTH)
        assert model.status_ == "optimal" and model.cost_ == 2 and (model.predict(X) == BOTH).all()
        assert model.feature_importances_[dear] == 0
    costs = [2.5 if j == dear else 1 for j in range(3)] + more
    for given in (costs, {names[dear]: 2.5}, {names[dear]: 2.5, names[1 - dear]: 1}):
        model = silent(pinetum.NBDTClassifier(2, n0=0, costs=given), X, BOTH)
        assert model.status_ == "optimal" and (model.predict(X) == BOTH).all()


@pytest.mark.parametrize("seed", range(40))
def test_prices_of_text_and_of_categories_are_one(seed):
    """Random tables with copies, constants, missing cells and columns equal to the class."""
    rng = np.random.default_rng(seed)
    columns = rng.integers(0, 3, (4, 24))
    columns[rng.integers(4)] = columns[rng.integers(4)]
    columns[rng.integers(4)] *= rng.integers(0, 2)
    y = columns[rng.integers(4)] if seed % 3 else rng.integers(0, 2, 24)
    cells = np.array(["u", "v", "w"], dtype=object)[columns]
    if seed % 2:
        cells[rng.random(cells.shape) < 0.2] = None
    text = pd.DataFrame(dict(zip("abcd", cells, strict=True)))
    prices = dict(zip("abcd", rng.integers(1, 6, 4).tolist(), strict=True))
    for cost in ("depth", "nodes", "average_depth"):
        found = [
            silent(pinetum.MinimalTree(cost, prices=given), X, y)
            for given in (prices, list(prices.values()))
            for X in (text, text.astype("category"))
        ]
        assert {model.status_ for model in found} == {"optimal"}
        assert len({model.cost_ for model in found}) == 1, seed


@pytest.mark.parametrize("name", ["prices", "costs"])
def test_columns_that_were_left_out_have_a_price_too(name):
    def model(given):
        if name == "prices":
            return pinetum.MinimalTree("depth", prices=given)
        return pinetum.NBDTClassifier(2, n0=0, costs=given)

    X = pd.DataFrame({"when": LEFT_OUT["when"][0], "a": words(LAMP), " b": words(FUSE)})
    for given in ({"when": 7, "a": 2, "b": 1}, {"when": 7, "a": 2, " b": 1}, [7, 2, 1]):
        found = quiet(model(given), X, BOTH)
        assert found._per_feature(name, cases_of(X[["a", " b"]], BOTH)).tolist() == [2, 1]
    with pytest.raises(ValueError, match=rf"{name}: 'c' is not a column; the columns are when, a,"):
        quiet(model({"c": 1}), X, BOTH)
    with pytest.raises(ValueError, match=rf"{name}: the shape is \(2,\); give one for each of 3"):
        quiet(model([2, 1]), X, BOTH)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        table = pinetum.Table.from_frame(
            X.assign(name=LEFT_OUT["name"][0]), BOTH, dates={"when": ["month", "weekday"]}
        )
    assert table.feature_names == ("when.month", "when.weekday", "a", "b")
    for given in (
        {"when": 2, "a": 1, "b": 1, "name": 5},
        {"when": 3, "when.month": 2, "when.weekday": 2},
        [2, 2, 1, 1],
    ):
        found = quiet(model(given), table)
        assert found._per_feature(name, table).tolist() == [2, 2, 1, 1]


def test_numbers_in_columns_whose_names_differ_by_blanks_keep_their_prices():
    X = pd.DataFrame({"a": LAMP * 1.0, " a": FUSE * 1.0})
    model = pinetum.MinimalTree("depth", prices={"a": 3}).fit(X, BOTH)
    assert model._per_feature("prices", cases_of(X, BOTH)).tolist() == [3, 1]
