"""What comes of the records: published numbers, the summary of the random tables, tables of the
real ones. A function for each.
"""

import numpy as np
import pandas as pd

from pinetum.greedy_dp.costs import COSTS, GREEDY_COLUMNS, LABELS, MINIMUM_COLUMNS
from pinetum.greedy_dp.kernels.constants import KINDS, MEASURES
from pinetum.greedy_dp.names import GROUPS, PAPER_SHAPE
from pinetum.report.rows import ReproducedRows

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
PAPER_TABLES = 10_000  # in each of the paper's groups, for the error of a published mean
SHAPE = ("rows", "attributes")  # of a decision table
BEST = 2  # heuristics of a cost that Table 5 names

# ------------------------------------------------------------ the random tables


def differences_of(records):
    """(tables, heuristics, costs): (greedy - minimum) / minimum. An average depth's rows cancel."""
    minima = records[MINIMUM_COLUMNS].to_numpy(dtype=np.float64)[:, None, :]
    greedy = (
        records[GREEDY_COLUMNS]
        .to_numpy(dtype=np.float64)
        .reshape(len(records), len(LABELS), len(COSTS))
    )
    # A table with one decision has depth 0: no tree differs from it.
    return np.divide(greedy - minima, minima, out=np.zeros_like(greedy), where=minima > 0)


def relative_differences(random_tables):
    """One line per group (1, 2, ... and all), heuristic and cost."""
    differences = differences_of(random_tables)
    parts = {str(1 + i): part for i, part in enumerate(np.array_split(differences, GROUPS))}
    lines = []
    for group, values in (parts | {"all": differences}).items():
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


def best_heuristics(relative_differences, cost):
    """The heuristics with the least mean relative difference over all groups, the best first."""
    of_all = relative_differences[relative_differences["group"] == "all"]
    means = of_all[of_all["cost"] == cost].sort_values("mean", kind="stable")
    return list(means["heuristic"][:BEST])


def in_printed_order(picks, printed):
    """A set of picks in the order the paper prints those it has too."""
    rest = [pick for pick in picks if pick not in printed]
    return [name if name in picks else rest.pop(0) for name in printed]


def reproduced(relative_differences, published) -> pd.DataFrame:
    """Our value for every published number."""
    cells = relative_differences.set_index(["group", "heuristic", "cost"])
    per_group = int(cells.loc[("1", LABELS[0], next(iter(COSTS))), "n"])
    facts = {
        "experiments": per_group * GROUPS,
        "groups": GROUPS,
        "experiments per group": per_group,
        "rows of a table": PAPER_SHAPE["rows"],
        "conditional attributes": PAPER_SHAPE["attributes"],
        "values of an attribute": PAPER_SHAPE["values"],
        "values of the decision": PAPER_SHAPE["decisions"],
        "impurity functions": len(LABELS),
        "uncertainty measures": len(MEASURES),
        "types of impurity function": len(KINDS),
        "cost functions": len(COSTS),
        "best heuristics per cost": BEST,
    }
    smaller = f"this run has {per_group} tables in each of {GROUPS} groups"
    printed = published[published["item"] == "Table 5"].groupby("row")["published"].apply(list)
    rows = ReproducedRows(published)
    for key in rows.wanted():
        item, row, column = key
        if item == "Text":
            if row in ("experiments", "experiments per group") and per_group < PAPER_TABLES:
                rows.absent(key, note=smaller)
            else:
                rows.exact(key, facts[row])
        elif item == "Table 5":
            picks = in_printed_order(best_heuristics(relative_differences, row), printed[row])
            rows.exact(key, picks[("first", "second").index(column)], n=per_group * GROUPS)
        else:
            cell = cells.loc[(item.removeprefix("Table "), row, column)]
            # The published means are over tables of the same distribution, so their error follows
            # from ours.
            theirs = cell["deviation"] / np.sqrt(PAPER_TABLES)
            rows.measured(key, cell["mean"], se=cell["se"], published_se=theirs, n=int(cell["n"]))
    return rows.frame()


# ------------------------------------------------------------ the real tables


