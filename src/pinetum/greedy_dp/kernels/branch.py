"""Branch and bound for one cost of a decision table: depth first, within a budget, with a bounded
store.

A frame per level of the tree holds a subtable, the attributes that split it in the order of their
bounds, and the branches of the one that is tried. A branch gets what the budget leaves after the
bounds of its siblings. What is found of a subtable - its least cost, or a bound that the budget has
proved - goes into a store of fixed size, where the smaller of two subtables gives way.

    order[level]   | given up | settled | tried ^ cursor | ... ^ waiting      by rising bound
    parts[level]   | low, exact | low ^ child | ...      branches of the one that is tried
    costs          fixed (its node and leaves) + low + low + ...  <= budget, or it is given up

`low` of a branch rises: from what the store or its decisions tell, by the bounds from pairs of
rows, to what the search of the level below it finds.
"""

import math
from typing import NamedTuple

import numpy as np

from pinetum.greedy_dp.kernels.bounds import cost_bound, strong_bound
from pinetum.greedy_dp.kernels.constants import DEPTH, NODES, PATH, TERMINALS
from pinetum.greedy_dp.kernels.problem import FAR, least_leaves, may_end, weigh
from pinetum.jit import kernel
from pinetum.kernels.words import ONE, ZERO, mixed, ones

PROBES = 12
PER_BRANCH, PER_ROW = 32, 64  # work beside reading row sets
RUN = 64  # attributes that are put into order one by one
DONE, PAUSED = 0, 1
CONTROL = np.dtype(
    (
        np.record,  # fields by name without the compiler too
        [
            ("level", np.int64),  # the frame to go on with
            ("work", np.int64),  # so far: about a nanosecond to ten each
            ("expansions", np.int64),
            ("value", np.int64),  # of the first frame: its least cost, or a bound above its budget
            ("found", np.int64),  # which of the two
            ("attribute", np.int64),  # that the tree of least cost begins with
        ],
    )
)


class Store(NamedTuple):
    """What is known of subtables."""

    sets: np.ndarray  # uint64 (places, words)
    size: np.ndarray  # int32 (places,): rows; 0: free
    value: np.ndarray  # int64 (places,): the least cost, or -1 - (a bound on it)
    strong: np.ndarray  # uint8 (places,): the bounds of pairs are in it


FRAME = np.dtype(
    (
        np.record,
        [
            ("count", np.int64),  # rows of the subtable
            ("total", np.int64),  # their weight
            ("lower", np.int64),  # a bound known on entry
            ("budget", np.int64),  # what a tree may cost to be of use
            ("best", np.int64),  # least cost found, FAR if none
            ("choice", np.int64),  # the attribute that has it
            ("failed", np.int64),  # least bound of the attributes given up
            ("waiting", np.int64),  # attributes to try, -1: not yet known
            ("cursor", np.int64),  # place of the one tried now
            ("child", np.int64),  # the branch being solved, -1: the attribute is not yet opened
            ("branches", np.int64),  # unsettled branches of the attribute
            ("fixed", np.int64),  # cost of its node and leaves
        ],
    )
)


class Frames(NamedTuple):
    """One subtable per level of the tree that is being built."""

    state: np.ndarray  # FRAME (levels,)
    rows: np.ndarray  # uint64 (levels, words)
    order: np.ndarray  # int64 (levels, attributes): the attributes to try
    bound: np.ndarray  # int64 (levels, attributes): per attribute
    shape: np.ndarray  # int64 (levels, widest + 1): see cost_bound
    parts: np.ndarray  # uint64 (levels, branches, words)
    part_size: np.ndarray  # int64 (levels, branches)
    low: np.ndarray  # int64 (levels, branches)
    exact: np.ndarray  # uint8 (levels, branches)


class Room(NamedTuple):
    """The branches of all attributes of one subtable."""

    parts: np.ndarray  # uint64 (slots, words)
    size: np.ndarray  # int64 (slots,)
    code: np.ndarray  # uint64 (attributes,): hash of a partition
    disorder: np.ndarray  # float64 (attributes,)
    filled: np.ndarray  # int64 (attributes,)
    seen: np.ndarray  # int64 (a power of two,): a hash table of attributes that split differently
    shape: np.ndarray  # int64 (widest + 1,): of what lies below an attribute
    sizes: np.ndarray  # int64 (widest,)


