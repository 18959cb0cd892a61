"""The tree of bounded depth that is best between the data and a prior: an exact branch and bound.

A leaf is worth the most that one decision gains from its mass, the cases in it plus what the prior expects there.
Worth adds up over the leaves. Nodes with two tests left are solved at once (`pairs`), deeper ones by trying the tests.
What a subtree is worth at most: every case that some tree can classify rightly is, and the prior earns its own best.
A test that sends few cases elsewhere than one that was tried is worth little more.
"""

from typing import NamedTuple

import numpy as np

from pinetum.jit import kernel
from pinetum.nbdt.kernels.pairs import (
    NEVER,
    PACKING,
    all_counts,
    all_leads,
    best_of_many_ways,
    best_of_two_way,
    blend_pairs,
    copy_pairs,
    count_pairs,
    fill_prefix,
    gain_masses,
    join_leads,
    joint_share,
    leaf_worth,
    ones,
    pack_cases,
    select_cases,
    subtract_pairs,
    weigh_pairs,
)

SLACK = 1e-12  # relative to the worth of the root: two trees this close are equal, and the lower test goes first
SOUGHT = -2  # a test that is to be found
ENDLESS = np.iinfo(np.int64).max
EXACT, UPPER = 1, 2  # what the store knows of a node
NONE, SEVERAL = -1, -2  # tested features with more than one value left, where it is not one
LOOSE = 7  # line of `Desk.whole` that holds it
SPREAD = np.uint64(0x9E3779B97F4A7C15)


class Literals(NamedTuple):
    """Sets of values that tests are made of; those of a feature stand together."""

    feature: np.ndarray  # int64 (literals,)
    feature_end: np.ndarray  # int64 (features,): after the last literal of each
    cell_start: np.ndarray  # int64 (features + 1,): where the values of each feature begin in `cells`
    holds: np.ndarray  # bool (literals, most values)
    low: np.ndarray  # int64 (literals,): it holds the values from here; -1 if they do not follow one another
    high: np.ndarray  # int64 (literals,): up to here, which it does not hold


class Tests(NamedTuple):
    """What may be asked, by rising cost. A branch takes the cases inside (or outside) a literal."""

    start: np.ndarray  # int64 (tests + 1,): branches of each test
    literal: np.ndarray  # int64 (branches,)
    negated: np.ndarray  # bool (branches,)
    cost: np.ndarray  # float64 (tests,)
    two_way: bool  # test t is literal t against the rest; else a branch for each of its literals


class Cases(NamedTuple):
    """The training cases, as bits or, where they have weights, one by one."""

    rows: np.ndarray  # uint64 (words, places): literals, and those that some tree can classify rightly
    class_words: np.ndarray  # int64 (classes + 1,)
    mask: np.ndarray  # uint64 (words,)
    holds: np.ndarray  # uint8 (cases, places)
    labels: np.ndarray  # int64 (cases,)
    weight: np.ndarray  # float64 (cases,)
    weighted: bool


class Prior(NamedTuple):
    """Mass and shares at the root."""

    mass: np.ndarray  # float64 (classes,)
    cells: np.ndarray  # float64 (classes, values of all features)
    relaxed: np.ndarray  # float64 (tests + 1, points): bound on its worth per unit of mass, or nothing


class Problem(NamedTuple):
    """What a tree is worth."""

    data: float  # weight of a case
    counted: bool  # what a tree is worth without a prior is a number of cases
    gain: np.ndarray  # float64 (classes, decisions)
    plain: bool  # a right answer gains 1, a wrong one nothing
    best_gain: np.ndarray  # float64 (classes,)
    worst_gain: np.ndarray  # float64 (classes,)
    lead: np.ndarray  # float64 (classes,): of two decisions, what the second gains more than the first
    both: np.ndarray  # float64 (classes,): what both gain
    least: float  # cases that a leaf needs unless it has none
    penalty: float  # per leaf
    scale: float  # what sums are measured by


class Store(NamedTuple):
    """Solved nodes by the set of branches that lead to them; a newcomer takes the place of an older one."""

    key: np.ndarray
    known: np.ndarray
    value: np.ndarray


