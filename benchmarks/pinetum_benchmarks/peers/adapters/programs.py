"""A pruning function by genetic programming, with gplearn."""

import numpy as np


class Gplearn:
    """Learns the error of a node on cases that its tree was not grown from, and prunes
    scikit-learn's tree by it.
    """

    def __init__(self, data, generations=8, population=200):
        self.generations, self.population = generations, population

    def fit(self, X, y):
        from gplearn.genetic import SymbolicRegressor
        from sklearn.model_selection import train_test_split
        from sklearn.tree import DecisionTreeClassifier

        grown, held, y_grown, y_held = train_test_split(
            X, y, test_size=1 / 3, stratify=y, random_state=0
        )
        part = DecisionTreeClassifier(criterion="entropy", random_state=0).fit(grown, y_grown)
        seen = part.decision_path(held).toarray().astype(bool)
        says = part.tree_.value[:, 0].argmax(axis=1)
        reached = np.flatnonzero(seen.any(axis=0))
        wrong = np.array(
            [np.mean(y_held[seen[:, node]] != part.classes_[says[node]]) for node in reached]
        )
        self.rate = SymbolicRegressor(
            population_size=self.population,
            generations=self.generations,
            function_set=("add", "sub", "mul", "div", "sqrt"),
            metric="mse",
            random_state=0,
            n_jobs=1,
        )
        self.rate.fit(numbers_of(part)[reached], wrong, sample_weight=seen.sum(axis=0)[reached])
        self.model = DecisionTreeClassifier(criterion="entropy", random_state=0).fit(X, y)
        self.cut = self.pruned()

    def pruned(self):
        """Nodes at which the tree ends: the errors that the program expects are no more than those
        below.
        """
        tree = self.model.tree_
        expected = self.rate.predict(numbers_of(self.model)) * tree.n_node_samples
        cut = tree.children_left < 0
        for node in range(tree.node_count - 1, -1, -1):
            if not cut[node]:
                below = expected[tree.children_left[node]] + expected[tree.children_right[node]]
                if expected[node] <= below:
                    cut[node] = True
                else:
                    expected[node] = below
        return cut

    def predict(self, X):
        path = self.model.decision_path(X).toarray().astype(bool)
        ends = (path & self.cut).argmax(axis=1)  # nodes are numbered from the root down
        return self.model.classes_[self.model.tree_.value[:, 0].argmax(axis=1)[ends]]

    def facts(self):
        tree, leaves, waiting = self.model.tree_, 0, [0]
        while waiting:
            node = waiting.pop()
            if self.cut[node]:
                leaves += 1
            else:
                waiting += [tree.children_left[node], tree.children_right[node]]
        return {"leaves": leaves}


def numbers_of(model):
    """What a program may read of every node: its cases and its training errors."""
    tree = model.tree_
    share = tree.value[:, 0] / tree.value[:, 0].sum(axis=1, keepdims=True)
    return np.column_stack([tree.n_node_samples, tree.n_node_samples * (1 - share.max(axis=1))])
