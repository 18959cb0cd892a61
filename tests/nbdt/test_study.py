"""Records of the study and of a user's own table, on small generated tables."""

import numpy as np
import pandas as pd
import pytest

from pinetum.data import Dataset
from pinetum.nbdt import explore as own
from pinetum.nbdt.fixed_depth import TwoClassSolver, expected_accuracy, leaf_records, to_tree
from pinetum.nbdt.methods import METHODS, SEARCHES, method_names
from pinetum.nbdt.naive_bayes import NaiveBayes, discrete
from pinetum.nbdt.replication import figures, measure, readings, results, speed
from pinetum.report import style
from pinetum.report.comparison import judged
from pinetum.report.rows import ReproducedRows

SETTINGS = {
    "alpha": 1.0,
    "folds": 3,
    "repeats": 2,
    "depths": [1, 2, 3],
    "greedy_depths": [1, 2],
    "greedy_criterion": "gini",
    "optimal_depths": [2],
    "optimal_repeats": 2,
    "blend": {"depths": [2], "weights": [0, 20, "inf"], "repeats": 2},
    "learning": {"depth": 1, "sizes": [10, 40, 80], "repeats": 2},
}
OWN = {
    "depth": 2,
    "alpha": 1.0,
    "costs": {},
    "continuous": "mdl",
    "intervals": 8,
    "folds": 3,
    "repeats": 2,
    "cells": 10**6,
    "work": 1000,
    "memory_mb": 1000,
}


def table(name="small", classes=2, missing=False, seed=0):
    rng = np.random.default_rng(seed)
    arity = [2, 3, 4, 2]
    labels = rng.integers(0, classes, 90).astype(np.int32)
    codes = np.array(
        [np.where(rng.random(90) < 0.4, labels % r, rng.integers(0, r, 90)) for r in arity],
        np.int32,
    )
    if missing:
        codes[1, ::7] = -1
    values = tuple(tuple(f"v{i}" for i in range(r)) for r in arity)
    names = tuple("abcd"), tuple(f"c{i}" for i in range(classes))
    return Dataset(name, codes, labels, np.zeros(4, bool), values, *names)


def without_clocks(records):
    return [{key: value for key, value in record.items() if key != "seconds"} for record in records]


def test_fold_records():
    data = table()
    records = measure.fold_records(data, SETTINGS, seed=1)
    assert without_clocks(records) == without_clocks(measure.fold_records(data, SETTINGS, seed=1))
    frame = pd.DataFrame(records)
    names = method_names(SETTINGS)
    assert list(dict.fromkeys(frame["method"])) == [
        "1-NBDT",
        "2-OPTNBDT",
        "3-OPTNBDT",
        "3-ID3",
        *readings.READINGS,
        "1-greedy",
        "2-greedy",
        "NB",
        "2-optimal",
        "2-blend-0",
        "2-blend-20",
        "2-blend-inf",
        "2-blend-cv",
    ]
    wrong = frame.pivot(index=["repeat", "fold"], columns="method", values="errors")
    assert (wrong["2-blend-inf"] == wrong["2-OPTNBDT"]).all()
    assert (frame.groupby(["method", "repeat"])["cases"].sum() == data.n_cases).all()
    by_method = {r["method"]: r for r in results.accuracy_records(frame, names)}
    by_hand = (
        frame[frame["method"] == "2-OPTNBDT"]
        .groupby("repeat")
        .apply(lambda part: (part["errors"] / part["cases"]).mean(), include_groups=False)
    )
    assert by_method["2-OPTNBDT"]["error"] == pytest.approx(by_hand.mean())
    tests = results.test_records(frame, names, SETTINGS["folds"])
    assert all(abs(r["corrected_t"]) <= abs(r["t"]) for r in tests if r["corrected_t"] is not None)
    assert {r["n"] for r in tests} == {6}


def test_growing_parts_of_the_cases():
    data = table()
    records = measure.curve_records(data, SETTINGS, seed=1)
    assert without_clocks(records) == without_clocks(measure.curve_records(data, SETTINGS, seed=1))
    frame = pd.DataFrame(records)
    assert set(frame["training"]) == {10, 40}  # 80 of 90 would leave too few to test on
    assert (frame["training"] + frame["cases"] == data.n_cases).all()
    assert set(frame["method"]) == {"1-blend-0", "1-blend-20", "1-blend-inf", "1-blend-cv"}
    [mean] = [
        r for r in results.mean_records(frame) if (r["training"], r["method"]) == (40, "1-blend-20")
    ]
    by_hand = frame[(frame["training"] == 40) & (frame["method"] == "1-blend-20")]
    assert mean["error"] == pytest.approx(by_hand["errors"].mean() / 50) and mean["repeats"] == 2


