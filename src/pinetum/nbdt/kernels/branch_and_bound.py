"""Two classes, unit costs: an exact branch and bound.

The best tree of depth k under a node is worth no more than if a feature might be tested again on a
path, though not directly below itself. That bound depends on the posterior x alone and is convex in
x, so its chord between two points of a grid is still a bound. It is loose where one strong feature
is repeated: so a few features, the members, are never repeated, and there is a table for each set
of them that a path may have used. bound[row, i, F] is the bound for F at the root and x = i /
cells, times 1 / P(path); row = row_of[k, set of members used].
"""

import numpy as np

from pinetum.jit import kernel
from pinetum.kernels.arrays import falling_order
from pinetum.nbdt.kernels.feature_lists import TINY, best_listed

SLACK = (
    1e-13  # relative: a bound that beats the best value by no more than rounding is not followed
)


@kernel
def rows_of(depth, members):
    """Row of the tables per number of tests left and set of members used (a bit each).

    -1 where none is needed.
    """
    row_of = np.full((depth + 1, 1 << members), -1, np.int64)
    rows = 0
    for tests in range(1, depth + 1):
        for used in range(1 << members):
            size = 0
            for member in range(members):
                size += (used >> member) & 1
            if size <= depth - tests:
                row_of[tests, used] = rows
                rows += 1
    return row_of, rows


@kernel
def bound_table(depth, cells, member_of, members, plus, minus, start):
    """Bounds per row, grid point and feature.

    Per row and point the best, who has it, and the best of the others.

    The chord is written out: a call per value, inlined too, counts references to its arrays, which
    takes twice as long.
    """
    features = len(start) - 1
    row_of, rows = rows_of(depth, members)
    bound = np.full((rows, cells + 1, features), -1.0)
    first = np.full((rows, cells + 1), -1.0)
    second = np.full((rows, cells + 1), -1.0)
    owner = np.full((rows, cells + 1), -1, np.int64)
    for tests in range(1, depth + 1):
        for used in range(1 << members):
            row = row_of[tests, used]
            if row < 0:
                continue
            for point in range(cells + 1):
                x = point / cells
                for feature in range(features):
                    member = member_of[feature]
                    if member >= 0 and (used >> member) & 1:
                        continue
                    below = row_of[tests - 1, used | bit_of(member)]
                    total = 0.0
                    for value in range(start[feature], start[feature + 1]):
                        y_plus, y_minus = x * plus[value], (1.0 - x) * minus[value]
                        if tests == 1:
                            total += max(y_plus, y_minus)
                        else:
                            weight = y_plus + y_minus
                            place = y_plus / (weight + TINY) * cells
                            cell = min(int(place), cells - 1)
                            low = (
                                second[below, cell]
                                if owner[below, cell] == feature
                                else first[below, cell]
                            )
                            cell += 1
                            high = (
                                second[below, cell]
                                if owner[below, cell] == feature
                                else first[below, cell]
                            )
                            total += weight * (low + (place - (cell - 1)) * (high - low))
                    bound[row, point, feature] = total
                    if total > first[row, point]:
                        second[row, point] = first[row, point]
                        first[row, point], owner[row, point] = total, feature
                    elif total > second[row, point]:
                        second[row, point] = total
    return bound, first, second, owner, row_of


@kernel
def relaxed_use(depth, y_plus, y_minus, plus, minus, start, owner, row_of):
    """How often each feature is tested in the tree that the bounds alone would build, weighted by
    P(path).
    """
    cells = owner.shape[1] - 1
    use = np.zeros(len(start) - 1, np.float64)
    waiting = [(y_plus, y_minus, depth)]
    while len(waiting) > 0:
        y_plus, y_minus, tests = waiting.pop()
        weight = y_plus + y_minus
        feature = owner[row_of[tests, 0], int(y_plus / (weight + TINY) * cells + 0.5)]
        use[feature] += weight
        if tests > 1:
            for value in range(start[feature], start[feature + 1]):
                waiting.append((y_plus * plus[value], y_minus * minus[value], tests - 1))
    return use


@kernel(inline=True)
def bit_of(member):
    return 1 << member if member >= 0 else 0


@kernel(inline=True)
def chord(y_plus, y_minus, barred, first, second, owner):
    """Bound on the best tree under this node whose root is not the feature `barred`."""
    cells = len(first) - 1
    weight = y_plus + y_minus
    x = y_plus / (weight + TINY) * cells
    cell = min(int(x), cells - 1)
    x -= cell
    low = second[cell] if owner[cell] == barred else first[cell]
    high = second[cell + 1] if owner[cell + 1] == barred else first[cell + 1]
    return weight * (low + x * (high - low))


