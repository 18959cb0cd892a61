"""A tree as rules, as a DataFrame, and as code that needs nothing of this package."""

import numpy as np

from pinetum.constants import VOTE_TOLERANCE
from pinetum.trees.text import branch_texts, leaf_text
from pinetum.visible import one_line

LANGUAGES = ("python", "sql")


def branch_tests(tree) -> tuple[np.ndarray, list]:
    """Per node its parent (-1 at the root) and the test of the branch that leads to it: (feature,
    text).
    """
    parent = np.full(tree.n_nodes, -1)
    test: list[tuple[int, str] | None] = [None] * tree.n_nodes
    for node in map(int, np.flatnonzero(tree.feature >= 0)):
        for child, text in zip(
            tree.branches(node), branch_texts(tree, node, repr_number), strict=True
        ):
            parent[child], test[child] = node, (int(tree.feature[node]), text)
    return parent, test


def repr_number(value) -> str:
    return f"{value:.6g}"


def to_rules(tree) -> str:
    """One line per leaf that had training cases: its conditions, its class and (cases/errors).

    A second test of a number on the same path replaces a weaker one of the same direction.
    """
    parent, test = branch_tests(tree)
    lines = []
    for leaf in map(int, np.flatnonzero((tree.feature < 0) & (tree.totals > 0))):
        conditions: dict[tuple[int, str], str] = {}
        node = leaf
        while parent[node] >= 0:
            feature, text = test[node]
            conditions.setdefault(
                (feature, text.split(" ")[0]), text
            )  # from the leaf up: the strongest comes first
            node = parent[node]
        texts = [
            f"{tree.feature_names[feature]} {text}"
            for (feature, _), text in reversed(conditions.items())
        ]
        lines.append(f"if {' and '.join(texts) or 'anything'} then {leaf_text(tree, leaf)}")
    return "\n".join(map(one_line, lines)) + "\n"


def to_frame(tree):
    """One row per node: parent, depth, test on the branch from the parent, split, class, cases,
    cases per class.
    """
    import pandas as pd

    parent, test = branch_tests(tree)
    inner = tree.feature >= 0
    names = np.array([*tree.feature_names, ""], dtype=object)
    frame = pd.DataFrame(
        {
            "node": np.arange(tree.n_nodes),
            "parent": parent,
            "depth": tree.node_depth,
            "test": [
                "" if one is None else f"{tree.feature_names[one[0]]} {one[1]}" for one in test
            ],
            "feature": names[np.where(inner, tree.feature, -1)],
            "threshold": tree.threshold,
            "class": np.array(tree.class_names, dtype=object)[tree.label],
            "cases": tree.totals,
        }
    )
    for c, name in enumerate(tree.class_names):
        frame[f"cases of {name}"] = tree.counts[:, c]
    return frame


def to_code(tree, language="python", *, classes=None, table="cases", missing=None) -> str:
    """Source code that predicts as the tree does, missing and unseen values included.

    language   "python": a module with `predict(case)` and `predict_proba(case)`, where a case is a
               dict from column to value; "sql": one SELECT statement that adds the column
               `predicted` to a table
    classes    what to call the classes; the tree's own names when None
    table      name of the table in SQL
    missing    {feature: branch} where a missing value takes one branch; elsewhere it is shared out
               over all
    """
    if language not in LANGUAGES:
        raise ValueError(f"language {language!r}: expected one of {', '.join(LANGUAGES)}")
    names = list(tree.class_names) if classes is None else [plain(value) for value in classes]
    missing = {} if missing is None else missing
    return (
        python_code(tree, names, missing)
        if language == "python"
        else sql_code(tree, names, table, missing)
    )


def plain(value):
    """A numpy scalar as Python's own value."""
    return value.item() if isinstance(value, np.generic) else value


def shares_of(tree, leaf) -> list[float]:
    """Class shares of a leaf; an empty one gives all to its class."""
    if tree.totals[leaf] > 0:
        return (tree.counts[leaf] / tree.totals[leaf]).tolist()
    return [float(c == tree.label[leaf]) for c in range(tree.n_classes)]


PYTHON = '''"""A decision tree, written by Pinetum {version}. It needs nothing but Python."""

CLASSES = {classes}
# A leaf: (class, class shares). A test of a number: (column, threshold, children, weights, missing): values up to the
# threshold take the first child. A test of a category: (column, {{value: child}}, children, weights, missing). The last
# entry is the child of missing values; None: they are shared out over the children by weight.
NODES = [
{nodes}
]


def predict_proba(case):
    """Class shares of a case, a dict from column to value; None, NaN and unseen categories are missing values."""
    return _drop(case)[1]


def predict(case):
    """Class of a case, a dict from column to value."""
    label, shares, spread = _drop(case)
    if spread:
        label = 0
        for c, share in enumerate(shares):
            if share > shares[label] + {tolerance!r}:
                label = c
    return CLASSES[label]


def _drop(case):
    shares, spread, label, stack = [0.0] * len(CLASSES), False, 0, [(0, 1.0)]
    while stack:
        node, weight = stack.pop()
        if len(NODES[node]) == 2:
            label = NODES[node][0]
            shares = [share + weight * part for share, part in zip(shares, NODES[node][1])]
            continue
        column, test, children, weights, child = NODES[node]
        value = case.get(column)
        if value is not None and value == value:
            child = test.get(str(value)) if isinstance(test, dict) else children[0 if value <= test else 1]
        if child is not None:
            stack.append((child, weight))
            continue
        spread = True
        whole = sum(weights)
        for child, trained in reversed(list(zip(children, weights))):
            if trained > 0:
                stack.append((child, weight * trained / whole))
    return label, shares, spread
'''  # noqa: E501


