"""The study itself: independent of shards and order, disjoint streams, the published numbers on a small sample."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

from pinetum.data.exact import file_content
from pinetum.pruning.forest import Trees, grow_forest
from pinetum.pruning.methods import prune_trees
from pinetum.pruning.networks import networks
from pinetum.pruning.pruners import BEYOND, PAPER
from pinetum.pruning.readings import FIELDS, Reading
from pinetum.pruning.study import readings as readings_study
from pinetum.pruning.study import records as study
from pinetum.pruning.study import summary
from pinetum.pruning.study.ranks import network_ranks, real_ranks
from pinetum.pruning.table import Table
from pinetum.report.comparison import read_published
from pinetum.report.rows import KEY

ROOT = Path(__file__).parents[2]
PUBLISHED = read_published(ROOT / "config/published/pruning.csv")
NAMES = [*PAPER, *BEYOND]


@pytest.fixture(scope="module")
def sample():
    return study.network_records(20170806, range(40), Reading(), BEYOND)[0]


def table_of_file(path, separator=","):
    """A file as a table; the monks' have the class first and an identifier last."""
    lines = file_content(path).decode().split("\n")
    rows = [[cell for cell in line.split(separator) if cell] for line in lines if line.strip()]
    if "monks" in path:
        rows = [[*row[1:-1], row[0]] for row in rows]
    columns = list(zip(*rows, strict=True))
    codes = [np.unique(column, return_inverse=True) for column in columns]
    names = tuple(str(i) for i in range(len(codes) - 1))
    return Table(
        name=Path(path).name,
        codes=np.array([code for _, code in codes[:-1]], np.int16),
        labels=codes[-1][1].astype(np.int32),
        arity=np.array([len(values) for values, _ in codes[:-1]], np.int32),
        features=np.arange(len(codes) - 1, dtype=np.int32),
        classes=len(codes[-1][0]),
        feature_names=names,
        values=tuple(tuple(values) for values, _ in codes[:-1]),
        class_names=tuple(codes[-1][0]),
    )


def join(first, second):
    return Table(**{**vars(first), "codes": np.hstack([first.codes, second.codes]),
                    "labels": np.concatenate([first.labels, second.labels])})  # fmt: skip


def car():
    return table_of_file("car/car.data")


def monks_3():
    parts = [table_of_file(f"monks-problems/monks-3.{part}", " ") for part in ("train", "test")]
    return join(*parts)


@pytest.mark.parametrize(
    ("make", "sizes"), [(car, (408, 338, 182, 408, 338)), (monks_3, (65, 17, 17, 17, 17))], ids=["car", "monks-3"]
)
def test_trees_of_whole_files_have_the_known_sizes(make, sizes):
    table = make()
    forest = grow_forest(table, np.zeros((1, len(table.labels)), np.int8))
    names = ("NOP", "NEBP", "WEBP", "SYNTH", "SYNTH+")
    assert tuple(int(prune_trees(name, Trees(forest)).nodes[0]) for name in names) == sizes


def test_table_1_within_its_error_on_a_small_sample(sample):
    ranks, _ = network_ranks(sample, NAMES, lambda name: f"hits_{study.slug(name)}")
    ranks = ranks[ranks["group"] == "SYNTH+"]
    published = pd.read_csv(ROOT / "config/published/pruning.csv", dtype=str)
    published = published[(published["item"] == "Table 1") & (published["column"] != "data sets")]
    printed = {(row["row"], row["column"]): float(row["published"]) for row in published.to_dict("records")}
    for row in ranks.to_dict("records"):
        want = printed[str(row["removed"]), row["pruner"].replace("+", "")]
        assert abs(row["rank"] - want) < 0.06 + 4 * row["se"], row


def test_records_do_not_depend_on_shards(sample):
    parts = [study.network_records(20170806, range(k, 40, 3), Reading(), BEYOND)[0] for k in range(3)]
    keys = ["repetition", "inputs", "portion", "removed"]
    joined = pd.concat(parts).sort_values(keys, kind="stable", ignore_index=True)
    pd.testing.assert_frame_equal(joined, sample.sort_values(keys, kind="stable", ignore_index=True))


def test_streams_of_different_purposes_share_no_data_set():
    seeds = [set(networks(1, purpose, range(50)).seeds.tolist()) for purpose in ("training", "validation", "test")]
    assert all(len(some) == 3000 for some in seeds)
    assert not (seeds[0] & seeds[1] or seeds[0] & seeds[2] or seeds[1] & seeds[2])
    again = networks(1, "test", [7]).seeds
    assert (again == networks(1, "test", range(50)).seeds[7 * 60 : 8 * 60]).all()


@pytest.fixture(scope="module")
def folds():
    return pd.concat([study.table_records(make(), 1, 2, Reading(), NAMES) for make in (car, monks_3)])


