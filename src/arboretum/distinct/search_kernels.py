"""Algorithm 2 with an explicit stack, its three selection orders, and pruning by a bound.

A frame is one call DTdistinct(R, S): the role of each feature (offered and required, offered and
optional, or not offered), its tree, and the order in which its used optional features go.
`advance` stops between two trees and can be called again, so that the caller can look at the
clock, take away results and enlarge what is too small.
"""

from typing import NamedTuple

import numpy as np

from arboretum.distinct.make_kernels import cold_part, mix
from arboretum.distinct.records_kernels import (
    DIGEST,
    EMPTIED,
    FRESH,
    FRESH_TREES,
    FULL,
    PEAK,
    RECORDS,
    SHARED,
    USED,
    WITH_SEARCH,
    WORK,
)
from arboretum.distinct.walk_kernels import GROW, WHOLE, judge, rewalk
from arboretum.kernel import kernel

ABSENT, OPTIONAL, REQUIRED = 0, 1, 2
ASCENDING, DESCENDING, FIXED_INDEX = 0, 1, 2
# how `advance` ends
DONE, PAUSED, NEEDS_FOREST, NEEDS_ROOT, TOO_SMALL, ENOUGH = 0, 1, 2, 3, 4, 5

# control
(
    ORDER, LEVEL, ROOT, LIMIT, TIES, BEST_ERRORS, BEST_SIZE, EMIT_LIMIT, EMITTED, MAX_DISTINCT, WORK_STOP,
    BUILT, DISTINCT, SKIPPED, INCREMENTAL, BEST_IS_SET, FOLLOW, MARGIN,
) = range(18)  # fmt: skip
CONTROLS = 24


class Frames(NamedTuple):
    control: np.ndarray  # int64
    role: np.ndarray  # uint8 (levels, features)
    offered: np.ndarray  # int64 (levels, words): the features with a role, as bits
    order: np.ndarray  # int32 (levels, features)
    ordered: np.ndarray  # int64 (levels,)
    position: np.ndarray  # int64 (levels,)
    required: np.ndarray  # int64 (levels,): size of R'
    begin: np.ndarray  # int64 (levels,)
    end: np.ndarray  # int64 (levels,)
    stamp: np.ndarray  # int64 (levels,): which filling of the store the tree points into
    used: np.ndarray  # int64 (levels,): without sharing, the store before this frame
    frontier: np.ndarray  # int64 (levels, features)
    least: np.ndarray  # int64 (levels, features + 1)
    sizes: np.ndarray  # int64 (features + 1,): distinct trees by number of features
    best: np.ndarray  # uint8 (features,)
    place: np.ndarray  # int64 (features,)
    path: np.ndarray  # int64 (depth,)
    out_subset: np.ndarray  # uint64 (results, words)
    out_errors: np.ndarray  # int64 (results,)
    out_digest: np.ndarray  # uint64 (results,)


@kernel
def empty(store):
    store.counters[PEAK] = max(store.counters[PEAK], store.counters[USED])
    store.counters[USED] = 2  # record 0 would read as "not made"
    store.counters[RECORDS] = 0
    store.counters[EMPTIED] += 1
    store.counters[FRESH_TREES] = 0
    store.slots[:] = 0


@kernel
def tree_of_frame(table, store, forest, frames, level, father):
    """Make the tree of a frame, from its father's when there is one; 0, FULL, GROW or NEEDS_ROOT.

    A father's tree that points into a store since emptied is walked again first.
    """
    control, counters = frames.control, store.counters
    if control[INCREMENTAL] == 0 and counters[FRESH] == 0:
        counters[USED] = 2  # grown from scratch: nothing is kept
    if counters[USED] <= 2:
        return np.int64(NEEDS_ROOT)
    counters[FRESH] = 0
    stale = father >= 0 and frames.stamp[father] != counters[EMPTIED]
    target = father if stale else level
    while True:
        if father < 0 or target == father or control[INCREMENTAL] == 0:
            # the whole tree, from the root, as the change of a tree that is one leaf
            removed = WHOLE
            begin = frames.begin[target] if target == father or father < 0 else frames.end[father]
            end = begin
            frontier = frames.frontier[target]
            for f in range(len(frontier)):
                frontier[f] = 0
        else:
            removed = np.int64(frames.order[father, frames.position[father]])
            begin, end = frames.begin[father], frames.end[father]
            frontier, above = frames.frontier[target], frames.frontier[father]
            for f in range(len(frontier)):
                frontier[f] = above[f]
        for w in range(len(store.offered)):
            store.offered[w] = frames.offered[target, w]
        if control[ROOT] < 0:
            to = end
        else:
            to = rewalk(
                table, store, forest, begin, end, removed, control[ROOT], frames.role[target], frames.frontier[target]
            )
        if to < 0:
            return to
        frames.begin[target] = end
        frames.end[target] = to
        frames.stamp[target] = counters[EMPTIED]
        if target == level:
            return np.int64(0)
        target = level


@kernel
def comes_first(a, b):
    """Whether the lowest feature in which two subsets of one size differ is in the first."""
    for f in range(len(a)):
        if (a[f] != 0) != (b[f] != 0):
            return a[f] != 0
    return False


@kernel
def keep_best(frames, level, errors, size):
    control, best, frontier = frames.control, frames.best, frames.frontier[level]
    if control[BEST_IS_SET] != 0:
        if errors > control[BEST_ERRORS]:
            return
        if errors == control[BEST_ERRORS]:
            if size > control[BEST_SIZE]:
                return
            if size == control[BEST_SIZE] and not comes_first(frontier, best):
                return
    control[BEST_IS_SET] = 1
    control[BEST_ERRORS] = errors
    if control[FOLLOW] != 0:
        control[LIMIT] = errors - control[MARGIN]
    control[BEST_SIZE] = size
    for f in range(len(best)):
        best[f] = frontier[f] > 0


