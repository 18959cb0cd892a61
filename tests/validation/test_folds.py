"""Folds and splits: fair shares, nothing lost, the same for the same stream."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pinetum.randomness import stream
from pinetum.validation import (
    load_splits,
    repeated_folds,
    save_splits,
    stratified_folds,
    stratified_split,
)

LABELS = st.lists(st.integers(0, 4), min_size=2, max_size=60).map(lambda labels: np.array(labels))
SEEDS = st.integers(0, 2**32)


@settings(max_examples=300, deadline=None, derandomize=True, database=None)
@given(labels=LABELS, folds=st.integers(2, 12), seed=SEEDS)
def test_every_fold_has_its_share(labels, folds, seed):
    if folds > len(labels):
        with pytest.raises(ValueError, match=f"{folds} folds of {len(labels)} cases"):
            stratified_folds(labels, folds, stream(seed))
        return
    assigned = stratified_folds(labels, folds, stream(seed))
    sizes = np.bincount(assigned, minlength=folds)
    assert sizes.max() - sizes.min() <= 1 and len(sizes) == folds
    for label in np.unique(labels):
        shares = np.bincount(assigned[labels == label], minlength=folds)
        assert shares.max() - shares.min() <= 1
    np.testing.assert_array_equal(assigned, stratified_folds(labels, folds, stream(seed)))


@settings(max_examples=300, deadline=None, derandomize=True, database=None)
@given(labels=LABELS, fraction=st.floats(0.05, 0.95), seed=SEEDS)
def test_a_split_takes_the_fraction_of_every_class(labels, fraction, seed):
    building, search = stratified_split(labels, fraction, stream(seed))
    assert sorted([*building, *search]) == list(range(len(labels)))
    assert (np.diff(building) > 0).all() and (np.diff(search) > 0).all()
    assert len(building) == round(fraction * len(labels))
    for label in np.unique(labels):
        wanted = fraction * np.count_nonzero(labels == label)
        assert abs(np.count_nonzero(labels[building] == label) - wanted) < 1 + 1e-9


def test_every_case_is_drawn_as_often_as_the_others():
    labels = np.array([0] * 6 + [1] * 3)
    drawn = np.zeros(9)
    for seed in range(3000):
        drawn[stratified_split(labels, 2 / 3, stream(seed))[0]] += 1
    assert np.abs(drawn / 3000 - 2 / 3).max() < 5 * np.sqrt(2 / 9 / 3000)
    zero = sum(stratified_folds(labels, 3, stream(seed)) == 0 for seed in range(3000))
    assert np.abs(zero / 3000 - 1 / 3).max() < 5 * np.sqrt(2 / 9 / 3000)


def test_a_fraction_must_be_one():
    with pytest.raises(ValueError, match=r"fraction 1\.0; choose one between"):
        stratified_split(np.array([0, 1]), 1.0, stream(1))


def test_repeats_come_from_streams_of_their_own():
    labels = np.arange(40) % 3
    five, three = (
        repeated_folds(labels, 4, 5, 7, "study", "set"),
        repeated_folds(labels, 4, 3, 7, "study", "set"),
    )
    np.testing.assert_array_equal(five[:3], three)
    np.testing.assert_array_equal(
        five[2], stratified_folds(labels, 4, stream(7, "study", "set", "folds", 2))
    )
    assert len({tuple(row) for row in five}) == 5
    assert not np.array_equal(five, repeated_folds(labels, 4, 5, 7, "study", "other"))


def test_splits_are_kept_with_the_name_of_their_stream(tmp_path):
    labels = np.arange(20) % 2
    folds = repeated_folds(labels, 5, 2, 7, "study", "set")
    building, search = stratified_split(labels, 0.7, stream(7, "study", "set", "split"))
    splits = {"folds": folds, "building": building, "search": search}
    save_splits(tmp_path / "splits.npz", splits, 7, ("study", "set"))
    kept, name = load_splits(tmp_path / "splits.npz")
    assert name == "7/study/set" and set(kept) == set(splits)
    for key, array in splits.items():
        np.testing.assert_array_equal(kept[key], array)
