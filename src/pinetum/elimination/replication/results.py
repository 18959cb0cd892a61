"""What comes of the records: published numbers, their readings, tables and curves, a function for
each.
"""

import numpy as np
import pandas as pd

from pinetum.elimination.replication.protocol import BUILDING, MIN_CASES, rows_of
from pinetum.report.readings import DEFAULT, held_out, judge_readings
from pinetum.report.rows import ReproducedRows

TABLE, TEXT, FIGURE = "Table 1", "Section 6 text", "Figure 5 text"
METHODS = {"top": "top_errors", "(P)SBE": "errors"}
# reading -> rules of the trees (CHANGES of `readings`), and what has the errors of the final tree
READINGS = {
    DEFAULT: ("default", "errors"),
    "leaf ties to the parent's class": ("parent", "errors"),
    "final tree may use all features that were not removed": ("default", "errors_kept"),
    "both": ("parent", "errors_kept"),
    "a branch of a split may have a single case": ("any branch", None),
    "a continuous split pays nothing": ("no penalty", None),
    "both sides of a cut have the least share of C4.5": ("least side", None),
}


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


def repeats_of(frame, values) -> pd.DataFrame:
    """Mean and deviation over the folds of each repeat: every repeat is a whole
    cross-validation.
    """
    return values.groupby(frame["repeat"]).agg(["mean", "std"])


PAPER_REPEATS, PAPER_FOLDS = 5, 50
FEWEST_REPEATS, FEWEST_FOLDS = 3, 8  # that say how far a mean scatters


def add_errors(rows, row, method, frame, column, status="ok", note=""):
    error, deviation = ((TABLE, row, f"{method} {kind}") for kind in ("error", "deviation"))
    if error not in rows:
        return
    if not len(frame):
        rows.absent(error, status, note)
        rows.absent(deviation, status, note)
        return
    values = percent(frame, column)
    n, spread_of = len(values), float(values.std(ddof=1)) if len(values) > 1 else np.nan
    each = repeats_of(frame, values)
    if len(each) >= FEWEST_REPEATS:
        rows.repeated(
            error, each["mean"], value=values.mean(), published_repeats=PAPER_REPEATS, note=note
        )
        # a deviation's own error follows from the folds, which are ten times as many as the repeats
        ours, theirs = (spread_of / np.sqrt(2 * (folds - 1)) for folds in (n, PAPER_FOLDS))
        rows.measured(deviation, spread_of, se=ours, published_se=theirs, n=n, note=note)
    elif n >= FEWEST_FOLDS:
        of_folds = (
            "standard errors from the spread of the folds, which is wider than that of repeats"
        )
        note = "; ".join(filter(None, (note, of_folds)))
        for key, value, unit in (
            (error, values.mean(), spread_of),
            (deviation, spread_of, spread_of / np.sqrt(2)),
        ):
            rows.measured(
                key,
                value,
                se=unit / np.sqrt(n),
                published_se=unit / np.sqrt(PAPER_FOLDS),
                n=n,
                note=note,
            )
    else:
        for key, value in ((error, values.mean()), (deviation, spread_of)):
            rows.measured(key, value, se=None, published_se=None, n=n, note=note)


def reproduced(folds, optimal, settings, published) -> pd.DataFrame:
    """One row per published number."""
    rows = ReproducedRows(published)
    main = folds[folds["m"] == MIN_CASES]
    for row in dict.fromkeys(key[1] for key in rows.wanted(TABLE)):
        ours = main[main["row"] == row]
        good = ours[ours["status"] == "ok"]
        status = (
            "ok" if len(good) else ("no_data" if (ours["status"] == "no_data").any() else "not_run")
        )
        table_row(rows, row, good, optimal[optimal["row"] == row], status)
    for column, value in (
        ("repeats", settings["repeats"]),
        ("folds", settings["folds"]),
        ("building share", 100 * BUILDING),
        ("search share", 100 - 100 * BUILDING),
        ("m", MIN_CASES),
    ):
        rows.exact((TEXT, "cross-validation", column), round(value, 6))
    timed = main.dropna(subset=["seconds_black_box"])
    if len(timed):
        sums = timed.groupby("row")[["seconds_black_box", "seconds_incremental"]].sum()
        gain = sums["seconds_black_box"] / sums["seconds_incremental"]
        rows.timing(
            (TEXT, "all", "largest speed-up"), gain.max(), n=len(sums), note=f"on {gain.idxmax()}"
        )
        speed_statements(rows, gain, timed.groupby("row")["features"].first().reindex(gain.index))
        hundredfold(rows, timed)
    longest = folds["seconds_black_box"].max()
    if longest == longest:
        note = (
            "nothing is stopped by the clock: the longest black-box fold that the configuration"
            " asks for"
        )
        rows.timing((TEXT, "search", "time-out"), longest, note=note)
    error_statements(rows, main[main["status"] == "ok"], optimal)
    statements(rows, folds, optimal)
    return rows.frame()


