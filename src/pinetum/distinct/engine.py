"""One enumeration: its arrays, its limits, and what it has found."""

import resource
import time

import numpy as np

from pinetum.distinct.arrays import frames_for, store_for, table_for, verdicts_for, words
from pinetum.distinct.assumptions import refuse_unsound
from pinetum.distinct.kernels.make import make_root
from pinetum.distinct.kernels.order import ABSENT, OPTIONAL, REQUIRED
from pinetum.distinct.kernels.probe import ALL_BUILT, ALL_DISTINCT, ALL_WORK, PROBING, RATIO, STANDS_FOR
from pinetum.distinct.kernels.records import EMPTIED, EVALUATED, FRESH, FULL, PEAK, USED, WORK
from pinetum.distinct.kernels.search import (
    AHEAD,
    BEST_ERRORS,
    BEST_IS_SET,
    BEST_SIZE,
    BUILT,
    DISTINCT,
    DONE,
    EMIT_LIMIT,
    EMITTED,
    ENOUGH,
    FOLLOW,
    INCREMENTAL,
    LEVEL,
    LIMIT,
    MARGIN,
    MAX_DISTINCT,
    NEEDS_FOREST,
    NEEDS_ROOT,
    ORDER,
    ROOT,
    SKIPPED,
    TIES,
    TOO_SMALL,
    WORK_STOP,
    advance,
    empty,
)
from pinetum.distinct.kernels.walk import STATES, Forest

ORDERS = ("ascending", "descending", "fixed", "errors")
BUILDS = ("shared", "incremental", "scratch")
UNLIMITED = 1 << 62
AHEAD_SPLITS = 4
STRETCH = 20_000_000  # work units between two looks at the clock: some tens of milliseconds


