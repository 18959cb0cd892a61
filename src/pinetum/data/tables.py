"""A user's own table, CSV, ARFF or Parquet, to the encoded table; types are inferred unless the configuration says."""

from pathlib import Path

import numpy as np
import pyarrow as pa

from pinetum.constants import MISSING
from pinetum.data import arff
from pinetum.data.dataset import Dataset
from pinetum.data.delimited import MARKERS, line_of, load_csv
from pinetum.data.encode import KNOWN_CLASS, MOST_CLASSES, MOST_VALUES, in_order, rank
from pinetum.data.errors import DataError, shown
from pinetum.data.text import decoded

FORMATS = {
    ".csv": "csv",
    ".tsv": "csv",
    ".txt": "csv",
    ".data": "csv",
    ".arff": "arff",
    ".parquet": "parquet",
    ".pq": "parquet",
}
KEYS = {"path", "class", "format", "delimiter", "header", "missing", "types", "drop", "classes", "values"}


def read_table(name, options) -> Dataset:
    """The table that `options` (an entry under `tables` of the configuration) describes."""
    options = dict(options)
    unknown = sorted(set(options) - KEYS)
    if unknown or "path" not in options or "class" not in options:
        what = f"`{unknown[0]}` is not an option" if unknown else "`path` and `class` must be given"
        raise DataError(f"table {name}: {what}", cure=f"the options are {', '.join(sorted(KEYS))}")
    path = Path(options["path"])
    if not path.is_file():
        raise DataError("no such file", file=path, cure=f"correct `path` of table {name}")
    kind = options.get("format") or FORMATS.get(path.suffix.lower())
    if kind not in _LOADERS:
        raise DataError(
            f"cannot tell what {path.suffix or 'no ending'} means",
            file=path,
            cure="set `format` to csv, arff or parquet",
        )
    columns, declared = _LOADERS[kind](path, options)
    return _encoded(name, columns, {**declared, **_texts(options.get("values", {}))}, options, path)


def _texts(values):
    return {column: tuple(map(str, domain)) for column, domain in values.items()}


# ------------------------------------------------------------------------------------------------- files


def _load_arff(path, options):
    names, domains, cells = arff.read(decoded(path.read_bytes(), path), path)
    columns = {
        name: pa.chunked_array([pa.array(column, pa.string())]) for name, column in zip(names, cells, strict=True)
    }
    declared = {name: domain for name, domain in zip(names, domains, strict=True) if domain is not None}
    return {name: column for name, column in columns.items() if name not in options.get("drop", ())}, declared


def _load_parquet(path, options):
    from pyarrow import parquet

    try:
        table = parquet.read_table(path, use_threads=False)
    except (pa.ArrowException, OSError, ValueError) as fault:
        raise DataError(f"not a Parquet table ({str(fault)[:200]})", file=path, cure="write it again") from None
    names = [name for name in table.column_names if name not in options.get("drop", ())]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise DataError(
            f"the name {shown(twice)} is given twice", file=path, cure="give every column a name of its own"
        )
    return {name: table.column(name) for name in names}, {}


_LOADERS = {"csv": load_csv, "arff": _load_arff, "parquet": _load_parquet}


# ----------------------------------------------------------------------------------------------- columns


def _encoded(name, columns, declared, options, path):
    label, types = str(options["class"]), options.get("types", {})
    for wanted, where in [(label, "class"), *((key, "types") for key in types), *((key, "values") for key in declared)]:
        if wanted not in columns and wanted not in options.get("drop", ()):
            raise DataError(
                f"no column {shown(wanted)}, which `{where}` names",
                file=path,
                line=1,
                cure=f"the columns are {', '.join(list(columns)[:30])}",
            )
    features = [column for column in columns if column != label]
    if not features:
        raise DataError("no column but the class", file=path, line=1, cure="check `delimiter` and `drop`")
    cases = len(columns[label])
    if not cases:
        raise DataError("no line of data", file=path, line=2, cure="add the cases below the names")
    markers = tuple(map(str, options.get("missing", MARKERS)))
    cells = _Cells(path, options, list(columns))
    class_names, labels = _encode_class(cells, label, columns.pop(label), markers, options.get("classes"))
    codes = np.empty((len(features), cases), dtype=np.int32)
    values, continuous = [], np.zeros(len(features), dtype=bool)
    for place, feature in enumerate(features):  # a column is let go as soon as it is encoded
        kind = types.get(feature) or ("discrete" if feature in declared else None)
        domain, continuous[place] = _encode_column(
            cells, feature, columns.pop(feature), kind, markers, declared.get(feature), codes[place]
        )
        values.append(domain)
    return Dataset(name, codes, labels, continuous, tuple(values), tuple(features), class_names)


class _Cells:
    """Where cells stand, for messages."""

    def __init__(self, path, options, columns):
        self.path, self.options, self.columns = path, options, columns

    def fault(self, what, row, column, cure):
        is_csv = (self.options.get("format") or FORMATS.get(self.path.suffix.lower())) == "csv"
        line = line_of(self.path, self.options, int(row)) if is_csv else f"of case {int(row) + 1}"
        place = f"{self.columns.index(column) + 1} ({column})"
        return DataError(what, file=self.path, line=line, column=place, cure=cure)


