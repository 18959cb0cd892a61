"""Three tests on a path and more: bounds of both sides of every cut of the first test.

A set whose best tree costs E bounds others: one that holds all of it costs as much, one that misses
some of it at most their worst cost less. So every side that is solved raises the bounds of both
sides of many cuts (`raise_bounds`). The next cut to be solved is the middle of the longest run of
cuts that may still be much better than the best tree; first come the best cuts, by one test less,
of the eight best columns. Nothing is left when no cut's two bounds come to less than the best tree.
"""

import numpy as np

from pinetum.jit import kernel
from pinetum.optimal.kernels.bundles import NEVER
from pinetum.optimal.kernels.pairs import code_of
from pinetum.optimal.kernels.sets import distance, index

FIRST = 8  # columns whose best cuts go first
# Updates of a column in a row that ended less than this share of its cuts, after which it is left
# alone.
IDLE, LITTLE = 5, 0.02


@kernel
def begin_tests(task, sets, stack, tables, now):
    """One test more: bounds of all cuts from the best tree of one test less."""
    level, here = now.level, stack[now.level]
    here.tests += 1
    here.turn = 0
    for f in range(sets.many.shape[1]):
        left, right = tables.left[level, f], tables.right[level, f]
        for k in range(sets.many[level, f]):
            before = distance(sets.cuts[level, f], sets.reach[level, f], task.rules[0].weighted, k)
            left[k] = max(0.0, here.low - (here.most - before))
            right[k] = max(0.0, here.low - before)
        tables.idle[level, f] = 0
        note_least(level, f, sets.many[level, f], task.price[f], tables)
        at = f
        while at > 0 and tables.best[level, tables.turn[level, at - 1]] > tables.best[level, f]:
            tables.turn[level, at] = tables.turn[level, at - 1]
            at -= 1
        tables.turn[level, at] = f
    for f in range(sets.many.shape[1]):
        tables.first_cut[level, f] = (
            tables.best_cut[level, f] if tables.best[level, f] < NEVER else np.int64(-1)
        )
        tables.best[level, f] = NEVER


@kernel
def note_least(level, column, many, price, tables):
    """The least bound of a column."""
    left, right = tables.left[level, column], tables.right[level, column]
    least = NEVER
    for k in range(many):
        least = min(least, left[index(k)] + right[index(k)])
    tables.least[level, column] = least + price


@kernel
def least_bound(level, stack, tables):
    """No tree of the level costs less, as far as is known."""
    low = stack[level].value
    for f in range(tables.least.shape[1]):
        low = min(low, tables.least[level, f])
    return low


@kernel
def longest_run(left, right, many, price, most):
    """Length and middle of the longest run of cuts whose bounds come to no more."""
    longest, middle, first = 0, 0, 0
    for k in range(many + 1):
        if k < many and left[index(k)] + right[index(k)] + price <= most:
            continue
        if k - first > longest:
            longest, middle = k - first, (first + k) // 2
        first = k + 1
    return longest, middle


@kernel
def choose_cut(task, sets, stack, tables, now):
    """The next cut to be solved; false if none can be better."""
    level, here, slack = now.level, stack[now.level], task.rules[0].slack
    enough = here.value - slack
    while here.turn < min(FIRST, tables.turn.shape[1]):
        f = tables.turn[level, here.turn]
        here.turn += 1
        k = tables.first_cut[level, f]
        if k >= 0 and tables.left[level, f, k] + tables.right[level, f, k] + task.price[f] < enough:
            here.column, here.cut = f, k
            return True
    low = least_bound(level, stack, tables)
    if not low < enough:
        return False
    most, longest = low + (enough - low) / 2, 0
    for f in range(tables.least.shape[1]):
        if tables.least[level, f] <= most:
            run, middle = longest_run(
                tables.left[level, f],
                tables.right[level, f],
                sets.many[level, f],
                task.price[f],
                most,
            )
            now.work += sets.many[level, f]
            if run > longest:
                longest, here.column, here.cut = run, f, middle
    return True


@kernel
def raise_column(order, cuts, place, weight, whole, low, left, right, enough):
    """Bounds of a column's cuts from a set that costs `low`; how many cuts they ended.

    `place` tells the set's cases, `whole` what they cost when all are wrong; `weight` has one place
    where all cases cost 1.
    """
    weighted, ended, inside, i = len(weight) > 1, 0, 0.0, 0
    for k in range(len(cuts)):
        while i < cuts[index(k)]:
            x = index(order[index(i)])
            if place[x] >= 0:
                inside += weight[x] if weighted else 1.0
            i += 1
        before = left[index(k)] + right[index(k)]
        if before < enough:
            left[index(k)] = max(left[index(k)], low - (whole - inside))
            right[index(k)] = max(right[index(k)], low - inside)
            ended += left[index(k)] + right[index(k)] >= enough
    return ended


@kernel
def raise_bounds(low, whole, task, sets, stack, tables, now):
    """What the side of the cut that was solved says of all other sides."""
    level, here, rules = now.level, stack[now.level], task.rules[0]
    for f in range(sets.many.shape[1]):
        many = sets.many[level, f]
        if many == 0 or (f != here.column and tables.idle[level, f] >= IDLE):
            continue
        if not tables.least[level, f] < here.value - rules.slack:
            continue
        ended = raise_column(
            sets.order[level, f],
            sets.cuts[level, f, :many],
            sets.place[level],
            sets.weight[level],
            whole,
            low,
            tables.left[level, f],
            tables.right[level, f],
            here.value - rules.slack - task.price[f],
        )
        tables.idle[level, f] = 0 if ended >= LITTLE * many else tables.idle[level, f] + 1
        note_least(level, f, many, task.price[f], tables)
        now.work += here.cases


@kernel
def take_side(value, low, whole, task, sets, stack, tables, plan, now):
    """A side of the cut is solved; true if the other one is to be solved next.

    That is solved even where the cut has lost by the first: the worse a cut is, the more it says of
    others.
    """
    level, here = now.level, stack[now.level]
    f, k = here.column, here.cut
    price = task.price[f]
    raise_bounds(low, whole, task, sets, stack, tables, now)
    if not here.second:
        here.first_value, here.first_low, here.second = value, low, True
        here.left = not here.left
        plan.kept[0, level] = plan.column[level + 1]
        plan.kept[1, level] = plan.code[level + 1]
        return True
    both = here.first_low + low + price
    here.low = min(here.low, both)
    if both < tables.best[level, f]:
        tables.best[level, f], tables.best_cut[level, f] = both, k
    if here.first_value + value + price < here.value - task.rules[0].slack:
        here.value = here.first_value + value + price
        keep_plan(level, f, sets.cuts[level, f, k], here.left, task, sets, plan)
    tables.left[level, f, k] = NEVER  # it is not tried again
    note_least(level, f, sets.many[level, f], price, tables)
    return False


@kernel
def keep_plan(level, column, cut, left, task, sets, plan):
    """The best tree is this cut over the trees of both sides; `left` was solved last."""
    plan.column[level, 1] = column
    plan.code[level, 1] = code_of(level, column, cut, task, sets)
    first = 1
    while 4 * first <= plan.column.shape[1]:
        for h in range(first, 2 * first):
            last, other = (h + first, h + 2 * first) if left else (h + 2 * first, h + first)
            plan.column[level, last] = plan.column[level + 1, h]
            plan.code[level, last] = plan.code[level + 1, h]
            plan.column[level, other] = plan.kept[0, level, h]
            plan.code[level, other] = plan.kept[1, level, h]
        first *= 2
