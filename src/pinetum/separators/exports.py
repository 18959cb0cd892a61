"""A tree of planes as a tree that is drawn and told like all others, and as code that needs nothing
of this package.
"""

import numpy as np

from pinetum.separators.lp import ON_PLANE
from pinetum.separators.tree import PlaneTree, plane_text
from pinetum.trees.exports import LANGUAGES, literal, plain, quoted_name
from pinetum.trees.tree import Tree

ANSWERS = ("no", "yes")


def as_tree(planes: PlaneTree, names, class_names) -> Tree:
    """The same nodes as a `Tree` whose features are the decisions: 1 where a case lies on the right
    side.
    """
    inner = np.flatnonzero(planes.left >= 0)
    feature = np.full(len(planes.left), -1, dtype=np.int32)
    feature[inner] = np.arange(len(inner))
    told = [f"({plane_text(planes.weights[node], planes.offset[node], names)})" for node in inner]
    return Tree(
        feature=feature,
        threshold=np.full(len(feature), np.nan),
        cut=np.full(len(feature), -1, dtype=np.int32),
        child_start=np.concatenate(([0], np.cumsum(2 * (feature >= 0)))).astype(np.int32),
        children=np.column_stack([planes.left, planes.right])[inner].ravel().astype(np.int32),
        counts=planes.counts,
        label=planes.label.astype(np.int32),
        feature_names=tuple(told),
        class_names=tuple(class_names),
        values=(ANSWERS,) * len(inner),
    )


def decisions(planes: PlaneTree, points) -> np.ndarray:
    """float64 (cases, decisions): 1 on the right side of the plane, as the features of
    `as_tree`.
    """
    inner = planes.left >= 0
    return (points @ planes.weights[inner].T - planes.offset[inner] > ON_PLANE).astype(np.float64)


def to_code(planes: PlaneTree, terms, classes, language="python", *, table="cases") -> str:
    """Source code that predicts as the planes do, missing and unseen values included.

    terms      per coded column (column, fill, domain, value); domain and value are None for a
               number
    """
    if language not in LANGUAGES:
        raise ValueError(f"language {language!r}: expected one of {', '.join(LANGUAGES)}")
    names = [plain(value) for value in classes]
    return (
        python_code(planes, terms, names)
        if language == "python"
        else sql_code(planes, terms, names, table)
    )


PYTHON = '''"""A tree of planes, written by Pinetum {version}. It needs nothing but Python."""

CLASSES = {classes}
# What is weighed: (column, what stands in for a missing value, domain, value). A number counts as it is (no domain);
# else a case counts 1 where the column has the value.
TERMS = [
{terms}
]
# A leaf: (class, class shares). A decision: ([(term, weight)], offset, left, right); right is above the offset.
NODES = [
{nodes}
]


def predict_proba(case):
    """Class shares of a case, a dict from column to value; None and NaN are missing values."""
    return _leaf(case)[1]


def predict(case):
    """Class of a case, a dict from column to value."""
    return CLASSES[_leaf(case)[0]]


def _term(case, column, fill, domain, value):
    found = case.get(column)
    missing = found is None or found != found
    if domain is None:
        return fill if missing else float(found)
    found = fill if missing or str(found) not in domain else str(found)
    return 1.0 if found == value else 0.0


def _leaf(case):
    node = NODES[0]
    while len(node) == 4:
        weighed, offset, left, right = node
        total = sum(weight * _term(case, *TERMS[term]) for term, weight in weighed)
        node = NODES[right if total - offset > {near!r} else left]
    return node
'''  # noqa: E501


def python_code(planes, terms, classes) -> str:
    from pinetum import __version__

    used = np.flatnonzero(planes.weights.any(axis=0))
    lines: list[tuple] = []
    place = {int(term): number for number, term in enumerate(used)}
    shares = planes.counts / planes.counts.sum(axis=1, keepdims=True)
    for node in range(len(planes.left)):
        if planes.left[node] < 0:
            lines.append((int(planes.label[node]), shares[node].tolist()))
            continue
        weighed = [
            (place[int(j)], float(planes.weights[node, j]))
            for j in np.flatnonzero(planes.weights[node])
        ]
        lines.append(
            (weighed, float(planes.offset[node]), int(planes.left[node]), int(planes.right[node]))
        )
    return PYTHON.format(
        version=__version__,
        classes=repr(classes),
        terms="\n".join(f"    {terms[term]!r}," for term in used),
        nodes="\n".join(f"    {line!r}," for line in lines),
        near=ON_PLANE,
    )


def sql_code(planes, terms, classes, table) -> str:
    """Each decision becomes a column.

    The leaf is found by nested cases, built from the last node upwards.
    """
    inner = np.flatnonzero(planes.left >= 0)
    totals = []
    for node in map(int, inner):
        parts = [
            weighed(terms[j], float(planes.weights[node, j]))
            for j in np.flatnonzero(planes.weights[node])
        ]
        totals.append(f"{' + '.join(parts) or '0.0'} - ({float(planes.offset[node])!r}) AS d{node}")
    answer = {
        int(leaf): literal(classes[planes.label[leaf]]) for leaf in np.flatnonzero(planes.left < 0)
    }
    for node in map(int, inner[::-1]):  # children come after their parents
        right, left = answer[int(planes.right[node])], answer[int(planes.left[node])]
        answer[node] = f"CASE WHEN d{node} > {ON_PLANE!r} THEN {right} ELSE {left} END"
    columns = ", ".join(dict.fromkeys(quoted_name(column) for column, *_ in terms))
    inside = f"SELECT {', '.join(['*', *totals])} FROM {quoted_name(table)}"
    return f"SELECT {columns}, {answer[0]} AS predicted\nFROM ({inside}) AS decided\n"


def weighed(term, weight) -> str:
    """A term times its weight."""
    column, fill, domain, value = term
    name = quoted_name(column)
    if domain is None:
        return f"COALESCE({name}, {float(fill)!r}) * ({weight!r})"
    text = f"CAST({name} AS VARCHAR(1000))"
    if value != fill:
        return f"CASE WHEN {text} = {literal(value)} THEN {weight!r} ELSE 0.0 END"
    others = ", ".join(literal(other) for other in domain if other != value)
    return (
        f"CASE WHEN {text} IN ({others}) THEN 0.0 ELSE {weight!r} END" if others else repr(weight)
    )
