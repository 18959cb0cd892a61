"""The graph of separable subtables for tables of any size: a row set is one or more 64-bit words.

Nodes are the subtables that are no leaf and have at least three rows (two where the table is not
plain); their branches are found again by hashing instead of being stored, which leaves room for
several times as many. Subtables are expanded from the largest down, so a subtable is complete when
its turn comes, a search that stops has seen the top of the graph, and costs can be attached from
the smallest up.
"""

import numpy as np

from pinetum.greedy_dp.kernels.bits import ONE, ZERO, mixed, ones
from pinetum.greedy_dp.kernels.problem import is_leaf, weight_of
from pinetum.jit import kernel

# What a branch is; zero or more is a node.
EMPTY, PURE, PAIR, WHOLE, ABSENT = -1, -2, -3, -4, -5
# What has been done with a node.
OPEN, EXPANDED, SETTLED = 0, 1, 2
# Entries of `state`; the last four say why and where the expansion stopped.
NODES_USED, SIZE, CURSOR, EXPANSIONS = 0, 1, 2, 3
DONE, FULL, PAUSED = 0, 1, 2


@kernel
def find(index, sets, part):
    """Node of a row set, or -1 - (the free place in the index)."""
    words = len(part)
    code = ZERO
    for w in range(words):
        code = mixed(code ^ part[w])
    last = np.uint64(len(index) - 1)
    place = code & last
    while index[place] != 0:
        node = index[place] - 1
        same = True
        for w in range(words):
            if sets[node, w] != part[w]:
                same = False
                break
        if same:
            return np.int64(node)
        place = (place + ONE) & last
    return -1 - np.int64(place)


@kernel
def cut(rows, slot, problem, part, counts):
    """Write the branch into `part`; its kind (0: a node) and size."""
    size = 0
    whole = True
    for w in range(len(rows)):
        word = rows[w] & problem.masks[slot, w]
        part[w] = word
        size += ones(word)
        whole &= word == rows[w]
    if size == 0:
        return EMPTY, 0
    if whole:
        return WHOLE, size
    if is_leaf(part, problem, counts):
        return PURE, size
    return (PAIR, 2) if size == 2 and problem.plain else (0, size)


@kernel
def classes_of(rows, decisions, counts):
    """Rows per decision; the number of decisions."""
    present = 0
    for c in range(len(decisions)):
        count = 0
        for w in range(len(rows)):
            count += ones(rows[w] & decisions[c, w])
        counts[c] = count
        present += count > 0
    return present


@kernel
def settling_attribute(rows, problem, classes, part, counts):
    """The first attribute that gives each decision exactly one branch, or -1: no tree can be
    better.
    """
    for a in range(len(problem.price)):
        filled = 0
        for slot in range(problem.first[a], problem.first[a + 1]):
            kind, _ = cut(rows, slot, problem, part, counts)
            if kind == EMPTY:
                continue
            filled += 1
            if kind != PURE or filled > classes:
                filled = -1
                break
        if filled == classes:
            return a
    return -1


