"""Trees of bounded depth with the fewest training errors, or nearly, over 0/1 columns."""

import json

import numpy as np

from pinetum_benchmarks.peers.adapters.common import OnIndicators, OnNumbers, Wrapped, whole_numbers

DAY = 86_400  # seconds on the wall: limits of CPU time are kept from outside, the same for all


class Streed(Wrapped):
    """STreeD, by dynamic programming over separable objectives (van der Linden et al. 2023)."""

    def make(self, **options):
        from pystreed import STreeDClassifier

        return STreeDClassifier(time_limit=DAY, **options)

    def fit(self, X, y):
        self.model.fit(whole_numbers(X), y)

    def predict(self, X):
        return self.model.predict(whole_numbers(X))

    def facts(self):
        return {
            "leaves": self.model.get_n_leaves(),
            "depth": self.model.get_depth(),
            "proved": bool(self.model.fit_result.is_optimal()),
        }


class StreedOnColumns(OnIndicators, Streed):
    """The same over 0/1 columns made of a table's own."""


class ConTree(Wrapped):
    """ConTree, made for numbers; 0/1 columns are numbers of two values."""

    def make(self, **options):
        from pycontree import ConTree

        return ConTree(time_limit=DAY, **options)

    def facts(self):
        return {"leaves": self.model.get_num_branching_nodes() + 1}


class ConTreeOnColumns(OnNumbers, ConTree):
    """The same from a table's own columns, at all cuts of numbers."""


class Dl85(Wrapped):
    """DL8.5, by branch and bound over itemsets with a cache."""

    def make(self, **options):
        from pydl85 import DL85Classifier

        return DL85Classifier(**options)

    def fit(self, X, y):
        self.model.fit(whole_numbers(X), y)

    def predict(self, X):
        return np.asarray(self.model.predict(whole_numbers(X)))

    def facts(self):
        return {
            "proved": not self.model.timeout_,
            "depth": self.model.depth_,
            "leaves": (self.model.get_nodes_count() + 1) // 2,
        }


class Dl85OnColumns(OnIndicators, Dl85):
    """The same over 0/1 columns made of a table's own.

    A leaf holds at least a `share` of the cases.
    """

    def make(self, share, **options):
        self.share = share
        return super().make(**options)

    def fit(self, X, y):
        self.model.set_params(min_sup=max(1, round(self.share * len(y))))
        super().fit(X, y)


class LicketySplit(Wrapped):
    """LicketySPLIT: greedy with a look-ahead, near the optimum and without a proof."""

    def make(self, max_depth, penalty=0.0):
        from licketysplit import LicketySPLITClassifier

        return LicketySPLITClassifier(depth_budget=max_depth, lambda_leaf=penalty)

    def fit(self, X, y):
        self.model.fit(X.astype(np.uint8), y.astype(np.int32))

    def predict(self, X):
        return np.asarray(self.model.predict(X.astype(np.uint8)))


class LicketySplitOnColumns(OnIndicators, LicketySplit):
    """The same over 0/1 columns made of a table's own."""


class Gosdt(Wrapped):
    """GOSDT: the least of errors and a penalty per leaf.

    Without one given it is too small to cost an error.
    """

    def make(self, max_depth=None, penalty=None):
        from gosdt import GOSDTClassifier

        if penalty is None:
            cases = len(self.data["y"])
            penalty = 0.5 / (cases * (cases if max_depth is None else min(cases, 2**max_depth)))
        return GOSDTClassifier(
            regularization=penalty, allow_small_reg=True, depth_budget=max_depth, verbose=False
        )

    def fit(self, X, y):
        self.model.fit(X.astype(bool), y)

    def predict(self, X):
        return self.model.predict(X.astype(bool))

    def facts(self):
        from gosdt import Status

        tree = json.loads(self.model.result_.model)[0]
        return {"proved": self.model.result_.status == Status.CONVERGED, "leaves": leaves_of(tree)}


class GosdtOnColumns(OnIndicators, Gosdt):
    """The same over 0/1 columns made of a table's own."""


def leaves_of(tree) -> int:
    """Leaves of a tree as GOSDT writes it."""
    return sum(map(leaves_of, (tree["true"], tree["false"]))) if "feature" in tree else 1
