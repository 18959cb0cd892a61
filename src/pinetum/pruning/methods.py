"""The pruners, each taking forests to `Pruned`: what a judging set makes of the trees it leaves.

Those of the paper
  NOP, NEBP, WEBP, SYNTH, SYNTH+   an estimate per leaf and one pass bottom-up (`estimates.py`)
  TWEBP   WEBP with the confidence level chosen by cross-validation inside the training part
and, by their published definitions, as columns of their own
  EBP     error-based pruning in full, with raising of branches (Quinlan 1993, C4.5 Release 8)
  PEP     pessimistic pruning (Quinlan 1987)
  MEP     minimum-error pruning with the m-estimate (Cestnik and Bratko 1991)
  REP     reduced-error pruning (Quinlan 1987), a third of the training part kept for pruning
  CCP     cost-complexity pruning (Breiman et al. 1984), cross-validated, one-standard-error rule
  CCP-0SE the same with the fewest cross-validated errors
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from pinetum.pruning.estimates import deviate
from pinetum.pruning.forest import Forest, Pruned
from pinetum.pruning.kernels.passes import cross_validated_charges, pessimistic_marks, tally, weakest_links
from pinetum.pruning.kernels.raising import raised_designs, raised_networks
from pinetum.pruning.names import FOUND
from pinetum.pruning.readings import Reading

DEFAULT = Reading()
DIGITS = 9  # expected errors that agree so far are equal: ties are common among fractions of small numbers


@dataclass(frozen=True, eq=False)
class Trees:
    """All forests that one set of data sets needs: `folds` of them per tree inside its training part."""

    full: Forest
    folds: Forest | None = None
    holdout: Forest | None = None
    raised: Callable | None = None  # (confidence) -> Pruned
    n_folds: int = 10
    m: float = 2.0
    cache: dict = field(default_factory=dict)


def tuned(trees, reading=DEFAULT):
    """TWEBP: (Pruned, confidence level chosen per tree)."""
    candidates = reading.candidates()
    levels = np.array(list(candidates))
    score = np.array(
        [trees.folds.pruned(pruner).hits.reshape(-1, trees.n_folds).sum(axis=1) for pruner in candidates.values()]
    )
    chosen = levels[preferred(score, levels, reading.tuning_ties, reading.confidence)]
    full = trees.full
    made = Pruned.empty(len(full), len(full.nodes.n))
    per_node = np.repeat(chosen, np.diff(full.start))
    for level in np.unique(chosen):
        pruned = full.pruned(candidates[level])
        mine = chosen == level
        for ours, theirs in ((made.hits, pruned.hits), (made.nodes, pruned.nodes), (made.errors, pruned.errors)):
            ours[mine] = theirs[mine]
        made.cut[per_node == level] = pruned.cut[per_node == level]
    return made, chosen


def preferred(score, levels, ties, default):
    """Index of the best level per column of `score`; equal scores as `ties` says, then the lower level."""
    order = {
        "nearest_default": np.argsort(np.abs(np.round((levels - default) * 1000)), kind="stable"),
        "lowest": np.argsort(levels, kind="stable"),
        "highest": np.argsort(-levels, kind="stable"),
    }[ties]
    return order[np.argmax(score[order], axis=0)]


def marked(forest, cut, hits=None):
    """The trees whose marked nodes are leaves."""
    made = Pruned.empty(len(forest), 0)
    nodes = forest.nodes
    cut = np.ascontiguousarray(cut, np.uint8)
    tally(forest.start, nodes.parent, nodes.feature, cut, forest.hits if hits is None else hits, made.hits, made.nodes)
    return Pruned(made.hits, made.nodes, made.errors, cut)


def pessimistic(forest):
    cut = np.empty(len(forest.nodes.n), np.uint8)
    nodes = forest.nodes
    pessimistic_marks(forest.start, nodes.parent, nodes.feature, nodes.n - nodes.c, nodes.n, cut)
    return marked(forest, cut)


def minimum_error(forest, m=2.0):
    """Expected errors by the m-estimate; a leaf's class is the one the estimate prefers."""
    nodes = forest.nodes
    size = np.diff(forest.start)
    roots = forest.start[:-1]
    prior = nodes.train[roots] / np.maximum(nodes.n[roots], 1)[:, None]
    support = np.round(nodes.train + m * np.repeat(prior, size, axis=0), DIGITS)  # equal classes are equal
    empty = nodes.n == 0
    label = np.where(empty, nodes.label, np.argmax(support, axis=1)).astype(np.int32)
    share = support.max(axis=1) / (nodes.n + m) if m > 0 else nodes.c / np.maximum(nodes.n, 1)
    errors = np.where(empty, 0.0, nodes.n * (1.0 - share))
    return forest.pruned_by(errors, slack=10.0**-DIGITS, hits=forest.correct(forest.tests, label))


