"""The weight of the prior, by cross-validation within the training cases."""

from dataclasses import dataclass
from functools import partial

import numpy as np
from sklearn.utils.parallel import Parallel, delayed

from pinetum.nbdt.blend import BlendSolver
from pinetum.nbdt.kernels.cases import tally_codes
from pinetum.nbdt.priors import find_prior
from pinetum.nbdt.questions import Questions

GRID = (0.0, 30.0, 100.0, 300.0, 1000.0, np.inf)
FOLDS = 5


@dataclass(frozen=True, eq=False)
class Setting:
    """All of a problem but the cases and the weight of the prior."""

    questions: Questions
    arity: np.ndarray
    ordered: np.ndarray
    classes: int
    alpha: float = 1.0
    prior: str = "naive_bayes"
    gain: np.ndarray | None = None
    min_cases: float = 0.0

    def solver(self, codes, labels, weight=None) -> BlendSolver:
        """The solver for these cases."""
        model = partial(
            self.model, codes, labels, weight
        )  # estimated when a solver asks, and can be pickled
        return BlendSolver(
            codes,
            labels,
            model,
            self.questions,
            weight,
            self.gain,
            self.min_cases,
            classes=self.classes,
        )

    def model(self, codes, labels, weight=None):
        """The prior's estimates from these cases."""
        alpha = value_alphas(codes, self.arity, self.ordered, self.alpha, weight)
        return find_prior(self.prior).function(
            codes, labels, self.arity, self.classes, alpha, weight
        )


def value_alphas(codes, arity, ordered, alpha, weight):
    """Dirichlet parameter per value: `alpha` for a discrete one.

    Intervals of a number share 2 alpha as the cases do.

    So a cut is smoothed as a feature of two values is, however many intervals there are.
    """
    if not ordered.any():
        return alpha
    start = np.concatenate(([0], np.cumsum(arity)))
    tally = np.zeros(start[-1])
    tally_codes(codes, np.ones(codes.shape[1]) if weight is None else weight, start, tally)
    whole = np.repeat(np.add.reduceat(tally, start[:-1]), arity)
    shared = np.repeat(ordered, arity) & (whole > 0)
    return np.where(
        shared, np.divide(2.0 * alpha * tally, whole, out=np.zeros_like(tally), where=shared), alpha
    )


def predict_codes(found, questions, codes) -> np.ndarray:
    """Class of every coded case by a `BlendedTree`."""
    node = np.zeros(codes.shape[1], dtype=np.int64)
    for child in range(1, len(found.test)):
        literal = questions.tests.literal[found.branch[child]]
        feature = questions.chosen[questions.literals.feature[literal]]
        inside = node == found.parent[child]
        takes = questions.holds(found.branch[child])[codes[feature]]
        node[inside & takes] = child
    return found.label[node]


def equal_folds(codes, labels, case, folds, seed) -> np.ndarray:
    """Fold of every copy: stratified, equal cases together, whatever their order and weight."""
    lines = np.vstack((labels, codes)).T
    _, first, group = np.unique(lines, axis=0, return_index=True, return_inverse=True)
    group = group.ravel()
    rng = np.random.default_rng(seed)
    fold = np.empty(len(first), dtype=np.int64)
    next_fold = 0
    for label in np.unique(labels):
        mine = np.flatnonzero(labels[first] == label)
        fold[rng.permutation(mine)] = (next_fold + np.arange(len(mine))) % folds
        next_fold += len(mine)
    # copies of one case stay together: all take the fold of its first
    _, leader = np.unique(case, return_index=True)
    of_case = dict(zip(case[leader].tolist(), fold[group[leader]].tolist(), strict=True))
    return np.array([of_case[one] for one in case.tolist()], dtype=np.int64)


def losses_of_fold(
    setting, codes, labels, weight, depth, inside, grid, losses, limits
) -> np.ndarray:
    """Loss on the cases of a fold for every weight of the grid."""
    train, test = np.flatnonzero(~inside), np.flatnonzero(inside)
    own = None if weight is None else weight[train]
    solver = setting.solver(np.ascontiguousarray(codes[:, train]), labels[train], own)
    part = codes[:, test]
    shares = np.ones(len(test)) if weight is None else weight[test]
    said = [predict_codes(solver.fit(depth, n0, **limits), setting.questions, part) for n0 in grid]
    return np.array([(losses[labels[test], answer] * shares).sum() for answer in said])


def choose_weight(
    setting,
    codes,
    labels,
    case,
    weight,
    depth,
    *,
    grid=GRID,
    folds=FOLDS,
    seed=0,
    losses=None,
    n_jobs=None,
    **limits,
):
    """The weight of the prior with the least cross-validated loss, and all losses in the order of
    the grid.

    Of equal ones the largest. With fewer cases than folds it is the middle of the grid. `n_jobs`
    processes share the folds.
    """
    losses = 1.0 - np.eye(setting.classes) if losses is None else losses
    numbers = equal_folds(codes, labels, case, folds, seed)
    used = np.unique(numbers)
    if len(used) < 2:
        return grid[len(grid) // 2], np.full(len(grid), np.nan)
    lost = Parallel(n_jobs)(
        delayed(losses_of_fold)(
            setting, codes, labels, weight, depth, numbers == fold, grid, losses, limits
        )
        for fold in used
    )
    total = np.sum(lost, axis=0) / (len(labels) if weight is None else weight.sum())
    best = np.flatnonzero(total <= total.min() + 1e-12)[-1]
    return grid[best], total
