"""Numbers near the end of float64: cuts lie between them, and what cannot take them says so."""

import numpy as np
import pandas as pd
import pytest

from pinetum.data import Table
from pinetum.data.discretise import discretised, midpoint
from pinetum.induction import Grower, c45, yadt
from pinetum.separators.explore import unsuitable
from pinetum.separators.scaling import Scaling

HUGE = np.array([-1.79e308, -1.7e308, 1.5e308, 1.79e308])


def table():
    size = np.repeat(HUGE, 10)
    return Table.from_frame(
        pd.DataFrame({"size": size, "kind": np.repeat(["a", "b", "a", "b"], 10)}), "kind"
    )


@pytest.mark.parametrize("rules", [yadt(2), c45(2)], ids=["yadt", "c45"])
def test_grown_trees_cut_between_huge_numbers(rules):
    data = table()
    tree = Grower(data, rules).grow()
    assert np.isfinite(tree.threshold[tree.feature >= 0]).all() and tree.errors(data) == 0
    assert (tree.predict(data.numbers()) == data.labels).all()


def test_midpoints_lie_between():
    for low, high in [
        (1.7e308, 1.79e308),
        (-1.79e308, -1.7e308),
        (-1.79e308, 1.79e308),
        (1.0, np.nextafter(1.0, 2)),
    ]:
        assert low <= midpoint(low, high) < high
    data = discretised(table())
    assert data.arity[0] >= 2 and "inf" not in "".join(data.values[0])[5:-4]


def test_intervals_that_twelve_digits_do_not_tell_apart_keep_their_names():
    size = np.repeat(1 + np.arange(6) * 1e-15, 20)
    data = discretised(
        Table.from_frame({"size": size, "kind": np.repeat(["a", "b"] * 3, 20)}, "kind")
    )
    assert len(set(data.values[0])) == len(data.values[0]) == 6


def test_planes_refuse_what_they_cannot_scale():
    with pytest.raises(
        ValueError, match=r"column 1 reaches 1\.79e\+308; planes take numbers up to 1e\+150"
    ):
        Scaling.fit(np.column_stack([np.ones(4), HUGE]))
    assert "size reaches 1.79e+308; give it in a larger unit" in unsuitable(table(), 2)
