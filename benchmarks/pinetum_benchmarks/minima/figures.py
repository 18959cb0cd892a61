"""Figures of exact minima against the size of random tables, from records."""

import seaborn

from pinetum.greedy_dp.costs import COSTS
from pinetum.report import style

LEAST_WORK = 1000  # that a figure shows


def scaling(records, png):
    """Tables of a size: medians as lines, the middle half as bands.

    Left seconds, right subtables kept.
    """
    records = records[records["status"] == "optimal"]
    fig, panels = style.figure(columns=2, height=2.7, panels=2)
    counts = sorted(set(records["attributes"]))
    look = {
        "hue": "attributes",
        "palette": list(style.PALETTE[: len(counts)]),
        "estimator": "median",
        "legend": False,
    }
    look |= {
        "style": "attributes",
        "markers": list(style.MARKERS[: len(counts)]),
        "markeredgecolor": "none",
    }
    for axes, column, dashes in (
        (panels[0], "seconds", ""),
        (panels[0], "seconds_one_word", (1, 1)),
        (panels[1], "subtables", ""),
    ):
        shown = records.dropna(subset=column)
        lines = look | {"dashes": [dashes] * len(counts), "errorbar": ("pi", 50)}
        seaborn.lineplot(shown, x="rows", y=column, ax=axes, **lines)
    for number, attributes in enumerate(counts):
        panels[1].plot(
            [],
            [],
            color=style.PALETTE[number],
            marker=style.MARKERS[number],
            label=f"{attributes} attributes",
        )
    panels[0].plot([], [], "k-", label="any number of rows")
    panels[0].plot([], [], "k:", label="at most 64 rows, with greedy trees")
    for axes, what in zip(panels, ("CPU seconds", "subtables kept"), strict=True):
        axes.set(xlabel="rows", ylabel=what, yscale="log")
        axes.legend(loc="lower right")
    style.save(fig, png)


def frontier(records, png):
    """Per cost a panel: median work of a proof against rows.

    A cross where the work ended on one of the tables.
    """
    fig, panels = style.figure(columns=2, height=2.7, panels=len(COSTS), sharex=True, sharey=True)
    counts = sorted(set(records["attributes"]))
    for axes, cost in zip(panels, COSTS, strict=True):
        for number, m in enumerate(counts):
            shown = records[(records["cost"] == cost) & (records["attributes"] == m)]
            sizes = shown.groupby("rows")
            work = sizes["work"].median().clip(lower=LEAST_WORK) / 1e6
            proved = sizes["status"].agg(lambda status: (status == "optimal").all())
            look = {
                "color": style.PALETTE[number],
                "marker": style.MARKERS[number],
                "linestyle": style.DASHES[number],
            }
            axes.plot(work.index, work, **look, label=f"{m} attributes")
            axes.plot(
                work.index[~proved],
                work[~proved],
                "x",
                color=look["color"],
                markersize=9,
                markeredgewidth=1.6,
            )
        axes.set(xscale="log", yscale="log", title=COSTS[cost].label)
        axes.set_xticks(sorted(set(records["rows"])), sorted(set(records["rows"])), rotation=90)
        axes.minorticks_off()
    panels[0].set_ylabel("work of the proof, millions")
    panels[len(COSTS) // 2].set_xlabel(
        "rows of the random table (cross: the work ended without a proof)"
    )
    fig.legend(
        *panels[0].get_legend_handles_labels(), loc="outside upper center", ncols=len(counts)
    )
    style.save(fig, png)
