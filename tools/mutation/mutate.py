"""Change the program in one place at a time and see whether the tests notice.

    python tools/mutation/mutate.py --measure --sample 400 --seed 1     a random sample over all that decides results
    python tools/mutation/mutate.py --only nbdt                         the part of the sample in one area
    python tools/mutation/mutate.py --again --seconds 20                what survived, with more of the tests
    python tools/mutation/mutate.py --again --only nbdt --tests tests/nbdt/test_mutants.py      with these alone
    python tools/mutation/mutate.py --anchor                            the places of the report in files that changed
    python tools/mutation/mutate.py --table                             the table of notes/mutants.md

Kernels run without the compiler (NUMBA_DISABLE_JIT), each mutant in a process of its own that is
forked from one with all libraries loaded. It is given the corpus and so many small random cases of
its study (`tests/torture/cases.py`, always the same ones), then the fastest of the ordinary tests
that run the changed line; `--measure` finds these with coverage.py. What fails, or takes more than
three times as long as the program as it is, is killed. `outcomes.csv` beside this file is the
result of the last whole run; what it holds already is not run again. A survivor that cannot change
any answer has the reason written beside it by hand, and is counted apart; it is run like the
others, and a reason that was wrong is told when a test kills it after all.
"""  # noqa: E501

import argparse
import ast
import csv
import importlib.machinery
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import warnings
from dataclasses import dataclass
from pathlib import Path

os.environ["NUMBA_DISABLE_JIT"] = "1"
HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PACKAGE = ROOT / "src" / "pinetum"
OUTCOMES = HERE / "outcomes.csv"


@dataclass(frozen=True)
class Area:
    """Files that are changed, and what must notice: studies with a number of cases, then pytest's
    arguments.
    """

    files: tuple
    cases: dict
    tests: tuple = ()


AREAS = {
    "induction": Area(
        (
            "induction/kernels/*.py",
            "induction/grower.py",
            "induction/options.py",
            "induction/pruning.py",
            "induction/table.py",
        ),
        {"induction": 500, "distinct": 10, "elimination": 20},
        ("tests/induction",),
    ),
    "trees": Area(
        (
            "trees/tree.py",
            "trees/kernels/*.py",
            "trees/paths.py",
            "trees/code.py",
            "trees/exports.py",
            "kernels/arrays.py",
        ),
        {"induction": 60, "elimination": 15},
        ("tests/trees",),
    ),
    "distinct": Area(
        (
            "distinct/kernels/*.py",
            "distinct/search.py",
            "distinct/engine.py",
            "distinct/enumeration.py",
            "distinct/near_optimal.py",
            "distinct/objective.py",
            "distinct/arrays.py",
        ),
        {"distinct": 40},
        ("tests/distinct",),
    ),
    "elimination": Area(
        ("elimination/kernels/*.py", "elimination/backward.py", "elimination/paths.py"),
        {"elimination": 100},
        ("tests/elimination/test_backward.py", "tests/elimination/test_paths.py"),
    ),
    "greedy_dp": Area(
        (
            "greedy_dp/kernels/*.py",
            "greedy_dp/analysis.py",
            "greedy_dp/greedy.py",
            "greedy_dp/optimum.py",
            "greedy_dp/minimal.py",
            "greedy_dp/branch_and_bound.py",
            "greedy_dp/rules.py",
            "greedy_dp/tables.py",
            "greedy_dp/encoding.py",
            "greedy_dp/building.py",
            "greedy_dp/costs.py",
        ),
        {"greedy_dp": 80},
        (
            "tests/greedy_dp/test_greedy.py",
            "tests/greedy_dp/test_minima.py",
            "tests/greedy_dp/test_minimal.py",
            "tests/greedy_dp/test_rules.py",
            "tests/greedy_dp/test_pieces.py",
        ),
    ),
    "nbdt": Area(
        (
            "nbdt/kernels/*.py",
            "nbdt/naive_bayes.py",
            "nbdt/fixed_depth.py",
            "nbdt/between.py",
            "nbdt/splits.py",
        ),
        {"nbdt": 1000},
        ("tests/nbdt",),
    ),
    "pruning": Area(
        (
            "pruning/kernels/*.py",
            "pruning/methods/*.py",
            "pruning/estimates.py",
            "pruning/forest.py",
            "pruning/networks.py",
            "pruning/evolution/*.py",
            "pruning/evolution/kernels/*.py",
        ),
        {"pruning": 600},
        ("tests/pruning",),
    ),
    "separators": Area(
        (
            "separators/planes.py",
            "separators/lp.py",
            "separators/primal.py",
            "separators/dual.py",
            "separators/minimize.py",
            "separators/exact.py",
            "separators/tree.py",
            "separators/scaling.py",
            "separators/tables.py",
        ),
        {"separators": 60},
        ("tests/separators",),
    ),
    "core": Area(
        (
            "validation/*.py",
            "data/cells.py",
            "data/delimited.py",
            "data/arff.py",
            "data/encode.py",
            "data/encoding.py",
            "data/building.py",
            "data/schema.py",
            "report/comparison.py",
        ),
        {},
        (
            "tests/validation",
            "tests/data",
            "tests/trees/test_model_files.py",
            "tests/report/test_comparison.py",
        ),
    ),
}