def test_cross_validation_judges_every_case_once(folds):
    tested = folds[folds["dataset"] == "car.data"].groupby(["repeat", "pruner"])["tested"].sum()
    assert (tested == 1728).all()
    whole = folds[folds["pruner"] == "NOP"].set_index(["dataset", "repeat", "fold"])["nodes"]
    for name in set(NAMES) - {"NOP", "REP"}:
        mine = folds[folds["pruner"] == name].set_index(["dataset", "repeat", "fold"])["nodes"]
        assert (mine <= whole).all(), name


def test_sizes_of_car_are_those_of_table_3(folds):
    mean = folds[folds["dataset"] == "car.data"].groupby("pruner")["nodes"].mean()
    for name, nodes, tolerance in (
        ("NOP", 387.6, 0.03),
        ("NEBP", 342.8, 0.03),
        ("WEBP", 180.4, 0.05),
        ("TWEBP", 221.2, 0.1),
        ("SYNTH+", 329.8, 0.03),
    ):
        assert mean[name] == pytest.approx(nodes, rel=tolerance), name


def test_every_published_number_has_a_row(sample, folds):
    named = folds.assign(dataset=folds["dataset"].map({"car.data": "car"}).fillna("monks-3"))
    ranks, _ = network_ranks(sample, NAMES, lambda name: f"hits_{study.slug(name)}")
    _, tests = real_ranks(named, NAMES)
    gone = pd.DataFrame([{"dataset": "splice-dna", "status": "no_data"}])
    rows = summary.reproduced(ranks, tests, sample, pd.concat([named, gone]), PUBLISHED)
    assert (rows[KEY].values == PUBLISHED[KEY].values).all()
    assert not (rows["note"][rows["status"] != "ok"] == "").any()
    missing = rows[(rows["item"] == "Table 2") & (rows["row"] == "dna")]
    assert set(missing["status"]) == {"no_data"}
    assert set(rows.loc[rows["row"].isin(["nursery", "average"]), "status"]) == {"no_data", "not_run"}


def test_the_configured_reading_is_the_default():
    section = yaml.safe_load((ROOT / "config/config.yaml").read_text(encoding="utf-8"))["pruning"]
    assert Reading(**section["reading"]) == Reading()
    assert all(set(changes) <= set(FIELDS) for changes in section["alternatives"].values())


def test_an_alternative_moves_only_the_cells_it_touches():
    rows = pd.DataFrame(readings_study.compare_networks(
        1, 2, Reading(), {"slack": {"slack": 0.0}, "none": {"charge": 0.41}, "trees": {"gain_ties": "first"}}, {},
        {(str(k), name): 0.0 for k in [*range(5), "Total"] for name in NAMES},
    ))  # fmt: skip
    assert (rows[rows["reading"] == "none"]["shift"] == 0).all()
    assert (rows[rows["reading"] == "trees"]["shift"] != 0).any()
    tables = pd.DataFrame(
        readings_study.compare_tables([monks_3()], 1, Reading(), {"empty": {"empty_leaves": "not_counted"}}, {},
                                      {("monks-3.train", name): (0.0, 0.0) for name in NAMES})
    )  # fmt: skip
    moved = tables[(tables["reading"] == "empty") & (tables["shift"] != 0)]
    assert set(moved["table"]) == {"Table 3"}


def test_a_study_without_data_still_has_its_rows(sample):
    columns = ["dataset", "repeat", "fold", "pruner", "status", "tested", "errors", "nodes"]
    records = pd.DataFrame([{"dataset": "car", "status": "no_data"}], columns=columns)
    real, tests = real_ranks(records, NAMES)
    ranks, _ = network_ranks(sample, NAMES, lambda name: f"hits_{study.slug(name)}")
    rows = summary.reproduced(ranks, tests, sample, records, PUBLISHED)
    assert set(rows[(rows["item"] == "Table 3") & (rows["row"] == "car")]["status"]) == {"no_data"}
    assert len(summary.real_table(real, NAMES, "error")) == 0
    assert len(summary.methods_table(ranks, real, NAMES)) == len(NAMES)


def test_own_tables_that_do_not_fit_say_so(tmp_path):
    from pinetum.data.dataset import Dataset

    path = tmp_path / "mine.npz"
    rng = np.random.default_rng(0)
    names = dict(name="mine", feature_names=("a", "b"), class_names=("x", "y"))
    labels = rng.integers(0, 2, 60).astype(np.int32)
    codes = np.stack([labels, rng.integers(0, 2, 60)]).astype(np.int32)
    discrete = Dataset(codes=codes, labels=labels, continuous=np.array([False, False]),
                       values=(("u", "v"), ("u", "v")), **names)  # fmt: skip
    discrete.save(path)
    rows = study.own_records(path, 1, 2, Reading(), NAMES)
    assert set(rows["status"]) == {"ok"} and (rows["error"] == 0).all()
    Dataset(codes=codes, labels=labels, continuous=np.array([False, True]),
            values=(("u", "v"), np.array([0.0, 1.0])), **names).save(path)  # fmt: skip
    rows = study.own_records(path, 1, 2, Reading(), NAMES)
    assert set(rows["status"]) == {"unsuitable"} and "discrete attributes only" in rows["note"].iloc[0]
