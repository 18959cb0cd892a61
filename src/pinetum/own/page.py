"""The page of one table: what to take, how often it is wrong, what it misses, which columns it
needs, how to use it; then the file, all methods, the studies, how it was judged.

All of it follows from the one recommendation; what does not says why.
"""

import json
import re
from functools import cache
from html import escape
from importlib.resources import files
from pathlib import Path
from shlex import quote

import numpy as np
import pandas as pd
from jinja2 import Environment

from pinetum import __version__
from pinetum.data.options import as_command, flag_of
from pinetum.models import load
from pinetum.own import drawing
from pinetum.own.judging import RULE
from pinetum.own.methods import METHODS
from pinetum.own.summary import read_studies, summary_of
from pinetum.workflow.job import Plain
from pinetum.workflow.jobs import read_records, tell

MANY = 300  # columns that are listed
CLASSES = 8  # of a table of confusions
CHECKS = 30
TERMS = 4000  # characters of weighted sums
STUDIES = {  # what each study's row says, in words
    "distinct": "Is there a better subset of the columns?",
    "elimination": "How few columns are enough?",
    "pruning": "Which way of pruning errs least?",
    "nbdt": "How good is a shallow tree on a naive assumption?",
    "greedy_dp": "How small can a tree be that is right on every case?",
    "separators": "How good are weighted sums of few columns?",
}


def write_own_page(table, options, configuration, inputs) -> dict:
    """The summary and the page of one of the user's own tables."""
    summary = summary_of(inputs.compared, read_studies(inputs.files.studies))
    silent = summary[(summary["study"] != "") & (summary["status"] != "ok")]
    tell(*(f"{table}: {row.study}: {row.status}, {row.note}" for row in silent.itertuples()))
    folder = Path(inputs.files.compared).parent
    return {
        "summary": Plain(summary),
        "page": page_of(table, summary, folder, options, configuration),
    }


def page_of(name, summary, folder, options, configuration="") -> str:
    """`index.html`, which needs nothing beside it, from the summary and the files of the table."""
    methods = summary[summary["study"] == ""].set_index("method", drop=False)
    columns = read_records(folder / "columns.csv")
    told = (folder / "warnings.txt").read_text(encoding="utf-8").splitlines()
    best = methods[methods["recommended"] == 1]
    context = {
        "name": name,
        "version": __version__,
        "configuration": configuration,
        "file": Path(options["path"]).name,
        "outcome": str(options["class"]),
        "command": command_of(options),
        "checks": [as_command(line) for line in told[:CHECKS]],
        "hidden_checks": max(0, len(told) - CHECKS),
        "columns": [column_of(row) for row in columns.head(MANY).itertuples()],
        "n_columns": len(columns),
        "rule": RULE,
        "methods": [method_of(row) for row in methods.itertuples()],
        "studies": [study_of(row) for row in summary[summary["study"] != ""].itertuples()],
        "folder": f"results/own/{name}",
        "best": None,
    }
    if len(best):
        context |= recommendation(best.iloc[0], methods, folder, context)
    return template().render(context)


@cache
def template():
    text = files("pinetum.own").joinpath("page.html.jinja").read_text(encoding="utf-8")
    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    environment.filters["code"] = with_code
    return environment.from_string(text)


def with_code(text) -> str:
    """HTML of a text; what stands between backticks is code."""
    return re.sub("`([^`]*)`", r"<code>\1</code>", escape(text))


# -------------------------------------------------------------------------------------------------
# the recommendation


