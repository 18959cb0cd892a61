"""What is measured: hits and sizes of every pruner on generated data sets and on real ones."""

import time
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd

from pinetum.progress import Progress
from pinetum.pruning.forest import Trees, dropped, grow_forest
from pinetum.pruning.kernels.networks import FOLDS, FULL, HOLDOUT
from pinetum.pruning.methods import prune_trees
from pinetum.pruning.methods.raising import raised_of_networks, raised_of_table
from pinetum.pruning.networks import cubes, network_forest, networks
from pinetum.pruning.pruners import BEYOND, PAPER, needed, slug
from pinetum.pruning.readings import Reading
from pinetum.pruning.table import Unsuitable, table_of
from pinetum.randomness import stream
from pinetum.validation import repeated_folds, stratified_folds
from pinetum.workflow.tables import absent, each_table

# Where SYNTH+ stands for the published SYNTH, its charge is fitted to the other table: no cell
# judges its own fit.
GENERATED = Reading(charge=0.40)  # beside Table 1, fitted to Table 3
REAL = Reading(charge=0.42)  # beside Tables 2 and 3, fitted to Table 1
BATCH = 5  # repetitions grown together: large enough for numpy, small enough for the cache
FOLD_COLUMNS = [
    "dataset",
    "repeat",
    "fold",
    "pruner",
    "status",
    "tested",
    "errors",
    "nodes",
    "confidence",
    "note",
]

# ---------------------------------------------------------------- the rules' functions