class Desk(NamedTuple):
    """Room to work in, allocated once per problem; the first axis is the level of a node where there is one.

    Lines have places for all literals and one more, to a whole number of blocks: see `pairs`.
    """

    rows: np.ndarray  # uint64 (levels, words, places): cases of a node, packed
    class_words: np.ndarray  # int64 (levels, classes + 1)
    mask: np.ndarray  # uint64 (levels, words)
    chosen: np.ndarray  # uint64 (words,)
    count: np.ndarray  # uint64 (places,)
    narrow: np.ndarray  # as the tables (5, places)
    listed: np.ndarray  # int64 (levels, cases): cases of a node where they have weights
    tables: np.ndarray  # int32, of weights float64 (levels, classes, literals + 1, places)
    rest: np.ndarray  # the same: a node less the branches that are done
    counts: np.ndarray  # float64 (levels, classes): weight of cases
    node_mass: np.ndarray  # float64 (levels, classes): mass of the prior
    cells: np.ndarray  # float64 (levels, classes, values): its shares
    share: np.ndarray  # float64 (levels, classes, places)
    mass: np.ndarray  # float64 (1 for leads, else classes + 1, literals, places)
    lines: np.ndarray  # float64 (6, places or more)
    single: np.ndarray  # float64 (classes + 1, literals)
    total: np.ndarray  # float64 (classes + 1,)
    part: np.ndarray  # float64 (classes,)
    prefix: np.ndarray  # float64 (classes, values and features)
    value: np.ndarray  # float64 (levels, tests): best tree of two tests on a path that begins with a test
    reach: np.ndarray  # float64 (levels, tests): what any tree that begins with it is worth at most
    hope: np.ndarray  # float64 (levels, most branches): the same for the branches of the test that is tried
    size: np.ndarray  # float64 (levels, most branches)
    order: np.ndarray  # int64 (levels, tests)
    turn: np.ndarray  # int64 (levels, most branches): smaller branches first
    solved: np.ndarray  # int64 (levels, most branches)
    afford: np.ndarray  # int64 (tests,)
    trail: np.ndarray  # int64 (2 * levels + 4,): branches to the node
    reals: np.ndarray  # float64 (5, levels)
    whole: np.ndarray  # int64 (8, levels)


@kernel
def slot_of(key, store):
    mixed = np.uint64(key) * SPREAD
    return np.int64((mixed >> np.uint64(20)) & np.uint64(len(store.key) - 1))


@kernel
def key_of(path, length):
    """The branches of a path in rising order, 15 bits each; 0 if they are too few or too many to be kept."""
    if length < 2 or length > 4:
        return 0
    key, below = 0, -1
    for _ in range(length):
        following = 1 << 20
        for i in range(length):
            if below < path[i] < following:
                following = path[i]
        if following == 1 << 20:  # a branch is taken twice: what is left to spend does not follow from the set
            return 0
        key = (key << 15) | (following + 1)
        below = following
    return key


@kernel
def fill_shares(cells, share, feature, start, literals, prefix):
    """Shares of the literals of one feature, from `start`, for one class."""
    fill_prefix(cells, feature, literals, prefix)
    for literal in range(start, literals.feature_end[feature]):
        share[literal] = joint_share(literal, literal, cells, literals, prefix)


@kernel
def descend_prior(literal, negated, literals, desk, level, to):
    """Prior mass and shares on a branch, from one level to another (or the same)."""
    cells, share = desk.cells[level], desk.share[level]
    to_cells, to_share = desk.cells[to], desk.share[to]
    feature = literals.feature[literal]
    first, last = literals.cell_start[feature], literals.cell_start[feature + 1]
    start = literals.feature_end[feature - 1] if feature > 0 else 0
    desk.whole[LOOSE, to] = loose_after(desk.whole[LOOSE, level], literal, negated, cells, literals)
    for c in range(cells.shape[0]):
        part = 0.0
        for cell in range(first, last):
            if literals.holds[literal, cell - first] != negated:
                part += cells[c, cell]
        desk.node_mass[to, c] = desk.node_mass[level, c] * part
        if to != level:
            for cell in range(cells.shape[1]):
                to_cells[c, cell] = cells[c, cell]
            for other in range(share.shape[1]):
                to_share[c, other] = share[c, other]
        for cell in range(first, last):
            stays = literals.holds[literal, cell - first] != negated
            to_cells[c, cell] = to_cells[c, cell] / part if stays and part > 0.0 else 0.0
        fill_shares(to_cells[c], to_share[c], feature, start, literals, desk.prefix[c])


