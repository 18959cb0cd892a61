"""A decision table as the kernels take it: row sets, and what is known of every two rows."""

import time
from dataclasses import dataclass

import numpy as np

from pinetum.greedy_dp.kernels import bounds
from pinetum.greedy_dp.kernels.problem import WORDS_A_UNIT, Problem
from pinetum.greedy_dp.tables import DecisionTable
from pinetum.progress import look

MOST_PAIRED = 16_384  # rows of a table up to which pairs are compared: 32 MB
CLIQUES = 64  # kept per block
NEAREST = 32  # rivals kept per row
CLOSE = 4096  # pairs kept of the whole table
BLOCK = 1024  # rows moved at a time
STRETCH = 10_000_000  # work between two looks at the clock


def row_words(flags):
    """bool (sets, rows) as uint64 (sets, words), row r at bit r % 64 of word r // 64."""
    padded = np.zeros((len(flags), -(-flags.shape[1] // 64) * 64), dtype=np.uint8)
    padded[:, : flags.shape[1]] = flags
    return np.packbits(padded, axis=1, bitorder="little").view("<u8").astype(np.uint64)


def flags_of_values(codes, arity, first):
    """bool (values of all attributes, rows): which rows have a value."""
    flags = np.empty((first[-1], codes.shape[1]), dtype=bool)
    for value in range(int(arity.max())):
        having = np.flatnonzero(arity > value)
        flags[first[having] + value] = codes[having] == value
    return flags


class TooMuch(Exception):
    """The pairs of rows take more effort than they may."""


class Effort:
    """What comparing pairs of rows may take: work, and CPU time up to `latest`."""

    def __init__(self, work=2**62, latest=float("inf")):
        self.left, self.latest = work, latest

    def take(self, work):
        """Count work; raise `TooMuch` at a limit or Ctrl-C."""
        self.left -= work
        over = self.left < 0 or time.process_time() > self.latest
        if over or look(lambda: "rows are compared"):
            raise TooMuch

    def by_rows(self, compare, n, *arrays):
        """Call a kernel that goes on from a row until all `n` are done."""
        row = 0
        while row < n:
            row, work = compare(*arrays, row, STRETCH)
            self.take(work)


@dataclass
class Encoded:
    """The arrays of a table; the kernels' row i is the table's row `order[i]`."""

    table: DecisionTable
    problem: Problem
    order: np.ndarray
    place: np.ndarray  # of each of the table's rows
    everything: np.ndarray

    @classmethod
    def of(cls, table: DecisionTable, *, pairs=False, effort=None, plain=None) -> "Encoded":
        """`pairs`: compare every two rows, for bounds; without them where it takes more `effort`.

        The rows are then ordered by how many they clash with. `plain`: what comes without pairs,
        where that is known.
        """
        if pairs and table.exact and table.n_rows <= MOST_PAIRED:
            try:
                return cls._of(table, True, effort or Effort())
            except TooMuch:
                pass
        return cls._of(table, False, Effort()) if plain is None else plain

    @classmethod
    def _of(cls, table, pairs, effort) -> "Encoded":
        n, m = table.n_rows, table.n_attributes
        single = table.single
        if single:
            present, kind = np.unique(table.decisions, return_inverse=True)
            rival = ~np.eye(len(present), dtype=bool)
        else:
            sets, kind = np.unique(table.answers.T, axis=0, return_inverse=True)
            rival = sets.astype(np.int64) @ sets.T.astype(np.int64) == 0
        kind = kind.ravel().astype(np.int64)
        bits = max(1, int(table.arity.max() - 1).bit_length())
        planes = np.zeros((n, -(-m // 64), bits), dtype=np.uint64)
        for v in range(bits):
            planes[:, :, v] = row_words((table.codes.T >> v & 1).astype(bool))
        order = np.arange(n)
        clash = np.zeros((0, -(-n // 64)), dtype=np.uint64)
        if pairs:
            clash, order = clashing(planes, kind, rival, m, single, effort)
        codes, kind, answers = table.codes[:, order], kind[order], table.answers[:, order]
        planes = np.ascontiguousarray(planes[order])
        rivals = row_words(rival[:, kind])
        kinds = row_words(kind == np.arange(len(rival))[:, None])
        blocks = kinds if single else row_words(np.ones((1, n), dtype=bool))
        near, close = np.zeros((0, 1), np.int32), np.zeros((0, 2), np.int32)
        if pairs:
            near, close = nearest(planes, kind, rivals, m, effort)
        cliques = np.zeros(
            (CLIQUES * len(blocks) if pairs else 0, rivals.shape[1]), dtype=np.uint64
        )
        for b in range(len(blocks) if pairs else 0):
            effort.take(CLIQUES * n // WORDS_A_UNIT)
            bounds.find_cliques(clash, blocks[b], cliques[b * CLIQUES : (b + 1) * CLIQUES])
        share = table.alpha_share
        problem = Problem(
            masks=row_words(flags_of_values(codes, table.arity, table.first)),
            first=table.first,
            decisions=row_words(answers),
            label=answers.argmax(axis=0).astype(np.int64) if single else np.empty(0, np.int64),
            weight=np.empty(0, np.int64) if (table.weight == 1).all() else table.weight[order],
            price=table.price,
            plain=int(table.plain),
            slack=np.array([table.alpha_rows, share.numerator, share.denominator], dtype=np.int64),
            planes=planes,
            kind=kind,
            kinds=kinds,
            rivals=rivals,
            blocks=blocks,
            clash=clash,
            cliques=cliques,
            clique_first=np.arange(len(blocks) + 1, dtype=np.int64) * (CLIQUES if pairs else 0),
            near=near,
            close=close,
        )
        place = np.empty(n, dtype=np.int64)
        place[order] = np.arange(n)
        return cls(table, problem, order, place, row_words(np.ones((1, n), dtype=bool))[0])

    @property
    def widest(self) -> int:
        return max(2, int(self.table.arity.max()))

    @property
    def megabytes(self) -> float:
        return sum(array.nbytes for array in self.problem if isinstance(array, np.ndarray)) / 1e6

    def words_of(self, rows) -> np.ndarray:
        """The row set of some of the table's rows (indices)."""
        flags = np.zeros((1, self.table.n_rows), dtype=bool)
        flags[0, self.place[rows]] = True
        return row_words(flags)[0]


def clashing(planes, kind, rival, m, single, effort):
    """(clashes, order): rows of a kind together, those with most clashes first."""
    n = len(kind)
    clash = np.zeros((n, -(-n // 64)), dtype=np.uint64)
    rivals = row_words(rival[:, kind])
    effort.by_rows(bounds.find_clashes, n, planes, kind, rivals, m, clash)
    degree = np.bitwise_count(clash).sum(axis=1).astype(np.int64)
    order = np.lexsort((-degree, kind)) if single else np.argsort(-degree, kind="stable")
    moved = np.empty_like(clash)
    for begin in range(0, n, BLOCK):
        flags = np.unpackbits(
            clash[order[begin : begin + BLOCK]].view(np.uint8), axis=1, bitorder="little"
        )
        moved[begin : begin + BLOCK] = row_words(flags[:, order].astype(bool))
    return moved, order


def nearest(planes, kind, rivals, m, effort):
    """(rivals nearest to each row, rivals nearest to each other in the whole table)."""
    n = len(kind)
    near = np.full((n, NEAREST), -1, dtype=np.int32)
    distance = np.zeros((n, NEAREST), dtype=np.int32)
    effort.by_rows(bounds.nearest_rivals, n, planes, kind, rivals, m, near, distance)
    i, place = np.nonzero(near >= 0)
    k, apart = near[i, place], distance[i, place]
    low, high = np.minimum(i, k), np.maximum(i, k)
    _, keep = np.unique(low * np.int64(n) + high, return_index=True)
    keep = keep[np.argsort(apart[keep], kind="stable")][:CLOSE]
    return near, np.column_stack([low[keep], high[keep]]).astype(np.int32)
