"""Sixty-four cuts of one set at once: the best single test of either side of each.

A lane is one side of a cut: the left sides come first, then the right ones. Going through the
cases in the order of a column, every lane adds up those of its own; so one walk through the columns
judges all sides, in sums over lanes that the compiler makes vectors of.

Two decisions: a case's lead is what decision 1 gains more than 0. A set whose leads sum to S costs
A - max(0, S), A the sum of its positive leads; cut in two, A - max(s, S - s) at best, so that the
greatest and the least s are all that is wanted. Rows of `state`, of a number per lane:

    0     s, the sum of leads below the place          1, 2  the greatest and the least s at a cut
    3     S

More decisions: a set costs what it costs at most less the greatest of its gains, which are summed
by decision; d of them, with `least` one more, whose gain is the weight of a case. Rows of `state`:

    0, 1      best gain of two parts, and of two that have enough cases
    2, 3      greatest gain below the place, and above it
    4 ...     gains by decision below the place, d rows
    4 + d     the same below the end of a segment of the column
    4 + 2 d   above the place            4 + 3 d   of the whole lane

Walking up a column, the greatest gain below the place can only rise, by the case that is added; so
does the one above it in walking down. So a segment is walked down, noting gains at cuts, and up.
"""

import numpy as np

from pinetum.jit import kernel
from pinetum.optimal.kernels.bundles import LANES, NEVER, SEGMENT, SIDES
from pinetum.optimal.kernels.sets import distance, index

ONE, SEVEN, EIGHT, BYTE = np.uint64(1), np.uint64(7), np.uint64(8), np.uint64(255)
EACH, OWN, LOW = (
    np.uint64(0x0101010101010101),
    np.uint64(0x8040201008040201),
    np.uint64(0x7F7F7F7F7F7F7F7F),
)
PARTS = 4  # rows of `state` before the gains by decision


@kernel
def mark_run(order, cut, first, last, bits):
    """Which cases are left of some cuts, rising ones of one column."""
    marks = np.uint64(0)
    for lane in range(first, last):
        marks |= ONE << np.uint64(lane)
    i = np.int64(0)
    for lane in range(first, last):
        while i < cut[lane]:
            bits[index(order[index(i)])] |= marks
            i += 1
        marks ^= ONE << np.uint64(lane)


