"""Near-optimal trees: every subset of features whose trees err almost as little as the best (a
Rashomon set).

From them, per feature, the share of the near-optimal trees that use it: a feature in all of them is
indispensable, one in half of them can be exchanged for others. What they predict differently for a
case is not decided by the data.
"""

import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations

import numpy as np

from pinetum.distinct.engine import UNLIMITED, Engine
from pinetum.distinct.enumeration import Found, as_costs, found_in
from pinetum.distinct.objective import ENOUGH, Objective
from pinetum.distinct.search import TOLERANCE, engine_for, objective_of, search_engine
from pinetum.induction import Grower, yadt
from pinetum.induction.cases import cases_of
from pinetum.parameters import check
from pinetum.progress import watched

MOST_MEMBERS = 1000
MOST_NODES = 20_000_000  # of all members' trees together
TOO_SMALL = "the record store cannot hold one tree: raise cache_mb"


@dataclass(frozen=True, eq=False)
class NearOptimal:
    """The near-optimal trees of a data set.

    Errors are counted as in `Optimum`. `members` holds the best trees, `trees` counts all of them.
    """

    status: str  # ok, time_limit, work_limit or interrupted: then what was found is part of the set
    limit: float  # most errors of a member
    trees: int
    by_errors: dict[float, int]
    uses: list[int]  # per feature, the members that use it
    sizes: list[int]  # members by number of features
    seconds: float
    members: tuple[Found, ...]
    engine: Engine = field(repr=False)

    @property
    def feature_names(self) -> tuple[str, ...]:
        return self.engine.dataset.feature_names

    @property
    def shares(self) -> list[float]:
        """Per feature the share of the near-optimal trees that use it."""
        return [n / self.trees if self.trees else float("nan") for n in self.uses]

    @property
    def indispensable(self) -> tuple[str, ...]:
        """Features that every near-optimal tree uses."""
        return tuple(
            name
            for name, n in zip(self.feature_names, self.uses, strict=True)
            if n == self.trees > 0
        )

    def exchangeable(self, most=20) -> list[tuple[str, str, float]]:
        """Pairs of features that stand in for each other.

        Parameters
        ----------
        most : int, default 20
            Pairs given.

        Returns
        -------
        list of (name, name, share)
            Of the `members` that use exactly one of the two, the share that is a member too when
            the other is used in its place, largest first; only pairs with one such member at least.
        """
        subsets = {frozenset(tree.subset) for tree in self.members}
        known = sorted(set().union(*subsets))  # a table may have thousands of others
        used = np.array([[f in subset for f in known] for subset in subsets], dtype=np.float64)
        used = used.reshape(len(subsets), len(known))
        alone = used.T @ (1 - used)  # members that use the first and not the second
        place = {feature: number for number, feature in enumerate(known)}
        others: dict[frozenset, list[int]] = {}  # a subset without one of its features -> those
        for subset in subsets:
            for feature in subset:
                others.setdefault(subset - {feature}, []).append(feature)
        pairs: Counter = Counter()
        for features in others.values():
            pairs.update({pair: 2 for pair in combinations(sorted(features), 2)})
        ranked = sorted(
            (-count / (alone[place[a], place[b]] + alone[place[b], place[a]]), a, b)
            for (a, b), count in pairs.items()
        )
        return [
            (self.feature_names[a], self.feature_names[b], -float(share))
            for share, a, b in ranked[:most]
        ]

    @cached_property
    def grown(self) -> list:
        """The trees of the `members`, grown on all cases of the data set."""
        grower, grown, nodes = Grower(self.engine.dataset, self.engine.options), [], 0
        for tree in self.members:
            grown.append(grower.grow(tree.subset))
            nodes += grown[-1].n_nodes
            if nodes > MOST_NODES:
                raise MemoryError(
                    f"the best {len(grown):,} trees have more than {MOST_NODES:,} nodes; keep"
                    " fewer, or raise min_cases"
                )
        return grown

    def votes(self, data, cases=None) -> np.ndarray:
        """Share of the members' trees that give each class to each case, (cases, classes)."""
        n = data.n_cases if cases is None else len(cases)
        votes = np.zeros((n, self.engine.n_classes))
        for tree in self.grown:
            votes[np.arange(n), tree.predict(data, cases)] += 1
        return votes / max(1, len(self.grown))

    def predict(self, data, cases=None) -> np.ndarray:
        """The class that most of the members' trees give each case; the lowest of equals."""
        return self.votes(data, cases).argmax(axis=1)

    def misclassified(self) -> tuple[np.ndarray, np.ndarray]:
        """How much equally good trees differ: (search cases, share of the members that misclassify
        each).

        Every tree is grown on the building cases of its part; a case that is searched by several
        parts comes once for each.
        """
        data = self.engine.dataset
        cases, wrong = [], []
        for building, search in self.engine.objective.parts:
            grower = Grower(data, self.engine.options, cases=building)
            errs = np.zeros(len(search))
            for tree in self.members:
                errs += grower.grow(tree.subset).predict(data, search) != data.labels[search]
            cases.append(search)
            wrong.append(errs / max(1, len(self.members)))
        return np.concatenate(cases), np.concatenate(wrong)

    def plot(self, most=20):
        """A figure: the share of the trees that use each feature, and that misclassify each search
        case.
        """
        from pinetum.distinct.drawing import plot_near_optimal

        return plot_near_optimal(self, most)


