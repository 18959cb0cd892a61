"""The paper's column C4.5, by the ground floor's inducer on the same folds."""

import time

import numpy as np

from arboretum.induction import Grower, c45, error_based
from arboretum.jobs import provenance

compiled = []


def tree_record(key, dataset, labels, training) -> dict:
    """Test error and inner nodes of C4.5's pruned tree with its default options."""
    cases = np.flatnonzero(training)
    if not compiled:
        error_based(Grower(dataset, c45(), cases=cases).grow(), dataset, cases=cases)  # compiles, outside the clock
        compiled.append(True)
    begun = time.process_time()
    tree = error_based(Grower(dataset, c45(), cases=cases).grow(), dataset, cases=cases).tree
    seconds = time.process_time() - begun
    predicted = tree.predict(dataset)
    inner = int(np.count_nonzero(tree.feature >= 0))
    return key | {
        "method": "C4.5",
        "status": "ok",
        "features": inner,  # the paper counts decisions and calls them features
        "decisions": inner,
        "train_error": 100.0 * float(np.mean(predicted[training] != labels[training])),
        "test_error": 100.0 * float(np.mean(predicted[~training] != labels[~training])),
        "seconds": seconds,
        "note": "",
        **provenance(),
    }
