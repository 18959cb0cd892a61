"""Calls of everything public, with parameters drawn from all of their ranges, on small tables of
every kind.

Nothing is compared: an answer, or a refusal that the program means, is fine. Run with bounds checks
(`NUMBA_BOUNDSCHECK=1`) or interpreted (`NUMBA_DISABLE_JIT=1`), a cell beyond an array is an
IndexError. Of the two the interpreter needs no compiler, which takes minutes for all kernels.
"""

import functools
import inspect
import itertools
import linecache
import os
import signal
import warnings

import numpy as np
import pandas as pd

import pinetum
from pinetum.distinct.objective import Objective
from pinetum.induction import Grower, Options, yadt
from pinetum.induction.cases import cases_of
from pinetum.parameters import LARGEST, RANGES, Flag, Jobs, Number, Words
from pinetum.separators.lp import SolverFailure
from pinetum.separators.minimize import STARTS

INTERPRETED = os.environ.get("NUMBA_DISABLE_JIT") == "1"
SECONDS = 600 if INTERPRETED else 120  # CPU seconds after which a call is taken to hang
CALLS = (
    "TreeClassifier",
    "BestSubset",
    "NearOptimalTrees",
    "BackwardElimination",
    "NBDTClassifier",
    "MinimalTree",
    "SeparatorClassifier",
    "best_subset",
    "near_optimal_trees",
    "iterate_trees",
    "count_trees",
    "estimate_trees",
    "minimize_features",
    "opt_feature_list",
    "prune",
    "search_pruner",
)
if INTERPRETED:  # grows thousands of trees: too much for the interpreter
    CALLS = tuple(name for name in CALLS if name != "search_pruner")
LIMITS = {"work": 20_000, "budget": 3, "keep": 1000, "probes": 5, "trees": 500}
# Numbers of things to do that no work bounds, and memory that is taken at once: some of the range.
SOME = {"repeats": (1, 2, 3), "cache_mb": (0.001, 0.02, 0.1, 1, 20), "n_jobs": (None, 1)}
SOME |= {"work": (0, 0.5, 300, 20_000, 20_000), "budget": (0, 1, 3), "probes": (1, 5, 5)}
SOME |= {"verbose": (0,)}
if INTERPRETED:
    SOME["work"], LIMITS["work"] = (0, 0.5, 100, 1000, 1000), 1000
PLAIN = (0, 0.1, 0.5, 0.9, 1, 2, 3, 7.5)
EXTREME = (1e-12, 1e-300, 20, 1e6, 1e300, 10**9, LARGEST, np.inf)
KINDS = {"number": ("number", "number", "huge", "some", "some"), "word": ("word", "flag")}
VALUES = {
    "some": 20,
    "many": 300,
}  # that a category may have, seen or not; the many take their time
PROGRAMS = ("RLP", "FM_RLP", "RLP-P", "FM_RLP-P")
COSTS = ("nodes", "leaves", "tests", "depth", "average_depth")


# ------------------------------------------------------------------------------------------------
# drawing


def draw(rng, draw_table):
    """A call: its name among the options, parameters that are not its defaults beside it."""
    name = pick(rng, CALLS)
    rows = (1, 40) if INTERPRETED or rng.random() < 0.75 else (60, 201)
    if name == "NBDTClassifier" and INTERPRETED:  # a node takes the square of the cuts
        rows = (1, 12)
    classes = (1, 6) if rng.random() < 0.5 else (2, 3)
    case = draw_table(
        rng, rows=rows, columns=(1, 6), classes=classes, missing=(0, 0, 0.1, 0.4, 0.4, 0.8)
    )
    case["columns"]["kind"] = kinds = [pick(rng, KINDS[kind]) for kind in case["columns"]["kind"]]
    if rng.random() < 0.02:
        kinds[0] = "many"
    case["options"] = {"call": name, "seed": int(rng.integers(1 << 30))}
    for parameter, (known, default) in parameters_of(name).items():
        limit = parameter in LIMITS
        if limit or rng.random() < 0.25:
            value = draw_value(rng, parameter, known, default, case)
            case["options"][parameter] = LIMITS[parameter] if limit and value is None else value
    return case


def parameters_of(name):
    """(range, default) of every parameter of a call but its table."""
    public = getattr(pinetum, name)
    known = {**RANGES, **getattr(public, "_ranges", {})}
    return {
        parameter: (known.get(parameter), given.default)
        for parameter, given in inspect.signature(public).parameters.items()
        if parameter not in ("X", "y", "tree", "tables", "grow", "name")
        and given.kind != given.VAR_KEYWORD
    }


