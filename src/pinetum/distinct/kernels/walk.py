"""Trees as walks over records.

A tree is the preorder list of its inner nodes: record, feature, depth, and the search errors of
the leaves directly below that are leaves under every subset. With a search set the other leaves
are listed too, with feature -1 and their own errors. Depths are enough to see where a subtree
ends, so a tree is changed by copying the parts before and after.
"""

from typing import NamedTuple

import numpy as np

from pinetum.distinct.kernels.make import SEARCH_UNIT, small_part
from pinetum.distinct.kernels.records import (
    BUILDING,
    CASES,
    CLASSES,
    ERRORS,
    HOPELESS,
    NEEDS_CHILDREN,
    NEEDS_RANKING,
    NOT_MADE,
    RANKING,
    SEARCH,
    UNRANKED,
    WEIGHTS,
    record_of,
)
from pinetum.jit import kernel
from pinetum.trees.kernels.dropping import winner

LEAF = -1
GROW = -1  # interrupts a walk: the forest's arrays are too short


class Forest(NamedTuple):
    """The trees of the search's frames, one after the other, and what a walk needs."""

    record: np.ndarray  # int32
    feature: np.ndarray  # int32
    depth: np.ndarray  # int32
    errors: np.ndarray  # int32
    hopeless: np.ndarray  # int32: search errors of every subtree that may grow here
    weight: np.ndarray  # int64, of inner nodes
    masks: np.ndarray  # int64 (nodes, 2): of the nodes of one tree that err, see `order_by_errors`
    stack: np.ndarray  # int64 (3, depth): next child, end of the children, node
    state: np.ndarray  # STATE (1,): of an interrupted walk
    branches: np.ndarray  # int64 (features,)


# A walk that was interrupted. `source` to `end`: what is left of the father's tree; `to`: where the
# next node goes; `removed`: the feature that goes, of which nodes of weight `remaining` are still
# to come; `top`: of the stack; `visited`: the record at hand, below the depth `root_depth`;
# `entry`: its ranking, where branches are to be made, and `children`: those branches, when no
# record may keep them.
STATE = record_of(
    "source",
    "end",
    "to",
    "remaining",
    "removed",
    "top",
    "visited",
    "root_depth",
    "entry",
    "children",
)


