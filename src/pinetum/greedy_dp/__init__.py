"""Decision tables: exact minima of five costs of a tree, greedy heuristics, and what there is to
say of optimal trees.

estimators        `MinimalTree` for scikit-learn
tables            decision tables, random ones and those of data sets
encoding          a table as row sets, and what is known of every two rows
costs, names      the registries: costs and heuristics; meanings of equal rows
minimal           least cost of a table by whichever way gets there, and a tree that has it
optimum           the graph of subtables: dynamic programming within a bound of memory and time
branch_and_bound  one cost at a time, any-time, with a proven interval
greedy            costs of the greedy trees
analysis          numbers of optimal trees, costs in sequence, fronts, fair samples
rules             exact decision rules and reducts
building          trees from what was found, and their costs counted again
kernels           the compiled part of these
findings          all of it about one decision table, as lines of records
explore           what the study finds in a table of one's own
replication       the reproduction of the paper
warm              compiles every kernel

Everything that is public is loaded when it is first asked for.
"""

import importlib

# Public name -> module that defines it.
PUBLIC = {
    "Analysis": "pinetum.greedy_dp.analysis",
    "COSTS": "pinetum.greedy_dp.costs",
    "DecisionTable": "pinetum.greedy_dp.tables",
    "HEURISTICS": "pinetum.greedy_dp.costs",
    "Minimizer": "pinetum.greedy_dp.minimal",
    "MinimalTree": "pinetum.greedy_dp.estimators",
    "costs_of_tree": "pinetum.greedy_dp.building",
    "decision_table": "pinetum.greedy_dp.tables",
    "from_dataset": "pinetum.greedy_dp.tables",
    "all_rules": "pinetum.greedy_dp.rules",
    "fewest_rules": "pinetum.greedy_dp.rules",
    "greedy_costs": "pinetum.greedy_dp.greedy",
    "greedy_tree": "pinetum.greedy_dp.greedy",
    "minimal_tree": "pinetum.greedy_dp.minimal",
    "reduct": "pinetum.greedy_dp.rules",
    "row_rule": "pinetum.greedy_dp.rules",
}

__all__ = list(PUBLIC)


def __getattr__(name):
    if name in PUBLIC:
        return getattr(importlib.import_module(PUBLIC[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__():
    return sorted(__all__)
