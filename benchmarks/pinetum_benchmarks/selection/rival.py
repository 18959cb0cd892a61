"""scikit-learn's backward selector beside ours, on the folds of the study `elimination`."""

import time

import numpy as np
import pandas as pd

from pinetum.elimination.replication.folds import FoldedTable
from pinetum.elimination.replication.protocol import MIN_CASES
from pinetum.elimination.replication.results import framed
from pinetum.elimination.warm import warm_up
from pinetum.workflow.jobs import provenance
from pinetum.workflow.tables import absent, each_table

RIVAL_COLUMNS = [
    "dataset", "repeat", "fold", "method", "status", "features", "search_error", "error", "seconds",
    "note", "version", "commit",
]  # fmt: skip


def compare_rival(settings, root) -> list[dict]:
    """scikit-learn's SequentialFeatureSelector (backward, decision trees) on the same building and
    search cases.
    """
    from sklearn.feature_selection import SequentialFeatureSelector
    from sklearn.tree import DecisionTreeClassifier

    warm_up()
    records = []
    for dataset, table in each_table(settings["rival"]["datasets"]):
        if absent(table):
            records.append({"dataset": dataset, "status": "no_data", **provenance()})
            continue
        if table.n_missing or not table.continuous.all():
            records.append({"dataset": dataset, "status": "unsuitable", **provenance()})
            continue
        folded = FoldedTable(dataset, table, settings["folds"], settings["cache_mb"], root)
        numbers, labels = table.numbers(), table.labels
        for number in range(settings["rival"]["folds"]):
            repeat, fold = divmod(number, settings["folds"])
            building, search, training, held_out = folded.split(repeat, fold)
            key = {
                "dataset": dataset,
                "repeat": repeat,
                "fold": fold,
                "status": "ok",
                **provenance(),
            }
            runs = [folded.select(building, search, "bounded", MIN_CASES) for _ in range(3)]
            ours = runs[0]
            records.append(
                {
                    **key,
                    "method": "PSBE",
                    "features": int(ours.selected.sum()),
                    "search_error": 100 * ours.errors[-1] / len(search),
                    "error": (
                        100
                        * folded.held_out_errors(training, held_out, MIN_CASES, ours.selected)
                        / len(held_out)
                    ),
                    "seconds": float(np.median([run.seconds for run in runs])),
                }
            )
            tree = DecisionTreeClassifier(criterion="entropy", random_state=0)
            selector = SequentialFeatureSelector(
                tree,
                direction="backward",
                n_features_to_select="auto",
                tol=1e-12,
                cv=[(building, search)],
            )
            begun = time.process_time()
            selector.fit(numbers, labels)
            seconds = time.process_time() - begun
            chosen = selector.get_support()
            tree.fit(numbers[building][:, chosen], labels[building])
            search_error = 100 * np.mean(tree.predict(numbers[search][:, chosen]) != labels[search])
            tree.fit(numbers[training][:, chosen], labels[training])
            records.append(
                {
                    **key,
                    "method": "scikit-learn",
                    "features": int(chosen.sum()),
                    "search_error": search_error,
                    "error": (
                        100
                        * np.mean(tree.predict(numbers[held_out][:, chosen]) != labels[held_out])
                    ),
                    "seconds": seconds,
                    "note": "always removes one feature first",
                }
            )
    return records


def rival_table(records) -> pd.DataFrame:
    """One line per data set: both methods' errors and seconds, and how many times faster ours
    is.
    """
    good = records[records["status"] == "ok"]
    lines = []
    for dataset in good["dataset"].unique():
        part = good[good["dataset"] == dataset]
        of = part.groupby("method")[["search_error", "error", "features", "seconds"]].mean()
        ours, theirs = of.loc["PSBE"], of.loc["scikit-learn"]
        lines.append(
            {
                "dataset": dataset,
                "folds": len(part) // 2,
                "search_error": ours["search_error"],
                "search_error_scikit_learn": theirs["search_error"],
                "error": ours["error"],
                "error_scikit_learn": theirs["error"],
                "features": ours["features"],
                "features_scikit_learn": theirs["features"],
                "seconds": ours["seconds"],
                "seconds_scikit_learn": theirs["seconds"],
                "rate": theirs["seconds"] / ours["seconds"],
            }
        )
    return framed(
        lines,
        "dataset folds search_error search_error_scikit_learn error error_scikit_learn features"
        " features_scikit_learn seconds seconds_scikit_learn rate",
    )