def made_curves(errors):
    """Records of three repeats; `errors` of 100 cases by (training, data set) -> data alone, Naive
    Bayes, chosen.
    """
    return pd.DataFrame(
        {
            "dataset": name,
            "training": training,
            "method": f"3-blend-{weight}",
            "repeat": repeat,
            "status": "ok",
            "errors": wrong + repeat,
            "cases": 100,
            "leaves": 8,
        }
        for (training, name), each in errors.items()
        for weight, wrong in zip(results.ENDS, each, strict=True)
        for repeat in range(3)
    )


def test_when_naive_bayes_helps_is_counted_and_said(tmp_path):
    records = made_curves(
        {(25, "a"): (30, 20, 20), (25, "b"): (30, 10, 15), (99, "a"): (10, 12, 10)}
    )
    helps = results.helps_table(records, 3)
    assert helps.to_dict("list") == {
        "training cases": [25, 99],
        "data sets": [2, 1],
        "data": [31.0, 11.0],
        "Naive Bayes": [16.0, 13.0],
        "chosen": [18.5, 11.0],
        "Naive Bayes below data": [2, 0],
        "data below Naive Bayes": [0, 1],
        "chosen below data": [2, 0],
        "chosen below Naive Bayes": [0, 1],
        "chosen above the better": [1, 0],
    }
    assert (
        results.answer(helps)
        == "Naive Bayes alone errs less than the data alone on 2 of 2 data sets with 25 training"
        " cases (more on 0), on 0 of 1 data sets with 99 training cases (more on 1). The weight"
        " chosen by cross-validation errs less than the data alone in 2 of 3 pairs of data set"
        " and size, and more than the better of the two in 1."
    )
    records["errors"] += np.where(
        (records["method"] == "3-blend-0") & (records["repeat"] == 1), 60, 0
    )
    assert results.helps_table(records, 3)["Naive Bayes below data"].tolist() == [
        0,
        0,
    ], "no more than by chance"
    assert results.answer(results.helps_table(records, 2)) == "No curve of both ends was made."


def test_the_picture_of_when_naive_bayes_helps(tmp_path):
    means = pd.DataFrame(
        results.mean_records(made_curves({(25, "a"): (30, 20, 20), (99, "a"): (10, 12, 10)}))
    )
    accuracy = means[means["training"] == 25].assign(status="ok")
    for curve, weights in (
        (means, accuracy),
        (means, accuracy[:0]),
        (means[:0], accuracy),
        (means[:0], accuracy[:0]),
    ):
        style.save(figures.small_multiples(curve, weights, "Sometimes."), tmp_path / "drawn.png")
        assert (tmp_path / "drawn.png").stat().st_size > 1000


def test_a_data_set_without_data_is_said():
    frame = pd.DataFrame([{"dataset": "gone", "method": "NB", "status": "no_data"}])
    assert results.accuracy_records(frame, ["NB"]) == [
        {"dataset": "gone", "method": "NB", "status": "no_data"}
    ]
    assert results.average_records(frame, ["NB"]) == []
    assert list(results.error_table(frame, ["NB"]).columns) == ["data set", "NB"]


def test_tree_and_its_terms():
    data = table()
    model = NaiveBayes.estimate(data.codes, data.labels, data.arity, 2)
    policy = TwoClassSolver(model, 3).fit()
    tree = to_tree(policy, model, data)
    assert tree.depth <= 3
    assert expected_accuracy(tree, model) == pytest.approx(policy.expected_accuracy, abs=1e-12)
    assert sum(record["p_path"] for record in leaf_records(tree, model)) == pytest.approx(1)
    np.testing.assert_allclose(tree.counts.sum(axis=1)[0], data.n_cases)
    for case in range(
        20
    ):  # the label is the class that Naive Bayes thinks likeliest after the tests of the path
        node = 0
        while tree.feature[node] >= 0:
            node = tree.branches(node)[data.codes[tree.feature[node], case]]
        assert tree.predict(data, [case])[0] == tree.label[node]


