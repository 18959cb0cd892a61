"""Algorithm 2 with an explicit stack, its three selection orders, and pruning by a bound.

A frame is one call DTdistinct(R, S): the role of each feature (offered and required, offered and
optional, or not offered), its tree, and the order in which its used optional features go.
`advance` stops between two trees and can be called again, so that the caller can look at the
clock, take away results and enlarge what is too small.
"""

from typing import NamedTuple

import numpy as np

from pinetum.distinct.kernels.ahead import errors_ahead
from pinetum.distinct.kernels.make import cold_part, make_children, mix, rank_more
from pinetum.distinct.kernels.order import ABSENT, BY_ERRORS, OPTIONAL, order_by_errors, order_features
from pinetum.distinct.kernels.probe import PROBING, count_for, go_down
from pinetum.distinct.kernels.records import (
    DIGEST,
    EMPTIED,
    FRESH,
    FRESH_TREES,
    FULL,
    PEAK,
    RECORDS,
    SHARED,
    UNRANKED,
    USED,
    WITH_SEARCH,
    WORK,
)
from pinetum.distinct.kernels.walk import (
    CHILDREN,
    END,
    ENTRY,
    GROW,
    NEEDS_RANKING,
    REMAINING,
    REMOVED,
    ROOT_DEPTH,
    SOURCE,
    TO,
    TOP,
    VISITED,
    judge,
    regrow,
)
from pinetum.jit import kernel

# how `advance` ends
DONE, PAUSED, NEEDS_FOREST, NEEDS_ROOT, TOO_SMALL, ENOUGH = 0, 1, 2, 3, 4, 5

# control
(
    ORDER, LEVEL, ROOT, LIMIT, TIES, BEST_ERRORS, BEST_SIZE, EMIT_LIMIT, EMITTED, MAX_DISTINCT, WORK_STOP,
    BUILT, DISTINCT, SKIPPED, INCREMENTAL, BEST_IS_SET, FOLLOW, MARGIN, AHEAD, FILLED,
) = range(20)  # fmt: skip
CONTROLS = 24
UNBOUNDED = 1 << 60  # more errors than any limit that is one


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
    least: np.ndarray  # int64 (levels, features + 1): bounds of the sub-spaces below
    look: np.ndarray  # uint8 (features,), with `stack` and `gone`: scratch of the look ahead
    stack: np.ndarray  # int64 (depth, columns)
    gone: np.ndarray  # int64 (features,)
    probe: np.ndarray  # float64: a random path instead of the whole search, see probe_kernels
    draws: np.ndarray  # float64 (levels,): its random numbers, from 0 to 1
    sizes: np.ndarray  # int64 (features + 1,): distinct trees by number of features
    best: np.ndarray  # uint8 (features,)
    place: np.ndarray  # int64 (features,)
    path: np.ndarray  # int64 (depth,)
    masks: np.ndarray  # int64 (errors, 2)
    score: np.ndarray  # int64 (features,)
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
def highest(control, required):
    """The most errors of a tree that is looked for in a sub-space of trees with at least `required` features."""
    larger = control[TIES] != 0 and required > control[BEST_SIZE]
    return control[LIMIT] - 1 if larger else control[LIMIT]


@kernel
def leave_out(control, role, required, position, father, removed):
    """Go past a sub-space that holds nothing that is looked for."""
    control[SKIPPED] += 1
    role[father, removed] = OPTIONAL
    required[father] -= 1
    position[father] += 1


@kernel
def search_errors(table, store, forest, verdicts, frames, level, size):
    """Search errors of the tree of a frame, and the bounds for the sub-spaces below it."""
    n, order, place = frames.ordered[level], frames.order[level], frames.place
    if frames.control[ROOT] < 0:
        errors = -1 - frames.control[ROOT]
    else:
        place[:] = n
        for i in range(n):
            place[order[i]] = i
        errors = judge(
            table, store, forest, verdicts, frames.begin[level], frames.end[level], place, n,
            frames.least[level], frames.path,
        )  # fmt: skip
    keep_best(frames, level, errors, size)
    return errors


