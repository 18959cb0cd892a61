"""Published numbers beside ours, with a verdict for each.

Every published number has a `basis`, which says how it is judged, and an `evidence`, which says
what a judgement is worth. No tolerance is set by hand:

    error       z, the difference in combined standard errors, is no rarer than three of a normal distribution: by Student's t
                with one degree of freedom less than our repeats. Combined are the errors of our mean, of the paper's own
                experiment (both from repeats of the whole experiment) and of rounding to the digits printed
    quantile    more than 1 % of the repeats lie at or beyond the published value; of ranks, as far from the others
    digits      equal as printed
    statement   the sentence holds in our measurement
    bound       inside a bound or range that the paper prints, or that our value leaves to the
                published number
    timing      never judged

`power` is the smallest difference that would have been outside. What could hardly have failed is undecided: a sentence within
two standard errors of its turning point, ranks of which more than a quarter of the other orders would pass, a number that could
not be told from 0.
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
    "power",
    "basis",
    "evidence",
    "verdict",
    "explanation",
    "note",
]
STANDARD_ERRORS = 3.0
LEAST_SHARE = 0.01
LEAST_REPEATS = 100  # fewer cannot show such a share
TURNING = 2.0  # standard errors from a sentence's turning point
WRONG_ORDERS = 0.25  # of other orders of ranks that may pass
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


def farthest(repeats: float | None) -> float:
    """Standard errors that are as rare by Student's t as three by the normal distribution."""
    if repeats is None or repeats < 2:
        return STANDARD_ERRORS
    from scipy.special import ndtr, stdtrit

    return float(stdtrit(repeats - 1, ndtr(STANDARD_ERRORS)))


def judge_error(row) -> bool | None:
    """None where nothing says how far the two may lie apart."""
    return None if row["z"] is None else abs(row["z"]) <= farthest(number(row["n"]))


def judge_quantile(row) -> bool | None:
    share, repeats = number(row["share"]), number(row["n"])
    if share is None or repeats is None or repeats < LEAST_REPEATS:
        return None
    return share > LEAST_SHARE


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
    if agrees is None:
        return "not_run"
    return "undecided" if could_not_fail(row, agrees) else "within" if agrees else "outside"


def could_not_fail(row, agrees: bool) -> bool:
    """Whether the other verdict was hardly to be had."""
    if row["basis"] == "statement":
        margin = number(row["margin"])
        return margin is not None and abs(margin) < TURNING
    if row["basis"] == "quantile":
        return agrees and (number(row["chance"]) or 0.0) > WRONG_ORDERS
    theirs = number(row["published"])
    return bool(agrees and row["basis"] == "error" and theirs and row["power"] >= abs(theirs))


def power_of(row) -> float | None:
    """The smallest difference that would have been outside."""
    if row["basis"] == "error":
        error = combined_error(row)
        return None if error is None else farthest(number(row["n"])) * error
    low, high = number(row["low"]), number(row["high"])
    return None if low is None or high is None else (high - low) / 2


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
        row["z"], power = z, power_of(row)
        row["power"] = power
        row["verdict"] = verdict_of(row)
        silent = row["verdict"] == "not_run" and row["reproduced"]
        row["note_ours"] = "; ".join(
            filter(None, (row["note_ours"], TOO_FEW.get(row["basis"]) if silent else ""))
        )
        row["z"] = "" if z is None else f"{z:.3g}"
        row["se"] = "" if error is None or row["basis"] != "error" else f"{error:.4g}"
        row["power"] = "" if power is None else f"{power:.3g}"
    return pd.DataFrame(rows, columns=[*frame.columns, "z", "power", "verdict"])


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
        for notes in zip(frame["note_ours"], map(of_the_paper, frame["note"]), sources, strict=True)
    ]
    return frame[COMPARISON_COLUMNS]


def of_the_paper(note: str) -> str:
    """A note on the printed number, which stands behind ours in brackets."""
    return f"[{note}]" if note else ""


def explanations(readings) -> dict[tuple, str]:
    """Of each number that a reading explains: that reading.

    A reading explains a whole table or nothing: all cells of an item that it judges, of which none
    may go out, and one reading alone for all that the same readings judge. Its cells are judged by
    errors no larger than the default's, so that a reading of fewer repeats gains nothing.
    """
    if readings is None or not len(readings):
        return {}
    base = readings[readings["changed"] == ""].set_index(KEY)
    best: dict[tuple, tuple] = {}
    for (reading, item), part in readings[readings["changed"] != ""].groupby(
        ["reading", "item"], sort=False
    ):
        part = part.set_index(KEY)
        part = part[part.index.isin(base.index)]
        before, judged_again = (
            base["verdict"].reindex(part.index),
            [again(row, base.loc[key]) for key, row in part.iterrows()],
        )
        after = pd.Series(judged_again, part.index, dtype=object)
        came = after.index[(before == "outside") & (after == "within")]
        if len(came) and not ((before == "within") & (after == "outside")).any():
            z = [abs(value) for value in map(number, part.loc[came, "z"]) if value is not None]
            rank = (-len(came), sum(z), reading)
            best[item, reading] = (
                rank,
                set(part.index),
                {
                    key: f"readings.csv: {reading} gives {part.at[key, 'reproduced']}"
                    for key in came
                },
            )
    found: dict[tuple, str] = {}
    taken: list[tuple] = []
    for (item, _), (_, cells, said) in sorted(best.items(), key=lambda entry: entry[1][0]):
        if not any(item == other and cells & touched for other, touched in taken):
            taken.append((item, cells))
            found |= said
    return found


def again(row, base) -> str:
    """The verdict of a reading's number by the smaller of its error and the default's."""
    z, ours, theirs = (number(value) for value in (row["z"], row["se"], base["se"]))
    if row["basis"] != "error" or z is None or ours is None or theirs is None:
        return row["verdict"]
    distance = abs(z) * ours / min(ours, theirs) if min(ours, theirs) else abs(z)
    return "within" if distance <= farthest(number(base["n"])) else "outside"


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
