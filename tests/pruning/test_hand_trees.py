"""The pruners beyond the paper on trees worked by hand from their published definitions."""

import numpy as np
import pytest

from pinetum.pruning.forest import Forest, Pruned, Trees
from pinetum.pruning.kernels.id3 import Cases, Nodes
from pinetum.pruning.kernels.raising import Estimate, raised_designs
from pinetum.pruning.methods.cost_complexity import critical_charges
from pinetum.pruning.methods.minimum_error import minimum_error
from pinetum.pruning.methods.pessimistic import pessimistic
from pinetum.pruning.methods.reduced_error import reduced_error
from pinetum.pruning.readings import Reading


def forest_of(structure, tests=None, probes=None):
    """structure: per node (parent, feature, class counts) in preorder.

    Labels are the majorities.
    """
    train = np.array([row[2] for row in structure], np.int32)
    parent = np.array([row[0] for row in structure], np.int32)
    label = train.argmax(axis=1).astype(np.int32)
    children = [np.flatnonzero(parent == i) for i in range(len(parent))]
    nodes = Nodes(
        feature=np.array([row[1] for row in structure], np.int32),
        parent=parent,
        label=label,
        n=train.sum(axis=1).astype(np.int32),
        c=train.max(axis=1).astype(np.int32),
        first=np.cumsum([0] + [len(some) for some in children]).astype(np.int32),
        children=np.concatenate(children).astype(np.int32),
        train=train,
    )
    counts = train if tests is None else np.array(tests, np.int32)
    return Forest(
        np.array([0, len(parent)]),
        nodes,
        counts,
        None if probes is None else np.array(probes, np.int32),
    )


# root (26, 14): left (20, 4) splits into (16, 1) and (4, 3); right is the leaf (6, 10)
TREE = [(-1, 0, (26, 14)), (0, 1, (20, 4)), (1, -1, (16, 1)), (1, -1, (4, 3)), (0, -1, (6, 10))]


def test_pessimistic_pruning_by_hand():
    # Left: 4 errors + 1/2 as a leaf; its leaves have 4 + 2/2 = 5, within which a leaf is not worse:
    # pruned. Root: 14.5 against 10 + 3/2 = 11.5 with standard error sqrt(11.5 * 28.5 / 40) = 2.86:
    # 14.5 > 14.36, kept.
    made = pessimistic(Trees(forest_of(TREE)), Reading())
    assert made.nodes[0] == 3
    assert made.cut.tolist() == [0, 1, 0, 0, 0]


def test_minimum_error_pruning_by_hand():
    # Prior (0.65, 0.35), m = 2. Leaves: (1 + .7) / 19 = .08947, (3 + .7) / 9 = .41111, (6 + 1.3) /
    # 18 = .40556. Left as a leaf: (4 + .7) / 26 = .18077; as a tree 17/24 * .08947 + 7/24 * .41111
    # = .18329: pruned. Root as a leaf: (14 + .7) / 42 = .35; as a tree 24/40 * .18077 + 16/40 *
    # .40556 = .27068: kept.
    made = minimum_error(Trees(forest_of(TREE)), Reading())
    assert made.nodes[0] == 3
    assert made.errors[0] == pytest.approx(40 * 0.270684, abs=1e-4)


def test_the_m_estimate_may_prefer_another_class_than_the_majority():
    # Prior (0.8, 0.2): a leaf (1, 2) has (1 + 1.6) / 5 for class 0 and (2 + .4) / 5 for class 1.
    # As leaves .8 * .1 + .2 * .48 = .176, as one leaf 1 - (12 + 1.6) / 17 = .2: kept, and the
    # second says class 0.
    forest = forest_of(
        [(-1, 0, (12, 3)), (0, -1, (11, 1)), (0, -1, (1, 2))], tests=[(6, 4), (0, 0), (6, 4)]
    )
    made = minimum_error(Trees(forest), Reading())
    assert (made.nodes[0], made.hits[0]) == (3, 6)
    assert made.errors[0] == pytest.approx(15 * 0.176)


def test_cost_complexity_by_hand():
    # Left: g = (4 - (1 + 3)) / 1 = 0, cut first. Root then: (14 - (4 + 6)) / (2 - 1) = 4.
    critical = critical_charges(forest_of(TREE))
    assert critical[:2].tolist() == [0.0, 4.0][::-1]
    assert np.isinf(critical[2:]).all()


def test_a_weaker_link_above_takes_its_subtree_along():
    # Inner (4, 2) into pure leaves: g = 2 / 1 = 2. Root (9, 2): (2 - 0) / (3 - 1) = 1 is weaker and
    # goes first.
    tree = [(-1, 0, (9, 2)), (0, 1, (4, 2)), (1, -1, (4, 0)), (1, -1, (0, 2)), (0, -1, (5, 0))]
    critical = critical_charges(forest_of(tree))
    assert critical[0] == 1.0 and np.isinf(critical[1:]).all()


def test_reduced_error_pruning_by_hand():
    # The pruning cases at the left node are (3, 2): a leaf of class 0 errs twice; its leaves say 0
    # and 0: the same two. Not worse, so it is pruned. At the root (5, 7): a leaf errs 7 times, the
    # tree 2 + (5 - 3 = 2) = 4: kept.
    tests = [(5, 7), (3, 2), (1, 1), (2, 1), (2, 5)]
    probes = [(10, 10), (6, 2), (3, 1), (3, 1), (4, 8)]
    made = reduced_error(Trees(None, holdout=forest_of(TREE, tests, probes)), Reading())
    assert (made.nodes[0], made.errors[0], made.hits[0]) == (3, 4.0, 6 + 8)


def test_raising_by_hand():
    # Feature 0 sends one case left, eight right; the right subtree (feature 1) separates the
    # classes perfectly, and so it does with the odd case. Kept as it is the root costs 3 leaves,
    # raised it costs 2: the branch is raised.
    codes = np.array([[0] + [1] * 8, [0] + [0] * 4 + [1] * 4], np.int16)
    labels = np.array([0] + [0] * 4 + [1] * 4, np.int32)
    forest = forest_of(
        [(-1, 0, (5, 4)), (0, -1, (1, 0)), (0, 1, (4, 4)), (2, -1, (4, 0)), (2, -1, (0, 4))]
    )
    made = Pruned.empty(1, 0)
    cases = Cases(codes, labels, np.array([2, 2], np.int32))
    estimate = Estimate(0.25, 0.47955625)
    roles = np.zeros((1, 9), np.int8)
    raised_designs(cases, roles, forest.nodes, forest.start, estimate, made.outcome)
    assert made.nodes[0] == 3
    # a pure leaf of n cases costs n (1 - .25^(1/n))
    assert made.errors[0] == pytest.approx(5 * (1 - 0.25 ** (1 / 5)) + 4 * (1 - 0.25 ** (1 / 4)))
