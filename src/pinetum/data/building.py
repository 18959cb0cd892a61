"""Columns of arrow arrays to a `Table`: types, the column report, codes.

The same for files and frames.
"""

from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa

from pinetum.constants import MISSING
from pinetum.data.cells import (
    MISSING_WORDS,
    MOSTLY,
    PARTS,
    Texts,
    part_of_date,
    points_may_be_thousands,
    read_dates,
    read_numbers,
    share_of_numbers,
    without_unit,
)
from pinetum.data.encode import (
    KNOWN_CLASS,
    MOST_CLASSES,
    MOST_VALUES,
    count_distinct,
    in_order,
    rank,
)
from pinetum.data.encoding import Encoding, Feature, content_of
from pinetum.data.errors import DataError, shown
from pinetum.data.report import Column

ENOUGH = 20  # cases from which a column is judged by its counts
FEW_NUMBERS = (
    10  # a column of at most so many different numbers beside words is discrete without a doubt
)
MANY_VALUES = 100  # branches of a multiway split worth a warning
DROP = "list it under `drop`"
STATE = "state its type under `types` to use it as it is"
CATEGORY = "make it a category, as by `astype('category')`, to use it as it is"


@dataclass
class Source:
    """Where columns come from and what for.

    Places for messages, what the file says about numbers, and warnings so far.
    """

    name: str
    file: str | None = None
    options: dict = field(default_factory=dict)
    line_of: Any = None  # row -> line of the file
    delimiter: str = ""
    declared: dict = field(default_factory=dict)
    warnings: list = field(default_factory=list)
    names: list = field(default_factory=list)
    for_fit: bool = False  # X and y of an estimator: all is used that can be; cures without options
    drops_leaks: bool = False  # leave out what equals the class or another column, and tell

    @property
    def markers(self):
        """Cells that mean unknown: the usual words or those of `missing_only`, and `missing`."""
        usual = self.options.get("missing_only")
        usual = MISSING_WORDS if usual is None else map(str, usual)
        return tuple(dict.fromkeys([*usual, *map(str, self.options.get("missing") or ())]))

    def warn(self, text):
        self.warnings.append(text)

    def row(self, row) -> str:
        """A case as the reader of a message finds it."""
        return f"line {self.line_of(int(row))}" if self.line_of else f"case {int(row) + 1}"

    def fault(self, what, row, column, cure):
        place = f"{self.names.index(column) + 1} ({column})" if self.line_of else column
        line = self.line_of(int(row)) if self.line_of else f"of case {int(row) + 1}"
        return DataError(what, file=self.file, line=line, column=place, cure=cure)


@dataclass
class Read:
    """A column between its cells and its codes."""

    name: str
    content: Any  # float64, Texts, datetime64, timedelta64 or None
    type: str
    why: str
    arrow_type: str = ""
    format: Any = None  # `Numbers`: how texts read as numbers
    dates: np.ndarray | None = None
    strange: int = -1  # place of a text among numbers that is none
    notes: list = field(default_factory=list)

    @property
    def n_missing(self) -> int:
        content = self.content
        if isinstance(content, Texts):
            gone = np.count_nonzero(content.places == MISSING)
            if self.type == "number" and self.format is not None:
                gone += content.counts()[self.format.words].sum()
            return int(gone)
        if content is None:
            return 0
        return int(
            np.count_nonzero(
                np.isnat(content) if content.dtype.kind in "mM" else ~np.isfinite(content)
            )
        )

    @property
    def n_distinct(self) -> int:
        content = self.content
        if isinstance(content, Texts):
            if self.type == "number" and self.format is not None and not self.format.merged:
                values = self.format.values[content.counts() > 0]
                return len(np.unique(values[np.isfinite(values)]))
            return int(np.count_nonzero(content.counts()))
        if content is None:
            return 0
        if content.dtype.kind in "mM":
            return len(np.unique(content[~np.isnat(content)]))
        return count_distinct(content[np.isfinite(content)])

    def numbers(self) -> np.ndarray:
        """float64 with NaN for missing."""
        if isinstance(self.content, Texts):
            return np.append(self.format.values, np.nan)[self.content.places]
        return np.where(np.isfinite(self.content), self.content, np.nan)

    def texts(self) -> Texts:
        if isinstance(self.content, Texts):
            return self.content
        if self.content.dtype.kind == "M":
            return Texts(pa.array(np.datetime_as_string(self.content, "D")))
        if self.content.dtype.kind == "m":
            return Texts.of_numbers(part_of_date(self.content, "days"))
        return Texts.of_numbers(self.numbers())


