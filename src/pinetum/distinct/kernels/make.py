"""Making records: the children of a record under one of its ranked features.

What is called for every record is inlined and takes arrays one by one: see `evaluate`.
"""

import numpy as np

from pinetum.constants import MISSING
from pinetum.distinct.kernels.evaluate import evaluate_features
from pinetum.distinct.kernels.records import (
    BUILDING,
    CASES,
    CHILDREN,
    CLASSES,
    CUT,
    DEPTH,
    DIGEST,
    DISCRETE,
    ERRORS,
    FREED,
    FULL,
    HASH_A,
    HASH_B,
    HOPELESS,
    LABEL,
    LINE,
    LIVE,
    LIVE_HERE,
    RANKED,
    RANKING,
    SEARCH,
    SMALL,
    UNRANKED,
    WANTED,
    WEIGHTS,
)
from pinetum.induction.kernels.quality import branch_share, majority
from pinetum.jit import kernel

SEARCH_UNIT = (
    1 << 40
)  # a whole search case where shares are needed: their sums must tell ties from rounding


@kernel
def mix(x):
    """Spread the bits of a 64-bit word (the finaliser of splitmix64)."""
    x = np.uint64(x)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@kernel
def small_part(words, record):
    """First of the 32-bit words of a record, in a table whose sets of features have so many 64-bit
    words.
    """
    return record + 2 * (UNRANKED + 2 * words)


@kernel
def cold_part(words, record):
    """First of the 64-bit words that walks do not read."""
    return (small_part(words, record) + SMALL) >> 1


@kernel(inline=True)
def settle(
    labels,
    hashes,
    cost,
    rules,
    settings,
    pool,
    pool64,
    slots,
    counters,
    case,
    weight,
    counts,
    sets,
    lo,
    n_building,
    n_search,
    above,
    depth,
):
    """The child for the cases lo.. of the scratch: a leaf, a record found again or a new one.

    `above` is the parent's label, which breaks majority ties; the live features are its. Returns
    FULL when the pool is.
    """
    words = settings.words
    total, broken = weigh_classes(labels, case, weight, lo, n_building, counts, rules.unit)
    label, pure = above, True
    if total > 0:
        label = majority(counts, above, rules)
        pure = counts[label] == total
    middle = lo + n_building
    errors, hopeless, fractional = count_errors(
        settings, cost, labels, case, weight, middle, n_search, label, counts
    )
    stops = pure or total < rules.min_cases or depth == rules.max_depth
    if stops and not fractional:
        return np.int64(-1 - errors)
    a, b, digest = hash_cases(hashes, case, weight, lo, middle, n_search)
    a += np.uint64(label)
    if rules.max_depth >= 0:
        a += mix(np.uint64(depth + 1))  # what may grow here then depends on the depth too
    a = mix(a)
    b = mix(b ^ a)
    shared = settings.shared != 0
    slot = np.int64(a & np.uint64(len(slots) - 1))
    if shared:
        found, slot = find_record(slots, pool64, words, slot, a, b)
        if found != 0:
            return found
        if counters.records * 2 > len(slots) - 1:
            return np.int64(FULL)
    kept = np.int64(0) if stops else n_building  # a leaf's building cases are not asked for
    record = new_record(pool, counters, settings, kept, n_search, broken, fractional)
    if record == FULL:
        return record
    head, cold, at = record >> 1, cold_part(words, record), small_part(words, record)
    pool64[head] = total
    pool64[cold + HASH_A], pool64[cold + HASH_B], pool64[cold + DIGEST] = (
        np.int64(a),
        np.int64(b),
        np.int64(digest),
    )
    for w in range(words):
        pool64[head + UNRANKED + w] = np.int64(0) if stops else sets[LIVE_HERE, w]
        pool64[head + UNRANKED + words + w] = 0
        pool64[cold + LIVE + w] = np.int64(0) if stops else sets[LIVE_HERE, w]
    pool[at + LABEL], pool[at + DEPTH] = label, depth
    pool[at + ERRORS] = errors
    pool[at + HOPELESS] = errors if stops else hopeless
    keep_cases(pool, pool64, words, record, case, weight, middle - kept, kept + n_search)
    if fractional:
        keep_classes(pool, pool64, words, record, counts, total, label, rules.unit)
    if shared:
        slots[slot] = record
    return record


