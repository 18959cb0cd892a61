"""A pytest plugin: tests draw other random cases in every run, the same again for the same
`PINETUM_TORTURE_SEED`.

Whatever a test seeds its generators with is joined with that number, so twin tests and fuzzed
readers, written for fixed seeds, meet new tables each time.
"""

import os
import random

import numpy as np

SEED = os.environ["PINETUM_TORTURE_SEED"]
plain_rng, PlainRandom = np.random.default_rng, random.Random


def fresh_rng(seed=None):
    if isinstance(seed, (np.random.SeedSequence, np.random.BitGenerator, np.random.Generator)):
        return plain_rng(seed)
    parts = [] if seed is None else np.ravel(seed).tolist()
    return plain_rng([int(SEED), *map(int, parts)])


class FreshRandom(PlainRandom):
    def __init__(self, seed=None):
        super().__init__(f"{SEED} {seed}")


np.random.default_rng, random.Random = fresh_rng, FreshRandom


def pytest_report_header(config):
    return f"PINETUM_TORTURE_SEED={SEED}"
