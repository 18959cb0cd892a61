"""Algorithm 2 with an explicit stack, its three selection orders, and pruning by a bound.

`frames.now` says what comes next:

    CHOOSE   the sub-space below the frame at hand without its next feature, or go up
    LOOK     bound its errors by a look ahead; leave it out where they are too many
    WALK     make its tree from the father's, which is walked anew first when it points into an
             emptied store
    MAKE     a record that the look or the walk lacks, then back to it
    TAKE     order the features of the tree, judge and count it, and go down to its frame

`advance` stops between two trees, or in the midst of one that takes long, and can be called again,
so that the caller can look at the clock, take away results and enlarge what is too small.
"""

import numpy as np

from pinetum.distinct.kernels.ahead import Look, begin_look, errors_ahead
from pinetum.distinct.kernels.children import make_children
from pinetum.distinct.kernels.frames import (
    CHOOSE,
    DONE,
    ENOUGH,
    GOES_ON,
    LOOK,
    MAKE,
    NEEDS_FOREST,
    NEEDS_ROOT,
    PAUSED,
    RESTED,
    TAKE,
    TOO_SMALL,
    UNBOUNDED,
    WALK,
    Frames,
    Results,
)
from pinetum.distinct.kernels.make import rank_more
from pinetum.distinct.kernels.order import (
    ABSENT,
    BY_ERRORS,
    MOST_SCORED,
    OPTIONAL,
    order_by_errors,
    order_features,
)
from pinetum.distinct.kernels.probe import count_for, go_down
from pinetum.distinct.kernels.records import (
    DIGEST,
    FULL,
    NEEDS_CHILDREN,
    NEEDS_RANKING,
    NEEDS_REST,
    Store,
    Table,
    cold_part,
    mix,
    width,
)
from pinetum.distinct.kernels.walk import GROW, Forest, Verdicts, begin_walk, judge, regrow
from pinetum.jit import kernel
from pinetum.kernels.bundles import borrower

LATEST = 32  # sub-spaces that tell whether the next has some below
BY_WIDTH = 256  # work of offering many features to a frame, by `width` of their set

borrow_table, borrow_store = borrower(Table), borrower(Store)
borrow_forest, borrow_verdicts = borrower(Forest), borrower(Verdicts)
borrow_frames, borrow_look, borrow_results = borrower(Frames), borrower(Look), borrower(Results)


@kernel(pauses=True)
def empty(store):
    """Forget all records."""
    counters = store.counters[0]
    counters.peak = max(counters.peak, counters.used)
    counters.used = 2  # record 0 would read as "not made"
    counters.records = 0
    counters.emptied += 1
    counters.fresh_trees = 0
    store.slots[:] = 0
    store.freed[:] = 0


@kernel(pauses=True)
def advance(table, store, forest, verdicts, frames, look, results):
    """Go on with the search until it is done or the caller has something to do."""
    table, store = borrow_table(table), borrow_store(store)
    forest, verdicts = borrow_forest(forest), borrow_verdicts(verdicts)
    frames, look, results = borrow_frames(frames), borrow_look(look), borrow_results(results)
    control, now = frames.control[0], frames.now[0]
    now.ending = GOES_ON
    while now.ending == GOES_ON:
        if now.doing == CHOOSE:
            choose(table.settings[0], store.counters[0], control, now, frames, len(results.errors))
        elif now.doing == LOOK:
            look_ahead(store, forest, look, control, now, frames)
        elif now.doing == WALK:
            walk(table.settings[0], store, forest, control, now, frames)
        elif now.doing == MAKE:
            make(table, store, forest, control, now)
        else:
            take(table, store, forest, verdicts, control, now, frames, results)
    return now.ending


