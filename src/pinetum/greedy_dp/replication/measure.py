"""What is measured beyond the paper's experiment: decision tables of the catalogue."""

from pinetum.greedy_dp.findings import COLUMNS, examine, refused
from pinetum.greedy_dp.optimum import Limits
from pinetum.workflow.tables import absent, each_table

# How the data sets become decision tables; a user's own table has settings for it.
INCONSISTENT, MISSING_CELLS = "most_common", "value"


def solve_real_tables(datasets, limits):
    """Exact minima, or proven intervals, and every heuristic's gap on decision tables of the
    catalogue; where all subtables fit, the number of optimal trees, a second cost among them and
    fronts of two costs.
    """
    import pandas as pd

    found = []
    for name, dataset in each_table(datasets):
        if absent(dataset):
            found.append(refused(**dataset))
        else:
            found.append(
                examine(
                    name,
                    dataset,
                    Limits(**limits),
                    inconsistent=INCONSISTENT,
                    missing_cells=MISSING_CELLS,
                )
            )
    records = {
        "real_tables": [part.table for part in found],
        "real_gaps": [gap for part in found for gap in part.gaps],
        "sequential": [line for part in found for line in part.sequential],
        "pareto": [line for part in found for line in part.pareto],
        "optimal_trees": [
            {"dataset": name, "cost": cost, "tree": tree.to_json()}
            for part in found
            for name, cost, tree in part.trees
        ],
    }
    return {name: pd.DataFrame(lines, columns=COLUMNS[name]) for name, lines in records.items()}
