"""The front with raising: a node may also be replaced by one of its branches, which then gets all
its cases.

The best such prunings are NP-hard to find (Harviainen, Sommer, Sorge and Szeider, ICML 2025).
The search goes over nodes and the cases that can reach them: a node below d splits can meet up to
2^d sets of cases, since each of these splits is kept or raised over. Within its work the answer is
exact; when the work is used up nothing more is raised, and the answer is what can be had so far.
"""

from dataclasses import dataclass, field, replace

import numpy as np

from pinetum.data.dataset import Dataset
from pinetum.parameters import check
from pinetum.pruning.library import as_tree, branch_of, coded
from pinetum.pruning.readings import LEAVES
from pinetum.trees.tree import Tree

LEAF, SPLIT = -1, -2  # what a node becomes; zero or more: raise this branch


def raising_front(
    tree, X, y=None, *, sample_weight=None, max_leaves=None, work=10_000_000
) -> "RaisingFront":
    """For every number of leaves the fewest errors of a tree whose nodes may be made leaves or be
    replaced by one of their branches.

    Parameters
    ----------
    tree : Tree, or fitted scikit-learn DecisionTreeClassifier
    X : Dataset, or array of shape (cases, features)
        Cases that judge and label the nodes: those that the tree was grown from.
    y : array of shape (cases,), optional
        Their classes, by the names in `tree.class_names`; a Dataset brings its own.
    sample_weight : array of shape (cases,), optional
        Weights of the cases.
    max_leaves : int, optional
        The largest number of leaves that is wanted; all if None.
    work : int, default 10 000 000
        Cases that may be looked at. Beyond it nothing more is raised.

    Returns
    -------
    RaisingFront

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = DecisionTreeClassifier(random_state=0).fit(X, y)
    >>> front = raising_front(model, X, y)
    >>> front.status, front.errors.tolist()
    ('optimal', [100.0, 50.0, 6.0, 4.0, 3.0, 2.0, 1.0, 1.0, 0.0])
    >>> front.best(max_leaves=4).sizes.leaves
    4
    """
    check({"max_leaves": LEAVES}, max_leaves=max_leaves, work=work)
    grown = as_tree(tree).cut_back([])
    own, data = coded(grown, X, y)
    weights = np.ones(len(data.labels)) if sample_weight is None else np.asarray(sample_weight)
    if len(weights) != len(data.labels):
        raise ValueError(f"{len(weights):,} weights for {len(data.labels):,} cases")
    most = max_leaves or grown.n_nodes
    search = Search(grown, own, data, weights.astype(float), most, float(work))
    root = search.solve(0, np.arange(len(data.labels), dtype=np.int32))
    status = "optimal" if search.exact else "work_limit"
    return RaisingFront(np.arange(1, len(root.errors) + 1), root.errors, status, search, root)


@dataclass(frozen=True, eq=False)
class Solved:
    """What is known of a node and the cases that reach it; entry k is for k + 1 leaves at most."""

    node: int
    cases: np.ndarray
    errors: np.ndarray  # the fewest
    choice: np.ndarray  # LEAF, SPLIT, or the branch that is raised
    branches: tuple = ()  # of the node, Solved, where it is split
    raised: tuple = ()  # the same with all cases of the node
    shares: tuple = ()  # per branch but the first: of k + 1 leaves how many those before it have


