"""Readings: each choice that a paper leaves, changed alone, on the paper's own numbers.

`results/<study>/readings.csv` has one row per reading and number, judged as `results/comparison.csv` is; the row
`default` repeats the study's own reading at the size of the other rows, so that only the choice differs.
"""

import numpy as np
import pandas as pd

from pinetum.report.comparison import COMPARISON_COLUMNS, judged, read_text
from pinetum.report.printed import number
from pinetum.report.rows import KEY

DEFAULT = "default"
READING_COLUMNS = ["reading", "changed", *(name for name in COMPARISON_COLUMNS[1:-2])]


def judge_readings(published: pd.DataFrame, reproduced: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """The rows of `readings.csv`; `reproduced` has what `ReproducedRows.frame` gives per reading."""
    parts = []
    for reading, rows in reproduced.items():
        part = judged(published, rows[rows["reproduced"].notna()])
        part = part[part["reproduced"] != ""].assign(reading=reading, changed="" if reading == DEFAULT else "yes")
        parts.append(part[READING_COLUMNS])
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=READING_COLUMNS)


def read_readings(path) -> pd.DataFrame:
    return read_text(path, READING_COLUMNS)


def overview(readings: pd.DataFrame) -> pd.DataFrame:
    """Per reading and table: numbers judged, within, which came in and went out against the default, rms of z."""
    lines = []
    base = readings[readings["reading"] == DEFAULT].set_index(KEY)["verdict"]
    for (reading, item), part in readings.groupby(["reading", "item"], sort=False):
        part = part[part["verdict"].isin(["within", "outside"])]
        before = part.set_index(KEY).index.map(base)
        after = part["verdict"].to_numpy()
        z = [value for value in map(number, part.loc[part["basis"] == "error", "z"]) if value is not None]
        lines.append(
            {
                "reading": reading,
                "item": item,
                "judged": len(part),
                "within": int((after == "within").sum()),
                "came in": int(((before == "outside") & (after == "within")).sum()),
                "went out": int(((before == "within") & (after == "outside")).sum()),
                "rms_z": float(np.sqrt(np.mean(np.square(z)))) if z else None,
            }
        )
    return pd.DataFrame(lines, columns=["reading", "item", "judged", "within", "came in", "went out", "rms_z"])
