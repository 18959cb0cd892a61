"""Figures of the study, from its CSV files."""

import numpy as np

from pinetum.pruning.pruners import PAPER
from pinetum.pruning.study.ranks import TOTAL
from pinetum.report import style


def rank_by_removed(ranks, path):
    """Average rank by number of removed attributes: the paper's five with either SYNTH, and the
    others as fifth.
    """
    fig, axes = style.figure(2, 2.9, panels=2, sharey=True)
    ranks = ranks[ranks["removed"].astype(str) != TOTAL].copy()
    ranks["removed"] = ranks["removed"].astype(int)
    five = ranks[ranks["group"] == "SYNTH+"]
    for name in dict.fromkeys(five["pruner"]):
        line(axes[0], five[five["pruner"] == name], name)
    printed = ranks[(ranks["group"] == "SYNTH") & (ranks["pruner"] == "SYNTH")]
    line(axes[0], printed, "SYNTH")
    axes[0].set_title("the paper's pruners, five at a time")
    for name in [name for name in dict.fromkeys(ranks["group"]) if name not in ("all", "SYNTH")]:
        line(axes[1], ranks[(ranks["group"] == name) & (ranks["pruner"] == name)], name)
    axes[1].set_title("other pruners in SYNTH's place")
    for ax in axes:
        ax.set_xlabel("removed attributes")
        ax.set_xticks(sorted(ranks["removed"].unique()))
    axes[0].set_ylabel("average rank (1 = most accurate)")
    axes[0].invert_yaxis()
    for ax in axes:
        ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.2), ncols=4)
    style.save(fig, path)


def line(ax, rows, name):
    rows = rows.sort_values("removed")
    ax.errorbar(
        rows["removed"],
        rows["rank"],
        yerr=2 * rows["se"],
        capsize=1.5,
        elinewidth=0.7,
        **style.look(name),
    )


def size_and_accuracy(sizes, path):
    """Errors against the share of nodes kept: on the networks in total, and averaged over the real
    data sets.
    """
    fig, axes = style.figure(2, 3.0, panels=2)
    generated = sizes[(sizes["study"] == "generated") & (sizes["data"].astype(str) == TOTAL)]
    real = (
        sizes[sizes["study"] == "real"]
        .groupby("pruner", sort=False)[["error", "share_of_nodes"]]
        .mean()
    )
    panels = [
        (axes[0], generated.set_index("pruner"), "generated data sets"),
        (axes[1], real, "real data sets, mean"),
    ]
    for ax, points, title in panels:
        for name, point in points.iterrows():
            ax.plot(100 * point["share_of_nodes"], point["error"], markersize=6, **point_look(name))
        ax.set_title(title)
        ax.set_xlabel("nodes kept, % of the unpruned tree")
        ax.set_ylabel("test error, %")
    fig.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=6)
    style.save(fig, path)


def point_look(name):
    """A pruner as a point; those the paper does not have are hollow."""
    face = style.colour(name) if name in PAPER else "white"
    return {**style.look(name), "linestyle": "none", "markerfacecolor": face}


def own_table(rows, path):
    """Error against nodes on a user's own table, bars of one spread over cross-validations."""
    fig, ax = style.figure(1, 2.6)
    good = rows[rows["status"] == "ok"]
    for row in good.to_dict("records"):
        ax.errorbar(
            row["nodes"],
            row["error"],
            yerr=row["error_spread"],
            capsize=2,
            **point_look(row["pruner"]),
        )
    if len(good):
        ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    else:
        ax.text(0.5, 0.5, rows["status"].iloc[0], ha="center", transform=ax.transAxes)
    ax.set_title(rows["dataset"].iloc[0])
    ax.set_xlabel("nodes")
    ax.set_ylabel("error, %")
    style.save(fig, path)


def critical_difference(panels, path):
    """Demsar's diagram: average ranks on a line.

    A bar joins algorithms that do not differ by Nemenyi's test.
    """
    fig, axes = style.figure(2, 1.75 * len(panels), rows=len(panels), squeeze=False)
    for ax, (title, ranks, difference) in zip(axes[:, 0], panels, strict=True):
        diagram(ax, title, ranks, difference)
    style.save(fig, path)


def diagram(ax, title, ranks, difference):
    names = sorted(ranks, key=ranks.get)
    k = len(names)
    half = (k + 1) // 2
    ax.set_xlim(0.2, k + 0.8)
    ax.axis("off")
    ax.set_title(f"{title}; critical difference {difference:.3g}", loc="left")
    ax.hlines(0, 1, k, color="black", lw=1)
    for tick in range(1, k + 1):
        ax.vlines(tick, 0, 0.12, color="black", lw=1)
        ax.text(tick, 0.2, str(tick), ha="center", va="bottom", fontsize=7)
    bars = joined([ranks[name] for name in names], difference)
    top = -0.25
    for level, (first, last) in enumerate(bars):
        y = top - 0.22 * level
        ax.hlines(y, ranks[names[first]] - 0.04, ranks[names[last]] + 0.04, color="#444444", lw=3)
    below = top - 0.22 * len(bars) - 0.15
    for i, name in enumerate(names):
        left = i < half
        depth = below - 0.36 * (i if left else k - 1 - i)
        end = 0.95 if left else k + 0.05
        ax.plot([ranks[name], ranks[name], end], [0, depth, depth], color=style.colour(name), lw=1)
        ax.plot(ranks[name], 0, marker="o", ms=3.5, color=style.colour(name), zorder=3)
        text = f"{name}  {ranks[name]:.2f}" if left else f"{ranks[name]:.2f}  {name}"
        ax.text(
            end + (-0.05 if left else 0.05),
            depth,
            text,
            ha="right" if left else "left",
            va="center",
            fontsize=7,
        )
    ax.set_ylim(below - 0.36 * half, 0.6)


def joined(ranks, difference):
    """Longest runs of sorted ranks that lie within the critical difference, as (first, last)."""
    runs = []
    for i in range(len(ranks)):
        last = max(j for j in range(i, len(ranks)) if ranks[j] - ranks[i] <= difference)
        if last > i and (not runs or last > runs[-1][1]):
            runs.append((i, last))
    return runs


def readings(overview, path):
    """How far each reading of the paper leaves its tables: root mean square of z, and cells beyond
    three errors.
    """
    tables = ("Table 1", "Table 2", "Table 3")
    fig, axes = style.figure(2, 0.9 + 0.135 * len(overview), panels=3, sharey=True)
    names = list(overview["reading"])
    places = np.arange(len(names))[::-1]
    for ax, table in zip(axes, tables, strict=True):
        values, outside = (
            overview[f"{table}: {what}"].to_numpy(float) for what in ("rms z", "outside")
        )
        colours = [style.PALETTE[5 if name == "default" else 0] for name in names]
        ax.barh(places, np.nan_to_num(values), color=colours, height=0.7)
        ax.set_xscale("symlog", linthresh=1)
        for place, value, count in zip(places, values, outside, strict=True):
            text = "not affected" if np.isnan(value) else f"{value:.2g}, {count:.0f} outside"
            ax.text(0 if np.isnan(value) else value, place, f" {text}", va="center", fontsize=5.5)
        ax.set_xlabel(f"{table}: rms z")
        ax.margins(x=0.5)
    axes[0].set_yticks(places, names, fontsize=6)
    style.save(fig, path)
