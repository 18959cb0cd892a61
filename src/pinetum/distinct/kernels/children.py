"""Making records: the children of a record under one of its ranked features, and the root.

    scratch.case, weight    | branch 0 .................... | branch 1 ...
                              ^ begin  building | search      ^ end of 0, begin of 1

`share_out` writes the cases of the branches; `settle` makes of each a leaf, finds its record again,
or writes a new one.
"""

import numpy as np

from pinetum.constants import MISSING
from pinetum.distinct.kernels.records import (
    BUILDING,
    CASES,
    CLASSES,
    DEPTH,
    DIGEST,
    DISCRETE,
    ERRORS,
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
    WEIGHTS,
    Store,
    Table,
    cold_part,
    mix,
    small_part,
)
from pinetum.induction.kernels.quality import branch_share, majority
from pinetum.jit import kernel
from pinetum.kernels.bundles import borrower

SEARCH_UNIT = (
    1 << 40
)  # a whole search case where shares are needed: their sums must tell ties from rounding
NOT_FOUND = 0

borrow_table, borrow_store = borrower(Table), borrower(Store)


@kernel(inline=True)
def settle(table, store, branch, above, depth):
    """The child for the cases of a branch: a leaf, a record found again or a new one.

    `above` is the parent's label, which breaks majority ties; the live features are its. Returns
    FULL when the pool is.
    """
    settings, rules, scratch = table.settings[0], table.rules[0], store.scratch
    lo, middle = branch.begin, branch.begin + branch.building
    n_search = branch.end - middle
    total, broken = weigh_classes(
        table.labels, scratch.case, scratch.weight, lo, branch.building, scratch.counts, rules.unit
    )
    label, pure = above, True
    if total > 0:
        label = majority(scratch.counts, above, rules)
        pure = scratch.counts[label] == total
    errors, hopeless, fractional = count_errors(table, scratch, middle, n_search, label)
    stops = pure or total < rules.min_cases or depth == rules.max_depth
    child = np.int64(-1 - errors)
    if not stops or fractional:
        a, b, digest = hash_cases(table.hashes, scratch.case, scratch.weight, lo, middle, n_search)
        a += np.uint64(label)
        if rules.max_depth >= 0:
            a += mix(np.uint64(depth + 1))  # what may grow here then depends on the depth too
        a = mix(a)
        b = mix(b ^ a)
        child, slot = find_record(store, settings, a, b)
        if child == NOT_FOUND:
            kept = np.int64(0) if stops else branch.building  # a leaf's are not asked for
            child = new_record(store, settings, kept, n_search, broken, fractional)
            if child != FULL:
                if settings.shared != 0:
                    store.slots[slot] = child
                write_hash(store.memory, settings.words, child, a, b, digest)
                write_node(store, settings.words, child, total, label, depth, stops)
                at = small_part(settings.words, child)
                store.memory.pool[at + ERRORS] = errors
                store.memory.pool[at + HOPELESS] = errors if stops else hopeless
                keep_cases(store.memory, scratch, at, child, middle - kept, kept + n_search)
                if fractional:
                    keep_classes(store.memory, scratch.counts, at, child, total, label, rules.unit)
    return child


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
def count_errors(table, scratch, first, n_search, label):
    """(errors of a leaf here, errors of every subtree here, whether some search case is here in
    part).
    """
    settings, cost, counts = table.settings[0], table.cost, scratch.counts
    whole = np.int64(SEARCH_UNIT if settings.weighted != 0 else 1)
    costly = settings.costly != 0
    errors = hopeless = np.int64(settings.leaf_cost)
    fractional = False
    for i in range(first, first + n_search):
        truth = table.labels[scratch.case[i]]
        if scratch.weight[i] != whole:
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
def find_record(store, settings, a, b):
    """(the record of this content, NOT_FOUND, or FULL where there is no slot; its slot)."""
    slots, pool64 = store.slots, store.memory.pool64
    found, slot = np.int64(NOT_FOUND), np.int64(0)
    if settings.shared != 0:
        ring = len(slots) - 1
        slot = np.int64(a & np.uint64(ring))
        while slots[slot] != 0 and found == NOT_FOUND:
            cold = cold_part(settings.words, np.int64(slots[slot]))
            if pool64[cold + HASH_A] == np.int64(a) and pool64[cold + HASH_B] == np.int64(b):
                found = np.int64(slots[slot])
            else:
                slot = (slot + 1) & ring
        if found == NOT_FOUND and store.counters[0].records * 2 > ring:
            found = np.int64(FULL)
    return found, slot


