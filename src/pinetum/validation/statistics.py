"""Statistics that compare methods over folds or over data sets.

Tails come from scipy.special: all of scipy.stats takes three times as long to import, and even this
much is left to what calls it.
"""

from functools import cache
from typing import NamedTuple

import numpy as np


class Outcome(NamedTuple):
    statistic: float
    p: float


def mean_se(values) -> tuple[float, float]:
    """Mean and its standard error; NaN for the error of fewer than two values."""
    values = np.asarray(values, dtype=np.float64)
    if not len(values):
        return float("nan"), float("nan")
    if len(values) < 2:
        return float(values[0]), float("nan")
    return float(values.mean()), float(values.std(ddof=1) / np.sqrt(len(values)))


def _t_test(differences, scale):
    from scipy.special import stdtr

    differences = np.asarray(differences, dtype=np.float64)
    n = len(differences)
    if n < 2:
        raise ValueError(f"a t-test needs two pairs or more, got {n}")
    mean, variance = differences.mean(), differences.var(ddof=1)
    if variance == 0:  # all differences equal: nothing is random
        return Outcome(0.0, 1.0) if mean == 0 else Outcome(float(np.copysign(np.inf, mean)), 0.0)
    t = mean / np.sqrt(variance * scale)
    return Outcome(float(t), float(2 * stdtr(n - 1, -abs(t))))


def paired_t_test(a, b) -> Outcome:
    """Student's t of a - b, two-sided."""
    difference = np.subtract(a, b)
    return _t_test(difference, 1 / max(len(difference), 1))


def corrected_resampled_t_test(a, b, test_fraction) -> Outcome:
    """Nadeau and Bengio's t of a - b over resampled splits: the variance is scaled by 1/n +
    test/train.

    `test_fraction` is the share of the cases in each test part, 0.1 for ten-fold cross-validation.
    """
    if not 0 < test_fraction < 1:
        raise ValueError(f"test fraction {test_fraction}; choose one between 0 and 1")
    difference = np.subtract(a, b)
    return _t_test(difference, 1 / max(len(difference), 1) + test_fraction / (1 - test_fraction))


def average_ranks(scores, tolerance=0.0) -> np.ndarray:
    """Ranks (rows, methods), 1 for the smallest score of a row, ties averaged.

    Scores this near count as tied.
    """
    scores = np.asarray(scores, dtype=np.float64)
    if tolerance:
        scores = np.round(scores / tolerance)
    ranks = np.empty(scores.shape)
    for method, own in enumerate(scores.T[:, :, None]):
        ranks[:, method] = (scores < own).sum(axis=1) + ((scores == own).sum(axis=1) + 1) / 2
    return ranks


def friedman(ranks) -> Outcome:
    """Friedman's chi-square of ranks (data sets, methods), corrected for ties.

    One data set alone tells nothing.
    """
    from scipy.special import chdtrc

    n, k = ranks.shape
    spread = 12 * n / (k * (k + 1)) * ((ranks.mean(axis=0) - (k + 1) / 2) ** 2).sum()
    # the squares of tied ranks fall short of those of 1 .. k by the ties' share of the correction
    correction = ((ranks - (k + 1) / 2) ** 2).sum() / (n * k * (k * k - 1) / 12)
    if n < 2 or correction <= 1e-12:
        return Outcome(0.0, 1.0)
    chi2 = spread / correction
    return Outcome(float(chi2), float(chdtrc(k - 1, chi2)))


def iman_davenport(ranks) -> Outcome:
    """Iman and Davenport's F of ranks, less cautious than Friedman's chi-square."""
    from scipy.special import fdtrc

    n, k = ranks.shape
    chi2 = friedman(ranks).statistic
    if chi2 == 0:
        return Outcome(0.0, 1.0)
    room = n * (k - 1) - chi2
    f = (n - 1) * chi2 / room if room > 1e-9 * n * k else np.inf
    return Outcome(float(f), float(fdtrc(k - 1, (k - 1) * (n - 1), f)))


@cache
def critical_difference(methods, data_sets, level=0.05) -> float:
    """Nemenyi's: average ranks that differ by more are different at the level."""
    return float(
        range_quantile(1 - level, methods) * np.sqrt(methods * (methods + 1) / (6 * data_sets))
    )


def range_quantile(level, methods):
    """Quantile of the range of this many normal deviates, over the square root of 2 (Nemenyi's
    table).
    """
    from scipy.special import ndtr

    x = np.linspace(-9.0, 9.0, 2001)  # of the smallest deviate; the density vanishes at both ends
    density = np.exp(-x * x / 2) / np.sqrt(2 * np.pi)
    low, high = 0.0, 40.0
    while high - low > 1e-13 * high:
        middle = (low + high) / 2
        inside = methods * density * (ndtr(x + middle) - ndtr(x)) ** (methods - 1)
        low, high = (middle, high) if inside.sum() * (x[1] - x[0]) < level else (low, middle)
    return low / np.sqrt(2)


def holm(p_values) -> np.ndarray:
    """p-values adjusted by Holm's step-down procedure, in the order given."""
    p = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(p, kind="stable")
    steps = p[order] * (len(p) - np.arange(len(p)))
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return adjusted
