"""What the rules measure on a small table: alone, in shards, and where no source has it."""

from types import SimpleNamespace

import pandas as pd
import pytest

from pinetum.data import Dataset
from pinetum.data.sample import sample
from pinetum.distinct.enumeration import enumerate_trees
from pinetum.distinct.replication import measure, sharding
from pinetum.files import results_folder

PLAN = {
    "cache_mb": 20,
    "enumeration": {"min_cases": [4, 20], "work": 10, "probes": 2},
    "optimum": {"min_cases": [4], "work": 10},
    "rashomon": {"min_cases": [4], "work": 10},
}
ORDERS = {"min_cases": [4, 20], "slow_min_cases": [20], "work": 10}
SEARCHES = {"dataset": "small", "min_cases": [20, 4], "splits": 2, "work": 10}
SHARDS = {"dataset": "small", "min_cases": 4, "work": 10}
GONE = [{"dataset": "gone", "m": m, "status": "no_data"} for m in (4, 20)]


@pytest.fixture(autouse=True)
def tables(tmp_path, monkeypatch):
    monkeypatch.setenv("PINETUM_RESULTS", str(tmp_path))
    (tmp_path / "data").mkdir()
    sample(missing=False).save(tmp_path / "data/small.npz")
    Dataset.save_reason(tmp_path / "data/gone.npz", "gone", "unreachable")


def test_a_data_set_is_enumerated_and_searched():
    made = measure.explore_dataset("small", PLAN, seed=1)
    counts, sizes, found, members = made.values()
    assert list(made) == ["enumeration", "sizes", "optimum", "rashomon"]
    assert counts["m"].tolist() == [20, 4] and (counts["status"] == "ok").all()
    assert sizes.groupby("m")["distinct"].sum().to_dict() == dict(
        zip(counts["m"], counts["distinct"], strict=True)
    )
    assert found["proved"].all() and (found["errors"] <= found["sbe_errors"]).all()
    assert (members["status"] == "ok").all() and members["share"].max() <= 1


def test_orders_of_removal_find_the_same_trees():
    orders, sizes, exhaustive = measure.compare_orders(
        {"dataset": "small", **ORDERS}, cache_mb=20, seed=1
    ).values()
    assert len(orders) == 2 * 3 + 2 and (orders.groupby("m")["distinct"].nunique() == 1).all()
    assert set(sizes["m"]) == set(exhaustive["m"]) == {4, 20}


def test_a_data_set_without_a_source_is_said_once_for_every_m():
    def rows(records):
        return records.dropna(axis=1).to_dict("records")

    made = measure.explore_dataset("gone", PLAN, seed=1)
    assert rows(made["enumeration"]) == GONE and rows(made["optimum"]) == GONE[:1]
    assert made["sizes"].empty and list(made["rashomon"]) == measure.RASHOMON_COLUMNS
    made = measure.compare_orders({"dataset": "gone", **ORDERS}, cache_mb=20, seed=1)
    assert rows(made["orders"]) == GONE and made["order_sizes"].empty
    searches = SEARCHES | {"dataset": "gone"}
    parts = [searched(searches, f"{number}-of-2") for number in (1, 2)]
    assert rows(parts[0]) == GONE and parts[1].empty
    assert in_shards(SHARDS | {"dataset": "gone"}, 2) == {
        "dataset": "gone",
        "m": 4,
        "status": "no_data",
    }


def searched(searches, shard):
    made = measure.compare_search_errors(searches, cache_mb=20, shard=shard, seed=1)
    return made["search_errors"].drop(columns="seconds")


def test_shards_of_searches_join_in_the_order_of_one_run():
    whole = searched(SEARCHES, "1-of-1")
    assert whole[["m", "split"]].values.tolist() == [[4, 0], [4, 1], [20, 0], [20, 1]]
    parts = [searched(SEARCHES, f"{number}-of-3") for number in (1, 2, 3)]
    joined = pd.concat(parts, ignore_index=True)
    pd.testing.assert_frame_equal(joined, whole, check_dtype=False)


def in_shards(shards, parts):
    folder = results_folder()
    plan = folder / "plan.json"
    plan.write_text(sharding.plan_shards(shards, parts, cache_mb=20, seed=1)["plan"])
    inputs = SimpleNamespace(files=SimpleNamespace(plan=plan, parts=[]))
    for number in range(1, parts + 1):
        checkpoint = f"checkpoint-{number}.json"
        made = sharding.enumerate_shard(shards, 20, f"{number}-of-{parts}", checkpoint, inputs)
        assert not (folder / checkpoint).exists()
        (folder / f"{number}.json").write_text(made["part"])
        inputs.files.parts.append(folder / f"{number}.json")
    return sharding.join_shards(shards, inputs)["sharding"][0]


def test_shards_count_what_one_enumeration_counts():
    whole = enumerate_trees(sample(missing=False), min_cases=4)
    for parts in (1, 3):
        row = in_shards(SHARDS, parts)
        assert (row["status"], row["distinct"], row["built"]) == ("ok", whole.distinct, whole.built)
        assert 1 <= row["rate_longest_over_mean_work"] <= parts
