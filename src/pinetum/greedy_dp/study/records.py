"""Records of one decision table: minima or a proven interval, every heuristic's gap, the optimal trees."""

import time
from dataclasses import dataclass, field
from functools import cache

from pinetum.data.dataset import Dataset
from pinetum.greedy_dp.analysis import Analysis, TooLarge, all_pairs
from pinetum.greedy_dp.heuristics import COSTS, DEPTH, LABELS, NODES, PATH
from pinetum.greedy_dp.optimal_trees import optimal_tree
from pinetum.greedy_dp.optimum import Limits, build, greedy_costs, minima
from pinetum.greedy_dp.tables import DecisionTable, Unsuitable, decision_table, from_dataset, random_table
from pinetum.workflow.jobs import provenance

PARETO = ((DEPTH, NODES), (DEPTH, PATH))

TABLE_COLUMNS = [
    "dataset", "status", "cases", "rows", "attributes", "decisions", "merged", "conflicts", "subtables", "expanded",
    *(f"{end} {cost}" for cost in COSTS for end in ("least", "most")),
    "all_subtables", *(f"trees {cost}" for cost in COSTS),
    "seconds", "seconds_greedy", "seconds_analysis", "peak_mb", "note", "version", "commit",
]  # fmt: skip
GAP_COLUMNS = ["dataset", "status", "heuristic", "cost", "greedy", "least", "most", "gap", "gap_at_most"]
SEQUENTIAL_COLUMNS = ["dataset", "first", "second", "least_first", "least_second"]
PARETO_COLUMNS = ["dataset", "first", "second", "first_value", "second_value"]


@dataclass
class Findings:
    """Lines of the records of one table."""

    table: dict
    gaps: list = field(default_factory=list)
    sequential: list = field(default_factory=list)
    pareto: list = field(default_factory=list)
    trees: list = field(default_factory=list)


def missing(name, status, note) -> Findings:
    return Findings({"dataset": name, "status": status, "note": note} | provenance())


def examine(name, dataset: Dataset, limits: Limits, *, inconsistent, analyse=True, with_trees=True) -> Findings:
    try:
        table = from_dataset(dataset, inconsistent=inconsistent)
    except Unsuitable as reason:
        return missing(name, "unsuitable", str(reason))
    warm_up()
    found, graph = examine_table(table, limits, analyse=analyse)
    merged = f"equal rows with different decisions: {table.conflicts} groups, merged by the most common one"
    found.table = {"dataset": name, "cases": dataset.n_cases} | found.table | provenance()
    found.table["note"] = "; ".join(part for part in (merged if table.conflicts else "", found.table["note"]) if part)
    for lines in (found.gaps, found.sequential, found.pareto):
        lines[:] = [{"dataset": name} | line for line in lines]
    if with_trees and graph.status == "ok":
        found.trees = [(name, COSTS[cost], optimal_tree(table, graph, cost, dataset)) for cost in range(len(COSTS))]
    return found


@cache
def warm_up():
    """Load or compile every kernel, outside the clocks."""
    rows = random_table(0, 0, rows=30, attributes=5, values=2, decisions=2)
    examine_table(decision_table(rows[:, :-1].T, rows[:, -1]), Limits(), analyse=True)


def examine_table(table: DecisionTable, limits: Limits, *, analyse):
    graph = build(table, limits)
    clock = time.process_time()
    greedy = greedy_costs(graph.words)
    seconds_greedy = time.process_time() - clock
    least = minima(graph)
    complete = graph.status == "ok"
    most = least if complete else greedy.min(axis=0)
    line = {
        "status": "optimal" if complete else graph.status,
        "rows": table.n_rows,
        "attributes": table.n_attributes,
        "decisions": len(set(table.decisions.tolist())),
        "merged": table.merged,
        "conflicts": table.conflicts,
        "subtables": graph.n_nodes,
        "expanded": int(graph.state[3]),
        "seconds": graph.seconds,
        "seconds_greedy": seconds_greedy,
        "peak_mb": graph.peak_mb,
        "note": "",
    }
    for c, cost in enumerate(COSTS):
        line |= {f"least {cost}": said(c, least[c], table), f"most {cost}": said(c, most[c], table)}
    found = Findings(line)
    for h, heuristic in enumerate(LABELS):
        for c, cost in enumerate(COSTS):
            value, low, high = (said(c, cost_, table) for cost_ in (greedy[h, c], least[c], most[c]))
            gap = {"status": line["status"], "heuristic": heuristic, "cost": cost, "greedy": value}
            gap |= {"least": low, "most": high}
            gap |= {"gap": relative(greedy[h, c], most[c]), "gap_at_most": relative(greedy[h, c], least[c])}
            found.gaps.append(gap)
    if analyse and complete:
        clock = time.process_time()
        add_analysis(table, limits, found)
        line["seconds_analysis"] = time.process_time() - clock
    return found, graph


def said(cost, value, table):
    """A cost as records have it: the average depth in place of the total path length."""
    return int(value) / table.n_rows if cost == PATH else int(value)


def relative(value, base):
    return float((value - base) / base) if base else 0.0


def add_analysis(table, limits, found):
    """Numbers of optimal trees, the best by a second cost, Pareto fronts: where the whole graph fits."""
    try:
        analysis = Analysis.of(table, limits)
    except TooLarge as reason:
        found.table["note"] = f"optimal trees not counted: {reason}"
        return
    found.table["all_subtables"] = len(analysis.order)
    for cost, name in enumerate(COSTS):
        found.table[f"trees {name}"] = str(analysis.count(cost))
    for first, second in all_pairs():
        line = {"first": COSTS[first], "second": COSTS[second]}
        line["least_first"] = said(first, analysis.minima[first], table)
        line["least_second"] = said(second, analysis.sequential(first, second), table)
        found.sequential.append(line)
    for first, second in PARETO:
        for x, y in analysis.pareto(first, second):
            line = {"first": COSTS[first], "second": COSTS[second]}
            found.pareto.append(line | {"first_value": said(first, x, table), "second_value": said(second, y, table)})
