"""Least cost of a decision table by whichever way gets there, and a tree that has it."""

import math
import time
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from pinetum.data.dataset import Dataset
from pinetum.greedy_dp.branch_and_bound import GreedyTop, Interval, Searcher
from pinetum.greedy_dp.building import costs_of_tree, tree_of
from pinetum.greedy_dp.costs import COSTS, Cost, cost_of
from pinetum.greedy_dp.encoding import MOST_PAIRED, Effort, Encoded
from pinetum.greedy_dp.greedy import ENDLESS, GreedyTrees, halves
from pinetum.greedy_dp.kernels import minima_any
from pinetum.greedy_dp.optimum import Graph, Limits, build, fits, minima
from pinetum.greedy_dp.tables import DecisionTable
from pinetum.parameters import LARGEST, Words, check
from pinetum.progress import is_stopped
from pinetum.trees import Tree

WAYS = {
    "auto": (
        "short attempts of both; where neither ends, branch and bound; then dynamic programming"
        " again"
    ),
    "graph": "dynamic programming over all subtables: every cost at once",
    "branch": "branch and bound, one cost at a time",
}
PROBE = 50_000  # most subtables of the first, short dynamic programming ...
PROBE_WORDS = 20_000_000  # ... and most words of row sets that it reads
GLANCE = 5_000  # subtables, and ...
# ... words of row sets that dynamic programming may take before branch and bound is tried
GLANCE_WORDS = 2_000_000
# Work of that first try at most: half a second or so; and what pairs of rows may take anyway.
SHORT = 100_000_000
SHORT_ROWS = 2_000  # rows up to which it is made: pairs of rows must be compared
FEW_SUBTABLES = 1_000_000  # a table that can have no more is left to dynamic programming at once
WORK = 2_000_000_000  # of a search for one cost: two to ten seconds
IMPROVING = 0.2  # share of the work for better trees where the optimum was not reached
SMALLEST = 8  # rows from which local improvement begins
SOME_ROWS = 4096  # that bound a table which is too large for pairs of rows
TOPS = 4  # heuristics whose trees it starts from, the best first


@dataclass
class Minimum:
    """The least cost of a table's trees, or a proven interval, and a tree with the upper end of it.

    status   optimal, work_limit, memory_limit, time_limit or interrupted
    way      graph, branch, greedy or halves: how the tree was found
    """

    cost: Cost
    low: int
    high: int
    status: str
    way: str
    work: int = 0
    expansions: int = 0
    megabytes: float = 0.0
    seconds: float = 0.0
    _tree: Any = field(default=None, repr=False)
    _table: Any = field(default=None, repr=False)

    @property
    def value(self) -> float:
        """What the tree costs in the user's units.

        The average depth in place of the path length.
        """
        return self.in_units(self.high)

    @property
    def bound(self) -> float:
        """What no tree goes below, in the user's units."""
        return self.in_units(self.low)

    def in_units(self, cost) -> float:
        return cost / int(self._table.weight.sum()) if self.cost.path else cost

    @property
    def gap(self) -> float:
        """(high - low) / low; 0 where the minimum is proved."""
        return relative_gap(self.low, self.high)

    def tree(self, names: Dataset | None = None, *, counts="rows") -> Tree:
        """A tree that costs `high`; its costs are counted again before it is given out."""
        choose, key = self._tree
        tree = tree_of(self._table, choose, key, names, counts=counts)
        found = int(costs_of_tree(self._table, tree)[self.cost.place])
        if found != self.high:
            raise ArithmeticError(
                f"a tree of {self.cost.label} {found} where {self.high} was found"
            )
        return tree


def relative_gap(low, high) -> float:
    return (high - low) / low if low else float(high > 0)