@kernel(inline=True)
def choose(settings, counters, control, now, frames, room):
    """Choose the next sub-space of the frame at hand, leave it out by the bounds of its father, or
    go up.
    """
    father = control.level
    here = frames.frame[max(father, 0)]
    if control.emitted == room or counters.work >= control.work_stop:
        now.ending = PAUSED
    elif control.distinct >= control.max_distinct:
        now.ending = ENOUGH
    elif father >= 0 and here.position == here.ordered:
        if settings.shared == 0 and control.incremental != 0:
            counters.used = here.used
        if father == 0:
            now.ending = DONE
        else:
            go_up(control, frames, father - 1)
    elif (
        father >= 0
        and settings.with_search != 0
        and frames.least[father, here.position] > highest(control, here.required - 1)
    ):
        leave_out(control, frames, father)
    else:
        open_space(settings, counters, control, now, frames)


@kernel(inline=True)
def go_up(control, frames, level):
    """Return to a frame: the feature that had gone from it is optional from now on."""
    here = frames.frame[level]
    control.level = level
    frames.role[level, frames.order[level, here.position]] = OPTIONAL
    here.position += 1


@kernel
def highest(control, required):
    """The most errors of a tree that is looked for in a sub-space of trees with at least `required`
    features.
    """
    larger = control.ties != 0 and required > control.best_size
    most = control.limit - control.size_cost * required - (1 if larger else 0)
    return min(most, control.cap) - control.feature_cost * required


@kernel(inline=True)
def leave_out(control, frames, father):
    """Go past a sub-space that holds nothing that is looked for."""
    here = frames.frame[father]
    control.skipped += 1
    frames.role[father, frames.order[father, here.position]] = OPTIONAL
    here.required -= 1
    here.position += 1


@kernel(inline=True)
def open_space(settings, counters, control, now, frames):
    """Offer the features of the next sub-space, and say what its tree is made from."""
    father = control.level
    child = father + 1
    now.removed = -1
    if father >= 0:
        now.removed = frames.order[father, frames.frame[father].position]
        offer_without(frames, father, now.removed)
    frames.frame[child].used = counters.used
    if control.incremental == 0 and counters.fresh == 0:
        counters.used = 2  # grown from scratch: nothing is kept
    if counters.used <= 2:
        now.ending = NEEDS_ROOT
    else:
        counters.fresh = 0
        counters.work += BY_WIDTH * width(settings.words)
        plain = settings.shared != 0 and settings.with_search == 0
        counting = plain and control.emit_limit < 0 and control.shallow == 0
        # Where trees are only counted, that of the first sub-space below a frame is copied when it
        # has some below too, unless most of them had some of late.
        first = counting and father >= 0 and frames.frame[father].position == 0
        now.first, now.copies = first, not first or now.bare <= 0
        looks = father >= 0 and settings.with_search != 0 and settings.shared != 0
        looks &= control.ahead > 0 and control.limit < UNBOUNDED
        now.looks = looks and control.filled != counters.emptied
        if now.looks != 0:
            # A case with shares that is wrong already may be counted as hopeless further up: it is
            # left to `least`.
            now.allowed = highest(control, frames.frame[father].required - 1)
        now.whole = father < 0 or control.incremental == 0
        fresh = now.whole != 0 or frames.frame[father].stamp == counters.emptied
        now.level = child if fresh else father
        now.begun, now.makes = 0, 0
        now.doing = LOOK if now.looks != 0 else WALK


@kernel(inline=True)
def offer_without(frames, father, removed):
    """Offer to the frame below what the father's has but for one feature."""
    child = father + 1
    for f in range(frames.role.shape[1]):
        frames.role[child, f] = frames.role[father, f]
    frames.role[child, removed] = ABSENT
    for w in range(frames.offered.shape[1]):
        frames.offered[child, w] = frames.offered[father, w]
    frames.offered[child, removed >> 6] &= ~(np.int64(1) << np.int64(removed & 63))


