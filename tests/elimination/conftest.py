from types import SimpleNamespace

import numpy as np
import pytest

from pinetum.data.dataset import Dataset
from pinetum.induction.grower import Grower


def random_table(rng, cases=None, features=None, classes=None, missing=None):
    """A small table with ties, constant columns, discrete and continuous features, perhaps missing
    cells.
    """
    cases = int(rng.integers(8, 100)) if cases is None else cases
    features = int(rng.integers(1, 9)) if features is None else features
    classes = int(rng.integers(2, 5)) if classes is None else classes
    missing = rng.choice([0, 0.1, 0.4]) if missing is None else missing
    continuous = rng.random(features) < 0.5
    codes = np.empty((features, cases), dtype=np.int32)
    values = []
    for f in range(features):
        arity = int(rng.integers(1, 30)) if continuous[f] else int(rng.integers(1, 5))
        column = rng.integers(0, arity, cases)
        if continuous[f]:
            seen, column = np.unique(column, return_inverse=True)
            values.append(np.sort(rng.normal(size=len(seen))))
        else:
            values.append(tuple(f"v{value}" for value in range(arity)))
        codes[f] = column
        if rng.random() < 0.5:
            codes[f, rng.random(cases) < missing] = -1
    score = codes[0] + 2 * codes[features // 2] + rng.integers(0, 3, cases)
    names = tuple(f"f{f}" for f in range(features))
    labels = (score % classes).astype(np.int32)
    return Dataset(
        "random", codes, labels, continuous, tuple(values), names, tuple("abcd"[:classes])
    )


def split(rng, data, share=0.7):
    order = rng.permutation(data.n_cases)
    cut = max(1, int(share * data.n_cases))
    return np.sort(order[:cut]), np.sort(order[cut:])


def slow_elimination(data, building, search, options):
    """The paper's text, word for word, with any tree grower: (features in the order they went,
    errors).
    """
    grower = Grower(data, options, cases=building)
    left = list(range(data.n_features))
    errors = [grower.grow(left).errors(data, search)]
    removed = []
    while left:
        trials = [grower.grow([f for f in left if f != gone]).errors(data, search) for gone in left]
        if min(trials) >= errors[-1]:
            break
        errors.append(min(trials))
        removed.append(left.pop(trials.index(min(trials))))
    return removed, errors


@pytest.fixture(scope="session")
def tools():
    return SimpleNamespace(
        random_table=random_table, split=split, slow_elimination=slow_elimination
    )
