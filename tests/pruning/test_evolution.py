"""Program search: evaluation against a plain one, determinism, resumption, no leak, results that
can be used.
"""

import json
import math
import os
import random
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from pinetum.pruning.evolution import expressions, operators, search
from pinetum.pruning.evolution.found import Found, load_found, read_found
from pinetum.pruning.evolution.kernels.postfix import (
    Facts,
    Inner,
    Program,
    leaf_errors,
    prune_pass,
)
from pinetum.pruning.evolution.material import Material
from pinetum.pruning.evolution.operators import ORDER, random_expression, simplified
from pinetum.pruning.evolution.sources import PURPOSES, SHARES, cases_for, material, table_material
from pinetum.pruning.forest import Trees
from pinetum.pruning.methods import prune_trees
from pinetum.pruning.networks import network_forest, networks
from pinetum.workflow.config import load_yaml

FUZZ = int(os.environ.get("PINETUM_FUZZ_PROGRAMS", "8000"))
PAIRS = [
    (n, c) for n in (0, 1, 2, 3, 7, 50, 700) for c in {(n + 1) // 2, n, max(n - 1, (n + 1) // 2)}
]
QUICK = search.Settings(candidates=400, stages=(20, 40), check=50, patience=1, broods=2)


@pytest.fixture(scope="module")
def small():
    forest = network_forest(networks(3, "evolution training", range(1)))
    return Material(
        forest,
        {name: prune_trees(name, Trees(forest)).hits for name in ("NOP", "NEBP", "WEBP", "SYNTH")},
    )


def plain_hits(forest, program):
    """Judging cases right after pruning each tree, node by node."""
    nodes = forest.nodes
    hits = []
    for root, end in zip(forest.start[:-1], forest.start[1:], strict=True):
        wrong = nodes.n - nodes.c
        leaves = [i for i in range(root, end) if nodes.feature[i] < 0]
        noise = wrong[leaves].sum() / nodes.n[root]

        def visit(node, depth, noise=noise, wrong=wrong):
            n, e = float(nodes.n[node]), float(wrong[node])
            rate = expressions.evaluate(program[0], {"n": n, "e": e, "c": n - e}) if n else 0.0
            own = (math.inf if np.isnan(n * rate) else n * rate) if n else 0.0
            if nodes.feature[node] < 0:
                return own, forest.hits[node], e
            below = [
                visit(child, depth + 1)
                for child in nodes.children[nodes.first[node] : nodes.first[node + 1]]
            ]
            errors, right, seen = (sum(part) for part in zip(*below, strict=True))
            values = {
                "m": errors / n,
                "L": own / n,
                "n": n,
                "e": e,
                "E": seen,
                "d": float(depth),
                "u": noise,
            }
            subtree = n * expressions.evaluate(program[1], values)
            subtree = math.inf if np.isnan(subtree) else subtree
            return (own, forest.hits[node], e) if own <= subtree else (subtree, right, seen)

        hits.append(visit(root, 0)[1])
    return np.array(hits)


def test_the_start_is_the_naive_pruning(small):
    assert (small.judge(expressions.START) == small.references["NEBP"]).all()
    marks = small.pruned(expressions.START)
    published = prune_trees("NEBP", Trees(small.forest))
    assert (marks.nodes == published.nodes).all() and (marks.hits == published.hits).all()


def test_published_synth_is_a_program_of_the_search(small):
    leaf = (
        "/",
        (
            "+",
            ("tanh", ("tanh", ("tanh", ("/", "e", "n")))),
            ("sqrt", ("tanh", ("tanh", ("sqrt", "n")))),
        ),
        ("tanh", ("sqrt", ("sqrt", "c"))),
    )
    assert (
        small.judge((leaf, "m")) == small.references["SYNTH"]
    ).mean() > 0.98  # sums of floats may tie differently


@pytest.fixture(scope="module")
def stumps():
    """Trees of one inner node and two leaves, as `prune_pass` takes them."""
    draw, count = np.random.default_rng(1), 24
    pairs = np.array(PAIRS, np.int32)
    own = draw.choice(np.flatnonzero(pairs[:, 0] > 0), count).astype(np.int32)
    leaves = draw.integers(0, len(pairs), (count, 2)).astype(np.int32)
    wrong, zeros = pairs[own, 0] - pairs[own, 1], np.zeros(count, np.int32)
    missed, depth, noise = (
        draw.integers(0, 4, count).astype(np.int32),
        zeros + np.arange(count) % 4,
        draw.random(count),
    )
    above, ends = np.full(count, -1, np.int32), np.arange(count + 1)
    before = (
        Inner(ends, above, own, 2 * ends, leaves.ravel(), missed, zeros),
        Facts(pairs[own, 0], wrong, zeros, depth.astype(np.int32), zeros, noise),
    )
    seen = {"n": pairs[own, 0], "e": wrong, "E": missed, "d": depth, "u": noise}
    return before, own, leaves, {name: values.astype(float) for name, values in seen.items()}


def test_random_programs_evaluate_as_the_plain_evaluator_does(stumps):
    """Whatever the search can make gives the same errors and decisions, and never NaN."""
    draw = random.Random(1)
    n, c = (np.array(column, dtype=float) for column in zip(*PAIRS, strict=True))
    stack, errors = np.empty((expressions.DEEPEST, len(n))), np.empty(len(n))
    before, own, leaves, seen = stumps
    hits, cut = np.empty(len(own), np.int32), np.empty(len(own), np.uint8)
    excused = 0
    for _ in range(FUZZ):
        leaf, subtree = (fuzzed(draw, part) for part in "LS")
        leaf_errors(*expressions.postfix(leaf, "L"), n, c, stack, errors)
        assert not np.isnan(errors).any()
        values = {"n": n, "e": n - c, "c": c}
        plain = charged(n, expressions.evaluate(leaf, values))
        if not alike(errors, plain).all():
            assert chaotic(leaf, values), expressions.python(leaf)
            excused += 1

        with np.errstate(all="ignore"):
            values = seen | {
                "m": errors[leaves].sum(axis=1) / seen["n"],
                "L": errors[own] / seen["n"],
            }
        program = Program(*expressions.postfix(subtree, "S"), subtree == "m")
        prune_pass(*before, errors, program, hits, cut)
        plain = charged(seen["n"], expressions.evaluate(subtree, values))
        same = (cut == (errors[own] <= plain)) | alike(errors[own], plain)
        if not same.all():
            assert chaotic(subtree, values), (expressions.python(leaf), expressions.python(subtree))
            excused += 1
    assert excused <= 1 + FUZZ / 5000


def fuzzed(draw, part):
    while True:
        program = random_expression(draw, part, draw.randint(1, 24))
        if draw.random() < 0.3:
            program = draw.choice(ORDER)(draw, program, part, random_expression(draw, part, 5))
        if expressions.need(program) <= expressions.DEEPEST:
            return program


def charged(n, rate):
    with np.errstate(all="ignore"):
        errors = np.where(n == 0, 0.0, n * rate)
    return np.where(np.isnan(errors), np.inf, errors)


def alike(a, b):
    with np.errstate(all="ignore"):
        return (a == b) | (abs(a - b) <= 1e-8 + 1e-6 * abs(b))


def chaotic(program, values):
    """Whether the last digit of a library's tanh, exp or log decides the outcome, as in
    log(tanh(12)).
    """
    here = expressions.evaluate(program, values)
    with np.errstate(all="ignore"):
        near = [
            nudged(program, values, iter(turns))
            for turns in ((1, -1) * 50, (-1, 1) * 50, (1,) * 100, (-1,) * 100)
        ]
        return not all(np.isclose(here, other, rtol=1e-8, equal_nan=True).all() for other in near)


def nudged(program, values, turns):
    """Plain evaluation with every result of a library function moved by one unit in the last
    place.
    """
    if not isinstance(program, tuple):
        return expressions.evaluate(program, values)
    arguments = [nudged(part, values, turns) for part in program[1:]]
    result = expressions.FUNCTIONS[program[0]](*arguments)
    return (
        np.nextafter(result, next(turns) * np.inf)
        if program[0] in ("tanh", "exp", "log")
        else result
    )


@pytest.mark.parametrize("seed", range(40))
def test_pruning_by_random_programs_agrees_with_recursion(small, seed):
    draw = random.Random(seed)
    part = small.first(8)
    program = (
        random_expression(draw, "L", draw.randint(1, 9)),
        random_expression(draw, "S", draw.randint(1, 9)),
    )
    if seed % 2:
        program = (expressions.START[0], program[1])
    assert (
        part.judge(program) == plain_hits(part.forest, program)
    ).mean() >= 7 / 8  # a float tie may fall otherwise


@pytest.mark.parametrize("seed", range(300))
def test_simplifying_keeps_the_values(seed):
    draw = random.Random(seed)
    program = random_expression(draw, "L", draw.randint(1, 20))
    shorter = simplified(program)
    assert expressions.size(shorter) <= expressions.size(program)
    for n, c in PAIRS[1:]:
        values = {"n": float(n), "e": float(n - c), "c": float(c)}
        before, after = expressions.evaluate(program, values), expressions.evaluate(shorter, values)
        assert (
            np.isclose(before, after, rtol=1e-3, atol=1e-3, equal_nan=True) or not abs(before) < 1e9
        )


def searched(training, validation, until, state=None, **options):
    engine = search.Search(QUICK, training, validation, state or search.begin(1, 7, 1))
    return engine, engine.run(until, **options)


def snapshot(state, path):
    search.save(state, path)
    return path.read_text()


def test_the_search_is_deterministic_and_resumes_where_it_was(small, tmp_path):
    validation = Material(
        network_forest(networks(3, "evolution validation", range(1))), small.references
    )
    _, whole = searched(small, validation, 400)
    _, again = searched(small, validation, 400)
    _, half = searched(small, validation, 150)
    assert half.broods == 1 and half.nest
    search.save(half, tmp_path / "half.json")
    _, resumed = searched(small, validation, 400, search.load(tmp_path / "half.json"))
    first = snapshot(whole, tmp_path / "a.json")
    assert first == snapshot(again, tmp_path / "b.json") == snapshot(resumed, tmp_path / "c.json")
    assert len(json.loads(first)["history"]) == 8


def test_broods_begin_anew_and_come_together_on_more_trees(small):
    engine, state = searched(small, small, 150)
    assert engine.brood == 100 and len(engine.training) == 20
    starts = [key for key, (_, way, _) in state.born.items() if way == "start"]
    assert starts == ["0", "101"]
    best = min(entry[0] for entry in state.nest)
    engine.run(200)
    assert state.broods == 2 and not state.nest and len(engine.training) == 40
    assert any(entry[2] <= 100 for entry in engine.population()) and any(
        entry[2] > 101 for entry in engine.population()
    )
    assert best < engine.score(expressions.START, engine.stages[0])


def test_the_workflow_hands_every_setting_to_the_search():
    """A key missing from the rule's list would silently be the default."""
    rules = (Path(__file__).parents[2] / "rules/pruning.smk").read_text(encoding="utf-8")
    configured = load_yaml(str(Path(__file__).parents[2] / "config/config.yaml"))["pruning"]
    fields = set(search.Settings.__dataclass_fields__)
    listed = rules.split("rule evolve_island:")[1].split("only(EVOLUTION,")[1].split(")")[0]
    wanted = fields & set(configured["evolution"])
    assert wanted and {name for name in wanted if f'"{name}"' not in listed} == set()


def test_the_search_gains_on_its_training_trees_and_keeps_the_line(small):
    engine, state = searched(small, small, 400)
    best = engine.front()[-1]
    assert best[0] < engine.score(expressions.START, engine.training)
    line = search.ancestry(state, best[2])
    assert line[0][1] == "start" and line[-1][0] == best[2]
    programs = search.finalists(state, 5)
    assert search.selected(programs, small)[0] == min(
        engine.score(program, small) for program, _ in programs
    )


def test_the_leaf_alone_leaves_the_tree_estimate(small):
    settings = search.Settings(candidates=200, stages=(20,), check=50, parts="leaf")
    state = search.Search(settings, small, small, search.begin(1, 8)).run(200)
    assert {entry[1][1] for bin in state.bins.values() for entry in bin} == {"m"}


def test_migration_brings_the_front_of_the_neighbour(small):
    ours, state = searched(small, small, 50)
    _, theirs = searched(small, small, 400, search.begin(1, 9, 2))
    before = ours.front()[-1][0]
    ours.welcome(theirs)
    assert ours.front()[-1][0] <= before
    assert any(way == "migration" for _, way, _ in state.born.values())


def test_purposes_share_no_data_set():
    seeds = {
        purpose: set(networks(5, purpose, range(40)).seeds.tolist())
        for purpose in (*PURPOSES, "test")
    }
    union = set().union(*seeds.values())
    assert len(union) == sum(map(len, seeds.values()))


def test_a_users_table_is_dealt_out_without_overlap(make_dataset):
    dataset = make_dataset(200)
    from pinetum.pruning.table import table_of

    table = table_of(dataset)
    parts = [set(cases_for(1, table, purpose).tolist()) for purpose in PURPOSES]
    assert len(set().union(*parts)) == sum(map(len, parts)) == 200
    assert [len(part) for part in parts] == [round(200 * share) for share in SHARES]
    made = table_material(1, dataset, PURPOSES[0], 20)
    assert len(made) == 20 and made.tested.sum() == 2 * len(parts[0])
    with pytest.raises(ValueError, match="too few"):
        table_material(1, make_dataset(60), PURPOSES[1], 20)


@pytest.fixture
def make_dataset():
    from pinetum.data.dataset import Dataset

    def make(cases):
        rng = np.random.default_rng(cases)
        codes = rng.integers(0, 3, (4, cases)).astype(np.int32)
        labels = ((codes[0] + codes[1] + (rng.random(cases) < 0.2)) % 2).astype(np.int32)
        domain = ("a", "b", "c")
        return Dataset(
            "mine", codes, labels, np.zeros(4, bool), (domain,) * 4, tuple("wxyz"), ("no", "yes")
        )

    return make


def test_a_found_function_is_kept_and_used_by_name(tmp_path, monkeypatch, small):
    program = (expressions.START[0], ("+", "m", ("/", 0.41, "n")))
    found = Found("mine", program, {"parts": "both"})
    monkeypatch.chdir(tmp_path)
    found.save(tmp_path / "results/pruning/found/mine.json")
    back = load_found("mine")
    assert back.program == program and back.facts == {"parts": "both"}
    made = prune_trees("found:mine", Trees(small.forest))
    assert (made.hits == small.judge(program)).all()
    space = {}
    exec(found.as_python(), space)
    assert space["leaf_rate"](10.0, 1.0, 9.0) == pytest.approx(0.184666, abs=1e-6)
    assert r"\frac" in found.as_latex()


def test_a_found_function_prunes_in_tree_classifier(tmp_path, monkeypatch):
    import pickle

    from pinetum import TreeClassifier

    rng = np.random.default_rng(5)
    X, y = rng.integers(0, 3, (300, 4)).astype(float), rng.integers(0, 2, 300)
    monkeypatch.chdir(tmp_path)
    found = Found("mine", (expressions.START[0], ("+", "m", ("/", 0.41, "n"))))
    found.save(tmp_path / "results/pruning/found/mine.json")
    full = TreeClassifier().fit(X, y)
    for given in (load_found("mine"), load_found("results/pruning/found/mine.json"), found):
        model = TreeClassifier(prune=given).fit(X, y)
        assert model.tree_ == found.prune(full.tree_) and model.tree_.n_nodes < full.tree_.n_nodes
        back = pickle.loads(pickle.dumps(model))
        assert (back.predict(X) == model.predict(X)).all()
    with pytest.raises(FileNotFoundError, match="no pruning function 'yours'"):
        load_found("yours")
    with pytest.raises(ValueError, match="unknown pruner 'mine'"):
        TreeClassifier(prune="mine").fit(X, y)
    checks = pytest.importorskip("sklearn.utils.estimator_checks")
    from sklearn.base import clone

    assert clone(model).fit(X, y).tree_ == model.tree_
    results = checks.check_estimator(TreeClassifier(prune=found), on_fail=None)
    assert [r["check_name"] for r in results if r["status"] == "failed"] == []


@pytest.mark.parametrize(
    "damage, says",
    [
        (lambda d: d | {"leaf": ["pow", "n", "e"]}, "unknown operator"),
        (lambda d: d | {"leaf": ["+", "n"]}, "takes 2 arguments"),
        (lambda d: d | {"leaf": "E"}, "unknown terminal 'E' in L"),
        (lambda d: d | {"format": "other"}, "format is 'other'"),
    ],
)
def test_a_damaged_function_is_refused(tmp_path, damage, says):
    path = tmp_path / "found.json"
    Found("x", expressions.START).save(path)
    path.write_text(json.dumps(damage(json.loads(path.read_text()))))
    with pytest.raises(ValueError, match=says):
        read_found(path)


def test_a_found_function_prunes_a_tree_of_the_grower(make_dataset):
    from pinetum.trees import Tree

    def node(feature, counts, branches):
        return feature, counts, branches

    # tree C of the worked examples: [[(5, 0), (2, 1)], (0, 1)] becomes [(7, 1), (0, 1)] under NEBP
    rows = [
        node(0, (7, 2), (1, 4)),
        node(1, (7, 1), (2, 3)),
        node(-1, (5, 0), ()),
        node(-1, (2, 1), ()),
        node(-1, (0, 1), ()),
    ]
    tree = Tree(
        feature=np.array([row[0] for row in rows], np.int32),
        threshold=np.full(5, np.nan),
        cut=np.full(5, -1, np.int32),
        child_start=np.array([0, 2, 4, 4, 4, 4], np.int32),
        children=np.array([1, 4, 2, 3], np.int32),
        counts=np.array([row[1] for row in rows], float),
        label=np.array([0, 0, 0, 0, 1], np.int32),
        feature_names=("a", "b"),
        class_names=("0", "1"),
        values=(("x", "y"), ("x", "y")),
    )
    pruned = Found("naive", expressions.START).prune(tree)
    assert pruned.sizes.nodes == 3 and pruned.counts.tolist() == [[7, 2], [7, 1], [0, 1]]


def test_generated_material_has_the_references(small):
    made = material(1, PURPOSES[0], 60)
    assert set(made.references) == {"NOP", "NEBP", "WEBP", "TWEBP"} and len(made) == 60
    assert 1 <= made.rank(made.judge(expressions.START)) <= 5


def test_changes_of_an_expression_are_what_they_are_called():
    rng = random.Random(3)
    for change in (operators.change_operator, operators.hoist, operators.change_leaf):
        for leaf in ("n", 0.5):  # nothing but a leaf: another leaf comes
            assert not isinstance(change(rng, leaf, "L", leaf), tuple)
    ratios = []
    for _ in range(600):  # a number is moved up as often as down
        after = operators.change_constants(rng, ("+", "n", 2.0), "L", "n")
        assert after[:2] == ("+", "n") and after[2] != 2.0
        ratios.append(after[2] / 2.0)
    assert 0.4 < np.mean(np.array(ratios) > 1) < 0.6 and 0.9 < np.median(ratios) < 1.1


def test_a_line_goes_from_the_start_to_the_program():
    program = ("+", "n", 1.0), 0.5
    born = {
        "1": ([], "start", program),
        "4": ([1], "cross", program),
        "7": ([4, 1], "hoist", program),
    }
    line = search.ancestry(SimpleNamespace(born=born), 7)
    assert [(number, way) for number, way, *_ in line] == [(1, "start"), (4, "cross"), (7, "hoist")]
