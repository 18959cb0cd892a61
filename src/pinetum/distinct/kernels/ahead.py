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

    stack      a node whose splits are tried        | root | child | ... ^ top
      child      the branch at hand: those before it count what they came to, the others for
                 their floor, what every subtree gets wrong there
    gone       optional features that are tried without, the node's own from stack[].gone on
"""

from typing import NamedTuple

import numpy as np

from pinetum.distinct.kernels.order import ABSENT, OPTIONAL, REQUIRED
from pinetum.distinct.kernels.records import (
    ERRORS,
    HOPELESS,
    NEEDS_CHILDREN,
    NEEDS_RANKING,
    NEEDS_REST,
    NOT_MADE,
    RANKED,
    RANKING,
    SEARCH,
    UNRANKED,
    small_part,
    width,
)
from pinetum.jit import kernel
from pinetum.kernels.bundles import record_of

NO_VALUE = -1  # of a node whose branches are still to be looked at

# A look that was interrupted.
STATE = record_of(
    "visited",  # the record at hand, or 0
    "limit",  # its errors count up to this
    "left",  # undecided splits that may follow on its path
    "top",  # of the stack
    "lost",  # features in `gone`
    "makes",  # 0 for the look that makes no record
    "missing",  # the record that has to be ranked, or split
    "entry",  # at this entry
)
SPLIT = record_of(
    "record",
    "place",  # in the ranking, of the feature that is tried
    "feature",
    "was",  # its role before
    "child",  # the branch at hand, in the pool
    "end",  # after the last branch; 0 before the split is opened
    "errors",  # of all branches
    "least",  # of the splits tried so far
    "left",
    "gone",
)


class Look(NamedTuple):
    state: np.ndarray  # STATE (1,)
    stack: np.ndarray  # SPLIT (depth,)
    role: np.ndarray  # uint8 (features,)
    gone: np.ndarray  # int64 (features,)


@kernel(inline=True)
def begin_look(now, look, frames, offered, level, root, depth, cap, makes):
    """Begin to look ahead from a frame.

    Whether it makes the records that are missing is said by `makes`.
    """
    for f in range(len(look.role)):
        look.role[f] = frames.role[level, f]
    for w in range(len(offered)):
        offered[w] = frames.offered[level, w]
    now.visited, now.limit, now.left = root, cap, depth
    now.top, now.lost, now.makes = 0, 0, makes


@kernel
def floor_of(pool, small, child):
    """What every subtree of a branch gets wrong."""
    return -1 - child if child < 0 else np.int64(pool[child + small + HOPELESS])


@kernel
def next_place(pool, small, role, record, place):
    """Place in a ranking, from `place` on, of the first feature that is offered; -1 without one."""
    ranking = np.int64(pool[record + small + RANKING])
    last = 3 * np.int64(pool[record + small + RANKED])
    while place < last and role[pool[ranking + place]] == ABSENT:
        place += 3
    return place if place < last else np.int64(-1)


@kernel(inline=True)
def errors_ahead(memory, look, offered, branches, counters, work_rest):
    """Search errors that every tree of a sub-space makes, counted up to the limit.

    Or what is missing to tell. `look.role` says what may go, and `offered` has its features as
    bits. When what is missing, NEEDS_RANKING or NEEDS_CHILDREN, has been made, it goes on from
    there, as after NEEDS_REST.
    """
    now, stack, pool = look.state[0], look.stack, memory.pool
    small, each = small_part(len(offered), np.int64(0)), 1 + width(len(offered))
    top, lost, record = now.top, now.lost, now.visited
    limit, left, makes = now.limit, now.left, now.makes != 0
    value = np.int64(NO_VALUE)
    while True:
        # What a node comes to: at once, or after its splits, for which it goes on the stack.
        value = np.int64(NO_VALUE)
        if record != 0:
            value, at = value_of(memory, look.role, offered, small, record, limit, left, makes)
            if value == NEEDS_RANKING:
                now.missing, now.entry = record, 0
                break
            if value == NO_VALUE:
                push(stack[top], record, at, limit, left, lost)
                top += 1
            counters.work += each
        # Hand values up to the nodes above until one has another branch to look at.
        record = np.int64(0)
        while top > 0:
            here = stack[top - 1]
            floor = np.int64(pool[here.record + small + HOPELESS])
            if value >= 0:
                here.errors += value - floor_of(pool, small, np.int64(pool[here.child]))
                here.child += 1
                value = np.int64(NO_VALUE)
            if here.end == 0:
                entry = np.int64(pool[here.record + small + RANKING]) + here.place
                if makes and pool[entry + 2] == NOT_MADE:
                    now.missing, now.entry = here.record, entry
                    value = np.int64(NEEDS_CHILDREN)
                    break
                open_split(here, pool, small, look.role, branches, entry, floor)
            while here.child < here.end and pool[here.child] < 0:
                here.child += 1
            if here.child < here.end and here.errors < here.least:
                record = np.int64(pool[here.child])
                limit = here.least - here.errors + pool[record + small + HOPELESS]
                left = here.left - (here.was == OPTIONAL)
                break
            # This split is judged; if its feature may go, the next one splits.
            here.least = min(here.least, here.errors)
            look.role[here.feature] = here.was
            if here.was == OPTIONAL and here.least > floor:
                look.role[here.feature] = ABSENT
                look.gone[lost] = here.feature
                lost += 1
                here.place = next_place(pool, small, look.role, here.record, here.place)
                if here.place >= 0:
                    here.end = 0
                    continue
                here.least = min(here.least, np.int64(pool[here.record + small + ERRORS]))
            while lost > here.gone:
                lost -= 1
                look.role[look.gone[lost]] = OPTIONAL
            value = here.least
            top -= 1
        if value < NO_VALUE or record == 0:
            break
        if counters.work >= work_rest:
            value = np.int64(NEEDS_REST)
            break
    now.top, now.lost, now.visited, now.limit, now.left = top, lost, record, limit, left
    return value


@kernel(inline=True)
def value_of(memory, role, offered, small, record, limit, left, makes):
    """(what a node comes to, 0), (NEEDS_RANKING, 0), or NO_VALUE and the place of its first
    feature.
    """
    pool, at = memory.pool, np.int64(0)
    value = np.int64(pool[record + small + HOPELESS])
    bits = (record >> 1) + UNRANKED
    unranked = np.int64(0)
    for w in range(len(offered)):
        unranked |= memory.pool64[bits + w] & offered[w]
    # Where neither search cases nor leaves cost, nothing does, whatever grows here.
    settled = pool[record + small + SEARCH] == 0 and pool[record + small + ERRORS] == 0
    if value < limit and not settled and (unranked == 0 or (makes and left > 0)):
        if unranked != 0:
            value = np.int64(NEEDS_RANKING)
        else:
            at = next_place(pool, small, role, record, np.int64(0))
            if at < 0:
                value = np.int64(pool[record + small + ERRORS])
            elif left > 0 or role[pool[pool[record + small + RANKING] + at]] == REQUIRED:
                value = np.int64(NO_VALUE)
    return value, at


@kernel(inline=True)
def push(here, record, place, limit, left, lost):
    """Put a node on the stack."""
    here.record, here.place, here.end = record, place, 0
    here.least, here.left, here.gone = limit, left, lost


@kernel(inline=True)
def open_split(here, pool, small, role, branches, entry, floor):
    """Try the split at an entry: its branches count for their floor, or the node does where they
    are not made.
    """
    f = np.int64(pool[entry])
    here.feature, here.was = f, role[f]
    role[f] = REQUIRED
    here.child = here.end = np.int64(pool[entry + 2])
    here.errors = floor
    if here.end != NOT_MADE:
        here.end += branches[f]
        here.errors = 0
    for i in range(here.child, here.end):
        here.errors += floor_of(pool, small, np.int64(pool[i]))
