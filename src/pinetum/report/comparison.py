"""Published numbers beside ours, with a verdict for each.

Every published number has a `basis`, which says how it is judged, and an `evidence`, which says
what a judgement is worth. No tolerance is set by hand:

    error       |z| <= 3, z the difference in combined standard errors: of our mean, of the paper's own experiment
                (both from repeats of the whole experiment) and of rounding to the digits printed
    quantile    at least 1 % of the repeats lie at or beyond the published value
    digits      equal as printed
    statement   the sentence holds in our measurement
    bound       inside a bound or range that the paper prints, or that our value leaves to the
                published number
    timing      never judged
"""  # noqa: E501

import math

import pandas as pd

from pinetum.report.origins import origin_of
from pinetum.report.printed import half_unit, number
from pinetum.report.rows import KEY, REPRODUCED_COLUMNS
from pinetum.report.verdicts import EVIDENCE, HEADLINE, VERDICTS
from pinetum.workflow.job import Plain
from pinetum.workflow.jobs import read_text

PUBLISHED_COLUMNS = [
    *KEY,
    "published",
    "unit",
    "source",
    "basis",
    "evidence",
    "explanation",
    "note",
]
COMPARISON_COLUMNS = [
    "paper",
    *KEY,
    "published",
    "reproduced",
    "se",
    "n",
    "z",
    "basis",
    "evidence",
    "verdict",
    "explanation",
    "note",
]
STANDARD_ERRORS = 3.0
LEAST_SHARE = 0.01
LEAST_REPEATS = 99  # fewer cannot show a share below LEAST_SHARE
OPEN = "open"
UNTRIED = f"{OPEN}: nothing was tried yet"


def read_rows(path, columns) -> pd.DataFrame:
    """A file of numbers, with these columns and no number twice."""
    frame = read_text(path)
    missing = [column for column in columns if column not in frame]
    if missing:
        raise ValueError(
            f"{path}: misses the column {missing[0]!r}; a file of this kind has"
            f" {', '.join(columns)}"
        )
    twice = frame[frame.duplicated([name for name in ("reading", *KEY) if name in frame])]
    if len(twice):
        raise ValueError(
            f"{path}: line {twice.index[0] + 2} repeats {', '.join(twice.iloc[0][KEY])}"
        )
    return frame


def read_published(path) -> pd.DataFrame:
    frame = read_rows(path, PUBLISHED_COLUMNS)
    for column, allowed in (("basis", JUDGES), ("evidence", EVIDENCE)):
        for line, value in enumerate(frame[column], start=2):
            if value not in allowed:
                raise ValueError(
                    f"{path}: line {line}: {column} {value!r}; allowed are {', '.join(allowed)}"
                )
    return frame[PUBLISHED_COLUMNS]


def read_reproduced(path) -> pd.DataFrame:
    return read_rows(path, REPRODUCED_COLUMNS)[REPRODUCED_COLUMNS]


def judge_error(row) -> bool | None:
    """None where nothing says how far the two may lie apart."""
    return None if row["z"] is None else abs(row["z"]) <= STANDARD_ERRORS


def judge_quantile(row) -> bool | None:
    share, repeats = number(row["share"]), number(row["n"])
    if share is None or repeats is None or repeats < LEAST_REPEATS:
        return None
    return share >= LEAST_SHARE


def judge_digits(row) -> bool:
    ours, theirs = number(row["reproduced"]), number(row["published"])
    if ours is None or theirs is None:
        return row["reproduced"].strip() == row["published"].strip()
    return abs(ours - theirs) <= half_unit(row["published"]) * (1 + 1e-9)


def judge_statement(row) -> bool:
    return row["reproduced"].strip() == row["published"].strip()


def judge_bound(row) -> bool | None:
    ours, theirs = number(row["reproduced"]), number(row["published"])
    if theirs is not None:
        low, high = number(row["low"]), number(row["high"])
        return None if low is None or high is None else low <= theirs <= high
    return None if ours is None else inside(ours, row["published"].strip())


def inside(value: float, printed: str) -> bool:
    """Whether a value meets a printed bound (`<0.05`, `>=2`) or lies in a printed range
    (`1..1.35`).
    """
    for sign, meets in (
        ("<=", value.__le__),
        (">=", value.__ge__),
        ("<", value.__lt__),
        (">", value.__gt__),
    ):
        if printed.startswith(sign):
            return meets(float(printed.removeprefix(sign)))
    low, high = map(float, printed.split(".."))
    return (
        low - half_unit(printed.split("..")[0]) <= value <= high + half_unit(printed.split("..")[1])
    )


JUDGES = {
    "error": judge_error,
    "quantile": judge_quantile,
    "digits": judge_digits,
    "statement": judge_statement,
    "bound": judge_bound,
    "timing": None,
}
TOO_FEW = {
    "error": "not judged: one repeat alone has no standard error",
    "quantile": f"not judged: below {LEAST_REPEATS} repeats no share is small",
}


def combined_error(row) -> float | None:
    """Of the difference: our mean's, the paper's own and that of rounding.

    None if neither side has one.
    """
    errors = [number(row["se"]), number(row["published_se"])]
    if all(error is None for error in errors):
        return None
    rounding = 2 * half_unit(row["published"]) / math.sqrt(12)
    return math.hypot(*(error or 0.0 for error in errors), rounding)


