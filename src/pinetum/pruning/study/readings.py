"""Which reading of the paper moves which number: the tables again, one choice changed at a time.

All readings use the same seeds (networks, folds), so the shift from the default reading to another
is hardly noise of the draw. It is added to what the main study found under the default reading on
its larger sample; only readings that draw other data stand for themselves. Every number is judged
as in the comparison.
"""

import math
from itertools import product

import numpy as np
import pandas as pd

from pinetum.pruning.methods import prune_trees
from pinetum.pruning.networks import networks
from pinetum.pruning.pruners import PRUNERS
from pinetum.pruning.readings import Reading
from pinetum.pruning.study.ranks import COMPANY, TOTAL, means_by
from pinetum.pruning.study.records import (
    BATCH,
    network_trees_of,
    outer_folds,
    roles_of,
    table_trees,
)
from pinetum.pruning.study.summary import PRINTED, SYNTH, printed_name
from pinetum.report.comparison import STANDARD_ERRORS
from pinetum.report.printed import half_unit, number
from pinetum.report.readings import DEFAULT, judge_readings
from pinetum.report.rows import KEY, ReproducedRows
from pinetum.validation import average_ranks

FIVE = (*COMPANY, SYNTH)
OF_NETWORKS_ONLY = {"portions", "equal_rows", "tested", "bias"}
OF_TABLES_ONLY = {"empty_leaves", "outer_folds"}
REPETITIONS = 1000  # of the paper, for its own standard error
TABLES = ("Table 1", "Table 2", "Table 3")
CHARGES = tuple(float(charge) for charge in np.round(np.arange(0.30, 0.561, 0.01), 2))


def readings_of(base, alternatives, other=frozenset()):
    """The default reading and the alternatives that change more than the choices `other`, by
    name.
    """
    affected = {
        name: changes for name, changes in alternatives.items() if not set(changes) <= other
    }
    return {DEFAULT: base} | {
        name: Reading.of(vars(base), **changes) for name, changes in affected.items()
    }


def compare_readings(published, alternatives, generated, real):
    """The rows of readings.csv.

    `generated` and `real` hold what `compare_networks` and `compare_tables` take but the first: the
    rows to fill.
    """
    rows = {name: ReproducedRows(published) for name in readings_of(Reading(), alternatives)}
    compare_networks(rows, alternatives, **generated)
    compare_tables(rows, alternatives, **real)
    frame = judge_readings(published, {name: mine.frame() for name, mine in rows.items()})
    changed = {DEFAULT: "", **{name: describe(changes) for name, changes in alternatives.items()}}
    return frame.assign(changed=frame["reading"].map(changed))


def describe(changes):
    return ", ".join(f"{key}: {value}" for key, value in changes.items())


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


def compare_networks(rows, alternatives, *, root, repetitions, base, main):
    """Fill in Table 1 under each reading.

    `main` holds the main study's ranks: (removed, pruner) -> (rank, se).
    """
    readings = readings_of(base, alternatives, OF_TABLES_ONLY)
    ranks, removed, numbers = network_cells(root, repetitions, readings)
    labels = [*np.unique(removed), TOTAL]
    for name, label, (i, pruner) in product(readings, labels, enumerate(FIVE)):
        some = np.ones(len(removed), bool) if label == TOTAL else removed == label
        mine = by_repetition(ranks[name][some, i], numbers[some])
        rank, se = mine.mean(), deviation(mine) / math.sqrt(len(mine))
        if not OF_NETWORKS_ONLY & set(
            alternatives.get(name, {})
        ):  # the same data as the main study's reading
            shift = mine - by_repetition(ranks[DEFAULT][some, i], numbers[some])
            rank, se = main[str(label), pruner]
            rank, se = rank + shift.mean(), math.hypot(se, deviation(shift) / math.sqrt(len(shift)))
        theirs = deviation(mine) / math.sqrt(REPETITIONS)
        key = ("Table 1", str(label), printed_name(pruner))
        rows[name].measured(key, rank, se=se, published_se=theirs, n=int(some.sum()))


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


def compare_tables(rows, alternatives, *, tables, root, repeats, base, main):
    """Fill in errors of Table 2 and sizes of Table 3 under each reading.

    `main` holds the main study's means: (data set, pruner) -> (error, its spread, nodes, their
    spread, repeats).
    """
    readings = readings_of(base, alternatives, OF_NETWORKS_ONLY)
    shifts = {}
    for table in tables:
        cells = table_cells(table, root, readings, repeats)
        shifts[table.name] = {name: mine - cells[DEFAULT] for name, mine in cells.items()}
    if set(shifts) == set(PRINTED) - {"average"}:
        shifts["average"] = {
            name: np.mean([mine[name] for mine in shifts.values()], axis=0) for name in readings
        }
    for dataset, name, (i, pruner) in product(shifts, readings, enumerate(FIVE)):
        error, error_spread, nodes, nodes_spread, times = main[dataset, pruner]
        long, short = PRINTED.get(dataset, (dataset, dataset))
        keys = (
            ("Table 2", long, f"{printed_name(pruner)} error"),
            ("Table 3", short, printed_name(pruner)),
        )
        for k, (key, mean, spread) in enumerate(
            zip(keys, (error, nodes), (error_spread, nodes_spread), strict=True)
        ):
            shift = shifts[dataset][name][:, i, k]
            se = math.hypot(spread / math.sqrt(times), deviation(shift) / math.sqrt(len(shift)))
            if key in rows[name]:
                # the paper's number is a single cross-validation
                rows[name].measured(
                    key, mean + shift.mean(), se=se, published_se=spread, n=int(times)
                )


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


# ---------------------------------------------------------------- overview


def overview(cells):
    """One line per reading: how far each table is missed under it, and which numbers come in and go
    out.
    """
    before = cells[cells["reading"] == DEFAULT].set_index(KEY)["verdict"]
    rows = []
    for name, mine in cells.groupby("reading", sort=False):
        line = {"reading": name, "changed": mine["changed"].iloc[0]}
        for item in TABLES:
            part = mine[(mine["item"] == item) & mine["verdict"].isin(["within", "outside"])]
            was = part.set_index(KEY).index.map(before).to_numpy()
            now, z = (
                part["verdict"].to_numpy(),
                np.array([number(z) for z in part["z"]], dtype=float),
            )
            line[f"{item}: median se"] = (
                np.median([float(se) for se in part["se"]]) if len(part) else np.nan
            )
            line[f"{item}: rms z"] = math.sqrt(np.mean(z**2)) if len(part) else np.nan
            line[f"{item}: outside"] = int((now == "outside").sum()) if len(part) else np.nan
            line[f"{item}: in"] = named(part[(was == "outside") & (now == "within")])
            line[f"{item}: out"] = named(part[(was == "within") & (now == "outside")])
        rows.append(line)
    return pd.DataFrame(rows).round(3)


def named(cells):
    return "; ".join(f"{row['row']} {row['column']}" for row in cells.to_dict("records"))
