"""What Table 1 leaves open, each choice changed alone: rules of the trees, and what the final tree
may use.
"""

import pandas as pd

from pinetum.elimination.study import records as study
from pinetum.elimination.study.rows import rows_of
from pinetum.elimination.study.summary import PAPER_REPEATS, TABLE, percent, repeats_of
from pinetum.induction import Grower, yadt
from pinetum.progress import Progress
from pinetum.report.readings import DEFAULT, judge_readings
from pinetum.report.rows import ReproducedRows

# what changes in the options of the trees; the last ones grow the top tree alone
RULES = {
    "default": {},
    "parent": {"lowest_class": False},
    "any branch": {"min_branch": 0.0},
    "no penalty": {"penalty": False},
    "least side": {"side_share": True},
}
OF_TOP_TREES = ("any branch", "no penalty", "least side")
# reading -> rules, and the column that has the errors of the final tree
READINGS = {
    DEFAULT: ("default", "errors"),
    "leaf ties to the parent's class": ("parent", "errors"),
    "final tree may use all features that were not removed": ("default", "errors_kept"),
    "both": ("parent", "errors_kept"),
    "a branch of a split may have a single case": ("any branch", None),
    "a continuous split pays nothing": ("no penalty", None),
    "both sides of a cut have the least share of C4.5": ("least side", None),
}


def reading_records(settings, root) -> list[dict]:
    """Errors per fold under all rules, on the data sets and repeats of `readings`.

    Of its `top` the top trees alone.
    """
    study.warm_up()
    plan = settings["readings"]
    datasets, records = rows_of([*plan["datasets"], *plan["top"]]), []
    progress = Progress(len(RULES) * len(datasets), "data sets and rules")
    for rules, change in RULES.items():
        get = study.materials(
            settings | {"repeats": plan["repeats"], "curve": {"repeats": 1}}, root
        )
        for row, dataset in datasets.items():
            material = get(dataset)
            if material:
                material.rules = material.rules | change
            grow = top_record if rules in OF_TOP_TREES or dataset in plan["top"] else whole_record
            for repeat in range(plan["repeats"] if material else 0):
                for fold in range(settings["folds"]):
                    records.append(
                        {"rules": rules} | grow(material, row, settings["min_cases"], repeat, fold)
                    )
            progress.step()
    return records


def whole_record(material, row, min_cases, repeat, fold) -> dict:
    return study.eliminate_fold(material, row, min_cases, repeat, fold, black_box=False)[0]


def top_record(material, row, min_cases, repeat, fold) -> dict:
    """The tree of all features alone, by the grower: it knows rules that the elimination does
    not.
    """
    _, _, training, held_out = material.split(repeat, fold)
    tree = Grower(material.data, yadt(min_cases).but(**material.rules), cases=training).grow()
    errors = tree.errors(material.data, held_out)
    key = {"row": row, "dataset": material.name, "m": min_cases, "repeat": repeat, "fold": fold}
    return {**key, "status": "ok", "held_out": len(held_out), "top_errors": errors}


def judged(records, published) -> pd.DataFrame:
    """`readings.csv`: the errors of Table 1 under every reading."""
    found = {}
    for reading, (rules, errors) in READINGS.items():
        rows = ReproducedRows(published)
        chosen = records[records["rules"] == rules] if len(records) else records
        for row, part in chosen.groupby("row", sort=False) if len(chosen) else ():
            for method, column in (("top", "top_errors"), ("(P)SBE", errors)):
                key = (TABLE, row, f"{method} error")
                if key in rows and column:
                    each = repeats_of(part, percent(part, column))["mean"]
                    rows.repeated(key, each, published_repeats=PAPER_REPEATS)
        found[reading] = rows.frame()
    return judge_readings(published, found)
