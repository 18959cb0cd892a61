"""What a subset of features is judged by: search errors of its trees, weighed and penalised, on one
or many parts.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from pinetum.parameters import LARGEST, Number, check
from pinetum.randomness import stream
from pinetum.validation.folds import repeated_folds, stratified_split

# costs and penalties are kept as whole multiples of a common part, no finer than this
FINEST = 1_000_000
MOST = 1 << 30  # what a tree may cost in those parts: node records hold 32-bit numbers
ENOUGH = 1 << 40  # parts above the least cost; kernels multiply them by the number of features


@dataclass(eq=False)
class Objective:
    """Parts to grow and to judge trees on, and what their errors, leaves and features cost.

    A subset of features is worth

        sum over parts and search cases of costs[class, predicted class] + leaf_penalty * leaves of
        the trees of all parts + feature_penalty * features used by any of them

    where each part's tree is grown on its building cases. With one part this is the paper's search
    error, with one part per fold the errors of a cross-validation.

    Parameters
    ----------
    parts : sequence of (building, search)
        Indices of the cases that a tree is grown on and of those it is judged on.
    costs : array of shape (classes, classes), optional
        Cost of a case of the row's class that is given the column's; 0 on the diagonal. Default: 1
        for each error.
    feature_penalty, leaf_penalty : float, default 0
        In the unit of `costs`.

    Examples
    --------
    >>> Objective([([0, 1, 2], [3, 4]), ([3, 4, 1], [0, 2])]).n_search
    4
    """

    parts: tuple
    costs: np.ndarray | None = None
    feature_penalty: float = 0
    leaf_penalty: float = 0
    name: str = "parts"

    def __post_init__(self):
        parts = tuple((as_cases(building), as_cases(search)) for building, search in self.parts)
        if not parts:
            raise ValueError(
                "parts: an objective needs one pair of building and search cases at least"
            )
        for number, (building, _) in enumerate(parts):
            if len(building) == 0:
                raise ValueError(f"parts[{number}]: no building cases")
        self.parts = parts
        check(feature_penalty=self.feature_penalty, leaf_penalty=self.leaf_penalty)
        if self.costs is not None:
            costs = np.asarray(self.costs, dtype=np.float64)
            square = costs.ndim == 2 and costs.shape[0] == costs.shape[1]
            if (
                not square
                or not np.isfinite(costs).all()
                or (costs < 0).any()
                or np.diag(costs).any()
            ):
                raise ValueError(
                    "costs: expected a square matrix of finite numbers >= 0 with zeros on the"
                    " diagonal"
                )
            self.costs = costs

    @property
    def n_search(self) -> int:
        """Search cases of all parts together."""
        return sum(len(search) for _, search in self.parts)

    @cached_property
    def unit(self) -> int:
        """So many whole parts make a cost of 1."""
        numbers = [self.feature_penalty, self.leaf_penalty]
        numbers += [] if self.costs is None else self.costs.ravel().tolist()
        return math.lcm(
            *(Fraction(number).limit_denominator(FINEST).denominator for number in numbers)
        )

    def in_parts(self, number) -> int:
        """A cost as a whole number of parts."""
        return round(Fraction(number).limit_denominator(FINEST) * self.unit)

    def in_costs(self, parts):
        """A whole number of parts as a cost; as it is where a part is a cost of 1."""
        return parts if self.unit == 1 else parts / self.unit

    def check_size(self, parts) -> None:
        """Refuse what is more than node records hold."""
        if parts >= MOST:
            raise ValueError(
                f"costs and penalties: too fine or too large; in parts of 1/{self.unit} they reach"
                f" {parts:,}"
            )

    def cost_matrix(self, n_classes) -> np.ndarray:
        """Costs in parts, int64 (classes, classes)."""
        costs = 1 - np.eye(n_classes) if self.costs is None else self.costs
        if len(costs) != n_classes:
            raise ValueError(f"costs: a matrix of {len(costs)} classes for a table of {n_classes}")
        parts = [[self.in_parts(cost) for cost in row] for row in costs.tolist()]
        self.check_size(max(map(max, parts)))
        return np.array(parts, dtype=np.int64)


def as_cases(cases) -> np.ndarray:
    return np.asarray(cases, dtype=np.int64)


def hold_out(data, building=0.7, *, random_state=0, **costs) -> Objective:
    """One stratified split: trees are grown on this share of the cases and judged on the rest, as
    in the paper.

    Parameters
    ----------
    data : Dataset
    building : float, default 0.7
        Share of the cases that trees are grown on.
    random_state : int, default 0
        Names the split.
    **costs
        `costs`, `feature_penalty` and `leaf_penalty` of `Objective`.

    Returns
    -------
    Objective

    Examples
    --------
    >>> from pinetum.data.sample import sample
    >>> hold_out(sample(), 0.75).n_search
    15
    """
    check(building=building, random_state=random_state)
    split = stratified_split(data.labels, building, stream(random_state, "subsets", "hold-out"))
    return Objective((split,), name="hold-out", **costs)


def cross_validation(data, folds=5, repeats=1, *, random_state=0, **costs) -> Objective:
    """The summed errors of a stratified k-fold cross-validation, or of several.

    Parameters
    ----------
    data : Dataset
    folds : int, default 5
    repeats : int, default 1
        Cross-validations whose errors are added up.
    random_state : int, default 0
        Names the folds.
    **costs
        `costs`, `feature_penalty` and `leaf_penalty` of `Objective`.

    Returns
    -------
    Objective

    Examples
    --------
    >>> from pinetum.data.sample import sample
    >>> objective = cross_validation(sample(), 4, repeats=2)
    >>> len(objective.parts), objective.n_search
    (8, 120)
    """
    check(
        {"folds": Number(2, LARGEST, whole=True)},
        folds=folds,
        repeats=repeats,
        random_state=random_state,
    )
    parts = []
    for fold_of in repeated_folds(
        data.labels, folds, repeats, random_state, "subsets", "cross-validation"
    ):
        parts += [
            (np.flatnonzero(fold_of != fold), np.flatnonzero(fold_of == fold))
            for fold in range(folds)
        ]
    return Objective(
        tuple(parts), name=f"{folds}-fold" + (f" x {repeats}" if repeats > 1 else ""), **costs
    )
