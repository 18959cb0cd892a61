"""Nodes that have been seen, and trees as walks over them.

A subtree is fixed by the (weighted) cases that reach its root and by the features offered. A record
keeps the building cases and the search cases of one node, and its best few features in order; the
split of the node under any smaller set of features is then the first of these that is still
offered, and only when all are gone are the features ranked again. Children are made when a walk
first needs them. A record is reached through the splits above it, so it is only ever visited while
the features that were ranked higher on the way are absent: its own ranking, made when they already
were, holds.

Why these are not the records of `distinct`: those rank every feature and are found again by a hash
of their cases, which a search over all subsets needs and one elimination does not. One tree on them
takes 1.1 to 1.5 times as long (CPU ms here / there: Letter 19 / 27, Adult 33 / 43, Sonar .6 / .7,
Soybean .7 / 1.0, Clean1 3.5 / 5.3), the whole elimination up to 4.5 times (Hypothyroid 4.0 / 17.9,
Soybean 5.1 / 9.9, Letter 282 / 465), and a record of a table of 5,000 features takes 100 kB instead
of 300 bytes. Where every subset is judged on several folds, `elimination.paths` does use those.
"""

from typing import NamedTuple

import numpy as np

from pinetum.constants import WEIGHT_UNIT
from pinetum.elimination.kernels.ranking import CUT_SHORT, LEAF, NOWHERE, UNRANKED
from pinetum.induction.kernels.cuts import index
from pinetum.induction.kernels.nodes import place_cut
from pinetum.induction.kernels.quality import branch_share, majority
from pinetum.jit import kernel
from pinetum.kernels.arrays import borrow

DONE, FULL, STOPPED = 0, 1, 2  # status codes of the walks
NONE, UNKNOWN = -1, -2


class Table(NamedTuple):
    """Building and search cases by feature, as int32 codes."""

    codes: np.ndarray  # (features, building cases)
    labels: np.ndarray
    search_codes: np.ndarray  # (features, search cases)
    search_labels: np.ndarray
    arity: np.ndarray  # int32
    continuous: np.ndarray  # uint8
    order_row: np.ndarray  # int32: row of a continuous feature in `Scratch.entries`, or -1
    one_row: np.ndarray  # int32: the same for `Scratch.line`
    close: np.ndarray  # uint8, all 0: as `induction.kernels.grow` wants it
    nlogn: np.ndarray  # int64
    n_discrete: int
    values: np.ndarray  # float64: the sorted distinct values of all continuous features, end to end
    value_start: np.ndarray  # int64 (features + 1,)
    class_bits: int
    case_bits: int
    n_classes: int


class Store(NamedTuple):
    """Records; the last axes of the pools are filled from the front."""

    top: (
        np.ndarray
    )  # int64: records, building, search and child entries in use, rankings, columns given out
    cases: np.ndarray  # pool of building cases, int32
    weights: np.ndarray  # their int64 weights; empty where the table has no missing cells
    search: np.ndarray  # pool of search cases, int32
    search_weights: np.ndarray  # float64, as prediction spreads them
    place: np.ndarray  # int64 (records, 4): from and to in the two pools
    parent: np.ndarray  # int64: record that has all the cases of this one, or -1
    where: (
        np.ndarray
    )  # int64: its presorted entries, counted from the first column given out; -1: none
    state: np.ndarray  # int8
    whole: np.ndarray  # uint8: every building case counts once
    label: np.ndarray  # int32
    wrong: np.ndarray  # int32: whole search cases that a leaf here would label wrongly
    counts: np.ndarray  # int64 (records, classes)
    alive: np.ndarray  # int64 (records, words): features that are not constant here
    n_ranked: np.ndarray  # int32
    ranked: np.ndarray  # int32 (records, places): features, best first
    below: np.ndarray  # int32: for a continuous feature the codes on both sides of its best cut
    above: np.ndarray
    child: np.ndarray  # int64: where the children of that split start in `children`, or -1
    children: np.ndarray  # pool of record numbers; -1: no case of either kind goes there


