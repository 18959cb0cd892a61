"""`prune` on trees of any grower against plain recursion, on scikit-learn trees, and
`search_pruner`.
"""

import json
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from pinetum import TreeClassifier
from pinetum.data.dataset import Dataset
from pinetum.induction import Grower, error_based, yadt
from pinetum.induction.cases import cases_of
from pinetum.pruning import PRUNERS, prune, search_pruner
from pinetum.pruning.estimates import GRIDS, bottom_up_pruners
from pinetum.pruning.evolution.expressions import START
from pinetum.pruning.evolution.found import Found, read_found
from pinetum.pruning.forest import joined
from pinetum.pruning.library import counts_of, forest_of
from pinetum.pruning.readings import Reading
from pinetum.trees.scikit_learn import from_sklearn

PLAIN = [name for name, pruner in PRUNERS.items() if not pruner.needs]


def random_cases(seed, cases=80, missing=False):
    """Numbers and discrete columns with ties, a constant column, duplicates.

    Maybe missing values.
    """
    rng = np.random.default_rng(seed)
    cases = int(rng.integers(3, cases))
    columns = [
        rng.integers(0, 6, cases) / 2,
        rng.integers(0, 3, cases),
        np.ones(cases),
        rng.integers(0, 4, cases),
    ]
    X = np.stack(columns, axis=1).astype(float)
    labels = ((X[:, 0] > 1) ^ (X[:, 1] > 0) ^ (rng.random(cases) < 0.25)).astype(int) + (
        X[:, 3] == 3
    )
    if missing:
        X[rng.random(X.shape) < 0.1] = np.nan
    continuous = np.array([True, False, True, False])
    values, codes = [], np.full((4, cases), -1, np.int32)
    for f in range(4):
        known = ~np.isnan(X[:, f])
        if continuous[f]:
            domain, codes[f, known] = np.unique(X[known, f], return_inverse=True)
            values.append(domain)
        else:
            values.append(tuple("abcd"[: 3 if f == 1 else 4]))
            codes[f, known] = X[known, f]
    data = Dataset(
        "random",
        codes,
        labels.astype(np.int32),
        continuous,
        tuple(values),
        tuple("wxyz"),
        ("0", "1", "2"),
    )
    return data, X, labels


def grown(data, **part):
    return Grower(data, yadt(1), **part).grow()


def nested(tree, node=0):
    counts = tree.counts[node]
    return SimpleNamespace(
        n=counts.sum(),
        c=counts[tree.label[node]],
        train=counts,
        label=int(tree.label[node]),
        feature=int(tree.feature[node]),
        children=[nested(tree, child) for child in tree.branches(node)],
    )


def same(tree, node, twin):
    return (
        (bool(twin.children) or tree.label[node] == twin.label)
        and len(tree.branches(node)) == len(twin.children)
        and all(
            same(tree, child, other)
            for child, other in zip(tree.branches(node), twin.children, strict=True)
        )
    )


@pytest.mark.parametrize("seed", range(150))
def test_pruners_of_the_tree_alone_agree_with_recursion(seed, twin):
    data, _, _ = random_cases(seed, missing=seed % 3 == 0)
    weights = np.random.default_rng(seed).integers(1, 9, data.n_cases) / 4 if seed % 2 else None
    tree = grown(data, weights=weights)
    whole = nested(tree)
    assert prune(tree, "NOP") == tree
    for name, pruner in bottom_up_pruners(Reading()).items():

        def errors(node, pruner=pruner):
            return float(pruner.estimate(np.array([node.n]), np.array([node.c]))[0])

        assert same(
            prune(tree, name), 0, twin.bottom_up(whole, errors, pruner.slack, pruner.charge)[0]
        ), name
    assert same(prune(tree, "PEP"), 0, twin.pessimistic(whole))
    if (
        not data.n_missing
    ):  # whose weights are rounded, so that equal rates differ in the eighth digit
        made = prune(tree, "MEP", m_estimate=1.5)
        assert same(made, 0, twin.minimum_error(whole, whole.train / whole.n, 1.5))