HUNDREDFOLD = 95  # times and more: the printed ratio .010 is rounded
WAYS = {  # what reaches it -> what is counted of the black box, and of the way
    "100 times fewer trees by section 5": ("trees_black_box", "trees_incremental"),
    "100 times faster by rebuilding subtrees": ("seconds_black_box", "seconds_incremental"),
    "100 times faster with our bound and memory": ("seconds_black_box", "seconds"),
}


def hundredfold(rows, timed):
    """Whether a speed-up of up to 100 is reached, by the paper's ways and by ours."""
    for column, (black_box, way) in WAYS.items():
        if not {black_box, way} <= set(timed):
            continue
        sums = timed.groupby("row")[[black_box, way]].sum()
        gain = sums[black_box] / sums[way]
        note = f"{gain.max():.3g} times on {gain.idxmax()}"
        rows.statement((TEXT, "all", column), gain.max() >= HUNDREDFOLD, n=len(gain), note=note)


def speed_statements(rows, gain, features):
    key = (TEXT, "Table 1", "PSBE faster than SBE on every data set")
    rows.statement(
        key, bool((gain > 1).all()), n=len(gain), note=f"least {gain.min():.2g} on {gain.idxmin()}"
    )
    if len(gain) > 2:
        order = float(np.corrcoef(gain.rank(), features.rank())[0, 1])
        key = (TEXT, "Table 1", "speed-up grows with the number of features")
        rows.statement(
            key,
            order > 0,
            margin=order * np.sqrt(len(gain) - 1),
            n=len(gain),
            note=f"rank correlation {order:.2f}",
        )


def error_statements(rows, main, optimal):
    """The sentences of section 6.4 on the errors of Table 1."""
    below = {
        row: percent(part, "errors").mean() < percent(part, "top_errors").mean()
        for row, part in main.groupby("row")
    }
    if below:
        wins, n = sum(below.values()), len(below)
        key = (TEXT, "Table 1", "(P)SBE better than top in most cases")
        rows.statement(
            key, 2 * wins > n, margin=(2 * wins - n) / np.sqrt(n), n=n, note=f"on {wins} of {n}"
        )
    found = (
        optimal[(optimal["m"] == MIN_CASES) & optimal["held_out"].notna()]
        if len(optimal)
        else optimal
    )
    if len(found):
        both = main.merge(
            found[["row", "repeat", "fold", "errors"]],
            on=["row", "repeat", "fold"],
            suffixes=("", "_optimal"),
        )
        gaps = (
            (percent(both, "errors") - percent(both, "errors_optimal"))
            .groupby(both["row"])
            .agg(["mean", "sem"])
        )
        sure = [row for row, gap in gaps.iterrows() if gap["mean"] > 3 * gap["sem"]]
        key = (TEXT, "Table 1", "optimal not clearly better than (P)SBE")
        note = (
            f"better by three standard errors on {len(sure)} of {len(gaps)}:"
            f" {', '.join(sure) or 'none'}"
        )
        rows.statement(key, 2 * len(sure) < len(gaps), n=len(gaps), note=note)


