"""The pictures from the records; each function gives its figure."""

import numpy as np
import seaborn
from matplotlib.patches import Rectangle

from pinetum.greedy_dp.costs import COSTS, LABELS
from pinetum.greedy_dp.replication.results import BEST
from pinetum.report import style
from pinetum.report.drawings import draw_in_columns
from pinetum.trees.tree import Tree

# Proved trees of the catalogue's tables: data set and cost. Small trees read best.
DRAWN = {"monks-1": "L", "hayes-roth": "h_av", "promoters": "h", "kr-vs-kp-sample": "L_t"}


def mean_difference(relative_differences):
    """Heat map: one line per heuristic, one column per cost, the best two of each column framed."""
    means = of_all(relative_differences).pivot(index="heuristic", columns="cost", values="mean")
    means = 100 * means.reindex(index=LABELS, columns=COSTS).astype(float)
    fig, axes = style.figure(columns=1, height=4.0)
    bar = {"label": "mean relative difference (%)", "shrink": 0.6}
    look = {"fmt": ".1f", "annot": True, "annot_kws": {"fontsize": 6.5}}
    seaborn.heatmap(means, ax=axes, cmap="viridis_r", vmin=0, cbar_kws=bar, **look)
    for place, cost in enumerate(COSTS):
        for line in np.argsort(means[cost].to_numpy(), kind="stable")[:BEST]:
            frame = Rectangle(
                (place + 0.04, line + 0.06),
                0.92,
                0.88,
                fill=False,
                edgecolor="#D55E00",
                linewidth=1.4,
            )
            axes.add_patch(frame)
    axes.set_xticklabels([COSTS[cost].label.replace(" ", "\n") for cost in COSTS], fontsize=5.5)
    axes.set(xlabel="", ylabel="")
    axes.tick_params(length=0)
    return fig


def distribution(relative_differences):
    """Per cost a panel: 5 to 95 per cent as a line, quartiles as a bar, median and mean."""
    fig, panels = style.figure(columns=2, height=3.4, panels=len(COSTS), sharey=True)
    places, summary = np.arange(len(LABELS)), of_all(relative_differences)
    for axes, cost in zip(panels, COSTS, strict=True):
        shown = summary[summary["cost"] == cost].set_index("heuristic").reindex(LABELS)
        lines = 100 * shown[["mean", "q05", "q25", "q50", "q75", "q95"]].astype(float)
        axes.hlines(places, lines["q05"], lines["q95"], color="#888888", linewidth=0.8)
        axes.hlines(places, lines["q25"], lines["q75"], color=style.PALETTE[4], linewidth=5)
        axes.plot(lines["q50"], places, "|", color="black", markersize=6, label="median")
        axes.plot(lines["mean"], places, ".", color=style.PALETTE[5], markersize=5, label="mean")
        axes.set_title(COSTS[cost].label)
        axes.set_xlim(left=-2)
        axes.grid(axis="y", visible=False)
    panels[0].set_yticks(places, LABELS)
    panels[0].invert_yaxis()
    panels[len(COSTS) // 2].set_xlabel("relative difference to the minimum (%)")
    handles, names = panels[0].get_legend_handles_labels()
    fig.legend(handles, names, loc="outside upper right", ncols=2)
    return fig


def of_all(relative_differences):
    """The lines over all groups of random tables."""
    return relative_differences[relative_differences["group"] == "all"]


def optimal_trees(optimal_trees):
    """A proved tree of each wanted data set and cost, as far as the run has one."""
    kept = optimal_trees.set_index(["dataset", "cost"])["tree"]
    wanted = [key for key in DRAWN.items() if key in kept.index]
    return draw_in_columns(
        [
            (f"{name}: least {COSTS[cost].label}", Tree.from_json(kept[name, cost]))
            for name, cost in wanted
        ]
    )
