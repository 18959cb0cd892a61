"""How a claim is shown: its rows as figures, a line in a table, and one small picture."""

import html
import re

import pandas as pd

from pinetum.report.claims import PIECES, VERDICTS
from pinetum.report.comparison import TURNING, farthest
from pinetum.report.printed import number
from pinetum.report.tables import like

MOST_LINES = 25  # rows of a claim's table; all numbers stand on the front page
FEW = 3  # rows whose figures stand beside the claim
WIDE, HIGH, EDGE, REACH = 220, 24, 6, 8.0  # of a picture, in pixels and standard errors
CENTRAL, FURTHER = "Central", "Further"


def shown_claim(claim: dict) -> dict:
    """What the page's template takes of a claim."""
    rows = claim["rows"]
    lines = [line_of(row) for row in rows.head(MOST_LINES).to_dict("records")]
    counted = rows[rows["verdict"].isin(PIECES)]
    brief = claim["reason"] if len(rows) else ""
    if len(rows) <= FEW:
        brief = "; ".join(line["ours"] for line in lines if line["ours"]) or brief
    paper = claim.get("paper") or "; ".join(line["paper"] for line in lines if len(rows) <= FEW)
    return claim | {
        "lines": lines,
        "more": max(0, len(rows) - MOST_LINES),
        "brief": brief,
        "theirs": paper.strip("; "),
        "picture": picture(counted.to_dict("records")),
    }


def groups(claims: list[dict]) -> list[tuple[str, list[dict]]]:
    return [
        (CENTRAL, [claim for claim in claims if "tag" in claim]),
        (FURTHER, [claim for claim in claims if "tag" not in claim]),
    ]


def central_counts(papers: dict) -> dict[str, int]:
    found = pd.Series(
        [
            claim["verdict"]
            for paper in papers.values()
            for claim in paper["claims"]
            if "tag" in claim
        ]
    ).value_counts()
    return {word: int(found[word]) for word in VERDICTS if word in found}


def line_of(row: dict) -> dict:
    """A row of the comparison: ours with its error beside the paper's."""
    printed, error = row["published"], number(row["se"])
    ours = like(row["reproduced"], printed) if row["reproduced"] else ""
    if row["basis"] == "statement" and printed == "yes":
        note = row["note"].partition("[")[0].split("; ")[0]
        ours, printed = (note if note and ours else ours), ""
    elif row["basis"] == "timing" and (seconds := number(row["reproduced"])) is not None:
        ours = f"{seconds:.2g}"
    elif ours and error is not None:
        ours += f" ± {error:.2g}"
    name = ", ".join(dict.fromkeys(part for part in (row["row"], row["column"]) if part))
    return {
        "name": re.sub(r"^(all|all data sets), ", "", name),
        "ours": ours,
        "paper": printed,
        **{key: row[key] for key in ("power", "evidence", "verdict", "explanation")},
    }


def picture(rows: list[dict]) -> str:
    """An SVG: shaded where the claim is true; a sentence is a dot with its error, a number a stroke
    by how many errors it is away. Nothing where a row has neither.
    """
    found = [number(row["z"]) for row in rows]
    values = [value for value in found if value is not None]
    bases = {row["basis"] for row in rows}
    if not values or len(values) < len(found) or len(bases) > 1:
        return ""
    if bases == {"statement"}:
        return drawn(values, None)
    return drawn(values, max(farthest(number(row["n"])) for row in rows))


def place(value: float) -> float:
    return WIDE / 2 + (WIDE / 2 - EDGE) * max(-REACH, min(REACH, value)) / REACH


def drawn(values: list[float], limit: float | None) -> str:
    high = HIGH + (14 * (len(values) - 1) if limit is None else 0)
    left, right = (WIDE / 2, WIDE) if limit is None else (place(-limit), place(limit))
    parts = [
        f'<rect x="{left:.0f}" width="{right - left:.0f}" height="{high - 2}" class="zone"/>',
        f'<path d="M0 {high - 1.5}H{WIDE}" class="axis"/>',
    ]
    for turn, value in enumerate(values):
        x, y = place(value), 10 + 14 * turn
        if limit is None:
            ends = (place(value - TURNING), place(value + TURNING))
            parts.append(f'<path d="M{ends[0]:.0f} {y}H{ends[1]:.0f}" class="bar"/>')
            parts.append(f'<circle cx="{x:.0f}" cy="{y}" r="4.5"/>')
        else:
            beyond = ' class="out"' if abs(value) > limit else ""
            parts.append(f'<path d="M{x:.1f} 3v{high - 8}"{beyond}/>')
    said = html.escape("standard errors: " + ", ".join(f"{value:.2g}" for value in values[:30]))
    return (
        f'<svg viewBox="0 0 {WIDE} {high}" width="{WIDE}" height="{high}" role="img"'
        f' aria-label="{said}">{"".join(parts)}</svg>'
    )
