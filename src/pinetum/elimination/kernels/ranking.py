"""The best few features of a node, by the scans of the grower.

A node that is ranked keeps its presorted entries (see `induction.kernels.cuts`): one row per
continuous feature, columns `at` to `at` + cases. Those of a node below are filtered from them,
which takes a tenth of the time of sorting. The columns are a ring: where it is full the oldest
entries go, and a node whose forebears have lost theirs sorts. A table whose entries would take too
much room has one row only, which is sorted anew for every feature of every node.
"""

import numpy as np

from pinetum.elimination.kernels.bundles import CUT_SHORT, RANKED
from pinetum.induction.kernels.best_cut import Node
from pinetum.induction.kernels.bundles import Features, Rows
from pinetum.induction.kernels.candidates import evaluate_columns, evaluate_discrete
from pinetum.induction.kernels.cuts import UNIT_BITS, Scan, index
from pinetum.induction.kernels.quality import INELIGIBLE, impurity_mass, worth
from pinetum.induction.kernels.sorting import sort_keys
from pinetum.jit import kernel

ROOM_FOR = 4  # nodes keep their entries of which the columns hold so many
ONE = np.int64(1)
SORT_COST, COUNT_COST = 10, 6  # of a case, in what it takes to look at an entry and leave it out
COUNT_UP_TO = 4  # values per case up to which counting beats sorting


@kernel(inline=True)
def count_classes(store, scratch, record, fractional):
    """Class weights of a node, and numbers of its classes: the weight of all, and how many classes
    there are.
    """
    counts, number = scratch.scan.counts, scratch.number
    weight, classes = np.int64(0), np.int64(0)
    for c in range(len(counts)):
        counts[c] = store.counts[record, c] >> (0 if fractional else UNIT_BITS)
        weight += counts[c]
        number[c] = classes
        classes += counts[c] > 0
    return weight, classes


@kernel(inline=True)
def read_cases(table, store, scratch, here, fractional):
    """List the cases of a node, mark them, and set their weights if some count in part."""
    cases, weights, mark = scratch.listed.cases, scratch.listed.weights, scratch.ordering.mark
    number, labels, class_bits = scratch.number, table.labels, table.features.class_bits
    pool, pool_weights, weight_of = store.cases, store.weights, scratch.scan.weight_of
    first = here.first
    for i in range(here.last - first):
        case = np.int64(pool[index(first + i)])
        cases[index(i)] = (case << class_bits) | number[index(labels[index(case)])]
        mark[index(case)] = 1
        if fractional:
            weights[index(i)] = weight_of[index(case)] = pool_weights[index(first + i)]


@kernel(inline=True)
def list_active(alive, record, offered, active):
    """The offered features that are not constant at a record, in order: how many."""
    n_active = 0
    for f in range(len(offered)):
        if offered[f] and (alive[record, f >> 6] >> np.int64(f & 63)) & 1:
            active[index(n_active)] = f
            n_active += 1
    return n_active


@kernel(inline=True)
def lie_down(store, record, columns, lie):
    """Find columns for a node's entries, and those of the nearest node above that keeps its own."""
    top, node = store.top[0], store.node
    at = node[record].where
    lie.known, lie.source, lie.n_source = np.int64(at >= 0 and top.columns - at <= columns), 0, 0
    if not lie.known:
        at = top.columns
        if at % columns + lie.n + 1 > columns:
            at += columns - at % columns
        ring = at + lie.n + 1
        above = node[record].parent
        while above >= 0 and lie.n_source == 0:
            if node[above].where >= 0 and ring - node[above].where <= columns:
                lie.source = node[above].where % columns
                lie.n_source = node[above].last - node[above].first
            above = node[above].parent
        node[record].where, top.columns = at, ring
    lie.at = at % columns


@kernel(inline=True)
def filter_row(r, entries, mark, lie, class_bits, case_mask):
    """Copy the entries of the marked cases from those of the source: how many.

    One more may be overwritten.
    """
    to, p = lie.at, lie.source
    full, end = to + lie.n, p + lie.n_source
    while p < end and to < full:
        entry = entries[index(r), index(p)]
        entries[index(r), index(to)] = entry
        if entry < 0:  # the rest is not known there
            end = p
        else:
            to += mark[index((entry >> class_bits) & case_mask)]
        p += 1
    return to - lie.at


@kernel(inline=True)
def count_row(f, r, features, labels, cases, count, lie, entries):
    """Entries of the listed cases in order, by counting their codes: how many have one."""
    codes, values, class_bits = features.codes, features.arity[f], features.class_bits
    for v in range(values + 1):
        count[index(v)] = 0
    for i in range(lie.n):
        count[index(np.int64(codes[index(f), index(cases[index(i)] >> class_bits)]) + 1)] += 1
    start = -count[0]
    for v in range(values + 1):
        here = count[index(v)]
        count[index(v)] = start
        start += here
    at = lie.at
    for i in range(lie.n):
        case = cases[index(i)] >> class_bits
        code = np.int64(codes[index(f), index(case)])
        if code >= 0:
            to = count[index(code + 1)]
            count[index(code + 1)] = to + 1
            entry = (((code << features.case_bits) | case) << class_bits) | labels[index(case)]
            entries[index(r), index(at + to)] = entry
    return start


@kernel(inline=True)
def sort_row(f, r, features, labels, cases, spare, lie, entries):
    """The same by sorting."""
    codes, class_bits, row, m = (
        features.codes,
        features.class_bits,
        entries[r, lie.at :],
        np.int64(0),
    )
    for i in range(lie.n):
        case = cases[index(i)] >> class_bits
        code = np.int64(codes[index(f), index(case)])
        if code >= 0:
            entry = (((code << features.case_bits) | case) << class_bits) | labels[index(case)]
            row[index(m)] = entry
            m += 1
    sort_keys(row, spare, m)
    return m


