"""Small random tables, and all trees of all subsets, slowly."""

import numpy as np
import pytest

from pinetum.data.dataset import Dataset
from pinetum.distinct.subsets import subsets
from pinetum.induction import Grower, Options


def random_table(rng, features=None):
    """Mixed types, missing values, repeated features, up to four classes."""
    n = features or int(rng.integers(1, 9))
    cases, classes = int(rng.integers(4, 40)), int(rng.integers(1, 5))
    missing = rng.choice([0, 0, 0.1, 0.3])
    codes, values, continuous = [], [], []
    for _ in range(n):
        is_continuous = bool(rng.random() < 0.5)
        arity = int(rng.integers(1, 8 if is_continuous else 5))
        column = np.where(rng.random(cases) < missing, -1, rng.integers(0, arity, cases))
        if is_continuous:
            present = np.unique(column[column >= 0])
            values.append(np.sort(rng.choice(50, len(present), replace=False)).astype(float))
            column = np.where(column < 0, -1, np.searchsorted(present, column))
        else:
            values.append(tuple(map(str, range(arity))))
        if codes and rng.random() < 0.15 and continuous[0] == is_continuous:
            column, values[-1] = codes[0], values[0]  # the same feature twice: ties everywhere
        codes.append(column.astype(np.int32))
        continuous.append(is_continuous)
    codes = np.ascontiguousarray(np.array(codes, dtype=np.int32))
    labels = rng.integers(0, classes, cases)
    if rng.random() < 0.6:
        labels = (np.maximum(codes[0], 0) + (codes[-1] > 1)) % classes
    return Dataset(
        name="random",
        codes=codes,
        labels=labels.astype(np.int32),
        continuous=np.array(continuous),
        values=tuple(values),
        feature_names=tuple(f"f{i}" for i in range(n)),
        class_names=tuple(map(str, range(classes))),
    )


def random_options(rng):
    return Options(
        criterion=str(rng.choice(["gain", "gain", "gini", "gain_ratio"])),
        min_cases=int(rng.integers(1, 6)),
        min_gain=float(rng.choice([0, 0, 0.05])),
        max_depth=None if rng.random() < 0.8 else int(rng.integers(0, 3)),
    )


def random_split(rng, cases, always=False):
    order = rng.permutation(cases)
    building = np.sort(order[: max(1, int(0.7 * cases))])
    search = np.sort(order[len(building) :])
    return building, search[:0] if not always and rng.random() < 0.3 else search


def trees_of_all_subsets(dataset, options, building, search):
    """{tree signature: (features used, search errors)} from building every one of the 2^n trees."""
    grower = Grower(dataset, options, cases=building)
    found = {}
    for subset in subsets((), range(dataset.n_features)):
        tree = grower.grow(sorted(subset))
        used = tuple(int(f) for f in tree.used_features)
        found[tree.signature()] = used, tree.errors(dataset, search) if len(search) else 0
    return found


@pytest.fixture
def tables():
    return random_table


@pytest.fixture
def twin():
    return trees_of_all_subsets


@pytest.fixture
def random_case():
    def make(seed, always=False):
        rng = np.random.default_rng(seed)
        dataset = random_table(rng)
        options = random_options(rng)
        return dataset, options, *random_split(rng, dataset.n_cases, always)

    return make
