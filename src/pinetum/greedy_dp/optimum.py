"""Exact minima of a decision table of any size, within a bound of memory and time."""

import time
from dataclasses import dataclass, field

import numpy as np

from pinetum.greedy_dp.heuristics import COSTS
from pinetum.greedy_dp.kernels import minima_any as kernels
from pinetum.greedy_dp.kernels.constants import N_HEURISTICS
from pinetum.greedy_dp.kernels.greedy_any import greedy_trees
from pinetum.greedy_dp.kernels.impurity import logarithms
from pinetum.greedy_dp.tables import DecisionTable

CHUNK = 20_000  # expansions between two looks at the clock
FIRST_CAPACITY = 1 << 12


@dataclass
class Limits:
    memory_mb: float = 1000.0
    seconds: float = 600.0


def row_words(flags):
    """bool (sets, rows) as uint64 (sets, words), row r at bit r % 64 of word r // 64."""
    padded = np.zeros((len(flags), -(-flags.shape[1] // 64) * 64), dtype=np.uint8)
    padded[:, : flags.shape[1]] = flags
    return np.packbits(padded, axis=1, bitorder="little").view("<u8").astype(np.uint64)


@dataclass
class Words:
    """A decision table as row sets: one per attribute value and one per decision."""

    masks: np.ndarray  # uint64 (values of all attributes, words)
    first: np.ndarray  # int64 (attributes + 1,)
    decisions: np.ndarray  # uint64 (decisions, words)
    label: np.ndarray  # int64 (rows,)
    everything: np.ndarray  # uint64 (words,)
    widest: int

    @classmethod
    def of(cls, table: DecisionTable):
        values = [
            codes == value for codes, arity in zip(table.codes, table.arity, strict=True) for value in range(arity)
        ]
        label = table.decisions.astype(np.int64)
        return cls(
            masks=row_words(np.array(values)),
            first=table.first,
            decisions=row_words(label == np.arange(table.n_decisions)[:, None]),
            label=label,
            everything=row_words(np.ones((1, table.n_rows), dtype=bool))[0],
            widest=max(2, int(table.arity.max())),
        )

    def arguments(self):
        return self.masks, self.first, self.decisions, self.label


@dataclass
class Graph:
    """Separable subtables found so far, and where each is kept."""

    words: Words
    sets: np.ndarray
    size: np.ndarray
    follow: np.ndarray
    done: np.ndarray
    index: np.ndarray
    head: np.ndarray
    state: np.ndarray
    status: str = "ok"
    seconds: float = 0.0
    costs: np.ndarray | None = field(default=None, repr=False)

    @property
    def n_nodes(self) -> int:
        return int(self.state[kernels.NODES_USED])

    @property
    def peak_mb(self) -> float:
        """Memory of the arrays, which is what the bound is about."""
        arrays = [self.sets, self.size, self.follow, self.done, self.index, self.head, self.costs]
        return sum(array.nbytes for array in arrays if array is not None) / 1e6


def bytes_per_node(n_words):
    """Row set, size, link, mark, five costs, and up to four places of the index."""
    return 8 * n_words + 4 + 4 + 1 + 5 * 4 + 4 * 4


def build(table: DecisionTable, limits: Limits, *, settle=True) -> Graph:
    """The graph of a table with the costs attached.

    status    ok; memory_limit or time_limit: the costs are proven lower bounds
    settle    leave out the subtables below one whose best tree is plain to see
    """
    words = Words.of(table)
    most = int(limits.memory_mb * 1e6 / bytes_per_node(len(words.everything)))
    graph = _begin(words, table.n_rows, min(FIRST_CAPACITY, max(most, 2 * len(words.masks) + 2)))
    began = time.process_time()
    while True:
        outcome = kernels.expand(
            graph.sets, graph.size, graph.follow, graph.done, graph.index, graph.head, *words.arguments(),
            graph.state, CHUNK, settle,
        )  # fmt: skip
        if outcome == kernels.DONE:
            break
        if outcome == kernels.FULL:
            if len(graph.sets) >= most:
                graph.status = "memory_limit"
                break
            _grow(graph, min(2 * len(graph.sets), most))
        if time.process_time() - began > limits.seconds / 2:  # attaching costs takes about as long
            graph.status = "time_limit"
            break
    _attach(graph, began + limits.seconds)
    graph.seconds = time.process_time() - began
    return graph


def _attach(graph, latest):
    words = graph.words
    graph.costs = np.empty((graph.n_nodes, len(COSTS)), dtype=np.int32)
    place = np.zeros(4, dtype=np.int64)
    place[kernels.SIZE] = 3
    place[kernels.CURSOR] = graph.head[3] if len(graph.head) > 3 else -1
    while not kernels.attach_costs(
        graph.sets, graph.size, graph.follow, graph.done, graph.index, graph.head, *words.arguments(),
        graph.costs, words.widest, place, CHUNK,
    ):  # fmt: skip
        if time.process_time() > latest:
            graph.status = "time_limit"
            counts = np.bincount(words.label, minlength=len(words.decisions))
            classes = int(np.count_nonzero(counts))
            kernels.least_cost(counts, len(words.label), classes, words.widest, graph.costs[0])
            break


def _begin(words, rows, capacity) -> Graph:
    n_words = len(words.everything)
    graph = Graph(
        words=words,
        sets=np.empty((capacity, n_words), dtype=np.uint64),
        size=np.empty(capacity, dtype=np.int32),
        follow=np.full(capacity, -1, dtype=np.int32),
        done=np.zeros(capacity, dtype=np.uint8),
        index=np.zeros(_power_of_two(2 * capacity), dtype=np.int32),
        head=np.full(rows + 1, -1, dtype=np.int32),
        state=np.zeros(4, dtype=np.int64),
    )
    graph.state[kernels.SIZE] = rows
    graph.state[kernels.CURSOR] = -1
    if rows > 2 and len(np.unique(words.label)) > 1:
        graph.sets[0] = words.everything
        graph.size[0] = rows
        graph.head[rows] = 0
        graph.state[kernels.NODES_USED] = 1
        graph.state[kernels.CURSOR] = 0
        kernels.reindex(graph.index, graph.sets, 1)
    return graph


def _power_of_two(least):
    return 1 << (int(least) - 1).bit_length()


def _grow(graph, capacity):
    for name in ("sets", "size", "follow", "done"):
        old = getattr(graph, name)
        new = np.empty((capacity, *old.shape[1:]), dtype=old.dtype)
        new[: len(old)] = old
        setattr(graph, name, new)
    graph.index = np.zeros(_power_of_two(2 * capacity), dtype=np.int32)
    kernels.reindex(graph.index, graph.sets, graph.n_nodes)


def minima(graph: Graph) -> np.ndarray:
    """The five least costs; where the graph is not complete, proven lower bounds."""
    if graph.n_nodes:
        return graph.costs[0].astype(np.int64)
    classes = len(np.unique(graph.words.label))
    if classes == 1:
        return np.array([0, 0, 1, 0, 1], dtype=np.int64)
    return np.array([2, 1, 3, 1, 2], dtype=np.int64)  # two rows


def greedy_costs(words: Words) -> np.ndarray:
    """(heuristics, costs) of the greedy trees."""
    costs = np.empty((N_HEURISTICS, len(COSTS)), dtype=np.int64)
    rows = len(words.label)
    greedy_trees(words.everything, words.masks, words.first, words.decisions, logarithms(rows), costs)
    return costs
