"""Columns of a DataFrame, of whatever dtype, as arrow arrays: numbers, text, categories, dates."""

import datetime
import decimal
import numbers

import numpy as np
import pyarrow as pa

from pinetum.data.cells import EXACT
from pinetum.data.errors import DataError, shown

BOOLEANS = ("False", "True")
WHOLE_OR_REAL = (int, float, np.integer, np.floating)


def as_pandas(table):
    """A DataFrame of pandas from any that narwhals knows (polars, arrow, DuckDB, lazy ones too).

    Anything else as it is.
    """
    import pandas as pd

    if isinstance(table, (np.ndarray, pd.DataFrame, pd.Series, list, dict)):
        return table
    import narwhals

    frame = narwhals.from_native(table, pass_through=True)
    if isinstance(frame, narwhals.LazyFrame):
        frame = frame.collect()
    return frame.to_pandas() if isinstance(frame, narwhals.DataFrame) else table


def as_frame(table):
    """A DataFrame from whatever holds columns with names: one of another library, a mapping, an
    array.
    """
    import pandas as pd

    table = as_pandas(table)
    if isinstance(table, pd.DataFrame):
        return table
    if isinstance(table, (dict, list)) or np.ndim(table) == 2:
        frame = pd.DataFrame(table)
        return frame if isinstance(table, dict) else frame.rename(columns=lambda name: f"x{name}")
    raise DataError(
        f"{type(table).__name__} is not a table", cure="give a DataFrame or a mapping of columns"
    )


def arrow_column(series, name) -> tuple[pa.Array | None, tuple | None]:
    """The column as an arrow array (None where its values are no cells), and the values that its
    dtype declares.
    """
    import pandas as pd

    dtype = series.dtype
    if isinstance(dtype, pd.SparseDtype):
        series = series.sparse.to_dense()
        dtype = series.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        domain = tuple(category_text(value) for value in dtype.categories)
        if len(set(domain)) < len(domain):
            raise DataError(
                "two categories have the same text", column=name, cure="rename one of them"
            )
        codes = series.cat.codes.to_numpy().astype(np.int32)
        array = pa.DictionaryArray.from_arrays(
            pa.array(codes, mask=codes < 0), pa.array(domain, pa.string())
        )
        return array, domain
    if pd.api.types.is_bool_dtype(dtype):
        known = series.isna().to_numpy()
        codes = series.fillna(False).to_numpy(dtype=bool).astype(np.int32)
        return (
            pa.DictionaryArray.from_arrays(
                pa.array(codes, mask=known), pa.array(BOOLEANS, pa.string())
            ),
            None,
        )
    if pd.api.types.is_complex_dtype(dtype):
        return None, None
    if pd.api.types.is_integer_dtype(dtype) and beyond_exact(series):
        return (
            pa.array(
                series.astype(object),
                pa.uint64() if series.min() >= 0 else pa.int64(),
                from_pandas=True,
            ),
            None,
        )
    if pd.api.types.is_numeric_dtype(dtype):
        return pa.array(series.to_numpy(dtype=np.float64, na_value=np.nan)), None
    if isinstance(dtype, pd.PeriodDtype):
        series = series.dt.to_timestamp()
    try:
        if not pd.api.types.is_object_dtype(dtype):
            array = pa.array(series, from_pandas=True)
            return (array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array), None
        return _arrow_objects(series), None
    except (pa.ArrowException, TypeError, ValueError):
        return None, None


def beyond_exact(whole) -> bool:
    """Whether some of these whole numbers may not be held by float64."""
    ends = [whole.min(), whole.max()] if len(whole) else []  # NA where all are missing
    return any(abs(int(end)) > EXACT for end in ends if isinstance(end, numbers.Integral))


def category_text(value) -> str:
    """A value of a category as text, the same as the reader of files would find it written."""
    if isinstance(value, (bool, np.bool_)):
        return BOOLEANS[bool(value)]
    if isinstance(value, int):
        return str(value)
    if isinstance(value, WHOLE_OR_REAL) and np.isfinite(value) and value == int(value):
        return str(int(value))
    return str(value).strip()


def _arrow_objects(series):
    """Python objects: all numbers, all dates, or text; lists, dicts and bytes are no cells."""
    known = series[series.notna()]
    kinds = {type(value) for value in known}
    if any(
        not issubclass(
            kind,
            (str, numbers.Real, decimal.Decimal, datetime.date, datetime.timedelta, np.generic),
        )
        for kind in kinds
    ):
        return None
    if kinds and all(
        issubclass(kind, (datetime.date, datetime.timedelta, np.datetime64)) for kind in kinds
    ):
        return pa.array(series, from_pandas=True)
    is_number = [
        issubclass(kind, (numbers.Real, decimal.Decimal)) and kind is not bool for kind in kinds
    ]
    large = any(issubclass(kind, numbers.Integral) for kind in kinds) and any(
        isinstance(value, numbers.Integral) and abs(int(value)) > EXACT for value in known
    )
    if (
        kinds and all(is_number) and not large
    ):  # whole numbers that float64 does not hold stay as they are written
        return pa.array(
            [
                float("nan") if gone else float(value)
                for value, gone in zip(series, series.isna(), strict=True)
            ]
        )
    texts = [
        None if gone else category_text(value)
        for value, gone in zip(series, series.isna(), strict=True)
    ]
    return pa.array(texts, pa.string())


def unique_names(names, warn) -> list[str]:
    """Names as text, each once: what is given twice gets a number, and `warn` says so."""
    taken, result, wanted = set(), [], [str(name).strip() for name in names]
    counts: dict[str, int] = {}
    known = set(wanted)
    for name in wanted:
        new = name
        while new in taken:
            counts[name] = counts.get(name, 1) + 1
            new = f"{name}_{counts[name]}"
            new = name if new in known else new
        if new != name:
            warn(
                f"column {shown(name)}: the name is given twice; the later one is now {shown(new)}"
            )
        taken.add(new)
        result.append(new)
    return result
