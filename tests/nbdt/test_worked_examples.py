"""Hand-worked examples, exactly."""

from fractions import Fraction

import numpy as np
import pytest

from pinetum.nbdt.fixed_depth import BudgetSolver, TwoClassSolver
from pinetum.nbdt.methods import SEARCHES
from pinetum.nbdt.naive_bayes import NaiveBayes
from pinetum.nbdt.replication.measure import example_model, example_records

# Best expected accuracy of depths 1, 2, 3 for the three features of the example.
BEST = {
    Fraction(1, 2): (Fraction(3, 4), Fraction(161, 200), Fraction(1653, 2000)),
    Fraction(1, 5): (Fraction(41, 50), Fraction(429, 500), Fraction(173, 200)),
}
# The features in order of accuracy between these posteriors; below 1/6 no test beats another.
LIST = [
    (0, Fraction(1, 6), "ABC"),
    (Fraction(1, 6), Fraction(1, 4), "BAC"),
    (Fraction(1, 4), Fraction(2, 5), "BCA"),
    (Fraction(2, 5), Fraction(3, 7), "BAC"),
    (Fraction(3, 7), Fraction(1, 2), "ABC"),
    (Fraction(1, 2), Fraction(5, 6), "ACB"),
    (Fraction(5, 6), 1, "ABC"),
]


@pytest.mark.parametrize("positive", BEST)
@pytest.mark.parametrize("depth", (1, 2, 3))
def test_best_expected_accuracy(positive, depth):
    want = float(BEST[positive][depth - 1])
    two, general = (
        TwoClassSolver(example_model(float(positive)), depth),
        BudgetSolver(example_model(positive), depth),
    )
    for method in SEARCHES:
        assert two.fit(method=method).expected_accuracy == pytest.approx(want, abs=1e-15)
    assert general.fit().expected_accuracy == pytest.approx(want, abs=1e-15)


def test_opt_feature_list():
    ranks = {}
    for record in example_records():
        if record["kind"] == "list":
            ranks.setdefault((record["x"], record["x_end"]), []).append(record["feature"])
    assert len(ranks) == len(LIST)
    for ((low, high), features), (want_low, want_high, want) in zip(
        ranks.items(), LIST, strict=True
    ):
        assert (low, high) == pytest.approx((float(want_low), float(want_high)), abs=1e-12)
        assert "".join(features) == want


@pytest.mark.parametrize("alpha, want", [(0, Fraction(4, 5)), (1, Fraction(93, 140))])
@pytest.mark.parametrize("depth", (1, 2))
@pytest.mark.parametrize("method", SEARCHES)
def test_five_cases(alpha, want, depth, method):
    codes, labels = np.array([[0, 0, 1, 1, 1], [0, 1, 0, 1, 1]]), np.array([1, 1, 0, 0, 1])
    model = NaiveBayes.estimate(codes, labels, [2, 2], 2, alpha)
    assert TwoClassSolver(model, depth).fit(method=method).expected_accuracy == pytest.approx(
        float(want), abs=1e-15
    )


def test_equation_3_as_printed_would_be_one_minus_the_accuracy():
    """The two cases are swapped in print: taken literally the sum over values is 1 - Acc."""
    model = example_model()
    for feature in range(3):
        plus, minus = (
            [
                Fraction(p).limit_denominator(100)
                for p in model.given[c, model.start[feature] : model.start[feature + 1]]
            ]
            for c in (1, 0)
        )
        for x in (Fraction(1, 3), Fraction(7, 10)):
            right = sum(max(x * p, (1 - x) * m) for p, m in zip(plus, minus, strict=True))
            printed = sum(
                x * p if x <= m / (p + m) else (1 - x) * m for p, m in zip(plus, minus, strict=True)
            )
            assert printed == 1 - right