class Scratch(NamedTuple):
    """Room for one ranking or one split."""

    entries: np.ndarray  # int64 (continuous features, columns): a ring
    line: np.ndarray  # int64 (1, cases + 1): a row by itself
    starts: np.ndarray  # int64 (1, continuous features): the rows of the node at hand
    ends: np.ndarray  # int64 (continuous features,)
    cases: (
        np.ndarray
    )  # int64 (cases,): case << class_bits | class, numbered among those that are there
    weights: np.ndarray  # int64 (cases,)
    weight_of: np.ndarray  # int64 (cases,): the same by case
    mark: np.ndarray  # uint8 (cases,)
    spare: np.ndarray  # int64 (cases,)
    count: np.ndarray  # int64 (largest arity + 1,)
    active: np.ndarray  # int64 (features,)
    single: np.ndarray  # int64 (1,)
    found: np.ndarray  # int64 (6, features): what is known of each
    tops: np.ndarray  # int64 (places,): the best gains
    quality: np.ndarray  # int64 (places,)
    histogram: np.ndarray  # int64 (largest arity of a discrete feature + 1, classes)
    sizes: np.ndarray  # int64 (cases + 1,): see `cuts.fill_tables`
    steps: np.ndarray  # int64 (cases + classes,)
    counts: np.ndarray  # int64 (classes,), as the next five
    known_counts: np.ndarray
    number: np.ndarray
    left: np.ndarray
    right: np.ndarray
    chords: np.ndarray
    no_codes: np.ndarray
    known: np.ndarray  # int64 per branch, as the next two
    size: np.ndarray
    search_size: np.ndarray
    totals: np.ndarray  # float64


@kernel
def borrow_table(table):
    return Table(
        borrow(table.codes),
        borrow(table.labels),
        borrow(table.search_codes),
        borrow(table.search_labels),
        borrow(table.arity),
        borrow(table.continuous),
        borrow(table.order_row),
        borrow(table.one_row),
        borrow(table.close),
        borrow(table.nlogn),
        table.n_discrete,
        borrow(table.values),
        borrow(table.value_start),
        table.class_bits,
        table.case_bits,
        table.n_classes,
    )


@kernel
def borrow_store(store):
    return Store(
        borrow(store.top),
        borrow(store.cases),
        borrow(store.weights),
        borrow(store.search),
        borrow(store.search_weights),
        borrow(store.place),
        borrow(store.parent),
        borrow(store.where),
        borrow(store.state),
        borrow(store.whole),
        borrow(store.label),
        borrow(store.wrong),
        borrow(store.counts),
        borrow(store.alive),
        borrow(store.n_ranked),
        borrow(store.ranked),
        borrow(store.below),
        borrow(store.above),
        borrow(store.child),
        borrow(store.children),
    )


@kernel
def borrow_scratch(scratch):
    return Scratch(
        borrow(scratch.entries),
        borrow(scratch.line),
        borrow(scratch.starts),
        borrow(scratch.ends),
        borrow(scratch.cases),
        borrow(scratch.weights),
        borrow(scratch.weight_of),
        borrow(scratch.mark),
        borrow(scratch.spare),
        borrow(scratch.count),
        borrow(scratch.active),
        borrow(scratch.single),
        borrow(scratch.found),
        borrow(scratch.tops),
        borrow(scratch.quality),
        borrow(scratch.histogram),
        borrow(scratch.sizes),
        borrow(scratch.steps),
        borrow(scratch.counts),
        borrow(scratch.known_counts),
        borrow(scratch.number),
        borrow(scratch.left),
        borrow(scratch.right),
        borrow(scratch.chords),
        borrow(scratch.no_codes),
        borrow(scratch.known),
        borrow(scratch.size),
        borrow(scratch.search_size),
        borrow(scratch.totals),
    )


@kernel
def settle(
    record,
    parent_label,
    rules,
    counts,
    label,
    state,
    whole,
    n_ranked,
    wrong,
    where,
    place,
    search,
    search_weights,
    search_labels,
):
    """Label, leaf errors and state of a record whose cases and counts are in place."""
    total, present = np.int64(0), 0
    for c in range(counts.shape[1]):
        total += counts[record, c]
        present += counts[record, c] > 0
    chosen = np.int64(parent_label)
    if total > 0:
        chosen = np.int64(majority(counts[record], chosen, rules))
    label[record] = chosen
    least = max(rules.min_cases, 2 * rules.min_branch)  # two branches must fit in
    state[record] = LEAF if present < 2 or total < least else UNRANKED
    whole[record] = total == (place[record, 1] - place[record, 0]) * WEIGHT_UNIT
    n_ranked[record], where[record] = 0, NOWHERE
    errors = 0
    for i in range(place[record, 2], place[record, 3]):
        is_whole = len(search_weights) == 0 or search_weights[i] >= 1.0
        errors += is_whole and search_labels[index(search[index(i)])] != chosen
    wrong[record] = errors