SURVIVED = ("passed", "never run", "pending")  # pending: to be run
COMPARED = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
COUNTED = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}


def said_of(what, node, changed):
    said = (
        f"{what}: {ast.unparse(node)[:90]} ->"
        f" {ast.unparse(ast.fix_missing_locations(changed))[:90]}"
    )
    return " ".join(said.split())


class Changer(ast.NodeTransformer):
    """Counts the places where code can be changed, and changes the one with the wanted number."""

    def __init__(self, wanted=-1):
        self.wanted, self.count, self.said, self.line = wanted, 0, "", 0
        self.lines, self.statement = (), None

    def visit(self, node):
        outer = self.statement
        if isinstance(node, ast.stmt):
            self.statement = node
        changed = super().visit(node)
        self.statement = outer
        return changed

    def offer(self, node, make, what):
        """Number this place; what `make` gives where it is the wanted one."""
        self.count += 1
        if self.count - 1 != self.wanted:
            return node
        changed = ast.copy_location(make(), node)
        self.lines = range(self.statement.lineno, node.end_lineno + 1)
        if isinstance(node, ast.If):
            self.lines = range(node.lineno, node.body[0].lineno)
        self.line, self.said = node.lineno, said_of(what, node, changed)
        return changed

    def visit_FunctionDef(self, node):
        node.body = [
            self.visit(part) for part in node.body
        ]  # no decorators, defaults or annotations
        return node

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Raise(self, node):
        return node  # messages; whether it raises is in the condition above

    visit_Assert = visit_AnnAssign_ = visit_Import = visit_ImportFrom = visit_Raise

    def visit_AnnAssign(self, node):
        if node.value is not None:
            node.value = self.visit(node.value)
        return node

    def visit_Expr(self, node):
        if isinstance(node.value, ast.Constant):
            return node  # a docstring
        return self.offer(self.generic_visit(node), ast.Pass, "left out")

    def visit_AugAssign(self, node):
        return self.offer(self.generic_visit(node), ast.Pass, "left out")

    def visit_Compare(self, node):
        node = self.generic_visit(node)
        if type(node.ops[0]) not in COMPARED:
            return node
        return self.offer(
            node,
            lambda: ast.Compare(
                node.left, [COMPARED[type(node.ops[0])](), *node.ops[1:]], node.comparators
            ),
            "comparison",
        )

    def visit_BinOp(self, node):
        node = self.generic_visit(node)
        if type(node.op) not in COUNTED or isinstance(node.left, ast.JoinedStr):
            return node
        return self.offer(
            node, lambda: ast.BinOp(node.left, COUNTED[type(node.op)](), node.right), "operator"
        )

    def visit_BoolOp(self, node):
        node = self.generic_visit(node)
        other = ast.Or if isinstance(node.op, ast.And) else ast.And
        return self.offer(node, lambda: ast.BoolOp(other(), node.values), "logic")

    def visit_UnaryOp(self, node):
        node = self.generic_visit(node)
        if not isinstance(node.op, (ast.Not, ast.USub)):
            return node
        return self.offer(node, lambda: node.operand, "sign")

    def visit_Constant(self, node):
        if isinstance(node.value, bool):
            return self.offer(node, lambda: ast.Constant(not node.value), "constant")
        if isinstance(node.value, (int, float)):
            return self.offer(node, lambda: ast.Constant(node.value + 1), "constant")
        return node

    def visit_JoinedStr(self, node):
        return node

    def visit_If(self, node):
        node = self.generic_visit(node)
        if ast.unparse(node.test) == "__name__ == '__main__'":
            return node
        return self.offer(
            node, lambda: ast.If(ast.Constant(False), node.body, node.orelse), "never"
        )

    def visit_Continue(self, node):
        return self.offer(node, ast.Break, "jump")

    def visit_Break(self, node):
        return self.offer(node, ast.Continue, "jump")


