"""The quality of every feature for one set of cases, as `induction.quality` defines it."""

import numpy as np

from arboretum.distinct.records_kernels import N_CLASSES, NOT_MADE, WEIGHTED
from arboretum.induction.node_kernels import place_cut
from arboretum.induction.quality import INELIGIBLE, discrete_split, on_grid, worth
from arboretum.induction.scan_kernels import scan_table, scan_weighted_keys, scan_whole_keys, sort_keys
from arboretum.kernel import kernel

NONE = np.int64(INELIGIBLE)


@kernel
def evaluate_discrete(table, store, f, lo, count, weight):
    """(varies here, quality) of a discrete feature."""
    n_classes = table.settings[N_CLASSES]
    branches = table.arity[f]
    histogram, known = store.histogram, store.totals[0]
    histogram[:branches, :n_classes] = 0
    known[:n_classes] = 0
    codes = table.codes[f]
    low = np.int64(1) << 40
    high = np.int64(-1)
    known_total = np.int64(0)
    for i in range(lo, lo + count):
        c = store.case[i]
        v = np.int64(codes[c])
        if v >= 0:
            label = table.labels[c]
            histogram[v, label] += store.weight[i]
            known[label] += store.weight[i]
            known_total += store.weight[i]
            low = min(low, v)
            high = max(high, v)
    if low >= high:
        return False, NONE
    mass, split = discrete_split(
        histogram, np.int64(branches), known[:n_classes], known_total, weight, table.rules, table.nlogn
    )
    gain = on_grid(mass, weight, table.rules.unit)
    return True, np.int64(worth(gain, mass, split, weight, table.rules, table.rules.min_gain))


@kernel
def evaluate_continuous(table, store, f, lo, count, weight):
    """(varies here, quality) of the best cut of a continuous feature; the cut goes to `store.cut`."""
    rules, masses = table.rules, table.nlogn
    n_classes = table.settings[N_CLASSES]
    weighted = table.settings[WEIGHTED] != 0
    codes, key, known, case = table.codes[f], store.key, store.totals[0, :n_classes], store.case
    start = table.value_start[f]
    values = table.values[start : table.value_start[f + 1]]
    bits = np.int64(1)
    while (n_classes - 1) >> bits:
        bits += 1
    # Few distinct values among many cases: class weights per value need no sorting.
    few = len(values) * n_classes <= 4 * count and len(values) <= store.histogram.shape[0]
    histogram = store.histogram
    if few:
        histogram[: len(values), :n_classes] = 0
    known[:] = 0
    known_total = np.int64(0)
    low = np.int64(1) << 40
    high = np.int64(-1)
    n = np.int64(0)
    for i in range(lo, lo + count):
        c = case[i]
        v = np.int64(codes[c])
        if v < 0:
            continue
        label = np.int64(table.labels[c])
        known[label] += store.weight[i]
        known_total += store.weight[i]
        low = min(low, v)
        high = max(high, v)
        if few:
            histogram[v, label] += store.weight[i]
        else:
            key[n] = (v << 32) | i if weighted else (v << bits) | label
        n += 1
    if low >= high:
        return False, NONE
    if few:
        mass, split, below, above = scan_table(
            histogram, len(values), known, known_total, weight, rules, masses, values
        )
    else:
        sort_keys(key, store.spare, n)
        if weighted:
            mass, split, below, above = scan_weighted_keys(
                key, n, case, store.weight, table.labels, known, known_total, weight, rules, masses, values
            )
        else:
            mass, split, below, above = scan_whole_keys(key, n, bits, known, weight, rules, masses, values)
    if split <= 0:
        return True, NONE
    present = table.present[start : start + len(values)] if len(table.present) else table.present
    store.cut[f] = place_cut(below, above, values, present)[1]
    return True, np.int64(worth(on_grid(mass, weight, rules.unit), mass, split, weight, rules, rules.min_gain))


@kernel
def evaluate_features(table, store, lo, count, weight, ranked):
    """Rank the features `store.wanted` at a set of cases among the `ranked` ones; how many there are then.

    Those that do not vary here are taken out of `store.live`.
    """
    live, wanted = store.live, store.wanted
    for f in range(table.codes.shape[0]):
        bit = np.int64(1) << np.int64(f & 63)
        if wanted[f >> 6] & bit == 0:
            continue
        if table.continuous[f]:
            varies, quality = evaluate_continuous(table, store, f, lo, count, weight)
        else:
            varies, quality = evaluate_discrete(table, store, f, lo, count, weight)
        if not varies:
            live[f >> 6] &= ~bit
            continue
        if quality == INELIGIBLE:
            continue
        store.quality[f] = quality
        store.children[f] = NOT_MADE
        at = ranked
        while at > 0:
            before = store.ranked[at - 1]
            if store.quality[before] > quality or (store.quality[before] == quality and before < f):
                break
            store.ranked[at] = before
            at -= 1
        store.ranked[at] = f
        ranked += 1
    return ranked
