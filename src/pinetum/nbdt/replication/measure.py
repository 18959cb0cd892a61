"""What is measured: repeated cross-validation of every method on the same folds, trees on growing
parts of the cases, shapes and expected accuracy on the whole files, and the example of figure 2.
"""

import time

import numpy as np

from pinetum.nbdt.between import Setting, choose_weight, predict_codes
from pinetum.nbdt.fixed_depth import TwoClassSolver, to_tree
from pinetum.nbdt.kernels.feature_lists import feature_list
from pinetum.nbdt.methods import METHODS, method_names, weight_names
from pinetum.nbdt.naive_bayes import NaiveBayes
from pinetum.nbdt.replication.readings import READINGS, with_default_class
from pinetum.nbdt.splits import make_questions
from pinetum.randomness import stream
from pinetum.validation import repeated_folds
from pinetum.workflow.tables import absent, each_table

# ------------------------------------------------------------ the rules' functions


def cross_validate_nbdt(datasets, seed, **settings):
    """Every method on every fold of every data set."""
    warm_up()
    records = []
    for _name, table in each_table(datasets):
        if absent(table):
            records += [table | {"method": method} for method in all_names(settings)]
        else:
            records += fold_records(table, settings, seed)
    return {"folds": records}


def learn_nbdt(datasets, seed, **settings):
    """Errors of the data alone, of Naive Bayes alone and of trees between them on growing parts of
    every data set.
    """
    records = []
    for _name, table in each_table(datasets):
        records += [table] if absent(table) else curve_records(table, settings, seed)
    return {"learning": records}


def describe_nbdt(datasets, speed_only, alpha, depths):
    """Shapes of the data sets, expected accuracy per depth on the whole files, and the example of
    figure 2.
    """
    shapes, expected = [], []
    for _name, table in each_table([*datasets, *speed_only]):
        if absent(table):
            shapes.append(table)
        else:
            shapes.append(shape_record(table))
            expected += expected_records(table, alpha, depths)
    return {"datasets": shapes, "expected": expected, "example": example_records()}


# ------------------------------------------------------------ cross-validation


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


# ------------------------------------------------------------ learning curves

LARGEST_SHARE = 0.8  # of the cases that are trained on


def curve_records(dataset, settings, seed) -> list[dict]:
    """Every weight of the prior on growing parts of the cases in random order, tested on all the
    others.
    """
    learning, records = settings["learning"], []
    wanted = settings | {"blend": settings["blend"] | {"depths": [learning["depth"]]}}
    for repeat in range(learning["repeats"]):
        order = stream(seed, "nbdt", dataset.name, "learning", repeat).permutation(dataset.n_cases)
        for size in learning["sizes"]:
            if size > LARGEST_SHARE * dataset.n_cases:
                continue
            train, test = np.sort(order[:size]), np.sort(order[size:])
            key = {"dataset": dataset.name, "training": size, "repeat": repeat, "cases": len(test)}
            records += [key | found for found in blended_fits(dataset, train, test, wanted, seed)]
    return records


# ------------------------------------------------------------ whole files


def shape_record(table) -> dict:
    """Table 1 of the paper for one of our data sets."""
    return {
        "dataset": table.name,
        "status": "ok",
        "features": table.n_features,
        "cases": table.n_cases,
        "values": int(table.arity.sum()),
        "class_sizes": "/".join(map(str, table.class_counts())),
    }


def expected_records(table, alpha, depths) -> list[dict]:
    """How expected accuracy grows with depth on a whole file."""
    model = NaiveBayes.estimate(table.codes, table.labels, table.arity, table.n_classes, alpha)
    solver = TwoClassSolver(model, max(depths))
    records = []
    for depth in depths:
        policy = solver.fit(depth)
        tree = to_tree(policy, model, table)
        root = tree.feature[0]
        records.append(
            {
                "dataset": table.name,
                "depth": depth,
                "status": "ok",
                "expected_accuracy": policy.expected_accuracy,
                "leaves": tree.sizes.leaves,
                "root": table.feature_names[root] if root >= 0 else "",
                "features_used": len(tree.used_features),
            }
        )
    return records


# ------------------------------------------------------------ figure 2: three small features

EXAMPLE = ("A", "B", "C")
# Per feature P(value | -) and P(value | +).
TABLES = (((0.4, 0.6), (0.9, 0.1)), ((0.1, 0.9), (0.5, 0.5)), ((0.2, 0.3, 0.5), (0.6, 0.3, 0.1)))


def example_model(positive=0.5) -> NaiveBayes:
    return NaiveBayes.from_tables([1 - positive, positive], TABLES)


def example_records() -> list[dict]:
    """kind `curve`: corners of Acc(F, x); kind `list`: ranks of the features in x .. x_end."""
    problem = example_model()
    plus, minus = np.ascontiguousarray(problem.given[1]), np.ascontiguousarray(problem.given[0])
    records = []
    for feature, name in enumerate(EXAMPLE):
        start, end = problem.start[feature], problem.start[feature + 1]
        breaks, _, gain_plus, gain_minus = feature_list(feature, plus, minus, start, end)
        pieces = np.append(np.arange(len(breaks) - 1), len(breaks) - 2)
        for x, piece in zip(breaks, pieces, strict=True):
            value = x * gain_plus[piece, 0] + (1 - x) * gain_minus[piece, 0]
            records.append({"kind": "curve", "feature": name, "x": x, "accuracy": value})
    breaks, listed, _, _ = TwoClassSolver(problem, len(EXAMPLE)).opt_feature_list
    orders = [tuple(row) for row in listed.tolist()]
    first = 0
    for piece in range(1, len(orders) + 1):
        if piece == len(orders) or orders[piece] != orders[first]:
            for rank, feature in enumerate(orders[first]):
                records.append(
                    {
                        "kind": "list",
                        "feature": EXAMPLE[feature],
                        "x": breaks[first],
                        "x_end": breaks[piece],
                        "rank": rank + 1,
                    }
                )
            first = piece
    return records
