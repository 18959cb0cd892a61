"""Two classes, unit costs: from values to the tree, node by node in preorder.

Every node asks a search for its best value; the search of the root costs the most by far. Of the
features that reach the value within `TIE` the lowest is tested, whatever the method, so that all
methods give one and the same tree. A node where no further tests can raise the expected accuracy is
a leaf.
"""

import numpy as np

from pinetum.jit import kernel
from pinetum.kernels.arrays import longer, longer_rows
from pinetum.nbdt.kernels.branch_and_bound import bit_of, chord, search_bounded
from pinetum.nbdt.kernels.dynamic_programming import scanned_feature, search, search_sets
from pinetum.nbdt.kernels.feature_lists import TIE

SCAN, LIST, SETS, BOUND = 0, 1, 2, 3


@kernel(inline=True)
def decide(method, depth, y_plus, y_minus, used, model, found_list, bounds):
    """Best value of a tree of this depth under one node and its root, the lowest feature of equal
    ones.
    """
    plus, minus, start = model
    guide, breaks, listed, list_plus, list_minus = found_list
    if depth == 1:
        return scanned_feature(y_plus, y_minus, used, plus, minus, start)
    if method == SETS:
        return search_sets(
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
