"""Every rival beside ours over the data sets that both answered: ratios, differences, tests and
effect sizes.

Where the folds of a question are drawn repeatedly, contestants are compared on the repeats that all
of them finished. A table, a data set in one form of the question, is one value of every test:
repeats and folds are averaged in it.
"""

import json

import numpy as np
import pandas as pd

from pinetum.validation.statistics import average_ranks, friedman, holm
from pinetum.workflow.jobs import read_records
from pinetum_benchmarks.peers.measure import DATA_SETS, UNSEEN
from pinetum_benchmarks.peers.questions import QUESTIONS

LEVEL = 0.05
# Smaller is better in all of them.
KEY = ["dataset", "variant"]
SUMMARY = [
    "question",
    "rival",
    "package",
    "version",
    "asked",
    "ok",
    "commit",
    "date",
    "data_sets",
    "failed",
    "measure",
    "differs",
    "verdict",
    "ratio",
    "ratio_low",
    "ratio_high",
    "faster",
    "slower",
    "p_seconds",
    "effect_seconds",
    "same",
    "same_leaves",
    "same_predictions",
    "better",
    "equal",
    "worse",
    "difference",
    "p_measure",
    "effect_measure",
]
FORMS = [
    "question",
    "form",
    "rival",
    "asked",
    "ok",
    "sets",
    "error_ours",
    "error_theirs",
    "difference",
    "better",
    "equal",
    "worse",
    "p",
    "effect",
    "leaves_ours",
    "leaves_theirs",
    "ratio",
    "repeats",
    "p_adjusted",
]
FRIEDMAN = ["question", "measure", "contestant", "rank", "tables", "contestants", "chi2", "p"]
LIMITS = [
    "question",
    "grows",
    "contestant",
    "version",
    "largest",
    "seconds",
    "memory_mb",
    "stopped_at",
    "by",
]


def read_all(paths) -> pd.DataFrame:
    return pd.concat([read_records(path) for path in paths], ignore_index=True)


def with_forms(asked) -> pd.DataFrame:
    """The same with no text for the form of a question that has but one."""
    return asked.assign(variant=asked["variant"].astype(object).where(asked["variant"].notna(), ""))


def pairs_of(frame, question, label) -> pd.DataFrame:
    """Tables that ours and the rival both answered: one row each, with the columns of both."""
    ours = QUESTIONS[question].contestants[0].label
    asked = frame[
        (frame["question"] == question) & (frame["part"] == DATA_SETS) & (frame["status"] == "ok")
    ]
    asked = with_forms(asked)
    mine, theirs = (asked[asked["contestant"] == name] for name in (ours, label))
    pairs = mine.merge(theirs, on=KEY, suffixes=("_ours", "_theirs"))
    if "errors_by_repeat_ours" in pairs and pairs["errors_by_repeat_ours"].notna().any():
        sides = [f"error_{side}" for side in ("ours", "theirs")]
        told = pairs[["errors_by_repeat_ours", "errors_by_repeat_theirs"]].to_numpy()
        pairs[sides] = errors_in_common(told, pairs["cases_ours"].to_numpy())
    return pairs


def errors_in_common(told, cases) -> np.ndarray:
    """Errors in per cent over the repeats that every contestant of a table finished.

    `told` has a row per table, of lists in JSON of wrong answers by repeat.

    >>> errors_in_common(np.array([["[2, 4, 9]", "[1, 3]"]]), [10]).tolist()
    [[30.0, 20.0]]
    """
    found = []
    for row, number in zip(told, cases, strict=True):
        wrong = [json.loads(each) for each in row]
        least = min(map(len, wrong))
        found.append([100 * sum(each[:least]) / (least * number) for each in wrong])
    return np.array(found, dtype=float).reshape(np.shape(told))


def ratios_of(pairs) -> np.ndarray:
    """Ours over theirs; NaN where the clock saw nothing of either."""
    seconds = pairs[["seconds_ours", "seconds_theirs"]].to_numpy(float)
    seconds[seconds <= UNSEEN] = np.nan
    return seconds[:, 0] / seconds[:, 1]


def summary_rows(frame) -> list[dict]:
    rows = []
    for question in dict.fromkeys(frame["question"]):
        own = []
        for contestant in QUESTIONS[question].contestants[1:]:
            part = frame[
                (frame["question"] == question) & (frame["contestant"] == contestant.label)
            ]
            if len(part):
                own.append(summary_row(frame, question, contestant, part))
        for name in ("p_seconds", "p_measure"):
            tested = [row for row in own if name in row]
            for row, p in zip(tested, holm([row[name] for row in tested]), strict=True):
                row[name] = float(p)
        rows += [row | {"verdict": verdict_of(row)} for row in own]
    return rows


