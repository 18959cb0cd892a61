"""Decision tables: random ones as in the paper, and real ones from encoded data sets."""

from dataclasses import dataclass

import numpy as np

from pinetum.constants import MISSING
from pinetum.data.dataset import Dataset
from pinetum.randomness import stream


class Unsuitable(ValueError):
    """A data set that is no decision table: numbers, missing cells, equal rows with different decisions."""


def random_table(seed, index, *, rows, attributes, values, decisions, study="tables"):
    """One table as int8 (rows, attributes + 1), the decision last; equal rows still in it.

    Every table has a stream of its own, so a result depends neither on shards nor on what else runs.
    """
    rng = stream(seed, "greedy_dp", study, index)
    table = np.empty((rows, attributes + 1), dtype=np.int8)
    table[:, :-1] = rng.integers(0, values, size=(rows, attributes), dtype=np.int8)
    table[:, -1] = rng.integers(0, decisions, size=rows, dtype=np.int8)
    return table


@dataclass(frozen=True)
class DecisionTable:
    """Pairwise different rows with one decision each.

    codes      int32 (attributes, rows)
    decisions  int32 (rows,)
    merged     rows that went into another, equal one
    conflicts  groups of equal rows that had different decisions
    """

    codes: np.ndarray
    decisions: np.ndarray
    arity: np.ndarray
    n_decisions: int
    merged: int = 0
    conflicts: int = 0

    @property
    def n_rows(self) -> int:
        return self.codes.shape[1]

    @property
    def n_attributes(self) -> int:
        return self.codes.shape[0]

    @property
    def first(self) -> np.ndarray:
        """Where each attribute's values begin when all are numbered through."""
        return np.concatenate([[0], np.cumsum(self.arity)]).astype(np.int64)


def decision_table(codes, decisions, *, arity=None, n_decisions=None, inconsistent="merge") -> DecisionTable:
    """Merge equal rows; those with different decisions get the most common one (the smallest of several).

    inconsistent  `merge`, or `refuse`: raise where equal rows have different decisions
    """
    codes = np.asarray(codes, dtype=np.int32)
    decisions = np.asarray(decisions, dtype=np.int32)
    if inconsistent not in ("merge", "refuse"):
        raise ValueError(f"inconsistent is {inconsistent!r}; allowed are merge, refuse")
    if len(decisions) == 0:
        raise Unsuitable("a table without rows")
    n_decisions = int(decisions.max()) + 1 if n_decisions is None else n_decisions
    arity = codes.max(axis=1) + 1 if arity is None else np.asarray(arity)
    distinct, place = np.unique(codes.T, axis=0, return_inverse=True)
    votes = np.zeros((len(distinct), n_decisions), dtype=np.int64)
    np.add.at(votes, (place.ravel(), decisions), 1)
    conflicts = int(np.count_nonzero((votes > 0).sum(axis=1) > 1))
    if conflicts and inconsistent == "refuse":
        raise Unsuitable(f"{conflicts} groups of equal rows have different decisions")
    return DecisionTable(
        codes=np.ascontiguousarray(distinct.T, dtype=np.int32),
        decisions=votes.argmax(axis=1).astype(np.int32),
        arity=np.asarray(arity, dtype=np.int32),
        n_decisions=n_decisions,
        merged=len(decisions) - len(distinct),
        conflicts=conflicts,
    )


def from_dataset(dataset: Dataset, *, inconsistent="merge") -> DecisionTable:
    """The decision table of a data set with discrete features only; codes keep their meaning."""
    if dataset.continuous.any():
        first = dataset.feature_names[int(np.argmax(dataset.continuous))]
        raise Unsuitable(f"{int(dataset.continuous.sum())} numeric features, the first is {first}")
    if (dataset.codes == MISSING).any():
        raise Unsuitable(f"{int((dataset.codes == MISSING).sum())} missing cells")
    return decision_table(
        dataset.codes,
        dataset.labels,
        arity=dataset.arity,
        n_decisions=dataset.n_classes,
        inconsistent=inconsistent,
    )
