"""Ranks of a column of numbers, and its cases in order: what encodes a table of numbers and
presorts it at once.
"""

from typing import NamedTuple

import numpy as np

from pinetum.jit import kernel

index = np.uintp  # numba looks whether a signed index is negative
DIGIT, SIGN = np.uint64(255), np.uint64(63)  # eight bits: their counts stay in the nearest cache
# numbers that merging sorts faster than passes over their digits, whose counts must be cleared
FEW = 300
# Of keys only so many leading bits are sorted by digits, few numbers and more; what these leave out
# of order is inserted, unless it takes more than MOVES a number.
SHORT_KEYS, LEADING, MOVES = 50_000, (24, 32), 4
RUN = 8  # numbers that the merging begins with


class Room(NamedTuple):
    """Room to order the cases of a column."""

    place: np.ndarray  # int64 (values of whole numbers that are counted + 1,)
    keys: np.ndarray  # uint64 (2, cases)
    order: np.ndarray  # int32 (2, cases)


@kernel(nogil=True)
def transpose_block(table, first, columns):
    """columns[j] = table[:, first + j], tile by tile: a column by itself would walk through all of
    the memory.
    """
    n = table.shape[0]
    for low in range(0, n, 64):
        high = min(low + 64, n)
        for j in range(columns.shape[0]):
            for i in range(low, high):
                columns[index(j), index(i)] = (
                    table[index(i), index(first + j)] + 0.0
                )  # no minus zero


@kernel
def order_small_integers(column, low, high, place, order):
    """Cases of a column of whole numbers from `low` to `high` in order, those without a value left
    out.
    """
    n_values = high - low + 1
    place[: n_values + 1] = 0
    for i in range(len(column)):
        if column[i] == column[i]:
            place[index(np.int64(column[i]) - low + 1)] += 1
    for v in range(n_values):
        place[v + 1] += place[v]
    known = place[n_values]
    for i in range(len(column)):
        if column[i] == column[i]:
            v = index(np.int64(column[i]) - low)
            order[index(place[v])] = i
            place[v] += 1
    return known


@kernel
def sortable(bits):
    """The bits of a number turned so that they sort as the numbers do."""
    return bits ^ (np.uint64(0xFFFFFFFFFFFFFFFF) if bits >> SIGN else np.uint64(0x8000000000000000))


@kernel
def order_few_numbers(column, bits, keys, spare_keys, order, spare_order):
    """The same for any numbers, if few: by merging runs."""
    known = np.int64(0)
    for i in range(len(column)):
        if column[i] == column[i]:
            key, at = sortable(bits[i]), known
            first = known & ~(RUN - 1)
            while at > first and keys[index(at - 1)] > key:
                keys[index(at)], order[index(at)] = keys[index(at - 1)], order[index(at - 1)]
                at -= 1
            keys[index(at)], order[index(at)] = key, i
            known += 1
    source, target = keys, spare_keys
    from_order, to_order = order, spare_order
    width, passes = np.int64(RUN), 0
    while width < known:
        for low in range(0, known, 2 * width):
            i, middle = low, min(low + width, known)
            j, high = middle, min(middle + width, known)
            for to in range(low, high):
                if j >= high or (i < middle and source[index(i)] <= source[index(j)]):
                    target[index(to)], to_order[index(to)] = source[index(i)], from_order[index(i)]
                    i += 1
                else:
                    target[index(to)], to_order[index(to)] = source[index(j)], from_order[index(j)]
                    j += 1
        source, target = target, source
        from_order, to_order = to_order, from_order
        width *= 2
        passes += 1
    if passes & 1:
        for i in range(known):
            order[i] = spare_order[i]
    return known


@kernel(inline=True)
def count_digits(key, first, counts):
    """Count the four digits of a key from the bit `first` on."""
    key >>= np.uint64(first)
    for digit in range(4):
        counts[index(digit), index((key >> np.uint64(8 * digit)) & DIGIT)] += 1


@kernel
def read_keys(column, bits, low, first, keys, order, counts):
    """The sortable bits, less the lowest ones, of the cases with a value, their number, and how
    often four digits have each value.
    """
    known = np.int64(0)
    for i in range(len(column)):
        if column[i] == column[i]:
            key = sortable(bits[i]) - low
            keys[index(known)], order[index(known)] = key, i
            count_digits(key, first, counts)
            known += 1
    return known


@kernel
def sort_by_digits(known, first, counts, keys, spare_keys, order, spare_order):
    """Sort by four counted digits from the bit `first` on, a pass for each; ties stay."""
    source, target, from_order, to_order = keys, spare_keys, order, spare_order
    passes = 0
    for digit in range(4):
        shift, place = np.uint64(first + 8 * digit), np.int64(0)
        if known == 0 or counts[digit, index((source[0] >> shift) & DIGIT)] == known:
            continue
        for v in range(256):
            here = counts[digit, v]
            counts[digit, v] = place
            place += here
        for i in range(known):
            key = source[index(i)]
            v = index((key >> shift) & DIGIT)
            to = index(counts[index(digit), v])
            counts[index(digit), v] += 1
            target[to], to_order[to] = key, from_order[index(i)]
        source, target, from_order, to_order = target, source, to_order, from_order
        passes += 1
    if passes & 1:
        for i in range(known):
            keys[index(i)], order[index(i)] = spare_keys[index(i)], spare_order[index(i)]


