"""The accuracy study: repeated cross-validation of every method on the same folds, one record per
fit.
"""

import time

import numpy as np

from pinetum.data import NoData, load_dataset
from pinetum.nbdt.between import Setting, choose_weight, predict_codes
from pinetum.nbdt.fixed_depth import TwoClassSolver, to_tree
from pinetum.nbdt.methods import METHODS, method_names, weight_names
from pinetum.nbdt.naive_bayes import NaiveBayes
from pinetum.nbdt.splits import make_questions
from pinetum.nbdt.study.readings import READINGS, with_default_class
from pinetum.progress import Progress
from pinetum.validation import repeated_folds
from pinetum.workflow.jobs import provenance

COLUMNS = [
    "dataset",
    "method",
    "repeat",
    "fold",
    "status",
    "errors",
    "cases",
    "leaves",
    "tests",
    "expected_accuracy",
    "seconds",
    "version",
    "commit",
]


def run(names, settings, seed, folder, catalogue) -> list[dict]:
    warm_up()
    records = []
    progress = Progress(len(names), "data sets")
    for name in names:
        try:
            dataset = load_dataset(name, folder, catalogue)
        except NoData as reason:
            print(reason)
            records += [
                {"dataset": name, "method": method, "status": "no_data"}
                for method in all_names(settings)
            ]
        else:
            records += fold_records(dataset, settings, seed)
        progress.step()
    return [record | provenance() for record in records]


def warm_up():
    """Compile every kernel of a fit outside the clocks."""
    codes, labels = np.array([[0, 0, 1, 1], [0, 1, 0, 1], [1, 0, 0, 1]]), np.array([0, 0, 1, 1])
    TwoClassSolver(NaiveBayes.estimate(codes, labels, [2, 2, 2], 2), 3).fit()


def fold_records(dataset, settings, seed) -> list[dict]:
    """Every method on every fold of every repeat."""
    folds = repeated_folds(
        dataset.labels, settings["folds"], settings["repeats"], seed, "nbdt", dataset.name
    )
    records = []
    for repeat, numbers in enumerate(folds):
        for fold in range(settings["folds"]):
            train, test = np.flatnonzero(numbers != fold), np.flatnonzero(numbers == fold)
            found = list(fits(dataset, train, test, settings))
            if repeat < settings["optimal_repeats"]:
                found += optimal_fits(dataset, train, test, settings)
            if repeat < settings["blend"]["repeats"]:
                found += blended_fits(dataset, train, test, settings, seed)
            for record in found:
                records.append(
                    {"dataset": dataset.name, "repeat": repeat, "fold": fold, "cases": len(test)}
                    | record
                )
    return records


def fits(dataset, train, test, settings):
    """The methods of the paper and greedy trees on one split."""
    begun = time.process_time()
    labels = dataset.labels[train]
    model = NaiveBayes.estimate(
        dataset.codes[:, train], labels, dataset.arity, dataset.n_classes, settings["alpha"]
    )
    estimated = time.process_time() - begun
    wrong = int(np.count_nonzero(model.predict(dataset.codes[:, test]) != dataset.labels[test]))
    naive = {
        "method": "NB",
        "status": "ok",
        "errors": wrong,
        "seconds": time.process_time() - begun,
    }

    for depth in settings["depths"]:
        begun = time.process_time()
        policy = TwoClassSolver(model, depth).fit()
        seconds = time.process_time() - begun + estimated
        tree = to_tree(policy, model, dataset, len(train))
        yield tree_record(
            METHODS["optnbdt"].name(depth), tree, dataset, test, seconds, policy.expected_accuracy
        )
    yield from greedy_fits(dataset, train, test, settings)
    yield naive


def greedy_fits(dataset, train, test, settings):
    """3-ID3 (gain; stops at pure nodes and when no attribute is left), its readings, and greedy
    trees by depth.
    """
    from pinetum.induction import Grower, Options

    id3 = {"criterion": "gain", "min_cases": 0, "zero_gain": True, "max_depth": 3}
    wanted = {"3-ID3": Options(**id3)} | {
        name: Options(**(id3 | made.options)) for name, made in READINGS.items()
    }
    for depth in settings["greedy_depths"]:
        wanted[f"{depth}-greedy"] = Options(criterion=settings["greedy_criterion"], max_depth=depth)
    for name, options in wanted.items():
        begun = time.process_time()
        tree = Grower(dataset, options, cases=train).grow()
        if name in READINGS and READINGS[name].default_class:
            tree = with_default_class(tree)
        yield tree_record(name, tree, dataset, test, time.process_time() - begun)


def all_names(settings):
    """Methods of the tables, and those of the figure over the weight of the prior."""
    return list(dict.fromkeys([*method_names(settings), *weight_names(settings)]))


def search_setting(dataset, ways, alpha) -> Setting:
    """What our search is given of a data set: features without order, asked in two or in many
    ways.
    """
    ordered = np.zeros(dataset.n_features, dtype=bool)
    questions = make_questions(dataset.arity, ordered, ways=ways)
    return Setting(questions, dataset.arity, ordered, dataset.n_classes, alpha)


def optimal_fits(dataset, train, test, settings):
    """Trees with the fewest training errors of their depth, which ask for one value against the
    rest.
    """
    codes, labels = np.ascontiguousarray(dataset.codes[:, train]), dataset.labels[train]
    for depth in settings["optimal_depths"]:
        begun = time.process_time()
        setting = search_setting(dataset, "two", settings["alpha"])
        tree = setting.solver(codes, labels).fit(depth)
        yield blended_record(
            METHODS["optimal"].name(depth), tree, setting.questions, dataset, test, begun
        )


def blended_fits(dataset, train, test, settings, seed):
    """Trees between data and Naive Bayes, with a branch per value: every weight, and that of inner
    cross-validation.
    """
    blend, setting = settings["blend"], search_setting(dataset, "many", settings["alpha"])
    codes, labels = np.ascontiguousarray(dataset.codes[:, train]), dataset.labels[train]
    weights = {float(weight): weight for weight in (0, *blend["weights"])}
    grid = tuple(sorted(map(float, blend["weights"])))
    for depth in blend["depths"]:
        solver = setting.solver(codes, labels)
        fitted = {}
        for weight, text in weights.items():
            begun = time.process_time()
            tree = solver.fit(depth, weight)
            fitted[weight] = blended_record(
                f"{depth}-blend-{text}", tree, setting.questions, dataset, test, begun
            )
        begun = time.process_time()
        chosen, _ = choose_weight(setting, codes, labels, train, None, depth, grid=grid, seed=seed)
        seconds = time.process_time() - begun + fitted[chosen]["seconds"]
        yield from fitted.values()
        yield fitted[chosen] | {"method": f"{depth}-blend-cv", "seconds": seconds}


def blended_record(name, tree, questions, dataset, test, begun):
    seconds = time.process_time() - begun
    said = predict_codes(tree, questions, np.ascontiguousarray(dataset.codes[:, test]))
    return {
        "method": name,
        "status": "ok",
        "errors": int(np.count_nonzero(said != dataset.labels[test])),
        "leaves": tree.leaves,
        "tests": tree.depth,
        "seconds": seconds,
    }


def tree_record(name, tree, dataset, test, seconds, expected=None):
    sizes = tree.sizes
    return {
        "method": name,
        "status": "ok",
        "errors": tree.errors(dataset, test),
        "leaves": sizes.leaves,
        "tests": sizes.depth,
        "expected_accuracy": expected,
        "seconds": seconds,
    }