@kernel
def relaxed_worth(tests, mass, prior, problem):
    """The most that the prior can be worth under a node, if tested features have all their values or one left."""
    if prior.relaxed.shape[1] < 2:
        total = 0.0
        for c in range(len(mass)):
            total += mass[c] * problem.best_gain[c]
        return total
    return line_worth(prior.relaxed[tests], mass[0], mass[1])


@kernel
def line_worth(line, minus, plus):
    """The line at the share of the second class, times both masses."""
    whole = minus + plus
    if whole <= 0.0:
        return 0.0
    x = plus / whole * (len(line) - 1)
    point = min(int(x), len(line) - 2)
    x -= point
    return whole * (line[point] + x * (line[point + 1] - line[point]))


@kernel
def loose_after(loose, literal, negated, cells, literals):
    """Which tested feature has several values left behind a branch: `NONE`, one, or `SEVERAL`."""
    own, left = literals.feature[literal], 0
    first = literals.cell_start[own]
    for cell in range(first, literals.cell_start[own + 1]):
        if literals.holds[literal, cell - first] != negated:
            for c in range(len(cells)):
                if cells[c, cell] > 0.0:
                    left += 1
                    break
    if loose in (NONE, own):
        return own if left > 1 else NONE
    return SEVERAL if left > 1 else loose


@kernel
def worth_by_value(line, mass, feature, literal, negated, cells, literals):
    """The most that the prior is worth if a feature's value were known, over its values on a branch (-1: all)."""
    worth, first = 0.0, literals.cell_start[feature]
    for cell in range(first, literals.cell_start[feature + 1]):
        if literal < 0 or literals.holds[literal, cell - first] != negated:
            worth += line_worth(line, mass[0] * cells[0, cell], mass[1] * cells[1, cell])
    return worth


@kernel
def branch_worth(line, mass, inside, literal, negated, loose, cells, literals):
    """The most that the prior is worth on a branch of a node with this mass, of which so much is `inside`.

    The line knows no feature of which some values are left: with one such feature each value is looked at alone.
    """
    left, own = loose_after(loose, literal, negated, cells, literals), literals.feature[literal]
    if left == NONE:
        return line_worth(line, inside[0], inside[1])
    if left == SEVERAL:
        return inside[0] + inside[1]
    if left != own:
        return worth_by_value(line, inside, left, -1, False, cells, literals)
    return worth_by_value(line, mass, left, literal, negated, cells, literals)


@kernel
def node_worth(tests, mass, loose, cells, literals, prior, problem):
    """The most that the prior is worth under a node."""
    if prior.relaxed.shape[1] < 2 or loose == NONE:
        return relaxed_worth(tests, mass, prior, problem)
    if loose == SEVERAL:
        return mass[0] + mass[1]
    return worth_by_value(prior.relaxed[tests], mass, loose, -1, False, cells, literals)


@kernel
def affordable(cost, left, count):
    """The number of tests, cheapest first, that cost no more than is left."""
    while count > 0 and cost[count - 1] > left:
        count -= 1
    return count


@kernel(inline=True)
def fill_afford(cost, left, end, afford):
    """afford[t]: the number of tests, cheapest first, that can follow test t."""
    count = end
    for t in range(end):
        while count > 0 and cost[count - 1] > left - cost[t]:
            count -= 1
        afford[t] = count


