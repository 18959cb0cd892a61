"""The graph of separable subtables for tables of any size: a row set is one or more 64-bit words.

Nodes are the subtables that are no leaf and have at least three rows (two where the table is not
plain); their branches are found again by hashing instead of being stored, which leaves room for
several times as many. Subtables are expanded from the largest down, so a subtable is complete when
its turn comes, a search that stops has seen the top of the graph, and costs can be attached from
the smallest up.

    head[n] -> node -> follow[node] -> ... -> -1     the nodes of n rows; PROGRESS says where the
    index   | 0 | node + 1 | 0 | ...                 work goes on; `index` finds a node by hash
"""

from typing import NamedTuple

import numpy as np

from pinetum.greedy_dp.kernels.problem import is_leaf, weight_of
from pinetum.jit import kernel
from pinetum.kernels.words import ONE, ZERO, mixed, ones

# What a branch is; zero or more is a node.
EMPTY, PURE, PAIR, WHOLE, ABSENT = -1, -2, -3, -4, -5
# What has been done with a node.
OPEN, EXPANDED, SETTLED = 0, 1, 2
ENDLESS = np.iinfo(np.int32).max
DONE, FULL, PAUSED, EXPANDING = 0, 1, 2, 3  # why an expansion stopped, or that it goes on
PROGRESS = np.dtype(
    (
        np.record,  # fields by name without the compiler too
        [
            ("nodes", np.int64),  # that are known
            ("rows", np.int64),  # of the nodes to go on with
            ("cursor", np.int64),  # the node to go on with, or -1
            ("expansions", np.int64),
        ],
    )
)


class Subtables(NamedTuple):
    """The nodes of the graph."""

    sets: np.ndarray  # uint64 (nodes, words): the row set
    size: np.ndarray  # int32 (nodes,): rows
    follow: np.ndarray  # int32 (nodes,): the next node of as many rows, or -1
    done: np.ndarray  # uint8 (nodes,)
    index: np.ndarray  # int32 (a power of two,): 0, or a node + 1
    head: np.ndarray  # int32 (rows + 1,): the first node of so many rows, or -1


class Scratch(NamedTuple):
    """Room for one branch."""

    part: np.ndarray  # uint64 (words,): its row set
    counts: np.ndarray  # int64 (decisions,)
    trial: np.ndarray  # int64 (costs,): of the trees that begin with an attribute


@kernel
def new_scratch(words, decisions):
    return Scratch(np.empty(words, np.uint64), np.empty(decisions, np.int64), np.empty(5, np.int64))


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


@kernel(inline=True)
def add_node(part, n, graph, now):
    """Take up a row set unless it is a node already."""
    sets, index, head = graph.sets, graph.index, graph.head
    place = find(index, sets, part)
    if place < 0:
        new = now.nodes
        now.nodes += 1
        for w in range(len(part)):  # assigned whole, numba compiles its message for unequal shapes
            sets[new, w] = part[w]
        graph.size[new], graph.done[new] = n, OPEN
        graph.follow[new] = head[n]
        head[n] = new
        index[-1 - place] = new + 1


@kernel(inline=True)
def expand_node(node, settle, graph, problem, now, scratch):
    """Take up the branches of a node, unless one attribute settles it."""
    rows, part, counts = graph.sets[node], scratch.part, scratch.counts
    settled = False
    if settle and problem.plain:
        classes = classes_of(rows, problem.decisions, counts)
        settled = settling_attribute(rows, problem, classes, part, counts) >= 0
    graph.done[node] = SETTLED if settled else EXPANDED
    if not settled:
        for slot in range(len(problem.masks)):
            kind, n = cut(rows, slot, problem, part, counts)
            if kind == 0:
                add_node(part, n, graph, now)


