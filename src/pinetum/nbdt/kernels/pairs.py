"""Trees of at most two tests, all at once, from the masses of pairs of literals.

A literal is a set of values of one feature. Its cases are bits, rows[word, literal], those of each class in words of
their own; the last column is no literal but `free`: the cases that some tree can classify rightly. table[c, a, b], with
b >= a, is how many cases of class c are in a and in b; the diagonal is a alone. `mass` is the same after the prior and
the gains were put in, one plane per decision, and if leaves need `least` cases a last plane that counts them.
Rows of a table are walked from 0 over slices, few at a time: only so do loops become vector instructions.
"""

import numpy as np

from pinetum.jit import kernel

NEVER = -1e300  # worth of a leaf with too few cases
M1, M2 = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333)
M4, M8 = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x0101010101010101)
ZERO, ONE, TWO, FOUR, LAST = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(4), np.uint64(56)
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
FEW = np.uint64(16)
PACKING = 0.004  # packing pays when a child has this share of the other cases per literal, or less


@kernel
def count_pairs(rows, class_words, mask, table, count):
    """Fill the table, a plane per class, with numbers of cases in the mask."""
    width = len(count)
    for c in range(len(class_words) - 1):
        for a in range(width):
            sums, target = count[a:], table[c, a, a:]
            for b in range(len(sums)):
                sums[b] = ZERO
            for word in range(class_words[c], class_words[c + 1]):
                mine = rows[word, a] & mask[word]
                if mine == ZERO:
                    continue
                line = rows[word, a:width]
                for b in range(len(sums)):
                    x = mine & line[b]  # what follows is one instruction to the compiler: the number of ones
                    x = x - ((x >> ONE) & M1)
                    x = (x & M2) + ((x >> TWO) & M2)
                    x = (x + (x >> FOUR)) & M4
                    sums[b] += (x * M8) >> LAST
            for b in range(len(sums)):
                target[b] = np.float64(sums[b])


@kernel
def weigh_pairs(holds, labels, weight, cases, n_cases, table):
    """The same for cases with weights; holds[case, literal] is 0 or 1."""
    width = holds.shape[1]
    for c in range(table.shape[0]):
        for a in range(width):
            line = table[c, a, a:]
            for b in range(len(line)):
                line[b] = 0.0
    for i in range(n_cases):
        case = cases[i]
        mine, own = holds[case], weight[case]
        for a in range(width):
            if mine[a]:
                line, other = table[labels[case], a, a:], mine[a:]
                for b in range(len(line)):
                    line[b] += own * other[b]


@kernel(inline=True)
def subtract_pairs(whole, part, rest):
    """rest = whole - part."""
    for c in range(whole.shape[0]):
        for a in range(whole.shape[1]):
            one, other, left = whole[c, a, a:], part[c, a, a:], rest[c, a, a:]
            for b in range(len(left)):
                left[b] = one[b] - other[b]


@kernel(inline=True)
def copy_pairs(source, target):
    for c in range(source.shape[0]):
        for a in range(source.shape[1]):
            one, other = source[c, a, a:], target[c, a, a:]
            for b in range(len(other)):
                other[b] = one[b]


@kernel
def select_cases(rows, words, mask, literal, negated, chosen):
    """Cases of the mask in a literal, or outside it; their number."""
    flip = ALL if negated else ZERO
    total = ZERO
    for word in range(words):
        x = mask[word] & (rows[word, literal] ^ flip)
        chosen[word] = x
        x = x - ((x >> ONE) & M1)
        x = (x & M2) + ((x >> TWO) & M2)
        x = (x + (x >> FOUR)) & M4
        total += (x * M8) >> LAST
    return np.int64(total)


@kernel
def pack_cases(rows, class_words, chosen, packed, packed_words, packed_mask):
    """Move the chosen cases together into as few words as they need."""
    place = 0
    for c in range(len(class_words) - 1):
        packed_words[c] = place
        filled = 64  # of the word before `place`
        for word in range(class_words[c], class_words[c + 1]):
            left = chosen[word]
            shift = ZERO
            source = rows[word]
            while left != ZERO:
                while left & ONE == ZERO:
                    left >>= ONE
                    shift += ONE
                if filled == 64:
                    filled = 0
                    packed_mask[place] = ZERO
                    target = packed[place]
                    for literal in range(len(target)):
                        target[literal] = ZERO
                    place += 1
                target = packed[place - 1]
                up = np.uint64(filled)
                for literal in range(len(target)):
                    target[literal] |= ((source[literal] >> shift) & ONE) << up
                packed_mask[place - 1] |= ONE << up
                filled += 1
                left >>= ONE
                shift += ONE
    packed_words[len(class_words) - 1] = place


