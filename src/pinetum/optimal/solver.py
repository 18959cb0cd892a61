"""The tree with the least cost among all of bounded depth: columns of codes in, tests out."""

from dataclasses import dataclass
from math import inf
from time import monotonic

import numpy as np

from pinetum.optimal.kernels.bundles import (
    INTERVAL,
    LANES,
    LEVEL,
    RULES,
    SEARCH,
    SEGMENT,
    SIDES,
    Lanes,
    Plan,
    Queue,
    Sets,
    Tables,
    Task,
)
from pinetum.optimal.kernels.lanes import PARTS
from pinetum.optimal.kernels.pairs import RESERVE
from pinetum.optimal.kernels.search import BEGIN, DONE, best_stumps, bound, make_sets, search
from pinetum.progress import look

DEEPEST = 6
SLACK = 1e-11  # of what all cases cost when all are wrong: costs this close are equal
MOST_BYTES = 4_000_000_000  # that one search may hold
QUEUE = 4096  # intervals that wait, some more than there are columns
STRETCH = 5_000_000  # cells after which the clock is looked at, and whether there was a Ctrl-C


@dataclass(frozen=True, eq=False)
class SmallTree:
    """Tests in preorder: column -1 is a leaf, whose cases' `label` costs least; left are codes up
    to `code`.

    value, bound   cost of the tree, and what no tree costs less than
    status         "optimal", "work_limit", "time_limit" or "interrupted"
    work           cells of columns that were looked at
    """

    column: list
    code: list
    right: list  # place of the right child; the left one comes next
    label: list
    cases: list  # of each node
    value: float
    bound: float
    status: str
    work: int

    def predict(self, codes) -> np.ndarray:
        """Decision of every case (columns, cases)."""
        said, waiting = np.zeros(codes.shape[1], dtype=np.int64), [(0, np.arange(codes.shape[1]))]
        while waiting:
            at, cases = waiting.pop()
            if self.column[at] < 0:
                said[cases] = self.label[at]
                continue
            left = codes[self.column[at], cases] <= self.code[at]
            waiting += [(at + 1, cases[left]), (self.right[at], cases[~left])]
        return said


@dataclass(frozen=True, eq=False)
class Problem:
    """Columns and classes, and what a tree of them costs.

    codes      int32 (columns, cases), from 0; a test asks whether a code is at most some number
    labels     int64 (cases,)
    weight     float64 (cases,), all above 0
    losses     float64 (classes, decisions): cost of a case of weight 1
    penalty    per leaf
    least      weight of cases that a leaf needs
    price      float64 (columns,): of a test
    """

    codes: np.ndarray
    labels: np.ndarray
    weight: np.ndarray
    losses: np.ndarray
    price: np.ndarray
    penalty: float = 0.0
    least: float = 0.0

    @classmethod
    def of(cls, codes, labels, weight=None, losses=None, price=None, penalty=0.0, least=0.0):
        labels = np.ascontiguousarray(labels, dtype=np.int64)
        weight = np.ones(len(labels)) if weight is None else np.asarray(weight, dtype=np.float64)
        losses = 1.0 - np.eye(labels.max(initial=0) + 1) if losses is None else losses
        codes = np.ascontiguousarray(codes, dtype=np.int32)
        if codes.min(initial=0) < 0 or labels.min(initial=0) < 0 or labels.max() >= len(losses):
            raise ValueError("a code or a class is below 0, or a class has no losses")
        return cls(
            codes,
            labels,
            weight,
            np.asarray(losses, dtype=np.float64),
            np.zeros(len(codes)) if price is None else np.asarray(price, dtype=np.float64),
            float(penalty),
            float(least),
        )

    def solve(self, max_depth, *, work=None, time_limit=None) -> SmallTree:
        """The best tree with at most `max_depth` tests on a path, or the best that was found."""
        return Search(self, int(max_depth)).run(work, time_limit)


