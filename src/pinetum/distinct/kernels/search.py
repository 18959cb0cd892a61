"""Algorithm 2 with an explicit stack, its three selection orders, and pruning by a bound.

A frame is one call DTdistinct(R, S): the role of each feature (offered and required, offered and
optional, or not offered), its tree, and the order in which its used optional features go.
`advance` stops between two trees and can be called again, so that the caller can look at the
clock, take away results and enlarge what is too small.

Its loop names the arrays that it reads once, before it begins: taking one from its tuple costs a
reference count, handing a tuple over one for each of its arrays. So the steps of every tree take
arrays one by one, and only rare ones take tuples.
"""

from typing import NamedTuple

import numpy as np

from pinetum.distinct.kernels.ahead import errors_ahead
from pinetum.distinct.kernels.make import cold_part, make_children, mix, rank_more
from pinetum.distinct.kernels.order import (
    ABSENT,
    BY_ERRORS,
    OPTIONAL,
    order_by_errors,
    order_features,
)
from pinetum.distinct.kernels.probe import PROBING, count_for, go_down
from pinetum.distinct.kernels.records import (
    DIGEST,
    FREED,
    FULL,
    NEEDS_CHILDREN,
    NEEDS_RANKING,
    UNRANKED,
    record_of,
)
from pinetum.distinct.kernels.walk import GROW, judge, regrow
from pinetum.jit import kernel
from pinetum.kernels.arrays import borrow

# how `advance` ends
DONE, PAUSED, NEEDS_FOREST, NEEDS_ROOT, TOO_SMALL, ENOUGH, GOES_ON = 0, 1, 2, 3, 4, 5, -1
UNBOUNDED = 1 << 60  # more errors than any limit that is one
LATEST = 32  # sub-spaces that tell whether the next has some below

CONTROL = record_of(
    "order",  # in which used features go: see `order`
    "level",  # of the frame at hand; -1 before the first
    "root",  # the record of all cases, or a leaf
    "virtual",  # 1: the last feature is the one whose branches are the parts, which every tree uses
    "incremental",  # a tree is made from its father's
    "ahead",  # so many undecided splits on a path the bound looks ahead
    "filled",  # which filling of the store is too full to look ahead
    "unlooked",  # which one began too full: it is for a tree alone
    "limit",  # sub-spaces whose trees all err more are left out
    "ties",  # and those that err as much with more features than the best
    "follow",  # the limit follows the best, at a distance of
    "margin",
    "feature_cost",  # what a used feature adds to the errors
    "size_cost",  # what it adds to them in the choice of the best: much, for the smallest subset
    "cap",  # of at most so many errors
    "best_is_set",
    "best_errors",  # of the best tree, its features paid for at both prices
    "best_size",
    # 1: only the first tree and those without one of its features, all of which are handed over
    "shallow",
    "emit_limit",  # trees with at most this many errors are handed over
    "emitted",
    "max_distinct",
    "work_stop",
    "built",
    "distinct",
    "skipped",
)


class Frames(NamedTuple):
    control: np.ndarray  # CONTROL (1,)
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
    ahead: np.ndarray  # LOOK (1,)
    probe: np.ndarray  # float64: a random path instead of the whole search, see probe_kernels
    draws: np.ndarray  # float64 (levels,): its random numbers, from 0 to 1
    sizes: np.ndarray  # int64 (features + 1,): distinct trees by number of features
    best: np.ndarray  # uint8 (features,)
    place: np.ndarray  # int64 (features,)
    path: np.ndarray  # int64 (depth,)
    score: np.ndarray  # int64 (features,)
    out_subset: np.ndarray  # uint64 (results, words)
    out_errors: np.ndarray  # int64 (results,)
    out_digest: np.ndarray  # uint64 (results,)


@kernel(pauses=True)
def empty(store):
    counters = store.counters[0]
    counters.peak = max(counters.peak, counters.used)
    counters.used = 2  # record 0 would read as "not made"
    counters.records = 0
    counters.emptied += 1
    counters.fresh_trees = 0
    store.slots[:] = 0
    store.kept[FREED] = 0


