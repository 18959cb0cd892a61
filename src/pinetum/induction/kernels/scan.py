"""The best cut of one continuous feature at one node.

Three sources of the same answer: a table of class weights per distinct value (few distinct values),
sorted keys of whole cases, and sorted keys of weighted cases. Each gives (mass gain after the penalty,
split mass, rank code below the cut, rank code above it); split mass 0 means no cut may be used, and the
code above is CONSTANT when all cases have one value.

Cuts are compared by their gain on the quality grid, from the low end, so ties go to the lowest cut.
"""

import numpy as np

from pinetum.induction.kernels.quality import (
    continuous_split,
    impurity_mass,
    is_in_terms,
    least_side,
    mass_by_terms,
    nlogn,
    on_grid,
)
from pinetum.jit import kernel

CONSTANT = -2
RUN = 16  # runs that the merge sort begins with
FEW = 60  # keys that insertion sorts faster than passes over bytes


@kernel
def sort_keys(keys, spare, n):
    """Sort keys[:n] in place: insertion sort of short runs, then merging."""
    for low in range(0, n, RUN):
        for i in range(low + 1, min(low + RUN, n)):
            key = keys[i]
            j = i - 1
            while j >= low and keys[j] > key:
                keys[j + 1] = keys[j]
                j -= 1
            keys[j + 1] = key
    width = RUN
    while width < n:
        for low in range(0, n - width, 2 * width):
            middle = low + width
            high = min(middle + width, n)
            if keys[middle - 1] <= keys[middle]:
                continue
            for i in range(low, middle):
                spare[i] = keys[i]
            i, j, to = low, middle, low
            while i < middle and j < high:
                if spare[i] <= keys[j]:
                    keys[to] = spare[i]
                    i += 1
                else:
                    keys[to] = keys[j]
                    j += 1
                to += 1
            while i < middle:
                keys[to] = spare[i]
                i += 1
                to += 1
        width *= 2


@kernel
def sort_by_value(keys, spare, n, first_bit):
    """Sort keys[:n] in place by key >> first_bit, equal ones as they were: a pass per byte of the span."""
    if n <= FEW:
        for i in range(1, n):
            key = keys[i]
            value = key >> first_bit
            j = i - 1
            while j >= 0 and keys[j] >> first_bit > value:
                keys[j + 1] = keys[j]
                j -= 1
            keys[j + 1] = key
        return
    low, high = keys[0], keys[0]
    for i in range(1, n):
        low = min(low, keys[i])
        high = max(high, keys[i])
    low >>= first_bit
    span = (high >> first_bit) - low
    count = np.empty(256, np.int64)
    source, target = keys, spare
    shift, passes = 0, 0
    while span >> shift:
        count[:] = 0
        for i in range(n):
            count[(((source[i] >> first_bit) - low) >> shift) & 255] += 1
        place = np.int64(0)
        for digit in range(256):
            here = count[digit]
            count[digit] = place
            place += here
        for i in range(n):
            key = source[i]
            digit = (((key >> first_bit) - low) >> shift) & 255
            target[count[digit]] = key
            count[digit] += 1
        source, target = target, source
        shift += 8
        passes += 1
    if passes & 1:
        for i in range(n):
            keys[i] = spare[i]


@kernel
def scan_table(value_classes, arity, known, known_total, weight, rules, table, values):
    """From `value_classes` (>= arity, classes), class weights per rank code; `known` their column sums."""
    n_classes = len(known)
    unit = rules.unit
    least = least_side(known_total, n_classes, rules)
    whole_mass = impurity_mass(known, known_total, rules.criterion, unit, table)
    left, right = np.zeros(n_classes, np.int64), known.copy()
    left_total = np.int64(0)
    left_sum, right_sum = np.int64(0), np.int64(0)  # sums of n log n over the classes
    for c in range(n_classes):
        right_sum += nlogn(right[c], unit, table)
    below, best_cut, best_upper = -1, -1, -1
    best_mass, best_gain, best_left = np.int64(-1) << 62, np.int64(-1) << 62, np.int64(0)
    tries = 0
    none = CONSTANT
    for v in range(arity):
        total = np.int64(0)
        for c in range(n_classes):
            total += value_classes[v, c]
        if total == 0:
            continue
        if below >= 0:
            none = -1
        if below >= 0 and left_total >= least:
            right_total = known_total - left_total
            if right_total < least:
                break
            if rules.min_gap == 0.0 or values[below] < values[v] - rules.min_gap:
                tries += 1
                if is_in_terms(rules.criterion):
                    inside = mass_by_terms(rules.criterion, left, left_total, unit)
                    inside += mass_by_terms(rules.criterion, right, right_total, unit)
                else:
                    inside = nlogn(left_total, unit, table) - left_sum + nlogn(right_total, unit, table) - right_sum
                mass = whole_mass - inside
                if mass > best_mass:
                    gain = on_grid(mass, weight, unit)
                    if gain > best_gain:
                        best_mass, best_gain, best_left = mass, gain, left_total
                        best_cut, best_upper = below, v
        for c in range(n_classes):
            n = value_classes[v, c]
            if n:
                left_sum += nlogn(left[c] + n, unit, table) - nlogn(left[c], unit, table)
                right_sum += nlogn(right[c] - n, unit, table) - nlogn(right[c], unit, table)
                left[c] += n
                right[c] -= n
        left_total += total
        below = v
    if tries == 0:
        return np.int64(0), np.int64(0), -1, none
    mass, split = continuous_split(best_mass, best_left, known_total, weight, tries, rules, table)
    return mass, split, best_cut, best_upper


