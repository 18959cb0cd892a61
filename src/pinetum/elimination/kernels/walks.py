"""Trees as walks over records: the current tree in preorder, and the search errors of a
candidate.
"""

from typing import NamedTuple

import numpy as np

from pinetum.constants import VOTE_TOLERANCE
from pinetum.elimination.kernels.ranking import NOWHERE, UNRANKED, rank
from pinetum.elimination.kernels.records import DONE, FULL, NONE, STOPPED, UNKNOWN, expand, split_of
from pinetum.induction.kernels.cuts import index
from pinetum.jit import kernel
from pinetum.kernels.arrays import borrow

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
def borrow_walk(walk):
    return Walk(
        borrow(walk.record),
        borrow(walk.feature),
        borrow(walk.parent),
        borrow(walk.end),
        borrow(walk.next),
        borrow(walk.head),
        borrow(walk.stack),
        borrow(walk.is_wrong),
        borrow(walk.votes),
        borrow(walk.parts),
        borrow(walk.new_votes),
        borrow(walk.new_parts),
        borrow(walk.stamp),
        borrow(walk.touched),
        borrow(walk.counter),
    )


@kernel
def add_votes(
    counts,
    label,
    place,
    search,
    search_weights,
    stamps,
    touched,
    counter,
    votes,
    parts,
    record,
    sign,
):
    """Votes of a leaf for the search cases that reach it in part, as differences."""
    n_classes = counts.shape[1]
    total = np.int64(0)
    for c in range(n_classes):
        total += counts[record, c]
    stamp = counter[0]
    for i in range(place[record, 2], place[record, 3]):
        weight = search_weights[i]
        if weight == 1.0:
            continue
        case = index(search[index(i)])
        if stamps[case] != stamp:
            stamps[case] = stamp
            touched[counter[1]] = case
            counter[1] += 1
        parts[case] += sign
        if total == 0:
            votes[case, label[record]] += sign * np.int64(np.rint(weight * VOTE_UNIT))
            continue
        for c in range(n_classes):
            if counts[record, c] > 0:
                votes[case, c] += sign * np.int64(
                    np.rint(weight * counts[record, c] / total * VOTE_UNIT)
                )


@kernel
def winner(votes, more_votes, case):
    """Class with most votes of a case, ties to the lowest class."""
    best, most = 0, votes[case, 0] + more_votes[case, 0]
    for c in range(1, votes.shape[1]):
        here = votes[case, c] + more_votes[case, c]
        if here > most + VOTE_TIE:
            best, most = c, here
    return best


@kernel(inline=True)
def grow_below(
    table,
    store,
    scratch,
    walk,
    record,
    offered,
    removed,
    places,
    lazy,
    rules,
    whole_rules,
    used,
    errors,
    limit,
):
    """Add the search errors of the subtree at a record: (status, errors).

    Stops when they exceed the limit.

    What is known is counted before anything new is grown, so that a hopeless candidate stops early.
    With `lazy`, a node that no search case reaches is left as it is.
    """
    weighted = len(store.weights) > 0
    # No field is read in the loop: each time its references would be counted.
    state, n_ranked, ranked = store.state, store.n_ranked, store.ranked
    child, children = store.child, store.children
    counts, label = store.counts, store.label
    place_of, wrong = store.place, store.wrong
    search, search_weights = store.search, store.search_weights
    continuous, arity = table.continuous, table.arity
    stamp, touched, counter = walk.stamp, walk.touched, walk.counter
    votes, parts = walk.new_votes, walk.new_parts
    stack = walk.stack  # known records from the front, those to be ranked from the back
    front, back = 1, len(stack)
    stack[0] = record
    status = DONE
    while status == DONE and (front > 0 or back < len(stack)):
        if front > 0:
            front -= 1
            record = stack[front]
            if lazy and place_of[record, 2] == place_of[record, 3]:
                continue
            place = split_of(state, n_ranked, ranked, record, offered, removed)
            if place == UNKNOWN:
                back -= 1
                stack[back] = record
                continue
        else:
            record = stack[back]
            back += 1
            rank(table, store, scratch, record, offered, places, rules, whole_rules)
            place = split_of(state, n_ranked, ranked, record, offered, removed)
        if place < 0:
            errors += wrong[record]
            if errors > limit:
                status = STOPPED
            elif weighted:
                add_votes(
                    counts,
                    label,
                    place_of,
                    search,
                    search_weights,
                    stamp,
                    touched,
                    counter,
                    votes,
                    parts,
                    record,
                    np.int64(1),
                )
            continue
        if child[record, place] == NONE:
            status = expand(table, store, scratch, record, place, rules)
            if status == FULL:
                continue
        feature = ranked[record, place]
        used[feature] = 1
        start = child[record, place]
        for b in range(start + branches_of(continuous, arity, feature) - 1, start - 1, -1):
            if children[b] != NONE:
                stack[front] = children[b]
                front += 1
    return status, errors


@kernel
def branches_of(continuous, arity, feature):
    values = np.int64(arity[feature])
    return np.int64(2) if continuous[feature] else values


