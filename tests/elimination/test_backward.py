"""The four ways against one another, against a slow twin, and against what must not matter."""

import numpy as np
import pytest

from pinetum.elimination import backward
from pinetum.elimination.backward import WAYS, Workspace, select, select_in, tree_errors
from pinetum.induction import yadt
from pinetum.induction.grower import Grower


def same(one, other):
    return np.array_equal(one.removed, other.removed) and np.array_equal(one.errors, other.errors)


@pytest.mark.parametrize("block", range(10))
def test_all_ways_select_the_same(tools, block):
    for seed in range(block * 150, block * 150 + 150):
        rng = np.random.default_rng(seed)
        data = tools.random_table(rng)
        building, search = tools.split(rng, data)
        m = float(rng.choice([1, 2, 2, 3, 8]))
        workspace = Workspace(data, 1)
        options = yadt(m).but(
            min_branch=float(rng.choice([0, 0, 2, 3.5])), penalty=bool(seed % 3 == 0)
        )
        found = {
            way: select(data, building, search, way=way, options=options, workspace=workspace)
            for way in WAYS
        }
        for way, other in found.items():
            assert same(found["black box"], other), (seed, way, m)


@pytest.mark.parametrize("seed", range(60))
def test_selection_is_the_twins(tools, seed):
    rng = np.random.default_rng(10_000 + seed)
    data = tools.random_table(rng)
    building, search = tools.split(rng, data)
    options = yadt(2).but(min_branch=float(seed % 3), penalty=bool(seed % 2))
    removed, errors = tools.slow_elimination(data, building, search, options)
    found = select(data, building, search, options=options)
    assert (found.removed.tolist(), found.errors.tolist()) == (removed, errors)
    assert set(np.flatnonzero(~found.selected)) == set(removed)


@pytest.mark.parametrize("block", range(5))
def test_errors_are_those_of_the_grower_s_tree(tools, block):
    for seed in range(block * 30, block * 30 + 30):
        rng = np.random.default_rng(20_000 + seed)
        data = tools.random_table(rng)
        building, search = tools.split(rng, data)
        m = float(rng.choice([1, 2, 5]))
        workspace = Workspace(data, 1)
        table = workspace.table(data, building, search)
        options = yadt(m).but(min_branch=float(rng.choice([0, 2, 3.5])), penalty=bool(seed % 2))
        grower = Grower(data, options, cases=building)
        for _ in range(3):
            offered = rng.random(data.n_features) < 0.7
            expected = grower.grow(np.flatnonzero(offered)).errors(data, search)
            assert tree_errors(table, workspace, options=options, offered=offered) == expected, (
                seed,
                m,
                offered,
            )


@pytest.mark.parametrize("seed", range(5))
def test_full_store_changes_nothing_but_the_work(tools, seed):
    rng = np.random.default_rng(30_000 + seed)
    data = tools.random_table(rng, cases=400, features=14, missing=0.1 * (seed % 2))
    building, search = tools.split(rng, data)
    roomy, tight = Workspace(data, 200), Workspace(data, 0)
    found = {}
    for name, workspace in (("roomy", roomy), ("tight", tight)):
        table = workspace.table(data, building, search)
        for way in ("bounded", "incremental"):
            found[name, way] = select_in(table, workspace, way=way, options=yadt(1))
    assert (
        found["tight", "bounded"].counters["resets"]
        + found["tight", "incremental"].counters["resets"]
        > 0
    )
    assert all(same(found["roomy", "bounded"], other) for other in found.values())


@pytest.mark.parametrize("columns", [0, 3, 5, 9])
def test_entries_that_are_lost_are_made_again(tools, monkeypatch, columns):
    """Nodes keep no entries, or lose them soon: every way still finds what it finds with room for
    all of them.
    """
    for seed in range(60):
        rng = np.random.default_rng(40_000 + seed)
        data = tools.random_table(rng, cases=int(rng.integers(20, 200)))
        building, search = tools.split(rng, data)
        found = {}
        for room in (backward.COLUMNS_PER_CASE, columns):
            with monkeypatch.context() as patch:
                patch.setattr(backward, "COLUMNS_PER_CASE", room)
                workspace = Workspace(data, 10)
            for way in WAYS:
                found[room, way] = select(
                    data, building, search, way=way, options=yadt(2), workspace=workspace
                )
        assert all(same(found[columns, "black box"], other) for other in found.values()), seed


def test_order_of_cases_and_a_second_run_do_not_matter(tools):
    rng = np.random.default_rng(1)
    for _ in range(20):
        data = tools.random_table(rng)
        building, search = tools.split(rng, data)
        first = select(data, building, search)
        assert same(first, select(data, rng.permutation(building), rng.permutation(search)))
        assert same(first, select(data, building, search))


def test_ties_go_to_the_lowest_feature():
    """Two copies of a misleading feature: without either the error falls by as much.

    The first goes.
    """
    from pinetum.data.dataset import Dataset

    noise = np.array([0, 0, 0, 1, 1, 1, 0, 1], dtype=np.int32)
    signal = np.array([0, 0, 1, 0, 1, 1, 0, 1], dtype=np.int32)
    labels = np.array([0, 0, 0, 1, 1, 1, 1, 0], dtype=np.int32)
    data = Dataset(
        "t",
        np.stack([noise, signal]),
        labels,
        np.zeros(2, bool),
        (("a", "b"),) * 2,
        ("n", "s"),
        ("x", "y"),
    )
    found = select(data, np.arange(6), np.array([6, 7]), options=yadt(2))
    assert found.errors[0] == 2
    assert len(found.removed) == 0  # the other feature agrees with the first where it counts
    twice = data.take_features([0, 0])
    assert len(select(twice, np.arange(6), np.array([6, 7]), options=yadt(2)).removed) == 0


def test_bound_and_memory_save_work(tools):
    rng = np.random.default_rng(3)
    data = tools.random_table(rng, cases=300, features=8, classes=3, missing=0)
    building, search = tools.split(rng, data)
    found = {way: select(data, building, search, way=way) for way in WAYS}
    rankings = [
        found[way].counters["rankings"]
        for way in ("black box", "used only", "incremental", "bounded")
    ]
    assert rankings == sorted(rankings, reverse=True)
    assert found["black box"].counters["trees"] >= found["bounded"].counters["trees"]


def test_what_is_skipped_and_what_is_grown_are_all_that_was_tried(tools):
    skipped = 0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        data = tools.random_table(rng, cases=30, features=5, classes=3)
        building, search = tools.split(rng, data)
        counters = [
            select(data, building, search, way=way).counters for way in WAYS if way != "black box"
        ]
        assert len({found["trees"] + found["skipped"] for found in counters}) == 1
        skipped += counters[-1]["skipped"]
    assert skipped > 0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"way": "magic"}, "choose one of"),
        ({"search": []}, "no search cases"),
        ({"building": [99_999]}, "must lie in"),
        ({"search": [0, 1, 0]}, "one of the search cases is given twice"),
        ({"options": yadt(2, "gini")}, "criterion cannot be set"),
    ],
)
def test_wrong_arguments_are_named(tools, change, message):
    data = tools.random_table(np.random.default_rng(0), cases=30)
    arguments = {"building": np.arange(20), "search": np.arange(20, 30), **change}
    with pytest.raises(ValueError, match=message):
        select(data, arguments.pop("building"), arguments.pop("search"), **arguments)
