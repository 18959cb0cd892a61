"""The few things the estimators take from scikit-learn, for machines that do not have it."""

import inspect

import numpy as np


class ClassifierMixin:
    def score(self, X, y, sample_weight=None):
        return float(np.average(self.predict(X) == np.asarray(y), weights=sample_weight))


class BaseEstimator:
    def get_params(self, deep=True):
        return {name: getattr(self, name) for name in inspect.signature(type(self)).parameters}

    def set_params(self, **parameters):
        for name, value in parameters.items():
            if name not in self.get_params():
                raise ValueError(f"{name!r} is not a parameter of {type(self).__name__}")
            setattr(self, name, value)
        return self


class SelectorMixin:
    def get_support(self, indices=False):
        mask = self._get_support_mask()
        return np.flatnonzero(mask) if indices else mask

    def transform(self, X):
        mask = self._get_support_mask()
        if np.shape(X)[1] != len(mask):
            raise ValueError(f"X has {np.shape(X)[1]} features, fitted with {len(mask)}")
        return X.loc[:, mask] if hasattr(X, "loc") else np.asarray(X)[:, mask]

    def fit_transform(self, X, y):
        return self.fit(X, y).transform(X)

    def get_feature_names_out(self, input_features=None):
        mask = self._get_support_mask()
        return np.asarray(self._names() if input_features is None else input_features, dtype=object)[mask]


def check_is_fitted(estimator):
    if not any(name.endswith("_") for name in vars(estimator)):
        raise ValueError(f"this {type(estimator).__name__} is not fitted yet; call `fit` first")


def check_classification_targets(y):
    if y.dtype.kind == "f" and (y != np.floor(y)).any():
        raise ValueError("y holds continuous numbers; a classifier needs classes")


def _check_sample_weight(sample_weight, X, ensure_non_negative=True):
    weights = np.asarray(sample_weight, dtype=np.float64)
    return np.full(len(X), float(weights)) if weights.ndim == 0 else weights


def validate_data(estimator, X, y=None, *, reset, dtype, ensure_all_finite):
    columns = getattr(X, "columns", None)
    table = np.asarray(X, dtype=dtype)
    wrong = np.isinf(table) if ensure_all_finite == "allow-nan" else ~np.isfinite(table)
    if table.ndim != 2 or wrong.any():
        allowed = "finite numbers or NaN" if ensure_all_finite == "allow-nan" else "finite numbers"
        raise ValueError(f"X: expected a table (cases, features) of {allowed}, got shape {table.shape}")
    if reset:
        estimator.n_features_in_ = table.shape[1]
        if columns is not None:
            estimator.feature_names_in_ = np.asarray(columns, dtype=object)
    if table.shape[1] != estimator.n_features_in_:
        raise ValueError(f"X has {table.shape[1]} features, fitted with {estimator.n_features_in_}")
    if y is None:
        return table
    y = np.asarray(y)
    if y.shape != (len(table),):
        raise ValueError(f"y: expected one class per case, got shape {y.shape}")
    return table, y
