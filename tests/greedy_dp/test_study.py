"""Tables, records, optimal trees, published numbers."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from pinetum.data.dataset import Dataset
from pinetum.greedy_dp.costs import COSTS, GREEDY_COLUMNS, LABELS
from pinetum.greedy_dp.optimum import Limits
from pinetum.greedy_dp.study.layout import cost_table, rank_table
from pinetum.greedy_dp.study.random_tables import run
from pinetum.greedy_dp.study.records import examine, missing
from pinetum.greedy_dp.study.summary import PAPER_SHAPE, in_printed_order, reproduce, summarise
from pinetum.greedy_dp.tables import Unsuitable, decision_table, from_dataset, random_table
from pinetum.report.comparison import compare, read_published

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


def test_two_thousand_tables_meet_the_published_averages():
    records, _ = run(SEED, 0, 2000, **PAPER_SHAPE)
    summary = summarise(records, 4)
    published = read_published(PUBLISHED)
    ours = reproduce(summary, published, shape=PAPER_SHAPE, groups=4)
    rows = compare("greedy_dp", published, ours)
    cells = rows[rows["basis"] == "error"]
    assert len(cells) == 4 * len(LABELS) * len(COSTS) and len(ours) == len(published)
    distance = cells["z"].astype(float).abs()
    assert (distance <= 4).all()
    assert (distance <= 3).mean() >= 0.98


def rms_of(records, columns=tuple(COSTS)):
    """Root mean square of z over Tables 1 to 4, or over some of their columns."""
    published = read_published(PUBLISHED)
    rows = compare(
        "greedy_dp",
        published,
        reproduce(summarise(records, 4), published, shape=PAPER_SHAPE, groups=4),
    )
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


def test_every_published_number_is_compared(tmp_path):
    records, _ = run(SEED, 0, 40, **PAPER_SHAPE)
    published = read_published(PUBLISHED)
    rows = compare(
        "greedy_dp",
        published,
        reproduce(summarise(records, 4), published, shape=PAPER_SHAPE, groups=4),
    )
    assert len(rows) == len(published) and set(rows["verdict"]) <= {"within", "outside", "not_run"}
    other = reproduce(summarise(records, 4), published, shape=PAPER_SHAPE | {"rows": 40}, groups=4)
    assert set(other.loc[other["item"] != "Text", "status"]) == {"not_run"}


def test_picks_keep_the_printed_order():
    assert in_printed_order(["b", "a"], ["a", "b"]) == ["a", "b"]
    assert in_printed_order(["c", "a"], ["a", "b"]) == ["a", "c"]
    assert in_printed_order(["c", "d"], ["a", "b"]) == ["c", "d"]


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
    ranks = rank_table(gaps, pd.DataFrame(drawn)).set_index("heuristic")
    assert ranks.loc["sum ent", "L real"] == 1 and ranks.loc["sum ent", "h random"] == len(LABELS)
    assert ranks.loc["rank correlation", ["L real", "h real"]].tolist() == [1.0, -1.0]


def test_a_line_per_table_and_cost():
    drawn = random_table(1, 5, rows=60, attributes=9, values=3, decisions=3)
    data = dataset(drawn[:, :-1].T, drawn[:, -1])
    found = examine(
        "toy", data, Limits(memory_mb=0.03, work_millions=0.001), inconsistent="most_common"
    )
    refused = missing("absent", "no_data", "none")
    lines = cost_table(pd.DataFrame([refused.table, found.table]), pd.DataFrame(found.gaps))
    assert list(lines["cost"]) == list(COSTS) and set(lines["dataset"]) == {"toy"}
    assert ((lines["proved"] == "yes") == (lines["gap (%)"] == 0)).all() and (
        lines["proved"] == "no"
    ).any()
    assert (lines["bound"] <= lines["value"]).all() and (lines["value"] <= lines["greedy"]).all()
