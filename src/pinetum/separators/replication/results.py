"""What comes of the records: published numbers, their readings and tables, a function for each."""

import numpy as np
import pandas as pd

from pinetum.report.readings import DEFAULT
from pinetum.report.rows import ReproducedRows
from pinetum.separators.names import METHODS, MINIMIZED, PRINTED

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
        part = (
            part[part[column] == value] if column in part else part.iloc[:0]
        )  # no column: no source had data
    return part


def per_repeat(records, dataset, method) -> pd.DataFrame:
    """Means over the folds of each repeat: one repeat is what the paper reports."""
    columns = ["train_error", "test_error", "features"]
    part = good(records, dataset=dataset, method=method)
    return part.groupby("repeat")[columns].mean() if len(part) else pd.DataFrame(columns=columns)


SIMILAR = 1.0  # percentage points of error more on average, our reading of "similarly accurate"
NOT_FOUND = "the data were not found; the stand-in is not compared"


def reproduced(folds, standins, exact, published) -> pd.DataFrame:
    """A row for every published number."""
    rows = ReproducedRows(published)
    for key in rows.wanted("Table 1"):
        rows.absent(key, "no_data", NOT_FOUND)
    for key in rows.wanted("Table 2"):
        table_2_cell(rows, key, folds)
    for key in rows.wanted("Data sets"):
        shape_of(rows, key, folds)
    totals(rows, pd.concat([folds, standins]) if len(standins) else folds)
    statements(rows, folds)
    proved_minima(rows, exact)
    return rows.frame()


def proved_minima(rows, exact):
    """Whether Algorithm 4.2 ends with the proved least number of features for its tolerance."""
    part = exact[(exact["status"] == "optimal")] if "heuristic" in exact else exact[:0]
    key = ("Statements", "all data sets", "Algorithm 4.2 finds the fewest features")
    if part.empty:
        return rows.absent(key)
    above = part["heuristic"] - part["minimum"]
    note = (
        f"in {(above == 0).sum()} of {len(part)} folds where the minimum is proved,"
        f" {above.mean():.2f} features too many on average"
    )
    rows.statement(key, bool((above == 0).all()), n=len(part), note=note)


def table_2_cell(rows, key, folds):
    """One value per cross-validation: the paper's numbers are those of a single one."""
    name, quantity = key[1].split(", ")
    dataset = next(short for short, long in PAPER_SETS.items() if long == name)
    if dataset in PRIVATE:
        return rows.absent(key, "no_data", NOT_FOUND)
    part = folds[folds["dataset"] == dataset]
    if not len(part):
        return rows.absent(key)
    means = per_repeat(folds, dataset, key[2])
    if len(means):
        return rows.repeated(key, means["test_error" if quantity == "testing" else "features"])
    if "method" in part and (part["method"] == key[2]).any():
        part = part[part["method"] == key[2]]
    return rows.absent(key, part["status"].iloc[0], str(part["note"].iloc[0]))


def shape_of(rows, key, folds):
    if key[2] == "folds":
        if "fold" not in folds or folds["fold"].isna().all():
            return rows.absent(key, "no_data")
        return rows.exact(key, int(folds["fold"].max()) + 1, note="folds that were run")
    dataset = next((short for short, long in PAPER_SETS.items() if long == key[1]), None)
    if dataset is None or dataset in PRIVATE:
        return rows.absent(key, "no_data", "the data were not found")
    part = folds[folds["dataset"] == dataset]
    column = f"n_{key[2].replace(' ', '_')}"
    if len(part) and (column not in part or part[column].dropna().empty):
        return rows.absent(key, "no_data")
    return rows.exact(key, int(part[column].dropna().iloc[0]) if len(part) else None)


def totals(rows, both):
    """Totals of CPU time over the paper's six sets."""
    sets = set(good(both)["dataset"]) & set(PAPER_SETS)
    note = (
        f"{len(sets)} of the paper's 6 sets, {len(sets & PRIVATE)} of them stand-ins; modelling and"
        " solving"
    )
    for key in rows.wanted("Computing time"):
        seconds = total_seconds(both, key[1])
        rows.timing(key, seconds if np.isfinite(seconds) and seconds > 0 else None, note=note)
    times = {
        name: total_seconds(both, name) / total_seconds(both, whole)
        for name, whole in MINIMIZED.items()
        if total_seconds(both, whole) > 0
    }
    if times:
        note = ", ".join(f"{name} {ratio:.1f} times" for name, ratio in times.items())
        key = (
            "Statements",
            "all data sets",
            "minimization takes more time than its linear program",
        )
        rows.statement(key, min(times.values()) > 1, n=len(sets), note=f"{note}; paper 15.5, 13.4")


