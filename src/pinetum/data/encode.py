"""Cells to the encoded table, and the comparison with the shape that the catalogue states."""

from dataclasses import dataclass
from itertools import chain

import numpy as np

from pinetum.constants import MISSING
from pinetum.data import text
from pinetum.data.columns import Column, feature_kinds, feature_names
from pinetum.data.dataset import Dataset
from pinetum.data.errors import DataError, shown

KNOWN_CLASS = "correct the cell, or state the class in the catalogue entry if it belongs there"
MOST_VALUES = 1 << 16  # a discrete feature with more values than this identifies the case
MOST_CLASSES = 1000


@dataclass
class Piece:
    """The content of one file; all files of a data set have the same used columns."""

    file: str
    columns: list[Column]
    rows: list  # cells, or (numbers, class cell) where every feature is a number
    lines: list[int]
    spec: dict

    @property
    def numeric(self) -> bool:
        return all(kind == "number" for kind in feature_kinds(self.columns))

    @property
    def missing(self) -> set:
        return set(self.spec.get("missing", ["?"]))

    def place_of(self, row, column):
        """Where a cell stands, for messages; `column` is the place among the spelled cells."""
        for place, entry in enumerate(self.columns, 1):
            column -= len(entry.letters) or 1
            if column < 0:
                return {"file": self.file, "line": self.lines[row], "column": place}
        raise AssertionError(column)


def read_piece(data, spec, file, labels=None) -> Piece:
    columns, rows, lines = text.read_table(data, spec, file, labels)
    ranges = spec.get("rows")
    if ranges is not None and max(last for _, last in ranges) != len(rows):
        raise DataError(
            f"{len(rows):,} lines of data where {max(last for _, last in ranges):,} are expected",
            file=file,
            line=lines[-1],
            cure=text.ANEW,
        )
    return Piece(file, columns, text.arranged(rows, ranges), text.arranged(lines, ranges), spec)


def encode(name, pieces, classes=None) -> Dataset:
    """The encoded table of all pieces, joined in order.

    `classes`: names in order; sorted ones when None.
    """
    names, kinds = feature_names(pieces[0].columns), feature_kinds(pieces[0].columns)
    for piece in pieces[1:]:
        if (feature_names(piece.columns), feature_kinds(piece.columns)) != (names, kinds):
            raise DataError(
                "other columns than in the first file", file=piece.file, cure="correct `columns`"
            )
    codes = np.empty((len(names), sum(len(piece.rows) for piece in pieces)), dtype=np.int32)
    if pieces[0].numeric:
        values = _encode_matrix(pieces, codes)
        class_parts = [[label for _, label in piece.rows] for piece in pieces]
    else:
        tables = [list(zip(*piece.rows, strict=True)) for piece in pieces]
        values = _encode_columns(tables, pieces, names, kinds, codes)
        class_parts = [
            table[_layout(piece)[1]] for table, piece in zip(tables, pieces, strict=True)
        ]
    class_name = next(column.name for column in pieces[0].columns if column.kind == "class")
    class_parts = [
        _plain(part, piece, class_name) for part, piece in zip(class_parts, pieces, strict=True)
    ]
    class_names, labels = _encode_classes(class_parts, pieces, classes)
    return Dataset(
        name=name,
        codes=codes,
        labels=labels,
        continuous=np.array([kind == "number" for kind in kinds], dtype=bool),
        values=tuple(values),
        feature_names=tuple(names),
        class_names=class_names,
    )


def _encode_matrix(pieces, codes):
    """Tables of numbers only, a block of features at a time."""
    rows = [numbers for piece in pieces for numbers, _ in piece.rows]
    values, block = [], max(1, (1 << 22) // len(rows))
    for first in range(0, len(codes), block):
        part = np.array([numbers[first : first + block] for numbers in rows])
        for place, column in enumerate(np.ascontiguousarray(part.T)):
            values.append(rank(column, codes[first + place]))
    return values


def _encode_columns(tables, pieces, names, kinds, codes):
    layouts = [_layout(piece)[0] for piece in pieces]
    values = []
    for feature, kind in enumerate(kinds):
        places = [layout[feature] for layout in layouts]
        parts = [
            _plain(table[place], piece, names[feature])
            for table, place, piece in zip(tables, places, pieces, strict=True)
        ]
        encode_one = _encode_numbers if kind == "number" else _encode_discrete
        values.append(encode_one(parts, pieces, places, codes[feature]))
    return values


def _layout(piece):
    """Places of the feature cells and of the class cell in the (spelled) rows."""
    features, place, label = [], 0, None
    for column in piece.columns:
        width = len(column.letters) or 1
        if column.kind == "class":
            label = place
        elif column.kind != "unused":
            features += range(place, place + width)
        place += width
    return features, label


def _plain(cells, piece, name):
    """Cells without the blanks around them, cut and respelt as the reading instructions say."""
    cells = [cell.strip() for cell in cells]
    cut = piece.spec.get("cut", {}).get(name)
    if cut:
        cells = [cell.split(cut, 1)[0] for cell in cells]
    maps = piece.spec.get("replace", {})
    spelling = {**maps.get("*", {}), **maps.get(name, {})}
    if spelling:
        cells = [spelling.get(cell, cell) for cell in cells]
    return cells


def _encode_numbers(parts, pieces, places, out):
    numbers = []
    for cells, piece, place in zip(parts, pieces, places, strict=True):
        missing = piece.missing
        known = (
            ["nan" if cell in missing else cell for cell in cells]
            if missing.intersection(cells)
            else cells
        )
        try:
            column = np.array(list(map(float, known)), dtype=np.float64)
        except ValueError:
            column = None
        absent = sum(cell in missing for cell in cells) if known is not cells else 0
        if (
            column is None
            or np.count_nonzero(~np.isfinite(column)) != absent
            or "_" in "".join(known)
        ):
            row, cell = text.bad_number(cells, missing)
            raise DataError(
                f"{cell} is not a number",
                **piece.place_of(row, place),
                cure="correct the cell, list it under `missing`, or make the column discrete",
            )
        numbers.append(column)
    return rank(np.concatenate(numbers), out)


def rank(numbers, out):
    """Rank codes of the numbers into `out` (NaN is missing); the sorted distinct values."""
    known = ~np.isnan(numbers)
    whole = known.all()
    values = (numbers if whole else numbers[known]) + 0.0  # -0 is 0
    counted = _close_integers(values)
    if counted is None:
        domain, codes = np.unique(values, return_inverse=True)
    else:
        low, places, present = counted
        domain = np.flatnonzero(present)
        rank_of = np.empty(len(present), dtype=np.int32)
        rank_of[domain] = np.arange(len(domain), dtype=np.int32)
        domain, codes = domain + low, rank_of[places]
    if whole:
        out[:] = codes
    else:
        out[:] = MISSING
        out[known] = codes
    return domain


def count_distinct(values) -> int:
    """How many different numbers there are."""
    counted = _close_integers(values)
    return len(np.unique(values)) if counted is None else int(np.count_nonzero(counted[2]))


def _close_integers(values):
    """The lowest, each one's distance from it, and which distances occur.

    None unless whole and close together.
    """
    low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, np.inf)
    if not (high - low <= 4 * len(values) and -(2.0**40) < low <= high < 2.0**40):
        return None
    places = (values - low).astype(np.int64)
    if not np.array_equal(places + low, values):
        return None
    present = np.zeros(int(high - low) + 1, dtype=bool)
    present[places] = True
    return low, places, present