class Lister(Changer):
    """Writes down line and change of every place, and changes none."""

    def __init__(self):
        super().__init__()
        self.places = []

    def offer(self, node, make, what):
        self.places.append((node.lineno, said_of(what, node, ast.copy_location(make(), node))))
        return node


@dataclass(frozen=True, order=True)
class Mutant:
    area: str
    file: str
    number: int

    def tree(self):
        changer = Changer(self.number)
        tree = ast.fix_missing_locations(
            changer.visit(ast.parse((PACKAGE / self.file).read_text(encoding="utf-8")))
        )
        return tree, changer


def all_mutants():
    """Every place of every file of all areas; a file belongs to the first area that names it."""
    seen, found = set(), []
    for name in AREAS:
        for pattern in AREAS[name].files:
            for path in sorted(PACKAGE.glob(pattern)):
                file = str(path.relative_to(PACKAGE))
                if file in seen:
                    continue
                seen.add(file)
                changer = Changer()
                changer.visit(ast.parse(path.read_text(encoding="utf-8")))
                found += [Mutant(name, file, number) for number in range(changer.count)]
    return found


class Loader(importlib.machinery.SourceFileLoader):
    """Compiles one module from a changed tree, and never from or to a .pyc."""

    def __init__(self, name, path, tree):
        super().__init__(name, path)
        self.tree = tree

    def get_code(self, fullname):
        return compile(self.tree, self.path, "exec")


class Finder:
    def __init__(self, mutant):
        self.path = PACKAGE / mutant.file
        self.name = ".".join(("pinetum", *Path(mutant.file).with_suffix("").parts))
        self.tree, _ = mutant.tree()

    def find_spec(self, name, path=None, target=None):
        if name != self.name:
            return None
        return importlib.machinery.ModuleSpec(
            name, Loader(name, str(self.path), self.tree), origin=str(self.path)
        )


