"""EBP: error-based pruning in full, with raising of branches (Quinlan 1993, C4.5 Release 8)."""

import numpy as np

from pinetum.induction.pruning import squared_deviate
from pinetum.pruning.forest import Pruned
from pinetum.pruning.kernels.raising import Estimate, raised_designs, raised_networks


def error_based_in_full(trees, reading):
    """EBP; the trees change their shape, so there are no marks of cut nodes."""
    return trees.raised(reading.confidence)


def c45_estimate(confidence) -> Estimate:
    return Estimate(float(confidence), squared_deviate(confidence))


def raised_of_table(full, table, roles):
    """Error-based pruning with raising for a forest grown on `roles` of a table."""

    def prune(confidence):
        made = Pruned.empty(len(full), 0)
        designs = np.ascontiguousarray(roles, np.int8)
        estimate = c45_estimate(confidence)
        raised_designs(table.cases, designs, full.nodes, full.start, estimate, made.outcome)
        return made

    return prune


def raised_of_networks(full, sets, variant, cubes):
    """The same for generated data sets, which are drawn again from their seeds."""

    def prune(confidence):
        made = Pruned.empty(len(full), 0)
        estimate = c45_estimate(confidence)
        raised_networks(sets.draws, variant, cubes, full.nodes, full.start, estimate, made.outcome)
        return made

    return prune
