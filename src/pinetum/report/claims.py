"""What the papers claim, and whether it holds: one verdict per claim, computed from its rows.

`config/published/<paper>.yaml` has the claims: a sentence, where it stands, and the rows of the
comparison that decide it, or, where no number can, our verdict with its reason. Of the rows those
that something was fitted to decide nothing, and numbers that are undecided say nothing where others
are decided. What is left decides so: all within, the claim holds; some sentences, or more than half
of the numbers, it holds in part; else the worst counts.
"""

from fnmatch import fnmatchcase
from typing import NamedTuple

import pandas as pd

from pinetum.report.agreement import z_table
from pinetum.report.rows import KEY
from pinetum.report.verdicts import HEADLINE

RARE = 0.0027  # of chance, that numbers scatter as much together: three standard errors of one
TOGETHER = 4  # numbers whose joint scatter says something


class Verdict(NamedTuple):
    word: str
    mark: str
    about: str


VERDICTS = {
    "holds": Verdict("holds", "●", "everything that decides it came out"),
    "in part": Verdict("in part", "◐", "some of it came out, the rest did not or is undecided"),
    "undecided": Verdict("undecided", "?", "the opposite lies within the errors too"),
    "does not hold": Verdict("does not hold", "✕", "nothing of it came out"),
    "not testable": Verdict("not testable", "–", "no data, no run, or nothing to compare"),
}
PIECES = {"within": "holds", "undecided": "undecided", "outside": "does not hold"}


def matching(pattern: str, studies: list[str], rows: pd.DataFrame) -> pd.DataFrame:
    """The rows of a pattern `item | row | column`, or `study | item | row | column`."""
    parts = [part.strip() for part in pattern.split(" | ")]
    study = parts.pop(0) if len(parts) == 4 else studies[0]
    part = rows[rows["paper"] == study]
    hits = [
        all(fnmatchcase(value, wanted) for value, wanted in zip(key, parts, strict=True))
        for key in part[KEY].values
    ]
    return part[hits]


def judge_claim(claim: dict, studies: list[str], comparison: pd.DataFrame) -> dict:
    """The claim with `verdict`, `reason` and the `rows` themselves."""
    if "verdict" in claim:
        return claim | {"reason": claim["because"], "rows": comparison.iloc[:0]}
    rows = pd.concat([matching(one, studies, comparison) for one in claim["rows"]])
    verdict, reason = decide(rows)
    return claim | {"verdict": verdict, "reason": reason, "rows": rows}


def decide(rows: pd.DataFrame) -> tuple[str, str]:
    """The verdict that rows give together, and why, in a few words."""
    free = rows[rows["evidence"] != "fit"]
    found = free[free["verdict"].isin(PIECES)]
    if found.empty:
        return "not testable", untestable(rows)
    firm = found[found["verdict"] != "undecided"]
    number_rows = found["basis"].isin(["error", "quantile"])
    if len(firm) and number_rows.all():
        found = firm
    counts = found["verdict"].map(PIECES).value_counts()
    held, n = int(counts.get("holds", 0)), len(found)
    reason = f"{held} of {n} came out" if n > 1 else ""
    if held == n:
        chance = scatter(found)
        if chance is not None and chance < RARE:
            return "in part", f"all {n} singly, but together they scatter more than chance allows"
        return "holds", reason
    if held > (n / 2 if number_rows.all() else 0):
        return "in part", reason
    return ("does not hold" if "does not hold" in counts else "undecided"), reason


def scatter(rows: pd.DataFrame) -> float | None:
    """How likely these numbers would lie as far off together by chance; None of a few."""
    table = z_table(rows)
    if not len(table) or table["numbers"].iloc[-1] < TOGETHER:
        return None
    return float(table["chance"].iloc[-1])


def untestable(rows: pd.DataFrame) -> str:
    if (rows["evidence"] == "fit").any():
        return "only with something fitted to it"
    verdicts = set(rows["verdict"])
    if verdicts == {"no_data"}:
        return "the data were not found"
    if verdicts <= {"timing"}:
        return "seconds of other machines"
    return "left out of this run"


def judge_papers(papers: dict, comparison: pd.DataFrame) -> dict[str, dict]:
    """The papers with their claims judged and numbered, and what of their numbers agrees."""
    return {name: judge_paper(paper, comparison) for name, paper in papers.items()}


def judge_paper(paper: dict, comparison: pd.DataFrame) -> dict:
    claims = [
        judge_claim(claim, paper["studies"], comparison) | {"number": turn}
        for turn, claim in enumerate(paper["claims"], start=1)
    ]
    mine = comparison[comparison["paper"].isin(paper["studies"])]
    counts = mine.loc[mine["evidence"].isin(HEADLINE), "verdict"].value_counts()
    within, outside = (int(counts.get(name, 0)) for name in ("within", "outside"))
    fitted = int(((mine["evidence"] == "fit") & mine["verdict"].isin(PIECES)).sum())
    left = [
        f"{count} {words}"
        for count, words in (
            (int(counts.get("undecided", 0)), "undecided"),
            (fitted, "hang on something fitted"),
            (int(counts.get("no_data", 0)), "lack their data"),
            (int(counts.get("not_run", 0)), "not run"),
        )
        if count
    ]
    judged = within + outside
    facts = {"within": within, "judged": judged, "percent": round(100 * within / max(1, judged))}
    return paper | {"claims": claims, "rest": "; ".join(left)} | facts
