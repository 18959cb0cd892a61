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

import numpy as np

from pinetum.constants import WEIGHT_UNIT
from pinetum.elimination.kernels.bundles import (
    CUT_SHORT,
    DONE,
    FULL,
    LEAF,
    NONE,
    NOWHERE,
    UNKNOWN,
    UNRANKED,
)
from pinetum.induction.kernels.cuts import index
from pinetum.induction.kernels.nodes import place_cut
from pinetum.induction.kernels.quality import branch_share, majority
from pinetum.jit import kernel


@kernel
def settle(store, record, parent_label, rules, search_labels):
    """Label, leaf errors and state of a record whose cases and counts are in place."""
    here, counts = store.node[record], store.counts
    search, search_weights = store.search, store.search_weights
    total, present = np.int64(0), 0
    for c in range(counts.shape[1]):
        total += counts[record, c]
        present += counts[record, c] > 0
    chosen = np.int64(parent_label)
    if total > 0:
        chosen = np.int64(majority(counts[record], chosen, rules))
    here.label = chosen
    least = max(rules.min_cases, 2 * rules.min_branch)  # two branches must fit in
    here.state = LEAF if present < 2 or total < least else UNRANKED
    here.whole = np.int64(total == (here.last - here.first) * WEIGHT_UNIT)
    here.n_ranked, here.where = 0, NOWHERE
    errors = 0
    for i in range(here.search_first, here.search_last):
        is_whole = len(search_weights) == 0 or search_weights[i] >= 1.0
        errors += is_whole and search_labels[index(search[index(i)])] != chosen
    here.wrong = errors


@kernel(inline=True)
def set_root(table, store, rules):
    """Empty the store and put all cases into record 0."""
    n, n_search = len(table.labels), len(table.search_labels)
    top, root, counts, alive = store.top[0], store.node[0], store.counts, store.alive
    top.records, top.cases, top.search, top.children = 0, 0, 0, 0
    root.parent = NONE
    status = FULL
    if n <= len(store.cases) and n_search <= len(store.search):
        status = DONE
        for i in range(n):
            store.cases[i] = i
        for i in range(n_search):
            store.search[i] = i
        if len(store.weights) > 0:
            store.weights[:n] = WEIGHT_UNIT
            store.search_weights[:n_search] = 1.0
        top.records, top.cases, top.search = 1, n, n_search
        root.first, root.last, root.search_first, root.search_last = 0, n, 0, n_search
        counts[0, :] = 0
        for i in range(n):
            counts[0, table.labels[i]] += WEIGHT_UNIT
        for word in range(alive.shape[1]):
            alive[0, word] = 0
        for feature in range(len(table.continuous)):
            alive[0, feature >> 6] |= np.int64(1) << np.int64(feature & 63)
        entries_of_root = root.where  # they stay those of all cases
        settle(store, np.int64(0), np.int64(NONE), rules, table.search_labels)
        root.where = entries_of_root
    return status


@kernel
def branch_of(code, cut):
    """Branch of a known code; `cut` is -1 for a discrete feature."""
    return code if cut < 0 else (0 if code <= cut else 1)


@kernel
def count_parts(table, store, here, feature, cut, branches, part):
    """Number of cases of both kinds, and known weight, in every branch: the weight of all."""
    codes, search_codes = table.features.codes, table.search_codes
    cases, weights, searched = store.cases, store.weights, store.search
    weighted = len(weights) > 0
    for b in range(branches):
        part[b].known, part[b].cases, part[b].search = 0, 0, 0
    missing, search_missing = 0, 0
    for i in range(here.first, here.last):
        code = np.int64(codes[index(feature), index(cases[index(i)])])
        if code < 0:
            missing += 1
            continue
        b = index(branch_of(code, cut))
        part[b].cases += 1
        part[b].known += weights[index(i)] if weighted else WEIGHT_UNIT
    for i in range(here.search_first, here.search_last):
        code = np.int64(search_codes[index(feature), index(searched[index(i)])])
        if code < 0:
            search_missing += 1
        else:
            part[branch_of(code, cut)].search += 1
    known_total = np.int64(0)
    for b in range(branches):
        known_total += part[b].known
        if part[b].known > 0:
            part[b].cases += missing
            part[b].search += search_missing
    return known_total


@kernel(inline=True)
def have_room(store, branches, part):
    """Whether the store has room for the branches."""
    top = store.top[0]
    room, search_room, made = 0, 0, 0
    for b in range(branches):
        room += part[b].cases
        search_room += part[b].search
        made += part[b].cases > 0 or part[b].search > 0
    return (
        top.records + made <= len(store.node)
        and top.cases + room <= len(store.cases)
        and top.search + search_room <= len(store.search)
        and top.children + branches <= len(store.children)
    )


