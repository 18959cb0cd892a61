"""Any number of classes, any positive costs: the best value under a node by each of the three
methods.

`given[v, c]` is P(value v | class c). A path may spend `budget`; with unit costs that is the depth.
Where no other test could follow, the last one comes from the list of the features that are
affordable (one list per distinct cost).
"""

import numpy as np

from pinetum.jit import kernel
from pinetum.nbdt.kernels.branch_and_bound import SLACK
from pinetum.nbdt.kernels.simplex import between, locate, one_test

SCAN, LIST, BOUND = 0, 1, 3
CENT = 1e-9  # sums of costs closer than this are equal


@kernel
def tests_for(budget, running_cost):
    """How many tests a path can hold at most: of the cheapest features."""
    tests = 0
    while tests < len(running_cost) and running_cost[tests] <= budget + CENT:
        tests += 1
    return tests


@kernel
def leaves_room(left, used, cost, by_cost):
    """Can another unused feature be paid from what is left?"""
    for feature in by_cost:
        if cost[feature] > left + CENT:
            return False
        if not used[feature]:
            return True
    return False


@kernel(inline=True)
def best_single(y, budget, used, given, start, cells, lists, level_cost, scratch):
    """Expected accuracy of the best affordable last test, from the candidate lists.

    -1 without one.
    """
    level = -1
    while level + 1 < len(level_cost) and level_cost[level + 1] <= budget + CENT:
        level += 1
    if level < 0:
        return -1.0
    order, fraction, corner, weight = scratch
    row_of, row_start, chosen = lists
    row = row_of[level, locate(y, cells, order, fraction, corner, weight)]
    best = -1.0
    for k in range(row_start[row], row_start[row + 1]):
        if not used[chosen[k]]:
            best = max(best, one_test(y, chosen[k], given, start))
    return best


@kernel
def search_general(method, y, budget, threshold, only, used, model, purse, cells, lists, bounds):
    """Best expected accuracy under one node if above `threshold`, else a value not above it.

    With `only` >= 0 the node tests that feature.
    """
    given, start = model
    cost, by_cost, running_cost, level_cost = purse
    bound, first, second, owner = bounds
    features, classes = len(start) - 1, len(y)
    depth = tests_for(budget, running_cost) + 1
    widest = 1
    for feature in range(features):
        widest = max(widest, start[feature + 1] - start[feature])
    order, fraction = np.empty(classes, np.int64), np.empty(classes, np.float64)
    corner, weight = np.empty(classes, np.int64), np.empty(classes, np.float64)
    scratch = (order, fraction, corner, weight)
    path = np.empty((depth, classes), np.float64)
    left = np.empty(depth, np.float64)
    floor = np.full(depth, -1.0)
    best = np.empty(depth, np.float64)
    tested = np.empty(depth, np.int64)
    branch = np.empty(depth, np.int64)
    hoped = np.empty(depth, np.float64)
    branch_bound = np.zeros((depth, widest), np.float64)
    reach = np.full((depth, features), -1.0)
    left[0], floor[0] = budget, threshold
    for c in range(classes):
        path[0, c] = y[c]
    level = 0
    entering = True
    while True:
        here = path[level]
        if entering:
            entering = False
            tested[level] = -1
            best[level] = floor[level]
            if level > 0 or only < 0:
                for c in range(classes):
                    best[level] = max(best[level], here[c])
                if method != SCAN:
                    single = best_single(
                        here, left[level], used, given, start, cells, lists, level_cost, scratch
                    )
                    best[level] = max(best[level], single)
            if method == BOUND:
                locate(here, cells, order, fraction, corner, weight)
                mass = here.sum()
                most = tests_for(left[level], running_cost)
                for feature in range(features):
                    reach[level, feature] = -1.0
                    if used[feature] or cost[feature] > left[level] + CENT:
                        continue
                    tests = min(most, 1 + tests_for(left[level] - cost[feature], running_cost))
                    total = 0.0
                    for j in range(classes):
                        if weight[j] > 0.0:
                            total += weight[j] * bound[tests, corner[j], feature]
                    reach[level, feature] = mass * total
        limit = best[level] + SLACK * abs(best[level])
        feature = -1
        room = False
        if method == BOUND:
            while True:
                feature = np.argmax(reach[level])
                if reach[level, feature] <= limit:
                    feature = -1
                    break
                reach[level, feature] = -1.0
                if level == 0 and only >= 0 and feature != only:
                    continue
                used[feature] = True
                room = leaves_room(left[level] - cost[feature], used, cost, by_cost)
                used[feature] = False
                if room or (level == 0 and only >= 0):
                    break
        else:
            for following in range(tested[level] + 1, features):
                if used[following] or cost[following] > left[level] + CENT:
                    continue
                if level == 0 and only >= 0 and following != only:
                    continue
                used[following] = True
                room = leaves_room(left[level] - cost[following], used, cost, by_cost)
                used[following] = False
                if room or method == SCAN or (level == 0 and only >= 0):
                    feature = following
                    break
        if feature < 0:
            if level == 0:
                return best[0]
            level -= 1
            feature = tested[level]
            hoped[level] += best[level + 1] - branch_bound[level, branch[level]]
            branch[level] += 1
            abandoned = method == BOUND and hoped[level] <= best[level] + SLACK * abs(best[level])
            if abandoned or branch[level] == start[feature + 1] - start[feature]:
                if not abandoned:
                    best[level] = max(best[level], hoped[level])
                used[feature] = False
                continue
        else:
            tested[level] = feature
            if not room:
                best[level] = max(best[level], one_test(here, feature, given, start))
                continue
            used[feature] = True
            branch[level] = 0
            hoped[level] = 0.0
            if method == BOUND:
                tests = tests_for(left[level] - cost[feature], running_cost)
                for value in range(start[feature], start[feature + 1]):
                    child = path[level + 1]
                    mass = 0.0
                    for c in range(classes):
                        child[c] = here[c] * given[value, c]
                        mass += child[c]
                    locate(child, cells, order, fraction, corner, weight)
                    total = mass * between(
                        corner, weight, feature, first[tests], second[tests], owner[tests]
                    )
                    branch_bound[level, value - start[feature]] = total
                    hoped[level] += total
                if hoped[level] <= limit:
                    used[feature] = False
                    continue
        value = start[feature] + branch[level]
        for c in range(classes):
            path[level + 1, c] = path[level, c] * given[value, c]
        left[level + 1] = left[level] - cost[feature]
        if method == BOUND:
            floor[level + 1] = best[level] - (hoped[level] - branch_bound[level, branch[level]])
        level += 1
        entering = True
