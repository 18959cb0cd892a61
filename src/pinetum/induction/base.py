"""What the scikit-learn skins of all studies share: checked input, prediction, and what one sees of
a fitted tree.
"""

from collections.abc import Hashable
from functools import cache
from inspect import signature
from numbers import Integral
from typing import Any, ClassVar, cast

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from pinetum.data.dataset import Dataset
from pinetum.data.encoding import Encoding
from pinetum.data.errors import DataError, shown
from pinetum.data.schema import CURE, validated
from pinetum.data.table import Table
from pinetum.induction.cases import (
    as_array,
    check_names,
    checked_classes,
    dataset_of,
    frame_of,
    plain_numbers,
    refuse_merged,
)
from pinetum.parameters import Seed, Words, check
from pinetum.trees.tree import Tree

__all__ = [
    "Classifier",
    "Predictor",
    "SelectorMixin",
    "TableEstimator",
    "TreeReport",
    "check_is_fitted",
    "checked_weights",
    "seed_of",
]


@cache
def parameters_of(estimator: Hashable) -> tuple[str, ...]:
    """Names of a class's parameters."""
    return tuple(signature(cast(Any, estimator)).parameters)


class TableEstimator(BaseEstimator):
    """Learns from a table and classes.

    Columns of a DataFrame that hold categories, text or truth values are discrete; all others, and
    all columns of an array of numbers, are numbers. NaN, NA and None are missing values; a discrete
    value that was not seen in training counts as missing.

    Every column is used, however good, except dates, what is neither number nor text, and text that
    names or describes cases (nearly every case has a value of its own); these are left out with a
    `DataWarning` that names column and cure. A column of dtype category is always used. Parameters
    by column speak of the columns that were given.
    """

    _ranges: ClassVar[
        dict[str, Any]
    ] = {}  # of parameters beside `parameters.RANGES`, or unlike these

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.input_tags.sparse = True
        tags.target_tags.required = True
        return tags

    # ------------------------------------------------------------------ input

    def _learned(self, X, y) -> Dataset:
        """The training cases; `classes_` names their classes, `encoding_` reads new cases (None:
        numbers as given).
        """
        options = {name: getattr(self, name) for name in parameters_of(cast(Hashable, type(self)))}
        check({"random_state": Seed()} | self._ranges, **options)
        self.from_table_ = isinstance(X, Dataset)
        if self.from_table_:
            return self._learned_from(X, y)
        X = as_array(X)
        y = checked_classes(y)
        frame = frame_of(X)
        numbers = plain_numbers(X, y) if frame is None else None
        if numbers is not None:
            X, self.n_features_in_ = numbers, numbers.shape[1]
            self.__dict__.pop("feature_names_in_", None)  # of an earlier fit
        elif frame is None:
            given = X
            X, y = validate_data(self, X, y, dtype=np.float64, ensure_all_finite="allow-nan")
            refuse_merged(given, X)
        else:
            check_names(frame)
            if not len(frame):
                raise ValueError(
                    f"X: 0 sample(s) (shape={frame.shape}) while a minimum of 1 is required"
                )
            X, y = validate_data(self, frame, y, skip_check_array=True)
            self._columns = [str(name) for name in frame.columns]
            y = (
                np.asarray(y).reshape(-1)
                if np.ndim(y) == 2 and np.shape(y)[1] == 1
                else np.asarray(y)
            )
            if len(y) != len(frame):
                raise ValueError(
                    f"X has {len(frame)} cases and y {len(y)}; give one class per case"
                )
        if (
            y.ndim != 1 or y.dtype.kind not in "biuU"
        ):  # the check of the others is a quarter of the time that a small table takes
            check_classification_targets(y)
        self.classes_, labels = np.unique(y, return_inverse=True)
        self.encoding_ = None
        data = dataset_of(
            X,
            labels,
            self.classes_,
            self._names(),
            frame is not None,
            type(self).__name__,
            options.get("n_jobs"),
        )
        self.encoding_ = data.kept_encoding() if isinstance(data, Table) else None
        return data

    def _learned_from(self, data, y) -> Dataset:
        """The same from a `Table` or `Dataset`, which knows its classes."""
        if y is not None:
            raise ValueError(
                "y: a table knows its classes; fit it alone, or give a DataFrame and y"
            )
        self.classes_ = np.array(data.class_names, dtype=object)
        self.feature_names_in_ = np.array(data.feature_names, dtype=object)
        self.n_features_in_ = data.n_features
        self.encoding_ = data.kept_encoding() if isinstance(data, Table) else None
        return data

    def _cases(self, X, types=np.float64) -> np.ndarray:
        """Cases to predict (cases, features of the tree): numbers, codes of discrete values, NaN.

        In float64; an array of numbers of another of the `types` stays as it is.
        """
        check_is_fitted(self)
        if isinstance(X, Dataset):
            X = X.decode().drop(columns=X.outcome) if isinstance(X, Table) else X.numbers()
        if self.from_table_:
            return (
                np.asarray(X, dtype=np.float64)
                if self.encoding_ is None
                else self.encoding_.encode(X)
            )
        X = as_array(X)
        if self.encoding_ is None:
            frame = frame_of(X)
            return validate_data(
                self,
                X if frame is None else frame,
                reset=False,
                dtype=types,
                ensure_all_finite="allow-nan",
            )
        frame = frame_of(X, always=True)
        if frame is None or (hasattr(self, "feature_names_in_") and not hasattr(X, "columns")):
            raise ValueError("X: fitted on a DataFrame with discrete columns; expected one again")
        validate_data(self, frame, reset=False, skip_check_array=True)
        return self.encoding_.encode(frame.set_axis([str(name) for name in frame.columns], axis=1))

    def _names(self) -> list[str]:
        """Names of the columns that `fit` was given.

        Those of a mixed table also where not all are text.
        """
        if hasattr(self, "feature_names_in_"):
            return [str(name) for name in self.feature_names_in_]
        if self.encoding_ is not None:
            return self._columns
        return [f"x{j}" for j in range(self.n_features_in_)]

    def _is_named(self) -> bool:
        """Whether `fit` was given columns with names."""
        return self.encoding_ is not None or hasattr(self, "feature_names_in_")

    def _per_feature(self, name, data, others=1.0) -> np.ndarray | None:
        """What the parameter of this name says of each feature of the data.

        It is a list for the columns that `fit` was given, or a dict by their names; `others` is
        said of those that it does not name.
        """
        given, columns = getattr(self, name), self._names()
        if given is None:
            return None
        places = self._places(data.feature_names)
        if not isinstance(given, dict):
            values = np.asarray(given, dtype=np.float64)
            if values.shape != (len(columns),):
                raise ValueError(
                    f"{name}: the shape is {values.shape}; give one for each of {len(columns)}"
                    " columns"
                )
            return values[places]
        encoding = self.encoding_.features if self.encoding_ is not None else ()
        read_from = {feature.name: feature.column for feature in encoding}  # x.year, x.month from x
        known = {line.column: line.column for line in getattr(data, "columns", ())}
        known |= {column.strip(): column for column in columns} | {c: c for c in columns}
        unknown = sorted(set(map(str, given)) - set(known))
        if unknown:
            raise ValueError(
                f"{name}: {unknown[0]!r} is not a column; the columns are {', '.join(columns)}"
            )
        named = {known[str(column)]: value for column, value in given.items()}
        said = [
            named.get(columns[place], named.get(read_from.get(feature), others))
            for feature, place in zip(data.feature_names, places, strict=True)
        ]
        return np.array(said, dtype=np.float64)

    def _reading(self) -> dict:
        """Where generated code finds the features: `columns`, `others` beside them, and `markers`.

        A part of a date is a column of its own, as `Encoding.encode` takes it too.
        """
        columns = self._names()
        if self.encoding_ is None:
            return {"columns": columns}
        features = self.encoding_.features
        given = [feature.column for feature in features]
        if not self.from_table_:
            given = [columns[place] for place in self._places([f.name for f in features])]
        read = [
            feature.name if feature.part and feature.name != feature.column else name
            for feature, name in zip(features, given, strict=True)
        ]
        return {"columns": read, "others": columns, "markers": self.encoding_.missing}

    def _places(self, names) -> np.ndarray:
        """Position of these features among the columns that `fit` was given."""
        columns = self._names()
        if self.encoding_ is None or self.from_table_:
            place = {name: j for j, name in enumerate(columns)}
            return np.array([place[name] for name in names], dtype=np.int64)
        place = {name.strip(): j for j, name in enumerate(columns)}
        column = {feature.name: feature.column for feature in self.encoding_.features}
        return np.array([place[column[name]] for name in names], dtype=np.int64)


