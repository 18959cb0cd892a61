"""Ranks of numbers and renumbered codes, against what numpy's sorting gives."""

import numpy as np

from pinetum.constants import MISSING
from pinetum.data.building import _by_first_case
from pinetum.data.encode import count_distinct, rank


def random_numbers(rng):
    """Whole and other numbers, near and far from each other, with zeros of both signs and missing
    cells.
    """
    n = int(rng.integers(0, 30))
    numbers = rng.integers(-5, rng.integers(-4, 60), n) * rng.choice([1.0, 0.5, -1.0, 1e15])
    numbers = numbers + rng.choice([0.0, -0.0, 0.25, 2.0**41])
    numbers[rng.random(n) < rng.choice([0.0, 0.3, 1.0])] = np.nan
    return numbers


def test_ranks_are_those_of_sorted_values():
    rng = np.random.default_rng(1)
    for _ in range(3000):
        numbers = random_numbers(rng)
        known = ~np.isnan(numbers)
        expected, places = np.unique(numbers[known] + 0.0, return_inverse=True)
        codes = np.empty(len(numbers), dtype=np.int32)
        domain = rank(numbers, codes)
        assert domain.dtype == np.float64 and np.array_equal(domain, expected)
        assert not np.signbit(domain[domain == 0]).any()
        assert np.array_equal(codes[known], places) and (codes[~known] == MISSING).all()
        assert count_distinct(numbers[known]) == len(expected)


def test_codes_are_renumbered_as_they_come():
    rng = np.random.default_rng(2)
    for _ in range(3000):
        codes = rng.integers(MISSING, rng.integers(0, 9), int(rng.integers(0, 20))).astype(np.int32)
        number: dict = {}
        expected = [number.setdefault(code, len(number)) for code in codes.tolist()]
        assert _by_first_case(codes).tolist() == expected
