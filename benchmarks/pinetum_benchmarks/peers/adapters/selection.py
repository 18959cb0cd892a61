"""Subsets of columns by the errors of our own tree on given folds: what differs is the search
alone.
"""

import numpy as np

from pinetum_benchmarks.peers.adapters.common import WIDTH


def errors_of(model, X, y):
    """Minus the errors, not their share: folds of different size count as they are."""
    return -float(np.count_nonzero(model.predict(X) != y))


def tree():
    from pinetum import TreeClassifier

    return TreeClassifier(min_cases=2)


class Mlxtend:
    """`SequentialFeatureSelector` down to one column, or `ExhaustiveFeatureSelector`."""

    def __init__(self, data, search, width=WIDTH):
        self.search, self.fold, self.width = search, data["fold"], width

    def fit(self, X, y):
        from mlxtend.feature_selection import ExhaustiveFeatureSelector, SequentialFeatureSelector
        from sklearn.model_selection import PredefinedSplit

        shared = {"scoring": errors_of, "cv": PredefinedSplit(self.fold), "n_jobs": 1}
        if self.search == "backward":
            self.model = SequentialFeatureSelector(
                tree(), k_features=1, forward=False, floating=False, **shared
            )
        else:
            X = X[:, : self.width]
            self.model = ExhaustiveFeatureSelector(
                tree(), min_features=1, max_features=X.shape[1], print_progress=False, **shared
            )
        self.model.fit(X, y)

    def facts(self):
        found = sorted(
            self.model.subsets_.values(), key=lambda step: len(step["feature_idx"]), reverse=True
        )
        least = round(-max(float(np.sum(step["cv_scores"])) for step in found))
        if self.search == "backward":
            return {
                "search_errors": least,
                "answer": str([list(map(int, step["feature_idx"])) for step in found]),
            }
        return {
            "search_errors": least,
            "answer": str(least),
            "proved": True,
            "features": len(self.model.best_idx_),
        }


class ScikitLearn:
    """`SequentialFeatureSelector` of scikit-learn down to one column.

    It keeps the last subset alone.
    """

    def __init__(self, data, search, width=WIDTH):
        if search != "backward":
            raise ValueError(f"no {search} search in scikit-learn")
        self.fold = data["fold"]

    def fit(self, X, y):
        from sklearn.feature_selection import SequentialFeatureSelector
        from sklearn.model_selection import PredefinedSplit

        self.model = SequentialFeatureSelector(
            tree(),
            n_features_to_select=1,
            direction="backward",
            scoring=errors_of,
            cv=PredefinedSplit(self.fold),
            n_jobs=1,
        )
        self.model.fit(X, y)

    def facts(self):
        return {"features": int(self.model.support_.sum())}
