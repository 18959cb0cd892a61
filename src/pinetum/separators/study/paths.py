"""Error against number of features: limited feature minimization (9), and rivals on the same
folds.
"""

import numpy as np

from pinetum.data import NoData
from pinetum.separators.lp import ON_PLANE, SolverFailure
from pinetum.separators.minimize import limited_features
from pinetum.separators.names import LIMITED
from pinetum.separators.planes import Bench
from pinetum.separators.study import rivals
from pinetum.separators.study.records import (
    absent,
    cpu_seconds,
    each_fold,
    numbers_of,
    percent_wrong,
)
from pinetum.workflow.jobs import provenance


def feature_path(
    datasets, *, repeats, folds, seed, settings, counts, use=None, compare=True, **where
):
    """One record per fold, method and number of features allowed."""
    records = []
    for item in each_fold(datasets, repeats, folds, seed, "folds", use, **where):
        if len(item) == 2:
            records.append(absent(*item))
            continue
        name, repeat, fold, points, labels, training, _dataset = item
        key = {"dataset": name, "repeat": repeat, "fold": fold}
        bench = Bench(points[training], labels[training] == 1, settings)
        full, _seconds = bench.best(0.0)
        allowed = [count for count in counts if count <= points.shape[1]]

        def row(
            method,
            count,
            chosen,
            predicted,
            seconds,
            status="ok",
            note="",
            *,
            key=key,
            labels=labels,
            training=training,
        ):
            error = None if predicted is None else percent_wrong(predicted, labels[~training])
            return key | {
                "method": method,
                "allowed": count,
                "status": status,
                "features": chosen,
                "test_error": error,
                "seconds": seconds,
                "note": note,
                **provenance(),
            }

        for count in allowed:
            begun = cpu_seconds()
            try:
                fit = bench.told(limited_features(bench.program, count, full=full))
                predicted = fit.predict(points[~training]).astype(int)
                records.append(
                    row(LIMITED, count, len(fit.features), predicted, cpu_seconds() - begun)
                )
            except SolverFailure as failure:
                records.append(row(LIMITED, count, None, None, None, failure.status, str(failure)))
        if not compare or not rivals.available():
            if compare:
                records.append(
                    row(
                        "L1 SVM", None, None, None, None, "not_run", "scikit-learn is not installed"
                    )
                )
            continue
        scaled = bench.scaling.apply(points)
        for method, count, weights, offset, seconds in rivals.paths(
            scaled[training], labels[training], allowed
        ):
            predicted = (scaled[~training] @ weights - offset > ON_PLANE).astype(int)
            records.append(row(method, count, int(np.count_nonzero(weights)), predicted, seconds))
    return records


def few_features(datasets, settings, counts=(2, 3), **where):
    """Planes with two and three features on whole data sets, in the original units, and the points
    to draw.
    """
    planes, cases = [], []
    for name, source in datasets.items():
        try:
            points, labels, dataset = numbers_of(source, **where)
        except NoData as missing:
            planes.append(absent(name, missing.reason))
            continue
        bench = Bench(points, labels == 1, settings)
        for count in counts:
            fit = bench.told(limited_features(bench.program, min(count, points.shape[1])))
            key = {"dataset": name, "allowed": count}
            error = percent_wrong(fit.predict(points), labels == 1)
            for place, j in enumerate(fit.features.tolist()):
                planes.append(
                    key
                    | {
                        "status": "ok",
                        "place": place,
                        "feature": dataset.feature_names[j],
                        "weight": fit.weights[j],
                        "offset": fit.offset,
                        "train_error": error,
                        "negative": dataset.class_names[0],
                        "positive": dataset.class_names[1],
                        "note": "",
                        **provenance(),
                    }
                )
                cases += [
                    key
                    | {
                        "place": place,
                        "case": case,
                        "value": value,
                        "class": dataset.class_names[label],
                    }
                    for case, (value, label) in enumerate(
                        zip(points[:, j].tolist(), labels.tolist(), strict=True)
                    )
                ]
    return planes, cases
