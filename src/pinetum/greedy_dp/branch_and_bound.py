"""Least cost of a decision table by branch and bound: any-time, with a proven interval when its
work is used up.

The budget of the search rises from the bound at the root, so what it has refused is proved; the
best tree that the greedy heuristics or local improvement know bounds it from above.
"""

import time
from dataclasses import dataclass, field

import numpy as np

from pinetum.greedy_dp.costs import Cost
from pinetum.greedy_dp.encoding import Encoded
from pinetum.greedy_dp.greedy import ENDLESS, new_choice
from pinetum.greedy_dp.kernels import bounds, branch
from pinetum.greedy_dp.kernels.greedy_any import choose
from pinetum.greedy_dp.kernels.problem import FAR, is_leaf, weigh
from pinetum.kernels.logarithms import n_log_n
from pinetum.progress import is_stopped, look

CHUNK = 2_000_000  # work between two looks at the clock, less where there are many decisions
PLACES = 1 << 15  # of the store, unless memory bounds it further
STEP = 4  # the budget rises by this share of what has been proved


@dataclass
class Interval:
    """What is known of the least cost of a subtable."""

    low: int
    high: int | None  # cost of a tree that is known
    attribute: int = -1  # with which a tree of least cost begins, if one was found
    work: int = 0
    expansions: int = 0

    @property
    def closed(self) -> bool:
        return self.low == self.high


