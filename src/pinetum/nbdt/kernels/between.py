"""The tree of bounded depth that is best between the data and a prior: an exact branch and bound.

A leaf is worth the most that one decision gains from its mass, the cases in it plus what the prior
expects there. Worth adds up over the leaves. Nodes with two tests left are solved at once
(`pairs`), or with three where worth is a number of cases of two classes (`triples`); deeper ones by
trying the tests, by what they are worth at most (`bounds`).
"""

import numpy as np

from pinetum.jit import kernel
from pinetum.kernels.arrays import greatest
from pinetum.nbdt.kernels.bounds import bound_alike, branch_of, node_worth
from pinetum.nbdt.kernels.bundles import NEVER, SLACK
from pinetum.nbdt.kernels.cases import copy_pairs, subtract_pairs
from pinetum.nbdt.kernels.nodes import affordable, descend_cases, enter_node, solve_node
from pinetum.nbdt.kernels.pairs import gain_masses
from pinetum.nbdt.kernels.shares import descend_prior

SOUGHT = -2  # a test that is to be found
ENDLESS = np.iinfo(np.int64).max
SPREAD = np.uint64(0x9E3779B97F4A7C15)
EXACT, UPPER = 1, 2  # what the store knows of a node


@kernel
def slot_of(key, store):
    mixed = np.uint64(key) * SPREAD
    return np.int64((mixed >> np.uint64(20)) & np.uint64(len(store.key) - 1))


@kernel
def key_of(path, length):
    """The branches of a path in rising order, 15 bits each.

    0 if they are too few or too many to be kept.
    """
    if length < 2 or length > 4:
        return 0
    key, below = 0, -1
    for _ in range(length):
        following = 1 << 20
        for i in range(length):
            if below < path[i] < following:
                following = path[i]
        if (
            following == 1 << 20
        ):  # a branch is taken twice: what is left to spend does not follow from the set
            return 0
        key = (key << 15) | (following + 1)
        below = following
    return key


@kernel(inline=True)
def keep(path, length, result, exact, store):
    """What the node at the end of a path is worth, or at most."""
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
def open_node(depth, level, at_once, literals, tests, problem, prior, desk):
    """Solve a node at once, for its best tree so far.

    Where it has more tests left, bound and order them.
    """
    stack, value = desk.stack, desk.value[level]
    order, n_tests = desk.order[level], len(tests.cost)
    slack, left, width = SLACK * problem.scale, depth - level, len(literals.feature)
    purse, enough = stack[level].purse, stack[level].enough
    leaf = solve_node(min(left, at_once), level, purse, enough, literals, tests, problem, desk)
    end = affordable(tests.cost, purse, n_tests) if left > 0 else 0
    best, pick = max(stack[level].floor, leaf), -1
    for t in range(end):
        if value[t] > best + slack:
            best, pick = value[t], t
    if level > 0 and left <= at_once:
        for t in range(end):
            best = max(best, value[t])
    stack[level].end, stack[level].best, stack[level].pick = end, best, pick
    if left > at_once:
        loose, mass, top = stack[level].loose, desk.node_mass[level], 0.0
        for c in range(len(mass)):
            top += problem.data * desk.tables[level, c, width, width] * problem.best_gain[c]
        top += node_worth(left, mass, loose, desk.cells[level], literals, prior, problem)
        stack[level].top = top - problem.penalty
        for t in range(end):
            desk.reach[level, t] = 0.0
            for branch in range(tests.start[t], tests.start[t + 1]):
                desk.reach[level, t] += branch_of(
                    branch, level, left - 1, literals, tests, problem, prior, desk
                )[0]
        if level > 0:
            falling(value, end, order)
        else:  # by number, so that of equal ones the lowest wins, but for the best so far
            place = 0
            if pick >= 0:
                order[0], place = pick, 1
            for t in range(end):
                if t != pick:
                    order[place] = t
                    place += 1
        stack[level].place, stack[level].tested = -1, -1


@kernel(inline=True)
def needed_worth(test, level, slack, stack):
    """Worth above which a test is taken; at the root, of equal ones, the lowest."""
    earlier = level == 0 and test < stack[0].pick
    return stack[level].best - slack if earlier else stack[level].best + slack


@kernel(inline=True)
def next_test(level, slack, stack, order, reach):
    """The next test that may win, or -1."""
    found = -1
    while found < 0 and stack[level].place + 1 < stack[level].end:
        stack[level].place += 1
        t = order[level, stack[level].place]
        earlier = level == 0 and t < stack[0].pick
        may_win = earlier or stack[level].best < stack[level].top - slack
        if may_win and reach[level, t] > needed_worth(t, level, slack, stack):
            found = t
    return found


