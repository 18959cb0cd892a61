"""Trees as walks over records.

A tree is the preorder list of its inner nodes: record, feature, depth, and the search errors of
the leaves directly below that are leaves under every subset. With a search set the other leaves
are listed too, with feature -1 and their own errors. Depths are enough to see where a subtree
ends, so a tree is changed by copying the parts before and after.
"""

from typing import NamedTuple

import numpy as np

from arboretum.distinct.make_kernels import SEARCH_UNIT, make_children, rank_more, small_part
from arboretum.distinct.records_kernels import (
    BUILDING,
    CASES,
    CLASSES,
    ERRORS,
    FULL,
    NOT_MADE,
    RANKING,
    SEARCH,
    UNRANKED,
    WEIGHTS,
    WITH_SEARCH,
)
from arboretum.kernel import kernel
from arboretum.trees.kernels import winner

LEAF = -1
WHOLE = -2
GROW = FULL + 1  # the forest's arrays are too short


class Forest(NamedTuple):
    """The trees of the search's frames, one after the other, and what a walk needs."""

    record: np.ndarray  # int32
    feature: np.ndarray  # int32
    depth: np.ndarray  # int32
    errors: np.ndarray  # int32
    weight: np.ndarray  # int64, of inner nodes
    child: np.ndarray  # int64 (depth,): the walk's stack
    end: np.ndarray  # int64 (depth,)
    node: np.ndarray  # int64 (depth,)


@kernel
def first_offered(table, store, record, offered):
    """Place of the best offered feature in the pool's rankings; 0 when there is none, or FULL."""
    pool, pool64 = store.pool, store.pool64
    words = len(store.offered)
    bits = (record >> 1) + UNRANKED
    for w in range(words):
        if pool64[bits + w] & store.offered[w] != 0:
            if rank_more(table, store, record) != 0:
                return np.int64(FULL)
            break
    some = np.int64(0)
    for w in range(words):
        some |= pool64[bits + words + w] & store.offered[w]
    if some == 0:
        return np.int64(0)
    entry = np.int64(pool[small_part(table, record) + RANKING])
    while offered[pool[entry]] == 0:
        entry += 3
    return entry


@kernel
def walk(table, store, forest, record, depth, to, offered, frontier):
    """Append the subtree of a record under the features offered at `to`; its end, or FULL, or GROW."""
    pool, pool64 = store.pool, store.pool64
    with_search = table.settings[WITH_SEARCH] != 0
    top = np.int64(0)
    root_depth = depth
    while True:
        if to >= len(forest.record):
            return np.int64(GROW)
        entry = first_offered(table, store, record, offered)
        if entry == FULL:
            return entry
        if entry == 0:
            if with_search:
                forest.record[to] = record
                forest.feature[to] = LEAF
                forest.depth[to] = root_depth + top
                forest.errors[to] = pool[small_part(table, record) + ERRORS]
                to += 1
        else:
            f = pool[entry]
            children = np.int64(pool[entry + 2])
            if children == NOT_MADE:
                children = make_children(table, store, record, entry)
                if children == FULL:
                    return children
            forest.record[to] = record
            forest.feature[to] = f
            forest.depth[to] = root_depth + top
            forest.errors[to] = 0
            forest.weight[to] = pool64[record >> 1]
            frontier[f] += forest.weight[to]
            forest.child[top] = children
            forest.end[top] = children + (2 if table.continuous[f] else table.arity[f])
            forest.node[top] = to
            top += 1
            to += 1
        record = np.int64(0)
        while top > 0:
            if forest.child[top - 1] == forest.end[top - 1]:
                top -= 1
                continue
            child = np.int64(pool[forest.child[top - 1]])
            forest.child[top - 1] += 1
            if child > 0:
                record = child
                break
            forest.errors[forest.node[top - 1]] += np.int32(-1 - child)
        if record == 0:
            return np.int64(to)


@kernel
def copy_nodes(forest, low, high, to):
    record, feature, depth, errors = forest.record, forest.feature, forest.depth, forest.errors
    for i in range(high - low):
        record[to + i] = record[low + i]
    for i in range(high - low):
        feature[to + i] = feature[low + i]
    for i in range(high - low):
        depth[to + i] = depth[low + i]
    for i in range(high - low):
        errors[to + i] = errors[low + i]
    weight = forest.weight
    for i in range(high - low):
        weight[to + i] = weight[low + i]
    return to + high - low


