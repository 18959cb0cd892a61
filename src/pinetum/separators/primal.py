"""The primal form: the paper's programs as printed, re-solved after changes of costs.

w is split into w = p - q with p, q >= 0. One model serves all: (4), (10), (8) for given r, (9), and
the bounds on single weights that the exact minimum needs. Between them only costs change, and the
bound on the error is set once behind an optimum that meets it, so the last basis stays primal
feasible and the primal simplex goes on from it.
"""

import numpy as np
import pulp

from pinetum.separators.lp import Cases, Plane, Program, SolverFailure, SolverOptions


class PrimalProgram(Program):
    def __init__(self, cases: Cases, options: SolverOptions):
        super().__init__(cases, options)
        n = cases.n
        model = pulp.LpProblem("separation")
        self.w = [model.add_variable(f"w{j}") for j in range(n)]
        self.p = [model.add_variable(f"p{j}", 0) for j in range(n)]
        self.q = [model.add_variable(f"q{j}", 0) for j in range(n)]
        self.gamma = model.add_variable("gamma")
        self.u = [model.add_variable(f"u{i}", 0) for i in range(len(cases.costs))]
        distance = pulp.LpAffineExpression(zip(self.u, cases.costs.tolist(), strict=True))
        model += distance
        for u, sign, row in zip(self.u, cases.signs.tolist(), cases.signed.tolist(), strict=True):
            margin = pulp.LpAffineExpression(zip(self.w, row, strict=True))
            margin[u] = 1.0
            margin[self.gamma] = -sign
            model.addConstraint(pulp.LpConstraint(margin, pulp.LpConstraintGE, rhs=1))
        for w, p, q in zip(self.w, self.p, self.q, strict=True):
            model.addConstraint(w - p + q == 0)
        # E = (1 - epsilon) * average distance + epsilon * sum |w|: what (4) and (10) minimise and
        # delta bounds.
        self.average, self.length, self.total = (
            model.add_variable(name) for name in ("average", "length", "total")
        )
        model.addConstraint(distance - self.average == 0)
        model.addConstraint(pulp.lpSum(self.p + self.q) - self.length == 0)
        self.error_row = self.average - self.total == 0
        model.addConstraint(self.error_row, "error")
        model.setObjective(+self.total)
        self.model = model
        self.epsilon = 0.0
        self.cold = options.name == "CBC"
        if not self.cold:
            self.highs_solver = self.solver()
            self.highs_solver.createAndConfigureSolver(model)
            self.highs_solver.buildSolverModel(model)
            self.pair_columns = np.array([v.index for v in self.p + self.q], dtype=np.int32)
            self.weight_columns = np.array([v.index for v in self.w], dtype=np.int32)

    def _solve(self, doing, *, error_cost, prices, delta, epsilon, features=None, reward=None):
        """Minimise error_cost * E + prices . (p + q) - reward . w with E <= delta."""
        n = self.cases.n
        upper = np.full(n, np.inf)
        if features is not None:
            upper[:] = 0.0
            upper[features] = np.inf
        reward = np.zeros(n) if reward is None else reward
        arguments = (
            doing,
            error_cost,
            np.asarray(prices, dtype=float),
            delta,
            epsilon,
            upper,
            reward,
        )
        return self._solve_cold(*arguments) if self.cold else self._solve_warm(*arguments)

    def _solve_warm(self, doing, error_cost, prices, delta, epsilon, upper, reward):
        highs, n = self.model.solverModel, self.cases.n
        row = self.error_row.index
        if epsilon != self.epsilon:
            highs.changeCoeff(row, self.average.index, 1 - epsilon)
            highs.changeCoeff(row, self.length.index, epsilon)
            self.epsilon = epsilon
        highs.changeColBounds(self.total.index, -np.inf, delta)
        highs.changeColsBounds(
            2 * n, self.pair_columns, np.zeros(2 * n), np.concatenate([upper, upper])
        )
        highs.changeColCost(self.total.index, error_cost)
        highs.changeColsCost(2 * n, self.pair_columns, np.concatenate([prices, prices]))
        highs.changeColsCost(n, self.weight_columns, -np.asarray(reward, dtype=float))
        self.run(doing)
        highs.setOptionValue("presolve", "off")
        highs.setOptionValue(
            "simplex_strategy", 4
        )  # primal simplex: the basis stays primal feasible
        solution = highs.getSolution()
        values = np.asarray(solution.col_value)
        bound = dual_bound(highs, solution)
        return (
            values[self.weight_columns],
            values[self.gamma.index],
            highs.getObjectiveValue(),
            bound,
        )

    def _solve_cold(self, doing, error_cost, prices, delta, epsilon, upper, reward):
        model = self.model
        row = self.error_row.expr
        row[self.average], row[self.length] = 1 - epsilon, epsilon
        self.total.upBound = delta if np.isfinite(delta) else None
        terms = [(self.total, error_cost)]
        for w, p, q, price, bound, gain in zip(
            self.w, self.p, self.q, prices, upper, reward, strict=True
        ):
            p.upBound = q.upBound = 0.0 if bound == 0.0 else None
            terms += [(p, price), (q, price), (w, -gain)]
        model.setObjective(pulp.LpAffineExpression(terms))
        limit = self.options.time_limit
        solver = pulp.PULP_CBC_CMD(msg=self.options.log != "none", threads=1, timeLimit=limit)
        status = pulp.LpStatus[model.solve(solver)]
        self.effort.runs += 1
        if status != "Optimal" or model.sol_status != pulp.LpSolutionOptimal:
            words = {"Infeasible": "infeasible", "Unbounded": "unbounded", "Optimal": "time_limit"}
            raise SolverFailure(words.get(status, "time_limit"), doing)
        weights = np.array([w.varValue or 0.0 for w in self.w])
        value = pulp.value(model.objective)
        return (
            weights,
            self.gamma.varValue or 0.0,
            value,
            value,
        )  # CBC's files carry too few digits for a certificate

    def best(self, epsilon=0.0, features=None) -> Plane:
        """(4), or (10) when epsilon > 0, with the chosen features only."""
        found = self._solve(
            "best plane",
            error_cost=1.0,
            prices=np.zeros(self.cases.n),
            delta=np.inf,
            epsilon=epsilon,
            features=features,
        )
        return self.plane(*found)

    def penalised(self, prices, epsilon=0.0) -> Plane:
        """The LP of (9): error plus prices times |w|."""
        return self.plane(
            *self._solve(
                "plane with prices", error_cost=1.0, prices=prices, delta=np.inf, epsilon=epsilon
            )
        )

    def lightest(self, prices, delta, epsilon=0.0) -> Plane:
        """Step 1 of Algorithm 4.1: min prices . |w| with the error of (4) or (10) at most delta."""
        return self.plane(
            *self._solve(
                "lightest plane", error_cost=0.0, prices=prices, delta=delta, epsilon=epsilon
            )
        )

    def largest(self, feature, sign, delta, epsilon=0.0) -> float:
        """How large sign * w_feature can be within delta; infinite when nothing holds it."""
        reward = np.zeros(self.cases.n)
        reward[feature] = sign
        try:
            _weights, _offset, value, _bound = self._solve(
                "bound on a weight",
                error_cost=0.0,
                prices=np.zeros(self.cases.n),
                delta=delta,
                epsilon=epsilon,
                reward=reward,
            )
        except SolverFailure as failure:
            # Presolve may say "infeasible or unbounded"; it is feasible, since delta allows the
            # best plane.
            if failure.status in ("unbounded", "infeasible"):
                return np.inf
            raise
        return -value


def dual_bound(highs, solution) -> float:
    """Objective of the dual solution, from the multipliers of rows and columns at their bounds."""
    model = highs.getLp()
    total = 0.0
    for duals, lower, upper, values in (
        (solution.row_dual, model.row_lower_, model.row_upper_, solution.row_value),
        (solution.col_dual, model.col_lower_, model.col_upper_, solution.col_value),
    ):
        duals, lower, upper, values = (np.asarray(part) for part in (duals, lower, upper, values))
        bound = np.where(duals > 0, lower, upper)
        bound = np.where(
            np.isfinite(bound), bound, values
        )  # a multiplier of a free one is rounding
        total += float(duals @ bound)
    return total