@kernel(pauses=True)
def advance(table, store, forest, verdicts, frames):
    """Go on with the search until it is done or the caller has something to do."""
    c, counters = frames.control[0], store.counters[0]
    settings, now = table.settings[0], forest.state[0]
    role, order, frontier = borrow(frames.role), borrow(frames.order), borrow(frames.frontier)
    offered, mask = borrow(frames.offered), borrow(store.offered)
    begin, end = borrow(frames.begin), borrow(frames.end)
    stamp, used = borrow(frames.stamp), borrow(frames.used)
    ordered, position = borrow(frames.ordered), borrow(frames.position)
    required, least = borrow(frames.required), borrow(frames.least)
    sizes, probe = borrow(frames.sizes), borrow(frames.probe)
    pool, pool64, records = borrow(store.pool), borrow(store.pool64), borrow(forest.record)
    feature, depth = borrow(forest.feature), borrow(forest.depth)
    errors_of, hopeless = borrow(forest.errors), borrow(forest.hopeless)
    weight, stack = borrow(forest.weight), borrow(forest.stack)
    state, branches = forest.state, borrow(forest.branches)
    codes, labels, kind = borrow(table.codes), borrow(table.labels), borrow(table.kind)
    arity, values = borrow(table.arity), borrow(table.values)
    value_start, present = borrow(table.value_start), borrow(table.present)
    hashes, cost = borrow(table.hashes), borrow(table.cost)
    column_order, cells = borrow(table.order), borrow(table.cells)
    nlogn_of, rules = borrow(table.nlogn), table.rules
    slots, case = borrow(store.slots), borrow(store.case)
    case_weight, label = borrow(store.weight), borrow(store.label)
    by_class, histogram, entries = (
        borrow(store.by_class),
        borrow(store.histogram),
        borrow(store.entries),
    )
    cut_sizes, steps = borrow(store.sizes), borrow(store.steps)
    weight_of, bits = borrow(store.weight_of), borrow(store.bits)
    ranked, quality, kept = borrow(store.ranked), borrow(store.quality), borrow(store.kept)
    sets, counts = borrow(store.sets), borrow(store.counts)
    branch_begin, known, building = borrow(store.begin), borrow(store.known), borrow(store.building)
    branch_end, total = borrow(store.end), borrow(store.total)
    look, gone = borrow(frames.look), borrow(frames.gone)
    ahead_stack, ahead = borrow(frames.stack), frames.ahead[0]
    best, place, path = borrow(frames.best), borrow(frames.place), borrow(frames.path)
    masks, score, least_cost = borrow(forest.masks), borrow(frames.score), borrow(table.least_cost)
    out_subset, out_errors, out_digest = (
        borrow(frames.out_subset),
        borrow(frames.out_errors),
        borrow(frames.out_digest),
    )
    incremental, shared, with_search = (
        c.incremental != 0,
        settings.shared != 0,
        settings.with_search != 0,
    )
    small = np.int64(2 * (UNRANKED + 2 * settings.words))
    results = len(out_errors)
    probing = probe[PROBING] != 0
    counting = shared and not with_search and c.emit_limit < 0 and c.shallow == 0
    bare = np.int64(0)  # of the latest first sub-spaces: those without any below, less the others
    ending = GOES_ON
    while ending == GOES_ON:
        if c.emitted == results or counters.work >= c.work_stop:
            ending = PAUSED
            continue
        if c.distinct >= c.max_distinct:
            ending = ENOUGH
            continue
        father = c.level
        child = father + 1
        removed = np.int64(-1)
        if father >= 0:
            if position[father] == ordered[father]:
                if not shared and incremental:
                    counters.used = used[father]
                if father == 0:
                    ending = DONE
                    continue
                go_up(c, role, order, position, father - 1)
                continue
            removed = np.int64(order[father, position[father]])
            if with_search and least[father, position[father]] > highest(c, required[father] - 1):
                leave_out(c, role, required, position, father, removed)
                continue
            offer_without(role, offered, father, removed)
        used[child] = counters.used

        if not incremental and counters.fresh == 0:
            counters.used = 2  # grown from scratch: nothing is kept
        if counters.used <= 2:
            ending = NEEDS_ROOT
            continue
        counters.fresh = 0
        # The frame's tree is made from the father's, which is walked anew first when it points into
        # an emptied store.
        whole = father < 0 or not incremental
        level = father if not whole and stamp[father] != counters.emptied else child
        looks = father >= 0 and with_search and shared and c.ahead > 0 and c.limit < UNBOUNDED
        looks &= c.filled != counters.emptied
        allowed, errs = np.int64(UNBOUNDED), False
        if looks:
            # A case with shares that is wrong already may be counted as hopeless further up: it is
            # left to `least`.
            allowed = highest(c, required[father] - 1)
            begin_look(ahead, look, mask, role, offered, child, c.root, c.ahead, allowed + 1, 0)
        # Where trees are only counted, that of the first sub-space below a frame is copied when it
        # has some below too, unless most of them had some of late.
        first = counting and father >= 0 and position[father] == 0
        copies = not first or bare <= 0
        start = np.int64(-1)  # no walk has begun
        while True:
            if start < 0 and not looks:
                low = begin[father] if father >= 0 else np.int64(0)
                high = low if father < 0 or level == father else end[father]
                begin_walk(
                    now,
                    frontier,
                    offered,
                    mask,
                    father,
                    level,
                    low,
                    high,
                    whole or level == father,
                    c.root,
                    removed,
                )
                start = now.to
            if looks:
                need = errors_ahead(
                    pool,
                    pool64,
                    len(mask),
                    mask,
                    branches,
                    look,
                    ahead_stack,
                    gone,
                    small,
                    counters,
                    ahead,
                )
                record, entry = ahead.missing, ahead.entry
                if need >= 0:
                    errs = need > allowed
                    if errs:
                        break
                    if ahead.makes == 0:
                        begin_look(
                            ahead, look, mask, role, offered, child, c.root, c.ahead, allowed + 1, 1
                        )
                        continue
            else:
                need = regrow(
                    pool,
                    pool64,
                    mask,
                    records,
                    feature,
                    depth,
                    errors_of,
                    hopeless,
                    weight,
                    stack,
                    role,
                    frontier,
                    branches,
                    state,
                    level,
                    small,
                    with_search,
                    copies or level == father,
                )
                record, entry = now.visited, now.entry if need == NEEDS_CHILDREN else np.int64(0)
            made = np.int64(0)
            if need == NEEDS_RANKING:
                made = rank_more(
                    kind,
                    labels,
                    arity,
                    cells,
                    column_order,
                    values,
                    value_start,
                    present,
                    nlogn_of,
                    rules,
                    settings,
                    pool,
                    pool64,
                    counters,
                    case,
                    case_weight,
                    label,
                    by_class,
                    histogram,
                    entries,
                    cut_sizes,
                    steps,
                    weight_of,
                    bits,
                    ranked,
                    quality,
                    kept,
                    sets,
                    mask,
                    record,
                )
            elif need == NEEDS_CHILDREN:
                made = make_children(
                    codes,
                    labels,
                    kind,
                    arity,
                    hashes,
                    cost,
                    rules[0],
                    settings,
                    pool,
                    pool64,
                    slots,
                    counters,
                    case,
                    case_weight,
                    branch_begin,
                    known,
                    building,
                    branch_end,
                    total,
                    counts,
                    sets,
                    record,
                    entry,
                )
                if not shared:
                    now.children = made  # no record knows them
            if made == FULL:
                need = made
            elif need in (NEEDS_RANKING, NEEDS_CHILDREN):
                continue
            if looks:
                looks = False
                if need == FULL:
                    c.filled = (
                        counters.emptied
                    )  # it looks ahead again when the store has been emptied
            elif need != 0:
                break
            elif level == child and not copies and has_optional(role, frontier, child):
                copies = True
            else:
                begin[level], end[level], stamp[level] = start, now.to, counters.emptied
                level += 1
                if level > child:
                    break
            start = np.int64(-1)
        if errs:
            leave_out(c, role, required, position, father, removed)
            continue
        if need == GROW:
            ending = NEEDS_FOREST
            continue
        if need == FULL:
            alone = (
                c.filled == counters.emptied
                and c.unlooked != counters.emptied
                and counters.fresh_trees == 0
            )
            if not shared or (counters.fresh_trees == 0 and not alone):
                ending = TOO_SMALL
                continue
            empty(store)
            if alone:  # looking ahead left no room for the first tree
                c.filled = c.unlooked = counters.emptied
            ending = NEEDS_ROOT
            continue
        walked = 100 + end[child] - begin[child]
        counters.fresh_trees += 1
        counters.work += walked

        c.built += 1
        n, size, needed, is_distinct = order_features(role, order, frontier, child, c.order)
        size -= c.virtual
        ordered[child], position[child], required[child] = n, 0, needed - c.virtual
        errors = np.int64(0)
        if first:
            bare = max(np.int64(-LATEST), min(bare + (1 if n == 0 else -1), np.int64(LATEST)))
        if with_search:
            place_features(
                c,
                feature,
                depth,
                errors_of,
                begin[child],
                end[child],
                order[child],
                n,
                place,
                path,
                masks,
                score,
            )
            errors = -1 - c.root  # of a tree that is a leaf
            if c.root >= 0:
                errors = judge(
                    pool,
                    pool64,
                    settings.words,
                    labels,
                    cost,
                    least_cost,
                    records,
                    feature,
                    depth,
                    errors_of,
                    hopeless,
                    verdicts,
                    begin[child],
                    end[child],
                    place,
                    n,
                    least[child],
                    path,
                )
            errors += c.feature_cost * size
            if errors <= c.cap:
                keep_best(c, best, frontier[child], errors + c.size_cost * size, size)
        if is_distinct:
            c.distinct += 1
            sizes[size] += 1
        if (is_distinct and errors <= c.emit_limit) or c.shallow != 0:
            emit(
                c,
                settings.words,
                pool64,
                records,
                feature,
                begin[child],
                end[child],
                frontier[child],
                errors,
                out_subset,
                out_errors,
                out_digest,
            )
        if father >= 0:
            required[father] -= 1
        if probing:
            count_for(probe, is_distinct, walked)
            if n == 0:
                ending = DONE
                continue
            go_down(probe, frames.draws[child], role, order, required, position, child, n)
        if father < 0 or (n > 0 and c.shallow == 0):
            c.level = child
        else:
            role[father, removed] = OPTIONAL
            position[father] += 1
            if not shared and incremental:
                counters.used = used[child]
    return ending


