"""Costs of the greedy trees of a table, by whichever kernel suits its size."""

import time
from collections.abc import Callable

import numpy as np

from pinetum.data.dataset import Dataset
from pinetum.greedy_dp.building import tree_of
from pinetum.greedy_dp.costs import COSTS, HEURISTICS
from pinetum.greedy_dp.encoding import Encoded
from pinetum.greedy_dp.kernels import greedy_any, greedy_rows
from pinetum.greedy_dp.kernels.constants import N_HEURISTICS, N_MEASURES
from pinetum.greedy_dp.kernels.impurity import Choice
from pinetum.greedy_dp.tables import DecisionTable
from pinetum.kernels.logarithms import n_log_n
from pinetum.progress import look
from pinetum.trees import Tree

MANY = 4096  # rows above which rows are counted instead of row sets
ENDLESS = 2**62  # work of what must be ended
STRETCH = 20_000_000  # work between two looks at the clock
FIRST_ENTRIES = 1024  # of the log
SAMPLED, CELLS = 64, 100_000  # attributes, or cells, of which `halves` takes the best attribute


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
    unknown = [name for name in heuristics or () if name not in HEURISTICS]
    if unknown:
        raise ValueError(
            f"heuristic {unknown[0]!r} is unknown; allowed are {', '.join(HEURISTICS)}"
        )
    trees = GreedyTrees(table, heuristics)
    trees.grow()
    return trees.costs


class GreedyTrees:
    """The trees of many heuristics, grown at once, as far as the work goes.

    keeps    whether what the trees test is kept, for `tree`
    encode   gives the row sets of a table, where they are wanted
    costs    (heuristics, costs) once they are grown
    """

    def __init__(
        self, table: DecisionTable | Encoded, heuristics=None, *, keeps=False, encode=Encoded.of
    ):
        encoded, table = (table, table.table) if isinstance(table, Encoded) else (None, table)
        wanted = [HEURISTICS[name].place for name in heuristics or HEURISTICS]
        self.costs = np.zeros((N_HEURISTICS, len(COSTS)), dtype=np.int64)
        self.controls = np.zeros(1, dtype=greedy_any.CONTROL)
        self.controls["waiting"] = 1
        self._log = new_log(FIRST_ENTRIES if keeps else 0)
        group = sum(1 << place for place in wanted)
        self._kernel: Callable = greedy_any.greedy_trees
        if encoded is None and table.n_rows > MANY and table.single and (table.weight == 1).all():
            self._kernel = greedy_rows.greedy_trees_of_rows
            self._given = rows_to_grow(table)
        else:
            self._given = sets_to_grow(encoded or encode(table))
        waiting = self._given[2]
        waiting.level[0], waiting.group[0], waiting.above[0], waiting.value[0] = 0, group, -1, -1

    def grow(self, work=ENDLESS, latest=float("inf")) -> str:
        """Go on with the trees: grown, or work_limit, time_limit, interrupted."""
        control = self.controls[0]
        until = min(ENDLESS, int(control["work"]) + work)
        while True:
            pause = min(int(control["work"]) + STRETCH, until)
            ending = self._kernel(*self._given, self._log, self.costs, self.controls, pause)
            if ending == greedy_any.GROWN:
                return "grown"
            if ending == greedy_any.FULL:
                self._log = new_log(2 * len(self._log.attribute), self._log)
            elif control["work"] >= until:
                return "work_limit"
            elif time.process_time() > latest:
                return "time_limit"
            elif until < ENDLESS and look(lambda: "the greedy trees grow"):
                return "interrupted"

    def tree(self, heuristic: int):
        """(choose, key): what `tree_of` takes for the tree of a heuristic (its place)."""
        logged = int(self.controls["logged"][0])
        own = np.flatnonzero(self._log.group[:logged] >> np.uint64(heuristic) & np.uint64(1))
        attribute, above, value = self._log.attribute, self._log.above, self._log.value
        below: dict[int, dict[int, int]] = {}
        for entry, up, v in zip(
            own.tolist(), above[own].tolist(), value[own].tolist(), strict=True
        ):
            below.setdefault(up, {})[v] = entry

        def choose(rows, entry):
            return int(attribute[entry]), below.get(entry, {})

        return choose, int(own[0]) if len(own) else None


def new_log(entries, old=None) -> greedy_any.Log:
    """A log with room for so many entries, those of an old one kept."""
    log = greedy_any.Log(
        attribute=np.empty(entries, dtype=np.int32),
        group=np.empty(entries, dtype=np.uint64),
        above=np.empty(entries, dtype=np.int64),
        value=np.empty(entries, dtype=np.int32),
    )
    for new, before in zip(log, old or (), strict=False):
        new[: len(before)] = before
    return log


