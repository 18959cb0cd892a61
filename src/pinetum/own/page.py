"""The page of one table: the answer first, then all methods, what matters, how sure it is, columns
and models.
"""

import io
import json
from html import escape
from pathlib import Path
from textwrap import shorten

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.ticker import MaxNLocator

from pinetum.models import load
from pinetum.own.compare import METHODS
from pinetum.own.summary import read_studies, summary_of
from pinetum.report import style
from pinetum.report.tables import readable
from pinetum.workflow.job import Plain
from pinetum.workflow.jobs import read_records, tell

TREES = ("tree", "small_tree", "depth_three", "best_subset", "few_columns", "minimal")
DRAWN_DEPTH = 3  # levels of a tree with many nodes
MANY_NODES = 40
MOST_ROWS = 30  # of a list of columns


def chosen(summary: pd.DataFrame):
    """The row of the smallest tree whose held-out error is within one standard error of the best
    tree's, or None.
    """
    trees = summary[summary["method"].isin(TREES) & (summary["status"] == "ok")]
    if trees.empty:
        return None
    best = trees.sort_values("test_error", kind="stable").iloc[0]
    near = trees[trees["test_error"] <= best["test_error"] + best["test_error_se"]]
    return near.sort_values(["leaves", "test_error"], kind="stable").iloc[0]


# -------------------------------------------------------------------------------------------------
# pictures


def inline(figure, kind="wide") -> str:
    """A figure as SVG in the page, without the date of its making.

    A wide one scrolls, others are made to fit.
    """
    style.write_plainly(figure)
    with io.BytesIO() as file:
        figure.savefig(file, format="svg", metadata={"Date": None}, bbox_inches="tight")
        svg = file.getvalue().decode()
    plt.close(figure)
    return f'<div class="{kind}">{svg[svg.index("<svg") :]}</div>'


def drawing(model) -> str:
    """The tree; of one with many nodes the upper levels."""
    nodes = model.tree_.n_nodes
    ax = model.plot(max_depth=DRAWN_DEPTH if nodes > MANY_NODES else None)
    note = f"<p>The upper {DRAWN_DEPTH} levels of {nodes} nodes.</p>" if nodes > MANY_NODES else ""
    key = (
        '<p class="key">In a leaf: its class, the cases that reach it / those of them of another'
        " class.</p>"
    )
    return inline(ax.figure) + key + note


def guarded(draw, *arguments) -> str:
    """A picture, or why there is none: a picture never costs the page."""
    try:
        return draw(*arguments)
    except Exception as fault:
        return f"<p>This could not be drawn: {escape(str(fault))}</p>"


def curve(sizes: pd.DataFrame) -> str:
    """Error on unseen cases by the number of columns, with its marks."""
    fig, ax = plt.subplots(figsize=(6.5, 2.6))
    ax.errorbar(
        sizes["features"],
        sizes["error"],
        yerr=sizes["error_se"],
        capsize=2,
        lw=1,
        marker=".",
        color="#0072b2",
    )
    marks = sizes["mark"].fillna("")
    for word, colour, dashes in (
        ("least", "#009e73", ":"),
        ("one standard error", "#d55e00", "--"),
    ):
        row = sizes[marks.str.contains(word)].iloc[0]
        ax.axvline(
            row["features"],
            color=colour,
            lw=1,
            ls=dashes,
            label=f"{word}: {row['features']:.0f} columns",
        )
    ax.legend(frameon=False, fontsize=8, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2)
    ax.set_ylim(bottom=0)
    ax.set_xlabel("columns")
    ax.set_ylabel("error on unseen cases, %")
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    return inline(fig, "fit")


def bars(features: pd.DataFrame) -> str:
    """Per column the share of the near-optimal trees that use it."""
    used = features[features["uses"] > 0].sort_values("share", ascending=False, kind="stable")
    lines = [
        f"<tr><td>{escape(str(row.feature))}</td><td>{100 * row.share:.0f} %</td>"
        f'<td class="bar"><span style="width:{100 * row.share:.0f}%"></span></td></tr>'
        for row in used.head(MOST_ROWS).itertuples()
    ]
    more = f"<p>and {len(used) - MOST_ROWS} more columns.</p>" if len(used) > MOST_ROWS else ""
    return f'<div class="wide"><table class="bars">{"".join(lines)}</table></div>{more}'


