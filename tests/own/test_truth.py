"""Made tables whose truth is known: the columns that the page calls known are the true ones, or it
says that it does not know.
"""

import warnings

import numpy as np
import pandas as pd
import pytest

from pinetum.data import DataWarning, Table
from pinetum.own.columns import columns_needed, sign_test
from pinetum.own.compare import compare

SETTINGS = {"folds": 5, "cells": 10**6, "search_cells": 10**5, "work": 5, "memory_mb": 1000}
FAST = ("majority", "tree", "small_tree")


def noise(cases, columns, seed=0):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(cases, columns)).round(2)
    return pd.DataFrame(values, columns=[f"n{number}" for number in range(columns)]), rng


def xor():
    frame, rng = noise(200, 6)
    frame["a"], frame["b"] = rng.integers(0, 2, (2, 200))
    return frame.assign(y=np.where(frame["a"] ^ frame["b"], "odd", "even")), {"a", "b"}


def two_of_many():
    frame, _ = noise(120, 150)
    truth = (frame["n17"] > 0.2) & (frame["n93"] < 0.5)
    return frame.assign(y=np.where(truth, "case", "control")), {"n17", "n93"}


def rare():
    frame, rng = noise(600, 5)
    frame["k"] = rng.integers(0, 10, 600)
    truth = (frame["k"] == 3) & (frame["n0"] > 0.5)
    return frame.assign(y=np.where(truth, "rare", "usual")), {"k", "n0"}


def nothing():
    frame, rng = noise(150, 12)
    return frame.assign(y=rng.choice(["a", "b"], 150)), set()


def recommended(frame):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        table = Table.from_frame(frame, "y")
    _, dealt, found, best = compare(
        table, settings=SETTINGS, seed=1, methods=FAST, tell=lambda line: None
    )
    if best.name == "majority":
        return best.name, []
    return best.name, columns_needed(table, best.name, found[best.name], dealt, SETTINGS, 1)


@pytest.mark.parametrize("made", [xor, two_of_many, rare, nothing])
def test_known_columns_are_the_true_ones(made):
    frame, truth = made()
    name, rows = recommended(frame)
    known = {row["column"] for row in rows if row["verdict"] != "open"}
    assert known == truth and (name == "majority") == (not truth), rows


def test_a_column_that_can_stand_in_is_named_with_its_error():
    frame, _ = rare()
    frame["copy"] = frame["k"] * 2 + np.random.default_rng(5).integers(0, 2, len(frame))
    _, rows = recommended(frame)
    row = next(row for row in rows if row["column"] in ("k", "copy"))
    assert row["verdict"] == "replaceable" and {row["column"], row["stand_in"]} == {"k", "copy"}
    assert row["stand_in_error"] <= row["others"]


def test_the_sign_test_is_that_of_the_definition():
    before, after = np.zeros(20, dtype=bool), np.arange(20) < 5
    assert sign_test(before, after) == pytest.approx(0.5**5)
    assert sign_test(after, before) == 1.0 and sign_test(after, after) == 1.0
    one = np.arange(20) == 19
    assert sign_test(one, after) == pytest.approx(7 / 64)