def new_choice(kinds) -> Choice:
    return Choice(
        counts=np.empty(kinds, dtype=np.int64),
        measured=np.empty(N_MEASURES),
        impurity=np.empty(N_HEURISTICS),
        least=np.empty(N_HEURISTICS),
        attribute=np.zeros(N_HEURISTICS, dtype=np.int64),
    )


def sets_to_grow(encoded):
    """What the kernel for row sets takes before its log."""
    table, problem, words = encoded.table, encoded.problem, len(encoded.everything)
    tests = min(table.n_attributes, table.n_rows)  # of a path: an attribute splits once on it
    # An attribute splits once on a path, and one subtable gives way to the branches of no more
    # attributes than there are heuristics. Untouched pages cost no memory.
    room = (tests + 1) * N_HEURISTICS * encoded.widest + 1
    waiting = greedy_any.Waiting(
        sets=np.empty((room, words), dtype=np.uint64),
        level=np.empty(room, dtype=np.int64),
        group=np.empty(room, dtype=np.uint64),
        above=np.empty(room, dtype=np.int64),
        value=np.empty(room, dtype=np.int64),
    )
    waiting.sets[0] = encoded.everything
    scratch = greedy_any.Room(
        rows=np.empty(words, dtype=np.uint64),
        answered=np.empty(len(problem.decisions), dtype=np.int64),
        choice=new_choice(len(problem.kinds)),
    )
    return problem, n_log_n(table.n_rows, np.log2), waiting, scratch


def rows_to_grow(table):
    """What the kernel for packed rows takes before its log."""
    rows, sizes = packed_rows(table)
    first, m, decisions = table.first, table.n_attributes, len(sizes)
    widest = max(2, int(table.arity.max()))
    tests = min(m, table.n_rows)
    # An attribute splits once on a path: a level leaves no more tasks than one for every heuristic
    # and one for every branch.
    room = (tests + 2) * (N_HEURISTICS + widest)
    tasks = greedy_rows.Tasks(
        begin=np.empty(room, dtype=np.int64),
        counts=np.empty((room, decisions), dtype=np.int64),
        level=np.empty(room, dtype=np.int64),
        group=np.empty(room, dtype=np.uint64),
        attribute=np.empty(room, dtype=np.int64),
        above=np.empty(room, dtype=np.int64),
        value=np.empty(room, dtype=np.int64),
    )
    tasks.begin[0], tasks.counts[0], tasks.attribute[0] = 0, sizes, -1
    most = max(widest, decisions)
    scratch = greedy_rows.Room(
        buffer=np.empty_like(rows),
        histogram=np.empty((int(first[m]), decisions), dtype=np.int64),
        planes=np.empty(greedy_rows.PLANES, dtype=np.uint64),
        own=np.empty(decisions, dtype=np.int64),
        whole=np.empty(1, dtype=np.int64),
        starts=np.empty(most + 1, dtype=np.int64),
        tally=np.empty((most, decisions), dtype=np.int64),
        choice=new_choice(decisions),
    )
    columns = greedy_rows.Columns(
        rows=rows,
        first=first,
        place=np.concatenate([[0], np.cumsum(table.arity - 1)]).astype(np.int64),
        price=table.price,
        slack=slack_of(table),
    )
    return columns, n_log_n(table.n_rows, np.log2), tasks, scratch


def halves(table: DecisionTable):
    """(choose, key) of a tree that is quickly found: tests that part the rows most evenly.

    Of large subtables only some attributes are looked at, or some more if none of them parts it.
    """

    def largest_branches(rows, attributes):
        """Rows of the largest branch of each attribute."""
        start = np.concatenate([[0], np.cumsum(table.arity[attributes])])
        places = table.codes[np.ix_(attributes, rows)] + start[:-1, None]
        counts = np.bincount(places.ravel(), minlength=start[-1])
        return np.maximum.reduceat(counts, start[:-1])

    chosen: dict[bytes, int] = {}

    def choose(rows, key):
        known = rows.tobytes()
        if known not in chosen:
            chosen[known] = attribute_of(rows)
        return chosen[known], {}

    def attribute_of(rows):
        m = table.n_attributes
        steps = max(1, min(m // SAMPLED, m * len(rows) // CELLS))
        for first in range(steps):
            attributes = np.arange(first, m, steps)
            most = largest_branches(rows, attributes)
            if most.min() < len(rows):
                return int(attributes[most.argmin()])
        raise ArithmeticError("two rows of a decision table are equal")

    return choose, None


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
    trees = GreedyTrees(table, [heuristic], keeps=True)
    trees.grow()
    choose, key = trees.tree(HEURISTICS[heuristic].place)
    return tree_of(table, choose, key, names, counts=counts)
