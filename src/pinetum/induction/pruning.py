"""C4.5's error-based pruning of any tree, with or without subtree raising."""

from dataclasses import replace
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from pinetum.constants import MISSING, MOST_CASES, WEIGHT_UNIT
from pinetum.data.dataset import Dataset
from pinetum.induction.grower import distinct_cases, exact_units, too_many_parts
from pinetum.induction.kernels import prune as prune_kernels
from pinetum.parameters import positions
from pinetum.trees.tree import Tree

MARGIN = 0.1  # cases; a simpler tree wins when it errs no more than this above
LISTS = 4  # times the cases, in all tasks, for which there is room at first
STRETCH = 5_000_000  # cases that a call looks at: some hundredths of a second
# Release 8 interpolates the normal deviate between these confidences.
CONFIDENCES = (0.0, 0.001, 0.005, 0.01, 0.05, 0.10, 0.20, 0.40, 1.00)
DEVIATES = (4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0.00)
LIMITS = ("release 8", "j48")


class Pruned(NamedTuple):
    tree: Tree
    estimate: float  # estimated errors on the training cases, in cases


def squared_deviate(cf: float, limits: str = "release 8") -> float:
    """Square of the normal deviate of a one-sided confidence."""
    if limits == "release 8":
        return float(np.interp(cf, CONFIDENCES, DEVIATES)) ** 2
    return NormalDist().inv_cdf(1 - cf) ** 2


def extra_errors(n: float, e: float, cf: float = 0.25, limits: str = "release 8") -> float:
    """What C4.5 adds to e errors of n cases at confidence `cf`."""
    z2 = squared_deviate(cf, limits)
    return prune_kernels.extra_errors(float(n), float(e), float(cf), z2, limits == "release 8")


def error_based(
    tree: Tree,
    data: Dataset,
    *,
    cases=None,
    weights=None,
    cf=0.25,
    raising=True,
    limits="release 8",
) -> Pruned:
    """Prune a tree grown on `data` (or on `cases` of it) with the cases it was grown from.

    cf       confidence: smaller prunes more
    raising  whether a node may be replaced by its largest branch
    limits   'release 8': C4.5's table of deviates and its rule for nearly all cases wrong;
             'j48': the exact normal deviate and max(n - e, 0) there; and a branch without cases
             predicts its node's class as it is after raising, where Release 8 keeps the one of
             growing
    """
    if not 0 < cf < 1:
        raise ValueError(f"cf {cf!r}: expected a number between 0 and 1")
    if limits not in LIMITS:
        raise ValueError(f"limits {limits!r}: expected one of {', '.join(LIMITS)}")
    cases = None if cases is None else positions(cases, data.n_cases, "cases")
    chosen, units = distinct_cases(data, cases, weights)
    units = None if units is None else exact_units(units)
    if len(chosen) > MOST_CASES:
        tested = np.unique(tree.feature[tree.feature >= 0])
        if units is not None or any((data.codes[f] == MISSING).any() for f in tested):
            raise ValueError(too_many_parts(data, len(chosen)))
    room = LISTS * len(chosen) + 64
    lists, list_units = np.empty(room, dtype=np.int32), np.empty(room, dtype=np.int64)
    lists[: len(chosen)] = chosen
    list_units[: len(chosen)] = WEIGHT_UNIT if units is None else units
    branches = np.diff(tree.child_start).astype(np.int32)
    nodes = prune_kernels.Nodes(
        feature=tree.feature.copy(),
        threshold=tree.threshold.copy(),
        cut=tree.cut.copy(),
        first=tree.child_start[:-1].astype(np.int32),
        branches=branches,
        children=tree.children,
        counts=tree.counts.copy(),
        label=tree.label.copy(),
    )
    most = max(2, int(branches.max(initial=0)))
    question = prune_kernels.Question(
        raising=bool(raising),
        cf=float(cf),
        z2=squared_deviate(cf, limits),
        release_8=limits == "release 8",
        margin=MARGIN,
    )
    tasks = prune_kernels.first_task(lists, list_units, len(chosen), most, tree.n_classes)
    status = prune_kernels.PAUSED
    while status != prune_kernels.DONE:  # Python answers Ctrl-C in between
        if status != prune_kernels.PAUSED:
            tasks = prune_kernels.with_room(tasks)
        status = prune_kernels.prune(data.codes, data.labels, nodes, question, tasks, STRETCH)
    return Pruned(reachable(tree, nodes, limits), float(tasks.now["result"][0]))


def reachable(tree: Tree, nodes, limits: str) -> Tree:
    """What is left of a pruned tree."""
    first, branches, label = nodes.first, nodes.branches, nodes.label
    kept, stack = [], [0]
    while stack:
        node = stack.pop()
        kept.append(node)
        below = tree.children[first[node] : first[node] + branches[node]]
        stack.extend(below[::-1])
        if limits == "j48":
            label[below[nodes.counts[below].sum(axis=1) == 0]] = nodes.counts[node].argmax()
    keep = np.array(kept)
    renumbered = np.full(tree.n_nodes, -1, dtype=np.int32)
    renumbered[keep] = np.arange(len(keep))
    children = [
        renumbered[tree.children[first[node] : first[node] + branches[node]]] for node in keep
    ]
    return replace(
        tree,
        feature=nodes.feature[keep],
        threshold=nodes.threshold[keep],
        cut=nodes.cut[keep],
        child_start=np.cumsum([0, *map(len, children)]).astype(np.int32),
        children=np.concatenate(children).astype(np.int32),
        counts=nodes.counts[keep],
        label=label[keep],
    )
