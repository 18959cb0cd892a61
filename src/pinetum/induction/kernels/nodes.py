"""Choosing the split of one node, and the arrays a growing tree is written to."""

from typing import NamedTuple

import numpy as np

from pinetum.constants import CASE_BITS, QUALITY_GRID, SPLIT_INFO_TOLERANCE
from pinetum.induction.kernels.quality import GAIN_RATIO, INELIGIBLE, discrete_split, on_grid, worth
from pinetum.induction.kernels.scan import CONSTANT, scan_table, scan_weighted_keys, scan_whole_keys, sort_keys
from pinetum.jit import kernel

FILTER_BELOW = 16  # a presorted order is filtered for a node unless it has this many times its cases
FULL = -1  # status of a grower: the node arrays are too small


class Nodes(NamedTuple):
    """A tree being written, in preorder; `child_start` has one entry more than there is room for nodes."""

    feature: np.ndarray  # int32
    threshold: np.ndarray  # float64
    cut: np.ndarray  # int32
    label: np.ndarray  # int32
    counts: np.ndarray  # int64 (nodes, classes), in WEIGHT_UNITs
    child_start: np.ndarray  # int32 (nodes + 1,)
    children: np.ndarray  # int32
    error: np.ndarray  # int64: training errors of the subtree, in WEIGHT_UNITs


class Work(NamedTuple):
    """Scratch space of one thread."""

    table: np.ndarray  # int64 (largest arity of a tabled feature + 1, classes)
    start: np.ndarray  # int64 (largest arity of a tabled feature + 1,)
    keys: np.ndarray  # int64 (cases,)
    spare: np.ndarray  # int64 (cases,)
    known: np.ndarray  # int64 (classes,)
    branch: np.ndarray  # int32 (cases of the data set,): branch a case takes at the node being split
    lists: np.ndarray  # int32: case lists
    order: np.ndarray  # int64 (presorted features, cases grown): presorted entries of the nodes, whole path
    buffer: np.ndarray  # int32 (cases,)
    side: np.ndarray  # uint8 (cases of the data set,): the same for a split in two
    place: np.ndarray  # int32 (cases of the data set,): zero outside `evaluate_weighted`


class Found(NamedTuple):
    """Per feature what its best split at the node at hand is worth."""

    mass: np.ndarray  # int64, mass gain
    split: np.ndarray  # int64, split information mass; 0: not usable here
    gain: np.ndarray  # int64, gain on the quality grid
    cut: np.ndarray  # int32, rank code below the cut
    upper: np.ndarray  # int32, rank code above the cut
    constant: np.ndarray  # uint8, 1: no two known cases differ, here and in every node below


def new_nodes(capacity: int, n_classes: int, branches: int) -> Nodes:
    """Room for `capacity` nodes and `branches` branches; untouched pages cost no memory."""
    return Nodes(
        feature=np.empty(capacity, dtype=np.int32),
        threshold=np.empty(capacity),
        cut=np.empty(capacity, dtype=np.int32),
        label=np.empty(capacity, dtype=np.int32),
        counts=np.empty((capacity, n_classes), dtype=np.int64),
        child_start=np.zeros(capacity + 1, dtype=np.int32),
        children=np.empty(branches, dtype=np.int32),
        error=np.empty(capacity, dtype=np.int64),
    )


@kernel
def new_found(n_features):
    return Found(
        np.zeros(n_features, np.int64),
        np.zeros(n_features, np.int64),
        np.zeros(n_features, np.int64),
        np.full(n_features, -1, np.int32),
        np.full(n_features, -1, np.int32),
        np.zeros(n_features, np.uint8),
    )


@kernel
def record(found, f, mass, split, cut, upper, weight, unit):
    found.mass[f] = mass
    found.split[f] = split
    found.gain[f] = on_grid(mass, weight, unit)
    found.cut[f] = cut
    found.upper[f] = upper
    found.constant[f] = upper == CONSTANT


