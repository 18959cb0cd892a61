"""Walking cases side by side gives what dropping them one by one gives."""

import numpy as np

from pinetum import TreeClassifier
from pinetum.induction import Grower, yadt
from pinetum.induction.cases import dataset_of_numbers


def test_walking_agrees_with_dropping():
    for seed in range(60):
        rng = np.random.default_rng(seed)
        n, classes = int(rng.integers(2, 80)), int(rng.integers(1, 4))
        table = rng.normal(size=(n, 4)).round(1)
        table[rng.random(table.shape) < [0.0, 0.15][seed % 2]] = np.nan
        labels = rng.integers(0, classes, n).astype(np.int32)
        data = dataset_of_numbers("random", table, labels, tuple("abc"[:classes]), tuple("wxyz"))
        tree = Grower(data, yadt(int(rng.integers(2, 9)))).grow()
        for cases in (
            table,
            np.asfortranarray(table),
            table.astype(np.float32),
            table[:1],
            table[:2],
            table[:3],
            table[:0],
        ):
            expected, shares = np.empty(len(cases), dtype=np.int32), np.empty((len(cases), classes))
            tree._spread(np.ascontiguousarray(cases, dtype=np.float64), expected, shares)
            assert np.array_equal(tree.predict(cases), expected), seed
            assert np.array_equal(tree.predict_proba(cases), shares), seed
        assert (tree._links is None) == (tree.n_nodes == 1)


def test_a_long_table_is_turned_into_float64_piece_by_piece():
    rng = np.random.default_rng(3)
    table = rng.normal(size=(40_001, 4)).astype(np.float32)
    table[rng.random(table.shape) < 0.001] = np.nan
    labels = rng.integers(0, 3, len(table)).astype(np.int32)
    model = TreeClassifier(min_cases=5000).fit(table, labels)
    whole = table.astype(np.float64)
    for cases in (table, np.asfortranarray(table), np.asfortranarray(whole)):
        assert np.array_equal(model.predict(cases), model.predict(whole))
        assert np.array_equal(model.predict_proba(cases), model.predict_proba(whole))
