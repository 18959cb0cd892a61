"""What is measured: enumerations over m, orders of removal, complete searches and near-optimal
trees.
"""

import json
import time

import numpy as np

from pinetum.distinct.engine import Engine
from pinetum.distinct.enumeration import run_enumeration
from pinetum.distinct.near_optimal import near_optimum
from pinetum.distinct.probing import estimate
from pinetum.distinct.search import search_engine
from pinetum.distinct.warm import warm_up
from pinetum.induction import Grower, yadt
from pinetum.progress import Progress
from pinetum.randomness import stream
from pinetum.validation import stratified_folds, stratified_split
from pinetum.workflow.tables import absent, each_table

MILLION = 1_000_000
CRITERION = "gain"  # quality of a split
FRACTION = 0.7  # of the training cases build the tree, the rest is the search set
EXTRA = 0.02  # errors above the optimum that still count as near, as a share of the search cases
SAMPLE = 12  # subsets whose trees are built to tell how long all of them would take
ENUMERATION_COLUMNS = [
    "dataset", "m", "order", "build", "status", "features", "cases", "distinct", "built", "ratio",
    "records", "store_mb", "store_emptied", "seconds", "rate_trees", "peak_mb",
    "estimated_distinct", "estimated_distinct_se", "seconds_estimated",
]  # fmt: skip
SIZE_COLUMNS = ["dataset", "m", "size", "distinct"]
EXHAUSTIVE_COLUMNS = ["dataset", "m", "trees", "seconds_estimated"]
OPTIMUM_COLUMNS = [
    "dataset", "m", "split", "status", "building_cases", "search_cases", "top_errors", "sbe_errors",
    "errors", "bound", "gap", "proved", "smallest_of_equals", "size", "subset", "built", "skipped",
    "seconds",
]  # fmt: skip
RASHOMON_COLUMNS = ["dataset", "m", "status", "limit", "trees", "feature", "uses", "share"]

# ------------------------------------------------------------ the rules' functions


def explore_dataset(dataset, plan, seed):
    """One data set: enumerations over m, the optimal subset, the near-optimal trees."""
    runs, best, near = plan["enumeration"], plan["optimum"], plan["rashomon"]
    sizes, members = [], []
    table = load(dataset)
    if absent(table):
        counts, found = (without_data(table, part["min_cases"]) for part in (runs, best))
    else:
        warm_up()
        given = {"cache_mb": plan["cache_mb"], "seed": seed}
        counts, sizes = enumerate_over_m(
            table, runs["min_cases"], work=runs["work"], probes=runs["probes"], **given
        )
        searches = [(m, 0) for m in sorted(best["min_cases"])]
        found = search_all(table, searches, work=best["work"], **given)
        for m in near["min_cases"]:
            members += rashomon_records(table, m, work=near["work"], **given)
    return {
        "enumeration": frame(counts, ENUMERATION_COLUMNS),
        "sizes": frame(sizes, SIZE_COLUMNS),
        "optimum": frame(found, OPTIMUM_COLUMNS),
        "rashomon": frame(members, RASHOMON_COLUMNS),
    }


def compare_orders(orders, cache_mb, seed):
    """Figure 3: the selection orders, the ways of building, and exhaustive search."""
    sizes, exhaustive = [], []
    table = load(orders["dataset"])
    if absent(table):
        records = without_data(table, orders["min_cases"])
    else:
        warm_up()
        given = {"work": orders["work"], "cache_mb": cache_mb}
        records, sizes = enumerate_in_orders(table, orders["min_cases"], **given)
        slow = ("incremental", "scratch")
        records += enumerate_in_orders(table, orders["slow_min_cases"], builds=slow, **given)[0]
        exhaustive = [
            exhaustive_record(table, m, seed) for m in sorted(orders["min_cases"], reverse=True)
        ]
    return {
        "orders": frame(records, ENUMERATION_COLUMNS),
        "order_sizes": frame(sizes, SIZE_COLUMNS),
        "exhaustive": frame(exhaustive, EXHAUSTIVE_COLUMNS),
    }


