"""CPU seconds of what the studies spend their time on, warm, beside those of another checkout.

    python benchmarks/programs/hot_speed.py                        # this checkout alone
    python benchmarks/programs/hot_speed.py ../older [WORKLOAD...]  # beside the checkout in ../older, in turn

Data come from the folder $PINETUM_MIRROR. Each checkout works in a process of its own, with its own
kernels; the two take turns, the figures are medians, and their answers must be the same.
$PINETUM_KERNEL_CACHE holds for this checkout, $OLDER_KERNEL_CACHE for the other one.
"""  # noqa: E501

import json
import os
import subprocess
import sys
import tempfile
import time
from functools import cache
from pathlib import Path
from statistics import median

import numpy as np

HERE = Path(__file__).resolve()
ROUNDS, LEAST, PATIENCE = (
    7,
    0.1,
    10.0,
)  # turns; CPU seconds of one measurement; after which a workload has fewer turns
ROOT = 1


@cache
def load(name):
    """A data set of the catalogue, from the mirror."""
    from pinetum.data.loading import load_catalogue
    from pinetum.data.sources import Setting, serve

    entry = load_catalogue()["datasets"][name]
    local = {**entry, "sources": [source for source in entry["sources"] if "mirror" in source]}
    with tempfile.TemporaryDirectory() as downloads:
        return serve(
            name, local, Setting(os.environ["PINETUM_MIRROR"], Path(downloads), {})
        ).dataset


def split(data, share):
    from pinetum.validation import stratified_split

    return stratified_split(data.labels, share, np.random.default_rng(ROOT))


def tree(name, numeric=False, share=None):
    from pinetum.induction import Grower, yadt
    from pinetum_benchmarks.growing.speed import as_numbers

    data = as_numbers(load(name)) if numeric else load(name)
    grower = Grower(data, yadt(2), cases=None if share is None else split(data, share)[0])
    return lambda: int(grower.grow().n_nodes)


def enumeration():
    from pinetum.distinct.enumeration import enumerate_trees
    from pinetum.induction import yadt

    data = load("ionosphere")
    return lambda: int(enumerate_trees(data, options=yadt(160)).distinct)


def bounded_search():
    from pinetum.distinct.engine import Engine
    from pinetum.distinct.search import search_engine
    from pinetum.induction import yadt

    data = load("sonar")
    halves = split(data, 0.7)
    return lambda: int(search_engine(Engine(data, yadt(2), *halves)).errors)


def elimination(name):
    from pinetum.elimination.backward import Workspace, select_in
    from pinetum.induction import yadt

    data = load(name)
    workspace = Workspace(data, 1000)
    table = workspace.table(data, *split(data, 0.7))
    return lambda: [
        int(e) for e in select_in(table, workspace, way="bounded", options=yadt(2)).errors
    ]


def greedy_tables():
    from pinetum.greedy_dp.replication.random_tables import run

    return lambda: int(
        run(ROOT, 0, 1000, rows=30, attributes=6, values=2, decisions=2)[0].to_numpy().sum()
    )


def pruning():
    from pinetum.pruning.readings import Reading
    from pinetum.pruning.replication.measure import network_records

    def count():
        found = network_records(ROOT, range(5), Reading())
        return int(found[0].filter(like="hits_").to_numpy().sum())

    return count


def fixed_depth(features, depth, method):
    from pinetum.nbdt.fixed_depth import TwoClassSolver
    from pinetum.nbdt.replication.speed import random_model

    model = random_model(np.random.default_rng(ROOT), features, 4, 500)
    return lambda: round(
        float(TwoClassSolver(model, depth).fit(method=method).expected_accuracy), 12
    )


def programs():
    from pinetum.separators.dual import DualProgram
    from pinetum.separators.lp import Cases, SolverOptions
    from pinetum.separators.minimize import minimize
    from pinetum.separators.scaling import Scaling

    data = load("ionosphere")
    points = Scaling.fit(data.numbers()).apply(data.numbers())

    def features():
        program = DualProgram(Cases(points, data.labels == 1), SolverOptions())
        return len(minimize(program, 0.2, full=program.best(0.2)).plane.features)

    return features


