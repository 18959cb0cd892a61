"""A user's own table: every method, single decisions and trees, and the planes on all cases in the
original units.
"""

from functools import partial

import numpy as np

from pinetum.randomness import stream
from pinetum.separators.lp import SolverFailure
from pinetum.separators.replication.measure import cross_validated_trees, settings_of
from pinetum.separators.scaling import LARGEST_NUMBER
from pinetum.separators.tables import Coding, complete_cases
from pinetum.separators.tree import MOST_PAIRS, grow_tree, plane_text
from pinetum.validation.samples import FEWEST, joined, within_cells

MILLION = 1_000_000
# Keys of the study's section that the records stand on, beside those of its `own`.
SOLVING = ("scaling", "start", "tolerance", "epsilon", "resolve", "on_plane", "solver")
LEVELS = 6  # about so many single decisions does a tree without a limit cost
PROGRAMS = {
    "RLP": 1,
    "RLP-P": 1,
    "FM_RLP": 4,
    "FM_RLP-P": 4,
}  # linear programs solved afresh that a method is worth
ENOUGH = 500  # cases from which no method is left out to have more of them


def unsuitable(dataset, folds) -> str:
    """Why the study cannot run on a table, or nothing."""
    if dataset.n_cases == 0:
        return "no complete case is left; choose `missing: fill`"
    counts = np.bincount(dataset.labels, minlength=dataset.n_classes)
    if np.count_nonzero(counts) < 2:
        return "only one class"
    if dataset.n_cases < 2 * folds:
        return f"{dataset.n_cases} cases are too few for {folds} folds"
    for name, values, number in zip(
        dataset.feature_names, dataset.values, dataset.continuous, strict=True
    ):
        if number and len(values) and max(-values[0], values[-1]) > LARGEST_NUMBER:
            return (
                f"{name} reaches {max(-values[0], values[-1]):.3g}; give it in a larger unit, below"
                f" {LARGEST_NUMBER:g}"
            )
    return ""


def coded_columns(dataset) -> int:
    """Columns of the table that the linear programs see."""
    kinds = zip(dataset.continuous, dataset.arity.tolist(), strict=True)
    return sum(1 if number or size <= 2 else size for number, size in kinds)


def planned(dataset, options):
    """(methods, depths, cases): all that was asked for, or what the work allows of it.

    A linear program is taken to cost its cells times its columns. Trees without a limit are left
    out first, then all methods but the last.
    """
    columns = coded_columns(dataset)
    pairs = (
        np.count_nonzero(dataset.class_counts())
        * (np.count_nonzero(dataset.class_counts()) - 1)
        // 2
    )
    programs = 1.0 if pairs == 1 else min(pairs, MOST_PAIRS) * 2 / dataset.n_classes
    if options["kind"] == "rest" and pairs > 1:
        programs = float(dataset.n_classes)
    methods, depths = options["methods"], options["depths"]
    for chosen in (
        (methods, depths),
        (methods, [min(depths, key=levels)]),
        (methods[-1:], [min(depths, key=levels)]),
    ):
        solved = (
            sum(PROGRAMS[method] for method in chosen[0]) * sum(map(levels, chosen[1])) * programs
        )
        per_case = options["folds"] * options["repeats"] * solved * columns**2
        cases = min(
            dataset.n_cases, options["cells"] // columns, int(options["work"] * MILLION / per_case)
        )
        if cases >= min(dataset.n_cases, ENOUGH):
            break
    return *chosen, cases


def levels(depth) -> int:
    return depth or LEVELS


def explore(table, settings, seed) -> dict:
    """One record per method and depth limit (0: none), means over the folds, errors in percent; and
    their picture.
    """
    records = explored(table, settings, seed)
    return {"separators.csv": records, "separators.png": partial(draw, records, table.name)}


