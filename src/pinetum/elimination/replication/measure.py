"""What is measured: eliminations on every fold with the slower ways beside some of them, and the
elimination on tables of thousands of features.
"""

import resource
import time

import numpy as np
import pandas as pd

from pinetum.elimination.backward import select_in, tree_errors
from pinetum.elimination.replication.folds import FoldedTable, Item, share_of
from pinetum.elimination.replication.protocol import MIN_CASES, rows_of
from pinetum.elimination.warm import warm_up
from pinetum.progress import Progress
from pinetum.workflow.tables import absent, each_table

KEYS = ["turn", "row", "dataset", "m", "repeat", "fold"]
FOLD_COLUMNS = [
    *KEYS, "status", "cases", "features", "building", "search", "held_out", "selected", "removed",
    "used", "top_search_errors", "search_errors", "top_errors", "errors", "errors_kept", "trees",
    "stopped", "skipped", "rankings", "trees_incremental", "trees_black_box", "same_selection",
    "seconds", "seconds_incremental", "seconds_used_only", "seconds_black_box", "seconds_top",
]  # fmt: skip
PATH_COLUMNS = [*KEYS, "step", "feature", "search_errors"]
LARGE_COLUMNS = [
    "dataset", "status", "cases", "features", "building", "selected", "rounds", "trees", "rankings",
    "top_search_errors", "search_errors", "seconds", "seconds_per_round", "seconds_one_tree",
    "seconds_black_box_estimate", "peak_mb",
]  # fmt: skip


# ------------------------------------------------------------ the rules' functions


def eliminate_features(datasets, black_box, curve, repeats, folds, cache_mb, shard, seed):
    """Eliminations of one shard: a record per fold, and the paths."""
    warm_up()
    rows = rows_of(datasets)
    shared = share_of(items_of(rows, black_box, curve, repeats, folds), rows, shard)
    records, paths = [], []
    progress = Progress(sum(map(len, shared.values())), "folds")
    for row, table in each_table({row: rows[row] for row in shared}):
        if absent(table):
            records += [
                key | {"status": table["status"]} for key, item in shared[row] if item.fold == 0
            ]
        else:
            folded = FoldedTable(rows[row], table, folds, cache_mb, seed)
            for key, item in shared[row]:
                record, path = eliminate_fold(folded, key, item)
                records.append(record)
                paths += path
                progress.step()
            del folded  # before the next one takes as much room
    return {
        "folds": pd.DataFrame(records, columns=FOLD_COLUMNS),
        "paths": pd.DataFrame(paths, columns=PATH_COLUMNS),
    }


def eliminate_large(large, folds, cache_mb, seed):
    """One fold of each table of thousands of features."""
    warm_up()
    records = []
    for name, table in each_table(large):
        if absent(table):
            records.append({"dataset": name, "status": table["status"]})
        else:
            folded = FoldedTable(name, table, folds, cache_mb, seed)
            del table  # what one fold takes of it is all that is kept
            records.append(large_record(folded))
            del folded
    return {"large": pd.DataFrame(records, columns=LARGE_COLUMNS)}


# ------------------------------------------------------------ folds


def items_of(rows, black_box, curve, repeats, folds) -> list[Item]:
    """All eliminations: every fold of Table 1, and of Figure 5 those with another m."""
    items = [
        Item(row, MIN_CASES, repeat, fold, repeat * folds + fold < black_box.get(row, 0))
        for row in rows
        for repeat in range(repeats)
        for fold in range(folds)
    ]
    return items + [
        Item(row, m, repeat, fold)
        for row in curve["rows"]
        for m in curve["min_cases"]
        for repeat in range(curve["repeats"])
        for fold in range(folds)
        if m != MIN_CASES and row in rows
    ]


def eliminate_fold(folded, key, item):
    """(record, path) of one fold: what is selected, and the errors of the tree on it."""
    building, search, training, held_out = folded.split(item.repeat, item.fold)
    ours = folded.select(building, search, "bounded", item.m)
    begun = time.process_time()
    top_errors = folded.held_out_errors(training, held_out, item.m, None)
    seconds_top = time.process_time() - begun
    used = folded.used(building, item.m, ours.selected)
    record = key | {
        "status": "ok",
        "cases": folded.data.n_cases,
        "features": folded.data.n_features,
        "building": len(building),
        "search": len(search),
        "held_out": len(held_out),
        "selected": int(ours.selected.sum()),
        "removed": len(ours.removed),
        "used": int(used.sum()),
        "top_search_errors": int(ours.errors[0]),
        "search_errors": int(ours.errors[-1]),
        "top_errors": top_errors,
        "errors": folded.held_out_errors(training, held_out, item.m, used),
        "errors_kept": folded.held_out_errors(training, held_out, item.m, ours.selected),
        **{name: ours.counters[name] for name in ("trees", "stopped", "skipped", "rankings")},
        "seconds": ours.seconds,
        "seconds_top": seconds_top,
    }
    if item.black_box:
        record |= slower_ways(folded, building, search, item.m, ours)
    return record, path_records(folded, key, ours)


def slower_ways(folded, building, search, m, ours) -> dict:
    """Seconds and trees of the rivals right beside ours, and ours once more: the machine is the
    same for all.
    """
    others = {
        way: folded.select(building, search, way, m)
        for way in ("incremental", "used only", "black box")
    }
    again = folded.select(building, search, "bounded", m)
    return {
        "seconds": min(ours.seconds, again.seconds),
        **{f"seconds_{way.replace(' ', '_')}": other.seconds for way, other in others.items()},
        "trees_incremental": others["incremental"].counters["trees"],
        "trees_black_box": others["black box"].counters["trees"],
        "same_selection": int(all(same(ours, other) for other in others.values())),
    }


def same(one, other) -> bool:
    return np.array_equal(one.removed, other.removed) and np.array_equal(one.errors, other.errors)


def path_records(folded, key, found) -> list[dict]:
    """One record per step: the feature that went (none at first) and the search errors then."""
    gone = ["", *(folded.data.feature_names[feature] for feature in found.removed)]
    return [
        key | {"step": step, "feature": feature, "search_errors": int(errors)}
        for step, (feature, errors) in enumerate(zip(gone, found.errors, strict=True))
    ]


# ------------------------------------------------------------ large tables


def large_record(folded) -> dict:
    """One fold of a table of thousands of features, with its memory."""
    building, search, _, _ = folded.split(0, 0)
    table = folded.workspace.table(folded.data, building, search)
    features, cases = folded.data.n_features, folded.data.n_cases
    folded.data = None  # the table of this fold is all that is needed
    options = folded.options(MIN_CASES)
    begun = time.process_time()
    tree_errors(table, folded.workspace, options=options)
    one_tree = time.process_time() - begun
    found = select_in(table, folded.workspace, way="bounded", options=options)
    # the black box grows one tree per feature that is left, in every round
    trees = sum(features - round_ for round_ in range(found.rounds))
    return {
        "dataset": folded.name,
        "status": "ok",
        "cases": cases,
        "features": features,
        "building": len(building),
        "selected": int(found.selected.sum()),
        "rounds": found.rounds,
        "trees": found.counters["trees"],
        "rankings": found.counters["rankings"],
        "top_search_errors": int(found.errors[0]),
        "search_errors": int(found.errors[-1]),
        "seconds": found.seconds,
        "seconds_per_round": found.seconds / found.rounds,
        "seconds_one_tree": one_tree,
        "seconds_black_box_estimate": trees * one_tree,
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000,
    }
