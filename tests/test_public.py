"""What the package offers: quick to import, documented with examples that run, and clear about
doubtful frames.
"""

import doctest
import re
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import pinetum

ROOT = Path(__file__).parents[1]
SLOW_TO_IMPORT = {"numba", "sklearn", "pandas", "matplotlib", "scipy", "snakemake"}


def test_importing_is_quick_and_loads_nothing_heavy():
    program = (
        "import sys, time; b = time.process_time(); import pinetum; print(time.process_time() - b,"
        " *sys.modules)"
    )
    seconds, *loaded = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True
    ).stdout.split()
    assert float(seconds) < 0.3
    assert not SLOW_TO_IMPORT & set(loaded)


@pytest.mark.parametrize("name", pinetum.PUBLIC)
def test_every_public_name_has_a_docstring_with_an_example_that_runs(name):
    public = getattr(pinetum, name)
    if isinstance(public, dict):
        assert all(entry.about for entry in public.values())
        return
    tests = [
        test for test in doctest.DocTestFinder(recurse=False).find(public, name) if test.examples
    ]
    assert tests, f"{name}: no example"
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    for test in tests:
        test.globs = {**sys.modules[public.__module__].__dict__}
        runner.run(test)
    assert runner.summarize(verbose=False).failed == 0


def test_the_readme_s_examples_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = (
        (ROOT / "README.md").read_text(encoding="utf-8").split("## In Python")[1].split("\n## ")[0]
    )
    blocks = re.findall(r"```python\n(.*?)```", text, re.S)
    assert len(blocks) >= 2
    names = {}
    for block in blocks:
        exec(block, names)


