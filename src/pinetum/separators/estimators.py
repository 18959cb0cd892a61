"""A scikit-learn compatible classifier: one plane with few features, or a tree of them."""

from typing import Any, ClassVar
from warnings import warn

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from pinetum.data.errors import DataError
from pinetum.data.schema import CURE, real_numbers
from pinetum.induction.base import Predictor, SavedEstimator, TreeReport, check_is_fitted, part_of
from pinetum.parameters import Number, Words
from pinetum.progress import watched
from pinetum.separators.exports import as_tree, decisions, to_code
from pinetum.separators.lp import Deadline, SolverOptions
from pinetum.separators.minimize import STARTS, TOLERANCE
from pinetum.separators.names import METHODS
from pinetum.separators.planes import EPSILON, Settings
from pinetum.separators.scaling import SCALINGS
from pinetum.separators.tables import Coding, check_memory, points_of, restored_coding
from pinetum.separators.tree import MULTICLASS, PlaneTree, grow_tree, plane_text
from pinetum.trees.code import Cell


class SeparatorClassifier(Predictor, TreeReport, SavedEstimator):
    """Linear decisions found by linear programs, with as few columns as the error allows.

    Parameters
    ----------
    method : {"FM_RLP", "FM_RLP-P", "RLP", "RLP-P"}, default "FM_RLP"
        ``FM_`` minimizes the number of columns, ``-P`` also keeps weights small.
    max_depth : int, optional
        1 is the single decision of the paper; None grows the tree out.
    min_cases : int, default 5
        A node with fewer cases is a leaf.
    multiclass : {"pairs", "rest"}, default "pairs"
        With several classes a decision separates two of them, or one from the rest.
    scaling : {"z", "unit", "raw"}, default "z"
        Fitted at every node.
    tolerance : float
        Error allowed as a multiple of the error with all columns.
    epsilon : float
        Weight of the sum of absolute weights in the methods with ``-P``, below 1.
    start : {"previous", "lp", "zero"}, default "previous"
        Start of Algorithm 4.1.
    time_limit : float, optional
        Seconds; then, as after Ctrl-C, nodes that have no decision yet stay leaves.
    verbose : int, default 0
        1 tells the standard error how far the fit has come.

    Attributes
    ----------
    tree_ : PlaneTree
    status_ : str
        "ok", or "time_limit" or "interrupted": then the tree could have more decisions, or fewer
        columns.
    features_ : list of str
        Names of the coded columns used.
    coef_, intercept_ : arrays
        Of the first decision in the original units: a case belongs to the second of two classes
        where ``coef_ . x + intercept_ > 0``.
    classes_ : array
    n_features_in_ : int
    feature_names_in_ : array of str
        Only where `fit` was given a DataFrame with such names, or a Table.
    feature_importances_ : array of shape (columns,)
        Share of every column in the absolute weights times standard deviations of all decisions.

    Notes
    -----
    Discrete columns of a DataFrame become 0/1 indicators; missing numbers become the mean and
    missing values the most frequent one of the training cases. Algorithm 4.1 of Bredensteiner and
    Bennett (1996).

    Examples
    --------
    >>> import pandas as pd
    >>> X = pd.DataFrame({"age": [20.0, 30, 40, 50, 60, 70], "shoe": [41.0, 39, 44, 40, 42, 43]})
    >>> model = SeparatorClassifier().fit(X, ["no", "no", "no", "yes", "yes", "yes"])
    >>> model.features_, model.predict(pd.DataFrame({"age": [25.0, 65.0], "shoe": [42.0, 40.0]})).tolist()
    (['age'], ['no', 'yes'])
    """  # noqa: E501

    _ranges: ClassVar[dict[str, Any]] = {
        "method": Words(tuple(METHODS)),
        "multiclass": Words(MULTICLASS),
        "scaling": Words(SCALINGS),
        "start": Words(STARTS),
        "tolerance": Number(1),
        "epsilon": Number(0, 1, below=True),
    }

    def __init__(
        self,
        method="FM_RLP",
        *,
        max_depth=None,
        min_cases=5,
        multiclass="pairs",
        scaling="z",
        tolerance=TOLERANCE,
        epsilon=EPSILON,
        start="previous",
        time_limit=None,
        verbose=0,
    ):
        self.method = method
        self.max_depth = max_depth
        self.min_cases = min_cases
        self.multiclass = multiclass
        self.scaling = scaling
        self.tolerance = tolerance
        self.epsilon = epsilon
        self.start = start
        self.time_limit = time_limit
        self.verbose = verbose

    def fit(self, X, y=None):
        """Fit the decisions.

        Parameters
        ----------
        X : DataFrame or array of shape (cases, columns), or Table
        y : array of shape (cases,); none for a Table, which knows its classes

        Returns
        -------
        self
        """
        data = self._learned(X, y)
        self._data = data.take_cases([])  # names and domains
        self._coding = Coding.fit(data)
        check_memory(data, self._coding)
        points, labels = self._coding.points(data), data.labels
        self._spread = points.std(axis=0)
        deadline = Deadline(self.time_limit)
        settings = Settings(
            scaling=self.scaling,
            start=self.start,
            tolerance=self.tolerance,
            epsilon=self.epsilon,
            solver=SolverOptions(deadline=deadline),
        )
        with watched(type(self).__name__, self.verbose):
            self.tree_ = grow_tree(
                points,
                labels,
                len(self.classes_),
                self.method,
                max_depth=self.max_depth,
                min_cases=self.min_cases,
                multiclass=self.multiclass,
                settings=settings,
            )
        self.status_ = deadline.status
        if self.status_ != "ok":
            warn(
                f"the fit is not complete ({self.status_}); raise time_limit", ConvergenceWarning, 2
            )
        self._describe()
        return self

    def _describe(self):
        self.coef_ = self.tree_.weights[:1].copy()
        self.intercept_ = -self.tree_.offset[:1]
        self.features_ = [
            self._coding.names[j] for j in np.flatnonzero(self.tree_.weights.any(axis=0))
        ]

    def _state(self) -> dict:
        return {
            "tree": self.tree_.to_dict(),
            "domains": [
                None if c else list(v)
                for c, v in zip(self._data.continuous, self._data.values, strict=True)
            ],
            "fills": list(self._coding.fills),
            "spread": self._spread.tolist(),
        }

    def _restore(self, state):
        self.tree_ = PlaneTree.from_dict(part_of(state, "tree"))
        names = (
            tuple(self._names())
            if self.encoding_ is None
            else tuple(f.name for f in self.encoding_.features)
        )
        self._data, self._coding = restored_coding(names, state.get("domains"), state.get("fills"))
        width = len(self._coding.names)
        self._spread = real_numbers(state.get("spread"), "spread", low=0.0, shape=(width,))
        if self.tree_.weights.shape[1] != width or self.tree_.counts.shape[1] != len(self.classes_):
            raise DataError(
                "the decisions do not fit the columns and classes beside them", cure=CURE
            )
        self._describe()

    def _cases(self, X, types=np.float64):
        """Points: numbers, 0/1 indicators of values, what is missing filled in as in training."""
        cases = super()._cases(X, types)
        return points_of(self._coding, self._data, cases)

    def apply(self, X):
        """Leaf of every case, as a node of `tree_`."""
        cases = self._cases(X)
        return self.tree_.leaves_of(cases)

    def decision_path(self, X):
        """CSR matrix (cases, nodes) with 1 where a case passes a node."""
        cases = self._cases(X)
        return self._fitted().decision_path(decisions(self.tree_, cases))

    def _fitted(self):
        """The decisions as a tree that is told and drawn like all others."""
        check_is_fitted(self)
        return as_tree(
            self.tree_, list(self._coding.names), [str(label) for label in self.classes_]
        )

    @property
    def feature_importances_(self) -> np.ndarray:
        """Share of every column in the absolute weights times standard deviations in training, of
        all decisions.
        """
        check_is_fitted(self)
        share = np.abs(self.tree_.weights).sum(axis=0) * self._spread
        shares = np.zeros(self.n_features_in_)
        np.add.at(
            shares, self._places(self._data.feature_names)[self._coding.places(self._data)], share
        )
        return shares / shares.sum() if shares.sum() > 0 else shares

    def plane(self) -> str:
        """The first decision in the original units, for example `2.5 age - 0.3 chol > 41`."""
        check_is_fitted(self)
        return plane_text(self.tree_.weights[0], self.tree_.offset[0], list(self._coding.names))

    def to_code(self, language="python", *, table="cases") -> str:
        """See `TreeReport.to_code`; the columns of numbers are added up in the same order."""
        check_is_fitted(self)
        reading = self._reading()
        cells = [
            Cell(column, None if continuous else tuple(domain), fill)
            for column, continuous, domain, fill in zip(
                reading.pop("columns"),
                self._data.continuous,
                self._data.values,
                self._coding.fills,
                strict=True,
            )
        ]
        terms, classes = self._coding.terms(self._data), list(self.classes_)
        return to_code(self.tree_, cells, terms, classes, language, table=table, **reading)

    def to_sklearn(self):
        """Refused: trees of scikit-learn split one column, not a weighted sum."""
        raise ValueError(
            "a SeparatorClassifier splits by weighted sums; scikit-learn's trees do not"
        )

    encode = to_sklearn  # type: ignore[assignment]  # refused alike, whatever it is given

    def to_text(self) -> str:  # type: ignore[override]  # it has no depth to cut
        """The decisions as indented text.

        A leaf shows its class and the training cases of every class.
        """
        check_is_fitted(self)
        return self.tree_.to_text(list(self._coding.names), [str(label) for label in self.classes_])
