"""All greedy trees of a table of any size at once: `greedy_kernels` for row sets of several words."""

import numpy as np

from pinetum.greedy_dp.kernels.bits import ZERO, ones
from pinetum.greedy_dp.kernels.constants import N_HEURISTICS, N_MEASURES
from pinetum.greedy_dp.kernels.greedy_64 import ALL
from pinetum.greedy_dp.kernels.impurity import fold, less, uncertainties
from pinetum.jit import kernel


@kernel
def choose(rows, masks, first, decisions, n_log_n, counts, measured, impurity, least, choice):
    """Each heuristic's attribute for a subtable with several decisions."""
    fresh = True
    for a in range(len(first) - 1):
        impurity[:] = 0.0
        filled = 0
        for slot in range(first[a], first[a + 1]):
            n = 0
            for c in range(len(decisions)):
                count = 0
                for w in range(len(rows)):
                    count += ones(rows[w] & masks[slot, w] & decisions[c, w])
                counts[c] = count
                n += count
            if n > 0:
                filled += 1
                uncertainties(counts, n, n_log_n, measured)
                fold(measured, n, impurity)
        if filled < 2:
            continue
        for h in range(N_HEURISTICS):
            if fresh or less(impurity[h], least[h]):
                least[h] = impurity[h]
                choice[h] = a
        fresh = False


@kernel
def greedy_trees(root, masks, first, decisions, n_log_n, costs):
    """Fill (heuristics, costs): total path length, depth, nodes, nonterminal and terminal nodes."""
    costs[:] = 0
    words = len(root)
    m = len(first) - 1
    widest = 0
    for a in range(m):
        widest = max(widest, first[a + 1] - first[a])
    room = (m + 1) * N_HEURISTICS * widest + 1  # an attribute splits once on a path
    sets = np.empty((room, words), np.uint64)
    levels = np.empty(room, np.int64)
    groups = np.empty(room, np.uint64)
    rows = np.empty(words, np.uint64)
    counts = np.empty(len(decisions), np.int64)
    measured = np.empty(N_MEASURES, np.float64)
    impurity = np.empty(N_HEURISTICS, np.float64)
    least = np.empty(N_HEURISTICS, np.float64)
    choice = np.empty(N_HEURISTICS, np.int64)
    for w in range(len(root)):  # see `expand`
        sets[0, w] = root[w]
    levels[0] = 0
    groups[0] = ALL
    waiting = 1
    while waiting > 0:
        waiting -= 1
        for word in range(len(rows)):
            rows[word] = sets[waiting, word]
        level = levels[waiting]
        group = groups[waiting]
        n = 0
        present = 0
        for c in range(len(decisions)):
            count = 0
            for w in range(words):
                count += ones(rows[w] & decisions[c, w])
            n += count
            present += count > 0
        if present > 1:
            choose(rows, masks, first, decisions, n_log_n, counts, measured, impurity, least, choice)
        for h in range(N_HEURISTICS):
            if group >> np.uint64(h) & np.uint64(1):
                costs[h, 1] = max(costs[h, 1], level)
                costs[h, 2] += 1
                if present > 1:
                    costs[h, 0] += n
                    costs[h, 3] += 1
                else:
                    costs[h, 4] += 1
        if present < 2:
            continue
        for a in range(m):
            chosen = ZERO
            for h in range(N_HEURISTICS):
                if choice[h] == a:
                    chosen |= group & (np.uint64(1) << np.uint64(h))
            if chosen == ZERO:
                continue
            for slot in range(first[a], first[a + 1]):
                some = ZERO
                for w in range(words):
                    word = rows[w] & masks[slot, w]
                    sets[waiting, w] = word
                    some |= word
                if some != ZERO:
                    levels[waiting] = level + 1
                    groups[waiting] = chosen
                    waiting += 1
