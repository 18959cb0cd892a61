"""Cases as bits: which are in a branch, and how many are in each pair of literals.

A literal is a set of values of one feature. Its cases are bits, rows[word, literal], those of each
class in words of their own; the last column is no literal but `free`: the cases that some tree can
classify rightly. table[c, a, b], with b >= a, is how many cases of class c are in a and in b; the
diagonal is a alone. Indices in hot loops have no sign: only so do loops over whole arrays become
vector instructions. A slice per row would do it too, but counting the references to it takes longer
than the row. Rows are as long as a whole number of `BLOCK`s, and begin with one: what then stands
before the diagonal, or after the last literal, is true of it or zero, and does no harm.
"""

import numpy as np

from pinetum.jit import kernel
from pinetum.kernels.words import ones

ZERO, ONE, TWO, THREE, FOUR = (np.uint64(number) for number in range(5))
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
BLOCK = 8  # literals; loops over so many, and multiples, have no rest that is done one by one
PACKING = 0.004  # packing pays when a child has this share of the other cases per literal, or less


@kernel
def count_pairs(rows, class_words, mask, table, count):
    """Fill the table, a plane per class, with numbers of cases in the mask.

    Four words at a time.
    """
    width, places = np.uint64(table.shape[1]), np.uint64(len(count))
    for c in range(len(class_words) - 1):
        first, end = np.uint64(class_words[c]), np.uint64(class_words[c + 1])
        fours = first + ((end - first) & ~THREE)
        for a in range(width):
            low = a & ~np.uint64(BLOCK - 1)
            if end - first == ONE:
                mine = rows[first, a] & mask[first]
                for b in range(low, places):
                    table[c, a, b] = np.int32(ones(mine & rows[first, b]))
                continue
            for b in range(low, places):
                count[b] = ZERO
            for w in range(first, fours, FOUR):
                i, j, k = w + ONE, w + TWO, w + THREE
                one, two = rows[w, a] & mask[w], rows[i, a] & mask[i]
                three, four = rows[j, a] & mask[j], rows[k, a] & mask[k]
                if one | two | three | four != ZERO:
                    for b in range(low, places):
                        first_two = ones(one & rows[w, b]) + ones(two & rows[i, b])
                        last_two = ones(three & rows[j, b]) + ones(four & rows[k, b])
                        count[b] += np.uint64(first_two + last_two)
            for w in range(fours, end):
                mine = rows[w, a] & mask[w]
                for b in range(low, places):
                    count[b] += np.uint64(ones(mine & rows[w, b]))
            for b in range(low, places):
                table[c, a, b] = np.int32(count[b])


@kernel
def weigh_pairs(holds, labels, weight, cases, n_cases, table):
    """The same for cases with weights; holds[case, literal] is 0 or 1."""
    width, places = np.uint64(table.shape[1]), np.uint64(table.shape[2])
    for c in range(table.shape[0]):
        for a in range(width):
            for b in range(a & ~np.uint64(BLOCK - 1), places):
                table[c, a, b] = 0.0
    for i in range(n_cases):
        case, label, own = cases[i], labels[cases[i]], weight[cases[i]]
        for a in range(width):
            if holds[case, a]:
                for b in range(a & ~np.uint64(BLOCK - 1), places):
                    table[label, a, b] += own * holds[case, b]


@kernel
def subtract_pairs(whole, part, rest):
    """rest = whole - part."""
    for c in range(whole.shape[0]):
        for a in range(np.uint64(whole.shape[1])):
            for b in range(a & ~np.uint64(BLOCK - 1), np.uint64(whole.shape[2])):
                rest[c, a, b] = whole[c, a, b] - part[c, a, b]


@kernel
def copy_pairs(source, target):
    for c in range(source.shape[0]):
        for a in range(np.uint64(source.shape[1])):
            for b in range(a & ~np.uint64(BLOCK - 1), np.uint64(source.shape[2])):
                target[c, a, b] = source[c, a, b]


@kernel
def select_cases(rows, words, mask, literal, negated, chosen):
    """Cases of the mask in a literal, or outside it; their number."""
    flip = ALL if negated else ZERO
    total = 0
    for word in range(words):
        chosen[word] = mask[word] & (rows[word, literal] ^ flip)
        total += ones(chosen[word])
    return total


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
