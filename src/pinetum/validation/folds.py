"""Stratified folds and splits: functions of the classes and of one named stream, kept as
indices.
"""

from pathlib import Path

import numpy as np

from pinetum.files import whole_file
from pinetum.randomness import stream


def stratified_folds(labels, folds, rng) -> np.ndarray:
    """Fold number of each case, int32: every fold gets its share of every class and of the cases,
    to within one.

    Classes are dealt one after the other, each in random order, and dealing goes on where the class
    before stopped; so rare classes do not all land in fold 0. The order of the folds is drawn too.
    """
    labels = np.asarray(labels)
    if not 2 <= folds <= len(labels):
        raise ValueError(f"{folds} folds of {len(labels)} cases; choose 2 to {len(labels)}")
    order = rng.permutation(len(labels))
    dealt = order[np.argsort(labels[order], kind="stable")]
    numbers = rng.permutation(folds).astype(np.int32)
    assigned = np.empty(len(labels), dtype=np.int32)
    assigned[dealt] = numbers[np.arange(len(labels)) % folds]
    return assigned


def repeated_folds(labels, folds, repeats, root, *key) -> np.ndarray:
    """Fold numbers (repeats, cases): repeat r comes from the stream `(*key, "folds", r)` of the
    root seed.
    """
    return np.stack(
        [stratified_folds(labels, folds, stream(root, *key, "folds", r)) for r in range(repeats)]
    )


def stratified_split(labels, fraction, rng) -> tuple[np.ndarray, np.ndarray]:
    """Sorted indices of a random part of `fraction` of the cases and of the rest, stratified by
    class.

    The part has round(fraction x cases) cases; each class gives the whole number below its share,
    the missing cases come from the classes with the largest remainders (the lowest class on ties).
    """
    labels = np.asarray(labels)
    if not 0 < fraction < 1:
        raise ValueError(f"fraction {fraction}; choose one between 0 and 1")
    counts = np.bincount(labels)
    share = fraction * counts
    take = np.floor(np.round(share, 9)).astype(np.int64)
    short = round(fraction * len(labels)) - int(take.sum())
    take[np.argsort(-np.round(share - take, 9), kind="stable")[:short]] += 1
    order = rng.permutation(len(labels))
    order = order[np.argsort(labels[order], kind="stable")]
    place = np.arange(len(labels)) - np.repeat(
        np.cumsum(counts) - counts, counts
    )  # place within the class
    chosen = place < np.repeat(take, counts)
    return np.sort(order[chosen]), np.sort(order[~chosen])


def save_splits(path, splits: dict, root, key) -> None:
    """Keep arrays of indices or fold numbers together with the root seed and the name of their
    stream.
    """
    name = f"{root}/{'/'.join(map(str, key))}"
    with whole_file(path, "wb") as file:
        np.savez_compressed(file, stream=np.frombuffer(name.encode(), dtype=np.uint8), **splits)


def load_splits(path) -> tuple[dict, str]:
    """The arrays and the name of their stream."""
    with np.load(Path(path), allow_pickle=False) as file:
        arrays = {key: file[key] for key in file.files}
    name = arrays.pop("stream").tobytes().decode()
    return arrays, name
