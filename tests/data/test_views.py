"""Views: the tables that the papers describe, and every step on a table small enough to see."""

import numpy as np
import pytest

from pinetum.data.dataset import Dataset
from pinetum.data.discretise import mdl_cuts
from pinetum.data.errors import DataError, NoData
from pinetum.data.loading import load_dataset
from pinetum.data.views import apply_view

TABLE = Dataset(
    name="t",
    codes=np.array([[0, 1, 2, -1, 0], [2, 0, -1, 1, 2]], dtype=np.int32),
    labels=np.array([0, 1, 2, 0, 1], dtype=np.int32),
    continuous=np.array([False, True]),
    values=(("a", "b", "c"), np.array([1.0, 2.0, 4.0])),
    feature_names=("colour", "size"),
    class_names=("x", "y", "z"),
)


def view(**steps):
    return apply_view("v", TABLE, {"of": "t", **steps})


def test_cases_and_domains():
    part = view(cases=[0, 2])
    assert part.values[0] == ("a", "b") and part.values[1].tolist() == [1, 4]
    np.testing.assert_array_equal(part.codes, [[0, 1], [1, 0]])
    assert view(cases=[0, 2], domains="base").values[0] == ("a", "b", "c")
    with pytest.raises(DataError, match="cases 3 to 9 of 5"):
        view(cases=[3, 9])


def test_missing_cells():
    assert view(missing="drop").n_cases == 3
    filled = view(missing="mode")
    np.testing.assert_array_equal(filled.codes, [[0, 1, 2, 0, 0], [2, 0, 1, 1, 2]])
    with pytest.raises(DataError, match="size is a number"):
        view(missing="value")
    valued = apply_view("v", TABLE.take_features([0]), {"of": "t", "missing": "value"})
    assert valued.values[0] == ("a", "b", "c", "?") and valued.codes[0].tolist() == [0, 1, 2, 3, 0]


def test_classes_are_grouped_and_others_left_out():
    grouped = view(classes={"p": ["z", "x"], "q": ["y"]})
    assert grouped.class_names == ("p", "q") and grouped.labels.tolist() == [0, 1, 0, 0, 1]
    assert view(classes={"p": ["x"], "q": ["y"]}).n_cases == 4
    with pytest.raises(DataError, match="'w' is not a class"):
        view(classes={"p": ["w"], "q": ["y"]})


def test_values_features_numbers_and_unknown_steps():
    assert view(values=["a", "b"]).labels.tolist() == [0, 1, 0, 1]  # the missing cell stays
    assert view(features=["size"]).feature_names == ("size",)
    assert view(features="discrete").feature_names == ("colour",)
    numbers = view(numbers={"a": 2, "b": -2, "c": 0})
    np.testing.assert_array_equal(numbers.numbers()[:, 0], [2, -2, 0, np.nan, 2])
    assert numbers.values[0].tolist() == [-2, 0, 2]
    assert view(cases=[2, 4], constant="drop").n_features == 0
    with pytest.raises(DataError, match="`sampel` is not known"):
        view(sampel=3)


def test_samples_depend_on_seed_and_name_only():
    one = view(sample={"cases": 3, "seed": 1})
    assert one == view(sample={"cases": 3, "seed": 1}) and one.n_cases == 3
    assert any(view(sample={"cases": 3, "seed": seed}) != one for seed in range(2, 9))


def slow_mdl(values, labels):
    """Fayyad and Irani by the book, on plain lists."""
    from math import log2

    def entropy(group):
        return -sum(
            group.count(c) / len(group) * log2(group.count(c) / len(group)) for c in set(group)
        )

    best = None
    for cut in sorted(set(values))[:-1]:
        left = [c for v, c in zip(values, labels, strict=True) if v <= cut]
        right = [c for v, c in zip(values, labels, strict=True) if v > cut]
        e = round((len(left) * entropy(left) + len(right) * entropy(right)) / len(labels), 12)
        if best is None or e < best[0]:
            best = e, cut, left, right
    if best is None:
        return []
    e, cut, left, right = best
    n, k, k1, k2 = len(labels), len(set(labels)), len(set(left)), len(set(right))
    delta = log2(3**k - 2) - (k * entropy(labels) - k1 * entropy(left) - k2 * entropy(right))
    if entropy(labels) - e <= (log2(n - 1) + delta) / n:
        return []
    low = [(v, c) for v, c in zip(values, labels, strict=True) if v <= cut]
    high = [(v, c) for v, c in zip(values, labels, strict=True) if v > cut]
    return [*slow_mdl(*zip(*low, strict=True)), cut, *slow_mdl(*zip(*high, strict=True))]


@pytest.mark.parametrize("seed", range(60))
def test_mdl_cuts_agree_with_the_book(seed):
    rng = np.random.default_rng(seed)
    values = rng.integers(0, rng.integers(2, 12), 60)
    labels = (values * rng.uniform(0, 0.4) + rng.normal(size=60) > 1).astype(int) + (values > 6) * (
        seed % 3
    )
    domain, ranks = np.unique(values, return_inverse=True)
    counts = np.zeros((len(domain), labels.max() + 1), dtype=np.int64)
    np.add.at(counts, (ranks, labels), 1)
    assert [domain[cut] for cut in mdl_cuts(counts)] == slow_mdl(values.tolist(), labels.tolist())


# cases, features, values in total, class counts: as the papers and their data sets' descriptions
# state them
SHAPES = {
    "vote-value": (435, 16, 48, [267, 168]),
    "solar-flare-binary": (1066, 10, 31, [884, 182]),
    "hepatitis-binary": (80, 13, 26, [13, 67]),
    "crx-mdl": (653, 13, 30, [296, 357]),
    "lymphography-binary": (142, 18, 50, [81, 61]),
    "connect-4-sample": (5000, 42, 126, None),
    "splice-dna": (3175, 60, 240, [762, 765, 1648]),
    "heart-binary": (297, 13, None, [160, 137]),
    "cancer-complete": (683, 9, None, [444, 239]),
    "vote-numbers": (435, 16, 48, [267, 168]),
    "monks-3-grid": (432, 6, 17, [204, 228]),
    "anneal-value": (898, 38, None, [8, 99, 684, 67, 40]),
}


@pytest.mark.parametrize("name", SHAPES)
def test_views_have_the_papers_shapes(name, catalogue, from_mirror):
    cases, features, values, counts = SHAPES[name]
    seen = apply_view(name, from_mirror(catalogue["views"][name]["of"]), catalogue["views"][name])
    assert (seen.n_cases, seen.n_features, seen.name, seen.n_missing) == (cases, features, name, 0)
    assert values is None or seen.arity.sum() == values
    assert counts is None or seen.class_counts().tolist() == counts


def test_loading_by_name(tmp_path):
    catalogue = tmp_path / "catalogue.yaml"
    catalogue.write_text("datasets: {}\nviews:\n  t-known: {of: t, missing: drop}\n")
    TABLE.save(tmp_path / "t.npz")
    assert load_dataset("t", tmp_path, catalogue) == TABLE
    known = load_dataset("t-known", tmp_path, catalogue)
    assert (known.name, known.n_cases) == ("t-known", 3)
    Dataset.save_reason(tmp_path / "gone.npz", "gone", "mirror: not there")
    with pytest.raises(NoData, match="no data for gone: mirror: not there") as caught:
        load_dataset("gone", tmp_path, catalogue)
    assert (caught.value.name, caught.value.reason) == ("gone", "mirror: not there")
    with pytest.raises(DataError, match=r"never\.npz: not encoded yet; run"):
        load_dataset("never", tmp_path, catalogue)
