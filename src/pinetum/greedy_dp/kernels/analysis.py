"""What the whole graph of subtables tells beyond minima: numbers of optimal trees, a second cost
among them.

Works on the graph with its branches written out: `edges[node, slot]` for every value of every
attribute is a node, or one of the codes below.

A cost is a sum of shares: shares[0] per unit of weight and price of a test, shares[1] per price of
a test, shares[2] per terminal node. Where the depth is limited, `least[node, d]` is for trees of
depth at most d.
"""

import math
from typing import NamedTuple

import numpy as np

from pinetum.greedy_dp.kernels import minima_any as graph
from pinetum.jit import kernel
from pinetum.kernels.words import ones

EMPTY, PURE, WHOLE = graph.EMPTY, graph.PURE, graph.WHOLE
PAIRS = -10  # two rows of a plain table that k attributes tell apart: PAIRS - k
NEVER = np.int64(1) << 62  # more than any cost


class Written(NamedTuple):
    """The graph with its branches written out."""

    edges: np.ndarray  # int32 (nodes, values of all attributes)
    order: np.ndarray  # int64 (nodes,): from the smallest up
    total: np.ndarray  # int64 (nodes,): weight of its rows
    first: np.ndarray  # int64 (attributes + 1,): where the values of an attribute begin
    price: np.ndarray  # int64 (attributes,)


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
def write_edges(subtables, problem, edges, order):
    sets, index = subtables.sets, subtables.index
    head, follow = subtables.head, subtables.follow
    part = np.empty(sets.shape[1], np.uint64)
    counts = np.empty(len(problem.decisions), np.int64)
    place = 0
    for n in range(2, len(head)):
        node = head[n]
        while node >= 0:
            order[place] = node
            place += 1
            for slot in range(len(problem.masks)):
                kind, _ = graph.cut(sets[node], slot, problem, part, counts)
                if kind == 0:
                    edges[node, slot] = graph.find(index, sets, part)
                elif kind == graph.PAIR:
                    edges[node, slot] = PAIRS - separators(part, problem.masks, problem.first)
                else:
                    edges[node, slot] = kind
            node = follow[node]


@kernel
def attribute_value(edges, node, low, high, own, shares, least, rest):
    """Cost of a node split by the attribute with slots low .. high - 1.

    NEVER where it cannot be.
    """
    total = own
    for slot in range(low, high):
        edge = edges[node, slot]
        if edge >= 0:
            value = least[edge, min(rest, least.shape[1] - 1)]
            if value == NEVER:
                return NEVER
            total += value
        elif edge == PURE:
            total += shares[2]
        elif edge <= PAIRS:
            if rest < 1:
                return NEVER
            total += 2 * shares[0] + shares[1] + 2 * shares[2]
        elif edge == WHOLE:
            return NEVER
    return total


@kernel
def own_share(total, price, shares):
    return price * (shares[0] * total + shares[1])


@kernel
def fill_least(written, shares, limited, least):
    """least[node, d]: the least cost of a tree (of depth at most d, if limited), NEVER where there
    is none.
    """
    edges, order, total = written.edges, written.order, written.total
    first, price = written.first, written.price
    for node in order:
        for d in range(least.shape[1]):
            best = NEVER
            for a in range(len(price)):
                rest = d - price[a] if limited else NEVER
                if rest < 0:
                    continue
                own = own_share(total[node], price[a], shares)
                best = min(
                    best,
                    attribute_value(edges, node, first[a], first[a + 1], own, shares, least, rest),
                )
            least[node, d] = best


@kernel
def modular_product(edges, node, low, high, counts, rest, prime):
    product = np.int64(1)
    for slot in range(low, high):
        edge = edges[node, slot]
        if edge >= 0:
            product = product * counts[edge, min(rest, counts.shape[1] - 1)] % prime
        elif edge <= PAIRS:
            product = product * (PAIRS - edge) % prime
    return product


@kernel
def log_product(edges, node, low, high, logs, rest):
    total = 0.0
    for slot in range(low, high):
        edge = edges[node, slot]
        if edge >= 0:
            total += logs[edge, min(rest, logs.shape[1] - 1)]
        elif edge <= PAIRS:
            total += math.log2(np.float64(PAIRS - edge))
    return total


@kernel
def log_add(left, right):
    """log2(2^left + 2^right)."""
    if left < right:
        left, right = right, left
    return left + math.log2(1.0 + 2.0 ** (right - left))


@kernel
def count_trees(written, shares, limited, least, prime, counts, logs):
    """Number of trees of least cost per node (and depth), modulo a prime, and its logarithm to base
    two.
    """
    edges, order, total = written.edges, written.order, written.total
    first, price = written.first, written.price
    for node in order:
        for d in range(least.shape[1]):
            counts[node, d] = 0
            logs[node, d] = -np.inf
            if least[node, d] == NEVER:
                continue
            for a in range(len(price)):
                rest = d - price[a] if limited else NEVER
                if rest < 0:
                    continue
                low, high = first[a], first[a + 1]
                own = own_share(total[node], price[a], shares)
                if (
                    attribute_value(edges, node, low, high, own, shares, least, rest)
                    == least[node, d]
                ):
                    product = modular_product(edges, node, low, high, counts, rest, prime)
                    counts[node, d] = (counts[node, d] + product) % prime
                    logs[node, d] = log_add(
                        logs[node, d], log_product(edges, node, low, high, logs, rest)
                    )
