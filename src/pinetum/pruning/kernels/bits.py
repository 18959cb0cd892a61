"""Compiled ID3 for 0/1 attributes and two classes: cases are bits, counting is popcount.

Same trees as `id3_kernels.grow`, node for node; many times faster on the small tables of the
generated study.
"""

import numpy as np

from pinetum.jit import kernel
from pinetum.pruning.kernels.id3 import OVERFLOW, SAME_GAIN

M1, M2 = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333)
M4, SUM = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x0101010101010101)


@kernel(inline=True)
def bits_in(x):
    """Number of ones; the compiler knows this idiom and emits one instruction."""
    x = x - ((x >> np.uint64(1)) & M1)
    x = (x & M2) + ((x >> np.uint64(2)) & M2)
    x = (x + (x >> np.uint64(4))) & M4
    return np.int64((x * SUM) >> np.uint64(56))


@kernel(inline=True)
def pack(columns, rows, features, labels, bits, y):
    """Cases rows[i] as bit i: of the attributes in bits[attribute], of class 1 in y."""
    words = (rows.size + 63) // 64
    y[:words] = 0
    for f in features:
        bits[f, :words] = 0
    for i in range(rows.size):
        row = rows[i]
        word, bit = i >> 6, np.uint64(i & 63)
        y[word] |= np.uint64(labels[row]) << bit
        for f in features:
            bits[f, word] |= np.uint64(columns[f, row]) << bit
    return words


@kernel
def grow_bits(bits, y, root_mask, words, features, nlogn, rules, nodes, used):
    """Append the ID3 tree of the cases in `root_mask`; the new number of nodes or OVERFLOW."""
    capacity = nodes.feature.size
    depth_most = features.size
    # one mask per depth and side: a node's own mask stays valid until its second child is done
    masks = np.empty((depth_most + 2, 2, words), np.uint64)
    stack = np.empty(
        (depth_most + 2, 6), np.int32
    )  # side, parent, slot, depth, cases, cases of class 1
    path = np.empty(depth_most + 1, np.int32)
    free = np.ones(depth_most, np.uint8)
    place = np.empty(words, np.int32)
    mine = np.empty(words, np.uint64)
    ones = np.empty(words, np.uint64)

    n, n1 = 0, 0
    for w in range(words):
        masks[0, 0, w] = root_mask[w]
        n += bits_in(root_mask[w])
        n1 += bits_in(root_mask[w] & y[w])
    stack[0, 0], stack[0, 1], stack[0, 2], stack[0, 3], stack[0, 4], stack[0, 5] = (
        0,
        -1,
        -1,
        0,
        n,
        n1,
    )
    waiting, on_path = 1, 0
    while waiting > 0:
        waiting -= 1
        side, above, slot = stack[waiting, 0], stack[waiting, 1], stack[waiting, 2]
        depth, n, n1 = stack[waiting, 3], np.int64(stack[waiting, 4]), np.int64(stack[waiting, 5])
        if used >= capacity:
            return OVERFLOW
        node = used
        used += 1
        nodes.parent[node] = above
        if slot >= 0:
            nodes.children[slot] = node
        while on_path > depth:
            on_path -= 1
            free[path[on_path]] = 1

        n0 = n - n1
        label = 1 if n1 > n0 else 0
        most = max(n0, n1)
        if above >= 0 and (n == 0 or (rules.ties_to_parent and n0 == n1)):
            label = nodes.label[above]
        nodes.label[node] = label
        nodes.train[node, 0] = n0
        nodes.train[node, 1] = n1
        nodes.n[node] = n
        nodes.c[node] = most
        nodes.feature[node] = -1
        nodes.first[node + 1] = nodes.first[node]
        if most == n or depth == depth_most:
            continue

        filled = 0
        for w in range(words):
            cases = masks[depth, side, w]
            if cases:
                place[filled] = w
                mine[filled] = cases
                ones[filled] = cases & y[w]
                filled += 1
        best, chosen = np.inf, -1
        best_a, best_b = 0, 0
        for j in range(depth_most):
            if not free[j]:
                continue
            f = features[j]
            a, b = 0, 0
            for i in range(filled):
                x = bits[f, place[i]]
                a += bits_in(mine[i] & x)
                b += bits_in(ones[i] & x)
            if rules.skip_constant and (a == 0 or a == n):
                continue
            mess = (
                nlogn[n - a]
                - nlogn[n0 - (a - b)]
                - nlogn[n1 - b]
                + nlogn[a]
                - nlogn[a - b]
                - nlogn[b]
            )
            if mess < best - SAME_GAIN * n or (rules.ties_last and mess <= best + SAME_GAIN * n):
                best, chosen, best_a, best_b = mess, j, a, b
        if chosen < 0:
            continue

        if nodes.first[node] + 2 > capacity:
            return OVERFLOW
        f = features[chosen]
        below = masks[depth + 1]
        below[:] = 0
        for i in range(filled):
            x = bits[f, place[i]]
            below[0, place[i]] = mine[i] & ~x
            below[1, place[i]] = mine[i] & x
        for v in range(1, -1, -1):
            stack[waiting, 0], stack[waiting, 1] = v, node
            stack[waiting, 2], stack[waiting, 3] = nodes.first[node] + v, depth + 1
            stack[waiting, 4] = best_a if v else n - best_a
            stack[waiting, 5] = best_b if v else n1 - best_b
            waiting += 1
        nodes.feature[node] = f
        nodes.first[node + 1] = nodes.first[node] + 2
        path[depth] = chosen
        on_path = depth + 1
        free[chosen] = 0
    return used
