"""The Rashomon set of greedy trees: every subset of features whose tree errs almost as little as the best.

From it, per feature, the share of the near-optimal trees that use it: a feature in all of them is
indispensable, one in half of them can be exchanged for others.
"""

import time
from dataclasses import dataclass

import numpy as np

from pinetum.distinct.search import Optimum


@dataclass(frozen=True)
class Rashomon:
    status: str  # ok, time_limit or work_limit: then what was found is part of the set
    limit: int  # most search errors of a member
    trees: int
    by_errors: dict[int, int]
    uses: list[int]  # per feature, the members that use it
    sizes: list[int]  # members by number of features
    seconds: float

    @property
    def shares(self) -> list[float]:
        return [n / self.trees if self.trees else float("nan") for n in self.uses]


def rashomon_set(engine, optimum: Optimum, extra: int, *, features=None, seconds=None, work=None) -> Rashomon:
    """All distinct trees with at most `extra` search errors more than the optimum (or the best known)."""
    begun = time.process_time()
    limit = optimum.errors + extra
    n = engine.n_features
    uses = np.zeros(n, dtype=object)
    sizes = np.zeros(n + 1, dtype=object)
    by_errors: dict[int, int] = {}

    def on_block(subsets, errors, _signatures):
        bits = np.unpackbits(np.ascontiguousarray(subsets).view(np.uint8), axis=1, bitorder="little")[:, :n]
        uses[:] += bits.sum(axis=0, dtype=np.int64)
        sizes[:] += np.bincount(bits.sum(axis=1, dtype=np.int64), minlength=n + 1)
        for wrong, count in zip(*np.unique(errors, return_counts=True), strict=True):
            by_errors[int(wrong)] = by_errors.get(int(wrong), 0) + int(count)
        return False

    engine.begin((), features, order="errors")
    engine.prune(limit)
    engine.emit(limit)
    end = engine.run(seconds=seconds, work=work, on_block=on_block)
    return Rashomon(
        status="ok" if end == "done" else end,
        limit=limit,
        trees=sum(by_errors.values()),
        by_errors=dict(sorted(by_errors.items())),
        uses=[int(u) for u in uses],
        sizes=[int(s) for s in sizes],
        seconds=time.process_time() - begun,
    )
