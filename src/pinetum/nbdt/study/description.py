"""Table 1 of the paper for our data sets, and how expected accuracy grows with depth on the whole
files.
"""

from pinetum.data import NoData, load_dataset
from pinetum.nbdt.fixed_depth import TwoClassSolver, to_tree
from pinetum.nbdt.naive_bayes import NaiveBayes
from pinetum.workflow.jobs import provenance

SHAPE_COLUMNS = [
    "dataset",
    "status",
    "features",
    "cases",
    "values",
    "class_sizes",
    "version",
    "commit",
]
EXPECTED_COLUMNS = [
    "dataset", "depth", "status", "expected_accuracy", "leaves", "root", "features_used", "version",
    "commit",
]  # fmt: skip


def run(names, settings, folder, catalogue):
    shapes, values = [], []
    for name in names:
        try:
            dataset = load_dataset(name, folder, catalogue)
        except NoData as reason:
            print(reason)
            shapes.append({"dataset": name, "status": "no_data"})
            continue
        shapes.append(
            {
                "dataset": name,
                "status": "ok",
                "features": dataset.n_features,
                "cases": dataset.n_cases,
                "values": int(dataset.arity.sum()),
                "class_sizes": "/".join(map(str, dataset.class_counts())),
            }
        )
        model = NaiveBayes.estimate(
            dataset.codes, dataset.labels, dataset.arity, dataset.n_classes, settings["alpha"]
        )
        solver = TwoClassSolver(model, max(settings["depths"]))
        for depth in settings["depths"]:
            policy = solver.fit(depth)
            tree = to_tree(policy, model, dataset)
            values.append(
                {
                    "dataset": name,
                    "depth": depth,
                    "status": "ok",
                    "expected_accuracy": policy.expected_accuracy,
                    "leaves": tree.sizes.leaves,
                    "root": dataset.feature_names[tree.feature[0]] if tree.feature[0] >= 0 else "",
                    "features_used": len(tree.used_features),
                }
            )
    return [row | provenance() for row in shapes], [row | provenance() for row in values]