@kernel
def average_gain(found, active, n_active, table, n_training):
    """C4.5's average gain of the usable features, without discrete features of very many values."""
    all_many = True
    for f in active:  # the constant ones included
        if table.continuous[f] or table.arity[f] < 0.3 * n_training:
            all_many = False
    total, number = 0.0, 0
    for i in range(n_active):
        f = active[i]
        if found.split[f] > 0 and (all_many or table.continuous[f] or table.arity[f] < 0.3 * n_training):
            total += found.gain[f]
            number += 1
    if number == 0:
        return 1e6 * QUALITY_GRID
    return total / number - SPLIT_INFO_TOLERANCE * QUALITY_GRID


@kernel
def choose(found, active, n_active, table, weight, n_training, rules):
    """Best of the first `n_active` features: (feature or -1, quality). Ties: lowest index."""
    least_gain = 0.0
    if rules.average_gain and rules.criterion == GAIN_RATIO:
        least_gain = average_gain(found, active, n_active, table, n_training)
    best, best_quality = -1, np.int64(INELIGIBLE)
    for i in range(n_active):
        f = active[i]
        if found.split[f] <= 0:
            continue
        quality = worth(found.gain[f], found.mass[f], found.split[f], weight, rules, least_gain)
        if quality > best_quality or (quality == best_quality and best >= 0 and f < best):
            best, best_quality = f, quality
    return best, best_quality


@kernel
def place_cut(below, above, values, present):
    """Threshold and rank code of the cut between two neighbouring values of a node.

    The threshold is their midpoint; the code is the largest whose value is not above it. Where `present`
    is given (per code the largest code not above it that a training case has), the threshold is moved
    down to that value, as C4.5 does.
    """
    a, b = values[below], values[above]
    threshold = (a + b) / 2
    if not (a <= threshold < b):
        threshold = a
    low, high = below, above
    while high - low > 1:
        middle = (low + high) // 2
        if values[middle] <= threshold:
            low = middle
        else:
            high = middle
    if len(present):
        low = present[low]
        threshold = values[low]
    return threshold, low


@kernel
def evaluate_weighted(table, rules, cases, weights, n, counts, weight, active, n_active, found, work):
    """Best split of each active feature at a node with cases[:n] of weights[:n].

    `counts` are the node's class weights, `weight` their sum. Reads nothing but the cases and their
    weights, so a node may be evaluated anywhere; the result does not depend on the order of the cases.
    """
    n_classes = table.n_classes
    known = work.known
    place = work.place
    large = n * FILTER_BELOW >= len(place) and table.order.shape[0] > 0
    if large:
        for j in range(n):
            place[cases[j]] = j + 1
    for i in range(n_active):
        f = active[i]
        codes = table.codes[f]
        arity = table.arity[f]
        known[:] = 0
        values = table.values[table.value_start[f] : table.value_start[f + 1]]
        if not table.continuous[f] or (table.order_row[f] < 0 and n * 4 > arity * n_classes):
            classes = work.table[: arity + 1]  # row 0 takes the missing values
            classes[:] = 0
            for j in range(n):
                classes[codes[cases[j]] + 1, table.labels[cases[j]]] += weights[j]
            present = 0
            for v in range(1, arity + 1):
                here = np.int64(0)
                for c in range(n_classes):
                    here += classes[v, c]
                    known[c] += classes[v, c]
                present += here > 0
            if present < 2:
                mass, split, cut, upper = np.int64(0), np.int64(0), -1, CONSTANT
            elif table.continuous[f]:
                mass, split, cut, upper = scan_table(
                    classes[1:], arity, known, known.sum(), weight, rules, table.nlogn, values
                )
            else:
                mass, split = discrete_split(classes[1:], arity, known, known.sum(), weight, rules, table.nlogn)
                cut, upper = -1, -1
        else:
            m = 0
            row = table.order_row[f]
            if large and row >= 0:
                for p in range(table.order_size[row]):
                    case = table.order[row, p]
                    j = place[case] - 1
                    if j >= 0:
                        work.keys[m] = (np.int64(codes[case]) << 32) | j
                        known[table.labels[case]] += weights[j]
                        m += 1
            else:
                for j in range(n):
                    code = codes[cases[j]]
                    if code >= 0:
                        work.keys[m] = (np.int64(code) << 32) | j
                        known[table.labels[cases[j]]] += weights[j]
                        m += 1
                sort_keys(work.keys, work.spare, m)
            mass, split, cut, upper = scan_weighted_keys(
                work.keys, m, cases, weights, table.labels, known, known.sum(), weight, rules, table.nlogn, values
            )
        record(found, f, mass, split, cut, upper, weight, rules.unit)
    if large:
        for j in range(n):
            place[cases[j]] = 0


