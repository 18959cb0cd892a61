"""C4.5's error-based pruning, with subtree raising, on flat arrays.

A tree is pruned bottom-up and once. Raising replaces a node by its largest branch, after that
branch was pruned again with all cases of the node; so a raised branch is rewritten in place:
`feature`, `first` (the children's offset) and counts of the node become those of the branch. Nodes
that fall away stay in the arrays, unreachable; the caller picks up what is reachable from the root.

Cases are kept as lists (case, weight in WEIGHT_UNITs); the recursion over subtrees is an explicit
stack of tasks, each with a state. Weights are shared out and added up as whole numbers, as in the
grower, so that nothing depends on the order of the cases; estimates are in cases.
"""

from typing import NamedTuple

import numpy as np

from pinetum.constants import WEIGHT_UNIT
from pinetum.induction.kernels.quality import branch_share
from pinetum.jit import kernel
from pinetum.kernels.arrays import longer, longer_rows


@kernel
def extra_errors(n, e, cf, z2, release_8):
    """Errors to add to e of n cases, so that the sum is the upper confidence limit.

    `release_8`: 0.67 (n - e) where e + 0.5 >= n, as Release 8; otherwise max(n - e, 0), as J48.
    """
    if n <= 0.0:
        return 0.0
    if e < 1e-6:
        return n * (1.0 - cf ** (1.0 / n))
    if e < 0.9999:
        at_zero = n * (1.0 - cf ** (1.0 / n))
        return at_zero + e * (extra_errors_beyond(n, 1.0, z2, release_8) - at_zero)
    return extra_errors_beyond(n, e, z2, release_8)


@kernel
def extra_errors_beyond(n, e, z2, release_8):
    """The same for at least one error."""
    if e + 0.5 >= n:
        return 0.67 * (n - e) if release_8 else max(n - e, 0.0)
    x = e + 0.5
    p = (x + z2 / 2 + np.sqrt(z2 * (x * (1 - x / n) + z2 / 4))) / (n + z2)
    return n * p - e


@kernel
def weigh(labels, cases, weights, a, b, counts):
    """Class weights of the cases a..b; gives their sum."""
    counts[:] = 0
    total = np.int64(0)
    for i in range(a, b):
        counts[labels[cases[i]]] += weights[i]
        total += weights[i]
    return total


@kernel
def deal(codes, cut, branches, cases, weights, a, b, known, start, at):
    """Count (at < 0) or copy the cases a..b to their branches.

    Unknown ones in proportion to the known.

    Gives the weight of the known cases.
    """
    if at < 0:
        known[:branches] = 0
        start[:branches] = 0
        for i in range(a, b):
            code = codes[cases[i]]
            if code >= 0:
                k = code if cut < 0 else (1 if code > cut else 0)
                known[k] += weights[i]
                start[k] += 1
    total = np.int64(0)
    for k in range(branches):
        total += known[k]
    for i in range(a, b):
        code = codes[cases[i]]
        if code >= 0:
            if at >= 0:
                k = code if cut < 0 else (1 if code > cut else 0)
                cases[start[k]] = cases[i]
                weights[start[k]] = weights[i]
                start[k] += 1
        else:
            for k in range(branches):
                if known[k] > 0:
                    if at >= 0:
                        cases[start[k]] = cases[i]
                        weights[start[k]] = branch_share(weights[i], known[k], total)
                    start[k] += 1
    return total


VISIT, BRANCH_DONE, TRIED = 0, 1, 2
SOME_TASKS = 64  # for which there is room at first


class Tasks(NamedTuple):
    """What is still to be done.

    A task estimates the errors of a node for the cases a..b; `update`: it prunes on the way.
    """

    top: int  # place of the task at hand; -1: all is done
    used: int  # places of `cases` in use
    result: float  # estimated errors of what was done last
    node: np.ndarray  # int64 (tasks,), with all that follow
    state: np.ndarray
    a: np.ndarray
    b: np.ndarray
    used_above: np.ndarray
    update: np.ndarray
    next: np.ndarray  # branch at hand
    at: np.ndarray  # where the cases of the next branch begin
    leaf: np.ndarray  # float64: estimate as a leaf
    tree: np.ndarray  # float64: and of the branches so far
    largest: np.ndarray  # int64: branch of most cases
    sizes: np.ndarray  # int64 (tasks, branches): cases of each branch
    cases: np.ndarray  # int32: the lists of all tasks
    weights: np.ndarray  # int64


def first_task(cases, weights, n, branches) -> Tasks:
    """The root, with the cases in [0, n) of lists; nodes have so many branches at most."""
    whole = [np.zeros(SOME_TASKS, np.int64) for _ in range(9)]
    node, state, a, b, used_above, update, following, at, largest = whole
    leaf, tree = np.zeros(SOME_TASKS), np.zeros(SOME_TASKS)
    sizes = np.zeros((SOME_TASKS, branches), np.int64)
    b[0], update[0] = n, 1
    lists = leaf, tree, largest, sizes, cases, weights
    return Tasks(0, n, 0.0, node, state, a, b, used_above, update, following, at, *lists)


