"""Statistics against scipy, against textbook examples, and where nothing varies."""

import numpy as np
import pytest
from scipy import stats

from pinetum.validation import (
    average_ranks,
    corrected_resampled_t_test,
    critical_difference,
    friedman,
    holm,
    iman_davenport,
    mean_se,
    paired_t_test,
)

# Demsar (2006), Table 6: AUC of C4.5 with four settings on 14 data sets; his ranks are 3.143,
# 2.000, 2.893, 1.964, chi-square 9.28 and F 3.69.
DEMSAR = np.array(
    [
        [0.763, 0.768, 0.771, 0.798],
        [0.599, 0.591, 0.590, 0.569],
        [0.954, 0.971, 0.968, 0.967],
        [0.628, 0.661, 0.654, 0.657],
        [0.882, 0.888, 0.886, 0.898],
        [0.936, 0.931, 0.916, 0.931],
        [0.661, 0.668, 0.609, 0.685],
        [0.583, 0.583, 0.563, 0.625],
        [0.775, 0.838, 0.866, 0.875],
        [1.000, 1.000, 1.000, 1.000],
        [0.940, 0.962, 0.965, 0.962],
        [0.619, 0.666, 0.614, 0.669],
        [0.972, 0.981, 0.9751, 0.975],
        [0.957, 0.978, 0.946, 0.970],
    ]
)


def test_friedman_against_scipy_and_the_published_example():
    ranks = average_ranks(-DEMSAR).mean(axis=0)
    np.testing.assert_allclose(ranks, [3.143, 2.000, 2.893, 1.964], atol=5e-4)
    ours = friedman(average_ranks(-DEMSAR))
    theirs = stats.friedmanchisquare(*DEMSAR.T)
    assert ours.statistic == pytest.approx(theirs.statistic) and ours.p == pytest.approx(
        theirs.pvalue
    )
    n, k = DEMSAR.shape
    uncorrected = 12 * n / (k * (k + 1)) * (((ranks - 2.5) ** 2).sum())
    assert uncorrected == pytest.approx(9.28, abs=0.01)
    assert (n - 1) * uncorrected / (n * (k - 1) - uncorrected) == pytest.approx(3.69, abs=0.01)


@pytest.mark.parametrize("seed", range(20))
def test_friedman_with_many_ties(seed):
    scores = np.random.default_rng(seed).integers(0, 3, (9, 4))
    ranks = average_ranks(scores)
    ours, theirs = friedman(ranks), stats.friedmanchisquare(*scores.T)
    assert ours.statistic == pytest.approx(theirs.statistic) and ours.p == pytest.approx(
        theirs.pvalue
    )
    f = iman_davenport(ranks)
    assert f.statistic == pytest.approx(8 * ours.statistic / (27 - ours.statistic))
    assert f.p == pytest.approx(stats.f.sf(f.statistic, 3, 24))


def test_critical_differences_are_demsars_and_scipys():
    # q of 2.728 and 2.343 for 5 and 3 algorithms at 5 %
    assert critical_difference(5, 14) == pytest.approx(2.728 * np.sqrt(30 / 84), abs=2e-3)
    assert critical_difference(3, 10) == pytest.approx(2.343 * np.sqrt(12 / 60), abs=2e-3)
    for methods in (2, 3, 5, 8, 14):
        for level in (0.1, 0.05, 0.01):
            q = stats.studentized_range.ppf(1 - level, methods, np.inf) / np.sqrt(2)
            expected = q * np.sqrt(methods * (methods + 1) / (6 * 20))
            assert critical_difference(methods, 20, level) == pytest.approx(expected, rel=1e-9)


def test_where_nothing_or_everything_differs():
    tied, alone = average_ranks(np.ones((5, 3))), average_ranks([[1, 2]])
    assert (
        friedman(tied)
        == friedman(alone)
        == iman_davenport(tied)
        == iman_davenport(alone)
        == (0.0, 1.0)
    )
    assert iman_davenport(average_ranks(np.tile([1, 2, 3], (5, 1)))) == (np.inf, 0.0)
    assert paired_t_test([1, 2, 3], [1, 2, 3]) == (0.0, 1.0)
    assert paired_t_test([2, 3, 4], [1, 2, 3]) == (np.inf, 0.0)
    assert corrected_resampled_t_test([0, 1, 2], [1, 2, 3], 0.1) == (-np.inf, 0.0)
    with pytest.raises(ValueError, match="two pairs or more, got 1"):
        paired_t_test([1], [2])


@pytest.mark.parametrize("seed", range(20))
def test_t_tests(seed):
    a, b = np.random.default_rng(seed).normal(size=(2, 12))
    ours, theirs = paired_t_test(a, b), stats.ttest_rel(a, b)
    assert ours.statistic == pytest.approx(theirs.statistic) and ours.p == pytest.approx(
        theirs.pvalue
    )
    corrected = corrected_resampled_t_test(a, b, 0.1)
    assert corrected.statistic == pytest.approx(
        theirs.statistic * np.sqrt((1 / 12) / (1 / 12 + 1 / 9))
    )
    assert corrected.p > ours.p


def test_mean_and_standard_error():
    assert mean_se([1, 2, 3, 4]) == (2.5, pytest.approx(stats.sem([1, 2, 3, 4])))
    assert mean_se([5])[0] == 5 and np.isnan(mean_se([5])[1]) and np.isnan(mean_se([])[0])


def slow_holm(p_values):
    order = sorted(range(len(p_values)), key=lambda place: p_values[place])
    adjusted, worst = [None] * len(p_values), 0.0
    for step, place in enumerate(order):
        worst = max(worst, min(1.0, p_values[place] * (len(p_values) - step)))
        adjusted[place] = worst
    return adjusted


def test_holm():
    np.testing.assert_allclose(holm([0.01, 0.04, 0.03]), [0.03, 0.06, 0.06])
    for seed in range(50):
        p_values = np.random.default_rng(seed).random(1 + seed % 7) ** 2
        np.testing.assert_allclose(holm(p_values), slow_holm(p_values.tolist()))
    assert len(holm([])) == 0
