"""The figures: a function for each, from the records alone."""

import numpy as np

from pinetum.elimination.replication import results
from pinetum.elimination.replication.protocol import MIN_CASES
from pinetum.report import style


def figure5(curves):
    """Figure 5: cross-validation error over m."""
    rows = list(dict.fromkeys(curves["row"]))
    fig, axes = style.figure(2, 2.5, panels=max(1, len(rows)), squeeze=False)
    for ax, row in zip(axes[0], rows, strict=False):
        ticks = sorted(set(curves.loc[curves["row"] == row, "m"]))
        for shift, (method, look) in enumerate(
            (("top", "top"), ("(P)SBE", "PSBE"), ("optimal", "optimal"))
        ):
            ours = curves[(curves["row"] == row) & (curves["method"] == method)].sort_values("m")
            if len(ours):
                kind = {**style.look(look), "label": method}
                ax.errorbar(
                    ours["m"] * 1.04 ** (shift - 1),
                    ours["error"],
                    ours["se"],
                    elinewidth=0.7,
                    **kind,
                )
        ax.set_xscale("log", base=2)
        ax.set_xticks(ticks, [f"{m:g}" for m in ticks])
        ax.set_xlabel("m (fewer cases: leaf)")
        ax.set_title(row)
    axes[0][0].set_ylabel("cross-validation error (%)")
    if rows:
        axes[0][-1].legend()
    return fig


def label_points(ax, points):
    """Names above the points; those of neighbours stand side by side."""
    points = points.sort_values(["features", "gain"])
    while len(points):
        near = points["features"] <= 1.35 * points["features"].iloc[0]
        group, points = points[near], points[~near]
        place = (np.exp(np.log(group["features"]).mean()), group["gain"].max())
        for k, name in enumerate(group["row"]):
            offset = (8 * (k - (len(group) - 1) / 2), 6)
            look = {"textcoords": "offset points", "fontsize": 6, "rotation": 90, "ha": "center"}
            ax.annotate(name, place, xytext=offset, **look)


def speed_up(folds, large, settings):
    """Speed-up of the three white-box ways over the black box, by number of features."""
    ways = results.ways(folds, settings)
    fig, ax = style.figure(2, 3.2)
    shown = (
        ("unused features skipped", "seconds_used_only", "SBE"),
        ("... and incremental", "seconds_incremental", "FM_RLP"),
        ("... and bounded, remembered", "seconds_bounded", "PSBE"),
    )
    for label, column, look in shown:
        if len(ways):
            gain = ways["seconds_black_box"] / ways[column]
            ax.scatter(
                ways["features"],
                gain,
                color=style.colour(look),
                marker=style.marker(look),
                label=label,
                zorder=3,
            )
    label_points(ax, ways.assign(gain=ways["seconds_black_box"] / ways["seconds_bounded"]))
    large = large[large["status"] == "ok"]
    if len(large):
        gain = large["seconds_black_box_estimate"] / large["seconds"]
        ax.scatter(
            large["features"],
            gain,
            facecolors="none",
            edgecolors=style.colour("PSBE"),
            marker=style.marker("PSBE"),
            label="the same, black box estimated from one tree",
            zorder=3,
        )
        for (_, line), value in zip(large.iterrows(), gain, strict=True):
            ax.annotate(
                line["dataset"],
                (line["features"], value),
                xytext=(-4, -9),
                textcoords="offset points",
                fontsize=6,
                ha="right",
            )
    ax.axhline(1, color="#999999", linewidth=0.8)
    ax.set_xscale("log")
    ax.set_yscale("log")
    ticks = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
    ax.set_xticks(ticks, [f"{tick:,}" for tick in ticks])
    ax.set_xlim(10, 10_000)
    ax.xaxis.minorticks_off()
    ax.set_xlabel("features")
    ax.set_ylabel("speed-up over the black box (times)")
    ax.legend(loc="upper left")
    return fig


def paths(paths):
    """Search errors along the elimination, relative to the top tree; first repeat, every fold."""
    paths = paths[(paths["m"] == MIN_CASES) & (paths["repeat"] == 0)]
    rows = list(dict.fromkeys(paths["row"]))
    columns = 4
    lines = max(1, -(-len(rows) // columns))
    fig, axes = style.figure(2, 1.6 * lines, rows=lines, panels=columns, squeeze=False)
    for ax, row in zip(axes.flat, rows, strict=False):
        for _, one in paths[paths["row"] == row].groupby("fold"):
            start = one["search_errors"].iloc[0]
            ax.plot(
                one["step"],
                100 * one["search_errors"] / max(start, 1),
                color=style.colour("PSBE"),
                alpha=0.5,
                lw=0.9,
            )
        ax.set_title(row)
        ax.set_ylim(bottom=0)
        ax.set_xlim(-0.3, max(1, paths.loc[paths["row"] == row, "step"].max()) + 0.3)
        ax.xaxis.get_major_locator().set_params(integer=True)
    for ax in axes.flat[len(rows) :]:
        ax.set_axis_off()
    for ax in axes[:, 0]:
        ax.set_ylabel("errors (% of top)")
    for ax in axes.flat[: len(rows)][np.maximum(0, len(rows) - columns) :]:
        ax.set_xlabel("features removed")
    return fig
