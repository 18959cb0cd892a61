"""What comes of the records: published numbers, their readings, summaries and tables, a function
for each.
"""

import math

import numpy as np
import pandas as pd

from pinetum.pruning.pruners import BEYOND, FOUND, PAPER, PRUNERS, slug
from pinetum.pruning.replication.ranks import (
    COMPANY,
    FIVE,
    PRINTED,
    SYNTH,
    TIED_PERCENT,
    TOTAL,
    cross_validation_means,
    mean_error,
    means_by,
    network_ranks,
    real_ranks,
)
from pinetum.report.rows import KEY, ReproducedRows
from pinetum.validation import average_ranks

NAMES = (*PAPER, *BEYOND)
PAPER_REPETITIONS = 1000

# ---------------------------------------------------------------- ranks and tests


def ranks(synthetic):
    """Ranks on generated data sets, five pruners at a time and all at once."""
    return network_ranks(synthetic, NAMES)[0]


def synthetic_tests(synthetic):
    """Tests that the pruners differ on generated data sets."""
    return network_ranks(synthetic, NAMES)[1]


def uci(uci_folds):
    """Error, nodes and rank per real data set, five pruners at a time and all at once."""
    return real_ranks(uci_folds, NAMES)[0]


def uci_tests(uci_folds):
    """Tests that the pruners differ on the real data sets, per cross-validation and of their
    means.
    """
    return real_ranks(uci_folds, NAMES)[1]


# ---------------------------------------------------------------- the published numbers

MARKS = {"+": "better than SYNTH", "-": "worse than SYNTH", "": "no difference"}


def printed_name(pruner):
    return "SYNTH" if pruner == SYNTH else pruner


def reproduced(ranks, uci_tests, synthetic, uci_folds, found_cells, published):
    """All rows; a row of the folds says of each data set of the run whether it had data."""
    rows = ReproducedRows(published)
    table_1(rows, ranks)
    tables_2_and_3(rows, uci_folds)
    facts(rows, ranks, uci_tests, synthetic)
    searched(rows, found_cells)
    return rows.frame()


def table_1(rows, ranks):
    for entry in ranks[ranks["group"] == "SYNTH"].to_dict("records"):
        removed, n = str(entry["removed"]), entry["data_sets"]
        theirs = entry["se"] * np.sqrt(n / PAPER_DATA_SETS[removed == TOTAL])
        key = ("Table 1, as printed", removed, entry["pruner"])
        rows.measured(key, entry["rank"], se=entry["se"], published_se=theirs, n=n)
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
    names = list(FIVE)
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
        status = absent[dataset] if absent[dataset] != "ok" or found else "not_run"
        for pruner in FIVE:
            name, entry = printed_name(pruner), found.get((dataset, pruner))
            note = "SYNTH+, its charge fitted to Table 1" if pruner == SYNTH else ""
            for column, key in {
                "error": ("Table 2", long, f"{name} error"),
                "nodes": ("Table 3", short, name),
            }.items():
                if status == "ok":
                    rows.repeated(key, entry[column], note=note)
                else:
                    rows.absent(key, status)
        keys = [("Table 2", long, f"{printed_name(pruner)} rank") for pruner in FIVE]
        ranks = [found[dataset, pruner]["rank"].to_numpy() for pruner in FIVE if status == "ok"]
        if status == "ok" and dataset != "average":
            rows.ranked(keys, np.column_stack(ranks), note="with SYNTH+")
        for turn, key in enumerate(keys):
            if status != "ok":
                rows.absent(key, status)
            elif dataset == "average":  # a mean, judged by its error
                rows.repeated(key, ranks[turn], note="with SYNTH+")
    if absent["average"] == "ok":
        statements(rows, real_cells(folds, ["SYNTH", SYNTH]))


