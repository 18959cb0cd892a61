"""The best few features of a node, by the scans of the grower.

A node that is ranked keeps its presorted entries (see `induction.kernels.cuts`): one row per
continuous feature, columns `at` to `at` + cases. Those of a node below are filtered from them,
which takes a tenth of the time of sorting. The columns are a ring: where it is full the oldest
entries go, and a node whose forebears have lost theirs sorts. A table whose entries would take too
much room has one row only, which is sorted anew for every feature of every node.

The arrays go one by one, and each function has one way out: numba then counts few references of
them.
"""

import numpy as np

from pinetum.induction.kernels.cuts import UNIT_BITS, index
from pinetum.induction.kernels.grow import evaluate_discrete, evaluate_rows
from pinetum.induction.kernels.quality import INELIGIBLE, worth
from pinetum.induction.kernels.sorting import sort_keys
from pinetum.jit import kernel

NOWHERE = -1  # where the entries of a node lie that keeps none
UNRANKED, LEAF, RANKED, CUT_SHORT = (
    0,
    1,
    2,
    3,
)  # states of a record; CUT_SHORT: perhaps more features than places
RANKINGS, RING = 4, 5  # in `Store.top`: rankings made, columns of entries given out
ROOM_FOR = 4  # nodes keep their entries of which the columns hold so many
ONE = np.int64(1)
SORT_COST, COUNT_COST = 10, 6  # of a case, in what it takes to look at an entry and leave it out
COUNT_UP_TO = 4  # values per case up to which counting beats sorting


@kernel
def read_cases(
    labels,
    pool,
    pool_weights,
    first,
    n,
    class_bits,
    fractional,
    number,
    cases,
    weights,
    weight_of,
    mark,
):
    """Mark the n cases of a node, set their weights if some count in part, and pack them with
    numbered classes.
    """
    for i in range(n):
        case = np.int64(pool[index(first + i)])
        cases[index(i)] = (case << class_bits) | number[index(labels[index(case)])]
        mark[index(case)] = 1
        if fractional:
            weights[index(i)] = weight_of[index(case)] = pool_weights[index(first + i)]


@kernel
def filter_row(q, n_source, n, class_bits, case_mask, mark, r, at, entries):
    """Copy the entries of the marked cases, at most n, from columns q on: how many.

    One more may be overwritten.
    """
    to, p, end = at, q, q + n_source
    while p < end and to < at + n:
        entry = entries[index(r), index(p)]
        entries[index(r), index(to)] = entry
        if entry < 0:  # the rest is not known there
            end = p
        else:
            to += mark[index((entry >> class_bits) & case_mask)]
        p += 1
    return to - at


@kernel
def count_row(codes, f, values, labels, cases, n, class_bits, case_bits, count, r, at, entries):
    """Entries of n packed cases in order, by counting their codes: how many have one."""
    for v in range(values + 1):
        count[index(v)] = 0
    for i in range(n):
        count[index(np.int64(codes[index(f), index(cases[index(i)] >> class_bits)]) + 1)] += 1
    start = -count[0]
    for v in range(values + 1):
        here = count[index(v)]
        count[index(v)] = start
        start += here
    for i in range(n):
        case = cases[index(i)] >> class_bits
        code = np.int64(codes[index(f), index(case)])
        if code >= 0:
            to = count[index(code + 1)]
            count[index(code + 1)] = to + 1
            entry = (((code << case_bits) | case) << class_bits) | labels[index(case)]
            entries[index(r), index(at + to)] = entry
    return start


@kernel
def sort_row(codes, f, labels, cases, n, class_bits, case_bits, spare, row):
    """The same into row[0:] by sorting."""
    m = np.int64(0)
    for i in range(n):
        case = cases[index(i)] >> class_bits
        code = np.int64(codes[index(f), index(case)])
        if code >= 0:
            row[index(m)] = (((code << case_bits) | case) << class_bits) | labels[index(case)]
            m += 1
    sort_keys(row, spare, m)
    return m


