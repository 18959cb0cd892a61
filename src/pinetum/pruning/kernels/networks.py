"""Compiled generator of the paper's data sets: the output of a random two-layer network over all
0/1 inputs.

A data set is a seed and a cell (inputs, removed attributes, portion for training); everything about
it is drawn from its own seed, so neither batches nor shards nor the order of work change it.

    rows   | training part ......... | set aside | test part ......... |
           0                      training     before             population
"""

from typing import NamedTuple

import numpy as np

from pinetum.jit import kernel
from pinetum.kernels.words import mixed
from pinetum.pruning.kernels.bits import Packed, grow_bits, new_room, pack
from pinetum.pruning.kernels.id3 import OVERFLOW, Nodes, drop

FULL, FOLDS, HOLDOUT = 0, 1, 2  # designs: the training part; its cross-validation; two thirds of it
STEP = np.uint64(0x9E3779B97F4A7C15)  # splitmix64: a state's output is `mixed`


class Variant(NamedTuple):
    """What the paper leaves open."""

    distinct_rows: bool  # equal rows that removal leaves behind are kept once
    bias: bool  # the output nodes have a bias weight
    stratified: bool  # folds keep the proportions of the classes
    set_aside: bool  # as many rows as train are in neither part


class Draws(NamedTuple):
    """Data sets, each its seed and its cell."""

    seeds: np.ndarray  # uint64 (sets,)
    inputs: np.ndarray  # int64 (sets,)
    removed: np.ndarray  # int64 (sets,)
    portions: np.ndarray  # float64 (sets,)


class Judged(NamedTuple):
    """Trees, and the cases that judge them."""

    nodes: Nodes
    start: np.ndarray  # int64 (trees + 1,): where the nodes of a tree begin
    tests: np.ndarray  # int32 (nodes, 2): judging cases by class
    probes: np.ndarray  # int32 (nodes, 2): of HOLDOUT the test part, else no rows


@kernel(inline=True)
def share(state):
    """A number from 0 to 1."""
    return np.float64(mixed(state) >> np.uint64(11)) * 2.0**-53


@kernel(inline=True)
def draw_labels(state, inputs, bias, labels):
    """Classes of all inputs; the next state.

    Only the difference of the two output nodes matters; input x adds to that of x without its
    highest bit.
    """
    total = np.empty(1 << inputs, np.float64)
    total[0] = 0.0
    if bias:
        state += STEP
        total[0] = share(state)
        state += STEP
        total[0] -= share(state)
    for i in range(inputs):
        state += STEP
        first = share(state) - 0.5
        state += STEP
        second = share(state) - 0.5
        half = 1 << i
        for x in range(half):
            total[half + x] = total[x] + (second - first)
    for x in range(1 << inputs):
        labels[x] = 1 if total[x] > 0.0 else 0
    return state


@kernel(inline=True)
def draw_features(state, inputs, removed, features):
    """Write the attributes that are kept; the next state, and they as a bit each."""
    kept = np.ones(inputs, np.uint8)
    for k in range(removed):
        state += STEP
        skip = np.int64(mixed(state) % np.uint64(inputs - k))
        for i in range(inputs):
            if kept[i]:
                if skip == 0:
                    kept[i] = 0
                    break
                skip -= 1
    mask, k = 0, 0
    for i in range(inputs):
        if kept[i]:
            features[k] = i
            mask |= 1 << i
            k += 1
    return state, mask


@kernel(inline=True)
def list_rows(size, mask, distinct, labels, rows):
    """Write all rows, or one of those that the kept attributes and the class make equal; how
    many.
    """
    population = 0
    seen = np.zeros((size if distinct else 0, 2), np.uint8)
    for x in range(size):
        if distinct and seen[x & mask, labels[x]]:
            continue
        if distinct:
            seen[x & mask, labels[x]] = 1
        rows[population] = x
        population += 1
    return population


