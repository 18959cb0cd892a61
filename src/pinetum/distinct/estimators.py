"""The best subset of the columns, proved, and all that are nearly as good, with scikit-learn's
conventions.
"""

from typing import Any, ClassVar
from warnings import warn

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.parallel import Parallel, delayed

from pinetum.data.errors import DataError
from pinetum.data.schema import CURE, real_numbers, whole_numbers
from pinetum.distinct.near_optimal import near_optimal_trees
from pinetum.distinct.objective import cross_validation, hold_out
from pinetum.distinct.search import best_subset
from pinetum.induction import Grower, yadt
from pinetum.induction.base import (
    Classifier,
    ColumnSelector,
    Predictor,
    SavedEstimator,
    check_is_fitted,
    part_of,
    seed_of,
)
from pinetum.parameters import LATER
from pinetum.progress import is_stopped, watched
from pinetum.randomness import stream
from pinetum.trees.tree import Tree
from pinetum.validation.folds import stratified_folds

WORK = 2_000_000_000  # steps of a search by default: some ten to twenty seconds of a core


class SubsetSearch:
    """What both estimators judge subsets by."""

    _ranges: ClassVar[dict[str, Any]] = {"criterion": LATER, "costs": LATER}

    def _objective(self, data):
        options = {
            "random_state": seed_of(self.random_state),
            "costs": None if self.costs is None else np.asarray(self.costs, dtype=np.float64),
            "feature_penalty": self.feature_penalty,
            "leaf_penalty": self.leaf_penalty,
        }
        if self.folds is None:
            return hold_out(data, self.building, **options)
        if self.folds > data.n_cases:
            raise ValueError(
                f"folds = {self.folds}: expected None, or 2 to n_samples = {data.n_cases}"
            )
        return cross_validation(data, self.folds, self.repeats, **options)