@dataclass
class Searcher:
    """The arrays of a search; one store for one cost."""

    encoded: Encoded
    cost: Cost
    memory_mb: float = 50.0
    store: branch.Store = field(init=False, repr=False)

    def __post_init__(self):
        problem = self.encoded.problem
        n, words = self.encoded.table.n_rows, problem.masks.shape[1]
        m, widest = len(problem.price), self.encoded.widest
        levels = min(m, n) + 2  # below a test its attribute is constant, and rows are fewer
        per_place = 8 * words + 4 + 8 + 1
        places = max(branch.PROBES, min(PLACES, int(self.memory_mb * 1e6 / per_place)))
        self.store = branch.Store(
            sets=np.zeros((places, words), dtype=np.uint64),
            size=np.zeros(places, dtype=np.int32),
            value=np.zeros(places, dtype=np.int64),
            strong=np.zeros(places, dtype=np.uint8),
        )
        self.frames = branch.Frames(
            state=np.zeros(levels, dtype=branch.FRAME),
            rows=np.zeros((levels, words), dtype=np.uint64),
            order=whole(levels, m),
            bound=whole(levels, m),
            shape=whole(levels, widest + 1),
            parts=np.zeros((levels, widest, words), dtype=np.uint64),
            part_size=whole(levels, widest),
            low=whole(levels, widest),
            exact=np.zeros((levels, widest), dtype=np.uint8),
        )
        self.room = branch.Room(
            parts=np.zeros((len(problem.masks), words), dtype=np.uint64),
            size=whole(len(problem.masks)),
            code=np.zeros(m, dtype=np.uint64),
            disorder=np.zeros(m),
            filled=whole(m),
            seen=whole(1 << (2 * m).bit_length()),
            shape=whole(widest + 1),
            sizes=whole(widest),
        )
        words_of_attributes = problem.planes.shape[1]
        self.scratch = bounds.Scratch(
            members=whole(n),
            # All pairs of few rows; `tests_of_table` breaks off where there are more.
            differences=np.zeros((bounds.MOST_DIFFERENCES, words_of_attributes), dtype=np.uint64),
            follow=whole(bounds.MOST_DIFFERENCES),
            head=whole(m + 1),
            used=np.zeros(words_of_attributes, dtype=np.uint64),
            candidates=np.zeros(words, dtype=np.uint64),
            counts=whole(len(problem.decisions)),
            # Blocks share no row, and none has more leaves than rows: a clique has not, a row's
            # share of a leaf is at most 1, and a leaf has room for the heaviest row. A code has
            # fewer inner nodes than leaves.
            leaves=whole(n + 2),
            sums=whole(n + 2),
        )
        self.cheapest = np.concatenate([[0], np.cumsum(np.sort(problem.price))]).astype(np.int64)
        self.controls = np.zeros(1, dtype=branch.CONTROL)
        # The work leaves out that the rows of all decisions are counted.
        self.stretch = CHUNK // (1 + len(problem.decisions) * words // (words + branch.PER_BRANCH))

    @property
    def megabytes(self) -> float:
        groups = (self.store, self.frames, self.room, self.scratch)
        return (
            self.encoded.megabytes + sum(array.nbytes for group in groups for array in group) / 1e6
        )

    def leaf_cost(self, rows) -> int | None:
        """What a subtable costs as a leaf, or None."""
        return self.cost.leaf if is_leaf(rows, self.encoded.problem, self.scratch.counts) else None

    def bound(self, rows) -> int:
        """A bound from the subtable alone."""
        problem, shape = self.encoded.problem, self.frames.shape[0]
        branch.split_all(rows, int(np.bitwise_count(rows).sum()), problem, self.room, shape)
        return int(
            bounds.strong_bound(
                self.cost.place, rows, problem, self.cheapest, shape, FAR, self.scratch
            )[0]
        )

    def within(self, rows, low, budget, until, latest):
        """Search once: (value, found, attribute), or None when the work or time ended it."""
        problem = self.encoded.problem
        size = int(np.bitwise_count(rows).sum())
        branch.start_frame(0, rows, size, low, budget, problem, self.frames, self.scratch)
        self.controls["level"] = 0
        control = self.controls[0]
        while True:
            outcome = branch.search(
                self.cost.place,
                problem,
                self.cheapest,
                self.store,
                self.frames,
                self.room,
                self.scratch,
                self.controls,
                min(int(control["work"]) + self.stretch, until),
            )
            if outcome == branch.DONE:
                return int(control["value"]), bool(control["found"]), int(control["attribute"])
            if control["work"] >= until or time.process_time() > latest:
                return None
            if until < ENDLESS and look(lambda: f"{self.cost.label} at least {low:,}"):
                return None

    def solve(self, rows, *, high=None, low=None, work, latest=float("inf")) -> Interval:
        """The least cost of a subtable, or an interval.

        high    cost of a tree that is known: only less is looked for
        work    that may be done
        """
        leaf = self.leaf_cost(rows)
        if leaf is not None:
            return Interval(leaf, leaf)
        control = self.controls[0]
        begun, until = (
            (int(control["work"]), int(control["expansions"])),
            int(control["work"]) + work,
        )
        first = low = self.bound(rows) if low is None else low
        found = Interval(low, high)
        while high is None or low < high:
            if until < ENDLESS and is_stopped():
                break
            budget = low + (low - first) // STEP
            budget = budget if high is None else min(budget, high - 1)
            answer = self.within(rows, low, budget, until, latest)
            if answer is None:
                break
            low, better, attribute = answer
            found.low = low
            if better:
                found.high, found.attribute = low, attribute
                break
        if high is not None and found.low > high:
            found.low = high
        found.work = int(control["work"]) - begun[0]
        found.expansions = int(control["expansions"]) - begun[1]
        return found

    # ------------------------------------------------------------------ trees

    def branches(self, rows, attribute):
        """Row sets of an attribute's branches that are not empty, by value."""
        first, masks = self.encoded.problem.first, self.encoded.problem.masks
        parts = masks[first[attribute] : first[attribute + 1]] & rows
        return {int(value): parts[value] for value in np.flatnonzero(parts.any(axis=1))}

    def own(self, rows, attribute) -> int:
        price = int(self.encoded.problem.price[attribute])
        if self.cost.path:
            total, _ = weigh(rows, self.encoded.problem, self.scratch.counts)
            return int(total) * price
        return 0 if self.cost.leaf and not self.cost.inner else price

    def split(self, rows, budget, attribute=None):
        """(attribute, budget of each branch): how a tree of at most the budget, which there is,
        begins.
        """
        if attribute is None:
            _, found, attribute = self.within(rows, 0, budget, ENDLESS, float("inf"))
            if not found:
                raise ArithmeticError(f"no tree of cost {budget} for a subtable that has one")
        parts = self.branches(rows, attribute)
        rest = budget - self.own(rows, attribute)
        if not self.cost.additive:
            return attribute, dict.fromkeys(parts, rest)
        lows = {value: self.quick(part) for value, part in parts.items()}
        for value, part in parts.items():
            allowed = rest - (sum(lows.values()) - lows[value])
            if self.leaf_cost(part) is None:
                lows[value], found, _ = self.within(part, 0, allowed, ENDLESS, float("inf"))
                if not found:
                    raise ArithmeticError(f"no tree of cost {allowed} for a subtable that has one")
        return attribute, lows

    def quick(self, rows) -> int:
        leaf = self.leaf_cost(rows)
        if leaf is not None:
            return leaf
        place = branch.look_up(self.store, rows)
        if place >= 0:
            value = int(self.store.value[place])
            return value if value >= 0 else -1 - value
        return self.bound(rows)


