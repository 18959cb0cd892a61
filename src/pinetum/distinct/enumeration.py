"""Algorithm 2: all and only the distinct trees of the subsets of features."""

import heapq
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from pinetum.distinct.engine import UNLIMITED, Engine, members, peak_mb
from pinetum.induction import yadt
from pinetum.induction.cases import cases_of
from pinetum.parameters import LARGEST, Number, check
from pinetum.progress import watched


@dataclass(frozen=True, order=True)
class Found:
    """One distinct tree. Ordered as the search ranks: errors, number of features, features."""

    errors: (
        float  # on the search set; 0 without one; of a search, whole parts of the objective's unit
    )
    size: int
    subset: tuple[int, ...]  # the features the tree uses, which grow it
    signature: str = field(compare=False, default="")


@dataclass(frozen=True)
class Enumeration:
    """What an enumeration counted."""

    status: str  # ok, time_limit, work_limit, tree_limit, memory_limit, interrupted
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
        """Trees built per distinct tree: 1 when none is built twice."""
        return self.built / self.distinct if self.distinct else float("nan")


def as_costs(objective, trees) -> list[Found]:
    """Trees of a search for its caller: errors as costs, in place of parts."""
    return [replace(tree, errors=objective.in_costs(tree.errors)) for tree in trees]


def found_in(subsets, errors, signatures):
    """The trees that a search has handed over."""
    for subset, wrong, signature in zip(members(subsets), errors, signatures, strict=True):
        yield Found(int(wrong), len(subset), subset, f"{int(signature):016x}")


def enumerate_trees(
    data,
    min_cases=2,
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
    """Enumerate the distinct trees whose features are `required` and any of `optional` (default:
    all features).

    `min_cases`: a node with less weight is a leaf; `options` replaces it with other rules of
    growing. `each` is called with every distinct tree; `best_k` keeps the best ones by errors on
    the cases `search`. `seconds` (of CPU), `work` and `trees` bound the run, which then ends with
    what is known.
    """
    engine = Engine(
        data, options or yadt(min_cases), building, search, cache_mb=cache_mb, build=build
    )
    return run_enumeration(
        engine,
        required,
        optional,
        order=order,
        best_k=best_k,
        each=each,
        seconds=seconds,
        work=work,
        trees=trees,
    )


def count_trees(
    X,
    y=None,
    *,
    min_cases=2,
    criterion="gain",
    options=None,
    required=(),
    optional=None,
    cases=None,
    work=None,
    time_limit=None,
    trees=None,
    cache_mb=1000,
    verbose=0,
) -> Enumeration:
    """Count the distinct decision trees over all subsets of the features.

    Parameters
    ----------
    X : DataFrame or array of shape (cases, features), or Table
        Columns of a DataFrame that hold categories, text or truth values are discrete; NaN is
        missing.
    y : array of shape (cases,); none for a Table, which knows its classes
    min_cases : float, default 2
        A node with less weight is a leaf (the paper's m).
    criterion : str, default "gain"
        What a split is chosen by.
    options : Options, optional
        All rules of growing, in place of `min_cases` and `criterion`.
    required, optional : sequence of int
        Features that every subset has, and those that it may have. Default: none and all.
    cases : sequence of int, optional
        The cases that trees are grown on. Default: all.
    work, time_limit, trees : optional
        Limits in steps, CPU seconds and distinct trees; the count so far then has the status
        "work_limit", "time_limit" or "tree_limit"; after Ctrl-C it is "interrupted".
    cache_mb : float, default 1000
        Memory for node records.
    verbose : int, default 0
        1 tells the standard error how far the count has come.

    Returns
    -------
    Enumeration

    Notes
    -----
    Algorithm 2 of Ruggieri (2017), section 4.

    Examples
    --------
    >>> count_trees([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 1]).distinct
    4
    >>> from pinetum.data.sample import sample
    >>> counted = count_trees(sample(missing=False), optional=(0, 1))
    >>> counted.distinct, counted.sizes[:3]  # neither of the features, one of them, both
    (4, [1, 2, 1])
    """
    trees_range = {"trees": Number(0, LARGEST, whole=True, also=(None,))}
    check(
        trees_range,
        min_cases=min_cases,
        work=work,
        time_limit=time_limit,
        trees=trees,
        verbose=verbose,
    )
    engine = Engine(cases_of(X, y), options or yadt(min_cases, criterion), cases, cache_mb=cache_mb)
    with watched("count_trees", verbose):
        return run_enumeration(
            engine, required, optional, seconds=time_limit, work=work, trees=trees
        )


def run_enumeration(
    engine,
    required=(),
    optional=None,
    *,
    order="ascending",
    best_k=0,
    each=None,
    seconds=None,
    work=None,
    trees=None,
):
    engine.begin(required, optional, order=order)
    if trees is not None:
        engine.limit_trees(trees)
    kept = Best(best_k)

    def on_block(subsets, errors, signatures):
        for tree in found_in(subsets, errors, signatures):
            if each is not None:
                each(tree)
            kept.offer(tree)
        if each is None and kept.full:
            engine.emit(kept.worst.errors)
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
        best=kept.trees,
    )


class Best:
    """The best trees met so far."""

    def __init__(self, number):
        self.number = number
        self._heap: list[Reversed] = []

    def offer(self, tree):
        if len(self._heap) < self.number:
            heapq.heappush(self._heap, Reversed(tree))
        elif self.number and tree < self.worst:
            heapq.heapreplace(self._heap, Reversed(tree))

    @property
    def full(self) -> bool:
        return 0 < self.number == len(self._heap)

    @property
    def worst(self) -> Found:
        """The next to go."""
        return self._heap[0].tree

    @property
    def trees(self) -> list[Found]:
        return sorted(entry.tree for entry in self._heap)


@dataclass(frozen=True)
class Reversed:
    """For a heap whose first entry is the worst."""

    tree: Found

    def __lt__(self, other):
        return other.tree < self.tree