@kernel
def expand(graph, problem, progress, steps, settle):
    """Expand up to `steps` nodes, from the largest down.

    DONE, FULL (no room for one more) or PAUSED.

    settle    leave out what lies below a subtable that one attribute settles
    """
    now = progress[0]
    most = min(len(graph.sets), len(graph.index) // 2) - len(problem.masks)
    scratch = new_scratch(graph.sets.shape[1], len(problem.decisions))
    ending = EXPANDING
    while ending == EXPANDING:
        if now.rows <= 1:
            ending = DONE
        elif now.cursor < 0:
            now.rows -= 1
            now.cursor = graph.head[now.rows]
        elif steps == 0:
            ending = PAUSED
        elif now.nodes > most:
            ending = FULL
        else:
            steps -= 1
            now.expansions += 1
            expand_node(now.cursor, settle, graph, problem, now, scratch)
            now.cursor = graph.follow[now.cursor]
    return ending


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
def attribute_cost(rows, total, a, graph, costs, problem, scratch):
    """Least costs of the trees that begin with an attribute, into `scratch.trial`; False where it
    is constant.
    """
    part, counts, out = scratch.part, scratch.counts, scratch.trial
    out[:] = 0
    for slot in range(problem.first[a], problem.first[a + 1]):
        kind, _ = cut(rows, slot, problem, part, counts)
        if kind == EMPTY:
            continue
        if kind == WHOLE:
            return False
        node = find(graph.index, graph.sets, part) if kind == 0 else -1
        add_branch(kind, node, costs, out)
    price = problem.price[a]
    out[0] += total * price
    out[1] += price
    out[2] += price
    out[3] += price
    return True


@kernel(inline=True)
def bound_node(node, n, graph, problem, widest, total, counts, bound):
    """What no tree for a node goes below; where it is settled, what the best one costs."""
    if problem.plain:
        classes = classes_of(graph.sets[node], problem.decisions, counts)
        if graph.done[node] == SETTLED:
            settled_cost(n, classes, bound)
        else:
            least_cost(counts, n, classes, widest, bound)
    else:
        least_of_any(total, problem.price, bound)


@kernel(inline=True)
def cost_node(node, n, graph, problem, widest, costs, scratch, bound):
    """Write the least costs of a node whose branches have theirs."""
    rows, trial = graph.sets[node], scratch.trial
    total = weight_of(rows, problem.weight)
    bound_node(node, n, graph, problem, widest, total, scratch.counts, bound)
    expanded = graph.done[node] == EXPANDED
    for k in range(5):
        costs[node, k] = ENDLESS if expanded else bound[k]
    if expanded:
        for a in range(len(problem.price)):
            if attribute_cost(rows, total, a, graph, costs, problem, scratch):
                for k in range(5):
                    costs[node, k] = min(costs[node, k], trial[k])
        for k in range(5):
            costs[node, k] = max(costs[node, k], bound[k])


@kernel
def attach_costs(graph, problem, costs, widest, progress, steps):
    """Least costs of up to `steps` nodes, from the smallest up; True when all are done.

    Lower bounds where the graph is not complete.
    """
    now, head = progress[0], graph.head
    scratch = new_scratch(graph.sets.shape[1], len(problem.decisions))
    bound = np.empty(5, np.int64)
    while now.rows < len(head) and (steps > 0 or now.cursor < 0):
        if now.cursor < 0:
            now.rows += 1
            if now.rows < len(head):
                now.cursor = head[now.rows]
        else:
            steps -= 1
            cost_node(now.cursor, now.rows, graph, problem, widest, costs, scratch, bound)
            now.cursor = graph.follow[now.cursor]
    return now.rows >= len(head)


@kernel
def best_attribute(rows, cost, graph, costs, problem):
    """The first attribute that a tree of least `cost` for a subtable can begin with."""
    scratch = new_scratch(graph.sets.shape[1], len(problem.decisions))
    total = weight_of(rows, problem.weight)
    if problem.plain:
        classes = classes_of(rows, problem.decisions, scratch.counts)
        settling = settling_attribute(rows, problem, classes, scratch.part, scratch.counts)
        if settling >= 0:
            return settling
    chosen = -1
    least = np.iinfo(np.int64).max
    for a in range(len(problem.price)):
        splits = attribute_cost(rows, total, a, graph, costs, problem, scratch)
        if splits and scratch.trial[cost] < least:
            least = scratch.trial[cost]
            chosen = a
    return chosen