def python_code(tree, classes, missing) -> str:
    from pinetum import __version__

    lines: list[tuple] = []
    for node in range(tree.n_nodes):
        feature = tree.feature[node]
        if feature < 0:
            lines.append((int(tree.label[node]), shares_of(tree, node)))
            continue
        children = tree.branches(node).tolist()
        weights = tree.totals[children].tolist()
        values = tree.values[feature]
        test = (
            float(tree.threshold[node])
            if values is None
            else dict(zip(values, children, strict=False))
        )
        lost = children[missing[feature]] if feature in missing else None
        lines.append((tree.feature_names[feature], test, children, weights, lost))
    nodes = "\n".join(f"    {line!r}," for line in lines)
    return PYTHON.format(
        version=__version__, classes=repr(classes), nodes=nodes, tolerance=VOTE_TOLERANCE
    )


def quoted_name(name) -> str:
    return '"' + str(name).replace('"', '""') + '"'


def literal(value) -> str:
    if isinstance(value, (bool, int, float)):
        return repr(float(value)) if isinstance(value, float) else str(int(value))
    return "'" + str(value).replace("'", "''") + "'"


def sql_code(tree, classes, table, missing) -> str:
    """Weights flow down level by level (w0 is the root's), as common table expressions.

    Then the classes vote.
    """
    inner = np.flatnonzero(tree.feature >= 0)
    parts = [f"t0 AS (SELECT *, 1.0 AS w0, 0 AS spread0 FROM {quoted_name(table)})"]
    for level in range(tree.depth):
        columns, lost = [], [f"spread{level}"]
        for node in inner[tree.node_depth[inner] == level]:
            children = tree.branches(node)
            tests = [sql_test(tree, node, branch, missing) for branch in range(len(children))]
            lacking = f"NOT COALESCE({' OR '.join(tests)}, FALSE)"
            trained = tree.totals[children]
            lost.append(f"(CASE WHEN w{node} > 0 AND {lacking} THEN 1 ELSE 0 END)")
            for branch, child in enumerate(children):
                part = (
                    f"w{node} * {float(trained[branch])!r} / {float(trained.sum())!r}"
                    if trained[branch] > 0
                    else "0.0"
                )
                columns.append(
                    f"CASE WHEN {tests[branch]} THEN w{node} WHEN {lacking} THEN {part} ELSE 0.0"
                    f" END AS w{child}"
                )
        columns.append(f"{' + '.join(lost)} AS spread{level + 1}")
        parts.append(f"t{level + 1} AS (SELECT *, {', '.join(columns)} FROM t{level})")
    leaves = np.flatnonzero(tree.feature < 0)
    shares = [
        f"{' + '.join(f'w{leaf} * {shares_of(tree, leaf)[c]!r}' for leaf in leaves)} AS s{c}"
        for c in range(tree.n_classes)
    ]
    single = " ".join(f"WHEN w{leaf} > 0 THEN {tree.label[leaf]}" for leaf in leaves)
    parts.append(
        f"v AS (SELECT *, CASE {single} ELSE 0 END AS reached, {', '.join(shares)} FROM"
        f" t{tree.depth})"
    )
    parts.append("b0 AS (SELECT *, s0 AS best0, 0 AS vote0 FROM v)")
    for c in range(1, tree.n_classes):
        wins = f"s{c} > best{c - 1} + {VOTE_TOLERANCE!r}"
        parts.append(
            f"b{c} AS (SELECT *, CASE WHEN {wins} THEN s{c} ELSE best{c - 1} END AS best{c}, "
            f"CASE WHEN {wins} THEN {c} ELSE vote{c - 1} END AS vote{c} FROM b{c - 1})"
        )
    last = tree.n_classes - 1
    label = f"CASE WHEN spread{tree.depth} > 0 THEN vote{last} ELSE reached END"
    named = " ".join(f"WHEN {c} THEN {literal(name)}" for c, name in enumerate(classes))
    features = ", ".join(quoted_name(name) for name in tree.feature_names)
    return (
        "WITH "
        + ",\n".join(parts)
        + f"\nSELECT {features}, CASE {label} {named} END AS predicted FROM b{last}\n"
    )


def sql_test(tree, node, branch, missing) -> str:
    feature = tree.feature[node]
    column = quoted_name(tree.feature_names[feature])
    if missing.get(feature) == branch:
        return f"({column} IS NULL OR {sql_test(tree, node, branch, {})})"
    values = tree.values[feature]
    if values is None:
        return f"{column} {'<=' if branch == 0 else '>'} {float(tree.threshold[node])!r}"
    return f"CAST({column} AS VARCHAR(1000)) = {literal(str(values[branch]))}"
