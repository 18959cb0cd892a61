"""The dual form: n + 1 rows however many cases there are, re-solved after changes of column bounds.

The dual of  min error(w, gamma) + sum_j box_j |w_j|  is

    max sum y   subject to   sum_i s_i x_ij y_i + t_j = 0,  sum_i s_i y_i = 0,
                             0 <= y_i <= cost_i,  -box_j <= t_j <= box_j

with s_i = +1 for the positive class and -1 for the other. The weights are the duals of its rows.
Everything asked for is a choice of the boxes: 0 for (4), epsilon / (1 - epsilon) for (10),
alpha (1 - r_j) for (9), infinite for a feature that must not be used. Only column bounds change, so
the last basis stays dual feasible and the dual simplex goes on from it.

The program with a bounded error (Step 1 of Algorithm 4.1) is solved over its multiplier: for a
price lam of weight the form above gives a vertex; one vertex within delta, one beyond it and a
price at which both are optimal prove their combination at exactly delta to be the optimum.
"""

from typing import Any

import numpy as np
import pulp

from pinetum.separators.lp import (
    SEPARABLE,
    Cases,
    Plane,
    Program,
    SolverFailure,
    SolverOptions,
    within,
)

FEW_PIVOTS = 4  # after so few the two vertices are probably neighbours: test their common price
SPENDING = 0.2  # share of the best plane's weight that delta's spare error is first thought to save
STEEPNESS = (
    0.1  # by how much of delta the error is thought to grow when the price is e times as high
)
LEAST_STRIDE, STRIDE, LONGEST_STRIDE = (
    1.05,
    1.25,
    4.0,
)  # factors of the price; the least grows with every step
NO_WEIGHT = 1e-7  # so little is rounding; the error is checked without it
MAXIMUM_PRICES = 200