def table_row(rows, row, good, optimal, status):
    """A row of Table 1; numbers that the paper does not print (its dashes) are passed over."""

    def add(column, way, *arguments, **options):
        if (key := (TABLE, row, column)) in rows and len(good):
            getattr(rows, way)(key, *arguments, **options)
        elif key in rows:
            rows.absent(key, status)

    first = good.iloc[0] if len(good) else {"cases": 0, "features": 0}
    add("instances", "exact", int(first["cases"]))
    add("features", "exact", int(first["features"]) + (first["features"] < WITHOUT_CLASS))
    seconds = good["seconds_incremental"].dropna() if len(good) else good
    timed = good.dropna(subset=["seconds_black_box"]) if len(good) else good
    add("PSBE seconds", "timing", seconds.mean() if len(seconds) else None, n=len(seconds))
    black_box, ours = (
        timed[name].sum() if len(timed) else None
        for name in ("seconds_black_box", "seconds_incremental")
    )
    add("SBE seconds", "timing", black_box / len(timed) if len(timed) else None, n=len(timed))
    bounded = (
        f"{timed['seconds'].sum() / black_box:.3f} with bound and memory" if len(timed) else ""
    )
    add("ratio", "timing", ours / black_box if len(timed) else None, n=len(timed), note=bounded)
    for method, column in METHODS.items():
        add_errors(rows, row, method, good, column, status)
    found = (
        optimal[(optimal["m"] == MIN_CASES) & (optimal["held_out"].notna())]
        if len(optimal)
        else optimal
    )
    proved = (
        f"{100 * found['proved'].mean():.3g} % of {len(found)} folds proved" if len(found) else ""
    )
    add_errors(rows, row, "optimal", found, "errors", status, proved)


WITHOUT_CLASS = 100  # rows with as many features do not count the class


def curves(folds, optimal, settings) -> pd.DataFrame:
    """Figure 5: cross-validation error by data set, m and method, over the folds that all three ran
    on.
    """
    records = []
    for row in settings["curve"]["rows"]:
        for m in sorted(set(settings["curve"]["min_cases"]) | {MIN_CASES}):
            ours = folds[(folds["row"] == row) & (folds["m"] == m) & (folds["status"] == "ok")]
            for method, column in METHODS.items():
                if len(ours):
                    mean, se, _, n = spread(percent(ours, column))
                    records.append(
                        {"row": row, "m": m, "method": method, "folds": n, "error": mean, "se": se}
                    )
            found = optimal[
                (optimal["row"] == row) & (optimal["m"] == m) & optimal["held_out"].notna()
            ]
            if len(found) and len(ours):
                key = ["repeat", "fold"]
                both = ours.merge(
                    found[[*key, "errors", "proved"]], on=key, suffixes=("", "_optimal")
                )
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
    columns = [
        "row",
        "m",
        "method",
        "folds",
        "error",
        "se",
        "top_same_folds",
        "sbe_same_folds",
        "proved",
    ]
    return pd.DataFrame(records, columns=columns)


# statement of Figure 5 -> methods that lie lower, methods that lie higher, and at which part of the
# m
FIGURE_5 = {
    ("adult", "optimal below (P)SBE"): (["optimal"], ["sbe"], "all"),
    ("adult", "(P)SBE below top"): (["sbe"], ["top"], "all"),
    ("ionosphere", "optimal is the worst"): (["sbe", "top"], ["optimal"], "all"),
    ("ionosphere", "top is the best"): (["top"], ["sbe", "optimal"], "all"),
    ("ionosphere", "(P)SBE is the best at small m"): (["sbe"], ["top", "optimal"], "small"),
    ("anneal", "(P)SBE is the worst"): (["top", "optimal"], ["sbe"], "all"),
    ("anneal", "top below optimal at large m"): (["top"], ["optimal"], "large"),
}