# -------------------------------------------------------------------------------------------------
# types


def read_column(name, array, source: Source, *, stated="", declared=None) -> Read:
    """Tell the type of a column; `stated` is number or discrete, `declared` its values."""
    content = content_of(array, source.markers)
    kind = str(array.type)
    if content is None:
        return Read(name, None, "other", f"values of type {kind}", kind)
    if isinstance(content, np.ndarray):
        if content.dtype.kind in "mM":
            type_ = "date" if content.dtype.kind == "M" else "duration"
            read = Read(name, content, type_, f"its type is {kind}", kind)
            return (
                replace(read, type="discrete", why=f"stated; {read.why}")
                if stated == "discrete"
                else read
            )
        read = Read(
            name,
            content,
            "discrete" if stated == "discrete" else "number",
            f"its type is {kind}",
            kind,
        )
        infinite = int(np.count_nonzero(np.isinf(content)))
        if infinite:
            row = int(np.argmax(np.isinf(content)))
            read.notes.append(
                f"{infinite} infinite value{'s' * (infinite > 1)}, the first in {source.row(row)},"
                " read as missing"
            )
        return read
    read = Read(name, content, "discrete", "stated" if stated or declared else "text", kind)
    if content.words:
        words = ", ".join(map(shown, content.words))
        count = sum(count for count, _ in content.words.values())
        row = min(row for _, row in content.words.values())
        read.notes.append(
            f"{words} in {_cells(count)}, the first in {source.row(row)}, read as missing"
        )
    if stated == "discrete" or declared is not None:
        return read
    if source.for_fit and not content.values:
        return read  # whatever new cases hold there is unseen
    numbers = read_numbers(
        content.values, source.options.get("decimal", ""), source.options.get("thousands")
    )
    strange = numbers.strange
    if not content.values or (not strange and numbers.read.any()) or stated == "number":
        read.type, read.format, read.why = (
            "number",
            numbers,
            "stated" if stated else "all its cells are numbers",
        )
        if strange:
            read.strange = min(strange, key=content.row_of)
        elif not content.values:
            read.why = "it holds nothing"
        _note_format(read, numbers, source)
        return read
    dates = read_dates(content.values)
    if dates is not None:
        short = "/" in content.values[0] or "." in content.values[0]
        order = ", by the order of day and month that fits all" if short else ""
        read.type, read.why = "date", f"all its cells are dates{order}"
        read.dates = np.append(dates, np.datetime64("NaT"))[content.places]
        return read
    found = np.unique(numbers.values[numbers.read & np.isfinite(numbers.values)])
    if share_of_numbers(content, numbers) >= MOSTLY and len(found) > FEW_NUMBERS:
        read.strange, read.format = min(strange, key=content.row_of), numbers
        read.type, read.why = "number", "most of its cells are numbers"
        return read
    return read


