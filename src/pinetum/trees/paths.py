"""Where cases go in a tree, and how much each feature contributes to it."""

import numpy as np


def visits(tree, table):
    """Per node in preorder the cases that reach it and with which weight: (node, cases, weights).

    `table` holds numbers (cases, features): values, codes of discrete values, NaN for missing. A
    case whose value is missing, or outside the branches of a node, goes down every branch that had
    training cases, as in prediction.
    """
    waiting = {0: (np.arange(len(table)), np.ones(len(table)))}
    for node in range(tree.n_nodes):
        cases, weights = waiting.pop(node, (np.empty(0, dtype=np.int64), np.empty(0)))
        yield node, cases, weights
        feature = tree.feature[node]
        if feature < 0 or len(cases) == 0:
            continue
        children = tree.branches(node)
        taken = branch_taken(tree, node, table[cases, feature])
        lost = taken < 0
        trained = tree.totals[children]
        for branch, child in enumerate(children):
            mine = taken == branch
            reached, share = cases[mine], weights[mine]
            if lost.any() and trained[branch] > 0:
                reached = np.concatenate([reached, cases[lost]])
                share = np.concatenate([share, weights[lost] * trained[branch] / trained.sum()])
            waiting[int(child)] = reached, share


def branch_taken(tree, node, numbers):
    """Branch that each number takes at a node; -1 where it is missing or has no branch."""
    known = ~np.isnan(numbers)
    if tree.values[tree.feature[node]] is None:
        return np.where(known, np.where(numbers <= tree.threshold[node], 0, 1), -1)
    codes = np.where(known, numbers, -1).astype(np.int64)
    return np.where(codes < len(tree.branches(node)), codes, -1)


def leaves_of(tree, table):
    """Leaf of every case; of a case that ends in several, the one with the largest weight, the
    first of equals.
    """
    leaves, most = np.zeros(len(table), dtype=np.int64), np.zeros(len(table))
    for node, cases, weights in visits(tree, table):
        if tree.feature[node] < 0:
            better = weights > most[cases]
            leaves[cases[better]] = node
            most[cases[better]] = weights[better]
    return leaves


def nodes_reached(tree, table):
    """CSR matrix (cases, nodes): 1 where a case, or a part of it, passes a node."""
    from scipy.sparse import csr_matrix

    found = [(cases, np.full(len(cases), node)) for node, cases, _ in visits(tree, table)]
    rows, columns = (np.concatenate(part) for part in zip(*found, strict=True))
    return csr_matrix(
        (np.ones(len(rows), dtype=np.int8), (rows, columns)), shape=(len(table), tree.n_nodes)
    )


def importances(tree) -> np.ndarray:
    """Share of every feature in the tree's whole gain of information (bits times training weight).

    Sums to 1, or 0.
    """
    totals = tree.totals[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        mass = np.nansum(
            np.where(tree.counts > 0, tree.counts * np.log2(totals / tree.counts), 0.0), axis=1
        )
    gain = np.zeros(len(tree.feature_names))
    for node in np.flatnonzero(tree.feature >= 0):
        gain[tree.feature[node]] += mass[node] - mass[tree.branches(node)].sum()
    gain = np.maximum(gain, 0.0)
    return gain / gain.sum() if gain.sum() > 0 else gain
