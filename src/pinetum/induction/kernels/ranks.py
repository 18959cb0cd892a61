"""Ranks of a column of numbers, and its cases in order: what encodes a table of numbers and
presorts it at once.
"""

import numpy as np

from pinetum.jit import kernel

index = np.uintp  # numba looks whether a signed index is negative
DIGIT = np.uint64(2047)  # eleven bits: sixty-four make six passes
DIGIT_BITS, SIGN = np.uint64(11), np.uint64(63)
# numbers that merging sorts faster than passes over their digits, whose counts must be cleared
FEW = 300
RUN = 8  # numbers that the merging begins with


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


@kernel
def order_numbers(column, bits, keys, spare_keys, order, spare_order):
    """The same for any numbers: a pass per digit of their sortable bits."""
    known = np.int64(0)
    counts = np.zeros((6, 2048), np.int64)
    for i in range(len(column)):
        if column[i] == column[i]:
            key = sortable(bits[i])
            keys[known] = key
            order[known] = i
            known += 1
            for digit in range(6):
                counts[digit, (key >> (np.uint64(digit) * DIGIT_BITS)) & DIGIT] += 1
    source, target = keys, spare_keys
    from_order, to_order = order, spare_order
    passes = 0
    for digit in range(6):
        shift, place = np.uint64(digit) * DIGIT_BITS, np.int64(0)
        if known == 0 or counts[digit, (source[0] >> shift) & DIGIT] == known:
            continue
        for v in range(2048):
            here = counts[digit, v]
            counts[digit, v] = place
            place += here
        for i in range(known):
            key = source[index(i)]
            v = (key >> shift) & DIGIT
            to = index(counts[digit, v])
            counts[digit, v] += 1
            target[to] = key
            to_order[to] = from_order[index(i)]
        source, target = target, source
        from_order, to_order = to_order, from_order
        passes += 1
    if passes & 1:
        for i in range(known):
            order[i] = spare_order[i]
    return known


@kernel
def rank_column(column, order, known, labels, case_bits, class_bits, codes, entries, distinct):
    """Codes, entries and distinct values of a column whose known cases are in order.

    The number of values.
    """
    if known < len(column):
        codes[:] = -1
    code, before = np.int64(-1), np.nan
    for i in range(known):
        case = np.int64(order[index(i)])
        value = column[index(case)]
        if value != before:
            code += 1
            distinct[index(code)] = value
            before = value
        codes[index(case)] = code
        entries[index(i)] = (((code << case_bits) | case) << class_bits) | labels[index(case)]
    return code + 1


@kernel
def span_of(column):
    """(lowest, highest) of a column of whole numbers of modest size; (1, 0) of any other."""
    low, high = np.inf, -np.inf
    whole = True
    for i in range(len(column)):
        value = column[i]
        if value == value:
            low, high = min(low, value), max(high, value)
            whole &= value == np.floor(value)
    if not whole or not (-(2.0**40) < low <= high < 2.0**40):
        return np.int64(1), np.int64(0)
    return np.int64(low), np.int64(high)


@kernel(nogil=True)
def rank_columns(
    columns,
    bits,
    labels,
    case_bits,
    class_bits,
    place,
    keys,
    orders,
    codes,
    entries,
    sizes,
    distinct,
):
    """Rank every column of a block; `sizes` (columns, 2) gets known cases and distinct values,
    `distinct` the values.

    `bits` is a view of `columns` as uint64; `keys` uint64 (2, cases), `orders` int32 (2, cases),
    `place` int64.
    """
    for j in range(columns.shape[0]):
        low, high = span_of(columns[j])
        if low <= high < low + len(place) - 1:
            known = order_small_integers(columns[j], low, high, place, orders[0])
        elif columns.shape[1] <= FEW:
            known = order_few_numbers(columns[j], bits[j], keys[0], keys[1], orders[0], orders[1])
        else:
            known = order_numbers(columns[j], bits[j], keys[0], keys[1], orders[0], orders[1])
        sizes[j, 0] = known
        sizes[j, 1] = rank_column(
            columns[j],
            orders[0],
            known,
            labels,
            case_bits,
            class_bits,
            codes[j],
            entries[j],
            distinct[j],
        )
