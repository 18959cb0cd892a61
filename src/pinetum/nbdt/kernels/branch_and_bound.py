"""Two classes, unit costs: an exact branch and bound.

The best tree of depth k under a node is worth no more than if a feature might be tested again on a
path, though not directly below itself. That bound depends on the posterior x alone and is convex in
x, so its chord between two points of a grid is still a bound. It is loose where one strong feature
is repeated: so a few features, the members, are never repeated, and there is a table for each set
of them that a path may have used.

The search goes down one path. A level of it is a node, P(path, class) = `plus` and `minus`, with
depth - level tests left; it tries one feature after the other, by falling bound, and of a feature
one branch after the other:

    tested feature | branch 0 | branch 1 | branch 2 | branch 3 |
                     searched   searched   ^ at: level + 1      bounded by reach[level, 3]
    hoped          = worth    + worth    + bound    + bound

A feature is dropped as soon as `hoped` is no more than the best of the node.
"""

from typing import NamedTuple

import numpy as np

from pinetum.jit import kernel
from pinetum.kernels.arrays import falling_order
from pinetum.nbdt.kernels.feature_lists import TINY, best_listed

SLACK = 1e-13  # relative: a bound that beats the best value by mere rounding is not followed


class Bounds(NamedTuple):
    """Bounds by row, grid point and feature; row = row_of[tests left, set of members used].

    Point i is the posterior i / cells; bounds are to be multiplied by P(path).
    """

    bound: np.ndarray  # float64 (rows, points, features): the feature at the root
    first: np.ndarray  # float64 (rows, points): the greatest of them
    second: np.ndarray  # float64 (rows, points): the greatest of those of other features
    owner: np.ndarray  # int64 (rows, points): whose the greatest is
    row_of: np.ndarray  # int64 (tests + 1, sets of members): -1 where none is needed
    member_of: np.ndarray  # int64 (features,): number of a member, -1 for other features
    order: np.ndarray  # int64 (rows, cells, features): by falling bound, once `in_order`
    in_order: np.ndarray  # bool (rows, cells): sorted on the first visit


# A node on the path of the search.
LEVEL = np.dtype(
    (
        np.record,
        [
            ("plus", np.float64),  # P(path, second class)
            ("minus", np.float64),  # P(path, first class)
            ("floor", np.float64),  # worth that it must exceed to matter above
            ("best", np.float64),
            ("hoped", np.float64),  # worth of the branches done, bounds of the others
            ("within", np.float64),  # place inside the cell, 0 to 1
            ("members", np.int64),  # used on the path, a bit each
            ("cell", np.int64),  # of the grid
            ("pick", np.int64),  # feature of the best tree
            ("place", np.int64),  # in the order of features
            ("tested", np.int64),  # feature that is tried
            ("at", np.int64),  # its branch
        ],
    )
)
ENTER, CHOOSE, FOLLOW, FINISHED = 0, 1, 2, 3  # what a search does next


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

    `owner` and `row_of` as in `Bounds`; no feature is a member yet, so the set of those used is 0.
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


@kernel
def widest_of(start):
    """The most values of a feature."""
    widest = 1
    for feature in range(len(start) - 1):
        widest = max(widest, start[feature + 1] - start[feature])
    return widest


@kernel
def members_in(used, member_of):
    """The members among the used features, a bit each."""
    members = 0
    for feature in range(len(used)):
        if used[feature]:
            members |= bit_of(member_of[feature])
    return members


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


@kernel(inline=True)
def bound_branches(y_plus, y_minus, feature, below, model, bounds, reach):
    """Fill `reach` with bounds on the branches of a feature, by row `below`; their sum."""
    plus, minus, start = model
    first, second, owner = (bounds.first[below], bounds.second[below], bounds.owner[below])
    total = 0.0
    for value in range(start[feature], start[feature + 1]):
        one = chord(y_plus * plus[value], y_minus * minus[value], feature, first, second, owner)
        reach[value - start[feature]] = one
        total += one
    return total


@kernel(inline=True)
def sort_features(row, cell, bound, order, in_order):
    """Features by their greater bound at the two ends of a cell, once."""
    if not in_order[row, cell]:
        in_order[row, cell] = True
        highest = np.empty(bound.shape[2], np.float64)
        for feature in range(bound.shape[2]):
            highest[feature] = max(bound[row, cell, feature], bound[row, cell + 1, feature])
        for rank, feature in enumerate(falling_order(highest)):
            order[row, cell, rank] = feature


