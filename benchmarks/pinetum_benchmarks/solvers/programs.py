"""The same linear programs by other ways: started afresh each time, by scipy, by CBC."""

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import csr_array, eye_array, hstack, vstack

from pinetum.separators.dual import DualProgram
from pinetum.separators.lp import Cases, Program, SolverFailure, SolverOptions
from pinetum.separators.primal import PrimalProgram

OURS = "dual form, warm"


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
