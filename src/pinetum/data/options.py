"""What may be said about how a table is read: one check for the command line, the library and the
configuration.
"""

import re
from shlex import quote
from typing import Any

from pinetum.data.cells import PARTS
from pinetum.data.errors import DataError, shown
from pinetum.parameters import FLAG, Number, Words

FORMATS = ("csv", "arff", "parquet", "excel")
TYPES = ("number", "discrete")
MARK = Words(("", ",", ".", " ", "'"))


class Text:
    """A text, which may not be empty unless that is said."""

    def __init__(self, about="a text", empty=False):
        self.about, self.empty = about, empty

    def takes(self, value) -> bool:
        return isinstance(value, str) and (self.empty or value != "")

    def __str__(self) -> str:
        return self.about


class List:
    """A list, each of whose parts is of one kind."""

    def __init__(self, part, least=0):
        self.part, self.least = part, least

    def takes(self, value) -> bool:
        some = (
            not isinstance(value, (str, bytes, dict))
            and hasattr(value, "__len__")
            and len(value) >= self.least
        )
        return some and all(map(self.part.takes, value))

    def __str__(self) -> str:
        return f"a list, each part {self.part}"


class ByColumn:
    """Something for each of some columns."""

    def __init__(self, part):
        self.part = part

    def takes(self, value) -> bool:
        return isinstance(value, dict) and all(map(self.part.takes, value.values()))

    def __str__(self) -> str:
        return f"{{column: {self.part}}}"


class Either:
    """One of several kinds."""

    def __init__(self, *kinds):
        self.kinds = kinds

    def takes(self, value) -> bool:
        return any(kind.takes(value) for kind in self.kinds)

    def __str__(self) -> str:
        return ", or ".join(map(str, self.kinds))


class Some(Words):
    """One word, or a list of some."""

    def takes(self, value) -> bool:
        return Words.takes(self, value) or List(Words(self.known), least=1).takes(value)

    def __str__(self) -> str:
        return f"some of {', '.join(map(repr, self.known))}"


class Cell:
    """What can stand in a cell."""

    def takes(self, value) -> bool:
        return value is not None and not isinstance(value, (list, tuple, dict, set))

    def __str__(self) -> str:
        return "a value"


# Kinds of the options; `config/schemas/tables.yaml` says the same to editors of the configuration,
# as a test confirms.
KINDS: dict[str, Any] = {
    "path": Text(),
    "class": Either(Text("a column's name"), Number(-float("inf"))),
    "format": Words(FORMATS),
    "delimiter": Text("one character, or comma, semicolon, tab, space or bar"),
    "decimal": Words((".", ",")),
    "thousands": MARK,
    "encoding": Text("a name, such as utf-8"),
    "skip": List(Number(1, whole=True)),
    "header": FLAG,
    "missing": List(Cell()),
    "missing_only": List(Cell()),
    "types": ByColumn(Words(TYPES)),
    "drop": List(Cell()),
    "dates": ByColumn(Some(PARTS)),
    "bins": Either(Number(2, 100, whole=True), List(Number(-float("inf")), least=1)),
    "classes": List(Cell(), least=1),
    "join": ByColumn(Text("a class, or nothing", empty=True)),
    "sheet": Text(),
    "values": ByColumn(List(Cell())),  # none: nothing is known of it
}
UNREAD = {  # what the readers of a format have no use for
    "csv": ("sheet",),
    "arff": ("delimiter", "encoding", "header", "skip", "sheet"),
    "parquet": ("delimiter", "encoding", "header", "skip", "sheet"),
    "excel": ("delimiter", "encoding"),
}


def check_options(options, *, known=tuple(KINDS), kind="csv", file=None) -> None:
    """Refuse the first option that does not exist, has no such value, or says nothing about files
    of this kind.
    """
    for name, value in options.items():
        if name not in known:
            cure = f"the options are {', '.join(sorted(known))}"
            raise DataError(f"{shown(name)} is not an option", file=file, cure=cure)
        if name in UNREAD[kind]:
            raise DataError(
                f"`{name}` says nothing about a file of {kind}", file=file, cure="leave it out"
            )
        if not KINDS[name].takes(value):
            raise DataError(
                f"`{name}` is {shown(value)}", file=file, cure=f"expected {KINDS[name]}"
            )
    if options.get("decimal") and options.get("decimal") == options.get("thousands"):
        raise DataError(
            "`decimal` and `thousands` are the same mark", file=file, cure="correct one of them"
        )


SETTING = re.compile(r"`(\w+): ([^`]*)`")
OPTION = re.compile(
    r"`(class|types|drop|dates|bins|decimal|thousands|delimiter|encoding|skip|missing|join|sheet|format)`"
)


def as_command(text: str) -> str:
    """A message that names options as a configuration has them, in the words of the command line.

    >>> as_command("set `types: {size: discrete}`, or list it under `missing`")
    'set `--type size=discrete`, or give it by `--missing`'
    """

    def setting(found):
        name, value = found[1], " ".join(found[2].split())
        if name not in KINDS:
            return found[0]
        if value.startswith("{") and ": " in value:
            column, _, part = value.strip("{}").rpartition(": ")
            value = f"{column}={part.strip('[] ').replace(', ', ',')}"
            value = value if quote(value) == value else f"'{value}'"
        elif name not in ("decimal", "thousands"):
            value = value.strip("[]")
        return f"`{flag_of(name)} {value}`"

    text = SETTING.sub(setting, text).replace("list it under `", "give it by `")
    return OPTION.sub(lambda found: f"`{flag_of(found[1])}`", text)


def flag_of(name) -> str:
    """An option of a configuration as the command line has it."""
    words = {"types": "type", "class": "outcome"}
    return f"--{words.get(name, name).replace('_', '-')}"