@kernel
def rewalk(table, store, forest, start, end, removed, root, offered, frontier):
    """Write the tree start..end without the feature `removed` behind it; its end, or FULL, or GROW.

    `frontier` holds the father's numbers and receives the child's. With removed == WHOLE the tree is
    walked from the root.
    """
    feature, depth = forest.feature, forest.depth
    to = end
    source = start
    remaining = np.int64(1) if removed == WHOLE else frontier[removed]
    while remaining > 0:
        if removed == WHOLE:
            record, d = root, np.int64(0)
            remaining = np.int64(0)
        else:
            i = source
            while feature[i] != removed:
                i += 1
            if to + end - source > len(feature):
                return np.int64(GROW)
            to = copy_nodes(forest, source, i, to)
            record, d = np.int64(forest.record[i]), np.int64(depth[i])
            source = i
            while True:
                if feature[source] >= 0:
                    weight = forest.weight[source]
                    frontier[feature[source]] -= weight
                    if feature[source] == removed:
                        remaining -= weight
                source += 1
                if source == end or depth[source] <= d:
                    break
        to = walk(table, store, forest, record, d, to, offered, frontier)
        if to < 0:
            return to
    if to + end - source > len(feature):
        return np.int64(GROW)
    return copy_nodes(forest, source, end, to)


class Verdicts(NamedTuple):
    """Search cases with missing values, which may reach several leaves."""

    index: np.ndarray  # int32 (cases,): number among them, by case
    votes: np.ndarray  # float64 (number, classes)
    given: np.ndarray  # int64 (number,)
    decided: np.ndarray  # uint8 (number,)
    leaf: np.ndarray  # int64 (grows with the forest)
    rank: np.ndarray  # int64
    case: np.ndarray  # int32 (number,): case, by number


SLACK = 1e-6  # more than the rounding of the shares of one case can add up to


@kernel
def vote(table, store, verdicts, record, fixed):
    """Add the votes of a leaf for its fractional cases; how many are now wrong whatever the rest says."""
    pool, pool64 = store.pool, store.pool64
    at = small_part(table, record)
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
    wrong = 0
    for i in range(first, first + pool[at + SEARCH]):
        w = pool64[weights + i]
        if w == SEARCH_UNIT:
            continue
        case = pool[cases + i]
        number = verdicts.index[case]
        verdicts.given[number] += w
        for k in range(n_classes):
            verdicts.votes[number, k] += (w / SEARCH_UNIT) * (pool64[classes + k] / total)
        if fixed and verdicts.decided[number] == 0:
            truth = table.labels[case]
            most = -1.0
            for k in range(n_classes):
                if k != truth:
                    most = max(most, verdicts.votes[number, k])
            open_votes = 1 + SLACK - verdicts.given[number] / SEARCH_UNIT
            if most > verdicts.votes[number, truth] + open_votes:
                verdicts.decided[number] = 1
                wrong += 1
    return wrong


@kernel
def judge(table, store, forest, verdicts, start, end, place, n_places, least, path):
    """Search errors of the tree start..end, and in `least` bounds for the sub-spaces below it.

    `place` says when the search removes a feature: 0.. in the order of removal, `n_places` for one
    that stays. least[i] counts the errors of the leaves that no removal up to the i-th can touch.
    """
    least[: n_places + 1] = 0
    errors = np.int64(0)
    voting = len(verdicts.case) > 0
    leaves = np.int64(0)
    for i in range(start, end):
        d = forest.depth[i]
        rank = path[d - 1] if d > 0 else np.int64(n_places)
        f = forest.feature[i]
        if f >= 0:
            rank = min(rank, np.int64(place[f]))
            path[d] = rank
        elif voting:
            verdicts.leaf[leaves] = i
            verdicts.rank[leaves] = rank
            leaves += 1
        errors += forest.errors[i]
        least[rank] += forest.errors[i]
    if voting:
        verdicts.votes[:] = 0
        verdicts.given[:] = 0
        verdicts.decided[:] = 0
        for rank in range(n_places, -1, -1):
            for i in range(leaves):
                if verdicts.rank[i] == rank:
                    record = np.int64(forest.record[verdicts.leaf[i]])
                    least[rank] += vote(table, store, verdicts, record, rank > 0)
        for number in range(len(verdicts.case)):
            if verdicts.given[number] == 0:
                continue  # it met no missing value: counted with its leaf
            if winner(verdicts.votes[number]) != table.labels[verdicts.case[number]]:
                errors += 1
    # From errors by rank to errors of the ranks above each.
    below = np.int64(0)
    for rank in range(n_places, -1, -1):
        own = least[rank]
        least[rank] = below
        below += own
    return errors
