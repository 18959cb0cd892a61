"""What leaves expect before they see cases: one entry per prior, for the search between data and
prior.
"""

from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches

import numpy as np

from pinetum.nbdt.naive_bayes import NaiveBayes


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
