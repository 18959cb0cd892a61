"""A user's own table: what is proved, what is counted, in one job or in shards."""

import json

import numpy as np
import pytest

from pinetum.distinct import explore as own

SETTINGS = {
    "min_cases": 2,
    "criterion": "gain",
    "fraction": 0.7,
    "extra": 0.02,
    "best": 5,
    "shards": 1,
    "cells": 10**6,
    "work": 200,
    "memory_mb": 1000,
}


@pytest.fixture(scope="module")
def data():
    from pinetum.data.sample import sample

    return sample(missing=False)


def test_shards_count_what_one_job_counts(data):
    [whole], best, features = own.explored(data, SETTINGS, 1)
    assert (whole["status"], whole["optimum"], whole["proved"]) == ("ok", "optimal", True)
    assert whole["gap"] == 0 and whole["bound"] == whole["search_error"] <= whole["top_error"]
    assert best[0]["search_error"] == whole["search_error"] and json.loads(
        best[0]["subset"]
    ) == json.loads(whole["subset"])
    must = set(json.loads(whole["indispensable"]))
    assert must == {line["feature"] for line in features if line["share"] == 1}
    for shards in (2, 3):
        settings = SETTINGS | {"shards": shards}
        merged, merged_best, merged_features = in_shards(data, settings)
        plain = [{k: v for k, v in row.items() if k != "seconds"} for row in (whole, merged)]
        plain[1].pop("built"), plain[0].pop("built")
        assert plain[0] == plain[1] and merged_best == best and merged_features == features


def in_shards(data, settings):
    def through(content):
        return json.loads(json.dumps(content))

    planned, shards = through(own.plan_search(data, settings, 1)), range(settings["shards"])
    parts = [through(own.search_shard(data, settings, 1, planned, shard)) for shard in shards]
    listed = [through(own.list_shard(data, settings, 1, planned, parts, shard)) for shard in shards]
    [row], best, features = own.explored(data, settings, 1, planned, parts, listed)
    return row, best, features


@pytest.mark.parametrize("seed", range(8))
def test_shards_prove_and_list_what_one_job_does_on_random_tables(seed):
    rng = np.random.default_rng(seed)
    frame = {
        f"x{n}": rng.integers(0, 2 + 3 * (n % 2), 60).astype(str if n % 2 else float)
        for n in range(7)
    }
    from pinetum.data import Table

    table = Table.from_frame(frame | {"y": rng.integers(0, 2, 60)}, "y", types={"x0": "number"})
    settings = SETTINGS | {"extra": 0.1}
    [whole], best, features = own.explored(table, settings, 1)
    merged, merged_best, merged_features = in_shards(table, settings | {"shards": 1 + seed % 4})
    assert whole["optimum"] == merged["optimum"] == "optimal"
    for name in set(whole) - {"seconds", "built"}:
        assert whole[name] == merged[name], name
    assert (merged_best, merged_features) == (best, features)


def test_a_limit_leaves_a_bound_and_an_estimate(data):
    rng = np.random.default_rng(0)
    from pinetum.data import Table

    frame = {f"x{n}": rng.normal(size=400).round(3) for n in range(25)} | {
        "y": rng.integers(0, 2, 400)
    }
    [row], _, features = own.explored(Table.from_frame(frame, "y"), SETTINGS | {"work": 5}, 1)
    assert row["status"] == "work_limit" and not row["proved"] and row["gap"] > 0
    assert row["estimated_distinct"] > row["distinct"] > 0
    assert len(features) == 25
    [row], *_ = own.explored(Table.from_frame(frame, "y"), SETTINGS | {"work": 5, "cells": 2000}, 1)
    assert row["cases"] == 80 and "a sample of 80 of 400 cases" in row["note"]
    few = data.take_cases(np.arange(10))
    row, *_ = in_shards(Table.from_frame(frame, "y"), SETTINGS | {"work": 5, "shards": 2})
    assert (
        row["status"] == "work_limit"
        and not row["proved"]
        and 0 <= row["bound"] < row["search_error"]
    )
    assert (
        row["near_optimal_status"] == "work_limit"
        and row["estimated_distinct"] > row["distinct"] > 0
    )
    assert (
        own.explored(few, SETTINGS, 1)[0][0]["status"] == "unsuitable"
        and own.plan_search(few, SETTINGS, 1) is None
    )
