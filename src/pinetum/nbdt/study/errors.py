"""What the records of the folds say of each method: mean errors, averages, tests."""

import numpy as np

from pinetum.nbdt.methods import METHODS
from pinetum.validation import corrected_resampled_t_test, mean_se, paired_t_test


def error_rates(folds, methods):
    """dataset -> method -> error rates (repeats, folds), in fold order.

    Data sets without data are left out.
    """
    rates = {}
    done = folds[folds["status"] == "ok"]
    for (dataset, method), part in done.groupby(["dataset", "method"], sort=False):
        if method in methods:
            table = part.pivot(index="repeat", columns="fold", values=["errors", "cases"])
            rates.setdefault(dataset, {})[method] = (table["errors"] / table["cases"]).to_numpy(
                dtype=float
            )
    return rates


def accuracy_records(folds, methods) -> list[dict]:
    """Mean error per data set and method.

    Its standard deviation and standard error over the repeats.
    """
    records = []
    rates = error_rates(folds, methods)
    for dataset in dict.fromkeys(folds["dataset"]):
        for method in methods:
            if method not in rates.get(dataset, {}):
                if dataset not in rates:
                    records.append({"dataset": dataset, "method": method, "status": "no_data"})
                continue
            per_repeat = rates[dataset][method].mean(axis=1)
            mean, error = mean_se(per_repeat)
            part = folds[
                (folds["dataset"] == dataset)
                & (folds["method"] == method)
                & (folds["status"] == "ok")
            ]
            records.append(
                {
                    "dataset": dataset,
                    "method": method,
                    "status": "ok",
                    "error": mean,
                    "sd": float(per_repeat.std(ddof=1)) if len(per_repeat) > 1 else None,
                    "se": error,
                    "repeats": len(per_repeat),
                    "folds": rates[dataset][method].shape[1],
                    "leaves": part["leaves"].mean(),
                    "expected_error": 1 - part["expected_accuracy"].mean(),
                    "seconds": part["seconds"].median(),
                }
            )
    return records


def average_records(folds, methods) -> list[dict]:
    """Mean error over the data sets per method.

    The standard error is that of the repeats, for these data sets.
    """
    rates = error_rates(folds, methods)
    records = []
    for method in methods:
        having = [
            rates[dataset][method].mean(axis=1) for dataset in rates if method in rates[dataset]
        ]
        if not having:
            continue
        repeats = min(map(len, having))
        mean, error = mean_se(np.mean([rate[:repeats] for rate in having], axis=0))
        se = None if repeats == 1 else error
        records.append(
            {"method": method, "datasets": len(having), "error": mean, "se": se, "n": repeats}
        )
    return records


def comparisons(methods) -> list[tuple[str, str]]:
    """Tested pairs: neighbours in depth.

    Every depth with 3-ID3, Naive Bayes, greedy and optimal trees of its depth.
    """
    ours = [method for method in methods if method.endswith("NBDT")]
    pairs = list(zip(ours[1:], ours, strict=False))
    for method in ours:
        rivals = ("3-ID3", "NB", f"{method[0]}-greedy", f"{method[0]}-optimal")
        pairs += [(method, rival) for rival in rivals if rival in methods]
    for depth in [method[0] for method in methods if method.endswith("-blend-cv")]:
        rivals = (
            METHODS["optnbdt"].name(int(depth)),
            f"{depth}-blend-0",
            f"{depth}-optimal",
            f"{depth}-greedy",
        )
        pairs += [(f"{depth}-blend-cv", rival) for rival in rivals if rival in methods]
    return pairs


def test_records(folds, methods, n_folds) -> list[dict]:
    """Paired t-tests over the data sets, as in the paper, and per data set over the folds.

    Over the folds both Student's test, whose samples overlap so that it claims too much, and the
    corrected one.
    """
    rates = error_rates(folds, methods)
    records = []
    for first, second in comparisons(methods):
        both = [
            dataset for dataset in rates if first in rates[dataset] and second in rates[dataset]
        ]
        pairs = {}
        for dataset in both:
            repeats = min(len(rates[dataset][first]), len(rates[dataset][second]))
            pairs[dataset] = (rates[dataset][first][:repeats], rates[dataset][second][:repeats])
        if len(both) >= 2:
            a, b = ([pairs[dataset][side].mean() for dataset in both] for side in (0, 1))
            records.append(test_record("all", first, second, a, b, len(both), None))
        for dataset, (a, b) in pairs.items():
            if a.size >= 2:
                records.append(
                    test_record(dataset, first, second, a.ravel(), b.ravel(), a.size, 1 / n_folds)
                )
    return records


def test_record(dataset, first, second, a, b, n, test_fraction):
    plain = paired_t_test(a, b)
    corrected = corrected_resampled_t_test(a, b, test_fraction) if test_fraction else None
    return {
        "dataset": dataset,
        "method": first,
        "rival": second,
        "n": n,
        "difference": float(np.mean(a) - np.mean(b)),
        "t": plain.statistic,
        "p": plain.p,
        "corrected_t": corrected.statistic if corrected else None,
        "corrected_p": corrected.p if corrected else None,
    }