@kernel
def search_bounded(
    depth,
    y_plus,
    y_minus,
    threshold,
    only,
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
):
    """Value and feature of the best tree of this depth under one node, if it is worth more than
    `threshold`.

    Else `threshold` and -1. At least two tests; with `only` >= 0 the root is that feature. `order`
    and `sorted_cell` keep, per row and grid cell, the features by falling bound: sorted on the
    first visit.
    """
    features = len(start) - 1
    cells = bound.shape[1] - 1
    widest = 1
    for feature in range(features):
        widest = max(widest, start[feature + 1] - start[feature])
    path_plus = np.empty(depth, np.float64)
    path_minus = np.empty(depth, np.float64)
    floor = np.empty(depth, np.float64)  # what the node has to exceed to matter above
    best = np.empty(depth, np.float64)
    pick = np.empty(depth, np.int64)
    cell_of = np.empty(depth, np.int64)
    within = np.empty(depth, np.float64)  # place inside the cell, 0 to 1
    place = np.empty(depth, np.int64)  # in the order of features
    tested = np.empty(depth, np.int64)
    branch = np.empty(depth, np.int64)
    hoped = np.empty(depth, np.float64)  # values of the branches done plus bounds of the others
    branch_bound = np.empty((depth, widest), np.float64)
    path_plus[0], path_minus[0], floor[0] = y_plus, y_minus, threshold
    members_used = np.zeros(depth, np.int64)
    for feature in range(features):
        if used[feature]:
            members_used[0] |= bit_of(member_of[feature])
    level = 0
    entering = True
    while True:
        tests = depth - level
        row = row_of[tests, members_used[level]]
        if entering:
            entering = False
            weight = path_plus[level] + path_minus[level]
            x = path_plus[level] / (weight + TINY) * cells
            cell = min(int(x), cells - 1)
            cell_of[level], within[level] = cell, x - cell
            place[level] = -1
            tested[level] = -1
            best[level], pick[level] = floor[level], -1
            if level > 0:  # one good test is a start
                best[level] = max(
                    best[level],
                    best_listed(
                        path_plus[level],
                        path_minus[level],
                        used,
                        guide,
                        breaks,
                        listed,
                        list_plus,
                        list_minus,
                    ),
                )
            if not sorted_cell[row, cell]:
                sorted_cell[row, cell] = True
                highest = np.empty(features, np.float64)
                for feature in range(features):
                    highest[feature] = max(bound[row, cell, feature], bound[row, cell + 1, feature])
                for rank, feature in enumerate(falling_order(highest)):
                    order[row, cell, rank] = feature
        # the next feature whose bound is worth a try
        weight = path_plus[level] + path_minus[level]
        cell = cell_of[level]
        limit = best[level] + SLACK * abs(best[level])
        found = -1
        while place[level] + 1 < features:
            place[level] += 1
            feature = order[row, cell, place[level]]
            low, high = bound[row, cell, feature], bound[row, cell + 1, feature]
            if weight * max(low, high) <= limit:
                place[level] = features
                break
            if used[feature] or (level == 0 and only >= 0 and feature != only):
                continue
            if weight * (low + within[level] * (high - low)) > limit:
                found = feature
                break
        if (
            found < 0
        ):  # the node is done: hand its value up, abandon features that can no longer win
            if level == 0:
                return best[0], pick[0]
            level -= 1
            feature = tested[level]
            hoped[level] += best[level + 1] - branch_bound[level, branch[level]]
            branch[level] += 1
            abandoned = hoped[level] <= best[level] + SLACK * abs(best[level])
            if abandoned or branch[level] == start[feature + 1] - start[feature]:
                if not abandoned:
                    best[level], pick[level] = hoped[level], feature
                used[feature] = False
                continue
        else:
            feature = found
            tested[level] = feature
            used[feature] = True
            branch[level] = 0
            hoped[level] = 0.0
            below = row_of[tests - 1, members_used[level] | bit_of(member_of[feature])]
            for value in range(start[feature], start[feature + 1]):
                y1, y0 = path_plus[level] * plus[value], path_minus[level] * minus[value]
                reach = chord(y1, y0, feature, first[below], second[below], owner[below])
                branch_bound[level, value - start[feature]] = reach
                hoped[level] += reach
        # go down the branch, or finish the feature when one test is left below it
        tests = depth - level
        limit = best[level] + SLACK * abs(best[level])
        if tests == 2:
            values = start[feature + 1] - start[feature]
            while branch[level] < values and hoped[level] > limit:
                value = start[feature] + branch[level]
                single = best_listed(
                    path_plus[level] * plus[value],
                    path_minus[level] * minus[value],
                    used,
                    guide,
                    breaks,
                    listed,
                    list_plus,
                    list_minus,
                )
                hoped[level] += single - branch_bound[level, branch[level]]
                branch[level] += 1
            if branch[level] == values and hoped[level] > limit:
                best[level], pick[level] = hoped[level], feature
            used[feature] = False
        elif hoped[level] > limit:
            value = start[feature] + branch[level]
            path_plus[level + 1] = path_plus[level] * plus[value]
            path_minus[level + 1] = path_minus[level] * minus[value]
            floor[level + 1] = best[level] - (hoped[level] - branch_bound[level, branch[level]])
            members_used[level + 1] = members_used[level] | bit_of(member_of[feature])
            level += 1
            entering = True
        else:
            used[feature] = False
