"""Tolerances and codes that every layer shares."""

MISSING = -1  # code of a missing cell, discrete or continuous

STATUSES = (
    "ok",
    "optimal",
    "time_limit",
    "memory_limit",
    "infeasible",
    "unbounded",
    "no_data",
    "error",
)