@kernel
def fill_rows(
    codes,
    labels,
    arity,
    row_of,
    active,
    first,
    last,
    cases,
    n,
    class_bits,
    case_bits,
    q,
    n_source,
    mark,
    count,
    spare,
    at,
    entries,
    starts,
    ends,
):
    """Rows of the continuous ones of active[first:last] from column `at`, filtered from those at q
    if n_source > 0.
    """
    case_mask = (ONE << case_bits) - 1
    for i in range(first, last):
        f = active[i]
        r = row_of[f]
        if r >= 0:
            by_counting = arity[f] <= COUNT_UP_TO * n
            if n_source > 0 and n_source <= (COUNT_COST if by_counting else SORT_COST) * n:
                m = filter_row(q, n_source, n, class_bits, case_mask, mark, r, at, entries)
            elif by_counting:
                m = count_row(
                    codes,
                    f,
                    arity[f],
                    labels,
                    cases,
                    n,
                    class_bits,
                    case_bits,
                    count,
                    r,
                    at,
                    entries,
                )
            else:
                m = sort_row(
                    codes, f, labels, cases, n, class_bits, case_bits, spare, entries[r, at:]
                )
            if m < n:
                entries[r, at + m] = -1
            starts[0, r], ends[r] = at, at + m


@kernel
def find_ends(row_of, active, n_active, n, at, entries, starts, ends):
    """The same rows where they are already filled."""
    for i in range(n_active):
        r = row_of[active[i]]
        if r >= 0:
            end = at
            while end < at + n and entries[index(r), index(end)] >= 0:
                end += 1
            starts[0, r], ends[r] = at, end


@kernel
def list_active(alive, record, offered, active):
    """The offered features that are not constant at a record, in order: how many."""
    n_active = 0
    for f in range(len(offered)):
        if offered[f] and (alive[record, f >> 6] >> np.int64(f & 63)) & 1:
            active[index(n_active)] = f
            n_active += 1
    return n_active


@kernel
def order_features(
    active,
    n_active,
    gains,
    masses,
    splits,
    cuts,
    uppers,
    constants,
    weight,
    places,
    rules,
    record,
    alive,
    quality,
    ranked,
    below,
    above,
    child,
):
    """Keep the best few of the active features, take out the constant ones: how many are kept."""
    n_ranked = 0
    for i in range(n_active):
        f = active[i]
        if constants[f]:
            alive[record, f >> 6] &= ~(ONE << np.int64(f & 63))
        value = INELIGIBLE
        if splits[f] > 0:
            value = worth(gains[f], masses[f], splits[f], weight, rules, 0.0)
        if value > 0 and (n_ranked < places or value > quality[places - 1]):
            at = min(n_ranked, places - 1)
            n_ranked = at + 1
            while at > 0 and quality[at - 1] < value:
                quality[at] = quality[at - 1]
                ranked[record, at] = ranked[record, at - 1]
                below[record, at], above[record, at] = below[record, at - 1], above[record, at - 1]
                at -= 1
            quality[at] = value
            ranked[record, at] = f
            below[record, at], above[record, at] = cuts[f], uppers[f]
            child[record, n_ranked - 1] = -1  # none is made yet
    return n_ranked