def draw_value(rng, name, known, default, case):
    """Any value of a parameter's range, a bound of it as often as not."""
    if name in SOME:
        return pick(rng, SOME[name])
    if isinstance(known, Words):
        return pick(rng, known.known)
    if name in WRITTEN:
        return WRITTEN[name](rng, case)
    if isinstance(known, Flag) or isinstance(default, bool):
        return bool(rng.random() < 0.5)
    if isinstance(known, Jobs):
        return None
    if isinstance(known, Number):
        ends = (known.least, known.most, known.least + 1e-9, known.most - 1e-9)
        drawn = (*known.also, *PLAIN) if rng.random() < 0.7 else (*ends, *EXTREME)
        drawn = [int(value) if known.whole and is_finite(value) else value for value in drawn]
        return pick(rng, [value for value in drawn if known.takes(value)] or [default])
    raise LookupError(f"{name}: no range is known; write one here")


def is_finite(value):
    return value is not None and not isinstance(value, str) and value < np.inf


def pick(rng, values):
    return values[int(rng.integers(len(values)))]


def some_columns(rng, case):
    width = len(case["columns"]["kind"])
    return [int(place) for place in np.flatnonzero(rng.random(width) < 0.6)]


def draw_costs(rng, case):
    """A square matrix for the classes that there are."""
    labels = len({row[-1] for row in case["rows"]})
    costs = rng.choice([0, 0.5, 1, 1, 3, 1 / 3], (labels, labels)) * (1 - np.eye(labels))
    return costs.tolist()


def draw_objective(rng, case):
    """What `objective_of` makes an objective of, or none."""
    kind = pick(rng, (None, "hold_out", "cross_validation", "parts"))
    if kind is None:
        return None
    given = {"kind": kind, "seed": int(rng.integers(1000))}
    if rng.random() < 0.5:
        given["costs"] = draw_costs(rng, case)
    for penalty in ("feature_penalty", "leaf_penalty"):
        if rng.random() < 0.4:
            given[penalty] = pick(rng, (0.5, 1, 1 / 3, 1e-7, 100))
    return given


def draw_options(rng, case):
    """Rules of growing, or none."""
    drawn = {
        "criterion": pick(rng, ("gain", "gain_ratio", "gini")),
        "min_cases": pick(rng, (0, 0.5, 1, 2, 5)),
        "min_branch": pick(rng, (0, 0.5, 1, 2)),
        "min_gain": pick(rng, (0, 0.05, 1e-9)),
        "min_gap": pick(rng, (0, 1e-5, 1)),
        "max_depth": pick(rng, (None, 0, 1, 3)),
    }
    flags = ("zero_gain", "penalty", "side_share", "lowest_class", "training_thresholds")
    drawn |= {name: bool(rng.random() < 0.3) for name in flags}
    drawn |= {name: bool(rng.random() < 0.1) for name in ("average_gain", "collapse")}
    kept = {name: value for name, value in drawn.items() if rng.random() < 0.5}
    return kept or None


def draw_prices(rng, case):
    return rng.choice([1, 1, 2, 5, 1000], len(case["columns"]["kind"])).tolist()


WRITTEN = {
    "criterion": lambda rng, case: pick(rng, ("gain", "gain_ratio", "gini")),
    "objective": draw_objective,
    "options": draw_options,
    "features": some_columns,
    "required": some_columns,
    "optional": some_columns,
    "start": lambda rng, case: pick(
        rng,
        STARTS
        if case["options"]["call"] == "minimize_features"
        else ("elimination", None, some_columns(rng, case)),
    ),
    "cases": lambda rng, case: sorted(
        {int(place) for place in rng.integers(0, len(case["rows"]), len(case["rows"]))}
    ),
    "trees": lambda rng, case: pick(rng, (1, 7, 500)),
    "cost": lambda rng, case: pick(rng, COSTS),
    "then": lambda rng, case: [pick(rng, COSTS) for _ in range(int(rng.integers(0, 3)))],
    "prices": draw_prices,
    "weights": lambda rng, case: pick(
        rng, (None, "cases", rng.integers(1, 9, len(case["rows"])).tolist())
    ),
    "cost_matrix": draw_costs,
    "class_weight": lambda rng, case: pick(rng, (None, "balanced")),
    "prune": lambda rng, case: pick(rng, (True, *pinetum.PRUNERS)),
    "method": lambda rng, case: pick(
        rng, tuple(pinetum.PRUNERS) if case["options"]["call"] == "prune" else PROGRAMS
    ),
    "sample_weight": lambda rng, case: rng.choice([0, 0.5, 1, 1, 3], len(case["rows"])).tolist(),
    "n_features": lambda rng, case: pick(rng, (None, 0, 1, 3)),
    "scaling": lambda rng, case: pick(rng, ("z", "unit", "raw")),
    "tolerance": lambda rng, case: pick(rng, (1, 1.1, 50)),
    "epsilon": lambda rng, case: pick(rng, (0, 0.02, 0.9, 1 - 1e-9)),
    "parts": lambda rng, case: pick(rng, ("both", "leaf", "tree")),
    "alpha": lambda rng, case: pick(rng, (0, 0.5, 1, 1e-12, 1e6)),
}
# A matrix of costs for classes, or one number for a column.
WRITTEN["costs"] = lambda rng, case: (
    draw_prices(rng, case) if case["options"]["call"] == "NBDTClassifier" else draw_costs(rng, case)
)


