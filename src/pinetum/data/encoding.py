"""How a table was encoded, kept so that new cases go the same way: `encode` and back."""

from dataclasses import asdict, dataclass
from warnings import warn

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pinetum.constants import MISSING
from pinetum.data.cells import (
    EXACT,
    MISSING_WORDS,
    PARTS,
    Texts,
    as_text,
    part_of_date,
    read_dates,
    read_numbers,
)
from pinetum.data.errors import DataError, DataWarning, shown
from pinetum.data.frames import BOOLEANS, arrow_column, as_frame


@dataclass(frozen=True)
class Feature:
    """One feature: which column it comes from and how its cells are read.

    domain    values of a discrete feature in the order of their codes; None for a number
    part      "" for the column as it stands; for dates year, month, weekday or days, for durations
              days
    decimal, thousands, unit   how numbers were written
    """

    name: str
    column: str
    domain: tuple[str, ...] | None = None
    part: str = ""
    decimal: str = ""
    thousands: str | None = None
    unit: str = ""


@dataclass(frozen=True)
class Encoding:
    """What `Table.encode` needs; written into model files.

    Examples
    --------
    >>> encoding = Encoding((Feature("size", "size"), Feature("colour", "colour", ("blue", "red"))))
    >>> encoding.encode({"size": [1.5, None], "colour": ["red", "green"]})
    array([[1.5, 1. ],
           [nan, nan]])
    """

    features: tuple[Feature, ...]
    missing: tuple[str, ...] = MISSING_WORDS

    def encode(self, frame) -> np.ndarray:
        """New cases as float64 (cases, features): numbers, codes of discrete values, NaN for
        missing and unseen.
        """
        frame = as_frame(frame)
        names = [str(name).strip() for name in frame.columns]
        table = np.full((len(frame), len(self.features)), np.nan)
        absent = [f.column for f in self.features if f.column not in names and f.name not in names]
        if absent:
            what = f"no column {', '.join(map(shown, dict.fromkeys(absent)))}"
            raise DataError(what, cure=f"the columns are {', '.join(names[:30])}")
        for place, feature in enumerate(self.features):
            given = feature.column if feature.column in names else feature.name
            if names.count(given) > 1:
                raise DataError(
                    f"the column {shown(given)} is there twice", cure="keep one of them"
                )
            series = frame.iloc[:, names.index(given)]
            column, _ = arrow_column(series, given)
            if column is None:
                raise DataError(
                    "its values are no cells", column=given, cure="give numbers or text"
                )
            part = feature.part if given == feature.column else ""
            table[:, place] = self._encoded(feature, part, column, given)
        return table

    def _encoded(self, feature, part, column, name):
        content = content_of(column, self.missing)
        if content is None:
            raise DataError(f"its type is {column.type}", column=name, cure="give numbers or text")
        if part and not (given_as_days(content) and feature.name == feature.column):
            return part_of_date(self._dates(content, name), part)
        if feature.domain is not None:
            return codes_among(feature.domain, content)
        if isinstance(content, np.ndarray):
            if content.dtype.kind in "mM":
                raise DataError(
                    "dates where numbers are expected", column=name, cure="give numbers"
                )
            infinite = np.isinf(content)
            if infinite.any():
                what = f"column {name}: {np.count_nonzero(infinite):,} infinite, the first in case"
                warn(
                    f"{what} {np.argmax(infinite) + 1}, read as missing", DataWarning, stacklevel=4
                )
            return np.where(infinite, np.nan, content)
        numbers = read_numbers(content.values, feature.decimal, feature.thousands, feature.unit)
        if numbers.strange:
            place = min(numbers.strange, key=content.row_of)
            what = (
                f"{shown(content.values[place])} of case {content.row_of(place) + 1} is not a"
                " number"
            )
            raise DataError(what, column=name, cure="correct the cell, or leave it empty")
        return np.append(numbers.values, np.nan)[content.places]

    def _dates(self, content, name):
        if isinstance(content, np.ndarray) and content.dtype.kind in "mM":
            return content
        dates = read_dates(content.values) if isinstance(content, Texts) else None
        if dates is None and not (isinstance(content, Texts) and not content.values):
            raise DataError(
                "no dates", column=name, cure="give dates as datetime or as text like 2011-03-27"
            )
        dates = np.empty(0, "datetime64[us]") if dates is None else dates
        return np.append(dates, np.datetime64("NaT"))[content.places]

    def decode(self, table):
        """The frame of features behind encoded cases: numbers as they are, discrete values as
        categories.
        """
        import pandas as pd

        columns = {}
        for feature, column in zip(
            self.features, np.asarray(table, dtype=np.float64).T, strict=True
        ):
            if feature.domain is None:
                columns[feature.name] = column
            else:
                codes = np.where(np.isnan(column), MISSING, column).astype(np.int64)
                columns[feature.name] = pd.Categorical.from_codes(
                    codes, categories=list(feature.domain)
                )
        return pd.DataFrame(columns)

    def to_dict(self) -> dict:
        return {
            "missing": list(self.missing),
            "features": [
                {
                    key: value
                    for key, value in (asdict(f) | {"domain": f.domain and list(f.domain)}).items()
                    if key != "unit" or value
                }
                for f in self.features
            ],
        }

    @classmethod
    def from_dict(cls, content: dict) -> "Encoding":
        """What `to_dict` gave; a `DataError` says what is wrong with anything else."""
        from pinetum.data.schema import validated

        validated(content, ENCODING_SCHEMA, "encoding")
        features = tuple(
            Feature(**{**f, "domain": f["domain"] and tuple(f["domain"])})
            for f in content["features"]
        )
        names = [feature.name for feature in features]
        if len(set(names)) < len(names):
            raise DataError("encoding: two features have the same name", cure="the file is damaged")
        return cls(features, tuple(content["missing"]))


