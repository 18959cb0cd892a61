"""Timings: CPU seconds, warm, medians, rivals taken in turns on the same data in the same run."""

import math

import numpy as np

from pinetum.nbdt.fixed_depth import TwoClassSolver
from pinetum.nbdt.methods import SEARCHES
from pinetum.nbdt.naive_bayes import NaiveBayes
from pinetum.randomness import stream
from pinetum.workflow.clocks import timed
from pinetum.workflow.tables import absent, each_table

# name, algorithm, depth: what figure 6 of the paper shows, then ours
CONTESTANTS = (
    ("1-NBDT", "nbdt", 1),
    ("2-OPTNBDT", "optnbdt", 2),
    ("3-OPTNBDT", "optnbdt", 3),
    ("3-NBDT", "nbdt", 3),
    ("4-OPTNBDT", "optnbdt", 4),
    ("4 branch and bound", "bound", 4),
    ("5 branch and bound", "bound", 5),
)


def measure_nbdt(datasets, speed_only, seed, **settings):
    """CPU seconds of the algorithms: per data set, by number of features, and at depths beyond the
    paper's.
    """
    warm_up()
    records = []
    for _name, table in each_table([*datasets, *speed_only]):
        if absent(table):
            for method, _algorithm, _depth in CONTESTANTS:
                records.append(table | {"study": "datasets", "method": method})
        else:
            records += dataset_records(table, settings)
    for _name, table in each_table([settings["speed"]["scaling_dataset"]]):
        records += [] if absent(table) else scaling_records(table, settings)
    for shape in settings["speed"]["shapes"]:
        records += shape_records(shape, settings, seed)
    return {"speed": records}


def warm_up():
    """Compile every kernel outside the clock."""
    rng = np.random.default_rng(0)
    model = random_model(rng, 6, 2, 20)
    for method in SEARCHES:
        for depth in (1, 4):
            TwoClassSolver(model, depth).fit(method=method)


def random_model(rng, features, arity, cases, alpha=1.0) -> NaiveBayes:
    """Estimates from random cases of a given shape."""
    codes = rng.integers(0, arity, (features, cases), dtype=np.int32)
    return NaiveBayes.estimate(codes, rng.integers(0, 2, cases), [arity] * features, 2, alpha)


def paths_of(model: NaiveBayes, length: int) -> float:
    """Number of paths of so many tests."""
    sums = [1] + [0] * length  # elementary symmetric polynomials of the arities
    for arity in np.diff(model.start).tolist():
        for k in range(length, 0, -1):
            sums[k] += arity * sums[k - 1]
    return sums[length] * math.factorial(length)


def record(study, dataset, model, method, algorithm, depth, seconds, accuracy):
    """`paths`: what the innermost loop runs over, feature-value pairs of the last level or look-ups
    above it.
    """
    length = {"nbdt": depth, "optnbdt": depth - 1}.get(algorithm)
    paths = paths_of(model, length) if length else None
    return {
        "study": study,
        "dataset": dataset,
        "features": model.n_features,
        "values": int(model.start[-1]),
        "method": method,
        "algorithm": algorithm,
        "depth": depth,
        "status": "ok",
        "expected_accuracy": accuracy,
        "paths": paths,
        "seconds": seconds,
        "rate_ns_per_path": seconds / paths * 1e9 if paths else None,
    }


def dataset_records(dataset, settings):
    """Figure 6: every method on a whole file.

    Learning the probabilities counts, as looking at cases does for ID3.
    """
    from pinetum.induction import Grower, Options

    def model():
        return NaiveBayes.estimate(
            dataset.codes, dataset.labels, dataset.arity, dataset.n_classes, settings["alpha"]
        )

    calls = {
        method: (
            lambda depth=depth, algorithm=algorithm: TwoClassSolver(model(), depth).fit(
                method=algorithm
            )
        )
        for method, algorithm, depth in CONTESTANTS
    }
    id3 = Options(criterion="gain", min_cases=0, zero_gain=True, max_depth=3)
    cases = np.arange(dataset.n_cases)
    calls["3-ID3"] = lambda: Grower(dataset, id3, cases=cases).grow()
    calls["3-ID3"]()
    seconds = timed(calls, settings["speed"]["repeats"])
    whole = model()
    records = []
    for method, algorithm, depth in (*CONTESTANTS, ("3-ID3", "id3", 3)):
        value = None if algorithm == "id3" else TwoClassSolver(whole, depth).fit().expected_accuracy
        records.append(
            record(
                "datasets", dataset.name, whole, method, algorithm, depth, seconds[method], value
            )
        )
    return records


def scaling_records(dataset, settings):
    """Figure 5: the first 3, 6, 9, ... features.

    Depth 3, with the list and without it, from ready probabilities.
    """
    whole = NaiveBayes.estimate(
        dataset.codes, dataset.labels, dataset.arity, dataset.n_classes, settings["alpha"]
    )
    records = []
    for step in range(1, settings["speed"]["scaling_steps"] + 1):
        features = min(3 * step, whole.n_features)
        end = whole.start[features]
        model = NaiveBayes(
            whole.prior, np.ascontiguousarray(whole.given[:, :end]), whole.start[: features + 1]
        )
        records += rivals("features", dataset.name, model, 3, ("nbdt", "optnbdt"), settings)
    return records


def shape_records(shape, settings, seed):
    """Depths that the paper could not reach, on random tables of a given shape."""
    name = f"random {shape['features']} x {shape['arity']}"
    rng = stream(seed, "nbdt", "shape", shape["features"], shape["arity"], shape["cases"])
    model = random_model(rng, shape["features"], shape["arity"], shape["cases"], settings["alpha"])
    records = []
    for depth, algorithms in shape["depths"].items():
        records += rivals("shapes", name, model, int(depth), algorithms, settings)
    return records


def rivals(study, name, model, depth, algorithms, settings):
    """Several algorithms on one problem; all must find the same value."""
    found = {}

    def call(algorithm):
        found[algorithm] = TwoClassSolver(model, depth).fit(method=algorithm).expected_accuracy

    calls = {a: lambda a=a: call(a) for a in algorithms}
    if "optnbdt" in algorithms:  # its pre-processing alone: what is left over is the search
        calls["list"] = lambda: TwoClassSolver(model, depth).listed()
    seconds = timed(calls, settings["speed"]["repeats"])
    values = list(found.values())
    if not np.allclose(values, values[0], rtol=1e-11, atol=0):
        raise ArithmeticError(f"{name}, depth {depth}: the algorithms disagree: {found}")
    return [
        record(study, name, model, f"{depth}-{a}", a, depth, seconds[a], found.get(a))
        for a in calls
    ]
