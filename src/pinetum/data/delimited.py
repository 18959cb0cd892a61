"""CSV files: read column by column with the place of every fault, and written so that nothing is lost."""

import codecs
import csv
from itertools import chain

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv as arrow_csv

from pinetum.data.dataset import Dataset
from pinetum.data.errors import DataError, shown
from pinetum.data.text import decoded
from pinetum.files import whole_file

MARKERS = ("", "?", "NA")  # cells that mean "unknown" unless `missing` says otherwise
DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "space": " ", "bar": "|"}


def load_csv(path, options):
    """Columns of numbers (float64) and of text (dictionary), or all as text where the first lines mislead."""
    delimiter = DELIMITERS[options.get("delimiter", "tab" if path.suffix.lower() == ".tsv" else "comma")]
    _refuse_other_than_text(path)
    names = _header(path, options, delimiter)
    wanted = [name for name in names if name not in options.get("drop", ())]
    reader = _CsvReader(path, options, delimiter, names, wanted)
    try:
        types = reader.guess()
        table = reader.read(types)
        for name, kind in types.items():
            if kind == pa.float64() and not all(
                pc.all(pc.is_finite(part)).as_py() is not False for part in table[name].chunks
            ):
                table = None  # "nan" and "inf" are words, not numbers
                break
    except pa.ArrowInvalid:
        table = None
    if table is None:
        table = reader.read_text()
    return {column: table.column(column) for column in table.column_names}, {}


class _CsvReader:
    def __init__(self, path, options, delimiter, names, wanted):
        self.path, self.options, self.delimiter, self.names, self.wanted = path, options, delimiter, names, wanted
        self.bad_rows = []

    def _settings(self, column_types, **more):
        read = arrow_csv.ReadOptions(
            use_threads=False, column_names=self.names, skip_rows=int(self.options.get("header", True)), **more
        )
        parse = arrow_csv.ParseOptions(delimiter=self.delimiter, invalid_row_handler=self._refuse)
        convert = arrow_csv.ConvertOptions(
            column_types=column_types,
            include_columns=self.wanted,
            null_values=list(map(str, self.options.get("missing", MARKERS))) if column_types is not None else [],
            strings_can_be_null=False,
        )
        return {"read_options": read, "parse_options": parse, "convert_options": convert}

    def _refuse(self, row):
        self.bad_rows.append(row)
        return "error"

    def guess(self):
        """Types from the first megabyte and the configuration."""
        settings = self._settings(None, block_size=1 << 20)
        settings["convert_options"].null_values = list(map(str, self.options.get("missing", MARKERS)))
        with arrow_csv.open_csv(self.path, **settings) as reader:
            schema = reader.schema
        types, text = {}, pa.dictionary(pa.int32(), pa.string())
        for name in self.wanted:
            said = self.options.get("types", {}).get(name)
            number = said == "number" or (said is None and schema.field(name).type in (pa.int64(), pa.float64()))
            number &= name != self.options["class"] and name not in self.options.get("values", {})
            types[name] = pa.float64() if number else text
        return types

    def read(self, types):
        return arrow_csv.read_csv(self.path, **self._settings(types)).unify_dictionaries()

    def read_text(self):
        self.bad_rows.clear()
        settings = self._settings(dict.fromkeys(self.wanted, pa.string()))
        settings["convert_options"].null_values = []
        try:
            return arrow_csv.read_csv(self.path, **settings)
        except pa.ArrowInvalid as fault:
            path = self.path
            if self.bad_rows:
                row = self.bad_rows[0]
                raise DataError(
                    f"{row.actual_columns} cells where {row.expected_columns} are expected",
                    file=path,
                    line=line_of(path, self.options, None, row.text),
                    column=min(row.actual_columns, row.expected_columns) + (row.actual_columns > row.expected_columns),
                    cure=f"complete the line, quote cells that contain {self.delimiter!r}, or set `delimiter`",
                ) from None
            decoded(path.read_bytes(), path)  # says where the text is not UTF-8
            raise DataError(
                f"not a CSV table ({str(fault)[:200]})", file=path, cure="check quotes and `delimiter`"
            ) from None


def _refuse_other_than_text(path):
    """Say where a file is not UTF-8, a part at a time."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    with open(path, "rb") as file:
        while part := file.read(1 << 22):
            try:
                text = decoder.decode(part)
            except UnicodeDecodeError:
                text = "\0"
            if "\0" in text:
                decoded(path.read_bytes(), path)
    try:
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        decoded(path.read_bytes(), path)


def _header(path, options, delimiter):
    with open(path, "rb") as file:
        first = file.readline(1 << 22)
    text = decoded(first, path)  # refuses an empty file, an error page, a binary file
    try:
        cells = next(csv.reader([text.rstrip("\r\n")], delimiter=delimiter), [])
    except csv.Error as fault:
        raise DataError(
            f"the first line cannot be read ({fault})", file=path, line=1, cure="check its quotes"
        ) from None
    if not cells:
        raise DataError("the first line is blank", file=path, line=1, cure="put the names of the columns there")
    if not options.get("header", True):
        return [f"c{number}" for number in range(1, len(cells) + 1)]
    names = [cell.strip() for cell in cells]
    for number, name in enumerate(names, 1):
        if not name or name in names[: number - 1]:
            what = f"the name {shown(name)} is given twice" if name else "a column without a name"
            raise DataError(what, file=path, line=1, column=number, cure="give every column a name of its own")
    return names


def line_of(path, options, row, text=None):
    """Line of the file where a row of data stands (blank lines hold none)."""
    row_number = -1
    with open(path, encoding="utf-8", errors="replace", newline="") as file:
        for number, line in enumerate(file, 1):
            if number > int(options.get("header", True)) and line.strip("\r\n"):
                row_number += 1
                if row_number == row or (text is not None and line.rstrip("\r\n") == text):
                    return number
    return None


def write_csv(dataset: Dataset, path) -> dict:
    """Write a data set as CSV; the options with which `read_table` gives back exactly the same."""
    label = "class" if "class" not in dataset.feature_names else "class*"
    used = set(chain.from_iterable(v for v, c in zip(dataset.values, dataset.continuous, strict=True) if not c))
    used.update(dataset.class_names)
    marker = next(mark for mark in chain(MARKERS[1:], (f"?{number}" for number in range(1 << 30))) if mark not in used)
    texts = [
        np.array([*map(repr, values.tolist()), marker] if continuous else [*values, marker], dtype=object)
        for values, continuous in zip(dataset.values, dataset.continuous, strict=True)
    ]
    columns = [table[codes] for table, codes in zip(texts, dataset.codes, strict=True)]
    columns.append(np.array(dataset.class_names, dtype=object)[dataset.labels])
    with whole_file(path) as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([*dataset.feature_names, label])
        writer.writerows(zip(*columns, strict=True))
    discrete = [feature for feature in range(dataset.n_features) if not dataset.continuous[feature]]
    return {
        "path": str(path),
        "format": "csv",
        "class": label,
        "classes": list(dataset.class_names),
        "missing": [marker],
        "types": {
            feature: "number" if continuous else "discrete"
            for feature, continuous in zip(dataset.feature_names, dataset.continuous, strict=True)
        },
        "values": {dataset.feature_names[feature]: list(dataset.values[feature]) for feature in discrete},
    }