def prune_networks(repetitions, shard, seed):
    """One shard of the generated data sets: its part of the repetitions, under every pruner."""
    number, shards = map(int, shard.split("-of-"))
    mine = range(repetitions * (number - 1) // shards, repetitions * number // shards)
    # compiles, outside the clock
    network_records(seed, range(1), GENERATED, BEYOND, purpose="warm-up")
    frame, paper_seconds, beyond_seconds = network_records(seed, mine, GENERATED, BEYOND)
    seconds = {"paper_seconds": paper_seconds, "beyond_seconds": beyond_seconds}
    return {"synthetic": frame, "synthetic_speed": [{"data_sets": len(frame)} | seconds]}


def prune_tables(datasets, cv_repeats, seed):
    """Repeated ten-fold cross-validation of every pruner on the real data sets."""
    folds, speed = real_records(datasets, seed, cv_repeats, REAL, [*PAPER, *BEYOND])
    return {"uci_folds": folds, "uci_speed": speed}


# ---------------------------------------------------------------- generated data sets


def network_trees_of(sets, reading, pruners, folds=10):
    """The forests `pruners` need for generated data sets."""
    wanted, grow = (
        needed(pruners),
        partial(network_forest, sets, rules=reading.rules, variant=reading.variant),
    )
    full = grow(FULL)
    return Trees(
        full=full,
        folds=grow(FOLDS, folds) if "folds" in wanted else None,
        holdout=grow(HOLDOUT) if "holdout" in wanted else None,
        raised=raised_of_networks(full, sets, reading.variant, cubes(int(sets.inputs.max()))),
        n_folds=folds,
    )


def judged(trees, reading, pruners):
    """Columns hits_<pruner> and nodes_<pruner> (and the level that a tuned one chose), one row per
    tree.
    """
    columns = {}
    for name in pruners:
        made = prune_trees(name, trees, reading)
        if made.level is not None:
            columns[f"confidence_{slug(name)}"] = made.level
        columns[f"hits_{slug(name)}"] = made.hits
        columns[f"nodes_{slug(name)}"] = made.nodes
    return columns


def network_records(root, repetitions, reading, beyond=(), purpose="test"):
    """One row per data set, and the CPU seconds the paper's pruners and those beyond it took."""
    repetitions = list(repetitions)
    frames, paper_seconds, beyond_seconds = [], 0.0, 0.0
    progress = Progress(len(repetitions), "repetitions")
    for begin in range(0, len(repetitions), BATCH):
        mine = repetitions[begin : begin + BATCH]
        clock = time.process_time()
        sets = networks(root, purpose, mine, reading.portions)
        trees = network_trees_of(sets, reading, PAPER)
        columns = {
            "repetition": sets.repetition,
            "inputs": sets.inputs,
            "portion": sets.portions,
            "removed": sets.removed,
            "training": trees.full.nodes.n[trees.full.start[:-1]],
            "tested": trees.full.tested,
            **judged(trees, reading, PAPER),
        }
        paper_seconds += time.process_time() - clock
        if beyond:
            clock = time.process_time()
            if "holdout" in needed(beyond):
                holdout = network_forest(
                    sets, HOLDOUT, rules=reading.rules, variant=reading.variant
                )
                trees = replace(trees, holdout=holdout)
            columns.update(judged(trees, reading, beyond))
            beyond_seconds += time.process_time() - clock
        frames.append(pd.DataFrame(columns))
        progress.step(len(mine))
    return pd.concat(frames, ignore_index=True), paper_seconds, beyond_seconds


# ---------------------------------------------------------------- real data sets


def roles_of(outer, labels, root, key, stratified=False, folds=10):
    """Roles of the cases for one cross-validation: the full trees', the tuning folds', and the
    hold-out trees'.

    0 grows the tree, 1 judges it (for a hold-out tree: prunes it), 2 is out of sight (or judges the
    hold-out tree).
    """
    n_outer = int(outer.max()) + 1
    full = np.array([outer == fold for fold in range(n_outer)], dtype=np.int8)
    inner = np.empty((n_outer * folds, len(outer)), np.int8)
    hold = np.empty_like(full)
    for fold in range(n_outer):
        rows = np.flatnonzero(outer != fold)
        rng = stream(root, *key, "tuning", fold)
        if stratified:
            number = stratified_folds(labels[rows], folds, rng)
        else:
            number = rng.permutation(len(rows)) % folds
        block = inner[fold * folds : (fold + 1) * folds]
        block[:] = 2
        for k in range(folds):
            block[k, rows] = number == k
        kept = stream(root, *key, "holdout", fold).permutation(len(rows)) < 2 * len(rows) // 3
        hold[fold] = 2
        hold[fold, rows] = ~kept
    return full, inner, hold


def table_trees(table, roles, reading, pruners, folds=10):
    """The forests `pruners` need for one cross-validation of a table."""
    full_roles, inner, hold = roles
    wanted, holdout = needed(pruners), None
    full = grow_forest(table, full_roles, reading.rules)
    if "holdout" in wanted:
        holdout = grow_forest(table, hold, reading.rules)
        holdout = replace(holdout, probes=dropped(holdout, table, hold, 2))
    return Trees(
        full=full,
        folds=grow_forest(table, inner, reading.rules) if "folds" in wanted else None,
        holdout=holdout,
        raised=raised_of_table(full, table, full_roles),
        n_folds=folds,
    )


def outer_folds(table, reading, repeats, root, *key, folds=10):
    """Fold numbers (repeats, cases) of the cross-validations that judge the pruners."""
    if reading.outer_folds == "stratified":
        return repeated_folds(table.labels, folds, repeats, root, *key)
    if not 2 <= folds <= len(table.labels):
        raise Unsuitable(f"{folds} folds of {len(table.labels)} cases")
    return np.stack(
        [
            stream(root, *key, "plain folds", r).permutation(len(table.labels)) % folds
            for r in range(repeats)
        ]
    ).astype(np.int32)


def table_records(table, root, repeats, reading, pruners, folds=10, purpose="pruning"):
    """One row per repeat, fold and pruner of a repeated cross-validation."""
    rows = []
    outer = outer_folds(table, reading, repeats, root, purpose, table.name, folds=folds)
    for repeat in range(repeats):
        key = (purpose, table.name, repeat)
        roles = roles_of(outer[repeat], table.labels, root, key, reading.stratified_tuning, folds)
        clock = time.process_time()
        rows += fold_rows(table, roles, reading, pruners, repeat, folds)
        rows[-1]["seconds"] = time.process_time() - clock
    return pd.DataFrame(rows)


def fold_rows(table, roles, reading, pruners, repeat, inner_folds, first=0):
    """One row per fold (the first has this number) and pruner of one cross-validation, or of a part
    of its folds.
    """
    rows = []
    trees = table_trees(table, roles, reading, pruners, inner_folds)
    for name in pruners:
        made = prune_trees(name, trees, reading)
        nodes = made.nodes
        if reading.empty_leaves == "not_counted" and len(made.cut):
            kept = trees.full.kept(made.cut) & (trees.full.nodes.n > 0)
            nodes = np.add.reduceat(kept.astype(np.int64), trees.full.start[:-1])
        for fold in range(len(roles[0])):
            rows.append(
                {
                    "dataset": table.name,
                    "repeat": repeat,
                    "fold": first + fold,
                    "pruner": name,
                    "status": "ok",
                    "tested": int(trees.full.tested[fold]),
                    "errors": int(trees.full.tested[fold] - made.hits[fold]),
                    "nodes": int(nodes[fold]),
                    "confidence": None if made.level is None else float(made.level[fold]),
                }
            )
    return rows


def real_records(names, root, repeats, reading, pruners, folds=10):
    """The records of every data set, one without data being a row that says so.

    And the seconds each took.
    """
    frames, speed, warm = [], [], False
    for name, dataset in each_table(names):
        if absent(dataset):
            frame, seconds = pd.DataFrame([dataset]), {"repeats": 0}
        else:
            try:
                table = table_of(dataset)
                if not warm:  # compiles, outside the clock
                    table_records(table, root, 1, reading, pruners, folds)
                    warm = True
                frame = table_records(table, root, repeats, reading, pruners, folds)
                seconds = {"repeats": repeats, "seconds": frame["seconds"].sum()}
            except Unsuitable as reason:
                row = {"dataset": name, "status": "unsuitable", "note": str(reason)}
                frame, seconds = pd.DataFrame([row]), {"repeats": 0}
        frames.append(frame)
        speed.append({"dataset": name} | seconds)
    records = pd.concat(frames, ignore_index=True).reindex(columns=FOLD_COLUMNS)
    for column in ("repeat", "fold", "tested", "errors", "nodes"):
        records[column] = records[column].astype("Int64")
    return records, pd.DataFrame(speed, columns=["dataset", "repeats", "seconds"])
