"""Does searching more subsets give worse trees? Every method of selection inside an outer
cross-validation.

All that a method sees are the training cases of an outer fold; the tree on what it selects is grown
on all of them and judged on the cases held out.
"""

import json
import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from pinetum.data import NoData, load_dataset
from pinetum.distinct.objective import cross_validation, hold_out
from pinetum.distinct.search import ONE_STANDARD_ERROR, engine_for, search_engine
from pinetum.elimination.paths import eliminate
from pinetum.induction import Grower, yadt
from pinetum.progress import Progress
from pinetum.randomness import stream
from pinetum.validation.folds import repeated_folds
from pinetum.workflow.jobs import provenance

COLUMNS = [
    "dataset", "repeat", "fold", "method", "status", "features", "training", "held_out", "selected",
    "size", "inner_error", "errors", "proved", "seconds", "version", "commit",
]  # fmt: skip
MILLION = 1_000_000


class Chosen(NamedTuple):
    """What a method selects, and its error in percent where it looked.

    None where it did not look.
    """

    subset: tuple
    inner_error: float | None
    proved: bool | None


class Inner:
    """The training cases of an outer fold, an engine for each way of judging, and what is found
    already.
    """

    def __init__(self, data, settings, seed, *key):
        self.data, self.settings = data, settings
        self.rng = stream(seed, "oversearching", data.name, "random subset", *key)
        options = yadt(settings["min_cases"])
        objectives = {
            "split": hold_out(data, settings["building"], random_state=seed),
            "folds": cross_validation(data, settings["inner_folds"], random_state=seed),
        }
        self.engines = {
            name: engine_for(data, objective, options=options, cache_mb=settings["cache_mb"])
            for name, objective in objectives.items()
        }
        self.optima = {}

    @property
    def delta(self):
        """Errors above the optimum that the smallest subset may have."""
        return round(self.settings["delta"] * self.engines["folds"].n_search)

    def percent(self, judge, errors):
        return 100 * errors / self.engines[judge].n_search

    def path(self, judge, stop):
        found = eliminate(self.data, engine=self.engines[judge], stop=stop)
        return Chosen(found.selected.used, self.percent(judge, found.selected.errors), None)

    def optimum(self, judge):
        if judge not in self.optima:
            self.optima[judge] = search_engine(
                self.engines[judge], work=self.settings["work"] * MILLION
            )
        found = self.optima[judge]
        return Chosen(found.subset, self.percent(judge, found.errors), found.proved)

    def smallest(self, judge, delta):
        found = search_engine(
            self.engines[judge],
            start=self.optimum(judge).subset,
            delta=delta,
            smallest=True,
            work=self.settings["work"] * MILLION,
        )
        return Chosen(found.subset, self.percent(judge, found.errors), found.ties_proved)

    def random(self, judge):
        size = len(self.optimum(judge).subset)
        return Chosen(
            tuple(sorted(self.rng.choice(self.data.n_features, size, replace=False).tolist())),
            None,
            None,
        )


class Method(NamedTuple):
    """An entry of the registry."""

    choose: Callable[[Inner], Chosen]
    about: str


METHODS = {
    "all features": Method(
        lambda inner: Chosen(tuple(range(inner.data.n_features)), None, None), "no selection"
    ),
    "SBE, one split": Method(
        lambda inner: inner.path("split", "gain"), "the paper's backward elimination"
    ),
    "SBE, folds": Method(
        lambda inner: inner.path("folds", "gain"), "backward elimination by inner cross-validation"
    ),
    "best of path, folds": Method(
        lambda inner: inner.path("folds", "best"), "the best subset of its whole path"
    ),
    "one SE, folds": Method(
        lambda inner: inner.path("folds", "one_standard_error"),
        "the smallest of the path within one standard error",
    ),
    "optimum, one split": Method(
        lambda inner: inner.optimum("split"), "complete search, the paper's objective"
    ),
    "optimum, folds": Method(
        lambda inner: inner.optimum("folds"), "complete search by inner cross-validation"
    ),
    "smallest within delta, folds": Method(
        lambda inner: inner.smallest("folds", inner.delta),
        "the smallest subset that errs a little more than the optimum",
    ),
    "smallest within one SE, folds": Method(
        lambda inner: inner.smallest("folds", ONE_STANDARD_ERROR),
        "the smallest within the optimum's standard error",
    ),
    "random subset": Method(
        lambda inner: inner.random("folds"), "as many features as the optimum by folds, drawn"
    ),
}


def oversearching_records(settings, seed, shard=0, shards=1) -> list[dict]:
    """One record per data set, outer fold and method; of every shards-th outer fold."""
    warm_up()
    folds, repeats = settings["folds"], settings["repeats"]
    items = [
        (name, r, fold)
        for name in settings["datasets"]
        for r in range(repeats)
        for fold in range(folds)
    ]
    items = items[shard::shards]
    progress = Progress(len(items), "outer folds")
    records, data = [], None
    for name, repeat, fold in items:
        if data is None or data.name != name:
            try:
                data = load_dataset(name)
            except NoData:
                data = None
        if data is not None:
            fold_of = repeated_folds(data.labels, folds, repeats, seed, "oversearching", name)[
                repeat
            ]
            records += fold_records(data, fold_of, repeat, fold, settings, seed)
        elif repeat == fold == 0:
            records.append(
                {"dataset": name, "repeat": 0, "fold": 0, "status": "no_data", **provenance()}
            )
        progress.step()
    return records


def fold_records(data, fold_of, repeat, fold, settings, seed) -> list[dict]:
    """Every method on the training cases of one outer fold."""
    training, held_out = np.flatnonzero(fold_of != fold), np.flatnonzero(fold_of == fold)
    inner = Inner(data.take_cases(training), settings, seed, repeat, fold)
    grower = Grower(data, yadt(settings["min_cases"]), cases=training)
    records = []
    for name, method in METHODS.items():
        begun = time.process_time()
        chosen = method.choose(inner)
        seconds = time.process_time() - begun
        records.append(
            {
                "dataset": data.name,
                "repeat": repeat,
                "fold": fold,
                "method": name,
                "status": "ok",
                "features": data.n_features,
                "training": len(training),
                "held_out": len(held_out),
                "selected": json.dumps(
                    [data.feature_names[f] for f in chosen.subset], ensure_ascii=False
                ),
                "size": len(chosen.subset),
                "inner_error": chosen.inner_error,
                "errors": grower.grow(chosen.subset).errors(data, held_out),
                "proved": None if chosen.proved is None else int(chosen.proved),
                "seconds": seconds,
                **provenance(),
            }
        )
    return records


def warm_up():
    """Compile before any clock runs."""
    from pinetum.data.sample import sample

    for missing in (False, True):
        data = sample(missing=missing)
        inner = Inner(
            data,
            {
                "min_cases": 2,
                "building": 0.7,
                "inner_folds": 3,
                "cache_mb": 20,
                "delta": 0,
                "work": 1,
            },
            0,
        )
        for method in METHODS.values():
            method.choose(inner)