WORKLOADS = {
    "tree, letter": lambda: tree("letter"),
    "tree, adult": lambda: tree("adult", numeric=True),
    "tree, sonar": lambda: tree("sonar", share=0.63),
    "enumeration, ionosphere m=160": enumeration,
    "bounded search, sonar m=2": bounded_search,
    "elimination, sonar": lambda: elimination("sonar"),
    "elimination, letter": lambda: elimination("letter"),
    "1,000 greedy tables": greedy_tables,
    "five pruning repetitions": pruning,
    "optnbdt, 98 x 4, depth 4": lambda: fixed_depth(98, 4, "optnbdt"),
    "optnbdt, 98 x 4, depth 3": lambda: fixed_depth(98, 3, "optnbdt"),
    "linear programs, ionosphere": programs,
}


def serve_workloads():
    """Answer names of workloads on the input with seconds and result, one line each."""
    ready, answers = {}, os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what the studies print goes to the error stream
    for line in sys.stdin:
        name = line.strip()
        if name not in ready:
            run = WORKLOADS[name]()
            run()
            begun = time.process_time()
            run()
            ready[name] = run, max(1, int(LEAST / max(time.process_time() - begun, 1e-6)))
        run, times = ready[name]
        begun = time.process_time()
        for _ in range(times):
            result = run()
        seconds = (time.process_time() - begun) / times
        print(json.dumps([seconds, result]), file=answers, flush=True)


# Each side runs its own copy of this file, which lay elsewhere up to version 0.2.
PLACES = ("benchmarks/programs/hot_speed.py", "tests/bench/hot_speed.py")


class Side:
    """One checkout at work."""

    def __init__(self, checkout, kernels):
        paths = f"{checkout / 'src'}:{checkout / 'benchmarks'}"
        environment = os.environ | {
            "PYTHONPATH": paths,
            "OMP_NUM_THREADS": "1",
            "PINETUM_JIT": "always",
        }
        if kernels:
            environment["PINETUM_KERNEL_CACHE"] = kernels
        self.process = subprocess.Popen(
            [sys.executable, next(filter(Path.exists, map(checkout.joinpath, PLACES))), "--serve"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            text=True,
        )

    def measure(self, name):
        print(name, file=self.process.stdin, flush=True)
        answer = self.process.stdout.readline()
        if not answer:
            raise SystemExit(f"{name}: a side gave up; run its file with --serve and type the name")
        return json.loads(answer)


def main(arguments):
    sides = [Side(HERE.parents[2], os.environ.get("PINETUM_KERNEL_CACHE"))]
    if arguments:
        sides.append(Side(Path(arguments[0]).resolve(), os.environ.get("OLDER_KERNEL_CACHE")))
    print(
        f"{'workload':32}{'seconds':>10}"
        + (f"{'older':>10}{'ratio':>7}  answers" if arguments else "")
    )
    for name in arguments[1:] or WORKLOADS:
        seconds, results, spent = [[] for _ in sides], [None] * len(sides), 0.0
        while len(seconds[0]) < ROUNDS and (spent < PATIENCE or len(seconds[0]) < 2):
            turns = list(enumerate(sides))
            for i, side in (
                turns if len(seconds[0]) % 2 else reversed(turns)
            ):  # who is second is favoured
                here, results[i] = side.measure(name)
                seconds[i].append(here)
                spent += here
        medians = [median(here) for here in seconds]
        line = f"{name:32}{medians[0]:10.4f}"
        if arguments:
            same = "same" if results[0] == results[1] else f"DIFFER: {results}"
            line += f"{medians[1]:10.4f}{medians[0] / medians[1]:7.2f}  {same}"
        print(line, flush=True)


if __name__ == "__main__":
    serve_workloads() if sys.argv[1:] == ["--serve"] else main(sys.argv[1:])
