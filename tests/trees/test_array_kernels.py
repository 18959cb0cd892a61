"""Small services on arrays, against numpy's, and bundles of arrays."""

from typing import NamedTuple

import numba
import numpy as np
import pytest

from pinetum.kernels.arrays import (
    borrow,
    falling_order,
    greatest,
    longer,
    longer_rows,
    rising_values,
    sort_values,
)
from pinetum.kernels.bundles import borrower, record_of
from pinetum.tiers import interpreted


def test_values_in_order():
    rng = np.random.default_rng(0)
    for _ in range(1000):
        values = rng.integers(0, rng.integers(1, 12), rng.integers(0, 30)).astype(float)
        assert falling_order(values).tolist() == np.argsort(-values, kind="stable").tolist()
        values[rng.random(len(values)) < 0.2] = np.inf
        assert rising_values(values).tolist() == np.unique(values[np.isfinite(values)]).tolist()


def test_room_for_more_keeps_what_is_there():
    values, rows = np.arange(5.0), np.arange(6).reshape(3, 2)
    assert longer(values, 9)[:5].tolist() == values.tolist() and longer(values, 9).shape == (9,)
    assert longer_rows(rows, 7)[:3].tolist() == rows.tolist() and longer_rows(rows, 7).shape == (
        7,
        2,
    )


class Inner(NamedTuple):
    rows: np.ndarray
    first: int


class Outer(NamedTuple):
    inner: Inner
    record: np.ndarray


borrow_outer = borrower(Outer)


def add(bundle):
    bundle = borrow_outer(bundle)
    bundle.inner.rows[bundle.inner.first] += 1
    bundle.record[0].times += 2


@pytest.mark.parametrize("run", [numba.njit(add), interpreted(add)])
def test_a_borrowed_bundle_is_the_same_memory(run):
    bundle = Outer(Inner(np.zeros((3, 2)), 1), np.zeros(1, record_of("times", "other")))
    run(bundle)
    assert bundle.inner.rows.tolist() == [[0, 0], [1, 1], [0, 0]]
    assert bundle.record[0].times == 2 and bundle.record[0].other == 0


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="without the compiler nothing is borrowed")
def test_a_borrowed_array_is_the_same_memory_and_lies_in_one_piece():
    @numba.njit
    def double(array):
        here = borrow(array)
        for i in range(here.shape[0]):
            for j in range(here.shape[1]):
                here[i, j] *= 2
        return here.shape

    for dtype in (np.int32, np.int64, np.uint8, np.float64):
        array = np.arange(6, dtype=dtype).reshape(2, 3)
        assert double(array) == (2, 3)
        assert np.array_equal(array, 2 * np.arange(6).reshape(2, 3))
    for other in (np.zeros((2, 3), order="F"), np.zeros((4, 3))[::2]):
        with pytest.raises(numba.errors.TypingError):
            double(other)


def test_values_are_sorted_and_the_greatest_found_as_by_numpy():
    rng = np.random.default_rng(7)
    for trial in range(3000):
        n = int(rng.integers(1, 200)) if trial % 3 else int(rng.integers(1, 6))
        values = rng.integers(-9, 10, n) if trial % 2 else np.round(rng.normal(size=n), 1)
        count = int(rng.integers(0, n + 1))
        found = values.copy()
        sort_values(found, count)
        assert found.tolist() == [*np.sort(values[:count]).tolist(), *values[count:].tolist()]
        assert greatest(values) == values.max()
