"""Automatic programming of pruning functions: expressions, their evaluation, the search, what it
found.
"""
