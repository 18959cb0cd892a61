"""Trees as walks over records: the current tree in preorder, and the search errors of a candidate."""

from typing import NamedTuple

import numpy as np

from pinetum.constants import VOTE_TOLERANCE
from pinetum.elimination.kernels.records import (
    DONE,
    FULL,
    NONE,
    STOPPED,
    UNKNOWN,
    UNRANKED,
    expand,
    rank,
    split_of,
)
from pinetum.jit import kernel

VOTE_UNIT = 1 << 50  # votes are integers, so that adding and taking back leaves nothing behind
VOTE_TIE = int(VOTE_TOLERANCE * VOTE_UNIT)


class Walk(NamedTuple):
    """The current tree in preorder and what the search cases say about it."""

    record: np.ndarray  # int64 (nodes,)
    feature: np.ndarray  # int32, -1 in a leaf
    parent: np.ndarray  # int64
    end: np.ndarray  # int64: the subtree of node i is i..end[i]
    next: np.ndarray  # int64: next node, in preorder, that splits on the same feature
    head: np.ndarray  # int64 (features,): first node that splits on a feature, or -1
    stack: np.ndarray  # int64
    is_wrong: np.ndarray  # uint8 (search cases,)
    votes: np.ndarray  # int64 (search cases, classes): of the cases that end in several leaves
    parts: np.ndarray  # int64 (search cases,): in how many leaves
    new_votes: np.ndarray  # the same for the candidate, as differences
    new_parts: np.ndarray
    stamp: np.ndarray  # int64 (search cases,): last question that met this case
    touched: np.ndarray  # int64: search cases with differences
    counter: np.ndarray  # int64: last stamp, number of touched cases


@kernel
def add_votes(store, walk, record, sign):
    """Votes of a leaf for the search cases that reach it in part, as differences."""
    counts = store.counts[record]
    total = np.int64(0)
    for c in range(len(counts)):
        total += counts[c]
    stamp = walk.counter[0]
    for i in range(store.place[record, 2], store.place[record, 3]):
        weight = store.search_weights[i]
        if weight == 1.0:
            continue
        case = store.search[i]
        if walk.stamp[case] != stamp:
            walk.stamp[case] = stamp
            walk.touched[walk.counter[1]] = case
            walk.counter[1] += 1
        walk.new_parts[case] += sign
        if total == 0:
            walk.new_votes[case, store.label[record]] += sign * np.int64(np.rint(weight * VOTE_UNIT))
            continue
        for c in range(len(counts)):
            if counts[c] > 0:
                walk.new_votes[case, c] += sign * np.int64(np.rint(weight * counts[c] / total * VOTE_UNIT))


@kernel
def winner(votes, more_votes):
    """Class with most votes, ties to the lowest class."""
    best = 0
    for c in range(1, len(votes)):
        if votes[c] + more_votes[c] > votes[best] + more_votes[best] + VOTE_TIE:
            best = c
    return best


@kernel
def grow_below(
    table, store, scratch, walk, record, offered, removed, places, lazy, rules, used, errors, limit
):  # fmt: skip
    """Add the search errors of the subtree at a record: (status, errors); stops when they exceed the limit.

    What is known is counted before anything new is grown, so that a hopeless candidate stops early.
    With `lazy`, a node that no search case reaches is left as it is.
    """
    weighted = len(store.weights) > 0
    stack = walk.stack  # known records from the front, those to be ranked from the back
    front, back = 1, len(stack)
    stack[0] = record
    while front > 0 or back < len(stack):
        if front > 0:
            front -= 1
            record = stack[front]
            if lazy and store.place[record, 2] == store.place[record, 3]:
                continue
            place = split_of(store, record, offered, removed)
            if place == UNKNOWN:
                back -= 1
                stack[back] = record
                continue
        else:
            record = stack[back]
            back += 1
            rank(table, store, scratch, record, offered, places, rules)
            place = split_of(store, record, offered, removed)
        if place < 0:
            errors += store.wrong[record]
            if errors > limit:
                return STOPPED, errors
            if weighted:
                add_votes(store, walk, record, np.int64(1))
            continue
        if store.child[record, place] == NONE and expand(table, store, scratch, record, place, rules) == FULL:
            return FULL, errors
        feature = store.ranked[record, place]
        used[feature] = 1
        start = store.child[record, place]
        for b in range(start + branches_of(table, feature) - 1, start - 1, -1):
            if store.children[b] != NONE:
                stack[front] = store.children[b]
                front += 1
    return DONE, errors


@kernel
def branches_of(table, feature):
    return 2 if table.continuous[feature] else table.arity[feature]


