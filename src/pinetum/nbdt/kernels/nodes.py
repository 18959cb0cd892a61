"""Nodes: the cases and the prior at one, and all trees under it that are so small that they are
tried at once.
"""

import numpy as np

from pinetum.jit import kernel
from pinetum.nbdt.kernels.bundles import NEVER
from pinetum.nbdt.kernels.cases import (
    PACKING,
    count_pairs,
    ones,
    pack_cases,
    select_cases,
    weigh_pairs,
)
from pinetum.nbdt.kernels.pairs import (
    all_counts,
    all_leads,
    best_of_many_ways,
    best_of_two_way,
    blend_pairs,
    gain_masses,
    join_leads,
    leaf_worth,
    place_leads,
)
from pinetum.nbdt.kernels.shares import NONE, descend_prior, fill_prefix, fill_shares
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
def first_node(cases, path, keep, needed, tests, desk):
    """As `descend_cases`, from the root to the end of a path, into level 0."""
    rows, class_words, mask = desk.rows, desk.class_words, desk.mask
    chosen, counts = desk.chosen, desk.counts
    n = np.int64(0)
    for c in range(counts.shape[1]):
        counts[0, c] = 0.0
    if cases.weighted:
        for case in range(len(cases.labels)):
            stays = True
            for branch in path:
                stays = (
                    stays
                    and (cases.holds[case, tests.literal[branch]] == 1) != tests.negated[branch]
                )
            if stays:
                desk.listed[0, n] = case
                n += 1
                counts[0, cases.labels[case]] += cases.weight[case]
        if needed:
            weigh_pairs(cases.holds, cases.labels, cases.weight, desk.listed[0], n, desk.tables[0])
        return n
    for word in range(len(cases.mask)):
        chosen[word] = cases.mask[word]
    for branch in path:
        select_cases(
            cases.rows, len(chosen), chosen, tests.literal[branch], tests.negated[branch], chosen
        )
    for c in range(counts.shape[1]):
        for word in range(cases.class_words[c], cases.class_words[c + 1]):
            counts[0, c] += np.float64(ones(chosen[word]))
    if keep and len(path) > 0:
        pack_cases(cases.rows, cases.class_words, chosen, rows[0], class_words[0], mask[0])
    elif keep:
        copy_cases(cases, rows[0], class_words[0], mask[0])
    if needed:
        count_pairs(rows[0], class_words[0], mask[0], desk.tables[0], desk.count)
    return n


@kernel(inline=True)
def enter_node(path, keep, needed, cases, prior, literals, tests, desk):
    """Cases and prior at the end of a path, into level 0; the number of listed cases."""
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
                fill_shares(
                    desk.cells[0, c], desk.share[0, c], feature, start, literals, desk.prefix[c]
                )
    desk.stack[0].loose = NONE
    for branch in path:
        if has_prior:
            descend_prior(
                tests.literal[branch],
                tests.negated[branch],
                literals,
                desk,
                np.int64(0),
                np.int64(0),
            )
    return first_node(cases, path, keep, needed, tests, desk)


@kernel
def descend_cases(level, branch, keep, needed, cases, tests, n_cases, desk):
    """Cases of a branch one level down if `keep`, their pairs in the table if `needed`.

    Their number in the list.
    """
    rows, class_words = desk.rows, desk.class_words
    mask, chosen = desk.mask, desk.chosen
    listed, table, count = desk.listed, desk.tables[level + 1], desk.count
    literal, negated = tests.literal[branch], tests.negated[branch]
    n = np.int64(0)
    if cases.weighted:
        for i in range(n_cases):
            case = listed[level, i]
            if (cases.holds[case, literal] == 1) != negated:
                listed[level + 1, n] = case
                n += 1
        if needed:
            weigh_pairs(cases.holds, cases.labels, cases.weight, listed[level + 1], n, table)
    elif keep or needed:
        classes = class_words.shape[1] - 1
        words = class_words[level, classes]
        n = select_cases(rows[level], words, mask[level], literal, negated, chosen)
        below = level + 1
        if keep or n < PACKING * len(count) * (64 * words - n):
            pack_cases(
                rows[level],
                class_words[level],
                chosen,
                rows[below],
                class_words[below],
                mask[below],
            )
            if needed:
                count_pairs(rows[below], class_words[below], mask[below], table, count)
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
def weigh_node(level, problem, desk):
    """Mass per class and number of cases into `total`.

    The lead, what both decisions gain, whether there is a prior.
    """
    counts, node_mass, total = desk.counts[level], desk.node_mass[level], desk.total
    classes, leads, has_prior = len(node_mass), len(desk.mass) == 1, False
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
        gain_masses(total[:classes], problem.gain, desk.lines[0, :classes])
    return lead, both, has_prior


