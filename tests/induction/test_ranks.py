"""Encoding and presorting a table of numbers at once gives what sorting column by column gives."""

import numpy as np
import pytest

from pinetum import TreeClassifier
from pinetum.induction import table as induction_table
from pinetum.induction.cases import dataset_of_numbers
from pinetum.induction.table import presort

KINDS = {
    "reals": lambda rng, n: rng.normal(size=n),
    "small whole numbers": lambda rng, n: rng.integers(-5, 5, n).astype(float),
    "large whole numbers": lambda rng, n: rng.integers(-(10**9), 10**9, n).astype(float),
    "tied": lambda rng, n: rng.normal(size=n).round(1),
    "of every size": lambda rng, n: rng.normal(size=n) * 10.0 ** rng.integers(-300, 300, n),
    "next to zero": lambda rng, n: rng.choice([-0.0, 0.0, 1e-310, -1e-310], n),
    "close together": lambda rng, n: 1 + rng.integers(0, 1 << 40, n) * 2.0**-52,
    "close but one": lambda rng, n: np.append(1e300, 1 + rng.integers(0, 9**9, n - 1) * 2.0**-52),
    "falling": lambda rng, n: np.sort(rng.normal(size=n))[::-1],
    "constant": lambda rng, n: np.ones(n),
    "missing": lambda rng, n: np.full(n, np.nan),
}


@pytest.mark.parametrize("order", ["C", "F"])
def test_ranks_agree_with_numpy(order):
    for seed in range(150):
        rng = np.random.default_rng(seed)
        n, classes = int(rng.choice([1, 9, 100, 299, 300, 301, 700])), int(rng.integers(1, 4))
        table = np.stack(
            [KINDS[kind](rng, n) for kind in rng.choice(list(KINDS), int(rng.integers(1, 20)))],
            axis=1,
        )
        if seed % 2:
            table[rng.random(table.shape) < 0.2] = np.nan
        labels = rng.integers(0, classes, n).astype(np.int32)
        names = [f"x{j}" for j in range(table.shape[1])]
        data = dataset_of_numbers(
            "random", np.asarray(table, order=order), labels, tuple("abc"[:classes]), names
        )
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


def test_long_columns_agree_with_numpy():
    rng = np.random.default_rng(9)
    kinds = ["reals", "tied", "of every size", "close together", "close but one", "falling"]
    table = np.stack([KINDS[kind](rng, 60_000) for kind in kinds], axis=1)
    labels = rng.integers(0, 2, len(table)).astype(np.int32)
    data = dataset_of_numbers("long", table, labels, ("a", "b"), kinds)
    made = data.__dict__["_table"]
    for j, column in enumerate(table.T):
        values, codes = np.unique(column, return_inverse=True)
        assert np.array_equal(data.values[j], values) and np.array_equal(data.codes[j], codes)
        cases = (made.order[j] >> made.class_bits) & ((1 << made.case_bits) - 1)
        assert np.array_equal(cases, np.argsort(column, kind="stable"))


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("columns", [1, 3, 40])
def test_any_number_of_threads_gives_the_same(columns, order, monkeypatch):
    monkeypatch.setattr(induction_table, "WORTH_THREADS", 1)
    rng = np.random.default_rng(columns)
    table = np.asarray(rng.normal(size=(5000, columns)).round(2), order=order)
    table[rng.random(table.shape) < 0.1] = np.nan
    labels = rng.integers(0, 3, len(table)).astype(np.int32)
    alone = induction_table.rank_numbers(table, labels, 3)
    for n_jobs in (2, 3, 7, -1):
        together = induction_table.rank_numbers(table, labels, 3, n_jobs)
        assert np.array_equal(alone[0], together[0]) and np.array_equal(alone[4], together[4])
        for mine, other in zip(alone[1], together[1], strict=True):
            assert np.array_equal(mine, other)
        for row, other, size in zip(alone[2], together[2], alone[3], strict=True):
            assert np.array_equal(row[:size], other[:size])
        assert np.array_equal(alone[3], together[3])


def test_a_tree_is_the_same_for_any_number_of_threads():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(9000, 30)), rng.integers(0, 2, 9000)
    assert X.size > induction_table.WORTH_THREADS
    trees = [
        TreeClassifier(max_depth=6, n_jobs=n_jobs).fit(X, y).to_text() for n_jobs in (None, 2, -1)
    ]
    assert trees[0] == trees[1] == trees[2]
    with pytest.raises(ValueError, match="n_jobs"):
        TreeClassifier(n_jobs=0).fit(X, y)


def test_long_columns_are_ranked_one_by_one(monkeypatch):
    """So that Ctrl-C is answered between two of them."""
    together, rank = [], induction_table.rank_columns

    def counted(columns, *rest):
        together.append(columns.shape)
        return rank(columns, *rest)

    monkeypatch.setattr(induction_table, "rank_columns", counted)
    for n, most in (
        (induction_table.CELLS, 1),
        (induction_table.CELLS // 4, 4),
        (20, induction_table.CELLS // 20),
    ):
        together.clear()
        rng = np.random.default_rng(n)
        table, labels = rng.normal(size=(n, 19)), rng.integers(0, 2, n).astype(np.int32)
        names = [f"x{j}" for j in range(19)]
        data = dataset_of_numbers("long", table, labels, ("a", "b"), names)
        assert sum(columns for columns, _ in together) == 19
        assert max(columns for columns, _ in together) <= most
        assert all((data.codes[j] == np.argsort(np.argsort(table[:, j]))).all() for j in range(19))
