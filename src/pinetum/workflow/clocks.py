"""CPU clocks of measurements: solvers that were started count, and rivals take turns."""

import math
import time

import numpy as np

PATIENCE = 0.5  # CPU seconds after which a call is not repeated
LEAST = 0.002  # a shorter call is repeated inside one measurement


def cpu_seconds() -> float:
    """CPU time of this process and of the processes that it started."""
    import resource

    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def timed(calls: dict, repeats: int) -> dict:
    """Median CPU seconds per call; the calls take turns, so that a slow spell of the machine meets
    all of them.
    """
    seconds: dict[str, list] = {name: [] for name in calls}
    inner = {}
    for _ in range(repeats):
        for name, call in calls.items():
            if len(seconds[name]) and seconds[name][0] > PATIENCE:
                continue
            if name not in inner:
                inner[name] = 1
                if not seconds[name]:
                    first = clock(call, 1)
                    inner[name] = max(1, math.ceil(LEAST / max(first, 1e-7)))
                    if first > PATIENCE:
                        seconds[name].append(first)
                        continue
            seconds[name].append(clock(call, inner[name]))
    return {name: float(np.median(values)) for name, values in seconds.items()}


def clock(call, times) -> float:
    """CPU seconds of a call, the mean of so many in a row."""
    begun = time.process_time()
    for _ in range(times):
        call()
    return (time.process_time() - begun) / times
