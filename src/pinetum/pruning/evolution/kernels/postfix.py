"""Compiled evaluation of programs: the leaf estimate once per distinct (n, c), then one pass over
all nodes.
"""

import numpy as np

from pinetum.jit import kernel

NUMBER, FIRST_OPERATOR = 100, 101
DEEPEST = 32  # values that the evaluation stack holds


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
        return np.tanh(b)
    if code == 106:
        return np.sqrt(b)
    if code == 107:
        return np.exp(b)
    return np.log(b)


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
                    x[k] = np.tanh(x[k])
            elif code == 106:
                for k in range(size):
                    x[k] = np.sqrt(x[k])
            elif code == 107:
                for k in range(size):
                    x[k] = np.exp(x[k])
            else:
                for k in range(size):
                    x[k] = np.log(x[k])
    x = stack[0]
    for k in range(size):
        value = n[k] * x[k]
        if n[k] == 0:
            value = 0.0
        elif value != value:
            value = np.inf
        errors[k] = value


@kernel
def inner_nodes(
    start,
    parent,
    inner,
    first,
    wrong,
    hits,
    pair,
    number,
    above,
    own,
    leaves,
    leaf_pairs,
    missed,
    right,
):
    """Keep the inner nodes alone: `number` maps old to new; leaves are folded into their parents.

    above[i] parent within the tree's inner nodes, -1 at a root; own[i] pair of the node itself;
    leaf_pairs[leaves[i]:leaves[i + 1]] pairs of its leaf children, missed and right their sums.
    """
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


@kernel
def prune_pass(
    first,
    above,
    own,
    leaves,
    leaf_pairs,
    missed,
    right,
    n,
    wrong,
    hits,
    depth,
    lone,
    noise,
    leaf,
    codes,
    numbers,
    plain,
    tree_hits,
    cut,
):
    """Prune trees bottom-up with the leaf errors `leaf[pair]` and the tree rate given by the
    postfix program.

    Arrays over inner nodes, see `inner_nodes`; lone[t] = judging cases right where tree t is a lone
    leaf. `plain`: the tree rate is the children's mean. tree_hits[t] = judging cases right after
    pruning tree t; cut[i] = 1 where inner node i is made a leaf.
    """
    largest = 1
    for t in range(first.size - 1):
        largest = max(largest, first[t + 1] - first[t])
    errors = np.zeros(largest, np.float64)
    good = np.zeros(largest, np.int32)
    seen = np.zeros(largest, np.int32)  # training errors of the subtree as pruned
    stack = np.zeros(DEEPEST, np.float64)
    for t in range(first.size - 1):
        root = first[t]
        if first[t + 1] == root:
            tree_hits[t] = lone[t]
        for node in range(first[t + 1] - 1, root - 1, -1):
            i = node - root
            below = errors[i]
            for k in range(leaves[node], leaves[node + 1]):
                below += leaf[leaf_pairs[k]]
            errors[i] = 0.0
            hit = good[i] + right[node]
            good[i] = 0
            miss = seen[i] + missed[node]
            seen[i] = 0
            mine = leaf[own[node]]
            if not plain:
                cases = float(n[node])
                top = -1
                for k in range(codes.size):
                    code = codes[k]
                    if code < FIRST_OPERATOR:
                        top += 1
                        if code == NUMBER:
                            stack[top] = numbers[k]
                        elif code == 0:
                            stack[top] = below / cases
                        elif code == 1:
                            stack[top] = mine / cases
                        elif code == 2:
                            stack[top] = cases
                        elif code == 3:
                            stack[top] = wrong[node]
                        elif code == 4:
                            stack[top] = miss
                        elif code == 5:
                            stack[top] = depth[node]
                        else:
                            stack[top] = noise[t]
                    elif code <= 104:
                        top -= 1
                        stack[top] = apply(code, stack[top], stack[top + 1])
                    else:
                        stack[top] = apply(code, 0.0, stack[top])
                below = cases * stack[0]
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