@kernel(inline=True)
def weigh_classes(labels, case, weight, lo, n_building, counts, unit):
    """Class weights of the building cases, into `counts`: (their sum, whether some case is not
    whole).
    """
    for k in range(len(counts)):
        counts[k] = 0
    total = np.int64(0)
    broken = False
    for i in range(lo, lo + n_building):
        w = weight[i]
        counts[labels[case[i]]] += w
        total += w
        broken |= w != unit
    return total, broken


@kernel(inline=True)
def count_errors(settings, cost, labels, case, weight, first, n_search, label, counts):
    """(errors of a leaf here, errors of every subtree here, whether some search case is here in
    part).
    """
    whole = np.int64(SEARCH_UNIT if settings.weighted != 0 else 1)
    costly = settings.costly != 0
    errors = hopeless = np.int64(settings.leaf_cost)
    fractional = False
    for i in range(first, first + n_search):
        truth = labels[case[i]]
        if weight[i] != whole:
            fractional = True
        elif truth != label:
            errors += cost[truth, label] if costly else 1
            if counts[truth] == 0:  # all leaves below have the class of a building case here
                hopeless += cheapest(cost, truth, counts) if costly else 1
    return errors, hopeless, fractional


@kernel(inline=True)
def cheapest(cost, truth, counts):
    """The least cost of a case of a class in a leaf of a class that has weight."""
    least = np.int64(-1)
    for k in range(len(counts)):
        if counts[k] > 0 and (least < 0 or cost[truth, k] < least):
            least = cost[truth, k]
    return max(least, np.int64(0))


@kernel(inline=True)
def hash_cases(hashes, case, weight, lo, middle, n_search):
    """Two words of the content of a set of cases, and the digest of its building cases alone."""
    a, b = np.uint64(0), np.uint64(0)
    for i in range(lo, middle):
        w = np.uint64(weight[i])
        a += hashes[case[i], 0] * w
        b += hashes[case[i], 1] * w
    digest = mix(a ^ mix(b))
    for i in range(middle, middle + n_search):
        w = np.uint64(weight[i])
        a += hashes[case[i], 0] * w
        b += hashes[case[i], 1] * w
    return a, b, digest


@kernel(inline=True)
def find_record(slots, pool64, words, slot, a, b):
    """(the record of this content or 0, the slot where it is or would be)."""
    ring = len(slots) - 1
    while slots[slot] != 0:
        found = np.int64(slots[slot])
        cold = cold_part(words, found)
        if pool64[cold + HASH_A] == np.int64(a) and pool64[cold + HASH_B] == np.int64(b):
            return found, slot
        slot = (slot + 1) & ring
    return np.int64(0), slot


@kernel
def new_record(pool, counters, settings, n_building, n_search, broken, fractional):
    """Take room for a record with so many cases from the pool, and write down where its parts are.

    FULL if none is.
    """
    words = settings.words
    n = n_building + n_search
    header = 2 * (UNRANKED + 2 * words) + SMALL + 2 * (LIVE + words)
    size = header + n
    size += size & 1
    weights_at = np.int64(0)
    if settings.weighted != 0 and (broken or fractional):
        weights_at = size
        size += 2 * n + (2 * settings.n_classes if fractional else 0)
    record = (counters.used + LINE - 1) & -LINE
    if record + size > len(pool):
        return np.int64(FULL)
    counters.used = record + size
    counters.records += 1
    at = small_part(words, record)
    pool[at + BUILDING], pool[at + SEARCH] = n_building, n_search
    pool[at + RANKED], pool[at + RANKING] = 0, 0
    pool[at + CASES] = header
    pool[at + WEIGHTS] = weights_at
    pool[at + CLASSES] = weights_at + 2 * n if fractional else 0
    return np.int64(record)