def compare_search_errors(search_errors, cache_mb, shard, seed):
    """Figure 4, right: search errors of the top tree, of SBE and of the optimal subset."""
    number, shards = map(int, shard.split("-of-"))
    ms, splits = sorted(search_errors["min_cases"]), range(search_errors["splits"])
    searches = [(m, split) for m in ms for split in splits]
    mine = searches[len(searches) * (number - 1) // shards : len(searches) * number // shards]
    table = load(search_errors["dataset"])
    if absent(table):
        records = without_data(table, ms if number == 1 else [])
    else:
        warm_up()
        records = search_all(table, mine, work=search_errors["work"], cache_mb=cache_mb, seed=seed)
    return {"search_errors": frame(records, OPTIMUM_COLUMNS)}


def load(name):
    """The data set, or the row of one that no source has."""
    ((_, table),) = each_table([name])
    return table


def without_data(row, ms) -> list[dict]:
    """The row of a data set that no source has, for every m."""
    return [{"dataset": row["dataset"], "m": m, "status": row["status"]} for m in ms]


def frame(records, columns):
    """Records, of which there may be none, with their columns."""
    import pandas as pd  # after the searches, whose peak of memory is recorded

    return pd.DataFrame(records, columns=columns)


# ------------------------------------------------------------ enumerations and searches


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
    }


def enumerate_over_m(dataset, ms, *, work, cache_mb, probes, seed):
    """Enumerations from the largest m down to the first that its limit cuts short.

    (records, sizes).

    Where the limit ends a run, and below, the number of trees is estimated by probing instead.
    """
    records, sizes = [], []
    finished = True
    progress = Progress(len(ms), f"enumerations of {dataset.name}", every=0)
    for m in sorted(ms, reverse=True):
        engine = Engine(dataset, yadt(m, CRITERION), cache_mb=cache_mb)
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
            record |= {"features": dataset.n_features, "cases": dataset.n_cases}
        if finished:
            sizes += size_records(dataset, m, result)
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
            counted = record.get("distinct", 0)  # a heavy tail hides from a few probes
            record |= {
                "estimated_distinct": max(guess.distinct, counted),
                "estimated_distinct_se": guess.distinct_se if guess.distinct > counted else None,
                "seconds_estimated": seconds,
            }
        records.append(record)
        progress.step()
    return records, sizes


def enumerate_in_orders(dataset, ms, *, work, cache_mb, builds=("shared",)):
    """The three selection orders, with and without sharing, at several m: (records, sizes)."""
    records, sizes = [], []
    for m in sorted(ms, reverse=True):
        for build in builds:
            for order in (
                ("ascending", "descending", "fixed") if build == "shared" else ("ascending",)
            ):
                engine = Engine(dataset, yadt(m, CRITERION), cache_mb=cache_mb, build=build)
                result = run_enumeration(engine, order=order, work=work * MILLION)
                records.append(enumeration_record(dataset, m, order, build, result))
                if (order, build, result.status) == ("ascending", "shared", "ok"):
                    sizes += size_records(dataset, m, result)
    return records, sizes


def size_records(dataset, m, result) -> list[dict]:
    """How many distinct trees use so many features."""
    return [
        {"dataset": dataset.name, "m": m, "size": size, "distinct": count}
        for size, count in enumerate(result.sizes)
        if count
    ]


def exhaustive_record(dataset, m, seed):
    """Seconds of building all 2^n trees from scratch, from the mean of a random sample of
    subsets.
    """
    rng = stream(seed, "distinct", "exhaustive", dataset.name, m)
    grower = Grower(dataset, yadt(m, CRITERION))
    grower.grow_nodes()
    spent = []
    for _ in range(SAMPLE):
        subset = np.flatnonzero(rng.random(dataset.n_features) < 0.5)
        begun = time.process_time()
        grower.grow_nodes(subset)
        spent.append(time.process_time() - begun)
    return {
        "dataset": dataset.name,
        "m": m,
        "trees": 2**dataset.n_features,
        "seconds_estimated": float(np.mean(spent)) * 2.0**dataset.n_features,
    }


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
    }


def search_all(dataset, searches, *, work, cache_mb, seed):
    """Bounded complete search at every (m, split into building and search cases)."""
    records = []
    progress = Progress(len(searches), "searches")
    for m, split in searches:
        building, search = wrapper_split(dataset.labels, seed, dataset.name, FRACTION, split)
        engine = Engine(dataset, yadt(m, CRITERION), building, search, cache_mb=cache_mb)
        result = search_engine(engine, work=work * MILLION)
        records.append(optimum_record(dataset, m, split, result, building, search))
        progress.step()
    return records


def rashomon_records(dataset, m, *, work, cache_mb, seed):
    """Per feature in what share of the near-optimal trees it is used."""
    building, search = wrapper_split(dataset.labels, seed, dataset.name, FRACTION)
    engine = Engine(dataset, yadt(m, CRITERION), building, search, cache_mb=cache_mb)
    optimum = search_engine(engine, work=work * MILLION, ties=False)
    found = near_optimum(engine, optimum, int(EXTRA * len(search)), work=work * MILLION)
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