@kernel
def lay_out(table, store, walk, offered):
    """Write the tree on the offered features, all of it known, to `walk`: its search errors."""
    weighted = len(store.weights) > 0
    stack, above = walk.stack, walk.end  # `end` is only needed afterwards
    stack[0] = 0
    above[0] = NONE
    depth = 1
    n_nodes = 0
    errors = 0
    walk.is_wrong[:] = 0
    walk.head[:] = NONE
    walk.counter[0] += 1
    walk.counter[1] = 0
    if weighted:
        walk.votes[:] = 0
        walk.parts[:] = 0
    while depth > 0:
        depth -= 1
        record = stack[depth]
        node = n_nodes
        n_nodes += 1
        walk.record[node], walk.parent[node] = record, above[depth]
        place = split_of(store, record, offered, np.int64(NONE))
        if place < 0:
            walk.feature[node] = NONE
            errors += store.wrong[record]
            label = store.label[record]
            for i in range(store.place[record, 2], store.place[record, 3]):
                if not weighted or store.search_weights[i] == 1.0:
                    case = store.search[i]
                    walk.is_wrong[case] = table.search_labels[case] != label
            if weighted:
                add_votes(store, walk, record, np.int64(1))
            continue
        feature = store.ranked[record, place]
        walk.feature[node] = feature
        start = store.child[record, place]
        for b in range(start + branches_of(table, feature) - 1, start - 1, -1):
            if store.children[b] != NONE:
                stack[depth], above[depth] = store.children[b], node
                depth += 1
    for i in range(walk.counter[1]):
        case = walk.touched[i]
        for c in range(walk.votes.shape[1]):
            walk.votes[case, c] = walk.new_votes[case, c]
        walk.parts[case] = walk.new_parts[case]
        walk.new_votes[case] = 0
        if winner(walk.votes[case], walk.new_votes[case]) != table.search_labels[case]:
            walk.is_wrong[case] = 1
            errors += 1
    clear_votes(walk)
    for node in range(n_nodes):
        walk.end[node] = 1
    for node in range(n_nodes - 1, 0, -1):
        walk.end[walk.parent[node]] += walk.end[node]
    for node in range(n_nodes - 1, -1, -1):
        walk.end[node] += node
        feature = walk.feature[node]
        if feature != NONE:
            walk.next[node] = walk.head[feature]
            walk.head[feature] = node
    return errors


@kernel
def clear_votes(walk):
    for i in range(walk.counter[1]):
        walk.new_votes[walk.touched[i]] = 0
        walk.new_parts[walk.touched[i]] = 0
    walk.counter[1] = 0


@kernel
def at_stake(store, walk, feature):
    """Search errors below the nodes that split on a feature, and building cases there."""
    walk.counter[0] += 1
    stamp = walk.counter[0]
    errors, size = 0, 0
    node = walk.head[feature]
    end = 0
    while node != NONE:
        if node >= end:  # not below another such node
            end = walk.end[node]
            record = walk.record[node]
            size += store.place[record, 1] - store.place[record, 0]
            for i in range(store.place[record, 2], store.place[record, 3]):
                case = store.search[i]
                if walk.is_wrong[case] and walk.stamp[case] != stamp:
                    walk.stamp[case] = stamp
                    errors += 1
        node = walk.next[node]
    return errors, size


@kernel
def count_parts(table, walk):
    """Search errors among the touched cases, with the differences applied."""
    errors = 0
    for i in range(walk.counter[1]):
        case = walk.touched[i]
        if walk.parts[case] + walk.new_parts[case] > 0:
            errors += winner(walk.votes[case], walk.new_votes[case]) != table.search_labels[case]
    return errors


@kernel
def score(
    table, store, scratch, walk, offered, removed, places, remember, lazy, rules, used, untouched, limit
):  # fmt: skip
    """Search errors without one feature, or of the whole tree for `removed` NONE: (status, errors).

    Only the subtrees at nodes that split on the removed feature are walked (grown where they are not
    known), and only the search cases that reach them count again; `untouched` errors lie elsewhere.
    Without `remember` the subtrees are grown from copies of those nodes.
    """
    weighted = len(store.weights) > 0
    walk.counter[0] += 1
    walk.counter[1] = 0
    errors = untouched
    status = DONE
    node = 0 if removed == NONE else walk.head[removed]
    end = 0
    while node != NONE:
        if node >= end:  # not below another such node
            record = 0
            if removed != NONE:
                end = walk.end[node]
                record = walk.record[node]
                if weighted:
                    for old in range(node, end):
                        if walk.feature[old] == NONE:
                            add_votes(store, walk, walk.record[old], np.int64(-1))
                if not remember:
                    if store.top[0] == len(store.state):
                        status = FULL
                        break
                    record = copy_of(store, record)
            status, errors = grow_below(
                table, store, scratch, walk, record, offered, removed, places, lazy,
                rules, used, errors, limit,
            )  # fmt: skip
            if status != DONE:
                break
        if removed == NONE:
            break
        node = walk.next[node]
    if status == DONE:
        errors += count_parts(table, walk)
    clear_votes(walk)
    return status, errors


@kernel
def copy_of(store, record):
    """A new record for the same cases, without what is known about its features."""
    new = store.top[0]
    store.top[0] += 1
    for k in range(store.place.shape[1]):
        store.place[new, k] = store.place[record, k]
    for c in range(store.counts.shape[1]):
        store.counts[new, c] = store.counts[record, c]
    for word in range(store.alive.shape[1]):
        store.alive[new, word] = store.alive[record, word]
    store.label[new], store.wrong[new] = store.label[record], store.wrong[record]
    store.whole[new] = store.whole[record]
    store.state[new] = UNRANKED
    return new
