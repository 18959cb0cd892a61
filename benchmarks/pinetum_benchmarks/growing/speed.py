"""Speed beside scikit-learn, and how time and memory grow with the number of cases."""

import contextlib
import ctypes
import multiprocessing
import resource
import time

import numpy as np

from pinetum.data import NoData, load_dataset
from pinetum.data.dataset import Dataset
from pinetum.induction.grower import Grower
from pinetum.induction.options import yadt
from pinetum.induction.table import presort
from pinetum.randomness import stream
from pinetum.validation import stratified_split
from pinetum.workflow.jobs import provenance

# What is grown: name of the record, data set or generated table, how it is read.
WORKLOADS = (
    ("letter", "letter", "as is"),
    ("letter, weighted cases", "letter", "weighted"),
    ("adult, numeric codes", "adult", "numeric"),
    ("adult, discrete and missing", "adult", "as is"),
    ("sonar, 131 building cases", "sonar", "building"),
    ("madelon", "madelon", "as is"),
    ("clean2", "clean2", "as is"),
    ("connect-4, all discrete", "connect-4", "as is"),
    ("generated, 2,000 x 5,000", "wide", "generated"),
    ("generated, 100 classes", "hundred", "generated"),
    ("generated, 1,000,000 x 30", "million", "generated"),
)
GENERATED = {
    "wide": (2000, 5000, 2),
    "hundred": (10_000, 20, 100),
    "million": (1_000_000, 30, 2),
}  # with classes
WIDE_CASES = 2000  # of the tables that show growth with the number of features
PATIENCE = 5.0  # CPU seconds after which a tree is not grown again
SPEED_COLUMNS = (
    "workload",
    "status",
    "cases",
    "features",
    "classes",
    "missing",
    "repeats",
    "nodes",
    "nodes_sklearn",
    "seconds",
    "seconds_with_presort",
    "seconds_fit",
    "seconds_sklearn",
    "rate_to_sklearn",
    "rate_with_presort_to_sklearn",
    "rate_fit_to_sklearn",
    "peak_mb",
    "peak_mb_encoded",
    "note",
    "version",
    "commit",
)


def as_numbers(data: Dataset) -> Dataset:
    """Discrete features as numeric codes, missing as -1: what a purely numeric grower is given."""
    codes, values = [], []
    for column in np.where(np.isnan(data.numbers()), -1, data.numbers()).T:
        distinct, code = np.unique(column, return_inverse=True)
        codes.append(code)
        values.append(distinct)
    return Dataset(
        name=data.name,
        codes=np.array(codes, dtype=np.int32),
        labels=data.labels,
        continuous=np.ones(data.n_features, dtype=bool),
        values=tuple(values),
        feature_names=data.feature_names,
        class_names=data.class_names,
    )


def as_frame(data: Dataset):
    """What a user would fit: an array where all columns are numbers, else a DataFrame with
    categories.
    """
    import pandas as pd

    if data.continuous.all():
        return data.numbers()
    columns = {}
    for name, codes, values, continuous, numbers in zip(
        data.feature_names, data.codes, data.values, data.continuous, data.numbers().T, strict=True
    ):
        columns[name] = numbers if continuous else pd.Categorical.from_codes(codes, list(values))
    return pd.DataFrame(columns)


def workload(dataset, reading, root, folder):
    """The data set of a workload, the training cases (None: all) and their weights (None: one
    each).
    """
    if reading == "generated":
        cases, features, classes = GENERATED[dataset]
        return generated(cases, features, root, classes), None, None
    data, cases, weights = load_dataset(dataset, folder=folder), None, None
    rng = stream(root, "induction", "speed", dataset)
    if reading == "numeric":
        data = as_numbers(data)
    elif reading == "building":
        cases, _ = stratified_split(data.labels, 0.63, rng)
    elif reading == "weighted":
        weights = rng.integers(1, 9, data.n_cases) / 4
    return data, cases, weights


def seconds_of(run, times=1):
    begun = time.process_time()
    for _ in range(times):
        result = run()
    return (time.process_time() - begun) / times, result


