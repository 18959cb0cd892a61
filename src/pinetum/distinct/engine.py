"""One enumeration: its arrays, its limits, and what it has found."""

import math
import time

import numpy as np

from pinetum.distinct.arrays import (
    forest_for,
    frames_for,
    look_for,
    results_for,
    store_for,
    table_for,
    verdicts_for,
)
from pinetum.distinct.assumptions import refuse_unsound
from pinetum.distinct.kernels.children import make_root
from pinetum.distinct.kernels.frames import (
    DONE,
    ENOUGH,
    NEEDS_FOREST,
    NEEDS_ROOT,
    PAUSED,
    RESTED,
    TOO_SMALL,
)
from pinetum.distinct.kernels.order import ABSENT, OPTIONAL, REQUIRED
from pinetum.distinct.kernels.records import FULL
from pinetum.distinct.kernels.search import advance, empty
from pinetum.distinct.objective import Objective
from pinetum.parameters import check, places
from pinetum.progress import look
from pinetum.tiers import is_interpreted

ORDERS = ("ascending", "descending", "fixed", "errors")
BUILDS = ("shared", "incremental", "scratch")
UNLIMITED = 1 << 62
AHEAD_SPLITS = 4
STRETCH = 20_000_000  # work units between two looks at the clock: some tens of milliseconds


class Over(Exception):
    """An evaluation was left in its midst, as who asked for it wants."""


