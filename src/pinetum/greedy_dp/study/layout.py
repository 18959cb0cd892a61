"""Tables for reading, from the records alone."""

import pandas as pd

from pinetum.greedy_dp.costs import COSTS, LABELS


def read_tables(path):
    """The records of decision tables.

    Numbers of trees stay text, they have any number of digits.
    """
    return pd.read_csv(path, dtype={f"trees {cost}": str for cost in COSTS})


def overview_table(tables):
    """One line per decision table; a cost that is not known exactly is an interval."""
    lines = []
    for record in tables.to_dict("records"):
        line = {
            name: record[name]
            for name in ("dataset", "status", "rows", "attributes", "decisions", "subtables")
        }
        for cost in COSTS:
            line[cost] = interval(record[f"least {cost}"], record[f"most {cost}"])
        trees = record["trees L"]
        line["trees of least L"] = "" if pd.isna(trees) else brief(str(trees))
        lines.append(line | {name: record[name] for name in ("seconds", "peak_mb")})
    whole = dict.fromkeys(("rows", "attributes", "decisions", "subtables"), "Int64")
    return pd.DataFrame(lines).astype(whole)


WHOLE = ("rows", "attributes")


def cost_table(tables, gaps):
    """One line per decision table and cost: the best greedy tree, the best tree known, what is
    proved, and the time.

    Dynamic programming minimises all five costs at once: its time stands in the line of the first.
    """
    if gaps.empty:
        return pd.DataFrame(
            columns=[
                "dataset",
                *WHOLE,
                "cost",
                "greedy",
                "value",
                "bound",
                "proved",
                "gap (%)",
                "way",
                "seconds",
            ]
        )
    best = gaps.groupby(["dataset", "cost"])["greedy"].min()
    lines = []
    for record in tables.to_dict("records"):
        for cost in COSTS:
            if (record["dataset"], cost) not in best.index:
                continue
            least, most = record[f"least {cost}"], record[f"most {cost}"]
            line = {name: record[name] for name in ("dataset", *WHOLE)} | {"cost": cost}
            line |= {"greedy": best[record["dataset"], cost], "value": most, "bound": least}
            line |= {"proved": "yes" if least == most else "no"}
            line |= {
                "gap (%)": 100 * (most - least) / least if least else 0.0 if least == most else None
            }
            lines.append(
                line | {"way": record[f"way {cost}"], "seconds": record[f"seconds {cost}"]}
            )
    rounded = {"greedy": 4, "value": 4, "bound": 4, "gap (%)": 2, "seconds": 3}
    return pd.DataFrame(lines).astype(dict.fromkeys(WHOLE, "Int64")).round(rounded)


def interval(least, most):
    if pd.isna(least):
        return ""
    return f"{least:.5g}" if least == most else f"{least:.5g}..{most:.5g}"


def brief(digits):
    """A count as it is, or as a power of ten where it is long."""
    return digits if len(digits) <= 12 else f"{digits[0]}.{digits[1:3]}e{len(digits) - 1}"


def gap_table(gaps):
    """Relative difference to the minimum per decision table and cost (lines) and heuristic.

    Bounds are said so.
    """
    if gaps.empty:
        return pd.DataFrame(columns=["dataset", "cost", "status", *LABELS])
    wide = gaps.pivot(
        index=["dataset", "cost", "status"], columns="heuristic", values="gap_at_most"
    )
    order = list(dict.fromkeys(zip(gaps["dataset"], gaps["cost"], gaps["status"], strict=True)))
    wide = wide.loc[order, list(LABELS)].round(6).reset_index()
    wide["status"] = (
        wide["status"].replace({"optimal": "exact"}).where(wide["status"] == "optimal", "at most")
    )
    return wide


def rank_table(gaps, differences):
    """Ranks of the heuristics (1: the best) by mean relative difference, on the real tables and on
    the random ones.

    Where a minimum of a real table is not proved, its largest possible difference counts. The last
    line has the rank correlation of the two.
    """
    random = differences[differences["group"].astype(str) == "all"]
    ranks = pd.DataFrame({"heuristic": LABELS})
    last = {"heuristic": "rank correlation"}
    for cost in COSTS:
        real = gaps[gaps["cost"] == cost].groupby("heuristic")["gap_at_most"].mean()
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
