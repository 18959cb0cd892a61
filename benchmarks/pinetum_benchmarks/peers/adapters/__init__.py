"""Contestants as classes with `fit`, `predict` and `facts`.

Each imports its own package when it is made.
"""
