"""What the records say: numbers to set beside the published ones, tables, curves."""

import numpy as np
import pandas as pd

from pinetum.report.comparison import every_number

TABLE, TEXT, FIGURE = "Table 1", "Section 6 text", "Figure 5 text"
METHODS = {"top": "top_errors", "(P)SBE": "errors"}


def percent(frame, column):
    return 100 * frame[column] / frame["held_out"]


def spread(values):
    """(mean, its standard error, standard deviation, number)."""
    values = np.asarray(values, dtype=float)
    n = len(values)
    deviation = values.std(ddof=1) if n > 1 else np.nan
    return values.mean(), deviation / np.sqrt(n), deviation, n


def framed(records, columns) -> pd.DataFrame:
    """Records as a table that has its header even without rows."""
    return pd.DataFrame(records, columns=columns.split())


class Rows:
    def __init__(self):
        self.rows = []

    def add(self, item, row, column, value, se="", n="", status="ok", note=""):
        blank = value is None or value != value
        self.rows.append(
            {
                "item": item,
                "row": row,
                "column": column,
                "reproduced": "" if blank else float(f"{value:.6g}"),
                "se": "" if se == "" or se != se else float(f"{se:.4g}"),
                "n": n,
                "status": "not_run" if blank and status == "ok" else status,
                "note": note,
            }
        )

    def errors(self, row, method, values, status="ok", note=""):
        if len(values) == 0:
            for column in ("error", "deviation"):
                self.add(TABLE, row, f"{method} {column}", None, status=status, note=note)
            return
        mean, se, deviation, n = spread(values)
        self.add(TABLE, row, f"{method} error", mean, se, n, status, note)
        own = deviation / np.sqrt(2 * (n - 1)) if n > 1 else np.nan
        self.add(TABLE, row, f"{method} deviation", deviation, own, n, status, note)


def reproduced(folds, optimal, settings, published) -> pd.DataFrame:
    """One row per published number; `published` gives the keys only."""
    rows = Rows()
    main = folds[folds["m"] == settings["m"]]
    for row in published.loc[published["item"] == TABLE, "row"].unique():
        ours = main[main["row"] == row]
        good = ours[ours["status"] == "ok"]
        status = "ok" if len(good) else ("no_data" if (ours["status"] == "no_data").any() else "not_run")
        table_row(rows, row, good, optimal[optimal["row"] == row], status, settings)
    for column, value in (
        ("repeats", settings["repeats"]),
        ("folds", settings["folds"]),
        ("building share", 100 * settings["building"]),
        ("search share", 100 - 100 * settings["building"]),
        ("m", settings["m"]),
    ):
        rows.add(TEXT, "cross-validation", column, value)
    timed = main.dropna(subset=["seconds_black_box"])
    if len(timed):
        sums = timed.groupby("row")[["seconds_black_box", "seconds"]].sum()
        gain = sums["seconds_black_box"] / sums["seconds"]
        rows.add(TEXT, "all", "largest speed-up", gain.max(), n=len(sums), note=f"on {gain.idxmax()}")
    p53 = main[(main["row"] == "p53") & (main["status"] == "ok")]
    rows.add(TEXT, "p53", "PSBE seconds", p53["seconds"].mean() if len(p53) else None, n=len(p53))
    longest = folds["seconds_black_box"].max()
    if longest == longest:
        note = "nothing is stopped by the clock: the longest black-box fold that the configuration asks for"
        rows.add(TEXT, "search", "time-out", longest, note=note)
    statements(rows, folds, optimal, settings)
    return every_number(rows.rows, published)


def table_row(rows, row, good, optimal, status, settings):
    first = good.iloc[0] if len(good) else {}
    rows.add(TABLE, row, "instances", first.get("cases"), status=status)
    if len(good):
        rows.add(TABLE, row, "features", first["features"] + 1, note="with the class")
    else:
        rows.add(TABLE, row, "features", None, status=status)
    seconds = good["seconds"] if len(good) else []
    if len(good):
        mean, se, _, n = spread(seconds)
        rows.add(TABLE, row, "PSBE seconds", mean, se, n, note="CPU seconds of one core, with bound and memory")
    else:
        rows.add(TABLE, row, "PSBE seconds", None, status=status)
    timed = good.dropna(subset=["seconds_black_box"]) if len(good) else good
    if len(timed):
        ours, black_box = timed["seconds"].sum(), timed["seconds_black_box"].sum()
        rows.add(TABLE, row, "SBE seconds", black_box / len(timed), n=len(timed), note="with the same grower")
        rows.add(TABLE, row, "ratio", ours / black_box, n=len(timed), note="PSBE with bound and memory, same folds")
    else:
        for column in ("SBE seconds", "ratio"):
            rows.add(TABLE, row, column, None, status=status)
    for method, column in METHODS.items():
        rows.errors(row, method, percent(good, column) if len(good) else [], status)
    found = optimal[(optimal["m"] == settings["m"]) & (optimal["held_out"].notna())] if len(optimal) else optimal
    if len(found):
        proved = 100 * found["proved"].mean()
        rows.errors(
            row,
            "optimal",
            percent(found, "errors"),
            note=f"{proved:.3g} % of {len(found)} folds proved",
        )
    else:
        rows.errors(row, "optimal", [], status=status)