def medians(runs: dict, repeats, least=0.02) -> dict:
    """Median seconds of each; warm, taken in turn, repeated to last `least` seconds.

    What takes long runs once.
    """
    first = {}
    for key, run in runs.items():
        seconds, _ = seconds_of(run)
        first[key] = seconds if seconds > PATIENCE else seconds_of(run)[0]
    seconds = {key: [once] if once > PATIENCE else [] for key, once in first.items()}
    for _ in range(repeats):
        for key, run in runs.items():
            if first[key] <= PATIENCE:
                seconds[key].append(seconds_of(run, max(1, int(least / max(first[key], 1e-5))))[0])
    return {key: float(np.median(values)) for key, values in seconds.items()}


def speed_record(name, dataset, reading, root, repeats, folder):
    """Median CPU seconds of one warm tree, ours and scikit-learn's in turn, everything on one
    thread.

    `seconds` has the columns presorted already, as when many trees are grown from one data set;
    `seconds_with_presort` starts from the encoded table, `seconds_fit` is `TreeClassifier.fit` on
    an array of float64 or a DataFrame. scikit-learn gets the float32 table that it would turn any
    other into.
    """
    from sklearn.tree import DecisionTreeClassifier

    from pinetum.estimators import TreeClassifier

    data, cases, weights = workload(dataset, reading, root, folder)
    numbers = as_numbers(data).numbers().astype(np.float32)
    labels, table = data.labels, as_frame(data)
    if cases is not None:
        numbers, labels, table = np.ascontiguousarray(numbers[cases]), labels[cases], table[cases]
    grower = Grower(data, yadt(2), cases=cases, weights=weights)
    rival = DecisionTreeClassifier(criterion="entropy", random_state=0)

    def from_encoded():
        data.__dict__.pop("_table", None)
        return Grower(data, yadt(2), cases=cases, weights=weights).grow()

    warm_up(data)
    runs = {
        "": grower.grow,
        "_with_presort": from_encoded,
        "_fit": lambda: TreeClassifier().fit(table, labels, sample_weight=weights),
        "_sklearn": lambda: rival.fit(numbers, labels, sample_weight=weights),
    }
    seconds = medians(runs, repeats)
    tree = grower.grow()
    peak, encoded = in_fresh_process(peak_of_workload, dataset, reading, root, folder)
    return {
        "workload": name,
        "status": "ok",
        "cases": len(labels),
        "features": data.n_features,
        "classes": data.n_classes,
        "missing": data.n_missing,
        "repeats": repeats,
        "nodes": tree.n_nodes,
        "nodes_sklearn": rival.tree_.node_count,
        **{f"seconds{key}": value for key, value in seconds.items()},
        **{
            f"rate{key}_to_sklearn": seconds["_sklearn"] / seconds[key]
            for key in runs
            if key != "_sklearn"
        },
        "peak_mb": peak,
        "peak_mb_encoded": encoded,
        "note": (
            "scikit-learn is given numeric codes"
            if data.n_missing or not data.continuous.all()
            else ""
        ),
        **provenance(),
    }


def speed_records(root, datasets, repeats, folder=None):
    rows = []
    for name, dataset, reading in WORKLOADS:
        if dataset not in datasets:
            continue
        try:
            rows.append(speed_record(name, dataset, reading, root, repeats, folder))
        except NoData as fault:
            rows.append({"workload": name, "status": "no_data", "note": fault.reason})
        except ImportError as fault:
            rows.append({"workload": name, "status": "error", "note": f"scikit-learn: {fault}"})
        print(rows[-1], flush=True)
    return rows


# ---------------------------------------------------------------- memory and scaling


