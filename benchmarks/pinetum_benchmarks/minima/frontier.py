"""Branch and bound per cost against rows and attributes of random tables, up to where its counted
work ends.
"""

from pinetum.greedy_dp.costs import COSTS
from pinetum.greedy_dp.findings import relative, value_of, warm_up
from pinetum.greedy_dp.minimal import Minimizer
from pinetum.greedy_dp.optimum import Limits
from pinetum.progress import Progress
from pinetum.workflow.jobs import provenance
from pinetum_benchmarks.minima.scaling import drawn_table


def run(seed, *, rows, attributes, tables, values, decisions, work_millions, memory_mb):
    """One line per table and cost.

    A cost is left out of the larger tables once one of a size is not proved.
    """
    warm_up()
    lines = []
    progress = Progress(len(attributes) * len(rows), "sizes")
    limits = Limits(memory_mb=memory_mb, work_millions=work_millions)
    for m in attributes:
        proving = list(COSTS)
        for n in rows:
            progress.step()
            failed = set()
            for number in range(tables if proving else 0):
                found = measure(seed, n, m, number, values, decisions, limits, proving)
                failed |= {line["cost"] for line in found if line["status"] != "optimal"}
                lines += found
            proving = [symbol for symbol in proving if symbol not in failed]
    return lines


def measure(seed, n, m, number, values, decisions, limits, costs):
    table = drawn_table(seed, n, m, number, values, decisions)[1]
    minimizer = Minimizer(
        table, way="branch", memory_mb=limits.memory_mb, work=int(1e6 * limits.work_millions)
    )
    best = minimizer.greedy.min(axis=0)
    assert (
        minimizer.encoded
    )  # the pairs of rows are compared once for all costs, outside their clocks
    lines = []
    for symbol in costs:
        found = minimizer.minimum(symbol)
        line = {
            "rows": n,
            "attributes": m,
            "table": number,
            "rows_left": table.n_rows,
            "cost": symbol,
        }
        line |= {"status": found.status, "greedy": value_of(symbol, best[found.cost.place], table)}
        line |= {
            "least": value_of(symbol, found.low, table),
            "most": value_of(symbol, found.high, table),
        }
        line |= {
            "gap_at_most": relative(found.high, found.low),
            "work": found.work,
            "expanded": found.expansions,
        }
        lines.append(line | {"seconds": found.seconds, "peak_mb": found.megabytes} | provenance())
    return lines
