"""Ranks and tests from records: five algorithms at a time, as the paper ranks them."""

import numpy as np
import pandas as pd

from pinetum.pruning.pruners import PAPER, slug
from pinetum.validation import average_ranks, critical_difference, friedman, holm, iman_davenport

COMPANY = PAPER[:4]  # NOP, NEBP, WEBP, TWEBP: whoever is compared is the fifth
SYNTH = (
    "SYNTH+"  # stands in the paper's SYNTH column; the program as printed has a table of its own
)
FIVE = (*COMPANY, SYNTH)
SIGNIFICANCE = 0.05
TOTAL = "Total"
REAL_COLUMNS = [
    "group",
    "dataset",
    "pruner",
    "repeats",
    "error",
    "error_spread",
    "nodes",
    "nodes_spread",
    "rank",
    "rank_spread",
]
TEST_COLUMNS = [
    "data_sets",
    "algorithms",
    "friedman",
    "friedman_p",
    "iman_davenport",
    "iman_davenport_p",
    "critical_difference",
]
TIED_PERCENT = 0.1  # Table 2 ties errors that are equal as printed
# data set here -> its name in Tables 2 and 3
PRINTED = {
    "mushroom-mode": ("agaricus-lepiota", "aga"),
    "audiology-mode": ("audiology", "aud"),
    "car": ("car", "car"),
    "splice-dna": ("dna", "dna"),
    "hayes-roth": ("hayes-roth", "hay"),
    "kr-vs-kp": ("kr-vs-kp", "krkp"),
    "monks-1": ("monks-1", "mon1"),
    "monks-2": ("monks-2", "mon2"),
    "monks-3": ("monks-3", "mon3"),
    "nursery": ("nursery", "nur"),
    "promoters": ("promoters", "pro"),
    "soybean-mode": ("soybean", "soy"),
    "tic-tac-toe": ("tic-tac-toe", "tic"),
    "vote-value": ("house votes", "vot"),
    "average": ("average", "average"),
}


def compared(scores, names, tolerance=0.0, numbers=None):
    """Average ranks (1 = lowest score), tests, and Holm's marks of all against the last of `names`.

    A mark says that an algorithm is better (+) or worse (-) than the last one; there are none
    unless Friedman's test rejects that all are alike. Standard errors come from the repetitions of
    the whole experiment where their `numbers` are given, else from the data sets.
    """
    from scipy.special import ndtr

    ranks = average_ranks(scores, tolerance)
    n, k = ranks.shape
    mean = ranks.mean(axis=0)
    repeats = ranks if numbers is None else means_by(ranks, numbers)
    error = (
        repeats.std(axis=0, ddof=1) / np.sqrt(len(repeats))
        if len(repeats) > 1
        else np.full(k, np.nan)
    )
    chi2, f = friedman(ranks), iman_davenport(ranks)
    z = (mean[:-1] - mean[-1]) / np.sqrt(k * (k + 1) / (6 * n))
    p = holm(2 * ndtr(-np.abs(z)))
    rejected = f.p < SIGNIFICANCE
    marks = [
        ("-" if z_i > 0 else "+") if rejected and p_i < SIGNIFICANCE else ""
        for z_i, p_i in zip(z, p, strict=True)
    ]
    rows = [
        {"pruner": name, "data_sets": n, "rank": mean[i], "se": error[i]}
        | ({"z": z[i], "p_holm": p[i], "mark": marks[i]} if i < k - 1 else {})
        for i, name in enumerate(names)
    ]
    tests = {
        "data_sets": n,
        "algorithms": k,
        "friedman": chi2.statistic,
        "friedman_p": chi2.p,
        "iman_davenport": f.statistic,
        "iman_davenport_p": f.p,
        "critical_difference": critical_difference(k, n, SIGNIFICANCE),
    }
    return rows, tests


def means_by(values, numbers):
    """Means (repetitions, columns) of the rows that have the same number."""
    numbers = np.unique(numbers, return_inverse=True)[1]
    return (
        np.stack([np.bincount(numbers, column) for column in values.T], axis=1)
        / np.bincount(numbers)[:, None]
    )


