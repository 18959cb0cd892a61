"""Estimates of the true errors of a leaf: arrays n (cases) and c (of them in the leaf's class) in,
errors out.

A new estimate is one function `f(n, c) -> errors` (errors, not a rate) wrapped in a `BottomUp`;
traversals know nothing about it. Functions see each distinct (n, c) once.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from pinetum.induction.pruning import squared_deviate
from pinetum.pruning.kernels.raising import c45_errors_of


def _times(n, rate):
    """n * rate, where no cases are no errors whatever the rate."""
    return np.where(n > 0, n * rate, 0.0)


def naive(n, c, z=0.69):
    """The naive error-based estimate: the Wilson upper bound, without C4.5's care for few and for
    many errors.
    """
    n, c = np.asarray(n, float), np.asarray(c, float)
    with np.errstate(all="ignore"):
        f, z2 = (n - c) / n, z * z
        bound = (f + z2 / (2 * n) + z * np.sqrt(f / n - f * f / n + z2 / (4 * n * n))) / (
            1 + z2 / n
        )
    return _times(n, bound)


def naive_wald(n, c, z=0.69):
    """The textbook normal interval, which claims no error at all for a pure leaf."""
    n, c = np.asarray(n, float), np.asarray(c, float)
    with np.errstate(all="ignore"):
        f = (n - c) / n
        bound = f + z * np.sqrt(f * (1 - f) / n)
    return _times(n, bound)


def naive_continuity(n, c, z=0.69):
    """The Wilson upper bound with C4.5's continuity correction of half an error, its special cases
    still left out.
    """
    n, c = np.asarray(n, float), np.asarray(c, float)
    return naive(n, np.maximum(c - 0.5, 0.0), z)


def c45(n, c, confidence=0.25):
    """C4.5's pessimistic errors at a confidence level: errors seen plus its extra errors."""
    n = np.ascontiguousarray(n, dtype=float)
    c = np.ascontiguousarray(c, dtype=float)
    errors = np.empty(n.shape)
    c45_errors_of(n, c, float(confidence), squared_deviate(confidence), errors)
    return errors


def clopper_pearson(n, c, confidence=0.25):
    """The exact binomial upper limit, which some authors call error-based pruning."""
    from scipy.special import (
        betaincinv,
    )  # a third of a second to import: only what calls it waits for it

    n, c = np.asarray(n, float), np.asarray(c, float)
    with np.errstate(all="ignore"):
        limit = np.where(c > 0, betaincinv(n - c + 1, np.maximum(c, 1e-300), 1 - confidence), 1.0)
    return _times(n, limit)


def synth(n, c):
    """The function of Figure 1, found by automatic programming, as printed."""
    n, c = np.asarray(n, float), np.asarray(c, float)
    with np.errstate(all="ignore"):
        v1 = np.tanh(np.tanh(np.tanh((n - c) / n)))
        v2 = np.sqrt(np.tanh(np.tanh(np.sqrt(n))))
        rate = (v1 + v2) / np.tanh(np.sqrt(np.sqrt(c)))
    return _times(n, rate)


@dataclass(frozen=True)
class BottomUp:
    """An estimate with the slack and the charge per kept split of its comparison with a
    subtree's.
    """

    estimate: Callable
    slack: float = 0.0
    charge: float = 0.0


SLACK = 0.1  # C4.5 lets a leaf be worse by a tenth of an error
CHARGE = 0.42  # our inference from Tables 1 and 3: what the published program adds per kept split
TWENTIETHS = tuple(round(0.05 * k, 2) for k in range(1, 10))
GRIDS = {  # confidence levels that TWEBP chooses among
    "0.001 to 0.45": (0.001, 0.01, *TWENTIETHS),
    "0.05 to 0.45": TWENTIETHS,
    "0.05 to 0.50": (*TWENTIETHS, 0.50),
}


NAIVE = {"wilson": naive, "wald": naive_wald, "continuity": naive_continuity}
C45 = {"c45": c45, "exact_binomial": clopper_pearson}


def bottom_up_pruners(reading):
    """The pruners of the paper that need no tuning, by name."""
    webp = partial(C45[reading.c45], confidence=reading.confidence)
    return {
        "NEBP": BottomUp(
            partial(NAIVE[reading.naive], z=reading.naive_z), slack=reading.naive_slack
        ),
        "WEBP": BottomUp(webp, slack=reading.slack),
        "SYNTH": BottomUp(synth),
        "SYNTH+": BottomUp(synth, charge=reading.charge),
    }


def tuned_pruners(reading):
    """The candidates TWEBP chooses among, by confidence level."""
    return {
        level: BottomUp(partial(C45[reading.c45], confidence=level), slack=reading.slack)
        for level in GRIDS[reading.tuning_grid]
    }
