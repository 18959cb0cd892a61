"""What can go wrong with data, said so that the reader knows where to look and what to do."""

from pinetum.visible import one_line, visible


class DataError(ValueError):
    """A file or table that cannot be used: where, what is wrong, and the cure."""

    def __init__(self, what, *, file=None, line=None, column=None, cure=None):
        place = [str(file)] if file is not None else []
        place += [f"line {line}"] if line is not None else []
        place += [f"column {column}"] if column is not None else []
        text = f"{', '.join(place)}: {what}" if place else what
        super().__init__(one_line(f"{text}; {cure}" if cure else text))
        self.file, self.line, self.column, self.what, self.cure = file, line, column, what, cure


class NoData(LookupError):
    """No source could serve a data set: studies write a row with status `no_data`."""

    def __init__(self, name, reason):
        super().__init__(f"no data for {name}: {reason}")
        self.name, self.reason = name, reason


def shown(value, longest=40):
    """A cell as it is quoted in a message."""
    text = repr(value)
    return text if len(text) <= longest else f"{text[:longest]}... ({len(str(value))} characters)"


class DataWarning(UserWarning):
    """What was noticed in a table, with the column and the cure."""

    def __init__(self, text):
        super().__init__(visible(text))