@kernel
def regrow(
    pool,
    pool64,
    mask,
    records,
    feature,
    depth,
    errors,
    hopeless,
    weight,
    stack,
    role,
    frontier,
    branches,
    state,
    level,
    small,
    with_search,
    copies,
):
    """Write a tree without the feature state.removed behind the father's tree, source to end.

    First the subtree of the record state.visited is walked, if there is one; the nodes that split
    on the removed feature follow, with what lies between them copied. `frontier[level]` holds the
    father's numbers and receives the child's. Unless it `copies`, what lies between is left open:
    such a tree is only counted. Ends with 0, GROW, or at a record that has to be ranked or split
    first, and then goes on from there when it is called again.
    """
    words, capacity = len(mask), len(feature)
    now = state[0]
    source, end, to = now.source, now.end, now.to
    remaining, removed = now.remaining, now.removed
    top, record, root_depth = now.top, now.visited, now.root_depth
    # One way out of the loop for all: with several, numba counts references of every array in every
    # call.
    need = np.int64(0)
    while True:
        while record != 0:
            bits = (record >> 1) + UNRANKED
            unranked, some = np.int64(0), np.int64(0)
            for w in range(words):
                unranked |= pool64[bits + w] & mask[w]
                some |= pool64[bits + words + w] & mask[w]
            children = np.int64(0)
            if unranked == 0 and some != 0:
                entry = np.int64(pool[record + small + RANKING])
                while role[level, pool[entry]] == 0:
                    entry += 3
                children = np.int64(pool[entry + 2])
                if children == NOT_MADE:
                    children = now.children
                    now.children = NOT_MADE
                    now.entry = entry
            if unranked != 0 or (some != 0 and children == NOT_MADE) or to >= capacity:
                need = np.int64(NEEDS_RANKING if unranked != 0 else NEEDS_CHILDREN)
                if to >= capacity:
                    need = np.int64(GROW)
                break
            if some != 0:
                f = pool[entry]
                here = pool64[record >> 1]
                records[to] = record
                feature[to] = f
                depth[to] = root_depth + top
                errors[to] = 0
                if with_search:
                    hopeless[to] = pool[record + small + HOPELESS]
                weight[to] = here
                frontier[level, f] += here
                stack[0, top] = children
                stack[1, top] = children + branches[f]
                stack[2, top] = to
                top += 1
                to += 1
            elif with_search:
                records[to] = record
                feature[to] = LEAF
                depth[to] = root_depth + top
                errors[to] = pool[record + small + ERRORS]
                to += 1
            record = np.int64(0)
            while top > 0:
                at = stack[0, top - 1]
                if at == stack[1, top - 1]:
                    top -= 1
                    continue
                stack[0, top - 1] = at + 1
                child = np.int64(pool[at])
                if child > 0:
                    record = child
                    break
                errors[stack[2, top - 1]] += np.int32(-1 - child)
        if need != 0:
            break
        low = source
        if remaining > 0:
            while feature[source] != removed:
                source += 1
        else:
            source = end
        n = source - low
        if to + n > capacity:
            need = np.int64(GROW)
            break
        if copies:
            copy_nodes(records, feature, depth, errors, hopeless, weight, low, to, n, with_search)
        to += n
        if source == end:
            break
        record, root_depth = np.int64(records[source]), np.int64(depth[source])
        while True:
            f = feature[source]
            if f >= 0:
                frontier[level, f] -= weight[source]
                if f == removed:
                    remaining -= weight[source]
            source += 1
            if source == end or depth[source] <= root_depth:
                break
    now.source, now.to, now.remaining = source, to, remaining
    now.top, now.visited, now.root_depth = top, record, root_depth
    return need


@kernel(inline=True)
def copy_nodes(records, feature, depth, errors, hopeless, weight, source, to, n, with_search):
    """Copy n nodes of a tree, array by array, which the processor does several at a time."""
    for i in range(n):
        records[to + i] = records[source + i]
    for i in range(n):
        feature[to + i] = feature[source + i]
    for i in range(n):
        depth[to + i] = depth[source + i]
    for i in range(n):
        weight[to + i] = weight[source + i]
    if with_search:
        for i in range(n):
            errors[to + i] = errors[source + i]
        for i in range(n):
            hopeless[to + i] = hopeless[source + i]


class Verdicts(NamedTuple):
    """Search cases with missing values, which may reach several leaves."""

    number: np.ndarray  # int32 (cases,): number among them, by case
    votes: np.ndarray  # float64 (number, classes)
    given: np.ndarray  # int64 (number,)
    decided: np.ndarray  # uint8 (number,)
    leaf: np.ndarray  # int64 (grows with the forest)
    rank: np.ndarray  # int64 (the same)
    turn: np.ndarray  # int64 (the same): the leaves in the order in which they vote
    first: np.ndarray  # int64 (features + 2,)
    case: np.ndarray  # int32 (number,): case, by number


SLACK = 1e-6  # more than the rounding of the shares of one case can add up to


