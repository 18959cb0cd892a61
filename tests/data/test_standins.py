"""Stand-ins: the stated shapes, the same every time, and something in them to learn."""

import numpy as np
import pytest

from pinetum.data import standins
from pinetum.data.encode import check_shape

SMALL = [
    "database-marketing_standin",
    "dim_standin",
    "bright_standin",
    "prostate-snp_standin",
    "breast-snp_standin",
]


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


def test_the_large_ones_by_samples_of_their_columns(catalogue):
    """Whole, they are checked against their entries whenever they are made (Gisette 2 s, p53 16
    s).
    """
    shape = catalogue["datasets"]["p53_standin"]["shape"]
    columns, labels, names = standins._mutants(np.random.default_rng(1))
    assert (len(columns), len(labels)) == (shape["features"], shape["cases"])
    assert dict(zip(names, np.bincount(labels).tolist(), strict=True)) == shape["classes"]
    for number in (0, 41, 5407):
        domain, codes = standins._ranked(columns[number])
        assert 100 < len(domain) < 255
        np.testing.assert_array_equal(domain[codes], columns[number])
    with pytest.raises(IndexError):
        columns[5408]
    active = labels == 1  # the factors that make a mutant active show in the measures built on them
    assert abs(columns[2][active].mean() - columns[2][~active].mean()) > 3 * columns[
        2
    ].std() / np.sqrt(151)
