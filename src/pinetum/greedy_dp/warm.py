"""Compile every kernel of the study."""

from pinetum.greedy_dp import findings
from pinetum.greedy_dp.replication.random_tables import run


def warm_up():
    run(0, 0, 2, rows=20, attributes=4, values=2, decisions=2)
    findings.warm_up()