@kernel(inline=True)
def vote(pool, pool64, words, labels, least_cost, verdicts, record, fixed):
    """Add the votes of a leaf for its fractional cases.

    The cost of those now wrong whatever the rest says.
    """
    at = small_part(words, record)
    classes = np.int64(pool[at + CLASSES])
    if classes == 0:
        return 0
    classes = (record + classes) >> 1
    n_classes = verdicts.votes.shape[1]
    first = np.int64(pool[at + BUILDING])
    cases = record + pool[at + CASES]
    weights = (record + pool[at + WEIGHTS]) >> 1
    total = np.int64(0)
    for k in range(n_classes):
        total += pool64[classes + k]
    wrong = np.int64(0)
    for i in range(first, first + pool[at + SEARCH]):
        w = pool64[weights + i]
        if w == SEARCH_UNIT:
            continue
        case = pool[cases + i]
        number = verdicts.number[case]
        verdicts.given[number] += w
        for k in range(n_classes):
            verdicts.votes[number, k] += (w / SEARCH_UNIT) * (pool64[classes + k] / total)
        if fixed and verdicts.decided[number] == 0:
            truth = labels[case]
            most = -1.0
            for k in range(n_classes):
                if k != truth:
                    most = max(most, verdicts.votes[number, k])
            open_votes = 1 + SLACK - verdicts.given[number] / SEARCH_UNIT
            if most > verdicts.votes[number, truth] + open_votes:
                verdicts.decided[number] = 1
                wrong += least_cost[truth]
    return wrong


@kernel(inline=True)
def judge(
    pool,
    pool64,
    words,
    labels,
    cost,
    least_cost,
    records,
    feature,
    depth,
    wrong,
    hopeless,
    verdicts,
    begin,
    end,
    place,
    n_places,
    least,
    path,
):
    """Search errors of the tree begin..end, and in `least` bounds for the sub-spaces below it.

    `place` says when the search removes a feature: 0.. in the order of removal, `n_places` for one
    that stays. least[i] counts the errors that no removal up to the i-th can undo: those of the
    leaves it cannot touch, and at the first node it can touch on a path those of cases whose class
    is absent there.
    """
    for rank in range(n_places + 1):
        least[rank] = 0
    errors = np.int64(0)
    voting = len(verdicts.case) > 0
    small = small_part(words, np.int64(0))
    leaves = np.int64(0)
    for i in range(begin, end):
        d = depth[i]
        above = path[d - 1] if d > 0 else np.int64(n_places)
        rank = above
        f = feature[i]
        if f >= 0:
            rank = min(rank, np.int64(place[f]))
            path[d] = rank
            if hopeless[i] > 0:
                least[above] += hopeless[i]
                least[rank] -= hopeless[i]
        elif voting and pool[records[i] + small + CLASSES] != 0:
            verdicts.leaf[leaves] = i
            verdicts.rank[leaves] = rank
            leaves += 1
        errors += wrong[i]
        least[rank] += wrong[i]
    if leaves > 0:
        errors += count_votes(
            pool,
            pool64,
            words,
            labels,
            cost,
            least_cost,
            records,
            verdicts,
            leaves,
            n_places,
            least,
        )
    # From errors by rank to errors of the ranks above each.
    below = np.int64(0)
    for rank in range(n_places, -1, -1):
        own = least[rank]
        least[rank] = below
        below += own
    return errors


@kernel
def count_votes(
    pool, pool64, words, labels, cost, least_cost, records, verdicts, leaves, n_places, least
):
    """Errors of the search cases that reach several leaves.

    `least` receives those that nothing can undo.
    """
    verdicts.votes[:] = 0
    verdicts.given[:] = 0
    verdicts.decided[:] = 0
    # Leaves that stay longest vote first; the sort keeps the order of equals.
    first = verdicts.first
    first[: n_places + 2] = 0
    for i in range(leaves):
        first[n_places - verdicts.rank[i] + 1] += 1
    for i in range(n_places + 1):
        first[i + 1] += first[i]
    for i in range(leaves):
        at = n_places - verdicts.rank[i]
        verdicts.turn[first[at]] = i
        first[at] += 1
    for i in range(leaves):
        leaf = verdicts.turn[i]
        rank = verdicts.rank[leaf]
        record = np.int64(records[verdicts.leaf[leaf]])
        least[rank] += vote(pool, pool64, words, labels, least_cost, verdicts, record, rank > 0)
    errors = np.int64(0)
    for number in range(len(verdicts.case)):
        if verdicts.given[number] == 0:
            continue  # it met no missing value: counted with its leaf
        errors += cost[labels[verdicts.case[number]], winner(verdicts.votes[number])]
    return errors
