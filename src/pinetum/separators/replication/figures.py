"""The figures: a function for each, from the records alone."""

import numpy as np

from pinetum.report import style
from pinetum.separators.names import LIMITED, METHODS
from pinetum.separators.replication import results
from pinetum.separators.replication.results import good, per_repeat

NICE = {"heart": "Heart", "cancer": "Cancer", "sonar": "Sonar", "house": "House"}
PATHS = ((LIMITED, 0, "o", "-"), ("L1 SVM", 3, "D", ":"), ("RFE", 7, "v", "--"))


def panels(names, columns=2, height=2.3, **subplots):
    rows = max(1, -(-len(names) // columns))
    fig, axes = style.figure(
        2, height * rows, rows, max(1, min(columns, len(names))), squeeze=False, **subplots
    )
    if not names:
        fig.text(0.5, 0.5, "no data", ha="center")
    for axis in axes.flat[len(names) :]:
        axis.remove()
    return fig, list(axes.flat[: len(names)])


def error_by_features(path, folds):
    """Test error against the number of features, one panel per data set."""
    names = list(dict.fromkeys(path["dataset"]))
    fig, axes = panels(names)
    for axis, name in zip(axes, names, strict=True):
        part = good(path, dataset=name) if "method" in path else path.iloc[:0]
        for method, colour, mark, dash in PATHS:
            line = (
                part[part["method"] == method].groupby("allowed")["test_error"]
                if len(part)
                else None
            )
            if line is None or not len(line):
                continue
            mean, se = line.mean(), (line.std() / np.sqrt(line.size())).fillna(0)
            axis.errorbar(
                mean.index,
                mean,
                yerr=se,
                color=style.PALETTE[colour],
                marker=mark,
                ls=dash,
                lw=1,
                ms=3,
                capsize=1.5,
                elinewidth=0.6,
                label=method,
            )
        for method in (*METHODS, "C4.5"):
            means = per_repeat(folds, name, method) if "method" in folds else []
            if len(means):
                axis.plot(
                    means["features"].mean(),
                    means["test_error"].mean(),
                    ls="",
                    ms=7,
                    mfc="none",
                    mew=1.4,
                    color=style.colour(method),
                    marker=style.marker(method),
                    label=method,
                    zorder=5,
                )
        axis.set_xscale("log")
        ticks = [tick for tick in (1, 2, 5, 10, 20, 60) if tick <= axis.get_xlim()[1]]
        axis.set_xticks(ticks, [str(tick) for tick in ticks])
        axis.minorticks_off()
        axis.set_title(NICE.get(name, name))
        axis.set_ylabel("test error, %")
        axis.set_xlabel("features")
    shown = {}
    for axis in axes:
        for handle, label in zip(*axis.get_legend_handles_labels(), strict=True):
            shown.setdefault(label, handle)
    if shown:
        fig.legend(shown.values(), shown.keys(), loc="outside lower center", ncols=4)
    return fig


def rows_of(planes, points, name, count):
    """Features, weights, offset, matrix of cases and classes of one plane."""
    part = planes[
        (planes["dataset"] == name) & (planes["allowed"] == count) & (planes["status"] == "ok")
    ]
    part = part.sort_values("place")
    cases = points[(points["dataset"] == name) & (points["allowed"] == count)]
    table = cases.pivot(index="case", columns="place", values="value").sort_index()
    classes = cases[cases["place"] == 0].sort_values("case")["class"].astype(str).to_numpy()
    return part, table.to_numpy(), classes


def spread(values, seed):
    """Points on top of one another moved apart a little, the same way on every run."""
    distinct = np.unique(values)
    step = np.diff(distinct).min() if 1 < len(distinct) <= 30 else 0.0
    return values + step * np.random.default_rng(seed).uniform(-0.22, 0.22, len(values))


def separating_line(planes, points):
    """The separating line of the best two features of each data set, with the cases."""
    names = list(dict.fromkeys(planes["dataset"]))
    fig, axes = panels(names, height=2.9)
    for axis, name in zip(axes, names, strict=True):
        part, table, classes = (
            rows_of(planes, points, name, 2)
            if "allowed" in planes
            else (planes.iloc[:0], None, None)
        )
        axis.set_title(NICE.get(name, name))
        if not len(part):
            axis.text(0.5, 0.5, "no data", ha="center", transform=axis.transAxes)
            continue
        first = part.iloc[0]
        single = (
            len(part) == 1
        )  # a second feature was not worth a weight: spread the cases over the height
        x = spread(table[:, 0], 1)
        y = np.random.default_rng(2).uniform(0, 1, len(x)) if single else spread(table[:, 1], 2)
        draw_classes(axis, (x, y), classes, first)
        low, high = axis.get_xlim()
        bottom, top = axis.get_ylim()
        weights, offset = part["weight"].to_numpy(), first["offset"]
        if single or abs(weights[1]) < 1e-12 * abs(weights[0]):
            axis.axvline(offset / weights[0], color="black", lw=1.2)
        else:
            ends = np.array([low, high])
            axis.plot(ends, (offset - weights[0] * ends) / weights[1], color="black", lw=1.2)
        axis.set_xlim(low, high)
        axis.set_ylim(bottom, top)
        axis.set_xlabel(part["feature"].iloc[0])
        axis.set_ylabel("(one feature; spread at random)" if single else part["feature"].iloc[1])
        if single:
            axis.set_yticks([])
        axis.set_title(f"{NICE.get(name, name)}, {first['train_error']:.1f} % wrong")
        axis.legend(loc="upper center", bbox_to_anchor=(0.5, -0.2), ncols=2, handletextpad=0.1)
    return fig


def draw_classes(axis, columns, classes, first, **options):
    for label, colour, mark in (
        (first["negative"], style.PALETTE[0], "o"),
        (first["positive"], style.PALETTE[5], "^"),
    ):
        chosen = classes == str(label)
        axis.scatter(
            *(column[chosen] for column in columns),
            s=9,
            marker=mark,
            linewidths=0.5,
            facecolors="none",
            edgecolors=colour,
            label=label,
            **options,
        )


def separating_plane(planes, points, wanted=("heart", "cancer")):
    """The plane through the best three features, with the cases."""
    names = [name for name in dict.fromkeys(planes["dataset"]) if name in wanted] or list(
        dict.fromkeys(planes["dataset"])
    )[:2]
    fig, axes = panels(names, height=3.2, subplot_kw={"projection": "3d"})
    for axis, name in zip(axes, names, strict=True):
        part, table, classes = (
            rows_of(planes, points, name, 3)
            if "allowed" in planes
            else (planes.iloc[:0], None, None)
        )
        axis.set_title(NICE.get(name, name))
        if len(part) < 3:
            continue
        first, weights = part.iloc[0], part["weight"].to_numpy()
        columns = [spread(table[:, place], place) for place in range(3)]
        upright = int(
            np.argmax(np.abs(weights) * np.ptp(table, axis=0))
        )  # the steepest feature points upwards
        order = [place for place in range(3) if place != upright] + [upright]
        columns = [columns[place] for place in order]
        draw_classes(axis, columns, classes, first, depthshade=False)
        ends = [np.linspace(column.min(), column.max(), 24) for column in columns]
        one, two = np.meshgrid(ends[0], ends[1])
        three = (first["offset"] - weights[order[0]] * one - weights[order[1]] * two) / weights[
            order[2]
        ]
        three = np.where((three >= ends[2][0]) & (three <= ends[2][-1]), three, np.nan)
        axis.plot_surface(one, two, three, color="#999999", alpha=0.35, linewidth=0)
        names_of = part["feature"].to_numpy()[order]
        axis.set_xlabel(names_of[0], labelpad=-4)
        axis.set_ylabel(names_of[1], labelpad=-4)
        axis.set_zlabel(names_of[2], labelpad=-4)
        axis.tick_params(pad=-2, labelsize=6)
        axis.set_box_aspect(None, zoom=0.97)
        axis.view_init(elev=16, azim=-56)
        axis.set_title(
            f"{NICE.get(name, name)}, {first['train_error']:.1f} % wrong", y=0.94
        )  # 3D axes end below it
        axis.legend(loc="upper center", bbox_to_anchor=(0.45, 0.02), ncols=2)
    return fig


def exact_minimum(exact):
    """Features of the heuristic, fewest known and lower bound, per data set and method."""
    fig, axis = style.figure(1, 2.6)
    table = results.exact_minimum(exact)
    part = table[table["method"].notna()] if "method" in table else table.iloc[:0]
    labels = []
    for place, row in enumerate(part.to_dict("records")):
        heuristic, fewest, bound = (
            row[key] for key in ("features, heuristic", "features, fewest known", "lower bound")
        )
        axis.plot(
            [bound, fewest], [place, place], color="#999999", lw=3, solid_capstyle="butt", zorder=1
        )
        axis.plot(
            heuristic, place, marker="o", ls="", mfc="none", ms=6, color=style.PALETTE[5], zorder=3
        )
        axis.plot(fewest, place, marker="|", ls="", ms=9, mew=2, color=style.PALETTE[0], zorder=2)
        labels.append(f"{NICE.get(row['data set'], row['data set'])} {row['method']}")
    axis.set_yticks(range(len(labels)), labels)
    axis.invert_yaxis()
    axis.set_xscale("log")
    axis.set_xticks([1, 2, 5, 10, 20, 40], ["1", "2", "5", "10", "20", "40"])
    axis.minorticks_off()
    axis.set_xlabel("features, mean over the folds")
    for label, options in (
        ("heuristic", {"marker": "o", "mfc": "none", "color": style.PALETTE[5], "ms": 6}),
        ("fewest known", {"marker": "|", "color": style.PALETTE[0], "ms": 9, "mew": 2}),
        ("open", {"marker": "s", "color": "#999999", "ms": 4}),
    ):
        axis.plot([], [], ls="", label=label, **options)
    axis.legend(loc="lower center", bbox_to_anchor=(0.35, 1.0), ncols=3, handletextpad=0.1)
    return fig
