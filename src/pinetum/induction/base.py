"""What the scikit-learn skins of all studies share: checked input, discrete columns, prediction."""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from pinetum.data.dataset import Dataset

__all__ = ["Classifier", "SelectorMixin", "TableEstimator", "check_is_fitted", "checked_weights"]


class TableEstimator(BaseEstimator):
    """Learns from a table and classes.

    Columns of a DataFrame whose dtype is category, object, string or bool are discrete; all other columns,
    and all columns of an array, are numbers. NaN and None are missing values; a discrete value that was not
    seen in training counts as missing. A subclass with `numbers_only` takes neither.
    """

    numbers_only = False

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = not self.numbers_only
        tags.target_tags.required = True
        return tags

    def _learned(self, X, y):
        """Training cases as float64 (cases, features) and their classes as numbers; `classes_` names those."""
        self._domains = {} if self.numbers_only else discrete_domains(X)
        table, y = self._validated(X, y)
        check_classification_targets(y)
        self.classes_, labels = np.unique(y, return_inverse=True)
        return table, labels.astype(np.int32)

    def _cases(self, X):
        """Cases to predict, as the table learned from."""
        check_is_fitted(self)
        return self._validated(X)

    def _validated(self, X, *y):
        finite = True if self.numbers_only else "allow-nan"
        return validate_data(self, self._in_numbers(X), *y, reset=bool(y), dtype=np.float64, ensure_all_finite=finite)

    def _in_numbers(self, X):
        """The same table with discrete columns as codes, NaN where missing or not seen in training."""
        if not self._domains:
            return X
        if not hasattr(X, "isetitem"):
            raise ValueError("X: fitted on a DataFrame with discrete columns; expected one again")
        coded = X.copy()
        for j, domain in self._domains.items():
            if j < X.shape[1]:  # a missing column is reported by the validation that follows
                places = {value: float(code) for code, value in enumerate(domain)}
                coded.isetitem(j, [places.get(value, np.nan) for value in X.iloc[:, j]])
        return coded

    def _names(self) -> list[str]:
        return [str(name) for name in getattr(self, "feature_names_in_", [f"x{j}" for j in range(self.n_features_in_)])]

    def _dataset(self, table, labels, discrete=None) -> Dataset:
        """The training cases as a Dataset; `discrete`: bool per column of numbers that are codes without an order."""
        unordered = np.zeros(table.shape[1], dtype=bool) if discrete is None else np.array(discrete, dtype=bool)
        if unordered.shape != (table.shape[1],):
            raise ValueError(f"discrete: {unordered.size} entries for {table.shape[1]} features")
        unordered[list(self._domains)] = True
        codes, values = np.full(table.T.shape, -1, dtype=np.int32), []
        for j, column in enumerate(table.T):
            known = ~np.isnan(column)
            if j in self._domains:
                domain, codes[j, known] = self._domains[j], column[known].astype(np.int32)
            else:
                domain, codes[j, known] = np.unique(column[known], return_inverse=True)
            values.append(tuple(str(value) for value in domain) if unordered[j] else domain)
        return Dataset(
            name=type(self).__name__,
            codes=codes,
            labels=labels,
            continuous=~unordered,
            values=tuple(values),
            feature_names=tuple(self._names()),
            class_names=tuple(str(c) for c in self.classes_),
        )


class Classifier(ClassifierMixin, TableEstimator):
    """Predicts with its `tree_`."""

    def predict(self, X):
        cases = self._cases(X)
        return self.classes_[self.tree_.predict(cases)]

    def predict_proba(self, X):
        cases = self._cases(X)
        return self.tree_.predict_proba(cases)


def checked_weights(sample_weight, table):
    """float64 per case, or None."""
    return None if sample_weight is None else _check_sample_weight(sample_weight, table, ensure_non_negative=True)


def discrete_domains(X) -> dict:
    """Per discrete column of a DataFrame, by position, its values: a category's own order, otherwise sorted."""
    if not (hasattr(X, "dtypes") and hasattr(X, "columns")):
        return {}
    import pandas as pd

    domains = {}
    for j, dtype in enumerate(X.dtypes):
        if isinstance(dtype, pd.CategoricalDtype):
            domains[j] = list(dtype.categories)
        elif not pd.api.types.is_numeric_dtype(dtype) or pd.api.types.is_bool_dtype(dtype):
            domains[j] = sorted(X.iloc[:, j].dropna().unique(), key=lambda value: (str(type(value)), value))
    return domains
