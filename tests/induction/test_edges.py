"""Where a rule just holds and just does not, by hand."""

import numpy as np
import pytest

from pinetum.constants import GAIN_RATIO, INFO_UNIT, QUALITY_GRID, WEIGHT_UNIT
from pinetum.data.dataset import Dataset
from pinetum.induction import Grower, c45, yadt
from pinetum.induction.kernels.bundles import FOUND
from pinetum.induction.kernels.candidates import average_gain
from pinetum.induction.kernels.quality import Rules, least_side, on_grid, worth
from pinetum.induction.pruning import error_based, extra_errors

RULES = Rules(GAIN_RATIO, WEIGHT_UNIT, 0, 2 * WEIGHT_UNIT, 0, 1, 0, 0, 1, 0.0, -1, 0, 0)


def test_release_8_takes_all_but_half_a_case_wrong_as_nearly_all():
    """The limit itself would add the half case that is right."""
    assert extra_errors(2.0, 1.5) == pytest.approx(0.67 * 0.5)
    assert extra_errors(2.0, 1.5, limits="j48") == pytest.approx(0.5)


def test_the_average_gain_may_be_missed_by_a_thousandth():
    found = np.zeros(3, FOUND)
    found["gain"], found["split"] = np.array([4, 8, 12]) * QUALITY_GRID, 1
    features, numbers = np.arange(3), np.zeros(3, dtype=bool)
    least = average_gain(found, features, 3, features, numbers, np.array([2, 2, 2]), 10)
    assert least == pytest.approx((8 - 0.001) * QUALITY_GRID, rel=1e-12)


def test_the_average_gain_asks_the_offered_features_alone():
    """What earlier trees left behind is not looked at: what is not offered is as if absent."""
    codes = np.array([[0, 0, 1, 1, 2, 2, 3, 3], [0, 1, 0, 1, 0, 1, 0, 1]], dtype=np.int32)
    labels = np.array([0, 0, 0, 1, 1, 1, 0, 1], dtype=np.int32)
    values = (tuple("abcd"), tuple("ab"))
    data = Dataset("few", codes, labels, np.zeros(2, bool), values, ("x", "y"), ("n", "p"))
    for feature in (0, 1):
        grower = Grower(data, c45(min_branch=1))
        grower.desk.active[:] = 1 << 60
        alone = Grower(data.take_features([feature]), c45(min_branch=1)).grow()
        assert grower.grow([feature]).sizes == alone.sizes


@pytest.mark.parametrize("known, least", [(30, 2), (100, 5), (480, 24), (500, 25), (5000, 25)])
def test_a_side_has_a_tenth_of_the_mean_class_from_2_to_25_cases(known, least):
    assert least_side(known * WEIGHT_UNIT, 2, RULES) == least * WEIGHT_UNIT


def test_qualities_are_rounded_to_the_nearest_step():
    for steps, rounded in ((2.4, 2), (2.6, 3), (-2.6, -3)):
        assert on_grid(np.int64(steps * INFO_UNIT / QUALITY_GRID), 1, 1) == rounded
        if steps > 0:
            mass, split = np.int64(10 * steps), np.int64(10 * QUALITY_GRID)
            weight = WEIGHT_UNIT * np.int64(1)
            assert worth(np.int64(1), mass, split, weight, RULES, 0) == rounded


@pytest.mark.parametrize("times", [1, 40])
@pytest.mark.parametrize("heavy", [False, True])
def test_of_equal_cuts_the_lowest_is_taken(times, heavy):
    codes = np.repeat(np.arange(6, dtype=np.int32), times)
    data = Dataset(
        name="mirrored",
        codes=codes[None],
        labels=((codes > 1) & (codes < 4)).astype(np.int32),
        continuous=np.array([True]),
        values=(np.arange(6.0),),
        feature_names=("x",),
        class_names=("out", "in"),
    )
    weights = {"weights": np.full(len(codes), 1.5)} if heavy else {}
    assert Grower(data, yadt(), **weights).grow().threshold[0] == 1.5


TIED = """
0010 0011 0010 1100 0100 1111 1001 1111 0111 1001 1100 1010 0100 0101 0100 1011
"""  # a, b, c and whether the class is y; as many cases have a = 0 as a = 1


def test_of_branches_as_large_the_last_is_raised():
    """Here the second child, which asks for b and c, stands for all; the first one would not."""
    cells = np.array([[int(cell) for cell in row] for row in TIED.split()], dtype=np.int32)
    data = Dataset(
        name="tied",
        codes=cells[:, :3].T.copy(),
        labels=cells[:, 3],
        continuous=np.zeros(3, dtype=bool),
        values=(("0", "1"),) * 3,
        feature_names=("a", "b", "c"),
        class_names=("n", "y"),
    )
    tree = Grower(data, c45(1)).grow()
    assert tree.to_text().startswith("a = 0:\n") and tree.totals[[1, 6]].tolist() == [8, 8]
    said = ["b = 0: y (7/3)", "b = 1:", "|   c = 0: n (6/1)", "|   c = 1: y (3)"]
    assert error_based(tree, data, cf=0.6).tree.to_text().splitlines() == said
