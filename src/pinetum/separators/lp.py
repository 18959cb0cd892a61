"""What both forms of the linear programs share: options, statuses, planes and the cases
themselves.
"""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pulp
from highspy import HighsModelStatus

from pinetum.progress import look

ZERO_WEIGHT = 1e-6  # a feature is used when its weight is larger, on the scale the LP sees
# cases so near, where the margin is 1, lie on the plane; which side must not be left to rounding
ON_PLANE = 1e-9
SEPARABLE = 1e-9  # an LP error below this is zero: the two sets can be separated
FEASIBILITY = 1e-10  # tolerance handed to the solver
# Where columns nearly repeat each other, rounding can keep the solver from an end. Then it starts
# afresh, scales the program itself and, at last, takes what is as near as it asks by default.
AFRESH: tuple[dict[str, float], ...] = (
    {"simplex_scale_strategy": 2},
    {
        "simplex_scale_strategy": 2,
        "primal_feasibility_tolerance": 1e-7,
        "dual_feasibility_tolerance": 1e-7,
    },
)
SLACK = 1e-8  # relative, and
ROUNDING = 1e-7  # absolute slack of "within delta" when a feature set is verified


CURES = {
    "time_limit": "; raise time_limit",
    "error": "; columns that nearly repeat others can be the cause: leave them out",
}


class SolverFailure(RuntimeError):
    """The solver ended without an optimum; `status` is the word for the record."""

    def __init__(self, status: str, doing: str):
        super().__init__(f"{doing}: {status}{CURES.get(status, '')}")
        self.status = status


ENDED = ("time_limit", "interrupted")  # statuses of a search that could have gone on


class Deadline:
    """A time by which something shall end, or Ctrl-C before it.

    `status` says which of them did, "ok" if neither.
    """

    def __init__(self, seconds=None):
        self.end = math.inf if seconds is None else time.monotonic() + seconds
        self.status, self.asked = "ok", 0

    def left(self) -> float:
        return self.end - time.monotonic()

    def over(self) -> bool:
        self.asked += 1
        if self.status == "ok" and look(lambda: f"{self.asked:,} programs"):
            self.status = "interrupted"
        elif self.status == "ok" and self.left() <= 0:
            self.status = "time_limit"
        return self.status != "ok"


@dataclass(frozen=True)
class SolverOptions:
    """name: HiGHS, or CBC (primal form only, every LP from scratch). form: primal, dual or auto.

    time_limit is in seconds per LP; log is none, first (first LP of every model) or all. deadline
    is that of all LPs.
    """

    name: str = "HiGHS"
    form: str = "auto"
    time_limit: float | None = None
    log: str = "none"
    deadline: Deadline | None = None

    def __post_init__(self):
        for key, allowed in (
            ("name", ("HiGHS", "CBC")),
            ("form", ("auto", "primal", "dual")),
            ("log", ("none", "first", "all")),
        ):
            if getattr(self, key) not in allowed:
                raise ValueError(
                    f"solver {key} = {getattr(self, key)!r}: allowed are {', '.join(allowed)}"
                )
        if self.name == "CBC" and self.form == "dual":
            raise ValueError(
                "the dual form is re-solved warm, which only HiGHS can do: use form primal with CBC"
            )


@dataclass(frozen=True)
class Plane:
    """weights . x = offset; a case with a larger value belongs to the positive class.

    error is the average distance of (4), value the objective of the problem that was solved and
    gap its relative distance from the dual bound.
    """

    weights: np.ndarray
    offset: float
    error: float
    value: float
    gap: float

    @property
    def features(self) -> np.ndarray:
        return np.flatnonzero(np.abs(self.weights) > ZERO_WEIGHT)


@dataclass
class Effort:
    """What the solver was asked for: linear programs, solver runs (a program may need several) and
    pivots.
    """

    programs: int = 0
    runs: int = 0
    pivots: int = 0
    worst_gap: float = 0.0


