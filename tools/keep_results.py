"""What a run leaves in the repository, for the site: our side of every number, and some figures.

python tools/keep_results.py [RESULTS]     rewrite docs/verdicts.csv and docs/figures
"""

import sys
from pathlib import Path

from pinetum.files import HOME
from pinetum.report.figures import shrink
from pinetum.workflow.jobs import read_text, write_records

FIGURES = (  # study/name
    "greedy_dp/mean_difference",
    "greedy_dp/optimal_trees",
    "pruning/rank_by_removed",
    "nbdt/figure_4",
    "elimination/speed_up",
)


KEPT = ["paper", "item", "row", "column", "reproduced", "se", "n", "z", "power", "verdict", "note"]


def keep_numbers(comparison, verdicts) -> None:
    """Our side of every published number.

    The published side has its one place in config/published.
    """
    rows = read_text(comparison)[KEPT]
    write_records(rows[rows["verdict"] != "not_run"], verdicts)


def from_uci(availability) -> bool:
    """Whether UCI's own files served the run, from a mirror or its site."""
    return bool(availability["source"].isin(["mirror", "uci"]).any())


def keep_figures(results: Path, folder: Path) -> None:
    shrink(results / "report/numbers.png", folder / "all_numbers.png")
    for figure in FIGURES:
        shrink(results / f"figures/{figure}.png", folder / f"{figure.replace('/', '_')}.png")


def keep(results: Path, docs: Path) -> None:
    if from_uci(read_text(results / "data/availability.csv")):
        keep_numbers(results / "comparison.csv", docs / "verdicts.csv")
    keep_figures(results, docs / "figures")


if __name__ == "__main__":
    keep(Path(sys.argv[1] if len(sys.argv) > 1 else "results"), HOME / "docs")
