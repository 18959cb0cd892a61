"""A bound on the errors of all trees of a sub-space, by looking a few splits ahead.

A node splits on its first ranked feature that is in the subset. Where that feature must stay, the
split is certain and so are the branches. Where it may go, the node splits on it or, without it, on
the next ranked one, and so on down to the first that must stay. The least errors over these
choices, each the sum over its branches, bound the node's errors from below: the search is let
choose at every node for itself, though one subset decides for all of them. After `depth` such
choices on a path, a node counts what every subtree gets wrong there. Only search cases without
shares are counted.

Records cost more than looks do. So a first look makes none: a node that is not ranked, or not split
yet, counts what every subtree gets wrong there. Only where that proves too little does a second one
make what it lacks.
"""

import numpy as np

from pinetum.distinct.kernels.order import ABSENT, OPTIONAL, REQUIRED
from pinetum.distinct.kernels.records import (
    ERRORS,
    HOPELESS,
    NEEDS_CHILDREN,
    NEEDS_RANKING,
    NOT_MADE,
    RANKED,
    RANKING,
    SEARCH,
    UNRANKED,
    record_of,
)
from pinetum.jit import kernel

# columns of the stack, one row per node whose splits are tried
RECORD, PLACE, FEATURE, WAS, CHILD, END, SUM, LEAST, LEFT, GONE = range(10)
COLUMNS = 10


@kernel
def floor_of(pool, small, child):
    """What every subtree of a branch gets wrong."""
    return -1 - child if child < 0 else np.int64(pool[child + small + HOPELESS])


@kernel
def next_place(pool, small, role, record, place):
    """Place in a ranking, from `place` on, of the first feature that is offered; -1 without one."""
    ranking, last = (
        np.int64(pool[record + small + RANKING]),
        3 * np.int64(pool[record + small + RANKED]),
    )
    while place < last and role[pool[ranking + place]] == ABSENT:
        place += 3
    return place if place < last else np.int64(-1)


# A look that was interrupted. `visited`: the record at hand, or 0; `limit` and `left` are its own;
# `top` of the stack and `lost` of `gone`; `makes`: 0 for the look that makes no record; `missing`
# and `entry`: what has to be ranked, or split at that entry.
LOOK = record_of("visited", "limit", "left", "top", "lost", "makes", "missing", "entry")


@kernel(inline=True)
def errors_ahead(pool, pool64, words, offered, branches, role, stack, gone, small, counters, now):
    """Search errors that every tree of a sub-space makes, counted up to now.limit.

    Or what is missing to tell.

    `role` says what may go, and `offered` has its features as bits. When what is missing,
    NEEDS_RANKING or NEEDS_CHILDREN, has been made, it goes on from there.
    """
    top, lost, record = now.top, now.lost, now.visited
    limit, left = now.limit, now.left
    makes = now.makes != 0
    value = np.int64(-1)
    while True:
        # What a node comes to: at once, or after its splits, for which it goes on the stack.
        value = np.int64(-1)
        if record != 0:
            value = np.int64(pool[record + small + HOPELESS])
            bits = (record >> 1) + UNRANKED
            unranked = np.int64(0)
            for w in range(words):
                unranked |= pool64[bits + w] & offered[w]
            # Where neither search cases nor leaves cost, nothing does, whatever grows here.
            settled = pool[record + small + SEARCH] == 0 and pool[record + small + ERRORS] == 0
            if value < limit and not settled and (unranked == 0 or (makes and left > 0)):
                if unranked != 0:
                    now.missing, now.entry = record, 0
                    value = np.int64(NEEDS_RANKING)
                    break
                at = next_place(pool, small, role, record, np.int64(0))
                if at < 0:
                    value = np.int64(pool[record + small + ERRORS])
                elif left > 0 or role[pool[pool[record + small + RANKING] + at]] == REQUIRED:
                    stack[top, RECORD], stack[top, PLACE], stack[top, END] = record, at, 0
                    stack[top, LEAST], stack[top, LEFT], stack[top, GONE] = limit, left, lost
                    top += 1
                    value = np.int64(-1)
            counters.work += 1
        # Hand values up to the nodes above until one has another branch to look at.
        record = np.int64(0)
        while top > 0:
            t = top - 1
            here = stack[t, RECORD]
            if value >= 0:  # of the branch at CHILD, which counted for its floor so far
                stack[t, SUM] += value - floor_of(pool, small, np.int64(pool[stack[t, CHILD]]))
                stack[t, CHILD] += 1
                value = np.int64(-1)
            if stack[t, END] == 0:
                entry = np.int64(pool[here + small + RANKING]) + stack[t, PLACE]
                f = np.int64(pool[entry])
                children = np.int64(pool[entry + 2])
                if children == NOT_MADE and makes:
                    now.missing, now.entry = here, entry
                    value = np.int64(NEEDS_CHILDREN)
                    break
                stack[t, FEATURE], stack[t, WAS] = f, role[f]
                role[f] = REQUIRED
                stack[t, CHILD] = stack[t, END] = children
                stack[t, SUM] = pool[here + small + HOPELESS]
                if children != NOT_MADE:
                    stack[t, END] += branches[f]
                    stack[t, SUM] = 0
                for i in range(stack[t, CHILD], stack[t, END]):
                    stack[t, SUM] += floor_of(pool, small, np.int64(pool[i]))
            while stack[t, CHILD] < stack[t, END] and pool[stack[t, CHILD]] < 0:
                stack[t, CHILD] += 1
            if stack[t, CHILD] < stack[t, END] and stack[t, SUM] < stack[t, LEAST]:
                record = np.int64(pool[stack[t, CHILD]])
                limit = stack[t, LEAST] - stack[t, SUM] + pool[record + small + HOPELESS]
                left = stack[t, LEFT] - (stack[t, WAS] == OPTIONAL)
                break
            # This split is judged; if its feature may go, the next one splits.
            stack[t, LEAST] = min(stack[t, LEAST], stack[t, SUM])
            f = stack[t, FEATURE]
            role[f] = stack[t, WAS]
            if stack[t, WAS] == OPTIONAL and stack[t, LEAST] > pool[here + small + HOPELESS]:
                role[f] = ABSENT
                gone[lost] = f
                lost += 1
                stack[t, PLACE] = next_place(pool, small, role, here, stack[t, PLACE])
                if stack[t, PLACE] >= 0:
                    stack[t, END] = 0
                    continue
                stack[t, LEAST] = min(stack[t, LEAST], np.int64(pool[here + small + ERRORS]))
            while lost > stack[t, GONE]:
                lost -= 1
                role[gone[lost]] = OPTIONAL
            value = stack[t, LEAST]
            top -= 1
        if value < -1 or record == 0:
            break
    now.top, now.lost, now.visited, now.limit, now.left = top, lost, record, limit, left
    return value
