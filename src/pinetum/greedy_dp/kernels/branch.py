"""Branch and bound for one cost of a decision table: depth first, within a budget, with a bounded
store.

A frame per level of the tree holds a subtable, the attributes that split it in the order of their
bounds, and the branches of the one that is tried. A branch gets what the budget leaves after the
bounds of its siblings. What is found of a subtable - its least cost, or a bound that the budget has
proved - goes into a store of fixed size, where the smaller of two subtables gives way.
"""

from typing import NamedTuple

import numpy as np

from pinetum.greedy_dp.kernels.bits import ONE, ZERO, mixed, ones
from pinetum.greedy_dp.kernels.bounds import cost_bound, strong_bound
from pinetum.greedy_dp.kernels.constants import DEPTH, NODES, PATH, TERMINALS
from pinetum.greedy_dp.kernels.problem import FAR, least_leaves, may_end, weigh
from pinetum.jit import kernel

PROBES = 12
PER_BRANCH, PER_ROW = 32, 64  # work beside reading row sets
RUN = 64  # attributes that are put into order one by one
DONE, PAUSED, SEARCHING = 0, 1, 2
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
            ("size", np.int64),  # rows of the subtable
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
def enter(level, cost, problem, cheapest, store, frames, room, scratch):
    """Expand the subtable of a frame: bounds and order of its attributes."""
    here, rows = frames.state[level], frames.rows[level]
    split_all(rows, here.size, problem, room, frames.shape[level])
    leaf = 1 if cost in (NODES, TERMINALS) else 0
    waiting = 0
    here.failed = FAR
    for a in range(len(problem.price)):
        if room.filled[a] == 0:
            continue
        bound = np.int64(0)
        disorder = 0.0
        room.shape[:] = frames.shape[level]
        add_to_shape(room.size[problem.first[a] : problem.first[a + 1]], np.int64(-1), room.shape)
        for slot in range(problem.first[a], problem.first[a + 1]):
            size = room.size[slot]
            if size == 0:
                continue
            low, _ = known_or_easy(
                cost, room.parts[slot], size, problem, cheapest, room.shape, store, scratch
            )
            if low < 0:
                low = np.int64(leaf)
            bound = joined(cost, bound, low)
            for c in range(len(problem.decisions)):
                count = overlap_count(room.parts[slot], problem.decisions[c])
                if count > 1:
                    disorder -= count * np.log2(count)
            disorder += size * np.log2(size)
        bound += own_cost(cost, here.total, problem.price[a])
        frames.bound[level, a] = bound
        room.disorder[a] = disorder
        if bound > here.budget:
            here.failed = min(here.failed, bound)
            continue
        at, first = waiting, waiting & ~(RUN - 1)
        while at > first:
            b = frames.order[level, at - 1]
            if (frames.bound[level, b], room.disorder[b]) <= (bound, disorder):
                break
            frames.order[level, at] = b
            at -= 1
        frames.order[level, at] = a
        waiting += 1
    merge_runs(frames.order[level], waiting, frames.bound[level], room.disorder, room.seen)
    here.waiting = waiting
    here.cursor = 0
    here.best = FAR
    here.choice = -1
    here.child = -1


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
def open_attribute(level, a, cost, problem, cheapest, store, frames, room, scratch):
    """Fill the branches of the attribute that is tried.

    Its bound, as far as it is needed, and the work.
    """
    here = frames.state[level]
    work = (problem.first[a + 1] - problem.first[a]) * (frames.rows.shape[1] + PER_BRANCH)
    leaf = 1 if cost in (NODES, TERMINALS) else 0
    low_slot, high_slot = problem.first[a], problem.first[a + 1]
    for slot in range(low_slot, high_slot):
        room.sizes[slot - low_slot] = overlap_count(frames.rows[level], problem.masks[slot])
    room.shape[:] = frames.shape[level]
    add_to_shape(room.sizes[: high_slot - low_slot], np.int64(-1), room.shape)
    fixed = own_cost(cost, here.total, problem.price[a])
    n_parts = 0
    below = np.int64(0)
    for slot in range(low_slot, high_slot):
        size = room.sizes[slot - low_slot]
        if size == 0:
            continue
        part = frames.parts[level, n_parts]
        for w in range(len(part)):
            part[w] = frames.rows[level, w] & problem.masks[slot, w]
        low, exact = known_or_easy(cost, part, size, problem, cheapest, room.shape, store, scratch)
        if low < 0:
            if cost != DEPTH:
                fixed += leaf
            continue
        frames.part_size[level, n_parts] = size
        frames.low[level, n_parts] = low
        frames.exact[level, n_parts] = exact
        below = joined(cost, below, low)
        n_parts += 1
    here.branches = n_parts
    here.fixed = fixed
    for i in range(n_parts):
        if fixed + below > here.budget:
            break
        if frames.exact[level, i]:
            continue
        part = frames.parts[level, i]
        place = look_up(store, part)
        if place >= 0 and store.strong[place]:
            continue
        beside = np.int64(0) if cost == DEPTH else below - frames.low[level, i]
        enough = here.budget - fixed - beside + 1
        low, best = strong_bound(cost, part, problem, cheapest, room.shape, enough, scratch)
        work += frames.part_size[level, i] * (frames.rows.shape[1] // 4 + PER_ROW)
        low = max(low, frames.low[level, i])
        put(store, part, frames.part_size[level, i], -1 - low, best)
        frames.low[level, i] = low
        below = total_below(level, cost, frames, np.int64(-1))
    return fixed + below, work


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
    put(store, frames.rows[level], here.size, value if exact else -1 - value, True)
    return value, exact


@kernel
def search(cost, problem, cheapest, store, frames, room, scratch, controls, until):
    """Go on with the frames until the first is done, or the work is."""
    control = controls[0]
    effort = len(problem.masks) * (frames.rows.shape[1] + PER_BRANCH)
    level = control.level
    ending = SEARCHING
    while ending == SEARCHING:
        if control.work >= until:
            control.level, ending = level, PAUSED
            continue
        if frames.state[level].waiting < 0:
            enter(level, cost, problem, cheapest, store, frames, room, scratch)
            control.work += effort
            control.expansions += 1
        if frames.state[level].child < 0:
            a = next_attribute(level, frames)
            if a >= 0:
                bound, work = open_attribute(
                    level, a, cost, problem, cheapest, store, frames, room, scratch
                )
                control.work += work
                frames.bound[level, a] = max(frames.bound[level, a], bound)
            else:
                value, exact = close_frame(level, store, frames)
                if level == 0:
                    control.level = 0
                    control.value = value
                    control.found = exact
                    control.attribute = frames.state[0].choice
                    ending = DONE
                    continue
                level -= 1
                frames.low[level, frames.state[level].child] = value
                frames.exact[level, frames.state[level].child] = exact
        # The attribute that is open at this level: given up, settled, or one branch deeper.
        here = frames.state[level]
        a = frames.order[level, here.cursor]
        bound = max(
            here.fixed + total_below(level, cost, frames, np.int64(-1)), frames.bound[level, a]
        )
        i = next_branch(level, frames)
        if bound > here.budget:
            here.failed = min(here.failed, bound)
            here.cursor += 1
            here.child = -1
        elif i < 0:
            here.best = bound
            here.choice = a
            here.budget = bound - 1
            here.cursor += 1
            here.child = -1
        else:
            here.child = i
            below = np.int64(0) if cost == DEPTH else total_below(level, cost, frames, i)
            budget = here.budget - here.fixed - below
            start_frame(
                level + 1,
                frames.parts[level, i],
                frames.part_size[level, i],
                frames.low[level, i],
                budget,
                problem,
                frames,
                scratch,
            )
            level += 1
    return ending


@kernel
def start_frame(level, rows, size, lower, budget, problem, frames, scratch):
    here = frames.state[level]
    for w in range(len(rows)):
        frames.rows[level, w] = rows[w]
    total, _ = weigh(rows, problem, scratch.counts)
    here.size = size
    here.total = total
    here.lower = lower
    here.budget = budget
    here.waiting = -1
    here.child = -1