@kernel
def hash_of(rows):
    code = ZERO
    for w in range(len(rows)):
        code = mixed(code ^ rows[w])
    return code


@kernel
def look_up(store, rows):
    """Place of a row set, or -1."""
    places = np.uint64(len(store.size))
    start = hash_of(rows) % places
    for probe in range(PROBES):
        place = np.int64((start + np.uint64(probe)) % places)
        if store.size[place] == 0:
            return -1
        same = True
        for w in range(len(rows)):
            if store.sets[place, w] != rows[w]:
                same = False
                break
        if same:
            return place
    return -1


@kernel
def put(store, rows, size, value, strong):
    """Keep what is known of a row set, in place of the smallest of the neighbours if all are
    taken.
    """
    place = look_up(store, rows)
    if place < 0:
        places = np.uint64(len(store.size))
        start = hash_of(rows) % places
        place = np.int64(start)
        for probe in range(PROBES):
            other = np.int64((start + np.uint64(probe)) % places)
            if store.size[other] < store.size[place]:
                place = other
        for w in range(len(rows)):
            store.sets[place, w] = rows[w]
        store.size[place] = size
        store.strong[place] = 0
    store.value[place] = value
    store.strong[place] |= strong


@kernel(inline=True)
def own_cost(cost, total, price):
    if cost == PATH:
        return total * price
    return np.int64(0) if cost == TERMINALS else price


@kernel(inline=True)
def joined(cost, left, right):
    return max(left, right) if cost == DEPTH else left + right


@kernel(inline=True)
def pair_cost(cost, rows, total, problem):
    """Least cost of two rows that must be told apart."""
    least = FAR
    for a in range(len(problem.price)):
        if problem.price[a] >= least:
            continue
        apart = True
        for slot in range(problem.first[a], problem.first[a + 1]):
            n = 0
            for w in range(len(rows)):
                n += ones(rows[w] & problem.masks[slot, w])
            if n == 2:
                apart = False
                break
        if apart:
            least = problem.price[a]
    leaf = 1 if cost in (NODES, TERMINALS) else 0
    return own_cost(cost, total, least) + 2 * leaf


@kernel
def split_all(rows, size, problem, room, shape):
    """Split a subtable by every attribute.

    `filled` is 0 where an attribute is constant or repeats a partition.

    `shape` gets what cost_bound takes.
    """
    room.seen[:] = -1
    for a in range(len(problem.price)):
        room.code[a] = ZERO
        filled = 0
        for slot in range(problem.first[a], problem.first[a + 1]):
            n = 0
            for w in range(len(rows)):
                word = rows[w] & problem.masks[slot, w]
                room.parts[slot, w] = word
                n += ones(word)
            room.size[slot] = n
            if n > 0:
                filled += 1
                room.code[a] += hash_of(room.parts[slot])
            if n == size:
                filled = 0
                break
        room.filled[a] = filled
        if filled:
            keep_cheapest(a, problem, room)
    shape[:] = 0
    for a in range(len(problem.price)):
        if room.filled[a] > 0:
            add_to_shape(room.size[problem.first[a] : problem.first[a + 1]], np.int64(1), shape)


@kernel
def keep_cheapest(a, problem, room):
    """Of an attribute and one before it that splits alike keep the cheaper, or the first."""
    mask = np.uint64(len(room.seen) - 1)
    place = room.code[a] & mask
    b = room.seen[place]
    while b >= 0 and not (
        room.filled[b] == room.filled[a]
        and room.code[a] == room.code[b]
        and same_partition(a, b, problem, room)
    ):
        place = (place + ONE) & mask
        b = room.seen[place]
    if b >= 0 and problem.price[b] <= problem.price[a]:
        room.filled[a] = 0
    else:
        if b >= 0:
            room.filled[b] = 0
        room.seen[place] = a


