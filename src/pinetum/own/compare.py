"""Methods on one table: held-out error on common folds, models of all cases, and why a method did
not run.

What a method takes is bounded before anything is allocated: cases are sampled by class where there
are too many cells, searches have a limit in steps, and a table that a method cannot take is a row
with the reason.
"""

import json
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from pinetum.data.table import read_table
from pinetum.models import load, save
from pinetum.progress import Progress
from pinetum.randomness import stream
from pinetum.validation.folds import stratified_folds
from pinetum.validation.samples import joined, within_cells
from pinetum.workflow.job import Plain
from pinetum.workflow.jobs import tell
from pinetum.workflow.warned import WARNING

COLUMNS = (
    "method",
    "status",
    "test_error",
    "test_error_se",
    "balanced_error",
    "leaves",
    "features",
    "used",
    "recall",
    "cases",
    "seconds",
    "model",
    "note",
)
FEW_FOLDS = 5
MANY_CELLS = 2_000_000  # from which so few folds are enough
LEAST_CASES = 10
MILLION = 1_000_000
CELLS = 10  # that the search for a small tree looks at in the time of a step of other searches


@dataclass(frozen=True)
class Method:
    """One way to learn from a table.

    fit        (table, settings) -> fitted model
    about      one line for the page
    searches   whether it searches, and so learns from fewer cells
    columns    columns that it takes; of `coded` ones, where a discrete column counts as many as it
               has values
    branches   values of a discrete column that it takes, or None
    classes    classes that it takes, or None
    """

    fit: Callable
    about: str
    searches: bool = True
    columns: int = 100_000
    coded: bool = False
    branches: int | None = None
    classes: int | None = None


def fit_tree(table, settings, **parameters):
    from pinetum.estimators import TreeClassifier

    return TreeClassifier("c45", prune=True, **parameters).fit(table)


def fit_depth_three(table, settings):
    from pinetum.optimal.estimators import OptimalTreeClassifier

    return OptimalTreeClassifier(3, work=settings["work"] * CELLS * MILLION).fit(table)


def fit_best_subset(table, settings):
    from pinetum.distinct.estimators import BestSubset

    return BestSubset(work=settings["work"] * MILLION, cache_mb=settings["memory_mb"] // 4).fit(
        table
    )


def fit_few_columns(table, settings):
    from pinetum.elimination.estimators import BackwardElimination

    memory = settings["memory_mb"] // 4
    path = BackwardElimination(
        stop="one_standard_error", work=settings["work"] * MILLION, cache_mb=memory
    )
    chosen = path.fit(table).get_support(indices=True)
    return fit_tree(
        table.take_features(chosen) if len(chosen) else table.take_features([0]), settings
    )


def fit_minimal(table, settings):
    from pinetum.greedy_dp.estimators import MinimalTree

    memory = settings["memory_mb"] // 8
    return MinimalTree(
        thresholds=THRESHOLDS, work=settings["work"] * MILLION, memory_mb=memory
    ).fit(table)


def fit_planes(table, settings, max_depth=2):
    from pinetum.separators.estimators import SeparatorClassifier

    return SeparatorClassifier("FM_RLP-P", max_depth=max_depth).fit(table)


THRESHOLDS = 8  # of a number, in trees that are right on every case
METHODS = {
    "tree": Method(fit_tree, "C4.5's tree, pruned", searches=False),
    "small_tree": Method(
        partial(fit_tree, max_depth=3),
        "C4.5's tree of at most three questions a case, pruned",
        searches=False,
    ),
    "depth_three": Method(
        fit_depth_three,
        "the tree of three questions a case with the fewest training errors",
        columns=200,
        branches=100,
        classes=20,
    ),
    "best_subset": Method(
        fit_best_subset,
        "the tree on the subset of columns that is best in cross-validation",
        columns=1000,
    ),
    "few_columns": Method(
        fit_few_columns,
        "C4.5's pruned tree on the columns that backward elimination leaves",
        columns=1000,
    ),
    "minimal": Method(
        fit_minimal,
        "the smallest tree that is right on every training case",
        columns=200,
        branches=100,
    ),
    "plane": Method(
        partial(fit_planes, max_depth=1),
        "one weighted sum of few columns",
        columns=150,
        coded=True,
        classes=10,
    ),
    "planes": Method(
        fit_planes,
        "two levels of weighted sums of few columns",
        columns=150,
        coded=True,
        classes=10,
    ),
}


