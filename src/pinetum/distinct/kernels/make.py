"""Making records: the children of a record under one of its ranked features."""

import numpy as np

from pinetum.constants import MISSING
from pinetum.distinct.kernels.evaluate import evaluate_features
from pinetum.distinct.kernels.records import (
    BUILDING,
    CASES,
    CLASSES,
    DEPTH,
    DIGEST,
    ERRORS,
    EVALUATED,
    FULL,
    HASH_A,
    HASH_B,
    HOPELESS,
    LABEL,
    LINE,
    LIVE,
    N_BUILDING,
    N_CLASSES,
    RANKED,
    RANKING,
    RECORDS,
    SEARCH,
    SHARED,
    SMALL,
    UNRANKED,
    USED,
    WEIGHTED,
    WEIGHTS,
    WORK,
)
from pinetum.induction.kernels.quality import branch_share, majority
from pinetum.jit import kernel

SEARCH_UNIT = 1 << 40  # a whole search case where shares are needed: their sums must tell ties from rounding


@kernel
def mix(x):
    """Spread the bits of a 64-bit word (the finaliser of splitmix64)."""
    x = np.uint64(x)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@kernel
def words_of(table):
    return (table.codes.shape[0] + 63) >> 6


@kernel
def small_part(table, record):
    return record + 2 * (UNRANKED + 2 * words_of(table))


@kernel
def cold_part(table, record):
    """First of the 64-bit words that walks do not read."""
    return (small_part(table, record) + SMALL) >> 1


@kernel
def settle(table, store, lo, n_building, n_search, above, depth, live_before):
    """The child for the cases lo.. of the scratch: a leaf, a record found again or a new one.

    `above` is the parent's label, which breaks majority ties. Returns FULL when the pool is.
    """
    settings, case, weights = table.settings, store.case, store.weight
    n_classes = settings[N_CLASSES]
    rules, unit = table.rules, table.rules.unit
    totals = store.totals
    totals[2, :n_classes] = 0
    total = np.int64(0)
    broken = False
    for i in range(lo, lo + n_building):
        w = weights[i]
        totals[2, table.labels[case[i]]] += w
        total += w
        broken |= w != unit
    label = above
    pure = True
    if total > 0:
        label = majority(totals[2, :n_classes], above, rules)
        pure = totals[2, label] == total
    errors, hopeless = np.int64(0), np.int64(0)
    weighted = settings[WEIGHTED] != 0
    whole = np.int64(SEARCH_UNIT if weighted else 1)
    fractional = False
    for i in range(lo + n_building, lo + n_building + n_search):
        if weights[i] != whole:
            fractional = True
        elif table.labels[case[i]] != label:
            errors += 1
            # All leaves below have the class of a building case here.
            hopeless += totals[2, table.labels[case[i]]] == 0
    stops = pure or total < rules.stop_weight or depth == rules.max_depth
    if stops and not fractional:
        return np.int64(-1 - errors)

    a = np.uint64(0)
    b = np.uint64(0)
    digest = np.uint64(0)
    for i in range(lo, lo + n_building):
        w = np.uint64(weights[i])
        a += table.hashes[case[i], 0] * w
        b += table.hashes[case[i], 1] * w
    digest = mix(a ^ mix(b))
    for i in range(lo + n_building, lo + n_building + n_search):
        w = np.uint64(weights[i])
        a += table.hashes[case[i], 0] * w
        b += table.hashes[case[i], 1] * w
    a += np.uint64(label)
    if rules.max_depth >= 0:
        a += mix(np.uint64(depth + 1))  # what may grow here then depends on the depth too
    a = mix(a)
    b = mix(b ^ a)
    pool, pool64, slots = store.pool, store.pool64, store.slots
    ring = len(slots) - 1
    slot = np.int64(a & np.uint64(ring))
    shared = settings[SHARED] != 0
    if shared:
        while slots[slot] != 0:
            found = np.int64(slots[slot])
            cold = cold_part(table, found)
            if pool64[cold + HASH_A] == np.int64(a) and pool64[cold + HASH_B] == np.int64(b):
                return found
            slot = (slot + 1) & ring
        if store.counters[RECORDS] * 2 > ring:
            return np.int64(FULL)

    words = words_of(table)
    kept_building = n_building if not stops else 0
    n = kept_building + n_search
    used = (store.counters[USED] + LINE - 1) & -LINE
    header = 2 * (UNRANKED + 2 * words) + SMALL + 2 * (LIVE + words)
    size = header + n
    size += size & 1
    weights_at = np.int64(0)
    if weighted and (broken or fractional):
        weights_at = size
        size += 2 * n + (2 * n_classes if fractional else 0)
    if used + size > len(pool):
        return np.int64(FULL)
    record = used
    store.counters[USED] = used + size
    store.counters[RECORDS] += 1
    head = record >> 1
    cold = cold_part(table, record)
    pool64[head] = total
    pool64[cold + HASH_A] = np.int64(a)
    pool64[cold + HASH_B] = np.int64(b)
    pool64[cold + DIGEST] = np.int64(digest)
    for w in range(words):
        pool64[head + UNRANKED + w] = np.int64(0) if stops else live_before[w]
        pool64[head + UNRANKED + words + w] = 0
        pool64[cold + LIVE + w] = np.int64(0) if stops else live_before[w]
    at = small_part(table, record)
    pool[at + LABEL] = label
    pool[at + ERRORS] = errors
    pool[at + HOPELESS] = errors if stops else hopeless
    pool[at + BUILDING] = kept_building
    pool[at + SEARCH] = n_search
    pool[at + RANKED] = 0
    pool[at + RANKING] = 0
    pool[at + DEPTH] = depth
    pool[at + CASES] = header
    pool[at + WEIGHTS] = weights_at
    pool[at + CLASSES] = weights_at + 2 * n if fractional else 0
    first = lo + n_building - kept_building
    at = record + pool[at + CASES]
    for i in range(n):
        pool[at + i] = case[first + i]
    if weights_at != 0:
        at = (record + weights_at) >> 1
        for i in range(n):
            pool64[at + i] = weights[first + i]
        if fractional:
            for k in range(n_classes):
                pool64[at + n + k] = totals[2, k]
            if total == 0:  # an empty leaf votes for its label
                pool64[at + n + label] = unit
    if shared:
        slots[slot] = record
    return np.int64(record)