def reduced_error(tree, node, rows, codes, labels):
    """(nested pruned tree, its errors) on held-out rows, by recursion."""
    wrong = int((labels[rows] != tree.label[node]).sum())
    leaf = SimpleNamespace(label=int(tree.label[node]), children=[])
    if tree.feature[node] < 0:
        return leaf, wrong
    code = codes[tree.feature[node], rows]
    branch = code if np.isnan(tree.threshold[node]) else (code > tree.cut[node]).astype(int)
    largest = int(np.argmax(tree.totals[tree.branches(node)]))
    branch = np.where((code < 0) | (branch >= len(tree.branches(node))), largest, branch)
    done = [
        reduced_error(tree, child, rows[branch == k], codes, labels)
        for k, child in enumerate(tree.branches(node))
    ]
    total = sum(errors for _, errors in done)
    return (
        (leaf, wrong)
        if wrong <= total
        else (SimpleNamespace(label=leaf.label, children=[t for t, _ in done]), total)
    )


@pytest.mark.parametrize("seed", range(150))
def test_held_out_cases_choose_as_trying_every_candidate_does(seed, twin):
    data, X, labels = random_cases(seed, missing=seed % 3 == 0)
    rows = np.random.default_rng(seed).permutation(data.n_cases)
    grow, held = np.sort(rows[: len(rows) // 2 + 1]), np.sort(rows[len(rows) // 2 + 1 :])
    tree = grown(data, cases=grow)
    mine = data.take_cases(held)
    expected, errors = reduced_error(tree, 0, np.arange(mine.n_cases), mine.codes, mine.labels)
    assert same(prune(tree, "REP", mine), 0, expected)
    assert prune(tree, "REP", X[held], labels[held]) == prune(
        tree, "REP", mine
    )  # codes and numbers alike
    if seed % 3:
        assert (
            prune(tree, "REP", mine).errors(mine) == errors
        )  # missing values aside, REP's count is the tree's

        def fewest(candidates):
            return min(candidate.errors(mine) for candidate in candidates)

        levels = [prune(tree, "WEBP", confidence=level) for level in GRIDS[Reading().tuning_grid]]
        assert prune(tree, "TWEBP", mine).errors(mine) == fewest(levels)
        costs = np.unique([0.0, *np.linspace(0, data.n_cases, 97)])
        sequence = [twin.cost_complexity(nested(tree), alpha) for alpha in costs]
        chosen = prune(tree, "CCP-0SE", mine)
        judged = [judged_errors(part, tree, mine) for part in sequence]
        assert chosen.errors(mine) <= min(judged)
        assert prune(tree, "CCP", mine).n_nodes <= chosen.n_nodes


def judged_errors(twin_tree, tree, data):
    wrong = 0
    for case in range(data.n_cases):
        node, place = twin_tree, 0
        while node.children:
            code = data.codes[tree.feature[place], case]
            branch = int(code) if np.isnan(tree.threshold[place]) else int(code > tree.cut[place])
            node, place = node.children[branch], tree.branches(place)[branch]
        wrong += node.label != data.labels[case]
    return wrong


def test_ebp_is_c45s_pruning_and_takes_weights():
    for seed in range(30):
        data, X, labels = random_cases(seed, missing=seed % 2 == 0)
        weights = np.random.default_rng(seed).integers(1, 5, data.n_cases).astype(float)
        tree = grown(data, weights=weights)
        expected = error_based(tree, data, weights=weights, cf=0.1).tree
        assert prune(tree, "EBP", data, sample_weight=weights, confidence=0.1) == expected
        assert (
            prune(tree, "EBP", X, labels, sample_weight=weights, confidence=0.1).signature()
            == expected.signature()
        )


def sklearn_tree(seed, **options):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 9, (90, 3)) * rng.choice([1.0, 0.1, 1e-3, 1e7], 3)
    y = np.array(["no", "yes", "so"])[
        (X[:, 0] > X[:, 0].mean()).astype(int) + (rng.random(90) < 0.3)
    ]
    return DecisionTreeClassifier(random_state=seed, **options).fit(X, y), X, y


@pytest.mark.parametrize(
    "options", [{}, {"max_leaf_nodes": 9}, {"max_depth": 1}, {"criterion": "entropy"}], ids=str
)
def test_scikit_learns_trees_predict_the_same_when_converted(options):
    for seed in range(25):
        model, X, _ = sklearn_tree(seed, **options)
        tree = from_sklearn(model)
        limits = np.unique(model.tree_.threshold[model.tree_.feature >= 0])
        near = [
            np.nextafter(limits.astype(np.float32), side).astype(float)
            for side in (-np.inf, np.inf)
        ]
        around = np.concatenate([limits, *near, tree.threshold[tree.feature >= 0]])
        around = np.concatenate(
            [around, np.nextafter(around, -np.inf), np.nextafter(around, np.inf)]
        )
        cases = np.concatenate([X, np.repeat(around[:, None], 3, axis=1)])
        assert (np.array(tree.class_names)[tree.predict(cases)] == model.predict(cases)).all()
        assert tree.n_nodes == model.tree_.node_count and tree.sizes.depth == model.get_depth()
        assert (tree.totals == np.rint(tree.totals)).all()


def test_scikit_learns_trees_are_pruned_by_every_pruner():
    model, X, y = sklearn_tree(3)
    before = model.tree_.node_count
    for name, pruner in PRUNERS.items():
        made = prune(model, name, *((X, y) if pruner.needs else ()))
        assert made.n_nodes <= before and model.tree_.node_count == before
        if "cases" not in pruner.needs and pruner.needs:
            again = [
                prune(model, name, X, y, grow=lambda rows: clone(model).fit(X[rows], y[rows]))
                for _ in range(2)
            ]
            assert again[0] == again[1] and again[0].n_nodes <= before
    forest = ExtraTreesClassifier(3, random_state=0).fit(X, np.unique(y, return_inverse=True)[1])
    assert prune(forest.estimators_[0], "NEBP").n_nodes < forest.estimators_[0].tree_.node_count


def test_weights_of_scikit_learn_are_kept():
    model, X, y = sklearn_tree(5)
    weighted = clone(model).fit(X, y, sample_weight=np.linspace(0.1, 2, 90))
    tree = from_sklearn(weighted)
    assert tree.totals == pytest.approx(weighted.tree_.weighted_n_node_samples)
    assert prune(weighted, "WEBP").n_nodes <= tree.n_nodes


def test_what_cannot_be_pruned_is_refused_by_name():
    model, X, y = sklearn_tree(1)
    for call, message in (
        (lambda: prune(model, "CART"), "unknown pruner 'CART'"),
        (lambda: prune(model, 3), "expected a pruner's name or an object"),
        (lambda: prune(model, "REP"), "REP needs cases kept apart from growing"),
        (lambda: prune(model, "EBP", X), "X needs its classes y"),
        (
            lambda: prune(model, "NEBP", confidence=0.1),
            "confidence is not an option of NEBP; its options: naive",
        ),
        (lambda: prune(model, "WEBP", confidence=1.5), "confidence = 1.5: expected a number from"),
        (lambda: prune(model, "WEBP", confidence="x"), "confidence = 'x': expected a number from"),
        (
            lambda: prune(model, "TWEBP", X, y, tuning_ties="any"),
            "tuning_ties = 'any': expected one of",
        ),
        (lambda: prune(model, "REP", X[:, :2], y), "3 features, X has the shape"),
        (
            lambda: prune(model, "REP", X, np.where(y == "no", "nay", y)),
            "the class 'nay'; the tree's classes are",
        ),
        (lambda: prune(model, "REP", X, y[:-1]), "89 classes for 90 cases"),
        (
            lambda: prune(DecisionTreeClassifier(), "NEBP"),
            "expected a fitted scikit-learn decision tree",
        ),
        (
            lambda: prune(DecisionTreeRegressor().fit(X, X[:, 0]), "NEBP"),
            "expected a fitted scikit-learn decision",
        ),
    ):
        with pytest.raises(ValueError, match=message):
            call()


def test_tables_of_other_classes_or_values_are_refused():
    """Their codes would be looked up beyond the tree's branches and counts."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.normal(size=40), "w": rng.choice(["a", "b"], 40)})
    tree = TreeClassifier().fit(frame, rng.integers(0, 2, 40)).tree_
    wider = frame.assign(w=rng.choice(["a", "b", "c", "d"], 40))
    swapped = frame[["w", "x"]]
    for table, classes, fault in (
        (frame, 3, "2 classes, X has 3"),
        (wider, 2, "w: X has other values"),
        (swapped, 2, "w: X has other values"),
    ):
        with pytest.raises(ValueError, match=fault):
            prune(tree, "EBP", cases_of(table, rng.permutation(np.arange(40) % classes)))


def test_found_functions_prune_by_object_and_by_name(tmp_path, monkeypatch):
    model, _, _ = sklearn_tree(2)
    found = Found("mine", (START[0], ("+", "m", ("/", 0.41, "n"))))
    found.save(tmp_path / "results/pruning/found/mine.json")
    monkeypatch.chdir(tmp_path)
    assert prune(model, found) == prune(model, "found:mine") == found.prune(from_sklearn(model))
    assert prune(model, Found("start", START)) == prune(model, "NEBP")


@pytest.mark.parametrize(
    ("leaf", "message"),
    [
        (["sqrt"] * 400, "takes 1 arguments"),
        (10**400, "an integer of many digits in L is not between"),
        (float("nan"), "number nan in L"),
        (float("inf"), "number inf in L"),
        (["os.system", "n"], "unknown operator"),
        ([["+", 1, 2], "n"], "unknown operator"),
        ("__import__", "unknown terminal"),
        ({"n": 1}, "unknown terminal"),
        (None, "unknown terminal"),
    ],
)
def test_a_damaged_function_is_refused_with_its_fault(leaf, message, tmp_path):
    path = tmp_path / "bad.json"
    document = {"format": "pinetum pruning function 1", "name": "bad", "leaf": leaf, "subtree": "m"}
    path.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(ValueError, match=f"not a pruning function.*{message}"):
        read_found(path)


@pytest.mark.parametrize("depth", [40, 300, 3000, 100_000])
def test_deeply_nested_functions_are_refused(depth, tmp_path):
    path = tmp_path / "deep.json"
    for opening, closing in (('["sqrt", ', "]"), ('["+", "n", ', "]")):
        text = opening * depth + '"n"' + closing * depth
        path.write_text(
            f'{{"format": "pinetum pruning function 1", "name": "deep", "leaf": {text}, "subtree":'
            ' "m"}',
            encoding="utf-8",
        )
        if depth == 40 and "sqrt" in opening:
            assert (
                read_found(path).name == "deep"
            )  # one value at a time: forty operators are no harm
        else:
            with pytest.raises(ValueError, match="not a pruning function"):
                read_found(path)


def test_forests_of_tables_with_different_classes_are_joined():
    trees, tests = [], []
    for seed in (1, 2, 3):
        data, _, _ = random_cases(seed)
        trees.append(grown(data))
        tests.append(counts_of(trees[-1], data, None))
    apart = [forest_of([tree], [test]) for tree, test in zip(trees, tests, strict=True)]
    together, whole = joined(apart), forest_of(trees, tests)
    for name in whole.nodes._fields:
        assert (getattr(together.nodes, name) == getattr(whole.nodes, name)).all(), name
    assert (together.start == whole.start).all() and (together.tests == whole.tests).all()


def test_search_pruner_finds_the_same_function_again_and_prunes():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 3, (6, 300)).astype(np.int32)
    labels = ((codes[0] == codes[1]) ^ (rng.random(300) < 0.15)).astype(np.int32)
    domains = (("a", "b", "c"),) * 6
    data = Dataset("mine", codes, labels, np.zeros(6, bool), domains, tuple("abcdef"), ("x", "y"))
    found = search_pruner([data, data], budget=120, random_state=4, name="mine")
    assert (
        found.program == search_pruner([data, data], budget=120, random_state=4).program
        and found.name == "mine"
    )
    assert found.facts["selection_rank"] <= found.facts["start_rank"]
    assert prune(grown(data), found).n_nodes <= grown(data).n_nodes
    for call, message in (
        (lambda: search_pruner([]), "no tables"),
        (lambda: search_pruner([3]), r"tables\[0\]: expected a Dataset or a pair"),
        (lambda: search_pruner(budget=0), "budget = 0"),
        (lambda: search_pruner(parts="S"), "parts 'S': expected one of both, leaf"),
    ):
        with pytest.raises(ValueError, match=message):
            call()


def test_no_pruner_depends_on_the_order_of_the_cases():
    for seed in range(60):
        data, X, y = random_cases(seed, missing=True)
        _, apart, classes = random_cases(seed + 1000, missing=True)
        rng = np.random.default_rng(seed)
        orders = [np.arange(len(y)), rng.permutation(len(y))]
        judges = [np.arange(len(classes)), rng.permutation(len(classes))]
        for name, entry in PRUNERS.items():
            found = []
            for order, judge in zip(orders, judges, strict=True):
                tree = Grower(data.take_cases(order), yadt()).grow()
                told = (
                    (X[order], y[order])
                    if "cases" in entry.needs
                    else (apart[judge], classes[judge])
                )
                found.append(prune(tree, name, *(told if entry.needs else ())).to_dict())
            assert found[0] == found[1], name