def reason_against(method: Method, table) -> str:
    """Why a method does not take a table, or nothing."""
    widest = int(table.arity[~table.continuous].max(initial=0))
    if np.count_nonzero(table.class_counts()) < 2 or table.n_cases < LEAST_CASES:
        return f"{table.n_cases} cases are too few"
    if method.branches is not None and widest > method.branches:
        name = table.feature_names[int(np.argmax(np.where(table.continuous, 0, table.arity)))]
        return (
            f"{name} has {widest:,} values, more than {method.branches}; group them, or list it"
            " under `drop`"
        )
    if method.classes is not None and table.n_classes > method.classes:
        return f"{table.n_classes} classes, more than {method.classes}"
    columns = columns_of(method, table)
    if columns > method.columns:
        which = "columns, with one per value of a discrete column" if method.coded else "columns"
        return f"{columns:,} {which}, more than {method.columns:,}; name some under `drop`"
    return ""


def columns_of(method, table) -> int:
    if not method.coded:
        return table.n_features
    return int(np.where(table.continuous | (table.arity <= 2), 1, table.arity).sum())


def compare(table, models, *, settings, seed, methods=tuple(METHODS), tell=print):
    """(records, one per method; fold of every case.

    Predictions: per method the held-out class index of every case).

    `settings` has folds, cells, search_cells, work and memory_mb, as the section `methods` of the
    configuration. Models of all cases are written into the folder `models`.
    """
    folds = min(settings["folds"], table.n_cases)
    if table.n_cases * table.n_features > MANY_CELLS:
        folds = min(folds, FEW_FOLDS)
    dealt = stratified_folds(table.labels, folds, stream(seed, "own", "folds"))
    records, predictions = [_majority(table, dealt, folds)], {}
    for name in methods:
        method = METHODS[name]
        reason = reason_against(method, table)
        if reason:
            records.append({"method": name, "status": "unsuitable", "note": reason})
        else:
            try:
                record, predictions[name] = _measured(
                    name, table, dealt, folds, Path(models), settings, seed
                )
                records.append(record)
            except (
                MemoryError
            ) as fault:  # of the method, which says what is too large, or of an allocation
                why = (
                    str(fault)
                    or f"it needs more than {settings['memory_mb']:,} MB; raise memory_mb"
                )
                records.append({"method": name, "status": "memory_limit", "note": why})
            except (ValueError, ArithmeticError, RuntimeError) as fault:
                records.append(
                    {"method": name, "status": "error", "note": f"{type(fault).__name__}: {fault}"}
                )
        tell(told(records[-1]))
    return records, dealt, predictions


def compare_own(table, options, settings, seed, outputs) -> dict:
    """One of the user's own tables: every method on the same folds, models of all cases, the column
    report.
    """
    read = read_table(table, options)
    print(read, flush=True)
    tell(*(f"{WARNING}{table}: {line}" for line in read.warnings))
    Path(outputs.models).mkdir(parents=True, exist_ok=True)
    records, dealt, predicted = compare(
        read,
        outputs.models,
        settings=settings,
        seed=seed,
        tell=lambda line: tell(f"{table}: {line}"),
    )
    predictions = [
        {"case": case + 1, "fold": int(dealt[case]) + 1, "class": read.class_names[label]}
        | {method: read.class_names[codes[case]] for method, codes in predicted.items()}
        for case, label in enumerate(read.labels)
    ]
    return {
        "compared": Plain(records, COLUMNS),
        "columns": Plain(read.describe()),
        "warnings": "".join(f"{line}\n" for line in read.warnings),
        "predictions": Plain(predictions),
    }


def told(record) -> str:
    """A record in one line for the terminal."""
    if record["status"] != "ok":
        return f"{record['method']}: {record['status']}, {record['note']}"
    size = f"{record['leaves']} leaves on {record['features']} columns"
    error = (
        f"{record['test_error']:.1f} % (± {record['test_error_se']:.1f}) wrong on held-out cases"
    )
    return f"{record['method']}: {error}, {size}" + (
        f" ({record['note']})" if record["note"] else ""
    )


