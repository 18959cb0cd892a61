"""Exact minima of a table of at most 64 rows: a row set is one word, five costs are another.

The five costs of a subtable share one word, eleven bits each and the total path length fifteen,
with a spare bit above each: 64 rows have at most 64 terminal nodes, 63 others, depth 63 and path
length 2079.

    bit   63 | 62 ... 48 | 47 | 46 ... 36  | 35 | 34 ... 24 | 23 | 22 ... 12 | 11 | 10 ... 0
               path            nonterminals        terminals        nodes             depth

The search goes down one path. Level l of `Frames` is a subtable, with the bound of every attribute
that splits it, in rising order, and the branches that have several decisions:

    bounds[l]  | first | second | ... | NONE          resume[l]: the attribute that is tried
    parts[l]   | . . . | . . |  ...                   from begins[l, a] to ends[l, a]

The bound of the attribute that is tried turns into its costs branch by branch. A branch that is not
in the memory goes to the level below; when it is done the attribute begins again.
"""

from typing import NamedTuple

import numpy as np

from pinetum.jit import kernel
from pinetum.kernels.arrays import borrow
from pinetum.kernels.words import ONE, ZERO, lowest, ones

NODES, TERMINALS, NONTERMINALS, PATH = (
    np.uint64(12),
    np.uint64(24),
    np.uint64(36),
    np.uint64(48),
)  # depth: 0
LANE = np.uint64(0x7FF)
SUMS = ~LANE  # the four costs that add up over the branches
LOW_GUARDS = np.uint64(
    0x800800800800
)  # a spare bit above each lane, for comparing all of them at once
TOP_GUARD = np.uint64(1 << 63)
LEAF = np.uint64((1 << 12) | (1 << 24))  # one node, one terminal node
SPLIT = np.uint64((1 << 12) | (1 << 36))  # one node, one nonterminal node
PAIR = np.uint64(
    1 | (3 << 12) | (2 << 24) | (1 << 36) | (2 << 48)
)  # two rows that differ in decision
LEAST = np.uint64(
    (3 << 12) | (2 << 24) | (1 << 36)
)  # of a branch with several decisions, path length apart
# Three rows: an attribute with a branch for each of two decisions, one with a branch per row, or
# two in a chain.
TWO_OF_THREE = np.uint64(1 | (3 << 12) | (2 << 24) | (1 << 36) | (3 << 48))
THREE_WAYS = np.uint64(1 | (4 << 12) | (3 << 24) | (1 << 36) | (3 << 48))
CHAIN_OF_THREE = np.uint64(2 | (5 << 12) | (3 << 24) | (2 << 36) | (5 << 48))
WORST = np.uint64(0x0FFF7FF7FF7FF7FF)
NONE = np.uint64(0)


class Table64(NamedTuple):
    """A table of at most 64 rows and as many attributes."""

    masks: np.ndarray  # uint64 (values of all attributes,): the rows with the value
    first: np.ndarray  # int64 (attributes + 1,): where the values of an attribute begin
    decisions: np.ndarray  # uint64 (decisions,): the rows of a decision
    same: np.ndarray  # uint64 (65,): the rows of a row's decision; the last one: all
    alike: np.ndarray  # uint64 (64, 64): the attributes, a bit each, where two rows agree
    label: np.ndarray  # int64 (64,): decision of a row


@kernel
def borrow_table(table):
    """A table without counts of references."""
    return Table64(
        masks=borrow(table.masks),
        first=borrow(table.first),
        decisions=borrow(table.decisions),
        same=borrow(table.same),
        alike=borrow(table.alike),
        label=borrow(table.label),
    )


class Memory(NamedTuple):
    """The costs of the row sets that were solved, found by hash."""

    keys: np.ndarray  # uint64 (a power of two,): 0 where it is free
    costs: np.ndarray  # uint64, as the keys


class Frames(NamedTuple):
    """The subtables on the path of the search; behind the last part of one stands one that is not
    kept.
    """

    rows: np.ndarray  # uint64 (levels,)
    resume: np.ndarray  # int64 (levels,)
    best: np.ndarray  # uint64 (levels,): costs so far
    parts: np.ndarray  # uint64 (levels, values of all attributes + 1)
    begins: np.ndarray  # int64 (levels, attributes + 1)
    ends: np.ndarray  # int64 (levels, attributes + 1)
    bounds: np.ndarray  # uint64 (levels, attributes + 1)
    seen: np.ndarray  # int64 (decisions, or more,): scratch


