"""Text files to cells: every fault is told with file, line, column and cure."""

import numpy as np

from pinetum.data.columns import feature_kinds, parse_columns
from pinetum.data.errors import DataError, shown

SEPARATORS = {"comma": ",", "space": None, "tab": "\t", "semicolon": ";"}
KEYS = {"columns", "separator", "skip", "ignore", "missing", "cut", "replace", "rows", "after"}
ANEW = "delete the file and run again, or compare it with the original"


def decoded(data: bytes, file) -> str:
    """UTF-8 text; an error page or a binary file is refused by name."""
    if data.startswith(b"\xef\xbb\xbf"):
        data = data[3:]
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as fault:
        before = data[: fault.start]
        raise DataError(
            f"byte 0x{data[fault.start]:02x} is not UTF-8 text",
            file=file,
            line=before.count(b"\n") + 1,
            column=len(before) - (before.rfind(b"\n") + 1) + 1,
            cure="convert the file to UTF-8, or fetch it again if it was damaged",
        ) from None
    if "\0" in text:
        line = text[: text.index("\0")].count("\n") + 1
        raise DataError("a zero byte: this is not a text file", file=file, line=line, cure=ANEW)
    start = text[:1000].lstrip().lower()
    if start.startswith(("<!doctype", "<html", "<?xml", "<head")):
        raise DataError(
            "an HTML page, not data",
            file=file,
            line=1,
            cure="delete it: a server sent an error page",
        )
    if not start:
        raise DataError("the file is empty", file=file, line=1, cure=ANEW)
    return text


def data_lines(text, spec, file):
    """Lines of data and their numbers; lines to skip, ignored ones and blank ones left out."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    first = spec.get("skip", 0)
    if "after" in spec:
        marks = [
            number for number, line in enumerate(lines) if line.strip().lower() == spec["after"]
        ]
        if not marks:
            raise DataError(
                f"no line `{spec['after']}`: the header is cut off", file=file, line=1, cure=ANEW
            )
        first = marks[0] + 1
    ignored = spec.get("ignore")
    numbers = [
        number
        for number, line in enumerate(lines[first:], first + 1)
        if line and not line.isspace() and not (ignored and line.startswith(ignored))
    ]
    if not numbers:
        raise DataError("no line of data", file=file, line=len(lines), cure=ANEW)
    return [lines[number - 1] for number in numbers], numbers


def read_table(data: bytes, spec: dict, file, labels=None):
    """One file: (columns, rows, line numbers).

    Rows are lists of cells with letters spelled out; where every feature is a number they are
    (array of numbers, NaN for missing; class cell). `labels` is (bytes, name).
    """
    unknown = set(spec) - KEYS
    if unknown:
        raise DataError(
            f"reading instruction `{min(unknown)}` is not known",
            file=file,
            cure=f"use {sorted(KEYS)}",
        )
    columns = parse_columns(spec["columns"])
    separator = SEPARATORS[spec.get("separator", "comma")]
    lines, numbers = data_lines(decoded(data, file), spec, file)
    classes = _read_labels(labels, len(lines), file) if labels is not None else None
    width = len(columns) - (classes is not None)
    if all(kind == "number" for kind in feature_kinds(columns)):
        turn = _number_reader(columns, set(spec.get("missing", ["?"])), file)
    elif any(column.letters for column in columns):
        turn = _speller(columns, file)
    else:
        turn = None
    rows = []
    for place, (line, number) in enumerate(zip(lines, numbers, strict=True)):
        row = line.split(separator)
        if len(row) != width:
            raise DataError(
                f"{len(row)} cells where {width} are expected",
                file=file,
                line=number,
                column=min(len(row), width) + (len(row) > width),
                cure=f"the line is cut, or the separator is not `{spec.get('separator', 'comma')}`",
            )
        if classes is not None:
            row.append(classes[place])
        rows.append(turn(row, number) if turn else row)
    return columns, rows, numbers


def _read_labels(labels, count, file):
    """Classes kept in a file of their own, one per line."""
    data, name = labels
    lines, numbers = data_lines(decoded(data, name), {}, name)
    if len(lines) != count:
        raise DataError(
            f"{len(lines)} classes for the {count} lines of {file}",
            file=name,
            line=numbers[-1],
            cure=ANEW,
        )
    for line, number in zip(lines, numbers, strict=True):
        if len(line.split()) != 1:
            raise DataError(
                f"{len(line.split())} cells where one class is expected",
                file=name,
                line=number,
                cure=ANEW,
            )
    return lines


def _number_reader(columns, missing, file):
    """Numbers straight to an array: files with millions of cells would not fit as text."""
    places = [place for place, column in enumerate(columns) if column.kind == "number"]
    label = next(place for place, column in enumerate(columns) if column.kind == "class")
    first, last, count = places[0], places[-1] + 1, len(places)
    together = last - first == count

    def read_numbers(row, number):
        cells = row[first:last] if together else [row[place] for place in places]
        try:
            values = np.fromiter(map(float, cells), np.float64, count)
            doubtful = not np.isfinite(values).all() or "_" in "".join(cells)
        except ValueError:
            doubtful = True
        if doubtful:
            cells = [cell.strip() for cell in cells]
            fault = bad_number(cells, missing)
            if fault is not None:
                place, cell = fault
                raise DataError(
                    f"{cell} is not a number",
                    file=file,
                    line=number,
                    column=places[place] + 1,
                    cure="correct the cell, list it under `missing`, or make the column discrete",
                )
            values = np.array([np.nan if cell in missing else float(cell) for cell in cells])
        return values, row[label]

    return read_numbers


def _speller(columns, file):
    """Cells of letters become one cell per letter."""

    def spell(row, number):
        cells = []
        for place, (cell, column) in enumerate(zip(row, columns, strict=True), 1):
            if not column.letters:
                cells.append(cell)
                continue
            letters = cell.strip()
            if len(letters) != len(column.letters):
                what = f"{len(letters)} letters where {len(column.letters)} are expected"
                raise DataError(what, file=file, line=number, column=place, cure=ANEW)
            cells.extend(letters)
        return cells

    return spell


def arranged(sequence, ranges):
    """The named ranges of a list, one after the other: undoes the order of a file."""
    return (
        sequence
        if ranges is None
        else [item for first, last in ranges for item in sequence[first:last]]
    )


def bad_number(cells, missing):
    """Place and cell of the first that is no finite number."""
    for place, cell in enumerate(cells):
        if cell in missing:
            continue
        try:
            value = float(cell)
        except ValueError:
            return place, shown(cell)
        if value != value or value in (float("inf"), float("-inf")) or "_" in cell:
            return place, shown(cell)
    return None
