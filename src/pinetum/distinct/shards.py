"""An enumeration in parts that can run anywhere: sub-lattices R x Pow(S), balanced by probing.

The top of the search tree is unrolled, always at the sub-space that looks largest, until none looks
larger than a small part of a shard; the trees of the unrolled frames belong to the plan. Sub-spaces
of one search tree are disjoint, so the union of the plan and the shards is exact. Many small
sub-spaces also spread what probing does not see, the records that each of them is the first to
need.
"""

import hashlib
import heapq
import json
from pathlib import Path

from pinetum.distinct.enumeration import run_enumeration
from pinetum.distinct.probing import best_tilt, probe
from pinetum.files import whole_file
from pinetum.progress import Progress

# of a shard: no sub-space is estimated at more than one, unless there would be more of them than
PARTS = 32
MOST_TASKS = 4096  # in all, or
TASKS_PER_SHARD = 8  # for each of very many shards
PROBES_PER_TASK = 30


def split_enumeration(
    engine, shards, rng, *, order="ascending", parts=PARTS, probes=PROBES_PER_TASK
):
    """{"own": counts of the unrolled frames and their trees, "shards": per shard its sub-spaces
    (required, optional)}.

    `trees` has errors and features of each distinct one, where the engine has search cases.
    """
    every = tuple(range(engine.n_features))
    tilt = best_tilt(engine, (), every, rng, order)
    own: dict = {"built": 0, "distinct": 0, "sizes": [0] * (engine.n_features + 1), "trees": []}
    number, total = 0, 1.0
    heap = [(-total, number, ((), every))]
    most = max(MOST_TASKS, TASKS_PER_SHARD * shards)
    while heap and -heap[0][0] * shards * parts > total and len(heap) < most:
        known, _, space = heapq.heappop(heap)
        total += known
        is_distinct, size, below = engine.step(*space, order=order)
        own["built"] += 1
        own["distinct"] += is_distinct
        own["sizes"][size] += is_distinct
        if is_distinct and engine.n_search:
            own["trees"].append(engine.best)
        for child in below:
            number += 1
            guess = sum(probe(engine, *child, rng, tilt, order)[2] for _ in range(probes)) / probes
            heapq.heappush(heap, (-guess, number, child))
            total += guess
    loads = [(0.0, shard) for shard in range(shards)]
    given: list[list] = [[] for _ in range(shards)]
    for negative, _, space in sorted(heap):
        load, shard = heapq.heappop(
            loads
        )  # the largest sub-space goes to the shard with least to do
        given[shard].append([list(space[0]), list(space[1])])
        heapq.heappush(loads, (load - negative, shard))
    return {"order": order, "own": own, "shards": given}


def run_shard(engine, plan, shard, *, seconds=None, work=None, checkpoint=None) -> dict:
    """Enumerate the sub-spaces of a shard.

    With a `checkpoint` file a killed run goes on where it was.
    """
    state = {
        "plan": digest_of(plan),
        "shard": shard,
        "done": 0,
        "built": 0,
        "distinct": 0,
        "seconds": 0.0,
    }
    state["work"] = 0
    state["sizes"] = [0] * (engine.n_features + 1)
    state["status"] = "ok"
    if checkpoint is not None and Path(checkpoint).exists():
        kept = json.loads(Path(checkpoint).read_text())
        if kept["plan"] == state["plan"] and kept["shard"] == shard:
            state = kept
    spaces = plan["shards"][shard]
    progress = Progress(len(spaces), "sub-spaces", already=state["done"])
    for required, optional in spaces[state["done"] :]:
        left = None if seconds is None else seconds - state["seconds"]
        effort = None if work is None else work - state["work"]
        before = engine.work
        part = run_enumeration(
            engine, required, optional, order=plan["order"], seconds=left, work=effort
        )
        state["work"] += engine.work - before
        state["built"] += part.built
        state["distinct"] += part.distinct
        state["sizes"] = [a + b for a, b in zip(state["sizes"], part.sizes, strict=True)]
        state["seconds"] += part.seconds
        if part.status != "ok":
            state["status"] = part.status
            break
        state["done"] += 1
        progress.step()
        if checkpoint is not None:
            with whole_file(checkpoint) as file:
                json.dump(state, file)
    return state


def merge_shards(plan, parts) -> dict:
    """The whole enumeration: the plan's trees and those of all its shards."""
    if sorted(part["shard"] for part in parts) != list(range(len(plan["shards"]))):
        raise ValueError("not every shard is there once")
    if any(part["plan"] != digest_of(plan) for part in parts):
        raise ValueError("shards of another plan")
    sizes = list(plan["own"]["sizes"])
    for part in parts:
        sizes = [a + b for a, b in zip(sizes, part["sizes"], strict=True)]
    unfinished = [part["status"] for part in parts if part["status"] != "ok"]
    return {
        "status": unfinished[0] if unfinished else "ok",
        "distinct": plan["own"]["distinct"] + sum(part["distinct"] for part in parts),
        "built": plan["own"]["built"] + sum(part["built"] for part in parts),
        "sizes": sizes,
        "seconds": sum(part["seconds"] for part in parts),
    }


def digest_of(plan) -> str:
    return hashlib.sha256(json.dumps(plan, sort_keys=True).encode()).hexdigest()[:16]
