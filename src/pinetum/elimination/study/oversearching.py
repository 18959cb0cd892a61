"""Does searching more subsets give worse trees? Every method of selection inside an outer cross-validation.

All that a method sees are the training cases of an outer fold; the tree on what it selects is grown on all of
them and judged on the cases held out.
"""

import json
import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pandas as pd

from pinetum.data import NoData, load_dataset
from pinetum.distinct.objective import cross_validation, hold_out
from pinetum.distinct.search import engine_for, search_engine
from pinetum.elimination.paths import eliminate
from pinetum.induction import Grower, yadt
from pinetum.progress import Progress
from pinetum.randomness import stream
from pinetum.validation.folds import repeated_folds
from pinetum.validation.statistics import average_ranks, friedman, holm, paired_t_test
from pinetum.workflow.jobs import provenance

COLUMNS = [
    "dataset", "repeat", "fold", "method", "status", "features", "training", "held_out", "selected", "size",
    "inner_error", "errors", "proved", "seconds", "version", "commit",
]  # fmt: skip
MILLION = 1_000_000


class Chosen(NamedTuple):
    """What a method selects, and its error in percent where it looked; None where it did not look."""

    subset: tuple
    inner_error: float | None
    proved: bool | None


class Inner:
    """The training cases of an outer fold, an engine for each way of judging, and what is found already."""

    def __init__(self, data, settings, seed, *key):
        self.data, self.settings = data, settings
        self.rng = stream(seed, "oversearching", data.name, "random subset", *key)
        options = yadt(settings["m"])
        objectives = {
            "split": hold_out(data, settings["building"], random_state=seed),
            "folds": cross_validation(data, settings["inner_folds"], random_state=seed),
        }
        self.engines = {
            name: engine_for(data, objective, options=options, cache_mb=settings["cache_mb"])
            for name, objective in objectives.items()
        }
        self.optima = {}

    def percent(self, judge, errors):
        return 100 * errors / self.engines[judge].n_search

    def path(self, judge, stop):
        found = eliminate(self.data, engine=self.engines[judge], stop=stop)
        return Chosen(found.selected.used, self.percent(judge, found.selected.errors), None)

    def optimum(self, judge):
        if judge not in self.optima:
            self.optima[judge] = search_engine(self.engines[judge], work=self.settings["work"] * MILLION)
        found = self.optima[judge]
        return Chosen(found.subset, self.percent(judge, found.errors), found.proved)

    def smallest(self, judge):
        best = self.optimum(judge)
        delta = round(self.settings["delta"] * self.engines[judge].n_search)
        found = search_engine(
            self.engines[judge], start=best.subset, delta=delta, smallest=True, work=self.settings["work"] * MILLION
        )
        return Chosen(found.subset, self.percent(judge, found.errors), found.ties_proved)

    def random(self, judge):
        size = len(self.optimum(judge).subset)
        return Chosen(tuple(sorted(self.rng.choice(self.data.n_features, size, replace=False).tolist())), None, None)


class Method(NamedTuple):
    """An entry of the registry."""

    choose: Callable[[Inner], Chosen]
    about: str


METHODS = {
    "all features": Method(lambda inner: Chosen(tuple(range(inner.data.n_features)), None, None), "no selection"),
    "SBE, one split": Method(lambda inner: inner.path("split", "gain"), "the paper's backward elimination"),
    "SBE, folds": Method(lambda inner: inner.path("folds", "gain"), "backward elimination by inner cross-validation"),
    "best of path, folds": Method(lambda inner: inner.path("folds", "best"), "the best subset of its whole path"),
    "one SE, folds": Method(
        lambda inner: inner.path("folds", "one_standard_error"), "the smallest of the path within one standard error"
    ),
    "optimum, one split": Method(lambda inner: inner.optimum("split"), "complete search, the paper's objective"),
    "optimum, folds": Method(lambda inner: inner.optimum("folds"), "complete search by inner cross-validation"),
    "smallest within delta, folds": Method(
        lambda inner: inner.smallest("folds"), "the smallest subset that errs a little more than the optimum"
    ),
    "random subset": Method(lambda inner: inner.random("folds"), "as many features as the optimum by folds, drawn"),
}
REFERENCE = "optimum, folds"


