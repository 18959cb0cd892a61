"""A tree as rules and as a DataFrame."""

import numpy as np

from pinetum.trees.text import branch_texts, leaf_text
from pinetum.visible import one_line


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
