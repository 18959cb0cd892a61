"""Nodes: the cases and the prior at one, and all trees under it that are so small that they are
tried at once.

A table has the weight of the cases in every pair of literals (`cases`). With the prior's mass and
shares it becomes masses (`pairs`), and these the worth of all trees of two tests. There are four
ways, by what a tree is worth:

    three tests left, a number of cases of two classes      `best_of_three`, from the rows
    two decisions, tests of two branches   a number         `all_counts`, from the table
                                           any worth        `all_leads`, from the masses
    anything else                                           `best_of_two_way`, `best_of_many_ways`
"""

import numpy as np

from pinetum.jit import kernel
from pinetum.kernels.words import ones
from pinetum.nbdt.kernels.bundles import NEVER
from pinetum.nbdt.kernels.cases import (
    PACKING,
    count_pairs,
    pack_cases,
    select_cases,
    weigh_pairs,
)
from pinetum.nbdt.kernels.pairs import (
    all_counts,
    all_leads,
    best_of_many_ways,
    best_of_two_way,
    gain_masses,
    join_leads,
    leaf_worth,
    place_leads,
    put_prior,
)
from pinetum.nbdt.kernels.shares import NONE, descend_prior, fill_prefix, fill_shares, loose_after
from pinetum.nbdt.kernels.triples import best_of_three


@kernel
def copy_cases(cases, rows, class_words, mask):
    for word in range(len(cases.mask)):
        mask[word] = cases.mask[word]
        for place in range(rows.shape[1]):
            rows[word, place] = cases.rows[word, place]
    for c in range(len(class_words)):
        class_words[c] = cases.class_words[c]


@kernel(inline=True)
def first_cases(path, keep, needed, cases, tests, held, room):
    """As `descend_cases`, from the root to the end of a path, into level 0."""
    rows, class_words, mask = held.rows[0], held.class_words[0], held.mask[0]
    chosen, counts, listed = room.chosen, held.counts[0], held.listed[0]
    n = np.int64(0)
    for c in range(len(counts)):
        counts[c] = 0.0
    if cases.weighted:
        for case in range(len(cases.labels)):
            stays = True
            for branch in path:
                inside = cases.holds[case, tests.literal[branch]] == 1
                stays = stays and inside != tests.negated[branch]
            if stays:
                listed[n] = case
                n += 1
                counts[cases.labels[case]] += cases.weight[case]
        if needed:
            weigh_pairs(cases.holds, cases.labels, cases.weight, listed, n, held.tables[0])
    else:
        for word in range(len(cases.mask)):
            chosen[word] = cases.mask[word]
        for branch in path:
            literal, negated = tests.literal[branch], tests.negated[branch]
            select_cases(cases.rows, len(chosen), chosen, literal, negated, chosen)
        for c in range(len(counts)):
            for word in range(cases.class_words[c], cases.class_words[c + 1]):
                counts[c] += np.float64(ones(chosen[word]))
        if keep and len(path) > 0:
            pack_cases(cases.rows, cases.class_words, chosen, rows, class_words, mask)
        elif keep:
            copy_cases(cases, rows, class_words, mask)
        if needed:
            count_pairs(rows, class_words, mask, held.tables[0], room.count)
    return n


@kernel(inline=True)
def first_prior(path, prior, literals, tests, held, prefix, here):
    """The prior at the end of a path, into level 0, whose record is `here`."""
    has_prior = False
    for c in range(len(prior.mass)):
        held.mass[0, c] = prior.mass[c]
        has_prior = has_prior or prior.mass[c] > 0.0
        for cell in range(prior.cells.shape[1]):
            held.cells[0, c, cell] = prior.cells[c, cell]
    here.loose = NONE
    if has_prior:
        for feature in range(len(literals.feature_end)):
            start = literals.feature_end[feature - 1] if feature > 0 else 0
            for c in range(len(prior.mass)):
                cells, share = held.cells[0, c], held.share[0, c]
                fill_shares(cells, share, feature, start, literals, prefix[c])
        for branch in path:
            literal, negated = tests.literal[branch], tests.negated[branch]
            here.loose = loose_after(here.loose, literal, negated, held.cells[0], literals)
            descend_prior(literal, negated, literals, held, prefix, np.int64(0), np.int64(0))


@kernel
def descend_cases(level, branch, keep, needed, cases, tests, n_cases, held, room):
    """Cases of a branch one level down if `keep`, their pairs in the table if `needed`.

    Their number in the list.
    """
    rows, class_words, mask = held.rows, held.class_words, held.mask
    listed, table, below = held.listed, held.tables[level + 1], level + 1
    chosen, count = room.chosen, room.count
    literal, negated = tests.literal[branch], tests.negated[branch]
    n = np.int64(0)
    if cases.weighted:
        for i in range(n_cases):
            case = listed[level, i]
            if (cases.holds[case, literal] == 1) != negated:
                listed[below, n] = case
                n += 1
        if needed:
            weigh_pairs(cases.holds, cases.labels, cases.weight, listed[below], n, table)
    elif keep or needed:
        words = class_words[level, class_words.shape[1] - 1]
        n = select_cases(rows[level], words, mask[level], literal, negated, chosen)
        if keep or n < PACKING * len(count) * (64 * words - n):
            target = class_words[below]
            pack_cases(rows[level], class_words[level], chosen, rows[below], target, mask[below])
            if needed:
                count_pairs(rows[below], target, mask[below], table, count)
        else:
            count_pairs(rows[level], class_words[level], chosen, table, count)
    return n


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


