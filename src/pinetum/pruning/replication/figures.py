"""The pictures from the records; each function gives its figure."""

import numpy as np
import pandas as pd

from pinetum.pruning.pruners import FOUND, PAPER
from pinetum.pruning.replication.ranks import TOTAL
from pinetum.pruning.replication.results import shares
from pinetum.report import style
from pinetum.report.readings import DEFAULT


def rank_by_removed(ranks):
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
    return fig


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


def size_and_accuracy(size_and_accuracy):
    """Errors against the share of nodes kept: on the networks in total, and averaged over the real
    data sets.
    """
    fig, axes = style.figure(2, 3.0, panels=2)
    sizes = size_and_accuracy
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
    return fig


def point_look(name):
    """A pruner as a point; those the paper does not have are hollow."""
    face = style.colour(name) if name in PAPER else "white"
    return {**style.look(name), "linestyle": "none", "markerfacecolor": face}


def share_of_possible(possible):
    """What pruners gain on test cases as a share of the oracle's gain, the best on top."""
    lines = pd.DataFrame([line for line in shares(possible) if line["shown"]])
    if lines.empty:
        return style.left_empty(style.figure(2, 1.75)[0], "nothing was pruned")
    fig, axes = style.figure(2, 3.4, panels=2)
    for ax, kind in zip(axes, ("generated", "real"), strict=True):
        value = f"{kind}, test cases %"
        mine = lines.sort_values(value, ignore_index=True)
        for place, (name, share, error) in enumerate(
            zip(mine["pruner"], mine[value], mine[f"{kind}, test cases, se"], strict=True)
        ):
            ax.errorbar(share, place, xerr=2 * error, capsize=1.5, **point_look(name))
        ax.set_yticks(range(len(mine)), [style.look(name)["label"] for name in mine["pruner"]])
        ax.axvline(0, color="black", lw=0.7)
        ax.axvline(100, color="black", lw=0.7, linestyle=":")
        ax.set_title(f"{kind} data")
        ax.set_xlabel("gain on test cases, % of the best possible")
    return fig


def critical_difference(ranks, synthetic_tests, uci, uci_tests):
    """Demsar's diagrams: average ranks on a line, for the paper's five and for all pruners.

    A bar joins algorithms that do not differ by Nemenyi's test.
    """
    panels = []
    for group, who in (("SYNTH+", "the paper's five"), ("all", "all pruners")):
        for what, places, tests in (
            (
                "generated data",
                ranks[ranks["removed"].astype(str) == TOTAL],
                synthetic_tests[synthetic_tests["removed"].astype(str) == TOTAL],
            ),
            (
                "real data",
                uci[uci["dataset"] == "average"],
                uci_tests[uci_tests["repeat"].astype(str) == "mean"],
            ),
        ):
            mine, test = places[places["group"] == group], tests[tests["group"] == group]
            if len(test):
                means = dict(zip(mine["pruner"], mine["rank"], strict=True))
                difference = float(test["critical_difference"].iloc[0])
                panels.append((f"{what}, {who}", means, difference))
    if not panels:
        return style.left_empty(style.figure(2, 1.75)[0], "nothing was ranked")
    fig, axes = style.figure(2, 1.75 * len(panels), rows=len(panels), squeeze=False)
    for ax, (title, means, difference) in zip(axes[:, 0], panels, strict=True):
        diagram(ax, title, means, difference)
    return fig


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


def readings(readings):
    """How far each reading of the paper leaves its tables: root mean square of z, and cells beyond
    three errors.
    """
    names = list(dict.fromkeys(readings["reading"]))
    fig, axes = style.figure(2, 0.9 + 0.135 * len(names), panels=3, sharey=True)
    places = np.arange(len(names))[::-1]
    judged = readings[readings["verdict"].isin(["within", "outside"])]
    for ax, table in zip(axes, ("Table 1", "Table 2", "Table 3"), strict=True):
        parts = [judged[(judged["reading"] == name) & (judged["item"] == table)] for name in names]
        values = [np.sqrt(np.mean(part["z"].astype(float) ** 2)) for part in parts]
        colours = [style.PALETTE[5 if name == DEFAULT else 0] for name in names]
        ax.barh(places, np.nan_to_num(values), color=colours, height=0.7)
        ax.set_xscale("symlog", linthresh=1)
        for place, value, part in zip(places, values, parts, strict=True):
            outside = int((part["verdict"] == "outside").sum())
            text = f"{value:.2g}, {outside} outside" if len(part) else "not affected"
            ax.text(value if len(part) else 0, place, f" {text}", va="center", fontsize=5.5)
        ax.set_xlabel(f"{table}: rms z")
        ax.margins(x=0.5)
    axes[0].set_yticks(places, names, fontsize=6)
    return fig


def found_curve(found_curves):
    """Charged error rate over the share of wrong cases, leaves of 10 and of 100 cases."""
    fig, axes = style.figure(columns=2, height=2.8, panels=2, sharey=True)
    found = [name for name in dict.fromkeys(found_curves["pruner"]) if name.startswith(FOUND)]
    for ax, (n, leaves) in zip(axes, found_curves.groupby("n"), strict=False):
        for name, curve in leaves.groupby("pruner", sort=False):
            if name in found:
                k = found.index(name)
                look = {
                    "color": style.PALETTE[(6 + k) % len(style.PALETTE)],
                    "linestyle": style.DASHES[k % len(style.DASHES)],
                    "label": name.removeprefix(FOUND),
                }
            else:
                look = style.look(name) | {"markevery": 0.2}
            ax.plot(curve["wrong"] / n, curve["rate"], **look)
        ax.set_title(f"leaf of {n} cases")
        ax.set_xlabel("share of cases not of the leaf's class")
    axes[0].set_ylabel("error rate charged")
    axes[0].set_ylim(bottom=min(0.0, axes[0].get_ylim()[0]), top=min(axes[0].get_ylim()[1], 2.5))
    axes[1].legend(loc="upper left", bbox_to_anchor=(1, 1))
    return fig


def found_progress(found_history):
    """Rank (or errors) of the leader on training, validation and fresh data, and its size."""
    fig, axes = style.figure(columns=2, height=2.8, panels=2)
    scores = {"training": ("-", 0), "validation": ("--", 1), "test": (":", 5)}
    for k, (run, rows) in enumerate(found_history.groupby("run", sort=False)):
        first = rows[rows["island"] == rows["island"].min()]
        for column, (dashes, colour) in scores.items():
            label = {"test": "fresh data"}.get(column, column) if k == 0 else None
            thin = 1.6 if k == 0 else 0.7
            axes[0].plot(
                first["candidates"] / 1000,
                first[column],
                linestyle=dashes,
                color=style.PALETTE[colour],
                linewidth=thin,
                label=label,
            )
        axes[1].plot(
            first["candidates"] / 1000,
            first["size"],
            color=style.PALETTE[k % len(style.PALETTE)],
            linewidth=0.9,
            label=run,
        )
    axes[0].set_ylabel("score of the leader (first island)")
    axes[1].set_ylabel("tokens of the leader")
    for ax in axes:
        ax.set_xlabel("thousand candidates judged")
    axes[0].legend()
    axes[1].legend(loc="upper left", bbox_to_anchor=(1, 1))
    return fig
