"""Qualities against textbook formulas in double precision."""

import math

import numpy as np
import pytest

from pinetum.constants import GAIN, GAIN_RATIO, GINI, INFO_UNIT, QUALITY_GRID, WEIGHT_UNIT
from pinetum.induction import Options
from pinetum.induction.kernels import quality
from pinetum.induction.kernels.bundles import FOUND
from pinetum.induction.kernels.candidates import average_gain
from pinetum.induction.kernels.cuts import Gaps, Goal, Segment, count_cuts
from pinetum.induction.table import bits_of_entries, end_to_end


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
        inside = sum(
            n / total * impurity(row / n) for row, n in zip(weights, sizes, strict=True) if n
        )
        gain = total / (total + missing) * (impurity(known / total) - inside)
        assert quality.on_grid(mass, total + missing, unit) / QUALITY_GRID == pytest.approx(
            gain, abs=2e-9
        )
        assert split == 1  # only the ratio asks how much it is
        _, split = quality.discrete_split(
            weights, len(weights), known, total, total + missing, rules(GAIN_RATIO, unit), table
        )
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
                found.append(
                    (mass, split, gain, quality.worth(gain, mass, split, weight * unit, r, 0))
                )
            assert found[0] == found[1]


def test_shares_of_missing_cases_do_not_depend_on_order():
    weights = [WEIGHT_UNIT, 3, 12345]
    shares = [quality.branch_share(w, 7 * WEIGHT_UNIT, 20 * WEIGHT_UNIT) for w in weights]
    assert shares == [(w * 7 + 10) // 20 for w in weights]


def test_cuts_are_counted_between_values_that_are_far_enough_apart():
    """Entries of a presorted column: code, case and class in one word.

    Equal codes are no cut, whatever the cases.
    """
    rng = np.random.default_rng(5)
    for _ in range(300):
        n, classes = int(rng.integers(2, 17)), int(rng.integers(2, 5))
        case_bits, class_bits = bits_of_entries(n, classes)
        codes = np.sort(rng.integers(0, rng.integers(1, 6), n))
        codes = np.searchsorted(np.unique(codes), codes)
        values = np.cumsum(rng.choice([0.25, 1.0], codes.max() + 1))
        entries = (((codes << case_bits) | rng.permutation(n)) << class_bits) | rng.integers(
            0, classes, n
        )
        entries = np.array([entries], dtype=np.int64)
        first, last = sorted(rng.integers(1, n, 2).tolist())
        for gap in (0.0, 0.5):
            cuts = [
                p for p in range(first, last + 1) if values[codes[p]] - values[codes[p - 1]] > gap
            ]
            segment = Segment(entries, 0, 0, n, case_bits + class_bits, class_bits, 0)
            goal = Goal(GAIN, 0, n, first + last, first, 0)
            gaps = Gaps(gap > 0, values, 0, gap)
            assert count_cuts(segment, goal, gaps) == len(cuts)


def test_no_rule_is_on_unless_asked_for():
    assert {name: value for name, value in vars(Options()).items() if value} == {
        "criterion": "gain",
        "min_cases": 2.0,
    }


def test_values_of_all_features_lie_in_one_array_where_they_did():
    whole = np.arange(6.0)
    assert end_to_end([whole[:2], whole[2:]]) is whole
    square = np.arange(6.0).reshape(2, 3)
    for pieces in (
        [whole[:2], whole[3:]],
        [whole[2:], whole[:2]],
        [whole[:2]],
        [*square],
        [square[0], square[1, :2]],
        [],
    ):
        joined = end_to_end(pieces)
        assert joined.tolist() == [value for piece in pieces for value in piece.tolist()]


def test_features_of_very_many_values_do_not_raise_the_average_gain():
    """Quinlan: 0.3 of the cases or more are many; they count where all features have so many."""
    found = np.zeros(3, FOUND)
    found["gain"], found["split"] = [4, 8, 12], 1
    offered, numbers = np.arange(3), np.zeros(3, dtype=bool)

    def mean(arity, continuous=numbers):
        return round(
            average_gain(found, offered, 3, offered, continuous, np.array(arity), 10) + 0.001, 2
        )

    slack = mean([2, 2, 2]) - 8
    assert mean([3, 2, 2]) - slack == 10 and mean([3, 4, 2]) - slack == 12
    assert (
        mean([3, 4, 3]) - slack == 8
        and mean([3, 4, 3], np.array([False, True, False])) - slack == 8
    )
    assert mean([3, 3, 3], np.array([False, False, True])) - slack == 12