def _note_format(read, numbers, source):
    content, counts = read.content, read.content.counts()
    if numbers.words:
        words = ", ".join(shown(content.values[place]) for place in numbers.words[:5])
        count, row = (
            int(counts[numbers.words].sum()),
            min(content.row_of(place) for place in numbers.words),
        )
        read.notes.append(
            f"{words} in {_cells(count)}, the first in {source.row(row)}, read as missing"
        )
    mark = {" ": "a blank", "'": "an apostrophe", ",": "a comma", ".": "a point"}
    if numbers.thousands:
        read.why += f", written with {mark[numbers.thousands]} between thousands"
    if numbers.decimal == ",":
        read.why += ", written with a decimal comma"
    if any(value.startswith("(") for value in content.values):
        read.why += ", those in brackets negative"
    if numbers.unit == "time":
        read.why += ": clock times, as hours of the day"
    elif numbers.unit:
        read.why += f", each with {numbers.unit}"


def _cells(count):
    return f"{count:,} cell{'s' * (count > 1)}"


def settle_formats(reads, source):
    """Give columns whose numbers can be read in two ways the reading that the rest of the table
    settles.
    """
    texts = [
        r
        for r in reads
        if r.type == "number" and r.format is not None and r.strange < 0 and r.content.values
    ]
    commas = [r for r in texts if r.format.decimal == "," and not r.format.ambiguous]
    doubtful = [r for r in texts if r.format.ambiguous]
    for read in texts:
        pointed = any("." in value for value in read.content.values) and not read.format.thousands
        if commas and read.format.decimal == "." and pointed:
            other = read_numbers(read.content.values, ",", ".", read.format.unit)
            if other.read.all():  # 1.234 beside columns such as 1,5
                read.format, read.why = other, "all its cells are numbers"
                _note_format(read, other, source)
    for read in doubtful:
        if commas and read.format.thousands == ",":
            read.format = read_numbers(read.content.values, ",", "", read.format.unit)
            read.why = "all its cells are numbers, written with a decimal comma as in other columns"
        elif source.delimiter == ";" and read.format.thousands == ",":
            example = next(value for value in read.content.values if "," in value)
            read.strange, read.why = -2, f"{example!r} may be a thousand or a decimal"
    # Files with semicolons are written where a point is usual between thousands.
    if (
        source.delimiter == ";"
        and not commas
        and not {"decimal", "thousands"} & set(source.options)
    ):
        for read in texts:
            plain = read.format.decimal == "." and not read.format.thousands
            bare = without_unit(read.content.values, read.format.unit)
            if plain and points_may_be_thousands(bare):
                example = next(value for value in read.content.values if "." in value)
                read.strange, read.why = -2, f"{example!r} may be a thousand or a decimal"


# -------------------------------------------------------------------------------------------------
# verdicts


def judge(read: Read, source, stated, dates) -> Column:
    """The report's line for a feature column, before columns are compared with each other."""
    line = Column(read.name, read.type, read.why, read.n_missing, read.n_distinct)
    found = not_read(read, line, source, stated)
    if found is None and read.type == "date" and read.name not in dates and not stated:
        found = date_without_parts(line, source)
    asked = stated or read.name in source.declared
    if source.for_fit and (read.type != "discrete" or line.distinct < 2):
        asked = True  # what `fit` is given it uses
    if found is None and not asked:
        found = nothing_to_learn(line, source)
        found = found or too_many_values(read, line, source)
        found = found or identifier(read, line, source)
    return found or several_numbers_in_one(read, line, source) or line


def dropped(line, source, reason, cure=None) -> Column:
    """`cure`: how to use the column all the same; else by its type."""
    cure = cure or (CATEGORY if source.for_fit else STATE)
    return replace(line, verdict="dropped", reason=reason, cure=cure)


def refused(line, reason, cure) -> Column:
    return replace(line, verdict="refused", reason=reason, cure=cure)


def not_read(read, line, source, stated) -> Column | None:
    """A column of a kind that is not taken, of two readings, or of numbers and words."""
    if read.content is None:
        reason = f"its values have type {read.arrow_type}"
        return dropped(line, source, reason, "convert it to text or numbers to use it")
    if read.strange == -2:
        mark = "." if "." in read.why else ","
        return refused(line, read.why, f"set `decimal: '{mark}'`, or `thousands: '{mark}'`")
    if read.strange >= 0:
        return no_number(read, line, source, stated)
    return None


