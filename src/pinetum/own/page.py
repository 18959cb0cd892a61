"""The page of one table: the answer first, then the comparison, the columns, and how to use the models."""

import io
import json
from html import escape

import matplotlib.pyplot as plt
import pandas as pd

from pinetum.files import whole_file
from pinetum.models import load
from pinetum.own.compare import METHODS
from pinetum.report import style
from pinetum.report.tables import readable

TREES = ("tree", "small_tree", "depth_three")
DRAWN_DEPTH = 4  # levels of a tree with many nodes
MANY_NODES = 60


def chosen(summary: pd.DataFrame):
    """The row of the smallest tree whose held-out error is within one standard error of the best tree's, or None."""
    trees = summary[summary["method"].isin(TREES) & (summary["status"] == "ok")]
    if trees.empty:
        return None
    best = trees.sort_values("test_error", kind="stable").iloc[0]
    near = trees[trees["test_error"] <= best["test_error"] + best["test_error_se"]]
    return near.sort_values(["leaves", "test_error"], kind="stable").iloc[0]


def drawing(model) -> str:
    """The tree as inline SVG; the upper levels of one with many nodes."""
    nodes = model.tree_.n_nodes
    ax = model.plot(max_depth=DRAWN_DEPTH if nodes > MANY_NODES else None)
    style.write_plainly(ax.figure)
    with io.BytesIO() as file:
        ax.figure.savefig(file, format="svg", metadata={"Date": None})
        svg = file.getvalue().decode()
    plt.close(ax.figure)
    note = f"<p>The upper {DRAWN_DEPTH} levels of {nodes} nodes.</p>" if nodes > MANY_NODES else ""
    return f'<div class="wide">{svg[svg.index("<svg") :]}</div>{note}'


def grid(frame: pd.DataFrame, marked=None) -> str:
    """An HTML table; the row of the method `marked` stands out."""
    lines = ["<tr>" + "".join(f"<th>{escape(str(name))}</th>" for name in frame.columns) + "</tr>"]
    for row in frame.itertuples(index=False):
        lines.append(f"<tr{' class=best' if marked is not None and row[0] == marked else ''}>" +
                     "".join(f"<td>{escape(readable(value))}</td>" for value in row) + "</tr>")  # fmt: skip
    return f'<div class="wide"><table>{"".join(lines)}</table></div>'


def answer(name, summary, best) -> str:
    baseline = summary[summary["method"] == "majority"].iloc[0]
    if best is None:
        reasons = "; ".join(f"{row.method}: {row.note}" for row in summary.itertuples() if row.status != "ok")
        return f"<p>No tree could be learnt: {escape(reasons)}</p>"
    used = json.loads(best["used"])
    text = (
        f"A tree of {int(best['leaves'])} leaves ({METHODS[best['method']].about}) is wrong on "
        f"{best['test_error']:.1f} % (± {best['test_error_se']:.1f}) of the cases that it did not learn from; "
        f"always the most frequent class is wrong on {baseline['test_error']:.1f} %. It looks at "
        + (f"{len(used)} columns: {', '.join(used[:20])}{', …' if len(used) > 20 else ''}." if used else "no column.")
    )
    doubt = ""
    if best["test_error"] + 2 * best["test_error_se"] >= baseline["test_error"]:
        doubt = '<p class="warning">This is no better than guessing: the columns say little about the class.</p>'
    return f"<p>{escape(text)}</p>{doubt}"


STYLE = """
body{font:16px/1.5 system-ui,sans-serif;margin:0 auto;max-width:60rem;padding:1rem;color:#222}
table{border-collapse:collapse;font-size:.85rem}th,td{border-bottom:1px solid #ddd;padding:.2rem .6rem;text-align:left;
vertical-align:top;max-width:30rem}.wide{overflow-x:auto;margin:1rem 0}.best{background:#e8f3ec;font-weight:600}
.warning{background:#fdf0d5;padding:.3rem .6rem;border-left:4px solid #e69f00}pre{background:#f4f4f4;padding:.8rem;
overflow-x:auto}h1{font-size:1.6rem}h2{font-size:1.2rem;margin-top:2rem}
"""


def write_page(name, summary_path, columns_path, warnings_path, folder, page) -> None:
    """Write `index.html`, which needs nothing beside it."""
    summary = pd.read_csv(summary_path, dtype={"note": str})
    summary["note"] = summary["note"].fillna("")
    columns = pd.read_csv(columns_path, keep_default_na=False)
    with open(warnings_path, encoding="utf-8") as file:
        warnings = [line for line in file.read().splitlines() if line]
    best = chosen(summary)
    model = None if best is None else f"{folder}/{best['model']}"
    figure = ""
    if model:
        try:
            figure = drawing(load(model))
        except Exception as fault:  # a picture never costs the page
            figure = f"<p>The tree could not be drawn: {escape(str(fault))}</p>"
    shown = ["method", "status", "test_error", "test_error_se", "balanced_error", "leaves", "features", "seconds",
             "cases", "note"]  # fmt: skip
    recall = summary.loc[summary["status"] == "ok", ["method", "recall"]]
    example = (
        f"import pandas, pinetum\n\nmodel = pinetum.load({(best['model'] if model else 'models/tree.json')!r})\n"
        'model.predict(pandas.read_csv("new.csv"))\n'
    )
    command = f"pinetum predict {best['model'] if model else 'models/tree.json'} new.csv -o predicted.csv"
    parts = [
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(name)}</title>',
        '<meta name="viewport" content="width=device-width">',
        f"<style>{STYLE}</style></head><body><h1>{escape(name)}</h1>",
        answer(name, summary, best),
        figure,
        "<h2>All methods, on the same folds</h2><p>Errors in percent of held-out cases with the standard error over "
        "the folds; balanced: the mean over the classes. Marked: the smallest tree within a standard error of the best."
        "</p>",
        grid(summary[shown], None if best is None else best["method"]),
        "<p>" + "; ".join(f"{escape(n)}: {escape(m.about)}" for n, m in METHODS.items()) + "</p>",
        "<h2>Share of each class that is recognised, %</h2>",
        grid(pd.DataFrame([{"method": m, **json.loads(r)} for m, r in recall.itertuples(index=False)])),
        "<h2>Columns</h2>",
        "".join(f'<p class="warning">{escape(line)}</p>' for line in warnings),
        grid(columns),
        "<h2>Using the models</h2><p>Files with all columns of the table, in any order; missing cells and values that "
        f"were never seen are allowed.</p><pre>{escape(example)}</pre><pre>{escape(command)}</pre>",
        "</body></html>\n",
    ]
    with whole_file(page) as file:
        file.write("\n".join(parts))
