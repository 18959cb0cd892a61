"""A user's own decision table: every heuristic against the exact minima, and an optimal tree per
cost.
"""

import math

from pinetum.data.dataset import Dataset
from pinetum.data.discretise import discretised
from pinetum.data.errors import NoData
from pinetum.greedy_dp.optimum import Limits
from pinetum.greedy_dp.study.records import Findings, examine, missing
from pinetum.randomness import stream
from pinetum.validation.samples import joined, within_cells

BESIDE_STORES = 600  # megabytes that the interpreter, the libraries and the table take


def examine_own(name, path, settings, root) -> Findings:
    """Findings of a user's table; numbers are cut into intervals by class entropy on all its cases.

    Nothing here is a prediction: the trees answer the cases of the table.
    """
    try:
        data = Dataset.load(path)
        data, sampled = within_cells(
            data, settings["cells"], stream(root, "greedy_dp", name, "sample")
        )
        cut = "numbers cut into intervals" if data.continuous.any() else ""
        memory = (
            settings["memory_mb"] - BESIDE_STORES
        ) / 3  # the graph, the store of branch and bound, a copy
        limits = Limits(
            memory_mb=max(50, memory), time_limit=math.inf, work_millions=settings["work"]
        )
        found = examine(
            name,
            discretised(data),
            limits,
            inconsistent=settings["inconsistent"],
            missing_cells=settings["missing"],
            analyse=False,
        )
    except NoData as fault:
        return missing(name, "no_data", fault.reason)
    except MemoryError:
        return missing(
            name,
            "memory_limit",
            f"it needs more than {settings['memory_mb']:,} MB; raise memory_mb",
        )
    found.table["note"] = joined(sampled, cut, found.table["note"])
    return found
