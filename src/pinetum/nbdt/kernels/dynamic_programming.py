"""Two classes, unit costs: the best root and its value, by plain dynamic programming and with the
opt-feature list.

`plus[v]` and `minus[v]` are P(value v | class), v running over the values of all features, feature
f holding start[f] .. start[f+1]-1. A node is its joint probabilities y+ = P(path, +), y- = P(path,
-) and the features on its path. Every value is an expected accuracy times P(path). 1 <= depth <=
number of unused features.
"""

import numpy as np

from pinetum.jit import kernel
from pinetum.kernels.arrays import greatest
from pinetum.nbdt.kernels.feature_lists import TIE, best_listed


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


@kernel
def rank_of(chosen, size, skipped, binomial):
    """Position of the increasing combination `chosen` without its member number `skipped`, in
    colexicographic order.
    """
    rank, place = 0, 1
    for member in range(size):
        if member != skipped:
            rank += binomial[chosen[member], place]
            place += 1
    return rank


@kernel
def search_sets(
    depth, y_plus, y_minus, used, plus, minus, start, guide, breaks, listed, list_plus, list_minus
):
    """d-OPTNBDT over sets of feature-value pairs: the order of the tests on a path does not change
    its posterior.

    For every set of depth - 1 features the values of all its paths are computed once and at once
    passed on to the sets with one feature less, whose best value they may improve; the same then
    upwards to the empty set.
    """
    if depth == 1:
        return scanned_feature(y_plus, y_minus, used, plus, minus, start)
    free = np.empty(len(start) - 1, np.int64)
    n = np.int64(0)
    for feature in range(len(start) - 1):
        if not used[feature]:
            free[n] = feature
            n += 1
    largest = depth - 1
    binomial = np.zeros((n + 1, depth + 2), np.int64)
    for row in range(n + 1):
        binomial[row, 0] = 1
        for column in range(1, min(row, depth + 1) + 1):
            binomial[row, column] = binomial[row - 1, column - 1] + binomial[row - 1, column]
    arity = np.empty(n, np.int64)
    for i in range(n):
        arity[i] = start[free[i] + 1] - start[free[i]]
    widest = 1
    for _ in range(largest):
        widest *= greatest(arity)

    chosen = np.empty(largest + 1, np.int64)
    path_plus = np.empty((largest + 1, widest), np.float64)
    path_minus = np.empty((largest + 1, widest), np.float64)
    paths = np.ones(largest + 1, np.int64)
    block = np.empty(widest, np.float64)
    lower = np.empty(0, np.float64)  # values of the sets one larger than those of `upper`
    lower_at = np.empty(0, np.int64)
    best, pick = -1.0, -1
    for size in range(largest, 0, -1):  # from sets of `size` features to sets of size - 1
        sets = binomial[n, size - 1]
        upper_at = np.zeros(sets + 1, np.int64)  # where the values of each set begin
        _block_lengths(upper_at, size - 1, n, arity, binomial)
        upper = np.full(upper_at[sets], -1.0)
        best, pick = -1.0, -1
        path_plus[0, 0], path_minus[0, 0], paths[0] = y_plus, y_minus, 1
        level = 0
        chosen[0] = -1
        while level >= 0:
            chosen[level] += 1
            i = chosen[level]
            if i > n - size + level:
                level -= 1
                continue
            paths[level + 1] = paths[level] * arity[i]
            if size == largest:  # extend the posteriors of all paths by this feature's values
                k = 0
                for path in range(paths[level]):
                    for value in range(start[free[i]], start[free[i] + 1]):
                        path_plus[level + 1, k] = path_plus[level, path] * plus[value]
                        path_minus[level + 1, k] = path_minus[level, path] * minus[value]
                        k += 1
            if level + 1 < size:
                level += 1
                chosen[level] = i
                continue
            count = paths[size]
            if size == largest:
                for member in range(size):
                    used[free[chosen[member]]] = True
                for path in range(count):
                    block[path] = best_listed(
                        path_plus[size, path],
                        path_minus[size, path],
                        used,
                        guide,
                        breaks,
                        listed,
                        list_plus,
                        list_minus,
                    )
                for member in range(size):
                    used[free[chosen[member]]] = False
            else:
                at = lower_at[rank_of(chosen, size, -1, binomial)]
                for path in range(count):
                    block[path] = lower[at + path]
            inner = 1  # number of value combinations of the members behind this one
            for member in range(size - 1, -1, -1):
                values = arity[chosen[member]]
                outer = count // (inner * values)
                if size == 1:
                    total = 0.0
                    for value in range(values):
                        total += block[value]
                    if total > best + TIE * abs(best):
                        best, pick = total, free[chosen[0]]
                else:
                    at = upper_at[rank_of(chosen, size, member, binomial)]
                    for before in range(outer):
                        for behind in range(inner):
                            total = 0.0
                            place = before * values * inner + behind
                            for value in range(values):
                                total += block[place + value * inner]
                            k = at + before * inner + behind
                            upper[k] = max(upper[k], total)
                inner *= values
        lower, lower_at = upper, upper_at
    return best, pick


@kernel(inline=True)
def _block_lengths(at, size, n, arity, binomial):
    """Fill `at` with the running number of value combinations over the sets of `size` of n
    features.
    """
    chosen = np.arange(max(size, 1))
    for _ in range(len(at) - 1):
        length = 1
        for member in range(size):
            length *= arity[chosen[member]]
        at[rank_of(chosen, size, -1, binomial) + 1] = length
        member = size - 1  # the next combination, lexicographic
        while member >= 0 and chosen[member] == n - size + member:
            member -= 1
        if member >= 0:
            chosen[member] += 1
            for later in range(member + 1, size):
                chosen[later] = chosen[later - 1] + 1
    for i in range(len(at) - 1):
        at[i + 1] += at[i]
