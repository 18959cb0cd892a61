"""The four methods by name, on one training set, in the original units of its features."""

import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pinetum.separators.lp import ON_PLANE, Plane, SolverOptions
from pinetum.separators.minimize import TOLERANCE, minimize
from pinetum.separators.names import method_of
from pinetum.separators.program import make_program
from pinetum.separators.scaling import Scaling

EPSILON = 0.02


@dataclass(frozen=True)
class Settings:
    """How planes are fitted: scaling (z, unit, raw), r^0, delta / LP error, epsilon of (10),
    solver.

    on_plane is the study's: cases on the plane itself are `negative`, `positive`, `wrong`, or
    either by `chance`.
    """

    scaling: str = "z"
    start: str = "previous"
    tolerance: float = TOLERANCE
    epsilon: float = EPSILON
    resolve: bool = True
    on_plane: str = "negative"
    solver: SolverOptions = field(default_factory=SolverOptions)


@dataclass(frozen=True)
class Fit:
    """A plane in the original units; `scaled` is what the LP found, `minimized` is None without
    minimization.

    seconds of CPU cover modelling with pulp and solving, also of the LP a minimization starts from.
    """

    weights: np.ndarray
    offset: float
    scaled: Plane
    minimized: Any  # a Minimized, or None
    seconds: float

    @property
    def features(self) -> np.ndarray:
        return self.scaled.features

    def predict(self, points) -> np.ndarray:
        """True on the positive side of the plane; a case on the plane itself is negative."""
        return self.side(points) > 0

    def side(self, points) -> np.ndarray:
        """1 on the positive side of the plane, -1 on the negative one, 0 on the plane itself."""
        margins = np.asarray(points) @ self.weights - self.offset
        return np.where(np.abs(margins) <= ON_PLANE, 0, np.sign(margins))


class Bench:
    """One training set: scaled once, modelled once, solved for any of the methods."""

    def __init__(self, points, positive, settings: Settings | None = None):
        self.settings = settings or Settings()
        begun = time.process_time()
        self.scaling = Scaling.fit(points, self.settings.scaling)
        self.program = make_program(self.scaling.apply(points), positive, self.settings.solver)
        self.modelling = time.process_time() - begun
        self.full: dict = {}

    def best(self, epsilon):
        """The plane with all features and the CPU seconds of its LP, solved once."""
        if epsilon not in self.full:
            begun = time.process_time()
            plane = self.program.best(epsilon)
            self.full[epsilon] = plane, time.process_time() - begun
        return self.full[epsilon]

    def epsilon_of(self, method) -> float:
        return self.settings.epsilon if method_of(method).light else 0.0

    def fit(self, method) -> Fit:
        epsilon = self.epsilon_of(method)
        plane, seconds = self.best(epsilon)
        minimized = None
        if method_of(method).minimizes:
            begun = time.process_time()
            minimized = minimize(
                self.program,
                epsilon,
                tolerance=self.settings.tolerance,
                start=self.settings.start,
                resolve=self.settings.resolve,
                full=plane,
            )
            seconds += time.process_time() - begun
            plane = minimized.plane
        return self.told(plane, minimized, self.modelling + seconds)

    def told(self, plane, minimized=None, seconds=0.0) -> Fit:
        """A plane of the LP in the original units; weights too small to count are left out."""
        weights = np.zeros(len(plane.weights))
        weights[plane.features] = plane.weights[plane.features]
        weights, offset = self.scaling.original(weights, plane.offset)
        return Fit(weights, offset, plane, minimized, seconds)
