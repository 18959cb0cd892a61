"""Scaling of the points, fitted on the training cases; planes are told in the original units."""

from dataclasses import dataclass

import numpy as np

SCALINGS = ("z", "unit", "raw")
LARGEST_NUMBER = 1e150  # squares and sums of what is larger leave the range of float64


@dataclass(frozen=True)
class Scaling:
    """scaled = (x - shift) / width; constant columns are only shifted."""

    shift: np.ndarray
    width: np.ndarray

    @classmethod
    def fit(cls, points, kind="z") -> "Scaling":
        """z: mean 0, population standard deviation 1; unit: onto [0, 1]; raw: as they are."""
        points = np.asarray(points, dtype=np.float64)
        large = np.flatnonzero((np.abs(points) > LARGEST_NUMBER).any(axis=0))
        if len(large):
            raise ValueError(
                f"column {large[0]} reaches {np.abs(points[:, large[0]]).max():.3g}; planes take"
                f" numbers up to {LARGEST_NUMBER:g}: give it in a larger unit"
            )
        if kind == "z":
            shift, width = points.mean(axis=0), points.std(axis=0)
        elif kind == "unit":
            shift = points.min(axis=0)
            width = points.max(axis=0) - shift
        elif kind == "raw":
            shift, width = np.zeros(points.shape[1]), np.ones(points.shape[1])
        else:
            raise ValueError(f"scaling = {kind!r}: allowed are {', '.join(SCALINGS)}")
        flat = width <= 1e-12 * np.maximum(1.0, np.abs(points).max(axis=0))
        return cls(shift, np.where(flat, 1.0, width))

    def apply(self, points) -> np.ndarray:
        return (np.asarray(points, dtype=np.float64) - self.shift) / self.width

    def original(self, weights, offset):
        """The same plane for points in their own units."""
        weights = weights / self.width
        return weights, float(offset + weights @ self.shift)
