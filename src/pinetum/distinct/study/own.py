"""A user's own table: how many trees there are, the best subsets with a proof or a gap, the near-optimal trees."""

import json

import numpy as np

from pinetum.distinct.engine import Engine
from pinetum.distinct.enumeration import run_enumeration
from pinetum.distinct.near_optimal import near_optimum
from pinetum.distinct.probing import estimate
from pinetum.distinct.search import search_engine
from pinetum.distinct.study.records import MILLION, RASHOMON, wrapper_split
from pinetum.distinct.study.shards import plan_shards, run_shard
from pinetum.induction import yadt
from pinetum.randomness import stream
from pinetum.validation.samples import joined, within_cells
from pinetum.workflow.jobs import provenance

LEAST_CASES = 20
# What each part may take of the work that is left when it begins; random probes have the rest.
OPTIMUM, NEAR, COUNT = 0.6, 0.6, 0.7
MEMBERS = 1000  # near-optimal trees that are kept, to see which features stand in for each other
BESIDE_STORE = 800  # megabytes that the interpreter, the libraries and the table take


def unsuitable(dataset) -> str:
    """Why the study cannot run on a table, or nothing."""
    if dataset.n_cases < LEAST_CASES or np.count_nonzero(dataset.class_counts()) < 2:
        return f"needs {LEAST_CASES} cases and two classes to split off a search set"
    return ""


def engine_of(dataset, settings, seed):
    """(engine on the table or a sample of it, note on the sample)."""
    dataset, sampled = within_cells(dataset, settings["cells"], stream(seed, "distinct", dataset.name, "sample"))
    building, search = wrapper_split(dataset.labels, seed, dataset.name, settings["fraction"])
    cache_mb = max(50, (settings["memory_mb"] - BESIDE_STORE) // 2)  # the store is copied when it grows
    options = yadt(settings["min_cases"], settings["criterion"])
    return Engine(dataset, options, building, search, cache_mb=cache_mb), sampled


def plan(dataset, settings, seed):
    """The enumeration in shards; None where there is nothing to enumerate."""
    if unsuitable(dataset):
        return None
    engine, _ = engine_of(dataset, settings, seed)
    return plan_shards(engine, settings["shards"], stream(seed, "distinct", "own", dataset.name, "shards"))


def count_shard(dataset, settings, seed, planned, shard):
    """What one shard counts, within its share of the work."""
    if planned is None:
        return None
    engine, _ = engine_of(dataset, settings, seed)
    return run_shard(engine, planned, shard, work=settings["work"] * MILLION // settings["shards"])


def explore(dataset, settings, seed, merged=None):
    """(records, best subsets, feature rows) of one table; errors are in percent of the search cases.

    `merged` is the count of all shards, where there are several; they have the work once more.
    """
    reason = unsuitable(dataset)
    if reason:
        return [{"status": "unsuitable", "note": reason, **provenance()}], [], []
    min_cases, extra, best = settings["min_cases"], settings["extra"], settings["best"]
    work, memory_mb = settings["work"], settings["memory_mb"]
    try:
        engine, sampled = engine_of(dataset, settings, seed)
        dataset, search = engine.dataset, engine.objective.parts[0][1]

        def part(share):
            return int(share * max(0, work * MILLION - engine.work))

        print("complete search for the best subset", flush=True)
        optimum = search_engine(engine, work=part(OPTIMUM))
        print(f"{optimum.status}: {optimum.errors} errors, none below {optimum.bound}; near-optimal trees", flush=True)
        near = near_optimum(engine, optimum, int(extra * len(search)), keep=max(MEMBERS, best), work=part(NEAR))
        print(f"{near.status}: {near.trees:,} trees; counting all", flush=True)
        if merged is None:
            run = run_enumeration(engine, work=part(COUNT))
            merged = {name: getattr(run, name) for name in ("status", "distinct", "built", "seconds")}
        rng = stream(seed, "distinct", "own", dataset.name)
        guess = None if merged["status"] == "ok" else estimate(engine, rng, probes=50, work=part(1))
    except MemoryError:
        why = f"it needs more than {memory_mb:,} MB; raise memory_mb, or lower cells"
        return [{"status": "memory_limit", "note": why, **provenance()}], [], []

    def percent(errors):
        return 100 * errors / len(search)

    def names(subset):
        return json.dumps([dataset.feature_names[f] for f in subset], ensure_ascii=False)

    open_part = "" if near.status == "ok" else "the near-optimal trees are those that the search met"
    record = {
        "status": merged["status"],
        "min_cases": min_cases,
        "cases": dataset.n_cases,
        "features": dataset.n_features,
        "building_cases": len(engine.objective.parts[0][0]),
        "search_cases": len(search),
        "distinct": merged["distinct"],
        "built": merged["built"],
        "estimated_distinct": None if guess is None else guess.distinct,
        "estimated_distinct_se": None if guess is None else guess.distinct_se,
        "seconds_estimated": None if guess is None else guess.seconds,
        "optimum": optimum.status,
        "proved": optimum.proved,
        "top_error": percent(optimum.top_errors),
        "sbe_error": percent(optimum.start_errors),
        "search_error": percent(optimum.errors),
        "bound": percent(optimum.bound),
        "gap": percent(optimum.gap),
        "subset": names(optimum.subset),
        "near_optimal": near.trees,
        "near_optimal_status": near.status,
        "near_optimal_error": percent(near.limit),
        "indispensable": json.dumps(list(near.indispensable), ensure_ascii=False),
        "exchangeable": json.dumps([[a, b, round(share, 4)] for a, b, share in near.exchangeable()],
                                   ensure_ascii=False),
        "seconds": merged["seconds"] + optimum.seconds + near.seconds,
        "note": joined(sampled, open_part),
        **provenance(),
    }  # fmt: skip
    features = [
        dict(zip(RASHOMON, (dataset.name, min_cases, near.status, near.limit, near.trees, *line), strict=True))
        for line in zip(dataset.feature_names, near.uses, near.shares, strict=True)
    ]
    subsets = [
        {"rank": rank, "search_error": percent(tree.errors), "size": tree.size, "subset": names(tree.subset)}
        for rank, tree in enumerate(near.members[:best], start=1)
    ]
    return [record], subsets, features
