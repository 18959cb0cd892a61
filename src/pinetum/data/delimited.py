"""CSV files: read column by column with the place of every fault, and written so that nothing is
lost.
"""

import codecs
import csv
import io
from itertools import chain, islice

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv as arrow_csv

from pinetum.data.cells import EXACT, PLAIN_MARKERS
from pinetum.data.dataset import Dataset
from pinetum.data.errors import DataError, shown
from pinetum.data.frames import unique_names
from pinetum.data.text import decoded
from pinetum.data.unpack import unpacked_file
from pinetum.files import plain_cell, safe_cell, whole_file

DELIMITERS = {
    "comma": ",",
    "semicolon": ";",
    "tab": "\t",
    "space": " ",
    "bar": "|",
}  # words for the characters
SNIFFED = (",", ";", "\t", "|")
SNIFFED_BYTES = 1 << 16
SNIFFED_LINES = 100
PACKED = (".gz", ".xz", ".zip", ".z")
MARKS = {
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
WESTERN = "cp1252"  # what text is read as that is not UTF-8


def load_csv(path, options, source):
    """Columns of numbers (float64) or of text; `None` in the place of a column that is dropped."""
    file = _TextFile(path, options, source)
    source.delimiter = delimiter = _delimiter(file, options)
    names, surplus = _header(file, options, delimiter, source)
    drop = set(map(str, options.get("drop", ())))
    reader = _CsvReader(
        file, options, delimiter, names, [name for name in names if name not in drop]
    )
    source.line_of = lambda row: file.line_of(row, delimiter)
    table = reader.read_columns()
    columns = {name: None if name in drop else plain_column(table.column(name)) for name in names}
    return _without_index(columns, surplus, source)


def plain_column(column):
    """Cells without the apostrophe that keeps spreadsheets from taking them as formulas."""
    if not pa.types.is_dictionary(column.type):
        return column if pa.types.is_floating(column.type) else _plain_texts(column)
    parts = [
        pa.DictionaryArray.from_arrays(part.indices, _plain_texts(part.dictionary))
        for part in column.chunks
    ]
    return pa.chunked_array(parts, column.type)


def _plain_texts(texts):
    return pc.replace_substring_regex(texts, r"(?s)^'('*[=+\-@\t\r].)", r"\1")


class _TextFile:
    """A file as UTF-8 text: from the disk where it is that already, else from memory."""

    def __init__(self, path, options, source):
        self.path, self.header, self.skipped = path, bool(options.get("header", True)), ()
        stated = options.get("encoding")
        with open(path, "rb") as opened:
            start = opened.read(4)
        packed = (
            start[:2] in (b"\x1f\x8b", b"\x1f\x9d")
            or start == b"\xfd7zX"
            or path.suffix.lower() == ".zip"
        )
        marked = any(start.startswith(mark) for mark in MARKS)
        self.content = None
        if packed or marked or stated or options.get("skip") or not _is_utf8(path):
            data = unpacked_file(path)
            self.content = self._without(
                _as_utf8(data, path, stated, source), options.get("skip", ())
            )

    def _without(self, data, skip):
        if not skip:
            return data
        self.skipped = set(skip)
        lines = io.StringIO(data.decode(), newline="").readlines()
        if max(skip) > len(lines):
            what = f"`skip` names line {max(skip):,}, and the last is {len(lines):,}"
            raise DataError(what, file=self.path, cure="give numbers of lines, counted from 1")
        kept = [line for number, line in enumerate(lines, 1) if number not in self.skipped]
        return "".join(kept).encode()

    def open(self):
        return open(self.path, "rb") if self.content is None else io.BytesIO(self.content)

    def for_arrow(self):
        return self.path if self.content is None else pa.BufferReader(self.content)

    def beginning(self) -> str:
        """Whole lines of text from the start."""
        with self.open() as file:
            data = file.read(SNIFFED_BYTES)
            if len(data) == SNIFFED_BYTES:
                data += file.readline(1 << 22)
        return decoded(data, self.path)  # refuses an empty file, an error page, a binary file

    def line_of(self, row, delimiter, text=None):
        """Line of the file where a row of data stands (blank lines hold none)."""
        with io.TextIOWrapper(self.open(), encoding="utf-8", errors="replace", newline="") as file:
            rows = enumerate(file, 1) if text is not None else self._rows(file, delimiter)
            number = -int(self.header)
            for line, content in rows:
                if text is not None:
                    if content.rstrip("\r\n") == text:
                        return self._in_file(line)
                elif content:
                    if number == row:
                        return self._in_file(line)
                    number += 1
        return None

    @staticmethod
    def _rows(file, delimiter):
        """(line where it begins, cells) of every row."""
        reader, line = csv.reader(file, delimiter=delimiter), 1
        try:
            for cells in reader:
                yield line, cells
                line = reader.line_num + 1
        except csv.Error:
            return

    def _in_file(self, line):
        for skipped in sorted(self.skipped):
            line += skipped <= line
        return line


def _is_utf8(path):
    """Whether a file is text in UTF-8, looked at a part at a time."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    with open(path, "rb") as file:
        try:
            while part := file.read(1 << 22):
                if "\0" in decoder.decode(part):
                    return False
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            return False
    return True


def _as_utf8(data, path, stated, source):
    """The text in UTF-8; its encoding as stated, as its first bytes say, or as its bytes make
    likely.
    """
    encoding = stated or next((name for mark, name in MARKS.items() if data.startswith(mark)), None)
    if encoding is None and len(data) > 3 and 0 in (data[0], data[1]) and data[0] != data[1]:
        encoding = "utf-16-le" if data[1] == 0 else "utf-16-be"
    try:
        if encoding:
            text = data.decode(encoding)
        else:
            text = _guessed(data, path, source)
    except LookupError:
        raise DataError(
            f"{shown(stated)} is no encoding", file=path, cure="set `encoding`, such as utf-8"
        ) from None
    except UnicodeDecodeError as fault:
        line = data[: fault.start].count(b"\n") + 1
        what = f"byte 0x{data[fault.start]:02x} is not {encoding} text"
        raise DataError(
            what, file=path, line=line, cure="set `encoding` to that of the file"
        ) from None
    return text.encode("utf-8", "surrogatepass" if stated else "strict")


def _guessed(data, path, source):
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as fault:
        control = any(byte in data for byte in (*range(9), *range(14, 32), 127))
        if control:
            return decoded(data, path)  # says where
        try:
            text = data.decode(WESTERN)
        except UnicodeDecodeError:
            return decoded(data, path)
        line = data[: fault.start].count(b"\n") + 1
        source.warn(
            f"line {line} is not UTF-8: the file is read as Windows-1252 (Latin-1); set `encoding`"
            " if it is not"
        )
        return text


def _delimiter(file, options):
    stated = options.get("delimiter")
    if stated is not None:
        stated = DELIMITERS.get(stated, stated)
        if len(stated) != 1 or stated in '\r\n"':
            raise DataError(
                f"`delimiter` is {shown(stated)}", cure="give one character, such as ';'"
            )
        return stated
    lines = file.beginning().splitlines(keepends=True)
    label, best, chosen = str(options["class"]), (False, False, 0.0), ","
    first = "\t" if {".tsv", ".tab"} & set(file.path.suffixes) else ","
    for delimiter in dict.fromkeys((first, *SNIFFED)):
        rows = _some_rows(lines, delimiter)
        if not rows:
            continue
        wide = len(rows[0]) > 1
        same = sum(len(row) == len(rows[0]) for row in rows) / len(rows) if wide else 0.0
        names = (
            [cell.strip() for cell in rows[0]]
            if file.header
            else [f"c{n}" for n in range(1, len(rows[0]) + 1)]
        )
        score = (label in names and wide, wide, round(same, 2))
        if score > best:
            best, chosen = score, delimiter
    return chosen


def _some_rows(lines, delimiter):
    try:
        return [row for row in islice(csv.reader(lines, delimiter=delimiter), SNIFFED_LINES) if row]
    except csv.Error:
        return []


class _CsvReader:
    def __init__(self, file, options, delimiter, names, wanted):
        self.file, self.options, self.delimiter, self.names, self.wanted = (
            file,
            options,
            delimiter,
            names,
            wanted,
        )
        self.bad_rows = []
        missing = options.get("missing")
        self.markers = list(PLAIN_MARKERS if missing is None else map(str, missing))

    def read_columns(self):
        """Numbers where a column holds nothing else, else text, decided for the whole column."""
        try:
            types = self.guess()
            table = self.read(types)
            # "nan" and "inf" are words, not numbers; large whole numbers may not be what was
            # written
            words = [
                name
                for name, kind in types.items()
                if kind == pa.float64() and not all(map(_is_plain, table[name].chunks))
            ]
            return self.read({**types, **dict.fromkeys(words, TEXT)}) if words else table
        except pa.ArrowInvalid:
            return self.read_text()

    def _settings(self, column_types, **more):
        read = arrow_csv.ReadOptions(
            use_threads=False, column_names=self.names, skip_rows=int(self.file.header), **more
        )
        parse = arrow_csv.ParseOptions(
            delimiter=self.delimiter, invalid_row_handler=self._refuse, newlines_in_values=True
        )
        convert = arrow_csv.ConvertOptions(
            column_types=column_types,
            include_columns=self.wanted,
            null_values=self.markers,
            strings_can_be_null=False,
        )
        return {"read_options": read, "parse_options": parse, "convert_options": convert}

    def _refuse(self, row):
        self.bad_rows.append(row)
        return "error"

    def guess(self):
        """Types from the first megabyte and the configuration."""
        if self.options.get("as_text"):
            return dict.fromkeys(self.wanted, TEXT)
        with arrow_csv.open_csv(
            self.file.for_arrow(), **self._settings(None, block_size=1 << 20)
        ) as reader:
            schema = reader.schema
        plain = self.options.get("decimal", ".") == "." and self.delimiter != ";"
        types = {}
        for name in self.wanted:
            stated = self.options.get("types", {}).get(name)
            number = stated == "number" or (
                stated is None and schema.field(name).type in (pa.int64(), pa.float64())
            )
            number &= name != self.options["class"] and name not in self.options.get("values", {})
            # Where a comma may stand for the point, 1.234 may be a thousand: that is decided on the
            # text.
            number &= plain or schema.field(name).type == pa.int64()
            types[name] = pa.float64() if number else TEXT
        return types

    def read(self, types):
        return arrow_csv.read_csv(
            self.file.for_arrow(), **self._settings(types)
        ).unify_dictionaries()

    def read_text(self):
        self.bad_rows.clear()
        settings = self._settings(dict.fromkeys(self.wanted, pa.string()))
        try:
            return arrow_csv.read_csv(self.file.for_arrow(), **settings)
        except pa.ArrowInvalid as fault:
            path = self.file.path
            if self.bad_rows:
                row = self.bad_rows[0]
                raise DataError(
                    f"{row.actual_columns} cells where {row.expected_columns} are expected",
                    file=path,
                    line=self.file.line_of(None, self.delimiter, row.text),
                    column=min(row.actual_columns, row.expected_columns)
                    + (row.actual_columns > row.expected_columns),
                    cure=(
                        f"complete the line, quote cells that contain {self.delimiter!r}, or set"
                        " `delimiter`"
                    ),
                ) from None
            raise DataError(
                f"not a CSV table ({str(fault)[:200]})",
                file=path,
                cure="check quotes and `delimiter`",
            ) from None


def _is_plain(part) -> bool:
    """Whether all numbers are finite, and what was written where they are whole."""
    numbers = part.drop_null().to_numpy(zero_copy_only=False)
    return not len(numbers) or bool(
        np.abs(numbers).max() < EXACT
    )  # the largest is NaN where one of them is


TEXT = pa.dictionary(pa.int32(), pa.string())


def _header(file, options, delimiter, source):
    """Names of the columns, and those of them that the file gives no name."""
    lines = file.beginning().splitlines(keepends=True)
    try:
        rows = list(islice(csv.reader(lines, delimiter=delimiter), 20))
    except csv.Error as fault:
        raise DataError(
            f"the first line cannot be read ({fault})",
            file=file.path,
            line=1,
            cure="check its quotes",
        ) from None
    if not rows or not rows[0]:
        what = "the first line is blank"
        raise DataError(what, file=file.path, line=1, cure="put the names of the columns there")
    if not file.header:
        return [f"c{number}" for number in range(1, len(rows[0]) + 1)], []
    cells = [plain_cell(cell.strip()) for cell in rows[0]]
    data = next((row for row in rows[1:] if row), cells)
    if len(data) == len(cells) + 1:  # a delimiter at the end of each line, or R's names of the rows
        cells = [*cells, ""] if not data[-1].strip() else ["", *cells]
    surplus = [f"c{place}" for place, cell in enumerate(cells, 1) if not cell]
    names = [cell or f"c{place}" for place, cell in enumerate(cells, 1)]
    label = str(options["class"])
    if names.count(label) > 1:
        what = f"the name {shown(label)} of the class is given {names.count(label)} times"
        raise DataError(what, file=file.path, line=1, cure="give every column a name of its own")
    return unique_names(names, source.warn), surplus


def _without_index(columns, surplus, source):
    """Columns without a name left out where they hold nothing, or the numbers of the cases."""
    first = next(iter(columns))
    for name in dict.fromkeys([*surplus, *([first] if first.startswith("Unnamed: ") else [])]):
        column = columns[name]
        if column is None or name == source.options["class"]:
            continue
        cells = (
            column.cast(pa.string()).to_pylist()
            if not pa.types.is_floating(column.type)
            else column.to_pylist()
        )
        if all(cell is None or cell != cell or not str(cell).strip() for cell in cells):
            del columns[name]
            source.warn(f"column {name} has neither a name nor cells; left out")
        elif name == first and _counts_up(cells):
            del columns[name]
            source.warn(
                f"column {name}: the first column has no name and numbers the cases; left out"
            )
        elif name in surplus:
            source.warn(f"column {name} has no name in the file")
    return columns


def _counts_up(cells):
    try:
        numbers = np.array(cells, dtype=np.float64)
    except (TypeError, ValueError):
        return False
    return len(numbers) > 1 and numbers[0] in (0, 1) and bool((np.diff(numbers) == 1).all())


def write_csv(dataset: Dataset, path) -> dict:
    """Write a data set as CSV; the options with which `read_table` gives back exactly the same."""
    label = "class" if "class" not in dataset.feature_names else "class*"
    used = set(
        chain.from_iterable(
            v for v, c in zip(dataset.values, dataset.continuous, strict=True) if not c
        )
    )
    used.update(dataset.class_names)
    marker = next(
        mark
        for mark in chain(PLAIN_MARKERS[1:], (f"?{number}" for number in range(1 << 30)))
        if mark not in used
    )
    texts = [
        np.array(
            [*map(repr, values.tolist()), marker] if continuous else [*values, marker], dtype=object
        )
        for values, continuous in zip(dataset.values, dataset.continuous, strict=True)
    ]
    columns = [table[codes] for table, codes in zip(texts, dataset.codes, strict=True)]
    columns.append(np.array(dataset.class_names, dtype=object)[dataset.labels])
    with whole_file(path) as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(map(safe_cell, [*dataset.feature_names, label]))
        writer.writerows(map(safe_cell, row) for row in zip(*columns, strict=True))
    discrete = [feature for feature in range(dataset.n_features) if not dataset.continuous[feature]]
    return {
        "path": str(path),
        "format": "csv",
        "class": label,
        "classes": list(dataset.class_names),
        "missing_only": [marker],
        "types": {
            feature: "number" if continuous else "discrete"
            for feature, continuous in zip(dataset.feature_names, dataset.continuous, strict=True)
        },
        "values": {
            dataset.feature_names[feature]: list(dataset.values[feature]) for feature in discrete
        },
    }
