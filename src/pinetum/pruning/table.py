"""A data set as ID3 takes it: discrete attributes, every value seen in the file a branch, nothing
missing.
"""

from dataclasses import dataclass

import numpy as np

from pinetum.constants import MISSING
from pinetum.pruning.kernels.id3 import Cases


class Unsuitable(ValueError):
    """A table ID3 cannot take, and why."""


@dataclass(frozen=True, eq=False)
class Table:
    """codes int16 (attributes, cases), labels int32, arity int32, features int32 (all attributes),
    names.
    """

    name: str
    codes: np.ndarray
    labels: np.ndarray
    arity: np.ndarray
    features: np.ndarray
    classes: int
    feature_names: tuple
    values: tuple
    class_names: tuple

    @property
    def cases(self) -> Cases:
        return Cases(self.codes, self.labels, self.arity)


def table_of(dataset) -> Table:
    """Unknown cells become the attribute's most frequent value.

    Values no case has lose their branch.
    """
    if dataset.continuous.any():
        names = [
            name
            for name, number in zip(dataset.feature_names, dataset.continuous, strict=True)
            if number
        ]
        raise Unsuitable(
            f"ID3 takes discrete attributes only; {names[0]} is a number (discretise it)"
        )
    if not dataset.n_features:
        raise Unsuitable("no attributes")
    codes = np.zeros((dataset.n_features, dataset.n_cases), np.int16)
    values = []
    for feature, column in enumerate(dataset.codes):
        known = column != MISSING
        seen, new = np.unique(column[known], return_inverse=True)
        if len(seen) > np.iinfo(np.int16).max:
            raise Unsuitable(f"{dataset.feature_names[feature]} has {len(seen):,} values")
        if len(seen) == 0:
            values.append(("?",))
            continue
        codes[feature] = np.bincount(new).argmax()
        codes[feature, known] = new
        values.append(tuple(dataset.values[feature][code] for code in seen))
    return Table(
        name=dataset.name,
        codes=codes,
        labels=np.ascontiguousarray(dataset.labels, np.int32),
        arity=np.array([len(domain) for domain in values], np.int32),
        features=np.arange(dataset.n_features, dtype=np.int32),
        classes=dataset.n_classes,
        feature_names=dataset.feature_names,
        values=tuple(values),
        class_names=dataset.class_names,
    )