def recommendation(best, methods, folder, context) -> dict:
    said = pd.read_csv(folder / "predictions.csv", dtype=str, keep_default_na=False)
    model = load(folder / "models/recommended.json")
    classes = [str(name) for name in model.classes_]
    truth, answers = (
        pd.Categorical(plain(said[column]), categories=classes).codes
        for column in ("class", "recommended")
    )
    confusion = np.zeros((len(classes), len(classes)), dtype=np.int64)
    np.add.at(confusion, (truth, answers), 1)
    counts, cases = confusion.sum(axis=1), len(truth)
    wrong = cases - int(np.trace(confusion))
    usual = str(classes[int(np.argmax(counts))])
    trivial = methods.loc["majority", "test_error"] if "majority" in methods.index else np.nan
    trivially_wrong = round(trivial * cases / 100)
    judged = interval(wrong, cases)
    ranks, rare = drawing.ranks_of(counts), np.argsort(counts, kind="stable")
    always = (f"Always “{usual}”", *interval(trivially_wrong, cases), "k0")
    rows = [("This model", *judged, "k1"), always]
    trivially = best["method"] == "majority"
    folds = said["fold"].nunique()
    return {
        "best": best["method"],
        "trivial": trivially,
        "lead": lead(best, judged, usual, trivially),
        "usual": usual,
        "trivial_error": percent(trivial),
        "error": percent(judged[0]),
        "low": percent(judged[1]),
        "high": percent(judged[2]),
        "wrong": wrong,
        "cases": cases,
        "missed": missed(confusion, classes, rare, usual),
        "intervals": drawing.intervals(rows[1:] if trivially else rows),
        "picture": picture(model, counts, trivially),
        "classes": [
            {"name": classes[place], "cases": int(counts[place]), "rank": int(ranks[place])}
            for place in np.argsort(-counts, kind="stable")
        ],
        "bar": drawing.bar_html(counts, ranks),
        "recalls": [recall(confusion, classes, place, ranks) for place in rare if counts[place]],
        "confusion": confusion_rows(confusion, classes, rare) if len(classes) <= CLASSES else None,
        "answers": [classes[place] for place in rare],
        "folds": folds,
        "chosen": ", ".join(
            f"{METHODS[row.method].words} in {row.chosen:.0f}"
            for row in methods.sort_values("chosen", ascending=False, kind="stable").itertuples()
            if row.chosen > 0
        ),
        "own_error": percent(best["test_error"]),
        **columns_of(best, folder, len(model.feature_names_in_), judged[0]),
    }


def plain(column) -> pd.Series:
    """Cells as they were before a spreadsheet's formulas were marked by an apostrophe."""
    from pinetum.files import plain_cell

    return column.map(plain_cell).astype(str)


def interval(wrong, cases) -> tuple[float, float, float]:
    """Percent of the cases, with the limits of Wilson's 95 % interval."""
    z, rate = 1.959964, wrong / cases
    centre = (rate + z * z / (2 * cases)) / (1 + z * z / cases)
    half = z / (1 + z * z / cases) * np.sqrt(rate * (1 - rate) / cases + (z / (2 * cases)) ** 2)
    return 100 * rate, 100 * max(0.0, centre - half), 100 * min(1.0, centre + half)


def percent(value) -> str:
    return "" if value != value else f"{value:.2f} %" if 0 < value < 1 else f"{value:.1f} %"


def lead(best, judged, usual, trivially) -> str:
    if trivially:
        return (
            f"No method was shown to beat always answering “{usual}”, which is wrong on"
            f" {percent(judged[0])} of the cases."
        )
    words, columns = METHODS[best["method"]].words, int(best["features"])
    words = (
        words if words.startswith("one ") else f"a {words}".replace("a smallest", "the smallest")
    )
    words = words.replace("a best", "the best").replace("a weighted", "weighted")
    many = f"{columns} column{'s' * (columns != 1)}"
    asked = "" if "sum" in words else f"{int(best['questions'])} questions about "
    verb = "are" if words.startswith("weighted sums") else "is"
    first = words[0].upper() + words[1:]
    unseen = f"{percent(judged[0])} of cases it has not seen"
    return f"{first} with {asked}{many} {verb} wrong on {unseen}."


def missed(confusion, classes, rare, usual) -> str:
    """How many of each class but the usual one are recognised, the rarest first."""
    parts: list[str] = []
    for place in rare:
        cases, right = int(confusion[place].sum()), int(confusion[place, place])
        if cases and classes[place] != usual and len(parts) < 4:
            share = f"{100 * right / cases:.0f} %" if right else "none"
            parts.append(f"{share} of the {cases:,} “{classes[place]}”")
    return ", ".join(parts)


def recall(confusion, classes, place, ranks) -> dict:
    cases, right = int(confusion[place].sum()), int(confusion[place, place])
    share, low, high = interval(right, cases)
    return {
        "name": classes[place],
        "cases": cases,
        "right": right,
        "share": f"{share:.0f}",
        "range": f"{low:.0f}–{high:.0f}",
        "rank": int(ranks[place]),
    }