def _majority(table, dealt, folds):
    """What always the most frequent class would give: the mark that a method has to pass."""
    predicted = np.empty(table.n_cases, dtype=np.int64)
    for fold in range(folds):
        test = dealt == fold
        predicted[test] = np.bincount(table.labels[~test], minlength=table.n_classes).argmax()
    return {
        "method": "majority",
        "status": "ok",
        "cases": table.n_cases,
        "leaves": 1,
        "features": 0,
        "used": "[]",
        **scores(table, predicted, dealt, folds),
        "note": "always the most frequent class",
    }


def _measured(name, table, dealt, folds, models, settings, seed):
    method = METHODS[name]
    cells, columns = (
        settings["search_cells" if method.searches else "cells"],
        columns_of(method, table),
    )
    predicted, seconds = np.empty(table.n_cases, dtype=np.int64), []
    progress = Progress(folds, f"folds of {name}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that a search has met its limit stands in the note
        for fold in range(folds):
            test, rest = (
                np.flatnonzero(dealt == fold),
                table.take_cases(np.flatnonzero(dealt != fold)),
            )
            training, _ = within_cells(
                rest, cells, stream(seed, "own", name, fold), columns=columns
            )
            begun = time.process_time()
            model = method.fit(training, settings)
            seconds.append(time.process_time() - begun)
            predicted[test] = _codes(table, model.predict(table.take_cases(test)))
            progress.step()
        training, sampled = within_cells(
            table, cells, stream(seed, "own", name, "all"), columns=columns
        )
        model = method.fit(training, settings)
    file = models / f"{name}.json"
    save(model, file)
    part = table.take_cases(np.arange(min(table.n_cases, 200)))
    if not np.array_equal(load(file).predict(part), model.predict(part)):
        raise RuntimeError("the model read back predicts otherwise")
    used = used_features(model)
    return {
        "method": name,
        "status": "ok",
        "leaves": n_leaves(model),
        "features": len(used),
        "cases": training.n_cases,
        "used": json.dumps(used, ensure_ascii=False),
        "model": f"models/{file.name}",
        "seconds": round(float(np.median(seconds)), 3),
        **scores(table, predicted, dealt, folds),
        "note": joined(
            f"learnt from {sampled}" if sampled else "",
            not_proved(model),
        ),
    }, predicted


def not_proved(model) -> str:
    """How far a model is from being proved the best, or nothing."""
    status = getattr(model, "status_", "optimal")
    if status in ("optimal", "ok"):
        return ""
    said = model._said() if hasattr(model, "_said") else ""
    return said or f"not proved to be the best ({status})"


def _codes(table, names):
    index = {name: code for code, name in enumerate(table.class_names)}
    return np.array([index[str(name)] for name in names])


def scores(table, predicted, dealt, folds) -> dict:
    """Errors in percent: over the cases with its standard error over folds, and the mean over the
    classes.
    """
    wrong = predicted != table.labels
    each = np.array([wrong[dealt == fold].mean() for fold in range(folds)])
    counts = table.class_counts()
    right = np.bincount(table.labels[~wrong], minlength=table.n_classes)
    recall = {
        name: round(100 * r / n, 2)
        for name, r, n in zip(table.class_names, right, counts, strict=True)
        if n
    }
    return {
        "test_error": round(100 * float(wrong.mean()), 4),
        "test_error_se": round(100 * float(each.std(ddof=1) / np.sqrt(folds)), 4),
        "balanced_error": round(100 - float(np.mean(list(recall.values()))), 4),
        "recall": json.dumps(recall, ensure_ascii=False),
    }


def used_features(model) -> list[str]:
    """Names of the columns that a model looks at."""
    tree, names = model.tree_, list(model.feature_names_in_)
    if hasattr(tree, "used_features"):
        return [tree.feature_names[feature] for feature in tree.used_features]
    return [str(names[place]) for place in np.flatnonzero(model.feature_importances_)]


def n_leaves(model) -> int:
    return int(model.get_n_leaves())
