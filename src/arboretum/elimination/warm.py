"""Compile every kernel of the room, and those of the room it stands on."""

from arboretum.distinct import warm
from arboretum.elimination import study


def warm_up():
    study.warm_up()
    warm.warm_up()