@kernel
def borrow_frames(frames):
    """The same of frames."""
    return Frames(
        rows=borrow(frames.rows),
        resume=borrow(frames.resume),
        best=borrow(frames.best),
        parts=borrow(frames.parts),
        begins=borrow(frames.begins),
        ends=borrow(frames.ends),
        bounds=borrow(frames.bounds),
        seen=borrow(frames.seen),
    )


@kernel
def smaller_lanes(left, right):
    """The lesser of two words, cost by cost."""
    difference = (left | LOW_GUARDS | TOP_GUARD) - right  # a guard survives where left >= right
    low = difference & LOW_GUARDS
    top = difference & TOP_GUARD
    mask = (low - (low >> np.uint64(11))) | (top - (top >> np.uint64(15)))
    return (right & mask) | (left & ~mask)


@kernel
def slot_of(keys, rows):
    """Where a row set is kept, or the free slot where it belongs."""
    last = np.uint64(len(keys) - 1)
    slot = ((rows * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(32)) & last
    while keys[slot] != ZERO and keys[slot] != rows:
        slot = (slot + ONE) & last
    return slot


@kernel
def three_rows(rows, alike, label):
    """The costs of three rows with two or three decisions.

    One attribute may settle them, with a branch per decision or per row; else any that splits them
    leaves a pair.
    """
    i = lowest(rows)
    rows &= rows - ONE
    j = lowest(rows)
    k = lowest(rows & (rows - ONE))
    ij, ik, jk = alike[i, j], alike[i, k], alike[j, k]
    if label[i] == label[j]:
        two = ij & ~ik
    elif label[i] == label[k]:
        two = ik & ~ij
    elif label[j] == label[k]:
        two = jk & ~ij
    else:
        two = NONE
    if two:
        return TWO_OF_THREE
    if (ij | ik | jk) != ~NONE:
        return THREE_WAYS
    return CHAIN_OF_THREE


@kernel
def perfect_split(rows, alike, label, seen):
    """Number of decisions if some attribute gives each decision exactly one branch, else 0.

    Nothing is left to improve then. All attributes are tried at once, a bit each.
    """
    good = ~NONE
    classes = 0
    while rows != ZERO:
        r = lowest(rows)
        rows &= rows - ONE
        new = True
        for c in range(classes):
            other = seen[c]
            if label[other] == label[r]:
                good &= alike[other, r]
                new = False
            else:
                good &= ~alike[other, r]
        if new:
            seen[classes] = r
            classes += 1
        if good == NONE:
            return 0
    return classes


@kernel(inline=True)
def insert(bound, before, after, used, begins, ends, bounds):
    """Put an attribute with parts before .. after - 1 in its place among those so far."""
    at = used
    while at > 0 and bounds[at - 1] > bound:
        bounds[at], begins[at], ends[at] = bounds[at - 1], begins[at - 1], ends[at - 1]
        at -= 1
    bounds[at], begins[at], ends[at] = bound, before, after


@kernel
def open_frame(rows, masks, first, same, decisions, parts, begins, ends, bounds):
    """Split a subtable by every attribute.

    Its costs at once where one attribute is best of all, else NONE. Of the branches the parts with
    several decisions are written, of an attribute what no tree that starts with it is below, in any
    of the costs.

    An attribute that gives each decision exactly one branch leaves nothing to improve. With two
    decisions neither does one with three pure branches, where no attribute has two: with only two
    terminal nodes there is only one other, and that would be an attribute with two.
    """
    classes = 0
    for decision in decisions:
        if rows & decision:
            classes += 1
    node = SPLIT + (np.uint64(ones(rows)) << PATH)
    n_parts = 0
    slot = 0
    three = False
    used = 0
    for a in range(len(first) - 1):
        before = n_parts
        filled = 0
        unsettled = ZERO
        while slot < first[a + 1]:
            part = rows & masks[slot]
            several = (part & ~same[lowest(part)]) != ZERO  # same[64], of the empty set, is full
            parts[n_parts] = part
            filled += part != ZERO
            n_parts += several
            unsettled |= part if several else ZERO
            slot += 1
        mixed = n_parts - before
        if filled == 1:
            n_parts = before
            continue
        if mixed == 0:
            if filled == classes:
                return node + LEAF * np.uint64(filled) + ONE
            three |= filled == 3
        bound = node + LEAF * np.uint64(filled - mixed) + LEAST * np.uint64(mixed) + ONE
        bound += (np.uint64(ones(unsettled)) << PATH) + np.uint64(mixed > 0)
        insert(bound, before, n_parts, used, begins, ends, bounds)
        used += 1
    if three and classes == 2:
        return node + LEAF * np.uint64(3) + ONE
    bounds[used] = NONE
    return NONE


@kernel(inline=True)
def quick_costs(part, size, table, seen):
    """The costs of a small subtable, or NONE."""
    cost = NONE
    if size == 2:
        cost = PAIR
    elif size == 3:
        cost = three_rows(part, table.alike, table.label)
    elif size <= 5:
        classes = perfect_split(part, table.alike, table.label, seen)
        if classes:
            cost = SPLIT + ONE + LEAF * np.uint64(classes) + (np.uint64(size) << PATH)
    return cost


@kernel(inline=True)
def with_branch(total, cost, size):
    """The costs of an attribute with those of a branch in the place of its bound."""
    deepest = max(total & LANE, (cost & LANE) + ONE)
    return ((total & SUMS) + (cost & SUMS) - LEAST - (np.uint64(size) << PATH)) | deepest


@kernel(inline=True)
def push(level, part, frames):
    """Begin with a subtable whose frame is open."""
    frames.rows[level], frames.resume[level], frames.best[level] = part, 0, WORST


@kernel
def minima_one_word(root, table, memory, frames):
    """Exact minima (packed) and the number of subtables kept; -1 subtables: no room for them."""
    table, frames = borrow_table(table), borrow_frames(frames)
    keys, costs = borrow(memory.keys), borrow(memory.costs)
    masks, first, same, decisions = table.masks, table.first, table.same, table.decisions
    parts, bounds, seen = frames.parts, frames.bounds, frames.seen
    begins, ends = frames.begins, frames.ends
    keys[:] = ZERO
    if not root & ~same[lowest(root)]:
        return LEAF, 1
    answer = open_frame(
        root, masks, first, same, decisions, parts[0], begins[0], ends[0], bounds[0]
    )
    if answer != NONE:
        return answer, 1
    push(0, root, frames)
    room, used, top = (len(keys) * 5) // 8, 1, 0
    while top >= 0 and used <= room:
        answer, a, deeper = frames.best[top], frames.resume[top], False
        while bounds[top, a] != NONE and not deeper:
            total = bounds[top, a]  # turns from bound to costs, branch by branch
            better = smaller_lanes(answer, total) != answer
            i, end = begins[top, a], ends[top, a]
            while better and i < end:
                part = parts[top, i]
                size = ones(part)
                cost = quick_costs(part, size, table, seen)
                if cost == NONE:
                    place = slot_of(keys, part)
                    cost = costs[place]
                    if keys[place] == ZERO:
                        better = smaller_lanes(answer, total) != answer
                        if not better:
                            break
                        used += 1
                        if used <= room:
                            cost = open_frame(
                                part,
                                masks,
                                first,
                                same,
                                decisions,
                                parts[top + 1],
                                begins[top + 1],
                                ends[top + 1],
                                bounds[top + 1],
                            )
                        if used > room or cost == NONE:
                            deeper = True
                            break
                        keys[place], costs[place] = part, cost
                total = with_branch(total, cost, size)
                i += 1
            if not deeper:
                if better:
                    answer = smaller_lanes(answer, total)
                a += 1
        if deeper:
            frames.best[top], frames.resume[top] = answer, a
            push(top + 1, parts[top, i], frames)
            top += 1
        else:
            place = slot_of(keys, frames.rows[top])
            keys[place], costs[place] = frames.rows[top], answer
            top -= 1
    return answer, used if used <= room else -1
