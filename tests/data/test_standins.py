"""Stand-ins: the stated shapes, the same every time, and something in them to learn."""

import numpy as np
import pytest

from arboretum.data import standins
from arboretum.data.encode import check_shape

SMALL = ["database-marketing_standin", "dim_standin", "bright_standin", "prostate-snp_standin", "breast-snp_standin"]


@pytest.mark.parametrize("name", SMALL)
def test_shape_and_repetition(name, catalogue):
    entry = catalogue["datasets"][name]
    [source] = entry["sources"]
    dataset = standins.make(name, source["standin"])
    check_shape(dataset, entry["shape"], name)
    assert dataset == standins.make(name, source["standin"])
    assert dataset != standins.make(name, {"seed": 2})


def test_numbers_of_values():
    assert standins.make("prostate-snp_standin", {"seed": 1}).arity.sum() == 126
    assert set(standins.make("breast-snp_standin", {"seed": 1}).arity) == {4}


@pytest.mark.parametrize(("name", "best"), [("dim_standin", 0.30), ("bright_standin", 0.15)])
def test_a_plane_separates_the_stars(name, best):
    dataset = standins.make(name, {"seed": 1})
    X = np.column_stack([dataset.numbers(), np.ones(dataset.n_cases)])
    weights = np.linalg.lstsq(X, 2.0 * dataset.labels - 1, rcond=None)[0]
    errors = np.mean((X @ weights > 0) != dataset.labels)
    assert 0.001 < errors < best


@pytest.mark.slow
def test_the_large_ones(catalogue):
    for name in ("gisette_standin", "p53_standin"):
        dataset = standins.make(name, {"seed": 1})
        check_shape(dataset, catalogue["datasets"][name]["shape"], name)
        assert (dataset.arity > 1).all()