def whole(*shape):
    return np.zeros(shape, dtype=np.int64)


class GreedyTop:
    """A tree that begins as a heuristic's and is exact from some number of rows down, as far as the
    work goes.
    """

    def __init__(
        self, searcher: Searcher, heuristic: int, most_rows=0, work=0, latest=float("inf")
    ):
        self.searcher, self.heuristic, self.most_rows, self.work = (
            searcher,
            heuristic,
            most_rows,
            work,
        )
        self.latest = latest
        encoded = searcher.encoded
        self.n_log_n = n_log_n(encoded.table.n_rows, np.log2)
        self.choice = new_choice(len(encoded.problem.kinds))
        self.exact: dict[bytes, Interval] = {}

    def attribute(self, rows) -> int:
        """What the heuristic tests first."""
        problem = self.searcher.encoded.problem
        choose(rows, 0, len(problem.price), problem, self.n_log_n, self.choice)
        return int(self.choice.attribute[self.heuristic])

    def cost(self, rows) -> int:
        """What the tree costs; its exact parts are kept for `choose`."""
        searcher, total, longest = self.searcher, 0, 0
        stack = [(rows, 0)]
        while stack:
            rows, paid = stack.pop()
            found = self.end_of(rows)
            if found is not None:
                total, longest = total + found, max(longest, paid + found)
                continue
            attribute = self.attribute(rows)
            own = searcher.own(rows, attribute)
            total += own
            parts = searcher.branches(rows, attribute).values()
            stack.extend((part, paid + own) for part in reversed(parts))
        return total if searcher.cost.additive else longest

    def end_of(self, rows) -> int | None:
        """What a subtable costs where the heuristic's top ends: as a leaf, or solved exactly."""
        searcher = self.searcher
        leaf = searcher.leaf_cost(rows)
        if leaf is not None:
            return leaf
        over = self.work <= 0 or is_stopped() or time.process_time() > self.latest
        if over or int(np.bitwise_count(rows).sum()) > self.most_rows:
            return None
        found = searcher.solve(rows, work=self.work, latest=self.latest)
        self.work -= found.work
        if found.high is not None:
            self.exact[rows.tobytes()] = found
        return found.high

    def choose(self, rows, key):
        """(attribute, {value: key}) of some of the table's rows.

        A key is what an exact part may cost.
        """
        words = self.searcher.encoded.words_of(rows)
        found = self.exact.get(words.tobytes())
        if key is None and found is None:
            return self.attribute(words), {}
        budget, attribute = (key, None) if found is None else (found.high, found.attribute)
        return self.searcher.split(words, budget, attribute)