def summary_row(frame, question, contestant, part):
    measure = QUESTIONS[question].measure
    known = part[part["part"] == DATA_SETS]
    row = {
        "question": question,
        "rival": contestant.label,
        "package": part["package"].iloc[0],
        "version": part["version"].iloc[0],
        "asked": len(known),
        "ok": int((known["status"] == "ok").sum()),
        "commit": part["commit"].iloc[0] if "commit" in part else "",
        "date": part["date"].iloc[0] if "date" in part else "",
        "data_sets": known.loc[known["status"] == "ok", "dataset"].nunique(),
        "failed": "; ".join(
            f"{status} {count}"
            for status, count in known.loc[known["status"] != "ok", "status"].value_counts().items()
        ),
        "measure": measure,
        "differs": contestant.differs,
        "verdict": "",
    }
    pairs = pairs_of(frame, question, contestant.label)
    if not len(pairs):
        return row
    logs = np.log(ratios_of(pairs))
    logs = logs[~np.isnan(logs)]
    if not len(logs):
        return row
    low, high = interval(logs)
    row |= {
        "ratio": float(np.exp(logs.mean())),
        "ratio_low": float(np.exp(low)),
        "ratio_high": float(np.exp(high)),
    }
    row |= {"faster": int((logs < 0).sum()), "slower": int((logs > 0).sum())}
    row["p_seconds"], row["effect_seconds"] = signed_ranks(logs)
    for same, of in (("same", None), ("same_leaves", "folds"), ("same_predictions", "folds")):
        known = pairs[f"{same}_theirs"].dropna()
        if len(known):
            sizes = (
                ()
                if of is None
                else pairs.loc[known.index, [f"{of}_ours", f"{of}_theirs"]].min(axis=1)
            )
            whole = len(known) if of is None else int(sum(sizes))
            row[same] = f"{int(known.astype(int).sum())} of {whole}"
    both = (
        pairs[[f"{measure}_ours", f"{measure}_theirs"]].dropna().to_numpy(float) if measure else ()
    )
    if len(both):
        difference = both[:, 0] - both[:, 1]
        row |= {"better": int((difference < 0).sum()), "equal": int((difference == 0).sum())}
        row |= {"worse": int((difference > 0).sum()), "difference": float(difference.mean())}
        row["p_measure"], row["effect_measure"] = signed_ranks(difference)
    return row


def interval(values):
    """Mean plus and minus twice its error."""
    se = values.std(ddof=1) / np.sqrt(len(values)) if len(values) > 1 else 0.0
    return values.mean() - 2 * se, values.mean() + 2 * se


def signed_ranks(differences) -> tuple[float, float]:
    """Wilcoxon's p of differences, two-sided, and the share of ranks above less that below zero: -1
    is all ours.

    >>> signed_ranks([-3.0, -1.0, -2.0, -4.0, -5.0, 0.0])
    (0.0625, -1.0)
    """
    from scipy.stats import rankdata, wilcoxon

    known = np.asarray(differences, dtype=float)
    known = known[known != 0]
    if not len(known):
        return 1.0, 0.0
    ranks = rankdata(np.abs(known))
    effect = float((ranks * np.sign(known)).sum() / ranks.sum())
    return float(wilcoxon(known).pvalue), effect


def verdict_of(row) -> str:
    """In time and in what is measured: ahead, behind, level, or not tested."""
    if "ratio" not in row:
        return "no table that both answered"
    words = []
    for what, p, effect in (
        ("time", "p_seconds", "effect_seconds"),
        (row["measure"], "p_measure", "effect_measure"),
    ):
        if p in row:
            sure = row[p] < LEVEL
            words.append(
                f"{what}: {('ahead' if row[effect] < 0 else 'behind') if sure else 'level'}"
            )
    return ", ".join(words)