def mean_error(values):
    """Mean and its standard error."""
    return float(values.mean()), (
        float(values.std(ddof=1) / np.sqrt(len(values))) if len(values) > 1 else np.nan
    )


def groups_of(names):
    """Which algorithms are ranked together: each fifth with its company, then all at once."""
    fifths = [name for name in names if name not in COMPANY]
    return {name: [*COMPANY, name] for name in fifths} | {"all": [*COMPANY, *fifths]}


def network_ranks(records, names):
    """Ranks on generated data sets by number of removed attributes and in total, and the tests."""
    rows, tests = [], []
    hits = {name: records[f"hits_{slug(name)}"].to_numpy() for name in names}
    removed, numbers = records["removed"].to_numpy(), records["repetition"].to_numpy()
    for group, members in groups_of(names).items():
        scores = -np.column_stack([hits[name] for name in members])
        for label in [*np.unique(removed), TOTAL]:
            some = slice(None) if label == TOTAL else removed == label
            found, test = compared(scores[some], members, numbers=numbers[some])
            rows += [{"group": group, "removed": label, **row} for row in found]
            tests.append({"group": group, "removed": label, **test})
    return pd.DataFrame(rows), pd.DataFrame(tests)


def cross_validation_means(folds):
    """Per data set, pruner and repeat: mean error percent and mean nodes over the folds."""
    good = folds[folds["status"] == "ok"].copy()
    good["error"] = 100.0 * good["errors"].astype(float) / good["tested"].astype(float)
    good["nodes"] = good["nodes"].astype(float)
    return (
        good.groupby(["dataset", "repeat", "pruner"], sort=False)[["error", "nodes"]]
        .mean()
        .reset_index()
    )


def real_ranks(folds, names):
    """Per group, data set and pruner: error, nodes and rank, each with its spread over
    cross-validations.

    `spread` is the standard deviation over repeats; the paper has one cross-validation, so its own
    numbers scatter by as much.
    """
    means = cross_validation_means(folds)
    datasets = list(dict.fromkeys(means["dataset"]))
    rows, tests = [], []
    if not datasets:
        return pd.DataFrame(columns=REAL_COLUMNS), pd.DataFrame(
            columns=["group", "repeat", *TEST_COLUMNS]
        )
    repeats = sorted(means["repeat"].unique())
    cube = means.set_index(["repeat", "dataset", "pruner"]).reindex(
        pd.MultiIndex.from_product([repeats, datasets, names])
    )
    shape = len(repeats), len(datasets), len(names)
    error, nodes = (cube[key].to_numpy(float).reshape(shape) for key in ("error", "nodes"))
    for group, members in groups_of(names).items():
        columns = [names.index(name) for name in members]
        ranks = np.stack(
            [average_ranks(error[r][:, columns], TIED_PERCENT) for r in range(len(repeats))]
        )
        for i, name in enumerate(members):
            values = {
                "error": error[:, :, columns[i]],
                "nodes": nodes[:, :, columns[i]],
                "rank": ranks[:, :, i],
            }
            for place, dataset in enumerate([*datasets, "average"]):
                row = {"group": group, "dataset": dataset, "pruner": name, "repeats": len(repeats)}
                for key, table in values.items():
                    series = table.mean(axis=1) if dataset == "average" else table[:, place]
                    row[key] = series.mean()
                    row[f"{key}_spread"] = series.std(ddof=1) if len(series) > 1 else np.nan
                rows.append(row)
        if len(datasets) > 1:
            for repeat, scores in [*zip(repeats, error, strict=True), ("mean", error.mean(axis=0))]:
                _, test = compared(scores[:, columns], members, TIED_PERCENT)
                tests.append({"group": group, "repeat": repeat, **test})
    return pd.DataFrame(rows, columns=REAL_COLUMNS), pd.DataFrame(
        tests, columns=["group", "repeat", *TEST_COLUMNS]
    )