# sentence -> version of SYNTH that ranks are made with, and (what, smaller, larger) that must hold
TUNED = ("WEBP", "TWEBP")
REAL_STATEMENTS = {
    "NOP better than WEBP and TWEBP in mean error": ("SYNTH", [("error", "NOP", TUNED)]),
    "NEBP better than WEBP and TWEBP in mean error": ("SYNTH", [("error", "NEBP", TUNED)]),
    "NEBP better than WEBP and TWEBP in mean rank": ("SYNTH", [("rank", "NEBP", TUNED)]),
    "NEBP prunes the least but NOP": ("SYNTH", [("nodes", (*TUNED, "SYNTH"), "NEBP")]),
    "WEBP and TWEBP prune the most": (
        "SYNTH",
        [("nodes", rival, ("NOP", "NEBP", "SYNTH")) for rival in TUNED],
    ),
    "as printed, SYNTH has the lowest mean rank": ("SYNTH", [("rank", "SYNTH", COMPANY)]),
    "as printed, SYNTH has the lowest mean error": ("SYNTH", [("error", "SYNTH", COMPANY)]),
    "as printed, SYNTH prunes between NEBP and WEBP, TWEBP": (
        "SYNTH",
        [("nodes", "SYNTH", "NEBP"), ("nodes", TUNED, "SYNTH")],
    ),
    "SYNTH has the lowest mean rank": (SYNTH, [("rank", SYNTH, COMPANY)]),
    "SYNTH has the lowest mean error": (SYNTH, [("error", SYNTH, COMPANY)]),
    "SYNTH prunes between NEBP and WEBP, TWEBP": (
        SYNTH,
        [("nodes", SYNTH, "NEBP"), ("nodes", TUNED, SYNTH)],
    ),
}


def statements(rows, of):
    """Sentences on the averages over the data sets, by their differences in every
    cross-validation; the paper has one, so a difference's own scatter is its error.
    """
    for sentence, (version, wanted) in REAL_STATEMENTS.items():
        found = [
            of[version][kind][large] - of[version][kind][small]
            for kind, smaller, larger in wanted
            for small in each(smaller)
            for large in each(larger)
        ]
        key = ("Text", "real data sets", sentence)
        margins = [gap.mean() / gap.std() if len(gap) > 1 else np.nan for gap in found]
        always = np.column_stack(found) > 0
        note = f"in {always.all(axis=1).mean():.0%} of the cross-validations"
        holds = all(gap.mean() > 0 for gap in found)
        rows.statement(key, holds, margin=min(margins), n=len(found[0]), note=note)


def each(names):
    return (names,) if isinstance(names, str) else names


def searched(rows, cells):
    """What our own program search found, on fresh generated data: its lead over the function that
    it began with, and over all four.
    """
    total = cells[(cells["removed"].astype(str) == TOTAL) & cells["pruner"].str.startswith(FOUND)]
    for sentence, rivals in (
        ("a program search improves on NEBP", ["NEBP"]),
        ("a program search beats NOP, NEBP, WEBP and TWEBP", list(COMPANY)),
    ):
        leads = total[total["what"].isin(rivals)]
        key = ("Text", "synthetic data", sentence)
        if leads.empty:
            rows.absent(key)
            continue
        margins = leads["mean"] / leads["se"]
        least = leads.loc[margins.idxmin()]
        note = f"leads {least['what']} by {least['mean']:.3f} ± {least['se']:.3f} of a rank"
        rows.statement(key, bool((leads["mean"] > 0).all()), margin=margins.min(), note=note)


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
    printed = ranks[(ranks["group"] == "SYNTH") & (ranks["removed"].astype(str) == TOTAL)]
    as_printed = printed.set_index("pruner")["rank"]
    for sentence, table, better, rivals in (
        ("SYNTH best in total", total, SYNTH, COMPANY),
        ("as printed, SYNTH best in total", as_printed, "SYNTH", COMPANY),
        ("as printed, SYNTH ranks above NEBP", as_printed, "SYNTH", ("NEBP",)),
        ("as printed, SYNTH ranks above WEBP", as_printed, "SYNTH", ("WEBP",)),
        ("WEBP ranks above TWEBP", as_printed, "WEBP", ("TWEBP",)),
    ):
        holds = all(table[better] < table[rival] for rival in rivals)
        margin = rank_margin(records, better, rivals, SYNTH if table is total else "SYNTH")
        note = f"rank {table[better]:.3f}, the others' best {min(table[list(rivals)]):.3f}"
        key = ("Text", "synthetic data", sentence)
        rows.statement(key, holds, margin=margin, n=repetitions, note=note)
    for version, column in (
        (SYNTH, "Friedman at 0.05"),
        ("SYNTH", "as printed, Friedman at 0.05"),
    ):
        key = ("Text", "real data sets", column)
        if not len(real_tests):
            rows.absent(key, "no_data")
            continue
        single = real_tests[
            (real_tests["group"] == version) & (real_tests["repeat"].astype(str) != "mean")
        ]
        rejected = (single["iman_davenport_p"] < 0.05).mean()
        note = f"rejected in {rejected:.0%} of the cross-validations"
        rows.exact(key, "rejected" if rejected > 0.5 else "not rejected", n=len(single), note=note)


