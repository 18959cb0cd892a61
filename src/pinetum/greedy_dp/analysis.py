"""Optimal trees beyond their cost: several costs in sequence, Pareto fronts, how many there are, a
fair sample.
"""

import itertools
import math
import random
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pinetum.data.dataset import Dataset
from pinetum.greedy_dp.building import tree_of
from pinetum.greedy_dp.costs import COSTS, Cost, cost_of
from pinetum.greedy_dp.kernels import analysis as kernels
from pinetum.greedy_dp.kernels.minima_any import find
from pinetum.greedy_dp.optimum import Graph, Limits, build, minima
from pinetum.greedy_dp.tables import DecisionTable
from pinetum.trees import Tree

UNLIMITED = 2**61


class TooLarge(MemoryError):
    """The whole graph of a table does not fit the bound."""


@dataclass
class Best:
    """Trees of least cost under a limit of depth, node by node: what trees, counts and samples are
    read from.
    """

    shares: np.ndarray
    limit: Any  # a depth, or None
    least: np.ndarray = field(repr=False)

    @property
    def key(self) -> int:
        return UNLIMITED if self.limit is None else self.limit


@dataclass
class Analysis:
    """All separable subtables of a table that are no leaf (and, in a plain table, have at least
    three rows).

    Examples
    --------
    >>> from pinetum.greedy_dp.tables import decision_table
    >>> table = decision_table([[0, 0, 1, 1], [0, 1, 0, 1]], [0, 1, 1, 0])
    >>> analysis = Analysis.of(table)
    >>> analysis.in_sequence(["depth", "nodes"]), analysis.count("nodes")
    ((2, 7), 2)
    """

    graph: Graph
    edges: np.ndarray
    order: np.ndarray
    total: np.ndarray

    @classmethod
    def of(cls, table: DecisionTable, limits: Limits | None = None) -> "Analysis":
        limits = Limits() if limits is None else limits
        graph = build(table, limits, settle=False)
        problem, n = graph.encoded.problem, graph.n_nodes
        extra = n * 4 * len(problem.masks) / 1e6
        if graph.status != "ok" or graph.peak_mb + extra > limits.memory_mb:
            raise TooLarge(
                f"{n} subtables and their branches, {graph.peak_mb + extra:.0f} MB or more"
            )
        edges = np.empty((n, len(problem.masks)), dtype=np.int32)
        order = np.empty(n, dtype=np.int64)
        kernels.write_edges(graph.subtables, problem, edges, order)
        total = graph.subtables.size[:n].astype(np.int64)
        if len(problem.weight):
            sets = graph.subtables.sets[:n].view(np.uint8)
            flags = np.unpackbits(sets, axis=1, bitorder="little")[:, : table.n_rows]
            total = flags.astype(np.int64) @ problem.weight
        return cls(graph, edges, order, total)

    @property
    def written(self) -> kernels.Written:
        """What the kernels take."""
        problem = self.graph.encoded.problem
        return kernels.Written(self.edges, self.order, self.total, problem.first, problem.price)

    @property
    def table(self) -> DecisionTable:
        return self.graph.encoded.table

    @property
    def minima(self) -> np.ndarray:
        return minima(self.graph)

    @property
    def trivial(self) -> bool:
        """A leaf, or two rows of a plain table: every tree is best in every cost."""
        return len(self.order) == 0

    # ------------------------------------------------------------------ several costs

    def best(self, costs) -> Best:
        """The trees that are least in the first cost, among them in the second, and so on."""
        costs = [cost_of(cost) for cost in costs]
        additive = [cost for cost in costs if cost.additive]
        limit = None
        if len(additive) < len(costs):
            before = list(itertools.takewhile(lambda cost: cost.additive, costs))
            limit = self._least_depth(before)
        return self._fill(self._shares(additive), limit)

    def _shares(self, costs):
        """One cost that ranks trees as several do in sequence."""
        shares = np.zeros(3, dtype=object)
        for cost in costs:
            shares = shares * (self._most(cost) + 1) + np.array(
                [cost.path, cost.inner, cost.leaf], dtype=object
            )
        most = math.prod(self._most(cost) + 1 for cost in costs)
        if most > 2**60:
            raise ValueError(
                f"{len(costs)} costs in sequence need numbers up to {most}, beyond 2^60; take fewer"
            )
        return shares.astype(np.int64)

    def _most(self, cost: Cost) -> int:
        """What no tree exceeds."""
        n, price = self.table.n_rows, self.table.price
        inner = (n - 1) * int(price.max())
        return (
            cost.path * int(self.table.weight.sum()) * int(price.sum())
            + cost.inner * inner
            + cost.leaf * n
        )

    def _split(self, value, costs):
        """The costs in sequence of which `value` is the rank."""
        found = []
        for cost in reversed(costs):
            value, rest = divmod(value, self._most(cost) + 1)
            found.append(rest)
        return found[::-1]

    def _fill(self, shares, limit) -> Best:
        least = np.empty((len(self.order), 1 if limit is None else limit + 1), dtype=np.int64)
        kernels.fill_least(self.written, shares, limit is not None, least)
        return Best(shares, limit, least)

    def _least_depth(self, before) -> int:
        """The least depth among the trees that are best in the additive costs before it."""
        depth = int(self.minima[COSTS["h"].place])
        if not before or self.trivial:
            return depth
        shares = self._shares(before)
        target = self._fill(shares, None).least[0, 0]
        deepest = self._deepest()
        least = self._fill(shares, deepest).least[0]
        return int(np.flatnonzero(least == target)[0])

    def _deepest(self) -> int:
        return int(self.table.price.sum())

    def in_sequence(self, costs) -> tuple[int, ...]:
        """The least first cost, the least second cost among the trees that have it, and so on."""
        costs = [cost_of(cost) for cost in costs]
        if self.trivial:
            return tuple(int(self.minima[cost.place]) for cost in costs)
        best = self.best(costs)
        values = iter(
            self._split(int(best.least[0, -1]), [cost for cost in costs if cost.additive])
        )
        return tuple(next(values) if cost.additive else best.limit for cost in costs)

    def pareto(self, first, second) -> list[tuple[int, int]]:
        """All pairs of costs that no tree betters in both, `first` ascending."""
        first, second = cost_of(first), cost_of(second)
        if self.trivial:
            return [(int(self.minima[first.place]), int(self.minima[second.place]))]
        if first.additive and second.additive:
            return self._fronts(first, second)[0]
        cost = second if second.additive else first
        least = self._fill(self._shares([cost]), self._deepest()).least[0]
        front: list[tuple[int, int]] = []
        for depth, value in enumerate(least.tolist()):
            if value < kernels.NEVER and (not front or value < front[-1][1]):
                front.append((depth, value))
        return front if not first.additive else [(value, depth) for depth, value in reversed(front)]

    def _shape(self, cost: Cost, node, a) -> int:
        """What a test adds to its branches."""
        return int(self.table.price[a]) * (cost.path * int(self.total[node]) + cost.inner)

    def _options(self, fronts, first, second, edge):
        """Costs of the trees of a branch that none betters in both."""
        if edge >= 0:
            return fronts[edge]
        leaf = (first.leaf, second.leaf)
        return [
            (
                leaf
                if edge == kernels.PURE
                else tuple(2 * c.path + c.inner + 2 * c.leaf for c in (first, second))
            )
        ]

    def _combined(self, fronts, first, second, node, a):
        """Points of a node that tests an attribute, and how many branches it has.

        None where it is constant.
        """
        low, high = self.graph.encoded.problem.first[a : a + 2].tolist()
        branches = [edge for edge in self.edges[node, low:high].tolist() if edge != kernels.EMPTY]
        if kernels.WHOLE in branches:
            return None
        sums = [{(self._shape(first, node, a), self._shape(second, node, a))}]
        for edge in branches:
            options = self._options(fronts, first, second, edge)
            sums.append(set(undominated({(x + u, y + v) for x, y in sums[-1] for u, v in options})))
        return branches, sums

    def _fronts(self, first, second):
        """Fronts of two additive costs, node by node: for graphs of some thousand nodes."""
        fronts: dict[int, list] = {}
        for node in self.order.tolist():
            points = set()
            for a in range(self.table.n_attributes):
                combined = self._combined(fronts, first, second, node, a)
                if combined is not None:
                    points |= combined[1][-1]
            fronts[node] = undominated(points)
        return fronts

    def pareto_trees(
        self, first, second, names: Dataset | None = None
    ) -> list[tuple[tuple[int, int], Tree]]:
        """The points of the front, each with a tree that has these costs."""
        first, second = cost_of(first), cost_of(second)
        front = self.pareto(first, second)
        if self.trivial:
            return [(front[0], self.tree([first], names))]
        if not (first.additive and second.additive):
            cost, place = (second, 0) if second.additive else (first, 1)
            best = self._fill(self._shares([cost]), self._deepest())
            return [
                (point, tree_of(self.table, self._choose(best), point[place], names))
                for point in front
            ]
        fronts = self._fronts(first, second)

        def choose(rows, target):
            node = self.node_of(rows)
            if node < 0:
                return self._telling(rows), {}
            for a in range(self.table.n_attributes):
                combined = self._combined(fronts, first, second, node, a)
                if combined is None or target not in combined[1][-1]:
                    continue
                return a, self._targets(fronts, first, second, node, a, combined, target)
            raise ArithmeticError(f"no tree of cost {target}")

        return [(point, tree_of(self.table, choose, point, names)) for point in front]

    def _targets(self, fronts, first, second, node, a, combined, target):
        """A point of each branch, by value, that together make a node's point."""
        low, high = self.graph.encoded.problem.first[a : a + 2].tolist()
        values = [
            v for v, edge in enumerate(self.edges[node, low:high].tolist()) if edge != kernels.EMPTY
        ]
        branches, sums = combined
        found = {}
        for step in range(len(branches) - 1, -1, -1):
            for u, v in self._options(fronts, first, second, branches[step]):
                before = (target[0] - u, target[1] - v)
                if before in sums[step]:
                    found[values[step]] = (u, v)
                    target = before
                    break
        return found

    # ------------------------------------------------------------------ trees

    def node_of(self, rows) -> int:
        """The node of some rows, or a negative number: a pair of a plain table."""
        graph = self.graph
        return int(find(graph.subtables.index, graph.subtables.sets, graph.encoded.words_of(rows)))

    def _telling(self, rows) -> int:
        """The first attribute that tells two rows apart."""
        return int(np.flatnonzero(self.table.codes[:, rows[0]] != self.table.codes[:, rows[1]])[0])

    def _attributes(self, best: Best, node, key):
        """The attributes that a tree of least cost can begin with, and the key below each."""
        problem = self.graph.encoded.problem
        target = best.least[node, min(key, best.least.shape[1] - 1)]
        for a in range(self.table.n_attributes):
            rest = key - int(problem.price[a]) if best.limit is not None else UNLIMITED
            if rest < 0:
                continue
            own = kernels.own_share(self.total[node], problem.price[a], best.shares)
            value = kernels.attribute_value(
                self.edges,
                node,
                problem.first[a],
                problem.first[a + 1],
                own,
                best.shares,
                best.least,
                rest,
            )
            if value == target and value != kernels.NEVER:
                yield a, rest

    def _choose(self, best: Best):
        def choose(rows, key):
            node = self.node_of(rows)
            if node < 0:
                return self._telling(rows), {}
            a, rest = next(self._attributes(best, node, key))
            return a, dict.fromkeys(range(int(self.table.arity[a])), rest)

        return choose

    def tree(self, costs, names: Dataset | None = None, *, counts="rows") -> Tree:
        """A tree that is best in the costs in sequence: at each node the first attribute it can
        begin with.
        """
        best = self.best(costs)
        return tree_of(self.table, self._choose(best), best.key, names, counts=counts)

    def sample(self, costs, n, random_state=0, names: Dataset | None = None) -> list[Tree]:
        """`n` trees drawn uniformly from all that are best in the costs in sequence."""
        best = self.best(costs)
        rng = random.Random(random_state)
        known: dict[tuple[int, int], int] = {}

        def below(node, a, rest):
            low, high = self.graph.encoded.problem.first[a : a + 2].tolist()
            product = 1
            for edge in self.edges[node, low:high].tolist():
                if edge >= 0:
                    product *= number(edge, rest)
                elif edge <= kernels.PAIRS:
                    product *= kernels.PAIRS - edge
            return product

        def number(node, key):
            if (node, key) not in known:
                known[node, key] = sum(
                    below(node, a, rest) for a, rest in self._attributes(best, node, key)
                )
            return known[node, key]

        def choose(rows, key):
            node = self.node_of(rows)
            if node < 0:
                telling = np.flatnonzero(
                    self.table.codes[:, rows[0]] != self.table.codes[:, rows[1]]
                )
                return int(telling[rng.randrange(len(telling))]), {}
            place = rng.randrange(number(node, key))
            for a, rest in self._attributes(best, node, key):
                place -= below(node, a, rest)
                if place < 0:
                    return a, dict.fromkeys(range(int(self.table.arity[a])), rest)
            raise ArithmeticError("fewer trees than counted")

        return [tree_of(self.table, choose, best.key, names) for _ in range(n)]

    # ------------------------------------------------------------------ how many

    def count(self, *costs) -> int:
        """Number of trees that are best in the costs in sequence, exactly: modulo as many primes as
        its size needs.
        """
        if self.trivial:
            table = self.table
            if int(self.minima[COSTS["h"].place]) == 0:
                return 1
            return int(np.count_nonzero(table.codes[:, 0] != table.codes[:, 1]))
        best = self.best(costs)
        rest, modulus, found = 0, 1, math.inf
        for prime in primes():
            remainder, log2 = self._count(best, prime)
            rest += modulus * ((remainder - rest) * pow(modulus, -1, prime) % prime)
            modulus *= prime
            if math.log2(modulus) > log2 + 31 + 1e-9 * log2:  # a prime more than needed
                found = log2
                break
        if rest and abs(math.log2(rest) - found) > 1e-6 * max(1.0, found):
            raise ArithmeticError(f"{rest} trees by primes, 2^{found} by logarithms")
        return rest

    def _count(self, best, prime):
        counts, logs = np.empty(best.least.shape, dtype=np.int64), np.empty(best.least.shape)
        limited = best.limit is not None
        kernels.count_trees(self.written, best.shares, limited, best.least, prime, counts, logs)
        return int(counts[0, -1]), float(logs[0, -1])


def undominated(points):
    front = []
    for x, y in sorted(points):
        if not front or y < front[-1][1]:
            front.append((x, y))
    return front


def primes():
    """Primes from just below 2^31 downwards."""
    candidate = 2**31 - 1
    while True:
        if all(candidate % divisor for divisor in range(3, math.isqrt(candidate) + 1, 2)):
            yield candidate
        candidate -= 2


def all_pairs() -> list[tuple[str, str]]:
    return [(first, second) for first in COSTS for second in COSTS if first != second]
