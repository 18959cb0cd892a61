"""Optimum, ties, gap, delta, the best k, all within epsilon, order of error: against all 2^n
subsets.
"""

import os
from fractions import Fraction
from itertools import islice

import numpy as np
import pytest

from pinetum import BackwardElimination, BestSubset, NearOptimalTrees
from pinetum.distinct.engine import Engine
from pinetum.distinct.near_optimal import iterate_trees, near_optimal_trees, near_optimum
from pinetum.distinct.objective import Objective, cross_validation, hold_out
from pinetum.distinct.search import (
    best_subset,
    best_subsets,
    errors_of_twins,
    keep_best,
    search_engine,
)
from pinetum.distinct.subsets import subsets
from pinetum.induction import Grower, yadt
from pinetum.induction.cases import cases_of


def random_objective(rng, dataset):
    """One to four parts, which may share cases, with or without costs and penalties."""
    n = dataset.n_cases
    parts = []
    if rng.random() < 0.5 and n >= 6:
        fold_of = rng.permutation(np.arange(n) % int(rng.integers(2, 5)))
        parts = [
            (np.flatnonzero(fold_of != f), np.flatnonzero(fold_of == f))
            for f in range(fold_of.max() + 1)
        ]
    else:
        for _ in range(rng.integers(1, 4)):
            order = rng.permutation(n)
            cut = max(1, int(rng.uniform(0.3, 0.8) * n))
            parts.append((order[:cut], order[cut:]))
    costs = None
    if rng.random() < 0.4:
        costs = rng.integers(0, 5, (dataset.n_classes,) * 2) * float(rng.choice([1, 0.5]))
        np.fill_diagonal(costs, 0)
    return Objective(
        parts,
        costs=costs,
        feature_penalty=float(rng.choice([0, 0, 0.25, 1])),
        leaf_penalty=float(rng.choice([0, 0, 0.1, 1])),
    )


def values_of_all_subsets(dataset, options, objective):
    """{(used features, value)} by growing every tree of every subset on every part."""
    growers = [Grower(dataset, options, cases=building) for building, _ in objective.parts]
    costs = 1 - np.eye(dataset.n_classes) if objective.costs is None else objective.costs
    found = {}
    for subset in subsets((), range(dataset.n_features)):
        value, used, signatures = 0.0, set(), []
        for grower, (_, search) in zip(growers, objective.parts, strict=True):
            tree = grower.grow(sorted(subset))
            used |= set(tree.used_features.tolist())
            value += costs[dataset.labels[search], tree.predict(dataset, search)].sum()
            value += objective.leaf_penalty * tree.sizes.leaves
            signatures.append(tree.signature())
        value += objective.feature_penalty * len(used)
        found[tuple(signatures)] = round(value * objective.unit), len(used), tuple(sorted(used))
    return sorted(found.values())


def error_of(subset, dataset, options, objective):
    """Standard error of the cost of a subset's trees, case by case or part by part."""
    costs = 1 - np.eye(dataset.n_classes) if objective.costs is None else objective.costs
    values = []
    for building, search in objective.parts:
        given = Grower(dataset, options, cases=building).grow(list(subset)).predict(dataset, search)
        values.append(
            [
                costs[truth, label]
                for truth, label in zip(dataset.labels[search], given, strict=True)
            ]
        )
    if len(values) == 1:
        return np.sqrt(len(values[0]) * np.var(values[0])) if values[0] else 0.0
    return np.sqrt(len(values) * np.var([sum(part) for part in values], ddof=1))


def as_costs(ranked, unit):
    """What callers are given: costs, in place of parts."""
    return [(errors / unit, size, subset) for errors, size, subset in ranked]