@kernel
def emit(table, store, forest, frames, level, errors):
    """Write used features, errors and a digest of a tree to the results."""
    control, frontier = frames.control, frames.frontier[level]
    at = control[EMITTED]
    control[EMITTED] += 1
    frames.out_subset[at] = 0
    for f in range(len(frontier)):
        if frontier[f] > 0:
            frames.out_subset[at, f >> 6] |= np.uint64(1) << np.uint64(f & 63)
    digest = np.uint64(0)
    for i in range(frames.begin[level], frames.end[level]):
        if forest.feature[i] >= 0:
            node = np.uint64(store.pool64[cold_part(table, np.int64(forest.record[i])) + DIGEST])
            digest += mix(node + np.uint64(forest.feature[i] + 1))
    frames.out_errors[at] = errors
    frames.out_digest[at] = digest


@kernel
def enter(table, store, forest, verdicts, frames, level):
    """Count the tree of a frame and decide the order in which its features go."""
    control = frames.control
    role, order, frontier = frames.role[level], frames.order[level], frames.frontier[level]
    control[BUILT] += 1
    selection = control[ORDER]
    distinct = True
    size = np.int64(0)
    required = np.int64(0)
    n = np.int64(0)
    for f in range(len(role)):
        if frontier[f] > 0:
            size += 1
            if role[f] == OPTIONAL:
                role[f] = REQUIRED
                at = n
                if selection == ASCENDING:
                    while at > 0 and frontier[order[at - 1]] > frontier[f]:
                        order[at] = order[at - 1]
                        at -= 1
                elif selection == DESCENDING:
                    while at > 0 and frontier[order[at - 1]] < frontier[f]:
                        order[at] = order[at - 1]
                        at -= 1
                order[at] = f
                n += 1
            required += 1
        elif role[f] == REQUIRED:
            distinct = False
            required += 1
    frames.ordered[level] = n
    frames.position[level] = 0
    frames.required[level] = required
    errors = np.int64(0)
    if table.settings[WITH_SEARCH] != 0:
        place = frames.place
        place[:] = n
        for i in range(n):
            place[order[i]] = i
        if control[ROOT] < 0:
            errors = -1 - control[ROOT]
        else:
            errors = judge(
                table, store, forest, verdicts, frames.begin[level], frames.end[level], place, n,
                frames.least[level], frames.path,
            )  # fmt: skip
        keep_best(frames, level, errors, size)
    if distinct:
        control[DISTINCT] += 1
        frames.sizes[size] += 1
        if errors <= control[EMIT_LIMIT]:
            emit(table, store, forest, frames, level, errors)


@kernel
def pruned(table, frames, level):
    """Whether the bound shows that the next child's sub-space holds nothing that is looked for."""
    if table.settings[WITH_SEARCH] == 0:
        return False
    control = frames.control
    least = frames.least[level, frames.position[level]]
    if least > control[LIMIT]:
        return True
    return control[TIES] != 0 and least == control[LIMIT] and frames.required[level] - 1 > control[BEST_SIZE]


@kernel
def advance(table, store, forest, verdicts, frames):
    """Go on with the search until it is done or the caller has something to do."""
    control, counters = frames.control, store.counters
    incremental = control[INCREMENTAL] != 0
    shared = table.settings[SHARED] != 0
    results = len(frames.out_errors)
    while True:
        if control[EMITTED] == results or counters[WORK] >= control[WORK_STOP]:
            return PAUSED
        if control[DISTINCT] >= control[MAX_DISTINCT]:
            return ENOUGH
        level = control[LEVEL]
        if level < 0:
            # the first frame; its roles are set
            child, father = np.int64(0), np.int64(-1)
        else:
            if frames.position[level] == frames.ordered[level]:
                if not shared and incremental:
                    counters[USED] = frames.used[level]
                if level == 0:
                    return DONE
                level -= 1
                control[LEVEL] = level
                removed = frames.order[level, frames.position[level]]
                frames.role[level, removed] = OPTIONAL
                frames.position[level] += 1
                continue
            removed = frames.order[level, frames.position[level]]
            if pruned(table, frames, level):
                control[SKIPPED] += 1
                frames.role[level, removed] = OPTIONAL
                frames.required[level] -= 1
                frames.position[level] += 1
                continue
            father = level
            child = level + 1
            role, above = frames.role[child], frames.role[father]
            for f in range(len(role)):
                role[f] = above[f]
            role[removed] = ABSENT
            for w in range(frames.offered.shape[1]):
                frames.offered[child, w] = frames.offered[father, w]
            frames.offered[child, removed >> 6] &= ~(np.int64(1) << np.int64(removed & 63))
        frames.used[child] = counters[USED]
        failed = tree_of_frame(table, store, forest, frames, child, father)
        if failed == NEEDS_ROOT:
            return NEEDS_ROOT
        if failed == GROW:
            return NEEDS_FOREST
        if failed == FULL:
            if not shared or counters[FRESH_TREES] == 0:
                return TOO_SMALL
            empty(store)
            return NEEDS_ROOT
        counters[FRESH_TREES] += 1
        if father >= 0:
            frames.required[father] -= 1
        counters[WORK] += 100 + frames.end[child] - frames.begin[child]
        enter(table, store, forest, verdicts, frames, child)
        if child == 0 or frames.ordered[child] > 0:
            control[LEVEL] = child
        else:
            frames.role[father, removed] = OPTIONAL
            frames.position[father] += 1
            if not shared and incremental:
                counters[USED] = frames.used[child]
