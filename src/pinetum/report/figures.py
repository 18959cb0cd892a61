"""Pictures of all published numbers against ours."""

import numpy as np
import pandas as pd

from pinetum.report import style
from pinetum.report.agreement import gap, sampled
from pinetum.report.comparison import STANDARD_ERRORS
from pinetum.report.verdicts import EVIDENCE, HEADLINE, VERDICTS

SMALLEST = 1e-4  # difference at which the picture's axis begins


def draw_numbers(comparison: pd.DataFrame, png) -> None:
    """One dot a number: a strip per study, left what is equal, right what differs; colour verdict, shape evidence."""
    papers = list(dict.fromkeys(comparison["paper"]))
    fig, axis = style.figure(2, 0.9 + 0.55 * max(1, len(papers)))
    rows = comparison[comparison["verdict"].isin(["within", "outside", "timing"])]
    rows = rows.assign(gap=[gap(row) for row in rows.to_dict("records")]).dropna(subset=["gap"])
    for place, paper in enumerate(papers):
        part = rows[rows["paper"] == paper]
        height = (np.arange(len(part)) * 0.618034) % 1.0 * 0.7 - 0.35  # spread evenly, the same on every run
        for (verdict, evidence), dots in part.assign(height=height).groupby(["verdict", "evidence"], sort=False):
            axis.scatter(
                dots["gap"].clip(SMALLEST, 1.0), place + dots["height"], marker=EVIDENCE[evidence].shape, s=13,
                color=VERDICTS[verdict].colour, alpha=0.75, linewidths=0.8 if evidence == "echo" else 0,
                zorder=3 if verdict == "outside" else 2,
            )  # fmt: skip
    axis.set_xscale("log")
    axis.set_xlim(0.7 * SMALLEST, 1.5)
    axis.set_xticks([SMALLEST, 1e-3, 1e-2, 0.1, 1], ["0.01 % or less", "0.1 %", "1 %", "10 %", "100 %"])
    axis.set_yticks(range(len(papers)), papers)
    axis.invert_yaxis()
    axis.set_xlabel("difference between our number and the published one")
    for verdict in ("within", "outside", "timing"):
        axis.plot([], [], "o", ls="", ms=4, color=VERDICTS[verdict].colour, label=VERDICTS[verdict].word)
    for name, evidence in EVIDENCE.items():
        axis.plot([], [], evidence.shape, ls="", ms=4, color="#444444", label=name)
    axis.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=7, handletextpad=0.1, columnspacing=1.0)
    style.save(fig, png)


def draw_z(comparison: pd.DataFrame, png) -> None:
    """Histogram of z beside the normal density, by evidence."""
    rows = sampled(comparison)
    fig, axis = style.figure(1, 2.4)
    if rows.empty:
        return style.leave_empty(fig, png, "no number of this run has a standard error")
    edges = np.arange(-5.25, 5.5, 0.5)
    shown = [rows.loc[rows["evidence"] == name, "z"].clip(-5, 5) for name in HEADLINE]
    axis.hist(shown, edges, stacked=True, label=HEADLINE, color=[style.PALETTE[0], style.PALETTE[4]])
    x = np.linspace(-5, 5, 201)
    axis.plot(x, len(rows) * 0.5 * np.exp(-x * x / 2) / np.sqrt(2 * np.pi), color="#000000", label="normal")
    for side in (-STANDARD_ERRORS, STANDARD_ERRORS):
        axis.axvline(side, color=VERDICTS["outside"].colour, lw=0.8, ls="--")
    axis.set_xlabel("z, ours minus published in standard errors")
    axis.set_ylabel("numbers")
    axis.legend()
    style.save(fig, png)
