"""Figures of the room; each takes a table of records and writes png, svg and pdf."""

import numpy as np
from matplotlib.patches import Rectangle

from arboretum.greedy_dp.heuristics import COST_NAMES, COSTS, LABELS
from arboretum.greedy_dp.summary import BEST
from arboretum.report import style


def mean_difference(summary, png):
    """Heat map: one line per heuristic, one column per cost, the best two of each column framed."""
    means = summary.pivot(index="heuristic", columns="cost", values="mean").loc[list(LABELS), list(COSTS)].to_numpy()
    fig, axes = style.figure(columns=1, height=4.0)
    image = axes.imshow(100 * means, cmap="viridis_r", aspect="auto", vmin=0)
    for (h, c), mean in np.ndenumerate(means):
        dark = mean > 0.55 * means.max()
        axes.text(c, h, f"{100 * mean:.1f}", ha="center", va="center", fontsize=6.5, color="white" if dark else "black")
    for c in range(len(COSTS)):
        for h in np.argsort(means[:, c], kind="stable")[:BEST]:
            axes.add_patch(Rectangle((c - 0.46, h - 0.44), 0.92, 0.88, fill=False, edgecolor="#D55E00", linewidth=1.4))
    axes.set_xticks(range(len(COSTS)), [COST_NAMES[cost].replace(" ", "\n") for cost in COSTS], fontsize=5.5)
    axes.set_yticks(range(len(LABELS)), LABELS)
    axes.grid(False)
    axes.tick_params(length=0)
    fig.colorbar(image, ax=axes, label="mean relative difference (%)", shrink=0.6)
    style.save(fig, png)


def distribution(summary, png):
    """Per cost a panel: 5 to 95 per cent as a line, quartiles as a bar, median and mean."""
    fig, panels = style.figure(columns=2, height=3.4, panels=len(COSTS), sharey=True)
    places = np.arange(len(LABELS))
    for axes, cost in zip(panels, COSTS, strict=True):
        shown = summary[summary["cost"] == cost].set_index("heuristic").loc[list(LABELS)]
        lines = 100 * shown[["mean", "q05", "q25", "q50", "q75", "q95"]]
        axes.hlines(places, lines["q05"], lines["q95"], color="#888888", linewidth=0.8)
        axes.hlines(places, lines["q25"], lines["q75"], color=style.PALETTE[4], linewidth=5)
        axes.plot(lines["q50"], places, "|", color="black", markersize=6, label="median")
        axes.plot(lines["mean"], places, ".", color=style.PALETTE[5], markersize=5, label="mean")
        axes.set_title(COST_NAMES[cost])
        axes.set_xlim(left=-2)
        axes.grid(axis="y", visible=False)
    panels[0].set_yticks(places, LABELS)
    panels[0].invert_yaxis()
    panels[len(COSTS) // 2].set_xlabel("relative difference to the minimum (%)")
    handles, names = panels[0].get_legend_handles_labels()
    fig.legend(handles, names, loc="outside upper right", ncols=2)
    style.save(fig, png)


def scaling(records, png):
    """Medians over the tables of a size; left seconds, right subtables, one line per number of attributes."""
    records = records[records["status"] == "optimal"]
    fig, panels = style.figure(columns=2, height=2.7, panels=2)
    middle = (
        records.groupby(["attributes", "rows"])[["seconds", "seconds_one_word", "subtables"]].median().reset_index()
    )
    for number, (attributes, line) in enumerate(middle.groupby("attributes")):
        look = {"color": style.PALETTE[number], "marker": style.MARKERS[number]}
        panels[0].plot(line["rows"], line["seconds"], **look)
        panels[0].plot(line["rows"], line["seconds_one_word"], linestyle=":", fillstyle="none", **look)
        panels[1].plot(line["rows"], line["subtables"], label=f"{attributes} attributes", **look)
    panels[0].plot([], [], "k-", label="any number of rows")
    panels[0].plot([], [], "k:", label="at most 64 rows, with greedy trees")
    for axes, what in zip(panels, ("CPU seconds", "subtables kept"), strict=True):
        axes.set_xlabel("rows")
        axes.set_ylabel(what)
        axes.set_yscale("log")
    panels[0].legend(loc="lower right")
    panels[1].legend(loc="lower right")
    style.save(fig, png)
