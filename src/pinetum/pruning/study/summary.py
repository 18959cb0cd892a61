"""What is set beside the published tables: one row per printed number."""

import numpy as np
import pandas as pd

from pinetum.pruning.pruners import PRUNERS, slug
from pinetum.pruning.study.ranks import (
    COMPANY,
    TIED_PERCENT,
    TOTAL,
    cross_validation_means,
    means_by,
)
from pinetum.report.rows import ReproducedRows
from pinetum.validation import average_ranks

# data set here -> its name in Tables 2 and 3
PRINTED = {
    "mushroom-mode": ("agaricus-lepiota", "aga"),
    "audiology-mode": ("audiology", "aud"),
    "car": ("car", "car"),
    "splice-dna": ("dna", "dna"),
    "hayes-roth": ("hayes-roth", "hay"),
    "kr-vs-kp": ("kr-vs-kp", "krkp"),
    "monks-1": ("monks-1", "mon1"),
    "monks-2": ("monks-2", "mon2"),
    "monks-3": ("monks-3", "mon3"),
    "nursery": ("nursery", "nur"),
    "promoters": ("promoters", "pro"),
    "soybean-mode": ("soybean", "soy"),
    "tic-tac-toe": ("tic-tac-toe", "tic"),
    "vote-value": ("house votes", "vot"),
    "average": ("average", "average"),
}
MARKS = {"+": "better than SYNTH", "-": "worse than SYNTH", "": "no difference"}
SYNTH = (  # stands in the paper's SYNTH column; the program as printed has a table of its own
    "SYNTH+"
)


def printed_name(pruner):
    return "SYNTH" if pruner == SYNTH else pruner


def reproduced(ranks, real_tests, records, folds, published):
    """All rows; a row of `folds` says of each data set of the run whether it had data."""
    rows = ReproducedRows(published)
    table_1(rows, ranks)
    tables_2_and_3(rows, folds)
    facts(rows, ranks, real_tests, records)
    return rows.frame()


def table_1(rows, ranks):
    for entry in ranks[ranks["group"] == SYNTH].to_dict("records"):
        name, removed, n = printed_name(entry["pruner"]), str(entry["removed"]), entry["data_sets"]
        note = "SYNTH+, its charge fitted to Table 3" if name == "SYNTH" else ""
        # as many data sets as the paper's, or the error of as many
        theirs = entry["se"] * np.sqrt(n / PAPER_DATA_SETS[removed == TOTAL])
        rows.measured(
            ("Table 1", removed, name),
            entry["rank"],
            se=entry["se"],
            published_se=theirs,
            n=n,
            note=note,
        )
        if name == "NOP":
            rows.exact(("Table 1", removed, "data sets"), n, n=n)
        if name != "SYNTH":
            mark = MARKS["" if pd.isna(entry["mark"]) else entry["mark"]]
            rows.exact(
                ("Table 1, marks", removed, name),
                mark,
                n=n,
                note=f"against SYNTH+, z {entry['z']:+.1f}",
            )


PAPER_DATA_SETS = (12_000, 60_000)  # with each number of attributes removed, and in total


def cross_validations(folds):
    """{(data set or `average`, pruner): table of error, nodes and rank, a line per
    cross-validation}.
    """
    names = [*COMPANY, SYNTH]
    means = cross_validation_means(folds)
    means = means[means["pruner"].isin(names)]
    if not len(means):
        return {}
    errors = means.pivot(index=["repeat", "dataset"], columns="pruner", values="error")[names]
    ranks = pd.DataFrame(
        average_ranks(errors.to_numpy(), TIED_PERCENT), index=errors.index, columns=names
    )
    means["rank"] = (
        ranks.stack()
        .reindex(pd.MultiIndex.from_frame(means[["repeat", "dataset", "pruner"]]))
        .to_numpy()
    )
    found = dict(list(means.groupby(["dataset", "pruner"])[["error", "nodes", "rank"]]))
    average = means.groupby(["repeat", "pruner"])[["error", "nodes", "rank"]].mean().reset_index()
    found |= {
        ("average", pruner): part
        for pruner, part in average.groupby("pruner")[["error", "nodes", "rank"]]
    }
    return found


