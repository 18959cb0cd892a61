"""In which order the used optional features of a frame are removed.

What is given of a frame are its rows: `role`, `frontier` (how many cases reach a node that splits
on a feature) and `order`, which receives the features that go, the first removed first.
"""

import numpy as np

from pinetum.jit import kernel

ABSENT, OPTIONAL, REQUIRED = 0, 1, 2
ASCENDING, DESCENDING, FIXED_INDEX, BY_ERRORS = 0, 1, 2, 3
MOST_SCORED = 62  # features that fit a word
HALVINGS = 30


@kernel(inline=True)
def order_features(role, frontier, order, selection):
    """List the used optional features of a frame in the order in which they go, and require them.

    Gives how many they are, the features used, the features required, and whether all required ones
    are used.
    """
    distinct = True
    size, required, n = np.int64(0), np.int64(0), np.int64(0)
    for f in range(len(role)):
        if role[f] == ABSENT:
            continue
        if frontier[f] == 0:
            if role[f] == REQUIRED:
                distinct = False
                required += 1
            continue
        size += 1
        required += 1
        if role[f] == OPTIONAL:
            role[f] = REQUIRED
            order[n] = f
            n += 1
    if selection != FIXED_INDEX:
        sort_by_frontier(frontier, order, n, 1 if selection != DESCENDING else -1)
    return n, size, required, distinct


@kernel(inline=True)
def sort_by_frontier(frontier, order, n, sign):
    """Sort n features by rising `sign` times frontier, equal ones by number.

    By insertion over falling distances (Shell, 1959).
    """
    distance = 1
    while 3 * distance < n:
        distance = 3 * distance + 1
    while distance > 0:
        for i in range(distance, n):
            f, at = order[i], i
            here = sign * frontier[f]
            while at >= distance and comes_later(frontier, order[at - distance], sign, here, f):
                order[at] = order[at - distance]
                at -= distance
            order[at] = f
        distance //= 3


@kernel(inline=True)
def comes_later(frontier, other, sign, here, f):
    there = sign * frontier[other]
    return there > here or (there == here and other > f)


@kernel(inline=True)
def order_by_errors(forest, begin, end, order, n, results):
    """Put the features first removed last whose staying settles the most search errors soonest.

    An error counts for every feature on its leaf's path that is not yet known to stay, and half as
    much for each further one of them. `order` holds n features by ascending frontier, which decides
    ties.
    """
    place, score, masks = results.place, results.score, forest.masks
    found = mask_errors(forest, begin, end, order, n, place, results.path)
    left = (np.int64(1) << n) - 1
    for i in range(n):
        place[i] = order[i]  # by number, from here on
        score[i] = 0
    for j in range(found):
        count_errors(masks[j, 0], masks[j, 1], score)
    for position in range(n - 1, -1, -1):
        chosen = np.int64(-1)
        for i in range(n):
            if (left >> i) & 1 and (chosen < 0 or score[i] >= score[chosen]):
                chosen = i
        order[position] = place[chosen]
        bit = np.int64(1) << chosen
        left &= ~bit
        for j in range(found):  # its errors count for the others twice as much
            if masks[j, 0] & bit:
                count_errors(masks[j, 0], -masks[j, 1], score)
                masks[j, 0] &= ~bit
                count_errors(masks[j, 0], masks[j, 1], score)


@kernel
def count_errors(mask, errors, score):
    """Add errors to the score of every feature of a mask."""
    bits = np.int64(0)
    rest = mask
    while rest != 0:
        rest &= rest - 1
        bits += 1
    gain = errors << max(np.int64(0), HALVINGS - bits)
    rest, i = mask, 0
    while rest != 0:
        if rest & 1:
            score[i] += gain
        rest >>= 1
        i += 1


@kernel(inline=True)
def mask_errors(forest, begin, end, order, n, place, path):
    """Note for every node that errs the features on its path, as bits by their place in `order`:
    how many such nodes there are.
    """
    masks = forest.masks
    for f in range(len(place)):
        place[f] = -1
    for i in range(n):
        place[order[i]] = i
    found = np.int64(0)
    for i in range(begin, end):  # a node takes a row of `masks` at most
        d = forest.depth[i]
        mask = path[d - 1] if d > 0 else np.int64(0)
        f = forest.feature[i]
        if f >= 0:
            if place[f] >= 0:
                mask |= np.int64(1) << place[f]
            path[d] = mask
        if forest.errors[i] > 0 and mask != 0:
            masks[found, 0] = mask
            masks[found, 1] = forest.errors[i]
            found += 1
    return found
