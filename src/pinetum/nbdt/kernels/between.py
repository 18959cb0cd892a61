"""The tree of bounded depth that is best between the data and a prior: an exact branch and bound.

A leaf is worth the most that one decision gains from its mass, the cases in it plus what the prior
expects there. Worth adds up over the leaves. Nodes with two tests left are solved at once
(`pairs`), or with three where worth is a number of cases of two classes (`triples`); deeper ones by
trying the tests, by what they are worth at most (`bounds`).

The search goes down one path; `stack[level]` is where it stands at a node of it:

    ENTER    solve the node at once; with more tests left, bound and order them
    CHOOSE   the next test that may win      tried.order | . . . . ^ place . . . end
    FOLLOW   its next branch, or close it    tried.turn  | done done ^ at  .   smaller ones first
    LEAVE    hand the node's worth up        hoped       = worth + worth + hope + hope

A test is given up as soon as what its branches are hoped to be worth is no more than the best tree.
"""

import numpy as np

from pinetum.jit import kernel
from pinetum.kernels.arrays import greatest
from pinetum.nbdt.kernels.bounds import bound_alike, branch_of, node_worth
from pinetum.nbdt.kernels.bundles import NEVER, SLACK
from pinetum.nbdt.kernels.cases import copy_pairs, subtract_pairs
from pinetum.nbdt.kernels.nodes import (
    affordable,
    descend_cases,
    first_cases,
    first_prior,
    solve_node,
)
from pinetum.nbdt.kernels.pairs import gain_masses
from pinetum.nbdt.kernels.shares import descend_prior, loose_after

SPREAD = np.uint64(0x9E3779B97F4A7C15)
EXACT, UPPER = 1, 2  # what the store knows of a node
SOUGHT = -2  # a test that is to be found
ENDLESS = np.iinfo(np.int64).max
ENTER, CHOOSE, FOLLOW, LEAVE, ENDED = 0, 1, 2, 3, 4  # what a search does next


@kernel
def slot_of(key, store):
    mixed = np.uint64(key) * SPREAD
    return np.int64((mixed >> np.uint64(20)) & np.uint64(len(store.key) - 1))


@kernel
def key_of(path, length):
    """The branches of a path in rising order, 15 bits each.

    0 if they are too few or too many to be kept, or if one is taken twice: then what is left to
    spend does not follow from the set.
    """
    if length < 2 or length > 4:
        return 0
    key, below = 0, -1
    for _ in range(length):
        following = 1 << 20
        for i in range(length):
            if below < path[i] < following:
                following = path[i]
        if following == 1 << 20:
            return 0
        key = (key << 15) | (following + 1)
        below = following
    return key


@kernel(inline=True)
def keep(path, length, result, exact, store):
    """What the node at the end of a path is worth, or at most.

    A newcomer takes the place of an older one.
    """
    key = key_of(path, length)
    if key > 0:
        slot = slot_of(key, store)
        store.key[slot], store.value[slot] = key, result
        store.known[slot] = EXACT if exact else UPPER


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


@kernel(inline=True)
def solved_at_once(depth, problem):
    """Tests that a node may have left to be solved at once, in a tree of this depth."""
    return problem.at_once if depth >= problem.at_once else 2


@kernel(inline=True)
def solve_level(here, level, left, at_once, task, held, room, triples, value):
    """The best tree of at most `at_once` tests under a node: all of it, or a beginning."""
    tests = min(left, at_once)
    leaf = solve_node(tests, level, here.purse, here.enough, task, held, room, triples, value)
    here.end = affordable(task.tests.cost, here.purse, len(value)) if left > 0 else 0
    here.best, here.pick = max(here.floor, leaf), -1
    for t in range(here.end):
        if value[t] > here.best + SLACK * task.problem.scale:
            here.best, here.pick = value[t], t
    if level > 0 and left <= at_once:
        for t in range(here.end):
            here.best = max(here.best, value[t])


@kernel(inline=True)
def bound_level(here, level, left, task, held, room, reach):
    """What no tree under the node, and none that begins with a test, is worth more than."""
    literals, tests, problem = task.literals, task.tests, task.problem
    mass, table, width = held.mass[level], held.tables[level], len(literals.feature)
    top = 0.0
    for c in range(len(mass)):
        top += problem.data * table[c, width, width] * problem.best_gain[c]
    top += node_worth(left, mass, here.loose, held.cells[level], literals, task.prior, problem)
    here.top = top - problem.penalty
    for t in range(here.end):
        reach[t] = 0.0
        for branch in range(tests.start[t], tests.start[t + 1]):
            reach[t] += branch_of(branch, level, left - 1, here.loose, task, held, room)[0]


