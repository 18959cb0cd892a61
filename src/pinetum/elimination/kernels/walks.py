"""Trees as walks over records: the present tree in preorder, and search errors of candidates."""

import numpy as np

from pinetum.constants import VOTE_TOLERANCE
from pinetum.elimination.kernels.bundles import (
    DONE,
    FULL,
    NONE,
    NOWHERE,
    STOPPED,
    UNKNOWN,
    UNRANKED,
)
from pinetum.elimination.kernels.ranking import rank
from pinetum.elimination.kernels.records import expand, split_of
from pinetum.induction.kernels.cuts import index
from pinetum.jit import kernel

VOTE_UNIT = 1 << 50  # votes are integers, so that adding and taking back leaves nothing behind
VOTE_TIE = int(VOTE_TOLERANCE * VOTE_UNIT)


@kernel
def add_votes(store, votes, record, sign):
    """Votes of a leaf for the search cases that reach it in part, as differences."""
    counts, here, counter = store.counts, store.node[record], votes.counter[0]
    new_votes, new_parts = votes.new_votes, votes.new_parts
    search, search_weights = store.search, store.search_weights
    total = np.int64(0)
    for c in range(counts.shape[1]):
        total += counts[record, c]
    for i in range(here.search_first, here.search_last):
        weight = search_weights[i]
        if weight == 1.0:
            continue
        case = index(search[index(i)])
        if votes.stamp[case] != counter.stamp:
            votes.stamp[case] = counter.stamp
            votes.touched[counter.touched] = case
            counter.touched += 1
        new_parts[case] += sign
        if total == 0:
            new_votes[case, here.label] += sign * np.int64(np.rint(weight * VOTE_UNIT))
            continue
        for c in range(counts.shape[1]):
            if counts[record, c] > 0:
                new_votes[case, c] += sign * np.int64(
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
def branches_of(table, feature):
    return np.int64(2) if table.continuous[feature] else np.int64(table.features.arity[feature])


@kernel(inline=True)
def grow_below(table, store, scratch, walk, record, search, rules, whole_rules):
    """Add the search errors of the subtree at a record to `ask.errors`; stop when they exceed the
    limit.

    What is known is counted before anything new is grown, so that a hopeless candidate stops early.
    """
    weighted, ask = len(store.weights) > 0, search.ask[0]
    node, split, offered = store.node, store.split, search.offered
    stack = walk.stack  # known records from the front, those to be ranked from the back
    front, back = 1, len(stack)
    stack[0] = record
    ask.status = DONE
    while ask.status == DONE and (front > 0 or back < len(stack)):
        if front > 0:
            front -= 1
            record = stack[front]
            if ask.lazy and node[record].search_first == node[record].search_last:
                continue
            place = split_of(node, split, record, offered, ask.removed)
            if place == UNKNOWN:
                back -= 1
                stack[back] = record
                continue
        else:
            record = stack[back]
            back += 1
            rank(table, store, scratch, record, offered, ask.places, rules, whole_rules)
            place = split_of(node, split, record, offered, ask.removed)
        if place < 0:
            ask.errors += node[record].wrong
            if ask.errors > ask.limit:
                ask.status = STOPPED
            elif weighted:
                add_votes(store, walk.votes, record, np.int64(1))
            continue
        if split[record, place].child == NONE:
            ask.status = expand(table, store, scratch, record, place, rules)
            if ask.status == FULL:
                continue
        feature = split[record, place].feature
        search.used[feature] = 1
        start = split[record, place].child
        for b in range(start + branches_of(table, feature) - 1, start - 1, -1):
            if store.children[b] != NONE:
                stack[front] = store.children[b]
                front += 1


@kernel(inline=True)
def write_leaf(table, store, walk, record):
    """Say which of a leaf's whole search cases are labelled wrongly."""
    here, weighted = store.node[record], len(store.weights) > 0
    for i in range(here.search_first, here.search_last):
        if not weighted or store.search_weights[i] == 1.0:
            case = store.search[i]
            walk.is_wrong[case] = table.search_labels[case] != here.label
    if weighted:
        add_votes(store, walk.votes, record, np.int64(1))


@kernel(inline=True)
def write_nodes(table, store, walk, offered):
    """Write the nodes of the present tree in preorder: how many, and the whole search errors."""
    stack, above = walk.stack, walk.above
    stack[0], above[0] = 0, NONE
    depth, n_nodes, errors = 1, 0, 0
    while depth > 0:
        depth -= 1
        record = stack[depth]
        node = walk.node[n_nodes]
        node.record, node.parent, node.feature = record, above[depth], NONE
        place = split_of(store.node, store.split, record, offered, np.int64(NONE))
        if place < 0:
            errors += store.node[record].wrong
            write_leaf(table, store, walk, record)
        else:
            node.feature = store.split[record, place].feature
            start = store.split[record, place].child
            for b in range(start + branches_of(table, node.feature) - 1, start - 1, -1):
                if store.children[b] != NONE:
                    stack[depth], above[depth] = store.children[b], n_nodes
                    depth += 1
        n_nodes += 1
    return n_nodes, errors


@kernel(inline=True)
def count_votes(table, walk):
    """Keep the votes of the present tree: search errors of the cases that end in several leaves."""
    votes, errors = walk.votes, 0
    for i in range(votes.counter[0].touched):
        case = votes.touched[i]
        for c in range(votes.votes.shape[1]):
            votes.votes[case, c] = votes.new_votes[case, c]
            votes.new_votes[case, c] = 0
        votes.parts[case] = votes.new_parts[case]
        if winner(votes.votes, votes.new_votes, case) != table.search_labels[case]:
            walk.is_wrong[case] = 1
            errors += 1
    return errors


@kernel(inline=True)
def link_nodes(walk, n_nodes):
    """Ends of the subtrees, and the chain of the nodes that split on each feature."""
    for i in range(n_nodes):
        walk.node[i].end = 1
    for i in range(n_nodes - 1, 0, -1):
        walk.node[walk.node[i].parent].end += walk.node[i].end
    for i in range(n_nodes - 1, -1, -1):
        node = walk.node[i]
        node.end += i
        if node.feature != NONE:
            node.next = walk.head[node.feature]
            walk.head[node.feature] = i


@kernel
def lay_out(table, store, walk, offered):
    """Write the tree on the offered features, all of it known, to `walk`: its search errors."""
    votes = walk.votes
    walk.is_wrong[:] = 0
    walk.head[:] = NONE
    votes.counter[0].stamp += 1
    votes.counter[0].touched = 0
    votes.votes[:] = 0
    votes.parts[:] = 0
    n_nodes, errors = write_nodes(table, store, walk, offered)
    errors += count_votes(table, walk)
    clear_votes(votes)
    link_nodes(walk, n_nodes)
    return errors


@kernel
def clear_votes(votes):
    counter = votes.counter[0]
    for i in range(counter.touched):
        case = votes.touched[i]
        for c in range(votes.new_votes.shape[1]):
            votes.new_votes[case, c] = 0
        votes.new_parts[case] = 0
    counter.touched = 0


@kernel
def at_stake(store, walk, feature):
    """Search errors below the nodes that split on a feature, and building cases there."""
    stamps = walk.votes.stamp
    walk.votes.counter[0].stamp += 1
    stamp = walk.votes.counter[0].stamp
    errors, size = 0, 0
    i, end = walk.head[feature], 0
    while i != NONE:
        if i >= end:  # not below another such node
            end = walk.node[i].end
            here = store.node[walk.node[i].record]
            size += here.last - here.first
            for at in range(here.search_first, here.search_last):
                case = store.search[at]
                if walk.is_wrong[case] and stamps[case] != stamp:
                    stamps[case] = stamp
                    errors += 1
        i = walk.node[i].next
    return errors, size


@kernel(inline=True)
def count_touched(table, votes):
    """Search errors among the touched cases, with the differences applied."""
    errors = 0
    for i in range(votes.counter[0].touched):
        case = votes.touched[i]
        if votes.parts[case] + votes.new_parts[case] > 0:
            errors += winner(votes.votes, votes.new_votes, case) != table.search_labels[case]
    return errors


@kernel(inline=True)
def leave_out(store, walk, first, end):
    """Take back the votes of the leaves of a subtree of the present tree."""
    for i in range(first, end):
        if walk.node[i].feature == NONE:
            add_votes(store, walk.votes, walk.node[i].record, np.int64(-1))


@kernel(inline=True)
def score(table, store, scratch, walk, search, rules, whole_rules):
    """Answer `search.ask`: its status and errors.

    Only the subtrees at nodes that split on the removed feature are walked (grown where they are
    not known), and only the search cases that reach them count again. What is not to be remembered
    is grown from copies of those nodes.
    """
    votes, ask = walk.votes, search.ask[0]
    votes.counter[0].stamp += 1
    votes.counter[0].touched = 0
    ask.errors, ask.status = ask.untouched, DONE
    i = np.int64(0) if ask.removed == NONE else walk.head[ask.removed]
    end = np.int64(0)
    while i != NONE and ask.status == DONE:
        if i >= end:  # not below another such node
            record = np.int64(0)
            if ask.removed != NONE:
                end = walk.node[i].end
                record = walk.node[i].record
                if len(store.weights) > 0:
                    leave_out(store, walk, i, end)
            if not ask.remember and store.top[0].records == len(store.node):
                ask.status = FULL
            else:
                if not ask.remember and ask.removed != NONE:
                    record = copy_of(store, record)
                grow_below(table, store, scratch, walk, record, search, rules, whole_rules)
        i = np.int64(NONE) if ask.removed == NONE else walk.node[i].next
    if ask.status == DONE:
        ask.errors += count_touched(table, votes)
    clear_votes(votes)


@kernel(inline=True)
def copy_of(store, record):
    """A new record for the same cases, without what is known about its features."""
    new = store.top[0].records
    store.top[0].records += 1
    here, before = store.node[new], store.node[record]
    here.first, here.last = before.first, before.last
    here.search_first, here.search_last = before.search_first, before.search_last
    here.label, here.wrong, here.whole = before.label, before.wrong, before.whole
    here.state, here.parent, here.where = UNRANKED, record, NOWHERE
    for c in range(store.counts.shape[1]):
        store.counts[new, c] = store.counts[record, c]
    for word in range(store.alive.shape[1]):
        store.alive[new, word] = store.alive[record, word]
    return new