@kernel
def solve_node(depth, level, left, literals, tests, problem, desk):
    """Worth of a leaf; value[t] becomes that of the best tree of so many tests, one or two, that begins with t."""
    table, counts, node_mass = desk.tables[level], desk.counts[level], desk.node_mass[level]
    cells, share, value = desk.cells[level], desk.share[level], desk.value[level]
    mass, lines, single, total, afford = desk.mass, desk.lines, desk.single, desk.total, desk.afford
    classes, width = len(node_mass), len(literals.feature)
    leads = len(mass) == 1
    planes, penalty, has_prior = 1 if leads else classes, problem.penalty, False
    lead, both = 0.0, 0.0
    total[classes] = 0.0
    for c in range(classes):
        total[c] = problem.data * counts[c] + node_mass[c]
        total[classes] += counts[c]
        has_prior = has_prior or node_mass[c] > 0.0
        if leads:
            lead += problem.lead[c] * total[c]
            both += problem.both[c] * total[c]
    if not problem.plain:
        gain_masses(total[:classes], problem.gain, lines[0, :classes])
    leaf = leaf_worth(total, classes, problem.least, penalty)
    end = affordable(tests.cost, left, len(tests.cost)) if depth > 0 else 0
    fill_afford(tests.cost, left, end, afford)
    if has_prior:
        for c in range(classes):
            for feature in range(len(literals.feature_end)):
                fill_prefix(cells[c], feature, literals, desk.prefix[c])
    if leads:
        penalty *= 2
        for a in range(width):
            single[0, a] = 0.0
            for c in range(classes):
                single[0, a] += problem.lead[c] * (problem.data * table[c, a, a] + node_mass[c] * share[c, a])
    if leads and tests.two_way:
        last = end if depth > 1 else 0
        if problem.counted and not has_prior:
            place_leads(single[0], width, lead, desk.narrow)
            all_counts(table, afford, last, width, desk.narrow)
            join_leads(desk.narrow, end, penalty, value)
        else:
            place_leads(single[0], width, lead, lines)
            if last > 0:
                blend_pairs(table, node_mass, share, cells, literals, problem, mass, desk.prefix)
            all_leads(mass, afford, last, lines)
            join_leads(lines, end, penalty, value)
    else:
        if depth > 1 or not leads:
            blend_pairs(table, node_mass, share, cells, literals, problem, mass, desk.prefix)
        for c in range(0 if leads else classes + (problem.least > 0.0)):
            for a in range(width):
                single[c, a] = mass[c, a, a]
        if leads:
            total[0], total[1] = lead, 0.0
        own, masses, least = single[: planes + 1], total[: planes + 1], problem.least
        if tests.two_way:
            best_of_two_way(depth, mass, own, masses, afford, end, least, penalty, lines, value)
        else:
            best_of_many_ways(depth, mass, own, masses, tests.start, afford, end, least, penalty, lines, value)
    if leads:
        for t in range(end):
            value[t] = (both + value[t]) / 2
    for t in range(end, len(tests.cost)):
        value[t] = NEVER
    return leaf


@kernel
def place_leads(alone, width, lead, lines):
    """Line 2: the leads of literals alone; line 3 begins with that of the node; lines 0 and 1: no test yet."""
    for a in range(lines.shape[1]):
        lines[0, a] = lines[1, a] = lines[2, a] = 0
    for a in range(width):
        lines[2, a] = alone[a]
    lines[3, 0] = lead


@kernel
def branch_of(branch, level, depth, literals, tests, problem, prior, desk):
    """Most and least that a branch with so many tests below is worth, and its weight of cases."""
    table, counts, node_mass, share = desk.tables[level], desk.counts[level], desk.node_mass[level], desk.share[level]
    part, total = desk.part, desk.total
    literal, negated = tests.literal[branch], tests.negated[branch]
    classes, width = len(node_mass), table.shape[1] - 1
    most = 0.0
    total[classes] = 0.0
    for c in range(classes):
        part[c] = table[c, literal, literal]
        free = table[c, literal, width]
        total[c] = node_mass[c] * share[c, literal]
        if negated:
            part[c] = counts[c] - part[c]
            free = table[c, width, width] - free
            total[c] = node_mass[c] - total[c]
        most += problem.data * free * problem.best_gain[c]
        total[classes] += part[c]
    if prior.relaxed.shape[1] < 2:
        most += relaxed_worth(depth, total[:classes], prior, problem)
    else:
        loose, line = desk.whole[LOOSE, level], prior.relaxed[depth]
        most += branch_worth(line, node_mass, total, literal, negated, loose, desk.cells[level], literals)
    most -= problem.penalty
    for c in range(classes):
        total[c] += problem.data * part[c]
    if not problem.plain:
        gain_masses(total[:classes], problem.gain, desk.lines[0, :classes])
    return most, leaf_worth(total, classes, problem.least, problem.penalty), total[classes]