@kernel
def fill_rows(features, labels, active, n_active, cases, ordering, rows, lie):
    """Rows of the active continuous features: filtered, counted, sorted, or found as they are."""
    entries, begins, ends, case_mask = (
        rows.entries,
        rows.begins,
        rows.ends,
        (ONE << features.case_bits) - 1,
    )
    at, n = lie.at, lie.n
    for i in range(n_active):
        f = active[i]
        r = features.row[f]
        if r < 0:
            continue
        by_counting = features.arity[f] <= COUNT_UP_TO * n
        cost = COUNT_COST if by_counting else SORT_COST
        if lie.known:
            m = np.int64(0)
            while m < n and entries[index(r), index(at + m)] >= 0:
                m += 1
        elif 0 < lie.n_source <= cost * n:
            m = filter_row(r, entries, ordering.mark, lie, features.class_bits, case_mask)
        elif by_counting:
            m = count_row(f, r, features, labels, cases, ordering.count, lie, entries)
        else:
            m = sort_row(f, r, features, labels, cases, ordering.spare, lie, entries)
        if m < n and not lie.known:
            entries[r, at + m] = -1
        begins[0, r], ends[r] = at, at + m


@kernel(inline=True)
def evaluate(table, store, scratch, record, n_active, node, tops, rules):
    """What every active continuous feature gains, all in one go where their entries are kept."""
    given, rows, lie, active = table.features, scratch.rows, scratch.lie[0], scratch.active
    columns = np.int64(rows.entries.shape[1])
    keep = ROOM_FOR * (node.cases + 1) <= columns
    lie.n, lie.at, lie.source, lie.n_source, lie.known = node.cases, 0, 0, 0, 0
    if keep:
        lie_down(store, record, columns, lie)
    features = Features(
        given.codes,
        given.arity,
        given.row if keep else table.alone,
        given.values,
        given.value_start,
        given.close,
        given.class_bits,
        given.case_bits,
    )
    rows = Rows(rows.entries if keep else scratch.line, rows.begins, rows.ends)
    some = active if keep else scratch.single
    together = np.int64(n_active) if keep else np.int64(1)
    i = np.int64(0)
    while i < n_active:
        if not keep:
            some[0] = active[i]
        fill_rows(
            features,
            table.labels,
            some,
            together,
            scratch.listed.cases,
            scratch.ordering,
            rows,
            lie,
        )
        evaluate_columns(
            features,
            rows,
            np.int64(0),
            some,
            together,
            node,
            scratch.scan,
            scratch.found,
            tops,
            rules,
        )
        i += together


@kernel(inline=True)
def order_features(store, scratch, record, n_active, weight, places, rules):
    """Keep the best few of the active features, take out the constant ones: how many are kept."""
    active, found, quality = scratch.active, scratch.found, scratch.quality
    split, alive = store.split, store.alive
    n_ranked = 0
    for i in range(n_active):
        f = active[i]
        one = found[f]
        if one.constant:
            alive[record, f >> 6] &= ~(ONE << np.int64(f & 63))
        value = INELIGIBLE
        if one.split > 0:
            value = worth(one.gain, one.mass, one.split, weight, rules, 0.0)
        if value > 0 and (n_ranked < places or value > quality[places - 1]):
            at = min(n_ranked, places - 1)
            n_ranked = at + 1
            while at > 0 and quality[at - 1] < value:
                quality[at] = quality[at - 1]
                here, before = split[record, at], split[record, at - 1]
                here.feature, here.below, here.above = before.feature, before.below, before.above
                at -= 1
            quality[at] = value
            here = split[record, at]
            here.feature, here.below, here.above = f, one.cut, one.upper
            split[record, n_ranked - 1].child = -1  # none is made yet
    return n_ranked


@kernel(inline=True)
def rank(table, store, scratch, record, offered, places, rules, whole_rules):
    """Order the offered features by quality and keep the best few."""
    here, scan, mark = store.node[record], scratch.scan, scratch.ordering.mark
    n, tops = here.last - here.first, scratch.tops[:places]
    store.top[0].rankings += 1
    fractional = here.whole == 0
    rules_here = rules if fractional else whole_rules
    weight, classes = count_classes(store, scratch, record, fractional)
    read_cases(table, store, scratch, here, fractional)
    n_active = list_active(store.alive, record, offered, scratch.active)
    for at in range(places):
        tops[at] = 0
    mass = impurity_mass(scan.counts, weight, rules_here.criterion, rules_here.unit, scan.nlogn)
    node = Node(np.int64(0), n, weight, mass, fractional, table.n_classes)
    evaluate(table, store, scratch, record, n_active, node, tops, rules_here)
    if table.n_discrete > 0:
        few = Scan(
            scan.counts,
            scan.known[:classes],
            scan.left,
            scan.right,
            scan.chords,
            scan.sizes,
            scan.steps,
            scan.weight_of,
            scan.nlogn,
        )
        evaluate_discrete(
            table.features,
            scratch.listed,
            scratch.active,
            n_active,
            node,
            few,
            scratch.tally,
            scratch.found,
            rules_here,
        )
    for i in range(n):
        mark[index(scratch.listed.cases[index(i)] >> table.features.class_bits)] = 0
    here.n_ranked = order_features(store, scratch, record, n_active, weight, places, rules_here)
    here.state = CUT_SHORT if here.n_ranked == places else RANKED