def statements(rows, folds):
    """Sentences of section 5.2, by differences of whole cross-validations on the public sets that
    ran.
    """
    public = [
        name
        for name in PAPER_SETS
        if name not in PRIVATE and len(per_repeat(folds, name, COLUMNS[0]))
    ]
    if not public:
        return
    of = {(name, method): per_repeat(folds, name, method) for name in public for method in COLUMNS}

    def gaps(name, column, smaller, larger):
        return of[name, larger][column] - of[name, smaller][column]

    def margin(gap):
        return gap.mean() / gap.std() if len(gap) > 1 and gap.std() > 0 else np.nan

    n = len(public)
    for minimized, whole in MINIMIZED.items():
        found = [gaps(name, "features", minimized, whole) for name in public]
        key = ("Statements", "all data sets", f"{minimized} uses fewer features than {whole}")
        least = min(map(margin, found))
        kept = [
            np.mean([of[name, m]["features"].mean() for name in public]) for m in (minimized, whole)
        ]
        note = f"{kept[0]:.1f} of {kept[1]:.1f} features on average"
        rows.statement(key, all(gap.mean() > 0 for gap in found), margin=least, n=n, note=note)
    for key, column in (
        (("Statements", "most data sets", "FM_RLP and FM_RLP-P simpler than C4.5"), "features"),
        (("Statements", "most data sets", "FM_RLP and FM_RLP-P errors below C4.5"), "test_error"),
    ):
        wins = [
            gaps(name, column, method, "C4.5").mean() > 0 for name in public for method in MINIMIZED
        ]
        note = f"in {sum(wins)} of {len(wins)} comparisons"
        rows.statement(
            key,
            2 * sum(wins) > len(wins),
            margin=(2 * sum(wins) - len(wins)) / np.sqrt(len(wins)),
            n=n,
            note=note,
        )
    margins, words = [], []
    for minimized, whole in MINIMIZED.items():
        found = [gaps(name, "test_error", whole, minimized) for name in public]
        mean = np.mean([gap.mean() for gap in found])
        error = np.sqrt(np.sum([gap.var() for gap in found])) / len(found)
        margins.append((SIMILAR - mean) / error if error > 0 else np.nan)
        words.append(f"{minimized} {mean:+.2f} ± {error:.2f} points")
    key = ("Statements", "all data sets", "FM errors similar to RLP and RLP-P")
    rows.statement(key, min(margins) > 0, margin=min(margins), n=n, note=", ".join(words))
    errors = {name: {m: of[name, m]["test_error"].mean() for m in COLUMNS} for name in public}
    best = {name: min(COLUMNS, key=lambda m, name=name: errors[name][m]) for name in public}
    rows.statement(
        ("Statements", "all data sets", "no single method always best"),
        len(set(best.values())) > 1 if n > 1 else None,
        n=n,
        note=("" if n > 1 else "this run has one repetition; ")
        + "lowest error: "
        + ", ".join(f"{name} {m}" for name, m in best.items()),
    )
    if "house" in public:
        one, others = (
            of["house", "FM_RLP-P"],
            pd.concat([of["house", m]["test_error"] for m in METHODS if m != "FM_RLP-P"], axis=1),
        )
        behind = one["test_error"] - others.mean(axis=1)
        key = ("Statements", "House", "FM_RLP-P uses one feature with comparable error")
        comparable = behind.mean() <= 3 * behind.std()
        note = (
            f"{one['features'].mean():.2f} features, error {behind.mean():+.2f} ±"
            f" {behind.std():.2f}"
        )
        rows.statement(
            key, comparable and round(one["features"].mean(), 1) == 1.0, n=len(one), note=note
        )
    if "sonar" in public:
        wrong = of["sonar", "RLP"]["train_error"].max()
        rows.statement(
            ("Statements", "Sonar", "linearly separable"), wrong == 0, note="by the training folds"
        )


def total_seconds(records, method) -> float:
    """CPU seconds of one ten-fold cross-validation on each set, as the paper counts: means over the
    repeats.
    """
    part = good(records, method=method)
    if not len(part) or "seconds" not in part:
        return np.nan
    part = part[part["dataset"].isin(PAPER_SETS)]
    return float(
        part.groupby(["dataset", "repeat"])["seconds"].sum().groupby("dataset").mean().sum()
    )


def standins(standins, exact) -> pd.DataFrame:
    """The same of the stand-ins."""
    return single_decisions(standins, exact)


def single_decisions(folds, exact) -> pd.DataFrame:
    """Test error and features per data set and method, spread of one split, the proven minimum
    beside them.
    """
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
                exact[(exact["dataset"] == dataset) & (exact["method"] == method)]
                if "method" in exact
                else exact[:0]
            )
            if len(part):
                row["fewest features known"] = part["minimum"].mean()
                row["proven lower bound"] = part["bound"].mean()
            rows.append(row)
    return pd.DataFrame(rows, columns=None if rows else ["data set", "method"])


