"""Lower bounds on the costs of the trees for a subtable, from pairs of rows that no leaf can hold
together.

Two rows are *rivals* if no decision answers both. They *clash* if no leaf can hold both: rivals do,
and so do two rows of one decision if a rival of theirs agrees with both wherever they agree. Both
hold unchanged in every subtable, so they are computed once. From them follow

- cliques of clashing rows: as many leaves;
- the most that the leaf of a row can hold, and from it the number of leaves and the cost of a
  Huffman code for them;
- sets of attributes where rivals differ: every tree tests one of each set, every path one of each
  set of its row.

A Huffman code whose nodes have as many branches as the widest attribute bounds the path length for
every number of values.
"""

import math
from typing import NamedTuple

import numpy as np

from pinetum.greedy_dp.kernels.constants import DEPTH, NODES, PATH, TERMINALS
from pinetum.greedy_dp.kernels.problem import FAR, WORDS_A_UNIT, least_leaves, overlap, weigh
from pinetum.jit import kernel
from pinetum.kernels.arrays import sort_values
from pinetum.kernels.words import ONE, ZERO, lowest, ones

DIRECT = 64  # rows up to which all pairs of a subtable are compared for the tests of a table ...
FEW = 24  # ... and of its rows; above, the nearest rivals
MOST_DIFFERENCES = DIRECT * DIRECT


class Scratch(NamedTuple):
    """Room for the bounds of one subtable."""

    members: np.ndarray  # int64 (rows,)
    differences: np.ndarray  # uint64 (MOST_DIFFERENCES, words of attributes)
    follow: np.ndarray  # int64 (MOST_DIFFERENCES,)
    head: np.ndarray  # int64 (attributes + 1,)
    used: np.ndarray  # uint64 (words of attributes,)
    candidates: np.ndarray  # uint64 (words,)
    counts: np.ndarray  # int64 (decisions,)
    leaves: np.ndarray  # int64 (rows + 2,)
    sums: np.ndarray  # int64 (rows + 2,)


# ---------------------------------------------------------------- pairs of rows, once per table


@kernel
def difference(planes, i, k, out):
    """Number of attributes where two rows differ, and which."""
    size = 0
    for x in range(len(out)):
        word = ZERO
        for v in range(planes.shape[2]):
            word |= planes[i, x, v] ^ planes[k, x, v]
        out[x] = word
        size += ones(word)
    return size


@kernel
def members_of(rows, out):
    """Write the rows of a set; their number."""
    n = 0
    for w in range(len(rows)):
        word = rows[w]
        while word != ZERO:
            out[n] = 64 * w + lowest(word)
            n += 1
            word &= word - ONE
    return n


@kernel
def nearest_rivals(planes, kind, rivals, attributes, near, distance, begin, until):
    """Per row from `begin` on its nearest rivals and how many attributes apart they are.

    (next row, work): rows are added until this much work is done.
    """
    n, most = near.shape
    others = np.empty(n, np.int64)
    apart = np.empty(n, np.int64)
    start = np.empty(attributes + 2, np.int64)
    buffer = np.empty(planes.shape[1], np.uint64)
    i, work = begin, np.int64(0)
    while i < n and work < until:
        found = members_of(rivals[kind[i]], others)
        work += (n + found * len(buffer) + attributes) // WORDS_A_UNIT + 1
        start[:] = 0
        for j in range(found):
            apart[j] = difference(planes, i, others[j], buffer)
            start[apart[j] + 1] += 1
        for d in range(attributes + 1):
            start[d + 1] += start[d]
        for j in range(found):
            place = start[apart[j]]
            start[apart[j]] += 1
            if place < most:
                near[i, place] = others[j]
                distance[i, place] = apart[j]
        i += 1
    return i, work


@kernel(inline=True)
def within(inner, outer):
    beyond = ZERO
    for x in range(len(inner)):
        beyond |= inner[x] & ~outer[x]
    return beyond == ZERO


