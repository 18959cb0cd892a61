"""Pages and pictures that are made when the site is built: from docstrings, lists and the last
run's numbers.
"""

import contextlib
import html
import inspect
import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd

import pinetum
from pinetum.files import HOME, whole_file
from pinetum.report.claims import judge_papers
from pinetum.report.figures import draw_numbers
from pinetum.report.page import choices, paper_pages
from pinetum.report.verdicts import EVIDENCE, VERDICTS
from pinetum.workflow.studies import STUDIES, load_contents, load_papers

KEY = ["paper", "item", "row", "column"]
KEPT = ("se", "n", "z", "power", "note")


def make_pages(app) -> None:
    docs = Path(app.srcdir)
    numbers = published_numbers(docs / "verdicts.csv")
    write(docs / "reference/python.md", api_page(docs))
    write(docs / "reference/deviations.md", deviations_page())
    write(docs / "reference/numbers.md", numbers_page(numbers))
    papers = judge_papers(load_papers(HOME), numbers.reset_index(drop=True))
    write(docs / "reference/papers.md", papers_page(papers))
    sections = {
        study: {"name": study, "title": content["title"], "deviations": choices(study, content)}
        for study, content in load_contents(HOME).items()
    }
    run = {"version": pinetum.__version__}
    for name, page in paper_pages(papers, sections, run, "../reference/papers.html").items():
        write(docs / f"made/site/papers/{name}.html", page)
    write(docs / "made/subsets.html", subsets_picture())
    write(docs / "made/posterior.html", posterior_picture())
    for study, rows in numbers.groupby("paper"):
        draw_numbers(rows.assign(paper=rows["item"]), docs / f"made/{study}.png")