# ------------------------------------------------------------------------------------------------
# checking


def frame_of(case, shift=0):
    """The cells of a case as a frame; `shift` makes other cells of them, unseen ones too."""
    columns = {}
    for place, kind in enumerate(case["columns"]["kind"]):
        cells = [row[place] for row in case["rows"]]
        cells = [None if cell is None else cell + shift * (place + 1) for cell in cells]
        if kind in ("number", "huge"):
            scale = 0.5 if kind == "number" else 1e300
            column = np.array([np.nan if cell is None else cell * scale for cell in cells])
        elif kind in VALUES:
            known = [None if cell is None else min(cell, VALUES[kind] - 1) for cell in cells]
            column = pd.Categorical(known, categories=range(VALUES[kind]))
        elif kind == "flag":
            column = np.array([None if cell is None else bool(cell % 2) for cell in cells], object)
        else:
            column = np.array([None if cell is None else f"v{cell}" for cell in cells], object)
        columns[f"f{place}"] = column
    return pd.DataFrame(columns)


def table_of(case, shift=0):
    """An array where all columns are numbers, else a frame."""
    frame = frame_of(case, shift)
    return frame.to_numpy() if set(case["columns"]["kind"]) <= {"number", "huge"} else frame


def objective_of(given, n):
    if given is None:
        return None
    costs = {name: value for name, value in given.items() if name not in ("kind", "seed")}
    if given["kind"] != "parts":
        make = getattr(pinetum, given["kind"])
        return functools.partial(make, random_state=given["seed"], **costs)
    rng, parts = np.random.default_rng(given["seed"]), []
    for _ in range(int(rng.integers(1, 4))):
        searched = rng.random(n) < rng.random()
        parts.append((np.flatnonzero(~searched), np.flatnonzero(searched)))
    return lambda data: Objective(tuple(parts), **costs)


def check(case):
    """What a call gives; raises what is no answer and no refusal."""
    options = dict(case["options"])
    name, seed = options.pop("call"), options.pop("seed", 0)
    labels = np.array([row[-1] for row in case["rows"]])
    if "objective" in options:
        options["objective"] = objective_of(options["objective"], len(labels))
    before = signal.signal(signal.SIGVTALRM, too_long)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            if options.get("options") is not None:
                options["options"] = Options(**options["options"])
            return answer(name, case, labels, options, seed)
    except MemoryError:
        return None
    except (ValueError, TypeError) as fault:
        if not is_meant(fault):
            raise
        return None
    except SolverFailure as fault:
        if fault.status != "time_limit":
            raise
        return None
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def too_long(_number, _frame):
    raise TimeoutError(f"a call took more than {SECONDS} CPU seconds")


def is_meant(fault) -> bool:
    """Whether a line of a program raises it, not something that the line calls."""
    step = fault.__traceback__
    while step.tb_next is not None:
        step = step.tb_next
    line = linecache.getline(step.tb_frame.f_code.co_filename, step.tb_lineno)
    return line.strip().startswith("raise")


def answer(name, case, labels, options, seed):
    public, table = getattr(pinetum, name), table_of(case)
    if name == "search_pruner":
        return public(None, **{"random_state": seed, **options}) is not None
    if name == "prune":
        data = cases_of(table, labels)
        return public(Grower(data, yadt(1)).grow(), X=data, **options).n_nodes
    if not inspect.isclass(public):
        found = public(table, labels, **options)
        if name == "iterate_trees":
            return [list(tree.subset) for tree in itertools.islice(found, 50)]
        return getattr(found, "status", None)
    model = public(**options).fit(table, labels)
    told = []
    for shift in (0, 3, -2):
        other = table_of(case, shift)
        if hasattr(model, "transform"):
            model.transform(other)
        if hasattr(model, "predict"):
            told.append([str(label) for label in model.predict(other)])
        if hasattr(model, "predict_proba"):
            model.predict_proba(other)
    return told
