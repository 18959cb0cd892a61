"""A scikit-learn compatible classifier on top of the grower.

scikit-learn is optional: without it the class works the same, but its tools do not know it for an estimator
and the input is checked less.
"""

import numpy as np

from arboretum.data.dataset import Dataset
from arboretum.induction.grower import Grower
from arboretum.induction.options import PRESETS
from arboretum.induction.pruning import error_based

try:
    from sklearn.base import BaseEstimator, ClassifierMixin
    from sklearn.utils.multiclass import check_classification_targets
    from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data
except ImportError:
    from arboretum.induction.without_sklearn import (
        BaseEstimator,
        ClassifierMixin,
        _check_sample_weight,
        check_classification_targets,
        check_is_fitted,
        validate_data,
    )


class TreeClassifier(ClassifierMixin, BaseEstimator):
    """A decision tree with multiway splits on discrete columns and missing values handled as in C4.5.

    preset     'yadt' (plain rules) or 'c45' (C4.5 Release 8)
    criterion  'gain', 'gain_ratio' or 'gini'; None: the preset's own
    m          yadt: a node with fewer cases is a leaf; c45: least cases in two branches
    max_depth  None or a number; a lone leaf has depth 0
    prune      whether to prune by C4.5's error estimates
    cf         confidence of pruning; smaller prunes more
    raising    whether pruning may replace a node by its largest branch

    Columns of a DataFrame whose dtype is category, object, string or bool are discrete; all other columns,
    and all columns of an array, are numbers. NaN and None are missing values; a discrete value that was not
    seen in training counts as missing. After `fit`, `tree_` is the Tree and `classes_` the class labels.
    """

    def __init__(self, preset="yadt", criterion=None, m=2, max_depth=None, prune=False, cf=0.25, raising=True):
        self.preset = preset
        self.criterion = criterion
        self.m = m
        self.max_depth = max_depth
        self.prune = prune
        self.cf = cf
        self.raising = raising

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def fit(self, X, y, sample_weight=None):
        if self.preset not in PRESETS:
            raise ValueError(f"preset {self.preset!r}: expected one of {', '.join(PRESETS)}")
        self._domains = discrete_domains(X)
        table, y = self._validated(self._in_numbers(X), y)
        check_classification_targets(y)
        self.classes_, labels = np.unique(y, return_inverse=True)
        weights = None
        if sample_weight is not None:
            weights = _check_sample_weight(sample_weight, table, ensure_non_negative=True)
        data = self._dataset(table, labels)
        options = PRESETS[self.preset](self.m, **({} if self.criterion is None else {"criterion": self.criterion}))
        self.tree_ = Grower(data, options.but(max_depth=self.max_depth), weights=weights).grow()
        if self.prune:
            self.tree_ = error_based(self.tree_, data, weights=weights, cf=self.cf, raising=self.raising).tree
        return self

    def predict(self, X):
        check_is_fitted(self)
        return self.classes_[self.tree_.predict(self._validated(self._in_numbers(X)))]

    def predict_proba(self, X):
        check_is_fitted(self)
        return self.tree_.predict_proba(self._validated(self._in_numbers(X)))

    def _validated(self, X, y="no_validation"):
        return validate_data(self, X, y, reset=not isinstance(y, str), dtype=np.float64, ensure_all_finite="allow-nan")

    def _in_numbers(self, X):
        """The same table with discrete columns as codes, NaN where missing or not seen in training."""
        if not self._domains:
            return X
        coded = X.copy()
        for name, domain in self._domains.items():
            if name in coded.columns:  # a missing column is reported by the validation that follows
                places = {value: float(code) for code, value in enumerate(domain)}
                coded[name] = [places.get(value, np.nan) for value in X[name]]
        return coded

    def _dataset(self, table, labels) -> Dataset:
        names = [str(name) for name in getattr(self, "feature_names_in_", [f"x{j}" for j in range(table.shape[1])])]
        domains = {str(name): domain for name, domain in self._domains.items()}
        codes, values = np.full(table.T.shape, -1, dtype=np.int32), []
        for j, name in enumerate(names):
            known = ~np.isnan(table[:, j])
            if name in domains:
                codes[j, known] = table[known, j].astype(np.int32)
                values.append(tuple(str(value) for value in domains[name]))
            else:
                distinct, codes[j, known] = np.unique(table[known, j], return_inverse=True)
                values.append(distinct)
        return Dataset(
            name=type(self).__name__,
            codes=codes,
            labels=labels.astype(np.int32),
            continuous=np.array([name not in domains for name in names]),
            values=tuple(values),
            feature_names=tuple(names),
            class_names=tuple(str(c) for c in self.classes_),
        )


def discrete_domains(X) -> dict:
    """Per discrete column of a DataFrame its values: a category's own order, otherwise sorted."""
    if not (hasattr(X, "dtypes") and hasattr(X, "columns")):
        return {}
    import pandas as pd

    domains = {}
    for name in X.columns:
        dtype = X[name].dtype
        if isinstance(dtype, pd.CategoricalDtype):
            domains[name] = list(dtype.categories)
        elif not pd.api.types.is_numeric_dtype(dtype) or pd.api.types.is_bool_dtype(dtype):
            domains[name] = sorted(X[name].dropna().unique(), key=lambda value: (str(type(value)), value))
    return domains
