"""What Table 1 leaves open of the trees, each choice changed alone on the same folds."""

import pandas as pd

from pinetum.elimination.replication.folds import FoldedTable, Item
from pinetum.elimination.replication.measure import FOLD_COLUMNS, eliminate_fold
from pinetum.elimination.replication.protocol import MIN_CASES, RULES, rows_of
from pinetum.elimination.warm import warm_up
from pinetum.induction import Grower
from pinetum.workflow.tables import absent, each_table

# What changes in the rules of the trees; `results` says which reading of the paper stands on which.
CHANGES = {
    "default": {},
    "parent": {"lowest_class": False},
    "any branch": {"min_branch": 0.0},
    "no penalty": {"penalty": False},
    "least side": {"side_share": True},
}
OF_TOP_TREES = ("any branch", "no penalty", "least side")  # the elimination does not know them


def compare_elimination_readings(readings, folds, cache_mb, seed):
    """Errors per fold under all rules; on the tables of `top` those of the tree of all features
    alone.
    """
    warm_up()
    rows = rows_of([*readings["datasets"], *readings["top"]])
    found: dict[str, list[dict]] = {rules: [] for rules in CHANGES}
    for row, table in each_table(rows):
        for rules, change in {} if absent(table) else CHANGES.items():
            folded = FoldedTable(rows[row], table, folds, cache_mb, seed, RULES | change)
            of_top = rules in OF_TOP_TREES or rows[row] in readings["top"]
            for repeat in range(readings["repeats"]):
                for fold in range(folds):
                    item = Item(row, MIN_CASES, repeat, fold)
                    record = (top_record if of_top else whole_record)(folded, item)
                    found[rules].append({"rules": rules} | record)
            del folded  # before the next one takes as much room
    records = [record for part in found.values() for record in part]
    columns = ["rules", *(name for name in FOLD_COLUMNS if name != "turn")]
    return {"reading_folds": pd.DataFrame(records, columns=columns)}


def key_of(folded, item) -> dict:
    key = {"row": item.row, "dataset": folded.name, "m": item.m}
    return key | {"repeat": item.repeat, "fold": item.fold}


def whole_record(folded, item) -> dict:
    return eliminate_fold(folded, key_of(folded, item), item)[0]


def top_record(folded, item) -> dict:
    """The tree of all features alone, by the grower: it knows rules that the elimination does
    not.
    """
    _, _, training, held_out = folded.split(item.repeat, item.fold)
    tree = Grower(folded.data, folded.options(item.m), cases=training).grow()
    errors = tree.errors(folded.data, held_out)
    found = {"status": "ok", "held_out": len(held_out), "top_errors": errors}
    return key_of(folded, item) | found
