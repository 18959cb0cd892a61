"""A user's own decision table: every heuristic against the exact minima, and an optimal tree per
cost.
"""

import json
import math

from pinetum.data.discretise import discretised
from pinetum.greedy_dp.findings import COLUMNS, Findings, examine, refused
from pinetum.greedy_dp.optimum import Limits
from pinetum.randomness import stream
from pinetum.validation.samples import joined, within_cells

BESIDE_STORES = 600  # megabytes that the interpreter, the libraries and the table take


def explore(table, settings, seed) -> dict:
    """A record per heuristic and cost, and a line of JSON per proved tree."""
    found = examined(table, settings, seed)
    about = [name for name in COLUMNS["real_tables"] if name in found.table and " " not in name]
    shared = {name: found.table[name] for name in about}
    trees = [
        {"dataset": name, "cost": cost, "tree": tree.to_dict()} for name, cost, tree in found.trees
    ]
    return {
        "greedy_dp.csv": [gap | shared for gap in found.gaps] or [shared],
        "greedy_dp_trees.jsonl": "".join(f"{json.dumps(tree)}\n" for tree in trees),
    }


def examined(data, settings, seed) -> Findings:
    """Findings of the table; numbers are cut into intervals by class entropy on all its cases.

    Nothing here is a prediction: the trees answer the cases of the table.
    """
    name = data.name
    # The graph, the store of branch and bound, a copy.
    memory = (settings["memory_mb"] - BESIDE_STORES) / 3
    limits = Limits(memory_mb=max(50, memory), time_limit=math.inf, work_millions=settings["work"])
    try:
        data, sampled = within_cells(
            data, settings["cells"], stream(seed, "greedy_dp", name, "sample")
        )
        cut = "numbers cut into intervals" if data.continuous.any() else ""
        found = examine(
            name,
            discretised(data),
            limits,
            inconsistent=settings["inconsistent"],
            missing_cells=settings["missing"],
            analyse=False,
        )
    except MemoryError:
        note = f"it needs more than {settings['memory_mb']:,} MB; raise memory_mb"
        return refused(name, "memory_limit", note)
    found.table["note"] = joined(sampled, cut, found.table["note"])
    return found