@dataclass
class Cases:
    """The two sets; equal cases of one class are merged, which leaves every problem as it is.

    Sorting them makes all results independent of the order of the rows.
    """

    points: np.ndarray
    positive: np.ndarray
    signs: np.ndarray = field(init=False)
    costs: np.ndarray = field(
        init=False
    )  # of a unit of distance: 1/m or 1/k times the number of equal cases
    signed: np.ndarray = field(init=False)  # points times signs

    def __post_init__(self):
        points = np.asarray(self.points, dtype=np.float64)
        positive = np.asarray(self.positive, dtype=bool)
        if points.ndim != 2 or len(points) != len(positive):
            raise ValueError(
                f"points are {points.shape}, classes {positive.shape}: one row per case is needed"
            )
        if not np.isfinite(points).all():
            raise ValueError("points hold a missing or infinite value: fill or drop it first")
        members = np.array([np.count_nonzero(~positive), np.count_nonzero(positive)])
        if members.min() == 0:
            raise ValueError("one of the two sets is empty: nothing to separate")
        table, counts = np.unique(np.column_stack([positive, points]), axis=0, return_counts=True)
        self.positive = table[:, 0] > 0
        self.points = np.ascontiguousarray(table[:, 1:])
        self.signs = np.where(self.positive, 1.0, -1.0)
        self.costs = counts / members[self.positive.astype(int)]
        self.signed = np.ascontiguousarray(self.points * self.signs[:, None])

    @property
    def n(self) -> int:
        return self.points.shape[1]

    def error(self, weights, offset) -> float:
        """The average distance of the misclassified points, objective of (4)."""
        return float(
            self.costs @ np.maximum(0.0, 1.0 - self.signed @ weights + self.signs * offset)
        )


def within(error, delta) -> bool:
    """An error within delta, up to what the solver can tell."""
    return error <= delta * (1 + SLACK) + ROUNDING


class Program:
    """Base of the two forms. Problems are stated in the units of the paper's (4) and (10).

    With `epsilon` the error is (1 - epsilon) * average distance + epsilon * sum |w|, problem (10);
    epsilon = 0 is problem (4).
    """

    model: Any  # pulp's problem and its solver for it, made by each form
    highs_solver: Any
    best: Callable[..., Plane]  # what each form solves
    penalised: Callable[..., Plane]
    lightest: Callable[..., Plane]

    def __init__(self, cases: Cases, options: SolverOptions):
        self.cases = cases
        self.options = options
        self.effort = Effort()

    def objective(self, weights, offset, epsilon=0.0) -> float:
        return (1 - epsilon) * self.cases.error(weights, offset) + epsilon * float(
            np.abs(weights).sum()
        )

    def plane(self, weights, offset, value, bound, error=None) -> Plane:
        gap = abs(value - bound) / max(1.0, abs(value))
        self.effort.programs += 1
        self.effort.worst_gap = max(self.effort.worst_gap, gap)
        error = self.cases.error(weights, offset) if error is None else error
        return Plane(weights, float(offset), error, float(value), gap)

    def solver(self):
        """pulp's solver object for HiGHS, as both forms use it."""
        parameters = (
            {} if self.options.time_limit is None else {"timeLimit": self.options.time_limit}
        )
        return pulp.HiGHS(
            msg=self.options.log != "none",
            threads=1,
            primal_feasibility_tolerance=FEASIBILITY,
            dual_feasibility_tolerance=FEASIBILITY,
            **parameters,
        )

    def run(self, doing: str):
        """Solve the HiGHS model that pulp built, from the basis it stopped at last time."""
        highs = self.model.solverModel
        limit, deadline = self.options.time_limit, self.options.deadline
        if deadline is not None:
            if deadline.over():
                raise SolverFailure(deadline.status, doing)
            limit = min(math.inf if limit is None else limit, deadline.left())
        if (
            limit is not None and limit < math.inf
        ):  # HiGHS counts the time of all its runs of a model
            highs.setOptionValue("time_limit", highs.getRunTime() + limit)
        status = self._end()
        for options in AFRESH:
            if status == "error":
                status = self._end_afresh(options)
        if self.effort.runs == 1 and self.options.log == "first":
            highs.setOptionValue("output_flag", False)
        if status != "optimal":
            raise SolverFailure(status, doing)

    def _end(self) -> str:
        """Let the solver run; the word for how it ended."""
        highs = self.model.solverModel
        self.highs_solver.callSolver(self.model)
        self.effort.runs += 1
        self.effort.pivots += max(0, highs.getInfoValue("simplex_iteration_count")[1])
        return STATUS.get(highs.getModelStatus(), "error")

    def _end_afresh(self, options) -> str:
        """The same without a basis and with other options, for this one run."""
        highs = self.model.solverModel
        before = {name: highs.getOptionValue(name)[1] for name in options}
        highs.clearSolver()
        for name, value in options.items():
            highs.setOptionValue(name, value)
        status = self._end()
        for name, value in before.items():
            highs.setOptionValue(name, value)
        return status


STATUS = {
    HighsModelStatus.kOptimal: "optimal",
    HighsModelStatus.kInfeasible: "infeasible",
    HighsModelStatus.kUnboundedOrInfeasible: "infeasible",
    HighsModelStatus.kUnbounded: "unbounded",
    HighsModelStatus.kTimeLimit: "time_limit",
    HighsModelStatus.kIterationLimit: "time_limit",
}
