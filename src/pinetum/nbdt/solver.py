"""The best fixed-depth tree under Naive Bayes, by the method of your choice: all give the same
tree.
"""

from dataclasses import dataclass

import numpy as np

from pinetum.nbdt.kernels import any_classes, grow
from pinetum.nbdt.kernels.branch_and_bound import bound_table, relaxed_use
from pinetum.nbdt.kernels.feature_lists import TIE, guide_of, opt_feature_list
from pinetum.nbdt.kernels.simplex import candidate_lists, simplex_bounds
from pinetum.nbdt.methods import SEARCHES
from pinetum.nbdt.naive_bayes import NaiveBayes

CELLS = 64  # of the grid over x in the two-class bound
MEMBERS = {
    3: 1,
    4: 1,
    5: 2,
    6: 3,
}  # features that the bound never repeats, per depth; 4 for deeper trees
SIMPLEX_CELLS = {
    1: 1,
    2: 256,
    3: 24,
    4: 10,
    5: 4,
    6: 2,
}  # the same per number of classes, each axis
DEEP, DEEP_CELLS = (
    6,
    {3: 48, 4: 20},
)  # for trees so deep or deeper, where tighter bounds save more than they cost
MOST_LEAVES = 1_000_000  # of a tree
MOST_VALUES = 30_000_000  # numbers that optnbdt_sets may hold at once
# For the methods that need none, of the same types.
NO_LIST = (
    np.zeros(1, np.uint64),
    np.zeros(1),
    np.zeros((1, 1), np.uint64),
    np.zeros((1, 1)),
    np.zeros((1, 1)),
)
NO_BOUNDS = (
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
    return GeneralSolver(model, depth, costs)


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
        self.tables = (plus, minus, model.start)
        self.cells = cells
        self._list = self._bounds = None

    @property
    def opt_feature_list(self):
        """(breaks, feature, plus, minus), see `kernels.feature_lists`."""
        if self._list is None:
            self._list = opt_feature_list(*self.tables, max(self.depth, 1))
        return self._list

    def listed(self, wanted=True):
        if not wanted:
            return NO_LIST
        found = self.opt_feature_list
        return guide_of(found[0]), *found

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
            self._bounds = (*tables, member_of, order, np.zeros(shape, np.bool_))
        return self._bounds

    def fit(self, depth=None, method="bound") -> Policy:
        depth = self.depth if depth is None else min(depth, self.depth)
        check_leaves(self.model, depth)
        if method == "optnbdt_sets" and self._most_values(depth) > MOST_VALUES:
            raise MemoryError(
                f"optnbdt_sets would hold over {MOST_VALUES:,} numbers at depth {depth}; take"
                " `bound`"
            )
        code = SEARCHES[method].code
        minus, plus = self.model.prior
        found_list, bounds = self.listed(method != "nbdt"), self.bounds(method == "bound")
        return Policy(*grow.grow(code, depth, plus, minus, self.tables, found_list, bounds))

    def _most_values(self, depth):
        arity = np.diff(self.model.start).astype(float)
        sums = [
            1.0
        ]  # elementary symmetric polynomials: value combinations over all sets of features
        for r in arity:
            sums = [1.0, *(a + r * b for a, b in zip([*sums[1:], 0.0], sums, strict=True))][
                : depth + 1
            ]
        return sums[depth - 2] if depth > 2 else 0.0


class GeneralSolver:
    """Any number of classes and a cost per feature; `budget` bounds the cost of every path."""

    def __init__(self, model: NaiveBayes, budget, costs=None, cells: int | None = None):
        costs = np.ones(model.n_features) if costs is None else np.asarray(costs, dtype=np.float64)
        if costs.shape != (model.n_features,):
            raise ValueError(f"{costs.size} costs for {model.n_features} features")
        if not (np.isfinite(costs).all() and (costs > 0).all()):
            raise ValueError(f"costs must be positive and finite, got {costs[~(costs > 0)][:3]}")
        if not budget >= 0:
            raise ValueError(f"budget = {budget}: must not be negative")
        classes = model.n_classes
        self.model, self.budget = model, float(min(budget, costs.sum()))
        self.tables = (np.ascontiguousarray(model.given.T), model.start)
        by_cost = np.argsort(costs, kind="stable")
        levels = np.unique(costs[costs <= self.budget + any_classes.CENT])
        self.purse = (costs, by_cost, np.cumsum(costs[by_cost]), levels)
        self.depth = int(any_classes.tests_for(self.budget, self.purse[2]))
        fewest = SIMPLEX_CELLS.get(classes, 0)
        self.cells = cells or (DEEP_CELLS.get(classes, fewest) if self.depth >= DEEP else fewest)
        self._lists: dict = {}
        self._bounds = None

    def lists(self, wanted):
        if wanted not in self._lists:
            costs, _, _, levels = self.purse
            cells, made = (self.cells if wanted else 1), []
            for level in levels if wanted and len(levels) else [0.0]:
                allowed = costs <= level + any_classes.CENT
                made.append(candidate_lists(cells, max(self.depth, 1), *self.tables, allowed))
            self._lists[wanted] = _stacked(made)
        return self._lists[wanted]

    def bounds(self, wanted):
        if not wanted:
            empty = np.zeros((1, 1))
            return np.zeros((1, 1, 1)), empty, empty, np.zeros((1, 1), np.int64)
        if self._bounds is None:
            allowed = self.purse[0] <= self.budget + any_classes.CENT
            self._bounds = simplex_bounds(self.depth, self.cells, *self.tables, allowed)
        return self._bounds

    def value(self, method, joint, budget, used, threshold=-1.0, only=-1) -> float:
        general = [name for name, search in SEARCHES.items() if not search.needs]
        if method not in general:
            raise ValueError(f"method {method}: here {', '.join(general)}")
        if method != "nbdt" and self.cells < 1:
            raise ValueError(
                f"{self.model.n_classes} classes: {method} takes up to {max(SIMPLEX_CELLS)}, nbdt"
                " any number"
            )
        lists, bounds = self.lists(method != "nbdt"), self.bounds(method == "bound")
        return any_classes.search_general(
            SEARCHES[method].code,
            joint,
            budget,
            threshold,
            only,
            used,
            self.tables,
            self.purse,
            self.cells,
            lists,
            bounds,
        )

    def fit(self, budget=None, method="bound") -> Policy:
        """Node by node in preorder, as in `grow.grow`."""
        budget = self.budget if budget is None else min(float(budget), self.budget)
        check_leaves(self.model, int(any_classes.tests_for(budget, self.purse[2])))
        given, start = self.tables
        costs = self.purse[0]
        feature: list[int] = []
        label: list[int] = []
        joint: list[np.ndarray] = []
        parent, branch, accuracy = [], [], 0.0
        waiting = [(-1, -1, budget)]
        while waiting:
            above, value, left = waiting.pop()
            node = len(feature)
            y = self.model.prior.copy() if above < 0 else joint[above] * given[value]
            leaf = y.max()
            if above >= 0 and y[label[above]] >= leaf - TIE * leaf:
                label.append(label[above])
            else:
                label.append(int(np.argmax(y >= leaf - TIE * leaf)))
            feature.append(-1)
            parent.append(above)
            branch.append(-1 if above < 0 else value - start[feature[above]])
            joint.append(y)
            used = np.zeros(len(costs), np.bool_)
            up = above
            while up >= 0:
                used[feature[up]] = True
                up = parent[up]
            best = self.value(method, y, left, used) if leaf > 0 else 0.0
            accuracy = best if above < 0 else accuracy
            if best <= leaf + TIE * leaf:
                continue
            floor = best - TIE * best
            for pick in np.flatnonzero(~used & (costs <= left + any_classes.CENT)):
                if self.value(method, y, left, used, floor, pick) > floor:
                    break
            else:
                raise ArithmeticError(f"no feature reaches the value {best} of node {node}")
            feature[node] = int(pick)
            waiting += [
                (node, child, left - costs[pick])
                for child in range(start[pick + 1] - 1, start[pick] - 1, -1)
            ]
        first, second, third, fourth = (
            np.array(part, dtype=np.int64) for part in (feature, parent, branch, label)
        )
        return Policy(first, second, third, fourth, np.array(joint), float(accuracy))


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


def _stacked(made):
    """The lists of all cost levels in one set of arrays."""
    rows = np.cumsum([0, *(len(row_start) - 1 for _, row_start, _ in made)])
    items = np.cumsum([0, *(len(chosen) for _, _, chosen in made)])
    row_of = np.array(
        [np.where(one[0] >= 0, one[0] + row, -1) for one, row in zip(made, rows[:-1], strict=True)]
    )
    row_start = [one[1][:-1] + item for one, item in zip(made, items[:-1], strict=True)]
    return (
        row_of,
        np.concatenate((*row_start, items[-1:])),
        np.concatenate([one[2] for one in made]),
    )
