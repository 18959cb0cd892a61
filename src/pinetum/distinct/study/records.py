"""Records of the study: what is enumerated where, and what becomes of it."""

import json
import time

import numpy as np

from pinetum.data import NoData, load_dataset
from pinetum.distinct.engine import Engine
from pinetum.distinct.enumeration import run_enumeration
from pinetum.distinct.near_optimal import near_optimum
from pinetum.distinct.probing import estimate
from pinetum.distinct.search import search_engine
from pinetum.induction import Grower, yadt
from pinetum.progress import Progress
from pinetum.randomness import stream
from pinetum.validation import stratified_folds, stratified_split
from pinetum.workflow.jobs import provenance

MILLION = 1_000_000
ENUMERATION = [
    "dataset", "m", "order", "build", "status", "features", "cases", "distinct", "built", "ratio",
    "records", "store_mb", "store_emptied", "seconds", "rate_trees", "peak_mb",
    "estimated_distinct", "estimated_distinct_se", "seconds_estimated", "version", "commit",
]  # fmt: skip
SIZES = ["dataset", "m", "size", "distinct"]
OPTIMUM = [
    "dataset", "m", "split", "status", "building_cases", "search_cases", "top_errors", "sbe_errors",
    "errors", "bound", "gap", "proved", "smallest_of_equals", "size", "subset", "built", "skipped",
    "seconds", "version", "commit",
]  # fmt: skip
RASHOMON = ["dataset", "m", "status", "limit", "trees", "feature", "uses", "share"]


