"""All greedy trees of a table of very many rows at once: rows packed into words, counted 64 columns
at a time.

A row is one or more words with a bit for every value but the first of every attribute. The rows of
a subtable lie together, those of a decision one after another; a test moves them into the order of
its branches, and the order of the decisions survives. Counts of a decision add up in planes of bits
(plane b holds the bits 2^b of all columns' counts).

    rows    | ..... decision 0 ..... | ... decision 1 ... |     a subtable that is looked at
            | 0 | 1 | branch 0 | 0 | 1 | branch 1 | ...         the same, parted by an attribute
    Tasks   | look | ... | part by a | part by b |              the last one is done next
"""

from typing import NamedTuple

import numpy as np

from pinetum.greedy_dp.kernels.greedy_any import (
    GROWING,
    PER_COUNT,
    charge,
    choosing,
    next_step,
    write_test,
)
from pinetum.greedy_dp.kernels.impurity import Choice, fold, prefer, uncertainties
from pinetum.greedy_dp.kernels.problem import WORDS_A_UNIT, may_end
from pinetum.jit import kernel
from pinetum.kernels.words import ONE, ZERO, lowest

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
def choose_by_histogram(histogram, first, n_log_n, choice):
    """Each heuristic's attribute."""
    measured, impurity = choice.measured, choice.impurity
    least, attribute = choice.least, choice.attribute
    least[:] = np.inf
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
        if filled > 1:
            prefer(a, impurity, least, attribute)


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


class Tasks(NamedTuple):
    """Subtables to look at, or (with an attribute) to part."""

    begin: np.ndarray  # int64 (places,): where the rows lie
    counts: np.ndarray  # int64 (places, decisions): rows of each decision
    level: np.ndarray  # int64 (places,): what the tests above cost
    group: np.ndarray  # uint64 (places,): the heuristics that get here, a bit each
    attribute: np.ndarray  # int64 (places,): to part by, or -1
    above: np.ndarray  # int64 (places,): entry of the log above, or -1; that of a parting itself
    value: np.ndarray  # int64 (places,): of its attribute, that leads here


class Room(NamedTuple):
    """Scratch space."""

    buffer: np.ndarray  # uint64, as the rows
    histogram: np.ndarray  # int64 (values of all attributes, decisions)
    planes: np.ndarray  # uint64 (PLANES,)
    own: np.ndarray  # int64 (decisions,)
    whole: np.ndarray  # int64 (1,)
    starts: np.ndarray  # int64 (values of one attribute, or decisions, + 1,)
    tally: np.ndarray  # int64 (values of one attribute, or decisions; decisions)
    choice: Choice


class Columns(NamedTuple):
    """The table: its packed rows, and where an attribute's values and bits begin."""

    rows: np.ndarray  # uint64 (rows, words); reordered
    first: np.ndarray  # int64 (attributes + 1,): values
    place: np.ndarray  # int64 (attributes + 1,): bits; the last ones hold the decision, as if it
    # were one more attribute
    price: np.ndarray  # int64 (attributes,)
    slack: np.ndarray  # int64 (3,): see `problem`


@kernel(inline=True)
def take_task(top, tasks, own):
    """Rows of each decision; of all, and of the largest."""
    n, largest = np.int64(0), np.int64(0)
    for c in range(len(own)):
        own[c] = tasks.counts[top, c]
        n += own[c]
        largest = max(largest, own[c])
    return n, largest


@kernel(inline=True)
def part_task(begin, n, a, table, room):
    """Order the rows of a subtable by an attribute; tasks before may have mixed the decisions."""
    rows, place, whole, own = table.rows, table.place, room.whole, room.own
    buffer, starts, tally = room.buffer, room.starts, room.tally
    m, arity = len(table.price), table.first[a + 1] - table.first[a]
    whole[0] = n
    part_rows(rows, buffer, begin, whole, place[m], len(own), starts, tally)
    part_rows(rows, buffer, begin, own, place[a], arity, starts, tally)
    return arity


@kernel(inline=True)
def push_branches(level, group, above, arity, tasks, room, control):
    """Let the branches wait that were parted."""
    starts, tally = room.starts, room.tally
    for v in range(arity):
        if starts[v + 1] > starts[v]:
            at = control.waiting
            tasks.begin[at] = starts[v]
            for c in range(len(room.own)):
                tasks.counts[at, c] = tally[v, c]
            tasks.level[at], tasks.group[at] = level, group
            tasks.attribute[at], tasks.above[at], tasks.value[at] = -1, above, v
            control.waiting += 1


@kernel(inline=True)
def push_parting(begin, level, group, a, entry, tasks, own, control):
    """Let the parting of the rows by an attribute wait."""
    at = control.waiting
    tasks.begin[at], tasks.level[at], tasks.group[at] = begin, level, group
    tasks.attribute[at], tasks.above[at], tasks.value[at] = a, entry, -1
    for c in range(len(own)):
        tasks.counts[at, c] = own[c]
    control.waiting += 1


@kernel
def greedy_trees_of_rows(table, n_log_n, tasks, room, log, costs, controls, until):
    """Fill (heuristics, costs) as `greedy_any.greedy_trees` does; reorders the rows.

    Tasks of a subtable's branches are done before the next attribute of the same rows is taken, so
    rows move only inside their subtable.
    """
    control, own, attribute = controls[0], room.own, room.choice.attribute
    rows, first, price = table.rows, table.first, table.price
    words, per_choice = rows.shape[1], first[len(price)] * len(own) * PER_COUNT // WORDS_A_UNIT
    ending = next_step(control, until, log)
    while ending == GROWING:
        control.waiting -= 1
        top = control.waiting
        begin, level, group = tasks.begin[top], tasks.level[top], tasks.group[top]
        a, above, value = tasks.attribute[top], tasks.above[top], tasks.value[top]
        n, largest = take_task(top, tasks, own)
        control.work += n * words // WORDS_A_UNIT + 1
        if a >= 0:
            arity = part_task(begin, n, a, table, room)
            push_branches(level + price[a], group, above, arity, tasks, room, control)
        elif may_end(n, n - largest, table.slack):
            charge(group, n, np.int64(-1), level, costs)
        else:
            control.work += per_choice
            fill_histogram(rows, begin, own, first, room.planes, room.histogram)
            choose_by_histogram(room.histogram, first, n_log_n, room.choice)
            while group != ZERO:
                a = attribute[lowest(group)]
                chosen = choosing(group, a, attribute)
                group &= ~chosen
                charge(chosen, n, price[a], level, costs)
                entry = write_test(a, chosen, above, value, log, control)
                push_parting(begin, level, chosen, a, entry, tasks, own, control)
        ending = next_step(control, until, log)
    return ending