@pytest.mark.parametrize("classes", (2, 3, 4))
@pytest.mark.parametrize("costs", ({}, {"a": 2.0, "c": 0.5}))
def test_own_table(tmp_path, classes, costs):
    records, leaves, tree = own_run(tmp_path, table("mine", classes, missing=True), costs=costs)
    assert {r["status"] for r in records} == {"ok"}
    assert {r["method"] for r in records} == (
        {"OPTNBDT", "NB"} if costs else {"OPTNBDT", "NB", "ID3"}
    )
    assert sum(leaf["term"] for leaf in leaves) == pytest.approx(records[0]["expected_accuracy"])
    price = [costs.get(name, 1.0) for name in "abcd"]
    for leaf in leaves:
        tests = [part.split("=")[0] for part in leaf["path"].split(" & ") if part]
        assert len(set(tests)) == len(tests)
        assert sum(price["abcd".index(test)] for test in tests) <= 2
    assert tree.values[1][-1] == "?"


def own_run(folder, data, **changed):
    data.save(folder / "mine.npz")
    return own.explored(Dataset.load(folder / "mine.npz"), OWN | changed, 1)


def test_own_tables_that_do_not_fit(tmp_path):
    numbers = table("mine")
    numbers = Dataset(
        "mine",
        numbers.codes,
        numbers.labels,
        np.ones(4, bool),
        tuple(np.arange(r, dtype=float) for r in numbers.arity),
        numbers.feature_names,
        numbers.class_names,
    )
    records, leaves, tree = own_run(tmp_path, numbers, continuous="refuse")
    assert records[0]["status"] == "unsuitable" and "continuous" in records[0]["note"]
    assert leaves == [] and tree is None
    assert own_run(tmp_path, numbers)[0][0]["status"] == "ok"
    assert own_run(tmp_path, table("mine", 9))[0][0]["status"] == "ok"
    with pytest.raises(ValueError, match="no column 'z'"):
        own.costs_of(table(), {"z": 1.0})


def test_timings_agree_on_the_value():
    settings = {"alpha": 1.0, "speed": {"repeats": 1}}
    shape = {
        "features": 6,
        "arity": 2,
        "cases": 30,
        "depths": {"3": ["nbdt", "optnbdt", "bound"]},
    }
    records = speed.shape_records(shape, settings, seed=1)
    assert records[-1]["algorithm"] == "list" and records[-1]["seconds"] > 0
    assert len({round(r["expected_accuracy"], 12) for r in records[:-1]}) == 1
    assert [r["paths"] for r in records] == [12 * 10 * 8, 12 * 10, None, None]


def test_the_registry_of_searches_has_the_numbers_of_the_kernels():
    from pinetum.nbdt.kernels import fixed_depth

    codes = {
        "nbdt": fixed_depth.SCAN,
        "optnbdt": fixed_depth.LIST,
        "bound": fixed_depth.BOUND,
    }
    assert {name: search.code for name, search in SEARCHES.items()} == codes
    assert all(entry.about for entry in [*SEARCHES.values(), *METHODS.values()])


def test_an_own_table_whose_tree_could_grow_without_bound_is_unsuitable(tmp_path):
    rng = np.random.default_rng(0)
    wide = np.array([rng.permutation(300) for _ in range(3)], np.int32)
    names = tuple(tuple(f"v{i}" for i in range(300)) for _ in range(3))
    data = Dataset(
        "mine",
        wide,
        rng.integers(0, 2, 300).astype(np.int32),
        np.zeros(3, bool),
        names,
        ("a", "b", "c"),
        ("n", "y"),
    )
    records, _, tree = own_run(tmp_path, data, depth=3, work=10**6)
    assert (
        records[0]["status"] == "unsuitable"
        and "27,000,000 leaves" in records[0]["note"]
        and tree is None
    )
    records, _, tree = own_run(tmp_path, data, depth=3, work=100)
    assert (
        records[0]["status"] == "ok"
        and tree.depth <= 2
        and "3 is more than work allows" in records[0]["note"]
    )


