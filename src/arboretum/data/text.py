"""Text files to cells: every fault is told with file, line, column and cure."""

from arboretum.data.columns import parse_columns
from arboretum.data.errors import DataError, shown

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
        raise DataError("an HTML page, not data", file=file, line=1, cure="delete it: a server sent an error page")
    if not start:
        raise DataError("the file is empty", file=file, line=1, cure=ANEW)
    return text


def split_lines(text, spec, file):
    """Cells per line and the lines' numbers; lines to skip, ignored ones and blank ones left out."""
    separator = SEPARATORS[spec.get("separator", "comma")]
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    first = spec.get("skip", 0)
    if "after" in spec:
        marks = [number for number, line in enumerate(lines) if line.strip().lower() == spec["after"]]
        if not marks:
            raise DataError(f"no line `{spec['after']}`: the header is cut off", file=file, line=1, cure=ANEW)
        first = marks[0] + 1
    ignored = spec.get("ignore")
    rows, numbers = [], []
    for number, line in enumerate(lines[first:], first + 1):
        if not line.strip() or (ignored and line.startswith(ignored)):
            continue
        rows.append(line.split(separator))
        numbers.append(number)
    if not rows:
        raise DataError("no line of data", file=file, line=len(lines), cure=ANEW)
    return rows, numbers


def read_rows(data: bytes, spec: dict, file, labels=None):
    """One file's cells: (columns, rows of stripped strings, line numbers); `labels` is (bytes, its name)."""
    unknown = set(spec) - KEYS
    if unknown:
        raise DataError(
            f"reading instruction `{sorted(unknown)[0]}` is not known", file=file, cure=f"use {sorted(KEYS)}"
        )
    columns = parse_columns(spec["columns"])
    rows, numbers = split_lines(decoded(data, file), spec, file)
    if labels is not None:
        _append_labels(rows, labels, file)
    width = len(columns)
    for row, number in zip(rows, numbers, strict=True):
        if len(row) != width:
            raise DataError(
                f"{len(row)} cells where {width} are expected",
                file=file,
                line=number,
                column=min(len(row), width) + (len(row) > width),
                cure=f"the line is cut, or the separator is not `{spec.get('separator', 'comma')}`",
            )
    spelled = [place for place, column in enumerate(columns) if column.letters]
    if spelled:
        rows = [_spell(row, number, columns, file) for row, number in zip(rows, numbers, strict=True)]
    return columns, rows, numbers


def _append_labels(rows, labels, file):
    data, name = labels
    cells, numbers = split_lines(decoded(data, name), {"separator": "space"}, name)
    if len(cells) != len(rows):
        raise DataError(
            f"{len(cells)} classes for the {len(rows)} lines of {file}", file=name, line=numbers[-1], cure=ANEW
        )
    for row, cell, number in zip(rows, cells, numbers, strict=True):
        if len(cell) != 1:
            raise DataError(
                f"{len(cell)} cells where one class is expected", file=name, line=number, column=2, cure=ANEW
            )
        row.extend(cell)


def _spell(row, number, columns, file):
    cells = []
    for place, (cell, column) in enumerate(zip(row, columns, strict=True), 1):
        if not column.letters:
            cells.append(cell)
            continue
        letters = cell.strip()
        if len(letters) != len(column.letters):
            raise DataError(
                f"{len(letters)} letters where {len(column.letters)} are expected",
                file=file,
                line=number,
                column=place,
                cure=ANEW,
            )
        cells.extend(letters)
    return cells


def arranged(sequence, ranges):
    """The named ranges of a list, one after the other: undoes the order of a file."""
    return sequence if ranges is None else [item for first, last in ranges for item in sequence[first:last]]


def cell_maps(spec):
    """Per column name a dictionary of cells spelt differently; `*` is every discrete column."""
    return spec.get("replace", {})


def shorten(cells, mark):
    return [cell.split(mark, 1)[0] for cell in cells]


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
