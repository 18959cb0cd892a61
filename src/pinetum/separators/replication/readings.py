"""What the paper leaves open: each choice changed alone, on the paper's own numbers, and what its
column C4.5 may mean.
"""

import time
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pulp

from pinetum.induction import Grower, c45, error_based
from pinetum.separators.lp import Program
from pinetum.separators.names import METHODS, PRINTED
from pinetum.separators.planes import Bench, Settings
from pinetum.separators.replication.measure import (
    each_fold,
    percent_wrong,
    settings_of,
    single_decisions,
)
from pinetum.workflow.tables import absent


def compare_alternatives(datasets, alternative_repeats, folds, folds_run, seed, **solving):
    """What each choice that the paper leaves open changes."""
    return {
        "alternatives": reading_records(
            datasets,
            repeats=alternative_repeats,
            folds=folds,
            folds_run=folds_run,
            seed=seed,
            settings=settings_of(solving),
        )
    }


class Reading(NamedTuple):
    about: str
    change: Callable[[Settings], Settings] = lambda settings: settings
    plain: bool = False  # folds that do not look at the classes
    methods: tuple[str, ...] = tuple(METHODS)
    bench: Callable = Bench


def changed(**options):
    return lambda settings: replace(settings, **options)


class SplitProgram(Program):
    """(4) with w = p - q written into every row, by the primal simplex from the basis of the
    slacks.

    Of the many planes without error of a separable set, this is the vertex that a solver of 1996
    may have met.
    """

    def __init__(self, cases, options):
        super().__init__(cases, options)
        n = cases.n
        model = pulp.LpProblem("split")
        self.p, self.q = ([model.add_variable(f"{side}{j}", 0) for j in range(n)] for side in "pq")
        self.gamma = model.add_variable("gamma")
        self.u = [model.add_variable(f"u{i}", 0) for i in range(len(cases.costs))]
        model += pulp.LpAffineExpression(zip(self.u, cases.costs.tolist(), strict=True))
        for u, sign, row in zip(self.u, cases.signs.tolist(), cases.signed, strict=True):
            terms = [
                *zip(self.p, row.tolist(), strict=True),
                *zip(self.q, (-row).tolist(), strict=True),
            ]
            margin = pulp.LpAffineExpression([*terms, (self.gamma, -sign), (u, 1.0)])
            model.addConstraint(pulp.LpConstraint(margin, pulp.LpConstraintGE, rhs=1))
        self.model = model
        self.highs_solver = self.solver()
        self.highs_solver.createAndConfigureSolver(model)
        self.highs_solver.buildSolverModel(model)
        for option, value in (("solver", "simplex"), ("presolve", "off"), ("simplex_strategy", 4)):
            model.solverModel.setOptionValue(option, value)
        model.solverModel.setOptionValue("simplex_primal_edge_weight_strategy", 1)  # devex

    def best(self, epsilon=0.0, features=None):
        self.run("best plane")
        values = np.asarray(self.model.solverModel.getSolution().col_value)
        at = [[variable.index for variable in part] for part in (self.p, self.q)]
        weights, offset = values[at[0]] - values[at[1]], float(values[self.gamma.index])
        error = self.cases.error(weights, offset)
        return self.plane(weights, offset, error, error, error)


class SplitBench(Bench):
    def __init__(self, points, positive, settings=None):
        super().__init__(points, positive, settings)
        self.program = SplitProgram(self.program.cases, self.settings.solver)


READINGS = {
    "default": Reading("as the study reads the paper"),
    "plain folds": Reading("folds drawn without a look at the classes", plain=True),
    "cases on the plane negative": Reading(
        "a case on the plane itself is negative", changed(on_plane="negative")
    ),
    "cases on the plane positive": Reading(
        "a case on the plane itself is positive", changed(on_plane="positive")
    ),
    "cases on the plane wrong": Reading(
        "a case on the plane itself is an error, as (2) reads", changed(on_plane="wrong")
    ),
    "raw units": Reading("the points as they are", changed(scaling="raw")),
    "units [0, 1]": Reading("every feature onto [0, 1]", changed(scaling="unit")),
    "r = 0 at the start": Reading("Algorithm 4.1 from r = 0", changed(start="zero")),
    "r from the LP for every nu": Reading(
        "Algorithm 4.1 from the weights of the LP", changed(start="lp")
    ),
    "plane of (8), not solved again": Reading(
        "the plane in which Algorithm 4.1 ended", changed(resolve=False)
    ),
    "delta = 1.05 x LP error": Reading(
        "half of the error that the paper allows more", changed(tolerance=1.05)
    ),
    "delta = 1.2 x LP error": Reading(
        "twice the error that the paper allows more", changed(tolerance=1.2)
    ),
    "epsilon = 0.01": Reading("half of the weight of sum |w|", changed(epsilon=0.01)),
    "epsilon = 0.05": Reading("more weight of sum |w|", changed(epsilon=0.05)),
    "w as a difference, primal simplex": Reading(
        "another vertex where the plane is not unique", methods=("RLP",), bench=SplitBench
    ),
    "primal form": Reading(
        "the programs as printed",
        lambda settings: replace(settings, solver=replace(settings.solver, form="primal")),
    ),
}