@kernel
def pack(code, label, case, class_bits):
    """Entry of a presorted column: sorts by code, and a scan needs nothing but the entries."""
    return (((np.int64(code) << class_bits) | label) << CASE_BITS) | case


@kernel
def evaluate_whole(table, rules, cases, n, counts, order_from, order, active, n_active, found, work):
    """Best split of each active feature at a node whose cases[:n] all count once and lack no value.

    `order`: per presorted feature the node's entries (see `pack`) in order, from column `order_from`; where
    it has no rows the cases are sorted here.
    """
    bits = table.class_bits
    labels = table.labels
    keys = work.keys
    for i in range(n_active):
        f = active[i]
        codes = table.codes[f]
        arity = table.arity[f]
        cut, upper = -1, -1
        if not table.continuous[f]:
            classes = work.table[:arity]
            classes[:] = 0
            for j in range(n):
                classes[codes[cases[j]], labels[cases[j]]] += 1
            mass, split = discrete_split(classes, arity, counts, n, n, rules, table.nlogn)
            if split == 0 and classes[codes[cases[0]]].sum() == n:
                upper = CONSTANT
        else:
            values = table.values[table.value_start[f] : table.value_start[f + 1]]
            row = table.order_row[f]
            if row < 0:
                mass, split, cut, upper = scan_few_values(
                    codes, labels, cases, n, arity, bits, counts, rules, table.nlogn, values, work
                )
            else:
                if order.shape[0]:
                    for j in range(n):
                        keys[j] = order[row, order_from + j] >> CASE_BITS
                else:
                    for j in range(n):
                        keys[j] = (np.int64(codes[cases[j]]) << bits) | labels[cases[j]]
                    sort_keys(keys, work.spare, n)
                mass, split, cut, upper = scan_whole_keys(keys, n, bits, counts, n, rules, table.nlogn, values)
        record(found, f, mass, split, cut, upper, n, 1)


@kernel
def scan_few_values(codes, labels, cases, n, arity, bits, known, rules, table, values, work):
    """Best cut of a feature that has no presorted order, every case counting once."""
    n_classes = len(known)
    if 2 * n > arity * n_classes:
        classes = work.table[:arity]
        classes[:] = 0
        for j in range(n):
            classes[codes[cases[j]], labels[cases[j]]] += 1
        return scan_table(classes, arity, known, n, n, rules, table, values)
    keys = work.keys
    if n * n < 8 * (arity + 2 * n):
        for j in range(n):
            keys[j] = (np.int64(codes[cases[j]]) << bits) | labels[cases[j]]
        sort_keys(keys, work.spare, n)
    else:
        start = work.start
        start[: arity + 1] = 0
        for j in range(n):
            start[codes[cases[j]] + 1] += 1
        for v in range(arity):
            start[v + 1] += start[v]
        for j in range(n):
            code = codes[cases[j]]
            keys[start[code]] = (np.int64(code) << bits) | labels[cases[j]]
            start[code] += 1
    return scan_whole_keys(keys, n, bits, known, n, rules, table, values)
