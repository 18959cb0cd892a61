"""The page on rivals: who is ahead where, in words, then the tables and pictures that say so."""

import os
import re
from pathlib import Path

from pinetum.files import whole_file
from pinetum.report.figures import shrink
from pinetum.report.page import run_facts
from pinetum.report.tables import markdown
from pinetum_benchmarks.peers.questions import QUESTIONS, variant_name
from pinetum_benchmarks.peers.rivals import OURS

HEAD = """# Other libraries beside this one

Made by `snakemake --snakefile benchmarks/Snakefile peers` and its target `update_peers_page`, on {machine}; every
section says when. Times are CPU seconds on one thread, warm, taken in turns, the median of {repeats};
ratios are ours over theirs, so below 1 ours is faster. Sizes and limits of the run stand with every question; others
are set in `benchmarks/config/config.yaml`. Every rival runs in its own environment (`benchmarks/envs`), on the same tables and folds.
`p` is Wilcoxon's signed-rank test over data sets, adjusted by Holm within a question; the effect is the share of ranks
above zero less that below, -1 where ours is always better. What could not be installed, failed, met a limit of CPU time
or memory, or ended without the proof that was asked for is counted under `not ok`; what gave up on a smaller form
of a question and was not asked for a larger one is `not_run`.

![Mean ratio of times of every rival, in the last run of all questions]({folder}overview.png)
"""  # noqa: E501
LESS = {
    "leaves": "fewer leaves",
    "errors": "fewer errors",
    "error": "a lower error",
    "search_errors": "fewer errors on the folds",
}
COLUMNS = {
    "rival": "rival",
    "version": "version",
    "ok": "tables",
    "failed": "not ok",
    "ratio": "time ratio",
    "faster": "faster",
    "slower": "slower",
    "p_seconds": "p",
    "effect_seconds": "effect",
    "better": "better",
    "equal": "equal",
    "worse": "worse",
    "same": "same answer",
    "same_leaves": "same leaves",
    "same_predictions": "same predictions",
    "difference": "difference",
    "p_measure": "p of measure",
    "effect_measure": "effect of measure",
    "differs": "what differs",
}


FORMS = {
    "form": "form",
    "rival": "rival",
    "sets": "data sets",
    "repeats": "repeats",
    "error_ours": "our error, %",
    "error_theirs": "theirs, %",
    "better": "ours lower",
    "equal": "equal",
    "worse": "ours higher",
    "p": "p",
    "p_adjusted": "p, Holm",
    "effect": "effect",
    "leaves_ours": "our leaves",
    "leaves_theirs": "theirs",
    "ratio": "time ratio",
}


def write_page(
    page, summary, forms, friedman, limits, settings, folder="../figures/peers/"
) -> None:
    facts = run_facts(0)
    text = HEAD.format(
        machine=facts["machine"],
        repeats=(
            f"{settings['repeats']} calls"
            if settings["repeats"] > 1
            else "one call after the warm-up"
        ),
        folder=folder,
    )
    for question in dict.fromkeys(summary["question"]):
        text += section(question, summary, forms, friedman, limits, settings, folder)
    with whole_file(page) as file:
        file.write(text)


def section(question, summary, forms, friedman, limits, settings, folder) -> str:
    asked, own = QUESTIONS[question], summary[summary["question"] == question]
    plan = settings | settings["questions"][question]
    first = own.iloc[0]
    text = (
        f"\n## {asked.title}\n\nMeasured {first['date']}, commit"
        f" {first['commit'] or 'of an installed package'}. "
    )
    text += f"Asked: {asked.asks}. {told_of(plan, asked)}\n\n{sentences(own, asked.measure)}\n\n"
    measure = asked.measure.replace("_", " ")
    names = {
        **COLUMNS,
        "better": f"fewer {measure}",
        "worse": f"more {measure}",
        "p_measure": f"p ({measure})",
    }
    names["effect_measure"] = f"effect ({measure})"
    kept = [name for name in names if name in own and own[name].notna().any()]
    text += markdown(
        [names[name] for name in kept],
        [[short(value) for value in row] for row in own[kept].values],
    )
    text += table_of_forms(forms[forms["question"] == question] if len(forms) else forms)
    ranks = friedman[friedman["question"] == question] if len(friedman) else friedman
    for measure in dict.fromkeys(ranks["measure"]) if len(ranks) else ():
        part = ranks[ranks["measure"] == measure]
        listed = ", ".join(
            f"{row.contestant} {row.rank:.2f}" for row in part.sort_values("rank").itertuples()
        )
        first = part.iloc[0]
        text += f"\nAverage ranks in {measure} over {first['tables']} tables: {listed} "
        text += f"(Friedman: chi-square {first['chi2']:.1f}, p {short(first['p'])}).\n"
    ends = limits[limits["question"] == question] if len(limits) else limits
    if len(ends):
        text += "\nHow far they came on made tables:\n\n"
        shown = ["grows", "contestant", "largest", "seconds", "memory_mb", "stopped_at", "by"]
        text += markdown(
            [name.replace("_", " ") for name in shown],
            [list(map(short, row)) for row in ends[shown].values],
        )
    return f"{text}\n![{asked.title}: ratio of times per table]({folder}{question}.png)\n"


