"""Trees of at most two tests, all at once, from the masses of pairs of literals (`cases`).

`mass` is the table of pairs after the prior and the gains were put in, one plane per decision, and
if leaves need `least` cases a last plane that counts them. Of two decisions one plane is enough,
what the second is worth more than the first (a `lead`): a leaf is worth half of what both are worth
plus half of the absolute lead, and the former add up to the same in every tree.
"""

import numpy as np

from pinetum.jit import kernel
from pinetum.nbdt.kernels.bundles import NEVER
from pinetum.nbdt.kernels.cases import BLOCK, ONE, TWO, ZERO
from pinetum.nbdt.kernels.shares import joint_share

FEW = np.uint64(16)


@kernel
def put_prior(level, table, task, held, room):
    """Put the prior, the gains and the number of cases of a node into `room.mass`, whose first axis
    is decisions, or one for leads.

    A row is filled from the block of its literal on. Features are independent within a class;
    literals of one feature share values: see `joint_share`, whose call would take longer than its
    work.
    """
    literals, problem, mass = task.literals, task.problem, room.mass
    prior, share, cells = held.mass[level], held.share[level], held.cells[level]
    feature_of, ends, cell_start = literals.feature, literals.feature_end, literals.cell_start
    lows, highs, prefix = literals.low, literals.high, room.prefix
    lead, data, leads = problem.lead, problem.data, len(mass) == 1
    classes, width, places = len(prior), len(feature_of), np.uint64(share.shape[1])
    for a in range(np.uint64(width)):
        low, feature = a & ~np.uint64(BLOCK - 1), feature_of[a]
        base = cell_start[feature] + feature
        begin = max(np.int64(low), ends[feature - 1] if feature > 0 else 0)
        for c in range(np.uint64(classes)):
            plane, factor = (ZERO, lead[c]) if leads else (c, 1.0)
            whole = factor * prior[c]
            times, scale = factor * data, whole * share[c, a]
            if plane == c:
                for b in range(low, places):
                    mass[plane, a, b] = times * table[c, a, b] + scale * share[c, b]
            else:
                for b in range(low, places):
                    mass[plane, a, b] += times * table[c, a, b] + scale * share[c, b]
            if whole == 0.0:
                continue
            for b in range(begin, ends[feature]):
                if lows[a] >= 0 and lows[b] >= 0:
                    first, last = max(lows[a], lows[b]), min(highs[a], highs[b])
                    joint = 0.0
                    if last > first:
                        joint = max(prefix[c, base + last] - prefix[c, base + first], 0.0)
                else:
                    joint = joint_share(np.int64(a), b, cells[c], literals, prefix[c])
                mass[plane, a, b] += whole * joint - scale * share[c, b]
    if not leads:
        finish_masses(table, problem, mass)


@kernel(inline=True)
def finish_masses(table, problem, mass):
    """The plane that counts cases, where leaves need them, and masses turned into worth."""
    classes, width = len(problem.best_gain), mass.shape[1]
    if problem.least > 0.0:
        for a in range(width):
            line = mass[classes, a, a:]
            for b in range(len(line)):
                line[b] = 0.0
            for c in range(classes):
                counted = table[c, a, a:]
                for b in range(len(line)):
                    line[b] += counted[b]
    if not problem.plain:
        gained = np.empty(classes, np.float64)
        for a in range(width):
            for b in range(a, width):
                gain_masses(mass[:, a, b], problem.gain, gained)


@kernel
def gain_masses(masses, gain, gained):
    """Turn masses per class into the worth of each decision; `gained` is scratch."""
    for decision in range(len(gained)):
        gained[decision] = 0.0
        for c in range(len(gained)):
            gained[decision] += masses[c] * gain[c, decision]
    for decision in range(len(gained)):
        masses[decision] = gained[decision]


@kernel
def leaf_worth(total, planes, least, penalty):
    """Worth of a node as a leaf, from its mass per decision, or its lead, and, for `least`, its
    number of cases.
    """
    if least > 0.0 and 0.0 < total[planes] < least:
        return NEVER
    best = total[0] if planes > 1 else abs(total[0])
    for c in range(1, planes):
        best = max(best, total[c])
    return best - penalty


