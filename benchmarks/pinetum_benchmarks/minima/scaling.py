"""Time, memory and subtables of the exact algorithm against rows and attributes of random
tables.
"""

import time

from pinetum.greedy_dp.costs import WHOLE_COSTS
from pinetum.greedy_dp.findings import warm_up
from pinetum.greedy_dp.greedy import greedy_costs
from pinetum.greedy_dp.optimum import Limits, build, minima
from pinetum.greedy_dp.replication.random_tables import costs_of
from pinetum.greedy_dp.tables import decision_table, random_table
from pinetum.progress import Progress
from pinetum.workflow.jobs import provenance


def run(seed, *, rows, attributes, tables, values, decisions, limits: Limits):
    """One line per table; every pair of `rows` and `attributes`, `tables` each."""
    warm_up()
    shape = {"rows": 20, "attributes": 3, "values": values, "decisions": decisions}
    costs_of(random_table(seed, 0, **shape)[None], values, decisions)
    lines = []
    progress = Progress(len(rows) * len(attributes) * tables, "tables")
    for n in rows:
        for m in attributes:
            for number in range(tables):
                lines.append(measure(seed, n, m, number, values, decisions, limits))
                progress.step()
    return lines


def drawn_table(seed, n, m, number, values, decisions):
    """(the lines as drawn, the decision table)."""
    drawn = random_table(
        seed,
        f"{n} {m} {number}",
        rows=n,
        attributes=m,
        values=values,
        decisions=decisions,
        study="scaling",
    )
    return drawn, decision_table(
        drawn[:, :-1].T, drawn[:, -1], arity=[values] * m, n_decisions=decisions
    )


def measure(seed, n, m, number, values, decisions, limits):
    drawn, table = drawn_table(seed, n, m, number, values, decisions)
    graph = build(table, limits)
    clock = time.process_time()
    greedy = greedy_costs(graph.encoded)
    seconds_greedy = time.process_time() - clock
    line = {
        "rows": n,
        "attributes": m,
        "table": number,
        "status": "optimal" if graph.status == "ok" else graph.status,
    }
    line |= {"rows_left": table.n_rows, "subtables": graph.n_nodes}
    for cost, least, most in zip(
        WHOLE_COSTS, minima(graph).tolist(), greedy.min(axis=0).tolist(), strict=True
    ):
        line |= {f"least {cost}": least, f"greedy {cost}": most}
    line |= {"seconds": graph.seconds, "seconds_greedy": seconds_greedy, "peak_mb": graph.peak_mb}
    if n <= 64:
        clock = time.process_time()
        costs_of(drawn[None].copy(), values, decisions)
        line["seconds_one_word"] = time.process_time() - clock
    return line | provenance()