# -------------------------------------------------------------------------------------------------
# text


def grid(frame: pd.DataFrame, marked=None) -> str:
    """An HTML table; the row whose first cell is `marked` stands out."""
    lines = [
        "<tr>"
        + "".join(f"<th>{escape(str(name).replace('_', ' '))}</th>" for name in frame.columns)
        + "</tr>"
    ]
    for row in frame.itertuples(index=False):
        lines.append(
            f"<tr{' class=best' if marked is not None and row[0] == marked else ''}>"
            + "".join(f"<td>{escape(readable(value))}</td>" for value in row)
            + "</tr>"
        )
    return f'<div class="wide"><table>{"".join(lines)}</table></div>'


def rounded(frame, **digits):
    """Columns of numbers as text with so many digits behind the point.

    Empty where there is none.
    """
    texts = {
        name: [
            f"{value:.{places}f}" if value == value else "" for value in frame[name].astype(float)
        ]
        for name, places in digits.items()
        if name in frame
    }
    return frame.assign(**texts)


def listed(names, most=20) -> str:
    names = [escape(str(name)) for name in names]
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


def answer(summary, best) -> str:
    baseline = summary[summary["method"] == "majority"].iloc[0]
    if best is None:
        reasons = "; ".join(
            f"{row.method}: {row.note}" for row in summary.itertuples() if row.status != "ok"
        )
        return f"<p>No tree could be learnt: {escape(reasons)}</p>"
    used = json.loads(best["used"])
    looks = (
        f"It looks at {len(used)} column{'s' * (len(used) > 1)}: {listed(used)}."
        if used
        else "It asks nothing."
    )
    text = (
        f"<p>A tree of {int(best['leaves'])} leaves ({METHODS[best['method']].about}) is wrong on"
        f" <b>{best['test_error']:.1f} %</b> (± {best['test_error_se']:.1f}) of the cases that it"
        " did not learn from; always the most frequent class is wrong on"
        f" {baseline['test_error']:.1f} %. {looks}</p>"
    )
    other = summary[summary["status"] == "ok"].sort_values("test_error", kind="stable").iloc[0]
    if other["test_error"] < best["test_error"] - best["test_error_se"]:
        text += (
            f"<p>Less readable, but better: {METHODS[other['method']].about}, wrong on"
            f" {other['test_error']:.1f} % (± {other['test_error_se']:.1f}).</p>"
        )
    if best["test_error"] + 2 * best["test_error_se"] >= baseline["test_error"]:
        text += (
            '<p class="warning">This is no better than guessing: the columns say little about the'
            " class.</p>"
        )
    return text


def matter(record, features) -> str:
    """Which columns cannot be spared, and which stand in for each other."""
    if record is None or features.empty:
        return ""
    must, pairs = json.loads(record["indispensable"]), json.loads(record["exchangeable"])
    part = (
        ""
        if record["near_optimal_status"] == "ok"
        else " (those that the search met within its limit)"
    )
    number = int(record["near_optimal"])
    trees = "One tree errs" if number == 1 and not part else f"{number:,} trees{part} err"
    text = f"<p>{trees} on at most {record['near_optimal_error']:.1f} % of the "
    text += (
        f"{int(record['search_cases']):,} cases that judge them (the best:"
        f" {record['search_error']:.1f} %). "
    )
    known = (
        "<b>indispensable</b>"
        if not part
        else "whether trees that were not met can do without is open"
    )
    text += (
        f"{'It uses' if number == 1 else 'All of them use'} {listed(must)}: {known}. "
        if must
        else "No column is in all of them. "
    )
    if pairs:
        shown = "; ".join(f"{escape(a)} and {escape(b)}" for a, b, _ in pairs[:8])
        text += f"<b>Exchangeable</b>, most often first: {shown}."
    return text + "</p>" + bars(features)


def enough(sizes) -> str:
    if sizes.empty or "mark" not in sizes:  # nothing was measured
        return ""
    least, simple = (
        sizes[sizes["mark"].fillna("").str.contains(word)].iloc[0] for word in ("least", "standard")
    )
    text = (
        "<p>Backward elimination inside a cross-validation: the least error on unseen cases is"
        f" {least['error']:.1f} % (± {least['error_se']:.1f}) with {least['features']:.0f} columns;"
        f" {simple['features']:.0f} are enough to be within one standard error of it.</p>"
    )
    return text + guarded(curve, sizes)


