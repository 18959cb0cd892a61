"""What is measured: single decisions by cross-validation on the same folds for all methods, their
exact minima, errors by number of features, and trees of planes.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from pinetum.data.dataset import Dataset
from pinetum.progress import Progress
from pinetum.randomness import stream
from pinetum.separators.exact import exact_minimum
from pinetum.separators.lp import ON_PLANE, SolverFailure, SolverOptions, within
from pinetum.separators.minimize import limited_features
from pinetum.separators.names import LIMITED, METHODS, MINIMIZED
from pinetum.separators.planes import Bench, Settings
from pinetum.separators.replication import rivals
from pinetum.separators.tables import Coding, complete_cases
from pinetum.separators.tree import MULTICLASS, grow_tree
from pinetum.validation.folds import stratified_folds
from pinetum.workflow.clocks import cpu_seconds
from pinetum.workflow.job import Plain
from pinetum.workflow.tables import absent, each_table

# ------------------------------------------------------------ the rules' functions


def separate_folds(
    datasets, standins, split, standin_folds, repeats, folds, folds_run, seed, **solving
):
    """The paper's experiment: single decisions by ten-fold cross-validation, and the stand-ins
    once.
    """
    common = {"folds": folds, "seed": seed, "settings": settings_of(solving), "univariate": True}
    public = single_decisions(datasets, repeats=repeats, folds_run=folds_run, **common)
    once = single_decisions(standins, repeats=1, folds_run=standin_folds, **common)
    for name, entry in split.items():
        once += split_decision(
            name, entry["source"], entry["training_cases"], common["settings"], seed
        )
    return {"folds": public, "standins": once}


def prove_minima(datasets, exact, folds, folds_run, seed, **solving):
    """The least number of features, proven, beside the heuristic's, on the same folds."""
    records = []
    for item in each_fold(datasets, exact["repeats"], folds, folds_run, seed):
        if absent(item):
            records.append(item)
            continue
        bench = item.bench(settings_of(solving))
        for heuristic in MINIMIZED:
            begun = cpu_seconds()
            try:
                found = exact_record(bench, heuristic, item, exact)
            except SolverFailure as failure:
                found = {"status": failure.status, "note": str(failure)}
            seconds = {"seconds": cpu_seconds() - begun}
            records.append(item.key | {"method": heuristic} | found | seconds)
    return {"exact": records}


def trace_features(datasets, path, folds, folds_run, seed, **solving):
    """Error against number of features, with rivals, and the planes with two and three features."""
    settings = settings_of(solving)
    planes, points = few_features(datasets, settings)
    return {
        "path": feature_path(
            datasets,
            repeats=path["repeats"],
            folds=folds,
            folds_run=folds_run,
            seed=seed,
            settings=settings,
            counts=path["features"],
            compare=path["rivals"],
        ),
        "planes": planes,
        "points": Plain(points),
    }


def grow_plane_trees(datasets, trees, folds, folds_run, seed, **solving):
    """Trees of planes, limited and grown out, also for several classes."""
    records = []
    for name, table in each_table({**datasets, **trees["several_classes"]}):
        if absent(table):
            records.append(table)
            continue
        records += cross_validated_trees(
            name,
            table,
            methods=trees["methods"],
            kinds=trees["kinds"],
            depths=trees["depths"],
            min_cases=trees["min_cases"],
            repeats=trees["repeats"],
            folds=folds,
            folds_run=folds_run,
            seed=seed,
            settings=settings_of(solving),
        )
    return {"trees": records}


# ------------------------------------------------------------ data sets and folds


def settings_of(solving: dict) -> Settings:
    """From the keys of the study's section that say how programs are made and solved."""
    return Settings(**(solving | {"solver": SolverOptions(**solving["solver"])}))


class Fold(NamedTuple):
    """One fold of a data set with two classes, 0 and 1; the second one is the positive one."""

    name: str
    repeat: int
    fold: int
    points: np.ndarray
    labels: np.ndarray
    training: np.ndarray  # mask of the cases
    table: Dataset

    @property
    def key(self) -> dict:
        return {"dataset": self.name, "repeat": self.repeat, "fold": self.fold}

    def bench(self, settings, bench=Bench):
        return bench(self.points[self.training], self.labels[self.training] == 1, settings)


def numbers_of(table):
    """Points and classes 0 and 1 of a data set."""
    if table.n_classes != 2:
        raise ValueError(
            f"{table.name}: {table.n_classes} classes; a single decision separates two"
        )
    return table.numbers(), table.labels.astype(np.int64)


def folds_of(labels, name, repeat, folds, seed, plain=False):
    """Number of the fold of every case; `plain`: drawn without a look at the classes."""
    if plain:
        return (
            stream(seed, "separators", name, "plain folds", repeat).permutation(len(labels)) % folds
        )
    return stratified_folds(labels, folds, stream(seed, "separators", name, "folds", repeat))