@kernel(inline=True)
def has_optional(role, frontier, level):
    """Whether the tree of a frame uses a feature that may go."""
    found = False
    for f in range(role.shape[1]):
        found |= frontier[level, f] > 0 and role[level, f] == OPTIONAL
    return found


@kernel(inline=True)
def go_up(c, role, order, position, level):
    """Return to a frame: the feature that had gone from it is optional from now on."""
    c.level = level
    role[level, order[level, position[level]]] = OPTIONAL
    position[level] += 1


@kernel(inline=True)
def offer_without(role, offered, father, removed):
    """Offer to the frame below what the father's has but for one feature."""
    child = father + 1
    for f in range(role.shape[1]):
        role[child, f] = role[father, f]
    role[child, removed] = ABSENT
    for w in range(offered.shape[1]):
        offered[child, w] = offered[father, w]
    offered[child, removed >> 6] &= ~(np.int64(1) << np.int64(removed & 63))


@kernel
def highest(c, required):
    """The most errors of a tree that is looked for in a sub-space of trees with at least `required`
    features.
    """
    larger = c.ties != 0 and required > c.best_size
    most = c.limit - c.size_cost * required - (1 if larger else 0)
    return min(most, c.cap) - c.feature_cost * required


@kernel
def leave_out(c, role, required, position, father, removed):
    """Go past a sub-space that holds nothing that is looked for."""
    c.skipped += 1
    role[father, removed] = OPTIONAL
    required[father] -= 1
    position[father] += 1