def decision(records) -> str:
    """The sparsest single linear decision within one standard error of the best of them."""
    if "first_plane" not in records:
        return ""
    single = records[(records["status"] == "ok") & (records["depth_limit"] == 1)]
    single = single[single["first_plane"].astype(str).str.contains(" > ", regex=False)]
    if single.empty:
        return ""
    best = single.sort_values("test_error", kind="stable").iloc[0]
    near = single[single["test_error"] <= best["test_error"] + best["test_error_se"]]
    row = near.sort_values("features", kind="stable").iloc[0]
    return (
        f"<p>{escape(row['method'])}, in the units of the table; wrong on {row['test_error']:.1f} %"
        f" (± {row['test_error_se']:.1f}) of held-out cases, {row['features']:.1f} columns on"
        f" average:</p><pre>{escape(shorten(row['first_plane'], 2000))}</pre>"
    )


COSTS_SHOWN = {
    "L": "Nodes of the smallest tree that answers every case of the table",
    "h": "Questions that such a tree asks at most",
}  # cost of the study greedy_dp: what it is


def certainty(record, greedy) -> str:
    """What is proved, and what is open."""
    lines = []
    if record is not None:
        if record["proved"]:
            says = "no other subset of the columns gives a tree with fewer errors there: proved"
        else:
            says = (
                f"no subset errs less than {record['bound']:.2f} %: what lies between,"
                f" {record['gap']:.2f} points, is open"
            )
        lines.append(
            f"The best subset of columns errs on {record['search_error']:.2f} % of the cases that"
            f" judged it; {says}. As the best of many, this number is too hopeful; the errors above"
            " are not."
        )
        if record["status"] == "ok":
            lines.append(
                f"All subsets of the columns give {record['distinct']:,.0f} different trees:"
                " counted."
            )
        elif pd.notna(record["estimated_distinct"]):
            lines.append(
                f"There are more than {record['distinct']:,.0f} different trees, by random probes"
                f" about {record['estimated_distinct']:.2g}."
            )
    if "cost" in greedy and not greedy["gap"].isna().all():
        rows = greedy[greedy["heuristic"] == greedy["heuristic"].iloc[0]]
        for cost, says in COSTS_SHOWN.items():
            row = rows[rows["cost"] == cost].iloc[0]
            known = (
                "proved"
                if row["status"] == "optimal"
                else f"no tree has fewer than {row['least']:,.0f}"
            )
            lines.append(f"{says}: {row['most']:,.0f}; {known}.")
    return "<ul>" + "".join(f"<li>{escape(line)}</li>" for line in lines) + "</ul>" if lines else ""


STYLE = """
body{font:16px/1.5 system-ui,sans-serif;margin:0 auto;max-width:64rem;padding:1rem;color:#222;overflow-wrap:anywhere}
table{border-collapse:collapse;font-size:.85rem;overflow-wrap:normal}th,td{border-bottom:1px solid #ddd;
padding:.2rem .6rem;text-align:left;vertical-align:top;max-width:30rem}.wide{overflow-x:auto;margin:1rem 0}
.best{background:#e8f3ec;font-weight:600}.warning{background:#fdf0d5;padding:.3rem .6rem;border-left:4px solid #e69f00}
pre{background:#f4f4f4;padding:.8rem;white-space:pre-wrap}h1{font-size:1.6rem}h2{font-size:1.2rem;margin-top:2rem}
td:last-child{min-width:10rem}.fit svg{max-width:100%;height:auto}.bars td{border:0;padding:.05rem .5rem}
.bar{width:12rem}.bar span{display:block;height:.8rem;background:#0072b2}
"""  # noqa: E501
SHOWN = [
    "method",
    "status",
    "test_error",
    "test_error_se",
    "balanced_error",
    "leaves",
    "features",
    "seconds",
    "cases",
    "note",
]


def rest_of(entries, most, file) -> str:
    return f"<p>and {len(entries) - most:,} more, in {file}.</p>" if len(entries) > most else ""


def section(title, body) -> str:
    return f"<h2>{title}</h2>{body}" if body else ""


