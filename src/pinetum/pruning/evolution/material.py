"""What programs are judged on: trees with their test cases, and what the reference pruners make of
them.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pinetum.pruning.evolution.expressions import postfix
from pinetum.pruning.evolution.kernels.postfix import (
    DEEPEST,
    Facts,
    Inner,
    Program,
    inner_nodes,
    leaf_errors,
    prune_pass,
)
from pinetum.pruning.forest import Forest, Pruned


@dataclass(frozen=True, eq=False)
class Material:
    """A forest and, per reference pruner, the judging cases it gets right on each tree."""

    forest: Forest
    references: dict

    def __len__(self):
        return len(self.forest)

    @cached_property
    def arrays(self) -> tuple[Inner, Facts]:
        """What the kernel's pass takes: inner nodes alone."""
        forest, nodes = self.forest, self.forest.nodes
        wrong = (nodes.n - nodes.c).astype(np.int32)
        inner = (nodes.feature >= 0).astype(np.uint8)
        number, above, own, leaf_pairs, missed, right = np.zeros((6, len(inner)), np.int32)
        first, leaves = np.zeros(len(forest.start), np.int64), np.zeros(len(inner) + 1, np.int64)
        trees = Inner(first, above, own, leaves, leaf_pairs, missed, right)
        pair = forest.pairs[2]
        count, used = inner_nodes(
            forest.start, nodes.parent, inner, wrong, forest.hits, pair, number, trees
        )
        kept = inner == 1
        roots = forest.start[:-1]
        noise = np.add.reduceat(np.where(kept, 0, wrong), roots) / np.maximum(nodes.n[roots], 1)
        trees = Inner(
            first=first,
            above=above[:count].copy(),
            own=own[:count].copy(),
            leaves=leaves[: count + 1].copy(),
            leaf_pairs=leaf_pairs[:used].copy(),
            missed=missed[:count].copy(),
            right=right[:count].copy(),
        )
        facts = Facts(
            n=nodes.n[kept],
            wrong=wrong[kept],
            hits=forest.hits[kept],
            depth=forest.depth[kept],
            lone=forest.hits[roots],
            noise=noise,
        )
        return trees, facts

    @cached_property
    def distinct(self):
        """Distinct n and c as floats, and room to evaluate over them."""
        n, c, _ = self.forest.pairs
        return n.astype(float), c.astype(float), np.empty((DEEPEST, len(n))), np.empty(len(n))

    @cached_property
    def tested(self):
        return self.forest.tested.astype(np.int64)

    @cached_property
    def hits(self):
        return np.empty(len(self.forest), np.int32)

    @cached_property
    def cut(self):
        return np.empty(len(self.arrays[0].above), np.uint8)

    @cached_property
    def better(self):
        """int32 (references, trees): hits of the reference pruners."""
        return np.array(list(self.references.values()), np.int32)

    def judge(self, program):
        """Judging cases right on each tree, an array that the next call overwrites."""
        n, c, stack, errors = self.distinct
        leaf_errors(*postfix(program[0], "L"), n, c, stack, errors)
        subtree = Program(*postfix(program[1], "S"), program[1] == "m")
        prune_pass(*self.arrays, errors, subtree, self.hits, self.cut)
        return self.hits

    def rank(self, hits) -> float:
        """Mean rank among the references, 1 the most accurate, ties averaged."""
        return float(
            1 + ((self.better > hits).sum() + 0.5 * (self.better == hits).sum()) / len(hits)
        )

    def pruned(self, program) -> Pruned:
        """The trees as the program leaves them."""
        self.judge(program)
        marks = np.zeros(len(self.forest.nodes.n), np.uint8)
        marks[self.forest.nodes.feature >= 0] = self.cut
        return self.forest.marked(marks)

    def first(self, trees):
        """The first trees alone."""
        if trees >= len(self):
            return self
        forest, end = self.forest, self.forest.start[trees]
        nodes = forest.nodes
        cut = type(nodes)(
            *(getattr(nodes, name)[:end] for name in ("feature", "parent", "label", "n", "c")),
            nodes.first[: end + 1],
            nodes.children[: nodes.first[end]],
            nodes.train[:end],
        )
        part = Forest(forest.start[: trees + 1], cut, forest.tests[:end])
        return Material(part, {name: hits[:trees] for name, hits in self.references.items()})
