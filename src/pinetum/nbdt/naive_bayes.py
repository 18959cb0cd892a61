"""Naive Bayes: P(class) and P(feature = value | class) with Dirichlet smoothing.

With it the other priors that leaves may have, one entry each in `PRIORS`, and the tables that all
of them are estimated from: discrete features, no missing cells.
"""

from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches

import numpy as np

from pinetum.constants import MISSING
from pinetum.data import Dataset
from pinetum.data.discretise import discretised
from pinetum.data.views import apply_view
from pinetum.nbdt.kernels.cases import tally_classes


@dataclass(frozen=True, eq=False)
class NaiveBayes:
    """prior[c] = P(c) and given[c, start[f] + v] = P(feature f = value v | c), all features beside
    one another.
    """

    prior: np.ndarray
    given: np.ndarray
    start: np.ndarray

    @property
    def n_features(self) -> int:
        return len(self.start) - 1

    @property
    def n_classes(self) -> int:
        return len(self.prior)

    @classmethod
    def from_tables(cls, prior, tables) -> "NaiveBayes":
        """From P(c) and per feature a table [class][value]."""
        tables = [np.asarray(table, dtype=np.float64) for table in tables]
        start = np.cumsum([0, *(table.shape[1] for table in tables)])
        return cls(
            np.asarray(prior, dtype=np.float64),
            np.ascontiguousarray(np.hstack(tables)),
            start.astype(np.int64),
        )

    @classmethod
    def estimate(cls, codes, labels, arity, n_classes, alpha=1.0, weight=None) -> "NaiveBayes":
        """Posterior means under Dirichlet(alpha) on the classes and on each feature's values.

        `arity` is that of the whole domain, also of values no case has. Missing cells are left out.
        `alpha` is one number, or one per value of all features (then classes have the greatest).
        With alpha = 0 a class without cases has prior 0, and its conditional probabilities are 0; a
        feature of which a class with cases has no known value is refused, since no shares could be
        given. `weight` is that of each case, 1 by default.
        """
        if np.min(alpha, initial=0.0) < 0:
            raise ValueError(f"alpha = {alpha}: a Dirichlet parameter cannot be negative")
        codes, labels = np.asarray(codes), np.asarray(labels, dtype=np.int64)
        arity = np.asarray(arity, dtype=np.int64)
        if codes.ndim != 2 or codes.shape != (len(arity), len(labels)):
            raise ValueError(
                f"codes of shape {codes.shape} for {len(arity)} features and {len(labels)} cases"
            )
        if len(arity) == 0 or len(labels) == 0 or (arity < 1).any():
            raise ValueError("Naive Bayes needs a case, a feature, and a value of every feature")
        start = np.concatenate(([0], np.cumsum(arity)))
        if codes.size and (codes.min() < MISSING or (codes.max(axis=1) >= arity).any()):
            raise ValueError("a code lies outside its feature's domain")
        counts = np.zeros((n_classes, start[-1]))
        own = np.ones(len(labels)) if weight is None else np.asarray(weight, dtype=np.float64)
        tally_classes(np.ascontiguousarray(codes, dtype=np.int32), labels, own, start, counts)
        totals = np.add.reduceat(counts + alpha, start[:-1], axis=1)
        sizes = np.bincount(labels, weight, minlength=n_classes)
        empty = (totals == 0) & (sizes > 0)[:, None]
        if empty.any():
            c, feature = np.argwhere(empty)[0]
            raise ValueError(
                f"alpha = 0: no case of class {c} has a known value of feature {feature}; take"
                " alpha > 0, leave the feature out, or make missing a value"
            )
        totals = np.repeat(totals, arity, axis=1)
        given = np.divide(counts + alpha, totals, out=np.zeros_like(counts), where=totals > 0)
        classes = sizes + np.max(alpha)
        return cls(classes / classes.sum(), given, start)

    def joint(self, codes) -> np.ndarray:
        """log P(class, case), one row per case; a missing cell says nothing."""
        with np.errstate(divide="ignore"):
            log_given, scores = np.log(self.given), np.tile(np.log(self.prior), (codes.shape[1], 1))
        for feature, column in enumerate(codes):
            known = column != MISSING
            scores[known] += log_given[:, self.start[feature] + column[known]].T
        return scores

    def predict(self, codes) -> np.ndarray:
        """The most probable class of each case; the lowest of equal ones."""
        scores = self.joint(np.asarray(codes))
        best = scores.max(axis=1, keepdims=True)
        with np.errstate(invalid="ignore"):
            return np.argmax((scores >= best - 1e-10) | (scores == best), axis=1).astype(np.int32)


@dataclass(frozen=True)
class PriorKind:
    """function takes (codes, labels, arity, n_classes, alpha, weight) and gives the shares.

    The rest is for readers.
    """

    function: Callable
    label: str
    about: str


def class_shares(codes, labels, arity, n_classes, alpha, weight):
    """The classes as they are, the same in every leaf; features have the shares of all cases."""
    whole = NaiveBayes.estimate(
        codes, np.zeros(len(labels), dtype=np.int64), arity, 1, alpha, weight
    )
    classes = np.bincount(labels, weight, minlength=n_classes) + np.max(alpha)
    return NaiveBayes(
        classes / classes.sum(), np.repeat(whole.given, n_classes, axis=0), whole.start
    )


def uniform(codes, labels, arity, n_classes, alpha, weight):
    """Every class and value equally often."""
    arity = np.asarray(arity, dtype=np.int64)
    start = np.concatenate(([0], np.cumsum(arity)))
    given = np.tile(np.repeat(1.0 / arity, arity), (n_classes, 1))
    return NaiveBayes(np.full(n_classes, 1.0 / n_classes), given, start)


PRIORS = {
    "naive_bayes": PriorKind(
        NaiveBayes.estimate, "Naive Bayes", "features are independent within each class"
    ),
    "classes": PriorKind(
        class_shares, "class shares", "every leaf expects the classes as they are among all cases"
    ),
    "uniform": PriorKind(uniform, "uniform", "every leaf expects all classes equally often"),
}


def find_prior(name) -> PriorKind:
    if name not in PRIORS:
        near = get_close_matches(str(name), PRIORS, 1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise ValueError(f"prior = {name!r}: known are {', '.join(PRIORS)}{hint}")
    return PRIORS[name]


class Unsuitable(ValueError):
    """The method cannot take this table; the message says why."""


def discrete(dataset: Dataset, continuous="mdl", cases=None, intervals=None) -> Dataset:
    """Missing cells of discrete features become a value `?`.

    Numbers are cut by class entropy, or refused.

    Cuts are found on the training `cases` (all if None), at most so many `intervals` a feature.
    """
    numbers = np.flatnonzero(dataset.continuous)
    if len(numbers) and continuous == "refuse":
        names = ", ".join(dataset.feature_names[i] for i in numbers[:5])
        raise Unsuitable(
            f"{len(numbers)} continuous features ({names}); allow `continuous: mdl` to cut them"
        )
    if len(numbers):
        dataset = discretised(dataset, cases, intervals)
    if (dataset.codes == MISSING).any():
        dataset = apply_view(
            dataset.name, dataset, {"of": dataset.name, "missing": "value", "domains": "base"}
        )
    if dataset.n_features == 0 or dataset.n_cases == 0:
        raise Unsuitable("no features or no cases")
    return dataset