@kernel(inline=True)
def bound_alike(test, worth, level, literals, tests, problem, desk):
    """Lower `reach` of the other tests of a feature by what a tree that begins with this one is worth at most.

    All have two branches. A tree under the other test is a tree under this one too, but for the cases that the two
    send apart: moved, each gains at most the difference between its best and its worst decision.
    """
    table, mass, share = desk.tables[level], desk.node_mass[level], desk.share[level]
    own = tests.literal[tests.start[test]]
    for step in (-1, 1):
        other = test + step
        while 0 <= other < len(tests.cost) and tests.start[other + 1] - tests.start[other] == 2:
            literal = tests.literal[tests.start[other]]
            if literals.feature[literal] != literals.feature[own]:
                break
            nested = literals.low[own] >= 0 and literals.low[own] == literals.low[literal]
            moved = worth
            for c in range(len(mass)):
                both = table[c, min(own, literal), max(own, literal)]
                apart = problem.data * (table[c, own, own] + table[c, literal, literal] - 2 * both)
                if nested:
                    apart += mass[c] * abs(share[c, own] - share[c, literal])
                else:
                    apart += mass[c] * (share[c, own] + share[c, literal])
                moved += apart * (problem.best_gain[c] - problem.worst_gain[c])
            desk.reach[level, other] = min(desk.reach[level, other], moved)
            other += step


@kernel
def falling(value, end, order):
    """Tests by falling value, equal ones as they come: by merging runs."""
    other = np.empty(end, np.int64)
    for t in range(end):
        order[t] = t
    run = 1
    while run < end:
        for begin in range(0, end, 2 * run):
            i, middle = begin, min(begin + run, end)
            j, last = middle, min(begin + 2 * run, end)
            for k in range(begin, last):
                if j >= last or (i < middle and value[order[i]] >= value[order[j]]):
                    other[k] = order[i]
                    i += 1
                else:
                    other[k] = order[j]
                    j += 1
        for t in range(end):
            order[t] = other[t]
        run *= 2


@kernel
def first_node(cases, path, pairs, tests, desk):
    """The cases at the end of a path, into level 0, with their `pairs` or not; their number where they are listed."""
    rows, class_words, mask, chosen, counts = desk.rows, desk.class_words, desk.mask, desk.chosen, desk.counts
    n = np.int64(0)
    for c in range(counts.shape[1]):
        counts[0, c] = 0.0
    if cases.weighted:
        for case in range(len(cases.labels)):
            stays = True
            for branch in path:
                stays = stays and (cases.holds[case, tests.literal[branch]] == 1) != tests.negated[branch]
            if stays:
                desk.listed[0, n] = case
                n += 1
                counts[0, cases.labels[case]] += cases.weight[case]
        if pairs:
            weigh_pairs(cases.holds, cases.labels, cases.weight, desk.listed[0], n, desk.tables[0])
        return n
    for word in range(len(cases.mask)):
        chosen[word] = cases.mask[word]
    for branch in path:
        select_cases(cases.rows, len(chosen), chosen, tests.literal[branch], tests.negated[branch], chosen)
    for c in range(counts.shape[1]):
        for word in range(cases.class_words[c], cases.class_words[c + 1]):
            counts[0, c] += np.float64(ones(chosen[word]))
    if pairs and len(path) > 0:
        pack_cases(cases.rows, cases.class_words, chosen, rows[0], class_words[0], mask[0])
    elif pairs:
        rows[0], class_words[0], mask[0] = cases.rows, cases.class_words, cases.mask
    if pairs:
        count_pairs(rows[0], class_words[0], mask[0], desk.tables[0], desk.count)
    return n


