"""Two classes, unit costs: the best root and its value, by plain dynamic programming and with the
opt-feature list.

`plus[v]` and `minus[v]` are P(value v | class), v running over the values of all features, feature
f holding start[f] .. start[f+1]-1. A node is its joint probabilities y+ = P(path, +), y- = P(path,
-) and the features on its path. Every value is an expected accuracy times P(path). 1 <= depth <=
number of unused features.
"""

import numpy as np

from pinetum.jit import kernel
from pinetum.kernels.arrays import longer, longer_rows
from pinetum.nbdt.kernels.branch_and_bound import bit_of, chord, search_bounded
from pinetum.nbdt.kernels.feature_lists import TIE, best_listed

SCAN, LIST, BOUND = 0, 1, 2


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
def scanned_feature(y_plus, y_minus, used, plus, minus, start):
    """The lowest of the features that are best for the last test, and its value."""
    best, pick = -1.0, -1
    for feature in range(len(start) - 1):
        if not used[feature]:
            total = 0.0
            for value in range(start[feature], start[feature + 1]):
                total += max(y_plus * plus[value], y_minus * minus[value])
            if total > best + TIE * best:
                best, pick = total, feature
    return best, pick


@kernel(inline=True)
def two_tests_scanned(y_plus, y_minus, used, plus, minus, start):
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
    best, pick = -1.0, -1
    for feature in range(len(start) - 1):
        if used[feature]:
            continue
        used[feature] = True
        total = 0.0
        for value in range(np.uint64(start[feature]), np.uint64(start[feature + 1])):
            total += best_listed(
                y_plus * plus[value],
                y_minus * minus[value],
                used,
                guide,
                breaks,
                listed,
                list_plus,
                list_minus,
            )
        used[feature] = False
        if total > best + TIE * abs(best):
            best, pick = total, feature
    return best, pick


