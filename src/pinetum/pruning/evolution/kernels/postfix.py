"""Compiled evaluation of programs: the leaf estimate once per distinct (n, c), then one pass over
all nodes.

Programs stand in postfix: `codes` says what comes next, `numbers` has the constants. A code below
NUMBER is an input: of a leaf n, e, c; of a subtree m, L, n, e, E, d, u. The pass goes over inner
nodes alone; of the leaves it needs the pairs (n, c), by their number, and sums:

    trees   | tree 0 ........... | tree 1 ... |     first[t]: the first inner node of tree t
    nodes   |  i  |  i + 1  |  ...            |     own[i]: its pair
    leaves  | . . | . . . . | .               |     leaf_pairs from leaves[i] to leaves[i + 1]
"""

import math
from typing import NamedTuple

import numpy as np

from pinetum.jit import kernel
from pinetum.pruning.kernels.passes import largest_tree

NUMBER, FIRST_OPERATOR = 100, 101
DEEPEST = 32  # values that the evaluation stack holds
INPUTS = 7  # of the program for a subtree


class Inner(NamedTuple):
    """The inner nodes of a forest, with their leaves folded into them."""

    first: np.ndarray  # int64 (trees + 1,): where the nodes of a tree begin
    above: np.ndarray  # int32 (nodes,): parent within the tree, -1 at a root
    own: np.ndarray  # int32 (nodes,): number of its pair (n, c)
    leaves: np.ndarray  # int64 (nodes + 1,): where its leaves begin in `leaf_pairs`
    leaf_pairs: np.ndarray  # int32 (leaves,)
    missed: np.ndarray  # int32 (nodes,): training errors of its leaves
    right: np.ndarray  # int32 (nodes,): judging cases that they get right


class Facts(NamedTuple):
    """What programs and pruned trees need of the inner nodes, and of the trees."""

    n: np.ndarray  # int32 (nodes,): training cases
    wrong: np.ndarray  # int32 (nodes,): those that it gets wrong as a leaf
    hits: np.ndarray  # int32 (nodes,): judging cases right as a leaf
    depth: np.ndarray  # int32 (nodes,)
    lone: np.ndarray  # int32 (trees,): judging cases right where the tree is a lone leaf
    noise: np.ndarray  # float64 (trees,): training errors of the full tree, as a share


class Program(NamedTuple):
    """The estimate of a subtree."""

    codes: np.ndarray  # int64 (tokens,)
    numbers: np.ndarray  # float64 (tokens,)
    plain: bool  # it is the mean of the children


def exp_of(x):
    try:
        return np.float64(math.exp(x))
    except OverflowError:
        return np.inf


def log_of(x):
    return np.float64(math.log(x) if x > 0 else -math.inf if x == 0 else math.nan)


# The C library's, which compiled code calls: numpy's own differ in the last bit.
@kernel(twin=lambda x: np.float64(math.tanh(x)))
def tanh(x):
    return np.tanh(x)


@kernel(twin=exp_of)
def exp(x):
    return np.exp(x)


@kernel(twin=log_of)
def log(x):
    return np.log(x)


@kernel(inline=True)
def apply(code, a, b):
    """Operator `code` of (a, b), or of b alone."""
    if code == 101:
        return a + b
    if code == 102:
        return a - b
    if code == 103:
        return a * b
    if code == 104:
        return a / b
    if code == 105:
        return tanh(b)
    if code == 106:
        return np.sqrt(b)
    if code == 107:
        return exp(b)
    return log(b)


@kernel
def leaf_errors(codes, numbers, n, c, stack, errors):
    """errors[k] = n[k] L(n[k], e, c[k]); infinite where L is no number, 0 where there are no cases.

    `stack` is (DEEPEST, pairs): a token is one loop over all pairs.
    """
    top = -1
    size = n.size
    for t in range(codes.size):
        code = codes[t]
        if code < FIRST_OPERATOR:
            top += 1
            out = stack[top]
            if code == NUMBER:
                out[:] = numbers[t]
            elif code == 0:
                for k in range(size):
                    out[k] = n[k]
            elif code == 1:
                for k in range(size):
                    out[k] = n[k] - c[k]
            else:
                for k in range(size):
                    out[k] = c[k]
        elif code <= 104:
            top -= 1
            x, y = stack[top], stack[top + 1]
            if code == 101:
                for k in range(size):
                    x[k] += y[k]
            elif code == 102:
                for k in range(size):
                    x[k] -= y[k]
            elif code == 103:
                for k in range(size):
                    x[k] *= y[k]
            else:
                for k in range(size):
                    x[k] /= y[k]
        else:
            x = stack[top]
            if code == 105:
                for k in range(size):
                    x[k] = tanh(x[k])
            elif code == 106:
                for k in range(size):
                    x[k] = np.sqrt(x[k])
            elif code == 107:
                for k in range(size):
                    x[k] = exp(x[k])
            else:
                for k in range(size):
                    x[k] = log(x[k])
    x = stack[0]
    for k in range(size):
        value = n[k] * x[k]
        if n[k] == 0:
            value = 0.0
        elif value != value:
            value = np.inf
        errors[k] = value