@kernel
def spread_bits(bits, words, cases):
    """A byte per lane that is 1 where the case is on its side, eight lanes a word."""
    for x in range(cases):
        for j in range(LANES // 8):
            byte = (bits[x] >> (EIGHT * np.uint64(j))) & BYTE
            left = ((((byte * EACH) & OWN) + LOW) >> SEVEN) & EACH
            words[x, j] = left
            words[x, LANES // 8 + j] = left ^ EACH


@kernel
def mark_lanes(level, cases, count, sets, lanes):
    """Which cases are on which side of some cuts, and what a side costs when all are wrong."""
    bits, most, weighted = lanes.bits, lanes.most, len(sets.weight[level]) > 1
    bits[:cases] = 0
    first = 0
    while first < count:
        f, last = lanes.column[first], first + 1
        if f < 0:
            for x in range(cases):
                bits[x] |= ONE << np.uint64(first)
        else:
            while last < count and rises(lanes.column, lanes.cut, last):
                last += 1
            mark_run(sets.order[level, f], lanes.cut, first, last, bits)
        first = last
    spread_bits(bits, lanes.words, cases)
    lanes.inside[cases, :] = 0
    for j in range(count):
        f, k = lanes.column[j], lanes.index[j]
        most[j] = most[SIDES]
        if f >= 0:
            most[j] = distance(sets.cuts[level, f], sets.reach[level, f], weighted, k)
        most[LANES + j] = most[SIDES] - most[j]


@kernel
def rises(column, cut, lane):
    """Whether a lane has a later cut of the same column than the lane before."""
    return column[lane] == column[lane - 1] and cut[lane] > cut[lane - 1]


@kernel
def walk_leads(order, change, lead, inside, q, places):
    """The first places of a column, four by four: sums of leads, and their extremes at cuts."""
    cast = q.dtype.type
    none = cast(0)
    for i in range(0, places, 4):
        a, b, c, d = order[i], order[i + 1], order[i + 2], order[i + 3]
        at_a, at_b, at_c, at_d = change[i + 1], change[i + 2], change[i + 3], change[i + 4]
        lead_a, lead_b, lead_c, lead_d = lead[a], lead[b], lead[c], lead[d]
        if at_a | at_b | at_c | at_d:
            for j in range(SIDES):
                s, most, least = q[j], q[SIDES + j], q[2 * SIDES + j]
                s = cast(s + (lead_a if inside[a, j] else none))
                most, least = widened(most, least, s, at_a)
                s = cast(s + (lead_b if inside[b, j] else none))
                most, least = widened(most, least, s, at_b)
                s = cast(s + (lead_c if inside[c, j] else none))
                most, least = widened(most, least, s, at_c)
                s = cast(s + (lead_d if inside[d, j] else none))
                most, least = widened(most, least, s, at_d)
                q[j], q[SIDES + j], q[2 * SIDES + j] = s, most, least
        else:
            for j in range(SIDES):
                s = cast(q[j] + (lead_a if inside[a, j] else none))
                s = cast(s + (lead_b if inside[b, j] else none))
                s = cast(s + (lead_c if inside[c, j] else none))
                q[j] = cast(s + (lead_d if inside[d, j] else none))


@kernel
def widened(most, least, s, at_cut):
    """Extremes that take in a sum where there is a cut."""
    return (max(most, s), min(least, s)) if at_cut else (most, least)


@kernel
def judge_leads(level, cases, count, task, sets, lanes):
    """The best single test on both sides of each cut, of two decisions; cells walked through."""
    rules, rows, q, work = task.rules[0], lanes.rows, lanes.state, 0
    order, change, lead = sets.order[level], sets.change[level], sets.lead[level]
    q[:] = 0
    for x in range(cases):
        add_gain(lead[x], x, lanes.inside, rows, 3)
    for f in range(order.shape[0]):
        many = sets.many[level, f]
        if many == 0:
            continue
        q[:SIDES] = 0
        if rules.priced:  # what a test gains is less by its price: other columns' extremes rise
            shift(lanes.rows, 1, -1, task.price[f])
        places = sets.cuts[level, f, many - 1]
        walk_leads(order[f], change[f], lead, lanes.inside, q, places)
        if rules.priced:
            shift(lanes.rows, 1, -1, -task.price[f])
        work += places
    for side in range(2):
        for j in range(side * LANES, side * LANES + count):
            whole = np.float64(q[3 * SIDES + j])
            gain = max(np.float64(q[SIDES + j]), whole - q[2 * SIDES + j])
            positive = (lanes.most[j] + whole) / 2
            lanes.low[j] = best_of(positive, max(0.0, whole), gain, rules.penalty)
            lanes.value[j] = lanes.low[j]
    return work


@kernel
def best_of(most, leaf, parts, penalty):
    """Cost of a leaf or of two: what all costs at most, and what either gains."""
    return min(most - leaf + penalty, most - parts + 2 * penalty)


@kernel
def shift(rows, first, sign, price):
    """A row rises by a price, and the next one rises or falls."""
    for j in range(SIDES):
        rows[first, j] += price
        rows[first + 1, j] += sign * price


@kernel
def add_gain(gain, case, inside, rows, row):
    """A case that gains so much by a decision, among the sums of its sides."""
    cast = rows.dtype.type
    none = cast(0)
    for j in range(SIDES):
        rows[row, j] = cast(rows[row, j] + (gain if inside[case, j] else none))


@kernel
def add_and_raise(gain, case, inside, rows, row, top):
    """The same, and the greatest of the sums."""
    cast = rows.dtype.type
    none = cast(0)
    for j in range(SIDES):
        s = cast(rows[row, j] + (gain if inside[case, j] else none))
        rows[row, j] = s
        rows[top, j] = max(rows[top, j], s)


@kernel
def walk_cuts(order, change, lead, label, task, lanes, places):
    """A column with few cuts for its decisions, or with `least`: the parts' gains at every cut."""
    rows, inside, d = lanes.rows, lanes.inside, task.decisions
    least, cast, whole = task.rules[0].least, rows.dtype.type, PARTS + 3 * d
    for i in range(places):
        x = index(order[i])
        for e in range(task.start[label[x]], task.start[label[x] + 1]):
            gain = cast(lead[x] * task.amount[e])
            add_gain(gain, x, inside, rows, PARTS + task.decision[e])
        if not change[i + 1]:
            continue
        rows[2:4] = 0
        for k in range(d - 1 if least > 0 else d):
            for j in range(SIDES):
                rows[2, j] = max(rows[2, j], rows[PARTS + k, j])
                rows[3, j] = max(rows[3, j], cast(rows[whole + k, j] - rows[PARTS + k, j]))
        for j in range(SIDES):
            both = cast(rows[2, j] + rows[3, j])
            rows[0, j] = max(rows[0, j], both)
            if least > 0:
                below = rows[PARTS + d - 1, j]
                if below >= least and rows[whole + d - 1, j] - below >= least:
                    rows[1, j] = max(rows[1, j], both)


@kernel
def walk_segments(order, change, lead, label, task, lanes, places):
    """A column with many cuts: segment by segment down, for the gains above a cut, and up."""
    rows, inside, noted, d = lanes.rows, lanes.inside, lanes.noted, task.decisions
    start, decision, amount = task.start, task.decision, task.amount
    cast = rows.dtype.type
    below, ahead, above, whole = PARTS, PARTS + d, PARTS + 2 * d, PARTS + 3 * d
    rows[2] = 0
    for first in range(0, places, SEGMENT):
        last = min(first + SEGMENT, places)
        for i in range(first, last):
            x = index(order[i])
            for e in range(start[label[x]], start[label[x] + 1]):
                add_gain(cast(lead[x] * amount[e]), x, inside, rows, ahead + decision[e])
        rows[3] = 0
        for k in range(d):
            for j in range(SIDES):
                rows[above + k, j] = cast(rows[whole + k, j] - rows[ahead + k, j])
                rows[3, j] = max(rows[3, j], rows[above + k, j])
        for i in range(last - 1, first - 1, -1):
            x = index(order[i])
            if change[i + 1]:
                noted[i - first] = rows[3]
            for e in range(start[label[x]], start[label[x] + 1]):
                gain = cast(lead[x] * amount[e])
                add_and_raise(gain, x, inside, rows, above + decision[e], 3)
        for i in range(first, last):
            x = index(order[i])
            for e in range(start[label[x]], start[label[x] + 1]):
                gain = cast(lead[x] * amount[e])
                add_and_raise(gain, x, inside, rows, below + decision[e], 2)
            if change[i + 1]:
                for j in range(SIDES):
                    rows[0, j] = max(rows[0, j], cast(rows[2, j] + noted[i - first, j]))


@kernel
def judge_gains(level, cases, count, task, sets, lanes):
    """The same of any number of decisions, and with `least`."""
    rules, rows, d, work = task.rules[0], lanes.rows, task.decisions, 0
    counted, whole = d - 1 if rules.least > 0 else d, PARTS + 3 * d
    lead, label = sets.lead[level], sets.label[level]
    rows[:] = 0
    for x in range(cases):
        for e in range(task.start[label[x]], task.start[label[x] + 1]):
            gain = rows.dtype.type(lead[x] * task.amount[e])
            add_gain(gain, x, lanes.inside, rows, whole + task.decision[e])
    for f in range(sets.many.shape[1]):
        many = sets.many[level, f]
        if many == 0:
            continue
        rows[PARTS : PARTS + 2 * d] = 0
        if rules.priced:
            shift(rows, 0, 1, task.price[f])
        places = sets.cuts[level, f, many - 1]
        column = sets.order[level, f], sets.change[level, f], lead, label
        if rules.least > 0 or many * d < 2 * places:
            walk_cuts(*column, task, lanes, places)
        else:
            walk_segments(*column, task, lanes, places)
        if rules.priced:
            shift(rows, 0, 1, -task.price[f])
        work += places
    for side in range(2):
        for j in range(side * LANES, side * LANES + count):
            leaf, most = 0.0, lanes.most[j]
            for k in range(counted):
                leaf = max(leaf, np.float64(rows[whole + k, j]))
            lanes.low[j] = best_of(most, leaf, np.float64(rows[0, j]), rules.penalty)
            lanes.value[j] = lanes.low[j]
            if rules.least > 0:
                lanes.value[j] = best_of(most, leaf, np.float64(rows[1, j]), rules.penalty)
                if rows[whole + d - 1, j] < rules.least:
                    lanes.value[j] = NEVER
    return work


@kernel
def judge(level, cases, count, task, sets, lanes):
    """Cost of the best single test on both sides of each cut; cells walked through."""
    mark_lanes(level, cases, count, sets, lanes)
    if task.rules[0].two:
        return judge_leads(level, cases, count, task, sets, lanes)
    return judge_gains(level, cases, count, task, sets, lanes)
