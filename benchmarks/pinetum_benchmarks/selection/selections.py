"""Summaries of the comparison of selections, from its records alone: no compiled code is loaded."""

import json

import numpy as np
import pandas as pd

from pinetum.validation.statistics import average_ranks, friedman, holm, paired_t_test

METHODS = (
    "all features",
    "SBE, one split",
    "SBE, folds",
    "best of path, folds",
    "one SE, folds",
    "optimum, one split",
    "optimum, folds",
    "smallest within delta, folds",
    "smallest within one SE, folds",
    "random subset",
)  # in the order of tables; `oversearching.METHODS` says how each selects
REFERENCE = "optimum, folds"  # what `BestSubset()` does
PAGE = """# Does searching more give worse trees?

Complete search over all subsets of features may suit the errors that it counts too well ("oversearching"). So every
method selects inside an outer cross-validation: it sees the training cases alone, the tree on what it selects is
judged on the cases held out. `snakemake --snakefile benchmarks/Snakefile oversearching --cores 2` makes this
page, its table and figure anew.

**{sentence}**

`BestSubset()` does what "{reference}" does: place {place} of {methods} by mean rank ({rank:.2f}). Friedman's test of
all ranks: chi-squared {chi2:.1f}, p {p:.2g}. {outer} outer folds a data set; "folds" are inner ones, "one split" is
the paper's objective.

![Error of every method less that of the tree on all features](../docs/figures/elimination_oversearching.png)

## By method

Errors in percent, means over data sets. Difference: test error less that of "{reference}"; p: paired t-test over
data sets, adjusted by Holm. The error seen inside stands beside the outer one, as it is too hopeful. Stability over
the outer folds: Kuncheva's index (for subsets of any size, Nogueira and Brown) and Jaccard's.

{methods_table}
## By data set

Test error in percent, with the standard error of "{reference}" (corrected for overlapping folds, Nadeau and Bengio),
the mean number of features that it selects of all, and the share of its searches that proved their subset within the
limit of work; an unproved one is the best met.

{datasets_table}"""  # noqa: E501


def in_order(records, datasets) -> pd.DataFrame:
    """The records of all shards in the order of data sets, folds and methods."""
    place = records["dataset"].map({name: number for number, name in enumerate(datasets)})
    method = records["method"].map({name: number for number, name in enumerate(METHODS)})
    ordered = records.assign(place=place, number=method).sort_values(
        ["place", "repeat", "fold", "number"]
    )
    return ordered.drop(columns=["place", "number"]).reset_index(drop=True)


def stability(selections, n_features) -> float:
    """Nogueira and Brown's: Kuncheva's index for subsets of any size.

    1 for always the same, 0 for chance.
    """
    if len(selections) < 2:
        return float("nan")
    counts = (
        pd.Series([name for chosen in selections for name in set(chosen)])
        .value_counts()
        .to_numpy(dtype=float)
    )
    share, n = counts / len(selections), len(selections)
    mean = counts.sum() / n / n_features
    if mean in (0.0, 1.0):
        return float("nan")
    variance = (n / (n - 1) * share * (1 - share)).sum() / n_features
    return 1 - variance / (mean * (1 - mean))


def jaccard(selections) -> float:
    """Mean over pairs of what both have as a share of what either has; 1 for two empty sets."""
    sets = [set(chosen) for chosen in selections]
    pairs = [(a, b) for i, a in enumerate(sets) for b in sets[:i]]
    return (
        float(np.mean([len(a & b) / len(a | b) if a | b else 1.0 for a, b in pairs]))
        if pairs
        else float("nan")
    )


