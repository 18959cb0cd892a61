"""Contestants as classes with `fit`, `predict` and `facts`; each imports its own package when it is made."""
