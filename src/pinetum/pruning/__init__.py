"""Pruning of decision trees: the pruners, their registry, and the search for new ones."""

from pinetum.pruning.pruners import PRUNERS

__all__ = ["PRUNERS", "load_found", "prune", "pruning_front", "raising_front", "search_pruner"]


def __getattr__(name):
    """The functions come when asked for: the registry alone loads no compiled code."""
    if name == "prune":
        from pinetum.pruning.library import prune

        return prune
    if name == "pruning_front":
        from pinetum.pruning.front import pruning_front

        return pruning_front
    if name == "raising_front":
        from pinetum.pruning.raising_front import raising_front

        return raising_front
    if name == "search_pruner":
        from pinetum.pruning.evolution.searching import search_pruner

        return search_pruner
    if name == "load_found":
        from pinetum.pruning.evolution.found import load_found

        return load_found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
