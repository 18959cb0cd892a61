"""The best small tree as a scikit-learn estimator."""

from time import monotonic
from typing import Any, ClassVar
from warnings import warn

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from pinetum.data.schema import real_numbers, whole_numbers
from pinetum.induction.base import (
    Classifier,
    check_is_fitted,
    checked_losses,
    checked_weights,
    seed_of,
)
from pinetum.nbdt.between import DEEPEST, FOLDS, GRID, Setting, choose_weight
from pinetum.nbdt.naive_bayes import PRIORS
from pinetum.nbdt.splits import find_candidates, to_plain_tree
from pinetum.parameters import LATER, Number, Words
from pinetum.progress import is_stopped, watched

RESTRICTED = "best_of_cuts"  # proved best, but of trees over some cuts of numbers
KEPT = ("n0_", "value_", "bound_", "gap_")  # numbers that a saved model keeps


class NBDTClassifier(Classifier):
    """The best tree of bounded depth between the data and Naive Bayes, found by exact search.

    Of all trees with at most `max_depth` tests on a path it maximises the sum over the leaves of
    max_c (cases of class c + n0 P(leaf, c)), where P is Naive Bayes on the training cases: n0 = 0
    gives the tree with the fewest training errors, n0 = infinity the tree that is best if Naive
    Bayes were true (Farhangfar, Greiner and Zinkevich, 2008), and cross-validation chooses between
    them.

    Parameters
    ----------
    max_depth : int, default 3
        Most tests on a path, at most 6; with `costs`, what the tests of a path may cost together.
    n0 : "cv" or float, default "cv"
        Weight of the prior in cases; "cv" chooses among 0, 30, 100, 300, 1000 and infinity by
        five-fold cross-validation within the training cases.
    alpha : float, default 1.0
        Dirichlet parameter of every class and value in the prior; 1 is Laplace's rule, 0 plain
        frequencies.
    prior : {"naive_bayes", "classes", "uniform"}, default "naive_bayes"
        What leaves expect; see `pinetum.nbdt.naive_bayes.PRIORS`.
    costs : dict or array, optional
        A positive cost per column of X; in a dict, columns without one cost 1.
    penalty : float, default 0.0
        What a leaf costs, in cases: larger values give smaller trees.
    min_cases : float, default 0
        Least weight of cases in a leaf that any case reaches.
    cost_matrix : array of shape (classes, classes), optional
        cost_matrix[c, k]: what it costs to predict class k where c is right, in the order of
        `classes_`.
    max_cuts : "auto" or int, default "auto"
        Candidate cuts per numeric column: all midpoints where they are no more, else so many
        quantiles.
    max_values : int, default 12
        Discrete columns with more values are left out, with a warning.
    work : int, optional
        Limit of the search in nodes solved at once; at the limit the best tree so far is kept, see
        `gap_`.
    time_limit : float, optional
        Limit of the whole fit in seconds, of which the choice of `n0` may take half. After Ctrl-C,
        too, the best tree so far is kept.
    n_jobs : int, optional
        Processes that share the folds of the choice of `n0`; the result is the same for any number.
    random_state : int, RandomState, Generator or None, default 0
        Seed of the folds.
    verbose : int, default 0
        1 tells the standard error how far the search has come.

    Attributes
    ----------
    tree_ : Tree
        Numeric columns are cut in two, discrete ones have a branch per value. A missing cell goes
        down every branch with its share of the cases. Counts are what data and prior together
        expect of as many cases.
    n0_ : float
    path_ : DataFrame
        Every tree that is best for some `penalty`, for each weight of the prior tried: n0, penalty
        from which it is best, leaves, depth, value, loss of the weight in cross-validation (NaN
        where none was made).
    value_, bound_, gap_, status_
        Worth of the tree, what no tree exceeds, their difference as a share; "optimal" of all
        trees, "best_of_cuts" of those that cut numbers at some of their midpoints alone,
        "work_limit", "time_limit" or "interrupted".
    n_cuts_ : dict
        Candidate cuts per numeric column; `all_cuts_` tells whether these are all midpoints,
        `n_midpoints_` how many midpoints all columns have.
    classes_ : array
    n_features_in_ : int
    feature_names_in_ : array of str
        Only where `fit` was given a DataFrame with such names, or a Table.
    feature_importances_ : array of shape (columns,)
        Share of every column in the tree's whole gain of information.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 5)
    >>> y = X[:, 0] ^ X[:, 1]
    >>> model = NBDTClassifier(max_depth=2, n0=0).fit(X, y)
    >>> print(model.to_text())
    x0 <= 0.5:
    |   x1 <= 0.5: 0 (5)
    |   x1 > 0.5: 1 (5)
    x0 > 0.5:
    |   x1 <= 0.5: 1 (5)
    |   x1 > 0.5: 0 (5)
    <BLANKLINE>
    """

    _former_names: ClassVar[dict[str, str]] = {"depth": "max_depth"}

    _ranges: ClassVar[dict[str, Any]] = {
        "max_depth": Number(0),
        "n0": Number(0, endless=True, also=("cv",)),
        "alpha": Number(0),
        "prior": Words(tuple(PRIORS)),
        "costs": LATER,
        "penalty": Number(0),
        "cost_matrix": LATER,
        "max_cuts": Number(1, whole=True, also=("auto",)),
        "max_values": Number(1, whole=True),
    }

    def __init__(
        self,
        max_depth=3,
        *,
        n0="cv",
        alpha=1.0,
        prior="naive_bayes",
        costs=None,
        penalty=0.0,
        min_cases=0.0,
        cost_matrix=None,
        max_cuts="auto",
        max_values=12,
        work=None,
        time_limit=None,
        n_jobs=None,
        random_state=0,
        verbose=0,
    ):
        self.max_depth = max_depth
        self.n0 = n0
        self.alpha = alpha
        self.prior = prior
        self.costs = costs
        self.penalty = penalty
        self.min_cases = min_cases
        self.cost_matrix = cost_matrix
        self.max_cuts = max_cuts
        self.max_values = max_values
        self.work = work
        self.time_limit = time_limit
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def fit(self, X, y=None, sample_weight=None):
        """Search the tree.

        Parameters
        ----------
        X : DataFrame or array of shape (cases, columns), or Table
        y : array of shape (cases,); none for a Table, which knows its classes
        sample_weight : array of shape (cases,), optional
            A case of weight 2 counts as two cases.

        Returns
        -------
        self
        """
        begun = monotonic()
        data = self._learned(X, y)
        weight = checked_weights(sample_weight, data.n_cases)
        if weight is not None:
            data, weight = data.take_cases(weight > 0), weight[weight > 0]
        cost = self._cost_per_column(data)
        depth, budget = self._limits(cost)
        candidates = find_candidates(
            data, weight, max_cuts=self.max_cuts, max_values=self.max_values, costs=cost
        )
        gain, losses = self._gain()
        labels = data.labels[candidates.case].astype(np.int64)
        parts = candidates.part if weight is None else candidates.part * weight[candidates.case]
        parts = None if (parts == 1).all() else parts
        setting = Setting(
            candidates.questions,
            candidates.arity,
            candidates.ordered,
            len(self.classes_),
            self.alpha,
            self.prior,
            gain,
            self.min_cases,
        )
        limits = {"penalty": self.penalty, "budget": budget, "work": self.work}
        self._grid, self._losses = self._weights_tried()
        solver = setting.solver(candidates.codes, labels, parts)
        solver.check(depth)
        with watched(type(self).__name__, self.verbose):
            if self.n0 == "cv":
                each = (
                    None if self.time_limit is None else self.time_limit / (2 * FOLDS * len(GRID))
                )
                self.n0_, self._losses = choose_weight(
                    setting,
                    candidates.codes,
                    labels,
                    candidates.case,
                    parts,
                    depth,
                    grid=self._grid,
                    seed=seed_of(self.random_state),
                    losses=losses,
                    n_jobs=self.n_jobs,
                    time_limit=each,
                    **limits,
                )
            else:
                self.n0_ = self._grid[0]
            left = (
                None
                if self.time_limit is None
                else max(0.0, self.time_limit - (monotonic() - begun))
            )
            found = solver.fit(depth, self.n0_, time_limit=left, **limits)
            self.status_ = "interrupted" if is_stopped() else found.status
        self.n_cuts_ = {
            name: len(cuts)
            for name, cuts in zip(data.feature_names, candidates.cuts, strict=True)
            if cuts is not None
        }
        self.n_midpoints_ = candidates.midpoints
        if self.status_ == "optimal" and not self.all_cuts_:
            self.status_ = RESTRICTED
        if self.status_ not in ("optimal", RESTRICTED):
            warn(
                f"the best tree is not proved ({self.status_}); raise work or time_limit",
                ConvergenceWarning,
                2,
            )
        self.value_, self.bound_, self.gap_ = found.value, found.bound, found.gap
        self.tree_ = to_plain_tree(found, candidates, data, solver.total)
        self._problem = solver, depth, {"budget": budget, "work": self.work}
        self.__dict__.pop("_path", None)
        return self

    @property
    def all_cuts_(self) -> bool:
        """See the class."""
        return sum(self.n_cuts_.values()) == self.n_midpoints_

    def _said(self) -> str:
        """What is not proved over all trees, or nothing."""
        if getattr(self, "status_", None) != RESTRICTED:
            return ""
        if not self.n_midpoints_:  # a file of an earlier version
            return "best over some cuts of its numbers, not over all"
        cuts = sum(self.n_cuts_.values())
        return f"best over {cuts:,} of the {self.n_midpoints_:,} cuts of its numbers, not over all"

    @property
    def path_(self):
        """See the class."""
        import pandas as pd

        check_is_fitted(self)
        if not hasattr(self, "_problem"):
            raise AttributeError("path_ is not kept in a file: fit again")
        if not hasattr(self, "_path"):
            solver, depth, limits = self._problem
            rows = []
            for n0, loss in zip(self._grid, self._losses, strict=True):
                trees, penalty = solver.path(depth, n0, **limits), 0.0
                for place, tree in enumerate(trees):
                    if place:
                        before = trees[place - 1]
                        penalty = (before.value - tree.value) / (before.leaves - tree.leaves)
                    rows.append(
                        {
                            "n0": n0,
                            "penalty": penalty,
                            "leaves": tree.leaves,
                            "depth": tree.depth,
                            "value": tree.value,
                            "loss": loss,
                        }
                    )
            self._path = pd.DataFrame(rows)
        return self._path

    def _state(self) -> dict:
        kept = {name: float(getattr(self, name)) for name in KEPT}
        n0 = "infinity" if np.isinf(kept["n0_"]) else kept["n0_"]
        cuts = {"n_cuts_": self.n_cuts_, "n_midpoints_": self.n_midpoints_}
        return {**super()._state(), **kept, **cuts, "n0_": n0, "status_": self.status_}

    def _restore(self, state):
        super()._restore(state)
        given = {**state, "n0_": 0.0 if state.get("n0_") == "infinity" else state.get("n0_")}
        numbers = real_numbers(
            [given.get(name) for name in KEPT], "numbers of the fit", shape=(len(KEPT),)
        )
        for name, value in zip(KEPT, numbers.tolist(), strict=True):
            setattr(self, name, value)
        if state.get("n0_") == "infinity":
            self.n0_ = np.inf
        cuts, self.status_ = state.get("n_cuts_", {}), str(state.get("status_"))
        names, counts = list(cuts), [*cuts.values(), state.get("n_midpoints_", 0)]
        *counts, self.n_midpoints_ = whole_numbers(counts, "cuts", 0, 2**31 - 1).tolist()
        self.n_cuts_ = dict(zip(names, counts, strict=True))
        numbers = any(values is None for values in self.tree_.values)
        if self.status_ == "optimal" and numbers and not self.n_midpoints_:
            self.status_ = RESTRICTED  # earlier versions said so of some cuts, too

    def _weights_tried(self):
        if self.n0 == "cv":
            return GRID, np.full(len(GRID), np.nan)
        return (float(self.n0),), np.full(1, np.nan)

    def _gain(self):
        """Gains for the search (None: right answers) and losses for the cross-validation."""
        losses = checked_losses(self.cost_matrix, len(self.classes_))
        if losses is None:
            return None, None
        return -losses, losses

    def _limits(self, cost):
        """Most tests on a path, and their budget."""
        if cost is None:
            if self.max_depth not in range(DEEPEST + 1):
                raise ValueError(
                    f"max_depth = {self.max_depth!r}: expected a whole number from 0 to {DEEPEST}"
                )
            return int(self.max_depth), np.inf
        tests = self.max_depth / cost.min() + 1e-9
        if tests >= DEEPEST + 1:
            raise ValueError(
                f"max_depth = {self.max_depth}: pays more than {DEEPEST} tests of the cheapest"
                " column"
            )
        return int(tests), float(self.max_depth) + 1e-9

    def _cost_per_column(self, data):
        costs = self._per_feature("costs", data)
        if costs is None:
            return None
        if not (np.isfinite(costs).all() and (costs > 0).all()):
            raise ValueError(f"costs must be positive and finite, got {costs[~(costs > 0)][:3]}")
        return costs
