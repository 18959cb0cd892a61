"""The fixed-depth tree as a scikit-learn estimator."""

import numpy as np

from pinetum.induction.base import Classifier, check_is_fitted
from pinetum.nbdt.naive_bayes import NaiveBayes
from pinetum.nbdt.policy_tree import leaf_records, to_tree
from pinetum.nbdt.preparation import discrete
from pinetum.nbdt.solver import solver


class NBDTClassifier(Classifier):
    """The tree of bounded depth, or bounded cost of every path, that is optimal under Naive Bayes.

    depth   most tests on a path; with `costs` the most that the tests of a path may cost together
    alpha   Dirichlet parameter of every class and value; 1 is Laplace's rule, 0 plain frequencies
    costs   a positive cost per column, or a dict from column name to cost (others cost 1); None: each test costs 1
    method  'bound' (branch and bound), 'optnbdt' or 'nbdt': the same tree, in less or more time

    Columns of a DataFrame whose dtype is category, object, string or bool are discrete; all others are numbers and cut
    into intervals by class entropy (minimum description length). Missing is a value of its own where the training
    cases have it. After `fit`, `tree_` is the Tree, `expected_accuracy_` its value, `naive_bayes_` the model;
    `predict_proba` gives P(class | path).
    """

    def __init__(self, depth=3, alpha=1.0, costs=None, method="bound"):
        self.depth = depth
        self.alpha = alpha
        self.costs = costs
        self.method = method

    def fit(self, X, y=None):
        raw = self._learned(X, y)
        data = discrete(raw)
        self._cuts = [cuts_of(raw, data, feature) for feature in range(raw.n_features)]
        self._unknown = [values.index("?") if "?" in values else -1 for values in data.values]
        self.naive_bayes_ = NaiveBayes.estimate(data.codes, data.labels, data.arity, data.n_classes, self.alpha)
        found = solver(self.naive_bayes_, self.depth, self._cost_per_column(data)).fit(method=self.method)
        self.expected_accuracy_ = found.expected_accuracy
        self.tree_ = to_tree(found, self.naive_bayes_, data)
        return self

    def leaves(self) -> list[dict]:
        """Path, probability, class and term of the expected accuracy of every leaf."""
        check_is_fitted(self)
        return leaf_records(self.tree_, self.naive_bayes_)

    def _cost_per_column(self, data):
        if self.costs is None:
            return None
        if isinstance(self.costs, dict):
            unknown = sorted(set(map(str, self.costs)) - set(data.feature_names))
            if unknown:
                raise ValueError(f"costs: {unknown[0]!r} is not a column")
            named = {str(name): cost for name, cost in self.costs.items()}
            return np.array([named.get(name, 1.0) for name in data.feature_names])
        return np.asarray(self.costs, dtype=np.float64)

    def _cases(self, X):
        """Codes of the intervals and values of training, NaN for what was never seen."""
        table = np.array(super()._cases(X))
        for feature, cuts in enumerate(self._cuts):
            column = table[:, feature]
            known = ~np.isnan(column)
            if cuts is not None:
                column[known] = np.searchsorted(cuts, column[known], side="left")
            if self._unknown[feature] >= 0:
                column[~known] = self._unknown[feature]
        return table


def cuts_of(raw, data, feature):
    """Upper ends of a column's intervals, midpoints as in tree growing; None for a discrete column."""
    if not raw.continuous[feature]:
        return None
    numbers = raw.values[feature]
    interval = np.zeros(len(numbers), dtype=np.int64)
    known = raw.codes[feature] >= 0
    interval[raw.codes[feature][known]] = data.codes[feature][known]
    last = np.flatnonzero(np.diff(interval))
    return (numbers[last] + numbers[last + 1]) / 2
