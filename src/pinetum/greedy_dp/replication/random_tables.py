"""The paper's experiment: minima and greedy costs of many random tables."""

import time

import numpy as np
import pandas as pd

from pinetum.greedy_dp.costs import COSTS, GREEDY_COLUMNS, LABELS, MINIMUM_COLUMNS
from pinetum.greedy_dp.kernels import batch as batch_kernels
from pinetum.greedy_dp.names import GROUPS, PAPER_SHAPE
from pinetum.greedy_dp.tables import random_table
from pinetum.kernels.logarithms import n_log_n
from pinetum.progress import Progress
from pinetum.workflow.job import Plain

BATCH = 500  # tables in memory at once


def solve_random_tables(tables_per_group, seed, shard):
    """Minima and greedy costs of one shard of the random tables; `shard` is `1-of-4`."""
    tables = GROUPS * tables_per_group
    number, shards = map(int, shard.split("-of-"))
    start, stop = tables * (number - 1) // shards, tables * number // shards
    records, seconds = run(seed, start, stop, **PAPER_SHAPE)
    clock = {"tables": stop - start} | {f"seconds_{what}": spent for what, spent in seconds.items()}
    return {"random_tables": Plain(records), "random_seconds": [clock]}


def costs_of(tables, values, decisions):
    """(rows after merging, minima, greedy costs) of int8 tables (tables, rows, attributes + 1),
    overwritten.
    """
    n_tables, rows, width = tables.shape
    if rows > batch_kernels.MOST_ROWS or width - 1 > batch_kernels.MOST_ROWS:
        raise ValueError(
            f"random tables of {rows} rows and {width - 1} attributes: at most"
            f" {batch_kernels.MOST_ROWS} of each"
        )
    first = np.arange(width, dtype=np.int64) * values
    rows_left = np.empty(n_tables, np.int64)
    minima = np.empty((n_tables, len(COSTS)), np.int64)
    greedy = np.empty((n_tables, len(LABELS), len(COSTS)), np.int64)
    kept = np.empty(n_tables, np.int64)
    batch_kernels.run_tables(
        tables, first, decisions, n_log_n(rows, np.log2), rows_left, minima, greedy, kept
    )
    return rows_left, minima, greedy


def run(seed, start, stop, *, rows, attributes, values, decisions):
    """Tables start .. stop - 1: one line of integers each, and the CPU seconds (generation,
    kernels).
    """
    shape = {"rows": rows, "attributes": attributes, "values": values, "decisions": decisions}
    costs_of(random_table(seed, 0, **shape)[None], values, decisions)  # compiles, outside the clock
    blocks, generating, solving = [], 0.0, 0.0
    progress = Progress(stop - start, "tables")
    for begin in range(start, stop, BATCH):
        indices = np.arange(begin, min(begin + BATCH, stop))
        clock = time.process_time()
        tables = np.stack([random_table(seed, index, **shape) for index in indices])
        generating += time.process_time() - clock
        clock = time.process_time()
        rows_left, minima, greedy = costs_of(tables, values, decisions)
        solving += time.process_time() - clock
        blocks.append(
            np.column_stack([indices, rows_left, minima, greedy.reshape(len(indices), -1)])
        )
        progress.step(len(indices))
    columns = ["table", "rows", *MINIMUM_COLUMNS, *GREEDY_COLUMNS]
    return pd.DataFrame(np.concatenate(blocks), columns=columns), {
        "generate": generating,
        "solve": solving,
    }