class BestSubset(SubsetSearch, ColumnSelector, Classifier):
    """The subset of columns whose trees err least in cross-validation, proved among all 2^n
    subsets.

    Selects the columns, and predicts with the tree that they give on all cases.

    Parameters
    ----------
    folds : int or None, default 5
        Folds of the stratified cross-validation whose errors are minimized; None: one split of the
        cases, as in the paper, to which the best of 2^n subsets easily fits too well.
    repeats : int, default 1
        Cross-validations whose errors are added up.
    building : float, default 0.7
        With `folds=None` the share of the cases that trees are grown on.
    min_cases : float, default 2
        A node with fewer cases is a leaf.
    criterion : {"gain", "gini"}, default "gain"
        What a split is worth.
    costs : array of shape (classes, classes), optional
        Cost of a case of the row's class that is given the column's.
    feature_penalty, leaf_penalty : float, default 0
        Errors that a column, or a leaf, has to save.
    delta : float or "one_standard_error", default 0
        Errors above the least that will do; by name, the standard error of the best subset's, with
        `smallest`.
    smallest : bool, default False
        The smallest subset within `delta` of the least error that is met.
    work : int, optional
        Limit of the search in steps, two billion by default; the same result on every machine.
        None: until it is proved.
    time_limit : float, optional
        Limit in CPU seconds. At a limit, and after Ctrl-C, the best subset so far is kept and
        `bound_` is proved.
    cache_mb : float, default 1000
        Memory of the search.
    outer_folds : int, optional
        Repeat everything inside an outer cross-validation, whose error is honest: `outer_error_`.
    n_jobs : int, optional
        Processes that share the outer folds; the result is the same for any number.
    random_state : int, RandomState, Generator or None, default 0
        Names the folds.
    verbose : int, default 0
        1 tells the standard error how far the search has come.

    Attributes
    ----------
    support_ : array of bool
        Selected columns.
    tree_ : pinetum.trees.Tree
        Grown on all cases from the selected columns.
    search_error_ : float
        Share of errors (or mean cost) in the cross-validation that was searched: too hopeful, as
        the best of many.
    bound_ : float
        No subset has less.
    outer_error_ : float or None
        Share of errors in the outer cross-validation.
    status_ : str
        "optimal", "within_delta", "work_limit", "time_limit", "memory_limit" or "interrupted".
    optimum_ : pinetum.distinct.search.Optimum
        All that the search gives; not kept in a saved model.
    classes_ : array
    n_features_in_ : int
    feature_names_in_ : array of str
        Only where `fit` was given a DataFrame with such names, or a Table.
    feature_importances_ : array of shape (columns,)
        Share of every column in the tree's whole gain of information.

    Notes
    -----
    Complete search over distinct trees with a bound (Ruggieri 2017, sections 4 and 7); see
    `pinetum.best_subset`. The bound counts cases, so `fit` takes no `sample_weight`; weigh classes
    by `costs`.

    The default is what did best of ten ways to select inside an outer cross-validation, by mean
    rank: on 22 data sets its trees err 13.8 % on held-out cases (10.5 % where they were searched),
    those of backward elimination by the same folds 15.1 %, those of the best subset of one split
    15.2 %. The differences may be chance (`notes/oversearching.md`).

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(120, 6))
    >>> y = (X[:, 1] > 0) ^ (X[:, 4] > 0)
    >>> model = BestSubset().fit(X, y)
    >>> model.get_support(indices=True).tolist(), model.status_
    ([1, 4], 'optimal')
    """

    def __init__(
        self,
        folds=5,
        *,
        repeats=1,
        building=0.7,
        min_cases=2,
        criterion="gain",
        costs=None,
        feature_penalty=0,
        leaf_penalty=0,
        delta=0,
        smallest=False,
        work=WORK,
        time_limit=None,
        cache_mb=1000,
        outer_folds=None,
        n_jobs=None,
        random_state=0,
        verbose=0,
    ):
        self.folds = folds
        self.repeats = repeats
        self.building = building
        self.min_cases = min_cases
        self.criterion = criterion
        self.costs = costs
        self.feature_penalty = feature_penalty
        self.leaf_penalty = leaf_penalty
        self.delta = delta
        self.smallest = smallest
        self.work = work
        self.time_limit = time_limit
        self.cache_mb = cache_mb
        self.outer_folds = outer_folds
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def fit(self, X, y=None):
        """Search the subsets of the columns of X.

        Parameters
        ----------
        X : DataFrame or array of shape (cases, columns), or Table
        y : array of shape (cases,); none for a Table, which knows its classes

        Returns
        -------
        self
        """
        data = self._learned(X, y)
        with watched(type(self).__name__, self.verbose):
            found = self.optimum_ = self._search(data)
            self.outer_error_ = None if self.outer_folds is None else self._outer_error(data)
        self.support_ = self._support([data.feature_names[f] for f in found.subset])
        self.tree_ = Grower(data, self._options()).grow(found.subset)
        self.search_error_, self.bound_ = found.errors / found.cases, found.bound / found.cases
        self.status_ = found.status
        if not found.proved:
            warn(
                f"the best subset is not proved ({found.status}); raise work or time_limit",
                ConvergenceWarning,
                2,
            )
        return self

    def _options(self):
        return yadt(self.min_cases, criterion=self.criterion)

    def _search(self, data):
        return best_subset(
            data,
            objective=self._objective(data),
            options=self._options(),
            delta=self.delta,
            smallest=self.smallest,
            work=self.work,
            time_limit=self.time_limit,
            cache_mb=self.cache_mb,
        )

    def _outer_error(self, data) -> float | None:
        """Share of errors in the outer cross-validation; None where Ctrl-C ended it."""
        rng = stream(seed_of(self.random_state), "subsets", "outer")
        fold_of = stratified_folds(data.labels, self.outer_folds, rng)
        folds = range(self.outer_folds)
        wrong = Parallel(self.n_jobs)(
            delayed(self._errors_outside)(data, fold_of == fold) for fold in folds
        )
        return None if is_stopped() else sum(wrong) / data.n_cases

    def _errors_outside(self, data, outside) -> float:
        """Errors of the best subset's tree on these cases when it is searched and grown on all
        others.
        """
        inside = data.take_cases(np.flatnonzero(~outside))
        found = self._search(inside)
        return (
            Grower(inside, self._options()).grow(found.subset).errors(data, np.flatnonzero(outside))
        )

    def _state(self) -> dict:
        return {
            **Classifier._state(self),
            "support": self.support_.astype(int).tolist(),
            "errors": [self.search_error_, self.bound_],
            "outer": self.outer_error_,
            "status": self.status_,
        }

    def _restore(self, state):
        Classifier._restore(self, state)
        self.support_ = whole_numbers(
            state.get("support"), "support", 0, 1, count=self.n_features_in_
        ).astype(bool)
        self.search_error_, self.bound_ = real_numbers(
            state.get("errors"), "errors", shape=(2,)
        ).tolist()
        self.outer_error_, self.status_ = state.get("outer"), str(state.get("status"))


