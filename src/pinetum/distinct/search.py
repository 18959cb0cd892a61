"""Complete search for the subset of features whose trees err least.

Leaves whose whole path splits on features that must stay belong to every tree of the sub-space
R x Pow(S); their errors bound the sub-space from below, and a sub-space that cannot improve on the
best tree met so far is left out. Used features go in the order that settles errors soonest (see
`order_by_errors`), which the paper's frontier order leaves to chance. Three stages share one limit:

1. improve and prove: search for fewer errors than the best, starting from backward elimination or
   no feature at all;
2. ties: among the subsets of least error the smallest, then the lexicographically first (together
   with stage 1 where there are many errors);
3. when stage 1 does not end: a ladder of searches for "at most B errors", which end sooner the
   smaller B is; each that finds nothing raises the proved lower bound.

For the smallest subset within some errors of the least, a search for fewer features takes the place
of 2 and 3.
"""

import math
import time
from dataclasses import dataclass

import numpy as np

from pinetum.distinct.engine import UNLIMITED, Engine, Over
from pinetum.distinct.enumeration import Best, Found, as_costs, found_in
from pinetum.distinct.objective import ENOUGH, Objective, cross_validation
from pinetum.induction import Grower, yadt
from pinetum.induction.cases import cases_of
from pinetum.parameters import COUNT, check, places
from pinetum.progress import is_stopped, watched

SHARE_OF_START = 0.2  # of the limit for backward elimination at most
SHARE_OF_SEARCH = 0.7  # of what is left for stage 1; the ladder has the rest
MANY_ERRORS = 100  # one error more or less then hardly changes a search: stages 1 and 2 are one
TOLERANCE = 1e-9  # of a number of errors that is whole but for its rounding: .29 * 100
# the first rung may take one part in so many of what is left; twice as much after each that was cut
# short
RUNGS = 16


ONE_STANDARD_ERROR = (  # in place of a number of errors: that of the best subset's
    "one_standard_error"
)


@dataclass(frozen=True)
class Optimum:
    """The best subset that a search has met, and what is proved about it.

    Errors are search cases of all parts together, or what they, leaves and features cost where the
    objective has costs or penalties.
    """

    subset: tuple[int, ...]  # the features its trees use
    features: tuple[str, ...]  # their names
    errors: float
    bound: float  # no subset errs less than this
    proved: bool  # errors - bound <= delta
    ties_proved: bool  # among equals the smallest subset, then the first
    status: str  # optimal, within_delta, time_limit, work_limit, memory_limit or interrupted
    top_errors: float  # of the trees on all features; nan where a limit came before them
    start_errors: float  # of the subset the search started from
    cases: int  # search cases of all parts
    built: int
    skipped: int  # sub-spaces left out
    seconds: float
    cache_mb: float

    @property
    def gap(self) -> float:
        """How much fewer errors another subset may have, as far as is proved."""
        return self.errors - self.bound


def backward_elimination(engine, features, until=lambda: False, over=None):
    """The paper's SBE with unused features skipped: (errors, used features) at the end, and of the
    top tree.

    `until` is asked between rounds whether to end, `over` within them too; the first tree, which is
    given, is left by an `Over`.
    """
    top = errors, subset = engine.errors_of(features, over)
    while subset:
        if until():
            break
        try:
            trials = engine.errors_without(subset, over)
        except Over:
            break
        least = min(trials[removed][0] for removed in subset)
        if least >= errors:
            break
        errors, subset = next(trials[removed] for removed in subset if trials[removed][0] == least)
    return (errors, subset), top


def descend(engine, features, until=lambda: False, over=None):
    """Backward elimination down to no feature: (errors, used features) of every step."""
    errors, subset = engine.errors_of(features)
    yield errors, subset
    while subset and not until():
        try:
            trials = engine.errors_without(subset, over)
        except Over:
            break
        least = min(trials[removed][0] for removed in subset)
        errors, subset = next(trials[removed] for removed in subset if trials[removed][0] == least)
        yield errors, subset


def standard_error(engine, subset) -> float:
    """Of the errors of a subset: from their spread over the parts, or over the cases of the only
    part.
    """
    data, objective = engine.dataset, engine.objective
    cost = objective.cost_matrix(data.n_classes) / objective.unit
    wrong = []
    for building, search in objective.parts:
        given = Grower(data, engine.options, cases=building).grow(subset).predict(data, search)
        wrong.append(cost[data.labels[search], given])
    if len(wrong) == 1:
        return float(np.std(wrong[0]) * np.sqrt(len(wrong[0]))) if len(wrong[0]) else 0.0
    return float(np.std([part.sum() for part in wrong], ddof=1) * np.sqrt(len(wrong)))


