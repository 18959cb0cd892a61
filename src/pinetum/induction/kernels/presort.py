"""Cases of a column in rising order of its codes."""

import numpy as np

from pinetum.jit import kernel


@kernel
def order_by_code(codes, arity, order):
    """Cases with a known code, sorted by it (counting sort, ties by case); gives their number."""
    start = np.zeros(arity + 1, np.int64)
    for case in range(len(codes)):
        if codes[case] >= 0:
            start[codes[case] + 1] += 1
    for v in range(arity):
        start[v + 1] += start[v]
    known = start[arity]
    for case in range(len(codes)):
        if codes[case] >= 0:
            order[start[codes[case]]] = case
            start[codes[case]] += 1
    return known
