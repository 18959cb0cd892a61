"""Small cases of every study, drawn at random, checked against the slow twins, shrunk and kept
where one fails.

A case is what JSON holds: rows of small numbers (None: missing) with the class last, what each
column is, and options. So a case that failed can be made smaller by rules that know nothing of the
study, is kept in `corpus/` as a file that can be read, and is checked again by the ordinary tests
(`test_corpus.py`).

    python tests/torture/cases.py --seconds 60 --seed 7         all studies, a minute each
    python tests/torture/cases.py --count 40 --answers nbdt     a digest of every answer, to compare two ways to run
"""  # noqa: E501

import argparse
import hashlib
import importlib.util
import json
import secrets
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
CORPUS = HERE / "corpus"
LEAST = (
    20  # cases of a study, however slow the machine: fewer may all be such that nothing is compared
)


@dataclass(frozen=True)
class Study:
    """`draw` makes a case of a generator.

    `check` raises where program and twin differ, and gives the answer.
    """

    draw: Callable
    check: Callable


@cache
def tools(path):
    """The module of tests at `path` below tests/: the twins live beside the tests of their
    study.
    """
    name = "twins_" + path.removesuffix(".py").replace("/", "_")
    spec = importlib.util.spec_from_file_location(name, HERE.parent / path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


# ------------------------------------------------------------------------------------------------
# tables


def draw_rows(rng, rows, kinds, classes, *, values=6, missing=0.0):
    """Rows with ties, now and then a constant column, a column twice, rows twice, a class that
    follows the columns.
    """
    columns = []
    for kind in kinds:
        arity = int(rng.integers(1, values + 4 if kind == "number" else 6))
        column = rng.integers(0, arity, rows).astype(object)
        column[rng.random(rows) < missing] = None
        columns.append(columns[0] if columns and rng.random() < 0.1 else column)
    labels = rng.integers(0, classes, rows)
    if rng.random() < 0.5:
        labels = np.array(
            [
                (first or 0) + (last is not None and last > 1)
                for first, last in zip(columns[0], columns[-1], strict=True)
            ]
        )
        labels = (labels + (rng.random(rows) < 0.2)) % classes
    table = np.column_stack([*columns, labels])
    if rng.random() < 0.3:
        table = table[rng.integers(0, rows, rows)]
    return [[None if cell is None else int(cell) for cell in row] for row in table]


def draw_table(
    rng, *, rows=(2, 30), columns=(1, 7), classes=(1, 5), missing=(0, 0, 0.1, 0.3), numbers=True
):
    n = int(rng.integers(*rows))
    kinds = [
        str(kind)
        for kind in rng.choice(
            ["number", "word"] if numbers else ["word"], int(rng.integers(*columns))
        )
    ]
    values = int(rng.choice([6, 6, 200])) if numbers else 6
    cells = draw_rows(
        rng, n, kinds, int(rng.integers(*classes)), values=values, missing=rng.choice(missing)
    )
    return {"columns": {"kind": kinds}, "rows": cells, "options": {}}


def spread(data, step):
    """The columns `step` places apart among constant ones, which change no tree.

    Sets of 65 columns need two words.
    """
    from pinetum.data.dataset import Dataset

    wide = step * (data.n_features - 1) + 1
    codes, values = np.zeros((wide, data.n_cases), dtype=np.int32), [("v",)] * wide
    codes[::step], values[::step] = data.codes, data.values
    continuous = np.zeros(wide, dtype=bool)
    continuous[::step] = data.continuous
    names = tuple(f"f{place}" for place in range(wide))
    return Dataset("case", codes, data.labels, continuous, tuple(values), names, data.class_names)


def dataset_of(case):
    from pinetum.data.dataset import Dataset

    kinds, rows = case["columns"]["kind"], case["rows"]
    codes, values = np.full((len(kinds), len(rows)), -1, dtype=np.int32), []
    for place, kind in enumerate(kinds):
        cells = [row[place] for row in rows]
        known = sorted({cell for cell in cells if cell is not None})
        if kind == "number":
            values.append(np.array(known, dtype=float) / 2)
            code = {cell: number for number, cell in enumerate(known)}
        else:
            values.append(tuple(f"v{number}" for number in range(max(known, default=0) + 1)))
            code = {cell: cell for cell in known}
        codes[place] = [code.get(cell, -1) for cell in cells]
    labels = np.array([row[-1] for row in rows], dtype=np.int32)
    names = tuple(f"f{place}" for place in range(len(kinds)))
    continuous = np.array([kind == "number" for kind in kinds])
    return Dataset(
        "case",
        codes,
        labels,
        continuous,
        tuple(values),
        names,
        tuple("abcdefgh"[: labels.max() + 1]),
    )


# ------------------------------------------------------------------------------------------------
# induction

RULES = ["yadt", "yadt gini", "yadt gain_ratio", "penalty", "zero gain", "c45", "c45 gain"]


def rules_of(options):
    from pinetum.induction import Options, c45, yadt

    name, least = options.get("rules", "yadt"), options.get("least", 2)
    kind, _, criterion = name.partition(" ")
    if kind == "yadt":
        return yadt(least, criterion or "gain")
    if kind == "c45":
        return c45(least, criterion or "gain_ratio")
    return {
        "penalty": Options(penalty=True, min_branch=least),
        "zero gain": Options(zero_gain=True, min_branch=1, min_cases=0),
    }[name]


def draw_induction(rng):
    case = draw_table(rng, rows=(1, 40) if rng.random() < 0.85 else (70, 150))
    case["options"] = {"rules": str(rng.choice(RULES)), "least": int(rng.integers(1, 4))}
    if rng.random() < 0.3:
        case["options"]["weights"] = rng.choice(
            [1, 2, 4, 4, 12], 7
        ).tolist()  # quarters of a case, in turn
    return case


def check_induction(case):
    from pinetum.induction import Grower

    twin, data, rules = tools("induction/conftest.py"), dataset_of(case), rules_of(case["options"])
    weights = case["options"].get("weights")
    weights = np.resize(weights, data.n_cases) / 4 if weights else None
    grown = twin.nested(Grower(data, rules, weights=weights).grow())
    assert grown == twin.plain(twin.grow_tree(data, rules, None, weights))
    return grown


# ------------------------------------------------------------------------------------------------
# distinct, elimination


def draw_subsets(rng):
    case = draw_table(rng, rows=(4, 40), columns=(1, 8))
    case["options"] = {
        "criterion": str(rng.choice(["gain", "gain", "gini", "gain_ratio"])),
        "least": int(rng.integers(1, 6)),
        "min_gain": float(rng.choice([0, 0, 0.05])),
        "search": int(rng.integers(1, len(case["rows"]))),
        "step": int(rng.choice([1, 1, 13, 22])),
    }
    if rng.random() < 0.2:
        case["options"]["max_depth"] = int(rng.integers(0, 3))
    return case


def parts_of(case, data):
    """Building and search cases: the last ones search."""
    search = min(case["options"].get("search", 1), data.n_cases - 1)
    return np.arange(data.n_cases - search), np.arange(data.n_cases - search, data.n_cases)


def check_distinct(case):
    from pinetum.distinct.engine import BUILDS, ORDERS, Engine
    from pinetum.distinct.enumeration import enumerate_trees
    from pinetum.distinct.search import search_engine
    from pinetum.induction import Options

    twin, data, given = tools("distinct/conftest.py"), dataset_of(case), case["options"]
    options = Options(
        criterion=given.get("criterion", "gain"),
        min_cases=given.get("least", 1),
        min_gain=given.get("min_gain", 0.0),
        max_depth=given.get("max_depth"),
    )
    building, search = parts_of(case, data)
    step = given.get("step", 1)
    trees = twin.trees_of_all_subsets(data, options, building, search).values()
    trees = sorted((tuple(step * feature for feature in used), errors) for used, errors in trees)
    data = spread(data, step)
    for order in ORDERS:
        for build in BUILDS:
            found = []
            result = enumerate_trees(
                data,
                options=options,
                building=building,
                search=search,
                order=order,
                build=build,
                cache_mb=0.2,
                each=lambda tree, found=found: found.append((tree.subset, tree.errors)),
            )
            assert result.distinct == len(trees) == sum(result.sizes) and sorted(found) == trees, (
                order,
                build,
            )
    least = min((errors, len(used), used) for used, errors in trees)
    for start in ("elimination", None):
        best = search_engine(Engine(data, options, building, search, cache_mb=0.5), start=start)
        assert (
            (best.errors, best.subset) == (least[0], least[2]) and best.proved and best.ties_proved
        ), start
    return [len(trees), *least]


def draw_elimination(rng):
    case = draw_table(rng, rows=(8, 60), columns=(1, 8), classes=(2, 5), missing=(0, 0.1, 0.4))
    case["options"] = {
        "least": int(rng.choice([1, 2, 2, 3, 8])),
        "min_branch": float(rng.choice([0, 0, 2, 3.5])),
        "penalty": bool(rng.random() < 0.3),
        "search": len(case["rows"]) // 3,
        "step": int(rng.choice([1, 1, 13, 22])),
    }
    return case


def check_elimination(case):
    from pinetum.elimination.backward import WAYS, select
    from pinetum.induction import yadt

    twin, data, given = tools("elimination/conftest.py"), dataset_of(case), case["options"]
    building, search = parts_of(case, data)
    options = yadt(float(given.get("least", 2))).but(
        min_branch=given.get("min_branch", 0.0), penalty=given.get("penalty", False)
    )
    removed, errors = twin.slow_elimination(data, building, search, options)
    step = given.get("step", 1)
    removed, data = [step * feature for feature in removed], spread(data, step)
    for way in WAYS:
        found = select(data, building, search, way=way, options=options)
        assert (found.removed.tolist(), found.errors.tolist()) == (removed, errors), way
    return [removed, [int(count) for count in errors]]


# ------------------------------------------------------------------------------------------------
# greedy_dp


def draw_minima(rng):
    case = draw_table(rng, rows=(2, 25), columns=(2, 6), numbers=False, missing=(0,))
    width = len(case["columns"]["kind"])
    if rng.random() < 0.4:
        case["columns"]["price"] = rng.integers(0, 5, width).tolist()
    case["options"] = {"inconsistent": str(rng.choice(["most_common", "any", "all"]))}
    if rng.random() < 0.2:
        case["options"]["alpha_rows"] = int(rng.integers(1, 4))
    if rng.random() < 0.2:
        case["options"]["alpha_share"] = float(rng.choice([0.1, 0.25, 0.4]))
    if rng.random() < 0.4:
        case["options"]["weights"] = rng.integers(1, 6, 7).tolist()
    return case


def check_minima(case):
    from pinetum.greedy_dp.building import costs_of_tree
    from pinetum.greedy_dp.costs import COSTS
    from pinetum.greedy_dp.encoding import Encoded
    from pinetum.greedy_dp.greedy import greedy_costs
    from pinetum.greedy_dp.minimal import Minimizer
    from pinetum.greedy_dp.tables import decision_table

    cells, options = np.array(case["rows"]), dict(case["options"])
    if "weights" in options:
        options["weights"] = np.resize(options["weights"], len(cells))
    if "price" in case["columns"]:
        options["prices"] = np.array(case["columns"]["price"])
    codes = cells[:, :-1].T
    table = decision_table(
        codes,
        cells[:, -1],
        arity=codes.max(axis=1) + 1,
        n_decisions=int(cells[:, -1].max()) + 1,
        **options,
    )
    wanted = tools("greedy_dp/test_minimal.py").General(table).minima(tuple(range(table.n_rows)))
    for way in ("graph", "branch"):
        minimizer = Minimizer(table, way=way)
        for cost in COSTS.values():
            found = minimizer.minimum(cost)
            assert (found.low, found.high, found.status) == (
                wanted[cost.place],
                wanted[cost.place],
                "optimal",
            ), way
            assert costs_of_tree(table, found.tree())[cost.place] == wanted[cost.place], way
    greedy = greedy_costs(Encoded.of(table))
    assert (greedy >= wanted).all()
    return [list(wanted), greedy.tolist()]


# ------------------------------------------------------------------------------------------------
# nbdt


def draw_nbdt(rng):
    case = draw_table(rng, rows=(1, 9), columns=(1, 5), classes=(1, 4), numbers=False, missing=(0,))
    width = len(case["columns"]["kind"])
    case["options"] = {
        "alpha": int(rng.integers(0, 3)),
        "budget": int(rng.integers(0, 4)),
        "cells": int(rng.integers(1, 5)),
    }
    if rng.random() < 0.25:
        case["columns"]["price"] = rng.choice([1, 2, 3, 5], width).tolist()
    return case


def check_nbdt(case):
    from pinetum.nbdt.fixed_depth import BudgetSolver, TwoClassSolver
    from pinetum.nbdt.methods import SEARCHES
    from pinetum.nbdt.naive_bayes import NaiveBayes

    twin, cells = tools("nbdt/conftest.py"), np.array(case["rows"], dtype=np.int32)
    codes, labels = np.ascontiguousarray(cells[:, :-1].T), cells[:, -1]
    classes, arity = max(1, int(labels.max()) + 1), codes.max(axis=1) + 1
    alpha, budget, size = (case["options"].get(name, 1) for name in ("alpha", "budget", "cells"))
    costs = case["columns"].get("price")
    prior, tables = twin.exact_estimate(codes, labels, arity, classes, alpha)
    model = NaiveBayes.estimate(codes, labels, arity, classes, alpha)
    want, answers = twin.exact_best(prior, tables, budget, costs), []
    policies = []
    if classes == 2 and costs is None:
        solver = TwoClassSolver(model, budget, cells=size)
        policies += [solver.fit(method=method) for method in SEARCHES]
    policies.append(BudgetSolver(model, budget, costs).fit())
    for policy in policies:
        tree = twin.nested(policy)
        assert (
            abs(policy.expected_accuracy - float(want)) < 1e-12
            and abs(policy.leaf_terms().sum() - float(want)) < 1e-12
        )
        assert twin.exact_accuracy(tree, prior, tables) == want
        answers.append(tree)
    *alike, _ = answers  # of trees equally good the search over costs may give another
    assert all(tree == alike[0] for tree in alike)
    return [float(want).hex(), answers[0]]


# ------------------------------------------------------------------------------------------------
# pruning


def draw_pruning(rng):
    case = draw_table(
        rng, rows=(3, 70), columns=(1, 6), classes=(2, 4), numbers=False, missing=(0,)
    )
    roles = rng.choice([0, 0, 0, 1, 2], len(case["rows"]))
    roles[0] = 0
    case["rows"] = [
        [*row[:-1], int(role), row[-1]] for row, role in zip(case["rows"], roles, strict=True)
    ]
    case["options"] = {
        "rules": rng.integers(0, 2, 3).tolist(),
        "alpha": float(rng.choice([0, 0.3, 0.5, 1, 1.7, 4])),
        "m": float(rng.choice([0.5, 2])),
    }
    return case


def check_pruning(case):
    from pinetum.pruning.estimates import bottom_up_pruners, c45
    from pinetum.pruning.forest import Pruned, Trees, dropped, grow_forest
    from pinetum.pruning.kernels.id3 import Rules
    from pinetum.pruning.kernels.raising import raised_designs
    from pinetum.pruning.methods.cost_complexity import critical_charges
    from pinetum.pruning.methods.minimum_error import minimum_error
    from pinetum.pruning.methods.pessimistic import pessimistic
    from pinetum.pruning.methods.raising import c45_estimate
    from pinetum.pruning.methods.reduced_error import reduced_error
    from pinetum.pruning.readings import Reading
    from pinetum.pruning.table import Table

    twin, cells, options = tools("pruning/conftest.py"), np.array(case["rows"]), case["options"]
    codes, labels = (
        np.ascontiguousarray(cells[:, :-2].T, dtype=np.int16),
        cells[:, -1].astype(np.int32),
    )
    roles, width, classes = (
        cells[:, -2].astype(np.int8)[None],
        len(codes),
        max(2, int(labels.max()) + 1),
    )
    if not (roles == 0).any():
        return None
    arity = codes.max(axis=1).astype(np.int32) + 1
    table = Table(
        "case", codes, labels, arity, np.arange(width, dtype=np.int32), classes, (), (), ()
    )
    grow, judge = roles[0] == 0, roles[0] == 1
    if any(options.get("rules", ())):
        rules = Rules(*map(bool, options["rules"]))
        forest = grow_forest(table, roles, rules)
        wanted = twin.id3(codes.T[grow], labels[grow], arity, classes, rules, above=None)
        assert tools("pruning/test_id3.py").same(twin.nested(forest, 0), wanted)
    forest = grow_forest(table, roles)
    probes = dropped(forest, table, roles, 2)
    object.__setattr__(forest, "probes", probes)
    tree, answers = twin.nested(forest, 0, probes), []

    def compare(name, made, pruned, what="tests"):
        assert (made.nodes[0], made.hits[0]) == (twin.size(pruned), twin.hits(pruned, what)), name
        answers.append([name, int(made.nodes[0]), int(made.hits[0])])

    for name, pruner in bottom_up_pruners(Reading()).items():

        def errors_of(node, pruner=pruner):
            return float(pruner.estimate(np.array([node.n]), np.array([node.c]))[0])

        pruned, errors = twin.bottom_up(tree, errors_of, pruner.slack, pruner.charge)
        made = forest.pruned(pruner)
        compare(name, made, pruned)
        assert abs(made.errors[0] - errors) < 1e-6 * max(1, errors), name
    compare("pessimistic", pessimistic(Trees(forest), Reading()), twin.pessimistic(tree))
    m, alpha = options.get("m", 2.0), options.get("alpha", 1.0)
    compare(
        "minimum error",
        minimum_error(Trees(forest), Reading(m_estimate=m)),
        twin.minimum_error(tree, tree.train / tree.n, m),
    )
    pruned, _ = twin.bottom_up(tree, lambda node: float(node.tests.sum() - node.tests[node.label]))
    compare(
        "reduced error", reduced_error(Trees(None, holdout=forest), Reading()), pruned, "probes"
    )
    compare(
        "cost complexity",
        forest.marked(critical_charges(forest) <= alpha + 1e-12),
        twin.cost_complexity(tree, alpha),
    )
    made = Pruned.empty(1, 0)
    estimate = c45_estimate(0.25)
    raised_designs(table.cases, roles, forest.nodes, forest.start, estimate, made.outcome)
    raised, errors = twin.raising(
        tree, codes.T[grow], labels[grow], lambda n, c: float(c45([n], [c])[0])
    )
    assert made.nodes[0] == twin.size(raised) and abs(made.errors[0] - errors) < 1e-6 * max(
        1, errors
    ), "raising"
    assert made.hits[0] == sum(
        twin.classify(raised, row) == label
        for row, label in zip(codes.T[judge], labels[judge], strict=True)
    )
    return answers


# ------------------------------------------------------------------------------------------------
# separators


def draw_separators(rng):
    n, width = int(rng.integers(4, 30)), int(rng.integers(1, 6))
    points = rng.integers(-20, 21, (n, width))
    labels = rng.integers(0, 2, n)
    labels[:2] = [0, 1]
    points[labels == 1] += rng.integers(-12, 13, width)
    rows = [[*map(int, point), int(label)] for point, label in zip(points, labels, strict=True)]
    columns = {"kind": ["number"] * width, "price": rng.integers(0, 2, width).tolist()}
    options = {
        "epsilon": float(rng.choice([0, 0.02, 0.1])),
        "alpha": float(rng.integers(1, 10) / 10),
    }
    return {"columns": columns, "rows": rows, "options": options}


def check_separators(case):
    from pinetum.separators.lp import Cases, SolverOptions

    module, cells = tools("separators/test_programs.py"), np.array(case["rows"], dtype=float)
    points, positive = cells[:, :-1] / 10, cells[:, -1] > 0
    if not 0 < positive.sum() < len(positive):
        return None
    epsilon, alpha = case["options"].get("epsilon", 0.0), case["options"].get("alpha", 0.5)
    prices, values = np.array(case["columns"]["price"], dtype=float), []
    for name, form in module.FORMS.items():
        program = form(Cases(points, positive), SolverOptions())
        best = program.best(epsilon)
        assert abs(best.value - module.twin(points, positive, epsilon).fun) < 1e-7, name
        delta = 1.1 * best.value if best.value > 1e-9 else 0.0
        light = program.lightest(prices, delta, epsilon)
        assert (
            abs(light.value - module.twin(points, positive, epsilon, prices, delta + 1e-12).fun)
            < 1e-6
        ), name
        assert program.objective(light.weights, light.offset, epsilon) <= delta + 1e-9, name
        paid = program.penalised(alpha * prices, epsilon)
        assert (
            abs(paid.value - module.twin(points, positive, epsilon, prices, alpha=alpha).fun) < 1e-7
        ), name
        values.append([round(plane.value, 6) for plane in (best, light, paid)])
    return values


# ------------------------------------------------------------------------------------------------
# readers

WORDS = [
    "red",
    "a,b",
    'say "no"',
    "b;c",
    "two words",
    "tab\there",
    "é☃",
    "x'y",
    "#7",
    "50%",
    "two\nlines",
    "=1+1",
    "-x",
]
ENCODINGS = ["utf-8", "utf-8-sig", "utf-16"]


def draw_readers(rng):
    case = draw_table(rng, rows=(12, 30), columns=(1, 5), classes=(2, 4), missing=(0, 0.1))
    case["options"] = {
        "delimiter": str(rng.choice([",", ";", "\t", "|"])),
        "encoding": str(rng.choice(ENCODINGS)),
        "end": str(rng.choice(["\n", "\r\n"])),
        "missing": str(rng.choice(["", "?", "NA"])),
        "quoted": bool(rng.random() < 0.3),
        "packed": bool(rng.random() < 0.2),
        "last_end": bool(rng.random() < 0.8),
        "words": int(rng.integers(0, len(WORDS))),
    }
    return case


def check_readers(case):
    """A table written as people's programs write it is read as the same table as from the frame."""
    import csv
    import gzip
    import io
    import tempfile
    import warnings

    import pandas as pd

    from pinetum.data import DataError, DataWarning, Table

    kinds, given, first = case["columns"]["kind"], case["options"], case["options"].get("words", 0)
    names = [*(f"column {place}" for place in range(len(kinds))), "kind"]

    def shown(kind, cell):
        if cell is None:
            return None
        return cell / 4 if kind == "number" else WORDS[(first + cell) % len(WORDS)]

    frame = pd.DataFrame(
        [[*map(shown, kinds, row[:-1]), f"class {row[-1]}"] for row in case["rows"]], columns=names
    )
    text = io.StringIO()
    writer = csv.writer(
        text,
        delimiter=given.get("delimiter", ","),
        lineterminator=given.get("end", "\n"),
        quoting=csv.QUOTE_ALL if given.get("quoted") else csv.QUOTE_MINIMAL,
    )
    writer.writerow(names)
    for row in frame.itertuples(index=False):
        writer.writerow([given.get("missing", "") if pd.isna(cell) else cell for cell in row])
    data = text.getvalue() if given.get("last_end", True) else text.getvalue().rstrip("\r\n")
    data = data.encode(given.get("encoding", "utf-8"))
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        path = Path(folder) / ("table.csv.gz" if given.get("packed") else "table.csv")
        path.write_bytes(gzip.compress(data) if given.get("packed") else data)
        try:
            wanted = Table.from_frame(frame, "kind", name="table")
        except DataError:
            wanted = None
        try:
            found = Table.from_file(
                path, "kind", name="table", delimiter=given.get("delimiter", ",")
            )
        except DataError as fault:
            assert wanted is None, str(fault)
            return None
        assert wanted is not None, "the frame was refused, the file was not"
        assert found == wanted
    return [found.codes.tolist(), list(found.class_names)]


# ------------------------------------------------------------------------------------------------
# calls


def draw_calls(rng):
    return tools("torture/calls.py").draw(rng, draw_table)


def check_calls(case):
    return tools("torture/calls.py").check(case)


# ------------------------------------------------------------------------------------------------
# generated code

NAMES = [
    "w0",
    "S0",
    "spread0",
    "reached",
    "best",
    "vote",
    "Walk",
    "walk",
    "votes",
    "c0",
    "v0",
    "t0",
]
NAMES += ["id", "node", "given", "cases", "Cases_", "class", "select", "rowid", "one", "share", "x"]
NAMES += [
    " blank before",
    "after ",
    "it's",
    'a "name"',
    "two\nlines",
    "Ärger",
    "ärger",
    "{0}",
    "%s",
]
NAMES += ["", "CELLS", "predicted", "-- no", "a.b", "\\", "'); --"]
TEXTS = ["red", "Red", " green ", "NA", "?", "", "it's", 'a "word"', "1", "1.0", "01", "null", "na"]
TEXTS += [
    "Äpfel",
    "äpfel",
    "STRASSE",
    "straße",
    "two\nlines",
    "10-19",
    ".",
    "1e5",
    "true",
    "False",
    "0",
]
CELL_OF = {
    "number": lambda cell: cell / 4,
    "tenth": lambda cell: cell * 0.1 + 0.7,
    "single": lambda cell: float(np.float32(cell * 0.1)),
    "huge": lambda cell: (cell - 3) * 1e305 if cell % 2 else (cell + 1) * 1e-310,
    "whole": lambda cell: cell - 2,
    "word": lambda cell: TEXTS[cell % len(TEXTS)],
    "grade": lambda cell: [1.0, 2.0, 0.5, -0.25, 1e20, 1e-7, 0.1][cell % 7],
    "rank": lambda cell: cell - 1,
    "truth": lambda cell: cell % 2 == 1,
    "mixed": lambda cell: ["a", 1, 2.0, True, "b"][cell % 5],
}
DTYPES = {
    "number": "float64",
    "tenth": "float64",
    "single": "float32",
    "huge": "float64",
    "whole": "Int64",
    "grade": "category",
    "rank": "category",
    "truth": "boolean",
}
SQL_TYPES = {
    "whole": "INTEGER",
    "rank": "INTEGER",
    "word": "TEXT",
    "mixed": "TEXT",
    "truth": "BOOLEAN",
}
CLASSES = [["a", "it's", 'b "c"', "d\n"], [3, 1, 2, 7], [False, True], [0.1, 2.5, 1.0, 3.0]]
MODEL_OF = {
    "tree": (
        "TreeClassifier",
        {"preset": ["yadt", "c45"], "min_cases": [1, 2], "prune": [False, True]},
    ),
    "nbdt": ("NBDTClassifier", {"max_depth": [1, 2], "n0": [0, 2.5, np.inf], "alpha": [0, 1]}),
    "minimal": (
        "MinimalTree",
        {
            "cost": ["nodes", "depth"],
            "inconsistent": ["most_common", "all"],
            "alpha_rows": [0, 1, 2],
        },
    ),
    "subset": ("BestSubset", {"folds": [2], "work": [10**6], "min_cases": [1, 2]}),
    "separator": (
        "SeparatorClassifier",
        {"max_depth": [1, 2, None], "method": ["RLP", "FM_RLP"], "scaling": ["z", "unit"]},
    ),
}


def draw_code(rng):
    kinds = [str(kind) for kind in rng.choice(list(CELL_OF), int(rng.integers(1, 5)))]
    if rng.random() < 0.2:
        kinds = [str(rng.choice(["number", "tenth", "single"])) for _ in kinds]
    n, missing = int(rng.integers(6, 30)), rng.choice([0, 0.1, 0.3])
    rows = draw_rows(rng, n, ["number"] * len(kinds), 3, missing=missing)
    model = str(rng.choice(list(MODEL_OF), p=[0.4, 0.15, 0.25, 0.1, 0.1]))
    names = rng.choice(len(NAMES), len(kinds), replace=False).tolist()
    options = {name: int(rng.integers(0, len(given))) for name, given in MODEL_OF[model][1].items()}
    return {
        "columns": {
            "kind": kinds,
            "name": names,
            "first": rng.integers(0, 30, len(kinds)).tolist(),
        },
        "rows": rows,
        "options": {**options, "model": model, "classes": int(rng.integers(0, len(CLASSES)))}
        | {"loaded": bool(rng.random() < 0.2)},
    }


def frame_of_cells(case, rows):
    """A DataFrame of the cells, with dtypes as people have them."""
    import pandas as pd

    columns = {}
    for place, (kind, name, first) in enumerate(
        zip(*(case["columns"][part] for part in ("kind", "name", "first")), strict=True)
    ):
        shift = first if kind == "word" else 0
        cells = [None if row[place] is None else CELL_OF[kind](row[place] + shift) for row in rows]
        columns[NAMES[name]] = pd.Series(cells, dtype=DTYPES.get(kind, object))
    return pd.DataFrame(columns)


def made_code(case):
    """(cases as dicts, what is predicted, python, sql or why there is none), or None where nothing
    can be learnt.
    """
    import warnings

    import pandas as pd

    import pinetum
    from pinetum.data import DataError

    options = case["options"]
    name, given = MODEL_OF[options.get("model", "tree")]
    chosen = {key: values[options.get(key, 0) % len(values)] for key, values in given.items()}
    classes = CLASSES[options.get("classes", 0)]
    y = np.array([classes[row[-1] % len(classes)] for row in case["rows"]])
    frame = frame_of_cells(case, case["rows"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            model = getattr(pinetum, name)(**chosen).fit(frame, y)
        except (DataError, ValueError):
            return None
        if options.get("loaded"):
            model = type(model).from_dict(json.loads(json.dumps(model.to_dict())))
        rng = np.random.default_rng(len(case["rows"]))
        rows = [list(row[:-1]) for row in case["rows"]]
        for row in [*rows]:  # other cells of the same kinds: unseen, missing, at thresholds
            rows.append([None if rng.random() < 0.2 else int(rng.integers(0, 30)) for _ in row])
        new = frame_of_cells(case, rows)
        tree = getattr(model, "tree_", None)
        for f, column in enumerate(getattr(tree, "feature_names", ())):
            at = tree.threshold[tree.feature == f]
            if len(at) and column in new and new[column].dtype == np.float64:
                near = np.concatenate([at, np.nextafter(at, np.inf), np.nextafter(at, -np.inf)])
                new.loc[new.index[: len(near)], column] = near[: len(new)]
        for column in new:
            if new[column].dtype == "category":  # in the order of the new cases
                new[column] = new[column].astype(object).astype("category")
        try:
            expected = model.predict(new).tolist()
        except DataError:  # words where training had numbers alone
            return None
    told = [
        {
            key: None if pd.isna(cell) else cell.item() if hasattr(cell, "item") else cell
            for key, cell in zip(new.columns, row, strict=True)
        }
        for row in new.astype(object).itertuples(index=False)
    ]
    if getattr(model, "feature_names_in_", None) is None:
        told = [{f"x{place}": cell for place, cell in enumerate(row.values())} for row in told]
    try:
        sql = model.to_code("sql")
    except ValueError as reason:
        sql = reason
    return told, expected, model.to_code(), sql


def create_table(case, told) -> str:
    types = [SQL_TYPES.get(kind, "DOUBLE PRECISION") for kind in case["columns"]["kind"]]
    quoted = ['"' + name.replace('"', '""') + '"' for name in told[0]]
    columns = ", ".join(f"{name} {type_}" for name, type_ in zip(quoted, types, strict=True))
    return f"CREATE TABLE cases ({columns})"


def table_rows(case, told) -> list[list]:
    """The cases as a table has them: a column of mixed cells is one of texts."""
    return [
        [
            str(cell) if kind == "mixed" and cell is not None else cell
            for kind, cell in zip(case["columns"]["kind"], row.values(), strict=True)
        ]
        for row in told
    ]


def check_code(case):
    """Generated Python and SQL say what `predict` says, for cells that were seen and for others."""
    import sqlite3

    made = made_code(case)
    if made is None:
        return None
    told, expected, python, sql = made
    module = {}
    exec(python, module)
    assert [module["predict"](row) for row in told] == expected, "python"
    names = [name.lower() for name in told[0]]
    if not isinstance(sql, str):
        assert len(set(names)) < len(names) or "predicted" in names, sql
        return [expected, None]
    base = sqlite3.connect(":memory:")
    base.execute(create_table(case, told))
    base.executemany(
        f"INSERT INTO cases VALUES ({', '.join('?' * len(names))})", table_rows(case, told)
    )
    assert [row[-1] for row in base.execute(sql)] == expected, "sql"
    return [expected, len(sql)]


STUDIES = {
    "induction": Study(draw_induction, check_induction),
    "distinct": Study(draw_subsets, check_distinct),
    "elimination": Study(draw_elimination, check_elimination),
    "greedy_dp": Study(draw_minima, check_minima),
    "nbdt": Study(draw_nbdt, check_nbdt),
    "pruning": Study(draw_pruning, check_pruning),
    "separators": Study(draw_separators, check_separators),
    "readers": Study(draw_readers, check_readers),
    "calls": Study(draw_calls, check_calls),
    "code": Study(draw_code, check_code),
}


# ------------------------------------------------------------------------------------------------
# failures


def fault_of(study, case):
    """Kind of what a case raises, or nothing."""
    try:
        STUDIES[study].check(case)
    except Exception as fault:
        return type(fault).__name__
    return None


def smaller(case):
    """Cases that are a little simpler, the boldest first."""
    rows, columns, options = case["rows"], case["columns"], case["options"]
    size = len(rows) // 2
    while size:
        for start in range(0, len(rows), size):
            if len(rows) > size:
                yield {**case, "rows": rows[:start] + rows[start + size :]}
        size //= 2
    width = len(columns["kind"])
    for place in range(width) if width > 1 else ():
        yield {
            **case,
            "rows": [row[:place] + row[place + 1 :] for row in rows],
            "columns": {
                name: cells[:place] + cells[place + 1 :] for name, cells in columns.items()
            },
        }
    for name in options:
        yield {**case, "options": {key: value for key, value in options.items() if key != name}}
    for number, row in enumerate(rows):
        for place, cell in enumerate(row):
            for less in (
                {0, cell // 2, cell - 1}
                if cell and cell > 0
                else ({0} if cell is None or cell < 0 else ())
            ):
                yield {
                    **case,
                    "rows": [
                        *rows[:number],
                        [*row[:place], less, *row[place + 1 :]],
                        *rows[number + 1 :],
                    ],
                }


def shrunk(study, case, seconds=120):
    """A smaller case that fails in the same way."""
    fault, end = fault_of(study, case), time.monotonic() + seconds
    found = True
    while found:
        found = False
        for trial in smaller(case):
            if time.monotonic() > end:
                return case
            if fault_of(study, trial) == fault:
                case, found = trial, True
                break
    return case


def keep(study, case, seed, folder=CORPUS) -> Path:
    """Write a case into the corpus, under a name that its content gives."""
    text = json.dumps({"study": study, "seed": seed, **case})
    path = folder / f"{study}-{hashlib.sha256(text.encode()).hexdigest()[:8]}.json"
    folder.mkdir(exist_ok=True)
    path.write_text(text.replace('], "', '],\n "').replace("], [", "],\n  [") + "\n")
    return path


def read(path) -> dict:
    """A case of the corpus."""
    return json.loads(Path(path).read_text(encoding="utf-8"))


def run(study, seed, *, seconds=np.inf, count=np.inf, keep_in=CORPUS):
    """Answers to fresh cases: `count` of them, or for so long but `LEAST`.

    One that fails is shrunk and kept.
    """
    answers, begin = [], time.monotonic()
    while len(answers) < count and (len(answers) < LEAST or time.monotonic() - begin < seconds):
        case = STUDIES[study].draw(np.random.default_rng([seed, len(answers)]))
        try:
            answers.append(STUDIES[study].check(case))
        except Exception as fault:
            if keep_in is None:
                raise
            small = shrunk(study, case)
            where = keep(study, small, [seed, len(answers)], keep_in)
            what = f"{study}: seed {seed}, case {len(answers)}: {type(fault).__name__}: {fault}"
            raise AssertionError(f"{what}; kept in {where}: {json.dumps(small)}") from fault
    return answers


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument(
        "studies", nargs="*", default=list(STUDIES), metavar="STUDY", help=", ".join(STUDIES)
    )
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--seconds", type=float, default=np.inf)
    parser.add_argument("--count", type=float, default=np.inf)
    parser.add_argument(
        "--answers", action="store_true", help="print a digest of all answers of a study"
    )
    given = parser.parse_args(arguments)
    seed = secrets.randbelow(1 << 31) if given.seed is None else given.seed
    failed = 0
    for study in given.studies or STUDIES:
        begin, cpu = time.monotonic(), time.process_time()
        try:
            answers = run(study, seed, seconds=given.seconds, count=given.count)
        except AssertionError as fault:
            print(fault, flush=True)
            failed += 1
            continue
        if given.answers:
            print(
                study,
                hashlib.sha256(json.dumps(answers, default=int).encode()).hexdigest(),
                flush=True,
            )
        else:
            used = time.process_time() - cpu
            print(
                f"{study}: seed {seed}: {len(answers)} cases, {time.monotonic() - begin:.0f} s,"
                f" {used:.0f} CPU s",
                flush=True,
            )
    return failed


if __name__ == "__main__":
    sys.exit(main())