def test_cuts_do_not_see_the_cases_left_out():
    seen = 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        ranks = rng.permutation(60)[None].astype(np.int32)
        labels = ((ranks[0] > 30) ^ (rng.random(60) < 0.1)).astype(np.int32)
        training = np.sort(rng.permutation(60)[:40])
        changed = labels.copy()
        changed[np.setdiff1d(np.arange(60), training)] = seed % 2

        def cut(classes, cases=None, ranks=ranks):
            data = Dataset(
                "mine", ranks, classes, np.ones(1, bool), (np.arange(60.0),), ("a",), ("n", "y")
            )
            return discrete(data, cases=cases)

        one, other, alone = (
            cut(labels, training),
            cut(changed, training),
            cut(labels[training], ranks=ranks[:, training]),
        )
        assert one.values == other.values == alone.values and (one.codes == other.codes).all()
        assert (one.codes[:, training] == alone.codes).all() and len(one.values[0]) > 1
        seen += cut(labels).values != one.values
    assert seen > 5, "cuts from all cases are others, so the cases left out would have been seen"


def mostly(seed=0, cases=400):
    """One feature tells the class but for a tenth of the cases; six others tell nothing."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 2, (7, cases)).astype(np.int32)
    labels = (codes[0] ^ (rng.random(cases) < 0.1)).astype(np.int32)
    values = tuple(("no", "yes") for _ in codes)
    return Dataset("mostly", codes, labels, np.zeros(7, bool), values, tuple("abcdefg"), ("-", "+"))


def parity(seed=0, cases=400):
    """Three features tell the class together, none of them and no two of them alone."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 2, (3, cases)).astype(np.int32)
    labels = ((codes.sum(axis=0) % 2) ^ (rng.random(cases) < 0.05)).astype(np.int32)
    values = tuple(("no", "yes") for _ in codes)
    return Dataset("parity", codes, labels, np.zeros(3, bool), values, tuple("abc"), ("-", "+"))


@pytest.mark.parametrize(
    ("make", "wrong"),
    [
        (mostly, "3-ID3: leaves that are not pure take the commonest class of all"),
        (parity, "3-ID3: three levels of nodes, two tests"),
    ],
)
def test_wrong_readings_of_3_id3_are_refused_by_the_average_they_would_have_printed(make, wrong):
    settings = SETTINGS | {
        "repeats": 6,
        "depths": [1],
        "greedy_depths": [],
        "blend": SETTINGS["blend"] | {"repeats": 0},
    }
    folds = pd.DataFrame(measure.fold_records(make(), settings, seed=1))
    first, rest = folds[folds["repeat"] < 3], folds[folds["repeat"] >= 3]
    methods = ["1-NBDT", "3-ID3", *readings.READINGS]

    def average(records, method):
        [found] = [
            one for one in results.average_records(records, methods) if one["method"] == method
        ]
        return found["error"], found["se"]

    printed = f"{average(first, '3-ID3')[0]:.3f}"
    published = pd.DataFrame(
        [["Average error", "3-ID3", "error", printed]],
        columns=["item", "row", "column", "published"],
    )
    verdicts = {}
    for method in ("3-ID3", wrong):
        rows = ReproducedRows(published)
        error, se = average(rest, method)
        rows.measured(("Average error", "3-ID3", "error"), error, se=se, published_se=se)
        verdicts[method] = judged(published.assign(basis="error", note=""), rows.frame())[
            "verdict"
        ].item()
    assert verdicts == {"3-ID3": "within", wrong: "outside"}


def test_files_of_an_own_table(tmp_path):
    from pinetum.report import style

    for data, options in ((table("mine"), OWN), (table("mine", 9), OWN)):
        made = own.explore(data, options, 1)
        assert list(made) == ["nbdt.csv", "nbdt_leaves.csv", "nbdt_tree.txt", "nbdt_tree.png"]
        assert list(made["nbdt_leaves.csv"].records) == own.LEAF_COLUMNS
        style.save(made["nbdt_tree.png"](), tmp_path / "tree.png")
        assert made["nbdt_tree.txt"].strip()


def test_a_data_set_without_a_source_is_a_row_of_every_method(tmp_path, monkeypatch):
    monkeypatch.setenv("PINETUM_RESULTS", str(tmp_path))
    (tmp_path / "data").mkdir()
    Dataset.save_reason(tmp_path / "data/gone.npz", "gone", "unreachable")
    row = {"dataset": "gone", "status": "no_data", "note": "unreachable"}
    found = measure.cross_validate_nbdt(["gone"], 1, **SETTINGS)["folds"]
    assert found[0] == row | {"method": "1-NBDT"} and len(found) == len(measure.all_names(SETTINGS))
    assert measure.learn_nbdt(["gone"], 1, **SETTINGS) == {"learning": [row]}
    described = measure.describe_nbdt(["gone"], [], 1.0, [1, 2])
    assert described["datasets"] == [row] and described["expected"] == []