# What JSON has no word for is an object with one of these keys and nothing else.
NUMBER, PAIRS = "$number", "$pairs"
UNUSUAL = {"inf": np.inf, "-inf": -np.inf, "nan": np.nan}


def written(name, value):
    """A parameter as JSON holds it; `read_back` gives the same again, with lists for tuples and
    arrays.
    """
    value = value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value
    if isinstance(value, float) and not np.isfinite(value):
        return {NUMBER: str(value)}
    if value is None or isinstance(value, (str, int, float)):
        return value
    if isinstance(value, (list, tuple)):
        return [written(name, part) for part in value]
    if isinstance(value, dict) and all(
        isinstance(key, str) and key not in (NUMBER, PAIRS) for key in value
    ):
        return {key: written(name, part) for key, part in value.items()}
    if isinstance(value, dict):  # class_weight={0: 1, 1: 5}
        return {PAIRS: [[written(name, key), written(name, part)] for key, part in value.items()]}
    cure = f"give it by name, or before saving model.set_params({name}=None)"
    raise DataError(f"{name} = {shown(value)} is an object that a file cannot hold", cure=cure)


def read_back(value):
    """What `written` was given."""
    if isinstance(value, list):
        return [read_back(part) for part in value]
    if not isinstance(value, dict):
        return value
    if not {NUMBER, PAIRS} & set(value):
        return {key: read_back(part) for key, part in value.items()}
    if set(value) == {NUMBER} and str(value[NUMBER]) in UNUSUAL:
        return UNUSUAL[str(value[NUMBER])]
    pairs = value.get(PAIRS)
    if (
        set(value) == {PAIRS}
        and isinstance(pairs, list)
        and all(isinstance(p, list) and len(p) == 2 for p in pairs)
    ):
        keys = [read_back(key) for key, _ in pairs]
        if all(isinstance(key, (str, int, float)) for key in keys):
            return dict(zip(keys, (read_back(part) for _, part in pairs), strict=True))
    raise DataError(f"a parameter reads {shown(value)}", cure=CURE)


