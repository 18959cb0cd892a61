"""The page a reader opens first: one self-contained HTML file, made from the results alone."""

import base64
import io
import os
import platform
import re
import time
from importlib import metadata
from pathlib import Path

import jinja2
import pandas as pd

from pinetum.files import plain_cell, results_folder
from pinetum.report.agreement import headline
from pinetum.report.comparison import verdict_counts
from pinetum.report.names import slug
from pinetum.report.origins import origins_in, read_origins
from pinetum.report.printed import number
from pinetum.report.tables import like, markdown, published_shape, readable
from pinetum.report.verdicts import EVIDENCE, HEADLINE, VERDICTS
from pinetum.workflow.jobs import provenance, read_text

PACKAGES = (
    "snakemake",
    "numpy",
    "pandas",
    "numba",
    "pulp",
    "highspy",
    "scipy",
    "seaborn",
    "matplotlib",
)
LARGEST_PICTURE = 60_000  # bytes; a larger one goes in as a PNG of few colours
LONGEST_TABLE = 60  # rows of a table of a study's own on the page; the CSV has all


def read(path) -> pd.DataFrame:
    return read_text(path).map(plain_cell)


def grid(frame: pd.DataFrame, label: str, classes=None, shown=lambda text: text) -> dict:
    """A table for the template; `classes` gives a cell's class from (column, text), `shown` what is
    written there.
    """
    classes = classes or (lambda column, text: "")
    lines = [
        [
            {"text": shown(text), "klass": classes(column, text)}
            for column, text in zip(frame.columns, map(readable, row), strict=True)
        ]
        for row in frame.itertuples(index=False)
    ]
    return {"header": [str(name) for name in frame.columns], "lines": lines, "label": label}


def brief(text: str) -> str:
    """A real number of many digits with four, or with none behind the point from a thousand on.

    The CSV has them all.

    >>> brief("6.851442167"), brief("-0.05391783784"), brief("12345.678"), brief("0.3912"), brief("1.9.1")
    ('6.851', '-0.05392', '12346', '0.3912', '1.9.1')
    """  # noqa: E501
    if not re.fullmatch(r"-?\d+\.\d{3,}", text):
        return text
    value = float(text)
    return f"{value:.4g}" if abs(value) < 1000 else f"{value:.0f}"


def verdict_class(column, text):
    if column == "verdict":
        return text
    return (
        "text"
        if column in ("note", "what", "chosen", "alternatives", "changes", "status", "quirks")
        else ""
    )


def marked_class(column, text):
    return "outside" if text.endswith("!") else ""


def picture(png: Path) -> dict:
    """A figure as a data URI: the SVG or else the PNG if it is small, or else with fewer
    colours.
    """
    from PIL import Image

    svg = png.with_suffix(".svg")
    image = Image.open(png)
    width, height = image.size[0] // 2, image.size[1] // 2
    if svg.exists() and svg.stat().st_size <= LARGEST_PICTURE:
        kind, data = "svg+xml", svg.read_bytes()
    elif png.stat().st_size <= LARGEST_PICTURE:
        kind, data = "png", png.read_bytes()
    else:
        buffer = io.BytesIO()
        image.convert("RGB").quantize(64).save(buffer, "PNG")
        kind, data = "png", buffer.getvalue()
    uri = f"data:image/{kind};base64,{base64.b64encode(data).decode()}"
    return {"data": uri, "width": width, "height": height, "wide": width > 500}


def summary(rows: pd.DataFrame) -> str:
    """Two sentences on a paper, from its numbers."""
    judged = rows[rows["verdict"].isin(["within", "outside"]) & rows["evidence"].isin(HEADLINE)]
    if judged.empty:
        return "None of this paper's numbers were judged in this run."
    within = int((judged["verdict"] == "within").sum())
    share = 100 * within / len(judged)
    first = (
        f"Of {len(judged)} published numbers that can be judged, {within} ({share:.0f} %) are met."
    )
    outside = judged[judged["verdict"] == "outside"]
    if outside.empty:
        return f"{first} None lies outside."
    by_item = outside.groupby("item", sort=False).size()
    worst = by_item.idxmax()
    gap = [relative_gap(row) for row in outside.to_dict("records")]
    row = outside.iloc[int(pd.Series(gap).argmax())]
    return (
        f"{first} Of the {len(outside)} outside, {by_item[worst]} are in {worst}; the widest gap is"
        f" {row['row']}, {row['column']} in {row['item']}:"
        f" {like(row['reproduced'], row['published'])} where {row['published']} was published."
    )


def relative_gap(row: dict) -> float:
    ours, theirs = number(row["reproduced"]), number(row["published"])
    if ours is None or theirs is None:
        return 0.0
    return abs(ours - theirs) / max(abs(ours), abs(theirs), 1e-12)


def opening(counts: pd.DataFrame) -> str:
    total = counts.set_index("paper").loc["total"]
    judged = int(total["within"] + total["outside"])
    return (
        f"{int(total['within'])} of the {judged} numbers that can be judged agree: those that"
        f" nothing was fitted to. {int(total['timing'])} timings are shown without a verdict;"
        f" {int(total['no_data'])} numbers need data that are not public, {int(total['not_run'])}"
        " were left out of this run or repeated too seldom. Apart from these,"
        f" {int(total['fit, within'])} of {int(total['fit, judged'])} numbers agree that a"
        f" parameter was fitted to, and {int(total['echo, within'])} of"
        f" {int(total['echo, judged'])} that repeat a setting of the experiment."
    )