@kernel(inline=True)
def weigh_node(counts, mass, problem, total, line):
    """Mass per class and number of cases into `total`.

    The lead, what both decisions gain, whether there is a prior.
    """
    classes, has_prior, lead, both = len(mass), False, 0.0, 0.0
    total[classes] = 0.0
    for c in range(classes):
        total[c] = problem.data * counts[c] + mass[c]
        total[classes] += counts[c]
        has_prior = has_prior or mass[c] > 0.0
        if classes == 2:
            lead += problem.lead[c] * total[c]
            both += problem.both[c] * total[c]
    if not problem.plain:
        gain_masses(total[:classes], problem.gain, line[:classes])
    return lead, both, has_prior


@kernel(inline=True)
def weigh_literals(table, mass, share, problem, leads):
    """The lead of every literal alone."""
    for a in range(table.shape[1] - 1):
        leads[a] = 0.0
        for c in range(len(mass)):
            leads[a] += problem.lead[c] * (problem.data * table[c, a, a] + mass[c] * share[c, a])


@kernel(inline=True)
def solve_leads(level, end, last, lead, penalty, counted, task, held, room, value):
    """Tests of two branches and two decisions: twice the worth of each, less what both decisions
    gain.
    """
    table, width = held.tables[level], len(task.literals.feature)
    if counted:
        place_leads(room.single[0], width, lead, room.narrow)
        all_counts(table, room.afford, last, width, room.narrow)
        join_leads(room.narrow, end, penalty, value)
    else:
        place_leads(room.single[0], width, lead, room.lines)
        if last > 0:
            put_prior(level, table, task, held, room)
        all_leads(room.mass, room.afford, last, room.lines)
        join_leads(room.lines, end, penalty, value)


@kernel(inline=True)
def solve_masses(depth, level, end, lead, penalty, task, held, room, value):
    """The same for any number of branches and decisions.

    Of more than two decisions the worth itself.
    """
    tests, least, mass = task.tests, task.problem.least, room.mass
    single, total, lines = room.single, room.total, room.lines
    classes, leads = held.mass.shape[1], len(mass) == 1
    planes = 1 if leads else classes
    if depth > 1 or not leads:
        put_prior(level, held.tables[level], task, held, room)
    if leads:
        total[0], total[1] = lead, 0.0
    else:
        for c in range(classes + (least > 0.0)):
            for a in range(mass.shape[1]):
                single[c, a] = mass[c, a, a]
    own, masses, afford = single[: planes + 1], total[: planes + 1], room.afford[:end]
    if tests.two_way:
        best_of_two_way(depth, mass, own, masses, afford, least, penalty, lines, value)
    else:
        start = tests.start
        best_of_many_ways(depth, mass, own, masses, start, afford, least, penalty, lines, value)


@kernel
def solve_node(depth, level, left, enough, task, held, room, triples, value):
    """Worth of a leaf; value[t] becomes that of the best tree of so many tests, one to three, that
    begins with t.

    Of three tests no better tree is looked for than one that is worth `enough`. Of two decisions a
    leaf is worth the half of what both gain and of its absolute lead. The first half adds up to the
    same in every tree, so twice the worth without it is searched, for twice the penalty.
    """
    literals, tests, problem = task.literals, task.tests, task.problem
    mass, total, single = held.mass[level], room.total, room.single
    classes, leads, penalty = len(mass), len(room.mass) == 1, problem.penalty
    lead, both, has_prior = weigh_node(held.counts[level], mass, problem, total, room.lines[0])
    leaf = leaf_worth(total, classes, problem.least, penalty)
    end = affordable(tests.cost, left, len(tests.cost)) if depth > 0 else 0
    fill_afford(tests.cost, left, end, room.afford)
    if has_prior:
        for c in range(classes):
            for feature in range(len(literals.feature_end)):
                fill_prefix(held.cells[level, c], feature, literals, room.prefix[c])
    if leads:
        penalty *= 2
        if depth < 3:
            weigh_literals(held.tables[level], mass, held.share[level], problem, single[0])
    if depth == 3:
        rows, class_words = held.rows[level], held.class_words[level]
        goal = np.int32(lead), penalty, 2 * enough - both
        best_of_three(rows, class_words, len(literals.feature), goal, triples, room.lines, value)
    elif leads and tests.two_way:
        last, counted = end if depth > 1 else 0, problem.counted and not has_prior
        solve_leads(level, end, last, lead, penalty, counted, task, held, room, value)
    else:
        solve_masses(depth, level, end, lead, penalty, task, held, room, value)
    if leads:
        for t in range(end):
            value[t] = (both + value[t]) / 2
    for t in range(end, len(tests.cost)):
        value[t] = NEVER
    return leaf