def reading_records(datasets, *, repeats, folds, seed, settings, folds_run=None):
    """Means over the folds per reading, data set, method and cross-validation.

    Then those of C4.5's readings.
    """
    import pandas as pd

    common = {"repeats": repeats, "folds": folds, "seed": seed, "folds_run": folds_run}
    records = []
    for name, reading in READINGS.items():
        options = {"methods": reading.methods, "plain": reading.plain, "bench": reading.bench}
        rows = single_decisions(datasets, settings=reading.change(settings), **options, **common)
        records += means(name, pd.DataFrame(rows))
    rows = pd.DataFrame(c45_records(datasets, **common))
    for name, part in rows.groupby("reading", sort=False) if "reading" in rows else ():
        records += means(name, part)
    return records or [{"reading": "", "dataset": name, "status": "no_data"} for name in datasets]


def means(reading, rows):
    """One record per data set, method and cross-validation."""
    keys = ["dataset", "method", "repeat"]
    for (name, method, repeat), part in rows.groupby(keys, sort=False) if "method" in rows else ():
        good = part[part["status"] == "ok"]
        yield {
            "reading": reading,
            "dataset": name,
            "method": method,
            "repeat": int(repeat),
            "status": (
                "ok"
                if len(good) == len(part)
                else part.loc[part["status"] != "ok", "status"].iloc[0]
            ),
            "n": len(good),
            "test_error": good["test_error"].mean(),
            "features": good["features"].mean(),
            "different": good["different"].mean() if "different" in good else None,
            "programs": good["programs"].mean() if "programs" in good else None,
            "seconds": good["seconds"].sum(),
        }


# ------------------------------------------------------------ the column C4.5

# Options of growing and of pruning (None: not pruned). The first is the column.
C45_READINGS = {
    PRINTED: (c45(), {}),
    "no penalty on cuts, as before Release 8": (replace(c45(), penalty=False), {}),
    "no penalty on cuts, not pruned": (replace(c45(), penalty=False), None),
    "not pruned": (c45(), None),
    "gain (option -g)": (c45(criterion="gain"), {}),
    "confidence of 10 % (option -c 10)": (c45(), {"cf": 0.1}),
    "at least 5 cases in two branches (option -m 5)": (c45(5), {}),
}
compiled: set[str] = set()


def c45_records(datasets, *, repeats, folds, seed, folds_run=None):
    """C4.5's trees under every reading of its column, per fold."""
    return [
        {"reading": reading} | tree_record(item, reading)
        for item in each_fold(datasets, repeats, folds, folds_run, seed)
        if not absent(item)
        for reading in C45_READINGS
    ]


def tree_record(item, reading=PRINTED) -> dict:
    """Test error and inner nodes of C4.5's pruned tree by the core's grower, with its default
    options or by another reading.
    """
    table, labels, training = item.table, item.labels, item.training
    cases = np.flatnonzero(training)
    if reading not in compiled:
        grown(table, cases, reading)  # compiles, outside the clock
        compiled.add(reading)
    begun = time.process_time()
    tree = grown(table, cases, reading)
    seconds = time.process_time() - begun
    predicted = tree.predict(table)
    inner = tree.feature[tree.feature >= 0]
    return item.key | {
        "method": "C4.5",
        "status": "ok",
        "features": len(inner),  # the paper counts decisions and calls them features
        "decisions": len(inner),
        "different": len(np.unique(inner)),
        "train_error": percent_wrong(predicted[training], labels[training]),
        "test_error": percent_wrong(predicted[~training], labels[~training]),
        "seconds": seconds,
        "note": "",
    }


def grown(table, cases, reading):
    options, pruning = C45_READINGS[reading]
    tree = Grower(table, options, cases=cases).grow()
    return tree if pruning is None else error_based(tree, table, cases=cases, **pruning).tree
