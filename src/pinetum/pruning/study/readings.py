"""Which reading of the paper moves which cell: the tables again, one choice changed at a time.

All readings use the same seeds (networks, folds), so the shift from the base reading to another is hardly noise
of the draw. It is added to what the main study found under the base reading on its larger sample; only readings that
draw other data stand for themselves.
"""

import numpy as np
import pandas as pd

from pinetum.pruning.methods import prune_trees
from pinetum.pruning.networks import networks
from pinetum.pruning.pruners import PAPER
from pinetum.pruning.readings import Reading
from pinetum.pruning.study.ranks import COMPANY, TOTAL
from pinetum.pruning.study.records import BATCH, judged, network_trees_of, roles_of, slug, table_trees
from pinetum.pruning.study.summary import PRINTED
from pinetum.validation import average_ranks, repeated_folds

FIVE = (*COMPANY, "SYNTH+")
OF_NETWORKS_ONLY = {"portions", "equal_rows", "bias"}
OF_TABLES_ONLY = {"empty_leaves"}
CONTEXT = ["reading", "changed", "table", "row", "column", "published", "base", "value", "shift", "shift_se"]


def network_cells(root, repetitions, readings):
    """reading -> ranks of the five per data set, all on the same seeds; and the removed attributes of each."""
    hits = {name: [] for name in readings}
    removed = []
    for begin in range(0, repetitions, BATCH):
        mine = range(begin, min(begin + BATCH, repetitions))
        grown = {}
        for name, reading in readings.items():
            key = reading.growing
            if key not in grown:
                sets = networks(root, "readings", mine, reading.portions)
                grown[key] = network_trees_of(sets, reading, PAPER), sets.removed
            trees, last = grown[key]
            columns = judged(trees, reading, FIVE)
            hits[name].append(np.column_stack([columns[f"hits_{slug(pruner)}"] for pruner in FIVE]))
        removed.append(last)
    ranks = {name: average_ranks(-np.concatenate(parts)) for name, parts in hits.items()}
    return ranks, np.concatenate(removed)


def compare_networks(root, repetitions, base, alternatives, published, main):
    """Rows of Table 1: each cell under each alternative, and its shift with a standard error.

    `main` are the ranks of the main study: (removed, pruner) -> rank.
    """
    affected = {name: changes for name, changes in alternatives.items() if not set(changes) <= OF_TABLES_ONLY}
    readings = {"base": base} | {name: Reading.of(vars(base), **changes) for name, changes in affected.items()}
    ranks, removed = network_cells(root, repetitions, readings)
    rows = []
    for name in readings:
        shifts = ranks[name] - ranks["base"]
        for label in [*np.unique(removed), TOTAL]:
            some = np.ones(len(removed), bool) if label == TOTAL else removed == label
            for i, pruner in enumerate(FIVE):
                column = "SYNTH" if pruner == "SYNTH+" else pruner
                before, shift = main[str(label), pruner], shifts[some, i].mean()
                other_data = OF_NETWORKS_ONLY & set(alternatives.get(name, {}))
                rows.append(
                    {
                        "reading": name,
                        "changed": changed(alternatives.get(name, {})),
                        "table": "Table 1",
                        "row": str(label),
                        "column": column,
                        "published": published.get(("Table 1", str(label), column), np.nan),
                        "base": before,
                        "value": ranks[name][some, i].mean() if other_data else before + shift,
                        "shift": shift,
                        "shift_se": shifts[some, i].std(ddof=1) / np.sqrt(some.sum()),
                    }
                )
    return rows


def changed(changes):
    return ", ".join(f"{key}: {value}" for key, value in changes.items())


def table_cells(table, root, reading, outer, key):
    """error and nodes of the five on one cross-validation."""
    trees = table_trees(table, roles_of(outer, table.labels, root, key, reading.stratified_tuning), reading, FIVE)
    columns = judged(trees, reading, FIVE)
    cells = {}
    for pruner in FIVE:
        nodes = columns[f"nodes_{slug(pruner)}"].astype(float)
        if reading.empty_leaves == "not_counted":
            nodes = non_empty_nodes(trees, reading, pruner)
        error = 100 * (1 - columns[f"hits_{slug(pruner)}"] / trees.full.tested)
        cells[pruner] = error.mean(), nodes.mean()
    return cells


def non_empty_nodes(trees, reading, pruner):
    """Nodes that some training case reaches."""
    full = trees.full
    kept = full.kept(prune_trees(pruner, trees, reading).cut) & (full.nodes.n > 0)
    return np.add.reduceat(kept.astype(float), full.start[:-1])


def compare_tables(tables, root, base, alternatives, published, main):
    """Rows of Tables 2 and 3: the shift on one cross-validation of each table.

    `main` are the means of the main study: (data set, pruner) -> (error, nodes).
    """
    affected = {name: changes for name, changes in alternatives.items() if not set(changes) <= OF_NETWORKS_ONLY}
    readings = {"base": base} | {name: Reading.of(vars(base), **changes) for name, changes in affected.items()}
    rows = []
    for table in tables:
        outer = repeated_folds(table.labels, 10, 1, root, "pruning", "readings", table.name)[0]
        found = {
            name: table_cells(table, root, reading, outer, ("pruning", "readings", table.name))
            for name, reading in readings.items()
        }
        long, short = PRINTED.get(table.name, (table.name, table.name))
        for name, cells in found.items():
            for pruner in FIVE:
                column = "SYNTH" if pruner == "SYNTH+" else pruner
                for place, (item, line, cell) in enumerate(
                    (("Table 2", long, f"{column} error"), ("Table 3", short, column))
                ):
                    before, shift = main[table.name, pruner][place], cells[pruner][place] - found["base"][pruner][place]
                    rows.append(
                        {
                            "reading": name,
                            "changed": changed(alternatives.get(name, {})),
                            "table": item,
                            "row": line,
                            "column": cell,
                            "published": published.get((item, line, cell), np.nan),
                            "base": before,
                            "value": before + shift,
                            "shift": shift,
                        }
                    )
    return rows


def overview(cells):
    """One line per reading: how far the tables miss under it, and the cell it moves most."""
    rows = []
    for name, mine in cells.groupby("reading", sort=False):
        line = {"reading": name, "changed": mine["changed"].iloc[0]}
        ranks = mine[(mine["table"] == "Table 1") & (mine["row"] != TOTAL)]
        miss = ranks["value"] - ranks["published"]
        line["Table 1: rms miss"] = np.sqrt((miss**2).mean()) if len(ranks) else np.nan
        line["Table 1: largest miss"] = miss.abs().max() if len(ranks) else np.nan
        line["Table 1: moves most"] = most_moved(ranks)
        sizes = mine[mine["table"] == "Table 3"]
        off = (sizes["value"] / sizes["published"] - 1).abs()
        line["Table 3: median miss %"] = 100 * off.median() if len(sizes) else np.nan
        line["Table 3: cells off by more than 5 %"] = int((off > 0.05).sum()) if len(sizes) else np.nan
        line["Table 3: moves most"] = most_moved(sizes, relative=True)
        rows.append(line)
    return pd.DataFrame(rows).round(3)


def most_moved(cells, relative=False):
    shift = cells["shift"] / cells["base"] if relative else cells["shift"]
    if not len(cells) or not (shift.abs() > 0).any():
        return "none"
    place = shift.abs().idxmax()
    change = f"{100 * shift[place]:+.0f} %" if relative else f"{shift[place]:+.3f}"
    return f"{cells.loc[place, 'row']} {cells.loc[place, 'column']} {change}"
