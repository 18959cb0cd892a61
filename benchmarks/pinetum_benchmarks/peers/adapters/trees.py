"""Trees of one threshold per test, grown greedily: by scikit-learn, LightGBM, YDF, Weka and
obliquetree.
"""

import numpy as np

from pinetum_benchmarks.peers.adapters.common import OnNumbers, Wrapped


class ScikitLearn(Wrapped):
    """`DecisionTreeClassifier`."""

    def make(self, **options):
        from sklearn.tree import DecisionTreeClassifier

        return DecisionTreeClassifier(random_state=0, **options)

    def facts(self):
        tree = self.model.tree_
        used = tree.feature[tree.feature >= 0]
        return {
            "leaves": self.model.get_n_leaves(),
            "depth": tree.max_depth,
            "features": len(np.unique(used)),
        }


class ScikitLearnOnColumns(OnNumbers, ScikitLearn):
    """The same from a table's own columns."""


class Pruned(ScikitLearn):
    """scikit-learn's tree, its cost-complexity parameter chosen by cross-validation among those of
    its own path.
    """

    def fit(self, X, y):
        from sklearn.model_selection import GridSearchCV, StratifiedKFold

        alphas = self.model.cost_complexity_pruning_path(X, y).ccp_alphas
        middles = np.sqrt(np.maximum(alphas[:-1], 0) * alphas[1:])
        few = (
            np.unique(np.quantile(middles, np.linspace(0, 1, 20))) if len(middles) else np.zeros(1)
        )
        folds = StratifiedKFold(self.data["inner_folds"].item(), shuffle=True, random_state=0)
        search = GridSearchCV(self.model, {"ccp_alpha": few}, cv=folds).fit(X, y)
        self.model = search.best_estimator_


class LightGbm(Wrapped):
    """The first tree of `LGBMClassifier`: one per class where there are more than two."""

    def make(self, **options):
        from lightgbm import LGBMClassifier

        return LGBMClassifier(
            n_estimators=1,
            num_leaves=int(min(131_072, max(2, len(self.data["y"])))),
            histogram_pool_size=500,
            min_child_samples=1,
            min_child_weight=0,
            min_split_gain=0,
            learning_rate=1.0,
            n_jobs=1,
            verbose=-1,
            **options,
        )

    def facts(self):
        trees = self.model.booster_.dump_model()["tree_info"]
        return {"leaves": sum(tree["num_leaves"] for tree in trees), "trees": len(trees)}


class Ydf:
    """`CartLearner` or another learner of YDF; columns are numbers."""

    def __init__(self, data, learner="CartLearner", **options):
        import ydf

        self.learner, self.options = getattr(ydf, learner), options

    def columns(self, X):
        return {f"x{i}": column for i, column in enumerate(np.asarray(X, dtype=np.float32).T)}

    def fit(self, X, y):
        table = self.columns(X) | {"class": y.astype(np.int64)}
        self.classes = np.unique(y)
        self.model = self.learner(label="class", num_threads=1, **self.options).train(
            table, verbose=0
        )

    def predict(self, X):
        found = np.asarray(self.model.predict(self.columns(X)))
        if found.ndim == 1:  # two classes: the share of the second
            return self.classes[(found > 0.5).astype(int)]
        return self.classes[found.argmax(axis=1)]

    def facts(self):
        leaves, used = 0, set()
        waiting = [self.model.get_tree(0).root]
        while waiting:
            node = waiting.pop()
            if not hasattr(node, "condition"):
                leaves += 1
                continue
            test = node.condition
            used |= set(getattr(test, "attributes", None) or [test.attribute])
            waiting += [node.pos_child, node.neg_child]
        return {"leaves": leaves, "features": len(used)}


class ObliqueTree(Wrapped):
    """`obliquetree.Classifier`, with tests of one feature or of several."""

    def make(self, **options):
        from obliquetree import Classifier

        return Classifier(random_state=0, **options)

    def fit(self, X, y):
        self.model.fit(np.ascontiguousarray(X, dtype=np.float64), y.astype(np.int64))

    def predict(self, X):
        return self.model.predict(np.ascontiguousarray(X, dtype=np.float64))