def table_of_forms(forms) -> str:
    """Errors of every form of a question, ours and a rival's on the data sets that both
    answered.
    """
    if not len(forms):
        return ""
    text = (
        "\nEvery form by itself, over the data sets that both answered; errors are means over"
        " repeats and data sets, "
    )
    text += (
        "leaves and times as well; `p` is Wilcoxon's over data sets, beside it as adjusted by Holm"
        " within a form:\n\n"
    )
    kept = [name for name in FORMS if name in forms and forms[name].notna().any()]
    return text + markdown(
        [FORMS[name] for name in kept], [list(map(short, row)) for row in forms[kept].values]
    )


def told_of(plan, asked) -> str:
    """Forms, sizes and limits of a question."""
    call = "the work on one training part" if asked.kind == "folds" else "a call"
    text = (
        f"{len(plan['datasets'])} data sets, of each at most {plan['most_cases']:,} cases; {call}"
        " may take "
    )
    text += f"{plan['cpu_seconds']} CPU seconds and {plan['memory_mb']:,} MB."
    if "variants" in plan:
        text += f" Asked for each: {'; '.join(map(variant_name, plan['variants']))}."
    more: dict[str, list[str]] = {}
    for name, variants in plan.get("variants_of", {}).items():
        more.setdefault("; ".join(map(variant_name, variants)), []).append(name)
    text += "".join(f" For {', '.join(names)} also: {also}." for also, names in more.items())
    if asked.kind == "folds":
        text += f" {plan['folds']} folds"
        if plan.get("fold_repeats", 1) > 1:
            text += (
                f", drawn anew up to {plan['fold_repeats']} times: who has taken"
                f" {plan['repeat_seconds']} CPU seconds "
            )
            text += (
                "for a table begins no further repeat, two contestants are compared on the repeats"
                " that both finished, "
            )
            text += "and a time is that of one repeat"
        text += "."
    if any(contestant.grid for contestant in asked.contestants):
        text += f" Options are chosen on {plan['inner_folds']} folds inside each training part."
    return text


def sentences(own, measure) -> str:
    """Where a rival wins comes first."""
    told = []
    for row in own[own["package"] != OURS].to_dict("records"):
        if row["ok"] == 0:
            told.append(f"{row['rival']} gave no answer ({row['failed']}).")
            continue
        if row.get("slower", 0) == row.get("slower", 0) and row.get("slower", 0) > 0:
            of = int(row["faster"] + row["slower"])
            told.append(f"**{row['rival']} is faster on {int(row['slower'])} of {of} tables.**")
        if row.get("worse", 0) == row.get("worse", 0) and row.get("worse", 0) > 0:
            of = int(row["better"] + row["equal"] + row["worse"])
            told.append(
                f"**{row['rival']} has {LESS[measure]} on {int(row['worse'])} of {of} tables.**"
            )
    return " ".join(told) or "No rival is ahead on any table, in time or in what is measured."


def short(value):
    """Three digits of a number."""
    if value is None or value != value:
        return ""
    if isinstance(value, float):
        return f"{value:.3g}" if abs(value) >= 0.001 or value == 0 else f"{value:.0e}"
    return value


def publish(made, figures, page, folder) -> None:
    """Put the page and its figures where they are kept.

    Sections of questions not asked stay as they are.

    The picture of all questions stays, too, where not all of them were asked.
    """
    page, folder = Path(page), Path(folder)
    text = Path(made).read_text(encoding="utf-8")
    way = Path(os.path.relpath(folder, page.parent)).as_posix()
    text = text.replace("](../figures/peers/", f"]({way}/peers_")
    before = sections_of(page.read_text(encoding="utf-8")) if page.exists() else {}
    after = sections_of(text)
    titles = [each.title for each in QUESTIONS.values()]
    known = {title: (before | after)[title] for title in titles if title in before | after}
    for png in map(Path, figures):
        if png.stem != "overview" or set(known) == set(after) - {""}:
            shrink(png, folder / f"peers_{png.name}")
    with whole_file(page) as file:
        file.write("\n".join([after[""], *known.values()]))


def sections_of(text) -> dict[str, str]:
    """Parts of a page by their headings of the second level.

    What stands before the first is that of no name.

    >>> sections_of("# Page\\n\\n## A\\n\\none\\n\\n## B\\n\\ntwo\\n")
    {'': '# Page\\n', 'A': '## A\\n\\none\\n', 'B': '## B\\n\\ntwo\\n'}
    """
    parts = re.split(r"\n(?=## )", text)
    named = {part.partition("\n")[0].removeprefix("## "): part for part in parts[1:]}
    return {"": parts[0]} | named
