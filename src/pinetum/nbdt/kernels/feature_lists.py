"""The opt-feature list for two classes: at every posterior x the best `width` features for one more
test.

Acc(F, x) = sum over the values f of max(x P(f|+), (1-x) P(f|-)) is convex and piecewise linear: a
line per stretch of x.

    breaks     0 ........ breaks[1] .......... breaks[2] ......... 1
    feature      row 0: best, second, ... | row 1         | row 2
    guide      0 . . . . . . . . . . . . . . . . . . . . . . . . . 1024 buckets: the row to start at
"""

from typing import NamedTuple

import numpy as np

from pinetum.jit import kernel
from pinetum.kernels.arrays import longer, longer_rows, sort_values

TIE = 1e-12  # relative: two accuracies this close are equal, and the lower index goes first
GUIDE = 1024  # buckets of the table that says where in `breaks` to start looking
CELLS = 32  # of [0, 1], in each of which features are compared before lists are merged
ONE = np.uint64(1)
TINY = 1e-300  # keeps 0/0 out of the posterior of a path that cannot happen


class Model(NamedTuple):
    """P(value | class); the values of feature f are start[f] .. start[f + 1] - 1."""

    plus: np.ndarray  # float64 (values,): of the second class
    minus: np.ndarray  # float64 (values,): of the first
    start: np.ndarray  # int64 (features + 1,)


class FeatureList(NamedTuple):
    """The best features in order, for breaks[s] <= x <= breaks[s + 1] in row s.

    The accuracy of the j-th, times P(path), is plus[s, j] y+ + minus[s, j] y-.
    """

    breaks: np.ndarray  # float64 (rows + 1,)
    feature: np.ndarray  # uint64 (rows, width)
    plus: np.ndarray  # float64 (rows, width)
    minus: np.ndarray  # float64 (rows, width)


class LastTests(NamedTuple):
    """The opt-feature list with its guide: see `guide_of`."""

    guide: np.ndarray  # uint64 (GUIDE + 1,)
    breaks: np.ndarray
    feature: np.ndarray
    plus: np.ndarray
    minus: np.ndarray


@kernel
def feature_list(feature, plus, minus, first, end):
    """The list of one feature alone: its pieces between the posteriors at which a value changes its
    class.
    """
    turns = np.empty(end - first + 2, np.float64)
    turns[0] = 0.0
    count = 1
    for value in range(first, end):
        both = plus[value] + minus[value]
        if both > 0.0:
            turn = minus[value] / both
            if 0.0 < turn < 1.0:
                turns[count] = turn
                count += 1
    turns[count] = 1.0
    count += 1
    for i in range(2, count - 1):  # insertion sort: a feature has few values
        turn, place = turns[i], i
        while place > 1 and turns[place - 1] > turn:
            turns[place] = turns[place - 1]
            place -= 1
        turns[place] = turn
    kept = 1
    for i in range(1, count):
        if turns[i] > turns[kept - 1]:
            turns[kept] = turns[i]
            kept += 1
    pieces = kept - 1
    breaks = turns[:kept].copy()
    features = np.full((pieces, 1), feature, np.uint64)
    gain_plus = np.zeros((pieces, 1), np.float64)
    gain_minus = np.zeros((pieces, 1), np.float64)
    for piece in range(pieces):
        middle = 0.5 * (breaks[piece] + breaks[piece + 1])
        for value in range(first, end):
            if middle * plus[value] >= (1.0 - middle) * minus[value]:
                gain_plus[piece, 0] += plus[value]
            else:
                gain_minus[piece, 0] += minus[value]
    return FeatureList(breaks, features, gain_plus, gain_minus)


@kernel
def ranked(order, width1, feature, left, right):
    """Merge two runs of lines, each in order, by their accuracies in the middle; ties by index."""
    i, j = 0, width1
    for rank in range(len(order)):
        first = j == len(order)
        if not first and i < width1:
            gap = left[i] + right[i] - left[j] - right[j]
            first = gap > 2 * TIE or (gap > -2 * TIE and feature[i] < feature[j])
        if first:
            order[rank] = i
            i += 1
        else:
            order[rank] = j
            j += 1


