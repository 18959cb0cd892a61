"""Five columns of 3,000 values each: every classifier answers or says what it would take, in
bounded memory.
"""

import json
import subprocess
import sys

import pytest

MEGABYTES = 1000  # what a fit may add to the interpreter and the libraries
FIT = """
import json, resource, sys, warnings
import numpy as np, pandas as pd
import pinetum

warnings.simplefilter("ignore")
rng = np.random.default_rng(0)
names = np.array([f"v{n}" for n in range(3000)], dtype=object)
X = pd.DataFrame({f"x{c}": names[rng.integers(0, 3000, 9000)] for c in range(5)})
y = rng.integers(0, 3, 9000)
model = eval("pinetum." + sys.argv[1])
model.fit(X[:50].assign(**{name: names[rng.integers(0, 3, 50)] for name in X}), y[:50])  # compiles
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
try:
    model.fit(X, y)
    said = f"{model.get_n_leaves()} leaves, {100 * model.score(X[:500], y[:500]):.0f} % right"
except (ValueError, MemoryError) as fault:
    said = f"{type(fault).__name__}: {fault}"
peak = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1000
print(json.dumps([said, peak]))
"""


@pytest.mark.parametrize(
    "model",
    [
        "TreeClassifier()",
        "TreeClassifier('c45', prune=True)",
        "NBDTClassifier(2)",
        "NBDTClassifier(4)",
        "SeparatorClassifier(max_depth=1)",
        "MinimalTree()",
        "BestSubset(3, work=20_000_000, cache_mb=200)",
        "NearOptimalTrees(folds=3, work=20_000_000, cache_mb=200)",
    ],
)
def test_many_values_give_a_result_or_a_message_in_bounded_memory(model):
    done = subprocess.run(
        [sys.executable, "-c", FIT, model], capture_output=True, text=True, timeout=900
    )
    assert done.returncode == 0, done.stderr[-2000:]
    said, peak = json.loads(done.stdout.splitlines()[-1])
    print(f"{model}: {said[:300]}; {peak:.0f} MB")
    assert peak < MEGABYTES
    assert " leaves, " in said or any(
        word in said for word in ("values", "leaves", "memory", "columns")
    ), said
