"""Dropping cases through flat trees.

A case whose value is missing, or outside the branches of a node, goes down every branch with the
branch's share of the node's training weight and collects the leaves' class shares (distribution
imputation). An empty leaf gives all its weight to its label. A case that ends in one leaf gets that
leaf's label, which already holds the tie rule of the grower.
"""

import numpy as np

from pinetum.constants import VOTE_TOLERANCE
from pinetum.jit import kernel


@kernel
def totals_of(counts):
    """Training weight of every node."""
    totals = np.zeros(counts.shape[0], np.float64)
    for node in range(counts.shape[0]):
        for c in range(counts.shape[1]):
            totals[node] += counts[node, c]
    return totals


@kernel
def branch_of_code(code, is_discrete, cut, branches):
    """Branch a code takes, or -1: missing or unseen."""
    if code < 0:
        return -1
    if is_discrete:
        return code if code < branches else -1
    return 0 if code <= cut else 1


@kernel
def branch_of_number(number, is_discrete, threshold, branches):
    """Branch a number (a value, or the code of a discrete value) takes, or -1: missing or
    unseen.
    """
    if np.isnan(number):
        return -1
    if is_discrete:
        if number < 0 or number >= branches or number != np.floor(number):
            return -1
        return int(number)
    return 0 if number <= threshold else 1


@kernel
def winner(shares):
    """Class with the largest share; ties go to the lowest class."""
    best = 0
    for c in range(1, len(shares)):
        if shares[c] > shares[best] + VOTE_TOLERANCE:
            best = c
    return best


@kernel
def add_leaf(node, weight, counts, totals, label, shares):
    if totals[node] > 0:
        for c in range(counts.shape[1]):
            shares[c] += weight * counts[node, c] / totals[node]
    else:
        shares[label[node]] += weight


@kernel
def push_branches(node, weight, child_start, children, totals, stack, weights, top):
    """Put the branches that had training cases on the stack, the first one uppermost."""
    whole = 0.0
    for k in range(child_start[node], child_start[node + 1]):
        whole += totals[children[k]]
    for k in range(child_start[node + 1] - 1, child_start[node] - 1, -1):
        child = children[k]
        if totals[child] > 0:
            stack[top] = child
            weights[top] = weight * totals[child] / whole
            top += 1
    return top


@kernel
def predict_codes(
    feature, cut, child_start, children, counts, totals, label, codes, cases, labels, shares
):
    """Labels (and, where `shares` has rows, class shares) of the cases of an encoded table."""
    n_nodes = len(feature)
    stack = np.empty(n_nodes + 1, np.int64)  # a case meets a node once
    weights = np.empty(n_nodes + 1, np.float64)
    votes = np.empty(counts.shape[1], np.float64)
    wants_shares = shares.shape[0] > 0
    for i in range(len(cases)):
        case = cases[i]
        node = 0
        branch = 0
        while feature[node] >= 0:
            first = child_start[node]
            branch = branch_of_code(
                codes[feature[node], case], cut[node] < 0, cut[node], child_start[node + 1] - first
            )
            if branch < 0:
                break
            node = children[first + branch]
        if feature[node] < 0:
            labels[i] = label[node]
            if wants_shares:
                shares[i, :] = 0.0
                add_leaf(node, 1.0, counts, totals, label, shares[i])
            continue
        votes[:] = 0.0
        stack[0] = node
        weights[0] = 1.0
        top = 1
        while top > 0:
            top -= 1
            node = stack[top]
            weight = weights[top]
            if feature[node] < 0:
                add_leaf(node, weight, counts, totals, label, votes)
                continue
            first = child_start[node]
            branch = branch_of_code(
                codes[feature[node], case], cut[node] < 0, cut[node], child_start[node + 1] - first
            )
            if branch < 0:
                top = push_branches(
                    node, weight, child_start, children, totals, stack, weights, top
                )
            else:
                stack[top] = children[first + branch]
                weights[top] = weight
                top += 1
        labels[i] = winner(votes)
        if wants_shares:
            for c in range(len(votes)):
                shares[i, c] = votes[c]


@kernel
def predict_numbers(
    feature, cut, threshold, child_start, children, counts, totals, label, table, labels, shares
):
    """The same for a table of numbers (cases, features): values, discrete codes, NaN for
    missing.
    """
    n_nodes = len(feature)
    stack = np.empty(n_nodes + 1, np.int64)  # a case meets a node once
    weights = np.empty(n_nodes + 1, np.float64)
    for i in range(table.shape[0]):
        shares[i, :] = 0.0
        stack[0] = 0
        weights[0] = 1.0
        top = 1
        spread = False
        while top > 0:
            top -= 1
            node = stack[top]
            weight = weights[top]
            if feature[node] < 0:
                add_leaf(node, weight, counts, totals, label, shares[i])
                labels[i] = label[node]
                continue
            first = child_start[node]
            branch = branch_of_number(
                table[i, feature[node]],
                cut[node] < 0,
                threshold[node],
                child_start[node + 1] - first,
            )
            if branch < 0:
                spread = True
                top = push_branches(
                    node, weight, child_start, children, totals, stack, weights, top
                )
            else:
                stack[top] = children[first + branch]
                weights[top] = weight
                top += 1
        if spread:
            labels[i] = winner(shares[i])
