"""Trees of planes, linear models in leaves, and the sparse linear separator, for two classes."""

import numpy as np

from pinetum_benchmarks.peers.adapters.common import Wrapped


def used(weights) -> int:
    """Columns with a weight that is not zero in any row."""
    return int((np.abs(np.atleast_2d(weights)) > 1e-12).any(axis=0).sum())


class Standardised:
    """Columns with mean 0 and deviation 1, as found in the training cases."""

    def __init__(self, data, **options):
        from sklearn.preprocessing import StandardScaler

        self.scaler, self.model = StandardScaler(), self.make(**options)

    def make(self, **options):
        raise NotImplementedError

    def fit(self, X, y):
        self.model.fit(self.scaler.fit_transform(X), y)

    def predict(self, X):
        return np.asarray(self.model.predict(self.scaler.transform(X)))


class SparseLine(Standardised):
    """`LinearSVC` with the sum of absolute weights as penalty."""

    def make(self, **options):
        from sklearn.svm import LinearSVC

        return LinearSVC(penalty="l1", dual=False, max_iter=5000, random_state=0, **options)

    def facts(self):
        return {"features": used(self.model.coef_)}


class Householder(Standardised):
    """`HouseHolderCART`: reflections along the first principal component.

    A leaf's mean above one half is class 1.
    """

    def make(self, max_depth):
        from scikit_obliquetree.HHCART import HouseHolderCART
        from scikit_obliquetree.segmentor import MSE, MeanSegmentor

        return HouseHolderCART(MSE(), MeanSegmentor(), max_depth=max_depth)

    def predict(self, X):
        return (super().predict(X) > 0.5).astype(int)


class LinearLeaves(Standardised):
    """`LinearTreeClassifier` with ridge classifiers in its leaves."""

    def make(self, **options):
        from lineartree import LinearTreeClassifier
        from sklearn.linear_model import RidgeClassifier

        return LinearTreeClassifier(RidgeClassifier(), **options)


class RandomPlanes(Wrapped):
    """`ObliqueDecisionTreeClassifier` of treeple: the best of random sparse combinations."""

    def make(self, **options):
        from treeple.tree import ObliqueDecisionTreeClassifier

        return ObliqueDecisionTreeClassifier(random_state=0, **options)

    def fit(self, X, y):
        self.model.fit(X.astype(np.float32), y)

    def predict(self, X):
        return self.model.predict(X.astype(np.float32))

    def facts(self):
        return {"leaves": int(self.model.get_n_leaves())}