@kernel(inline=True)
def begin_look(now, look, mask, role, offered, level, root, depth, cap, makes):
    """Begin to look ahead from a frame.

    Whether it makes the records that are missing is said by `makes`.
    """
    for f in range(len(look)):
        look[f] = role[level, f]
    for w in range(len(mask)):
        mask[w] = offered[level, w]
    now.visited, now.limit, now.left, now.top, now.lost = root, cap, depth, 0, 0
    now.makes = makes


@kernel
def begin_walk(now, frontier, offered, mask, father, level, begin, end, whole, root, removed):
    """Begin to walk the tree of a frame: the father's, begin to end, without a feature, or a whole
    one behind it.
    """
    now.source, now.end, now.removed = begin, end, removed
    now.remaining, now.visited = 0 if whole else frontier[father, removed], 0
    if whole:
        now.source, now.removed, now.visited = end, -1, max(root, 0)
    for f in range(frontier.shape[1]):
        frontier[level, f] = 0 if whole else frontier[father, f]
    # The new tree lies behind the one it is made from.
    now.to, now.top, now.root_depth, now.children = end, 0, 0, 0
    for w in range(len(mask)):
        mask[w] = offered[level, w]


@kernel(inline=True)
def place_features(c, feature, depth, errors, begin, end, order, n, place, path, masks, score):
    """When each feature goes: its place among the n in `order`, which is by errors if so wished, or
    n.
    """
    if c.order == BY_ERRORS and c.root >= 0:
        order_by_errors(feature, depth, errors, begin, end, order, n, place, path, masks, score)
    for f in range(len(place)):
        place[f] = n
    for i in range(n):
        place[order[i]] = i


