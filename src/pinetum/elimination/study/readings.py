"""What Table 1 leaves open, each choice changed alone: how leaves break ties, and what the final tree may use."""

import pandas as pd

from pinetum.elimination.study import records as study
from pinetum.elimination.study.rows import rows_of
from pinetum.elimination.study.summary import PAPER_REPEATS, TABLE, percent, repeats_of
from pinetum.progress import Progress
from pinetum.report.readings import DEFAULT, judge_readings
from pinetum.report.rows import ReproducedRows

# reading -> whose way leaf ties go, and the column that has the errors of the final tree
READINGS = {
    DEFAULT: ("lowest", "errors"),
    "leaf ties to the parent's class": ("parent", "errors"),
    "final tree may use all features that were not removed": ("lowest", "errors_kept"),
    "both": ("parent", "errors_kept"),
}


def reading_records(settings, root) -> list[dict]:
    """Errors per fold under both ways of breaking ties, on the data sets and repeats of `readings`."""
    study.warm_up()
    plan = settings["readings"]
    datasets = rows_of(plan["datasets"])
    records = []
    progress = Progress(2 * len(datasets), "data sets and ways")
    for ties in ("lowest", "parent"):
        changed = settings | {"leaf_ties": ties, "repeats": plan["repeats"], "curve": {"repeats": 1}}
        get = study.materials(changed, root)
        for row, dataset in datasets.items():
            material = get(dataset)
            for repeat in range(plan["repeats"] if material else 0):
                for fold in range(settings["folds"]):
                    record, _ = study.eliminate_fold(
                        material, row, settings["min_cases"], repeat, fold, black_box=False
                    )
                    records.append({"leaf_ties": ties} | record)
            progress.step()
    return records


def judged(records, published) -> pd.DataFrame:
    """`readings.csv`: the errors of Table 1 under every reading."""
    found = {}
    for reading, (ties, errors) in READINGS.items():
        rows = ReproducedRows(published)
        of_ties = records[records["leaf_ties"] == ties] if len(records) else records
        for row, part in of_ties.groupby("row", sort=False) if len(of_ties) else ():
            for method, column in (("top", "top_errors"), ("(P)SBE", errors)):
                key = (TABLE, row, f"{method} error")
                if key in rows:
                    each = repeats_of(part, percent(part, column))["mean"]
                    rows.repeated(key, each, published_repeats=PAPER_REPEATS)
        found[reading] = rows.frame()
    return judge_readings(published, found)
