"""Ranks, tests and marks."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from arboretum.pruning import ranks
from arboretum.validation import average_ranks, friedman, iman_davenport


@pytest.mark.parametrize("seed", range(5))
def test_fast_friedman_is_friedman(seed):
    scores = np.random.default_rng(seed).integers(0, 4, (30, 5))
    chi2, f = ranks.friedman_of(average_ranks(scores))
    assert chi2 == pytest.approx(friedman(scores))
    assert chi2.statistic == pytest.approx(stats.friedmanchisquare(*scores.T).statistic)
    assert f == pytest.approx(iman_davenport(scores))


def test_all_tied_is_no_difference():
    assert ranks.friedman_of(average_ranks(np.ones((9, 4))))[1].p == 1.0


def test_marks_point_at_the_better_one():
    rng = np.random.default_rng(0)
    last = rng.normal(size=500)
    rows, tests = ranks.compared(np.column_stack([last + 1, last - 1, last + rng.normal(0, 0.01, 500), last]), "abcd")
    assert [row.get("mark") for row in rows] == ["-", "+", "", None]
    assert tests["friedman_p"] < 1e-6


def test_no_marks_without_friedmans_leave():
    rng = np.random.default_rng(0)
    rows, tests = ranks.compared(rng.normal(size=(12, 5)), "abcde")
    assert tests["iman_davenport_p"] > 0.05 and {row.get("mark", "") for row in rows} == {""}


def test_critical_differences_are_those_of_demsar():
    # q of 2.728 and 2.343 for 5 and 3 algorithms at 5 %
    assert ranks.critical_difference(5, 14) == pytest.approx(2.728 * np.sqrt(30 / 84), abs=2e-3)
    assert ranks.critical_difference(3, 10) == pytest.approx(2.343 * np.sqrt(12 / 60), abs=2e-3)


def test_quantiles_of_the_range_are_scipys():
    for algorithms in (2, 3, 5, 8, 14):
        for level in (0.9, 0.95, 0.99):
            expected = stats.studentized_range.ppf(level, algorithms, np.inf) / np.sqrt(2)
            assert ranks.range_quantile(level, algorithms) == pytest.approx(expected, rel=1e-9)


def test_errors_that_print_alike_share_a_rank():
    folds = pd.DataFrame(
        [
            dict(dataset=data, repeat=0, fold=0, pruner=pruner, status="ok", tested=1000, errors=e, nodes=3)
            for data in ("x", "y")
            for pruner, e in zip(("NOP", "NEBP", "WEBP", "TWEBP", "SYNTH+"), (148, 148, 149, 200, 100), strict=True)
        ]
    )
    real, _ = ranks.real_ranks(folds, ["NOP", "NEBP", "WEBP", "TWEBP", "SYNTH+"])
    mine = real[(real["group"] == "SYNTH+") & (real["dataset"] == "x")].set_index("pruner")
    assert mine["rank"].to_dict() == {"NOP": 2.5, "NEBP": 2.5, "WEBP": 4, "TWEBP": 5, "SYNTH+": 1}
