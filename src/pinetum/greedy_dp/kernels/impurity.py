"""The impurity functions: a measure of the branches' uncertainty and a way to fold it over the
branches.

To add a measure: its name in MEASURES (constants.py) and a line in `uncertainties`. To add a way:
its name in KINDS and a line in `fold`. Every pair of the two is a heuristic, up to 63; nothing else
has to change. A measure is zero on a subtable with one decision and positive on any other, and a
way is zero only where all branches are: the greedy kernels take a shortcut there.
"""

from typing import NamedTuple

import numpy as np

from pinetum.greedy_dp.kernels.constants import N_HEURISTICS, N_MEASURES
from pinetum.jit import kernel
from pinetum.kernels.arrays import borrow

TIE = 1e-12  # impurities closer than this, relative to their size where above one, are equal


class Choice(NamedTuple):
    """What is known of a subtable's attributes, and room for finding it out."""

    counts: np.ndarray  # int64 (kinds of rows,): rows of a branch
    measured: np.ndarray  # float64 (measures,): of a branch
    impurity: np.ndarray  # float64 (heuristics,): of one attribute
    least: np.ndarray  # float64 (heuristics,): so far
    attribute: np.ndarray  # int64 (heuristics,): that has it


@kernel
def borrow_choice(choice):
    """A choice without counts of references."""
    return Choice(
        counts=borrow(choice.counts),
        measured=borrow(choice.measured),
        impurity=borrow(choice.impurity),
        least=borrow(choice.least),
        attribute=borrow(choice.attribute),
    )


@kernel
def uncertainties(counts, n, n_log_n, out):
    """Every measure of a subtable with n rows and these counts of the decisions."""
    squares = 0
    largest = 0
    logs = 0.0
    for count in counts:
        squares += count * count
        largest = max(largest, count)
        logs += n_log_n[count]
    out[0] = (n_log_n[n] - logs) / n if largest < n else 0.0
    out[1] = (n * n - squares) / (n * n)
    out[2] = n - largest
    out[3] = (n * n - squares) // 2


@kernel
def fold(measured, n, impurity):
    """Take one more branch of n rows into the impurities, way by way; weights are n, not n / N."""
    for j in range(N_MEASURES):
        value = measured[j]
        impurity[j] += value
        impurity[N_MEASURES + j] = max(impurity[N_MEASURES + j], value)
        impurity[2 * N_MEASURES + j] += value * n
        impurity[3 * N_MEASURES + j] = max(impurity[3 * N_MEASURES + j], value * n)


@kernel
def less(value, best):
    """Is an impurity smaller than the best so far by more than rounding?"""
    return value < best - TIE * max(1.0, abs(value))


@kernel(inline=True)
def prefer(a, impurity, least, attribute):
    """Let the heuristics choose an attribute that is better than those so far."""
    for h in range(N_HEURISTICS):
        if less(impurity[h], least[h]):
            least[h] = impurity[h]
            attribute[h] = a
