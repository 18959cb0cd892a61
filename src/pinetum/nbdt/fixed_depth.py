"""The best fixed-depth tree under Naive Bayes, by the paper's methods and by branch and bound.

`TwoClassSolver` takes two classes and tests that cost alike; all its methods give the same tree.
`BudgetSolver` takes any classes and costs; of trees equally good it may give another. `solver`
picks one. Their answer is a `Policy`; below is what it is worth and how it becomes a `Tree`, and
`opt_feature_list`, by which the last tests are found.
"""

from dataclasses import dataclass

import numpy as np

from pinetum.data.dataset import Dataset
from pinetum.induction.cases import cases_of
from pinetum.nbdt.between import DEEPEST, MOST_LEAVES, BlendSolver
from pinetum.nbdt.kernels import feature_lists
from pinetum.nbdt.kernels.branch_and_bound import Bounds, bound_table, relaxed_use
from pinetum.nbdt.kernels.feature_lists import LastTests, Model
from pinetum.nbdt.kernels.fixed_depth import grow
from pinetum.nbdt.methods import SEARCHES
from pinetum.nbdt.naive_bayes import NaiveBayes, Unsuitable, discrete
from pinetum.nbdt.splits import make_questions
from pinetum.parameters import Number, check
from pinetum.trees import Tree

CELLS = 64  # of the grid over x in the two-class bound
# Features that the bound never repeats, per depth; 4 for deeper trees.
MEMBERS = {3: 1, 4: 1, 5: 2, 6: 3}
CENT = 1e-9  # sums of costs closer than this are equal
# For the methods that need none, of the same types.
NO_LIST = LastTests(
    np.zeros(1, np.uint64),
    np.zeros(1),
    np.zeros((1, 1), np.uint64),
    np.zeros((1, 1)),
    np.zeros((1, 1)),
)
NO_BOUNDS = Bounds(
    np.zeros((1, 1, 1)),
    np.zeros((1, 1)),
    np.zeros((1, 1)),
    np.zeros((1, 1), np.int64),
    np.zeros((1, 1), np.int64),
    np.zeros(1, np.int64),
    np.zeros((1, 1, 1), np.int64),
    np.zeros((1, 1), np.bool_),
)


@dataclass(frozen=True, eq=False)
class Policy:
    """A grown tree: nodes in preorder, feature -1 in a leaf.

    Joint[i, c] = P(path to i, class c).
    """

    feature: np.ndarray
    parent: np.ndarray
    branch: np.ndarray
    label: np.ndarray
    joint: np.ndarray
    expected_accuracy: float

    def leaf_terms(self) -> np.ndarray:
        """P(path, label) of every leaf (0 at inner nodes): the terms whose sum is the expected
        accuracy.
        """
        right = self.joint[np.arange(len(self.label)), self.label]
        return np.where(self.feature < 0, right, 0.0)


def solver(model: NaiveBayes, depth, costs=None):
    """A solver for trees up to `depth` tests on every path, or up to total cost `depth` when costs
    are given.
    """
    if model.n_classes == 2 and costs is None:
        return TwoClassSolver(model, depth)
    return BudgetSolver(model, depth, costs)


class TwoClassSolver:
    """Two classes, unit costs.

    Lists and bounds are made once for the greatest depth and serve the smaller ones.
    """

    def __init__(self, model: NaiveBayes, depth: int, cells: int = CELLS):
        if model.n_classes != 2:
            raise ValueError(f"{model.n_classes} classes: the two-class solver takes two")
        if depth != int(depth) or depth < 0:
            raise ValueError(f"depth = {depth}: a whole number of tests is needed")
        self.model = model
        self.depth = min(int(depth), model.n_features)
        minus, plus = (np.ascontiguousarray(row) for row in model.given)
        self.tables = Model(plus, minus, model.start)
        self.cells = cells
        self._list = self._bounds = None

    @property
    def opt_feature_list(self):
        """A `FeatureList`."""
        if self._list is None:
            self._list = feature_lists.opt_feature_list(*self.tables, max(self.depth, 1))
        return self._list

    def listed(self, wanted=True):
        if not wanted:
            return NO_LIST
        found = self.opt_feature_list
        return LastTests(feature_lists.guide_of(found[0]), *found)

    def bounds(self, wanted=True):
        if not wanted or self.depth < 2:
            return NO_BOUNDS
        if self._bounds is None:
            member_of = np.full(self.model.n_features, -1, np.int64)
            tables = bound_table(self.depth, self.cells, member_of, 0, *self.tables)
            members = min(MEMBERS.get(self.depth, 4), self.model.n_features)
            if self.depth > 2 and members:
                minus, plus = self.model.prior
                use = relaxed_use(self.depth, plus, minus, *self.tables, tables[3], tables[4])
                member_of[np.argsort(-use, kind="stable")[:members]] = np.arange(members)
                tables = bound_table(self.depth, self.cells, member_of, members, *self.tables)
            shape = tables[1].shape[0], self.cells
            order = np.zeros((*shape, self.model.n_features), np.int64)
            self._bounds = Bounds(*tables, member_of, order, np.zeros(shape, np.bool_))
        return self._bounds

    def fit(self, depth=None, method="bound") -> Policy:
        depth = self.depth if depth is None else min(depth, self.depth)
        check_leaves(self.model, depth)
        code = SEARCHES[method].code
        minus, plus = self.model.prior
        found_list, bounds = (self.listed(method != "nbdt"), self.bounds(method == "bound"))
        return Policy(*grow(code, depth, plus, minus, self.tables, found_list, bounds))