class Engine:
    """One data set, one set of rules, one objective: by default one split into building and search
    cases.

    objective   what trees are judged by, in place of `building` and `search`.
    cache_mb    bound of the record store; when it is full it is emptied.
    ahead       so many undecided splits on a path does the bound of a sub-space look ahead; 0 for
                none.
    build       "shared" (records), "incremental" (the paper's: only the subtrees of the removed
                feature are grown again) or "scratch" (every tree from the data), for comparison.

    Errors are whole numbers: of search cases, or of parts of the objective's unit.
    """

    def __init__(
        self,
        dataset,
        options,
        building=None,
        search=None,
        *,
        objective=None,
        cache_mb=1000,
        build="shared",
        ahead=AHEAD_SPLITS,
        block=4096,
    ):
        check(cache_mb=cache_mb)
        refuse_unsound(options)
        if build not in BUILDS:
            raise ValueError(f"build={build!r}: one of {', '.join(BUILDS)}")
        if objective is None:
            building = np.arange(dataset.n_cases) if building is None else building
            objective = Objective(((building, () if search is None else search),))
        for building, search in objective.parts:
            ends = [
                int(end)
                for cases in (building, search)
                if len(cases)
                for end in (cases.min(), cases.max())
            ]
            places(ends, dataset.n_cases, "cases")
            if np.bincount(building).max(initial=0) > 1:
                raise ValueError("cases: one is given twice to grow a tree from; give each once")
        parts = len(objective.parts)
        if build != "shared" and parts > 1:
            raise ValueError(f"build={build!r}: several parts need shared records")
        self.dataset, self.options, self.build, self.objective = dataset, options, build, objective
        self.n_features, self.n_classes, self.n_search = (
            dataset.n_features,
            dataset.n_classes,
            objective.n_search,
        )
        self.feature_cost = objective.in_parts(objective.feature_penalty)
        self.virtual = int(parts > 1)  # the last feature then stands for the parts
        self.table = table_for(dataset, options, objective, build == "shared")
        self.store = store_for(dataset, self.table, cache_mb)
        self.verdicts, self.forest = verdicts_for(self.table), None
        self._branches = np.where(dataset.continuous, 2, dataset.arity).astype(np.int64)
        if self.virtual:
            self._branches = np.append(self._branches, parts)
        grown = [len(building) for building, _ in objective.parts]
        # A split has two branches with a known building case each, so every branch has one case
        # less at least: a path has fewer inner nodes than building cases, and one for the parts.
        self._deepest = max(grown) + 3
        self._new_forest(1024)
        n = self.n_features + self.virtual
        self.frames, self.look = frames_for(n), look_for(n, self._deepest)
        self.results = results_for(n, self._deepest, block)
        self.control, self.counters = self.frames.control[0], self.store.counters[0]
        self.control["ahead"] = ahead
        self.work = 0  # done so far, over all searches
        empty(self.store)

    def _new_forest(self, nodes):
        self.forest = forest_for(nodes, self._deepest, self._branches, self.forest)
        if len(self.verdicts.case):
            self.verdicts = self.verdicts._replace(
                **{name: np.zeros(nodes, dtype=np.int64) for name in ("leaf", "rank", "turn")}
            )

    # ------------------------------------------------------------------ one search

    def begin(self, required=(), optional=None, *, order="ascending"):
        """Set the first frame: the sub-space of the subsets that hold `required` and any of
        `optional`.
        """
        control, role = self.control, self.frames.role[0]
        if order not in ORDERS:
            raise ValueError(f"order={order!r}: one of {', '.join(ORDERS)}")
        optional = range(self.n_features) if optional is None else optional
        role[:] = ABSENT
        role[places(optional, self.n_features, "optional")] = OPTIONAL
        role[places(required, self.n_features, "required")] = REQUIRED
        role[self.n_features :] = REQUIRED
        bits = np.zeros(64 * self.frames.offered.shape[1], dtype=np.uint8)
        bits[: len(role)] = role != ABSENT
        self.frames.offered[0] = np.packbits(bits, bitorder="little").view(np.int64)
        root, ahead = control["root"].item(), control["ahead"].item()
        self.frames.control.view(np.int64)[:] = 0
        self.frames.now.view(np.int64)[:] = 0
        control["root"], control["ahead"], control["virtual"] = root, ahead, self.virtual
        control["feature_cost"] = self.feature_cost
        control["order"] = ORDERS.index(order)
        control["level"] = -1
        control["limit"] = control["cap"] = control["max_distinct"] = UNLIMITED
        control["emit_limit"] = -1
        control["incremental"] = self.build != "scratch"
        self.results.sizes[:] = 0
        self.frames.probe.view(np.float64)[:] = 0
        self.frames.frame[0]["begin"] = 0
        self.counters["work"] = 0
        if self.build != "shared":
            empty(self.store)

    def run(self, *, seconds=None, work=None, on_block=None, whole=False, over=None):
        """Advance until the search is over.

        Gives `done`, `enough`, `time_limit`, `work_limit`, `memory_limit`; unless it must be
        `whole`, `interrupted`.

        `seconds` are CPU seconds. `work` is a bound that gives the same result on every machine:
        the features times the cases ranked, and the nodes of trees; a core does 10^8 and more in a
        second.

        `on_block(subsets, errors, digests)` receives the distinct trees that pass the emission
        limit and may change the limits; its result True ends the search.

        `over()` is asked now and then whether to leave all, by an `Over`.
        """
        begun = time.process_time()
        end, stretch = PAUSED, STRETCH // 100
        ends = None if work is None else self.work + int(work)
        while True:
            if end != RESTED:
                stretch = STRETCH // 400 if is_interpreted(advance) else min(2 * stretch, STRETCH)
                self._stretch(stretch if work is None else min(stretch, ends - self.work))
            end = self._advance()
            if end != RESTED and self.control["emitted"] and self._hand_over(on_block):
                return "enough"
            if end == DONE:
                return "done"
            if end == ENOUGH:
                return "enough"
            if end == TOO_SMALL:
                return "memory_limit"
            if seconds is not None and time.process_time() - begun >= seconds:
                return "time_limit"
            if work is not None and self.work >= ends and end != RESTED:
                return "work_limit"
            share = None if work is None else 1 - (ends - self.work) / max(1, work)
            if not whole and look(self._tell, share):
                return "interrupted"
            if over is not None and over():
                raise Over

    def _stretch(self, work):
        """Let the kernel pause before the next tree when it has done this much work."""
        self.counters["work"] = 0
        self.control["work_stop"] = work

    def _advance(self):
        """Let the kernel search until it pauses, or rests in the midst of a tree that takes long;
        make what it asks for.
        """
        before = int(self.counters["work"])
        rest = STRETCH // 400 if is_interpreted(advance) else STRETCH
        self.control["work_rest"] = before + rest
        end = advance(
            self.table,
            self.store,
            self.forest,
            self.verdicts,
            self.frames,
            self.look,
            self.results,
        )
        self.work += int(self.counters["work"]) - before
        if end == NEEDS_ROOT and not self._make_root():
            return TOO_SMALL
        if end == NEEDS_FOREST:
            self._new_forest(2 * len(self.forest.record))
        return end

    def _make_root(self):
        control, counters = self.control, self.counters
        control["root"] = make_root(self.table, self.store)
        if control["root"] == FULL:
            return False
        counters["fresh"] = 1
        counters["used"] = max(
            int(counters["used"]), 4
        )  # also when the root is a leaf and has no record
        return True

    def _tell(self) -> str:
        best = self.best if self.n_search else None
        text = f"{self.built:,} trees built, {self.distinct:,} distinct"
        return text if best is None else f"{text}, best {best[0] / self.objective.unit:g} errors"

    def _hand_over(self, on_block):
        results, n = self.results, int(self.control["emitted"])
        self.control["emitted"] = 0
        if on_block is None:
            return False
        return on_block(results.subset[:n], results.errors[:n], results.digest[:n])

    # ------------------------------------------------------------------ results

    @property
    def built(self):
        return int(self.control["built"])

    @property
    def distinct(self):
        return int(self.control["distinct"])

    @property
    def skipped(self):
        return int(self.control["skipped"])

    @property
    def sizes(self):
        return [int(n) for n in self.results.sizes[: self.n_features + 1]]

    @property
    def best(self):
        """(errors, subset) of the best tree met so far; None without a search set."""
        if not self.control["best_is_set"]:
            return None
        errors = int(
            self.control["best_errors"] - self.control["size_cost"] * self.control["best_size"]
        )
        return errors, tuple(np.flatnonzero(self.results.best[: self.n_features]).tolist())

    def set_best(self, errors, subset):
        control, best = self.control, self.results.best
        control["best_is_set"], control["best_size"] = 1, len(subset)
        control["best_errors"] = errors + int(control["size_cost"]) * len(subset)
        best[:] = 0
        best[list(subset)] = 1

    def prune(self, limit):
        """Leave out sub-spaces whose trees all err more than `limit`."""
        self.control["limit"], self.control["follow"], self.control["ties"] = limit, 0, 0

    def seek_smallest(self, errors):
        """Let the best be the smallest subset of at most this many errors, and among those the one
        of fewest.
        """
        self.control["cap"], self.control["size_cost"] = errors, errors + 1

    def prune_below_best(self, margin, *, ties=False):
        """Leave out sub-spaces in which no tree errs at most `margin` less than the best met so
        far.

        With `ties` also those of equal error whose subsets are all larger.
        """
        control = self.control
        control["follow"], control["margin"], control["ties"] = 1, margin, ties
        control["limit"] = control["best_errors"] - margin if control["best_is_set"] else UNLIMITED

    def emit(self, limit):
        """Hand over distinct trees with at most this many search errors."""
        self.control["emit_limit"] = limit

    def limit_trees(self, trees):
        self.control["max_distinct"] = trees

    def step(self, required, optional, *, order="ascending"):
        """Only the first frame of the sub-space: (whether its tree is distinct, features it uses,
        sub-spaces below).
        """
        self.begin(required, optional, order=order)
        frames = self.frames
        while self.built == 0:
            self._stretch(1)
            if self._advance() == TOO_SMALL:
                raise MemoryError("the record store cannot hold one tree: raise cache_mb")
        role = frames.role[0, : self.n_features]
        removed = [int(f) for f in frames.order[0, : frames.frame[0]["ordered"]]]
        keep = [int(f) for f in np.flatnonzero(role == REQUIRED)]
        free = [int(f) for f in np.flatnonzero(role == OPTIONAL)]
        below = []
        for i, feature in enumerate(removed):
            keep.remove(feature)
            below.append((tuple(keep), tuple(sorted([*free, *removed[:i]]))))
        return (
            bool(self.distinct),
            int(np.count_nonzero(frames.frontier[0, : self.n_features])),
            below,
        )

    def probe(self, required, optional, draws, tilt, *, order="ascending"):
        """Numbers of distinct and built trees and the work of walking them, as one random path
        estimates them.
        """
        self.begin(required, optional, order=order)
        values = self.frames.probe[0]
        values["probing"], values["stands_for"], values["ratio"] = 1, 1, 2**tilt
        self.frames.draws[: len(draws)] = draws
        if self.run(whole=True) == "memory_limit":
            raise MemoryError("the record store cannot hold one tree: raise cache_mb")
        return float(values["distinct"]), float(values["built"]), float(values["work"])

    def open_bound(self):
        """No tree of what is still to be searched errs less than this."""
        frames = self.frames
        level, cost = int(self.control["level"]), int(self.control["feature_cost"])
        if level < 0:
            return 0
        # The last sub-space of a frame has the lowest bound and the fewest features that must stay.
        bounds = [
            int(least[here["ordered"] - 1])
            + cost * int(here["required"] - here["ordered"] + here["position"])
            for here, least in zip(frames.frame[: level + 1], frames.least, strict=False)
            if here["position"] < here["ordered"]
        ]
        return min(bounds, default=UNLIMITED)

    def errors_of(self, subset, over=None):
        """(search errors, used features) of the tree on a subset."""
        self.begin(tuple(subset), ())
        if self.run(whole=True, over=over) == "memory_limit":
            raise MemoryError("the record store cannot hold one tree: raise cache_mb")
        return self.best

    def errors_without(self, subset, over=None):
        """{feature: (search errors, used features)} of the trees without one of the features that
        the subset's use.

        The subset's own are under None.
        """
        self.begin((), tuple(subset))
        self.control["shallow"] = 1
        met = []

        def on_block(subsets, errors, _signatures):
            met.extend(zip(errors.tolist(), members(subsets), strict=True))
            return False

        if self.run(on_block=on_block, whole=True, over=over) == "memory_limit":
            raise MemoryError("the record store cannot hold one tree: raise cache_mb")
        removed = [None, *self.frames.order[0, : self.frames.frame[0]["ordered"]].tolist()]
        return dict(zip(removed, met, strict=True))

    @property
    def cache_peak_mb(self):
        """Most of the store that was in use."""
        return (
            max(int(self.counters["peak"]), int(self.counters["used"])) * 4
            + self.store.slots.nbytes
        ) / 1e6

    @property
    def emptied(self):
        return int(self.counters["emptied"]) - 1

    @property
    def evaluated(self):
        return int(self.counters["evaluated"])


def peak_mb():
    """Largest resident memory of this process so far; nan where the system does not say."""
    try:
        import resource
    except ImportError:  # Windows
        return math.nan
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


def members(subsets):
    """Features of every subset, which are given as rows of 64-bit words."""
    bits = np.unpackbits(np.ascontiguousarray(subsets).view(np.uint8), axis=1, bitorder="little")
    rows, features = np.nonzero(bits)
    ends = np.searchsorted(rows, np.arange(1, len(bits) + 1)).tolist()
    features = features.tolist()
    return [tuple(features[begin:end]) for begin, end in zip([0, *ends], ends, strict=False)]
