"""What the random tables say: Tables 1-4 (mean relative differences by group) and Table 5 (the best
two).
"""

import numpy as np
import pandas as pd

from pinetum.greedy_dp.costs import COSTS, GREEDY_COLUMNS, LABELS, MINIMUM_COLUMNS
from pinetum.greedy_dp.kernels.constants import KINDS, MEASURES
from pinetum.report.rows import ReproducedRows

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
PAPER_SHAPE = {"rows": 50, "attributes": 10, "values": 3, "decisions": 3}
PAPER_TABLES = 10_000  # in each of the paper's groups, for the error of a published mean
BEST = 2


def relative_differences(records):
    """(tables, heuristics, costs): (greedy - minimum) / minimum. An average depth's rows cancel."""
    minima = records[MINIMUM_COLUMNS].to_numpy(dtype=np.float64)[:, None, :]
    greedy = (
        records[GREEDY_COLUMNS]
        .to_numpy(dtype=np.float64)
        .reshape(len(records), len(LABELS), len(COSTS))
    )
    # A table with one decision has depth 0: no tree differs from it.
    return np.divide(greedy - minima, minima, out=np.zeros_like(greedy), where=minima > 0)


def summarise(records, groups):
    """One line per group (1, 2, ... and all), heuristic and cost."""
    differences = relative_differences(records)
    parts = list(zip(range(1, groups + 1), np.array_split(differences, groups), strict=True))
    lines = []
    for group, values in [*parts, ("all", differences)]:
        mean = values.mean(axis=0)
        deviation = values.std(axis=0, ddof=1)
        quantiles = np.quantile(values, QUANTILES, axis=0)
        optimal = (values == 0).mean(axis=0)
        for h, heuristic in enumerate(LABELS):
            for c, cost in enumerate(COSTS):
                line = {"group": group, "heuristic": heuristic, "cost": cost, "n": len(values)}
                line |= {"mean": mean[h, c], "deviation": deviation[h, c]}
                line |= {"se": deviation[h, c] / np.sqrt(len(values)), "optimal": optimal[h, c]}
                line |= {
                    f"q{round(100 * q):02d}": quantiles[i, h, c] for i, q in enumerate(QUANTILES)
                }
                lines.append(line | {"largest": values[:, h, c].max()})
    return pd.DataFrame(lines)


def best_heuristics(summary, cost, count=BEST):
    """The heuristics with the least mean relative difference over all groups, the best first."""
    means = summary[(summary["group"] == "all") & (summary["cost"] == cost)].sort_values(
        "mean", kind="stable"
    )
    return list(means["heuristic"][:count])


def in_printed_order(picks, printed):
    """A set of picks in the order the paper prints those it has too."""
    rest = [pick for pick in picks if pick not in printed]
    return [name if name in picks else rest.pop(0) for name in printed]


def reproduce(summary, published, *, shape, groups):
    """Our value for every published key."""
    cells = summary.set_index(["group", "heuristic", "cost"])
    per_group = int(cells.loc[(1, LABELS[0], next(iter(COSTS))), "n"])
    facts = {
        "experiments": per_group * groups,
        "groups": groups,
        "experiments per group": per_group,
        "rows of a table": shape["rows"],
        "conditional attributes": shape["attributes"],
        "values of an attribute": shape["values"],
        "values of the decision": shape["decisions"],
        "impurity functions": len(LABELS),
        "uncertainty measures": len(MEASURES),
        "types of impurity function": len(KINDS),
        "cost functions": len(COSTS),
        "best heuristics per cost": BEST,
    }
    smaller = f"this run has {per_group} tables in each of {groups} groups"
    printed = published[published["item"] == "Table 5"].groupby("row")["published"].apply(list)
    rows = ReproducedRows(published)
    for key in rows.wanted():
        item, row, column = key
        if item == "Text":
            if row in ("experiments", "experiments per group") and per_group < PAPER_TABLES:
                rows.absent(key, note=smaller)
            else:
                rows.exact(key, facts[row])
        elif shape != PAPER_SHAPE:
            rows.absent(key, note="this run has tables of another shape than the paper's")
        elif item == "Table 5":
            picks = in_printed_order(best_heuristics(summary, row), printed[row])
            rows.exact(key, picks[("first", "second").index(column)], n=per_group * groups)
        elif (group := int(item.removeprefix("Table "))) > groups:
            rows.absent(key, note=f"this run has {groups} groups")
        else:
            cell = cells.loc[(group, row, column)]
            # The published means are over tables of the same distribution, so their error follows
            # from ours.
            theirs = cell["deviation"] / np.sqrt(PAPER_TABLES)
            rows.measured(key, cell["mean"], se=cell["se"], published_se=theirs, n=int(cell["n"]))
    return rows.frame()