class BudgetSolver:
    """Any number of classes and a cost per feature; `budget` bounds the cost of every path.

    The search between data and prior, with a prior alone.
    """

    def __init__(self, model: NaiveBayes, budget, costs=None):
        costs = np.ones(model.n_features) if costs is None else np.asarray(costs, dtype=np.float64)
        if costs.shape != (model.n_features,):
            raise ValueError(f"{costs.size} costs for {model.n_features} features")
        if not (np.isfinite(costs).all() and (costs > 0).all()):
            raise ValueError(f"costs must be positive and finite, got {costs[~(costs > 0)][:3]}")
        if not budget >= 0:
            raise ValueError(f"budget = {budget}: must not be negative")
        self.model, self.budget = model, float(budget) + CENT
        self.depth = int(np.count_nonzero(np.cumsum(np.sort(costs)) <= self.budget))
        if self.depth > DEEPEST:
            raise Unsuitable(
                f"{self.depth} tests on a path can be paid, at most {DEEPEST} are taken"
            )
        check_leaves(model, self.depth)
        arity = np.diff(model.start)
        discrete_only = np.zeros(len(arity), dtype=bool)
        self.questions = make_questions(arity, discrete_only, ways="many", costs=costs)
        no_cases = (np.zeros((len(arity), 0), dtype=np.int32), np.zeros(0, dtype=np.int64))
        self._solver = BlendSolver(*no_cases, model, self.questions)

    def fit(self) -> Policy:
        found = self._solver.fit(self.depth, np.inf, budget=self.budget)
        feature = np.append(self.questions.feature, -1)[found.test]
        kept, parent, branch = without_repeats(feature, found.parent)
        return Policy(
            feature[kept], parent, branch, found.label[kept], found.mass[kept], found.value
        )


def without_repeats(feature, parent):
    """Nodes that stay, their parents and branches, when no path asks a feature again.

    The search may: the answer is known and costs nothing but a test. A node's branches are the
    values of its feature, in their order.
    """
    children: list[list[int]] = [[] for _ in feature]
    for node in range(1, len(feature)):
        children[parent[node]].append(node)
    kept: list[tuple[int, int, int]] = []
    waiting: list[tuple[int, int, int, dict]] = [(0, -1, -1, {})]
    while waiting:
        node, above, branch, path = waiting.pop()
        while feature[node] in path:
            node = children[node][path[feature[node]]]
        for value in reversed(range(len(children[node]))):
            below = path | {int(feature[node]): value}
            waiting.append((children[node][value], len(kept), value, below))
        kept.append((node, above, branch))
    return np.array(kept, dtype=np.int64).T


def check_leaves(model, depth):
    """Refuse, before anything is allocated, trees that could have more than `MOST_LEAVES`
    leaves.
    """
    if int(np.diff(model.start).max()) ** depth <= MOST_LEAVES:
        return
    arity = np.sort(np.diff(model.start))[::-1][:depth]
    leaves = float(np.prod(arity.astype(float)))
    if leaves > MOST_LEAVES:
        feature = int(np.diff(model.start).argmax())
        raise MemoryError(
            f"a tree of {depth} tests on a path could have {leaves:,.0f} leaves, at most"
            f" {MOST_LEAVES:,} are allowed: feature {feature} has {arity[0]:,} values; leave it"
            " out, group its values, or take a smaller depth"
        )


def to_tree(policy: Policy, model: NaiveBayes, dataset: Dataset, cases=None) -> Tree:
    """`counts` are what Naive Bayes expects of so many cases, so that shares of classes are its
    posteriors.
    """
    cases = dataset.n_cases if cases is None else cases
    nodes = len(policy.feature)
    arity = np.diff(model.start)
    branches = np.where(policy.feature >= 0, arity[policy.feature], 0)
    child_start = np.concatenate(([0], np.cumsum(branches)))
    children = np.empty(child_start[-1], dtype=np.int32)
    children[child_start[policy.parent[1:]] + policy.branch[1:]] = np.arange(1, nodes)
    return Tree(
        feature=policy.feature.astype(np.int32),
        threshold=np.full(nodes, np.nan),
        cut=np.full(nodes, -1, dtype=np.int32),
        child_start=child_start.astype(np.int32),
        children=children,
        counts=policy.joint * cases,
        label=policy.label.astype(np.int32),
        feature_names=dataset.feature_names,
        class_names=dataset.class_names,
        values=dataset.values,
    )


