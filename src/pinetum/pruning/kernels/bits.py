"""Compiled ID3 for 0/1 attributes and two classes: cases are bits, counting is popcount.

Same trees as `id3.grow`, node for node; many times faster on the small tables of the generated
study.

    columns[f]   . 1 . 1 1 . | ...    bit i: what case i has of attribute f
    second       1 . . 1 . . | ...    bit i: is case i of class 1
    masks[depth, side]                the cases of a node: a node's own stay until its second
                                      child is done, so two places a depth are enough
"""

from typing import NamedTuple

import numpy as np

from pinetum.jit import kernel
from pinetum.kernels.arrays import borrow
from pinetum.kernels.words import ones
from pinetum.pruning.kernels.id3 import OVERFLOW, SAME_GAIN, Nodes


class Packed(NamedTuple):
    """The training cases of a data set."""

    columns: np.ndarray  # uint64 (attributes, words)
    second: np.ndarray  # uint64 (words,)
    features: np.ndarray  # int32: the attributes that may be tested
    logs: np.ndarray  # float64: k ln k


WAITING = np.dtype(
    (
        np.record,
        [
            ("side", np.int32),  # of `masks`
            ("above", np.int32),  # parent, -1 at the root
            ("slot", np.int32),  # of `children` that is to hold its number
            ("depth", np.int32),
            ("cases", np.int32),
            ("second", np.int32),  # those of class 1
        ],
    )
)
SPLIT = np.dtype(
    (
        np.record,
        [
            ("chosen", np.int64),  # place of the attribute in `features`, or -1
            ("cases", np.int64),  # where it is 1
            ("second", np.int64),  # those of class 1
        ],
    )
)


class Room(NamedTuple):
    """Where trees are grown."""

    masks: np.ndarray  # uint64 (attributes + 2, 2, words)
    stack: np.ndarray  # WAITING (attributes + 2,): nodes that are to be made
    split: np.ndarray  # SPLIT (1,): of the node at hand
    path: np.ndarray  # int32 (attributes + 1,): place in `features` of what is tested above
    free: np.ndarray  # uint8 (attributes,): 0 where it is tested above
    place: np.ndarray  # int32 (words,): the words where the node has cases
    mine: np.ndarray  # uint64 (words,): its cases in them
    second: np.ndarray  # uint64 (words,): those of class 1


@kernel
def new_room(attributes, words):
    """Room for trees of so many attributes and words of cases."""
    return Room(
        masks=np.empty((attributes + 2, 2, words), np.uint64),
        stack=np.empty(attributes + 2, WAITING),
        split=np.empty(1, SPLIT),
        path=np.empty(attributes + 1, np.int32),
        free=np.empty(attributes, np.uint8),
        place=np.empty(words, np.int32),
        mine=np.empty(words, np.uint64),
        second=np.empty(words, np.uint64),
    )


@kernel
def borrow_room(room):
    """A room without counts of references."""
    return Room(
        masks=borrow(room.masks),
        stack=borrow(room.stack),
        split=borrow(room.split),
        path=borrow(room.path),
        free=borrow(room.free),
        place=borrow(room.place),
        mine=borrow(room.mine),
        second=borrow(room.second),
    )


@kernel
def borrow_nodes(nodes):
    """The same of trees."""
    return Nodes(
        feature=borrow(nodes.feature),
        parent=borrow(nodes.parent),
        label=borrow(nodes.label),
        n=borrow(nodes.n),
        c=borrow(nodes.c),
        first=borrow(nodes.first),
        children=borrow(nodes.children),
        train=borrow(nodes.train),
    )


@kernel(inline=True)
def pack(columns, rows, labels, packed):
    """Cases rows[i] as bit i; the number of words."""
    words = (rows.size + 63) // 64
    bits, second = packed.columns, packed.second
    second[:words] = 0
    for f in packed.features:
        bits[f, :words] = 0
    for i in range(rows.size):
        row = rows[i]
        word, bit = i >> 6, np.uint64(i & 63)
        second[word] |= np.uint64(labels[row]) << bit
        for f in packed.features:
            bits[f, word] |= np.uint64(columns[f, row]) << bit
    return words


@kernel(inline=True)
def put_root(root_mask, second, words, root, mask):
    """Let the root wait."""
    root.side, root.above, root.slot, root.depth = 0, -1, -1, 0
    cases, of_second = 0, 0
    for w in range(words):
        mask[w] = root_mask[w]
        cases += ones(root_mask[w])
        of_second += ones(root_mask[w] & second[w])
    root.cases, root.second = cases, of_second


