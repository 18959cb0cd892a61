"""The few things TreeClassifier takes from scikit-learn, for machines that do not have it."""

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


def check_is_fitted(estimator):
    if not hasattr(estimator, "tree_"):
        raise ValueError(f"this {type(estimator).__name__} is not fitted yet; call `fit` first")


def check_classification_targets(y):
    if y.dtype.kind == "f" and (y != np.floor(y)).any():
        raise ValueError("y holds continuous numbers; a classifier needs classes")


def _check_sample_weight(sample_weight, X, ensure_non_negative=True):
    weights = np.asarray(sample_weight, dtype=np.float64)
    return np.full(len(X), float(weights)) if weights.ndim == 0 else weights


def validate_data(estimator, X, y="no_validation", *, reset, dtype, ensure_all_finite):
    columns = getattr(X, "columns", None)
    table = np.asarray(X, dtype=dtype)
    if table.ndim != 2 or np.isinf(table).any():
        raise ValueError(f"X: expected a table (cases, features) of finite numbers or NaN, got shape {table.shape}")
    if reset:
        estimator.n_features_in_ = table.shape[1]
        if columns is not None:
            estimator.feature_names_in_ = np.asarray(columns, dtype=object)
    if table.shape[1] != estimator.n_features_in_:
        raise ValueError(f"X has {table.shape[1]} features, fitted with {estimator.n_features_in_}")
    if isinstance(y, str):
        return table
    y = np.asarray(y)
    if y.shape != (len(table),):
        raise ValueError(f"y: expected one class per case, got shape {y.shape}")
    return table, y