@kernel(inline=True)
def new_record(store, settings, n_building, n_search, broken, fractional):
    """Take room for a record with so many cases from the pool, and write down where its parts are.

    FULL if none is.
    """
    pool, counters = store.memory.pool, store.counters[0]
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
        record = np.int64(FULL)
    else:
        counters.used = record + size
        counters.records += 1
        at = small_part(words, record)
        pool[at + BUILDING], pool[at + SEARCH] = n_building, n_search
        pool[at + RANKED], pool[at + RANKING] = 0, 0
        pool[at + CASES] = header
        pool[at + WEIGHTS] = weights_at
        pool[at + CLASSES] = weights_at + 2 * n if fractional else 0
    return record


@kernel(inline=True)
def write_hash(memory, words, record, a, b, digest):
    """Write by what a record is found again, and by what its tree is told from others."""
    cold = cold_part(words, record)
    memory.pool64[cold + HASH_A] = np.int64(a)
    memory.pool64[cold + HASH_B] = np.int64(b)
    memory.pool64[cold + DIGEST] = np.int64(digest)


@kernel(inline=True)
def write_node(store, words, record, total, label, depth, stops):
    """Write weight, label, depth and the features that may vary: none where it `stops`."""
    pool64, at = store.memory.pool64, small_part(words, record)
    head, live = record >> 1, cold_part(words, record) + LIVE
    pool64[head] = total
    for w in range(words):
        here = np.int64(0) if stops else store.scratch.sets[LIVE_HERE, w]
        pool64[head + UNRANKED + w] = here
        pool64[head + UNRANKED + words + w] = 0
        pool64[live + w] = here
    store.memory.pool[at + LABEL] = label
    store.memory.pool[at + DEPTH] = depth


@kernel(inline=True)
def keep_cases(memory, scratch, at, record, first, n):
    """Copy n cases of the scratch into a record, with weights where they are needed."""
    pool = memory.pool
    cases, weights = record + pool[at + CASES], np.int64(pool[at + WEIGHTS])
    for i in range(n):
        pool[cases + i] = scratch.case[first + i]
    if weights != 0:
        weights = (record + weights) >> 1
        for i in range(n):
            memory.pool64[weights + i] = scratch.weight[first + i]


@kernel(inline=True)
def keep_classes(memory, counts, at, record, total, label, unit):
    """Write the class weights of a leaf that votes."""
    classes = (record + memory.pool[at + CLASSES]) >> 1
    for k in range(len(counts)):
        memory.pool64[classes + k] = counts[k]
    if total == 0:  # an empty leaf votes for its label
        memory.pool64[classes + label] = unit


@kernel
def make_children(table, store, record, entry):
    """Split the cases of a record by the ranked feature at `entry`.

    Offset of the children, or FULL.
    """
    table, store = borrow_table(table), borrow_store(store)
    settings, counters, scratch = table.settings[0], store.counters[0], store.scratch
    pool, pool64 = store.memory.pool, store.memory.pool64
    at, live = small_part(settings.words, record), cold_part(settings.words, record) + LIVE
    f = np.int64(pool[entry])
    cut, branches = np.int64(-1), np.int64(table.arity[f])
    if table.kind[f] != DISCRETE:
        cut, branches = np.int64(pool[entry + 1]), np.int64(2)
    share_out(table, store.memory, scratch, at, record, f, cut, branches)
    label, depth = np.int64(pool[at + LABEL]), np.int64(pool[at + DEPTH] + 1)
    for w in range(settings.words):
        scratch.sets[LIVE_HERE, w] = pool64[live + w]
    children = np.int64(counters.used)
    counters.work += pool[at + BUILDING] + pool[at + SEARCH]
    made = children
    if children + branches + 1 > len(pool):
        made = np.int64(FULL)
    else:
        counters.used = children + branches + (branches & 1)
    b = np.int64(0)
    while made != FULL and b < branches:
        child = settle(table, store, scratch.branch[b], label, depth)
        if child == FULL:
            made = child
        else:
            pool[children + b] = np.int32(child)
        b += 1
    if made != FULL and settings.shared != 0:
        pool[entry + 2] = children
    return made


