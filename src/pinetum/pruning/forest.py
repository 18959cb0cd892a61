"""Forests: many ID3 trees in flat arrays, with the counts of the cases that judge them, and their
prunings.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from pinetum.kernels.logarithms import n_log_n
from pinetum.pruning.kernels.id3 import OVERFLOW, Nodes, Rules, drop_designs, grow_designs
from pinetum.pruning.kernels.passes import Links, Outcome, bottom_up, number_pairs, tally

PAPER_RULES = Rules(ties_last=True, skip_constant=False, ties_to_parent=False)
TRIANGLE = 5_000_000  # places of a table over all (n, c); beyond it pairs are numbered by sorting


@dataclass(frozen=True, eq=False)
class Forest:
    """Trees in preorder, one after the other.

    start   int64 (trees + 1,): nodes start[t] .. start[t + 1] are those of tree t
    nodes   `Nodes`: feature, parent, label, n, c, first, children, train (indices count over the
            forest)
    tests   int32 (nodes, classes): judging cases at each node, dropped down the full tree
    probes  the same for a second set of cases, or None
    """

    start: np.ndarray
    nodes: Nodes
    tests: np.ndarray
    probes: np.ndarray | None = None

    def __len__(self):
        return len(self.start) - 1

    @property
    def links(self) -> Links:
        return Links(self.start, self.nodes.parent, self.nodes.feature)

    @cached_property
    def hits(self):
        """Judging cases at each node that its majority class gets right, int32."""
        return self.correct(self.tests, self.nodes.label)

    @cached_property
    def tested(self):
        """Judging cases of each tree."""
        return self.tests[self.start[:-1]].sum(axis=1)

    @staticmethod
    def correct(counts, labels):
        return np.ascontiguousarray(np.take_along_axis(counts, labels[:, None], axis=1)[:, 0])

    @cached_property
    def depth(self):
        """Depth of each node, int32; a root has 0."""
        depth = np.zeros(len(self.nodes.parent), np.int32)
        for node, above in enumerate(self.nodes.parent):
            if above >= 0:
                depth[node] = depth[above] + 1
        return depth

    @cached_property
    def pairs(self):
        """Distinct n, distinct c and the number of each node's pair among them."""
        n, c = self.nodes.n, self.nodes.c
        if n.dtype != np.int32:  # cases with weights
            distinct, number = np.unique(np.stack([n, c]), axis=1, return_inverse=True)
            return distinct[0], distinct[1], number.reshape(-1).astype(np.int32)
        largest = int(n.max(initial=0))
        places = (largest + 1) * (largest + 2) // 2
        number = np.empty(len(n), np.int32)
        if places <= TRIANGLE:
            pairs = np.empty((min(places, len(n)), 2), np.int32)
            count = number_pairs(n, c, number, np.full(places, -1, np.int32), pairs)
            return pairs[:count, 0].copy(), pairs[:count, 1].copy(), number
        keys, number = np.unique(n.astype(np.int64) * (largest + 1) + c, return_inverse=True)
        return keys // (largest + 1), keys % (largest + 1), number.astype(np.int32)

    def errors(self, estimate):
        """An estimate at every node, evaluated once per distinct (n, c)."""
        n, c, number = self.pairs
        return np.asarray(estimate(n, c), dtype=float)[number]

    @property
    def wrong(self):
        """Training cases at each node that its class gets wrong, float64."""
        return (self.nodes.n - self.nodes.c).astype(float)

    def pruned(self, pruner):
        """Every tree pruned bottom-up by a `BottomUp`."""
        return self.pruned_by(self.errors(pruner.estimate), pruner.slack, pruner.charge)

    def pruned_by(self, leaf_errors, slack=0.0, charge=0.0, hits=None):
        """Every tree pruned bottom-up by the errors given for each node as a leaf."""
        hits = self.hits if hits is None else hits
        made = Pruned.empty(len(self), len(leaf_errors))
        errors = np.ascontiguousarray(leaf_errors, dtype=float)
        bottom_up(self.links, errors, hits, float(slack), float(charge), made.outcome, made.cut)
        return made

    def unpruned(self):
        """The trees as they were grown: no leaf is ever worth a subtree."""
        inner = self.nodes.feature >= 0
        return self.pruned_by(np.where(inner, np.inf, self.wrong))

    def marked(self, cut):
        """The trees whose marked nodes are leaves."""
        made = Pruned.empty(len(self), 0)
        cut = np.ascontiguousarray(cut, np.uint8)
        tally(self.links, cut, self.hits, made.outcome)
        return Pruned(made.hits, made.nodes, made.errors, cut)

    def kept(self, cut):
        """Nodes that remain when the marked ones are leaves: those with no marked node above."""
        kept = np.ones(len(cut), bool)
        for node, above in enumerate(self.nodes.parent):
            if above >= 0:
                kept[node] = kept[above] and not cut[above]
        return kept