def real_tables(real_tables):
    """One line per decision table; a cost that is not known exactly is an interval."""
    lines = []
    for record in real_tables.to_dict("records"):
        line = {
            name: record[name]
            for name in ("dataset", "status", "rows", "attributes", "decisions", "subtables")
        }
        for cost in COSTS:
            line[cost] = interval(record[f"least {cost}"], record[f"most {cost}"])
        trees = record["trees L"]
        line["trees of least L"] = "" if pd.isna(trees) or trees == "" else brief(int(trees))
        lines.append(line | {name: record[name] for name in ("seconds", "peak_mb")})
    whole = dict.fromkeys(("rows", "attributes", "decisions", "subtables"), "Int64")
    return pd.DataFrame(lines).astype(whole)


def real_costs(real_tables, real_gaps):
    """One line per decision table and cost: the best greedy tree, the best tree known, what is
    proved, and the time.

    Dynamic programming minimises all five costs at once: its time stands in the line of the first.
    """
    if real_gaps.empty:
        proof = ("cost", "greedy", "value", "bound", "proved", "gap (%)", "way", "seconds")
        return pd.DataFrame(columns=["dataset", *SHAPE, *proof])
    best = real_gaps.groupby(["dataset", "cost"])["greedy"].min()
    lines = []
    for record in real_tables.to_dict("records"):
        for cost in COSTS:
            if (record["dataset"], cost) not in best.index:
                continue
            least, most = record[f"least {cost}"], record[f"most {cost}"]
            line = {name: record[name] for name in ("dataset", *SHAPE)} | {"cost": cost}
            line |= {"greedy": best[record["dataset"], cost], "value": most, "bound": least}
            line |= {"proved": "yes" if least == most else "no"}
            line |= {
                "gap (%)": 100 * (most - least) / least if least else 0.0 if least == most else None
            }
            lines.append(
                line | {"way": record[f"way {cost}"], "seconds": record[f"seconds {cost}"]}
            )
    rounded = {"greedy": 4, "value": 4, "bound": 4, "gap (%)": 2, "seconds": 3}
    return pd.DataFrame(lines).astype(dict.fromkeys(SHAPE, "Int64")).round(rounded)


def interval(least, most):
    if pd.isna(least):
        return ""
    return f"{least:.5g}" if least == most else f"{least:.5g}..{most:.5g}"


def brief(count):
    """A count as it is, or as a power of ten where it is long."""
    digits = str(count)
    return digits if len(digits) <= 12 else f"{digits[0]}.{digits[1:3]}e{len(digits) - 1}"


def real_gaps(real_gaps):
    """Relative difference to the minimum per decision table and cost (lines) and heuristic.

    Bounds are said so.
    """
    keys = ["dataset", "cost", "status"]
    if real_gaps.empty:
        return pd.DataFrame(columns=[*keys, *LABELS])
    wide = real_gaps.pivot(index=keys, columns="heuristic", values="gap_at_most")
    order = list(dict.fromkeys(zip(*(real_gaps[name] for name in keys), strict=True)))
    wide = wide.loc[order, list(LABELS)].round(6).reset_index()
    wide["status"] = (
        wide["status"].replace({"optimal": "exact"}).where(wide["status"] == "optimal", "at most")
    )
    return wide


def heuristic_ranks(real_gaps, relative_differences):
    """Ranks of the heuristics (1: the best) by mean relative difference, on the real tables and on
    the random ones.

    Where a minimum of a real table is not proved, its largest possible difference counts. The last
    line has the rank correlation of the two.
    """
    random = relative_differences[relative_differences["group"] == "all"]
    ranks = pd.DataFrame({"heuristic": LABELS})
    last = {"heuristic": "rank correlation"}
    for cost in COSTS:
        real = real_gaps[real_gaps["cost"] == cost].groupby("heuristic")["gap_at_most"].mean()
        drawn = random[random["cost"] == cost].set_index("heuristic")["mean"]
        two = pd.DataFrame({"real": real, "random": drawn}).reindex(LABELS).rank(method="average")
        ranks[f"{cost} real"], ranks[f"{cost} random"] = (
            two["real"].to_numpy(),
            two["random"].to_numpy(),
        )
        last[f"{cost} real"] = (
            round(float(two["real"].corr(two["random"])), 3) if two["real"].nunique() > 1 else None
        )
    return pd.concat([ranks, pd.DataFrame([last])], ignore_index=True)