@dataclass(eq=False)
class Search:
    """One tree, with its cuts in the codes of the cases too, and these cases.

    left    the work that may still be done
    """

    tree: Tree
    coded: Tree
    data: Dataset
    weights: np.ndarray
    most: int
    left: float
    exact: bool = True
    known: dict = field(default_factory=dict)

    def solve(self, node, cases) -> Solved:
        key = node, cases.tobytes()
        if key not in self.known:
            self.known[key] = self.solved(node, cases)
        return self.known[key]

    def counts(self, cases):
        labels, weights = self.data.labels[cases], self.weights[cases]
        return np.bincount(labels, weights, minlength=self.tree.n_classes)

    def solved(self, node, cases) -> Solved:
        self.left -= len(cases) + 1
        counts = self.counts(cases)
        wrong = counts.sum() - counts.max()
        errors, choice = np.array([wrong]), np.array([LEAF])
        if self.tree.feature[node] < 0 or wrong == 0:
            return Solved(node, cases, errors, choice)
        below = self.tree.branches(node)
        way = branch_of(self.coded, self.data, node, cases)
        branches = tuple(self.solve(c, cases[way == b]) for b, c in enumerate(below))
        split, shares = together([branch.errors for branch in branches], self.most)
        errors, choice = better(errors, choice, split, SPLIT)
        raised = []
        for branch, child in enumerate(below):
            if self.left < 0:
                self.exact = False
                break
            raised.append(self.solve(child, cases))
            errors, choice = better(errors, choice, raised[-1].errors, branch)
        return Solved(node, cases, errors, choice, branches, tuple(raised), shares)

    def tree_of(self, solved, leaves) -> Tree:
        """The tree that has these errors."""
        nodes: list = []
        lists: list = []
        counts, labels = [], []
        stack = [(solved, leaves, -1, 0)]
        while stack:
            here, k, above, label = stack.pop()
            k = min(k, len(here.errors))
            while here.choice[k - 1] >= 0:
                here = here.raised[here.choice[k - 1]]
                k = min(k, len(here.errors))
            place = len(nodes)
            if above >= 0:
                lists[above].append(place)
            is_split = here.choice[k - 1] == SPLIT
            own = self.counts(here.cases)
            label = int(own.argmax()) if own.any() else label
            nodes.append(here.node if is_split else -1)
            lists.append([])
            counts.append(own)
            labels.append(label)
            if is_split:
                parts = dealt(here.shares, k)
                pairs = zip(here.branches, parts, strict=True)
                stack.extend([(part, size, place, label) for part, size in pairs][::-1])
        kept = np.array(nodes)
        inner, old = kept >= 0, np.maximum(kept, 0)
        tree = self.tree
        return replace(
            tree,
            feature=np.where(inner, tree.feature[old], -1).astype(np.int32),
            threshold=np.where(inner, tree.threshold[old], np.nan),
            cut=np.where(inner, tree.cut[old], -1).astype(np.int32),
            child_start=np.cumsum([0, *map(len, lists)]).astype(np.int32),
            children=np.array([child for part in lists for child in part], np.int32),
            counts=np.array(counts),
            label=np.array(labels, dtype=tree.label.dtype),
        )


def together(tables, most):
    """Fewest errors of several branches at most k + 1 leaves in all, from as many leaves as
    branches on; and how many of them all but the last branch have.
    """
    errors, shares = tables[0], []
    for table in tables[1:]:
        size = min(len(errors) + len(table), most)
        joined, before = np.full(size, np.inf), np.zeros(size, np.int64)
        for j in range(min(len(errors), size - 1)):
            part = errors[j] + table[: size - j - 1]
            better_here = part < joined[j + 1 : j + 1 + len(part)]
            joined[j + 1 : j + 1 + len(part)][better_here] = part[better_here]
            before[j + 1 : j + 1 + len(part)][better_here] = j + 1
        errors = joined
        shares.append(before)
    return errors, tuple(shares)


def dealt(shares, leaves):
    """Leaves of each branch."""
    parts = []
    for before in shares[::-1]:
        leaves = min(leaves, len(before))
        parts.append(leaves - int(before[leaves - 1]))
        leaves = int(before[leaves - 1])
    return [leaves, *parts[::-1]]


def better(errors, choice, others, name):
    """The lesser table, where the choice is `name` if that is better; tables never rise."""
    size = max(len(errors), len(others))
    errors = np.pad(errors, (0, size - len(errors)), mode="edge")
    choice = np.pad(choice, (0, size - len(choice)), mode="edge")
    others = np.pad(others, (0, size - len(others)), mode="edge")
    wins = others < errors
    return np.where(wins, others, errors), np.where(wins, name, choice)


@dataclass(frozen=True, eq=False)
class RaisingFront:
    """The fewest errors with at most so many leaves.

    status   optimal, or work_limit: errors that can be had, perhaps not the fewest
    """

    leaves: np.ndarray
    errors: np.ndarray
    status: str
    _search: Search
    _root: Solved

    def best(self, max_leaves: int | None = None) -> Tree:
        """A tree with the fewest errors and at most so many leaves, of equal ones the smallest."""
        allowed = self.errors[:max_leaves]
        return self._search.tree_of(self._root, int(np.argmin(allowed)) + 1)
