"""Figures of the growers: size and error per data set, speed, scaling, drawings of small
trees.
"""

import json

import numpy as np

from pinetum.report import style
from pinetum.report.drawings import draw_in_columns
from pinetum.trees.tree import Tree

LOOK = {"yadt": 0, "yadt gini": 4, "c45": 1, "c45 pruned": 2}  # places in the style's palette


def _dots(ax, frame, column, names, error=None):
    methods = list(dict.fromkeys(frame["method"]))
    for place, method in enumerate(methods):
        mine = frame[frame["method"] == method].set_index("dataset").reindex(names)
        y = np.arange(len(names)) + (place - (len(methods) - 1) / 2) * 0.17
        colour, marker = style.PALETTE[LOOK[method]], style.MARKERS[LOOK[method]]
        bars = None if error is None else mine[error]
        ax.errorbar(
            mine[column],
            y,
            xerr=bars,
            fmt=marker,
            color=colour,
            markersize=3,
            elinewidth=0.7,
            label=method,
        )
    ax.set_yticks(np.arange(len(names)), names)
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.grid(axis="y", visible=False)
    for line in np.arange(len(names) - 1) + 0.5:
        ax.axhline(line, color="#eeeeee", linewidth=0.5, zorder=0)


def size_and_error(frame, png):
    """Nodes and ten-fold error of every method, one line per data set, ordered by tree size."""
    good = frame[frame["status"] == "ok"]
    names = list(good.groupby("dataset")["nodes"].max().sort_values(kind="stable").index)
    fig, axes = style.figure(2, max(2.2, 0.21 * len(names) + 0.9), panels=2, sharey=True)
    _dots(axes[0], good, "nodes", names)
    _dots(axes[1], good, "error", names, "error_se")
    axes[0].set_xscale("log")
    axes[0].set_xlabel("nodes (empty leaves included)")
    axes[1].set_xlabel("ten-fold error, % (bars: standard error)")
    axes[1].set_xlim(left=0)
    fig.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=4)
    style.save(fig, png)


def speed(frame, png):
    """How many times faster than scikit-learn: columns presorted, from the encoded table, the whole
    `fit`.
    """
    good = frame[frame["status"] == "ok"]
    fig, ax = style.figure(1, max(1.6, 0.5 * len(good) + 0.8))
    if good.empty:
        style.leave_empty(fig, png, "This run grew no data set beside scikit-learn.")
        return
    y = np.arange(len(good))
    shown = (
        ("rate_to_sklearn", "presorted once"),
        ("rate_with_presort_to_sklearn", "presorting included"),
    )
    for bar, (column, label) in enumerate(
        (*shown, ("rate_fit_to_sklearn", "fit of a user's table"))
    ):
        places = y + 0.27 * (bar - 1)
        ax.barh(places, good[column], 0.25, color=style.PALETTE[(0, 4, 2)[bar]], label=label)
        for place, rate in zip(places, good[column], strict=True):
            ax.text(rate, place, f" {rate:.1f}", va="center", fontsize=6.5)
    ax.axvline(1, color="black", linewidth=0.8)
    ax.set_yticks(y, good["workload"])
    ax.invert_yaxis()
    ax.grid(axis="y", visible=False)
    ax.set_xlabel("scikit-learn's CPU time / ours")
    ax.margins(x=0.12)
    fig.legend(loc="outside upper center", ncols=2)
    style.save(fig, png)


def scaling(frame, png):
    """CPU seconds against cases and features, memory against cases, beside the laws that they
    should follow.
    """
    good = frame[frame["status"] == "ok"].sort_values(["cases", "features"], kind="stable")
    wide, good = good[good["by"] == "features"], good[good["by"] == "cases"]
    n, d = good["cases"].to_numpy(dtype=float), wide["features"].to_numpy(dtype=float)
    fig, (left, middle, right) = style.figure(2, 2.5, panels=3)
    for ax, mine, x in ((left, good, n), (middle, wide, d)):
        ax.loglog(x, mine["seconds_tree"], marker="o", color=style.PALETTE[0], label="growing")
        ax.loglog(
            x,
            mine["seconds_presort"],
            marker="s",
            color=style.PALETTE[1],
            linestyle="--",
            label="presorting",
        )
    right.loglog(n, good["peak_mb"], marker="o", color=style.PALETTE[0], label="peak")
    right.loglog(
        n,
        good["peak_mb_encoded"],
        marker="s",
        color=style.PALETTE[1],
        linestyle="--",
        label="encoded data",
    )
    if len(n):
        grey = {"color": "#777777", "linewidth": 0.9}
        laws = [
            (n * np.log2(n), "n log n", ":"),
            (good["visits"].to_numpy(), "cases of inner nodes", "-."),
        ]
        for law, label, line in laws:
            left.loglog(
                n,
                law / law[-1] * good["seconds_tree"].iloc[-1],
                label=label,
                linestyle=line,
                **grey,
            )
        right.loglog(n, n / n[-1] * good["peak_mb"].iloc[-1], label="n", linestyle=":", **grey)
    if len(d):
        middle.loglog(
            d,
            d / d[-1] * wide["seconds_tree"].iloc[-1],
            label="d",
            color="#777777",
            lw=0.9,
            linestyle=":",
        )
    left.set_ylabel("CPU seconds")
    right.set_ylabel("memory, MB")
    for ax, name in ((left, "cases"), (middle, "features"), (right, "cases")):
        ax.set_xlabel(name)
        ax.legend()
    style.save(fig, png)


def drawings(path, method, png):
    """The trees of one method, in two columns."""
    with open(path, encoding="utf-8") as file:
        kept = json.load(file)
    trees = [
        (name, Tree.from_json(methods[method]))
        for name, methods in kept.items()
        if method in methods
    ]
    style.save(draw_in_columns(trees), png)