@kernel(inline=True)
def crossings(low, high, left, right, cuts):
    """Fill `cuts` with low, the crossings of lines between, and high; their number."""
    cuts[0] = low
    count = 1
    for a in range(len(left)):
        for b in range(a):
            before, after = left[a] - left[b], right[a] - right[b]
            if (before > TIE and after < -TIE) or (before < -TIE and after > TIE):
                cut = low + (high - low) * before / (before - after)
                if low < cut < high:
                    cuts[count] = cut
                    count += 1
    cuts[count] = high
    count += 1
    sort_values(cuts, count)
    return count


@kernel
def merge_lists(one, two, width):
    """The best `width` at every x out of two lists: cut [0, 1] where either has a break and where
    two lines cross.
    """
    breaks1, features1, plus1, minus1 = one
    breaks2, features2, plus2, minus2 = two
    width1, width2 = features1.shape[1], features2.shape[1]
    lines = width1 + width2
    width = min(width, lines)
    # the lines of both lists on a stretch of x, those of the first list first, and at its ends
    feature, order = np.empty(lines, np.uint64), np.empty(lines, np.int64)
    plus, minus = np.empty(lines, np.float64), np.empty(lines, np.float64)
    left, right = np.empty(lines, np.float64), np.empty(lines, np.float64)
    cuts = np.empty(lines * lines + 2, np.float64)
    room = 2 * (len(breaks1) + len(breaks2)) + 8
    breaks = np.empty(room + 1, np.float64)
    out_feature = np.empty((room, width), np.uint64)
    out_plus = np.empty((room, width), np.float64)
    out_minus = np.empty((room, width), np.float64)
    breaks[0] = 0.0
    count = 0
    i = j = 0
    low = 0.0
    while low < 1.0:
        high = min(breaks1[i + 1], breaks2[j + 1])
        for line in range(lines):
            if line < width1:
                feature[line], plus[line] = features1[i, line], plus1[i, line]
                minus[line] = minus1[i, line]
            else:
                feature[line] = features2[j, line - width1]
                plus[line], minus[line] = plus2[j, line - width1], minus2[j, line - width1]
            left[line] = low * plus[line] + (1.0 - low) * minus[line]
            right[line] = high * plus[line] + (1.0 - high) * minus[line]
        cuts[0], cuts[1] = low, high
        n_cuts = 2
        ranked(order, width1, feature, left, right)
        for rank in range(lines - 1):  # lines that keep their order at both ends do not cross
            one_line, next_line = order[rank], order[rank + 1]
            if left[one_line] < left[next_line] - TIE or right[one_line] < right[next_line] - TIE:
                n_cuts = 0
        if n_cuts == 0:
            n_cuts = crossings(low, high, left, right, cuts)
        for cell in range(n_cuts - 1):
            if cuts[cell + 1] <= cuts[cell]:
                continue
            if n_cuts > 2:
                for line in range(lines):
                    left[line] = cuts[cell] * plus[line] + (1.0 - cuts[cell]) * minus[line]
                    right[line] = cuts[cell + 1] * plus[line] + (1.0 - cuts[cell + 1]) * minus[line]
                ranked(order, width1, feature, left, right)
            same = count > 0
            for rank in range(width):
                line = order[rank]
                if same and (
                    out_feature[count - 1, rank] != feature[line]
                    or out_plus[count - 1, rank] != plus[line]
                    or out_minus[count - 1, rank] != minus[line]
                ):
                    same = False
            if not same:
                if count == room:
                    room *= 2
                    breaks = longer(breaks, room + 1)
                    out_feature = longer_rows(out_feature, room)
                    out_plus = longer_rows(out_plus, room)
                    out_minus = longer_rows(out_minus, room)
                for rank in range(width):
                    line = order[rank]
                    out_feature[count, rank] = feature[line]
                    out_plus[count, rank] = plus[line]
                    out_minus[count, rank] = minus[line]
                count += 1
            breaks[count] = cuts[cell + 1]
        low = high
        if breaks1[i + 1] <= low and i + 2 < len(breaks1):
            i += 1
        if breaks2[j + 1] <= low and j + 2 < len(breaks2):
            j += 1
    return FeatureList(
        breaks[: count + 1].copy(),
        out_feature[:count].copy(),
        out_plus[:count].copy(),
        out_minus[:count].copy(),
    )