@kernel(inline=True)
def look_ahead(store, forest, look, control, now, frames):
    """Bound the errors of the sub-space: without new records first, then with them."""
    state = look.state[0]
    if now.begun == 0:
        now.begun = 1
        begin_look(
            state,
            look,
            frames,
            store.offered,
            control.level + 1,
            control.root,
            control.ahead,
            now.allowed + 1,
            now.makes,
        )
    errors = errors_ahead(
        store.memory, look, store.offered, forest.branches, store.counters[0], control.work_rest
    )
    if errors == NEEDS_REST:
        now.ending = RESTED
    elif errors < 0:
        now.lacks, now.record, now.entry = errors, state.missing, state.entry
        now.doing = MAKE
    elif errors > now.allowed:
        leave_out(control, frames, control.level)
        now.doing = CHOOSE
    elif now.makes == 0:
        now.makes, now.begun = 1, 0
    else:
        now.looks, now.begun = 0, 0
        now.doing = WALK


@kernel(inline=True)
def walk(settings, store, forest, control, now, frames):
    """Make the tree of the sub-space, after the father's if need be."""
    child, level, state = control.level + 1, now.level, forest.state[0]
    whole = now.whole != 0 or level < child
    if now.begun == 0:
        now.begun = 1
        begin_walk(state, frames, store.offered, child - 1, level, whole, control.root, now.removed)
        now.start = state.to
    need = regrow(
        store.memory,
        forest,
        frames.role[level],
        frames.frontier[level],
        store.offered,
        settings.with_search != 0,
        now.copies != 0 or level < child,
    )
    if need == GROW:
        now.ending, now.doing = NEEDS_FOREST, CHOOSE
    elif need != 0:
        now.lacks, now.record, now.entry = need, state.visited, state.entry
        now.doing = MAKE
    elif level == child and now.copies == 0 and has_optional(frames, child):
        now.copies, now.begun = 1, 0
    else:
        here = frames.frame[level]
        here.begin, here.end, here.stamp = now.start, state.to, store.counters[0].emptied
        now.level, now.begun = level + 1, 0
        if level == child:
            now.doing = TAKE


@kernel(inline=True)
def has_optional(frames, level):
    """Whether the tree of a frame uses a feature that may go."""
    found = False
    for f in range(frames.role.shape[1]):
        found |= frames.frontier[level, f] > 0 and frames.role[level, f] == OPTIONAL
    return found


@kernel(inline=True)
def make(table, store, forest, control, now):
    """Make what the look or the walk lacks, and go back to it."""
    counters, shared = store.counters[0], table.settings[0].shared != 0
    if now.lacks == NEEDS_RANKING:
        made = rank_more(table, store, now.record)
    else:
        made = make_children(table, store, now.record, now.entry)
    if made != FULL:
        if now.lacks == NEEDS_CHILDREN and not shared:
            forest.state[0].children = made  # no record knows them
        now.doing = LOOK if now.looks != 0 else WALK
        if counters.work >= control.work_rest:
            now.ending = RESTED
    elif now.looks != 0:
        control.filled = counters.emptied  # it looks ahead again when the store has been emptied
        now.looks, now.begun = 0, 0
        now.doing = WALK
    else:
        now.ending, now.doing = NEEDS_ROOT, CHOOSE
        alone = control.filled == counters.emptied and control.unlooked != counters.emptied
        alone &= counters.fresh_trees == 0
        if not shared or (counters.fresh_trees == 0 and not alone):
            now.ending = TOO_SMALL
        else:
            empty(store)
            if alone:  # looking ahead left no room for the first tree
                control.filled = control.unlooked = counters.emptied


