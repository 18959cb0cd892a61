"""The least number of features within delta, proven by a MIP.

cuts: the MIP chooses features only (one 0/1 variable each). A chosen set that cannot meet delta is
grown while it still cannot, and one feature from outside it becomes necessary: a new row. Nothing
about the size of weights is assumed, and separable sets and collinear features need no care. Its
optimum is a lower bound at any time.

weights: the MIP also holds the rows of (4) and the bound on the error. A weight is tied to its
feature by the largest and the smallest value that an LP finds for it within delta, so no optimum is
cut off, as could happen with a guessed big number. Where no such bound exists (separable sets,
collinear features) the tie is left out and cuts make up for it; they also catch whatever the
solver's integrality tolerance lets through.

With both a set is only reported after the LP with these features alone confirmed it.
"""

import itertools
import math
from dataclasses import dataclass, replace

import numpy as np
import pulp

from pinetum.separators.lp import STATUS, Deadline, SolverFailure, SolverOptions, within
from pinetum.separators.primal import PrimalProgram
from pinetum.separators.program import make_program

INTEGER = 1e-6
METHODS = ("cuts", "weights")


@dataclass(frozen=True)
class Exact:
    """status optimal: count is the minimum; otherwise the minimum lies between bound and count."""

    features: np.ndarray
    bound: int
    status: str
    cuts: int
    bounded_weights: int  # features whose weight has a bound

    @property
    def count(self) -> int:
        return len(self.features)

    @property
    def gap(self) -> float:
        return (self.count - self.bound) / max(1, self.count)


def weight_bounds(cases, delta, epsilon, options, deadline):
    """Largest and smallest w_j within delta, infinite where nothing holds it."""
    program = PrimalProgram(cases, options)
    bounds = np.array([np.full(cases.n, np.inf), np.full(cases.n, np.inf)])
    program.best(epsilon)  # a first basis within delta: from here on only costs change
    for j in range(cases.n):
        for row, sign in enumerate((1, -1)):
            if deadline.over():
                return bounds
            bounds[row, j] = program.largest(j, sign, delta, epsilon)
    return bounds


def master_problem(cases, delta, epsilon, bounds, incumbent):
    """The MIP of z alone, or with the plane when at least one weight is bounded."""
    n = cases.n
    model = pulp.LpProblem("fewest_features")
    z = [model.add_variable(f"z{j}", cat="Binary") for j in range(n)]
    model += pulp.lpSum(z)
    model.addConstraint(pulp.lpSum(z) >= 1)
    model.addConstraint(pulp.lpSum(z) <= incumbent)
    tied = np.flatnonzero(np.isfinite(bounds).all(axis=0))
    if len(tied) == 0:
        return model, z, tied
    p = [model.add_variable(f"p{j}", 0) for j in range(n)]
    q = [model.add_variable(f"q{j}", 0) for j in range(n)]
    gamma = model.add_variable("gamma")
    u = [model.add_variable(f"u{i}", 0) for i in range(len(cases.costs))]
    for distance, sign, row in zip(u, cases.signs.tolist(), cases.signed.tolist(), strict=True):
        margin = pulp.LpAffineExpression(zip(p, row, strict=True))
        for variable, value in zip(q, row, strict=True):
            margin[variable] = -value
        margin[distance] = 1.0
        margin[gamma] = -sign
        model.addConstraint(pulp.LpConstraint(margin, pulp.LpConstraintGE, rhs=1))
    error = pulp.LpAffineExpression(zip(u, ((1 - epsilon) * cases.costs).tolist(), strict=True))
    for variable in p + q if epsilon > 0 else ():
        error[variable] = epsilon
    model.addConstraint(error <= float(delta))
    for j in tied.tolist():
        # p and q are not needed both at once, so each has the bound of its own sign.
        model.addConstraint(p[j] <= max(0.0, float(bounds[0, j])) * z[j])
        model.addConstraint(q[j] <= max(0.0, float(bounds[1, j])) * z[j])
    return model, z, tied