def measure(areas, folder):
    """Which fast test and which study's cases run which line, and how long the tests take, kept in
    `folder`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    paths = [
        str(ROOT / "src"),
        str(HERE),
        str(ROOT / "tests/torture"),
        *filter(None, [os.environ.get("PYTHONPATH")]),
    ]
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(paths),
        "PINETUM_TEST_SECONDS": "1000",
    }
    begin = [
        sys.executable,
        "-W",
        "ignore",
        "-m",
        "coverage",
        "run",
        "--branch",
        f"--source={PACKAGE}",
    ]
    for name in areas:
        for study, count in AREAS[name].cases.items():
            environment["COVERAGE_FILE"] = str(folder / f"{name}.{study}.coverage")
            program = [
                str(ROOT / "tests/torture/cases.py"),
                study,
                "--seed",
                "1",
                "--count",
                str(count),
            ]
            subprocess.run(
                [*begin, f"--context=cases:{study}", *program],
                env=environment,
                cwd=ROOT,
                check=True,
            )
        # Without coverage.py first: a test that is stopped within its locks would stop all.
        times = folder / f"{name}.json"
        program = ["-m", "pytest", *PYTEST, "-q", "--tb=no"]
        subprocess.run(
            [sys.executable, *program, *AREAS[name].tests],
            cwd=ROOT,
            check=False,
            stdout=subprocess.DEVNULL,
            env={**environment, "PINETUM_TEST_SECONDS": "1", "PINETUM_TEST_TIMES": str(times)},
        )
        fast = json.loads(times.read_text())
        environment["COVERAGE_FILE"] = str(folder / f"{name}.tests.coverage")
        done = subprocess.run(
            [*begin, *program, *fast],
            env=environment,
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        print(f"{name}: {done.stdout.strip().splitlines()[-1]}", flush=True)


PYTEST = (
    "-p",
    "no:cacheprovider",
    "-p",
    "uncompiled",
    "-W",
    "ignore",
    "-m",
    "not slow and not torture",
)


class Coverers:
    """What `measure` found."""

    def __init__(self, folder, areas):
        from coverage import CoverageData

        self.lines, self.times = {}, {}
        for name in areas:
            self.times[name] = json.loads((folder / f"{name}.json").read_text())
            for path in folder.glob(f"{name}.*.coverage"):
                data = CoverageData(str(path))
                data.read()
                for file in data.measured_files():
                    for line, contexts in data.contexts_by_lineno(file).items():
                        self.lines.setdefault((name, file), {}).setdefault(line, set()).update(
                            contexts
                        )

    def of(self, mutant, lines, seconds):
        """Studies and tests that run these lines: the fastest tests that fit into so many
        seconds.
        """
        known = self.lines.get((mutant.area, str(PACKAGE / mutant.file)), {})
        contexts = set().union(*(known.get(line, ()) for line in lines))
        times = self.times[mutant.area]
        if "" in contexts:  # run by the import: whatever there is
            contexts |= set(times) | {f"cases:{study}" for study in AREAS[mutant.area].cases}
        studies = [study for study in AREAS[mutant.area].cases if f"cases:{study}" in contexts]
        tests, total = [], 0.0
        for test in sorted(contexts & set(times), key=lambda test: (times[test], test)):
            total += times[test] + 0.02
            if total > seconds:
                break
            tests.append(test)
        return studies, tests


def examine(mutant, studies, tests):
    """Run what must notice: where it failed, or "passed"."""
    sys.path.insert(0, str(ROOT / "tests/torture"))
    import cases

    warnings.simplefilter("ignore")
    try:
        for study in studies:
            for path in sorted(cases.CORPUS.glob(f"{study}-*.json")):
                cases.STUDIES[study].check(cases.read(path))
            cases.run(study, 1, count=AREAS[mutant.area].cases[study], keep_in=None)
    except BaseException:
        return "cases"
    if tests:
        import pytest

        if pytest.main(["-x", "-q", "--tb=no", *PYTEST, f"--rootdir={ROOT}", *tests]):
            return "tests"
    return "passed"


def judged(mutant, chosen, seconds):
    """(outcome, CPU seconds) of a mutant, or of the program as it is (number -1), in a process of
    its own.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        code = 3
        try:
            os.close(reading)
            silence = os.open(os.devnull, os.O_WRONLY)
            os.dup2(silence, 1)
            os.dup2(silence, 2)
            resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds) + 5))
            resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
            os.chdir(ROOT)
            if mutant.number >= 0:
                sys.meta_path.insert(0, Finder(mutant))
            os.write(writing, examine(mutant, *chosen).encode())
            code = 0
        finally:
            os._exit(code)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        said = pipe.read()
    _, status, used = os.wait4(child, 0)
    spent = used.ru_utime + used.ru_stime
    if said:
        return said, spent
    return ("time" if os.WIFSIGNALED(status) else "crash"), spent


