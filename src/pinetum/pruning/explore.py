"""A user's own table: error and size under every pruner, over repeated cross-validations."""

from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd

from pinetum.data.discretise import discretised
from pinetum.progress import Progress
from pinetum.pruning.pruners import BEYOND, PAPER
from pinetum.pruning.readings import Reading
from pinetum.pruning.replication.measure import fold_rows, outer_folds, roles_of
from pinetum.pruning.replication.ranks import cross_validation_means
from pinetum.pruning.table import Unsuitable, table_of
from pinetum.randomness import stream
from pinetum.validation import average_ranks
from pinetum.validation.samples import joined, within_cells

FOLDS = 10
TREES = FOLDS * (
    FOLDS + 2
)  # of one cross-validation: one per fold, those that tune, those on a part of the cases
CUTTING = 10_000  # cells that cutting one column of numbers is worth
LEAST_CASES = 20


NAMES = (*PAPER, *BEYOND)
# stratified, so that rare classes of a small table are in every part
READING = replace(Reading(), outer_folds="stratified")


def explore(table, settings, seed) -> dict:
    """Per pruner error percent and nodes, with their spread over cross-validations; and their
    picture.
    """
    records = explored(table, settings, seed)
    return {"pruning.csv": records, "pruning.png": partial(draw, records)}


def explored(data, settings, seed) -> list[dict]:
    """One record per pruner.

    Numbers are cut into intervals on the training cases of each fold.
    """
    name = data.name
    try:
        if data.n_cases < LEAST_CASES:
            raise Unsuitable(f"{data.n_cases} cases are too few for ten folds with ten inside each")
        data, sampled = within_cells(
            data, settings["cells"], stream(seed, "pruning", name, "sample")
        )
        cells = TREES * data.n_cases * data.n_features + FOLDS * CUTTING * np.count_nonzero(
            data.continuous
        )
        repeats = min(settings["repeats"], max(1, settings["work"] * 1_000_000 // cells))
        rows = cross_validated(data, seed, repeats, READING, NAMES)
    except (Unsuitable, MemoryError) as reason:
        return [{"dataset": name, "pruner": pruner} | refusal(reason, settings) for pruner in NAMES]
    cut = "numbers cut into intervals on the training cases" if data.continuous.any() else ""
    means = cross_validation_means(rows).groupby("pruner")[["error", "nodes"]].agg(["mean", "std"])
    errors = means.loc[list(NAMES), ("error", "mean")].to_numpy()
    return [
        {
            "dataset": name,
            "pruner": pruner,
            "status": "ok",
            "error": means.loc[pruner, ("error", "mean")],
            "error_spread": means.loc[pruner, ("error", "std")],
            "nodes": means.loc[pruner, ("nodes", "mean")],
            "nodes_spread": means.loc[pruner, ("nodes", "std")],
            "rank": place,
            "repeats": repeats,
            "note": joined(sampled, cut),
        }
        for pruner, place in zip(NAMES, average_ranks(errors[None, :], 1e-9)[0], strict=True)
    ]


def refusal(reason, settings) -> dict:
    if isinstance(reason, MemoryError):
        return {
            "status": "memory_limit",
            "note": f"it needs more than {settings['memory_mb']:,} MB; raise memory_mb",
        }
    return {"status": "unsuitable", "note": str(reason)}


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


def draw(records):
    """Error against nodes, bars of one spread over cross-validations."""
    from pinetum.pruning.replication.figures import point_look
    from pinetum.report import style

    fig, ax = style.figure(1, 2.6)
    good = [row for row in records if row["status"] == "ok"]
    for row in good:
        look = point_look(row["pruner"])
        ax.errorbar(row["nodes"], row["error"], yerr=row["error_spread"], capsize=2, **look)
    if good:
        ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    else:
        ax.text(0.5, 0.5, records[0]["status"], ha="center", transform=ax.transAxes)
    ax.set_title(records[0]["dataset"])
    ax.set_xlabel("nodes")
    ax.set_ylabel("error, %")
    return fig
