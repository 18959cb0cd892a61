"""Solved nodes that are met again on other ways: a table of a fixed size."""

import numpy as np

from pinetum.jit import kernel

SPREAD = np.uint64(0x9E3779B97F4A7C15)
EXACT, UPPER = 1, 2  # what the store knows of a node


@kernel
def slot_of(key, store):
    mixed = np.uint64(key) * SPREAD
    return np.int64((mixed >> np.uint64(20)) & np.uint64(len(store.key) - 1))


@kernel
def key_of(path, length):
    """The branches of a path in rising order, 15 bits each.

    0 if they are too few or too many to be kept.
    """
    if length < 2 or length > 4:
        return 0
    key, below = 0, -1
    for _ in range(length):
        following = 1 << 20
        for i in range(length):
            if below < path[i] < following:
                following = path[i]
        if (
            following == 1 << 20
        ):  # a branch is taken twice: what is left to spend does not follow from the set
            return 0
        key = (key << 15) | (following + 1)
        below = following
    return key


@kernel(inline=True)
def keep(path, length, result, exact, store):
    """What the node at the end of a path is worth, or at most."""
    key = key_of(path, length)
    if key > 0:
        slot = slot_of(key, store)
        store.key[slot], store.value[slot] = key, result
        store.known[slot] = EXACT if exact else UPPER
