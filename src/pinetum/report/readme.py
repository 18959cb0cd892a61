"""What a run leaves in the repository: verdict counts and figures in the README, the numbers that
the site shows.
"""

import re
import time
from pathlib import Path

from pinetum.files import whole_file
from pinetum.report.page import read, run_facts, served_by
from pinetum.report.tables import markdown
from pinetum.workflow.jobs import write_records

BEGIN, END = "<!-- results: written by `snakemake update_readme` -->", "<!-- end of results -->"
# pixels of a committed figure, or half of its own where that is more: text must stay legible
WIDTH = 900


KINDS = ("all sources", "package index alone")


def update(
    readme, *, comparison, verdicts, counts, cost, availability, synth, figures, numbers, folder
) -> None:
    text = Path(readme).read_text(encoding="utf-8")
    if BEGIN not in text or END not in text:
        raise ValueError(f"{readme}: misses the line {BEGIN!r} or {END!r}; put both back")
    served = read(availability)
    parts = parts_of(text) | {kind_of(served): counts_part(read(counts), read(cost), served)}
    picture = keep_figures(figures, numbers, Path(folder))
    shown = [f"{mark(kind)}\n{parts[kind]}{CLOSE}\n" for kind in KINDS if kind in parts]
    block = "\n".join([*shown, synth_part(read(synth)), picture])
    if kind_of(served) == KINDS[0]:
        keep_numbers(comparison, verdicts)
    text = re.sub(
        f"{re.escape(BEGIN)}.*{re.escape(END)}",
        lambda _: f"{BEGIN}\n{block}\n{END}",
        text,
        flags=re.S,
    )
    with whole_file(readme) as file:
        file.write(text)


def keep_numbers(comparison, verdicts) -> None:
    """Our side of every published number.

    The published side has its one place in config/published.
    """
    rows = read(comparison)[["paper", "item", "row", "column", "reproduced", "z", "verdict"]]
    write_records(rows[rows["verdict"] != "not_run"], verdicts)


CLOSE = "<!-- end of counts -->"


def mark(kind) -> str:
    return f"<!-- counts: {kind} -->"


def parts_of(text: str) -> dict[str, str]:
    """The counts that are there already, by kind: a run writes its own and keeps the other."""
    found = {
        kind: re.search(f"{re.escape(mark(kind))}\n(.*?){re.escape(CLOSE)}", text, flags=re.S)
        for kind in KINDS
    }
    return {kind: match[1] for kind, match in found.items() if match}


def kind_of(availability) -> str:
    """Whether UCI's own files served the run, from a mirror or its site, or the package index
    alone.
    """
    return KINDS[0] if availability["source"].isin(["mirror", "uci"]).any() else KINDS[1]


def counts_part(counts, cost, availability) -> str:
    total = cost[cost["study"] == "total"].iloc[0]
    core_minutes = float(total["seconds_core"]) / 60
    return (
        f"**Data from {kind_of(availability).replace('package', 'the package')}.**"
        f" {served_by(availability)} Run of {time.strftime('%Y-%m-%d')} on"
        f" {run_facts(0)['machine']}: {total['jobs']} jobs, {core_minutes:.0f}"
        f" core-minutes.\n\n{markdown(list(counts.columns), counts.values.tolist())}"
    )


def synth_part(versions) -> str:
    """The paper's invented pruning rule as printed, with one number added, and what our own search
    finds.
    """
    return (
        "**The invented pruning rule, three ways.** The function that the paper of the study"
        " `pruning` prints is not the one that made its tables. With one number added, fitted to"
        " one table and judged on the other, it is. The last columns are what our own search"
        f" finds.\n\n{markdown(list(versions.columns), versions.values.tolist())}"
    )


def keep_figures(figures, numbers, folder: Path) -> str:
    """Keep the pictures that the site shows; the README's line for that of all numbers."""
    shrink(Path(numbers), folder / "all_numbers.png")
    for figure in map(Path, figures):
        shrink(figure, folder / f"{figure.parent.name}_{figure.stem}.png")
    caption = (
        "Every published number against ours, one dot a number; colour: verdict, shape: evidence."
    )
    return f"![{caption}]({folder.as_posix()}/all_numbers.png)\n*{caption}*\n"


def shrink(png: Path, target: Path) -> None:
    from PIL import Image

    image = Image.open(png).convert("RGB")
    width = max(WIDTH, image.width // 2)
    if image.width > width:
        image = image.resize(
            (width, round(image.height * width / image.width)), Image.Resampling.LANCZOS
        )
    with whole_file(target, "wb") as file:
        image.quantize(192).save(file, "PNG", optimize=True)
