"""Nodes that have been seen, and trees as walks over them.

A subtree is fixed by the (weighted) cases that reach its root and by the features offered. A record
keeps the building cases and the search cases of one node, and its best few features in order; the
split of the node under any smaller set of features is then the first of these that is still offered,
and only when all are gone are the features ranked again. Children are made when a walk first needs
them. A record is reached through the splits above it, so it is only ever visited while the features
that were ranked higher on the way are absent: its own ranking, made when they already were, holds.

Why these are not the records of `distinct`: those rank every feature and are found again by a hash of their cases,
which a search over all subsets needs and one elimination does not. One tree on them takes 1.1 to 1.5 times as long
(CPU ms here / there: Letter 19 / 27, Adult 33 / 43, Sonar .6 / .7, Soybean .7 / 1.0, Clean1 3.5 / 5.3), the whole
elimination up to 4.5 times (Hypothyroid 4.0 / 17.9, Soybean 5.1 / 9.9, Letter 282 / 465), and a record of a table
of 5,000 features takes 100 kB instead of 300 bytes. Where every subset is judged on several folds,
`elimination.paths` does use those.
"""

import math
from typing import NamedTuple

import numpy as np

from pinetum.constants import INFO_UNIT, WEIGHT_UNIT
from pinetum.elimination.kernels.ranking import (
    continuous_weighted,
    continuous_whole,
    discrete_weighted,
    discrete_whole,
)
from pinetum.induction.kernels.nodes import place_cut
from pinetum.induction.kernels.quality import branch_share, majority, nlogn, on_grid
from pinetum.jit import kernel

DONE, FULL, STOPPED = 0, 1, 2  # status codes of the walks
UNRANKED, LEAF, RANKED, CUT_SHORT = 0, 1, 2, 3  # states of a record; CUT_SHORT: more features than places
NONE, UNKNOWN = -1, -2


class Table(NamedTuple):
    """Building and search cases by feature, as int32 codes."""

    codes: np.ndarray  # (features, building cases)
    labels: np.ndarray
    search_codes: np.ndarray  # (features, search cases)
    search_labels: np.ndarray
    arity: np.ndarray  # int32
    continuous: np.ndarray  # uint8
    values: np.ndarray  # float64: the sorted distinct values of all continuous features, end to end
    value_start: np.ndarray  # int64 (features + 1,)
    bits: int  # of a class label
    n_classes: int


class Store(NamedTuple):
    """Records; the last axes of the pools are filled from the front."""

    top: np.ndarray  # int64: records, building entries, search entries, child entries in use, rankings made
    cases: np.ndarray  # pool of building cases, int32
    weights: np.ndarray  # their int64 weights; empty where the table has no missing cells
    search: np.ndarray  # pool of search cases, int32
    search_weights: np.ndarray  # float64, as prediction spreads them
    place: np.ndarray  # int64 (records, 4): from and to in the two pools
    state: np.ndarray  # int8
    whole: np.ndarray  # uint8: every building case counts once
    label: np.ndarray  # int32
    wrong: np.ndarray  # int32: whole search cases that a leaf here would label wrongly
    counts: np.ndarray  # int64 (records, classes)
    alive: np.ndarray  # uint64 (records, words): features that are not constant here
    n_ranked: np.ndarray  # int32
    ranked: np.ndarray  # int32 (records, places): features, best first
    below: np.ndarray  # int32: for a continuous feature the codes on both sides of its best cut
    above: np.ndarray
    child: np.ndarray  # int64: where the children of that split start in `children`, or -1
    children: np.ndarray  # pool of record numbers; -1: no case of either kind goes there


class Scratch(NamedTuple):
    labels: np.ndarray
    weights: np.ndarray
    keys: np.ndarray
    other: np.ndarray
    wide_keys: np.ndarray
    wide_other: np.ndarray
    digits: np.ndarray
    no_codes: np.ndarray
    hist: np.ndarray
    wide_hist: np.ndarray
    left: np.ndarray
    right: np.ndarray
    left_logs: np.ndarray
    right_logs: np.ndarray
    logs: np.ndarray
    quality: np.ndarray
    class_counts: np.ndarray
    known: np.ndarray  # int64 per branch, as the next two
    size: np.ndarray
    search_size: np.ndarray
    totals: np.ndarray  # float64


@kernel
def settle(table, store, record, parent_label, rules):
    """Label, leaf errors and state of a record whose cases and counts are in place."""
    counts = store.counts[record]
    total = np.int64(0)
    present = 0
    for c in range(len(counts)):
        total += counts[c]
        if counts[c] > 0:
            present += 1
    label = parent_label if total == 0 else majority(counts, parent_label, rules)
    store.label[record] = label
    store.state[record] = LEAF if present < 2 or total < rules.min_cases else UNRANKED
    first, last = store.place[record, 0], store.place[record, 1]
    store.whole[record] = total == (last - first) * WEIGHT_UNIT
    store.n_ranked[record] = 0
    wrong = 0
    weighted = len(store.search_weights) > 0
    for i in range(store.place[record, 2], store.place[record, 3]):
        if weighted and store.search_weights[i] < 1.0:
            continue
        wrong += table.search_labels[store.search[i]] != label
    store.wrong[record] = wrong