def rank_margin(records, better, rivals, fifth):
    """Least lead of a pruner's rank over its rivals', in standard errors over the repetitions of
    the experiment; ranked beside the four others is `fifth`.
    """
    five = [*COMPANY, fifth]
    ranks = average_ranks(-np.column_stack([records[f"hits_{slug(name)}"] for name in five]))
    means = pd.DataFrame(means_by(ranks, records["repetition"].to_numpy()), columns=five)
    leads = [means[rival] - means[better] for rival in rivals]
    return min(
        lead.mean() / (lead.std(ddof=1) / np.sqrt(len(lead))) if len(lead) > 1 else np.nan
        for lead in leads
    )


# ---------------------------------------------------------------- readings


def readings(alternatives, ranks, uci, published):
    """The published numbers under every reading: the main study's numbers, shifted by as much as
    the reading shifts them; a reading that draws other data stands for itself.
    """
    found = {}
    for name, part in alternatives.groupby("reading", sort=False):
        rows = ReproducedRows(published)
        shifted_ranks(rows, part[part["what"] == "rank"], ranks)
        shifted_tables(rows, part[part["what"] != "rank"], uci)
        found[name] = rows.frame()
    return found


def shifted_ranks(rows, shifts, ranks):
    """Table 1 under a reading."""
    mine = ranks[ranks["group"] == SYNTH]
    main = {
        (str(removed), pruner): (rank, se)
        for removed, pruner, rank, se in mine[["removed", "pruner", "rank", "se"]].values
    }
    for one in shifts.to_dict("records"):
        rank, se = one["mean"], one["deviation"] / math.sqrt(one["repeats"])
        if not np.isnan(one["shift"]):  # the same data as the main study's
            rank, se = main[str(one["data"]), one["pruner"]]
            rank += one["shift"]
            se = math.hypot(se, one["shift_deviation"] / math.sqrt(one["repeats"]))
        rows.measured(
            ("Table 1", str(one["data"]), printed_name(one["pruner"])),
            rank,
            se=se,
            published_se=one["deviation"] / math.sqrt(PAPER_REPETITIONS),
            n=int(one["data_sets"]),
        )


def shifted_tables(rows, shifts, uci):
    """Errors of Table 2 and sizes of Table 3 under a reading."""
    main = uci[uci["group"] == SYNTH].set_index(["dataset", "pruner"])
    for one in shifts.to_dict("records"):
        what, name = one["what"], printed_name(one["pruner"])
        long, short = PRINTED.get(one["data"], (one["data"], one["data"]))
        key = ("Table 2", long, f"{name} error") if what == "error" else ("Table 3", short, name)
        if key not in rows:
            continue
        theirs = main.loc[one["data"], one["pruner"]]
        spread, times = theirs[f"{what}_spread"], theirs["repeats"]
        ours = one["shift_deviation"] / math.sqrt(one["repeats"])
        rows.measured(
            key,
            theirs[what] + one["shift"],
            se=math.hypot(spread / math.sqrt(times), ours),
            published_se=spread,  # the paper's number is a single cross-validation
            n=int(times),
        )


# ---------------------------------------------------------------- summaries and tables


