"""The best small tree of all cases: level over level of sides of cuts, until the work is done.

A search can be stopped after any step and goes on where it stood.
"""

import numpy as np

from pinetum.jit import kernel
from pinetum.optimal.kernels.deeper import begin_tests, choose_cut, least_bound, take_side
from pinetum.optimal.kernels.pairs import begin_pairs, bound_pairs, judge_batch
from pinetum.optimal.kernels.sets import fill_reach, index, list_cuts, part, sort_column

BEGIN, PAIRS, CHOOSE, SIDE, SOLVED, DONE = range(6)


@kernel
def make_sets(task, values, count, sets):
    """The set of level 0: all cases; `values` is the number of codes of each column."""
    weighted, cases = task.rules[0].weighted, task.codes.shape[1]
    for f in range(task.codes.shape[0]):
        order, change = sets.order[0, f], sets.change[0, f]
        sort_column(task.codes[f], order, change, count[: values[f] + 1])
        order[cases : cases + 4] = cases
        sets.many[0, f] = list_cuts(change, cases, sets.cuts[0, f])
        if weighted:
            fill_reach(order, sets.weight[0], sets.cuts[0, f], sets.many[0, f], sets.reach[0, f])


@kernel
def search(until, task, sets, lanes, queue, stack, tables, plan, standing):
    """Go on until so much work is done in all, or the search is."""
    now = standing[0]
    while now.doing != DONE and now.work < until:
        here = stack[now.level]
        if now.doing == BEGIN:
            here.tests = 2
            begin_pairs(task, sets, lanes, queue, stack, tables, plan, now)
            now.doing = PAIRS
        elif now.doing == PAIRS:
            if judge_batch(task, sets, lanes, queue, stack, tables, plan, now):
                now.doing = end_tests(task, sets, stack, tables, now)
        elif now.doing == CHOOSE:
            if choose_cut(task, sets, stack, tables, now):
                cuts = sets.cuts[now.level, here.column, here.cut]
                here.left, here.second = 2 * cuts >= here.cases, False
                now.doing = SIDE
            else:
                here.low = min(here.low, here.value)
                now.doing = end_tests(task, sets, stack, tables, now)
        elif now.doing == SIDE:
            go_down(task, sets, stack, now)
            now.doing = BEGIN
        else:
            now.level -= 1
            side = stack[now.level + 1]
            again = take_side(side.value, side.low, side.most, task, sets, stack, tables, plan, now)
            now.doing = SIDE if again else CHOOSE


@kernel
def end_tests(task, sets, stack, tables, now):
    """What comes after a level is solved for its present number of tests."""
    here = stack[now.level]
    if here.tests < here.target and here.value > task.rules[0].penalty + task.rules[0].slack:
        begin_tests(task, sets, stack, tables, now)
        return CHOOSE
    return DONE if now.level == 0 else SOLVED


@kernel
def go_down(task, sets, stack, now):
    """The side of the cut that is to be solved becomes the next level's set."""
    level, here, below = now.level, stack[now.level], stack[now.level + 1]
    cut = sets.cuts[level, here.column, here.cut]
    below.cases = part(level, here.cases, here.column, cut, here.left, sets, task.rules[0].weighted)
    below.target = here.tests - 1
    now.work += here.cases * sets.many.shape[1]
    now.level += 1


@kernel
def bound(task, queue, stack, tables, standing):
    """No tree costs less."""
    here, now = stack[0], standing[0]
    if now.doing == DONE:
        return here.value
    if (now.doing == BEGIN and now.level == 0) or here.tests < here.target:
        return min(here.value, task.rules[0].penalty)
    if here.tests == 2:
        return bound_pairs(task, queue, stack, now)
    return least_bound(0, stack, tables)


@kernel
def sum_sets(node, case, gain, most, weight, sums):
    """By set: gains by decision, what its cases cost at most, their weight."""
    d = gain.shape[1]
    for x in range(len(node)):
        v = node[x]
        if v >= 0:
            for k in range(d):
                sums[v, k] += weight[x] * gain[case[x], k]
            sums[v, d] += weight[x] * most[case[x]]
            sums[v, d + 1] += weight[x]


@kernel
def best_stumps(sets, node, case, gain, most, weight, price, rules, found):
    """The best single test, or none, of disjoint sets of cases.

    node     int64 (cases,): the set of each case, -1 for none
    case     int64 (cases,): its class
    gain     float64 (classes, decisions): of a case of weight 1; `most` what it costs at most
    found    float64 (sets, 3): cost, column (-1: a leaf), the last place of the left side
    """
    d, cases, count = gain.shape[1], len(node), len(found)
    penalty, least, slack = rules[0].penalty, rules[0].least, rules[0].slack
    sums, below = np.zeros((count, d + 2)), np.zeros((count, d + 1))
    last = np.zeros(count, np.int64)
    sum_sets(node, case, gain, most, weight, sums)
    for v in range(count):
        one = 0.0
        for k in range(d):
            one = max(one, sums[v, k])
        found[v, 0], found[v, 1], found[v, 2] = sums[v, d] - one + penalty, -1, -1
    for f in range(sets.order.shape[1]):
        if sets.many[0, f] == 0:
            continue
        order, change = sets.order[0, f], sets.change[0, f]
        below[:] = 0.0
        last[:] = -1
        begun = 0
        for i in range(cases):
            if change[i]:
                begun = i
            x = index(order[i])
            v, c = node[x], case[x]
            if v < 0:
                continue
            if 0 <= last[v] < begun:
                one, other = 0.0, 0.0
                for k in range(d):
                    one = max(one, below[v, k])
                    other = max(other, sums[v, k] - below[v, k])
                cost = sums[v, d] - one - other + 2 * penalty + price[f]
                large = min(below[v, d], sums[v, d + 1] - below[v, d]) >= least
                if large and cost < found[v, 0] - slack:
                    found[v, 0], found[v, 1], found[v, 2] = cost, f, last[v]
            for k in range(d):
                below[v, k] += weight[x] * gain[c, k]
            below[v, d] += weight[x]
            last[v] = i
