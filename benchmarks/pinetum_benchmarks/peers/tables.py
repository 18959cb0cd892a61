"""How a question's data sets are prepared: one array for all contestants."""

import numpy as np

from pinetum.data import load_dataset
from pinetum.data.dataset import Dataset
from pinetum.data.views import apply_view
from pinetum.randomness import stream

CUTS = 8  # thresholds of a column of numbers that becomes 0/1 columns


def filled(dataset: Dataset) -> Dataset:
    """Missing cells become the most frequent value of their column."""
    return apply_view(dataset.name, dataset, {"missing": "mode", "constant": "drop"})


def numbers(dataset: Dataset) -> np.ndarray:
    """Columns of numbers; the values of a discrete feature by their place in its domain."""
    return filled(dataset).numbers()


def indicators(dataset: Dataset) -> np.ndarray:
    """Columns of numbers; a discrete feature becomes a 0/1 column per value, or one where it has
    two.
    """
    dataset = filled(dataset)
    columns = []
    for values, continuous, arity in zip(
        dataset.numbers().T, dataset.continuous, dataset.arity, strict=True
    ):
        columns += (
            [values]
            if continuous
            else [values == code for code in range(1 if arity == 2 else 0, arity)]
        )
    return np.column_stack(columns).astype(np.float64)


def binary(dataset: Dataset) -> np.ndarray:
    """0/1 columns; a column of numbers becomes as many as `CUTS` thresholds, at quantiles of its
    distinct values.
    """
    columns = []
    for column in indicators(dataset).T:
        values = np.unique(column)
        middles = (values[1:] + values[:-1]) / 2
        if len(middles) > CUTS:
            middles = middles[np.linspace(0, len(middles) - 1, CUTS + 2).round().astype(int)[1:-1]]
        columns += [column > middle for middle in middles]
    return np.unique(np.column_stack(columns), axis=1).astype(np.float64)


def own(dataset: Dataset) -> np.ndarray:
    """Columns as they are: numbers, codes of values, NaN for missing cells."""
    return dataset.numbers()


PREPARED = {
    "columns": numbers,
    "numbers": numbers,
    "indicators": indicators,
    "binary": binary,
    "decisions": binary,
    "own": own,
}


def generated(rows, columns, classes, kind, seed):
    """A made table whose classes follow four columns, a fifth of the cases at random.

    `kind` as in `PREPARED`.
    """
    rng = stream(seed, "peers", kind, rows, columns, classes)
    X = rng.random((rows, columns))
    if kind in ("binary", "decisions"):
        X = (X > 0.5).astype(np.float64)
    y = np.floor(
        ((X[:, 0] > 0.5) ^ (X[:, 1] + X[:, 2] * X[:, 3] > 0.7)) + (classes - 2) * X[:, 0]
    ).astype(int)
    noisy = rng.random(rows) < 0.2
    y[noisy] = rng.integers(0, classes, int(noisy.sum()))
    X, y = consistent(X, y % classes) if kind == "decisions" else (X, y % classes)
    return X, y, np.zeros(columns, dtype=int)


def prepared(name, kind, most_cases, seed, folder=None):
    """X, y and the sizes of the columns' domains (0: numbers).

    A random part where there are more cases than wanted.
    """
    dataset = load_dataset(name, folder)
    if kind == "columns":
        dataset = filled(dataset)
    X, y = PREPARED[kind](dataset), dataset.labels.astype(np.int64)
    domains = np.where(dataset.continuous, 0, dataset.arity)
    if kind == "own":
        return X, y, domains
    if len(y) > most_cases:
        chosen = np.sort(
            stream(seed, "peers", "cases", name).choice(len(y), most_cases, replace=False)
        )
        X, y = X[chosen], y[chosen]
    if kind == "decisions":
        X, y = consistent(X, y)
    varies = np.ptp(X, axis=0) > 0
    domains = (
        domains[varies] if kind == "columns" else np.zeros(np.count_nonzero(varies), dtype=int)
    )
    return (
        np.ascontiguousarray(X[:, varies]),
        np.unique(y, return_inverse=True)[1].astype(np.int64),
        domains,
    )


def consistent(X, y):
    """Every distinct row once, with the most common of its classes, the lowest among equals.

    >>> consistent(np.array([[0, 1], [0, 1], [1, 1]]), np.array([1, 0, 1]))
    (array([[0, 1],
           [1, 1]]), array([0, 1]))
    """
    rows, place = np.unique(X, axis=0, return_inverse=True)
    counts = np.zeros((len(rows), y.max() + 1), dtype=int)
    np.add.at(counts, (place.ravel(), y), 1)
    return rows, counts.argmax(axis=1)
