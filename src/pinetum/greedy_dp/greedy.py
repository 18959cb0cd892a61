"""Costs of the greedy trees of a table, by whichever kernel suits its size."""

import numpy as np

from pinetum.data.dataset import Dataset
from pinetum.greedy_dp.building import tree_of
from pinetum.greedy_dp.costs import COSTS, HEURISTICS
from pinetum.greedy_dp.encoding import Encoded
from pinetum.greedy_dp.kernels.constants import N_HEURISTICS, N_MEASURES
from pinetum.greedy_dp.kernels.greedy_any import greedy_trees
from pinetum.greedy_dp.kernels.greedy_rows import (
    choose_by_histogram,
    greedy_trees_of_rows,
    histogram_of,
)
from pinetum.greedy_dp.kernels.impurity import logarithms
from pinetum.greedy_dp.tables import DecisionTable
from pinetum.trees import Tree

MANY = 4096  # rows above which rows are counted instead of row sets


def greedy_costs(table: DecisionTable | Encoded, heuristics=None) -> np.ndarray:
    """Costs of the greedy trees of a decision table.

    Parameters
    ----------
    table : DecisionTable
    heuristics : list of keys of HEURISTICS, optional
        Those that are wanted; all if None. The lines of others are zero.

    Returns
    -------
    array of int64, (heuristics, costs)
        In the order of HEURISTICS and COSTS; the total path length in the place of the average
        depth.

    Examples
    --------
    >>> from pinetum.greedy_dp.tables import decision_table
    >>> table = decision_table([[0, 0, 1, 1], [0, 1, 0, 1]], [0, 1, 1, 0])
    >>> greedy_costs(table)[0].tolist()
    [8, 2, 7, 3, 4]
    """
    encoded, table = (table, table.table) if isinstance(table, Encoded) else (None, table)
    unknown = [name for name in heuristics or () if name not in HEURISTICS]
    if unknown:
        raise ValueError(
            f"heuristic {unknown[0]!r} is unknown; allowed are {', '.join(HEURISTICS)}"
        )
    wanted = np.uint64(sum(1 << HEURISTICS[name].place for name in heuristics or HEURISTICS))
    costs = np.empty((N_HEURISTICS, len(COSTS)), dtype=np.int64)
    if table.n_rows > MANY and table.single and (table.weight == 1).all():
        rows, sizes = packed_rows(table)
        greedy_trees_of_rows(
            rows,
            np.empty_like(rows),
            sizes,
            table.first,
            table.price,
            slack_of(table),
            wanted,
            logarithms(table.n_rows),
            costs,
        )
        return costs
    encoded = encoded or Encoded.of(table)
    greedy_trees(encoded.everything, encoded.problem, logarithms(table.n_rows), costs)
    for name, heuristic in HEURISTICS.items():
        if heuristics is not None and name not in heuristics:
            costs[heuristic.place] = 0
    return costs


def slack_of(table):
    share = table.alpha_share
    return np.array([table.alpha_rows, share.numerator, share.denominator], dtype=np.int64)


def packed_rows(table):
    """(rows as words with a bit for every value but the first, by decision.

    Rows of each decision).
    """
    order = np.argsort(table.decisions, kind="stable")
    columns = [
        table.codes[a] == v for a in range(table.n_attributes) for v in range(1, table.arity[a])
    ]
    columns += [table.decisions == c for c in range(1, table.n_decisions)]
    width = max(1, -(-len(columns) // 64))
    rows = np.zeros((table.n_rows, width), dtype=np.uint64)
    for place, column in enumerate(columns):
        rows[:, place // 64] |= column[order].astype(np.uint64) << np.uint64(place % 64)
    return rows, np.bincount(table.decisions, minlength=table.n_decisions).astype(np.int64)


def greedy_choice(table: DecisionTable, heuristic: int):
    """What `tree_of` takes: the attribute that a heuristic (its place) tests first for some
    rows.
    """
    kinds = (
        np.unique(table.answers.T, axis=0, return_inverse=True)[1].ravel()
        if not table.single
        else table.decisions
    )
    histogram = np.empty((int(table.arity.sum()), int(kinds.max()) + 1), dtype=np.int64)
    n_log_n, first = logarithms(table.n_rows), table.first
    measured, impurity, least = np.empty(N_MEASURES), np.empty(N_HEURISTICS), np.empty(N_HEURISTICS)
    choice = np.empty(N_HEURISTICS, dtype=np.int64)
    kinds = kinds.astype(np.int64)

    def choose(rows, key):
        histogram_of(table.codes, kinds, rows, first, histogram)
        choose_by_histogram(histogram, first, n_log_n, measured, impurity, least, choice)
        return int(choice[heuristic]), {}

    return choose


def greedy_tree(
    table: DecisionTable, heuristic="w_sum gini", names: Dataset | None = None, *, counts="rows"
) -> Tree:
    """The tree of a greedy heuristic (a key of HEURISTICS) for a decision table.

    Examples
    --------
    >>> from pinetum.greedy_dp.tables import decision_table
    >>> greedy_tree(decision_table([[0, 0, 1, 1], [0, 1, 0, 1]], [0, 1, 1, 1]), "sum rt").sizes.leaves
    3
    """  # noqa: E501
    if heuristic not in HEURISTICS:
        raise ValueError(f"heuristic {heuristic!r} is unknown; allowed are {', '.join(HEURISTICS)}")
    return tree_of(
        table, greedy_choice(table, HEURISTICS[heuristic].place), None, names, counts=counts
    )