@kernel
def find_clashes(planes, kind, rivals, attributes, clash, begin, until):
    """Fill `clash`: rivals, and rows whose difference contains the difference of one of them and a
    rival.

    (next row, work), as above.
    """
    n = len(kind)
    others = np.empty(n, np.int64)
    sets = np.empty((n, planes.shape[1]), np.uint64)
    follow = np.empty(n, np.int64)
    head = np.empty(attributes + 1, np.int64)
    least = np.empty((256, planes.shape[1]), np.uint64)  # more of them would only find more clashes
    buffer = np.empty(planes.shape[1], np.uint64)
    i, work = begin, np.int64(0)
    while i < n and work < until:
        words = attributes
        enemies = rivals[kind[i]]
        for w in range(len(enemies)):
            clash[i, w] |= enemies[w]
        found = members_of(enemies, others)
        head[:] = -1
        for j in range(found):
            size = difference(planes, i, others[j], sets[j])
            follow[j] = head[size]
            head[size] = j
        kept = 0
        for size in range(attributes + 1):
            j = head[size]
            while j >= 0 and kept < len(least):
                new = True
                words += (kept + 1) * len(buffer)
                for s in range(kept):
                    if within(least[s], sets[j]):
                        new = False
                        break
                if new:
                    for x in range(sets.shape[1]):
                        least[kept, x] = sets[j, x]
                    kept += 1
                j = follow[j]
        for j in range(n):
            if j == i or clash[i, j >> 6] >> np.uint64(j & 63) & ONE:
                continue
            difference(planes, i, j, buffer)
            words += (kept + 1) * len(buffer)
            for s in range(kept):
                if within(least[s], buffer):
                    clash[i, j >> 6] |= ONE << np.uint64(j & 63)
                    clash[j, i >> 6] |= ONE << np.uint64(i & 63)
                    break
        work += (n + words) // WORDS_A_UNIT + 1
        i += 1
    return i, work


@kernel
def greedy_clique(clash, candidates, out):
    """Grow a clique from the first candidate on (rows are ordered by their clashes).

    Changes `candidates`.
    """
    size = 0
    for w in range(len(candidates)):
        while candidates[w] != ZERO:
            row = 64 * w + lowest(candidates[w])
            out[w] |= candidates[w] & (ZERO - candidates[w])
            size += 1
            candidates[w] &= candidates[w] - ONE
            for v in range(w, len(candidates)):
                candidates[v] &= clash[row, v]
    return size


@kernel
def find_cliques(clash, block, out):
    """Cliques of a block, one for each of the rows that fewest cliques so far hold."""
    n = len(clash)
    held = np.zeros(n, np.int64)
    candidates = np.empty(len(block), np.uint64)
    for c in range(len(out)):
        start = -1
        for row in range(n):
            if block[row >> 6] >> np.uint64(row & 63) & ONE and (
                start < 0 or held[row] < held[start]
            ):
                start = row
        for w in range(len(block)):
            candidates[w] = block[w] & clash[start, w]
            out[c, w] = ZERO
        out[c, start >> 6] |= ONE << np.uint64(start & 63)
        greedy_clique(clash, candidates, out[c])
        for row in range(n):
            if out[c, row >> 6] >> np.uint64(row & 63) & ONE:
                held[row] += 1
        held[start] += 1


# ---------------------------------------------------------------- bounds of one subtable


@kernel(inline=True)
def clique_size(rows, problem, b, scratch):
    """Size of the largest clique known in a block of a subtable."""
    most = 0
    for c in range(problem.clique_first[b], problem.clique_first[b + 1]):
        size = 0
        for w in range(len(rows)):
            size += ones(rows[w] & problem.cliques[c, w])
        most = max(most, size)
    candidates = scratch.candidates
    size = 0
    for w in range(len(rows)):
        candidates[w] = rows[w] & problem.blocks[b, w]
    for w in range(len(rows)):
        while candidates[w] != ZERO:
            row = 64 * w + lowest(candidates[w])
            size += 1
            candidates[w] &= candidates[w] - ONE
            for v in range(w, len(rows)):
                candidates[v] &= problem.clash[row, v]
    return max(most, size)