def wrapper_split(labels, root, dataset, fraction, split=0):
    """Building and search cases as in Section 6.1: nine of ten stratified folds, then `fraction` to
    build.
    """
    fold = stratified_folds(labels, 10, stream(root, "distinct", "folds", dataset, split // 10))
    training = np.flatnonzero(fold != split % 10)
    building, search = stratified_split(
        labels[training], fraction, stream(root, "distinct", "split", dataset, split)
    )
    return training[building], training[search]


def enumeration_record(dataset, m, order, build, result):
    done = result.status == "ok"
    return {
        "dataset": dataset.name,
        "m": m,
        "order": order,
        "build": build,
        "status": result.status,
        "features": dataset.n_features,
        "cases": dataset.n_cases,
        "distinct": result.distinct,
        "built": result.built,
        "ratio": result.ratio,
        "records": result.records,
        "store_mb": result.cache_mb,
        "store_emptied": result.cache_emptied,
        "seconds": result.seconds if done else None,
        "rate_trees": result.distinct / max(result.seconds, 1e-9),
        "peak_mb": result.peak_mb,
        **provenance(),
    }


def warm(dataset, cache_mb=50):
    """Compile, outside every clock."""
    cases = np.arange(min(50, dataset.n_cases))
    engine = Engine(dataset, yadt(2), cases, cases[:10], cache_mb=cache_mb)
    run_enumeration(engine, (), range(min(3, dataset.n_features)))


def enumerate_over_m(dataset, ms, *, criterion, work, cache_mb, probes, seed):
    """Enumerations from the largest m down to the first that its limit cuts short.

    (records, sizes).

    Where the limit ends a run, and below, the number of trees is estimated by probing instead.
    """
    records, sizes = [], []
    finished = True
    progress = Progress(len(ms), f"enumerations of {dataset.name}", every=0)
    for m in sorted(ms, reverse=True):
        engine = Engine(dataset, yadt(m, criterion), cache_mb=cache_mb)
        if finished:
            result = run_enumeration(engine, work=work * MILLION)
            record = enumeration_record(dataset, m, "ascending", "shared", result)
            finished = result.status == "ok"
        else:
            record = {
                "dataset": dataset.name,
                "m": m,
                "order": "ascending",
                "build": "shared",
                "status": "not_run",
            }
            record |= {"features": dataset.n_features, "cases": dataset.n_cases, **provenance()}
        if finished:
            rows = [(size, count) for size, count in enumerate(result.sizes) if count]
            sizes += [
                {"dataset": dataset.name, "m": m, "size": size, "distinct": count}
                for size, count in rows
            ]
        elif probes:
            guess = estimate(
                engine,
                stream(seed, "distinct", "probes", dataset.name, m),
                probes=probes,
                seconds=None,
            )
            seconds = guess.seconds
            if (
                record["status"] != "not_run"
            ):  # the run knows better how fast it goes when the store has been full
                seconds = result.seconds * max(1.0, guess.built / result.built)
            record |= {
                "estimated_distinct": guess.distinct,
                "estimated_distinct_se": guess.distinct_se,
                "seconds_estimated": seconds,
            }
        records.append(record)
        progress.step()
    return records, sizes


def compare_orders(dataset, ms, *, criterion, work, cache_mb, builds=("shared",)):
    """The three selection orders, with and without sharing, at several m."""
    records, sizes = [], []
    for m in sorted(ms, reverse=True):
        for build in builds:
            for order in (
                ("ascending", "descending", "fixed") if build == "shared" else ("ascending",)
            ):
                engine = Engine(dataset, yadt(m, criterion), cache_mb=cache_mb, build=build)
                result = run_enumeration(engine, order=order, work=work * MILLION)
                records.append(enumeration_record(dataset, m, order, build, result))
                if (order, build, result.status) == ("ascending", "shared", "ok"):
                    sizes += [
                        {"dataset": dataset.name, "m": m, "size": size, "distinct": count}
                        for size, count in enumerate(result.sizes)
                        if count
                    ]
    return records, sizes


def exhaustive_seconds(dataset, m, *, criterion, seed, sample=12):
    """Seconds of building all 2^n trees from scratch, from the mean of a random sample of
    subsets.
    """
    rng = stream(seed, "distinct", "exhaustive", dataset.name, m)
    grower = Grower(dataset, yadt(m, criterion))
    grower.grow_nodes()
    spent = []
    for _ in range(sample):
        subset = np.flatnonzero(rng.random(dataset.n_features) < 0.5)
        begun = time.process_time()
        grower.grow_nodes(subset)
        spent.append(time.process_time() - begun)
    return float(np.mean(spent)) * 2.0**dataset.n_features


def optimum_record(dataset, m, split, result, building, search):
    return {
        "dataset": dataset.name,
        "m": m,
        "split": split,
        "status": result.status,
        "building_cases": len(building),
        "search_cases": len(search),
        "top_errors": result.top_errors,
        "sbe_errors": result.start_errors,
        "errors": result.errors,
        "bound": result.bound,
        "gap": result.gap,
        "proved": result.proved,
        "smallest_of_equals": result.ties_proved,
        "size": len(result.subset),
        "subset": json.dumps([dataset.feature_names[f] for f in result.subset], ensure_ascii=False),
        "built": result.built,
        "skipped": result.skipped,
        "seconds": result.seconds,
        **provenance(),
    }


def search_over_m(
    dataset, ms, splits, *, criterion, fraction, work, cache_mb, seed, shard=0, shards=1
):
    """Bounded complete search at every m on several splits into building and search cases.

    Every shards-th of them.
    """
    records = []
    searches = [(m, split) for m in sorted(ms) for split in range(splits)][shard::shards]
    progress = Progress(len(searches), "searches")
    for m, split in searches:
        building, search = wrapper_split(dataset.labels, seed, dataset.name, fraction, split)
        engine = Engine(dataset, yadt(m, criterion), building, search, cache_mb=cache_mb)
        result = search_engine(engine, work=work * MILLION)
        records.append(optimum_record(dataset, m, split, result, building, search))
        progress.step()
    return records


def rashomon_records(dataset, m, extra, *, criterion, fraction, work, cache_mb, seed):
    """Per feature in what share of the near-optimal trees it is used.

    `extra` is a share of the search cases.
    """
    building, search = wrapper_split(dataset.labels, seed, dataset.name, fraction)
    engine = Engine(dataset, yadt(m, criterion), building, search, cache_mb=cache_mb)
    optimum = search_engine(engine, work=work * MILLION, ties=False)
    found = near_optimum(engine, optimum, int(extra * len(search)), work=work * MILLION)
    status = found.status if optimum.proved else optimum.status
    return [
        {
            "dataset": dataset.name,
            "m": m,
            "status": status,
            "limit": found.limit,
            "trees": found.trees,
            "feature": dataset.feature_names[f],
            "uses": uses,
            "share": uses / found.trees if found.trees else None,
        }
        for f, uses in enumerate(found.uses)
    ]


def loaded(name, ms):
    """(data set, records): the data set, or the rows that say why there is none."""
    try:
        return load_dataset(name), []
    except NoData:
        return None, [{"dataset": name, "m": m, "status": "no_data", **provenance()} for m in ms]
