"""A user's own table: how many trees there are, the best subsets with a proof or a gap, the
near-optimal trees.
"""

import json
import time
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import numpy as np

from pinetum.data.dataset import Dataset
from pinetum.distinct.engine import UNLIMITED, Engine
from pinetum.distinct.enumeration import Found, run_enumeration
from pinetum.distinct.near_optimal import NearOptimal, near_optimum
from pinetum.distinct.probing import estimate
from pinetum.distinct.replication.measure import MILLION, RASHOMON_COLUMNS, frame, wrapper_split
from pinetum.distinct.search import SHARE_OF_START, backward_elimination, search_engine
from pinetum.distinct.shards import merge_shards, run_shard, split_enumeration
from pinetum.distinct.warm import warm_up
from pinetum.induction import yadt
from pinetum.randomness import stream
from pinetum.validation.samples import joined, within_cells
from pinetum.workflow.job import Plain

LEAST_CASES = 20
# What each part may take of the work that is left when it begins; random probes have the rest.
OPTIMUM, NEAR, COUNT = 0.6, 0.6, 0.7
PROBES = (1 - OPTIMUM) * (1 - NEAR) * (1 - COUNT)  # that rest, where shards did the other parts
MEMBERS = 1000  # near-optimal trees that are kept, to see which features stand in for each other
BESIDE_STORE = 800  # megabytes that the interpreter, the libraries and the table take
BEST_COLUMNS = ["rank", "search_error", "size", "subset"]


def explore(table, settings, seed, plan=(), parts=(), listed=()) -> dict:
    """Records of the counts and the best subset, the best subsets, what near-optimal trees use, and
    a picture of that.

    Where the search has shards, `plan`, `parts` and `listed` are what their jobs left.
    """
    warm_up()
    planned = plan[0] if plan else None
    records, best, features = explored(table, settings, seed, planned, parts, listed)
    members = frame(features, RASHOMON_COLUMNS)
    return {
        "distinct.csv": records,
        "distinct_best.csv": Plain(frame(best, BEST_COLUMNS)),
        "distinct_features.csv": Plain(members),
        "distinct.png": partial(draw, members),
    }


def draw(members):
    from pinetum.distinct.replication.figures import rashomon

    return rashomon(members)


# ------------------------------------------------------------ the jobs of a search in shards


def plan_own_shards(settings, seed, inputs):
    """A user's own table: its enumeration split into shards of about the same size."""
    return {"plan": json.dumps(plan_search(Dataset.load(inputs.files.data), settings, seed))}


def enumerate_own_shard(settings, shard, seed, inputs):
    """A user's own table: one shard of its enumeration and of the search for the best subset."""
    warm_up()
    table, planned = Dataset.load(inputs.files.data), read(inputs.files.plan)
    return {"part": json.dumps(search_shard(table, settings, seed, planned, int(shard)))}


def list_own_shard(settings, shard, seed, inputs):
    """A user's own table: the near-optimal trees of one shard."""
    warm_up()
    table, planned = Dataset.load(inputs.files.data), read(inputs.files.plan)
    parts = [read(path) for path in inputs.files.parts]
    return {"near": json.dumps(list_shard(table, settings, seed, planned, parts, int(shard)))}


def read(path):
    return json.loads(Path(path).read_text(encoding="utf-8"))


# ------------------------------------------------------------ what they do


def unsuitable(dataset) -> str:
    """Why the study cannot run on a table, or nothing."""
    if dataset.n_cases < LEAST_CASES or np.count_nonzero(dataset.class_counts()) < 2:
        return f"needs {LEAST_CASES} cases and two classes to split off a search set"
    return ""


def engine_of(dataset, settings, seed):
    """(engine on the table or a sample of it, note on the sample)."""
    dataset, sampled = within_cells(
        dataset, settings["cells"], stream(seed, "distinct", dataset.name, "sample")
    )
    building, search = wrapper_split(dataset.labels, seed, dataset.name, settings["fraction"])
    cache_mb = max(
        50, (settings["memory_mb"] - BESIDE_STORE) // 2
    )  # the store is copied when it grows
    options = yadt(settings["min_cases"], settings["criterion"])
    return Engine(dataset, options, building, search, cache_mb=cache_mb), sampled


