"""A tree of planes as a tree that is drawn and told like all others, and as code that needs nothing
of this package.
"""

import numpy as np

from pinetum.data.cells import MISSING_WORDS
from pinetum.separators.lp import ON_PLANE
from pinetum.separators.tree import PlaneTree, margins, plane_text
from pinetum.trees.code import (
    ANSWER,
    check_language,
    check_sql_names,
    exact_number,
    literal,
    plain,
    python_reading,
    quoted_name,
    short_number,
    sql_cells,
)
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
    inner = np.flatnonzero(planes.left >= 0)
    sides = [margins(points, planes.weights[node], planes.offset[node]) for node in inner]
    return (np.array(sides).reshape(len(inner), len(points)).T > ON_PLANE).astype(np.float64)


def to_code(
    planes: PlaneTree,
    cells,
    terms,
    classes,
    language="python",
    *,
    table="cases",
    others=(),
    markers=MISSING_WORDS,
) -> str:
    """Source code that predicts as the planes do, missing and unseen values included.

    cells      how the columns are read (`pinetum.trees.code.Cell`)
    terms      per coded column the place of its cell and its code; no code for a number
    others     names of columns beside those of the cells
    markers    words that mean a missing value
    """
    check_language(language)
    classes, names = [plain(value) for value in classes], [cell.column for cell in cells]
    used = sorted({terms[j][0] for j in np.flatnonzero(planes.weights.any(axis=0))})
    terms = [(used.index(cell) if cell in used else -1, code) for cell, code in terms]
    read = [cells[cell] for cell in used]
    if language == "python":
        return python_code(planes, read, terms, classes, markers)
    check_sql_names(cells, others)
    return sql_code(planes, read, terms, classes, table, markers, names)


PYTHON = '''"""A tree of planes, written by Pinetum {version}. It needs nothing but Python."""

CLASSES = {classes}
{reading}

# A leaf: (class, class shares). A decision: ([(cell, code, weight)], offset, left, right). What is weighed is the number,
# or 1 where the cell has the code; right is above the offset.
NODES = [
{nodes}
]


def predict_proba(case):
    """Class shares of a case, a dict with a value for every column.

    None, NaN, infinite numbers and unseen categories are missing values.
    """
    return _leaf(case)[1]


def predict(case):
    """Class of a case, a dict with a value for every column."""
    return CLASSES[_leaf(case)[0]]


def _leaf(case):
    node = NODES[0]
    while len(node) == 4:
        weighed, offset, left, right = node
        total = 0.0
        for cell, code, weight in weighed:
            value = _cell(case, *CELLS[cell])
            total += (value if code is None else float(value == code)) * weight
        node = NODES[right if total - offset > {near!r} else left]
    return node
'''  # noqa: E501


def weighed(planes, terms, node) -> list[tuple]:
    """(cell, code, weight) of what a decision weighs, in the order in which it is added."""
    return [
        (*terms[j], float(planes.weights[node, j])) for j in np.flatnonzero(planes.weights[node])
    ]


def python_code(planes, cells, terms, classes, markers) -> str:
    from pinetum import __version__

    lines: list[tuple] = []
    shares = planes.counts / planes.counts.sum(axis=1, keepdims=True)
    for node in range(len(planes.left)):
        if planes.left[node] < 0:
            lines.append((int(planes.label[node]), shares[node].tolist()))
            continue
        branches = int(planes.left[node]), int(planes.right[node])
        lines.append((weighed(planes, terms, node), float(planes.offset[node]), *branches))
    return PYTHON.format(
        version=__version__,
        classes=repr(classes),
        reading=python_reading(cells, markers),
        nodes="\n".join(f"    {line!r}," for line in lines),
        near=ON_PLANE,
    )


def sql_code(planes, cells, terms, classes, table, markers, names) -> str:
    """Each decision becomes a column.

    The leaf is found by nested cases, built from the last node upwards.
    """
    inner = np.flatnonzero(planes.left >= 0)
    totals = []
    for node in map(int, inner):
        total = "0e0"
        for cell, code, weight in weighed(planes, terms, node):
            value = (
                f"v{cell}" if code is None else f"CASE v{cell} WHEN {code} THEN 1e0 ELSE 0e0 END"
            )
            total = f"{total} + {value} * ({exact_number(weight)})"
        totals.append(f"{total} - ({exact_number(float(planes.offset[node]))}) AS d{node}")
    answer = {
        int(leaf): literal(classes[planes.label[leaf]]) for leaf in np.flatnonzero(planes.left < 0)
    }
    for node in map(int, inner[::-1]):  # children come after their parents
        right, left = answer[int(planes.right[node])], answer[int(planes.left[node])]
        near = short_number(ON_PLANE)
        answer[node] = f"CASE WHEN d{node} > {near} THEN {right} ELSE {left} END"
    kept = [f"c{j}" for j in range(len(names))]
    told = ", ".join(f"{c} AS {quoted_name(name)}" for c, name in zip(kept, names, strict=True))
    read = sql_cells(cells, table, markers, names)
    return (
        f"SELECT {told}, {answer[0]} AS {ANSWER}\nFROM (SELECT {', '.join([*kept, *totals])}\n"
        f"FROM ({read}) AS cells) AS decided\n"
    )
