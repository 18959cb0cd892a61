"""Records of the paper's experiment: single decisions, ten-fold cross-validation, the same folds for all methods."""

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
    keys = ("scaling", "start", "tolerance", "epsilon", "resolve")
    return Settings(**{key: options[key] for key in keys}, solver=SolverOptions(**options["solver"]))


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


def folds_of(labels, name, repeat, folds, seed):
    return stratified_folds(labels, folds, stream(seed, "separators", name, "folds", repeat))


def each_fold(datasets, repeats, folds, seed, what, use=None, **where):
    """(name, repeat, fold, points, labels, training mask, data set), or (name, reason) when there are no data."""
    progress = Progress(len(datasets) * repeats * (use or folds), what)
    for name, source in datasets.items():
        try:
            points, labels, dataset = numbers_of(source, **where)
        except NoData as absent:
            yield name, absent.reason
            continue
        for repeat in range(repeats):
            numbers = folds_of(labels, name, repeat, folds, seed)
            for fold in range(use or folds):
                yield name, repeat, fold, points, labels, numbers != fold, dataset
                progress.step()


def absent(name, reason) -> dict:
    return {"dataset": name, "status": "no_data", "note": reason, **provenance()}


def percent_wrong(predicted, truth) -> float:
    return 100.0 * float(np.mean(predicted != truth))


def single_decisions(datasets, *, repeats, folds, seed, settings, use=None, methods=METHODS, univariate=False, **where):
    """One record per data set, repeat, fold and method; `univariate` adds C4.5 on the same folds."""
    records = []
    for item in each_fold(datasets, repeats, folds, seed, "folds", use, **where):
        if len(item) == 2:
            records.append(absent(*item))
            continue
        name, repeat, fold, points, labels, training, dataset = item
        key = {"dataset": name, "repeat": repeat, "fold": fold}
        if univariate:
            records.append(univariate_record(key, dataset, labels, training) | shape(points, labels))
        found = fold_records(key, points, labels, training, settings, methods)
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


def fold_records(key, points, labels, training, settings, methods=METHODS):
    bench = Bench(points[training], labels[training] == 1, settings)
    return [fold_record(key, bench, method, points, labels, training) for method in methods]


def fold_record(key, bench, method, points, labels, training) -> dict:
    record = {**key, "method": method, "status": "ok"}
    effort = bench.program.effort
    before = effort.programs
    try:
        fit = bench.fit(method)
    except SolverFailure as failure:
        return record | {"status": failure.status, "note": str(failure), **provenance()}
    minimized = fit.minimized
    positive = labels == 1
    return record | {
        "features": len(fit.features),
        "decisions": 1,
        "train_error": percent_wrong(fit.predict(points[training]), positive[training]),
        "test_error": percent_wrong(fit.predict(points[~training]), positive[~training]) if (~training).any() else None,
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


def split_decision(name, source, training_cases, settings, univariate=False, **where):
    """Database Marketing: the first cases train, the rest test."""
    try:
        points, labels, dataset = numbers_of(source, **where)
    except NoData as missing:
        return [absent(name, missing.reason)]
    training = np.arange(len(labels)) < training_cases
    key = {"dataset": name, "repeat": 0, "fold": 0}
    first = [univariate_record(key, dataset, labels, training)] if univariate else []
    return first + fold_records(key, points, labels, training, settings)


def exact_minima(datasets, *, repeats, folds, seed, settings, method, effort, time_limit, use=None, **where):
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
                    key | exact_record(bench, heuristic, points, labels, training, method, effort, time_limit)
                )
            except SolverFailure as failure:
                records.append(key | {"status": failure.status, "note": str(failure)})
            records[-1] |= {"seconds": cpu_seconds() - begun, **provenance()}
    return records


def exact_record(bench, heuristic, points, labels, training, method, effort, time_limit) -> dict:
    """effort bounds MIPs times features, so that wide tables stop earlier."""
    epsilon = bench.settings.epsilon if heuristic.endswith("-P") else 0.0
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


def variants(settings: Settings) -> dict:
    """What the paper leaves open, each changed alone."""
    return {
        "as chosen": settings,
        "raw units": replace(settings, scaling="raw"),
        "units [0, 1]": replace(settings, scaling="unit"),
        "r = 0 at the start": replace(settings, start="zero"),
        "r from the LP for every nu": replace(settings, start="lp"),
        "plane of (8), not solved again": replace(settings, resolve=False),
        "delta = 1.05 x LP error": replace(settings, tolerance=1.05),
        "delta = 1.2 x LP error": replace(settings, tolerance=1.2),
        "epsilon = 0.01": replace(settings, epsilon=0.01),
        "epsilon = 0.05": replace(settings, epsilon=0.05),
        "primal form": replace(settings, solver=replace(settings.solver, form="primal")),
    }


def alternatives(datasets, *, repeats, folds, seed, settings, use=None, **where):
    """Means per variant, data set and method over the same folds; then those of C4.5's readings."""
    import pandas as pd

    common = {"repeats": repeats, "folds": folds, "seed": seed, "use": use, **where}
    records = []
    for variant, changed in variants(settings).items():
        rows = pd.DataFrame(single_decisions(datasets, settings=changed, **common))
        records += means(variant, rows)
    rows = pd.DataFrame(readings(datasets, **common))
    for reading, part in rows.groupby("reading", sort=False) if "reading" in rows else ():
        records += means(reading, part)
    return records or [{"variant": "", "dataset": name, "status": "no_data", **provenance()} for name in datasets]


def means(variant, rows):
    """One record per data set and method."""
    for (name, method), part in rows.groupby(["dataset", "method"], sort=False) if "method" in rows else ():
        good = part[part["status"] == "ok"]
        worst = "ok" if len(good) == len(part) else part.loc[part["status"] != "ok", "status"].iloc[0]
        yield {
            "variant": variant,
            "dataset": name,
            "method": method,
            "status": worst,
            "n": len(good),
            "test_error": good["test_error"].mean(),
            "features": good["features"].mean(),
            "different": good["different"].mean() if "different" in good else None,
            "programs": good["programs"].mean() if "programs" in good else None,
            "seconds": good["seconds"].sum(),
            **provenance(),
        }


def readings(datasets, *, repeats, folds, seed, use=None, **where):
    """C4.5's trees under every reading of its column, per fold."""
    from pinetum.separators.study import c45

    records = []
    for item in each_fold(datasets, repeats, folds, seed, "folds of C4.5", use, **where):
        if len(item) == 2:
            continue
        name, repeat, fold, _points, labels, training, dataset = item
        for reading in c45.READINGS:
            key = {"dataset": name, "repeat": repeat, "fold": fold, "reading": reading}
            records.append(c45.tree_record(key, dataset, labels, training, reading))
    return records