@kernel(inline=True)
def keep_cases(pool, pool64, words, record, case, weight, first, n):
    """Copy n cases of the scratch into a record, with weights where they are needed."""
    at = small_part(words, record)
    cases, weights = record + pool[at + CASES], np.int64(pool[at + WEIGHTS])
    for i in range(n):
        pool[cases + i] = case[first + i]
    if weights != 0:
        weights = (record + weights) >> 1
        for i in range(n):
            pool64[weights + i] = weight[first + i]


@kernel(inline=True)
def keep_classes(pool, pool64, words, record, counts, total, label, unit):
    """Write the class weights of a leaf that votes."""
    classes = (record + pool[small_part(words, record) + CLASSES]) >> 1
    for k in range(len(counts)):
        pool64[classes + k] = counts[k]
    if total == 0:  # an empty leaf votes for its label
        pool64[classes + label] = unit


@kernel(inline=True)
def room_for_ranking(pool, counters, kept, ranked):
    """Where a ranking of so many features goes: where one was that is written anew, or the end of
    the pool; or FULL.
    """
    ranking = np.int64(kept[FREED, ranked])
    if ranking != 0:
        kept[FREED, ranked] = pool[ranking]
        return ranking
    ranking = np.int64(counters.used)
    end = ranking + 5 * ranked + (ranked & 1)
    if end > len(pool):
        return np.int64(FULL)
    counters.used = end
    return ranking


@kernel(inline=True)
def rank_more(
    kind,
    labels,
    arity,
    cells,
    order,
    values,
    value_start,
    present,
    nlogn_of,
    rules,
    settings,
    pool,
    pool64,
    counters,
    case,
    weight,
    label,
    by_class,
    histogram,
    entries,
    sizes,
    steps,
    weight_of,
    bits,
    ranked_features,
    quality,
    kept,
    sets,
    offered,
    record,
):
    """Rank the features `offered` that a record has not ranked yet; 0, or FULL."""
    words = settings.words
    at = small_part(words, record)
    unranked, live_at = (record >> 1) + UNRANKED, cold_part(words, record) + LIVE
    n = np.int64(pool[at + BUILDING])
    cases = record + pool[at + CASES]
    for i in range(n):
        case[i] = pool[cases + i]
    fractional = False
    if pool[at + WEIGHTS] != 0:
        weights = (record + pool[at + WEIGHTS]) >> 1
        for i in range(n):
            weight[i] = pool64[weights + i]
            fractional |= weight[i] != rules[0].unit
    features = np.int64(0)
    for w in range(words):
        sets[LIVE_HERE, w] = pool64[live_at + w]
        rest = pool64[unranked + w] & offered[w]
        sets[WANTED, w] = rest
        while rest != 0:
            rest &= rest - 1
            features += 1
    before = ranked = np.int64(pool[at + RANKED])
    ranking = np.int64(pool[at + RANKING])
    qualities = (ranking + 3 * ranked + 1) >> 1
    for j in range(ranked):
        f = pool[ranking + 3 * j]
        ranked_features[j] = f
        kept[CUT, f], kept[CHILDREN, f] = pool[ranking + 3 * j + 1], pool[ranking + 3 * j + 2]
        quality[j] = pool64[qualities + j]
    weight_here, now = (pool64[record >> 1], rules[0]) if fractional else (n, rules[1])
    ranked = evaluate_features(
        kind,
        labels,
        arity,
        cells,
        order,
        values,
        value_start,
        present,
        nlogn_of,
        now,
        settings,
        case,
        weight,
        label,
        by_class,
        histogram,
        entries,
        sizes,
        steps,
        weight_of,
        bits,
        ranked_features,
        quality,
        kept,
        sets,
        n,
        weight_here,
        fractional,
        ranked,
    )
    counters.work += n * features + 200
    counters.evaluated += 1
    if before == 0 or ranked > before:
        ranking = room_for_ranking(pool, counters, kept, ranked)
        if ranking == FULL:
            return ranking
        if before > 0 and settings.shared != 0:  # without sharing the pool is a stack
            old = pool[at + RANKING]
            pool[old], kept[FREED, before] = kept[FREED, before], old
    qualities = (ranking + 3 * ranked + 1) >> 1
    for j in range(ranked):
        f = ranked_features[j]
        pool[ranking + 3 * j] = f
        pool[ranking + 3 * j + 1], pool[ranking + 3 * j + 2] = kept[CUT, f], kept[CHILDREN, f]
        pool64[qualities + j] = quality[j]
        pool64[unranked + words + (f >> 6)] |= np.int64(1) << np.int64(f & 63)
    pool[at + RANKED] = ranked
    pool[at + RANKING] = ranking
    for w in range(words):
        pool64[live_at + w] = sets[LIVE_HERE, w]
        pool64[unranked + w] &= ~offered[w]
    return np.int64(0)


