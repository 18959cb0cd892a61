"""Exact minima of a decision table of any size, within a bound of memory and time."""

import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pinetum.greedy_dp.costs import COSTS
from pinetum.greedy_dp.encoding import Encoded
from pinetum.greedy_dp.kernels import minima_any as kernels
from pinetum.greedy_dp.tables import DecisionTable
from pinetum.progress import is_stopped, look

CHUNK = 20_000  # expansions between two looks at the clock, ...
CHUNK_WORDS = 50_000_000  # ... and words of row sets at most
FIRST_CAPACITY = 1 << 12


@dataclass
class Limits:
    """Bounds of an exact search; the result beyond them is a proven interval."""

    memory_mb: float = 1000.0
    time_limit: float = 600.0  # CPU seconds
    work_millions: float = (
        2000.0  # work of branch and bound for one cost, in millions; some hundred a second
    )


@dataclass
class Graph:
    """Separable subtables found so far, and where each is kept."""

    encoded: Encoded
    subtables: kernels.Subtables
    progress: np.ndarray  # of the expansion
    status: str = "ok"
    seconds: float = 0.0
    costs: Any = field(default=None, repr=False)  # int32 (nodes, costs), once they are attached

    @property
    def n_nodes(self) -> int:
        return int(self.progress["nodes"][0])

    @property
    def peak_mb(self) -> float:
        """Memory of the arrays, which is what the bound is about."""
        costs = 0 if self.costs is None else self.costs.nbytes
        return (sum(array.nbytes for array in self.subtables) + costs) / 1e6


def bytes_per_node(n_words):
    """Row set, size, link, mark, five costs, and up to four places of the index."""
    return 8 * n_words + 4 + 4 + 1 + 5 * 4 + 4 * 4


def build(
    table: DecisionTable, limits: Limits, *, settle=True, most_nodes=None, encode=Encoded.of
) -> Graph:
    """The graph of a table with the costs attached.

    status      ok; memory_limit, time_limit or interrupted: the costs are proven lower bounds
    settle      leave out the subtables below one whose best tree is plain to see
    most_nodes  a bound on the subtables that is lower than that of the memory
    encode      gives the row sets of the table
    """
    encoded = encode(table)
    words, slots = len(encoded.everything), len(encoded.problem.masks)
    most = int(limits.memory_mb * 1e6 / bytes_per_node(words))
    most = most if most_nodes is None else min(most, most_nodes)
    graph = _begin(encoded, min(FIRST_CAPACITY, max(most, 2 * slots + 2)))
    began = time.process_time()
    chunk = max(1, min(CHUNK, CHUNK_WORDS // (slots * (words + 1))))
    while True:
        outcome = kernels.expand(graph.subtables, encoded.problem, graph.progress, chunk, settle)
        if outcome == kernels.DONE:
            break
        if outcome == kernels.FULL:
            capacity = len(graph.subtables.sets)
            if capacity >= most:
                graph.status = "memory_limit"
                break
            _grow(graph, min(2 * capacity, most))
        if look(lambda: f"{graph.n_nodes:,} subtables"):
            graph.status = "interrupted"
            break
        if (
            time.process_time() - began > limits.time_limit / 2
        ):  # attaching costs takes about as long
            graph.status = "time_limit"
            break
    _attach(graph, began + limits.time_limit, chunk)
    graph.seconds = time.process_time() - began
    return graph


def fits(table: DecisionTable) -> bool:
    """Do the costs of the table's subtables fit into the graph's 32 bits?"""
    return int(table.weight.sum()) * int(table.price.sum()) + 2 * table.n_rows < 2**30


def _attach(graph, latest, chunk):
    encoded, head = graph.encoded, graph.subtables.head
    graph.costs = np.empty((graph.n_nodes, len(COSTS)), dtype=np.int32)
    progress = np.zeros(1, dtype=kernels.PROGRESS)
    progress["rows"], progress["cursor"] = 2, head[2] if len(head) > 2 else -1
    given = graph.subtables, encoded.problem, graph.costs, encoded.widest, progress
    while not kernels.attach_costs(*given, chunk):
        if time.process_time() > latest or is_stopped():
            graph.status = "interrupted" if is_stopped() else "time_limit"
            bound = np.zeros(len(COSTS), dtype=np.int64)
            table = encoded.table
            if table.plain:
                counts = table.answers.sum(axis=1)
                classes = int(np.count_nonzero(counts))
                kernels.least_cost(counts, table.n_rows, classes, encoded.widest, bound)
            else:
                kernels.least_of_any(int(table.weight.sum()), table.price, bound)
            graph.costs[0] = bound
            break


def _begin(encoded, capacity) -> Graph:
    table = encoded.table
    rows, n_words = table.n_rows, len(encoded.everything)
    subtables = kernels.Subtables(
        sets=np.empty((capacity, n_words), dtype=np.uint64),
        size=np.empty(capacity, dtype=np.int32),
        follow=np.full(capacity, -1, dtype=np.int32),
        done=np.zeros(capacity, dtype=np.uint8),
        index=np.zeros(_power_of_two(2 * capacity), dtype=np.int32),
        head=np.full(rows + 1, -1, dtype=np.int32),
    )
    graph = Graph(encoded, subtables, progress=np.zeros(1, dtype=kernels.PROGRESS))
    graph.progress["rows"], graph.progress["cursor"] = rows, -1
    if rows > (2 if table.plain else 1) and not table.is_leaf(np.arange(rows)):
        subtables.sets[0], subtables.size[0], subtables.head[rows] = encoded.everything, rows, 0
        graph.progress["nodes"], graph.progress["cursor"] = 1, 0
        kernels.reindex(subtables.index, subtables.sets, 1)
    return graph


def _power_of_two(least):
    return 1 << (int(least) - 1).bit_length()


def _grow(graph, capacity):
    old, longer = graph.subtables, {}
    for name in ("sets", "size", "follow", "done"):
        before = getattr(old, name)
        longer[name] = np.empty((capacity, *before.shape[1:]), dtype=before.dtype)
        longer[name][: len(before)] = before
    index = np.zeros(_power_of_two(2 * capacity), dtype=np.int32)
    graph.subtables = old._replace(**longer, index=index)
    kernels.reindex(index, graph.subtables.sets, graph.n_nodes)


def minima(graph: Graph) -> np.ndarray:
    """The five least costs; where the graph is not complete, proven lower bounds."""
    if graph.n_nodes:
        return graph.costs[0].astype(np.int64)
    if graph.encoded.table.is_leaf(np.arange(graph.encoded.table.n_rows)):
        return np.array([0, 0, 1, 0, 1], dtype=np.int64)
    return np.array([2, 1, 3, 1, 2], dtype=np.int64)  # two rows