def write_own_page(table, inputs) -> dict:
    """The summary and the page of one of the user's own tables."""
    summary = summary_of(inputs.compared, read_studies(inputs.files.studies))
    silent = summary[(summary["study"] != "") & (summary["status"] != "ok")]
    tell(*(f"{table}: {row.study}: {row.status}, {row.note}" for row in silent.itertuples()))
    page = page_of(table, summary, Path(inputs.files.compared).parent)
    return {"summary": Plain(summary), "page": page}


def page_of(name, summary, folder) -> str:
    """`index.html`, which needs nothing beside it, from the summary and the files in the table's
    folder.
    """
    compared, studies = summary[summary["study"] == ""], summary[summary["study"] != ""]
    columns = read_records(folder / "columns.csv")
    warnings = [
        line for line in (folder / "warnings.txt").read_text(encoding="utf-8").splitlines() if line
    ]
    read = {
        part: read_records(folder / f"{part}.csv")
        for part in PARTS
        if (folder / f"{part}.csv").exists()
    }
    nothing = pd.DataFrame()
    distinct = read.get("distinct", nothing)
    record = distinct.iloc[0] if "search_error" in distinct else None
    best = chosen(compared)
    model = "models/tree.json" if best is None else best["model"]
    recall = compared.loc[compared["status"] == "ok", ["method", "recall"]]
    recalls = pd.DataFrame(
        [{"method": m, **json.loads(r)} for m, r in recall.itertuples(index=False)]
    )
    example = (
        "import pandas, pinetum\n\nmodel ="
        f' pinetum.load({model!r})\nmodel.predict(pandas.read_csv("new.csv"))\n'
    )
    digits = {
        "test_error": 1,
        "test_error_se": 1,
        "balanced_error": 1,
        "leaves": 0,
        "features": 0,
        "cases": 0,
        "seconds": 3,
    }
    best_name = None if best is None else best["method"]
    parts = [
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(name)}</title>',
        '<meta name="viewport" content="width=device-width">',
        f"<style>{STYLE}</style></head><body><h1>{escape(name)}</h1>",
        answer(compared, best),
        "" if best is None else guarded(drawing, load(folder / model)),
        section(
            "All methods, on the same folds",
            "<p>Errors in percent of held-out cases with the standard error over the folds;"
            " balanced: the mean over the classes. Marked: the smallest tree within a standard"
            " error of the best tree.</p>"
            + grid(rounded(compared[SHOWN], **digits), best_name)
            + "<p>"
            + "; ".join(f"{n}: {m.about}" for n, m in METHODS.items())
            + ".</p>",
        ),
        section(
            "Share of each class that is recognised, %",
            grid(recalls.iloc[:, : MOST_ROWS + 1], best_name)
            + rest_of(recalls.columns[1:], MOST_ROWS, "summary.csv"),
        ),
        section("Which columns matter", matter(record, read.get("distinct_features", nothing))),
        section("How many columns are enough", enough(read.get("elimination_path", nothing))),
        section("One linear decision", decision(read.get("separators", nothing))),
        section("How sure this is", certainty(record, read.get("greedy_dp", nothing))),
        section(
            "The studies",
            "<p>Each on its own folds, with all its records in its file beside this page.</p>"
            + grid(rounded(studies[["study", *SHOWN]].drop(columns="balanced_error"), **digits)),
        ),
        section(
            "Columns",
            "".join(f'<p class="warning">{escape(line)}</p>' for line in warnings[:MOST_ROWS])
            + rest_of(warnings, MOST_ROWS, "warnings.txt")
            + grid(columns.head(10 * MOST_ROWS))
            + rest_of(columns, 10 * MOST_ROWS, "columns.csv"),
        ),
        section(
            "Using the models",
            "<p>On files with the columns that a model uses, in any order; missing cells and values"
            " that were never "
            "seen are allowed. The command finds delimiter, decimal mark and encoding; pandas has"
            " to be told those of "
            "your"
            f" file.</p><pre>{escape(f'pinetum predict {model} new.csv -o predicted.csv')}</pre>"
            f"<pre>{escape(example)}</pre>",
        ),
        "</body></html>\n",
    ]
    return "\n".join(parts)


PARTS = ("distinct", "distinct_features", "elimination_path", "separators", "greedy_dp")
