"""Two classes, unit costs: the paper's trees, by plain dynamic programming, with the opt-feature
list, or by branch and bound.

`Model` has P(value | class). A node is its joint probabilities y+ = P(path, +), y- = P(path, -) and
the features on its path, `used`. Every value is an expected accuracy times P(path).

A tree is grown node by node in preorder. Every node asks a search for its best value; the search of
the root costs the most by far. Of the features that reach the value within `TIE` the lowest is
tested, whatever the method, so that all methods give one and the same tree. A node where no further
tests can raise the expected accuracy is a leaf.
"""

import numpy as np

from pinetum.jit import kernel
from pinetum.kernels.arrays import longer, longer_rows
from pinetum.nbdt.kernels.branch_and_bound import (
    bit_of,
    bound_branches,
    members_in,
    search_bounded,
    widest_of,
)
from pinetum.nbdt.kernels.feature_lists import TIE, best_listed

SCAN, LIST, BOUND = 0, 1, 2
# A node on the path of `search`, above the two lowest levels.
LEVEL = np.dtype(
    (
        np.record,
        [
            ("plus", np.float64),  # P(path, second class)
            ("minus", np.float64),  # P(path, first class)
            ("total", np.float64),  # worth of the branches that are done
            ("best", np.float64),  # worth of the best feature so far
            ("pick", np.int64),  # that feature
            ("tested", np.int64),  # feature that is tried, -1 before the first
            ("value", np.int64),  # its next branch, by number of the value
        ],
    )
)
FIRST_ROOM = 64  # nodes of a tree; doubled when it has more


@kernel(inline=True)
def best_scanned(y_plus, y_minus, used, plus, minus, start):
    """What the opt-feature list saves: try every unused feature for the last test."""
    best = -1.0
    for feature in range(len(start) - 1):
        if not used[feature]:
            total = 0.0
            for value in range(start[feature], start[feature + 1]):
                total += max(y_plus * plus[value], y_minus * minus[value])
            best = max(best, total)
    return best


@kernel
def scanned_feature(y_plus, y_minus, used, model):
    """The lowest of the features that are best for the last test, and its value."""
    plus, minus, start = model
    best, pick = -1.0, -1
    for feature in range(len(start) - 1):
        if not used[feature]:
            total = 0.0
            for value in range(start[feature], start[feature + 1]):
                total += max(y_plus * plus[value], y_minus * minus[value])
            if total > best + TIE * best:
                best, pick = total, feature
    return best, pick


@kernel
def two_tests_scanned(y_plus, y_minus, used, plus, minus, start):
    """Value and feature of the best tree of two tests, trying every second one."""
    best, pick = -1.0, -1
    for feature in range(len(start) - 1):
        if used[feature]:
            continue
        used[feature] = True
        total = 0.0
        for value in range(start[feature], start[feature + 1]):
            total += best_scanned(
                y_plus * plus[value], y_minus * minus[value], used, plus, minus, start
            )
        used[feature] = False
        if total > best + TIE * abs(best):
            best, pick = total, feature
    return best, pick


@kernel
def two_tests_listed(
    y_plus, y_minus, used, plus, minus, start, guide, breaks, listed, list_plus, list_minus
):
    """The same with the second test from the opt-feature list."""
    best, pick = -1.0, -1
    for feature in range(len(start) - 1):
        if used[feature]:
            continue
        used[feature] = True
        total = 0.0
        for value in range(np.uint64(start[feature]), np.uint64(start[feature + 1])):
            y_above, y_below = y_plus * plus[value], y_minus * minus[value]
            total += best_listed(
                y_above, y_below, used, guide, breaks, listed, list_plus, list_minus
            )
        used[feature] = False
        if total > best + TIE * abs(best):
            best, pick = total, feature
    return best, pick


@kernel(inline=True)
def enter(here, y_plus, y_minus):
    """A node of which no feature was tried."""
    here.plus, here.minus, here.tested = y_plus, y_minus, -1
    here.best, here.pick = -1.0, -1


@kernel(inline=True)
def try_next(here, used, start):
    """Give the feature that was tried back, and take the next one; False if there is none."""
    if here.tested >= 0:
        used[here.tested] = False
        if here.total > here.best + TIE * abs(here.best):
            here.best, here.pick = here.total, here.tested
    following = here.tested + 1
    while following < len(used) and used[following]:
        following += 1
    found = following < len(used)
    if found:
        here.tested, here.value, here.total = following, start[following], 0.0
        used[following] = True
    return found


