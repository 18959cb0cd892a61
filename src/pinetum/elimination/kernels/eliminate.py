"""Backward elimination in four ways that select the same features."""

from pinetum.elimination.kernels.bundles import (
    DONE,
    FULL,
    NONE,
    NOWHERE,
    STOPPED,
    borrow_scratch,
    borrow_search,
    borrow_store,
    borrow_table,
    borrow_walk,
)
from pinetum.elimination.kernels.records import set_root
from pinetum.elimination.kernels.walks import at_stake, lay_out, score
from pinetum.jit import kernel

# every candidate from scratch; the used features only; subtrees only; bounded and remembered
BLACK_BOX, USED_ONLY, INCREMENTAL, BOUNDED = 0, 1, 2, 3
ROUNDS, TREES, STOPPED_EARLY, SKIPPED, RANKED, RESETS = 0, 1, 2, 3, 4, 5  # counters
NO_LIMIT = 1 << 40
TREE, ROUND, CANDIDATE, FINISHED = 0, 1, 2, 3  # what comes next


@kernel(inline=True)
def next_tree(now, following, anew):
    """Let the tree on the offered features be grown and laid out, and then what follows.

    `anew` empties the store first; otherwise what is known is kept, and the store is only emptied
    when full.
    """
    now.doing, now.next, now.anew = TREE, following, anew


@kernel(inline=True)
def in_order(candidates, size, order, by_size):
    """Candidates, by index or by the building cases at stake (few first, then by index).

    Gives their number.
    """
    n = 0
    for feature in range(len(candidates)):
        if candidates[feature] == 0:
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
def begin_round(store, walk, search, way, now):
    """Put the features that may go in the order in which they are tried."""
    candidates = search.offered if way == BLACK_BOX else search.used_by_best
    if way >= INCREMENTAL:
        for feature in range(len(candidates)):
            if candidates[feature]:
                search.stake[feature], search.size[feature] = at_stake(store, walk, feature)
    else:
        walk.votes.votes[:] = 0  # candidates are counted from nothing
        walk.votes.parts[:] = 0
    now.candidates = in_order(candidates, search.size, search.order, way == BOUNDED)
    now.place, now.again, now.best, now.best_errors = 0, 0, NONE, now.errors
    now.doing = CANDIDATE


@kernel(inline=True)
def next_candidate(search, way, now):
    """Let `now.feature` be the next candidate that may be better than the best, or -1."""
    ask = search.ask[0]
    now.feature = NONE
    while now.feature == NONE and now.place < now.candidates:
        feature = search.order[now.place]
        ask.untouched, ask.limit = 0, NO_LIMIT
        if way >= INCREMENTAL:
            ask.untouched = now.errors - search.stake[feature]
        if way == BOUNDED:  # what a candidate may err at most to be chosen
            ask.limit = now.best_errors if feature < now.best else now.best_errors - 1
        if ask.untouched > ask.limit:
            search.counters[SKIPPED] += 1
            now.place += 1
        else:
            now.feature = feature


@kernel(inline=True)
def end_round(search, way, now):
    """Remove the best candidate, if there is one, and go on without it."""
    if now.best == NONE:
        now.doing = FINISHED
    else:
        search.offered[now.best] = 0
        search.path[now.steps], search.errors[now.steps] = now.best, now.best_errors
        now.steps += 1
        now.errors = now.best_errors
        now.doing = ROUND
        if way >= INCREMENTAL:
            next_tree(now, ROUND, 0)


@kernel(inline=True)
def ask_tree(table, store, search, rules, now):
    """Ask for the errors of the tree on the offered features: DONE, or FULL."""
    ask = search.ask[0]
    ask.removed, ask.remember, ask.lazy, ask.untouched, ask.limit = NONE, 1, 0, 0, NO_LIMIT
    return set_root(table, store, rules) if now.anew else DONE


@kernel(inline=True)
def end_tree(table, store, walk, search, now):
    """Lay the tree out, or try once more with an empty store."""
    if now.status == FULL:
        now.doing, now.anew = FINISHED if now.anew else TREE, 1
    else:
        errors = lay_out(table, store, walk, search.offered)
        now.doing = now.next
        if now.next == ROUND:
            now.errors = errors
            search.used_by_best[:] = search.used


