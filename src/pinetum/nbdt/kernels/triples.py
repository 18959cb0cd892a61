"""Trees of at most three tests on a path, all at once, where their worth is a number of cases of
two classes.

Three literals part the cases into eight sets. How many cases lie in all three (of the second class
less those of the first: a lead, see `pairs`) gives the leads of all eight, whichever of the three
is asked first: so every set of three is counted once. What it tells is kept by two of the three:
the best test below what two answers leave.

The loops run over whole blocks of literals; what then stands before the second of two literals, or
behind the last, is true of them or empty, and does no harm. They begin at the block of the second
literal, so that the compiler sees from outside the loop over a block's literals that no two lines
overlap.
"""

import numpy as np

from pinetum.jit import kernel
from pinetum.kernels.words import ones
from pinetum.nbdt.kernels.bundles import NEVER
from pinetum.nbdt.kernels.cases import ALL, BLOCK, FOUR, ONE, THREE, TWO, ZERO

STEP, FIRST_LOOK = np.uint64(BLOCK), np.uint64(16)


@kernel(inline=True)
def part_words(rows, class_words, literal, width, room):
    """Words with cases of a literal, and `room.pairs` for it.

    Their number, with empty ones to a multiple of four.
    """
    low, places, count = literal & ~(STEP - ONE), np.uint64(rows.shape[1]), ZERO
    words, pairs = room.words, room.pairs
    for b in range(low, places):
        pairs[literal, b] = 0
    for word in range(class_words[2]):
        own = rows[word, literal]
        if own == ZERO:
            continue
        sign = np.int32(-1 if word < class_words[1] else 1)
        room.flip[count] = ALL if word < class_words[1] else ZERO
        for b in range(low, places):
            words[count, b] = own & rows[word, b]
            pairs[literal, b] += sign * np.int32(ones(words[count, b]))
        words[count, width] = ZERO  # no literal: see `pairs`
        count += ONE
    pairs[literal, width] = 0
    while count & THREE != ZERO:
        room.flip[count] = ZERO
        for b in range(low, places):
            words[count, b] = ZERO
        count += ONE
    return count


@kernel(inline=True)
def open_pairs(a, total, room):
    """Without a third literal two leave their cases as they are."""
    alone, pairs, best = room.alone, room.pairs, room.best
    for b in range(a & ~(STEP - ONE), np.uint64(len(alone))):
        best[0, a, b] = abs(pairs[a, b])
        best[1, a, b] = abs(np.int32(alone[a] - pairs[a, b]))
        best[2, a, b] = abs(np.int32(alone[b] - pairs[a, b]))
        best[3, a, b] = abs(np.int32(total - alone[a] - alone[b] + pairs[a, b]))


@kernel(inline=True)
def try_thirds(a, count, width, total, room):
    """Count all triples of a literal with two later ones, and raise what is known of their
    pairs.
    """
    words, flip, alone, pairs, both, best = room
    places = np.uint64(len(both))
    for low in range(a & ~(STEP - ONE), places, STEP):
        for b in range(max(a + ONE, low), min(low + STEP, np.uint64(width))):
            for c in range(low, places):
                both[c] = 0
            for i in range(ZERO, count, FOUR):
                j, k, m = i + ONE, i + TWO, i + THREE
                one, two, three, four = words[i, b], words[j, b], words[k, b], words[m, b]
                if one | two | three | four != ZERO:
                    # minus the number of ones is the number of zeros, less 64
                    less = np.int32(ones(flip[i]) + ones(flip[j]) + ones(flip[k]) + ones(flip[m]))
                    for c in range(low, places):
                        first = ones((one & words[i, c]) ^ flip[i]) + ones(
                            (two & words[j, c]) ^ flip[j]
                        )
                        last = ones((three & words[k, c]) ^ flip[k]) + ones(
                            (four & words[m, c]) ^ flip[m]
                        )
                        both[c] += np.int32(first + last) - less
            lead = pairs[a, b]
            only_a, only_b = np.int32(alone[a] - lead), np.int32(alone[b] - lead)
            neither = np.int32(total - alone[a] - only_b)
            in_two = in_a = in_b = in_none = np.int32(0)
            for c in range(low, places):
                x = both[c]
                y, z = (
                    np.int32(pairs[a, c] - x),
                    np.int32(pairs[b, c] - x),
                )  # in a and c only, in b and c only
                own = np.int32(alone[c] - pairs[a, c] - z)
                abc, ab = np.int32(abs(x)), np.int32(abs(np.int32(lead - x)))
                ac, just_a = np.int32(abs(y)), np.int32(abs(np.int32(only_a - y)))
                bc, just_b = np.int32(abs(z)), np.int32(abs(np.int32(only_b - z)))
                just_c, none = np.int32(abs(own)), np.int32(abs(np.int32(neither - own)))
                in_two, in_a = max(in_two, np.int32(abc + ab)), max(in_a, np.int32(ac + just_a))
                in_b, in_none = (
                    max(in_b, np.int32(bc + just_b)),
                    max(in_none, np.int32(just_c + none)),
                )
                best[0, a, c] = max(best[0, a, c], np.int32(abc + ac))
                best[1, a, c] = max(best[1, a, c], np.int32(ab + just_a))
                best[2, a, c] = max(best[2, a, c], np.int32(bc + just_c))
                best[3, a, c] = max(best[3, a, c], np.int32(just_b + none))
                best[0, b, c] = max(best[0, b, c], np.int32(abc + bc))
                best[1, b, c] = max(best[1, b, c], np.int32(ab + just_b))
                best[2, b, c] = max(best[2, b, c], np.int32(ac + just_c))
                best[3, b, c] = max(best[3, b, c], np.int32(just_a + none))
            best[0, a, b], best[1, a, b] = max(best[0, a, b], in_two), max(best[1, a, b], in_a)
            best[2, a, b], best[3, a, b] = max(best[2, a, b], in_b), max(best[3, a, b], in_none)