def by_dataset(records) -> pd.DataFrame:
    """One row per data set and method: test error with a standard error that allows for overlapping
    folds.
    """
    rows = []
    good = records[records["status"] == "ok"]
    for (dataset, method), part in good.groupby(["dataset", "method"], sort=False):
        error = 100 * part["errors"] / part["held_out"]
        n = len(error)
        overlap = 1 / n + float((part["held_out"] / part["training"]).mean())
        chosen = [json.loads(text) for text in part["selected"]]
        proved = part["proved"].dropna()
        rows.append(
            {
                "dataset": dataset,
                "method": method,
                "outer_folds": n,
                "test_error": error.mean(),
                "se": error.std(ddof=1) * np.sqrt(overlap) if n > 1 else None,
                "inner_error": part["inner_error"].mean(),
                "features": part["features"].iloc[0],
                "selected": part["size"].mean(),
                "stability": stability(chosen, int(part["features"].iloc[0])),
                "jaccard": jaccard(chosen),
                "proved": proved.mean() if len(proved) else None,
                "seconds": part["seconds"].mean(),
            }
        )
    columns = (
        "dataset method outer_folds test_error se inner_error features selected stability jaccard"
        " proved seconds"
    )
    return pd.DataFrame(rows, columns=columns.split())


def by_method(table) -> pd.DataFrame:
    """One row per method over all data sets: mean rank, and its test error against that of the
    reference.

    p-values are of a paired t-test over data sets (one difference each), adjusted by Holm's
    procedure.
    """
    columns = (
        "method data_sets rank test_error difference p_holm wins ties losses inner_error optimism"
        " share_selected stability jaccard seconds"
    )
    errors = (
        table.pivot(index="dataset", columns="method", values="test_error")
        .reindex(columns=list(METHODS))
        .dropna()
    )
    if not len(errors):
        return pd.DataFrame(columns=columns.split())
    ranks = average_ranks(errors.to_numpy(), tolerance=1e-9)
    others = [name for name in METHODS if name != REFERENCE]
    many = len(errors) > 1
    p = (
        holm([paired_t_test(errors[name], errors[REFERENCE]).p for name in others])
        if many
        else [None] * len(others)
    )
    p_of = dict(zip(others, p, strict=True))
    rows = []
    for number, name in enumerate(METHODS):
        part = table[(table["method"] == name) & table["dataset"].isin(errors.index)]
        difference = errors[name] - errors[REFERENCE]
        rows.append(
            {
                "method": name,
                "data_sets": len(errors),
                "rank": ranks[:, number].mean(),
                "test_error": errors[name].mean(),
                "difference": difference.mean(),
                "p_holm": p_of.get(name),
                "wins": int((difference > 1e-9).sum()),
                "ties": int((difference.abs() <= 1e-9).sum()),
                "losses": int((difference < -1e-9).sum()),
                "inner_error": part["inner_error"].mean(),
                "optimism": (part["test_error"] - part["inner_error"]).mean(),
                "share_selected": (part["selected"] / part["features"]).mean(),
                "stability": part["stability"].mean(),
                "jaccard": part["jaccard"].mean(),
                "seconds": part["seconds"].mean(),
            }
        )
    return pd.DataFrame(rows, columns=columns.split())


