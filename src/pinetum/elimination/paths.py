"""Paths through the subsets of features: backward, floating, forward and beam search, and where to
stop on them.

All of them ask one engine of node records for the errors of a subset, so a tree is never grown
twice, and any objective of `distinct.objective` can be followed, cross-validation included.
`backward.select` is the faster form of the paper's own rule on one split.
"""

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

from pinetum.distinct.engine import Engine, Over
from pinetum.distinct.search import engine_for, standard_error
from pinetum.induction.cases import cases_of
from pinetum.parameters import FLAG, Words, check
from pinetum.progress import look, watched


@dataclass(frozen=True)
class Step:
    """One subset on a path."""

    subset: tuple[int, ...]  # features offered to the trees
    used: tuple[int, ...]  # features that the trees split on
    errors: float  # in the unit of the objective
    changed: tuple[int, ...]  # features that went, or came, since the step before


@dataclass(frozen=True)
class Path:
    """The subsets that a search went through, and the one that its rule selects.

    `steps` has one subset per size, the best met, in the order of the search; `selected` is one of
    them.
    """

    steps: tuple[Step, ...]
    selected: Step
    features: tuple[str, ...]  # names of the selected features
    search: str
    stop: str
    cases: int  # search cases of all parts
    evaluated: int  # subsets whose trees were walked
    status: str  # ok, work_limit, time_limit or interrupted
    seconds: float
    feature_names: tuple[str, ...]

    def rows(self) -> list[dict]:
        """One row per step: its number, size, errors, error in percent, and the names of what
        changed.
        """
        return [
            {
                "step": number,
                "offered": len(step.subset),
                "used": len(step.used),
                "errors": step.errors,
                "error": 100 * step.errors / self.cases,
                "changed": [self.feature_names[f] for f in step.changed],
                "selected": step is self.selected,
            }
            for number, step in enumerate(self.steps)
        ]


class Scores:
    """Errors of subsets, each walked once."""

    def __init__(
        self,
        engine: Engine,
        last_of_equals: bool,
        work: int | None,
        time_limit: float | None = None,
    ):
        self.engine, self.last_of_equals = engine, last_of_equals
        self.ends = None if work is None else engine.work + work
        self.latest = None if time_limit is None else time.process_time() + time_limit
        self.known: dict[frozenset, tuple[int, tuple[int, ...]]] = {}

    @property
    def status(self) -> str:
        """ok, or the limit that ends the path."""
        if self.ends is not None and self.engine.work >= self.ends:
            return "work_limit"
        if self.latest is not None and time.process_time() >= self.latest:
            return "time_limit"
        return "interrupted" if look(lambda: f"{len(self.known):,} subsets judged") else "ok"

    @property
    def over(self) -> bool:
        return self.status != "ok"

    def _leave(self) -> bool:
        """Whether to leave a tree in its midst.

        Where the work is used up the first is grown whole: there must be one subset to give.
        """
        status = self.status
        return status != "ok" and (bool(self.known) or status != "work_limit")

    def of(self, subset: frozenset) -> tuple[int, tuple[int, ...]]:
        """(errors in parts, used features)."""
        if subset not in self.known:
            errors, used = self.engine.errors_of(sorted(subset), self._leave)
            # The trees of what they use are the same.
            self.known[subset] = self.known[frozenset(used)] = errors, used
        return self.known[subset]

    def least(self, candidates) -> int:
        """Of (errors, feature) the feature with least errors.

        Of equals the lowest, or the highest.
        """
        sign = -1 if self.last_of_equals else 1
        return min(candidates, key=lambda candidate: (candidate[0], sign * candidate[1]))[1]

    def worst_feature(self, subset: frozenset, used) -> int:
        """The feature without which the trees err least."""
        without = self.engine.errors_without(sorted(subset), lambda: self.over)
        for f in used:
            self.known[subset - {f}] = self.known[frozenset(without[f][1])] = without[f]
        unused = [(self.of(subset)[0], f) for f in subset.difference(used)]
        return self.least([*((without[f][0], f) for f in used), *unused])

    def best_feature(self, subset: frozenset, others) -> int:
        """The feature with which the trees err least."""
        return self.least([(self.of(subset | {f})[0], f) for f in others])


def backward(scores, features, *, drop_unused, least, gaining, width):
    """Sequential backward elimination: the paper's round, over and over."""
    subset = frozenset(features)
    if drop_unused:
        subset = frozenset(scores.of(subset)[1])
    yield subset
    while len(subset) > least and not scores.over:
        errors, used = scores.of(subset)
        gone = {scores.worst_feature(subset, used)}
        after = scores.of(subset - gone)
        if gaining and not gaining(errors, after[0]):
            return
        subset = subset - gone
        if drop_unused and len(after[1]) >= least:
            subset = frozenset(after[1])
        yield subset