class Search:
    """The problem as kernels take it, room to work in, and where the search stands."""

    def __init__(self, problem: Problem, depth: int):
        self.problem, self.depth = problem, depth
        least = problem.losses.min(axis=1)
        self.sure = float(problem.weight @ least[problem.labels])  # what every tree costs
        losses = problem.losses - least[:, None]
        self.most = losses.max(axis=1)
        self.gain = self.most[:, None] - losses
        self.scale = max(float(problem.weight @ self.most[problem.labels]), 1e-300)
        counted = problem.least > problem.weight.min(initial=inf)
        two = losses.shape[1] == 2 and not counted
        if two:
            lead = problem.weight * (losses[:, 0] - losses[:, 1])[problem.labels]
        else:
            lead = problem.weight
        worst = problem.weight * self.most[problem.labels]
        weighted = bool((worst != 1).any())
        self.rules = np.zeros(1, RULES)
        self.rules[0] = (
            problem.penalty,
            min(problem.least, float(problem.weight.sum())) * (1 - SLACK) if counted else 0.0,
            SLACK * self.scale,
            two,
            weighted,
            bool(problem.price.any()),
        )
        self._check_memory(two, weighted)
        kind = self._kind(two)
        self.task = self._task(kind, counted)
        self._make_room(kind, lead, worst, weighted)

    def _kind(self, two):
        """The smallest type of numbers that holds all sums."""
        problem = self.problem
        numbers = [self.gain, problem.weight]
        if problem.price.any() or any((each != np.rint(each)).any() for each in numbers):
            return np.float64
        total = max(self.scale, float(problem.weight.sum()))
        return np.int16 if total < 2**15 else np.int32 if total < 2**31 else np.float64

    def _task(self, kind, counted) -> Task:
        """Of every class the decisions from which a case gains; with `least` its weight."""
        classes, decisions = self.gain.shape
        table = np.hstack((self.gain, np.ones((classes, 1)))) if counted else self.gain
        of_class, decision = np.nonzero(table)
        start = np.searchsorted(of_class, np.arange(classes + 1))
        amount = table[of_class, decision].astype(kind)
        return Task(
            self.rules,
            self.problem.price,
            self.problem.codes,
            start,
            decision,
            amount,
            self.most,
            decisions + counted,
        )

    def _check_memory(self, two, weighted):
        columns, cases = self.problem.codes.shape
        levels = max(self.depth - 1, 1)
        cell = levels * (9 + 8 * weighted) + 16 * (levels - 1)
        size = cells = columns * cases * cell + cases * (SIDES + 40 * levels)
        if size > MOST_BYTES:
            raise MemoryError(
                f"{columns:,} columns of {cases:,} cases at depth {self.depth} would take"
                f" {cells / 1e9:.1f} GB, at most {MOST_BYTES / 1e9:.1f}: take a smaller max_depth,"
                " or a sample of the cases"
            )

    def _make_room(self, kind, lead, worst, weighted):
        columns, n = self.problem.codes.shape
        levels, heap = max(self.depth - 1, 1), 1 << max(self.depth - 1, 1)
        deeper, d = levels - 1, self.task.decisions

        def whole(*shape):
            return np.zeros(shape, dtype=np.int64)

        self.sets = Sets(
            case=np.empty((levels, n + 1), dtype=np.uint32),
            lead=np.zeros((levels, n + 1), dtype=kind),
            label=np.zeros((levels, n + 1), dtype=np.int32),
            weight=np.zeros((levels, n + 1 if weighted else 1)),
            order=np.empty((levels, columns, n + 4), dtype=np.uint32),
            change=np.zeros((levels, columns, n + 5), dtype=np.uint8),
            cuts=np.empty((levels, columns, n), dtype=np.int32),
            reach=np.empty((levels, columns, n if weighted else 0)),
            many=whole(levels, columns),
            place=np.empty((levels, n + 1), dtype=np.int32),
        )
        self.sets.case[0, :n], self.sets.lead[0, :n] = np.arange(n), lead
        self.sets.label[0, :n] = self.problem.labels
        if weighted:
            self.sets.weight[0, :n] = worst
        inside = np.zeros((n + 1, SIDES), dtype=np.uint8)
        rows = np.zeros((4 if self.rules[0].two else PARTS + 4 * d, SIDES), dtype=kind)
        self.lanes = Lanes(
            whole(LANES),
            whole(LANES),
            whole(LANES),
            np.zeros(n + 1, dtype=np.uint64),
            inside,
            inside.view(np.uint64),
            rows,
            rows.reshape(-1),
            np.zeros((SEGMENT, SIDES), dtype=kind),
            np.zeros(d),
            np.zeros(SIDES + 1),
            *np.zeros((2, SIDES)),
        )
        room = QUEUE + columns + RESERVE
        self.queue = Queue(np.zeros(room, INTERVAL), np.zeros(LANES, INTERVAL))
        self.tables = Tables(
            *np.empty((2, deeper, columns, n)),
            np.zeros((deeper, columns)),
            whole(deeper, columns),
            np.zeros((levels, columns)),
            whole(levels, columns),
            whole(deeper, columns),
            whole(deeper, columns),
        )
        self.plan = Plan(
            np.full((levels, heap), -1, dtype=np.int32),
            np.zeros((levels, heap), dtype=np.int32),
            np.zeros((2, levels, heap), dtype=np.int32),
        )
        self.stack, self.now = np.zeros(levels, LEVEL), np.zeros(1, SEARCH)
        values = self.problem.codes.max(axis=1, initial=0).astype(np.int64) + 1
        make_sets(self.task, values, whole(int(values.max(initial=0)) + 1), self.sets)
        self.stack[0].cases, self.stack[0].target = n, self.depth
        self.now[0].doing = BEGIN if self.depth > 1 else DONE

    def run(self, work, time_limit) -> SmallTree:
        """Search until there is nothing left, or a limit is met."""
        most = inf if work is None else float(work)
        ends = inf if time_limit is None else monotonic() + time_limit
        arrays = self.task, self.sets, self.lanes, self.queue, self.stack, self.tables, self.plan
        now, status = self.now[0], "optimal"
        while now.doing != DONE and status == "optimal":
            search(min(now.work + STRETCH, most), *arrays, self.now)
            if now.doing == DONE:
                break
            if now.work >= most:
                status = "work_limit"
            elif monotonic() >= ends:
                status = "time_limit"
            elif look(self._told, None if most == inf else now.work / most):
                status = "interrupted"
        return self._tree(status)

    def _bound(self):
        return bound(self.task, self.queue, self.stack, self.tables, self.now)

    def _told(self):
        cost = self.stack[0].value + self.sure
        return f"cost {cost:,.6g}, at least {self._bound() + self.sure:,.6g}"

    def _tree(self, status) -> SmallTree:
        """The tree of the plan, whose last tests are looked for here."""
        root = self._grown(1, np.arange(self.problem.codes.shape[1]))
        ends = [part for part in root.walk() if part.column < 0] if self.depth else []
        node, found = np.full(self.problem.codes.shape[1], -1), np.zeros((len(ends), 3))
        for place, part in enumerate(ends):
            node[part.cases] = place
        problem = self.problem
        best_stumps(
            self.sets,
            node,
            problem.labels,
            self.gain,
            self.most,
            problem.weight,
            problem.price,
            self.rules,
            found,
        )
        for part, (_, f, last) in zip(ends, found.tolist(), strict=True):
            if f >= 0:
                code = problem.codes[int(f), self.sets.order[0, int(f), int(last)]]
                part.split(int(f), int(code), problem.codes)
        parts = list(root.walk())
        value = 0.0
        for part in parts:
            own, weight = problem.labels[part.cases], problem.weight[part.cases]
            cost = np.bincount(own, weight, len(problem.losses)) @ problem.losses
            part.label = int(cost.argmin())
            price = problem.price[part.column] if part.column >= 0 else 0.0
            value += float(price if part.column >= 0 else cost.min() + problem.penalty)
        low = value if status == "optimal" else min(value, float(self._bound()) + self.sure)
        at_place = {id(part): at for at, part in enumerate(parts)}
        return SmallTree(
            [part.column for part in parts],
            [part.code for part in parts],
            [at_place[id(part.sides[1])] if part.sides else -1 for part in parts],
            [part.label for part in parts],
            [part.cases for part in parts],
            value,
            low,
            status,
            int(self.now[0].work),
        )

    def _grown(self, heap, cases) -> "Part":
        """What the plan says of these cases, from a place in its heap."""
        part = Part(cases)
        if self.depth > 1 and heap < self.plan.column.shape[1]:
            f, code = int(self.plan.column[0, heap]), int(self.plan.code[0, heap])
            if f >= 0:
                left, right = part.split(f, code, self.problem.codes)
                part.sides = (
                    self._grown(2 * heap, left.cases),
                    self._grown(2 * heap + 1, right.cases),
                )
        return part


@dataclass(eq=False)
class Part:
    """A node of the tree while it is made."""

    cases: np.ndarray
    column: int = -1
    code: int = -1
    label: int = -1
    sides: tuple = ()

    def split(self, column, code, codes):
        left = codes[column, self.cases] <= code
        self.column, self.code = column, code
        self.sides = Part(self.cases[left]), Part(self.cases[~left])
        return self.sides

    def walk(self):
        """Nodes in preorder."""
        yield self
        for side in self.sides:
            yield from side.walk()
