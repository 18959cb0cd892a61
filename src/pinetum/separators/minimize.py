"""Algorithms 4.1 and 4.2 (feature minimization with bounded accuracy) and limited feature
minimization (9).
"""

from dataclasses import dataclass

import numpy as np

from pinetum.separators.lp import SEPARABLE, ZERO_WEIGHT, Plane, Program, within

TOLERANCE = 1.1  # delta = 1.1 * error of the LP, Step 0
ZERO = 1e-6  # f(nu) = 0
IMPROVEMENT = 1e-9  # "until no improvement in objective"
STARTS = ("previous", "lp", "zero")


@dataclass(frozen=True)
class Minimized:
    """features: of the final plane; nu: what Algorithm 4.2 returned.

    Verified: within delta with these alone.
    """

    plane: Plane
    full: Plane  # of (4) or (10) with all features
    delta: float
    nu: int
    verified: bool
    programs: int

    @property
    def features(self) -> np.ndarray:
        return self.plane.features


def largest(weights, nu) -> np.ndarray:
    """Step 2 in closed form: r_j = 1 for the nu largest |w_j|, ties to the lowest index."""
    r = np.zeros(len(weights))
    r[np.argsort(-np.abs(weights), kind="stable")[:nu]] = 1.0
    return r


def frank_wolfe(program: Program, nu: int, delta: float, r, epsilon=0.0):
    """Algorithm 4.1: f(nu), the plane and r.

    The same r again means the same LP, hence no improvement.
    """
    value = np.inf
    while True:
        plane = program.lightest(1.0 - r, delta, epsilon)
        after = largest(plane.weights, nu)
        objective = float(np.abs(plane.weights) @ (1.0 - after))
        settled = np.array_equal(after, r) or objective < ZERO or objective >= value - IMPROVEMENT
        r, value = after, objective
        if settled:
            return value, plane, r


def nearest(number) -> int:
    return int(np.floor(number + 0.5))


def search(n, subproblem) -> int:
    """Algorithm 4.2 without Step 0: `subproblem(nu)` gives f(nu), 0 when the error stays within
    delta.
    """
    if n == 1:
        return 1
    lowest, highest = 1, n
    at_lowest = subproblem(1)
    if at_lowest < ZERO:
        return 1
    nu = nearest(n / 2)
    while highest > lowest + 1:
        f = subproblem(nu)
        if f < ZERO:
            highest = nu
            secant = None
        else:
            secant = nearest(nu - f * (nu - lowest) / (f - at_lowest)) if f != at_lowest else None
            lowest, at_lowest = nu, f
        nu = nearest((lowest + highest) / 2)
        if secant is not None and lowest < secant < highest:
            nu = secant
    return highest


def minimize(
    program: Program, epsilon=0.0, *, tolerance=TOLERANCE, start="previous", resolve=True, full=None
) -> Minimized:
    """Algorithm 4.2: FM_RLP (epsilon = 0) or FM_RLP-P.

    start is r^0 of Algorithm 4.1: from the w of the last nu, always from the LP's w, or r = 0.
    resolve: the final plane is the best one of (4) or (10) with the features found, else the one of
    (8), of which there are many.
    """
    if start not in STARTS:
        raise ValueError(f"start = {start!r}: allowed are {', '.join(STARTS)}")
    n = program.cases.n
    before = program.effort.programs
    full = full or program.best(epsilon)
    delta = tolerance * full.value if full.value > SEPARABLE else 0.0
    last = full.weights
    kept = full

    def subproblem(nu):
        nonlocal last, kept
        r = np.zeros(n) if start == "zero" else largest(full.weights if start == "lp" else last, nu)
        f, plane, _r = frank_wolfe(program, nu, delta, r, epsilon)
        last = plane.weights
        if f < ZERO:
            kept = plane
        return f

    nu = search(n, subproblem)
    chosen = np.flatnonzero(np.abs(kept.weights) > ZERO_WEIGHT)
    plane = program.best(epsilon, chosen)
    verified = within(plane.value, delta)
    return Minimized(
        plane=plane if resolve else kept,
        full=full,
        delta=delta,
        nu=nu,
        verified=verified,
        programs=program.effort.programs - before,
    )


def limited_features(program: Program, nu: int, epsilon=0.0, *, steps=8, full=None) -> Plane:
    """(9): the best plane with at most nu features, by Frank-Wolfe steps with a growing alpha.

    No multiplier of the LP exceeds sum_i cost_i |x_ij|, so the last alpha forces w_j = 0 wherever
    r_j = 0; the smaller ones before it let the r settle. The plane is then the best one of (4) or
    (10) with these features.
    """
    cases = program.cases
    if not 1 <= nu <= cases.n:
        raise ValueError(f"nu = {nu}: allowed is 1 to {cases.n}")
    full = full or program.best(epsilon)
    highest = float((cases.costs @ np.abs(cases.points)).max())
    r = largest(full.weights, nu)
    for alpha in highest * 2.0 ** np.arange(1 - steps, 1):
        value = np.inf
        while True:
            plane = program.penalised(alpha * (1.0 - r), epsilon)
            after = largest(plane.weights, nu)
            outside = float(np.abs(plane.weights) @ (1.0 - after))
            objective = program.objective(plane.weights, plane.offset, epsilon) + alpha * outside
            settled = np.array_equal(after, r) or objective >= value - IMPROVEMENT
            r, value = after, objective
            if settled:
                break
        if outside < ZERO:
            break
    return program.best(epsilon, np.flatnonzero(r))