@kernel(pauses=True)
def make_root(table, store):
    """The record of all cases of the only part, or one whose branches are the parts.

    FULL when it does not fit.

    With several parts the root splits on a virtual feature, the last, which every tree uses.
    """
    parts = table.settings[0].parts
    offer_every_feature(store.sets, table.codes.shape[0])
    if parts == 1:
        return make_part(table, store, np.int64(0))
    pool, pool64, counters = store.pool, store.pool64, store.counters[0]
    root = new_record(pool, counters, table.settings[0], np.int64(0), np.int64(0), False, False)
    if root == FULL or counters.used + parts + 6 > len(pool):
        return np.int64(FULL)
    virtual = np.int64(table.codes.shape[0])
    words = table.settings[0].words
    at = small_part(words, root)
    for w in range(2 * words):
        pool64[(root >> 1) + UNRANKED + w] = 0
    pool64[root >> 1] = 1
    pool64[cold_part(words, root) + DIGEST] = 0
    pool64[(root >> 1) + UNRANKED + words + (virtual >> 6)] = np.int64(1) << np.int64(virtual & 63)
    pool[at + LABEL] = -1
    pool[at + ERRORS], pool[at + HOPELESS], pool[at + DEPTH] = (
        1,
        0,
        0,
    )  # never a leaf: its parts may err
    ranking = (counters.used + 1) & -2
    pool[at + RANKED], pool[at + RANKING] = 1, ranking
    children = ranking + 4
    pool[ranking], pool[ranking + 1], pool[ranking + 2] = virtual, -1, children
    counters.used = children + parts + (parts & 1)
    for p in range(parts):
        child = make_part(table, store, np.int64(p))
        if child == FULL:
            return child
        pool[children + p] = np.int32(child)
    return root


@kernel
def offer_every_feature(sets, n_features):
    """Let all features live, but for the virtual one."""
    sets[LIVE_HERE] = 0
    for f in range(n_features):
        sets[LIVE_HERE, f >> 6] |= np.int64(1) << np.int64(f & 63)


@kernel
def make_part(table, store, part):
    """The root of one part."""
    first, middle, last = table.part[part, 0], table.part[part, 1], table.part[part, 2]
    for i in range(last - first):
        store.case[i] = table.member[first + i]
        store.weight[i] = table.rules[0].unit
    if table.settings[0].weighted != 0:
        store.weight[middle - first : last - first] = SEARCH_UNIT
    zero = np.int64(0)
    return settle(
        table.labels,
        table.hashes,
        table.cost,
        table.rules[0],
        table.settings[0],
        store.pool,
        store.pool64,
        store.slots,
        store.counters[0],
        store.case,
        store.weight,
        store.counts,
        store.sets,
        zero,
        np.int64(middle - first),
        np.int64(last - middle),
        np.int64(-1),
        zero,
    )