class _Text:
    """A column as distinct stripped texts and, per case, the place among them (-1 is missing)."""

    def __init__(self, array, markers):
        if not pa.types.is_dictionary(array.type):
            array = array.dictionary_encode()
        raw = array.dictionary.cast(pa.string()).to_pylist()
        places = array.indices.fill_null(MISSING).to_numpy(zero_copy_only=False)
        self.values, table, known = [], np.full(len(raw) + 1, MISSING, dtype=np.int32), {}
        for place, value in enumerate(raw):
            value = value.strip() if value is not None else ""
            if value not in markers:
                if value not in known:
                    known[value] = len(self.values)
                    self.values.append(value)
                table[place] = known[value]
        self.places = table[places]

    def seen(self):
        """Values that a case has, in order of place."""
        return np.bincount(self.places[self.places != MISSING], minlength=len(self.values)) > 0

    def row_of(self, place) -> int:
        return int(np.argmax(self.places == place))


def _content(column, markers):
    """float64 with NaN for missing, a `_Text`, or None for a type that is neither."""
    array = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if isinstance(array, pa.ChunkedArray):
        array = pa.concat_arrays(array.chunks)
    kind = array.type
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        numbers = array.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False)
        return numbers if np.isfinite(numbers[~np.isnan(numbers)]).all() else _Text(array.cast(pa.string()), markers)
    if pa.types.is_boolean(kind):
        array = array.cast(pa.string())
    value = array.type.value_type if pa.types.is_dictionary(array.type) else array.type
    if not (pa.types.is_string(value) or pa.types.is_large_string(value)):
        return None
    return _Text(array, markers)


def _encode_column(cells, name, column, kind, markers, declared, out):
    content = _content(column, markers)
    if content is None:
        what = f"a column of type {column.type}"
        raise DataError(
            what, file=cells.path, column=name, cure="list it under `drop`, or convert it to text or numbers"
        )
    if isinstance(content, np.ndarray):
        if kind != "discrete":
            return rank(content, out), True
        content = _Text(pa.array(_as_text(content)), markers)
    if kind != "discrete":
        numbers, bad = _as_numbers(content.values)
        if bad is None:
            return rank(np.append(numbers, np.nan)[content.places], out), True
        if kind == "number":
            what = f"{shown(content.values[bad])} is not a number"
            raise cells.fault(what, content.row_of(bad), name, "correct the cell, or list it under `missing`")
    return _encode_discrete(cells, name, content, declared, out), False


def _as_text(numbers):
    """Whole numbers without a point; NaN is missing."""
    return [
        None if number != number else f"{number:.0f}" if number == int(number) else repr(number)
        for number in numbers.tolist()
    ]


def _as_numbers(values):
    """The values as float64 and None, or the place of the first that is no finite number."""
    try:
        numbers = pa.array(values, pa.string()).cast(pa.float64()).to_numpy(zero_copy_only=False)
        bad = np.flatnonzero(~np.isfinite(numbers))
        return numbers, (int(bad[0]) if len(bad) else None)
    except pa.ArrowInvalid:
        for place, value in enumerate(values):
            try:
                if not np.isfinite(pa.scalar(value).cast(pa.float64()).as_py()):
                    return None, place
            except pa.ArrowInvalid:
                return None, place
        raise


def _encode_discrete(cells, name, content, declared, out):
    seen = content.seen()
    values = [value for value, there in zip(content.values, seen, strict=True) if there]
    if len(values) > MOST_VALUES:
        what = f"{len(values):,} different values in a discrete column"
        cure = "list it under `drop` if it identifies the case, or set its type to number"
        raise DataError(what, file=cells.path, column=name, cure=cure)
    domain = in_order(values) if declared is None else declared
    index = {value: code for code, value in enumerate(domain)}
    strange = next((value for value in values if value not in index), None)
    if strange is not None:
        cure = f"correct the cell, or declare the value; declared are {', '.join(domain[:20])}"
        row = content.row_of(content.values.index(strange))
        raise cells.fault(f"{shown(strange)} is not a declared value", row, name, cure)
    table = np.array([*(index.get(value, MISSING) for value in content.values), MISSING], dtype=np.int32)
    out[:] = table[content.places]
    return domain


def _encode_class(cells, name, column, markers, classes):
    content = _content(column, markers)
    if content is None:
        what = f"the class has type {column.type}"
        raise DataError(what, file=cells.path, column=name, cure="convert it to text or whole numbers")
    if isinstance(content, np.ndarray):
        content = _Text(pa.array(_as_text(content)), markers)
    if (content.places == MISSING).any():
        row = content.row_of(MISSING)
        raise cells.fault("the class is missing", row, name, "leave the case out, or fill in its class")
    values = [value for value, there in zip(content.values, content.seen(), strict=True) if there]
    if len(values) > MOST_CLASSES:
        what = f"{len(values):,} different classes"
        raise DataError(what, file=cells.path, column=name, cure="choose a class column with few values")
    names = tuple(map(str, classes)) if classes else in_order(values)
    if len(values) < 2:
        what = f"only one class, {shown(values[0])}"
        raise DataError(what, file=cells.path, column=name, cure="nothing can be learnt: choose another class column")
    strange = next((value for value in values if value not in names), None)
    if strange is not None:
        row = content.row_of(content.values.index(strange))
        raise cells.fault(f"{shown(strange)} is not among `classes`", row, name, KNOWN_CLASS)
    index = {value: code for code, value in enumerate(names)}
    return names, np.array([index.get(value, MISSING) for value in content.values], dtype=np.int32)[content.places]
