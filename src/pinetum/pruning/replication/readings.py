"""Which reading of the paper moves which number: the tables again, one choice changed at a time.

All readings use the same seeds (networks, folds), so the shift from the default reading to another
is hardly noise of the draw. `results` adds it to what the main study found under the default
reading on its larger sample; only readings that draw other data stand for themselves.
"""

import math
from itertools import product

import numpy as np
import pandas as pd

from pinetum.pruning.methods import prune_trees
from pinetum.pruning.networks import networks
from pinetum.pruning.pruners import PRUNERS
from pinetum.pruning.readings import Reading
from pinetum.pruning.replication.measure import (
    BATCH,
    GENERATED,
    REAL,
    network_trees_of,
    outer_folds,
    roles_of,
    table_trees,
)
from pinetum.pruning.replication.ranks import FIVE, PRINTED, SYNTH, TOTAL, means_by
from pinetum.pruning.table import table_of
from pinetum.report.comparison import STANDARD_ERRORS, read_published
from pinetum.report.printed import half_unit
from pinetum.report.readings import DEFAULT
from pinetum.report.rows import KEY
from pinetum.validation import average_ranks
from pinetum.workflow.tables import absent, each_table

# What each reading changes of the default, by name.
READINGS = {
    "printed portions": {"portions": "printed", "tested": "all_others"},
    "tested on all other cases": {"tested": "all_others"},
    "equal rows once": {"equal_rows": "once"},
    "bias weights": {"bias": True},
    "first of equal gains": {"gain_ties": "first"},
    "no constant attributes": {"constant_attributes": "skipped"},
    "ties to the parent": {"majority_ties": "parent"},
    "NEBP exact quantile": {"naive_z": 0.6745},
    "NEBP normal interval": {"naive": "wald"},
    "NEBP with continuity": {"naive": "continuity"},
    "NEBP with slack": {"naive_slack": 0.1},
    "WEBP without slack": {"slack": 0.0},
    "WEBP exact binomial": {"c45": "exact_binomial"},
    "SYNTH without charge": {"charge": 0.0},
    "SYNTH charge fitted to Table 3": {"charge": GENERATED.charge},
    "SYNTH charge fitted to Table 1": {"charge": REAL.charge},
    "tuning ties to the nearest of 0.25": {"tuning_ties": "nearest_default"},
    "tuning ties to the lowest": {"tuning_ties": "lowest"},
    "tuning without 0.001 and 0.01": {"tuning_grid": "0.05 to 0.45"},
    "tuning up to 0.5": {"tuning_grid": "0.05 to 0.50"},
    "stratified tuning": {"stratified_tuning": True},
    "stratified folds": {"outer_folds": "stratified"},
    "empty leaves not counted": {"empty_leaves": "not_counted"},
}
OF_NETWORKS_ONLY = {"portions", "equal_rows", "tested", "bias"}
OF_TABLES_ONLY = {"empty_leaves", "outer_folds"}
REPETITIONS = 1000  # of the paper, for its own standard error
CHARGES = tuple(float(charge) for charge in np.round(np.arange(0.30, 0.561, 0.01), 2))


def compare_readings(datasets, reading_repetitions, reading_cv_repeats, seed, inputs):
    """How far each reading shifts every number, and how far each charge of SYNTH+ leaves the tables
    that it was not fitted to.
    """
    tables = []
    for _name, dataset in each_table(datasets):
        if absent(dataset):
            print(dataset["note"])
        else:
            tables.append(table_of(dataset))
    generated = {"root": seed, "repetitions": reading_repetitions}
    real = {"root": seed, "tables": tables, "repeats": reading_cv_repeats}
    misfits = charge_misfits(
        read_published(inputs.files.published), generated=GENERATED, real=REAL, **generated | real
    )
    for item, charge in fitted_charges(misfits).items():
        print(f"charge fitted to {item} alone: {charge:.2f}")
    shifts = network_shifts(base=GENERATED, **generated) + table_shifts(base=REAL, **real)
    return {"alternatives": shifts, "charges": misfits}


def readings_of(base, other, alternatives):
    """The default reading and the alternatives that change more than the choices `other`, by
    name.
    """
    affected = {
        name: changes for name, changes in alternatives.items() if not set(changes) <= other
    }
    return {DEFAULT: base} | {
        name: Reading.of(vars(base), **changes) for name, changes in affected.items()
    }


