"""All greedy trees of a table of any size at once: `greedy_kernels` for row sets of several
words.
"""

import numpy as np

from pinetum.greedy_dp.kernels.bits import ONE, ZERO, ones
from pinetum.greedy_dp.kernels.constants import N_HEURISTICS, N_MEASURES
from pinetum.greedy_dp.kernels.greedy_64 import ALL
from pinetum.greedy_dp.kernels.impurity import fold, less, uncertainties
from pinetum.greedy_dp.kernels.problem import may_end, weigh
from pinetum.jit import kernel


@kernel
def choose(rows, problem, n_log_n, counts, measured, impurity, least, choice):
    """Each heuristic's attribute for a subtable that is no leaf; `counts` is per kind of rows."""
    fresh = True
    for a in range(len(problem.price)):
        impurity[:] = 0.0
        filled = 0
        for slot in range(problem.first[a], problem.first[a + 1]):
            n = np.int64(0)
            for c in range(len(problem.kinds)):
                count = 0
                for w in range(len(rows)):
                    count += ones(rows[w] & problem.masks[slot, w] & problem.kinds[c, w])
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
def greedy_trees(root, problem, n_log_n, costs):
    """Fill (heuristics, costs): total path length, depth, nodes, nonterminal and terminal nodes."""
    costs[:] = 0
    words = len(root)
    m = len(problem.price)
    widest = 0
    for a in range(m):
        widest = max(widest, problem.first[a + 1] - problem.first[a])
    # An attribute splits once on a path, and one subtable gives way to the branches of no more
    # attributes than there are heuristics.
    room = (m + 1) * N_HEURISTICS * widest + 1
    sets = np.empty((room, words), np.uint64)
    levels = np.empty(room, np.int64)
    groups = np.empty(room, np.uint64)
    rows = np.empty(words, np.uint64)
    answered = np.empty(len(problem.decisions), np.int64)
    counts = np.empty(len(problem.kinds), np.int64)
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
        total, wrong = weigh(rows, problem, answered)
        leaf = may_end(total, wrong, problem.slack)
        if not leaf:
            choose(rows, problem, n_log_n, counts, measured, impurity, least, choice)
        for h in range(N_HEURISTICS):
            if group >> np.uint64(h) & ONE:
                if leaf:
                    costs[h, 1] = max(costs[h, 1], level)
                    costs[h, 2] += 1
                    costs[h, 4] += 1
                else:
                    price = problem.price[choice[h]]
                    costs[h, 0] += total * price
                    costs[h, 2] += price
                    costs[h, 3] += price
        if leaf:
            continue
        for a in range(m):
            chosen = ZERO
            for h in range(N_HEURISTICS):
                if choice[h] == a:
                    chosen |= group & (ONE << np.uint64(h))
            if chosen == ZERO:
                continue
            for slot in range(problem.first[a], problem.first[a + 1]):
                some = ZERO
                for w in range(words):
                    word = rows[w] & problem.masks[slot, w]
                    sets[waiting, w] = word
                    some |= word
                if some != ZERO:
                    levels[waiting] = level + problem.price[a]
                    groups[waiting] = chosen
                    waiting += 1