@kernel
def scan_whole_keys(keys, n, bits, known, weight, rules, table, values):
    """From keys[:n], sorted: (rank code << bits) | class, every case counting once."""
    if keys[0] >> bits == keys[n - 1] >> bits:
        return np.int64(0), np.int64(0), -1, CONSTANT
    n_classes = len(known)
    least = least_side(n, n_classes, rules)
    whole_mass = impurity_mass(known, n, rules.criterion, 1, table)
    best_cut, best_upper = -1, -1
    best_mass, best_gain, best_left = np.int64(-1) << 62, np.int64(-1) << 62, 0
    tries = 0
    gap = rules.min_gap
    if n_classes == 2 and not is_in_terms(rules.criterion):
        ones, left_ones = known[1], 0
        zeros = n - ones
        for i in range(n - 1):
            key = keys[i]
            left_ones += key & 1
            if (key ^ keys[i + 1]) <= 1:  # the same value
                continue
            left_total = i + 1
            if left_total < least:
                continue
            right_total = n - left_total
            if right_total < least:
                break
            if gap > 0.0 and not values[key >> 1] < values[keys[i + 1] >> 1] - gap:
                continue
            tries += 1
            left_zeros = left_total - left_ones
            inside = (
                (table[left_total] - table[left_ones] - table[left_zeros])
                + (table[right_total] - table[ones - left_ones])
                - table[zeros - left_zeros]
            )
            if whole_mass - inside > best_mass:
                gain = on_grid(whole_mass - inside, weight, 1)
                if gain > best_gain:
                    best_mass, best_gain, best_left = whole_mass - inside, gain, left_total
                    best_cut, best_upper = key >> 1, keys[i + 1] >> 1
    else:
        left, right = np.zeros(n_classes, np.int64), known.copy()
        left_sum, right_sum = np.int64(0), np.int64(0)
        for c in range(n_classes):
            right_sum += table[right[c]]
        mask = (1 << bits) - 1
        for i in range(n - 1):
            key = keys[i]
            c = key & mask
            n_left, n_right = left[c], right[c]
            left_sum += table[n_left + 1] - table[n_left]
            right_sum += table[n_right - 1] - table[n_right]
            left[c] = n_left + 1
            right[c] = n_right - 1
            if (key ^ keys[i + 1]) <= mask:
                continue
            left_total = i + 1
            if left_total < least:
                continue
            right_total = n - left_total
            if right_total < least:
                break
            if gap > 0.0 and not values[key >> bits] < values[keys[i + 1] >> bits] - gap:
                continue
            tries += 1
            if is_in_terms(rules.criterion):
                inside = mass_by_terms(rules.criterion, left, left_total, 1)
                inside += mass_by_terms(rules.criterion, right, right_total, 1)
            else:
                inside = table[left_total] - left_sum + table[right_total] - right_sum
            if whole_mass - inside > best_mass:
                gain = on_grid(whole_mass - inside, weight, 1)
                if gain > best_gain:
                    best_mass, best_gain, best_left = whole_mass - inside, gain, left_total
                    best_cut, best_upper = key >> bits, keys[i + 1] >> bits
    if tries == 0:
        return np.int64(0), np.int64(0), -1, -1
    mass, split = continuous_split(best_mass, best_left, n, weight, tries, rules, table)
    return mass, split, best_cut, best_upper


@kernel
def scan_weighted_keys(keys, n, cases, weights, labels, known, known_total, weight, rules, table, values):
    """From keys[:n], sorted: (rank code << 32) | position in `cases` and `weights`."""
    if n == 0 or keys[0] >> 32 == keys[n - 1] >> 32:
        return np.int64(0), np.int64(0), -1, CONSTANT
    n_classes = len(known)
    unit = rules.unit
    least = least_side(known_total, n_classes, rules)
    whole_mass = impurity_mass(known, known_total, rules.criterion, unit, table)
    left, right = np.zeros(n_classes, np.int64), known.copy()
    left_total = np.int64(0)
    left_sum, right_sum = np.int64(0), np.int64(0)
    for c in range(n_classes):
        right_sum += nlogn(right[c], unit, table)
    best_cut, best_upper = -1, -1
    best_mass, best_gain, best_left = np.int64(-1) << 62, np.int64(-1) << 62, np.int64(0)
    tries = 0
    for i in range(n - 1):
        position = keys[i] & 0xFFFFFFFF
        c = labels[cases[position]]
        w = weights[position]
        left_total += w
        if not is_in_terms(rules.criterion):
            left_sum += nlogn(left[c] + w, unit, table) - nlogn(left[c], unit, table)
            right_sum += nlogn(right[c] - w, unit, table) - nlogn(right[c], unit, table)
        left[c] += w
        right[c] -= w
        below, above = keys[i] >> 32, keys[i + 1] >> 32
        if below == above or left_total < least:
            continue
        right_total = known_total - left_total
        if right_total < least:
            break
        if rules.min_gap > 0.0 and not values[below] < values[above] - rules.min_gap:
            continue
        tries += 1
        if is_in_terms(rules.criterion):
            inside = mass_by_terms(rules.criterion, left, left_total, unit)
            inside += mass_by_terms(rules.criterion, right, right_total, unit)
        else:
            inside = nlogn(left_total, unit, table) - left_sum + nlogn(right_total, unit, table) - right_sum
        mass = whole_mass - inside
        if mass > best_mass:
            gain = on_grid(mass, weight, unit)
            if gain > best_gain:
                best_mass, best_gain, best_left = mass, gain, left_total
                best_cut, best_upper = below, above
    if tries == 0:
        return np.int64(0), np.int64(0), -1, -1
    mass, split = continuous_split(best_mass, best_left, known_total, weight, tries, rules, table)
    return mass, split, best_cut, best_upper