def no_number(read, line, source, stated) -> Column:
    """Numbers but for a few cells: refused, or an error where the type was stated."""
    content, place = read.content, read.strange
    counts, strange, row = content.counts(), read.format.strange, content.row_of(place)
    example = shown(content.values[place])
    if stated == "number":
        cure = "correct the cell, or list it under `missing`"
        raise source.fault(f"{example} is not a number", row, read.name, cure)
    reason = (
        f"{_cells(int(counts[strange].sum()))} of {int(counts.sum()):,} hold no number, "
        f"the first is {example} in {source.row(row)}"
    )
    cure = f"correct it, list it under `missing`, or set `types: {{{read.name}: discrete}}`"
    if source.for_fit:
        cure = f"correct it, or {CATEGORY}"
    if row == 0 and len(strange) == 1 and counts[place] == 1 and source.line_of:
        cure = (
            f"if it is a second line of names, leave it out with `skip: [{source.row(0)[5:]}]`;"
            f" else {cure}"
        )
    return refused(line, reason, cure)


def date_without_parts(line, source) -> Column:
    parts = ", ".join(PARTS)
    cure = f"set `dates: {{{line.column}: [{parts}]}}`, or some of these, to use its parts"
    if source.for_fit:
        cure = "give its parts as columns, as by `pandas.to_datetime(column).dt.year`"
    return dropped(line, source, "a date", cure)


def nothing_to_learn(line, source) -> Column | None:
    reasons = {0: "it holds nothing", 1: "constant"}
    return dropped(line, source, reasons[line.distinct]) if line.distinct in reasons else None


def too_many_values(read, line, source) -> Column | None:
    """Free text and names of cases; a warning where a split would have many branches."""
    known = len(_places(read)) - line.missing
    if read.type != "discrete" or known < ENOUGH:
        return None
    values, counts = read.texts().values, read.texts().counts()
    spaces = [value.count(" ") + 1 for value in values]
    words = np.average(spaces, weights=counts) if counts.sum() else 0
    many = f"{line.distinct:,} values in {known:,} cases"
    if line.distinct > 0.5 * known or line.distinct > MOST_VALUES:
        own = "nearly every case has a value of its own, as an identifier"
        return dropped(line, source, f"{'free text' if words >= 3 else own} ({many})")
    if words >= 4 and line.distinct > MANY_VALUES:
        return dropped(line, source, f"free text ({many})")
    if line.distinct > MANY_VALUES:
        source.warn(
            f"column {read.name}: {line.distinct:,} values, so a split on it has as many"
            f" branches; group rare values, or {'leave it out' if source.for_fit else DROP}"
        )
    return None


def identifier(read, line, source) -> Column | None:
    """A column of whole numbers, all different, that counts the cases or is named as their name."""
    known = len(_places(read)) - line.missing
    if read.type != "number" or known < ENOUGH or not line.distinct == known == len(_places(read)):
        return None
    numbers = read.numbers()
    if (numbers != np.round(numbers)).any():
        return None
    steps = np.diff(numbers)
    if len(steps) and abs(steps[0]) == 1 and (steps == steps[0]).all():
        return dropped(line, source, "the number of the case in the table")
    name = read.name.lower().replace("-", "_").replace(" ", "_")
    named = name in IDENTIFIERS or name.endswith(tuple(f"_{word}" for word in IDENTIFIERS))
    if named or (read.name.endswith(("ID", "Id")) and not read.name.isupper()):
        reason = "named as an identifier, and every case has a value of its own"
        return dropped(line, source, reason)
    return None


def several_numbers_in_one(read, line, source) -> Column | None:
    merged = read.format.merged if read.type == "number" and read.format is not None else ()
    if not merged:
        return None
    cure = (
        f"if they are names make it text, or set `types: {{{read.name}: discrete}}`; or list it"
        " under `drop`, or take off a common part"
    )
    if source.for_fit:
        cure = "if they are names make it text, or take off a common part"
    reason = f"{' and '.join(map(str, merged))} are one number in double precision"
    return refused(line, reason, cure)


