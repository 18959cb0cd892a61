"""Text for people, in which nothing steers the terminal or the log that it is printed to.

Names of columns, classes and cells come from data, and may hold what a terminal obeys: colours, a
cursor that moves back over what was printed, titles, text that runs backwards. People are shown
such characters as Python writes them in a string (`\\x1b[31m`); what programs read (tables, code,
models) keeps them.
"""

import re

# Controls but tab and line end, the separators of lines and paragraphs, what turns the direction of
# writing, and halves of characters, which cannot be printed.
STEERING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
BREAKING = re.compile(f"{STEERING.pattern[:-1]}\t\n]")


def visible(text: str) -> str:
    r"""The text with all that would steer a terminal written out; lines stay lines.

    >>> visible("a \x1b[31mred\x07 name\n")
    'a \\x1b[31mred\\x07 name\n'
    """
    return STEERING.sub(_written, text)


def one_line(text: str) -> str:
    r"""As `visible`, and one line whatever a name in it holds.

    >>> one_line("a\nname")
    'a\\nname'
    """
    return BREAKING.sub(_written, text)


def _written(found) -> str:
    return found[0].encode("unicode_escape").decode()


class Visible:
    """A text stream to which all is written visibly; `stream` is the one behind it."""

    def __init__(self, stream):
        self.stream = stream

    def write(self, text) -> int:
        self.stream.write(visible(text))
        return len(text)

    def __getattr__(self, name):
        return getattr(self.stream, name)


def behind(stream):
    """The stream itself, for data and for what is meant to move the cursor."""
    return stream.stream if isinstance(stream, Visible) else stream
