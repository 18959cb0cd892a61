"""What the scikit-learn skins of all studies share: checked input, prediction, and what one sees of a fitted tree."""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from pinetum.data.dataset import Dataset
from pinetum.data.table import Table

__all__ = [
    "Classifier",
    "Predictor",
    "SelectorMixin",
    "TableEstimator",
    "TreeReport",
    "check_is_fitted",
    "checked_weights",
]


class TableEstimator(BaseEstimator):
    """Learns from a table and classes.

    Columns of a DataFrame that hold categories, text or truth values are discrete; all others, and all columns of an
    array of numbers, are numbers. NaN, NA and None are missing values; a discrete value that was not seen in training
    counts as missing. Columns of a mixed DataFrame that nothing can be learnt from (dates, identifiers, free text,
    constants) are left out with a `DataWarning` that names column and cure.
    """

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.target_tags.required = True
        return tags

    # ------------------------------------------------------------------ input

    def _learned(self, X, y) -> Dataset:
        """The training cases; `classes_` names their classes, `encoding_` reads new cases (None: numbers as given)."""
        frame = frame_of(X)
        if frame is None:
            X, y = validate_data(self, X, y, dtype=np.float64, ensure_all_finite="allow-nan")
        else:
            X, y = validate_data(self, frame, y, skip_check_array=True)
            y = np.asarray(y).reshape(-1) if np.ndim(y) == 2 and np.shape(y)[1] == 1 else np.asarray(y)
            if len(y) != len(frame):
                raise ValueError(f"X has {len(frame)} cases and y {len(y)}; give one class per case")
        check_classification_targets(y)
        self.classes_, labels = np.unique(y, return_inverse=True)
        labels = labels.astype(np.int32)
        names = tuple(str(name) for name in self.classes_)
        if frame is None:
            self.encoding_ = None
            return dataset_of_numbers(type(self).__name__, X, labels, names, tuple(self._names()))
        if len(set(names)) < len(names):
            names = tuple(f"{name} ({code})" for code, name in enumerate(names))
        series = frame.set_axis([str(name) for name in frame.columns], axis=1)
        data = Table.from_frame(series, np.array(names, dtype=object)[labels], classes=list(names))
        self.encoding_ = data.kept_encoding()
        return data

    def _cases(self, X) -> np.ndarray:
        """Cases to predict as float64 (cases, features of the tree): numbers, codes of discrete values, NaN."""
        check_is_fitted(self)
        if self.encoding_ is None:
            frame = frame_of(X)
            return validate_data(
                self, X if frame is None else frame, reset=False, dtype=np.float64, ensure_all_finite="allow-nan"
            )
        frame = frame_of(X, always=True)
        if frame is None or (hasattr(self, "feature_names_in_") and not hasattr(X, "columns")):
            raise ValueError("X: fitted on a DataFrame with discrete columns; expected one again")
        validate_data(self, frame, reset=False, skip_check_array=True)
        return self.encoding_.encode(frame.set_axis([str(name) for name in frame.columns], axis=1))

    def _names(self) -> list[str]:
        """Names of the columns that `fit` was given."""
        return [str(name) for name in getattr(self, "feature_names_in_", [f"x{j}" for j in range(self.n_features_in_)])]

    def _places(self, names) -> np.ndarray:
        """Position of these features among the columns that `fit` was given."""
        columns = self._names()
        if self.encoding_ is None:
            place = {name: j for j, name in enumerate(columns)}
            return np.array([place[name] for name in names], dtype=np.int64)
        if not hasattr(self, "feature_names_in_"):
            columns = [str(j) for j in range(self.n_features_in_)]
        column = {feature.name: feature.column for feature in self.encoding_.features}
        return np.array([columns.index(column[name]) for name in names], dtype=np.int64)


def frame_of(X, always=False):
    """X as a DataFrame where it has columns that are not plain numbers; None where an array of numbers will do."""
    import pandas as pd

    if hasattr(X, "columns") and hasattr(X, "dtypes"):
        if not isinstance(X, pd.DataFrame):
            X = X.to_pandas()
        number = [pd.api.types.is_numeric_dtype(t) and not pd.api.types.is_bool_dtype(t) for t in X.dtypes]
        plain = all(number) and not any(pd.api.types.is_complex_dtype(t) for t in X.dtypes)
        return X if always or not plain else None
    if isinstance(X, np.ndarray) and X.ndim == 2 and X.dtype.kind in "OU" and X.size and not all_numbers(X):
        return pd.DataFrame(X).infer_objects()
    return None