def verdict(table) -> pd.DataFrame:
    """What the study says, in one sentence, with Friedman's test of the ranks."""
    summary = by_method(table)
    if len(summary) == 0 or summary["data_sets"].iloc[0] < 2:
        row = {
            "data_sets": len(set(table["dataset"])),
            "chi2": None,
            "p": None,
            "sentence": "too few data sets to say",
        }
        return pd.DataFrame([row])
    errors = (
        table.pivot(index="dataset", columns="method", values="test_error")
        .reindex(columns=list(METHODS))
        .dropna()
    )
    outcome = friedman(average_ranks(errors.to_numpy(), tolerance=1e-9))
    of = summary.set_index("method")
    greedy, split = of.loc["SBE, folds"], of.loc["optimum, one split"]
    best = summary.sort_values(["rank", "method"]).iloc[0]

    def compared(row, name):
        if abs(row["difference"]) < 1e-9:
            return f"{name} errs as much"
        word = "more" if row["difference"] > 0 else "less"
        sure = "beyond chance" if row["p_holm"] < 0.05 else "may be chance"
        return (
            f"{name} errs {abs(row['difference']):.2g} points {word} (p {row['p_holm']:.2g}:"
            f" {sure})"
        )

    answer = (
        "Searching all subsets in place of a greedy path changes the error by no more than chance"
    )
    if greedy["p_holm"] < 0.05:
        worse = "better" if greedy["difference"] > 0 else "worse"
        answer = f"Searching all subsets in place of a greedy path gives {worse} trees"
    proved = table.loc[table["method"] == REFERENCE, "proved"].mean()
    sentence = (
        f"{answer}: on {len(errors)} data sets, against the optimum by inner cross-validation"
        f" ({100 * proved:.0f} % of the searches proved),"
        f" {compared(greedy, 'backward elimination by the same folds')} and"
        f" {compared(split, 'the optimum of one split')}; the best mean rank has {best['method']}"
        f" ({best['rank']:.2f}), which keeps {100 * best['share_selected']:.0f} % of the features."
    )
    return pd.DataFrame(
        [
            {
                "data_sets": len(errors),
                "chi2": outcome.statistic,
                "p": outcome.p,
                "sentence": sentence,
            }
        ]
    )


def markdown(frame) -> str:
    """A table of texts."""
    rows = [
        list(frame.columns),
        ["---"] * len(frame.columns),
        *frame.astype(str).to_numpy().tolist(),
    ]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def page(table) -> str:
    """The study as a page of the documentation, from its table by data set alone."""
    summary, said = by_method(table), verdict(table).iloc[0]
    if pd.isna(said["chi2"]):
        return f"{PAGE.splitlines()[0]}\n\n{said['sentence'].capitalize()}.\n"
    ordered = summary.sort_values(["rank", "method"]).reset_index(drop=True)
    shown = pd.DataFrame(
        {
            "method": ordered["method"],
            "mean rank": [f"{x:.2f}" for x in ordered["rank"]],
            "test error": [f"{x:.2f}" for x in ordered["test_error"]],
            "difference": [f"{x:+.2f}" for x in ordered["difference"]],
            "p": ["" if pd.isna(x) else f"{x:.2g}" for x in ordered["p_holm"]],
            "worse / equal / better": [
                f"{r.wins} / {r.ties} / {r.losses}" for r in ordered.itertuples()
            ],
            "error inside": ["" if pd.isna(x) else f"{x:.2f}" for x in ordered["inner_error"]],
            "features kept": [f"{100 * x:.0f} %" for x in ordered["share_selected"]],
            "Kuncheva": ["" if pd.isna(x) else f"{x:.2f}" for x in ordered["stability"]],
            "Jaccard": [f"{x:.2f}" for x in ordered["jaccard"]],
        }
    )
    errors = table.pivot(index="dataset", columns="method", values="test_error")[list(METHODS)]
    ours = table[table["method"] == REFERENCE].set_index("dataset").loc[errors.index]
    by_set = pd.DataFrame(
        {"data set": errors.index, **{name: [f"{x:.1f}" for x in errors[name]] for name in METHODS}}
    )
    by_set[REFERENCE] = [
        f"{x:.1f} ± {se:.1f}" for x, se in zip(ours["test_error"], ours["se"], strict=True)
    ]
    by_set["selected"] = [
        f"{x:.1f} of {n}" for x, n in zip(ours["selected"], ours["features"], strict=True)
    ]
    by_set["proved"] = [f"{100 * x:.0f} %" for x in ours["proved"]]
    reference = ordered[ordered["method"] == REFERENCE]
    return PAGE.format(
        sentence=said["sentence"],
        reference=REFERENCE,
        place=int(reference.index[0]) + 1,
        methods=len(METHODS),
        rank=float(reference["rank"].iloc[0]),
        chi2=said["chi2"],
        p=said["p"],
        outer=int(table["outer_folds"].iloc[0]),
        methods_table=markdown(shown),
        datasets_table=markdown(by_set),
    )