@kernel
def rank(table, store, scratch, record, offered, places, rules, whole_rules):
    """Order the offered features by quality and keep the best few."""
    # No field is read in a loop: each time its references would be counted.
    top, where, parent = store.top, store.where, store.parent
    place, entries, line = store.place, scratch.entries, scratch.line
    tops, mark, cases = scratch.tops[:places], scratch.mark, scratch.cases
    starts, ends = scratch.starts, scratch.ends
    class_counts, codes, labels = store.counts, table.codes, table.labels
    arity, order_row = table.arity, table.order_row
    n_classes, class_bits, case_bits = table.n_classes, table.class_bits, table.case_bits
    top[RANKINGS] += 1
    first = place[record, 0]
    n = place[record, 1] - first
    fractional = store.whole[record] == 0
    now = rules if fractional else whole_rules
    counts, known, number = scratch.counts, scratch.known_counts, scratch.number
    found, active = scratch.found, scratch.active
    masses, splits, gains = found[0], found[1], found[2]
    cuts, uppers, constants = found[3], found[4], found[5]
    weight, classes = np.int64(0), np.int64(0)
    for c in range(n_classes):
        counts[c] = class_counts[record, c] >> (0 if fractional else UNIT_BITS)
        weight += counts[c]
        number[c] = classes
        classes += counts[c] > 0
    read_cases(
        labels,
        store.cases,
        store.weights,
        first,
        n,
        class_bits,
        fractional,
        number,
        cases,
        scratch.weights,
        scratch.weight_of,
        mark,
    )
    n_active = list_active(store.alive, record, offered, active)
    for at in range(places):
        tops[at] = 0
    columns = np.int64(entries.shape[1])
    zero, single, one_row = np.int64(0), scratch.single, table.one_row
    if ROOM_FOR * (n + 1) <= columns:
        at = where[record]
        if at >= 0 and top[RING] - at <= columns:
            at %= columns
            find_ends(order_row, active, n_active, n, at, entries, starts, ends)
        else:
            at = top[RING]
            if at % columns + n + 1 > columns:
                at += columns - at % columns
            ring = at + n + 1
            above, q, n_source = parent[record], zero, zero
            while above >= 0 and n_source == 0:
                if where[above] >= 0 and ring - where[above] <= columns:
                    q, n_source = where[above] % columns, place[above, 1] - place[above, 0]
                above = parent[above]
            where[record], top[RING] = at, ring
            at %= columns
            fill_rows(
                codes,
                labels,
                arity,
                order_row,
                active,
                zero,
                n_active,
                cases,
                n,
                class_bits,
                case_bits,
                q,
                n_source,
                mark,
                scratch.count,
                scratch.spare,
                at,
                entries,
                starts,
                ends,
            )
        evaluate_rows(
            now,
            class_bits,
            case_bits,
            order_row,
            table.value_start,
            table.values,
            table.nlogn,
            scratch.weight_of,
            scratch.sizes,
            scratch.steps,
            table.close,
            entries,
            starts,
            zero,
            ends,
            active,
            n_active,
            counts,
            n,
            fractional,
            weight,
            known,
            scratch.left,
            scratch.right,
            scratch.chords,
            masses,
            splits,
            gains,
            cuts,
            uppers,
            constants,
            tops,
        )
    else:
        for i in range(n_active):  # the scans take so long here that references do not matter
            single[0] = active[i]
            fill_rows(
                codes,
                labels,
                arity,
                one_row,
                active,
                np.int64(i),
                np.int64(i + 1),
                cases,
                n,
                class_bits,
                case_bits,
                zero,
                zero,
                mark,
                scratch.count,
                scratch.spare,
                zero,
                line,
                starts,
                ends,
            )
            evaluate_rows(
                now,
                class_bits,
                case_bits,
                one_row,
                table.value_start,
                table.values,
                table.nlogn,
                scratch.weight_of,
                scratch.sizes,
                scratch.steps,
                table.close,
                line,
                starts,
                zero,
                ends,
                single,
                np.int64(1),
                counts,
                n,
                fractional,
                weight,
                known,
                scratch.left,
                scratch.right,
                scratch.chords,
                masses,
                splits,
                gains,
                cuts,
                uppers,
                constants,
                tops,
            )
    if table.n_discrete > 0:
        evaluate_discrete(
            now,
            class_bits,
            order_row,
            codes,
            arity,
            table.nlogn,
            scratch.histogram,
            active,
            n_active,
            cases,
            scratch.weights,
            zero,
            n,
            fractional,
            weight,
            known[:classes],
            masses,
            splits,
            gains,
            cuts,
            uppers,
            constants,
            scratch.count,
            scratch.spare,
        )
    for i in range(n):
        mark[index(cases[index(i)] >> class_bits)] = 0
    n_ranked = order_features(
        active,
        n_active,
        gains,
        masses,
        splits,
        cuts,
        uppers,
        constants,
        weight,
        places,
        now,
        record,
        store.alive,
        scratch.quality,
        store.ranked,
        store.below,
        store.above,
        store.child,
    )
    store.n_ranked[record] = n_ranked
    store.state[record] = CUT_SHORT if n_ranked == places else RANKED
