"""What comes of the records: published numbers and tables, a function for each."""

import numpy as np
import pandas as pd

from pinetum.report.rows import ReproducedRows

CUT = "none ended within the configured limit"


def reproduced(enumeration, orders, exhaustive, search_errors, published) -> pd.DataFrame:
    """One row per published number, in the published file's order.

    Examples 4.7 to 4.9 and Section 6.4 are about Adult: what a smaller run did with another data
    set is not compared.
    """
    out = ReproducedRows(published)
    orders, exhaustive, search_errors = (
        part[part["dataset"] == "adult"] for part in (orders, exhaustive, search_errors)
    )
    out_of_reach = len(orders) > 0 and (orders["status"] == "no_data").all()
    facts = adult_facts(orders, exhaustive) | {
        ("all data sets", "more trees with smaller m"): (grows(enumeration), ""),
        ("all data sets", "exponential in 1/m"): grows_exponentially(enumeration),
    }
    for key in out.wanted():
        item, row, column = key
        if row == "Adult" and out_of_reach:
            out.absent(key, "no_data")
        elif item == "Figure 4 left":
            worst = finished(enumeration)
            if len(worst):
                most = worst.loc[worst["ratio"].idxmax()]
                note = f"largest of {len(worst)} enumerations; {most['dataset']} at m = {most['m']}"
                out.exact(key, float(most["ratio"]), n=len(worst), note=note)
            else:
                missing = len(enumeration) and (enumeration["status"] == "no_data").all()
                out.absent(
                    key,
                    "no_data" if missing else "not_run",
                    CUT if len(enumeration) and not missing else "",
                )
        elif column == "time-out":
            done = finished(enumeration)
            note = (
                "limited by steps, not by the clock: the longest enumeration that ended"
                if len(done)
                else CUT
            )
            out.timing(key, done["seconds"].max() if len(done) else None, note=note)
        elif row == "Anneal":
            anneal(out, key, enumeration)
        elif item == "Section 6.4":
            comparison_of_searches(out, key, search_errors)
        elif (row, column) in facts:
            value, note = facts[row, column]
            out.exact(key, value, note=note)
    return out.frame()


def smallest_m(enumeration: pd.DataFrame) -> pd.DataFrame:
    """Per data set the smallest m whose enumeration ended within the limit, and a guess at the next
    one.
    """
    rows = []
    for dataset, runs in enumeration.groupby("dataset", sort=False):
        done = finished(runs)
        row = {"dataset": dataset, "features": runs["features"].max(), "cases": runs["cases"].max()}
        if len(done):
            last = done.loc[done["m"].idxmin()]
            row |= {
                "smallest m": last["m"],
                "distinct trees": last["distinct"],
                "built / distinct": round(last["ratio"], 4),
                "seconds": last["seconds"],
            }
        cut = runs[(runs["status"] != "ok") & runs["estimated_distinct"].notna()]
        if len(cut):
            first = cut.loc[cut["m"].idxmax()]
            row |= {
                "next m": first["m"],
                "distinct trees, estimated": estimated(
                    first["estimated_distinct"], first["estimated_distinct_se"]
                ),
                "seconds, estimated": first["seconds_estimated"],
            }
        rows.append(row)
    columns = [
        "dataset",
        "features",
        "cases",
        "smallest m",
        "distinct trees",
        "built / distinct",
        "seconds",
        "next m",
        "distinct trees, estimated",
        "seconds, estimated",
    ]
    return pd.DataFrame(rows, columns=columns).astype(
        {"next m": "Int64", "smallest m": "Int64", "distinct trees": "Int64"}
    )


def optimum(optimum: pd.DataFrame) -> pd.DataFrame:
    """What complete search proves of the best subset, data set by data set."""
    shown = optimum.copy()
    shown["result"] = np.where(
        shown["proved"].fillna(False).astype(bool), "proved", "bound and gap"
    )
    shown.loc[shown["status"] == "no_data", "result"] = "no data"
    columns = {
        "dataset": "dataset",
        "m": "m",
        "search_cases": "search cases",
        "top_errors": "top",
        "sbe_errors": "SBE",
        "errors": "best",
        "bound": "bound",
        "gap": "gap",
        "result": "result",
        "size": "features",
        "built": "trees built",
        "seconds": "seconds",
    }
    return shown[list(columns)].rename(columns=columns)


def finished(enumeration):
    return enumeration[enumeration["status"] == "ok"]


def estimated(value, error):
    """An estimate; without an error it is a count that the run had reached, and more."""
    return f"> {value:,.0f}" if np.isnan(error) else f"{value:.2g} ± {error:.1g}"


def yes(condition) -> str:
    return "yes" if condition else "no"


