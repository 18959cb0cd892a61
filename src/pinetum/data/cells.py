"""What a cell says: nothing, a number, a date or a word.

One reader for all formats, files and frames alike.

Missing are empty cells and the words of `MISSING_WORDS`. In a column that is otherwise all numbers,
the words of `NO_NUMBER` and numbers beyond the range of float64 are missing too, and a warning
names them. Any other word among numbers is a fault of the table, never a reason to read numbers as
categories.
"""

import re
from dataclasses import dataclass, field, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pinetum.constants import MISSING

PLAIN_MARKERS = ("", "?", "NA")  # need no remark
MISSING_WORDS = (
    *PLAIN_MARKERS,
    "NaN",
    "nan",
    "NAN",
    "-nan",
    "NULL",
    "Null",
    "null",
    "N/A",
    "n/a",
    "#N/A",
    "#NA",
    "<NA>",
    "NaT",
)
NO_NUMBER = frozenset(  # in small letters
    [
        "-",
        "--",
        "---",
        "–",
        "—",
        ".",
        "..",
        "...",
        "*",
        "none",
        "unknown",
        "missing",
        "not available",
        "nil",
        "n.a.",
        "na",
        "n.d.",
        "nd",
        "k.a.",
        "#div/0!",
        "#value!",
        "#ref!",
        "#num!",
        "#name?",
        "#null!",
        "inf",
        "-inf",
        "+inf",
        "infinity",
        "-infinity",
        "+infinity",
    ]
)
EXACT = 2**53  # float64 holds every whole number up to here, and not all beyond
# a text column with at least this share of numbers among its known cells is meant as numbers
MOSTLY = 0.8

# (decimal mark, thousands mark) in the order in which they are tried.
NUMBER_FORMATS = (
    (".", ""),
    (".", ","),
    (".", " "),
    (".", "'"),
    (",", ""),
    (",", "."),
    (",", " "),
    (",", "'"),
)
CURRENCIES = "US\\$|[$€£¥₹₽]|USD|EUR|GBP|CHF|JPY|CNY|INR|kr"  # before or behind an amount
MONEY = re.compile(rf"[+-]?\s*({CURRENCIES})\s*[+-]?[\d.,]|[+-]?[\d.,' ]+\s*({CURRENCIES})$")
BRACKETED = re.compile(r"\([^()-]*\d[^()-]*\)")
CLOCK = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)(:([0-5]\d))?")
BLANKS = "[ \u00a0\u202f\u2009]"  # a blank between thousands may be any of these
QUOTES = "['’]"


def as_text(number: float) -> str:
    """A number as the text of a category: whole ones without a point."""
    return f"{number:.0f}" if number == int(number) else repr(number)


class Texts:
    """A column as distinct stripped texts and, per case, the place among them (-1 is missing)."""

    def __init__(self, array, markers=MISSING_WORDS):
        if not pa.types.is_dictionary(array.type):
            array = array.dictionary_encode()
        given = array.indices.fill_null(MISSING).to_numpy(zero_copy_only=False)
        trimmed = pc.utf8_trim_whitespace(array.dictionary.cast(pa.string())).dictionary_encode()
        table = np.append(
            trimmed.indices.fill_null(MISSING).to_numpy(zero_copy_only=False), MISSING
        )
        places = table[given]  # among the distinct trimmed texts
        marked = pc.is_in(trimmed.dictionary, pa.array(markers, pa.string())).to_numpy(
            zero_copy_only=False
        )
        kept = np.append(np.where(marked, MISSING, np.cumsum(~marked) - 1), MISSING).astype(
            np.int32
        )
        self.places = kept[places]
        self.values = trimmed.dictionary.filter(pa.array(~marked)).to_pylist()
        # remarkable words that mean missing: in how many cases, and the first of these
        self.words = {}
        for place in np.flatnonzero(marked):
            word = trimmed.dictionary[int(place)].as_py()
            count = int(np.count_nonzero(places == place))
            if word not in PLAIN_MARKERS and count:
                self.words[word] = count, int(np.argmax(places == place))

    @classmethod
    def of_numbers(cls, numbers) -> "Texts":
        """Numbers as the texts of categories; NaN is missing."""
        known = ~np.isnan(numbers)
        distinct, codes = np.unique(numbers[known] + 0.0, return_inverse=True)
        texts = cls.__new__(cls)
        texts.values, texts.words = [as_text(number) for number in distinct.tolist()], {}
        texts.places = np.full(len(numbers), MISSING, dtype=np.int32)
        texts.places[known] = codes
        return texts

    def counts(self) -> np.ndarray:
        """Number of cases per value."""
        return np.bincount(self.places[self.places != MISSING], minlength=len(self.values))

    def row_of(self, place) -> int:
        return int(np.argmax(self.places == place))


