"""Figures 2, 4, 5 and 6 of the paper, and when Naive Bayes helps, from the records."""

from textwrap import fill

import numpy as np

from pinetum.nbdt.methods import PAPER_METHODS
from pinetum.nbdt.replication import results
from pinetum.nbdt.replication.results import ABBREVIATION, ROWS
from pinetum.report import style


def figure_2(example):
    """Acc(F, x) of each feature with the upper envelope, and under it the list that the envelope
    was made for.
    """
    curves, listed = example[example["kind"] == "curve"], example[example["kind"] == "list"]
    names = list(dict.fromkeys(curves["feature"]))
    fig, (above, below) = style.figure(
        columns=2, height=4.0, rows=2, sharex=True, gridspec_kw={"height_ratios": [3, 1.15]}
    )
    grid = np.unique(
        np.concatenate([curves["x"], listed["x"], listed["x_end"], np.linspace(0, 1, 401)])
    )
    values = []
    for i, name in enumerate(names):
        part = curves[curves["feature"] == name]
        values.append(np.interp(grid, part["x"], part["accuracy"]))
        above.plot(
            part["x"],
            part["accuracy"],
            color=style.PALETTE[i],
            linestyle=style.DASHES[i],
            label=f"feature {name}",
        )
        inner = part.iloc[1:-1]
        above.plot(inner["x"], inner["accuracy"], "o", color=style.PALETTE[i], markersize=4)
    above.plot(
        grid, np.max(values, axis=0), color="#bbbbbb", linewidth=6, zorder=0, label="best of all"
    )
    above.plot(
        grid,
        np.maximum(grid, 1 - grid),
        color="black",
        linewidth=0.8,
        linestyle=":",
        label="no test",
    )
    above.set_ylabel("expected accuracy Acc(F, x)")
    above.set_ylim(0.48, 1.01)
    above.legend(loc="upper center", ncols=5)
    ranks = int(listed["rank"].max())
    for one in listed.itertuples():
        i = names.index(one.feature)
        below.barh(
            one.rank,
            one.x_end - one.x,
            left=one.x,
            height=0.9,
            color=style.PALETTE[i],
            edgecolor="white",
            linewidth=1,
        )
        if one.x_end - one.x > 0.02:
            below.text(
                (one.x + one.x_end) / 2,
                one.rank,
                one.feature,
                ha="center",
                va="center",
                color="white",
                fontsize=8,
            )
    for cut in sorted(set(listed["x"]) - {0.0}):
        above.axvline(cut, color="#cccccc", linewidth=0.6, zorder=0)
    below.set_yticks(range(1, ranks + 1), ["best", *(f"{rank}." for rank in range(2, ranks + 1))])
    below.invert_yaxis()
    below.grid(False)
    below.set_ylabel("opt-feature list")
    below.set_xlabel("x = P(+ | tests so far)")
    below.set_xlim(0, 1)
    return fig


def figure_4(accuracy):
    """Mean error and one standard deviation per data set and method of the paper."""
    done = accuracy[accuracy["status"] == "ok"]
    methods = [method for method in PAPER_METHODS if method in set(done["method"])]
    names = list(dict.fromkeys(done["dataset"]))
    fig, axes = style.figure(columns=2, height=3.0)
    width = 0.8 / max(len(methods), 1)
    for i, method in enumerate(methods):
        part = done[done["method"] == method].set_index("dataset").reindex(names)
        place = np.arange(len(names)) + (i - (len(methods) - 1) / 2) * width
        axes.bar(place, part["error"], width * 0.92, color=style.colour(method), label=method)
        axes.errorbar(
            place,
            part["error"],
            part["sd"].fillna(0),
            fmt="none",
            ecolor="black",
            elinewidth=0.8,
            capsize=1.5,
        )
    axes.set_xticks(range(len(names)), [ABBREVIATION.get(name, name) for name in names])
    axes.grid(False, axis="x")
    axes.set_ylabel("error rate, cross-validated")
    axes.legend(
        ncols=len(methods),
        loc="upper center",
        bbox_to_anchor=(0.5, 1.12),
        columnspacing=1.2,
        handlelength=1.2,
    )
    return fig


