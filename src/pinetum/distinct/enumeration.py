"""Algorithm 2: all and only the distinct trees of the subsets of features."""

import heapq
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from pinetum.distinct.engine import UNLIMITED, Engine, members, peak_mb
from pinetum.induction import yadt


@dataclass(frozen=True, order=True)
class Found:
    """One distinct tree. Ordered as the search ranks: errors, number of features, features."""

    errors: int  # on the search set; 0 without one
    size: int
    subset: tuple[int, ...]  # the features the tree uses, which grow it
    signature: str = field(compare=False, default="")


@dataclass(frozen=True)
class Enumeration:
    status: str  # ok, time_limit, work_limit, tree_limit, memory_limit
    distinct: int
    built: int
    sizes: list[int]  # distinct trees by number of features
    seconds: float
    cache_mb: float  # most of the record store that was in use
    cache_emptied: int
    records: int  # sets of cases whose features were ranked
    peak_mb: float
    best: list[Found]

    @property
    def ratio(self) -> float:
        return self.built / self.distinct if self.distinct else float("nan")


def found_in(subsets, errors, signatures):
    for row, wrong, signature in zip(subsets, errors, signatures, strict=True):
        subset = members(row)
        yield Found(int(wrong), len(subset), subset, f"{int(signature):016x}")


def enumerate_trees(
    dataset,
    m=2,
    *,
    options=None,
    building=None,
    search=None,
    required=(),
    optional=None,
    order="ascending",
    build="shared",
    best_k: int = 0,
    each: Callable[[Found], None] | None = None,
    seconds: float | None = None,
    work: int | None = None,
    trees: int | None = None,
    cache_mb: float = 1000,
) -> Enumeration:
    """Enumerate the distinct trees whose features are `required` and any of `optional` (default: all features).

    `m`: a node with less weight is a leaf; `options` replaces it with other rules of growing. `each` is called
    with every distinct tree; `best_k` keeps the best ones by errors on the cases `search`. `seconds` (of CPU),
    `work` and `trees` bound the run, which then ends with what is known.
    """
    engine = Engine(dataset, options or yadt(m), building, search, cache_mb=cache_mb, build=build)
    return run_enumeration(
        engine, required, optional, order=order, best_k=best_k, each=each, seconds=seconds, work=work, trees=trees
    )


def run_enumeration(
    engine, required=(), optional=None, *, order="ascending", best_k=0, each=None, seconds=None, work=None, trees=None
):
    engine.begin(required, optional, order=order)
    if trees is not None:
        engine.limit_trees(trees)
    kept: list = []  # a heap whose first entry is the worst of the best

    def on_block(subsets, errors, signatures):
        for tree in found_in(subsets, errors, signatures):
            if each is not None:
                each(tree)
            if best_k:
                entry = Reversed(tree)
                if len(kept) < best_k:
                    heapq.heappush(kept, entry)
                elif kept[0] < entry:
                    heapq.heapreplace(kept, entry)
        if each is None and len(kept) == best_k:
            engine.emit(kept[0].tree.errors)
        return False

    if each is not None or best_k:
        engine.emit(UNLIMITED)
    begun = time.process_time()
    end = engine.run(seconds=seconds, work=work, on_block=on_block)
    return Enumeration(
        status={"done": "ok", "enough": "tree_limit"}.get(end, end),
        distinct=engine.distinct,
        built=engine.built,
        sizes=engine.sizes,
        seconds=time.process_time() - begun,
        cache_mb=engine.cache_peak_mb,
        cache_emptied=engine.emptied,
        records=engine.evaluated,
        peak_mb=peak_mb(),
        best=sorted(entry.tree for entry in kept),
    )


@dataclass(frozen=True)
class Reversed:
    """For a heap of the best: the worst comes first."""

    tree: Found

    def __lt__(self, other):
        return other.tree < self.tree