class NearOptimalTrees(SubsetSearch, Predictor, SavedEstimator):
    """All trees over subsets of the columns that err almost as little as the best: a Rashomon set.

    Parameters
    ----------
    extra : float, default 0.02
        Errors above the least that still count as near, as a share of the search cases.
    keep : int, default 1000
        So many of the best are kept as trees; all are counted.
    folds, repeats, building, min_cases, criterion, costs, feature_penalty, leaf_penalty, work,
    time_limit, cache_mb
        As in `BestSubset`; the limits hold for the best tree and for the set each.
    random_state : int, RandomState, Generator or None, default 0
        Names the folds.
    verbose : int, default 0
        1 tells the standard error how far the search has come.

    Attributes
    ----------
    n_trees_ : int
        Members of the set.
    trees_ : list of pinetum.trees.Tree
        The best `keep` of them, grown on all cases, by rising error.
    subsets_ : list of list of str
        Columns that each of `trees_` uses.
    errors_ : list of float
        Share of errors (or mean cost) of each in the search.
    shares_ : array
        Per column the share of all members that use it.
    indispensable_ : list of str
        Columns that every member uses.
    exchangeable_ : list of (str, str, float)
        Pairs of columns that stand in for each other, and how often.
    status_ : str
        "ok", or the limit that ended the search: then what was found is part of the set.
    classes_ : array
    n_features_in_ : int
    feature_names_in_ : array of str
        Only where `fit` was given a DataFrame with such names, or a Table.
    feature_importances_ : array of shape (columns,)
        `shares_`, scaled to sum to 1.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(120, 4))
    >>> X[:, 3] = X[:, 1] + 0.01 * rng.normal(size=120)
    >>> near = NearOptimalTrees().fit(X, X[:, 1] > 0)
    >>> near.n_trees_, near.exchangeable_[0][:2]
    (2, ('x1', 'x3'))
    """

    def __init__(
        self,
        extra=0.02,
        *,
        keep=1000,
        folds=5,
        repeats=1,
        building=0.7,
        min_cases=2,
        criterion="gain",
        costs=None,
        feature_penalty=0,
        leaf_penalty=0,
        work=WORK,
        time_limit=None,
        cache_mb=1000,
        random_state=0,
        verbose=0,
    ):
        self.extra = extra
        self.keep = keep
        self.folds = folds
        self.repeats = repeats
        self.building = building
        self.min_cases = min_cases
        self.criterion = criterion
        self.costs = costs
        self.feature_penalty = feature_penalty
        self.leaf_penalty = leaf_penalty
        self.work = work
        self.time_limit = time_limit
        self.cache_mb = cache_mb
        self.random_state = random_state
        self.verbose = verbose

    def fit(self, X, y=None):
        """Find the set.

        Parameters
        ----------
        X : DataFrame or array of shape (cases, columns), or Table
        y : array of shape (cases,); none for a Table, which knows its classes

        Returns
        -------
        self
        """
        data = self._learned(X, y)
        objective = self._objective(data)
        found = near_optimal_trees(
            data,
            objective=objective,
            extra=self.extra,
            options=yadt(self.min_cases, criterion=self.criterion),
            keep=self.keep,
            work=self.work,
            time_limit=self.time_limit,
            cache_mb=self.cache_mb,
            verbose=self.verbose,
        )
        if not found.members:
            raise ValueError(
                f"no tree was found ({found.status}); raise work, time_limit or cache_mb"
            )
        if found.status != "ok":
            warn(
                f"the set is not complete ({found.status}); raise work or time_limit",
                ConvergenceWarning,
                2,
            )
        columns, names = self._names(), list(data.feature_names)
        places = self._places(names)
        self.n_trees_, self.status_ = int(found.trees), found.status
        self.trees_ = list(found.grown)
        self.subsets_ = [[columns[places[f]] for f in member.subset] for member in found.members]
        self.errors_ = [member.errors / objective.n_search for member in found.members]
        self.shares_ = np.zeros(self.n_features_in_)
        self.shares_[places] = found.shares
        self.indispensable_ = [columns[places[names.index(name)]] for name in found.indispensable]
        self.exchangeable_ = [
            (columns[places[names.index(a)]], columns[places[names.index(b)]], share)
            for a, b, share in found.exchangeable()
        ]
        return self

    def predict(self, X):
        """The class that most of `trees_` give; the first of equals."""
        shares = self.predict_proba(X)
        return self.classes_[shares.argmax(axis=1)]

    def predict_proba(self, X):
        """Share of `trees_` that give each class: what the data leave open."""
        cases = self._cases(X)
        shares = np.zeros((len(cases), len(self.classes_)))
        for tree in self.trees_:
            shares[np.arange(len(cases)), tree.predict(cases)] += 1
        return shares / len(self.trees_)

    @property
    def feature_importances_(self) -> np.ndarray:
        """Share of the members that use each column, scaled to sum to 1."""
        check_is_fitted(self)
        total = self.shares_.sum()
        return self.shares_ / total if total > 0 else self.shares_.copy()

    def apply(self, X):
        """Leaf of every case in each of `trees_`, (cases, trees)."""
        cases = self._cases(X)
        return np.column_stack([tree.apply(cases) for tree in self.trees_])

    def decision_path(self, X):
        """CSR matrix (cases, nodes of all `trees_`), 1 where a case passes a node.

        And where each tree's nodes begin.

        Returns
        -------
        sparse matrix, array of shape (trees + 1,)
            As in scikit-learn's forests.
        """
        from scipy.sparse import hstack

        cases = self._cases(X)
        ends = np.cumsum([0, *(tree.n_nodes for tree in self.trees_)])
        return hstack([tree.decision_path(cases) for tree in self.trees_]).tocsr(), ends

    def to_text(self, max_trees=5) -> str:
        """The best `max_trees` trees as indented text, and how many there are."""
        check_is_fitted(self)
        shown = [
            f"tree {place + 1} of {self.n_trees_:,}, {100 * error:.2f} % errors in the"
            f" search\n{tree.to_text()}"
            for place, (tree, error) in enumerate(
                zip(self.trees_[:max_trees], self.errors_, strict=False)
            )
        ]
        return "\n".join(shown)

    def get_depth(self) -> int:
        """Depth of the deepest of `trees_`."""
        check_is_fitted(self)
        return max(tree.depth for tree in self.trees_)

    def get_n_leaves(self) -> int:
        """Leaves of the smallest of `trees_`."""
        check_is_fitted(self)
        return min(tree.sizes.leaves for tree in self.trees_)

    def to_frame(self):
        """One row per tree of `trees_`: error, number of columns, leaves, columns."""
        import pandas as pd

        check_is_fitted(self)
        return pd.DataFrame(
            {
                "error": self.errors_,
                "n_columns": [len(subset) for subset in self.subsets_],
                "leaves": [tree.sizes.leaves for tree in self.trees_],
                "columns": self.subsets_,
            }
        )

    def __iter__(self):
        check_is_fitted(self)
        return iter(self.trees_)

    def _state(self) -> dict:
        return {
            "trees": [tree.to_dict() for tree in self.trees_],
            "n_trees": self.n_trees_,
            "subsets": self.subsets_,
            "errors": self.errors_,
            "shares": self.shares_.tolist(),
            "indispensable": self.indispensable_,
            "exchangeable": [list(pair) for pair in self.exchangeable_],
            "status": self.status_,
        }

    def _restore(self, state):
        trees = state.get("trees")
        if not isinstance(trees, list) or not trees:
            raise DataError("misses trees", cure=CURE)
        self.trees_ = [Tree.from_dict(part_of({"tree": tree}, "tree")) for tree in trees]
        for tree in self.trees_:
            if (len(tree.feature_names), tree.n_classes) != (self._width(), len(self.classes_)):
                raise DataError("a tree does not fit the columns and classes beside it", cure=CURE)
        names = set(self._names())
        lists = [*(state.get("subsets") or ()), state.get("indispensable")]
        if len(lists) != len(trees) + 1 or any(
            not isinstance(part, list) or set(part) - names for part in lists
        ):
            raise DataError("subsets and indispensable: not lists of columns", cure=CURE)
        self.subsets_, self.indispensable_ = state["subsets"], state["indispensable"]
        self.n_trees_ = int(whole_numbers([state.get("n_trees")], "n_trees", 1, (1 << 31) - 1)[0])
        self.errors_ = real_numbers(state.get("errors"), "errors", shape=(len(trees),)).tolist()
        self.shares_ = real_numbers(state.get("shares"), "shares", shape=(self.n_features_in_,))
        self.exchangeable_ = [
            (str(a), str(b), float(share)) for a, b, share in state.get("exchangeable") or ()
        ]
        self.status_ = str(state.get("status"))