def solve_master(model, z, options, deadline):
    """Chosen features (None without a solution), lower bound and status."""
    limit = None if math.isinf(deadline.end) else max(0.05, deadline.left())
    loud = options.log != "none"
    if options.name == "CBC":
        model.solve(pulp.PULP_CBC_CMD(msg=loud, threads=1, timeLimit=limit))
        status = {
            pulp.LpSolutionOptimal: "optimal",
            pulp.LpSolutionInfeasible: "infeasible",
            pulp.LpSolutionUnbounded: "unbounded",
        }.get(model.sol_status, "time_limit")
        bound = (
            pulp.value(model.objective) if status == "optimal" else 1.0
        )  # pulp does not hand on CBC's bound
        found = status == "optimal" or model.sol_status == pulp.LpSolutionIntegerFeasible
    else:
        solver = pulp.HiGHS(msg=loud, threads=1, **({} if limit is None else {"timeLimit": limit}))
        solver.createAndConfigureSolver(model)
        solver.buildSolverModel(model)
        solver.callSolver(model)
        highs = model.solverModel
        status = STATUS.get(highs.getModelStatus(), "error")
        information = highs.getInfo()
        bound = information.mip_dual_bound
        found = information.primal_solution_status == 2  # feasible
        if found:
            values = np.asarray(highs.getSolution().col_value)
            for variable in z:
                variable.varValue = values[variable.index]
    chosen = np.flatnonzero([variable.varValue > 0.5 for variable in z]) if found else None
    return chosen, bound, status


def grow(program, chosen, delta, epsilon, order, deadline):
    """Add features while the set still cannot meet delta: the larger the set, the stronger the cut.

    Features are tried in blocks that double after a success and fall to one after a failure.
    """
    grown, waiting, block = list(chosen), [j for j in order if j not in set(chosen)], 1
    while waiting and not deadline.over():
        tried = np.array([*grown, *waiting[:block]])
        if not within(program.best(epsilon, tried).value, delta):
            grown, waiting, block = tried.tolist(), waiting[block:], 2 * block
        elif block == 1:
            waiting = waiting[1:]
        else:
            block = 1
    return grown


def exact_minimum(
    cases,
    delta,
    epsilon=0.0,
    *,
    known=None,
    method="cuts",
    options=None,
    rounds=None,
    time_limit=None,
) -> Exact:
    """Fewest features whose plane of (4), or (10), has an error within delta.

    known: features of a set within delta (the heuristic's), the first upper bound.
    rounds bounds the MIPs solved, with the same result on every machine; time_limit the seconds.
    """
    if method not in METHODS:
        raise ValueError(f"method = {method!r}: allowed are {', '.join(METHODS)}")
    options = options or SolverOptions()
    deadline = Deadline(time_limit)
    program = make_program(cases, None, options)
    best = np.arange(cases.n) if known is None else np.asarray(known)
    if not within(program.best(epsilon, best).value, delta):
        best = np.arange(cases.n)
        if not within(program.best(epsilon).value, delta):
            raise SolverFailure("infeasible", f"no plane has an error within {delta:g}")
    if len(best) == 0 or within(program.best(epsilon, np.arange(0)).value, delta):
        return Exact(np.arange(0), 0, "optimal", 0, 0)
    bounds = np.full((2, cases.n), np.inf)
    if (
        method == "weights" and delta > 0.0
    ):  # separable sets: any plane can be stretched, no weight is bounded
        quiet = replace(options, form="primal", log="all" if options.log == "all" else "none")
        bounds = weight_bounds(cases, delta, epsilon, quiet, deadline)
    model, z, tied = master_problem(cases, delta, epsilon, bounds, len(best))
    order = np.argsort(np.abs(program.best(epsilon).weights), kind="stable").tolist()
    lowest, cuts, status = 1, 0, "optimal"
    for turn in itertools.count():
        if deadline.over():
            status = deadline.status
        elif rounds is not None and turn >= rounds:
            status = "round_limit"
        if status != "optimal" or lowest >= len(best):
            break
        chosen, bound, status = solve_master(model, z, options, deadline)
        if (
            status == "infeasible"
        ):  # nothing is left within the number known before, so that was the minimum
            lowest, status = len(best), "optimal"
            break
        if np.isfinite(bound):
            lowest = min(len(best), max(lowest, math.ceil(bound - INTEGER)))
        if chosen is None:
            continue
        if within(program.best(epsilon, chosen).value, delta):
            best = chosen if len(chosen) < len(best) else best
            if status == "optimal":
                break
        elif status == "optimal":
            outside = np.setdiff1d(
                np.arange(cases.n), grow(program, chosen, delta, epsilon, order, deadline)
            )
            if len(outside) == 0:
                raise SolverFailure(
                    "error", "all features together missed delta, which they met before"
                )
            model.addConstraint(pulp.lpSum(z[j] for j in outside.tolist()) >= 1)
            cuts += 1
    if status == "optimal":
        lowest = len(best)
    return Exact(np.sort(best), lowest, status, cuts, len(tied))
