"""A user's own table: every method, single decisions and trees, and the planes on all cases in the original units."""

import numpy as np

from pinetum.data import NoData, load_dataset
from pinetum.separators.lp import SolverFailure
from pinetum.separators.scaling import LARGEST_NUMBER
from pinetum.separators.study.trees import cross_validated_trees
from pinetum.separators.tables import Coding, complete_cases
from pinetum.separators.tree import grow_tree, plane_text
from pinetum.workflow.jobs import provenance

LARGEST = 4_000_000  # cells of the coded table that an LP is set up for


def unsuitable(dataset, folds) -> str:
    """Why the study cannot run on a table, or nothing."""
    if dataset.n_cases == 0:
        return "no complete case is left; choose `missing: fill`"
    counts = np.bincount(dataset.labels, minlength=dataset.n_classes)
    if np.count_nonzero(counts) < 2:
        return "only one class"
    if dataset.n_cases < 2 * folds:
        return f"{dataset.n_cases} cases are too few for {folds} folds"
    for name, values, number in zip(dataset.feature_names, dataset.values, dataset.continuous, strict=True):
        if number and len(values) and max(-values[0], values[-1]) > LARGEST_NUMBER:
            return (
                f"{name} reaches {max(-values[0], values[-1]):.3g}; give it in a larger unit, below {LARGEST_NUMBER:g}"
            )
    columns = sum(
        1 if kind or size <= 2 else size for kind, size in zip(dataset.continuous, dataset.arity, strict=True)
    )
    if columns * dataset.n_cases > LARGEST:
        return f"{dataset.n_cases} cases x {columns} columns are more than {LARGEST:,} cells"
    return ""


def own_records(name, *, methods, depths, min_cases, kind, coding, missing, repeats, folds, seed, settings, **where):
    """One record per method and depth limit (0: none), means over the folds."""
    import pandas as pd

    try:
        dataset = load_dataset(name, **where)
    except NoData as absent:
        return [{"table": name, "status": "no_data", "note": absent.reason, **provenance()}]
    if missing == "complete":
        dataset = complete_cases(dataset)
    reason = unsuitable(dataset, folds)
    if reason:
        return [{"table": name, "status": "unsuitable", "note": reason, **provenance()}]
    rows = pd.DataFrame(
        cross_validated_trees(
            name, dataset, methods=methods, kinds=(kind,), depths=depths, repeats=repeats, folds=folds, seed=seed,
            settings=settings, min_cases=min_cases, coding=coding, missing=missing,
        )
    )  # fmt: skip
    code = Coding.fit(dataset, coding)
    points = code.points(dataset)
    records = []
    for (method, depth), part in rows.groupby(["method", "depth_limit"], sort=False):
        good = part[part["status"] == "ok"]
        record = {
            "table": name,
            "method": method,
            "depth_limit": depth,
            "status": "ok" if len(good) == len(part) else part.loc[part["status"] != "ok", "status"].iloc[0],
            "n": len(good),
        }
        if len(good):
            record |= {
                "test_error": good["test_error"].mean(),
                "test_error_se": good["test_error"].std() / np.sqrt(len(good)),
                "decisions": good["decisions"].mean(),
                "weights": good["weights"].mean(),
                "features": good["features"].mean(),
                "seconds": good["seconds"].sum(),
            }
        try:
            tree = grow_tree(
                points,
                dataset.labels,
                dataset.n_classes,
                method,
                max_depth=depth or None,
                min_cases=min_cases,
                multiclass=kind,
                settings=settings,
            )
            first = first_decision(tree, code.names, dataset.class_names)
        except SolverFailure as failure:
            first = f"none: {failure.status}"
        records.append(record | {"first_plane": first, "note": "", **provenance()})
    return records


def first_decision(tree, names, classes) -> str:
    """The plane at the root with the most frequent class of either side."""
    if not tree.n_decisions:
        return "no decision"
    yes, no = (classes[tree.label[side[0]]] for side in (tree.right, tree.left))
    return f"{plane_text(tree.weights[0], tree.offset[0], names)}: {yes}, else {no}"
