"""The best subset of features of a fold, or the best found within the work allowed."""

import numpy as np
import pandas as pd

from pinetum.distinct.engine import Engine
from pinetum.distinct.search import search_engine
from pinetum.elimination.replication.folds import FoldedTable, Item, share_of
from pinetum.elimination.replication.protocol import MIN_CASES, rows_of
from pinetum.elimination.warm import warm_up
from pinetum.progress import Progress
from pinetum.workflow.tables import absent, each_table

OPTIMAL_COLUMNS = [
    "turn", "row", "dataset", "m", "repeat", "fold", "status", "search", "held_out", "selected",
    "start_errors", "search_errors", "bound", "proved", "errors", "seconds",
]  # fmt: skip
MILLION = 1_000_000


def search_optima(datasets, optimal, curve, folds, cache_mb, shard, seed):
    """Complete searches of one shard: the best subset of each fold, or the best found in time."""
    warm_up(with_search=True)
    rows = rows_of(datasets)
    shared = share_of(items_of(rows, optimal, curve, folds), rows, shard)
    records = []
    progress = Progress(sum(map(len, shared.values())), "optimal searches")
    for row, table in each_table({row: rows[row] for row in shared}):
        if absent(table):
            records += [key | {"status": table["status"]} for key, _item in shared[row]]
        else:
            folded = FoldedTable(rows[row], table, folds, cache_mb, seed)
            for key, item in shared[row]:
                records.append(key | best_subset(folded, item, cache_mb))
                progress.step()
            del folded  # before the next one takes as much room
    return {"optimal": pd.DataFrame(records, columns=OPTIMAL_COLUMNS)}


def items_of(rows, optimal, curve, folds) -> list[Item]:
    """All searches: the first folds of rows of Table 1, and of Figure 5 those with another m."""
    items = [
        Item(row, MIN_CASES, number // folds, number % folds, work=plan["work"])
        for row, plan in optimal.items()
        for number in range(plan["folds"])
        if row in rows
    ]
    return items + [
        Item(row, m, 0, fold, work=curve["optimal_work"])
        for row in curve["rows"]
        for m in curve["min_cases"]
        for fold in range(curve["optimal_folds"])
        if m != MIN_CASES and row in rows
    ]


def best_subset(folded, item, cache_mb) -> dict:
    """What the complete search finds, which starts from the subset of the elimination."""
    building, search, training, held_out = folded.split(item.repeat, item.fold)
    start = folded.select(building, search, "bounded", item.m)
    engine = Engine(folded.data, folded.options(item.m), building, search, cache_mb=cache_mb)
    start_from = tuple(np.flatnonzero(start.selected).tolist())
    found = search_engine(engine, work=item.work * MILLION, start=start_from)
    chosen = np.zeros(folded.data.n_features, dtype=bool)
    chosen[list(found.subset)] = True
    return {
        "status": found.status,
        "search": len(search),
        "held_out": len(held_out),
        "selected": len(found.subset),
        "start_errors": int(start.errors[-1]),
        "search_errors": int(found.errors),
        "bound": int(found.bound),
        "proved": int(found.proved),
        "errors": folded.held_out_errors(training, held_out, item.m, chosen),
        "seconds": found.seconds,
    }
