"""Every compiled pruner against a plain recursive twin on thousands of random trees, and on
hand-worked ones.
"""

from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from pinetum.pruning.estimates import BottomUp, bottom_up_pruners, c45, tuned_pruners
from pinetum.pruning.forest import Pruned, Trees, grow_forest
from pinetum.pruning.kernels.raising import raised_designs
from pinetum.pruning.methods.cost_complexity import cost_complexity, critical_charges
from pinetum.pruning.methods.minimum_error import minimum_error
from pinetum.pruning.methods.pessimistic import pessimistic
from pinetum.pruning.methods.raising import c45_estimate
from pinetum.pruning.methods.reduced_error import reduced_error
from pinetum.pruning.methods.tuning import preferred, tuned_error_based
from pinetum.pruning.readings import Reading
from pinetum.pruning.table import Table


@pytest.mark.parametrize("name", ["NEBP", "WEBP", "SYNTH", "SYNTH+"])
def test_bottom_up_pruners_agree_with_recursion(name, forests, twin):
    pruner = bottom_up_pruners(Reading())[name]

    @cache
    def errors_of(n, c):
        return float(pruner.estimate(np.array([n]), np.array([c]))[0])

    for _, _, forest, _ in forests:
        made, whole = forest.pruned(pruner), forest.unpruned()
        for t in range(len(forest)):
            tree = twin.nested(forest, t)
            assert (whole.nodes[t], whole.hits[t]) == (twin.size(tree), twin.hits(tree))
            tree, errors = twin.bottom_up(
                tree, lambda node: errors_of(node.n, node.c), pruner.slack, pruner.charge
            )
            assert made.errors[t] == pytest.approx(errors)
            assert (made.nodes[t], made.hits[t]) == (twin.size(tree), twin.hits(tree))


def test_kept_nodes_are_those_without_a_cut_above(forests):
    for _, _, forest, _ in forests[:5]:
        made = forest.pruned(bottom_up_pruners(Reading())["WEBP"])
        kept = np.add.reduceat(forest.kept(made.cut).astype(int), forest.start[:-1])
        assert (kept == made.nodes).all()


def test_pessimistic_pruning_agrees_with_recursion(forests, twin):
    for _, _, forest, _ in forests:
        made = pessimistic(Trees(forest), Reading())
        for t in range(len(forest)):
            tree = twin.pessimistic(twin.nested(forest, t))
            assert (made.nodes[t], made.hits[t]) == (twin.size(tree), twin.hits(tree))


@pytest.mark.parametrize("m", [0.5, 2.0])
def test_minimum_error_pruning_agrees_with_recursion(m, forests, twin):
    for _, _, forest, _ in forests:
        made = minimum_error(Trees(forest), Reading(m_estimate=m))
        for t in range(len(forest)):
            tree = twin.nested(forest, t)
            tree = twin.minimum_error(tree, tree.train / tree.n, m)
            assert (made.nodes[t], made.hits[t]) == (twin.size(tree), twin.hits(tree))


def test_reduced_error_pruning_agrees_with_recursion(forests, twin):
    for _, _, forest, probes in forests:
        object.__setattr__(forest, "probes", probes)
        made = reduced_error(Trees(None, holdout=forest), Reading())
        for t in range(len(forest)):
            tree, errors = twin.bottom_up(
                twin.nested(forest, t, probes),
                lambda node: float(node.tests.sum() - node.tests[node.label]),
            )
            assert (made.nodes[t], made.hits[t]) == (twin.size(tree), twin.hits(tree, "probes"))
            assert made.errors[t] == errors


@pytest.mark.parametrize("alpha", [0.0, 0.3, 0.5, 1.0, 1.7, 4.0])
def test_weakest_links_minimise_cost_complexity(alpha, forests, twin):
    for _, _, forest, _ in forests[:15]:
        made = forest.marked(critical_charges(forest) <= alpha + 1e-12)
        for t in range(len(forest)):
            tree = twin.cost_complexity(twin.nested(forest, t), alpha)
            assert (made.nodes[t], made.hits[t]) == (twin.size(tree), twin.hits(tree))