@kernel
def rank_more(table, store, record):
    """Rank the features of `store.offered` that a record has not ranked yet; 0, or FULL."""
    pool, pool64 = store.pool, store.pool64
    words = words_of(table)
    at = small_part(table, record)
    unranked = (record >> 1) + UNRANKED
    live = cold_part(table, record) + LIVE
    n = np.int64(pool[at + BUILDING])
    cases = record + pool[at + CASES]
    weights = (record + pool[at + WEIGHTS]) >> 1
    weighted = pool[at + WEIGHTS] != 0
    unit = np.int64(table.rules.unit)
    for i in range(n):
        store.case[i] = pool[cases + i]
        store.weight[i] = pool64[weights + i] if weighted else unit
    features = np.int64(0)
    for w in range(words):
        store.live[w] = pool64[live + w]
        store.wanted[w] = pool64[unranked + w] & store.offered[w]
        rest = store.wanted[w]
        while rest != 0:
            rest &= rest - 1
            features += 1
    ranked = np.int64(pool[at + RANKED])
    ranking = np.int64(pool[at + RANKING])
    qualities = (ranking + 3 * ranked + 1) >> 1
    for j in range(ranked):
        f = pool[ranking + 3 * j]
        store.ranked[j] = f
        store.cut[f] = pool[ranking + 3 * j + 1]
        store.children[f] = pool[ranking + 3 * j + 2]
        store.quality[f] = pool64[qualities + j]
    ranked = evaluate_features(table, store, np.int64(0), n, pool64[record >> 1], ranked)
    store.counters[WORK] += n * features + 200
    store.counters[EVALUATED] += 1
    used = store.counters[USED]
    qualities = (used + 3 * ranked + 1) >> 1
    if 2 * (qualities + ranked) > len(pool):
        return np.int64(FULL)
    for j in range(ranked):
        f = store.ranked[j]
        pool[used + 3 * j] = f
        pool[used + 3 * j + 1] = store.cut[f] if table.continuous[f] else -1
        pool[used + 3 * j + 2] = store.children[f]
        pool64[qualities + j] = store.quality[f]
        pool64[unranked + words + (f >> 6)] |= np.int64(1) << np.int64(f & 63)
    store.counters[USED] = 2 * (qualities + ranked)
    pool[at + RANKED] = ranked
    pool[at + RANKING] = used
    for w in range(words):
        pool64[live + w] = store.live[w]
        pool64[unranked + w] &= ~store.offered[w]
    return np.int64(0)


