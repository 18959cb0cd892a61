"""The best small tree between the data and a prior: exact, for any weight `n0` of the prior.

`BlendSolver` searches it; `choose_weight` finds the weight by cross-validation within the training
cases.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from math import inf
from time import monotonic

import numpy as np
from sklearn.utils.parallel import Parallel, delayed

from pinetum.nbdt.kernels.between import ENDLESS, SOUGHT, grow_between
from pinetum.nbdt.kernels.branch_and_bound import bound_table
from pinetum.nbdt.kernels.bundles import (
    LEVEL,
    SEARCH,
    Cases,
    Desk,
    Held,
    Nodes,
    Prior,
    Problem,
    Room,
    Store,
    Task,
    Tried,
    Triples,
)
from pinetum.nbdt.kernels.cases import (
    BLOCK,
    equal_cases,
    fill_holds,
    fill_rows,
    parting_first,
    tally_codes,
)
from pinetum.nbdt.naive_bayes import NaiveBayes, find_prior
from pinetum.nbdt.splits import Questions
from pinetum.progress import is_stopped, is_watched, look

GRID = (0.0, 30.0, 100.0, 300.0, 1000.0, np.inf)  # weights that are tried
FOLDS = 5
MOST_BYTES = 1_000_000_000  # that one search may hold
POINTS = 64  # of the grid over the posterior in the bound on the prior's worth
DEEPEST = 6
STORED = 20  # the store of solved nodes has 2 to this power places
# Nodes solved before the clock is looked at, and whether there was a Ctrl-C: so many, or fewer
# where their tests squared times words of cases come to more than this.
SOME_WORK, SOME_PAIRS = 2_000, 2e9
MOST_LEAVES = 1_000_000  # of a tree
# Tests cubed times words of cases, up to which a node with three tests left is solved at once: a
# third of a second.
MOST_TRIPLES = 2e10


@dataclass(frozen=True, eq=False)
class BlendedTree:
    """A tree in preorder: test -1 is a leaf.

    Mass[i, c] is the weight of class c at node i, of cases and prior.

    value      worth of the tree: over its leaves what the best decision gains from the mass, less
               the penalties
    bound      no tree of this depth is worth more
    status     "optimal", "work_limit", "time_limit" or "interrupted"
    """

    test: np.ndarray
    parent: np.ndarray
    branch: np.ndarray
    label: np.ndarray
    mass: np.ndarray
    counts: np.ndarray
    value: float
    bound: float
    status: str
    work: int

    @property
    def leaves(self) -> int:
        return int(np.count_nonzero(self.test < 0))

    @property
    def depth(self) -> int:
        depth = np.zeros(len(self.test), dtype=np.int64)
        for node in range(1, len(depth)):
            depth[node] = depth[self.parent[node]] + 1
        return int(depth.max())

    @property
    def gap(self) -> float:
        """How much more a tree could be worth, as a share of the bound."""
        return max(0.0, self.bound - self.value) / abs(self.bound) if self.bound else 0.0


class BlendSolver:
    """Searches for the tree that maximises the sum over its leaves of max_k sum_c gain[c, k] (n_c +
    n0 P(leaf, c)).

    Parameters
    ----------
    codes : int array of shape (features, cases)
        Values, from 0; none is missing.
    labels : int array of shape (cases,)
    model : NaiveBayes, or a function that gives it
        The prior: a distribution in which features are independent within each class. The function
        is called when the prior is first needed.
    questions : Questions
        The tests, from `make_questions`.
    weight : array of shape (cases,), optional
    gain : array of shape (classes, classes), optional
        gain[c, k]: what a case of class c is worth when k is said; 1 on the diagonal by default.
    min_cases : float, default 0
        A leaf that any case reaches holds at least this weight of cases.
    classes : int, optional
        Their number, needed where the model is a function.
    """

    def __init__(
        self,
        codes,
        labels,
        model: NaiveBayes | Callable[[], NaiveBayes],
        questions: Questions,
        weight=None,
        gain=None,
        min_cases=0.0,
        classes=None,
    ):
        codes, labels = (
            np.ascontiguousarray(codes, dtype=np.int32),
            np.ascontiguousarray(labels, dtype=np.int64),
        )
        self._model, self.questions = model, questions
        self.classes = int(self.model.n_classes if classes is None else classes)
        self.gain = (
            np.eye(self.classes) if gain is None else np.ascontiguousarray(gain, dtype=np.float64)
        )
        if self.gain.shape != (self.classes, self.classes) or not np.isfinite(self.gain).all():
            raise ValueError(
                f"gains of shape {self.gain.shape} for {self.classes} classes, or one is not finite"
            )
        self.plain = bool((self.gain == np.eye(self.classes)).all())
        self.min_cases = float(min_cases)
        weight = None if weight is None else np.ascontiguousarray(weight, dtype=np.float64)
        if weight is not None and (weight == 1.0).all():
            weight = None
        self.total = float(len(labels) if weight is None else weight.sum())
        self._check_memory(2, len(labels), weight is not None)
        self.codes, self.labels, self.weight = codes, labels, weight
        self._cases: dict = {}
        self._lines: dict = {}
        self.n_cases = len(labels)

    @cached_property
    def model(self) -> NaiveBayes:
        return self._model if isinstance(self._model, NaiveBayes) else self._model()

    def cases(self, deep) -> Cases:
        """The cases for the kernels; only deep trees look at the bound that equal cases of two
        classes give.
        """
        if deep not in self._cases:
            free = np.ones(self.n_cases, dtype=bool)
            if deep and self.plain:
                free = right_somewhere(
                    self.codes, self.labels, self.classes, self.questions, self.weight
                )
            self._cases[deep] = make_cases(
                self.codes, self.labels, self.classes, self.questions, self.weight, free
            )
        return self._cases[deep]

    def asked(self, deep, alone) -> tuple[Questions, Cases, np.ndarray]:
        """Tests and cases for the kernels, and which tests these are; `alone`: there is no prior.

        Without a prior, of tests that part the cases alike the first does for all: it goes first
        among equals, and none costs less. Where a column per value was made of columns of two
        values, these are half of all tests.
        """
        questions, cases = self.questions, self.cases(deep)
        width = len(questions.literals.feature)
        if (
            not alone
            or cases.weighted
            or not questions.tests.two_way
            or width < 2
            or not self.n_cases
        ):
            return questions, cases, np.arange(len(questions.tests.cost))
        kept = np.empty(width, dtype=np.int64)
        kept = kept[: parting_first(cases.rows, cases.mask, width, kept)]
        if len(kept) == width:
            return questions, cases, kept
        rows = np.zeros((len(cases.rows), places_for(len(kept))), dtype=np.uint64)
        rows[:, : len(kept) + 1] = cases.rows[:, np.append(kept, width)]
        return questions.only(kept), cases._replace(rows=rows), kept

    def check(self, depth):
        """Refuse before anything is allocated what would take more than `MOST_BYTES`, or
        `MOST_LEAVES` leaves.
        """
        ways = np.sort(np.diff(self.questions.tests.start))[::-1][:depth]
        leaves = np.prod(ways.astype(float))
        if leaves > MOST_LEAVES:
            raise MemoryError(
                f"a tree of depth {depth} could have {leaves:,.0f} leaves, at most {MOST_LEAVES:,}"
                " are allowed: take a smaller max_depth, or leave columns of many values out"
            )
        self._check_memory(depth, self.n_cases, self.weight is not None)

    def _check_memory(self, depth, n, weighted):
        literals, levels = len(self.questions.literals.feature), max(depth - 1, 1)
        width = places_for(literals)
        size = 8 if weighted else 4
        tables = (2 * levels * self.classes * size + 8 * (self.classes + 1)) * literals * width
        rows = n * width if weighted else (levels + 1) * width * (n // 8 + 8 * self.classes)
        if tables + rows > MOST_BYTES:
            raise MemoryError(
                f"{literals:,} sets of values, {n:,} cases, {self.classes} classes at depth {depth}"
                f" would take {(tables + rows) / 1e9:.1f} GB, at most {MOST_BYTES / 1e9:.1f}: take"
                " fewer cuts or values per feature"
            )

    def fit(
        self, depth, n0=0.0, *, penalty=0.0, budget=np.inf, work=None, time_limit=None
    ) -> BlendedTree:
        """The best tree with at most `depth` tests on a path, and tests that cost at most `budget`
        together.

        `n0` is the weight of the prior in cases; infinity leaves the data out. `work` limits the
        search, counted in nodes solved at once; `time_limit` in seconds is looked at now and then.
        At a limit the best tree so far comes back, with a bound.
        """
        if depth != int(depth) or not 0 <= depth <= DEEPEST:
            raise ValueError(f"depth = {depth}: a whole number from 0 to {DEEPEST}")
        if not n0 >= 0:
            raise ValueError(f"n0 = {n0}: the weight of the prior cannot be negative")
        if not (penalty >= 0 and np.isfinite(penalty)):
            raise ValueError(f"penalty = {penalty}: must be finite and not negative")
        depth = int(depth)
        self.check(depth)
        at_once = 3 if depth > 2 and self._may_solve_three(n0, budget) else 2
        prior, problem = self._prior(depth, n0), self._problem(n0, penalty, at_once)
        size = 1 << (STORED if depth > 4 else 16 if depth > 3 else 0)
        store = Store(np.zeros(size, np.int64), np.zeros(size, np.int8), np.zeros(size))
        search = Search(self, depth, prior, problem, store, alone=n0 == 0)
        most = ENDLESS if work is None else int(work)
        nodes, bound, used, status = search.run(budget, most, time_limit)
        leaf = nodes.test < 0
        worth = float((nodes.mass[leaf] @ self.gain).max(axis=1).sum()) - penalty * int(leaf.sum())
        bound = worth if status == "optimal" else max(worth, float(bound))
        return BlendedTree(
            **nodes._asdict(), value=worth, bound=bound, status=status, work=int(used)
        )

    def path(self, depth, n0=0.0, **limits) -> list[BlendedTree]:
        """Every tree that is best for some penalty per leaf, from the largest to a single leaf.

        Two neighbours are equally good at the penalty between them; all such penalties are found,
        since worth less penalties is the greatest of straight lines in the penalty.
        """
        none, large = self.fit(depth, n0, **limits), self.fit(0, n0)
        found = {none.leaves: none, large.leaves: large}
        waiting = [(none, large)] if none.leaves > large.leaves else []
        while waiting:
            more, less = waiting.pop()
            penalty = (more.value - less.value) / (more.leaves - less.leaves)
            between = self.fit(depth, n0, penalty=penalty, **limits)
            between = replace(between, value=between.value + penalty * between.leaves)
            line = more.value - penalty * more.leaves
            if less.leaves < between.leaves < more.leaves and (
                between.value - penalty * between.leaves > line + 1e-9 * max(1.0, abs(line))
            ):
                found[between.leaves] = between
                waiting += [(more, between), (between, less)]
        return [found[leaves] for leaves in sorted(found, reverse=True)]

    def _prior(self, depth, n0):
        if n0 == 0:
            values = len(self.questions.cells)
            return Prior(np.zeros(self.classes), np.zeros((self.classes, values)), np.zeros((1, 1)))
        weight = 1.0 if np.isinf(n0) else float(n0)
        relaxed = np.zeros((depth + 1, 1))
        if self.classes == 2 and self.plain and depth > 2:
            if depth not in self._lines:  # the same for every weight
                self._lines[depth] = self._relaxed(depth)
            relaxed = self._lines[depth]
        cells = np.ascontiguousarray(self.model.given[:, self.questions.cells])
        return Prior(weight * self.model.prior, cells, relaxed)

    def _relaxed(self, depth):
        minus, plus = (np.ascontiguousarray(row) for row in self.model.given)
        alone = np.full(self.model.n_features, -1, np.int64)
        _, first, _, _, row_of = bound_table(depth, POINTS, alone, 0, plus, minus, self.model.start)
        x = np.arange(POINTS + 1) / POINTS
        rows = [np.maximum(x, 1 - x), *(first[row_of[tests, 0]] for tests in range(1, depth + 1))]
        return np.maximum.accumulate(rows)  # a feature that is the only one is never below itself

    def _may_solve_three(self, n0, budget) -> bool:
        """Whether nodes with three tests left may be solved at once, and that leaves time to look
        at the clock.
        """
        work = len(self.questions.literals.feature) ** 3 * (self.n_cases / 64 + 10)
        counted = (
            n0 == 0
            and self.classes == 2
            and self.plain
            and self.weight is None
            and self.min_cases <= 0
        )
        return (
            counted and self.questions.tests.two_way and budget == inf and 0 < work <= MOST_TRIPLES
        )

    def _problem(self, n0, penalty, at_once):
        data = 0.0 if np.isinf(n0) else 1.0
        scale = (data * self.total + (1.0 if np.isinf(n0) else n0)) * max(
            1.0, np.abs(self.gain).max()
        )
        lead = self.gain[:, 1] - self.gain[:, 0] if self.classes > 1 else np.zeros(1)
        counted = self.weight is None and self.plain and data == 1.0
        return Problem(
            data,
            counted,
            at_once,
            self.gain,
            self.plain,
            self.gain.max(axis=1),
            self.gain.min(axis=1),
            lead,
            self.gain[:, :2].sum(axis=1),
            self.min_cases,
            float(penalty),
            max(scale, 1e-300),
        )


class Search:
    """One problem: the tests of the best tree first, then what its nodes hold."""

    def __init__(self, solver, depth, prior, problem, store, alone):
        self.depth, self.store = depth, store
        self.questions, cases, self.kept = solver.asked(depth > problem.at_once, alone)
        self.task = Task(cases, prior, self.questions.literals, self.questions.tests, problem)
        self.desk = make_desk(depth, self.task)
        widest, classes = int(np.diff(self.questions.tests.start).max(initial=1)), len(prior.mass)
        room = min(sum(widest**level for level in range(depth + 1)), 3 * MOST_LEAVES)
        self.nodes = Nodes(
            *np.empty((4, room), np.int64), np.empty((room, classes)), np.empty((room, classes))
        )

    def run(self, budget, most, time_limit):
        """`Nodes` in the solver's numbers, bound, work, status."""
        nodes, pick, bound, used, status = self.search(budget, most, time_limit)
        if status != "optimal":  # grown again, as long as it was searched where nobody waits
            work = max(used, SOME_WORK) if status == "work_limit" else SOME_WORK
            nodes = self.step(budget, pick, work)[0]
        if nodes < 0:
            raise MemoryError(
                f"the tree has over {len(self.nodes.test):,} nodes: take a smaller depth"
            )
        found = Nodes(*(column[:nodes].copy() for column in self.nodes))
        tests, branches = found.test, found.branch
        if self.questions.tests.two_way:  # as they are numbered in the solver's questions
            split, below = tests >= 0, branches >= 0
            tests[split] = self.kept[tests[split]]
            branches[below] = 2 * self.kept[branches[below] >> 1] + (branches[below] & 1)
        return found, bound, used, status

    def step(self, budget, root, work):
        """Nodes of the tree, or 0 if so much work did not do.

        Worth, first test, bound, work done.
        """
        budget = float(budget)
        return grow_between(
            self.depth, budget, root, self.task, self.desk, self.store, work, self.nodes
        )

    def search(self, budget, most, time_limit):
        """Nodes of the tree, first test, bound, work done and status."""
        ends = inf if time_limit is None else monotonic() + time_limit
        pairs = len(self.questions.literals.feature) ** 2 * (len(self.task.cases.mask) + 10)
        stretch = max(1, min(SOME_WORK, int(SOME_PAIRS / max(1, pairs))))
        stretch = 1 if is_stopped() else stretch
        step = most if time_limit is None and not is_watched() else min(stretch, most)
        while True:
            nodes, value, pick, bound, used = self.step(budget, SOUGHT, step)
            if used < step or bound <= value:
                return nodes, pick, bound, used, "optimal"
            if used >= most:
                return nodes, pick, bound, used, "work_limit"
            if monotonic() >= ends:
                return nodes, pick, bound, used, "time_limit"
            told = f"worth {value:,.6g} of at most {bound:,.6g}"
            if look(lambda told=told: told, None if most == ENDLESS else used / most):
                return nodes, pick, bound, used, "interrupted"
            step = min(used + stretch, most)


