"""Complete search for the subset of features whose tree errs least on the search set.

Leaves whose whole path splits on features that must stay belong to every tree of the sub-space
R x Pow(S); their errors bound the sub-space from below, and a sub-space that cannot improve on the
best tree met so far is left out. Used features go in the order that settles errors soonest (see
`order_by_errors`), which the paper's frontier order leaves to chance. Three stages share one clock:

1. improve and prove: search for fewer errors than the best, starting from backward elimination;
2. ties: among the subsets of least error the smallest, then the lexicographically first (together with
   stage 1 where there are many errors);
3. when stage 1 does not end: a ladder of searches for "at most B errors", which end sooner the smaller
   B is; each that finds nothing raises the proved lower bound.
"""

import time
from dataclasses import dataclass

from pinetum.distinct.engine import Engine
from pinetum.induction import yadt

SHARE_OF_START = 0.2  # of the limit for backward elimination at most
SHARE_OF_SEARCH = 0.7  # of what is left for stage 1; the ladder has the rest
MANY_ERRORS = 100  # one error more or less then hardly changes a search: stages 1 and 2 are one
RUNGS = 16  # the first rung may take one part in so many of what is left; twice as much after each that was cut short


@dataclass(frozen=True)
class Optimum:
    subset: tuple[int, ...]  # the best subset met: the features its tree uses
    errors: int  # its errors on the search set
    bound: int  # no subset errs less than this
    proved: bool  # errors - bound <= delta
    ties_proved: bool  # among equals the smallest subset, then the first
    status: str  # optimal, within_delta, time_limit, work_limit or memory_limit
    top_errors: int  # of the tree on all features
    start_errors: int  # of the subset the search started from
    cases: int  # on the search set
    built: int
    skipped: int  # sub-spaces left out
    seconds: float
    cache_mb: float

    @property
    def gap(self) -> int:
        return self.errors - self.bound


def backward_elimination(engine, features, until=lambda: False):
    """The paper's SBE with unused features skipped: (errors, used features) at the end, and of the top tree."""
    top = errors, subset = engine.errors_of(features)
    while subset:
        if until():
            break
        trials = [engine.errors_of([f for f in subset if f != removed]) for removed in subset]
        least = min(wrong for wrong, _ in trials)
        if least >= errors:
            break
        errors, subset = next(trial for trial in trials if trial[0] == least)
    return (errors, subset), top


def best_subset(
    dataset,
    building,
    search,
    m=2,
    features=None,
    time_limit=None,
    *,
    start="sbe",
    delta=0,
    ties=True,
    options=None,
    order="errors",
    cache_mb=1000,
    engine=None,
    work=None,
) -> Optimum:
    """The subset of `features` (default: all) whose tree, grown on `building`, errs least on `search`.

    `start`: "sbe", None, or a subset to start from. `delta`: a subset within this many errors of the
    optimum will do. `ties=False` leaves out the search for the smallest of equals. `time_limit` in CPU
    seconds, or `work` for a limit that does not depend on the machine (see Engine.run); when it is reached
    `bound` and `gap` say what is proved.
    """
    begun = time.process_time()
    engine = engine or Engine(dataset, options or yadt(m), building, search, cache_mb=cache_mb)
    features = tuple(range(dataset.n_features)) if features is None else tuple(sorted(set(features)))
    budget = Budget(engine, time_limit, work)
    run = Search(engine, features, order, budget)
    if start == "sbe":
        first, top = backward_elimination(engine, features, lambda: budget.used(SHARE_OF_START))
    else:
        top = engine.errors_of(features)
        first = top if start is None else min(top, engine.errors_of(start))
    run.best = first
    ties = ties and delta == 0
    at_once = ties and first[0] >= MANY_ERRORS
    end = run.improve(0 if at_once else 1 + delta, SHARE_OF_SEARCH, ties=at_once)
    ties_proved = at_once and end == "done"
    if end == "done":
        run.raise_bound(run.best[0] - delta)
        if ties and not at_once:
            ties_proved = run.improve(0, 1.0, ties=True) == "done"
    elif end in LIMITS:
        end = run.climb(delta)
    proved = run.best[0] - run.bound <= delta
    status = ("optimal" if run.best[0] == run.bound else "within_delta") if proved else end
    return Optimum(
        subset=run.best[1],
        errors=run.best[0],
        bound=run.bound,
        proved=proved,
        ties_proved=ties_proved,
        status=status,
        top_errors=top[0],
        start_errors=first[0],
        cases=engine.n_search,
        built=run.built,
        skipped=run.skipped,
        seconds=time.process_time() - begun,
        cache_mb=engine.cache_peak_mb,
    )


class Budget:
    """What is left of a limit in CPU seconds or in work, or of none."""

    def __init__(self, engine, seconds, work):
        self.engine, self.limit, self.in_work = engine, seconds if work is None else work, work is not None
        self.begun = self._now()

    def _now(self):
        return self.engine.work if self.in_work else time.process_time()

    def left(self):
        return None if self.limit is None else max(0, self.limit - (self._now() - self.begun))

    def used(self, share):
        return self.limit is not None and self._now() - self.begun > share * self.limit

    def run(self, amount):
        if self.limit is None:
            return self.engine.run()
        return self.engine.run(work=int(amount)) if self.in_work else self.engine.run(seconds=amount)


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
        """Search for trees that err at least `margin` less than the best, in this share of what is left."""
        left = self.budget.left()
        end = self._run(left and left * share, lambda: self.engine.prune_below_best(margin, ties=ties))
        if end != "done":
            self.raise_bound(self.engine.open_bound())
        return end

    def climb(self, delta):
        """Raise the bound by searches for at most B errors: B grows after a success and shrinks after a failure."""
        rung = self.budget.left() / RUNGS
        step = max(1, (self.best[0] - self.bound) // 8)
        too_much = self.best[0]  # a search for this many did not end in its time
        while self.budget.left() > 0 and self.best[0] - self.bound > delta:
            aim = min(self.bound + step, too_much, self.best[0]) - 1
            if aim < self.bound:
                too_much = self.best[0]  # the smallest step was too much, and now has more time
                continue
            end = self._run(min(rung, self.budget.left()), lambda limit=aim: self.engine.prune(limit))
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