def in_fresh_process(function, *arguments):
    """Peak memory is a property of a process: measure it in one that did nothing else."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        found = pool.apply(function, arguments)
        # it ends by itself: what looks on, as a measurement of coverage, is not cut off
        pool.close()
        pool.join()
        return found


def resident_mb() -> float:
    """Present memory of this process; its peak where the system does not tell."""
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * resource.getpagesize() / 2**20
    except OSError:
        return peak_mb()


def peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def forget_peak():
    """Give freed memory back and let the peak start from the present memory, where the system
    allows it.
    """
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
    try:
        with open("/proc/self/clear_refs", "w") as file:
            file.write("5")
    except OSError:
        pass


def high_water_mb() -> float:
    try:
        with open("/proc/self/status") as file:
            return next(int(line.split()[1]) / 1024 for line in file if line.startswith("VmHWM"))
    except (OSError, StopIteration):
        return peak_mb()


def encoded_mb(data: Dataset) -> float:
    values = sum(v.nbytes for v, c in zip(data.values, data.continuous, strict=True) if c)
    return (data.codes.nbytes + data.labels.nbytes + values) / 2**20


def warm_up(data):
    """Load the compiled kernels, outside what is measured."""
    few = data.take_cases(np.arange(min(50, data.n_cases)))
    Grower(few, yadt(2)).grow()


def peak_above(data, cases=None, weights=None):
    """Megabytes that presorting and growing add to the encoded data at the peak."""
    warm_up(data)
    forget_peak()
    before = resident_mb()
    Grower(data, yadt(2), cases=cases, weights=weights).grow()
    return max(high_water_mb() - before, 0.0)


def peak_of_workload(dataset, reading, root, folder):
    data, cases, weights = workload(dataset, reading, root, folder)
    return encoded_mb(data) + peak_above(data, cases, weights), encoded_mb(data)


def generated(cases, features, root, classes=2) -> Dataset:
    """Numeric features without ties, two classes by four features or more by the first alone, and a
    fifth of noise.
    """
    rng = stream(root, "induction", "scaling", cases)
    codes = np.empty((features, cases), dtype=np.int32)
    for row in codes:
        row[:] = rng.permutation(cases)
    u = codes[:4] / cases
    signal = (u[0] > 0.5) ^ (u[1] + u[2] * u[3] > 0.7)
    labels = np.where(rng.random(cases) < 0.2, ~signal, signal).astype(np.int32)
    if classes > 2:
        labels = np.where(
            rng.random(cases) < 0.2, rng.integers(0, classes, cases), u[0] * classes
        ).astype(np.int32)
    return Dataset(
        name="generated",
        codes=codes,
        labels=labels,
        continuous=np.ones(features, dtype=bool),
        values=tuple(np.split(np.concatenate([np.arange(cases) / cases] * features), features)),
        feature_names=tuple(f"x{i}" for i in range(features)),
        class_names=tuple(map(str, range(classes))),
    )


def scaling_of(cases, features, repeats, root):
    """Seconds of presorting and growing, peak memory, and the tree's size.

    Run in a fresh process.
    """
    data = generated(cases, features, root)
    peak = peak_above(data)
    presorting, growing = [], []
    for _ in range(repeats):
        data.__dict__.pop("_table", None)
        presorting.append(seconds_of(lambda: data.__dict__.__setitem__("_table", presort(data)))[0])
        grower = Grower(data, yadt(2))
        seconds, tree = seconds_of(grower.grow)
        growing.append(seconds)
    return {
        "cases": cases,
        "features": features,
        "status": "ok",
        "nodes": tree.n_nodes,
        "depth": tree.depth,
        "visits": int(
            tree.counts[tree.feature >= 0].sum()
        ),  # cases of inner nodes: what growing works through
        "seconds_presort": float(np.median(presorting)),
        "seconds_tree": float(np.median(growing)),
        "peak_mb": encoded_mb(data) + peak,
        "peak_mb_encoded": encoded_mb(data),
        **provenance(),
    }


def scaling_records(rows, features, widths, repeats, root):
    """By the number of cases at so many features, then by the number of features at `WIDE_CASES`
    cases.
    """
    shapes = [("cases", n, features) for n in rows] + [("features", WIDE_CASES, d) for d in widths]
    return [
        {"by": by, **in_fresh_process(scaling_of, n, d, repeats if n * d <= 3_000_000 else 1, root)}
        for by, n, d in shapes
    ]