def confusion_rows(confusion, classes, rare) -> list[dict]:
    return [
        {
            "name": classes[place],
            "cells": [
                {"n": int(confusion[place, other]), "kind": "ok" if place == other else "bad"}
                for other in rare
            ],
        }
        for place in rare
    ]


def picture(model, counts, trivially) -> str:
    if trivially:
        return ""
    if hasattr(model.tree_, "weights"):
        text = model.to_text()
        cut = "" if len(text) <= TERMS else "\n… the whole: pinetum show models/recommended.json"
        return f"<pre>{escape(text[:TERMS] + cut)}</pre>"
    return drawing.tree_as_html(model.tree_, counts)


def columns_of(best, folder, offered, error) -> dict:
    """What the page says of each column of the model."""
    needed, used = read_records(folder / "needed.csv"), json.loads(best["used"])
    rows = []
    for row in needed.itertuples():
        says = "not shown to be needed: the other columns do as well"
        if row.verdict == "needed":
            says = "needed; nothing in this table stands in for it"
        elif row.verdict == "replaceable":
            says = f"can be replaced by {row.stand_in}: {percent(row.stand_in_error)}"
        rows.append(
            {
                "name": str(row.column),
                "says": says,
                "verdict": row.verdict,
                "models": f"{row.models} of {row.folds}",
                "without": percent(row.without),
            }
        )
    known = [row["name"] for row in rows if row["verdict"] != "open"]
    return {
        "used": used,
        "needed": rows,
        "known": known,
        "unknown": [row["name"] for row in rows if row["verdict"] == "open"],
        "untried": len(used) - len(rows),
        "unused": offered - len(used),
        "offered": offered,
    }


# -------------------------------------------------------------------------------------------------
# the rest


def command_of(options) -> str:
    """The command of `pinetum run` that reads the file as it was read."""
    file, outcome = Path(options["path"]).name, str(options["class"])
    parts = ["pinetum run", quote(file), "--outcome", quote(outcome)]
    for name, value in options.items():
        if name in ("path", "class", "format", "header", "values", "classes"):
            continue
        if isinstance(value, dict):
            cells = [f"{k}={','.join(v) if isinstance(v, list) else v}" for k, v in value.items()]
        else:
            cells = value if isinstance(value, list) else [value]
        for cell in cells:
            parts += [flag_of(name), quote(str(cell))]
    return " ".join(parts)


def column_of(row) -> dict:
    known = [getattr(row, key, "") for key in ("type", "why", "reason", "cure", "verdict")]
    kind, why, reason, cure, verdict = ("" if value != value else str(value) for value in known)
    missing = getattr(row, "missing", 0)
    return {
        "name": str(row.column),
        "type": kind,
        "why": why,
        "missing": f"{int(missing):,}" if missing and missing == missing else "none",
        "done": "the outcome" if kind == "class" else verdict if verdict == "used" else "left out",
        "reason": as_command("; ".join(part for part in (reason, cure) if part)),
    }


def method_of(row) -> dict:
    method, cases = METHODS[row.method], row.cases
    ok = row.status == "ok"
    low, high = interval(round(row.test_error * cases / 100), cases)[1:] if ok else (0, 0)
    note = row.note if isinstance(row.note, str) else ""
    return {
        "name": row.method,
        "words": method.words,
        "about": method.about,
        "ok": ok,
        "best": row.recommended == 1,
        "error": percent(row.test_error) if ok else row.status.replace("_", " "),
        "range": f"{low:.1f}–{high:.1f}" if ok else "",
        "questions": f"{int(row.questions):,}" if ok else "",
        "columns": f"{int(row.features):,}" if ok else "",
        "note": note,
        "model": row.model if ok else "",
    }


def study_of(row) -> dict:
    note = row.note if isinstance(row.note, str) else ""
    found = [f"wrong on {percent(row.test_error)}"] if row.test_error == row.test_error else []
    if row.features == row.features:
        found.append(f"{row.features:g} columns")
    if row.status != "ok":
        found = [row.status.replace("_", " ")]
    method = f"{row.method}: " if isinstance(row.method, str) and row.method else ""
    words = "; ".join([*found, *([note] if note else [])])
    return {"name": row.study, "asks": STUDIES.get(row.study, row.study), "found": method + words}
