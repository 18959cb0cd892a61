"""Tables and reproduced numbers from the records."""

import numpy as np
import pandas as pd

from pinetum.report.comparison import every_number
from pinetum.separators.names import METHODS

COLUMNS = ("C4.5", *METHODS)
PAPER_SETS = {
    "heart": "Heart",
    "cancer": "Cancer",
    "bright": "Bright",
    "dim": "Dim",
    "sonar": "Sonar",
    "house": "House",
}
PRIVATE = {"bright", "dim"}  # stand-ins serve for them


def good(records: pd.DataFrame, **where) -> pd.DataFrame:
    part = records[records["status"] == "ok"]
    for column, value in where.items():
        part = part[part[column] == value] if column in part else part.iloc[:0]  # no column: no source had data
    return part


def per_repeat(records, dataset, method) -> pd.DataFrame:
    """Means over the folds of each repeat: one repeat is what the paper reports."""
    columns = ["train_error", "test_error", "features"]
    part = good(records, dataset=dataset, method=method)
    return part.groupby("repeat")[columns].mean() if len(part) else pd.DataFrame(columns=columns)


def mean_se(values) -> tuple[float, float, int]:
    values = np.asarray(values, dtype=float)
    spread = float(values.std(ddof=1)) if len(values) > 1 else np.nan
    return float(values.mean()), spread / np.sqrt(len(values)), len(values)


def reproduced(folds, standins, exact, published) -> pd.DataFrame:
    """A row for every published number."""
    rows = []
    for key in published[["item", "row", "column"]].to_dict("records"):
        if key["item"] == "Table 2":
            rows.append(key | table_2_cell(folds, key))
        elif key["item"] == "Table 1":
            rows.append(key | {"status": "no_data", "note": "never public; the stand-in is not compared"})
        else:
            rows.append(key | stated(folds, standins, key))
    return every_number(rows, published)


def table_2_cell(folds, key) -> dict:
    name, quantity = key["row"].split(", ")
    dataset = next(short for short, long in PAPER_SETS.items() if long == name)
    if dataset in PRIVATE:
        return {"status": "no_data", "note": "never public; the stand-in is not compared"}
    if not len(folds[folds["dataset"] == dataset]):
        return {"status": "not_run"}
    means = per_repeat(folds, dataset, key["column"])
    if not len(means):
        part = folds[folds["dataset"] == dataset]
        if "method" in part and (part["method"] == key["column"]).any():
            part = part[part["method"] == key["column"]]
        return {"status": part["status"].iloc[0], "note": str(part["note"].iloc[0])}
    mean, se, n = mean_se(means["test_error" if quantity == "testing" else "features"])
    spread = se * np.sqrt(n)
    note = f"sd of one split {spread:.2g}"
    if key["column"] == "C4.5":
        note += "; the release is not named and no reading gives all cells, see table c45_readings"
    return {"reproduced": mean, "se": se, "n": n, "status": "ok", "note": note}


def stated(folds, standins, key) -> dict:
    """Numbers of the text: shapes of the data, totals of CPU time and their ratios."""
    both = pd.concat([folds, standins]) if len(standins) else folds
    if key["column"] == "folds":
        if "fold" not in folds or folds["fold"].isna().all():
            return {"status": "no_data"}
        return {"reproduced": int(folds["fold"].max()) + 1, "status": "ok", "note": "folds that were run"}
    if "cases" in key["column"] or key["column"] == "features":
        dataset = next((short for short, long in PAPER_SETS.items() if long == key["row"]), None)
        if dataset is None or dataset in PRIVATE:
            return {"status": "no_data", "note": "never public"}
        part = folds[folds["dataset"] == dataset]
        if not len(part):
            return {"status": "not_run"}
        column = f"n_{key['column'].replace(' ', '_')}"
        if column not in part or part[column].dropna().empty:
            return {"status": "no_data", "note": "no source could serve it"}
        return {"reproduced": float(part[column].dropna().iloc[0]), "se": 0.0, "n": 1, "status": "ok", "note": ""}
    seconds = {method: total_seconds(both, method) for method in COLUMNS}
    sets = set(good(both)["dataset"]) & set(PAPER_SETS)
    note = f"{len(sets)} of the paper's 6 sets, {len(sets & PRIVATE)} of them stand-ins; modelling and solving"
    if key["column"] == "seconds":
        value = seconds[key["row"]]
    elif key["column"] == "time ratio":
        over, under = key["row"].split(" / ")
        value = seconds[over] / seconds[under] if seconds[under] else np.nan
    else:
        return {"status": "not_run"}
    if not np.isfinite(value) or value == 0:
        return {"status": "not_run"}
    return {"reproduced": value, "se": 0.0, "n": 1, "status": "ok", "note": note}


