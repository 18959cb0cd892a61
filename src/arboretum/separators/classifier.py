"""A scikit-learn compatible classifier: one plane with few features, or a tree of them.

scikit-learn is optional: without it the class works the same, but its tools do not know it for an estimator.
"""

import numpy as np

from arboretum.separators.lp import SolverOptions
from arboretum.separators.minimize import TOLERANCE
from arboretum.separators.planes import EPSILON, METHODS, Settings
from arboretum.separators.tree import grow_tree, plane_text

try:
    from sklearn.base import BaseEstimator, ClassifierMixin
    from sklearn.utils.multiclass import check_classification_targets
    from sklearn.utils.validation import check_is_fitted, validate_data
except ImportError:
    from arboretum.induction.without_sklearn import (
        BaseEstimator,
        ClassifierMixin,
        check_classification_targets,
        check_is_fitted,
        validate_data,
    )


class SeparatorClassifier(ClassifierMixin, BaseEstimator):
    """Linear decisions found by linear programs, with as few features as the error allows.

    method      RLP, FM_RLP, RLP-P or FM_RLP-P; FM_ minimizes features, -P also keeps weights small
    max_depth   1 is the single decision of the paper, None grows the tree out
    min_cases   a node with fewer cases is a leaf
    multiclass  with several classes a decision separates two of them (`pairs`), or one from the `rest`
    scaling     z, unit or raw, fitted at every node
    tolerance   error allowed as a multiple of the error with all features
    epsilon     weight of sum |w| in the methods with -P
    start       r at the start of Algorithm 4.1: previous, lp or zero
    time_limit  seconds per linear program

    After `fit`: `classes_`, `tree_` (a PlaneTree), `features_` (indices of all features used), and of the
    first decision `coef_` and `intercept_` in the original units: a case belongs to the second class of two,
    where coef_ . x + intercept_ > 0.
    """

    def __init__(
        self,
        method="FM_RLP",
        max_depth=None,
        min_cases=5,
        multiclass="pairs",
        scaling="z",
        tolerance=TOLERANCE,
        epsilon=EPSILON,
        start="previous",
        time_limit=None,
    ):
        self.method = method
        self.max_depth = max_depth
        self.min_cases = min_cases
        self.multiclass = multiclass
        self.scaling = scaling
        self.tolerance = tolerance
        self.epsilon = epsilon
        self.start = start
        self.time_limit = time_limit

    def fit(self, X, y):
        if self.method not in METHODS:
            raise ValueError(f"method = {self.method!r}: allowed are {', '.join(METHODS)}")
        X, y = validate_data(self, X, y, reset=True, dtype=np.float64, ensure_all_finite=True)
        check_classification_targets(y)
        self.classes_, labels = np.unique(y, return_inverse=True)
        settings = Settings(
            scaling=self.scaling,
            start=self.start,
            tolerance=self.tolerance,
            epsilon=self.epsilon,
            solver=SolverOptions(time_limit=self.time_limit),
        )
        self.tree_ = grow_tree(
            X,
            labels,
            len(self.classes_),
            self.method,
            max_depth=self.max_depth,
            min_cases=self.min_cases,
            multiclass=self.multiclass,
            settings=settings,
        )
        self.coef_ = self.tree_.weights[:1].copy()
        self.intercept_ = -self.tree_.offset[:1]
        self.features_ = np.flatnonzero(self.tree_.weights.any(axis=0))
        return self

    def _checked(self, X):
        check_is_fitted(self)
        return validate_data(self, X, reset=False, dtype=np.float64, ensure_all_finite=True)

    def predict(self, X):
        X = self._checked(X)
        return self.classes_[self.tree_.predict(X)]

    def predict_proba(self, X):
        X = self._checked(X)
        return self.tree_.predict_proba(X)

    def apply(self, X):
        """The leaf each case falls into."""
        X = self._checked(X)
        return self.tree_.leaves_of(X)

    def plane(self) -> str:
        """The first decision in the original units, for example `2.5 age - 0.3 chol > 41`."""
        check_is_fitted(self)
        return plane_text(self.tree_.weights[0], self.tree_.offset[0], self._names())

    def to_text(self) -> str:
        check_is_fitted(self)
        return self.tree_.to_text(self._names(), [str(label) for label in self.classes_])

    def _names(self):
        names = getattr(self, "feature_names_in_", None)
        return list(names) if names is not None else [f"x{j}" for j in range(self.tree_.weights.shape[1])]
