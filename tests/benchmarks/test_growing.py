"""Records and figures: statuses, repeatability, columns."""

import json

import numpy as np
import pytest

from pinetum.data.dataset import Dataset
from pinetum.workflow.jobs import read_records, write_records
from pinetum_benchmarks.growing import figures
from pinetum_benchmarks.growing import speed as bench
from pinetum_benchmarks.growing.tables import speed_table, trees_table
from pinetum_benchmarks.growing.trees import COLUMNS, METHODS, tree_records


@pytest.fixture
def folder(twin, tmp_path):
    for seed, name in enumerate(("first", "second", "tiny")):
        rng = np.random.default_rng([seed, 31])
        data = twin.random_table(rng, cases=6 if name == "tiny" else 80, missing=0.1, n_classes=2)
        data.save(tmp_path / f"{name}.npz")
    Dataset.save_reason(tmp_path / "gone.npz", "gone", "no source")
    return tmp_path


def records(folder):
    rows, trees = tree_records(
        ["first", "second", "tiny", "gone"],
        list(METHODS),
        4,
        1,
        drawn=["first"],
        folder=folder,
    )
    write_records(rows, folder / "trees.csv", columns=COLUMNS)
    return read_records(folder / "trees.csv"), trees


def test_every_set_and_method_has_a_row_and_runs_repeat(folder):
    frame, trees = records(folder)
    again, _ = records(folder)
    assert len(frame) == 4 * len(METHODS)
    assert frame.drop(columns="seconds_tree").equals(again.drop(columns="seconds_tree"))
    gone = frame[frame["dataset"] == "gone"]
    assert set(gone["status"]) == {"no_data"} and set(gone["note"]) == {"no source"}
    assert frame[frame["dataset"] == "tiny"]["note"].str.contains("too few").all()
    assert list(trees) == ["first"]
    assert frame[frame["dataset"] == "first"]["error"].between(0, 100).all()


def test_figures_and_tables_from_records(folder):
    frame, trees = records(folder)
    figures.size_and_error(frame, folder / "size.png")
    kept = {
        name: {method: tree.to_json() for method, tree in made.items()}
        for name, made in trees.items()
    }
    (folder / "drawn.json").write_text(json.dumps(kept))
    figures.drawings(folder / "drawn.json", "c45 pruned", folder / "drawings.png")
    first = (folder / "drawings.png").read_bytes()
    figures.drawings(folder / "drawn.json", "c45 pruned", folder / "drawings.png")
    assert (folder / "drawings.png").read_bytes() == first
    (folder / "none.json").write_text("{}")
    figures.drawings(folder / "none.json", "c45 pruned", folder / "none.png")
    table = trees_table(frame)
    assert table["data set"].tolist() == ["first", "second", "tiny", "gone"]
    assert table["note"].tolist()[-1] == "no_data"


def test_speed_without_data_is_a_row(folder):
    read = [dataset for _, dataset, reading in bench.WORKLOADS if reading != "generated"]
    for dataset in read:
        Dataset.save_reason(folder / f"{dataset}.npz", dataset, "no source")
    rows = bench.speed_records(1, read, 1, folder)
    assert {row["status"] for row in rows} == {"no_data"}
    write_records(rows, folder / "speed.csv", columns=bench.SPEED_COLUMNS)
    frame = read_records(folder / "speed.csv")
    assert len(speed_table(frame)) == 0
    figures.speed(frame, folder / "speed.png")


def test_speed_and_scaling_are_records_and_figures(twin, folder, monkeypatch):
    monkeypatch.setitem(bench.GENERATED, "hundred", (300, 5, 100))
    monkeypatch.setattr(
        bench, "in_fresh_process", lambda function, *arguments: function(*arguments)
    )
    monkeypatch.setattr(bench, "WIDE_CASES", 100)
    data = twin.random_table(np.random.default_rng(5), cases=80, missing=0.1, n_classes=2)
    data.save(folder / "letter.npz")
    rows = bench.speed_records(1, ["hundred", "letter"], 1, folder)
    assert [row["status"] for row in rows] == ["ok"] * 3 and rows[2]["classes"] == 100
    assert all(row["rate_fit_to_sklearn"] > 0 for row in rows)
    write_records(rows, folder / "speed.csv", columns=bench.SPEED_COLUMNS)
    figures.speed(read_records(folder / "speed.csv"), folder / "speed.png")
    assert len(speed_table(read_records(folder / "speed.csv"))) == 3
    write_records(bench.scaling_records([200, 400], 4, [4, 8], 1, 1), folder / "scaling.csv")
    frame = read_records(folder / "scaling.csv")
    assert frame[["by", "cases", "features"]].to_numpy().tolist() == [
        ["cases", 200, 4],
        ["cases", 400, 4],
        ["features", 100, 4],
        ["features", 100, 8],
    ]
    figures.scaling(frame, folder / "scaling.png")


def test_scaling_data_have_no_ties():
    data = bench.generated(500, 4, 1)
    assert all(len(np.unique(codes)) == 500 for codes in data.codes)
    assert 0.3 < data.labels.mean() < 0.7
