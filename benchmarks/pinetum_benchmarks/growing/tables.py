"""The study's tables, from its records."""

import pandas as pd

SHOWN = {"yadt": "yadt", "yadt gini": "gini", "c45": "c45", "c45 pruned": "c45 pruned"}


def trees_table(frame: pd.DataFrame) -> pd.DataFrame:
    """One row per data set: shape, then nodes and error of every method."""
    rows = []
    for dataset, mine in frame.groupby("dataset", sort=False):
        row = {"data set": dataset}
        first = mine.iloc[0]
        if first["status"] != "ok":
            rows.append({**row, "note": first["status"]})
            continue
        row.update({key: int(first[key]) for key in ("cases", "features", "classes", "missing")})
        for record in mine.to_dict("records"):
            name = SHOWN[record["method"]]
            row[f"nodes, {name}"] = int(record["nodes"])
            if pd.notna(record["error"]):
                row[f"error, {name}"] = f"{record['error']:.2f} ± {record['error_se']:.2f}"
        rows.append({**row, "note": ""})
    table = pd.DataFrame.from_records(rows)
    whole = [
        "cases",
        "features",
        "classes",
        "missing",
        *[c for c in table if c.startswith("nodes")],
    ]
    return table.astype({name: "Int64" for name in whole if name in table})


def speed_table(frame: pd.DataFrame) -> pd.DataFrame:
    """Milliseconds, ratios and memory per workload."""
    good = frame[frame["status"] == "ok"]
    return pd.DataFrame(
        {
            "workload": good["workload"],
            "cases": good["cases"].astype(int),
            "features": good["features"].astype(int),
            "seconds, ours": (good["seconds"]).map("{:.5f}".format),
            "seconds, presorting included": (good["seconds_with_presort"]).map("{:.5f}".format),
            "seconds, fit": (good["seconds_fit"]).map("{:.5f}".format),
            "seconds, scikit-learn": (good["seconds_sklearn"]).map("{:.5f}".format),
            "rate, ours": good["rate_to_sklearn"].map("{:.1f}".format),
            "rate, presorting included": good["rate_with_presort_to_sklearn"].map("{:.1f}".format),
            "rate, fit": good["rate_fit_to_sklearn"].map("{:.1f}".format),
            "peak_mb": good["peak_mb"].map("{:.1f}".format),
            "peak_mb, encoded data": good["peak_mb_encoded"].map("{:.1f}".format),
        }
    )