def figure_5(speed):
    """Times of 3-NBDT against those of 3-OPTNBDT times n / ln n, on growing numbers of features."""
    part = speed[(speed["status"] == "ok") & (speed["study"] == "features")]
    times = part.pivot_table(index="features", columns="algorithm", values="seconds")
    fig, axes = style.figure(columns=1, height=3.2)
    if len(times):
        n = times.index.to_numpy(dtype=float)
        predicted = times["optnbdt"].to_numpy() * n / np.log(n)
        axes.plot(predicted, times["nbdt"], "o", color=style.PALETTE[0])
        for features in (n[0], n[len(n) // 2], n[-1]):
            at = np.flatnonzero(n == features)[0]
            axes.annotate(
                f"n = {int(features)}",
                (predicted[at], times["nbdt"].iloc[at]),
                xytext=(-6, 2),
                textcoords="offset points",
                ha="right",
                fontsize=7,
            )
        ends = np.array(
            [min(predicted.min(), times["nbdt"].min()), max(predicted.max(), times["nbdt"].max())]
        )
        axes.plot(
            ends, ends, color="#999999", linestyle="--", linewidth=0.8, label="equal", zorder=0
        )
        axes.legend(loc="upper left")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("time of 3-OPTNBDT x n / ln n, seconds")
    axes.set_ylabel("time of 3-NBDT, seconds")
    return fig


# The paper's lines, then ours: colour, marker and line of each.
LINES = {
    "1-NBDT": 1,
    "2-OPTNBDT": 4,
    "3-OPTNBDT": 0,
    "4-OPTNBDT": 2,
    "3-NBDT": 6,
    "3-ID3": 5,
    "4 branch and bound": 3,
    "5 branch and bound": 9,
}


def figure_6(speed):
    """Time against the number of feature values, one line per method.

    Rings are stand-ins for data that were not found.
    """
    part = speed[(speed["status"] == "ok") & (speed["study"] == "datasets")]
    fig, axes = style.figure(columns=2, height=3.6)
    for method, look in LINES.items():
        line = part[part["method"] == method].sort_values(["values", "dataset"])
        if not len(line):
            continue
        colour = style.PALETTE[look]
        axes.plot(
            line["values"],
            line["seconds"],
            color=colour,
            linestyle=style.DASHES[look],
            label=method,
        )
        for standin in (False, True):
            dots = line[line["dataset"].str.endswith("_standin") == standin]
            face = "white" if standin else colour
            axes.plot(
                dots["values"],
                dots["seconds"],
                style.MARKERS[look],
                color=colour,
                markerfacecolor=face,
            )
    axes.set_yscale("log")
    axes.set_xlabel("number of feature values of the data set")
    axes.set_ylabel("CPU seconds, probabilities included")
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    return fig


def when_naive_bayes_helps(learning_means, accuracy, learning, settings):
    """When Naive Bayes helps, and the sentence that says it."""
    said = results.answer(results.learning(learning, settings))
    return small_multiples(learning_means, accuracy, said)


def small_multiples(means, accuracy, answer):
    """Small multiples per data set: error against training cases, and against the weight of the
    prior.
    """
    accuracy = accuracy[(accuracy["status"] == "ok") & accuracy["method"].str.contains("-blend-")]
    names = list(dict.fromkeys([*means["dataset"], *accuracy["dataset"]]))
    if not names:
        return style.left_empty(style.figure(2, 0.8)[0], "no data set was there")
    across = min(5, len(names))
    down = -(-len(names) // across)
    fig = style.plt.figure(figsize=(style.COLUMN_WIDTH[2], 0.5 + 2 * (0.45 + 1.25 * down)))
    fig.suptitle(fill(answer, 115), fontsize=8)
    for half, draw, records, label in zip(
        fig.subfigures(2, 1),
        (learning_curve, weight_curve),
        (means, accuracy),
        ("training cases", "weight of Naive Bayes in cases"),
        strict=True,
    ):
        axes = half.subplots(down, across, squeeze=False).ravel()
        for place, ax in enumerate(axes):
            part = records[records["dataset"] == names[place]] if place < len(names) else []
            if len(part):
                draw(ax, part)
                ax.set_title(ROWS.get(names[place], names[place]), pad=2)
                ax.yaxis.set_major_locator(style.plt.MaxNLocator(4, integer=True))
            else:
                ax.set_axis_off()
        handles, texts = axes[0].get_legend_handles_labels()
        if handles:
            half.legend(handles, texts, loc="outside upper center", ncols=len(texts))
        half.supxlabel(label, fontsize=8)
        half.supylabel("error, %", fontsize=8)
    return fig


ENDS = {
    "0": ("data alone", 0),
    "inf": ("Naive Bayes alone", 5),
    "cv": ("weight chosen", 6),
}  # name, colour


def learning_curve(ax, means):
    """Errors of the two ends and of the weight chosen, against the training cases."""
    for weight, (label, place) in ENDS.items():
        line = means[means["method"].str.endswith(f"-blend-{weight}")].sort_values("training")
        ax.errorbar(
            line["training"],
            100 * line["error"],
            100 * line["se"].fillna(0),
            color=style.PALETTE[place],
            marker=style.MARKERS[place],
            linestyle=style.DASHES[place],
            markersize=2.5,
            linewidth=1,
            label=label,
        )
    ax.set_xscale("log")
    sizes = sorted(means["training"].unique())
    ax.set_xticks(sizes[:: max(1, -(-len(sizes) // 4))])
    ax.xaxis.set_major_formatter("{x:.0f}")
    ax.xaxis.set_minor_locator(style.plt.NullLocator())


def weight_curve(ax, accuracy):
    """Cross-validated error against the weight of the prior.

    A ring at the end for the weight chosen.
    """
    depths = accuracy["method"].str.split("-").str[0]
    line = accuracy[depths == depths.min()]
    line = line.set_index(line["method"].str.split("-").str[2])
    weights = sorted((weight for weight in line.index if weight != "cv"), key=float)
    error, se = 100 * line["error"], 100 * line["se"].fillna(0)
    places = list(range(len(weights)))
    ax.errorbar(
        places,
        error[weights],
        se[weights],
        color="#555555",
        marker="o",
        markersize=2.5,
        linewidth=1,
    )
    if "cv" in line.index:
        ax.errorbar(
            [len(weights)],
            error["cv"],
            se["cv"],
            color=style.PALETTE[ENDS["cv"][1]],
            marker="o",
            fillstyle="none",
        )
    for weight in ("0", "inf"):
        if weight in weights:
            colour = style.PALETTE[ENDS[weight][1]]
            ax.plot(
                [weights.index(weight)], error[weight], "o", color=colour, markersize=3.5, zorder=5
            )
    labels = ["∞" if np.isinf(float(weight)) else weight for weight in weights]
    shown = sorted({0, len(weights) // 2, len(weights) - 1})
    ax.set_xticks([*shown, len(weights)], [*(labels[place] for place in shown), "cv"])