IDENTIFIERS = (
    "id",
    "ids",
    "uuid",
    "guid",
    "index",
    "idx",
    "key",
    "row",
    "rownumber",
    "row_number",
    "nr",
    "no",
    "number",
)


def _places(read):
    return read.content.places if isinstance(read.content, Texts) else read.content


# -------------------------------------------------------------------------------------------------
# table


def build(columns: dict, source: Source, outcome: str):
    """A `Table` of arrow columns; faults of all columns are gathered before one is raised."""
    from pinetum.data.table import Table

    options = source.options
    source.names = list(columns)
    types, values = dict(options.get("types", {})), options.get("values", {})
    source.declared |= {name: tuple(map(str, domain)) for name, domain in values.items()}
    dates = {
        name: tuple([parts] if isinstance(parts, str) else parts)
        for name, parts in options.get("dates", {}).items()
    }
    _check_names(columns, source, outcome, types, dates)
    for name in dict.fromkeys(options.get("drop", ())):
        columns.pop(name)
    if len(columns) < 2:
        raise DataError(
            "no column but the class", file=source.file, line=1, cure="check `delimiter` and `drop`"
        )
    cases = len(columns[outcome])
    if not cases:
        raise DataError(
            "no line of data", file=source.file, line=2, cure="add the cases below the names"
        )
    labels = _Outcome(outcome, columns.pop(outcome), source)
    features = list(columns)
    reads: list = []
    for name in features:  # a column is let go as soon as it is read
        reads.append(
            read_column(
                name,
                columns.pop(name),
                source,
                stated=types.get(name, ""),
                declared=source.declared.get(name),
            )
        )
    settle_formats(reads, source)
    for read in reads:
        if read.name in dates and read.type not in ("date", "duration") and read.n_distinct:
            raise DataError(
                "`dates` names it, and it holds none",
                file=source.file,
                column=read.name,
                cure="take it from `dates`, or write its cells like 2011-03-27",
            )
    lines = [judge(read, source, types.get(read.name, ""), dates) for read in reads]
    kept = labels.kept
    pieces = []  # (Feature, codes, values, is number) of the columns that are used
    seen: dict = {}
    for place, (read, line) in enumerate(zip(reads, lines, strict=True)):
        if line.verdict == "used":
            made = _encoded(read, source, dates, kept)
            stated = read.name in types or read.name in source.declared or read.name in dates
            judged = not (stated or source.for_fit)
            reason, cure = _leak(made, labels, seen, read.name) if judged else ("", "")
            if reason and source.drops_leaks:
                lines[place] = replace(line, verdict="dropped", reason=reason, cure=STATE)
            else:
                lines[place] = replace(line, reason=reason, cure=cure)
                pieces += made
        for note in read.notes:
            source.warn(f"column {read.name}: {note}")
        reads[place] = None
    lines = [*lines, labels.line]
    _raise_refused(lines, source)
    for line in lines:
        if line.reason:
            source.warn(line.message)
    if not pieces:
        raise DataError(
            "no column is left to learn from",
            file=source.file,
            cure="; ".join(line.message for line in lines[:5]),
        )
    order = {name: number for number, name in enumerate(source.names)}
    lines.sort(key=lambda line: order[line.column])
    codes = np.empty((len(pieces), int(kept.sum())), dtype=np.int32)
    for place, piece in enumerate(pieces):
        codes[place] = piece[1]
    return Table(
        name=source.name,
        codes=codes,
        labels=labels.codes,
        continuous=np.array([piece[0].domain is None for piece in pieces], dtype=bool),
        values=tuple(piece[2] for piece in pieces),
        feature_names=tuple(piece[0].name for piece in pieces),
        class_names=labels.names,
        columns=tuple(lines),
        outcome=outcome,
        encoding=Encoding(tuple(piece[0] for piece in pieces), source.markers),
        warnings=tuple(source.warnings),
    )


