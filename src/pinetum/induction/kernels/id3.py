"""ID3 on discrete cases without missing values, written to the same node arrays as the other growers."""

import numpy as np

from pinetum.constants import WEIGHT_UNIT
from pinetum.induction.kernels.grow import branch_starts, part_in_many, write_leaf
from pinetum.induction.kernels.nodes import FULL
from pinetum.induction.kernels.quality import discrete_split, majority, on_grid
from pinetum.jit import kernel


@kernel
def grow_id3(table, rules, offered, cases, last_wins, nodes, work):
    """Grow from whole cases; gives the number of nodes or FULL.

    A node stops only when it is pure, empty, or no attribute is left on its path. A feature of gain 0,
    constant ones included, may be chosen. Equal gains: the last feature (`last_wins`) or the first.
    """
    lists, branch, buffer, start = work.lists, work.branch, work.buffer, work.start
    n_cases, n_classes = len(cases), table.n_classes
    for i in range(n_cases):
        lists[i] = cases[i]
    active = offered.copy()
    n_active = np.int64(len(active))
    counts = np.zeros(n_classes, np.int64)
    depth = len(offered) + 1
    open_node, open_branch = np.empty(depth, np.int64), np.empty(depth, np.int64)
    open_at = np.empty(depth, np.int64)
    top = -1
    a, b, node, label = np.int64(0), np.int64(n_cases), np.int64(0), np.int64(-1)
    while True:
        if node >= len(nodes.feature):
            return FULL
        counts[:] = 0
        for i in range(a, b):
            counts[table.labels[lists[i]]] += 1
        n = b - a
        if n > 0:
            label = majority(counts, label, rules)
        write_leaf(nodes, node, counts, n, label, WEIGHT_UNIT)
        here = node
        node += 1
        if n > 0 and n_active > 0 and counts.max() < n:
            best, best_at, best_gain = np.int64(-1), np.int64(-1), np.int64(-1) << 62
            for i in range(n_active):
                f = active[i]
                classes = work.table[: table.arity[f]]
                classes[:] = 0
                for j in range(a, b):
                    classes[table.codes[f, lists[j]], table.labels[lists[j]]] += 1
                mass, _ = discrete_split(classes, table.arity[f], counts, n, n, rules, table.nlogn)
                gain = on_grid(mass, n, 1)
                if gain > best_gain or (gain == best_gain and (f > best) == last_wins):
                    best, best_at, best_gain = np.int64(f), np.int64(i), gain
            branches = table.arity[best]
            nodes.feature[here] = best
            first = nodes.child_start[here]
            nodes.child_start[here + 1] = first + branches
            if first + branches > len(nodes.children):
                return FULL
            for k in range(branches):
                nodes.children[first + k] = -1
            codes = table.codes[best]
            for i in range(a, b):
                branch[lists[i]] = codes[lists[i]]
                nodes.children[first + codes[lists[i]]] -= 1
            branch_starts(nodes.children, first, branches, start)
            part_in_many(lists, a, b, branch, start, buffer)
            # Off the path's list; the branches only permute what lies before it.
            active[best_at] = active[n_active - 1]
            active[n_active - 1] = best
            top += 1
            open_node[top] = here
            open_branch[top] = 0
            open_at[top] = a
        while top >= 0:
            parent = open_node[top]
            k = nodes.child_start[parent] + open_branch[top]
            if k < nodes.child_start[parent + 1]:
                break
            top -= 1
        if top < 0:
            return node
        a = open_at[top]
        b = a - 1 - nodes.children[k]
        open_at[top] = b
        open_branch[top] += 1
        n_active = np.int64(len(offered) - 1 - top)
        nodes.children[k] = node
        label = np.int64(nodes.label[parent])
