"""From the records to the paper's own statements, keyed as in config/published/nbdt.csv."""

import numpy as np

from pinetum.nbdt.study.errors import accuracy_records, average_records, error_rates, test_records
from pinetum.report.rows import ReproducedRows

# Rows of the paper's tables and the data sets or views that stand for them.
ROWS = {
    "tic-tac-toe": "Tic-tac-toe",
    "solar-flare-binary": "Flare",
    "hepatitis-binary": "Hepatitis",
    "crx-mdl": "Crx",
    "vote-value": "Vote",
    "lymphography-binary": "Lymphography",
    "kr-vs-kp": "Chess",
    "connect-4-sample": "Connect-4",
    "prostate-snp_standin": "Prostate-cancer",
    "promoters": "Promoters",
    "breast-snp_standin": "Breast-cancer",
}
ABBREVIATION = dict(
    zip(
        ROWS,
        ("Tic", "Flr", "Hep", "Crx", "Vot", "Lym", "Chs", "Con", "Prs", "Prm", "Snp"),
        strict=True,
    )
)
DEPTHS = ("1-NBDT", "2-OPTNBDT", "3-OPTNBDT", "4-OPTNBDT")
PUBLIC_SETS, PUBLISHED_SETS = 9, 11


def reproduced(datasets, folds, speed, methods, n_folds, published):
    """One row per published number."""
    accuracy = {
        (r["dataset"], r["method"]): r.get("error") for r in accuracy_records(folds, methods)
    }
    rates = error_rates(folds, methods)
    sets = [name for name in rates if all(method in rates[name] for method in (*DEPTHS, "3-ID3"))]
    absent = dict.fromkeys(folds.loc[folds["status"] == "no_data", "dataset"].map(ROWS), "no_data")
    rows = ReproducedRows(published)
    table_1(rows, datasets)
    if len(sets) >= PUBLIC_SETS:  # the paper's sentences are about all its data sets
        averages(rows, folds, methods, sets)
        tests(rows, folds, methods, n_folds, sets)
    figure_4(rows, accuracy, sets, absent)
    figures_5_and_6(rows, speed)
    experiment(rows, folds, speed)
    return rows.frame()


def table_1(rows, datasets):
    columns = {
        "Num. features": "features",
        "Num. instances": "cases",
        "Num. feature values": "values",
    }
    for one in datasets.to_dict("records"):
        name = ROWS.get(one["dataset"])
        standin = one["dataset"].endswith("_standin")
        for column, key in columns.items() if name else ():
            if one["status"] == "ok" and not standin:
                rows.exact(("Table 1", name, column), int(one[key]))
            else:
                rows.absent(
                    ("Table 1", name, column),
                    "no_data",
                    "stand-ins are never compared" if standin else "",
                )


LARGEST_ERROR = 0.5  # of two classes, by the more frequent one


def averages(rows, folds, methods, sets):
    """The published means hold data sets that were never public: their errors may be anything that
    is possible.
    """
    found = {r["method"]: r for r in average_records(folds[folds["dataset"].isin(sets)], methods)}
    for key in rows.wanted("Average error"):
        method, mine = key[1], found.get(key[1])
        if mine is None:
            rows.absent(key)
            continue
        there = PUBLISHED_SETS - (method == "4-OPTNBDT")
        gone, error = there - len(sets), 3 * (mine["se"] or 0.0)
        low = (len(sets) * (mine["error"] - error)) / there
        high = (len(sets) * (mine["error"] + error) + gone * LARGEST_ERROR) / there
        note = (
            f"over {len(sets)} of {there} data sets, the others with errors from 0 to"
            f" {LARGEST_ERROR}"
        )
        rows.bounded(key, mine["error"], low, high, n=mine["n"], note=note)
    known = [method for method in DEPTHS if method in found]
    order = " < ".join(sorted(known, key=lambda method: found[method]["error"]))
    rows.exact(("Order of the averages", "by depth", "order"), order or None, n=len(sets))
    if known and "3-ID3" in found:
        worst = max(found[method]["error"] for method in known)
        note = f"largest of the OPTNBDTs {worst:.3f}, 3-ID3 {found['3-ID3']['error']:.3f}"
        below = worst < found["3-ID3"]["error"]
        rows.statement(
            ("Order of the averages", "all OPTNBDTs", "below 3-ID3"), below, n=len(sets), note=note
        )


def tests(rows, folds, methods, n_folds, sets):
    chosen = folds[folds["dataset"].isin(sets)]
    found = {
        (r["method"], r["rival"]): r
        for r in test_records(chosen, methods, n_folds)
        if r["dataset"] == "all"
    }
    for key in rows.wanted("Paired t-tests"):
        method, rival = key[1].split(" better than ")
        test = found.get((method, rival))
        if test is None:
            rows.absent(key)
            continue
        p = test["p"] if test["difference"] < 0 or rival != "3-ID3" else 1.0
        note = f"mean difference {test['difference']:+.4f}, two-sided p = {test['p']:.3g}"
        rows.exact(key, p, n=len(sets), note=note)