def tables_2_and_3(rows, folds):
    """One value per cross-validation; the paper's numbers are those of a single one."""
    statuses = dict(zip(folds["dataset"], folds["status"], strict=True))
    absent = {
        dataset: statuses.get(dataset, "not_run") for dataset in PRINTED if dataset != "average"
    }
    absent["average"] = next(
        (status for status in ("no_data", "not_run") if status in absent.values()), "ok"
    )
    found = cross_validations(folds)
    for dataset, (long, short) in PRINTED.items():
        for pruner in (*COMPANY, SYNTH):
            name, entry = printed_name(pruner), found.get((dataset, pruner))
            keys = {
                "error": ("Table 2", long, f"{name} error"),
                "rank": ("Table 2", long, f"{name} rank"),
                "nodes": ("Table 3", short, name),
            }
            for column, key in keys.items():
                if entry is None or absent[dataset] != "ok":
                    rows.absent(key, absent[dataset])
                else:
                    note = "SYNTH+, its charge fitted to Table 1" if pruner == SYNTH else ""
                    rows.repeated(key, entry[column], note=note)
    if absent["average"] == "ok":
        statements(rows, {pruner: found["average", pruner] for pruner in (*COMPANY, SYNTH)})


def statements(rows, of):
    """Sentences on the averages over the data sets, by their differences in every
    cross-validation.
    """
    tuned = ("WEBP", "TWEBP")
    sentences = {
        "NOP better than WEBP and TWEBP in mean error": [
            ("error", "NOP", rival) for rival in tuned
        ],
        "NEBP better than WEBP and TWEBP in mean error": [
            ("error", "NEBP", rival) for rival in tuned
        ],
        "NEBP prunes the least but NOP": [("nodes", other, "NEBP") for other in (*tuned, SYNTH)],
        "SYNTH prunes between NEBP and WEBP, TWEBP": [
            ("nodes", SYNTH, "NEBP"),
            *(("nodes", other, SYNTH) for other in tuned),
        ],
    }
    for sentence, smaller in sentences.items():
        gaps = [
            of[larger][kind].to_numpy() - of[less][kind].to_numpy()
            for kind, less, larger in smaller
        ]
        margins = [gap.mean() / gap.std(ddof=1) if len(gap) > 1 else np.nan for gap in gaps]
        holds = all(gap.mean() > 0 for gap in gaps)
        rows.statement(
            ("Text", "real data sets", sentence), holds, margin=min(margins), n=len(gaps[0])
        )


def facts(rows, ranks, real_tests, records):
    total = ranks[(ranks["group"] == SYNTH) & (ranks["removed"].astype(str) == TOTAL)].set_index(
        "pruner"
    )["rank"]
    repetitions = records["repetition"].nunique()
    rows.exact(
        ("Text", "smallest training set", "cases"), int(records["training"].min()), n=len(records)
    )
    rows.exact(
        ("Text", "generated data sets of one procedure", "data sets"), len(records) // repetitions
    )
    per_removed = records.groupby("removed").size()
    rows.exact(
        ("Text", "data sets per number of removed attributes", "data sets"),
        int(per_removed.iloc[0]),
    )
    rows.exact(("Text", "repetitions", "repetitions"), repetitions)
    for sentence, better, rivals in (
        ("SYNTH best in total", SYNTH, COMPANY),
        ("WEBP ranks above TWEBP", "WEBP", ("TWEBP",)),
    ):
        holds, margin = (
            all(total[better] < total[rival] for rival in rivals),
            rank_margin(records, better, rivals),
        )
        note = "its charge fitted to Table 3" if better == SYNTH else ""
        rows.statement(
            ("Text", "synthetic data", sentence), holds, margin=margin, n=repetitions, note=note
        )
    key = ("Text", "real data sets", "Friedman at 0.05")
    if not len(real_tests):
        return rows.absent(key, "no_data")
    single = real_tests[
        (real_tests["group"] == SYNTH) & (real_tests["repeat"].astype(str) != "mean")
    ]
    rejected = (single["iman_davenport_p"] < 0.05).mean()
    note = f"rejected in {rejected:.0%} of the cross-validations"
    rows.exact(key, "rejected" if rejected > 0.5 else "not rejected", n=len(single), note=note)