def changed(reading, alternatives):
    """What a reading changes, as records say it."""
    return ", ".join(f"{key}: {value}" for key, value in alternatives.get(reading, {}).items())


class Prunings:
    """Prunings of one growing under many readings: a pruner runs again only where a choice that it
    reads differs.
    """

    def __init__(self, trees):
        self.trees, self.known = trees, {}

    def __call__(self, pruner, reading):
        key = (pruner, *(getattr(reading, name) for name in PRUNERS[pruner].reads))
        if key not in self.known:
            self.known[key] = prune_trees(pruner, self.trees, reading)
        return self.known[key]


# ---------------------------------------------------------------- generated data sets


def network_cells(root, repetitions, readings):
    """reading -> ranks of the five per data set, all on the same seeds.

    Removed attributes and repetition of each.
    """
    hits = {name: [] for name in readings}
    removed, numbers = [], []
    for begin in range(0, repetitions, BATCH):
        mine = range(begin, min(begin + BATCH, repetitions))
        grown = {}
        for name, reading in readings.items():
            key = reading.growing
            if key not in grown:
                sets = networks(root, "readings", mine, reading.portions)
                grown[key] = Prunings(network_trees_of(sets, reading, FIVE))
            hits[name].append(
                np.column_stack([grown[key](pruner, reading).hits for pruner in FIVE])
            )
        removed.append(sets.removed)
        numbers.append(sets.repetition)
    ranks = {name: average_ranks(-np.concatenate(parts)) for name, parts in hits.items()}
    return ranks, np.concatenate(removed), np.concatenate(numbers)


def by_repetition(values, numbers):
    """Mean per repetition: the independent repeats of the whole experiment."""
    return means_by(values[:, None], numbers)[:, 0]


def deviation(values):
    return float(values.std(ddof=1)) if len(values) > 1 else np.nan


def network_shifts(*, root, repetitions, base, alternatives=READINGS):
    """Per reading, number of removed attributes and pruner: the mean rank over the repetitions, and
    its shift from the default reading, unless the reading draws other data.
    """
    readings = readings_of(base, OF_TABLES_ONLY, alternatives)
    ranks, removed, numbers = network_cells(root, repetitions, readings)
    records = []
    for name, label, (i, pruner) in product(
        readings, [*np.unique(removed), TOTAL], enumerate(FIVE)
    ):
        some = np.ones(len(removed), bool) if label == TOTAL else removed == label
        mine = by_repetition(ranks[name][some, i], numbers[some])
        record = {
            "reading": name,
            "changed": changed(name, alternatives),
            "data": str(label),
            "pruner": pruner,
            "what": "rank",
            "data_sets": int(some.sum()),
            "repeats": len(mine),
            "mean": mine.mean(),
            "deviation": deviation(mine),
        }
        if not OF_NETWORKS_ONLY & set(alternatives.get(name, {})):
            shift = mine - by_repetition(ranks[DEFAULT][some, i], numbers[some])
            record |= {"shift": shift.mean(), "shift_deviation": deviation(shift)}
        records.append(record)
    return records


# ---------------------------------------------------------------- real data sets


def table_cells(table, root, readings, repeats):
    """reading -> error and nodes of the five, array (repeats, pruners, 2).

    The same draws for every reading.
    """
    cells = {name: np.empty((repeats, len(FIVE), 2)) for name in readings}
    folds = {
        kind: outer_folds(
            table, Reading(outer_folds=kind), repeats, root, "pruning", "readings", table.name
        )
        for kind in {reading.outer_folds for reading in readings.values()}
    }
    for repeat in range(repeats):
        grown = {}
        for name, reading in readings.items():
            key = (reading.growing[1:], reading.outer_folds)
            if key not in grown:
                stream_key = ("pruning", "readings", table.name, repeat)
                roles = roles_of(
                    folds[reading.outer_folds][repeat],
                    table.labels,
                    root,
                    stream_key,
                    reading.stratified_tuning,
                )
                grown[key] = Prunings(table_trees(table, roles, reading, FIVE))
            full = grown[key].trees.full
            for i, pruner in enumerate(FIVE):
                made = grown[key](pruner, reading)
                nodes = made.nodes.astype(float)
                if reading.empty_leaves == "not_counted":
                    kept = full.kept(made.cut) & (full.nodes.n > 0)
                    nodes = np.add.reduceat(kept.astype(float), full.start[:-1])
                cells[name][repeat, i] = 100 * (1 - made.hits / full.tested).mean(), nodes.mean()
    return cells