@kernel
def enter_node(path, pairs, cases, prior, literals, tests, desk):
    """Cases and prior at the end of a path, into level 0; the number of listed cases, and whether there is a prior."""
    has_prior = False
    for c in range(len(prior.mass)):
        desk.node_mass[0, c] = prior.mass[c]
        has_prior = has_prior or prior.mass[c] > 0.0
        for cell in range(prior.cells.shape[1]):
            desk.cells[0, c, cell] = prior.cells[c, cell]
    if has_prior:
        for feature in range(len(literals.feature_end)):
            start = literals.feature_end[feature - 1] if feature > 0 else 0
            for c in range(len(prior.mass)):
                fill_shares(desk.cells[0, c], desk.share[0, c], feature, start, literals, desk.prefix[c])
    desk.whole[LOOSE, 0] = NONE
    for branch in path:
        if has_prior:
            descend_prior(tests.literal[branch], tests.negated[branch], literals, desk, np.int64(0), np.int64(0))
    return first_node(cases, path, pairs, tests, desk), has_prior


@kernel
def descend_cases(level, branch, keep, needed, cases, tests, n_cases, desk):
    """Cases of a branch one level down if `keep`, their pairs in the table if `needed`; their number in the list."""
    rows, class_words, mask, chosen = desk.rows, desk.class_words, desk.mask, desk.chosen
    listed, table, count = desk.listed, desk.tables[level + 1], desk.count
    literal, negated = tests.literal[branch], tests.negated[branch]
    if cases.weighted:
        n = np.int64(0)
        for i in range(n_cases):
            case = listed[level, i]
            if (cases.holds[case, literal] == 1) != negated:
                listed[level + 1, n] = case
                n += 1
        if needed:
            weigh_pairs(cases.holds, cases.labels, cases.weight, listed[level + 1], n, table)
        return n
    if not keep and not needed:
        return np.int64(0)
    classes = class_words.shape[1] - 1
    words = class_words[level, classes]
    n = select_cases(rows[level], words, mask[level], literal, negated, chosen)
    if keep or n < PACKING * len(count) * (64 * words - n):
        pack_cases(rows[level], class_words[level], chosen, rows[level + 1], class_words[level + 1], mask[level + 1])
        if needed:
            count_pairs(rows[level + 1], class_words[level + 1], mask[level + 1], table, count)
    elif needed:
        count_pairs(rows[level], class_words[level], chosen, table, count)
    return n


