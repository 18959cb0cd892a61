"""Readings: each choice that a paper leaves, changed alone, on the paper's own numbers.

`results/<study>/readings.csv` has one row per reading and number, judged as
`results/comparison.csv` is; the row `default` repeats the study's own reading at the size of the
other rows, so that only the choice differs.
"""

import numpy as np
import pandas as pd

from pinetum.report.comparison import COMPARISON_COLUMNS, judged, read_rows
from pinetum.report.printed import number
from pinetum.report.rows import KEY

DEFAULT = "default"
READING_COLUMNS = ["reading", "changed", *(name for name in COMPARISON_COLUMNS[1:-2])]


def judge_readings(published: pd.DataFrame, reproduced: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """The rows of `readings.csv`; `reproduced` has what `ReproducedRows.frame` gives per
    reading.
    """
    parts = []
    for reading, rows in reproduced.items():
        part = judged(published, rows[rows["reproduced"].notna()])
        part = part[part["reproduced"] != ""].assign(
            reading=reading, changed="" if reading == DEFAULT else "yes"
        )
        parts.append(part[READING_COLUMNS])
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=READING_COLUMNS)


def read_readings(path) -> pd.DataFrame:
    return read_rows(path, READING_COLUMNS)


def overview(readings: pd.DataFrame) -> pd.DataFrame:
    """Per reading and table: numbers judged, within, which came in and went out against the
    default, rms of z.
    """
    lines = []
    base = readings[readings["reading"] == DEFAULT].set_index(KEY)["verdict"]
    for (reading, item), part in readings.groupby(["reading", "item"], sort=False):
        part = part[part["verdict"].isin(["within", "outside"])]
        before = part.set_index(KEY).index.map(base)
        after = part["verdict"].to_numpy()
        z = [
            value
            for value in map(number, part.loc[part["basis"] == "error", "z"])
            if value is not None
        ]
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
    return pd.DataFrame(
        lines, columns=["reading", "item", "judged", "within", "came in", "went out", "rms_z"]
    )


def rms_z(rows: pd.DataFrame) -> float:
    z = [value for value in map(number, rows["z"]) if value is not None]
    return float(np.sqrt(np.mean(np.square(z)))) if z else np.nan


def held_out(readings: pd.DataFrame, column: str) -> pd.DataFrame:
    """The reading with the least rms z on each half of the rows or items, judged on the other half.

    Halves are every second label of `column` in the order of the table. Readings that judge fewer
    numbers than the default are not chosen among.
    """
    sampled = readings[readings["basis"] == "error"]
    judged_by = sampled.groupby("reading").size()
    sampled = sampled[sampled["reading"].map(judged_by) == judged_by.get(DEFAULT, 0)]
    labels = list(dict.fromkeys(sampled[column]))
    names = [
        "chosen on",
        "chosen",
        "rms_z there",
        "judged on",
        "rms_z held out",
        "rms_z of the default",
    ]
    lines = []
    for here, there in (
        ((labels[::2], labels[1::2]), (labels[1::2], labels[::2])) if len(labels) > 1 else ()
    ):
        scores = {
            name: rms_z(part)
            for name, part in sampled[sampled[column].isin(here)].groupby("reading", sort=False)
        }
        best = min(scores, key=lambda name: scores[name])
        other = sampled[sampled[column].isin(there)]
        held, default = (rms_z(other[other["reading"] == name]) for name in (best, DEFAULT))
        lines.append((", ".join(here), best, scores[best], ", ".join(there), held, default))
    return pd.DataFrame(lines, columns=names)