def curves(folds, optimal, settings) -> pd.DataFrame:
    """Figure 5: cross-validation error by data set, m and method, over the folds that all three ran on."""
    records = []
    for row in settings["curve"]["rows"]:
        for m in sorted(set(settings["curve"]["m"]) | {settings["m"]}):
            ours = folds[(folds["row"] == row) & (folds["m"] == m) & (folds["status"] == "ok")]
            for method, column in METHODS.items():
                if len(ours):
                    mean, se, _, n = spread(percent(ours, column))
                    records.append({"row": row, "m": m, "method": method, "folds": n, "error": mean, "se": se})
            found = optimal[(optimal["row"] == row) & (optimal["m"] == m) & optimal["held_out"].notna()]
            if len(found) and len(ours):
                key = ["repeat", "fold"]
                both = ours.merge(found[[*key, "errors", "proved"]], on=key, suffixes=("", "_optimal"))
                mean, se, _, n = spread(percent(both, "errors_optimal"))
                records.append(
                    {
                        "row": row,
                        "m": m,
                        "method": "optimal",
                        "folds": n,
                        "error": mean,
                        "se": se,
                        # the same folds, so that the difference is not one of folds
                        "top_same_folds": percent(both, "top_errors").mean(),
                        "sbe_same_folds": percent(both, "errors").mean(),
                        "proved": both["proved"].mean(),
                    }
                )
    columns = ["row", "m", "method", "folds", "error", "se", "top_same_folds", "sbe_same_folds", "proved"]
    return pd.DataFrame(records, columns=columns)