@kernel
def search_blend(depth, left, path, desk, cases, prior, literals, tests, problem, store, most_work):
    """(value, test, bound, work) of the best tree with so many tests on a path under the node at the end of `path`.

    Test -1 is a leaf. `work` counts nodes solved at once; when it reaches `most_work`, value is the best so far and
    bound what no tree exceeds.
    """
    classes, width, n_tests = len(prior.mass), len(literals.feature), len(tests.cost)
    slack = SLACK * problem.scale
    tables, rest, counts = desk.tables, desk.rest, desk.counts
    value, reach, order, hope, turn = desk.value, desk.reach, desk.order, desk.hope, desk.turn
    solved, trail, size = desk.solved, desk.trail, desk.size
    purse, floor, top, best, hoped = desk.reals[0], desk.reals[1], desk.reals[2], desk.reals[3], desk.reals[4]
    n_cases, end, pick, tested = desk.whole[0], desk.whole[1], desk.whole[2], desk.whole[3]
    place, at, whole = desk.whole[4], desk.whole[5], desk.whole[6]  # whole: is `rest` the table less what is done?
    n_cases[0], has_prior = enter_node(path, True, cases, prior, literals, tests, desk)
    for i in range(len(path)):
        trail[i] = path[i]
    purse[0], floor[0] = left, NEVER
    work, level = np.int64(0), np.int64(0)
    entering = True
    while True:
        below = depth - level - 1  # tests that a branch may still have
        if entering:
            entering = False
            table = tables[level]
            leaf = solve_node(min(depth - level, 2), level, purse[level], literals, tests, problem, desk)
            work += 1
            end[level] = affordable(tests.cost, purse[level], n_tests) if depth > 0 else 0
            best[level], pick[level] = max(floor[level], leaf), -1
            for t in range(end[level]):
                if value[level, t] > best[level] + slack:
                    best[level], pick[level] = value[level, t], t
            if below < 2:
                return best[level], pick[level], best[level], work
            top[level] = 0.0
            for c in range(classes):
                top[level] += problem.data * table[c, width, width] * problem.best_gain[c]
            loose, mass = desk.whole[LOOSE, level], desk.node_mass[level]
            top[level] += node_worth(depth - level, mass, loose, desk.cells[level], literals, prior, problem)
            top[level] -= problem.penalty
            for t in range(end[level]):
                reach[level, t] = 0.0
                for branch in range(tests.start[t], tests.start[t + 1]):
                    most, least, _ = branch_of(branch, level, below, literals, tests, problem, prior, desk)
                    reach[level, t] += most
            if level > 0:
                falling(value[level], end[level], order[level])
            else:
                k = 0
                if pick[0] >= 0:
                    order[0, 0] = pick[0]
                    k = 1
                for t in range(end[0]):
                    if t != pick[0]:
                        order[0, k] = t
                        k += 1
            place[level], tested[level] = -1, -1
        ceiling = top[level]
        if tested[level] < 0:  # the next test that may win
            found = -1
            while place[level] + 1 < end[level]:
                place[level] += 1
                t = order[level, place[level]]
                earlier = level == 0 and t < pick[0]
                need = best[level] - slack if earlier else best[level] + slack
                if best[level] >= ceiling - slack and not earlier:
                    continue
                if reach[level, t] > need:
                    found = t
                    break
            if found < 0:  # the node is done
                if level == 0:
                    return best[0], pick[0], best[0], work
                exact = best[level] > floor[level]
                result = best[level]
                level -= 1
                below += 1
                branch = turn[level, at[level]]
                key = key_of(trail, len(path) + level + 1)
                if key > 0:
                    slot = slot_of(key, store)
                    store.key[slot], store.value[slot] = key, result
                    store.known[slot] = EXACT if exact else UPPER
                i = branch - tests.start[tested[level]]
                hoped[level] += result - hope[level, i]
                at[level] += 1
                if not exact:
                    tested[level] = -1
                    continue
            else:
                tested[level] = found
                hoped[level] = 0.0
                at[level] = 0
                whole[level] = 1
                first = tests.start[found]
                for branch in range(first, tests.start[found + 1]):
                    i = branch - first
                    most, least, size[level, i] = branch_of(branch, level, below, literals, tests, problem, prior, desk)
                    solved[level, i] = 1 if most <= least + slack else 0
                    hope[level, i] = least if solved[level, i] == 1 else most
                    if solved[level, i] == 0:
                        trail[len(path) + level] = branch
                        key = key_of(trail, len(path) + level + 1)
                        slot = slot_of(key, store) if key > 0 else 0
                        if key > 0 and store.key[slot] == key:
                            solved[level, i] = 1 if store.known[slot] == EXACT else 0
                            hope[level, i] = min(most, store.value[slot])
                    hoped[level] += hope[level, i]
                    k = i  # smaller branches first: the largest is what they leave
                    while k > 0 and size[level, turn[level, k - 1] - first] > size[level, i]:
                        turn[level, k] = turn[level, k - 1]
                        k -= 1
                    turn[level, k] = branch
        t = tested[level]
        earlier = level == 0 and t < pick[0]
        need = best[level] - slack if earlier else best[level] + slack
        first, branches = tests.start[t], tests.start[t + 1] - tests.start[t]
        while at[level] < branches and hoped[level] > need:
            branch = turn[level, at[level]]
            i = branch - first
            if solved[level, i] == 1:
                whole[level] = 0
                at[level] += 1
                continue
            if work >= most_work:
                bound = max(best[0], hoped[0])
                for k in range(place[0] + 1, end[0]):
                    bound = max(bound, reach[0, order[0, k]])
                return best[0], pick[0], min(bound, max(top[0], best[0])), work
            done = whole[level] == 1 and at[level] > 0 and at[level] == branches - 1
            if done:
                copy_pairs(rest[level], tables[level + 1])
            n_cases[level + 1] = descend_cases(level, branch, below > 2, not done, cases, tests, n_cases[level], desk)
            if whole[level] == 1 and at[level] < branches - 1:
                subtract_pairs(tables[level] if at[level] == 0 else rest[level], tables[level + 1], rest[level])
            literal, negated = tests.literal[branch], tests.negated[branch]
            for c in range(classes):
                inside = tables[level, c, literal, literal]
                counts[level + 1, c] = counts[level, c] - inside if negated else inside
            if has_prior:
                descend_prior(literal, negated, literals, desk, level, level + 1)
            purse[level + 1] = purse[level] - tests.cost[t]
            trail[len(path) + level] = branch
            if below > 2:
                floor[level + 1] = need - (hoped[level] - hope[level, i])
                level += 1
                entering = True
                break
            result = solve_node(min(below, 2), level + 1, purse[level + 1], literals, tests, problem, desk)
            work += 1
            for k in range(affordable(tests.cost, purse[level + 1], n_tests)):
                result = max(result, value[level + 1, k])
            key = key_of(trail, len(path) + level + 1)
            if key > 0:
                slot = slot_of(key, store)
                store.key[slot], store.value[slot], store.known[slot] = key, result, EXACT
            hoped[level] += result - hope[level, i]
            at[level] += 1
        if entering:
            continue
        if hoped[level] > need and at[level] == branches:
            best[level], pick[level] = max(best[level], hoped[level]), t
        if branches == 2 and problem.least <= 0.0:  # else a leaf may be refused for the cases that it lacks
            bound_alike(t, hoped[level], level, literals, tests, problem, desk)
        tested[level] = -1


