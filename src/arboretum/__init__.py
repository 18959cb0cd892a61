"""Arboretum: five classic studies of decision trees over one numba core."""

__version__ = "0.1.0"
