"""A picture per question: ratio of times and difference of what is measured per table, then times
as tables grow.
"""

from pathlib import Path

import numpy as np

from pinetum.report.style import (
    DASHES,
    MARKERS,
    PALETTE,
    colour,
    figure,
    guarded,
    leave_empty,
    save,
)
from pinetum_benchmarks.peers.measure import DATA_SETS
from pinetum_benchmarks.peers.questions import QUESTIONS
from pinetum_benchmarks.peers.rivals import OURS
from pinetum_benchmarks.peers.summary import pairs_of, ratios_of

STOP = 30  # size of the cross where a contestant gave up


def question(frame, png) -> None:
    name = Path(png).stem
    own = frame[frame["question"] == name]
    with guarded(png):
        labels = [
            c.label for c in QUESTIONS[name].contestants[1:] if len(pairs_of(own, name, c.label))
        ]
        series = [part for part in dict.fromkeys(own["part"].dropna()) if part != DATA_SETS]
        if not labels:
            leave_empty(figure(1, 0.8)[0], png, "no rival answered")
            return
        tall = 0.9 + 0.3 * len(labels)
        fig, axes = figure(2, tall + (2.6 if series else 0), rows=2 if series else 1, panels=1)
        axes = np.atleast_1d(axes)
        if series:
            grid = axes[0].get_gridspec()
            grid.set_height_ratios([tall, 2.6])
            axes[1].remove()
            below = grid[1].subgridspec(1, len(series))
            for number, part in enumerate(series):
                draw_series(
                    fig.add_subplot(below[number]),
                    own[own["part"] == part],
                    part,
                    legend=number == 0,
                )
        draw_ratios(axes[0], own, name, labels)
        save(fig, png)


def draw_ratios(ax, own, name, labels):
    """Ours over theirs, one dot a table with the range of its runs.

    Hollow where ours is worse in what is measured.
    """
    measure = QUESTIONS[name].measure
    for row, label in enumerate(labels):
        pairs = pairs_of(own, name, label).sort_values("seconds_ours")
        pairs = pairs[~np.isnan(ratios_of(pairs))]
        ratio = ratios_of(pairs)
        low = (pairs["seconds_low_ours"] / pairs["seconds_high_theirs"]).to_numpy(float)
        high = (pairs["seconds_high_ours"] / pairs["seconds_low_theirs"]).to_numpy(float)
        worse = np.zeros(len(pairs), dtype=bool)
        if measure:
            worse = (pairs[f"{measure}_ours"] > pairs[f"{measure}_theirs"]).to_numpy(bool)
        place = row + np.linspace(-0.28, 0.28, len(ratio))
        ax.errorbar(
            ratio,
            place,
            xerr=[np.maximum(ratio - low, 0), np.maximum(high - ratio, 0)],
            fmt="none",
            ecolor="#bbbbbb",
            elinewidth=0.8,
        )
        for chosen, face in ((~worse, colour("pinetum")), (worse, "white")):
            ax.scatter(
                ratio[chosen],
                place[chosen],
                s=14,
                facecolor=face,
                edgecolor=colour("pinetum"),
                zorder=3,
            )
        if not len(ratio):  # the clock saw nothing
            continue
        middle = float(np.exp(np.log(ratio).mean()))
        ax.plot([middle] * 2, [row - 0.38, row + 0.38], color=PALETTE[5], linewidth=1.6, zorder=4)
        ax.annotate(
            f"{middle:.2g}",
            (middle, row - 0.38),
            ha="center",
            va="bottom",
            fontsize=6,
            color=PALETTE[5],
        )
    ax.axvline(1, color="black", linewidth=0.8)
    ax.set(
        xscale="log", yticks=range(len(labels)), yticklabels=labels, ylim=(len(labels) - 0.4, -0.65)
    )
    hollow = f"; hollow: ours has more {measure.replace('_', ' ')}" if measure else ""
    ax.set_xlabel(f"CPU seconds, ours over theirs (left of 1: ours faster{hollow})")
    ax.set_title(QUESTIONS[name].title)


def draw_series(ax, own, part, legend):
    """CPU seconds as one thing grows; a cross where a contestant reached a limit."""
    labels = list(dict.fromkeys(own["contestant"]))
    for label in labels:
        rows = own[own["contestant"] == label]
        x = rows["dataset"].str.rsplit(" ", n=1).str[1].astype(float).to_numpy()
        fine = (rows["status"] == "ok").to_numpy()
        place = labels.index(label)
        tone = PALETTE[place]
        if fine.any():
            seconds = rows["seconds"].to_numpy(float)[fine]
            ax.plot(
                x[fine],
                seconds,
                color=tone,
                marker=MARKERS[place],
                linestyle=DASHES[place],
                label=label,
            )
        ended = np.flatnonzero(
            rows["status"].isin(["time_limit", "memory_limit", "failed"]).to_numpy()
        )
        if len(ended) and fine.any():
            last = rows["seconds"].to_numpy(float)[fine][-1]
            ax.scatter(x[ended[0]], last, s=STOP, marker="x", color=tone, zorder=5)
    steps = sorted(set(own["dataset"].str.rsplit(" ", n=1).str[1].astype(int)))
    ax.set(xscale="log", yscale="log", xlabel=part.replace("_", " "))
    ax.set_xticks(steps, [str(step) for step in steps])
    ax.minorticks_off()
    if legend:
        ax.set_ylabel("CPU seconds")
        ax.legend(fontsize=5.5)


def overview(summary, png) -> None:
    """Mean ratio of times of every rival in every question, with twice its error."""
    with guarded(png):
        known = summary.dropna(subset=["ratio"]) if "ratio" in summary else summary.iloc[:0]
        known = known[known["package"] != OURS] if len(known) else known
        if known.empty:
            leave_empty(figure(1, 0.8)[0], png, "no rival answered")
            return
        groups = list(known.groupby("question", sort=False))
        fig, ax = figure(2, 1.0 + 0.16 * (len(known) + len(groups)))
        ticks, row = [], 0
        for name, rivals in groups:
            ticks.append((row, QUESTIONS[name].title))
            for line in rivals.to_dict("records"):
                row += 1
                low, high = line["ratio_low"], line["ratio_high"]
                tone = PALETTE[0] if high < 1 else PALETTE[1] if low > 1 else "#777777"
                ax.plot([low, high], [row, row], color=tone, marker="|", markersize=4)
                ax.plot(line["ratio"], row, "o", color=tone, markersize=3.5)
                ticks.append((row, line["rival"]))
            row += 1
        ax.axvline(1, color="black", linewidth=0.8)
        places, labels = zip(*ticks, strict=True)
        ax.set(xscale="log", yticks=places, yticklabels=labels, ylim=(row - 0.4, -0.6))
        titles = {QUESTIONS[name].title for name, _ in groups}
        for label in ax.get_yticklabels():
            label.set_fontweight("bold" if label.get_text() in titles else "normal")
        ax.tick_params(axis="y", length=0)
        ax.set_title(
            "left of 1 we are faster (blue), right of it they are (orange)", fontsize=7, loc="left"
        )
        ax.set_xlabel(
            "CPU seconds, ours over theirs: geometric mean over data sets, with twice its error"
        )
        save(fig, png)