@kernel(inline=True)
def ask_candidate(table, store, search, way, rules, now):
    """Ask for the errors without `now.feature`: DONE, or FULL. Only BOUNDED keeps what it grows."""
    ask, status = search.ask[0], DONE
    ask.removed, ask.remember, ask.lazy = now.feature, 1, 1
    where = store.node[0].where
    if way != BOUNDED:
        search.offered[now.feature] = 0
        ask.remember, ask.lazy = 0, 0
        if way < INCREMENTAL:
            ask.removed = NONE
            status = set_root(table, store, rules)
    saved, top = search.saved[0], store.top[0]
    saved.records, saved.cases, saved.search = top.records, top.cases, top.search
    saved.children, saved.columns, now.where = top.children, top.columns, where
    return status


@kernel(inline=True)
def forget_candidate(store, scratch, search, now):
    """Empty the store of what was grown for a candidate."""
    saved, top = search.saved[0], store.top[0]
    top.records, top.cases, top.search = saved.records, saved.cases, saved.search
    top.children = saved.children
    if top.columns <= scratch.rows.entries.shape[1]:  # nothing still wanted has been overwritten
        top.columns = saved.columns
    if store.node[0].where != now.where:  # made anew, without those of this feature
        store.node[0].where = NOWHERE
    search.offered[now.feature] = 1


@kernel(inline=True)
def end_candidate(search, way, now):
    """Keep the candidate if it is the best so far; where the store was full empty it, grow the
    present tree anew and try once more.
    """
    ask = search.ask[0]
    if now.status == FULL:
        now.doing = FINISHED
        if way >= INCREMENTAL and not now.again:
            search.counters[RESETS] += 1
            now.again = 1
            next_tree(now, CANDIDATE, 1)
    else:
        now.again = 0
        now.place += 1
        search.counters[TREES] += 1
        if now.status == STOPPED:
            search.counters[STOPPED_EARLY] += 1
        elif ask.errors < now.best_errors or (
            ask.errors == now.best_errors and now.feature < now.best
        ):
            now.best, now.best_errors = now.feature, ask.errors
            search.used_by_best[:] = search.used


@kernel
def eliminate(table, store, scratch, walk, search, way, rules, whole_rules):
    """Remove features one by one while the search errors fall: (status, steps, errors of the top
    tree).

    The next feature to go is the one whose tree errs least, ties to the lowest index, and none goes
    when no tree errs less than the present one. `search.offered` ends as the selection. One call of
    `score`, since it is large, serves the present tree and every candidate.
    """
    table, store, scratch = borrow_table(table), borrow_store(store), borrow_scratch(scratch)
    walk, search = borrow_walk(walk), borrow_search(search)
    now, top = search.now[0], store.top[0]
    top.rankings, top.columns, store.node[0].where = 0, 0, NOWHERE
    now.steps, now.top_errors, now.status = 0, NONE, DONE
    next_tree(now, ROUND, 1)
    while now.doing != FINISHED:
        if now.doing == ROUND:
            if now.top_errors == NONE:
                now.top_errors = now.errors
            if now.steps == len(search.path):
                now.doing = FINISHED
            else:
                search.counters[ROUNDS] += 1
                begin_round(store, walk, search, way, now)
        if now.doing == CANDIDATE:
            next_candidate(search, way, now)
            if now.feature == NONE:
                end_round(search, way, now)
            else:
                now.status = ask_candidate(table, store, search, way, rules, now)
        if now.doing == TREE:
            now.status = ask_tree(table, store, search, rules, now)
        if now.doing == TREE or (now.doing == CANDIDATE and now.feature != NONE):
            if now.status != FULL:
                search.used[:] = 0
                score(table, store, scratch, walk, search, rules, whole_rules)
                now.status = search.ask[0].status
            if now.doing == TREE:
                end_tree(table, store, walk, search, now)
            else:
                if way != BOUNDED:
                    forget_candidate(store, scratch, search, now)
                end_candidate(search, way, now)
    search.counters[RANKED] = top.rankings
    return FULL if now.status == FULL else DONE, now.steps, now.top_errors