def explored(table, settings, seed) -> list[dict]:
    name = table.name
    if settings["missing"] == "complete":
        table = complete_cases(table)
    reason = unsuitable(table, settings["folds"])
    if not reason:
        methods, depths, cases = planned(table, settings)
        if cases < min(FEWEST, table.n_cases):
            reason = (
                f"{coded_columns(table):,} columns, with one per value of a discrete column,"
                f" leave {cases} cases to the work allowed; group values, drop columns, or raise"
                " work"
            )
    if reason:
        return [{"table": name, "status": "unsuitable", "note": reason}]
    sampled_from = stream(seed, "separators", name, "sample")
    columns = coded_columns(table)
    table, sampled = within_cells(table, cases * columns, sampled_from, columns=columns)
    left = [part for part in settings["methods"] if part not in methods]
    left += [
        f"depth limit {depth or 'none'}" for depth in settings["depths"] if depth not in depths
    ]
    note = joined(sampled, f"left out to stay within the work: {', '.join(left)}" if left else "")
    try:
        return records_of(name, table, settings, methods, depths, seed, note)
    except MemoryError:
        why = f"it needs more than {settings['memory_mb']:,} MB; raise memory_mb, or lower cells"
        return [{"table": name, "status": "memory_limit", "note": why}]


def records_of(name, table, settings, methods, depths, seed, note) -> list[dict]:
    import pandas as pd

    solving = settings_of({key: settings[key] for key in SOLVING})
    kind, coding = settings["kind"], settings["coding"]
    rows = pd.DataFrame(
        cross_validated_trees(
            name,
            table,
            methods=methods,
            kinds=(kind,),
            depths=depths,
            repeats=settings["repeats"],
            folds=settings["folds"],
            seed=seed,
            settings=solving,
            min_cases=settings["min_cases"],
            coding=coding,
            missing=settings["missing"],
        )
    )
    code = Coding.fit(table, coding)
    points = code.points(table)
    records = []
    for (method, depth), part in rows.groupby(["method", "depth_limit"], sort=False):
        good = part[part["status"] == "ok"]
        record = {
            "table": name,
            "method": method,
            "depth_limit": depth,
            "status": (
                "ok"
                if len(good) == len(part)
                else part.loc[part["status"] != "ok", "status"].iloc[0]
            ),
            "n": len(good),
        }
        if len(good):
            record |= {
                "test_error": good["test_error"].mean(),
                "test_error_se": good["test_error"].std() / np.sqrt(len(good)),
                "decisions": good["decisions"].mean(),
                "weights": good["weights"].mean(),
                "features": good["features"].mean(),
                "seconds": good["seconds"].sum(),
            }
        try:
            tree = grow_tree(
                points,
                table.labels,
                table.n_classes,
                method,
                max_depth=depth or None,
                min_cases=settings["min_cases"],
                multiclass=kind,
                settings=solving,
            )
            first = first_decision(tree, code.names, table.class_names)
        except SolverFailure as failure:
            first = f"none: {failure.status}"
        records.append(record | {"first_plane": first, "note": note})
    return records


def first_decision(tree, names, classes) -> str:
    """The plane at the root with the most frequent class of either side."""
    if not tree.n_decisions:
        return "no decision"
    yes, no = (classes[tree.label[side[0]]] for side in (tree.right, tree.left))
    return f"{plane_text(tree.weights[0], tree.offset[0], names)}: {yes}, else {no}"


def draw(records, name):
    """Error against weights, one mark per method and depth."""
    from pinetum.report import style

    fig, axis = style.figure(1, 2.6)
    good = [row for row in records if row["status"] == "ok"]
    for row in good:
        depth = f", depth {row['depth_limit']}" if row["depth_limit"] else ", grown out"
        axis.errorbar(
            row["weights"],
            row["test_error"],
            yerr=row["test_error_se"],
            color=style.colour(row["method"]),
            marker=style.marker(row["method"]),
            mfc=style.colour(row["method"]) if row["depth_limit"] else "none",
            capsize=2,
            ls="",
            label=row["method"] + depth,
        )
    if good:
        axis.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
        if min(row["weights"] for row in good) > 0:
            axis.set_xscale("log")  # a single decision has few, a tree grown out hundreds
    else:
        axis.text(0.5, 0.5, records[0]["status"], ha="center", transform=axis.transAxes)
    axis.set_title(name)
    axis.set_xlabel("weights, summed over the decisions")
    axis.set_ylabel("test error, %")
    return fig