@kernel(inline=True)
def blend_pairs(table, prior, share, cells, literals, problem, mass, prefix):
    """Put the prior, the gains and the number of cases into `mass`.

    `prior` is the mass that the prior has at the node per class, `share` and `cells` which part of it lies in each
    literal and each value. Features are independent within a class; literals of one feature share their values.
    """
    classes, width = len(prior), len(literals.feature)
    for c in range(classes):
        for a in range(width):
            line, counted = mass[c, a, a:], table[c, a, a:width]
            data = problem.data
            if prior[c] > 0.0:
                scale, shares = prior[c] * share[c, a], share[c, a:]
                for b in range(len(line)):
                    line[b] = data * counted[b] + scale * shares[b]
                join_literals(a, prior[c], cells[c], literals, data, table[c, a], mass[c, a], prefix)
            else:
                for b in range(len(line)):
                    line[b] = data * counted[b]
    if problem.least > 0.0:
        for a in range(width):
            line = mass[classes, a, a:]
            for b in range(len(line)):
                line[b] = 0.0
            for c in range(classes):
                counted = table[c, a, a:width]
                for b in range(len(line)):
                    line[b] += counted[b]
    if not problem.plain:
        gained = np.empty(classes, np.float64)
        for a in range(width):
            for b in range(a, width):
                gain_masses(mass[:, a, b], problem.gain, gained)


@kernel
def fill_prefix(cells, first, last, prefix):
    """prefix[k]: the shares of the first k values of a feature."""
    prefix[0] = 0.0
    for cell in range(first, last):
        prefix[cell - first + 1] = prefix[cell - first] + cells[cell]


@kernel
def joint_share(a, b, cells, first, last, literals, prefix):
    """Share of the values that two literals of one feature have in common."""
    low, high = max(literals.low[a], literals.low[b]), min(literals.high[a], literals.high[b])
    if low >= 0 and literals.low[a] >= 0 and literals.low[b] >= 0:
        return max(prefix[high] - prefix[low], 0.0) if high > low else 0.0
    total = 0.0
    for cell in range(first, last):
        if literals.holds[a, cell - first] and literals.holds[b, cell - first]:
            total += cells[cell]
    return total


@kernel(inline=True)
def join_literals(a, prior, cells, literals, data, counted, line, prefix):
    """The columns of row a that belong to its own feature, whose literals are not independent."""
    feature = literals.feature[a]
    first, last = literals.cell_start[feature], literals.cell_start[feature + 1]
    if a == 0 or literals.feature[a - 1] != feature:
        fill_prefix(cells, first, last, prefix)
    for b in range(a, literals.feature_end[feature]):
        line[b] = data * counted[b] + prior * joint_share(a, b, cells, first, last, literals, prefix)


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
def leaf_worth(total, classes, problem):
    """Worth of a node as a leaf, from its mass per decision and, where it matters, its number of cases."""
    if problem.least > 0.0 and 0.0 < total[classes] < problem.least:
        return NEVER
    best = total[0]
    for c in range(1, classes):
        best = max(best, total[c])
    return best - problem.penalty


@kernel
def corner(side, mass, a, first, last, single, total, worth, problem):
    """worth[b]: that, as one leaf, of the cases in literals a and b (side 0), in a only, in b only, or in neither."""
    classes = len(total) - 1
    line = worth[first:last]
    for c in range(classes):
        pairs, alone, own = mass[c, a, first:last], single[c, first:last], single[c, a]
        base = own if side == 1 else total[c] - own if side == 3 else np.float64(0.0)
        sign, other = 1.0 if side == 0 or side == 3 else -1.0, 0.0
        if side >= 2:
            other = 1.0 if side == 2 else -1.0
        if c == 0:
            for b in range(len(line)):
                line[b] = base + other * alone[b] + sign * pairs[b]
        else:
            for b in range(len(line)):
                x = base + other * alone[b] + sign * pairs[b]
                line[b] = x if x > line[b] else line[b]
    if problem.least > 0.0:
        pairs, alone, own = mass[classes, a, first:last], single[classes, first:last], single[classes, a]
        for b in range(len(line)):
            cases = pairs[b] if side == 0 or side == 2 else own - pairs[b]
            if side >= 2:
                cases = (alone[b] if side == 2 else total[classes] - alone[b]) - cases
            if 0.0 < cases < problem.least:
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
    """The greatest of the first entries of a line, which is changed: by halves, since that is done by vectors."""
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
def all_pairs(mass, single, total, afford, end, inside, outside, line):
    """Two decisions, any leaf allowed: raise inside[t] and outside[t] to the best test on either side of literal t.

    A pair of tests has four leaves; a over b and b over a have the same. Unsigned indices need no test for negatives.
    """
    zero, one = mass[0], mass[1]
    alone_zero, alone_one = single[0], single[1]
    for a in range(end):
        u, first, last = np.uint64(a), np.uint64(a + 1), np.uint64(min(afford[a], end))
        if last <= first:
            continue
        own_zero, own_one = alone_zero[u], alone_one[u]
        rest_zero, rest_one = total[0] - own_zero, total[1] - own_one
        for b in range(first, last):
            x, y = zero[u, b], one[u, b]
            p, q = alone_zero[b] - x, alone_one[b] - y
            worth = (x if x > y else y) + (p if p > q else q)
            inside[b] = worth if worth > inside[b] else inside[b]
        for b in range(first, last):
            x, y = zero[u, b], one[u, b]
            p, q = own_zero - x, own_one - y
            v, w = rest_zero - alone_zero[b] + x, rest_one - alone_one[b] + y
            worth = (p if p > q else q) + (v if v > w else w)
            outside[b] = worth if worth > outside[b] else outside[b]
        for b in range(last - first):
            x, y = zero[u, first + b], one[u, first + b]
            p, q = own_zero - x, own_one - y
            line[b] = (x if x > y else y) + (p if p > q else q)
        top = highest(line, np.int64(last - first))
        inside[u] = top if top > inside[u] else inside[u]
        for b in range(last - first):
            p, q = alone_zero[first + b] - zero[u, first + b], alone_one[first + b] - one[u, first + b]
            v, w = rest_zero - p, rest_one - q
            line[b] = (p if p > q else q) + (v if v > w else w)
        top = highest(line, np.int64(last - first))
        outside[u] = top if top > outside[u] else outside[u]


