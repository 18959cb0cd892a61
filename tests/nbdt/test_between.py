"""The search between data and prior against trying every tree, in all its options."""

from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pytest

from pinetum.nbdt import between
from pinetum.nbdt.between import BlendSolver
from pinetum.nbdt.kernels.bounds import relaxed_worth
from pinetum.nbdt.naive_bayes import NaiveBayes
from pinetum.nbdt.splits import make_questions


def random_case(rng):
    """A small problem with ties, duplicates, constant features and single classes among them."""
    features, classes = int(rng.integers(1, 5)), int(rng.integers(2, 5))
    cases = int(rng.integers(1, 15))
    arity = rng.choice([1, 2, 2, 2, 3, 3, 4], features)
    ordered = rng.random(features) < 0.4
    missing = ordered & (arity > 1) & (rng.random(features) < 0.3)
    codes = np.array([rng.integers(0, a, cases) for a in arity])
    if features > 1 and arity[0] == arity[1] and rng.random() < 0.3:
        codes[1] = codes[0]
    labels = rng.integers(0, classes, cases) if rng.random() < 0.9 else np.zeros(cases, dtype=int)
    if rng.random() < 0.3:
        codes, labels = np.repeat(codes, 2, axis=1), np.concatenate((labels, labels))[: 2 * cases]
    ways = str(rng.choice(["two", "sets", "many"]))
    kind = {
        "n0": float(rng.choice([0, 0, 0.5, 10, np.inf])),
        "depth": int(rng.choice([0, 1, 2, 2, 3, 3, 3, 4])),
        "penalty": float(rng.choice([0, 0, 0.3, 1.0])),
    }
    kind["penalty"] *= 0.02 if np.isinf(kind["n0"]) else 1.0
    costs, budget = None, np.inf
    if rng.random() < 0.3:
        costs, budget = (
            rng.choice([0.5, 1.0, 2.0], features),
            float(rng.choice([0.5, 1.5, 2.0, 3.0])),
        )
    weight = rng.choice([0.0, 0.5, 1.0, 2.25], len(labels)) if rng.random() < 0.3 else None
    gain = np.round(rng.normal(size=(classes, classes)), 1) if rng.random() < 0.25 else None
    least = float(rng.choice([0, 0, 1, 2, 3]))
    if sum(a - 1 if o or ways == "many" else a for a, o in zip(arity, ordered, strict=True)) > 7:
        kind["depth"] = min(kind["depth"], 3 if ways != "sets" else 2)
    model = NaiveBayes.estimate(codes, labels, arity, classes, float(rng.choice([0.5, 1.0])))
    return (
        codes,
        labels,
        arity,
        ordered,
        missing,
        ways,
        costs,
        budget,
        weight,
        gain,
        least,
        model,
        kind,
    )


def all_tests(arity, ordered, missing, ways):
    """(feature, branches as sets of values), straight from the definition."""
    for feature, r in enumerate(arity):
        values, known = set(range(r)), r - int(missing[feature])
        if r < 2:
            continue
        if ordered[feature]:
            parts = [set(range(cut)) for cut in range(1, known)] + (
                [{r - 1}] if missing[feature] else []
            )
        elif ways == "many":
            yield feature, [{v} for v in sorted(values)]
            continue
        elif ways == "sets":
            parts = [
                set(chosen) for size in range(1, r) for chosen in combinations(sorted(values), size)
            ]
        else:
            parts = [{v} for v in values]
        for part in parts:
            yield feature, [part, values - part]


def best_by_trying(case):
    (
        codes,
        labels,
        arity,
        ordered,
        missing,
        ways,
        costs,
        budget,
        weight,
        gain,
        least,
        model,
        kind,
    ) = case
    classes = model.n_classes
    gain = np.eye(classes) if gain is None else gain
    weight = np.ones(len(labels)) if weight is None else weight
    tests = list(all_tests(arity, ordered, missing, ways))
    data, scale = (0.0, 1.0) if np.isinf(kind["n0"]) else (1.0, kind["n0"])
    tables = [model.given[:, model.start[f] : model.start[f + 1]] for f in range(len(arity))]
    memory = {}

    def mass_of(allowed):
        stays = np.all([np.isin(codes[f], sorted(allowed[f])) for f in range(len(arity))], axis=0)
        counts = np.bincount(labels[stays], weight[stays], minlength=classes)
        prior = model.prior.copy()
        for f, values in enumerate(allowed):
            prior = prior * (
                tables[f][:, sorted(values)].sum(axis=1) if len(values) < arity[f] else 1.0
            )
        return counts, data * counts + scale * prior

    def best(allowed, depth, left):
        key = tuple(frozenset(a) for a in allowed), depth, left
        if key in memory:
            return memory[key]
        counts, mass = mass_of(allowed)
        value = -np.inf if 0 < counts.sum() < least else (mass @ gain).max() - kind["penalty"]
        for feature, branches in tests if depth else ():
            cost = 1.0 if costs is None else costs[feature]
            if cost > left:
                continue
            total = 0.0
            for part in branches:
                below = [a & part if f == feature else a for f, a in enumerate(allowed)]
                total += best(below, depth - 1, left - cost)
            value = max(value, total)
        memory[key] = value
        return value

    return best([set(range(r)) for r in arity], kind["depth"], budget)