def near_optimal_trees(
    X,
    y=None,
    objective=None,
    *,
    extra=0.02,
    min_cases=2,
    criterion="gain",
    options=None,
    keep=MOST_MEMBERS,
    work=None,
    time_limit=None,
    cache_mb=1000,
    verbose=0,
) -> NearOptimal:
    """Find every subset of features whose trees err almost as little as the best.

    Parameters
    ----------
    X, y, objective
        As in `best_subset`.
    extra : float, default 0.02
        Errors above the optimum that still count as near, as a share of the search cases.
    keep : int, default 1000
        The best so many are kept as members; all are counted.
    min_cases, criterion, options, work, time_limit, cache_mb, verbose
        As in `best_subset`; the limit holds for the optimum and for the set each.

    Returns
    -------
    NearOptimal

    Examples
    --------
    >>> from pinetum.data.sample import sample
    >>> near = near_optimal_trees(sample(missing=False), extra=0.05)
    >>> near.trees, near.indispensable
    (2, ('w', 'x'))
    """
    check(extra=extra, keep=keep, work=work, time_limit=time_limit, verbose=verbose)
    engine = engine_for(cases_of(X, y), objective, min_cases, criterion, options, cache_mb)
    with watched("near_optimal_trees", verbose):
        optimum = search_engine(engine, ties=False, work=work, time_limit=time_limit)
        return near_optimum(
            engine, optimum, extra * engine.n_search, keep=keep, time_limit=time_limit, work=work
        )


def near_optimum(
    engine, optimum, extra, *, features=None, spaces=None, keep=0, time_limit=None, work=None
) -> NearOptimal:
    """All distinct trees with at most `extra` errors more than the optimum (or the best known) of
    an engine.

    `spaces` are disjoint sub-spaces (required, optional), in place of all subsets of `features`;
    each may take an equal part of the work that is left.
    """
    begun, ends = time.process_time(), None if work is None else engine.work + work
    objective, unit = engine.objective, engine.objective.unit
    limit = int(round(optimum.errors * unit) + min(extra * unit, ENOUGH) + TOLERANCE)
    spaces = [((), features)] if spaces is None else spaces
    n = engine.n_features
    uses = np.zeros(n, dtype=object)
    sizes = np.zeros(n + 1, dtype=object)
    by_errors: dict[int, int] = {}
    members: list[Found] = []

    def on_block(subsets, errors, signatures):
        bits = np.unpackbits(
            np.ascontiguousarray(subsets).view(np.uint8), axis=1, bitorder="little"
        )[:, :n]
        uses[:] += bits.sum(axis=0, dtype=np.int64)
        sizes[:] += np.bincount(bits.sum(axis=1, dtype=np.int64), minlength=n + 1)
        for wrong, count in zip(*np.unique(errors, return_counts=True), strict=True):
            by_errors[int(wrong)] = by_errors.get(int(wrong), 0) + int(count)
        if keep:
            good = errors <= (members[-1].errors if len(members) == keep else limit)
            members.extend(found_in(subsets[good], errors[good], signatures[good]))
            members.sort()
            del members[keep:]
        return False

    status = "ok"
    for place, (required, optional) in enumerate(spaces):
        engine.begin(required, optional, order="errors")
        engine.prune(limit)
        engine.emit(limit)
        seconds = None if time_limit is None else max(0, time_limit - (time.process_time() - begun))
        effort = None if ends is None else max(0, ends - engine.work) // (len(spaces) - place)
        end = engine.run(seconds=seconds, work=effort, on_block=on_block)
        status = end if status == "ok" and end != "done" else status

    return NearOptimal(
        status=status,
        limit=objective.in_costs(limit),
        trees=sum(by_errors.values()),
        by_errors={objective.in_costs(wrong): count for wrong, count in sorted(by_errors.items())},
        uses=[int(u) for u in uses],
        sizes=[int(s) for s in sizes],
        seconds=time.process_time() - begun,
        members=tuple(as_costs(objective, members)),
        engine=engine,
    )


