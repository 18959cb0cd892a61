"""Cross-validation on one presorted table, and the list of criteria."""

import numpy as np
import pytest

from pinetum.criteria import CRITERIA
from pinetum.induction import Grower, Options, c45, cross_val_errors, yadt


@pytest.mark.parametrize("options", [yadt(2), c45(2)], ids=["yadt", "c45"])
def test_folds_err_like_trees_grown_from_their_cases_alone(options, twin):
    for seed in range(20):
        rng = np.random.default_rng([seed, 41])
        data = twin.random_table(rng, cases=int(rng.integers(10, 90)))
        folds = rng.permutation(data.n_cases) % 4 - (seed % 2)
        errors = cross_val_errors(data, options, folds)
        for number, count in zip(sorted(set(folds[folds >= 0])), errors, strict=True):
            test = np.flatnonzero(folds == number)
            tree = Grower(data.take_cases(np.flatnonzero(folds != number)), options).grow()
            if options.training_thresholds:
                tree = Grower(data, options, cases=np.flatnonzero(folds != number)).grow()
            assert count == np.count_nonzero(tree.predict(data, test) != data.labels[test]), seed


def test_folds_that_cannot_be_are_refused(twin):
    data = twin.random_table(np.random.default_rng(3), cases=12)
    for folds in (
        np.zeros(12, dtype=int),
        np.full(12, -1),
        np.zeros(11, dtype=int),
        np.linspace(0, 1, 12),
    ):
        with pytest.raises(ValueError, match="folds"):
            cross_val_errors(data, None, folds)


def test_every_criterion_splits_and_an_unknown_one_is_refused(twin):
    data = twin.random_table(np.random.default_rng(8), cases=60, missing=0.0, n_classes=2)
    for name in CRITERIA:
        tree = Grower(data, Options(criterion=name)).grow()
        assert tree.n_nodes > 1, name
        assert twin.nested(tree) == twin.plain(twin.grow(data, Options(criterion=name))), name
    for name in ("entropie", None, 3, ["gain"]):
        with pytest.raises(ValueError, match="expected one of gain, gain_ratio, gini"):
            Options(criterion=name)
