"""The cases of a table as the search between data and prior reads them.

Literals are those of `problem`.
"""

import numpy as np

from pinetum.jit import kernel


@kernel
def fill_rows(codes, place, free, literals, chosen, rows, mask):
    """rows[word, literal]: a bit per case for which the literal holds, at place[case]; behind the
    last is `free`.

    The cases stand in a line as in the words, so that 64 of them become a word without a branch.
    """
    feature, lows, highs = literals.feature, literals.low, literals.high
    width, one, none = len(feature), np.uint64(1), np.uint64(0)
    line = np.full(64 * len(mask), -1, np.int32)
    for case in range(len(place)):
        line[place[case]] = 1 if free[case] else 0
    for word in range(len(mask)):
        mask[word] = rows[word, width] = none
        for bit in range(64):
            at = np.uint64(bit)
            mask[word] |= (one if line[64 * word + bit] >= 0 else none) << at
            rows[word, width] |= (one if line[64 * word + bit] == 1 else none) << at
        for behind in range(width + 1, rows.shape[1]):
            rows[word, behind] = none
    last = -1
    for literal in range(width):
        if feature[literal] != last:
            last = feature[literal]
            column = codes[chosen[last]]
            for case in range(len(place)):
                line[place[case]] = column[case]
        low, high, held = np.int32(lows[literal]), np.int32(highs[literal]), literals.holds[literal]
        for word in range(len(mask)):
            bits, cases = none, line[64 * word : 64 * word + 64]
            if low >= 0:
                for bit in range(np.uint64(64)):
                    bits |= (one if (cases[bit] >= low) & (cases[bit] < high) else none) << bit
            else:
                for bit in range(np.uint64(64)):
                    bits |= (one if cases[bit] >= 0 and held[cases[bit]] else none) << bit
            rows[word, literal] = bits


@kernel
def fill_holds(codes, chosen, free, feature, holds, filled):
    """filled[case, literal]: 1 where the literal holds; behind the last one is `free`."""
    width = len(feature)
    for case in range(len(free)):
        for literal in range(width):
            filled[case, literal] = (
                1 if holds[literal, codes[chosen[feature[literal]], case]] else 0
            )
        filled[case, width] = 1 if free[case] else 0
        for literal in range(width + 1, filled.shape[1]):
            filled[case, literal] = 0


@kernel
def equal_cases(codes, chosen, group):
    """A number per case, the same for cases with equal codes; how many there are.

    By a table of remainders.
    """
    cases = codes.shape[1]
    size = 1
    while size < 2 * cases:
        size *= 2
    total = np.zeros(cases, np.uint64)
    for feature in chosen:
        column = codes[feature]
        for case in range(cases):
            total[case] = (total[case] ^ np.uint64(column[case] + 1)) * np.uint64(
                0x9E3779B97F4A7C15
            )
            total[case] ^= total[case] >> np.uint64(29)
    holder = np.full(size, -1, np.int64)
    groups = 0
    for case in range(cases):
        slot = np.int64(total[case] & np.uint64(size - 1))
        while True:
            other = holder[slot]
            if other < 0:
                holder[slot] = case
                group[case] = groups
                groups += 1
                break
            same = total[other] == total[case]
            if same:
                for feature in chosen:
                    if codes[feature, other] != codes[feature, case]:
                        same = False
                        break
            if same:
                group[case] = group[other]
                break
            slot = (slot + 1) & (size - 1)
    return groups


@kernel
def parting_first(rows, mask, width, kept):
    """kept[...]: the literals that part the cases as no earlier one does, whichever side is inside.

    Their number.
    """
    first = mask[0] & (~mask[0] + np.uint64(1))  # the first case
    sides, group = np.empty((len(mask), width), np.uint64), np.empty(width, np.int64)
    for word in range(len(mask)):
        for literal in range(width):
            flip = mask[word] if rows[0, literal] & first else np.uint64(0)
            sides[word, literal] = rows[word, literal] ^ flip
    equal_cases(sides, np.arange(len(mask)), group)
    found = 0
    for literal in range(width):
        if group[literal] == found:
            kept[found] = literal
            found += 1
    return found


@kernel
def tally_codes(codes, weight, start, tally):
    """tally[start[feature] + code]: the weight of the cases with this code; -1 is missing."""
    for feature in range(codes.shape[0]):
        line, column = tally[start[feature] : start[feature + 1]], codes[feature]
        for case in range(len(column)):
            if column[case] >= 0:
                line[column[case]] += weight[case]


@kernel
def tally_classes(codes, labels, weight, start, tally):
    """tally[class, start[feature] + code]: the same per class."""
    for feature in range(codes.shape[0]):
        column, first = codes[feature], start[feature]
        for case in range(len(column)):
            if column[case] >= 0:
                tally[labels[case], first + column[case]] += weight[case]


@kernel
def replace_codes(codes, start, place, out):
    """out[feature, case] = place[start[feature] + code]; what is missing stays so."""
    for feature in range(codes.shape[0]):
        column, here, line = (
            codes[feature],
            place[start[feature] : start[feature + 1]],
            out[feature],
        )
        for case in range(len(column)):
            line[case] = here[column[case]] if column[case] >= 0 else column[case]