def all_numbers(X) -> bool:
    """Whether no cell of an array is text."""
    return X.dtype.kind == "O" and not any(isinstance(value, str) for value in X.ravel())


def dataset_of_numbers(name, table, labels, classes, names) -> Dataset:
    """A table of numbers (cases, features), NaN where missing, as a Dataset."""
    codes, values = np.empty(table.T.shape, dtype=np.int32), []
    for j in range(table.shape[1]):
        column = table[:, j]
        known = ~np.isnan(column)
        if known.all():
            domain, codes[j] = np.unique(column, return_inverse=True)
        else:
            codes[j, ~known] = -1
            domain, codes[j, known] = np.unique(column[known], return_inverse=True)
        values.append(domain)
    continuous = np.ones(table.shape[1], dtype=bool)
    return Dataset(name, codes, labels, continuous, tuple(values), tuple(names), classes)


class TreeReport(TableEstimator):
    """What one sees of a fitted `tree_`, shared by all classifiers whose model is a `pinetum.trees.Tree`."""

    def apply(self, X):
        """Leaf of every case, as a node of `tree_`; of a case spread over several, the one with the largest part."""
        return self.tree_.apply(self._cases(X))

    def decision_path(self, X):
        """CSR matrix (cases, nodes) with 1 where a case passes a node."""
        return self.tree_.decision_path(self._cases(X))

    def get_depth(self) -> int:
        """Tests on the longest path; 0 for a lone leaf."""
        return self._fitted().depth

    def get_n_leaves(self) -> int:
        """Leaves, those without training cases included."""
        return self._fitted().sizes.leaves

    @property
    def feature_importances_(self) -> np.ndarray:
        """Share of every column of `X` in the tree's whole gain of information."""
        tree = self._fitted()
        shares = np.zeros(self.n_features_in_)
        np.add.at(shares, self._places(tree.feature_names), tree.importances)
        return shares

    def to_text(self, max_depth=None) -> str:
        """The tree as indented text; a leaf shows its class and (cases/errors)."""
        return self._fitted().to_text(max_depth=max_depth)

    def to_rules(self) -> str:
        """One line per leaf: its conditions and its class."""
        return self._fitted().to_rules()

    def to_frame(self):
        """One row per node, as a DataFrame."""
        return self._fitted().to_frame()

    def to_dot(self) -> str:
        """Graphviz text."""
        return self._fitted().to_dot()

    def to_code(self, language="python", *, table="cases") -> str:
        """Stand-alone code that predicts as the model does: "python", or "sql" over a table of this name."""
        return self._fitted().to_code(language, classes=list(self.classes_), table=table)

    def plot(self, ax=None, *, max_depth=None, **options):
        """Draw the tree; deeper nodes than `max_depth` (None: than is legible) are left out and counted."""
        return self._fitted().plot(ax, max_depth=max_depth, **options)

    def _fitted(self):
        check_is_fitted(self)
        return self.tree_

    def _repr_html_(self):
        """The drawing of a fitted tree, in notebooks."""
        import html

        if not hasattr(self, "tree_"):
            return f"<pre>{html.escape(repr(self))}</pre>"
        return f"<pre>{html.escape(repr(self))}</pre>{svg_of(self.tree_)}"

    def _repr_mimebundle_(self, **options):
        return {"text/plain": repr(self), "text/html": self._repr_html_()}


def svg_of(tree) -> str:
    """The drawing as SVG text, without touching the caller's figures."""
    import io

    from matplotlib.backends.backend_svg import FigureCanvasSVG

    axes = tree.plot(max_width=10)
    buffer = io.StringIO()
    FigureCanvasSVG(axes.figure).print_svg(buffer)
    import matplotlib.pyplot as plt

    plt.close(axes.figure)
    return buffer.getvalue().split("?>", 1)[-1]


class Predictor(ClassifierMixin, TableEstimator):
    """Predicts with its `tree_`, of any kind that gives labels and class shares of cases."""

    def predict(self, X):
        """Class of every case."""
        cases = self._cases(X)
        return self.classes_[self.tree_.predict(cases)]

    def predict_proba(self, X):
        """Class shares (cases, classes), in the order of `classes_`."""
        cases = self._cases(X)
        return self.tree_.predict_proba(cases)


class Classifier(Predictor, TreeReport):
    """A classifier whose `tree_` is a `pinetum.trees.Tree`."""


def checked_weights(sample_weight, cases):
    """float64 per case, or None."""
    if sample_weight is None:
        return None
    return _check_sample_weight(sample_weight, np.empty((cases, 1)), ensure_non_negative=True)
