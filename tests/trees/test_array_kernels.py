"""Small services on arrays, against numpy's."""

import numpy as np

from pinetum.kernels.arrays import falling_order, longer, longer_rows, rising_values


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
    assert longer_rows(rows, 7)[:3].tolist() == rows.tolist() and longer_rows(rows, 7).shape == (7, 2)