@kernel
def draw_network(seed, inputs, removed, portion, variant, labels, features, rows):
    """Fill labels (2^inputs), features (those kept) and rows.

    Gives the numbers of training rows, of rows before the test part, and of all rows.
    The first rows are the training part in random order, the last ones the test part.
    """
    state = draw_labels(seed, inputs, variant.bias, labels)
    state, mask = draw_features(state, inputs, removed, features)
    population = list_rows(1 << inputs, mask, variant.distinct_rows, labels, rows)
    training = int(portion * population)
    before = 2 * training if variant.set_aside else training
    for i in range(before):
        state += STEP
        j = i + np.int64(mixed(state) % np.uint64(population - i))
        rows[i], rows[j] = rows[j], rows[i]
    return training, before, population


@kernel(inline=True)
def deal_out(labels, rows, design, folds, stratified, fold_of):
    """Fold of each training row, -1 where it grows every tree; the number of trees.

    The rows are in random order, so dealing them out in turn is a random split.
    """
    if design != FOLDS:  # the first rows grow the tree, the rest of the training part is left out
        size = rows.size if design == FULL else 2 * rows.size // 3
        fold_of[:size] = -1
        fold_of[size : rows.size] = 0
        folds = 1
    elif stratified:
        turn = 0
        for k in range(2):
            for i in range(rows.size):
                if labels[rows[i]] == k:
                    fold_of[i] = turn % folds
                    turn += 1
    else:
        for i in range(rows.size):
            fold_of[i] = i % folds
    return folds


@kernel(inline=True)
def leave_out(k, rows, fold_of, words, mask, left_out):
    """Put a fold's rows into `left_out`, the others as bits into `mask`; how many are out."""
    size = 0
    mask[:words] = 0
    for i in range(rows.size):
        if fold_of[i] == k:
            left_out[size] = rows[i]
            size += 1
        else:
            mask[i >> 6] |= np.uint64(1) << np.uint64(i & 63)
    return size


@kernel(inline=True)
def judge(design, left_out, test_part, root, used, cubes, labels, judged):
    """Drop the cases that judge a tree down it."""
    if design == FULL:
        drop(cubes, labels, test_part, judged.nodes, root, used, judged.tests)
    else:
        drop(cubes, labels, left_out, judged.nodes, root, used, judged.tests)
        if design == HOLDOUT:
            drop(cubes, labels, test_part, judged.nodes, root, used, judged.probes)


@kernel
def network_trees(draws, variant, design, folds, cubes, logs, rules, judged):
    """The trees of a design for each data set, with counts of the cases that judge them.

    FULL: a tree, tested on the test part. FOLDS: `folds` trees, tested on the fold left out.
    HOLDOUT: a tree of two thirds; `tests` counts the last third, `probes` the test part.
    `cubes` are the codes of all inputs: bit i of x at [i, x]. The nodes used, or OVERFLOW.
    """
    most, largest = cubes.shape
    most_words = largest // 64 + 1
    labels, rows = np.empty(largest, np.int32), np.empty(largest, np.int32)
    left_out, fold_of = np.empty(largest, np.int32), np.empty(largest, np.int32)
    features, mask = np.empty(most, np.int32), np.empty(most_words, np.uint64)
    columns, second = np.empty((most, most_words), np.uint64), np.empty(most_words, np.uint64)
    room = new_room(most, most_words)
    used, d, t = np.int64(0), 0, 0
    while d < draws.seeds.size and used != OVERFLOW:
        inputs, removed, portion = draws.inputs[d], draws.removed[d], draws.portions[d]
        training, before, population = draw_network(
            draws.seeds[d], inputs, removed, portion, variant, labels, features, rows
        )
        packed = Packed(columns, second, features[: inputs - removed], logs)
        words = pack(cubes, rows[:training], labels, packed)
        trees = deal_out(labels, rows[:training], design, folds, variant.stratified, fold_of)
        k = 0
        while k < trees and used != OVERFLOW:
            size = leave_out(k, rows[:training], fold_of, words, mask, left_out)
            root = used
            used = grow_bits(packed, mask, words, rules, judged.nodes, used, room)
            if used != OVERFLOW:
                test_part = rows[before:population]
                judge(design, left_out[:size], test_part, root, used, cubes, labels, judged)
                t += 1
                judged.start[t] = used
            k += 1
        d += 1
    return used