@kernel
def add_to_shape(sizes, sign, shape):
    """Take an attribute with branches of these sizes into a shape, or out of it."""
    filled = 0
    total, most, second = np.int64(0), np.int64(0), np.int64(0)
    for n in sizes:
        filled += n > 0
        total += n
        if n > most:
            most, second = n, most
        elif n > second:
            second = n
    shape[filled] += sign
    shape[0] += sign * (total - most - second)


@kernel(inline=True)
def same_partition(a, b, problem, room):
    """Do two attributes split a subtable alike?"""
    for slot in range(problem.first[a], problem.first[a + 1]):
        if room.size[slot] == 0:
            continue
        match = False
        for other in range(problem.first[b], problem.first[b + 1]):
            if room.size[other] == room.size[slot]:
                match = True
                for w in range(room.parts.shape[1]):
                    if room.parts[slot, w] != room.parts[other, w]:
                        match = False
                        break
                if match:
                    break
        if not match:
            return False
    return True


@kernel
def known_or_easy(cost, part, size, problem, cheapest, shape, store, scratch):
    """(bound, is it exact) of a branch from the store or its decisions alone; bound -1: a leaf."""
    total, wrong = weigh(part, problem, scratch.counts)
    if may_end(total, wrong, problem.slack):
        return np.int64(-1), True
    if size == 2:
        return pair_cost(cost, part, total, problem), True
    place = look_up(store, part)
    if place >= 0:
        value = store.value[place]
        return (value, True) if value >= 0 else (-1 - value, False)
    leaves = least_leaves(scratch.counts, total, problem.slack)
    return cost_bound(cost, leaves, total, np.int64(0), np.int64(0), cheapest, shape), False


@kernel(inline=True)
def bound_attribute(level, a, cost, problem, cheapest, store, frames, room, scratch):
    """(bound, disorder) of an attribute from what is known of its branches, or easily found."""
    leaf = 1 if cost in (NODES, TERMINALS) else 0
    first, end = problem.first[a], problem.first[a + 1]
    bound, disorder = np.int64(0), 0.0
    room.shape[:] = frames.shape[level]
    add_to_shape(room.size[first:end], np.int64(-1), room.shape)
    for slot in range(first, end):
        size = room.size[slot]
        if size > 0:
            part = room.parts[slot]
            low, _ = known_or_easy(cost, part, size, problem, cheapest, room.shape, store, scratch)
            bound = joined(cost, bound, low if low >= 0 else np.int64(leaf))
            for c in range(len(problem.decisions)):
                count = overlap_count(part, problem.decisions[c])
                if count > 1:
                    disorder -= count * math.log2(count)
            disorder += size * math.log2(size)
    return bound + own_cost(cost, frames.state[level].total, problem.price[a]), disorder


@kernel(inline=True)
def insert(a, waiting, order, bound, disorder):
    """Put an attribute in its place in the last run, by (bound, disorder)."""
    at, first = waiting, waiting & ~(RUN - 1)
    mine = bound[a], disorder[a]
    while at > first and (bound[order[at - 1]], disorder[order[at - 1]]) > mine:
        order[at] = order[at - 1]
        at -= 1
    order[at] = a


@kernel(inline=True)
def enter(level, cost, problem, cheapest, store, frames, room, scratch):
    """Expand the subtable of a frame: bounds and order of its attributes."""
    here, bound = frames.state[level], frames.bound[level]
    order, disorder = frames.order[level], room.disorder
    split_all(frames.rows[level], here.count, problem, room, frames.shape[level])
    waiting = 0
    here.failed = FAR
    for a in range(len(problem.price)):
        if room.filled[a] > 0:
            bound[a], disorder[a] = bound_attribute(
                level, a, cost, problem, cheapest, store, frames, room, scratch
            )
            if bound[a] > here.budget:
                here.failed = min(here.failed, bound[a])
            else:
                insert(a, waiting, order, bound, disorder)
                waiting += 1
    merge_runs(order, waiting, bound, disorder, room.seen)
    here.waiting, here.cursor = waiting, 0
    here.best, here.choice, here.child = FAR, -1, -1