@kernel
def set_root(table, store, rules):
    """Empty the store and put all cases into record 0."""
    n, n_search = len(table.labels), len(table.search_labels)
    store.top[:4] = 0
    if n > len(store.cases) or n_search > len(store.search):
        return FULL
    for i in range(n):
        store.cases[i] = i
    for i in range(n_search):
        store.search[i] = i
    if len(store.weights) > 0:
        store.weights[:n] = WEIGHT_UNIT
        store.search_weights[:n_search] = 1.0
    store.top[0], store.top[1], store.top[2] = 1, n, n_search
    store.place[0, 0], store.place[0, 1], store.place[0, 2], store.place[0, 3] = 0, n, 0, n_search
    store.counts[0, :] = 0
    for i in range(n):
        store.counts[0, table.labels[i]] += WEIGHT_UNIT
    n_features = len(table.arity)
    for word in range(store.alive.shape[1]):
        store.alive[0, word] = 0
    for feature in range(n_features):
        store.alive[0, feature >> 6] |= np.uint64(1) << np.uint64(feature & 63)
    settle(table, store, np.int64(0), np.int32(NONE), rules)
    return DONE


@kernel
def rank(table, store, scratch, record, offered, places, rules):
    """Order the offered features by quality and keep the best few.

    A split that leaves only pure branches gains all there is to gain: no other feature can beat it and
    only lower ones tie, so two of them (one may be the feature a candidate removes) end the search.
    """
    store.top[4] += 1
    first, last = store.place[record, 0], store.place[record, 1]
    cases = store.cases[first:last]
    n = last - first
    whole = store.whole[record] == 1
    labels = scratch.labels[:n]
    for i in range(n):
        labels[i] = table.labels[cases[i]]
    weights = scratch.weights[:0]
    total = np.int64(0)
    class_counts = store.counts[record]
    if whole:
        weight, unit = n, 1
        least = max(1, -(-rules.min_branch // WEIGHT_UNIT))
        counts = scratch.class_counts
        for c in range(table.n_classes):
            counts[c] = class_counts[c] // WEIGHT_UNIT
    else:
        weights = store.weights[first:last]
        counts = class_counts
        for c in range(table.n_classes):
            total += class_counts[c]
        weight, unit = total, WEIGHT_UNIT
        least = max(1, rules.min_branch)
    most = nlogn(weight, unit, scratch.logs)
    for c in range(table.n_classes):
        most -= nlogn(counts[c], unit, scratch.logs)
    enough = min(places, 2)
    penalty = rules.penalty == 1  # C4.5's: a continuous feature pays for its choice of cuts
    ranked, below, above = store.ranked[record], store.below[record], store.above[record]
    quality = scratch.quality
    n_ranked = 0
    more = False
    alive = store.alive[record]
    for word in range(len(alive)):
        if enough == 0:
            break
        bits = alive[word]
        feature = word * 64 - 1
        while bits != 0:
            feature += 1
            is_set = bits & np.uint64(1)
            bits >>= np.uint64(1)
            if is_set == 0 or not offered[feature]:
                continue
            row = table.codes[feature]
            low, high = np.int64(NONE), np.int64(NONE)
            tries = 0
            if table.continuous[feature]:
                if whole:
                    mass, low, high, varies, tries = continuous_whole(
                        row, cases, labels, table.bits, least, counts, scratch.logs,
                        scratch.keys, scratch.other, scratch.digits, scratch.hist, scratch.left, scratch.right,
                    )  # fmt: skip
                else:
                    mass, low, high, varies, tries = continuous_weighted(
                        row, cases, weights, total, labels, table.bits, table.n_classes, least, scratch.logs,
                        scratch.wide_keys, scratch.wide_other, scratch.digits, scratch.left, scratch.right,
                        scratch.left_logs, scratch.right_logs,
                    )  # fmt: skip
            elif whole:
                mass, varies = discrete_whole(
                    row, cases, labels, table.arity[feature], least, counts, scratch.logs, scratch.hist
                )
            else:
                mass, varies = discrete_weighted(
                    row, cases, weights, labels, table.arity[feature], table.n_classes, least,
                    scratch.logs, scratch.wide_hist,
                )  # fmt: skip
            if not varies:
                alive[word] &= ~(np.uint64(1) << np.uint64(feature & 63))
                continue
            if penalty and tries > 1:
                mass -= np.int64(np.rint(math.log2(tries) * INFO_UNIT))
            if mass <= 0:
                continue
            gain = on_grid(mass, weight, unit)
            if gain < max(1, rules.min_gain):
                continue
            if n_ranked == places:
                more = True
                if gain <= quality[places - 1]:
                    continue
                at = places - 1
            else:
                at = n_ranked
                n_ranked += 1
            while at > 0 and quality[at - 1] < gain:
                quality[at] = quality[at - 1]
                ranked[at], below[at], above[at] = ranked[at - 1], below[at - 1], above[at - 1]
                at -= 1
            quality[at] = gain
            ranked[at], below[at], above[at] = feature, np.int32(low), np.int32(high)
            if mass >= most:
                enough -= 1
                if enough == 0:  # the features after these are not all known
                    more = True
                    n_ranked = min(places, 2)
                    bits = np.uint64(0)
    store.n_ranked[record] = n_ranked
    store.child[record, :n_ranked] = NONE
    store.state[record] = CUT_SHORT if more else RANKED


@kernel
def branch_of(code, cut):
    """Branch of a known code; `cut` is -1 for a discrete feature."""
    return code if cut < 0 else (0 if code <= cut else 1)


@kernel
def expand(table, store, scratch, record, place, rules):
    """Make the children of a record's split, or say that the store is full."""
    feature = store.ranked[record, place]
    row, search_row = table.codes[feature], table.search_codes[feature]
    first, last = store.place[record, 0], store.place[record, 1]
    s_first, s_last = store.place[record, 2], store.place[record, 3]
    weighted = len(store.weights) > 0
    if table.continuous[feature]:
        values = table.values[table.value_start[feature] : table.value_start[feature + 1]]
        _, cut = place_cut(store.below[record, place], store.above[record, place], values, scratch.no_codes)
        branches = 2
    else:
        cut = -1
        branches = table.arity[feature]
    known, size, search_size = scratch.known, scratch.size, scratch.search_size
    for b in range(branches):
        known[b], size[b], search_size[b] = 0, 0, 0
    missing = 0
    for i in range(first, last):
        code = row[store.cases[i]]
        if code < 0:
            missing += 1
            continue
        b = branch_of(code, cut)
        size[b] += 1
        known[b] += store.weights[i] if weighted else WEIGHT_UNIT
    search_missing = 0
    for i in range(s_first, s_last):
        code = search_row[store.search[i]]
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
    if (
        top[0] + made > len(store.state)
        or top[1] + room > len(store.cases)
        or top[2] + search_room > len(store.search)
        or top[3] + branches > len(store.children)
    ):
        return FULL
    # from here on size and search_size are the next free entries of each branch
    start = top[3]
    entry, search_entry = top[1], top[2]
    new = top[0]
    for b in range(branches):
        if size[b] == 0 and search_size[b] == 0:
            store.children[start + b] = NONE
            continue
        store.children[start + b] = new
        store.place[new, 0], store.place[new, 2] = entry, search_entry
        n, n_search = size[b], search_size[b]
        size[b], search_size[b] = entry, search_entry
        entry += n
        search_entry += n_search
        store.counts[new, :] = 0
        new += 1
    for i in range(first, last):
        case = store.cases[i]
        code = row[case]
        if code >= 0:
            b = branch_of(code, cut)
            store.cases[size[b]] = case
            weight = WEIGHT_UNIT
            if weighted:
                weight = store.weights[i]
                store.weights[size[b]] = weight
            size[b] += 1
            store.counts[store.children[start + b], table.labels[case]] += weight
            continue
        for b in range(branches):
            if known[b] > 0:
                share = branch_share(store.weights[i], known[b], known_total)
                if share > 0:
                    store.cases[size[b]] = case
                    store.weights[size[b]] = share
                    size[b] += 1
                    store.counts[store.children[start + b], table.labels[case]] += share
    whole = 0.0
    totals = scratch.totals
    for b in range(branches):
        totals[b] = 0.0
        if known[b] > 0:
            for c in range(table.n_classes):
                totals[b] += store.counts[store.children[start + b], c]
            whole += totals[b]
    for i in range(s_first, s_last):
        case = store.search[i]
        code = search_row[case]
        if code >= 0:
            b = branch_of(code, cut)
            store.search[search_size[b]] = case
            if weighted:
                store.search_weights[search_size[b]] = store.search_weights[i]
            search_size[b] += 1
            continue
        for b in range(branches):
            if known[b] > 0:
                store.search[search_size[b]] = case
                store.search_weights[search_size[b]] = store.search_weights[i] * totals[b] / whole
                search_size[b] += 1
    for b in range(branches):
        child = store.children[start + b]
        if child == NONE:
            continue
        store.place[child, 1], store.place[child, 3] = size[b], search_size[b]
        for word in range(store.alive.shape[1]):
            store.alive[child, word] = store.alive[record, word]
        settle(table, store, child, store.label[record], rules)
    top[0], top[1], top[2], top[3] = new, entry, search_entry, start + branches
    store.child[record, place] = start
    return DONE


@kernel
def split_of(store, record, offered, removed):
    """Place in the record's ranking of the feature it splits on without `removed`; NONE for a leaf, UNKNOWN
    when the features have to be ranked (again)."""
    state = store.state[record]
    if state == LEAF:
        return NONE
    if state == UNRANKED:
        return UNKNOWN
    for place in range(store.n_ranked[record]):
        feature = store.ranked[record, place]
        if feature != removed and offered[feature]:
            return place
    return UNKNOWN if state == CUT_SHORT else NONE