def exact_minimum(exact) -> pd.DataFrame:
    rows = []
    if "method" not in exact:
        return pd.DataFrame({"data set": exact["dataset"], "status": exact["status"]})
    for (dataset, method), part in exact.dropna(subset=["method"]).groupby(
        ["dataset", "method"], sort=False
    ):
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
                "of them met by the heuristic": int(
                    (proven["heuristic"] == proven["minimum"]).sum()
                ),
                "test error, heuristic": part["heuristic_error"].mean(),
                "test error, fewest known": part["minimum_error"].mean(),
                "verified": bool(part["verified"].all()),
            }
        )
    return pd.DataFrame(rows)


def alternatives(alternatives) -> pd.DataFrame:
    """One row per reading: features and test error per data set of the two minimizations and
    RLP-P.
    """
    if "method" not in alternatives:
        return alternatives[["reading", "dataset", "status"]]
    records = alternatives[alternatives["method"] != "C4.5"]
    wide = records.pivot_table(
        index="reading",
        columns=["dataset", "method"],
        values=["features", "test_error", "programs"],
        sort=False,
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


def c45_readings(alternatives, published) -> pd.DataFrame:
    """What is printed for C4.5, then a row per reading: test error, inner nodes and different
    features per data set.
    """
    part = good(alternatives, method="C4.5")
    if not len(part):
        return pd.DataFrame({"C4.5": ["no data"]})
    quantities = ["test_error", "features", "different"]
    part = part.groupby(["reading", "dataset"], sort=False)[quantities].mean().reset_index()
    printed = published[
        (published["item"] == "Table 2") & (published["column"] == "C4.5")
    ].set_index("row")["published"]
    rows: dict[str, dict] = {"printed": {}}
    for row in part.to_dict("records"):
        name, line = (
            PAPER_SETS.get(row["dataset"], row["dataset"]),
            rows.setdefault(row["reading"], {}),
        )
        for quantity, key, cell in (
            ("test error", "test_error", "testing"),
            ("inner nodes", "features", "features"),
            ("different features", "different", None),
        ):
            rows["printed"][f"{name} {quantity}"] = printed.get(f"{name}, {cell}", "")
            line[f"{name} {quantity}"] = f"{row[key]:.1f}"
    return pd.DataFrame.from_dict(rows, orient="index").fillna("").rename_axis("C4.5").reset_index()


def readings(alternatives, published) -> dict[str, pd.DataFrame]:
    """Table 2 under every reading, those of C4.5's column by its own readings."""
    if "method" not in alternatives:
        return {}
    found = {}
    for reading, part in alternatives.groupby("reading", sort=False):
        rows = ReproducedRows(published)
        for (dataset, method), cells in good(part).groupby(["dataset", "method"], sort=False):
            for quantity, column in (("testing", "test_error"), ("features", "features")):
                key = ("Table 2", f"{PAPER_SETS.get(dataset, dataset)}, {quantity}", method)
                if key in rows:
                    rows.repeated(key, cells[column])
        found[reading] = rows.frame()
    if PRINTED in found:  # the column C4.5 as the study reads it is a part of the default
        column = found.pop(PRINTED).dropna(subset=["reproduced"])
        rest = found[DEFAULT]
        found[DEFAULT] = pd.concat([rest[rest["reproduced"].notna()], column], ignore_index=True)
    return found


def rivals(path, counts=(1, 2, 3, 5, 10)) -> pd.DataFrame:
    """Test error by number of features allowed: (9), L1 SVM and recursive feature elimination on
    the same folds.
    """
    if "method" not in path:
        return path[["dataset", "status"]]
    part = good(path)
    wide = part.pivot_table(
        index=["dataset", "method"], columns="allowed", values="test_error", sort=False
    )
    wide = wide[[count for count in wide.columns if count in counts]].round(2)
    wide.columns = [f"{int(count)} features" for count in wide.columns]
    return wide.reset_index()


def trees(trees, folds) -> pd.DataFrame:
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
        beside = beside[
            beside["repeat"].isin(part["repeat"].unique()) & beside["dataset"].isin(part["dataset"])
        ]
        univariate = beside.groupby("dataset", sort=False).agg(
            folds=("fold", "size"),
            decisions=("decisions", "mean"),
            weights=("decisions", "mean"),  # a univariate decision has one
            test_error=("test_error", "mean"),
            sd=("test_error", "std"),
        )
        univariate = univariate.reset_index().assign(
            method="C4.5", classes="two classes", depth_limit=0
        )
        order = {name: place for place, name in enumerate(table["dataset"].drop_duplicates())}
        table = pd.concat([table, univariate]).sort_values(
            "dataset", key=lambda names: names.map(order), kind="stable"
        )
    table["test_error_se"] = table.pop("sd") / np.sqrt(table["folds"])
    table["depth_limit"] = table["depth_limit"].map(
        lambda depth: "none" if depth == 0 else str(int(depth))
    )
    return table.round(3)