@kernel(inline=True)
def make_node(node, here, ties_to_parent, nodes):
    """Write a node as if it were a leaf; whether it has cases of both classes."""
    nodes.parent[node] = here.above
    if here.slot >= 0:
        nodes.children[here.slot] = node
    n, n1 = here.cases, here.second
    n0 = n - n1
    most = max(n0, n1)
    label = 1 if n1 > n0 else 0
    if here.above >= 0 and (n == 0 or (ties_to_parent and n0 == n1)):
        label = nodes.label[here.above]
    nodes.label[node] = label
    nodes.train[node, 0], nodes.train[node, 1] = n0, n1
    nodes.n[node], nodes.c[node] = n, most
    nodes.feature[node] = -1
    nodes.first[node + 1] = nodes.first[node]
    return most < n


@kernel(inline=True)
def gather(mask, words, of_second, room):
    """Collect the words where a node has cases; their number."""
    filled = 0
    for w in range(words):
        cases = mask[w]
        if cases:
            room.place[filled] = w
            room.mine[filled] = cases
            room.second[filled] = cases & of_second[w]
            filled += 1
    return filled


@kernel(inline=True)
def choose(here, filled, packed, rules, room):
    """The attribute that the node is split by, and what its branch of ones holds, into `split`."""
    columns, logs, features, free = packed.columns, packed.logs, packed.features, room.free
    place, mine, second, split = room.place, room.mine, room.second, room.split[0]
    n, n1 = np.int64(here.cases), np.int64(here.second)
    n0 = n - n1
    split.chosen = -1
    best = np.inf
    for j in range(features.size):
        if not free[j]:
            continue
        f = features[j]
        a, b = 0, 0
        for i in range(filled):
            x = columns[f, place[i]]
            a += ones(mine[i] & x)
            b += ones(second[i] & x)
        if rules.skip_constant and (a == 0 or a == n):
            continue
        # what is left of the entropy, times the cases
        left = logs[n - a] - logs[n0 - (a - b)] - logs[n1 - b] + logs[a] - logs[a - b] - logs[b]
        if left < best - SAME_GAIN * n or (rules.ties_last and left <= best + SAME_GAIN * n):
            best = left
            split.chosen, split.cases, split.second = j, a, b


@kernel(inline=True)
def push_children(node, f, here, filled, words, waiting, columns, nodes, room):
    """Let both children wait, that of zeros on top.

    `here` lies where the first of them is put.
    """
    depth, n, n1, split = here.depth, here.cases, here.second, room.split[0]
    below = room.masks[depth + 1]
    for w in range(words):
        below[0, w] = below[1, w] = 0
    for i in range(filled):
        w = room.place[i]
        below[0, w] = room.mine[i] & ~columns[f, w]
        below[1, w] = room.mine[i] & columns[f, w]
    for v in range(1, -1, -1):
        child = room.stack[waiting + 1 - v]
        child.side, child.above, child.depth = v, node, depth + 1
        child.slot = nodes.first[node] + v
        child.cases = split.cases if v else n - split.cases
        child.second = split.second if v else n1 - split.second


@kernel
def grow_bits(packed, root_mask, words, rules, nodes, used, room):
    """Append the ID3 tree of the cases in `root_mask`; the new number of nodes or OVERFLOW."""
    packed = Packed(
        borrow(packed.columns), borrow(packed.second), borrow(packed.features), borrow(packed.logs)
    )
    nodes, room = borrow_nodes(nodes), borrow_room(room)
    capacity, depth_most = nodes.feature.size, packed.features.size
    room.free[:] = 1
    put_root(root_mask, packed.second, words, room.stack[0], room.masks[0, 0])
    waiting, on_path = 1, 0
    while waiting > 0:
        waiting -= 1
        if used >= capacity:
            used, waiting = OVERFLOW, 0
            continue
        node, here = used, room.stack[waiting]
        used += 1
        depth = here.depth
        while on_path > depth:
            on_path -= 1
            room.free[room.path[on_path]] = 1
        if make_node(node, here, rules.ties_to_parent, nodes) and depth < depth_most:
            filled = gather(room.masks[depth, here.side], words, packed.second, room)
            choose(here, filled, packed, rules, room)
            chosen = room.split[0].chosen
            if chosen >= 0 and nodes.first[node] + 2 > capacity:
                used, waiting = OVERFLOW, 0
            elif chosen >= 0:
                f = packed.features[chosen]
                push_children(node, f, here, filled, words, waiting, packed.columns, nodes, room)
                waiting += 2
                nodes.feature[node] = f
                nodes.first[node + 1] = nodes.first[node] + 2
                room.path[depth] = chosen
                on_path = depth + 1
                room.free[chosen] = 0
    return used