@kernel(inline=True)
def enter_node(here, cells):
    """Find the cell of a node and forget what was tried under the last one."""
    x = here.plus / (here.plus + here.minus + TINY) * cells
    here.cell = min(int(x), cells - 1)
    here.within = x - here.cell
    here.place = here.tested = here.pick = -1
    here.best = here.floor


@kernel(inline=True)
def next_feature(here, only, used, bound, order):
    """The next feature whose bound is worth a try, or -1; `bound` and `order` are those of the
    node's row.
    """
    weight, cell = here.plus + here.minus, here.cell
    limit, features = here.best + SLACK * abs(here.best), len(used)
    found = -1
    while found < 0 and here.place + 1 < features:
        here.place += 1
        feature = order[cell, here.place]
        low, high = bound[cell, feature], bound[cell + 1, feature]
        if weight * max(low, high) <= limit:  # and so are all that follow
            here.place = features
        elif not used[feature] and (only < 0 or feature == only):
            reach = weight * (low + here.within * (high - low))
            found = feature if reach > limit else -1
    return found


@kernel(inline=True)
def one_test(y_plus, y_minus, used, last):
    """Worth of a node with one test, from the opt-feature list."""
    return best_listed(
        y_plus, y_minus, used, last.guide, last.breaks, last.feature, last.plus, last.minus
    )


@kernel(inline=True)
def last_tests(here, used, model, last, reach):
    """The branches of the tested feature where each has one test left."""
    plus, minus, start = model
    limit, first = here.best + SLACK * abs(here.best), start[here.tested]
    values = start[here.tested + 1] - first
    while here.at < values and here.hoped > limit:
        y_plus, y_minus = (here.plus * plus[first + here.at], here.minus * minus[first + here.at])
        here.hoped += one_test(y_plus, y_minus, used, last) - reach[here.at]
        here.at += 1
    if here.at == values and here.hoped > limit:
        here.best, here.pick = here.hoped, here.tested


@kernel(inline=True)
def go_down(here, below, model, member_of, reach):
    """Put the branch at hand on the level below."""
    value = model.start[here.tested] + here.at
    below.plus = here.plus * model.plus[value]
    below.minus = here.minus * model.minus[value]
    below.floor = here.best - (here.hoped - reach[here.at])
    below.members = here.members | bit_of(member_of[here.tested])


@kernel
def search_bounded(depth, y_plus, y_minus, threshold, only, used, model, last, bounds):
    """Value and feature of the best tree of this depth under one node, if it is worth more than
    `threshold`.

    Else `threshold` and -1. At least two tests; with `only` >= 0 the root is that feature. `used`
    are the features on the path to the node.
    """
    bound, row_of, member_of = bounds.bound, bounds.row_of, bounds.member_of
    order, cells, start = bounds.order, bounds.bound.shape[1] - 1, model.start
    path, reach = (np.zeros(depth, LEVEL), np.empty((depth, widest_of(start)), np.float64))
    path[0].plus, path[0].minus, path[0].floor = y_plus, y_minus, threshold
    path[0].members = members_in(used, member_of)
    level, doing = 0, ENTER
    while doing != FINISHED:
        here, tests = path[level], depth - level
        row = row_of[tests, here.members]
        if doing == ENTER:
            enter_node(here, cells)
            if level > 0:  # one good test is a start
                here.best = max(here.best, one_test(here.plus, here.minus, used, last))
            sort_features(row, here.cell, bound, order, bounds.in_order)
            doing = CHOOSE
        elif doing == CHOOSE:
            here.tested = next_feature(
                here, only if level == 0 else -1, used, bound[row], order[row]
            )
            if here.tested >= 0:
                used[here.tested] = True
                below = row_of[tests - 1, here.members | bit_of(member_of[here.tested])]
                here.at = 0
                here.hoped = bound_branches(
                    here.plus, here.minus, here.tested, below, model, bounds, reach[level]
                )
                doing = FOLLOW
            elif level == 0:
                doing = FINISHED
            else:  # hand the node's value up
                level -= 1
                path[level].hoped += here.best - reach[level, path[level].at]
                path[level].at += 1
                doing = FOLLOW
        else:
            more = here.at < start[here.tested + 1] - start[here.tested]
            if tests == 2:
                last_tests(here, used, model, last, reach[level])
            elif here.hoped > here.best + SLACK * abs(here.best):
                if more:
                    go_down(here, path[level + 1], model, member_of, reach[level])
                    level += 1
                    doing = ENTER
                else:
                    here.best, here.pick = here.hoped, here.tested
            if doing == FOLLOW:
                used[here.tested] = False
                doing = CHOOSE
    return path[0].best, path[0].pick
