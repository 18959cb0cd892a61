"""Backward elimination in four ways that select the same features."""

import numpy as np

from pinetum.elimination.kernels.ranking import NOWHERE, RANKINGS, RING
from pinetum.elimination.kernels.records import (
    DONE,
    FULL,
    NONE,
    STOPPED,
    borrow_scratch,
    borrow_store,
    borrow_table,
    set_root,
)
from pinetum.elimination.kernels.walks import at_stake, borrow_walk, lay_out, score
from pinetum.jit import kernel
from pinetum.kernels.arrays import borrow

# every candidate from scratch; the used features only; subtrees only; bounded and remembered
BLACK_BOX, USED_ONLY, INCREMENTAL, BOUNDED = 0, 1, 2, 3
ROUNDS, TREES, STOPPED_EARLY, SKIPPED, RANKED, RESETS = 0, 1, 2, 3, 4, 5  # counters
NO_LIMIT = 1 << 40


@kernel
def grow_tree(table, store, scratch, walk, offered, anew, places, rules, whole_rules, used):
    """Grow the tree on the offered features and lay it out: (status, search errors).

    `anew` empties the store first; otherwise what is known is kept, and the store is only emptied
    when full.
    """
    # variables, since numba compiles anew for every constant argument
    nothing, yes, no, no_limit = np.int64(NONE), np.int64(1), np.int64(0), np.int64(NO_LIMIT)
    status, errors, is_last = np.int64(FULL), no, False
    while status != DONE and not is_last:
        is_last = anew != 0
        if not is_last or set_root(table, store, rules) != FULL:
            status, errors = score(
                table,
                store,
                scratch,
                walk,
                offered,
                nothing,
                places,
                yes,
                no,
                rules,
                whole_rules,
                used,
                no,
                no_limit,
            )
        anew = yes
    if status == DONE:
        errors = np.int64(lay_out(table, store, walk, offered))
    return status, errors


@kernel
def in_order(wanted, size, order, by_size):
    """Candidates, by index or by the building cases at stake (few first, then by index).

    Gives their number.
    """
    n = 0
    for feature in range(len(wanted)):
        if wanted[feature] == 0:
            continue
        at = n
        if by_size:
            while at > 0 and size[order[at - 1]] > size[feature]:
                order[at] = order[at - 1]
                at -= 1
        order[at] = feature
        n += 1
    return n


@kernel(inline=True)
def score_candidate(
    table,
    store,
    scratch,
    walk,
    offered,
    feature,
    way,
    places,
    rules,
    whole_rules,
    used,
    untouched,
    limit,
):
    """Search errors without a feature: (status, errors).

    Only BOUNDED keeps what it grows for it.
    """
    entries_of_root = store.where[0]
    status, errors = np.int64(DONE), np.int64(0)
    removed, remember, lazy = feature, np.int64(1), np.int64(1)
    if way != BOUNDED:
        offered[feature] = 0
        removed, remember, lazy = (
            np.int64(feature if way == INCREMENTAL else NONE),
            np.int64(0),
            np.int64(0),
        )
        if way < INCREMENTAL:
            status = np.int64(set_root(table, store, rules))
    cases, searched = store.top[0], store.top[1]
    records, children = store.top[2], store.top[3]
    ring = store.top[RING]
    if status != FULL:
        status, errors = score(
            table,
            store,
            scratch,
            walk,
            offered,
            removed,
            places,
            remember,
            lazy,
            rules,
            whole_rules,
            used,
            untouched,
            limit,
        )
    if way != BOUNDED:
        store.top[0], store.top[1], store.top[2], store.top[3] = cases, searched, records, children
        if (
            store.top[RING] <= scratch.entries.shape[1]
        ):  # nothing that is still wanted has been overwritten
            store.top[RING] = ring
        if store.where[0] != entries_of_root:  # made anew, without those of this feature
            store.where[0] = NOWHERE
        offered[feature] = 1
    return status, errors


@kernel
def eliminate(
    table,
    store,
    scratch,
    walk,
    offered,
    way,
    places,
    rules,
    whole_rules,
    path,
    path_errors,
    counters,
):
    """Remove features one by one while the search errors fall: (status, steps, errors of the top
    tree).

    The next feature to go is the one whose tree errs least, ties to the lowest index, and none goes
    when no tree errs less than the present one. `offered` (uint8 per feature) ends as the
    selection; no more features go than `path` has room for.
    """
    table, store, scratch = borrow_table(table), borrow_store(store), borrow_scratch(scratch)
    walk, offered = borrow_walk(walk), borrow(offered)
    n_features = len(offered)
    size = np.zeros(n_features, np.int64)
    stake = np.zeros(n_features, np.int64)
    wanted = np.zeros(n_features, np.uint8)
    used = np.zeros(n_features, np.uint8)
    used_by_best = np.zeros(n_features, np.uint8)
    order = np.empty(n_features, np.int64)
    store.top[RANKINGS], store.top[RING], store.where[0] = 0, 0, NOWHERE
    yes, no = np.int64(1), np.int64(0)
    status, errors = grow_tree(
        table, store, scratch, walk, offered, yes, places, rules, whole_rules, used_by_best
    )
    top_errors = errors
    steps = 0
    while status != FULL and steps < len(path):
        counters[ROUNDS] += 1
        for feature in range(n_features):
            wanted[feature] = offered[feature] if way == BLACK_BOX else used_by_best[feature]
        if way >= INCREMENTAL:
            for feature in range(n_features):
                if wanted[feature]:
                    stake[feature], size[feature] = at_stake(store, walk, feature)
        else:
            walk.votes[:] = 0  # candidates are counted from nothing
            walk.parts[:] = 0
        n_candidates = in_order(wanted, size, order, way == BOUNDED)
        best, best_errors = NONE, errors
        i = 0
        is_second_try = False
        while i < n_candidates and status != FULL:
            feature = order[i]
            untouched = errors - stake[feature] if way >= INCREMENTAL else no
            limit = np.int64(NO_LIMIT)
            if way == BOUNDED:  # what a candidate may err at most to be chosen
                limit = best_errors if feature < best else best_errors - 1
            if untouched > limit:
                counters[SKIPPED] += 1
                i += 1
                continue
            used[:] = 0
            status, found = score_candidate(
                table,
                store,
                scratch,
                walk,
                offered,
                feature,
                way,
                places,
                rules,
                whole_rules,
                used,
                untouched,
                limit,
            )
            if status == FULL and way >= INCREMENTAL and not is_second_try:
                # empty the store, grow the present tree anew and try this candidate once more
                counters[RESETS] += 1
                is_second_try = True
                status, _ = grow_tree(
                    table, store, scratch, walk, offered, yes, places, rules, whole_rules, used
                )
                continue
            is_second_try = False
            i += 1
            counters[TREES] += 1
            if status == STOPPED:
                counters[STOPPED_EARLY] += 1
            elif found < best_errors or (found == best_errors and feature < best):
                best, best_errors = feature, found
                for other in range(n_features):
                    used_by_best[other] = used[other]
        if best == NONE or status == FULL:
            break
        offered[best] = 0
        path[steps], path_errors[steps] = best, best_errors
        steps += 1
        errors = best_errors
        if way >= INCREMENTAL:
            used_by_best[:] = 0
            status, errors = grow_tree(
                table, store, scratch, walk, offered, no, places, rules, whole_rules, used_by_best
            )
    counters[RANKED] = store.top[RANKINGS]
    return FULL if status == FULL else DONE, steps, top_errors
