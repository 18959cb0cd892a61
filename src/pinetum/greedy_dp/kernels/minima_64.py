"""Exact minima of a table of at most 64 rows: a row set is one word, five costs are another.

The five costs of a subtable share one word, eleven bits each and the total path length fifteen,
with a spare bit above each: 64 rows have at most 64 terminal nodes, 63 others, depth 63 and path
length 2079.
"""

import numpy as np

from pinetum.greedy_dp.kernels.bits import ONE, ZERO, lowest, ones
from pinetum.jit import kernel

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


@kernel
def open_frame(rows, masks, first, same, decisions, parts, begins, ends, bounds):
    """Split a subtable by every attribute.

    Its costs at once where one attribute is best of all, else NONE.

    parts         the branches with several decisions, attribute by attribute, the fewest such first
    begins, ends  where each attribute's branches lie in `parts`
    bounds        no tree that starts with the attribute costs less, in any of the costs

    An attribute that gives each decision exactly one branch leaves nothing to improve. With two
    decisions neither does one with three pure branches, where no attribute has two: with only two
    terminal nodes there is only one other, and that would be an attribute with two.
    """
    classes = 0
    for c in range(len(decisions)):
        if rows & decisions[c]:
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
        at = used
        while at > 0 and bounds[at - 1] > bound:
            bounds[at], begins[at], ends[at] = bounds[at - 1], begins[at - 1], ends[at - 1]
            at -= 1
        bounds[at], begins[at], ends[at] = bound, before, n_parts
        used += 1
    if three and classes == 2:
        return node + LEAF * np.uint64(3) + ONE
    bounds[used] = NONE
    return NONE


@kernel
def minima_one_word(
    root,
    masks,
    first,
    same,
    decisions,
    alike,
    label,
    seen,
    keys,
    costs,
    stack,
    resume,
    best,
    parts,
    begins,
    ends,
    bounds,
):
    """Exact minima (packed) and the number of subtables kept; -1 subtables: `keys` too small."""
    keys[:] = ZERO
    if not root & ~same[lowest(root)]:
        return LEAF, 1
    room = (len(keys) * 5) // 8
    used = 1
    top = 0
    stack[0] = root
    resume[0] = 0
    best[0] = WORST
    answer = open_frame(
        root, masks, first, same, decisions, parts[0], begins[0], ends[0], bounds[0]
    )
    if answer != NONE:
        return answer, 1
    while top >= 0:
        answer = best[top]
        a = resume[top]
        waiting = False
        while bounds[top, a] != NONE:
            total = bounds[top, a]  # turns from bound to cost, branch by branch
            better = smaller_lanes(answer, total) != answer
            i = begins[top, a]
            end = ends[top, a]
            while better and i < end:
                part = parts[top, i]
                size = ones(part)
                cost = PAIR
                if size == 3:
                    cost = three_rows(part, alike, label)
                elif size > 3:
                    classes = 0
                    if size <= 5:
                        classes = perfect_split(part, alike, label, seen)
                    if classes:
                        k = np.uint64(classes)
                        cost = SPLIT + ONE + LEAF * k + (np.uint64(size) << PATH)
                    else:
                        place = slot_of(keys, part)
                        cost = costs[place]
                        if keys[place] == ZERO:
                            better = smaller_lanes(answer, total) != answer
                            if not better:
                                break
                            used += 1
                            if used > room:
                                return WORST, -1
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
                            if cost == NONE:
                                waiting = True
                                best[top] = answer
                                resume[top] = a
                                top += 1
                                stack[top] = part
                                resume[top] = 0
                                best[top] = WORST
                                break
                            keys[place] = part
                            costs[place] = cost
                deepest = max(total & LANE, (cost & LANE) + ONE)
                total = (total & SUMS) + (cost & SUMS) - LEAST - (np.uint64(size) << PATH)
                total |= deepest
                i += 1
            if waiting:
                break
            if better:
                answer = smaller_lanes(answer, total)
            a += 1
        if not waiting:
            rows = stack[top]
            place = slot_of(keys, rows)
            keys[place] = rows
            costs[place] = answer
            top -= 1
    return answer, used