def load_libraries():
    """What every mutant needs and none of them changes."""
    sys.path[:0] = [str(ROOT / "src"), str(HERE)]
    import matplotlib.pyplot
    import numba
    import pandas
    import pyarrow.csv
    import pytest
    import scipy.optimize
    import scipy.stats
    import sklearn.utils.estimator_checks
    import uncompiled

    return matplotlib, numba, pandas, pyarrow, pytest, scipy, sklearn, uncompiled


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sample", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="*", default=list(AREAS), choices=list(AREAS))
    parser.add_argument("--again", action="store_true", help="the survivors of the last report")
    parser.add_argument(
        "--measure", action="store_true", help="find out first which test runs which line"
    )
    parser.add_argument(
        "--tests", nargs="+", help="these alone, without asking which test runs which line"
    )
    parser.add_argument(
        "--anchor", action="store_true", help="find the places of the report again in changed files"
    )
    parser.add_argument(
        "--table", action="store_true", help="print the outcomes per area, and run nothing"
    )
    parser.add_argument("--seconds", type=float, default=3.0, help="of ordinary tests for a mutant")
    parser.add_argument(
        "--folder", type=Path, default=Path(tempfile.gettempdir()) / "pinetum-mutation"
    )
    parser.add_argument("--report", type=Path, default=OUTCOMES)
    given = parser.parse_args(arguments)
    if given.anchor:
        write_outcomes(given.report, anchored(read_outcomes(given.report)))
    if given.table or given.anchor:
        print(table_of(read_outcomes(given.report)))
        return 0
    load_libraries()
    if given.measure:
        measure(given.only, given.folder)
    coverers = Coverers(given.folder, () if given.tests else given.only)
    everything = all_mutants()
    sample = random.Random(given.seed).sample(everything, min(given.sample, len(everything)))
    print(f"{len(sample)} of {len(everything)} mutants, seed {given.seed}", flush=True)
    known = read_outcomes(given.report)
    survived = [mutant for mutant, row in known.items() if row["outcome"] in SURVIVED]
    as_it_is = {}
    for mutant in sorted(survived if given.again else sample):
        if mutant.area not in given.only or (mutant in known and not given.again):
            continue
        _, changer = mutant.tree()
        studies, tests = (
            ((), given.tests) if given.tests else coverers.of(mutant, changer.lines, given.seconds)
        )
        key = mutant.area, *studies
        if (
            key not in as_it_is
        ):  # the time of the cases as the program is; the tests' times are known
            outcome, as_it_is[key] = judged(
                Mutant(mutant.area, "", -1), (studies, given.tests or ()), 600
            )
            assert outcome == "passed", f"{key}: the program as it is fails: {outcome}"
        usual = as_it_is[key] + sum(
            coverers.times.get(mutant.area, {}).get(test, 0) for test in tests
        )
        outcome = (
            judged(mutant, (studies, tests), 3 * usual + 10)[0] if studies or tests else "never run"
        )
        reason = known.get(mutant, {}).get("reason", "")
        if reason and outcome not in SURVIVED:
            print(f"killed, so the reason was wrong: {reason}")
        known[mutant] = {
            "line": changer.line,
            "outcome": outcome,
            "change": changer.said,
            "reason": reason if outcome in SURVIVED else "",
        }
        print(*vars(mutant).values(), *known[mutant].values(), flush=True)
        write_outcomes(given.report, known)
    print(table_of(known))
    return 0


def anchored(known):
    """The outcomes at the places that the changes have now.

    What is gone is left out, what is in doubt runs again.
    """
    places, found = {}, {}
    for mutant, row in known.items():
        if mutant.file not in places:
            lister = Lister()
            if (PACKAGE / mutant.file).exists():
                lister.visit(ast.parse((PACKAGE / mutant.file).read_text(encoding="utf-8")))
            places[mutant.file] = lister.places
        here = places[mutant.file]
        equal = [number for number, (_, said) in enumerate(here) if said == row["change"]]
        if mutant.number in equal:
            equal = [mutant.number]
        equal.sort(key=lambda number: abs(here[number][0] - int(row["line"])))
        if not equal:
            print(f"gone: {mutant.file} {row['line']} {row['change']}")
            continue
        doubtful = len(equal) > 1 and not row["reason"]
        new = {
            **row,
            "line": here[equal[0]][0],
            "outcome": "pending" if doubtful else row["outcome"],
        }
        found[Mutant(mutant.area, mutant.file, equal[0])] = new
    return found


def table_of(known):
    """Outcomes per area as a Markdown table.

    What makes no difference is counted apart, never as noticed.
    """
    lines = [
        (
            "| area | changed | noticed | not noticed | no difference | share of all | share of the"
            " others |"
        ),
        "|---|---|---|---|---|---|---|",
    ]
    for area in (*AREAS, "all"):
        rows = [row for mutant, row in known.items() if area in (mutant.area, "all")]
        same = sum(bool(row["reason"]) for row in rows)
        noticed = sum(row["outcome"] not in SURVIVED for row in rows)
        if rows:
            shares = (f"{100 * noticed / max(1, n):.0f} %" for n in (len(rows), len(rows) - same))
            cells = area, len(rows), noticed, len(rows) - noticed - same, same, *shares
            lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(lines)


def read_outcomes(path):
    """{mutant: line, outcome, change}"""
    if not path.exists():
        return {}
    with open(path, encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return {
        Mutant(row.pop("area"), row.pop("file"), int(row.pop("number"))): {"reason": "", **row}
        for row in rows
    }


def write_outcomes(path, known):
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        columns = ["line", "outcome", "change", "reason"]
        writer.writerow(["area", "file", "number", *columns])
        writer.writerows(
            [*vars(mutant).values(), *map(row.get, columns)]
            for mutant, row in sorted(known.items(), key=lambda x: x[0])
        )


if __name__ == "__main__":
    sys.exit(main())
