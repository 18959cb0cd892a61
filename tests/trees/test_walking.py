"""Walking cases side by side gives what dropping them one by one gives."""

import numpy as np

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
        for cases in (table, np.asfortranarray(table), table[:1], table[:2], table[:3], table[:0]):
            expected, shares = np.empty(len(cases), dtype=np.int32), np.empty((len(cases), classes))
            tree._spread(np.ascontiguousarray(cases), expected, shares)
            assert np.array_equal(tree.predict(cases), expected), seed
            assert np.array_equal(tree.predict_proba(cases), shares), seed
        assert (tree._links is None) == (tree.n_nodes == 1)
