"""Trees on growing parts of the cases, tested on all the others: a record per part, weight and
repeat.
"""

import numpy as np

from pinetum.data import NoData, load_dataset
from pinetum.nbdt.study.records import blended_fits
from pinetum.progress import Progress
from pinetum.randomness import stream
from pinetum.workflow.jobs import provenance

COLUMNS = [
    "dataset", "training", "method", "repeat", "status", "errors", "cases", "leaves", "tests",
    "seconds", "version", "commit",
]  # fmt: skip
LARGEST_SHARE = 0.8  # of the cases that are trained on


def run(names, settings, seed, folder, catalogue) -> list[dict]:
    records = []
    progress = Progress(len(names), "data sets")
    for name in names:
        try:
            records += curve_records(load_dataset(name, folder, catalogue), settings, seed)
        except NoData as reason:
            print(reason)
            records.append({"dataset": name, "status": "no_data"})
        progress.step()
    return [record | provenance() for record in records]


def curve_records(dataset, settings, seed) -> list[dict]:
    """Every weight of the prior on growing parts of the cases in random order, tested on all the
    others.
    """
    learning, records = settings["learning"], []
    wanted = settings | {"blend": settings["blend"] | {"depths": [learning["depth"]]}}
    for repeat in range(learning["repeats"]):
        order = stream(seed, "nbdt", dataset.name, "learning", repeat).permutation(dataset.n_cases)
        for size in learning["sizes"]:
            if size > LARGEST_SHARE * dataset.n_cases:
                continue
            train, test = np.sort(order[:size]), np.sort(order[size:])
            key = {"dataset": dataset.name, "training": size, "repeat": repeat, "cases": len(test)}
            records += [key | found for found in blended_fits(dataset, train, test, wanted, seed)]
    return records
