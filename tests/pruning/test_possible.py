"""No pruner gains more than the best possible pruning."""

from dataclasses import fields

import numpy as np
import pandas as pd
import pytest

from pinetum.pruning.networks import Networks, networks
from pinetum.pruning.pruners import BEYOND, PAPER
from pinetum.pruning.readings import Reading
from pinetum.pruning.replication.figures import share_of_possible as draw
from pinetum.pruning.replication.measure import network_trees_of
from pinetum.pruning.replication.possible import gains_of
from pinetum.pruning.replication.results import ratio, share_of_possible

NAMES = [*PAPER, *BEYOND]


@pytest.fixture(scope="module")
def records():
    records = []
    for repeat in range(2):
        every = networks(7, "test", [repeat])
        some = Networks(*(getattr(every, field.name)[::20] for field in fields(Networks)))
        trees = network_trees_of(some, Reading(), NAMES)
        for kind in ("generated", "real"):
            key = {"kind": kind, "data": f"{kind} {repeat}", "repeat": repeat, "status": "ok"}
            records += [key | line for line in gains_of(trees, Reading(), [])]
    return pd.DataFrame([*records, {"kind": "real", "data": "gone", "status": "no_data"}])


def test_no_pruner_is_better_than_the_oracle(records):
    lines = records[records["status"] == "ok"].set_index("pruner")
    same = lines.drop(["EBP", "REP"])
    assert (same["test_gain"] <= same["test_possible"]).all() and (lines["test_possible"] > 0).all()
    assert (lines.loc["NOP", "test_gain"] == 0).all()
    assert (same["training_saved"] <= same["training_possible"]).all()
    whole = lines.loc["NOP"]
    assert (whole["training_saved"] == whole["training_possible"]).all()
    assert lines.loc[["EBP", "REP"], "training_saved"].isna().all()


def test_shares_of_what_is_possible(records):
    table = share_of_possible(records).set_index("pruner")
    assert list(table.index) == NAMES[1:]
    mine = records[(records["pruner"] == "WEBP") & (records["kind"] == "generated")]
    wanted = 100 * mine["test_gain"].sum() / mine["test_possible"].sum()
    assert table.loc["WEBP", "generated, test cases %"] == pytest.approx(wanted, abs=0.051)
    rates = mine[["test_gain", "test_possible"]].div(mine["tested"], axis=0)  # a data set each
    wanted = 100 * rates["test_gain"].sum() / rates["test_possible"].sum()
    assert table.loc["WEBP", "real, test cases %"] == pytest.approx(wanted, abs=0.051)
    assert len(draw(records).axes) == 2


def test_the_error_of_a_ratio_is_that_of_repeating_it():
    rng = np.random.default_rng(0)
    most = pd.Series(rng.integers(50, 150, 400))
    gained = 0.6 * most + rng.normal(0, 5, 400)
    share, error = ratio(gained, most)
    drawn = [
        ratio(gained[rows], most[rows])[0]
        for rows in (rng.integers(0, 400, 400) for _ in range(400))
    ]
    assert share == pytest.approx(60, abs=1) and error == pytest.approx(np.std(drawn), rel=0.2)
    assert np.isnan(ratio(most[:0], most[:0])[0])
