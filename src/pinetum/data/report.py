"""The column report: per column what it holds, whether it is used, and if not, why and what to
do.
"""

from dataclasses import asdict, dataclass, fields
from textwrap import wrap

from pinetum.visible import one_line


@dataclass(frozen=True)
class Column:
    """One line of the report.

    Attributes
    ----------
    column : str
        Name in the file or frame.
    type : str
        number, discrete, date, duration, text, class or other.
    why : str
        What the type was told from, and how numbers were written.
    missing, distinct : int
        Cells without a value; different values among the others.
    verdict : str
        used, dropped (left out, with the reason) or refused (the table cannot be used before the
        cure).
    reason, cure : str
        Why a column is not used as it stands, or should perhaps not be used, and what changes that.
    """

    column: str
    type: str
    why: str
    missing: int
    distinct: int
    verdict: str = "used"
    reason: str = ""
    cure: str = ""

    @property
    def message(self) -> str:
        text = f"column {self.column}: {self.verdict}, {self.reason}"
        return f"{text}; {self.cure}" if self.cure else text


NAMES = tuple(field.name for field in fields(Column))


def to_frame(columns):
    """The report as a DataFrame, one row per column."""
    import pandas as pd

    return pd.DataFrame([asdict(column) for column in columns], columns=list(NAMES))


def to_text(columns, width=110) -> str:
    """The report as aligned text; the reason of what is not used stands below it."""
    head = ("column", "type", "missing", "distinct", "verdict")
    rows = [[one_line(str(getattr(column, key))) for key in head] for column in columns]
    rows = [[cell if len(cell) <= 40 else f"{cell[:39]}…" for cell in row] for row in rows]
    widths = [max(map(len, cells)) for cells in zip(head, *rows, strict=True)]

    def line(cells):
        right = (False, False, True, True, False)
        parts = (
            c.rjust(w) if r else c.ljust(w) for c, w, r in zip(cells, widths, right, strict=True)
        )
        return "  ".join(parts).rstrip()

    lines = [line(head)]
    for row, column in zip(rows, columns, strict=True):
        lines.append(line(row))
        parts = (column.why, column.reason, column.cure)
        says = "; ".join(one_line(part) for part in parts if part)
        lines += wrap(
            says, width, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False
        )
    return "\n".join(lines) + "\n"