@kernel
def search(with_list, depth, y_plus, y_minus, used, model, last):
    """Value and feature of the best tree of this depth under one node: d-NBDT, or d-OPTNBDT
    `with_list`.

    All paths of depth - 2 tests are walked one after the other; the two lowest levels are tight
    loops.
    """
    plus, minus, start = model
    guide, breaks, listed = last.guide, last.breaks, last.feature
    list_plus, list_minus = last.plus, last.minus
    lowest, level = max(depth - 2, 0), 0
    path = np.zeros(lowest + 1, LEVEL)
    enter(path[0], y_plus, y_minus)
    searching = True
    while searching:
        here = path[level]
        if level == lowest:
            if with_list:
                here.best, here.pick = two_tests_listed(
                    here.plus,
                    here.minus,
                    used,
                    plus,
                    minus,
                    start,
                    guide,
                    breaks,
                    listed,
                    list_plus,
                    list_minus,
                )
            else:
                here.best, here.pick = two_tests_scanned(
                    here.plus, here.minus, used, plus, minus, start
                )
        elif here.tested >= 0 and here.value < start[here.tested + 1]:  # one branch down
            level += 1
            enter(path[level], here.plus * plus[here.value], here.minus * minus[here.value])
            continue
        elif try_next(here, used, start):
            continue
        if level == 0:
            searching = False
        else:
            level -= 1
            path[level].total += here.best
            path[level].value += 1
    return path[0].best, path[0].pick


@kernel(inline=True)
def lowest_of_equals(value, pick, depth, y_plus, y_minus, used, model, last, bounds):
    """The lowest feature whose best tree is worth `value`, which that of `pick` is."""
    floor, members = value - TIE * value, members_in(used, bounds.member_of)
    reach = np.empty(widest_of(model.start), np.float64)
    found = pick
    for feature in range(pick):
        if found < pick or used[feature]:
            continue
        below = bounds.row_of[depth - 1, members | bit_of(bounds.member_of[feature])]
        if bound_branches(y_plus, y_minus, feature, below, model, bounds, reach) >= floor:
            _, equal = search_bounded(
                depth, y_plus, y_minus, floor, feature, used, model, last, bounds
            )
            if equal == feature:
                found = feature
    return found


@kernel(inline=True)
def decide(method, depth, y_plus, y_minus, used, model, last, bounds):
    """Best value of a tree of this depth under one node and its root, the lowest feature of equal
    ones.
    """
    if depth == 1:
        return scanned_feature(y_plus, y_minus, used, model)
    if method != BOUND:
        return search(method == LIST, depth, y_plus, y_minus, used, model, last)
    anything = np.int64(-1)
    value, pick = search_bounded(depth, y_plus, y_minus, -1.0, anything, used, model, last, bounds)
    return value, lowest_of_equals(value, pick, depth, y_plus, y_minus, used, model, last, bounds)


@kernel(inline=True)
def mark_path(node, feature, parent, used, mark):
    """Say of the features tested from a node up whether they are used."""
    while node >= 0:
        used[feature[node]] = mark
        node = parent[node]


@kernel(inline=True)
def label_of(y_plus, y_minus, above):
    """The more probable class; of equal ones the label of the node above, -1 at the root."""
    if abs(y_plus - y_minus) <= TIE * max(y_plus, y_minus):
        label = max(above, 0)
    else:
        label = 1 if y_plus > y_minus else 0
    return label


@kernel
def grow(method, depth, prior_plus, prior_minus, model, last, bounds):
    """Feature, parent, branch, label and joint probabilities of every node in preorder, and the
    root's value.
    """
    plus, minus, start = model
    features, room, count = len(start) - 1, FIRST_ROOM, 0
    feature, parent = np.empty(room, np.int64), np.empty(room, np.int64)
    branch, level = np.empty(room, np.int64), np.empty(room, np.int64)
    label, joint = np.empty(room, np.int64), np.empty((room, 2), np.float64)
    used, accuracy = np.zeros(features, np.bool_), 0.0
    waiting = [(-1, -1)]
    while len(waiting) > 0:
        above, value = waiting.pop()
        if count == room:
            room *= 2
            feature, parent = longer(feature, room), longer(parent, room)
            branch, level = longer(branch, room), longer(level, room)
            label, joint = longer(label, room), longer_rows(joint, room)
        node = count
        count += 1
        feature[node], parent[node] = -1, above
        if above < 0:
            branch[node], level[node] = -1, 0
            y_plus, y_minus = prior_plus, prior_minus
        else:
            branch[node], level[node] = value - start[feature[above]], level[above] + 1
            y_plus, y_minus = (joint[above, 1] * plus[value], joint[above, 0] * minus[value])
        joint[node, 0], joint[node, 1] = y_minus, y_plus
        label[node] = label_of(y_plus, y_minus, label[above] if above >= 0 else -1)
        leaf = best = max(y_plus, y_minus)
        pick, tests = -1, min(depth - level[node], features - level[node])
        if tests > 0 and leaf > 0.0:
            mark_path(above, feature, parent, used, True)
            best, pick = decide(method, tests, y_plus, y_minus, used, model, last, bounds)
            mark_path(above, feature, parent, used, False)
        if above < 0:
            accuracy = best
        if best > leaf + TIE * leaf:
            feature[node] = pick
            for child in range(start[pick + 1] - 1, start[pick] - 1, -1):
                waiting.append((node, child))
    return (feature[:count], parent[:count], branch[:count], label[:count], joint[:count], accuracy)