def places_for(width) -> int:
    """Places of a line with so many literals."""
    return -(-(width + 1) // BLOCK) * BLOCK


def make_desk(depth, task: Task) -> Desk:
    """Room for a search of this depth."""
    cases, literals, tests = task.cases, task.literals, task.tests
    levels, classes = max(depth - 1, 1), len(task.prior.mass)
    width, n_tests, words = len(literals.feature), len(tests.cost), len(cases.mask)
    places, widest = places_for(width), int(np.diff(tests.start).max(initial=1))
    planes = 1 if classes == 2 and task.problem.least <= 0 else classes + 1
    size = np.float64 if cases.weighted else np.int32

    def real(*shape):
        return np.empty(shape)

    def whole(*shape):
        return np.empty(shape, dtype=np.int64)

    held = Held(
        rows=np.empty((levels, words, places), dtype=np.uint64),
        class_words=whole(levels, classes + 1),
        mask=np.empty((levels, words), dtype=np.uint64),
        listed=whole(levels, len(cases.labels)),
        tables=np.empty((levels, classes, width + 1, places), dtype=size),
        rest=np.empty((max(levels - 1, 1), classes, width + 1, places), dtype=size),
        counts=real(levels, classes),
        mass=np.zeros((levels, classes)),
        cells=real(levels, *task.prior.cells.shape),
        share=np.zeros((levels, classes, places)),
    )
    tried = Tried(
        value=real(levels, n_tests),
        reach=real(levels, n_tests),
        order=whole(levels, n_tests),
        hope=real(levels, widest),
        size=real(levels, widest),
        turn=whole(levels, widest),
        solved=whole(levels, widest),
    )
    room = Room(
        chosen=np.empty(words, dtype=np.uint64),
        count=np.empty(places, dtype=np.uint64),
        narrow=np.empty((5, places), dtype=size),
        lines=real(6, max(places, classes)),
        mass=real(planes, width, places),
        single=np.zeros((classes + 1, width)),
        total=np.zeros(classes + 1),
        part=real(classes),
        prefix=real(classes, literals.cell_start[-1] + len(literals.cell_start)),
        afford=whole(n_tests),
    )
    triples = make_triples(width if task.problem.at_once == 3 else 0, places, words)
    stack, trail = np.zeros(levels, LEVEL), whole(2 * levels + 4)
    return Desk(held, tried, room, triples, stack, trail, np.zeros(1, SEARCH))


def make_triples(width, places, words) -> Triples:
    return Triples(
        words=np.empty((words + 3, places), dtype=np.uint64),
        flip=np.empty(words + 3, dtype=np.uint64),
        alone=np.empty(places, dtype=np.int32),
        pairs=np.empty((width, places), dtype=np.int32),
        both=np.empty(places, dtype=np.int32),
        best=np.empty((4, width, places), dtype=np.int32),
    )


def make_cases(codes, labels, classes, questions, weight, free):
    """The cases as the search takes them: which literals hold, and which cases can be right in some
    tree.
    """
    feature, holds, chosen = questions.literals.feature, questions.literals.holds, questions.chosen
    places = places_for(len(feature))
    if weight is not None:
        filled = np.empty((len(labels), places), dtype=np.uint8)
        fill_holds(codes, chosen, free, feature, holds, filled)
        rows = np.zeros((0, places), np.uint64)
        return Cases(
            rows,
            np.zeros(classes + 1, np.int64),
            np.zeros(0, np.uint64),
            filled,
            labels,
            weight,
            True,
        )
    order, sizes = np.argsort(labels, kind="stable"), np.bincount(labels, minlength=classes)
    class_words = np.concatenate(([0], np.cumsum((sizes + 63) // 64))).astype(np.int64)
    place = np.empty(len(labels), dtype=np.int64)
    place[order] = np.arange(len(labels)) + np.repeat(
        64 * class_words[:-1] - np.cumsum(sizes) + sizes, sizes
    )
    rows, mask = (
        np.empty((class_words[-1], places), dtype=np.uint64),
        np.empty(class_words[-1], dtype=np.uint64),
    )
    fill_rows(codes, place, free, questions.literals, chosen, rows, mask)
    no_cases = np.zeros((0, places), np.uint8), np.zeros(0, np.int64), np.zeros(0)
    return Cases(rows, class_words, mask, *no_cases, False)


def right_somewhere(codes, labels, classes, questions, weight):
    """Of cases that no test tells apart, those of the heaviest class.

    No tree can have the others right as well.
    """
    group = np.empty(len(labels), dtype=np.int64)
    groups = equal_cases(codes, questions.chosen, group)
    weights = np.bincount(group * classes + labels, weight, minlength=groups * classes).reshape(
        groups, classes
    )
    return weights.argmax(axis=1)[group] == labels


@dataclass(frozen=True, eq=False)
class Setting:
    """All of a problem but the cases and the weight of the prior."""

    questions: Questions
    arity: np.ndarray
    ordered: np.ndarray
    classes: int
    alpha: float = 1.0
    prior: str = "naive_bayes"
    gain: np.ndarray | None = None
    min_cases: float = 0.0

    def solver(self, codes, labels, weight=None) -> BlendSolver:
        """The solver for these cases."""
        model = partial(
            self.model, codes, labels, weight
        )  # estimated when a solver asks, and can be pickled
        return BlendSolver(
            codes,
            labels,
            model,
            self.questions,
            weight,
            self.gain,
            self.min_cases,
            classes=self.classes,
        )

    def model(self, codes, labels, weight=None):
        """The prior's estimates from these cases."""
        alpha = value_alphas(codes, self.arity, self.ordered, self.alpha, weight)
        return find_prior(self.prior).function(
            codes, labels, self.arity, self.classes, alpha, weight
        )


def value_alphas(codes, arity, ordered, alpha, weight):
    """Dirichlet parameter per value: `alpha` for a discrete one.

    Intervals of a number share 2 alpha as the cases do.

    So a cut is smoothed as a feature of two values is, however many intervals there are.
    """
    if not ordered.any():
        return alpha
    start = np.concatenate(([0], np.cumsum(arity)))
    tally = np.zeros(start[-1])
    tally_codes(codes, np.ones(codes.shape[1]) if weight is None else weight, start, tally)
    whole = np.repeat(np.add.reduceat(tally, start[:-1]), arity)
    shared = np.repeat(ordered, arity) & (whole > 0)
    return np.where(
        shared, np.divide(2.0 * alpha * tally, whole, out=np.zeros_like(tally), where=shared), alpha
    )


def predict_codes(found, questions, codes) -> np.ndarray:
    """Class of every coded case by a `BlendedTree`."""
    node = np.zeros(codes.shape[1], dtype=np.int64)
    for child in range(1, len(found.test)):
        literal = questions.tests.literal[found.branch[child]]
        feature = questions.chosen[questions.literals.feature[literal]]
        inside = node == found.parent[child]
        takes = questions.holds(found.branch[child])[codes[feature]]
        node[inside & takes] = child
    return found.label[node]


def equal_folds(codes, labels, case, folds, seed) -> np.ndarray:
    """Fold of every copy: stratified, equal cases together, whatever their order and weight."""
    lines = np.vstack((labels, codes)).T
    _, first, group = np.unique(lines, axis=0, return_index=True, return_inverse=True)
    group = group.ravel()
    rng = np.random.default_rng(seed)
    fold = np.empty(len(first), dtype=np.int64)
    next_fold = 0
    for label in np.unique(labels):
        mine = np.flatnonzero(labels[first] == label)
        fold[rng.permutation(mine)] = (next_fold + np.arange(len(mine))) % folds
        next_fold += len(mine)
    # copies of one case stay together: all take the fold of its first
    _, leader = np.unique(case, return_index=True)
    of_case = dict(zip(case[leader].tolist(), fold[group[leader]].tolist(), strict=True))
    return np.array([of_case[one] for one in case.tolist()], dtype=np.int64)


def losses_of_fold(
    setting, codes, labels, weight, depth, inside, grid, losses, limits
) -> np.ndarray:
    """Loss on the cases of a fold for every weight of the grid."""
    train, test = np.flatnonzero(~inside), np.flatnonzero(inside)
    own = None if weight is None else weight[train]
    solver = setting.solver(np.ascontiguousarray(codes[:, train]), labels[train], own)
    part = codes[:, test]
    shares = np.ones(len(test)) if weight is None else weight[test]
    lost = np.full(len(grid), np.nan)
    for place, n0 in enumerate(grid):
        if is_stopped():  # then the weight of the prior is chosen without them
            break
        answer = predict_codes(solver.fit(depth, n0, **limits), setting.questions, part)
        lost[place] = (losses[labels[test], answer] * shares).sum()
    return lost


def choose_weight(
    setting,
    codes,
    labels,
    case,
    weight,
    depth,
    *,
    grid=GRID,
    folds=FOLDS,
    seed=0,
    losses=None,
    n_jobs=None,
    **limits,
):
    """The weight of the prior with the least cross-validated loss, and all losses in the order of
    the grid.

    Of equal ones the largest. With fewer cases than folds, and after Ctrl-C, it is the middle of
    the grid. `n_jobs` processes share the folds.
    """
    losses = 1.0 - np.eye(setting.classes) if losses is None else losses
    numbers = equal_folds(codes, labels, case, folds, seed)
    used = np.unique(numbers)
    unknown = grid[len(grid) // 2], np.full(len(grid), np.nan)
    if len(used) < 2:
        return unknown
    lost = Parallel(n_jobs)(
        delayed(losses_of_fold)(
            setting, codes, labels, weight, depth, numbers == fold, grid, losses, limits
        )
        for fold in used
    )
    if is_stopped():
        return unknown
    total = np.sum(lost, axis=0) / (len(labels) if weight is None else weight.sum())
    best = np.flatnonzero(total <= total.min() + 1e-12)[-1]
    return grid[best], total
