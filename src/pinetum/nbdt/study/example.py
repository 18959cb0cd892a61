"""The opt-feature list of three small features, to look at: figure 2 of the paper with the list
under it.
"""

import numpy as np

from pinetum.nbdt.fixed_depth import TwoClassSolver
from pinetum.nbdt.kernels.feature_lists import feature_list
from pinetum.nbdt.naive_bayes import NaiveBayes

NAMES = ("A", "B", "C")
# Per feature P(value | -) and P(value | +).
TABLES = (((0.4, 0.6), (0.9, 0.1)), ((0.1, 0.9), (0.5, 0.5)), ((0.2, 0.3, 0.5), (0.6, 0.3, 0.1)))


def model(positive=0.5) -> NaiveBayes:
    return NaiveBayes.from_tables([1 - positive, positive], TABLES)


def list_records() -> list[dict]:
    """kind `curve`: corners of Acc(F, x); kind `list`: ranks of the features in x .. x_end."""
    problem = model()
    plus, minus = np.ascontiguousarray(problem.given[1]), np.ascontiguousarray(problem.given[0])
    records = []
    for feature, name in enumerate(NAMES):
        start, end = problem.start[feature], problem.start[feature + 1]
        breaks, _, gain_plus, gain_minus = feature_list(feature, plus, minus, start, end)
        pieces = np.append(np.arange(len(breaks) - 1), len(breaks) - 2)
        for x, piece in zip(breaks, pieces, strict=True):
            value = x * gain_plus[piece, 0] + (1 - x) * gain_minus[piece, 0]
            records.append({"kind": "curve", "feature": name, "x": x, "accuracy": value})
    breaks, listed, _, _ = TwoClassSolver(problem, len(NAMES)).opt_feature_list
    orders = [tuple(row) for row in listed.tolist()]
    first = 0
    for piece in range(1, len(orders) + 1):
        if piece == len(orders) or orders[piece] != orders[first]:
            for rank, feature in enumerate(orders[first]):
                records.append(
                    {
                        "kind": "list",
                        "feature": NAMES[feature],
                        "x": breaks[first],
                        "x_end": breaks[piece],
                        "rank": rank + 1,
                    }
                )
            first = piece
    return records
