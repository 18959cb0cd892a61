"""The report: a front page and a page per paper, self-contained, made from the results alone."""

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

from pinetum.files import results_folder
from pinetum.report.claim_pages import REACH, central_counts, groups, shown_claim
from pinetum.report.claims import VERDICTS as WORDS
from pinetum.report.claims import judge_papers
from pinetum.report.comparison import verdict_counts
from pinetum.report.names import slug
from pinetum.report.origins import origins_in, read_origins
from pinetum.report.tables import markdown, published_shape, readable
from pinetum.report.verdicts import EVIDENCE, VERDICTS
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


def opening(counts: pd.DataFrame) -> str:
    """How many numbers agree of those that could have failed, the random tables' study apart."""
    table = counts.set_index("paper")
    total = table.loc["total"]
    drawn = table.loc["greedy_dp"] if "greedy_dp" in table.index else 0 * total
    rest = total - drawn
    said = f"Of the numbers that could have failed, {rest['within']:.0f} of"
    said += f" {rest['within'] + rest['outside']:.0f} agree"
    if drawn["within"] + drawn["outside"]:
        said += (
            f", and on random tables (greedy_dp) {drawn['within']:.0f} of"
            f" {drawn['within'] + drawn['outside']:.0f}"
        )
    return (
        f"{said}. {total['undecided']:.0f} more are undecided: nearly anything would have passed."
        f" {total['timing']:.0f} timings are shown without a verdict; {total['no_data']:.0f}"
        f" numbers lack their data, {total['not_run']:.0f} were left out of this run or repeated"
        f" too seldom. Not counted: {total['fit, within']:.0f} of {total['fit, judged']:.0f} that"
        f" something was fitted to, {total['echo, within']:.0f} of {total['echo, judged']:.0f} that"
        " repeat a setting or a shape."
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
            whole = read_text(path)
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
    return {
        "name": study,
        "title": content.get("title", study),
        "tables": tables,
        "figures": figures,
        "deviations": choices(study, content),
    }


def choices(study: str, content: dict) -> dict:
    """The register of one study as a table."""
    return grid(
        deviations({study: content}).drop(columns="paper"), f"Choices: {study}", verdict_class
    )


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


def templates() -> jinja2.Environment:
    return jinja2.Environment(loader=jinja2.PackageLoader("pinetum.report", "."), autoescape=True)


def paper_pages(papers, sections, run, front="index.html") -> dict[str, str]:
    """name -> the page of a judged paper, with its studies' sections."""
    template = templates().get_template("paper.html.jinja")
    pages = {}
    for name, paper in papers.items():
        claims = [shown_claim(claim) for claim in paper["claims"]]
        pages[name] = template.render(
            run=run,
            verdicts=VERDICTS,
            words=WORDS,
            paper=paper | {"claims": claims},
            groups=groups(claims),
            studies=[sections[study] for study in paper["studies"] if study in sections],
            reach=round(REACH),
            front=front,
        )
    return pages


def write_page(contents, papers, seed, names, changed, inputs) -> dict:
    """The front page, a page per paper, and the register of deviations."""
    files = inputs.files
    numbers, availability, results = (
        read_text(files.comparison),
        files.availability,
        results_folder(),
    )
    counts = verdict_counts(numbers)
    origins = read_origins([availability], names)
    judged, run = judge_papers(papers, numbers), run_facts(seed)
    front = (
        templates()
        .get_template("page.html.jinja")
        .render(
            run=run,
            changed=", ".join(changed),
            verdicts=VERDICTS,
            words=WORDS,
            papers=judged,
            central=central_counts(judged),
            opening=opening(counts),
            dots=picture(Path(files.numbers)),
            z=picture(Path(files.z)),
            readings=picture(Path(files.readings)),
            z_table=grid(read_text(files.z_table), "Distribution of z", shown=brief),
            sources=served_by(read_text(availability)),
            evidence=EVIDENCE,
            counts=grid(counts, "Verdicts by study"),
            numbers=grid(numbers, "All numbers", verdict_class),
            availability=grid(read_text(availability), "Data sets", verdict_class),
        )
    )
    sections = {
        study: study_section(study, content, numbers[numbers["paper"] == study], results, origins)
        for study, content in contents.items()
    }
    return {
        "page": front,
        "deviations": register(contents),
        **paper_pages(judged, sections, run),
    }