def floating(scores, features, *, drop_unused, least, gaining, width):
    """Backward elimination that takes features back while that beats the best subset met of the
    larger size.
    """
    subset = frozenset(features)
    best = {len(subset): scores.of(subset)[0]}
    yield subset
    while len(subset) > least and not scores.over:
        subset = subset - {scores.worst_feature(subset, scores.of(subset)[1])}
        best[len(subset)] = min(best.get(len(subset), scores.of(subset)[0]), scores.of(subset)[0])
        yield subset
        while len(subset) < len(features) - 1 and not scores.over:
            back = subset | {scores.best_feature(subset, frozenset(features) - subset)}
            if len(back) in best and scores.of(back)[0] >= best[len(back)]:
                break
            subset = back
            best[len(subset)] = scores.of(subset)[0]
            yield subset


def forward(scores, features, *, drop_unused, least, gaining, width):
    """Sequential forward selection: the feature that helps most, over and over."""
    subset: frozenset = frozenset()
    yield subset
    while len(subset) < len(features) and not scores.over:
        more = subset | {scores.best_feature(subset, frozenset(features) - subset)}
        if gaining and not gaining(scores.of(subset)[0], scores.of(more)[0]):
            return
        subset = more
        yield subset


def beam(scores, features, *, drop_unused, least, gaining, width):
    """Backward elimination from the `width` best subsets of every size."""
    front = [frozenset(features)]
    yield front[0]
    while len(front[0]) > least and not scores.over:
        below = {}
        for subset in front:
            errors, used = scores.of(subset)
            for f in subset:
                # Without an unused feature the trees are the same.
                below[subset - {f}] = scores.of(subset - {f})[0] if f in used else errors
        front = sorted(below, key=lambda subset: (below[subset], sorted(subset)))[:width]
        yield front[0]


class Kind(NamedTuple):
    """An entry of a registry."""

    run: Callable
    about: str


SEARCHES = {
    "backward": Kind(backward, "removes the feature whose absence costs least, one a round"),
    "floating": Kind(floating, "backward, and takes features back while that helps"),
    "forward": Kind(forward, "adds the feature that helps most, one a round"),
    "beam": Kind(beam, "backward from the best subsets of every size"),
}


def last(path, error_of):
    """The last step."""
    return path[-1]


def fewest_errors(path, error_of):
    """The smallest subset of least error on the path."""
    return min(path, key=lambda step: (step.errors, len(step.used), len(step.subset)))


def one_standard_error(path, error_of):
    """The smallest subset that errs at most one standard error more than the best of the path."""
    best = fewest_errors(path, error_of)
    limit = best.errors + error_of(best)
    return min(
        (step for step in path if step.errors <= limit),
        key=lambda step: (len(step.used), step.errors, len(step.subset)),
    )


STOPS = {
    "gain": Kind(last, "the paper's: when no subset of the round errs less"),
    "ties": Kind(last, "when every subset of the round errs more"),
    "best": Kind(fewest_errors, "the whole path, then its best"),
    "one_standard_error": Kind(
        one_standard_error, "the whole path, then the smallest within one standard error"
    ),
    "size": Kind(last, "at `n_features_to_select` features"),
}
GAINS = {
    "gain": lambda before, after: after < before,
    "ties": lambda before, after: after <= before,
}