def node_joints(tree: Tree, model: NaiveBayes) -> np.ndarray:
    """P(path, class) of every node of a tree whose features are discrete."""
    joint = np.empty((tree.n_nodes, model.n_classes))
    joint[0] = model.prior
    for node in map(int, np.flatnonzero(tree.feature >= 0)):  # preorder: parents first
        first = model.start[tree.feature[node]]
        children = tree.branches(node)
        joint[children] = joint[node] * model.given[:, first : first + len(children)].T
    return joint


def leaf_terms(tree: Tree, model: NaiveBayes) -> np.ndarray:
    """P(path, label) per node, 0 at inner nodes; the sum is the expected accuracy of the tree."""
    right = node_joints(tree, model)[np.arange(tree.n_nodes), tree.label]
    return np.where(tree.feature < 0, right, 0.0)


def expected_accuracy(tree: Tree, model: NaiveBayes) -> float:
    return float(leaf_terms(tree, model).sum())


def leaf_records(tree: Tree, model: NaiveBayes) -> list[dict]:
    """One record per leaf: its path, P(path), its class, P(class | path) and its term of the
    expected accuracy.
    """
    joint, terms = node_joints(tree, model), leaf_terms(tree, model)
    paths = [""] * tree.n_nodes
    for node in map(int, np.flatnonzero(tree.feature >= 0)):
        feature = tree.feature[node]
        for value, child in zip(tree.values[feature], tree.branches(node), strict=True):
            test = f"{tree.feature_names[feature]}={value}"
            paths[child] = f"{paths[node]} & {test}" if paths[node] else test
    return [
        {
            "leaf": int(node),
            "path": paths[node],
            "class": tree.class_names[tree.label[node]],
            "p_path": joint[node].sum(),
            "p_class": terms[node] / joint[node].sum() if joint[node].sum() > 0 else 0.0,
            "term": terms[node],
        }
        for node in np.flatnonzero(tree.feature < 0)
    ]


def opt_feature_list(X, y=None, *, width=1, alpha=1.0):
    """Which features are best as the last test of a path, for every posterior of the classes before
    it.

    Under Naive Bayes the best last test depends on the tests before it only through x, the
    posterior of the second class; so a list over x says all.

    Parameters
    ----------
    X : DataFrame or array of shape (cases, features), or Table
        Numbers are cut into intervals by class entropy; missing cells are a value of their own.
    y : array of shape (cases,) of two classes; none for a Table, which knows its classes
    width : int, default 1
        So many features are listed, best first: a path of d tests needs d, as those that it has
        used drop out.
    alpha : float, default 1.0
        Dirichlet parameter of every class and value; 1 is Laplace's rule.

    Returns
    -------
    DataFrame
        One row per stretch of x: `from` and `to` bound it, `features` are its best features in
        order, and `accuracy_from`, `accuracy_to` what the best one is expected to get right at both
        ends.

    Notes
    -----
    The OFL of Farhangfar, Greiner and Zinkevich (2008), by which
    `NBDTClassifier(n0=inf)` finds its last tests.

    Examples
    --------
    >>> import pandas as pd
    >>> X = pd.DataFrame({"sky": ["sun", "sun", "rain", "rain"] * 5, "wind": ["low", "high", "low", "high"] * 5})
    >>> y = ["yes", "yes", "yes", "no"] * 4 + ["no", "yes", "yes", "no"]
    >>> opt_feature_list(X, y)[["from", "to", "features"]].values.tolist()
    [[0.0, 1.0, ['sky']]]
    """  # noqa: E501
    data = cases_of(X, y)
    if data.n_classes != 2:
        raise ValueError(f"{data.n_classes} classes: the list is over the posterior of one of two")
    check(
        {"width": Number(1, data.n_features, whole=True), "alpha": Number(0)},
        width=width,
        alpha=alpha,
    )
    data = discrete(data)
    model = NaiveBayes.estimate(data.codes, data.labels, data.arity, 2, alpha)
    breaks, listed, plus, minus = TwoClassSolver(model, int(width)).opt_feature_list
    orders = listed.astype(np.int64)
    first = np.concatenate(([0], np.flatnonzero((orders[1:] != orders[:-1]).any(axis=1)) + 1))
    last = np.append(first[1:], len(orders)) - 1

    def accuracy(piece, x):
        return x * plus[piece, 0] + (1 - x) * minus[piece, 0]

    import pandas as pd

    return pd.DataFrame(
        {
            "from": breaks[first],
            "to": breaks[last + 1],
            "features": [[data.feature_names[f] for f in orders[piece]] for piece in first],
            "accuracy_from": accuracy(first, breaks[first]),
            "accuracy_to": accuracy(last, breaks[last + 1]),
        }
    )