@kernel
def set_root(table, store, rules):
    """Empty the store and put all cases into record 0."""
    n, n_search = len(table.labels), len(table.search_labels)
    store.top[:4] = 0
    store.parent[0] = NONE
    if n > len(store.cases) or n_search > len(store.search):
        return FULL
    cases, search, counts = store.cases, store.search, store.counts
    alive, labels = store.alive, table.labels
    for i in range(n):
        cases[i] = i
    for i in range(n_search):
        search[i] = i
    if len(store.weights) > 0:
        store.weights[:n] = WEIGHT_UNIT
        store.search_weights[:n_search] = 1.0
    store.top[0], store.top[1], store.top[2] = 1, n, n_search
    store.place[0, 0], store.place[0, 1], store.place[0, 2], store.place[0, 3] = 0, n, 0, n_search
    store.counts[0, :] = 0
    for i in range(n):
        counts[0, labels[i]] += WEIGHT_UNIT
    n_features = len(table.arity)
    for word in range(alive.shape[1]):
        alive[0, word] = 0
    for feature in range(n_features):
        alive[0, feature >> 6] |= np.int64(1) << np.int64(feature & 63)
    entries_of_root = store.where[0]  # they stay those of all cases
    settle(
        np.int64(0),
        np.int64(NONE),
        rules,
        counts,
        store.label,
        store.state,
        store.whole,
        store.n_ranked,
        store.wrong,
        store.where,
        store.place,
        search,
        store.search_weights,
        table.search_labels,
    )
    store.where[0] = entries_of_root
    return DONE


@kernel
def branch_of(code, cut):
    """Branch of a known code; `cut` is -1 for a discrete feature."""
    return code if cut < 0 else (0 if code <= cut else 1)


@kernel
def make_children(table, store, scratch, record, at, feature, cut, branches, known_total, rules):
    """Make records of the branches of a split.

    `scratch` has their numbers of cases and known weights.
    """
    codes, search_codes, labels = table.codes, table.search_codes, table.labels
    cases, weights = store.cases, store.weights
    searched, search_weights = store.search, store.search_weights
    place, top = store.place, store.top
    first, last, s_first, s_last = (
        place[record, 0],
        place[record, 1],
        place[record, 2],
        place[record, 3],
    )
    weighted, n_classes = len(weights) > 0, table.n_classes
    alive, parent = store.alive, store.parent
    label, state, whole_of = store.label, store.state, store.whole
    n_ranked, wrong = store.n_ranked, store.wrong
    where, search_labels = store.where, table.search_labels
    known, size, search_size = scratch.known, scratch.size, scratch.search_size
    counts, children = store.counts, store.children
    # from here on size and search_size are the next free entries of each branch
    start = top[3]
    entry, search_entry = top[1], top[2]
    new = top[0]
    for b in range(branches):
        if size[b] == 0 and search_size[b] == 0:
            children[start + b] = NONE
            continue
        children[start + b] = new
        place[new, 0], place[new, 2] = entry, search_entry
        n, n_search = size[b], search_size[b]
        size[b], search_size[b] = entry, search_entry
        entry += n
        search_entry += n_search
        for c in range(n_classes):
            counts[new, c] = 0
        new += 1
    for i in range(first, last):
        case = cases[index(i)]
        code = np.int64(codes[index(feature), index(case)])
        if code >= 0:
            b = index(branch_of(code, cut))
            cases[index(size[b])] = case
            weight = WEIGHT_UNIT
            if weighted:
                weight = weights[index(i)]
                weights[index(size[b])] = weight
            size[b] += 1
            counts[index(children[index(start) + b]), index(labels[index(case)])] += weight
            continue
        for b in range(branches):
            if known[b] > 0:
                share = branch_share(weights[i], known[b], known_total)
                if share > 0:
                    cases[size[b]] = case
                    weights[size[b]] = share
                    size[b] += 1
                    counts[children[start + b], labels[case]] += share
    whole = 0.0
    totals = scratch.totals
    for b in range(branches):
        totals[b] = 0.0
        if known[b] > 0:
            for c in range(n_classes):
                totals[b] += counts[children[start + b], c]
            whole += totals[b]
    for i in range(s_first, s_last):
        case = searched[index(i)]
        code = np.int64(search_codes[index(feature), index(case)])
        if code >= 0:
            b = index(branch_of(code, cut))
            searched[index(search_size[b])] = case
            if weighted:
                search_weights[search_size[b]] = search_weights[i]
            search_size[b] += 1
            continue
        for b in range(branches):
            if known[b] > 0:
                searched[search_size[b]] = case
                search_weights[search_size[b]] = search_weights[i] * totals[b] / whole
                search_size[b] += 1
    for b in range(branches):
        child = children[start + b]
        if child == NONE:
            continue
        place[child, 1], place[child, 3] = size[b], search_size[b]
        for word in range(alive.shape[1]):
            alive[child, word] = alive[record, word]
        parent[child] = record
        settle(
            child,
            np.int64(label[record]),
            rules,
            counts,
            label,
            state,
            whole_of,
            n_ranked,
            wrong,
            where,
            place,
            searched,
            search_weights,
            search_labels,
        )
    top[0], top[1], top[2], top[3] = new, entry, search_entry, start + branches
    store.child[record, at] = start