@kernel(inline=True)
def block_leaves(rows, problem, b, scratch, at):
    """Write the most unequal weights that the leaves of a block can have from `at` on.

    The next free place.

    A leaf holds no more than the row in it that clashes with fewest others; so a block of weight W
    has at least the sum of w / most(row) leaves, too.
    """
    block = problem.blocks[b]
    total = overlap(rows, block, problem.weight)
    if total == 0:
        return at
    leaves = clique_size(rows, problem, b, scratch)
    room = np.int64(0)
    least = FAR
    share = 0.0
    for w in range(len(rows)):
        word = rows[w] & block[w]
        while word != ZERO:
            row = 64 * w + lowest(word)
            word &= word - ONE
            beside = total
            for v in range(len(rows)):
                met = rows[v] & block[v] & problem.clash[row, v]
                if len(problem.weight) == 0:
                    beside -= ones(met)
                else:
                    while met != ZERO:
                        beside -= problem.weight[64 * v + lowest(met)]
                        met &= met - ONE
            own = np.int64(1) if len(problem.weight) == 0 else problem.weight[row]
            room = max(room, beside)
            least = min(least, own)
            share += own / beside
    leaves = max(leaves, np.int64(np.ceil(share - 1e-9)), -(-total // room))
    surplus = total - leaves * least
    for leaf in range(leaves):
        more = min(surplus, room - least)
        scratch.leaves[at + leaf] = least + more
        surplus -= more
    return at + leaves


@kernel
def huffman(leaves, n, wide, sums):
    """Cost of the best code for these weights whose nodes have at most `wide` branches.

    Sorts `leaves`.
    """
    if n < 2:
        return np.int64(0)
    weights = leaves[:n]
    sort_values(weights, n)
    pad = (wide - 1 - (n - 1) % (wide - 1)) % (wide - 1)  # empty leaves that make every node full
    cost = np.int64(0)
    taken = 0
    made = 0
    joined = 0
    count = n + pad
    empty = pad
    while count > 1:
        total = np.int64(0)
        for _ in range(wide):
            if empty > 0:
                empty -= 1
            elif taken < n and (joined >= made or weights[taken] <= sums[joined]):
                total += weights[taken]
                taken += 1
            else:
                total += sums[joined]
                joined += 1
        sums[made] = total
        made += 1
        cost += total
        count -= wide - 1
    return cost


@kernel(inline=True)
def path_bound(leaves, n, total, shape, sums):
    """Least path length of trees with leaves of these weights."""
    wide = widest_of(shape)
    bound = huffman(leaves, n, wide, sums)
    if wide > 2:
        saved = 0.0
        for width in range(3, wide + 1):
            saved += shape[width] * saving(width)
        bound = max(
            bound, np.int64(np.ceil(huffman(leaves, n, np.int64(2), sums) - saved * total - 1e-6))
        )
    return bound


@kernel(inline=True)
def saving(branches):
    """What a test with so many branches saves a row against tests in two: the code of equal
    weights, less one.
    """
    floor = np.floor(math.log2(branches))
    return floor + 2.0 * (branches - 2.0**floor) / branches - 1.0


@kernel
def widest_of(shape):
    wide = len(shape) - 1
    while wide > 2 and shape[wide] == 0:
        wide -= 1
    return wide


@kernel(inline=True)
def inner_nodes(leaves, shape):
    """Nonterminal nodes without which a tree has not so many leaves.

    A node with two branches more than another takes two rows outside the two most common values of
    its attribute, and the nodes of one attribute share no row; where only one attribute has more
    than two values, its nodes lie side by side, so a tree has nearly as many above them.
    """
    wide = widest_of(shape)
    inner = max(-(-(leaves - 1) // (wide - 1)), leaves - 1 - shape[0])
    wider = 0
    for width in range(3, len(shape)):
        wider += shape[width]
    if wider == 1:
        inner = max(inner, -(-2 * leaves // wide) - 1)
    return max(inner, np.int64(1))


@kernel(inline=True)
def least_depth(leaves, shape):
    """Depth without which a tree has not so many leaves: an attribute splits once on a path."""
    reach = np.int64(1)
    depth = 0
    for width in range(len(shape) - 1, 1, -1):
        for _ in range(shape[width]):
            if reach >= leaves:
                return depth
            reach *= width
            depth += 1
    return max(depth, 1)


@kernel
def cost_bound(cost, leaves, total, tests, price, cheapest, shape):
    """A cost's bound from a number of leaves (and of attributes that must be tested, at their
    prices).

    cheapest    cheapest[d]: the price of the d cheapest attributes
    shape       shape[w]: attributes with w branches or fewer; shape[0]: rows outside the two most
                common values, over all attributes
    """
    if cost == TERMINALS:
        return leaves
    if cost == PATH:
        return total * cheapest[1]
    if cost == DEPTH:
        return cheapest[least_depth(leaves, shape)]
    inner_price = max(max(inner_nodes(leaves, shape), tests) * cheapest[1], price)
    return inner_price + leaves if cost == NODES else inner_price


@kernel(inline=True)
def note_difference(scratch, at, size):
    scratch.follow[at] = scratch.head[size]
    scratch.head[size] = at


@kernel
def take_if_apart(difference, used, price, cheapest):
    """The least price in a set of attributes if none is used, and use them; -1 if one is."""
    for x in range(len(used)):
        if difference[x] & used[x]:
            return np.int64(-1)
    least = FAR
    for x in range(len(used)):
        word = difference[x]
        used[x] |= word
        while word != ZERO and least > cheapest:
            least = min(least, price[64 * x + lowest(word)])
            word &= word - ONE
    return least


@kernel(inline=True)
def pack(scratch, price, cheapest):
    """(number, price) of disjoint sets among the differences noted, the smallest first."""
    scratch.used[:] = ZERO
    number = np.int64(0)
    paid = np.int64(0)
    for size in range(len(price) + 1):
        at = scratch.head[size]
        while at >= 0:
            least = take_if_apart(scratch.differences[at], scratch.used, price, cheapest)
            if least >= 0:
                number += 1
                paid += least
            at = scratch.follow[at]
    return number, paid


@kernel
def holds(rows, row):
    return rows[row >> 6] >> np.uint64(row & 63) & ONE != ZERO


@kernel(inline=True)
def tests_of_table(rows, n, problem, cheapest, scratch):
    """(number, price) of attributes that every tree for a subtable tests."""
    scratch.head[:] = -1
    at = np.int64(0)
    if n <= DIRECT:
        members = scratch.members
        members_of(rows, members)
        for i in range(n):
            enemies = problem.rivals[problem.kind[members[i]]]
            for k in range(i + 1, n):
                if holds(enemies, members[k]):
                    size = difference(
                        problem.planes, members[i], members[k], scratch.differences[at]
                    )
                    note_difference(scratch, at, size)
                    at += 1
    else:
        for p in range(len(problem.close)):
            i, k = np.int64(problem.close[p, 0]), np.int64(problem.close[p, 1])
            if holds(rows, i) and holds(rows, k):
                size = difference(problem.planes, i, k, scratch.differences[at])
                note_difference(scratch, at, size)
                at += 1
                if at == MOST_DIFFERENCES:
                    break
    return pack(scratch, problem.price, cheapest)


@kernel(inline=True)
def tests_of_row(row, rows, n, problem, cheapest, scratch):
    """Price of the tests on a row's path."""
    if n <= FEW:
        scratch.head[:] = -1
        enemies = problem.rivals[problem.kind[row]]
        at = np.int64(0)
        for k in range(n):
            if holds(enemies, scratch.members[k]):
                size = difference(problem.planes, row, scratch.members[k], scratch.differences[at])
                note_difference(scratch, at, size)
                at += 1
        return pack(scratch, problem.price, cheapest)[1]
    paid = np.int64(0)
    scratch.used[:] = ZERO
    for p in range(problem.near.shape[1]):
        k = np.int64(problem.near[row, p])
        if k < 0:
            break
        if holds(rows, k):
            difference(problem.planes, row, k, scratch.differences[0])
            paid += max(
                take_if_apart(scratch.differences[0], scratch.used, problem.price, cheapest), 0
            )
    return paid


@kernel(inline=True)
def tests_of_rows(rows, n, problem, cheapest, scratch):
    """(largest, weighted sum) over the rows of a subtable of the price of tests on a row's path."""
    members_of(rows, scratch.members)
    largest = np.int64(0)
    total = np.int64(0)
    for i in range(n):
        row = scratch.members[i]
        paid = tests_of_row(row, rows, n, problem, cheapest, scratch)
        own = np.int64(1) if len(problem.weight) == 0 else problem.weight[row]
        largest = max(largest, paid)
        total += own * paid
    return largest, total


@kernel
def strong_bound(cost, rows, problem, cheapest, shape, enough, scratch):
    """(bound, is it the best known) on a cost of the trees for a subtable that is no leaf.

    Ends early with `enough`.
    """
    total, _ = weigh(rows, problem, scratch.counts)
    leaves = least_leaves(scratch.counts, total, problem.slack)
    none = np.int64(0)
    if len(problem.clash) == 0:
        return cost_bound(cost, leaves, total, none, none, cheapest, shape), True
    found = np.int64(0)
    for b in range(len(problem.blocks)):
        found = block_leaves(rows, problem, b, scratch, found)
    leaves = max(leaves, np.int64(found))
    bound = cost_bound(cost, leaves, total, none, none, cheapest, shape)
    if cost == PATH:
        bound = max(
            bound, cheapest[1] * path_bound(scratch.leaves, found, total, shape, scratch.sums)
        )
    if bound >= enough:
        return bound, False
    n = np.int64(0)
    for w in range(len(rows)):
        n += ones(rows[w])
    if cost in (DEPTH, PATH):
        longest, together = tests_of_rows(rows, n, problem, cheapest[1], scratch)
        return max(bound, longest if cost == DEPTH else together), True
    tests, price = tests_of_table(rows, n, problem, cheapest[1], scratch)
    return cost_bound(cost, max(leaves, tests + 1), total, tests, price, cheapest, shape), True
