"""All greedy trees of a table of very many rows at once: rows packed into words, counted 64 columns
at a time.

A row is one or more words with a bit for every value but the first of every attribute. The rows of
a subtable lie together, those of a decision one after another; a test moves them into the order of
its branches, and the order of the decisions survives. Counts of a decision add up in planes of bits
(plane b holds the bits 2^b of all columns' counts).
"""

import numpy as np

from pinetum.greedy_dp.kernels.bits import ONE, ZERO, lowest
from pinetum.greedy_dp.kernels.constants import N_HEURISTICS, N_MEASURES
from pinetum.greedy_dp.kernels.greedy_64 import ALL
from pinetum.greedy_dp.kernels.impurity import fold, less, uncertainties
from pinetum.greedy_dp.kernels.problem import may_end
from pinetum.jit import kernel

PLANES = 32


@kernel
def add_word(planes, word, plane):
    """Add 2^plane to the counts of the columns in `word`."""
    while word != ZERO:
        carry = planes[plane] & word
        planes[plane] ^= word
        word = carry
        plane += 1


@kernel
def full_sum(left, middle, right):
    """(sums, carries) of three bits, column by column."""
    half = left ^ middle
    return half ^ right, (left & middle) | (half & right)


@kernel
def count_columns(rows, begin, end, w, planes):
    """Count the bits of every column of word `w` over some rows."""
    planes[:] = ZERO
    i = begin
    while i + 8 <= end:
        one, two_a = full_sum(planes[0], rows[i, w], rows[i + 1, w])
        one, two_b = full_sum(one, rows[i + 2, w], rows[i + 3, w])
        two, four_a = full_sum(planes[1], two_a, two_b)
        one, two_a = full_sum(one, rows[i + 4, w], rows[i + 5, w])
        one, two_b = full_sum(one, rows[i + 6, w], rows[i + 7, w])
        two, four_b = full_sum(two, two_a, two_b)
        four, eight = full_sum(planes[2], four_a, four_b)
        planes[0], planes[1], planes[2] = one, two, four
        add_word(planes, eight, 3)
        i += 8
    while i < end:
        add_word(planes, rows[i, w], 0)
        i += 1


@kernel
def fill_histogram(rows, begin, sizes, first, planes, histogram):
    """Rows per value of every attribute and decision.

    `sizes`: rows per decision, which lie in this order.
    """
    histogram[:] = 0
    m = len(first) - 1
    for c in range(len(sizes)):
        end = begin + sizes[c]
        if sizes[c] == 0:
            continue
        top = 0
        while sizes[c] >> top:
            top += 1
        word, bit = -1, 64
        for a in range(m):
            rest = sizes[c]
            for slot in range(first[a] + 1, first[a + 1]):
                if bit == 64:
                    word += 1
                    bit = 0
                    count_columns(rows, begin, end, word, planes)
                count = np.int64(0)
                for b in range(top):
                    count |= np.int64(planes[b] >> np.uint64(bit) & ONE) << b
                histogram[slot, c] = count
                rest -= count
                bit += 1
            histogram[first[a], c] = rest
        begin = end


@kernel
def histogram_of(codes, kinds, rows, first, histogram):
    """The same for any rows of a table, one by one."""
    histogram[:] = 0
    for a in range(len(codes)):
        for i in rows:
            histogram[first[a] + codes[a, i], kinds[i]] += 1


@kernel
def choose_by_histogram(histogram, first, n_log_n, measured, impurity, least, choice):
    """Each heuristic's attribute."""
    fresh = True
    for a in range(len(first) - 1):
        impurity[:] = 0.0
        filled = 0
        for slot in range(first[a], first[a + 1]):
            n = np.int64(0)
            for count in histogram[slot]:
                n += count
            if n > 0:
                filled += 1
                uncertainties(histogram[slot], n, n_log_n, measured)
                fold(measured, n, impurity)
        if filled < 2:
            continue
        for h in range(N_HEURISTICS):
            if fresh or less(impurity[h], least[h]):
                least[h] = impurity[h]
                choice[h] = a
        fresh = False


@kernel
def value_of(rows, i, place, arity):
    """A row's value of the attribute whose bits begin at `place`."""
    for v in range(1, arity):
        bit = place + v - 1
        if rows[i, bit >> 6] >> np.uint64(bit & 63) & ONE:
            return v
    return 0