@kernel
def lay_out(table, store, walk, offered):
    """Write the tree on the offered features, all of it known, to `walk`: its search errors."""
    weighted = len(store.weights) > 0
    state, n_ranked, ranked = store.state, store.n_ranked, store.ranked
    child, children = store.child, store.children
    counts, labels = store.counts, store.label
    place_of, wrong = store.place, store.wrong
    search, search_weights = store.search, store.search_weights
    continuous, arity = table.continuous, table.arity
    stamp, touched, counter = walk.stamp, walk.touched, walk.counter
    new_votes, new_parts = walk.new_votes, walk.new_parts
    votes, parts = walk.votes, walk.parts
    is_wrong, search_labels = walk.is_wrong, table.search_labels
    records, parents, features = walk.record, walk.parent, walk.feature
    ends, nexts, heads = walk.end, walk.next, walk.head
    stack, above = walk.stack, walk.end  # `end` is only needed afterwards
    stack[0] = 0
    above[0] = NONE
    depth = 1
    n_nodes = 0
    errors = 0
    is_wrong[:] = 0
    heads[:] = NONE
    counter[0] += 1
    counter[1] = 0
    if weighted:
        votes[:] = 0
        parts[:] = 0
    while depth > 0:
        depth -= 1
        record = stack[depth]
        node = n_nodes
        n_nodes += 1
        records[node], parents[node] = record, above[depth]
        place = split_of(state, n_ranked, ranked, record, offered, np.int64(NONE))
        if place < 0:
            features[node] = NONE
            errors += wrong[record]
            label = labels[record]
            for i in range(place_of[record, 2], place_of[record, 3]):
                if not weighted or search_weights[i] == 1.0:
                    case = search[i]
                    is_wrong[case] = search_labels[case] != label
            if weighted:
                add_votes(
                    counts,
                    labels,
                    place_of,
                    search,
                    search_weights,
                    stamp,
                    touched,
                    counter,
                    new_votes,
                    new_parts,
                    record,
                    np.int64(1),
                )
            continue
        feature = ranked[record, place]
        features[node] = feature
        start = child[record, place]
        for b in range(start + branches_of(continuous, arity, feature) - 1, start - 1, -1):
            if children[b] != NONE:
                stack[depth], above[depth] = children[b], node
                depth += 1
    for i in range(counter[1]):
        case = touched[i]
        for c in range(votes.shape[1]):
            votes[case, c] = new_votes[case, c]
        parts[case] = new_parts[case]
        for c in range(votes.shape[1]):
            new_votes[case, c] = 0
        if winner(votes, new_votes, case) != search_labels[case]:
            is_wrong[case] = 1
            errors += 1
    clear_votes(walk)
    for node in range(n_nodes):
        ends[node] = 1
    for node in range(n_nodes - 1, 0, -1):
        ends[parents[node]] += ends[node]
    for node in range(n_nodes - 1, -1, -1):
        ends[node] += node
        feature = features[node]
        if feature != NONE:
            nexts[node] = heads[feature]
            heads[feature] = node
    return errors


@kernel
def clear_votes(walk):
    for i in range(walk.counter[1]):
        case = walk.touched[i]
        for c in range(walk.new_votes.shape[1]):
            walk.new_votes[case, c] = 0
        walk.new_parts[case] = 0
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
def count_parts(search_labels, touched, counter, votes, parts, new_votes, new_parts):
    """Search errors among the touched cases, with the differences applied."""
    errors = 0
    for i in range(counter[1]):
        case = touched[i]
        if parts[case] + new_parts[case] > 0:
            errors += winner(votes, new_votes, case) != search_labels[case]
    return errors


@kernel
def score(
    table,
    store,
    scratch,
    walk,
    offered,
    removed,
    places,
    remember,
    lazy,
    rules,
    whole_rules,
    used,
    untouched,
    limit,
):
    """Search errors without one feature, or of the whole tree for `removed` NONE: (status, errors).

    Only the subtrees at nodes that split on the removed feature are walked (grown where they are
    not known), and only the search cases that reach them count again; `untouched` errors lie
    elsewhere. Without `remember` the subtrees are grown from copies of those nodes.
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
                            add_votes(
                                store.counts,
                                store.label,
                                store.place,
                                store.search,
                                store.search_weights,
                                walk.stamp,
                                walk.touched,
                                walk.counter,
                                walk.new_votes,
                                walk.new_parts,
                                walk.record[old],
                                np.int64(-1),
                            )
                if not remember:
                    if store.top[0] == len(store.state):
                        status = FULL
                        break
                    record = copy_of(store, record)
            status, errors = grow_below(
                table,
                store,
                scratch,
                walk,
                record,
                offered,
                removed,
                places,
                lazy,
                rules,
                whole_rules,
                used,
                errors,
                limit,
            )
            if status != DONE:
                break
        if removed == NONE:
            break
        node = walk.next[node]
    if status == DONE:
        errors += count_parts(
            table.search_labels,
            walk.touched,
            walk.counter,
            walk.votes,
            walk.parts,
            walk.new_votes,
            walk.new_parts,
        )
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
    store.parent[new], store.where[new] = record, NOWHERE
    return new
