"""The catalogue's notation for the columns of a file.

One word per column: `colour` discrete, `age#` a number, `=income` the class, `-id` not used,
`a[1-34]#` thirty-four columns a1 to a34, `{p[1-60]}` one column of 60 letters, each a discrete
feature.
"""

import re
from dataclasses import dataclass

from pinetum.data.errors import DataError

_RANGE = re.compile(r"^(.*)\[(\d+)-(\d+)\](.*)$")


@dataclass(frozen=True)
class Column:
    name: str
    kind: str  # "discrete", "number", "class" or "unused"
    letters: tuple[str, ...] = ()  # names of the features a column of letters is spelled into


def parse_columns(text: str) -> list[Column]:
    columns = [column for word in text.split() for column in _parse_word(word)]
    if sum(column.kind == "class" for column in columns) != 1:
        raise DataError(
            "columns: exactly one column is the class", cure="mark it with `=`, as in `=income`"
        )
    names = feature_names(columns)
    if len(set(names)) != len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise DataError(
            f"columns: the name `{twice}` is given twice", cure="name every feature once"
        )
    return columns


def feature_names(columns) -> list[str]:
    return [
        name
        for column in columns
        if column.kind in ("discrete", "number")
        for name in column.letters or (column.name,)
    ]


def feature_kinds(columns) -> list[str]:
    used = [column for column in columns if column.kind in ("discrete", "number")]
    return [column.kind for column in used for _ in column.letters or (column.name,)]


def _parse_word(word):
    if word[0] == "{" and word[-1] == "}":
        return [Column(word[1:-1], "discrete", tuple(_expand(word[1:-1])))]
    kind = "discrete"
    if word[0] == "=":
        kind, word = "class", word[1:]
    elif word[0] == "-" and len(word) > 1:
        kind, word = "unused", word[1:]
    elif word[-1] == "#":
        kind, word = "number", word[:-1]
    return [Column(name, kind) for name in _expand(word)]


def _expand(word):
    match = _RANGE.match(word)
    if not match:
        return [word]
    before, first, last, after = match.groups()
    return [f"{before}{number}{after}" for number in range(int(first), int(last) + 1)]
