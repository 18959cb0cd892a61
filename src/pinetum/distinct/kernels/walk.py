"""Trees as walks over records.

A tree is the preorder list of its inner nodes: record, feature, depth, and the search errors of
the leaves directly below that are leaves under every subset. With a search set the other leaves
are listed too, with feature -1 and their own errors. Depths are enough to see where a subtree
ends, so a tree is changed by copying the parts before and after:

    father's tree   | a  b [x ...] c  d [x] e |                    x: the removed feature
    the new tree                              | a b [anew] c d [anew] e |
                      source >                ^ begin              to >
"""

from typing import NamedTuple

import numpy as np

from pinetum.distinct.kernels.children import SEARCH_UNIT
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
    Memory,
    small_part,
)
from pinetum.jit import kernel
from pinetum.kernels.bundles import borrower, record_of
from pinetum.trees.kernels.dropping import winner

LEAF = -1
GROW = -1  # interrupts a walk: the forest's arrays are too short

# A walk that was interrupted.
STATE = record_of(
    "source",  # what is left of the father's tree, up to
    "end",
    "to",  # where the next node goes
    "remaining",  # nodes of this weight are still to come that split on
    "removed",  # the feature that goes
    "top",  # of the stack
    "visited",  # the record at hand, or 0
    "root_depth",  # its depth, with an empty stack
    "entry",  # of its ranking, where branches are to be made
    "children",  # those branches, when no record may keep them
)
BRANCHES = record_of("next", "end", "node")  # of a node of the path: in the pool, in the tree


class Forest(NamedTuple):
    """The trees of the search's frames, one after the other, and what a walk needs."""

    record: np.ndarray  # int32
    feature: np.ndarray  # int32
    depth: np.ndarray  # int32
    errors: np.ndarray  # int32
    hopeless: np.ndarray  # int32: search errors of every subtree that may grow here
    weight: np.ndarray  # int64, of inner nodes
    masks: np.ndarray  # int64 (nodes, 2): of the nodes of one tree that err, see `order_by_errors`
    stack: np.ndarray  # BRANCHES (depth,)
    state: np.ndarray  # STATE (1,): of an interrupted walk
    branches: np.ndarray  # int64 (features,)


borrow_memory, borrow_forest = borrower(Memory), borrower(Forest)


@kernel(inline=True)
def begin_walk(now, frames, offered, father, level, whole, root, removed):
    """Begin to walk a frame's tree: the father's without a feature, or a whole one behind it."""
    begin = end = np.int64(0)
    if father >= 0:
        begin = frames.frame[father].begin
        end = begin if level == father else frames.frame[father].end
    # The new tree lies behind the one it is made from.
    now.source, now.end, now.to, now.removed = begin, end, end, removed
    now.remaining, now.visited = 0, 0
    if whole:
        now.source, now.removed, now.visited = end, -1, max(root, 0)
        for f in range(frames.frontier.shape[1]):
            frames.frontier[level, f] = 0
    else:
        now.remaining = frames.frontier[father, removed]
        for f in range(frames.frontier.shape[1]):
            frames.frontier[level, f] = frames.frontier[father, f]
    now.top, now.root_depth, now.children = 0, 0, 0
    for w in range(len(offered)):
        offered[w] = frames.offered[level, w]


