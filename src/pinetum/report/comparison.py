"""Published numbers beside ours, with a verdict for each.

A published value is judged by its stated tolerance if it has one (absolute `0.3`, relative `5%`,
a bound `<=0.7` or `>=2`, a range `1..1.35`), else by three combined standard errors, else - both
sides exact - by the digits that were printed.
"""

import math
import re

import pandas as pd

from pinetum.report.origins import origin_of

PUBLISHED_COLUMNS = [
    "item", "row", "column", "published", "published_se", "unit", "source", "tolerance", "kind", "note",
]  # fmt: skip
REPRODUCED_COLUMNS = ["item", "row", "column", "reproduced", "se", "n", "status", "note"]
COMPARISON_COLUMNS = [
    "paper", "item", "row", "column", "published", "reproduced", "se", "n", "verdict", "note",
]  # fmt: skip
OPTIONAL = ("published_se",)  # our estimate of a published error, where the paper prints none
KINDS = ("value", "timing", "fact")
REASONS = {"not_run": "left out by the configuration", "no_data": "no source could serve the data"}
VERDICTS = ("within", "outside", "timing", "no_data", "not_run")
KEY = ["item", "row", "column"]
STANDARD_ERRORS = 3.0


def read_text(path, columns) -> pd.DataFrame:
    """A CSV whose cells stay as they are printed: 0.700 keeps its digits."""
    frame = pd.read_csv(path, dtype=str, keep_default_na=False)
    missing = [column for column in columns if column not in frame]
    if missing:
        raise ValueError(f"{path}: misses the column {missing[0]!r}; a file of this kind has {', '.join(columns)}")
    twice = frame[frame.duplicated(KEY)]
    if len(twice):
        raise ValueError(f"{path}: line {twice.index[0] + 2} repeats {', '.join(twice.iloc[0][KEY])}")
    return frame[[*columns, *(name for name in OPTIONAL if name in frame and name not in columns)]]


def read_published(path) -> pd.DataFrame:
    frame = read_text(path, PUBLISHED_COLUMNS)
    for line, kind in enumerate(frame["kind"], start=2):
        if kind not in KINDS:
            raise ValueError(f"{path}: line {line}: kind {kind!r}; allowed are {', '.join(KINDS)}")
    return frame


def every_number(reproduced: pd.DataFrame, published: pd.DataFrame) -> pd.DataFrame:
    """A row per published number, in the order of the published file; a row without a value says why."""
    frame = published[KEY].merge(pd.DataFrame(reproduced, columns=REPRODUCED_COLUMNS), on=KEY, how="left")
    frame["status"] = frame["status"].fillna("not_run")
    reason = frame["status"].map(REASONS)
    silent = frame["note"].fillna("").astype(str) == ""
    return frame.assign(note=frame["note"].mask(silent & reason.notna(), reason))


def compare(study: str, published: pd.DataFrame, reproduced: pd.DataFrame, origins=None) -> pd.DataFrame:
    """One row per published number, in the order of the published file; `origins` as read by `read_origins`."""
    stray = set(map(tuple, reproduced[KEY].values)) - set(map(tuple, published[KEY].values))
    if stray:
        raise ValueError(f"results/{study}/reproduced.csv: {sorted(stray)[0]} is not in config/published/{study}.csv")
    joined = published.merge(reproduced, on=KEY, how="left", suffixes=("", "_ours")).fillna("")
    if "published_se_ours" in joined:
        joined["published_se"] = joined["published_se"].mask(joined["published_se"] == "", joined["published_se_ours"])
    joined["paper"] = study
    joined["verdict"] = [verdict(row) for row in joined.to_dict("records")]
    sources = [origin_of(row, origins or {}) if ours else "" for row, ours in joined[["row", "reproduced"]].values]
    joined["note"] = [
        "; ".join(part for part in parts if part)
        for parts in zip(joined["note_ours"], joined["note"], sources, strict=True)
    ]
    return joined[COMPARISON_COLUMNS]


def verdict(row: dict) -> str:
    if row["status"] == "no_data":
        return "no_data"
    if row["kind"] == "timing":
        return "timing" if row["reproduced"] else "not_run"
    if not row["reproduced"]:
        return "not_run"
    return "within" if agrees(row) else "outside"


def agrees(row: dict) -> bool:
    ours, theirs = number(row["reproduced"]), number(row["published"])
    tolerance = row["tolerance"].strip()
    if ours is None or (theirs is None and not tolerance):
        return row["reproduced"].strip() == row["published"].strip()
    if tolerance:
        return inside(ours, theirs, tolerance)
    assert theirs is not None
    errors = [number(row["se"]) or 0.0, number(row["published_se"]) or 0.0]
    spread = math.hypot(*errors)
    rounding = half_unit(row["published"])
    return abs(ours - theirs) <= max(STANDARD_ERRORS * spread, rounding) * (1 + 1e-9)


def inside(ours: float, theirs: float | None, tolerance: str) -> bool:
    if tolerance.startswith("<="):
        return ours <= float(tolerance[2:])
    if tolerance.startswith(">="):
        return ours >= float(tolerance[2:])
    if ".." in tolerance:
        low, high = map(float, tolerance.split(".."))
        return low <= ours <= high
    if theirs is None:
        raise ValueError(f"tolerance {tolerance!r} needs a published number")
    if tolerance.endswith("%"):
        return abs(ours - theirs) <= float(tolerance[:-1]) / 100 * abs(theirs) * (1 + 1e-9)
    return abs(ours - theirs) <= float(tolerance) * (1 + 1e-9)


def number(text: str) -> float | None:
    try:
        value = float(str(text).replace(",", ""))
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def half_unit(printed: str) -> float:
    """Half a unit of the last printed digit: 0.005 for 12.37."""
    match = re.fullmatch(r"-?\d[\d,]*(?:\.(\d+))?", printed.strip())
    return 0.5 * 10.0 ** -len(match.group(1) or "") if match else 0.0


def verdict_counts(comparison: pd.DataFrame) -> pd.DataFrame:
    """Rooms by verdicts, with a total."""
    counts = comparison.groupby(["paper", "verdict"], sort=False).size().unstack(fill_value=0)
    counts = counts.reindex(columns=list(VERDICTS), fill_value=0)
    counts.loc["total"] = counts.sum()
    return counts.reset_index()
