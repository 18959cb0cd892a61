"""How good pruning can be: what every pruner gains, beside the best possible pruning of the same
trees.

    test cases       gain      cases that the pruned trees get right more than the unpruned ones
                     possible  those of the oracle, the pruning that knows these cases
    training cases   saved     errors less than a lone leaf's
                     possible  the most that a pruning with no more leaves saves
"""

import numpy as np

from pinetum.pruning.evolution.found import read_found
from pinetum.pruning.front import ALL, fronts_of
from pinetum.pruning.kernels.front import size_up
from pinetum.pruning.methods import prune_trees
from pinetum.pruning.methods.front import best_within
from pinetum.pruning.networks import networks
from pinetum.pruning.pruners import BEYOND, FOUND, PAPER
from pinetum.pruning.replication.measure import (
    GENERATED,
    REAL,
    network_trees_of,
    outer_folds,
    roles_of,
    table_trees,
)
from pinetum.pruning.table import Unsuitable, table_of
from pinetum.workflow.tables import absent, each_table

NAMES = (*PAPER, *BEYOND)


def measure_possible(datasets, reading_repetitions, reading_cv_repeats, seed, inputs):
    """Per repetition of the generated data, or data set and cross-validation, and pruner: what it
    gains and what is possible.
    """
    functions = [read_found(path) for path in inputs.files.found]
    records = []
    for repetition in range(reading_repetitions):
        sets = networks(seed, "test", [repetition], GENERATED.portions)
        trees = network_trees_of(sets, GENERATED, NAMES)
        key = {"kind": "generated", "data": "networks", "repeat": repetition, "status": "ok"}
        records += [key | line for line in gains_of(trees, GENERATED, functions)]
    for name, dataset in each_table(datasets):
        key = {"kind": "real", "data": name}
        if absent(dataset):
            records.append(key | {"status": dataset["status"], "note": dataset["note"]})
            continue
        try:
            table = table_of(dataset)
        except Unsuitable as reason:
            records.append(key | {"status": "unsuitable", "note": str(reason)})
            continue
        outer = outer_folds(table, REAL, reading_cv_repeats, seed, "pruning", name)
        for repeat in range(reading_cv_repeats):
            roles = roles_of(outer[repeat], table.labels, seed, ("pruning", name, repeat))
            trees = table_trees(table, roles, REAL, NAMES)
            more = key | {"repeat": repeat, "status": "ok"}
            records += [more | line for line in gains_of(trees, REAL, functions)]
    return {"possible": records}


def gains_of(trees, reading, functions):
    """One line per pruner: sums over the trees."""
    full = trees.full
    wrong = full.tests.sum(axis=1) - full.hits
    unpruned, oracle = full.unpruned().hits, full.pruned_by(wrong, hits=full.hits).hits
    possible = int((oracle - unpruned).sum())
    fronts, roots = fronts_of(full, full.wrong), full.start[:-1]
    least = [fronts.errors[fronts.first[t] + best_within(fronts, t, ALL)] for t in range(len(full))]
    made = {name: prune_trees(name, trees, reading) for name in NAMES}
    made |= {FOUND + found.name: found.pruned(full) for found in functions}
    for name, pruned in made.items():
        line = {"pruner": name, "test_gain": int((pruned.hits - unpruned).sum())}
        line["test_possible"] = possible
        line["tested"], line["trained"] = int(full.tested.sum()), int(full.nodes.n[roots].sum())
        if name not in ("REP", "EBP"):  # other trees; a shape of their own
            label = full.nodes.label if pruned.label is None else pruned.label
            right = full.correct(full.nodes.train, label).astype(float)
            leaves, hits = np.zeros((2, len(full)))
            size_up(full.links, pruned.cut, right, leaves, hits)
            sizes = leaves.astype(int).tolist()
            best = [errors[:size][-1] for errors, size in zip(least, sizes, strict=True)]
            line["training_saved"] = float((full.wrong[roots] - (full.nodes.n[roots] - hits)).sum())
            line["training_possible"] = float((full.wrong[roots] - best).sum())
        yield line