def served_by(availability: pd.DataFrame) -> str:
    """Which kinds of sources served how many data sets of this run, and how many had none."""
    used = availability[availability["status"] != "not_asked"]
    kinds = (
        used.loc[used["status"] == "ok", "source"]
        .str.split()
        .str[0]
        .replace("package", "package index")
    )
    counts = [f"{kind} {count}" for kind, count in kinds.value_counts().sort_index().items()]
    gone = int((used["status"] == "no_data").sum())
    part = int((used["part"] == "yes").sum()) if "part" in used else 0
    return (
        f"Data sets by source: {', '.join(counts) or 'none'}; {gone} had no source, {part} came in"
        " part."
    )


def deviations(contents: dict) -> pd.DataFrame:
    columns = ["what", "chosen", "alternatives", "changes"]
    records = [
        {"paper": study, **{column: str(entry.get(column, "")) for column in columns}}
        for study, content in contents.items()
        for entry in content.get("deviations", [])
    ]
    return pd.DataFrame.from_records(records, columns=["paper", *columns])


def register(contents: dict) -> str:
    """The deviations as a page of their own."""
    frame = deviations(contents)
    text = (
        "# Where the papers left a choice\n\nMade from the `deviations` lists in"
        " `config/studies`.\n\n"
    )
    return text + markdown(list(frame.columns), frame.values.tolist())


def study_section(
    study: str, content: dict, rows: pd.DataFrame, results: Path, origins: dict
) -> dict:
    tables = []
    for item, cells in rows.groupby("item", sort=False):
        published = published_shape(cells)[1]
        table = grid(published, item, marked_class)
        source = told(
            f"Ours (published, n where few), ! outside. results/tables/{study}/{slug(item)}.csv,"
            " .md, .tex",
            published,
            origins,
        )
        source += code_note(content, "published", item)
        tables.append({**table, "title": item, "caption": "", "source": source})
    for entry in content.get("tables", []):
        path = results / "tables" / study / f"{entry['name']}.csv"
        if path.exists():
            whole = read(path)
            shown = (
                f"First {LONGEST_TABLE} of {len(whole)} rows. "
                if len(whole) > LONGEST_TABLE
                else ""
            )
            table = grid(whole.head(LONGEST_TABLE), entry["name"], verdict_class, brief)
            title = entry["name"].replace("_", " ").capitalize()
            source = told(f"{shown}results/tables/{study}/{entry['name']}.csv", whole, origins)
            source += code_note(content, "tables", entry["name"])
            tables.append(
                {**table, "title": title, "caption": entry.get("caption", ""), "source": source}
            )
    figures = []
    for entry in content.get("figures", []):
        png = results / "figures" / study / f"{entry['name']}.png"
        if png.exists():
            source = f"results/figures/{study}/{entry['name']}.png" + code_note(
                content, "figures", entry["name"]
            )
            words = {"name": entry["name"], "caption": entry.get("caption", ""), "source": source}
            figures.append(words | picture(png))
    paper, title = content.get("paper", ""), content.get("title", study)
    text = summary(rows) if len(rows) else content.get("summary", "")
    return {
        "name": study,
        "title": title,
        "paper": paper,
        "summary": text,
        "tables": tables,
        "figures": figures,
    }


def code_note(content: dict, kind: str, name: str) -> str:
    """What computed a table or figure, as one more sentence."""
    line = content.get("computed", {}).get(kind, {}).get(name, "")
    return f". {line}" if line else ""


def told(source: str, table: pd.DataFrame, origins: dict) -> str:
    """What stands under a table: its files, then what the sources of its data sets could not
    give.
    """
    return ". ".join([source, *origins_in(table.iloc[:, 0], origins)])


def run_facts(seed: int) -> dict:
    versions = ", ".join(f"{name} {metadata.version(name)}" for name in PACKAGES)
    machine = (
        f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, Python"
        f" {platform.python_version()}"
    )
    return {
        **provenance(),
        "date": time.strftime("%Y-%m-%d"),
        "machine": machine,
        "versions": versions,
        "seed": seed,
    }


def write_page(contents, seed, names, inputs) -> dict:
    """The report page and the register of deviations."""
    files = inputs.files
    numbers, availability, results = read(files.comparison), files.availability, results_folder()
    counts = verdict_counts(numbers)
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("pinetum.report", "."), autoescape=True
    )
    origins = read_origins([availability], names)
    sections = [
        study_section(study, content, numbers[numbers["paper"] == study], results, origins)
        for study, content in contents.items()
    ]
    html = environment.get_template("page.html.jinja").render(
        run=run_facts(seed),
        opening=opening(counts),
        dots=picture(Path(files.numbers)),
        z=picture(Path(files.z)),
        readings=picture(Path(files.readings)),
        z_table=grid(read(files.z_table), "Distribution of z", shown=brief),
        headlines=[
            headline(content.get("subject", study), part, content.get("news", ()))
            for study, content in contents.items()
            if len(part := numbers[numbers["paper"] == study])
        ],
        sources=served_by(read(availability)),
        verdicts=VERDICTS,
        evidence=EVIDENCE,
        counts=grid(counts, "Verdicts by paper"),
        studies=sections,
        numbers=grid(numbers, "All numbers", verdict_class),
        deviations=grid(deviations(contents), "Deviations", verdict_class),
        availability=grid(read(availability), "Data sets", verdict_class),
    )
    return {"page": html, "deviations": register(contents)}