LABELS = {"b": bool, "i": int, "u": np.uint64, "f": float, "U": str, "O": object}
MODEL = {
    "type": "object",
    "additionalProperties": False,
    "required": ["parameters", "columns", "named", "from_table", "encoding", "classes", "state"],
    "properties": {
        "parameters": {"type": "object"},
        "columns": {"type": "array", "items": {"type": "string"}, "minItems": 1},
        "named": {"type": "boolean"},
        "from_table": {"type": "boolean"},
        "encoding": {"type": ["object", "null"]},
        "classes": {
            "type": "object",
            "additionalProperties": False,
            "required": ["kind", "values"],
            "properties": {
                "kind": {"enum": list(LABELS)},
                "values": {
                    "type": "array",
                    "minItems": 1,
                    "items": {"type": ["string", "number", "boolean"]},
                },
            },
        },
        "state": {"type": "object"},
    },
}


class SavedEstimator(TableEstimator):
    """A fitted estimator to and from what JSON holds.

    `pinetum.save` and `pinetum.load` write and read it.
    """

    _former_names: ClassVar[
        dict[str, str]
    ] = {}  # of parameters, in files of earlier versions: name there -> today's

    def _state(self) -> dict:
        """What `fit` left beside the classes and the encoding."""
        raise NotImplementedError

    def _restore(self, state: dict) -> None:
        raise NotImplementedError

    def to_dict(self) -> dict:
        """The fitted model as plain content; see `pinetum.save`."""
        check_is_fitted(self)
        if self.classes_.dtype.kind not in LABELS:
            cure = "fit with classes that are text or numbers"
            raise DataError(
                f"the classes are {self.classes_.dtype}, which a file cannot hold", cure=cure
            )
        return {
            "parameters": {
                name: written(name, value) for name, value in self.get_params(deep=False).items()
            },
            "columns": self._names(),
            "named": hasattr(self, "feature_names_in_"),
            "from_table": self.from_table_,
            "encoding": None if self.encoding_ is None else self.encoding_.to_dict(),
            "classes": {"kind": self.classes_.dtype.kind, "values": self.classes_.tolist()},
            "state": self._state(),
        }

    @classmethod
    def from_dict(cls, content: dict):
        """What `to_dict` gave; a `DataError` says what is wrong with anything else."""
        validated(content, MODEL)
        known = cls().get_params(deep=False)
        given = {
            cls._former_names.get(name, name): value
            for name, value in content["parameters"].items()
        }
        unknown = sorted(set(given) - set(known))
        if unknown:
            raise DataError(f"{unknown[0]!r} is not a parameter of {cls.__name__}", cure=CURE)
        model = cls(**{name: read_back(value) for name, value in given.items()})
        columns, classes = content["columns"], content["classes"]
        model.classes_ = np.array(classes["values"], dtype=LABELS[classes["kind"]])
        if len(set(classes["values"])) < len(classes["values"]):
            raise DataError("a class is named twice", cure=CURE)
        model.n_features_in_ = len(columns)
        if content["named"]:
            model.feature_names_in_ = np.array(columns, dtype=object)
        model.from_table_ = content["from_table"]
        model.encoding_ = (
            None if content["encoding"] is None else Encoding.from_dict(content["encoding"])
        )
        if model.encoding_ is not None and not model.from_table_:
            read = {feature.column for feature in model.encoding_.features}
            if not content["named"] and not read <= {name.strip() for name in columns}:
                columns = [
                    str(j) for j in range(len(columns))
                ]  # files of version 1.1 and earlier may say x0, x1, ...
            if not read <= {name.strip() for name in columns}:
                raise DataError("the encoding does not fit the columns beside it", cure=CURE)
            model._columns = columns
        model._restore(content["state"])
        return model

    def _check_known(self, names) -> None:
        """Refuse a tree from a file with names that are no columns of the model."""
        try:
            self._places(names)
        except KeyError as unknown:
            raise DataError(
                f"the tree names {shown(unknown.args[0])}, which is none of the columns beside it",
                cure=CURE,
            ) from None

    def _width(self) -> int:
        """Number of features that the model itself takes."""
        return self.n_features_in_ if self.encoding_ is None else len(self.encoding_.features)