def statements(rows, folds, optimal):
    """The sentences of section 6.4 about Figure 5: mean differences over m, on the folds that all
    ran on at every m.
    """
    for (row, column), (lower, higher, part) in FIGURE_5.items():
        key = (FIGURE, row, column)
        both = same_folds(folds, optimal, row)
        ms = sorted(both["m"].unique())
        half = len(ms) // 2
        both = both[
            both["m"].isin({"all": ms, "small": ms[: len(ms) - half], "large": ms[half:]}[part])
        ]
        at_every_m = (
            both.groupby(["repeat", "fold"])["m"].transform("nunique") == both["m"].nunique()
        )
        both = both[at_every_m]
        n = len(both[["repeat", "fold"]].drop_duplicates())
        if n < FEWEST_FOLDS:
            rows.absent(
                key,
                note=(
                    f"searched at every m on {n} fold{'s' * (n > 1)}, too few to judge" if n else ""
                ),
            )
            continue
        gaps = [
            (both[high] - both[low]).groupby([both["repeat"], both["fold"]]).mean()
            for low in lower
            for high in higher
        ]
        margins = [
            gap.mean() / gap.sem() if len(gap) > 1 and gap.sem() > 0 else np.nan for gap in gaps
        ]
        note = f"{both['m'].nunique()} values of m, {n} folds"
        holds = all(gap.mean() > 0 for gap in gaps)
        rows.statement(
            key,
            holds,
            margin=np.nanmin([*margins, np.inf]) if holds else np.nanmin([*margins, 0.0]),
            n=n,
            note=note,
        )


def same_folds(folds, optimal, row) -> pd.DataFrame:
    """Errors of top, SBE and optimal on the folds and m that all three ran on."""
    ours = folds[(folds["row"] == row) & (folds["status"] == "ok")]
    found = (
        optimal[(optimal["row"] == row) & optimal["held_out"].notna()] if len(optimal) else optimal
    )
    key = ["m", "repeat", "fold"]
    if not len(ours) or not len(found):
        return pd.DataFrame(columns=[*key, "top", "sbe", "optimal"])
    both = ours.merge(found[[*key, "errors"]], on=key, suffixes=("", "_optimal"))
    columns = {"top": "top_errors", "sbe": "errors", "optimal": "errors_optimal"}
    return both[key].assign(**{name: percent(both, column) for name, column in columns.items()})


def ways(folds, settings) -> pd.DataFrame:
    """Seconds and trees of the four ways, per data set, over the folds where all of them ran."""
    main = folds[(folds["m"] == MIN_CASES) & folds["seconds_black_box"].notna()]
    records = []
    for row in rows_of(settings["datasets"]):
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
        "row cases features folds same_selection seconds_black_box seconds_used_only"
        " seconds_incremental seconds_bounded rate_used_only rate_incremental rate_bounded"
        " trees_black_box trees_incremental trees_bounded",
    )


def selection(folds, settings) -> pd.DataFrame:
    """What elimination does to the search error and to the number of features, per data set."""
    main = folds[(folds["m"] == MIN_CASES) & (folds["status"] == "ok")]
    records = []
    for row in rows_of(settings["datasets"]):
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
                    "candidates_skipped": (
                        ours["skipped"].sum() / max(1, (ours["skipped"] + ours["trees"]).sum())
                    ),
                    "candidates_stopped": (
                        ours["stopped"].sum() / max(1, (ours["skipped"] + ours["trees"]).sum())
                    ),
                }
            )
    return framed(
        records,
        "row folds features removed search_error_top search_error_selected error_top error_selected"
        " candidates_skipped candidates_stopped",
    )


def optima(optimal, settings) -> pd.DataFrame:
    """How far the complete search came, per data set."""
    records = []
    main = optimal[(optimal["m"] == MIN_CASES) & optimal["held_out"].notna()]
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


def large(large) -> pd.DataFrame:
    """One fold of every table of thousands of features."""
    return large.drop(columns=["version", "commit", "measured_by"])


def readings(reading_folds, published) -> dict[str, pd.DataFrame]:
    """The errors of Table 1 under every reading."""
    found = {}
    for reading, (rules, errors) in READINGS.items():
        rows = ReproducedRows(published)
        chosen = reading_folds[reading_folds["rules"] == rules]
        for row, part in chosen.groupby("row", sort=False):
            for method, column in (("top", "top_errors"), ("(P)SBE", errors)):
                key = (TABLE, row, f"{method} error")
                if key in rows and column:
                    each = repeats_of(part, percent(part, column))["mean"]
                    rows.repeated(key, each, published_repeats=PAPER_REPEATS)
        found[reading] = rows.frame()
    return found


def readings_held_out(reading_folds, published) -> pd.DataFrame:
    """The reading that one half of the data sets would choose, judged on the other half."""
    return held_out(judge_readings(published, readings(reading_folds, published)), "row")