@kernel
def prune(
    codes,
    labels,
    feature,
    threshold,
    cut,
    first,
    branches,
    children,
    counts,
    label,
    tasks,
    raising,
    cf,
    z2,
    release_8,
    margin,
    most_work,
):
    """Prune in place until so many cases were looked at; gives the tasks that are left.

    `first` and `branches` say where a node's children are. Lists of cases and tasks grow when there
    is not enough room.
    """
    n_classes = counts.shape[1]
    most = tasks.sizes.shape[1]
    known, start = np.zeros(most, np.int64), np.zeros(most, np.int64)
    here = np.zeros(n_classes, np.int64)
    top, used, result = tasks.top, tasks.used, tasks.result
    t_node, t_state, t_a, t_b = tasks.node, tasks.state, tasks.a, tasks.b
    t_used, t_update, t_next, t_at = tasks.used_above, tasks.update, tasks.next, tasks.at
    t_leaf, t_tree, t_largest, t_sizes = tasks.leaf, tasks.tree, tasks.largest, tasks.sizes
    cases, weights = tasks.cases, tasks.weights
    size, work = len(t_node), np.int64(0)
    while top >= 0 and work < most_work:
        node = t_node[top]
        if t_state[top] == VISIT:
            a, b = t_a[top], t_b[top]
            work += b - a
            total = weigh(labels, cases, weights, a, b, here)
            own = label[node]
            for c in range(n_classes):
                if here[c] > here[own]:
                    own = c
            if t_update[top]:
                label[node] = own
                for c in range(n_classes):
                    counts[node, c] = here[c] / WEIGHT_UNIT
            wrong = (total - here[own]) / WEIGHT_UNIT
            estimate = extra_errors(total / WEIGHT_UNIT, wrong, cf, z2, release_8)
            t_leaf[top] = wrong + estimate
            if feature[node] < 0:
                result = t_leaf[top]
                top -= 1
                continue
            f = feature[node]
            t_used[top] = used
            deal(
                codes[f],
                cut[node],
                branches[node],
                cases,
                weights,
                a,
                b,
                known,
                start,
                np.int64(-1),
            )
            largest = 0
            for k in range(branches[node]):
                if known[k] >= known[largest]:
                    largest = k
                t_sizes[top, k] = start[k]
            t_largest[top] = largest
            t_at[top] = used
            for k in range(branches[node]):
                start[k] = used
                used += t_sizes[top, k]
            if used > len(cases):
                more = max(used, 2 * len(cases))
                cases, weights = longer(cases, more), longer(weights, more)
            deal(
                codes[f], cut[node], branches[node], cases, weights, a, b, known, start, np.int64(1)
            )
            t_tree[top] = 0.0
            t_next[top] = -1
            t_state[top] = BRANCH_DONE
        elif t_state[top] == BRANCH_DONE:
            t_tree[top] += result
        else:  # TRIED: result is what the largest branch makes of all cases
            largest = children[first[node] + t_largest[top]]
            if t_leaf[top] <= result + margin and t_leaf[top] <= t_tree[top] + margin:
                feature[node], threshold[node], cut[node] = -1, np.nan, -1
                branches[node] = 0
                result = t_leaf[top]
                top -= 1
            elif result <= t_tree[top] + margin and raising:
                # The branch takes the node's place and is pruned again with all of its cases.
                feature[node], threshold[node], cut[node] = (
                    feature[largest],
                    threshold[largest],
                    cut[largest],
                )
                first[node], branches[node] = first[largest], branches[largest]
                label[node] = label[largest]
                t_state[top] = VISIT
            else:
                result = t_tree[top]
                top -= 1
            continue
        # The next branch that has cases.
        k = t_next[top] + 1
        at = t_at[top]
        while k < branches[node] and t_sizes[top, k] == 0:
            k += 1
        if k < branches[node]:
            t_next[top] = k
            t_at[top] = at + t_sizes[top, k]
            child, a, b, update = children[first[node] + k], at, at + t_sizes[top, k], t_update[top]
        else:
            used = t_used[top]
            if not t_update[top]:
                result = t_tree[top]
                top -= 1
                continue
            if not raising:
                t_state[top] = TRIED
                result = np.inf
                continue
            t_state[top] = TRIED
            child, a, b, update = children[first[node] + t_largest[top]], t_a[top], t_b[top], 0
        if top + 1 == size:
            size *= 2
            t_node, t_state, t_a = longer(t_node, size), longer(t_state, size), longer(t_a, size)
            t_b, t_used, t_update = longer(t_b, size), longer(t_used, size), longer(t_update, size)
            t_next, t_at, t_largest = (
                longer(t_next, size),
                longer(t_at, size),
                longer(t_largest, size),
            )
            t_leaf, t_tree = longer(t_leaf, size), longer(t_tree, size)
            t_sizes = longer_rows(t_sizes, size)
        top += 1
        t_node[top], t_a[top], t_b[top], t_update[top], t_state[top] = child, a, b, update, VISIT
    return Tasks(
        top,
        used,
        result,
        t_node,
        t_state,
        t_a,
        t_b,
        t_used,
        t_update,
        t_next,
        t_at,
        t_leaf,
        t_tree,
        t_largest,
        t_sizes,
        cases,
        weights,
    )