def check(seed, draw=random_case):
    case = draw(np.random.default_rng(seed))
    (
        codes,
        labels,
        arity,
        ordered,
        missing,
        ways,
        costs,
        budget,
        weight,
        gain,
        least,
        model,
        kind,
    ) = case
    wanted = best_by_trying(case)
    questions = make_questions(arity, ordered, missing, ways, costs)
    solver = BlendSolver(codes, labels, model, questions, weight, gain, least)
    found = solver.fit(kind["depth"], kind["n0"], penalty=kind["penalty"], budget=budget)
    if wanted == -np.inf:
        return
    assert found.value == pytest.approx(wanted, rel=1e-9, abs=1e-9), (seed, found.value, wanted)
    assert found.bound == found.value
    inside = found.test >= 0
    assert (found.counts[~inside].sum(axis=0) == pytest.approx(found.counts[0])) or ways == "many"


@pytest.mark.parametrize("part", range(10))
def test_every_tree_tried(part):
    for seed in range(40 * part, 40 * part + 40):
        check(seed)


@pytest.mark.slow
def test_every_tree_tried_five_thousand_times():
    for seed in range(5000):
        check(seed)


def many_cuts(rng):
    """A column of numbers or two, with so many cuts that most are near another one that was
    tried.
    """
    features, cases, classes = (
        int(rng.integers(1, 3)),
        int(rng.integers(20, 60)),
        int(rng.integers(2, 4)),
    )
    arity = rng.integers(6, 12, features)
    codes = np.array([rng.integers(0, a, cases) for a in arity])
    labels = ((codes[0] > 3) ^ (codes[-1] % 5 > 2) ^ (rng.random(cases) < 0.2)) * int(
        rng.integers(1, classes)
    )
    missing = rng.random(features) < 0.3
    weight = rng.choice([0.5, 1.0, 3.0], cases) if rng.random() < 0.3 else None
    gain = np.round(rng.normal(size=(classes, classes)), 1) if rng.random() < 0.3 else None
    model = NaiveBayes.estimate(codes, labels, arity, classes, 1.0)
    kind = {
        "n0": float(rng.choice([0, 0, 2, 30, np.inf])),
        "depth": int(rng.choice([3, 3, 4])),
        "penalty": float(rng.choice([0, 0.4])),
    }
    kind["penalty"] *= 0.02 if np.isinf(kind["n0"]) else 1.0
    ways = str(rng.choice(["two", "many"]))
    return (
        codes,
        labels,
        arity,
        np.ones(features, bool),
        missing,
        ways,
        None,
        np.inf,
        weight,
        gain,
        0.0,
        model,
        kind,
    )


@pytest.mark.parametrize("part", range(4))
def test_every_tree_tried_over_many_cuts(part):
    for seed in range(25 * part, 25 * part + 25):
        check(seed, many_cuts)


def counted(rng):
    """Two classes without a prior, where three tests are solved at once."""
    features, cases = int(rng.integers(2, 6)), int(rng.choice([1, 3, 20, 70, 150]))
    arity = rng.choice([1, 2, 2, 2, 3], features)
    codes = np.array([rng.integers(0, a, cases) for a in arity])
    if rng.random() < 0.3:
        codes[-1] = codes[0] % arity[-1]
    labels = (codes[0] > 0) ^ (codes[-1] > 0) ^ (rng.random(cases) < rng.choice([0.0, 0.2, 0.5]))
    kind = {
        "n0": 0.0,
        "depth": int(rng.choice([3, 3, 4])),
        "penalty": float(rng.choice([0, 0, 0.4, 2.0])),
    }
    ordered = rng.random(features) < 0.3
    none = np.zeros(features, bool)
    model = NaiveBayes.estimate(codes, labels, arity, 2)
    return (
        codes,
        labels.astype(int),
        arity,
        ordered,
        none,
        "two",
        None,
        np.inf,
        None,
        None,
        0.0,
        model,
        kind,
    )