@kernel
def regrow(memory, forest, role, frontier, offered, with_search, copies):
    """Write a tree without the feature state.removed behind the father's tree, source to end.

    First the subtree of the record state.visited is walked, if there is one; the nodes that split
    on the removed feature follow, with what lies between them copied. `frontier` holds the father's
    numbers and receives the child's. Unless it `copies`, what lies between is left open: such a
    tree is only counted. Ends with 0, GROW, or at a record that has to be ranked or split first,
    and then goes on from there when it is called again.
    """
    memory, forest = borrow_memory(memory), borrow_forest(forest)
    now, stack, pool = forest.state[0], forest.stack, memory.pool
    small, capacity = small_part(len(offered), np.int64(0)), len(forest.feature)
    source, to, remaining = now.source, now.to, now.remaining
    top, record, root_depth = now.top, now.visited, now.root_depth
    # One way out of the loop for all: with several, numba counts references of every array in every
    # call.
    need = np.int64(0)
    while True:
        while record != 0:
            need, entry, children = split_of(memory, now, role, offered, small, record)
            if to >= capacity:
                need = np.int64(GROW)
            if need != 0:
                break
            if entry != 0:
                f = pool[entry]
                here = memory.pool64[record >> 1]
                forest.weight[to] = here
                forest.errors[to] = 0
                if with_search:
                    forest.hopeless[to] = pool[record + small + HOPELESS]
                frontier[f] += here
                stack[top].next, stack[top].node = children, to
                stack[top].end = children + forest.branches[f]
                write_node(forest, to, record, f, root_depth + top)
                top += 1
                to += 1
            elif with_search:
                forest.errors[to] = pool[record + small + ERRORS]
                write_node(forest, to, record, LEAF, root_depth + top)
                to += 1
            record, top = next_record(forest, pool, top)
        if need != 0:
            break
        low, source = source, next_removed(forest, now, source, remaining)
        n = source - low
        if to + n > capacity:
            need, source = np.int64(GROW), low
            break
        if copies:
            copy_nodes(forest, low, to, n, with_search)
        to += n
        if source == now.end:
            break
        record, root_depth = np.int64(forest.record[source]), np.int64(forest.depth[source])
        source, remaining = skip_subtree(forest, now, frontier, source, remaining)
    now.source, now.to, now.remaining = source, to, remaining
    now.top, now.visited, now.root_depth = top, record, root_depth
    return need


@kernel(inline=True)
def split_of(memory, now, role, offered, small, record):
    """(what a record lacks or 0, entry of the feature it splits on or 0 in a leaf, children)."""
    bits = (record >> 1) + UNRANKED
    unranked, some = np.int64(0), np.int64(0)
    for w in range(len(offered)):
        unranked |= memory.pool64[bits + w] & offered[w]
        some |= memory.pool64[bits + len(offered) + w] & offered[w]
    need, entry, children = np.int64(0), np.int64(0), np.int64(0)
    if unranked != 0:
        need = np.int64(NEEDS_RANKING)
    elif some != 0:
        entry = np.int64(memory.pool[record + small + RANKING])
        while role[memory.pool[entry]] == 0:
            entry += 3
        children = np.int64(memory.pool[entry + 2])
        if children == NOT_MADE:
            children = now.children
            now.children = NOT_MADE
            now.entry = entry
            if children == NOT_MADE:
                need = np.int64(NEEDS_CHILDREN)
    return need, entry, children


@kernel(inline=True)
def write_node(forest, to, record, feature, depth):
    """Write a node of a tree."""
    forest.record[to] = record
    forest.feature[to] = feature
    forest.depth[to] = depth


@kernel(inline=True)
def next_record(forest, pool, top):
    """(the next branch that has a record, or 0, height of the stack); others count their errors."""
    record, stack = np.int64(0), forest.stack
    while top > 0 and record == 0:
        here = stack[top - 1]
        if here.next == here.end:
            top -= 1
        else:
            child = np.int64(pool[here.next])
            here.next += 1
            if child > 0:
                record = child
            else:
                forest.errors[here.node] += np.int32(-1 - child)
    return record, top


@kernel(inline=True)
def next_removed(forest, now, source, remaining):
    """The next node of the father's tree that splits on the removed feature, or its end."""
    if remaining > 0:
        while forest.feature[source] != now.removed:
            source += 1
    else:
        source = now.end
    return source


@kernel(inline=True)
def skip_subtree(forest, now, frontier, source, remaining):
    """(the node after a subtree of the father's tree, what remains without it)."""
    depth, inside = forest.depth[source], True
    while inside:
        f = forest.feature[source]
        if f >= 0:
            frontier[f] -= forest.weight[source]
            if f == now.removed:
                remaining -= forest.weight[source]
        source += 1
        inside = source < now.end and forest.depth[source] > depth
    return source, remaining


