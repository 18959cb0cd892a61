"""Rules, frames and code of a tree say what the tree does."""

import sqlite3
from types import SimpleNamespace

import numpy as np
import pytest

from pinetum.data.dataset import Dataset
from pinetum.induction import Grower, c45, yadt
from pinetum.trees.text import leaf_text, quoted


def random_data(rng, cases=60):
    """Numbers, categories, missing values; few values, so that ties and empty branches occur."""
    features = int(rng.integers(1, 5))
    codes, values = [], []
    for _ in range(features):
        if rng.random() < 0.5:
            numbers = np.unique(np.round(rng.normal(size=6), 2))
            values.append(numbers)
        else:
            values.append(
                tuple(["red", "green's", 'blue "sky"', "grey"][: int(rng.integers(2, 5))])
            )
        codes.append(rng.integers(-1 if rng.random() < 0.5 else 0, len(values[-1]), cases))
    labels = rng.integers(0, 3, cases)
    return Dataset(
        name="random",
        codes=np.array(codes, dtype=np.int32),
        labels=labels.astype(np.int32),
        continuous=np.array([not isinstance(domain, tuple) for domain in values]),
        values=tuple(values),
        feature_names=tuple(f"column {j}'" for j in range(features)),
        class_names=("no", "it's", 'a "class"'),
    )


def rows_of(data, table):
    """The cases as dicts of original values; None where missing."""
    rows = []
    for line in table:
        row = {}
        for name, values, number in zip(data.feature_names, data.values, line, strict=True):
            text = isinstance(values, tuple)
            row[name] = None if np.isnan(number) else values[int(number)] if text else float(number)
        rows.append(row)
    return rows


def trees_and_cases(seeds):
    for seed in seeds:
        rng = np.random.default_rng(seed)
        data = random_data(rng)
        tree = Grower(data, (yadt if seed % 2 else c45)(2)).grow()
        table = data.numbers()
        table[rng.random(table.shape) < 0.2] = np.nan
        yield data, tree, table


def test_python_code_predicts_as_the_tree():
    for data, tree, table in trees_and_cases(range(60)):
        module = {}
        exec(tree.to_code(), module)
        rows = rows_of(data, table)
        assert [module["predict"](row) for row in rows] == [
            data.class_names[c] for c in tree.predict(table)
        ]
        np.testing.assert_allclose(
            [module["predict_proba"](row) for row in rows], tree.predict_proba(table)
        )
        unseen = {
            name: "never seen" if isinstance(values, tuple) else None
            for name, values in zip(data.feature_names, data.values, strict=True)
        }
        nothing = np.full((1, data.n_features), np.nan)
        assert module["predict"](unseen) == data.class_names[tree.predict(nothing)[0]]


def test_sql_predicts_as_the_tree():
    for data, tree, table in trees_and_cases(range(40)):
        base = sqlite3.connect(":memory:")
        columns = ", ".join('"' + name + '"' for name in data.feature_names)
        base.execute(f'CREATE TABLE "my cases" (row INTEGER, {columns})')
        rows = [[i, *row.values()] for i, row in enumerate(rows_of(data, table))]
        base.executemany(f'INSERT INTO "my cases" VALUES ({", ".join("?" * len(rows[0]))})', rows)
        found = base.execute(tree.to_code("sql", table="my cases")).fetchall()
        expected = [data.class_names[c] for c in tree.predict(table)]
        assert [line[-1] for line in found] == expected


def test_an_unknown_language_is_refused():
    _, tree, _ = next(trees_and_cases([1]))
    with pytest.raises(ValueError, match="language 'cobol': expected one of python, sql"):
        tree.to_code("cobol")


def test_leaves_paths_frames_and_rules_agree():
    for data, tree, table in trees_and_cases(range(20)):
        complete = data.numbers()
        for feature, values in enumerate(data.values):
            complete[np.isnan(complete[:, feature]), feature] = (
                0 if isinstance(values, tuple) else values[0]
            )
        leaves, path = tree.apply(complete), tree.decision_path(complete).toarray()
        assert (tree.label[leaves] == tree.predict(complete)).all()
        assert (path.sum(axis=1) == tree.node_depth[leaves] + 1).all()
        assert (tree.feature[tree.apply(table)] < 0).all()
        frame = tree.to_frame()
        assert (
            len(frame) == tree.n_nodes and (frame.loc[1:, "parent"] < frame.loc[1:, "node"]).all()
        )
        assert frame.loc[0, "cases"] == pytest.approx(data.n_cases)
        rules = tree.to_rules().splitlines()
        assert len(rules) == tree.sizes.leaves - tree.sizes.empty_leaves
        assert tree.importances.sum() == pytest.approx(float(tree.n_nodes > 1))


def test_rules_keep_the_strongest_test_of_a_number():
    data = Dataset(
        "line",
        np.arange(6, dtype=np.int32)[None],
        np.array([0, 1, 0, 0, 1, 1], dtype=np.int32),
        np.array([True]),
        (np.arange(6.0),),
        ("x",),
        ("a", "b"),
    )
    assert Grower(data, yadt(2)).grow().to_rules().splitlines() == [
        "if x <= 0.5 then a (1)",
        "if x <= 1.5 and x > 0.5 then b (1)",
        "if x <= 3.5 and x > 1.5 then a (2)",
        "if x > 3.5 then b (2)",
    ]


def test_a_leaf_tells_cases_and_errors_to_three_digits():
    counts = np.array([[2.0, 0.3454]])
    leaf = SimpleNamespace(class_names=("a", "b"), label=[0], counts=counts, totals=counts.sum(1))
    assert leaf_text(leaf, 0) == "a (2.345/0.345)"
    leaf.counts = np.array([[2.345, 0.0004]])
    assert leaf_text(leaf, 0) == "a (2.345)"


def test_texts_of_graphviz_are_quoted():
    assert quoted('a\nb "c" \\') == '"a\\nb \\"c\\" \\\\"'