class Engine:
    """One data set, one set of rules, one split into building and search cases.

    cache_mb    bound of the record store; when it is full it is emptied.
    ahead       so many undecided splits on a path does the bound of a sub-space look ahead; 0 for none.
    build       "shared" (records), "incremental" (the paper's: only the subtrees of the removed
                feature are grown again) or "scratch" (every tree from the data), for comparison.
    """

    def __init__(
        self,
        dataset,
        options,
        building=None,
        search=None,
        *,
        cache_mb=1000,
        build="shared",
        ahead=AHEAD_SPLITS,
        block=4096,
    ):
        refuse_unsound(options)
        if build not in BUILDS:
            raise ValueError(f"build={build!r}: one of {', '.join(BUILDS)}")
        building = np.arange(dataset.n_cases) if building is None else np.asarray(building)
        search = np.empty(0, dtype=np.int64) if search is None else np.asarray(search)
        if len(building) == 0:
            raise ValueError("no building cases")
        self.dataset, self.options, self.build = dataset, options, build
        self.building, self.search = building, search
        self.n_features, self.n_classes = dataset.n_features, dataset.n_classes
        self.table = table_for(dataset, options, building, search, build == "shared")
        self.store = store_for(dataset, self.table, cache_mb)
        self.verdicts, self.forest = verdicts_for(self.table), None
        self._new_forest(1024)
        self.frames = frames_for(self.n_features, len(building), len(search), block)
        self.frames.control[AHEAD] = ahead
        self.work = 0  # done so far, over all searches
        empty(self.store)

    def _new_forest(self, nodes):
        old = self.forest
        deepest = len(self.building) + 2
        arrays = [np.zeros(nodes, dtype=np.int32) for _ in range(5)] + [np.zeros(nodes, dtype=np.int64)]
        if old is not None:
            for new, before in zip(arrays, old[: len(arrays)], strict=True):
                new[: len(before)] = before
        stack, state = np.zeros((3, deepest), dtype=np.int64), np.zeros(STATES, dtype=np.int64)
        branches = np.where(self.dataset.continuous, 2, self.dataset.arity).astype(np.int64)
        self.forest = Forest(*arrays, stack, state, branches)
        if len(self.verdicts.case):
            self.verdicts = self.verdicts._replace(
                **{name: np.zeros(nodes, dtype=np.int64) for name in ("leaf", "rank", "turn")}
            )

    # ------------------------------------------------------------------ one search

    def begin(self, required=(), optional=None, *, order="ascending"):
        """Set the first frame: the sub-space of the subsets that hold `required` and any of `optional`."""
        control, role = self.frames.control, self.frames.role[0]
        if order not in ORDERS:
            raise ValueError(f"order={order!r}: one of {', '.join(ORDERS)}")
        optional = range(self.n_features) if optional is None else optional
        role[:] = ABSENT
        role[list(optional)] = OPTIONAL
        role[list(required)] = REQUIRED
        bits = np.zeros(64 * words(self.n_features), dtype=np.uint8)
        bits[: self.n_features] = role != ABSENT
        self.frames.offered[0] = np.packbits(bits, bitorder="little").view(np.int64)
        root, ahead = control[ROOT], control[AHEAD]
        control[:] = 0
        control[ROOT], control[AHEAD] = root, ahead
        control[ORDER] = ORDERS.index(order)
        control[LEVEL] = -1
        control[LIMIT] = control[MAX_DISTINCT] = UNLIMITED
        control[EMIT_LIMIT] = -1
        control[INCREMENTAL] = self.build != "scratch"
        self.frames.sizes[:] = 0
        self.frames.probe[:] = 0
        self.frames.begin[0] = 0
        self.store.counters[WORK] = 0
        if self.build != "shared":
            empty(self.store)

    def run(self, *, seconds=None, work=None, on_block=None):
        """Advance until the search is over; `done`, `time_limit`, `work_limit`, `enough` or `memory_limit`.

        `seconds` are CPU seconds. `work` is a bound that gives the same result on every machine: the features
        times the cases ranked, and the nodes of trees; a core does 10^8 and more in a second.

        `on_block(subsets, errors, digests)` receives the distinct trees that pass the emission limit and may
        change the limits; its result True ends the search.
        """
        control = self.frames.control
        begun = time.process_time()
        stretch = STRETCH // 50
        ends = None if work is None else self.work + work
        while True:
            end = self._advance(stretch if work is None else min(stretch, ends - self.work))
            if control[EMITTED]:
                stop = self._hand_over(on_block)
                if stop:
                    return "enough"
            if end == DONE:
                return "done"
            if end == ENOUGH:
                return "enough"
            if end == TOO_SMALL:
                return "memory_limit"
            if seconds is not None and time.process_time() - begun >= seconds:
                return "time_limit"
            if work is not None and self.work >= ends:
                return "work_limit"
            stretch = min(2 * stretch, STRETCH)

    def _advance(self, work):
        """Let the kernel search until it has done this much work; make what it asks for."""
        self.store.counters[WORK] = 0
        self.frames.control[WORK_STOP] = work
        end = advance(self.table, self.store, self.forest, self.verdicts, self.frames)
        self.work += int(self.store.counters[WORK])
        if end == NEEDS_ROOT and not self._make_root():
            return TOO_SMALL
        if end == NEEDS_FOREST:
            self._new_forest(2 * len(self.forest.record))
        return end

    def _make_root(self):
        control, counters = self.frames.control, self.store.counters
        control[ROOT] = make_root(self.table, self.store)
        if control[ROOT] == FULL:
            return False
        counters[FRESH] = 1
        counters[USED] = max(int(counters[USED]), 4)  # also when the root is a leaf and has no record
        return True

    def _hand_over(self, on_block):
        control, frames = self.frames.control, self.frames
        n = int(control[EMITTED])
        control[EMITTED] = 0
        if on_block is None:
            return False
        return on_block(frames.out_subset[:n], frames.out_errors[:n], frames.out_digest[:n])

    # ------------------------------------------------------------------ results

    @property
    def built(self):
        return int(self.frames.control[BUILT])

    @property
    def distinct(self):
        return int(self.frames.control[DISTINCT])

    @property
    def skipped(self):
        return int(self.frames.control[SKIPPED])

    @property
    def sizes(self):
        return [int(n) for n in self.frames.sizes]

    @property
    def best(self):
        """(errors, subset) of the best tree met so far; None without a search set."""
        control = self.frames.control
        if not control[BEST_IS_SET]:
            return None
        return int(control[BEST_ERRORS]), tuple(int(f) for f in np.flatnonzero(self.frames.best))

    def set_best(self, errors, subset):
        control, best = self.frames.control, self.frames.best
        control[BEST_IS_SET], control[BEST_ERRORS], control[BEST_SIZE] = 1, errors, len(subset)
        best[:] = 0
        best[list(subset)] = 1

    def prune(self, limit):
        """Leave out sub-spaces whose trees all err more than `limit`."""
        control = self.frames.control
        control[LIMIT], control[FOLLOW], control[TIES] = limit, 0, 0

    def prune_below_best(self, margin, *, ties=False):
        """Leave out sub-spaces in which no tree errs at most `margin` less than the best met so far.

        With `ties` also those of equal error whose subsets are all larger.
        """
        control = self.frames.control
        control[FOLLOW], control[MARGIN], control[TIES] = 1, margin, ties
        control[LIMIT] = control[BEST_ERRORS] - margin if control[BEST_IS_SET] else UNLIMITED

    def emit(self, limit):
        """Hand over distinct trees with at most this many search errors."""
        self.frames.control[EMIT_LIMIT] = limit

    def limit_trees(self, trees):
        self.frames.control[MAX_DISTINCT] = trees

    def step(self, required, optional, *, order="ascending"):
        """Only the first frame of the sub-space: (whether its tree is distinct, features it uses, sub-spaces below)."""
        self.begin(required, optional, order=order)
        frames = self.frames
        while self.built == 0:
            if self._advance(1) == TOO_SMALL:
                raise MemoryError("the record store cannot hold one tree: raise cache_mb")
        role = frames.role[0]
        removed = [int(f) for f in frames.order[0, : frames.ordered[0]]]
        keep = [int(f) for f in np.flatnonzero(role == REQUIRED)]
        free = [int(f) for f in np.flatnonzero(role == OPTIONAL)]
        below = []
        for i, feature in enumerate(removed):
            keep.remove(feature)
            below.append((tuple(keep), tuple(sorted([*free, *removed[:i]]))))
        return bool(self.distinct), int(np.count_nonzero(frames.frontier[0])), below

    def probe(self, required, optional, draws, tilt, *, order="ascending"):
        """Numbers of distinct and built trees and the work of walking them, as one random path estimates them."""
        self.begin(required, optional, order=order)
        values = self.frames.probe
        values[PROBING], values[STANDS_FOR], values[RATIO] = 1, 1, 2**tilt
        self.frames.draws[: len(draws)] = draws
        if self.run() == "memory_limit":
            raise MemoryError("the record store cannot hold one tree: raise cache_mb")
        return float(values[ALL_DISTINCT]), float(values[ALL_BUILT]), float(values[ALL_WORK])

    def open_bound(self):
        """No tree of what is still to be searched errs less than this."""
        frames = self.frames
        level = int(frames.control[LEVEL])
        if level < 0:
            return 0
        bounds = [
            int(frames.least[i, frames.ordered[i] - 1])
            for i in range(level + 1)
            if frames.position[i] < frames.ordered[i]
        ]
        return min(bounds, default=UNLIMITED)

    def errors_of(self, subset):
        """(search errors, used features) of the tree on a subset."""
        self.begin(tuple(subset), ())
        if self.run() == "memory_limit":
            raise MemoryError("the record store cannot hold one tree: raise cache_mb")
        return self.best

    @property
    def cache_peak_mb(self):
        """Most of the store that was in use."""
        counters = self.store.counters
        return (max(int(counters[PEAK]), int(counters[USED])) * 4 + self.store.slots.nbytes) / 1e6

    @property
    def emptied(self):
        return int(self.store.counters[EMPTIED]) - 1

    @property
    def evaluated(self):
        return int(self.store.counters[EVALUATED])


def peak_mb():
    """Largest resident memory of this process so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


def members(row):
    """Features of a subset given as 64-bit words."""
    return tuple(64 * w + b for w, word in enumerate(row) for b in range(64) if int(word) >> b & 1)
