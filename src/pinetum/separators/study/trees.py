"""Trees of planes, ten-fold cross-validation: beside single decisions and, with more classes, of
either kind.
"""

import numpy as np

from pinetum.data import NoData, load_dataset
from pinetum.progress import Progress
from pinetum.separators.lp import SolverFailure
from pinetum.separators.study.records import absent, cpu_seconds, folds_of, percent_wrong
from pinetum.separators.tables import Coding, complete_cases
from pinetum.separators.tree import MULTICLASS, grow_tree
from pinetum.workflow.jobs import provenance


def cross_validated_trees(
    name,
    dataset,
    *,
    methods,
    kinds,
    depths,
    repeats,
    folds,
    seed,
    settings,
    min_cases,
    coding="indicator",
    missing="fill",
    use=None,
):
    """One record per fold, method, depth limit (0: none) and kind of decision for several
    classes.
    """
    if missing == "complete":
        dataset = complete_cases(dataset)
    labels = dataset.labels.astype(np.int64)
    records = []
    kinds = kinds if dataset.n_classes > 2 else ("two classes",)
    progress = Progress(repeats * (use or folds), f"folds of {name}")
    for repeat in range(repeats):
        numbers = folds_of(labels, name, repeat, folds, seed)
        for fold in range(use or folds):
            train, test = (
                dataset.take_cases(np.flatnonzero(part))
                for part in (numbers != fold, numbers == fold)
            )
            code = Coding.fit(train, coding)
            points, unseen = code.points(train), code.points(test)
            for method in methods:
                for kind in kinds:
                    for depth in depths:
                        key = {
                            "dataset": name,
                            "repeat": repeat,
                            "fold": fold,
                            "method": method,
                            "depth_limit": depth,
                            "classes": kind,
                        }
                        begun = cpu_seconds()
                        try:
                            tree = grow_tree(
                                points,
                                train.labels,
                                dataset.n_classes,
                                method,
                                max_depth=depth or None,
                                min_cases=min_cases,
                                multiclass=kind if kind in MULTICLASS else "rest",
                                settings=settings,
                            )
                        except SolverFailure as failure:
                            records.append(
                                key
                                | {
                                    "status": failure.status,
                                    "note": str(failure),
                                    **provenance(),
                                }
                            )
                            continue
                        seconds = cpu_seconds() - begun
                        records.append(
                            key
                            | {
                                "status": "ok",
                                "decisions": tree.n_decisions,
                                "depth": tree.depth,
                                "weights": tree.n_weights,
                                "features": tree.n_features,
                                "train_error": percent_wrong(tree.predict(points), train.labels),
                                "test_error": percent_wrong(tree.predict(unseen), test.labels),
                                "seconds": seconds,
                                "note": "",
                                **provenance(),
                            }
                        )
            progress.step()
    return records


def trees(datasets, *, catalogue=None, folder=None, **options):
    records = []
    for name, source in datasets.items():
        try:
            dataset = load_dataset(source, folder=folder, catalogue=catalogue)
        except NoData as missing:
            records.append(absent(name, missing.reason))
            continue
        records += cross_validated_trees(name, dataset, **options)
    return records