@kernel
def merge_runs(order, n, bound, disorder, spare):
    """Put runs of attributes in the order of (bound, disorder, attribute) together."""
    width = RUN
    while width < n:
        for begin in range(0, n, 2 * width):
            middle, end = min(begin + width, n), min(begin + 2 * width, n)
            i, j = begin, middle
            for at in range(begin, end):
                left = j == end
                if i < middle and j < end:
                    a, b = order[i], order[j]
                    left = (bound[a], disorder[a]) <= (bound[b], disorder[b])
                if left:
                    spare[at] = order[i]
                    i += 1
                else:
                    spare[at] = order[j]
                    j += 1
        for at in range(n):
            order[at] = spare[at]
        width *= 2


@kernel
def overlap_count(rows, mask):
    n = 0
    for w in range(len(rows)):
        n += ones(rows[w] & mask[w])
    return n


@kernel(inline=True)
def size_branches(level, a, problem, frames, room):
    """Rows of the branches of an attribute into `sizes`; the shape of what lies below it."""
    first, end = problem.first[a], problem.first[a + 1]
    for slot in range(first, end):
        room.sizes[slot - first] = overlap_count(frames.rows[level], problem.masks[slot])
    room.shape[:] = frames.shape[level]
    add_to_shape(room.sizes[: end - first], np.int64(-1), room.shape)


@kernel(inline=True)
def fill_branches(level, a, cost, problem, cheapest, store, frames, room, scratch):
    """Write the branches of the attribute that is tried, and what is known of them."""
    here, first = frames.state[level], problem.first[a]
    leaf = 1 if cost in (NODES, TERMINALS) else 0
    here.fixed = own_cost(cost, here.total, problem.price[a])
    here.branches = 0
    for slot in range(first, problem.first[a + 1]):
        size, i = room.sizes[slot - first], here.branches
        if size > 0:
            part = frames.parts[level, i]
            for w in range(len(part)):
                part[w] = frames.rows[level, w] & problem.masks[slot, w]
            shape = room.shape
            low, exact = known_or_easy(cost, part, size, problem, cheapest, shape, store, scratch)
            if low >= 0:
                frames.part_size[level, i] = size
                frames.low[level, i], frames.exact[level, i] = low, exact
                here.branches += 1
            elif cost != DEPTH:
                here.fixed += leaf


