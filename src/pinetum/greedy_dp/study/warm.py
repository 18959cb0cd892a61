"""Compile every kernel of the study."""

from pinetum.greedy_dp.study import random_tables as random_study
from pinetum.greedy_dp.study import records as study


def warm_up():
    random_study.run(0, 0, 2, rows=20, attributes=4, values=2, decisions=2)
    study.warm_up()
