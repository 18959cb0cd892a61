"""The opt-feature list at random posteriors."""

import numpy as np
import pytest

from pinetum.nbdt.fixed_depth import TwoClassSolver
from pinetum.nbdt.kernels.feature_lists import (
    GUIDE,
    best_listed,
    contenders,
    guide_of,
    opt_feature_list,
)


def accuracies(model, x):
    joint = np.array([1 - x, x])[:, None] * model.given
    return np.add.reduceat(joint.max(axis=0), model.start[:-1])


@pytest.mark.parametrize("seed", range(60))
def test_the_best_features_at_every_posterior(twin, seed):
    rng = np.random.default_rng(seed)
    _, tables, model = twin.random_problem(rng)
    width = int(rng.integers(1, 7))
    minus, plus = model.given
    breaks, listed, gain_plus, gain_minus = opt_feature_list(plus, minus, model.start, width)
    width = min(width, len(tables))
    assert breaks[0] == 0 and breaks[-1] == 1 and (np.diff(breaks) > 0).all()
    assert listed.shape == (len(breaks) - 1, width)
    assert all(len(set(row)) == width for row in listed.tolist())
    for x in np.concatenate((breaks, (breaks[1:] + breaks[:-1]) / 2, rng.random(30))):
        piece = min(np.searchsorted(breaks, x, side="right") - 1, len(listed) - 1)
        exact = accuracies(model, x)
        mine = exact[listed[piece].astype(int)]
        np.testing.assert_allclose(mine, np.sort(exact)[::-1][:width], atol=1e-12)
        np.testing.assert_allclose(
            mine, x * gain_plus[piece] + (1 - x) * gain_minus[piece], atol=1e-12
        )


@pytest.mark.parametrize("seed", range(30))
def test_no_contender_is_missed_among_many_features(seed):
    """Ranks in the middle of every piece, equal features by index.

    Probabilities of a few values give many ties.
    """
    from pinetum.nbdt.naive_bayes import NaiveBayes

    rng = np.random.default_rng(seed)
    tables = []
    for _ in range(rng.integers(20, 70)):
        table = rng.integers(0, 5, (2, rng.integers(2, 5)))
        table[:, 0] += table.sum(axis=1) == 0
        tables.append((table / table.sum(axis=1, keepdims=True)).tolist())
    tables += [tables[i] for i in rng.integers(0, len(tables), 8)]
    model = NaiveBayes.from_tables([0.5, 0.5], tables)
    width = 1 + seed % 4
    minus, plus = model.given
    assert len(contenders(plus, minus, model.start, width)) < len(tables)
    breaks, listed, _, _ = opt_feature_list(plus, minus, model.start, width)
    for x, row in zip((breaks[1:] + breaks[:-1]) / 2, listed.tolist(), strict=True):
        best = np.argsort(-accuracies(model, x).round(11), kind="stable")[:width]
        assert row == best.tolist()


@pytest.mark.parametrize("seed", range(20))
def test_looking_up(twin, seed):
    rng = np.random.default_rng(seed)
    _, tables, model = twin.random_problem(rng)
    solver = TwoClassSolver(model, 3)
    listed = solver.listed()
    for x in np.concatenate(
        (solver.opt_feature_list[0], np.arange(0, GUIDE + 1, 97) / GUIDE, rng.random(50))
    ):
        used = np.zeros(len(tables), bool)
        used[rng.permutation(len(tables))[: rng.integers(0, min(3, len(tables)))]] = True
        mass = rng.random()
        found = lookup(x * mass, (1 - x) * mass, used, listed)
        assert found == pytest.approx(mass * accuracies(model, x)[~used].max(), abs=1e-12)


def lookup(y_plus, y_minus, used, listed):
    return best_listed(y_plus, y_minus, used, *listed)


def test_the_list_is_exact_where_many_features_tie():
    """Every feature is worth 1 at both ends; equal features come in order of their index."""
    table = [[0.5, 0.5], [0.25, 0.75]]
    from pinetum.nbdt.naive_bayes import NaiveBayes

    model = NaiveBayes.from_tables([0.5, 0.5], [table] * 9)
    _, listed, _, _ = opt_feature_list(model.given[1], model.given[0], model.start, 4)
    assert (listed == [0, 1, 2, 3]).all()
    assert len(guide_of(np.array([0.0, 0.5, 1.0]))) == GUIDE + 1