def each_fold(datasets, repeats, folds, folds_run, seed, plain=False):
    """Every `Fold` that is run, or the row of a data set that no source has."""
    run = folds_run or folds
    progress = Progress(len(datasets) * repeats * run, "folds")
    for name, table in each_table(datasets):
        if absent(table):
            yield table
            continue
        points, labels = numbers_of(table)
        for repeat in range(repeats):
            numbers = folds_of(labels, name, repeat, folds, seed, plain)
            for fold in range(run):
                yield Fold(name, repeat, fold, points, labels, numbers != fold, table)
                progress.step()


def percent_wrong(predicted, truth) -> float:
    return 100.0 * float(np.mean(predicted != truth))


# ------------------------------------------------------------ single decisions


def single_decisions(
    datasets,
    *,
    repeats,
    folds,
    seed,
    settings,
    folds_run=None,
    methods=tuple(METHODS),
    univariate=False,
    plain=False,
    bench=Bench,
):
    """One record per data set, repeat, fold and method.

    `univariate` adds C4.5 on the same folds.
    """
    records = []
    for item in each_fold(datasets, repeats, folds, folds_run, seed, plain):
        if absent(item):
            records.append(item)
            continue
        shape = shape_of(item.labels, item.points)
        if univariate:
            records.append(univariate_record(item) | shape)
        chance = stream(seed, "separators", item.name, "on the plane", item.repeat, item.fold)
        made = item.bench(settings, bench)
        records += [fold_record(item, made, method, chance) | shape for method in methods]
    return records


def split_decision(name, source, training_cases, settings, seed):
    """Database Marketing: the first cases train, the rest test."""
    for _name, table in each_table({name: source}):
        if absent(table):
            return [table]
        points, labels = numbers_of(table)
        training = np.arange(len(labels)) < training_cases
        item = Fold(name, 0, 0, points, labels, training, table)
        chance = stream(seed, "separators", name, "on the plane")
        made = item.bench(settings)
        return [univariate_record(item)] + [
            fold_record(item, made, method, chance) for method in METHODS
        ]


def univariate_record(item) -> dict:
    # With numba, which the other jobs of this study do without.
    from pinetum.separators.replication.readings import tree_record

    return tree_record(item)


def shape_of(labels, points):
    return {
        "n_cases": len(labels),
        "n_features": points.shape[1],
        "n_negative_cases": int(np.count_nonzero(labels == 0)),
        "n_positive_cases": int(np.count_nonzero(labels == 1)),
    }


def errors_on_plane(side, positive, rule, chance) -> np.ndarray:
    """Which cases are errors, by the sides they lie on.

    What lies on the plane itself goes by the rule.
    """
    on = side == 0
    if rule == "wrong":
        return on | ((side > 0) != positive)
    fallen = {"negative": np.zeros(len(side), bool), "positive": np.ones(len(side), bool)}
    up = chance.random(len(side)) < 0.5 if rule == "chance" else fallen[rule]
    return np.where(on, up, side > 0) != positive


def fold_record(item, bench, method, chance) -> dict:
    """Error, features and effort of one method on one fold."""
    record = {**item.key, "method": method, "status": "ok"}
    effort = bench.program.effort
    before = effort.programs
    try:
        fit = bench.fit(method)
    except SolverFailure as failure:
        return record | {"status": failure.status, "note": str(failure)}
    minimized = fit.minimized
    side = fit.side(item.points)
    wrong = 100.0 * errors_on_plane(side, item.labels == 1, bench.settings.on_plane, chance)
    test = ~item.training
    return record | {
        "features": len(fit.features),
        "decisions": 1,
        "train_error": float(wrong[item.training].mean()),
        "test_error": float(wrong[test].mean()) if test.any() else None,
        "value": fit.scaled.value,
        "delta": minimized.delta if minimized else None,
        "nu": minimized.nu if minimized else None,
        "verified": bool(minimized.verified) if minimized else None,
        "programs": effort.programs - before,
        "gap_below_1e-9": bool(effort.worst_gap < 1e-9),
        "seconds": fit.seconds,
        "note": "",
    }


# ------------------------------------------------------------ exact minima


