"""Cases and classes as they come, a frame, an array or a table, as the data set that every method
takes.
"""

from dataclasses import replace
from itertools import pairwise
from numbers import Integral

import numpy as np
from scipy.sparse import issparse

from pinetum.constants import MOST_WHOLE_CASES
from pinetum.data.building import Source
from pinetum.data.cells import EXACT
from pinetum.data.dataset import Dataset
from pinetum.data.errors import shown
from pinetum.data.frames import as_frame, as_pandas
from pinetum.data.table import table_of, told
from pinetum.induction.table import presort, rank_numbers

MOST_CELLS = 1 << 28  # of a sparse matrix made dense: 2 GB


def cases_of(X, y=None, name="cases") -> Dataset:
    """The data set of X and y; a `Dataset` or `Table`, which knows its classes, comes alone.

    Columns as `TableEstimator` has them.

    Examples
    --------
    >>> cases_of([[0, 1], [1, 0]], ["no", "yes"]).class_names
    ('no', 'yes')
    """
    if isinstance(X, Dataset):
        if y is not None:
            raise ValueError("y: a table knows its classes; give it alone, or a DataFrame and y")
        return X
    if y is None:
        raise ValueError("y: X needs its classes; give X and y, or a Table")
    X = as_array(X)
    y = checked_classes(y)
    frame = frame_of(X)
    table = X if frame is None else frame
    names = [str(column) for column in table.columns] if hasattr(table, "columns") else None
    if frame is None:
        named = hasattr(X, "to_numpy")
        table = (
            X.to_numpy(dtype=np.float64, na_value=np.nan)
            if named
            else np.asarray(X, dtype=np.float64)
        )
        if table.ndim != 2 or 0 in table.shape:
            raise ValueError(f"X has the shape {table.shape}; expected cases and columns")
        if np.isinf(table).any():
            raise ValueError("X holds an infinite number; give NaN where a value is missing")
        refuse_merged(X, table)
    y = np.asarray(y).reshape(-1) if np.ndim(y) == 2 and np.shape(y)[1] == 1 else np.asarray(y)
    if y.shape != (len(table),):
        raise ValueError(
            f"X has {len(table)} cases and y the shape {y.shape}; give one class per case"
        )
    classes, labels = np.unique(y, return_inverse=True)
    names = [f"x{j}" for j in range(table.shape[1])] if names is None else names
    return dataset_of(table, labels, classes, names, frame is not None, name)


def as_array(X):
    """Masked cells as missing ones, lists that hold text as an array, sparse matrices as dense
    ones, frames of other libraries as those of pandas.

    Anything else as it is.
    """
    if issparse(X):
        if X.shape[0] * X.shape[1] > MOST_CELLS:
            raise MemoryError(
                f"X: a sparse matrix of {X.shape[0]:,} x {X.shape[1]:,}; trees here need every"
                f" cell, at most {MOST_CELLS:,}: select columns, or give categories as they are"
            )
        return X.toarray()
    if isinstance(X, np.ma.MaskedArray):
        return X.astype(np.float64 if X.dtype.kind in "biuf" else object).filled(np.nan)
    if isinstance(X, list) and any(
        isinstance(cell, str) for row in X if isinstance(row, list | tuple) for cell in row
    ):
        return np.array(X, dtype=object)
    return as_pandas(X)


def refuse_merged(X, table) -> None:
    """Refuse columns of X in which two whole numbers are one in `table`, the same as float64: names
    of 16 digits.
    """
    if np.abs(table).max(initial=0, where=np.isfinite(table)) < EXACT:
        return
    for name, column in as_frame(X).items():
        whole = {int(cell) for cell in column.dropna() if isinstance(cell, Integral)}
        for first, second in pairwise(sorted(number for number in whole if abs(number) >= EXACT)):
            if float(first) == float(second):
                cure = "give it as text if they are names, or take off a common part"
                raise ValueError(
                    f"X: column {name}: {first} and {second} are one number in double precision;"
                    f" {cure}"
                )


