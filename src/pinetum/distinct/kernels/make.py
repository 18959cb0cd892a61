"""Ranking features in a record, where a walk or a look ahead lacks them.

    a record's ranking   feature, cut, children | ... | quality | ...      `ranked` of each
    scratch              ranked[i], quality[i] by falling quality; found[feature] -> cut, children

A ranking is read into the scratch, joined by the features that are asked for, and written anew.
"""

import numpy as np

from pinetum.distinct.kernels.evaluate import evaluate_features
from pinetum.distinct.kernels.records import (
    BUILDING,
    CASES,
    FULL,
    LIVE,
    LIVE_HERE,
    RANKED,
    RANKING,
    UNRANKED,
    WANTED,
    WEIGHTS,
    Store,
    Table,
    cold_part,
    small_part,
    width,
)
from pinetum.jit import kernel
from pinetum.kernels.bundles import borrower

BY_WIDTH = 4096  # work of ranking many features, by `width` of their set

borrow_table, borrow_store = borrower(Table), borrower(Store)


@kernel
def rank_more(table, store, record):
    """Rank the features `offered` that a record has not ranked yet; 0, or FULL."""
    table, store = borrow_table(table), borrow_store(store)
    words, memory, counters = table.settings[0].words, store.memory, store.counters[0]
    at = small_part(words, record)
    n = np.int64(memory.pool[at + BUILDING])
    features = offer_unranked(store, words, record)
    before = read_ranking(memory, store.scratch, at)
    fractional = read_cases(memory, store.scratch, at, record, n, table.rules[0].unit)
    weight, rules = n, table.rules[1]
    if fractional:
        weight, rules = memory.pool64[record >> 1], table.rules[0]
    ranked = evaluate_features(table, store.scratch, rules, n, weight, fractional, before)
    counters.work += n * features + 200 + BY_WIDTH * width(words)
    counters.evaluated += 1
    made, ranking = np.int64(0), np.int64(memory.pool[at + RANKING])
    if before == 0 or ranked > before:
        # Without sharing the pool is a stack: what is left is not used again.
        left = before if table.settings[0].shared != 0 else np.int64(0)
        ranking = move_ranking(store, ranking, left, ranked)
    if ranking == FULL:
        made = ranking
    else:
        write_ranking(memory, store.scratch, words, record, ranking, ranked)
        note_ranked(store, words, record)
    return made


@kernel(inline=True)
def offer_unranked(store, words, record):
    """Set the features that live here, and those of them that are wanted: how many these are."""
    pool64, sets = store.memory.pool64, store.scratch.sets
    unranked, live = (record >> 1) + UNRANKED, cold_part(words, record) + LIVE
    features = np.int64(0)
    for w in range(words):
        sets[LIVE_HERE, w] = pool64[live + w]
        rest = pool64[unranked + w] & store.offered[w]
        sets[WANTED, w] = rest
        while rest != 0:
            rest &= rest - 1
            features += 1
    return features


@kernel(inline=True)
def read_cases(memory, scratch, at, record, n, unit):
    """Read the building cases of a record and their weights; whether some are here in part."""
    pool, cases = memory.pool, record + memory.pool[at + CASES]
    for i in range(n):
        scratch.case[i] = pool[cases + i]
    fractional = False
    if pool[at + WEIGHTS] != 0:
        weights = (record + pool[at + WEIGHTS]) >> 1
        for i in range(n):
            scratch.weight[i] = memory.pool64[weights + i]
            fractional |= scratch.weight[i] != unit
    return fractional


@kernel(inline=True)
def read_ranking(memory, scratch, at):
    """Read a record's ranking: how many features it has."""
    pool = memory.pool
    ranked, ranking = np.int64(pool[at + RANKED]), np.int64(pool[at + RANKING])
    qualities = (ranking + 3 * ranked + 1) >> 1
    for i in range(ranked):
        f = pool[ranking + 3 * i]
        scratch.ranked[i] = f
        found = scratch.found[f]
        found.cut, found.children = pool[ranking + 3 * i + 1], pool[ranking + 3 * i + 2]
        scratch.quality[i] = memory.pool64[qualities + i]
    return ranked


@kernel(inline=True)
def write_ranking(memory, scratch, words, record, ranking, ranked):
    """Write a record's ranking at its place."""
    pool, at = memory.pool, small_part(words, record)
    as_bits, qualities = (record >> 1) + UNRANKED + words, (ranking + 3 * ranked + 1) >> 1
    for i in range(ranked):
        f = scratch.ranked[i]
        found = scratch.found[f]
        pool[ranking + 3 * i] = f
        pool[ranking + 3 * i + 1], pool[ranking + 3 * i + 2] = found.cut, found.children
        memory.pool64[qualities + i] = scratch.quality[i]
        memory.pool64[as_bits + (f >> 6)] |= np.int64(1) << np.int64(f & 63)
    pool[at + RANKED] = ranked
    pool[at + RANKING] = ranking


@kernel(inline=True)
def note_ranked(store, words, record):
    """Write which features may vary here, and that those offered are no longer unranked."""
    pool64, sets = store.memory.pool64, store.scratch.sets
    unranked, live = (record >> 1) + UNRANKED, cold_part(words, record) + LIVE
    for w in range(words):
        pool64[live + w] = sets[LIVE_HERE, w]
        pool64[unranked + w] &= ~store.offered[w]


@kernel(inline=True)
def move_ranking(store, old, before, ranked):
    """Where a ranking of so many features goes: where one was that is written anew, or the end of
    the pool; or FULL.

    The room of the old one, of `before` features, is free if it has any.
    """
    pool, freed, counters = store.memory.pool, store.freed, store.counters[0]
    ranking = np.int64(freed[ranked])
    if ranking != 0:
        freed[ranked] = pool[ranking]
    else:
        ranking = np.int64(counters.used)
        end = ranking + 5 * ranked + (ranked & 1)
        if end > len(pool):
            ranking = np.int64(FULL)
        else:
            counters.used = end
    if ranking != FULL and before > 0:
        pool[old], freed[before] = freed[before], old
    return ranking
