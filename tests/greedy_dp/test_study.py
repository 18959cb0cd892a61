"""Tables, records, optimal trees, published numbers."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from pinetum.data.dataset import Dataset
from pinetum.greedy_dp.costs import COSTS, GREEDY_COLUMNS, LABELS
from pinetum.greedy_dp.explore import explore
from pinetum.greedy_dp.findings import examine, refused
from pinetum.greedy_dp.names import PAPER_SHAPE
from pinetum.greedy_dp.optimum import Limits
from pinetum.greedy_dp.replication import measure, results
from pinetum.greedy_dp.replication.random_tables import run, solve_random_tables
from pinetum.greedy_dp.tables import Unsuitable, decision_table, from_dataset, random_table
from pinetum.report.comparison import compare, read_published
from pinetum.trees import Tree
from pinetum.workflow.jobs import read_records, write_records

PUBLISHED = Path(__file__).parents[2] / "config/published/greedy_dp.csv"
SEED = 20170806


def dataset(codes, labels, *, continuous=False):
    codes = np.asarray(codes, dtype=np.int32)
    domains = tuple(tuple(map(str, range(max(2, row.max() + 1)))) for row in codes)
    return Dataset(
        name="toy",
        codes=codes,
        labels=np.asarray(labels, dtype=np.int32),
        continuous=np.full(len(codes), continuous),
        values=tuple(np.unique(row).astype(float) for row in codes) if continuous else domains,
        feature_names=tuple(f"f{i}" for i in range(len(codes))),
        class_names=tuple(map(str, range(max(labels) + 1))),
    )


def test_equal_rows_are_merged_by_the_most_common_decision_then_the_smallest():
    table = decision_table([[0, 0, 0, 1, 1, 2], [1, 1, 1, 0, 0, 1]], [2, 1, 2, 1, 0, 0])
    assert table.codes.T.tolist() == [[0, 1], [1, 0], [2, 1]]
    assert table.decisions.tolist() == [2, 0, 0]
    assert (table.merged, table.conflicts) == (3, 2)
    with pytest.raises(Unsuitable, match="2 groups of equal rows"):
        decision_table(
            [[0, 0, 0, 1, 1, 2], [1, 1, 1, 0, 0, 1]], [2, 1, 2, 1, 0, 0], inconsistent="refuse"
        )


def test_numbers_and_missing_cells_are_unsuitable():
    with pytest.raises(Unsuitable, match="numeric"):
        from_dataset(dataset([[0, 1]], [0, 1], continuous=True))
    with pytest.raises(Unsuitable, match="1 missing"):
        from_dataset(dataset([[0, -1]], [0, 1]))
    found = examine("toy", dataset([[0, -1]], [0, 1]), Limits(), inconsistent="most_common")
    assert found.table["status"] == "unsuitable"


def test_shards_do_not_change_a_record():
    shape = {"rows": 20, "attributes": 5, "values": 3, "decisions": 3}
    whole, _ = run(SEED, 0, 30, **shape)
    parts = pd.concat(
        [run(SEED, 0, 7, **shape)[0], run(SEED, 7, 30, **shape)[0]], ignore_index=True
    )
    pd.testing.assert_frame_equal(whole, parts)
    assert (random_table(SEED, 3, **shape) == random_table(SEED, 3, **shape)).all()


def test_shards_are_neighbouring_parts_of_all_tables():
    parts = [solve_random_tables(5, SEED, f"{shard}-of-3") for shard in (1, 2, 3)]
    numbers = pd.concat([part["random_tables"].records for part in parts])["table"]
    assert numbers.tolist() == list(range(20))
    assert [part["random_seconds"][0]["tables"] for part in parts] == [6, 7, 7]


def test_optimal_trees_have_the_least_costs_and_make_no_error():
    drawn = random_table(1, 5, rows=40, attributes=6, values=3, decisions=3)
    table = decision_table(drawn[:, :-1].T, drawn[:, -1], arity=[3] * 6, n_decisions=3)
    data = dataset(table.codes, table.decisions)
    found = examine("toy", data, Limits(), inconsistent="refuse")
    assert found.table["status"] == "optimal"
    for _, cost, tree in found.trees:
        sizes, least = tree.sizes, found.table[f"least {cost}"]
        path = int((tree.totals[tree.feature >= 0]).sum())
        terminal = sizes.leaves - sizes.empty_leaves
        ours = {
            "h_av": path / table.n_rows,
            "h": sizes.depth,
            "L": sizes.nodes - sizes.empty_leaves,
            "L_n": sizes.internal,
            "L_t": terminal,
        }
        assert ours[cost] == least
        assert tree.errors(data) == 0
    assert len(found.gaps) == len(LABELS) * len(COSTS)
    assert all(gap["gap"] >= 0 and gap["greedy"] >= gap["least"] for gap in found.gaps)
    assert all(
        line["least_second"] >= found.table[f"least {line['second']}"] for line in found.sequential
    )


def test_a_limit_is_a_record_with_an_interval():
    drawn = random_table(1, 5, rows=60, attributes=9, values=3, decisions=3)
    data = dataset(drawn[:, :-1].T, drawn[:, -1])
    found = examine(
        "toy", data, Limits(memory_mb=0.03, work_millions=0.001), inconsistent="most_common"
    )
    assert found.table["status"] == "work_limit"
    assert all(found.table[f"least {cost}"] <= found.table[f"most {cost}"] for cost in COSTS)
    assert {cost for _, cost, _ in found.trees} == {
        cost for cost in COSTS if found.table[f"least {cost}"] == found.table[f"most {cost}"]
    }


def reproduced(records):
    """Our values of random tables for all published numbers."""
    summary = results.relative_differences(records)
    return results.reproduced(summary, read_published(PUBLISHED))


def test_two_thousand_tables_meet_the_published_averages():
    records, _ = run(SEED, 0, 2000, **PAPER_SHAPE)
    published = read_published(PUBLISHED)
    ours = reproduced(records)
    rows = compare("greedy_dp", published, ours)
    cells = rows[rows["basis"] == "error"]
    assert len(cells) == 4 * len(LABELS) * len(COSTS) and len(ours) == len(published)
    distance = cells["z"].astype(float).abs()
    assert (distance <= 4).all()
    assert (distance <= 3).mean() >= 0.98


def rms_of(records, columns=tuple(COSTS)):
    """Root mean square of z over Tables 1 to 4, or over some of their columns."""
    rows = compare("greedy_dp", read_published(PUBLISHED), reproduced(records))
    z = rows.loc[(rows["basis"] == "error") & rows["column"].isin(columns), "z"].astype(float)
    return float(np.sqrt((z**2).mean()))


def with_one_more_leaf(records):
    """Section 2 prints one more than the sum over the branches for the number of terminal nodes."""
    counts = [name for name in records if name.endswith("L_t")]
    return records.assign(**{name: records[name] + 1 for name in counts})


def with_swapped_heuristics(records):
    """The greedy costs of the last heuristic under the name of the first, and so on."""
    greedy = [name for name in records if name in GREEDY_COLUMNS]
    cells = records[greedy].to_numpy().reshape(len(records), len(LABELS), len(COSTS))[:, ::-1]
    return records.assign(**dict(zip(greedy, cells.reshape(len(records), -1).T, strict=True)))


def test_wrong_readings_miss_the_published_averages():
    """Other tables, other counts of leaves and other names of the heuristics are refused where the
    right ones pass.
    """
    records, _ = run(SEED, 0, 1200, **PAPER_SHAPE)
    other, _ = run(SEED, 0, 1200, **(PAPER_SHAPE | {"decisions": 2}))
    assert rms_of(records) < 1.6 and rms_of(records, ["L_t"]) < 1.6
    assert rms_of(with_one_more_leaf(records), ["L_t"]) > 2
    assert rms_of(with_swapped_heuristics(records)) > 5 and rms_of(other) > 5


def test_every_published_number_is_compared():
    records, _ = run(SEED, 0, 40, **PAPER_SHAPE)
    published = read_published(PUBLISHED)
    rows = compare("greedy_dp", published, reproduced(records))
    assert len(rows) == len(published) and "timing" not in set(rows["verdict"])


def test_picks_keep_the_printed_order():
    assert results.in_printed_order(["b", "a"], ["a", "b"]) == ["a", "b"]
    assert results.in_printed_order(["c", "a"], ["a", "b"]) == ["a", "c"]
    assert results.in_printed_order(["c", "d"], ["a", "b"]) == ["c", "d"]


def test_tic_tac_toe_to_the_node(twin):
    """The 958 final positions, written out by the data layer's own definition of the set."""
    from pinetum.data.exact import file_content

    lines = file_content("tic-tac-toe/tic-tac-toe.data").decode().split()
    cells = np.array([line.split(",") for line in lines])
    codes = np.searchsorted(["b", "o", "x"], cells[:, :-1]).T
    data = dataset(codes, (cells[:, -1] == "positive").astype(int))
    record = examine("tic-tac-toe", data, Limits(), inconsistent="refuse").table
    least = twin.minima(twin.rows_of(from_dataset(data)))
    assert record["status"] == "optimal"
    assert (
        record["least h_av"] * 958,
        *(record[f"least {cost}"] for cost in list(COSTS)[1:]),
    ) == pytest.approx(least)


