"""Pinetum: five classic studies of decision trees over one numba core."""

__version__ = "0.2.0"
