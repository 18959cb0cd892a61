"""Two tests on a path: the first of them by intervals of cuts, the second by lanes.

Between two cuts a < b of a column that were judged, a cut's left side holds that of a and its right
side that of b, and a part of a set costs no more than the set: all of them cost at least what a's
left and b's right side cost together. And a set costs at most by its further cases more than a part
of it, so that a cut near a is little better than a itself, and one near b than b. What remains of
an interval is halved, or cut by several lanes where these are to spare, until nothing remains.
"""

import numpy as np

from pinetum.jit import kernel
from pinetum.optimal.kernels.bundles import LANES, NEVER, SIDES
from pinetum.optimal.kernels.lanes import judge
from pinetum.optimal.kernels.sets import distance

# Places of the queue that are left when the newest intervals begin to go first: each batch of them
# then adds as many as there are lanes, and halves them.
RESERVE = 40 * LANES


@kernel
def begin_pairs(task, sets, lanes, queue, stack, tables, plan, now):
    """A leaf is the best tree so far; every column is an interval."""
    level, here, rules = now.level, stack[now.level], task.rules[0]
    gains, lead, label = lanes.gains, sets.lead[level], sets.label[level]
    gains[:] = 0.0
    here.most = 0.0
    for x in range(here.cases):
        weight = np.float64(lead[x])
        if rules.two:
            gains[0] += max(weight, 0.0)
            gains[1] += max(-weight, 0.0)
            here.most += abs(weight)
        else:
            for e in range(task.start[label[x]], task.start[label[x] + 1]):
                gains[task.decision[e]] += weight * task.amount[e]
            here.most += weight * task.most[label[x]]
    lanes.most[SIDES] = here.most
    leaf = 0.0
    for k in range(task.decisions - 1 if rules.least > 0 else task.decisions):
        leaf = max(leaf, gains[k])
    here.value = here.most - leaf + rules.penalty
    here.low = here.value
    if rules.least > 0 and gains[task.decisions - 1] < rules.least:
        here.value = NEVER
    plan.column[level, :] = -1
    tables.best[level, :] = NEVER
    now.head, now.waiting, now.begun = 0, 0, False
    for f in range(sets.many.shape[1]):
        if sets.many[level, f] > 0:
            wait(queue, f, -1, sets.many[level, f], (0.0, 0.0), (0.0, 0.0), now)


@kernel
def wait(queue, column, low, high, at_low, at_high, now):
    """An interval joins the queue."""
    room = len(queue.waiting)
    interval = queue.waiting[(now.head + now.waiting) % room]
    interval.column, interval.low, interval.high = column, low, high
    interval.low_left, interval.low_right = at_low
    interval.high_left, interval.high_right = at_high
    now.waiting += 1


@kernel
def first_beyond(cuts, reach, weighted, low, high, wanted):
    """The first cut from `low` up to `high` with more than this before it; `high` if there is
    none.
    """
    while low < high:
        middle = (low + high) // 2
        if distance(cuts, reach, weighted, middle) > wanted:
            high = middle
        else:
            low = middle + 1
    return low


@kernel
def trim(interval, many, whole, most, cuts, reach, weighted):
    """First and last cut of an interval that may cost less than `most`; none where they cross."""
    low, high = interval.low + 1, interval.high - 1
    if interval.low_left + interval.high_right >= most:
        return np.int64(1), np.int64(0)
    before = distance(cuts, reach, weighted, low - 1) if low > 0 else 0.0
    excess = interval.low_left + interval.low_right - most
    if excess > 0:
        low = first_beyond(cuts, reach, weighted, low, high + 1, before + excess)
    before = distance(cuts, reach, weighted, high + 1) if high + 1 < many else whole
    excess = interval.high_left + interval.high_right - most
    if excess > 0:
        high = first_beyond(cuts, reach, weighted, low, high + 1, before - excess) - 1
    return low, high


@kernel
def pick_intervals(task, sets, queue, stack, now):
    """As many living intervals as there are lanes leave the queue; cuts of all of them."""
    level, here, rules = now.level, stack[now.level], task.rules[0]
    room, width, most_lanes = len(queue.waiting), 0, LANES - (0 if now.begun else 1)
    now.picked = 0
    while now.picked < most_lanes and now.waiting > 0:
        at = now.head
        if now.waiting > room - RESERVE:
            at = (now.head + now.waiting - 1) % room
        else:
            now.head = (now.head + 1) % room
        now.waiting -= 1
        interval, f = queue.waiting[at], queue.waiting[at].column
        low, high = interval.low + 1, interval.high - 1
        if now.begun:
            low, high = trim(
                interval,
                sets.many[level, f],
                here.most,
                here.value - rules.slack - task.price[f],
                sets.cuts[level, f],
                sets.reach[level, f],
                rules.weighted,
            )
        if low <= high:
            kept = queue.picked[now.picked]
            kept.column, kept.low, kept.high = f, interval.low, interval.high
            kept.low_left, kept.low_right = interval.low_left, interval.low_right
            kept.high_left, kept.high_right = interval.high_left, interval.high_right
            kept.first, kept.last = low, high
            now.picked += 1
            width += high - low + 1
    return width


