"""The pruners' functions, a file each.

Which name stands for which function is written in `pruners.py`.
"""

from importlib import import_module

from pinetum.pruning.forest import Pruned, Trees
from pinetum.pruning.pruners import FOUND, find_pruner
from pinetum.pruning.readings import Reading


def prune_trees(name: str, trees: Trees, reading: Reading | None = None) -> Pruned:
    """The trees after the pruner `name`, or after a found function `found:<name>`."""
    if name.startswith(FOUND):
        from pinetum.pruning.evolution.found import load_found

        return load_found(name.removeprefix(FOUND)).pruned(trees.full)
    file, function = find_pruner(name).function.split(".")
    return getattr(import_module(f"pinetum.pruning.methods.{file}"), function)(
        trees, reading or Reading()
    )
