"""The four-set study, timed: our re-solved models against the same algorithms on other solvers, in
one run.
"""

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import csr_array, eye_array, hstack, vstack

from pinetum.separators.dual import DualProgram
from pinetum.separators.lp import Cases, Program, SolverFailure, SolverOptions
from pinetum.separators.minimize import minimize
from pinetum.separators.names import METHODS
from pinetum.separators.planes import EPSILON
from pinetum.separators.primal import PrimalProgram
from pinetum.separators.replication.measure import folds_of, numbers_of
from pinetum.separators.scaling import Scaling
from pinetum.workflow.clocks import cpu_seconds
from pinetum.workflow.tables import absent, each_table

OURS = "dual form, warm"
PATIENCE = 5.0  # CPU seconds after which a way is not repeated


class ColdProgram(PrimalProgram):
    """The primal form with HiGHS, but every LP starts afresh, presolve included."""

    def run(self, doing):
        highs = self.model.solverModel
        highs.clearSolver()
        highs.setOptionValue("presolve", "choose")
        highs.setOptionValue("simplex_strategy", 1)
        super().run(doing)


class LinprogProgram(Program):
    """The primal form through scipy's linprog, columns p, q, gamma, u."""

    def __init__(self, cases, options):
        super().__init__(cases, options)
        m, n = cases.signed.shape
        self.margins = -hstack(
            [
                csr_array(cases.signed),
                csr_array(-cases.signed),
                csr_array(-cases.signs[:, None]),
                eye_array(m),
            ]
        ).tocsr()
        self.bounded = {}  # margins and the row of the error, by epsilon
        self.bounds = [(0, None)] * (2 * n) + [(None, None)] + [(0, None)] * m

    def _solve(self, error_cost, prices, delta, epsilon, features=None):
        cases = self.cases
        m, n = cases.signed.shape
        error = np.concatenate([np.full(2 * n, epsilon), [0.0], (1 - epsilon) * cases.costs])
        cost = error_cost * error
        cost[: 2 * n] += np.concatenate([prices, prices])
        rows, right = self.margins, -np.ones(m)
        if delta is not None:
            if epsilon not in self.bounded:
                self.bounded[epsilon] = csr_array(vstack([rows, csr_array(error[None, :])]))
            rows, right = self.bounded[epsilon], np.append(right, delta)
        bounds = list(self.bounds)
        for j in () if features is None else np.setdiff1d(np.arange(n), features):
            bounds[j] = bounds[n + j] = (0, 0)
        answer = linprog(cost, A_ub=rows, b_ub=right, bounds=bounds, method="highs")
        self.effort.runs += 1
        if answer.status != 0:
            raise SolverFailure(
                {1: "time_limit", 2: "infeasible", 3: "unbounded"}.get(answer.status, "error"),
                "linprog",
            )
        return self.plane(
            answer.x[:n] - answer.x[n : 2 * n], answer.x[2 * n], answer.fun, answer.fun
        )

    def best(self, epsilon=0.0, features=None):
        return self._solve(1.0, np.zeros(self.cases.n), None, epsilon, features)

    def lightest(self, prices, delta, epsilon=0.0):
        return self._solve(0.0, prices, delta, epsilon)


def _made(program, **options):
    return lambda points, positive: program(Cases(points, positive), SolverOptions(**options))


WAYS = {
    OURS: _made(DualProgram),
    "primal form, warm": _made(PrimalProgram),
    "primal form, cold": _made(ColdProgram),
    "scipy linprog": _made(LinprogProgram),
    "pulp and CBC": _made(PrimalProgram, name="CBC"),
}


def time_solvers(datasets, speed, folds, folds_run, seed):
    """The four-set study through several solvers, in one run.

    Medians of runs that take turns, so that a slow spell of the machine meets all. Slow ways run
    once.
    """
    import pandas as pd

    common = {"folds": folds, "seed": seed}
    first = dict(list(datasets.items())[:1])
    for way in speed["ways"]:  # imports and first calls of the solvers, outside the clock
        four_set_study(first, way, folds_run=1, **common)
    runs: dict[str, list] = {way: [] for way in speed["ways"]}
    for _ in range(speed["repeats"]):
        for way, done in runs.items():
            if done and "seconds" in done[0] and done[0]["seconds"].sum() > PATIENCE:
                continue
            done.append(pd.DataFrame(four_set_study(datasets, way, folds_run=folds_run, **common)))
    records = []
    for done in runs.values():
        table = done[0]
        if "seconds" in table:
            table["seconds"] = np.median([run["seconds"] for run in done], axis=0)
        records += table.to_dict("records")
    return {"speed": records}


def four_set_study(datasets, way, *, folds, seed, folds_run=None):
    """CPU seconds of modelling and solving per data set and method, summed over the folds of one
    repeat.
    """
    records = []
    run = folds_run or folds
    for name, table in each_table(datasets):
        if absent(table):
            records.append(table | {"way": way})
            continue
        points, labels = numbers_of(table)
        numbers = folds_of(labels, name, 0, folds, seed)
        seconds = dict.fromkeys(METHODS, 0.0)
        found = dict.fromkeys(METHODS, 0)
        programs, status = 0, "ok"
        for fold in range(run):
            training = numbers != fold
            scaled = Scaling.fit(points[training]).apply(points[training])
            begun = cpu_seconds()
            program = WAYS[way](scaled, labels[training] == 1)
            modelling = cpu_seconds() - begun
            full = {}
            for method in METHODS:
                epsilon = EPSILON if METHODS[method].light else 0.0
                begun = cpu_seconds()
                try:
                    if METHODS[method].minimizes:
                        plane = minimize(program, epsilon, full=full[epsilon]).plane
                    else:
                        plane = full[epsilon] = program.best(epsilon)
                except SolverFailure as failure:
                    status = failure.status
                    continue
                spent = cpu_seconds() - begun
                # Minimization stands on the LP before it; the model is shared, so each plain LP
                # pays half of it.
                seconds[method] += spent + (0.0 if METHODS[method].minimizes else modelling / 2)
                found[method] += len(plane.features)
            programs += program.effort.programs
        for method in METHODS:
            records.append(
                {
                    "dataset": name,
                    "way": way,
                    "method": method,
                    "status": status,
                    "folds": run,
                    "features": found[method] / (run),
                    "seconds": seconds[method],
                    "note": "",
                }
            )
    return records
