"""The part of the README that a run writes: verdict counts, date, machine, a few figures."""

import re
import time
from pathlib import Path

from pinetum.files import whole_file
from pinetum.report.page import read, run_facts
from pinetum.report.tables import markdown

BEGIN, END = "<!-- results: written by `snakemake update_readme` -->", "<!-- end of results -->"
WIDTH = 900  # pixels of a committed figure


def update(readme, *, counts, cost, figures, folder, contents) -> None:
    text = Path(readme).read_text(encoding="utf-8")
    if BEGIN not in text or END not in text:
        raise ValueError(f"{readme}: misses the line {BEGIN!r} or {END!r}; put both back")
    block = results_block(read(counts), read(cost), figures, Path(folder), contents)
    text = re.sub(f"{re.escape(BEGIN)}.*{re.escape(END)}", lambda _: f"{BEGIN}\n{block}\n{END}", text, flags=re.S)
    with whole_file(readme) as file:
        file.write(text)


def results_block(counts, cost, figures, folder: Path, contents) -> str:
    total = cost[cost["study"] == "total"].iloc[0]
    core_minutes = float(total["seconds_core"]) / 60
    machine = run_facts(0)["machine"]
    lines = [
        f"Run of {time.strftime('%Y-%m-%d')} on {machine}: {total['jobs']} jobs, {core_minutes:.0f} core-minutes.\n",
        markdown(list(counts.columns), counts.values.tolist()),
    ]
    for figure in map(Path, figures):
        study, name = figure.parent.name, figure.stem
        shrink(figure, folder / f"{study}_{name}.png")
        caption = next(entry["caption"] for entry in contents[study]["figures"] if entry["name"] == name)
        lines.append(f"![{caption}]({folder.as_posix()}/{study}_{name}.png)\n*{caption}*\n")
    return "\n".join(lines)


def shrink(png: Path, target: Path) -> None:
    from PIL import Image

    image = Image.open(png).convert("RGB")
    if image.width > WIDTH:
        image = image.resize((WIDTH, round(image.height * WIDTH / image.width)), Image.Resampling.LANCZOS)
    with whole_file(target, "wb") as file:
        image.quantize(64).save(file, "PNG", optimize=True)