@kernel
def contenders(plus, minus, start, width):
    """The features that may be among the best `width` at some x; the others need no list.

    Acc(F, x) is convex: inside a cell it lies below its values at the two ends, joined, and above
    its tangent in the middle. A feature that lies below the tangents of `width` others at both ends
    is behind them in the whole cell.
    """
    features = len(start) - 1
    everyone = np.empty(features, np.int64)
    for feature in range(features):
        everyone[feature] = feature
    rivals = 2 * width
    if features <= 2 * rivals:
        return everyone
    at = np.zeros((features, CELLS + 1), np.float64)
    for feature in range(features):
        for value in range(start[feature], start[feature + 1]):
            for point in range(CELLS + 1):
                x = point / CELLS
                at[feature, point] += max(x * plus[value], (1.0 - x) * minus[value])
    kept = np.zeros(features, np.bool_)
    rival = np.empty(rivals, np.int64)
    highest = np.empty(rivals, np.float64)
    low = np.empty(rivals, np.float64)  # the tangent at the two ends of the cell
    high = np.empty(rivals, np.float64)
    for cell in range(CELLS):
        count = 0
        for feature in range(
            features
        ):  # the best in the cell; of equal ones the lowest, as they come
            level = at[feature, cell] + at[feature, cell + 1]
            if count == rivals and level <= highest[count - 1] + TIE:
                continue
            place = min(count, rivals - 1)
            while place > 0 and level > highest[place - 1] + TIE:
                highest[place], rival[place] = highest[place - 1], rival[place - 1]
                place -= 1
            highest[place], rival[place] = level, feature
            count = min(count + 1, rivals)
        left, right = cell / CELLS, (cell + 1) / CELLS
        middle = 0.5 * (left + right)
        for i in range(rivals):
            low[i] = high[i] = 0.0
            for value in range(start[rival[i]], start[rival[i] + 1]):
                if middle * plus[value] >= (1.0 - middle) * minus[value]:
                    low[i] += left * plus[value]
                    high[i] += right * plus[value]
                else:
                    low[i] += (1.0 - left) * minus[value]
                    high[i] += (1.0 - right) * minus[value]
        for feature in range(features):
            ahead = 0
            for i in range(rivals):
                if kept[feature] or ahead == width:
                    break
                left_lead = low[i] - at[feature, cell]
                right_lead = high[i] - at[feature, cell + 1]
                never_below = rival[i] != feature and min(left_lead, right_lead) > -0.5 * TIE
                if never_below and (rival[i] < feature or left_lead + right_lead > 2 * TIE):
                    ahead += 1
            if ahead < width:
                kept[feature] = True
    chosen = np.empty(features, np.int64)
    count = 0
    for feature in range(features):
        if kept[feature]:
            chosen[count] = feature
            count += 1
    return chosen[:count] if count >= width else everyone


@kernel
def opt_feature_list(plus, minus, start, width):
    """The list over all features, merged in pairs as in a merge sort."""
    chosen = contenders(plus, minus, start, width)
    runs = [feature_list(chosen[0], plus, minus, start[chosen[0]], start[chosen[0] + 1])]
    for feature in chosen[1:]:
        runs.append(feature_list(feature, plus, minus, start[feature], start[feature + 1]))
    while len(runs) > 1:
        merged = [merge_lists(runs[0], runs[1], width)]
        for pair in range(1, len(runs) // 2):
            merged.append(merge_lists(runs[2 * pair], runs[2 * pair + 1], width))
        if len(runs) % 2 == 1:
            merged.append(runs[-1])
        runs = merged
    return runs[0]


@kernel
def guide_of(breaks):
    """Per bucket of [0, 1] the piece that holds its left end: a look-up then takes a step or
    two.
    """
    guide = np.empty(GUIDE + 1, np.uint64)
    piece = 0
    for bucket in range(GUIDE + 1):
        while piece + 2 < len(breaks) and breaks[piece + 1] <= bucket / GUIDE:
            piece += 1
        guide[bucket] = piece
    return guide


@kernel(inline=True)
def best_listed(y_plus, y_minus, used, guide, breaks, feature, plus, minus):
    """Expected accuracy of the best unused feature in the list, times the probability of the
    path.
    """
    x = y_plus / (y_plus + y_minus + TINY)
    piece = guide[np.uint64(x * GUIDE)]  # unsigned indices spare the test for negative ones
    while x > breaks[piece + ONE]:
        piece += ONE
    rank = np.uint64(0)
    while used[feature[piece, rank]]:
        rank += ONE
    return plus[piece, rank] * y_plus + minus[piece, rank] * y_minus