def write(path: Path, text: str) -> None:
    """Only where it changes, so that a second build reads nothing anew."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        with whole_file(path) as file:
            file.write(text)


def api_page(docs: Path) -> str:
    """The list of public names, in the order of the list in the package, and a page for each."""
    kinds: dict = {"Estimators and classes": [], "Functions": [], "Registries": []}
    for name in pinetum.PUBLIC:
        public = getattr(pinetum, name)
        kind = "Estimators and classes" if inspect.isclass(public) else "Functions"
        kinds["Registries" if isinstance(public, dict) else kind].append((name, public))
    lines = [
        "# Python",
        "",
        "Everything below is an attribute of `pinetum`, loaded when it is first asked for.",
        "",
    ]
    for kind, entries in kinds.items():
        lines += [f"## {kind}", "", "| name | what it is |", "|---|---|"]
        for name, public in entries:
            if isinstance(public, dict):
                lines.append(f"| `{name}` | {', '.join(map(str, public))} |")
                continue
            lines.append(
                f"| [{name}](api/{name}.md) | {inspect.getdoc(public).split(chr(10))[0]} |"
            )
            used = docs / f"examples/of/pinetum.{name}.examples"  # the gallery is made first
            write(
                docs / f"reference/api/{name}.md",
                name_page(name, public, used.exists() and used.stat().st_size > 0),
            )
        lines.append("")
    names = [
        name
        for entries in kinds.values()
        for name, public in entries
        if not isinstance(public, dict)
    ]
    return "\n".join(
        [*lines, "```{toctree}", ":hidden:", "", *(f"api/{name}" for name in names), "```", ""]
    )


def name_page(name, public, shown: bool) -> str:
    members = ["   :members:", "   :inherited-members: object"] if inspect.isclass(public) else []
    gallery = (
        ["", ".. rubric:: In the gallery", "", f".. minigallery:: pinetum.{name}"] if shown else []
    )
    lines = [
        f"# {name}",
        "",
        "```{eval-rst}",
        ".. currentmodule:: pinetum",
        f".. auto{'class' if inspect.isclass(public) else 'function'}:: {name}",
        *members,
        *gallery,
        "```",
        "",
    ]
    return "\n".join(lines)


def deviations_page() -> str:
    """Where a paper leaves a choice: what was chosen, what else there was, what it changes."""
    text = (
        "# Choices that the papers leave\n\nWhere a paper is silent, says two things, or has a"
        " misprint: what was chosen, what else there was, and what that changes."
        " `results/<study>/readings.csv` of a run has every number under the other choices.\n"
    )
    for study, content in load_contents(HOME).items():
        if not content["deviations"]:
            continue
        text += (
            f"\n## {study}\n\n| where | chosen | instead | what it changes |\n|---|---|---|---|\n"
        )
        for choice in content["deviations"]:
            cells = [choice[key] for key in ("what", "chosen", "alternatives", "changes")]
            text += "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |\n"
    return text


def papers_page(papers: dict) -> str:
    """The five papers with what became of their central claims, and the way to a page for each."""
    lines = [
        "# Five papers, claim by claim",
        "",
        "What each paper claims and whether it holds, in the last recorded run. Each page has all"
        " claims with our figure beside the paper's, what was easy and hard, what had to be read"
        " into the text, contradictions, and questions to the authors.",
        "",
        "| paper | central claims | numbers that agree |",
        "|---|---|---|",
    ]
    for name, paper in papers.items():
        central = "; ".join(
            f"{claim['tag']}: **{claim['verdict']}**" for claim in paper["claims"] if "tag" in claim
        )
        link = f'<a href="../papers/{name}.html">{html.escape(paper["title"])}</a>'
        agree = f"{paper['within']} of {paper['judged']}"
        lines.append(f"| {link}, {paper['authors']} | {central} | {agree} |")
    return "\n".join(
        [*lines, "", "All numbers: {doc}`numbers`; the rules: {doc}`../verdicts`.", ""]
    )


def published_numbers(verdicts: Path) -> pd.DataFrame:
    """Every published number with what the last recorded run made of it."""
    published = pd.concat(
        pd.read_csv(
            HOME / f"config/published/{paper}.csv", dtype=str, keep_default_na=False
        ).assign(paper=paper)
        for paper in STUDIES
    )
    if not verdicts.exists():
        return published.assign(verdict="not_run", **dict.fromkeys(("reproduced", *KEPT), ""))
    found = pd.read_csv(verdicts, dtype=str, keep_default_na=False)
    both = published.drop(columns="note").merge(found, on=KEY, how="left")
    both = both.fillna({"verdict": "not_run", **dict.fromkeys(("reproduced", *KEPT), "")})
    return both.set_index(published.index)


def numbers_page(numbers: pd.DataFrame) -> str:
    rows = [
        "<tr>" + "".join(f"<td>{cell}</td>" for cell in number_row(line)) + "</tr>"
        for line in numbers.to_dict("records")
    ]
    heads = ("paper", "table", "number", "published", "ours", "z", "verdict", "evidence")
    words = "\n".join(f"- **{verdict.word}**: {verdict.about}" for verdict in VERDICTS.values())
    kinds = "\n".join(f"- **{name}**: {evidence.about}" for name, evidence in EVIDENCE.items())
    return (
        "# Every published number\n\nType any words: a paper, a table, a data set, `outside`,"
        " `open`.\n\n"
        f"{words}\n\nWhat our number is worth:\n\n{kinds}\n\n```{{raw}} html\n"
        '<p><input id="find" type="search" placeholder="find" aria-label="find in the table"'
        ' style="width:100%">'
        f' <span id="shown">{len(rows)} numbers</span></p>\n<div'
        ' class="pst-scrollable-table-container">'
        '<table class="table"'
        f' id="numbers"><thead><tr>{"".join(f"<th>{head}</th>" for head in heads)}</tr></thead>'
        f"<tbody>\n{chr(10).join(rows)}\n</tbody></table></div>\n<script>\n{script('find')}</script>\n```\n"
    )


def number_row(line: dict) -> list[str]:
    """Its cells; the explanation stands below the number's name, where it has room."""
    name, ours = html.escape(f"{line['row']} {line['column']}".strip()), line["reproduced"]
    if line["explanation"] and line["verdict"] == "outside":
        name += f"<br><small>{html.escape(line['explanation'])}</small>"
    if "." in ours:  # as many digits as say something beside a printed number
        with contextlib.suppress(ValueError):
            ours = f"{float(ours):.5g}"
    word = VERDICTS[line["verdict"]].word
    others = (line["published"], ours, line["z"], word, line["evidence"])
    return [
        html.escape(line["paper"]),
        html.escape(line["item"]),
        name,
        *(html.escape(str(cell)) for cell in others),
    ]


