"""Records: a tree per data set of the catalogue and method, with its cross-validated error."""

import time

import numpy as np

from pinetum.data import NoData, load_dataset
from pinetum.induction.grower import Grower
from pinetum.induction.options import c45, yadt
from pinetum.induction.pruning import error_based
from pinetum.progress import Progress
from pinetum.randomness import stream
from pinetum.validation import mean_se, stratified_folds
from pinetum.workflow.jobs import provenance

# Name of a method: its options, and whether the tree is pruned.
METHODS = {
    "yadt": (yadt(2), False),
    "yadt gini": (yadt(2, "gini"), False),
    "c45": (c45(2), False),
    "c45 pruned": (c45(2), True),
}

COLUMNS = (
    "dataset",
    "method",
    "status",
    "cases",
    "features",
    "classes",
    "missing",
    "nodes",
    "leaves",
    "empty_leaves",
    "depth",
    "features_used",
    "training_errors",
    "error",
    "error_se",
    "fold_nodes",
    "folds",
    "seconds_tree",
    "note",
)


def grown(data, method, cases=None):
    """The tree of a method on some cases, and CPU seconds of growing and pruning it."""
    options, prune = METHODS[method]
    grower = Grower(data, options, cases=cases)
    begun = time.process_time()
    tree = grower.grow()
    if prune:
        tree = error_based(tree, data, cases=cases).tree
    return tree, time.process_time() - begun


def cross_validated(data, method, folds, rng):
    """Error in percent and nodes of each fold's tree."""
    fold_of = stratified_folds(data.labels, folds, rng)
    errors, nodes = [], []
    for fold in range(folds):
        tree, _ = grown(data, method, np.flatnonzero(fold_of != fold))
        test = np.flatnonzero(fold_of == fold)
        errors.append(100 * tree.errors(data, test) / len(test))
        nodes.append(tree.n_nodes)
    return errors, nodes


def tree_record(data, method, folds, root, repeats=3):
    tree, _ = grown(data, method)  # compiles, outside the clock
    seconds = [grown(data, method)[1] for _ in range(repeats)]
    sizes = tree.sizes
    record = {
        "dataset": data.name,
        "method": method,
        "status": "ok",
        "cases": data.n_cases,
        "features": data.n_features,
        "classes": data.n_classes,
        "missing": data.n_missing,
        "nodes": sizes.nodes,
        "leaves": sizes.leaves,
        "empty_leaves": sizes.empty_leaves,
        "depth": sizes.depth,
        "features_used": len(tree.used_features),
        "training_errors": tree.errors(data),
        "folds": folds,
        "seconds_tree": float(np.median(seconds)),
        "note": "",
    }
    if data.n_cases >= 2 * folds:
        # The folds depend on the data set only: methods are compared on the same splits.
        errors, nodes = cross_validated(
            data, method, folds, stream(root, "induction", data.name, "folds")
        )
        record["error"], record["error_se"] = mean_se(errors)
        record["fold_nodes"] = float(np.mean(nodes))
    else:
        record["note"] = f"{data.n_cases} cases are too few for {folds} folds"
    return record, tree


def tree_records(names, methods, folds, root, drawn=(), folder=None):
    """Records of all data sets and methods, and the trees to draw as {name: {method: Tree}}."""
    rows, trees, progress = [], {}, Progress(len(names), "data sets")
    for name in names:
        try:
            data = load_dataset(name, folder=folder)
        except NoData as fault:
            rows += [
                {"dataset": name, "method": m, "status": "no_data", "note": fault.reason}
                for m in methods
            ]
        else:
            for method in methods:
                record, tree = tree_record(data, method, folds, root)
                rows.append({**record, "dataset": name, **provenance()})
                if name in drawn:
                    trees.setdefault(name, {})[method] = tree
        progress.step()
    return rows, trees
