"""One enumeration in shards: its plan, each shard, and what they count together."""

import json
from pathlib import Path

from pinetum.distinct.engine import Engine
from pinetum.distinct.replication.measure import CRITERION, MILLION, load
from pinetum.distinct.shards import merge_shards, run_shard, split_enumeration
from pinetum.distinct.warm import warm_up
from pinetum.files import results_folder
from pinetum.induction import yadt
from pinetum.randomness import stream
from pinetum.workflow.tables import absent


def plan_shards(shards, parts, cache_mb, seed):
    """Split an enumeration into shards of about the same size."""
    table, m = load(shards["dataset"]), shards["min_cases"]
    planned = None
    if not absent(table):
        engine = Engine(table, yadt(m, CRITERION), cache_mb=cache_mb)
        rng = stream(seed, "distinct", "shards", table.name, m)
        planned = split_enumeration(engine, parts, rng)
    return {"plan": json.dumps(planned)}


def enumerate_shard(shards, cache_mb, shard, checkpoint, inputs):
    """Enumerate one shard; what is done is kept in a checkpoint, so a killed job goes on where it
    was.
    """
    planned, table = read(inputs.files.plan), load(shards["dataset"])
    if absent(table):
        return {"part": json.dumps(None)}
    warm_up()
    engine = Engine(table, yadt(shards["min_cases"], CRITERION), cache_mb=cache_mb)
    number, count = map(int, shard.split("-of-"))
    kept = results_folder() / checkpoint
    work = shards["work"] * MILLION // count
    part = run_shard(engine, planned, number - 1, work=work, checkpoint=kept)
    kept.unlink(missing_ok=True)
    return {"part": json.dumps(part)}


def join_shards(shards, inputs):
    """The whole enumeration, and how evenly the work was spread over its shards."""
    planned, parts = read(inputs.files.plan), [read(path) for path in inputs.files.parts]
    row = {"dataset": shards["dataset"], "m": shards["min_cases"]}
    if planned is None:
        return {"sharding": [row | {"status": "no_data"}]}
    merged = merge_shards(planned, parts)
    # How far an enumeration came that its limit cut short depends on the number of shards: it is
    # not told.
    whole = merged["status"] == "ok"
    row |= {"status": merged["status"]}
    row |= {key: merged[key] if whole else None for key in ("distinct", "built")}
    row |= {f"rate_longest_over_mean_{key}": spread(parts, key) for key in ("built", "work")}
    row |= {"seconds": merged["seconds"], "seconds_longest_over_mean": spread(parts, "seconds")}
    return {"sharding": [row]}


def spread(parts, key) -> float:
    """The most of one shard over the mean."""
    loads = [part[key] for part in parts]
    return max(loads) * len(loads) / sum(loads) if sum(loads) else 1.0


def read(path):
    return json.loads(Path(path).read_text(encoding="utf-8"))
