"""Records of the paper's experiment: single decisions, ten-fold cross-validation, the same folds
for all methods.
"""

import resource
import time
from dataclasses import replace

import numpy as np

from pinetum.data import NoData, load_dataset
from pinetum.progress import Progress
from pinetum.randomness import stream
from pinetum.separators.exact import exact_minimum
from pinetum.separators.lp import SolverFailure, SolverOptions, within
from pinetum.separators.names import METHODS, MINIMIZED
from pinetum.separators.planes import Bench, Settings
from pinetum.validation.folds import stratified_folds
from pinetum.workflow.jobs import provenance


def settings_of(options: dict) -> Settings:
    """From the study's section of the configuration."""
    keys = ("scaling", "start", "tolerance", "epsilon", "resolve", "on_plane")
    return Settings(
        **{key: options[key] for key in keys}, solver=SolverOptions(**options["solver"])
    )


def cpu_seconds() -> float:
    """CPU time of this process and of the solvers it started."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def numbers_of(name, **where):
    """Points, classes 0 and 1 and the data set; the second class is the positive one."""
    dataset = load_dataset(name, **where)
    if dataset.n_classes != 2:
        raise ValueError(f"{name}: {dataset.n_classes} classes; a single decision separates two")
    return dataset.numbers(), dataset.labels.astype(np.int64), dataset


def folds_of(labels, name, repeat, folds, seed, plain=False):
    if plain:
        return (
            stream(seed, "separators", name, "plain folds", repeat).permutation(len(labels)) % folds
        )
    return stratified_folds(labels, folds, stream(seed, "separators", name, "folds", repeat))


def each_fold(datasets, repeats, folds, seed, what, use=None, plain=False, **where):
    """(name, repeat, fold, points, labels, training mask, data set), or (name, reason) when there
    are no data.
    """
    progress = Progress(len(datasets) * repeats * (use or folds), what)
    for name, source in datasets.items():
        try:
            points, labels, dataset = numbers_of(source, **where)
        except NoData as absent:
            yield name, absent.reason
            continue
        for repeat in range(repeats):
            numbers = folds_of(labels, name, repeat, folds, seed, plain)
            for fold in range(use or folds):
                yield name, repeat, fold, points, labels, numbers != fold, dataset
                progress.step()


def absent(name, reason) -> dict:
    return {"dataset": name, "status": "no_data", "note": reason, **provenance()}


def percent_wrong(predicted, truth) -> float:
    return 100.0 * float(np.mean(predicted != truth))


def single_decisions(
    datasets,
    *,
    repeats,
    folds,
    seed,
    settings,
    use=None,
    methods=tuple(METHODS),
    univariate=False,
    plain=False,
    bench=Bench,
    **where,
):
    """One record per data set, repeat, fold and method.

    `univariate` adds C4.5 on the same folds.
    """
    records = []
    for item in each_fold(datasets, repeats, folds, seed, "folds", use, plain, **where):
        if len(item) == 2:
            records.append(absent(*item))
            continue
        name, repeat, fold, points, labels, training, dataset = item
        key = {"dataset": name, "repeat": repeat, "fold": fold}
        if univariate:
            records.append(
                univariate_record(key, dataset, labels, training) | shape(points, labels)
            )
        chance = stream(seed, "separators", name, "on the plane", repeat, fold)
        made = bench(points[training], labels[training] == 1, settings)
        found = [
            fold_record(key, made, method, points, labels, training, chance) for method in methods
        ]
        records += [record | shape(points, labels) for record in found]
    return records


def univariate_record(key, dataset, labels, training) -> dict:
    from pinetum.separators.study import c45  # with numba, which most jobs of this study do without

    return c45.tree_record(key, dataset, labels, training)


def shape(points, labels) -> dict:
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


def fold_record(key, bench, method, points, labels, training, chance) -> dict:
    record = {**key, "method": method, "status": "ok"}
    effort = bench.program.effort
    before = effort.programs
    try:
        fit = bench.fit(method)
    except SolverFailure as failure:
        return record | {"status": failure.status, "note": str(failure), **provenance()}
    minimized = fit.minimized
    wrong = 100.0 * errors_on_plane(fit.side(points), labels == 1, bench.settings.on_plane, chance)
    return record | {
        "features": len(fit.features),
        "decisions": 1,
        "train_error": float(wrong[training].mean()),
        "test_error": float(wrong[~training].mean()) if (~training).any() else None,
        "value": fit.scaled.value,
        "delta": minimized.delta if minimized else None,
        "nu": minimized.nu if minimized else None,
        "verified": bool(minimized.verified) if minimized else None,
        "programs": effort.programs - before,
        "gap_below_1e-9": bool(effort.worst_gap < 1e-9),
        "seconds": fit.seconds,
        "note": "",
        **provenance(),
    }


def split_decision(name, source, training_cases, settings, seed, univariate=False, **where):
    """Database Marketing: the first cases train, the rest test."""
    try:
        points, labels, dataset = numbers_of(source, **where)
    except NoData as missing:
        return [absent(name, missing.reason)]
    training = np.arange(len(labels)) < training_cases
    key = {"dataset": name, "repeat": 0, "fold": 0}
    first = [univariate_record(key, dataset, labels, training)] if univariate else []
    chance = stream(seed, "separators", name, "on the plane")
    bench = Bench(points[training], labels[training] == 1, settings)
    return first + [
        fold_record(key, bench, method, points, labels, training, chance) for method in METHODS
    ]


def exact_minima(
    datasets, *, repeats, folds, seed, settings, method, effort, time_limit, use=None, **where
):
    """The heuristic beside the proven minimum for the same delta, per fold and error function."""
    records = []
    for item in each_fold(datasets, repeats, folds, seed, "folds", use, **where):
        if len(item) == 2:
            records.append(absent(*item))
            continue
        name, repeat, fold, points, labels, training, _dataset = item
        bench = Bench(points[training], labels[training] == 1, settings)
        for heuristic in MINIMIZED:
            key = {"dataset": name, "repeat": repeat, "fold": fold, "method": heuristic}
            begun = cpu_seconds()
            try:
                records.append(
                    key
                    | exact_record(
                        bench, heuristic, points, labels, training, method, effort, time_limit
                    )
                )
            except SolverFailure as failure:
                records.append(key | {"status": failure.status, "note": str(failure)})
            records[-1] |= {"seconds": cpu_seconds() - begun, **provenance()}
    return records


def exact_record(bench, heuristic, points, labels, training, method, effort, time_limit) -> dict:
    """effort bounds MIPs times features, so that wide tables stop earlier."""
    epsilon = bench.epsilon_of(heuristic)
    fit = bench.fit(heuristic)
    program = bench.program
    found = exact_minimum(
        program.cases,
        fit.minimized.delta,
        epsilon,
        known=fit.features,
        method=method,
        options=replace(bench.settings.solver, time_limit=None),
        rounds=max(1, effort // program.cases.n),
        time_limit=time_limit,
    )
    plane = program.best(epsilon, found.features)
    told = bench.told(plane)
    positive = labels == 1
    return {
        "status": found.status,
        "heuristic": len(fit.features),
        "minimum": found.count,
        "bound": found.bound,
        "gap": found.gap,
        "cuts": found.cuts,
        "verified": bool(within(plane.value, fit.minimized.delta)),
        "heuristic_error": percent_wrong(fit.predict(points[~training]), positive[~training]),
        "minimum_error": percent_wrong(told.predict(points[~training]), positive[~training]),
        "chosen": " ".join(map(str, found.features.tolist())),
        "note": "",
    }
