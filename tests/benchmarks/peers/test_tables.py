"""One array for all contestants: what becomes of discrete columns, numbers, missing cells and equal
rows.
"""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from pinetum.data.dataset import Dataset
from pinetum.data.sample import sample
from pinetum_benchmarks.peers.tables import CUTS, PREPARED, prepared


def wide(cases=80):
    """A column of many numbers, one of three words with missing cells, one of two words, one that
    never changes.
    """
    rng = np.random.default_rng(1)
    codes = np.array(
        [
            rng.permutation(cases),
            rng.integers(0, 3, cases),
            rng.integers(0, 2, cases),
            np.zeros(cases),
        ]
    )
    codes[1, :7] = -1
    values = (np.arange(cases) / 7, ("a", "b", "c"), ("no", "yes"), ("same",))
    kinds = np.array([True, False, False, False])
    labels = rng.integers(0, 3, cases).astype(np.int32)
    return Dataset(
        "wide", codes.astype(np.int32), labels, kinds, values, tuple("wxyz"), ("k", "l", "m")
    )


@pytest.fixture
def of(tmp_path):
    wide().save(tmp_path / "data/wide.npz")
    coarse = sample(continuous=False, missing=False, classes=3)  # few distinct rows
    replace(
        coarse,
        codes=coarse.codes[:2],
        **{key: getattr(coarse, key)[:2] for key in ("continuous", "values", "feature_names")},
    ).save(tmp_path / "data/coarse.npz")
    return lambda name, kind, most=1000, seed=0: prepared(name, kind, most, seed, tmp_path / "data")


def test_a_discrete_column_becomes_a_column_per_value_or_one_of_two(of):
    X, y, domains = of("wide", "indicators")
    data = wide()
    words = np.where(
        data.codes[1] < 0, np.bincount(data.codes[1][data.codes[1] >= 0]).argmax(), data.codes[1]
    )
    assert X.shape == (80, 5) and y.tolist() == data.labels.tolist() and not domains.any()
    assert np.array_equal(X[:, 0], data.codes[0] / 7)
    assert np.array_equal(X[:, 1:4], words[:, None] == [0, 1, 2])
    assert np.array_equal(X[:, 4], data.codes[2] == 1)


def test_a_column_of_numbers_becomes_a_few_thresholds_at_its_quantiles(of):
    X, _, _ = of("wide", "binary")
    numbers = wide().codes[0]
    cuts = [column for column in X.T if numbers[column == 1].min() > numbers[column == 0].max()]
    assert len(cuts) == CUTS and X.shape[1] == CUTS + 4 and set(np.unique(X)) == {0, 1}
    sizes = np.diff([0, *sorted(int(column.sum()) for column in cuts), 80])
    assert sizes.max() - sizes.min() <= 2


def test_columns_keep_their_kinds_and_own_tables_their_missing_cells(of):
    X, _, domains = of("wide", "columns")
    assert domains.tolist() == [0, 3, 2] and X.shape == (80, 3) and not np.isnan(X).any()
    X, _, domains = of("wide", "own")
    assert (
        np.isnan(X[:7, 1]).all()
        and np.isnan(X).sum() == 7
        and X.shape == (80, 4)
        and domains.tolist() == [0, 3, 2, 1]
    )


def test_equal_rows_are_one_with_their_most_common_class(of):
    every, labels, _ = of("coarse", "binary")
    X, y, _ = of("coarse", "decisions")
    classes = {}
    for row, label in zip(map(tuple, every), labels.tolist(), strict=True):
        classes.setdefault(row, Counter())[label] += 1
    wanted = {
        row: min(count, key=lambda label: (-count[label], label)) for row, count in classes.items()
    }
    assert dict(zip(map(tuple, X), y.tolist(), strict=True)) == wanted and len(X) == len(
        wanted
    ) < len(every)


@pytest.mark.parametrize("kind", [kind for kind in PREPARED if kind not in ("own", "decisions")])
def test_too_many_cases_are_a_part_drawn_for_all_alike(of, kind):
    X, y, _ = of("wide", kind, 30)
    again, labels, _ = of("wide", kind, 30)
    other, _, _ = of("wide", kind, 30, 1)
    assert X.shape[0] == len(y) == 30 and np.array_equal(X, again) and np.array_equal(y, labels)
    assert X.shape != other.shape or not np.array_equal(X, other)
    rows = {tuple(row) for row in of("wide", kind)[0]}
    assert X.shape[1] < len(next(iter(rows))) or {tuple(row) for row in X} <= rows