@kernel
def corner(side, mass, a, first, last, single, total, worth, least):
    """worth[b]: that, as one leaf, of the cases in literals a and b (side 0), in a only, in b only,
    or in neither.
    """
    planes = len(total) - 1
    line = worth[first:last]
    for c in range(planes):
        pairs, alone, own = mass[c, a, first:last], single[c, first:last], single[c, a]
        base = own if side == 1 else total[c] - own if side == 3 else np.float64(0.0)
        sign, other = 1.0 if side == 0 or side == 3 else -1.0, 0.0
        if side >= 2:
            other = 1.0 if side == 2 else -1.0
        if planes == 1:
            for b in range(len(line)):
                line[b] = abs(base + other * alone[b] + sign * pairs[b])
        elif c == 0:
            for b in range(len(line)):
                line[b] = base + other * alone[b] + sign * pairs[b]
        else:
            for b in range(len(line)):
                x = base + other * alone[b] + sign * pairs[b]
                line[b] = x if x > line[b] else line[b]
    if least > 0.0:
        pairs, alone, own = (
            mass[planes, a, first:last],
            single[planes, first:last],
            single[planes, a],
        )
        for b in range(len(line)):
            cases = pairs[b] if side == 0 or side == 2 else own - pairs[b]
            if side >= 2:
                cases = (alone[b] if side == 2 else total[planes] - alone[b]) - cases
            if 0.0 < cases < least:
                line[b] = NEVER


@kernel
def raise_sums(best, first, last, one, other):
    """best[b] = max(best[b], one[b] + other[b])."""
    top, left, right = best[first:last], one[first:last], other[first:last]
    for b in range(len(top)):
        x = left[b] + right[b]
        top[b] = x if x > top[b] else top[b]


@kernel
def add_lines(one, other, first, last):
    total, more = one[first:last], other[first:last]
    for b in range(len(total)):
        total[b] += more[b]


@kernel
def highest(line, count):
    """The greatest of the first entries of a line, which is changed: by halves, since that is done
    by vectors.
    """
    length = np.uint64(count)
    while length > FEW:
        half = (length + ONE) >> ONE
        for b in range(length - half):
            line[b] = line[half + b] if line[half + b] > line[b] else line[b]
        length = half
    one, two = line[ZERO], line[length - ONE]
    for b in range(length >> ONE):
        one = line[TWO * b] if line[TWO * b] > one else one
        two = line[TWO * b + ONE] if line[TWO * b + ONE] > two else two
    return one if one > two else two


@kernel
def place_leads(alone, width, lead, lines):
    """Line 2: the leads of literals alone; line 3 begins with that of the node.

    Lines 0 and 1: no test yet.
    """
    for a in range(lines.shape[1]):
        lines[0, a] = lines[1, a] = lines[2, a] = 0
    for a in range(width):
        lines[2, a] = alone[a]
    lines[3, 0] = lead


@kernel
def all_counts(table, afford, end, width, lines):
    """`all_leads` where leads are differences of numbers of cases, of 32 bits.

    Line 4 leaves out what is no literal.
    """
    total, places = lines[3, 0], np.uint64(lines.shape[1])
    for b in range(places):
        lines[4, b] = 1 if b < width else 0
    for a in range(np.uint64(end)):
        last = min(afford[a], end)
        if last <= np.int64(a) + 1:
            continue
        own = lines[2, a]
        rest, below, beside = np.int32(total - own), np.int32(0), np.int32(0)
        for b in range(a & ~np.uint64(BLOCK - 1), places if last == width else np.uint64(last)):
            both = np.int32((table[1, a, b] - table[0, a, b]) * lines[4, b])
            only_b = np.int32(lines[2, b] - both)
            in_both, in_b = np.int32(abs(both)), np.int32(abs(only_b))
            in_a, in_none = (
                np.int32(abs(np.int32(own - both))),
                np.int32(abs(np.int32(rest - only_b))),
            )
            x, y = np.int32(in_both + in_b), np.int32(in_a + in_none)
            lines[0, b] = max(lines[0, b], x)
            lines[1, b] = max(lines[1, b], y)
            below = max(below, np.int32(in_both + in_a))
            beside = max(beside, np.int32(in_b + in_none))
        lines[0, a] = max(lines[0, a], below)
        lines[1, a] = max(lines[1, a], beside)


@kernel
def all_leads(mass, afford, end, lines):
    """Lines 0 and 1: the best test on either side of each literal t, or a leaf.

    A over b is as b over a.

    Line 2 holds the lead of each literal alone, line 3 begins with that of the node. With itself a
    literal makes a leaf, and so does what stands behind the last one. A pair of tests has four
    leaves, worth their absolute leads. The greatest of numbers that are not negative is found in
    the order of their bits, since that is done by vectors.
    """
    width, places = mass.shape[1], mass.shape[2]
    total, bits = lines[3, 0], lines.view(np.int64)
    for a in range(np.uint64(end)):
        last = min(afford[a], end)
        if last <= np.int64(a) + 1:
            continue
        mass[0, a, width] = 0.0
        low, stop = a & ~np.uint64(BLOCK - 1), np.uint64(places if last == width else last)
        own = lines[2, a]
        rest = total - own
        for b in range(low, stop):
            both, only_b = mass[0, a, b], lines[2, b] - mass[0, a, b]
            x = abs(both) + abs(only_b)
            lines[0, b] = x if x > lines[0, b] else lines[0, b]
            x = abs(own - both) + abs(rest - only_b)
            lines[1, b] = x if x > lines[1, b] else lines[1, b]
        for b in range(low, stop):
            both, only_b = mass[0, a, b], lines[2, b] - mass[0, a, b]
            lines[4, b] = abs(both) + abs(own - both)
            lines[5, b] = abs(only_b) + abs(rest - only_b)
        below, beside = np.int64(0), np.int64(0)
        for b in range(low, stop):
            below = max(below, bits[4, b])
            beside = max(beside, bits[5, b])
        bits[3, 1], bits[3, 2] = below, beside
        lines[0, a] = max(lines[0, a], lines[3, 1])
        lines[1, a] = max(lines[1, a], lines[3, 2])