class TreeReport(TableEstimator):
    """What one sees of a fitted `tree_`, shared by all classifiers whose model is a
    `pinetum.trees.Tree`.
    """

    def apply(self, X):
        """Leaf of every case, as a node of `tree_`.

        Of a case spread over several, the one with the largest part.
        """
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
        """Stand-alone code that predicts as the model does.

        Parameters
        ----------
        language : {"python", "sql"}
            A module with `predict(case)` and `predict_proba(case)` of a dict from column to value;
            or one statement for SQLite (3.35 and later), PostgreSQL (12) and DuckDB, which adds the
            column `predicted` to those that the model reads.
        table : str
            Name of the table in SQL.

        Notes
        -----
        Parts of dates are columns of their own, called for example `day.month`. NULL and, where the
        database has them, NaN and infinite numbers are missing values. Columns of numbers are to
        have a type of numbers. Capital letters beyond ASCII are told from small ones as the
        database's LOWER does, and SQLite knows only the first 15 digits of numbers among
        categories.
        """
        return self._fitted().to_code(
            language,
            classes=self._class_values(),
            table=table,
            missing=self._branch_of_missing(),
            **self._reading(),
        )

    def to_sklearn(self):
        """A `DecisionTreeClassifier` that predicts as the model does, for tools that take such.

        Its cases are those of `encode`. scikit-learn rounds them to float32: a number that differs
        from a threshold by less may take the other branch.
        """
        labels, shares = self._class_of_nodes()
        model = self._fitted().to_sklearn(
            classes=self.classes_,
            labels=labels,
            shares=shares,
            branch_of_missing=self._branch_of_missing(),
        )
        if self._is_named():
            model.feature_names_in_ = np.array(self.tree_.feature_names, dtype=object)
        return model

    def encode(self, X, *, missing="refuse"):
        """Cases as `to_sklearn` reads them: numbers, and places of values in their columns'
        domains.

        A DataFrame where `fit` was given one.

        Parameters
        ----------
        missing : {"refuse", "larger"}
            Of missing values that the tree shares out to all branches, which scikit-learn's trees
            cannot: refuse them, or keep them. They then go to the branch of most training cases.
        """
        import pandas as pd

        check({"missing": Words(("refuse", "larger"))}, missing=missing)
        cases, tree = np.array(TableEstimator._cases(self, X)), self.tree_
        known = self._branch_of_missing()
        for feature, branch in known.items():
            if tree.values[feature] is not None:
                cases[np.isnan(cases[:, feature]), feature] = branch
        for feature in tree.used_features if missing == "refuse" else ():
            if feature not in known and np.isnan(cases[:, feature]).any():
                raise ValueError(
                    f"X: column {tree.feature_names[feature]}: missing values, which the tree"
                    " shares out to all branches and scikit-learn cannot; fill them, or give"
                    " missing='larger'"
                )
        return pd.DataFrame(cases, columns=list(tree.feature_names)) if self._is_named() else cases

    def _class_of_nodes(self) -> tuple:
        """Class and class shares of every node of the tree, as places in `classes_`."""
        tree = self._fitted()
        return tree.label, tree._leaf_shares

    def _class_values(self) -> list:
        """What each class of the tree is called in `y`."""
        return list(self.classes_)

    def _branch_of_missing(self) -> dict:
        """{feature: branch} of features whose missing values all take one branch."""
        return {}

    def plot(self, ax=None, *, max_depth=None, **options):
        """Draw the tree; deeper nodes than `max_depth` (None: than is legible) are left out and
        counted.
        """
        return self._fitted().plot(ax, max_depth=max_depth, **options)

    def _fitted(self):
        check_is_fitted(self)
        return self.tree_

    def _repr_html_(self):
        """The drawing of a fitted tree, in notebooks."""
        import html

        if not hasattr(self, "tree_"):
            return f"<pre>{html.escape(repr(self))}</pre>"
        return f"<pre>{html.escape(repr(self))}</pre>{svg_of(self._fitted())}"

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