@kernel(inline=True)
def strengthen(level, cost, problem, cheapest, store, frames, room, scratch):
    """Bound the branches by pairs of rows as far as it may take the attribute over the budget.

    Their bounds together, and the work.
    """
    here, work = frames.state[level], np.int64(0)
    below = total_below(level, cost, frames, np.int64(-1))
    for i in range(here.branches):
        if here.fixed + below > here.budget:
            break
        part = frames.parts[level, i]
        place = -1 if frames.exact[level, i] else look_up(store, part)
        if frames.exact[level, i] or (place >= 0 and store.strong[place]):
            continue
        beside = np.int64(0) if cost == DEPTH else below - frames.low[level, i]
        enough = here.budget - here.fixed - beside + 1
        low, best = strong_bound(cost, part, problem, cheapest, room.shape, enough, scratch)
        work += frames.part_size[level, i] * (frames.rows.shape[1] // 4 + PER_ROW)
        low = max(low, frames.low[level, i])
        put(store, part, frames.part_size[level, i], -1 - low, best)
        frames.low[level, i] = low
        below = total_below(level, cost, frames, np.int64(-1))
    return below, work


@kernel
def total_below(level, cost, frames, without):
    """Bounds of the branches together, but for one."""
    below = np.int64(0)
    for i in range(frames.state[level].branches):
        if i != without:
            below = joined(cost, below, frames.low[level, i])
    return below


@kernel(inline=True)
def next_branch(level, frames):
    """The largest branch that is not settled, or -1."""
    chosen = -1
    for i in range(frames.state[level].branches):
        if not frames.exact[level, i] and (
            chosen < 0 or frames.part_size[level, i] > frames.part_size[level, chosen]
        ):
            chosen = i
    return chosen


@kernel(inline=True)
def next_attribute(level, frames):
    """The attribute to try now, or -1: the subtable is done."""
    here = frames.state[level]
    place = here.cursor
    if place == here.waiting or here.best == here.lower:
        return -1
    a = frames.order[level, place]
    return a if frames.bound[level, a] <= here.budget else -1


@kernel(inline=True)
def close_frame(level, store, frames):
    """(value, is it exact) of a subtable that is done: its least cost, or a bound above the
    budget.
    """
    here = frames.state[level]
    value = here.best
    exact = value < FAR
    if not exact:
        value = here.failed
        for place in range(here.cursor, here.waiting):
            value = min(value, frames.bound[level, frames.order[level, place]])
        value = max(value, here.lower)
    put(store, frames.rows[level], here.count, value if exact else -1 - value, True)
    return value, exact


@kernel(inline=True)
def hand_up(level, control, store, frames):
    """Give the value of a subtable that is done to the branch above it, or to the caller; the level
    to go on with.
    """
    value, exact = close_frame(level, store, frames)
    if level == 0:
        control.value, control.found = value, exact
        control.attribute = frames.state[0].choice
    else:
        child = frames.state[level - 1].child
        frames.low[level - 1, child] = value
        frames.exact[level - 1, child] = exact
    return level - 1


@kernel(inline=True)
def go_on(level, cost, problem, frames, scratch):
    """Give up the attribute that is open, settle it, or go one branch deeper; the level then."""
    here = frames.state[level]
    a, i = frames.order[level, here.cursor], next_branch(level, frames)
    below = total_below(level, cost, frames, np.int64(-1))
    bound = max(here.fixed + below, frames.bound[level, a])
    if bound <= here.budget and i >= 0:
        here.child = i
        beside = np.int64(0) if cost == DEPTH else total_below(level, cost, frames, i)
        budget, low = here.budget - here.fixed - beside, frames.low[level, i]
        part, size = frames.parts[level, i], frames.part_size[level, i]
        start_frame(level + 1, part, size, low, budget, problem, frames, scratch)
        level += 1
    else:
        if bound > here.budget:
            here.failed = min(here.failed, bound)
        else:
            here.best, here.choice, here.budget = bound, a, bound - 1
        here.cursor += 1
        here.child = -1
    return level


@kernel
def search(cost, problem, cheapest, store, frames, room, scratch, controls, until):
    """Go on with the frames until the first is done, or the work is."""
    control, level = controls[0], controls[0].level
    words, first = frames.rows.shape[1], problem.first
    effort = len(problem.masks) * (words + PER_BRANCH)
    while level >= 0 and control.work < until:
        here = frames.state[level]
        if here.waiting < 0:
            enter(level, cost, problem, cheapest, store, frames, room, scratch)
            control.work += effort
            control.expansions += 1
        if here.child < 0:
            a = next_attribute(level, frames)
            if a >= 0:
                size_branches(level, a, problem, frames, room)
                fill_branches(level, a, cost, problem, cheapest, store, frames, room, scratch)
                below, work = strengthen(
                    level, cost, problem, cheapest, store, frames, room, scratch
                )
                control.work += work + (first[a + 1] - first[a]) * (words + PER_BRANCH)
                frames.bound[level, a] = max(frames.bound[level, a], here.fixed + below)
            else:
                level = hand_up(level, control, store, frames)
        if level >= 0:
            level = go_on(level, cost, problem, frames, scratch)
    control.level = max(level, 0)
    return DONE if level < 0 else PAUSED


@kernel
def start_frame(level, rows, size, lower, budget, problem, frames, scratch):
    here = frames.state[level]
    for w in range(len(rows)):
        frames.rows[level, w] = rows[w]
    total, _ = weigh(rows, problem, scratch.counts)
    here.count = size
    here.total = total
    here.lower = lower
    here.budget = budget
    here.waiting = -1
    here.child = -1
