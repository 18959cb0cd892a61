"""Pictures of all published numbers against ours."""

from pathlib import Path

import numpy as np
import pandas as pd
from scipy.special import stdtr

from pinetum.files import whole_file
from pinetum.report import style
from pinetum.report.agreement import freedom_of, gap, sampled, z_table
from pinetum.report.readings import DEFAULT, overview, read_readings
from pinetum.report.verdicts import EVIDENCE, VERDICTS
from pinetum.workflow.job import Plain
from pinetum.workflow.jobs import read_text

SMALLEST = 1e-4  # difference at which the picture's axis begins


def draw_numbers(comparison: pd.DataFrame, png) -> None:
    """One dot a number: a strip per study, left what is equal, right what differs.

    Colour verdict, shape evidence.
    """
    papers = list(dict.fromkeys(comparison["paper"]))
    fig, axis = style.figure(2, 0.9 + 0.55 * max(1, len(papers)))
    rows = comparison[comparison["verdict"].isin(["within", "outside", "undecided", "timing"])]
    rows = rows.assign(gap=[gap(row) for row in rows.to_dict("records")]).dropna(subset=["gap"])
    for place, paper in enumerate(papers):
        part = rows[rows["paper"] == paper]
        height = (
            np.arange(len(part)) * 0.618034
        ) % 1.0 * 0.7 - 0.35  # spread evenly, the same on every run
        for (verdict, evidence), dots in part.assign(height=height).groupby(
            ["verdict", "evidence"], sort=False
        ):
            axis.scatter(
                dots["gap"].clip(SMALLEST, 1.0),
                place + dots["height"],
                marker=EVIDENCE[evidence].shape,
                s=13,
                color=VERDICTS[verdict].colour,
                alpha=0.75,
                linewidths=0.8 if evidence == "echo" else 0,
                zorder=3 if verdict == "outside" else 2,
            )
    axis.set_xscale("log")
    axis.set_xlim(0.7 * SMALLEST, 1.5)
    axis.set_xticks(
        [SMALLEST, 1e-3, 1e-2, 0.1, 1], ["0.01 % or less", "0.1 %", "1 %", "10 %", "100 %"]
    )
    axis.set_yticks(range(len(papers)), papers)
    axis.invert_yaxis()
    axis.set_xlabel("difference between our number and the published one")
    for verdict in ("within", "outside", "undecided", "timing"):
        axis.plot(
            [], [], "o", ls="", ms=4, color=VERDICTS[verdict].colour, label=VERDICTS[verdict].word
        )
    for name, evidence in EVIDENCE.items():
        axis.plot([], [], evidence.shape, ls="", ms=4, color="#444444", label=name)
    axis.legend(
        loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=8, handletextpad=0.1, columnspacing=1.0
    )
    style.save(fig, png)


def draw_z(comparison: pd.DataFrame, png) -> None:
    """Histogram of z of every study beside what its repeats let expect; none is cut off."""
    rows = sampled(comparison)
    papers = list(dict.fromkeys(rows["paper"]))
    fig, axes = style.figure(
        2, 0.6 + 1.9 * -(-max(1, len(papers)) // 2), -(-max(1, len(papers)) // 2), 2, squeeze=False
    )
    if rows.empty:
        return style.leave_empty(fig, png, "no number of this run has a standard error")
    for axis, paper in zip(axes.flat, papers, strict=False):
        part = rows[rows["paper"] == paper]
        reach = max(5.0, np.ceil(part["z"].abs().max()))
        edges = np.linspace(-reach, reach, 1 + 4 * 5 if reach == 5 else 41)
        shown = [part.loc[part["verdict"] == name, "z"] for name in ("within", "outside")]
        colours = [VERDICTS[name].colour for name in ("within", "outside")]
        axis.hist(shown, edges, stacked=True, color=colours)
        below = stdtr(freedom_of(part)[:, None], edges[None, :]).sum(axis=0)
        axis.step(edges, [*np.diff(below), 0], where="post", color="#000000", lw=0.8)
        axis.set_title(f"{paper}: {len(part)} numbers")
        axis.set_xlabel("z, ours minus published in standard errors")
    for axis in list(axes.flat)[len(papers) :]:
        axis.set_axis_off()
    style.save(fig, png)


def draw_readings(overviews: dict[str, pd.DataFrame], png) -> None:
    """Readings by tables: one line a reading, what came in to the right, what went out to the
    left.
    """
    lines = [
        (f"{paper}: {line['reading']}", line["item"], int(line["came in"]), int(line["went out"]))
        for paper, table in overviews.items()
        for line in table.to_dict("records")
        if line["reading"] != DEFAULT and (line["came in"] or line["went out"])
    ]
    fig, axis = style.figure(2, 1.0 + 0.16 * max(4, len(lines)))
    if not lines:
        return style.leave_empty(fig, png, "no reading of this run moves a number")
    places = range(len(lines))
    for place, (_, item, came, went) in zip(places, lines, strict=True):
        axis.barh(place, came, color=VERDICTS["within"].colour, height=0.7)
        axis.barh(place, -went, color=VERDICTS["outside"].colour, height=0.7)
        axis.text(came + 0.3, place, item, va="center", fontsize=6, color="#555555")
    axis.set_yticks(places, [name for name, *_ in lines])
    axis.invert_yaxis()
    axis.axvline(0, color="#000000", lw=0.6)
    axis.set_xlabel("numbers that go out (left) or come in (right)")
    style.save(fig, png)


# pixels of a kept figure, or half of its own where that is more: text must stay legible
WIDTH = 900


def shrink(png: Path, target: Path) -> None:
    from PIL import Image

    image = Image.open(png).convert("RGB")
    width = max(WIDTH, image.width // 2)
    if image.width > width:
        image = image.resize(
            (width, round(image.height * width / image.width)), Image.Resampling.LANCZOS
        )
    with whole_file(target, "wb") as file:
        image.quantize(192).save(file, "PNG", optimize=True)


def draw_agreement(inputs, outputs) -> dict:
    """The picture of every published number against ours, and the distribution of their z."""
    rows = read_text(inputs.files.comparison)
    style.write_vector_forms(outputs.vector)
    draw_numbers(rows, outputs.numbers)
    draw_z(rows, outputs.z)
    of_studies = {
        Path(path).parent.name: overview(read_readings(path)) for path in inputs.files.readings
    }
    draw_readings(of_studies, outputs.readings)
    return {"table": Plain(z_table(rows))}