@kernel(inline=True)
def order_tests(here, level, value, order):
    """By falling value; at the root by number, so that of equal ones the lowest wins, but for the
    best so far.
    """
    if level > 0:
        falling(value, here.end, order)
    else:
        place = 0
        if here.pick >= 0:
            order[0], place = here.pick, 1
        for t in range(here.end):
            if t != here.pick:
                order[place] = t
                place += 1
    here.place, here.tested = -1, -1


@kernel(inline=True)
def needed_worth(here, test, level, slack):
    """Worth above which a test is taken; at the root, of equal ones, the lowest."""
    return here.best - slack if level == 0 and test < here.pick else here.best + slack


@kernel(inline=True)
def next_test(here, level, slack, order, reach):
    """The next test that may win, or -1."""
    found = -1
    while found < 0 and here.place + 1 < here.end:
        here.place += 1
        t = order[here.place]
        may_win = (level == 0 and t < here.pick) or here.best < here.top - slack
        if may_win and reach[t] > needed_worth(here, t, level, slack):
            found = t
    return found


@kernel(inline=True)
def open_test(here, level, length, below, task, desk, store):
    """What is known of the branches of the tested one.

    Smaller ones go first, since the largest is what they leave.
    """
    tests, tried, trail = task.tests, desk.tried, desk.trail
    hope, turn, size = tried.hope[level], tried.turn[level], tried.size[level]
    solved, slack = tried.solved[level], SLACK * task.problem.scale
    here.hoped, here.at, here.whole = 0.0, 0, 1
    first = tests.start[here.tested]
    for branch in range(first, tests.start[here.tested + 1]):
        i = branch - first
        most, least, size[i] = branch_of(
            branch, level, below, here.loose, task, desk.held, desk.room
        )
        solved[i] = 1 if most <= least + slack else 0
        hope[i] = least if solved[i] == 1 else most
        if solved[i] == 0:
            trail[length] = branch
            key = key_of(trail, length + 1)
            slot = slot_of(key, store) if key > 0 else 0
            if key > 0 and store.key[slot] == key:
                solved[i] = 1 if store.known[slot] == EXACT else 0
                hope[i] = min(most, store.value[slot])
        here.hoped += hope[i]
        k = i
        while k > 0 and size[turn[k - 1] - first] > size[i]:
            turn[k] = turn[k - 1]
            k -= 1
        turn[k] = branch


@kernel(inline=True)
def skip_solved(here, need, branches, first, turn, solved):
    """Pass over branches whose worth is known; False if there is none to be searched."""
    while here.at < branches and here.hoped > need and solved[turn[here.at] - first] == 1:
        here.whole = 0
        here.at += 1
    return here.at < branches and here.hoped > need


@kernel(inline=True)
def enter_branch(branch, level, last, keep_rows, paired, has_prior, task, desk):
    """Cases and prior of a branch one level down, and their pairs where these are needed.

    The pairs of the last branch are what the others leave.
    """
    tests, literals, held, room = task.tests, task.literals, desk.held, desk.room
    here, below = desk.stack[level], desk.stack[level + 1]
    tables, rest = held.tables, held.rest
    known = paired and here.whole == 1
    by_rest = known and last and here.at > 0
    if by_rest:
        copy_pairs(rest[level], tables[level + 1])
    count = paired and not by_rest
    below.listed = descend_cases(
        level, branch, keep_rows, count, task.cases, tests, here.listed, held, room
    )
    if known and not last:
        whole = tables[level] if here.at == 0 else rest[level]
        subtract_pairs(whole, tables[level + 1], rest[level])
    literal, negated = tests.literal[branch], tests.negated[branch]
    for c in range(held.counts.shape[1]):
        inside = tables[level, c, literal, literal]
        held.counts[level + 1, c] = held.counts[level, c] - inside if negated else inside
    if has_prior:
        below.loose = loose_after(here.loose, literal, negated, held.cells[level], literals)
        descend_prior(literal, negated, literals, held, room.prefix, level, level + 1)
    below.purse = here.purse - tests.cost[here.tested]