class ColumnSelector(SelectorMixin, TableEstimator):
    """Selects the columns of `support_`; a DataFrame comes out as a DataFrame with its dtypes."""

    def transform(self, X):
        """The selected columns of X."""
        check_is_fitted(self)
        if not hasattr(X, "iloc") or not self._is_named():
            return super().transform(X)
        validate_data(self, X, reset=False, skip_check_array=True)
        return X.loc[:, self.support_]

    def _get_support_mask(self):
        check_is_fitted(self)
        return self.support_

    def _support(self, names) -> np.ndarray:
        """A mask over the columns that `fit` was given."""
        support = np.zeros(self.n_features_in_, dtype=bool)
        support[self._places(names)] = True
        return support


class Predictor(ClassifierMixin, TableEstimator):
    """Predicts with its `tree_`, of any kind that gives labels and class shares of cases."""

    _types: ClassVar[tuple] = (np.float64,)  # of numbers that the tree takes

    def predict(self, X):
        """Class of every case."""
        cases = self._cases(X, self._types)
        return self.classes_[self.tree_.predict(cases)]

    def predict_proba(self, X):
        """Class shares (cases, classes), in the order of `classes_`."""
        cases = self._cases(X, self._types)
        return self.tree_.predict_proba(cases)

    def predict_log_proba(self, X):
        """Logarithms of the class shares."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))


class Classifier(Predictor, TreeReport, SavedEstimator):
    """A classifier whose `tree_` is a `pinetum.trees.Tree`."""

    _types = (np.float64, np.float32)

    def _said(self) -> str:
        """What is not proved of a tree that was searched for, or nothing."""
        return ""

    def __repr__(self, **options):
        return "  # ".join(filter(None, (super().__repr__(**options), self._said())))

    def to_text(self, max_depth=None) -> str:
        """The tree as indented text; a leaf shows its class and (cases/errors).

        The first line of a tree that was searched for says what of it is not proved.
        """
        said = self._said()
        return (f"# {said}\n" if said else "") + super().to_text(max_depth)

    def _state(self) -> dict:
        return {"tree": self.tree_.to_dict()}

    def _restore(self, state):
        self.tree_ = Tree.from_dict(part_of(state, "tree"))
        if (len(self.tree_.feature_names), self.tree_.n_classes) != (
            self._width(),
            len(self.classes_),
        ):
            raise DataError("the tree does not fit the columns and classes beside it", cure=CURE)
        self._check_known(self.tree_.feature_names)


def seed_of(random_state) -> int:
    """`random_state` as the whole number that names all random streams.

    None and generators of numpy draw one: then two calls give two results.
    """
    if random_state is None:
        random_state = np.random.default_rng()
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(1 << 31))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(1 << 31, dtype=np.int64))
    if (
        isinstance(random_state, Integral)
        and not isinstance(random_state, bool)
        and int(random_state) >= 0
    ):
        return int(random_state)
    raise ValueError(
        f"random_state = {random_state!r}: expected a whole number from 0 (equal ones give equal"
        " results), None, or a generator of numpy"
    )


def part_of(state: dict, key: str):
    if not isinstance(state.get(key), dict):
        raise DataError(f"misses {key}", cure=CURE)
    return state[key]


def balanced_weights(class_weight, y, weights):
    """Weights of cases times those of their classes, scaled so that all weigh together as before;
    None where nothing is weighted.
    """
    if class_weight is None:
        return weights
    given = np.ones(len(y)) if weights is None else weights
    weights = given * compute_sample_weight(class_weight, y)
    if not (np.isfinite(weights).all() and (weights >= 0).all() and weights.any()):
        raise ValueError(
            f"class_weight = {class_weight!r}: expected numbers from 0, not all of them 0"
        )
    return weights * (given.sum() / weights.sum())


def checked_losses(cost_matrix, classes) -> np.ndarray | None:
    """float64 (classes, classes), or None."""
    if cost_matrix is None:
        return None
    losses = np.asarray(cost_matrix, dtype=np.float64)
    if losses.shape != (classes, classes) or not np.isfinite(losses).all():
        raise ValueError(f"cost_matrix: {classes} x {classes} finite numbers are needed")
    return losses


def checked_weights(sample_weight, cases):
    """float64 per case, or None."""
    if sample_weight is None:
        return None
    weights = np.asarray(sample_weight, dtype=np.float64)
    if weights.ndim == 0:
        weights = np.full(cases, float(weights))
    if weights.shape != (cases,):
        raise ValueError(
            f"sample_weight: shape {weights.shape}; give one weight for each of {cases} cases"
        )
    if not np.isfinite(weights).all() or (weights < 0).any():
        raise ValueError("sample_weight: expected finite weights that are not negative")
    if not weights.any():
        raise ValueError("sample_weight: all weights are zero")
    if not 1e-100 < weights.sum() < 1e100:
        raise ValueError(
            f"sample_weight: together {weights.sum():g}; scale them so that a case weighs about 1"
        )
    return weights
