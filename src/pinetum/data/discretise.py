"""Numbers cut into intervals by the minimum description length principle (Fayyad and Irani, 1993).

Among the class boundaries of a set the cut of least class entropy is taken when its information
gain exceeds
    log2(n - 1) / n + (log2(3^k - 2) - (k E - k1 E1 - k2 E2)) / n
and both sides are cut again; k, k1 and k2 count the classes present, E, E1 and E2 are entropies in
bits.
"""

from dataclasses import replace
from itertools import pairwise

import numpy as np

from pinetum.constants import MISSING


def entropy(counts):
    """Class entropy in bits per row of counts."""
    counts = np.atleast_2d(np.asarray(counts, dtype=np.float64))
    total = counts.sum(axis=1, keepdims=True)
    share = counts / np.where(total > 0, total, 1)
    return -np.where(share > 0, share * np.log2(np.where(share > 0, share, 1)), 0).sum(axis=1)


def mdl_cuts(counts, most=None) -> list[int]:
    """Cuts of a table (distinct values in order, classes) of case counts: the last rank of each
    left side.

    With `most`, no more cuts than that: the sets of most cases are cut first.
    """
    cuts: list[int] = []
    pending = [(0, len(counts))]
    cases = np.concatenate([[0], np.cumsum(counts.sum(axis=1))])
    while pending and (most is None or len(cuts) < most):
        largest = max(
            range(len(pending)),
            key=lambda k: (cases[pending[k][1]] - cases[pending[k][0]], -pending[k][0]),
        )
        first, last = pending.pop(largest)
        if last - first < 2:
            continue
        part = counts[first:last]
        left = np.cumsum(part, axis=0)[:-1]
        total = part.sum(axis=0)
        right = total - left
        n, n_left = total.sum(), left.sum(axis=1)
        e_left, e_right, e = entropy(left), entropy(right), entropy(total)[0]
        conditional = (n_left * e_left + (n - n_left) * e_right) / n
        best = int(
            np.argmin(np.round(conditional, 12))
        )  # rounded, so that ties go to the lowest cut
        k, k_left, k_right = (np.count_nonzero(x) for x in (total, left[best], right[best]))
        delta = np.log2(3.0**k - 2) - (k * e - k_left * e_left[best] - k_right * e_right[best])
        if n > 1 and e - conditional[best] > (np.log2(n - 1) + delta) / n:
            cuts.append(first + best)
            pending += [(first, first + best + 1), (first + best + 1, last)]
    return sorted(cuts)


def midpoint(low: float, high: float) -> float:
    """Between two numbers, also where their sum is beyond the range; never the upper one."""
    middle = (low + high) / 2
    if middle in (float("inf"), float("-inf")):
        middle = low / 2 + high / 2
    return middle if low <= middle < high else low


def discretised(dataset, cases=None, intervals=None):
    """Every continuous feature replaced by its intervals; one that no cut divides becomes constant.

    Parameters
    ----------
    dataset : Dataset
    cases : array of int, optional
        The training cases, which alone decide on the cuts; all if None.
    intervals : int, optional
        Most intervals of a feature.
    """
    codes, values = dataset.codes.copy(), list(dataset.values)
    seen = slice(None) if cases is None else np.asarray(cases)
    for feature in np.flatnonzero(dataset.continuous):
        column, numbers = dataset.codes[feature], dataset.values[feature]
        known = column != MISSING
        trained = column[seen][known[seen]]
        cells = trained.astype(np.int64) * dataset.n_classes + dataset.labels[seen][known[seen]]
        counts = np.bincount(cells, minlength=len(numbers) * dataset.n_classes).reshape(
            -1, dataset.n_classes
        )
        present = np.flatnonzero(
            counts.any(axis=1)
        )  # a cut lies between numbers that the training cases have
        cuts = mdl_cuts(counts[present], None if intervals is None else intervals - 1)
        middles = [midpoint(*numbers[present[[cut, cut + 1]]].tolist()) for cut in cuts]
        interval = np.searchsorted(middles, numbers, side="left").astype(np.int32)
        codes[feature, known] = interval[column[known]]
        bounds = [f"{middle:.12g}" for middle in middles]
        if len(set(bounds)) < len(bounds):  # neighbours that twelve digits do not tell apart
            bounds = [repr(middle) for middle in middles]
        edges = ["-inf", *bounds, "inf"]
        values[feature] = tuple(f"({a}, {b}]" for a, b in pairwise(edges))
    return replace(
        dataset, codes=codes, values=tuple(values), continuous=np.zeros_like(dataset.continuous)
    )
