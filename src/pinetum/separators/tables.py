"""From an encoded data set to points: numbers as they are, discrete features as 0/1 indicators or
ranks.
"""

from dataclasses import dataclass

import numpy as np

from pinetum.constants import MISSING
from pinetum.data import Dataset
from pinetum.data.errors import DataError
from pinetum.data.schema import CURE

CODINGS = ("indicator", "ordinal")
MISSING_RULES = ("fill", "complete")


@dataclass(frozen=True)
class Coding:
    """How columns of points come from a table; fills are fitted on the training cases.

    indicator: a discrete feature with two values becomes one 0/1 column, with more one column per
    value (redundant, which minimization removes). ordinal: its values count 0, 1, 2, ... in the
    order of the domain, or are numbers where all of them read as numbers. Missing numbers become
    the mean, missing discrete values the most frequent value of the training cases.
    """

    kind: str
    fills: tuple
    names: tuple[str, ...]

    @classmethod
    def fit(cls, dataset: Dataset, kind="indicator") -> "Coding":
        if kind not in CODINGS:
            raise ValueError(f"coding = {kind!r}: allowed are {', '.join(CODINGS)}")
        fills, names = [], []
        for feature, codes in enumerate(dataset.codes):
            known = codes[codes != MISSING]
            name = dataset.feature_names[feature]
            if dataset.continuous[feature]:
                fills.append(float(dataset.values[feature][known].mean()) if len(known) else 0.0)
                names.append(name)
                continue
            arity = len(dataset.values[feature])
            fills.append(
                int(np.bincount(known, minlength=max(arity, 1)).argmax()) if len(known) else 0
            )
            names += (
                [name]
                if kind == "ordinal"
                else [f"{name} = {value}" for value in _told(dataset, feature)]
            )
        return cls(kind, tuple(fills), tuple(names))

    def points(self, dataset: Dataset) -> np.ndarray:
        columns = []
        for feature, codes in enumerate(dataset.codes):
            unknown = codes == MISSING
            if dataset.continuous[feature]:
                values = dataset.values[feature]
                column = (
                    values[np.where(unknown, 0, codes)] if len(values) else np.zeros(len(codes))
                )
                columns.append(np.where(unknown, self.fills[feature], column))
                continue
            filled = np.where(unknown, self.fills[feature], codes)
            if self.kind == "ordinal":
                columns.append(_numbers(dataset.values[feature])[filled])
            else:
                domain = dataset.values[feature]
                columns += [
                    (filled == domain.index(value)).astype(float)
                    for value in _told(dataset, feature)
                ]
        return np.column_stack(columns) if columns else np.empty((dataset.n_cases, 0))

    def terms(self, dataset) -> list[tuple]:
        """Per column of points its feature and its code; None: a number."""
        return [
            (feature, None if value is None else dataset.values[feature].index(value))
            for feature in range(dataset.n_features)
            for value in ((None,) if dataset.continuous[feature] else _told(dataset, feature))
        ]

    def places(self, dataset) -> np.ndarray:
        """Per column of points the feature it comes from."""
        columns = [
            1 if dataset.continuous[f] or self.kind == "ordinal" else len(_told(dataset, f))
            for f in range(dataset.n_features)
        ]
        return np.repeat(np.arange(dataset.n_features), columns)


MOST_CELLS = 5_000_000  # of a table of points; a linear program takes some 300 bytes for each


def check_memory(dataset, coding):
    """Refuse, before anything is allocated, points that are too many for linear programs."""
    cells = dataset.n_cases * len(coding.names)
    if cells > MOST_CELLS:
        widths = np.bincount(coding.places(dataset), minlength=dataset.n_features)
        widest = int(widths.argmax())
        raise MemoryError(
            f"{dataset.n_cases:,} cases with {len(coding.names):,} coded columns are too many for"
            f" linear programs, at most {MOST_CELLS:,} cells; {dataset.feature_names[widest]} has"
            f" {widths[widest]:,} of the columns: leave columns of many values out or group their"
            " values, or take a sample of the cases"
        )


def points_of(coding, dataset, table) -> np.ndarray:
    """The points of new cases, given as numbers and codes (cases, features) of the data set of
    `Coding.fit`.
    """
    columns = []
    for feature, fill in enumerate(coding.fills):
        column = np.where(np.isnan(table[:, feature]), fill, table[:, feature])
        if dataset.continuous[feature]:
            columns.append(column)
        elif coding.kind == "ordinal":
            columns.append(_numbers(dataset.values[feature])[column.astype(np.int64)])
        else:
            domain = dataset.values[feature]
            columns += [
                (column == domain.index(value)).astype(float) for value in _told(dataset, feature)
            ]
    return np.column_stack(columns) if columns else np.empty((len(table), 0))


def restored_coding(names, domains, fills) -> tuple[Dataset, Coding]:
    """An empty data set with these features (a domain, or None for numbers), and its coding by
    indicators.
    """
    if not (
        isinstance(domains, list)
        and isinstance(fills, list)
        and len(domains) == len(fills) == len(names)
    ):
        raise DataError("domains and fills do not fit the columns", cure=CURE)
    for domain, fill in zip(domains, fills, strict=True):
        number = isinstance(fill, (int, float)) and not isinstance(fill, bool) and np.isfinite(fill)
        listed = isinstance(domain, list) and all(isinstance(value, str) for value in domain)
        if not number or not (domain is None or (listed and fill in range(max(len(domain), 1)))):
            raise DataError("domains and fills: neither a number nor a value of a list", cure=CURE)
    data = Dataset(
        name="model",
        codes=np.empty((len(names), 0), dtype=np.int32),
        labels=np.empty(0, dtype=np.int32),
        continuous=np.array([domain is None for domain in domains]),
        values=tuple(np.empty(0) if domain is None else tuple(domain) for domain in domains),
        feature_names=names,
        class_names=(),
    )
    kept = tuple(
        float(fill) if domain is None else int(fill)
        for domain, fill in zip(domains, fills, strict=True)
    )
    return data, Coding("indicator", kept, Coding.fit(data).names)


def _told(dataset, feature):
    """Values that get a column: the second of two, all of several."""
    domain = dataset.values[feature]
    return domain[1:] if len(domain) == 2 else domain


def _numbers(domain) -> np.ndarray:
    try:
        return np.array([float(value) for value in domain] or [0.0])
    except ValueError:
        return np.arange(max(len(domain), 1), dtype=float)


def complete_cases(dataset: Dataset) -> Dataset:
    return dataset.take_cases(np.flatnonzero((dataset.codes != MISSING).all(axis=0)))