def test_heuristics_are_ranked_on_real_and_on_random_tables():
    gaps = pd.DataFrame(
        [
            {"cost": cost, "heuristic": name, "gap_at_most": place / 10 + table}
            for cost in COSTS
            for place, name in enumerate(LABELS)
            for table in (0, 1)
        ]
    )
    drawn = [
        {"group": "all", "cost": cost, "heuristic": name, "mean": -place if cost == "h" else place}
        for cost in COSTS
        for place, name in enumerate(LABELS)
    ]
    ranks = results.heuristic_ranks(gaps, pd.DataFrame(drawn)).set_index("heuristic")
    assert ranks.loc["sum ent", "L real"] == 1 and ranks.loc["sum ent", "h random"] == len(LABELS)
    assert ranks.loc["rank correlation", ["L real", "h real"]].tolist() == [1.0, -1.0]


def test_a_line_per_table_and_cost():
    drawn = random_table(1, 5, rows=60, attributes=9, values=3, decisions=3)
    data = dataset(drawn[:, :-1].T, drawn[:, -1])
    found = examine(
        "toy", data, Limits(memory_mb=0.03, work_millions=0.001), inconsistent="most_common"
    )
    absent = refused("absent", "no_data", "none")
    tables = pd.DataFrame([absent.table, found.table])
    lines = results.real_costs(tables, pd.DataFrame(found.gaps))
    assert list(lines["cost"]) == list(COSTS) and set(lines["dataset"]) == {"toy"}
    assert ((lines["proved"] == "yes") == (lines["gap (%)"] == 0)).all() and (
        lines["proved"] == "no"
    ).any()
    assert (lines["bound"] <= lines["value"]).all() and (lines["value"] <= lines["greedy"]).all()


