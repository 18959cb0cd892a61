"""Optimal trees beyond their cost: how many there are, the best by a second cost, Pareto fronts."""

import itertools
import math
from dataclasses import dataclass

import numpy as np

from pinetum.greedy_dp.heuristics import COSTS, DEPTH, NODES, PATH, TERMINALS
from pinetum.greedy_dp.kernels import analysis as kernels
from pinetum.greedy_dp.optimum import Graph, Limits, build, minima
from pinetum.greedy_dp.tables import DecisionTable

LEAF_COSTS = {PATH: 0, DEPTH: 0, NODES: 1, 3: 0, TERMINALS: 1}


class TooLarge(MemoryError):
    """The whole graph of a table does not fit the bound."""


@dataclass
class Analysis:
    """All separable subtables of a table with several decisions and at least three rows."""

    graph: Graph
    edges: np.ndarray
    order: np.ndarray

    @classmethod
    def of(cls, table: DecisionTable, limits: Limits) -> "Analysis":
        graph = build(table, limits, settle=False)
        words, n = graph.words, graph.n_nodes
        extra = n * 4 * len(words.masks) / 1e6
        if graph.status != "ok" or graph.peak_mb + extra > limits.memory_mb:
            raise TooLarge(f"{n} subtables and their branches, {graph.peak_mb + extra:.0f} MB or more")
        edges = np.empty((n, len(words.masks)), dtype=np.int32)
        order = np.empty(n, dtype=np.int64)
        kernels.write_edges(
            graph.sets, graph.index, graph.head, graph.follow, *words.arguments(), edges, order
        )  # fmt: skip
        return cls(graph, edges, order)

    @property
    def minima(self) -> np.ndarray:
        return minima(self.graph)

    @property
    def trivial(self) -> bool:
        """No more than two rows or one decision: every tree is best in every cost."""
        return len(self.order) == 0

    def _arguments(self):
        return self.edges, self.order, self.graph.size, self.graph.words.first

    # ------------------------------------------------------------------ a second cost

    def sequential(self, first: int, second: int) -> int:
        """The least `second` cost among the trees of least `first` cost."""
        if first == second or self.trivial:
            return int(self.minima[second])
        if first == DEPTH:
            deepest = int(self.minima[DEPTH])
            return int(self._within_depth(second, deepest)[0, deepest])
        one, two = np.empty((2, len(self.order)), dtype=np.int64)
        kernels.lexicographic(*self._arguments(), first, second, one, two)
        return int(two[0])

    def pareto(self, first: int, second: int) -> list[tuple[int, int]]:
        """All pairs of costs that no tree betters in both, `first` ascending."""
        if self.trivial:
            return [(int(self.minima[first]), int(self.minima[second]))]
        if DEPTH not in (first, second):
            return self._fronts(first, second)[0]
        cost = second if first == DEPTH else first
        least = self._within_depth(cost, self.graph.words.first.size - 1)[0]
        front = []
        for depth, value in enumerate(least.tolist()):
            if value < kernels.NEVER and (not front or value < front[-1][1]):
                front.append((depth, value))
        return front if first == DEPTH else [(value, depth) for depth, value in reversed(front)]

    def _within_depth(self, cost, deepest):
        least = np.empty((len(self.order), deepest + 1), dtype=np.int64)
        kernels.within_depth(*self._arguments(), cost, deepest, least)
        return least

    def _fronts(self, first, second):
        """Fronts of two additive costs, node by node: for graphs of some thousand nodes."""
        bounds = self.graph.words.first
        leaf = (LEAF_COSTS[first], LEAF_COSTS[second])
        pair = tuple(_own(cost, 2) + 2 * LEAF_COSTS[cost] for cost in (first, second))
        fronts = {}
        for node in self.order.tolist():
            own = [_own(cost, int(self.graph.size[node])) for cost in (first, second)]
            points = set()
            for low, high in itertools.pairwise(bounds.tolist()):
                branches = [edge for edge in self.edges[node, low:high].tolist() if edge != kernels.EMPTY]
                if kernels.WHOLE in branches:
                    continue
                sums = {tuple(own)}
                for edge in branches:
                    options = fronts[edge] if edge >= 0 else [leaf if edge == kernels.PURE else pair]
                    sums = set(undominated({(x + u, y + v) for x, y in sums for u, v in options}))
                points |= sums
            fronts[node] = undominated(points)
        return fronts

    # ------------------------------------------------------------------ how many

    def count(self, cost: int) -> int:
        """Number of trees of least cost, exactly: modulo as many primes as its size asks for."""
        if self.trivial:
            if int(self.minima[DEPTH]) == 0:
                return 1
            words = self.graph.words
            return int(kernels.separators(words.everything, words.masks, words.first))
        rest, modulus, found = 0, 1, math.inf
        for prime in primes():
            remainder, log2 = self._count(cost, prime)
            rest += modulus * ((remainder - rest) * pow(modulus, -1, prime) % prime)
            modulus *= prime
            if math.log2(modulus) > log2 + 31 + 1e-9 * log2:  # a prime more than needed
                found = log2
                break
        if rest and abs(math.log2(rest) - found) > 1e-6 * max(1.0, found):
            raise ArithmeticError(f"{rest} trees by primes, 2^{found} by logarithms")
        return rest

    def _count(self, cost, prime):
        n = len(self.order)
        if cost == DEPTH:
            deepest = int(self.minima[DEPTH])
            counts, logs = np.empty((n, deepest + 1), dtype=np.int64), np.empty((n, deepest + 1))
            kernels.count_within_depth(self.edges, self.order, self.graph.words.first, deepest, prime, counts, logs)
            return int(counts[0, deepest]), float(logs[0, deepest])
        counts, logs = np.empty(n, dtype=np.int64), np.empty(n)
        least = np.ascontiguousarray(self.graph.costs[:, cost], dtype=np.int64)
        kernels.count_trees(*self._arguments(), cost, least, prime, counts, logs)
        return int(counts[0]), float(logs[0])


def _own(cost, rows):
    """What a nonterminal node adds to its branches."""
    return rows if cost == PATH else 0 if cost == TERMINALS else 1


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


def all_pairs():
    return [(first, second) for first in range(len(COSTS)) for second in range(len(COSTS)) if first != second]