def oversearching_records(settings, seed, shard=0, shards=1) -> list[dict]:
    """One record per data set, outer fold and method; of every shards-th outer fold."""
    warm_up()
    folds, repeats = settings["folds"], settings["repeats"]
    items = [(name, r, fold) for name in settings["datasets"] for r in range(repeats) for fold in range(folds)]
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
            fold_of = repeated_folds(data.labels, folds, repeats, seed, "oversearching", name)[repeat]
            records += fold_records(data, fold_of, repeat, fold, settings, seed)
        elif repeat == fold == 0:
            records.append({"dataset": name, "repeat": 0, "fold": 0, "status": "no_data", **provenance()})
        progress.step()
    return records


def in_order(records, datasets) -> pd.DataFrame:
    """The records of all shards in the order of data sets, folds and methods."""
    place = records["dataset"].map({name: number for number, name in enumerate(datasets)})
    method = records["method"].map({name: number for number, name in enumerate(METHODS)})
    ordered = records.assign(place=place, number=method).sort_values(["place", "repeat", "fold", "number"])
    return ordered.drop(columns=["place", "number"]).reset_index(drop=True)


def fold_records(data, fold_of, repeat, fold, settings, seed) -> list[dict]:
    """Every method on the training cases of one outer fold."""
    training, held_out = np.flatnonzero(fold_of != fold), np.flatnonzero(fold_of == fold)
    inner = Inner(data.take_cases(training), settings, seed, repeat, fold)
    grower = Grower(data, yadt(settings["m"]), cases=training)
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
                "selected": json.dumps([data.feature_names[f] for f in chosen.subset], ensure_ascii=False),
                "size": len(chosen.subset),
                "inner_error": chosen.inner_error,
                "errors": grower.grow(chosen.subset).errors(data, held_out),
                "proved": None if chosen.proved is None else int(chosen.proved),
                "seconds": seconds,
                **provenance(),
            }
        )
    return records


# ---------------------------------------------------------------------------- summaries


def stability(selections, n_features) -> float:
    """Nogueira and Brown's: Kuncheva's index for subsets of any size; 1 for always the same, 0 for chance."""
    if len(selections) < 2:
        return float("nan")
    counts = pd.Series([name for chosen in selections for name in set(chosen)]).value_counts().to_numpy(dtype=float)
    share, n = counts / len(selections), len(selections)
    mean = counts.sum() / n / n_features
    if mean in (0.0, 1.0):
        return float("nan")
    variance = (n / (n - 1) * share * (1 - share)).sum() / n_features
    return 1 - variance / (mean * (1 - mean))


def jaccard(selections) -> float:
    """Mean over pairs of what both have as a share of what either has; 1 for two empty sets."""
    sets = [set(chosen) for chosen in selections]
    pairs = [(a, b) for i, a in enumerate(sets) for b in sets[:i]]
    return float(np.mean([len(a & b) / len(a | b) if a | b else 1.0 for a, b in pairs])) if pairs else float("nan")


def by_dataset(records) -> pd.DataFrame:
    """One row per data set and method: test error with a standard error that allows for overlapping folds."""
    rows = []
    good = records[records["status"] == "ok"]
    for (dataset, method), part in good.groupby(["dataset", "method"], sort=False):
        error = 100 * part["errors"] / part["held_out"]
        n = len(error)
        overlap = 1 / n + float((part["held_out"] / part["training"]).mean())
        chosen = [json.loads(text) for text in part["selected"]]
        proved = part["proved"].dropna()
        rows.append(
            {
                "dataset": dataset,
                "method": method,
                "outer_folds": n,
                "test_error": error.mean(),
                "se": error.std(ddof=1) * np.sqrt(overlap) if n > 1 else None,
                "inner_error": part["inner_error"].mean(),
                "features": part["features"].iloc[0],
                "selected": part["size"].mean(),
                "stability": stability(chosen, int(part["features"].iloc[0])),
                "jaccard": jaccard(chosen),
                "proved": proved.mean() if len(proved) else None,
                "seconds": part["seconds"].mean(),
            }
        )
    columns = "dataset method outer_folds test_error se inner_error features selected stability jaccard proved seconds"
    return pd.DataFrame(rows, columns=columns.split())


