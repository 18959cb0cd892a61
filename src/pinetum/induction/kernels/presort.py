"""Entries of a column in rising order of its codes; see `cuts` for what an entry is."""

import numpy as np

from pinetum.induction.kernels.cuts import index
from pinetum.induction.kernels.sorting import sort_keys
from pinetum.jit import kernel
from pinetum.kernels.arrays import greatest

FILTER_BELOW = (
    16  # a presorted order is filtered for some cases unless the table has this many times as many
)


@kernel
def order_by_code(codes, labels, arity, order_row, case_bits, class_bits, order, sizes):
    """Entries of the known cases of every feature with a row in `order`, by code (counting sort,
    ties by case).
    """
    start = np.empty(greatest(arity) + 1 if len(arity) else 1, np.int64)
    for f in range(len(order_row)):
        r = order_row[f]
        if r < 0:
            continue
        start[:] = 0
        for case in range(codes.shape[1]):
            if codes[f, case] >= 0:
                start[codes[f, case] + 1] += 1
        for v in range(arity[f]):
            start[v + 1] += start[v]
        sizes[r] = start[arity[f]]
        for case in range(codes.shape[1]):
            code = np.int64(codes[f, case])
            if code >= 0:
                order[r, index(start[code])] = (
                    ((code << case_bits) | case) << class_bits
                ) | labels[case]
                start[code] += 1


@kernel
def codes_present(codes, order_row, value_start, cases, present):
    """Per rank code of every continuous feature the largest code not above it that one of the cases
    has, else -1.
    """
    present[:] = -1
    for f in range(len(order_row)):
        if order_row[f] < 0:
            continue
        first, last = value_start[f], value_start[f + 1]
        for case in cases:
            code = np.int64(codes[f, case])
            if code >= 0:
                present[first + code] = code
        for v in range(first + 1, last):
            present[v] = max(present[v], present[v - 1])


@kernel
def fill_rows(table, offered, cases, rows, mark, spare):
    """The rows of a subset's cases for the offered features that are presorted, and where they end.

    A large subset is filtered from the order of the whole table, a small one sorted.
    """
    entries, ends = rows.entries, rows.ends
    n_cases, n_table = len(cases), table.codes.shape[1]
    case_mask = (np.int64(1) << table.case_bits) - 1
    ends[:] = 0
    few = n_cases * FILTER_BELOW < n_table
    if not few and n_cases < n_table:
        mark[:] = 0
        for case in cases:
            mark[case] = 1
    for f in offered:
        r = table.order_row[f]
        if r < 0:
            continue
        row, to = entries[r], np.int64(0)
        if few:
            codes = table.codes[f]
            for i in range(n_cases):
                case = np.int64(cases[i])
                if codes[case] >= 0:
                    code = np.int64(codes[case]) << table.case_bits
                    row[to] = ((code | case) << table.class_bits) | table.labels[case]
                    to += 1
            sort_keys(row, spare, to)
        elif n_cases == n_table:
            to = table.order_size[r]
            for i in range(to):
                row[i] = table.order[r, i]
        else:
            source = table.order[r]
            for i in range(table.order_size[r]):
                entry = source[i]
                row[index(to)] = entry
                # The last entry may be one too many: it stays where no case is wanted any more.
                to += mark[index((entry >> table.class_bits) & case_mask)]
                if to == n_cases:
                    break
        ends[r] = to