def total_seconds(records, method) -> float:
    """CPU seconds of one ten-fold cross-validation on each set, as the paper counts: means over the repeats."""
    part = good(records, method=method)
    if not len(part) or "seconds" not in part:
        return np.nan
    part = part[part["dataset"].isin(PAPER_SETS)]
    return float(part.groupby(["dataset", "repeat"])["seconds"].sum().groupby("dataset").mean().sum())


def single_table(folds, exact) -> pd.DataFrame:
    """Test error and features per data set and method, spread of one split, the proven minimum beside them."""
    rows = []
    for dataset in folds["dataset"].drop_duplicates():
        part = folds[folds["dataset"] == dataset]
        if (part["status"] == "no_data").all():
            rows.append({"data set": dataset, "method": "no data"})
        for method in COLUMNS:
            means = per_repeat(folds, dataset, method)
            if not len(means):
                continue
            row = {
                "data set": dataset,
                "method": method,
                "test error": means["test_error"].mean(),
                "sd of a split": means["test_error"].std(),
                "training error": means["train_error"].mean(),
                "features": means["features"].mean(),
                "sd of features": means["features"].std(),
                "splits": len(means),
            }
            part = (
                exact[(exact["dataset"] == dataset) & (exact["method"] == method)] if "method" in exact else exact[:0]
            )
            if len(part):
                row["fewest features known"] = part["minimum"].mean()
                row["proven lower bound"] = part["bound"].mean()
            rows.append(row)
    return pd.DataFrame(rows, columns=None if rows else ["data set", "method"])


def exact_table(exact) -> pd.DataFrame:
    rows = []
    if "method" not in exact:
        return pd.DataFrame({"data set": exact["dataset"], "status": exact["status"]})
    for (dataset, method), part in exact.dropna(subset=["method"]).groupby(["dataset", "method"], sort=False):
        proven = part[part["status"] == "optimal"]
        rows.append(
            {
                "data set": dataset,
                "method": method,
                "features, heuristic": part["heuristic"].mean(),
                "features, fewest known": part["minimum"].mean(),
                "lower bound": part["bound"].mean(),
                "gap": part["gap"].mean(),
                "folds": len(part),
                "folds proven": len(proven),
                "of them met by the heuristic": int((proven["heuristic"] == proven["minimum"]).sum()),
                "test error, heuristic": part["heuristic_error"].mean(),
                "test error, fewest known": part["minimum_error"].mean(),
                "verified": bool(part["verified"].all()),
            }
        )
    return pd.DataFrame(rows)


def alternatives_table(records) -> pd.DataFrame:
    """One row per variant: features and test error per data set of the two minimizations and RLP-P."""
    if "method" not in records:
        return records[["variant", "dataset", "status"]]
    records = records[records["method"] != "C4.5"]
    wide = records.pivot_table(
        index="variant", columns=["dataset", "method"], values=["features", "test_error", "programs"], sort=False
    )
    table = pd.DataFrame(index=wide.index)
    for dataset in records["dataset"].drop_duplicates():
        for method in ("FM_RLP", "RLP-P", "FM_RLP-P"):
            for quantity, unit in (("features", "features"), ("test_error", "error")):
                if (quantity, dataset, method) in wide:
                    table[f"{dataset} {method} {unit}"] = wide[(quantity, dataset, method)].round(2)
    programs = wide["programs"].T.groupby("method").mean().T
    for method in ("FM_RLP", "FM_RLP-P"):
        if method in programs:
            table[f"{method} LPs a fold"] = programs[method].round(1)
    return table.reset_index()


