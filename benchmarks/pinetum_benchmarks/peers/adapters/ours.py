"""Pinetum's own side of every question, by its public names."""

import numpy as np

from pinetum_benchmarks.peers.adapters.common import WIDTH, Wrapped


class Tree(Wrapped):
    """`TreeClassifier`, from an array as scikit-learn takes it."""

    def make(self, **options):
        from pinetum import TreeClassifier

        return TreeClassifier(**options)

    def facts(self):
        tree = self.model.tree_
        return {
            "leaves": tree.sizes.leaves,
            "depth": tree.depth,
            "features": len(tree.used_features),
        }


class DepthBounded(Wrapped):
    """`NBDTClassifier`; n0 = 0 is the fewest training errors of a depth."""

    def make(self, **options):
        from pinetum import NBDTClassifier

        return NBDTClassifier(**options)

    def facts(self):
        tree = self.model.tree_
        return {
            "leaves": tree.sizes.leaves,
            "depth": tree.depth,
            "proved": self.model.status_ == "optimal",
        }


class SmallTree(DepthBounded):
    """The same from a table's own columns as a data set: those with a domain are discrete."""

    def fit(self, X, y):
        self.model.fit(encoded(X, y, self.data["domains"], int(self.data["y"].max()) + 1))

    def predict(self, X):
        return self.model.tree_.predict(X)


class Minimal(Wrapped):
    """`MinimalTree`: the tree of least cost that answers every case rightly."""

    def make(self, **options):
        from pinetum import MinimalTree

        return MinimalTree(**options)

    def facts(self):
        return {
            "leaves": self.model.tree_.sizes.leaves,
            "depth": self.model.tree_.depth,
            "proved": self.model.status_ == "optimal",
        }


class Separator(Wrapped):
    """`SeparatorClassifier`: linear decisions with few features."""

    def make(self, **options):
        from pinetum import SeparatorClassifier

        return SeparatorClassifier(**options)

    def facts(self):
        return {"features": len(self.model.features_)}


class Subsets:
    """The whole path of backward elimination, or the best of all subsets with a proof, on folds
    that are given.
    """

    def __init__(self, data, search, width=WIDTH):
        from pinetum.distinct.objective import Objective

        self.search, self.width, fold = search, width, data["fold"]
        parts = [
            (np.flatnonzero(fold != part), np.flatnonzero(fold == part))
            for part in range(fold.max() + 1)
        ]
        self.objective = Objective(tuple(parts))

    def fit(self, X, y):
        from pinetum import best_subset
        from pinetum.elimination.paths import eliminate

        if self.search == "backward":
            self.found = eliminate(
                encoded(X, y), objective=self.objective, stop="best", last_of_equals=True
            )
        else:
            self.found = best_subset(
                encoded(X[:, : self.width], y), objective=self.objective, cache_mb=500
            )

    def facts(self):
        if self.search == "backward":
            steps = sorted(
                ((len(step.subset), step.subset, step.errors) for step in self.found.steps),
                reverse=True,
            )
            steps = [step for step in steps if step[0]]
            least = min(errors for _, _, errors in steps)
            return {
                "search_errors": least,
                "answer": str([list(map(int, subset)) for _, subset, _ in steps]),
            }
        return {
            "search_errors": self.found.errors,
            "proved": self.found.proved,
            "features": len(self.found.subset),
            "answer": str(int(self.found.errors)),
        }


class NearOptimal(Wrapped):
    """`NearOptimalTrees`: all subsets of columns whose trees err almost as little as the best, in
    cross-validation.
    """

    def make(self, **options):
        from pinetum import NearOptimalTrees

        return NearOptimalTrees(**options)

    def facts(self):
        return {"trees": self.model.n_trees_, "proved": self.model.status_ == "ok"}


SAME = 1e-6


class C45:
    """C4.5 with raising, for any mixture of columns.

    `limits` "j48" follows J48 where it departs from Release 8.
    """

    def __init__(self, data, limits="release 8", cf=0.25):
        self.limits, self.cf = limits, cf
        self.domains, self.classes = data["domains"], int(data["y"].max()) + 1

    def fit(self, X, y):
        from pinetum.induction import Grower, c45, error_based

        data = encoded(X, y, self.domains, self.classes)
        # J48 takes numbers within 1e-6 for equal: what gains less than that is not split, where
        # Release 8 splits at 0.
        options = c45().but(zero_gain=False, min_gain=SAME) if self.limits == "j48" else c45()
        tree = Grower(data, options).grow()
        self.tree = error_based(tree, data, cf=self.cf, limits=self.limits).tree

    def predict(self, X):
        if self.limits != "j48":
            return self.tree.predict(X)
        shares = self.tree.predict_proba(X)
        return (shares >= shares.max(axis=1, keepdims=True) - SAME).argmax(axis=1)

    def facts(self):
        return {"leaves": self.tree.sizes.leaves, "nodes": self.tree.n_nodes}


def encoded(X, y, domains=None, classes=0):
    """An array as a data set; columns are numbers where `domains` has 0, else codes of so many
    values.
    """
    from pinetum.constants import MISSING
    from pinetum.data.dataset import Dataset

    domains = np.zeros(X.shape[1], dtype=int) if domains is None else domains
    codes, values = np.full(X.shape[::-1], MISSING, dtype=np.int32), []
    for column, cells, domain in zip(codes, X.T, domains.tolist(), strict=True):
        known = ~np.isnan(cells)
        if domain:
            column[known] = cells[known]
            values.append(tuple(f"v{value}" for value in range(domain)))
        else:
            distinct, column[known] = np.unique(cells[known], return_inverse=True)
            values.append(distinct)
    classes = classes or int(y.max()) + 1
    return Dataset(
        name="cases",
        codes=codes,
        labels=y.astype(np.int32),
        continuous=domains == 0,
        values=tuple(values),
        feature_names=tuple(f"x{i}" for i in range(X.shape[1])),
        class_names=tuple(f"v{label}" for label in range(classes)),
    )