@kernel(inline=True)
def keep_best(c, best, frontier, errors, size):
    """Remember a tree that errs less than the best, or as little with fewer or earlier features."""
    if c.best_is_set != 0:
        if errors > c.best_errors:
            return
        if errors == c.best_errors:
            if size > c.best_size:
                return
            if size == c.best_size and not comes_first(frontier, best):
                return
    c.best_is_set = 1
    c.best_errors = errors
    if c.follow != 0:
        c.limit = errors - c.margin
    c.best_size = size
    for f in range(len(best)):
        best[f] = frontier[f] > 0


@kernel(inline=True)
def comes_first(a, b):
    """Whether the lowest feature in which two subsets of one size differ is in the first."""
    for f in range(len(a)):
        if (a[f] != 0) != (b[f] != 0):
            return a[f] != 0
    return False


@kernel(inline=True)
def emit(
    c,
    words,
    pool64,
    records,
    feature,
    begin,
    end,
    frontier,
    errors,
    out_subset,
    out_errors,
    out_digest,
):
    """Write used features, errors and a digest of a tree to the results."""
    at = c.emitted
    c.emitted += 1
    for w in range(out_subset.shape[1]):
        out_subset[at, w] = 0
    for f in range(len(frontier) - c.virtual):
        if frontier[f] > 0:
            out_subset[at, f >> 6] |= np.uint64(1) << np.uint64(f & 63)
    digest = np.uint64(0)
    for i in range(begin, end):
        if feature[i] >= 0:
            node = np.uint64(pool64[cold_part(words, np.int64(records[i])) + DIGEST])
            digest += mix(node + np.uint64(feature[i] + 1))
    out_errors[at] = errors
    out_digest[at] = digest
