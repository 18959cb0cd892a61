"""Compile every kernel of the room; those of the room it stands on have their own turn."""

from arboretum.elimination import study


def warm_up():
    study.warm_up()
