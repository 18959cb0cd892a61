"""Tables as CSV, Markdown and LaTeX: each published one in the paper's own shape, ours beside
it.
"""

import re

import pandas as pd

from pinetum.files import whole_file
from pinetum.report.origins import origins_in
from pinetum.report.printed import number
from pinetum.report.verdicts import VERDICTS
from pinetum.workflow.jobs import write_records

FEW = 30  # repeats or folds; a cell with fewer says how many it stands on


def published_shape(rows: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """(for CSV: ours and published in columns of their own.

    For reading: `ours (published)` in a cell).
    """
    columns = list(dict.fromkeys(rows["column"]))
    wide: dict[str, dict] = {}
    brief: dict[str, dict] = {}
    for row in rows.to_dict("records"):
        line, short = wide.setdefault(row["row"], {}), brief.setdefault(row["row"], {})
        line[row["column"]] = row["reproduced"]
        line[f"{row['column']} published"] = row["published"]
        line[f"{row['column']} verdict"] = row["verdict"]
        short[row["column"]] = cell(row)
    wide_columns = [
        f"{column}{suffix}" for column in columns for suffix in ("", " published", " verdict")
    ]
    return (
        pd.DataFrame.from_dict(wide, orient="index", columns=wide_columns)
        .rename_axis("row")
        .reset_index(),
        pd.DataFrame.from_dict(brief, orient="index", columns=columns)
        .rename_axis("")
        .reset_index(),
    )


def cell(row: dict) -> str:
    mark = VERDICTS[row["verdict"]].mark
    if not row["reproduced"]:
        return f"{mark} ({row['published']})"
    if row["verdict"] == "not_run":
        mark = ""
    n = number(row["n"]) if row["basis"] == "error" else None
    size = f", n {n:.0f}" if n is not None and n < FEW else ""
    return f"{like(row['reproduced'], row['published'])} ({row['published']}{size}){mark}"


def like(ours: str, printed: str) -> str:
    """Our number with the digits the paper prints."""
    value = number(ours)
    if value is None:
        return ours
    digits = re.fullmatch(r"-?[\d,]+(?:\.(\d+))?", printed.strip())
    if not digits:
        return f"{value:.4g}"
    places = len(digits.group(1) or "")
    text = f"{value:.{places}f}"
    return text if float(text) != 0 or value == 0 else f"{value:.2g}"


def write_published_table(rows: pd.DataFrame, csv_path, origins, computed="") -> None:
    wide, brief = published_shape(rows)
    write_records(wide, csv_path)
    write_formats(
        brief, csv_path, origins, marked=(rows["verdict"] == "outside").any(), computed=computed
    )


def write_formats(frame: pd.DataFrame, csv_path, origins, *, marked=False, computed="") -> None:
    """The Markdown and LaTeX beside a CSV, with notes on where the rows' data came from and what
    computed them.
    """
    stem = str(csv_path).removesuffix(".csv")
    cells = [[readable(value) for value in line] for line in frame.itertuples(index=False)]
    notes = (
        ["Ours (published, n repeats or folds where few); ! marks what lies outside."]
        if marked
        else []
    )
    notes += [*origins_in(frame.iloc[:, 0], origins), *([computed] if computed else [])]
    with whole_file(f"{stem}.md") as file:
        file.write(markdown(list(frame.columns), cells) + "".join(f"\n{note}\n" for note in notes))
    with whole_file(f"{stem}.tex") as file:
        file.write(latex(list(frame.columns), cells) + "".join(f"% {note}\n" for note in notes))


def readable(value) -> str:
    if isinstance(value, float):
        return "" if pd.isna(value) else f"{value:.6g}"
    return "" if value is None else str(value)


def markdown(header: list, cells: list) -> str:
    def line(parts):
        return "| " + " | ".join(map(markdown_cell, parts)) + " |\n"

    aligned = "|" + "|".join(["---"] + ["---:"] * (len(header) - 1)) + "|\n"
    return line(header) + aligned + "".join(line(row) for row in cells)


def markdown_cell(part) -> str:
    """Text that stands in one cell as it is: no new line, no HTML, no end of the cell."""
    return (
        re.sub(r"\s", " ", str(part)).replace("&", "&amp;").replace("<", "&lt;").replace("|", "\\|")
    )


def latex(header: list, cells: list) -> str:
    def line(parts):
        return " & ".join(escape(str(part)) for part in parts) + r" \\" + "\n"

    shape = "l" + "r" * (len(header) - 1)
    return (
        f"% needs \\usepackage{{booktabs}}\n\\begin{{tabular}}{{{shape}}}\n\\toprule\n"
        + line(header)
        + "\\midrule\n"
        + "".join(line(row) for row in cells)
        + "\\bottomrule\n\\end{tabular}\n"
    )


def escape(text: str) -> str:
    text = text.replace("\\", r"\textbackslash ")
    text = re.sub(r"([&%$#_{}])", r"\\\1", text)
    return (
        text.replace("~", r"\textasciitilde ")
        .replace("^", r"\textasciicircum ")
        .replace("±", r"$\pm$")
    )