@pytest.mark.parametrize("standard_errors", [0.0, 1.0])
def test_cross_validated_charge_agrees_with_pruning_every_fold(standard_errors, make_table, twin):
    for seed in range(12):
        rng = np.random.default_rng(seed)
        table = make_table(rng, cases=60)
        fold = rng.permutation(60) % 5
        full = grow_forest(table, np.zeros((1, 60), np.int8))
        folds = grow_forest(table, np.array([fold == k for k in range(5)], np.int8))
        trees = Trees(full, folds, n_folds=5)
        made = cost_complexity(trees, standard_errors)
        critical = critical_charges(full)
        alphas = sorted({0.0, *np.round(critical[np.isfinite(critical)] / 60, 12)})
        betas = [np.sqrt(a * b) for a, b in pairwise(alphas)] + [np.inf]
        right = []
        for beta in betas:
            total = 0
            for k in range(5):
                n = int((fold != k).sum())
                total += twin.hits(twin.cost_complexity(twin.nested(folds, k), min(beta * n, 1e6)))
            right.append(total)
        rate = 1 - max(right) / 60
        allowed = max(right) - standard_errors * np.sqrt(60 * rate * (1 - rate))
        chosen = max(i for i, hits in enumerate(right) if hits >= allowed - 1e-9)
        tree = twin.cost_complexity(twin.nested(full, 0), alphas[chosen] * 60 + 1e-6)
        assert made.nodes[0] == twin.size(tree)


def test_raising_agrees_with_recursion(forests, twin):
    @cache
    def errors(n, c):
        return float(c45([n], [c])[0])

    raised = 0
    for table, roles, forest, _ in forests:
        made = Pruned.empty(len(forest), 0)
        estimate = c45_estimate(0.25)
        raised_designs(table.cases, roles, forest.nodes, forest.start, estimate, made.outcome)
        plain = forest.pruned(BottomUp(c45, slack=0.1))
        raised += (made.errors != plain.errors).sum()
        for t in range(len(forest)):
            mine = roles[t] == 0
            tree, total = twin.raising(
                twin.nested(forest, t), table.codes.T[mine], table.labels[mine], errors
            )
            judged = [twin.classify(tree, case) for case in table.codes.T[roles[t] == 1]]
            assert made.nodes[t] == twin.size(tree)
            assert made.errors[t] == pytest.approx(total)
            assert made.hits[t] == (np.array(judged, int) == table.labels[roles[t] == 1]).sum()
    assert raised > 100  # the example trees do exercise raising


def test_tuning_takes_the_best_level_and_the_tie_nearest_the_default():
    levels = np.array([0.05, 0.15, 0.25, 0.35, 0.45])
    score = np.array([[9, 3, 5], [9, 5, 5], [7, 5, 4], [9, 5, 3], [1, 4, 2]])
    assert levels[preferred(score, levels, "nearest_default", 0.25)].tolist() == [0.15, 0.25, 0.15]
    assert levels[preferred(score, levels, "lowest", 0.25)].tolist() == [0.05, 0.15, 0.05]
    assert levels[preferred(score, levels, "highest", 0.25)].tolist() == [0.35, 0.35, 0.15]


def test_tuned_trees_are_those_of_the_chosen_level(make_table):
    rng = np.random.default_rng(5)
    table = make_table(rng, cases=120)
    outer = rng.permutation(120) % 4
    full = np.array([outer == k for k in range(4)], np.int8)
    inner = np.full((40, 120), 2, np.int8)
    for k in range(4):
        rows = np.flatnonzero(outer != k)
        for j in range(10):
            inner[10 * k + j, rows] = np.arange(len(rows)) % 10 == j
    trees = Trees(grow_forest(table, full), grow_forest(table, inner))
    made = tuned_error_based(trees, Reading())
    levels = made.level
    candidates = tuned_pruners(Reading())
    for t, level in enumerate(levels):
        alone = trees.full.pruned(candidates[level])
        assert (made.hits[t], made.nodes[t]) == (alone.hits[t], alone.nodes[t])
        hits = {
            name: trees.folds.pruned(p).hits[10 * t : 10 * t + 10].sum()
            for name, p in candidates.items()
        }
        assert hits[level] == max(hits.values())


def test_chains_of_splits_with_one_branch_cost_nothing(twin):
    """A constant attribute may be chosen where nothing tells the cases apart."""
    table = Table(
        "same",
        np.zeros((2, 4), np.int16),
        np.array([0, 1, 1, 1], np.int32),
        np.ones(2, np.int32),
        np.arange(2, dtype=np.int32),
        2,
        (),
        (),
        (),
    )
    forest = grow_forest(table, np.zeros((1, 4), np.int8))
    assert forest.unpruned().nodes[0] == 3
    assert critical_charges(forest)[0] == 0
    assert forest.marked(critical_charges(forest) <= 0).nodes[0] == 1