@kernel(inline=True)
def copy_nodes(forest, source, to, n, with_search):
    """Copy n nodes of a tree, array by array, which the processor does several at a time."""
    for i in range(n):
        forest.record[to + i] = forest.record[source + i]
    for i in range(n):
        forest.feature[to + i] = forest.feature[source + i]
    for i in range(n):
        forest.depth[to + i] = forest.depth[source + i]
    for i in range(n):
        forest.weight[to + i] = forest.weight[source + i]
    if with_search:
        for i in range(n):
            forest.errors[to + i] = forest.errors[source + i]
        for i in range(n):
            forest.hopeless[to + i] = forest.hopeless[source + i]


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
def vote(table, memory, verdicts, record, fixed):
    """Add the votes of a leaf for its fractional cases.

    The cost of those now wrong whatever the rest says.
    """
    pool, pool64 = memory.pool, memory.pool64
    at = small_part(table.settings[0].words, record)
    classes = (record + pool[at + CLASSES]) >> 1
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
            truth = table.labels[case]
            if is_lost(verdicts, number, truth):
                verdicts.decided[number] = 1
                wrong += table.least_cost[truth]
    return wrong


@kernel(inline=True)
def is_lost(verdicts, number, truth):
    """Whether a case is wrong whatever its other leaves vote."""
    most = -1.0
    for k in range(verdicts.votes.shape[1]):
        if k != truth:
            most = max(most, verdicts.votes[number, k])
    open_votes = 1 + SLACK - verdicts.given[number] / SEARCH_UNIT
    return most > verdicts.votes[number, truth] + open_votes


@kernel(inline=True)
def judge(table, memory, forest, verdicts, begin, end, n_places, results, least):
    """Search errors of the tree begin..end, and in `least` bounds for the sub-spaces below it.

    `results.place` says when the search removes a feature: 0.. in the order of removal, `n_places`
    for one that stays. least[i] counts the errors that no removal up to the i-th can undo: those of
    the leaves it cannot touch, and at the first node it can touch on a path those of cases whose
    class is absent there.
    """
    place, path = results.place, results.path
    for rank in range(n_places + 1):
        least[rank] = 0
    errors = np.int64(0)
    voting = len(verdicts.case) > 0
    small = small_part(table.settings[0].words, np.int64(0))
    leaves = np.int64(0)
    for i in range(begin, end):
        d = forest.depth[i]
        above = path[d - 1] if d > 0 else np.int64(n_places)
        rank = above
        f = forest.feature[i]
        if f >= 0:
            rank = min(rank, np.int64(place[f]))
            path[d] = rank
            if forest.hopeless[i] > 0:
                least[above] += forest.hopeless[i]
                least[rank] -= forest.hopeless[i]
        elif voting and memory.pool[forest.record[i] + small + CLASSES] != 0:
            verdicts.leaf[leaves] = i
            verdicts.rank[leaves] = rank
            leaves += 1
        errors += forest.errors[i]
        least[rank] += forest.errors[i]
    if leaves > 0:
        errors += count_votes(table, memory, forest.record, verdicts, leaves, n_places, least)
    # From errors by rank to errors of the ranks above each.
    below = np.int64(0)
    for rank in range(n_places, -1, -1):
        own = least[rank]
        least[rank] = below
        below += own
    return errors


@kernel
def count_votes(table, memory, records, verdicts, leaves, n_places, least):
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
        least[rank] += vote(table, memory, verdicts, record, rank > 0)
    errors = np.int64(0)
    for number in range(len(verdicts.case)):
        if verdicts.given[number] == 0:
            continue  # it met no missing value: counted with its leaf
        truth = table.labels[verdicts.case[number]]
        errors += table.cost[truth, winner(verdicts.votes[number])]
    return errors
