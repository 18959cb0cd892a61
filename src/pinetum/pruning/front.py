"""The front of a tree: for every number of leaves the pruning with the fewest errors.

A pruning makes leaves of some nodes (subtree replacement). The best one of each size is found
exactly, in one pass up the tree (that this takes polynomial time is a result of Harviainen, Sommer,
Sorge and Szeider, ICML 2025). Cost-complexity pruning gives the corners of its lower hull alone.
"""

from dataclasses import dataclass

import numpy as np

from pinetum.parameters import check
from pinetum.pruning.forest import Forest
from pinetum.pruning.kernels.front import Fronts, count_leaves, fill_fronts, mark_pruning
from pinetum.pruning.library import as_tree, counts_of, forest_of
from pinetum.pruning.readings import LEAVES
from pinetum.trees.tree import Tree

ALL = np.iinfo(np.int32).max


def pruning_front(tree, X=None, y=None, *, sample_weight=None, max_leaves=None) -> "Front":
    """For every number of leaves the pruning of a tree with the fewest errors.

    Parameters
    ----------
    tree : Tree, or fitted scikit-learn DecisionTreeClassifier
        The tree to prune; it is not changed.
    X : Dataset, or array of shape (cases, features), optional
        Cases that judge the prunings; those that the tree was grown from if None.
    y : array of shape (cases,), optional
        Their classes, by the names in `tree.class_names`; a Dataset brings its own.
    sample_weight : array of shape (cases,), optional
        Weights of these cases.
    max_leaves : int, optional
        The largest number of leaves that is wanted; all if None.

    Returns
    -------
    Front

    Notes
    -----
    A pruning makes leaves of inner nodes; a leaf predicts the class that its node has in the tree.
    The front is exact. Its time grows with the square of the leaves, with `max_leaves` times the
    leaves where that is given.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> front = pruning_front(DecisionTreeClassifier(random_state=0).fit(X, y))
    >>> dict(zip(front.leaves.tolist(), front.errors.tolist()))
    {1: 100.0, 2: 50.0, 3: 6.0, 4: 4.0, 5: 3.0, 6: 2.0, 7: 1.0, 8: 1.0, 9: 0.0}
    >>> front.leaves[front.hull].tolist()
    [1, 3, 4, 9]
    >>> front.best(max_leaves=4).sizes.leaves
    4
    """
    check({"max_leaves": LEAVES}, max_leaves=max_leaves)
    grown = as_tree(tree).cut_back([])  # in preorder
    if X is None:
        judged = grown.counts
    else:
        judged = counts_of(grown, X, y, weights=sample_weight)
    forest = forest_of([grown])
    right = np.take_along_axis(judged, grown.label[:, None].astype(np.int64), axis=1)[:, 0]
    wrong = (judged.sum(axis=1) - right).astype(float)
    fronts = fronts_of(forest, wrong, most=max_leaves or ALL)
    errors = fronts.errors[:max_leaves]
    reached = np.flatnonzero(np.isfinite(errors))
    return Front(grown, reached + 1, errors[reached], float(judged[0].sum()), forest, fronts)


def fronts_of(forest: Forest, wrong, hits=None, most=ALL) -> Fronts:
    """The fronts of all trees of a forest, by any errors of its nodes as leaves."""
    nodes, trees = len(forest.nodes.n), len(forest)
    first, at = np.zeros(trees + 1, np.int64), np.zeros(nodes, np.int64)
    entries = count_leaves(forest.links, most, first, at)
    fronts = Fronts(
        first=first,
        errors=np.empty(first[-1]),
        right=np.zeros(first[-1], np.int64),
        chain=np.zeros(nodes, np.uint8),
        at=at,
        given=np.empty(entries, np.int32),
    )
    hits = np.zeros(nodes, np.int32) if hits is None else hits
    fill_fronts(forest.links, np.ascontiguousarray(wrong, dtype=float), hits, most, fronts)
    return fronts


def lower_hull(leaves, errors) -> np.ndarray:
    """Which points are corners of the lower hull, up to the first with the fewest errors."""
    corners: list[int] = []
    for i in range(int(np.argmin(errors)) + 1):
        while len(corners) > 1 and not is_corner(leaves, errors, corners[-2], corners[-1], i):
            corners.pop()
        if len(corners) == 1 and errors[i] >= errors[corners[0]]:
            continue
        corners.append(i)
    mask = np.zeros(len(leaves), dtype=bool)
    mask[corners] = True
    return mask


def is_corner(leaves, errors, a, b, c) -> bool:
    """Whether b lies below the line from a to c."""
    rise = (errors[c] - errors[a]) * (leaves[b] - leaves[a])
    return (errors[b] - errors[a]) * (leaves[c] - leaves[a]) < rise - 1e-9 * abs(rise)


@dataclass(frozen=True, eq=False)
class Front:
    """The best prunings of a tree, by their number of leaves.

    tree      the tree in full
    leaves    numbers of leaves that a pruning can have, rising
    errors    the fewest errors with each
    cases     weight of the cases that judge
    """

    tree: Tree
    leaves: np.ndarray
    errors: np.ndarray
    cases: float
    _forest: Forest
    _fronts: Fronts

    @property
    def hull(self) -> np.ndarray:
        """Which of the prunings cost-complexity pruning finds: the corners of the lower hull."""
        return lower_hull(self.leaves, self.errors)

    def at(self, leaves: int) -> Tree:
        """The best pruning with exactly so many leaves."""
        if leaves not in self.leaves:
            raise ValueError(f"no pruning has {leaves} leaves; at hand are {self.leaves.tolist()}")
        cut = np.zeros(self.tree.n_nodes, np.uint8)
        mark_pruning(0, int(leaves), self._forest.links, self._fronts, cut)
        return self.tree.cut_back(cut > 0)

    def best(self, max_leaves: int | None = None) -> Tree:
        """The pruning with the fewest errors and at most so many leaves, of equal ones the
        smallest.
        """
        allowed = self.leaves <= (ALL if max_leaves is None else max_leaves)
        return self.at(int(self.leaves[np.argmin(np.where(allowed, self.errors, np.inf))]))

    def plot(self, pruned=(), ax=None):
        """Draw errors against leaves, with prunings of the same tree on it.

        Parameters
        ----------
        pruned : dict of str and Tree, optional
            Prunings of the tree by name. Their errors are those on its own cases, so the front
            must be on these too.
        ax : matplotlib Axes, optional

        Returns
        -------
        Axes
        """
        import matplotlib.pyplot as plt

        ax = plt.subplots()[1] if ax is None else ax
        share, hull = 100 / self.cases, self.hull
        ax.step(self.leaves, share * self.errors, where="post", label="best pruning")
        ax.plot(self.leaves[hull], share * self.errors[hull], "o", label="cost-complexity")
        for name, tree in dict(pruned).items():
            ends = tree.feature < 0
            right = np.take_along_axis(tree.counts, tree.label[:, None].astype(np.int64), axis=1)
            wrong = float((tree.totals - right[:, 0])[ends].sum())
            ax.plot(int(ends.sum()), share * wrong, "x")
            ax.annotate(name, (int(ends.sum()), share * wrong))
        ax.set_xlabel("leaves")
        ax.set_ylabel("errors, %")
        ax.legend()
        return ax