def anneal(out, key, enumeration):
    """Whichever reading of its missing values ended; both have the same features."""
    column = key[2]
    runs = enumeration[enumeration["dataset"].isin(["anneal", "anneal-value"])]
    if not len(runs):
        return out.absent(key)
    if (runs["status"] == "no_data").all():
        return out.absent(key, "no_data")
    if column == "exhaustive trees, 10^9":
        return out.exact(key, 2.0 ** int(runs["features"].max()) / 1e9)
    if column.startswith("m = 8 takes"):
        return ratio_of_times(out, key, finished(runs))
    at = runs[runs["m"] == int(column.split("=")[1].split(",")[0])]
    if not len(at):
        return out.absent(key)
    run = (finished(at) if len(finished(at)) else at).iloc[-1]
    if run["status"] == "ok":
        return out.timing(key, run["seconds"], note=f"{run['dataset']}; CPU seconds of one core")
    note = f"{run['dataset']}: {CUT}; estimated {run['seconds_estimated']:.3g} s of one core"
    return out.absent(key, run["status"], note=note)


PRINTED_RATIO, FACTOR = 270 / 20, 2.0  # of the seconds at m = 8 and 16, and how near is near


def ratio_of_times(out, key, done):
    """The two times of Section 6.2 as a ratio, which depends on no machine."""
    seconds = done.pivot_table(index="dataset", columns="m", values="seconds")
    both = seconds.dropna(subset=[8, 16]) if {8, 16} <= set(seconds) else seconds.iloc[:0]
    if both.empty:
        return out.absent(key)
    ratio = (both[8] / both[16]).iloc[-1]
    near = PRINTED_RATIO / FACTOR <= ratio <= PRINTED_RATIO * FACTOR
    return out.statement(key, bool(near), note=f"{ratio:.2g} times; {both.index[-1]}")


def adult_facts(orders, exhaustive):
    """{(row, column): (value, note)} of Examples 4.7 to 4.9."""
    facts = {}
    done = orders[orders["status"] == "ok"]
    shared = done[done["build"] == "shared"]
    if not len(orders) or not len(shared):
        return facts
    facts["Adult", "cases"] = int(orders["cases"].max()), ""
    facts["Adult", "features"] = int(orders["features"].max()), ""
    ascending = shared[shared["order"] == "ascending"].sort_values("m")
    note = f"largest over m = {', '.join(map(str, ascending['m']))}"
    facts["Adult", "built/distinct, ascending"] = float(ascending["ratio"].max()), note
    ratio = (
        exhaustive.set_index("m")["trees"].reindex(ascending["m"]).to_numpy()
        / ascending["distinct"].to_numpy()
    )
    if len(ratio) > 1:
        facts["Adult", "smaller m, smaller exhaustive/distinct"] = (
            yes((np.diff(ratio) >= 0).all()),
            "",
        )
    faster = ascending.set_index("m")["seconds"]
    whole = exhaustive.set_index("m")["seconds_estimated"].reindex(faster.index)
    gain = (whole / faster).min()
    facts["Adult", "faster than exhaustive search"] = (
        yes((faster < whole).all()),
        f"at least {gain:.2g} times faster; exhaustive search from sampled subsets",
    )
    by_m = shared.pivot_table(index="m", columns="order", values="ratio")
    if {"descending", "fixed"} <= set(by_m):
        least = by_m[["descending", "fixed"]].min(axis=1)
        most = ", ".join(f"{name} {ratio:.3g}" for name, ratio in by_m.max().items())
        facts["Adult", "ascending order builds least"] = (
            yes((by_m["ascending"] <= least).all()),
            f"built/distinct at most: {most}",
        )
    return facts


def grows(enumeration):
    """Whether a smaller m gives more trees on every data set.

    None if none has two enumerations that ended.
    """
    several = [
        runs.sort_values("m")
        for _, runs in finished(enumeration).groupby("dataset")
        if len(runs) > 1
    ]
    return (
        yes(all(runs["distinct"].is_monotonic_decreasing for runs in several)) if several else None
    )


def grows_exponentially(enumeration):
    """Whether on most data sets the numbers of trees follow an exponential of 1/m better than a
    power of it, and how many did.
    """
    better = []
    for _, runs in finished(enumeration).groupby("dataset"):
        trees, inverse = np.log(runs["distinct"].astype(float)), 1 / runs["m"].astype(float)
        if len(runs) > 2 and trees.nunique() > 1:
            fits = [abs(np.corrcoef(trees, x)[0, 1]) for x in (inverse, np.log(inverse))]
            better.append(fits[0] > fits[1])
    note = f"fits better than a power of 1/m on {sum(better)} of {len(better)} data sets"
    return (yes(np.mean(better) > 0.5), note) if better else (None, "")


def comparison_of_searches(out, key, search_errors):
    good = (
        search_errors[search_errors["errors"].notna()]
        if "errors" in search_errors
        else search_errors
    )
    if not len(good):
        return out.absent(key)
    mean = good.groupby("m")[["top_errors", "sbe_errors", "errors"]].mean()
    gap = mean["sbe_errors"] - mean["errors"]
    value = {
        "SBE better than top": (mean["sbe_errors"] <= mean["top_errors"]).all(),
        "optimal better than SBE": (gap >= 0).all(),
        "SBE nearest to optimal at small m": (
            gap.idxmin() == gap.index.min() if len(gap) > 1 else None
        ),
    }[key[2]]
    note = (
        f"means over {good['split'].nunique()} splits at m ="
        f" {', '.join(str(m) for m in mean.index)}"
    )
    return out.statement(key, value, n=len(good), note=note)
