"""One root seed; every stream is named by what it is for.

A result then depends on neither cores, shards, order, host nor which other studies run.
"""

import zlib

import numpy as np


def stream(root: int, *key) -> np.random.Generator:
    """Generator for one purpose, e.g. ``stream(seed, "pruning", "cell", 10, 3, repeat)``."""
    words = [zlib.crc32(str(part).encode()) for part in key]
    return np.random.default_rng(np.random.SeedSequence(root, spawn_key=words))