def rank_margin(records, better, rivals):
    """Least lead of a pruner's rank over its rivals', in standard errors over the repetitions of
    the experiment.
    """
    five = [*COMPANY, SYNTH]
    ranks = average_ranks(-np.column_stack([records[f"hits_{slug(name)}"] for name in five]))
    means = pd.DataFrame(means_by(ranks, records["repetition"].to_numpy()), columns=five)
    leads = [means[rival] - means[better] for rival in rivals]
    return min(
        lead.mean() / (lead.std(ddof=1) / np.sqrt(len(lead))) if len(lead) > 1 else np.nan
        for lead in leads
    )


def methods_table(ranks, real, names):
    """Every pruner on both kinds of data: rank as fifth and among all, real error, nodes, rank."""
    rows = []
    for name in names:
        group = name if name not in COMPANY else "SYNTH+"
        line = {
            "pruner": PRUNERS[name].label,
            "published in": PRUNERS[name].paper,
            "what it does": PRUNERS[name].about,
        }
        here = ranks[(ranks["group"] == group) & (ranks["pruner"] == name)].set_index(
            ranks["removed"].astype(str)[(ranks["group"] == group) & (ranks["pruner"] == name)]
        )
        for removed in here.index:
            line[f"rank as fifth, {'all' if removed == TOTAL else removed + ' removed'}"] = (
                here.loc[removed, "rank"]
            )
        among = ranks[
            (ranks["group"] == "all")
            & (ranks["pruner"] == name)
            & (ranks["removed"].astype(str) == TOTAL)
        ]
        line["rank among all"] = among["rank"].iloc[0]
        if len(real):
            mine = real[(real["pruner"] == name) & (real["dataset"] == "average")]
            line["real error %"] = mine["error"].iloc[0]
            line["real nodes"] = mine["nodes"].iloc[0]
            line["real rank as fifth"] = mine[mine["group"] == group]["rank"].iloc[0]
            line["real rank among all"] = mine[mine["group"] == "all"]["rank"].iloc[0]
        rows.append(line)
    return pd.DataFrame(rows).round(3)


def real_table(real, names, value, spread=True):
    """Data sets by pruners: `value`, with its spread over cross-validations."""
    rows = []
    for dataset in dict.fromkeys(real["dataset"]) if len(real) else ():
        line = {"data set": PRINTED.get(dataset, (dataset,))[0]}
        for name in names:
            entry = real[
                (real["dataset"] == dataset) & (real["pruner"] == name) & (real["group"] == "all")
            ].iloc[0]
            line[name] = f"{entry[value]:.1f}"
            if spread and not np.isnan(entry[f"{value}_spread"]):
                line[name] += f" ± {entry[f'{value}_spread']:.1f}"
        rows.append(line)
    return pd.DataFrame(rows, columns=["data set", *names])


def size_and_accuracy(folds, records, names, column):
    """Per study and pruner: error percent and nodes, the whole tree = 1 (means over data sets)."""
    rows = []
    nodes_of = {name: records[column("nodes", name)].to_numpy(float) for name in names}
    for removed in [*sorted(records["removed"].unique()), TOTAL]:
        some = (
            np.ones(len(records), bool)
            if removed == TOTAL
            else (records["removed"] == removed).to_numpy()
        )
        for name in names:
            error = 100 * (
                1
                - records[column("hits", name)].to_numpy(float) / records["tested"].to_numpy(float)
            )
            share = nodes_of[name] / nodes_of["NOP"]
            rows.append(
                {
                    "study": "generated",
                    "data": removed,
                    "pruner": name,
                    "error": error[some].mean(),
                    "nodes": nodes_of[name][some].mean(),
                    "share_of_nodes": share[some].mean(),
                }
            )
    means = cross_validation_means(folds)
    if len(means):
        means = (
            means.groupby(["dataset", "pruner"], sort=False)[["error", "nodes"]]
            .mean()
            .reset_index()
        )
        whole = means[means["pruner"] == "NOP"].set_index("dataset")["nodes"]
        means["share_of_nodes"] = means["nodes"] / means["dataset"].map(whole)
        for name in names:
            for entry in means[means["pruner"] == name].to_dict("records"):
                rows.append(
                    {
                        "study": "real",
                        "data": entry["dataset"],
                        "pruner": name,
                        "error": entry["error"],
                        "nodes": entry["nodes"],
                        "share_of_nodes": entry["share_of_nodes"],
                    }
                )
    return pd.DataFrame(rows)
