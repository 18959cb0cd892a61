"""The front with raising against every tree that replacing and raising can make."""

import itertools

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from pinetum.pruning import prune
from pinetum.pruning.library import as_tree
from pinetum.pruning.raising_front import raising_front


def all_trees(tree, X, labels, weights, node, rows):
    """(leaves, errors) of all that a node and its cases can become."""
    counts = np.bincount(labels[rows], weights[rows], minlength=tree.n_classes)
    yield 1, counts.sum() - counts.max()
    if tree.feature[node] >= 0:
        below = tree.branches(node)
        right = X[rows, tree.feature[node]] > tree.threshold[node]
        parts = [
            list(all_trees(tree, X, labels, weights, child, rows[right == b]))
            for b, child in enumerate(below)
        ]
        for one, two in itertools.product(*parts):
            yield one[0] + two[0], one[1] + two[1]
        for child in below:
            yield from all_trees(tree, X, labels, weights, child, rows)


def drawn(seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 4, (int(rng.integers(5, 40)), 3)).astype(float)
    labels = rng.integers(0, 3, len(X))
    labels[:3] = 0, 1, 2
    weights = rng.integers(1, 4, len(X)).astype(float)
    return X, labels, weights, DecisionTreeClassifier(random_state=seed, max_depth=3).fit(X, labels)


@pytest.mark.parametrize("most", [None, 3])
def test_front_is_the_best_of_all_trees(most):
    gained = 0
    for seed in range(30):
        X, labels, weights, model = drawn(seed)
        tree = as_tree(model)
        wanted = np.full(tree.n_nodes + 1, np.inf)
        for leaves, errors in all_trees(tree, X, labels, weights, 0, np.arange(len(X))):
            wanted[leaves] = min(wanted[leaves], errors)
        wanted = np.minimum.accumulate(wanted[1:])
        front = raising_front(model, X, labels, sample_weight=weights, max_leaves=most)
        n = len(front.errors)
        assert front.status == "optimal" and (front.errors == wanted[:n]).all()
        assert most is not None or front.errors[-1] == wanted[-1]
        for leaves in front.leaves:
            made = front.best(leaves)
            wrong = made.predict(X) != labels
            assert made.sizes.leaves <= leaves and weights[wrong].sum() == front.errors[leaves - 1]
        plain = raising_front(model, X, labels, sample_weight=weights, max_leaves=most, work=0)
        assert plain.status == "work_limit" or model.tree_.node_count == 1
        size = min(n, len(plain.errors))
        gained += (front.errors[:size] < plain.errors[:size]).any()
        assert (front.errors[:size] <= plain.errors[:size]).all()
    assert gained > 5


def test_no_error_based_pruning_is_better():
    for seed in range(5):
        X, labels, _, model = drawn(seed)
        pruned, front = prune(model, "EBP", X, labels), raising_front(model, X, labels)
        wrong = (pruned.predict(X) != labels).sum()
        assert front.errors[min(pruned.sizes.leaves, len(front.errors)) - 1] <= wrong
