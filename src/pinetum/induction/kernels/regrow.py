"""Growing again only what the removal of one feature changes."""

import numpy as np

from pinetum.induction.kernels.grow import grow
from pinetum.induction.kernels.nodes import FULL
from pinetum.induction.kernels.quality import branch_share
from pinetum.jit import kernel
from pinetum.kernels.arrays import longer


@kernel
def subtree_ends(child_start, children, n_nodes):
    """Index after the last node of each node's subtree (preorder)."""
    ends = np.arange(1, n_nodes + 1).astype(np.int32)
    for node in range(n_nodes - 1, -1, -1):
        if child_start[node + 1] > child_start[node]:
            ends[node] = ends[children[child_start[node + 1] - 1]]
    return ends


@kernel
def touched_by(feature, ends, gone):
    """1 for nodes whose subtree splits on the feature `gone`."""
    n_nodes = len(ends)
    before = np.zeros(n_nodes + 1, np.int32)
    for node in range(n_nodes):
        before[node + 1] = before[node] + (feature[node] == gone)
    touched = np.zeros(n_nodes, np.uint8)
    for node in range(n_nodes):
        touched[node] = before[ends[node]] > before[node]
    return touched


@kernel
def copy_nodes(old, first, end, nodes, at):
    """Copy the subtree old[first:end] to `at`; gives the index after it, or FULL."""
    shift = at - first
    children_shift = nodes.child_start[at] - old.child_start[first]
    if end + shift > len(nodes.feature) or old.child_start[end] + children_shift > len(
        nodes.children
    ):
        return FULL
    for node in range(first, end):
        to = node + shift
        nodes.feature[to] = old.feature[node]
        nodes.threshold[to] = old.threshold[node]
        nodes.cut[to] = old.cut[node]
        nodes.label[to] = old.label[node]
        for c in range(nodes.counts.shape[1]):
            nodes.counts[to, c] = old.counts[node, c]
        nodes.error[to] = old.error[node]
        nodes.child_start[to + 1] = old.child_start[node + 1] + children_shift
    for k in range(old.child_start[first], old.child_start[end]):
        nodes.children[k + children_shift] = old.children[k] + shift
    return end + shift


@kernel
def split_sizes(codes, cut, cases, weights, n, known, sizes):
    """Known weight and number of cases of each branch, cases with a missing value in all that they
    reach.
    """
    known[:] = 0
    sizes[:] = 0
    for i in range(n):
        code = codes[cases[i]]
        if code >= 0:
            k = code if cut < 0 else (1 if code > cut else 0)
            known[k] += weights[i]
            sizes[k] += 1
    known_total = known.sum()
    for i in range(n):
        if codes[cases[i]] < 0:
            for k in range(len(known)):
                if known[k] > 0 and branch_share(weights[i], known[k], known_total) > 0:
                    sizes[k] += 1
    return known_total


@kernel
def send_down(codes, cut, lists, weights, a, b, known, known_total, start):
    """Copy the cases lists[a:b] and their weights to the branches' lists, which begin at
    start[k].
    """
    for i in range(a, b):
        case = lists[i]
        code = codes[case]
        if code >= 0:
            k = code if cut < 0 else (1 if code > cut else 0)
            lists[start[k]] = case
            weights[start[k]] = weights[i]
            start[k] += 1
            continue
        for k in range(len(known)):
            if known[k] > 0:
                share = branch_share(weights[i], known[k], known_total)
                if share > 0:
                    lists[start[k]] = case
                    weights[start[k]] = share
                    start[k] += 1


@kernel
def regrow(
    table,
    rules,
    whole_rules,
    offered,
    gone,
    old,
    n_old,
    cases,
    case_weights,
    whole,
    present,
    n_training,
    nodes,
    scratch,
):
    """The tree on `offered` (without `gone`) from `old`, the tree on `offered` and `gone`.

    Nodes above and beside those that split on `gone` are copied; only below them anything is grown.
    """
    ends = subtree_ends(old.child_start, old.children, n_old)
    touched = touched_by(old.feature[:n_old], ends, gone)
    n_cases = len(cases)
    lists, weights = np.empty(4 * n_cases + 64, np.int32), np.empty(4 * n_cases + 64, np.int64)
    for i in range(n_cases):
        lists[i], weights[i] = cases[i], case_weights[i]
    most = 2
    for f in range(len(table.arity)):
        if not table.continuous[f]:
            most = max(most, table.arity[f])
    known, sizes, start = (
        np.empty(most, np.int64),
        np.empty(most, np.int64),
        np.empty(most, np.int64),
    )
    # Open nodes: copied, some branches not yet done. They are on one path, and every branch of a
    # split has a case less at least, as two of them have cases whose value is known.
    open_old = np.empty(n_cases + 1, np.int64)
    open_new = np.empty(n_cases + 1, np.int64)
    open_branch = np.empty(n_cases + 1, np.int64)
    open_at = np.empty(n_cases + 1, np.int64)
    open_base = np.empty(n_cases + 1, np.int64)
    top = -1
    # Typed, since a plain 0 would have every kernel below compiled once more for a constant.
    a, b, used = np.int64(0), np.int64(n_cases), np.int64(n_cases)
    at, node = np.int64(0), np.int64(0)
    while True:
        if not touched[node]:
            at = copy_nodes(old, node, ends[node], nodes, at)
        elif old.feature[node] == gone:
            parent_label = np.int64(nodes.label[open_new[top]]) if top >= 0 else np.int64(-1)
            here = lists[a:b].copy()
            heavy = weights[a : a if whole else b].copy()
            at = grow(
                table,
                rules,
                whole_rules,
                offered,
                here,
                heavy,
                present,
                n_training,
                parent_label,
                top + 1,
                nodes,
                at,
                scratch,
            )
        else:
            new = at
            at = copy_nodes(old, node, node + 1, nodes, at)
            if at == FULL:
                return FULL
            f = old.feature[node]
            branches = old.child_start[node + 1] - old.child_start[node]
            codes, cut = table.codes[f], old.cut[node]
            total = split_sizes(
                codes, cut, lists[a:b], weights[a:b], b - a, known[:branches], sizes[:branches]
            )
            base = used
            for k in range(branches):
                # The old child's index is no longer needed: the size waits in its place.
                nodes.children[nodes.child_start[new] + k] = -1 - sizes[k]
                start[k] = used
                used += sizes[k]
            if used > len(lists):
                more = max(used, 2 * len(lists))
                lists, weights = longer(lists, more), longer(weights, more)
            send_down(codes, cut, lists, weights, a, b, known[:branches], total, start)
            top += 1
            open_old[top] = node
            open_new[top] = new
            open_branch[top] = 0
            open_at[top] = base
            open_base[top] = base
        if at < 0:
            return at
        while top >= 0:
            k = open_branch[top]
            if old.child_start[open_old[top]] + k < old.child_start[open_old[top] + 1]:
                break
            below = np.int64(0)
            for j in range(nodes.child_start[open_new[top]], nodes.child_start[open_new[top] + 1]):
                below += nodes.error[nodes.children[j]]
            nodes.error[open_new[top]] = below
            used = open_base[top]
            top -= 1
        if top < 0:
            return at
        slot = nodes.child_start[open_new[top]] + k
        a = open_at[top]
        b = a - 1 - nodes.children[slot]
        open_at[top] = b
        open_branch[top] += 1
        nodes.children[slot] = at
        node = np.int64(old.children[old.child_start[open_old[top]] + k])