@pytest.fixture
def encoded(tmp_path, monkeypatch):
    """Results with the encoded tables `toy`, `numbers` (no decision table), without `gone`."""
    monkeypatch.setenv("PINETUM_RESULTS", str(tmp_path))
    folder = tmp_path / "data"
    folder.mkdir()
    drawn = random_table(1, 5, rows=40, attributes=6, values=3, decisions=3)
    dataset(drawn[:, :-1].T, drawn[:, -1]).save(folder / "toy.npz")
    dataset(np.arange(12).reshape(2, 6), [0, 1] * 3, continuous=True).save(folder / "numbers.npz")
    Dataset.save_reason(folder / "gone.npz", "gone", "unreachable")
    return folder


LIMITS = {"memory_mb": 20, "time_limit": 60, "work_millions": 5}


def test_records_of_tables_with_and_without_a_source(encoded, tmp_path):
    made = measure.solve_real_tables(["gone", "numbers", "toy"], LIMITS)
    assert made["real_tables"]["status"].tolist() == ["no_data", "unsuitable", "optimal"]
    assert made["real_tables"]["note"][0] == "unreachable"
    assert set(made["real_gaps"]["dataset"]) == {"toy"}
    written = {}
    for name, records in made.items():  # as the stages of the workflow have them
        write_records(records, tmp_path / f"{name}.csv")
        written[name] = read_records(tmp_path / f"{name}.csv")
    shown = results.real_tables(written["real_tables"])
    counted = made["real_tables"]["trees L"][2]
    assert shown["trees of least L"].tolist() == ["", "", results.brief(int(counted))]
    assert len(results.real_costs(written["real_tables"], written["real_gaps"])) == len(COSTS)
    assert len(results.real_gaps(written["real_gaps"])) == len(COSTS)
    trees = written["optimal_trees"].set_index("cost")["tree"].map(Tree.from_json)
    assert set(trees.index) == set(COSTS)
    assert trees["h"].sizes.depth == made["real_tables"]["least h"][2]


def test_no_record_at_all_is_a_table_of_reasons(encoded):
    made = measure.solve_real_tables(["gone"], LIMITS)
    assert results.real_tables(made["real_tables"])["status"].tolist() == ["no_data"]
    assert results.real_costs(made["real_tables"], made["real_gaps"]).empty
    assert results.real_gaps(made["real_gaps"]).empty and made["optimal_trees"].empty


@pytest.mark.parametrize("count, says", [(0, "0"), (10**11, "1" + "0" * 11), (12**40, "1.46e43")])
def test_long_counts_are_powers_of_ten(count, says):
    assert results.brief(count) == says


OWN = {"inconsistent": "refuse", "missing": "refuse", "cells": 10**6, "work": 5, "memory_mb": 900}


def test_a_table_of_ones_own(encoded):
    made = explore(Dataset.load(encoded / "toy.npz"), OWN, SEED)
    lines = made["greedy_dp.csv"]
    assert len(lines) == len(LABELS) * len(COSTS) and {line["cases"] for line in lines} == {40}
    trees = [json.loads(line) for line in made["greedy_dp_trees.jsonl"].splitlines()]
    assert [tree["cost"] for tree in trees] == list(COSTS)
    assert Tree.from_dict(trees[0]["tree"]).errors(Dataset.load(encoded / "toy.npz")) == 0


def test_what_is_no_decision_table_is_a_reason():
    clashing = dataset([[0, 0, 1], [1, 1, 0]], [0, 1, 0])
    made = explore(clashing, OWN, SEED)
    (line,) = made["greedy_dp.csv"]
    assert line["status"] == "unsuitable" and "equal rows" in line["note"]
    assert made["greedy_dp_trees.jsonl"] == ""
