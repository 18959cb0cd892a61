"""The shards of an enumeration together, and how evenly the work was spread."""

import hashlib
import json


def digest_of(plan) -> str:
    return hashlib.sha256(json.dumps(plan, sort_keys=True).encode()).hexdigest()[:16]


def longest_over_mean(loads):
    return max(loads) * len(loads) / sum(loads) if sum(loads) else 1.0


def merge_shards(plan, parts) -> dict:
    """The whole enumeration, and how well the work was spread."""
    if sorted(part["shard"] for part in parts) != list(range(len(plan["shards"]))):
        raise ValueError("not every shard is there once")
    if any(part["plan"] != digest_of(plan) for part in parts):
        raise ValueError("shards of another plan")
    sizes = list(plan["own"]["sizes"])
    for part in parts:
        sizes = [a + b for a, b in zip(sizes, part["sizes"], strict=True)]
    seconds = [part["seconds"] for part in parts]
    unfinished = [part["status"] for part in parts if part["status"] != "ok"]
    return {
        "status": unfinished[0] if unfinished else "ok",
        "distinct": plan["own"]["distinct"] + sum(part["distinct"] for part in parts),
        "built": plan["own"]["built"] + sum(part["built"] for part in parts),
        "sizes": sizes,
        "built_longest_over_mean": longest_over_mean([part["built"] for part in parts]),
        "work_longest_over_mean": longest_over_mean([part["work"] for part in parts]),
        "seconds": sum(seconds),
        "seconds_longest_over_mean": longest_over_mean(seconds),
    }
