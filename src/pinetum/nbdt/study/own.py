"""A user's own table: the best tree within the bound, its leaves, and how it does in cross-validation."""

import time

import numpy as np

from pinetum.data import NoData, load_dataset
from pinetum.nbdt.naive_bayes import NaiveBayes
from pinetum.nbdt.policy_tree import leaf_records, to_tree
from pinetum.nbdt.preparation import Unsuitable, discrete
from pinetum.nbdt.solver import SIMPLEX_CELLS, solver
from pinetum.validation import mean_se, repeated_folds
from pinetum.workflow.jobs import provenance

COLUMNS = [
    "table", "method", "status", "note", "depth", "alpha", "cases", "features", "classes", "expected_accuracy",
    "leaves", "tests", "error", "sd", "se", "repeats", "folds", "seconds", "version", "commit",
]  # fmt: skip
LEAF_COLUMNS = ["leaf", "path", "class", "p_path", "p_class", "term"]


def run(name, settings, seed, folder, catalogue):
    """Records, leaf records and the tree (None when the table does not suit)."""
    try:
        dataset = discrete(load_dataset(name, folder, catalogue), settings["continuous"])
        costs = costs_of(dataset, settings["costs"].get(name))
        check(dataset, settings, costs)
        model = NaiveBayes.estimate(dataset.codes, dataset.labels, dataset.arity, dataset.n_classes, settings["alpha"])
        solver(model, settings["depth"], costs).fit()  # compiles, outside the clock
    except (Unsuitable, NoData, MemoryError) as reason:
        status = "no_data" if isinstance(reason, NoData) else "unsuitable"
        note = " ".join(str(reason).split())
        return [{"table": name, "method": "OPTNBDT", "status": status, "note": note} | provenance()], [], None
    begun = time.process_time()
    policy = solver(model, settings["depth"], costs).fit()
    seconds = time.process_time() - begun
    tree = to_tree(policy, model, dataset)
    about = {"cases": dataset.n_cases, "features": dataset.n_features, "classes": dataset.n_classes}
    about |= {"table": name, "depth": settings["depth"], "alpha": settings["alpha"], "status": "ok"}
    mine = {"expected_accuracy": policy.expected_accuracy, "leaves": tree.sizes.leaves, "tests": tree.depth}
    mine |= {"seconds": seconds}
    records = []
    for method, rates in cross_validate(dataset, settings, costs, seed).items():
        mean, error = mean_se(rates)
        spread = float(np.std(rates, ddof=1)) if len(rates) > 1 else None
        scores = {"method": method, "error": mean, "sd": spread, "se": error}
        scores |= {"repeats": len(rates), "folds": settings["folds"]}
        records.append(about | scores | (mine if method == "OPTNBDT" else {}) | provenance())
    return records, leaf_records(tree, model), tree


def costs_of(dataset, wanted):
    """Cost per feature, or None for unit costs."""
    if not wanted:
        return None
    unknown = sorted(set(wanted) - set(dataset.feature_names))
    if unknown:
        raise ValueError(f"nbdt.own.costs.{dataset.name}: {unknown[0]!r} is not a feature of the table")
    return np.array([wanted.get(name, 1.0) for name in dataset.feature_names])


def check(dataset, settings, costs):
    if dataset.n_classes > max(SIMPLEX_CELLS):
        raise Unsuitable(f"{dataset.n_classes} classes; at most {max(SIMPLEX_CELLS)} are taken")
    if dataset.n_classes < 2:
        raise Unsuitable("one class: nothing to learn")
    if costs is None and settings["depth"] != int(settings["depth"]):
        raise Unsuitable(f"depth {settings['depth']} is not a whole number, and no feature has a cost")
    if dataset.n_cases < settings["folds"]:
        raise Unsuitable(f"{dataset.n_cases} cases for {settings['folds']} folds")


def cross_validate(dataset, settings, costs, seed):
    """Error rate per repeat of our tree and of Naive Bayes, and of the greedy trees when tests have unit costs."""
    from pinetum.induction import Grower, Options

    rates = {}
    folds = repeated_folds(dataset.labels, settings["folds"], settings["repeats"], seed, "nbdt", "own", dataset.name)
    for numbers in folds:
        wrong = {}
        for fold in range(settings["folds"]):
            train, test = np.flatnonzero(numbers != fold), np.flatnonzero(numbers == fold)
            model = NaiveBayes.estimate(
                dataset.codes[:, train], dataset.labels[train], dataset.arity, dataset.n_classes, settings["alpha"]
            )
            tree = to_tree(solver(model, settings["depth"], costs).fit(), model, dataset, len(train))
            found = {
                "OPTNBDT": tree.errors(dataset, test),
                "NB": np.count_nonzero(model.predict(dataset.codes[:, test]) != dataset.labels[test]),
            }
            if costs is None:
                options = Options(criterion="gain", min_cases=0, zero_gain=True, max_depth=int(settings["depth"]))
                found["ID3"] = Grower(dataset, options, cases=train).grow().errors(dataset, test)
            for method, errors in found.items():
                wrong[method] = wrong.get(method, 0) + int(errors)
        for method, errors in wrong.items():
            rates.setdefault(method, []).append(errors / dataset.n_cases)
    return rates