def _check_names(columns, source, outcome, types, dates):
    drop = source.options.get("drop", ())
    if outcome in drop:
        raise DataError(
            f"`drop` names the class, {shown(outcome)}",
            file=source.file,
            cure="take it from `drop`, or name another class",
        )
    wanted = [
        (outcome, "class"),
        *((name, "drop") for name in drop),
        *((name, "types") for name in types),
        *((name, "values") for name in source.declared),
        *((name, "dates") for name in dates),
    ]
    for name, where in wanted:
        if name not in columns:
            raise DataError(
                f"no column {shown(name)}, which `{where}` names",
                file=source.file,
                line=1 if source.line_of else None,
                cure=f"the columns are {', '.join(list(columns)[:30])}{_title_hint(columns)}",
            )
    for name, parts in dates.items():
        wrong = [part for part in parts if part not in PARTS]
        if wrong or not parts:
            raise DataError(
                f"`dates` of {name}: {shown(wrong[0] if wrong else '')}",
                cure=f"use {', '.join(PARTS)}",
            )


def _title_hint(columns) -> str:
    """What to do where the first line looks like a title: most columns have no name."""
    if len(columns) == 1:
        return "; if that is more than one, give `delimiter`"
    unnamed = sum(name == f"c{place}" for place, name in enumerate(columns, 1))
    if 2 * unnamed < len(columns) or "c1" in columns:
        return ""
    return "; if line 1 is a title, leave it out with `skip: [1]`"


def _raise_refused(lines, source):
    refused = [line for line in lines if line.verdict == "refused"]
    if refused:
        text = "\n".join(line.message for line in refused[:20])
        more = f"\nand {len(refused) - 20} more" if len(refused) > 20 else ""
        raise DataError(text + more, file=source.file)


def _encoded(read, source, dates, kept):
    """(feature, codes, values) of a column, one per part of a date."""
    name = read.name
    if read.type in ("date", "duration"):
        content = read.content if read.dates is None else read.dates
        parts = dates.get(name, ("days",))
        result = []
        for part in parts:
            codes = np.empty(int(kept.sum()), dtype=np.int32)
            values = rank(part_of_date(content, part)[kept], codes)
            own = name if read.type == "duration" else f"{name}.{part}"
            result.append((Feature(own, name, part=part), codes, values))
        return result
    codes = np.empty(int(kept.sum()), dtype=np.int32)
    if read.type == "number":
        values = rank(read.numbers()[kept], codes)
        how = (
            {}
            if read.format is None
            else {
                "decimal": read.format.decimal,
                "thousands": read.format.thousands,
                "unit": read.format.unit,
            }
        )
        return [(Feature(name, name, **how), codes, values)]
    texts, declared = read.texts(), source.declared.get(name)
    counts = texts.counts()
    values = [value for value, count in zip(texts.values, counts, strict=True) if count]
    if len(values) > MOST_VALUES:
        what = f"{len(values):,} different values in a discrete column"
        cure = f"{DROP} if it identifies the case, or set its type to number"
        if source.for_fit:
            cure = "leave it out if it identifies the case, or make it one of numbers"
        raise DataError(what, file=source.file, column=name, cure=cure)
    domain = in_order(values) if declared is None else declared
    index = {value: code for code, value in enumerate(domain)}
    strange = next((value for value in values if value not in index), None)
    if strange is not None:
        cure = f"correct the cell, or declare the value; declared are {', '.join(domain[:20])}"
        row = texts.row_of(texts.values.index(strange))
        raise source.fault(f"{shown(strange)} is not a declared value", row, name, cure)
    table = np.array(
        [*(index.get(value, MISSING) for value in texts.values), MISSING], dtype=np.int32
    )
    codes[:] = table[texts.places[kept]]
    return [(Feature(name, name, domain), codes, domain)]


