"""What holds model files together: schemas, lists of numbers, lists of children."""

import re
from itertools import pairwise

import numpy as np
import pytest

from pinetum.data import DataError
from pinetum.data.schema import check_tree, real_numbers, validated, whole_numbers

SCHEMA = {
    "type": "object",
    "additionalProperties": False,
    "required": ["a", "b"],
    "properties": {"a": {}, "b": {}},
}


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ({"a": 1}, "the whole: misses b"),
        ({}, "the whole: misses a, b"),
        ({"a": 1, "b": 2, "c": 3}, "the whole: unknown key c"),
        ([], "the whole: [] is not of type object"),
    ],
)
def test_a_fault_is_named(content, says):
    with pytest.raises(DataError, match=re.escape(says)):
        validated(content, SCHEMA)


@pytest.mark.parametrize(
    ("values", "count", "says"),
    [
        ([0, 3], None, "x: 3 is not from 0 to 2"),
        ([-1, 0], None, "x: -1 is not from 0 to 2"),
        ([0, 1], 3, "x: 2 entries instead of 3"),
        ([[0]], None, "x: 1 entries"),
        ([0.5], None, "x: not whole numbers"),
        ([[0], [0, 1]], None, "x: not a list of numbers"),
    ],
)
def test_whole_numbers_in_their_range(values, count, says):
    with pytest.raises(DataError, match=says):
        whole_numbers(values, "x", 0, 2, count=count)


def test_numbers_that_fit_are_taken():
    assert whole_numbers([0, 2, 1], "x", 0, 2, count=3).tolist() == [0, 2, 1]
    assert whole_numbers([], "x", 0, 2).tolist() == []
    assert np.isnan(real_numbers([1.0, None], "x", low=0.0, shape=(2,))[1])
    with pytest.raises(DataError, match=r"x: -1\.0 is not from 0\.0 to inf"):
        real_numbers([1.0, -1.0], "x", low=0.0)


def test_every_list_of_children_is_one_tree_or_refused():
    """All lists of children of up to four nodes, against a walk from the root that must meet every
    node once.
    """
    rng = np.random.default_rng(0)
    trees = 0
    for _ in range(3000):
        nodes = int(rng.integers(1, 5))
        sizes = rng.integers(0, 4, nodes)
        children = rng.integers(0, nodes + 1, int(sizes.sum()))
        if rng.random() < 0.6:
            children = np.sort(children) if rng.random() < 0.5 else np.arange(1, len(children) + 1)
        start = np.concatenate([[0], np.cumsum(sizes)])
        lists = [children[a:b].tolist() for a, b in pairwise(start)]
        met, waiting = [], [0]
        while waiting and len(met) <= nodes:
            met.append(waiting.pop())
            waiting += lists[met[-1]] if met[-1] < nodes else []
        wanted = sorted(met) == list(range(nodes)) and all(
            min(c, default=9) > i for i, c in enumerate(lists)
        )
        try:
            check_tree(start, children)
            found = True
        except DataError:
            found = False
        assert found == wanted, (start, children)
        trees += found
    assert trees > 100