def plan_search(dataset, settings, seed):
    """The search space in shards, and where their searches start.

    None where there is nothing to search.

    What is searched for is also met on the way: `trees` are those of the plan itself.
    """
    if unsuitable(dataset):
        return None
    try:
        engine, _ = engine_of(dataset, settings, seed)
        until = engine.work + SHARE_OF_START * OPTIMUM * settings["work"] * MILLION
        start, top = backward_elimination(
            engine, range(engine.n_features), lambda: engine.work >= until
        )
        planned = split_enumeration(
            engine, settings["shards"], stream(seed, "distinct", "own", dataset.name, "shards")
        )
    except MemoryError:
        return None  # one job says so
    return planned | {"start": start, "top": top[0]}


def search_shard(dataset, settings, seed, planned, shard):
    """What one shard counts, and the best subset among its own, within its share of the work."""
    if planned is None:
        return None
    engine, _ = engine_of(dataset, settings, seed)
    counted = run_shard(
        engine, planned, shard, work=settings["work"] * MILLION // settings["shards"]
    )
    spaces = planned["shards"][shard]
    ends = engine.work + int(OPTIMUM * settings["work"] * MILLION) // settings["shards"]
    begun, best, bound, status = time.process_time(), tuple(planned["start"]), UNLIMITED, "done"
    for place, (required, optional) in enumerate(spaces):
        engine.begin(required, optional, order="errors")
        engine.set_best(*best)
        engine.prune_below_best(0, ties=True)
        end = engine.run(work=max(0, ends - engine.work) // (len(spaces) - place))
        best = engine.best
        if end != "done":
            status, bound = end, min(bound, engine.open_bound())
    found = {"best": best, "bound": int(min(bound, best[0])), "search": status}
    return counted | found | {"search_seconds": time.process_time() - begun}


def merge_optima(planned, parts):
    """The best subset of all shards, with what is proved: the fields of `Optimum` that a record
    reads.
    """
    met = [(tree.errors, tree.subset) for tree in trees_of(planned)]
    found = [tuple(planned["start"]), *met, *(part["best"] for part in parts)]
    errors, subset = min(
        ((wrong, tuple(subset)) for wrong, subset in found), key=lambda e: (e[0], len(e[1]), e[1])
    )
    bound = min([errors, *(part["bound"] for part in parts)])
    limits = [part["search"] for part in parts if part["search"] != "done"]
    return SimpleNamespace(
        errors=errors,
        subset=subset,
        bound=bound,
        gap=errors - bound,
        proved=bound == errors,
        status="optimal" if bound == errors else limits[0],
        top_errors=planned["top"],
        start_errors=planned["start"][0],
        seconds=sum(part["search_seconds"] for part in parts),
    )


def trees_of(planned) -> list[Found]:
    """The distinct trees of the plan itself."""
    return [Found(wrong, len(subset), tuple(subset)) for wrong, subset in planned["own"]["trees"]]


def list_shard(dataset, settings, seed, planned, parts, shard):
    """The near-optimal trees of one shard, when the best of all shards is known."""
    if planned is None:
        return None
    engine, _ = engine_of(dataset, settings, seed)
    work = int(NEAR * (1 - OPTIMUM) * settings["work"] * MILLION) // settings["shards"]
    optimum, spaces = merge_optima(planned, parts), planned["shards"][shard]
    near = near_optimum(
        engine,
        optimum,
        extra_of(engine, settings),
        spaces=spaces,
        keep=kept_of(settings),
        work=work,
    )
    members = [[tree.errors, tree.subset] for tree in near.members]
    return {
        "status": near.status,
        "trees": near.trees,
        "uses": near.uses,
        "seconds": near.seconds,
        "members": members,
    }


def merge_near(engine, optimum, settings, planned, listed) -> NearOptimal:
    """The near-optimal trees of all shards and of the plan."""
    limit = optimum.errors + extra_of(engine, settings)
    own = [tree for tree in trees_of(planned) if tree.errors <= limit]
    members = [
        Found(wrong, len(subset), tuple(subset))
        for part in listed
        for wrong, subset in part["members"]
    ]
    uses = np.sum([part["uses"] for part in listed], axis=0)
    for tree in own:
        uses[list(tree.subset)] += 1
    limits = [part["status"] for part in listed if part["status"] != "ok"]
    return NearOptimal(
        status=limits[0] if limits else "ok",
        limit=limit,
        trees=len(own) + sum(part["trees"] for part in listed),
        by_errors={},
        uses=uses.tolist(),
        sizes=[],
        seconds=sum(part["seconds"] for part in listed),
        members=tuple(sorted([*own, *members])[: kept_of(settings)]),
        engine=engine,
    )


def extra_of(engine, settings) -> int:
    """Errors above the best that still count as near."""
    return int(settings["extra"] * engine.n_search)


def kept_of(settings) -> int:
    return max(MEMBERS, settings["best"])


def explored(dataset, settings, seed, planned=None, parts=(), listed=()):
    """(records, best subsets, feature rows) of one table.

    Errors are in percent of the search cases.

    Where there are shards, `parts` is what they counted and searched, `listed` their near-optimal
    trees.
    """
    reason = unsuitable(dataset)
    if reason:
        return [{"status": "unsuitable", "note": reason}], [], []
    min_cases, best = settings["min_cases"], settings["best"]
    work, memory_mb = settings["work"] * MILLION, settings["memory_mb"]
    try:
        engine, sampled = engine_of(dataset, settings, seed)
        dataset, search = engine.dataset, engine.objective.parts[0][1]

        def part(share):
            return int(share * max(0, work - engine.work))

        if planned is None:
            print("complete search for the best subset", flush=True)
            optimum = search_engine(engine, work=part(OPTIMUM))
            print(
                f"{optimum.status}: {optimum.errors} errors, none below {optimum.bound}", flush=True
            )
            near = near_optimum(
                engine, optimum, extra_of(engine, settings), keep=kept_of(settings), work=part(NEAR)
            )
            print(f"{near.status}: {near.trees:,} near-optimal trees; counting all", flush=True)
            run = run_enumeration(engine, work=part(COUNT))
            merged = {
                name: getattr(run, name) for name in ("status", "distinct", "built", "seconds")
            }
            left = part(1)
        else:
            optimum, merged = merge_optima(planned, parts), merge_shards(planned, parts)
            near, left = merge_near(engine, optimum, settings, planned, listed), part(PROBES)
        rng = stream(seed, "distinct", "own", dataset.name)
        guess = None if merged["status"] == "ok" else estimate(engine, rng, probes=50, work=left)
    except MemoryError:
        why = f"it needs more than {memory_mb:,} MB; raise memory_mb, or lower cells"
        return [{"status": "memory_limit", "note": why}], [], []

    def percent(errors):
        return 100 * errors / len(search)

    def names(subset):
        return json.dumps([dataset.feature_names[f] for f in subset], ensure_ascii=False)

    open_part = (
        "" if near.status == "ok" else "the near-optimal trees are those that the search met"
    )
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
        "exchangeable": json.dumps(
            [[a, b, round(share, 4)] for a, b, share in near.exchangeable()], ensure_ascii=False
        ),
        "seconds": merged["seconds"] + optimum.seconds + near.seconds,
        "note": joined(sampled, open_part),
    }
    features = [
        dict(
            zip(
                RASHOMON_COLUMNS,
                (dataset.name, min_cases, near.status, near.limit, near.trees, *line),
                strict=True,
            )
        )
        for line in zip(dataset.feature_names, near.uses, near.shares, strict=True)
    ]
    subsets = [
        {
            "rank": rank,
            "search_error": percent(tree.errors),
            "size": tree.size,
            "subset": names(tree.subset),
        }
        for rank, tree in enumerate(near.members[:best], start=1)
    ]
    return [record], subsets, features