def _encode_discrete(parts, pieces, places, out):
    missing = set().union(*(piece.missing for piece in pieces))
    seen = set().union(*map(set, parts)) - missing
    if len(seen) > MOST_VALUES:
        raise DataError(
            f"{len(seen):,} different values in a discrete column",
            file=pieces[0].file,
            column=places[0] + 1,
            cure=(
                "read it as a number (`name#`), or leave it out (`-name`) if it identifies the case"
            ),
        )
    domain = in_order(seen)
    for cells, piece, place in zip(parts, pieces, places, strict=True):
        if "" in seen and "" in cells:
            raise DataError(
                "an empty cell",
                **piece.place_of(cells.index(""), place),
                cure='list "" under `missing` if it means unknown',
            )
    index = {value: code for code, value in enumerate(domain)} | dict.fromkeys(missing, MISSING)
    out[:] = np.fromiter(
        map(index.__getitem__, chain.from_iterable(parts)), dtype=np.int32, count=len(out)
    )
    return domain


def in_order(values) -> tuple[str, ...]:
    """Integers by their value, everything else as text: an order no source can change."""
    try:
        return tuple(sorted(values, key=lambda value: (int(value), value)))
    except ValueError:
        return tuple(sorted(values))


def _encode_classes(parts, pieces, classes):
    places = [_layout(piece)[1] for piece in pieces]
    seen = set().union(*map(set, parts))
    names = tuple(classes) if classes else in_order(seen)
    known = (
        set(names) if classes else seen - {""} - set().union(*(piece.missing for piece in pieces))
    )
    strange = seen - known
    if strange:
        for cells, piece, place in zip(parts, pieces, places, strict=True):
            row = next((row for row, cell in enumerate(cells) if cell in strange), None)
            if row is not None:
                what = (
                    f"{shown(cells[row])} is not a class (known: {', '.join(in_order(known)[:30])})"
                )
                raise DataError(what, **piece.place_of(row, place), cure=KNOWN_CLASS)
    if len(names) < 2:
        raise DataError(
            f"only one class, {shown(names[0])}",
            file=pieces[0].file,
            column=places[0] + 1,
            cure="nothing can be learnt: choose another class column",
        )
    index = {value: code for code, value in enumerate(names)}
    count = sum(map(len, parts))
    return names, np.fromiter(
        map(index.__getitem__, chain.from_iterable(parts)), dtype=np.int32, count=count
    )


def shape_of(dataset: Dataset) -> dict:
    counts = dataset.class_counts().tolist()
    return {
        "cases": dataset.n_cases,
        "features": dataset.n_features,
        "missing": dataset.n_missing,
        "classes": dict(zip(dataset.class_names, counts, strict=True)),
    }


def check_shape(dataset: Dataset, expected: dict, origin) -> None:
    """Compare with the catalogue count by count; a count of null is not known."""
    found = shape_of(dataset)
    faults = [
        f"{found[key]:,} {what} instead of {expected[key]:,}"
        for key, what in (
            ("cases", "cases"),
            ("features", "features"),
            ("missing", "missing cells"),
        )
        if expected[key] is not None and found[key] != expected[key]
    ]
    faults += [
        f"{found['classes'].get(name, 0):,} cases of class {name} instead of {count:,}"
        for name, count in expected["classes"].items()
        if count is not None and found["classes"].get(name, 0) != count
    ]
    if faults:
        raise DataError(
            f"{dataset.name} has {'; '.join(faults)}",
            file=origin,
            cure="the file is not the one the catalogue describes: delete it and fetch it again",
        )
