"""Backward elimination as a feature selector with scikit-learn's conventions."""

import numpy as np
from sklearn.utils.validation import validate_data

from pinetum.data.schema import real_numbers, whole_numbers
from pinetum.elimination.backward import Workspace, select
from pinetum.induction import yadt
from pinetum.induction.base import SavedEstimator, SelectorMixin, check_is_fitted
from pinetum.randomness import stream
from pinetum.validation.folds import stratified_split


class BackwardElimination(SelectorMixin, SavedEstimator):
    """Sequential backward elimination for decision trees (Ruggieri 2017), all features to begin with.

    min_cases    a node with fewer cases is a leaf (the paper's m)
    min_branch    at least two branches of a split must have this many cases
    penalty       a continuous feature pays for its choice of cuts, as in C4.5
    building      share of the cases that trees are grown on; the rest judges them
    way           "bounded", "incremental", "used only" or "black box": the same selection, at different speeds
    random_state  names the split

    After `fit`: `support_`, `removed_` (features in the order they went), `search_errors_` (share of the
    search cases, before and after each removal), `n_features_in_` and, for a frame, `feature_names_in_`.
    """

    def __init__(self, min_cases=2, min_branch=0, penalty=False, building=0.7, way="bounded", random_state=0):
        self.min_cases = min_cases
        self.min_branch = min_branch
        self.penalty = penalty
        self.building = building
        self.way = way
        self.random_state = random_state

    def fit(self, X, y=None):
        data = self._learned(X, y)
        rng = stream(int(self.random_state), "elimination", "selector")
        building, search = stratified_split(data.labels, self.building, rng)
        if len(search) == 0:
            raise ValueError(f"n_samples = {data.n_cases}: too few, no cases are left to judge trees by")
        options = yadt(self.min_cases).but(min_branch=float(self.min_branch), penalty=bool(self.penalty))
        found = select(data, building, search, way=self.way, options=options, workspace=Workspace(data))
        places = self._places(data.feature_names)
        self.support_ = np.zeros(self.n_features_in_, dtype=bool)
        self.support_[places[found.selected]] = True
        self.removed_ = places[found.removed]
        self.search_errors_ = found.errors / len(search)
        self.elimination_ = found
        return self

    def transform(self, X):
        """The selected columns; of a DataFrame as they are, with their dtypes."""
        if not hasattr(X, "iloc"):
            return super().transform(X)
        check_is_fitted(self)
        validate_data(self, X, reset=False, skip_check_array=True)
        return X.loc[:, self.support_]

    def _get_support_mask(self):
        check_is_fitted(self)
        return self.support_

    def _state(self) -> dict:
        return {
            "support": self.support_.astype(int).tolist(),
            "removed": self.removed_.tolist(),
            "search_errors": self.search_errors_.tolist(),
        }

    def _restore(self, state):
        n = self.n_features_in_
        self.support_ = whole_numbers(state.get("support"), "support", 0, 1, count=n).astype(bool)
        self.removed_ = whole_numbers(state.get("removed"), "removed", 0, n - 1).astype(np.int64)
        self.search_errors_ = real_numbers(state.get("search_errors"), "search_errors", low=0.0, high=1.0)
