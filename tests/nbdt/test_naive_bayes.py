"""Estimates against counting in fractions, and prediction."""

import numpy as np
import pytest

from pinetum.nbdt.naive_bayes import NaiveBayes


@pytest.mark.parametrize("seed", range(40))
def test_estimates(twin, seed):
    rng = np.random.default_rng(seed)
    n, cases, classes, alpha = (
        int(rng.integers(1, 5)),
        int(rng.integers(1, 9)),
        1 + seed % 4,
        seed % 3,
    )
    arity = rng.integers(1, 5, n)
    codes = np.array([rng.integers(0, r, cases) for r in arity])
    labels = rng.integers(0, classes, cases)
    prior, tables = twin.estimate(codes, labels, arity, classes, alpha)
    model = NaiveBayes.estimate(codes, labels, arity, classes, alpha)
    np.testing.assert_allclose(model.prior, [float(p) for p in prior], atol=1e-15)
    want = [[float(p) for table in tables for p in table[c]] for c in range(classes)]
    np.testing.assert_allclose(model.given, want, atol=1e-15)


def test_a_missing_cell_is_not_counted():
    model = NaiveBayes.estimate(np.array([[0, -1, 1]]), [0, 0, 0], [2], 1, 1.0)
    np.testing.assert_allclose(model.given, [[0.5, 0.5]])


def test_prediction_and_its_ties():
    codes, labels = np.array([[0, 0, 1, 1]]), np.array([0, 0, 1, 1])
    model = NaiveBayes.estimate(codes, labels, [2], 2)
    assert model.predict(codes).tolist() == [0, 0, 1, 1]
    assert model.predict(np.array([[-1]])).tolist() == [0]  # equal: the lowest class
    plain = NaiveBayes.estimate(codes, labels, [3], 2, alpha=0)
    assert plain.predict(np.array([[2, 0]])).tolist() == [0, 0]  # impossible under both classes


@pytest.mark.parametrize(
    "codes, labels, arity, alpha, word",
    [
        ([[0]], [0], [1], -1, "alpha"),
        ([[0, 1]], [0], [2], 1, "shape"),
        ([[2]], [0], [2], 1, "domain"),
        ([[-1, 0, 1]], [0, 1, 1], [2], 0, "no case of class 0 has a known value of feature 0"),
        (np.empty((0, 1), int), [0], [], 1, "needs"),
    ],
)
def test_what_is_refused(codes, labels, arity, alpha, word):
    with pytest.raises(ValueError, match=word):
        NaiveBayes.estimate(codes, labels, arity, 2, alpha)