@kernel(inline=True)
def share_out(table, memory, scratch, at, record, f, cut, branches):
    """Sort the cases of a record into the branches of a split.

    A case without a value goes down every branch that has weight. `cut` is -1 for a discrete
    feature.
    """
    pool, pool64, codes = memory.pool, memory.pool64, table.codes
    case, weight, branch = scratch.case, scratch.weight, scratch.branch
    continuous = cut >= 0
    n_building = np.int64(pool[at + BUILDING])
    n = n_building + np.int64(pool[at + SEARCH])
    cases = record + pool[at + CASES]
    weights = (record + pool[at + WEIGHTS]) >> 1
    weighted, unit = pool[at + WEIGHTS] != 0, np.int64(table.rules[0].unit)
    search_unit = np.int64(SEARCH_UNIT if table.settings[0].weighted != 0 else 1)
    for b in range(branches + 1):
        branch[b].begin, branch[b].known, branch[b].building = 0, 0, 0
    missing, known_total = np.int64(0), np.int64(0)
    for i in range(n):
        v = np.int64(codes[f, pool[cases + i]])
        if v == MISSING:
            missing += 1
            continue
        b = (np.int64(0) if v <= cut else np.int64(1)) if continuous else v
        branch[b + 1].begin += 1
        if i < n_building:
            w = pool64[weights + i] if weighted else unit
            branch[b].known += w
            known_total += w
    for b in range(branches):
        here = branch[b]
        branch[b + 1].begin += here.begin + (missing if here.known > 0 else 0)
        here.end = here.begin  # the next free place, from here on
        here.total = here.known
    # A search case goes by the branches' whole weight, as a grown tree knows no other.
    reached = np.int64(0)
    for i in range(n):
        if i == n_building:
            reached = end_building(branch, branches)
        c = pool[cases + i]
        w = unit if i < n_building else search_unit
        if weighted:
            w = pool64[weights + i]
        v = np.int64(codes[f, c])
        if v == MISSING:
            for b in range(branches):
                here = branch[b]
                if here.known > 0:
                    if i < n_building:
                        share = branch_share(w, here.known, known_total)
                        here.total += share
                    else:
                        share = np.int64(np.rint(w * (here.total / reached)))
                    if share > 0:
                        case[here.end] = c
                        weight[here.end] = share
                        here.end += 1
        else:
            here = branch[(np.int64(0) if v <= cut else np.int64(1)) if continuous else v]
            case[here.end] = c
            weight[here.end] = w
            here.end += 1
    if n == n_building:
        end_building(branch, branches)


@kernel
def end_building(branch, branches):
    """Note how many building cases every branch has; the weight of all."""
    reached = np.int64(0)
    for b in range(branches):
        branch[b].building = branch[b].end - branch[b].begin
        reached += branch[b].total
    return reached


@kernel(pauses=True)
def make_root(table, store):
    """The record of all cases of the only part, or one whose branches are the parts.

    FULL when it does not fit.

    With several parts the root splits on a virtual feature, the last, which every tree uses.
    """
    parts, words = table.settings[0].parts, table.settings[0].words
    offer_every_feature(store.scratch.sets, table.codes.shape[0])
    root = children = np.int64(0)
    if parts > 1:
        pool, counters = store.memory.pool, store.counters[0]
        zero = np.int64(0)
        root = new_record(store, table.settings[0], zero, zero, False, False)
        if root != FULL and counters.used + parts + 6 > len(pool):
            root = np.int64(FULL)
        if root != FULL:
            children = write_root(store.memory, counters, words, root, table.codes.shape[0])
            counters.used = children + parts + (parts & 1)
    part = np.int64(0)
    while root != FULL and part < parts:
        child = make_part(table, store, part)
        if child == FULL or parts == 1:
            root = child
        else:
            store.memory.pool[children + part] = np.int32(child)
        part += 1
    return root


@kernel
def offer_every_feature(sets, n_features):
    """Let all features live, but for the virtual one."""
    sets[LIVE_HERE] = 0
    for f in range(n_features):
        sets[LIVE_HERE, f >> 6] |= np.int64(1) << np.int64(f & 63)


@kernel(inline=True)
def write_root(memory, counters, words, root, virtual):
    """Write the record whose branches are the parts: where its children go."""
    pool, pool64 = memory.pool, memory.pool64
    at, head = small_part(words, root), root >> 1
    pool64[head] = 1
    for w in range(2 * words):
        pool64[head + UNRANKED + w] = 0
    pool64[head + UNRANKED + words + (virtual >> 6)] = np.int64(1) << np.int64(virtual & 63)
    pool64[cold_part(words, root) + DIGEST] = 0
    pool[at + LABEL], pool[at + DEPTH] = -1, 0
    pool[at + ERRORS], pool[at + HOPELESS] = 1, 0  # never a leaf: its parts may err
    ranking = (counters.used + 1) & -2
    pool[at + RANKED], pool[at + RANKING] = 1, ranking
    pool[ranking], pool[ranking + 1], pool[ranking + 2] = virtual, -1, ranking + 4
    return np.int64(ranking + 4)


@kernel(inline=True)
def make_part(table, store, part):
    """The root of one part."""
    scratch, branch = store.scratch, store.scratch.branch[0]
    first, middle, last = table.part[part, 0], table.part[part, 1], table.part[part, 2]
    branch.begin, branch.building, branch.end = 0, middle - first, last - first
    for i in range(last - first):
        scratch.case[i] = table.member[first + i]
        scratch.weight[i] = table.rules[0].unit
    if table.settings[0].weighted != 0:
        for i in range(middle - first, last - first):
            scratch.weight[i] = SEARCH_UNIT
    return settle(table, store, branch, np.int64(-1), np.int64(0))
