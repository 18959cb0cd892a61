"""A decision table as row sets, what its trees cost, and when a subtable may be a leaf.

A row set is one or more 64-bit words, row r at bit r % 64 of word r // 64.
"""

from typing import NamedTuple

import numpy as np

from pinetum.jit import kernel
from pinetum.kernels.words import ONE, ZERO, lowest, ones

FAR = np.int64(1) << 60  # more than any cost
WORDS_A_UNIT = 16  # words that are compared, or whose bits are counted, in a unit of work


class Problem(NamedTuple):
    """A decision table, what its trees cost, and what is known of every two rows."""

    masks: np.ndarray  # uint64 (values of all attributes, words): the rows with the value
    first: np.ndarray  # int64 (attributes + 1,): where an attribute's values begin
    decisions: np.ndarray  # uint64 (decisions, words): the rows that a decision answers
    label: np.ndarray  # int64 (rows,): the one decision of a row; empty: a row may have several
    weight: np.ndarray  # int64 (rows,); empty: all one
    price: np.ndarray  # int64 (attributes,)
    plain: int  # 1: one decision a row, weights and prices one, no leaf wrong
    slack: np.ndarray  # int64 (3,) k, p, q: a leaf of weight w may be wrong for k + w p / q
    planes: np.ndarray  # uint64 (rows, words of attributes, planes): the codes in binary
    kind: np.ndarray  # int64 (rows,): rows of a kind have the same decisions
    kinds: np.ndarray  # uint64 (kinds, words): the rows of a kind
    rivals: (
        np.ndarray
    )  # uint64 (kinds, words): the rows that share no decision with those of a kind
    blocks: np.ndarray  # uint64 (blocks, words): rows of different blocks are rivals
    clash: np.ndarray  # uint64 (rows, words); no rows: nothing is known of pairs
    cliques: np.ndarray  # uint64 (cliques, words)
    clique_first: np.ndarray  # int64 (blocks + 1,): where a block's cliques begin
    # int32 (rows, nearest): rivals of a row, those that differ in fewest attributes first, then -1
    near: np.ndarray
    close: np.ndarray  # int32 (pairs, 2): rivals of all rows likewise


@kernel
def weight_of(rows, weight):
    """Weight of a row set."""
    total = np.int64(0)
    for w in range(len(rows)):
        word = rows[w]
        if len(weight) == 0:
            total += ones(word)
        else:
            while word != ZERO:
                total += weight[64 * w + lowest(word)]
                word &= word - ONE
    return total


@kernel
def overlap(rows, mask, weight):
    """Weight of the rows that two sets share."""
    total = np.int64(0)
    for w in range(len(rows)):
        word = rows[w] & mask[w]
        if len(weight) == 0:
            total += ones(word)
        else:
            while word != ZERO:
                total += weight[64 * w + lowest(word)]
                word &= word - ONE
    return total


@kernel
def weigh(rows, problem, counts):
    """(weight, least that a leaf is wrong for).

    `counts` gets the weight that each decision answers.
    """
    total = weight_of(rows, problem.weight)
    largest = np.int64(0)
    for c in range(len(problem.decisions)):
        counts[c] = overlap(rows, problem.decisions[c], problem.weight)
        largest = max(largest, counts[c])
    return total, total - largest


@kernel
def may_end(total, wrong, slack):
    """Can a subtable of this weight, of which a leaf answers so much wrongly, be a leaf?"""
    return wrong * slack[2] <= slack[0] * slack[2] + slack[1] * total


@kernel
def is_leaf(rows, problem, counts):
    """Can a subtable with rows be a leaf? Quick where every row has one decision and no leaf may be
    wrong.
    """
    if len(problem.label) == 0 or problem.slack[0] > 0 or problem.slack[1] > 0:
        total, wrong = weigh(rows, problem, counts)
        return may_end(total, wrong, problem.slack)
    w = 0
    while rows[w] == ZERO:
        w += 1
    common = problem.decisions[problem.label[64 * w + lowest(rows[w])]]
    while w < len(rows) and rows[w] & ~common[w] == ZERO:
        w += 1
    return w == len(rows)


@kernel
def least_leaves(counts, total, slack):
    """Leaves without which the decisions answer too little; changes `counts`."""
    leaves = np.int64(0)
    answered = np.int64(0)
    while (total - answered) * slack[2] > leaves * slack[0] * slack[2] + slack[1] * total:
        largest = 0
        for c in range(len(counts)):
            if counts[c] > counts[largest]:
                largest = c
        if counts[largest] == 0:
            break
        answered += counts[largest]
        counts[largest] = 0
        leaves += 1
    return max(leaves, np.int64(2))
