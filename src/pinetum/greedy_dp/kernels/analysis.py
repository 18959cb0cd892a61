"""What the whole graph of subtables tells beyond minima: numbers of optimal trees, a second cost among them.

Works on the graph with its branches written out: `edges[node, slot]` for every value of every
attribute is a node, or one of the codes below. `order` has the nodes from the smallest up.
"""

import numpy as np

from pinetum.greedy_dp.kernels import minima_any as graph
from pinetum.greedy_dp.kernels.bits import ones
from pinetum.jit import kernel

EMPTY, PURE, WHOLE = graph.EMPTY, graph.PURE, graph.WHOLE
PAIRS = -10  # two rows with different decisions and k attributes that tell them apart: PAIRS - k
PATH, DEPTH, NODES, NONTERMINALS, TERMINALS = range(5)
NEVER = np.int64(1) << 40  # more than any cost


@kernel
def separators(part, masks, first):
    """Number of attributes that tell two rows apart."""
    found = 0
    for a in range(len(first) - 1):
        whole = False
        for slot in range(first[a], first[a + 1]):
            inside = 0
            for w in range(len(part)):
                inside += ones(part[w] & masks[slot, w])
            if inside == 2:
                whole = True
        found += not whole
    return found


@kernel
def write_edges(sets, index, head, follow, masks, first, decisions, label, edges, order):
    part = np.empty(sets.shape[1], np.uint64)
    place = 0
    for n in range(3, len(head)):
        node = head[n]
        while node >= 0:
            order[place] = node
            place += 1
            for slot in range(len(masks)):
                kind, _ = graph.cut(sets[node], masks[slot], part, decisions, label)
                if kind == 0:
                    edges[node, slot] = graph.find(index, sets, part)
                elif kind == graph.PAIR:
                    edges[node, slot] = PAIRS - separators(part, masks, first)
                else:
                    edges[node, slot] = kind
            node = follow[node]


@kernel
def add_edge(edge, cost, values, total):
    """A branch's value added to (depth: taken into) the total of an attribute."""
    if edge >= 0:
        value = values[edge]
    elif edge == PURE:
        value = 1 if cost in (NODES, TERMINALS) else 0
    elif cost == NODES:
        value = 3
    elif cost in (PATH, TERMINALS):
        value = 2
    else:
        value = 1
    return max(total, value) if cost == DEPTH else total + value


@kernel
def attribute_value(edges, node, low, high, cost, n, values):
    """Cost of a node split by the attribute with slots low .. high - 1, or -1 where it is constant."""
    total = np.int64(0)
    for slot in range(low, high):
        edge = edges[node, slot]
        if edge == WHOLE:
            return np.int64(-1)
        if edge != EMPTY:
            total = add_edge(edge, cost, values, total)
    if cost == PATH:
        return total + n
    return total if cost == TERMINALS else total + 1


@kernel
def lexicographic(edges, order, size, first, cost, second, one, two):
    """Least `cost` of every node in `one`, and in `two` the least `second` among the trees that have it.

    Not for depth as the first cost: below the deepest branch a tree of least depth may be wasteful.
    """
    for node in order:
        one[node] = NEVER
        for a in range(len(first) - 1):
            low, high = first[a], first[a + 1]
            value = attribute_value(edges, node, low, high, cost, size[node], one)
            if value < 0 or value > one[node]:
                continue
            other = attribute_value(edges, node, low, high, second, size[node], two)
            if value < one[node] or other < two[node]:
                one[node] = value
                two[node] = other


@kernel
def within_depth(edges, order, size, first, cost, deepest, least):
    """least[node, d]: the least `cost` of a tree of depth at most d, NEVER where there is none."""
    for node in order:
        least[node, 0] = NEVER
        for d in range(1, deepest + 1):
            best = NEVER
            for a in range(len(first) - 1):
                value = attribute_value(edges, node, first[a], first[a + 1], cost, size[node], least[:, d - 1])
                fits = value >= 0
                if d == 1 and fits:
                    for slot in range(first[a], first[a + 1]):
                        fits &= edges[node, slot] == EMPTY or edges[node, slot] == PURE
                if fits and value < best:
                    best = value
            least[node, d] = best


@kernel
def modular_product(edges, node, low, high, counts, prime):
    product = np.int64(1)
    for slot in range(low, high):
        edge = edges[node, slot]
        if edge >= 0:
            product = product * counts[edge] % prime
        elif edge <= PAIRS:
            product = product * (PAIRS - edge) % prime
    return product


@kernel
def log_product(edges, node, low, high, logs):
    total = 0.0
    for slot in range(low, high):
        edge = edges[node, slot]
        if edge >= 0:
            total += logs[edge]
        elif edge <= PAIRS:
            total += np.log2(np.float64(PAIRS - edge))
    return total


@kernel
def log_add(left, right):
    """log2(2^left + 2^right)."""
    if left < right:
        left, right = right, left
    return left + np.log2(1.0 + 2.0 ** (right - left))


@kernel
def count_trees(edges, order, size, first, cost, least, prime, counts, logs):
    """Number of trees of least `cost` (not depth) per node, modulo a prime, and its logarithm to base two."""
    for node in order:
        counts[node] = 0
        logs[node] = -np.inf
        for a in range(len(first) - 1):
            low, high = first[a], first[a + 1]
            if attribute_value(edges, node, low, high, cost, size[node], least) == least[node]:
                counts[node] = (counts[node] + modular_product(edges, node, low, high, counts, prime)) % prime
                logs[node] = log_add(logs[node], log_product(edges, node, low, high, logs))


@kernel
def count_within_depth(edges, order, first, deepest, prime, counts, logs):
    """Number of trees of depth at most d = 0 .. deepest, per node, modulo a prime, and its logarithm."""
    for node in order:
        counts[node, 0] = 0
        logs[node, 0] = -np.inf
        for d in range(1, deepest + 1):
            counts[node, d] = 0
            logs[node, d] = -np.inf
            for a in range(len(first) - 1):
                low, high = first[a], first[a + 1]
                fits = True
                for slot in range(low, high):
                    edge = edges[node, slot]
                    if edge == WHOLE or (edge <= PAIRS and d == 1) or (edge >= 0 and logs[edge, d - 1] == -np.inf):
                        fits = False
                        break
                if fits:
                    product = modular_product(edges, node, low, high, counts[:, d - 1], prime)
                    counts[node, d] = (counts[node, d] + product) % prime
                    logs[node, d] = log_add(logs[node, d], log_product(edges, node, low, high, logs[:, d - 1]))