@kernel
def grow_blend(depth, left, root, desk, cases, prior, literals, tests, problem, store, most_work, tree, mass, counts):
    """Fill tree[0..3] with test, parent, branch and label of every node in preorder.

    (nodes, worth, test of the root, bound, work): no nodes if the work did not do, -1 if there is no room for them.
    `root` is the test of the root, or `SOUGHT`. mass[node] and counts[node] are per class. A label is that of the
    parent where this is as good as any.
    """
    classes, near = len(prior.mass), SLACK * problem.scale
    test, parent, branch, label = tree[0], tree[1], tree[2], tree[3]
    purse, path = np.empty(len(test), np.float64), np.empty(depth, np.int64)
    worth = np.empty(classes, np.float64)
    waiting = np.empty((depth * desk.hope.shape[1] + 1, 2), np.int64)
    waiting[0, 0] = waiting[0, 1] = -1
    top, node = 1, 0
    value, bound, work, later = NEVER, -NEVER, np.int64(0), most_work
    if root == SOUGHT:
        value, root, bound, work = search_blend(
            depth, left, path[:0], desk, cases, prior, literals, tests, problem, store, most_work
        )
        if work >= most_work and bound > value:
            return 0, value, root, bound, work
        later = ENDLESS
    while top > 0:
        if node == len(test):
            return -1, value, root, bound, work
        top -= 1
        up, step = waiting[top, 0], waiting[top, 1]
        parent[node], branch[node] = up, step
        purse[node] = left if up < 0 else purse[up] - tests.cost[test[up]]
        first = depth
        while up >= 0:
            first -= 1
            path[first] = step
            up, step = parent[up], branch[up]
        here, below = path[first:], first
        test[node] = root if first == depth else -1
        if 0 < below < depth:
            test[node] = search_blend(
                below, purse[node], here, desk, cases, prior, literals, tests, problem, store, later
            )[1]
        else:
            enter_node(here, False, cases, prior, literals, tests, desk)
        for c in range(classes):
            counts[node, c] = desk.counts[0, c]
            mass[node, c] = worth[c] = problem.data * desk.counts[0, c] + desk.node_mass[0, c]
        if not problem.plain:
            gain_masses(worth, problem.gain, desk.part)
        best = worth.max() - near
        chosen = label[parent[node]] if parent[node] >= 0 else -1
        if chosen < 0 or worth[chosen] < best:
            chosen = 0
            while worth[chosen] < best:
                chosen += 1
        label[node] = chosen
        if test[node] >= 0:
            for way in range(tests.start[test[node] + 1] - 1, tests.start[test[node]] - 1, -1):
                waiting[top, 0], waiting[top, 1] = node, way
                top += 1
        node += 1
    return node, value, root, bound, work
