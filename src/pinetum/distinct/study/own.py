"""A user's own table: how many trees there are, the best subsets with a proof or a gap, the near-optimal trees."""

import json

import numpy as np

from pinetum.distinct.engine import Engine
from pinetum.distinct.enumeration import run_enumeration
from pinetum.distinct.near_optimal import near_optimum
from pinetum.distinct.probing import estimate
from pinetum.distinct.search import search_engine
from pinetum.distinct.study.records import MILLION, RASHOMON, wrapper_split
from pinetum.induction import yadt
from pinetum.randomness import stream
from pinetum.validation.samples import joined, within_cells
from pinetum.workflow.jobs import provenance

LEAST_CASES = 20
# What each part may take of the work that is left when it begins; random probes have the rest.
OPTIMUM, NEAR, COUNT = 0.6, 0.6, 0.7
MEMBERS = 1000  # near-optimal trees that are kept, to see which features stand in for each other
BESIDE_STORE = 800  # megabytes that the interpreter, the libraries and the table take


def explore(dataset, *, min_cases, criterion, fraction, extra, best, cells, work, memory_mb, seed):
    """(records, best subsets, feature rows) of one table; errors are in percent of the search cases."""
    if dataset.n_cases < LEAST_CASES or np.count_nonzero(dataset.class_counts()) < 2:
        why = f"needs {LEAST_CASES} cases and two classes to split off a search set"
        return [{"status": "unsuitable", "note": why, **provenance()}], [], []
    dataset, sampled = within_cells(dataset, cells, stream(seed, "distinct", dataset.name, "sample"))
    building, search = wrapper_split(dataset.labels, seed, dataset.name, fraction)
    cache_mb = max(50, (memory_mb - BESIDE_STORE) // 2)  # the store is copied when it grows
    try:
        engine = Engine(dataset, yadt(min_cases, criterion), building, search, cache_mb=cache_mb)

        def part(share):
            return int(share * max(0, work * MILLION - engine.work))

        print("complete search for the best subset", flush=True)
        optimum = search_engine(engine, work=part(OPTIMUM))
        print(f"{optimum.status}: {optimum.errors} errors, none below {optimum.bound}; near-optimal trees", flush=True)
        near = near_optimum(engine, optimum, int(extra * len(search)), keep=max(MEMBERS, best), work=part(NEAR))
        print(f"{near.status}: {near.trees:,} trees; counting all", flush=True)
        counted = run_enumeration(engine, work=part(COUNT))
        rng = stream(seed, "distinct", "own", dataset.name)
        guess = None if counted.status == "ok" else estimate(engine, rng, probes=50, work=part(1))
    except MemoryError:
        why = f"it needs more than {memory_mb:,} MB; raise memory_mb, or lower cells"
        return [{"status": "memory_limit", "note": why, **provenance()}], [], []

    def percent(errors):
        return 100 * errors / len(search)

    def names(subset):
        return json.dumps([dataset.feature_names[f] for f in subset], ensure_ascii=False)

    open_part = "" if near.status == "ok" else "the near-optimal trees are those that the search met"
    record = {
        "status": counted.status,
        "min_cases": min_cases,
        "cases": dataset.n_cases,
        "features": dataset.n_features,
        "building_cases": len(building),
        "search_cases": len(search),
        "distinct": counted.distinct,
        "built": counted.built,
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
        "seconds": counted.seconds + optimum.seconds + near.seconds,
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