def errors_of_twins(engine, features) -> int:
    """What every subset of these features costs at least, in parts.

    Search cases of a part that are alike in all of the features get the same class from every tree,
    so all of them but those of one class are wrong.
    """
    data, objective = engine.dataset, engine.objective
    cost = objective.cost_matrix(data.n_classes)
    sure = objective.in_parts(objective.leaf_penalty) * len(objective.parts)
    alike = np.zeros(data.n_cases, dtype=np.int64)
    if features:
        codes = np.ascontiguousarray(data.codes[list(features)].T)
        rows = codes.view(
            f"V{codes.itemsize * len(features)}"
        ).ravel()  # a case's codes as one value
        alike = np.unique(rows, return_inverse=True)[1]
    for _, search in objective.parts:
        kinds, kind = np.unique(alike[search], return_inverse=True)
        counts = np.zeros((len(kinds), data.n_classes), dtype=np.int64)
        np.add.at(counts, (kind, data.labels[search]), 1)
        sure += int((counts @ cost).min(axis=1).sum())
    return sure


def best_subset(
    X,
    y=None,
    objective=None,
    *,
    min_cases=2,
    criterion="gain",
    options=None,
    features=None,
    start="elimination",
    delta=0,
    smallest=False,
    ties=True,
    work=None,
    time_limit=None,
    cache_mb=1000,
    verbose=0,
) -> Optimum:
    """Find the subset of features whose trees err least, and prove it.

    Parameters
    ----------
    X : DataFrame or array of shape (cases, features), or Table
        Columns of a DataFrame that hold categories, text or truth values are discrete; NaN is
        missing.
    y : array of shape (cases,); none for a Table, which knows its classes
    objective : Objective or function of the table that gives one, optional
        What subsets are judged by: see `hold_out` and `cross_validation`. Default: the errors of a
        stratified five-fold cross-validation, as the best subset of a single split of the cases
        suits that split too well.
    min_cases : float, default 2
        A node with less weight is a leaf (the paper's m).
    criterion : str, default "gain"
        What a split is chosen by.
    options : Options, optional
        All rules of growing, in place of `min_cases` and `criterion`.
    features : sequence of int, optional
        Features that may be chosen. Default: all.
    start : {"elimination", None} or sequence of int, default "elimination"
        The subset to improve on: that of backward elimination, all features, or this one.
    delta : float or "one_standard_error", default 0
        Errors above the least that will do; by name, the standard error of the best subset's, with
        `smallest`.
    smallest : bool, default False
        Give the smallest subset within `delta` of the least error that is met, in place of any.
    ties : bool, default True
        Among the subsets of least error give the smallest, then the lexicographically first.
    work : int, optional
        Limit of the search in steps (features times cases ranked, nodes of trees walked): the same
        result on every machine. A core does 10^8 and more in a second.
    time_limit : float, optional
        Limit in CPU seconds. At a limit, and after Ctrl-C, `bound` and `gap` say what is proved.
    cache_mb : float, default 1000
        Memory for node records; when it is full it is emptied and the search goes on.
    verbose : int, default 0
        1 tells the standard error how far the search has come.

    Returns
    -------
    Optimum

    See Also
    --------
    best_subsets, near_optimal_trees

    Notes
    -----
    Section 7 of Ruggieri (2017) asks for such a search; the bound is described in this module.

    Examples
    --------
    The class follows from the features w and x:

    >>> from pinetum.data.sample import sample
    >>> found = best_subset(sample(missing=False))
    >>> found.features, found.errors, found.status
    (('w', 'x'), 0, 'optimal')
    """
    check(
        smallest=smallest, ties=ties, delta=delta, work=work, time_limit=time_limit, verbose=verbose
    )
    engine = engine_for(cases_of(X, y), objective, min_cases, criterion, options, cache_mb)
    with watched("best_subset", verbose):
        return search_engine(
            engine,
            features,
            start=start,
            delta=delta,
            smallest=smallest,
            ties=ties,
            work=work,
            time_limit=time_limit,
        )


def engine_for(
    data, objective, min_cases=2, criterion="gain", options=None, cache_mb=1000
) -> Engine:
    """An engine that judges subsets by the objective, five-fold cross-validation by default."""
    check(min_cases=min_cases)
    if not isinstance(objective, Objective):
        objective = objective_of(objective or cross_validation, data)
    if objective.n_search == 0:
        raise ValueError(
            f"n_samples = {data.n_cases}: too few, no cases are left to judge trees by"
        )
    return Engine(
        data, options or yadt(min_cases, criterion), objective=objective, cache_mb=cache_mb
    )


def objective_of(make, data) -> Objective:
    """What a function of the table gives."""
    if not callable(make):
        raise ValueError(
            f"objective = {make!r}: expected an Objective, or a function of the table that"
            " gives one"
        )
    return make(data)


