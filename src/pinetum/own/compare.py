"""Methods on one table: held-out error on common folds, models of all cases, and why a method did not run.

The work of each method is estimated from the table's size before anything is allocated; what is too large for a method
is sampled or left out, and the row says so.
"""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pinetum.models import load, save
from pinetum.randomness import stream
from pinetum.validation.folds import stratified_folds

COLUMNS = (
    "method", "status", "test_error", "test_error_se", "balanced_error", "leaves", "features", "used", "recall",
    "cases", "seconds", "model", "note",
)  # fmt: skip
FOLDS = 10
FEW_FOLDS = 5
MANY_CELLS = 2_000_000  # from which five folds are enough


@dataclass(frozen=True)
class Method:
    """One way to learn from a table.

    make       a new estimator
    about      one line for the page
    most       cells (cases x columns) that it learns from; more cases are sampled
    columns    columns that it takes
    branches   values of a discrete feature that it takes, or None
    classes    classes that it takes, or None
    """

    make: Callable
    about: str
    most: int
    columns: int
    branches: int | None = None
    classes: int | None = None


def _tree(**parameters):
    def make():
        from pinetum.estimators import TreeClassifier

        return TreeClassifier("c45", **parameters)

    return make


def _depth_three():
    from pinetum.nbdt.estimators import NBDTClassifier

    return NBDTClassifier(max_depth=3, n0=0.0, work=20_000_000)


def _planes():
    from pinetum.separators.estimators import SeparatorClassifier

    return SeparatorClassifier(max_depth=2)


METHODS = {
    "tree": Method(_tree(prune=True), "C4.5's tree, pruned", 50_000_000, 100_000),
    "small_tree": Method(
        _tree(prune=True, max_depth=3), "C4.5's tree of at most three questions a case", 50_000_000, 100_000
    ),
    "depth_three": Method(
        _depth_three,
        "the best tree of three questions a case under Naive Bayes",
        1_000_000,
        200,
        branches=100,
        classes=20,
    ),
    "planes": Method(_planes, "two levels of weighted sums of few columns", 100_000, 100, branches=100, classes=6),
}


def reason_against(method: Method, table) -> str:
    """Why a method does not take a table, or nothing."""
    widest = int(table.arity[~table.continuous].max(initial=0))
    if method.branches is not None and widest > method.branches:
        name = table.feature_names[int(np.argmax(np.where(table.continuous, 0, table.arity)))]
        return f"{name} has {widest:,} values, more than {method.branches}; group them, or list it under `drop`"
    if method.classes is not None and table.n_classes > method.classes:
        return f"{table.n_classes} classes, more than {method.classes}"
    if table.n_features > method.columns:
        return f"{table.n_features:,} columns, more than {method.columns:,}; name some under `drop`"
    if np.count_nonzero(table.class_counts()) < 2 or table.n_cases < 10:
        return f"{table.n_cases} cases are too few"
    return ""