def subsets_picture() -> str:
    """All subsets of three columns, the tree that each gives, and which of them give the same
    tree.
    """
    # The answer is yes where a or b is; c is a copy of a that is wrong in every fourth case.
    a, b, case = np.indices((2, 2, 8)).reshape(3, -1)
    words = {
        name: np.where(bits, "t", "f")
        for name, bits in {"a": a, "b": b, "c": a ^ (case < 2)}.items()
    }
    frame, answer = pd.DataFrame(words), np.where(a | b, "yes", "no")
    subsets = [subset for size in (3, 2, 1, 0) for subset in combinations("abc", size)]
    texts = {}
    for subset in subsets:
        tree = pinetum.TreeClassifier().fit(frame[list(subset)], answer) if subset else None
        texts[subset] = (
            tree.to_text().strip() if tree else f"yes ({len(answer)}/{(answer == 'no').sum()})"
        )
    trees = list(dict.fromkeys(texts.values()))
    across = {3: [150], 2: [50, 150, 250], 1: [50, 150, 250], 0: [150]}
    seen: dict = dict.fromkeys(across, 0)
    nodes = []
    for subset in subsets:
        x = across[len(subset)][seen[len(subset)]]
        seen[len(subset)] += 1
        label = "{" + ", ".join(subset) + "}" if subset else "{ }"
        nodes.append(
            {
                "x": x,
                "y": 30 + 65 * (3 - len(subset)),
                "label": label,
                "tree": trees.index(texts[subset]),
                "subset": "".join(subset),
            }
        )
    lines = [
        {"x1": one["x"], "y1": one["y"], "x2": other["x"], "y2": other["y"]}
        for one in nodes
        for other in nodes
        if len(one["subset"]) == len(other["subset"]) + 1
        and set(other["subset"]) < set(one["subset"])
    ]
    return picture("subsets", 300, 260, {"nodes": nodes, "lines": lines, "trees": trees})


def posterior_picture() -> str:
    """Expected accuracy of three features against the posterior, and the list under a pointer that
    can be moved.
    """
    from pinetum.nbdt.replication.measure import example_records

    curves: dict = {}
    bars: list = []
    for record in example_records():
        if record["kind"] == "curve":
            curves.setdefault(record["feature"], []).append([record["x"], record["accuracy"]])
        else:
            bars.append([record["feature"], record["x"], record["x_end"], record["rank"]])
    return picture("posterior", 420, 300, {"curves": curves, "bars": bars})


def picture(name: str, width: int, height: int, data: dict) -> str:
    """An SVG that a script of its own fills; it takes the colours of the page, light or dark."""
    return (
        f'<div id="{name}" style="display:flex;flex-wrap:wrap;gap:1em;align-items:flex-start"><svg'
        f' viewBox="0 0 {width} {height}" style="width:{width}px;max-width:100%;color:inherit"'
        ' role="img"></svg><div class="said" style="flex:1;min-width:14em"'
        ' aria-live="polite"></div></div>\n<script>\n(() => {\nconst data ='
        f" {json.dumps(data)};\nconst room ="
        f' document.getElementById("{name}");\n{script("drawing")}{script(name)}}})();\n</script>\n'
    )


def script(name: str) -> str:
    return (Path(__file__).parent / f"scripts/{name}.js").read_text(encoding="utf-8")