@kernel(inline=True)
def aim(here, below, need, hope, slack, searched):
    """What the branch must be worth to matter; it is enough to know that no tree does."""
    below.floor, below.enough = NEVER, hope - slack
    if searched:
        below.floor, below.enough = need - slack - (here.hoped - hope), -NEVER


@kernel(inline=True)
def close_test(here, need, branches):
    """Take the test that is tried if it won."""
    if here.hoped > need and here.at == branches:
        here.best, here.pick = max(here.best, here.hoped), here.tested


@kernel(inline=True)
def hand_up(now, stack, length, start, turn, hope, trail, store):
    """The worth of the node at hand, to the store and to the test above."""
    here, above = stack[now.level], stack[now.level - 1]
    exact = here.best > here.floor
    keep(trail, length + now.level, here.best, exact, store)
    now.level -= 1
    branch = turn[now.level, above.at]
    above.hoped += here.best - hope[now.level, branch - start[above.tested]]
    above.at += 1
    now.doing = FOLLOW
    if not exact:
        above.tested, now.doing = -1, CHOOSE


@kernel(inline=True)
def pause(now, root, length, order, reach):
    """What no tree is worth more than, where a search stops.

    One from the root can go on from there.
    """
    bound = max(root.best, root.hoped)
    for k in range(root.place + 1, root.end):
        bound = max(bound, reach[order[k]])
    now.bound, now.doing = min(bound, max(root.top, root.best)), ENDED
    now.paused = 1 if length == 0 else 0


@kernel(inline=True)
def begin(now, root, left, path, trail):
    """Start at the end of a path, or where a search from the root was paused."""
    if now.paused == 1 and len(path) == 0:
        now.doing = FOLLOW
    else:
        now.doing, now.level, now.work = ENTER, 0, 0
        for i in range(len(path)):
            trail[i] = path[i]
        root.purse, root.floor, root.enough = left, NEVER, -NEVER
    now.paused, now.bound = 0, 0.0


@kernel
def search_between(depth, left, path, task, desk, store, most_work):
    """Search the best tree with so many tests on a path under the node at the end of `path`, which
    is on level 0 of the desk already.

    Its worth and its test, -1 for a leaf, are then in stack[0]; now.work counts nodes solved at
    once. When it reaches `most_work`, they are the best so far, and no tree is worth more than
    now.bound; a search from the root goes on from there when it is called again.
    """
    literals, tests, problem = task.literals, task.tests, task.problem
    held, tried, room = desk.held, desk.tried, desk.room
    stack, trail, now = desk.stack, desk.trail, desk.now[0]
    start, length = tests.start, len(path)
    slack, at_once = SLACK * problem.scale, solved_at_once(depth, problem)
    effort = len(tests.cost) if at_once == 3 else 1  # in nodes with two tests left
    has_prior = greatest(task.prior.mass) > 0.0
    begin(now, stack[0], left, path, trail)
    while now.doing != ENDED:
        level = now.level
        here, below = stack[level], depth - level - 1  # tests that a branch may still have
        if now.doing == ENTER:
            value, reach = tried.value[level], tried.reach[level]
            solve_level(here, level, below + 1, at_once, task, held, room, desk.triples, value)
            now.work += effort
            now.doing = LEAVE
            if below >= at_once:
                bound_level(here, level, below + 1, task, held, room, reach)
                order_tests(here, level, value, tried.order[level])
                now.doing = CHOOSE
        elif now.doing == CHOOSE:
            here.tested = next_test(here, level, slack, tried.order[level], tried.reach[level])
            now.doing = LEAVE
            if here.tested >= 0:
                open_test(here, level, length + level, below, task, desk, store)
                now.doing = FOLLOW
        elif now.doing == FOLLOW:
            need, first = needed_worth(here, here.tested, level, slack), start[here.tested]
            branches, turn = start[here.tested + 1] - first, tried.turn[level]
            if not skip_solved(here, need, branches, first, turn, tried.solved[level]):
                close_test(here, need, branches)
                if branches == 2 and problem.least <= 0.0:  # else a leaf may be refused
                    table, mass, share = held.tables[level], held.mass[level], held.share[level]
                    test, worth, reach = here.tested, here.hoped, tried.reach[level]
                    bound_alike(test, worth, literals, tests, problem, table, mass, share, reach)
                here.tested, now.doing = -1, CHOOSE
            elif now.work >= most_work:
                pause(now, stack[0], length, tried.order[0], tried.reach[0])
            else:
                branch, last = turn[here.at], here.at == branches - 1
                paired = below > at_once or at_once == 2
                enter_branch(branch, level, last, below > 2, paired, has_prior, task, desk)
                hope = tried.hope[level, branch - first]
                aim(here, stack[level + 1], need, hope, slack, below > at_once)
                trail[length + level] = branch
                now.level, now.doing = level + 1, ENTER
        elif level > 0:
            hand_up(now, stack, length, start, tried.turn, tried.hope, trail, store)
        else:
            now.doing, now.bound = ENDED, here.best