@kernel
def insert_the_rest(known, keys, order):
    """Insert what is out of order: whether MOVES did."""
    moves, most = np.int64(0), MOVES * known
    for i in range(1, known):
        key = keys[index(i)]
        if keys[index(i - 1)] > key:
            case, at = order[index(i)], i
            while at > 0 and keys[index(at - 1)] > key:
                keys[index(at)], order[index(at)] = keys[index(at - 1)], order[index(at - 1)]
                at -= 1
            keys[index(at)], order[index(at)] = key, case
            moves += i - at
            if moves > most:
                return False
    return True


@kernel
def order_numbers(column, bits, low, high, keys, spare_keys, order, spare_order):
    """The same for any numbers with sortable bits from `low` to `high`: how many cases have one."""
    length = np.int64(0)
    while length < 64 and (high - low) >> np.uint64(length):
        length += 1
    leading = LEADING[1] if len(column) > SHORT_KEYS else LEADING[0]
    first, counts = max(0, length - leading), np.zeros((4, 256), np.int64)
    known = read_keys(column, bits, low, first, keys, order, counts)
    sort_by_digits(known, first, counts, keys, spare_keys, order, spare_order)
    if first > 0 and not insert_the_rest(known, keys, order):
        for first in (0, 32):
            counts[:] = 0
            for i in range(known):
                count_digits(keys[index(i)], first, counts)
            sort_by_digits(known, first, counts, keys, spare_keys, order, spare_order)
    return known


@kernel
def rank_column(keys, low, order, known, labels, case_bits, class_bits, codes, entries, distinct):
    """Codes, entries and distinct values, as sortable bits, of a column whose known cases are in
    order.

    The number of values.
    """
    if known < len(codes):
        codes[:] = -1
    code = np.int64(-1)
    for i in range(known):
        case, key = np.int64(order[index(i)]), keys[index(i)]
        if i == 0 or key != keys[index(i - 1)]:
            code += 1
            distinct[index(code)] = number_of(key + low)
        codes[index(case)] = code
        entries[index(i)] = (((code << case_bits) | case) << class_bits) | labels[index(case)]
    return code + 1


@kernel
def number_of(key):
    """The bits of the number that `sortable` made this of."""
    return key ^ (np.uint64(0x8000000000000000) if key >> SIGN else ~np.uint64(0))


@kernel
def look_up_keys(bits, order, known, keys):
    """The sortable bits of cases in order."""
    for i in range(known):
        keys[index(i)] = sortable(bits[index(order[index(i)])])


@kernel
def span_of(column):
    """(case of the lowest number, case of the highest, whether all are whole and of modest size).

    -1 and -1 where there is none.
    """
    lowest, highest, whole = np.int64(-1), np.int64(-1), True
    low, high = np.inf, -np.inf
    for i in range(len(column)):
        value = column[i]
        if value == value:
            if value < low:
                low, lowest = value, i
            if value > high:
                high, highest = value, i
            whole &= value == np.floor(value)
    return lowest, highest, whole and low > -(2.0**40) and high < 2.0**40


@kernel(nogil=True)
def rank_columns(
    columns, bits, labels, case_bits, class_bits, room, codes, entries, sizes, distinct
):
    """Rank every column of a block; `sizes` (columns, 2) gets known cases and distinct values,
    `distinct` the values.

    `bits` and `distinct` are views as uint64 of float64.
    """
    keys, spare_keys, order, spare_order = room.keys[0], room.keys[1], room.order[0], room.order[1]
    for j in range(columns.shape[0]):
        column, known, base = columns[j], np.int64(0), np.uint64(0)
        lowest, highest, whole = span_of(column)
        low, high = np.int64(0), np.int64(0)
        if whole and lowest >= 0:
            low, high = np.int64(column[lowest]), np.int64(column[highest])
        if lowest < 0:
            pass
        elif whole and high < low + len(room.place) - 1:
            known = order_small_integers(column, low, high, room.place, order)
            look_up_keys(bits[j], order, known, keys)
        elif columns.shape[1] <= FEW:
            known = order_few_numbers(column, bits[j], keys, spare_keys, order, spare_order)
            look_up_keys(bits[j], order, known, keys)
        else:
            base, top = sortable(bits[j, lowest]), sortable(bits[j, highest])
            known = order_numbers(column, bits[j], base, top, keys, spare_keys, order, spare_order)
        sizes[j, 0] = known
        sizes[j, 1] = rank_column(
            keys,
            base,
            order,
            known,
            labels,
            case_bits,
            class_bits,
            codes[j],
            entries[j],
            distinct[j],
        )
