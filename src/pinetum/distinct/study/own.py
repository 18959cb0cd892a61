"""A user's own table: counts, the best subsets, the near-optimal trees."""

import numpy as np

from pinetum.distinct.engine import Engine
from pinetum.distinct.enumeration import run_enumeration
from pinetum.distinct.near_optimal import near_optimum
from pinetum.distinct.probing import estimate
from pinetum.distinct.search import keep_best, search_engine
from pinetum.distinct.study.records import MILLION, RASHOMON, wrapper_split
from pinetum.induction import yadt
from pinetum.randomness import stream
from pinetum.workflow.jobs import provenance

LEAST_CASES = 20


def explore(dataset, *, min_cases, extra, best, work, criterion, fraction, cache_mb, seed):
    """(records, best subsets, feature rows) of one table."""
    if dataset.n_cases < LEAST_CASES or np.count_nonzero(dataset.class_counts()) < 2:
        why = f"needs {LEAST_CASES} cases and two classes to split off a search set"
        return [{"status": "unsuitable", "note": why, **provenance()}], [], []
    options = yadt(min_cases, criterion)
    building, search = wrapper_split(dataset.labels, seed, dataset.name, fraction)
    engine = Engine(dataset, options, building, search, cache_mb=cache_mb)
    guess = estimate(engine, stream(seed, "distinct", "own", dataset.name), probes=50, seconds=None)
    optimum = search_engine(engine, work=work * MILLION)
    near = near_optimum(engine, optimum, int(extra * len(search)), work=work * MILLION)
    counted = run_enumeration(engine, work=work * MILLION)
    record = {
        "status": counted.status,
        "m": min_cases,
        "cases": dataset.n_cases,
        "features": dataset.n_features,
        "building_cases": len(building),
        "search_cases": len(search),
        "distinct": counted.distinct,
        "built": counted.built,
        "estimated_distinct": guess.distinct,
        "estimated_distinct_se": guess.distinct_se,
        "seconds_estimated": guess.seconds,
        "top_errors": optimum.top_errors,
        "sbe_errors": optimum.start_errors,
        "errors": optimum.errors,
        "bound": optimum.bound,
        "proved": optimum.proved,
        "subset": " ".join(dataset.feature_names[f] for f in optimum.subset),
        "near_optimal": near.trees,
        "near_optimal_status": near.status,
        "seconds": counted.seconds + optimum.seconds + near.seconds,
        "note": "",
        **provenance(),
    }
    features = [
        dict(
            zip(
                RASHOMON, (dataset.name, min_cases, near.status, near.limit, near.trees, name, uses, share), strict=True
            )
        )
        for name, uses, share in zip(dataset.feature_names, near.uses, near.shares, strict=True)
    ]
    return [record], best_of(engine, near.limit, best, work, dataset.feature_names), features


def best_of(engine, limit, number, work, names):
    """The best subsets within `limit` errors."""
    kept, _ = keep_best(engine, number, limit, work=work * MILLION)
    return [
        {
            "rank": rank,
            "errors": tree.errors,
            "size": tree.size,
            "subset": " ".join(names[f] for f in tree.subset),
            "signature": tree.signature,
        }
        for rank, tree in enumerate(kept, start=1)
    ]
