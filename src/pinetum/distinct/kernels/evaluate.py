"""The quality of every feature for one set of cases, as `induction.quality` defines it."""

import numpy as np

from pinetum.distinct.kernels.records import NOT_MADE
from pinetum.induction.kernels.nodes import place_cut
from pinetum.induction.kernels.quality import INELIGIBLE, discrete_split, on_grid, worth
from pinetum.induction.kernels.scan import scan_table, scan_weighted_keys, scan_whole_keys, sort_by_value
from pinetum.jit import kernel

NONE = np.int64(INELIGIBLE)


@kernel
def evaluate_discrete(codes, branches, case, label, weights, lo, count, weight, histogram, known, rules, masses):
    """(varies here, quality) of a discrete feature."""
    n_classes = len(known)
    histogram[:branches, :n_classes] = 0
    for i in range(lo, lo + count):
        v = np.int64(codes[case[i]])
        if v >= 0:
            histogram[v, label[i]] += weights[i]
    known[:] = 0
    values = np.int64(0)
    for v in range(branches):
        here = np.int64(0)
        for k in range(n_classes):
            here += histogram[v, k]
            known[k] += histogram[v, k]
        values += here > 0
    if values < 2:
        return False, NONE
    known_total = known.sum()
    mass, split = discrete_split(histogram, np.int64(branches), known, known_total, weight, rules, masses)
    gain = on_grid(mass, weight, rules.unit)
    return True, np.int64(worth(gain, mass, split, weight, rules, rules.min_gain))


@kernel
def evaluate_continuous(
    codes, values, present, case, label, weights, whole, lo, count, weight, histogram, known, key, spare, labels, rules,
    masses,
):  # fmt: skip
    """(varies here, quality, rank code of the best cut) of a continuous feature.

    `label` goes with `case`, `labels` with the table. `whole`: every weight is 1.
    """
    n_classes = len(known)
    bits = np.int64(1)
    while (n_classes - 1) >> bits:
        bits += 1
    # Few distinct values among many cases: class weights per value need no sorting.
    few = len(values) * n_classes <= 4 * count and len(values) <= histogram.shape[0]
    if few:
        histogram[: len(values), :n_classes] = 0
    known[:] = 0
    low = np.int64(1) << 40
    high = np.int64(-1)
    n = np.int64(0)
    for i in range(lo, lo + count):
        v = np.int64(codes[case[i]])
        if v < 0:
            continue
        k = np.int64(label[i])
        known[k] += weights[i]
        low = min(low, v)
        high = max(high, v)
        if few:
            histogram[v, k] += weights[i]
        elif whole:
            key[n] = (v << bits) | k
        else:
            key[n] = (v << 32) | i
        n += 1
    if low >= high:
        return False, NONE, np.int32(-1)
    known_total = known.sum()
    if few:
        mass, split, below, above = scan_table(
            histogram, len(values), known, known_total, weight, rules, masses, values
        )
    elif whole:
        sort_by_value(key, spare, n, bits)
        mass, split, below, above = scan_whole_keys(key, n, bits, known, weight, rules, masses, values)
    else:
        sort_by_value(key, spare, n, np.int64(32))
        mass, split, below, above = scan_weighted_keys(
            key, n, case, weights, labels, known, known_total, weight, rules, masses, values
        )
    if split <= 0:
        return True, NONE, np.int32(-1)
    cut = place_cut(below, above, values, present)[1]
    gain = on_grid(mass, weight, rules.unit)
    return True, np.int64(worth(gain, mass, split, weight, rules, rules.min_gain)), np.int32(cut)


@kernel
def evaluate_features(table, store, lo, count, weight, ranked):
    """Rank the features `store.wanted` at a set of cases among the `ranked` ones; how many there are then.

    Those that do not vary here are taken out of `store.live`.
    """
    live, wanted = store.live, store.wanted
    rules, labels, masses = table.rules, table.labels, table.nlogn
    case, label, weights, histogram = store.case, store.label, store.weight, store.histogram
    key, spare, known = store.key, store.spare, store.totals[0, : table.settings[0].n_classes]
    whole = True
    for i in range(lo, lo + count):
        label[i] = labels[case[i]]
        whole &= weights[i] == rules.unit
    if whole and rules.unit > 1 and not rules.side_share:
        # Whole cases in whole numbers give the same qualities with less arithmetic.
        weight //= rules.unit
        rules = table.whole_rules
        weights[lo : lo + count] = 1
    whole = whole and rules.unit == 1
    for f in range(table.codes.shape[0]):
        bit = np.int64(1) << np.int64(f & 63)
        if wanted[f >> 6] & bit == 0:
            continue
        if table.continuous[f]:
            start, end = table.value_start[f], table.value_start[f + 1]
            present = table.present[start:end] if len(table.present) else table.present
            varies, quality, cut = evaluate_continuous(
                table.codes[f], table.values[start:end], present, case, label, weights, whole, lo, count, weight,
                histogram, known, key, spare, labels, rules, masses,
            )  # fmt: skip
            store.cut[f] = cut
        else:
            varies, quality = evaluate_discrete(
                table.codes[f], table.arity[f], case, label, weights, lo, count, weight, histogram, known, rules, masses
            )
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