@kernel(inline=True)
def take_room(store, record, branches, part):
    """Give every branch that has cases a record and its stretch of the pools.

    From here on `part` has the next free entries of each branch.
    """
    top, node, counts, alive = store.top[0], store.node, store.counts, store.alive
    for b in range(branches):
        one = part[b]
        store.children[top.children + b] = NONE
        if one.cases > 0 or one.search > 0:
            new = top.records
            store.children[top.children + b] = new
            node[new].first, node[new].search_first, node[new].parent = (
                top.cases,
                top.search,
                record,
            )
            top.cases, one.cases = top.cases + one.cases, top.cases
            top.search, one.search = top.search + one.search, top.search
            for c in range(counts.shape[1]):
                counts[new, c] = 0
            for word in range(alive.shape[1]):
                alive[new, word] = alive[record, word]
            top.records += 1


@kernel
def part_building(table, store, here, feature, cut, known_total, part):
    """Send the building cases of a record down the branches that `children` names from its end."""
    codes, labels, cases, weights = table.features.codes, table.labels, store.cases, store.weights
    counts, children, start = store.counts, store.children, store.top[0].children
    weighted = len(weights) > 0
    for i in range(here.first, here.last):
        case = cases[index(i)]
        code = np.int64(codes[index(feature), index(case)])
        if code >= 0:
            b = index(branch_of(code, cut))
            at = index(part[b].cases)
            cases[at] = case
            weight = WEIGHT_UNIT
            if weighted:
                weight = weights[index(i)]
                weights[at] = weight
            part[b].cases += 1
            counts[index(children[index(start) + b]), index(labels[index(case)])] += weight
            continue
        for b in range(len(part)):
            if part[b].known > 0:
                share = branch_share(weights[i], part[b].known, known_total)
                if share > 0:
                    cases[part[b].cases] = case
                    weights[part[b].cases] = share
                    part[b].cases += 1
                    counts[children[start + b], labels[case]] += share


@kernel
def part_search(table, store, here, feature, cut, part, totals):
    """The same for the search cases: one without a value goes down every known branch in part."""
    codes, searched, search_weights = table.search_codes, store.search, store.search_weights
    counts, children, start = store.counts, store.children, store.top[0].children
    weighted, whole = len(store.weights) > 0, 0.0
    for b in range(len(part)):
        totals[b] = 0.0
        if part[b].known > 0:
            for c in range(counts.shape[1]):
                totals[b] += counts[children[start + b], c]
            whole += totals[b]
    for i in range(here.search_first, here.search_last):
        case = searched[index(i)]
        code = np.int64(codes[index(feature), index(case)])
        if code >= 0:
            b = index(branch_of(code, cut))
            searched[index(part[b].search)] = case
            if weighted:
                search_weights[part[b].search] = search_weights[i]
            part[b].search += 1
            continue
        for b in range(len(part)):
            if part[b].known > 0:
                searched[part[b].search] = case
                search_weights[part[b].search] = search_weights[i] * totals[b] / whole
                part[b].search += 1


@kernel
def expand(table, store, scratch, record, place, rules):
    """Make the children of a record's split, or say that the store is full."""
    split, here, top = store.split[record, place], store.node[record], store.top[0]
    feature, cut = split.feature, np.int64(-1)
    branches = np.int64(table.features.arity[feature])
    if table.continuous[feature]:
        first_value = table.features.value_start[feature]
        cut = np.int64(
            place_cut(
                split.below, split.above, table.features.values, scratch.no_codes, first_value
            )[1]
        )
        branches = np.int64(2)
    part = scratch.part[:branches]
    known_total = count_parts(table, store, here, feature, cut, branches, part)
    status = FULL
    if have_room(store, branches, part):
        status = DONE
        take_room(store, record, branches, part)
        part_building(table, store, here, feature, cut, known_total, part)
        part_search(table, store, here, feature, cut, part, scratch.totals)
        for b in range(branches):
            child = store.children[top.children + b]
            if child != NONE:
                store.node[child].last = part[b].cases
                store.node[child].search_last = part[b].search
                settle(store, child, here.label, rules, table.search_labels)
        split.child = top.children
        top.children += branches
    return status


@kernel
def split_of(node, split, record, offered, removed):
    """Place in the record's ranking of the feature it splits on without `removed`.

    NONE for a leaf, UNKNOWN when the features have to be ranked (again).
    """
    here, found = node[record], np.int64(NONE)
    if here.state == UNRANKED:
        found = np.int64(UNKNOWN)
    elif here.state != LEAF:
        place, end = np.int64(0), here.n_ranked
        while place < end and (
            split[record, place].feature == removed or not offered[split[record, place].feature]
        ):
            place += 1
        found = place if place < end else np.int64(UNKNOWN if here.state == CUT_SHORT else NONE)
    return found
