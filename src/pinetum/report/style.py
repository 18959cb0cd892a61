"""One visual style for every figure: readable in grey, colour-blind safe, sized for a journal
column.
"""

import contextlib
import re
import traceback
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.ticker import Formatter, LogFormatter

from pinetum.files import whole_file
from pinetum.nbdt.methods import COLOURS
from pinetum.pruning.pruners import PRUNERS

COLUMN_WIDTH = {1: 3.5, 2: 7.2}  # inches
# Okabe and Ito's palette, ordered so that neighbours also differ in grey.
PALETTE = (
    "#0072B2",
    "#E69F00",
    "#009E73",
    "#CC79A7",
    "#56B4E9",
    "#D55E00",
    "#000000",
    "#999999",
    "#8A7A00",
    "#5B3FA0",
)
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*", "<", ">")
DASHES = ("-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1)), "-", "--", "-.", ":")

# The same method has the same look in every figure of every study.
METHODS = {
    "top": 7,
    "SBE": 0,
    "PSBE": 2,
    "optimal": 5,
    "ascending frontier": 0,
    "descending frontier": 5,
    "fixed index": 1,
    "exhaustive": 7,
    "found": 6,
    **COLOURS,
    "RLP": 0,
    "FM_RLP": 1,
    "RLP-P": 2,
    "FM_RLP-P": 5,
    "C4.5": 7,
    "exact": 6,
    "scikit-learn": 1,
    "pinetum": 0,
    "shared records": 0,
    "incremental": 1,
    "from scratch": 2,
    "adult": 0,
    "letter": 1,
    "hypothyroid": 2,
    "ionosphere": 3,
    "soybean": 4,
    "anneal": 5,
    "anneal-value": 6,
    "sonar": 7,
    **{name: pruner.colour for name, pruner in PRUNERS.items()},
}

RC: dict[Any, object] = {
    "font.size": 8,
    "axes.titlesize": 8.5,
    "axes.labelsize": 8,
    "legend.fontsize": 7,
    "xtick.labelsize": 7,
    "ytick.labelsize": 7,
    "font.family": "DejaVu Sans",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.5,
    "axes.axisbelow": True,
    "lines.linewidth": 1.4,
    "lines.markersize": 4,
    "legend.frameon": False,
    "figure.dpi": 100,
    "savefig.dpi": 200,
    "svg.hashsalt": "pinetum",  # the same SVG bytes on every run
    "svg.fonttype": "none",
    "text.parse_math": False,  # text is text: see `write_plainly`
    "figure.constrained_layout.use": True,
}
plt.rcParams.update(RC)

VECTOR_FORMS = ["svg", "pdf"]  # what `save` writes beside every PNG


def _index(method: str) -> int:
    if method in METHODS:
        return METHODS[method]
    return sum(method.encode()) % len(PALETTE)


def colour(method: str) -> str:
    return PALETTE[_index(method)]


def marker(method: str) -> str:
    return MARKERS[_index(method)]


def dashes(method: str):
    return DASHES[_index(method)]


def look(method: str) -> dict:
    """Keyword arguments of `plot` for a method's line."""
    return {
        "color": colour(method),
        "marker": marker(method),
        "linestyle": dashes(method),
        "label": method,
    }


def figure(
    columns: int = 1, height: float = 2.6, rows: int = 1, panels: int = 1, **subplots
) -> tuple[Figure, Any]:
    """A figure one or two journal columns wide with rows x panels axes."""
    return plt.subplots(rows, panels, figsize=(COLUMN_WIDTH[columns], height), **subplots)


def left_empty(fig: Figure, why: str) -> Figure:
    """A figure that a run has nothing for says so."""
    for ax in fig.axes:
        ax.set_axis_off()
    fig.text(0.5, 0.5, why, ha="center", va="center")
    return fig


def leave_empty(fig: Figure, png, why: str) -> None:
    """The same, written."""
    save(left_empty(fig, why), png)


def write_vector_forms(files) -> None:
    """From here on `save` writes these kinds of files, which take half of a figure's time.

    A rule tells its own.
    """
    VECTOR_FORMS[:] = dict.fromkeys(Path(file).suffix[1:] for file in files)


@contextlib.contextmanager
def guarded(png):
    """Draw inside: what cannot be drawn becomes a figure that says why, and the job keeps its
    results.
    """
    before = plt.get_fignums()
    try:
        yield
    except Exception as fault:
        traceback.print_exc()
        for number in set(plt.get_fignums()) - set(before):
            plt.close(number)
        leave_empty(
            figure(1, 0.8)[0], png, f"could not be drawn\n{type(fault).__name__}: {str(fault)[:60]}"
        )


class PlainLabels(Formatter):
    """Labels of a logarithmic axis in plain text, 10³ instead of mathtext."""

    RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")

    def __init__(self, inner):
        self.inner = inner

    def set_axis(self, axis):
        super().set_axis(axis)
        self.inner.set_axis(axis)

    def set_locs(self, locs):
        super().set_locs(locs)
        self.inner.set_locs(locs)

    def __call__(self, x, pos=None):
        label = self.inner(x, pos).replace(r"\times", "×")
        label = re.sub(r"\^\{(-?\d+)\}", lambda match: match[1].translate(self.RAISED), label)
        return re.sub(r"\$|\\mathdefault|[{}]", "", label)


def write_plainly(fig: Figure) -> None:
    """Draw every text as it stands: names of columns and classes may hold `$`, which is no
    formula.
    """
    for ax in fig.axes:
        for axis in (ax.xaxis, ax.yaxis):
            if isinstance(axis.get_major_formatter(), LogFormatter):
                axis.set_major_formatter(PlainLabels(axis.get_major_formatter()))
            if isinstance(axis.get_minor_formatter(), LogFormatter):
                axis.set_minor_formatter(PlainLabels(axis.get_minor_formatter()))
    for text in fig.findobj(Text):
        text.set_parse_math(False)


def save(fig: Figure, png) -> None:
    """Write the PNG and what belongs beside it, without dates, so that reruns give the same
    bytes.
    """
    png = Path(png)
    write_plainly(fig)
    no_date = {
        "png": {"Software": None},
        "svg": {"Date": None},
        "pdf": {"CreationDate": None, "Producer": None},
    }
    for kind in ["png", *VECTOR_FORMS]:
        with whole_file(png.with_suffix(f".{kind}"), "wb") as file:
            fig.savefig(file, format=kind, metadata=no_date[kind])
        fig.set_layout_engine("none")  # the next format keeps the places of the first
    plt.close(fig)
