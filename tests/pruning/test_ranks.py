"""Ranks, tests and marks."""

import numpy as np
import pandas as pd

from pinetum.pruning.replication import ranks


def test_marks_point_at_the_better_one():
    rng = np.random.default_rng(0)
    last = rng.normal(size=500)
    rows, tests = ranks.compared(
        np.column_stack([last + 1, last - 1, last + rng.normal(0, 0.01, 500), last]), "abcd"
    )
    assert [row.get("mark") for row in rows] == ["-", "+", "", None]
    assert tests["friedman_p"] < 1e-6


def test_no_marks_without_friedmans_leave():
    rng = np.random.default_rng(0)
    rows, tests = ranks.compared(rng.normal(size=(12, 5)), "abcde")
    assert tests["iman_davenport_p"] > 0.05 and {row.get("mark", "") for row in rows} == {""}


def test_errors_that_print_alike_share_a_rank():
    folds = pd.DataFrame(
        [
            dict(
                dataset=data,
                repeat=0,
                fold=0,
                pruner=pruner,
                status="ok",
                tested=1000,
                errors=e,
                nodes=3,
            )
            for data in ("x", "y")
            for pruner, e in zip(
                ("NOP", "NEBP", "WEBP", "TWEBP", "SYNTH+"), (148, 148, 149, 200, 100), strict=True
            )
        ]
    )
    real, _ = ranks.real_ranks(folds, ["NOP", "NEBP", "WEBP", "TWEBP", "SYNTH+"])
    mine = real[(real["group"] == "SYNTH+") & (real["dataset"] == "x")].set_index("pruner")
    assert mine["rank"].to_dict() == {"NOP": 2.5, "NEBP": 2.5, "WEBP": 4, "TWEBP": 5, "SYNTH+": 1}
