"""The opt-feature list of a table, to look at: which test is best as the last one, by what the
tests before it said.
"""

import numpy as np

from pinetum.induction.cases import cases_of
from pinetum.nbdt.naive_bayes import NaiveBayes
from pinetum.nbdt.preparation import discrete
from pinetum.nbdt.solver import TwoClassSolver
from pinetum.parameters import Number, check


def opt_feature_list(X, y=None, *, width=1, alpha=1.0):
    """Which features are best as the last test of a path, for every posterior of the classes before
    it.

    Under Naive Bayes the best last test depends on the tests before it only through x, the
    posterior of the second class; so a list over x says all.

    Parameters
    ----------
    X : DataFrame or array of shape (cases, features), or Table
        Numbers are cut into intervals by class entropy; missing cells are a value of their own.
    y : array of shape (cases,) of two classes; none for a Table, which knows its classes
    width : int, default 1
        So many features are listed, best first: a path of d tests needs d, as those that it has
        used drop out.
    alpha : float, default 1.0
        Dirichlet parameter of every class and value; 1 is Laplace's rule.

    Returns
    -------
    DataFrame
        One row per stretch of x: `from` and `to` bound it, `features` are its best features in
        order, and `accuracy_from`, `accuracy_to` what the best one is expected to get right at both
        ends.

    Notes ----- The OFL of Farhangfar, Greiner and Zinkevich (2008), by which
    `NBDTClassifier(n0=inf)` finds its last tests.

    Examples
    --------
    >>> import pandas as pd
    >>> X = pd.DataFrame({"sky": ["sun", "sun", "rain", "rain"] * 5, "wind": ["low", "high", "low", "high"] * 5})
    >>> y = ["yes", "yes", "yes", "no"] * 4 + ["no", "yes", "yes", "no"]
    >>> opt_feature_list(X, y)[["from", "to", "features"]].values.tolist()
    [[0.0, 1.0, ['sky']]]
    """  # noqa: E501
    data = cases_of(X, y)
    if data.n_classes != 2:
        raise ValueError(f"{data.n_classes} classes: the list is over the posterior of one of two")
    check(
        {"width": Number(1, data.n_features, whole=True), "alpha": Number(0)},
        width=width,
        alpha=alpha,
    )
    data = discrete(data)
    model = NaiveBayes.estimate(data.codes, data.labels, data.arity, 2, alpha)
    breaks, listed, plus, minus = TwoClassSolver(model, int(width)).opt_feature_list
    orders = listed.astype(np.int64)
    first = np.concatenate(([0], np.flatnonzero((orders[1:] != orders[:-1]).any(axis=1)) + 1))
    last = np.append(first[1:], len(orders)) - 1

    def accuracy(piece, x):
        return x * plus[piece, 0] + (1 - x) * minus[piece, 0]

    import pandas as pd

    return pd.DataFrame(
        {
            "from": breaks[first],
            "to": breaks[last + 1],
            "features": [[data.feature_names[f] for f in orders[piece]] for piece in first],
            "accuracy_from": accuracy(first, breaks[first]),
            "accuracy_to": accuracy(last, breaks[last + 1]),
        }
    )
