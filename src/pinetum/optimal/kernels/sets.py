"""Sets of cases in the order of every column: the table itself, and one side of a cut of a set."""

import numpy as np

from pinetum.jit import kernel

index = np.uintp  # numba looks whether a signed index is negative


@kernel
def sort_column(codes, order, change, count):
    """Cases by rising code, equal ones as they come; `count` has a place more than codes."""
    n = len(codes)
    count[:] = 0
    for i in range(n):
        count[index(codes[i]) + index(1)] += 1
    for v in range(1, len(count)):
        count[v] += count[v - 1]
        if 0 < count[v] < n:
            change[count[v]] = 1
    for i in range(n):
        v = index(codes[i])
        order[index(count[v])] = i
        count[v] += 1


@kernel
def list_cuts(change, cases, cuts):
    """Cases before each cut; their number."""
    many = 0
    for i in range(1, cases):
        cuts[many] = i
        many += change[index(i)]
    return many


@kernel
def fill_reach(order, weight, cuts, many, reach):
    """What the cases before each cut cost when all are wrong."""
    whole, i = 0.0, 0
    for k in range(many):
        while i < cuts[k]:
            whole += weight[index(order[index(i)])]
            i += 1
        reach[k] = whole


@kernel
def number_side(order, cases, cut, left, place, below, above):
    """Number the cases of one side of a cut as they come in the set; their number.

    `below` and `above` hold the cases' numbers in the table.
    """
    for i in range(cases):
        place[index(order[index(i)])] = 0 if (i < cut) == left else -1
    size = 0
    for x in range(cases):
        if place[x] >= 0:
            place[x] = size
            below[size] = above[x]
            size += 1
    return size


@kernel
def part_column(order, change, cases, place, size, part, parted):
    """The cases of a side in the order of a column, and where the value changes among them.

    Behind them come places of a case that is none, up to a multiple of four.
    """
    parted[: size + 5] = 0
    k = 0
    for i in range(cases):
        parted[index(k)] |= change[index(i)]
        x = place[index(order[index(i)])]
        part[index(k)] = x
        k += x >= 0
    parted[0] = 0
    parted[size] = 0
    for i in range(size, size + 4):
        part[i] = size


@kernel
def part_values(values, cases, place, below):
    """What belongs to the cases of a side."""
    for x in range(cases):
        if place[x] >= 0:
            below[place[x]] = values[x]


@kernel
def part(level, cases, column, cut, left, sets, weighted):
    """Make one side of a cut the set of the next level; its number of cases."""
    order, change, place = sets.order[level], sets.change[level], sets.place[level]
    size = number_side(
        order[column], cases, cut, left, place, sets.case[level + 1], sets.case[level]
    )
    part_values(sets.lead[level], cases, place, sets.lead[level + 1])
    part_values(sets.label[level], cases, place, sets.label[level + 1])
    sets.lead[level + 1, size] = 0
    if weighted:
        part_values(sets.weight[level], cases, place, sets.weight[level + 1])
    for f in range(order.shape[0]):
        if sets.many[level, f] == 0:
            sets.many[level + 1, f] = 0
            continue
        below, changed = sets.order[level + 1, f], sets.change[level + 1, f]
        part_column(order[f], change[f], cases, place, size, below, changed)
        cuts = sets.cuts[level + 1, f]
        many = list_cuts(changed, size, cuts)
        sets.many[level + 1, f] = many
        if weighted:
            fill_reach(below, sets.weight[level + 1], cuts, many, sets.reach[level + 1, f])
    return size


@kernel
def distance(cuts, reach, weighted, k):
    """What the cases before cut k cost when all are wrong."""
    return reach[index(k)] if weighted else np.float64(cuts[index(k)])
