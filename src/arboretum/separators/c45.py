"""The paper's column C4.5, by the ground floor's inducer on the same folds."""

import time

import numpy as np

from arboretum.induction import Grower, c45
from arboretum.jobs import provenance

try:
    from arboretum.induction import prune
except ImportError:  # pragma: no cover - the inducer without pruning
    prune = None


def tree_record(key, dataset, labels, training) -> dict:
    """Test error and inner nodes of C4.5's pruned tree with its default options."""
    if prune is None:
        return key | {"method": "C4.5", "status": "not_run", "note": "no pruning", **provenance()}
    cases = np.flatnonzero(training)
    begun = time.process_time()
    tree = prune(Grower(dataset, c45(), cases=cases).grow(), dataset, cases)
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
