"""The opt-feature list of a table: best last tests against trying all of them at many
posteriors.
"""

import numpy as np
import pandas as pd
import pytest

from pinetum import opt_feature_list
from pinetum.nbdt.naive_bayes import NaiveBayes


@pytest.mark.parametrize("seed", range(20))
def test_the_best_features_are_those_of_trying_all(seed):
    rng = np.random.default_rng(seed)
    cases, n = int(rng.integers(4, 40)), int(rng.integers(1, 5))
    codes = rng.integers(0, 3, (n, cases))
    y = np.append(rng.integers(0, 2, cases - 2), [0, 1])
    width = int(rng.integers(1, n + 1))
    X = pd.DataFrame(
        {f"f{j}": pd.Categorical(column, categories=[0, 1, 2]) for j, column in enumerate(codes)}
    )
    found = opt_feature_list(X, y, width=width)
    model = NaiveBayes.estimate(codes, y, [3] * n, 2)
    assert found["from"].iloc[0] == 0 and found["to"].iloc[-1] == 1
    assert (found["from"].iloc[1:].to_numpy() == found["to"].iloc[:-1].to_numpy()).all()

    def accuracy(feature, x):
        minus, plus = model.given[:, 3 * feature : 3 * feature + 3]
        return np.maximum(x * plus, (1 - x) * minus).sum()

    for row in found.itertuples(index=False):
        for x in (row[0], (row[0] + row[1]) / 2, row[1]):
            ranked = sorted((accuracy(f, x) for f in range(n)), reverse=True)[:width]
            assert np.allclose([accuracy(int(name[1:]), x) for name in row.features], ranked)
        assert row.accuracy_from == pytest.approx(accuracy(int(row.features[0][1:]), row[0]))
        assert row.accuracy_to == pytest.approx(accuracy(int(row.features[0][1:]), row[1]))


def test_numbers_are_cut_and_missing_cells_are_values():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(
        {
            "size": rng.normal(size=200),
            "noise": rng.normal(size=200),
            "kind": rng.choice(["u", "v"], 200),
        }
    )
    y = np.where(X["size"] > 0, "yes", "no")
    X.loc[::7, "kind"] = None
    found = opt_feature_list(X, y, width=3)
    assert all(sorted(features) == ["kind", "noise", "size"] for features in found["features"])
    middle = found[(found["from"] <= 0.5) & (found["to"] >= 0.5)].iloc[0]
    assert middle["features"][0] == "size"
    with pytest.raises(ValueError, match="3 classes: the list"):
        opt_feature_list(X, rng.integers(0, 3, 200))
    with pytest.raises(ValueError, match="width = 9: expected a whole number from 1 to 3"):
        opt_feature_list(X, y, width=9)