def eliminate(
    X,
    y=None,
    objective=None,
    *,
    search="backward",
    stop="gain",
    n_features_to_select=None,
    drop_unused=False,
    last_of_equals=False,
    width=5,
    features=None,
    min_cases=2,
    criterion="gain",
    options=None,
    work=None,
    time_limit=None,
    cache_mb=1000,
    engine=None,
    verbose=0,
) -> Path:
    """Select features by a search along a path of subsets.

    Parameters
    ----------
    X : DataFrame or array of shape (cases, features), or Table
    y : array of shape (cases,); none for a Table, which knows its classes
    objective : Objective or function of the table that gives one, optional
        What subsets are judged by. Default: the errors of a stratified five-fold cross-validation.
    search : {"backward", "floating", "forward", "beam"}, default "backward"
        How subsets follow on each other: see `SEARCHES`.
    stop : {"gain", "ties", "best", "one_standard_error", "size"}, default "gain"
        Where the path ends and which of its subsets is selected: see `STOPS`. The first two are for
        backward and forward search.
    n_features_to_select : int, optional
        For `stop="size"`.
    drop_unused : bool, default False
        Backward: take features that no tree uses away at once instead of keeping them, as the paper
        does.
    last_of_equals : bool, default False
        Equal errors: the highest feature goes instead of the lowest.
    width : int, default 5
        Subsets of every size that a beam keeps.
    features : sequence of int, optional
        Features to choose from. Default: all.
    min_cases, criterion, options, cache_mb
        As in `distinct.search.best_subset`.
    work : int, optional
        Limit in steps; the path then ends where it is, as after Ctrl-C.
    time_limit : float, optional
        Limit in CPU seconds.
    engine : Engine, optional
        In place of all that says how trees are grown and judged: its records are used again.
    verbose : int, default 0
        1 tells the standard error how far the path has come.

    Returns
    -------
    Path

    Notes
    -----
    With `hold_out` as objective, `search="backward"` and `stop="gain"` this is section 5 of
    Ruggieri (2017).

    Examples
    --------
    >>> from pinetum.data.sample import sample
    >>> path = eliminate(sample(missing=False), stop="best")
    >>> path.features, path.selected.errors
    (('w', 'x'), 0)
    """
    begun = time.process_time()
    kinds = {"search": Words(tuple(SEARCHES)), "stop": Words(tuple(STOPS)), "last_of_equals": FLAG}
    check(kinds, search=search, stop=stop, last_of_equals=last_of_equals, drop_unused=drop_unused)
    check(width=width, work=work, time_limit=time_limit, verbose=verbose)
    if stop in GAINS and search not in ("backward", "forward"):
        raise ValueError(
            f"stop={stop!r}: for backward and forward search; for {search!r} take 'best'"
        )
    if (stop == "size") != (n_features_to_select is not None):
        raise ValueError("n_features_to_select: goes with stop='size', which needs it")
    data = cases_of(X, y) if engine is None else engine.dataset
    if engine is None:
        engine = engine_for(data, objective, min_cases, criterion, options, cache_mb)
    features = tuple(range(data.n_features)) if features is None else tuple(sorted(set(features)))
    if stop == "size" and not 0 <= n_features_to_select <= len(features):
        raise ValueError(
            f"n_features_to_select={n_features_to_select}: expected 0 to {len(features)}"
        )
    scores = Scores(engine, last_of_equals, work, time_limit)
    unit = engine.objective.unit
    by_size: dict[int, Step] = {}
    before = frozenset(features if search != "forward" else ())
    rules = {"drop_unused": drop_unused, "gaining": GAINS.get(stop), "width": width}
    with watched("eliminate", verbose):
        with suppress(Over):  # the path ends where it is
            for subset in SEARCHES[search].run(
                scores, features, least=n_features_to_select or 0, **rules
            ):
                errors, used = scores.of(subset)
                step = Step(
                    subset=tuple(sorted(subset)),
                    used=used,
                    errors=errors if unit == 1 else errors / unit,
                    changed=tuple(sorted(subset ^ before)),
                )
                before = subset
                if len(subset) not in by_size or step.errors < by_size[len(subset)].errors:
                    by_size[len(subset)] = step
                if search == "forward" and len(subset) == n_features_to_select:
                    break
        status = scores.status
    if not by_size:
        if status == "interrupted":
            raise KeyboardInterrupt
        raise ValueError(
            f"time_limit={time_limit}: it ended before the first tree was grown; raise it, or give"
            " fewer cases or columns"
        )
    steps = tuple(by_size[size] for size in sorted(by_size, reverse=search != "forward"))
    selected = STOPS[stop].run(steps, lambda step: standard_error(engine, step.used))
    return Path(
        steps=steps,
        selected=selected,
        features=tuple(data.feature_names[f] for f in selected.subset),
        search=search,
        stop=stop,
        cases=engine.n_search,
        evaluated=len(scores.known),
        status=status,
        seconds=time.process_time() - begun,
        feature_names=data.feature_names,
    )


def backward_path(X, y=None, objective=None, **options) -> Path:
    """The whole path of backward elimination down to no features, its best subset selected.

    Parameters
    ----------
    X, y, objective, **options
        As in `eliminate`.

    Returns
    -------
    Path

    Examples
    --------
    >>> from pinetum.data.sample import sample
    >>> [len(step.subset) for step in backward_path(sample(missing=False)).steps]
    [4, 3, 2, 1, 0]
    """
    return eliminate(X, y, objective, **{"search": "backward", "stop": "best", **options})