def statements(rows, folds, optimal, settings):
    """The sentences of section 6.4 about Figure 5, as the share of the m where they hold."""
    curve = curves(folds, optimal, settings)

    def share(row, column, holds, ms=lambda ms: ms):
        best = curve[(curve["row"] == row) & (curve["method"] == "optimal")]
        chosen = best[best["m"].isin(ms(sorted(best["m"])))]
        if len(chosen):
            value = np.mean(
                [holds(line.error, line.sbe_same_folds, line.top_same_folds) for line in chosen.itertuples()]
            )
            note = f"{len(chosen)} values of m, {int(chosen['folds'].min())} folds or more"
            rows.add(FIGURE, row, column, value, n=len(chosen), note=note)

    half = (lambda ms: ms[: (len(ms) + 1) // 2], lambda ms: ms[len(ms) // 2 :])
    share("adult", "optimal below (P)SBE", lambda optimal, sbe, top: optimal < sbe)
    share("adult", "(P)SBE below top", lambda optimal, sbe, top: sbe < top)
    share("ionosphere", "optimal is the worst", lambda optimal, sbe, top: optimal >= max(sbe, top))
    share("ionosphere", "top is the best", lambda optimal, sbe, top: top <= min(sbe, optimal))
    share("ionosphere", "(P)SBE is the best at small m", lambda optimal, sbe, top: sbe <= min(top, optimal), half[0])
    share("anneal", "(P)SBE is the worst", lambda optimal, sbe, top: sbe >= max(top, optimal))
    share("anneal", "top below optimal at large m", lambda optimal, sbe, top: top < optimal, half[1])


def ways(folds, settings) -> pd.DataFrame:
    """Seconds and trees of the four ways, per data set, over the folds where all of them ran."""
    main = folds[(folds["m"] == settings["m"]) & folds["seconds_black_box"].notna()]
    records = []
    for row in settings["datasets"]:
        timed = main[main["row"] == row]
        if len(timed) == 0:
            continue
        black_box = timed["seconds_black_box"].mean()
        records.append(
            {
                "row": row,
                "cases": int(timed["cases"].iloc[0]),
                "features": int(timed["features"].iloc[0]),
                "folds": len(timed),
                "same_selection": int(timed["same_selection"].sum()),
                "seconds_black_box": black_box,
                "seconds_used_only": timed["seconds_used_only"].mean(),
                "seconds_incremental": timed["seconds_incremental"].mean(),
                "seconds_bounded": timed["seconds"].mean(),
                "rate_used_only": timed["seconds_used_only"].mean() / black_box,
                "rate_incremental": timed["seconds_incremental"].mean() / black_box,
                "rate_bounded": timed["seconds"].mean() / black_box,
                "trees_black_box": timed["trees_black_box"].mean(),
                "trees_incremental": timed["trees_incremental"].mean(),
                "trees_bounded": timed["trees"].mean(),
            }
        )
    return framed(
        records,
        "row cases features folds same_selection seconds_black_box seconds_used_only seconds_incremental"
        " seconds_bounded rate_used_only rate_incremental rate_bounded trees_black_box trees_incremental trees_bounded",
    )


def selection(folds, settings) -> pd.DataFrame:
    """What elimination does to the search error and to the number of features, per data set."""
    main = folds[(folds["m"] == settings["m"]) & (folds["status"] == "ok")]
    records = []
    for row in settings["datasets"]:
        ours = main[main["row"] == row]
        if len(ours):
            records.append(
                {
                    "row": row,
                    "folds": len(ours),
                    "features": int(ours["features"].iloc[0]),
                    "removed": ours["removed"].mean(),
                    "search_error_top": (100 * ours["top_search_errors"] / ours["search"]).mean(),
                    "search_error_selected": (100 * ours["search_errors"] / ours["search"]).mean(),
                    "error_top": percent(ours, "top_errors").mean(),
                    "error_selected": percent(ours, "errors").mean(),
                    "candidates_skipped": ours["skipped"].sum() / max(1, (ours["skipped"] + ours["trees"]).sum()),
                    "candidates_stopped": ours["stopped"].sum() / max(1, (ours["skipped"] + ours["trees"]).sum()),
                }
            )
    return framed(
        records,
        "row folds features removed search_error_top search_error_selected error_top error_selected candidates_skipped"
        " candidates_stopped",
    )


def optima(optimal, settings) -> pd.DataFrame:
    """How far the complete search came, per data set."""
    records = []
    main = optimal[(optimal["m"] == settings["m"]) & optimal["held_out"].notna()]
    for row in settings["optimal"]:
        ours = main[main["row"] == row]
        if len(ours):
            records.append(
                {
                    "row": row,
                    "folds": len(ours),
                    "proved": ours["proved"].mean(),
                    "search_error_start": (100 * ours["start_errors"] / ours["search"]).mean(),
                    "search_error_best": (100 * ours["search_errors"] / ours["search"]).mean(),
                    "search_error_bound": (100 * ours["bound"] / ours["search"]).mean(),
                    "error": percent(ours, "errors").mean(),
                    "seconds": ours["seconds"].mean(),
                }
            )
    return framed(
        records,
        "row folds proved search_error_start search_error_best search_error_bound error seconds",
    )


def rival(records) -> pd.DataFrame:
    """One line per data set: both methods' errors and seconds, and how many times faster ours is."""
    good = records[records["status"] == "ok"]
    lines = []
    for dataset in good["dataset"].unique():
        part = good[good["dataset"] == dataset]
        of = part.groupby("method")[["search_error", "error", "features", "seconds"]].mean()
        ours, theirs = of.loc["PSBE"], of.loc["scikit-learn"]
        lines.append(
            {
                "dataset": dataset,
                "folds": len(part) // 2,
                "search_error": ours["search_error"],
                "search_error_scikit_learn": theirs["search_error"],
                "error": ours["error"],
                "error_scikit_learn": theirs["error"],
                "features": ours["features"],
                "features_scikit_learn": theirs["features"],
                "seconds": ours["seconds"],
                "seconds_scikit_learn": theirs["seconds"],
                "rate": theirs["seconds"] / ours["seconds"],
            }
        )
    return framed(
        lines,
        "dataset folds search_error search_error_scikit_learn error error_scikit_learn features features_scikit_learn"
        " seconds seconds_scikit_learn rate",
    )


def large(records) -> pd.DataFrame:
    return records.drop(columns=["version", "commit"])