def exact_record(bench, heuristic, item, exact) -> dict:
    """The heuristic beside the proven minimum for the same delta.

    `effort` bounds MIPs times features, so that wide tables stop earlier.
    """
    epsilon = bench.epsilon_of(heuristic)
    fit = bench.fit(heuristic)
    program = bench.program
    found = exact_minimum(
        program.cases,
        fit.minimized.delta,
        epsilon,
        known=fit.features,
        method=exact["method"],
        options=replace(bench.settings.solver, time_limit=None),
        rounds=max(1, exact["effort"] // program.cases.n),
        time_limit=exact["time_limit"],
    )
    plane = program.best(epsilon, found.features)
    told = bench.told(plane)
    unseen, positive = item.points[~item.training], item.labels[~item.training] == 1
    return {
        "status": found.status,
        "heuristic": len(fit.features),
        "minimum": found.count,
        "bound": found.bound,
        "gap": found.gap,
        "cuts": found.cuts,
        "verified": bool(within(plane.value, fit.minimized.delta)),
        "heuristic_error": percent_wrong(fit.predict(unseen), positive),
        "minimum_error": percent_wrong(told.predict(unseen), positive),
        "chosen": " ".join(map(str, found.features.tolist())),
        "note": "",
    }


# ------------------------------------------------------------ error by number of features


def feature_path(datasets, *, repeats, folds, seed, settings, counts, folds_run=None, compare=True):
    """Limited feature minimization (9) and, where scikit-learn is there, its rivals: one record per
    fold, method and number of features allowed.
    """
    records = []
    for item in each_fold(datasets, repeats, folds, folds_run, seed):
        if absent(item):
            records.append(item)
            continue
        unseen, truth = item.points[~item.training], item.labels[~item.training]
        bench = item.bench(settings)
        full, _seconds = bench.best(0.0)
        allowed = [count for count in counts if count <= item.points.shape[1]]
        for count in allowed:
            begun = cpu_seconds()
            try:
                fit = bench.told(limited_features(bench.program, count, full=full))
                predicted = fit.predict(unseen).astype(int)
                found = path_record(
                    LIMITED,
                    count,
                    len(fit.features),
                    percent_wrong(predicted, truth),
                    cpu_seconds() - begun,
                )
            except SolverFailure as failure:
                found = path_record(LIMITED, count, status=failure.status, note=str(failure))
            records.append(item.key | found)
        if not compare:
            continue
        if not rivals.available():
            note = "scikit-learn is not installed"
            records.append(item.key | path_record("L1 SVM", None, status="not_run", note=note))
            continue
        scaled = bench.scaling.apply(item.points)
        for method, count, weights, offset, seconds in rivals.paths(
            scaled[item.training], item.labels[item.training], allowed
        ):
            predicted = (scaled[~item.training] @ weights - offset > ON_PLANE).astype(int)
            used = int(np.count_nonzero(weights))
            error = percent_wrong(predicted, truth)
            records.append(item.key | path_record(method, count, used, error, seconds))
    return records


def path_record(method, allowed, features=None, error=None, seconds=None, status="ok", note=""):
    return {
        "method": method,
        "allowed": allowed,
        "status": status,
        "features": features,
        "test_error": error,
        "seconds": seconds,
        "note": note,
    }


POINT_COLUMNS = ["dataset", "allowed", "place", "case", "value", "class"]


def few_features(datasets, settings, counts=(2, 3)):
    """Planes with two and three features on whole data sets, in the original units, and the points
    to draw.
    """
    import pandas as pd

    planes, cases = [], []
    for name, table in each_table(datasets):
        if absent(table):
            planes.append(table)
            continue
        points, labels = numbers_of(table)
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
                        "feature": table.feature_names[j],
                        "weight": fit.weights[j],
                        "offset": fit.offset,
                        "train_error": error,
                        "negative": table.class_names[0],
                        "positive": table.class_names[1],
                        "note": "",
                    }
                )
                cases += [
                    (name, count, place, case, value, table.class_names[label])
                    for case, (value, label) in enumerate(
                        zip(points[:, j].tolist(), labels.tolist(), strict=True)
                    )
                ]
    return planes, pd.DataFrame(cases, columns=POINT_COLUMNS)


# ------------------------------------------------------------ trees of planes


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
    folds_run=None,
):
    """One record per fold, method, depth limit (0: none) and kind of decision for several
    classes.
    """
    if missing == "complete":
        dataset = complete_cases(dataset)
    labels = dataset.labels.astype(np.int64)
    records = []
    kinds = kinds if dataset.n_classes > 2 else ("two classes",)
    run = folds_run or folds
    progress = Progress(repeats * run, f"folds of {name}")
    for repeat in range(repeats):
        numbers = folds_of(labels, name, repeat, folds, seed)
        for fold in range(run):
            train, test = (
                dataset.take_cases(np.flatnonzero(part))
                for part in (numbers != fold, numbers == fold)
            )
            code = Coding.fit(train, coding)
            coded = code.points(train), code.points(test)
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
                        options = {
                            "max_depth": depth or None,
                            "min_cases": min_cases,
                            "multiclass": kind if kind in MULTICLASS else "rest",
                            "settings": settings,
                        }
                        records.append(key | tree_errors(train, test, coded, method, options))
            progress.step()
    return records


def tree_errors(train, test, coded, method, options) -> dict:
    """Size and errors of one tree of planes, or how its solver failed."""
    points, unseen = coded
    begun = cpu_seconds()
    try:
        tree = grow_tree(points, train.labels, train.n_classes, method, **options)
    except SolverFailure as failure:
        return {"status": failure.status, "note": str(failure)}
    seconds = cpu_seconds() - begun
    return {
        "status": "ok",
        "decisions": tree.n_decisions,
        "depth": tree.depth,
        "weights": tree.n_weights,
        "features": tree.n_features,
        "train_error": percent_wrong(tree.predict(points), train.labels),
        "test_error": percent_wrong(tree.predict(unseen), test.labels),
        "seconds": seconds,
        "note": "",
    }
