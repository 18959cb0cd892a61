"""Compile every kernel of the room."""

from arboretum.greedy_dp import random_study, study


def warm_up():
    random_study.run(0, 0, 2, rows=20, attributes=4, values=2, decisions=2)
    study.warm_up()
