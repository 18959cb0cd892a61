"""Encoding and presorting a table of numbers at once gives what sorting column by column gives."""

import numpy as np
import pytest

from pinetum.induction.cases import dataset_of_numbers
from pinetum.induction.table import presort

KINDS = {
    "reals": lambda rng, n: rng.normal(size=n),
    "small whole numbers": lambda rng, n: rng.integers(-5, 5, n).astype(float),
    "large whole numbers": lambda rng, n: rng.integers(-(10**9), 10**9, n).astype(float),
    "tied": lambda rng, n: rng.normal(size=n).round(1),
    "of every size": lambda rng, n: rng.normal(size=n) * 10.0 ** rng.integers(-300, 300, n),
    "next to zero": lambda rng, n: rng.choice([-0.0, 0.0, 1e-310, -1e-310], n),
    "constant": lambda rng, n: np.ones(n),
    "missing": lambda rng, n: np.full(n, np.nan),
}


@pytest.mark.parametrize("order", ["C", "F"])
def test_ranks_agree_with_numpy(order):
    for seed in range(150):
        rng = np.random.default_rng(seed)
        n, classes = int(rng.choice([1, 9, 100, 299, 300, 301, 700])), int(rng.integers(1, 4))
        table = np.stack([KINDS[kind](rng, n) for kind in rng.choice(list(KINDS), int(rng.integers(1, 20)))], axis=1)
        if seed % 2:
            table[rng.random(table.shape) < 0.2] = np.nan
        labels = rng.integers(0, classes, n).astype(np.int32)
        names = [f"x{j}" for j in range(table.shape[1])]
        data = dataset_of_numbers("random", np.asarray(table, order=order), labels, tuple("abc"[:classes]), names)
        for j, column in enumerate(table.T):
            known = ~np.isnan(column)
            values, codes = np.unique(column[known], return_inverse=True)
            assert np.array_equal(data.values[j], values)
            assert np.array_equal(data.codes[j, known], codes)
            assert (data.codes[j, ~known] == -1).all()
        made = data.__dict__.pop("_table")
        for name, expected in presort(data)._asdict().items():
            if name == "order":
                for row, size in enumerate(made.order_size):
                    assert np.array_equal(made.order[row, :size], expected[row, :size]), seed
            else:
                assert np.array_equal(getattr(made, name), expected), (seed, name)