@kernel(inline=True)
def take(table, store, forest, verdicts, control, now, frames, results):
    """Order the features of the tree that has been made, judge and count it, and go down."""
    settings, counters, father = table.settings[0], store.counters[0], control.level
    child = father + 1
    here, order, frontier = frames.frame[child], frames.order[child], frames.frontier[child]
    walked = 100 + (here.end - here.begin) * (1 + width(settings.words))
    counters.fresh_trees += 1
    counters.work += walked
    control.built += 1
    n, size, needed, is_distinct = order_features(
        frames.role[child], frontier, order, control.order
    )
    size -= control.virtual
    here.ordered, here.position, here.required = n, 0, needed - control.virtual
    if now.first != 0:
        now.bare = max(np.int64(-LATEST), min(now.bare + (1 if n == 0 else -1), np.int64(LATEST)))
    errors = np.int64(0)
    if settings.with_search != 0:
        if control.order == BY_ERRORS and control.root >= 0 and 1 < n <= MOST_SCORED:
            order_by_errors(forest, here.begin, here.end, order, n, results)
        place_features(order, n, results.place)
        errors = -1 - control.root  # of a tree that is a leaf
        if control.root >= 0:
            errors = judge(
                table,
                store.memory,
                forest,
                verdicts,
                here.begin,
                here.end,
                n,
                results,
                frames.least[child],
            )
        errors += control.feature_cost * size
        if errors <= control.cap:
            keep_best(control, results.best, frontier, errors + control.size_cost * size, size)
    if is_distinct:
        control.distinct += 1
        results.sizes[size] += 1
    if (is_distinct and errors <= control.emit_limit) or control.shallow != 0:
        emit(control, settings.words, store.memory, forest, here, frontier, errors, results)
    if father >= 0:
        frames.frame[father].required -= 1
    probe = frames.probe[0]
    if probe.probing != 0:
        count_for(probe, is_distinct, walked)
        if n == 0:
            now.ending = DONE
        else:
            go_down(probe, frames.draws[child], here, frames.role[child], order)
    go_on(settings, counters, control, now, frames)


@kernel(inline=True)
def go_on(settings, counters, control, now, frames):
    """Go down to the frame of the tree that has been taken, or on to its father's next feature."""
    father = control.level
    child = father + 1
    if father < 0 or (frames.frame[child].ordered > 0 and control.shallow == 0):
        control.level = child
    else:
        frames.role[father, now.removed] = OPTIONAL
        frames.frame[father].position += 1
        if settings.shared == 0 and control.incremental != 0:
            counters.used = frames.frame[child].used
    now.doing = CHOOSE


@kernel(inline=True)
def place_features(order, n, place):
    """When each feature goes: its place among the n in `order`, or n."""
    for f in range(len(place)):
        place[f] = n
    for i in range(n):
        place[order[i]] = i


@kernel(inline=True)
def keep_best(control, best, frontier, errors, size):
    """Remember a tree that errs less than the best, or as little with fewer or earlier features."""
    better = control.best_is_set == 0 or errors < control.best_errors
    if not better and errors == control.best_errors:
        better = size < control.best_size
        better |= size == control.best_size and comes_first(frontier, best)
    if better:
        control.best_is_set = 1
        control.best_errors = errors
        if control.follow != 0:
            control.limit = errors - control.margin
        control.best_size = size
        for f in range(len(best)):
            best[f] = frontier[f] > 0


@kernel(inline=True)
def comes_first(a, b):
    """Whether the lowest feature in which two subsets of one size differ is in the first."""
    f = 0
    while f < len(a) and (a[f] != 0) == (b[f] != 0):
        f += 1
    return f < len(a) and a[f] != 0


@kernel(inline=True)
def emit(control, words, memory, forest, here, frontier, errors, results):
    """Write used features, errors and a digest of a tree to the results."""
    at = control.emitted
    control.emitted += 1
    for w in range(results.subset.shape[1]):
        results.subset[at, w] = 0
    for f in range(len(frontier) - control.virtual):
        if frontier[f] > 0:
            results.subset[at, f >> 6] |= np.uint64(1) << np.uint64(f & 63)
    digest = np.uint64(0)
    for i in range(here.begin, here.end):
        if forest.feature[i] >= 0:
            node = np.uint64(memory.pool64[cold_part(words, np.int64(forest.record[i])) + DIGEST])
            digest += mix(node + np.uint64(forest.feature[i] + 1))
    results.errors[at] = errors
    results.digest[at] = digest