def by_method(table) -> pd.DataFrame:
    """One row per method over all data sets: mean rank, and its test error against that of the reference.

    p-values are of a paired t-test over data sets (one difference each), adjusted by Holm's procedure.
    """
    columns = (
        "method data_sets rank test_error difference p_holm wins ties losses inner_error optimism share_selected "
        "stability seconds"
    )
    errors = table.pivot(index="dataset", columns="method", values="test_error").reindex(columns=list(METHODS)).dropna()
    if not len(errors):
        return pd.DataFrame(columns=columns.split())
    ranks = average_ranks(errors.to_numpy(), tolerance=1e-9)
    others = [name for name in METHODS if name != REFERENCE]
    many = len(errors) > 1
    p = holm([paired_t_test(errors[name], errors[REFERENCE]).p for name in others]) if many else [None] * len(others)
    p_of = dict(zip(others, p, strict=True))
    rows = []
    for number, name in enumerate(METHODS):
        part = table[(table["method"] == name) & table["dataset"].isin(errors.index)]
        difference = errors[name] - errors[REFERENCE]
        rows.append(
            {
                "method": name,
                "data_sets": len(errors),
                "rank": ranks[:, number].mean(),
                "test_error": errors[name].mean(),
                "difference": difference.mean(),
                "p_holm": p_of.get(name),
                "wins": int((difference > 1e-9).sum()),
                "ties": int((difference.abs() <= 1e-9).sum()),
                "losses": int((difference < -1e-9).sum()),
                "inner_error": part["inner_error"].mean(),
                "optimism": (part["test_error"] - part["inner_error"]).mean(),
                "share_selected": (part["selected"] / part["features"]).mean(),
                "stability": part["stability"].mean(),
                "seconds": part["seconds"].mean(),
            }
        )
    return pd.DataFrame(rows, columns=columns.split())


def verdict(table) -> pd.DataFrame:
    """What the study says, in one sentence, with Friedman's test of the ranks."""
    summary = by_method(table)
    if len(summary) == 0 or summary["data_sets"].iloc[0] < 2:
        row = {"data_sets": len(set(table["dataset"])), "chi2": None, "p": None, "sentence": "too few data sets to say"}
        return pd.DataFrame([row])
    errors = table.pivot(index="dataset", columns="method", values="test_error").reindex(columns=list(METHODS)).dropna()
    outcome = friedman(average_ranks(errors.to_numpy(), tolerance=1e-9))
    of = summary.set_index("method")
    greedy, split = of.loc["SBE, folds"], of.loc["optimum, one split"]
    best = summary.sort_values(["rank", "method"]).iloc[0]

    def compared(row, name):
        if abs(row["difference"]) < 1e-9:
            return f"{name} errs as much"
        word = "more" if row["difference"] > 0 else "less"
        sure = "a difference beyond chance" if row["p_holm"] < 0.05 else "which may be chance"
        return f"{name} errs {abs(row['difference']):.2g} points {word} (p {row['p_holm']:.2g}, {sure})"

    sentence = (
        f"On {len(errors)} data sets, against the optimum by inner cross-validation, "
        f"{compared(greedy, 'backward elimination by the same folds')} and "
        f"{compared(split, 'the optimum of one split')}; the best mean rank has {best['method']} ({best['rank']:.2f})."
    )
    row = {"data_sets": len(errors), "chi2": outcome.statistic, "p": outcome.p, "sentence": sentence}
    return pd.DataFrame([row])


def warm_up():
    """Compile before any clock runs."""
    from pinetum.data.sample import sample

    for missing in (False, True):
        data = sample(missing=missing)
        inner = Inner(data, {"m": 2, "building": 0.7, "inner_folds": 3, "cache_mb": 20, "delta": 0, "work": 1}, 0)
        for method in METHODS.values():
            method.choose(inner)
