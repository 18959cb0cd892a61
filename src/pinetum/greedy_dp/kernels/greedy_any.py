"""All greedy trees of a table of any size at once: `greedy_64` for row sets of several words.

The trees grow until their work is used up, and go on from there when the kernel is called again.
What every tree tests can be written to a log as it is chosen, so that none is grown twice.

    Waiting   | subtable 0 | 1 | ... | top |     `top` is looked at next: at its attributes from
    Log       | root's test | ... |              `control.cursor` on; then its branches, for each
                                                 group of heuristics, take its place and more
"""

from typing import NamedTuple

import numpy as np

from pinetum.greedy_dp.kernels.constants import N_HEURISTICS
from pinetum.greedy_dp.kernels.impurity import Choice, fold, prefer, uncertainties
from pinetum.greedy_dp.kernels.problem import WORDS_A_UNIT, may_end, weigh
from pinetum.jit import kernel
from pinetum.kernels.words import ONE, ZERO, lowest, ones

GROWN, PAUSED, FULL, GROWING = 0, 1, 2, 3  # FULL: the log is
PER_COUNT = 8  # words that take as long as a class of a branch does beside counting its rows
CONTROL = np.dtype(
    (
        np.record,  # fields by name without the compiler too
        [
            ("waiting", np.int64),  # subtables that are to be looked at
            ("cursor", np.int64),  # attributes of the last of them that were looked at
            ("work", np.int64),  # so far: about a nanosecond to ten each
            ("logged", np.int64),  # entries of the log
        ],
    )
)


class Waiting(NamedTuple):
    """The subtables that wait; those of words have `sets`, those of packed rows the others."""

    sets: np.ndarray  # uint64 (places, words): the row set
    level: np.ndarray  # int64 (places,): what the tests above cost
    group: np.ndarray  # uint64 (places,): the heuristics that get here, a bit each
    above: np.ndarray  # int64 (places,): entry of the log above, or -1
    value: np.ndarray  # int64 (places,): of its attribute, that leads here


class Log(NamedTuple):
    """What the trees test, from the root down; arrays without room: nothing is written."""

    attribute: np.ndarray  # int32 (entries,)
    group: np.ndarray  # uint64 (entries,): the heuristics that test it here, a bit each
    above: np.ndarray  # int64 (entries,): the test before, -1 at the root
    value: np.ndarray  # int32 (entries,): its value that leads here


class Room(NamedTuple):
    """Scratch space."""

    rows: np.ndarray  # uint64 (words,): the subtable at hand
    answered: np.ndarray  # int64 (decisions,): the weight that each decision answers
    choice: Choice


@kernel
def choose(rows, begin, end, problem, n_log_n, choice):
    """Each heuristic's attribute for a subtable that is no leaf, of those up to `end`.

    Those before `begin`, if any, were looked at already.
    """
    counts, measured, impurity = choice.counts, choice.measured, choice.impurity
    least, attribute = choice.least, choice.attribute
    if begin == 0:
        least[:] = np.inf
    for a in range(begin, end):
        impurity[:] = 0.0
        filled = 0
        for slot in range(problem.first[a], problem.first[a + 1]):
            n = np.int64(0)
            for c in range(len(problem.kinds)):
                count = 0
                for w in range(len(rows)):
                    count += ones(rows[w] & problem.masks[slot, w] & problem.kinds[c, w])
                counts[c] = count
                n += count
            if n > 0:
                filled += 1
                uncertainties(counts, n, n_log_n, measured)
                fold(measured, n, impurity)
        if filled > 1:
            prefer(a, impurity, least, attribute)


@kernel
def charge(group, total, price, cost, costs):
    """Add a test, or (price below 0) a leaf whose path costs so much, to the trees of a group."""
    for h in range(N_HEURISTICS):
        if group >> np.uint64(h) & ONE:
            if price < 0:
                costs[h, 1] = max(costs[h, 1], cost)
                costs[h, 2] += 1
                costs[h, 4] += 1
            else:
                costs[h, 0] += total * price
                costs[h, 2] += price
                costs[h, 3] += price


@kernel(inline=True)
def next_step(control, until, log):
    """GROWING, or why no subtable is looked at now."""
    ending = GROWING
    if control.waiting == 0:
        ending = GROWN
    elif control.work >= until:
        ending = PAUSED
    elif len(log.attribute) > 0 and control.logged + N_HEURISTICS > len(log.attribute):
        ending = FULL
    return ending


@kernel(inline=True)
def write_test(attribute, group, above, value, log, control):
    """Write a test to the log, if one is kept; its entry."""
    entry = control.logged
    if len(log.attribute) > 0:
        log.attribute[entry], log.group[entry] = attribute, group
        log.above[entry], log.value[entry] = above, value
        control.logged += 1
    return entry


@kernel(inline=True)
def choosing(group, a, attribute):
    """The heuristics of a group that choose an attribute."""
    chosen = ZERO
    for h in range(N_HEURISTICS):
        if attribute[h] == a:
            chosen |= group & (ONE << np.uint64(h))
    return chosen


@kernel(inline=True)
def look_on(control, until, problem, per_value):
    """How many attributes have been looked at when the work is done; counts the work."""
    m = len(problem.price)
    while control.cursor < m and control.work < until:
        a = control.cursor
        control.work += (problem.first[a + 1] - problem.first[a]) * per_value
        control.cursor += 1
    return control.cursor


@kernel(inline=True)
def push_branches(rows, level, group, a, entry, problem, waiting, control):
    """Let the branches of an attribute wait."""
    for slot in range(problem.first[a], problem.first[a + 1]):
        some = ZERO
        at = control.waiting
        for w in range(len(rows)):
            word = rows[w] & problem.masks[slot, w]
            waiting.sets[at, w] = word
            some |= word
        if some != ZERO:
            waiting.level[at], waiting.group[at] = level + problem.price[a], group
            waiting.above[at], waiting.value[at] = entry, slot - problem.first[a]
            control.waiting += 1


@kernel
def greedy_trees(problem, n_log_n, waiting, room, log, costs, controls, until):
    """Fill (heuristics, costs): total path length, depth, nodes, nonterminal and terminal nodes.

    Until all trees are GROWN, the work is done (PAUSED), or the log is FULL.
    """
    control, rows, attribute = controls[0], room.rows, room.choice.attribute
    words, m = len(rows), len(problem.price)
    per_value = len(problem.kinds) * (words + PER_COUNT) // WORDS_A_UNIT + 1
    ending = next_step(control, until, log)
    while ending == GROWING:
        top = control.waiting - 1
        for w in range(words):
            rows[w] = waiting.sets[top, w]
        level, group = waiting.level[top], waiting.group[top]
        above, value = waiting.above[top], waiting.value[top]
        total, wrong = weigh(rows, problem, room.answered)
        if may_end(total, wrong, problem.slack):
            charge(group, total, np.int64(-1), level, costs)
            control.waiting = top
            control.work += len(problem.decisions) * words // WORDS_A_UNIT + 1
        else:
            begin = control.cursor
            end = look_on(control, until, problem, per_value)
            choose(rows, begin, end, problem, n_log_n, room.choice)
            if end == m:
                control.cursor, control.waiting = 0, top
                while group != ZERO:
                    a = attribute[lowest(group)]
                    chosen = choosing(group, a, attribute)
                    group &= ~chosen
                    charge(chosen, total, problem.price[a], level, costs)
                    entry = write_test(a, chosen, above, value, log, control)
                    push_branches(rows, level, chosen, a, entry, problem, waiting, control)
        ending = next_step(control, until, log)
    return ending
