"""How well all papers agree with us: how far off each number is, and the distribution of z."""

import numpy as np
import pandas as pd
from scipy.special import chdtrc, ndtri, stdtr

from pinetum.report.printed import number
from pinetum.report.verdicts import HEADLINE

PRINTED = ", as printed"


def sampled(comparison: pd.DataFrame) -> pd.DataFrame:
    """The numbers judged by standard errors that nothing was fitted to, with z as a number.

    A table that is judged against a program as the paper prints it stands for itself.
    """
    chosen = comparison[(comparison["basis"] == "error") & comparison["evidence"].isin(HEADLINE)]
    chosen = chosen[chosen["verdict"].isin(["within", "outside"])]
    printed = chosen["item"].str.endswith(PRINTED)
    paper = chosen["paper"].where(~printed, chosen["paper"] + PRINTED)
    return chosen.assign(z=chosen["z"].map(number).astype(float), paper=paper)


def z_table(comparison: pd.DataFrame) -> pd.DataFrame:
    """Per study and in total: numbers, root mean square of z beside that of honest numbers, how
    many lie outside, and how likely so much scatter would be by chance.

    A standard error from n repeats makes z one of Student's t, wider than the normal distribution:
    `expected_rms` follows from the repeats (three and fewer, whose t has no variance, left out).
    `chance` takes every z at its own distribution and all of them as independent.
    """
    rows = sampled(comparison)
    parts = [*rows.groupby("paper", sort=False)]
    counted = rows[~rows["paper"].str.endswith(PRINTED)] if len(rows) else rows
    parts += [("total", counted)] if len(counted) else []
    lines = []
    for paper, part in parts:
        z, freedom = part["z"].to_numpy(), freedom_of(part)
        known = freedom[freedom > 2]
        scores = ndtri(np.clip(stdtr(freedom, -np.abs(z)), 1e-300, 0.5))
        lines.append(
            {
                "paper": paper,
                "numbers": len(z),
                "mean_z": z.mean(),
                "rms_z": np.sqrt((z**2).mean()),
                "expected_rms": np.sqrt((known / (known - 2)).mean()) if len(known) else np.nan,
                "outside": int((part["verdict"] == "outside").sum()),
                "chance": float(chdtrc(len(z), (scores**2).sum())),
            }
        )
    columns = ["paper", "numbers", "mean_z", "rms_z", "expected_rms", "outside", "chance"]
    return pd.DataFrame(lines, columns=columns).astype({"numbers": "Int64", "outside": "Int64"})


def freedom_of(rows: pd.DataFrame) -> np.ndarray:
    """Degrees of freedom of every number's standard error; a thousand where it has no repeats."""
    repeats = rows["n"].map(number).astype(float).to_numpy()
    return np.where(repeats > 1, repeats - 1, 1000.0)


def gap(row) -> float | None:
    """Relative difference to the published number.

    Of a statement 0 where it holds and 1 where it does not.
    """
    ours, theirs = number(row["reproduced"]), number(row["published"])
    if ours is None or theirs is None:
        return None if not row["reproduced"] else 0.0 if row["verdict"] == "within" else 1.0
    return abs(ours - theirs) / max(abs(theirs), abs(ours), 1e-300)
