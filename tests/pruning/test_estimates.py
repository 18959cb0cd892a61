"""Estimates against worked examples, and the traversal on trees small enough for paper and
pencil.
"""

import numpy as np
import pytest

from pinetum.pruning import estimates
from pinetum.pruning.estimates import BottomUp
from pinetum.pruning.forest import Forest, Trees
from pinetum.pruning.kernels.id3 import Nodes
from pinetum.pruning.methods import prune_trees

# right, cases: NEBP, C4.5 at 25 %, SYNTH (rates)
RATES = [
    (1, 1, 0.322539, 0.750000, 1.052081),
    (2, 3, 0.532108, 0.685621, 1.395218),
    (5, 5, 0.086941, 0.242142, 0.958910),
    (9, 10, 0.184666, 0.244062, 1.033585),
    (95, 100, 0.067286, 0.073016, 0.926160),
]


def observed(n, c):
    return np.asarray(n - c, dtype=float)


@pytest.mark.parametrize(("c", "n", "nebp", "webp", "synth"), RATES)
def test_rates_agree_with_worked_examples(c, n, nebp, webp, synth):
    n, c = np.array([n]), np.array([c])
    assert estimates.naive(n, c)[0] / n[0] == pytest.approx(nebp, abs=5e-7)
    assert estimates.c45(n, c)[0] / n[0] == pytest.approx(webp, abs=5e-7)
    assert estimates.synth(n, c)[0] / n[0] == pytest.approx(synth, abs=5e-7)


@pytest.mark.parametrize(
    ("n", "e", "extra"),
    [
        (1, 0, 0.750000),
        (2, 0, 1.0),
        (3, 0, 1.110118),
        (5, 0, 1.210709),
        (10, 0, 1.294494),
        (100, 0, 1.376730),
        (2, 1, 0.796241),
        (3, 1, 1.056864),
        (5, 1, 1.270983),
        (5, 2, 1.239583),
        (14, 5, 1.794993),
        (10, 1, 1.440617),
        (20, 2, 1.702904),
        (100, 10, 2.814705),
        (1000, 100, 7.276903),
        (6, 0.5, 1.282141),
        (10, 9.6, 0.268),
    ],
)
def test_extra_errors_are_those_of_release_8(n, e, extra):
    assert estimates.c45([n], [n - e])[0] - e == pytest.approx(extra, abs=6e-7)


def test_an_empty_leaf_has_no_errors_and_no_case_right_is_infinitely_bad():
    zero = np.array([0])
    for estimate in (
        estimates.naive,
        estimates.naive_wald,
        estimates.naive_continuity,
        estimates.c45,
        estimates.clopper_pearson,
        estimates.synth,
        observed,
    ):
        assert estimate(zero, zero)[0] == 0.0
        assert not np.isnan(estimate(np.arange(1, 50), np.zeros(49, int))).any()
        n, c = (part.ravel() for part in np.indices((60, 60)))
        assert not np.isnan(estimate(n[c <= n], c[c <= n])).any()
    assert estimates.synth([7], [0])[0] == np.inf


def test_the_exact_limit_is_the_binomial_one():
    assert estimates.clopper_pearson([3], [2])[0] - 1 == pytest.approx(1.0209, abs=5e-5)
    assert estimates.clopper_pearson([100], [90])[0] - 10 == pytest.approx(2.8211, abs=5e-5)


def forest_of(tree):
    """A forest of one binary tree: a leaf is (class 0, class 1), an inner node [left, right]."""
    rows = []

    def add(part, parent):
        i = len(rows)
        rows.append(None)
        if isinstance(part, tuple):
            counts, feature, children = np.array(part), -1, []
        else:
            children = [add(child, i) for child in part]
            counts, feature = sum(rows[j][0] for j in children), 0
        rows[i] = counts, feature, parent, children
        return i

    add(tree, -1)
    train = np.array([row[0] for row in rows], np.int32)
    label = train.argmax(axis=1).astype(np.int32)
    first = np.cumsum([0] + [len(row[3]) for row in rows]).astype(np.int32)
    nodes = Nodes(
        feature=np.array([row[1] for row in rows], np.int32),
        parent=np.array([row[2] for row in rows], np.int32),
        label=label,
        n=train.sum(axis=1).astype(np.int32),
        c=train.max(axis=1).astype(np.int32),
        first=first,
        children=np.array([j for row in rows for j in row[3]], np.int32),
        train=train,
    )
    return Forest(np.array([0, len(rows)]), nodes, train)


@pytest.mark.parametrize(
    ("tree", "nodes", "nebp", "webp", "synth"),
    [
        ([(3, 0), (1, 0)], 1, 0.425460, 1.171573, 3.889087),
        ([(1, 0), (0, 1)], 3, 0.645078, 1.500000, 2.104161),
        ([[(5, 0), (2, 1)], (0, 1)], 3, 2.140343, 3.147293, 9.644353),
    ],
)
def test_tiny_trees(tree, nodes, nebp, webp, synth):
    forest = forest_of(tree)
    for name, errors in (("NEBP", nebp), ("WEBP", webp), ("SYNTH", synth)):
        made = prune_trees(name, Trees(forest))
        assert made.nodes[0] == nodes, name
        assert made.errors[0] == pytest.approx(errors, abs=5e-7), name
    assert forest.unpruned().nodes[0] == len(forest.nodes.n)


def test_charge_and_slack_act_in_the_comparison_and_only_the_charge_is_handed_up():
    forest = forest_of([(1, 0), (0, 1)])
    kept = forest.pruned(BottomUp(observed, charge=0.41))
    assert kept.nodes[0] == 3 and kept.errors[0] == pytest.approx(0.41)
    assert forest.pruned(BottomUp(observed, slack=1.0)).nodes[0] == 1
    assert forest.pruned(BottomUp(observed, slack=0.99)).nodes[0] == 3