@kernel
def fill_lanes(sets, lanes, queue, width, now):
    """Every interval gets a lane, a wide one more where they are to spare, evenly placed."""
    now.lanes = 0
    if not now.begun:  # all cases on the left: the best single test
        lanes.column[0] = -1
        now.lanes = 1
    spare = LANES - now.lanes - now.picked
    for i in range(now.picked):
        own = queue.picked[i]
        cuts = own.last - own.first + 1
        own.lanes = min(cuts, 1 + spare * cuts // width)
        for j in range(own.lanes):
            lanes.column[now.lanes] = own.column
            lanes.index[now.lanes] = own.first + (2 * j + 1) * cuts // (2 * own.lanes)
            lanes.cut[now.lanes] = sets.cuts[now.level, own.column, lanes.index[now.lanes]]
            now.lanes += 1


@kernel
def note_single(task, lanes, queue, stack, now):
    """What a single test costs, and so the ends of all columns."""
    here, single = stack[now.level], lanes.low[0]
    here.low = min(here.low, single)
    here.value = min(here.value, lanes.value[0])
    for i in range(now.waiting):
        interval = queue.waiting[(now.head + i) % len(queue.waiting)]
        interval.low_right = interval.high_left = single
    for i in range(now.picked):
        queue.picked[i].low_right = queue.picked[i].high_left = single
    now.begun = True


@kernel
def note_cuts(first, task, sets, lanes, stack, tables, plan, now):
    """The best cut so far, of all columns and of each."""
    level, here, slack = now.level, stack[now.level], task.rules[0].slack
    for j in range(first, now.lanes):
        f, k = lanes.column[j], lanes.index[j]
        low = lanes.low[j] + lanes.low[LANES + j] + task.price[f]
        here.low = min(here.low, low)
        if low < tables.best[level, f]:
            tables.best[level, f], tables.best_cut[level, f] = low, k
        value = lanes.value[j] + lanes.value[LANES + j] + task.price[f]
        if value < here.value - slack:
            here.value = value
            plan.column[level, 1] = f
            plan.code[level, 1] = code_of(level, f, lanes.cut[j], task, sets)


@kernel
def code_of(level, column, cut, task, sets):
    """The greatest code left of a cut."""
    return task.codes[column, sets.case[level, sets.order[level, column, cut - 1]]]


@kernel
def halve(first, task, lanes, queue, stack, now):
    """Between the lanes of an interval new ones wait, where a cut may still be better."""
    here, lane = stack[now.level], first
    for i in range(now.picked):
        own = queue.picked[i]
        most = here.value - task.rules[0].slack - task.price[own.column]
        low, left, right = own.low, own.low_left, own.low_right
        for j in range(lane, lane + own.lanes + 1):
            high, after = own.high, (own.high_left, own.high_right)
            if j < lane + own.lanes:
                high, after = lanes.index[j], (lanes.low[j], lanes.low[LANES + j])
            if high - low > 1 and left + after[1] < most:
                wait(queue, own.column, low, high, (left, right), after, now)
            low, left, right = high, after[0], after[1]
        lane += own.lanes


@kernel
def judge_batch(task, sets, lanes, queue, stack, tables, plan, now):
    """Judge up to as many cuts as there are lanes; whether nothing is left to judge."""
    level, begun = now.level, now.begun
    width = pick_intervals(task, sets, queue, stack, now)
    if now.picked == 0:
        return True
    fill_lanes(sets, lanes, queue, width, now)
    now.work += judge(level, stack[level].cases, now.lanes, task, sets, lanes)
    if not begun:
        note_single(task, lanes, queue, stack, now)
    first = 0 if begun else 1
    note_cuts(first, task, sets, lanes, stack, tables, plan, now)
    halve(first, task, lanes, queue, stack, now)
    return False


@kernel
def bound_pairs(task, queue, stack, now):
    """What no tree of two tests on a path costs less than, as far as is known."""
    here = stack[now.level]
    low = here.value
    for i in range(now.waiting):
        interval = queue.waiting[(now.head + i) % len(queue.waiting)]
        least = interval.low_left + interval.high_right + task.price[interval.column]
        low = min(low, least)
    return low