@kernel
def advance(table, store, forest, verdicts, frames):
    """Go on with the search until it is done or the caller has something to do."""
    # The loop reads arrays by these names: taking one from its tuple costs a reference count.
    control, counters, settings = frames.control, store.counters, table.settings
    pool, pool64, mask = store.pool, store.pool64, store.offered
    role, order, frontier, offered = frames.role, frames.order, frames.frontier, frames.offered
    begin, end, stamp, used = frames.begin, frames.end, frames.stamp, frames.used
    ordered, position, required, least = frames.ordered, frames.position, frames.required, frames.least
    sizes = frames.sizes
    records, feature, depth = forest.record, forest.feature, forest.depth
    errors_of, hopeless, weight, stack, state, branches = (
        forest.errors,
        forest.hopeless,
        forest.weight,
        forest.stack,
        forest.state,
        forest.branches,
    )
    n_features, words = role.shape[1], len(mask)
    small = np.int64(2 * (UNRANKED + 2 * words))
    incremental = control[INCREMENTAL] != 0
    shared = settings[SHARED] != 0
    with_search = settings[WITH_SEARCH] != 0
    results = len(frames.out_errors)
    selection = control[ORDER]
    probe = frames.probe
    probing = probe[PROBING] != 0
    while True:
        if control[EMITTED] == results or counters[WORK] >= control[WORK_STOP]:
            return PAUSED
        if control[DISTINCT] >= control[MAX_DISTINCT]:
            return ENOUGH
        father = control[LEVEL]
        child = father + 1
        removed = np.int64(-1)
        if father >= 0:
            if position[father] == ordered[father]:
                if not shared and incremental:
                    counters[USED] = used[father]
                if father == 0:
                    return DONE
                father -= 1
                control[LEVEL] = father
                role[father, order[father, position[father]]] = OPTIONAL
                position[father] += 1
                continue
            removed = np.int64(order[father, position[father]])
            if with_search and least[father, position[father]] > highest(control, required[father] - 1):
                leave_out(control, role, required, position, father, removed)
                continue
            for f in range(n_features):
                role[child, f] = role[father, f]
            role[child, removed] = ABSENT
            for w in range(words):
                offered[child, w] = offered[father, w]
            offered[child, removed >> 6] &= ~(np.int64(1) << np.int64(removed & 63))
        used[child] = counters[USED]

        # The frame's tree, from the father's when there is one that points into the present store.
        if not incremental and counters[FRESH] == 0:
            counters[USED] = 2  # grown from scratch: nothing is kept
        if counters[USED] <= 2:
            return NEEDS_ROOT
        counters[FRESH] = 0
        looks = father >= 0 and with_search and shared and control[AHEAD] > 0 and control[LIMIT] < UNBOUNDED
        if looks and control[FILLED] != counters[EMPTIED]:
            # A case with shares that is wrong already may be counted as hopeless further up: it is left to `least`.
            allowed = highest(control, required[father] - 1)
            for f in range(n_features):
                frames.look[f] = role[child, f]
            for w in range(words):
                mask[w] = offered[child, w]
            bound = errors_ahead(
                table, store, branches, frames.look, frames.stack, frames.gone, control[ROOT], control[AHEAD],
                allowed + 1,
            )  # fmt: skip
            if bound == FULL:
                control[FILLED] = counters[EMPTIED]  # it looks ahead again when the store has been emptied
            elif bound > allowed:
                leave_out(control, role, required, position, father, removed)
                continue
        whole = father < 0 or not incremental
        target = father if not whole and stamp[father] != counters[EMPTIED] else child
        while True:
            if target == father or whole:
                start = begin[father] if target == father else np.int64(0)
                if target == child and father >= 0:
                    start = end[father]
                state[SOURCE], state[END], state[REMAINING], state[REMOVED] = start, start, 0, -1
                state[VISITED] = max(control[ROOT], 0)
                for f in range(n_features):
                    frontier[target, f] = 0
            else:
                start = end[father]
                state[SOURCE], state[END], state[REMOVED] = begin[father], start, removed
                state[REMAINING], state[VISITED] = frontier[father, removed], 0
                for f in range(n_features):
                    frontier[target, f] = frontier[father, f]
            state[TO], state[TOP], state[ROOT_DEPTH], state[CHILDREN] = start, 0, 0, 0
            for w in range(words):
                mask[w] = offered[target, w]
            failed = np.int64(0)
            while failed == 0:
                need = regrow(
                    pool, pool64, mask, records, feature, depth, errors_of, hopeless, weight, stack, role, frontier,
                    branches, state, target, small, with_search,
                )  # fmt: skip
                if need == 0:
                    break
                if need == GROW:
                    failed = np.int64(GROW)
                elif need == NEEDS_RANKING:
                    failed = rank_more(table, store, state[VISITED])
                else:
                    children = make_children(table, store, state[VISITED], state[ENTRY])
                    if children == FULL:
                        failed = np.int64(FULL)
                    elif not shared:
                        state[CHILDREN] = children  # no record knows them
            if failed != 0:
                break
            begin[target] = start
            end[target] = state[TO]
            stamp[target] = counters[EMPTIED]
            if target == child:
                break
            target = child
        if failed == GROW:
            return NEEDS_FOREST
        if failed == FULL:
            if not shared or counters[FRESH_TREES] == 0:
                return TOO_SMALL
            empty(store)
            return NEEDS_ROOT
        counters[FRESH_TREES] += 1
        counters[WORK] += 100 + end[child] - begin[child]

        # Count it, and decide how the search goes on below it.
        control[BUILT] += 1
        n, size, needed, distinct = order_features(role, order, frontier, child, selection)
        ordered[child], position[child], required[child] = n, 0, needed
        wrong = np.int64(0)
        if with_search:
            if selection == BY_ERRORS and control[ROOT] > 0:
                order_by_errors(
                    feature, depth, errors_of, begin[child], end[child], order[child], n, frames.place, frames.path,
                    frames.masks, frames.score,
                )  # fmt: skip
            wrong = search_errors(table, store, forest, verdicts, frames, child, size)
        if distinct:
            control[DISTINCT] += 1
            sizes[size] += 1
            if wrong <= control[EMIT_LIMIT]:
                emit(table, store, forest, frames, child, wrong)
        if father >= 0:
            required[father] -= 1
        if probing:
            count_for(probe, distinct, 100 + end[child] - begin[child])
            if n == 0:
                return DONE
            go_down(probe, frames.draws[child], role, order, required, position, child, n)
        if father < 0 or n > 0:
            control[LEVEL] = child
        else:
            role[father, removed] = OPTIONAL
            position[father] += 1
            if not shared and incremental:
                counters[USED] = used[child]