@dataclass
class Numbers:
    """Distinct texts read as numbers: NaN and False in `read` where a text is none."""

    values: np.ndarray
    read: np.ndarray
    decimal: str
    thousands: str
    ambiguous: bool = False  # 1,234 alone: a thousand or one and a bit
    words: list = field(default_factory=list)  # places of words that say there is no number
    merged: tuple = ()  # two different whole numbers that are one float64
    unit: str = ""  # what every text has besides its number: %, a currency, or `time` for 17:54

    @property
    def strange(self) -> list[int]:
        """Places of texts that are neither numbers nor words for no number."""
        known = self.read.copy()
        known[self.words] = True
        return np.flatnonzero(~known).tolist()


def pattern_of(decimal, thousands) -> str:
    mark = {" ": BLANKS, "'": QUOTES}.get(thousands, f"[{thousands}]")
    whole = rf"(\d{{1,3}}({mark}\d{{3}})+|\d+)" if thousands else r"\d+"
    return rf"^[+-]?({whole}([{decimal}]\d*)?|[{decimal}]\d+)([eE][+-]?\d+)?$"


def read_format(texts: pa.Array, decimal, thousands):
    """float64 and bool per text: its number and whether it is one, written in this format."""
    texts = pc.replace_substring(texts, "\u2212", "-")  # the minus sign of typesetters
    read = pc.match_substring_regex(texts, pattern_of(decimal, thousands))
    numbers = np.full(len(texts), np.nan)
    chosen = texts.filter(read)
    if len(chosen):
        if thousands:
            mark = {" ": BLANKS, "'": QUOTES}.get(thousands, f"[{thousands}]")
            chosen = pc.replace_substring_regex(chosen, mark, "")
        if decimal == ",":
            chosen = pc.replace_substring(chosen, ",", ".")
        numbers[read.to_numpy(zero_copy_only=False)] = chosen.cast(pa.float64()).to_numpy(
            zero_copy_only=False
        )
    return numbers, read.to_numpy(zero_copy_only=False)


def unit_of(values) -> str:
    """The unit that all texts have, words for no number left aside; empty where there is none."""
    known = [value for value in values if value.lower() not in NO_NUMBER]
    if not known:
        return ""
    if known[0].endswith("%"):
        unit = "%"
    elif CLOCK.fullmatch(known[0]):
        return "time" if all(map(CLOCK.fullmatch, known)) else ""
    else:
        money = MONEY.match(known[0])
        unit = (money[1] or money[2]) if money else ""
    return unit if unit and all(unit in value for value in known) else ""


def without_unit(values, unit) -> list:
    """The texts without their unit, where they have it; a clock time as hours."""
    if not unit:
        return values
    if unit == "time":
        return [hours_of(value) for value in values]
    mark = re.compile(rf"\s*{re.escape(unit)}\s*")
    return [mark.sub("", value) for value in values]


def hours_of(text) -> str:
    clock = CLOCK.fullmatch(text)
    if clock is None:
        return text
    return repr(int(clock[1]) + (int(clock[2]) + int(clock[4] or 0) / 60) / 60)


def read_numbers(values, decimal="", thousands=None, unit=None) -> Numbers:
    """Read distinct texts as numbers, in the stated format or in the first that reads most of
    them; a unit that all texts have is told where None is stated.
    """
    bracketed = [value[:1] == "(" and bool(BRACKETED.fullmatch(value)) for value in values]
    if any(bracketed) and (unit is not None or not all(bracketed)):  # (12.50) of accountants
        values = [
            f"-{value[1:-1]}" if within else value
            for value, within in zip(values, bracketed, strict=True)
        ]
    if unit is None:
        unit = unit_of(values)
    if unit:
        plain = without_unit(values, unit)
        if unit == "time":
            decimal, thousands = ".", ""
        return replace(read_numbers(plain, decimal, thousands, ""), unit=unit)
    texts = pa.array(values, pa.string())
    formats = [
        (d, t)
        for d, t in NUMBER_FORMATS
        if (not decimal or d == decimal) and (thousands is None or t == thousands)
    ] or [(decimal or ".", thousands or "")]
    nothing = np.zeros(len(texts), dtype=bool)
    best = Numbers(np.full(len(texts), np.nan), nothing, *formats[0])
    for d, t in formats:
        numbers, read = read_format(texts, d, t)
        if read.sum() > best.read.sum():
            best = Numbers(numbers, read, d, t)
        if read.all():
            break
    doubtful = np.flatnonzero(~(best.read & np.isfinite(best.values))).tolist()
    best.words = [
        place for place in doubtful if best.read[place] or values[place].lower() in NO_NUMBER
    ]
    best.values[best.words] = np.nan
    best.merged = merged_whole(values, best)
    if (
        best.thousands in (",", ".")
        and best.decimal != best.thousands
        and not (decimal or thousands)
    ):
        # 1,234 and nothing else with a mark: the other reading, 1.234, is as good
        _, read = read_format(texts, best.thousands, "")
        marked = pc.count_substring(texts, best.thousands).to_numpy(zero_copy_only=False)
        pointed = pc.count_substring(texts, best.decimal).to_numpy(zero_copy_only=False)
        best.ambiguous = bool(read[best.read].all() and marked.max() == 1 and not pointed.any())
    return best


THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(\.\d{3})+")


def points_may_be_thousands(texts) -> bool:
    """Whether all points may stand between thousands: 1.234 and 12.000, never 0.125 or 1.5."""
    pointed = [text for text in texts if "." in text]
    whole = [text.lstrip("+-") for text in texts if text.lstrip("+-").isdecimal()]
    return (
        bool(pointed)
        and all(map(THOUSANDS.fullmatch, pointed))
        and len(max(whole, key=len, default="")) <= 3
    )


def merged_whole(texts, numbers: Numbers) -> tuple:
    """The first two different whole numbers among texts that are one float64: identifiers of 16
    digits and more.
    """
    seen: dict[float, int] = {}
    for place in np.flatnonzero(np.abs(numbers.values) >= EXACT):
        digits = texts[place].replace("\u2212", "-")
        for mark in {" ": BLANKS, "'": QUOTES}.get(numbers.thousands, numbers.thousands).strip(
            "[]"
        ):
            digits = digits.replace(mark, "")
        if digits.lstrip("+-").isdecimal():
            whole = int(digits)
            other = seen.setdefault(numbers.values[place], whole)
            if other != whole:
                return other, whole
    return ()


def share_of_numbers(texts: Texts, numbers: Numbers) -> float:
    """Share of the known cells that hold a number, words for no number left aside."""
    counts = texts.counts()
    counts[numbers.words] = 0
    total = counts.sum()
    return float(counts[numbers.read].sum() / total) if total else 0.0


# -------------------------------------------------------------------------------------------------
# dates

ISO = r"^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}([.,]\d+)?)?( ?(Z|[+-]\d{2}:?\d{2}))?)?$"
DAY_AND_MONTH = r"^\d{1,2}[./-]\d{1,2}[./-](\d{4}|\d{2})( \d{2}:\d{2}(:\d{2})?)?$"
PARTS = ("year", "month", "weekday", "days")  # weekday: 1 is Monday; days since 1970-01-01


def read_dates(values):
    """datetime64[us] per text, or None where they are no dates.

    A doubtful order of day and month is no date.
    """
    texts = pa.array(values, pa.string())
    if not len(texts):
        return None
    import pandas as pd

    if pc.all(pc.match_substring_regex(texts, ISO)).as_py():
        dates = pd.to_datetime(
            pd.Series(values), format="ISO8601", utc=True, errors="coerce"
        ).dt.tz_localize(None)
    elif pc.all(pc.match_substring_regex(texts, DAY_AND_MONTH)).as_py():
        first = pd.Series(values).str.extract(r"^(\d+)[./-](\d+)").astype(int)
        if first[0].max() > 12 or "." in values[0]:
            day_first = True
        elif first[1].max() > 12:
            day_first = False
        else:
            return None
        cleaned = pd.Series(values).str.replace(r"[./]", "-", regex=True).str.slice(0, None)
        cleaned = cleaned.str.split(" ").str[0]
        short = cleaned.str.fullmatch(r"\d+-\d+-\d\d")
        if short.any() and (not short.all() or first.to_numpy().max() <= 12):
            return None  # or a version, such as 1.2.10
        order = ("%d-%m-" if day_first else "%m-%d-") + ("%y" if short.all() else "%Y")
        dates = pd.to_datetime(cleaned, format=order, errors="coerce")
    else:
        return None
    dates = dates.to_numpy(dtype="datetime64[us]")
    return None if np.isnat(dates).any() else dates


def part_of_date(dates, part) -> np.ndarray:
    """A part of dates (datetime64) or the days of durations (timedelta64) as float64, NaN where
    there is none.
    """
    absent = np.isnat(dates)
    if dates.dtype.kind == "m":
        numbers = dates / np.timedelta64(1, "D")
    elif part == "year":
        numbers = dates.astype("datetime64[Y]").astype(np.int64) + 1970.0
    elif part == "month":
        numbers = dates.astype("datetime64[M]").astype(np.int64) % 12 + 1.0
    elif part == "weekday":
        numbers = (dates.astype("datetime64[D]").astype(np.int64) + 3) % 7 + 1.0
    else:
        numbers = dates.astype("datetime64[D]").astype(np.float64)
    return np.where(absent, np.nan, numbers)