def sampled(table, most, rng):
    """The table, or a random part of its cases with at most so many cells."""
    cases = max(50, most // max(1, table.n_features))
    if table.n_cases <= cases:
        return table
    return table.take_cases(np.sort(rng.choice(table.n_cases, cases, replace=False)))


def compare(table, models, *, seed, methods=tuple(METHODS), tell=print):
    """(records, one per method; predictions: per method the held-out class index of every case).

    Models of all cases are written into the folder `models`.
    """
    cells = table.n_cases * table.n_features
    folds = min(FEW_FOLDS if cells > MANY_CELLS else FOLDS, table.n_cases)
    dealt = stratified_folds(table.labels, folds, stream(seed, "own", "folds")) if table.n_cases > 1 else None
    records, predictions = [_majority(table, dealt, folds)], {}
    for name in methods:
        method = METHODS[name]
        reason = reason_against(method, table)
        if reason:
            records.append({"method": name, "status": "unsuitable", "note": reason})
        else:
            try:
                record, predictions[name] = _measured(name, method, table, dealt, folds, Path(models), seed, tell)
                records.append(record)
            except (ValueError, ArithmeticError, RuntimeError, MemoryError) as fault:
                records.append({"method": name, "status": "error", "note": f"{type(fault).__name__}: {fault}"})
        tell(f"{name}: {records[-1]['status']} {records[-1].get('test_error', '')} {records[-1].get('note', '')}")
    return records, predictions


def _majority(table, dealt, folds):
    """What always the most frequent class would give: the mark that a method has to pass."""
    predicted = np.empty(table.n_cases, dtype=np.int64)
    for fold in range(folds):
        test = dealt == fold
        predicted[test] = np.bincount(table.labels[~test], minlength=table.n_classes).argmax()
    return {"method": "majority", "status": "ok", "cases": table.n_cases, "leaves": 1, "features": 0, "used": "[]",
            **scores(table, predicted, dealt, folds), "note": "always the most frequent class"}  # fmt: skip


def _measured(name, method, table, dealt, folds, models, seed, tell):
    predicted, seconds = np.empty(table.n_cases, dtype=np.int64), []
    for fold in range(folds):
        test = np.flatnonzero(dealt == fold)
        training = sampled(
            table.take_cases(np.flatnonzero(dealt != fold)), method.most, stream(seed, "own", name, fold)
        )
        begun = time.process_time()
        model = method.make().fit(training)
        seconds.append(time.process_time() - begun)
        predicted[test] = _codes(table, model.predict(table.take_cases(test)))
        tell(f"{name}: fold {fold + 1} of {folds}, {seconds[-1]:.1f} s")
    training = sampled(table, method.most, stream(seed, "own", name, "all"))
    model = method.make().fit(training)
    file = models / f"{name}.json"
    save(model, file)
    part = table.take_cases(np.arange(min(table.n_cases, 200)))
    if not np.array_equal(load(file).predict(part), model.predict(part)):
        raise RuntimeError("the model read back predicts otherwise")
    used = used_features(model, table)
    note = "" if training is table else f"learnt from a sample of {training.n_cases:,} cases"
    return {
        "method": name, "status": "ok", "leaves": n_leaves(model), "features": len(used), "cases": training.n_cases,
        "used": json.dumps(used, ensure_ascii=False), "model": f"models/{file.name}",
        "seconds": round(float(np.median(seconds)), 3), **scores(table, predicted, dealt, folds), "note": note,
    }, predicted  # fmt: skip


def _codes(table, names):
    index = {name: code for code, name in enumerate(table.class_names)}
    return np.array([index[str(name)] for name in names])


def scores(table, predicted, dealt, folds) -> dict:
    """Errors in percent: over the cases with its standard error over folds, and the mean over the classes."""
    wrong = predicted != table.labels
    each = np.array([wrong[dealt == fold].mean() for fold in range(folds)])
    counts = table.class_counts()
    right = np.bincount(table.labels[~wrong], minlength=table.n_classes)
    recall = {name: round(100 * r / n, 2) for name, r, n in zip(table.class_names, right, counts, strict=True) if n}
    return {
        "test_error": round(100 * float(wrong.mean()), 4),
        "test_error_se": round(100 * float(each.std(ddof=1) / np.sqrt(folds)), 4),
        "balanced_error": round(100 - float(np.mean(list(recall.values()))), 4),
        "recall": json.dumps(recall, ensure_ascii=False),
    }


def used_features(model, table) -> list[str]:
    """Names of the columns that a model looks at."""
    tree = model.tree_
    if hasattr(tree, "used_features"):
        return [tree.feature_names[feature] for feature in tree.used_features]
    importance = getattr(model, "feature_importances_", None)
    if importance is not None:
        return [table.feature_names[place] for place in np.flatnonzero(importance)]
    return []


def n_leaves(model) -> int:
    return int(model.tree_.n_leaves if hasattr(model.tree_, "n_leaves") else model.tree_.sizes.leaves)
