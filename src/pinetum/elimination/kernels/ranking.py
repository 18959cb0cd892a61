"""The worth of every feature at a node, from nothing but the list of the node's cases.

No sorted columns are kept, since a subtree may have to be regrown at any node. A continuous column
is counted per value where the node has enough cases for the span of its codes, sorted by insertion
where it has few, and by radix in between.

All sums are of integers, so a worth depends neither on the order of the cases nor on how they were
counted: a subtree regrown from its parent's cases is the one a tree grown from scratch would have.
Cuts are compared by their gain on the quality grid from the low end, as the growers do.
"""

import numpy as np

from pinetum.constants import WEIGHT_UNIT
from pinetum.induction.kernels.quality import nlogn, on_grid
from pinetum.jit import kernel

FEW = 40  # keys that insertion sorts faster than a radix pass
ROOMY = 4  # counting beats sorting up to this many possible keys per case
NOTHING = np.iinfo(np.int64).min


@kernel
def sort_keys(keys, other, count, n, first_bit, span):
    """Sort keys[:n] by key >> first_bit (all in 0..span-1); returns the array that holds the result."""
    if n <= FEW:
        for i in range(1, n):
            key = keys[i]
            j = i - 1
            while j >= 0 and keys[j] > key:
                keys[j + 1] = keys[j]
                j -= 1
            keys[j + 1] = key
        return keys
    source, target = keys, other
    shift = 0
    while (span - 1) >> shift > 0:
        count[:] = 0
        for i in range(n):
            count[((source[i] >> (first_bit + shift)) & 255) + 1] += 1
        for digit in range(256):
            count[digit + 1] += count[digit]
        for i in range(n):
            digit = (source[i] >> (first_bit + shift)) & 255
            target[count[digit]] = source[i]
            count[digit] += 1
        source, target = target, source
        shift += 8
    return source


@kernel
def discrete_whole(row, cases, labels, arity, least, class_counts, logs, hist):
    """(mass gain, more than one value seen) of a discrete feature where every case counts once."""
    n = len(cases)
    n_classes = len(class_counts)
    for i in range(n):
        code = row[cases[i]]
        if code >= 0:
            hist[code * n_classes + labels[i]] += 1
    known = 0
    largest, second = 0, 0
    inside = 0  # sum of f(class count in a branch) - f(branch)
    for value in range(arity):
        total = 0
        for cell in range(value * n_classes, (value + 1) * n_classes):
            count = hist[cell]
            if count > 0:
                total += count
                inside += logs[count]
        if total > 0:
            inside -= logs[total]
            known += total
            if total > largest:
                largest, second = total, largest
            elif total > second:
                second = total
    if second < least:  # C4.5's rule: two branches must weigh something
        hist[: arity * n_classes] = 0
        return NOTHING, second > 0
    before = logs[known]
    if known == n:
        for c in range(n_classes):
            before -= logs[class_counts[c]]
    else:
        for c in range(n_classes):
            count = 0
            for value in range(arity):
                count += hist[value * n_classes + c]
            before -= logs[count]
    hist[: arity * n_classes] = 0
    return before + inside, True


@kernel
def discrete_weighted(row, cases, weights, labels, arity, n_classes, least, logs, hist):
    """The same for cases with fractional weights."""
    for i in range(len(cases)):
        code = row[cases[i]]
        if code >= 0:
            hist[code * n_classes + labels[i]] += weights[i]
    known = 0
    largest, second = 0, 0
    inside = 0
    for value in range(arity):
        total = 0
        for cell in range(value * n_classes, (value + 1) * n_classes):
            if hist[cell] > 0:
                total += hist[cell]
                inside += nlogn(hist[cell], WEIGHT_UNIT, logs)
        if total > 0:
            inside -= nlogn(total, WEIGHT_UNIT, logs)
            known += total
            if total > largest:
                largest, second = total, largest
            elif total > second:
                second = total
    if second < least:  # C4.5's rule: two branches must weigh something
        hist[: arity * n_classes] = 0
        return NOTHING, second > 0
    before = nlogn(known, WEIGHT_UNIT, logs)
    for c in range(n_classes):
        count = 0
        for value in range(arity):
            count += hist[value * n_classes + c]
        before -= nlogn(count, WEIGHT_UNIT, logs)
    hist[: arity * n_classes] = 0
    return before + inside, True


@kernel
def gather_keys(row, cases, labels, bits, keys):
    """Keys code << bits | label of the known cases: how many, and the smallest and largest code."""
    n = np.int64(0)
    low, high = np.int32(2147483647), np.int32(-1)
    for i in range(len(cases)):
        code = row[cases[i]]
        if code >= 0:
            low = min(low, code)
            high = max(high, code)
            keys[n] = (code << bits) | labels[i]
            n += 1
    return n, low, high