@kernel(inline=True)
def make_children(
    codes,
    labels,
    kind,
    arity,
    hashes,
    cost,
    rules,
    settings,
    pool,
    pool64,
    slots,
    counters,
    case,
    weight,
    begin,
    known,
    building,
    end,
    total,
    counts,
    sets,
    record,
    entry,
):
    """Split the cases of a record by the ranked feature at `entry`.

    Offset of the children, or FULL.
    """
    at, cold = small_part(settings.words, record), cold_part(settings.words, record)
    f = np.int64(pool[entry])
    cut, branches = np.int64(-1), np.int64(arity[f])
    if kind[f] != DISCRETE:
        cut, branches = np.int64(pool[entry + 1]), np.int64(2)
    share_out(
        pool,
        pool64,
        at,
        record,
        codes,
        f,
        cut,
        branches,
        settings.weighted != 0,
        np.int64(rules.unit),
        begin,
        known,
        building,
        end,
        total,
        case,
        weight,
    )
    label, depth = np.int64(pool[at + LABEL]), np.int64(pool[at + DEPTH] + 1)
    for w in range(settings.words):
        sets[LIVE_HERE, w] = pool64[cold + LIVE + w]
    used = counters.used
    counters.work += pool[at + BUILDING] + pool[at + SEARCH]
    if used + branches + 1 > len(pool):
        return np.int64(FULL)
    counters.used = used + branches + (branches & 1)
    for b in range(branches):
        child = settle(
            labels,
            hashes,
            cost,
            rules,
            settings,
            pool,
            pool64,
            slots,
            counters,
            case,
            weight,
            counts,
            sets,
            begin[b],
            building[b],
            end[b] - begin[b] - building[b],
            label,
            depth,
        )
        if child == FULL:
            return child
        pool[used + b] = np.int32(child)
    if settings.shared != 0:
        pool[entry + 2] = used
    return np.int64(used)


@kernel
def share_out(
    pool,
    pool64,
    at,
    record,
    codes,
    f,
    cut,
    branches,
    with_shares,
    unit,
    begin,
    known,
    building,
    fill,
    total,
    case,
    weight,
):
    """Sort the cases of a record into the branches of a split.

    Branch b is begin[b] to fill[b] of the scratch, the first building[b] of them building cases. A
    case without a value goes down every branch that has weight. `cut` is -1 for a discrete feature.
    """
    continuous = cut >= 0
    n_building = np.int64(pool[at + BUILDING])
    n = n_building + np.int64(pool[at + SEARCH])
    cases = record + pool[at + CASES]
    weights = (record + pool[at + WEIGHTS]) >> 1
    weighted = pool[at + WEIGHTS] != 0
    search_unit = np.int64(SEARCH_UNIT if with_shares else 1)
    begin[0] = 0
    for b in range(branches):
        begin[b + 1], known[b], building[b] = 0, 0, 0
    missing, known_total = np.int64(0), np.int64(0)
    for i in range(n):
        v = np.int64(codes[f, pool[cases + i]])
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
    # A search case goes by the branches' whole weight, as a grown tree knows no other.
    # `fill` is the next free place of a branch, `total` its weight.
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
        v = np.int64(codes[f, c])
        if v == MISSING:
            for b in range(branches):
                if known[b] > 0:
                    if i < n_building:
                        share = branch_share(w, known[b], known_total)
                        total[b] += share
                    else:
                        share = np.int64(np.rint(w * (total[b] / reached)))
                    if share > 0:
                        case[fill[b]] = c
                        weight[fill[b]] = share
                        fill[b] += 1
        else:
            b = (np.int64(0) if v <= cut else np.int64(1)) if continuous else v
            case[fill[b]] = c
            weight[fill[b]] = w
            fill[b] += 1
    if n == n_building:
        for b in range(branches):
            building[b] = fill[b] - begin[b]
