"""A table of one's own under every preset: a row each, a sample where it is too large."""

import numpy as np

from pinetum.data.dataset import Dataset
from pinetum.own.trees import METHODS, own_records

OWN = {"folds": 4, "cells": 10**6, "memory_mb": 1000}


def test_own_table(twin, tmp_path):
    data = twin.random_table(np.random.default_rng([0, 31]), cases=80, missing=0.1, n_classes=2)
    data.save(tmp_path / "first.npz")
    Dataset.save_reason(tmp_path / "gone.npz", "gone", "no source")
    rows, trees = own_records(tmp_path / "first.npz", OWN, 1)
    assert [row["method"] for row in rows] == list(METHODS) == list(trees)
    assert {row["note"] for row in rows} == {""}
    rows, trees = own_records(tmp_path / "first.npz", OWN | {"cells": 1}, 1)
    assert {row["note"] for row in rows} == {"a sample of 50 of 80 cases"}
    assert sum(trees["c45"].counts[0]) == 50
    rows, trees = own_records(tmp_path / "gone.npz", OWN, 1)
    assert {row["status"] for row in rows} == {"no_data"} and not trees