@kernel(inline=True)
def path_to(node, nodes, path):
    """Write the branches to a node at the end of `path`; where they begin."""
    first = len(path)
    while nodes.parent[node] >= 0:
        first -= 1
        path[first] = nodes.branch[node]
        node = nodes.parent[node]
    return first


@kernel(inline=True)
def weigh_and_label(node, problem, counts, mass, nodes, worth, scratch):
    """Mass, cases and label of the node on level 0; of equal labels that of the parent."""
    for c in range(len(worth)):
        nodes.counts[node, c] = counts[c]
        worth[c] = problem.data * counts[c] + mass[c]
        nodes.mass[node, c] = worth[c]
    if not problem.plain:
        gain_masses(worth, problem.gain, scratch)
    best = greatest(worth) - SLACK * problem.scale
    chosen = nodes.label[nodes.parent[node]] if nodes.parent[node] >= 0 else -1
    if chosen < 0 or worth[chosen] < best:
        chosen = 0
        while worth[chosen] < best:
            chosen += 1
    nodes.label[node] = chosen


@kernel
def grow_between(depth, left, root, task, desk, store, most_work, nodes):
    """Fill `nodes` in preorder, with a search at every node.

    (nodes, worth, test of the root, bound, work): no nodes if the work did not do, -1 if there is
    no room for them. `root` is the test of the root, or `SOUGHT`.
    """
    tests, problem, stack, now = task.tests, task.problem, desk.stack, desk.now[0]
    test, parent = nodes.test, nodes.parent
    held, room = desk.held, desk.room
    purse, path = np.empty(len(test), np.float64), np.empty(depth, np.int64)
    worth = np.empty(len(task.prior.mass), np.float64)
    waiting = np.empty((depth * desk.tried.hope.shape[1] + 1, 2), np.int64)
    waiting[0, 0] = waiting[0, 1] = -1
    top, node = 1, 0
    value, bound, work, later = NEVER, -NEVER, np.int64(0), most_work
    missing = root == SOUGHT  # the test of the root, which the search for the whole tree gives
    while top > 0:
        if node == len(test):
            node, top = -1, 0
            continue
        top -= 1
        above = waiting[top, 0]
        parent[node], nodes.branch[node] = above, waiting[top, 1]
        purse[node] = left if above < 0 else purse[above] - tests.cost[test[above]]
        below = path_to(node, nodes, path)  # tests that may follow
        here = path[below:]
        searched, at_once = missing or 0 < below < depth, solved_at_once(below, problem)
        if not (missing and now.paused == 1):
            paired = searched and (below > at_once or at_once < 3)
            stack[0].listed = first_cases(here, searched, paired, task.cases, tests, held, room)
            first_prior(here, task.prior, task.literals, tests, held, room.prefix, stack[0])
        test[node] = root if below == depth else -1
        if searched:
            search_between(below, purse[node], here, task, desk, store, later)
            test[node] = stack[0].pick
        if missing:
            value, root, bound = stack[0].best, test[0], now.bound
            work, later, missing = now.work, ENDLESS, False
            if work >= most_work and bound > value:
                node, top = 0, 0
                continue
        weigh_and_label(node, problem, held.counts[0], held.mass[0], nodes, worth, room.part)
        if test[node] >= 0:
            for branch in range(tests.start[test[node] + 1] - 1, tests.start[test[node]] - 1, -1):
                waiting[top, 0], waiting[top, 1] = node, branch
                top += 1
        node += 1
    return node, value, root, bound, work
