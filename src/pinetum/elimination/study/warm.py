"""Compile every kernel of the study; those of the study it stands on have their own turn."""

from pinetum.elimination.study import records as study


def warm_up():
    study.warm_up()
