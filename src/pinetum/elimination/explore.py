"""A user's own table: which features go, in which order, and how the error on unseen cases falls
with their number.
"""

from functools import partial

import numpy as np
import pandas as pd

from pinetum.distinct.objective import hold_out
from pinetum.elimination.paths import backward_path
from pinetum.induction import Grower, yadt
from pinetum.progress import Progress
from pinetum.randomness import stream
from pinetum.validation.folds import stratified_folds
from pinetum.validation.samples import within_cells
from pinetum.workflow.job import Plain

COLUMNS = [
    "what", "feature", "status", "kept", "step", "search_error", "folds_kept", "folds", "top_error",
    "error", "error_se", "seconds", "note",
]  # fmt: skip
PATH_COLUMNS = ["features", "error", "error_se", "mark"]
MILLION = 1_000_000
BESIDE_STORE = 800  # megabytes that the interpreter, the libraries and the table take


def explore(table, settings, seed) -> dict:
    """One row for the whole and one per feature, one row per number of features, and the picture of
    these; all errors in percent.
    """
    records, sizes = explored(table, settings, seed)
    path = pd.DataFrame(sizes, columns=PATH_COLUMNS)
    return {
        "elimination.csv": pd.DataFrame(records, columns=COLUMNS),
        "elimination_path.csv": Plain(path),
        "elimination.png": partial(draw, path, records[0]["note"]),
    }


def explored(table, settings, seed) -> tuple[list[dict], list[dict]]:
    """(a row for the whole and one per feature, a row per number of features).

    Inside every fold of a cross-validation a path of backward elimination is followed on the
    training cases alone and all its trees are judged on the cases left out, so no number has seen
    what it is judged by.
    """
    drawn_by = stream(seed, "elimination", table.name, "sample")
    table, sampled = within_cells(table, settings["cells"], drawn_by)
    reason = unsuitable(table, settings["folds"])
    if reason:
        return [{"what": "table", "status": "unsuitable", "note": reason}], []
    try:
        return records_of(table, settings, seed, sampled)
    except MemoryError:
        why = f"it needs more than {settings['memory_mb']:,} MB; raise memory_mb, or lower cells"
        return [{"what": "table", "status": "memory_limit", "note": why}], []


def records_of(data, settings, seed, sampled):
    folds, names = settings["folds"], data.feature_names
    whole = follow(data, settings)
    found = [whole]
    fold_of = stratified_folds(data.labels, folds, stream(seed, "elimination", data.name, "folds"))
    judged = []  # per fold {number of features: share of wrong cases}
    wrong_of_all = wrong_of_chosen = 0
    kept = np.zeros(data.n_features, dtype=np.int64)
    progress = Progress(folds, "folds")
    for fold in range(folds):
        training, held_out = np.flatnonzero(fold_of != fold), np.flatnonzero(fold_of == fold)
        path = follow(data.take_cases(training), settings)
        grower = Grower(data, yadt(settings["min_cases"]), cases=training)
        errors = {
            step.used: int(grower.grow(step.used).errors(data, held_out)) for step in path.steps
        }
        wrong_of_all += int(grower.grow().errors(data, held_out))
        wrong_of_chosen += errors[path.selected.used]
        kept[list(path.selected.used)] += 1
        judged.append({len(used): wrong / len(held_out) for used, wrong in errors.items()})
        found.append(path)
        progress.step()
    rows = rows_by_size(judged)
    status = "ok" if all(path.status == "ok" for path in found) else "work_limit"
    search_cases = whole.cases
    table = {
        "what": "table",
        "status": status,
        "kept": len(whole.selected.used),
        "step": next(number for number, step in enumerate(whole.steps) if step is whole.selected),
        "search_error": 100 * whole.selected.errors / search_cases,
        "folds": folds,
        "top_error": 100 * wrong_of_all / data.n_cases,
        "error": 100 * wrong_of_chosen / data.n_cases,
        "seconds": sum(path.seconds for path in found),
        "note": sampled,
    }
    gone = {feature: number for number, step in enumerate(whole.steps) for feature in step.changed}
    records = [table]
    for feature, name in enumerate(names):
        step = gone.get(feature)
        records.append(
            {
                "what": "feature",
                "feature": name,
                "status": status,
                "kept": int(feature in whole.selected.used),
                "step": step,
                "search_error": (
                    None if step is None else 100 * whole.steps[step].errors / search_cases
                ),
                "folds_kept": int(kept[feature]),
                "folds": folds,
            }
        )
    return records, rows


def follow(data, settings):
    """The path of backward elimination from all features to none, within a fold's share of the
    work.
    """
    return backward_path(
        data,
        objective=hold_out(data, building=settings["fraction"]),
        drop_unused=True,
        options=yadt(settings["min_cases"]),
        work=settings["work"] * MILLION // (settings["folds"] + 1),
        cache_mb=max(50, (settings["memory_mb"] - BESIDE_STORE) // 2),
    )


def rows_by_size(judged) -> list[dict]:
    """Per number of features the error over the folds, with marks for the least and for one
    standard error above it.

    A fold whose path has no subset of a size gives its next smaller one.
    """
    rows: list[dict] = []
    for size in range(max(map(max, judged)) + 1):
        shares = np.array(
            [
                errors[max(k for k in errors if k <= size)]
                for errors in judged
                if min(errors) <= size
            ]
        )
        if len(shares) == len(judged):
            spread = shares.std(ddof=1) / np.sqrt(len(shares))
            rows.append(
                {
                    "features": size,
                    "error": 100 * float(shares.mean()),
                    "error_se": 100 * float(spread),
                }
            )
    best = min(rows, key=lambda row: (round(row["error"], 9), row["features"]))
    limit = best["error"] + best["error_se"] + 1e-9
    smallest = next(row for row in rows if row["error"] <= limit)
    for row in rows:
        marks = [
            mark
            for mark, marked in (("least", best), ("one standard error", smallest))
            if marked is row
        ]
        row["mark"] = ", ".join(marks)
    return rows


def unsuitable(data, folds) -> str:
    counts = data.class_counts()
    if data.n_features == 0:
        return "no features"
    if np.count_nonzero(counts) < 2:
        return "one class only"
    if data.n_cases < 2 * folds:
        return f"{data.n_cases} cases are too few for {folds} folds"
    return ""


def draw(sizes, note):
    """Error of a user's table on unseen cases by the number of features, with its standard error.

    Or a note.
    """
    from pinetum.report import style

    if not len(sizes):
        return style.left_empty(style.figure(1, 2.4)[0], note)
    fig, ax = style.figure(1, 2.4)
    ax.errorbar(
        sizes["features"],
        sizes["error"],
        yerr=sizes["error_se"],
        capsize=1.5,
        lw=0.9,
        **style.look("PSBE"),
    )
    marks = sizes["mark"].fillna("")
    for word, colour in (("least", "optimal"), ("one standard error", "SBE")):
        row = sizes[marks.str.contains(word)].iloc[0]
        ax.axvline(
            row["features"],
            color=style.colour(colour),
            lw=0.9,
            ls=":",
            label=f"{word}: {row['features']:.0f}",
        )
    ax.legend()
    ax.set_ylim(bottom=0)
    ax.set_xlabel("features")
    ax.set_ylabel("error on unseen cases, %")
    ax.xaxis.get_major_locator().set_params(integer=True)
    return fig