@kernel
def expand(sets, size, follow, done, index, head, problem, state, steps, settle):
    """Expand up to `steps` nodes, from the largest down.

    DONE, FULL (no room for one more) or PAUSED.

    settle    leave out what lies below a subtable that one attribute settles
    """
    capacity = min(len(sets), len(index) // 2)
    n_slots = len(problem.masks)
    part = np.empty(sets.shape[1], np.uint64)
    counts = np.empty(len(problem.decisions), np.int64)
    while state[SIZE] > 1:
        node = state[CURSOR]
        while node >= 0:
            if steps == 0:
                state[CURSOR] = node
                return PAUSED
            if state[NODES_USED] + n_slots > capacity:
                state[CURSOR] = node
                return FULL
            steps -= 1
            state[EXPANSIONS] += 1
            rows = sets[node]
            settled = False
            if settle and problem.plain:
                classes = classes_of(rows, problem.decisions, counts)
                settled = settling_attribute(rows, problem, classes, part, counts) >= 0
            if settled:
                done[node] = SETTLED
            else:
                done[node] = EXPANDED
                for slot in range(n_slots):
                    kind, n = cut(rows, slot, problem, part, counts)
                    if kind != 0:
                        continue
                    place = find(index, sets, part)
                    if place < 0:
                        new = state[NODES_USED]
                        state[NODES_USED] += 1
                        for w in range(
                            len(part)
                        ):  # assigned whole, numba compiles its message for unequal shapes
                            sets[new, w] = part[w]
                        size[new] = n
                        done[new] = OPEN
                        follow[new] = head[n]
                        head[n] = new
                        index[-1 - place] = new + 1
            node = follow[node]
        state[SIZE] -= 1
        state[CURSOR] = head[state[SIZE]]
    return DONE


@kernel
def reindex(index, sets, used):
    """Fill an empty, larger index."""
    for node in range(used):
        index[-1 - find(index, sets, sets[node])] = node + 1


@kernel
def settled_cost(n, classes, out):
    out[0] = n
    out[1] = 1
    out[2] = classes + 1
    out[3] = 1
    out[4] = classes


@kernel
def least_cost(counts, n, classes, widest, out):
    """What no tree for a subtable with these counts goes below.

    `widest`: values of the widest attribute.

    A tree needs a terminal node per decision, and t terminal nodes need (t - 1) / (widest - 1)
    others. At most widest - 1 decisions end at depth one when there are more than `widest`; the
    rows of the rest lie deeper.
    """
    inner = max(1, (classes - 2 + widest - 1) // (widest - 1))
    depth = 0
    reach = 1
    while reach < classes:
        reach *= widest
        depth += 1
    path = n
    if classes > widest:
        path += n
        for _ in range(widest - 1):
            largest = 0
            for c in range(len(counts)):
                if counts[c] > counts[largest]:
                    largest = c
            path -= counts[largest]
            counts[largest] = 0
    out[0] = path
    out[1] = depth
    out[2] = classes + inner
    out[3] = inner
    out[4] = classes


@kernel
def add_branch(kind, node, costs, out):
    """Take a branch into the costs of an attribute (without its own node)."""
    if kind == PURE:
        out[2] += 1
        out[4] += 1
    elif kind == PAIR:
        out[0] += 2
        out[1] = max(out[1], 1)
        out[2] += 3
        out[3] += 1
        out[4] += 2
    else:
        out[0] += costs[node, 0]
        out[1] = max(out[1], costs[node, 1])
        out[2] += costs[node, 2]
        out[3] += costs[node, 3]
        out[4] += costs[node, 4]


@kernel
def least_of_any(n, price, out):
    """What no tree with a test goes below."""
    least = np.int64(price[0])
    for a in range(len(price)):
        least = min(least, price[a])
    out[0] = n * least
    out[1] = least
    out[2] = 2 + least
    out[3] = least
    out[4] = 2


@kernel
def attribute_cost(rows, total, a, sets, index, costs, problem, part, counts, out):
    """Least costs of the trees that begin with an attribute; False where it is constant."""
    out[:] = 0
    for slot in range(problem.first[a], problem.first[a + 1]):
        kind, _ = cut(rows, slot, problem, part, counts)
        if kind == EMPTY:
            continue
        if kind == WHOLE:
            return False
        node = find(index, sets, part) if kind == 0 else -1
        add_branch(kind, node, costs, out)
    price = problem.price[a]
    out[0] += total * price
    out[1] += price
    out[2] += price
    out[3] += price
    return True


@kernel
def attach_costs(sets, size, follow, done, index, head, problem, costs, widest, state, steps):
    """Least costs of up to `steps` nodes, from the smallest up.

    Lower bounds where the graph is not complete.

    `state` holds the size and node to go on with; True when all are done.
    """
    part = np.empty(sets.shape[1], np.uint64)
    counts = np.empty(len(problem.decisions), np.int64)
    trial = np.empty(5, np.int64)
    bound = np.empty(5, np.int64)
    while state[SIZE] < len(head):
        n = state[SIZE]
        node = state[CURSOR]
        while node >= 0:
            if steps == 0:
                state[CURSOR] = node
                return False
            steps -= 1
            rows = sets[node]
            total = weight_of(rows, problem.weight)
            classes = classes_of(rows, problem.decisions, counts)
            if done[node] == SETTLED:
                settled_cost(n, classes, bound)
            elif problem.plain:
                least_cost(counts, n, classes, widest, bound)
            else:
                least_of_any(total, problem.price, bound)
            for k in range(5):
                costs[node, k] = bound[k]
            if done[node] == EXPANDED:
                costs[node] = np.iinfo(np.int32).max
                for a in range(len(problem.price)):
                    if attribute_cost(
                        rows, total, a, sets, index, costs, problem, part, counts, trial
                    ):
                        for k in range(5):
                            costs[node, k] = min(costs[node, k], trial[k])
                for k in range(5):
                    costs[node, k] = max(costs[node, k], bound[k])
            node = follow[node]
        state[SIZE] += 1
        if state[SIZE] < len(head):
            state[CURSOR] = head[state[SIZE]]
    return True


@kernel
def best_attribute(rows, cost, sets, index, costs, problem):
    """The first attribute that a tree of least `cost` for a subtable can begin with."""
    part = np.empty(sets.shape[1], np.uint64)
    trial = np.empty(5, np.int64)
    counts = np.empty(len(problem.decisions), np.int64)
    total = weight_of(rows, problem.weight)
    if problem.plain:
        classes = classes_of(rows, problem.decisions, counts)
        settling = settling_attribute(rows, problem, classes, part, counts)
        if settling >= 0:
            return settling
    chosen = -1
    least = np.iinfo(np.int64).max
    for a in range(len(problem.price)):
        splits = attribute_cost(rows, total, a, sets, index, costs, problem, part, counts, trial)
        if splits and trial[cost] < least:
            least = trial[cost]
            chosen = a
    return chosen
