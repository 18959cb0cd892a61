"""The front of prunings against all prunings of small trees, and against cost-complexity's path."""

import itertools
import time
from dataclasses import replace

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from pinetum import TreeClassifier
from pinetum.pruning import prune, pruning_front
from pinetum.pruning.forest import Forest, grow_forest
from pinetum.pruning.front import fronts_of, lower_hull
from pinetum.pruning.kernels.front import mark_pruning, size_up
from pinetum.pruning.kernels.id3 import Nodes
from pinetum.pruning.library import as_tree, forest_of
from pinetum.pruning.methods.cost_complexity import critical_charges


def all_prunings(children, wrong, node=0):
    """(leaves, errors) of every pruning below a node."""
    yield 1, wrong[node]
    if children[node]:
        parts = (list(all_prunings(children, wrong, child)) for child in children[node])
        for choice in itertools.product(*parts):
            yield sum(leaves for leaves, _ in choice), sum(errors for _, errors in choice)


def children_of(forest, tree):
    low, high = forest.start[tree], forest.start[tree + 1]
    first, children = forest.nodes.first, forest.nodes.children
    lists = [children[first[node] : first[node + 1]] - low for node in range(low, high)]
    return [part.tolist() for part in lists]


def small_forest(rng, make_table):
    """Trees of two, three and one branches of which all prunings can be listed."""
    table = make_table(rng, cases=int(rng.integers(2, 12)), features=3, widest=3)
    table = replace(table, arity=np.maximum(table.arity, rng.integers(1, 4, 3)).astype(np.int32))
    return grow_forest(table, np.zeros((2, len(table.labels)), np.int8))


@pytest.mark.parametrize("most", [2**31 - 1, 3])
def test_front_is_the_best_of_all_prunings(most, make_table):
    compared = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        forest = small_forest(rng, make_table)
        wrong = rng.integers(0, 9, len(forest.nodes.n)).astype(float)
        hits = rng.integers(0, 9, len(wrong)).astype(np.int32)
        fronts, cut = fronts_of(forest, wrong, hits, most), np.zeros(len(wrong), np.uint8)
        for tree in range(len(forest)):
            children = children_of(forest, tree)
            if sum(not part for part in children) > 12:
                continue
            low, high = forest.start[tree], forest.start[tree + 1]
            wanted = {}
            for leaves, errors in all_prunings(children, wrong[low:high]):
                wanted[leaves] = min(errors, wanted.get(leaves, np.inf))
            begin = fronts.first[tree]
            size = min(fronts.first[tree + 1] - begin, most)
            found = fronts.errors[begin : begin + size]
            reached = (np.flatnonzero(np.isfinite(found)) + 1).tolist()
            allowed = {leaves: errors for leaves, errors in wanted.items() if leaves <= most}
            assert {leaves: found[leaves - 1] for leaves in reached} == allowed
            for leaves in reached:
                mark_pruning(tree, leaves, forest.links, fronts, cut)
                for right, sums in ((wrong, found), (hits, fronts.right[begin : begin + size])):
                    count, total = np.zeros((2, len(forest)))
                    size_up(forest.links, cut, right, count, total)
                    assert (count[tree], total[tree]) == (leaves, sums[leaves - 1])
                compared += 1
    assert compared > 150


def test_the_path_of_cost_complexity_is_the_hull(forests):
    for _, _, forest, _ in forests:
        critical, fronts = critical_charges(forest), fronts_of(forest, forest.wrong)
        for tree in range(len(forest)):
            low, high = forest.start[tree], forest.start[tree + 1]
            errors = fronts.errors[fronts.first[tree] : fronts.first[tree + 1]]
            reached = np.flatnonzero(np.isfinite(errors))
            hull = lower_hull(reached + 1, errors[reached])
            corners = {(int(i) + 1, float(errors[i])) for i in reached[hull]}
            path = set()
            for charge in {-1.0, *critical[low:high].tolist()} - {np.inf}:
                cut = (critical <= charge + 1e-12).astype(np.uint8)
                leaves, wrong = np.zeros((2, len(forest)))
                size_up(forest.links, cut, forest.wrong, leaves, wrong)
                path.add((int(leaves[tree]), float(wrong[tree])))
            least = min(wrong for _, wrong in path)
            smallest = min(leaves for leaves, wrong in path if wrong == least)
            assert corners == {point for point in path if point[0] <= smallest}