def check_against_all_subsets(seed, random_case, rich):
    dataset, options, _, _ = random_case(seed)
    rng = np.random.default_rng([seed, 1])
    objective = random_objective(rng, dataset)
    ranked = values_of_all_subsets(dataset, options, objective)
    unit = objective.unit

    def engine():
        return Engine(
            dataset, options, objective=objective, cache_mb=0.5, ahead=int(rng.integers(0, 6))
        )

    best = search_engine(engine(), start=rng.choice(["elimination", None]))
    assert (round(best.errors * unit), len(best.subset), best.subset) == ranked[0], seed
    assert best.proved and best.ties_proved and best.gap == 0 and best.status == "optimal"
    if not rich:
        return
    number = int(rng.integers(1, 6))
    kept, status = keep_best(engine(), number)
    assert status == "ok" and [(t.errors, t.size, t.subset) for t in kept] == ranked[:number], seed
    extra = float(rng.choice([0, 1, 2]))
    near = near_optimum(engine(), best, extra, keep=5)
    within = [tree for tree in ranked if tree[0] <= ranked[0][0] + extra * unit]
    assert near.trees == len(within) and [
        (t.errors, t.size, t.subset) for t in near.members
    ] == as_costs(within[:5], unit), seed
    small = search_engine(engine(), delta=extra, smallest=True)
    errors, size, subset = min(within, key=lambda tree: (tree[1], tree[0], tree[2]))
    assert (round(small.errors * unit), len(small.subset), small.subset) == (
        errors,
        size,
        subset,
    ), seed
    assert small.proved and small.ties_proved and round(small.bound * unit) == ranked[0][0]
    answers = []
    for tree in ranked:
        if tree[0] == ranked[0][0]:  # of equals any may be met first
            most = tree[0] + int(error_of(tree[2], dataset, options, objective) * unit + 1e-9)
            answers.append(
                min((t for t in ranked if t[0] <= most), key=lambda t: (t[1], t[0], t[2]))
            )
    small = search_engine(engine(), delta="one_standard_error", smallest=True)
    assert (round(small.errors * unit), len(small.subset), small.subset) in answers, seed
    assert small.proved and small.ties_proved and round(small.bound * unit) == ranked[0][0]
    small = search_engine(
        engine(), delta="one_standard_error", smallest=True, work=int(rng.integers(1, 20_000))
    )
    assert (round(small.errors * unit), len(small.subset), small.subset) in ranked, seed
    assert round(small.bound * unit) <= ranked[0][0]
    close = search_engine(engine(), delta=extra, start=None)
    assert (
        close.proved
        and close.bound * unit <= ranked[0][0] <= close.errors * unit <= ranked[0][0] + extra * unit
    )
    cut = search_engine(engine(), work=int(rng.integers(1, 20_000)), start=None)
    assert round(cut.bound * unit) <= ranked[0][0] <= round(cut.errors * unit), seed
    given = [
        (t.errors, t.size, t.subset)
        for t in iterate_trees(dataset, objective=objective, options=options, cache_mb=4)
    ]
    assert given == as_costs(ranked, unit), seed
    best_few, status = best_subsets(dataset, objective=objective, options=options, number=3)
    assert status == "ok"
    assert [(t.errors, t.size, t.subset) for t in best_few] == as_costs(ranked[:3], unit), seed


@pytest.mark.parametrize("block", range(8))
def test_every_objective_is_that_of_all_subsets(block, random_case):
    for seed in range(50_000 + 40 * block, 50_000 + 40 * block + 40):
        check_against_all_subsets(seed, random_case, rich=seed % 2 == 0)


@pytest.mark.slow
@pytest.mark.skipif(
    "PINETUM_TORTURE" not in os.environ, reason="three minutes: set PINETUM_TORTURE"
)
@pytest.mark.parametrize("block", range(30))
def test_every_objective_on_thousands_of_tables(block, random_case):
    for seed in range(60_000 + 100 * block, 60_000 + 100 * block + 100):
        check_against_all_subsets(seed, random_case, rich=True)


