"""What is found on one decision table: minima or proven intervals, every heuristic's gap, the
optimal trees. Lines of records, for data sets of the catalogue and for tables of one's own.
"""

import time
from dataclasses import dataclass, field
from functools import cache

from pinetum.data.dataset import Dataset
from pinetum.greedy_dp.analysis import Analysis, TooLarge, all_pairs
from pinetum.greedy_dp.costs import COSTS, LABELS
from pinetum.greedy_dp.minimal import Minimizer, Minimum
from pinetum.greedy_dp.optimum import Limits
from pinetum.greedy_dp.tables import (
    DecisionTable,
    Unsuitable,
    decision_table,
    from_dataset,
    random_table,
)

PARETO = (("h", "L"), ("h", "h_av"))

COLUMNS = {  # of the records, which may be empty
    "real_tables": [
        *("dataset", "status", "cases", "rows", "attributes", "decisions", "merged", "conflicts"),
        *("subtables", "expanded"),
        *(f"{end} {cost}" for cost in COSTS for end in ("least", "most", "way")),
        *("all_subtables", *(f"trees {cost}" for cost in COSTS)),
        *("seconds", *(f"seconds {cost}" for cost in COSTS)),
        *("seconds_greedy", "seconds_analysis", "peak_mb", "note"),
    ],
    "real_gaps": [
        *("dataset", "status", "heuristic", "cost", "greedy", "least", "most", "gap"),
        "gap_at_most",
    ],
    "sequential": ["dataset", "first", "second", "least_first", "least_second"],
    "pareto": ["dataset", "first", "second", "first_value", "second_value"],
    "optimal_trees": ["dataset", "cost", "tree"],
}
MERGED = {
    "most_common": "answered by the most common one",
    "any": "answered by any of them",
    "all": "answered by all of them together",
}


@dataclass
class Findings:
    """Lines of the records of one table."""

    table: dict
    gaps: list = field(default_factory=list)
    sequential: list = field(default_factory=list)
    pareto: list = field(default_factory=list)
    trees: list = field(default_factory=list)


def refused(dataset, status, note) -> Findings:
    """Findings of what is no decision table: a line with the reason."""
    return Findings({"dataset": dataset, "status": status, "note": note})


def examine(
    name,
    dataset: Dataset,
    limits: Limits,
    *,
    inconsistent,
    missing_cells="refuse",
    analyse=True,
) -> Findings:
    """Findings of a data set; one that is no decision table is a line with the reason."""
    try:
        table = from_dataset(dataset, inconsistent=inconsistent, missing=missing_cells)
    except Unsuitable as reason:
        return refused(name, "unsuitable", str(reason))
    warm_up()
    found, minimizer = examine_table(table, limits, analyse=analyse)
    found.table = {"dataset": name, "cases": dataset.n_cases} | found.table
    if table.conflicts:
        merged = (
            f"equal rows with different decisions: {table.conflicts} groups, {MERGED[inconsistent]}"
        )
        found.table["note"] = "; ".join(part for part in (merged, found.table["note"]) if part)
    for lines in (found.gaps, found.sequential, found.pareto):
        lines[:] = [{"dataset": name} | line for line in lines]
    found.trees = [
        (name, cost, minimum.tree(dataset))
        for cost, minimum in minimizer.all_minima().items()
        if minimum.status == "optimal"
    ]
    return found


@cache
def warm_up():
    """Load or compile every kernel, outside the clocks."""
    rows = random_table(0, 0, rows=30, attributes=5, values=2, decisions=2)
    table = decision_table(rows[:, :-1].T, rows[:, -1])
    examine_table(table, Limits(), analyse=True)
    Minimizer(table, way="branch").minimum("h_av").tree()


def examine_table(table: DecisionTable, limits: Limits, *, analyse):
    minimizer = Minimizer(
        table,
        memory_mb=limits.memory_mb,
        work=int(1e6 * limits.work_millions),
        time_limit=limits.time_limit,
    )
    clock = time.process_time()
    greedy = minimizer.greedy
    seconds_greedy = time.process_time() - clock
    minima = minimizer.all_minima()
    complete = minimizer.graph.status == "ok"
    open_ones = [minimum.status for minimum in minima.values() if minimum.status != "optimal"]
    line = {
        "status": open_ones[0] if open_ones else "optimal",
        "rows": table.n_rows,
        "attributes": table.n_attributes,
        "decisions": int(table.answers.any(axis=1).sum()),
        "merged": table.merged,
        "conflicts": table.conflicts,
        "subtables": minimizer.graph.n_nodes if complete else None,
        "expanded": sum(minimum.expansions for minimum in set_of(minima)),
        "seconds": sum(minimum.seconds for minimum in minima.values()),
        "seconds_greedy": seconds_greedy,
        "peak_mb": max(minimum.megabytes for minimum in minima.values()),
        "note": "",
    }
    for symbol, minimum in minima.items():
        line |= {f"least {symbol}": value_of(symbol, minimum.low, table)}
        line |= {f"most {symbol}": value_of(symbol, minimum.high, table)}
        line |= {f"way {symbol}": minimum.way, f"seconds {symbol}": minimum.seconds}
    found = Findings(line)
    for h, heuristic in enumerate(LABELS):
        for symbol, minimum in minima.items():
            cost = int(greedy[h, minimum.cost.place])
            values = {"greedy": cost, "least": minimum.low, "most": minimum.high}
            gap = {"status": minimum.status, "heuristic": heuristic, "cost": symbol}
            gap |= {column: value_of(symbol, value, table) for column, value in values.items()}
            gap |= {"gap": relative(cost, minimum.high), "gap_at_most": relative(cost, minimum.low)}
            found.gaps.append(gap)
    if analyse and complete:
        clock = time.process_time()
        add_analysis(table, limits, found)
        line["seconds_analysis"] = time.process_time() - clock
    elif analyse:
        line["note"] = (
            "optimal trees not counted: more subtables than the short dynamic programming may keep"
        )
    return found, minimizer


def set_of(minima: dict[str, Minimum]) -> list[Minimum]:
    """The searches behind the minima: one where the graph gave all of them."""
    graph = [minimum for minimum in minima.values() if minimum.way == "graph"]
    return graph[:1] + [minimum for minimum in minima.values() if minimum.way != "graph"]


def value_of(symbol, value, table):
    """A cost as records have it: the average depth in place of the total path length."""
    return int(value) / table.n_rows if COSTS[symbol].path else int(value)


def relative(value, base):
    return float((value - base) / base) if base else 0.0


def add_analysis(table, limits, found):
    """Numbers of optimal trees, the best by a second cost, Pareto fronts: where the whole graph
    fits.
    """
    try:
        analysis = Analysis.of(table, limits)
    except TooLarge as reason:
        found.table["note"] = f"optimal trees not counted: {reason}"
        return
    found.table["all_subtables"] = len(analysis.order)
    for symbol in COSTS:
        found.table[f"trees {symbol}"] = str(analysis.count(symbol))
    for first, second in all_pairs():
        least = analysis.in_sequence([first, second])
        line = {"first": first, "second": second}
        line["least_first"] = value_of(first, least[0], table)
        line["least_second"] = value_of(second, least[1], table)
        found.sequential.append(line)
    for first, second in PARETO:
        for x, y in analysis.pareto(first, second):
            line = {"first": first, "second": second}
            found.pareto.append(
                line
                | {
                    "first_value": value_of(first, x, table),
                    "second_value": value_of(second, y, table),
                }
            )