def checked_classes(y):
    """Classes as they are; refused are missing ones, no list of one per case, and text beside
    something else.

    Columns of pandas that know NA would become float64 later: True would be predicted as 1.0, and
    names of 16 digits would be one. So they are made arrays of what they hold.
    """
    import pandas as pd

    if y is None:
        return None  # who needs it says so
    knows_na = isinstance(getattr(y, "dtype", None), pd.api.extensions.ExtensionDtype)
    whole = knows_na and (
        pd.api.types.is_integer_dtype(y.dtype) or pd.api.types.is_bool_dtype(y.dtype)
    )
    array = np.asarray(y)
    if array.ndim == 0 or array.shape[1:] not in ((), (1,)):
        raise ValueError(f"y: the shape is {array.shape}; give one class per case")
    masked = np.ma.is_masked(y)
    if array.dtype.kind not in "fO" and not masked:
        return np.array(y.tolist()) if whole else y
    cells = array.reshape(-1)
    missing = np.flatnonzero(np.ma.getmaskarray(y) if masked else pd.isna(cells))
    if len(missing):
        what = f"y: the class of case {missing[0] + 1} is missing"
        raise ValueError(
            f"{what}; leave out the cases that have none, {len(missing):,} of {len(cells):,}"
        )
    kinds = {type(cell).__name__ for cell in cells} if array.dtype.kind == "O" else set()
    if "str" in kinds and len(kinds) > 1:
        raise ValueError(
            f"y: classes of several types, {', '.join(sorted(kinds))}; write all of them as text"
        )
    return np.array(y.tolist()) if whole else y


def plain_numbers(X, y):
    """X as float64 where scikit-learn's checks, as long as a small tree, would change nothing else.

    None elsewhere.
    """
    if type(X) is not np.ndarray or type(y) is not np.ndarray or X.ndim != 2 or not X.size:
        return None
    if y.dtype.kind not in "biuU" or y.shape != (len(X),):
        return None
    if X.dtype.kind in "biu":
        plain = X.dtype.itemsize < 8 or (
            X.max() < EXACT and (X.dtype.kind == "u" or X.min() > -EXACT)
        )
    else:
        plain = X.dtype in (np.float32, np.float64) and not np.isinf(X).any()
    return X.astype(np.float64, copy=False) if plain else None


def check_names(frame) -> None:
    """Refuse columns of one name: new cases are read by names, without the blanks around them."""
    names = [str(name).strip() for name in frame.columns]
    twice = (
        [name for name in names if names.count(name) > 1] if len(set(names)) < len(names) else []
    )
    if twice:
        raise ValueError(f"X: two columns are called {shown(twice[0])}; rename one of them")


def dataset_of(table, labels, classes, names, mixed, name, n_jobs=None) -> Dataset:
    """A data set of numbers (cases, features), or of a `mixed` frame, with labels of the
    classes.
    """
    class_names = tuple(str(label) for label in classes)
    labels = labels.astype(np.int32)
    if not mixed:
        return dataset_of_numbers(name, table, labels, class_names, tuple(names), n_jobs)
    series = table.set_axis([str(column) for column in table.columns], axis=1)
    # Written so, classes called NA, 1.0 or "" are neither missing nor numbers to the reader.
    marked = [f"y = {label!r}" for label in class_names]
    source = Source("table", options={"classes": marked}, for_fit=True)
    data = told(table_of(series, np.array(marked, dtype=object)[labels], source))
    return replace(data, class_names=class_names)


def frame_of(X, always=False):
    """X as a DataFrame where it has columns that are not plain numbers.

    None where an array of numbers will do.
    """
    import pandas as pd

    if hasattr(X, "columns") and hasattr(X, "dtypes"):
        number = [
            pd.api.types.is_numeric_dtype(t) and not pd.api.types.is_bool_dtype(t) for t in X.dtypes
        ]
        plain = all(number) and not any(pd.api.types.is_complex_dtype(t) for t in X.dtypes)
        return X if always or not plain else None
    if (
        isinstance(X, np.ndarray)
        and X.ndim == 2
        and X.dtype.kind in "OU"
        and X.size
        and not all_numbers(X)
    ):
        return pd.DataFrame(X).infer_objects()
    return None


def all_numbers(X) -> bool:
    """Whether no cell of an array is text."""
    return X.dtype.kind == "O" and not any(isinstance(value, str) for value in X.ravel())


def dataset_of_numbers(name, table, labels, classes, names, n_jobs=None) -> Dataset:
    """A table of numbers (cases, features), NaN where missing, as a Dataset that is already
    presorted.
    """
    codes, values, *ranked = rank_numbers(table, labels, len(classes), n_jobs)
    continuous = np.ones(table.shape[1], dtype=bool)
    data = Dataset(name, codes, labels, continuous, values, tuple(names), classes)
    if data.n_cases <= MOST_WHOLE_CASES:
        data.__dict__["_table"] = presort(data, ranked)
    return data