@kernel
def join_triples(first, width, total, penalty, room, lines, value):
    """value[t]: the best tree of tests from `first` on that begins with t.

    Lines 0 and 1: either side of it.

    The greatest value is returned.
    """
    alone, pairs, best = room.alone, room.pairs, room.best
    for a in range(first, np.uint64(width)):
        lines[0, a], lines[1, a] = abs(alone[a]) - penalty, abs(total - alone[a]) - penalty
    for a in range(first, np.uint64(width)):
        inside, outside = lines[0, a], lines[1, a]
        for b in range(a + ONE, np.uint64(width)):
            lead, more = pairs[a, b], 2 * penalty
            both = max(abs(lead) - penalty, best[0, a, b] - more)
            only_a = max(abs(alone[a] - lead) - penalty, best[1, a, b] - more)
            only_b = max(abs(alone[b] - lead) - penalty, best[2, a, b] - more)
            none = max(abs(total - alone[a] - alone[b] + lead) - penalty, best[3, a, b] - more)
            inside, outside = max(inside, both + only_a), max(outside, only_b + none)
            lines[0, b], lines[1, b] = (
                max(lines[0, b], both + only_b),
                max(lines[1, b], only_a + none),
            )
        lines[0, a], lines[1, a] = inside, outside
    greatest = NEVER
    for t in range(first, np.uint64(width)):
        value[t] = lines[0, t] + lines[1, t]
        greatest = max(greatest, value[t])
    return greatest


@kernel
def best_of_three(rows, class_words, width, goal, room, lines, value):
    """value[t]: the best tree of at most three tests on a path that begins with literal t, as a
    lead.

    `rows` and `class_words` hold the cases of the node alone; `goal` has its lead, what a leaf
    costs, and what is enough: it is looked now and then whether the tests so far reach it, and then
    the others are left out.
    """
    total, penalty, enough = goal
    for b in range(np.uint64(len(room.alone))):
        room.alone[b] = 0
    for word in range(class_words[2]):
        sign = np.int32(-1 if word < class_words[1] else 1)
        for b in range(np.uint64(width)):
            room.alone[b] += sign * np.int32(ones(rows[word, b]))
    for behind in range(np.uint64(width)):
        literal = np.uint64(width) - ONE - behind  # the pairs of later literals are known
        count = part_words(rows, class_words, literal, width, room)
        open_pairs(literal, total, room)
        try_thirds(literal, count, width, total, room)
        done = behind + ONE
        looks = (
            done & behind == ZERO and done >= FIRST_LOOK and literal > ZERO
        )  # after 16, 32, 64, ... literals
        if looks and join_triples(literal, width, total, penalty, room, lines, value) >= enough:
            for t in range(literal):
                value[t] = NEVER
            return
    join_triples(ZERO, width, total, penalty, room, lines, value)