def iterate_trees(
    X,
    y=None,
    objective=None,
    *,
    min_cases=2,
    criterion="gain",
    options=None,
    work=None,
    cache_mb=1000,
) -> Iterator[Found]:
    """Give the distinct trees one by one: as the enumeration meets them, or by rising errors.

    Parameters
    ----------
    X : DataFrame or array of shape (cases, features), or Table
    y : array of shape (cases,); none for a Table, which knows its classes
    objective : Objective or function of the table that gives one, optional
        What trees are judged by: then the best comes first, proved to be the best, and a stop at
        any time has left out none that errs less than the last. Without it trees come in the order
        of Algorithm 2, grown on all cases.
    min_cases, criterion, options, cache_mb
        As in `best_subset`.
    work : int, optional
        Limit in steps, after which no more trees come; none comes before it is proved that none
        goes before.

    Yields
    ------
    Found
        `subset`, the features that the tree uses; `size`, their number; `errors`, counted as in
        `Optimum`.

    Examples
    --------
    >>> from itertools import islice
    >>> from pinetum.data.sample import sample
    >>> from pinetum.distinct.objective import hold_out
    >>> data = sample(missing=False)
    >>> [(tree.errors, tree.subset) for tree in islice(iterate_trees(data, objective=hold_out), 2)]
    [(0, (0, 1)), (5, (0, 3))]
    """
    check(min_cases=min_cases, work=work)
    rules = options or yadt(min_cases, criterion)
    data = cases_of(X, y)
    if objective is not None and not isinstance(objective, Objective):
        objective = objective_of(objective, data)
    engine = Engine(data, rules, objective=objective, cache_mb=cache_mb)

    def left():
        return None if work is None else work - engine.work

    if objective is None:
        engine.begin()
        yield from trees_met(engine, UNLIMITED, left)
        return
    best = search_engine(engine, ties=False, work=work)
    if best.status == "memory_limit":
        raise MemoryError(TOO_SMALL)
    if not best.proved:
        return
    above, width = -1, 0
    limit = round(best.errors * objective.unit)
    while work is None or left() > 0:
        engine.begin(order="errors")
        engine.prune(limit)
        # The trees of earlier rounds are met again: a round that reaches twice as far makes up for
        # that.
        met = list(trees_met(engine, limit, left))
        if work is not None and left() <= 0:
            return
        yield from as_costs(objective, sorted(tree for tree in met if tree.errors > above))
        if engine.skipped == 0 and len(met) == engine.distinct:
            return
        width = max(1, 2 * width)
        above, limit = limit, limit + width


def trees_met(engine, limit, left) -> Iterator[Found]:
    """The distinct trees of at most `limit` errors as a search that has begun meets them."""
    engine.emit(limit)
    met: list[Found] = []

    def on_block(subsets, errors, signatures):
        met.extend(found_in(subsets, errors, signatures))
        return True

    end = "enough"
    while end == "enough":
        end = engine.run(work=left(), on_block=on_block)
        if end == "memory_limit":
            raise MemoryError(TOO_SMALL)
        yield from met
        met.clear()