@kernel(inline=True)
def solve_leads(depth, level, end, lead, penalty, has_prior, literals, problem, desk):
    """Tests of two branches and two decisions: twice the worth of each, less what both decisions
    gain.
    """
    table, node_mass, share = desk.tables[level], desk.node_mass[level], desk.share[level]
    value, afford, width = desk.value[level], desk.afford, len(literals.feature)
    last = end if depth > 1 else 0
    if problem.counted and not has_prior:
        place_leads(desk.single[0], width, lead, desk.narrow)
        all_counts(table, afford, last, width, desk.narrow)
        join_leads(desk.narrow, end, penalty, value)
    else:
        place_leads(desk.single[0], width, lead, desk.lines)
        if last > 0:
            blend_pairs(
                table,
                node_mass,
                share,
                desk.cells[level],
                literals,
                problem,
                desk.mass,
                desk.prefix,
            )
        all_leads(desk.mass, afford, last, desk.lines)
        join_leads(desk.lines, end, penalty, value)


@kernel(inline=True)
def solve_masses(depth, level, end, lead, penalty, literals, tests, problem, desk):
    """The same for any number of branches and decisions.

    Of more than two decisions the worth itself.
    """
    table, node_mass, share = desk.tables[level], desk.node_mass[level], desk.share[level]
    mass, single, total = desk.mass, desk.single, desk.total
    lines, value = desk.lines, desk.value[level]
    classes, width = len(node_mass), len(literals.feature)
    leads, least = len(desk.mass) == 1, problem.least
    planes = 1 if leads else classes
    if depth > 1 or not leads:
        blend_pairs(
            table, node_mass, share, desk.cells[level], literals, problem, mass, desk.prefix
        )
    for c in range(0 if leads else classes + (least > 0.0)):
        for a in range(width):
            single[c, a] = mass[c, a, a]
    if leads:
        total[0], total[1] = lead, 0.0
    own, masses = single[: planes + 1], total[: planes + 1]
    if tests.two_way:
        best_of_two_way(depth, mass, own, masses, desk.afford, end, least, penalty, lines, value)
    else:
        best_of_many_ways(
            depth, mass, own, masses, tests.start, desk.afford, end, least, penalty, lines, value
        )


@kernel
def solve_node(depth, level, left, enough, literals, tests, problem, desk):
    """Worth of a leaf; value[t] becomes that of the best tree of so many tests, one to three, that
    begins with t.

    Of three tests no better tree is looked for than one that is worth `enough`.
    """
    table, node_mass, share = desk.tables[level], desk.node_mass[level], desk.share[level]
    single, value, width = desk.single, desk.value[level], len(literals.feature)
    classes, leads, penalty = len(node_mass), len(desk.mass) == 1, problem.penalty
    lead, both, has_prior = weigh_node(level, problem, desk)
    leaf = leaf_worth(desk.total, classes, problem.least, penalty)
    end = affordable(tests.cost, left, len(tests.cost)) if depth > 0 else 0
    fill_afford(tests.cost, left, end, desk.afford)
    if has_prior:
        for c in range(classes):
            for feature in range(len(literals.feature_end)):
                fill_prefix(desk.cells[level, c], feature, literals, desk.prefix[c])
    if leads:
        penalty *= 2
        for a in range(width if depth < 3 else 0):
            single[0, a] = 0.0
            for c in range(classes):
                single[0, a] += problem.lead[c] * (
                    problem.data * table[c, a, a] + node_mass[c] * share[c, a]
                )
    if depth == 3:
        best_of_three(
            desk.rows[level],
            desk.class_words[level],
            width,
            np.int32(lead),
            penalty,
            2 * enough - both,
            desk.triples,
            desk.lines,
            value,
        )
    elif leads and tests.two_way:
        solve_leads(depth, level, end, lead, penalty, has_prior, literals, problem, desk)
    else:
        solve_masses(depth, level, end, lead, penalty, literals, tests, problem, desk)
    if leads:
        for t in range(end):
            value[t] = (both + value[t]) / 2
    for t in range(end, len(tests.cost)):
        value[t] = NEVER
    return leaf