def search_engine(
    engine,
    features=None,
    *,
    start="elimination",
    delta=0,
    smallest=False,
    ties=True,
    work=None,
    time_limit=None,
    order="errors",
) -> Optimum:
    """`best_subset` on an engine, which keeps its records for searches to come."""
    begun = time.process_time()
    data, unit = engine.dataset, engine.objective.unit
    if engine.n_search == 0:
        raise ValueError(
            "objective: no search cases; subsets are judged by some, so give more cases"
        )
    offered = (
        range(data.n_features)
        if features is None
        else places(features, data.n_features, "features")
    )
    features = tuple(sorted(set(offered)))
    if start is not None and start != "elimination":
        start = places(start, data.n_features, "start")
    by_error = delta == ONE_STANDARD_ERROR
    if (by_error and not smallest) or (isinstance(delta, str) and not by_error):
        raise ValueError(f"delta={delta!r}: a number, or {ONE_STANDARD_ERROR!r} with smallest=True")
    allowed = 0 if by_error else int(min(delta * unit, ENOUGH) + TOLERANCE)
    budget = Budget(engine, time_limit, work)
    run = Search(engine, features, order, budget)
    first, top = first_of(engine, features, start, budget)
    run.best = min(first, engine.errors_of(()))
    run.raise_bound(errors_of_twins(engine, features))
    exact = delta == 0 or smallest
    at_once = ties and exact and not smallest and first[0] >= MANY_ERRORS * unit
    end = run.improve(
        0 if at_once else 1 + (0 if exact else allowed), SHARE_OF_SEARCH, ties=at_once
    )
    ties_proved = at_once and end == "done"
    if end == "done":
        run.raise_bound(run.best[0] - (0 if exact else allowed))
    if smallest and (end == "done" or end in LIMITS):
        if by_error:
            allowed = int(standard_error(engine, run.best[1]) * unit + TOLERANCE)
        shrunk = run.shrink(run.best[0] + allowed)
        ties_proved = end == shrunk == "done"
        end = shrunk if end == "done" else end
    elif end == "done":
        if ties and exact and not at_once:
            ties_proved = run.improve(0, 1.0, ties=True) == "done"
    elif end in LIMITS:
        end = run.climb(0 if exact else allowed)
    proved = run.best[0] - run.bound <= allowed
    status = ("optimal" if run.best[0] == run.bound else "within_delta") if proved else end

    in_costs = engine.objective.in_costs
    return Optimum(
        subset=run.best[1],
        features=tuple(data.feature_names[f] for f in run.best[1]),
        errors=in_costs(run.best[0]),
        bound=in_costs(run.bound),
        proved=proved,
        ties_proved=ties_proved,
        status=status,
        top_errors=in_costs(top[0]),
        start_errors=in_costs(first[0]),
        cases=engine.n_search,
        built=run.built,
        skipped=run.skipped,
        seconds=time.process_time() - begun,
        cache_mb=engine.cache_peak_mb,
    )


def first_of(engine, features, start, budget):
    """(errors, used features) to improve on, and of the tree on all features.

    Where the budget ends before these are known: of the lone leaf, and nan.
    """
    try:
        if start == "elimination":
            return backward_elimination(
                engine, features, lambda: budget.over() or budget.used(SHARE_OF_START), budget.over
            )
        top = engine.errors_of(features, budget.over)
        return top if start is None else min(top, engine.errors_of(start, budget.over)), top
    except Over:
        return engine.errors_of(()), (math.nan, ())


def best_subsets(
    X,
    y=None,
    objective=None,
    number=10,
    *,
    min_cases=2,
    criterion="gain",
    options=None,
    work=None,
    time_limit=None,
    cache_mb=1000,
    verbose=0,
):
    """The best subsets of features, each of those that its trees use.

    Parameters
    ----------
    X, y, objective
        As in `best_subset`.
    number : int, default 10
    min_cases, criterion, options, work, time_limit, cache_mb, verbose
        As in `best_subset`.

    Returns
    -------
    list of Found
        Ordered by errors, which are counted as in `Optimum`, number of features, and features.
    str
        "ok", or the limit that cut the search short: then the list holds the best met so far.

    Examples
    --------
    >>> from pinetum.data.sample import sample
    >>> found, status = best_subsets(sample(missing=False), number=2)
    >>> found[0].subset, found[0].errors, len(found), status
    ((0, 1), 0, 2, 'ok')
    """
    check({"number": COUNT}, number=number, work=work, time_limit=time_limit, verbose=verbose)
    engine = engine_for(cases_of(X, y), objective, min_cases, criterion, options, cache_mb)
    with watched("best_subsets", verbose):
        kept, status = keep_best(engine, number, work=work, time_limit=time_limit)
        return as_costs(engine.objective, kept), status