class Minimizer:
    """All ways to the minima of one table; what one finds, the next one uses.

    Parameters
    ----------
    table : DecisionTable
    way : {"auto", "graph", "branch"}
    memory_mb : float
        Bound on the arrays of a search.
    work : int
        Of branch and bound for one cost: some 10^8 a second.
    time_limit : float
        CPU seconds for one cost. Results then depend on the machine; `work` does not.

    Examples
    --------
    >>> from pinetum.greedy_dp.tables import decision_table
    >>> table = decision_table([[0, 0, 1, 1], [0, 1, 0, 1]], [0, 1, 1, 0])
    >>> Minimizer(table).minimum("depth").high
    2
    """

    def __init__(
        self,
        table: DecisionTable,
        *,
        way="auto",
        memory_mb=100.0,
        work=WORK,
        time_limit=float("inf"),
    ):
        check(
            {"way": Words(tuple(WAYS))},
            way=way,
            memory_mb=memory_mb,
            work=work,
            time_limit=time_limit,
        )
        if int(table.weight.sum()) * max(1, int(table.price.sum())) > 2**52:
            raise ValueError(
                "weights and prices are too large: their sums multiply to more than 2^52"
            )
        self.table, self.way, self.memory_mb = table, way, memory_mb
        self.work = LARGEST if work is None else int(work)
        self.time_limit = float("inf") if time_limit is None else float(time_limit)
        self.graph: Any = None  # a Graph, when it was first asked for
        self._encoded: Encoded | None = None
        self._plain: Encoded | None = None
        self._trees: GreedyTrees | None = None  # the greedy ones, ...
        self._grown = ""  # ... and how their growing ended
        self._halves: Any = None  # a tree that is quickly found, and its costs
        self._latest = float("inf")
        self._known: dict[str, Minimum] = {}
        self._probed = False

    @property
    def encoded(self) -> Encoded:
        if self._encoded is None:
            effort = Effort(max(self.work, SHORT), self._latest)
            pairs = not is_stopped() and time.process_time() < self._latest
            self._encoded = Encoded.of(self.table, pairs=pairs, effort=effort, plain=self._plain)
        return self._encoded

    def _without_pairs(self, table) -> Encoded:
        """The row sets of the table, made once."""
        if self._plain is None:
            self._plain = Encoded.of(table)
        return self._plain

    @property
    def greedy(self) -> np.ndarray:
        """(heuristics, costs) of all greedy trees, however long they take."""
        self._grow(ENDLESS, float("inf"))
        return self._greedy_trees().costs

    def _greedy_trees(self) -> GreedyTrees:
        if self._trees is None:
            self._trees = GreedyTrees(self.table, keeps=True, encode=self._without_pairs)
        return self._trees

    def _grow(self, work, latest) -> bool:
        """Whether all greedy trees are known, once they were given so much work together."""
        if self._grown != "grown":
            trees = self._greedy_trees()
            self._grown = trees.grow(max(0, work - int(trees.controls["work"][0])), latest)
        return self._grown == "grown"

    def _start(self, cost) -> Minimum:
        """The tree that a search begins with: the best greedy one.

        Where the greedy trees would take more work than the search may, one that is quickly found.
        """
        way, place = "greedy", cost.place
        if self._grow(self.work, self._latest):
            trees = self._greedy_trees()
            heuristic = int(trees.costs[:, place].argmin())
            high, tree = int(trees.costs[heuristic, place]), trees.tree(heuristic)
        else:
            way = "halves"
            if self._halves is None:
                tree = halves(self.table)
                plain = replace(self.table, feature=None, cut=None)  # needs no names
                self._halves = tree, costs_of_tree(plain, tree_of(plain, *tree))
            tree, high = self._halves[0], int(self._halves[1][place])
        return Minimum(cost, 0, high, "optimal", way, _table=self.table, _tree=tree)

    def minimum(self, cost) -> Minimum:
        """One cost.

        Where dynamic programming does not end at a glance, branch and bound has the first try.
        """
        cost = cost_of(cost)
        if cost.symbol not in self._known:
            began = time.process_time()
            self._latest = began + self.time_limit
            found = self._find(cost)
            found.seconds = time.process_time() - began
            self._known[cost.symbol] = found
        return self._known[cost.symbol]

    def all_minima(self) -> dict[str, Minimum]:
        """Every cost. Dynamic programming, which minimises all at once, has the first try."""
        if self.way == "auto" and not self._known:
            began = time.process_time()
            self._probe()
            first = self.minimum(next(iter(COSTS)))
            first.seconds = time.process_time() - began
        return {symbol: self.minimum(symbol) for symbol in COSTS}

    def _find(self, cost) -> Minimum:
        if self.way == "branch":
            return self._branch(cost)
        if self.way == "auto" and not self._probed and self.table.n_rows <= SHORT_ROWS:
            if self.graph is None:
                self.graph = self._build(self._affordable(GLANCE_WORDS, GLANCE))
            if self.graph.status != "ok":
                found = self._branch(cost, self._short())
                if found.status != "work_limit":
                    return found
        self._probe()
        if self.way == "graph" or self.graph.status == "ok":
            return self._from_graph(cost)
        found = self._branch(cost)
        if found.status in ("optimal", "interrupted") or not fits(self.table):
            return found
        most = self._affordable(self.work)
        if (
            self.graph.status != "full" and most > 2 * self.graph.n_nodes
        ):  # once, for every cost that is left
            self.graph = self._build(most)
            if self.graph.status == "ok":
                return self._from_graph(cost)
            self.graph.status = "full"
        low = int(minima(self.graph)[cost.place])
        found.low = max(found.low, min(low, found.high))
        found.status = "optimal" if found.low == found.high else found.status
        return found

    def _probe(self):
        """Dynamic programming where a table can have few subtables only, else the beginning of it.

        Once.
        """
        if not self._probed and (self.graph is None or self.graph.status != "ok"):
            probe = self.way == "auto" and self._most_subtables() > FEW_SUBTABLES
            self.graph = self._build(self._affordable(PROBE_WORDS, PROBE) if probe else None)
        self._probed = True

    def _most_subtables(self) -> int:
        """At most, or a number beyond every limit."""
        return math.prod(int(arity) + 1 for arity in self.table.arity[:62])

    def _short(self) -> int:
        """Work of a first try: no more than dynamic programming could take at worst."""
        effort = int(self.table.arity.sum()) * (-(-self.table.n_rows // 64) + 32)
        return min(SHORT, self.work // 4, self._most_subtables() * effort // 8)

    def _affordable(self, work, most=2**40) -> int:
        """Subtables that dynamic programming expands with so much work."""
        effort = int(self.table.arity.sum()) * -(-self.table.n_rows // 64)
        return max(100, min(most, work // effort))

    def _build(self, most_nodes) -> Graph:
        if not fits(self.table):
            if self.way == "graph":
                raise ValueError(
                    "weights and prices are too large for the graph; take the way `branch`"
                )
            most_nodes = 1
        left = max(0.0, self._latest - time.process_time())
        limits = Limits(self.memory_mb, left)
        return build(self.table, limits, most_nodes=most_nodes, encode=self._without_pairs)

    def _from_graph(self, cost) -> Minimum:
        graph, place = self.graph, cost.place
        low = int(minima(graph)[place])
        if graph.status != "ok":
            found = self._start(cost)
            found.low, found.megabytes = min(low, found.high), graph.peak_mb
            found.status = "optimal" if found.low == found.high else graph.status
            return found

        def choose(rows, key):
            words = graph.encoded.words_of(rows)
            a = kernels_best(words, place, graph)
            return a, {}

        return Minimum(
            cost,
            low,
            low,
            "optimal",
            "graph",
            expansions=int(graph.progress["expansions"][0]),
            megabytes=graph.peak_mb,
            _table=self.table,
            _tree=(choose, None),
        )

    def _branch(self, cost, short=None) -> Minimum:
        """With `short`, a try with so much work that does not look for a better tree if it
        fails.
        """
        latest, found = self._latest, self._start(cost)
        searcher = Searcher(self.encoded, cost, memory_mb=self.memory_mb)
        root = self.encoded.everything
        share = int(self.work * (1 - IMPROVING)) if short is None else short
        interval = searcher.solve(root, high=found.high, work=share, latest=latest)
        found.low = interval.low
        found.work, found.expansions, found.megabytes = (
            interval.work,
            interval.expansions,
            searcher.megabytes,
        )
        if interval.attribute >= 0 and interval.high is not None:
            found.high, found.way = interval.high, "branch"
            found._tree = exact_tree(searcher, interval)
            return found
        if self.table.n_rows > MOST_PAIRED:
            found.low = max(found.low, self._bound_of_some_rows(cost, latest))
        if found.low == found.high:
            return found
        found.status = "time_limit" if time.process_time() > latest else "work_limit"
        if self.table.n_rows <= MOST_PAIRED and short is None and self._grown == "grown":
            self._improve(searcher, found, self.work - interval.work, latest)
        if is_stopped() and found.low < found.high:
            found.status = "interrupted"
        return found

    def _bound_of_some_rows(self, cost, latest) -> int:
        """A bound from a part of the rows, whose trees cost no more: a tree for all, cut down, is
        one of them.
        """
        table = self.table
        if table.alpha_share:
            return 0
        rows = np.unique(np.linspace(0, table.n_rows - 1, SOME_ROWS).astype(np.int64))
        codes, answers = (
            np.ascontiguousarray(part[:, rows]) for part in (table.codes, table.answers)
        )
        part = replace(
            table, codes=codes, answers=answers, votes=table.votes[rows], weight=table.weight[rows]
        )
        left = max(0.0, latest - time.process_time())
        least = Minimizer(
            part, way="branch", work=self.work // 2, memory_mb=self.memory_mb, time_limit=left
        )
        low = least.minimum(cost).low
        rest = int(table.weight.sum() - part.weight.sum()) * int(table.price.min())
        return low + (rest if cost.path and low else 0)

    def _improve(self, searcher, found, work, latest):
        """Exact trees below the tops of the heuristics' trees, from small subtables to large
        ones.
        """
        place, everything = found.cost.place, self.encoded.everything
        order = np.argsort(self._greedy_trees().costs[:, place], kind="stable")[:TOPS]
        most_rows = SMALLEST
        while work > 0 and most_rows < self.table.n_rows and found.low < found.high:
            if is_stopped() or time.process_time() > latest:
                break
            for heuristic in order:
                top = GreedyTop(searcher, int(heuristic), most_rows, max(work, 0), latest)
                value = top.cost(everything)
                found.work += work - top.work
                work = top.work
                if value < found.high:
                    found.high, found.way, found._tree = value, "branch", (top.choose, None)
            most_rows *= 2
        found.status = "optimal" if found.low == found.high else found.status


def kernels_best(words, place, graph):
    problem = graph.encoded.problem
    return int(minima_any.best_attribute(words, place, graph.subtables, graph.costs, problem))


def exact_tree(searcher: Searcher, interval: Interval):
    """(choose, key) of a tree of least cost that a search has found."""

    def choose(rows, key):
        budget, attribute = key
        a, budgets = searcher.split(searcher.encoded.words_of(rows), budget, attribute)
        return a, {value: (below, None) for value, below in budgets.items()}

    return choose, (interval.high, interval.attribute)


def minimal_tree(
    table: DecisionTable, cost="nodes", names: Dataset | None = None, **options
) -> tuple[Tree, Minimum]:
    """A tree of least cost for a decision table, and what is proved of it.

    Parameters
    ----------
    table : DecisionTable
    cost : str
        A key of COSTS or ALIASES: "depth", "average_depth", "nodes", "tests", "leaves".
    names : Dataset, optional
        The data set that the table is of, for the names in the tree.
    options : see Minimizer

    Returns
    -------
    tree : Tree
    minimum : Minimum
        `minimum.status` is "optimal" where the tree is proved; else `minimum.low` is a proved
        bound.

    Examples
    --------
    >>> from pinetum.greedy_dp.tables import decision_table
    >>> tree, minimum = minimal_tree(decision_table([[0, 0, 1, 1], [0, 1, 0, 1]], [0, 1, 1, 0]), "leaves")
    >>> minimum.status, minimum.high, tree.sizes.leaves
    ('optimal', 4, 4)
    """  # noqa: E501
    minimum = Minimizer(table, **options).minimum(cost)
    return minimum.tree(names), minimum
