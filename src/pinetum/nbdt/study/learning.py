"""Learning curves: how the data alone, Naive Bayes alone and the trees between them err as the
training cases grow.
"""

import numpy as np
import pandas as pd

from pinetum.validation import mean_se

HELPS_COLUMNS = [
    "training cases",
    "data sets",
    "data",
    "Naive Bayes",
    "chosen",
    "Naive Bayes below data",
    "data below Naive Bayes",
    "chosen below data",
    "chosen below Naive Bayes",
    "chosen above the better",
]
MEAN_COLUMNS = ["dataset", "training", "method", "error", "se", "repeats", "leaves"]
ENDS = ("0", "inf", "cv")  # weights whose curves are shown: data alone, Naive Bayes alone, chosen
BEYOND = 2.0  # standard errors by which one curve is said to lie below another


def mean_records(records) -> list[dict]:
    """Mean error of every data set, size and method over the repeats."""
    means = []
    done = records[records["status"] == "ok"]
    for (dataset, training, method), part in done.groupby(
        ["dataset", "training", "method"], sort=False
    ):
        error, se = mean_se(part["errors"] / part["cases"])
        means.append(
            {
                "dataset": dataset,
                "training": int(training),
                "method": method,
                "error": error,
                "se": se,
                "repeats": len(part),
                "leaves": part["leaves"].mean(),
            }
        )
    return means


def helps_table(records, depth) -> pd.DataFrame:
    """A row per number of training cases: mean errors in per cent, and on how many data sets which
    trees err less.
    """
    data, prior, chosen = (f"{depth}-blend-{weight}" for weight in ENDS)
    done = records[records["status"] == "ok"]
    done = done.assign(error=100 * done["errors"] / done["cases"])
    rates = done.pivot_table(
        index=["training", "dataset", "repeat"], columns="method", values="error"
    )
    rows = []
    if {data, prior, chosen} <= set(rates):
        for training, part in rates.groupby(level="training"):
            sets = [one for _, one in part.groupby(level="dataset")]
            ends = [one[[data, prior]].mean().idxmin() for one in sets]
            means = np.mean([one[[data, prior, chosen]].mean() for one in sets], axis=0).round(1)
            counts = (
                sum(lies_below(one[prior], one[data]) for one in sets),
                sum(lies_below(one[data], one[prior]) for one in sets),
                sum(lies_below(one[chosen], one[data]) for one in sets),
                sum(lies_below(one[chosen], one[prior]) for one in sets),
                sum(lies_below(one[end], one[chosen]) for one, end in zip(sets, ends, strict=True)),
            )
            rows.append((training, len(sets), *means, *counts))
    return pd.DataFrame(rows, columns=HELPS_COLUMNS)


def lies_below(lower, upper) -> bool:
    """Whether the mean difference over the repeats is larger than so many of its standard
    errors.
    """
    mean, se = mean_se(upper - lower)
    return bool(mean > BEYOND * se)


def answer(helps) -> str:
    """When Naive Bayes helps: at the fewest training cases, and at the most that half of the data
    sets have.
    """
    if not len(helps):
        return "No curve of both ends was made."
    known = (
        helps[2 * helps["data sets"] >= helps["data sets"].max()].iloc[[0, -1]].drop_duplicates()
    )
    counts = ", ".join(
        f"on {row['Naive Bayes below data']} of {row['data sets']} data sets with"
        f" {row['training cases']} training cases (more on {row['data below Naive Bayes']})"
        for row in known.to_dict("records")
    )
    less, more, pairs = (
        helps[name].sum() for name in ("chosen below data", "chosen above the better", "data sets")
    )
    return (
        f"Naive Bayes alone errs less than the data alone {counts}. The weight chosen by"
        f" cross-validation errs less than the data alone in {less} of {pairs} pairs of data set"
        f" and size, and more than the better of the two in {more}."
    )