def keep_best(
    engine, number, limit=UNLIMITED, *, work=None, time_limit=None
) -> tuple[list[Found], str]:
    """The best trees with at most `limit` errors, and how the search for them ended."""
    kept = Best(number)

    def on_block(subsets, errors, signatures):
        for tree in found_in(subsets, errors, signatures):
            kept.offer(tree)
        if kept.full:
            # Later trees must be no worse than the last one kept; equal ones may be smaller.
            engine.prune(kept.worst.errors)
            engine.emit(kept.worst.errors)
        return False

    engine.begin(order="errors")
    engine.prune(limit)
    engine.emit(limit)
    end = engine.run(work=work, seconds=time_limit, on_block=on_block)
    return kept.trees, "ok" if end == "done" else end


class Budget:
    """What is left of a limit in CPU seconds or in work, or of none."""

    def __init__(self, engine, seconds, work):
        self.engine, self.limit, self.in_work = (
            engine,
            seconds if work is None else work,
            work is not None,
        )
        self.begun = self._now()

    def _now(self):
        return self.engine.work if self.in_work else time.process_time()

    def left(self):
        return None if self.limit is None else max(0, self.limit - (self._now() - self.begun))

    def used(self, share):
        return self.limit is not None and self._now() - self.begun > share * self.limit

    def over(self):
        """Whether all is used up, or Ctrl-C was pressed."""
        return is_stopped() or self.used(1.0)

    def after(self, share):
        """A function that says whether this share of what is left now is used up, or Ctrl-C was
        pressed.
        """
        left, begun = self.left(), self._now()
        return lambda: is_stopped() or (left is not None and self._now() - begun > share * left)

    def run(self, amount):
        if self.limit is None:
            return self.engine.run()
        return (
            self.engine.run(work=int(amount)) if self.in_work else self.engine.run(seconds=amount)
        )


LIMITS = ("time_limit", "work_limit")


class Search:
    """The stages of one search and what they have found."""

    def __init__(self, engine, features, order, budget):
        self.engine, self.features, self.order, self.budget = engine, features, order, budget
        self.best = None
        self.bound = self.built = self.skipped = 0

    def raise_bound(self, bound):
        self.bound = max(self.bound, min(bound, self.best[0]))

    def _run(self, amount, prune):
        engine = self.engine
        engine.begin((), self.features, order=self.order)
        engine.set_best(*self.best)
        prune()
        end = self.budget.run(amount)
        self.best = engine.best
        self.built += engine.built
        self.skipped += engine.skipped
        return end

    def improve(self, margin, share, ties=False):
        """Search for trees that err at least `margin` less than the best, in this share of what is
        left.
        """
        if self.best[0] - margin < self.bound:
            return "done"
        left = self.budget.left()
        end = self._run(
            left and left * share, lambda: self.engine.prune_below_best(margin, ties=ties)
        )
        if end != "done":
            self.raise_bound(self.engine.open_bound())
        return end

    def shrink(self, errors):
        """Search for the smallest subset of at most this many errors, from the smallest that
        elimination meets.
        """
        for first in (self.features, self.best[1]):
            until = self.budget.after(SHARE_OF_START)
            for step in descend(self.engine, first, until, self.budget.over):
                if step[0] <= errors:
                    self.best = min(self.best, step, key=lambda found: (len(found[1]), *found))

        def prune():
            self.engine.seek_smallest(errors)
            self.engine.set_best(*self.best)
            self.engine.prune_below_best(0, ties=True)

        return self._run(self.budget.left(), prune)

    def climb(self, delta):
        """Raise the bound by searches for at most B errors: B grows after a success and shrinks
        after a failure.
        """
        rung = self.budget.left() / RUNGS
        step = max(1, (self.best[0] - self.bound) // 8)
        too_much = self.best[0]  # a search for this many did not end in its time
        while self.budget.left() > 0 and self.best[0] - self.bound > delta:
            aim = min(self.bound + step, too_much, self.best[0]) - 1
            if aim < self.bound:
                too_much = self.best[0]  # the smallest step was too much, and now has more time
                continue
            end = self._run(
                min(rung, self.budget.left()), lambda limit=aim: self.engine.prune(limit)
            )
            if end == "done":
                # Every sub-space that may hold a tree of at most `aim` errors has been searched.
                self.raise_bound(aim + 1)
                step *= 2
            elif end in LIMITS:
                too_much = aim
                step = max(1, (too_much - self.bound) // 2)
                rung *= 2
            else:
                return end
        return "work_limit" if self.budget.in_work else "time_limit"