def size_and_accuracy(synthetic, uci_folds):
    """Per study and pruner: error percent and nodes, the whole tree = 1 (means over data sets)."""
    rows, records = [], synthetic
    nodes_of = {name: records[f"nodes_{slug(name)}"].to_numpy(float) for name in NAMES}
    for removed in [*sorted(records["removed"].unique()), TOTAL]:
        some = (
            np.ones(len(records), bool)
            if removed == TOTAL
            else (records["removed"] == removed).to_numpy()
        )
        for name in NAMES:
            error = 100 * (
                1
                - records[f"hits_{slug(name)}"].to_numpy(float) / records["tested"].to_numpy(float)
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
    means = cross_validation_means(uci_folds)
    if len(means):
        means = (
            means.groupby(["dataset", "pruner"], sort=False)[["error", "nodes"]]
            .mean()
            .reset_index()
        )
        whole = means[means["pruner"] == "NOP"].set_index("dataset")["nodes"]
        means["share_of_nodes"] = means["nodes"] / means["dataset"].map(whole)
        for name in NAMES:
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


def pruners(ranks, uci):
    """Every pruner on both kinds of data: rank as fifth and among all, real error, nodes, rank."""
    rows = []
    for name in NAMES:
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
        if len(uci):
            mine = uci[(uci["pruner"] == name) & (uci["dataset"] == "average")]
            line["real error %"] = mine["error"].iloc[0]
            line["real nodes"] = mine["nodes"].iloc[0]
            line["real rank as fifth"] = mine[mine["group"] == group]["rank"].iloc[0]
            line["real rank among all"] = mine[mine["group"] == "all"]["rank"].iloc[0]
        rows.append(line)
    return pd.DataFrame(rows).round(3)


def share_of_possible(possible):
    """Pruners by kind of data: gain on test cases, and errors saved on training cases, as shares of
    the most that any pruning can.
    """
    return pd.DataFrame([line for line in shares(possible) if line.pop("shown")]).round(1)


def shares(possible):
    """One line per pruner: per kind of data the shares in percent with their standard errors."""
    good = possible[possible["status"] == "ok"]
    for pruner in dict.fromkeys(good["pruner"]):
        mine, line = good[good["pruner"] == pruner], {"pruner": pruner, "shown": pruner != "NOP"}
        generated, real = (mine[mine["kind"] == kind] for kind in ("generated", "real"))
        for what, gained, most, cases in (
            ("test cases", "test_gain", "test_possible", "tested"),
            ("training cases", "training_saved", "training_possible", "trained"),
        ):
            rates = real.groupby("data", sort=False)[[gained, most, cases]].sum(min_count=1)
            rates = rates[[gained, most]].div(rates[cases], axis=0)  # a data set counts as one
            for kind, terms in (("generated", generated), ("real", rates)):
                value, error = ratio(terms[gained], terms[most])
                line[f"{kind}, {what} %"], line[f"{kind}, {what}, se"] = value, error
        yield line


def ratio(gained, most):
    """Ratio of two sums in percent, and its standard error over the terms."""
    if not most.sum() > 0:
        return np.nan, np.nan
    share = gained.sum() / most.sum()
    left = (gained - share * most) / most.mean()
    error = left.std(ddof=1) / np.sqrt(len(left)) if len(left) > 1 else np.nan
    return 100 * share, 100 * error


def uci_errors(uci):
    """Data sets by pruners: test error in percent, with its spread over cross-validations."""
    return real_table(uci, "error")


def uci_nodes(uci):
    """Data sets by pruners: nodes of the pruned trees, with their spread."""
    return real_table(uci, "nodes")


def real_table(uci, value):
    """Data sets by pruners: `value`, with its spread over cross-validations."""
    all_at_once = uci[uci["group"] == "all"].set_index(["dataset", "pruner"])
    rows = []
    for dataset in dict.fromkeys(uci["dataset"]):
        line = {"data set": PRINTED.get(dataset, (dataset,))[0]}
        for name in NAMES:
            entry = all_at_once.loc[dataset, name]
            line[name] = f"{entry[value]:.1f}"
            if not np.isnan(entry[f"{value}_spread"]):
                line[name] += f" ± {entry[f'{value}_spread']:.1f}"
        rows.append(line)
    return pd.DataFrame(rows, columns=["data set", *NAMES])


def tests(synthetic_tests, uci_tests):
    """The tests on generated data in total and on the real data sets' means."""
    total = synthetic_tests[synthetic_tests["removed"].astype(str) == TOTAL]
    mean = uci_tests[uci_tests["repeat"].astype(str) == "mean"]
    tested = pd.concat(
        [total.assign(study="generated"), mean.assign(study="real")]
        if len(mean)
        else [total.assign(study="generated")],
        ignore_index=True,
    )
    tested = tested.rename(columns={"group": "fifth algorithm"})
    first = ["study", "fifth algorithm"]
    left_out = {*first, "removed", "repeat", "version", "commit", "measured_by"}
    return tested[[*first, *(name for name in tested if name not in left_out)]]


def speed(synthetic_speed, uci_speed):
    """Data sets per second of one core, and seconds of a cross-validation of all real ones."""
    seconds = synthetic_speed["paper_seconds"].sum()
    return [
        {
            "study": "generated data sets",
            "what": "data sets per core-second, the paper's pruners with the tuning",
            "seconds": seconds,
            "rate": synthetic_speed["data_sets"].sum() / seconds,
        },
        {
            "study": "Tables 2 and 3",
            "what": "seconds for one cross-validation of all data sets under every pruner",
            "seconds": (uci_speed["seconds"] / uci_speed["repeats"]).sum(),
        },
    ]


# ---------------------------------------------------------------- found functions


def found_uci(found_folds):
    """Tables 2 and 3 with the found functions as columns: error percent and nodes per data set and
    pruner.
    """
    records = found_folds[["dataset", "pruner", "status", "tested", "errors", "nodes", "note"]]
    good = records[records["status"] == "ok"]
    if good.empty:
        return records.assign(error=None)
    sums = good.groupby(["dataset", "pruner"], sort=False)[["errors", "tested", "nodes"]].agg(
        {"errors": "sum", "tested": "sum", "nodes": "mean"}
    )
    table = sums.assign(error=100 * sums["errors"] / sums["tested"])[
        ["error", "nodes"]
    ].reset_index()
    absent = records[records["status"] != "ok"][["dataset", "status", "note"]]
    return pd.concat([table.assign(status="ok"), absent], ignore_index=True)


def found(found_ranks, found_folds):
    """The found functions on fresh data, and a sentence on where each does and does not
    generalise, from the numbers.
    """
    real = found_uci(found_folds)
    means = real[real["status"] == "ok"].groupby("pruner")["error"].mean()
    plus = found_ranks[found_ranks["function"] == "SYNTH+"].iloc[0]
    rows = found_ranks.drop(columns=["version", "commit", "measured_by"], errors="ignore")
    said = [
        "" if row["function"] in PRUNERS else statement(row, plus, means)
        for row in rows.to_dict("records")
    ]
    return rows.assign(statement=said)


def statement(row, plus, means):
    gain = plus["rank_as_fifth"] - row["rank_as_fifth"]
    spread = 3 * np.hypot(plus["se"], row["se"])
    verb = (
        "better than" if gain > spread else "worse than" if gain < -spread else "no different from"
    )
    both = f"({row['rank_as_fifth']:.3f} and {plus['rank_as_fifth']:.3f})"
    text = f"On fresh generated data its rank is {verb} SYNTH+'s {both}."
    name = FOUND + row["function"]
    if name in means:
        kind = "does not carry over" if means[name] >= means["NEBP"] else "carries over"
        text += (
            f" To the real data sets it {kind}: mean error {means[name]:.2f} % where NEBP has"
            f" {means['NEBP']:.2f} % and WEBP {means['WEBP']:.2f} %."
        )
    return text


VERSIONS = {"SYNTH": "SYNTH as printed", "SYNTH+": "SYNTH+ (with a charge)"}
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


def synth_versions(found_cells, found_folds, published):
    """SYNTH as printed, with our charge, and what our own search found, side by side: one row per
    number or sentence of the paper, one column per version of the function.
    """
    names = {
        name: VERSIONS.get(name, name.removeprefix(FOUND))
        for name in dict.fromkeys(found_cells["pruner"])
    }
    keys = found_cells[["pruner", "removed", "what"]].astype(str)
    cells = dict(
        zip(map(tuple, keys.values), found_cells[["mean", "se"]].values.tolist(), strict=True)
    )
    numbers = dict(zip(map(tuple, published[KEY].values), published["published"], strict=True))
    removed = [*map(str, range(5)), TOTAL]
    head = [
        f"rank on generated data, {'in total' if k == TOTAL else f'{k} removed'}" for k in removed
    ]
    paper = [numbers.get(("Table 1", k, "SYNTH"), "") for k in removed]
    head += [f"generated data: {sentence}" for sentence, *_ in GENERATED_SENTENCES]
    paper += ["yes"] * len(GENERATED_SENTENCES)
    columns, real = {}, real_cells(found_folds, names)
    if real:
        head += [what for what, *_ in REAL_NUMBERS] + [
            f"real data: {sentence}" for sentence, *_ in REAL_SENTENCES
        ]
        paper += [numbers.get(key, "") for *_, key in REAL_NUMBERS] + ["yes"] * len(REAL_SENTENCES)
    for name, label in names.items():
        column = [with_error(*cells[name, k, "rank"]) for k in removed]
        for _, k, rivals, better in GENERATED_SENTENCES:
            leads = [cells[name, str(k), rival] for rival in rivals]
            column.append(verdict([(mean if better else -mean, se) for mean, se in leads]))
        if real:
            column += [
                with_error(*mean_error(real[name][key][name]), 2) for _, key, _ in REAL_NUMBERS
            ]
            column += [
                verdict(gaps(real[name][key], name, pairs)) for _, key, pairs in REAL_SENTENCES
            ]
        columns[label] = column
    return pd.DataFrame({"what": head, "paper": paper} | columns)


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
