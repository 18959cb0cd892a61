"""R's saved tables (.rda, the XDR form of version 2): columns as stored; nothing is run."""

import struct

from pinetum.data.errors import DataError

NOTHING, REFERENCE, SYMBOL, PAIRS, LETTERS = 254, 255, 1, 2, 9
INTEGERS, NUMBERS, TEXTS, ITEMS = (10, 13), 14, 16, 19
ATTRIBUTES, TAGGED = 1 << 9, 1 << 10
HEAD = b"RDX2\nX\n"


def read(data: bytes, file) -> dict[str, list[str]]:
    """name -> cells of the first data frame: numbers as text, values by their place in the list
    of levels.
    """
    if not data.startswith(HEAD):
        raise DataError("no table that R saved in version 2", file=file, cure="convert it to CSV")
    try:
        stream = _Stream(data, len(HEAD) + 12)  # three numbers of versions
        (_, (columns, attributes)), *_ = stream.item()
        names = attributes["names"]
        return {
            name: [_text(cell, isinstance(column, tuple)) for cell in _values(column)]
            for name, column in zip(names, columns, strict=True)
        }
    except (struct.error, IndexError, KeyError, TypeError, ValueError) as error:
        raise DataError(f"cannot be read ({error})", file=file, cure="fetch it anew") from error


def coded(data: bytes, file, first, end, joined=()) -> str:
    """Lines `first` to `end` between tabs. Of two columns that are `joined` the first has the
    second's cell behind it, where its own levels are not enough to tell cases apart.
    """
    columns = read(data, file)
    if joined:
        one, other = joined
        pairs = zip(columns[one], columns[other], strict=True)
        columns[one] = [f"{here}/{there}" for here, there in pairs]
    lines = list(zip(*columns.values(), strict=True))[first:end]
    return "".join("\t".join(line) + "\n" for line in lines)


def _values(column):
    return column[0] if isinstance(column, tuple) else column


def _text(cell, level: bool) -> str:
    """A level is counted from 1 in R, and from 0 in the lists of older files."""
    return str(int(cell) - level)


class _Stream:
    """The items of a saved object, one after the other."""

    def __init__(self, data: bytes, place: int):
        self.data, self.place = data, place
        self.symbols: list = []

    def number(self) -> int:
        [value] = struct.unpack_from(">i", self.data, self.place)
        self.place += 4
        return value

    def many(self, code: str, size: int) -> list:
        count = self.number()
        values = list(struct.unpack_from(f">{count}{code}", self.data, self.place))
        self.place += size * count
        return values

    def item(self):
        """The next one; what has attributes is a pair of it and them."""
        flags = self.number()
        kind = flags & 255
        if kind == NOTHING:
            return None
        if kind == REFERENCE:
            return self.symbols[(flags >> 8) - 1]
        if kind == SYMBOL:
            self.symbols.append(self.item())
            return self.symbols[-1]
        if kind == PAIRS:
            return self.pairs(flags)
        if kind == LETTERS:
            size = self.number()
            self.place += max(0, size)
            return self.data[self.place - max(0, size) : self.place].decode("latin-1")
        if kind in INTEGERS:
            value = self.many("i", 4)
        elif kind == NUMBERS:
            value = self.many("d", 8)
        elif kind in (TEXTS, ITEMS):
            value = [self.item() for _ in range(self.number())]
        else:
            raise ValueError(f"kind {kind}")
        return (value, dict(self.item())) if flags & ATTRIBUTES else value

    def pairs(self, flags) -> list[tuple]:
        found = []
        while flags & 255 == PAIRS:
            if flags & ATTRIBUTES:
                self.item()
            name = self.item() if flags & TAGGED else None
            found.append((name, self.item()))
            flags = self.number()
        return found