@kernel
def search(
    with_list,
    depth,
    y_plus,
    y_minus,
    used,
    plus,
    minus,
    start,
    guide,
    breaks,
    listed,
    list_plus,
    list_minus,
):
    """Value and feature of the best tree of this depth under one node: d-NBDT, or d-OPTNBDT
    `with_list`.

    All paths of depth - 2 tests are walked one after the other; the two lowest levels are tight
    loops.
    """
    if depth == 1:
        return scanned_feature(y_plus, y_minus, used, plus, minus, start)
    if depth == 2:
        if with_list:
            return two_tests_listed(
                y_plus,
                y_minus,
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
        return two_tests_scanned(y_plus, y_minus, used, plus, minus, start)
    features = len(start) - 1
    lowest = depth - 2
    path_plus = np.empty(lowest + 1, np.float64)
    path_minus = np.empty(lowest + 1, np.float64)
    feature = np.full(lowest + 1, -1, np.int64)
    value = np.zeros(lowest + 1, np.int64)
    total = np.zeros(lowest + 1, np.float64)
    best = np.full(lowest + 1, -1.0)
    pick = np.full(lowest + 1, -1, np.int64)
    path_plus[0], path_minus[0] = y_plus, y_minus
    level = 0
    while True:
        if feature[level] >= 0:
            if value[level] < start[feature[level] + 1]:  # one branch down
                child_plus = path_plus[level] * plus[value[level]]
                child_minus = path_minus[level] * minus[value[level]]
                if level + 1 == lowest:
                    if with_list:
                        found, _ = two_tests_listed(
                            child_plus,
                            child_minus,
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
                        found, _ = two_tests_scanned(
                            child_plus, child_minus, used, plus, minus, start
                        )
                    total[level] += found
                    value[level] += 1
                else:
                    level += 1
                    path_plus[level], path_minus[level] = child_plus, child_minus
                    feature[level], best[level], pick[level] = -1, -1.0, -1
                continue
            used[feature[level]] = False
            if total[level] > best[level] + TIE * abs(best[level]):
                best[level], pick[level] = total[level], feature[level]
        following = feature[level] + 1
        while following < features and used[following]:
            following += 1
        if following < features:
            feature[level], value[level], total[level] = following, start[following], 0.0
            used[following] = True
            continue
        if level == 0:
            return best[0], pick[0]
        level -= 1
        total[level] += best[level + 1]
        value[level] += 1


@kernel(inline=True)
def decide(method, depth, y_plus, y_minus, used, model, found_list, bounds):
    """Best value of a tree of this depth under one node and its root, the lowest feature of equal
    ones.
    """
    plus, minus, start = model
    guide, breaks, listed, list_plus, list_minus = found_list
    if depth == 1:
        return scanned_feature(y_plus, y_minus, used, plus, minus, start)
    if method != BOUND:
        return search(
            method == LIST,
            depth,
            y_plus,
            y_minus,
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
    bound, first, second, owner, row_of, member_of, order, sorted_cell = bounds
    value, pick = search_bounded(
        depth,
        y_plus,
        y_minus,
        -1.0,
        np.int64(-1),
        used,
        plus,
        minus,
        start,
        guide,
        breaks,
        listed,
        list_plus,
        list_minus,
        bound,
        first,
        second,
        owner,
        row_of,
        member_of,
        order,
        sorted_cell,
    )
    floor = value - TIE * value
    members_used = 0
    for feature in range(len(start) - 1):
        if used[feature]:
            members_used |= bit_of(member_of[feature])
    for feature in range(pick):
        if used[feature]:
            continue
        below = row_of[depth - 1, members_used | bit_of(member_of[feature])]
        reach = 0.0
        for v in range(start[feature], start[feature + 1]):
            reach += chord(
                y_plus * plus[v],
                y_minus * minus[v],
                feature,
                first[below],
                second[below],
                owner[below],
            )
        if reach < floor:
            continue
        _, equal = search_bounded(
            depth,
            y_plus,
            y_minus,
            floor,
            feature,
            used,
            plus,
            minus,
            start,
            guide,
            breaks,
            listed,
            list_plus,
            list_minus,
            bound,
            first,
            second,
            owner,
            row_of,
            member_of,
            order,
            sorted_cell,
        )
        if equal == feature:
            return value, feature
    return value, pick


@kernel
def grow(method, depth, prior_plus, prior_minus, model, found_list, bounds):
    """Feature, parent, branch, joint probabilities and label of every node in preorder, and the
    root's value.
    """
    plus, minus, start = model
    features = len(start) - 1
    room = 64
    feature = np.empty(room, np.int64)
    parent = np.empty(room, np.int64)
    branch = np.empty(room, np.int64)
    level = np.empty(room, np.int64)
    label = np.empty(room, np.int64)
    joint = np.empty((room, 2), np.float64)
    waiting = [(-1, -1)]
    count = 0
    accuracy = 0.0
    used = np.zeros(features, np.bool_)
    while len(waiting) > 0:
        above, value = waiting.pop()
        if count == room:
            room *= 2
            feature, parent, branch = (
                longer(feature, room),
                longer(parent, room),
                longer(branch, room),
            )
            level, label, joint = longer(level, room), longer(label, room), longer_rows(joint, room)
        node = count
        count += 1
        feature[node], parent[node], branch[node], level[node] = -1, above, -1, 0
        if above < 0:
            y_plus, y_minus = prior_plus, prior_minus
        else:
            branch[node], level[node] = value - start[feature[above]], level[above] + 1
            y_plus, y_minus = joint[above, 1] * plus[value], joint[above, 0] * minus[value]
        joint[node, 0], joint[node, 1] = y_minus, y_plus
        leaf = max(y_plus, y_minus)
        if abs(y_plus - y_minus) <= TIE * leaf:
            label[node] = label[above] if above >= 0 else 0
        else:
            label[node] = 1 if y_plus > y_minus else 0
        tests = min(depth - level[node], features - level[node])
        if tests == 0 or leaf <= 0.0:
            if above < 0:
                accuracy = leaf
            continue
        up = above
        while up >= 0:
            used[feature[up]] = True
            up = parent[up]
        best, pick = decide(method, tests, y_plus, y_minus, used, model, found_list, bounds)
        up = above
        while up >= 0:
            used[feature[up]] = False
            up = parent[up]
        if above < 0:
            accuracy = best
        if best <= leaf + TIE * leaf:
            continue
        feature[node] = pick
        for child in range(start[pick + 1] - 1, start[pick] - 1, -1):
            waiting.append((node, child))
    return feature[:count], parent[:count], branch[:count], label[:count], joint[:count], accuracy
