"""The best small tree as a scikit-learn estimator."""

from time import monotonic
from typing import Any, ClassVar
from warnings import warn

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.parallel import Parallel, delayed

from pinetum.data.schema import real_numbers, whole_numbers
from pinetum.induction.base import (
    Classifier,
    balanced_weights,
    checked_losses,
    checked_weights,
    seed_of,
)
from pinetum.optimal.columns import NUMBER, asked, make_columns, to_tree
from pinetum.optimal.solver import DEEPEST, Problem
from pinetum.parameters import LATER, Number
from pinetum.progress import is_stopped, watched
from pinetum.randomness import stream
from pinetum.validation.folds import stratified_folds

DEPTHS, FOLDS = (1, 2, 3), 5  # that "cv" compares, and by how many folds
KEPT = ("value_", "bound_")  # numbers that a saved model keeps


class OptimalTreeClassifier(Classifier):
    """The tree with the fewest training errors of all trees of bounded depth, proved.

    Numbers are cut between any two neighbouring values, none are left out beforehand. Up to three
    tests on a path take milliseconds to seconds; more may end at a limit, and then the best tree so
    far comes with a bound: no tree errs less.

    Parameters
    ----------
    max_depth : int or "cv", default 3
        Most tests on a path, at most 6; "cv" chooses among 1, 2 and 3 by five folds.
    leaf_penalty : float, default 0.0
        What a leaf costs, in cases: larger values give smaller trees.
    min_cases : float, default 1
        Least weight of cases in a leaf; more than 1 takes longer.
    class_weight : "balanced" or dict, optional
        Weights of classes, multiplied into `sample_weight` and scaled so that all cases weigh
        together as before.
    cost_matrix : array of shape (classes, classes), optional
        cost_matrix[c, k]: what it costs to predict class k where c is right, in the order of
        `classes_`.
    costs : dict or array, optional
        What a test costs, in cases, for each column of X; in a dict, columns without one cost
        nothing.
    max_values : int, default 100
        Discrete columns with more values are left out, with a warning.
    work : int, optional
        Limit of the search in cells that are looked at, the same on every machine; at the limit the
        best tree so far is kept.
    time_limit : float, optional
        Limit of the search in seconds. After Ctrl-C, too, the best tree so far is kept.
    n_jobs : int, optional
        Processes that share the folds of "cv".
    random_state : int, RandomState, Generator or None, default 0
        Seed of the folds.
    verbose : int, default 0
        1 tells the standard error how far the search has come.

    Attributes
    ----------
    tree_ : Tree
        Numbers are cut in two; discrete columns are asked one value against the rest, to which
        missing values belong.
    value_, bound_, gap_
        What the tree costs: weight of its errors (or what `cost_matrix` says), leaves and tests;
        what no tree costs less than; and their difference as a share of the value.
    status_ : str
        "optimal", "work_limit", "time_limit" or "interrupted".
    depth_ : int
        Most tests on a path that were allowed; `losses_` are the mean costs of a held-out case by
        depth, where "cv" chose.
    work_ : int
        Cells that the search looked at.
    classes_ : array
    n_features_in_ : int
    feature_names_in_ : array of str
        Only where `fit` was given a DataFrame with such names, or a Table.
    feature_importances_ : array of shape (columns,)
        Share of every column in the tree's whole gain of information.

    Notes
    -----
    A case whose number is missing is learnt from as five copies, over which the known numbers are
    spread; in prediction it goes down both branches by the weight of the training cases.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.2, 7], [0.4, 3], [0.6, 4], [0.9, 8], [1.1, 2], [1.3, 9]])
    >>> model = OptimalTreeClassifier(max_depth=2).fit(X, [0, 1, 1, 0, 0, 0])
    >>> print(model.to_text())
    x0 <= 0.3: 0 (1)
    x0 > 0.3:
    |   x0 <= 0.75: 1 (2)
    |   x0 > 0.75: 0 (3)
    <BLANKLINE>
    >>> model.value_, model.status_
    (0.0, 'optimal')
    """

    _ranges: ClassVar[dict[str, Any]] = {
        "max_depth": Number(0, DEEPEST, whole=True, also=("cv",)),
        "class_weight": LATER,
        "cost_matrix": LATER,
        "costs": LATER,
        "max_values": Number(1, whole=True),
    }

    def __init__(
        self,
        max_depth=3,
        *,
        leaf_penalty=0.0,
        min_cases=1,
        class_weight=None,
        cost_matrix=None,
        costs=None,
        max_values=100,
        work=None,
        time_limit=None,
        n_jobs=None,
        random_state=0,
        verbose=0,
    ):
        self.max_depth = max_depth
        self.leaf_penalty = leaf_penalty
        self.min_cases = min_cases
        self.class_weight = class_weight
        self.cost_matrix = cost_matrix
        self.costs = costs
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
        weight = balanced_weights(self.class_weight, self.classes_[data.labels], weight)
        if weight is not None and not weight.all():
            data, weight = data.take_cases(weight > 0), weight[weight > 0]
        columns = make_columns(data, self.max_values)
        price = self._per_feature("costs", data, others=0.0)
        if price is not None and not (np.isfinite(price).all() and (price >= 0).all()):
            raise ValueError(f"costs must be finite and not negative, got {price.tolist()}")
        losses = checked_losses(self.cost_matrix, len(self.classes_))
        problem = Problem.of(
            columns.codes,
            data.labels[columns.case],
            columns.part if weight is None else columns.part * weight[columns.case],
            1.0 - np.eye(len(self.classes_)) if losses is None else losses,
            None if price is None else price[columns.feature],
            self.leaf_penalty,
            self.min_cases,
        )
        with watched(type(self).__name__, self.verbose):
            self.depth_, self.losses_ = self.max_depth, None
            if self.max_depth == "cv":
                self.depth_, self.losses_ = self._chosen_depth(problem, columns)
            left = (
                None
                if self.time_limit is None
                else max(0.0, self.time_limit - (monotonic() - begun))
            )
            found = problem.solve(self.depth_, work=self.work, time_limit=left)
            self.status_ = "interrupted" if is_stopped() else found.status
        self.value_, self.bound_, self.work_ = found.value, found.bound, found.work
        if self.status_ != "optimal":
            warn(f"the best tree is not proved: {self._said()}", ConvergenceWarning, 2)
        self.tree_, *self._asked = to_tree(found, columns, data, problem.labels, problem.weight)
        return self

    @property
    def gap_(self) -> float:
        """See the class."""
        return (self.value_ - self.bound_) / self.value_ if self.value_ else 0.0

    def _chosen_depth(self, problem, columns):
        """The smallest depth of the least loss of held-out cases, and the losses of all."""
        cases, first = np.unique(columns.case, return_index=True)
        labels = problem.labels[first]
        folds = min(FOLDS, len(cases))
        if folds < 2:
            return DEPTHS[0], np.full(len(DEPTHS), np.nan)
        dealt = stratified_folds(labels, folds, stream(seed_of(self.random_state), "optimal"))
        fold = dealt[np.searchsorted(cases, columns.case)]
        limit = None if self.time_limit is None else self.time_limit / (2 * folds * len(DEPTHS))
        lost = Parallel(self.n_jobs)(
            delayed(losses_of_fold)(problem, fold == part, DEPTHS, self.work, limit)
            for part in range(folds)
        )
        losses = np.sum(lost, axis=0) / problem.weight.sum()
        return DEPTHS[int(np.flatnonzero(losses <= losses.min() + 1e-12)[0])], losses

    def _said(self) -> str:
        status = getattr(self, "status_", "optimal")
        if status == "optimal":
            return ""
        stopped = status.replace("_", " ")
        return f"not proved ({stopped}): costs {self.value_:.6g}, none less than {self.bound_:.6g}"

    def _cases(self, X, types=np.float64):
        cells = super()._cases(X, types)
        feature, value = self._asked
        if (value == NUMBER).all() and len(feature) == cells.shape[1]:
            return cells
        return asked(cells, feature, value)

    def _reading(self) -> dict:
        reading, (feature, value) = super()._reading(), self._asked
        encoded = self.encoding_.features  # type: ignore[union-attr]  # fitted, so there
        one_of = {
            int(j): (encoded[feature[j]].domain, int(value[j]))
            for j in np.flatnonzero(value != NUMBER)
        }
        columns = [reading["columns"][f] for f in feature]
        return {"others": (), **reading, "columns": columns, "asked": one_of}

    def _width(self) -> int:
        return len(self._asked[0])

    def _state(self) -> dict:
        numbers = {name: float(getattr(self, name)) for name in KEPT}
        feature, value = (part.tolist() for part in self._asked)
        asked_of = {"feature": feature, "value": value}
        kept = {"status_": self.status_, "depth_": self.depth_, "work_": self.work_}
        return {**super()._state(), **numbers, **kept, "asked": asked_of}

    def _restore(self, state):
        asked_of, width = state.get("asked") or {}, super()._width()
        feature = whole_numbers(asked_of.get("feature"), "features asked", 0, width - 1)
        value = whole_numbers(
            asked_of.get("value"), "values asked", NUMBER, 2**31 - 1, count=len(feature)
        )
        self._asked = [feature.astype(np.int64), value.astype(np.int64)]
        super()._restore(state)
        numbers = real_numbers(
            [state.get(name) for name in KEPT], "numbers of the fit", shape=(len(KEPT),)
        )
        self.value_, self.bound_ = numbers.tolist()
        counts = [state.get("depth_"), state.get("work_")]
        self.depth_, self.work_ = (int(count) for count in counts)
        self.status_, self.losses_ = str(state.get("status_")), None


def losses_of_fold(problem, inside, depths, work, time_limit) -> np.ndarray:
    """What the cases of a fold cost by trees of several depths that were learnt from the others."""
    train, test = np.flatnonzero(~inside), np.flatnonzero(inside)
    rest = Problem.of(
        problem.codes[:, train],
        problem.labels[train],
        problem.weight[train],
        problem.losses,
        problem.price,
        problem.penalty,
        min(problem.least, problem.weight[train].sum()),
    )
    lost = np.zeros(len(depths))
    for place, depth in enumerate(depths):
        found = rest.solve(depth, work=work, time_limit=time_limit)
        label = found.predict(problem.codes[:, test])
        lost[place] = (problem.weight[test] * problem.losses[problem.labels[test], label]).sum()
    return lost
