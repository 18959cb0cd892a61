"""Seconds of several solvers, from records."""

import numpy as np

from pinetum.report import style
from pinetum.separators.names import METHODS


def solver_times(records):
    """CPU seconds of the four-set study by solver, stacked by method."""
    fig, axis = style.figure(1, 2.2)
    ran = records[records["status"] == "ok"] if "way" in records else records.iloc[:0]
    ways = list(dict.fromkeys(ran["way"])) if len(ran) else []
    left = np.zeros(len(ways))
    for method in METHODS if ways else ():
        part = (
            ran[ran["method"] == method]
            .groupby("way")["seconds"]
            .sum()
            .reindex(ways)
            .fillna(0)
            .to_numpy()
        )
        axis.barh(
            range(len(ways)), part, left=left, color=style.colour(method), label=method, height=0.6
        )
        left += part
    for place, total in enumerate(left):
        ratio = f" ({total / left[0]:.1f}x)" if place else ""
        axis.text(total, place, f" {total:.1f} s{ratio}", va="center", fontsize=7)
    axis.set_yticks(range(len(ways)), ways)
    axis.invert_yaxis()
    axis.set_xlim(0, 1.45 * max(left.max(initial=0.0), 1e-3))
    axis.set_xlabel("CPU seconds, four public sets, ten folds")
    if ways:
        axis.legend(loc="upper right", bbox_to_anchor=(1, 0.98))
    return fig
