"""One row per method that was compared and per study that ran: what it found, or why it has no
answer.
"""

import json
from pathlib import Path

import pandas as pd

from pinetum.files import plain_cell
from pinetum.own.compare import COLUMNS
from pinetum.validation.samples import joined
from pinetum.workflow.jobs import read_records

SUMMARY = ("study", *COLUMNS)


def summary_of(compared: pd.DataFrame, studies: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """The compared methods, then one row per study from its records; errors in percent.

    A study's folds are its own, so its errors stand beside those of the compared methods, not
    against them.
    """
    rows = [{"study": "", **row} for row in compared.to_dict("records")]
    for study, records in studies.items():
        rows.append({"study": study, **(row_of(study, records) or refused(records))})
    return pd.DataFrame(rows, columns=list(SUMMARY))


def refused(records) -> dict:
    """Status and reason of a study without a result."""
    return {"method": "", "status": records["status"].iloc[0], "note": note_of(records.iloc[0])}


def note_of(row) -> str:
    return row["note"] if isinstance(row.get("note"), str) else ""


def row_of(study, records) -> dict | None:
    """The study's best result, or None where it has none."""
    return READERS[study](records) if study in READERS else None


def of_distinct(records):
    row = records.iloc[0]
    if "search_error" not in row or pd.isna(row["search_error"]):
        return None
    subset = json.loads(row["subset"])
    says = f"{row['search_error']:.2f} % of the search cases; " + (
        "proved to be the least" if row["proved"] else f"none is below {row['bound']:.2f} %"
    )
    return found(row, cases="cases", seconds="seconds") | {
        "method": "best subset",
        "features": len(subset),
        "used": row["subset"],
        "note": joined(says, note_of(row)),
    }


def of_elimination(records):
    row = records.iloc[0]
    if "error" not in row or pd.isna(row["error"]):
        return None
    used = records.loc[(records["what"] == "feature") & (records["kept"] == 1), "feature"]
    return found(row, test_error="error", features="kept", seconds="seconds") | {
        "method": "backward elimination",
        "used": json.dumps([plain_cell(name) for name in used], ensure_ascii=False),
    }


def best_by(records, column):
    good = records[records["status"] == "ok"]
    return (
        None if good.empty or column not in good else good.loc[good[column].astype(float).idxmin()]
    )


def of_pruning(records):
    row = best_by(records, "error")
    return (
        None
        if row is None
        else found(row, method="pruner", test_error="error", test_error_se="error_spread")
    )


def of_nbdt(records):
    row = best_by(records[records["method"] == "OPTNBDT"], "error")
    return (
        None
        if row is None
        else found(
            row,
            method="method",
            test_error="error",
            test_error_se="se",
            leaves="leaves",
            cases="cases",
            seconds="seconds",
        )
    )


def of_greedy_dp(records):
    if "gap" not in records or records["gap"].isna().all():
        return None
    row = records.iloc[0]
    nodes = records[records["cost"] == "L"].iloc[0]
    says = f"{nodes['most']:,.0f} nodes answer all cases, "
    says += (
        "no fewer do"
        if nodes["status"] == "optimal"
        else f"fewer than {nodes['least']:,.0f} do not"
    )
    return found(row, cases="cases", seconds="seconds") | {
        "method": "minimal tree",
        "note": joined(says, note_of(row)),
    }


def of_separators(records):
    row = best_by(records, "test_error")
    if row is None:
        return None
    depth = f", depth {row['depth_limit']}" if row["depth_limit"] else ", grown out"
    return found(
        row,
        test_error="test_error",
        test_error_se="test_error_se",
        features="features",
        seconds="seconds",
    ) | {"method": f"{row['method']}{depth}"}


READERS = {
    "distinct": of_distinct,
    "elimination": of_elimination,
    "pruning": of_pruning,
    "nbdt": of_nbdt,
    "greedy_dp": of_greedy_dp,
    "separators": of_separators,
}


def found(row, **columns) -> dict:
    """A row of the summary: its columns from columns of the study's record."""
    return {"status": "ok", "note": note_of(row)} | {
        ours: row[theirs] for ours, theirs in columns.items()
    }


def read_studies(paths) -> dict[str, pd.DataFrame]:
    """Records of the studies by their files' names."""
    return {Path(path).stem: read_records(path) for path in paths}