def _leak(made, labels, seen, name):
    """(why, what to do) where a column is too good, or adds nothing to an earlier one; else
    empty.
    """
    if len(made) != 1 or len(labels.codes) < ENOUGH:
        return "", ""
    feature, codes, values = made[0]
    equals_class = len(values) == len(labels.names)
    plain = _by_first_case(codes) if equals_class or feature.domain is not None else codes
    if equals_class and np.array_equal(plain, labels.plain):
        cure = f"{DROP} if nobody knows it before the class"
        return "it equals the class: each of its values stands for one class", cure
    key = (
        feature.domain is None,
        sha256((codes if feature.domain is None else plain).tobytes()).digest(),
    )
    earlier = seen.setdefault(key, name)
    if earlier == name:
        return "", ""
    return f"it splits the cases exactly as column {earlier} does", f"{DROP} if one of them will do"


def _by_first_case(codes):
    """Codes renumbered by first appearance, so that equal partitions are equal arrays."""
    last = int(codes.max(initial=MISSING))
    first = np.full(
        last + 2, len(codes)
    )  # the last entry is that of the missing ones, by a place of -1
    first[codes[::-1]] = np.arange(len(codes) - 1, -1, -1)
    number = np.empty(last + 2, dtype=np.int32)
    number[np.argsort(first, kind="stable")] = np.arange(last + 2, dtype=np.int32)
    return number[codes]


