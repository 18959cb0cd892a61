"""The figure of the comparison of selections."""

import numpy as np

from pinetum.report import style


def draw_oversearching(table, path):
    """Test error of every method beside the error it saw inside, relative to all features."""
    table = table.copy()
    methods = list(dict.fromkeys(table["method"]))
    fig, ax = style.figure(2, 3.0)
    if not len(table):
        return style.leave_empty(fig, path, "no data set could be searched")
    of_all = table[table["method"] == "all features"].set_index("dataset")["test_error"]
    for number, method in enumerate(methods):
        part = table[table["method"] == method].set_index("dataset")
        height = len(methods) - number
        for column, look in (
            ("test_error", {"color": "black", "marker": "o"}),
            ("inner_error", {"color": "white", "marker": "o", "edgecolors": "black"}),
        ):
            if part[column].notna().any():
                gain = part[column] - of_all.reindex(part.index)
                ax.scatter(
                    gain, np.full(len(gain), height), s=6, color="grey", alpha=0.4, linewidths=0
                )
                label = {"test_error": "on held-out cases", "inner_error": "where it searched"}[
                    column
                ]
                shown = {"label": label} if method == "SBE, folds" else {}
                ax.scatter(gain.mean(), height, s=36, zorder=3, linewidths=0.8, **look, **shown)
    ax.axvline(0, color="grey", linewidth=0.6)
    ax.set_yticks(range(len(methods), 0, -1), methods)
    ax.set_xlabel("error less that of the tree on all features (points); small: each data set")
    ax.legend()
    style.save(fig, path)
