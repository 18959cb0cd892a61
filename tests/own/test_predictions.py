"""`pinetum predict` on held-out rows: every kind of model gives what its estimator gives, also for
unseen values.
"""

import warnings

import numpy as np
import pandas as pd
import pytest

import pinetum
from pinetum.cli import KINDS, main
from pinetum.data import DataWarning, Table
from pinetum.own.methods import METHODS

SETTINGS = {"work": 2, "memory_mb": 800}
SMALL = {"minimal": {"work": 10**6}, "best-subset": {"work": 10**6}, "nbdt": {"max_depth": 2}}


def cases(n, seed):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "size": rng.normal(10, 3, n).round(1),
            "count": rng.integers(0, 9, n),
            "colour": rng.choice(["red", "green", "blue"], n),
            "old": rng.choice(["yes", "no"], n),
        }
    )
    frame["kind"] = np.where((frame["size"] > 10) ^ (frame["colour"] == "red"), "good", "bad")
    frame.loc[rng.random(n) < 0.1, "kind"] = "so so"
    frame.loc[rng.random(n) < 0.1, "size"] = np.nan
    frame.loc[rng.random(n) < 0.1, "colour"] = None
    return frame


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("predictions")
    cases(160, 0).to_csv(folder / "training.csv", index=False)
    held = (
        cases(60, 1)
        .drop(columns="kind")
        .sample(frac=1, axis=1, random_state=0)
        .astype({"count": object})
    )
    held["never asked"] = 1
    held.loc[:9, "colour"] = "pink"  # a value that training never had
    held.loc[5:14, "old"] = "perhaps"
    held.loc[[20, 21], "count"] = ["NaN", ""]
    held.loc[22] = None
    held.to_csv(folder / "held.csv", index=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        return folder, Table.from_file(folder / "training.csv", "kind")


def check(folder, model, capsys):
    """The command, the model read back, and the estimator itself, on the file and on a frame of
    it.
    """
    pinetum.save(model, folder / "model.json")
    assert (
        main(
            [
                "predict",
                str(folder / "model.json"),
                str(folder / "held.csv"),
                "-o",
                str(folder / "out.csv"),
            ]
        )
        == 0
    )
    capsys.readouterr()
    said = pd.read_csv(folder / "out.csv")["predicted"].tolist()
    frame = pd.read_csv(folder / "held.csv")
    assert (
        said
        == model.predict(frame).tolist()
        == pinetum.load(folder / "model.json").predict(frame).tolist()
    )
    assert len(said) == 60 and set(said) <= {"good", "bad", "so so"}
    return said


@pytest.mark.parametrize("name", METHODS)
def test_every_method_of_the_comparison(files, name, capsys):
    folder, table = files
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = METHODS[name].fit(table, SETTINGS)
    assert len(set(check(folder, model, capsys))) > (name != "majority")


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_that_fit_makes_from_a_table_and_from_a_frame(files, kind, capsys):
    folder, table = files
    frame = pd.read_csv(folder / "training.csv")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        make = lambda: getattr(pinetum, KINDS[kind][0])(**SMALL.get(kind, {}))  # noqa: E731
        of_table = make().fit(table)
        of_frame = make().fit(frame.drop(columns="kind"), frame["kind"])
    said = check(folder, of_table, capsys)
    columns = frame.columns.drop("kind")
    held = pd.read_csv(folder / "held.csv")[columns]
    assert of_frame.predict(held).tolist() == said, (
        "a frame and a table of the same cases give the same model"
    )


def test_near_optimal_trees(files, capsys):
    folder, table = files
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = pinetum.NearOptimalTrees(work=10**6).fit(table)
    check(folder, model, capsys)