def figure_4(rows, accuracy, sets, absent):
    at = {ROWS[name]: name for name in sets if name in ROWS}
    for key in rows.wanted("Figure 4"):
        name = key[1]
        if name == "3-OPTNBDT below 3-ID3":
            below = sum(accuracy[one, "3-OPTNBDT"] < accuracy[one, "3-ID3"] for one in sets)
            often = 2 * below > len(sets) if len(sets) >= PUBLIC_SETS else None
            rows.statement(
                key,
                often,
                n=len(sets),
                note=f"on {below} of {len(sets)}" if often is not None else "",
            )
        elif name not in at:
            rows.absent(key, absent.get(name, "not_run"))
        elif key[2] == "accuracy grows with depth":
            series = [accuracy[at[name], method] for method in DEPTHS]
            rows.statement(
                key,
                all(np.diff(series) < 0),
                note="errors " + ", ".join(f"{e:.3f}" for e in series),
            )
        else:
            stump, *deeper = (accuracy[at[name], method] for method in (*DEPTHS, "3-ID3"))
            note = f"{stump:.3f} against " + ", ".join(f"{error:.3f}" for error in deeper)
            rows.statement(key, stump < min(deeper), note=note)


def figures_5_and_6(rows, speed):
    speed = speed[speed["status"] == "ok"]
    part = speed[speed["study"] == "features"]
    pairs = part.pivot_table(index="features", columns="algorithm", values="seconds")
    n = 54
    if n in pairs.index:
        ratio = pairs.loc[n, "nbdt"] / pairs.loc[n, "optnbdt"]
        key = ("Figure 5", "54 features", "speed-up of n / ln n or more")
        rows.statement(key, ratio >= n / np.log(n), note=f"{ratio:.0f} times faster")
    pairs = speed[speed["study"] == "datasets"].pivot_table(
        index="dataset", columns="method", values="seconds"
    )
    if {"4-OPTNBDT", "3-NBDT"} <= set(pairs.columns):
        ratio = float(np.exp(np.log(pairs["4-OPTNBDT"] / pairs["3-NBDT"]).mean()))
        rows.timing(("Figure 6", "4-OPTNBDT / 3-NBDT", "ratio of run times"), ratio, n=len(pairs))
    seconds = pairs["4-OPTNBDT"].get("breast-snp_standin") if "4-OPTNBDT" in pairs else None
    key = ("Figure 6", "4-OPTNBDT on breast-cancer", "seconds")
    rows.timing(key, seconds, note="on the stand-in" if seconds else "")


def experiment(rows, folds, speed):
    """How section 4 says that the experiments were made."""
    done = folds[folds["status"] == "ok"]
    for column in ("fold", "repeat"):
        rows.exact(
            ("Section 4 text", "cross-validation", f"{column}s"),
            int(done[column].nunique()) or None,
        )
    parts = speed[
        (speed["status"] == "ok")
        & (speed["study"] == "features")
        & (speed["dataset"] == "promoters")
    ]
    rows.exact(
        ("Section 4 text", "parts of Promoters", "data sets"),
        int(parts["features"].nunique()) or None,
    )


def missing_sets(averages, published) -> list[dict]:
    """What error the data sets that were never public must have had for the published averages to
    hold with ours.

    An error above 0.5, or below 0, says that the difference lies elsewhere.
    """
    ours = {r["method"]: (r["error"], r["datasets"]) for r in averages}
    records = []
    for one in published[published["item"] == "Average error"].to_dict("records"):
        method = one["row"]
        if method not in ours:
            continue
        error, here = ours[method]
        there = 10 if method == "4-OPTNBDT" else 11
        theirs = float(one["published"])
        needed = (there * theirs - here * error) / (there - here) if there > here else None
        records.append(
            {
                "method": method,
                "published": theirs,
                "data sets": there,
                "ours": round(error, 4),
                "our data sets": here,
                "needed of the others": None if needed is None else round(needed, 3),
            }
        )
    return records


def error_table(folds, methods):
    """Data sets by methods: mean error and, in brackets, its standard deviation over the
    repeats.
    """
    import pandas as pd

    records = pd.DataFrame(accuracy_records(folds, methods))
    if "error" not in records:
        return pd.DataFrame(columns=["data set", *methods])
    records["cell"] = [
        (
            "no data"
            if r.status != "ok"
            else f"{r.error:.3f}" + ("" if np.isnan(r.sd) else f" ({r.sd:.3f})")
        )
        for r in records.astype({"sd": float}).itertuples()
    ]
    table = records.pivot(index="dataset", columns="method", values="cell")
    table = table.reindex(index=list(dict.fromkeys(records["dataset"])), columns=methods).fillna("")
    mean = {r["method"]: f"{r['error']:.3f}" for r in average_records(folds, methods)}
    table.loc["average"] = [mean.get(method, "") for method in methods]
    return table.rename_axis("data set").reset_index()


def speed_table(speed):
    """The timings of problems of one shape, each with what it gains on plain dynamic
    programming.
    """
    import pandas as pd

    rows = []
    done = speed[(speed["status"] == "ok") & (speed["study"] == "shapes")]
    for (name, depth), part in done.groupby(["dataset", "depth"], sort=False):
        plain = part.loc[part["algorithm"] == "nbdt", "seconds"]
        for r in part.itertuples():
            rows.append(
                {
                    "problem": name,
                    "depth": int(depth),
                    "algorithm": r.algorithm,
                    "expected accuracy": (
                        "" if np.isnan(r.expected_accuracy) else f"{r.expected_accuracy:.6f}"
                    ),
                    "seconds": f"{r.seconds:.3g}",
                    "rate: ns per bottom path": (
                        "" if np.isnan(r.rate_ns_per_path) else f"{r.rate_ns_per_path:.2f}"
                    ),
                    "rate: times faster than nbdt": (
                        f"{plain.iloc[0] / r.seconds:.3g}"
                        if len(plain) and r.algorithm != "list"
                        else ""
                    ),
                }
            )
    columns = [
        "problem",
        "depth",
        "algorithm",
        "expected accuracy",
        "seconds",
        "rate: ns per bottom path",
        "rate: times faster than nbdt",
    ]
    return pd.DataFrame(rows, columns=columns)