@kernel
def inner_nodes(start, parent, inner, wrong, hits, pair, number, trees):
    """Keep the inner nodes alone: `number` maps old to new; leaves are folded into their parents.

    Fills `trees`; the numbers of inner nodes and of leaves below them.
    """
    first, above, own, leaves = trees.first, trees.above, trees.own, trees.leaves
    leaf_pairs, missed, right = trees.leaf_pairs, trees.missed, trees.right
    count, used = 0, 0
    for t in range(start.size - 1):
        first[t] = count
        for node in range(start[t], start[t + 1]):
            if inner[node]:
                number[node] = count
                above[count] = number[parent[node]] - first[t] if node > start[t] else -1
                own[count] = pair[node]
                leaves[count + 1] = 0
                missed[count] = 0
                right[count] = 0
                count += 1
            elif node > start[t]:
                up = number[parent[node]]
                leaves[up + 1] += 1
                missed[up] += wrong[node]
                right[up] += hits[node]
    first[start.size - 1] = count
    leaves[0] = 0
    for i in range(count):
        leaves[i + 1] += leaves[i]
    place = leaves[:count].copy()
    for t in range(start.size - 1):
        for node in range(start[t] + 1, start[t + 1]):
            if not inner[node]:
                up = number[parent[node]]
                leaf_pairs[place[up]] = pair[node]
                place[up] += 1
                used += 1
    return count, used


@kernel(inline=True)
def evaluate(codes, numbers, given, stack):
    """The value of a program for these inputs."""
    top = -1
    for k in range(codes.size):
        code = codes[k]
        if code < FIRST_OPERATOR:
            top += 1
            stack[top] = numbers[k] if code == NUMBER else given[code]
        elif code <= 104:
            top -= 1
            stack[top] = apply(code, stack[top], stack[top + 1])
        else:
            stack[top] = apply(code, 0.0, stack[top])
    return stack[0]


@kernel
def prune_pass(trees, facts, leaf, program, tree_hits, cut):
    """Prune trees bottom-up with the leaf errors `leaf[pair]` and the tree rate of the program.

    tree_hits[t] = judging cases right after pruning tree t; cut[i] = 1 where inner node i is made a
    leaf.
    """
    first, above, own, leaves = trees.first, trees.above, trees.own, trees.leaves
    leaf_pairs, missed, right = trees.leaf_pairs, trees.missed, trees.right
    n, wrong, hits, depth = facts.n, facts.wrong, facts.hits, facts.depth
    codes, numbers, plain = program.codes, program.numbers, program.plain
    largest = max(1, largest_tree(first))
    errors = np.zeros(largest, np.float64)
    good = np.zeros(largest, np.int32)
    seen = np.zeros(largest, np.int32)  # training errors of the subtree as pruned
    stack, given = np.zeros(DEEPEST, np.float64), np.zeros(INPUTS, np.float64)
    for t in range(first.size - 1):
        root = first[t]
        given[6] = facts.noise[t]
        if first[t + 1] == root:
            tree_hits[t] = facts.lone[t]
        for node in range(first[t + 1] - 1, root - 1, -1):
            i = node - root
            below, hit, miss = errors[i], good[i] + right[node], seen[i] + missed[node]
            for k in range(leaves[node], leaves[node + 1]):
                below += leaf[leaf_pairs[k]]
            errors[i] = 0.0
            good[i] = seen[i] = 0
            mine = leaf[own[node]]
            if not plain:
                cases = float(n[node])
                given[0], given[1], given[2] = below / cases, mine / cases, cases
                given[3], given[4], given[5] = wrong[node], miss, depth[node]
                below = cases * evaluate(codes, numbers, given, stack)
            if below != below:
                below = np.inf
            cut[node] = mine <= below
            if cut[node]:
                below, hit, miss = mine, hits[node], wrong[node]
            if node > root:
                up = above[node]
                errors[up] += below
                good[up] += hit
                seen[up] += miss
            else:
                tree_hits[t] = hit
