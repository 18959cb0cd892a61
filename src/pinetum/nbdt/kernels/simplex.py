"""Any number of classes, any costs: the opt-feature list and the bounds on a grid over the
posterior simplex.

A posterior is written as its running sums times `cells`, s_0 <= s_1 <= ... <= cells. The integer
points of that wedge are the grid; the cell of a posterior (a simplex with as many corners as there
are classes) follows from the whole parts of the s and the order of their fractions. Values of trees
are convex in the posterior, so what holds of the corners bounds what happens between them.
"""

import numpy as np

from pinetum.jit import kernel
from pinetum.kernels.arrays import falling_order, longer
from pinetum.nbdt.kernels.feature_lists import TINY


@kernel
def locate(y, cells, order, fraction, corner, weight):
    """Fill grid points and weights of the corners around a posterior; the number of its cell."""
    last = len(y) - 1
    total = TINY
    for c in range(last + 1):
        total += y[c]
    running = 0.0
    point = cell = 0
    stride = 1
    for c in range(last):
        running += y[c] / total
        s = running * cells
        base = min(int(s), cells - 1)
        point += base * stride
        stride *= cells + 1
        fraction[c] = min(s - base, 1.0)
        # falling fractions; of equal ones the later sum first, which keeps the corners in the wedge
        place = c
        while place > 0 and fraction[order[place - 1]] <= fraction[c]:
            order[place] = order[place - 1]
            place -= 1
        order[place] = c
    cell = point
    before = 1.0
    for j in range(last):
        corner[j] = point
        weight[j] = before - fraction[order[j]]
        before = fraction[order[j]]
        point += (cells + 1) ** order[j]
        cell += stride * order[j]
        stride *= last
    corner[last] = point
    weight[last] = before
    return cell


@kernel
def posterior_of(point, cells, y):
    """The posterior at a grid point; False outside the wedge."""
    before = 0
    for c in range(len(y) - 1):
        s = point % (cells + 1)
        point //= cells + 1
        if s < before:
            return False
        y[c] = (s - before) / cells
        before = s
    y[len(y) - 1] = (cells - before) / cells
    return True


@kernel(inline=True)
def one_test(y, feature, given, start):
    """Expected accuracy when this is the last test: sum over values of max over classes."""
    total = 0.0
    for value in range(start[feature], start[feature + 1]):
        best = 0.0
        for c in range(len(y)):
            best = max(best, y[c] * given[value, c])
        total += best
    return total


@kernel
def candidate_lists(cells, width, given, start, allowed):
    """Per cell every feature that is among the best `width` anywhere in it (and perhaps a few
    more).

    At the corners a feature's accuracy is at most that of another one's tangent at the centre: then
    the other is at least as good in the whole cell. A feature with `width` such rivals is never
    needed.
    """
    classes = given.shape[1]
    last = classes - 1
    features = len(start) - 1
    points = (cells + 1) ** last
    row_of = np.full(points * max(last, 1) ** last, -1, np.int64)
    row_start = np.zeros(points * max(last, 1) ** last + 1, np.int64)
    chosen = np.empty(1024, np.int64)
    y = np.empty(classes, np.float64)
    corners = np.empty((classes, classes), np.float64)
    at_corner = np.empty((features, classes), np.float64)
    tangent = np.empty((features, classes), np.float64)
    level = np.empty(features, np.float64)
    order = np.empty(last, np.int64)
    rows = filled = 0
    for cell in range(len(row_of)):
        point, code = cell % points, cell // points
        valid = True
        for j in range(last):  # the order of the fractions, from the number of the cell
            order[j] = code % last
            code //= last
            for i in range(j):
                valid = valid and order[i] != order[j]
        if not valid:
            continue
        for j in range(classes):
            valid = valid and point < points and posterior_of(point, cells, y)
            for c in range(classes):
                corners[j, c] = y[c]
            if j < last:
                step = (cells + 1) ** order[j]
                if (point // step) % (cells + 1) == cells:
                    valid = False
                point += step
        if not valid:
            continue
        for c in range(classes):
            y[c] = corners[:, c].mean()
        for feature in range(features):
            level[feature] = -1.0
            if not allowed[feature]:
                continue
            tangent[feature] = 0.0
            total = 0.0
            for value in range(start[feature], start[feature + 1]):
                winner = 0
                for c in range(1, classes):
                    if y[c] * given[value, c] > y[winner] * given[value, winner]:
                        winner = c
                total += y[winner] * given[value, winner]
                for j in range(classes):
                    tangent[feature, j] += corners[j, winner] * given[value, winner]
            level[feature] = total
            for j in range(classes):
                at_corner[feature, j] = one_test(corners[j], feature, given, start)
        row_of[cell] = rows
        for feature in falling_order(level):
            if not allowed[feature]:
                break
            rivals = 0
            for k in range(row_start[rows], filled):
                better = True
                for j in range(classes):
                    better = better and tangent[chosen[k], j] >= at_corner[feature, j]
                if better:
                    rivals += 1
            if rivals < width:
                if filled == len(chosen):
                    chosen = longer(chosen, 2 * filled)
                chosen[filled] = feature
                filled += 1
        rows += 1
        row_start[rows] = filled
    return row_of, row_start[: rows + 1].copy(), chosen[:filled].copy()


@kernel
def simplex_bounds(depth, cells, given, start, allowed):
    """As `bound_table`, on the grid over the simplex: a feature may be repeated but directly below
    itself.
    """
    classes = given.shape[1]
    points = (cells + 1) ** (classes - 1)
    features = len(start) - 1
    bound = np.zeros((depth + 1, points, features), np.float64)
    first = np.full((depth + 1, points), -1.0)
    second = np.full((depth + 1, points), -1.0)
    owner = np.full((depth + 1, points), -1, np.int64)
    x, y = np.empty(classes, np.float64), np.empty(classes, np.float64)
    order, fraction = np.empty(classes, np.int64), np.empty(classes, np.float64)
    corner, weight = np.empty(classes, np.int64), np.empty(classes, np.float64)
    for tests in range(1, depth + 1):
        for point in range(points):
            if not posterior_of(point, cells, x):
                continue
            for feature in range(features):
                if not allowed[feature]:
                    continue
                if tests == 1:
                    total = one_test(x, feature, given, start)
                else:
                    total = 0.0
                    for value in range(start[feature], start[feature + 1]):
                        mass = 0.0
                        for c in range(classes):
                            y[c] = x[c] * given[value, c]
                            mass += y[c]
                        locate(y, cells, order, fraction, corner, weight)
                        total += mass * between(
                            corner,
                            weight,
                            feature,
                            first[tests - 1],
                            second[tests - 1],
                            owner[tests - 1],
                        )
                bound[tests, point, feature] = total
                if total > first[tests, point]:
                    second[tests, point] = first[tests, point]
                    first[tests, point], owner[tests, point] = total, feature
                elif total > second[tests, point]:
                    second[tests, point] = total
    return bound, first, second, owner


@kernel(inline=True)
def between(corner, weight, barred, first, second, owner):
    """Bound, per unit of mass, on the best tree whose root is not `barred`."""
    total = 0.0
    for j in range(len(corner)):
        point = corner[j]
        if weight[j] > 0.0:
            total += weight[j] * (second[point] if owner[point] == barred else first[point])
    return total
