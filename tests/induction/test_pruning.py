"""Error-based pruning: reference values of the notes, C4.5's trees node for node."""

import numpy as np
import pytest

from pinetum.data.dataset import Dataset
from pinetum.induction import Grower, c45, pruning, yadt
from pinetum.induction.kernels import prune as kernels
from pinetum.induction.pruning import error_based, extra_errors, squared_deviate


@pytest.mark.parametrize(
    "n, e, extra",
    [
        (1, 0, 0.750000),
        (2, 0, 1.000000),
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
def test_extra_errors_of_release_8(n, e, extra):
    assert extra_errors(n, e) == pytest.approx(extra, abs=6e-7)


def test_an_empty_leaf_has_no_errors_to_add():
    assert (
        kernels.extra_errors(0.0, 0.0, 0.25, 0.5, True)
        == kernels.extra_errors(0.0, 0.0, 0.25, 0.5, False)
        == 0.0
    )


def test_extra_errors_of_j48():
    for n, e, extra in [(10, 9.6, 0.4), (100, 10, 2.749611), (14, 5, 1.761120)]:
        assert extra_errors(n, e, limits="j48") == pytest.approx(extra, abs=6e-7)


def test_squared_deviates():
    for cf, z2 in [
        (0.25, 0.47955625),
        (0.10, 1.6384),
        (0.01, 5.4289),
        (0.001, 9.5481),
        (0.50, 0.04340278),
    ]:
        assert squared_deviate(cf) == pytest.approx(z2, abs=5e-9)


GOLF = """
sunny 85 85 false no; sunny 80 90 true no; overcast 83 78 false yes; rain 70 96 false yes; rain 68 80 false yes
rain 65 70 true no; overcast 64 65 true yes; sunny 72 95 false no; sunny 69 70 false yes; rain 75 80 false yes
sunny 75 70 true yes; overcast 72 90 true yes; overcast 81 75 false yes; rain 71 80 true no
"""  # noqa: E501


@pytest.fixture
def golf():
    rows = [row.split() for line in GOLF.strip().split("\n") for row in line.split("; ")]
    columns = list(zip(*rows, strict=True))
    heat, heat_codes = np.unique(np.array(columns[1], dtype=float), return_inverse=True)
    damp, damp_codes = np.unique(np.array(columns[2], dtype=float), return_inverse=True)
    outlook, windy = ("sunny", "overcast", "rain"), ("true", "false")
    return Dataset(
        name="golf",
        codes=np.array(
            [
                [outlook.index(v) for v in columns[0]],
                heat_codes,
                damp_codes,
                [windy.index(v) for v in columns[3]],
            ],
            dtype=np.int32,
        ),
        labels=np.array([v == "no" for v in columns[4]], dtype=np.int32),
        continuous=np.array([False, True, True, False]),
        values=(outlook, heat, damp, windy),
        feature_names=("outlook", "temperature", "humidity", "windy"),
        class_names=("yes", "no"),
    )


def test_golf(golf):
    tree = Grower(golf, c45()).grow()
    assert (tree.n_nodes, tree.errors(golf)) == (8, 0)
    assert tree.feature.tolist() == [0, 2, -1, -1, -1, 3, -1, -1]
    assert tree.threshold[1] == 75
    pruned, estimate = error_based(tree, golf)
    assert pruned == tree
    assert 100 * estimate / 14 == pytest.approx(38.5, abs=0.05)
    assert estimate == pytest.approx(5.39, abs=0.005)


@pytest.mark.parametrize(
    "name, criterion, grown, pruned_to, percent",
    [
        ("monks-1", "gain_ratio", (43, 12), (18, 20), 28.6),
        ("monks-2", "gain_ratio", (73, 24), (31, 40), 39.7),
        ("monks-3", "gain_ratio", (25, 4), (12, 8), 17.1),
        ("sonar", "gain_ratio", (35, 4), (35, 4), 12.5),
        ("sonar", "gain", (33, 4), (33, 4), 12.3),
        ("ionosphere", "gain_ratio", (35, 1), (35, 1), 6.6),
        ("ionosphere", "gain", (37, 3), (37, 3), 7.4),
    ],
)
def test_trees_of_release_8(name, criterion, grown, pruned_to, percent, encoded):
    data = encoded(name)
    if name.startswith("monks"):  # the training file comes first
        data = data.take_cases(np.arange({"monks-1": 124, "monks-2": 169, "monks-3": 122}[name]))
    tree = Grower(data, c45(2, criterion)).grow()
    assert (tree.n_nodes, tree.errors(data)) == grown
    pruned, estimate = error_based(tree, data)
    assert (pruned.n_nodes, pruned.errors(data)) == pruned_to
    assert 100 * estimate / data.n_cases == pytest.approx(percent, abs=0.051)


def prune_by_recursion(tree, data, cases, cf, node=0):
    """Without raising: nodes that become leaves, and the estimate of the rest."""
    counts = np.zeros(tree.n_classes)
    for case, weight in cases:
        counts[data.labels[case]] += weight
    n = counts.sum()
    wrong = n - counts.max()
    leaf = wrong + extra_errors(n, wrong, cf)
    if tree.feature[node] < 0:
        return leaf, []
    codes, branches = data.codes[tree.feature[node]], tree.branches(node)

    def branch(case):
        return codes[case] if tree.cut[node] < 0 else int(codes[case] > tree.cut[node])

    known = np.zeros(len(branches))
    for case, weight in cases:
        if codes[case] >= 0:
            known[branch(case)] += weight
    below, cut = 0.0, []
    for k, child in enumerate(branches):
        part = [
            (case, weight if codes[case] >= 0 else weight * known[k] / known.sum())
            for case, weight in cases
            if (codes[case] >= 0 and branch(case) == k) or (codes[case] < 0 and known[k] > 0)
        ]
        if part:
            estimate, more = prune_by_recursion(tree, data, part, cf, child)
            below, cut = below + estimate, cut + more
    return (leaf, [node]) if leaf <= below + 0.1 else (below, cut)


def test_pruning_without_raising_agrees_with_a_plain_recursion(twin):
    changed = 0
    for seed in range(150):
        rng = np.random.default_rng([seed, 11])
        data = twin.random_table(rng, cases=int(rng.integers(5, 60)))
        tree = Grower(data, yadt(2)).grow()
        cf = float(rng.choice([0.05, 0.25, 0.6]))
        pruned, estimate = error_based(tree, data, raising=False, cf=cf)
        expected, leaves = prune_by_recursion(
            tree, data, [(i, 1.0) for i in range(data.n_cases)], cf
        )
        changed += len(leaves) > 0
        assert estimate == pytest.approx(expected)
        by_hand = tree.cut_back(np.array(leaves, dtype=int))
        assert pruned.feature.tolist() == by_hand.feature.tolist()
        np.testing.assert_array_equal(pruned.threshold, by_hand.threshold)
    assert changed > 50


def test_raising_never_estimates_more_errors(twin):
    for seed in range(100):
        rng = np.random.default_rng([seed, 12])
        data = twin.random_table(rng, cases=60, missing=0.1, n_classes=2)
        tree = Grower(data, yadt(2)).grow()
        raised, estimate = error_based(tree, data)
        assert raised.n_nodes <= tree.n_nodes
        assert raised.counts[0].sum() == pytest.approx(60)
        assert (
            estimate <= error_based(tree, data, raising=False).estimate + 0.1 * tree.sizes.internal
        )
        again, _ = error_based(raised, data)
        assert again.n_nodes <= raised.n_nodes


def test_branches_without_cases_predict_as_their_program_does(twin):
    """J48: the class of the node as raising left it.

    Release 8: the class that it had when it was grown.
    """
    moved = 0
    for seed in range(300):
        rng = np.random.default_rng([seed, 13])
        data = twin.random_table(rng, cases=80, missing=0.1, n_classes=2)
        tree = Grower(data, c45()).grow()
        ours, j48 = (error_based(tree, data, limits=limits).tree for limits in ("release 8", "j48"))
        for node in np.flatnonzero(j48.feature >= 0):
            empty = [child for child in j48.branches(node) if j48.counts[child].sum() == 0]
            assert (j48.label[empty] == j48.counts[node].argmax()).all()
        for node in np.flatnonzero(ours.feature >= 0):
            empty = [child for child in ours.branches(node) if ours.counts[child].sum() == 0]
            moved += int((ours.label[empty] != ours.counts[node].argmax()).sum())
    assert moved > 0


def pruned_content(data, order, weights, **options):
    """The pruned tree of the cases in an order."""
    data = data.take_cases(order)
    tree = Grower(data, c45(), weights=None if weights is None else weights[order]).grow()
    options["weights"] = None if weights is None else weights[order]
    return error_based(tree, data, **options).tree.to_dict()


@pytest.mark.parametrize("weighted", [False, True])
def test_pruning_does_not_depend_on_the_order_of_the_cases(weighted, twin):
    """Sums of float64 shares did, in the last digit of counts and so at ties."""
    smaller = 0
    for seed in range(400):
        rng = np.random.default_rng([seed, 14])
        data = twin.random_table(rng, cases=int(rng.integers(8, 40)), missing=0.25, n_classes=3)
        weights = rng.choice([0.1, 0.2, 1 / 3, 1.7], data.n_cases) if weighted else None
        options = {"raising": bool(rng.integers(2)), "cf": float(rng.choice([0.1, 0.25, 0.5]))}
        as_given = np.arange(data.n_cases)
        one, other = (
            pruned_content(data, order, weights, **options)
            for order in (as_given, rng.permutation(data.n_cases))
        )
        assert one == other
        whole = Grower(data, c45(), weights=weights).grow()
        smaller += len(one["feature"]) < whole.n_nodes
    assert smaller > 100


def test_shares_of_cases_are_those_of_the_grower(twin):
    for seed in range(60):
        rng = np.random.default_rng([seed, 15])
        data = twin.random_table(rng, cases=30, missing=0.3, n_classes=2)
        tree = Grower(data, yadt(2)).grow()
        np.testing.assert_array_equal(
            error_based(tree, data, raising=False, cf=0.999).tree.counts[0], tree.counts[0]
        )
        pruned = error_based(tree, data, raising=False).tree
        held = {tuple(counts) for counts in tree.counts.tolist()}
        assert {tuple(counts) for counts in pruned.counts.tolist()} <= held


@pytest.mark.parametrize("raising", [False, True])
def test_pruning_that_pauses_or_lacks_room_is_pruning_that_does_not(raising, twin, monkeypatch):
    """Calls end after so many cases, so that Ctrl-C is answered, and where room is used up."""
    wanted, with_room = set(), kernels.with_room

    def noted(tasks):
        wanted.add(int(tasks.now["status"][0]))
        return with_room(tasks)

    monkeypatch.setattr(kernels, "with_room", noted)
    for seed in range(40):
        rng = np.random.default_rng([seed, 16])
        data = twin.random_table(rng, cases=60, missing=0.2, n_classes=2)
        tree = Grower(data, c45()).grow()
        with monkeypatch.context() as change:
            change.setattr(pruning, "STRETCH", int(rng.integers(1, 40)))
            change.setattr(pruning, "LISTS", int(rng.choice([1, 4])))
            change.setattr(kernels, "SOME_TASKS", int(rng.choice([1, 2, 64])))
            paused = error_based(tree, data, raising=raising)
        whole = error_based(tree, data, raising=raising)
        assert paused.estimate == whole.estimate
        assert paused.tree.to_dict() == whole.tree.to_dict()
    assert wanted == {kernels.FEW_TASKS, kernels.SHORT_LISTS}