@kernel
def join_leads(lines, end, penalty, value):
    """value[t], t < end, from the lines of `all_leads`: the better of a test and a leaf on either
    side of each.
    """
    total = lines[3, 0]
    for t in range(end):
        lead = lines[2, t]
        value[t] = max(abs(lead) - penalty, lines[0, t] - 2 * penalty)
        value[t] += max(abs(total - lead) - penalty, lines[1, t] - 2 * penalty)


@kernel
def sides_alone(single, total, end, least, inside, outside):
    """Worth of the two sides of every literal as leaves, without penalties."""
    planes = len(total) - 1
    for a in range(end):
        one, other = single[0, a], total[0] - single[0, a]
        if planes == 1:
            one, other = abs(one), abs(other)
        for c in range(1, planes):
            x, y = single[c, a], total[c] - single[c, a]
            one, other = x if x > one else one, y if y > other else other
        inside[a], outside[a] = one, other
    if least > 0.0:
        for a in range(end):
            cases = single[planes, a]
            if 0.0 < cases < least:
                inside[a] = NEVER
            if 0.0 < total[planes] - cases < least:
                outside[a] = NEVER


@kernel
def best_of_two_way(depth, mass, single, total, afford, least, penalty, lines, value):
    """value[t]: worth of the best tree whose root tests literal t against the rest, with one test
    below.

    afford[t]: the tests before this one can follow t; it has all that can be paid. `lines` is
    scratch.
    """
    end, inside, outside = len(afford), lines[0], lines[1]
    both, only_a = lines[2], lines[3]
    only_b, none = lines[4], lines[5]
    sides_alone(single, total, end, least, inside, outside)
    if depth > 1:
        for a in range(end):
            inside[a] += penalty  # one leaf instead of two: taken off again below
            outside[a] += penalty
        for a in range(end):
            first, last = a + 1, afford[a]
            if last <= first:
                continue
            for side in range(4):
                corner(side, mass, a, first, last, single, total, lines[2 + side], least)
            raise_sums(inside, first, last, both, only_b)
            raise_sums(outside, first, last, only_a, none)
            add_lines(both, only_a, first, last)
            add_lines(only_b, none, first, last)
            inside[a] = max(inside[a], highest(both[first:last], last - first))
            outside[a] = max(outside[a], highest(only_b[first:last], last - first))
        penalty *= 2
    for t in range(end):
        value[t] = inside[t] + outside[t] - 2 * penalty


@kernel
def best_of_many_ways(depth, mass, single, total, test_start, afford, least, penalty, lines, value):
    """The same where a test has a branch for each of its literals."""
    planes, end = len(total) - 1, len(afford)
    taken = np.empty(planes + 1, np.float64)
    best, sums, line = lines[0], lines[1], lines[2]
    for a in range(test_start[end]):
        for c in range(planes + 1):
            taken[c] = single[c, a]
        best[a] = leaf_worth(taken, planes, least, penalty)
    for t in range(end if depth > 1 else 0):
        first, last = test_start[t + 1], test_start[max(t + 1, afford[t])]
        if last <= first:
            continue
        added, worth = sums[first:last], line[first:last]
        for b in range(len(added)):
            added[b] = 0.0
        for a in range(test_start[t], test_start[t + 1]):
            corner(np.int64(0), mass, a, first, last, single, total, line, least)
            for b in range(len(added)):
                worth[b] -= penalty
                added[b] += worth[b]
            top = best[a]
            for following in range(t + 1, afford[t]):
                under = 0.0
                for b in range(test_start[following], test_start[following + 1]):
                    under += line[b]
                top = max(top, under)
            best[a] = top
        for b in range(first, last):
            best[b] = max(best[b], sums[b])
    for t in range(end):
        value[t] = 0.0
        for a in range(test_start[t], test_start[t + 1]):
            value[t] += best[a]
