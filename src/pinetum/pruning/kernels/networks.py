"""Compiled generator of the paper's data sets: the output of a random two-layer network over all
0/1 inputs.

A data set is a seed and a cell (inputs, removed attributes, portion for training); everything about
it is drawn from its own seed, so neither batches nor shards nor the order of work change it.
"""

from collections import namedtuple

import numpy as np

from pinetum.jit import kernel
from pinetum.pruning.kernels.bits import grow_bits, pack
from pinetum.pruning.kernels.id3 import OVERFLOW, drop

FULL, FOLDS, HOLDOUT = 0, 1, 2  # designs: the training part; its cross-validation; two thirds of it

# distinct_rows  equal rows that removal leaves behind are kept once
# bias           the output nodes have a bias weight
# stratified     folds keep the proportions of the classes
# set_aside      as many rows as train are in neither part
Variant = namedtuple("Variant", ["distinct_rows", "bias", "stratified", "set_aside"])


@kernel(inline=True)
def mixed(state):
    """splitmix64's output for a state."""
    z = state
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@kernel
def draw_network(seed, inputs, removed, portion, variant, labels, features, rows):
    """Fill labels (2^inputs), features (those kept) and rows.

    Gives the numbers of training rows, of rows before the test part, and of all rows.
    The first rows are the training part in random order, the last ones the test part.
    """
    step = np.uint64(0x9E3779B97F4A7C15)
    state = seed
    size = 1 << inputs

    # Only the difference of the two output nodes matters; input x adds to that of x without its
    # highest bit.
    total = np.empty(size, np.float64)
    total[0] = 0.0
    if variant.bias:
        state += step
        total[0] = np.float64(mixed(state) >> np.uint64(11)) * 2.0**-53
        state += step
        total[0] -= np.float64(mixed(state) >> np.uint64(11)) * 2.0**-53
    for i in range(inputs):
        state += step
        first = np.float64(mixed(state) >> np.uint64(11)) * 2.0**-53 - 0.5
        state += step
        second = np.float64(mixed(state) >> np.uint64(11)) * 2.0**-53 - 0.5
        half = 1 << i
        for x in range(half):
            total[half + x] = total[x] + (second - first)
    for x in range(size):
        labels[x] = 1 if total[x] > 0.0 else 0

    kept = np.ones(inputs, np.uint8)
    for k in range(removed):
        state += step
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

    population = 0
    if variant.distinct_rows:
        seen = np.zeros((size, 2), np.uint8)
        for x in range(size):
            if not seen[x & mask, labels[x]]:
                seen[x & mask, labels[x]] = 1
                rows[population] = x
                population += 1
    else:
        for x in range(size):
            rows[x] = x
        population = size
    training = int(portion * population)
    before = 2 * training if variant.set_aside else training
    for i in range(before):
        state += step
        j = i + np.int64(mixed(state) % np.uint64(population - i))
        rows[i], rows[j] = rows[j], rows[i]
    return training, before, population


@kernel(inline=True)
def fold_numbers(labels, rows, folds, stratified, numbers):
    """Fold of each training row.

    The rows are in random order, so dealing them out in turn is a random split.
    """
    turn = 0
    if stratified:
        for k in range(2):
            for i in range(rows.size):
                if labels[rows[i]] == k:
                    numbers[i] = turn % folds
                    turn += 1
    else:
        for i in range(rows.size):
            numbers[i] = i % folds


@kernel
def network_trees(
    seeds,
    inputs,
    removed,
    portions,
    variant,
    design,
    folds,
    cubes,
    nlogn,
    rules,
    nodes,
    start,
    tests,
    probes,
):
    """The trees of a design for each data set, with counts of the cases that judge them.

    FULL: a tree, tested on the test part. FOLDS: `folds` trees, tested on the fold left out.
    HOLDOUT: a tree of two thirds; `tests` counts the last third, `probes` the test part.
    `cubes` are the codes of all inputs: bit i of x at [i, x]. The nodes used, or OVERFLOW.
    """
    largest = cubes.shape[1]
    labels = np.empty(largest, np.int32)
    rows = np.empty(largest, np.int32)
    mine = np.empty(largest, np.int32)
    fold_of = np.empty(largest, np.int32)
    features = np.empty(cubes.shape[0], np.int32)
    bits = np.empty((cubes.shape[0], largest // 64 + 1), np.uint64)
    y = np.empty(largest // 64 + 1, np.uint64)
    mask = np.empty(largest // 64 + 1, np.uint64)
    used, t = np.int64(0), np.int64(0)
    for d in range(seeds.size):
        training, before, population = draw_network(
            seeds[d], inputs[d], removed[d], portions[d], variant, labels, features, rows
        )
        kept = features[: inputs[d] - removed[d]]
        words = pack(cubes, rows[:training], kept, labels, bits, y)
        trees = folds if design == FOLDS else 1
        if design == FOLDS:
            fold_numbers(labels, rows[:training], folds, variant.stratified, fold_of)
        else:  # the first cases grow the tree, the rest of the training part is left out
            size = training if design == FULL else 2 * training // 3
            fold_of[:size] = -1
            fold_of[size:training] = 0
        for k in range(trees):
            left_out = 0
            mask[:words] = 0
            for i in range(training):
                if fold_of[i] == k:
                    mine[left_out] = rows[i]
                    left_out += 1
                else:
                    mask[i >> 6] |= np.uint64(1) << np.uint64(i & 63)
            root = used
            used = grow_bits(bits, y, mask, words, kept, nlogn, rules, nodes, used)
            if used == OVERFLOW:
                return OVERFLOW
            if design == FULL:
                drop(cubes, labels, rows[before:population], nodes, root, used, tests)
            else:
                drop(cubes, labels, mine[:left_out], nodes, root, used, tests)
                if design == HOLDOUT:
                    drop(cubes, labels, rows[before:population], nodes, root, used, probes)
            t += 1
            start[t] = used
    return used
