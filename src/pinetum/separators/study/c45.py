"""The paper's column C4.5, by the core's grower on the same folds, and what else that column may
mean.
"""

import time
from dataclasses import replace

import numpy as np

from pinetum.induction import Grower, c45, error_based
from pinetum.separators.names import PRINTED
from pinetum.workflow.jobs import provenance

# Options of growing and of pruning (None: not pruned). The first is the column.
READINGS = {
    PRINTED: (c45(), {}),
    "no penalty on cuts, as before Release 8": (replace(c45(), penalty=False), {}),
    "no penalty on cuts, not pruned": (replace(c45(), penalty=False), None),
    "not pruned": (c45(), None),
    "gain (option -g)": (c45(criterion="gain"), {}),
    "confidence of 10 % (option -c 10)": (c45(), {"cf": 0.1}),
    "at least 5 cases in two branches (option -m 5)": (c45(5), {}),
}
compiled: set[str] = set()


def grown(dataset, cases, reading):
    options, pruning = READINGS[reading]
    tree = Grower(dataset, options, cases=cases).grow()
    return tree if pruning is None else error_based(tree, dataset, cases=cases, **pruning).tree


def tree_record(key, dataset, labels, training, reading=PRINTED) -> dict:
    """Test error and inner nodes of C4.5's pruned tree with its default options, or of another
    reading.
    """
    cases = np.flatnonzero(training)
    if reading not in compiled:
        grown(dataset, cases, reading)  # compiles, outside the clock
        compiled.add(reading)
    begun = time.process_time()
    tree = grown(dataset, cases, reading)
    seconds = time.process_time() - begun
    predicted = tree.predict(dataset)
    inner = tree.feature[tree.feature >= 0]
    return key | {
        "method": "C4.5",
        "status": "ok",
        "features": len(inner),  # the paper counts decisions and calls them features
        "decisions": len(inner),
        "different": len(np.unique(inner)),
        "train_error": 100.0 * float(np.mean(predicted[training] != labels[training])),
        "test_error": 100.0 * float(np.mean(predicted[~training] != labels[~training])),
        "seconds": seconds,
        "note": "",
        **provenance(),
    }
