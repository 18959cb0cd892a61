"""Generated tables in the place of data that were not found, or are too large to be fetched.

They have the published numbers of cases, features and values, and a signal that trees can learn;
they serve for speed and for exercising the code and are never compared with published numbers.
"""

import numpy as np

from pinetum.data.dataset import Dataset
from pinetum.randomness import stream


def make(name, options) -> Dataset:
    """The stand-in called `name`, from the streams `("standin", name, ...)` of
    `options["seed"]`.
    """
    rng = stream(options["seed"], "standin", name)
    columns, labels, class_names = _MAKERS[name](rng)
    codes = np.empty((len(columns), len(labels)), dtype=np.int32)
    values = []
    for feature, column in enumerate(columns):
        domain, codes[feature] = _ranked(column)
        values.append(
            domain if column.dtype.kind == "f" else tuple(f"v{value}" for value in domain)
        )
    return Dataset(
        name=name,
        codes=codes,
        labels=labels.astype(np.int32),
        continuous=np.array([column.dtype.kind == "f" for column in columns]),
        values=tuple(values),
        feature_names=tuple(f"x{number}" for number in range(1, len(columns) + 1)),
        class_names=class_names,
    )


def _ranked(column):
    """Distinct values and rank codes.

    A table look-up instead of a sort where values are whole tenths.
    """
    tenths = np.rint(column * 10).astype(np.int64)
    low = tenths.min()
    seen = np.bincount(tenths - low) > 0
    domain = (np.flatnonzero(seen) + low) / 10
    codes = (np.cumsum(seen) - 1)[tenths - low]
    if column.dtype.kind != "f":
        return domain.astype(np.int64), codes
    return (
        (domain, codes)
        if np.array_equal(domain[codes], column)
        else np.unique(column, return_inverse=True)
    )


def _top(score, count):
    """1 for the `count` highest scores."""
    labels = np.zeros(len(score), dtype=np.int64)
    labels[np.argsort(-score, kind="stable")[:count]] = 1
    return labels


def _stars(cases, positives, distance):
    """Two clouds of 14 correlated measures, `distance` standard deviations apart along one
    direction.
    """

    def make_stars(rng):
        labels = rng.permutation(np.arange(cases) < positives).astype(np.int64)
        mixing = rng.normal(size=(14, 14)) / np.sqrt(14) + np.eye(14)
        direction = rng.normal(size=14)
        direction /= np.linalg.norm(direction)
        points = rng.normal(size=(cases, 14)) + np.outer(labels * distance, direction)
        points[:, :4] += 0.3 * points[:, 4:8] ** 2  # bent, so that one cut does not do
        return list(np.round(points @ mixing, 3).T), labels, ("star", "galaxy")

    return make_stars


def _customers(rng):
    """147 attributes of 3,470 customers: flags, counts and shares around eight habits.

    14 are constant or copies.
    """
    cases = 1979 + 1491
    habits = rng.normal(size=(cases, 8))
    columns = []
    for number in range(147):
        habit = habits[:, rng.integers(8)] * rng.choice([-1.0, 1.0]) + rng.normal(
            size=cases
        ) * rng.uniform(0.5, 2.0)
        if number >= 133:
            columns.append(np.zeros(cases) if number % 2 else columns[number - 100].copy())
        elif number % 3 == 0:
            columns.append((habit > rng.normal()).astype(np.float64))
        elif number % 3 == 1:
            columns.append(np.floor(np.exp(np.clip(habit, -4, 4))))
        else:
            columns.append(np.round(1 / (1 + np.exp(-habit)), 3))
    score = 1.4 * habits[:, 0] - habits[:, 1] + np.abs(habits[:, 2]) + rng.normal(size=cases) * 0.8
    return columns, _top(score, 1709), ("young", "old")


def _genotypes(cases, positives, arities):
    """Discrete markers; a handful shift the odds of the class."""

    def make_genotypes(rng):
        counts = arities(rng)
        columns, score = [], rng.normal(size=cases)
        for number, arity in enumerate(counts):
            share = rng.dirichlet(np.full(arity, 3.0))
            column = rng.choice(arity, size=cases, p=share)
            column[rng.permutation(cases)[:arity]] = np.arange(arity)  # every value is seen
            columns.append(column)
            if number % 12 == 3:
                score += 0.8 * rng.normal(size=arity)[column]
        return columns, _top(score, positives), ("control", "case")

    return make_genotypes


def _digits(rng):
    """5,000 pixel-like features from 0 to 999, about one in eight lit.

    150 depend on the class, all on a hand of 12.
    """
    cases, features = 7000, 5000
    labels = rng.permutation(np.arange(cases) % 2)
    hands = rng.integers(12, size=cases)
    columns = []
    for number in range(features):
        lit = np.clip(rng.beta(0.6, 4.0) + rng.normal(size=12) * 0.06, 0, 1)[hands]
        if number % 33 == 7:
            lit = np.clip(lit + rng.uniform(0.05, 0.35) * (labels - 0.5), 0, 1)
        where = np.flatnonzero(rng.random(cases, dtype=np.float32) < lit)
        column = np.zeros(cases)
        column[where] = np.ceil(999 * np.sqrt(rng.random(len(where))))
        columns.append(column)
    return columns, labels, ("-1", "1")


def _mutants(rng):
    """5,408 measures of 31,420 mutants around 40 hidden factors, to one decimal; 151 are active."""
    cases, features = 31420, 5408
    factors = rng.normal(size=(40, cases)).astype(np.float32)
    score = factors[0] * factors[1] + factors[2] + np.maximum(factors[3], factors[4])
    score += 0.3 * rng.normal(size=cases).astype(np.float32)
    seed = int(rng.integers(2**31))

    def column(number):
        own = stream(seed, "feature", number)
        weight = np.float32(own.uniform(0.4, 1.0))
        mixed = weight * factors[number % 40] + own.standard_normal(
            cases, dtype=np.float32
        ) * np.float32(0.7)
        return np.clip(np.round(mixed * 20), -120, 120).astype(np.float64) / 10

    return _Lazy(column, features), _top(score, 151), ("inactive", "active")


class _Lazy:
    """Columns made when they are asked for: all at once would need 1.4 GB more."""

    def __init__(self, make_column, count):
        self.make_column, self.count = make_column, count

    def __len__(self):
        return self.count

    def __getitem__(self, number):
        if number >= self.count:
            raise IndexError(number)
        return self.make_column(number)


_MAKERS = {
    "database-marketing_standin": _customers,
    "dim_standin": _stars(4192, 2096, 3.2),
    "bright_standin": _stars(2462, 1231, 5.0),
    "prostate-snp_standin": _genotypes(81, 44, lambda rng: rng.permutation([3] * 32 + [2] * 15)),
    "breast-snp_standin": _genotypes(332, 174, lambda rng: np.full(98, 4)),
    "gisette_standin": _digits,
    "p53_standin": _mutants,
}
