"""Backward elimination as a feature selector with scikit-learn's conventions; scikit-learn itself is optional."""

import numpy as np

from arboretum.data.dataset import Dataset
from arboretum.elimination.backward import Workspace, select
from arboretum.induction import yadt
from arboretum.randomness import stream
from arboretum.validation.folds import stratified_split

try:
    from sklearn.base import BaseEstimator
    from sklearn.feature_selection import SelectorMixin

    BASES = (SelectorMixin, BaseEstimator)
except ImportError:
    BASES = ()


def dataset_of(X, y, discrete=None) -> Dataset:
    """An array (cases, features) of numbers, NaN for missing, or a pandas frame, as a Dataset.

    `discrete`: bool per feature; a frame's text, category and bool columns are discrete by themselves.
    """
    names = [str(name) for name in getattr(X, "columns", range(np.shape(X)[1]))]
    columns = [X.iloc[:, i].to_numpy() for i in range(len(names))] if hasattr(X, "iloc") else list(np.asarray(X).T)
    discrete = np.zeros(len(names), dtype=bool) if discrete is None else np.array(discrete, dtype=bool)
    if discrete.shape != (len(names),):
        raise ValueError(f"discrete: {len(discrete)} entries for {len(names)} features")
    codes = np.full((len(names), len(columns[0]) if columns else 0), -1, dtype=np.int32)
    values = []
    for i, column in enumerate(columns):
        column = np.asarray(column)
        if not np.issubdtype(column.dtype, np.number):
            try:
                column = column.astype(np.float64)
            except (TypeError, ValueError):
                discrete[i] = True
        if column.dtype == bool:
            discrete[i] = True
        known = np.array([value == value and value is not None for value in column], dtype=bool)
        domain, codes[i, known] = np.unique(column[known], return_inverse=True)
        values.append(tuple(str(value) for value in domain) if discrete[i] else domain.astype(np.float64))
    classes, labels = np.unique(np.asarray(y), return_inverse=True)
    if codes.shape[1] != len(labels):
        raise ValueError(f"X has {codes.shape[1]} cases, y has {len(labels)}")
    return Dataset(
        name="X",
        codes=codes,
        labels=labels.astype(np.int32),
        continuous=~discrete,
        values=tuple(values),
        feature_names=tuple(names),
        class_names=tuple(str(name) for name in classes),
    )


class BackwardElimination(*BASES):
    """Sequential backward elimination for decision trees (Ruggieri 2017), all features to begin with.

    min_weight    a node with fewer cases is a leaf (the paper's m)
    min_branch    at least two branches of a split must have this many cases
    penalty       a continuous feature pays for its choice of cuts, as in C4.5
    building      share of the cases that trees are grown on; the rest judges them
    discrete      bool per feature: codes without an order; None: all numbers are ordered
    way           "bounded", "incremental", "used only" or "black box": the same selection, at different speeds
    random_state  names the split

    After `fit`: `support_`, `removed_` (features in the order they went), `search_errors_` (share of the
    search cases, before and after each removal), `n_features_in_` and, for a frame, `feature_names_in_`.
    """

    def __init__(
        self, min_weight=2, min_branch=0, penalty=False, building=0.7, discrete=None, way="bounded", random_state=0
    ):
        self.min_weight = min_weight
        self.min_branch = min_branch
        self.penalty = penalty
        self.building = building
        self.discrete = discrete
        self.way = way
        self.random_state = random_state

    def fit(self, X, y):
        self.fit_dataset(dataset_of(X, y, self.discrete))
        if not hasattr(X, "columns"):
            del self.feature_names_in_  # as scikit-learn has it: names only where X brought some
        return self

    def fit_dataset(self, data: Dataset):
        rng = stream(int(self.random_state), "elimination", "selector")
        building, search = stratified_split(data.labels, self.building, rng)
        options = yadt(self.min_weight).but(min_branch=float(self.min_branch), penalty=bool(self.penalty))
        found = select(data, building, search, way=self.way, options=options, workspace=Workspace(data))
        self.n_features_in_ = data.n_features
        self.feature_names_in_ = np.array(data.feature_names, dtype=object)
        self.support_ = found.selected
        self.removed_ = found.removed
        self.search_errors_ = found.errors / len(search)
        self.elimination_ = found
        return self

    if BASES:

        def __sklearn_tags__(self):
            tags = super().__sklearn_tags__()
            tags.input_tags.allow_nan = True
            tags.target_tags.required = True
            return tags

    def _get_support_mask(self):
        if not hasattr(self, "support_"):
            raise ValueError("not fitted yet; call fit first")
        return self.support_

    if not BASES:

        def get_support(self, indices=False):
            mask = self._get_support_mask()
            return np.flatnonzero(mask) if indices else mask

        def transform(self, X):
            mask = self._get_support_mask()
            if np.shape(X)[1] != len(mask):
                raise ValueError(f"X has {np.shape(X)[1]} features, fit saw {len(mask)}")
            return X.loc[:, mask] if hasattr(X, "loc") else np.asarray(X)[:, mask]

        def fit_transform(self, X, y):
            return self.fit(X, y).transform(X)

        def get_feature_names_out(self, input_features=None):
            mask = self._get_support_mask()
            if input_features is None:
                input_features = getattr(self, "feature_names_in_", [f"x{i}" for i in range(len(mask))])
            return np.asarray(input_features, dtype=object)[mask]
