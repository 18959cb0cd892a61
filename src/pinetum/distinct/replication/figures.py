"""The figures of the paper and ours, from the records, a function for each."""

from itertools import cycle

import numpy as np

from pinetum.report import style

FILL = {"shared": "shared records", "incremental": "incremental", "scratch": "from scratch"}


def nothing(ax, text="no run ended\nwithin its limit"):
    ax.text(0.5, 0.5, text, ha="center", va="center", transform=ax.transAxes)


def by_m(ax):
    ax.set_xscale("log", base=2)
    ax.set_xlabel("m")


def figure_3(orders, order_sizes, exhaustive):
    """Distinct trees by size, and what the orders and the ways of building take."""
    fig, (left, middle, right) = style.figure(2, 2.7, panels=3)
    for (m, rows), marker in zip(sorted(order_sizes.groupby("m")), cycle(style.MARKERS)):
        left.plot(rows["size"], rows["distinct"], marker=marker, label=f"m = {m}")
    left.set_yscale("log")
    if len(orders):
        left.set_title(orders["dataset"].iloc[0])
    if len(order_sizes):
        left.set_ylim(top=12 * order_sizes["distinct"].max())  # room for the legend
    left.set_xlabel("features")
    left.set_ylabel("distinct trees")
    done = orders[orders["status"] == "ok"]
    shared = done[done["build"] == "shared"]
    for order, label in (
        ("ascending", "ascending frontier"),
        ("descending", "descending frontier"),
        ("fixed", "fixed index"),
    ):
        rows = shared[shared["order"] == order].sort_values("m")
        if len(rows):
            middle.plot(rows["m"], rows["ratio"], **style.look(label))
    ascending = shared[shared["order"] == "ascending"].sort_values("m")
    if len(ascending) and len(exhaustive):
        whole = exhaustive.set_index("m")["trees"].reindex(ascending["m"]).to_numpy()
        middle.plot(
            ascending["m"], whole / ascending["distinct"].to_numpy(), **style.look("exhaustive")
        )
    middle.set_yscale("log")
    middle.set_ylabel("trees over distinct trees")
    for build, label in FILL.items():
        rows = done[(done["build"] == build) & (done["order"] == "ascending")].sort_values("m")
        if len(rows):
            right.plot(rows["m"], rows["seconds"], **style.look(label))
    if len(exhaustive):
        rows = exhaustive.sort_values("m")
        right.plot(rows["m"], rows["seconds_estimated"], **style.look("exhaustive"))
    right.set_yscale("log")
    right.set_ylabel("CPU seconds")
    for ax in (middle, right):
        by_m(ax)
    for ax in (left, middle, right):
        if ax.lines:
            ax.legend(fontsize=6, **({"loc": "upper left", "ncols": 2} if ax is left else {}))
        else:
            nothing(ax)
    return fig


def figure_4(enumeration, search_errors):
    """What enumerations build and take by m, and what the best subset gains."""
    fig, (left, middle, right) = style.figure(2, 2.7, panels=3)
    done = enumeration[enumeration["status"] == "ok"]
    for dataset, rows in done.groupby("dataset", sort=False):
        rows = rows.sort_values("m")
        left.plot(rows["m"], rows["ratio"], **style.look(dataset))
        middle.plot(rows["m"], rows["seconds"], **style.look(dataset))
    left.axhline(1.35, color="#888888", linestyle=":", linewidth=1)
    left.set_ylabel("built over distinct trees")
    middle.set_yscale("log")
    middle.set_ylabel("CPU seconds")
    good = search_errors[search_errors["errors"].notna()]
    for column, label in (("top_errors", "top"), ("sbe_errors", "SBE"), ("errors", "optimal")):
        if len(good):
            percent = 100 * good[column] / good["search_cases"]
            mean = percent.groupby(good["m"]).mean()
            right.plot(mean.index, mean.to_numpy(), **style.look(label))
    if len(good):
        open_ms = mean.index[~good["proved"].astype(bool).groupby(good["m"]).all()]
        if len(open_ms):
            hollow = {
                "marker": style.marker("optimal"),
                "markeredgecolor": style.colour("optimal"),
                "linestyle": "",
            }
            right.plot(
                open_ms,
                mean[open_ms],
                markerfacecolor="white",
                zorder=3,
                label="best known",
                **hollow,
            )
        right.legend()
        right.set_title(good["dataset"].iloc[0])
    else:
        nothing(right)
    right.set_ylabel("search error, %")
    for ax in (left, middle, right):
        by_m(ax)
    if len(done):
        middle.legend(ncols=1, fontsize=5.5)
    return fig


def seconds_by_trees(enumeration):
    """Seconds of every enumeration that ended, by its number of trees."""
    fig, ax = style.figure(1, 3.0)
    done = enumeration[enumeration["status"] == "ok"]
    for dataset, rows in done.groupby("dataset", sort=False):
        rows = rows.sort_values("distinct")
        ax.plot(rows["distinct"], rows["seconds"], **style.look(dataset))
    if len(done):
        low, high = done["distinct"].min(), done["distinct"].max()
        line = np.array([low, high])
        ax.plot(
            line, line * 1e-6, color="#888888", linestyle=":", linewidth=1, label="1 µs per tree"
        )
        ax.legend(fontsize=5.5)
    else:
        nothing(ax)
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set_xlabel("distinct trees")
    ax.set_ylabel("CPU seconds")
    return fig


def rashomon(rashomon, most=25):
    """One panel per data set: features by the share of near-optimal trees that use them."""
    groups = [(key, rows) for key, rows in rashomon.groupby(["dataset", "m"], sort=False)]
    shown = max([min(most, (rows["uses"] > 0).sum()) for _, rows in groups] or [4])
    fig, axes = style.figure(2, 0.9 + 0.11 * shown, panels=max(1, len(groups)))
    axes = np.atleast_1d(axes)
    if not groups:
        nothing(axes[0], "no near-optimal trees: the records say why")
        axes[0].set_axis_off()
    for ax, ((dataset, m), rows) in zip(axes, groups, strict=False):
        used = int((rows["uses"] > 0).sum())
        rows = (
            rows[rows["uses"] > 0]
            .sort_values("share", ascending=False, kind="stable")
            .head(most)[::-1]
        )
        part = "" if (rows["status"] == "ok").all() else ", part"
        colours = [
            style.colour("optimal") if share >= 1 else style.colour("SBE")
            for share in rows["share"]
        ]
        ax.barh(np.arange(len(rows)), 100 * rows["share"], color=colours, height=0.7)
        ax.set_yticks(np.arange(len(rows)), rows["feature"], fontsize=5.5)
        ax.set_xlim(0, 100)
        trees = int(rows["trees"].max()) if len(rows) else 0
        ax.set_title(
            f"{dataset}, m = {m}\n{trees:,} near-optimal {'tree' if trees == 1 else 'trees'}{part}"
        )
        ax.set_xlabel(
            "trees that use it, %" + (f" ({most} of {used} features)" if used > most else "")
        )
        ax.grid(axis="y", visible=False)
    return fig
