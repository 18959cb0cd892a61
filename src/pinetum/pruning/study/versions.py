"""SYNTH as printed, with our charge, and what our own search found, side by side: numbers and the
paper's sentences.
"""

import numpy as np
import pandas as pd

from pinetum.pruning.evolution.sources import CELLS, PURPOSES, network_material
from pinetum.pruning.forest import Trees
from pinetum.pruning.methods import prune_trees
from pinetum.pruning.networks import networks
from pinetum.pruning.pruners import FOUND
from pinetum.pruning.study.ranks import COMPANY, TIED_PERCENT, TOTAL, cross_validation_means
from pinetum.report.rows import KEY
from pinetum.validation import average_ranks

PRINTED = {"SYNTH": "SYNTH as printed", "SYNTH+": "SYNTH+ (with a charge)"}
LARGEST = 99.0  # standard errors that are shown
SIGNIFICANT = (
    2.0  # standard errors by which a sentence has to hold or fail; in between it is undecided
)


# sentence, removed attributes, rivals, whether SYNTH is the better one
GENERATED_SENTENCES = (
    ("better than NOP, NEBP, WEBP and TWEBP in total", TOTAL, COMPANY, True),
    ("better than WEBP and TWEBP with no attribute removed", 0, COMPANY[2:], True),
    *(
        (f"worse than WEBP with {removed} attributes removed", removed, ("WEBP",), False)
        for removed in (2, 3, 4)
    ),
)
REAL_NUMBERS = (
    ("mean error on the real data sets, %", "error", ("Table 2", "average", "SYNTH error")),
    ("mean rank on the real data sets", "rank", ("Table 2", "average", "SYNTH rank")),
    ("mean nodes on the real data sets", "nodes", ("Table 3", "average", "SYNTH")),
)
SELF = "self"  # the version in question
REAL_SENTENCES = (
    ("lowest mean rank", "rank", [(SELF, rival) for rival in COMPANY]),
    ("lowest mean error", "error", [(SELF, rival) for rival in COMPANY]),
    (
        "prunes more than NEBP, less than WEBP and TWEBP",
        "nodes",
        [(SELF, "NEBP"), ("WEBP", SELF), ("TWEBP", SELF)],
    ),
)


def side_by_side(published, root, functions, trees, reading, records):
    """One row per number or sentence of the paper, one column per version of the function.

    `records` are cross-validations of the real data sets with every version as a column.
    """
    names = {**PRINTED, **{FOUND + found.name: found.name for found in functions}}
    numbers = dict(zip(map(tuple, published[KEY].values), published["published"], strict=True))
    removed = (*range(5), TOTAL)
    head = [
        f"rank on generated data, {'in total' if k == TOTAL else f'{k} removed'}" for k in removed
    ]
    paper = [numbers.get(("Table 1", str(k), "SYNTH"), "") for k in removed]
    head += [f"generated data: {sentence}" for sentence, *_ in GENERATED_SENTENCES]
    paper += ["yes"] * len(GENERATED_SENTENCES)
    columns, real = {}, real_cells(records, names)
    if real:
        head += [what for what, *_ in REAL_NUMBERS] + [
            f"real data: {sentence}" for sentence, *_ in REAL_SENTENCES
        ]
        paper += [numbers.get(key, "") for *_, key in REAL_NUMBERS] + ["yes"] * len(REAL_SENTENCES)
    material = generated(root, functions, trees, reading)
    for name, label in names.items():
        cells = generated_cells(name, *material)
        column = [with_error(*cells[k]["rank"]) for k in removed]
        for _, k, rivals, better in GENERATED_SENTENCES:
            column.append(
                verdict(
                    [
                        (mean if better else -mean, se)
                        for mean, se in (cells[k][who] for who in rivals)
                    ]
                )
            )
        if real:
            column += [
                with_error(*mean_error(real[name][key][name]), 2) for _, key, _ in REAL_NUMBERS
            ]
            column += [
                verdict(gaps(real[name][key], name, pairs)) for _, key, pairs in REAL_SENTENCES
            ]
        columns[label] = column
    return pd.DataFrame({"what": head, "paper": paper} | columns)


def generated(root, functions, trees, reading):
    """Material of fresh data sets, hits of every version, removed attributes and repetition of each
    data set.
    """
    test = network_material(root, PURPOSES[3], trees)
    sets = networks(root, PURPOSES[3], range(-(-trees // CELLS)))
    hits = {name: prune_trees(name, Trees(test.forest), reading).hits for name in PRINTED}
    hits |= {FOUND + found.name: test.judge(found.program).copy() for found in functions}
    return test, hits, sets.removed, sets.repetition


def generated_cells(name, test, hits, removed, repetition):
    """removed -> rank of a version as fifth, and by how much each of the four ranks behind it.

    (mean, error) each.
    """
    ranks = average_ranks(-np.column_stack([*test.better, hits[name]]))
    cells = {}
    for label in (*range(5), TOTAL):
        some = np.ones(len(ranks), bool) if label == TOTAL else removed == label
        per = (
            pd.DataFrame(ranks[some], columns=[*test.references, "rank"])
            .groupby(repetition[some])
            .mean()
        )
        cells[label] = {"rank": mean_error(per["rank"])}
        cells[label] |= {rival: mean_error(per[rival] - per["rank"]) for rival in COMPANY}
    return cells


def real_cells(records, names):
    """version -> error, nodes and rank as fifth: a line per cross-validation, averaged over the
    data sets.
    """
    good = records[records["status"] == "ok"]
    if good.empty:
        return {}
    means = cross_validation_means(good)
    cells = {}
    for name in names:
        five = [*COMPANY, name]
        mine = means[means["pruner"].isin(five)]
        tables = {
            key: mine.pivot(index=["repeat", "dataset"], columns="pruner", values=key)
            for key in ("error", "nodes")
        }
        ranks = average_ranks(tables["error"][five].to_numpy(), TIED_PERCENT)
        tables["rank"] = pd.DataFrame(ranks, index=tables["error"].index, columns=five)
        cells[name] = {key: table.groupby("repeat").mean() for key, table in tables.items()}
    return cells


def mean_error(values):
    return float(values.mean()), (
        float(values.std(ddof=1) / np.sqrt(len(values))) if len(values) > 1 else np.nan
    )


def gaps(table, name, pairs):
    """By how much the second of each pair exceeds the first, with its error."""
    columns = [tuple(name if side == SELF else side for side in pair) for pair in pairs]
    return [mean_error(table[larger] - table[smaller]) for smaller, larger in columns]


def verdict(differences):
    """`yes` where every difference is above zero by its error, `no` where one is below, else
    `undecided`.
    """
    if any(np.isnan(error) for _, error in differences):
        return "undecided (one repeat)"
    z = min(mean / max(error, abs(mean) / LARGEST, 1e-12) for mean, error in differences)
    word = "yes" if z > SIGNIFICANT else "no" if z < -SIGNIFICANT else "undecided"
    return f"{word} (z {z:+.1f})"


def with_error(mean, error, digits=3):
    return f"{mean:.{digits}f}" + ("" if np.isnan(error) else f" ± {error:.{digits}f}")