@kernel(inline=True)
def sides_alone(single, total, end, problem, inside, outside):
    """Worth of the two sides of every literal as leaves, without penalties."""
    classes = len(total) - 1
    for a in range(end):
        one, other = single[0, a], total[0] - single[0, a]
        for c in range(1, classes):
            x, y = single[c, a], total[c] - single[c, a]
            one, other = x if x > one else one, y if y > other else other
        inside[a], outside[a] = one, other
    if problem.least > 0.0:
        for a in range(end):
            cases = single[classes, a]
            if 0.0 < cases < problem.least:
                inside[a] = NEVER
            if 0.0 < total[classes] - cases < problem.least:
                outside[a] = NEVER


@kernel(inline=True)
def best_of_two_way(depth, mass, single, total, afford, end, problem, lines, value):
    """value[t], t < end: worth of the best tree whose root tests literal t against the rest, with one test below.

    afford[t]: the tests before this one can follow t. `lines` is scratch.
    """
    classes = len(total) - 1
    inside, outside = lines[0], lines[1]
    both, only_a, only_b, none = lines[2], lines[3], lines[4], lines[5]
    sides_alone(single, total, end, problem, inside, outside)
    penalty = problem.penalty
    if depth > 1:
        for a in range(end):
            inside[a] += penalty  # one leaf instead of two: taken off again below
            outside[a] += penalty
        quick = classes == 2 and problem.least <= 0.0
        if quick:
            all_pairs(mass, single, total, afford, end, inside, outside, lines[6])
        for a in range(0 if quick else end):
            first, last = a + 1, min(afford[a], end)
            if last <= first:
                continue
            for side in range(4):
                corner(side, mass, a, first, last, single, total, lines[2 + side], problem)
            raise_sums(inside, first, last, both, only_b)
            raise_sums(outside, first, last, only_a, none)
            add_lines(both, only_a, first, last)
            add_lines(only_b, none, first, last)
            inside[a] = max(inside[a], highest(both[first:last], last - first))
            outside[a] = max(outside[a], highest(only_b[first:last], last - first))
        penalty *= 2
    for t in range(end):
        value[t] = inside[t] + outside[t] - 2 * penalty


@kernel(inline=True)
def best_of_many_ways(depth, mass, single, total, test_start, afford, end, problem, lines, value):
    """The same where a test has a branch for each of its literals."""
    classes = len(total) - 1
    taken = np.empty(classes + 1, np.float64)
    best, sums, line = lines[0], lines[1], lines[2]
    for a in range(test_start[end]):
        for c in range(classes + 1):
            taken[c] = single[c, a]
        best[a] = leaf_worth(taken, classes, problem)
    for t in range(end if depth > 1 else 0):
        first, last = test_start[t + 1], test_start[max(t + 1, min(afford[t], end))]
        if last <= first:
            continue
        added, worth = sums[first:last], line[first:last]
        for b in range(len(added)):
            added[b] = 0.0
        for a in range(test_start[t], test_start[t + 1]):
            corner(np.int64(0), mass, a, first, last, single, total, line, problem)
            for b in range(len(added)):
                worth[b] -= problem.penalty
                added[b] += worth[b]
            top = best[a]
            for following in range(t + 1, min(afford[t], end)):
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
