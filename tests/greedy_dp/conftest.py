"""Slow, obvious twins of the kernels, and small tables full of ties."""

import itertools
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from pinetum.greedy_dp.tables import decision_table

PATH, DEPTH = 0, 1


class Twin:
    """Trees by the paper's definitions, on tables as lists of (values, decision)."""

    @staticmethod
    def rows_of(table):
        return [
            (tuple(values), int(decision))
            for values, decision in zip(table.codes.T, table.decisions, strict=True)
        ]

    @staticmethod
    def split(rows, a):
        parts = {}
        for row in rows:
            parts.setdefault(row[0][a], []).append(row)
        return list(parts.values())

    @classmethod
    def splits(cls, rows):
        m = len(rows[0][0])
        return [(a, parts) for a in range(m) if len(parts := cls.split(rows, a)) > 1]

    @staticmethod
    def own(rows, branches):
        """Costs of a node above branches: path length, depth, nodes, nonterminal and terminal
        nodes.
        """
        sums = [sum(column) for column in zip(*branches, strict=True)]
        return (
            len(rows) + sums[0],
            1 + max(branch[1] for branch in branches),
            1 + sums[2],
            1 + sums[3],
            sums[4],
        )

    @classmethod
    def all_trees(cls, rows):
        """Number of trees for every vector of costs: every tree is counted once."""
        if len({decision for _, decision in rows}) == 1:
            return Counter({(0, 0, 1, 0, 1): 1})
        found = Counter()
        for _, parts in cls.splits(rows):
            for choice in itertools.product(*(cls.all_trees(part).items() for part in parts)):
                found[cls.own(rows, [costs for costs, _ in choice])] += math.prod(
                    count for _, count in choice
                )
        return found

    @classmethod
    def minima(cls, rows, memo=None):
        memo = {} if memo is None else memo
        key = frozenset(rows)
        if key not in memo:
            if len({decision for _, decision in rows}) == 1:
                memo[key] = (0, 0, 1, 0, 1)
            else:
                trials = [
                    cls.own(rows, [cls.minima(part, memo) for part in parts])
                    for _, parts in cls.splits(rows)
                ]
                memo[key] = tuple(min(column) for column in zip(*trials, strict=True))
        return memo[key]

    @staticmethod
    def uncertainty(rows, measure):
        counts = Counter(decision for _, decision in rows).values()
        n = len(rows)
        if measure == "ent":
            return -sum(count / n * math.log2(count / n) for count in counts)
        if measure == "gini":
            return 1 - sum(Fraction(count, n) ** 2 for count in counts)
        if measure == "me":
            return n - max(counts)
        return sum(one * two for one, two in itertools.combinations(counts, 2))

    @classmethod
    def impurity(cls, parts, kind, measure):
        n = sum(map(len, parts))
        values = [cls.uncertainty(part, measure) for part in parts]
        if kind.startswith("w_"):
            values = [
                value * Fraction(len(part), n) for value, part in zip(values, parts, strict=True)
            ]
        return sum(values) if kind.endswith("sum") else max(values)

    @classmethod
    def greedy(cls, rows, kind, measure):
        if len({decision for _, decision in rows}) == 1:
            return (0, 0, 1, 0, 1)
        best, chosen = None, None
        for _, parts in cls.splits(rows):
            value = cls.impurity(parts, kind, measure)
            if best is None or value < best - 1e-12:
                best, chosen = value, parts
        return cls.own(rows, [cls.greedy(part, kind, measure) for part in chosen])


@pytest.fixture(scope="session")
def twin():
    return Twin


@pytest.fixture(scope="session")
def small_tables():
    """`small_tables(count, rows, attributes, values, decisions)`: int8 tables, a seed for each."""

    def draw(count, rows, attributes, values, decisions, seed=0):
        rng = np.random.default_rng([seed, rows, attributes, values, decisions])
        tables = rng.integers(0, values, size=(count, rows, attributes + 1)).astype(np.int8)
        tables[:, :, -1] = rng.integers(0, decisions, size=(count, rows))
        return tables

    return draw


@pytest.fixture(scope="session")
def as_decision_table():
    def convert(drawn, values, decisions):
        width = drawn.shape[1] - 1
        return decision_table(
            drawn[:, :-1].T, drawn[:, -1], arity=[values] * width, n_decisions=decisions
        )

    return convert
