"""Qualities against textbook formulas in double precision."""

import math

import numpy as np
import pytest

from pinetum.constants import GAIN, GAIN_RATIO, GINI, INFO_UNIT, QUALITY_GRID, WEIGHT_UNIT
from pinetum.induction.kernels import quality


def rules(criterion, unit):
    return quality.Rules(criterion, unit, 2 * unit, 0, 0, 0, 0, 0, 0, 0.0, -1, 0, 0)


def entropy(shares):
    return -sum(p * math.log2(p) for p in shares if p > 0)


def gini(shares):
    return 1 - sum(p * p for p in shares)


@pytest.mark.parametrize("criterion", [GAIN, GINI])
@pytest.mark.parametrize("fractional", [False, True])
def test_gain_is_the_textbook_gain(criterion, fractional):
    impurity = gini if criterion == GINI else entropy
    rng = np.random.default_rng(4)
    table = quality.nlogn_table(500)
    for _ in range(300):
        counts = rng.integers(0, 9, (rng.integers(2, 5), rng.integers(2, 4))).astype(np.int64)
        unit = WEIGHT_UNIT if fractional else 1
        weights = counts * unit
        if fractional:
            weights += rng.integers(0, unit, weights.shape) * (counts > 0)
        missing = int(rng.integers(0, 3)) * unit
        known = weights.sum(0)
        total = int(known.sum())
        if total == 0:
            continue
        mass, split = quality.discrete_split(
            weights, len(weights), known, total, total + missing, rules(criterion, unit), table
        )
        sizes = weights.sum(1)
        if np.count_nonzero(sizes) < 2:
            assert (mass, split) == (0, 0)
            continue
        inside = sum(n / total * impurity(row / n) for row, n in zip(weights, sizes, strict=True) if n)
        gain = total / (total + missing) * (impurity(known / total) - inside)
        assert quality.on_grid(mass, total + missing, unit) / QUALITY_GRID == pytest.approx(gain, abs=2e-9)
        info = entropy(np.append(sizes, missing) / (total + missing))
        assert split / INFO_UNIT / (total + missing) * unit == pytest.approx(info, abs=1e-8)


def test_whole_cases_give_the_same_quality_in_either_unit():
    rng = np.random.default_rng(5)
    table = quality.nlogn_table(2000)
    for criterion in (GAIN, GAIN_RATIO, GINI):
        for _ in range(200):
            counts = rng.integers(0, 40, (4, 3)).astype(np.int64)
            known, weight = counts.sum(0), int(counts.sum()) + 3
            found = []
            for unit in (1, WEIGHT_UNIT):
                r = rules(criterion, unit)
                mass, split = quality.discrete_split(
                    counts * unit, 4, known * unit, (weight - 3) * unit, weight * unit, r, table
                )
                gain = quality.on_grid(mass, weight * unit, unit)
                found.append((mass, split, gain, quality.worth(gain, mass, split, weight * unit, r, 0)))
            assert found[0] == found[1]


def test_shares_of_missing_cases_do_not_depend_on_order():
    weights = [WEIGHT_UNIT, 3, 12345]
    shares = [quality.branch_share(w, 7 * WEIGHT_UNIT, 20 * WEIGHT_UNIT) for w in weights]
    assert shares == [(w * 7 + 10) // 20 for w in weights]