class DualProgram(Program):
    def __init__(self, cases: Cases, options: SolverOptions):
        super().__init__(cases, options)
        model = pulp.LpProblem("separation_dual")
        y = [model.add_variable(f"y{i}", 0, cost) for i, cost in enumerate(cases.costs.tolist())]
        t = [model.add_variable(f"t{j}", 0, 0) for j in range(cases.n)]
        model += pulp.LpAffineExpression((variable, -1.0) for variable in y)
        for variable, column in zip(t, cases.signed.T.tolist(), strict=True):
            balance = pulp.LpAffineExpression(zip(y, column, strict=True))
            balance[variable] = 1.0
            model.addConstraint(pulp.LpConstraint(balance, pulp.LpConstraintEQ, rhs=0))
        model.addConstraint(
            pulp.LpConstraint(
                pulp.LpAffineExpression(zip(y, cases.signs.tolist(), strict=True)), 0, rhs=0
            )
        )
        self.model = model
        self.highs_solver = self.solver()
        self.highs_solver.createAndConfigureSolver(model)
        self.highs_solver.buildSolverModel(model)
        model.solverModel.setOptionValue("solver", "simplex")
        model.solverModel.setOptionValue("presolve", "off")
        model.solverModel.setOptionValue(
            "simplex_scale_strategy", 0
        )  # the points come scaled; 1.5x on wide tables
        model.solverModel.setOptionValue(
            "simplex_strategy", 1
        )  # dual simplex: the basis stays dual feasible
        self.case_columns = np.array([variable.index for variable in y], dtype=np.int32)
        self.box_columns = np.array([variable.index for variable in t], dtype=np.int32)
        self.hard = False
        self.price = None  # of the last lightest plane, where the search for the next one begins
        self.start: tuple | None = None  # weights and offset of the last best plane

    def _solve(self, boxes, doing):
        """Weights, offset and bound of min error + sum boxes |w|."""
        highs = self.model.solverModel
        highs.changeColsBounds(len(boxes), self.box_columns, -boxes, boxes)
        try:
            self.run(doing)
        except SolverFailure as failure:
            # The statuses of the dual are those of the primal the other way round.
            swapped = {"infeasible": "unbounded", "unbounded": "infeasible"}
            raise SolverFailure(swapped.get(failure.status, failure.status), doing) from None
        duals = np.asarray(highs.getSolution().row_dual)
        return -duals[:-1], float(duals[-1]), -highs.getObjectiveValue()

    def _polished(self, weights, offset):
        """The vertex of the last basis from its equations: basic y have exact margins, basic t
        weights of 0.

        Weights of separable sets grow large, and the solver's own multipliers lose digits with
        them.
        """
        found = self.model.solverModel.getBasicVariables()[1]  # columns, and row i as -1 - i
        tight = np.flatnonzero(np.isin(self.case_columns, found))
        rows = np.isin(-1 - np.arange(self.cases.n + 1), found)
        free = np.flatnonzero(~(np.isin(self.box_columns, found) | rows[:-1]))
        cases = self.cases
        system = np.column_stack([cases.signed[np.ix_(tight, free)], -cases.signs[tight]])
        if rows[-1] or system.shape[0] != system.shape[1]:
            return weights, offset
        try:
            solution = np.linalg.solve(system, np.ones(len(tight)))
        except np.linalg.LinAlgError:
            return weights, offset
        exact = np.zeros(cases.n)
        exact[free] = solution[:-1]
        near = np.abs(exact - weights).max() <= 1e-6 * max(1.0, np.abs(weights).max())
        return (exact, float(solution[-1])) if near else (weights, offset)

    def _margins(self, hard):
        """hard: no case may be on the wrong side (delta = 0), so the y have no upper bound."""
        if hard != self.hard:
            upper = np.full(len(self.case_columns), np.inf) if hard else self.cases.costs
            self.model.solverModel.changeColsBounds(
                len(upper), self.case_columns, np.zeros(len(upper)), np.ascontiguousarray(upper)
            )
            self.hard = hard

    def _first_price(self, prices, delta, epsilon):
        """What a unit of weight costs if a share of the best plane's weight goes for the error that
        delta allows.
        """
        weights, offset = self.start or (np.zeros(self.cases.n), 0.0)
        spare, weight = (
            delta - self.objective(weights, offset, epsilon),
            float(prices @ np.abs(weights)),
        )
        return (
            spare / (SPENDING * weight)
            if spare > 0 and weight > 0
            else delta / (10.0 * self.cases.n)
        )

    def best(self, epsilon=0.0, features=None) -> Plane:
        """(4), or (10) when epsilon > 0, with the chosen features only."""
        boxes = np.full(self.cases.n, epsilon / (1 - epsilon))
        if features is not None:
            closed = np.ones(self.cases.n, dtype=bool)
            closed[features] = False
            boxes[closed] = np.inf
        self._margins(hard=False)
        weights, offset, bound = self._solve(boxes, "best plane")
        if bound <= SEPARABLE:
            weights, offset = self._polished(weights, offset)
        if features is not None:
            weights = np.where(closed, 0.0, weights)
        else:
            self.start = weights, offset
        error = self.cases.error(weights, offset)
        value = (1 - epsilon) * error + epsilon * float(np.abs(weights).sum())
        return self.plane(weights, offset, value, (1 - epsilon) * bound, error)

    def penalised(self, prices, epsilon=0.0) -> Plane:
        """The LP of (9): error plus prices times |w|."""
        self._margins(hard=False)
        boxes = (prices + epsilon) / (1 - epsilon)
        weights, offset, bound = self._solve(boxes, "plane with prices")
        value = self.objective(weights, offset, epsilon) + float(prices @ np.abs(weights))
        return self.plane(weights, offset, value, (1 - epsilon) * bound)

    def lightest(self, prices, delta, epsilon=0.0) -> Plane:
        """Step 1 of Algorithm 4.1: min prices . |w| with the error of (4) or (10) at most delta.

        Where rounding leaves no other plane within delta, as where no more than the least error is
        allowed, it is the last best one.
        """
        try:
            return self._lightest(prices, delta, epsilon)
        except SolverFailure as failure:
            if failure.status not in ("infeasible", "error") or self.start is None:
                raise
            weights, offset = self.start
            if not within(self.objective(weights, offset, epsilon), delta):
                raise
            return self.plane(weights, offset, float(prices @ np.abs(weights)), 0.0)

    def _lightest(self, prices, delta, epsilon) -> Plane:
        if delta <= SEPARABLE:
            self._margins(hard=True)
            weights, offset, bound = self._solve(
                np.asarray(prices, dtype=float), "lightest separating plane"
            )
            weights, offset = self._polished(weights, offset)
            return self.plane(weights, offset, float(prices @ np.abs(weights)), bound)
        self._margins(hard=False)
        low: Any = None  # (weight, error, weights, offset) of the vertex within delta,
        high: Any = None  # and of the one beyond
        low_price, high_price = 0.0, np.inf
        price, least, common = (
            self.price or self._first_price(prices, delta, epsilon),
            LEAST_STRIDE,
            None,
        )
        for _ in range(MAXIMUM_PRICES):
            before = self.effort.pivots
            weights, offset, _bound = self._solve(
                (price * prices + epsilon) / (1 - epsilon), "lightest plane"
            )
            few = self.effort.pivots - before <= FEW_PIVOTS
            vertex = (
                float(prices @ np.abs(weights)),
                self.objective(weights, offset, epsilon),
                weights,
                offset,
            )
            if vertex[1] <= delta and vertex[0] <= NO_WEIGHT:
                weights = np.where(prices > 0, 0.0, weights)
                if self.objective(weights, offset, epsilon) <= delta:
                    return self.plane(weights, offset, 0.0, 0.0)
            if low and high and price == common:
                line = low[1] + price * low[0]
                if vertex[1] + price * vertex[0] >= line - 1e-12 * max(1.0, line):
                    break
            if vertex[1] <= delta:
                low, low_price = vertex, price
            else:
                high, high_price = vertex, price
            if low and high and low[0] - high[0] <= 1e-12 * max(1.0, low[0]):
                # Errors that differ by rounding alone: the vertex within delta is as light as the
                # one beyond.
                self.price = price
                bound = (vertex[1] + price * vertex[0] - delta) / price
                return self.plane(low[2], low[3], low[0], bound)
            if high is None:
                price *= _stride((delta - low[1]) / delta, least)
                least *= STRIDE
            elif low is None:
                if price < 1e-12 * delta:
                    raise SolverFailure("infeasible", f"no plane has an error within {delta:g}")
                price /= _stride((high[1] - delta) / delta, least)
                least *= STRIDE
            else:
                common = (high[1] - low[1]) / (low[0] - high[0])
                price = (
                    common
                    if few
                    else _between(low_price, high_price, low[1] - delta, high[1] - delta, common)
                )
        else:
            if low is None or high is None:
                raise SolverFailure("error", "the price of weight was not found")
            # Rounding hides the common price: the last two are so near that all between them is
            # within delta and as light as the bound below tells.
        self.price = price
        share = (delta - low[1]) / (high[1] - low[1])
        weights = (1 - share) * low[2] + share * high[2]
        offset = (1 - share) * low[3] + share * high[3]
        bound = (vertex[1] + price * vertex[0] - delta) / price
        return self.plane(weights, offset, float(prices @ np.abs(weights)), bound)


def _stride(missing, least):
    """Factor of the price that should close so much of delta."""
    return (
        min(max(least, np.exp(missing / STEEPNESS)), LONGEST_STRIDE)
        if missing < 1
        else LONGEST_STRIDE
    )


def _between(low, high, low_error, high_error, common):
    """Where the error, linear in the logarithm of the price, would reach delta."""
    share = np.clip(-low_error / (high_error - low_error), 0.1, 0.9)
    guess = low ** (1 - share) * high**share
    return guess if low < guess < high else common
