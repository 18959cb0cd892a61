"""What the best small tree may ask of a table, as columns of codes, and its answer as a `Tree`.

A number is cut between any two neighbouring values. A discrete column is asked one value against
the rest, to which a missing cell belongs, so it becomes a column for each of its values. A case
whose number is missing becomes five copies, over which the known numbers are spread.
"""

import warnings
from dataclasses import dataclass

import numpy as np

from pinetum.constants import MISSING
from pinetum.data.dataset import Dataset
from pinetum.data.errors import DataWarning
from pinetum.nbdt.splits import between, with_copies
from pinetum.trees import Tree

NUMBER = -1


@dataclass(frozen=True, eq=False)
class Columns:
    """Columns of codes over copies of cases.

    feature    int64 (columns,): of the table
    value      int64 (columns,): its value that is code 0, all others being 1; `NUMBER`
    codes      int32 (columns, copies)
    case       int64 (copies,): the case that a copy stands for
    part       float64 (copies,): its part of the case
    """

    feature: np.ndarray
    value: np.ndarray
    codes: np.ndarray
    case: np.ndarray
    part: np.ndarray


def make_columns(data: Dataset, max_values=100) -> Columns:
    """Every question to a table; a discrete column of more values is left out, with a warning."""
    numbers = np.asarray(data.continuous, dtype=bool)
    codes, case, part = data.codes, np.arange(data.n_cases), np.ones(data.n_cases)
    arity = data.arity.astype(np.int64)
    if (codes[numbers] == MISSING).any():
        own, case, part = with_copies(codes[numbers], arity[numbers], np.ones(data.n_cases))
        codes = codes[:, case]
        codes[numbers] = np.maximum(own, 0)  # a column without any value is constant
    if numbers.all():
        kind = np.full(len(codes), NUMBER, dtype=np.int64)
        return Columns(np.arange(len(codes)), kind, codes, case, part)
    feature: list[int] = []
    value: list[int] = []
    made: list[np.ndarray] = []
    wide: list[str] = []
    for f, column in enumerate(codes):
        if numbers[f]:
            feature, value, made = [*feature, f], [*value, NUMBER], [*made, column]
            continue
        seen = np.unique(column[column != MISSING]).tolist()
        whole = len(seen) == 2 and not (column == MISSING).any()
        if len(seen) > max_values:
            wide.append(f"{data.feature_names[f]} ({len(seen):,})")
            continue
        for code in seen[:1] if whole else seen:
            feature, value = [*feature, f], [*value, code]
            made.append((column != code).astype(np.int32))
    if wide:
        warnings.warn(
            f"left out, with more than {max_values} values: {', '.join(wide[:5])}; group the"
            " values, or raise max_values",
            DataWarning,
            stacklevel=4,
        )
    return Columns(
        np.array(feature, dtype=np.int64),
        np.array(value, dtype=np.int64),
        np.array(made, dtype=np.int32).reshape(len(made), len(case)),
        case,
        part,
    )


def asked(cells, feature, value) -> np.ndarray:
    """Cells of new cases (cases, features) as a tree of some columns takes them."""
    made = cells[:, feature]
    for j in np.flatnonzero(value != NUMBER):
        made[:, j] = made[:, j] != value[j]
    return made


def to_tree(found, columns: Columns, data: Dataset, labels, weight):
    """A `SmallTree` as a `Tree`, and the columns that it takes: all where all are numbers, else
    those that it asks for.
    """
    column = np.array(found.column)
    kept = np.arange(len(columns.feature))
    if not np.asarray(data.continuous).all():
        kept = np.unique(np.append(column[column >= 0], 0))[: len(columns.feature)]
    feature, value = columns.feature[kept], columns.value[kept]
    nodes = len(column)
    threshold, cut = np.full(nodes, np.nan), np.full(nodes, -1, dtype=np.int32)
    for node in np.flatnonzero(column >= 0):
        f = columns.feature[column[node]]
        if columns.value[column[node]] != NUMBER:
            continue
        own, code = columns.codes[column[node], found.cases[node]], found.code[node]
        low, high = data.values[f][own[own <= code].max()], data.values[f][own[own > code].min()]
        threshold[node] = between(low, high)
        cut[node] = np.searchsorted(data.values[f], threshold[node], side="right") - 1
    inner = column >= 0
    place = np.full(len(columns.feature) + 1, -1)
    place[kept] = np.arange(len(kept))
    children = np.stack((np.arange(1, nodes + 1), found.right), axis=1)[inner]
    domains = tuple(
        data.values[f][v] if v != NUMBER else None for f, v in zip(feature, value, strict=True)
    )
    tree = Tree(
        feature=place[column].astype(np.int32),
        threshold=threshold,
        cut=cut,
        child_start=np.append(0, np.cumsum(2 * inner)).astype(np.int32),
        children=children.ravel().astype(np.int32),
        counts=np.array(
            [np.bincount(labels[own], weight[own], data.n_classes) for own in found.cases]
        ),
        label=np.array(found.label, dtype=np.int32),
        feature_names=tuple(data.feature_names[f] for f in feature),
        class_names=data.class_names,
        values=tuple(None if name is None else (name, f"not {name}") for name in domains),
    )
    return tree, feature, value
