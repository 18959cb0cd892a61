"""A user's own table: error and size under every pruner, over repeated cross-validations."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd

from pinetum.data.dataset import Dataset
from pinetum.data.discretise import discretised
from pinetum.data.errors import NoData
from pinetum.progress import Progress
from pinetum.pruning.study.ranks import cross_validation_means
from pinetum.pruning.study.records import fold_rows, outer_folds, roles_of
from pinetum.pruning.table import Unsuitable, table_of
from pinetum.randomness import stream
from pinetum.validation import average_ranks
from pinetum.validation.samples import joined, within_cells
from pinetum.workflow.jobs import provenance

COLUMNS = [
    "dataset",
    "pruner",
    "status",
    "error",
    "error_spread",
    "nodes",
    "nodes_spread",
    "rank",
    "repeats",
    "note",
]
FOLDS = 10
TREES = FOLDS * (
    FOLDS + 2
)  # of one cross-validation: one per fold, those that tune, those on a part of the cases
CUTTING = 10_000  # cells that cutting one column of numbers is worth
LEAST_CASES = 20


def own_records(path, settings, root, reading, pruners):
    """Per pruner error percent and nodes, with their spread over cross-validations.

    Numbers are cut into intervals on the training cases of each fold.
    """
    name = Path(path).stem
    try:
        data = Dataset.load(path)
        if data.n_cases < LEAST_CASES:
            raise Unsuitable(f"{data.n_cases} cases are too few for ten folds with ten inside each")
        data, sampled = within_cells(
            data, settings["cells"], stream(root, "pruning", name, "sample")
        )
        cells = TREES * data.n_cases * data.n_features + FOLDS * CUTTING * np.count_nonzero(
            data.continuous
        )
        repeats = min(settings["repeats"], max(1, settings["work"] * 1_000_000 // cells))
        # stratified, so that rare classes of a small table are in every part
        rows = cross_validated(
            data, root, repeats, replace(reading, outer_folds="stratified"), pruners
        )
    except (NoData, Unsuitable, MemoryError) as reason:
        rows = [
            {"dataset": name, "pruner": pruner, **refusal(reason, settings)} for pruner in pruners
        ]
    else:
        cut = "numbers cut into intervals on the training cases" if data.continuous.any() else ""
        note = joined(sampled, cut)
        mean = (
            cross_validation_means(rows).groupby("pruner")[["error", "nodes"]].agg(["mean", "std"])
        )
        rank = average_ranks(mean.loc[list(pruners), ("error", "mean")].to_numpy()[None, :], 1e-9)[
            0
        ]
        rows = [
            {
                "dataset": name,
                "pruner": pruner,
                "status": "ok",
                "error": mean.loc[pruner, ("error", "mean")],
                "error_spread": mean.loc[pruner, ("error", "std")],
                "nodes": mean.loc[pruner, ("nodes", "mean")],
                "nodes_spread": mean.loc[pruner, ("nodes", "std")],
                "rank": place,
                "repeats": repeats,
                "note": note,
            }
            for pruner, place in zip(pruners, rank, strict=True)
        ]
    return pd.DataFrame(rows, columns=COLUMNS).assign(**provenance())


def refusal(reason, settings) -> dict:
    if isinstance(reason, MemoryError):
        return {
            "status": "memory_limit",
            "note": f"it needs more than {settings['memory_mb']:,} MB; raise memory_mb",
        }
    return {
        "status": "no_data" if isinstance(reason, NoData) else "unsuitable",
        "note": str(reason),
    }


def cross_validated(data, root, repeats, reading, pruners) -> pd.DataFrame:
    """One row per repeat, fold and pruner.

    A table of numbers is cut, and so coded, anew for every fold.
    """
    rows, progress = [], Progress(repeats * FOLDS, "folds")
    numbers = bool(data.continuous.any())
    whole = None if numbers else table_of(data)
    outer = outer_folds(data, reading, repeats, root, "own", data.name)
    for repeat in range(repeats):
        key = ("own", data.name, repeat)
        full, inner, hold = roles_of(
            outer[repeat], data.labels, root, key, reading.stratified_tuning
        )
        for fold in range(FOLDS):
            table = (
                table_of(discretised(data, np.flatnonzero(outer[repeat] != fold)))
                if numbers
                else whole
            )
            one = slice(fold, fold + 1), slice(fold * FOLDS, (fold + 1) * FOLDS)
            roles = full[one[0]], inner[one[1]], hold[one[0]]
            rows += fold_rows(table, roles, reading, pruners, repeat, FOLDS, first=fold)
            progress.step()
    return pd.DataFrame(rows)
