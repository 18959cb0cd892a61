"""CPU seconds from `import pinetum` to a model and its first prediction, for every estimator and
five sizes of tables: on a new machine, when compiling first, and with machine code on disk.

    python benchmarks/programs/first_minute.py [FOLDER [ESTIMATOR...]]

Each fit has a process of its own; searches end after the same work. The answers are compared. What
compiling took is kept in FOLDER (`first_minute.json`), and measured only where it is not there.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SIZES = ("14x4", "200x7", "569x30", "1797x64", "20000x10")
WORK = 100_000_000
MODELS = {
    "TreeClassifier": {},
    "NBDTClassifier": {"max_depth": 2, "work": WORK},
    "SeparatorClassifier": {"max_depth": 1},
    "MinimalTree": {"work": WORK},
    "BestSubset": {"work": WORK},
    "NearOptimalTrees": {"work": WORK},
    "BackwardElimination": {"work": WORK},
}
FIT = """
import json, sys, time
import numpy, pandas, sklearn.tree
from sklearn.datasets import load_breast_cancer, load_digits

def table(size):
    if size == "569x30":
        return load_breast_cancer(return_X_y=True)
    if size == "1797x64":
        X, y = load_digits(return_X_y=True)
        return X, y % 2
    rows, columns = map(int, size.split("x"))
    rng = numpy.random.default_rng(0)
    X = numpy.round(rng.normal(size=(rows, columns)), 1)
    X[:, -1] = numpy.clip(numpy.round(X[:, -1]), -1, 1)
    return X, (X[:, 0] + X[:, 1] + rng.normal(size=rows) / 2 > 0).astype(int)

name, settings, size = sys.argv[1], json.loads(sys.argv[2]), sys.argv[3]
X, y = table(size)
if name == "MinimalTree":
    X = numpy.round(X)
begun = time.process_time()
import pinetum
model = getattr(pinetum, name)(**settings).fit(X, y)
answer = model.transform(X) if hasattr(model, "transform") else model.predict(X)
seconds = time.process_time() - begun
import hashlib
print(json.dumps([seconds, hashlib.sha256(numpy.asarray(answer).tobytes()).hexdigest()]))
"""


def measure(name, size, way, kernels):
    environment = os.environ | {
        "PYTHONPATH": str(ROOT / "src"),
        "PINETUM_JIT": way,
        "PINETUM_KERNEL_CACHE": str(kernels),
        "PYTHONWARNINGS": "ignore",
    }
    command = [sys.executable, "-c", FIT, name, json.dumps(MODELS[name]), size]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{name} {size} {way}: {done.stderr[-2000:]}")
    return json.loads(done.stdout)


def main(folder, names):
    """Compiling first is a warm fit and what this estimator has taken to compile so far."""
    known = Path(folder) / "first_minute.json"
    compiled = json.loads(known.read_text()) if known.exists() else {}
    print(f"{'':20}{'':10}{'auto':>8}{'always':>8}{'warm':>8}{'ratio':>7}  answers")
    for name in names:
        with tempfile.TemporaryDirectory() as kept:
            compiling = 0.0
            for size in SIZES:
                with tempfile.TemporaryDirectory() as new:
                    seconds, answer = measure(name, size, "auto", new)
                if f"{name} {size}" not in compiled:
                    cold = measure(name, size, "always", kept)[0]
                    warm, same = measure(name, size, "always", kept)
                    compiling += max(0.0, cold - warm)
                    compiled[f"{name} {size}"] = compiling + warm, warm, same
                    known.write_text(json.dumps(compiled))
                first, warm, same = compiled[f"{name} {size}"]
                told = "same" if answer == same else "OTHER"
                line = f"{seconds:8.1f}{first:8.1f}{warm:8.1f}{seconds / first:7.2f}"
                print(f"{name:20}{size:>10}{line}  {told}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1] if sys.argv[1:] else tempfile.mkdtemp(), sys.argv[2:] or MODELS)