@kernel(inline=True)
def open_test(test, level, length, below, literals, tests, problem, prior, desk, store):
    """What is known of the branches of a test.

    Smaller ones go first, since the largest is what they leave.
    """
    stack, trail = desk.stack, desk.trail
    hope, turn = desk.hope[level], desk.turn[level]
    solved, size, slack = desk.solved[level], desk.size[level], SLACK * problem.scale
    stack[level].tested, stack[level].hoped, stack[level].at, stack[level].whole = test, 0.0, 0, 1
    first = tests.start[test]
    for branch in range(first, tests.start[test + 1]):
        i = branch - first
        most, least, size[i] = branch_of(
            branch, level, below, literals, tests, problem, prior, desk
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
        stack[level].hoped += hope[i]
        k = i
        while k > 0 and size[turn[k - 1] - first] > size[i]:
            turn[k] = turn[k - 1]
            k -= 1
        turn[k] = branch


@kernel(inline=True)
def enter_branch(branch, level, last, keep_rows, paired, has_prior, cases, literals, tests, desk):
    """Cases and prior of a branch one level down, and their pairs where these are needed.

    The pairs of the last branch are what the others leave.
    """
    stack, tables = desk.stack, desk.tables
    rest, test = desk.rest, desk.stack[level].tested
    known = paired and stack[level].whole == 1
    by_rest = known and last and stack[level].at > 0
    if by_rest:
        copy_pairs(rest[level], tables[level + 1])
    stack[level + 1].listed = descend_cases(
        level, branch, keep_rows, paired and not by_rest, cases, tests, stack[level].listed, desk
    )
    if known and not last:
        subtract_pairs(
            tables[level] if stack[level].at == 0 else rest[level], tables[level + 1], rest[level]
        )
    literal, negated = tests.literal[branch], tests.negated[branch]
    for c in range(desk.counts.shape[1]):
        inside = tables[level, c, literal, literal]
        desk.counts[level + 1, c] = desk.counts[level, c] - inside if negated else inside
    if has_prior:
        descend_prior(literal, negated, literals, desk, level, level + 1)
    stack[level + 1].purse = stack[level].purse - tests.cost[test]


@kernel(inline=True)
def pause(level, work, length, stack, order, reach, paused):
    """What no tree is worth more than, where a search stops.

    One from the root can go on from there.
    """
    bound = max(stack[0].best, stack[0].hoped)
    for k in range(stack[0].place + 1, stack[0].end):
        bound = max(bound, reach[0, order[0, k]])
    if length == 0:
        paused[0], paused[1] = level, work
    return min(bound, max(stack[0].top, stack[0].best))


@kernel
def search_blend(depth, left, path, desk, cases, prior, literals, tests, problem, store, most_work):
    """(value, test, bound, work) of the best tree with so many tests on a path under the node at
    the end of `path`.

    The node is on level 0 of the desk already. Test -1 is a leaf. `work` counts nodes solved at
    once; when it reaches `most_work`, value is the best so far and bound what no tree exceeds; a
    search from the root goes on from there when it is called again.
    """
    slack, stack, trail = SLACK * problem.scale, desk.stack, desk.trail
    length, n_tests = len(path), len(tests.cost)
    at_once = solved_at_once(depth, problem)
    effort = n_tests if at_once == 3 else 1  # of solving a node, in nodes with two tests left
    has_prior = greatest(prior.mass) > 0.0
    level, work = desk.paused[0], desk.paused[1]
    desk.paused[0] = -1
    entering = length > 0 or level < 0
    if entering:
        level, work = np.int64(0), np.int64(0)
        for i in range(length):
            trail[i] = path[i]
        stack[0].purse, stack[0].floor, stack[0].enough = left, NEVER, -NEVER
    searching, bound = True, 0.0
    while searching:
        below = depth - level - 1  # tests that a branch may still have
        if entering:
            open_node(depth, level, at_once, literals, tests, problem, prior, desk)
            work += effort
        entering = False
        if below >= at_once and stack[level].tested < 0:
            found = next_test(level, slack, stack, desk.order, desk.reach)
            if found >= 0:
                open_test(
                    found,
                    level,
                    length + level,
                    below,
                    literals,
                    tests,
                    problem,
                    prior,
                    desk,
                    store,
                )
        if below < at_once or stack[level].tested < 0:  # the node is done
            result, exact = stack[level].best, stack[level].best > stack[level].floor
            if level == 0:
                searching, bound = False, result
                continue
            level, below = level - 1, below + 1
            keep(trail, length + level + 1, result, exact, store)
            branch = desk.turn[level, stack[level].at]
            stack[level].hoped += (
                result - desk.hope[level, branch - tests.start[stack[level].tested]]
            )
            stack[level].at += 1
            if not exact:
                stack[level].tested = -1
                continue
        t = stack[level].tested
        need = needed_worth(t, level, slack, stack)
        first, branches = tests.start[t], tests.start[t + 1] - tests.start[t]
        while stack[level].at < branches and stack[level].hoped > need:
            branch = desk.turn[level, stack[level].at]
            i = branch - first
            if desk.solved[level, i] == 1:
                stack[level].whole = 0
                stack[level].at += 1
                continue
            if work >= most_work:
                searching, bound = (
                    False,
                    pause(level, work, length, stack, desk.order, desk.reach, desk.paused),
                )
                break
            last, paired = stack[level].at == branches - 1, below > at_once or at_once == 2
            enter_branch(
                branch, level, last, below > 2, paired, has_prior, cases, literals, tests, desk
            )
            trail[length + level] = branch
            level += 1
            stack[level].floor, stack[level].enough = NEVER, desk.hope[level - 1, i] - slack
            if below > at_once:  # it is enough to know that no tree matters
                stack[level].floor = (
                    need - slack - (stack[level - 1].hoped - desk.hope[level - 1, i])
                )
                stack[level].enough = -NEVER
            entering = True
            break
        if entering or not searching:
            continue
        if stack[level].hoped > need and stack[level].at == branches:
            stack[level].best, stack[level].pick = max(stack[level].best, stack[level].hoped), t
        if (
            branches == 2 and problem.least <= 0.0
        ):  # else a leaf may be refused for the cases that it lacks
            bound_alike(
                t,
                stack[level].hoped,
                literals,
                tests,
                problem,
                desk.tables[level],
                desk.node_mass[level],
                desk.share[level],
                desk.reach[level],
            )
        stack[level].tested = -1
    return stack[0].best, stack[0].pick, bound, work


@kernel
def grow_blend(
    depth,
    left,
    root,
    desk,
    cases,
    prior,
    literals,
    tests,
    problem,
    store,
    most_work,
    tree,
    mass,
    counts,
):
    """Fill tree[0..3] with test, parent, branch and label of every node in preorder.

    (nodes, worth, test of the root, bound, work): no nodes if the work did not do, -1 if there is
    no room for them. `root` is the test of the root, or `SOUGHT`. mass[node] and counts[node] are
    per class. A label is that of the parent where this is as good as any.
    """
    classes, near = len(prior.mass), SLACK * problem.scale
    test, parent = tree[0], tree[1]
    branch, label = tree[2], tree[3]
    purse, path = np.empty(len(test), np.float64), np.empty(depth, np.int64)
    worth = np.empty(classes, np.float64)
    waiting = np.empty((depth * desk.hope.shape[1] + 1, 2), np.int64)
    waiting[0, 0] = waiting[0, 1] = -1
    top, node = 1, 0
    value, bound, work, later = NEVER, -NEVER, np.int64(0), most_work
    missing = root == SOUGHT  # the test of the root, which the search for the whole tree gives
    while top > 0:
        if node == len(test):
            node, top = -1, 0
            continue
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
        searched, at_once = missing or 0 < below < depth, solved_at_once(below, problem)
        if not (missing and desk.paused[0] >= 0):
            paired = searched and (below > at_once or at_once < 3)
            desk.stack[0].listed = enter_node(
                here, searched, paired, cases, prior, literals, tests, desk
            )
        if searched:
            found, test[node], most, done = search_blend(
                below, purse[node], here, desk, cases, prior, literals, tests, problem, store, later
            )
            if missing:
                value, root, bound, work, later, missing = (
                    found,
                    test[0],
                    most,
                    done,
                    ENDLESS,
                    False,
                )
                if work >= most_work and bound > value:
                    node, top = 0, 0
                    continue
        else:
            test[node] = root if first == depth else -1
        for c in range(classes):
            counts[node, c] = desk.counts[0, c]
            mass[node, c] = worth[c] = problem.data * desk.counts[0, c] + desk.node_mass[0, c]
        if not problem.plain:
            gain_masses(worth, problem.gain, desk.part)
        best = greatest(worth) - near
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