def friedman_rows(frame) -> list[dict]:
    """Friedman's test over all contestants that answered every table that ours answered, and their
    average ranks.
    """
    rows = []
    for question in dict.fromkeys(frame["question"]):
        asked = frame[
            (frame["question"] == question)
            & (frame["part"] == DATA_SETS)
            & (frame["status"] == "ok")
        ]
        for measure in filter(None, ("seconds", QUESTIONS[question].measure)):
            table = table_of(asked, measure)
            labels = [contestant.label for contestant in QUESTIONS[question].contestants]
            table = table[
                [
                    label
                    for label in labels
                    if label in table and table[label].notna().sum() >= 0.8 * len(table)
                ]
            ]
            table = table.dropna()
            if len(table) < 2 or table.shape[1] < 3:
                continue
            scores = table.to_numpy()
            if (
                measure == "error"
                and "errors_by_repeat" in asked
                and asked["errors_by_repeat"].notna().any()
            ):
                told = table_of(asked, "errors_by_repeat").loc[table.index, table.columns]
                cases = table_of(asked, "cases").loc[table.index].max(axis=1)
                scores = errors_in_common(told.to_numpy(), cases)
            ranks = average_ranks(scores)
            test = friedman(ranks)
            for label, rank in zip(table.columns, ranks.mean(axis=0), strict=True):
                rows.append(
                    {
                        "question": question,
                        "measure": measure,
                        "contestant": label,
                        "rank": float(rank),
                    }
                    | {
                        "tables": len(table),
                        "contestants": table.shape[1],
                        "chi2": test.statistic,
                        "p": test.p,
                    }
                )
    return rows


def table_of(asked, column) -> pd.DataFrame:
    """A row per table, a column per contestant."""
    return with_forms(asked).set_index([*KEY, "contestant"])[column].unstack("contestant")


def form_rows(frame) -> list[dict]:
    """Every form of a question of errors on new cases by itself, so that a data set is one value of
    every test.
    """
    rows = []
    for question in dict.fromkeys(frame["question"]):
        asked = QUESTIONS[question]
        forms = (
            frame.loc[(frame["question"] == question) & (frame["part"] == DATA_SETS), "variant"]
            .dropna()
            .unique()
        )
        if asked.kind != "folds" or len(forms) < 2:
            continue
        for form in forms:
            part = frame[frame["variant"] == form]
            own = [
                form_row(part, question, form, contestant)
                for contestant in asked.contestants[1:]
                if (part["contestant"] == contestant.label).any()
            ]
            tested = [row for row in own if "p" in row]
            for row, p in zip(tested, holm([row["p"] for row in tested]), strict=True):
                row["p_adjusted"] = float(p)
            rows += own
    return rows


def form_row(part, question, form, contestant):
    known = part[part["question"] == question]
    theirs = known[known["contestant"] == contestant.label]
    row = {
        "question": question,
        "form": form,
        "rival": contestant.label,
        "asked": len(theirs),
        "ok": int((theirs["status"] == "ok").sum()),
    }
    pairs = pairs_of(part, question, contestant.label)
    if not len(pairs):
        return row
    difference = (pairs["error_ours"] - pairs["error_theirs"]).to_numpy(float)
    logs = np.log(ratios_of(pairs))
    row |= {
        "sets": len(pairs),
        "error_ours": pairs["error_ours"].mean(),
        "error_theirs": pairs["error_theirs"].mean(),
    }
    row |= {"difference": difference.mean(), "better": int((difference < 0).sum())}
    row |= {"equal": int((difference == 0).sum()), "worse": int((difference > 0).sum())}
    row["p"], row["effect"] = signed_ranks(difference)
    row["leaves_ours"], row["leaves_theirs"] = (
        pairs[f"leaves_{side}"].mean() for side in ("ours", "theirs")
    )
    if not np.isnan(logs).all():
        row["ratio"] = float(np.exp(np.nanmean(logs)))
    if "errors_by_repeat_ours" in pairs:
        told = (
            pairs[["errors_by_repeat_ours", "errors_by_repeat_theirs"]]
            .map(json.loads)
            .map(len)
            .min(axis=1)
        )
        row["repeats"] = f"{told.min()}-{told.max()}"
    return row


def limit_rows(frame) -> list[dict]:
    """How far every contestant came in each series of made tables, and what stopped it."""
    rows = []
    series = frame[frame["part"] != DATA_SETS].dropna(subset=["part"])
    for (question, part, label), own in series.groupby(
        ["question", "part", "contestant"], sort=False
    ):
        fine, ended = own[own["status"] == "ok"], own[own["status"] != "ok"]
        last = fine.iloc[-1] if len(fine) else None
        rows.append(
            {
                "question": question,
                "grows": part,
                "contestant": label,
                "version": own["version"].iloc[0],
                "largest": "" if last is None else last["dataset"].rsplit(" ", 1)[1],
                "seconds": None if last is None else float(last["seconds"]),
                "memory_mb": None if last is None else last["memory_mb"],
                "stopped_at": "" if ended.empty else ended["dataset"].iloc[0].rsplit(" ", 1)[1],
                "by": "" if ended.empty else ended["status"].iloc[0],
            }
        )
    return rows
