"""The linear programs of the study `separators` through several solvers.

programs   a rival's program for the same models
timing     the four public data sets, timed, in turn
figures    the seconds drawn
"""
