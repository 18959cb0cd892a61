"""A table of every kind of column, small enough to compile kernels with."""

import numpy as np

from pinetum.constants import MISSING
from pinetum.data.dataset import Dataset

CASES = 60


def sample(*, continuous=True, missing=True, classes=2) -> Dataset:
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 3, (4, CASES)).astype(np.int32)
    labels = ((codes[0] + codes[1]) % classes).astype(np.int32)
    if missing:
        codes[0, :5] = MISSING
    kinds = np.array([False, continuous, False, continuous])
    values = tuple(np.arange(3.0) if kind else ("a", "b", "c") for kind in kinds)
    return Dataset(
        "sample",
        codes,
        labels,
        kinds,
        values,
        tuple("wxyz"),
        tuple(f"class {k}" for k in range(classes)),
    )