_TEXT = {"type": "string", "maxLength": 1 << 20}
ENCODING_SCHEMA = {
    "type": "object",
    "additionalProperties": False,
    "required": ["missing", "features"],
    "properties": {
        "missing": {"type": "array", "items": _TEXT},
        "features": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["name", "column", "domain", "part", "decimal", "thousands"],
                "properties": {
                    "name": _TEXT,
                    "column": _TEXT,
                    "domain": {"type": ["array", "null"], "items": _TEXT, "uniqueItems": True},
                    "part": {"enum": ["", *PARTS]},
                    "decimal": {"enum": ["", ".", ","]},
                    "thousands": {"enum": [None, "", ",", ".", " ", "'"]},
                    "unit": {"type": "string", "maxLength": 8},
                },
            },
        },
    },
}


def content_of(column, markers=MISSING_WORDS):
    """float64 with NaN, `Texts`, datetime64 or timedelta64 with NaT; None for a type that holds no
    cells.
    """
    array = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if isinstance(array, pa.ChunkedArray):
        array = pa.concat_arrays(array.chunks)
    kind = array.type
    if pa.types.is_integer(kind) and beyond_exact(array):
        return Texts(array.cast(pa.string()), markers)
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return np.array(array.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False))
    if pa.types.is_date(kind) or pa.types.is_timestamp(kind):
        return (
            array.cast(pa.timestamp("us"), safe=False)
            .to_numpy(zero_copy_only=False)
            .astype("datetime64[us]")
        )
    if pa.types.is_duration(kind):
        return (
            array.cast(pa.duration("us"), safe=False)
            .to_numpy(zero_copy_only=False)
            .astype("timedelta64[us]")
        )
    if pa.types.is_boolean(kind):
        codes = array.cast(pa.int8()).cast(pa.int32())
        array = pa.DictionaryArray.from_arrays(codes, pa.array(BOOLEANS, pa.string()))
    if pa.types.is_null(kind):
        array = array.cast(pa.string())
    value = array.type.value_type if pa.types.is_dictionary(array.type) else array.type
    if pa.types.is_dictionary(array.type) and not (
        pa.types.is_string(value) or pa.types.is_large_string(value)
    ):
        return content_of(array.dictionary_decode(), markers)
    if not (
        pa.types.is_string(value)
        or pa.types.is_large_string(value)
        or pa.types.is_string_view(value)
    ):
        return None
    return Texts(array, markers)


def beyond_exact(whole) -> bool:
    """Whether a column of whole numbers holds some that float64 may not."""
    ends = pc.min_max(whole).as_py()
    return max(-(ends["min"] or 0), ends["max"] or 0) > EXACT


def given_as_days(content) -> bool:
    """Whether a duration comes as a number of days."""
    return isinstance(content, np.ndarray) and content.dtype.kind == "f"


def codes_among(domain, content) -> np.ndarray:
    """Codes of a discrete column, NaN for what is missing or not in the domain.

    Texts are compared as they are, then without regard to small and capital letters where that is
    clear, then as numbers: 1, "1", "01" and "1.0" are one value; True, "true" and 1 are where the
    domain holds truth values.
    """
    if isinstance(content, np.ndarray):
        if content.dtype.kind in "mM":
            texts = Texts(
                pa.array(
                    np.datetime_as_string(content, "D")
                    if content.dtype.kind == "M"
                    else part_of_date(content, "days").astype(str)
                )
            )
        else:
            texts = Texts.of_numbers(np.where(np.isfinite(content), content, np.nan))
    else:
        texts = content
    exact, folded, numbers = spellings(domain)

    def code_of(text):
        for spelt, key in (
            (exact, text),
            (folded, text.casefold()),
            (numbers, number_key(text.casefold())),
        ):
            if key in spelt:
                return spelt[key]
        return np.nan

    return np.array([*map(code_of, texts.values), np.nan])[texts.places]


def spellings(domain) -> tuple[dict, dict, dict]:
    """{text: code} by which a value is known: as it is, by `casefold`, by `number_key`.

    They are asked in this order; what two values share is in none of the later ones. Whoever reads
    cells by the domain, generated code too, asks these.
    """
    exact = {value: code for code, value in enumerate(domain)}
    truth = {value.casefold() for value in domain} <= {word.casefold() for word in BOOLEANS}
    folded: dict[str, set] = {}
    numbers: dict[str, set] = {}
    for value, code in exact.items():
        folded.setdefault(value.casefold(), set()).add(code)
        written = [str(int(value.casefold() == "true"))] if truth else written_numbers(value)
        for text in written:
            numbers.setdefault(number_key(text.casefold()), set()).add(code)
    numbers.pop("", None)
    folded_codes, number_codes = (
        {key: min(codes) for key, codes in near.items() if len(codes) == 1}
        for near in (folded, numbers)
    )
    return exact, folded_codes, number_codes


def number_key(text) -> str:
    """A number without zeros that say nothing: 01.50 as 1.5, 0.50 as .5; any text has one.

    A database can do the same with plain functions of texts.
    """
    if "." in text and "e" not in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text in ("0", "-0") else text.lstrip("0")


def written_numbers(text) -> list[str]:
    """How files and databases may write the number that a text is; none where it is no number.

    SQLite writes 15 digits, and a point before an exponent.
    """
    number = plain_number(text)
    if number is None:
        return []
    short = f"{number:.15g}"
    mantissa, exponent, power = short.partition("e")
    pointed = f"{mantissa}{'' if '.' in mantissa else '.0'}{exponent}{power}"
    return [text, as_text(number), repr(number), short, pointed]


def plain_number(text):
    """The finite number that a text is, or None."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if np.isfinite(number) and "_" not in text else None
