"""An optional rival: the tree that is optimal on the training data, by pystreed on binarised features."""

import time

import numpy as np

SECONDS = 20  # a fit that takes longer is a record with status time_limit


def installed() -> bool:
    try:
        import pystreed  # noqa: F401
    except ImportError:
        return False
    return True


def binarised(dataset) -> np.ndarray:
    """int32 (cases, columns): one column per value; a feature of two values gives one."""
    columns = []
    for codes, arity in zip(dataset.codes, dataset.arity, strict=True):
        columns += [codes == value for value in range(1 if arity == 2 else 0, arity)] if arity > 1 else []
    return np.column_stack(columns).astype(np.int32)


def optimal_tree_errors(dataset, train, test, depth) -> dict:
    """Test errors of the tree of this depth with the fewest training errors."""
    if not installed():
        return {"status": "not_run"}
    from pystreed import STreeDClassifier

    table = binarised(dataset)
    fitter = STreeDClassifier(optimization_task="accuracy", max_depth=depth, time_limit=SECONDS)
    begun = time.process_time()
    fitter.fit(table[train], dataset.labels[train])
    seconds = time.process_time() - begun
    if not fitter.fit_result.is_optimal():
        return {"status": "time_limit", "seconds": seconds}
    wrong = int(np.count_nonzero(fitter.predict(table[test]) != dataset.labels[test]))
    return {
        "status": "ok",
        "errors": wrong,
        "leaves": fitter.get_n_leaves(),
        "tests": fitter.get_depth(),
        "seconds": seconds,
    }