def reduced_error(holdout):
    """Trees of two thirds, pruned by their errors on the last third, judged by `probes`."""
    wrong = holdout.tests.sum(axis=1) - holdout.hits
    return holdout.pruned_by(wrong, hits=holdout.correct(holdout.probes, holdout.nodes.label))


def critical_charges(forest):
    """Cost-complexity: per node the charge per leaf, in errors, from which on it is a leaf."""
    critical = np.empty(len(forest.nodes.n))
    nodes = forest.nodes
    weakest_links(forest.start, nodes.parent, nodes.feature, nodes.n - nodes.c, critical)
    return critical


def cost_complexity(trees, standard_errors):
    full, folds = trees.full, trees.folds
    if not trees.cache:
        trees.cache["full"] = critical_charges(full)
        trees.cache["folds"] = critical_charges(folds)
    critical = trees.cache["full"]
    charge = np.zeros(len(full))
    cross_validated_charges(
        full.start,
        critical,
        full.nodes.n[full.start[:-1]],
        folds.start,
        folds.nodes.parent,
        folds.nodes.feature,
        trees.cache["folds"],
        folds.nodes.n[folds.start[:-1]],
        folds.hits,
        trees.n_folds,
        float(standard_errors),
        charge,
    )
    return marked(full, critical <= np.repeat(charge, np.diff(full.start)))


def raised_of_table(full, table, roles):
    """Error-based pruning with raising for a forest grown on `roles` of a table."""

    def prune(confidence):
        made = Pruned.empty(len(full), 0)
        raised_designs(
            table.codes, table.labels, np.ascontiguousarray(roles, np.int8), table.arity, full.nodes, full.start,
            float(confidence), deviate(confidence) ** 2, made.hits, made.nodes, made.errors,
        )  # fmt: skip
        return made

    return prune


def raised_of_networks(full, sets, variant, cubes):
    """The same for generated data sets, which are drawn again from their seeds."""

    def prune(confidence):
        made = Pruned.empty(len(full), 0)
        raised_networks(
            sets.seeds, sets.inputs, sets.removed, sets.portions, variant, cubes, full.nodes, full.start,
            float(confidence), deviate(confidence) ** 2, made.hits, made.nodes, made.errors,
        )  # fmt: skip
        return made

    return prune


def prune(name, trees, reading=DEFAULT):
    """The trees after the pruner `name`."""
    if name == "TWEBP":
        return tuned(trees, reading)[0]
    if name.startswith(FOUND):
        from pinetum.pruning.evolution.found import load_found

        return load_found(name.removeprefix(FOUND)).pruned(trees.full)
    if name == "EBP":
        return trees.raised(reading.confidence)
    if name == "PEP":
        return pessimistic(trees.full)
    if name == "MEP":
        return minimum_error(trees.full, trees.m)
    if name == "REP":
        return reduced_error(trees.holdout)
    if name in ("CCP", "CCP-0SE"):
        return cost_complexity(trees, 1.0 if name == "CCP" else 0.0)
    return trees.full.pruned(reading.pruners()[name])
