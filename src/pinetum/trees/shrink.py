"""A tree with at most so many leaves: weakest links are cut first."""

import heapq

import numpy as np


def limit_leaves(tree, most: int):
    """Cut the tree back until it has at most `most` leaves.

    Of all inner nodes the one goes first whose subtree saves the least training errors per leaf
    (the weakest link of cost-complexity pruning); of equals the one with fewer leaves, then the
    later in preorder.
    """
    if most < 1:
        raise ValueError(f"max_leaves = {most}: a tree has at least 1 leaf")
    leaf = tree.feature < 0
    errors = tree.totals - tree.counts[np.arange(tree.n_nodes), tree.label]
    below, leaves = np.where(leaf, errors, 0.0), leaf.astype(np.int64)
    parent = np.full(tree.n_nodes, -1)
    for node in np.flatnonzero(~leaf)[::-1]:  # preorder: children come after their parent
        children = tree.branches(node)
        parent[children] = node
        below[node], leaves[node] = below[children].sum(), leaves[children].sum()
    if leaves[0] <= most:
        return tree

    def link(node):
        return (errors[node] - below[node]) / max(leaves[node] - 1, 1), leaves[node], -node

    heap = [(*link(node), node) for node in np.flatnonzero(~leaf)]
    heapq.heapify(heap)
    cut = leaf.copy()
    while leaves[0] > most:
        *key, node = heapq.heappop(heap)
        if cut[node] or tuple(key) != link(node) or inside_a_cut(node, parent, cut):
            continue
        cut[node] = True
        fewer, more = leaves[node] - 1, errors[node] - below[node]
        while node >= 0:
            leaves[node] -= fewer
            below[node] += more
            if not cut[node]:
                heapq.heappush(heap, (*link(node), node))
            node = parent[node]
    return tree.cut_back(np.flatnonzero(cut & ~leaf))


def inside_a_cut(node, parent, cut) -> bool:
    node = parent[node]
    while node >= 0:
        if cut[node]:
            return True
        node = parent[node]
    return False
