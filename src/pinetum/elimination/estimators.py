"""Backward elimination as a feature selector with scikit-learn's conventions."""

from typing import Any, ClassVar
from warnings import warn

from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from pinetum.data.schema import validated, whole_numbers
from pinetum.distinct.objective import cross_validation, hold_out
from pinetum.elimination.paths import SEARCHES, STOPS, eliminate
from pinetum.induction import yadt
from pinetum.induction.base import ColumnSelector, SavedEstimator, seed_of
from pinetum.parameters import FLAG, Number, Words


class BackwardElimination(ColumnSelector, SavedEstimator):
    """Drop columns one by one as long as decision trees err no more without them.

    Parameters
    ----------
    search : {"backward", "floating", "beam", "forward"}, default "backward"
        How subsets follow on each other.
    stop : {"best", "one_standard_error", "gain", "ties"}, default "best"
        "best": the whole path down to no column, then its best subset; "one_standard_error": the
        smallest within one standard error of the best; "gain": the paper's, ends when no subset of
        a round errs less; "ties": ends when every subset of a round errs more.
    n_features_to_select : int, optional
        Stop at so many columns instead.
    folds : int or None, default 5
        Folds of the stratified cross-validation that subsets are judged by; None: one split, as in
        the paper.
    repeats : int, default 1
        Cross-validations whose errors are added up.
    building : float, default 0.7
        With `folds=None` the share of the cases that trees are grown on.
    drop_unused : bool, default True
        Columns that no tree uses go at once; the paper keeps them.
    width : int, default 5
        Subsets of every size that a beam keeps.
    min_cases : float, default 2
        A node with fewer cases is a leaf.
    min_branch : float, default 0
        At least two branches of a split must have this many cases.
    penalty : bool, default False
        A column of numbers pays for its choice of cuts, as in C4.5.
    work : int, optional
        Limit in steps; the path then ends where it is, as after Ctrl-C.
    time_limit : float, optional
        Limit in CPU seconds.
    cache_mb : float, default 1000
        Memory for the records of tree nodes.
    random_state : int, RandomState, Generator or None, default 0
        Names the folds, or the split.
    verbose : int, default 0
        1 tells the standard error how far the path has come.

    Attributes
    ----------
    support_ : array of bool
        Selected columns.
    path_ : DataFrame
        One row per subset on the path: columns offered and used, errors, error in percent, what
        changed, selected.
    search_error_ : float
        Share of errors of the selected subset in the search: too hopeful, as the best of many.
    status_ : str
        "ok", "work_limit", "time_limit" or "interrupted".
    n_features_in_ : int
    feature_names_in_ : array of str
        Only where `fit` was given a DataFrame with such names, or a Table.

    Notes
    -----
    `BackwardElimination(stop="gain", folds=None, drop_unused=False)` is the sequential backward
    elimination of Ruggieri (2017), section 5; no tree is grown twice on the way.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(120, 6))
    >>> selector = BackwardElimination().fit(X, (X[:, 1] > 0) ^ (X[:, 4] > 0))
    >>> selector.get_support(indices=True).tolist()
    [1, 4]
    """

    _ranges: ClassVar[dict[str, Any]] = {
        "search": Words(tuple(SEARCHES)),
        "stop": Words(tuple(STOPS)),
        "penalty": FLAG,
        "n_features_to_select": Number(0, whole=True, also=(None,)),
    }

    def __init__(
        self,
        search="backward",
        *,
        stop="best",
        n_features_to_select=None,
        folds=5,
        repeats=1,
        building=0.7,
        drop_unused=True,
        width=5,
        min_cases=2,
        min_branch=0,
        penalty=False,
        work=None,
        time_limit=None,
        cache_mb=1000,
        random_state=0,
        verbose=0,
    ):
        self.search = search
        self.stop = stop
        self.n_features_to_select = n_features_to_select
        self.folds = folds
        self.repeats = repeats
        self.building = building
        self.drop_unused = drop_unused
        self.width = width
        self.min_cases = min_cases
        self.min_branch = min_branch
        self.penalty = penalty
        self.work = work
        self.time_limit = time_limit
        self.cache_mb = cache_mb
        self.random_state = random_state
        self.verbose = verbose

    def fit(self, X, y=None):
        """Follow the path.

        Parameters
        ----------
        X : DataFrame or array of shape (cases, columns), or Table
        y : array of shape (cases,); none for a Table, which knows its classes

        Returns
        -------
        self
        """
        data = self._learned(X, y)
        found = eliminate(
            data,
            objective=self._objective(data),
            search=self.search,
            stop=self.stop if self.n_features_to_select is None else "size",
            n_features_to_select=self.n_features_to_select,
            drop_unused=self.drop_unused,
            width=self.width,
            options=yadt(self.min_cases).but(
                min_branch=float(self.min_branch), penalty=bool(self.penalty)
            ),
            work=self.work,
            time_limit=self.time_limit,
            cache_mb=self.cache_mb,
            verbose=self.verbose,
        )
        if found.status != "ok":
            warn(
                f"the path is not complete ({found.status}); raise work or time_limit",
                ConvergenceWarning,
                2,
            )
        self.support_ = self._support(found.features)
        self.search_error_ = float(found.selected.errors / found.cases)
        self.status_ = found.status
        self._rows = found.rows()
        return self

    @property
    def path_(self):
        """See the class."""
        import pandas as pd

        check_is_fitted(self)
        return pd.DataFrame(self._rows)

    def _objective(self, data):
        if self.folds is not None:
            if self.folds > data.n_cases:
                raise ValueError(
                    f"folds = {self.folds}: expected None, or 2 to n_samples = {data.n_cases}"
                )
            return cross_validation(
                data, self.folds, self.repeats, random_state=seed_of(self.random_state)
            )
        return hold_out(data, self.building, random_state=seed_of(self.random_state))

    def _state(self) -> dict:
        return {
            "support": self.support_.astype(int).tolist(),
            "search_error": self.search_error_,
            "status": self.status_,
            "path": [
                {**row, "errors": float(row["errors"]), "error": float(row["error"])}
                for row in self._rows
            ],
        }

    def _restore(self, state):
        validated(state, STATE)
        self.support_ = whole_numbers(
            state["support"], "support", 0, 1, count=self.n_features_in_
        ).astype(bool)
        self.search_error_, self.status_, self._rows = (
            state["search_error"],
            state["status"],
            state["path"],
        )


ROW = {
    "step": {"type": "integer"},
    "offered": {"type": "integer"},
    "used": {"type": "integer"},
    "errors": {"type": "number"},
    "error": {"type": "number"},
    "changed": {"type": "array", "items": {"type": "string"}},
    "selected": {"type": "boolean"},
}
STATE = {
    "type": "object",
    "required": ["support", "search_error", "status", "path"],
    "properties": {
        "support": {"type": "array"},
        "search_error": {"type": "number"},
        "status": {"type": "string"},
        "path": {
            "type": "array",
            "items": {
                "type": "object",
                "required": list(ROW),
                "additionalProperties": False,
                "properties": ROW,
            },
        },
    },
}