def test_the_hull_is_scikit_learns_path():
    for seed in range(8):
        rng = np.random.default_rng(seed)
        X = rng.integers(0, 6, (80, 4)).astype(float)
        y = (X[:, 0] + rng.integers(0, 4, 80)) // 3
        model = DecisionTreeClassifier(random_state=0).fit(X, y)
        theirs = DecisionTreeClassifier(random_state=0).cost_complexity_pruning_path(X, y)
        inner = model.tree_
        cost = inner.weighted_n_node_samples * inner.impurity / 80  # what their path adds up
        fronts = fronts_of(forest_of([as_tree(model)]), cost)
        errors = fronts.errors[np.isfinite(fronts.errors)]
        hull = errors[lower_hull(np.arange(1, len(errors) + 1), errors)]
        steps = np.unique(np.round(theirs.impurities, 9))
        assert all(np.abs(steps - value).min() < 1e-8 for value in hull)
        slopes = np.diff(np.round(theirs.ccp_alphas, 9))
        assert len(hull) == 1 + np.count_nonzero(slopes > 0)


def test_front_of_a_tree_gives_the_trees_it_promises():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(200, 4))
    y = (X[:, 0] > 0) ^ (rng.random(200) < 0.2)
    weights = rng.integers(1, 4, 200).astype(float)
    model = DecisionTreeClassifier(random_state=0).fit(X[:120], y[:120])
    kept = slice(120, 200)
    front = pruning_front(model, X[kept], y[kept], sample_weight=weights[kept], max_leaves=9)
    assert front.leaves.max() == 9 and front.cases == weights[kept].sum()
    for leaves, errors in zip(front.leaves, front.errors, strict=True):
        tree = front.at(leaves)
        wrong = tree.predict(X[kept]) != y[kept].astype(int)
        assert tree.sizes.leaves == leaves and weights[kept][wrong].sum() == errors
    best = front.best()
    assert best.sizes.leaves == front.leaves[np.argmin(front.errors)]
    with pytest.raises(ValueError, match="no pruning has 10 leaves"):
        front.at(10)
    with pytest.raises(ValueError, match="max_leaves = 0"):
        pruning_front(model, max_leaves=0)
    assert pruning_front(model).errors[-1] == 0
    assert front.plot({"PEP": prune(model, "PEP")}).get_xlabel() == "leaves"


def test_the_best_tree_of_at_most_some_leaves():
    rng = np.random.default_rng(5)
    X = rng.normal(size=(300, 3))
    y = ((X[:, 0] > 0) & (X[:, 1] > 0)) ^ (rng.random(300) < 0.15)
    chosen = TreeClassifier(prune="FRONT").fit(X, y)
    small = TreeClassifier(prune="FRONT", max_leaves=2).fit(X, y)
    assert 3 <= chosen.get_n_leaves() <= 8 and small.get_n_leaves() <= 2
    full = TreeClassifier().fit(X, y).tree_
    front = pruning_front(full)
    ends = chosen.tree_.feature < 0
    wrong = (chosen.tree_.totals - chosen.tree_.counts.max(axis=1))[ends].sum()
    assert wrong == front.errors[front.leaves == chosen.get_n_leaves()][0]


def test_a_tree_of_ten_thousand_nodes_takes_a_second():
    """Splits one below the other: as much work as any shape, and the most memory."""
    leaves = 5000
    chain = np.arange(2 * leaves - 1)
    parent = np.where(chain % 2 == 1, chain - 1, chain - 2).astype(np.int32)
    parent[0] = -1
    feature = np.where((chain % 2 == 0) & (chain < 2 * leaves - 2), 0, -1).astype(np.int32)
    wrong = np.random.default_rng(0).integers(0, 9, len(chain)).astype(float)

    nodes = Nodes(feature, parent, *(chain for _ in range(5)), chain[:, None])
    forest = Forest(np.array([0, len(chain)]), nodes, chain[:, None])
    fronts_of(forest, wrong)
    begun = time.process_time()
    fronts = fronts_of(forest, wrong)
    assert np.isfinite(fronts.errors).all() and time.process_time() - begun < 1
