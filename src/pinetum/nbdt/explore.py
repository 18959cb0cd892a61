"""A user's own table: the best tree within the bound, its leaves, and how it does in
cross-validation.
"""

import time
from functools import partial

import numpy as np

from pinetum.data.errors import DataError
from pinetum.induction import Grower, Options
from pinetum.nbdt.fixed_depth import leaf_records, solver, to_tree
from pinetum.nbdt.naive_bayes import NaiveBayes, Unsuitable, discrete
from pinetum.progress import Progress
from pinetum.randomness import stream
from pinetum.validation import mean_se, repeated_folds
from pinetum.validation.samples import joined, within_cells
from pinetum.workflow.job import Plain

LEAF_COLUMNS = ["leaf", "path", "class", "p_path", "p_class", "term"]
MILLION = 1_000_000


def explore(table, settings, seed) -> dict:
    """Records (errors in percent), leaves, text and picture of the best tree within the bound."""
    import pandas as pd

    records, leaves, tree = explored(table, settings, seed)
    note = records[0]["note"] if tree is None else ""
    return {
        "nbdt.csv": records,
        "nbdt_leaves.csv": Plain(pd.DataFrame(leaves, columns=LEAF_COLUMNS)),
        "nbdt_tree.txt": f"{tree.to_text() if tree else note}\n",
        "nbdt_tree.png": partial(draw, tree, note),
    }


def explored(data, settings, seed):
    """Records, leaf records and the tree (None when the table does not suit)."""
    name = data.name
    try:
        data, sampled = within_cells(
            data, settings["cells"], stream(seed, "nbdt", "own", name, "sample")
        )
        costs = costs_of(data, settings["costs"])
        dataset = discrete(data, settings["continuous"], intervals=settings["intervals"])
        check(dataset, settings, costs)
        depth = depth_within(dataset, settings, costs)
        model = NaiveBayes.estimate(
            dataset.codes, dataset.labels, dataset.arity, dataset.n_classes, settings["alpha"]
        )
        solver(model, depth, costs).fit()  # compiles, outside the clock
    except (Unsuitable, MemoryError) as reason:
        refusal = {"status": "unsuitable", "note": refusal_of(reason, settings)}
        return [{"table": name, "method": "OPTNBDT", **refusal}], [], None
    begun = time.process_time()
    policy = solver(model, depth, costs).fit()
    seconds = time.process_time() - begun
    tree = to_tree(policy, model, dataset)
    shallow = (
        ""
        if depth == settings["depth"]
        else f"depth {depth:g}: {settings['depth']:g} is more than work allows"
    )
    about = {"cases": dataset.n_cases, "features": dataset.n_features, "classes": dataset.n_classes}
    about |= {"table": name, "depth": depth, "alpha": settings["alpha"], "status": "ok"}
    about |= {"note": joined(sampled, shallow)}
    mine = {
        "expected_accuracy": policy.expected_accuracy,
        "leaves": tree.sizes.leaves,
        "tests": tree.depth,
    }
    mine |= {"seconds": seconds}
    records = []
    for method, rates in cross_validate(data, settings, depth, costs, seed).items():
        mean, error = mean_se(100 * np.array(rates))
        spread = 100 * float(np.std(rates, ddof=1)) if len(rates) > 1 else None
        scores = {"method": method, "error": mean, "sd": spread, "se": error}
        scores |= {"repeats": len(rates), "folds": settings["folds"]}
        records.append(about | scores | (mine if method == "OPTNBDT" else {}))
    return records, leaf_records(tree, model), tree


def refusal_of(reason, settings) -> str:
    return (
        " ".join(str(reason).split())
        or f"it needs more than {settings['memory_mb']:,} MB; raise memory_mb"
    )


def costs_of(dataset, wanted):
    """Cost per feature, or None for unit costs."""
    if not wanted:
        return None
    unknown = sorted(set(wanted) - set(dataset.feature_names))
    if unknown:
        cure = f"the columns used are {', '.join(dataset.feature_names[:30])}"
        raise DataError(
            f"{dataset.name}: no column {unknown[0]!r}, which `nbdt: {{costs: ...}}` names",
            cure=cure,
        )
    return np.array([wanted.get(name, 1.0) for name in dataset.feature_names])


def check(dataset, settings, costs):
    if dataset.n_classes < 2:
        raise Unsuitable("one class: nothing to learn")
    if costs is None and settings["depth"] != int(settings["depth"]):
        raise Unsuitable(
            f"depth {settings['depth']} is not a whole number, and no feature has a cost"
        )
    if dataset.n_cases < settings["folds"]:
        raise Unsuitable(f"{dataset.n_cases} cases for {settings['folds']} folds")


def depth_within(dataset, settings, costs):
    """The depth, or the largest one below it for which all trees' nodes are within the work of one
    search.

    With costs the tests of the cheapest column count.
    """
    searches = settings["folds"] * settings["repeats"] + 2
    room = settings["work"] * MILLION / searches
    values = float(dataset.arity.sum())
    depth, unit = settings["depth"], 1.0 if costs is None else float(costs.min())
    while depth > unit and values ** (depth // unit) * dataset.n_classes > room:
        depth -= unit
    if values * dataset.n_classes > room:
        raise Unsuitable(
            f"{int(values):,} values of all columns together are more than work allows"
        )
    return depth


def cross_validate(data, settings, depth, costs, seed):
    """Error rate per repeat of our tree and of Naive Bayes, and of the greedy trees when tests have
    unit costs.

    Numbers are cut into intervals on the training cases of each fold.
    """
    rates = {}
    folds = repeated_folds(
        data.labels, settings["folds"], settings["repeats"], seed, "nbdt", "own", data.name
    )
    progress = Progress(settings["folds"] * settings["repeats"], "folds")
    for numbers in folds:
        wrong = {}
        for fold in range(settings["folds"]):
            train, test = np.flatnonzero(numbers != fold), np.flatnonzero(numbers == fold)
            dataset = discrete(
                data, settings["continuous"], cases=train, intervals=settings["intervals"]
            )
            model = NaiveBayes.estimate(
                dataset.codes[:, train],
                dataset.labels[train],
                dataset.arity,
                dataset.n_classes,
                settings["alpha"],
            )
            tree = to_tree(solver(model, depth, costs).fit(), model, dataset, len(train))
            found = {
                "OPTNBDT": tree.errors(dataset, test),
                "NB": np.count_nonzero(
                    model.predict(dataset.codes[:, test]) != dataset.labels[test]
                ),
            }
            if costs is None:
                options = Options(
                    criterion="gain", min_cases=0, zero_gain=True, max_depth=int(depth)
                )
                found["ID3"] = Grower(dataset, options, cases=train).grow().errors(dataset, test)
            for method, errors in found.items():
                wrong[method] = wrong.get(method, 0) + int(errors)
            progress.step()
        for method, errors in wrong.items():
            rates.setdefault(method, []).append(errors / data.n_cases)
    return rates


def draw(tree, note):
    """The tree of a user's table, or why there is none."""
    from pinetum.report import style

    fig, axes = style.figure(columns=2, height=3.6)
    if tree is not None and tree.sizes.leaves <= 40:
        tree.plot(axes)
    else:
        why = note or f"{tree.sizes.leaves} leaves: too many to draw; see the text file"
        axes.text(0.5, 0.5, why, ha="center", va="center", wrap=True)
        axes.set_axis_off()
    return fig
