"""In which order the used optional features of a frame are removed."""

import numpy as np

from pinetum.jit import kernel

ABSENT, OPTIONAL, REQUIRED = 0, 1, 2
ASCENDING, DESCENDING, FIXED_INDEX, BY_ERRORS = 0, 1, 2, 3
MOST_SCORED = 62  # features that fit a word
HALVINGS = 30


@kernel(inline=True)
def order_features(role, order, frontier, level, selection):
    """Sort the used optional features of a frame into the order in which they go, and require them.

    Gives how many they are, the features used, the features required, and whether all required ones
    are used.
    """
    distinct = True
    size, required, n = np.int64(0), np.int64(0), np.int64(0)
    for f in range(role.shape[1]):
        if role[level, f] == ABSENT:
            continue
        here = frontier[level, f]
        if here == 0:
            if role[level, f] == REQUIRED:
                distinct = False
                required += 1
            continue
        size += 1
        required += 1
        if role[level, f] == OPTIONAL:
            role[level, f] = REQUIRED
            at = n
            if selection in (ASCENDING, BY_ERRORS):
                while at > 0 and frontier[level, order[level, at - 1]] > here:
                    order[level, at] = order[level, at - 1]
                    at -= 1
            elif selection == DESCENDING:
                while at > 0 and frontier[level, order[level, at - 1]] < here:
                    order[level, at] = order[level, at - 1]
                    at -= 1
            order[level, at] = f
            n += 1
    return n, size, required, distinct


@kernel(inline=True)
def order_by_errors(feature, depth, errors, begin, end, order, n, place, path, masks, score):
    """Put the features first removed last whose staying settles the most search errors soonest.

    An error counts for every feature on its leaf's path that is not yet known to stay, and half as
    much for each further one of them. `order` holds n features by ascending frontier, which decides
    ties.
    """
    if n > MOST_SCORED or n < 2:
        return
    place[:] = -1
    for i in range(n):
        place[order[i]] = i
    found = np.int64(0)
    for i in range(begin, end):  # a node takes a row of `masks` at most
        d = depth[i]
        mask = path[d - 1] if d > 0 else np.int64(0)
        f = feature[i]
        if f >= 0:
            if place[f] >= 0:
                mask |= np.int64(1) << place[f]
            path[d] = mask
        if errors[i] > 0 and mask != 0:
            masks[found, 0] = mask
            masks[found, 1] = errors[i]
            found += 1
    left = (np.int64(1) << n) - 1
    for i in range(n):
        place[i] = order[i]  # by number, from here on
    for position in range(n - 1, -1, -1):
        score[:n] = 0
        kept = np.int64(0)
        for j in range(found):
            mask = masks[j, 0] & left
            if mask == 0:
                continue
            masks[kept, 0] = mask
            masks[kept, 1] = masks[j, 1]
            kept += 1
            bits = np.int64(0)
            rest = mask
            while rest != 0:
                rest &= rest - 1
                bits += 1
            gain = masks[kept - 1, 1] << max(np.int64(0), HALVINGS - bits)
            for i in range(n):
                if (mask >> i) & 1:
                    score[i] += gain
        found = kept
        chosen = np.int64(-1)
        for i in range(n):
            if (left >> i) & 1 and (chosen < 0 or score[i] >= score[chosen]):
                chosen = i
        order[position] = place[chosen]
        left &= ~(np.int64(1) << chosen)