@kernel
def continuous_whole(row, cases, labels, bits, least, class_counts, logs, keys, other, count, hist, left, right):
    """(mass gain, codes on both sides of the best cut, more than one value seen, cuts tried) for whole cases."""
    n, low, high = gather_keys(row, cases, labels, bits, keys)
    if low >= high:
        return NOTHING, -1, -1, False, 0
    n_classes = len(class_counts)
    base = low << bits
    mask = (1 << bits) - 1
    left[:n_classes] = 0
    if n == len(cases):
        for c in range(n_classes):
            right[c] = class_counts[c]
    else:
        right[:n_classes] = 0
        for i in range(n):
            right[keys[i] & mask] += 1
    right_sum = 0
    for c in range(n_classes):
        right_sum += logs[right[c]]
    before = logs[n] - right_sum
    both = right_sum  # sums of f(class count) on both sides
    n_left = 0
    weight = len(cases)
    best, best_gain = NOTHING, NOTHING
    tries = 0
    below, above = -1, -1
    last = -1
    span = ((high - low) + 1) << bits
    if span <= ROOMY * n:
        for i in range(n):
            hist[keys[i] - base] += 1
        for code in range(low, high + 1):
            start = (code - low) << bits
            first = True
            for c in range(n_classes):
                h = hist[start + c]
                if h > 0:
                    if first:
                        first = False
                        if n_left >= least and n - n_left >= least:
                            tries += 1
                            mass = before + both - logs[n_left] - logs[n - n_left]
                            if mass > best:
                                gain = on_grid(mass, weight, 1)
                                if gain > best_gain:
                                    best, best_gain = mass, gain
                                    below, above = last, code
                        last = code
                    hist[start + c] = 0
                    a, b = left[c], right[c]
                    left[c] = a + h
                    right[c] = b - h
                    both += logs[a + h] - logs[a] + logs[b - h] - logs[b]
                    n_left += h
    else:
        for i in range(n):
            keys[i] -= base
        ordered = sort_keys(keys, other, count, n, np.int64(0), span)
        i = 0
        while i < n:
            key = ordered[i]
            code = key >> bits
            if code != last:
                if n_left >= least and n - n_left >= least:
                    tries += 1
                    mass = before + both - logs[n_left] - logs[n - n_left]
                    if mass > best:
                        gain = on_grid(mass, weight, 1)
                        if gain > best_gain:
                            best, best_gain = mass, gain
                            below, above = last, code
                last = code
            h = 1
            while i + h < n and ordered[i + h] == key:
                h += 1
            c = key & mask
            a, b = left[c], right[c]
            left[c] = a + h
            right[c] = b - h
            both += logs[a + h] - logs[a] + logs[b - h] - logs[b]
            n_left += h
            i += h
        below += low
        above += low
    return best, below, above, True, tries


@kernel
def continuous_weighted(
    row,
    cases,
    weights,
    weight,
    labels,
    bits,
    n_classes,
    least,
    logs,
    keys,
    other,
    count,
    left,
    right,
    left_logs,
    right_logs,
):
    """The same for cases with fractional weights; keys also carry the place of the case."""
    n = np.int64(0)
    low, high = np.int64(2147483647), np.int64(-1)
    for i in range(len(cases)):
        code = np.int64(row[cases[i]])
        if code >= 0:
            low = min(low, code)
            high = max(high, code)
            keys[n] = (((code << bits) | labels[i]) << 32) | i
            n += 1
    if low >= high:
        return NOTHING, -1, -1, False, 0
    base = low << (bits + 32)
    mask = (1 << bits) - 1
    left[:n_classes] = 0
    right[:n_classes] = 0
    total = 0
    for i in range(n):
        keys[i] -= base
        weight = weights[keys[i] & 0xFFFFFFFF]
        right[(keys[i] >> 32) & mask] += weight
        total += weight
    both = 0
    for c in range(n_classes):
        left_logs[c] = 0
        right_logs[c] = nlogn(right[c], WEIGHT_UNIT, logs)
        both += right_logs[c]
    before = nlogn(total, WEIGHT_UNIT, logs) - both
    ordered = sort_keys(keys, other, count, n, np.int64(32), ((high - low) + 1) << bits)
    in_left = 0
    best, best_gain = NOTHING, NOTHING
    tries = 0
    below, above = -1, -1
    last = -1
    i = 0
    while i < n:
        key = ordered[i] >> 32
        code = key >> bits
        if code != last:
            if in_left >= least and total - in_left >= least:
                tries += 1
                mass = before + both - nlogn(in_left, WEIGHT_UNIT, logs) - nlogn(total - in_left, WEIGHT_UNIT, logs)
                if mass > best:
                    gain = on_grid(mass, weight, WEIGHT_UNIT)
                    if gain > best_gain:
                        best, best_gain = mass, gain
                        below, above = last, code
            last = code
        h = 0
        while i < n and ordered[i] >> 32 == key:
            h += weights[ordered[i] & 0xFFFFFFFF]
            i += 1
        c = key & mask
        left[c] += h
        right[c] -= h
        both -= left_logs[c] + right_logs[c]
        left_logs[c] = nlogn(left[c], WEIGHT_UNIT, logs)
        right_logs[c] = nlogn(right[c], WEIGHT_UNIT, logs)
        both += left_logs[c] + right_logs[c]
        in_left += h
    return best, below + low, above + low, True, tries