ESTIMATORS = {
    "tree": lambda: pinetum.TreeClassifier(),
    "c45 pruned": lambda: pinetum.TreeClassifier("c45", prune="EBP"),
    "nbdt": lambda: pinetum.NBDTClassifier(max_depth=2),  # three hundred classes take long
    "optimal": lambda: pinetum.OptimalTreeClassifier(max_depth=2),
    "separator": lambda: pinetum.SeparatorClassifier(max_depth=2),
    "minimal": lambda: pinetum.MinimalTree("nodes", work=10**6),
    "best subset": lambda: pinetum.BestSubset(2, work=10**6),
    "near-optimal trees": lambda: pinetum.NearOptimalTrees(folds=2, work=10**6),
    "elimination": lambda: pinetum.BackwardElimination(),
}
n = 60
rng = np.random.default_rng(0)
number = rng.normal(size=n)
classes = np.where(number > 0, "yes", "no")
FRAMES = {  # frame, classes, what must be said (None: nothing)
    "text": (pd.DataFrame({"a": rng.choice(["x", "y", "z"], n), "b": number}), classes, None),
    "categories": (
        pd.DataFrame({"a": pd.Categorical(rng.choice([3, 1, 2], n)), "b": number}),
        classes,
        None,
    ),
    "truth values": (pd.DataFrame({"a": rng.random(n) < 0.5, "b": number}), classes, None),
    "Int64": (
        pd.DataFrame(
            {"a": pd.array([None, *rng.integers(0, 5, n - 1)], dtype="Int64"), "b": number}
        ),
        classes,
        None,
    ),
    "pyarrow": (
        pd.DataFrame(
            {"a": pd.array(rng.choice(["x", "y"], n), dtype="string[pyarrow]"), "b": number}
        ),
        classes,
        None,
    ),
    "dates": (
        pd.DataFrame({"when": pd.date_range("2026-01-01", periods=n), "b": number}),
        classes,
        "when: dropped, a date",
    ),
    "missing": (
        pd.DataFrame(
            {"a": np.where(rng.random(n) < 0.3, np.nan, number), "b": ["x", None] * (n // 2)}
        ),
        classes,
        None,
    ),
    "constant": (pd.DataFrame({"a": ["same"] * n, "b": number}), classes, None),
    "identifier": (
        pd.DataFrame({"id": [f"k{i}" for i in range(n)], "b": number}),
        classes,
        "id: dropped",
    ),
    "one class": (
        pd.DataFrame({"a": rng.choice(["x", "y"], n), "b": number}),
        np.full(n, "yes"),
        None,
    ),
    "two rows": (pd.DataFrame({"a": ["x", "y"], "b": [1.0, 2.0]}), np.array(["no", "yes"]), None),
    "300 classes": (
        pd.DataFrame({"a": rng.choice(["x", "y"], 600), "b": np.arange(600) % 300 + 0.5}),
        np.arange(600) % 300,
        None,
    ),
}


FUNCTIONS = {
    "count_trees": lambda X, y: pinetum.count_trees(X, y, work=10**6).distinct > 0,
    "estimate_trees": lambda X, y: (
        pinetum.estimate_trees(X, y, probes=3, time_limit=1).distinct > 0
    ),
    "iterate_trees": lambda X, y: next(pinetum.iterate_trees(X, y)).size >= 0,
    "best_subset": lambda X, y: pinetum.best_subset(X, y, pinetum.hold_out, work=10**6).bound >= 0,
    "near_optimal_trees": lambda X, y: (
        pinetum.near_optimal_trees(X, y, pinetum.hold_out, work=10**6).limit >= 0
    ),
    "minimize_features": lambda X, y: pinetum.minimize_features(X, y).error >= 0,
    "opt_feature_list": lambda X, y: len(pinetum.opt_feature_list(X, y)) > 0,
    "prune": lambda X, y: (
        pinetum.prune(pinetum.TreeClassifier().fit(X, y).tree_, "PEP").n_nodes > 0
    ),
    "search_pruner": lambda X, y: (
        pinetum.search_pruner([(X, y)], budget=5).facts["candidates"] == 5
    ),
}


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.filterwarnings("ignore:invalid value")
def test_every_frame_gives_a_function_s_result_or_a_clear_error(name, frame):
    X, y, says = FRAMES[frame]
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            assert FUNCTIONS[name](X, y)
        except ValueError as fault:
            assert len(str(fault)) > 20
            return
    heard = "\n".join(str(warning.message) for warning in warned)
    assert says is None or frame == "one class" or says in heard, heard


@pytest.mark.parametrize("name", ["tree", "nbdt", "separator", "minimal", "near-optimal trees"])
def test_what_would_take_too_much_memory_is_refused(name, monkeypatch):
    """Columns of many values; the limits are lowered, so that the test itself takes little."""
    monkeypatch.setattr("pinetum.induction.grower.MOST_BYTES", 40_000)
    monkeypatch.setattr("pinetum.greedy_dp.tables.MOST_BYTES", 40_000)
    monkeypatch.setattr("pinetum.separators.tables.MOST_CELLS", 40_000)
    monkeypatch.setattr("pinetum.distinct.near_optimal.MOST_NODES", 40)
    many = [f"v{place}" for place in range(60)]
    X = pd.DataFrame(
        {column: pd.Categorical(rng.choice(many, 600), categories=many) for column in "abc"}
    )
    y = (
        np.where(X["a"].cat.codes % 2 == 0, "even", "odd")
        if name == "near-optimal trees"
        else rng.integers(0, 2, 600)
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if name == "nbdt":  # leaves columns of many values out
            assert ESTIMATORS[name]().fit(X, y).get_n_leaves() == 1
            return
        with pytest.raises(MemoryError, match=r"group|leave|keep fewer") as fault:
            ESTIMATORS[name]().fit(X, y)
    assert len(str(fault.value)) > 60


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("name", ESTIMATORS)
def test_every_frame_gives_a_result_or_a_clear_error(name, frame):
    X, y, says = FRAMES[frame]
    model = ESTIMATORS[name]()
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            model.fit(X, y)
        except ValueError as fault:
            assert len(str(fault)) > 20
            assert says is None or frame == "one class"
            return
    heard = "\n".join(str(warning.message) for warning in warned)
    if frame != "one class":
        assert says is None or says in heard, heard
    if hasattr(model, "predict"):
        assert len(model.predict(X)) == len(X)
    else:
        assert len(model.transform(X)) == len(X)