@kernel
def expand(table, store, scratch, record, place, rules):
    """Make the children of a record's split, or say that the store is full."""
    feature = store.ranked[record, place]
    codes, search_codes = table.codes, table.search_codes
    cases, searched, weights = store.cases, store.search, store.weights
    first, last = store.place[record, 0], store.place[record, 1]
    s_first, s_last = store.place[record, 2], store.place[record, 3]
    weighted = len(store.weights) > 0
    if table.continuous[feature]:
        below, above = np.int64(store.below[record, place]), np.int64(store.above[record, place])
        cut = np.int64(
            place_cut(below, above, table.values, scratch.no_codes, table.value_start[feature])[1]
        )
        branches = np.int64(2)
    else:
        cut = np.int64(-1)
        branches = np.int64(table.arity[feature])
    known, size, search_size = scratch.known, scratch.size, scratch.search_size
    for b in range(branches):
        known[b], size[b], search_size[b] = 0, 0, 0
    missing = 0
    for i in range(first, last):
        code = np.int64(codes[index(feature), index(cases[index(i)])])
        if code < 0:
            missing += 1
            continue
        b = index(branch_of(code, cut))
        size[b] += 1
        known[b] += weights[index(i)] if weighted else WEIGHT_UNIT
    search_missing = 0
    for i in range(s_first, s_last):
        code = np.int64(search_codes[index(feature), index(searched[index(i)])])
        if code < 0:
            search_missing += 1
        else:
            search_size[branch_of(code, cut)] += 1
    known_total = np.int64(0)
    room, search_room, made = 0, 0, 0
    for b in range(branches):
        known_total += known[b]
        if known[b] > 0:
            size[b] += missing
            search_size[b] += search_missing
        room += size[b]
        search_room += search_size[b]
        made += size[b] > 0 or search_size[b] > 0
    top = store.top
    status = FULL
    if (
        top[0] + made <= len(store.state)
        and top[1] + room <= len(store.cases)
        and top[2] + search_room <= len(store.search)
        and top[3] + branches <= len(store.children)
    ):
        status = DONE
        make_children(
            table, store, scratch, record, place, feature, cut, branches, known_total, rules
        )
    return status


@kernel
def split_of(state, n_ranked, ranked, record, offered, removed):
    """Place in the record's ranking of the feature it splits on without `removed`.

    NONE for a leaf, UNKNOWN when the features have to be ranked (again).
    """
    found = np.int64(NONE)
    if state[record] == UNRANKED:
        found = np.int64(UNKNOWN)
    elif state[record] != LEAF:
        place, end = np.int64(0), np.int64(n_ranked[record])
        while place < end and (
            ranked[record, place] == removed or not offered[ranked[record, place]]
        ):
            place += 1
        found = place if place < end else np.int64(UNKNOWN if state[record] == CUT_SHORT else NONE)
    return found