@kernel
def part_rows(rows, buffer, begin, sizes, place, arity, starts, tally):
    """Move rows into the order of their values of an attribute, those of a value as they were.

    sizes     rows of each decision, in whose order the rows lie
    starts    gets where the rows of each value begin
    tally     (values, decisions): gets their numbers
    """
    tally[:] = 0
    i = begin
    for c in range(len(sizes)):
        for _ in range(sizes[c]):
            tally[value_of(rows, i, place, arity), c] += 1
            i += 1
    end = i
    starts[0] = begin
    for v in range(arity):
        starts[v + 1] = starts[v]
        for c in range(len(sizes)):
            starts[v + 1] += tally[v, c]
    for i in range(begin, end):
        v = value_of(rows, i, place, arity)
        for w in range(rows.shape[1]):
            buffer[starts[v], w] = rows[i, w]
        starts[v] += 1
    for v in range(arity, 0, -1):
        starts[v] = starts[v - 1]
    starts[0] = begin
    for i in range(begin, end):
        for w in range(rows.shape[1]):
            rows[i, w] = buffer[i, w]


@kernel
def greedy_trees_of_rows(rows, buffer, sizes, first, price, slack, wanted, n_log_n, costs):
    """Fill (heuristics, costs) for the heuristics in `wanted` (a bit each); reorders `rows`.

    rows     the last `decisions - 1` bits in use hold the decision as if it were one more attribute
    buffer   as large as `rows`
    sizes    int64 (decisions,): rows of each decision, which come in this order

    A task is a subtable to look at, or (with an attribute) to part: tasks of its branches are done
    before the next attribute of the same rows is taken, so rows move only inside their subtable.
    """
    costs[:] = 0
    m = len(first) - 1
    widest = 2
    place = np.zeros(m, np.int64)
    for a in range(m):
        widest = max(widest, first[a + 1] - first[a])
        if a > 0:
            place[a] = place[a - 1] + first[a] - first[a - 1] - 1
    # An attribute splits once on a path: a level leaves no more tasks than one for every heuristic
    # and one for every branch.
    room = (m + 2) * (N_HEURISTICS + widest)
    begins = np.empty(room, np.int64)
    counts = np.empty((room, len(sizes)), np.int64)
    levels = np.empty(room, np.int64)
    groups = np.empty(room, np.uint64)
    tests = np.empty(room, np.int64)
    histogram = np.empty((first[m], len(sizes)), np.int64)
    planes = np.empty(PLANES, np.uint64)
    measured = np.empty(N_MEASURES, np.float64)
    impurity = np.empty(N_HEURISTICS, np.float64)
    least = np.empty(N_HEURISTICS, np.float64)
    choice = np.empty(N_HEURISTICS, np.int64)
    starts = np.empty(max(widest, len(sizes)) + 1, np.int64)
    own = np.empty(len(sizes), np.int64)
    whole = np.empty(1, np.int64)
    tally = np.empty((max(widest, len(sizes)), len(sizes)), np.int64)
    last = place[m - 1] + first[m] - first[m - 1] - 1
    begins[0] = 0
    counts[0] = sizes
    levels[0] = 0
    groups[0] = wanted & ALL
    tests[0] = -1
    waiting = 1
    while waiting > 0:
        waiting -= 1
        begin, level, group, a = begins[waiting], levels[waiting], groups[waiting], tests[waiting]
        own[:] = counts[waiting]
        n = np.int64(0)
        largest = np.int64(0)
        for count in own:
            n += count
            largest = max(largest, count)
        if a >= 0:
            whole[0] = n  # tasks before may have mixed the decisions
            part_rows(rows, buffer, begin, whole, last, len(sizes), starts, tally)
            part_rows(rows, buffer, begin, own, place[a], first[a + 1] - first[a], starts, tally)
            for v in range(first[a + 1] - first[a]):
                if starts[v + 1] > starts[v]:
                    begins[waiting] = starts[v]
                    counts[waiting] = tally[v]
                    levels[waiting], groups[waiting], tests[waiting] = level + price[a], group, -1
                    waiting += 1
            continue
        leaf = may_end(n, n - largest, slack)
        if not leaf:
            fill_histogram(rows, begin, own, first, planes, histogram)
            choose_by_histogram(histogram, first, n_log_n, measured, impurity, least, choice)
        while group != ZERO:
            h = lowest(group)
            if leaf:
                group &= group - ONE
                costs[h, 1] = max(costs[h, 1], level)
                costs[h, 2] += 1
                costs[h, 4] += 1
                continue
            chosen = ZERO
            a = choice[h]
            rest = group
            while rest != ZERO:
                g = lowest(rest)
                rest &= rest - ONE
                if choice[g] == a:
                    chosen |= ONE << np.uint64(g)
                    costs[g, 0] += n * price[a]
                    costs[g, 2] += price[a]
                    costs[g, 3] += price[a]
            group &= ~chosen
            begins[waiting], levels[waiting], groups[waiting], tests[waiting] = (
                begin,
                level,
                chosen,
                a,
            )
            counts[waiting] = own
            waiting += 1
