"""Exact minima of random decision tables: how far they go, and STreeD beside them.

scaling    time, memory and subtables of dynamic programming
frontier   the size up to which branch and bound proves each cost
streed     the minima of pystreed, where it is installed
figures    scaling and frontier drawn
"""
