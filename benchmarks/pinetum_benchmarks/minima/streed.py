"""An optional rival on random binary tables: STreeD (pystreed), which proves fewest leaves and
least depth.
"""

import time

import numpy as np

from pinetum.greedy_dp.costs import COSTS
from pinetum.greedy_dp.findings import value_of, warm_up
from pinetum.greedy_dp.minimal import Minimizer
from pinetum.workflow.jobs import provenance
from pinetum_benchmarks.minima.scaling import drawn_table

COLUMNS = [
    "rows", "attributes", "table", "cost", "status", "minimum", "way", "seconds", "status_streed",
    "streed", "seconds_streed", "ratio", "version", "commit",
]  # fmt: skip
DAY = 86_400  # seconds on the wall, which is all that it can be limited by
LEAVES = (
    "L",
    "L_n",
    "L_t",
)  # fewest leaves are fewest nodes of each kind where every test has two branches


def installed() -> bool:
    try:
        import pystreed  # noqa: F401
    except ImportError:
        return False
    return True


def run(seed, *, shapes, tables):
    """One line per table and cost: our minimum and its CPU seconds alone, STreeD's beside them."""
    warm_up()
    lines = []
    for n, m in shapes:
        for number in range(tables):
            lines += measure(drawn_table(seed, n, m, number, 2, 2)[1], m, number)
    return lines


def measure(table, m, number):
    lines = []
    answers = rival_answers(table) if installed() else {}
    for symbol in COSTS:
        found = Minimizer(table).minimum(symbol)
        line = {
            "rows": table.n_rows,
            "attributes": m,
            "table": number,
            "cost": symbol,
            "status": found.status,
        }
        line |= {
            "minimum": value_of(symbol, found.high, table),
            "way": found.way,
            "seconds": found.seconds,
        }
        if symbol in answers:
            value, seconds = answers[symbol]
            line |= {"status_streed": "optimal", "streed": value, "seconds_streed": seconds}
            line["ratio"] = seconds / found.seconds if found.seconds else None
        else:
            line["status_streed"] = "no such objective" if installed() else "not_run"
        lines.append(line | provenance())
    return lines


def rival_answers(table):
    """cost -> (its minimum, CPU seconds): one search for the leaves, one per depth for the
    depth.
    """
    from pystreed import STreeDClassifier

    X, y = np.ascontiguousarray(table.codes.T), table.decisions
    n, m = X.shape
    # A leaf costs so little that n of them cost less than one error.
    leaves = STreeDClassifier(
        "cost-complex-accuracy", max_depth=m, cost_complexity=1 / (n * (n + 1)), time_limit=DAY
    )
    begun = time.process_time()
    leaves.fit(X, y)
    seconds = time.process_time() - begun
    check(leaves, X, y)
    number = leaves.get_n_leaves()
    found = {
        symbol: (number * cost.leaf + (number - 1) * cost.inner, seconds)
        for symbol, cost in COSTS.items()
    }
    found = {symbol: found[symbol] for symbol in LEAVES}
    begun = time.process_time()
    for depth in range(1, m + 1):
        shallow = STreeDClassifier("accuracy", max_depth=depth, time_limit=DAY)
        shallow.fit(X, y)
        if (shallow.predict(X) == y).all():
            break
    return found | {"h": (depth, time.process_time() - begun)}


def check(model, X, y):
    if not model.fit_result.is_optimal() or (model.predict(X) != y).any():
        raise ArithmeticError("a tree of STreeD is not proved, or errs")


def streed_table(records):
    """The records of the rival without where they come from; ratio: STreeD's seconds by ours."""
    return records.drop(columns=["version", "commit"]).round(
        {"minimum": 4, "seconds": 4, "seconds_streed": 4, "ratio": 2}
    )