def table_shifts(*, tables, root, repeats, base, alternatives=READINGS):
    """Per reading, data set (and their average, where all are there) and pruner: mean error and
    nodes over the cross-validations, and their shifts from the default reading.
    """
    readings = readings_of(base, OF_NETWORKS_ONLY, alternatives)
    cells = {table.name: table_cells(table, root, readings, repeats) for table in tables}
    if set(cells) == set(PRINTED) - {"average"}:
        cells["average"] = {
            name: np.mean([mine[name] for mine in cells.values()], axis=0) for name in readings
        }
    records = []
    for dataset, name, (i, pruner), (k, what) in product(
        cells, readings, enumerate(FIVE), enumerate(("error", "nodes"))
    ):
        mine = cells[dataset][name][:, i, k]
        shift = mine - cells[dataset][DEFAULT][:, i, k]
        records.append(
            {
                "reading": name,
                "changed": changed(name, alternatives),
                "data": dataset,
                "pruner": pruner,
                "what": what,
                "repeats": repeats,
                "mean": mine.mean(),
                "deviation": deviation(mine),
                "shift": shift.mean(),
                "shift_deviation": deviation(shift),
            }
        )
    return records


# ---------------------------------------------------------------- the charge of SYNTH+, one table
# held out


def charge_misfits(published, *, root, repetitions, tables, repeats, generated, real):
    """How far Table 1's ranks and Table 3's sizes in SYNTH's column are missed, by charge.

    Each table is fitted alone, so that a charge fitted on one can be judged on the other. `misfit`
    is the sum of squared distances in standard errors over the `cells` of the column.
    """
    printed = dict(zip(map(tuple, published[KEY].values), published["published"], strict=True))
    charged = {charge: Reading.of(vars(generated), charge=charge) for charge in CHARGES}
    ranks, removed, numbers = network_cells(root, repetitions, charged)
    distances = {("Table 1", charge): [] for charge in CHARGES} | {
        ("Table 3", charge): [] for charge in CHARGES
    }
    for charge, label in product(CHARGES, np.unique(removed)):
        mine = by_repetition(ranks[charge][removed == label, -1], numbers[removed == label])
        text = printed["Table 1", str(label), "SYNTH"]
        distances["Table 1", charge].append(distance(mine, text, REPETITIONS))
    charged = {charge: Reading.of(vars(real), charge=charge) for charge in CHARGES}
    for table in tables:
        text = printed.get(("Table 3", PRINTED.get(table.name, ("", ""))[1], "SYNTH"))
        if not text:
            continue
        cells = {charge: np.empty(repeats) for charge in CHARGES}
        for repeat, outer in enumerate(
            outer_folds(table, real, repeats, root, "pruning", "readings", table.name)
        ):
            roles = roles_of(outer, table.labels, root, ("pruning", "readings", table.name, repeat))
            trees = table_trees(table, roles, real, (SYNTH,))
            for charge, reading in charged.items():
                cells[charge][repeat] = prune_trees(SYNTH, trees, reading).nodes.mean()
        for charge in CHARGES:
            distances["Table 3", charge].append(distance(cells[charge], text, 1))
    return pd.DataFrame(
        [
            {
                "item": item,
                "charge": charge,
                "cells": len(found),
                "misfit": float(np.square(found).sum()),
                "outside": int((np.abs(found) > STANDARD_ERRORS).sum()),
            }
            for (item, charge), found in distances.items()
            if found
        ]
    )


def distance(values, text, times):
    """From the mean of repeats to a printed number that is the mean of `times`, in standard
    errors.
    """
    spread = deviation(values) * math.sqrt(1 / len(values) + 1 / times)
    return (values.mean() - float(text)) / math.hypot(spread, half_unit(text) / math.sqrt(3))


def fitted_charges(misfits):
    """Table -> the charge with the smallest misfit."""
    return {
        item: float(rows.loc[rows["misfit"].idxmin(), "charge"])
        for item, rows in misfits.groupby("item", sort=False)
    }