@pytest.mark.parametrize("part", range(4))
def test_every_tree_tried_where_three_tests_are_solved_at_once(part):
    for seed in range(25 * part, 25 * part + 25):
        check(seed, counted)


def draw_wide(rng):
    """Columns of two values, many of them rare, some twice.

    Labels that a small tree may have right.
    """
    width, cases = int(rng.integers(3, 40)), int(rng.choice([5, 30, 64, 129, 300]))
    codes = (rng.random((width, cases)) < rng.choice([0.05, 0.3, 0.5], (width, 1))).astype(int)
    codes[rng.random(width) < 0.1] = codes[0]
    labels = (codes[0] ^ codes[width // 2] & codes[-1]) ^ (
        rng.random(cases) < rng.choice([0.0, 0.1, 0.4])
    )
    return codes, labels, make_questions(np.full(width, 2), np.zeros(width, bool))


def test_three_tests_at_once_give_the_tree_that_two_at_once_give(monkeypatch):
    rng, shipped = np.random.default_rng(11), between.MOST_TRIPLES
    for number in range(150):
        codes, labels, questions = draw_wide(rng)
        penalty, depth = (
            float(rng.choice([0.0, 0.0, 0.5])),
            3 if len(codes) > 20 or number % 2 else 4,
        )
        found = []
        for most in (shipped, 0):
            monkeypatch.setattr(between, "MOST_TRIPLES", most)
            found.append(
                BlendSolver(codes, labels, None, questions, classes=2).fit(depth, penalty=penalty)
            )
        one, other = found
        assert one.value == other.value and one.status == other.status == "optimal"
        for part in ("test", "parent", "branch", "label", "mass"):
            assert np.array_equal(getattr(one, part), getattr(other, part)), (number, part)


def test_of_equally_good_trees_the_one_of_lower_tests_is_taken():
    rng, ties = np.random.default_rng(2), 0
    for number in range(60):
        codes, labels, questions = draw_wide(rng)
        codes, depth = codes[:6], 3 + number % 3
        questions = make_questions(np.full(len(codes), 2), np.zeros(len(codes), bool))
        best = BlendSolver(codes, labels, None, questions, classes=2).fit(depth)
        worth = np.zeros(len(codes))
        for test, column in enumerate(codes):
            for inside in (column == 0, column == 1):
                part = BlendSolver(codes[:, inside], labels[inside], None, questions, classes=2)
                worth[test] += part.fit(depth - 1).value
        assert worth.max() == best.value
        ties += np.count_nonzero(worth == worth.max()) > 1
        assert best.test[0] < 0 or best.test[0] == worth.argmax(), number
    assert ties > 20


def test_a_search_that_is_stopped_goes_on_where_it_was(monkeypatch):
    rng = np.random.default_rng(4)
    for n0 in (0.0, 20.0):
        codes, labels, _ = draw_wide(rng)
        codes = codes[:12]
        model = NaiveBayes.estimate(codes, labels, np.full(len(codes), 2), 2)
        questions = make_questions(np.full(len(codes), 2), np.zeros(len(codes), bool))
        solver = BlendSolver(codes, labels, model, questions)
        whole = solver.fit(5, n0)
        monkeypatch.setattr(between, "SOME_WORK", 3)
        parts = solver.fit(5, n0, time_limit=600)
        monkeypatch.undo()
        assert (parts.work, parts.value, parts.status) == (whole.work, whole.value, "optimal")
        assert np.array_equal(parts.test, whole.test)


@pytest.mark.parametrize("seed", [78, 194, 332, 359])
def test_the_bound_on_the_prior_knows_which_values_are_left(seed):
    """Here it was too low: a column of which some cuts are made was looked at as if it had all its
    values.
    """
    check(seed, many_cuts)


def test_the_worth_of_the_prior_is_bounded_by_what_it_says():
    """Of two classes the line through the values on the grid, of others the best gains."""
    worth = getattr(relaxed_worth, "py_func", relaxed_worth)
    rng = np.random.default_rng(0)
    problem = SimpleNamespace(best_gain=np.array([1.0, 2.0, 0.5]))
    grid = np.linspace(0, 1, 9)
    prior = SimpleNamespace(relaxed=rng.random((4, 9)))
    for _ in range(50):
        mass = rng.choice([0.0, 0.3, 1.0, 4.0], 2)
        share = mass[1] / mass.sum() if mass.any() else 0.0
        wanted = mass.sum() * np.interp(share, grid, prior.relaxed[2])
        assert worth(2, mass, prior, problem) == pytest.approx(wanted, abs=1e-12)
        mass = rng.random(3)
        assert worth(2, mass, SimpleNamespace(relaxed=np.zeros((4, 1))), problem) == pytest.approx(
            mass @ [1, 2, 0.5]
        )


def test_too_many_sets_of_values_are_refused(monkeypatch):
    """Counted before they are made: one a value, two for tests of many branches, half of all sets
    of values more.
    """
    arity, ordered = np.array([3, 5, 2]), np.zeros(3, dtype=bool)
    for ways, wanted in (("two", 10), ("many", 20), ("sets", 10 + 4 + 16 + 2)):
        monkeypatch.setattr("pinetum.nbdt.splits.MOST_LITERALS", wanted)
        make_questions(arity, ordered, ways=ways)
        monkeypatch.setattr("pinetum.nbdt.splits.MOST_LITERALS", wanted - 1)
        with pytest.raises(MemoryError, match=f"^{wanted} sets of values"):
            make_questions(arity, ordered, ways=ways)


def small_problem(seed=0, cases=60, classes=2):
    rng = np.random.default_rng(seed)
    arity = [2, 3, 4, 2, 3]
    codes = np.array([rng.integers(0, a, cases) for a in arity], dtype=np.int32)
    labels = (codes[0] + codes[1] + rng.integers(0, 2, cases)) % classes
    model = NaiveBayes.estimate(codes, labels, arity, classes)
    return codes, labels, model, arity


def test_infinite_weight_gives_the_tree_that_is_optimal_under_naive_bayes():
    from pinetum.nbdt.fixed_depth import TwoClassSolver

    for seed in range(6):
        codes, labels, model, arity = small_problem(seed)
        questions = make_questions(arity, np.zeros(5, dtype=bool), ways="many")
        for depth in range(5):
            found = BlendSolver(codes, labels, model, questions).fit(depth, np.inf)
            assert found.value == pytest.approx(
                TwoClassSolver(model, depth).fit(depth).expected_accuracy, rel=1e-12
            )


def test_the_data_alone_give_the_training_errors_of_streed():
    streed = pytest.importorskip("pystreed").STreeDClassifier
    rng = np.random.default_rng(3)
    for depth in (2, 3, 4):
        for _ in range(5):
            arity = rng.integers(2, 5, 6)
            codes = np.array([rng.integers(0, a, 80) for a in arity])
            labels = ((codes[0] == 1) ^ (codes[1] > 0) ^ (rng.random(80) < 0.2)).astype(int)
            model = NaiveBayes.estimate(codes, labels, arity, 2)
            found = BlendSolver(
                codes, labels, model, make_questions(arity, np.zeros(6, dtype=bool))
            ).fit(depth)
            columns = np.column_stack(
                [row == value for row, a in zip(codes, arity, strict=True) for value in range(a)]
            )
            rival = streed(optimization_task="accuracy", max_depth=depth).fit(
                columns.astype(np.int32), labels
            )
            wrong = np.count_nonzero(rival.predict(columns.astype(np.int32)) != labels)
            assert found.status == "optimal" and len(labels) - found.value == wrong


@pytest.mark.parametrize("classes", [2, 3])
def test_a_limit_leaves_a_tree_and_a_bound(classes):
    codes, labels, model, arity = small_problem(classes=classes, cases=200)
    solver = BlendSolver(codes, labels, model, make_questions(arity, np.zeros(5, dtype=bool)))
    whole = solver.fit(4, 30.0)
    assert whole.status == "optimal" and whole.gap == 0
    for work in (1, 5, 40):
        found = solver.fit(4, 30.0, work=work)
        assert found.status == "work_limit"
        assert found.value <= whole.value <= found.bound
    assert solver.fit(4, 30.0, time_limit=60).value == pytest.approx(whole.value)


def test_the_path_over_the_penalty_holds_every_best_tree():
    codes, labels, model, arity = small_problem(3)
    solver = BlendSolver(codes, labels, model, make_questions(arity, np.zeros(5, dtype=bool)))
    path = solver.path(3, 5.0)
    assert path[-1].leaves == 1
    for penalty in np.linspace(0, 20, 41):
        best = max(tree.value - penalty * tree.leaves for tree in path)
        assert best == pytest.approx(solver.fit(3, 5.0, penalty=penalty).value)


def test_rows_and_class_names_in_another_order_give_the_same_tree():
    codes, labels, model, arity = small_problem(5, cases=90)
    questions = make_questions(arity, np.zeros(5, dtype=bool))
    order = np.random.default_rng(1).permutation(90)
    one = BlendSolver(codes, labels, model, questions).fit(3, 10.0)
    two = BlendSolver(codes[:, order], labels[order], model, questions).fit(3, 10.0)
    assert (one.test == two.test).all() and (one.counts == two.counts).all()
    twice = BlendSolver(codes, labels, model, questions, weight=np.full(90, 2.0)).fit(3, 20.0)
    assert (one.test == twice.test).all() and twice.value == pytest.approx(2 * one.value)


def test_what_would_not_fit_is_refused_before_it_is_allocated(monkeypatch):
    codes, labels, model, arity = small_problem()
    with pytest.raises(MemoryError, match="40,000"):
        make_questions([40_000], [True])
    monkeypatch.setattr("pinetum.nbdt.between.MOST_BYTES", 2_000)
    with pytest.raises(MemoryError, match="GB"):
        BlendSolver(codes, labels, model, make_questions(arity, np.zeros(5, dtype=bool)))
    monkeypatch.undo()
    solver = BlendSolver(codes, labels, model, make_questions(arity, np.zeros(5, dtype=bool)))
    for wrong in ({"depth": 7}, {"depth": 2, "n0": -1}, {"depth": 2, "penalty": np.inf}):
        with pytest.raises(ValueError, match=list(wrong)[-1]):
            solver.fit(**wrong)


def test_a_set_of_branches_has_one_key_unless_one_is_taken_twice():
    from pinetum.nbdt.kernels.between import key_of

    paths = [[3, 8], [3, 8, 5], [31_999, 0, 7, 2], [3], [1, 2, 3, 4, 5], [4, 4, 9]]
    keys = [key_of(np.array(path), len(path)) for path in paths]
    assert keys[3:] == [0, 0, 0] and len(set(keys[:3])) == 3 and min(keys[:3]) > 0
    for path, key in zip(paths[:3], keys, strict=False):
        assert key_of(np.array(path[::-1]), len(path)) == key


@pytest.mark.parametrize("seed", range(4))
def test_deep_trees_are_worth_what_trying_every_tree_finds(seed):
    """Depth 5: nodes three levels deep come from the store."""
    codes, labels, model, arity = small_problem(seed, cases=40)
    few = (
        codes[:4],
        labels,
        np.array(arity[:4]),
        np.zeros(4, bool),
        np.zeros(4, bool),
        "two",
        None,
        np.inf,
        None,
        None,
    )
    model = NaiveBayes.estimate(codes[:4], labels, arity[:4], 2)
    case = *few, 0.0, model, {"n0": [0.0, 10.0][seed % 2], "depth": 5, "penalty": 0.1}
    found = BlendSolver(
        codes[:4], labels, model, make_questions(arity[:4], np.zeros(4, dtype=bool))
    )
    tree = found.fit(5, case[-1]["n0"], penalty=0.1)
    assert tree.value == pytest.approx(best_by_trying(case))


def keep_all(rows, mask, width, kept):
    kept[:] = np.arange(width)
    return width


def test_tests_that_part_the_cases_alike_are_left_out_and_the_tree_is_the_same(monkeypatch):
    rng, fewer, shipped = np.random.default_rng(5), 0, between.parting_first
    for _ in range(300):
        codes, labels, arity, ordered, missing, ways, costs, budget, _, gain, least, model, kind = (
            random_case(rng)
        )
        codes = np.concatenate((codes, arity[:, None] - 1 - codes))  # each column turned round
        arity, ordered, costs = (
            np.tile(arity, 2),
            np.tile(ordered & ~missing, 2),
            None if costs is None else np.tile(costs, 2),
        )
        questions = make_questions(arity, ordered, None, "sets" if ways == "sets" else "two", costs)
        options, found = {"gain": gain, "min_cases": least, "classes": model.n_classes}, []
        for parting_first in (shipped, keep_all):
            monkeypatch.setattr(between, "parting_first", parting_first)
            solver = BlendSolver(codes, labels, None, questions, **options)
            fewer += len(solver.asked(True, True)[2]) < len(questions.tests.cost)
            found.append(
                solver.fit(min(kind["depth"], 3), 0.0, penalty=kind["penalty"], budget=budget)
            )
        one, other = found
        assert one.value == other.value and one.work <= other.work
        for part in ("test", "parent", "branch", "label", "mass"):
            assert np.array_equal(getattr(one, part), getattr(other, part)), part
    assert fewer > 200


def test_without_cases_the_tree_is_a_leaf():
    questions = make_questions([2, 2, 3], np.zeros(3, dtype=bool))
    tree = BlendSolver(np.zeros((3, 0), dtype=int), [], None, questions, classes=2).fit(3, 0.0)
    assert (tree.leaves, tree.value, tree.status) == (1, 0.0, "optimal")