class _Outcome:
    """The class column: names, codes, and which cases have a class."""

    def __init__(self, name, array, source):
        options, self.for_fit = source.options, source.for_fit
        stated, classes, bins = (
            options.get("types", {}).get(name),
            options.get("classes"),
            options.get("bins"),
        )
        read = read_column(name, array, source, stated="discrete" if classes else stated or "")
        if read.content is None:
            what = f"the class has type {read.arrow_type}"
            raise DataError(
                what, file=source.file, column=name, cure="convert it to text or whole numbers"
            )
        self.line = Column(name, "class", read.why, read.n_missing, read.n_distinct)
        if read.strange >= 0:  # words among numbers: a class of texts
            read.type, read.strange = "discrete", -1
        if read.type in ("date", "duration") and not stated and not source.for_fit:
            what, cure = f"a {read.type} is no class", "choose a class column with few values"
            raise DataError(what, file=source.file, column=name, cure=cure)
        if bins is not None:
            texts, intervals = self._binned(read, bins, source, name)
        else:
            texts, intervals = read.texts(), None
            if not stated and not classes and read.type == "number":
                self._refuse_continuous(read)
        texts = self._joined(texts, options.get("join", {}), source, name)
        missing = texts.places == MISSING
        self.kept = ~missing
        if missing.all():
            raise DataError(
                "every class is missing",
                file=source.file,
                column=name,
                cure="check `missing` and `class`",
            )
        if missing.any():
            row, count = int(np.argmax(missing)), int(missing.sum())
            source.warn(
                f"column {name}: the class is missing in {count} case{'s' * (count > 1)}, the first"
                f" in {source.row(row)}; left out"
            )
        counts = texts.counts()
        values = [value for value, count in zip(texts.values, counts, strict=True) if count]
        judged = self.line.verdict == "used" and not source.for_fit
        if len(values) > MOST_CLASSES and judged:
            what = f"{len(values):,} different classes"
            raise DataError(
                what, file=source.file, column=name, cure="choose a class column with few values"
            )
        if len(values) < 2 and not source.for_fit:
            what = f"only one class, {shown(values[0])}"
            cure = "nothing can be learnt: choose another class column"
            raise DataError(what, file=source.file, column=name, cure=cure)
        self.names = (intervals if not options.get("join") else None) or (
            tuple(map(str, classes)) if classes else in_order(values)
        )
        strange = next((value for value in values if value not in self.names), None)
        if strange is not None:
            row = texts.row_of(texts.values.index(strange))
            raise source.fault(f"{shown(strange)} is not among `classes`", row, name, KNOWN_CLASS)
        index = {value: code for code, value in enumerate(self.names)}
        table = np.array([index.get(value, MISSING) for value in texts.values], dtype=np.int32)
        self.codes = table[texts.places[self.kept]]
        self.plain = _by_first_case(self.codes)
        rare = [value for value, count in zip(texts.values, counts, strict=True) if count == 1]
        if rare and len(self.codes) >= ENOUGH and judged:
            has = "have" if len(rare) > 1 else "has"
            source.warn(
                f"column {name}: {_listed(rare)} {has} one case, which cannot be "
                "both learnt from and tested on; count it as another by"
                f" `join: {{{rare[0]}: CLASS}}`, where no CLASS leaves its cases out"
            )

    @staticmethod
    def _joined(texts, join, source, name):
        """The classes with some counted as others, or, as nothing, left out."""
        unknown = [value for value in join if value not in texts.values]
        if unknown:
            cure = f"the classes are {', '.join(texts.values[:20])}"
            what = f"no class {shown(unknown[0])}, which `join` names"
            raise DataError(what, file=source.file, column=name, cure=cure)
        if not join:
            return texts
        told = [join.get(value, value) for value in texts.values]
        kept = list(dict.fromkeys(value for value in told if value))
        place = {value: number for number, value in enumerate(kept)} | {"": MISSING}
        table = np.array([*(place[value] for value in told), MISSING], dtype=np.int32)
        texts.values, texts.places = kept, table[texts.places]
        return texts

    def _refuse_continuous(self, read):
        numbers = read.numbers()
        distinct, known = self.line.distinct, int(np.count_nonzero(~np.isnan(numbers)))
        whole = np.array_equal(np.round(numbers), numbers, equal_nan=True)
        many = (distinct > 20 and known < 10 * distinct) or (distinct > 30 and not self.for_fit)
        if (not whole and distinct > 10) or many:
            self.line = replace(
                self.line,
                verdict="refused",
                reason=f"{distinct:,} different numbers are no classes",
                cure=(
                    "choose a class column, or cut the numbers into classes with `bins: 3` or"
                    f" `bins: [limits]`; if they are names, set `types: {{{self.line.column}:"
                    " discrete}`"
                ),
            )

    @staticmethod
    def _binned(read, bins, source, name):
        if read.type != "number":
            raise DataError(
                "`bins` needs a class of numbers",
                file=source.file,
                column=name,
                cure="leave `bins` out",
            )
        numbers = read.numbers()
        known = numbers[~np.isnan(numbers)]
        if isinstance(bins, int):
            cuts = (
                np.unique(np.quantile(known, np.arange(1, bins) / bins, method="lower"))
                if len(known)
                else []
            )
        else:
            cuts = np.unique(np.array(bins, dtype=np.float64))
        cuts = [float(cut) for cut in cuts if len(known) and known.min() <= cut < known.max()]
        if not cuts:
            raise DataError(
                f"`bins: {bins}` leaves one class",
                file=source.file,
                column=name,
                cure="give other limits",
            )
        edges = [f"{cut:.6g}" for cut in cuts]
        if len(set(edges)) < len(edges):
            edges = [repr(cut) for cut in cuts]
        names = [f"<= {edges[0]}", *(f"({a}, {b}]" for a, b in pairwise(edges)), f"> {edges[-1]}"]
        texts = Texts.of_numbers(numbers)
        texts.values = names
        texts.places = np.where(
            np.isnan(numbers), MISSING, np.searchsorted(cuts, numbers, side="left")
        ).astype(np.int32)
        return texts, tuple(names)


def _listed(values):
    text = ", ".join(shown(value) for value in values[:5])
    return (
        f"class {text}"
        if len(values) == 1
        else f"classes {text}" + ("..." if len(values) > 5 else "")
    )
