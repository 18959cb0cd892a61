"""The best cut of one feature at one node: the scan that suits its cases, classes and criterion."""

from typing import NamedTuple

import numpy as np

from pinetum.induction.kernels.cuts import (
    Goal,
    count_cuts,
    cut_by_terms,
    cut_many,
    cut_two,
    fill_tables,
    index,
)
from pinetum.induction.kernels.quality import (
    continuous_split,
    impurity_mass,
    is_in_terms,
    least_side,
)
from pinetum.induction.kernels.weighted_cuts import cut_weighted
from pinetum.jit import kernel


class Node(NamedTuple):
    """The node whose features are scanned; its class weights are `Scan.counts`."""

    first: int  # of its cases, where they are listed
    cases: int
    weight: int  # of them all, in the unit of the rules
    mass: int  # impurity mass
    fractional: bool  # whether some cases weigh other than one
    classes: int  # of the table


@kernel(inline=True)
def varies(segment):
    """Whether the entries have more than one value."""
    entries, r, a, m = segment.entries, segment.row, segment.first, segment.count
    return (
        m > 0 and entries[r, a] >> segment.code_shift != entries[r, a + m - 1] >> segment.code_shift
    )


@kernel(inline=True)
def count_known(segment, node, scan):
    """Class weights of the cases of a segment into `scan.known`; their sum."""
    entries, r, a, bits = segment.entries, segment.row, segment.first, segment.class_bits
    known, label = scan.known, (np.int64(1) << segment.class_bits) - 1
    total = np.int64(node.weight)
    if segment.count == node.cases:
        for c in range(len(known)):
            known[c] = scan.counts[c]
    else:
        for c in range(len(known)):
            known[c] = 0
        total = np.int64(0)
        for p in range(segment.count):
            entry = entries[index(r), index(a + p)]
            w = np.int64(1)
            if node.fractional:
                w = scan.weight_of[index((entry >> bits) & segment.case_mask)]
            known[index(entry & label)] += w
            total += w
    return total


@kernel(inline=True)
def best_cut(segment, node, gaps, scan, rules, floor, filled):
    """(mass gain after the penalty, split mass, position) of the best cut of a feature that varies.

    Position 0: none gains more than `floor`, on the grid. `filled`, given and given back: whether
    `scan.sizes` and `scan.steps` are those of all cases of the node.
    """
    known, nlogn_of, n_classes = scan.known, scan.nlogn, len(scan.known)
    total, mass = count_known(segment, node, scan), node.mass
    if segment.count < node.cases:
        mass = impurity_mass(known, total, rules.criterion, rules.unit, nlogn_of)
    goal = Goal(
        rules.criterion, mass, node.weight, total, least_side(total, node.classes, rules), floor
    )
    gained, at, below, tries = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    if 2 * goal.least <= total:
        if node.fractional:
            gained, at, below, tries = cut_weighted(segment, goal, gaps, scan)
        else:
            in_terms, whole = is_in_terms(rules.criterion), segment.count == node.cases
            if not in_terms and not (whole and filled):
                fill_tables(known, total, nlogn_of, scan.sizes, scan.steps)
                filled = whole
            if n_classes == 2:
                gained, at = cut_two(segment, goal, gaps, known, scan.sizes, scan.steps)
            elif in_terms:
                gained, at = cut_by_terms(segment, goal, gaps, known, scan.left, scan.right)
            else:
                gained, at = cut_many(
                    segment, goal, gaps, known, scan.sizes, scan.steps, nlogn_of, scan.left
                )
            below = at
            if at > 0 and rules.penalty:
                tries = count_cuts(segment, goal, gaps)
    split = np.int64(0)
    if at > 0:
        gained, split = continuous_split(gained, below, total, node.weight, tries, rules, nlogn_of)
    return gained, split, at, filled