def z_of(row) -> float | None:
    """Difference in combined standard errors; of a statement the margin by which it holds."""
    if row["basis"] == "statement":
        return number(row["margin"])
    ours, theirs, error = number(row["reproduced"]), number(row["published"]), combined_error(row)
    if row["basis"] != "error" or ours is None or theirs is None or error is None:
        return None
    return (
        (ours - theirs) / error
        if error
        else math.copysign(math.inf, ours - theirs)
        if ours != theirs
        else 0.0
    )


def verdict_of(row) -> str:
    if row["status"] == "no_data":
        return "no_data"
    if not row["reproduced"]:
        return "not_run"
    judge = JUDGES[row["basis"]]
    if judge is None:
        return "timing"
    agrees = judge(row)
    return "not_run" if agrees is None else "within" if agrees else "outside"


def judged(published: pd.DataFrame, reproduced: pd.DataFrame) -> pd.DataFrame:
    """The published rows with ours, `z`, `se` (combined) and `verdict`, in the order of the
    published file.
    """
    ours = pd.DataFrame(reproduced, columns=REPRODUCED_COLUMNS)
    ours = ours.astype(object).where(ours.notna(), "").astype(str)
    frame = published.merge(ours, on=KEY, how="left", suffixes=("", "_ours")).fillna("")
    rows = frame.to_dict("records")
    for row in rows:
        z, error = z_of(row), combined_error(row)
        row["z"] = z
        row["verdict"] = verdict_of(row)
        silent = row["verdict"] == "not_run" and row["reproduced"]
        row["note_ours"] = "; ".join(
            filter(None, (row["note_ours"], TOO_FEW.get(row["basis"]) if silent else ""))
        )
        row["z"] = "" if z is None else f"{z:.3g}"
        row["se"] = "" if error is None or row["basis"] != "error" else f"{error:.4g}"
    return pd.DataFrame(rows, columns=[*frame.columns, "z", "verdict"])


def compare(
    study: str, published, reproduced, *, readings=None, origins=None, parts=()
) -> pd.DataFrame:
    """One row per published number.

    `readings` are rows of results/<study>/readings.csv, which explain what lies outside; `origins`
    as read by `read_origins`; `parts` are labels of data sets that came in part, whose numbers have
    no data.
    """
    stray = set(map(tuple, reproduced[KEY].values)) - set(map(tuple, published[KEY].values))
    if stray:
        raise ValueError(
            f"results/{study}/reproduced.csv: {sorted(stray)[0]} is not in"
            f" config/published/{study}.csv"
        )
    reproduced = reproduced.astype(object)
    in_part = [bool(origin_of(row, dict.fromkeys(parts, "part"))) for row in reproduced["row"]]
    reproduced.loc[in_part, ["reproduced", "status"]] = ["", "no_data"]
    frame = judged(published, reproduced)
    frame["paper"] = study
    moving = explanations(readings)
    frame["explanation"] = [
        (moving.get(key) or explanation or UNTRIED) if verdict == "outside" else ""
        for key, explanation, verdict in zip(
            map(tuple, frame[KEY].values), frame["explanation"], frame["verdict"], strict=True
        )
    ]
    sources = [
        origin_of(row, origins or {}) if ours or verdict == "no_data" else ""
        for row, ours, verdict in frame[["row", "reproduced", "verdict"]].values
    ]
    frame["note"] = [
        "; ".join(part for part in notes if part)
        for notes in zip(frame["note_ours"], frame["note"], sources, strict=True)
    ]
    return frame[COMPARISON_COLUMNS]


def explanations(readings) -> dict[tuple, str]:
    """Of each number that a reading brings inside: that reading, the nearest one first."""
    found: dict[tuple, tuple] = {}
    for row in () if readings is None else readings.to_dict("records"):
        key, z = tuple(row[name] for name in KEY), number(row["z"])
        distance = abs(z) if z is not None else 0.0
        if (
            row["verdict"] == "within"
            and row["changed"]
            and (key not in found or distance < found[key][0])
        ):
            found[key] = distance, f"readings.csv: {row['reading']} gives {row['reproduced']}"
    return {key: text for key, (_, text) in found.items()}


def verdict_counts(comparison: pd.DataFrame) -> pd.DataFrame:
    """Studies by verdicts, with a total, of predictions and readings; fits and echoes apart."""
    judged_rows = comparison[comparison["evidence"].isin(HEADLINE)]
    counts = judged_rows.groupby(["paper", "verdict"], sort=False).size().unstack(fill_value=0)
    counts = counts.reindex(
        index=dict.fromkeys(comparison["paper"]), columns=list(VERDICTS), fill_value=0
    )
    for evidence in EVIDENCE:
        if evidence not in HEADLINE:
            apart = comparison[comparison["evidence"] == evidence]
            inside_of = apart[apart["verdict"] == "within"].groupby("paper").size()
            counts[f"{evidence}, within"] = inside_of.reindex(counts.index, fill_value=0)
            judged_of = apart[apart["verdict"].isin(["within", "outside"])].groupby("paper").size()
            counts[f"{evidence}, judged"] = judged_of.reindex(counts.index, fill_value=0)
    counts.loc["total"] = counts.sum()
    return counts.rename_axis("paper").reset_index()


def compare_numbers(inputs) -> dict:
    """Every published number beside ours, with its verdict; how many numbers have which."""
    frames = [read_rows(path, COMPARISON_COLUMNS) for path in inputs.files.compared]
    rows = pd.concat(frames) if frames else pd.DataFrame(columns=COMPARISON_COLUMNS)
    return {"comparison": Plain(rows), "counts": Plain(verdict_counts(rows))}
