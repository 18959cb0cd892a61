"""How well all papers agree with us: how far off each number is, the distribution of z, a sentence
per study.
"""

import numpy as np
import pandas as pd

from pinetum.report.printed import number
from pinetum.report.rows import KEY
from pinetum.report.verdicts import HEADLINE

PHRASES = ((0.95, "reproduces"), (0.8, "reproduces in most numbers"), (0.0, "reproduces in part"))


def sampled(comparison: pd.DataFrame) -> pd.DataFrame:
    """The numbers judged by standard errors that nothing was fitted to, with z as a number."""
    chosen = comparison[(comparison["basis"] == "error") & comparison["evidence"].isin(HEADLINE)]
    chosen = chosen[chosen["verdict"].isin(["within", "outside"])]
    return chosen.assign(z=chosen["z"].map(number).astype(float))


def z_table(comparison: pd.DataFrame) -> pd.DataFrame:
    """Per study and in total: numbers, root mean square of z, shares within 1, 2 and 3 beside the
    normal ones.

    `expected_rms` is what honest numbers would have: a standard error from n repeats makes z one of
    Student's t, wider than the normal distribution. Numbers of three repeats and fewer, whose t has
    no variance, are left out of it.
    """
    rows = sampled(comparison)
    parts = [*rows.groupby("paper", sort=False), ("total", rows)] if len(rows) else []
    lines = []
    for paper, part in parts:
        z = part["z"].to_numpy()
        shares = {f"share within {k}": float((np.abs(z) <= k).mean()) for k in (1, 2, 3)}
        freedom = part["n"].map(number).astype(float).to_numpy() - 1
        freedom = freedom[freedom > 2]
        expected = np.sqrt((freedom / (freedom - 2)).mean()) if len(freedom) else np.nan
        rms = {"mean_z": z.mean(), "rms_z": np.sqrt((z**2).mean()), "expected_rms": expected}
        lines.append({"paper": paper, "numbers": len(z), **rms, **shares})
    if lines:
        normal = {"share within 1": 0.6827, "share within 2": 0.9545, "share within 3": 0.9973}
        lines.append(
            {
                "paper": "normal distribution",
                "mean_z": 0.0,
                "rms_z": 1.0,
                "expected_rms": 1.0,
                **normal,
            }
        )
    columns = [
        "paper",
        "numbers",
        "mean_z",
        "rms_z",
        "expected_rms",
        *(f"share within {k}" for k in (1, 2, 3)),
    ]
    return pd.DataFrame(lines, columns=columns).astype({"numbers": "Int64"})


def gap(row) -> float | None:
    """Relative difference to the published number.

    Of a statement 0 where it holds and 1 where it does not.
    """
    ours, theirs = number(row["reproduced"]), number(row["published"])
    if ours is None or theirs is None:
        return None if not row["reproduced"] else 0.0 if row["verdict"] == "within" else 1.0
    return abs(ours - theirs) / max(abs(theirs), abs(ours), 1e-300)


def headline(subject: str, rows: pd.DataFrame, news=()) -> str:
    """A sentence that a newspaper could print, true of this run whatever it found, and what stands
    behind it.

    `news` are a number of the paper (item, row, column), what to print where ours agrees and what
    where it does not.
    """
    judged = rows[rows["verdict"].isin(["within", "outside"]) & rows["evidence"].isin(HEADLINE)]
    if judged.empty:
        return f"{subject}: this run judged none of its numbers."
    within = int((judged["verdict"] == "within").sum())
    phrase = next(words for share, words in PHRASES if within >= share * len(judged))
    said = f"{subject}: the paper {phrase}"
    if news:
        key, agrees, differs = news
        verdict = judged.loc[(judged[KEY] == list(key)).all(axis=1), "verdict"]
        said = {"within": agrees, "outside": differs}[verdict.item()] if len(verdict) else said
    text = f"{said}; {within} of {len(judged)} printed numbers come out again"
    misses = judged.loc[judged["verdict"] == "outside", "item"].value_counts(sort=False)
    where = ", ".join(
        f"{count} in {item}"
        for item, count in misses.sort_values(ascending=False, kind="stable").items()
    )
    return f"{text}, the others are {where}." if where else f"{text}."