def readings_table(records, published) -> pd.DataFrame:
    """What is printed for C4.5, then a row per reading: test error, inner nodes and different features per data set."""
    part = good(records, method="C4.5")
    if not len(part):
        return pd.DataFrame({"C4.5": ["no data"]})
    printed = published[(published["item"] == "Table 2") & (published["column"] == "C4.5")].set_index("row")[
        "published"
    ]
    rows = {"printed": {}}
    for row in part.to_dict("records"):
        name, line = PAPER_SETS.get(row["dataset"], row["dataset"]), rows.setdefault(row["variant"], {})
        for quantity, key, cell in (
            ("test error", "test_error", "testing"), ("inner nodes", "features", "features"),
            ("different features", "different", None),
        ):  # fmt: skip
            rows["printed"][f"{name} {quantity}"] = printed.get(f"{name}, {cell}", "")
            line[f"{name} {quantity}"] = f"{row[key]:.1f}"
    return pd.DataFrame.from_dict(rows, orient="index").fillna("").rename_axis("C4.5").reset_index()


def rivals_table(path, folds, counts=(1, 2, 3, 5, 10)) -> pd.DataFrame:
    """Test error by number of features allowed: (9), L1 SVM and recursive feature elimination on the same folds."""
    if "method" not in path:
        return path[["dataset", "status"]]
    part = good(path)
    wide = part.pivot_table(index=["dataset", "method"], columns="allowed", values="test_error", sort=False)
    wide = wide[[count for count in wide.columns if count in counts]].round(2)
    wide.columns = [f"{int(count)} features" for count in wide.columns]
    return wide.reset_index()


def trees_table(trees, folds) -> pd.DataFrame:
    if "method" not in trees:
        return trees[["dataset", "status"]]
    part = good(trees)
    table = (
        part.groupby(["dataset", "method", "classes", "depth_limit"], sort=False)
        .agg(
            folds=("fold", "size"),
            decisions=("decisions", "mean"),
            depth=("depth", "mean"),
            weights=("weights", "mean"),
            test_error=("test_error", "mean"),
            sd=("test_error", "std"),
        )
        .reset_index()
    )
    if folds is not None and "method" in folds:
        beside = good(folds, method="C4.5")
        beside = beside[beside["repeat"].isin(part["repeat"].unique()) & beside["dataset"].isin(part["dataset"])]
        univariate = beside.groupby("dataset", sort=False).agg(
            folds=("fold", "size"),
            decisions=("decisions", "mean"),
            weights=("decisions", "mean"),  # a univariate decision has one
            test_error=("test_error", "mean"),
            sd=("test_error", "std"),
        )
        univariate = univariate.reset_index().assign(method="C4.5", classes="two classes", depth_limit=0)
        order = {name: place for place, name in enumerate(table["dataset"].drop_duplicates())}
        table = pd.concat([table, univariate]).sort_values("dataset", key=lambda names: names.map(order), kind="stable")
    table["test_error_se"] = table.pop("sd") / np.sqrt(table["folds"])
    table["depth_limit"] = table["depth_limit"].map(lambda depth: "none" if depth == 0 else str(int(depth)))
    return table.round(3)


def speed_table(speed, standins) -> pd.DataFrame:
    """CPU seconds per way, and how many times ours."""
    ran = speed[speed["status"] == "ok"]
    rows = []
    totals = ran.groupby("way", sort=False)["seconds"].sum() if len(ran) else pd.Series(dtype=float)
    for way, seconds in totals.items():
        rows.append(
            {"what": f"four public sets, {way}", "seconds": seconds, "seconds_over_ours": seconds / totals.iloc[0]}
        )
    for dataset in standins["dataset"].drop_duplicates():
        for method in METHODS:
            part = good(standins, dataset=dataset, method=method) if "method" in standins else standins.iloc[:0]
            if len(part):
                rows.append(
                    {"what": f"{dataset} (stand-in), {method}, one training set", "seconds": part["seconds"].median()}
                )
    return pd.DataFrame(rows, columns=["what", "seconds", "seconds_over_ours"])