@pytest.mark.parametrize("seed", range(24))
def test_both_estimators_count_in_the_unit_of_the_costs(seed):
    """Mean costs by brute force, where these are fractions, penalties too."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 4, (40, 4))
    y = np.where(rng.random(40) < 0.3, rng.integers(0, 3, 40), (X[:, 0] > 1) + (X[:, 2] > 2))
    costs = rng.choice([0.1, 0.25, 1, 1.5, 7 / 3], (3, 3)) * (1 - np.eye(3))
    given = {
        "folds": None if seed % 3 == 0 else 3,
        "costs": None if seed % 4 == 0 else costs,
        "feature_penalty": float(rng.choice([0, 0.05, 0.5, 2 / 3])),
        "leaf_penalty": float(rng.choice([0, 0.1, 0.03])),
    }
    best = BestSubset(**given).fit(X, y)
    near = NearOptimalTrees(0.29, **given).fit(X, y)
    data, rules = cases_of(X, y), yadt(2)
    objective = near._objective(data)
    ranked = values_of_all_subsets(data, rules, objective)
    n, unit = objective.n_search, objective.unit
    limit = ranked[0][0] + Fraction("0.29") * n * unit
    means = [errors / unit / n for errors, _, _ in ranked if errors <= limit]
    assert near.errors_ == pytest.approx(means, rel=1e-12)
    assert near.n_trees_ == len(means)
    assert best.search_error_ == best.bound_ == near.errors_[0] == means[0]
    assert "%" in near.to_text() and near.to_frame()["error"].tolist() == near.errors_


@pytest.mark.parametrize("share", [0.07, 0.14, 0.28, 0.29, 0.55, 0.56, 0.57, 0.58])
def test_a_share_that_is_a_whole_number_of_errors_is_not_rounded_down(share):
    """0.29 * 100 is 28.999999999999996."""
    X = np.random.default_rng(1).integers(0, 2, (100, 3))
    found = near_optimal_trees(X, X[:, 1], lambda data: cross_validation(data, 2), extra=share)
    assert min(found.by_errors) == 0 and found.limit == round(100 * share)


def test_the_optimum_of_folds_is_not_that_of_each_fold(tables):
    """A check that would fail if the folds were searched one by one."""
    differs = 0
    for seed in range(40):
        dataset = tables(np.random.default_rng(seed), 5)
        if dataset.n_cases < 6:
            continue
        together = cross_validation(dataset, 3, random_state=seed)
        alone = [
            best_subset(dataset, objective=Objective([part])).errors for part in together.parts
        ]
        best = best_subset(dataset, objective=together)
        assert best.errors >= sum(alone)
        differs += best.errors > sum(alone)
    assert differs > 5


@pytest.mark.parametrize("block", range(4))
def test_no_subset_errs_less_than_its_twins(block, random_case):
    """On the features that are offered.

    With few of them cases are alike, and the bound is often the optimum.
    """
    met = raised = 0
    for seed in range(70_000 + 250 * block, 70_000 + 250 * block + 250):
        dataset, options, _, _ = random_case(seed)
        rng = np.random.default_rng([seed, 2])
        objective = random_objective(rng, dataset)
        offered = tuple(np.flatnonzero(rng.random(dataset.n_features) < 0.6).tolist())
        engine = Engine(dataset, options, objective=objective, cache_mb=0.5)
        sure = errors_of_twins(engine, offered)
        least = min(engine.errors_of(subset)[0] for subset in subsets((), offered))
        assert sure <= least, seed
        met += sure == least
        raised += sure > objective.in_parts(objective.leaf_penalty) * len(objective.parts)
    assert met > 20 and raised > 20


def test_repeats_add_up(tables):
    dataset = tables(np.random.default_rng(12), 5)
    once, twice = (cross_validation(dataset, 3, repeats=r, random_state=2) for r in (1, 2))
    assert [tuple(map(tuple, part)) for part in twice.parts[:3]] == [
        tuple(map(tuple, part)) for part in once.parts
    ]
    for subset in subsets((), range(5)):
        by_repeat = [
            Engine(dataset, yadt(2), objective=Objective(twice.parts[3 * r : 3 * r + 3])).errors_of(
                sorted(subset)
            )[0]
            for r in range(2)
        ]
        assert Engine(dataset, yadt(2), objective=twice).errors_of(sorted(subset))[0] == sum(
            by_repeat
        )


def test_members_vote_and_exchange(tables):
    dataset = tables(np.random.default_rng(21), 6)
    near = near_optimal_trees(dataset, objective=hold_out(dataset), extra=0.3)
    assert near.trees == len(near.members) > 1
    votes = near.votes(dataset)
    assert votes.shape == (dataset.n_cases, dataset.n_classes) and np.allclose(votes.sum(axis=1), 1)
    building, search = near.engine.objective.parts[0]
    cases, wrong = near.misclassified()
    grower = Grower(dataset, yadt(2), cases=building)
    slow = np.mean(
        [
            grower.grow(t.subset).predict(dataset, search) != dataset.labels[search]
            for t in near.members
        ],
        0,
    )
    assert cases.tolist() == search.tolist() and np.allclose(wrong, slow)
    assert wrong.sum() * len(near.members) == pytest.approx(sum(t.errors for t in near.members))
    members = {tree.subset for tree in near.members}
    for a, b, share in near.exchangeable():
        a, b = near.feature_names.index(a), near.feature_names.index(b)
        one = [m for m in members if (a in m) != (b in m)]
        twin = [m for m in one if tuple(sorted(set(m) ^ {a, b})) in members]
        assert share == pytest.approx(len(twin) / len(one)) and share > 0


def test_trees_come_one_by_one(tables):
    dataset = tables(np.random.default_rng(5), 6)
    whole = list(iterate_trees(dataset, min_cases=1))
    assert len({tree.signature for tree in whole}) == len(whole)
    assert [t.subset for t in islice(iterate_trees(dataset, min_cases=1), 3)] == [
        t.subset for t in whole[:3]
    ]
    assert list(iterate_trees(dataset, objective=hold_out(dataset), work=1)) == []
    assert [t.subset for t in best_subsets(dataset, objective=hold_out(dataset), number=1)[0]] == [
        next(iterate_trees(dataset, objective=hold_out(dataset))).subset
    ]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"parts": []}, "one pair"),
        ({"parts": [([], [1])]}, "no building cases"),
        ({"feature_penalty": -1}, "feature_penalty = -1: expected a number from 0"),
        ({"leaf_penalty": float("nan")}, "leaf_penalty = nan: expected a number from 0"),
        ({"costs": [[0, 1], [1, 1]]}, "zeros on the diagonal"),
        ({"costs": [[0, 1, 1]]}, "square"),
    ],
)
def test_a_doubtful_objective_is_named(change, message):
    with pytest.raises(ValueError, match=message):
        Objective(**{"parts": [([0], [1])], **change})


def test_costs_of_another_table_or_too_fine_are_named(tables):
    dataset = tables(np.random.default_rng(5), 3)
    every = np.arange(dataset.n_cases)
    wrong = Objective([(every, every)], costs=np.zeros((9, 9)))
    with pytest.raises(ValueError, match="9 classes"):
        Engine(dataset, yadt(2), objective=wrong)
    fine = Objective([(every, every)], feature_penalty=1e8 + 1e-6)
    with pytest.raises(ValueError, match="too fine or too large"):
        Engine(dataset, yadt(2), objective=fine)
    with pytest.raises(ValueError, match="several parts need shared records"):
        Engine(dataset, yadt(2), objective=Objective([(every, every)] * 2), build="scratch")


def test_what_is_judged_by_no_case_is_refused():
    with pytest.raises(ValueError, match="no cases are left to judge"):
        best_subset(np.ones((1, 2)), [0], hold_out)


def test_more_than_any_tree_costs_is_allowed_and_not_charged():
    """Numbers that no kernel holds."""
    X, y = np.arange(40.0).reshape(20, 2) % 7, np.arange(20) % 3
    near = near_optimal_trees(X, y, extra=1e300)
    assert near.trees == near_optimal_trees(X, y, extra=1e6).trees > 1
    assert best_subset(X, y, delta=1e308, smallest=True).subset == ()
    for costs in ({"leaf_penalty": 1e300}, {"costs": 1e300 * (1 - np.eye(3))}):
        with pytest.raises(ValueError, match="costs and penalties: too fine or too large"):
            best_subset(X, y, lambda data, given=costs: hold_out(data, **given))


def test_a_standard_error_goes_with_the_smallest_subset(random_case):
    dataset, options, _, _ = random_case(50_001)
    for given in ({"delta": "one_standard_error"}, {"delta": "two", "smallest": True}):
        with pytest.raises(ValueError, match=r"delta ?="):
            best_subset(dataset, options=options, **given)


def test_looking_ahead_leaves_room_for_a_tree(random_case):
    """The store is so small that looking ahead fills it before the first tree is walked."""
    check_against_all_subsets(62015, random_case, rich=True)


def test_nothing_to_judge_by_is_refused():
    X, y = np.zeros((1, 2)), [0]
    for call in (
        lambda: best_subset(X, y, hold_out),
        lambda: best_subsets(X, y, hold_out),
        lambda: near_optimal_trees(X, y, hold_out),
        lambda: BestSubset(folds=None).fit(X, y),
        lambda: NearOptimalTrees(folds=None).fit(X, y),
        lambda: BackwardElimination(folds=None).fit(X, y),
    ):
        with pytest.raises(ValueError, match="n_samples = 1: too few, no cases are left to judge"):
            call()