@dataclass(frozen=True)
class Pruned:
    """What a pruning made of each tree: judging cases right, nodes kept, estimated errors.

    And the nodes it cut.

    label  class of each node where the pruner changes it
    level  what a tuned pruner chose for each tree
    """

    hits: np.ndarray
    nodes: np.ndarray
    errors: np.ndarray
    cut: np.ndarray
    label: np.ndarray | None = None
    level: np.ndarray | None = None

    @property
    def outcome(self) -> Outcome:
        return Outcome(self.hits, self.nodes, self.errors)

    @classmethod
    def empty(cls, trees, nodes):
        return cls(
            np.zeros(trees, np.int32),
            np.zeros(trees, np.int32),
            np.zeros(trees),
            np.zeros(nodes, np.uint8),
        )


@dataclass(frozen=True, eq=False)
class Trees:
    """All forests that one set of data sets needs: `n_folds` of them per tree inside its training
    part.

    full     trees of the whole training part
    folds    trees of its cross-validation, each judged by the fold left out
    holdout  trees of two thirds of it, judged by the last third
    raised   prunes the full trees with raising of branches: (confidence) -> Pruned
    """

    full: Forest
    folds: Forest | None = None
    holdout: Forest | None = None
    raised: Callable | None = None
    n_folds: int = 10
    cache: dict = field(default_factory=dict)


def empty_nodes(capacity, classes):
    """Empty arrays for `capacity` nodes."""
    nodes = Nodes(
        *(np.empty(capacity, np.int32) for _ in range(5)),
        first=np.zeros(capacity + 1, np.int32),
        children=np.empty(capacity, np.int32),
        train=np.empty((capacity, classes), np.int32),
    )
    return nodes, np.empty((capacity, classes), np.int32)


def trimmed(nodes, used):
    return Nodes(
        *(
            array[: used + (name == "first")]
            for name, array in zip(Nodes._fields, nodes, strict=True)
        )
    )


def grown(grow_into, guess, classes, most=400_000_000):
    """Call `grow_into(nodes, tests)` with twice the room until it fits.

    The nodes and tests in use.
    """
    capacity = max(int(guess), 64)
    while capacity <= most:
        nodes, tests = empty_nodes(capacity, classes)
        used = grow_into(nodes, tests)
        if used != OVERFLOW:
            return trimmed(nodes, used), tests[:used]
        capacity *= 2
    raise MemoryError(
        f"the trees need more than {most:,} nodes; take fewer attributes or smaller domains"
    )


def grow_forest(table, roles, rules=PAPER_RULES):
    """One tree per row of `roles` (int8.

    0: grow on the case, 1: judge by it, others: leave it out).
    """
    roles = np.ascontiguousarray(roles, np.int8)
    start = np.zeros(len(roles) + 1, np.int64)
    logs = n_log_n(table.labels.size, np.log)

    def grow_into(nodes, tests):
        return grow_designs(roles, table.cases, table.features, logs, rules, nodes, start, tests)

    nodes, tests = grown(grow_into, roles.size // 2 + 1000, table.classes)
    return Forest(start, nodes, tests)


def joined(forests):
    """One forest of the trees of several, whose tables may have different numbers of classes."""
    nodes = [forest.nodes for forest in forests]
    before = np.cumsum([0, *(len(part.n) for part in nodes)])
    edges = np.cumsum([0, *(len(part.children) for part in nodes)])
    classes = max(part.train.shape[1] for part in nodes)
    together = {
        name: np.concatenate([getattr(part, name) for part in nodes])
        for name in ("feature", "label", "n", "c")
    }
    parents = [
        np.where(part.parent < 0, -1, part.parent + k)
        for part, k in zip(nodes, before[:-1], strict=True)
    ]
    children = [part.children + k for part, k in zip(nodes, before[:-1], strict=True)]
    first = [part.first[:-1] + k for part, k in zip(nodes, edges[:-1], strict=True)]
    starts = [forest.start[:-1] + k for forest, k in zip(forests, before[:-1], strict=True)]
    return Forest(
        np.concatenate([*starts, before[-1:]]).astype(np.int64),
        Nodes(
            **together,
            parent=np.concatenate(parents).astype(np.int32),
            first=np.concatenate([*first, edges[-1:]]).astype(np.int32),
            children=np.concatenate(children).astype(np.int32),
            train=np.concatenate([widened(part.train, classes) for part in nodes]),
        ),
        np.concatenate([widened(forest.tests, classes) for forest in forests]),
    )


def widened(counts, classes):
    """Counts with columns of zeros for classes that a table does not have."""
    return np.pad(counts, ((0, 0), (0, classes - counts.shape[1])))


def dropped(forest, table, roles, role):
    """Counts by class at every node of the cases with `role`, dropped down the full trees."""
    counts = np.empty_like(forest.tests)
    roles = np.ascontiguousarray(roles, np.int8)
    drop_designs(table.cases, roles, role, forest.nodes, forest.start, counts)
    return counts