@kernel
def make_root(table, store):
    """The record of all cases, which is the first of the pool; FULL when it does not fit."""
    n = table.codes.shape[1]
    for i in range(n):
        store.case[i] = i
        store.weight[i] = table.rules.unit
    if table.settings[WEIGHTED] != 0:
        store.weight[table.settings[N_BUILDING] : n] = SEARCH_UNIT
    live = np.full(words_of(table), np.int64(-1))
    n_building = table.settings[N_BUILDING]
    zero = np.int64(0)
    return settle(table, store, zero, n_building, np.int64(n - n_building), np.int64(-1), zero, live)


@kernel
def make_children(table, store, record, entry):
    """Split the cases of a record by the ranked feature at `entry`; offset of the children, or FULL."""
    pool, pool64 = store.pool, store.pool64
    at = small_part(table, record)
    f = pool[entry]
    cut = pool[entry + 1]
    continuous = table.continuous[f] != 0
    branches = np.int64(2) if continuous else np.int64(table.arity[f])
    n_building = np.int64(pool[at + BUILDING])
    n = n_building + np.int64(pool[at + SEARCH])
    cases = record + pool[at + CASES]
    weights = (record + pool[at + WEIGHTS]) >> 1
    weighted = pool[at + WEIGHTS] != 0
    unit = np.int64(table.rules.unit)
    search_unit = np.int64(SEARCH_UNIT if table.settings[WEIGHTED] != 0 else 1)
    codes = table.codes[f]
    begin, known, building = store.begin, store.known, store.building
    begin[: branches + 1] = 0
    known[:branches] = 0
    building[:branches] = 0
    missing = np.int64(0)
    known_total = np.int64(0)
    for i in range(n):
        v = np.int64(codes[pool[cases + i]])
        if v == MISSING:
            missing += 1
            continue
        b = (np.int64(0) if v <= cut else np.int64(1)) if continuous else v
        begin[b + 1] += 1
        if i < n_building:
            w = pool64[weights + i] if weighted else unit
            known[b] += w
            known_total += w
    for b in range(branches):
        begin[b + 1] += begin[b] + (missing if known[b] > 0 else 0)
    # `key` serves as the next free place per branch.
    # A search case goes by the branches' whole weight, as a grown tree knows no other.
    fill, total = store.key, store.total
    reached = np.int64(0)
    for b in range(branches):
        fill[b] = begin[b]
        total[b] = known[b]
    for i in range(n):
        if i == n_building:
            for b in range(branches):
                building[b] = fill[b] - begin[b]
                reached += total[b]
        c = pool[cases + i]
        w = unit if i < n_building else search_unit
        if weighted:
            w = pool64[weights + i]
        v = np.int64(codes[c])
        if v == MISSING:
            for b in range(branches):
                if known[b] > 0:
                    if i < n_building:
                        share = branch_share(w, known[b], known_total)
                        total[b] += share
                    else:
                        share = np.int64(np.rint(w * (total[b] / reached)))
                    if share > 0:
                        store.case[fill[b]] = c
                        store.weight[fill[b]] = share
                        fill[b] += 1
        else:
            b = (np.int64(0) if v <= cut else np.int64(1)) if continuous else v
            store.case[fill[b]] = c
            store.weight[fill[b]] = w
            fill[b] += 1
    if n == n_building:
        for b in range(branches):
            building[b] = fill[b] - begin[b]
    ends = np.empty(branches, np.int64)  # evaluating a child uses the scratch again
    for b in range(branches):
        ends[b] = fill[b]
    label = np.int64(pool[at + LABEL])
    depth = np.int64(pool[at + DEPTH] + 1)
    cold = cold_part(table, record)
    live = pool64[cold + LIVE : cold + LIVE + words_of(table)]
    used = store.counters[USED]
    store.counters[WORK] += n
    if used + branches + 1 > len(pool):
        return np.int64(FULL)
    store.counters[USED] = used + branches + (branches & 1)
    for b in range(branches):
        child = settle(table, store, begin[b], building[b], ends[b] - begin[b] - building[b], label, depth, live)
        if child == FULL:
            return child
        pool[used + b] = np.int32(child)
    if table.settings[SHARED] != 0:
        pool[entry + 2] = used
    return np.int64(used)
