"""A table of one's own under every preset of the growers: the tree, its size, its error."""

import time
from pathlib import Path

import numpy as np

from pinetum.data import NoData
from pinetum.data.dataset import Dataset
from pinetum.induction.grower import Grower
from pinetum.induction.options import c45, yadt
from pinetum.induction.pruning import error_based
from pinetum.progress import Progress
from pinetum.randomness import stream
from pinetum.report import style
from pinetum.validation import mean_se, stratified_folds
from pinetum.validation.samples import joined, within_cells

# Name of a method: its options, and whether the tree is pruned.
METHODS = {
    "yadt": (yadt(2), False),
    "yadt gini": (yadt(2, "gini"), False),
    "c45": (c45(2), False),
    "c45 pruned": (c45(2), True),
}
MOST_NODES = 150  # of a tree that is drawn


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


def own_records(path, settings, root):
    """A user's own table: every method's record and tree."""
    name = Path(path).stem
    try:
        data = Dataset.load(path)
        data, sampled = within_cells(
            data, settings["cells"], stream(root, "induction", name, "sample")
        )
        made, progress = {}, Progress(len(METHODS), "methods")
        for method in METHODS:
            record, tree = tree_record(data, method, settings["folds"], root, repeats=1)
            made[method] = (
                {**record, "dataset": name, "note": joined(sampled, record["note"])},
                tree,
            )
            progress.step()
    except (NoData, MemoryError) as fault:
        gone = isinstance(fault, NoData)
        why = (
            fault.reason
            if gone
            else f"it needs more than {settings['memory_mb']:,} MB; raise memory_mb"
        )
        status = "no_data" if gone else "memory_limit"
        return [{"dataset": name, "method": m, "status": status, "note": why} for m in METHODS], {}
    return [record for record, _ in made.values()], {
        method: tree for method, (_, tree) in made.items()
    }


def grow_own(settings, seed, inputs, outputs) -> dict:
    """A user's own table: every method's tree, its error, and the pruned tree as text and
    drawing.
    """
    rows, trees = own_records(inputs.files.data, settings, seed)
    tree, status = trees.get("c45 pruned"), rows[0]["status"]
    if tree and tree.n_nodes <= MOST_NODES:
        with style.guarded(outputs.drawing):
            style.save(tree.plot().figure, outputs.drawing)
    else:
        fig, ax = style.figure(1, 0.8)
        ax.set_axis_off()
        says = f"{tree.n_nodes} nodes: see the text" if tree else status
        ax.text(0.5, 0.5, says, ha="center")
        style.save(fig, outputs.drawing)
    return {
        "records": [dict.fromkeys(COLUMNS) | row for row in rows],
        "text": tree.to_text() if tree else f"{status}: {rows[0]['note']}\n",
    }
